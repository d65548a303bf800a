//! From the data's averages to a character: larger eyes under real lids, a smaller nose, a clean jaw, a slim neck.
//!
//! One smooth bending of space, so that skin, eyes, teeth and every expression follow it alike.

use crate::rig::ground::data::Deltas;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, add, interp, length, mul, ss, sub};

/// How far a person leaves the average.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Size of the eyes, 1 as the data has them.
    pub(crate) eyes: f32,
    /// Share of the open eye that the upper lid covers at rest.
    pub(crate) lids: f32,
    pub(crate) nose: f32,
    /// Width of the jaw, of the cheekbones and of the neck.
    pub(crate) jaw: f32,
    pub(crate) cheeks: f32,
    pub(crate) neck: f32,
    /// Size of the mouth, and fullness of the lips.
    pub(crate) mouth: f32,
    /// How far the corners of the mouth are raised, and how much shorter the face is below the eyes.
    pub(crate) smile: f32,
    pub(crate) short: f32,
    /// How far the ears lie towards the head, 0 to 1.
    pub(crate) ears: f32,
    /// How far the chin comes down and forward.
    pub(crate) chin: f32,
}

pub(crate) struct Bend {
    style: Style,
    eyes: [V3; 2],
    neck: V3,
    nose: V3,
    mouth: V3,
}

impl Bend {
    pub(crate) fn new(style: Style, eyes: [V3; 2], neck: V3, skin: &[V3]) -> Self {
        let front = |y: f32| {
            let near = skin.iter().filter(|p| p[0].abs() < 0.12 && (p[1] - y).abs() < 0.06);
            near.map(|p| p[2]).fold(1.0, f32::max)
        };
        let nose = (0..12).map(|at| EYE_Y - 0.30 - at as f32 * 0.03).map(|y| [0.0, y, front(y)]);
        let nose = nose.fold([0.0, EYE_Y - 0.5, 0.0], |best, p| if p[2] > best[2] { p } else { best });
        let mouth = [0.0, nose[1] - 0.33, nose[2] - 0.22];
        Self { style, eyes, neck, nose: [0.0, nose[1], nose[2] - 0.16], mouth }
    }

    pub(crate) fn point(&self, p: V3) -> V3 {
        let style = &self.style;
        let mut out = p;
        for eye in self.eyes {
            let q = sub(p, eye);
            let far = length([q[0] / 1.10, q[1] / 0.92, q[2] / 1.25]);
            out = add(out, mul(q, (style.eyes - 1.0) * ss(0.46, 0.15, far)));
        }
        let q = sub(p, self.nose);
        let far = length([q[0] / 0.95, q[1] / if q[1] > 0.0 { 1.4 } else { 0.62 }, q[2]]);
        out = add(out, mul([q[0], q[1], q[2] * 0.8], (style.nose - 1.0) * ss(0.42, 0.12, far)));
        let q = sub(p, self.mouth);
        let far = length([q[0] / 1.25, q[1], q[2]]);
        out = add(out, mul([q[0], q[1] * 0.9, q[2] * 0.3], (style.mouth - 1.0) * ss(0.52, 0.18, far)));
        // The corners of the mouth.
        let corner = length([(p[0].abs() - 0.25) / 1.2, q[1], (q[2] + 0.12) * 0.7]);
        out[1] += style.smile * ss(0.22, 0.02, corner);
        // Jaw and cheeks by height; far back the head keeps its width.
        let front = ss(-0.35, 0.45, p[2]);
        let low = interp(p[1], &[(5.30, 0.0), (5.55, 1.0), (5.95, 0.75), (6.30, 0.25), (6.55, 0.0)]);
        let middle = interp(p[1], &[(5.95, 0.0), (6.30, 1.0), (6.60, 0.6), (6.95, 0.0)]);
        out[0] += p[0] * front * ((style.jaw - 1.0) * low + (style.cheeks - 1.0) * middle);
        let chin = ss(0.55, 0.10, length([p[0] * 0.9, p[1] - 5.50, (p[2] - 1.1) * 0.8]));
        out = add(out, [0.0, -0.10 * style.chin * chin, 0.08 * style.chin * chin]);
        out[1] += style.short * interp(p[1], &[(4.85, 0.0), (5.45, 1.0), (5.75, 0.78), (6.15, 0.42), (6.80, 0.0)]);
        // The neck, about its own axis; it leans a little forward under the head.
        let slim = interp(p[1], &[(4.75, 0.0), (5.15, 1.0), (5.50, 1.0), (5.75, 0.35), (5.95, 0.0)]);
        let slim = slim * ss(0.85, 0.62, length([p[0], 0.0, p[2] - self.neck[2] - 0.1]));
        out[0] += p[0] * (style.neck - 1.0) * slim;
        out[2] += (p[2] - self.neck[2]) * (style.neck - 1.0) * 0.6 * slim;
        out
    }

    /// An expression of the bent face.
    pub(crate) fn deltas(&self, unbent: &[V3], bent: &[V3], deltas: &mut Deltas) {
        // A vertex may be named twice, by the left and the right half: each share is bent by itself.
        for (v, d) in deltas {
            let from = unbent[*v as usize];
            *d = sub(self.point(add(from, *d)), bent[*v as usize]);
        }
    }
}
