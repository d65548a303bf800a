//! From light to 8-bit pixels: enlarged, rolled off, grained and dithered.
//!
//! Sets are drawn smaller than the picture wherever the lens has softened them anyway, and enlarged here with a cubic
//! spline. Two kinds of noise keep gradients from breaking into bands: a fine dither decides the last bit of this
//! picture, and a grain two pixels wide at 4k is still there after the picture has been scaled down and encoded. The
//! grain is coloured too, twice as wide and at equal brightness: grey grain alone left the two colour planes of a film
//! undithered, and warm walls broke into pink and green.

use compere_media::Pixmap;

use super::light::Light;
use super::math::{chance, exp, hash, pow, smooth};
use super::plate::Plate;

/// How a set is printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Print {
    /// How much darker the corners are, 0 to 1.
    pub(super) vignette: f32,
    /// Strength of the grain in 8-bit steps.
    pub(super) grain: f32,
    pub(super) seed: u32,
}

impl Print {
    pub(super) fn new(seed: u32) -> Self {
        Self { vignette: 0.14, grain: 0.6, seed }
    }

    #[must_use]
    pub(super) fn vignette(self, vignette: f32) -> Self {
        Self { vignette, ..self }
    }

    pub(super) fn of(self, plate: &Plate, width: u32, height: u32) -> Pixmap {
        let curve = Curve::new();
        let rows = Taps::new(plate.view.rows, height as usize);
        let columns = Taps::new(plate.view.columns, width as usize);
        let grain = Grain::new(width, height, self.seed);
        let dimming = |at: usize, of: u32| {
            let t = (at as f32 + 0.5) / of as f32 * 2.0 - 1.0;
            t * t
        };
        let mut out = Pixmap::new(width, height);
        let mut line = vec![[0.0f32; 3]; plate.view.columns];
        let mut grains = vec![[0.0f32; 3]; width as usize];
        for y in 0..height as usize {
            rows.gather(plate, y, &mut line);
            grain.row(y, &mut grains);
            let dy = dimming(y, height);
            for (x, pixel) in out.row_mut(y as u32).iter_mut().enumerate() {
                let dark = 1.0 - self.vignette * smooth(0.25, 2.1, dimming(x, width) + dy);
                let fine = dither(x as u32, y as u32);
                *pixel = curve.pixel(columns.mix(&line, x), dark, grains[x].map(|grain| grain * self.grain + fine));
            }
        }
        out
    }
}

/// Which four neighbours make one enlarged point, and how much of each.
struct Taps(Vec<([usize; 4], [f32; 4])>);

impl Taps {
    fn new(from: usize, to: usize) -> Self {
        let scale = from as f32 / to as f32;
        let tap = |at: usize| {
            let x = (at as f32 + 0.5) * scale - 0.5;
            let first = x.floor();
            let near = |offset: i32| (first as i32 + offset).clamp(0, from as i32 - 1) as usize;
            ([near(-1), near(0), near(1), near(2)], spline(x - first))
        };
        if from == to {
            return Self((0..to).map(|at| ([at; 4], [0.0, 1.0, 0.0, 0.0])).collect());
        }
        Self((0..to).map(tap).collect())
    }

    fn gather(&self, plate: &Plate, row: usize, line: &mut [Light]) {
        let columns = plate.view.columns;
        let (from, weights) = &self.0[row];
        let [a, b, c, d] = from.map(|row| &plate.data[row * columns..(row + 1) * columns]);
        for (x, out) in line.iter_mut().enumerate() {
            for channel in 0..3 {
                out[channel] = a[x][channel] * weights[0]
                    + b[x][channel] * weights[1]
                    + c[x][channel] * weights[2]
                    + d[x][channel] * weights[3];
            }
        }
    }

    fn mix(&self, line: &[Light], column: usize) -> Light {
        let (from, weights) = &self.0[column];
        let [a, b, c, d] = from.map(|at| line[at]);
        std::array::from_fn(|i| a[i] * weights[0] + b[i] * weights[1] + c[i] * weights[2] + d[i] * weights[3])
    }
}

