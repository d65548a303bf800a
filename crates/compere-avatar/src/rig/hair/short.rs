//! Hair cut short: sides that lie to the head, and a top that is combed to one side.

use super::combed::{Comb, POINTS};
use super::groom::{Growth, Guides, Plait, along, resampled, trace};
use super::roots::{Root, roots};
use crate::maths::{Dice, lerp};
use crate::rig::body::skull::{Skull, angles};
use crate::rig::body::strands::Strands;
use crate::rig::ground::curve::relaxed;
use crate::rig::ground::v3::{V3, add, length, mul, norm, ss, sub};
use crate::rig::people::person::Hair;

/// Up to this height over the head hair lies as it grows.
const LOW: f32 = 0.040;

/// The head is known only about so well: what lies closer is in its skin here and there.
const CLOSE: f32 = 0.044;

/// Ends of hair that is cut short are thin, or an outline of them is a saw.
const FINE: [f32; 2] = [0.3, 0.95];

/// Cut short: lengths on top and at the sides, swept to a side.
pub(crate) fn short(style: Hair, [top, side, sweep]: [f32; 3], skull: &Skull, dice: &mut Dice) -> Strands {
    let comb = Comb::new(style, top, sweep, skull);
    let mut all = sides(style, side, &comb, skull, dice);
    comb.over(skull, dice, &mut all);
    all
}

/// What is cut close, and what the top grows out of.
fn sides(style: Hair, side: f32, comb: &Comb, skull: &Skull, dice: &mut Dice) -> Strands {
    let mut guides = Guides { curves: Vec::new(), keys: Vec::new(), each: Vec::new() };
    for root in roots(style, 6800, 5.0, dice) {
        let left = style.faded(root.d);
        if dice.unit() > dense(root) {
            continue;
        }
        let burn = burn(root.d);
        let length = lerp(long(root, side), 0.16, comb.crown(root.d)) * dice.between(0.8, 1.1) * trimmed(root.d);
        let mut curve = resampled(&lying(root, length, comb.flow(root.d), skull, dice), POINTS, 1.0);
        relaxed(&mut curve, 1);
        if curve.iter().any(|p| style.in_face(norm(sub(*p, skull.centre)))) {
            continue;
        }
        guides.curves.push(curve);
        guides.keys.push(root.d);
        guides.each.push([
            (1.0 - burn) * lerp(0.38, 1.0, ss(0.0, 10.0, root.above)) * lerp(0.5, 1.0, left),
            ss(9.0, 1.0, root.above),
        ]);
    }
    let lock = guides.bunch(420, |_, t| 0.03 * ss(0.0, 0.4, t), dice);
    let plait = Plait {
        children: 10,
        spread: 0.034,
        tip: 0.70,
        frizz: 0.002,
        uneven: 0.05,
        width: 0.0027,
        tone: 0.35,
        thins: FINE,
    };
    let mut all = guides.plaited(&lock, &plait, dice);
    for each in &mut all.each {
        // Finer than the top, and more of one tone: what lies this close is seen as one.
        each[0] *= 0.8;
        each[1] = lerp(0.5, each[1], 0.5);
    }
    // Single hairs that stand off are seen against what is behind as a row of teeth.
    for curve in &mut all.curves {
        let deep = 0.5 * dice.unit() * dice.unit();
        let last = (curve.len() - 1) as f32;
        for (at, p) in curve.iter_mut().enumerate() {
            let off = sub(*p, skull.centre);
            let d = norm(off);
            let over = length(off) - skull.radius(d);
            // Over the temples it goes over into the top, which is higher.
            let pressed = lerp(0.25, 0.7, ss(-12.0, 20.0, angles(d).1));
            let lies = if over > LOW { LOW + pressed * (over - LOW) } else { over };
            // Towards the ear it lies ever closer, as a slab ends in a step; but skin does not come through.
            let lies = (lies * lerp(0.50, 1.0, style.faded(d))).max(lies.min(CLOSE));
            // Ends lie to the head, or all of them together are a saw.
            let end = ss(0.35, 1.0, at as f32 / last);
            let lies = lies - 0.24 * end * (lies - 0.012).max(0.0);
            let lift = 0.8 * (1.0 - deep) * comb.lift(skull, d) * ss(0.0, 0.3, at as f32 / last);
            *p = add(skull.centre, mul(d, skull.radius(d) + lies + lift));
        }
    }
    let faces = |curve: &Vec<V3>| curve.iter().map(|p| mul(norm(sub(*p, skull.centre)), 0.62)).collect();
    all.faces = all.curves.iter().map(faces).collect();
    all
}

/// Which share of what could grow from a place does. Before the ears hairs of an edge stand apart, fewer towards the face
/// and towards the sideburn's end.
fn dense(root: Root) -> f32 {
    let (azimuth, elevation) = angles(root.d);
    let before = ss(80.0, 70.0, azimuth.abs()) * ss(2.0, -10.0, elevation);
    let apart = lerp(0.15, 1.0, ss(0.0, 9.0, root.above)) * ss(-48.0, -26.0, elevation);
    lerp(0.05, 1.0, ss(-46.0, -20.0, elevation)) * lerp(1.0, apart, before)
}

/// How much a place is of the sideburn's edge before the ear.
fn burn(d: V3) -> f32 {
    let (azimuth, elevation) = angles(d);
    0.3 * ss(92.0, 80.0, azimuth.abs()) * ss(0.0, -22.0, elevation)
}

/// How long hair at the side is: towards the neck and the ears, and along its edge, it is cut closer.
fn long(root: Root, side: f32) -> f32 {
    let fade = ss(-52.0, 24.0, angles(root.d).1);
    side * lerp(0.5, 1.0, ss(0.0, 10.0, root.above)) * lerp(0.55, 1.25, fade)
}

/// How much longer or shorter than that it is, to lie well.
fn trimmed(d: V3) -> f32 {
    let (azimuth, elevation) = angles(d);
    // Long enough to run side by side: stubble that goes each its own way is felt. Where it meets the top it would stand off.
    let beside = lerp(1.8, 1.0, ss(-25.0, 5.0, elevation));
    // Sideburns are shorn, or their ends are a comb.
    let shorn = ss(80.0, 70.0, azimuth.abs()) * ss(10.0, -14.0, elevation);
    (1.0 - burn(d)) * beside * lerp(1.0, 0.55, shorn)
}

/// A hair that lies to the head: down and back, and in front as the top is combed.
fn lying(root: Root, length: f32, combed: V3, skull: &Skull, dice: &mut Dice) -> Vec<V3> {
    let d = root.d;
    let (azimuth, elevation) = angles(d);
    // Before the ear it hangs.
    let back = 0.75 - 0.6 * ss(84.0, 66.0, azimuth.abs()) * ss(4.0, -22.0, elevation);
    // At the corners of the forehead it leaves the face.
    let front = ss(66.0, 48.0, azimuth.abs()) * ss(-4.0, 10.0, elevation);
    let down = along([0.5 * azimuth.signum() * front, -1.0, -back - 0.5 * front], d);
    let way = add(mul(norm(down), 1.0 - front), mul(combed, front));
    let heading = norm(add(way, mul([dice.normal(), dice.normal(), dice.normal()], 0.015)));
    let growth = Growth {
        root: d,
        heading: norm(add(heading, mul(d, 0.02))),
        weight: 0.3 * (1.0 - front),
        shell: dice.between(0.010, 0.026),
        length,
        tip: f32::MIN,
    };
    trace(&growth, skull, None, |p, _| {
        let q = norm(sub(*p, skull.centre));
        mul(along(way, q), 1.5)
    })
}
