//! One performance: keeps what the layer shows and repaints what a new pose changes.

use std::ops::Range;
use std::sync::Arc;

use compere_media::kernel::{CELL, Cell, Level, Places};
use compere_media::{Broken, Damage, Layer, Moving, Pixmap, Rect};

use super::arms::ArmPlate;
use super::field::{Moves, Rows, STEP, Source};
use super::sample::{Occupancy, bilinear};
use super::{Artist, Pieces, Puppet, Tiles};
use crate::act::{Arms, Body, Pose, Track};
use crate::puppet::boxes::Boxes;

/// A breath moves the chest by about this much at a time, in output pixels: less is not seen.
const BREATH: f32 = 0.4;

/// Plates of a presenter: what is behind the body, the body, the arms and the head.
const MOST: usize = 4;

const _: () = assert!(STEP == 1 << 3 && CELL == STEP as usize, "shifts by three stand for it");

pub(super) struct Performance {
    puppet: Arc<Puppet>,
    track: Track,
    artist: Box<dyn Artist>,
    /// Tiles of the head plate in which the face changed.
    changed: Tiles,
    /// The head plate with the features as they are shown.
    head: Pixmap,
    /// The plate of the arms.
    arms: Option<ArmPlate>,
    /// Whether that is the body's.
    on_body: bool,
    /// Where the body is without arms that are painted on it, in output pixels.
    trunk: Rect,
    /// Tiles of it that changed.
    stirred: Tiles,
    /// One per plate, back to front; the last is the head, and the one before it holds the arms, where there are any.
    plates: Vec<Bent>,
    /// What the layer shows.
    picture: Pixmap,
    shown: Option<Pose>,
    dirty: Boxes,
    level: Level,
    /// Where nodes are on a plate that nothing bends.
    rest: Vec<Source>,
    rows: Rows,
}

/// A plate as the shown pose bends it.
struct Bent {
    occupied: Occupancy,
    /// Where each node's pixel comes from, in 1/256 plate pixel.
    sources: Vec<Source>,
    next: Vec<Source>,
    /// How far any node is from where it would be unbent, in plate pixels, or less.
    away: i32,
    /// What it was bent for as a whole: body, breath and `live`. As long as they are the same, only what goes with the head
    /// is bent again.
    held: Option<(Body, f32, Rect)>,
    /// How far nodes were then, in 1/256 plate pixel, and those of each row that go with the head.
    far: i32,
    turning: Vec<Range<usize>>,
    /// Around everything it may ever hold and wherever that may go, in output pixels.
    live: Rect,
}

impl Bent {
    fn new(occupied: Occupancy, live: Rect) -> Self {
        let (sources, next, turning) = (Vec::new(), Vec::new(), Vec::new());
        Self { occupied, sources, next, away: 0, held: None, far: 0, turning, live }
    }
}

impl Performance {
    pub(super) fn new(puppet: Arc<Puppet>, track: Track) -> Self {
        let rects = puppet.features.rects();
        // A head that turns takes its hair along by less than this.
        let far = (0.6 * puppet.unit) as i32 + 2 * STEP;
        let around = |occupied: &Occupancy| {
            let b = occupied.bounds();
            let out = |v: i32| v * 256 / puppet.scale;
            Rect::new(out(b.x0), out(b.y0), out(b.x1) + 1, out(b.y1) + 1).grown(far)
        };
        let behind = puppet.back.iter().chain([&puppet.body]);
        let mut plates: Vec<Bent> = behind
            .map(|plate| {
                let occupied = Occupancy::new(&plate.picture, &[]);
                let live = around(&occupied);
                Bent::new(occupied, live)
            })
            .collect();
        let on_body = puppet.limbs.as_ref().is_some_and(|limbs| limbs.field().is_none());
        let trunk = plates.last().map_or(Rect::default(), |body| body.live);
        let blank = if on_body {
            puppet.body.picture.clone()
        } else {
            Pixmap::new(puppet.head.picture.width(), puppet.head.picture.height())
        };
        if puppet.limbs.is_some() && !on_body {
            // Arms go anywhere: where they are is known when they are painted.
            plates.push(Bent::new(Occupancy::new(&blank, &[]), Rect::default()));
        }
        let occupied = Occupancy::new(&puppet.head.picture, &rects);
        let live = around(&occupied);
        plates.push(Bent::new(occupied, live));
        let (width, height) = (puppet.rect.width(), puppet.rect.height());
        let field = &puppet.head.field;
        let pieces = || -> Box<dyn Artist> { Box::new(Pieces { puppet: puppet.clone(), shown: None }) };
        Self {
            artist: puppet.features.artist().unwrap_or_else(pieces),
            changed: Tiles::new(puppet.head.picture.width(), puppet.head.picture.height()),
            head: puppet.head.picture.clone(),
            stirred: Tiles::new(blank.width(), blank.height()),
            arms: puppet.limbs.is_some().then(|| ArmPlate::new(blank)),
            on_body,
            trunk,
            plates,
            picture: Pixmap::new(width, height),
            track,
            shown: None,
            dirty: Boxes::new(field.columns - 1, field.rows - 1),
            level: Level::best(),
            rest: field.at_rest(puppet.scale),
            rows: Rows::default(),
            puppet,
        }
    }

