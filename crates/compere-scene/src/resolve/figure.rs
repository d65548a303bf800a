//! Where in an avatar clip's rectangle the presenter stands.
//!
//! Editors place the vendor's cut-out picture of a *whole standing figure*, usually so that it runs out of the canvas
//! below. `model.editor` describes that picture in its own pixels: `modelOriginW/H` is its size (or `model.origin`),
//! `modelTightX/Y/W/H` the box of the figure in it, `headCenterX/Y` and `headWidth/Height` the face, from the brows to
//! the chin. Whether the clip's rectangle is the tight box or the whole picture is told by its proportions; one that is
//! neither is the nearer of the two, stretched.
//!
//! With a face in it our presenter's face goes where that face is, as large as it is, and the body goes on below. With
//! a box alone the presenter stands in the box. Without either, or when the numbers contradict each other, it stands in
//! the rectangle. These numbers are an editor's, so they are never a problem.

use serde_json::Value;

use crate::document::reader::{Object, parsed};
use crate::film::{Face, Framing, Place};

/// How far the proportions of two boxes may differ that are meant to be the same.
const ALIKE: f64 = 0.03;

/// A box that is stretched more than this is no longer the picture's.
const STRETCHED: f64 = 1.5;

/// The figure's rectangle and how it is shown in it.
pub(super) fn stand(clip: &Object<'_>, rectangle: Place, head_only: bool) -> (Place, Framing) {
    let drawn = Editor::of(clip).and_then(|editor| editor.placed(rectangle));
    if drawn.as_ref().is_some_and(|drawn| drawn.is_stretched) {
        let message = "has with its height other proportions than the figure that `model.editor` describes; the face \
                       stands where the stretched picture would have it";
        clip.warn("width", message);
    }
    let (figure, face) = drawn.map_or((rectangle, None), |drawn| (drawn.figure, drawn.face));
    let framing = match (face, head_only) {
        (Some(face), true) => Framing::HeadAt(face),
        (Some(face), false) => Framing::Face(face),
        (None, true) => Framing::Head,
        (None, false) => headroom(clip).map_or(Framing::Body, Framing::Headroom),
    };
    (figure, framing)
}

/// *Ours*: the share of the rectangle's height that stays empty above the hair.
fn headroom(clip: &Object<'_>) -> Option<f64> {
    clip.number_in("headroom", 0.0..=0.9)
}

/// A box in the pixels of the vendor's picture.
#[derive(Clone, Copy)]
struct Box {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Box {
    /// By what its proportions would have to be stretched to be the rectangle's; at least 1.
    fn stretch(&self, rectangle: Place) -> f64 {
        let shapes = (rectangle.width / rectangle.height) / (self.width / self.height);
        shapes.max(1.0 / shapes)
    }
}

/// The figure as it falls on the canvas.
struct Drawn {
    figure: Place,
    face: Option<Face>,
    is_stretched: bool,
}

struct Editor {
    picture: Option<Box>,
    tight: Option<Box>,
    /// Centre and side.
    face: Option<(f64, f64, f64)>,
}

impl Editor {
    fn of(clip: &Object<'_>) -> Option<Self> {
        let model = clip.raw("model")?;
        // Editors store the same numbers twice.
        let number = |key: &str| {
            let parts = ["editor", "editorValue"].iter().filter_map(|part| model.get(part));
            parts.filter_map(|part| part.get(key).and_then(finite)).next()
        };
        let origin = |key: &str| model.get("origin")?.get(key).and_then(finite);
        let side = |side: Option<f64>| side.filter(|side| *side > 0.0);
        let picture = || {
            let width = side(number("modelOriginW").or_else(|| origin("width")))?;
            let height = side(number("modelOriginH").or_else(|| origin("height")))?;
            Some(Box { x: 0.0, y: 0.0, width, height })
        };
        let tight = || {
            let (width, height) = (side(number("modelTightW"))?, side(number("modelTightH"))?);
            Some(Box { x: number("modelTightX")?, y: number("modelTightY")?, width, height })
        };
        let face = || {
            let (width, height) = (side(number("headWidth")), side(number("headHeight")));
            // Nearly square; one of the two will do.
            let size = match (width, height) {
                (Some(width), Some(height)) => (width * height).sqrt(),
                (one, other) => one.or(other)?,
            };
            Some((number("headCenterX")?, number("headCenterY")?, size))
        };
        let picture = picture();
        let tight = tight().filter(|tight| picture.is_none_or(|picture| is_inside(tight, &picture)));
        Some(Self { picture, tight, face: face() })
    }

    fn placed(&self, rectangle: Place) -> Option<Drawn> {
        // A turned rectangle keeps its corner, about which it turns.
        if rectangle.angle != 0.0 {
            return None;
        }
        let boxes = || [self.tight, self.picture].into_iter().flatten();
        let alike = boxes().find(|shown| shown.stretch(rectangle) <= 1.0 + ALIKE);
        let nearest = || boxes().min_by(|a, b| a.stretch(rectangle).total_cmp(&b.stretch(rectangle)));
        let shown = alike.or_else(nearest).filter(|shown| shown.stretch(rectangle) <= STRETCHED)?;
        let scale = (rectangle.width / shown.width, rectangle.height / shown.height);
        let x = |x: f64| rectangle.left + (x - shown.x) * scale.0;
        let y = |y: f64| rectangle.top + (y - shown.y) * scale.1;
        let figure = self.tight.unwrap_or(shown);
        let face = self.face.filter(|&face| is_face(face, &figure));
        let face = face.map(|(cx, cy, size)| Face { x: x(cx), y: y(cy), size: size * (scale.0 * scale.1).sqrt() });
        let place = Place {
            left: x(figure.x),
            top: y(figure.y),
            width: figure.width * scale.0,
            height: figure.height * scale.1,
            angle: 0.0,
        };
        Some(Drawn { figure: place, face, is_stretched: alike.is_none() })
    }
}

fn finite(value: &Value) -> Option<f64> {
    parsed(value).filter(|number| number.is_finite() && number.abs() < 1e6)
}

/// A figure lies in its picture and is no splinter of it.
fn is_inside(tight: &Box, picture: &Box) -> bool {
    let fits = |at: f64, side: f64, whole: f64| at >= -0.01 * whole && at + side <= 1.01 * whole && side > 0.1 * whole;
    fits(tight.x, tight.width, picture.width) && fits(tight.y, tight.height, picture.height)
}

/// A face lies in its figure and has the size of one.
fn is_face((x, y, size): (f64, f64, f64), figure: &Box) -> bool {
    let inside = (figure.x..figure.x + figure.width).contains(&x) && (figure.y..figure.y + figure.height).contains(&y);
    inside && size > 0.02 * figure.height && size <= figure.height.min(1.2 * figure.width)
}
