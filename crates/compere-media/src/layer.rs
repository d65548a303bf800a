//! A picture ready to be laid on a frame.

use crate::kernel::{self, Level};
use crate::{Frame, Pixmap, Rect};

/// Premultiplied BT.709 4:2:0 with alpha, placed on the frame. Its rectangle lies on even coordinates.
///
/// Planes hold `value * alpha / 255`, offsets included, so that laying a layer on a frame is the same line for luma
/// and chroma: `over + under * (255 - alpha) / 255`.
#[derive(Clone, PartialEq, Eq)]
pub struct Layer {
    rect: Rect,
    y: Vec<u8>,
    u: Vec<u8>,
    v: Vec<u8>,
    a: Vec<u8>,
    /// Alpha at chroma resolution.
    ac: Vec<u8>,
    /// Every alpha is known to be 255: laying it on is copying.
    opaque: bool,
}

/// What surroundings do to somebody who was lit without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ambience {
    /// Brightness, 256 as it is; no more than 100 away from it.
    pub gain: u16,
    /// What the dark takes of their colour; up to 30 either way.
    pub u: i8,
    pub v: i8,
}

impl Layer {
    /// A transparent layer over `rect`, grown to even coordinates.
    pub fn new(rect: Rect) -> Self {
        let rect = rect.aligned(2);
        let luma = rect.area() as usize;
        Self {
            rect,
            y: vec![0; luma],
            u: vec![0; luma / 4],
            v: vec![0; luma / 4],
            a: vec![0; luma],
            ac: vec![0; luma / 4],
            opaque: false,
        }
    }

    /// A picture with its corner at `(x, y)`.
    pub fn from_pixmap(pixmap: &Pixmap, x: i32, y: i32) -> Self {
        let mut layer = Self::new(pixmap.bounds().shifted(x, y));
        layer.put(pixmap, x - layer.rect.x0, y - layer.rect.y0, Rect::of_size(layer.width(), layer.height()));
        layer
    }

    pub fn rect(&self) -> Rect {
        self.rect
    }

    pub fn width(&self) -> u32 {
        self.rect.width()
    }

    pub fn height(&self) -> u32 {
        self.rect.height()
    }

    /// Moves the layer as it is. Both distances must be even.
    pub fn shift(&mut self, dx: i32, dy: i32) {
        assert!(dx % 2 == 0 && dy % 2 == 0, "chroma cannot move by half a sample");
        self.rect = self.rect.shifted(dx, dy);
    }

    /// Replaces the pixels inside `part` (layer coordinates, grown to even ones) by those of `pixmap`, whose corner is
    /// at `(x, y)` of the layer. Where the pixmap does not reach, the layer becomes transparent.
    pub fn put(&mut self, pixmap: &Pixmap, x: i32, y: i32, part: Rect) {
        let part = part.aligned(2).intersect(Rect::of_size(self.width(), self.height()));
        if part.is_empty() {
            return;
        }
        self.opaque = false;
        let level = Level::best();
        let width = part.width() as usize;
        let mut rows = [vec![[0u8; 4]; width], vec![[0u8; 4]; width]];
        for top in (part.y0..part.y1).step_by(2) {
            for (dy, row) in rows.iter_mut().enumerate() {
                fetch_row(pixmap, part.x0 - x, top + dy as i32 - y, row);
            }
            for (dy, row) in rows.iter().enumerate() {
                let at = (top as usize + dy) * self.width() as usize + part.x0 as usize;
                level.luma(row, &mut self.y[at..at + width], &mut self.a[at..at + width]);
            }
            let at = (top as usize / 2) * (self.width() as usize / 2) + part.x0 as usize / 2;
            let span = at..at + width / 2;
            level.chroma(
                [&rows[0], &rows[1]],
                &mut self.u[span.clone()],
                &mut self.v[span.clone()],
                &mut self.ac[span],
            );
        }
    }

    /// Takes an opaque picture in 4:2:0 planes (rows without padding) of exactly the layer's size.
    pub fn put_planes(&mut self, y: &[u8], u: &[u8], v: &[u8]) {
        self.y.copy_from_slice(y);
        self.u.copy_from_slice(u);
        self.v.copy_from_slice(v);
        if !self.opaque {
            self.a.fill(255);
            self.ac.fill(255);
            self.opaque = true;
        }
    }

