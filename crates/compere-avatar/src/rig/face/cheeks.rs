//! The first sheet of a skin in the light of a smile, as far as somebody smiles.

use std::ops::Range;

use compere_media::{Pixmap, Rect};

use super::FaceRig;
use crate::act::{Ch, Face};

/// How much of a cheek's light comes with [`Ch::Cheek`]: the rest is the smile's.
const CHEEK: f32 = 0.35;
/// It comes in steps of so many of 256, none of which changes a colour by more than one or two: lips that talk smile otherwise
/// in every frame, and each would paint both cheeks.
const STEP: i32 = 8;

pub(super) struct Cheeks {
    /// Both sheets, the first one smiling.
    pub(super) sheets: [Pixmap; 2],
    /// How much, in 1/256.
    smiled: i32,
    /// Where it differs from one that does not, row by row.
    spans: Vec<(u32, Range<usize>)>,
    /// Triangles that show something of that.
    shown: Vec<u32>,
}

impl Cheeks {
    pub(super) fn new(rig: &FaceRig) -> Self {
        let spans = differing(&rig.sheets[0], &rig.smiling);
        let of_row =
            |(y, span): &(u32, Range<usize>)| Rect::new(span.start as i32, *y as i32, span.end as i32, *y as i32 + 1);
        let part = spans.iter().map(of_row).fold(Rect::default(), Rect::union);
        Self { sheets: rig.sheets.clone(), smiled: 0, spans, shown: rig.skin.shows(part) }
    }

    /// Triangles that change from one face to another for the light alone.
    pub(super) fn changed(&self, from: &Face, to: &Face) -> &[u32] {
        if smiles(from) == smiles(to) { &[] } else { &self.shown }
    }

    /// Lights the sheet for a face.
    pub(super) fn smile(&mut self, rig: &FaceRig, face: &Face) {
        let wanted = smiles(face);
        if self.smiled == wanted {
            return;
        }
        self.smiled = wanted;
        for (y, span) in &self.spans {
            let (rest, glad) = (&rig.sheets[0].row(*y)[span.clone()], &rig.smiling.row(*y)[span.clone()]);
            let out = self.sheets[0].row_mut(*y)[span.clone()].as_flattened_mut();
            for (out, (rest, glad)) in out.iter_mut().zip(rest.as_flattened().iter().zip(glad.as_flattened())) {
                let (rest, glad) = (i32::from(*rest), i32::from(*glad));
                *out = (rest + (((glad - rest) * wanted) >> 8)).clamp(0, 255) as u8;
            }
        }
    }
}

/// How much of a smile's light a face has, in 1/256: all of it in the broadest smile of scripts, and hardly any at rest, where
/// corners of a mouth are up and no cheek is.
fn smiles(face: &Face) -> i32 {
    let smile = face.get(Ch::Smile).max(0.0) + CHEEK * face.get(Ch::Cheek);
    (smile * smile.min(1.0) * 232.0) as i32 / STEP * STEP
}

/// What differs between two pictures of one size: of each row from the first to the last pixel that does.
fn differing(one: &Pixmap, other: &Pixmap) -> Vec<(u32, Range<usize>)> {
    let span = |y: u32| {
        let (one, other) = (one.row(y), other.row(y));
        let differs = |x: &usize| one[*x] != other[*x];
        let first = (0..one.len()).find(differs)?;
        Some((y, first..(first..one.len()).rev().find(differs)? + 1))
    };
    (0..one.height()).filter_map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_found() {
        let mut other = Pixmap::new(9, 7);
        let one = other.clone();
        assert!(differing(&one, &other).is_empty());
        other.row_mut(2)[5] = [1; 4];
        other.row_mut(4)[3] = [1; 4];
        other.row_mut(4)[7] = [1; 4];
        assert_eq!(differing(&one, &other), [(2, 5..6), (4, 3..8)]);
    }
}
