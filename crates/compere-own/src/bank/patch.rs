//! The lower face of one picture, upright and steady: [`SIDE`] pixels square, cut out of the canonical face.

use compere_media::Frame;

use crate::error::OwnError;
use crate::jpeg::{planes_from_jpeg, planes_to_jpeg};
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

const _: () = assert!(CORNER[0] + SIDE <= SIZE[0] && CORNER[1] + SIDE <= SIZE[1], "a patch is part of the face");

/// Places of the mouth's pixels in a patch's luma.
pub(crate) fn mouth() -> impl Iterator<Item = usize> {
    let [left, top, right, bottom] = MOUTH;
    let row = move |y: usize| (left - CORNER[0]..right - CORNER[0]).map(move |x| (y - CORNER[1]) * SIDE + x);
    (top..bottom).flat_map(row)
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

    /// As a grey JPEG: luma, and below it both chroma planes side by side.
    pub(crate) fn to_jpeg(&self) -> Result<Vec<u8>, OwnError> {
        let half = SIDE / 2;
        let mut grey = self.y.clone();
        for row in 0..half {
            grey.extend_from_slice(&self.u[row * half..][..half]);
            grey.extend_from_slice(&self.v[row * half..][..half]);
        }
        planes_to_jpeg(&grey, SIDE, SIDE * 3 / 2, QUALITY)
    }

    pub(crate) fn from_jpeg(bytes: &[u8]) -> Result<Self, OwnError> {
        let grey = planes_from_jpeg(bytes, SIDE, SIDE * 3 / 2)?;
        let half = SIDE / 2;
        let (y, chroma) = grey.split_at(SIDE * SIDE);
        let side = |first: usize| chroma.chunks_exact(SIDE).flat_map(|row| row[first..first + half].to_vec()).collect();
        Ok(Self { y: y.to_vec(), u: side(0), v: side(half) })
    }
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
