//! Blending at several finenesses: what is coarse over a wide rim, detail over a narrow one.

/// A small picture of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    pub(crate) width: usize,
    pub(crate) numbers: Vec<f32>,
}

impl Plane {
    pub(crate) fn new(width: usize, numbers: Vec<f32>) -> Self {
        Self { width, numbers }
    }

    fn height(&self) -> usize {
        self.numbers.len() / self.width.max(1)
    }

    /// Half as large, after a blur.
    fn halved(&self) -> Self {
        const W: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
        let (width, height) = (self.width, self.height());
        let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
        let mut rows = Vec::with_capacity(half_width * height);
        for row in self.numbers.chunks_exact(width) {
            let weighed = |of: [f32; 5]| W[0] * of[0] + W[1] * of[1] + W[2] * of[2] + W[3] * of[3] + W[4] * of[4];
            let at_border =
                |x: usize| weighed(std::array::from_fn(|k| row[(2 * x + k).saturating_sub(2).min(width - 1)]));
            // Where all five are there they are taken as they lie.
            let whole = (width.saturating_sub(1) / 2).max(1);
            rows.push(at_border(0));
            let fives = row.windows(5).step_by(2).take(whole - 1);
            rows.extend(fives.map(|five| weighed([five[0], five[1], five[2], five[3], five[4]])));
            rows.extend((whole..half_width).map(at_border));
        }
        let mut numbers = Vec::with_capacity(half_width * half_height);
        for y in 0..half_height {
            let at = |k: usize| &rows[(2 * y + k).saturating_sub(2).min(height - 1) * half_width..][..half_width];
            let lines: [&[f32]; 5] = std::array::from_fn(at);
            for x in 0..half_width {
                let sum: f32 = lines.iter().zip(W).map(|(line, weight)| line[x] * weight).sum();
                numbers.push(sum);
            }
        }
        Self { width: half_width, numbers }
    }

    /// Twice as large.
    fn doubled(&self, width: usize, height: usize) -> Self {
        let (own_width, own_height) = (self.width, self.height());
        let mut rows = Vec::with_capacity(width * own_height);
        for row in self.numbers.chunks_exact(own_width) {
            for x in 0..width {
                let n = x / 2;
                let (before, after) = (row[n.saturating_sub(1)], row[(n + 1).min(own_width - 1)]);
                let here = row[n];
                rows.push(if x % 2 == 0 { 0.125 * (before + after) + 0.75 * here } else { 0.5 * (here + after) });
            }
        }
        let mut numbers = Vec::with_capacity(width * height);
        for y in 0..height {
            let line = |n: usize| &rows[n.min(own_height - 1) * width..][..width];
            let n = y / 2;
            let (before, here, after) = (line(n.saturating_sub(1)), line(n), line(n + 1));
            for x in 0..width {
                let value = if y % 2 == 0 {
                    0.125 * (before[x] + after[x]) + 0.75 * here[x]
                } else {
                    0.5 * (here[x] + after[x])
                };
                numbers.push(value);
            }
        }
        Self { width, numbers }
    }
}

/// What has to be added to a picture so that it becomes another one inside a mask; `difference` is the other less it.
#[expect(clippy::needless_pass_by_value, reason = "each level is made of the one before and let go")]
pub(crate) fn blended(difference: Plane, mask: Plane, levels: usize) -> Plane {
    if levels == 0 || difference.width < 8 || difference.height() < 8 {
        let numbers = difference.numbers.iter().zip(&mask.numbers).map(|(d, m)| d * m).collect();
        return Plane { width: difference.width, numbers };
    }
    let (width, height) = (difference.width, difference.height());
    let (small, small_mask) = (difference.halved(), mask.halved());
    let coarse = small.doubled(width, height);
    let below = blended(small, small_mask, levels - 1).doubled(width, height);
    let mut numbers = below.numbers;
    for (n, out) in numbers.iter_mut().enumerate() {
        *out += (difference.numbers[n] - coarse.numbers[n]) * mask.numbers[n];
    }
    Plane { width, numbers }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_difference_inside_a_full_mask_and_none_outside_an_empty_one() {
        let (width, height) = (41, 37);
        let wave = |n: usize| compere_media::math::sinf((n % width) as f32 * 0.7) * 20.0 + (n / width) as f32;
        let difference = Plane::new(width, (0..width * height).map(wave).collect());
        for (value, expected) in [(1.0, 1.0), (0.0, 0.0)] {
            let out = blended(difference.clone(), Plane::new(width, vec![value; width * height]), 3);
            let worst = out.numbers.iter().zip(&difference.numbers).map(|(a, b)| (a - b * expected).abs());
            assert!(worst.fold(0.0, f32::max) < 1e-3);
        }
    }
}
