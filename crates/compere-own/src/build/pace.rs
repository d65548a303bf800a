//! Whether a take's pictures come at an even pace. All are brought to thirty a second; where the camera, or the program that
//! recorded it, left some out, a picture stands while the lips go on.

use std::ops::Range;

use crate::bank::RATE;

/// A picture that stands by so many times longer than most was shown in place of others.
const LONG: f64 = 1.5;

/// Part of the time in which a picture stands that should have been another one; `times` are when each begins, in order.
pub(crate) fn held(times: &[f64]) -> f64 {
    let mut gaps: Vec<f64> = times.windows(2).map(|two| two[1] - two[0]).collect();
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return 0.0 };
    gaps.sort_by(f64::total_cmp);
    // Of more than thirty a second some are left out anyway.
    let usual = gaps.get(gaps.len() / 2).map_or(0.0, |middle| middle.max(1.0 / RATE));
    let too_long = gaps.iter().filter(|gap| **gap > LONG * usual).map(|gap| gap - usual).sum::<f64>();
    too_long / (last - first).max(1e-6)
}

/// The times of some pictures, at thirty a second.
pub(crate) fn within(times: &[f64], pictures: &Range<u64>) -> Vec<f64> {
    let start = times.first().copied().unwrap_or_default();
    let picture = |at: f64| ((at - start) * RATE + 0.5) as u64;
    times.iter().copied().filter(|&at| pictures.contains(&picture(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(gaps: impl Iterator<Item = f64>) -> Vec<f64> {
        gaps.scan(1.0, |at, gap| {
            *at += gap;
            Some(*at)
        })
        .collect()
    }

    #[test]
    fn pictures_that_are_missing_count_and_a_clock_that_trembles_does_not() {
        let each = 1.0 / 30.0;
        let trembling = times((0..300).map(|n| each + if n % 2 == 0 { 0.006 } else { -0.006 }));
        assert!(held(&trembling) < 1e-6, "{}", held(&trembling));
        // One of thirty is not there.
        let lacking = times((0..290).map(|n| if n % 29 == 0 { 2.0 * each } else { each }));
        assert!((held(&lacking) - 9.0 / 298.0).abs() < 1e-3, "{}", held(&lacking));
        // It gets dark, and the camera takes its time.
        let slower = times((0..200).map(|n| if n < 150 { each } else { 2.0 * each }));
        assert!((held(&slower) - 0.2).abs() < 0.002, "{}", held(&slower));
        assert!(held(&within(&slower, &(0..140))) < 1e-6);
        let mixed = times((0..300).map(|n| if n < 200 { each / 2.0 } else { each }));
        assert!(held(&mixed) < 1e-6, "from sixty to thirty nothing is lost");
        assert_eq!((held(&[]), held(&[1.0])), (0.0, 0.0));
    }
}
