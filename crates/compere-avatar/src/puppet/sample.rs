//! Reading a plate between its pixels, and laying one pixel on another.

use compere_media::{Pixmap, Rect};

use super::tiles::TILE;

/// A mark for each tile of a plate, a bit each: a few neighbours are looked at together.
#[derive(Clone, Debug)]
struct Marks {
    /// Words to a row; the last of them is empty.
    words: usize,
    bits: Vec<u64>,
}

impl Marks {
    fn new(columns: i32, rows: i32) -> Self {
        let words = columns as usize / 64 + 2;
        Self { words, bits: vec![0; words * rows as usize] }
    }

    fn get(&self, tx: i32, ty: i32) -> bool {
        self.bits[ty as usize * self.words + tx as usize / 64] >> (tx % 64) & 1 != 0
    }

    fn set(&mut self, tx: i32, ty: i32, mark: bool) {
        let word = &mut self.bits[ty as usize * self.words + tx as usize / 64];
        *word = *word & !(1 << (tx % 64)) | u64::from(mark) << (tx % 64);
    }

    /// Whether there is a mark from one column to another, both of them included, in any of some rows.
    #[inline]
    fn any(&self, [left, right]: [i32; 2], [top, low]: [i32; 2]) -> bool {
        if right - left > 62 {
            return (top..=low).any(|ty| (left..=right).any(|tx| self.get(tx, ty)));
        }
        let (word, shift) = (left as usize / 64, left as u32 % 64);
        let mask = (1 << (right - left + 1)) - 1;
        (top..=low).fold(0, |all, ty| {
            let at = ty as usize * self.words + word;
            let pair = &self.bits[at..at + 2];
            all | (pair[0] >> shift | pair[1] << 1 << (63 - shift)) & mask
        }) != 0
    }
}

/// Which tiles of a plate hold anything at all.
#[derive(Clone, Debug)]
pub(super) struct Occupancy {
    columns: i32,
    rows: i32,
    filled: Marks,
    /// Not fully opaque, or not far from anything that is not where features may move.
    open: Marks,
}

impl Occupancy {
    /// `always` lies in parts that are repainted later.
    pub(super) fn new(picture: &Pixmap, always: &[Rect]) -> Self {
        let columns = picture.width().div_ceil(TILE as u32) as i32;
        let rows = picture.height().div_ceil(TILE as u32) as i32;
        let mut map = Self { columns, rows, filled: Marks::new(columns, rows), open: Marks::new(columns, rows) };
        for ty in 0..rows {
            (0..columns).for_each(|tx| map.refresh(picture, tx, ty));
        }
        let mut touched = Vec::new();
        for rect in always {
            for ty in rect.y0.div_euclid(TILE)..=rect.y1.div_euclid(TILE) {
                for tx in rect.x0.div_euclid(TILE)..=rect.x1.div_euclid(TILE) {
                    if (0..columns).contains(&tx) && (0..rows).contains(&ty) {
                        map.filled.set(tx, ty, true);
                        touched.push((tx, ty));
                    }
                }
            }
        }
        map.erode(&touched);
        map
    }

    /// Around every tile that holds anything, in plate pixels.
    pub(super) fn bounds(&self) -> Rect {
        let tiles = (0..self.rows).flat_map(|ty| (0..self.columns).map(move |tx| (tx, ty)));
        tiles.filter(|&(tx, ty)| self.filled.get(tx, ty)).fold(Rect::default(), |around, (tx, ty)| {
            let (x, y) = (tx * TILE, ty * TILE);
            around.union(Rect::new(x, y, x + TILE, y + TILE))
        })
    }

    /// Looks at one tile again, after it was painted.
    pub(super) fn refresh(&mut self, picture: &Pixmap, tx: i32, ty: i32) {
        let (x0, y0) = (tx * TILE, ty * TILE);
        let (x1, y1) = ((x0 + TILE).min(picture.width() as i32), (y0 + TILE).min(picture.height() as i32));
        let shows = |y: i32| picture.row(y as u32)[x0 as usize..x1 as usize].iter().any(|pixel| pixel[3] != 0);
        self.filled.set(tx, ty, (y0..y1).any(shows));
        let hides = |y: i32| picture.row(y as u32)[x0 as usize..x1 as usize].iter().all(|pixel| pixel[3] == 255);
        self.open.set(tx, ty, !(y0..y1).all(hides));
    }

    /// A feature may uncover what lies beside a solid tile, so its tiles count only with solid ones all round.
    fn erode(&mut self, tiles: &[(i32, i32)]) {
        const FAR: i32 = 32 / TILE;
        let open = self.open.clone();
        for &(tx, ty) in tiles {
            let all = (-FAR..=FAR).all(|dy| {
                (-FAR..=FAR).all(|dx| {
                    let (x, y) = (tx + dx, ty + dy);
                    x >= 0 && y >= 0 && x < self.columns && y < self.rows && !open.get(x, y)
                })
            });
            self.open.set(tx, ty, !all);
        }
    }

