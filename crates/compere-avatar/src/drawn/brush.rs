//! Painting in model units: x to the picture's right, y up.

use compere_media::{Pixmap, Rect};
use tiny_skia::{
    FillRule, GradientStop, LineCap, LinearGradient, Mask, Paint, Path, PathBuilder, PixmapMut, Point, RadialGradient,
    Shader, SpreadMode, Stroke, Transform,
};

pub(super) type Rgb3 = [u8; 3];

/// A colour scaled towards black (below 1) or white (above).
pub(super) fn shade(color: Rgb3, by: f32) -> Rgb3 {
    color.map(|c| {
        let c = f32::from(c);
        (if by <= 1.0 { c * by } else { c + (255.0 - c) * (by - 1.0) }).round() as u8
    })
}

pub(super) fn mixed(a: Rgb3, b: Rgb3, t: f32) -> Rgb3 {
    std::array::from_fn(|k| (f32::from(a[k]) + (f32::from(b[k]) - f32::from(a[k])) * t).round() as u8)
}

/// A picture and where the model lies on it.
pub(super) struct Brush<'a> {
    canvas: PixmapMut<'a>,
    to_pixels: Transform,
    /// Nothing is painted outside.
    clip: Option<Mask>,
}

impl<'a> Brush<'a> {
    /// `unit` plate pixels per model unit; the model's (0, `top`) lies at the middle of the upper edge of a plate
    /// `width` wide, of which `pixmap` shows the part from `corner` on.
    pub(super) fn new(pixmap: &'a mut Pixmap, unit: f32, width: f32, top: f32, corner: [i32; 2]) -> Self {
        let (w, h) = (pixmap.width(), pixmap.height());
        let bytes = pixmap.data_mut().as_flattened_mut();
        let canvas = PixmapMut::from_bytes(bytes, w, h).expect("a pixmap has the bytes its sides ask for");
        let to_pixels =
            Transform::from_row(unit, 0.0, 0.0, -unit, width * 0.5 - corner[0] as f32, top * unit - corner[1] as f32);
        Self { canvas, to_pixels, clip: None }
    }

    /// Lets `paint` paint inside `path` only.
    pub(super) fn within(&mut self, path: &Path, paint: impl FnOnce(&mut Self)) {
        let outer = self.clip.take();
        let mut mask = outer.clone();
        if let Some(mask) = &mut mask {
            mask.intersect_path(path, FillRule::Winding, true, self.to_pixels);
        } else if let Some(mut fresh) = Mask::new(self.canvas.width(), self.canvas.height()) {
            fresh.fill_path(path, FillRule::Winding, true, self.to_pixels);
            mask = Some(fresh);
        }
        self.clip = mask;
        paint(self);
        self.clip = outer;
    }

