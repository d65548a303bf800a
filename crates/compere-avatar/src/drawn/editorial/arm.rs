//! Arms in space: two bones that reach where a pose wants the wrist, in sleeves, with a hand at the end.

use super::hand::{self, Hand};
use super::hull::{Hulls, Round, lit};
use super::knots::ribbon;
use super::person::{Build, Person, Sleeve, Tone};
use crate::act::{Arm, Arms, Reach};
use crate::drawn::brush::{Brush, mixed};
use crate::maths::smooth;
use compere_media::math;

type V3 = [f32; 3];

/// Height of the shoulders.
const SHOULDER: f32 = 4.58;
/// Shares of the arm above and below the elbow.
const UPPER: f32 = 0.52;
const FORE: f32 = 0.48;

/// Both arms of a pose, from the farthest to the nearest, and what they carry.
pub(super) struct Limbs {
    arms: [Limb; 2],
    tablet: Option<[V3; 4]>,
}

struct Limb {
    side: f32,
    shoulder: V3,
    elbow: V3,
    wrist: V3,
    hand: Hand,
    reach: Reach,
    /// Thickness against the usual.
    thick: f32,
}

fn minus(a: V3, b: V3) -> V3 {
    std::array::from_fn(|k| a[k] - b[k])
}

fn plus(a: V3, b: V3, by: f32) -> V3 {
    std::array::from_fn(|k| a[k] + b[k] * by)
}

fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(v: V3) -> f32 {
    dot(v, v).sqrt()
}

impl Limb {
    fn new(build: &Build, arm: &Arm, side: f32) -> Self {
        let reach = arm.reach();
        let (all, half) = (build.reach, build.shoulder);
        let shoulder = [side * half * 0.965, SHOULDER, 0.0];
        let [share, out, up, forward] = reach.wrist;
        let wanted = [side * (share * half + out * all), SHOULDER + up * all, forward * all];
        let way = minus(wanted, shoulder);
        let far = length(way).clamp(0.25 * all, 0.998 * all);
        let axis = crate::act::unit(way);
        let wrist = plus(shoulder, axis, far);
        // The elbow lies beside the line from shoulder to wrist: below it, behind it, and away from the body.
        let (upper, fore) = (UPPER * all, FORE * all);
        let along = (far * far + upper * upper - fore * fore) / (2.0 * far);
        let beside = (upper * upper - along * along).max(0.0).sqrt();
        let (c, s) = (math::cosf(reach.swivel), math::sinf(reach.swivel));
        let hint = [side * s, -c, -0.45];
        let hint = crate::act::unit(plus(hint, axis, -dot(hint, axis)));
        let elbow = plus(plus(shoulder, axis, along), hint, beside);
        let hand = Hand::new(&reach, wrist, side, build.hand);
        Self { side, shoulder, elbow, wrist, hand, reach, thick: build.arm / 0.48 }
    }

    /// A place between shoulder and elbow (0 to 1) or elbow and wrist (1 to 2).
    fn at(&self, t: f32) -> V3 {
        let (a, b, t) = if t < 1.0 { (self.shoulder, self.elbow, t) } else { (self.elbow, self.wrist, t - 1.0) };
        plus(a, minus(b, a), t)
    }

    fn rounds(&self, places: &[(f32, f32)]) -> Vec<Round> {
        let round = |&(t, r): &(f32, f32)| {
            let p = self.at(t);
            [p[0], p[1], r * self.thick * (1.0 + 0.03 * p[2])]
        };
        places.iter().map(round).collect()
    }

    fn upper(&self) -> Vec<Round> {
        self.rounds(&[(0.0, 0.325), (0.28, 0.295), (0.62, 0.258), (1.0, 0.232)])
    }

    fn fore(&self) -> Vec<Round> {
        self.rounds(&[(1.0, 0.232), (1.30, 0.238), (1.66, 0.205), (1.955, 0.182)])
    }

    fn bare_upper(&self) -> Vec<Round> {
        self.rounds(&[(0.35, 0.225), (0.65, 0.205), (1.0, 0.180)])
    }

    fn bare_fore(&self) -> Vec<Round> {
        self.rounds(&[(1.0, 0.180), (1.28, 0.188), (1.62, 0.150), (1.96, 0.112), (2.02, 0.112)])
    }
}

