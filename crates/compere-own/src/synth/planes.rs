//! A picture's planes in one grey picture, and back.

use compere_media::{Frame, Rect};

/// Part of a picture as one grey one: luma, and below it both chroma planes side by side.
pub(crate) fn grey(frame: &Frame, part: Rect) -> Vec<u8> {
    let stride = frame.width() as usize;
    let rows = |plane: &[u8], stride: usize, step: i32| -> Vec<Vec<u8>> {
        let (left, right) = ((part.x0 / step) as usize, (part.x1 / step) as usize);
        let rows = (part.y0 / step) as usize..(part.y1 / step) as usize;
        rows.map(|row| plane[row * stride + left..row * stride + right].to_vec()).collect()
    };
    let mut out = rows(frame.y(), stride, 1).concat();
    for (u, v) in rows(frame.u(), stride / 2, 2).iter().zip(rows(frame.v(), stride / 2, 2)) {
        out.extend_from_slice(u);
        out.extend_from_slice(&v);
    }
    out
}

pub(crate) fn fill(frame: &mut Frame, grey: &[u8], part: Rect) {
    let width = frame.width() as usize;
    let (y, u, v) = frame.planes_mut();
    let (luma, chroma) = grey.split_at(y.len());
    for row in part.y0 as usize..part.y1 as usize {
        let span = row * width + part.x0 as usize..row * width + part.x1 as usize;
        y[span.clone()].copy_from_slice(&luma[span]);
    }
    let half = width / 2;
    for row in part.y0 as usize / 2..part.y1 as usize / 2 {
        let to = row * half + part.x0 as usize / 2..row * half + part.x1 as usize / 2;
        let from = row * width + part.x0 as usize / 2;
        let len = to.len();
        u[to.clone()].copy_from_slice(&chroma[from..from + len]);
        v[to].copy_from_slice(&chroma[from + half..from + half + len]);
    }
}
