//! The loops of `scalar.rs`, compiled for AVX2. Warps and triangles are written for it: the compiler makes no vectors of
//! rows as short as those of triangles, and does not know that a warp reads neighbours.

#![allow(unsafe_code, reason = "a function compiled for AVX2 may only be called where AVX2 exists")]

use std::arch::x86_64::*;

use super::triangle::{LANES, Samples, Triangle, WEAVE, Weave};
use super::{CELL, Cell, Places, scalar};

/// Proof that this machine has AVX2. Asking is the only way to get one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

impl Avx2 {
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    pub(super) fn blend(self, under: &mut [u8], over: &[u8], alpha: &[u8], opacity: u8) {
        // SAFETY: `self` is proof of AVX2.
        unsafe { blend(under, over, alpha, opacity) }
    }

    pub(super) fn light(self, out: &mut [u8], own: &[u8], alpha: &[u8], gain: u16) {
        // SAFETY: `self` is proof of AVX2.
        unsafe { light(out, own, alpha, gain) }
    }

    pub(super) fn surround(self, out: &mut [u8], own: &[u8], luma: [&[u8]; 2], alpha: &[u8], shift: i8) {
        // SAFETY: `self` is proof of AVX2.
        unsafe { surround(out, own, luma, alpha, shift) }
    }

    pub(super) fn luma(self, rgba: &[[u8; 4]], y: &mut [u8], a: &mut [u8]) {
        // SAFETY: `self` is proof of AVX2.
        unsafe { luma(rgba, y, a) }
    }

    pub(super) fn chroma(self, rows: [&[[u8; 4]]; 2], u: &mut [u8], v: &mut [u8], a: &mut [u8]) {
        // SAFETY: `self` is proof of AVX2.
        unsafe { chroma(rows, u, v, a) }
    }

    pub(super) fn warp(self, picture: &[[u8; 4]], width: usize, from: &Places, steps: &Places, out: &mut Cell) {
        // SAFETY: `self` is proof of AVX2.
        unsafe { warp(picture, width, from, steps, out) }
    }

    pub(super) fn lay(self, under: &mut Cell, over: &Cell) {
        // SAFETY: `self` is proof of AVX2.
        unsafe { lay(under, over) }
    }

    pub(super) fn triangle(self, triangle: &Triangle, weave: Option<&Weave<'_>>, samples: &mut Samples) {
        // SAFETY: `self` is proof of AVX2.
        unsafe {
            match weave {
                Some(weave) => fill::<true>(triangle, &weave.texels, samples),
                None => fill::<false>(triangle, &[], samples),
            }
        }
    }
}

#[target_feature(enable = "avx2")]
fn blend(under: &mut [u8], over: &[u8], alpha: &[u8], opacity: u8) {
    scalar::blend(under, over, alpha, opacity);
}

#[target_feature(enable = "avx2")]
fn light(out: &mut [u8], own: &[u8], alpha: &[u8], gain: u16) {
    scalar::light(out, own, alpha, gain);
}

#[target_feature(enable = "avx2")]
fn surround(out: &mut [u8], own: &[u8], luma: [&[u8]; 2], alpha: &[u8], shift: i8) {
    scalar::surround(out, own, luma, alpha, shift);
}

#[target_feature(enable = "avx2")]
fn luma(rgba: &[[u8; 4]], y: &mut [u8], a: &mut [u8]) {
    scalar::luma(rgba, y, a);
}

#[target_feature(enable = "avx2")]
fn chroma(rows: [&[[u8; 4]]; 2], u: &mut [u8], v: &mut [u8], a: &mut [u8]) {
    scalar::chroma(rows, u, v, a);
}

