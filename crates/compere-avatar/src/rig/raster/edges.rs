//! What is finer than a pixel: edges between parts.

use compere_media::Pixmap;

use super::deep::Canvas;

/// Where a part lies so much behind itself, as the ear behind the cheek, it has an edge, too.
pub(crate) const STEP: f32 = 0.05 * super::flat::DEPTH;

/// Whether two neighbours lie so far behind each other.
#[inline]
pub(crate) fn is_step(a: f32, b: f32) -> bool {
    // Not the other way round: what is no number is a step.
    let near = (a - b).abs() < STEP;
    !near
}

/// A pixel of a painted canvas; along the edges between parts it is blended with those around: one sample a pixel would
/// leave lids, lips and outlines jagged.
#[inline]
pub(crate) fn softened(canvas: &Canvas, x: usize, y: usize) -> [u8; 4] {
    let [width, height] = canvas.size.map(|side| side as usize);
    let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
    let (above, below) = (y.saturating_sub(1), (y + 1).min(height - 1));
    let at = y * width + x;
    let own = canvas.part[at];
    let near = [y * width + left, y * width + right, above * width + x, below * width + x];
    let deep = canvas.depth[at];
    if near.iter().all(|&n| canvas.part[n] == own && !is_step(canvas.depth[n], deep)) {
        return canvas.color[at];
    }
    blended(canvas, x, y)
}

/// A pixel with a share of those around it.
#[inline]
pub(crate) fn blended(canvas: &Canvas, x: usize, y: usize) -> [u8; 4] {
    const WEIGHTS: [u32; 3] = [1, 2, 1];
    let [width, height] = canvas.size.map(|side| side as usize);
    let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
    let (above, below) = (y.saturating_sub(1), (y + 1).min(height - 1));
    let mut sum = [8_u32; 4];
    for (row, v) in [above, y, below].into_iter().zip(WEIGHTS) {
        for (column, h) in [left, x, right].into_iter().zip(WEIGHTS) {
            for (sum, c) in sum.iter_mut().zip(canvas.color[row * width + column]) {
                *sum += u32::from(c) * v * h;
            }
        }
    }
    sum.map(|c| (c / 16) as u8)
}

impl Canvas {
    /// The picture with soft edges.
    pub(crate) fn softened(&self) -> Pixmap {
        let [width, height] = self.size.map(|side| side as usize);
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels = places.map(|(x, y)| softened(self, x, y)).collect();
        Pixmap::from_premultiplied(width as u32, height as u32, pixels)
    }
}
