//! How strongly each place of a plate follows head and breath.

use std::ops::Range;

use compere_media::Rect;

use crate::act::{Body, Head};
use crate::keep::keep;
use crate::maths::smooth;

/// Output pixels between two nodes.
pub(super) const STEP: i32 = 8;
/// Node positions are whole 1/256 of an output pixel, rounded to this many of them.
const QUANTUM: f32 = 32.0;
/// A node that follows the head less than this stays.
const STILL: f32 = 0.001;
/// Distance of the camera in model units.
const CAMERA: f32 = 17.0;

/// What moves a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Influence {
    /// 0 stays with the body, 1 goes with the head.
    pub(crate) head: f32,
    /// Towards the camera, from the pivot, in model units.
    pub(crate) depth: f32,
    pub(crate) breath: f32,
}

/// Influences on a grid over the layer.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(super) columns: usize,
    pub(super) rows: usize,
    nodes: Vec<Influence>,
}

keep!(Influence { head, depth, breath });
keep!(Field { columns, rows, nodes });

/// Where a node takes its pixel from, in 1/256 plate pixel.
pub(super) type Source = [i32; 2];

impl Field {
    /// Asks `influence` at every node, given in output pixels of the layer.
    pub(crate) fn new(width: u32, height: u32, mut influence: impl FnMut(f32, f32) -> Influence) -> Self {
        let columns = width.div_ceil(STEP as u32) as usize + 1;
        let rows = height.div_ceil(STEP as u32) as usize + 1;
        let mut nodes = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                nodes.push(influence((column as i32 * STEP) as f32, (row as i32 * STEP) as f32));
            }
        }
        Self { columns, rows, nodes }
    }

    /// From nodes that are known already, row by row.
    pub(crate) fn from_nodes(columns: usize, rows: usize, nodes: Vec<Influence>) -> Self {
        assert_eq!(nodes.len(), columns * rows, "a node at every crossing");
        Self { columns, rows, nodes }
    }

    /// With a breath that depends on the height alone, in output pixels from the top.
    pub(crate) fn with_breath(mut self, breath: impl Fn(f32) -> f32) -> Self {
        for (row, nodes) in (0..).zip(self.nodes.chunks_mut(self.columns)) {
            let breath = breath((row * STEP) as f32);
            nodes.iter_mut().for_each(|node| node.breath = breath);
        }
        self
    }

    /// Where nodes stay that nothing moves, on a plate of `scale`.
    pub(super) fn at_rest(&self, scale: i32) -> Vec<Source> {
        let seat = |at: usize| on_plate(at as i32 * STEP * 256, scale);
        (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| [seat(column), seat(row)])).collect()
    }

    /// Bends all nodes, which are at rest in `out`, into a pose; says which of each row go with the head, wherever that
    /// turns, and how far any is moved. Outside `live`, in output pixels, the plate holds nothing, so its nodes stay.
    pub(super) fn bend(
        &self,
        moves: &Moves<'_>,
        live: Rect,
        rows: &mut Rows,
        out: &mut [Source],
        turning: &mut Vec<Range<usize>>,
    ) -> i32 {
        turning.clear();
        let node = |v: i32| (v.max(0) / STEP) as usize;
        let first = (node(live.x0) + usize::from(live.x0 > 0 && live.x0 % STEP != 0)).min(self.columns);
        let last = if live.x1 < 0 { 0 } else { (node(live.x1) + 1).min(self.columns) };
        let mut far = 0;
        for (row, out) in out.chunks_mut(self.columns).enumerate() {
            let y = row as i32 * STEP;
            if first >= last || y < live.y0 || y > live.y1 {
                turning.push(0..0);
                continue;
            }
            far = far.max(self.bend_row(moves, row, first..last, rows, out));
            turning.push(rows.turning(first));
        }
        far
    }

    /// The same from the pose before, where the head alone is turned otherwise.
    pub(super) fn turn(&self, moves: &Moves<'_>, turning: &[Range<usize>], rows: &mut Rows, out: &mut [Source]) -> i32 {
        let all = out.chunks_mut(self.columns).enumerate().zip(turning).filter(|(_, turning)| !turning.is_empty());
        all.fold(0, |far, ((row, out), turning)| far.max(self.bend_row(moves, row, turning.clone(), rows, out)))
    }

    /// Bends some nodes of a row.
    fn bend_row(&self, moves: &Moves<'_>, row: usize, span: Range<usize>, rows: &mut Rows, out: &mut [Source]) -> i32 {
        let seat = |at: usize| at as i32 * STEP;
        let y = seat(row);
        let nodes = &self.nodes[row * self.columns..][span.clone()];
        let stands = moves.stands(y as f32);
        rows.followed = [usize::MAX, 0];
        if stands && nodes.iter().all(Influence::is_idle) {
            return 0;
        }
        // Moves are smooth and small: one look back along the first guess is a good inverse.
        rows.begin(span.clone().map(|column| seat(column) as f32), y as f32);
        rows.follow(|at, _, _| nodes[at]);
        moves.shift(rows);
        rows.look_back(y as f32, seat(span.start) as f32);
        rows.follow(|_, x, y| self.at(x, y));
        moves.shift(rows);
        let moved = rows.moved[0].iter().zip(&rows.moved[1]);
        let mut far = 0;
        for (((source, column), node), (&x, &y)) in out[span.clone()].iter_mut().zip(span).zip(nodes).zip(moved) {
            if !(stands && node.is_idle()) {
                // Without a call into the platform's library; moves are far below a thousand pixels.
                let rounded = |d: f32| ((d * (256.0 / QUANTUM) + 8192.5) as i32 - 8192) * QUANTUM as i32;
                let here = [seat(column) * 256, seat(row) * 256];
                *source = [here[0] - rounded(x), here[1] - rounded(y)].map(|c| on_plate(c, moves.scale));
                let away = |k: usize| (source[k] - on_plate(here[k], moves.scale)).abs();
                far = far.max(away(0)).max(away(1));
            }
        }
        far
    }

    /// Influence between nodes.
    #[inline]
    fn at(&self, x: f32, y: f32) -> Influence {
        let gx = (x / STEP as f32).clamp(0.0, (self.columns - 1) as f32 - 0.001);
        let gy = (y / STEP as f32).clamp(0.0, (self.rows - 1) as f32 - 0.001);
        let (column, row) = (gx as usize, gy as usize);
        let (fx, fy) = (gx - column as f32, gy - row as f32);
        let node = |dx: usize, dy: usize| self.nodes[(row + dy) * self.columns + column + dx];
        let mix = |a: Influence, b: Influence, t: f32| Influence {
            head: a.head + (b.head - a.head) * t,
            depth: a.depth + (b.depth - a.depth) * t,
            breath: a.breath + (b.breath - a.breath) * t,
        };
        mix(mix(node(0, 0), node(1, 0), fx), mix(node(0, 1), node(1, 1), fx), fy)
    }
}

