//! The shapes that sets are built of, as distances to their outline.

use super::math::{cos, sin};

/// Positions are in the world of the set; see [`View`](super::plate::View).
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Centre, half sizes, corner radius, clockwise turns.
    Block {
        at: [f32; 2],
        half: [f32; 2],
        round: f32,
        turns: f32,
    },
    Disc {
        at: [f32; 2],
        radius: f32,
    },
    /// A stick with round ends.
    Stick {
        from: [f32; 2],
        to: [f32; 2],
        radius: f32,
    },
    /// A leaf: pointed at both ends, `width` of its length across.
    Leaf {
        from: [f32; 2],
        to: [f32; 2],
        width: f32,
    },
    /// Convex, clockwise as seen on the picture.
    Facet(Vec<[f32; 2]>),
}

pub(super) fn block(left: f32, top: f32, width: f32, height: f32) -> Shape {
    Shape::Block {
        at: [left + width / 2.0, top + height / 2.0],
        half: [width / 2.0, height / 2.0],
        round: 0.0,
        turns: 0.0,
    }
}

pub(super) fn disc(x: f32, y: f32, radius: f32) -> Shape {
    Shape::Disc { at: [x, y], radius }
}

pub(super) fn stick(from: [f32; 2], to: [f32; 2], radius: f32) -> Shape {
    Shape::Stick { from, to, radius }
}

impl Shape {
    #[must_use]
    pub(super) fn rounded(mut self, radius: f32) -> Self {
        if let Self::Block { round, .. } = &mut self {
            *round = radius;
        }
        self
    }

    #[must_use]
    pub(super) fn turned(mut self, by: f32) -> Self {
        if let Self::Block { turns, .. } = &mut self {
            *turns = by;
        }
        self
    }

    /// Below zero inside. Near the outline it is the distance; further away it may be less.
    pub(super) fn distance(&self, x: f32, y: f32) -> f32 {
        match self {
            Self::Block { at, half, round, turns } => {
                let (mut dx, mut dy) = (x - at[0], y - at[1]);
                if *turns != 0.0 {
                    let (s, c) = (sin(*turns), cos(*turns));
                    (dx, dy) = (c * dx + s * dy, c * dy - s * dx);
                }
                let (qx, qy) = (dx.abs() - half[0] + round, dy.abs() - half[1] + round);
                length(qx.max(0.0), qy.max(0.0)) + qx.max(qy).min(0.0) - round
            }
            Self::Disc { at, radius } => length(x - at[0], y - at[1]) - radius,
            Self::Stick { from, to, radius } => {
                let (px, py) = (x - from[0], y - from[1]);
                let (bx, by) = (to[0] - from[0], to[1] - from[1]);
                let t = ((px * bx + py * by) / (bx * bx + by * by).max(1e-12)).clamp(0.0, 1.0);
                length(px - bx * t, py - by * t) - radius
            }
            Self::Leaf { from, to, width } => {
                // Where two discs of one radius overlap.
                let (bx, by) = (to[0] - from[0], to[1] - from[1]);
                let long = length(bx, by).max(1e-6);
                let (half, bulge) = (long / 2.0, long * width / 2.0);
                let radius = (half * half + bulge * bulge) / (2.0 * bulge);
                let (px, py) = (x - (from[0] + to[0]) / 2.0, y - (from[1] + to[1]) / 2.0);
                let along = (px * bx + py * by) / long;
                let across = ((py * bx - px * by) / long).abs();
                length(along, across + radius - bulge) - radius
            }
            Self::Facet(corners) => {
                let next = corners.iter().cycle().skip(1);
                corners.iter().zip(next).fold(f32::MIN, |far, (a, b)| {
                    let (ex, ey) = (b[0] - a[0], b[1] - a[1]);
                    far.max(((x - a[0]) * ey - (y - a[1]) * ex) / length(ex, ey).max(1e-6))
                })
            }
        }
    }

    /// Left, top, right, bottom.
    pub(super) fn bounds(&self) -> [f32; 4] {
        match self {
            Self::Block { at, half, turns, .. } => {
                let (s, c) = (sin(*turns).abs(), cos(*turns).abs());
                let (hx, hy) = (c * half[0] + s * half[1], s * half[0] + c * half[1]);
                [at[0] - hx, at[1] - hy, at[0] + hx, at[1] + hy]
            }
            Self::Disc { at, radius } => [at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius],
            Self::Stick { from, to, radius } => grown(&[*from, *to], *radius),
            Self::Leaf { from, to, width } => {
                grown(&[*from, *to], length(to[0] - from[0], to[1] - from[1]) * width / 2.0)
            }
            Self::Facet(corners) => grown(corners, 0.0),
        }
    }
}

fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

fn grown(points: &[[f32; 2]], by: f32) -> [f32; 4] {
    points.iter().fold([f32::MAX, f32::MAX, f32::MIN, f32::MIN], |[l, t, r, b], &[x, y]| {
        [l.min(x - by), t.min(y - by), r.max(x + by), b.max(y + by)]
    })
}
