//! Hair styles.

use super::combed::Comb;
use super::groom::{BLUNT, Guides, Plait, along};
use super::locks::{Cover, Lock, cover, flyaways, spaced};
use super::roots::roots;
use crate::maths::{Dice, lerp};
use crate::rig::body::skull::{Skull, direction};
use crate::rig::body::strands::Strands;
use crate::rig::ground::v3::{V3, acos, add, cos, cross, dot, mul, norm, powi, sin, ss};
use crate::rig::people::person::Hair;

/// Loose curls: ringlets, each a lock.
pub(crate) fn ringlets(style: Hair, size: f32, skull: &Skull, dice: &mut Dice) -> Strands {
    const POINTS: usize = 22;
    let mut all = curls(style, 0.45 * size, skull, dice);
    let grown = roots(style, 2600, 2.0, dice);
    let places: Vec<V3> = grown.iter().map(|root| root.d).collect();
    let mut made = Vec::new();
    for at in spaced(&places, |at| 0.080 * lerp(0.7, 1.0, ss(0.0, 15.0, grown[at].above))) {
        let d = places[at];
        let edge = ss(-4.0, 16.0, grown[at].above);
        let long = size * lerp(0.45, 1.0, edge) * dice.between(0.72, 1.10);
        let base = add(skull.centre, mul(d, skull.radius(d)));
        let lean = [0.30 * dice.normal() + 0.25 * d[0], -0.35 + 0.3 * dice.normal(), 0.30 * dice.normal() + 0.3];
        let lean = along(lean, d);
        let out = norm(add(d, mul(lean, 0.6)));
        let across = norm(cross(out, [0.31, 0.9, -0.2]));
        let other = cross(out, across);
        let phase = dice.between(0.0, std::f32::consts::TAU);
        // Small ones turn often, large ones hardly: no two are alike.
        let coil = dice.between(0.040, 0.070) + 0.035 * dice.unit() * dice.unit();
        let turns = dice.between(0.50, 0.68) / coil * if dice.unit() < 0.5 { -1.0 } else { 1.0 };
        let line = (0..POINTS).map(|i| {
            let t = i as f32 / (POINTS - 1) as f32;
            let wide = coil * ss(0.0, 0.35, t) * (1.0 - 0.35 * t);
            let p = add(base, mul(out, long * t * (1.0 - 0.25 * t)));
            let p = add(p, mul(lean, 0.30 * long * t * t));
            add(p, add(mul(across, wide * cos(phase + t * turns)), mul(other, wide * sin(phase + t * turns))))
        });
        let wide = 0.027 * dice.between(0.60, 1.25);
        let fine = ss(7.0, 1.0, grown[at].above);
        made.push(Lock {
            line: line.collect(),
            wide,
            high: wide,
            root: 0.5,
            tip: 0.12,
            fine,
            tone: dice.between(0.0, 0.8),
        });
    }
    cover(&made, &Cover { strands: 30, frizz: 0.035, uneven: 0.45 }, skull.centre, dice, &mut all);
    all
}

/// A round cloud of curls.
pub(crate) fn curls(style: Hair, size: f32, skull: &Skull, dice: &mut Dice) -> Strands {
    const POINTS: usize = 22;
    let mut guides = Guides { curves: Vec::new(), keys: Vec::new(), each: Vec::new() };
    for root in roots(style, 3600, 3.5, dice) {
        let d = root.d;
        let edge = ss(-2.0, 18.0, root.above);
        // Low on the head few grow, and long ones would hang there as wires.
        let low = lerp(0.5, 1.0, ss(-0.70, -0.10, d[1]));
        let long = size * low * lerp(0.26, 1.0, edge) * (1.0 - 0.25 * powi(dice.unit(), 2));
        let base = add(skull.centre, mul(d, skull.radius(d) - 0.01));
        let lean = [dice.normal(), dice.normal() + 0.5, dice.normal() - 0.35];
        let out = norm(add(d, mul(lean, 0.14)));
        let across = norm(cross(out, [0.31, 0.9, -0.2]));
        let other = cross(out, across);
        let (coil, phase) = (dice.between(0.030, 0.052), dice.between(0.0, std::f32::consts::TAU));
        let turns = dice.between(10.0, 17.0) * if dice.unit() < 0.5 { -1.0 } else { 1.0 };
        let curve = (0..POINTS).map(|i| {
            let t = i as f32 / (POINTS - 1) as f32;
            let wide = coil * ss(0.0, 0.25, t) * (1.0 + 0.8 * t);
            let p = add(base, mul(out, long * t));
            let p = add(p, add(mul(across, wide * cos(phase + t * turns)), mul(other, wide * sin(phase + t * turns))));
            add(p, [0.0, -0.05 * t * t * size, 0.0])
        });
        guides.curves.push(curve.collect());
        guides.keys.push(d);
        guides.each.push([lerp(0.55, 1.0, edge), ss(6.0, 0.0, root.above)]);
    }
    let lock = guides.bunch(1800, |_, t| 0.3 * t, dice);
    let plait = Plait {
        children: 4,
        spread: 0.028,
        tip: 1.2,
        frizz: 0.028,
        uneven: 0.30,
        width: 0.0025,
        tone: 0.42,
        thins: BLUNT,
    };
    guides.plaited(&lock, &plait, dice)
}

