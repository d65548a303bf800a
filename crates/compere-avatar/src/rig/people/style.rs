//! From the data's averages to a character: larger eyes under real lids, a smaller nose, a clean jaw, a slim neck.
//!
//! One smooth bending of space, so that skin, eyes, teeth and every expression follow it alike.

use crate::rig::ground::data::Deltas;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, add, interp, length, mul, ss, sub, turn};

/// How far a person leaves the average.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Size of the eyes, 1 as the data has them.
    pub(crate) eyes: f32,
    /// Share of the iris that the upper lid covers at rest.
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
    /// How much shorter it is below the eyes when all else is done (`body/middle.rs`).
    pub(crate) middle: f32,
    /// How much of what lifts corners of the mouth in a smile is kept: more where lips are straight.
    pub(crate) curl: f32,
    /// How far the ears lie towards the head, 0 to 1.
    pub(crate) ears: f32,
    /// How far the chin comes down and forward.
    pub(crate) chin: f32,
    /// How far what is wider than an oval below the cheekbones is drawn in to one, 0 to 1.
    pub(crate) oval: f32,
    /// How much narrower the whole head is, by share of its width: the data's heads are as wide as dolls'.
    pub(crate) slim: f32,
    /// How much lower the head is above the brows, by share of what is there.
    pub(crate) crown: f32,
    pub(crate) planes: Planes,
}

/// What a sculptor does to a face besides: planes pushed and pulled, in model units, and factors about 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    /// How far the bridge of the nose stands out, and how much wider its tip and its wings are.
    pub(crate) bridge: f32,
    pub(crate) tip: f32,
    pub(crate) wings: f32,
    /// Brow ridge, cheekbones, the hollow below them, corners of the jaw: how far out.
    pub(crate) ridge: f32,
    pub(crate) bones: f32,
    pub(crate) hollow: f32,
    pub(crate) corner: f32,
    /// How much wider the chin is.
    pub(crate) chin: f32,
    /// How much higher lids open, and how far their outer corners are turned up, in degrees.
    pub(crate) open: f32,
    pub(crate) slant: f32,
    /// How much the left side differs from the right.
    pub(crate) askew: f32,
}

/// How much of the taper a face has, by height: most at the chin, none above the nose.
const TAPER: [(f32, f32); 6] = [(5.10, 0.0), (5.45, 1.0), (5.75, 1.0), (6.05, 0.78), (6.35, 0.30), (6.60, 0.0)];

/// How much eyes, nose and mouth together are larger than the face that they are in: small ones are lost in it.
const FEATURES: f32 = 0.04;

/// Where foreheads begin.
const BROWS: f32 = EYE_Y + 0.30;

pub(crate) struct Bend {
    style: Style,
    /// How much narrower the face is below than the data's, as drawn characters' are.
    taper: f32,
    male: f32,
    eyes: [V3; 2],
    neck: V3,
    nose: V3,
    mouth: V3,
}

impl Bend {
    pub(crate) fn new(style: Style, male: f32, eyes: [V3; 2], neck: V3, skin: &[V3]) -> Self {
        let taper = 0.17 - 0.09 * male;
        let front = |y: f32| {
            let near = skin.iter().filter(|p| p[0].abs() < 0.12 && (p[1] - y).abs() < 0.06);
            near.map(|p| p[2]).fold(1.0, f32::max)
        };
        let nose = (0..12).map(|at| EYE_Y - 0.30 - at as f32 * 0.03).map(|y| [0.0, y, front(y)]);
        let nose = nose.fold([0.0, EYE_Y - 0.5, 0.0], |best, p| if p[2] > best[2] { p } else { best });
        let mouth = [0.0, nose[1] - 0.33, nose[2] - 0.22];
        Self { style, taper, male, eyes, neck, nose: [0.0, nose[1], nose[2] - 0.16], mouth }
    }

    pub(crate) fn point(&self, p: V3) -> V3 {
        let style = &self.style;
        let mut out = p;
        for eye in self.eyes {
            let q = sub(p, eye);
            let far = length([q[0] / 1.10, q[1] / 0.92, q[2] / 1.25]);
            out = add(out, mul(q, (style.eyes - 1.0) * ss(0.56, 0.13, far)));
        }
        let q = sub(p, self.nose);
        let far = length([q[0] / 0.95, q[1] / if q[1] > 0.0 { 1.4 } else { 0.62 }, q[2]]);
        out = add(out, mul([q[0], q[1], q[2] * 0.8], (style.nose - 1.0) * ss(0.42, 0.12, far)));
        let q = sub(p, self.mouth);
        let far = length([q[0] / 1.25, q[1], q[2]]);
        out = add(out, mul([q[0], q[1] * 0.9, q[2] * 0.3], (style.mouth - 1.0) * ss(0.52, 0.18, far)));
        // The data's mouths are wide for faces that smile most of the time.
        out[0] -= 0.01 * q[0] * ss(0.52, 0.18, far);
        // The corners of the mouth.
        let corner = length([(p[0].abs() - 0.25) / 1.2, q[1], (q[2] + 0.12) * 0.7]);
        // Lips rise in one bow: what lifts their ends alone is a hook.
        out[1] += 1.10 * style.smile * ss(0.34, 0.0, corner);
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
        // A face tapers, the neck that carries it goes on up to the ears.
        out[0] -= p[0] * self.taper * ss(-0.55, 0.15, p[2]) * interp(p[1], &TAPER) * (1.0 - 0.7 * slim);
        // Behind the jaw it does not stand out beside it, or it would begin in a corner at the height of the mouth.
        let nape = interp(p[1], &[(5.20, 0.0), (5.50, 1.0), (6.12, 1.0), (6.38, 0.0)]) * ss(0.62, 0.30, p[2]);
        out[0] -= p[0] * (0.13 - 0.07 * self.male) * nape;
        // Slim necks under heads this large are stalks.
        let neck = style.neck * 1.05;
        out[0] += p[0] * (neck - 1.0) * slim;
        out[2] += (p[2] - self.neck[2]) * (neck - 1.0) * 0.6 * slim;
        self.lowered(self.drawn_in(p, self.lids(self.planes(p, out))))
    }

