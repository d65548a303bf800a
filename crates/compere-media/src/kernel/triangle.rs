//! Triangles on a grid of samples with depth, their colours carried from sample to sample in fixed point.

use std::borrow::Cow;

/// Side of a weave.
pub const WEAVE: usize = 512;
/// Samples that faster paths look at together.
pub(super) const LANES: usize = 8;

/// How bright cloth is between its points, 128 as it is: a square that repeats.
#[derive(Clone, Debug)]
pub struct Weave<'a> {
    /// With a few more behind, so that several bytes can be read at the last place.
    pub(super) texels: Cow<'a, [u8]>,
}

impl<'a> Weave<'a> {
    /// Bytes to have behind the last row: without them the whole weave is copied.
    pub const BEHIND: usize = LANES;

    /// Row by row; what is missing is as it is.
    pub fn new(texels: &'a [u8]) -> Self {
        const ALL: usize = WEAVE * WEAVE + LANES;
        if texels.len() >= ALL {
            return Self { texels: Cow::Borrowed(&texels[..ALL]) };
        }
        let mut own = vec![128; ALL];
        own.iter_mut().zip(texels).take(WEAVE * WEAVE).for_each(|(own, texel)| *own = *texel);
        Self { texels: Cow::Owned(own) }
    }

    #[inline]
    fn at(&self, u: i32, v: i32) -> i32 {
        i32::from(self.texels[(v as usize % WEAVE) * WEAVE + u as usize % WEAVE])
    }
}

/// Set up for [`super::Level::triangle`]: all about its first sample, the one to the right and the one below.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// First and last column, first and last row that it may touch, within the samples.
    pub columns: [i32; 2],
    pub rows: [i32; 2],
    /// No edge is negative inside: at the first sample, and how they change to the right and down.
    pub edges: [[i32; 3]; 3],
    pub depth: [f32; 3],
    /// Red, green, blue and the place in the weave, in 1/256.
    pub values: [[i32; 3]; 5],
}

/// Depths and colours, row by row.
#[derive(Clone, Debug)]
pub struct Samples {
    wide: usize,
    high: usize,
    /// With room for [`LANES`] beyond the last.
    pub(super) depth: Vec<f32>,
    /// As the bytes of an opaque pixel.
    pub(super) color: Vec<u32>,
}

impl Samples {
    /// With nothing on them.
    pub fn new(wide: usize, high: usize) -> Self {
        let room = wide * high + LANES;
        Self { wide, high, depth: vec![f32::MAX; room], color: vec![0; room] }
    }

    /// Takes everything off the columns from one to another of the first rows.
    pub fn clear(&mut self, from: usize, to: usize, rows: usize) {
        self.depth.chunks_exact_mut(self.wide).take(rows).for_each(|row| row[from..to].fill(f32::MAX));
    }

    /// Depths, `f32::MAX` where nothing is, and colours of a row.
    #[inline]
    pub fn row(&self, y: usize) -> (&[f32], &[u32]) {
        let span = y * self.wide..(y + 1) * self.wide;
        (&self.depth[span.clone()], &self.color[span])
    }

    /// Paints one sample if nothing is nearer.
    #[inline]
    pub fn put(&mut self, x: usize, y: usize, depth: f32, color: u32) {
        let cell = y * self.wide + x;
        if depth < self.depth[cell] {
            (self.depth[cell], self.color[cell]) = (depth, color);
        }
    }

    #[inline]
    pub(super) fn wide(&self) -> usize {
        self.wide
    }

    /// Whether a triangle lies within.
    pub(super) fn holds(&self, triangle: &Triangle) -> bool {
        let within = |[first, last]: [i32; 2], most: usize| first >= 0 && first <= last && (last as usize) < most;
        within(triangle.columns, self.wide) && within(triangle.rows, self.high)
    }
}

/// One opaque colour out of three channels in `weave`'s light.
#[inline]
pub(super) fn woven(channels: [i32; 3], weave: i32) -> u32 {
    let [r, g, b] = channels.map(|c| (c.wrapping_mul(weave) >> 7).clamp(0, 255) as u32);
    r | g << 8 | b << 16 | 0xff00_0000
}

