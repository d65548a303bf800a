//! What shades what: depth maps from where the key stands, and the body as a ground that arms throw shadows on.

use std::sync::OnceLock;

use compere_media::Pixmap;

use crate::keep::keep;
use crate::rig::ground::v3::{V3, add, cross, dot, floor, length, mul, norm, ss, sub};

/// Cells of a depth map to a side, and model units they stand for.
pub(crate) const MAP: usize = 256;
const SPAN: f32 = 8.2;
/// Plate pixels to a side of a cell of the ground.
pub(crate) const CELL: usize = 4;

pub(crate) const EMPTY: f32 = -1e9;

/// A point of the body seen at a cell of the plate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lit {
    pub(crate) at: V3,
    pub(crate) normal: V3,
    /// How much of its light is the key's; below zero where there is nothing.
    pub(crate) share: f32,
}

keep!(Lit { at, normal, share });

#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// The body's plate, and how far each pixel of it is from the camera, [`deep`].
    pub(crate) body: Pixmap,
    pub(crate) depth: Vec<u16>,
    pub(crate) columns: usize,
    pub(crate) lit: Vec<Lit>,
    /// Which of these there are, a sixth of them.
    pub(crate) there: OnceLock<Vec<u32>>,
    /// How near to the key what does not move stands.
    pub(crate) still: Vec<f32>,
}

keep!(Ground { body, depth, columns, lit, there, still });

impl Ground {
    /// The cells of the body, with their numbers.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, &Lit)> {
        let there = self
            .there
            .get_or_init(|| (0..).zip(&self.lit).filter(|cell| cell.1.share >= 0.0).map(|cell| cell.0).collect());
        there.iter().map(|&at| (at as usize, &self.lit[at as usize]))
    }
}

/// A distance from the camera in 1/4096 model unit, from 10 on.
pub(crate) fn deep(distance: f32) -> u16 {
    ((distance - 10.0) * 4096.0).clamp(0.0, 65534.0) as u16
}

/// A view from where the key stands.
#[derive(Clone, Copy)]
pub(crate) struct View {
    x: V3,
    y: V3,
    d: V3,
}

impl View {
    pub(crate) fn new(to_key: V3) -> Self {
        let d = norm(to_key);
        let x = norm(cross([0.0, 1.0, 0.0], d));
        Self { x, y: cross(d, x), d }
    }

    /// Where on a map, and how near to the key.
    #[inline]
    pub(crate) fn seen(&self, p: V3) -> V3 {
        const SCALE: f32 = MAP as f32 / SPAN;
        let q = [p[0], p[1] - 4.4, p[2] - 0.4];
        let middle = MAP as f32 * 0.5;
        [dot(q, self.x) * SCALE + middle, dot(q, self.y) * SCALE + middle, dot(q, self.d)]
    }
}

/// Cells of a map to a side of a block.
const BLOCK: usize = 8;

/// A depth map, and how near to the key the nearest in each block of it is: most places are asked for where nothing is.
pub(super) struct Shade<'a> {
    near: &'a [f32],
    blocks: Vec<f32>,
}

/// Marks a point with what lies between it and its neighbours.
#[inline]
pub(super) fn splat(map: &mut [f32], q: V3) {
    let (x, y) = (floor(q[0] - 0.5), floor(q[1] - 0.5));
    if x < 0 || y < 0 || x + 1 >= MAP as i32 || y + 1 >= MAP as i32 {
        return;
    }
    let at = y as usize * MAP + x as usize;
    for cell in [at, at + 1, at + MAP, at + MAP + 1] {
        if map[cell] < q[2] {
            map[cell] = q[2];
        }
    }
}

impl<'a> Shade<'a> {
    pub(super) fn new(near: &'a [f32]) -> Self {
        const BLOCKS: usize = MAP / BLOCK;
        let mut blocks = vec![EMPTY; BLOCKS * BLOCKS];
        for (row, blocks) in near.chunks(MAP * BLOCK).zip(blocks.chunks_mut(BLOCKS)) {
            for row in row.chunks(MAP) {
                for (block, cells) in blocks.iter_mut().zip(row.as_chunks::<BLOCK>().0) {
                    *block = cells.iter().fold(*block, |most, &cell| if cell > most { cell } else { most });
                }
            }
        }
        Self { near, blocks }
    }

