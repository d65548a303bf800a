//! The sides of a head, from the outline of the face to the ears.

use super::outline::hull;
use crate::rig::ground::data::{EYE_Y, Library, samples};
use crate::rig::ground::v3::{V3, ss};

/// Of what is measured: by height from below the cheekbones, and by depth from the ears to the brows.
const LOW: f32 = EYE_Y - 0.80;
const BACK: f32 = 0.10;
const STEP: f32 = 0.05;
const ROWS: usize = 30;
const COLUMNS: usize = 23;

/// How far the lens is from the plane of depth nought: what narrows towards the back more slowly than this is seen.
const LENS: f32 = 17.6;

/// No head is filled by more than this.
const MOST: f32 = 0.12;

type Side = [[f32; COLUMNS]; ROWS];

/// Behind the outline of a face the data's temples fall in, and widen again before the ears: a mask in front of a head.
/// From the brow to the ear each height is filled to the least line without a dent, ears go along.
pub(super) fn fill(library: &Library, rest: &mut [V3]) {
    let body = library.members(&["body"]);
    let is = measured(library, rest);
    let mut gap: Side = is.map(|row| {
        let full = hull(seen(row));
        std::array::from_fn(|at| (full[at] * (LENS - depth(at)) - row[at]).min(MOST))
    });
    for _ in 0..3 {
        gap = even(gap);
    }
    for v in body {
        let p = &mut rest[v as usize];
        let [x, y] = [(p[2] - BACK) / STEP, (p[1] - LOW) / STEP];
        if !(0.0..=COLUMNS as f32 - 1.0).contains(&x) || !(0.0..=ROWS as f32 - 1.0).contains(&y) {
            continue;
        }
        let ends = ss(2.0, 9.0, y) * ss(ROWS as f32 - 1.0, ROWS as f32 - 6.0, y);
        let side = ss(0.60, 0.92, p[0].abs() / read(&is, x, y).max(0.1));
        p[0] += p[0].signum() * read(&gap, x, y) * ends * side;
    }
}

fn depth(column: usize) -> f32 {
    BACK + column as f32 * STEP
}

/// Half of how wide the head is without its ears, everywhere at its sides.
fn measured(library: &Library, rest: &[V3]) -> Side {
    let mut out = [[0.0_f32; COLUMNS]; ROWS];
    let Some(body) = library.group("body") else { return out };
    for quad in library.quads.iter().filter(|quad| quad.group == body) {
        let corners = quad.corners.map(|v| rest[v as usize]);
        let masks = quad.corners.map(|v| library.masks[v as usize]);
        let near = corners.iter().all(|p| (p[2] - 0.65).abs() < 0.8 && p[0].abs() > 0.25 && (p[1] - EYE_Y).abs() < 1.2);
        if !near || masks.iter().any(|mask| mask[2] > 0.15 || mask[3] > 0.05) {
            continue;
        }
        for p in samples(corners) {
            let [x, y] = [(p[2] - BACK) / STEP + 0.5, (p[1] - LOW) / STEP + 0.5];
            if x >= 0.0 && y >= 0.0 && x < COLUMNS as f32 && y < ROWS as f32 {
                let cell = &mut out[y as usize][x as usize];
                *cell = cell.max(p[0].abs());
            }
        }
    }
    even(out.map(bridged))
}

/// Where ears are, what lies before and behind them.
fn bridged(row: [f32; COLUMNS]) -> [f32; COLUMNS] {
    let known = |at: &usize| row[*at] > 0.0;
    std::array::from_fn(|at| {
        let (before, after) = ((0..=at).rev().find(known), (at..COLUMNS).find(known));
        match (before, after) {
            (Some(a), Some(b)) if b > a => row[a] + (row[b] - row[a]) * (at - a) as f32 / (b - a) as f32,
            (Some(a), _) => row[a],
            (None, Some(b)) => row[b],
            (None, None) => 0.0,
        }
    })
}

/// As angles from the lens.
fn seen(row: [f32; COLUMNS]) -> [f32; COLUMNS] {
    std::array::from_fn(|at| row[at] / (LENS - depth(at)))
}

/// Means over neighbours.
fn even(side: Side) -> Side {
    std::array::from_fn(|y| {
        std::array::from_fn(|x| {
            let (mut sum, mut count) = (0.0, 0.0);
            for row in &side[y.saturating_sub(1)..=(y + 1).min(ROWS - 1)] {
                for cell in &row[x.saturating_sub(1)..=(x + 1).min(COLUMNS - 1)] {
                    sum += cell;
                    count += 1.0;
                }
            }
            sum / count
        })
    })
}

fn read(side: &Side, x: f32, y: f32) -> f32 {
    let (ix, iy) = ((x as usize).min(COLUMNS - 2), (y as usize).min(ROWS - 2));
    let (fx, fy) = (x - ix as f32, y - iy as f32);
    let row = |y: usize| side[y][ix] * (1.0 - fx) + side[y][ix + 1] * fx;
    row(iy) * (1.0 - fy) + row(iy + 1) * fy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::sculpt::sculpt;
    use crate::rig::body::skin::skin;
    use crate::rig::people::CAST;

    #[test]
    fn no_temple_falls_in_behind_a_face() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        for member in CAST.iter().filter(|member| ["nora", "kenji", "james"].contains(&member.alias)) {
            let body = sculpt(&library, &member.person).expect("a body");
            let skin = skin(&library, &body);
            let widest = |from: f32, to: f32| {
                let near = skin.points.iter().zip(skin.skin()).filter(|(p, traits)| {
                    traits.ear < 0.05 && (p[1] - EYE_Y - 0.15).abs() < 0.06 && (from..to).contains(&p[2])
                });
                near.map(|(p, _)| p[0].abs() / (LENS - p[2])).fold(0.0, f32::max)
            };
            let (face, temple) = (widest(0.90, 1.15), widest(0.60, 0.75));
            assert!(temple > 0.96 * face, "{}: {temple} behind {face}", member.alias);
        }
    }

    #[test]
    fn what_lies_under_an_ear_is_bridged() {
        let whole: [f32; COLUMNS] = std::array::from_fn(|at| 0.5 + at as f32 * 0.01);
        let mut row = whole;
        row[4..8].fill(0.0);
        assert!(bridged(row).iter().zip(whole).all(|(is, meant)| (is - meant).abs() < 1e-5));
    }
}