    /// Whether every pixel of `rect` hides what is behind it.
    #[inline]
    pub(super) fn solid(&self, rect: Rect) -> bool {
        let inside = rect.x0 >= 0 && rect.y0 >= 0 && rect.x1 < self.columns * TILE && rect.y1 < self.rows * TILE;
        inside && !self.open.any([rect.x0 / TILE, rect.x1 / TILE], [rect.y0 / TILE, rect.y1 / TILE])
    }

    #[inline]
    pub(super) fn any(&self, rect: Rect) -> bool {
        let clip = |v: i32, most: i32| v.div_euclid(TILE).clamp(0, most - 1);
        let across = [clip(rect.x0, self.columns), clip(rect.x1, self.columns)];
        self.filled.any(across, [clip(rect.y0, self.rows), clip(rect.y1, self.rows)])
    }
}

/// The four channels, each in 16 bits of its own.
#[inline]
fn wide(p: [u8; 4]) -> u64 {
    let p = u64::from(u32::from_le_bytes(p));
    (p & 0x00ff_00ff) | (p & 0xff00_ff00) << 24
}

/// Between `a` and `b`, `t` of 256, in all four channels at once.
#[inline]
fn blend(a: u64, b: u64, t: u64) -> u64 {
    ((a * (256 - t) + b * t + 0x0080_0080_0080_0080) >> 8) & 0x00ff_00ff_00ff_00ff
}

/// Between four neighbours.
#[inline]
fn mixed([a, b, c, d]: [[u8; 4]; 4], x: i32, y: i32) -> [u8; 4] {
    let (fx, fy) = ((x & 255) as u64, (y & 255) as u64);
    let top = blend(wide(a), wide(b), fx);
    let low = blend(wide(c), wide(d), fx);
    let out = blend(top, low, fy);
    ((out & 0x00ff_00ff) as u32 | (out >> 24) as u32 & 0xff00_ff00).to_le_bytes()
}

/// Bilinear, at 1/256 plate pixel. Outside lies nothing.
#[inline(always)]
pub(crate) fn bilinear(picture: &Pixmap, x: i32, y: i32) -> [u8; 4] {
    let (ix, iy) = (x >> 8, y >> 8);
    let (width, height) = (picture.width() as i32, picture.height() as i32);
    if ix >= 0 && iy >= 0 && ix + 1 < width && iy + 1 < height {
        return inside(picture.data(), width as usize, x, y);
    }
    on_the_edge(picture, x, y)
}

#[cold]
fn on_the_edge(picture: &Pixmap, x: i32, y: i32) -> [u8; 4] {
    let (ix, iy) = (x >> 8, y >> 8);
    let (width, height) = (picture.width() as i32, picture.height() as i32);
    let get = |x: i32, y: i32| {
        if x < 0 || y < 0 || x >= width || y >= height { [0; 4] } else { picture.pixel(x as u32, y as u32) }
    };
    mixed([get(ix, iy), get(ix + 1, iy), get(ix, iy + 1), get(ix + 1, iy + 1)], x, y)
}

#[inline(always)]
fn inside(data: &[[u8; 4]], width: usize, x: i32, y: i32) -> [u8; 4] {
    let at = (y >> 8) as usize * width + (x >> 8) as usize;
    let (top, low) = (&data[at..at + 2], &data[at + width..at + width + 2]);
    mixed([top[0], top[1], low[0], low[1]], x, y)
}

/// `over` on `under`, both premultiplied.
#[inline]
pub(crate) fn lay(under: [u8; 4], over: [u8; 4]) -> [u8; 4] {
    let keep = 255 - u32::from(over[3]);
    let mut out = over;
    for k in 0..4 {
        let value = u32::from(under[k]) * keep + 128;
        out[k] = (u32::from(over[k]) + ((value + (value >> 8)) >> 8)).min(255) as u8;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_from_whichever_columns_and_rows_it_is_looked_for() {
        let mut marks = Marks::new(130, 5);
        for (tx, ty) in [(0, 0), (63, 1), (64, 2), (127, 3), (129, 4)] {
            marks.set(tx, ty, true);
            marks.set(tx, ty, !marks.get(1, 1));
            for left in 0..130 {
                for right in (left..130.min(left + 5)).chain([129]) {
                    assert_eq!(
                        marks.any([left, right], [0, 4]),
                        left <= tx && tx <= right,
                        "{left} to {right} for {tx}"
                    );
                    assert!(!marks.any([left, right], [ty, ty]) || left <= tx);
                }
            }
            marks.set(tx, ty, false);
            assert!(!marks.any([0, 129], [0, 4]));
        }
    }
}
