//! A finished picture, as the encoder takes it.

use crate::{Rect, Rgb, kernel};

/// Opaque BT.709 limited range, 4:2:0, 8 bit, planes without padding. Sides are even.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    width: u32,
    height: u32,
    pub(crate) y: Vec<u8>,
    pub(crate) u: Vec<u8>,
    pub(crate) v: Vec<u8>,
}

impl Frame {
    /// A black frame.
    ///
    /// # Panics
    ///
    /// When a side is odd or zero: 4:2:0 has no half chroma sample.
    pub fn new(width: u32, height: u32) -> Self {
        assert!(
            width > 0 && height > 0 && width.is_multiple_of(2) && height.is_multiple_of(2),
            "{width}x{height} has an odd side"
        );
        let luma = width as usize * height as usize;
        Self { width, height, y: vec![16; luma], u: vec![128; luma / 4], v: vec![128; luma / 4] }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    pub fn bounds(&self) -> Rect {
        Rect::of_size(self.width, self.height)
    }

    pub fn y(&self) -> &[u8] {
        &self.y
    }

    pub fn u(&self) -> &[u8] {
        &self.u
    }

    pub fn v(&self) -> &[u8] {
        &self.v
    }

    pub fn planes_mut(&mut self) -> (&mut [u8], &mut [u8], &mut [u8]) {
        (&mut self.y, &mut self.u, &mut self.v)
    }

    pub fn fill(&mut self, color: Rgb) {
        let [y, u, v] = kernel::yuv_of(color);
        self.y.fill(y);
        self.u.fill(u);
        self.v.fill(v);
    }

    /// Copies `rect` (on even coordinates) from a frame of the same size.
    pub fn copy_rect(&mut self, from: &Self, rect: Rect) {
        assert_eq!((self.width, self.height), (from.width, from.height), "frames of one film have one size");
        let rect = rect.aligned(2).intersect(self.bounds());
        let width = self.width as usize;
        copy_plane(&mut self.y, &from.y, width, rect);
        let half = Rect::new(rect.x0 / 2, rect.y0 / 2, rect.x1 / 2, rect.y1 / 2);
        copy_plane(&mut self.u, &from.u, width / 2, half);
        copy_plane(&mut self.v, &from.v, width / 2, half);
    }

    /// Whether everything outside `rect`s is the same in both.
    pub fn same_outside(&self, other: &Self, damage: &crate::Damage) -> bool {
        let mut masked = other.clone();
        for &rect in damage.rects() {
            masked.copy_rect(self, rect);
        }
        masked == *self
    }

    /// The picture as straight RGB, for posters, previews and tests. Chroma is taken from the nearest sample.
    pub fn to_rgb(&self) -> Vec<[u8; 3]> {
        let width = self.width as usize;
        let mut out = Vec::with_capacity(self.y.len());
        for (at, &y) in self.y.iter().enumerate() {
            let (px, py) = (at % width, at / width);
            let chroma = (py / 2) * (width / 2) + px / 2;
            out.push(kernel::rgb_of([y, self.u[chroma], self.v[chroma]]));
        }
        out
    }
}

fn copy_plane(to: &mut [u8], from: &[u8], stride: usize, rect: Rect) {
    for y in rect.y0 as usize..rect.y1.max(rect.y0) as usize {
        let row = y * stride;
        let span = row + rect.x0 as usize..row + rect.x1 as usize;
        to[span.clone()].copy_from_slice(&from[span]);
    }
}

impl std::fmt::Debug for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Frame({}x{})", self.width, self.height)
    }
}
