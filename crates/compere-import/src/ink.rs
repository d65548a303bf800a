//! Where a slide's content is: its edges, counted on a coarse grid.

use crate::picture::Picture;

/// Canvas units along a cell.
const CELL: u32 = 20;
/// By how much neighbours differ across an edge. Gradients stay below, letters, lines and photographs do not.
const EDGE: u8 = 12;

/// Pixels of the canvas that are looked at together: on most of a slide nothing is there.
const RUN: usize = 16;

/// Whether pixels all have one colour, and those below them too.
fn is_plain(here: &[[u8; 3]], below: &[[u8; 3]]) -> bool {
    let ([first, ..], Ok(flat)) = (here, <&[[u8; 3]; RUN * 2 + 1]>::try_from(here)) else { return false };
    *flat == [*first; RUN * 2 + 1] && here == below
}

/// Left, top, right and bottom in canvas units.
pub(crate) type Box = [f64; 4];

/// Edge pixels of a slide, cell by cell. Pixels are those of the canvas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ink {
    across: usize,
    cells: Vec<u16>,
    whole: u64,
}

impl Ink {
    /// Of a picture with two pixels for each canvas unit.
    pub(crate) fn of(picture: &Picture) -> Self {
        let (width, height) = (picture.width / 2, picture.height / 2);
        let (across, down) = (width.div_ceil(CELL) as usize, height.div_ceil(CELL) as usize);
        let mut ink = Self { across, cells: vec![0; across * down], whole: 0 };
        let row = |y: u32| {
            let start = (y * 2) as usize * picture.width as usize;
            &picture.rgb[start..start + picture.width as usize]
        };
        let differ = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > EDGE);
        for y in 0..height.saturating_sub(1) {
            let (here, below) = (row(y), row(y + 1));
            for from in (0..width.saturating_sub(1)).step_by(RUN) {
                let to = (from + RUN as u32).min(width - 1);
                let (start, end) = ((from * 2) as usize, (to * 2 + 1) as usize);
                if is_plain(&here[start..end], &below[start..end]) {
                    continue;
                }
                for x in from..to {
                    let at = (x * 2) as usize;
                    if differ(here[at], here[at + 2]) || differ(here[at], below[at]) {
                        ink.cells[(y / CELL) as usize * across + (x / CELL) as usize] += 1;
                        ink.whole += 1;
                    }
                }
            }
        }
        ink
    }

    /// What is seen at one time or another.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let cells: Vec<u16> = self.cells.iter().zip(&other.cells).map(|(a, b)| *a.max(b)).collect();
        Self { across: self.across, whole: cells.iter().map(|count| u64::from(*count)).sum(), cells }
    }

    /// Share of the content that lies in cells which these boxes touch.
    pub(crate) fn covered(&self, boxes: &[Box]) -> f64 {
        let cell = f64::from(CELL);
        let touched = |at: usize| {
            let (x, y) = ((at % self.across) as f64 * cell, (at / self.across) as f64 * cell);
            boxes.iter().any(|[x0, y0, x1, y1]| *x0 < x + cell && x < *x1 && *y0 < y + cell && y < *y1)
        };
        let covered = self.cells.iter().enumerate().filter(|(at, count)| **count > 0 && touched(*at));
        covered.map(|(_, count)| u64::from(*count)).sum::<u64>() as f64 / self.whole.max(1) as f64
    }

    /// Of cells with this much ink each, for tests.
    #[cfg(test)]
    pub(crate) fn of_boxes((width, height): (u32, u32), boxes: &[Box]) -> Self {
        let mut rgb = vec![[255; 3]; (width * height * 4) as usize];
        for [x0, y0, x1, y1] in boxes {
            for y in (*y0 as usize * 2)..(*y1 as usize * 2) {
                for x in (*x0 as usize * 2)..(*x1 as usize * 2) {
                    rgb[y * width as usize * 2 + x] = [if (x / 4 + y / 4) % 2 == 0 { 0 } else { 255 }; 3];
                }
            }
        }
        Self::of(&Picture { width: width * 2, height: height * 2, rgb })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_found_where_it_is() {
        let ink = Ink::of_boxes((200, 100), &[[20.0, 20.0, 60.0, 60.0], [120.0, 20.0, 160.0, 60.0]]);
        assert!(ink.whole > 1000);
        let half = ink.covered(&[[0.0, 0.0, 100.0, 100.0]]);
        assert!((0.45..0.55).contains(&half), "{half}");
        assert!(ink.covered(&[[70.0, 0.0, 95.0, 100.0], [0.0, 80.0, 200.0, 100.0]]).abs() < 1e-9);
        assert!(ink.covered(&[[0.0, 0.0, 200.0, 100.0]]) > 0.999);
    }

    #[test]
    fn a_gradient_is_no_content() {
        let rgb = (0..200 * 100).map(|at| [(at % 200) as u8 / 2 + 100; 3]).collect();
        assert_eq!(Ink::of(&Picture { width: 200, height: 100, rgb }).whole, 0);
    }
}