/// Most plates are hardly turned: all that a row of eight reads lies in eight columns of one row or two and in their
/// neighbours to the right and below, which are read at once and put where they belong. Written out: what is mapped over an
/// array is called by way of code that is not compiled for AVX2, through memory.
#[target_feature(enable = "avx2")]
fn warp(picture: &[[u8; 4]], width: usize, from: &Places, steps: &Places, out: &mut Cell) {
    let lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for ((&[x, y], &[dx, dy]), out) in from.iter().zip(steps).zip(out) {
        let ends = |at: i32, step: i32| [at >> 11, (at + step * (CELL as i32 - 1)) >> 11];
        let ([left, right], [first, last]) = (ends(x, dx), ends(y, dy));
        let (top, down) = (first.min(last), first.abs_diff(last) as usize);
        let near = down <= 1 && top >= 0 && left >= 0 && right >= left && right - left < CELL as i32;
        let start = if near { top as usize * width + left as usize } else { picture.len() };
        // Two rows of nine pixels, or three where the places lie in two.
        let end = start + (1 + down) * width + CELL + 1;
        let Some(pixels) = picture.get(start..end) else {
            scalar::warp_row(picture, width, [x, y], [dx, dy], out);
            continue;
        };
        let row = |row: usize| &pixels[row * width..row * width + CELL + 1];
        let (xs, ys) = (places(x, dx, lane), places(y, dy, lane));
        let which = _mm256_sub_epi32(_mm256_srai_epi32::<8>(xs), _mm256_set1_epi32(left));
        let ((mut a, mut b), (mut c, mut d)) = (read(row(0), which), read(row(1), which));
        if down > 0 {
            let (e, f) = read(row(2), which);
            let below = _mm256_cmpgt_epi32(_mm256_srai_epi32::<8>(ys), _mm256_set1_epi32(top));
            (a, b) = (_mm256_blendv_epi8(a, c, below), _mm256_blendv_epi8(b, d, below));
            (c, d) = (_mm256_blendv_epi8(c, e, below), _mm256_blendv_epi8(d, f, below));
        }
        let (right, below) = (shares(xs), shares(ys));
        let low = _mm256_set1_epi16(255);
        let even = mixed(
            [_mm256_and_si256(a, low), _mm256_and_si256(b, low)],
            [_mm256_and_si256(c, low), _mm256_and_si256(d, low)],
            right,
            below,
        );
        let odd = mixed(
            [_mm256_srli_epi16::<8>(a), _mm256_srli_epi16::<8>(b)],
            [_mm256_srli_epi16::<8>(c), _mm256_srli_epi16::<8>(d)],
            right,
            below,
        );
        let pixels = _mm256_or_si256(_mm256_srli_epi16::<8>(even), _mm256_andnot_si256(low, odd));
        // SAFETY: a row of a cell is eight pixels.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), pixels) };
    }
}

/// Places along a row of eight.
#[inline]
#[target_feature(enable = "avx2")]
fn places(at: i32, step: i32, lane: __m256i) -> __m256i {
    _mm256_srai_epi32::<3>(along(at, _mm256_mullo_epi32(_mm256_set1_epi32(step), lane)))
}

/// Pixels of a row of nine, and their neighbours to the right.
#[inline]
#[target_feature(enable = "avx2")]
fn read(row: &[[u8; 4]], which: __m256i) -> (__m256i, __m256i) {
    let (own, next) = (&row[..CELL], &row[1..=CELL]);
    // SAFETY: eight pixels of each.
    let (own, next) = unsafe { (_mm256_loadu_si256(own.as_ptr().cast()), _mm256_loadu_si256(next.as_ptr().cast())) };
    (_mm256_permutevar8x32_epi32(own, which), _mm256_permutevar8x32_epi32(next, which))
}

/// How far places are from the pixel before them and from the one behind, for both channels of a pair.
#[inline]
#[target_feature(enable = "avx2")]
fn shares(places: __m256i) -> [__m256i; 2] {
    let share = _mm256_and_si256(places, _mm256_set1_epi32(255));
    let both = _mm256_or_si256(share, _mm256_slli_epi32::<16>(share));
    [_mm256_sub_epi16(_mm256_set1_epi16(256), both), both]
}

/// In words of 16 bits, as in `scalar::between`: 255 * 256 + 128 is the most.
#[inline]
#[target_feature(enable = "avx2")]
fn between(a: __m256i, b: __m256i, [keep, share]: [__m256i; 2]) -> __m256i {
    let sum = _mm256_add_epi16(_mm256_mullo_epi16(a, keep), _mm256_mullo_epi16(b, share));
    _mm256_add_epi16(sum, _mm256_set1_epi16(128))
}

/// One channel of each pair, between two neighbours above and two below; in the upper bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn mixed([a, b]: [__m256i; 2], [c, d]: [__m256i; 2], right: [__m256i; 2], below: [__m256i; 2]) -> __m256i {
    let top = _mm256_srli_epi16::<8>(between(a, b, right));
    let low = _mm256_srli_epi16::<8>(between(c, d, right));
    between(top, low, below)
}

#[target_feature(enable = "avx2")]
fn lay(under: &mut Cell, over: &Cell) {
    scalar::lay(under, over);
}

/// A value at eight neighbours: `first` and what it changes by for each.
#[inline]
#[target_feature(enable = "avx2")]
fn along(first: i32, ramp: __m256i) -> __m256i {
    _mm256_add_epi32(_mm256_set1_epi32(first), ramp)
}

