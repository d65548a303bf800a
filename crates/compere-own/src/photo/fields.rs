//! How a face moves: for everything it can do, where each spot of the portrait goes.
//!
//! A mouth that opens and lids that close cut the face, so there are three maps of it: above the eyes, between eyes and mouth,
//! and below the mouth. They are one away from the cuts. A fourth carries what lies behind the cuts: eyeballs and teeth.

use compere_avatar::{Acted, Channel};

use super::maps::{BEHIND, BROW, CHEEK, CHIN, MAPS};
use super::shape::{Shape, Slit, Spot};

/// What the grid of the maps covers, and how fine it is.
pub(super) const LOW: Spot = [-1.7, -1.32];
pub(super) const HIGH: Spot = [1.7, 2.6];
pub(super) const STEP: f32 = 0.04;
pub(super) const COLUMNS: usize = 86;
pub(super) const ROWS: usize = 99;
/// How far the lower lip goes when the jaw is as open as it can be, in distances of the eyes.
const JAW: f32 = 0.33;
/// The jaw beside the mouth, against the jaw at the chin.
const BESIDE: f32 = 0.34;
/// Strides of the search for where something came from, and how long they are.
const STRIDES: usize = 9;
const STRIDE: f32 = 0.68;

/// What moves: channels of the face, and the head's.
const MOVES: usize = 21;
type Weights = [f32; MOVES];
type Grid = Vec<Spot>;

const YAW: usize = 14;
const PITCH: usize = 15;
const ROLL: usize = 16;
const ASIDE: usize = 17;
const NOD: usize = 18;
const BREATH: usize = 19;

fn weights(acted: &Acted) -> Weights {
    let get = |channel| acted.get(channel);
    let [x, y] = acted.shift();
    [
        jaw(acted),
        get(Channel::Funnel),
        get(Channel::Pucker),
        get(Channel::Press),
        get(Channel::RollLower),
        get(Channel::RollUpper),
        get(Channel::Smile).clamp(-0.3, 0.7),
        get(Channel::Stretch),
        get(Channel::UpperUp),
        get(Channel::LowerDown),
        shut(acted),
        get(Channel::Squint).clamp(0.0, 0.5),
        get(Channel::LookX),
        get(Channel::LookY),
        acted.yaw().clamp(-0.11, 0.11),
        acted.pitch().clamp(-0.09, 0.09),
        acted.roll().clamp(-0.06, 0.06),
        x.clamp(-0.08, 0.08),
        y.clamp(-0.08, 0.08),
        acted.breath(),
        (get(Channel::BrowInner) + get(Channel::BrowOuter)) / 2.0 - 0.6 * get(Channel::BrowDown),
    ]
}

/// How far the jaw is down, in distances of the eyes.
pub(super) fn jaw(acted: &Acted) -> f32 {
    acted.get(Channel::Jaw).max(0.0) * JAW
}

/// How far the lids are closed.
pub(super) fn shut(acted: &Acted) -> f32 {
    acted.get(Channel::Blink).clamp(0.0, 1.0)
}

