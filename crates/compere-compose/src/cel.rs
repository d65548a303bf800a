//! A drawn clip that can be shown moved or smaller without drawing it again.

use compere_media::{Layer, Pixmap, Rect};

use crate::draw::Drawn;
use crate::motion::Look;

/// A picture with smaller copies of itself, so that shrinking stays free of shimmer.
#[derive(Debug)]
pub(crate) struct Cel {
    drawn: Drawn,
    /// Each half the size of the one before, down to a few pixels. Empty unless zooming was announced.
    smaller: Vec<Pixmap>,
    /// What zooming keeps in place, in output pixels.
    centre: (f64, f64),
}

impl Cel {
    pub(crate) fn new(drawn: Drawn, centre: (f64, f64), zooms: bool) -> Self {
        let smaller = if zooms { smaller(&drawn.pixmap) } else { Vec::new() };
        Self { drawn, smaller, centre }
    }

    pub(crate) fn bounds(&self) -> Rect {
        self.drawn.pixmap.bounds().shifted(self.drawn.x, self.drawn.y)
    }

    /// A rectangle around what a look shows, `rest` being that at rest.
    pub(crate) fn reach(&self, rest: Rect, look: Look) -> Rect {
        match look {
            Look::Moved(dx, dy) => rest.shifted(dx.floor() as i32, dy.floor() as i32).grown(1),
            Look::Zoomed(_) => {
                // It shrinks towards a point that may lie outside of what is drawn.
                let (x, y) = (self.centre.0.round() as i32, self.centre.1.round() as i32);
                rest.union(Rect::new(x - 2, y - 2, x + 2, y + 2))
            }
            Look::Hidden | Look::Plain | Look::Faded(_) => rest,
        }
    }

    /// The layer for a look; opacity is the caller's business.
    pub(crate) fn layer(&self, look: Look) -> Option<Layer> {
        let (x, y) = (f64::from(self.drawn.x), f64::from(self.drawn.y));
        match look {
            Look::Hidden => None,
            Look::Plain | Look::Faded(_) => Some(Layer::from_pixmap(&self.drawn.pixmap, self.drawn.x, self.drawn.y)),
            Look::Moved(dx, dy) => Some(resampled(&self.drawn.pixmap, 1.0, x + dx, y + dy)),
            Look::Zoomed(zoom) => {
                let (cx, cy) = self.centre;
                let (source, step) = self.level_for(zoom);
                Some(resampled(source, zoom * step, cx + (x - cx) * zoom, cy + (y - cy) * zoom))
            }
        }
    }

    /// The smallest copy that is still no smaller than the wanted size, and how much smaller than the original it is.
    fn level_for(&self, zoom: f64) -> (&Pixmap, f64) {
        let mut step = 1.0;
        let mut best = &self.drawn.pixmap;
        for smaller in &self.smaller {
            if zoom * step * 2.0 > 1.0 {
                break;
            }
            step *= 2.0;
            best = smaller;
        }
        (best, step)
    }
}

/// Copies of half the size each, down to a few pixels.
fn smaller(pixmap: &Pixmap) -> Vec<Pixmap> {
    let mut copies: Vec<Pixmap> = Vec::new();
    loop {
        let last = copies.last().unwrap_or(pixmap);
        if last.width() < 4 || last.height() < 4 {
            return copies;
        }
        copies.push(halved(last));
    }
}

/// Half the size, each pixel the mean of four. An odd last row or column is averaged with nothing.
fn halved(pixmap: &Pixmap) -> Pixmap {
    let (width, height) = (pixmap.width().div_ceil(2), pixmap.height().div_ceil(2));
    let mut out = Pixmap::new(width, height);
    for y in 0..height {
        let top = pixmap.row(2 * y);
        let bottom = if 2 * y + 1 < pixmap.height() { pixmap.row(2 * y + 1) } else { &[] };
        for (x, pixel) in out.row_mut(y).iter_mut().enumerate() {
            let corner = |row: &[[u8; 4]], x: usize| row.get(x).copied().unwrap_or_default();
            let four = [corner(top, 2 * x), corner(top, 2 * x + 1), corner(bottom, 2 * x), corner(bottom, 2 * x + 1)];
            for (channel, value) in pixel.iter_mut().enumerate() {
                let sum: u16 = four.iter().map(|pixel| u16::from(pixel[channel])).sum();
                *value = ((sum + 2) / 4) as u8;
            }
        }
    }
    out
}

