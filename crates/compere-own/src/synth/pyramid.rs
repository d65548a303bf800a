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

    /// Whether there is anything coarser in it.
    fn is_large(&self) -> bool {
        self.width >= 8 && self.height() >= 8
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
        let own_height = self.height();
        let mut rows = vec![0.0f32; width * own_height];
        for (row, out) in self.numbers.chunks_exact(self.width).zip(rows.chunks_exact_mut(width)) {
            widened(row, out);
        }
        let mut numbers = Vec::with_capacity(width * height);
        for y in 0..height {
            let line = |n: usize| &rows[n.min(own_height - 1) * width..][..width];
            let n = y / 2;
            let (before, here, after) = (line(n.saturating_sub(1)), line(n), line(n + 1));
            let both = here.iter().zip(after);
            if y % 2 == 0 {
                numbers.extend(both.zip(before).map(|((here, after), before)| 0.125 * (before + after) + 0.75 * here));
            } else {
                numbers.extend(both.map(|(here, after)| 0.5 * (here + after)));
            }
        }
        Self { width, numbers }
    }
}

/// A row twice as long.
fn widened(row: &[f32], out: &mut [f32]) {
    let last = row.len() - 1;
    let even = |before: f32, here: f32, after: f32| 0.125 * (before + after) + 0.75 * here;
    let pairs = out.as_chunks_mut::<2>().0;
    for (pair, three) in pairs.iter_mut().skip(1).zip(row.windows(3)) {
        *pair = [even(three[0], three[1], three[2]), 0.5 * (three[1] + three[2])];
    }
    for n in [0, last] {
        let (before, here, after) = (row[n.saturating_sub(1)], row[n], row[(n + 1).min(last)]);
        out[2 * n] = even(before, here, after);
        if let Some(odd) = out.get_mut(2 * n + 1) {
            *odd = 0.5 * (here + after);
        }
    }
}

/// A mask in as many sizes as are blended with it, the finest first.
#[derive(Clone, Debug)]
pub(crate) struct Masks(Vec<Plane>);

impl Masks {
    pub(crate) fn of(mask: Plane, levels: usize) -> Self {
        let mut all = vec![mask];
        for _ in 0..levels {
            match all.last() {
                Some(last) if last.is_large() => all.push(last.halved()),
                _ => break,
            }
        }
        Self(all)
    }

    pub(crate) fn finest(&self) -> &[f32] {
        &self.0[0].numbers
    }
}

/// What has to be added to a picture so that it becomes another one inside a mask; `difference` is the other less it.
pub(crate) fn blended(difference: Plane, masks: &Masks) -> Plane {
    blended_at(difference, &masks.0)
}

fn blended_at(mut difference: Plane, masks: &[Plane]) -> Plane {
    let (mask, coarser) = (&masks[0].numbers, &masks[1..]);
    if coarser.is_empty() {
        difference.numbers.iter_mut().zip(mask).for_each(|(d, m)| *d *= m);
        return difference;
    }
    let (width, height) = (difference.width, difference.height());
    let small = difference.halved();
    let coarse = small.doubled(width, height);
    let below = blended_at(small, coarser).doubled(width, height);
    let finer = difference.numbers.iter_mut().zip(&coarse.numbers).zip(mask).zip(&below.numbers);
    finer.for_each(|(((out, coarse), mask), below)| *out = (*out - coarse) * mask + below);
    difference
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
            let mask = Plane::new(width, vec![value; width * height]);
            let out = blended(difference.clone(), &Masks::of(mask, 3));
            let worst = out.numbers.iter().zip(&difference.numbers).map(|(a, b)| (a - b * expected).abs());
            assert!(worst.fold(0.0, f32::max) < 1e-3);
        }
    }
}
