//! A logo on cloth.

use compere_media::Pixmap;

use crate::rig::cloth::garment::Garment;
use crate::rig::ground::v3::{V3, mul};
use crate::rig::people::person::Color;

/// How wide it is on a chest, on a breast pocket between lapel and arm, and on a lapel, in model units; a tall one is as
/// high.
const CHEST: f32 = 0.50;
const POCKET: f32 = 0.30;
const PIN: f32 = 0.21;

#[derive(Clone, Debug)]
pub(crate) struct Badge {
    width: usize,
    height: usize,
    /// Linear light, and what of the cloth it covers; light is premultiplied.
    pixels: Vec<([f32; 3], f32)>,
    on_lapel: bool,
    /// Of one pixel, where the whole is 1.
    size: f32,
}

impl Badge {
    /// `size` is 0 for the usual one, -1 and 1 for the smallest and the largest.
    pub(crate) fn new(picture: &Pixmap, on_lapel: bool, size: f64, painted: impl Fn([u8; 3]) -> Color) -> Self {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let light = |pixel: &[u8; 4]| {
            let cover = f32::from(pixel[3]) / 255.0;
            let shown =
                |k: usize| if pixel[3] == 0 { 0 } else { (u32::from(pixel[k]) * 255 / u32::from(pixel[3])) as u8 };
            (mul(painted([shown(0), shown(1), shown(2)]), cover), cover)
        };
        let pixels = (0..picture.height()).flat_map(|y| picture.row(y).iter().map(light)).collect();
        let size = (1.0 + 0.4 * size as f32) / width.max(height).max(1) as f32;
        Self { width, height, pixels, on_lapel, size }
    }

    /// Where its middle is on a garment, and how many units a pixel takes there.
    fn lies(&self, garment: &Garment) -> ([f32; 2], f32) {
        let u = garment.broad;
        if self.on_lapel && garment.is_jacket() {
            let y = garment.breast() + 0.14 * u;
            ([garment.opening(y) + 0.20 * u, y], PIN * self.size)
        } else if garment.is_jacket() {
            // Where the breast pocket is.
            ([0.74 * u, garment.breast() - 0.24 * u], POCKET * self.size)
        } else {
            ([0.51 * u, garment.breast()], CHEST * self.size)
        }
    }

    /// Whether it lies on lapels rather than under them.
    pub(crate) fn is_pin(&self) -> bool {
        self.on_lapel
    }

    /// What of it lies at a point of a garment: light, and how much of the cloth it covers.
    pub(crate) fn at(&self, garment: &Garment, p: V3) -> Option<(V3, f32)> {
        if p[2] < 0.0 {
            return None;
        }
        let ([x, y], unit) = self.lies(garment);
        let column = (p[0] - x) / unit + self.width as f32 * 0.5 - 0.5;
        let row = (y - p[1]) / unit + self.height as f32 * 0.5 - 0.5;
        let [left, upper] = [column.floor(), row.floor()];
        if left < -1.0 || upper < -1.0 || left >= self.width as f32 || upper >= self.height as f32 {
            return None;
        }
        let (fx, fy) = (column - left, row - upper);
        let (mut light, mut cover) = ([0.0; 3], 0.0);
        for (dx, dy, share) in
            [(0, 0, (1.0 - fx) * (1.0 - fy)), (1, 0, fx * (1.0 - fy)), (0, 1, (1.0 - fx) * fy), (1, 1, fx * fy)]
        {
            let (x, y) = (left as i32 + dx, upper as i32 + dy);
            if x < 0 || y < 0 || x >= self.width as i32 || y >= self.height as i32 {
                continue;
            }
            let (own, covered) = self.pixels[y as usize * self.width + x as usize];
            light = std::array::from_fn(|k| light[k] + own[k] * share);
            cover += covered * share;
        }
        (cover > 0.0).then_some((light, cover))
    }
}
