//! Where figures are seen from.

use super::v3::V3;
use crate::keep::keep;

/// A pin-hole camera in front of the figure, in pixels of the plate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    pub(crate) unit: f32,
    /// Where the figure's axis is.
    pub(crate) middle: f32,
    /// Model height of the upper edge, on the plane of sharp scale.
    pub(crate) top: f32,
}

keep!(Camera { unit, middle, top });

/// The plane on which one model unit is exactly `unit` pixels, and the camera's distance from it.
const PLANE: f32 = 0.6;
const DISTANCE: f32 = 17.0;
const HEIGHT: f32 = 6.2;
/// How far below the level of eyes the lens is, in radians, seen from them.
pub(crate) const LENS: f32 = 0.085;

impl Camera {
    /// Pixel position and distance from the camera.
    pub(crate) fn project(&self, p: V3) -> V3 {
        let z = PLANE + DISTANCE - p[2];
        let s = self.unit * DISTANCE / z;
        [self.middle + p[0] * s, (self.top - HEIGHT) * self.unit - (p[1] - HEIGHT) * s, z]
    }

    pub(crate) fn eye() -> V3 {
        [0.0, HEIGHT, PLANE + DISTANCE]
    }

    pub(crate) fn finer(&self, times: f32) -> Self {
        Self { unit: self.unit * times, middle: self.middle * times, top: self.top }
    }
}