/// Where one output coordinate falls in the source: the nearer of two neighbours and the weight (of 256) of the next.
struct Tap {
    at: i32,
    next: u32,
}

fn taps(from: i32, to: i32, origin: f64, zoom: f64) -> Vec<Tap> {
    let tap = |out: i32| {
        let source = (f64::from(out) + 0.5 - origin) / zoom - 0.5;
        let at = source.floor();
        Tap { at: at as i32, next: ((source - at) * 256.0).round() as u32 }
    };
    (from..to).map(tap).collect()
}

/// The picture scaled by `zoom` with its corner at `(x, y)`, between pixels where need be; transparent around.
fn resampled(pixmap: &Pixmap, zoom: f64, x: f64, y: f64) -> Layer {
    let edge = |at: f64, len: u32| (at.floor() as i32 - 1, (at + f64::from(len) * zoom).ceil() as i32 + 1);
    let ((x0, x1), (y0, y1)) = (edge(x, pixmap.width()), edge(y, pixmap.height()));
    let mut out = Pixmap::new((x1 - x0) as u32, (y1 - y0) as u32);
    let columns = taps(x0, x1, x, zoom);
    for (row, tap) in taps(y0, y1, y, zoom).iter().enumerate() {
        let source = |y: i32| if (0..pixmap.height() as i32).contains(&y) { pixmap.row(y as u32) } else { &[] };
        sample_row(source(tap.at), source(tap.at + 1), tap.next, &columns, out.row_mut(row as u32));
    }
    Layer::from_pixmap(&out, x0, y0)
}

fn sample_row(top: &[[u8; 4]], bottom: &[[u8; 4]], down: u32, columns: &[Tap], out: &mut [[u8; 4]]) {
    let corner =
        |row: &[[u8; 4]], x: i32| usize::try_from(x).ok().and_then(|x| row.get(x).copied()).unwrap_or_default();
    for (pixel, tap) in out.iter_mut().zip(columns) {
        let four = [
            (corner(top, tap.at), (256 - tap.next) * (256 - down)),
            (corner(top, tap.at + 1), tap.next * (256 - down)),
            (corner(bottom, tap.at), (256 - tap.next) * down),
            (corner(bottom, tap.at + 1), tap.next * down),
        ];
        for (channel, value) in pixel.iter_mut().enumerate() {
            let sum: u32 = four.iter().map(|(pixel, weight)| u32::from(pixel[channel]) * weight).sum();
            *value = ((sum + (1 << 15)) >> 16) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::Frame;

    fn checker(width: u32, height: u32) -> Pixmap {
        let mut pixmap = Pixmap::new(width, height);
        for y in 0..height {
            for (x, pixel) in pixmap.row_mut(y).iter_mut().enumerate() {
                *pixel = if (x as u32 / 3 + y / 3).is_multiple_of(2) { [255, 0, 0, 255] } else { [0, 0, 90, 90] };
            }
        }
        pixmap
    }

    fn shown(layer: &Layer) -> Frame {
        let mut frame = Frame::new(64, 64);
        let bounds = frame.bounds();
        layer.lay_on(&mut frame, bounds, 255);
        frame
    }

    #[test]
    fn moving_by_whole_pixels_is_drawing_elsewhere() {
        let cel = Cel::new(Drawn { pixmap: checker(20, 14), x: 5, y: 7 }, (0.0, 0.0), false);
        let moved = cel.layer(Look::Moved(3.0, 8.0)).expect("seen");
        assert_eq!(shown(&moved), shown(&Layer::from_pixmap(&checker(20, 14), 8, 15)));
    }

    #[test]
    fn zoom_keeps_the_centre() {
        let mut white = Pixmap::new(32, 32);
        white.fill([255; 4]);
        let cel = Cel::new(Drawn { pixmap: white, x: 16, y: 16 }, (32.0, 32.0), true);
        for zoom in [0.1, 0.25, 0.5, 0.9] {
            let seen = cel.layer(Look::Zoomed(zoom)).expect("seen").visible();
            let (left, right) = (32 - seen.x0, seen.x1 - 32);
            assert!((left - right).abs() <= 2, "{zoom}: {seen:?}");
            assert!((f64::from(right) - 16.0 * zoom).abs() <= 2.5, "{zoom}: {seen:?}");
        }
    }
}
