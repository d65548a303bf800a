//! The loops themselves. `#[inline(always)]` lets `avx2.rs` compile them once more for its own target.

use super::{CELL, Cell, Places};
use crate::Rgb;

/// BT.709 luma weights times 219/255, in 1/65536.
const Y: [i32; 3] = [11_966, 40_254, 4_064];
/// BT.709 blue difference times 224/255 over 1.8556, in 1/65536.
const U: [i32; 3] = [-6_596, -22_189, 28_785];
/// BT.709 red difference times 224/255 over 1.5748, in 1/65536.
const V: [i32; 3] = [28_784, -26_145, -2_639];
const HALF: i32 = 1 << 15;

/// `x / 255`, rounded, for `x` up to 65025.
#[inline(always)]
fn div255(x: u16) -> u16 {
    // The sum stays below 65536: 65025 + 128 + 254 = 65407.
    let x = x + 128;
    (x + (x >> 8)) >> 8
}

#[inline(always)]
pub(super) fn blend(under: &mut [u8], over: &[u8], alpha: &[u8], opacity: u8) {
    let rows = under.iter_mut().zip(over).zip(alpha);
    if opacity == 255 {
        for ((under, &over), &alpha) in rows {
            let keep = div255(u16::from(*under) * u16::from(255 - alpha));
            *under = (u16::from(over) + keep).min(255) as u8;
        }
    } else {
        let opacity = u16::from(opacity);
        for ((under, &over), &alpha) in rows {
            let alpha = div255(u16::from(alpha) * opacity);
            let keep = div255(u16::from(*under) * (255 - alpha));
            *under = (div255(u16::from(over) * opacity) + keep).min(255) as u8;
        }
    }
}

#[inline(always)]
pub(super) fn light(out: &mut [u8], own: &[u8], alpha: &[u8], gain: u16) {
    // So far from 256, everything below stays within 16 bits.
    let more = (gain as i16 - 256).clamp(-100, 100);
    let black = -16 * more / 255;
    for ((out, &own), &alpha) in out.iter_mut().zip(own).zip(alpha) {
        let lit = i16::from(own) + ((i16::from(own) * more + i16::from(alpha) * black + 128) >> 8);
        let most = ((u16::from(alpha) * 236) >> 8) as i16;
        *out = lit.max(0).min(most) as u8;
    }
}

#[inline(always)]
pub(super) fn surround(out: &mut [u8], own: &[u8], luma: [&[u8]; 2], alpha: &[u8], shift: i8) {
    let shift = i16::from(shift).clamp(-30, 30);
    let pairs = luma[0].as_chunks::<2>().0.iter().zip(luma[1].as_chunks::<2>().0);
    for (((out, &own), &alpha), (top, low)) in out.iter_mut().zip(own).zip(alpha).zip(pairs) {
        // Two bytes at once: the compiler sees no vectors in every other byte.
        let both = |pair: &[u8; 2]| u16::from_le_bytes(*pair);
        let sum = |pair| (both(pair) & 255) + (both(pair) >> 8);
        let bright = ((sum(top) + sum(low)) * 27 / 20) as i16;
        let dark = (4 * i16::from(alpha) - bright).max(0);
        *out = (i16::from(own) + shift * dark / 1020).clamp(0, 255) as u8;
    }
}

#[inline(always)]
pub(super) fn luma(rgba: &[[u8; 4]], y: &mut [u8], a: &mut [u8]) {
    for ((&[r, g, b, alpha], y), a) in rgba.iter().zip(y).zip(a) {
        let weighted = Y[0] * i32::from(r) + Y[1] * i32::from(g) + Y[2] * i32::from(b);
        // The offset of 16 is scaled by alpha too: 16 / 255 in 1/65536 is 4112.
        *y = ((weighted + 4112 * i32::from(alpha) + HALF) >> 16) as u8;
        *a = alpha;
    }
}

#[inline(always)]
pub(super) fn chroma(rows: [&[[u8; 4]]; 2], u: &mut [u8], v: &mut [u8], a: &mut [u8]) {
    let pairs = rows[0].as_chunks::<2>().0.iter().zip(rows[1].as_chunks::<2>().0);
    for (((top, bottom), (u, v)), a) in pairs.zip(u.iter_mut().zip(v)).zip(a) {
        let sum =
            |c: usize| i32::from(top[0][c]) + i32::from(top[1][c]) + i32::from(bottom[0][c]) + i32::from(bottom[1][c]);
        let (r, g, b, alpha) = (sum(0), sum(1), sum(2), sum(3));
        // 128 / 255 in 1/65536 is 32897 (rounded up, so that full alpha gives exactly 128).
        let offset = 32_897 * alpha + 4 * HALF;
        *u = ((U[0] * r + U[1] * g + U[2] * b + offset) >> 18) as u8;
        *v = ((V[0] * r + V[1] * g + V[2] * b + offset) >> 18) as u8;
        *a = ((alpha + 2) >> 2) as u8;
    }
}

/// Two channels of four at a time, each in 16 bits of its own: between `a` and `b`, `t` of 256.
#[inline(always)]
fn between(a: u32, b: u32, t: u32) -> u32 {
    // A channel stays below 65536: 255 * 256 + 128.
    ((a * (256 - t) + b * t + 0x0080_0080) >> 8) & 0x00ff_00ff
}

