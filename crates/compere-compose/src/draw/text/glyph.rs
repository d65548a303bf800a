//! From glyphs to coverage and pictures.

use super::emoji::Picture;
use super::layout::{Glyph, Lines, Run, TextLine};
use crate::draw::Drawn;
use crate::draw::image::stretched;
use crate::draw::raster::{Mask, mul};
use compere_media::{Rect, Rgb, math};
use compere_scene::Stroke;
use kurbo::{Affine, BezPath, Cap, Join, StrokeOpts};
use skrifa::instance::{LocationRef, NormalizedCoord, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use std::collections::HashMap;

/// What a text leaves on the output.
#[derive(Debug, Default)]
pub struct Ink {
    /// By colour, in the order of the text.
    pub letters: Vec<(Rgb, Mask)>,
    /// Around the letters, the letters included.
    pub stroke: Option<Mask>,
    /// Emoji, in order.
    pub pictures: Vec<Drawn>,
}

impl Ink {
    pub fn of(lines: &Lines, map: Affine, stroke: Option<&Stroke>, clip: Rect) -> Self {
        let mut ink = Self::default();
        let mut known = HashMap::new();
        let reach = stroke.map_or(0.0, |stroke| stroke.width);
        let seen = lines.lines.iter().filter(|line| is_near(line, map, reach, clip));
        for run in seen.flat_map(|line| &line.runs) {
            let path = outlines(run);
            if path.elements().is_empty() {
                ink.add_pictures(run, map, clip, &mut known);
                continue;
            }
            let mut letters = Mask::of(&(map * &path), clip);
            if run.embolden {
                letters = united(letters, Mask::of(&(map * outline_of(&path, run.size / 28.0, map)), clip));
            }
            if let Some(stroke) = stroke {
                let around = Mask::of(&(map * outline_of(&path, stroke.width, map)), clip);
                let around = united(around, letters.clone());
                ink.stroke = united(ink.stroke.take(), around);
            }
            ink.add_letters(run.color, letters);
        }
        ink
    }

    pub fn add_letters(&mut self, color: Rgb, mask: Option<Mask>) {
        let Some(mask) = mask else { return };
        match self.letters.iter().position(|(known, _)| *known == color) {
            Some(at) => {
                let (color, letters) = self.letters.remove(at);
                self.letters.insert(at, (color, letters.united(&mask)));
            }
            None => self.letters.push((color, mask)),
        }
    }

    /// Everything that throws a shadow.
    pub fn silhouette(&self) -> Option<Mask> {
        let pictures = self.pictures.iter().map(|drawn| Mask {
            rect: drawn.rect(),
            coverage: drawn.pixmap.data().iter().map(|pixel| pixel[3]).collect(),
        });
        let letters = self.letters.iter().map(|(_, mask)| mask);
        let masks = letters.chain(&self.stroke).cloned().chain(pictures);
        masks.reduce(|all, mask| all.united(&mask))
    }

    /// Emoji fade with the colour of the letters around them.
    fn add_pictures(&mut self, run: &Run, map: Affine, clip: Rect, known: &mut HashMap<(u64, u32), Option<Picture>>) {
        for glyph in &run.glyphs {
            let key = (run.font.data.id(), glyph.id);
            let picture = known.entry(key).or_insert_with(|| Picture::of(&run.font, glyph.id));
            let Some(picture) = picture else { continue };
            let unit = map * in_place(picture, glyph, run.size);
            self.pictures.extend(stretched(&picture.pixmap, unit, clip).map(|drawn| faded(drawn, run.color.a)));
        }
    }
}

/// Whether anything of a line can lie in `clip`: a text of many thousand lines costs those that are seen. Three sizes of
/// margin hold the tallest stacks of marks.
fn is_near(line: &TextLine, map: Affine, reach: f64, clip: Rect) -> bool {
    let size = line.runs.iter().map(|run| run.size).fold(0.0, f64::max);
    let margin = size * 3.0 + reach;
    let around = kurbo::Rect::new(line.left, line.baseline, line.right, line.baseline).inflate(margin, margin);
    let around = map.transform_rect_bbox(around);
    let clip = kurbo::Rect::new(f64::from(clip.x0), f64::from(clip.y0), f64::from(clip.x1), f64::from(clip.y1));
    around.overlaps(clip)
}

/// From the unit square to where the picture stands.
fn in_place(picture: &Picture, glyph: &Glyph, size: f64) -> Affine {
    let corner = (glyph.x + picture.left * size, glyph.y - picture.top * size);
    Affine::translate(corner) * Affine::scale_non_uniform(picture.width * size, picture.height * size)
}

fn faded(mut drawn: Drawn, alpha: u8) -> Drawn {
    if alpha < 255 {
        for pixel in drawn.pixmap.data_mut() {
            *pixel = pixel.map(|channel| mul(channel, alpha));
        }
    }
    drawn
}

fn united(a: Option<Mask>, b: Option<Mask>) -> Option<Mask> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.united(&b)),
        (a, b) => a.or(b),
    }
}

/// The line of `width` along a path. Round joins: letters have too many sharp corners for any other.
fn outline_of(path: &BezPath, width: f64, map: Affine) -> BezPath {
    let style = kurbo::Stroke::new(width).with_join(Join::Round).with_caps(Cap::Round);
    let scale = map.determinant().abs().sqrt().max(1e-6);
    kurbo::stroke(path.iter(), &style, &StrokeOpts::default(), 0.05 / scale)
}

/// All outlines of a run in one path. A missing glyph leaves nothing.
fn outlines(run: &Run) -> BezPath {
    let mut path = BezPath::new();
    let Ok(font) = FontRef::from_index(run.font.data.as_ref(), run.font.index) else { return path };
    let coords: Vec<NormalizedCoord> = run.coords.iter().map(|&bits| NormalizedCoord::from_bits(bits)).collect();
    let glyphs = font.outline_glyphs();
    let slant = run.skew.map_or(0.0, |degrees| math::tan(degrees.to_radians()));
    for glyph in run.glyphs.iter().filter(|glyph| glyph.id != 0) {
        let Some(outline) = glyphs.get(GlyphId::new(glyph.id)) else { continue };
        let mut pen = Pen { path: BezPath::new() };
        let settings = DrawSettings::unhinted(Size::new(run.size as f32), LocationRef::new(&coords));
        if outline.draw(settings, &mut pen).is_ok() {
            // Fonts count upwards.
            let upright = Affine::new([1.0, 0.0, slant, -1.0, glyph.x, glyph.y]);
            path.extend(upright * pen.path);
        }
    }
    path
}

struct Pen {
    path: BezPath,
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to((x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to((x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.path.quad_to((cx, cy), (x, y));
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.path.curve_to((cx0, cy0), (cx1, cy1), (x, y));
    }

    fn close(&mut self) {
        self.path.close_path();
    }
}
