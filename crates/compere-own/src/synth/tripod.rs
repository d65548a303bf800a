//! Before a camera on a tripod only the person moves: where that is, and what all else looks like without the camera's grain.
//!
//! A block stands still as long as it changes by no more than grain does, which is told from the stillest blocks there are. What
//! stands still becomes the middle of what it was over time, and the film is as it was filmed where somebody is; between the
//! two one fades into the other.

use compere_media::{Frame, Rect};

use super::planes::grey;
use crate::maths::percentile;

/// The side of a block that moves or stands still as a whole, and of the cells that it is looked at in.
pub(super) const BLOCK: usize = 16;
const CELL: usize = 8;
/// Every so many pictures are looked at.
const EVERY: usize = 2;
/// Pictures of the silent take that tell what stands still, and how many of their values in the middle.
const SAMPLES: usize = 27;
const MIDDLE: usize = 9;
/// A block stands still that changes by no more than so many times what the stillest do nine times of ten; in grey levels, within these.
const GRAIN: f32 = 2.8;
const LIMITS: [f32; 2] = [1.2, 4.0];
/// Part of the blocks that are taken for the stillest.
const STILLEST: f64 = 0.3;
/// With fewer blocks that stand still, as a part, the camera does not.
const TRIPOD: f64 = 0.35;

/// Takes while they are looked through.
pub(super) struct Sight {
    part: Rect,
    /// How many pictures the silent take has, which comes first, and how many came.
    silent: usize,
    seen: usize,
    /// Brightness of cells, in eighths of levels.
    cells: Vec<Vec<u16>>,
    samples: Vec<Vec<u8>>,
}

/// What was seen: where something moves, and what the rest looks like.
pub(super) struct Scenery {
    width: usize,
    /// Planes below each other, as pictures have them.
    pub(super) ground: Vec<u8>,
    /// Which blocks move, or lie beside one that does.
    pub(super) moved: Vec<bool>,
    /// How much of every pixel is as it was filmed.
    mask: Vec<u8>,
}

impl Sight {
    pub(super) fn new(part: Rect, silent: usize) -> Self {
        Self { part, silent: silent.max(1), seen: 0, cells: Vec::new(), samples: Vec::new() }
    }

    pub(super) fn add(&mut self, frame: &Frame) {
        let is_next = self.seen * SAMPLES >= self.samples.len() * self.silent;
        if self.seen < self.silent && self.samples.len() < SAMPLES && is_next {
            self.samples.push(grey(frame, self.part));
        }
        if self.seen.is_multiple_of(EVERY) {
            self.cells.push(cells(frame, self.part));
        }
        self.seen += 1;
    }

    /// `face` moves whatever was seen.
    pub(super) fn settled(self, face: Rect) -> Scenery {
        let (width, height) = (self.part.width() as usize, self.part.height() as usize);
        let size = [width.div_ceil(BLOCK), height.div_ceil(BLOCK)];
        let mut moved = self.moved(size);
        let still = moved.iter().filter(|moved| !**moved).count() as f64;
        if still < TRIPOD * moved.len() as f64 {
            moved.fill(true);
        }
        for (n, moved) in moved.iter_mut().enumerate() {
            let (x, y) = ((n % size[0] * BLOCK) as i32, (n / size[0] * BLOCK) as i32);
            *moved |= !Rect::new(x, y, x + BLOCK as i32, y + BLOCK as i32).intersect(face).is_empty();
        }
        let moved = grown(&filled(&moved, size), size);
        Scenery { width, mask: mask(&moved, size, [width, height]), ground: middle(&self.samples), moved }
    }

    /// Which blocks change by more than grain.
    fn moved(&self, [columns, rows]: [usize; 2]) -> Vec<bool> {
        let across = (self.part.width() as usize).div_ceil(CELL);
        let down = (self.part.height() as usize).div_ceil(CELL);
        let at: Vec<Vec<u16>> =
            (0..across * down).map(|cell| self.cells.iter().map(|picture| picture[cell]).collect()).collect();
        let usual = at.iter().map(|over_time| {
            let mut sorted = over_time.clone();
            let middle = sorted.len() / 2;
            *sorted.select_nth_unstable(middle).1
        });
        let usual: Vec<u16> = usual.collect();
        let changes: Vec<Vec<f32>> = (0..columns * rows)
            .map(|block| {
                let step = BLOCK / CELL;
                let (left, top) = (block % columns * step, block / columns * step);
                let of = (top..(top + step).min(down))
                    .flat_map(|row| (left..(left + step).min(across)).map(move |column| row * across + column));
                let of: Vec<usize> = of.collect();
                let change = |picture: usize| {
                    let sum: u32 = of.iter().map(|&cell| u32::from(at[cell][picture].abs_diff(usual[cell]))).sum();
                    sum as f32 / (8 * of.len()) as f32
                };
                (0..self.cells.len()).map(change).collect()
            })
            .collect();
        let mostly: Vec<f32> = changes.iter().map(|changes| percentile(changes, 0.9)).collect();
        let limit = (GRAIN * percentile(&mostly, STILLEST)).clamp(LIMITS[0], LIMITS[1]);
        changes.iter().map(|changes| changes.iter().any(|&change| change > limit)).collect()
    }
}

