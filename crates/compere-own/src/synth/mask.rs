//! The part of the face that is replaced: from over the nostrils, inside the cheeks, over the jaw, to the throat.

use crate::bank::patch::{CORNER, SIDE};
use crate::track::pose::{Canon, Point};
use compere_media::math;

/// Pixels over which the edge is soft.
const FEATHER: usize = 13;
/// Points of the edge that a bent patch holds on to.
const HELD: usize = 28;

/// Pixel by pixel of a patch, from 0 to 1.
#[derive(Clone, Debug)]
pub(crate) struct Mask {
    pub(crate) inside: Vec<f32>,
    /// Nothing changes where this is zero; it reaches a little further.
    pub(crate) reach: Vec<f32>,
    pub(crate) held: Vec<[f32; 2]>,
    /// Where a patch is looked at: a little further than anything changes, since what is coarse is blended over a wide rim.
    pub(crate) near: Vec<bool>,
    /// Pixels of its own extent, at the ends of rows and columns of eight.
    pub(crate) ends: Vec<Point>,
}

/// How far from what changes a patch is still looked at.
const NEAR: usize = 20;

impl Mask {
    pub(crate) fn of(canon: &Canon) -> Self {
        let hard = filled(&outline(canon));
        let inside = blurred(&eroded(&hard, FEATHER / 2), FEATHER as f64 / 2.0);
        let strong: Vec<f32> = inside.iter().map(|value| (value * 6.0).min(1.0)).collect();
        let reach: Vec<f32> =
            boxed(&strong, 2).into_iter().map(|value| if value < 1e-4 { 0.0 } else { value.min(1.0) }).collect();
        let held = edge(&inside, canon[152][1] - 20.0);
        let (near, ends) = (widened(&reach, NEAR), ends(&reach));
        Self { inside, reach, held, near, ends }
    }
}

/// Corners in canonical pixels.
fn outline(c: &Canon) -> Vec<Point> {
    let (nose, chin) = (c[2], c[152]);
    let width = c[291][0] - c[61][0];
    let between = |p: Point, q: Point, t: f64| [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
    // Nostrils do not move; a smiling base must not look out beside a round mouth.
    let mut outline = vec![[nose[0], nose[1] - 6.0]];
    for (corner, side, jaw, low, sign) in [(c[291], c[288], c[397], c[365], 1.0), (c[61], c[58], c[172], c[136], -1.0)]
    {
        let cheek = [side[0], corner[1]];
        let (high, level) = (between(corner, cheek, 0.60), between(corner, cheek, 0.62));
        let (upper, lower) = (between(chin, jaw, 0.70), between(chin, low, 0.98));
        let mut half = vec![
            [corner[0] + sign * 0.20 * width, nose[1] - 4.0],
            [high[0], high[1] - 30.0],
            [level[0], level[1] + 16.0],
            upper,
            [lower[0], lower[1] + 10.0],
            [chin[0] + sign * 0.40 * width, chin[1] + 40.0],
        ];
        if sign > 0.0 {
            outline.extend(half);
            outline.push([chin[0], chin[1] + 50.0]);
        } else {
            half.reverse();
            outline.extend(half);
        }
    }
    outline
}

/// The polygon as ones on zeros, by the even-odd rule at the middles of pixels.
fn filled(outline: &[Point]) -> Vec<f32> {
    let mut out = vec![0.0; SIDE * SIDE];
    for row in 0..SIDE {
        let y = (CORNER[1] + row) as f64 + 1e-6;
        let mut crossings: Vec<f64> = Vec::new();
        for (n, a) in outline.iter().enumerate() {
            let b = outline[(n + 1) % outline.len()];
            if (a[1] <= y) != (b[1] <= y) {
                crossings.push(a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]));
            }
        }
        crossings.sort_by(f64::total_cmp);
        for pair in crossings.as_chunks::<2>().0 {
            let inner = |x: f64| ((x - CORNER[0] as f64).max(0.0).ceil() as usize).min(SIDE);
            out[row * SIDE + inner(pair[0])..row * SIDE + inner(pair[1]).max(inner(pair[0]))].fill(1.0);
        }
    }
    out
}

