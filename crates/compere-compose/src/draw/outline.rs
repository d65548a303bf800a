//! The outlines of the seventeen shapes, each filling a box of any proportion, and round corners for all of them.

use compere_media::math;
use compere_scene::ShapeName;
use kurbo::{
    Affine, Arc, BezPath, Ellipse, ParamCurve, ParamCurveArclen, ParamCurveDeriv, PathSeg, Point, RoundedRect,
    Shape as _, Vec2,
};
use std::f64::consts::{PI, TAU};

/// How far a curve may be from the true one, in canvas units.
const PRECISION: f64 = 0.01;

/// The outline of `name` in a box with its left top corner at the origin.
///
/// A line is as thick as its box where the box itself looks like a line, else a 24th of its length.
pub fn outline(name: ShapeName, width: f64, height: f64, radius: f64) -> BezPath {
    let fill = |points: &[(f64, f64)]| polygon(points.iter().map(|&(x, y)| Point::new(x * width, y * height)));
    let path = match name {
        ShapeName::Line => return line(width, height, height.min(width / 24.0), radius),
        ShapeName::Circle | ShapeName::Oval1 => return ellipse(width, height),
        ShapeName::Oval2 => {
            return RoundedRect::new(0.0, 0.0, width, height, width.min(height) / 2.0).to_path(PRECISION);
        }
        ShapeName::Arrow1 => arrow(width, height),
        ShapeName::Arrow2 => double_arrow(width, height),
        ShapeName::Square | ShapeName::RoundedRectangle => fill(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]),
        ShapeName::Triangle => fill(&[(0.5, 0.0), (1.0, 1.0), (0.0, 1.0)]),
        ShapeName::Diamond => fill(&[(0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)]),
        ShapeName::Parallelogram => {
            let slant = (0.25 * width).min(0.6 * height) / width;
            fill(&[(slant, 0.0), (1.0, 0.0), (1.0 - slant, 1.0), (0.0, 1.0)])
        }
        ShapeName::Drop => drop(width, height),
        ShapeName::Polygon => fill(&spokes(8, 22.5, &[1.0])),
        ShapeName::Pentagon => fill(&spokes(5, 0.0, &[1.0])),
        ShapeName::Hexagon1 => fill(&spokes(6, 30.0, &[1.0])),
        ShapeName::Hexagon2 => fill(&spokes(6, 0.0, &[1.0])),
        ShapeName::Star => fill(&spokes(10, 0.0, &[1.0, STAR_WAIST])),
    };
    rounded(&path, radius)
}

/// Inner by outer radius of the star: a little fuller than the pentagram's 0.382, which looks thin in small sizes.
const STAR_WAIST: f64 = 0.42;

/// A closed path from point to point.
fn polygon(points: impl IntoIterator<Item = Point>) -> BezPath {
    let mut path = BezPath::new();
    for point in points {
        if path.elements().is_empty() { path.move_to(point) } else { path.line_to(point) }
    }
    path.close_path();
    path
}

/// `count` points around a centre, the first `turn` degrees clockwise of the top, stretched to touch every side of the
/// unit square.
fn spokes(count: usize, turn: f64, lengths: &[f64]) -> Vec<(f64, f64)> {
    let point = |at: usize| {
        let angle = TAU * at as f64 / count as f64 + turn.to_radians();
        let length = lengths[at % lengths.len()];
        let (sin, cos) = math::sin_cos(angle);
        (length * sin, -length * cos)
    };
    let points: Vec<_> = (0..count).map(point).collect();
    let span = |of: fn(&(f64, f64)) -> f64| {
        let values = points.iter().map(of);
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
    };
    let ((left, right), (top, bottom)) = (span(|p| p.0), span(|p| p.1));
    points.iter().map(|&(x, y)| ((x - left) / (right - left), (y - top) / (bottom - top))).collect()
}

fn ellipse(width: f64, height: f64) -> BezPath {
    Ellipse::new((width / 2.0, height / 2.0), (width / 2.0, height / 2.0), 0.0).to_path(PRECISION)
}

/// A bar through the middle.
pub fn line(width: f64, height: f64, thick: f64, radius: f64) -> BezPath {
    let top = (height - thick) / 2.0;
    RoundedRect::new(0.0, top, width, top + thick, radius.min(thick / 2.0)).to_path(PRECISION)
}

/// How much of an arrow's height its shaft takes.
const SHAFT: f64 = 0.44;

fn arrow(width: f64, height: f64) -> BezPath {
    let neck = width - (0.68 * height).min(0.6 * width);
    let (top, bottom) = (height * (0.5 - SHAFT / 2.0), height * (0.5 + SHAFT / 2.0));
    let points =
        [(0.0, top), (neck, top), (neck, 0.0), (width, height / 2.0), (neck, height), (neck, bottom), (0.0, bottom)];
    polygon(points.map(Point::from))
}

fn double_arrow(width: f64, height: f64) -> BezPath {
    let head = (0.68 * height).min(0.34 * width);
    let (top, middle, bottom) = (height * (0.5 - SHAFT / 2.0), height / 2.0, height * (0.5 + SHAFT / 2.0));
    let right = width - head;
    let points = [
        (0.0, middle),
        (head, 0.0),
        (head, top),
        (right, top),
        (right, 0.0),
        (width, middle),
        (right, height),
        (right, bottom),
        (head, bottom),
        (head, height),
    ];
    polygon(points.map(Point::from))
}

