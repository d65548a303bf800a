//! Hair styles.

use super::groom::{Drape, Growth, Guides, Plait, relaxed, resampled, trace};
use super::locks::{Cover, Lock, cover, flyaways, spaced};
use super::roots::roots;
use crate::maths::{Dice, lerp};
use crate::rig::body::skull::{Skull, angles, direction};
use crate::rig::body::strands::Strands;
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, acos, add, cos, cross, dot, mix, mul, norm, powi, sin, ss, sub};
use crate::rig::people::person::{Hair, LongCut};

/// The part of `v` that lies along the surface at `d`.
pub(super) fn along(v: V3, d: V3) -> V3 {
    sub(v, mul(d, dot(v, d)))
}

/// Of a curve of hair that hangs.
const POINTS: usize = 24;

/// Parted, hanging down.
pub(crate) fn long(style: Hair, cut: LongCut, skull: &Skull, drape: &Drape, dice: &mut Dice) -> Strands {
    let mut guides = Guides { curves: Vec::new(), keys: Vec::new(), each: Vec::new() };
    let mut layers = Vec::new();
    for root in roots(style, 4300, 2.0, dice) {
        let d = root.d;
        let (azimuth, _) = angles(d);
        // The parting bends towards the middle at the crown.
        let parting = cut.part * (1.0 - 0.6 * ss(0.5, -0.4, d[2]));
        let side = if d[0] + dice.normal() * 0.012 < parting { -1.0 } else { 1.0 };
        let front = ss(0.15, 0.75, d[2]);
        let layer = dice.unit();
        // Next to the parting hair lies flat, or the head would show a ridge.
        let off = ss(0.0, 0.42, (d[0] - parting).abs());
        let shell = (0.3 * cut.volume * lerp(0.35, 1.0, layer)) * (0.50 + 0.50 * off);
        let ragged = dice.normal() * 0.05;
        let heading = along([side * lerp(0.6, 1.0, off), 0.15 + 0.5 * front, -0.42 + 0.1 * front], d);
        let heading = norm(add(heading, mul(d, 0.35 + 0.35 * front * off)));
        let frame = 0.38 * ss(95.0, 45.0, azimuth.abs());
        let tip = EYE_Y - cut.fall + ragged + layer * cut.layers + frame * cut.layers.min(0.6);
        let growth = Growth { root: d, heading, weight: 7.0, shell, length: 4.4, tip };
        let face = |p: &mut V3, gone: f32| {
            if p[2] > 0.35 {
                // Out of the face.
                let open = ss(EYE_Y + 1.20, EYE_Y + 0.30, p[1]) * ss(0.35, 0.7, p[2]);
                let least = lerp(parting * side, cut.open + 0.12 * layer, open);
                let x = p[0] * side;
                if x < least {
                    p[0] = side * lerp(x, least, 0.35 * open);
                }
            }
            let (away, high) = (p[0] - skull.centre[0], ss(EYE_Y - 0.1, EYE_Y + 0.6, p[1]));
            let back = [side * 0.4 * high, 3.0 * high, -2.2 * high * ss(-0.1, 0.5, p[2])];
            // What hangs wide of the head comes back to the neck, or it is a bell.
            let slim = cut.slim * ss(EYE_Y + 1.1, EYE_Y - 0.6, p[1]) * ss(0.62, 0.92, away.abs());
            let back = add(back, [-away.signum() * slim, 0.0, 0.0]);
            // Ends turn in, or out.
            let end = ss(0.55, 1.0, gone) * ss(growth.tip + 0.75, growth.tip + 0.1, p[1]);
            add(back, mul([-away.signum() * cut.turn_in, 0.0, -cut.turn_in * p[2].signum() * 0.6], end * 2.0))
        };
        let curve = trace(&growth, skull, Some(drape), face);
        let mut curve = resampled(&curve, POINTS, 1.0);
        relaxed(&mut curve, 3);
        guides.keys.push([d[0] * 1.2 + side * 0.2, d[1], d[2] * 1.2 + layer * 0.12]);
        guides.each.push([1.0 - 0.45 * ss(4.0, 0.0, root.above), ss(7.0, 1.0, root.above)]);
        guides.curves.push(curve);
        layers.push(layer);
    }
    // Behind the neck nothing may part.
    let behind: Vec<f32> = guides.keys.iter().map(|key| ss(-0.4, 0.1, key[2])).collect();
    let strength = |at: usize, t: f32| {
        let gathered = 0.5 * cut.locks * lerp(0.6, 1.4, behind[at]);
        gathered * (0.15 + 0.85 * t) * ss(0.1, 0.5, t)
    };
    let lock = guides.bunch(60, strength, dice);
    for (at, curve) in guides.curves.iter_mut().enumerate() {
        wave(curve, lock[at], cut.wave * 1.4, skull.centre);
        lift(curve, lock[at], behind[at], skull.centre);
    }
    guides.curves.iter_mut().flatten().for_each(|p| *p = shaped(*p, skull));
    let plait = Plait { children: 6, spread: 0.042, tip: 0.75, frizz: 0.02, uneven: 0.30, width: 0.0034, tone: 0.50 };
    // What lies deep shows between locks only.
    let deep = (0..layers.len()).filter(|&at| layers[at] < 0.45 && !hangs_apart(&guides.curves[at]));
    let deep: Vec<usize> = deep.collect();
    let bunch: Vec<usize> = deep.iter().map(|&at| lock[at]).collect();
    let mut all = guides.some(&deep).plaited(&bunch, &plait, dice);
    let mut made = masses(&guides, &layers, dice);
    made.extend(framing(style, cut, skull, drape, dice));
    made.retain(|lock| !hangs_apart(&lock.line));
    let mat = Cover { strands: 84, frizz: 0.02, uneven: 0.24 };
    cover(&made, &mat, skull.centre, dice, &mut all);
    flyaways(&made, 90, skull.centre, dice, &mut all);
    all
}

