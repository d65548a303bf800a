//! Reading a plate between its pixels, and laying one pixel on another.

use compere_media::{Pixmap, Rect};

use super::tiles::TILE;

/// Which tiles of a plate hold anything at all.
#[derive(Clone, Debug)]
pub(super) struct Occupancy {
    columns: i32,
    rows: i32,
    filled: Vec<bool>,
    /// Fully opaque, and far from anything that is not where features may move.
    solid: Vec<bool>,
}

impl Occupancy {
    /// `always` lies in parts that are repainted later.
    pub(super) fn new(picture: &Pixmap, always: &[Rect]) -> Self {
        let columns = picture.width().div_ceil(TILE as u32) as i32;
        let rows = picture.height().div_ceil(TILE as u32) as i32;
        let mut filled = vec![false; (columns * rows) as usize];
        let mut solid = vec![true; (columns * rows) as usize];
        for y in 0..picture.height() {
            for (x, pixel) in picture.row(y).iter().enumerate() {
                let tile = ((y as i32 / TILE) * columns + x as i32 / TILE) as usize;
                filled[tile] |= pixel[3] != 0;
                solid[tile] &= pixel[3] == 255;
            }
        }
        let mut map = Self { columns, rows, filled, solid };
        let mut touched = Vec::new();
        for rect in always {
            for ty in rect.y0.div_euclid(TILE)..=rect.y1.div_euclid(TILE) {
                for tx in rect.x0.div_euclid(TILE)..=rect.x1.div_euclid(TILE) {
                    if (0..columns).contains(&tx) && (0..rows).contains(&ty) {
                        map.filled[(ty * columns + tx) as usize] = true;
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
        let mut around = Rect::default();
        for (at, _) in self.filled.iter().enumerate().filter(|(_, filled)| **filled) {
            let (x, y) = (at as i32 % self.columns * TILE, at as i32 / self.columns * TILE);
            around = around.union(Rect::new(x, y, x + TILE, y + TILE));
        }
        around
    }

    /// Looks at one tile again, after it was painted.
    pub(super) fn refresh(&mut self, picture: &Pixmap, tx: i32, ty: i32) {
        let (x0, y0) = (tx * TILE, ty * TILE);
        let (x1, y1) = ((x0 + TILE).min(picture.width() as i32), (y0 + TILE).min(picture.height() as i32));
        let shows = |y: i32| picture.row(y as u32)[x0 as usize..x1 as usize].iter().any(|pixel| pixel[3] != 0);
        let at = (ty * self.columns + tx) as usize;
        self.filled[at] = (y0..y1).any(shows);
        let hides = |y: i32| picture.row(y as u32)[x0 as usize..x1 as usize].iter().all(|pixel| pixel[3] == 255);
        self.solid[at] = (y0..y1).all(hides);
    }

    /// A feature may uncover what lies beside a solid tile, so its tiles count only with solid ones all round.
    fn erode(&mut self, tiles: &[(i32, i32)]) {
        const FAR: i32 = 32 / TILE;
        let solid = self.solid.clone();
        for &(tx, ty) in tiles {
            let all = (-FAR..=FAR).all(|dy| {
                (-FAR..=FAR).all(|dx| {
                    let (x, y) = (tx + dx, ty + dy);
                    x >= 0 && y >= 0 && x < self.columns && y < self.rows && solid[(y * self.columns + x) as usize]
                })
            });
            self.solid[(ty * self.columns + tx) as usize] = all;
        }
    }

    /// Whether every pixel of `rect` hides what is behind it.
    pub(super) fn solid(&self, rect: Rect) -> bool {
        let inside = rect.x0 >= 0 && rect.y0 >= 0 && rect.x1 < self.columns * TILE && rect.y1 < self.rows * TILE;
        inside
            && (rect.y0 / TILE..=rect.y1 / TILE)
                .all(|ty| (rect.x0 / TILE..=rect.x1 / TILE).all(|tx| self.solid[(ty * self.columns + tx) as usize]))
    }

    #[inline]
    pub(super) fn any(&self, rect: Rect) -> bool {
        let clip = |v: i32, most: i32| v.div_euclid(TILE).clamp(0, most - 1);
        let (left, right) = (clip(rect.x0, self.columns), clip(rect.x1, self.columns));
        let row = |ty: i32| &self.filled[(ty * self.columns + left) as usize..=(ty * self.columns + right) as usize];
        (clip(rect.y0, self.rows)..=clip(rect.y1, self.rows)).any(|ty| row(ty).iter().any(|filled| *filled))
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
