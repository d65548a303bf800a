//! One performance: keeps what the layer shows and repaints what a new pose changes.

use std::sync::Arc;

use compere_media::{Broken, Damage, Layer, Moving, Pixmap, Rect};

use super::Puppet;
use super::field::{STEP, Source};
use super::sample::{Occupancy, bilinear, lay};
use crate::act::{Face, Pose, Track};

pub(super) struct Performance {
    puppet: Arc<Puppet>,
    track: Track,
    /// The head plate with the features as they are shown.
    head: Pixmap,
    /// One per plate, back to front; the last is the head.
    occupied: Vec<Occupancy>,
    /// What the layer shows.
    picture: Pixmap,
    shown: Option<Pose>,
    sources: Vec<Vec<Source>>,
    bent: Vec<Vec<Source>>,
}

impl Performance {
    pub(super) fn new(puppet: Arc<Puppet>, track: Track) -> Self {
        let rects = puppet.features.rects();
        let plates = puppet.plates();
        let last = plates.len() - 1;
        let occupied = plates
            .iter()
            .enumerate()
            .map(|(at, plate)| Occupancy::new(&plate.picture, if at == last { &rects } else { &[] }));
        let occupied: Vec<_> = occupied.collect();
        let unbent = vec![Vec::new(); plates.len()];
        let (width, height) = (puppet.rect.width(), puppet.rect.height());
        Self {
            head: puppet.head.picture.clone(),
            picture: Pixmap::new(width, height),
            track,
            occupied,
            shown: None,
            sources: unbent.clone(),
            bent: unbent,
            puppet,
        }
    }

    /// The first frame's picture.
    pub(super) fn picture(mut self) -> Pixmap {
        self.show(self.track.pose(0));
        self.picture
    }

    /// Repaints for `pose` and says which rectangles of the picture changed.
    fn show(&mut self, pose: Pose) -> Damage {
        if self.shown == Some(pose) {
            return Damage::none();
        }
        let repainted = self.repaint_features(&pose.face);
        let puppet = self.puppet.clone();
        let moved = self.shown.is_none_or(|old| old.head != pose.head);
        if moved {
            for (plate, bent) in puppet.plates().into_iter().zip(&mut self.bent) {
                plate.field.bend(&pose.head, puppet.unit, puppet.pivot, bent);
            }
        }
        let fresh = self.shown.is_none();
        let damage = self.repaint_cells(&repainted, moved, fresh);
        if moved {
            std::mem::swap(&mut self.sources, &mut self.bent);
        }
        self.shown = Some(pose);
        damage
    }

    /// Repaints the features that look different and returns their rectangles on the plate.
    fn repaint_features(&mut self, face: &Face) -> Vec<Rect> {
        let features = &self.puppet.features;
        let mut repainted = Vec::new();
        for (which, rect) in features.rects().into_iter().enumerate() {
            let same = self.shown.is_some_and(|old| !features.differs(which, &old.face, face));
            if !same {
                features.paint(which, face, &mut self.head);
                repainted.push(rect);
            }
        }
        repainted
    }

