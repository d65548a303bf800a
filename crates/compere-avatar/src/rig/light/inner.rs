//! Eyes, teeth and tongue: what opens and shuts, lit where it is painted.

use super::shade::{Shader, Spot};
use super::teeth::{catchlight, eye_light};
use crate::rig::body::blink::IRIS;
use crate::rig::ground::camera::Camera;
use crate::rig::ground::v3::{V3, acos, add, atan2, cos, fbm, mix, mul, mulv, noise, norm, sin, ss, sub, turn};

/// How much of the iris that lids are set by is seen: all of it leaves too little white in eyes this large.
const SEEN: f32 = 0.95;

impl Shader<'_> {
    /// `gaze` turns what is seen on the ball, not the ball. Reflections may be left to the caller.
    pub(crate) fn eye(&self, spot: &Spot<'_>, gaze: [f32; 2], reflect: bool) -> V3 {
        let known = spot.mesh.eye();
        let d = turn(norm(spot.place(known, |t| t.direction)), -gaze[0], gaze[1], 0.0);
        let color = self.iris(d, spot.number(known, |t| t.side));
        let open = spot.scalar(&spot.mesh.open);
        let radius = spot.number(known, |t| t.radius);
        let y = (spot.point()[1] - spot.number(known, |t| t.height)) / radius;
        let n = spot.normal();
        let c = mulv(color, eye_light(y, n));
        let v = norm(sub(Camera::eye(), spot.point()));
        if reflect { add(c, mul([1.0, 0.98, 0.96], catchlight(n, v) * (0.35 + 0.65 * open))) } else { c }
    }

    /// The eyeball's own colour in a direction from its centre.
    pub(crate) fn iris(&self, d: V3, hand: f32) -> V3 {
        let look = self.look;
        let angle = acos(d[2].clamp(-1.0, 1.0));
        let around = atan2(d[1], d[0]);
        let t = angle / (SEEN * IRIS);
        let veins = fbm([around * 6.0, angle * 14.0, hand * 7.0], 3);
        let mut a = mulv([0.66, 0.645, 0.64], mix([1.0; 3], [0.96, 0.80, 0.77], ss(0.9, 1.5, angle) * (0.5 + veins)));
        // The ball is round: it darkens and warms towards the corners.
        a = mulv(a, mix([1.0; 3], [0.82, 0.73, 0.70], ss(0.50, 1.0, angle)));
        let (c, s) = (cos(around), sin(around));
        let fibre = noise([c * 9.0 + hand * 9.0, s * 9.0, t * 1.2]) * 0.5 + noise([c * 22.0, s * 22.0, t * 1.2]) * 0.5;
        let mut iris = mul(look.iris, 0.34 + 1.30 * fibre);
        iris = mix(iris, mulv(look.iris, [1.7, 1.3, 0.8]), ss(0.64, 0.38, t) * 0.55);
        // Light that enters at one side gathers at the other, as in a lens.
        let gathered = ss(0.25, -0.75, s - 0.45 * c) * ss(1.0, 0.72, t) * ss(0.30, 0.50, t);
        iris = mul(iris, 1.0 + 1.35 * gathered);
        iris = mul(iris, 1.0 - 0.78 * ss(0.68, 0.98, t));
        iris = mix(iris, [0.006; 3], ss(0.37, 0.29, t));
        a = mix(a, iris, ss(1.07, 0.91, t));
        a
    }
}
