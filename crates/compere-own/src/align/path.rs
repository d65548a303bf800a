//! Dynamic time warping: which row of one sound belongs to which row of another.
//!
//! Steps are (1, 1), (2, 1) and (1, 2); standing still costs extra. Long sounds are warped coarsely first, then finely
//! beside the coarse path, so that time and memory grow with the length and not with its square.

use super::cepstra::{Row, WIDTH};
use crate::maths::percentile;

/// Pairs of rows, rising in both.
pub(super) struct Path {
    pub(super) pairs: Vec<(f32, f32)>,
    /// Mean cost of a row.
    pub(super) cost: f32,
}

/// How far the slower of two speakers may lag, as a part of the whole.
const SLACK: f64 = 0.35;
/// Cells that are warped at once; more are warped coarsely first.
const CELLS: usize = 6_000_000;
/// Rows on both sides of the coarse path.
const BESIDE: usize = 90;
/// What standing still costs, in median distances.
const STILL: f32 = 0.15;

/// For each row of the first sound the rows of the second that are looked at.
type Band = Vec<(usize, usize)>;

pub(super) fn path(a: &[Row], b: &[Row]) -> Path {
    if a.is_empty() || b.is_empty() {
        return Path { pairs: vec![(0.0, 0.0)], cost: f32::MAX };
    }
    let band = open(a.len(), b.len());
    if cells(&band) <= CELLS {
        return warp(a, b, &band);
    }
    let mut by = 2;
    while cells(&open(a.len().div_ceil(by), b.len().div_ceil(by))) > CELLS {
        by += 1;
    }
    let coarse = path(&thinned(a, by), &thinned(b, by));
    warp(a, b, &beside(&coarse, by, a.len(), b.len()))
}

fn cells(band: &Band) -> usize {
    band.iter().map(|(first, end)| end - first).sum()
}

fn open(n: usize, m: usize) -> Band {
    let reach = SLACK * n.max(m) as f64 + 40.0;
    let row = |i: usize| {
        let middle = i as f64 * m as f64 / n as f64;
        (((middle - reach).max(0.0)) as usize, ((middle + reach) as usize + 1).min(m))
    };
    let mut band: Band = (0..n).map(row).collect();
    band[0].0 = 0;
    band[n - 1].1 = m;
    band
}

fn beside(coarse: &Path, by: usize, n: usize, m: usize) -> Band {
    let reach = BESIDE.max(3 * by);
    let mut band: Band = vec![(usize::MAX, 0); n];
    for pair in coarse.pairs.windows(2) {
        let rows = (pair[0].0 as usize * by)..=((pair[1].0 as usize + 1) * by).min(n - 1);
        let low = (pair[0].1 as usize * by).saturating_sub(reach);
        let high = ((pair[1].1 as usize + 1) * by + reach).min(m);
        for row in rows {
            band[row] = (band[row].0.min(low), band[row].1.max(high));
        }
    }
    for row in &mut band {
        if row.0 >= row.1 {
            *row = (0, m);
        }
    }
    (band[0].0, band[n - 1].1) = (0, m);
    band
}

/// Means of so many rows each.
pub(super) fn thinned(rows: &[Row], by: usize) -> Vec<Row> {
    let mean = |some: &[Row]| std::array::from_fn(|k| some.iter().map(|row| row[k]).sum::<f32>() / some.len() as f32);
    rows.chunks(by).map(mean).collect()
}

fn distance(a: &Row, b: &Row) -> f32 {
    let mut lanes = [0.0f32; 8];
    for k in (0..WIDTH).step_by(8) {
        for lane in 0..8 {
            let d = a[k + lane] - b[k + lane];
            lanes[lane] += d * d;
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (b + f) + ((c + g) + (d + h))).sqrt()
}

/// The way a cell was reached.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Step {
    Both,
    TwoOne,
    OneTwo,
    First,
    Second,
}

const FAR: f32 = 1e9;

/// One row of distances and of best sums, over its part of the band.
#[derive(Clone, Default)]
struct Line {
    first: usize,
    distances: Vec<f32>,
    sums: Vec<f32>,
}

impl Line {
    fn sum(&self, j: isize) -> f32 {
        Self::at(&self.sums, j - self.first as isize)
    }

    fn distance(&self, j: isize) -> f32 {
        Self::at(&self.distances, j - self.first as isize)
    }