/// Swept back over the skull and tied in a knot.
pub(crate) fn tied(style: Hair, [knot, high, part]: [f32; 3], skull: &Skull, dice: &mut Dice) -> Strands {
    const POINTS: usize = 22;
    let mut guides = Guides { curves: Vec::new(), keys: Vec::new(), each: Vec::new() };
    let tie = direction(180.0, high);
    for root in roots(style, 4400, 2.4, dice) {
        let d = root.d;
        let left = style.faded(d);
        if dice.unit() > left * lerp(0.45, 1.0, left) {
            continue;
        }
        let front = ss(-0.2, 0.7, d[2]);
        let off = ss(0.0, 0.25, (d[0] - part).abs());
        let side = if d[0] < part { -1.0 } else { 1.0 };
        let layer = dice.unit();
        // Flat at the edge and over the ears: what stands off there ends in a ledge.
        let flat = ss(0.0, 30.0, root.above) * lerp(0.45, 1.0, ss(0.80, 0.45, d[0].abs()));
        let shell = lerp(0.024, 0.035 + 0.020 * layer + 0.075 * front * lerp(0.6, 1.0, off), flat);
        // In front it is combed to its side first, from the parting.
        let bow = 0.30 * side * front * off;
        let angle = acos(dot(d, tie).clamp(-0.999, 0.999));
        let curve = (0..POINTS).map(|i| {
            let t = i as f32 / (POINTS - 1) as f32;
            let (a, b) = (sin(angle * (1.0 - t)) / sin(angle), sin(angle * t) / sin(angle));
            let way = add(mul(d, a), mul(tie, b));
            let way = norm(add(way, [bow * sin(t * std::f32::consts::PI) * 0.6, 0.0, 0.0]));
            let rise = ss(0.0, 0.18, t) * (1.0 - 0.35 * ss(0.6, 1.0, t));
            // Where it is gathered it rises to the knot, which else sits on it as on a shelf.
            let gathered = 0.45 * knot * ss(0.55, 1.0, t) * ss(0.3, 0.9, angle);
            add(skull.centre, mul(way, skull.radius(way) - 0.01 + shell * rise + gathered))
        });
        guides.curves.push(curve.collect());
        guides.keys.push(add(d, [side * 0.15, 0.0, 0.0]));
        let thin = lerp(0.5, 1.0, left) * (1.0 - 0.55 * ss(6.0, 0.0, root.above));
        guides.each.push([thin, ss(7.0, 1.0, root.above)]);
    }
    let lock = guides.bunch(160, |_, t| 0.20 * ss(0.0, 0.3, t), dice);
    let plait = Plait {
        children: 11,
        spread: 0.027,
        tip: 0.8,
        frizz: 0.005,
        uneven: 0.05,
        width: 0.0025,
        tone: 0.25,
        thins: BLUNT,
    };
    let mut all = guides.plaited(&lock, &plait, dice);
    Comb::tied(style, tie).furrowed(0.022, skull, &mut all);
    let combed: Vec<Lock> = guides.curves.iter().step_by(60).map(|line| combed(line.clone())).collect();
    flyaways(&combed, 30, skull.centre, dice, &mut all);
    let mut bun = Guides { curves: Vec::new(), keys: Vec::new(), each: Vec::new() };
    let middle = add(skull.centre, mul(tie, skull.radius(tie) + knot * 0.62));
    for _ in 0..520 {
        // Turns of a skein: circles round the knot's axis, each a little askew.
        let (phase, height) = (dice.between(0.0, std::f32::consts::TAU), dice.between(-0.85, 0.85));
        let wide = knot * (1.0 - height * height).max(0.05).sqrt() * dice.between(0.86, 1.0);
        let lean = dice.between(-0.5, 0.5);
        let across = norm(cross(tie, [0.2, 0.3, 0.9]));
        let other = cross(tie, across);
        let curve = (0..POINTS).map(|i| {
            let a = phase + i as f32 / (POINTS - 1) as f32 * 2.8;
            let up = knot * (height * 0.85 + 0.22 * lean * sin(a * 1.0 + phase));
            add(middle, add(mul(tie, up), add(mul(across, wide * cos(a)), mul(other, wide * sin(a)))))
        });
        bun.curves.push(curve.collect());
        bun.keys.push([cos(phase), height * 2.0, sin(phase)]);
        bun.each.push([1.0, 0.0]);
    }
    let lock = bun.bunch(60, |_, _| 0.35, dice);
    let skein = Plait {
        children: 6,
        spread: 0.024,
        tip: 1.0,
        frizz: 0.030,
        uneven: 0.0,
        width: 0.0042,
        tone: 0.42,
        thins: BLUNT,
    };
    let bun = bun.plaited(&lock, &skein, dice);
    all.faces.extend(bun.curves.iter().map(|_| Vec::new()));
    all.curves.extend(bun.curves);
    all.each.extend(bun.each);
    all.guide.extend(bun.guide);
    all
}

/// A curve as a lock that nothing lies on but single hairs.
fn combed(line: Vec<V3>) -> Lock {
    Lock { line, wide: 0.02, high: 0.02, root: 0.5, tip: 0.2, fine: 0.5, tone: 0.5 }
}
