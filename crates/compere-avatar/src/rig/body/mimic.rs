//! Expressions, and what the data's lack.

use crate::act::Ch;
use crate::rig::ground::data::{Deltas, EYE_Y};
use crate::rig::ground::v3::{V3, add, length, mul, ss};

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
        push(expressions, channel, rest, skin, |p| {
            let apple = strength * near(p, APPLE, SIZE) * ss(0.08, 0.2, p[0].abs());
            // Lower lids go up with them, from below.
            let lid = strength * ss(1.0, 0.1, far(p, [0.30, EYE_Y - 0.11, 1.0], [0.25, 0.18, 0.5]));
            add(mul([p[0].signum() * 0.015, 0.09, 0.065], apple), mul([0.0, 0.080, 0.022], lid))
        });
    }
}

/// No expression stays where it begins: a smile opens the brows a little and lowers lids, brows that rise take lids
/// along, and those that come down draw together, narrow the eyes and take the smile out of the corners of the mouth.
pub(super) fn share(rest: &[V3], skin: &[u32], corner: V3, expressions: &mut [Expression]) {
    let upper = |p: V3| ss(-0.03, 0.05, p[1] - EYE_Y);
    for (to, from, part) in [
        (Ch::Cheek, Ch::Blink, 0.10),
        (Ch::BrowDown, Ch::Blink, 0.14),
        (Ch::BrowDown, Ch::Squint, 0.25),
        (Ch::BrowOuter, Ch::Wide, 0.12),
        (Ch::BrowInner, Ch::Wide, 0.10),
    ] {
        let other = expressions.iter().find(|expression| expression.channel == from);
        let deltas: Deltas = other.map_or(Vec::new(), |expression| expression.deltas.clone());
        let part = |v: u32| part * if from == Ch::Squint { 1.0 } else { upper(rest[v as usize]) };
        if let Some(expression) = expressions.iter_mut().find(|expression| expression.channel == to) {
            expression.deltas.extend(deltas.into_iter().map(|(v, d)| (v, mul(d, part(v)))));
        }
    }
    push(expressions, Ch::Smile, rest, skin, |p| {
        mul([p[0].signum() * 0.006, 0.040, 0.006], near(p, [0.36, EYE_Y + 0.24, 1.35], [0.40, 0.24, 0.6]))
    });
    push(expressions, Ch::BrowDown, rest, skin, |p| {
        let pinch = near(p, [0.11, EYE_Y + 0.20, 1.45], [0.14, 0.20, 0.5]) * ss(0.0, 0.05, p[0].abs());
        let drop = near(p, corner, [0.16, 0.16, 0.3]);
        [-p[0].signum() * (0.022 * pinch + 0.010 * drop), -0.030 * drop, 0.012 * pinch]
    });
    // A face that is surprised is longer, lips and all.
    push(expressions, Ch::Wide, rest, skin, |p| {
        let low = ss(EYE_Y - 0.35, EYE_Y - 0.70, p[1]) * ss(EYE_Y - 1.75, EYE_Y - 1.30, p[1]) * ss(0.35, 0.75, p[2]);
        [0.0, -0.030 * low, 0.0]
    });
}

/// Moves the skin of one channel further.
fn push(expressions: &mut [Expression], channel: Ch, rest: &[V3], skin: &[u32], by: impl Fn(V3) -> V3) {
    if let Some(expression) = expressions.iter_mut().find(|expression| expression.channel == channel) {
        let moves = skin.iter().map(|&v| (v, by(rest[v as usize])));
        expression.deltas.extend(moves.filter(|(_, d)| d.iter().any(|c| c.abs() > 1e-4)));
    }
}

/// How far a point is from one of either side, counted in `size`.
fn far(p: V3, at: V3, size: V3) -> f32 {
    length([(p[0].abs() - at[0]) / size[0], (p[1] - at[1]) / size[1], (p[2] - at[2]) / size[2]])
}

fn near(p: V3, at: V3, size: V3) -> f32 {
    ss(1.0, 0.0, far(p, at, size))
}
