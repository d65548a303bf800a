//! Pixel loops. The scalar path is the judge; every other path must give the same bytes.
//!
//! The faster paths are the same source compiled for more of the processor: the loops are written so that the compiler
//! turns them into vector code by itself, which keeps them honest and free of intrinsics.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod scalar;

pub use scalar::{half_alpha, premultiply, rgb_of, yuv_of};

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
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = avx2::Avx2::detect() {
            return Self::Avx2(avx2);
        }
        Self::Scalar
    }

    /// Every path of this machine, the scalar one first.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self::Scalar];
        if Self::best() != Self::Scalar {
            levels.push(Self::best());
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
