//! Where lips that are shut lie on each other.

use std::ops::Range;

use compere_media::Rect;

use crate::rig::raster::deep::{Canvas, FOLD, SKIN};
use crate::rig::raster::edges::blended;
use crate::rig::raster::flat::{PLACE, Place};

/// How much lighter or darker skin is above a pixel of the line than below it, in display bytes.
const SHARP: u8 = 26;

/// Both lips are of one part and of one depth, so that no edge is known between them: the line would have steps.
pub(super) struct Seam(Rect);

impl Seam {
    /// It runs in front of the upper row of teeth, whose points these are.
    pub(super) fn new(teeth: &[Place]) -> Self {
        let pixel = |p: &Place| [0, 1].map(|k| (p[k] / PLACE) as i32);
        let around = teeth.iter().map(pixel).map(|[x, y]| Rect::new(x, y, x + 1, y + 1));
        Self(around.fold(Rect::default(), Rect::union))
    }

    /// Marks the pixels of a row that belong to it.
    pub(super) fn mark(&self, canvas: &Canvas, y: usize, span: Range<usize>, marks: &mut [u8]) {
        for (x, mark) in span.zip(marks) {
            *mark |= u8::from(self.crosses(canvas, x, y));
        }
    }

    /// The colour of a pixel of it.
    pub(super) fn soft(&self, canvas: &Canvas, x: usize, y: usize) -> Option<[u8; 4]> {
        self.crosses(canvas, x, y).then(|| blended(canvas, x, y))
    }

    fn crosses(&self, canvas: &Canvas, x: usize, y: usize) -> bool {
        let [width, height] = canvas.size.map(|side| side as usize);
        let (column, row) = (x as i32, y as i32);
        if row < self.0.y0 || row >= self.0.y1 || column < self.0.x0 || column >= self.0.x1 {
            return false;
        }
        let at = |y: usize| y * width + x;
        let green = |y: usize| canvas.color[at(y)][1];
        matches!(canvas.part[at(y)], SKIN | FOLD)
            && (green(y.saturating_sub(1)).abs_diff(green(y)) > SHARP
                || green((y + 1).min(height - 1)).abs_diff(green(y)) > SHARP)
    }
}