    fn at(list: &[f32], at: isize) -> f32 {
        usize::try_from(at).ok().and_then(|at| list.get(at)).copied().unwrap_or(FAR)
    }
}

fn warp(a: &[Row], b: &[Row], band: &Band) -> Path {
    let price = STILL * median(a, b, band);
    let (mut before, mut last) = (Line::default(), Line::default());
    let mut steps: Vec<Vec<Step>> = Vec::with_capacity(a.len());
    for (i, &(first, end)) in band.iter().enumerate() {
        let distances: Vec<f32> = b[first..end].iter().map(|row| distance(&a[i], row)).collect();
        let mut line = Line { first, distances, sums: Vec::with_capacity(end - first) };
        let mut taken = Vec::with_capacity(end - first);
        for j in first as isize..end as isize {
            let here = line.distance(j);
            let start = if i == 0 && j == 0 { 0.0 } else { FAR };
            let ways = [
                (last.sum(j - 1).min(start) + here, Step::Both),
                (before.sum(j - 1) + last.distance(j) + here, Step::TwoOne),
                (last.sum(j - 2) + 0.5 * (line.distance(j - 1) + here), Step::OneTwo),
                (last.sum(j) + here + price, Step::First),
                (line.sum(j - 1) + here + price, Step::Second),
            ];
            let best = ways[1..].iter().fold(ways[0], |best, &way| if way.0 < best.0 { way } else { best });
            line.sums.push(best.0.min(FAR));
            taken.push(best.1);
        }
        steps.push(taken);
        before = std::mem::replace(&mut last, line);
    }
    let cost = last.sum(b.len() as isize - 1) / (a.len() + b.len()) as f32;
    Path { pairs: back(&steps, band, b.len()), cost }
}

/// Along the steps from the end to the start.
fn back(steps: &[Vec<Step>], band: &Band, m: usize) -> Vec<(f32, f32)> {
    let (mut i, mut j) = (steps.len() as isize - 1, m as isize - 1);
    let mut pairs = Vec::new();
    while i >= 0 && j >= 0 {
        pairs.push((i as f32, j as f32));
        let at = (j as usize).checked_sub(band[i as usize].0);
        let Some(&step) = at.and_then(|at| steps[i as usize].get(at)) else { break };
        match step {
            Step::Both => (i, j) = (i - 1, j - 1),
            Step::TwoOne => {
                pairs.push(((i - 1) as f32, j as f32));
                (i, j) = (i - 2, j - 1);
            }
            Step::OneTwo => {
                pairs.push((i as f32, (j - 1) as f32));
                (i, j) = (i - 1, j - 2);
            }
            Step::First => i -= 1,
            Step::Second => j -= 1,
        }
    }
    pairs.reverse();
    pairs
}

/// The median distance, from some thousand cells spread over the band.
fn median(a: &[Row], b: &[Row], band: &Band) -> f32 {
    let step = (cells(band) / 8192).max(1);
    let mut sample = Vec::new();
    let mut at = 0;
    for (i, &(first, end)) in band.iter().enumerate() {
        while at < end - first {
            sample.push(distance(&a[i], &b[first + at]));
            at += step;
        }
        at -= end - first;
    }
    percentile(&sample, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that tell where they are.
    fn sound(times: impl Iterator<Item = f32>) -> Vec<Row> {
        times
            .map(|t| std::array::from_fn(|k| compere_media::math::sinf(t * (0.03 + 0.011 * k as f32) + k as f32)))
            .collect()
    }

    fn worst(found: &Path, truth: impl Fn(f32) -> f32) -> f32 {
        found.pairs.iter().map(|&(a, b)| (b - truth(a)).abs()).fold(0.0, f32::max)
    }

    #[test]
    fn a_stretched_sound_is_followed_and_a_long_one_as_well() {
        for (n, most) in [(700, 3.0), (6_000, 4.0)] {
            let a = sound((0..n).map(|t| t as f32));
            let b = sound((0..n * 5 / 4).map(|t| t as f32 * 0.8));
            let found = path(&a, &b);
            assert!(found.pairs.windows(2).all(|w| w[0].0 <= w[1].0 && w[0].1 <= w[1].1));
            assert!(worst(&found, |a| a / 0.8) < most, "{n}: {}", worst(&found, |a| a / 0.8));
        }
    }
}
