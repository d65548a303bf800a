//! How a person stands: clothes are cut on a body that faces the camera squarely, and then the body is turned.

use super::parts::{Mesh, Stuff};
use super::sculpt::Body;
use super::v3::{V3, add, mul, ss, sub, turn};

/// Of one person. Angles in degrees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    /// The chest turned to the picture's right.
    pub(super) turned: f32,
    /// The shoulder at the picture's right raised.
    pub(super) tilted: f32,
    /// The body against the head: a little smaller than life.
    pub(super) size: f32,
    /// How far the arms hang from the ribs: the picture's right one, and the left.
    pub(super) arms: [f32; 2],
}

impl Stance {
    /// Turns all of a person but the head.
    pub(super) fn take(&self, body: &Body, meshes: &mut [Mesh]) {
        for mesh in meshes {
            let follows: Vec<f32> = match mesh.stuff {
                Stuff::Skin => mesh.head.iter().map(|&head| ss(0.80, 0.24, head)).collect(),
                Stuff::Cloth(_) => vec![1.0; mesh.points.len()],
                Stuff::Hair | Stuff::Scarf => mesh.points.iter().map(|p| ss(5.9, 4.5, p[1])).collect(),
                _ => continue,
            };
            let limbs = matches!(
                mesh.stuff,
                Stuff::Skin | Stuff::Cloth(super::cloth::TOP | super::cloth::JACKET | super::cloth::LAPEL)
            );
            for (at, p) in mesh.points.iter_mut().enumerate() {
                if limbs {
                    *p = self.limb(body, *p, mesh.traits[at][7]);
                }
                *p = self.settled(body.neck, *p, follows[at]);
            }
            if matches!(mesh.stuff, Stuff::Hair) {
                mesh.tangents_from_strands();
            } else {
                mesh.normals = super::mesh::normals(&mesh.points, &mesh.triangles);
            }
        }
    }

    /// The height that a height of the picture had before the body was made smaller.
    pub(super) fn before(&self, neck: V3, y: f32) -> f32 {
        neck[1] + (y - neck[1]) / self.size
    }

    fn settled(&self, neck: V3, p: V3, share: f32) -> V3 {
        if share <= 0.0 {
            return p;
        }
        let off = sub(p, neck);
        let off = turn(off, self.turned.to_radians() * share, 0.0, self.tilted.to_radians() * share);
        add(neck, mul(off, 1.0 + (self.size - 1.0) * share))
    }

    /// An arm swung out from its shoulder.
    fn limb(&self, body: &Body, p: V3, arm: f32) -> V3 {
        let (side, angle) = if p[0] > 0.0 { (1.0, self.arms[0]) } else { (-1.0, self.arms[1]) };
        let share = ss(0.15, 0.95, arm) * ss(4.9, 3.9, p[1]);
        if share <= 0.0 {
            return p;
        }
        let joint = [side * body.shoulder * 0.80, 4.75, 0.0];
        add(joint, turn(sub(p, joint), 0.0, 0.0, side * angle.to_radians() * share))
    }
}
