//! Outlines to coverage.
//!
//! Every pixel gets the exact area that the outline covers of it, summed in signed trapezoids. Scalar and in a fixed
//! order, so the bytes are the same on every machine. Regions that are wound twice count once; regions wound both ways
//! cancel, as in every rasteriser of this family.
//!
//! Memory is bounded by the clip, whatever the size of the outline.

use compere_media::Rect;
use kurbo::{BezPath, PathEl, Point};

/// How much of each pixel is covered, 0 to 255.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    pub rect: Rect,
    pub coverage: Vec<u8>,
}

/// How far a flattened curve may be from the true one, in pixels.
const FLATNESS: f64 = 0.03;

/// Rows that are summed up together: small enough to stay in the second cache level.
const BAND: usize = 32;

impl Mask {
    /// Nothing covered.
    pub fn empty(rect: Rect) -> Self {
        Self { rect, coverage: vec![0; rect.area() as usize] }
    }

    /// The inside of `path`, whose open ends are closed. `None` when no pixel of `clip` can be touched.
    pub fn of(path: &BezPath, clip: Rect) -> Option<Self> {
        let rect = pixels_around(path, clip)?;
        let edges = edges(path, rect);
        let (width, height) = (rect.width() as usize, rect.height() as usize);
        let mut coverage = Vec::with_capacity(width * height);
        let mut sums = vec![0.0; (width + 2) * BAND];
        let mut row = 0;
        while row < height {
            let rows = BAND.min(height - row);
            let mut band = Band { sums: &mut sums[..(width + 2) * rows], width, top: row as f32 };
            band.sums.fill(0.0);
            for edge in edges.iter().filter(|edge| edge.low() < (row + rows) as f32 && edge.high() > row as f32) {
                band.add(edge);
            }
            band.flush(&mut coverage);
            row += rows;
        }
        Some(Self { rect, coverage })
    }

    pub fn row(&self, y: i32) -> &[u8] {
        let width = self.rect.width() as usize;
        let start = (y - self.rect.y0) as usize * width;
        &self.coverage[start..start + width]
    }

    pub fn row_mut(&mut self, y: i32) -> &mut [u8] {
        let width = self.rect.width() as usize;
        let start = (y - self.rect.y0) as usize * width;
        &mut self.coverage[start..start + width]
    }

    /// What either covers. The result spans both.
    #[must_use]
    pub fn united(self, other: &Self) -> Self {
        let mut out = if self.rect.contains(other.rect) { self } else { self.within(self.rect.union(other.rect)) };
        let x = (other.rect.x0 - out.rect.x0) as usize;
        for y in other.rect.y0..other.rect.y1 {
            let from = other.row(y);
            for (to, &from) in out.row_mut(y)[x..x + from.len()].iter_mut().zip(from) {
                *to = 255 - mul(255 - *to, 255 - from);
            }
        }
        out
    }

    /// The same over another rectangle: cut, or surrounded by nothing.
    #[must_use]
    pub fn within(&self, rect: Rect) -> Self {
        let mut out = Self::empty(rect);
        let common = self.rect.intersect(rect);
        if common.is_empty() {
            return out;
        }
        for y in common.y0..common.y1 {
            let from = &self.row(y)[(common.x0 - self.rect.x0) as usize..(common.x1 - self.rect.x0) as usize];
            let x = (common.x0 - rect.x0) as usize;
            out.row_mut(y)[x..x + from.len()].copy_from_slice(from);
        }
        out
    }
}

/// `a * b / 255`, rounded.
pub fn mul(a: u8, b: u8) -> u8 {
    let product = u32::from(a) * u32::from(b) + 128;
    ((product + (product >> 8)) >> 8) as u8
}

/// The whole pixels around `path` that lie inside `clip`.
fn pixels_around(path: &BezPath, clip: Rect) -> Option<Rect> {
    let bounds = path.control_box();
    if path.elements().is_empty() || !bounds.is_finite() {
        return None;
    }
    let limit = |value: f64| value.clamp(f64::from(i32::MIN / 4), f64::from(i32::MAX / 4)) as i32;
    let around =
        Rect::new(limit(bounds.x0.floor()), limit(bounds.y0.floor()), limit(bounds.x1.ceil()), limit(bounds.y1.ceil()));
    let rect = around.intersect(clip);
    (!rect.is_empty()).then_some(rect)
}

