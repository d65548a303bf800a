//! How far coded pictures are from those that were drawn: of the whole picture, and of the part of it that moves.

use std::path::Path;

use compere_media::{Damage, Frame, Rect};

use super::recording::{Pictures, Recording};

/// A coded film and how far it is from what was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Coded {
    pub(super) bytes: f64,
    pub(super) whole: Likeness,
    /// Where something moves; none where nothing does, or everything.
    pub(super) moving: Option<Likeness>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Likeness {
    /// Of all samples, luma and chroma, in dB.
    pub(super) psnr: f64,
    /// Of luma.
    pub(super) ssim: f64,
}

/// Looks at a stream beside what it was made from.
pub(super) fn measured(recording: &Recording, coded: &Path) -> Result<Coded, String> {
    let moving = recording.moving();
    let (mut drawn, mut shown) = (recording.play()?, Pictures::of(coded, recording.size)?);
    let (mut a, mut b) = (Frame::new(16, 16), Frame::new(16, 16));
    let (mut whole, mut part) = (Sums::default(), Sums::default());
    let mut frames = 0;
    while drawn.next(&mut a)? {
        if !shown.next(&mut b)? {
            break;
        }
        frames += 1;
        whole.add(&a, &b, &Damage::rect(a.bounds()));
        part.add(&a, &b, &moving);
    }
    if frames != recording.told.len() {
        return Err(format!("{} has {frames} pictures of {}", coded.display(), recording.told.len()));
    }
    let some = moving.area() > 0 && moving.area() < u64::from(recording.size.0) * u64::from(recording.size.1);
    let bytes = std::fs::metadata(coded).map_err(|error| error.to_string())?.len() as f64;
    Ok(Coded { bytes, whole: whole.likeness(), moving: some.then(|| part.likeness()) })
}

/// Squares of differences and likenesses of blocks, added up.
#[derive(Default)]
struct Sums {
    error: u64,
    samples: u64,
    ssim: f64,
    blocks: u64,
}

impl Sums {
    fn add(&mut self, a: &Frame, b: &Frame, of: &Damage) {
        for &rect in of.rects() {
            let rect = rect.aligned(8).intersect(a.bounds());
            let stride = a.width() as usize;
            for (a, b, step) in [(a.y(), b.y(), 1), (a.u(), b.u(), 2), (a.v(), b.v(), 2)] {
                self.squares((a, b), stride / step, halved(rect, step as i32));
            }
            self.alike((a.y(), b.y()), stride, rect);
        }
    }

    fn squares(&mut self, (a, b): (&[u8], &[u8]), stride: usize, rect: Rect) {
        for y in rect.y0 as usize..rect.y1 as usize {
            let row = y * stride + rect.x0 as usize..y * stride + rect.x1 as usize;
            let error: u32 = a[row.clone()].iter().zip(&b[row]).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum();
            self.error += u64::from(error);
        }
        self.samples += rect.area();
    }

    /// Structural similarity of blocks of 8 by 8 that lie side by side.
    fn alike(&mut self, (a, b): (&[u8], &[u8]), stride: usize, rect: Rect) {
        for y in (rect.y0..rect.y1 - 7).step_by(8) {
            for x in (rect.x0..rect.x1 - 7).step_by(8) {
                self.ssim += block(a, b, y as usize * stride + x as usize, stride);
                self.blocks += 1;
            }
        }
    }

    fn likeness(&self) -> Likeness {
        let mean = self.error as f64 / self.samples.max(1) as f64;
        let psnr = if self.error == 0 { 99.0 } else { 10.0 * (255.0 * 255.0 / mean).log10() };
        Likeness { psnr: psnr.min(99.0), ssim: self.ssim / self.blocks.max(1) as f64 }
    }
}

fn halved(rect: Rect, step: i32) -> Rect {
    Rect::new(rect.x0 / step, rect.y0 / step, rect.x1 / step, rect.y1 / step)
}

fn block(a: &[u8], b: &[u8], at: usize, stride: usize) -> f64 {
    let (mut s1, mut s2, mut squares, mut both) = (0u32, 0u32, 0u32, 0u32);
    for row in 0..8 {
        let start = at + row * stride;
        for (&a, &b) in a[start..start + 8].iter().zip(&b[start..start + 8]) {
            let (a, b) = (u32::from(a), u32::from(b));
            s1 += a;
            s2 += b;
            squares += a * a + b * b;
            both += a * b;
        }
    }
    let (s1, s2, n) = (f64::from(s1), f64::from(s2), 64.0);
    let (c1, c2) = ((0.01f64 * 255.0).powi(2) * n * n, (0.03f64 * 255.0).powi(2) * n * n);
    let variances = f64::from(squares) * n - s1 * s1 - s2 * s2;
    let covariance = f64::from(both) * n - s1 * s2;
    (2.0 * s1 * s2 + c1) * (2.0 * covariance + c2) / ((s1 * s1 + s2 * s2 + c1) * (variances + c2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pictures_are_alike_and_others_are_not() {
        let (mut a, mut b) = (Frame::new(32, 32), Frame::new(32, 32));
        for (n, luma) in a.planes_mut().0.iter_mut().enumerate() {
            *luma = (n * 7 % 200) as u8;
        }
        b.copy_rect(&a, a.bounds());
        let likeness = |a: &Frame, b: &Frame, rect| {
            let mut sums = Sums::default();
            sums.add(a, b, &Damage::rect(rect));
            sums.likeness()
        };
        assert_eq!(likeness(&a, &b, a.bounds()), Likeness { psnr: 99.0, ssim: 1.0 });
        // One sample of 32 x 32 x 1.5 is off by 100.
        b.planes_mut().0[0] = a.y()[0] + 100;
        let told = likeness(&a, &b, a.bounds());
        assert!((told.psnr - 10.0 * (255.0f64 * 255.0 * 1536.0 / 10_000.0).log10()).abs() < 1e-9, "{told:?}");
        assert!(told.ssim < 1.0 && told.ssim > 0.9, "{told:?}");
        assert_eq!(likeness(&a, &b, Rect::new(16, 16, 32, 32)).psnr, 99.0, "the part that is equal");
    }
}
