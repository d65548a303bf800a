//! Lips, teeth and tongue in every shape of speech.

use tiny_skia::Path;

use super::head;
use super::knots::{C, Knot, S, ribbon, ribbon_on, shape};
use super::person::Person;
use crate::act::{Ch, Face};
use crate::drawn::brush::{Brush, ellipse, mixed};
use crate::maths::smooth;

const Y: f32 = 6.15;

/// Where lips are. Heights are above the line of the closed mouth.
struct Lips {
    half: f32,
    corner: f32,
    /// Edges of the opening in the middle.
    up: f32,
    low: f32,
    /// Thickness.
    upper: f32,
    lower: f32,
    round: f32,
    tongue: f32,
    jaw: f32,
}

impl Lips {
    fn of(person: &Person, face: &Face) -> Self {
        let get = |channel| face.get(channel);
        let round = (0.8 * get(Ch::Funnel) + get(Ch::Pucker)).min(1.0);
        let wide = 0.30 * get(Ch::Smile) + 0.30 * get(Ch::Stretch) + 0.10 * get(Ch::Dimple);
        let jaw = get(Ch::Jaw);
        let [half, upper, lower] = person.mouth;
        let press = get(Ch::Press);
        let thin = |roll: f32| (1.0 - 0.75 * roll - 0.5 * press + 0.45 * round).max(0.25);
        let part = smooth(0.02, 0.10, jaw);
        Self {
            half: half * (1.0 + wide) * (1.0 - 0.50 * round),
            corner: 0.15 * get(Ch::Smile) - 0.010 - 0.12 * jaw,
            up: part * (0.085 * get(Ch::UpperUp) + 0.035 * get(Ch::Funnel) + 0.02),
            low: -part * (0.66 * jaw + 0.10 * get(Ch::LowerDown)) * (1.0 - 0.4 * get(Ch::RollLower)),
            upper: upper * thin(get(Ch::RollUpper)) * (1.0 - 0.10 * wide),
            lower: lower * thin(get(Ch::RollLower)),
            round,
            tongue: get(Ch::Tongue),
            jaw,
        }
    }

    fn gap(&self) -> f32 {
        self.up - self.low
    }

    /// The four lines from the left corner to the right one, without the corners.
    fn inner_upper(&self) -> Vec<Knot> {
        let (w, c) = (self.half, self.corner);
        // An opening that is round bulges near its corners; a spread one is flat.
        let bulge = 0.62 + 0.22 * self.round;
        let y = |share: f32| Y + c + (self.up - c) * share;
        vec![
            S(-w * 0.62, y(bulge)),
            S(-w * 0.26, y(0.97) + 0.004),
            S(0.0, y(1.0) - 0.004),
            S(w * 0.26, y(0.97) + 0.004),
            S(w * 0.62, y(bulge)),
        ]
    }

    fn inner_lower(&self) -> Vec<Knot> {
        let (w, c) = (self.half, self.corner);
        let bulge = 0.66 + 0.18 * self.round;
        let y = |share: f32| Y + c + (self.low - c) * share;
        vec![S(-w * 0.64, y(bulge)), S(-w * 0.3, y(0.96)), S(0.0, y(1.0)), S(w * 0.3, y(0.96)), S(w * 0.64, y(bulge))]
    }

    fn outer_upper(&self) -> Vec<Knot> {
        let (w, c, t) = (self.half, self.corner, self.upper);
        let y = |share: f32| Y + c + (self.up - c) * share;
        let dip = 0.30 * (1.0 - self.round);
        vec![
            S(-w * 0.62, y(0.72) + 0.52 * t),
            S(-w * 0.24, y(1.0) + t),
            S(0.0, y(1.0) + t * (1.0 - dip)),
            S(w * 0.24, y(1.0) + t),
            S(w * 0.62, y(0.72) + 0.52 * t),
        ]
    }

    fn outer_lower(&self) -> Vec<Knot> {
        let (w, c, t) = (self.half, self.corner, self.lower);
        let y = |share: f32| Y + c + (self.low - c) * share;
        vec![
            S(-w * 0.68, y(0.70) - 0.50 * t),
            S(-w * 0.32, y(0.98) - 0.94 * t),
            S(0.0, y(1.0) - t),
            S(w * 0.32, y(0.98) - 0.94 * t),
            S(w * 0.68, y(0.70) - 0.50 * t),
        ]
    }

    fn ring(&self, over: Vec<Knot>, under: Vec<Knot>, grow: f32) -> Path {
        let (w, y) = (self.half + grow, Y + self.corner);
        let mut knots = vec![C(-w, y)];
        knots.extend(over);
        knots.push(C(w, y));
        knots.extend(under.into_iter().rev());
        shape(&knots)
    }
}

pub(super) fn paint(brush: &mut Brush<'_>, person: &Person, face: &Face) {
    let lips = Lips::of(person, face);
    creases(brush, person, face, &lips);
    let skin = &person.skin;
    brush.fill(&lips.ring(lips.inner_upper(), lips.outer_lower(), 0.004), skin.lip, 1.0);
    brush.fill(&lips.ring(lips.outer_upper(), lips.inner_lower(), 0.010), skin.lip_shade, 1.0);
    // The lower lip once more where the upper one's ring lay on it.
    brush.fill(&lips.ring(lips.inner_lower(), lips.outer_lower(), 0.002), skin.lip, 1.0);
    shine(brush, person, &lips);
    if lips.gap() > 0.012 {
        inside(brush, &lips);
    } else {
        seam(brush, person, &lips);
    }
}