pub(super) fn paint(triangle: &Triangle, weave: Option<&Weave<'_>>, samples: &mut Samples) {
    if !samples.holds(triangle) {
        return;
    }
    let Triangle { columns: [x0, x1], rows: [y0, y1], edges, depth, values } = *triangle;
    let mut row = edges.map(|[at, _, _]| at);
    for y in 0..=y1 - y0 {
        let start = (y0 + y) as usize * samples.wide + x0 as usize;
        let far = depth[0] + depth[2] * y as f32;
        let mut inside = row;
        let mut entered = false;
        for x in 0..=x1 - x0 {
            if inside[0] | inside[1] | inside[2] >= 0 {
                entered = true;
                let (cell, near) = (start + x as usize, far + depth[1] * x as f32);
                if near < samples.depth[cell] {
                    // Far outside of a thin triangle a value may wrap; inside it is back.
                    let [r, g, b, u, v] = values.map(|[at, right, down]| {
                        at.wrapping_add(right.wrapping_mul(x)).wrapping_add(down.wrapping_mul(y)) >> 8
                    });
                    let weave = weave.map_or(128, |weave| weave.at(u, v));
                    (samples.depth[cell], samples.color[cell]) = (near, woven([r, g, b], weave));
                }
            } else if entered {
                // A row of a triangle is one stretch.
                break;
            }
            (0..3).for_each(|k| inside[k] = inside[k].wrapping_add(edges[k][1]));
        }
        (0..3).for_each(|k| row[k] = row[k].wrapping_add(edges[k][2]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Level;
    use super::*;

    /// Of three corners, as those who use it do.
    fn triangle(corners: [[i32; 2]; 3], salt: i32) -> Triangle {
        let [a, b, c] = corners;
        let edge = |from: [i32; 2], to: [i32; 2]| {
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            [dx * (8 - from[1]) - dy * (8 - from[0]), -dy * 16, dx * 16]
        };
        Triangle {
            columns: [0, 37],
            rows: [0, 20],
            edges: [edge(b, c), edge(c, a), edge(a, b)],
            depth: [1000.0 + salt as f32 * 0.37, 0.31 * salt as f32, -7.3],
            values: [
                [9000, 310, -77],
                [60_000, -900, salt],
                [100, salt * 3, 5],
                [-70_000, 777, 31],
                [5, 19, 300 + salt],
            ],
        }
    }

    #[test]
    fn a_triangle_is_the_same_everywhere() {
        let texels: Vec<u8> = (0..WEAVE * WEAVE).map(|at| (at * 31 % 251) as u8).chain([128; Weave::BEHIND]).collect();
        let weave = Weave::new(&texels);
        assert!(matches!(weave.texels, Cow::Borrowed(_)));
        assert_eq!(Weave::new(&texels[..WEAVE * WEAVE]).texels, texels, "what is missing behind is added");
        let run = |level: Level| {
            let mut samples = Samples::new(38, 21);
            for turn in 0..60 {
                let place = |k: i32| [(turn * 37 + k * 211) % 640 - 20, (turn * 53 + k * 97) % 380 - 20];
                let triangle = triangle([place(1), place(2), place(5)], turn);
                level.triangle(&triangle, Some(&weave).filter(|_| turn % 3 != 0), &mut samples);
            }
            (samples.depth, samples.color)
        };
        let judge = run(Level::Scalar);
        assert!(judge.1.iter().filter(|color| **color != 0).count() > 200, "hardly anything was painted");
        for level in Level::available() {
            assert!(run(level) == judge, "{level:?}");
        }
    }

    #[test]
    fn what_reaches_out_of_the_samples_is_not_painted() {
        let mut samples = Samples::new(38, 21);
        for (columns, rows) in [([0, 38], [0, 20]), ([-1, 5], [0, 20]), ([0, 37], [0, 21]), ([5, 4], [0, 2])] {
            let outside = Triangle { columns, rows, ..triangle([[0, 0], [0, 300], [600, 0]], 1) };
            for level in Level::available() {
                level.triangle(&outside, None, &mut samples);
            }
        }
        assert!(samples.color.iter().all(|color| *color == 0));
    }
}
