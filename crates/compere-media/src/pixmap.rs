//! Pictures in RGB, the form in which they are drawn and decoded.

use crate::Rect;

/// Premultiplied RGBA, 8 bit, rows without padding.
#[derive(Clone, PartialEq, Eq)]
pub struct Pixmap {
    width: u32,
    height: u32,
    data: Vec<[u8; 4]>,
}

impl Pixmap {
    /// A fully transparent picture.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, data: vec![[0; 4]; width as usize * height as usize] }
    }

    /// Takes premultiplied pixels as they are.
    ///
    /// # Panics
    ///
    /// When `data` has another length than `width * height`.
    pub fn from_premultiplied(width: u32, height: u32, data: Vec<[u8; 4]>) -> Self {
        assert_eq!(data.len(), width as usize * height as usize, "a pixmap holds width * height pixels");
        Self { width, height, data }
    }

    /// Multiplies straight alpha in.
    pub fn from_straight(width: u32, height: u32, mut data: Vec<[u8; 4]>) -> Self {
        for pixel in &mut data {
            let [r, g, b, a] = *pixel;
            *pixel = crate::Rgb { r, g, b, a }.premultiplied();
        }
        Self::from_premultiplied(width, height, data)
    }

    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    pub fn height(&self) -> u32 {
        self.height
    }

    #[inline]
    pub fn bounds(&self) -> Rect {
        Rect::of_size(self.width, self.height)
    }

    #[inline]
    pub fn data(&self) -> &[[u8; 4]] {
        &self.data
    }

    #[inline]
    pub fn data_mut(&mut self) -> &mut [[u8; 4]] {
        &mut self.data
    }

    pub fn into_data(self) -> Vec<[u8; 4]> {
        self.data
    }

    #[inline]
    pub fn row(&self, y: u32) -> &[[u8; 4]] {
        let start = y as usize * self.width as usize;
        &self.data[start..start + self.width as usize]
    }

    #[inline]
    pub fn row_mut(&mut self, y: u32) -> &mut [[u8; 4]] {
        let start = y as usize * self.width as usize;
        &mut self.data[start..start + self.width as usize]
    }

    #[inline]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        self.row(y)[x as usize]
    }

    pub fn fill(&mut self, color: [u8; 4]) {
        self.data.fill(color);
    }

    pub fn is_opaque(&self) -> bool {
        self.data.iter().all(|pixel| pixel[3] == 255)
    }

    /// The part inside `rect`, which must lie inside the picture.
    #[must_use]
    pub fn cropped(&self, rect: Rect) -> Self {
        assert!(self.bounds().contains(rect), "{rect:?} is not inside {:?}", self.bounds());
        let mut out = Self::new(rect.width(), rect.height());
        for y in 0..rect.height() {
            let from = &self.row(rect.y0 as u32 + y)[rect.x0 as usize..rect.x1 as usize];
            out.row_mut(y).copy_from_slice(from);
        }
        out
    }

    /// Lays `over` on this picture with its corner at `(x, y)`; what sticks out is cut.
    pub fn draw(&mut self, over: &Self, x: i32, y: i32) {
        let rect = over.bounds().shifted(x, y).intersect(self.bounds());
        for row in rect.y0..rect.y1 {
            let from = &over.row((row - y) as u32)[(rect.x0 - x) as usize..(rect.x1 - x) as usize];
            let to = &mut self.row_mut(row as u32)[rect.x0 as usize..rect.x1 as usize];
            for (under, over) in to.iter_mut().zip(from) {
                *under = blend_pixel(*under, *over);
            }
        }
    }
}

fn blend_pixel(under: [u8; 4], over: [u8; 4]) -> [u8; 4] {
    let keep = 255 - u32::from(over[3]);
    let mut out = over;
    for (out, under) in out.iter_mut().zip(under) {
        let value = u32::from(under) * keep + 128;
        *out = (u32::from(*out) + ((value + (value >> 8)) >> 8)).min(255) as u8;
    }
    out
}

impl std::fmt::Debug for Pixmap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pixmap({}x{})", self.width, self.height)
    }
}
