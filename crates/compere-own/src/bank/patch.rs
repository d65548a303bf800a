//! The lower face of one picture, upright and steady: [`SIDE`] pixels square, cut out of the canonical face.

use compere_media::Frame;
use serde::{Deserialize, Serialize};

use crate::error::OwnError;
use crate::jpeg::{damaged, planes_to_jpeg, rows_from_jpeg};
use crate::track::pose::{SIZE, Similarity};
use crate::track::sample;

/// Pixels of a patch, and where its corner lies in the canonical face.
pub(crate) const SIDE: usize = 320;
pub(crate) const CORNER: [usize; 2] = [20, 140];
/// The mouth in the canonical face, which looks are told by: left, top, right, bottom.
const MOUTH: [usize; 4] = [95, 180, 265, 310];
const LOOK_SIZE: [usize; 2] = [32, 25];
pub(crate) const LOOK_PIXELS: usize = LOOK_SIZE[0] * LOOK_SIZE[1];
/// The cheeks, which light is told by.
const CHEEKS: [usize; 4] = [70, 150, 290, 200];
/// Black, in limited range.
const BLACK: f32 = 16.0;
const QUALITY: u8 = 92;
const COMPACT_QUALITY: u8 = 55;
/// What blocks are filled with that nobody looks at.
const EMPTY: u8 = 128;

const _: () = assert!(CORNER[0] + SIDE <= SIZE[0] && CORNER[1] + SIDE <= SIZE[1], "a patch is part of the face");

/// Places of the mouth's pixels in a patch's luma.
pub(crate) fn mouth() -> impl Iterator<Item = usize> {
    let [left, top, right, bottom] = MOUTH;
    let row = move |y: usize| (left - CORNER[0]..right - CORNER[0]).map(move |x| (y - CORNER[1]) * SIDE + x);
    (top..bottom).flat_map(row)
}

/// How the pictures of a bank are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keeping {
    /// All of a patch, as good as it was filmed.
    #[default]
    Full,
    /// What can be seen of it, at less than a quarter of the bytes.
    Compact,
}

impl std::str::FromStr for Keeping {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "full" => Ok(Self::Full),
            "compact" => Ok(Self::Compact),
            _ => Err(format!("{name}: full or compact")),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) y: Vec<u8>,
    /// Half as large on both sides.
    pub(crate) u: Vec<u8>,
    pub(crate) v: Vec<u8>,
}

impl Patch {
    /// Out of a picture with the given pose.
    pub(crate) fn of(frame: &Frame, pose: &Similarity) -> Self {
        let back = pose.inverse();
        let (width, height) = (frame.width() as usize, frame.height() as usize);
        let mut y = Vec::with_capacity(SIDE * SIDE);
        for row in 0..SIDE {
            for column in 0..SIDE {
                let [px, py] = back.apply([(CORNER[0] + column) as f64, (CORNER[1] + row) as f64]);
                y.push(cubic(frame.y(), width, height, px as f32, py as f32));
            }
        }
        let half = SIDE / 2;
        let (mut u, mut v) = (Vec::with_capacity(half * half), Vec::with_capacity(half * half));
        for row in 0..half {
            for column in 0..half {
                // The middle of four pixels.
                let place = [(CORNER[0] + 2 * column) as f64 + 0.5, (CORNER[1] + 2 * row) as f64 + 0.5];
                let [px, py] = back.apply(place);
                let (px, py) = (px as f32 / 2.0 - 0.25, py as f32 / 2.0 - 0.25);
                u.push((sample(frame.u(), width / 2, height / 2, px, py) + 0.5) as u8);
                v.push((sample(frame.v(), width / 2, height / 2, px, py) + 0.5) as u8);
            }
        }
        Self { y, u, v }
    }

    /// Brightness of the cheeks over black.
    pub(crate) fn cheeks(&self) -> f32 {
        self.mean(CHEEKS)
    }

    fn mean(&self, [left, top, right, bottom]: [usize; 4]) -> f32 {
        let (left, right) = (left - CORNER[0], right - CORNER[0]);
        let sum: u64 = (top - CORNER[1]..bottom - CORNER[1])
            .flat_map(|row| &self.y[row * SIDE + left..row * SIDE + right])
            .map(|&value| u64::from(value))
            .sum();
        sum as f32 / ((right - left) * (bottom - top)) as f32 - BLACK
    }

