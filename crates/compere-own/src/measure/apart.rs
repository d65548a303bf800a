//! Why a made mouth is not the true one: what the difference would be if one of its causes were gone.
//!
//! Every cause is taken away from the made picture with the help of the true one, and what is left is measured. The gains do
//! not add up; they say what would be worth mending.

use compere_media::math;

use super::{gained, mouth_box};
use crate::bank::patch::{CORNER, Patch, SIDE, cubic};
use crate::error::OwnError;
use crate::jpeg::planes_to_jpeg;
use crate::synth::bend::Field;
use crate::track::points::{LIP_POINTS, MOUTH_POINTS};
use crate::track::pose::MouthPoints;

/// Decibels between the mouths, each with one cause gone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Apart {
    /// Light and colour that differ over more than a lip's height.
    pub light: f64,
    /// The whole mouth elsewhere: the best place within some pixels.
    pub place: f64,
    /// Lips, chin and jaw elsewhere: bent to where they truly are.
    pub shape: f64,
    /// A picture too early or too late.
    pub time: f64,
    /// Edges softer or harder than the true ones.
    pub detail: f64,
    /// If nothing were wrong but the lips and what is between them; and the other way round.
    pub lips_only: f64,
    pub skin_only: f64,
}

/// Pixels, of the canonical face, over which light differs.
const LIGHT: f64 = 16.0;
/// Finer than this is detail.
const DETAIL: f64 = 1.5;
/// How far the whole mouth may be elsewhere, in pixels.
const PLACE: i32 = 6;
const COLUMNS: usize = 6;
/// How far beyond the lips' points the lips are seen.
const AROUND: f32 = 5.0;

/// A picture of a film as causes are looked for in it.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) patches: &'a [Patch],
    pub(super) mouths: &'a [MouthPoints],
}

/// Every third picture is looked at.
const STEP: usize = 3;

