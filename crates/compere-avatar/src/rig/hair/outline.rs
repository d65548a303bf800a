//! The outline of long hair, which is drawn first: what hangs is moved onto it.
//!
//! What each strand's own way makes of an outline is a lid with corners over walls that stand off by the same amount
//! everywhere. So it is told as one curve: a crown that is one arch from side to side, wherever the parting is, and sides that lie
//! to the temples, swing out and come in to the ends.

use crate::maths::lerp;
use crate::rig::body::skull::{Skull, direction};
use crate::rig::ground::curve::{even, read};
use crate::rig::ground::data::EYE_Y;
use crate::rig::ground::v3::{V3, atan2, cos, interp, norm, pow, sin, ss, sub};
use crate::rig::people::person::LongCut;

/// Of what is measured over the head, by the turn from one temple to the other, and below, by height.
const TURNS: usize = 37;
const ROWS: usize = 40;
const ROW: f32 = 0.08;

/// How far out hair is: over the head, and at both sides below its middle.
#[derive(Clone)]
struct Reach {
    over: [f32; TURNS],
    sides: [[f32; ROWS]; 2],
}

pub(super) struct Outline {
    centre: V3,
    is: Reach,
    meant: Reach,
}

impl Outline {
    pub(super) fn new<'p>(cut: LongCut, skull: &Skull, points: impl Iterator<Item = &'p V3>) -> Self {
        let is = measured(skull.centre, points);
        let meant = meant(cut, skull);
        Self { centre: skull.centre, is, meant }
    }

    /// Where a point of the hair lies then.
    pub(super) fn drawn(&self, p: V3) -> V3 {
        let off = sub(p, self.centre);
        let d = norm(off);
        // What lies over the forehead is no outline.
        let beside = ss(0.90, 0.40, d[2]);
        if off[1] >= 0.0 {
            let at = turn_of(off);
            let by = lerp(1.0, read(&self.meant.over, at) / read(&self.is.over, at), beside);
            return [p[0] * by, self.centre[1] + off[1] * by, p[2]];
        }
        let (side, at) = (usize::from(off[0] > 0.0), -off[1] / ROW);
        let [is, meant] = [&self.is, &self.meant].map(|reach| read(&reach.sides[side], at));
        // Towards the face it stays where it is: it lies on the cheek.
        let below = ss(0.0, 0.7, -off[1]);
        let share = pow((p[0].abs() / is).clamp(0.01, 1.0), lerp(1.0, 2.2, below));
        [p[0] + p[0].signum() * (meant - is) * share * lerp(beside, 1.0, below), p[1], p[2]]
    }
}

fn turn_of(off: V3) -> f32 {
    (atan2(off[0], off[1].max(0.0)).to_degrees() + 90.0) / 180.0 * (TURNS - 1) as f32
}

fn measured<'p>(centre: V3, points: impl Iterator<Item = &'p V3>) -> Reach {
    let mut out = Reach { over: [0.0; TURNS], sides: [[0.0; ROWS]; 2] };
    for p in points {
        let off = sub(*p, centre);
        if off[1] >= 0.0 {
            let cell = &mut out.over[((turn_of(off) + 0.5) as usize).min(TURNS - 1)];
            *cell = cell.max((off[0] * off[0] + off[1] * off[1]).sqrt());
        }
        if off[1] < 0.5 * ROW {
            let row = ((-off[1]).max(0.0) / ROW + 0.5) as usize;
            let cell = &mut out.sides[usize::from(off[0] > 0.0)][row.min(ROWS - 1)];
            *cell = cell.max(off[0].abs());
        }
    }
    // Below the ends it goes on as it came.
    for side in &mut out.sides {
        for row in 1..ROWS {
            if side[row] < 0.3 {
                side[row] = side[row - 1];
            }
        }
        *side = even(even(*side));
    }
    out.over = even(even(out.over));
    let ends = [out.sides[0][0], out.sides[1][0]];
    (out.over[0], out.over[TURNS - 1]) = (ends[0], ends[1]);
    out
}

/// How much higher than a skull the crown is, and how square its arch: 2 is an ellipse.
const RISE: f32 = 0.11;
const ROUND: f32 = 2.1;

/// How high locks stand over that.
const LAID: f32 = 0.035;

/// Slices of a head from the back to the front, of each of which the outline is measured.
const SLABS: usize = 8;

fn meant(cut: LongCut, skull: &Skull) -> Reach {
    let wide = 0.5 * (skull.radius(direction(90.0, 0.0)) + skull.radius(direction(-90.0, 0.0)));
    let fallen = skull.centre[1] - EYE_Y + cut.fall;
    let knots = cut.outline.map(|(down, over)| (down * fallen, wide + over));
    let mut side = std::array::from_fn(|row| interp(row as f32 * ROW, &knots));
    for _ in 0..8 {
        side = even(side);
    }
    let (wide, high) = (side[0], skull.radius([0.0, 1.0, 0.0]) + RISE);
    Reach { over: arch([wide; 2], high), sides: [side; 2] }
}

