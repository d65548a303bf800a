//! Presenters cut to a disc.

use compere_media::{Broken, Damage, Layer, Moving, Rect, kernel};

/// Something that moves, seen through the ellipse that fills a rectangle.
pub(crate) struct Round {
    inner: Box<dyn Moving>,
    /// What it would look like uncut. Made with the first frame.
    whole: Layer,
    mask: Vec<u8>,
    half: Vec<u8>,
}

impl Round {
    /// `disc` and `rect`, which is what `inner` paints, in the same coordinates.
    pub(crate) fn new(inner: Box<dyn Moving>, rect: Rect, disc: Rect) -> Self {
        let whole = Layer::new(Rect::of_size(rect.width(), rect.height()));
        let (width, height) = (whole.width(), whole.height());
        let mask = ellipse(disc.shifted(-rect.x0, -rect.y0), width, height);
        let mut half = vec![0; mask.len() / 4];
        kernel::half_alpha(&mask, width as usize, &mut half);
        Self { inner, whole, mask, half }
    }
}

impl Moving for Round {
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        let damage = self.inner.advance(frame, &mut self.whole)?.aligned(2);
        for part in damage.rects() {
            layer.copy_cut(&self.whole, *part, &self.mask, &self.half);
        }
        Ok(damage)
    }
}

/// How much of each pixel of a picture lies in the ellipse, its edge a pixel wide.
fn ellipse(disc: Rect, width: u32, height: u32) -> Vec<u8> {
    let middle = |a: i32, b: i32| f64::from(a + b) / 2.0;
    let (cx, cy) = (middle(disc.x0, disc.x1), middle(disc.y0, disc.y1));
    let (rx, ry) = (f64::from(disc.width()) / 2.0, f64::from(disc.height()) / 2.0);
    let cover = |at: u32| {
        let (x, y) = (f64::from(at % width) + 0.5 - cx, f64::from(at / width) + 0.5 - cy);
        let out = ((x / rx).powi(2) + (y / ry).powi(2)).sqrt();
        (((1.0 - out) * rx.min(ry) + 0.5).clamp(0.0, 1.0) * 255.0).round() as u8
    };
    (0..width * height).map(cover).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::{Frame, Pixmap, Rgb};

    /// Red, then blue in its left half.
    struct Flag;

    impl Moving for Flag {
        fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
            let part = if frame == 0 { Rect::of_size(40, 40) } else { Rect::new(0, 0, 20, 40) };
            let mut pixmap = Pixmap::new(40, 40);
            pixmap.fill(if frame == 0 { Rgb::opaque(255, 0, 0) } else { Rgb::opaque(0, 0, 255) }.premultiplied());
            layer.put(&pixmap, 0, 0, part);
            Ok(Damage::rect(part))
        }
    }

    #[test]
    fn nothing_is_seen_outside_of_the_disc() {
        let rect = Rect::new(100, 50, 140, 90);
        let mut layer = Layer::new(Rect::of_size(40, 40));
        let mut round = Round::new(Box::new(Flag), rect, rect);
        let seen = |layer: &Layer| {
            let mut frame = Frame::new(40, 40);
            frame.fill(Rgb::opaque(255, 255, 255));
            layer.lay_on(&mut frame, Rect::of_size(40, 40), 255);
            frame.to_rgb()
        };
        assert_eq!(round.advance(0, &mut layer).unwrap().bounds(), Rect::of_size(40, 40));
        let first = seen(&layer);
        assert!(first[0][1] > 250 && first[39][2] > 250, "the corners are empty");
        assert!(first[20 * 40 + 20][0] > 240 && first[20 * 40 + 20][1] < 20, "{:?}", first[820]);
        assert_eq!(round.advance(1, &mut layer).unwrap().bounds(), Rect::new(0, 0, 20, 40));
        let second = seen(&layer);
        assert!(second[20 * 40 + 8][2] > 240 && second[20 * 40 + 30][0] > 240);
        // What was cut once is not cut again: the second half's edge is as it was.
        assert_eq!(first[20 * 40 + 39], second[20 * 40 + 39]);
    }
}
