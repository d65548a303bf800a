//! What is finer than a pixel: edges between parts, lashes, and hair in front of the face.

use compere_media::{Pixmap, Rect};

use super::face::{Canvas, FaceRig, Near, Posed};
use super::render::scan;
use crate::puppet::lay;

/// Blends pixels along the edges between parts: one sample a pixel would leave lids, lips and outlines jagged.
pub(super) fn soften(picture: &mut Pixmap, part: impl Fn(usize) -> u8) {
    const WEIGHTS: [u32; 3] = [1, 2, 1];
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let parts: Vec<u8> = (0..width * height).map(part).collect();
    let sharp = picture.clone();
    for (at, pixel) in picture.data_mut().iter_mut().enumerate() {
        let (x, y) = (at % width, at / width);
        let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
        let (above, below) = (y.saturating_sub(1), (y + 1).min(height - 1));
        let own = parts[at];
        let near = [y * width + left, y * width + right, above * width + x, below * width + x];
        if near.iter().all(|&n| parts[n] == own) {
            continue;
        }
        let mut sum = [8_u32; 4];
        for (row, v) in [above, y, below].into_iter().zip(WEIGHTS) {
            for (column, h) in [left, x, right].into_iter().zip(WEIGHTS) {
                for (sum, c) in sum.iter_mut().zip(sharp.data()[row * width + column]) {
                    *sum += u32::from(c) * v * h;
                }
            }
        }
        *pixel = sum.map(|c| (c / 16) as u8);
    }
}

impl FaceRig {
    pub(super) fn hair_in_row(&self, rect: Rect, y: i32) -> (u32, u32) {
        let row = &self.over.row(y as u32)[rect.x0 as usize..rect.x1 as usize];
        let first = row.iter().position(|p| p[3] != 0);
        let last = row.iter().rposition(|p| p[3] != 0);
        first.zip(last).map_or((0, 0), |(first, last)| (first as u32, last as u32 + 1))
    }

    /// Lashes are finer than a pixel: they cover parts of it, counted on four by four samples.
    pub(super) fn draw_lashes(&self, canvas: &Canvas, posed: &Posed, picture: &mut Pixmap) {
        const FINE: usize = 4;
        let (width, height) = (canvas.width, canvas.rect.height() as usize);
        let mut cover = vec![0_u16; width * height];
        let limit = [0, 0, (width * FINE) as i32, (height * FINE) as i32];
        for t in &self.lashes.soft.triangles {
            let corners = t.map(|v| {
                let p = posed.lashes[v as usize];
                [(p[0] - canvas.rect.x0 as f32) * FINE as f32, (p[1] - canvas.rect.y0 as f32) * FINE as f32, p[2]]
            });
            scan(corners, limit, |x, y, w| {
                let z = w[0] * corners[0][2] + w[1] * corners[1][2] + w[2] * corners[2][2];
                let cell = y / FINE * width + x / FINE;
                if z < canvas.depth[cell] + 0.02 {
                    cover[cell] |= 1 << (y % FINE * FINE + x % FINE);
                }
            });
        }
        for (pixel, cover) in picture.data_mut().iter_mut().zip(cover) {
            if cover != 0 {
                let alpha = cover.count_ones() * 240 / 16;
                let c = self.lashes.color.map(|c| (u32::from(c) * alpha / 255) as u8);
                *pixel = lay(*pixel, [c[0], c[1], c[2], alpha as u8]);
            }
        }
    }

    pub(super) fn lay_hair(&self, canvas: &Canvas, near: &Near, picture: &mut Pixmap) {
        for row in 0..canvas.rect.height() {
            let (from, to) = near.hair.get(row as usize).copied().unwrap_or((0, canvas.rect.width()));
            let over = &self.over.row((canvas.rect.y0 + row as i32) as u32)[canvas.rect.x0 as usize..];
            let pixels = picture.row_mut(row);
            for x in from as usize..to as usize {
                if over[x][3] != 0 {
                    pixels[x] = lay(pixels[x], over[x]);
                }
            }
        }
    }
}