/// From an output position at pixel corners to a plate position at pixel centres, both in 1/256.
#[inline]
pub(super) fn on_plate(position: i32, scale: i32) -> i32 {
    // The centre of output pixel x lies at x + 1/2; the plate's own centres lie half a plate pixel in.
    (((i64::from(position) + 128) * i64::from(scale)) >> 8) as i32 - 128
}

/// How far below the pivot nothing sways any more, and from where on everything does, in model units.
const HIPS: f32 = 5.4;
const CHEST: f32 = 1.6;
/// Where a shoulder lies from the pivot, and how far around it everything goes with it.
const SHOULDER: [f32; 2] = [1.30, 0.80];
const AROUND: [f32; 2] = [1.15, 1.5];

/// What weight and shoulders do at a place, in model units to the right and below the pivot.
#[inline(always)]
fn weight(sway: f32, [left, right]: [f32; 2], [x, y]: [f32; 2]) -> [f32; 2] {
    let across = sway * (1.0 - smooth(CHEST, HIPS, y));
    let lift = |side: f32, lift: f32| {
        let (dx, dy) = ((x - side * SHOULDER[0]) / AROUND[0], (y - SHOULDER[1]) / AROUND[1]);
        let near = (1.0 - dx * dx - dy * dy).max(0.0);
        lift * near * near * (3.0 - 2.0 * near)
    };
    [across, -lift(-1.0, left) - lift(1.0, right)]
}

impl Influence {
    fn is_idle(&self) -> bool {
        self.head <= STILL && self.breath == 0.0
    }
}

/// What a pose does to a picture.
pub(super) struct Moves<'a> {
    pub(super) head: &'a Head,
    pub(super) body: &'a Body,
    /// Output pixels per model unit, and where the head turns.
    pub(super) unit: f32,
    pub(super) pivot: [f32; 2],
    /// Plate pixels per output pixel, in 1/256.
    pub(super) scale: i32,
}

/// A row of places: where they are, what moves them, and how far. Apart, so that many are worked out at once.
#[derive(Default)]
pub(super) struct Rows {
    at: [Vec<f32>; 2],
    head: Vec<f32>,
    depth: Vec<f32>,
    breath: Vec<f32>,
    moved: [Vec<f32>; 2],
    /// The first and the last one that the head moves, or would if it turned.
    followed: [usize; 2],
}

