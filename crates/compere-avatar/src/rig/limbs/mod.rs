//! Arms that move: cut off the body with their sleeves, bent by bones, lit and painted anew for every pose.
//!
//! Light is that of the studio: a table by direction for all of it but the key, whose shadows are found in a depth map
//! from where it stands, so that arms shade the chest, each other, and fingers the palm.

mod board;
mod bones;
mod cut;
mod figure;
mod fill;
mod front;
mod hems;
mod knuckles;
mod paint;
mod pose;
mod shadow;
mod thin;
mod weave;

pub(crate) use bones::Bones;
pub(crate) use cut::cut;
pub(crate) use figure::Figure;

use compere_media::{Pixmap, Rect};

use crate::act::Arms;
use crate::keep::{Keep, keep};
use crate::puppet::{Field, Limbs};
use crate::rig::ground::camera::Camera;
use crate::rig::ground::v3::V3;
use crate::rig::light::dome::Dome;
use front::Front;
use shadow::Ground;

/// What a point of an arm is of.
pub(crate) const CLOTH: u8 = 0;
pub(crate) const SKIN: u8 = 1;
pub(crate) const NAIL: u8 = 2;

/// A point of an arm that hangs down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) at: V3,
    pub(crate) normal: V3,
    pub(crate) color: V3,
    /// How much of the sky reaches it past the arm itself.
    pub(crate) open: f32,
    /// The light on it as part of the body, and how far that holds.
    pub(crate) baked: V3,
    pub(crate) seam: f32,
    /// How much nearer than it is it counts, where arm and body lie at one place.
    pub(crate) lift: f32,
    /// What the body's plate shows of it, and how far that holds.
    pub(crate) plate: V3,
    pub(crate) fits: f32,
    /// Where on the weave it lies.
    pub(crate) weave: [f32; 2],
    pub(crate) stuff: u8,
    /// 1 near the end of a sleeve, where its inside shows.
    pub(crate) ends: u8,
    /// How far it goes with shoulder, elbow, the twist of the forearm and wrist, in steps of [`STEPS`].
    pub(crate) moves: [u8; 4],
    /// Which finger it is of, if any, and how far it goes with each bone of it.
    pub(crate) finger: u8,
    pub(crate) parts: [u8; 3],
}

impl Point {
    /// One that is no part of the body that was lit, and goes with no joint.
    fn apart(at: V3, normal: V3, color: V3, stuff: u8) -> Self {
        Self {
            at,
            normal,
            color,
            open: 1.0,
            baked: [0.0; 3],
            seam: 0.0,
            lift: 0.0,
            plate: [0.0; 3],
            fits: 0.0,
            weave: [0.0; 2],
            stuff,
            ends: 0,
            moves: [0; 4],
            finger: NO_FINGER,
            parts: [0; 3],
        }
    }
}

keep!(Point { at, normal, color, open, baked, seam, lift, plate, fits, weave, stuff, ends, moves, finger, parts });

pub(crate) const STEPS: usize = 32;
pub(crate) const NO_FINGER: u8 = 255;

/// One arm.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) bones: Bones,
    pub(crate) points: Vec<Point>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Triangles from here on are of what the hand may hold.
    pub(crate) held: u32,
}

keep!(Side { bones, points, triangles, held });

/// How the body stands: what the chest does to the three axes, about the neck, and how large it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chest {
    pub(crate) axes: [V3; 3],
    pub(crate) neck: V3,
    pub(crate) size: f32,
}

keep!(Chest { axes, neck, size });

impl Chest {
    fn direction(&self, v: V3) -> V3 {
        std::array::from_fn(|k| self.axes[0][k] * v[0] + self.axes[1][k] * v[1] + self.axes[2][k] * v[2])
    }

    fn point(&self, p: V3) -> V3 {
        let off = self.direction(std::array::from_fn(|k| p[k] - self.neck[k]));
        std::array::from_fn(|k| self.neck[k] + self.size * off[k])
    }
}

/// Both arms of a lit presenter.
pub(crate) struct Sleeves {
    /// At the picture's left first.
    pub(crate) sides: [Side; 2],
    pub(crate) chest: Chest,
    pub(crate) camera: Camera,
    pub(crate) size: [u32; 2],
    pub(crate) dome: Dome,
    pub(crate) ground: Ground,
    pub(crate) front: Front,
    /// What cloth is finer than its points: brightness with 128 as it is, a square of [`WEAVE`].
    pub(crate) weave: Vec<u8>,
    /// How much cloth gleams at its edges.
    pub(crate) sheen: f32,
    /// Half the width over the shoulders.
    pub(crate) half: f32,
}

pub(crate) use compere_media::kernel::WEAVE;

keep!(Sleeves { sides, chest, camera, size, dome, ground, front, weave, sheen, half });

impl Limbs for Sleeves {
    fn field(&self) -> Option<&Field> {
        None
    }

    fn paint(&self, arms: &Arms) -> (Pixmap, Rect) {
        self.painted(arms)
    }

    fn keep(&self, out: &mut Vec<u8>) {
        self.put(out);
    }
}