    /// Whether nothing within `reach` cells of a place is nearer to the key than `q`.
    #[inline]
    fn is_open(&self, [x, y]: [i32; 2], q: V3, bias: f32, reach: i32) -> bool {
        let block = |v: i32| v as usize / BLOCK;
        let (left, right) = (block(x - reach), block(x + reach));
        (block(y - reach)..=block(y + reach)).all(|row| {
            let blocks = &self.blocks[row * (MAP / BLOCK)..];
            // As one cell is judged below.
            blocks[left] - q[2] - bias <= 0.0 && blocks[right] - q[2] - bias <= 0.0
        })
    }

    /// How much of the key passes to a point, read over `reach` cells to each side, no more than a block.
    #[inline]
    pub(super) fn passes(&self, q: V3, bias: f32, reach: i32) -> f32 {
        let (x, y) = (floor(q[0]), floor(q[1]));
        if x < reach || y < reach || x + reach >= MAP as i32 || y + reach >= MAP as i32 {
            return 1.0;
        }
        if self.is_open([x, y], q, bias, reach) {
            return 1.0;
        }
        // Weights of a tent about the very place.
        let wide = reach as f32 + 0.6;
        let tent = |v: f32, cell: i32| -> [f32; BLOCK] {
            std::array::from_fn(|d| (wide - ((cell - reach + d as i32) as f32 + 0.5 - v).abs()).max(0.0))
        };
        let (across, down) = (tent(q[0], x), tent(q[1], y));
        let cells = 2 * reach as usize + 1;
        let (mut seen, mut all) = (0.0, 0.0);
        for (dy, down) in down[..cells].iter().enumerate() {
            let row = (y - reach) as usize + dy;
            let row = row * MAP + (x - reach) as usize;
            for (across, &near) in across[..cells].iter().zip(&self.near[row..row + cells]) {
                let w = across * down;
                all += w;
                // Soft at its edge in depth, too.
                seen += w * (1.0 - ((near - q[2] - bias) * 14.0).clamp(0.0, 1.0));
            }
        }
        seen / all.max(1e-6)
    }
}

/// Each cell as the mean of those within `reach` of it, twice, along rows and then along columns. What is no number is not
/// there.
pub(super) fn softened(mut cells: Vec<f32>, columns: usize, reach: usize) -> Vec<f32> {
    let Some([left, right, top, low]) = around(&cells, columns, 3 * reach) else { return cells };
    let mut line = Vec::new();
    let mut along = |cells: &mut [f32], first: usize, step: usize, count: usize| {
        line.clear();
        line.extend(cells[first..].iter().step_by(step).take(count));
        means(&line, reach, |at, mean| cells[first + at * step] = mean);
    };
    for _ in 0..2 {
        (top..low).for_each(|row| along(&mut cells, row * columns + left, 1, right - left));
        (left..right).for_each(|column| along(&mut cells, top * columns + column, columns, low - top));
    }
    cells
}

/// From which column to which, and row, anything is but nothing, with `more` to each side: farther away nothing gets any
/// of it.
fn around(cells: &[f32], columns: usize, more: usize) -> Option<[usize; 4]> {
    let rows = cells.len() / columns.max(1);
    let shaded = |v: &f32| *v > 0.0;
    let [mut left, mut right, mut top, mut low] = [columns, 0, rows, 0];
    for (at, row) in cells.chunks_exact(columns.max(1)).enumerate() {
        if let (Some(first), Some(last)) = (row.iter().position(shaded), row.iter().rposition(shaded)) {
            (left, right, top, low) = (left.min(first), right.max(last + 1), top.min(at), at + 1);
        }
    }
    let wide =
        [left.saturating_sub(more), (right + more).min(columns), top.saturating_sub(more), (low + more).min(rows)];
    (right > 0).then_some(wide)
}

/// Gives the mean around every place of a line that is a number.
fn means(line: &[f32], reach: usize, mut give: impl FnMut(usize, f32)) {
    let part = |at: usize| line.get(at).filter(|v| !v.is_nan()).map_or((0.0, 0.0), |v| (*v, 1.0));
    let (mut sum, mut count) = (0.0_f32, 0.0_f32);
    for at in 0..line.len() + reach {
        let (comes, one) = part(at);
        (sum, count) = (sum + comes, count + one);
        if let Some(gone) = at.checked_sub(2 * reach + 1) {
            let (goes, one) = part(gone);
            (sum, count) = (sum - goes, count - one);
        }
        if let Some(middle) = at.checked_sub(reach).filter(|&middle| !line[middle].is_nan()) {
            // What was added and taken away again is not quite nothing.
            give(middle, if sum < 1e-4 { 0.0 } else { sum / count });
        }
    }
}

