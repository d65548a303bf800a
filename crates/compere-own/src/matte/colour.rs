//! The person's own colours where some of the background shines through: what is laid elsewhere must not bring it along.

use compere_media::Frame;

use super::plane::sums;

/// Pixels around a place that its colours are told from, as a part of the picture's longer side, and at least.
const AROUND: (u32, usize) = (90, 6);
/// With less of the person than the first nothing is known of its colour, with more than the second all is: before a room, and
/// before a wall so strong in colour that a little too much of it taken out shows more than the mean of what is near.
const KNOWN: [f32; 2] = [0.15, 0.7];
const KNOWN_BEFORE_WALL: [f32; 2] = [0.5, 1.0];
/// What lies where no person is near.
const NOBODY: [u8; 3] = [16, 128, 128];

/// Takes the background out of the colours of a picture whose matte is `alpha`. Where there is no person, it goes on with what is
/// nearest.
pub(super) fn cleaned(frame: &mut Frame, alpha: &[u8], before_wall: bool) {
    let known = if before_wall { KNOWN_BEFORE_WALL } else { KNOWN };
    let (wide, high) = (frame.width() as usize, frame.height() as usize);
    let size = [wide / 2, high / 2];
    let half = |n: usize| {
        let at = 2 * (n / size[0]) * wide + 2 * (n % size[0]);
        [at, at + 1, at + wide, at + wide + 1]
    };
    // Sums of colours that are all the person's, then of those that are all background, with their counts.
    let of_both: Vec<[f32; 8]> = (0..size[0] * size[1])
        .map(|n| {
            let mut out = [0.0; 8];
            let places = half(n);
            let at = match places.map(|at| alpha[at]) {
                [255, 255, 255, 255] => 0,
                [0, 0, 0, 0] => 4,
                _ => return out,
            };
            let luma: f32 = places.iter().map(|&at| f32::from(frame.y()[at])).sum();
            out[at..at + 4].copy_from_slice(&[luma / 4.0, f32::from(frame.u()[n]), f32::from(frame.v()[n]), 1.0]);
            out
        })
        .collect();
    let reach = ((frame.width().max(frame.height()) / AROUND.0) as usize / 2).max(AROUND.1);
    let around = sums(&of_both, size, reach);
    let (y, u, v) = frame.planes_mut();
    for (n, sums) in around.iter().enumerate() {
        let places = half(n);
        let parts = places.map(|at| f32::from(alpha[at]) / 255.0);
        let mean = parts.iter().sum::<f32>() / 4.0;
        if mean >= 1.0 {
            continue;
        }
        // Sums that slide have a little left where there is nothing.
        if sums[3] < 0.5 {
            if mean <= 0.0 {
                places.iter().for_each(|&at| y[at] = NOBODY[0]);
                (u[n], v[n]) = (NOBODY[1], NOBODY[2]);
            }
            continue;
        }
        for (at, part) in places.into_iter().zip(parts) {
            y[at] = own(y[at], part, known, sums, 0);
        }
        (u[n], v[n]) = (own(u[n], mean, known, sums, 1), own(v[n], mean, known, sums, 2));
    }
}

/// A value without the part of it that is background.
fn own(value: u8, part: f32, known: [f32; 2], sums: &[f32; 8], at: usize) -> u8 {
    let value = f32::from(value);
    let person = sums[at] / sums[3];
    let behind = if sums[7] < 0.5 { value } else { sums[4 + at] / sums[7] };
    let told = (value - (1.0 - part) * behind) / part.max(0.05);
    let known = ((part - known[0]) / (known[1] - known[0])).clamp(0.0, 1.0);
    (person + known * (told - person) + 0.5).clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_takes_no_colour_of_the_wall_along() {
        // Left a person of 60, right a wall of 200; five columns between are ever less of the person.
        let (mut frame, width) = (Frame::new(40, 20), 40);
        let part = |x: usize| 1.0 - (x.clamp(17, 22) - 17) as f32 / 5.0;
        let alpha: Vec<u8> = (0..800).map(|n| (part(n % width) * 255.0 + 0.5) as u8).collect();
        let (y, u, _) = frame.planes_mut();
        for (n, y) in y.iter_mut().enumerate() {
            *y = (60.0 * part(n % width) + 200.0 * (1.0 - part(n % width))) as u8;
        }
        for (n, u) in u.iter_mut().enumerate() {
            let part = (part(2 * (n % 20)) + part(2 * (n % 20) + 1)) / 2.0;
            *u = (110.0 * part + 150.0 * (1.0 - part)) as u8;
        }
        let before = frame.clone();
        cleaned(&mut frame, &alpha, false);
        let row = |frame: &Frame| frame.y()[400..440].to_vec();
        assert!(row(&frame)[..24].iter().all(|y| y.abs_diff(60) < 4), "{:?}", row(&frame));
        assert!(frame.u()[100..112].iter().all(|u| u.abs_diff(110) < 4), "{:?}", &frame.u()[100..120]);
        assert_eq!(row(&frame)[..17], row(&before)[..17]);
    }
}
