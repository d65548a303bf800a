//! Colours as authors write them.

/// An sRGB colour with straight alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: u8,
}

impl Rgb {
    pub const BLACK: Self = Self::opaque(0, 0, 0);
    pub const WHITE: Self = Self::opaque(255, 255, 255);
    pub const TRANSPARENT: Self = Self { r: 0, g: 0, b: 0, a: 0 };

    pub const fn opaque(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: 255 }
    }

    /// As pixels are stored: alpha already multiplied in.
    pub fn premultiplied(self) -> [u8; 4] {
        let scale = |c: u8| ((u32::from(c) * u32::from(self.a) + 127) / 255) as u8;
        [scale(self.r), scale(self.g), scale(self.b), self.a]
    }

    /// With its alpha scaled by `opacity`, 0 to 1.
    #[must_use]
    pub fn faded(self, opacity: f64) -> Self {
        Self { a: (f64::from(self.a) * opacity.clamp(0.0, 1.0)).round() as u8, ..self }
    }
}