    /// The first frame's picture.
    pub(super) fn picture(mut self) -> Pixmap {
        self.show(self.track.pose(0));
        self.picture
    }

    /// Repaints for `pose` and says which rectangles of the picture changed.
    fn show(&mut self, mut pose: Pose) -> Damage {
        pose.head = pose.head.with_breath_in_steps(BREATH / self.puppet.unit);
        pose.body = pose.body.in_steps(BREATH / self.puppet.unit);
        if self.puppet.limbs.is_none() {
            // What nobody sees is no reason to paint.
            pose.arms = Arms::default();
        }
        if self.shown == Some(pose) {
            return Damage::none();
        }
        self.changed.clear();
        self.artist.paint(&pose.face, &mut self.head, &mut self.changed);
        let fresh = self.shown.is_none();
        self.stirred.clear();
        if self.shown.is_none_or(|old| old.arms != pose.arms) {
            self.pose_arms(&pose.arms);
        }
        self.dirty.clear();
        if fresh {
            self.bend(&pose);
            self.dirty.mark_all();
        } else if self.shown.is_some_and(|old| {
            (old.head, old.body) != (pose.head, pose.body) || self.arms.is_some() && old.arms != pose.arms
        }) {
            self.bend(&pose);
            self.mark_moved();
        }
        for bent in &mut self.plates {
            if !bent.next.is_empty() {
                std::mem::swap(&mut bent.sources, &mut bent.next);
                bent.next.clear();
            }
        }
        self.mark_repainted();
        self.shown = Some(pose);
        let damage = self.repaint();
        if fresh { Damage::rect(self.picture.bounds()) } else { damage }
    }

    fn bend(&mut self, pose: &Pose) {
        let puppet = &self.puppet;
        if let Some(ArmPlate { around, .. }) = &self.arms {
            // Arms are nowhere else now; farther out than a warp reaches nothing is read.
            let out = |v: i32| v * 256 / puppet.scale;
            let live = Rect::new(out(around.x0), out(around.y0), out(around.x1) + 1, out(around.y1) + 1);
            let far = (0.3 * puppet.unit) as i32 + 4 * STEP;
            let live = if around.is_empty() { Rect::default() } else { live.grown(far) };
            let holds_them = self.plates.len() - 2;
            self.plates[holds_them].live = if self.on_body { self.trunk.union(live) } else { live };
        }
        let (unit, pivot, scale) = (puppet.unit, puppet.pivot, puppet.scale);
        let moves = Moves { head: &pose.head, body: &pose.body, unit, pivot, scale };
        for (field, bent) in puppet.fields().zip(&mut self.plates) {
            let held = (pose.body, pose.head.breath(), bent.live);
            let far = if bent.held == Some(held) {
                bent.next.clone_from(&bent.sources);
                field.turn(&moves, &bent.turning, &mut self.rows, &mut bent.next).max(bent.far)
            } else {
                bent.held = Some(held);
                bent.next.clone_from(&self.rest);
                bent.far = field.bend(&moves, bent.live, &mut self.rows, &mut bent.next, &mut bent.turning);
                bent.far
            };
            bent.away = (far >> 8) + 1;
        }
    }

