//! Limbs as round bodies: hulls of circles along a bone, joined into one silhouette.

use compere_media::math;
use tiny_skia::{Path, PathBuilder};

/// Points of a circle: at the size of a shoulder the sides of the polygon are less than half a pixel from it.
const POINTS: usize = 24;

/// A circle: its middle and its radius.
pub(super) type Round = [f32; 3];

/// Silhouettes that are filled together.
#[derive(Default)]
pub(super) struct Hulls(PathBuilder);

impl Hulls {
    /// Around all of the circles.
    pub(super) fn around(mut self, circles: &[Round]) -> Self {
        let mut points: Vec<[f32; 2]> = Vec::with_capacity(circles.len() * POINTS);
        for &[x, y, r] in circles {
            for k in 0..POINTS {
                let angle = k as f32 * (std::f32::consts::TAU / POINTS as f32);
                points.push([x + r * math::cosf(angle), y + r * math::sinf(angle)]);
            }
        }
        let outline = hull(points);
        for (k, &[x, y]) in outline.iter().enumerate() {
            if k == 0 {
                self.0.move_to(x, y);
            } else {
                self.0.line_to(x, y);
            }
        }
        self.0.close();
        self
    }

    /// Around each circle and the next.
    pub(super) fn along(mut self, chain: &[Round]) -> Self {
        for pair in chain.windows(2) {
            self = self.around(pair);
        }
        self
    }

    /// Nothing of no circles.
    pub(super) fn path(self) -> Option<Path> {
        self.0.finish()
    }
}

/// The convex hull, all hulls the same way round, so that together they fill what any of them does.
fn hull(mut points: Vec<[f32; 2]>) -> Vec<[f32; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turns = |a: [f32; 2], b: [f32; 2], c: [f32; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let half = |points: &mut dyn Iterator<Item = [f32; 2]>| {
        let mut out: Vec<[f32; 2]> = Vec::new();
        for point in points {
            while out.len() > 1 && turns(out[out.len() - 2], out[out.len() - 1], point) <= 0.0 {
                out.pop();
            }
            out.push(point);
        }
        out.pop();
        out
    };
    let mut out = half(&mut points.iter().copied());
    out.extend(half(&mut points.iter().rev().copied()));
    out
}

/// Narrower, and nearer the light, which comes from the left and above.
pub(super) fn lit(chain: &[Round], share: f32) -> Vec<Round> {
    chain.iter().map(|&[x, y, r]| [x - 0.92 * r * (1.0 - share), y + 0.30 * r * (1.0 - share), r * share]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_goes_around_everything_and_bends_nowhere_in() {
        let points = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [1.0, 1.0], [1.0, 0.2]];
        let outline = hull(points);
        assert_eq!(outline.len(), 4);
        assert!(!outline.contains(&[1.0, 1.0]));
    }
}
