//! A garment as implicit lines: where it ends, closes, folds.

use super::creases::{Drawn, Worn};
use crate::rig::body::parts::Piece;
use crate::rig::body::sculpt::Body;
use crate::rig::ground::v3::{V3, atan2, dot, exp, fbm, interp, mix, norm, pow, sin, ss, sub};
use crate::rig::people::person::{Cut, Lapel, Outfit, Person, Tailor};

/// Where jackets and what is worn without one end below, women's and men's: at the hip, as what goes on below it is a coat.
const JACKET_HEM: [f32; 2] = [0.72, 0.45];
const TOP_HEM: [f32; 2] = [0.75, 0.35];
/// How far trousers go up under what is worn over them, and how far what is worn in them is seen to do so.
const WAISTBAND: f32 = 0.45;
const TUCKED: f32 = 0.08;
/// How far below the point where a jacket closes its fronts part, and half of how far apart they are at the hem.
const PARTS: f32 = 1.05;
const APART: f32 = 0.30;
pub(crate) const ANKLE: f32 = -7.80;

/// How far below the neck the lapel's notch is, and how far above it the opening ends.
const NOTCH: f32 = 0.70;
const RISEN: f32 = 0.10;

/// How much higher a short sleeve ends at its outer side.
const SLANT: f32 = 0.22;

pub(crate) struct Garment {
    pub(crate) cut: Cut,
    pub(crate) tailor: Tailor,
    pub(crate) neck: V3,
    /// Broader people have broader lapels.
    pub(crate) broad: f32,
    /// Half the width over the shoulders.
    pub(crate) shoulder: f32,
    /// Where long sleeves end, and the way arms go there: at the picture's right first.
    cuffs: [[V3; 2]; 2],
    /// Where what is worn outermost ends below.
    hem: f32,
    /// How a jacket is drawn to its button.
    pub(crate) drawn: Drawn,
}

impl Garment {
    pub(crate) fn new(body: &Body, person: &Person, outfit: &Outfit) -> Self {
        // Without a shirt's cuffs to look out of them, sleeves reach to the root of the hand.
        let has_cuffs = matches!(outfit.cut, Cut::Blazer { shirt: true, .. });
        let long = if has_cuffs { 0.95 } else { 0.98 };
        let cuffs = body.limbs.map(|[elbow, wrist, _]| [mix(elbow, wrist, long), norm(sub(wrist, elbow))]);
        let broad = 1.0 + 0.12 * person.male;
        let (stance, tailor) = (&person.stance, person.tailor);
        let drawn = Drawn::new(0.137 * stance.turned + 0.71 * stance.tilted + 3.1 * tailor.wide + 1.9 * tailor.close);
        let [woman, man] = if matches!(outfit.cut, Cut::Blazer { .. }) { JACKET_HEM } else { TOP_HEM };
        let hem = woman + (man - woman) * person.male;
        Self { cut: outfit.cut, tailor, neck: body.neck, broad, shoulder: body.shoulder, cuffs, hem, drawn }
    }

    /// The height of a neckline lying on the shoulders, `lift` above the joint.
    fn neckline(&self, lift: f32, z: f32, front: f32) -> f32 {
        self.neck[1] + (lift - 0.72 * (z - 0.05).clamp(-0.6, front)) * self.broad
    }

    /// Necklines are a matter of the neck, not of the shoulders: cloth beyond `from` is below them.
    fn slack(&self, p: V3, from: f32) -> f32 {
        2.8 * (p[0].abs() - from * self.broad).max(0.0)
    }