    fn repaint_cells(&mut self, repainted: &[Rect], moved: bool, fresh: bool) -> Damage {
        let (columns, rows) = (self.puppet.head.field.columns, self.puppet.head.field.rows);
        let mut bands = Bands::new(self.picture.bounds());
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let at = row * columns + column;
                let corners = [at, at + 1, at + columns, at + columns + 1];
                let was = moved && !fresh && {
                    let differ = |plate: usize| corners.iter().any(|&c| self.sources[plate][c] != self.bent[plate][c]);
                    (0..self.occupied.len()).any(|plate| differ(plate) && self.cell_occupied(plate, &corners))
                };
                let sources = if moved { &self.bent } else { &self.sources };
                let reach = self.reach(&sources[sources.len() - 1], &corners);
                let dirty = fresh || was || repainted.iter().any(|rect| !rect.intersect(reach).is_empty());
                if dirty {
                    self.paint_cell(column, row, &corners, moved);
                    bands.mark(column, row);
                }
            }
        }
        bands.finish()
    }

    /// Whether a plate shows anything in a cell, before or after.
    fn cell_occupied(&self, plate: usize, corners: &[usize; 4]) -> bool {
        [&self.sources[plate], &self.bent[plate]]
            .into_iter()
            .any(|sources| self.occupied[plate].any(self.reach(sources, corners)))
    }

    /// The plate pixels that a cell reads.
    fn reach(&self, sources: &[Source], corners: &[usize; 4]) -> Rect {
        let scale = self.puppet.scale;
        let side = |axis: usize| {
            let all = corners.iter().map(|&c| sources[c][axis]);
            let (low, high) = (all.clone().min().unwrap_or(0), all.max().unwrap_or(0));
            (plate(low, scale) >> 8, (plate(high, scale) >> 8) + 2)
        };
        let ((x0, x1), (y0, y1)) = (side(0), side(1));
        Rect::new(x0 - 1, y0 - 1, x1 + 1, y1 + 1)
    }

    fn paint_cell(&mut self, column: usize, row: usize, corners: &[usize; 4], moved: bool) {
        let sources = if moved { &self.bent } else { &self.sources };
        let scale = self.puppet.scale;
        let (x0, y0) = (column as i32 * STEP, row as i32 * STEP);
        let width = (self.picture.width() as i32 - x0).min(STEP) as usize;
        let height = (self.picture.height() as i32 - y0).min(STEP);
        let mut cell = [[[0; 4]; STEP as usize]; STEP as usize];
        let plates = self.puppet.plates();
        let last = plates.len() - 1;
        // Nothing behind a solid plate is looked at.
        let lowest = (0..=last).rfind(|&at| self.occupied[at].solid(self.reach(&sources[at], corners))).unwrap_or(0);
        for (at, plate_of) in plates.into_iter().enumerate().skip(lowest) {
            if !self.occupied[at].any(self.reach(&sources[at], corners)) {
                continue;
            }
            let picture = if at == last { &self.head } else { &plate_of.picture };
            let [a, b, c, d] = corners.map(|corner| sources[at][corner]);
            for dy in 0..height {
                let (left, right) = (between(a, c, dy), between(b, d, dy));
                for (dx, pixel) in cell[dy as usize][..width].iter_mut().enumerate() {
                    let [x, y] = between(left, right, dx as i32);
                    let over = bilinear(picture, plate(x, scale), plate(y, scale));
                    *pixel = if at == lowest || over[3] == 255 { over } else { lay(*pixel, over) };
                }
            }
        }
        for (dy, cells) in cell[..height as usize].iter().enumerate() {
            let out = &mut self.picture.row_mut(y0 as u32 + dy as u32)[x0 as usize..x0 as usize + width];
            out.copy_from_slice(&cells[..width]);
        }
    }
}

/// From an output position at pixel corners to a plate position at pixel centres, both in 1/256.
#[inline]
fn plate(position: i32, scale: i32) -> i32 {
    // The centre of output pixel x lies at x + 1/2; the plate's own centres lie half a plate pixel in.
    (((i64::from(position) + 128) * i64::from(scale)) >> 8) as i32 - 128
}

#[inline]
fn between(a: Source, b: Source, step: i32) -> Source {
    [a[0] + (b[0] - a[0]) * step / STEP, a[1] + (b[1] - a[1]) * step / STEP]
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

/// Gathers marked cells into one rectangle per run of rows.
struct Bands {
    limit: Rect,
    damage: Damage,
    open: Rect,
}

impl Bands {
    fn new(limit: Rect) -> Self {
        Self { limit, damage: Damage::none(), open: Rect::default() }
    }

    fn mark(&mut self, column: usize, row: usize) {
        let (x, y) = (column as i32 * STEP, row as i32 * STEP);
        let cell = Rect::new(x, y, x + STEP, y + STEP).intersect(self.limit);
        if !self.open.is_empty() && y > self.open.y1 {
            self.damage.add(self.open);
            self.open = Rect::default();
        }
        self.open = self.open.union(cell);
    }

    fn finish(mut self) -> Damage {
        self.damage.add(self.open);
        self.damage
    }
}