    /// The data's foreheads are as tall as they are measured; of who wears hair over one they look like a wall.
    fn lowered(&self, mut out: V3) -> V3 {
        let over = (out[1] - BROWS).max(0.0);
        out[1] -= self.style.crown * over * over / (over + 0.12);
        out
    }

    /// A narrower head, in which the features keep their size.
    fn drawn_in(&self, p: V3, mut out: V3) -> V3 {
        out[0] *= 1.0 - self.style.slim * ss(5.15, 5.75, p[1]);
        let q = [out[0], out[1] - EYE_Y + 0.30];
        let face = ss(1.0, 0.45, length([q[0] / 0.62, q[1] / 0.78, 0.0])) * ss(0.5, 0.95, out[2]);
        add(out, mul([q[0], q[1], 0.0], FEATURES * face))
    }

    /// Pushed and pulled as a sculptor would: `p` says where, `out` is what moves.
    fn planes(&self, p: V3, mut out: V3) -> V3 {
        let planes = &self.style.planes;
        let side = p[0].signum();
        let near = |at: V3, size: V3| {
            let far = length(std::array::from_fn(|k| ((if k == 0 { p[0].abs() } else { p[k] }) - at[k]) / size[k]));
            ss(1.0, 0.0, far)
        };
        let nose = self.nose;
        let bridge = near([0.0, nose[1] + 0.30, nose[2] - 0.06], [0.15, 0.34, 0.42]);
        out[2] += planes.bridge * bridge;
        out[0] -= p[0] * 0.8 * planes.bridge.max(0.0) * bridge;
        let tip = near([0.0, nose[1] + 0.01, nose[2] + 0.14], [0.19, 0.19, 0.24]);
        out = add(out, mul([p[0], p[1] - nose[1] - 0.01, (p[2] - nose[2] - 0.06) * 0.6], (planes.tip - 1.0) * tip));
        let wings = near([0.10, nose[1] - 0.04, nose[2] - 0.03], [0.17, 0.16, 0.24]);
        out[0] += p[0] * (planes.wings - 1.0) * wings;
        let ridge = near([0.26, EYE_Y + 0.20, self.eyes[0][2] + 0.22], [0.42, 0.17, 0.36]);
        out[2] += planes.ridge * ridge;
        let bones = near([0.50, EYE_Y - 0.36, 0.86], [0.46, 0.40, 0.56]);
        out = add(out, mul([side * 0.75, 0.05, 0.60], planes.bones * bones));
        let hollow = near([0.52, EYE_Y - 0.72, 0.72], [0.40, 0.40, 0.56]);
        out = add(out, mul([side * 0.8, 0.0, 0.4], planes.hollow * hollow));
        // From cheekbone to jaw the data falls in: a mask before a neck. Ears stay where they are.
        let flank = near([0.60, EYE_Y - 0.50, 0.45], [0.40, 0.44, 0.60]) * ss(0.05, 0.30, p[2]);
        out[0] += side * 0.05 * flank;
        let corner = near([0.56, EYE_Y - 0.95, 0.42], [0.40, 0.42, 0.62]);
        out = add(out, [side * planes.corner * corner, -0.35 * planes.corner * corner, 0.0]);
        let chin = near([0.0, EYE_Y - 1.27, 1.05], [0.42, 0.30, 0.50]);
        out[0] += p[0] * (planes.chin - 1.0) * chin;
        // Nobody's halves are alike: one corner of the mouth and one brow are higher, the nose leans.
        let front = ss(0.2, 0.9, p[2]);
        let half = (p[0] * 2.2).clamp(-1.0, 1.0) * planes.askew * front;
        out[1] +=
            half * interp(p[1], &[(5.5, 0.0), (6.1, 0.020), (6.45, 0.0), (6.8, 0.004), (7.05, 0.024), (7.3, 0.0)]);
        out[0] += planes.askew * front * interp(p[1], &[(5.4, -0.014), (6.2, 0.010), (6.55, 0.004), (6.8, 0.0)]);
        out
    }

    /// Lids slide over the ball of the eye: higher, and turned.
    fn lids(&self, out: V3) -> V3 {
        let Planes { open, slant, .. } = self.style.planes;
        // Everyone's: what looks awake on a face looks asleep on a character.
        let open = open + 0.32;
        let size = self.style.eyes;
        let mut out = out;
        for eye in self.eyes {
            let q = sub(out, eye);
            let w = ss(0.27, 0.14, length([q[0] / 1.30, q[1], q[2] / 1.3]) / size.max(0.5));
            if w <= 0.0 {
                continue;
            }
            let turned = turn(q, 0.0, 0.0, (slant * eye[0].signum()).to_radians() * w);
            // What opens wider opens upwards: white below the iris looks tired.
            let up = 0.045 * (open - 1.0) * w;
            let high = [turned[0], turned[1] * (1.0 + (open - 1.0) * w) + up, turned[2]];
            out = add(eye, mul(high, length(q) / length(high).max(1e-6)));
        }
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
