//! Colours through masks onto a piece of output, and soft shadows.

use super::Drawn;
use super::raster::{Mask, mul};
use compere_media::{Pixmap, Rect, Rgb};

/// One step of a drawing, furthest back first.
#[derive(Debug)]
pub enum Step {
    /// A colour where a mask covers.
    Color(Mask, Rgb),
    /// Pixels as they are.
    Pixels(Drawn),
}

impl Step {
    fn rect(&self) -> Rect {
        match self {
            Self::Color(mask, _) => mask.rect,
            Self::Pixels(drawn) => drawn.rect(),
        }
    }
}

/// All steps on one picture just large enough, cut to `window`.
pub fn flatten(steps: &[Step], window: Rect) -> Option<Drawn> {
    let rect = steps.iter().map(Step::rect).fold(Rect::default(), Rect::union).intersect(window);
    if rect.is_empty() {
        return None;
    }
    let mut drawn = Drawn { pixmap: Pixmap::new(rect.width(), rect.height()), x: rect.x0, y: rect.y0 };
    for step in steps {
        match step {
            Step::Color(mask, color) => paint(&mut drawn, mask, *color),
            Step::Pixels(over) => drawn.pixmap.draw(&over.pixmap, over.x - rect.x0, over.y - rect.y0),
        }
    }
    Some(drawn)
}

fn paint(onto: &mut Drawn, mask: &Mask, color: Rgb) {
    let full = color.premultiplied();
    let rect = mask.rect.intersect(onto.rect());
    if rect.is_empty() {
        return;
    }
    for y in rect.y0..rect.y1 {
        let coverage = &mask.row(y)[(rect.x0 - mask.rect.x0) as usize..(rect.x1 - mask.rect.x0) as usize];
        let (from, to) = ((rect.x0 - onto.x) as usize, (rect.x1 - onto.x) as usize);
        let row = &mut onto.pixmap.row_mut((y - onto.y) as u32)[from..to];
        for (pixel, &coverage) in row.iter_mut().zip(coverage) {
            match coverage {
                0 => {}
                255 if full[3] == 255 => *pixel = full,
                _ => {
                    let over = full.map(|channel| mul(channel, coverage));
                    let keep = 255 - over[3];
                    for (under, over) in pixel.iter_mut().zip(over) {
                        *under = over.saturating_add(mul(*under, keep));
                    }
                }
            }
        }
    }
}

/// The mask blurred as by a Gaussian of standard deviation `sigma` pixels, and moved. The result spans `window` at
/// most, grown to where the shadow ends.
///
/// Three box filters of fractional width in each direction: within 3 % of the true bell and the same cost at every
/// radius.
pub fn shadow(mask: &Mask, sigma: f64, shift: (i32, i32), window: Rect) -> Option<Mask> {
    let sigma = sigma.min(MAX_SIGMA);
    let reach = (sigma * 3.0).ceil() as i32 + 1;
    let rect = mask.rect.grown(reach).intersect(window.shifted(-shift.0, -shift.1).grown(reach));
    if rect.is_empty() {
        return None;
    }
    let mut soft = mask.within(rect);
    if sigma > 0.05 {
        let (width, height) = (rect.width() as usize, rect.height() as usize);
        let mut wide: Vec<u16> = soft.coverage.iter().map(|&value| u16::from(value) << 8).collect();
        let filter = BoxFilter::of(sigma);
        for row in wide.chunks_exact_mut(width) {
            filter.blur(row);
        }
        blur_columns(&mut wide, width, height, &filter);
        for (to, from) in soft.coverage.iter_mut().zip(wide) {
            *to = ((u32::from(from) + 128) >> 8).min(255) as u8;
        }
    }
    soft.rect = soft.rect.shifted(shift.0, shift.1);
    Some(soft)
}

/// Wider shadows than this are not told apart by anybody.
const MAX_SIGMA: f64 = 256.0;

/// Turned on its side, blurred along the rows and turned back: rows lie together in memory, columns do not.
fn blur_columns(wide: &mut [u16], width: usize, height: usize, filter: &BoxFilter) {
    let mut turned = vec![0; wide.len()];
    transpose(wide, &mut turned, width, height);
    for column in turned.chunks_exact_mut(height) {
        filter.blur(column);
    }
    transpose(&turned, wide, height, width);
}

