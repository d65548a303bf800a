//! Creases of sleeves: lines on the sleeve laid flat, sharp in the valley and round beside it.

use compere_media::kernel::WEAVE;

use crate::rig::ground::v3::{V3, atan2, cos, dot, exp, mix, sin, ss, sub};

/// Where on a sleeve: radians around the arm, 0 outwards and a quarter turn to the front; and -1 at the shoulder, 0 at
/// the elbow, 1 at the wrist.
pub(crate) type Place = [f32; 2];

/// What a sleeve measures, in the body's units: across, and from shoulder to elbow and on to the wrist.
const RADIUS: f32 = 0.33;
pub(crate) const LONG: [f32; 2] = [2.35, 1.95];

/// One crease, from where it begins to where it fades.
#[derive(Debug)]
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
const CREASES: [Crease; 14] = [
    crease([2.1, -0.70], [0.35, -0.36], 0.105, 0.24),
    crease([2.2, -0.54], [1.0, -0.18], 0.085, 0.20),
    crease([-0.9, -0.34], [0.5, -0.16], 0.080, 0.16),
    crease([1.9, -0.06], [0.1, -0.22], 0.077, 0.42),
    crease([1.9, 0.01], [-0.4, 0.02], 0.066, 0.45),
    crease([2.0, 0.08], [0.4, 0.30], 0.073, 0.38),
    crease([1.3, 0.04], [-1.0, 0.20], 0.088, 0.38),
    crease([0.5, 0.13], [-1.7, 0.40], 0.088, 0.32),
    crease([-2.2, -0.70], [-0.9, -0.42], 0.075, 0.20),
    crease([1.6, 0.62], [0.0, 0.86], 0.054, 0.16),
    // Of an arm that is bent before the body the other side is seen.
    crease([0.1, 0.04], [-1.6, 0.20], 0.090, 0.17),
    crease([-2.4, 0.15], [-0.8, 0.40], 0.095, 0.15),
    crease([-0.3, 0.30], [-1.9, 0.50], 0.085, 0.11),
    crease([-2.2, 0.58], [-1.0, 0.74], 0.070, 0.09),
];

/// A short sleeve is drawn to the armpit, and stands off the arm below.
const SHORT: [Crease; 1] = [crease([-2.1, -0.72], [-0.7, -0.66], 0.100, 0.12)];

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

/// How bright cloth is beside a fold: dark at once below the edge that hangs over, softly lighter again away from it, and
/// light on its back. `across` is the way from the crease's middle, `size` what a step across and one along measure, and
/// `away` the side that looks away from the light.
fn fold(crease: &Crease, across: f32, [wide, long]: [f32; 2], along: f32, away: [f32; 2]) -> f32 {
    let [from, to] = crease.ends;
    let way = [(to[0] - from[0]) * wide, (to[1] - from[1]) * long];
    let a = [across * wide + 0.5 * way[0], (along - from[1]) * long];
    let square = (way[0] * way[0] + way[1] * way[1]).max(1e-6);
    let t = (a[0] * way[0] + a[1] * way[1]) / square;
    let fade = ss(-0.06, 0.16, t) * ss(1.05, 0.40, t);
    if fade <= 0.0 {
        return 1.0;
    }
    let held = t.clamp(0.0, 1.0);
    let reach = square.sqrt();
    let normal = [-way[1] / reach, way[0] / reach];
    let side = (normal[0] * away[0] + normal[1] * away[1]).signum();
    // It bows, as what hangs does, and gets finer towards its end.
    let bow = 0.12 * held * (1.0 - held) * reach;
    let off = side * ((a[0] - way[0] * held) * normal[0] + (a[1] - way[1] * held) * normal[1]) - bow;
    let d = off / (crease.wide * (1.0 - 0.45 * held));
    if d.abs() > 4.0 {
        return 1.0;
    }
    let edge = ss(-0.22, 0.12, d);
    let shadow = 0.65 * exp(-d * d * 0.7) + 0.35 * exp(-d * d * 7.0);
    let back = exp(-(d + 1.0) * (d + 1.0) * 1.5);
    1.0 + crease.deep * fade * (0.42 * back * (1.0 - edge) - shadow * edge)
}

/// How bright a sleeve's cloth is.
fn sleeve(at: Place, short: bool) -> f32 {
    let list: &[Crease] = if short { &SHORT } else { &CREASES };
    let all = list.iter().fold(1.0, |all, crease| {
        // By the half of the arm that most of it lies on: measures that changed at the elbow would be an edge there.
        let long = LONG[usize::from(crease.ends[0][1] + crease.ends[1][1] > 0.0)];
        // Around the arm by the shorter way.
        let turn = at[0] - 0.5 * (crease.ends[0][0] + crease.ends[1][0]);
        let turn = turn - std::f32::consts::TAU * (turn / std::f32::consts::TAU).round();
        all * fold(crease, turn, [RADIUS, long], at[1], [0.0, 1.0])
    });
    // In the armpit the sleeve goes over into the body, where a fold that began at once would be a dark block.
    let pit = ss(1.15, 1.95, at[0].abs()) * ss(-0.22, -0.50, at[1]);
    1.0 + (all - 1.0) * ss(-0.98, -0.90, at[1]) * ss(1.02, 0.94, at[1]) * (1.0 - pit)
}

