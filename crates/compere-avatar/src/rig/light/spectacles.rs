//! The shadow of glasses: rims are thinner than what the depth maps of lamps know.

use super::studio::KEY;
use crate::rig::body::parts::Mesh;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, add, mul, norm, pow, ss};

/// How much of the way from the rims it is thrown.
const NEAR: f32 = 0.30;

/// Where rims are.
pub(crate) struct Spectacles {
    eyes: [V3; 2],
    /// Of a width and a height against the usual, and how round they are.
    shape: [f32; 3],
    /// How far out of the face they stand at its middle.
    front: f32,
}

impl Spectacles {
    pub(crate) fn new(eyes: [V3; 2], shape: [f32; 3], frame: &Mesh) -> Self {
        Self { eyes, shape, front: frame.points.iter().map(|p| p[2]).fold(0.0, f32::max) - 0.02 }
    }

    /// How much of the key the rims keep from a point of the face.
    pub(crate) fn hide(&self, p: V3) -> f32 {
        let key = norm(KEY);
        let away = self.front - 0.126 * (p[0] / 0.55) * (p[0] / 0.55) - p[2];
        if away < 0.0 {
            return 0.0;
        }
        // As far down as the lamp throws it, it would be drawn over nose and cheeks, and nobody would know of what.
        let there = add(p, mul(key, NEAR * away / key[2]));
        let soft = 0.020 + 0.06 * away;
        self.eyes.iter().map(|eye| ss(0.012 + soft, 0.004, self.off(*eye, there))).fold(0.0, f32::max)
    }

    /// How far from a rim.
    fn off(&self, eye: V3, p: V3) -> f32 {
        let [wide, high, round] = self.shape;
        let x = (p[0] - eye[0] - eye[0].signum() * 0.012) / (0.235 * wide);
        let y = (p[1] - EYE_Y + 0.055) / (0.185 * high);
        let far = (x * x + y * y).sqrt().max(0.01);
        let (c, s) = (x / far, y / far);
        let rim = pow(pow(c.abs(), 4.0) + pow(s.abs(), 4.0), -0.25) * (1.0 - round) + round;
        (far - rim).abs() * 0.21
    }
}