/// What strayed before the throat would hang there alone.
fn hangs_apart(curve: &[V3]) -> bool {
    curve.iter().any(|p| p[1] < EYE_Y - 0.9 && p[2] > 0.2 && p[0].abs() < 0.47)
}

/// Locks along the outermost guides.
fn masses(guides: &Guides, layers: &[f32], dice: &mut Dice) -> Vec<Lock> {
    let mut order: Vec<usize> = (0..guides.curves.len()).collect();
    order.sort_by(|&a, &b| layers[b].total_cmp(&layers[a]));
    // A lock at the very line would throw its underside over the forehead.
    order.retain(|&at| layers[at] > 0.55 && guides.each[at][1] < 0.75);
    let places: Vec<V3> = order.iter().map(|&at| guides.keys[at]).collect();
    let kept = spaced(&places, |_| 0.15);
    let lock = |at: usize| {
        let at = order[at];
        let mut line = guides.curves[at].clone();
        relaxed(&mut line, 3);
        let wide = 0.11 * dice.between(0.75, 1.2);
        Lock {
            line,
            wide,
            high: wide * 0.45,
            root: 0.10,
            tip: 0.22,
            fine: guides.each[at][1],
            tone: dice.between(0.25, 0.75),
        }
    };
    kept.into_iter().map(lock).collect()
}

/// Hair stands up at the crown: as even a coat it would be a hood.
fn shaped(p: V3, skull: &Skull) -> V3 {
    let q = sub(p, skull.centre);
    let d = norm(q);
    let over = dot(q, d) - skull.radius(d);
    add(p, mul(d, 0.15 * ss(-10.0, 62.0, angles(d).1) * ss(-0.01, 0.06, over)))
}

/// Locks that frame a face: from the parting over the temples, down the cheeks.
fn framing(style: Hair, cut: LongCut, skull: &Skull, drape: &Drape, dice: &mut Dice) -> Vec<Lock> {
    const COUNT: u8 = 6;
    let mut out = Vec::new();
    for side in [-1.0, 1.0] {
        for at in 0..COUNT {
            // From the foremost to the one before the ear.
            let back = (f32::from(at) + dice.between(-0.2, 0.2)) / f32::from(COUNT - 1);
            let mut line = resampled(&through(&frame(style, cut, skull, side, back, dice)), POINTS, 1.0);
            // On a cheek a wave would go behind it and leave a notch.
            let sways = 1.4 * cut.wave * lerp(0.15, 1.0, ss(0.0, 0.5, back));
            swing(&mut line, dice.between(0.0, 1.6), sways, skull.centre);
            line.iter_mut().for_each(|p| *p = shaped(drape.lift(*p, 0.16 + 0.10 * (1.0 - back)), skull));
            relaxed(&mut line, 2);
            let wide = 0.10 * dice.between(0.8, 1.2);
            let tone = dice.between(0.3, 0.7);
            out.push(Lock { line, wide, high: wide * 0.4, root: 0.06, tip: 0.12, fine: 0.3, tone });
        }
    }
    out
}

