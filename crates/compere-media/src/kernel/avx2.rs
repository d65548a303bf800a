//! The loops of `scalar.rs`, compiled for AVX2.

#![allow(unsafe_code, reason = "a function compiled for AVX2 may only be called where AVX2 exists")]

use super::{Cell, Places, scalar};

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

#[target_feature(enable = "avx2")]
fn warp(picture: &[[u8; 4]], width: usize, from: &Places, steps: &Places, out: &mut Cell) {
    scalar::warp(picture, width, from, steps, out);
}