    /// How far inside the garment `p` lies; negative where there is no cloth.
    pub(crate) fn inside(&self, layer: Piece, p: V3) -> f32 {
        match layer {
            Piece::Top => {
                // Between neck and collar it would stand up as a tube.
                let under = if self.has_cuffs() { 0.07 * ss(0.15, 0.35, p[0].abs()) } else { 0.0 };
                // High shoulders are under it from where the collar's leaf lies on them.
                let from = if self.has_collar() { 0.42 } else { 0.74 };
                let neck = (self.below_neckline(p) - under + self.slack(p, from)).min(self.open_collar(p));
                // What the jacket hides would only show through it.
                let hidden = if self.is_jacket() { 0.14 - self.high(p) - self.inside(Piece::Jacket, p) } else { 1.0 };
                // It is worn in the trousers there.
                let hem = if self.is_jacket() { self.waistband(p) - TUCKED } else { self.hem };
                neck.min(hidden).min(self.before_nape(p)).min(p[1] - hem)
            }
            Piece::Trousers => (self.waistband(p) - p[1]).min(p[1] - ANKLE),
            Piece::Shoes => ANKLE + 0.30 - p[1],
            Piece::Jacket => {
                let neck = self.collar_top(p, self.jacket_lift());
                let front = p[0].abs() - self.opening(p[1]).max(self.cut_away(p[1])) + 6.0 * (0.12 - p[2]).max(0.0);
                rounded(rounded(neck, front), p[1] - self.hem)
            }
            Piece::Lapel => self.notch(p),
            // A jacket lies over the leaves of the collar, which lie flat there: what is far under it is not seen.
            Piece::ShirtBand if self.is_jacket() => 0.08 - self.inside(Piece::Jacket, p),
            // Beside the neck it would stand over the jacket's collar as a horn.
            Piece::Band if self.is_jacket() => {
                let aside = 0.085 * ss(-0.16, 0.04, p[1] - self.neck[1]);
                (0.005 - aside - self.high(p) - self.inside(Piece::Jacket, p)).min(self.before_nape(p))
            }
            _ => 1.0,
        }
    }

    /// How far below the top's neckline a point lies.
    pub(crate) fn below_neckline(&self, p: V3) -> f32 {
        let (wide, deep) = match self.cut {
            Cut::Blazer { shirt: true, .. } | Cut::Shirt => return self.neckline(0.26, p[2], 0.9) - p[1],
            Cut::Blazer { .. } => (0.60, 0.46),
            Cut::Knit => (0.56, 0.46),
            Cut::Tee => (0.57, 0.50),
        };
        // Round at the throat, open upwards; at the back a line.
        let u = self.broad;
        let down = (self.neck[1] + 0.20 * u - p[1]).max(0.0) / (deep * u);
        let across = p[0] / (wide * u);
        let front = ((across * across + down * down).sqrt() - 1.0) * 0.55 * u;
        let low = if self.is_jacket() { 0.10 } else { 0.02 };
        // A round neckline climbs the nape less than a collar: its inside would stand beside the neck.
        let climb = if self.is_jacket() { 1.0 } else { 0.45 };
        let back = self.neckline(low, 0.05 + climb * (p[2] - 0.05), 0.9) - p[1] + self.slack(p, 0.58);
        let s = ss(-0.20, 0.20, p[2]);
        front * s + back * (1.0 - s)
    }

    /// Above the throat a round neckline's last rest would look out between the neck and the jacket's collar, as a speck.
    fn high(&self, p: V3) -> f32 {
        if self.has_collar() { 0.0 } else { 2.0 * ss(0.03, 0.09, p[1] - self.neck[1]) }
    }

    /// A jacket's own collar hides a round neckline behind the neck: what showed of it there would be slivers.
    fn before_nape(&self, p: V3) -> f32 {
        if self.is_jacket() && !self.has_collar() { p[2] - 0.13 } else { 1.0 }
    }

    /// Beside the opening of a collar worn without a tie.
    pub(super) fn open_collar(&self, p: V3) -> f32 {
        if !self.is_open() || p[2] < 0.1 {
            return 1.0;
        }
        p[0].abs() - 0.46 * (p[1] - (self.neck[1] - 0.66 * self.broad))
    }

    pub(crate) fn is_open(&self) -> bool {
        matches!(self.cut, Cut::Blazer { shirt: true, tie: false } | Cut::Shirt)
    }