/// Places that a framing lock passes.
fn frame(style: Hair, cut: LongCut, skull: &Skull, side: f32, back: f32, dice: &mut Dice) -> Vec<V3> {
    let over = |azimuth: f32, elevation: f32, up: f32| {
        let d = direction(azimuth, elevation);
        add(skull.centre, mul(d, skull.radius(d) + up * cut.volume))
    };
    let high = lerp(style.line(0.0) + 8.0, 64.0, back).to_radians();
    let root = norm([cut.part + side * 0.035, sin(high), cos(high)]);
    let temple = side * lerp(39.0, 86.0, back);
    let up = 0.1 * (1.0 - back) * dice.between(0.8, 1.15);
    let brow = over(side * lerp(44.5, 96.0, back), lerp(-17.0, -10.0, back), 0.45);
    let ear = over(side * lerp(62.0, 102.0, back), lerp(-30.0, -24.0, back), 0.50);
    // The foremost lie on the outline of the cheek: it must not end in an edge before hair.
    let fore = ss(0.50, 0.0, back);
    let on_cheek = |down: f32, off: f32, z: f32, else_at: V3| {
        mix(else_at, [side * (skull.face(EYE_Y - down) + off), EYE_Y - down, z], fore)
    };
    let cheek = on_cheek(0.14, 0.01, 1.14, ear);
    let below = [ear[0], EYE_Y - 0.46, lerp(0.66, 0.20, back)];
    let below = on_cheek(0.46, 0.03, 1.06, below);
    let mut out = vec![
        add(skull.centre, mul(root, skull.radius(root) - 0.01)),
        over(lerp(angles(root).0, temple, 0.42), lerp(17.0, 54.0, back), up),
        over(temple, lerp(5.0, 18.0, back), 0.3),
        brow,
        cheek,
        below,
    ];
    let (wide, deep) = (ear[0].abs().max(below[0].abs()), lerp(0.66, 0.10, back));
    for (down, share) in [(0.80, 1.0), (1.30, lerp(1.0, 0.86, (cut.slim / 5.0).min(1.0)))] {
        if cut.fall > down + 0.25 {
            out.push([side * wide * share, EYE_Y - down, deep * lerp(1.0, 0.8, down)]);
        }
    }
    let end = EYE_Y - cut.fall + cut.layers * lerp(0.8, 0.3, back) + 0.10 * dice.normal().abs();
    let last = out[out.len() - 1];
    out.push([last[0] * lerp(0.98, 0.90, (cut.turn_in / 3.0).min(1.0)), end, last[2]]);
    out
}

/// A smooth line through places.
fn through(knots: &[V3]) -> Vec<V3> {
    let last = knots.len() - 1;
    let mut out = Vec::new();
    for at in 0..last {
        let [a, b, c, d] = [at.saturating_sub(1), at, at + 1, (at + 2).min(last)].map(|k| knots[k]);
        for step in 0..8 {
            let t = step as f32 / 8.0;
            let (t2, t3) = (t * t, t * t * t);
            out.push(std::array::from_fn(|k| {
                let ends = 2.0 * b[k] + (c[k] - a[k]) * t;
                let bow = (2.0 * a[k] - 5.0 * b[k] + 4.0 * c[k] - d[k]) * t2;
                0.5 * (ends + bow + (3.0 * b[k] - a[k] - 3.0 * c[k] + d[k]) * t3)
            }));
        }
    }
    out.push(knots[last]);
    out
}

/// Swings a hanging curve from side to side; locks swing each in their own time, neighbours nearly alike.
fn wave(curve: &mut [V3], lock: usize, strength: f32, centre: V3) {
    swing(curve, (lock as f32 * 0.618_034).fract() * 2.4, strength, centre);
}

