//! Pictures of a model, in sizes that each are half of the one before.

use compere_media::Pixmap;

/// Smaller sizes than this say nothing.
const LEAST: usize = 4;

pub(super) struct Texture {
    sizes: Vec<Level>,
}

struct Level {
    wide: usize,
    high: usize,
    /// Premultiplied.
    texels: Vec<u32>,
}

impl Level {
    fn half(&self) -> Self {
        let (wide, high) = (self.wide / 2, self.high / 2);
        let of = |n: usize| {
            let (x, y) = (n % wide * 2, n / wide * 2);
            let at = |dx: usize, dy: usize| self.texels[(y + dy) * self.wide + x + dx];
            mixed([at(0, 0), at(1, 0), at(0, 1), at(1, 1)], [128, 128])
        };
        Self { wide, high, texels: (0..wide * high).map(of).collect() }
    }
}

impl Texture {
    pub(super) fn of(picture: &Pixmap) -> Self {
        let (wide, high) = (picture.width() as usize, picture.height() as usize);
        let mut sizes =
            vec![Level { wide, high, texels: picture.data().iter().map(|&texel| u32::from_le_bytes(texel)).collect() }];
        while let Some(last) = sizes.last().filter(|last| last.wide.min(last.high) >= 2 * LEAST) {
            sizes.push(last.half());
        }
        Self { sizes }
    }

    /// The size to look at where one pixel is `texels` square texels of the largest one large; and that one's sides.
    pub(super) fn level(&self, texels: f32) -> usize {
        let mut level = 0;
        // A pixel may see up to two texels a side: sharper than the mean, and nothing flickers yet.
        let mut seen = texels;
        while seen > 2.6 && level + 1 < self.sizes.len() {
            seen /= 4.0;
            level += 1;
        }
        level
    }

    pub(super) fn sides(&self) -> [f32; 2] {
        [self.sizes[0].wide as f32, self.sizes[0].high as f32]
    }

    /// Between four texels; outside it goes on from the other side. Premultiplied, to 255.
    pub(super) fn look(&self, level: usize, uv: [f32; 2]) -> [f32; 4] {
        let level = &self.sizes[level];
        let [x, y] = [uv[0] * level.wide as f32 - 0.5, uv[1] * level.high as f32 - 0.5];
        let ([left, fx], [top, fy]) = (parted(x), parted(y));
        let column = |x: f32| wrapped(x as i32, level.wide);
        let (x0, x1) = (column(left), column(left + 1.0));
        let (y0, y1) = (wrapped(top as i32, level.high), wrapped((top as i32).wrapping_add(1), level.high));
        let row = |y: usize| [level.texels[y * level.wide + x0], level.texels[y * level.wide + x1]];
        let ([a, b], [c, d]) = (row(y0), row(y1));
        mixed([a, b, c, d], [(fx * 256.0) as u32, (fy * 256.0) as u32]).to_le_bytes().map(f32::from)
    }
}

/// Between four texels, so many 256ths to the right and down; two channels at once.
fn mixed(four: [u32; 4], [right, down]: [u32; 2]) -> u32 {
    const HALF: u32 = 0x00ff_00ff;
    let of = |shift: u32| {
        let [a, b, c, d] = four.map(|texel| texel >> shift & HALF);
        let between = |a: u32, b: u32, by: u32| ((a * (256 - by) + b * by + 0x0080_0080) >> 8) & HALF;
        between(between(a, b, right), between(c, d, right), down)
    };
    of(0) | of(8) << 8
}

/// The whole part, below, and the rest. Not by `floor`, which poorer processors do not have.
fn parted(at: f32) -> [f32; 2] {
    let whole = at as i32 as f32;
    let below = if whole > at { whole - 1.0 } else { whole };
    [below, at - below]
}

fn wrapped(at: i32, side: usize) -> usize {
    if (0..side as i32).contains(&at) { at as usize } else { at.rem_euclid(side as i32) as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_are_mixed_and_go_on_from_the_other_side() {
        let picture = Pixmap::from_premultiplied(2, 1, vec![[0, 0, 0, 255], [200, 0, 0, 255]]);
        let texture = Texture::of(&picture);
        let red = |u: f32| texture.look(0, [u, 0.5])[0];
        assert_eq!([red(0.25), red(0.5), red(0.75), red(1.0), red(-0.5)], [0.0, 100.0, 200.0, 100.0, 100.0]);
    }

    #[test]
    fn far_pixels_look_at_smaller_pictures() {
        let texture = Texture::of(&Pixmap::from_premultiplied(64, 64, vec![[9; 4]; 64 * 64]));
        assert_eq!([texture.level(1.0), texture.level(4.0), texture.level(1e9)], [0, 1, 4]);
    }
}
