//! The face of a portrait in its own measure: the middle between the outer corners of the eyes is the origin, their distance
//! is one, x goes along the line of the eyes and y down the face.

use super::maps::{BROW, CHEEK, CHIN as CHIN_MAP};
use crate::track::Mesh;
use crate::track::points::EYE_OUTER;
use crate::track::pose::Similarity;

pub(super) type Spot = [f32; 2];

/// Corners of the mouth, from inside.
const MOUTH_CORNERS: [usize; 2] = [78, 308];
const LIP_UPPER: [usize; 9] = [191, 80, 81, 82, 13, 312, 311, 310, 415];
const LIP_LOWER: [usize; 9] = [95, 88, 178, 87, 14, 317, 402, 318, 324];
/// Corners, upper and lower edge of both eyes, from the left of the picture to its right.
const EYES: [Opening; 2] = [
    Opening {
        corners: [33, 133],
        upper: [246, 161, 160, 159, 158, 157, 173],
        lower: [7, 163, 144, 145, 153, 154, 155],
    },
    Opening {
        corners: [362, 263],
        upper: [398, 384, 385, 386, 387, 388, 466],
        lower: [382, 381, 380, 374, 373, 390, 249],
    },
];
const BROWS: [[usize; 3]; 2] = [[70, 105, 107], [336, 334, 300]];
/// Before the ears, where the head turns about.
const TEMPLES: [usize; 2] = [234, 454];
const CHIN: usize = 152;
const NOSE_BASE: usize = 2;
const LIP_TOP: usize = 0;
const LIP_BOTTOM: usize = 17;

struct Opening {
    corners: [usize; 2],
    upper: [usize; 7],
    lower: [usize; 7],
}

/// Between two corners: two edges over x. Beyond the corners both go on as one line.
#[derive(Clone, Debug)]
pub(super) struct Slit {
    /// Its middle and half its width.
    pub(super) x: f32,
    pub(super) half: f32,
    upper: Vec<Spot>,
    lower: Vec<Spot>,
}

impl Slit {
    /// From -1 at the left corner to 1 at the right one.
    pub(super) fn along(&self, x: f32) -> f32 {
        (x - self.x) / self.half
    }

    pub(super) fn upper(&self, x: f32) -> f32 {
        height(&self.upper, x)
    }

    pub(super) fn lower(&self, x: f32) -> f32 {
        height(&self.lower, x)
    }

    pub(super) fn gap(&self, x: f32) -> f32 {
        (self.lower(x) - self.upper(x)).max(0.0)
    }
}

/// A line through spots that go to the right, level beyond them.
fn height(line: &[Spot], x: f32) -> f32 {
    let next = line.partition_point(|spot| spot[0] <= x);
    match (next.checked_sub(1).map(|n| line[n]), line.get(next)) {
        (Some([x0, y0]), Some(&[x1, y1])) => y0 + (y1 - y0) * (x - x0) / (x1 - x0).max(1e-4),
        (Some(last), None) => last[1],
        (None, Some(first)) => first[1],
        (None, None) => 0.0,
    }
}

/// All that the drawing has to know of a face.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// From this measure to pixels.
    pub(super) placed: Similarity,
    pub(super) eyes: [Slit; 2],
    /// Both edges are one line: the lips are closed.
    pub(super) mouth: Slit,
    pub(super) brows: [Spot; 2],
    pub(super) chin: Spot,
    pub(super) nose_base: f32,
    /// Outer edges of the lips in the middle.
    pub(super) lips: [f32; 2],
    /// How far spots stand out before the ears.
    relief: Vec<(Spot, f32)>,
    /// Half as wide as the face.
    pub(super) wide: f32,
}