    /// The mouth in few pixels.
    pub(crate) fn look(&self) -> [f32; LOOK_PIXELS] {
        let [left, top, right, bottom] = MOUTH;
        let [columns, rows] = LOOK_SIZE;
        std::array::from_fn(|n| {
            let (column, row) = (n % columns, n / columns);
            let cut = |from: usize, to: usize, n: usize, of: usize| from + (to - from) * n / of;
            let part = [
                cut(left, right, column, columns),
                cut(top, bottom, row, rows),
                cut(left, right, column + 1, columns),
                cut(top, bottom, row + 1, rows),
            ];
            self.mean(part)
        })
    }

    /// As a grey JPEG: luma, and below it both chroma planes side by side. Of a compact one only what is `near` the mouth.
    pub(crate) fn to_jpeg(&self, keeping: Keeping, near: &[bool]) -> Result<Vec<u8>, OwnError> {
        let (luma, [u, v], side, quality) = match keeping {
            Keeping::Full => (self.y.clone(), [self.u.clone(), self.v.clone()], SIDE / 2, QUALITY),
            Keeping::Compact => {
                let chroma = [&self.u, &self.v].map(|plane| halved(plane, SIDE / 2));
                (emptied(&self.y, near), chroma, SIDE / 4, COMPACT_QUALITY)
            }
        };
        let mut grey = luma;
        for (u, v) in u.chunks_exact(side).zip(v.chunks_exact(side)) {
            grey.extend_from_slice(u);
            grey.extend_from_slice(v);
            // Nothing is beside small ones.
            grey.resize(grey.len().next_multiple_of(SIDE), EMPTY);
        }
        planes_to_jpeg(&grey, SIDE, grey.len() / SIDE, quality)
    }

    /// How it was kept is told by its height.
    pub(crate) fn from_jpeg(bytes: &[u8]) -> Result<Self, OwnError> {
        let grey = rows_from_jpeg(bytes, SIDE)?;
        let (y, chroma) = grey.split_at_checked(SIDE * SIDE).ok_or_else(|| damaged("of another size"))?;
        let half = SIDE / 2;
        let side = match chroma.len() / SIDE {
            rows if rows == half => half,
            rows if rows == half / 2 => half / 2,
            _ => return Err(damaged("of another size")),
        };
        let plane = |first: usize| -> Vec<u8> {
            let plane: Vec<u8> = chroma.chunks_exact(SIDE).flat_map(|row| &row[first..first + side]).copied().collect();
            if side == half { plane } else { doubled(&plane, side) }
        };
        Ok(Self { y: y.to_vec(), u: plane(0), v: plane(side) })
    }
}

/// Luma of which blocks that are nowhere near are left out.
fn emptied(luma: &[u8], near: &[bool]) -> Vec<u8> {
    const BLOCK: usize = 8;
    let mut out = luma.to_vec();
    for top in (0..SIDE).step_by(BLOCK) {
        for left in (0..SIDE).step_by(BLOCK) {
            let rows = || (top..top + BLOCK).map(|y| y * SIDE + left..y * SIDE + left + BLOCK);
            if rows().flatten().all(|n| !near[n]) {
                rows().for_each(|row| out[row].fill(EMPTY));
            }
        }
    }
    out
}

/// Means of four.
fn halved(plane: &[u8], side: usize) -> Vec<u8> {
    let rows = plane.chunks_exact(2 * side).map(|rows| rows.split_at(side));
    let fours = rows.flat_map(|(upper, lower)| upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0));
    fours
        .map(|(a, b)| ((u16::from(a[0]) + u16::from(a[1]) + u16::from(b[0]) + u16::from(b[1]) + 2) / 4) as u8)
        .collect()
}

/// Twice as large, between the middles of pixels.
fn doubled(plane: &[u8], side: usize) -> Vec<u8> {
    let pair = |n: usize| {
        let (near, far) =
            (n / 2, if n.is_multiple_of(2) { (n / 2).saturating_sub(1) } else { (n / 2 + 1).min(side - 1) });
        [near, far]
    };
    let mut out = Vec::with_capacity(4 * plane.len());
    for y in 0..2 * side {
        let rows = pair(y).map(|row| &plane[row * side..][..side]);
        let [near, far] = rows;
        let down: Vec<u16> = near.iter().zip(far).map(|(&near, &far)| 3 * u16::from(near) + u16::from(far)).collect();
        out.extend((0..2 * side).map(|x| {
            let [near, far] = pair(x);
            ((3 * down[near] + down[far] + 8) / 16) as u8
        }));
    }
    out
}

