//! What is finer than a pixel: edges between parts.

use super::face::Canvas;

/// A pixel of a painted canvas; along the edges between parts it is blended with those around: one sample a pixel would
/// leave lids, lips and outlines jagged.
#[inline]
pub(super) fn softened(canvas: &Canvas, x: usize, y: usize) -> [u8; 4] {
    const WEIGHTS: [u32; 3] = [1, 2, 1];
    let [width, height] = canvas.size.map(|side| side as usize);
    let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
    let (above, below) = (y.saturating_sub(1), (y + 1).min(height - 1));
    let at = y * width + x;
    let own = canvas.part[at];
    let near = [y * width + left, y * width + right, above * width + x, below * width + x];
    if near.iter().all(|&n| canvas.part[n] == own) {
        return canvas.color[at];
    }
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
