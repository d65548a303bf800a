//! Pixel loops. The scalar path is the judge; every other path must give the same bytes.
//!
//! The faster paths are the same source compiled for more of the processor: the loops are written so that the compiler
//! turns them into vector code by itself, which keeps them honest and all but free of intrinsics.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod scalar;
mod triangle;

use std::sync::atomic::{AtomicBool, Ordering};

pub use scalar::{half_alpha, premultiply, rgb_of, yuv_of};
pub use triangle::{Samples, Triangle, WEAVE, Weave};

/// Side of what [`Level::warp`] paints at a time.
pub const CELL: usize = 8;

/// A square of pixels, row by row.
pub type Cell = [[[u8; 4]; CELL]; CELL];

/// A place, or a way to go, for each row of a cell: x and y.
pub type Places = [[i32; 2]; CELL];

/// Whether this process was asked to go without the faster paths.
static PLAIN: AtomicBool = AtomicBool::new(false);

/// From now on this process uses the scalar path, as a machine without vector units would: for those who doubt a film, and
/// for the test that no byte of it depends on the processor.
pub fn use_scalar_only() {
    PLAIN.store(true, Ordering::Relaxed);
}

/// A code path this machine can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
}

impl Level {
    /// The fastest path of this machine.
    pub fn best() -> Self {
        if PLAIN.load(Ordering::Relaxed) { Self::Scalar } else { Self::fastest() }
    }

