//! The first sheet of a skin in the light of a smile, as far as somebody smiles.

use compere_media::{Pixmap, Rect};

use super::FaceRig;
use crate::act::{Ch, Face};

/// How much of a cheek's light comes with [`Ch::Cheek`]: the rest is the smile's.
const CHEEK: f32 = 0.35;

pub(super) struct Cheeks {
    /// Both sheets, the first one smiling.
    pub(super) sheets: [Pixmap; 2],
    /// How much, in 1/256.
    smiled: i32,
    /// Where it differs from one that does not.
    part: Rect,
    /// Triangles that show something of that.
    shown: Vec<u32>,
}

impl Cheeks {
    pub(super) fn new(rig: &FaceRig) -> Self {
        let part = differing(&rig.sheets[0], &rig.smiling);
        Self { sheets: rig.sheets.clone(), smiled: 0, part, shown: rig.skin.shows(part) }
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
        let columns = self.part.x0 as usize..self.part.x1 as usize;
        for y in self.part.y0 as u32..self.part.y1 as u32 {
            let (rest, glad) = (&rig.sheets[0].row(y)[columns.clone()], &rig.smiling.row(y)[columns.clone()]);
            for (out, (rest, glad)) in self.sheets[0].row_mut(y)[columns.clone()].iter_mut().zip(rest.iter().zip(glad))
            {
                *out = std::array::from_fn(|k| {
                    let (rest, glad) = (i32::from(rest[k]), i32::from(glad[k]));
                    (rest + (((glad - rest) * wanted) >> 8)).clamp(0, 255) as u8
                });
            }
        }
    }
}

/// How much of a smile's light a face has, in 1/256: all of it in the broadest smile of scripts, and hardly any at rest, where
/// corners of a mouth are up and no cheek is.
fn smiles(face: &Face) -> i32 {
    let smile = face.get(Ch::Smile).max(0.0) + CHEEK * face.get(Ch::Cheek);
    (smile * smile.min(1.0) * 232.0) as i32
}

/// Around all that differs between two pictures of one size.
fn differing(one: &Pixmap, other: &Pixmap) -> Rect {
    let mut out = Rect::default();
    for y in 0..one.height() {
        let (one, other) = (one.row(y), other.row(y));
        let differs = |x: &usize| one[*x] != other[*x];
        let ends = [(0..one.len()).find(differs), (0..one.len()).rev().find(differs)];
        if let [Some(first), Some(last)] = ends {
            out = out.union(Rect::new(first as i32, y as i32, last as i32 + 1, y as i32 + 1));
        }
    }
    out
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
        assert_eq!(differing(&one, &other), Rect::new(3, 2, 6, 5));
    }
}
