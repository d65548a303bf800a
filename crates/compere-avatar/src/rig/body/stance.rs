//! How a person stands: clothes are cut on a body that faces the camera squarely, and then the body is turned. Arms are
//! another matter: they move.

use super::parts::{Mesh, Stuff};
use super::sculpt::Body;
use crate::rig::ground::v3::{V3, add, mul, ss, sub, turn};
use crate::rig::people::person::Stance;

impl Stance {
    /// Turns all of a person but the head.
    pub(crate) fn take(&self, body: &Body, meshes: &mut [Mesh]) {
        for mesh in meshes {
            let follows: Vec<f32> = match mesh.stuff {
                Stuff::Skin => mesh.head.iter().map(|&head| ss(0.80, 0.24, head)).collect(),
                Stuff::Cloth(_) => vec![1.0; mesh.points.len()],
                Stuff::Hair | Stuff::Scarf => mesh.points.iter().map(|p| ss(5.9, 4.5, p[1])).collect(),
                _ => continue,
            };
            for (p, &share) in mesh.points.iter_mut().zip(&follows) {
                *p = self.settled(body.neck, *p, share);
            }
            if matches!(mesh.stuff, Stuff::Hair) {
                mesh.tangents_from_strands();
            } else {
                mesh.normals = crate::rig::ground::mesh::normals(&mesh.points, &mesh.triangles);
            }
        }
    }

    /// Where soles are once the body is made smaller, for a neck as high as the cast's.
    pub(crate) fn soles(&self, before: f32) -> f32 {
        const NECK: f32 = 5.55;
        NECK + (before - NECK) * self.size
    }

    /// The height that a height of the picture had before the body was made smaller.
    pub(crate) fn before(&self, neck: V3, y: f32) -> f32 {
        neck[1] + (y - neck[1]) / self.size
    }

    fn settled(&self, neck: V3, p: V3, share: f32) -> V3 {
        if share <= 0.0 {
            return p;
        }
        let off = sub(p, neck);
        // Shoulders tilt, and hips bear it: legs stand upright.
        let upper = ss(-2.0, 3.6, p[1]);
        let off = turn(off, self.turned.to_radians() * share, 0.0, self.tilted.to_radians() * share * upper);
        add(neck, mul(off, 1.0 + (self.size - 1.0) * share))
    }

    /// What the chest does: a turn, as the images of the three axes, about the neck.
    pub(crate) fn chest(&self) -> [V3; 3] {
        let axes: [V3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        axes.map(|axis| turn(axis, self.turned.to_radians(), 0.0, self.tilted.to_radians()))
    }
}