#[inline(always)]
fn mixed([a, b, c, d]: [u32; 4], [x, y]: [u32; 2]) -> u32 {
    const EVEN: u32 = 0x00ff_00ff;
    let even = between(between(a & EVEN, b & EVEN, x), between(c & EVEN, d & EVEN, x), y);
    let [a, b, c, d] = [a, b, c, d].map(|p| (p >> 8) & EVEN);
    even | between(between(a, b, x), between(c, d, x), y) << 8
}

#[inline(always)]
pub(super) fn warp(picture: &[[u8; 4]], width: usize, from: &Places, steps: &Places, out: &mut Cell) {
    for ((&from, &step), out) in from.iter().zip(steps).zip(out) {
        warp_row(picture, width, from, step, out);
    }
}

#[inline(always)]
pub(super) fn warp_row(
    picture: &[[u8; 4]],
    width: usize,
    [x, y]: [i32; 2],
    [dx, dy]: [i32; 2],
    out: &mut [[u8; 4]; CELL],
) {
    let bytes = picture.as_flattened();
    let pair = |at: usize| {
        let pixels: [u8; 8] = bytes[at..at + 8].try_into().expect("two pixels");
        u64::from_le_bytes(pixels)
    };
    let (mut top, mut low) = ([0; CELL], [0; CELL]);
    let (mut right, mut down) = ([0; CELL], [0; CELL]);
    for k in 0..CELL {
        let (x, y) = ((x + dx * k as i32) >> 3, (y + dy * k as i32) >> 3);
        let at = ((y >> 8) as usize * width + (x >> 8) as usize) * 4;
        (top[k], low[k]) = (pair(at), pair(at + width * 4));
        (right[k], down[k]) = ((x & 255) as u32, (y & 255) as u32);
    }
    let mut pixels = [0; CELL];
    for k in 0..CELL {
        let four = [top[k] as u32, (top[k] >> 32) as u32, low[k] as u32, (low[k] >> 32) as u32];
        pixels[k] = mixed(four, [right[k], down[k]]);
    }
    *out = pixels.map(u32::to_le_bytes);
}

#[inline(always)]
pub(super) fn lay(under: &mut Cell, over: &Cell) {
    const EVEN: u32 = 0x00ff_00ff;
    // Two channels of four at a time, each in 16 bits of its own.
    let two = |under: u32, over: u32, keep: u32| {
        let value = under * keep + 0x0080_0080;
        let sum = over + (((value + ((value >> 8) & EVEN)) >> 8) & EVEN);
        // More than white is white.
        let more = (sum >> 8) & 0x0001_0001;
        (sum | ((more << 8) - more)) & EVEN
    };
    for (under, over) in under.as_flattened_mut().iter_mut().zip(over.as_flattened()) {
        let (low, high) = (u32::from_le_bytes(*under), u32::from_le_bytes(*over));
        let keep = 255 - (high >> 24);
        let even = two(low & EVEN, high & EVEN, keep);
        let odd = two((low >> 8) & EVEN, (high >> 8) & EVEN, keep);
        *under = (even | odd << 8).to_le_bytes();
    }
}

/// Alpha at half size, `width` being that of the full plane.
pub fn half_alpha(a: &[u8], width: usize, out: &mut [u8]) {
    for (rows, out) in a.chunks_exact(width * 2).zip(out.chunks_exact_mut(width / 2)) {
        let (top, bottom) = rows.split_at(width);
        for ((top, bottom), out) in top.as_chunks::<2>().0.iter().zip(bottom.as_chunks::<2>().0).zip(out) {
            let sum = u16::from(top[0]) + u16::from(top[1]) + u16::from(bottom[0]) + u16::from(bottom[1]);
            *out = ((sum + 2) >> 2) as u8;
        }
    }
}

pub fn premultiply(out: &mut [u8], straight: &[u8], alpha: &[u8]) {
    for ((out, &value), &alpha) in out.iter_mut().zip(straight).zip(alpha) {
        *out = div255(u16::from(value) * u16::from(alpha)) as u8;
    }
}

/// One opaque colour in BT.709 limited range.
pub fn yuv_of(color: Rgb) -> [u8; 3] {
    let pixel = [[color.r, color.g, color.b, 255]; 2];
    let (mut y, mut a, mut u, mut v) = ([0; 2], [0; 2], [0; 1], [0; 1]);
    luma(&pixel, &mut y, &mut a);
    chroma([&pixel, &pixel], &mut u, &mut v, &mut a[..1]);
    [y[0], u[0], v[0]]
}

/// The way back, clamped.
pub fn rgb_of([y, u, v]: [u8; 3]) -> [u8; 3] {
    let y = (f32::from(y) - 16.0) * 255.0 / 219.0;
    let u = (f32::from(u) - 128.0) * 255.0 / 224.0;
    let v = (f32::from(v) - 128.0) * 255.0 / 224.0;
    let clamp = |value: f32| value.round().clamp(0.0, 255.0) as u8;
    [clamp(y + 1.5748 * v), clamp(y - 0.187_324 * u - 0.468_124 * v), clamp(y + 1.8556 * u)]
}
