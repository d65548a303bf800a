//! The drawn head: skin, hair, eyes and a mouth that follows the channels.

use super::brush::{Brush, Outline, Rgb3, ellipse, mixed, shade};
use super::look::Look;
use crate::act::{Ch, Face};

const MOUTH_Y: f32 = 6.17;
const EYE_X: f32 = 0.34;
const EYE_Y: f32 = 6.84;

/// Everything of the head that does not move by itself.
pub(super) fn paint(brush: &mut Brush<'_>, look: &Look) {
    let skin = look.skin;
    for side in [-1.0, 1.0] {
        brush.fill(&ellipse(side * 0.90, 6.66, 0.13, 0.22), shade(skin, 0.9), 1.0);
    }
    let head = Outline::at(-0.88, 7.0)
        .curve([-0.90, 6.45], [-0.78, 6.10], [-0.52, 5.86])
        .curve([-0.34, 5.70], [-0.18, 5.64], [0.0, 5.64])
        .curve([0.18, 5.64], [0.34, 5.70], [0.52, 5.86])
        .curve([0.78, 6.10], [0.90, 6.45], [0.88, 7.0])
        .curve([0.86, 7.75], [0.5, 8.0], [0.0, 8.0])
        .curve([-0.5, 8.0], [-0.86, 7.75], [-0.88, 7.0])
        .closed();
    brush.fill_linear(&head, [-0.7, 7.6], [0.8, 5.8], (shade(skin, 1.08), 1.0), (shade(skin, 0.94), 1.0));
    let nose = Outline::at(-0.10, 6.50).curve([-0.06, 6.44], [0.06, 6.44], [0.10, 6.50]).open();
    brush.stroke(&nose, 0.035, shade(skin, 0.72), 0.8);
    for side in [-1.0, 1.0] {
        let spot = ellipse(side * 0.52, 6.42, 0.24, 0.18);
        brush.glow(&spot, [side * 0.52, 6.42], 0.22, [230, 110, 96], 0.30);
    }
    let hair = Outline::at(-0.92, 6.95)
        .curve([-1.05, 7.7], [-0.7, 8.2], [0.0, 8.2])
        .curve([0.7, 8.2], [1.05, 7.7], [0.92, 6.95])
        .curve([0.86, 7.25], [0.78, 7.42], [0.55, 7.52])
        .curve([0.2, 7.62], [-0.25, 7.60], [-0.45, 7.45])
        .curve([-0.72, 7.40], [-0.84, 7.25], [-0.92, 6.95])
        .closed();
    brush.fill_linear(&hair, [-0.6, 8.2], [0.7, 7.2], (shade(look.hair, 1.12), 1.0), (shade(look.hair, 0.88), 1.0));
}

pub(super) fn eyes(brush: &mut Brush<'_>, look: &Look, face: &Face) {
    let open = (1.0 - face.get(Ch::Blink)) * (1.0 - 0.35 * face.get(Ch::Squint)) * (1.0 + 0.2 * face.get(Ch::Wide));
    let raise = 0.10 * face.get(Ch::BrowInner) + 0.10 * face.get(Ch::BrowOuter) - 0.07 * face.get(Ch::BrowDown);
    let (gx, gy) = (face.get(Ch::LookX) * 0.12, face.get(Ch::LookY) * 0.09);
    for side in [-1.0, 1.0] {
        let x = side * EYE_X;
        if open > 0.12 {
            let white = ellipse(x, EYE_Y, 0.155, 0.135 * open);
            brush.fill(&white, [252, 252, 252], 1.0);
            let iris: f32 = 0.098;
            // Cut by the lids: the iris never leaves the white.
            let tall = iris.min(0.130 * open);
            brush.fill(&ellipse(x + gx, EYE_Y + gy * open, iris, tall), look.iris, 1.0);
            brush.fill(&ellipse(x + gx, EYE_Y + gy * open, 0.048, tall.min(0.048)), [22, 16, 14], 1.0);
            if open > 0.4 {
                brush.fill(&ellipse(x + gx - 0.035, EYE_Y + gy + 0.04, 0.024, 0.024), [255, 255, 255], 0.9);
            }
        }
        let lift = 0.135 * open;
        let lid = Outline::at(x - 0.17, EYE_Y)
            .curve([x - 0.10, EYE_Y + lift * 1.35], [x + 0.10, EYE_Y + lift * 1.35], [x + 0.17, EYE_Y])
            .open();
        brush.stroke(&lid, 0.04, shade(look.hair, 0.7), 1.0);
        let brow = Outline::at(x - side * 0.19, 7.12 + raise + 0.03 * face.get(Ch::BrowInner))
            .curve([x - side * 0.05, 7.20 + raise], [x + side * 0.10, 7.20 + raise], [x + side * 0.22, 7.12 + raise])
            .open();
        brush.stroke(&brow, 0.058, shade(look.hair, 0.9), 1.0);
    }
}

