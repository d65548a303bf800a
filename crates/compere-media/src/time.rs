//! Counted time.

/// Samples per second of every sound in the pipeline.
pub const SAMPLE_RATE: u32 = 48_000;

/// The rate of every film.
pub const FRAME_RATE: FrameRate = FrameRate { num: 30, den: 1 };

/// A frame rate as files store it: NTSC film is exactly 24000/1001, not 23.976.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameRate {
    pub num: u32,
    pub den: u32,
}

impl FrameRate {
    /// The first sample that belongs to `frame`.
    ///
    /// Integers throughout and always from the start of the film, so nothing adds up to a drift.
    pub fn first_sample(self, frame: u64) -> u64 {
        frame * u64::from(SAMPLE_RATE) * u64::from(self.den) / u64::from(self.num)
    }

    /// How many frames cover `samples`; the last one may be covered in part.
    pub fn frames_covering(self, samples: u64) -> u64 {
        (samples * u64::from(self.num)).div_ceil(u64::from(SAMPLE_RATE) * u64::from(self.den))
    }

    /// The frame count nearest to `seconds`, at least one.
    pub fn frames_of_seconds(self, seconds: f64) -> u64 {
        let frames = (seconds * f64::from(self.num) / f64::from(self.den)).round();
        if frames >= 1.0 { frames as u64 } else { 1 }
    }

    pub fn seconds(self, frames: u64) -> f64 {
        frames as f64 * f64::from(self.den) / f64::from(self.num)
    }
}

/// Frames `start..start + len`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameSpan {
    pub start: u64,
    pub len: u64,
}

impl FrameSpan {
    pub fn end(self) -> u64 {
        self.start + self.len
    }

    /// The samples that sound while these frames are shown.
    pub fn samples(self, rate: FrameRate) -> SampleSpan {
        let start = rate.first_sample(self.start);
        SampleSpan { start, end: rate.first_sample(self.end()) }
    }
}

/// Samples `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SampleSpan {
    pub start: u64,
    pub end: u64,
}

impl SampleSpan {
    pub fn len(self) -> u64 {
        self.end - self.start
    }

    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    pub fn seconds(self) -> (f64, f64) {
        let rate = f64::from(SAMPLE_RATE);
        (self.start as f64 / rate, self.end as f64 / rate)
    }

    pub fn shifted(self, samples: u64) -> Self {
        Self { start: self.start + samples, end: self.end + samples }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ntsc_does_not_drift_in_ten_hours() {
        let ntsc = FrameRate { num: 30_000, den: 1001 };
        let frames = 10 * 3600 * 30_000 / 1001;
        assert_eq!(ntsc.first_sample(frames), frames * 48_000 * 1001 / 30_000);
        assert_eq!(ntsc.frames_covering(ntsc.first_sample(frames)), frames);
    }

    #[test]
    fn a_sample_more_needs_a_frame_more() {
        assert_eq!(FRAME_RATE.frames_covering(1600), 1);
        assert_eq!(FRAME_RATE.frames_covering(1601), 2);
        assert_eq!(FRAME_RATE.frames_covering(0), 0);
    }
}