impl Limbs {
    pub(super) fn new(build: &Build, arms: &Arms) -> Self {
        let [left, right] = [0, 1].map(|k| Limb::new(build, &arms.sides[k], if k == 0 { -1.0 } else { 1.0 }));
        let tablet = arms.tablet.then(|| left.hand.sheet(1.72, 1.24));
        // What it is held with lies before it.
        let arms = if arms.tablet || left.wrist[2] > right.wrist[2] + 0.02 { [right, left] } else { [left, right] };
        Self { arms, tablet }
    }

    /// Around everything, in model units: x0, y0, x1, y1.
    pub(super) fn bounds(&self) -> [f32; 4] {
        let mut around = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
        let mut add = |p: V3, by: f32| {
            around = [
                around[0].min(p[0] - by),
                around[1].min(p[1] - by),
                around[2].max(p[0] + by),
                around[3].max(p[1] + by),
            ];
        };
        for arm in &self.arms {
            for joint in [arm.shoulder, arm.elbow, arm.wrist] {
                add(joint, 0.62);
            }
            add(arm.hand.tip(), 0.70);
        }
        self.tablet.iter().flatten().for_each(|&corner| add(corner, 0.3));
        around
    }

    /// What arms and hands hide from the light, for the cloth behind them.
    pub(super) fn shadow(&self, brush: &mut Brush<'_>, sleeve: &Sleeve) {
        let moved = |chain: &[Round]| -> Vec<Round> {
            chain.iter().map(|&[x, y, r]| [x + 0.055, y - 0.085, r + 0.02]).collect()
        };
        for arm in &self.arms {
            let mut hulls = Hulls::default();
            for chain in arm.chains(sleeve) {
                hulls = hulls.along(&moved(&chain));
            }
            let [palm, fingers @ ..] = &hand::chains(&arm.hand, &arm.reach)[..] else { continue };
            hulls = hulls.around(&moved(palm));
            for finger in fingers {
                hulls = hulls.along(&moved(finger));
            }
            if let Some(path) = hulls.path() {
                brush.fill(&path, [38, 22, 36], 0.20);
            }
        }
    }

    pub(super) fn paint(&self, brush: &mut Brush<'_>, person: &Person, sleeve: &Sleeve) {
        for (n, arm) in self.arms.iter().enumerate() {
            if n == 1
                && let Some(corners) = &self.tablet
            {
                tablet(brush, corners);
            }
            arm.paint(brush, person, sleeve);
        }
    }
}

impl Limb {
    /// Upper arm and forearm as they are dressed.
    fn chains(&self, sleeve: &Sleeve) -> Vec<Vec<Round>> {
        if sleeve.short {
            vec![self.rounds(&SHORT), self.bare_upper(), self.bare_fore()]
        } else {
            vec![self.upper(), self.fore()]
        }
    }

    fn paint(&self, brush: &mut Brush<'_>, person: &Person, sleeve: &Sleeve) {
        let skin = &person.skin;
        // A hand that points at the viewer hides its wrist; otherwise the cuff lies over it.
        let before = self.hand.towards_viewer() > 0.30;
        if sleeve.short {
            limb(brush, &self.bare_upper(), &skin.tone, skin.deep);
            self.sleeve_end(brush, 0.50);
            self.shouldered(brush, &self.rounds(&SHORT), &sleeve.cloth);
            self.bent(brush, &self.bare_fore(), &skin.tone, skin.deep);
            self.inside(brush, skin.deep, 0.5);
            hand::paint(brush, skin, &self.hand, &self.reach);
            return;
        }
        self.shouldered(brush, &self.upper(), &sleeve.cloth);
        if !before {
            hand::paint(brush, skin, &self.hand, &self.reach);
        }
        if let Some(cuff) = &sleeve.cuff {
            limb(brush, &self.rounds(&[(1.90, 0.158), (2.035, 0.150)]), cuff, cuff.shade);
        }
        self.bent(brush, &self.fore(), &sleeve.cloth, dark(&sleeve.cloth));
        self.hem(brush, sleeve);
        self.inside(brush, dark(&sleeve.cloth), 0.8);
        if before {
            hand::paint(brush, skin, &self.hand, &self.reach);
        }
    }

