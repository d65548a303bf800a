//! A tablet in a hand.

use std::f32::consts::TAU;

use super::{Bones, NAIL, Point, STEPS};
use crate::act::HELD_APART;
use crate::rig::ground::v3::{V3, add, cos, cross, dot, length, mul, norm, pow, sin, sub};

/// Half of how thick it is, and how long for its width.
const THICK: f32 = 0.036;
const LONG: f32 = 1.39;
/// How far along the hand its edge lies, how far over the hand its middle, and how far before the palm.
const EDGE: f32 = 0.56;
const OVER: f32 = 0.10;
const OFF: f32 = 0.25;

/// How far in its bevel begins, and how rectangular it is.
const INSET: f32 = 0.955;
const ROUNDED: f32 = 9.0;

/// Its colour, and that of the lens on its back.
const COLOR: V3 = [0.058, 0.065, 0.079];
const LENS: V3 = [0.010, 0.012, 0.018];

/// Points along its back and across it, so many that the shade of a hand has an edge there; and around its lens.
const GRID: [usize; 2] = [19, 15];
const ROUND: usize = 16;

/// A board whose edge lies between thumb and fingers, with the back to whoever looks on: fingers lie on that.
pub(super) fn tablet(bones: &Bones, points: &mut Vec<Point>, triangles: &mut Vec<[u32; 3]>) {
    let mut board = Board::new(bones, points, triangles);
    board.body();
    board.lens();
}

struct Board<'a> {
    middle: V3,
    /// Half of how long and wide it is.
    size: [f32; 2],
    /// Up along it, across it, and from its back to its screen.
    axes: [V3; 3],
    points: &'a mut Vec<Point>,
    triangles: &'a mut Vec<[u32; 3]>,
}

impl<'a> Board<'a> {
    fn new(bones: &Bones, points: &'a mut Vec<Point>, triangles: &'a mut Vec<[u32; 3]>) -> Self {
        let hand = length(sub(bones.digits[2][3], bones.wrist));
        let up = cross(bones.palm, bones.along);
        let up = if dot(up, sub(bones.digits[1][0], bones.digits[4][0])) < 0.0 { mul(up, -1.0) } else { up };
        // As wide as hands are apart that hold it.
        let wide = HELD_APART * (bones.upper() + bones.fore()) - EDGE * hand;
        let across = mul(bones.along, EDGE * hand + wide);
        let middle = add(bones.wrist, add(across, add(mul(up, OVER), mul(bones.palm, OFF))));
        Self { middle, size: [LONG * wide, wide], axes: [up, bones.along, bones.palm], points, triangles }
    }

    /// The point at shares of its length and width, so far before its middle.
    fn put(&mut self, [x, y]: [f32; 2], out: f32, normal: V3, color: V3) -> u32 {
        let ([up, along, palm], [long, wide]) = (self.axes, self.size);
        let p = add(self.middle, add(mul(up, x * long), mul(along, y * wide)));
        // A board has two sides.
        let point =
            Point { ends: 1, moves: [STEPS as u8; 4], ..Point::apart(add(p, mul(palm, out)), normal, color, NAIL) };
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    fn body(&mut self) {
        let [rows, columns] = GRID;
        let back = mul(self.axes[2], -1.0);
        let mut grid = Vec::new();
        for at in 0..rows * columns {
            let place = outline([at / columns, at % columns]).map(|c| c * INSET);
            // Light lies on the end at the top, as on anodised metal.
            let sheen = 1.0 + 0.30 * place[0] - 0.18 * place[1];
            grid.push(self.put(place, -THICK, back, mul(COLOR, 1.25 * sheen)));
        }
        for at in (0..(rows - 1) * columns).filter(|at| at % columns + 1 < columns) {
            let [a, b, c, d] = [0, 1, columns, columns + 1].map(|step| grid[at + step]);
            self.triangles.extend([[a, b, c], [b, d, c]]);
        }
        let around: Vec<[usize; 2]> = (0..columns)
            .map(|c| [0, c])
            .chain((1..rows).map(|r| [r, columns - 1]))
            .chain((0..columns - 1).rev().map(|c| [rows - 1, c]))
            .chain((1..rows - 1).rev().map(|r| [r, 0]))
            .collect();
        let mut last: Vec<u32> = around.iter().map(|[r, c]| grid[r * columns + c]).collect();
        for (out, inset, side, tone) in
            [(-0.62, 1.0, -0.4, 3.2), (0.62, 1.0, 0.4, 3.2), (1.0, INSET, 1.0, 0.5), (1.0, 0.0, 1.0, 0.5)]
        {
            let ring: Vec<u32> =
                around.iter().map(|&at| self.rim(outline(at), [out * THICK, inset, side, tone])).collect();
            self.belt(&last, &ring);
            last = ring;
        }
    }

    /// A point of the edge, or of the screen.
    fn rim(&mut self, [x, y]: [f32; 2], [out, inset, side, tone]: [f32; 4]) -> u32 {
        let ([up, along, palm], [long, wide]) = (self.axes, self.size);
        let beside = norm(add(mul(up, x / long), mul(along, y / wide)));
        let normal = norm(add(mul(palm, side), mul(beside, 1.0 - side.abs())));
        self.put([x * inset, y * inset], out, normal, mul(COLOR, tone))
    }

    fn belt(&mut self, from: &[u32], to: &[u32]) {
        for at in 0..from.len() {
            let next = (at + 1) % from.len();
            let [a, b, c, d] = [from[at], from[next], to[at], to[next]];
            self.triangles.extend([[a, b, c], [b, d, c]]);
        }
    }

    /// In the upper corner over the hand, a little before the back.
    fn lens(&mut self) {
        let back = mul(self.axes[2], -1.0);
        let rings = [
            (0.066, 0.004, mul(COLOR, 2.6)),
            (0.052, 0.016, LENS),
            (0.026, 0.016, mul(LENS, 2.0)),
            (0.0, 0.016, mul(LENS, 5.0)),
        ];
        let mut last: Option<Vec<u32>> = None;
        for (radius, out, color) in rings {
            let ring: Vec<u32> = (0..ROUND)
                .map(|at| {
                    let angle = at as f32 / ROUND as f32 * TAU;
                    let [long, wide] = self.size;
                    let place = [0.83 + radius * cos(angle) / long, -0.76 + radius * sin(angle) / wide];
                    self.put(place, -THICK - out, back, color)
                })
                .collect();
            if let Some(last) = last {
                self.belt(&last, &ring);
            }
            last = Some(ring);
        }
    }
}

/// A place of the grid, from -1 to 1 both ways: nearly a rectangle.
fn outline(at: [usize; 2]) -> [f32; 2] {
    // Closer to each other towards the corners, which are round.
    let denser = |u: f32| u.signum() * (1.0 - pow(1.0 - u.abs(), 1.7));
    let [x, y] = [0, 1].map(|k| denser(2.0 * at[k] as f32 / (GRID[k] - 1) as f32 - 1.0));
    let [a, b] = [x, y].map(|v| pow(v.abs(), ROUNDED));
    let inside = 1.0 / pow((a + b).max(1.0), 1.0 / ROUNDED);
    [x * inside, y * inside]
}
