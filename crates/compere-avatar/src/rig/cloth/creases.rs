//! Creases of sleeves: lines on the sleeve laid flat, sharp in the valley and round beside it.

use compere_media::kernel::WEAVE;

use crate::rig::ground::v3::{V3, atan2, dot, exp, mix, ss, sub};

/// Where on a sleeve: radians around the arm, 0 outwards and a quarter turn to the front; and -1 at the shoulder, 0 at
/// the elbow, 1 at the wrist.
pub(crate) type Place = [f32; 2];

/// What a sleeve measures, in the body's units: across, and from shoulder to elbow and on to the wrist.
const RADIUS: f32 = 0.33;
const LONG: [f32; 2] = [1.55, 1.30];

/// One crease, from where it begins to where it fades.
struct Crease {
    ends: [Place; 2],
    wide: f32,
    deep: f32,
}

const fn crease(from: Place, to: Place, wide: f32, deep: f32) -> Crease {
    Crease { ends: [from, to], wide, deep }
}

/// A sleeve folds in the crook of the elbow, from where creases run outwards, up and down; long ones come down from the
/// armpit, and what is too long gathers above the cuff.
const CREASES: [Crease; 8] = [
    crease([2.0, -0.03], [0.2, -0.30], 0.066, 0.62),
    crease([1.9, 0.04], [-0.4, 0.07], 0.056, 0.72),
    crease([2.0, 0.12], [0.4, 0.44], 0.066, 0.62),
    crease([-1.7, -0.04], [-0.2, -0.16], 0.056, 0.40),
    crease([-1.9, 0.14], [-0.5, 0.24], 0.056, 0.40),
    crease([2.4, -0.90], [0.8, -0.40], 0.080, 0.42),
    crease([-2.2, -0.80], [-0.7, -0.36], 0.080, 0.40),
    crease([1.6, 0.56], [0.0, 0.88], 0.054, 0.34),
];

/// Where on the sleeve laid flat a point of an arm lies. Arms hang nearly straight: what is around them is counted from
/// the bones, as the straight line from shoulder to wrist runs so near to one side that all creases of it would be one.
pub(crate) fn laid([shoulder, elbow, wrist]: [V3; 3], p: V3) -> Place {
    let way = sub(wrist, shoulder);
    let onto = |p: V3| dot(sub(p, shoulder), way) / dot(way, way).max(1e-6);
    let (at, bend) = (onto(p), onto(elbow));
    let share = if at < bend { bend } else { 1.0 - bend };
    let (from, to) = if at < bend { (shoulder, elbow) } else { (elbow, wrist) };
    let on = if at < bend { at / bend } else { (at - bend) / share };
    let off = sub(p, mix(from, to, on.clamp(-0.3, 1.3)));
    [atan2(off[2], off[0] * elbow[0].signum()), (at - bend) / share]
}

/// How far creased cloth stands out at a place, or lies in; about 0. `across` is the way from the crease's middle to it,
/// `wide` and `long` are what a step across and one along measure.
fn relief(crease: &Crease, across: f32, [wide, long]: [f32; 2], along: f32) -> f32 {
    let [from, to] = crease.ends;
    let way = [(to[0] - from[0]) * wide, (to[1] - from[1]) * long];
    let a = [across * wide + 0.5 * way[0], (along - from[1]) * long];
    let square = (way[0] * way[0] + way[1] * way[1]).max(1e-6);
    let t = (a[0] * way[0] + a[1] * way[1]) / square;
    let fade = ss(-0.05, 0.30, t) * ss(1.05, 0.45, t);
    if fade <= 0.0 {
        return 0.0;
    }
    // It bows, as what hangs does, and fades at both ends.
    let held = t.clamp(0.0, 1.0);
    let bow = 0.12 * held * (1.0 - held) * square.sqrt();
    let far = [a[0] - way[0] * held, a[1] - way[1] * held + bow];
    let side = (way[0] * far[1] - way[1] * far[0]).signum();
    let d = (far[0] * far[0] + far[1] * far[1]).sqrt() * side / (crease.wide * (1.0 - 0.35 * held));
    if d.abs() > 5.0 {
        return 0.0;
    }
    let (up, down) = (d - 1.5, d + 1.7);
    let beside = 0.75 * exp(-up * up * 0.7) + 0.40 * exp(-down * down * 0.6);
    crease.deep * crease.wide * fade * (beside - exp(-d * d * 1.6))
}

/// How far a sleeve's cloth stands out.
fn sleeve(at: Place) -> f32 {
    let sum = CREASES.iter().fold(0.0, |sum, crease| {
        // By the half of the arm that most of it lies on: measures that changed at the elbow would be an edge there.
        let long = LONG[usize::from(crease.ends[0][1] + crease.ends[1][1] > 0.0)];
        // Around the arm by the shorter way.
        let turn = at[0] - 0.5 * (crease.ends[0][0] + crease.ends[1][0]);
        let turn = turn - std::f32::consts::TAU * (turn / std::f32::consts::TAU).round();
        sum + relief(crease, turn, [RADIUS, long], at[1])
    });
    sum * ss(-0.98, -0.80, at[1]) * ss(1.02, 0.94, at[1])
}

