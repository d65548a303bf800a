//! Shapes with fill, stroke and shadow.
//!
//! As in Fabric.js, from which authors know these properties: the outline is the clip's rectangle and the stroke is
//! centred on it, half inside and half outside; a shadow's blur is twice the standard deviation, and its offset does
//! not turn with the clip. A line that has a stroke is that stroke and nothing else.

use super::paint::{self, Step};
use super::raster::Mask;
use super::{Drawn, outline, placed};
use compere_media::Rect;
use compere_scene::{Place, Shadow, Shape, ShapeName, Stroke};
use kurbo::{Affine, BezPath, Cap, Join, StrokeOpts};

/// Draws `shape` into its place. `scale` is output pixels per canvas unit.
pub fn shape(shape: &Shape, place: &Place, scale: f64, window: Rect) -> Option<Drawn> {
    let place = &if is_box(shape.name) { on_pixels(place, scale) } else { *place };
    if !(place.width > 0.0 && place.height > 0.0) {
        return None;
    }
    if let (ShapeName::Line, Some(stroke)) = (shape.name, &shape.stroke) {
        let path = outline::line(place.width, place.height, stroke.width, shape.radius);
        return painted(&path, &Shape { fill: stroke.color, stroke: None, ..shape.clone() }, place, scale, window);
    }
    let path = outline::outline(shape.name, place.width, place.height, shape.radius);
    painted(&path, shape, place, scale, window)
}

fn painted(path: &BezPath, shape: &Shape, place: &Place, scale: f64, window: Rect) -> Option<Drawn> {
    let map = placed(place, scale);
    let reach = shape.shadow.as_ref().map_or(0, |shadow| reach(shadow, scale));
    let clip = window.grown(reach);
    let fill = Mask::of(&(map * path), clip).filter(|_| shape.fill.a > 0);
    let stroke = shape.stroke.as_ref().and_then(|stroke| Mask::of(&(map * stroked(path, stroke, scale)), clip));
    let mut steps = Vec::new();
    if let Some(shadow) = &shape.shadow {
        steps.extend(shadow_of([&fill, &stroke].into_iter().flatten(), shadow, scale, window));
    }
    steps.extend(fill.map(|mask| Step::Color(mask, shape.fill)));
    steps.extend(stroke.zip(shape.stroke.as_ref()).map(|(mask, stroke)| Step::Color(mask, stroke.color)));
    paint::flatten(&steps, window)
}

fn stroked(path: &BezPath, stroke: &Stroke, scale: f64) -> BezPath {
    let style = kurbo::Stroke::new(stroke.width).with_join(Join::Miter).with_miter_limit(4.0).with_caps(Cap::Butt);
    kurbo::stroke(path.iter(), &style, &StrokeOpts::default(), 0.03 / scale)
}

/// How far, in output pixels, a shadow may come from outside.
pub(super) fn reach(shadow: &Shadow, scale: f64) -> i32 {
    let far = shadow.dx.abs().max(shadow.dy.abs()) + shadow.blur * 1.5;
    (far * scale).ceil().min(4096.0) as i32 + 2
}

/// The shadow of what all masks cover together.
pub(super) fn shadow_of<'a>(
    masks: impl Iterator<Item = &'a Mask>,
    shadow: &Shadow,
    scale: f64,
    window: Rect,
) -> Option<Step> {
    let silhouette = masks.cloned().reduce(|all, mask| all.united(&mask))?;
    let shift = ((shadow.dx * scale).round() as i32, (shadow.dy * scale).round() as i32);
    let soft = paint::shadow(&silhouette, shadow.blur * scale / 2.0, shift, window)?;
    Some(Step::Color(soft, shadow.color))
}

fn is_box(name: ShapeName) -> bool {
    matches!(name, ShapeName::Square | ShapeName::RoundedRectangle)
}

/// With its sides on whole output pixels unless it is turned: what lies beside it then neither leaves a seam nor shines
/// through a blurred edge. A side never vanishes.
pub(super) fn on_pixels(place: &Place, scale: f64) -> Place {
    let is_turned = Affine::rotate(place.angle.to_radians()).as_coeffs()[1].abs() > 1e-9;
    if is_turned || place.width * scale < 1.0 || place.height * scale < 1.0 {
        return *place;
    }
    let snap = |value: f64| (value * scale).round() / scale;
    let (left, top) = (snap(place.left), snap(place.top));
    let (right, bottom) = (snap(place.left + place.width), snap(place.top + place.height));
    Place { left, top, width: right - left, height: bottom - top, angle: place.angle }
}