    /// 0 for a straight arm, 1 for one folded back on itself.
    fn bend(&self) -> f32 {
        let (u, f) = (minus(self.shoulder, self.elbow), minus(self.wrist, self.elbow));
        0.5 + 0.5 * dot(u, f) / (length(u) * length(f)).max(1e-3)
    }

    /// A forearm: an edge at the elbow only where it lies on the upper arm.
    fn bent(&self, brush: &mut Brush<'_>, chain: &[Round], tone: &Tone, edge: [u8; 3]) {
        let sharp = smooth(0.10, 0.45, self.bend());
        let grow = |chain: &[Round]| -> Vec<Round> { chain.iter().map(|&[x, y, r]| [x, y, r + 0.010]).collect() };
        for (part, alpha) in [(&chain[1..], 0.42 * (1.0 - sharp)), (chain, 0.42 * sharp)] {
            if let Some(outer) = Hulls::default().along(&grow(part)).path() {
                brush.fill(&outer, edge, alpha);
            }
        }
        if let Some(all) = Hulls::default().along(chain).path() {
            brush.fill(&all, tone.shade, 1.0);
        }
        if let Some(light) = Hulls::default().along(&lit(chain, 0.72)).path() {
            brush.fill(&light, tone.base, 1.0);
        }
    }

    /// An upper arm that grows out of the shoulder: light and shadow part only below it.
    fn shouldered(&self, brush: &mut Brush<'_>, chain: &[Round], cloth: &Tone) {
        let Some(all) = Hulls::default().along(chain).path() else { return };
        let edge: Vec<Round> = chain[1..].iter().map(|&[x, y, r]| [x, y, r + 0.010]).collect();
        if let Some(outer) = Hulls::default().along(&edge).path() {
            brush.fill(&outer, dark(cloth), 0.42);
        }
        let mut light = lit(chain, 0.72);
        // All of the shoulder is in the light, on the light's side.
        light[0] =
            if self.side < 0.0 { chain[0] } else { [chain[0][0] - 0.13, chain[0][1] + 0.02, chain[0][2] * 0.78] };
        brush.within(&all, |brush| {
            brush.fill(&all, cloth.shade, 1.0);
            if let Some(light) = Hulls::default().along(&light).path() {
                brush.fill(&light, cloth.base, 1.0);
            }
        });
        // The seam in front of the armpit.
        let low = self.at(0.34);
        let inner = [low[0] - self.side * 0.24 * self.thick, low[1] + 0.05];
        let seam = [
            [self.shoulder[0] - self.side * 0.26, self.shoulder[1] + 0.24, 0.0],
            [self.shoulder[0] - self.side * 0.30, self.shoulder[1] - 0.04, 0.010],
            [
                inner[0] * 0.5 + (self.shoulder[0] - self.side * 0.30) * 0.5,
                (inner[1] + self.shoulder[1]) * 0.5 - 0.04,
                0.014,
            ],
            [inner[0], inner[1], 0.004],
        ];
        brush.fill(&ribbon(&seam), dark(cloth), 0.75);
    }

    /// The shadow that a short sleeve throws on the arm.
    fn sleeve_end(&self, brush: &mut Brush<'_>, at: f32) {
        let ends = self.rounds(&[(at + 0.02, 0.262), (at + 0.075, 0.222)]);
        if let (Some(arm), Some(shade)) =
            (Hulls::default().along(&self.bare_upper()).path(), Hulls::default().along(&ends).path())
        {
            brush.within(&arm, |brush| brush.fill(&shade, [70, 30, 30], 0.22));
        }
    }