#[inline]
#[target_feature(enable = "avx2")]
fn fill<const WOVEN: bool>(triangle: &Triangle, texels: &[u8], samples: &mut Samples) {
    if !samples.holds(triangle) || (WOVEN && texels.len() < WEAVE * WEAVE + LANES) {
        return;
    }
    let Triangle { columns: [x0, x1], rows: [y0, y1], edges, depth, values } = *triangle;
    let lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let (wide, last) = (samples.wide(), x1 - x0);
    let slope = _mm256_set1_ps(depth[1]);
    let [down_a, down_b, down_c] = [edges[0][2], edges[1][2], edges[2][2]];
    // Eight columns after the other, from top to bottom: what is carried from row to row changes by the same for all of them.
    for x in (0..=last).step_by(LANES) {
        let beyond = _mm256_sub_epi32(_mm256_set1_epi32(last - x), lane);
        let across = _mm256_mul_ps(slope, _mm256_cvtepi32_ps(along(x, lane)));
        let (mut edge_a, mut edge_b, mut edge_c) =
            (carried(edges[0], x, lane), carried(edges[1], x, lane), carried(edges[2], x, lane));
        let firsts = [
            carried(values[0], x, lane),
            carried(values[1], x, lane),
            carried(values[2], x, lane),
            carried(values[3], x, lane),
            carried(values[4], x, lane),
        ];
        for y in 0..=y1 - y0 {
            let outside = _mm256_or_si256(_mm256_or_si256(edge_a, edge_b), _mm256_or_si256(edge_c, beyond));
            edge_a = _mm256_add_epi32(edge_a, _mm256_set1_epi32(down_a));
            edge_b = _mm256_add_epi32(edge_b, _mm256_set1_epi32(down_b));
            edge_c = _mm256_add_epi32(edge_c, _mm256_set1_epi32(down_c));
            // What is negative has its uppermost bit set, and that is all that this and the blends below look at.
            if _mm256_movemask_ps(_mm256_castsi256_ps(outside)) == 255 {
                continue;
            }
            let start = (y0 + y) as usize * wide + (x0 + x) as usize;
            let room = start..start + LANES;
            let (depths, colors) = (&mut samples.depth[room.clone()], &mut samples.color[room]);
            // SAFETY: eight of each.
            let (before, under) =
                unsafe { (_mm256_loadu_ps(depths.as_ptr()), _mm256_loadu_si256(colors.as_ptr().cast())) };
            let near = _mm256_add_ps(_mm256_set1_ps(depth[0] + depth[2] * y as f32), across);
            let seen = _mm256_andnot_ps(_mm256_castsi256_ps(outside), _mm256_cmp_ps::<_CMP_LT_OQ>(near, before));
            if _mm256_movemask_ps(seen) == 0 {
                continue;
            }
            let value = |k: usize| {
                _mm256_srai_epi32::<8>(_mm256_add_epi32(firsts[k], _mm256_set1_epi32(values[k][2].wrapping_mul(y))))
            };
            let weave = if WOVEN {
                let within = _mm256_set1_epi32(WEAVE as i32 - 1);
                let (u, v) = (_mm256_and_si256(value(3), within), _mm256_and_si256(value(4), within));
                let at = _mm256_or_si256(_mm256_slli_epi32::<{ WEAVE.ilog2() as i32 }>(v), u);
                // SAFETY: no place is beyond the weave, which goes on for some bytes, as was looked at above.
                let four = unsafe { _mm256_i32gather_epi32::<1>(texels.as_ptr().cast(), at) };
                _mm256_and_si256(four, _mm256_set1_epi32(255))
            } else {
                _mm256_set1_epi32(128)
            };
            let channel = |k: usize| {
                let lit = _mm256_srai_epi32::<7>(_mm256_mullo_epi32(value(k), weave));
                _mm256_min_epi32(_mm256_max_epi32(lit, _mm256_setzero_si256()), _mm256_set1_epi32(255))
            };
            let (r, g, b) = (channel(0), channel(1), channel(2));
            let opaque = _mm256_or_si256(r, _mm256_set1_epi32(0xff00_0000_u32 as i32));
            let others = _mm256_or_si256(_mm256_slli_epi32::<8>(g), _mm256_slli_epi32::<16>(b));
            let own = _mm256_castsi256_ps(_mm256_or_si256(opaque, others));
            let over = _mm256_blendv_ps(_mm256_castsi256_ps(under), own, seen);
            // SAFETY: eight of each.
            unsafe {
                _mm256_storeu_ps(depths.as_mut_ptr(), _mm256_blendv_ps(before, near, seen));
                _mm256_storeu_si256(colors.as_mut_ptr().cast(), _mm256_castps_si256(over));
            }
        }
    }
}

/// What is carried over a triangle, at eight neighbours in its first row, from column `x` on.
#[inline]
#[target_feature(enable = "avx2")]
fn carried([at, right, _]: [i32; 3], x: i32, lane: __m256i) -> __m256i {
    along(at.wrapping_add(right.wrapping_mul(x)), _mm256_mullo_epi32(_mm256_set1_epi32(right), lane))
}