/// A straight piece of outline, relative to the mask's corner.
#[derive(Clone, Copy, Debug)]
struct Edge {
    x0: f32,
    y0: f32,
    x1: f32,
    y1: f32,
}

impl Edge {
    fn low(&self) -> f32 {
        self.y0.min(self.y1)
    }

    fn high(&self) -> f32 {
        self.y0.max(self.y1)
    }
}

fn edges(path: &BezPath, rect: Rect) -> Vec<Edge> {
    let mut clipper = Clipper { width: f64::from(rect.width()), height: f64::from(rect.height()), edges: Vec::new() };
    let corner = kurbo::Vec2::new(f64::from(rect.x0), f64::from(rect.y0));
    let (mut start, mut last) = (Point::ZERO, Point::ZERO);
    kurbo::flatten(path.elements().iter().copied(), FLATNESS, |element| match element {
        PathEl::MoveTo(to) => {
            clipper.line(last - corner, start - corner);
            (start, last) = (to, to);
        }
        PathEl::LineTo(to) => {
            clipper.line(last - corner, to - corner);
            last = to;
        }
        PathEl::ClosePath => {
            clipper.line(last - corner, start - corner);
            last = start;
        }
        PathEl::QuadTo(..) | PathEl::CurveTo(..) => unreachable!("flattening leaves lines only"),
    });
    clipper.line(last - corner, start - corner);
    clipper.edges
}

/// Cuts lines to the mask. What lies left of it still turns the pixels to its right on, so it is moved to the border;
/// what lies right, above or below touches nothing.
struct Clipper {
    width: f64,
    height: f64,
    edges: Vec<Edge>,
}

impl Clipper {
    fn line(&mut self, from: Point, to: Point) {
        if from.y == to.y {
            return;
        }
        let at = |y: f64| from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y);
        let (y0, y1) = (from.y.clamp(0.0, self.height), to.y.clamp(0.0, self.height));
        if y0 == y1 {
            return;
        }
        let x0 = if y0 == from.y { from.x } else { at(y0) };
        let x1 = if y1 == to.y { to.x } else { at(y1) };
        let crossing = |x: f64| (x0 < x) != (x1 < x);
        let height_at = |x: f64| (y0 + (y1 - y0) * (x - x0) / (x1 - x0)).clamp(y0.min(y1), y0.max(y1));
        let borders = if x0 <= x1 { [0.0, self.width] } else { [self.width, 0.0] };
        let mut last = (x0, y0);
        for border in borders.into_iter().filter(|&border| crossing(border)) {
            let next = (border, height_at(border));
            self.push(last, next);
            last = next;
        }
        self.push(last, (x1, y1));
    }

    fn push(&mut self, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) {
        if y0 == y1 || (x0 >= self.width && x1 >= self.width) {
            return;
        }
        let clamp = |x: f64| x.clamp(0.0, self.width) as f32;
        self.edges.push(Edge { x0: clamp(x0), y0: y0 as f32, x1: clamp(x1), y1: y1 as f32 });
    }
}

/// Some rows of area differences: the running sum along a row is the coverage.
struct Band<'a> {
    sums: &'a mut [f32],
    width: usize,
    top: f32,
}