/// A crown as one bow from side to side, each of which may be as far out as it is.
fn arch(wide: [f32; 2], high: f32) -> [f32; TURNS] {
    std::array::from_fn(|turn| {
        let angle = turn as f32 / (TURNS - 1) as f32 * 180.0 - 90.0;
        let wide = wide[usize::from(angle > 0.0)];
        let [x, y] = [sin(angle.to_radians()).abs() / wide, cos(angle.to_radians()) / high].map(|v| v.max(1e-4));
        pow(pow(x, ROUND) + pow(y, ROUND), -1.0 / ROUND)
    })
}

/// Locks are flat where they grow and stand up beside it, each as high as it is: laid on a round surface they make a crown
/// with a corner at the parting. So what was laid is brought to one arch once more.
pub(super) fn arched(skull: &Skull, curves: &mut [Vec<V3>]) {
    let is = laid(skull.centre, curves);
    let high = skull.radius([0.0, 1.0, 0.0]) + RISE + LAID;
    let meant = arch([is[0], is[TURNS - 1]], high);
    let by: [f32; TURNS] = std::array::from_fn(|turn| {
        let angle = (turn as f32 / (TURNS - 1) as f32 * 180.0 - 90.0).abs();
        lerp(1.0, meant[turn] / is[turn], ss(90.0, 65.0, angle))
    });
    for p in curves.iter_mut().flatten() {
        let off = sub(*p, skull.centre);
        if off[1] > 0.0 {
            let by = lerp(1.0, read(&by, turn_of(off)), ss(0.90, 0.40, norm(off)[2]));
            *p = [p[0] * by, skull.centre[1] + off[1] * by, p[2]];
        }
    }
}

/// How far out most of what was laid is over the head, where that is farthest: single hairs are no outline.
fn laid(centre: V3, curves: &[Vec<V3>]) -> [f32; TURNS] {
    let mut cells = vec![Vec::new(); TURNS * SLABS];
    for p in curves.iter().step_by(3).flatten() {
        let off = sub(*p, centre);
        let slab = (norm(off)[2] + 0.6) / 1.2 * SLABS as f32;
        if off[1] >= 0.0 && slab >= 0.0 && slab < SLABS as f32 {
            let turn = ((turn_of(off) + 0.5) as usize).min(TURNS - 1);
            cells[turn * SLABS + slab as usize].push((off[0] * off[0] + off[1] * off[1]).sqrt());
        }
    }
    for cell in &mut cells {
        cell.sort_by(f32::total_cmp);
    }
    let most = |cell: &Vec<f32>| cell.get(cell.len() * 9 / 10).copied().unwrap_or(0.0);
    even(std::array::from_fn(|turn| cells[turn * SLABS..][..SLABS].iter().map(most).fold(0.1, f32::max)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is farthest out comes to lie where it was meant, what is nearer to the face half as much, and the fringe stays.
    #[test]
    fn what_is_outermost_is_moved_onto_the_outline() {
        let (is, meant) = (1.0, 1.2);
        let reach = |far: f32| Reach { over: [far; TURNS], sides: [[far; ROWS]; 2] };
        let outline = Outline { centre: [0.0; 3], is: reach(is), meant: reach(meant) };
        let near = |a: V3, b: V3| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(near(outline.drawn([-1.0, -1.0, 0.0]), [-1.2, -1.0, 0.0]));
        assert!(near(outline.drawn([0.0, 1.0, 0.0]), [0.0, 1.2, 0.0]));
        let inner = outline.drawn([0.5, -1.0, 0.0])[0] - 0.5;
        assert!(inner > 0.0 && inner < 0.1, "{inner}");
        assert!(near(outline.drawn([0.0, 0.2, 1.0]), [0.0, 0.2, 1.0]));
    }

    #[test]
    fn a_crown_with_a_corner_becomes_one_arch() {
        let arch = arch([1.0, 1.2], 1.3);
        assert!((arch[TURNS / 2] - 1.3).abs() < 1e-3 && (arch[0] - 1.0).abs() < 1e-2);
        assert!((arch[TURNS - 1] - 1.2).abs() < 1e-2);
        // One summit, which need not be the middle to a thousandth.
        let summit = (0..TURNS).max_by(|&a, &b| arch[a].total_cmp(&arch[b])).unwrap_or(0);
        assert!(summit.abs_diff(TURNS / 2) < TURNS / 8 && arch[summit] < 1.302, "{arch:?}");
        assert!(arch[..=summit].is_sorted() && arch[summit..].is_sorted_by(|a, b| a >= b), "{arch:?}");
    }
}
