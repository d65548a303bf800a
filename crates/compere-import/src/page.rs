//! A page of a document as poppler has it.

use crate::Side;

/// A page to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Page {
    /// In the PDF, counted from zero.
    pub(crate) at: usize,
    pub(crate) size: (f64, f64),
    /// Used for the names of its files.
    pub(crate) number: usize,
    /// Without what is pinned to it.
    pub(crate) unpinned: bool,
    /// Something of it is only drawn by the slower of poppler's painters.
    pub(crate) patient: bool,
    /// At the edge of the canvas where it leaves a presenter room, rather than in the middle.
    pub(crate) aside: Option<Aside>,
    /// The colour of the canvas beside it, rather than its edge's.
    pub(crate) rest: Option<[u8; 3]>,
    /// Pages of one group are drawn one after another by one child.
    pub(crate) group: usize,
}

/// Which side of the canvas stays free beside a page, and how much of it, in canvas units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aside {
    pub(crate) side: Side,
    pub(crate) room: f64,
}

impl Page {
    /// Where fractions of the page lie on a canvas: left, top, width and height in its units.
    pub(crate) fn area(&self, [left, top, width, height]: [f64; 4], canvas: (u32, u32)) -> [f64; 4] {
        let twice = (canvas.0 * 2, canvas.1 * 2);
        let drawn = crate::picture::fitted(self.size, twice);
        let (x, y) = self.origin(drawn, twice, 2);
        let (across, down) = (f64::from(drawn.0) / 2.0, f64::from(drawn.1) / 2.0);
        [f64::from(x) / 2.0 + left * across, f64::from(y) / 2.0 + top * down, width * across, height * down]
    }

    /// Where the page begins on a canvas of `scale` pixels for each unit.
    pub(crate) fn origin(&self, drawn: (u32, u32), canvas: (u32, u32), scale: u32) -> (u32, u32) {
        let free = (canvas.0 - drawn.0.min(canvas.0), canvas.1 - drawn.1.min(canvas.1));
        let Some(Aside { side, room }) = self.aside else { return (free.0 / 2, free.1 / 2) };
        let room = (room * f64::from(scale)).round() as u32;
        if canvas.0 >= canvas.1 {
            let rest = free.0.saturating_sub(room) / 2;
            (if side == Side::Right { rest } else { free.0 - rest }, free.1 / 2)
        } else {
            (free.0 / 2, free.1.saturating_sub(room) / 2)
        }
    }
}

/// A word, in points from the page's left top corner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) x: (f64, f64),
    pub(crate) y: (f64, f64),
}