/// What is worn on the chest is drawn down from the armpits; a closed jacket is drawn to its button, anything else falls
/// and gathers at the waist. Sides and heights, these from the armpit.
const CLOSED: [Crease; 2] =
    [crease([0.98, -0.26], [0.58, -0.90], 0.085, 0.22), crease([-0.98, -0.22], [-0.62, -0.82], 0.085, 0.20)];
/// Heights from the button.
const BUTTONED: [Crease; 6] = [
    crease([0.13, 0.04], [0.66, 0.36], 0.055, 0.18),
    crease([0.14, -0.10], [0.80, -0.06], 0.055, 0.20),
    crease([0.12, -0.16], [0.60, -0.50], 0.060, 0.16),
    crease([-0.13, 0.04], [-0.62, 0.40], 0.055, 0.18),
    crease([-0.14, -0.08], [-0.80, -0.12], 0.055, 0.20),
    crease([-0.12, -0.16], [-0.56, -0.54], 0.060, 0.16),
];
/// How far a fold at the button may be turned against those, in radians; how long it is, and how deep.
const TURNED: [f32; 2] = [-0.30, 0.30];
const REACH: [f32; 2] = [0.70, 1.20];
const DEPTH: [f32; 2] = [-0.35, 1.35];

/// How a closed jacket is drawn to its button: nobody's quite as another's.
#[derive(Debug)]
pub(crate) struct Drawn {
    folds: [Crease; 6],
    /// Where the ridges between the folds begin.
    pub(crate) phase: f32,
}

impl Drawn {
    /// `seed`: any number, of one person always the same.
    pub(crate) fn new(seed: f32) -> Self {
        let chance = |k: usize| {
            let v = seed * (3.17 + 1.93 * k as f32) + 0.61 * k as f32;
            v - v.floor()
        };
        let between = |[low, high]: [f32; 2], k: usize| low + (high - low) * chance(k);
        let folds = std::array::from_fn(|k| {
            let Crease { ends: [from, to], wide, deep } = BUTTONED[k];
            let (turn, long) = (between(TURNED, 3 * k), between(REACH, 3 * k + 1));
            let [x, y] = [(to[0] - from[0]) * long, (to[1] - from[1]) * long];
            let to = [from[0] + x * cos(turn) - y * sin(turn), from[1] + x * sin(turn) + y * cos(turn)];
            // Some are hardly there.
            crease(from, to, wide, deep * between(DEPTH, 3 * k + 2).max(0.0))
        });
        Self { folds, phase: chance(18) }
    }
}

const LOOSE: [Crease; 10] = [
    crease([0.42, -0.70], [0.22, -1.75], 0.160, 0.15),
    crease([-0.36, -0.80], [-0.30, -1.95], 0.160, 0.14),
    crease([1.00, -0.32], [0.26, -0.62], 0.120, 0.20),
    crease([0.98, -0.24], [0.56, 0.36], 0.130, 0.08),
    crease([-1.02, -0.28], [-0.30, -0.54], 0.120, 0.20),
    crease([-1.00, -0.20], [-0.60, 0.30], 0.130, 0.08),
    crease([0.98, -0.52], [0.52, -1.35], 0.120, 0.20),
    crease([-1.00, -0.50], [-0.50, -1.20], 0.120, 0.20),
    crease([0.95, -1.25], [0.10, -1.55], 0.110, 0.20),
    crease([-0.90, -1.40], [-0.10, -1.75], 0.110, 0.20),
];

/// How cloth lies on a chest.
pub(crate) enum Worn<'a> {
    /// Drawn to a button at that height.
    Closed(f32, &'a Drawn),
    /// Fallen, and how deep its folds are: the thinnest cloth has the shallowest, or it is dented.
    Loose(f32),
}

