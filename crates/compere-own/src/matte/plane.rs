//! Planes of numbers: means around every place, and other sizes.

use compere_media::Rect;

/// The sum of a square around every place, beyond the border nothing. Costs the same whatever the reach.
pub(super) fn sums<const N: usize>(plane: &[[f32; N]], [width, height]: [usize; 2], reach: usize) -> Vec<[f32; N]> {
    let across = slid(plane, [width, height], reach, |row, column| row * width + column);
    slid(&across, [height, width], reach, |column, row| row * width + column)
}

/// Slides a window over lines; `at` leads from line and place to the plane.
fn slid<const N: usize>(
    plane: &[[f32; N]],
    [length, lines]: [usize; 2],
    reach: usize,
    at: impl Fn(usize, usize) -> usize,
) -> Vec<[f32; N]> {
    let mut out = vec![[0.0; N]; plane.len()];
    for line in 0..lines {
        let mut sum = [0.0f32; N];
        for place in 0..reach.min(length) {
            sum.iter_mut().zip(&plane[at(line, place)]).for_each(|(sum, value)| *sum += value);
        }
        for place in 0..length {
            if place + reach < length {
                sum.iter_mut().zip(&plane[at(line, place + reach)]).for_each(|(sum, value)| *sum += value);
            }
            if place > reach {
                sum.iter_mut().zip(&plane[at(line, place - reach - 1)]).for_each(|(sum, value)| *sum -= value);
            }
            out[at(line, place)] = sum;
        }
    }
    out
}

/// The mean of a square around every place of the plane.
pub(super) fn means<const N: usize>(plane: &[[f32; N]], [width, height]: [usize; 2], reach: usize) -> Vec<[f32; N]> {
    let mut out = sums(plane, [width, height], reach);
    let span = |at: usize, side: usize| (at + reach).min(side - 1) - at.saturating_sub(reach) + 1;
    for (n, mean) in out.iter_mut().enumerate() {
        let count = (span(n % width, width) * span(n / width, height)) as f32;
        mean.iter_mut().for_each(|sum| *sum /= count);
    }
    out
}

/// A square of cells, as smooth as they are, at another size.
pub(super) fn enlarged(cells: &[f32], side: usize, [width, height]: [usize; 2]) -> Vec<f32> {
    let spans = |length: usize| -> Vec<(usize, usize, f32)> {
        (0..length)
            .map(|n| {
                let at = ((n as f32 + 0.5) * side as f32 / length as f32 - 0.5).clamp(0.0, (side - 1) as f32);
                (at as usize, (at as usize + 1).min(side - 1), at.fract())
            })
            .collect()
    };
    let across = spans(width);
    let mut out = Vec::with_capacity(width * height);
    for (top, low, fy) in spans(height) {
        let cell = |row: usize, column: usize| cells[row * side + column];
        out.extend(across.iter().map(|&(left, right, fx)| {
            let upper = cell(top, left) + (cell(top, right) - cell(top, left)) * fx;
            let lower = cell(low, left) + (cell(low, right) - cell(low, left)) * fx;
            upper + (lower - upper) * fy
        }));
    }
    out
}

/// `part` of a picture that is `to` large, of one that is `from` large and known in `rect` only; zero beyond. Pixels are
/// means of what they cover.
pub(super) fn resized(plane: &[u8], rect: Rect, from: (u32, u32), to: (u32, u32), part: Rect) -> Vec<u8> {
    let across = taps((rect.x0, rect.x1), f64::from(from.0) / f64::from(to.0), (part.x0, part.x1));
    let down = taps((rect.y0, rect.y1), f64::from(from.1) / f64::from(to.1), (part.y0, part.y1));
    let width = rect.width() as usize;
    let rows: Vec<Vec<f32>> = plane
        .chunks_exact(width.max(1))
        .map(|row| across.iter().map(|taps| taps.iter().map(|&(at, part)| part * f32::from(row[at])).sum()).collect())
        .collect();
    let mut out = Vec::with_capacity(across.len() * down.len());
    for taps in &down {
        out.extend((0..across.len()).map(|column| {
            let value: f32 = taps.iter().map(|&(at, part)| part * rows[at][column]).sum();
            (value + 0.5).clamp(0.0, 255.0) as u8
        }));
    }
    out
}

/// For every pixel of a span the known ones that it is made of, and their parts.
fn taps(known: (i32, i32), step: f64, span: (i32, i32)) -> Vec<Vec<(usize, f32)>> {
    // At least two, between whose middles a smaller pixel lies.
    let reach = step.max(1.0);
    (span.0..span.1)
        .map(|n| {
            let middle = (f64::from(n) + 0.5) * step - 0.5;
            let (first, last) = ((middle - reach).ceil() as i32, (middle + reach).floor() as i32);
            let weight = |at: i32| (1.0 - (f64::from(at) - middle).abs() / reach).max(0.0);
            let all: f64 = (first..=last).map(weight).sum();
            let part = |at: i32| ((at - known.0) as usize, (weight(at) / all) as f32);
            (first.max(known.0)..=last.min(known.1 - 1)).map(part).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_that_of_the_square_inside_the_plane() {
        let plane: Vec<[f32; 1]> = (0..35u8).map(|n| [f32::from(n * n % 23)]).collect();
        let [width, height] = [7, 5];
        let means = means(&plane, [width, height], 2);
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let rows = y.saturating_sub(2)..(y + 3).min(height);
            let columns = x.saturating_sub(2)..(x + 3).min(width);
            let inside: Vec<f32> = rows
                .flat_map(|row| columns.clone().map(move |column| row * width + column))
                .map(|n| plane[n][0])
                .collect();
            let truth = inside.iter().sum::<f32>() / inside.len() as f32;
            assert!((means[y * width + x][0] - truth).abs() < 1e-3, "{x} {y}");
        }
    }

    #[test]
    fn what_is_known_of_a_picture_keeps_its_place_in_another_size() {
        // A white square in the middle of 40 x 20 pixels, of which the right half is known.
        let rect = Rect::new(20, 0, 40, 20);
        let plane: Vec<u8> =
            (0..400).map(|n| if n % 20 < 10 && (5..15).contains(&(n / 20)) { 255 } else { 0 }).collect();
        let same = resized(&plane, rect, (40, 20), (40, 20), Rect::new(20, 0, 40, 20));
        assert_eq!(same, plane);
        let half = resized(&plane, rect, (40, 20), (20, 10), Rect::of_size(20, 10));
        assert_eq!([half[5 * 20 + 12], half[5 * 20 + 17], half[20 + 12]], [255, 0, 0]);
        let double = resized(&plane, rect, (40, 20), (80, 40), Rect::new(40, 0, 80, 40));
        assert_eq!([double[20 * 40 + 10], double[20 * 40 + 30], double[2 * 40 + 10]], [255, 0, 0]);
    }
}
