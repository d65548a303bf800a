//! Parts of a frame as the networks want them: red, green and blue in one row of numbers.

use compere_media::Frame;

/// A square crop with values from 0 to 1; `place` leads from its pixels into the frame.
pub(super) fn crop(frame: &Frame, side: usize, place: impl Fn(usize, usize) -> [f32; 2]) -> Vec<f32> {
    let mut out = Vec::with_capacity(side * side * 3);
    for y in 0..side {
        for x in 0..side {
            let [px, py] = place(x, y);
            out.extend(color(frame, px, py));
        }
    }
    out
}

/// A square of the frame, shrunk, with values from -1 to 1; beside the frame it is black.
pub(super) fn shrunk(frame: &Frame, corner: [f32; 2], side: f32, pixels: usize) -> Vec<f32> {
    let step = side / pixels as f32;
    // Large pixels are means of several looks.
    let looks = (step.ceil() as usize).clamp(1, 4);
    let (width, height) = (frame.width() as f32, frame.height() as f32);
    let mut out = Vec::with_capacity(pixels * pixels * 3);
    for y in 0..pixels {
        for x in 0..pixels {
            let mut sum = [0.0; 3];
            for n in 0..looks * looks {
                let inner = |n: usize| (n as f32 + 0.5) / looks as f32;
                let px = corner[0] + (x as f32 + inner(n % looks)) * step - 0.5;
                let py = corner[1] + (y as f32 + inner(n / looks)) * step - 0.5;
                if px > -1.0 && py > -1.0 && px < width && py < height {
                    sum.iter_mut().zip(color(frame, px, py)).for_each(|(sum, c)| *sum += c);
                }
            }
            out.extend(sum.map(|sum| sum / (looks * looks) as f32 * 2.0 - 1.0));
        }
    }
    out
}

/// A part of the frame, stretched to a square, with values from 0 to 1. `step` is what one of its pixels takes of the frame.
pub(super) fn stretched(frame: &Frame, corner: [f32; 2], step: [f32; 2], pixels: usize) -> Vec<f32> {
    const LOOKS: [[f32; 2]; 4] = [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];
    let mut out = Vec::with_capacity(pixels * pixels * 3);
    for (y, x) in (0..pixels).flat_map(|y| (0..pixels).map(move |x| (y as f32, x as f32))) {
        let mut sum = [0.0; 3];
        for [dx, dy] in LOOKS {
            let seen = color(frame, corner[0] + (x + dx) * step[0] - 0.5, corner[1] + (y + dy) * step[1] - 0.5);
            sum.iter_mut().zip(seen).for_each(|(sum, c)| *sum += c);
        }
        out.extend(sum.map(|sum| sum / LOOKS.len() as f32));
    }
    out
}

/// The colour at a place between pixels.
fn color(frame: &Frame, x: f32, y: f32) -> [f32; 3] {
    let (width, height) = (frame.width() as usize, frame.height() as usize);
    let luma = sample(frame.y(), width, height, x, y);
    let (cx, cy) = (x / 2.0 - 0.25, y / 2.0 - 0.25);
    let blue = sample(frame.u(), width / 2, height / 2, cx, cy) - 128.0;
    let red = sample(frame.v(), width / 2, height / 2, cx, cy) - 128.0;
    let luma = (luma - 16.0) * (255.0 / 219.0);
    let rgb = [luma + 1.7927 * red, luma - 0.2132 * blue - 0.5329 * red, luma + 2.1124 * blue];
    rgb.map(|value| (value / 255.0).clamp(0.0, 1.0))
}

/// Between four pixels; the border goes on for ever.
pub(crate) fn sample(plane: &[u8], width: usize, height: usize, x: f32, y: f32) -> f32 {
    let (x, y) = (x.clamp(0.0, (width - 1) as f32), y.clamp(0.0, (height - 1) as f32));
    let (left, top) = (x as usize, y as usize);
    let (right, low) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
    let (fx, fy) = (x - left as f32, y - top as f32);
    let at = |row: usize, column: usize| f32::from(plane[row * width + column]);
    let upper = at(top, left) + (at(top, right) - at(top, left)) * fx;
    let lower = at(low, left) + (at(low, right) - at(low, left)) * fx;
    upper + (lower - upper) * fy
}
