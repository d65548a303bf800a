//! Silhouettes through a few knots, and ribbons of changing width: what the shapes of a drawing are made of.

use tiny_skia::Path;

use crate::drawn::brush::Outline;

/// A point of a silhouette.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Knot {
    /// The line runs through smoothly.
    S(f32, f32),
    /// The line breaks here.
    C(f32, f32),
}

pub(super) use Knot::{C, S};

impl Knot {
    fn at(self) -> [f32; 2] {
        match self {
            S(x, y) | C(x, y) => [x, y],
        }
    }

    pub(super) fn moved(self, dx: f32, dy: f32) -> Self {
        match self {
            S(x, y) => S(x + dx, y + dy),
            C(x, y) => C(x + dx, y + dy),
        }
    }

    /// On the right for 1, mirrored to the left for -1.
    pub(super) fn on(self, side: f32) -> Self {
        match self {
            S(x, y) => S(x * side, y),
            C(x, y) => C(x * side, y),
        }
    }
}

fn unit([x, y]: [f32; 2]) -> [f32; 2] {
    let length = (x * x + y * y).sqrt().max(1e-6);
    [x / length, y / length]
}

fn minus(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// The control points between knot `at` and the next. Tangents follow the neighbours, scaled by the length of the
/// segment, so that close knots do not make loops.
fn controls(knots: &[Knot], at: usize, closed: bool) -> [[f32; 2]; 2] {
    let n = knots.len();
    let (a, b) = (knots[at].at(), knots[(at + 1) % n].at());
    let step = minus(b, a);
    let third = (step[0] * step[0] + step[1] * step[1]).sqrt() * 0.36;
    let tangent = |k: usize| {
        let ends = !closed && (k == 0 || k == n - 1);
        match knots[k] {
            S(..) if !ends => unit(minus(knots[(k + 1) % n].at(), knots[(k + n - 1) % n].at())),
            _ => unit(step),
        }
    };
    let (ta, tb) = (tangent(at), tangent((at + 1) % n));
    [[a[0] + ta[0] * third, a[1] + ta[1] * third], [b[0] - tb[0] * third, b[1] - tb[1] * third]]
}

fn traced(knots: &[Knot], closed: bool) -> Outline {
    let [x, y] = knots[0].at();
    let mut out = Outline::at(x, y);
    let segments = if closed { knots.len() } else { knots.len() - 1 };
    for at in 0..segments {
        let [a, b] = controls(knots, at, closed);
        out = out.curve(a, b, knots[(at + 1) % knots.len()].at());
    }
    out
}

/// A closed silhouette.
pub(super) fn shape(knots: &[Knot]) -> Path {
    traced(knots, true).closed()
}

/// An open line.
pub(super) fn line(knots: &[Knot]) -> Path {
    traced(knots, false).open()
}

/// A closed silhouette from its right half, top to bottom. Knots on the axis are not doubled.
pub(super) fn symmetric(half: &[Knot]) -> Path {
    let left = half.iter().rev().filter(|knot| knot.at()[0] > 1e-6).map(|knot| knot.on(-1.0));
    shape(&half.iter().copied().chain(left).collect::<Vec<_>>())
}

pub(super) fn sided(knots: &[Knot], side: f32) -> Vec<Knot> {
    knots.iter().map(|knot| knot.on(side)).collect()
}

/// A line that swells and tapers: x, y and half width.
pub(super) fn ribbon(spine: &[[f32; 3]]) -> Path {
    let n = spine.len();
    let edge = |k: usize, way: f32| {
        let (a, b) = (spine[k.saturating_sub(1)], spine[(k + 1).min(n - 1)]);
        let [tx, ty] = unit([b[0] - a[0], b[1] - a[1]]);
        let w = spine[k][2] * way;
        let (x, y) = (spine[k][0] - ty * w, spine[k][1] + tx * w);
        if k == 0 || k == n - 1 { C(x, y) } else { S(x, y) }
    };
    let there = (0..n).map(|k| edge(k, 1.0));
    let back = (0..n).rev().map(|k| edge(k, -1.0));
    shape(&there.chain(back).collect::<Vec<_>>())
}

/// [`ribbon`], mirrored for a side of -1.
pub(super) fn ribbon_on(side: f32, spine: &[[f32; 3]]) -> Path {
    ribbon(&spine.iter().map(|&[x, y, w]| [x * side, y, w]).collect::<Vec<_>>())
}