/// In the mean of a film: made, true.
pub(super) fn mean([made, truth]: &[Side<'_>; 2]) -> Apart {
    let all: Vec<Apart> = (0..made.patches.len()).step_by(STEP).map(|n| apart(made, truth, n)).collect();
    let of = |value: &dyn Fn(&Apart) -> f64| all.iter().map(value).sum::<f64>() / all.len().max(1) as f64;
    Apart {
        light: of(&|one| one.light),
        place: of(&|one| one.place),
        shape: of(&|one| one.shape),
        time: of(&|one| one.time),
        detail: of(&|one| one.detail),
        lips_only: of(&|one| one.lips_only),
        skin_only: of(&|one| one.skin_only),
    }
}

/// Mouths of films beside each other, below each other: true, made, and the difference twice as strong.
pub(super) fn strip([truth, made]: [&[Patch]; 2]) -> Result<Vec<u8>, OwnError> {
    let count = truth.len().min(made.len());
    let shown: Vec<usize> = (0..COLUMNS).map(|n| (2 * n + 1) * count / (2 * COLUMNS)).collect();
    let differences: Vec<Vec<u8>> = shown
        .iter()
        .map(|&n| {
            let difference = gained(&floats(&made[n]), &floats(&truth[n]));
            difference.iter().map(|value| (128.0 + 2.0 * value).clamp(0.0, 255.0) as u8).collect()
        })
        .collect();
    let mut grey = Vec::with_capacity(3 * COLUMNS * SIDE * SIDE);
    let mut add = |of: &dyn Fn(usize) -> Vec<u8>| {
        for y in 0..SIDE {
            (0..COLUMNS).for_each(|column| grey.extend_from_slice(&of(column)[y * SIDE..][..SIDE]));
        }
    };
    add(&|column| truth[shown[column]].y.clone());
    add(&|column| made[shown[column]].y.clone());
    add(&|column| differences[column].clone());
    planes_to_jpeg(&grey, COLUMNS * SIDE, 3 * SIDE, 90)
}

fn apart(made: &Side<'_>, truth: &Side<'_>, n: usize) -> Apart {
    let (a, b) = (floats(&made.patches[n]), floats(&truth.patches[n]));
    let difference: Vec<f32> = gained(&a, &b);
    let wide = blurred(&difference, LIGHT);
    let light: Vec<f32> = difference.iter().zip(&wide).map(|(d, wide)| d - wide).collect();
    let place = (-PLACE..=PLACE)
        .flat_map(|x| (-PLACE..=PLACE).map(move |y| (x, y)))
        .map(|(x, y)| decibels(&gained(&moved(&a, x, y), &b)))
        .fold(0.0, f64::max);
    let bent = bent(&made.patches[n], &made.mouths[n], &truth.mouths[n]);
    let near = n.saturating_sub(1)..(n + 2).min(made.patches.len());
    let time = near.map(|m| decibels(&gained(&floats(&made.patches[m]), &b))).fold(0.0, f64::max);
    let inside = lips(&made.mouths[n], &truth.mouths[n]);
    let part = |within: bool| {
        let kept = difference.iter().zip(&inside).map(|(d, inside)| if *inside == within { *d } else { 0.0 });
        decibels(&kept.collect::<Vec<_>>())
    };
    Apart {
        light: decibels(&light),
        place,
        shape: decibels(&gained(&bent, &b)),
        time,
        detail: decibels(&blurred(&difference, DETAIL)),
        lips_only: part(true),
        skin_only: part(false),
    }
}

pub(super) fn floats(patch: &Patch) -> Vec<f32> {
    patch.y.iter().map(|&value| f32::from(value) - 16.0).collect()
}

/// Of the mouth.
pub(super) fn decibels(difference: &[f32]) -> f64 {
    let square: f64 = mouth_box().map(|n| f64::from(difference[n]) * f64::from(difference[n])).sum();
    10.0 * math::log10(219.0 * 219.0 / (square / mouth_box().count() as f64).max(1e-3))
}

fn moved(of: &[f32], x: i32, y: i32) -> Vec<f32> {
    let mut out = of.to_vec();
    for n in mouth_box() {
        out[n] = of[(n as i32 + y * SIDE as i32 + x) as usize];
    }
    out
}

fn bent(patch: &Patch, from: &MouthPoints, to: &MouthPoints) -> Vec<f32> {
    let Some(field) = Field::new(from, to, &[]) else { return floats(patch) };
    let mut out = floats(patch);
    for n in mouth_box() {
        let (x, y) = ((n % SIDE) as f32, (n / SIDE) as f32);
        let [dx, dy] = field.at(x, y);
        out[n] = f32::from(cubic(&patch.y, SIDE, SIDE, x - dx, y - dy)) - 16.0;
    }
    out
}

/// Which pixels are lips in either picture: within the box around their points' rows, a little wider.
fn lips(made: &MouthPoints, truth: &MouthPoints) -> Vec<bool> {
    const { assert!(LIP_POINTS <= MOUTH_POINTS) };
    let mut out = vec![false; SIDE * SIDE];
    for mouth in [made, truth] {
        let outline: Vec<[f32; 2]> =
            mouth[..LIP_POINTS / 2].iter().map(|p| [p[0] - CORNER[0] as f32, p[1] - CORNER[1] as f32]).collect();
        for n in mouth_box() {
            out[n] |= within(&outline, [(n % SIDE) as f32, (n / SIDE) as f32]);
        }
    }
    out
}

/// Inside a polygon, or near to its edge.
fn within(outline: &[[f32; 2]], [x, y]: [f32; 2]) -> bool {
    let mut inside = false;
    for (n, a) in outline.iter().enumerate() {
        let b = outline[(n + 1) % outline.len()];
        if (a[1] <= y) != (b[1] <= y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) {
            inside = !inside;
        }
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let t = (((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy).max(1e-6)).clamp(0.0, 1.0);
        let (ox, oy) = (x - a[0] - t * dx, y - a[1] - t * dy);
        if ox * ox + oy * oy < AROUND * AROUND {
            return true;
        }
    }
    inside
}

/// A soft copy of a patch.
fn blurred(of: &[f32], sigma: f64) -> Vec<f32> {
    let reach = (3.0 * sigma).ceil() as i32;
    let weights: Vec<f32> =
        (-reach..=reach).map(|n| math::exp(-0.5 * (f64::from(n) / sigma) * (f64::from(n) / sigma)) as f32).collect();
    let sum: f32 = weights.iter().sum();
    let most = SIDE as i32 - 1;
    let along = |from: &[f32], across: bool| -> Vec<f32> {
        (0..SIDE * SIDE)
            .map(|n| {
                let (x, y) = ((n % SIDE) as i32, (n / SIDE) as i32);
                let at = |k: i32| {
                    let (x, y) = if across { ((x + k).clamp(0, most), y) } else { (x, (y + k).clamp(0, most)) };
                    from[y as usize * SIDE + x as usize]
                };
                (-reach..=reach).zip(&weights).map(|(k, weight)| weight * at(k)).sum::<f32>() / sum
            })
            .collect()
    };
    along(&along(of, true), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A face with something to see, moved by some pixels and lit from the side.
    fn seen([x, y]: [f32; 2], slope: f32) -> Patch {
        let value = |n: usize| {
            let (px, py) = ((n % SIDE) as f32 - x, (n / SIDE) as f32 - y);
            let wave = math::sinf(px / 7.0) * math::sinf(py / 5.0);
            (110.0 + 60.0 * wave + slope * (n % SIDE) as f32) as u8
        };
        let half = SIDE / 2;
        Patch { y: (0..SIDE * SIDE).map(value).collect(), u: vec![128; half * half], v: vec![128; half * half] }
    }

    fn mouth_at([x, y]: [f32; 2]) -> MouthPoints {
        let turn = |n: usize| n as f32 / MOUTH_POINTS as f32 * std::f32::consts::TAU;
        std::array::from_fn(|n| [180.0 + 40.0 * math::sinf(turn(n)) + x, 245.0 + 25.0 * math::sinf(turn(n) + 1.6) + y])
    }

    #[test]
    fn a_cause_is_found_where_it_is() {
        let truth = ([seen([0.0, 0.0], 0.0)], [mouth_at([0.0, 0.0])]);
        let against = |patch: Patch, mouth: MouthPoints| {
            let made = ([patch], [mouth]);
            let [made, truth] = [&made, &truth].map(|(patches, mouths)| Side { patches, mouths });
            let plain = decibels(&gained(&floats(&made.patches[0]), &floats(&truth.patches[0])));
            (plain, apart(&made, &truth, 0))
        };
        let (plain, same) = against(seen([0.0, 0.0], 0.0), mouth_at([0.0, 0.0]));
        assert!(plain > 70.0 && same.shape > 70.0, "{same:?}");
        let (plain, moved) = against(seen([3.0, -2.0], 0.0), mouth_at([3.0, -2.0]));
        assert!(moved.place > plain + 20.0 && moved.light < plain + 1.0, "{plain} {moved:?}");
        assert!(moved.shape > plain + 2.0, "points tell where the mouth is: {plain} {moved:?}");
        let (plain, lit) = against(seen([0.0, 0.0], 0.2), mouth_at([0.0, 0.0]));
        assert!(lit.light > plain + 2.0 && lit.place < plain + 1.0, "{plain} {lit:?}");
        let both = lit.lips_only.min(lit.skin_only);
        assert!(both >= plain, "less of a difference is no larger: {plain} {lit:?}");
    }
}
