//! Which parts of a plate changed, in squares.

use compere_media::Rect;

/// Side of a tile, in plate pixels. Twice as wide would be half again as much to paint.
pub(crate) const TILE: i32 = 1 << SHIFT;
const SHIFT: i32 = 3;

/// A mark for every tile of a plate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tiles {
    columns: i32,
    rows: i32,
    marked: Vec<bool>,
    /// Around everything marked, in tiles.
    around: Rect,
}

impl Tiles {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let (columns, rows) = (width.div_ceil(TILE as u32) as i32, height.div_ceil(TILE as u32) as i32);
        Self { columns, rows, marked: vec![false; (columns * rows) as usize], around: Rect::default() }
    }

    pub(crate) fn clear(&mut self) {
        for ty in self.around.y0..self.around.y1 {
            let row = (ty * self.columns) as usize;
            self.marked[row + self.around.x0 as usize..row + self.around.x1 as usize].fill(false);
        }
        self.around = Rect::default();
    }

    /// Marks every tile that `rect`, which is not empty, touches.
    #[inline]
    pub(crate) fn mark(&mut self, rect: Rect) {
        let tiles = self.touched(rect);
        let at = (tiles.y0 * self.columns + tiles.x0) as usize;
        if tiles.is_empty() || (tiles.x1 - tiles.x0 == 1 && tiles.y1 - tiles.y0 == 1 && self.marked[at]) {
            return;
        }
        for ty in tiles.y0..tiles.y1 {
            let row = (ty * self.columns) as usize;
            self.marked[row + tiles.x0 as usize..row + tiles.x1 as usize].fill(true);
        }
        self.around = self.around.union(tiles);
    }

    /// Whether a tile that `rect` touches is marked.
    #[inline]
    pub(crate) fn any(&self, rect: Rect) -> bool {
        let tiles = self.touched(rect);
        for ty in tiles.y0..tiles.y1 {
            let row = ty * self.columns;
            for tx in tiles.x0..tiles.x1 {
                if self.marked[(row + tx) as usize] {
                    return true;
                }
            }
        }
        false
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.around.is_empty()
    }

    /// Around everything marked, in pixels.
    pub(crate) fn bounds(&self) -> Rect {
        let a = self.around;
        Rect::new(a.x0 * TILE, a.y0 * TILE, a.x1 * TILE, a.y1 * TILE)
    }

    /// The marked tiles, in pixels, with neighbours in a row as one.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Rect> + '_ {
        let a = self.around;
        let (mut tx, mut ty) = (a.x0, a.y0);
        std::iter::from_fn(move || {
            while ty < a.y1 {
                let row = &self.marked[(ty * self.columns) as usize..][..a.x1 as usize];
                let start = (tx..a.x1).find(|&tx| row[tx as usize]);
                let Some(start) = start else {
                    (tx, ty) = (a.x0, ty + 1);
                    continue;
                };
                tx = (start..a.x1).find(|&tx| !row[tx as usize]).unwrap_or(a.x1);
                return Some(Rect::new(start * TILE, ty * TILE, tx * TILE, (ty + 1) * TILE));
            }
            None
        })
    }

    /// The marked tiles, in pixels.
    pub(crate) fn rects(&self) -> impl Iterator<Item = Rect> + '_ {
        let a = self.around;
        let tiles = (a.y0..a.y1).flat_map(move |ty| (a.x0..a.x1).map(move |tx| (tx, ty)));
        tiles
            .filter(|(tx, ty)| self.marked[(ty * self.columns + tx) as usize])
            .map(|(tx, ty)| Rect::new(tx * TILE, ty * TILE, (tx + 1) * TILE, (ty + 1) * TILE))
    }

    #[inline]
    fn touched(&self, rect: Rect) -> Rect {
        Rect {
            x0: (rect.x0 >> SHIFT).max(0),
            y0: (rect.y0 >> SHIFT).max(0),
            x1: ((rect.x1 + TILE - 1) >> SHIFT).min(self.columns),
            y1: ((rect.y1 + TILE - 1) >> SHIFT).min(self.rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_the_marked_tiles() {
        let mut tiles = Tiles::new(160, 90);
        for (x, y) in [(0, 0), (8, 0), (24, 0), (152, 0), (40, 40), (48, 40), (152, 88)] {
            tiles.mark(Rect::new(x, y, x + 1, y + 1));
        }
        let apart = |run: Rect| (run.x0..run.x1).step_by(TILE as usize).map(move |x| (x, run.y0));
        let by_run: Vec<_> = tiles.runs().flat_map(apart).collect();
        let by_tile: Vec<_> = tiles.rects().map(|tile| (tile.x0, tile.y0)).collect();
        assert_eq!((by_run, tiles.runs().count()), (by_tile, 5));
    }
}