    fn paint(shader: Shader<'_>) -> Paint<'_> {
        Paint { shader, anti_alias: true, ..Paint::default() }
    }

    fn color(color: Rgb3, alpha: f32) -> tiny_skia::Color {
        tiny_skia::Color::from_rgba8(color[0], color[1], color[2], (alpha.clamp(0.0, 1.0) * 255.0).round() as u8)
    }

    pub(super) fn fill(&mut self, path: &Path, color: Rgb3, alpha: f32) {
        let paint = Self::paint(Shader::SolidColor(Self::color(color, alpha)));
        self.canvas.fill_path(path, &paint, FillRule::Winding, self.to_pixels, self.clip.as_ref());
    }

    /// From `a` at one point to `b` at another.
    pub(super) fn fill_linear(&mut self, path: &Path, from: [f32; 2], to: [f32; 2], a: (Rgb3, f32), b: (Rgb3, f32)) {
        let stops = vec![GradientStop::new(0.0, Self::color(a.0, a.1)), GradientStop::new(1.0, Self::color(b.0, b.1))];
        let (start, end) = (Point::from_xy(from[0], from[1]), Point::from_xy(to[0], to[1]));
        let Some(shader) = LinearGradient::new(start, end, stops, SpreadMode::Pad, Transform::identity()) else {
            return;
        };
        self.canvas.fill_path(path, &Self::paint(shader), FillRule::Winding, self.to_pixels, self.clip.as_ref());
    }

    /// A soft spot: `color` at the centre, nothing at `radius`.
    pub(super) fn glow(&mut self, path: &Path, centre: [f32; 2], radius: f32, color: Rgb3, alpha: f32) {
        let stops = vec![
            GradientStop::new(0.0, Self::color(color, alpha)),
            GradientStop::new(0.5, Self::color(color, alpha * 0.45)),
            GradientStop::new(1.0, Self::color(color, 0.0)),
        ];
        let at = Point::from_xy(centre[0], centre[1]);
        let shader = RadialGradient::new(at, 0.0, at, radius, stops, SpreadMode::Pad, Transform::identity());
        let Some(shader) = shader else { return };
        self.canvas.fill_path(path, &Self::paint(shader), FillRule::Winding, self.to_pixels, self.clip.as_ref());
    }

    /// A soft spot that is wider than high: `color` at the centre, nothing at the edge of an ellipse.
    pub(super) fn glow_flat(&mut self, path: &Path, [x, y]: [f32; 2], [rx, ry]: [f32; 2], color: Rgb3, alpha: f32) {
        let stops = vec![
            GradientStop::new(0.0, Self::color(color, alpha)),
            GradientStop::new(0.5, Self::color(color, alpha * 0.55)),
            GradientStop::new(1.0, Self::color(color, 0.0)),
        ];
        let flat = Transform::from_row(1.0, 0.0, 0.0, ry / rx, 0.0, y - y * ry / rx);
        let at = Point::from_xy(x, y);
        let Some(shader) = RadialGradient::new(at, 0.0, at, rx, stops, SpreadMode::Pad, flat) else { return };
        self.canvas.fill_path(path, &Self::paint(shader), FillRule::Winding, self.to_pixels, self.clip.as_ref());
    }

    pub(super) fn stroke(&mut self, path: &Path, width: f32, color: Rgb3, alpha: f32) {
        let paint = Self::paint(Shader::SolidColor(Self::color(color, alpha)));
        let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
        self.canvas.stroke_path(path, &paint, &stroke, self.to_pixels, self.clip.as_ref());
    }
}

/// A closed or open outline through cubic segments.
pub(super) struct Outline(PathBuilder);

impl Outline {
    pub(super) fn at(x: f32, y: f32) -> Self {
        let mut builder = PathBuilder::new();
        builder.move_to(x, y);
        Self(builder)
    }

    pub(super) fn line(mut self, x: f32, y: f32) -> Self {
        self.0.line_to(x, y);
        self
    }

    pub(super) fn curve(mut self, a: [f32; 2], b: [f32; 2], to: [f32; 2]) -> Self {
        self.0.cubic_to(a[0], a[1], b[0], b[1], to[0], to[1]);
        self
    }

    pub(super) fn closed(mut self) -> Path {
        self.0.close();
        self.open()
    }

    pub(super) fn open(self) -> Path {
        self.0.finish().expect("an outline has at least one segment")
    }
}

pub(super) fn ellipse(x: f32, y: f32, rx: f32, ry: f32) -> Path {
    const K: f32 = 0.552_285;
    Outline::at(x + rx, y)
        .curve([x + rx, y + ry * K], [x + rx * K, y + ry], [x, y + ry])
        .curve([x - rx * K, y + ry], [x - rx, y + ry * K], [x - rx, y])
        .curve([x - rx, y - ry * K], [x - rx * K, y - ry], [x, y - ry])
        .curve([x + rx * K, y - ry], [x + rx, y - ry * K], [x + rx, y])
        .closed()
}

/// The part of `picture` in `rect`, which may reach beyond it.
pub(super) fn window(picture: &Pixmap, rect: Rect) -> Pixmap {
    let mut out = Pixmap::new(rect.width(), rect.height());
    out.draw(picture, -rect.x0, -rect.y0);
    out
}

/// Replaces `rect` of `picture`.
pub(super) fn put_back(picture: &mut Pixmap, part: &Pixmap, rect: Rect) {
    let inside = rect.intersect(picture.bounds());
    for y in inside.y0..inside.y1 {
        let from = &part.row((y - rect.y0) as u32)[(inside.x0 - rect.x0) as usize..(inside.x1 - rect.x0) as usize];
        picture.row_mut(y as u32)[inside.x0 as usize..inside.x1 as usize].copy_from_slice(from);
    }
}
