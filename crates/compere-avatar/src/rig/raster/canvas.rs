//! Filling triangles whose corners lie on 1/16 of a pixel.
//!
//! The arithmetic that decides which pixels a triangle owns is whole-numbered: neighbours share every pixel between
//! them exactly once, and a part painted alone is what it is in the whole.

use compere_media::Rect;
use compere_media::kernel::Triangle;

use super::flat::Spot;

/// Calls `paint(x, y, weights)` for the pixels of a picture of `size` whose centres lie in a triangle that turns in the
/// sense of a positive area. `SHIFT` says how many units a pixel has: 4 for sixteen.
#[inline(always)]
pub(crate) fn scan<const SHIFT: i32>(
    [a, b, c]: [Spot; 3],
    size: [i32; 2],
    mut paint: impl FnMut(usize, usize, [f32; 3]),
) {
    let area = twice_area([a, b, c]);
    if area <= 0 {
        return;
    }
    let (unit, half) = (1 << SHIFT, 1 << (SHIFT - 1));
    let first = |k: usize| ((a[k].min(b[k]).min(c[k]) + half - 1) >> SHIFT).max(0);
    let last = |k: usize| ((a[k].max(b[k]).max(c[k]) - half) >> SHIFT).min(size[k] - 1);
    let (x0, x1, y0, y1) = (first(0), last(0), first(1), last(1));
    if x0 > x1 || y0 > y1 {
        return;
    }
    let inverse = 1.0 / area as f32;
    let (px, py) = (x0 * unit + half, y0 * unit + half);
    // A pixel on an edge belongs to the side the edge leads down on, or to the left on a level one.
    let edge = |from: Spot, to: Spot| {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let at = dx * (py - from[1]) - dy * (px - from[0]);
        let owned = dy > 0 || (dy == 0 && dx < 0);
        (at, -dy * unit, dx * unit, i32::from(!owned))
    };
    let (mut row_a, ax, ay, bias_a) = edge(b, c);
    let (mut row_b, bx, by, bias_b) = edge(c, a);
    let (mut row_c, cx, cy, bias_c) = edge(a, b);
    for y in y0..=y1 {
        let (mut ea, mut eb, mut ec) = (row_a, row_b, row_c);
        let mut entered = false;
        for x in x0..=x1 {
            if (ea - bias_a) | (eb - bias_b) | (ec - bias_c) >= 0 {
                entered = true;
                let (u, v) = (ea as f32 * inverse, eb as f32 * inverse);
                paint(x as usize, y as usize, [u, v, 1.0 - u - v]);
            } else if entered {
                // A row of a triangle is one stretch.
                break;
            }
            (ea, eb, ec) = (ea + ax, eb + bx, ec + cx);
        }
        (row_a, row_b, row_c) = (row_a + ay, row_b + by, row_c + cy);
    }
}

/// A pixel of a triangle.
pub(crate) struct Seen<const N: usize> {
    /// Counted from the picture's first, row by row.
    pub(crate) cell: usize,
    pub(crate) depth: f32,
    pub(crate) values: [i32; N],
}

/// Twice the area, in 1/256 pixel, below which values rise too steeply for [`sweep`].
pub(crate) const SLIVER: i32 = 64;