impl Band<'_> {
    fn add(&mut self, edge: &Edge) {
        let rows = self.sums.len() / (self.width + 2);
        let (sign, top, bottom) = if edge.y0 < edge.y1 {
            (1.0, (edge.x0, edge.y0), (edge.x1, edge.y1))
        } else {
            (-1.0, (edge.x1, edge.y1), (edge.x0, edge.y0))
        };
        let slope = (bottom.0 - top.0) / (bottom.1 - top.1);
        let (low, high) = (top.0.min(bottom.0), top.0.max(bottom.0));
        let first = (top.1 - self.top).max(0.0);
        let last = (bottom.1 - self.top).min(rows as f32);
        for row in first as usize..(last.ceil() as usize).min(rows) {
            let y0 = first.max(row as f32);
            let y1 = last.min(row as f32 + 1.0);
            let at = |y: f32| (top.0 + (y + self.top - top.1) * slope).clamp(low, high);
            let (x0, x1) = (at(y0), at(y1));
            self.span(row, (y1 - y0) * sign, x0.min(x1), x0.max(x1));
        }
    }

    /// Adds an edge that crosses `height` of a row between `x0` and `x1`.
    fn span(&mut self, row: usize, height: f32, x0: f32, x1: f32) {
        let sums = &mut self.sums[row * (self.width + 2)..(row + 1) * (self.width + 2)];
        let left = x0 as usize;
        if x1 <= (left + 1) as f32 {
            let inside = height * (1.0 - ((x0 + x1) * 0.5 - left as f32));
            sums[left] += inside;
            sums[left + 1] += height - inside;
            return;
        }
        let per_pixel = height / (x1 - x0);
        let right = (x1.ceil() as usize).min(self.width + 1);
        let mut before = 0.0;
        for (pixel, sum) in sums[left..right].iter_mut().enumerate() {
            let pixel = (left + pixel) as f32;
            let (from, to) = (x0.max(pixel), x1.min(pixel + 1.0));
            let done = (from - x0).max(0.0) * per_pixel;
            let here = done + (to - from) * per_pixel * (pixel + 1.0 - (from + to) * 0.5);
            *sum += here - before;
            before = here;
        }
        sums[right] += height - before;
    }

    fn flush(&self, coverage: &mut Vec<u8>) {
        for row in self.sums.chunks_exact(self.width + 2) {
            let mut sum = 0.0f32;
            coverage.extend(row[..self.width].iter().map(|difference| {
                sum += difference;
                (sum.abs().min(1.0) * 255.0 + 0.5) as u8
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurbo::{Affine, Circle, Rect as Box2, Shape as _};

    fn area(mask: &Mask) -> f64 {
        mask.coverage.iter().map(|&c| f64::from(c)).sum::<f64>() / 255.0
    }

    #[test]
    fn coverage_is_area() {
        let clip = Rect::of_size(100, 100);
        let square = Box2::new(10.25, 10.5, 20.75, 30.25).to_path(0.1);
        let mask = Mask::of(&square, clip).unwrap();
        assert!((area(&mask) - 10.5 * 19.75).abs() < 0.3, "{}", area(&mask));
        assert_eq!(mask.row(15)[0], 191, "three quarters of the left column");
        assert_eq!(mask.row(10)[5], 128, "half of the top row");
        let turned = Affine::rotate_about(0.3, (50.0, 50.0)) * Circle::new((50.0, 50.0), 30.0).to_path(0.01);
        let mask = Mask::of(&turned, clip).unwrap();
        assert!((area(&mask) / (std::f64::consts::PI * 900.0) - 1.0).abs() < 2e-3, "{}", area(&mask));
    }

    #[test]
    fn a_window_sees_the_same_as_the_whole() {
        let path = Affine::rotate_about(0.7, (50.0, 40.0)) * Box2::new(-20.0, 20.0, 130.0, 70.0).to_path(0.1);
        let all = Mask::of(&path, Rect::new(-200, -200, 300, 300)).unwrap();
        for window in
            [Rect::new(0, 0, 40, 40), Rect::new(30, 30, 70, 45), Rect::new(60, 0, 90, 90), Rect::new(45, -90, 46, 99)]
        {
            let part = Mask::of(&path, window).unwrap();
            let cut = all.within(part.rect);
            let worst = part.coverage.iter().zip(&cut.coverage).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            assert!(worst <= 1, "{window:?} differs by {worst}");
        }
    }

    #[test]
    fn a_huge_outline_costs_the_window_only() {
        let path = Circle::new((0.0, 0.0), 4.0e6).to_path(0.1);
        let mask = Mask::of(&path, Rect::of_size(64, 48)).unwrap();
        assert_eq!(mask.coverage, vec![255; 64 * 48]);
        assert!(Mask::of(&Circle::new((500.0, 0.0), 20.0).to_path(0.1), Rect::of_size(64, 48)).is_none());
        assert!(Mask::of(&Circle::new((f64::NAN, 0.0), 20.0).to_path(0.1), Rect::of_size(64, 48)).is_none());
    }
}