    fn fastest() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = avx2::Avx2::detect() {
            return Self::Avx2(avx2);
        }
        Self::Scalar
    }

    /// Every path of this machine, the scalar one first.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self::Scalar];
        if Self::fastest() != Self::Scalar {
            levels.push(Self::fastest());
        }
        levels
    }

    /// `under = over + under * (255 - alpha) / 255`, with `over` and `alpha` first scaled by `opacity / 255`.
    pub fn blend(self, under: &mut [u8], over: &[u8], alpha: &[u8], opacity: u8) {
        assert!(under.len() == over.len() && under.len() == alpha.len(), "rows of one length");
        match self {
            Self::Scalar => scalar::blend(under, over, alpha, opacity),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.blend(under, over, alpha, opacity),
        }
    }

    /// One row of premultiplied RGBA to premultiplied luma and alpha.
    pub fn luma(self, rgba: &[[u8; 4]], y: &mut [u8], a: &mut [u8]) {
        assert!(rgba.len() == y.len() && rgba.len() == a.len(), "rows of one length");
        match self {
            Self::Scalar => scalar::luma(rgba, y, a),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.luma(rgba, y, a),
        }
    }

    /// Two rows of premultiplied RGBA to one row of premultiplied chroma and its alpha.
    pub fn chroma(self, rows: [&[[u8; 4]]; 2], u: &mut [u8], v: &mut [u8], a: &mut [u8]) {
        let half = rows[0].len() / 2;
        assert!(rows[0].len() == rows[1].len() && u.len() == half && v.len() == half && a.len() == half, "half rows");
        match self {
            Self::Scalar => scalar::chroma(rows, u, v, a),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.chroma(rows, u, v, a),
        }
    }

    /// One row of premultiplied luma in another light, 256 being as it is (no more than 100 away from it).
    pub fn light(self, out: &mut [u8], own: &[u8], alpha: &[u8], gain: u16) {
        assert!(out.len() == own.len() && out.len() == alpha.len(), "rows of one length");
        match self {
            Self::Scalar => scalar::light(out, own, alpha, gain),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.light(out, own, alpha, gain),
        }
    }

    /// One row of premultiplied chroma that takes colour of its surroundings, up to 30 either way, where the two rows of
    /// luma above it are dark.
    pub fn surround(self, out: &mut [u8], own: &[u8], luma: [&[u8]; 2], alpha: &[u8], shift: i8) {
        assert!(out.len() == own.len() && out.len() == alpha.len(), "rows of one length");
        assert!(luma.iter().all(|row| row.len() == 2 * out.len()), "half rows");
        match self {
            Self::Scalar => scalar::surround(out, own, luma, alpha, shift),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.surround(out, own, luma, alpha, shift),
        }
    }

    /// A cell out of `picture`, read between its pixels: row n starts at `from[n]` and goes on by `steps[n]`, in
    /// 1/2048 pixel. All of it, and a pixel to the right and below, lies in the picture.
    pub fn warp(self, picture: &[[u8; 4]], width: usize, from: &Places, steps: &Places, out: &mut Cell) {
        match self {
            Self::Scalar => scalar::warp(picture, width, from, steps, out),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.warp(picture, width, from, steps, out),
        }
    }

    /// Lays premultiplied pixels on others.
    pub fn lay(self, under: &mut Cell, over: &Cell) {
        match self {
            Self::Scalar => scalar::lay(under, over),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.lay(under, over),
        }
    }

    /// Paints a triangle where nothing nearer is, its colours woven if there is a weave.
    pub fn triangle(self, triangle: &Triangle, weave: Option<&Weave<'_>>, samples: &mut Samples) {
        match self {
            Self::Scalar => triangle::paint(triangle, weave, samples),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.triangle(triangle, weave, samples),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that repeat on every run.
    fn noise(seed: u32, len: usize) -> Vec<u8> {
        let mut state = seed.wrapping_mul(2_654_435_761) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            (state >> 11) as u8
        };
        (0..len).map(|_| next()).collect()
    }

    fn pixels(seed: u32, len: usize) -> Vec<[u8; 4]> {
        let straight = noise(seed, len * 4);
        let pixel = |c: &[u8]| crate::Rgb { r: c[0], g: c[1], b: c[2], a: c[3] }.premultiplied();
        straight.chunks_exact(4).map(pixel).collect()
    }

    #[test]
    fn blend_is_the_same_everywhere() {
        for opacity in [255, 254, 128, 1, 0] {
            let (alpha, under) = (noise(3, 4099), noise(2, 4099)); // not a multiple of any vector width
            let over: Vec<u8> = noise(1, 4099).iter().zip(&alpha).map(|(o, a)| o.min(a)).copied().collect();
            let mut judge = under.clone();
            Level::Scalar.blend(&mut judge, &over, &alpha, opacity);
            for level in Level::available() {
                let mut seen = under.clone();
                level.blend(&mut seen, &over, &alpha, opacity);
                assert_eq!(seen, judge, "{level:?} at opacity {opacity}");
            }
        }
    }

    /// In words of 16 bits, which say the same as whole ones do.
    #[test]
    fn light_is_the_same_everywhere_and_never_too_large() {
        let (out_of, alpha) = (noise(5, 131), noise(6, 131));
        let (rows, half) = ([noise(7, 262), noise(8, 262)], [0, 255].repeat(131));
        for level in Level::available() {
            for (gain, shift) in [(156, -30_i8), (243, 7), (256, 0), (266, -7), (356, 30)] {
                let mut lit = vec![0; 131];
                level.light(&mut lit, &out_of, &alpha, gain);
                let black = 16 * (256 - i32::from(gain)) / 255;
                for ((lit, own), a) in
                    lit.iter().zip(&out_of).zip(&alpha).map(|((l, o), a)| ((*l, i32::from(*o)), i32::from(*a)))
                {
                    let whole = (own * i32::from(gain) + a * black + 128) >> 8;
                    assert_eq!(i32::from(lit), whole.clamp(0, (a * 236) >> 8), "{level:?}, {gain}");
                }
                level.surround(&mut lit, &out_of, [&rows[0], &rows[1]], &half[..131], shift);
                for (n, lit) in lit.into_iter().enumerate() {
                    let sum: i32 = rows.iter().flat_map(|row| &row[2 * n..2 * n + 2]).map(|&y| i32::from(y)).sum();
                    let dark = (4 * i32::from(half[n]) - sum * 27 / 20).max(0);
                    let whole = i32::from(out_of[n]) + i32::from(shift) * dark / 1020;
                    assert_eq!(i32::from(lit), whole.clamp(0, 255), "{level:?}, {shift}");
                }
            }
        }
    }

    #[test]
    fn conversion_is_the_same_everywhere() {
        let rows = [pixels(7, 4102), pixels(8, 4102)];
        let run = |level: Level| {
            let (mut y, mut a) = (vec![0; 4102], vec![0; 4102]);
            level.luma(&rows[0], &mut y, &mut a);
            let (mut u, mut v, mut ac) = (vec![0; 2051], vec![0; 2051], vec![0; 2051]);
            level.chroma([&rows[0], &rows[1]], &mut u, &mut v, &mut ac);
            (y, a, u, v, ac)
        };
        for level in Level::available() {
            assert!(run(level) == run(Level::Scalar), "{level:?}");
        }
    }

    #[test]
    fn a_warp_is_the_same_everywhere_and_reads_between_pixels() {
        let picture = pixels(5, 64 * 48);
        let run = |level: Level, from: &Places, steps: &Places| {
            let mut cell = Cell::default();
            level.warp(&picture, 64, from, steps, &mut cell);
            cell
        };
        // Hardly turned, drawn out and drawn in, and down to the last pixels.
        for turn in 0..600_i32 {
            let corner = [turn * 7919 % (54 * 2048), 88 + turn * 104_729 % (38 * 2048 - 88)];
            let from = std::array::from_fn(|row| [corner[0], corner[1] + row as i32 * 2048 * (turn % 2)]);
            let steps = [[2048 + turn % 31 * 5 - 75, turn % 23 - 11]; CELL];
            for level in Level::available() {
                assert_eq!(run(level, &from, &steps), run(Level::Scalar, &from, &steps), "{level:?}, {turn}");
            }
        }
        let (ends, steps) = ([[55 * 2048 + 2047, 46 * 2048 + 2047]; CELL], [[2048, 0]; CELL]);
        for level in Level::available() {
            assert_eq!(run(level, &ends, &steps), run(Level::Scalar, &ends, &steps), "{level:?}");
        }
        for turn in 0..40_i32 {
            let from = std::array::from_fn(|row| [4096 + turn * 531, 6000 + turn * 77 + row as i32 * 2100]);
            let steps = [[2048 - turn * 13, turn * 29 - 400]; CELL];
            let judge = run(Level::Scalar, &from, &steps);
            for level in Level::available() {
                assert_eq!(run(level, &from, &steps), judge, "{level:?}, {turn}");
            }
            // One pixel, worked out by hand.
            let [x, y] = [0, 1].map(|k| (from[3][k] + steps[3][k] * 5) >> 3);
            let near = |dx: i32, dy: i32| picture[(((y >> 8) + dy) * 64 + (x >> 8) + dx) as usize];
            let mix = |a: u8, b: u8, t: i32| ((i32::from(a) * (256 - t) + i32::from(b) * t + 128) >> 8) as u8;
            let (right, down) = (x & 255, y & 255);
            let by_hand = [0, 1, 2, 3].map(|k| {
                let row = |dy: i32| mix(near(0, dy)[k], near(1, dy)[k], right);
                mix(row(0), row(1), down)
            });
            assert_eq!(judge[3][5], by_hand);
        }
    }

    #[test]
    fn laying_a_cell_is_the_same_everywhere() {
        let cell = |seed: u32| -> Cell {
            let pixels = pixels(seed, CELL * CELL);
            std::array::from_fn(|y| std::array::from_fn(|x| pixels[y * CELL + x]))
        };
        for seed in 0..50 {
            let (under, mut over) = (cell(seed), cell(seed + 100));
            (over[1][2], over[3][4], over[5][6]) = ([0; 4], [255; 4], [250, 3, 90, 40]);
            for level in Level::available() {
                let mut seen = under;
                level.lay(&mut seen, &over);
                for ((seen, under), over) in
                    seen.as_flattened().iter().zip(under.as_flattened()).zip(over.as_flattened())
                {
                    let keep = 255 - u32::from(over[3]);
                    let by_hand = [0, 1, 2, 3].map(|k| {
                        let value = u32::from(under[k]) * keep + 128;
                        (u32::from(over[k]) + ((value + (value >> 8)) >> 8)).min(255) as u8
                    });
                    assert_eq!(*seen, by_hand, "{level:?}");
                }
            }
        }
    }

    #[test]
    fn every_grey_and_primary_comes_back_within_two() {
        for value in 0..=255u8 {
            for color in [[value; 3], [value, 0, 0], [0, value, 0], [0, 0, value]] {
                let yuv = yuv_of(crate::Rgb::opaque(color[0], color[1], color[2]));
                let seen = rgb_of(yuv);
                assert!(seen.iter().zip(color).all(|(s, m)| s.abs_diff(m) <= 2), "{color:?} -> {seen:?}");
            }
        }
    }
}