/// The least of each neighbourhood.
fn eroded(from: &[f32], by: usize) -> Vec<f32> {
    let least = |from: &[f32], step: usize| {
        let mut out = from.to_vec();
        for (n, out) in out.iter_mut().enumerate() {
            let at = if step == 1 { n % SIDE } else { n / SIDE };
            let (first, last) = (at.saturating_sub(by), (at + by).min(SIDE - 1));
            let start = n - at * step;
            *out = (first..=last).map(|k| from[start + k * step]).fold(1.0, f32::min);
        }
        out
    };
    least(&least(from, 1), SIDE)
}

/// Whether anything lies within so many pixels, along rows and then along columns.
fn widened(reach: &[f32], by: usize) -> Vec<bool> {
    let beyond: Vec<f32> = reach.iter().map(|&value| if value > 0.0 { 0.0 } else { 1.0 }).collect();
    eroded(&beyond, by).into_iter().map(|least| least == 0.0).collect()
}

fn ends(reach: &[f32]) -> Vec<Point> {
    let is_end = |n: usize| {
        let (x, y) = (n % SIDE, n / SIDE);
        reach[n] > 0.0 && (x.is_multiple_of(8) || y.is_multiple_of(8) || x == SIDE - 1 || y == SIDE - 1)
    };
    let place = |n: usize| [(CORNER[0] + n % SIDE) as f64, (CORNER[1] + n / SIDE) as f64];
    (0..SIDE * SIDE).filter(|&n| is_end(n)).map(place).collect()
}

fn blurred(from: &[f32], sigma: f64) -> Vec<f32> {
    let reach = (3.0 * sigma).ceil() as isize;
    let weights: Vec<f32> =
        (-reach..=reach).map(|n| math::exp(-0.5 * (n as f64 / sigma) * (n as f64 / sigma)) as f32).collect();
    let sum: f32 = weights.iter().sum();
    filtered(from, &weights.iter().map(|weight| weight / sum).collect::<Vec<_>>())
}

fn boxed(from: &[f32], reach: usize) -> Vec<f32> {
    filtered(from, &vec![1.0 / (2 * reach + 1) as f32; 2 * reach + 1])
}

/// The same weights along both axes; zero beyond the border.
fn filtered(from: &[f32], weights: &[f32]) -> Vec<f32> {
    let reach = (weights.len() / 2) as isize;
    let along = |from: &[f32], step: usize| {
        let value = |n: usize| {
            let at = (if step == 1 { n % SIDE } else { n / SIDE }) as isize;
            let mut sum = 0.0;
            for (k, weight) in (-reach..=reach).zip(weights) {
                if (0..SIDE as isize).contains(&(at + k)) {
                    sum += weight * from[(n as isize + k * step as isize) as usize];
                }
            }
            sum
        };
        (0..SIDE * SIDE).map(value).collect::<Vec<f32>>()
    };
    along(&along(from, 1), SIDE)
}

/// Points on the edge, all around but not on the throat, which may move.
fn edge(inside: &[f32], lowest: f64) -> Vec<[f32; 2]> {
    let on = |x: f64, y: f64| {
        let fits = (0.0..SIDE as f64).contains(&x) && (0.0..SIDE as f64).contains(&y);
        fits && inside[y as usize * SIDE + x as usize] > 0.03
    };
    let sum = inside.iter().enumerate().fold([0.0, 0.0, 0.0], |sum, (n, &value)| {
        let value = f64::from(value);
        [sum[0] + value, sum[1] + value * (n % SIDE) as f64, sum[2] + value * (n / SIDE) as f64]
    });
    let centre = [sum[1] / sum[0].max(1.0), sum[2] / sum[0].max(1.0)];
    let mut held = Vec::new();
    for n in 0..HELD {
        let turn = std::f64::consts::TAU * n as f64 / HELD as f64;
        let (dx, dy) = (math::cos(turn), math::sin(turn));
        let far = (0..SIDE).rev().find(|&r| on(centre[0] + dx * r as f64, centre[1] + dy * r as f64)).unwrap_or(0);
        let (x, y) = (centre[0] + dx * far as f64 + CORNER[0] as f64, centre[1] + dy * far as f64 + CORNER[1] as f64);
        if y < lowest {
            held.push([x as f32, y as f32]);
        }
    }
    held
}