fn shine(brush: &mut Brush<'_>, person: &Person, lips: &Lips) {
    let (w, y) = (lips.half, Y + lips.low - lips.lower * 0.46);
    let band = ribbon(&[[-w * 0.42, y + 0.010, 0.0], [-w * 0.12, y, lips.lower * 0.17], [w * 0.22, y + 0.004, 0.0]]);
    brush.fill(&band, mixed(person.skin.lip, [255, 236, 226], 0.62), 0.6);
}

fn seam(brush: &mut Brush<'_>, person: &Person, lips: &Lips) {
    let (w, c) = (lips.half, lips.corner);
    let line = ribbon(&[
        [-w - 0.022, Y + c + 0.012, 0.0],
        [-w * 0.9, Y + c * 0.86, 0.011],
        [-w * 0.3, Y + 0.004, 0.010],
        [0.0, Y - 0.004, 0.011],
        [w * 0.3, Y + 0.004, 0.010],
        [w * 0.9, Y + c * 0.86, 0.011],
        [w + 0.022, Y + c + 0.012, 0.0],
    ]);
    brush.fill(&line, mixed(person.skin.lip_shade, [50, 14, 22], 0.55), 1.0);
}

fn inside(brush: &mut Brush<'_>, lips: &Lips) {
    let opening = lips.ring(lips.inner_upper(), lips.inner_lower(), 0.0);
    brush.fill(&opening, [88, 26, 34], 1.0);
    brush.within(&opening, |brush| {
        let (w, gap) = (lips.half, lips.gap());
        let between_teeth = smooth(0.30, 0.40, lips.tongue);
        let rise = smooth(0.1, 0.25, lips.tongue) * 0.6 * gap;
        let tall = (0.30 * gap).max(0.045);
        let tongue = ellipse(0.0, Y + lips.low + tall * 0.15 + rise * 0.5, w * 0.62, tall + rise * 0.35);
        brush.fill(&tongue, [204, 96, 98], 1.0);
        let teeth = (0.085 * (1.0 - 0.75 * lips.round)).min(0.035 + 0.62 * gap);
        upper_teeth(brush, lips, teeth);
        // A narrow gap shows the lower row too; a dropped jaw hides it.
        let lower = (0.05 * (1.0 - lips.round)).min(0.45 * gap) * (1.0 - smooth(0.10, 0.22, lips.jaw));
        if lower > 0.008 && lips.tongue < 0.1 {
            let row = ellipse(0.0, Y + lips.low - 0.06 + lower, w * 0.70, 0.06);
            brush.fill(&row, [232, 224, 218], 1.0);
        }
        if between_teeth > 0.0 {
            let tip = ellipse(0.0, Y + lips.up - teeth - 0.005, w * 0.46, 0.048);
            brush.fill(&tip, [222, 116, 114], between_teeth);
        }
    });
}

fn upper_teeth(brush: &mut Brush<'_>, lips: &Lips, teeth: f32) {
    if teeth < 0.01 {
        return;
    }
    let (w, y) = (lips.half, Y + lips.up);
    let row = |down: f32| {
        shape(&[
            C(-w * 0.88, y + 0.12),
            S(-w * 0.80, y - down * 0.45),
            S(-w * 0.36, y - down * 0.94),
            S(0.0, y - down),
            S(w * 0.36, y - down * 0.94),
            S(w * 0.80, y - down * 0.45),
            C(w * 0.88, y + 0.12),
        ])
    };
    brush.fill(&row(teeth), [252, 248, 242], 1.0);
    // The upper lip's shadow.
    brush.fill(&row(teeth * 0.22), [214, 190, 186], 0.75);
}

/// Shadow below the lower lip, and the folds of a smile.
fn creases(brush: &mut Brush<'_>, person: &Person, face: &Face, lips: &Lips) {
    let skin = &person.skin;
    let y = Y + lips.low - lips.lower - 0.045;
    let tone = if person.beard { person.hair.shade } else { skin.tone.shade };
    let under = ribbon(&[[-0.13, y + 0.012, 0.0], [0.0, y - 0.006, 0.020], [0.13, y + 0.012, 0.0]]);
    brush.fill(&under, tone, 0.9);
    let smile = smooth(0.15, 0.7, face.get(Ch::Smile));
    let (w, c) = (lips.half, Y + lips.corner);
    let sunk = head::drop(face);
    for side in [-1.0, 1.0] {
        let dimple = [[w + 0.035, c + 0.045, 0.0], [w + 0.052, c + 0.005, 0.010], [w + 0.040, c - 0.04, 0.0]];
        brush.fill(&ribbon_on(side, &dimple), skin.deep, 0.30 + 0.35 * smile);
        let fold = [[0.20, 6.46, 0.0], [0.305, 6.36, 0.008], [w + 0.10, c + 0.05 - 0.1 * sunk, 0.0]];
        brush.fill(&ribbon_on(side, &fold), skin.deep, 0.38 * smile);
    }
}