/// How bright the cloth on a chest is at a point, by its creases.
pub(crate) fn chest(p: V3, broad: f32, worn: &Worn<'_>) -> f32 {
    let before = ss(-0.1, 0.3, p[2]);
    if before <= 0.0 {
        return 1.0;
    }
    let along = |list: &[Crease], from: f32| {
        let at = [p[0] / broad, p[1] - from];
        list.iter().fold(1.0, |all, crease| {
            let off = at[0] - 0.5 * (crease.ends[0][0] + crease.ends[1][0]);
            all * fold(crease, off, [1.0; 2], at[1], [0.6, -0.8])
        })
    };
    let all = match worn {
        Worn::Closed(button, drawn) => along(&CLOSED, 4.10) * along(&drawn.folds, *button),
        Worn::Loose(deep) => {
            // Thin cloth is not gathered beside the armpit: all that begin there would be a crumpled patch.
            let calm = ss(0.95, 0.72, (p[0] / broad).abs());
            1.0 + deep * calm * (along(&LOOSE, 4.10) - 1.0)
        }
    };
    1.0 + before * (all * all - 1.0)
}

/// Rows of the weave that sleeves lie on, from the shoulder to the wrist; below are those of what has no creases.
const ROWS: [f32; 2] = [84.0, 440.0];
pub(crate) const PLAIN: f32 = 480.0;

/// Where on the weave a place lies.
pub(crate) fn texel(at: Place, side: f32, short: bool) -> [f32; 2] {
    // What is seen of one sleeve is not the other's mirror, but for the seam and for where a short one ends.
    let off = if side < 0.0 && !short { ss(-0.75, -0.55, at[1]) } else { 0.0 };
    let other = [0.035 * off, 9.0 * off];
    let row = ROWS[0] + (at[1] + 1.0) * 0.5 * (ROWS[1] - ROWS[0]) + other[1];
    // Never below zero, from where it would count the other way.
    [(at[0] / std::f32::consts::TAU + other[0] + 2.0) * WEAVE as f32, row.clamp(0.0, 455.0)]
}

/// What lies on a texel.
pub(crate) fn place(u: usize, v: usize) -> Place {
    let turn = u as f32 / WEAVE as f32;
    [(turn - turn.round()) * std::f32::consts::TAU, (v as f32 - ROWS[0]) / (ROWS[1] - ROWS[0]) * 2.0 - 1.0]
}

/// How large a texel is, around the arm and along it.
pub(crate) fn texels() -> [f32; 2] {
    [RADIUS * std::f32::consts::TAU / WEAVE as f32, (LONG[0] + LONG[1]) / (ROWS[1] - ROWS[0])]
}

/// How bright cloth is at a texel of the weave. An arm that is `bent` most of the time has more of its creases.
pub(crate) fn shade(u: usize, v: usize, bent: bool, short: bool) -> f32 {
    let at = place(u, v);
    if at[1] > 1.02 {
        return 1.0;
    }
    let all = sleeve(at, short);
    let share = if bent { 1.0 } else { 1.0 - 0.6 * ss(-0.5, -0.2, at[1]) };
    1.0 + share * (all - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeves_crease_at_the_elbow_and_not_at_their_ends() {
        let row = |along: f32| (ROWS[0] + (along + 1.0) * 0.5 * (ROWS[1] - ROWS[0])) as usize;
        let spread = |along: f32| {
            let all = (0..WEAVE).map(|u| shade(u, row(along), true, false));
            let [low, high] = all.fold([f32::MAX, f32::MIN], |[low, high], s| [low.min(s), high.max(s)]);
            high - low
        };
        assert!(spread(0.02) > 0.10, "{}", spread(0.02));
        assert!(spread(-0.99) < 0.01 && spread(1.015) < 0.01, "{} {}", spread(-0.99), spread(1.015));
        assert!(shade(7, WEAVE - 8, true, false) == 1.0, "what is below the sleeve's rows has no creases");
    }

    #[test]
    fn jackets_are_drawn_to_their_buttons_each_its_own_way() {
        let [a, b] = [Drawn::new(3.1), Drawn::new(-4.7)];
        let ends = |drawn: &Drawn| drawn.folds.each_ref().map(|fold| fold.ends[1]);
        assert_eq!(ends(&a), ends(&Drawn::new(3.1)));
        let apart =
            ends(&a).into_iter().zip(ends(&b)).filter(|(a, b)| (a[0] - b[0]).abs() + (a[1] - b[1]).abs() > 0.05);
        assert!(apart.count() >= 4, "{:?} {:?}", ends(&a), ends(&b));
        let all = a.folds.iter().chain(&b.folds);
        assert!(all.clone().all(|fold| (0.0..0.28).contains(&fold.deep) && fold.ends[1][0].abs() < 1.0), "{a:?} {b:?}");
    }

    #[test]
    fn creases_go_on_around_the_arm() {
        let step = |u: usize, v: usize| (shade(u, v, true, false) - shade((u + 1) % WEAVE, v, true, false)).abs();
        let most = |u: usize| (24..440).map(|v| step(u, v)).fold(0.0, f32::max);
        let inner = (0..WEAVE - 1).map(most).fold(0.0, f32::max);
        assert!(most(WEAVE - 1) <= inner, "{} at the seam, {inner} elsewhere", most(WEAVE - 1));
    }
}