/// A falling drop: a round belly and straight shoulders that touch it. The belly is a circle when the box is 1.4 times
/// as high as wide.
fn drop(width: f64, height: f64) -> BezPath {
    const HIGH: f64 = 1.4;
    const BELLY: f64 = 0.5;
    let centre = Point::new(0.5, HIGH - BELLY);
    let tilt = math::asin(BELLY / centre.y);
    let mut path = BezPath::new();
    path.move_to((0.5, 0.0));
    let belly = Arc::new(centre, (BELLY, BELLY), -tilt, PI + 2.0 * tilt, 0.0);
    path.line_to(belly.eval(0.0));
    path.extend(belly.append_iter(1e-4));
    path.close_path();
    Affine::scale_non_uniform(width, height / HIGH) * path
}

/// Every corner of a closed path replaced by an arc of `radius`, smaller where its sides are too short.
fn rounded(path: &BezPath, radius: f64) -> BezPath {
    if radius <= 0.0 {
        return path.clone();
    }
    let segments: Vec<PathSeg> = path.segments().filter(|segment| segment.arclen(PRECISION) > 1e-6).collect();
    let corners: Vec<Option<Corner>> = (0..segments.len())
        .map(|at| Corner::between(&segments[(at + segments.len() - 1) % segments.len()], &segments[at], radius))
        .collect();
    let mut out = BezPath::new();
    for (at, segment) in segments.iter().enumerate() {
        let next = &corners[(at + 1) % corners.len()];
        let start = corners[at].as_ref().map_or(0.0, |corner| segment.inv_arclen(corner.trim, PRECISION));
        let length = segment.arclen(PRECISION);
        let end = next.as_ref().map_or(1.0, |corner| segment.inv_arclen(length - corner.trim, PRECISION));
        let piece = segment.subsegment(start..end.max(start));
        if out.elements().is_empty() {
            out.move_to(piece.start());
        }
        out.push(piece.as_path_el());
        if let Some(corner) = next {
            let following = &segments[(at + 1) % segments.len()];
            let land = following.eval(following.inv_arclen(corner.trim, PRECISION));
            out.curve_to(piece.end() + corner.incoming * corner.handle, land - corner.outgoing * corner.handle, land);
        }
    }
    out.close_path();
    out
}

/// Where two sides meet at an angle.
struct Corner {
    /// Unit directions of travel on either side.
    incoming: Vec2,
    outgoing: Vec2,
    /// Length cut from both sides.
    trim: f64,
    /// Length of the arc's Bézier handles.
    handle: f64,
}

impl Corner {
    fn between(before: &PathSeg, after: &PathSeg, radius: f64) -> Option<Self> {
        let (incoming, outgoing) = (direction(before, 1.0), direction(after, 0.0));
        let turn = math::atan2(incoming.cross(outgoing), incoming.dot(outgoing)).abs();
        if !(0.05..3.1).contains(&turn) {
            return None;
        }
        let room = before.arclen(PRECISION).min(after.arclen(PRECISION)) / 2.0;
        let trim = (radius * math::tan(turn / 2.0)).min(room);
        let fitted = trim / math::tan(turn / 2.0);
        Some(Self { incoming, outgoing, trim, handle: fitted * 4.0 / 3.0 * math::tan(turn / 4.0) })
    }
}

fn direction(segment: &PathSeg, at: f64) -> Vec2 {
    let slope = match segment {
        PathSeg::Line(line) => line.deriv().eval(at),
        PathSeg::Quad(quad) => quad.deriv().eval(at),
        PathSeg::Cubic(cubic) => cubic.deriv().eval(at),
    };
    slope.to_vec2().normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_fills_its_box() {
        for (name, word) in ShapeName::ALL {
            for (width, height) in [(200.0, 200.0), (300.0, 120.0), (90.0, 250.0)] {
                let bounds = outline(name, width, height, 0.0).bounding_box();
                assert!(bounds.x0.abs() < 0.05 && (bounds.x1 - width).abs() < 0.05, "{word} {bounds:?}");
                let is_as_high = bounds.y0.abs() < 0.05 && (bounds.y1 - height).abs() < 0.05;
                assert!(is_as_high || name == ShapeName::Line, "{word} {bounds:?}");
            }
        }
    }

    #[test]
    fn a_rounded_square_is_the_rounded_rectangle() {
        let ours = outline(ShapeName::Square, 200.0, 100.0, 30.0);
        let theirs = RoundedRect::new(0.0, 0.0, 200.0, 100.0, 30.0).to_path(PRECISION);
        assert!((ours.area().abs() - theirs.area().abs()).abs() < 2.0);
    }

    #[test]
    fn too_large_a_radius_still_gives_a_shape() {
        for (name, word) in ShapeName::ALL {
            let area = outline(name, 200.0, 100.0, 1e9).area().abs();
            assert!(area > 800.0 && area < 20_000.0, "{word}: {area}");
        }
    }
}