    /// Marks the cells with a corner that comes from elsewhere, where a plate shows anything before or after.
    fn mark_moved(&mut self) {
        let columns = self.puppet.head.field.columns;
        let mut stirred = vec![false; columns];
        for bent in &self.plates {
            let rows = bent.sources.chunks(columns).zip(bent.next.chunks(columns));
            let pairs = rows.clone().zip(rows.skip(1));
            for (row, ((upper, upper_next), (lower, lower_next))) in pairs.enumerate() {
                if upper == upper_next && lower == lower_next {
                    continue;
                }
                let nodes = upper.iter().zip(upper_next).zip(lower.iter().zip(lower_next));
                stirred.iter_mut().zip(nodes).for_each(|(stirred, ((a, b), (c, d)))| *stirred = a != b || c != d);
                for column in 0..columns - 1 {
                    if !(stirred[column] | stirred[column + 1]) || self.dirty.is_marked(column, row) {
                        continue;
                    }
                    let corners = corners(column, row, columns);
                    let shows = |sources: &[Source]| bent.occupied.any(reach(sources, corners));
                    if shows(&bent.sources) || shows(&bent.next) {
                        self.dirty.mark(column, row);
                    }
                }
            }
        }
    }

    /// Paints the arms, and marks the tiles of their plate that look otherwise than before.
    fn pose_arms(&mut self, pose: &Arms) {
        let (Some(limbs), Some(arms)) = (&self.puppet.limbs, &mut self.arms) else { return };
        let (fresh, rect) = limbs.paint(pose);
        let under = self.on_body.then_some(&self.puppet.body.picture);
        let occupied = &mut self.plates[self.puppet.fields().count() - 2].occupied;
        arms.show((&fresh, rect), under, occupied, &mut self.stirred);
    }

    /// Marks the cells that read a tile in which the face or an arm changed.
    fn mark_repainted(&mut self) {
        let last = self.plates.len() - 1;
        mark_read(&mut self.dirty, &self.puppet, &self.plates[last], &self.changed);
        if self.arms.is_some() {
            mark_read(&mut self.dirty, &self.puppet, &self.plates[last - 1], &self.stirred);
        }
    }

    /// Repaints the marked cells; those that look as before are no damage.
    fn repaint(&mut self) -> Damage {
        let mut cell = Cell::default();
        let (columns, rows) = (self.puppet.head.field.columns, self.puppet.head.field.rows);
        for row in 0..rows - 1 {
            let y0 = row as i32 * STEP;
            let height = (self.picture.height() as i32 - y0).min(STEP) as usize;
            for column in 0..columns - 1 {
                if !self.dirty.is_marked(column, row) {
                    continue;
                }
                let x0 = column as i32 * STEP;
                let width = (self.picture.width() as i32 - x0).min(STEP) as usize;
                self.paint_cell(corners(column, row, columns), &mut cell);
                let mut same = true;
                for (dy, cells) in cell[..height].iter().enumerate() {
                    let out = &mut self.picture.row_mut(y0 as u32 + dy as u32)[x0 as usize..x0 as usize + width];
                    // Of a length known here, comparing and copying are one instruction each.
                    if let Ok(out) = <&mut [[u8; 4]; CELL]>::try_from(&mut *out) {
                        same &= *out == *cells;
                        *out = *cells;
                    } else {
                        same &= *out == cells[..width];
                        out.copy_from_slice(&cells[..width]);
                    }
                }
                if same {
                    self.dirty.unmark(column, row);
                }
            }
        }
        self.dirty.damage(STEP, self.picture.bounds())
    }

    fn paint_cell(&self, corners: [usize; 4], cell: &mut Cell) {
        // Nothing behind a solid plate is looked at.
        let mut reaches = [Rect::default(); MOST];
        let mut lowest = None;
        for (at, (bent, reached)) in self.plates.iter().zip(&mut reaches).enumerate().rev() {
            *reached = reach(&bent.sources, corners);
            if bent.occupied.solid(*reached) {
                lowest = Some(at);
                break;
            }
        }
        if lowest.is_none() {
            *cell = Cell::default();
        }
        let mut over = Cell::default();
        let arms = self.arms.as_ref().map(|arms| &arms.picture);
        let behind = self.puppet.back.iter().map(|plate| &plate.picture);
        let body = Some(&self.puppet.body.picture).filter(|_| !self.on_body);
        let pictures = behind.chain(body).chain(arms).chain([&self.head]);
        let plates = self.plates.iter().zip(reaches).zip(pictures).enumerate().skip(lowest.unwrap_or(0));
        for (at, ((bent, reach), picture)) in plates {
            if lowest != Some(at) && !bent.occupied.any(reach) {
                continue;
            }
            let (from, steps) = rows(&bent.sources, corners);
            if lowest == Some(at) {
                self.read(picture, reach, &from, &steps, cell);
                continue;
            }
            self.read(picture, reach, &from, &steps, &mut over);
            self.level.lay(cell, &over);
        }
    }

