//! What is done to a plate once it is painted.

use compere_media::Pixmap;

use crate::maths::smooth;
use crate::rig::raster::render::{Hit, Shot};

/// Colours run over their edges, so that reading between pixels never meets emptiness.
pub(super) fn bleed(picture: &mut Pixmap, times: u32) {
    let (width, height) = (picture.width() as i32, picture.height() as i32);
    for _ in 0..times {
        let old = picture.clone();
        for y in 0..height {
            for x in 0..width {
                if old.pixel(x as u32, y as u32)[3] != 0 {
                    continue;
                }
                let near = [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().find_map(|(dx, dy)| {
                    let (nx, ny) = (x + dx, y + dy);
                    let inside = nx >= 0 && ny >= 0 && nx < width && ny < height;
                    inside.then(|| old.pixel(nx as u32, ny as u32)).filter(|p| p[3] != 0)
                });
                if let Some(color) = near {
                    picture.row_mut(y as u32)[x as usize] = color;
                }
            }
        }
    }
}

/// Where the head was left out of the body its hollow inside is seen: it takes the head's own colours there, dimmed as
/// under a jaw. Turned, the head bares a little of it.
pub(super) fn lined(picture: &mut Pixmap, head: &Pixmap, hollow: impl Fn(usize) -> bool) {
    const DIM: u32 = 236;
    for (at, (pixel, head)) in picture.data_mut().iter_mut().zip(head.data()).enumerate() {
        if hollow(at) {
            let [own, alpha] = [pixel[3], head[3]].map(u32::from);
            // What the head does not cover would be dark around its soft edge.
            let dim = |c: u8| (u32::from(c) * DIM * own / (256 * alpha)) as u8;
            *pixel = if alpha > 32 { [dim(head[0]), dim(head[1]), dim(head[2]), pixel[3]] } else { [0; 4] };
        }
    }
}

/// Without its outermost pixels, which the head's plate shows already: seen twice, soft edges would be hard and dark.
pub(super) fn inner(mut picture: Pixmap, reach: usize) -> Pixmap {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let solid: Vec<bool> = picture.data().iter().map(|p| p[3] == 255).collect();
    let along = |from: &[bool], length: usize, step: usize, at: usize| {
        let place = at / step % length;
        let (low, high) = (place.saturating_sub(reach), (place + reach).min(length - 1));
        (low..=high).all(|k| from[at - place * step + k * step])
    };
    let rows: Vec<bool> = (0..solid.len()).map(|at| along(&solid, width, 1, at)).collect();
    for (at, pixel) in picture.data_mut().iter_mut().enumerate() {
        if !along(&rows, height, width, at) {
            *pixel = [0; 4];
        }
    }
    picture
}

/// Hair behind the neck lies in shadow.
pub(super) fn darkened(mut picture: Pixmap) -> Pixmap {
    for p in picture.data_mut() {
        for c in &mut p[..3] {
            *c = (u32::from(*c) * 150 / 256) as u8;
        }
    }
    picture
}

/// Hair that hangs at both sides of a row hangs behind the neck between them, too, as far as `before` hides it: a turned
/// head would bare a slit there.
pub(super) fn closed(mut picture: Pixmap, before: [&Pixmap; 2]) -> Pixmap {
    for y in 0..picture.height() {
        let fronts = before.map(|front| front.row(y));
        let row = picture.row_mut(y);
        let mut last: Option<usize> = None;
        for x in 0..row.len() {
            if row[x][3] != 255 {
                continue;
            }
            if let Some(from) = last.filter(|from| x - from > 1) {
                let ends = [row[from], row[x]];
                let mean = std::array::from_fn(|k| ((u16::from(ends[0][k]) + u16::from(ends[1][k])) / 2) as u8);
                for at in from + 1..x {
                    if fronts.iter().any(|front| front[at][3] == 255) {
                        row[at] = mean;
                    }
                }
            }
            last = Some(x);
        }
    }
    picture
}

/// How much of the light is left in what [`patched`] fills, of 256.
const BEHIND: u32 = 184;
/// How far from a hole its edges are whole at most, in pixels.
const WITHIN: usize = 6;

/// Fills holes of fewer than `most` pixels that are left with others `before` it: between what is worn around a neck, and
/// between that and hair, one would look through the figure. Along rows, from one edge to the other, in their shade.
pub(super) fn patched(picture: &mut Pixmap, before: &[&Pixmap], most: usize) {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    // Edges of a hole show what is behind it as well.
    let mut known: Vec<bool> = picture.data().iter().map(|pixel| pixel[3] == 255).collect();
    for front in before {
        known.iter_mut().zip(front.data()).for_each(|(known, pixel)| *known |= pixel[3] >= 128);
    }
    let mut hole = Vec::new();
    for at in 0..width * height {
        if known[at] {
            continue;
        }
        known[at] = true;
        hole.clear();
        hole.push(at);
        let (mut next, mut open) = (0, false);
        while let Some(&from) = hole.get(next) {
            next += 1;
            let (x, y) = (from % width, from / width);
            open |= x == 0 || y == 0 || x + 1 == width || y + 1 == height;
            for near in [from.wrapping_sub(1), from + 1, from.wrapping_sub(width), from + width] {
                if near < known.len() && !known[near] {
                    known[near] = true;
                    hole.push(near);
                }
            }
        }
        if !open && hole.len() < most {
            hole.sort_unstable();
            fill(picture.data_mut(), &hole);
        }
    }
}

/// A hole's places, in their order.
fn fill(pixels: &mut [[u8; 4]], hole: &[usize]) {
    for run in hole.chunk_by(|a, b| a + 1 == *b) {
        let (first, last) = (run[0], run[run.len() - 1]);
        let solid = |at: &usize| pixels.get(*at).is_none_or(|pixel| pixel[3] == 255);
        let left = (0..first).rev().take(WITHIN).find(solid);
        let right = (last + 1..pixels.len()).take(WITHIN).find(solid);
        // Beside hair there is one edge alone.
        let [Some(from), Some(to)] = [left.or(right), right.or(left)].map(|at| at.map(|at| pixels[at])) else {
            continue;
        };
        for (step, &at) in run.iter().enumerate() {
            let share = (step as u32 * 256) / run.len() as u32;
            let mixed = |k: usize| (u32::from(from[k]) * (256 - share) + u32::from(to[k]) * share) / 256;
            let pixel = pixels[at];
            let open = 255 - u32::from(pixel[3]);
            // What lies behind a mere edge is as light as it.
            let light = if open < 128 { 256 } else { BEHIND };
            let laid = |k: usize| (u32::from(pixel[k]) + mixed(k) * open * light / (256 * 255)).min(255) as u8;
            pixels[at] = [laid(0), laid(1), laid(2), 255];
        }
    }
}

/// What lies deeper than its neighbourhood is darker, what stands out a little lighter: light reaches it less. Gives
/// collars and lapels the shade that lamps at points of meshes are too coarse for. `reach` in pixels, `strength`
/// per model unit of depth, for hits that are `chosen`.
pub(super) fn carved(shot: &mut Shot, reach: usize, strength: f32, most: [f32; 2], chosen: impl Fn(&Hit) -> bool) {
    let (width, height) = (shot.picture.width() as usize, shot.picture.height() as usize);
    let own: Vec<[f32; 2]> =
        shot.hits.iter().map(|hit| hit.filter(&chosen).map_or([0.0; 2], |hit| [hit.depth, 1.0])).collect();
    let mean = blurred(own.clone(), [width, height], reach);
    let darker = |at: usize| {
        let (own, mean) = (own[at], mean[at]);
        // At an outline half of the neighbourhood is missing, and what is left lies to one side.
        let sure = smooth(0.62, 0.95, mean[1]);
        if own[1] == 0.0 || sure == 0.0 {
            return 0.0;
        }
        ((own[0] - mean[0] / mean[1]) * strength * sure).clamp(-most[1], most[0])
    };
    let dark: Vec<f32> = (0..own.len()).map(darker).collect();
    for (at, pixel) in shot.picture.data_mut().iter_mut().enumerate() {
        // The pixel of an edge shows some of what lies behind it, and would be a bright line beside its shade; as much of
        // it as that is gets darker, or the edge would have steps.
        let near = [at.saturating_sub(1), at + 1, at.saturating_sub(width), at + width];
        let beyond = near.iter().filter_map(|&at| dark.get(at)).fold(dark[at], |most, &dark| most.max(dark));
        let behind = shot.hits[at].map_or(0.0, |hit| hit.behind);
        let deeper = dark[at] + (beyond - dark[at]) * behind;
        if deeper == 0.0 || own[at][1] == 0.0 {
            continue;
        }
        let most = f32::from(pixel[3]);
        for c in &mut pixel[..3] {
            *c = (f32::from(*c) * (1.0 - deeper)).min(most) as u8;
        }
    }
}

/// How much darker than what is above and below it a thread is, of 256.
const DARNED: u32 = 200;

/// Where cloth of a lining meets cloth edge on, a dark thread lies across it: it takes the colours above and below.
pub(super) fn darned(shot: &mut Shot, reach: usize, lining: impl Fn(&Hit) -> bool) {
    let (width, height) = (shot.picture.width() as usize, shot.picture.height() as usize);
    let old = shot.picture.clone();
    let light = |at: usize| old.data()[at][..3].iter().map(|c| u32::from(*c)).sum::<u32>();
    for at in reach * width..(height.saturating_sub(reach)) * width {
        let beside = [at - reach * width, at + reach * width];
        let dark = beside.iter().all(|&other| light(at) * 256 < light(other) * DARNED);
        if dark && beside.iter().all(|&other| shot.hits[other].as_ref().is_some_and(&lining)) {
            let [a, b] = beside.map(|other| old.data()[other]);
            shot.picture.data_mut()[at] = std::array::from_fn(|k| u8::midpoint(a[k], b[k]));
        }
    }
}

/// Each cell as the mean of those within `reach` of it, along rows and columns, twice.
pub(super) fn blurred(mut cells: Vec<[f32; 2]>, [width, height]: [usize; 2], reach: usize) -> Vec<[f32; 2]> {
    for _ in 0..2 {
        cells = boxed(&cells, width, height, 1, width, reach);
        cells = boxed(&cells, height, width, width, 1, reach);
    }
    cells
}

/// Means over `reach` places to both sides, along lines of `length` places that lie `step` apart; lines lie `next` apart.
pub(super) fn boxed(
    from: &[[f32; 2]],
    length: usize,
    lines: usize,
    step: usize,
    next: usize,
    reach: usize,
) -> Vec<[f32; 2]> {
    let mut out = vec![[0.0; 2]; from.len()];
    let whole = (2 * reach + 1) as f32;
    for line in 0..lines {
        let at = |k: usize| from[line * next + k * step];
        let mut sum = [0.0_f64; 2];
        (0..reach.min(length)).for_each(|k| (0..2).for_each(|c| sum[c] += f64::from(at(k)[c])));
        for k in 0..length {
            if k + reach < length {
                (0..2).for_each(|c| sum[c] += f64::from(at(k + reach)[c]));
            }
            if k > reach {
                (0..2).for_each(|c| sum[c] -= f64::from(at(k - reach - 1)[c]));
            }
            out[line * next + k * step] = sum.map(|v| v as f32 / whole);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dark_thread_across_a_lining_takes_its_colours_and_what_is_no_lining_stays() {
        let cloth = Hit { mesh: 1, triangle: 0, weights: [0.0; 2], depth: 1.0, behind: 0.0 };
        let mut shot = Shot { picture: Pixmap::new(8, 9), hits: vec![Some(cloth); 72] };
        (0..9).for_each(|y| shot.picture.row_mut(y).fill([180, 60, 60, 255]));
        shot.picture.row_mut(4).fill([60, 10, 10, 255]);
        shot.hits[2 * 8..3 * 8][..4].fill(Some(Hit { mesh: 0, ..cloth }));
        darned(&mut shot, 2, |hit| hit.mesh == 1);
        assert_eq!((shot.picture.row(4)[2], shot.picture.row(4)[6]), ([60, 10, 10, 255], [180, 60, 60, 255]));
    }

    #[test]
    fn small_holes_are_filled_and_what_is_open_stays() {
        let cloth = [100, 50, 50, 255];
        let mut picture = Pixmap::new(20, 12);
        picture.fill(cloth);
        let mut dig = |xs: std::ops::Range<usize>, ys: std::ops::Range<u32>| {
            ys.for_each(|y| picture.row_mut(y)[xs.clone()].fill([0; 4]));
        };
        // A hole with a soft edge, one that is too large, and a bay.
        dig(3..6, 2..4);
        dig(10..18, 2..8);
        dig(3..5, 10..12);
        picture.row_mut(2)[6] = [50, 25, 25, 128];
        patched(&mut picture, &[], 12);
        let at = |x: usize, y: u32| picture.row(y)[x];
        assert!((3..6).all(|x| at(x, 2)[3] == 255 && (65..80).contains(&at(x, 2)[0])), "{:?}", at(4, 2));
        assert!(at(6, 2)[3] == 255 && at(6, 2)[0] > 75, "{:?}", at(6, 2));
        assert_eq!([at(12, 4), at(4, 11), at(0, 0)], [[0; 4], [0; 4], cloth]);
        // Hair closes the bay.
        let mut hair = Pixmap::new(20, 12);
        hair.row_mut(11).fill([20, 20, 20, 255]);
        patched(&mut picture, &[&hair], 12);
        assert_eq!([3, 4].map(|x| picture.row(10)[x][3]), [255; 2]);
        assert_eq!(picture.row(4)[12], [0; 4]);
    }
}
