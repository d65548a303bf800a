//! The plate that arms are painted on: one of their own, or the body's.

use compere_media::{Pixmap, Rect};

use super::sample::{Occupancy, lay};
use super::{TILE, Tiles};

pub(super) struct ArmPlate {
    /// With the arms as they are shown.
    pub(super) picture: Pixmap,
    /// Where on it they are.
    pub(super) around: Rect,
    /// Which tiles they are on, row by row.
    held: Vec<bool>,
    columns: i32,
}

impl ArmPlate {
    /// Without arms.
    pub(super) fn new(picture: Pixmap) -> Self {
        let [columns, rows] = [picture.width(), picture.height()].map(|side| side.div_ceil(TILE as u32));
        Self { picture, around: Rect::default(), held: vec![false; (columns * rows) as usize], columns: columns as i32 }
    }

    /// Shows other arms, of which `fresh` holds what is in `rect`, on what is `under` them, and marks the tiles that look
    /// otherwise than before.
    pub(super) fn show(
        &mut self,
        (fresh, rect): (&Pixmap, Rect),
        under: Option<&Pixmap>,
        occupied: &mut Occupancy,
        stirred: &mut Tiles,
    ) {
        let limit = self.picture.bounds();
        let fresh = Fresh { picture: fresh, corner: [rect.x0, rect.y0], rect: rect.intersect(limit) };
        let rect = fresh.rect;
        let both = if self.around.is_empty() { rect } else { self.around.union(rect) };
        let tiles = |from: i32, to: i32| from.div_euclid(TILE)..(to + TILE - 1).div_euclid(TILE);
        for ty in tiles(both.y0, both.y1) {
            for tx in tiles(both.x0, both.x1) {
                let tile = Rect::new(tx * TILE, ty * TILE, (tx + 1) * TILE, (ty + 1) * TILE).intersect(limit);
                let held = &mut self.held[(ty * self.columns + tx) as usize];
                let was_held = std::mem::replace(held, fresh.is_on(tile));
                if (was_held || *held) && fresh.paint(tile, under, &mut self.picture) {
                    stirred.mark(tile);
                    occupied.refresh(&self.picture, tx, ty);
                }
            }
        }
        self.around = rect;
    }
}

/// Arms as they shall be shown.
struct Fresh<'a> {
    picture: &'a Pixmap,
    /// Where its corner lies on the plate, and what of it does.
    corner: [i32; 2],
    rect: Rect,
}

impl Fresh<'_> {
    /// What it holds in a row from one column to another.
    #[inline]
    fn row(&self, y: i32, x0: i32, x1: i32) -> &[[u8; 4]] {
        let [x, y] = [x0 - self.corner[0], y - self.corner[1]];
        &self.picture.row(y as u32)[x as usize..][..(x1 - x0) as usize]
    }

    /// Whether anything of the arms is on a tile.
    #[inline]
    fn is_on(&self, tile: Rect) -> bool {
        let part = tile.intersect(self.rect);
        !part.is_empty()
            && (part.y0..part.y1).any(|y| self.row(y, part.x0, part.x1).iter().any(|pixel| *pixel != [0; 4]))
    }

    /// Paints a tile of the plate and says whether it looks otherwise than before.
    fn paint(&self, tile: Rect, under: Option<&Pixmap>, plate: &mut Pixmap) -> bool {
        let mut stirred = false;
        let part = tile.intersect(self.rect);
        for y in tile.y0..tile.y1 {
            let span = tile.x0 as usize..tile.x1 as usize;
            let mut pixels = [[0; 4]; TILE as usize];
            let pixels = &mut pixels[..span.len()];
            if let Some(under) = under {
                pixels.copy_from_slice(&under.row(y as u32)[span.clone()]);
            }
            if y >= part.y0 && y < part.y1 && part.x0 < part.x1 {
                let own = &mut pixels[(part.x0 - tile.x0) as usize..(part.x1 - tile.x0) as usize];
                for (pixel, over) in own.iter_mut().zip(self.row(y, part.x0, part.x1)) {
                    if over[3] == 255 {
                        *pixel = *over;
                    } else if over[3] != 0 {
                        *pixel = lay(*pixel, *over);
                    }
                }
            }
            let row = &mut plate.row_mut(y as u32)[span];
            if row != pixels {
                row.copy_from_slice(pixels);
                stirred = true;
            }
        }
        stirred
    }
}