/// How bright creased cloth is, with what a step across and one downwards measure: what faces up is lit, valleys are
/// darker.
fn brightness(at: Place, [wide, long]: [f32; 2], height: impl Fn(Place) -> f32) -> f32 {
    const STEP: f32 = 0.012;
    let here = height(at);
    let up = (height([at[0], at[1] - STEP]) - height([at[0], at[1] + STEP])) / (2.0 * STEP * long);
    let aside = (height([at[0] + STEP, at[1]]) - height([at[0] - STEP, at[1]])) / (2.0 * STEP * wide);
    let lit = -0.40 * up - 0.14 * aside;
    (1.0 + lit.clamp(-0.26, 0.08) + 3.3 * here.min(0.007)).clamp(0.58, 1.10)
}

/// What is worn on the chest is drawn down from the armpits; a closed jacket is drawn to its button, anything else falls
/// and gathers at the waist. Sides and heights, these from the armpit.
const CLOSED: [Crease; 4] = [
    crease([1.24, 0.02], [0.72, -0.62], 0.060, 0.55),
    crease([-1.26, 0.10], [-0.78, -0.50], 0.055, 0.50),
    crease([1.12, -1.15], [0.55, -1.55], 0.050, 0.40),
    crease([-1.10, -1.35], [-0.50, -1.60], 0.050, 0.45),
];
const LOOSE: [Crease; 9] = [
    crease([1.22, 0.10], [0.52, -0.42], 0.058, 0.75),
    crease([1.20, -0.12], [0.74, -0.86], 0.060, 0.65),
    crease([-1.24, 0.14], [-0.60, -0.30], 0.055, 0.70),
    crease([-1.20, -0.10], [-0.70, -0.95], 0.062, 0.65),
    crease([0.62, -0.75], [0.30, -2.10], 0.070, 0.45),
    crease([-0.50, -0.95], [-0.36, -2.20], 0.070, 0.45),
    crease([1.10, -1.70], [0.20, -2.05], 0.058, 0.60),
    crease([-1.12, -1.95], [-0.25, -2.15], 0.055, 0.60),
    crease([1.08, -2.20], [0.35, -2.40], 0.052, 0.50),
];

/// How bright the chest's cloth is at a point, by its creases.
pub(crate) fn chest(p: V3, broad: f32, closed: bool) -> f32 {
    let list: &[Crease] = if closed { &CLOSED } else { &LOOSE };
    let before = ss(-0.1, 0.3, p[2]);
    if before <= 0.0 {
        return 1.0;
    }
    let height = |at: Place| {
        let off = |crease: &Crease| at[0] - 0.5 * (crease.ends[0][0] + crease.ends[1][0]);
        list.iter().fold(0.0, |sum, crease| sum + relief(crease, off(crease), [1.0; 2], at[1]))
    };
    1.0 + before * (brightness([p[0] / broad, p[1] - 4.10], [1.0, -1.0], height) - 1.0)
}

/// Rows of the weave that sleeves lie on, from the shoulder to the wrist; below are those of what has no creases.
const ROWS: [f32; 2] = [24.0, 440.0];
pub(crate) const PLAIN: f32 = 480.0;

/// Where on the weave a place lies.
pub(crate) fn texel(at: Place, side: f32) -> [f32; 2] {
    // What is seen of one sleeve is not the other's mirror.
    let other = if side < 0.0 { [0.035, 9.0] } else { [0.0; 2] };
    let row = ROWS[0] + (at[1] + 1.0) * 0.5 * (ROWS[1] - ROWS[0]) + other[1];
    // Never below zero, from where it would count the other way.
    [(at[0] / std::f32::consts::TAU + other[0] + 2.0) * WEAVE as f32, row.clamp(0.0, 455.0)]
}

/// How bright cloth is at a texel of the weave. An arm that is `bent` most of the time has more of its creases.
pub(crate) fn shade(u: usize, v: usize, bent: bool) -> f32 {
    let along = (v as f32 - ROWS[0]) / (ROWS[1] - ROWS[0]) * 2.0 - 1.0;
    if along > 1.02 {
        return 1.0;
    }
    let turn = u as f32 / WEAVE as f32;
    let at = [(turn - turn.round()) * std::f32::consts::TAU, along];
    let all = brightness(at, [RADIUS, 0.5 * (LONG[0] + LONG[1])], sleeve);
    let share = if bent { 1.0 } else { 1.0 - 0.6 * ss(-0.5, -0.2, along) };
    1.0 + share * (all - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeves_crease_at_the_elbow_and_not_at_their_ends() {
        let row = |along: f32| (ROWS[0] + (along + 1.0) * 0.5 * (ROWS[1] - ROWS[0])) as usize;
        let spread = |along: f32| {
            let all = (0..WEAVE).map(|u| shade(u, row(along), true));
            let [low, high] = all.fold([f32::MAX, f32::MIN], |[low, high], s| [low.min(s), high.max(s)]);
            high - low
        };
        assert!(spread(0.02) > 0.10, "{}", spread(0.02));
        assert!(spread(-0.99) < 0.01 && spread(1.015) < 0.01, "{} {}", spread(-0.99), spread(1.015));
        assert!(shade(7, WEAVE - 8, true) == 1.0, "what is below the sleeve's rows has no creases");
    }

    #[test]
    fn creases_go_on_around_the_arm() {
        let step = |u: usize, v: usize| (shade(u, v, true) - shade((u + 1) % WEAVE, v, true)).abs();
        let most = |u: usize| (24..440).map(|v| step(u, v)).fold(0.0, f32::max);
        let inner = (0..WEAVE - 1).map(most).fold(0.0, f32::max);
        assert!(most(WEAVE - 1) <= inner, "{} at the seam, {inner} elsewhere", most(WEAVE - 1));
    }
}