fn swing(curve: &mut [V3], phase: f32, strength: f32, centre: V3) {
    let mut gone = 0.0;
    for at in 1..curve.len() {
        gone += crate::rig::ground::v3::length(sub(curve[at], curve[at - 1]));
        let down = ss(0.6, 2.0, gone) * strength;
        let p = curve[at];
        let out = norm([p[0] - centre[0], 0.0, p[2] - centre[2]]);
        let side = cross([0.0, 1.0, 0.0], out);
        let turn = p[1] * 5.4 + phase;
        curve[at] = add(p, add(mul(side, sin(turn) * 0.085 * down), mul(out, (cos(turn) + 0.3) * 0.06 * down)));
    }
}

/// Locks lie over and under each other: each a little higher or lower than its neighbours.
fn lift(curve: &mut [V3], lock: usize, share: f32, centre: V3) {
    let height = 0.16 * ((lock as f32 * 0.754_877).fract() - 0.4) * share;
    let last = curve.len() as f32 - 1.0;
    for (at, p) in curve.iter_mut().enumerate() {
        let out = norm(sub(*p, centre));
        *p = add(*p, mul([out[0], 0.3 * out[1], out[2]], height * ss(0.02, 0.30, at as f32 / last)));
    }
}

/// Loose curls: ringlets, each a lock.
pub(crate) fn ringlets(style: Hair, size: f32, skull: &Skull, dice: &mut Dice) -> Strands {
    const POINTS: usize = 22;
    let mut all = curls(style, 0.45 * size, skull, dice);
    let grown = roots(style, 2600, 2.0, dice);
    let places: Vec<V3> = grown.iter().map(|root| root.d).collect();
    let mut made = Vec::new();
    for at in spaced(&places, |at| 0.105 * lerp(0.7, 1.0, ss(0.0, 15.0, grown[at].above))) {
        let d = places[at];
        let edge = ss(-4.0, 16.0, grown[at].above);
        let long = size * lerp(0.45, 1.0, edge) * dice.between(0.8, 1.25);
        let base = add(skull.centre, mul(d, skull.radius(d)));
        let lean = [0.30 * dice.normal() + 0.25 * d[0], -0.35 + 0.3 * dice.normal(), 0.30 * dice.normal() + 0.3];
        let lean = along(lean, d);
        let out = norm(add(d, mul(lean, 0.6)));
        let across = norm(cross(out, [0.31, 0.9, -0.2]));
        let other = cross(out, across);
        let phase = dice.between(0.0, std::f32::consts::TAU);
        let turns = dice.between(7.5, 11.0) * if dice.unit() < 0.5 { -1.0 } else { 1.0 };
        let coil = dice.between(0.055, 0.080);
        let line = (0..POINTS).map(|i| {
            let t = i as f32 / (POINTS - 1) as f32;
            let wide = coil * ss(0.0, 0.35, t) * (1.0 - 0.35 * t);
            let p = add(base, mul(out, long * t * (1.0 - 0.25 * t)));
            let p = add(p, mul(lean, 0.30 * long * t * t));
            add(p, add(mul(across, wide * cos(phase + t * turns)), mul(other, wide * sin(phase + t * turns))))
        });
        let wide = 0.036 * dice.between(0.85, 1.2);
        let fine = ss(7.0, 1.0, grown[at].above);
        made.push(Lock {
            line: line.collect(),
            wide,
            high: wide,
            root: 0.5,
            tip: 0.15,
            fine,
            tone: dice.between(0.1, 0.7),
        });
    }
    cover(&made, &Cover { strands: 26, frizz: 0.006, uneven: 0.05 }, skull.centre, dice, &mut all);
    all
}