    /// Whether skin here is under cloth for certain.
    pub(crate) fn covers(&self, p: V3, arm: f32) -> bool {
        let bare = self.bare(p, arm) > -0.15 || arm > 1.5 || self.sleeve(p, arm) < 0.05;
        // Between a collar's points the throat shows.
        let least = if self.has_collar() && p[0].abs() < 0.36 { 1.1 } else { 0.16 };
        !bare && self.below_neckline(p) > least && (p[1] < self.neck[1] - 0.5 || p[0].abs() > 0.5)
    }

    /// The height of the breast pocket, wherever the jacket closes.
    pub(crate) fn breast(&self) -> f32 {
        self.neck[1] - 1.09 * self.broad
    }

    /// Where the jacket closes.
    pub(crate) fn button(&self) -> f32 {
        self.neck[1] - self.tailor.close * self.broad
    }

    /// How what is worn outermost lies on the chest.
    pub(crate) fn worn(&self) -> Worn<'_> {
        if self.is_jacket() {
            Worn::Closed(self.button(), &self.drawn)
        } else {
            Worn::Loose(if self.is_bare() { 0.45 } else { 1.0 })
        }
    }

    pub(crate) fn is_jacket(&self) -> bool {
        matches!(self.cut, Cut::Blazer { .. })
    }

    /// How far under a jacket a point lies; below zero where there is none over it.
    pub(crate) fn under_jacket(&self, p: V3) -> f32 {
        if self.is_jacket() { self.inside(Piece::Jacket, p) } else { -1.0 }
    }

    pub(crate) fn has_cuffs(&self) -> bool {
        self.is_jacket() && self.has_collar()
    }

    pub(crate) fn has_collar(&self) -> bool {
        matches!(self.cut, Cut::Blazer { shirt: true, .. } | Cut::Shirt)
    }

    /// Whether sleeves are short.
    pub(crate) fn is_bare(&self) -> bool {
        self.cut == Cut::Tee
    }

    /// How far below a short sleeve's end a point of an arm lies.
    pub(crate) fn bare(&self, p: V3, arm: f32) -> f32 {
        if self.cut != Cut::Tee || arm < 0.5 {
            return -1.0;
        }
        // Square to the arm, which hangs a little outwards.
        3.66 + (p[0].abs() - self.shoulder) * SLANT - p[1]
    }

    /// The way out of a short sleeve, square to where it ends.
    pub(crate) fn below_sleeve(&self, side: f32) -> V3 {
        norm([side * SLANT, -1.0, 0.0])
    }

    /// How far before the end of a long sleeve a point of an arm lies.
    pub(crate) fn sleeve(&self, p: V3, arm: f32) -> f32 {
        let [cuff, along] = self.cuff(p[0]);
        if arm < 0.5 { 1.0 } else { dot(sub(cuff, p), along) }
    }

    /// Where a sleeve ends, and the way its arm goes there; `x` tells the side.
    pub(super) fn cuff(&self, x: f32) -> [V3; 2] {
        self.cuffs[usize::from(x < 0.0)]
    }

    /// How far inside the cloth `p` lies, negative where there is none.
    pub(crate) fn margin(&self, layer: Piece, p: V3, arm: f32) -> f32 {
        // The stand of a collar hides behind its leaves; of the jacket nothing shows through it.
        if layer == Piece::ShirtBand && arm < -0.5 {
            return 1.0;
        }
        if matches!(layer, Piece::Trousers | Piece::Shoes) && arm > 0.3 {
            return -1.0;
        }
        let inside = self.inside(layer, p);
        match layer {
            // A sleeve in a sleeve would only show through it.
            Piece::Top if self.is_jacket() && arm > 0.5 => -1.0,
            Piece::Top => inside.min(-self.bare(p, arm)).min(self.sleeve(p, arm)),
            // The front that opens, and the hem, are no sleeve's.
            Piece::Jacket if arm > 0.5 => self.sleeve(p, arm),
            Piece::Jacket => inside.min(self.sleeve(p, arm)),
            _ => inside,
        }
    }

    /// Whether there is no cloth here.
    pub(crate) fn gone(&self, layer: Piece, p: V3, arm: f32) -> bool {
        self.margin(layer, p, arm) < 0.0
    }

    /// Height along the jacket's opening, 0 at the button, 1 at the neck.
    fn height(&self, y: f32) -> f32 {
        (y - self.button()) / self.rise()
    }

    /// A shirt's collar looks out above the jacket's.
    fn jacket_lift(&self) -> f32 {
        if self.has_collar() { 0.04 } else { 0.10 }
    }

    /// How far below the upper edge of a jacket's collar: it climbs at the sides of the neck, but not far.
    fn collar_top(&self, p: V3, lift: f32) -> f32 {
        let line = self.neckline(lift, p[2], 0.02) - p[1] + self.slack(p, 0.56);
        line.min(self.neck[1] + 0.36 * self.broad - p[1] + self.slack(p, 0.9))
    }

    /// How far below the edge round which a jacket's collar is folded.
    pub(crate) fn below_collar(&self, p: V3) -> f32 {
        self.collar_top(p, self.jacket_lift())
    }

    /// From the button to where the opening ends at the neck.
    pub(crate) fn rise(&self) -> f32 {
        (self.tailor.close + RISEN) * self.broad
    }

    /// A height along the opening as it would be were the notch at 0.66, as of a jacket that closes at the waist.
    pub(crate) fn usual(&self, t: f32) -> f32 {
        let notch = self.notched();
        if t < notch { t / notch * 0.66 } else { 0.66 + (t - notch) / (1.0 - notch) * 0.34 }
    }

    /// Where the notch is, as a share of the opening's height.
    pub(crate) fn notched(&self) -> f32 {
        (self.tailor.close - NOTCH) / (self.tailor.close + RISEN)
    }

    pub(crate) fn opening(&self, y: f32) -> f32 {
        0.54 * pow(self.height(y).max(0.0), 1.08) * self.broad - 0.004
    }

    /// How high trousers go: where a jacket's fronts part they are seen, and no shirt that hangs out. Beside that they would
    /// come through at a waist.
    fn waistband(&self, p: V3) -> f32 {
        let low = self.hem + WAISTBAND;
        let parts = if self.is_jacket() { (self.button() - PARTS + 0.12 - low).max(0.0) } else { 0.0 };
        low + parts * ss(0.52, 0.36, p[0].abs()) * ss(0.0, 0.2, p[2])
    }

    /// Half of how far the fronts of a jacket are apart below the last button.
    fn cut_away(&self, y: f32) -> f32 {
        let from = self.button() - PARTS;
        let down = ((from - y) / (from - self.hem).max(0.1)).max(0.0);
        APART * self.broad * pow(down, 1.6) - 0.004
    }

    /// How far from the notch: a wedge between lapel and collar, below zero inside it.
    pub(crate) fn notch(&self, p: V3) -> f32 {
        let u = self.broad;
        let x = (p[0].abs() - self.opening(p[1])) / u - 0.20;
        if x < 0.0 || p[2] < -0.1 || self.tailor.lapel == Lapel::Shawl {
            return 0.2;
        }
        let off = self.height(p[1]) - self.notched() - x * 0.16;
        off.abs() * self.rise() - 0.005 - 0.07 * x * u
    }

    /// How far from the seam between collar and lapel, which goes from the notch up to the neck.
    pub(crate) fn gorge(&self, p: V3) -> f32 {
        let x = (p[0].abs() - self.opening(p[1])) / self.broad - 0.20;
        if !(-0.24..0.01).contains(&x) || p[2] < -0.1 || self.tailor.lapel == Lapel::Shawl {
            return 1.0;
        }
        (self.height(p[1]) - self.notched() + x * 0.35).abs() * self.rise()
    }

    /// How far inside the outline of lapel and collar, as it lies on the jacket.
    pub(crate) fn lapel(&self, p: V3) -> f32 {
        let u = self.broad;
        let lift = self.jacket_lift() + 0.06;
        let top = self.collar_top(p, lift);
        // The collar runs round the back of the neck; in front it turns into the lapel without a step.
        let before = ss(-0.05, 0.30, p[2]);
        let ends = 0.66 * u - p[0].abs() + 0.25 * before;
        let behind = top.min(p[1] - self.neckline(lift, p[2], 0.02) + 0.27 * u).min(ends);
        if before <= 0.0 {
            return behind;
        }
        let t = self.height(p[1]);
        let notch = self.notched();
        let width = if self.tailor.lapel == Lapel::Shawl {
            shawl(self.usual(t))
        } else if t < notch {
            0.03 + 0.47 * pow(t.max(0.0) / notch, 0.9)
        } else {
            0.36 - (t - notch) * 0.30
        };
        // The notch: a thin wedge between lapel and collar.
        let x = p[0].abs() - self.opening(p[1]);
        // Beyond the leaf's outer edge there is nothing to cut.
        let gap = if self.tailor.lapel != Lapel::Shawl && (0.17 * u..0.46 * u).contains(&x) {
            ((t - notch) - (x / u - 0.17) * 0.16).abs() * self.rise() - 0.018
        } else {
            1.0
        };
        let lapel =
            rounded(top, x + 6.0 * (0.12 - p[2]).max(0.0)).min(width * self.tailor.wide * u - x).min(t).min(gap);
        behind * (1.0 - before) + lapel * before
    }
}