    /// Takes straight 4:2:0 planes with a full-size alpha plane, of exactly the layer's size.
    pub fn put_planes_with_alpha(&mut self, y: &[u8], u: &[u8], v: &[u8], a: &[u8]) {
        self.opaque = false;
        self.a.copy_from_slice(a);
        kernel::half_alpha(a, self.rect.width() as usize, &mut self.ac);
        kernel::premultiply(&mut self.y, y, &self.a);
        kernel::premultiply(&mut self.u, u, &self.ac);
        kernel::premultiply(&mut self.v, v, &self.ac);
    }

    /// Takes a part of another layer of the same size as far as a mask lets it through: one of every pixel, and its
    /// `half` for colours. `part` lies on even coordinates, counted from the layers' corners.
    pub fn copy_cut(&mut self, from: &Self, part: Rect, mask: &[u8], half: &[u8]) {
        self.opaque = false;
        let width = self.width() as usize;
        let part = part.intersect(Rect::of_size(self.width(), self.height()));
        let rows = |step: i32| {
            let (across, x0, x1) = (width / step as usize, part.x0 / step, part.x1 / step);
            (part.y0 / step..part.y1 / step).map(move |y| {
                let start = y as usize * across;
                start + x0 as usize..start + x1.max(x0) as usize
            })
        };
        for row in rows(1) {
            kernel::premultiply(&mut self.y[row.clone()], &from.y[row.clone()], &mask[row.clone()]);
            kernel::premultiply(&mut self.a[row.clone()], &from.a[row.clone()], &mask[row]);
        }
        for row in rows(2) {
            kernel::premultiply(&mut self.u[row.clone()], &from.u[row.clone()], &half[row.clone()]);
            kernel::premultiply(&mut self.v[row.clone()], &from.v[row.clone()], &half[row.clone()]);
            kernel::premultiply(&mut self.ac[row.clone()], &from.ac[row.clone()], &half[row]);
        }
    }

    /// Takes a part of another layer of the same size, in the light of its surroundings. `part` lies on even coordinates,
    /// counted from the layers' corners.
    pub fn copy_lit(&mut self, from: &Self, part: Rect, light: Ambience) {
        self.opaque = from.opaque;
        let (level, width) = (Level::best(), self.width() as usize);
        let part = part.intersect(Rect::of_size(self.width(), self.height()));
        let span = |y: i32, step: i32| {
            let start = (y / step) as usize * (width / step as usize);
            start + (part.x0 / step) as usize..start + (part.x1 / step).max(part.x0 / step) as usize
        };
        for y in (part.y0..part.y1).step_by(2) {
            let (top, low, half) = (span(y, 1), span(y + 1, 1), span(y, 2));
            // Before their brightness changes: what is in the dark takes the colour of what surrounds it.
            let rows = [&from.y[top.clone()], &from.y[low.clone()]];
            let (out, own, a) = (&mut self.u[half.clone()], &from.u[half.clone()], &from.ac[half.clone()]);
            level.surround(out, own, rows, a, light.u);
            level.surround(&mut self.v[half.clone()], &from.v[half.clone()], rows, a, light.v);
            self.ac[half].copy_from_slice(a);
            for row in [top, low] {
                let (own, a) = (&from.y[row.clone()], &from.a[row.clone()]);
                level.light(&mut self.y[row.clone()], own, a, light.gain);
                self.a[row].copy_from_slice(a);
            }
        }
    }

    /// Lays the layer on `frame` inside `part` (frame coordinates, grown to even ones), `opacity` of 255 being as it is.
    pub fn lay_on(&self, frame: &mut Frame, part: Rect, opacity: u8) {
        self.lay_on_with(Level::best(), frame, part, opacity);
    }