/// A part of an arm as a round body.
#[derive(Clone, Copy)]
pub(super) struct Capsule {
    from: V3,
    way: V3,
    /// The square of its length.
    long: f32,
    radius: f32,
    middle: V3,
    /// The square of how far from its middle it hides anything at all.
    far: f32,
}

impl Capsule {
    pub(super) fn new(from: V3, to: V3, radius: f32) -> Self {
        let way = sub(to, from);
        let far = 0.5 * length(way) + 3.0 * radius + 0.01;
        let middle = add(from, mul(way, 0.5));
        Self { from, way, long: dot(way, way).max(1e-6), radius, middle, far: far * far }
    }

    /// How much of the sky it hides from a point that looks in direction `n`.
    #[inline]
    pub(super) fn hides(&self, p: V3, n: V3) -> f32 {
        let off = sub(p, self.middle);
        if dot(off, off) > self.far {
            return 0.0;
        }
        let t = (dot(sub(p, self.from), self.way) / self.long).clamp(0.0, 1.0);
        let to = sub(add(self.from, mul(self.way, t)), p);
        let far = length(to).max(1e-4);
        if far > 3.0 * self.radius {
            return 0.0;
        }
        let near = self.radius / far.max(self.radius);
        (dot(n, to) / far).max(0.0) * near * near * ss(3.0, 1.5, far / self.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_with_nothing_between_it_and_the_key_is_in_full_light() {
        let mut map = vec![EMPTY; MAP * MAP];
        for at in 0..400_usize {
            map[at * 7919 % (MAP * MAP)] = (at % 13) as f32 - 6.0;
        }
        let (shade, mut open) = (Shade::new(&map), 0);
        for at in 0..4000_u32 {
            let q = [(at * 71 % 2500) as f32 * 0.1 + 3.0, (at * 37 % 2490) as f32 * 0.1 + 3.0, (at % 17) as f32 - 8.0];
            let reach = 1 + (at % 2) as i32;
            let around = [floor(q[0]), floor(q[1])];
            if shade.is_open(around, q, 0.05, reach) {
                open += 1;
                let cells = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| [dx, dy]));
                let nearest = cells
                    .map(|[dx, dy]| map[(around[1] + dy) as usize * MAP + (around[0] + dx) as usize])
                    .fold(EMPTY, f32::max);
                assert!(nearest <= q[2] + 0.051, "{q:?}");
                assert_eq!(shade.passes(q, 0.05, reach).to_bits(), 1.0_f32.to_bits());
            }
        }
        assert!((400..3600).contains(&open), "{open}");
    }

    #[test]
    fn a_shadow_gets_soft_and_does_not_leave_the_body() {
        // Ten rows of twelve: the upper half in the shade, and no body from the tenth column on.
        let cells: Vec<f32> = (0..120)
            .map(|at| match (at % 12, at / 12) {
                (10.., _) => f32::NAN,
                (_, ..5) => 1.0,
                _ => 0.0,
            })
            .collect();
        let soft = softened(cells.clone(), 12, 1);
        let column = |x: usize| (0..10).map(|y| soft[y * 12 + x]).collect::<Vec<f32>>();
        let near = |a: &f32, b: &f32| (a - b).abs() < 1e-5;
        assert!(column(0).iter().zip(&column(9)).all(|(a, b)| near(a, b)), "beside the body's edge as elsewhere");
        assert!(column(11).iter().all(|v| v.is_nan()));
        let down = column(4);
        assert!(near(&down[0], &1.0) && down[9] == 0.0, "{down:?}");
        assert!(down.windows(2).all(|two| two[0] > two[1] - 1e-5) && (0.3..0.7).contains(&down[4]), "{down:?}");
        let same = softened(cells, 12, 0);
        assert_eq!((same[4 * 12], same[5 * 12]), (1.0, 0.0));
    }
}