/// From 0 to 1 between two places, without a corner.
pub(super) fn ease(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The shape of an opening over its width: 1 in the middle, 0 from the corners on.
fn open(along: f32) -> f32 {
    let v = (1.0 - along * along).max(0.0);
    0.45 * v + 0.55 * v.sqrt()
}

/// All fields of a face: for each map and each thing that moves, where every spot of the grid goes.
pub(super) struct Fields {
    maps: Vec<Vec<(usize, Grid)>>,
}

fn spot(n: usize) -> Spot {
    [LOW[0] + (n % COLUMNS) as f32 * STEP, LOW[1] + (n / COLUMNS) as f32 * STEP]
}

impl Fields {
    pub(super) fn of(shape: &Shape) -> Self {
        let relief: Vec<f32> = (0..COLUMNS * ROWS).map(|n| shape.relief(spot(n))).collect();
        let maps = (0..MAPS).map(|map| {
            (0..MOVES)
                .filter_map(|which| {
                    let field = |n: usize| {
                        let edge = at_edge(spot(n));
                        let [x, y] = moved(shape, map, which, spot(n), relief[n]);
                        [x * edge, y * edge]
                    };
                    let grid: Grid = (0..COLUMNS * ROWS).map(field).collect();
                    grid.iter().any(|&[x, y]| x != 0.0 || y != 0.0).then_some((which, grid))
                })
                .collect()
        });
        Self { maps: maps.collect() }
    }

    /// Where each spot of the grid comes from in the portrait, map by map.
    pub(super) fn sources(&self, acted: &Acted) -> [Grid; MAPS] {
        let weights = weights(acted);
        std::array::from_fn(|map| {
            let mut sum: Grid = vec![[0.0; 2]; COLUMNS * ROWS];
            for (which, grid) in self.maps[map].iter().filter(|(which, _)| weights[*which] != 0.0) {
                let weight = weights[*which];
                for (sum, way) in sum.iter_mut().zip(grid) {
                    sum[0] += weight * way[0];
                    sum[1] += weight * way[1];
                }
            }
            (0..COLUMNS * ROWS).map(|n| came_from(&sum, spot(n))).collect()
        })
    }
}

/// Nothing moves at the border of the grid.
fn at_edge([x, y]: Spot) -> f32 {
    let side = ease(LOW[0], LOW[0] + 0.35, x) * (1.0 - ease(HIGH[0] - 0.35, HIGH[0], x));
    side * ease(LOW[1], LOW[1] + 0.3, y) * (1.0 - ease(HIGH[1] - 0.35, HIGH[1], y))
}

/// The spot that is led to a place.
fn came_from(field: &Grid, place: Spot) -> Spot {
    let mut from = place;
    for _ in 0..STRIDES {
        let by = between(field, from);
        from[0] -= STRIDE * (from[0] + by[0] - place[0]);
        from[1] -= STRIDE * (from[1] + by[1] - place[1]);
    }
    from
}

/// Between four spots of a grid.
#[inline]
pub(super) fn between(grid: &Grid, [x, y]: Spot) -> Spot {
    let gx = ((x - LOW[0]) / STEP).clamp(0.0, (COLUMNS - 1) as f32 - 0.001);
    let gy = ((y - LOW[1]) / STEP).clamp(0.0, (ROWS - 1) as f32 - 0.001);
    let (left, top) = (gx as usize, gy as usize);
    let (fx, fy) = (gx - left as f32, gy - top as f32);
    let n = top * COLUMNS + left;
    let (a, b, c, d) = (grid[n], grid[n + 1], grid[n + COLUMNS], grid[n + COLUMNS + 1]);
    let mix = |axis: usize| {
        let upper = a[axis] + (b[axis] - a[axis]) * fx;
        let lower = c[axis] + (d[axis] - c[axis]) * fx;
        upper + (lower - upper) * fy
    };
    [mix(0), mix(1)]
}

/// Where one thing leads a spot of one map, at full weight.
fn moved(shape: &Shape, map: usize, which: usize, at: Spot, relief: f32) -> Spot {
    let [x, y] = at;
    match which {
        0..=9 if map == CHEEK || map == CHIN => of_mouth(shape, map == CHIN, which, at),
        10 | 11 if map == BROW || map == CHEEK => {
            shape.eyes.iter().map(|eye| of_lid(shape, eye, map == BROW, which == 10, at)).fold([0.0; 2], plus)
        }
        12 | 13 if map == BEHIND => {
            let by = if which == 12 { [0.055, 0.0] } else { [0.0, 0.035] };
            let window: f32 = shape.eyes.iter().map(|eye| gaze(eye, at)).sum();
            [by[0] * window, by[1] * window]
        }
        20 if map == BROW => of_brows(shape, at),
        YAW => [relief, 0.0],
        PITCH => [0.0, relief],
        ROLL => {
            let part = head(shape, at);
            [-(y - 1.1) * part, x * part]
        }
        ASIDE => [0.5 * head(shape, at), 0.0],
        NOD => [0.0, -0.5 * head(shape, at)],
        BREATH => [0.0, -1.4 * chest(shape, at)],
        _ => [0.0; 2],
    }
}

fn plus(a: Spot, b: Spot) -> Spot {
    [a[0] + b[0], a[1] + b[1]]
}

fn of_mouth(shape: &Shape, below: bool, which: usize, [x, y]: Spot) -> Spot {
    let mouth = &shape.mouth;
    let (along, line) = (mouth.along(x), mouth.lower(x));
    let (opening, side) = (open(along), x - mouth.x);
    let far = (y - line).abs();
    // Whatever belongs to the lips only ends before the nose and before the chin.
    let room = if below { shape.chin[1] - line } else { line - shape.nose_base };
    let near = 1.0 - ease(0.0, room.max(0.1), far);
    let around = near * (1.0 - ease(0.9 * mouth.half, 2.1 * mouth.half, side.abs()));
    let thick = if below { shape.lips[1] - line } else { line - shape.lips[0] }.max(0.02);
    let down = if below { 1.0 } else { -1.0 };
    match which {
        0 => [0.0, of_jaw(shape, below, [x, y])],
        // Lips part and come together from the sides.
        1 => [-0.16 * side * around, down * 0.055 * opening * near],
        2 => [-0.50 * side * around, down * 0.25 * thick * around * ease(0.0, thick, far)],
        3 => [0.0, -down * 0.018 * opening * near],
        // The red of the lips turns inwards.
        4 if below => [0.0, -0.55 * thick * opening * ease(0.0, thick, far) * near],
        5 if !below => [0.0, 0.45 * thick * opening * ease(0.0, thick, far) * near],
        6 | 7 => {
            let corner = |sign: f32| {
                let (dx, dy) = ((side - sign * mouth.half) / 0.24, (y - line) / 0.26);
                let r = (dx * dx + dy * dy).min(1.0);
                (1.0 - r) * (1.0 - r)
            };
            let (right, left) = (corner(1.0), corner(-1.0));
            let up = if which == 6 { -0.075 } else { 0.0 };
            [0.085 * (right - left), up * (right + left)]
        }
        8 if !below => [0.0, -0.12 * opening * near],
        9 if below => [0.0, 0.115 * opening * near],
        _ => [0.0; 2],
    }
}

/// The chin goes down, the cheeks go along, the upper lip does not.
fn of_jaw(shape: &Shape, below: bool, [x, y]: Spot) -> f32 {
    let mouth = &shape.mouth;
    let line = mouth.lower(x);
    let room = (shape.chin[1] - line).max(0.1);
    let lateral = 1.0 - ease(0.5 * shape.wide, 1.02 * shape.wide, (x - mouth.x).abs());
    let tail = 1.0 - ease(shape.chin[1], shape.chin[1] + 0.45, y);
    // Beside the mouth it grows from the nose down to the chin.
    let grown = if y < line {
        BESIDE * ease(shape.nose_base - 0.1, line, y)
    } else {
        BESIDE + (1.0 - BESIDE) * ease(line, line + 0.8 * room, y)
    };
    let opening = open(mouth.along(x));
    let part = if below { grown + (1.0 - grown) * opening } else { grown * (1.0 - opening) };
    lateral * tail * part
}

fn of_lid(shape: &Shape, eye: &Slit, above: bool, blink: bool, [x, y]: Spot) -> Spot {
    let gap = eye.gap(x);
    // The upper lid is out of the fold below the brow.
    let brow = if eye.x < 0.0 { shape.brows[0] } else { shape.brows[1] };
    if above {
        let room = (eye.upper(eye.x) - brow[1]).max(0.08) * 0.95;
        let near = 1.0 - ease(-0.02, room, eye.upper(x) - y);
        // Shut lids meet a little below where the mesh sees the rim.
        let past = 0.029 * open(0.65 * eye.along(x));
        [0.0, near * if blink { gap + past } else { 0.18 * gap }]
    } else {
        let near = 1.0 - ease(-0.02, 0.16, y - eye.lower(x));
        [0.0, -gap * near * if blink { 0.07 } else { 0.2 }]
    }
}

/// What the iris does; the corners and the rims stay.
fn gaze(eye: &Slit, [x, y]: Spot) -> f32 {
    let along = eye.along(x);
    let middle = (eye.upper(x) + eye.lower(x)) / 2.0;
    let up = (y - middle) / (eye.gap(eye.x) * 1.2).max(0.02);
    (1.0 - along * along).max(0.0) * (1.0 - up * up).max(0.0)
}

fn of_brows(shape: &Shape, [x, y]: Spot) -> Spot {
    let lift = |(brow, eye): (&Spot, &Slit)| {
        // The lids stay where they are.
        let below = (0.85 * (eye.upper(eye.x) - brow[1])).max(0.06);
        let (dx, dy) = ((x - brow[0]) / 0.42, (y - brow[1]) / if y < brow[1] { 0.42 } else { below });
        let r = (dx * dx + dy * dy).min(1.0);
        (1.0 - r) * (1.0 - r)
    };
    [0.0, -0.06 * shape.brows.iter().zip(&shape.eyes).map(lift).fold(0.0, f32::max)]
}

/// 1 on the head, 0 on shoulders and far behind.
fn head(shape: &Shape, [x, y]: Spot) -> f32 {
    let middle = shape.chin[1] / 2.0 - 0.15;
    let (dx, dy) = (x / (shape.wide + 0.25), (y - middle) / (shape.chin[1] / 2.0 + 0.5));
    1.0 - ease(0.75, 1.75, (dx * dx + dy * dy).sqrt())
}

fn chest(shape: &Shape, [x, y]: Spot) -> f32 {
    let chin = shape.chin[1];
    ease(chin + 0.12, chin + 0.5, y) * (1.0 - ease(1.0, 1.6, x.abs()))
}