/// Half width, upper lip and lower lip edge of the opening, corner lift.
struct Mouth {
    half: f32,
    up: f32,
    low: f32,
    corner: f32,
    round: f32,
}

impl Mouth {
    fn of(face: &Face) -> Self {
        let round = (face.get(Ch::Funnel) * 0.8 + face.get(Ch::Pucker)).min(1.0);
        let wide = 0.22 * face.get(Ch::Smile) + 0.18 * face.get(Ch::Stretch);
        let open = face.get(Ch::Jaw);
        Self {
            half: 0.30 * (1.0 + wide) * (1.0 - 0.46 * round),
            up: 0.05 * face.get(Ch::UpperUp) + 0.05 * face.get(Ch::Funnel) * open.min(0.2) * 5.0 * 0.4,
            low: -(0.80 * open + 0.07 * face.get(Ch::LowerDown)),
            corner: 0.09 * face.get(Ch::Smile) - 0.02,
            round,
        }
    }
}

pub(super) fn mouth(brush: &mut Brush<'_>, look: &Look, face: &Face) {
    let m = Mouth::of(face);
    let jaw = face.get(Ch::Jaw);
    let y = MOUTH_Y;
    let corner = y + m.corner;
    let gap = m.up - m.low;
    let inside = Outline::at(-m.half, corner)
        .curve([-m.half * 0.6, y + m.up], [m.half * -0.2, y + m.up], [0.0, y + m.up])
        .curve([m.half * 0.2, y + m.up], [m.half * 0.6, y + m.up], [m.half, corner])
        .curve([m.half * 0.7, y + m.low - 0.01], [m.half * 0.3, y + m.low], [0.0, y + m.low])
        .curve([-m.half * 0.3, y + m.low], [-m.half * 0.7, y + m.low - 0.01], [-m.half, corner])
        .closed();
    let lip: Rgb3 = mixed(look.lips, shade(look.lips, 0.9), m.round);
    let thick = 0.085 + 0.03 * m.round - 0.045 * face.get(Ch::Press);
    if gap > 0.025 {
        brush.stroke(&inside, thick * 1.3, lip, 1.0);
        brush.fill(&inside, [92, 28, 32], 1.0);
        if gap > 0.07 && m.round < 0.6 {
            let teeth = Outline::at(-m.half * 0.78, y + m.up * 0.8 + m.corner * 0.35)
                .curve(
                    [-m.half * 0.3, y + m.up],
                    [m.half * 0.3, y + m.up],
                    [m.half * 0.78, y + m.up * 0.8 + m.corner * 0.35],
                )
                .curve(
                    [m.half * 0.4, y + m.up - 0.08],
                    [-m.half * 0.4, y + m.up - 0.08],
                    [-m.half * 0.78, y + m.up * 0.8 + m.corner * 0.35],
                )
                .closed();
            brush.fill(&teeth, [250, 248, 244], 1.0);
        }
        if jaw > 0.14 || face.get(Ch::Tongue) > 0.1 {
            let tall = (gap * 0.34).min(0.16);
            brush.fill(&ellipse(0.0, y + m.low + tall * 0.7, m.half * 0.55, tall), [206, 106, 104], 1.0);
        }
    } else {
        let line = Outline::at(-m.half, corner)
            .curve([-m.half * 0.5, y - 0.045], [m.half * 0.5, y - 0.045], [m.half, corner])
            .open();
        brush.stroke(&line, thick, lip, 1.0);
        brush.stroke(&line, 0.022, shade(lip, 0.62), 1.0);
    }
}