impl Shape {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let [right, left] = EYE_OUTER.map(|eye| [f64::from(mesh[eye][0]), f64::from(mesh[eye][1])]);
        let placed = Similarity {
            cos: left[0] - right[0],
            sin: left[1] - right[1],
            x: (left[0] + right[0]) / 2.0,
            y: (left[1] + right[1]) / 2.0,
        };
        let (back, scale) = (placed.inverse(), placed.scale());
        let at =
            |point: usize| back.apply([f64::from(mesh[point][0]), f64::from(mesh[point][1])]).map(|value| value as f32);
        let eyes = EYES.map(|eye| {
            // The white shines on a little beyond the corners.
            let ([left, right], wider) = (eye.corners.map(at), 0.07);
            let by = [0, 1].map(|axis| wider * (right[axis] - left[axis]));
            let corners = [[left[0] - by[0], left[1] - by[1]], [right[0] + by[0], right[1] + by[1]]];
            slit(corners, eye.upper.map(at).into(), eye.lower.map(at).into())
        });
        let line: Vec<Spot> = LIP_UPPER
            .iter()
            .zip(&LIP_LOWER)
            .map(|(&upper, &lower)| {
                let (a, b) = (at(upper), at(lower));
                [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]
            })
            .collect();
        let mouth = slit(MOUTH_CORNERS.map(at), line.clone(), line);
        let brows = BROWS.map(|brow| {
            let [a, b, c] = brow.map(at);
            [(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0]
        });
        let depth = |point: usize| f64::from(mesh[point][2]) / scale;
        let ears = (depth(TEMPLES[0]) + depth(TEMPLES[1])) / 2.0;
        let relief = (0..mesh.len()).map(|point| (at(point), (ears - depth(point)) as f32)).collect();
        let wide = (at(TEMPLES[1])[0] - at(TEMPLES[0])[0]) / 2.0;
        Self {
            eyes,
            mouth,
            brows,
            chin: at(CHIN),
            nose_base: at(NOSE_BASE)[1],
            lips: [at(LIP_TOP)[1], at(LIP_BOTTOM)[1]],
            relief,
            wide,
            placed,
        }
    }

    /// The only map that a place can come from, far from eyelids and lips.
    pub(super) fn clear_of_cuts(&self, [_, y]: Spot, jaw: f32) -> Option<usize> {
        /// Farther than heads turn and lids reach.
        const FAR: f32 = 0.16;
        let eyes = self.eyes.iter().map(|eye| (eye.upper(eye.x), eye.lower(eye.x)));
        let (top, bottom) = eyes.fold((f32::MAX, f32::MIN), |all, eye| (all.0.min(eye.0), all.1.max(eye.1)));
        if y < top - FAR {
            return Some(BROW);
        }
        if y > bottom + FAR && y < self.lips[0] - FAR {
            return Some(CHEEK);
        }
        (y > self.lips[1] + jaw + FAR).then_some(CHIN_MAP)
    }

    /// How far a spot stands out before the ears; nothing far from the face.
    pub(super) fn relief(&self, [x, y]: Spot) -> f32 {
        const NEAR: f32 = 0.10;
        /// What the surroundings weigh, which do not stand out.
        const GROUND: f32 = 0.35;
        let (mut sum, mut weight) = (0.0, GROUND);
        for &([px, py], out) in &self.relief {
            let r = ((px - x) * (px - x) + (py - y) * (py - y)) / (NEAR * NEAR);
            let near = 1.0 / ((1.0 + r) * (1.0 + r) * (1.0 + r));
            sum += near * out;
            weight += near;
        }
        sum / weight
    }
}

fn slit(corners: [Spot; 2], upper: Vec<Spot>, lower: Vec<Spot>) -> Slit {
    let [left, right] = corners;
    let whole = |mut line: Vec<Spot>| {
        line.insert(0, left);
        line.push(right);
        line.sort_by(|a, b| a[0].total_cmp(&b[0]));
        line
    };
    let half = ((right[0] - left[0]) / 2.0).max(0.02);
    Slit { x: (left[0] + right[0]) / 2.0, half, upper: whole(upper), lower: whole(lower) }
}