    fn read(&self, picture: &Pixmap, reach: Rect, from: &Places, steps: &Places, out: &mut Cell) {
        if picture.bounds().contains(reach) {
            self.level.warp(picture.data(), picture.width() as usize, from, steps, out);
            return;
        }
        // A figure that the lower edge cuts goes on below it: otherwise each breath would lift it off the edge.
        let lowest = (picture.height() as i32 - 1) << 8;
        for ((&[x, y], &[dx, dy]), out) in from.iter().zip(steps).zip(out) {
            for (k, pixel) in (0..).zip(out) {
                *pixel = bilinear(picture, (x + dx * k) >> 3, ((y + dy * k) >> 3).min(lowest));
            }
        }
    }
}

/// Marks the cells that read a changed tile of a plate.
fn mark_read(dirty: &mut Boxes, puppet: &Puppet, plate: &Bent, changed: &Tiles) {
    if changed.is_empty() {
        return;
    }
    let (columns, rows) = (puppet.head.field.columns, puppet.head.field.rows);
    let around = changed.bounds().grown(plate.away + 4);
    let cell = |v: i32, most: usize| {
        ((i64::from(v.max(0)) * 256 / i64::from(puppet.scale)) as usize / STEP as usize).min(most)
    };
    for row in cell(around.y0, rows - 1)..(cell(around.y1, rows - 1) + 1).min(rows - 1) {
        for column in cell(around.x0, columns - 1)..(cell(around.x1, columns - 1) + 1).min(columns - 1) {
            if changed.any(reach(&plate.sources, corners(column, row, columns))) {
                dirty.mark(column, row);
            }
        }
    }
}

/// Where the rows of a cell start on a plate, and how they go on from pixel to pixel, in 1/2048 plate pixel.
#[inline]
fn rows(sources: &[Source], corners: [usize; 4]) -> (Places, Places) {
    let [a, b, c, d] = corners.map(|corner| sources[corner]);
    let between = |a: i32, b: i32, row: i32| a + (((b - a) * row) >> 3);
    let left = |row: usize| [0, 1].map(|k| between(a[k], c[k], row as i32));
    let right = |row: usize| [0, 1].map(|k| between(b[k], d[k], row as i32));
    let from = std::array::from_fn(|row| left(row).map(|side| side * STEP));
    let steps = std::array::from_fn(|row| {
        let (left, right) = (left(row), right(row));
        [right[0] - left[0], right[1] - left[1]]
    });
    (from, steps)
}

#[inline]
fn corners(column: usize, row: usize, columns: usize) -> [usize; 4] {
    let at = row * columns + column;
    [at, at + 1, at + columns, at + columns + 1]
}

/// The plate pixels that a cell reads.
#[inline]
fn reach(sources: &[Source], corners: [usize; 4]) -> Rect {
    let [a, b, c, d] = corners.map(|corner| sources[corner]);
    let low = |axis: usize| a[axis].min(b[axis]).min(c[axis]).min(d[axis]) >> 8;
    let high = |axis: usize| a[axis].max(b[axis]).max(c[axis]).max(d[axis]) >> 8;
    Rect::new(low(0) - 1, low(1) - 1, high(0) + 3, high(1) + 3)
}

impl Moving for Performance {
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        let size = (self.picture.width().next_multiple_of(2), self.picture.height().next_multiple_of(2));
        if (layer.width(), layer.height()) != size {
            return Err(Broken {
                what: format!("a presenter of {}x{} was given a layer of another size", size.0, size.1),
            });
        }
        let pose = self.track.pose(frame);
        let damage = self.show(pose).aligned(2).clipped(Rect::of_size(size.0, size.1));
        for &rect in damage.rects() {
            layer.put(&self.picture, 0, 0, rect);
        }
        Ok(damage)
    }
}