/// Like `scan::<4>` for a triangle that is no [`SLIVER`], with values at its corners carried from pixel to pixel in fixed
/// point. What a pixel sees depends on the triangle alone.
///
/// The walk over the pixels is written out again: shared with `scan`, a frame took a fifth longer.
#[inline(always)]
pub(crate) fn sweep<const N: usize>(
    [a, b, c]: [Spot; 3],
    size: [i32; 2],
    values: [[f32; 3]; N],
    mut paint: impl FnMut(Seen<N>),
) {
    let area = twice_area([a, b, c]);
    let first = |k: usize| ((a[k].min(b[k]).min(c[k]) + 7) >> 4).max(0);
    let last = |k: usize| ((a[k].max(b[k]).max(c[k]) - 8) >> 4).min(size[k] - 1);
    let (x0, x1, y0, y1) = (first(0), last(0), first(1), last(1));
    if x0 > x1 || y0 > y1 {
        return;
    }
    let (px, py) = (x0 * 16 + 8, y0 * 16 + 8);
    let edge = |from: Spot, to: Spot| {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let owned = dy > 0 || (dy == 0 && dx < 0);
        (dx * (py - from[1]) - dy * (px - from[0]), -dy * 16, dx * 16, i32::from(!owned))
    };
    let (ea, ax, ay, bias_a) = edge(b, c);
    let (eb, bx, by, bias_b) = edge(c, a);
    let (ec, cx, cy, bias_c) = edge(a, b);
    let inverse = 1.0 / area as f32;
    // At the first pixel, to the right and down.
    let slope = |[a, b, c]: [f32; 3]| {
        let (a, b) = ((a - c) * inverse, (b - c) * inverse);
        [c + a * ea as f32 + b * eb as f32, a * ax as f32 + b * bx as f32, a * ay as f32 + b * by as f32]
    };
    let fixed = |slope: [f32; 3]| slope.map(|v| (v * 256.0) as i32);
    let depth = slope([a, b, c].map(|corner| corner[2] as f32));
    let slopes = values.map(|corners| fixed(slope(corners)));
    let mut row = [ea - bias_a, eb - bias_b, ec - bias_c];
    for y in 0..=y1 - y0 {
        let mut edges = row;
        let start = ((y0 + y) * size[0] + x0) as usize;
        let far = depth[0] + depth[2] * y as f32;
        let mut entered = false;
        for x in 0..=x1 - x0 {
            if edges[0] | edges[1] | edges[2] >= 0 {
                entered = true;
                // Far outside of a thin triangle a value may wrap; inside it is back.
                let value = |[at, right, down]: [i32; 3]| {
                    at.wrapping_add(right.wrapping_mul(x)).wrapping_add(down.wrapping_mul(y)) >> 8
                };
                paint(Seen { cell: start + x as usize, depth: far + depth[1] * x as f32, values: slopes.map(value) });
            } else if entered {
                break;
            }
            edges = [edges[0] + ax, edges[1] + bx, edges[2] + cx];
        }
        row = [row[0] + ay, row[1] + by, row[2] + cy];
    }
}

/// As [`sweep`] would walk over it: what [`compere_media::kernel::Level::triangle`] needs to know. `None` if it has no pixel.
#[inline(always)]
pub(crate) fn set_up([a, b, c]: [Spot; 3], size: [i32; 2], values: [[f32; 3]; 5]) -> Option<Triangle> {
    let area = twice_area([a, b, c]);
    let first = |k: usize| ((a[k].min(b[k]).min(c[k]) + 7) >> 4).max(0);
    let last = |k: usize| ((a[k].max(b[k]).max(c[k]) - 8) >> 4).min(size[k] - 1);
    let (columns, rows) = ([first(0), last(0)], [first(1), last(1)]);
    if columns[0] > columns[1] || rows[0] > rows[1] {
        return None;
    }
    let (px, py) = (columns[0] * 16 + 8, rows[0] * 16 + 8);
    let edge = |from: Spot, to: Spot| {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let owned = dy > 0 || (dy == 0 && dx < 0);
        ([dx * (py - from[1]) - dy * (px - from[0]), -dy * 16, dx * 16], i32::from(!owned))
    };
    let edges = [edge(b, c), edge(c, a), edge(a, b)];
    let [[ea, ax, ay], [eb, bx, by], _] = edges.map(|(edge, _)| edge.map(|v| v as f32));
    let inverse = 1.0 / area as f32;
    // Depth and values side by side: eight are worked out as one.
    let beside = |k: usize, corner: Spot| -> [f32; 8] {
        let [v, w, x, y, z] = values.map(|corners| corners[k]);
        [corner[2] as f32, v, w, x, y, z, 0.0, 0.0]
    };
    let (first, second, last) = (beside(0, a), beside(1, b), beside(2, c));
    // At the first pixel, to the right and down.
    let mut slopes = [[0.0; 8]; 3];
    for k in 0..8 {
        let (a, b) = ((first[k] - last[k]) * inverse, (second[k] - last[k]) * inverse);
        slopes[0][k] = last[k] + a * ea + b * eb;
        slopes[1][k] = a * ax + b * bx;
        slopes[2][k] = a * ay + b * by;
    }
    let fixed = slopes.map(|slopes| slopes.map(|v| (v * 256.0) as i32));
    Some(Triangle {
        columns,
        rows,
        edges: edges.map(|([at, right, down], bias)| [at - bias, right, down]),
        depth: slopes.map(|slopes| slopes[0]),
        values: [1, 2, 3, 4, 5].map(|k: usize| fixed.map(|slopes| slopes[k])),
    })
}

