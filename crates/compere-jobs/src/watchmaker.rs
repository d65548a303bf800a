//! Notices when the clock on the wall is set back.

use std::time::Instant;

pub(crate) struct Watchmaker {
    started: Instant,
    /// Wall clock minus running time, in milliseconds.
    offset: i64,
}

impl Watchmaker {
    /// Smaller steps are what time servers do all day.
    const TOLERANCE: i64 = 2_000;

    pub(crate) fn new(now: i64) -> Self {
        Self { started: Instant::now(), offset: now }
    }

    /// By how many milliseconds the clock was set back since it was last asked.
    pub(crate) fn set_back(&mut self, now: i64) -> Option<i64> {
        let offset = now - self.started.elapsed().as_millis() as i64;
        let back = self.offset - offset;
        if back.abs() > Self::TOLERANCE {
            self.offset = offset;
        }
        (back > Self::TOLERANCE).then_some(back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clock_that_was_set_back_is_noticed() {
        let mut watchmaker = Watchmaker::new(1_000_000);
        assert_eq!(watchmaker.set_back(1_000_500), None);
        assert_eq!(watchmaker.set_back(9_000_000), None, "forward is no trouble");
        let back = watchmaker.set_back(1_000_000).expect("two hours back");
        assert!((7_998_000..=8_001_000).contains(&back), "{back}");
        assert_eq!(watchmaker.set_back(1_000_100), None, "told once");
    }
}
