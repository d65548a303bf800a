//! The wall's light on the person: what a green or blue wall throws at hair, cheeks and shoulders goes again.

use compere_media::Frame;

use super::half::{Colour, TINT, colour};
use super::key::leaning;
use super::plane::{means, sums};

/// How far from the edge light of the wall is looked for, as a part of the picture's longer side.
const REACH: u32 = 24;
/// How much further in it is told what the person wears, in those.
const WITHIN: usize = 2;

/// Takes the wall's light out of the colours near the edge of somebody who stood before it. What is of its hue well inside stays so
/// at the edge: it is what somebody wears.
///
/// Of what is wholly the person's, or of all.
pub(super) fn despilled(frame: &mut Frame, alpha: &[u8], wall: &Colour, of_all: bool) {
    let (wide, size) = (frame.width() as usize, [frame.width() as usize / 2, frame.height() as usize / 2]);
    let corners = |n: usize| {
        let at = 2 * (n / size[0]) * wide + 2 * (n % size[0]);
        [at, at + 1, at + wide, at + wide + 1]
    };
    let bare: Vec<[f32; 1]> = (0..size[0] * size[1])
        .map(|n| [corners(n).map(|at| 1.0 - f32::from(alpha[at]) / 255.0).iter().sum::<f32>() / 4.0])
        .collect();
    let reach = (frame.width().max(frame.height()) / REACH / 2).max(4) as usize;
    let near = means(&bare, size, reach);
    let part: Vec<f32> = (0..bare.len()).map(|n| leaning(&colour(frame, n), wall).max(0.0)).collect();
    let inside = |n: usize| if near[n][0] < 1e-3 { [part[n], 1.0] } else { [0.0; 2] };
    let inside = sums(&(0..bare.len()).map(inside).collect::<Vec<_>>(), size, WITHIN * reach);
    for n in 0..bare.len() {
        let weight = (6.0 * near[n][0]).min(1.0);
        let worn = if inside[n][1] > 0.5 { inside[n][0] / inside[n][1] } else { 0.0 };
        let part = weight * (part[n] - worn.max(0.0));
        if part <= 0.0 || bare[n][0] >= 1.0 || (bare[n][0] > 0.0 && !of_all) {
            continue;
        }
        let (y, u, v) = frame.planes_mut();
        let less = |value: u8, by: f32| (f32::from(value) - part * by + 0.5).clamp(0.0, 255.0) as u8;
        // Of brightness half: light that falls on somebody is mostly there anyway, in another colour.
        corners(n).into_iter().for_each(|at| y[at] = less(y[at], 0.5 * (wall[0] - 16.0)));
        (u[n], v[n]) = (less(u[n], wall[1] / TINT), less(v[n], wall[2] / TINT));
    }
}