#[inline]
pub(crate) fn twice_area([a, b, c]: [Spot; 3]) -> i32 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The pixels a triangle may touch.
#[inline]
pub(crate) fn around([a, b, c]: [Spot; 3]) -> Rect {
    let low = |k: usize| a[k].min(b[k]).min(c[k]) >> 4;
    let high = |k: usize| (a[k].max(b[k]).max(c[k]) >> 4) + 1;
    Rect::new(low(0), low(1), high(0), high(1))
}

#[inline]
pub(crate) fn depth([a, b, c]: [Spot; 3], w: [f32; 3]) -> f32 {
    let last = c[2] as f32;
    last + (a[2] as f32 - last) * w[0] + (b[2] as f32 - last) * w[1]
}

#[cfg(test)]
mod tests {
    use compere_media::kernel::{Level, Samples};

    use super::*;

    #[test]
    fn a_fan_covers_every_pixel_once() {
        let centre = [167, 171, 0, 0];
        let rim = [[8, 8, 0, 0], [152, 8, 0, 0], [328, 24, 0, 0], [312, 200, 0, 0], [328, 328, 0, 0], [24, 312, 0, 0]];
        let mut count = vec![0; 400];
        for at in 0..rim.len() {
            let corners = [centre, rim[at], rim[(at + 1) % rim.len()]];
            scan::<4>(corners, [20, 20], |x, y, w| {
                assert!(w.iter().all(|w| (-1e-5..=1.00001).contains(w)), "{w:?}");
                count[y * 20 + x] += 1;
            });
        }
        assert!(count.iter().all(|&n| n <= 1), "a pixel was painted twice");
        assert_eq!(count[10 * 20 + 10], 1);
        assert!(count.iter().sum::<i32>() > 330);
    }

    #[test]
    fn a_triangle_set_up_is_what_a_sweep_sees() {
        let size = [40, 40];
        let mut seen_ones = 0;
        for turn in 0..200_i32 {
            let place = |k: i32| (turn * 37 + k * 211) % 760 - 60;
            let mut corners = [0, 1, 2].map(|k| [place(k), place(k * 3 + 5), 4096 * k + turn, 256]);
            if twice_area(corners) < 0 {
                corners.swap(1, 2);
            }
            if twice_area(corners) < SLIVER {
                continue;
            }
            let values = [[3.0, 250.0, turn as f32], [90.0, 12.5, 200.0], [0.0, 255.0, 0.0], [0.0; 3], [0.0; 3]];
            let mut swept = vec![(f32::MAX, 0); 1600];
            sweep(corners, size, values, |seen| {
                let [r, g, b] = [0, 1, 2].map(|k| seen.values[k].clamp(0, 255) as u32);
                swept[seen.cell] = (seen.depth, r | g << 8 | b << 16 | 0xff00_0000);
                seen_ones += 1;
            });
            let mut samples = Samples::new(40, 40);
            if let Some(triangle) = set_up(corners, size, values) {
                Level::best().triangle(&triangle, None, &mut samples);
            }
            for (y, swept) in swept.chunks(40).enumerate() {
                let (depth, color) = samples.row(y);
                let painted: Vec<(f32, u32)> = depth.iter().copied().zip(color.iter().copied()).collect();
                assert_eq!(painted, swept, "{corners:?}");
            }
        }
        assert!(seen_ones > 10_000);
    }
}
