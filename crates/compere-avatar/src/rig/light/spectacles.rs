//! The shadow of glasses: rims are thinner than what the depth maps of lamps know.

use compere_media::{Pixmap, Rect};

use super::studio::KEY;
use crate::rig::body::parts::Mesh;
use crate::rig::ground::camera::Camera;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, add, mul, norm, pow, ss};
use crate::rig::hair::headgear::OUTWARD;

/// How much of the way from the rims it is thrown.
const NEAR: f32 = 0.42;

/// How much of the light of a pane of the room glass reflects, and of all that is around.
const PANE: f32 = 0.20;
const VEIL: f32 = 0.020;
/// And of the ceiling, at its upper edge.
const CEILING: f32 = 0.13;

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

    /// The room in the glass: a slanting pane of light, laid under what a picture of hair and frames shows.
    pub(crate) fn reflect(&self, picture: &mut Pixmap, camera: &Camera) {
        for eye in self.eyes {
            let middle = [eye[0] + eye[0].signum() * OUTWARD, EYE_Y - 0.055, self.front];
            let [x, y, _] = camera.project(middle);
            let unit = camera.project(add(middle, [1.0, 0.0, 0.0]))[0] - x;
            let reach = [0.26 * self.shape[0], 0.21 * self.shape[1]].map(|far| far * unit);
            let around =
                Rect::new((x - reach[0]) as i32, (y - reach[1]) as i32, (x + reach[0]) as i32, (y + reach[1]) as i32);
            let around = around.intersect(picture.bounds());
            for row in around.y0..around.y1 {
                for column in around.x0..around.x1 {
                    let off = [(column as f32 + 0.5 - x) / unit, (y - row as f32 - 0.5) / unit, 0.0];
                    let (far, rim, [across, up]) = self.lens(eye, add(middle, off));
                    let slant = across + 0.55 * up;
                    let pane = ss(-0.86, -0.62, slant) * ss(-0.18, -0.34, slant)
                        + 0.5 * ss(-0.10, -0.02, slant) * ss(0.12, 0.04, slant);
                    let glass = (PANE * pane * ss(-0.9, 0.6, up) + CEILING * ss(0.15, 1.0, up) + VEIL)
                        * ss(0.0, 0.04, rim - far);
                    let pixel = &mut picture.row_mut(row as u32)[column as usize];
                    let left = glass * f32::from(255 - pixel[3]);
                    let light = [0.94, 0.98, 1.0, 1.0].map(|c| (c * left) as u8);
                    pixel.iter_mut().zip(light).for_each(|(c, light)| *c += light);
                }
            }
        }
    }

    /// How far from a rim.
    fn off(&self, eye: V3, p: V3) -> f32 {
        let (far, rim, _) = self.lens(eye, p);
        (far - rim).abs() * 0.21
    }

    /// How far a point is from the middle of a glass, how far the rim is in that direction, and where the point is.
    fn lens(&self, eye: V3, p: V3) -> (f32, f32, [f32; 2]) {
        let [wide, high, round] = self.shape;
        let x = (p[0] - eye[0] - eye[0].signum() * OUTWARD) / (0.235 * wide);
        let y = (p[1] - EYE_Y + 0.055) / (0.185 * high);
        let far = (x * x + y * y).sqrt().max(0.01);
        let (c, s) = (x / far, y / far);
        (far, pow(pow(c.abs(), 4.0) + pow(s.abs(), 4.0), -0.25) * (1.0 - round) + round, [x, y])
    }
}
