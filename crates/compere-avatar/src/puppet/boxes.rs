//! Marked cells of a grid, gathered into few rectangles.

use compere_media::{Damage, Rect};

/// Runs of a row that are nearer than this are one, in cells.
const GAP: usize = 3;
/// A rectangle may hold this many cells that are not marked, for every four that are, before it is cut in two.
const SLACK: i32 = 1;

#[derive(Clone, Debug)]
pub(super) struct Boxes {
    columns: usize,
    marked: Vec<bool>,
}

impl Boxes {
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        Self { columns, marked: vec![false; columns * rows] }
    }

    pub(super) fn clear(&mut self) {
        self.marked.fill(false);
    }

    pub(super) fn mark_all(&mut self) {
        self.marked.fill(true);
    }

    #[inline]
    pub(super) fn is_marked(&self, column: usize, row: usize) -> bool {
        self.marked[row * self.columns + column]
    }

    #[inline]
    pub(super) fn mark(&mut self, column: usize, row: usize) {
        self.marked[row * self.columns + column] = true;
    }

    pub(super) fn unmark(&mut self, column: usize, row: usize) {
        self.marked[row * self.columns + column] = false;
    }

    /// Rectangles around all marks, cells being `step` pixels wide, cut at `limit`.
    pub(super) fn damage(&self, step: i32, limit: Rect) -> Damage {
        let mut open: Vec<(Rect, i32)> = Vec::new();
        let mut done = Damage::none();
        let scaled = |r: Rect| Rect::new(r.x0 * step, r.y0 * step, r.x1 * step, r.y1 * step).intersect(limit);
        for (y, row) in (0..).zip(self.marked.chunks(self.columns)) {
            for (run, count) in runs(row, y) {
                let joins = |&(rect, held): &(Rect, i32)| {
                    let both = rect.union(run);
                    let touching = rect.x0 <= run.x1 && run.x0 <= rect.x1 && rect.y1 >= y;
                    touching && both.area() as i32 * 4 <= (held + count) * (4 + SLACK) + 16
                };
                match open.iter().position(joins) {
                    Some(at) => open[at] = (open[at].0.union(run), open[at].1 + count),
                    None => open.push((run, count)),
                }
            }
            open.retain(|&(rect, _)| {
                let ended = rect.y1 < y;
                if ended {
                    done.add(scaled(rect));
                }
                !ended
            });
        }
        open.into_iter().for_each(|(rect, _)| done.add(scaled(rect)));
        done
    }
}

/// The stretches of marks in a row with how many marks each holds.
fn runs(row: &[bool], y: i32) -> Vec<(Rect, i32)> {
    let mut out: Vec<(Rect, i32)> = Vec::new();
    for x in row.iter().enumerate().filter(|(_, marked)| **marked).map(|(x, _)| x) {
        match out.last_mut() {
            Some((run, count)) if x as i32 - run.x1 < GAP as i32 => {
                run.x1 = x as i32 + 1;
                *count += 1;
            }
            _ => out.push((Rect::new(x as i32, y, x as i32 + 1, y + 1), 1)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_lies_in_the_damage_and_far_marks_stay_apart() {
        let mut boxes = Boxes::new(40, 30);
        let marks = [(3, 2), (4, 2), (4, 3), (30, 2), (31, 3), (10, 20), (11, 21), (39, 29)];
        marks.iter().for_each(|&(x, y)| boxes.mark(x, y));
        let damage = boxes.damage(8, Rect::new(0, 0, 315, 236));
        for (x, y) in marks.map(|(x, y)| (x as i32 * 8, y as i32 * 8)) {
            let cell = Rect::new(x, y, (x + 8).min(315), (y + 8).min(236));
            assert!(damage.rects().iter().any(|rect| rect.contains(cell)), "{cell:?} in {damage:?}");
        }
        assert!(damage.area() < 64 * 16, "{damage:?}");
        assert!(Rect::new(0, 0, 315, 236).contains(damage.bounds()));
    }
}