/// Between sixteen pixels, after Catmull and Rom; sharper than between four.
pub(crate) fn cubic(plane: &[u8], width: usize, height: usize, x: f32, y: f32) -> u8 {
    let (x, y) = (x.clamp(0.0, (width - 1) as f32), y.clamp(0.0, (height - 1) as f32));
    let (left, top) = (x as usize, y as usize);
    let (wx, wy) = (weights(x - left as f32), weights(y - top as f32));
    let mut sum = 0.0;
    if left >= 1 && top >= 1 && left + 2 < width && top + 2 < height {
        for (dy, wy) in wy.iter().enumerate() {
            let row = &plane[(top + dy - 1) * width + left - 1..][..4];
            let along: f32 = row.iter().zip(&wx).map(|(&pixel, weight)| f32::from(pixel) * weight).sum();
            sum += along * wy;
        }
    } else {
        for (dy, wy) in wy.iter().enumerate() {
            let row = (top + dy).saturating_sub(1).min(height - 1);
            for (dx, wx) in wx.iter().enumerate() {
                let column = (left + dx).saturating_sub(1).min(width - 1);
                sum += f32::from(plane[row * width + column]) * wx * wy;
            }
        }
    }
    (sum + 0.5).clamp(0.0, 255.0) as u8
}

pub(crate) fn weights(t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [-0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1.0, -1.5 * t3 + 2.0 * t2 + 0.5 * t, 0.5 * t3 - 0.5 * t2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::math;

    /// Something with edges and grain.
    fn patch() -> Patch {
        let wave = |n: usize, side: usize, fine: f32| {
            let (x, y) = ((n % side) as f32, (n / side) as f32);
            let grain = (n * 7919 % 5) as f32 - 2.0;
            (120.0 + 50.0 * math::sinf(x / fine) * math::sinf(y / (2.0 * fine)) + grain) as u8
        };
        let half = SIDE / 2;
        let chroma = |fine: f32| (0..half * half).map(|n| wave(n, half, fine)).collect();
        Patch { y: (0..SIDE * SIDE).map(|n| wave(n, SIDE, 9.0)).collect(), u: chroma(30.0), v: chroma(40.0) }
    }

    fn apart(a: &[u8], b: &[u8], of: impl Fn(usize) -> bool) -> f64 {
        let squares: Vec<f64> = (0..a.len())
            .filter(|&n| of(n))
            .map(|n| f64::from(a[n].abs_diff(b[n])) * f64::from(a[n].abs_diff(b[n])))
            .collect();
        (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt()
    }

    #[test]
    fn a_compact_patch_is_small_and_like_the_full_one_where_somebody_looks() {
        let patch = patch();
        let near: Vec<bool> = (0..SIDE * SIDE).map(|n| (80..240).contains(&(n % SIDE)) && n / SIDE > 60).collect();
        let [full, compact] =
            [Keeping::Full, Keeping::Compact].map(|kind| patch.to_jpeg(kind, &near).expect("it writes"));
        assert!(3 * compact.len() < full.len(), "{} bytes against {}", compact.len(), full.len());
        let [full, compact] = [full, compact].map(|bytes| Patch::from_jpeg(&bytes).expect("it reads"));
        assert!(apart(&patch.y, &full.y, |_| true) < 2.0);
        assert!(apart(&patch.y, &compact.y, |n| near[n]) < 4.0);
        assert!(compact.y[SIDE + 1] == EMPTY, "what nobody looks at takes room");
        for (a, b) in [(&patch.u, &compact.u), (&patch.v, &compact.v)] {
            assert!(a.len() == b.len() && apart(a, b, |_| true) < 4.0, "{}", apart(a, b, |_| true));
        }
    }

    #[test]
    fn a_picture_of_another_size_is_no_patch() {
        for (width, rows) in [(SIDE, SIDE + 8), (SIDE / 2, SIDE * 3), (SIDE, 2 * SIDE)] {
            let bytes = planes_to_jpeg(&vec![90; width * rows], width, rows, 80).expect("it writes");
            assert!(Patch::from_jpeg(&bytes).is_err(), "{width} x {rows}");
        }
    }
}
