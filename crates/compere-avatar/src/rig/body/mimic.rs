//! Expressions, and what the data's lack.

use crate::act::Ch;
use crate::rig::ground::data::{Deltas, EYE_Y};
use crate::rig::ground::v3::{V3, length, mul, ss};

/// A channel's moves, in one direction of its sign.
pub(crate) struct Expression {
    pub(crate) channel: Ch,
    pub(crate) sign: f32,
    pub(crate) deltas: Deltas,
}

/// The middle of a lip hangs back in the data, and open mouths get the shape of an M.
pub(super) fn arch_lips(rest: &[V3], expressions: &mut [Expression]) {
    for (channel, strength) in [(Ch::UpperUp, 0.5), (Ch::LowerDown, 0.3)] {
        for expression in expressions.iter_mut().filter(|expression| expression.channel == channel) {
            for (v, d) in &mut expression.deltas {
                d[1] *= 1.0 + strength * ss(0.12, 0.0, rest[*v as usize][0].abs());
            }
        }
    }
}

/// A smile of the data draws the corners far apart: under mouths of this width it would be a ventriloquist's.
pub(super) fn hold_corners(rest: &[V3], expressions: &mut [Expression]) {
    for expression in expressions.iter_mut().filter(|expression| expression.channel == Ch::Smile) {
        for (v, d) in &mut expression.deltas {
            let outward = rest[*v as usize][0].signum() * d[0] > 0.0;
            d[0] *= if outward { 0.72 } else { 1.0 };
        }
    }
}

/// Lips of the data hardly purse: *oo* would be a narrow *eh*. And where they are drawn together, the lower one hangs
/// in a point: its sides go down with its middle. `corner` is how far corners of the mouth are from the middle.
pub(super) fn round_lips(rest: &[V3], corner: f32, expressions: &mut [Expression]) {
    let lower = expressions.iter().find(|expression| expression.channel == Ch::LowerDown);
    let lower: Deltas = lower.map_or(Vec::new(), |expression| expression.deltas.clone());
    let most = lower.iter().map(|(_, d)| length(*d)).fold(1e-6, f32::max);
    for (channel, times, sides) in [(Ch::Pucker, 1.40, 0.0), (Ch::Funnel, 1.30, 0.046), (Ch::Jaw, 1.0, 0.016)] {
        for expression in expressions.iter_mut().filter(|expression| expression.channel == channel) {
            expression.deltas.iter_mut().for_each(|(_, d)| *d = mul(*d, times));
            for &(v, d) in &lower {
                let x = rest[v as usize][0];
                let out = (x.abs() / corner).min(1.0);
                let share = 4.0 * out * (1.0 - out) * length(d) / most;
                expression.deltas.push((v, [0.3 * x.signum() * sides * share, -sides * share, 0.0]));
            }
        }
    }
}

/// Lids that come down a long way drag the brows along, hair by hair: of what lies above the eye only the lid itself,
/// which goes farthest, goes all the way.
pub(super) fn hold_brows(rest: &[V3], expressions: &mut [Expression]) {
    for expression in expressions.iter_mut().filter(|expression| expression.channel == Ch::Blink) {
        let most = expression.deltas.iter().map(|(_, d)| length(*d)).fold(1e-6, f32::max);
        for (v, d) in &mut expression.deltas {
            let above = ss(0.04, 0.12, rest[*v as usize][1] - EYE_Y);
            *d = mul(*d, 1.0 - above * ss(0.80, 0.40, length(*d) / most));
        }
    }
}

/// A smile of the data moves lips alone. With it cheeks go up and round out.
pub(super) fn lift_cheeks(rest: &[V3], skin: &[u32], expressions: &mut [Expression]) {
    const APPLE: V3 = [0.40, EYE_Y - 0.46, 0.96];
    const SIZE: V3 = [0.42, 0.40, 0.60];
    for (channel, strength) in [(Ch::Smile, 0.75), (Ch::Cheek, 1.0)] {
        let Some(expression) = expressions.iter_mut().find(|expression| expression.channel == channel) else {
            continue;
        };
        for &v in skin {
            let p = rest[v as usize];
            let q = [(p[0].abs() - APPLE[0]) / SIZE[0], (p[1] - APPLE[1]) / SIZE[1], (p[2] - APPLE[2]) / SIZE[2]];
            let share = strength * ss(1.0, 0.0, length(q)) * ss(0.08, 0.2, p[0].abs());
            if share > 0.001 {
                expression.deltas.push((v, mul([p[0].signum() * 0.03, 0.09, 0.065], share)));
            }
            // Lower lids go up with them, from below.
            let lid = [(p[0].abs() - 0.30) / 0.22, (p[1] - EYE_Y + 0.09) / 0.12, (p[2] - 1.0) / 0.4];
            let share = strength * ss(1.0, 0.2, length(lid));
            if share > 0.001 {
                expression.deltas.push((v, mul([0.0, 0.085, 0.04], share)));
            }
        }
    }
}