    /// As [`Layer::lay_on`], on a chosen code path.
    pub fn lay_on_with(&self, level: Level, frame: &mut Frame, part: Rect, opacity: u8) {
        let part = part.aligned(2).intersect(self.rect).intersect(frame.bounds());
        if part.is_empty() || opacity == 0 {
            return;
        }
        let (to, from) = (frame.width() as usize, self.width() as usize);
        let (dx, dy) = (self.rect.x0, self.rect.y0);
        for row in part.y0..part.y1 {
            let t = row as usize * to + part.x0 as usize;
            let f = (row - dy) as usize * from + (part.x0 - dx) as usize;
            let n = part.width() as usize;
            self.lay_row(level, &mut frame.y[t..t + n], &self.y[f..f + n], &self.a[f..f + n], opacity);
        }
        for row in part.y0 / 2..part.y1 / 2 {
            let t = row as usize * (to / 2) + part.x0 as usize / 2;
            let f = (row - dy / 2) as usize * (from / 2) + (part.x0 - dx) as usize / 2;
            let n = part.width() as usize / 2;
            self.lay_row(level, &mut frame.u[t..t + n], &self.u[f..f + n], &self.ac[f..f + n], opacity);
            self.lay_row(level, &mut frame.v[t..t + n], &self.v[f..f + n], &self.ac[f..f + n], opacity);
        }
    }

    fn lay_row(&self, level: Level, under: &mut [u8], over: &[u8], alpha: &[u8], opacity: u8) {
        if self.opaque && opacity == 255 {
            under.copy_from_slice(over);
        } else {
            level.blend(under, over, alpha, opacity);
        }
    }

    /// The smallest even rectangle (frame coordinates) outside of which the layer is fully transparent.
    pub fn visible(&self) -> Rect {
        let width = self.width() as usize;
        let mut seen = Rect::default();
        for (row, alphas) in self.a.chunks_exact(width.max(1)).enumerate() {
            let Some(first) = alphas.iter().position(|&a| a != 0) else { continue };
            let last = alphas.iter().rposition(|&a| a != 0).unwrap_or(first);
            seen = seen.union(Rect::new(first as i32, row as i32, last as i32 + 1, row as i32 + 1));
        }
        seen.aligned(2).shifted(self.rect.x0, self.rect.y0)
    }
}

/// One row of `pixmap` from `(x, y)`; transparent where there is none.
fn fetch_row(pixmap: &Pixmap, x: i32, y: i32, out: &mut [[u8; 4]]) {
    out.fill([0; 4]);
    if y < 0 || y >= pixmap.height() as i32 {
        return;
    }
    let first = x.max(0);
    let last = (x + out.len() as i32).min(pixmap.width() as i32);
    if first < last {
        let row = &pixmap.row(y as u32)[first as usize..last as usize];
        out[(first - x) as usize..(last - x) as usize].copy_from_slice(row);
    }
}

impl std::fmt::Debug for Layer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Layer({:?})", self.rect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rgb;

    #[test]
    fn pure_colours_survive_within_two() {
        for color in [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 177, 64), (1, 2, 3)] {
            let color = Rgb::opaque(color.0, color.1, color.2);
            let mut pixmap = Pixmap::new(4, 4);
            pixmap.fill(color.premultiplied());
            let mut frame = Frame::new(8, 8);
            Layer::from_pixmap(&pixmap, 2, 2).lay_on(&mut frame, Rect::of_size(8, 8), 255);
            let seen = frame.to_rgb()[3 * 8 + 3];
            for (seen, meant) in seen.iter().zip([color.r, color.g, color.b]) {
                assert!(seen.abs_diff(meant) <= 2, "{color:?} came back as {seen:?}");
            }
        }
    }

    #[test]
    fn transparent_pixels_change_nothing() {
        let mut frame = Frame::new(8, 8);
        frame.fill(Rgb::opaque(90, 20, 200));
        let before = frame.clone();
        Layer::from_pixmap(&Pixmap::new(5, 5), 1, 1).lay_on(&mut frame, Rect::of_size(8, 8), 255);
        assert_eq!(before, frame);
    }

    #[test]
    fn pieces_make_the_same_picture_as_the_whole() {
        let mut pixmap = Pixmap::new(13, 9);
        for (at, pixel) in pixmap.data_mut().iter_mut().enumerate() {
            *pixel = Rgb { r: (at * 7) as u8, g: (at * 31) as u8, b: at as u8, a: (at * 13) as u8 }.premultiplied();
        }
        let layer = Layer::from_pixmap(&pixmap, -3, 5);
        let mut whole = Frame::new(16, 16);
        layer.lay_on(&mut whole, Rect::of_size(16, 16), 200);
        let mut pieces = Frame::new(16, 16);
        for part in [Rect::new(0, 0, 6, 16), Rect::new(6, 0, 16, 10), Rect::new(6, 10, 16, 16)] {
            layer.lay_on(&mut pieces, part, 200);
        }
        assert_eq!(whole, pieces);
    }
}