/// How broad a shawl is, the notch of other lapels being at 0.66.
pub(super) fn shawl(t: f32) -> f32 {
    interp(t, &[(0.0, 0.035), (0.12, 0.13), (0.30, 0.28), (0.50, 0.40), (0.68, 0.44), (0.84, 0.42), (1.0, 0.35)])
}

/// The lesser of two distances, with the corner between them rounded off.
fn rounded(a: f32, b: f32) -> f32 {
    const REACH: f32 = 0.14;
    let near = (REACH - (a - b).abs()).max(0.0) / REACH;
    a.min(b) - near * near * REACH * 0.25
}

/// Where the sleeve is set in.
pub(crate) fn armhole(p: V3, garment: &Garment) -> f32 {
    p[0].abs() - garment.shoulder * (0.95 - 0.17 * ss(5.00, 4.05, p[1]))
}

/// Round ridges with sharp valleys between them, about 0: how cloth that is pushed together lies.
fn ridges(x: f32) -> f32 {
    sin(x).abs() - 0.64
}

/// Folds: from the armpits, at the elbows and over the cuffs, and hanging from the chest. Few and clear: cloth that is
/// uneven everywhere looks dented.
pub(crate) fn folds(p: V3, garment: &Garment) -> f32 {
    let u = garment.broad;
    let x = p[0].abs();
    let (ax, ay) = (x - 1.22 * u, p[1] - 4.15);
    let far = (ax * ax + ay * ay).sqrt();
    let angle = atan2(ay, ax);
    let wobble = fbm([p[0] * 1.3, p[1] * 1.3, p[2] * 1.3], 2);
    // A whole number of ridges: the angle begins anew behind.
    let pit = ridges(angle * 2.5 + 4.0 * wobble) * exp(-far / 0.42) * ss(0.05, 0.40, far) * ss(-0.3, 0.4, p[2]);
    let arm = ss(1.25 * u, 1.5 * u, x);
    let hang = (fbm([p[0] * 2.6, p[1] * 0.75, p[2] * 2.6], 3) - 0.44) * ss(4.6, 3.4, p[1]) * 1.5;
    let soft = fbm([p[0] * 1.7 + 5.0, p[1] * 1.5, p[2] * 1.7], 2) - 0.37;
    // A closed jacket pulls at its button.
    let (bx, by) = (x, p[1] - garment.button());
    let off = (bx * bx + by * by).sqrt();
    let turn = atan2(by, bx);
    let drawn = ridges(turn * 3.5 + 1.6 * wobble + 3.0 * garment.drawn.phase)
        * exp(-off / 0.5)
        * ss(0.12, 0.35, off)
        * ss(1.2, 0.7, turn.abs());
    let pull = if garment.is_jacket() { 0.034 * drawn * ss(0.1, 0.4, p[2]) } else { 0.0 };
    // Thin cloth falls from the chest without folds to speak of; many of them are stains.
    let falls = if garment.is_bare() { 0.030 } else { 0.036 };
    let still = pull + 0.040 * pit + (falls * hang + 0.016 * soft) * (1.0 - arm * 0.75);
    // A short sleeve lies close: the arm would come through its valleys.
    let loose = if garment.is_bare() { 0.25 } else { 1.0 };
    still + sleeve_folds(p, wobble) * arm * loose
}