/// Half way between the smooth and the sharp cubic (Mitchell and Netravali's choice): no ringing around lamps.
fn spline(t: f32) -> [f32; 4] {
    let near = |t: f32| (7.0 * t * t * t - 12.0 * t * t + 16.0 / 3.0) / 6.0;
    let far = |t: f32| (-7.0 / 3.0 * t * t * t + 12.0 * t * t - 20.0 * t + 32.0 / 3.0) / 6.0;
    [far(1.0 + t), near(t), near(1.0 - t), far(2.0 - t)]
}

/// Light to 8-bit sRGB: straight up to 0.72, then rolled off so that lamps keep their colour.
struct Curve(Vec<f32>);

const CURVE_STEPS: usize = 4096;
/// Square root of the brightest light the table tells apart.
const CURVE_REACH: f32 = 2.0;

impl Curve {
    fn new() -> Self {
        let entry = |step: usize| {
            let root = step as f32 / CURVE_STEPS as f32 * CURVE_REACH;
            let light = rolled_off(root * root);
            let srgb = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * pow(light, 1.0 / 2.4) - 0.055 };
            srgb * 255.0
        };
        Self((0..=CURVE_STEPS + 1).map(entry).collect())
    }

    fn pixel(&self, light: Light, dark: f32, noise: [f32; 3]) -> [u8; 4] {
        let [r, g, b] = std::array::from_fn(|channel| {
            let at = (light[channel] * dark).max(0.0).sqrt().min(CURVE_REACH) * (CURVE_STEPS as f32 / CURVE_REACH);
            let step = at as usize;
            let exact = self.0[step] + (self.0[step + 1] - self.0[step]) * (at - step as f32);
            (exact + noise[channel] + 0.5).clamp(0.0, 255.0) as u8
        });
        [r, g, b, 255]
    }
}

fn rolled_off(light: f32) -> f32 {
    const KNEE: f32 = 0.72;
    if light <= KNEE { light } else { KNEE + (1.0 - KNEE) * (1.0 - exp((KNEE - light) / (1.0 - KNEE))) }
}

/// Half a step up or down in a pattern whose neighbours always differ (the R2 sequence): finer than random noise.
fn dither(x: u32, y: u32) -> f32 {
    let at = x.wrapping_mul(3_242_174_889).wrapping_add(y.wrapping_mul(2_447_445_414));
    (at >> 8) as f32 / 16_777_216.0 - 0.5
}

/// Film grain, about as wide as a pixel of a 1080 picture, with mean 0 and deviation near 1.
struct Grain {
    cell: usize,
    seed: u32,
}

impl Grain {
    fn new(width: u32, height: u32, seed: u32) -> Self {
        Self { cell: (width.min(height) as usize).div_ceil(1080).max(1), seed: hash(seed, 1, 2) }
    }

    fn row(&self, y: usize, out: &mut [[f32; 3]]) {
        let row = (y / self.cell) as u32;
        for (column, cells) in out.chunks_mut(self.cell).enumerate() {
            let column = column as u32;
            let at = |column: u32, row: u32, salt: u32| {
                (chance(column, row, self.seed ^ salt) + chance(column, row, self.seed ^ (salt + 1)) - 1.0) * 2.45
            };
            let grey = at(column, row, 0);
            let (red, blue) = (1.3 * at(column / 2, row / 2, 8), 1.3 * at(column / 2, row / 2, 16));
            // BT.709: what red and blue add to the brightness, green takes away.
            let green = -(0.2126 * red + 0.0722 * blue) / 0.7152;
            cells.fill([grey + red, grey + green, grey + blue]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plate::View;

    #[test]
    fn a_grey_card_comes_out_at_its_own_grey() {
        let view = View::of(64, 64, 64);
        let card = Plate::wall(view, |_, _| crate::light::hex(0x80_80_80));
        let picture = Print { vignette: 0.0, grain: 0.0, seed: 1 }.of(&card, 256, 256);
        let sum: u32 = picture.data().iter().map(|p| u32::from(p[0])).sum();
        let mean = f64::from(sum) / 65536.0;
        assert!((mean - 128.0).abs() < 0.2, "mean {mean}");
    }

    #[test]
    fn enlarging_keeps_a_flat_field_flat() {
        for step in 0..10 {
            let sum: f32 = spline(step as f32 / 10.0).iter().sum();
            assert!((sum - 1.0).abs() < 1e-5);
        }
    }
}