impl Rows {
    fn begin(&mut self, columns: impl Iterator<Item = f32>, y: f32) {
        self.at[0].clear();
        self.at[0].extend(columns);
        let n = self.at[0].len();
        self.at[1].clear();
        self.at[1].resize(n, y);
        self.moved.iter_mut().for_each(|moved| moved.resize(n, 0.0));
    }

    /// Asks what moves each place.
    #[inline]
    fn follow(&mut self, influence: impl Fn(usize, f32, f32) -> Influence) {
        let n = self.at[0].len();
        for all in [&mut self.head, &mut self.depth, &mut self.breath] {
            all.resize(n, 0.0);
        }
        let (heads, depths, breaths) = (&mut self.head[..n], &mut self.depth[..n], &mut self.breath[..n]);
        let (xs, ys) = (&self.at[0][..n], &self.at[1][..n]);
        for k in 0..n {
            let Influence { head, depth, breath } = influence(k, xs[k], ys[k]);
            (heads[k], depths[k], breaths[k]) = (head, depth, breath);
        }
        let turns = |head: &f32| *head > STILL;
        if let (Some(first), Some(last)) = (heads.iter().position(turns), heads.iter().rposition(turns)) {
            self.followed = [self.followed[0].min(first), self.followed[1].max(last)];
        }
    }

    /// The nodes that it moved or would, the first of the row being number `from`.
    fn turning(&self, from: usize) -> Range<usize> {
        let [first, last] = self.followed;
        if first > last { 0..0 } else { from + first..from + last + 1 }
    }

    /// To where the places came from, as far as is known.
    fn look_back(&mut self, y: f32, first: f32) {
        let mut x = first;
        for (at, moved) in self.at[0].iter_mut().zip(&self.moved[0]) {
            *at = x - moved;
            x += STEP as f32;
        }
        self.at[1].iter_mut().zip(&self.moved[1]).for_each(|(at, moved)| *at = y - moved);
    }
}

impl Moves<'_> {
    /// Whether the body leaves that height as it is.
    fn stands(&self, y: f32) -> bool {
        *self.body == Body::default() || y > self.pivot[1] + HIPS * self.unit
    }

    /// How far places of the picture move, in output pixels.
    fn shift(&self, rows: &mut Rows) {
        let (unit, pivot, body) = (self.unit, self.pivot, self.body);
        let Rows { at: [xs, ys], head: heads, depth: depths, breath: breaths, moved: [mx, my], .. } = rows;
        let n = xs.len();
        let (xs, ys, mx, my) = (&xs[..n], &ys[..n], &mut mx[..n], &mut my[..n]);
        let (heads, depths, breaths) = (&heads[..n], &depths[..n], &breaths[..n]);
        if *body == Body::default() {
            mx.fill(0.0);
            my.fill(0.0);
        } else {
            let (sway, [left, right]) = (body.sway(), body.shoulders());
            for k in 0..n {
                let place = [(xs[k] - pivot[0]) / unit, (ys[k] - pivot[1]) / unit];
                let [x, y] = weight(sway, [left, right], place);
                (mx[k], my[k]) = (x * unit, y * unit);
            }
        }
        let head = self.head;
        let (breath, [all_yaw, all_pitch, all_roll]) = (head.breath(), [head.yaw(), head.pitch(), head.roll()]);
        let (aside, up) = (head.x(), head.y());
        for k in 0..n {
            let (x, y, follows) = (xs[k], ys[k], heads[k]);
            let moved = [mx[k], my[k] - breaths[k] * breath * unit];
            let (yaw, pitch, roll) = (all_yaw * follows, all_pitch * follows, all_roll * follows);
            let (px, py, pz) = ((x - pivot[0]) / unit, (pivot[1] - y) / unit, depths[k]);
            // Rotations to second order: the angles are small.
            let (cy, cp, cr) = (1.0 - yaw * yaw * 0.5, 1.0 - pitch * pitch * 0.5, 1.0 - roll * roll * 0.5);
            let (qy, qz) = (cp * py - pitch * pz, pitch * py + cp * pz);
            let (rx, rz) = (cy * px + yaw * qz, cy * qz - yaw * px);
            let (sx, sy) = (cr * rx - roll * qy, roll * rx + cr * qy);
            let nearer = CAMERA / (CAMERA - (rz - pz));
            let turned = [
                moved[0] + ((sx * nearer - px) * unit + aside * follows * unit),
                moved[1] - ((sy * nearer - py) * unit + up * follows * unit),
            ];
            let stays = follows <= STILL;
            mx[k] = if stays { moved[0] } else { turned[0] };
            my[k] = if stays { moved[1] } else { turned[1] };
        }
    }
}