/// A round cloud of curls.
pub(crate) fn curls(style: Hair, size: f32, skull: &Skull, dice: &mut Dice) -> Strands {
    const POINTS: usize = 22;
    let mut guides = Guides { curves: Vec::new(), keys: Vec::new(), each: Vec::new() };
    for root in roots(style, 3600, 3.5, dice) {
        let d = root.d;
        let edge = ss(-2.0, 18.0, root.above);
        let long = size * lerp(0.26, 1.0, edge) * (1.0 - 0.62 * powi(dice.unit(), 2));
        let base = add(skull.centre, mul(d, skull.radius(d) - 0.01));
        let lean = [dice.normal(), dice.normal() + 0.5, dice.normal() - 0.35];
        let out = norm(add(d, mul(lean, 0.14)));
        let across = norm(cross(out, [0.31, 0.9, -0.2]));
        let other = cross(out, across);
        let (coil, phase) = (dice.between(0.030, 0.052), dice.between(0.0, std::f32::consts::TAU));
        let turns = dice.between(10.0, 17.0) * if dice.unit() < 0.5 { -1.0 } else { 1.0 };
        let curve = (0..POINTS).map(|i| {
            let t = i as f32 / (POINTS - 1) as f32;
            let wide = coil * ss(0.0, 0.25, t) * (1.0 - 0.25 * t);
            let p = add(base, mul(out, long * t));
            let p = add(p, add(mul(across, wide * cos(phase + t * turns)), mul(other, wide * sin(phase + t * turns))));
            add(p, [0.0, -0.05 * t * t * size, 0.0])
        });
        guides.curves.push(curve.collect());
        guides.keys.push(d);
        guides.each.push([lerp(0.55, 1.0, edge), ss(6.0, 0.0, root.above)]);
    }
    let lock = guides.bunch(700, |_, t| 0.12 * t, dice);
    let plait = Plait { children: 4, spread: 0.020, tip: 0.8, frizz: 0.014, uneven: 0.12, width: 0.0040, tone: 0.42 };
    guides.plaited(&lock, &plait, dice)
}

/// Swept back over the skull and tied in a knot.
pub(crate) fn tied(style: Hair, [knot, high, part]: [f32; 3], skull: &Skull, dice: &mut Dice) -> Strands {
    const POINTS: usize = 22;
    let mut guides = Guides { curves: Vec::new(), keys: Vec::new(), each: Vec::new() };
    let tie = direction(180.0, high);
    for root in roots(style, 4400, 1.6, dice) {
        let d = root.d;
        let front = ss(-0.2, 0.7, d[2]);
        let off = ss(0.0, 0.25, (d[0] - part).abs());
        let side = if d[0] < part { -1.0 } else { 1.0 };
        let layer = dice.unit();
        // Flat at the edge and over the ears: what stands off there ends in a ledge.
        let flat = ss(0.0, 30.0, root.above) * lerp(0.45, 1.0, ss(0.80, 0.45, d[0].abs()));
        let shell = lerp(0.012, 0.035 + 0.020 * layer + 0.075 * front * lerp(0.6, 1.0, off), flat);
        // In front it is combed to its side first, from the parting.
        let bow = 0.30 * side * front * off;
        let angle = acos(dot(d, tie).clamp(-0.999, 0.999));
        let curve = (0..POINTS).map(|i| {
            let t = i as f32 / (POINTS - 1) as f32;
            let (a, b) = (sin(angle * (1.0 - t)) / sin(angle), sin(angle * t) / sin(angle));
            let way = add(mul(d, a), mul(tie, b));
            let way = norm(add(way, [bow * sin(t * std::f32::consts::PI) * 0.6, 0.0, 0.0]));
            let rise = ss(0.0, 0.18, t) * (1.0 - 0.35 * ss(0.6, 1.0, t));
            add(skull.centre, mul(way, skull.radius(way) - 0.01 + shell * rise))
        });
        guides.curves.push(curve.collect());
        guides.keys.push(add(d, [side * 0.15, 0.0, 0.0]));
        guides.each.push([1.0 - 0.4 * ss(5.0, 0.0, root.above), ss(7.0, 1.0, root.above)]);
    }
    let lock = guides.bunch(160, |_, t| 0.20 * ss(0.0, 0.3, t), dice);
    let plait = Plait { children: 11, spread: 0.027, tip: 0.8, frizz: 0.005, uneven: 0.05, width: 0.0025, tone: 0.42 };
    let mut all = guides.plaited(&lock, &plait, dice);
    let combed: Vec<Lock> = guides.curves.iter().step_by(60).map(|line| combed(line.clone())).collect();
    flyaways(&combed, 60, skull.centre, dice, &mut all);
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
    let skein = Plait { children: 6, spread: 0.024, tip: 1.0, frizz: 0.030, uneven: 0.0, width: 0.0042, tone: 0.42 };
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