    /// Where a sleeve ends at the wrist: a line around it, and a rib for knits.
    fn hem(&self, brush: &mut Brush<'_>, sleeve: &Sleeve) {
        let (a, b) = (self.at(1.86), self.at(1.90));
        let way = crate::act::unit([b[0] - a[0], b[1] - a[1], 0.0]);
        let seen = length([b[0] - a[0], b[1] - a[1], 0.0]) / (0.04 * FORE * 4.3);
        if seen < 0.25 {
            return;
        }
        let wide = 0.168 * self.thick;
        let across = |p: V3, t: f32, w: f32| [p[0] - way[1] * wide * t, p[1] + way[0] * wide * t, w];
        let bow = |t: f32| plus(a, way, 0.030 * (1.0 - t * t));
        let line = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|t| across(bow(t), t, if t.abs() < 0.9 { 0.009 } else { 0.004 }));
        brush.fill(&ribbon(&line), dark(&sleeve.cloth), 0.75);
    }

    /// Folds on the inner side of a bent elbow; two faint ones of a hanging arm.
    fn inside(&self, brush: &mut Brush<'_>, color: [u8; 3], alpha: f32) {
        let (u, f) = (minus(self.shoulder, self.elbow), minus(self.wrist, self.elbow));
        let flat = |v: V3| crate::act::unit([v[0], v[1], 0.0]);
        let (u, f) = (flat(u), flat(f));
        let inner = crate::act::unit([u[0] + f[0] + 1e-3 * self.side, u[1] + f[1], 0.0]);
        let sharp = smooth(0.03, 0.30, self.bend());
        let r = 0.215 * self.thick;
        for (way, long) in [(u, 0.30), (f, 0.26)] {
            let from = plus(plus(self.elbow, inner, r * 0.96), way, 0.05);
            let to = plus(plus(self.elbow, inner, r * (0.2 - 0.3 * sharp)), way, long * (0.3 + 0.4 * sharp));
            let middle = plus(plus([0.0; 3], from, 0.5), to, 0.5);
            let middle = plus(middle, way, -0.03);
            let fold = [[from[0], from[1], 0.006], [middle[0], middle[1], 0.017], [to[0], to[1], 0.0]];
            brush.fill(&ribbon(&fold), color, alpha * (0.20 + 0.65 * sharp));
        }
    }
}

const SHORT: [(f32, f32); 3] = [(0.0, 0.325), (0.28, 0.312), (0.52, 0.288)];

/// A crease in a cloth.
fn dark(cloth: &Tone) -> [u8; 3] {
    mixed(cloth.shade, [20, 14, 24], 0.22)
}

/// A round limb in light and shadow, with a thin edge that parts it from what is behind.
fn limb(brush: &mut Brush<'_>, chain: &[Round], tone: &Tone, edge: [u8; 3]) {
    let Some(all) = Hulls::default().along(chain).path() else { return };
    let grown: Vec<Round> = chain.iter().map(|&[x, y, r]| [x, y, r + 0.010]).collect();
    if let Some(outer) = Hulls::default().along(&grown).path() {
        brush.fill(&outer, edge, 0.42);
    }
    brush.fill(&all, tone.shade, 1.0);
    if let Some(light) = Hulls::default().along(&lit(chain, 0.72)).path() {
        brush.fill(&light, tone.base, 1.0);
    }
}

/// A tablet, its back to the viewer.
fn tablet(brush: &mut Brush<'_>, corners: &[V3; 4]) {
    let corner = |k: usize, r: f32| [corners[k][0], corners[k][1], r];
    let rim: Vec<Round> = (0..4).map(|k| corner(k, 0.085)).collect();
    let back: Vec<Round> = (0..4).map(|k| [corners[k][0] - 0.014, corners[k][1] + 0.012, 0.066]).collect();
    if let Some(path) = Hulls::default().around(&rim).path() {
        brush.fill(&path, [34, 38, 48], 1.0);
    }
    if let Some(path) = Hulls::default().around(&back).path() {
        brush.fill(&path, [72, 80, 96], 1.0);
        let (a, b) = (corners[1], corners[3]);
        brush.within(&path, |brush| {
            let shine = [[a[0], a[1], 0.0], [(a[0] + b[0]) * 0.5, (a[1] + b[1]) * 0.5, 0.20], [b[0], b[1], 0.0]];
            brush.fill(&ribbon(&shine), [92, 102, 120], 0.8);
        });
        let eye = std::array::from_fn::<f32, 2, _>(|k| 0.84 * corners[2][k] + 0.16 * corners[0][k]);
        brush.fill(&crate::drawn::brush::ellipse(eye[0], eye[1], 0.045, 0.045), [26, 30, 38], 1.0);
    }
}