/// How much light a fold keeps from its valley.
pub(crate) fn valley(p: V3, garment: &Garment) -> f32 {
    let arm = ss(1.25 * garment.broad, 1.5 * garment.broad, p[0].abs());
    let wobble = fbm([p[0] * 1.3, p[1] * 1.3, p[2] * 1.3], 2);
    let deep = (sleeve_folds(p, wobble) * arm).clamp(-0.05, 0.05);
    let seam = armhole(p, garment) / 0.045;
    let sewn = exp(-seam * seam) * ss(3.9, 4.3, p[1]) * ss(-0.4, 0.0, p[2]);
    (1.0 + 2.2 * deep) * (1.0 - 0.06 * sewn)
}

/// Along a sleeve: a few long folds that wind about the upper arm, short ones in the elbow, some above the cuff.
fn sleeve_folds(p: V3, wobble: f32) -> f32 {
    let (y, z) = (p[1], p[2]);
    let near = |at: f32, size: f32| exp(-(y - at) * (y - at) / (size * size));
    let inner = 0.40 + 0.60 * ss(-0.40, 0.20, z);
    let elbow = ridges(y * 6.2 + 1.3 * sin(z * 2.6 + 1.0) + 2.5 * wobble) * near(2.35, 0.36) * inner;
    let winding =
        ridges(y * 2.3 + 2.2 * z + 0.8 * p[0] + 2.0 * wobble) * ss(4.95, 4.40, y) * (1.0 - 0.7 * near(2.35, 0.40));
    let cuff = ridges(y * 8.0 + 5.0 * wobble + 1.5 * z) * near(0.95, 0.26);
    0.056 * elbow + 0.020 * winding + 0.030 * cuff
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::sculpt::sculpt;
    use crate::rig::ground::data::Library;
    use crate::rig::people::CAST;

    #[test]
    fn a_jacket_ends_at_the_hip_and_parts_over_trousers() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        for alias in ["sofia", "kenji"] {
            let person = &CAST.iter().find(|member| member.alias == alias).expect("of the cast").person;
            let body = sculpt(&library, person).expect("a body");
            let garment = Garment::new(&body, person, &person.wardrobe[0]);
            let worn = |layer, x: f32, y: f32| garment.inside(layer, [x, y, 0.6]) > 0.0;
            let parts = garment.button() - PARTS;
            // Closed at the last button, open at the hem, and nothing below it.
            assert!(worn(Piece::Jacket, 0.0, parts + 0.05), "{alias}");
            let low = garment.hem + 0.02;
            assert!(!worn(Piece::Jacket, 0.0, low) && !worn(Piece::Jacket, 0.9, garment.hem - 0.05), "{alias}");
            assert!(worn(Piece::Jacket, 0.8, low + 0.2), "{alias}");
            // What is seen there is trousers, not a shirt that hangs out; beside it they would come through.
            assert!(worn(Piece::Trousers, 0.0, parts) && !worn(Piece::Top, 0.0, parts - 0.1), "{alias}");
            assert!(!worn(Piece::Trousers, 0.8, parts + 0.05), "{alias}");
        }
    }
}
