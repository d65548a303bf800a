//! How a person stands: clothes are cut on a body that faces the camera squarely, and then the body is turned.

use super::parts::{Mesh, Piece, Stuff};
use super::sculpt::Body;
use crate::rig::ground::v3::{V3, add, atan2, cross, dot, length, mul, norm, spun, ss, sub, turn};
use crate::rig::people::person::{Arms, Stance};

impl Arms {
    /// How far the upper arm goes back, in degrees.
    fn back(self) -> f32 {
        match self {
            Self::Hang => 3.0,
            Self::Back => 20.0,
        }
    }

    /// How much farther than they hang it goes out.
    fn out(self) -> f32 {
        match self {
            Self::Hang => 0.0,
            Self::Back => 1.0,
        }
    }

    /// Where forearm and hand of a side point.
    fn aims(self, side: f32) -> [V3; 2] {
        match self {
            Self::Hang => [[side * 0.02, -0.95, 0.30], [-side * 0.06, -0.97, 0.22]],
            Self::Back => [[-side * 0.58, -0.62, -0.48], [-side * 0.30, -0.90, -0.30]],
        }
    }
}

/// How a forearm turns about the elbow and a hand about the wrist.
struct Reach {
    elbow: V3,
    wrist: V3,
    /// Along forearm and hand, before they turn.
    along: [V3; 2],
    forearm: Swing,
    hand: Swing,
}

/// A turn about an axis, by an angle.
struct Swing {
    axis: V3,
    angle: f32,
}

impl Swing {
    /// The shortest from one direction to another.
    fn between(from: V3, to: V3) -> Self {
        let axis = cross(from, to);
        Self { axis: norm(axis), angle: atan2(length(axis), dot(from, to)) }
    }

    fn turned(&self, p: V3, share: f32) -> V3 {
        spun(p, self.axis, self.angle * share)
    }
}

impl Reach {
    fn new([elbow, wrist, knuckles]: [V3; 3], rest: Arms) -> Self {
        let side = elbow[0].signum();
        let along = [norm(sub(wrist, elbow)), norm(sub(knuckles, wrist))];
        let [to, hand] = rest.aims(side);
        let forearm = Swing::between(along[0], norm(to));
        let hand = Swing::between(forearm.turned(along[1], 1.0), norm(hand));
        Self { elbow, wrist, along, forearm, hand }
    }

    fn moved(&self, p: V3, arm: f32) -> V3 {
        let held = ss(0.30, 0.75, arm);
        let bend = ss(-0.34, 0.34, dot(sub(p, self.elbow), self.along[0])) * held;
        if bend <= 0.0 {
            return p;
        }
        let flex = ss(-0.30, 0.30, dot(sub(p, self.wrist), self.along[1])) * held;
        let about = |p: V3| add(self.elbow, self.forearm.turned(sub(p, self.elbow), bend));
        let wrist = add(self.elbow, self.forearm.turned(sub(self.wrist, self.elbow), 1.0));
        add(wrist, self.hand.turned(sub(about(p), wrist), flex))
    }
}

impl Stance {
    /// Turns all of a person but the head.
    pub(crate) fn take(&self, body: &Body, meshes: &mut [Mesh]) {
        let reaches = body.limbs.map(|joints| Reach::new(joints.map(|p| self.limb(body, p, 1.0)), self.rest));
        for mesh in meshes {
            let follows: Vec<f32> = match mesh.stuff {
                Stuff::Skin => mesh.head.iter().map(|&head| ss(0.80, 0.24, head)).collect(),
                Stuff::Cloth(_) => vec![1.0; mesh.points.len()],
                Stuff::Hair | Stuff::Scarf => mesh.points.iter().map(|p| ss(5.9, 4.5, p[1])).collect(),
                _ => continue,
            };
            let limbs = matches!(mesh.stuff, Stuff::Skin | Stuff::Cloth(Piece::Top | Piece::Jacket | Piece::Lapel));
            let arms: Vec<f32> = (0..mesh.points.len()).map(|at| mesh.arm(at)).collect();
            for (at, p) in mesh.points.iter_mut().enumerate() {
                if limbs {
                    let arm = arms[at];
                    let swung = self.limb(body, *p, arm);
                    *p = reaches[usize::from(p[0] < 0.0)].moved(swung, arm);
                }
                *p = self.settled(body.neck, *p, follows[at]);
            }
            if matches!(mesh.stuff, Stuff::Hair) {
                mesh.tangents_from_strands();
            } else {
                mesh.normals = crate::rig::ground::mesh::normals(&mesh.points, &mesh.triangles);
            }
        }
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

    /// An arm swung out from its shoulder.
    fn limb(&self, body: &Body, p: V3, arm: f32) -> V3 {
        let (side, angle) = if p[0] > 0.0 { (1.0, self.arms[0]) } else { (-1.0, self.arms[1]) };
        let angle = angle + self.rest.out();
        let share = ss(0.15, 0.95, arm) * ss(4.9, 3.9, p[1]);
        if share <= 0.0 {
            return p;
        }
        let joint = [side * body.shoulder * 0.80, 4.75, 0.0];
        add(joint, turn(sub(p, joint), 0.0, self.rest.back().to_radians() * share, side * angle.to_radians() * share))
    }
}