fn transpose(from: &[u16], to: &mut [u16], width: usize, height: usize) {
    const TILE: usize = 32;
    for top in (0..height).step_by(TILE) {
        for left in (0..width).step_by(TILE) {
            for y in top..height.min(top + TILE) {
                for x in left..width.min(left + TILE) {
                    to[x * height + y] = from[y * width + x];
                }
            }
        }
    }
}

/// A box of `2 * radius + 1` whole pixels and a share of the two beyond, in 1/256.
#[derive(Debug)]
struct BoxFilter {
    radius: usize,
    share: u64,
}

impl BoxFilter {
    /// The box which, applied three times, has the variance `sigma`².
    fn of(sigma: f64) -> Self {
        let variance = sigma * sigma / 3.0;
        let mut radius = 0;
        let of_whole = |r: f64| (r * (r + 1.0) * (2.0 * r + 1.0) / 3.0) / (2.0 * r + 1.0);
        while of_whole(f64::from(radius) + 1.0) <= variance {
            radius += 1;
        }
        let r = f64::from(radius);
        let sum = r * (r + 1.0) * (2.0 * r + 1.0) / 3.0;
        let beyond = (r + 1.0) * (r + 1.0);
        let share = (variance * (2.0 * r + 1.0) - sum) / (2.0 * (beyond - variance));
        Self { radius: radius as usize, share: (share.clamp(0.0, 1.0) * 256.0).round() as u64 }
    }

    fn blur(&self, line: &mut [u16]) {
        if line.iter().all(|&value| value == 0) {
            return;
        }
        // The line with nothing on both sides, so that every window lies inside.
        let margin = self.radius + 1;
        let mut padded = vec![0; line.len() + 2 * margin];
        for _ in 0..3 {
            padded[margin..margin + line.len()].copy_from_slice(line);
            self.once(&padded, line);
        }
    }

    fn once(&self, padded: &[u16], to: &mut [u16]) {
        let span = 2 * self.radius + 1;
        let weight = span as u64 * 256 + 2 * self.share;
        // Dividing by multiplication: sums stay below 2^16 * weight, so 40 bits lose nothing.
        let reciprocal = ((1 << 40) + weight / 2) / weight;
        let mut whole: u64 = padded[1..span].iter().copied().map(u64::from).sum();
        let entering = padded[span..].iter().zip(&padded[span + 1..]);
        let leaving = padded.iter().zip(&padded[1..]);
        for ((to, (&enters, &beyond)), (&before, &leaves)) in to.iter_mut().zip(entering).zip(leaving) {
            whole += u64::from(enters);
            let sum = whole * 256 + (u64::from(before) + u64::from(beyond)) * self.share;
            *to = ((sum * reciprocal + (1 << 39)) >> 40) as u16;
            whole -= u64::from(leaves);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blurred_dot_is_a_bell() {
        for sigma in [0.4, 1.0, 2.5, 7.0, 30.0] {
            let mut line = vec![0u16; 401];
            line[200] = 65_280;
            BoxFilter::of(sigma).blur(&mut line);
            let total: f64 = line.iter().map(|&v| f64::from(v)).sum();
            let spread: f64 =
                line.iter().enumerate().map(|(x, &v)| (x as f64 - 200.0) * (x as f64 - 200.0) * f64::from(v)).sum();
            assert!((total / 65_280.0 - 1.0).abs() < 0.01, "{sigma}: {total}");
            assert!(((spread / total).sqrt() / sigma - 1.0).abs() < 0.03, "{sigma}: {}", (spread / total).sqrt());
        }
    }

    #[test]
    fn a_window_sees_the_same_shadow() {
        let mask = Mask { rect: Rect::new(10, 10, 60, 40), coverage: vec![255; 50 * 30] };
        let whole = shadow(&mask, 4.0, (5, -3), Rect::new(-100, -100, 200, 200)).unwrap();
        let window = Rect::new(30, 0, 50, 30);
        let part = shadow(&mask.within(window.grown(40).intersect(mask.rect)), 4.0, (5, -3), window).unwrap();
        assert_eq!(whole.within(window), part.within(window));
    }

    #[test]
    fn translucent_paint_keeps_its_colour() {
        let mask = Mask { rect: Rect::of_size(1, 1), coverage: vec![255] };
        let drawn = flatten(&[Step::Color(mask, Rgb { r: 200, g: 0, b: 0, a: 128 })], Rect::of_size(9, 9)).unwrap();
        assert_eq!(drawn.pixmap.pixel(0, 0), [100, 0, 0, 128]);
    }
}
