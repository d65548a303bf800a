//! A bent patch as a picture sees it.

use std::sync::OnceLock;

use super::bend::Field;
use crate::bank::patch::{CORNER, SIDE, weights};
use crate::track::pose::Similarity;

/// Pixels between which places are looked up; in between they lie on a line.
pub(super) const BLOCK: usize = 8;
/// Numbers around a plane, so that four by four of them are always there.
const AROUND: usize = 2;
/// Places between two pixels that weights are kept for.
const FINE: usize = 256;

/// A plane of a patch as numbers, its border going on a little.
pub(super) struct Numbers {
    side: usize,
    numbers: Vec<f32>,
}

impl Numbers {
    pub(super) fn of(plane: &[u8], side: usize) -> Self {
        let wide = side + 2 * AROUND;
        let mut numbers = Vec::with_capacity(wide * wide);
        for y in 0..wide {
            let row = &plane[y.saturating_sub(AROUND).min(side - 1) * side..][..side];
            numbers.extend([f32::from(row[0]); AROUND]);
            numbers.extend(row.iter().map(|&value| f32::from(value)));
            numbers.extend([f32::from(row[side - 1]); AROUND]);
        }
        Self { side, numbers }
    }

    fn within(&self, place: [f32; 2]) -> [f32; 2] {
        place.map(|at| at.clamp(0.0, (self.side - 1) as f32))
    }

    /// Between four of them.
    #[inline]
    fn flat(&self, [x, y]: [f32; 2]) -> f32 {
        let (left, top) = (x as i32 as usize, y as i32 as usize);
        let (fx, fy) = (x - left as f32, y - top as f32);
        let wide = self.side + 2 * AROUND;
        let first = (top + AROUND) * wide + left + AROUND;
        let (Some([a, b]), Some([c, d])) =
            (self.numbers[first..].first_chunk::<2>(), self.numbers[first + wide..].first_chunk::<2>())
        else {
            return 0.0;
        };
        let (upper, lower) = (a + (b - a) * fx, c + (d - c) * fx);
        upper + (lower - upper) * fy
    }

    /// Between sixteen of them, after Catmull and Rom.
    #[inline]
    fn cubic(&self, [x, y]: [f32; 2], table: &[[f32; 4]; FINE + 1]) -> f32 {
        let (left, top) = (x as i32 as usize, y as i32 as usize);
        let fine = |part: f32| &table[((part * FINE as f32 + 0.5) as usize).min(FINE)];
        let (wx, wy) = (fine(x - left as f32), fine(y - top as f32));
        let wide = self.side + 2 * AROUND;
        let first = (top + AROUND - 1) * wide + left + AROUND - 1;
        let mut sums = [0.0f32; 4];
        for (k, wy) in wy.iter().enumerate() {
            let Some(row) = self.numbers[first + k * wide..].first_chunk::<4>() else { return 0.0 };
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += value * wy;
            }
        }
        (sums[0] * wx[0] + sums[1] * wx[1]) + (sums[2] * wx[2] + sums[3] * wx[3])
    }
}

fn table() -> &'static [[f32; 4]; FINE + 1] {
    static TABLE: OnceLock<[[f32; 4]; FINE + 1]> = OnceLock::new();
    TABLE.get_or_init(|| std::array::from_fn(|n| weights(n as f32 / FINE as f32)))
}

/// From pixels of a plane to places in a patch.
#[derive(Clone, Copy)]
pub(super) struct Way {
    corner: [f64; 2],
    across: [f64; 2],
    down: [f64; 2],
}

impl Way {
    /// `place` leads from the rectangle's first pixel, and `step` from one to the next, in pixels of the picture.
    pub(super) fn new(pose: &Similarity, place: [f64; 2], step: f64) -> Self {
        let [x, y] = pose.apply(place);
        let corner = [x - CORNER[0] as f64, y - CORNER[1] as f64];
        Self { corner, across: [pose.cos * step, pose.sin * step], down: [-pose.sin * step, pose.cos * step] }
    }

    pub(super) fn at(&self, x: usize, y: usize) -> [f32; 2] {
        std::array::from_fn(|k| (self.corner[k] + self.across[k] * x as f64 + self.down[k] * y as f64) as f32)
    }

    /// Where a pixel comes from when the patch is bent.
    fn bent(&self, field: Option<&Field>, x: usize, y: usize) -> [f32; 2] {
        let at = self.at(x, y);
        let Some(field) = field else { return at };
        let [dx, dy] = field.at(at[0], at[1]);
        [at[0] - dx, at[1] - dy]
    }

    /// A row of a bent plane, where blocks are `live`; elsewhere `out` stays. Colour is finely enough between four pixels.
    pub(super) fn row(&self, y: usize, field: Option<&Field>, from: &Numbers, live: &[bool], out: &mut [f32]) {
        let table = table();
        let mut known: Option<(usize, [f32; 2])> = None;
        for (block, out) in out.chunks_mut(BLOCK).enumerate().filter(|(block, _)| live[*block]) {
            let first = block * BLOCK;
            let here = match known {
                Some((at, place)) if at == first => place,
                _ => self.bent(field, first, y),
            };
            let next = self.bent(field, first + BLOCK, y);
            known = Some((first + BLOCK, next));
            let step = [0, 1].map(|k| (next[k] - here[k]) / BLOCK as f32);
            let place = |k: usize| [0, 1].map(|axis| here[axis] + step[axis] * k as f32);
            for (k, out) in out.iter_mut().enumerate() {
                *out = if from.side == SIDE {
                    from.cubic(from.within(place(k)), table)
                } else {
                    from.flat(from.within(place(k).map(|at| at / 2.0 - 0.25)))
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::patch::cubic;

    #[test]
    fn a_row_of_a_bent_patch_is_what_each_of_its_pixels_is() {
        let plane: Vec<u8> = (0..SIDE * SIDE)
            .map(|n| {
                (120.0 + 90.0 * compere_media::math::sinf((n % SIDE) as f32 / 4.0 + (n / SIDE) as f32 / 7.0)) as u8
            })
            .collect();
        let field = Field::new(&[[180.0, 260.0]], &[[186.0, 252.0]], &[]).expect("it moves");
        let pose = Similarity { cos: 1.1, sin: 0.05, x: -30.0, y: 9.0 };
        let way = Way::new(&pose, [100.0, 150.0], 1.0);
        let numbers = Numbers::of(&plane, SIDE);
        let (mut row, y) = (vec![-1.0; 133], 77);
        let mut live = vec![true; row.len().div_ceil(BLOCK)];
        live[2] = false;
        way.row(y, Some(&field), &numbers, &live, &mut row);
        for (x, &value) in row.iter().enumerate() {
            if x / BLOCK == 2 {
                assert!(value == -1.0, "a block that nobody looks at was written");
                continue;
            }
            let [px, py] = way.at(x, y);
            let [dx, dy] = field.at(px, py);
            let exact = f32::from(cubic(&plane, SIDE, SIDE, px - dx, py - dy));
            assert!((value - exact).abs() < 1.5, "{value} instead of {exact} at {x}");
        }
    }
}
