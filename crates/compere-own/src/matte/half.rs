//! A picture at half its size, where colours are whole, beside what the network says of it.

use compere_media::Frame;

use super::plane::{enlarged, means};
use crate::track::CELLS;

/// Brightness and both tints, from black and from grey.
pub(super) type Colour = [f32; 3];

/// Cells of the network by which its edge may be wrong.
const BAND: f32 = 2.2;
/// Colours weigh more than brightness: they have less noise, and light changes them less.
pub(super) const TINT: f32 = 1.6;
/// Beyond these means of the network around a place nothing is looked for.
const SURE: [f32; 2] = [0.04, 0.96];

pub(super) struct Half {
    pub(super) size: [usize; 2],
    pub(super) colours: Vec<Colour>,
    /// What the network says, and the mean of that around.
    pub(super) cells: Vec<f32>,
    pub(super) around: Vec<f32>,
}

impl Half {
    /// `cells` is what the network says of the whole frame.
    pub(super) fn of(frame: &Frame, cells: &[f32]) -> Self {
        let size = [frame.width() as usize / 2, frame.height() as usize / 2];
        let colours = (0..size[0] * size[1]).map(|n| colour(frame, n)).collect();
        let cells = enlarged(cells, CELLS, size);
        let reach = reach(size, BAND);
        let lone: Vec<[f32; 1]> = cells.iter().map(|&value| [value]).collect();
        let around = means(&means(&lone, size, reach), size, reach).into_iter().map(|[value]| value).collect();
        Self { size, colours, cells, around }
    }

    pub(super) fn is_sure(&self, n: usize) -> bool {
        self.is_person(n) || self.is_behind(n)
    }

    pub(super) fn is_person(&self, n: usize) -> bool {
        self.around[n] > SURE[1] && self.cells[n] > 0.8
    }

    pub(super) fn is_behind(&self, n: usize) -> bool {
        self.around[n] < SURE[0] && self.cells[n] < 0.2
    }

    /// So many cells of the network, in places.
    pub(super) fn reach(&self, cells: f32) -> usize {
        reach(self.size, cells)
    }
}

fn reach(size: [usize; 2], cells: f32) -> usize {
    let cell = size[0].max(size[1]) as f32 / CELLS as f32;
    ((cells * cell).ceil() as usize).max(3)
}

/// The colour of the two by two pixels that are a place at half the size.
pub(super) fn colour(frame: &Frame, n: usize) -> Colour {
    let (wide, half) = (frame.width() as usize, frame.width() as usize / 2);
    let at = 2 * (n / half) * wide + 2 * (n % half);
    let luma: u16 = [at, at + 1, at + wide, at + wide + 1].iter().map(|&at| u16::from(frame.y()[at])).sum();
    let tint = |plane: &[u8]| TINT * (f32::from(plane[n]) - 128.0);
    [f32::from(luma) / 4.0, tint(frame.u()), tint(frame.v())]
}