impl Scenery {
    /// Makes a picture what it is where something moves, and the scenery everywhere else.
    pub(super) fn lay(&self, picture: &mut [u8]) {
        let mix = |to: &mut u8, ground: u8, part: u8| {
            let (own, ground, part) = (u32::from(*to), u32::from(ground), u32::from(part));
            *to = ((own * part + ground * (255 - part) + 127) / 255) as u8;
        };
        let (luma, chroma) = picture.split_at_mut(self.mask.len());
        for (n, to) in luma.iter_mut().enumerate() {
            mix(to, self.ground[n], self.mask[n]);
        }
        // Rows of chroma have the first plane on the left and the second on the right.
        let half = self.width / 2;
        for (n, to) in chroma.iter_mut().enumerate() {
            let (row, column) = (n / self.width, n % self.width % half);
            mix(to, self.ground[self.mask.len() + n], self.mask[2 * row * self.width + 2 * column]);
        }
    }
}

fn cells(frame: &Frame, part: Rect) -> Vec<u16> {
    let wide = frame.width() as usize;
    let (columns, rows) = ((part.width() as usize).div_ceil(CELL), (part.height() as usize).div_ceil(CELL));
    let mut sums = vec![[0u32; 2]; columns * rows];
    for (row, y) in (part.y0 as usize..part.y1 as usize).enumerate() {
        let line = &frame.y()[y * wide + part.x0 as usize..y * wide + part.x1 as usize];
        for (cell, some) in line.chunks(CELL).enumerate() {
            let sum = &mut sums[row / CELL * columns + cell];
            sum[0] += some.iter().map(|&value| u32::from(value)).sum::<u32>();
            sum[1] += some.len() as u32;
        }
    }
    sums.into_iter().map(|[sum, count]| (8 * sum / count.max(1)) as u16).collect()
}

/// The mean of the middle of what every value was.
fn middle(samples: &[Vec<u8>]) -> Vec<u8> {
    let count = samples.len();
    let some = MIDDLE.min(count);
    let first = (count - some) / 2;
    let mut values = vec![0u8; count];
    let mut at = |n: usize| {
        values.iter_mut().zip(samples).for_each(|(value, sample)| *value = sample[n]);
        values.sort_unstable();
        let sum: usize = values[first..first + some].iter().map(|&value| usize::from(value)).sum();
        ((sum + some / 2) / some.max(1)) as u8
    };
    (0..samples.first().map_or(0, Vec::len)).map(&mut at).collect()
}

/// Marks, and all that touch one.
fn grown(marks: &[bool], [columns, rows]: [usize; 2]) -> Vec<bool> {
    let near = |at: usize, side: usize| at.saturating_sub(1)..(at + 2).min(side);
    let is = |n: usize| {
        near(n / columns, rows).any(|row| near(n % columns, columns).any(|column| marks[row * columns + column]))
    };
    (0..marks.len()).map(is).collect()
}

/// Marks, and what they enclose together with the lower edge, but for gaps of a block or two: the middle of a chest does not move
/// for itself.
fn filled(marks: &[bool], [columns, rows]: [usize; 2]) -> Vec<bool> {
    let closed = enclosed(&grown(marks, [columns, rows]), [columns, rows]);
    let outside: Vec<bool> = closed.into_iter().map(|inside| !inside).collect();
    marks.iter().zip(grown(&outside, [columns, rows])).map(|(&mark, outside)| mark || !outside).collect()
}

fn enclosed(marks: &[bool], [columns, rows]: [usize; 2]) -> Vec<bool> {
    let mut outside = vec![false; marks.len()];
    let border = (0..columns).chain((0..rows).flat_map(|row| [row * columns, (row + 1) * columns - 1]));
    let mut at: Vec<usize> = border.filter(|&n| !marks[n]).collect();
    while let Some(n) = at.pop() {
        if marks[n] || std::mem::replace(&mut outside[n], true) {
            continue;
        }
        let (x, y) = (n % columns, n / columns);
        at.extend((x > 0).then(|| n - 1));
        at.extend((x + 1 < columns).then_some(n + 1));
        at.extend((y > 0).then(|| n - columns));
        at.extend((y + 1 < rows).then_some(n + columns));
    }
    outside.into_iter().map(|outside| !outside).collect()
}

/// All of what moves but for the outer half of its blocks, over which it comes to nothing.
fn mask(moved: &[bool], [columns, rows]: [usize; 2], [width, height]: [usize; 2]) -> Vec<u8> {
    let spans = |length: usize, blocks: usize| -> Vec<(usize, usize, f32)> {
        let at = |n: usize| ((n as f32 + 0.5) / BLOCK as f32 - 0.5).clamp(0.0, (blocks - 1) as f32);
        (0..length).map(at).map(|at| (at as usize, (at as usize + 1).min(blocks - 1), at.fract())).collect()
    };
    let across = spans(width, columns);
    let mut out = Vec::with_capacity(width * height);
    for (top, low, fy) in spans(height, rows) {
        let is = |row: usize, column: usize| f32::from(u8::from(moved[row * columns + column]));
        out.extend(across.iter().map(|&(left, right, fx)| {
            let upper = is(top, left) + (is(top, right) - is(top, left)) * fx;
            let lower = is(low, left) + (is(low, right) - is(low, left)) * fx;
            let mean = upper + (lower - upper) * fy;
            ((2.0 * mean - 1.0).max(0.0) * 255.0 + 0.5) as u8
        }));
    }
    out
}
