//! Long hair, parted and hanging down.

use super::groom::{BLUNT, Drape, Guides, Plait, along};
use super::mane::{LAST, Mane, POINTS, SHORT, SHOULDER};
use super::outline::{Outline, arched};
use super::roots::roots;
use super::tresses::laid;
use crate::maths::{Dice, lerp};
use crate::rig::body::skull::Skull;
use crate::rig::body::strands::Strands;
use crate::rig::ground::v3::{V3, add, mul, norm, ss};
use crate::rig::people::person::{Hair, LongCut};

/// Parted, hanging down.
pub(crate) fn long(style: Hair, cut: LongCut, skull: &Skull, drape: &Drape, dice: &mut Dice) -> Strands {
    let mut all = grown(style, cut, skull, dice);
    mane(style, cut, skull, drape, dice, &mut all);
    arched(skull, &mut all.curves);
    // Ends are fine, or they are a brush's.
    for (width, at) in all.widths.iter_mut().zip(0_u8..) {
        let t = f32::from(at) / (POINTS - 1) as f32;
        *width *= (1.0 - 0.8 * ss(0.70, 1.0, t)) * (0.25 + 0.75 * ss(0.0, 0.12, t));
    }
    all
}

/// What hangs, to both sides.
fn mane(style: Hair, cut: LongCut, skull: &Skull, drape: &Drape, dice: &mut Dice, into: &mut Strands) {
    into.faces.resize(into.curves.len(), Vec::new());
    let whole = [(0.0, LAST)];
    let parted = [(0.0, SHOULDER), (SHOULDER, LAST)];
    let parts: &[(f32, f32)] = if cut.fall < SHORT { &whole } else { &parted };
    let stretches = [-1.0, 1.0].into_iter().flat_map(|side| parts.iter().map(move |part| (side, *part)));
    let mut manes: Vec<Mane<'_>> =
        stretches.map(|(side, part)| Mane::new(style, cut, skull, drape, side, part)).collect();
    let outline = Outline::new(cut, skull, manes.iter().flat_map(Mane::points));
    manes.iter_mut().for_each(|mane| mane.moved(|p| outline.drawn(p), drape));
    manes.iter().for_each(|mane| laid(mane, dice, into));
}

/// What grows below the mane and is seen at the hairline alone: it lies to the head, away from the face.
fn grown(style: Hair, cut: LongCut, skull: &Skull, dice: &mut Dice) -> Strands {
    let mut guides = Guides { curves: Vec::new(), keys: Vec::new(), each: Vec::new() };
    for root in roots(style, 4300, 1.6, dice) {
        // Beside the parting it would be combed across it.
        let beside = root.d[2] > 0.2 && (root.d[0] - cut.part).abs() < 0.12;
        if beside || root.d[2] > 0.45 || (root.above > 40.0 && root.d[1] > 0.0) {
            continue;
        }
        guides.curves.push(lying(root.d, cut, skull, dice));
        guides.keys.push(root.d);
        guides.each.push([1.0 - 0.45 * ss(4.0, 0.0, root.above), ss(7.0, 1.0, root.above)]);
    }
    let lock = guides.bunch(60, |_, t| 0.10 * t, dice);
    let plait = Plait {
        children: 6,
        spread: 0.036,
        tip: 0.75,
        frizz: 0.006,
        uneven: 0.25,
        width: 0.0034,
        tone: 0.4,
        thins: BLUNT,
    };
    guides.plaited(&lock, &plait, dice)
}

/// A hair on the head: to its side, away from the face, then down.
fn lying(root: V3, cut: LongCut, skull: &Skull, dice: &mut Dice) -> Vec<V3> {
    let parting = cut.part * (1.0 - 0.6 * ss(0.5, -0.4, root[2]));
    let side = if root[0] + dice.normal() * 0.012 < parting { -1.0 } else { 1.0 };
    let (long, shell) = (dice.between(0.30, 0.55), dice.between(0.006, 0.03));
    let astray = mul([dice.normal(), dice.normal(), dice.normal()], 0.08);
    let mut d = root;
    let step = long / (POINTS - 1) as f32;
    let point = |at: usize| {
        let t = at as f32 / (POINTS - 1) as f32;
        let p = add(skull.centre, mul(d, skull.radius(d) + shell * ss(0.0, 0.3, t) - 0.004));
        let front = ss(0.1, 0.6, d[2]);
        let low = ss(0.35, -0.05, d[1]) * (1.0 - front);
        // At the temples the mane falls over them: what is combed up would stand out between it and the face.
        let temple = ss(0.20, 0.05, root[1]) * ss(0.50, 0.64, root[0].abs());
        let up = lerp(0.55 * front * (1.0 - 0.6 * t), -0.9, temple);
        let way = along(add([side * lerp(lerp(0.9, 0.35, low), 0.25, temple), up - 0.9 * low, -0.55], astray), d);
        d = norm(add(d, mul(norm(way), step)));
        p
    };
    (0..POINTS).map(point).collect()
}
