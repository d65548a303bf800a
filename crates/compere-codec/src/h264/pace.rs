//! The quantiser of whole pictures.
//!
//! It rises from picture to picture and starts again every eighth: what a fine picture spends is seen in the coarser
//! ones after it as well, which take it over, and for the same likeness on the average that is 5 % less than one quantiser for
//! all. It does not go down more often, because then x264 looks again at everything that stands still. So it goes on, until footage is so restless that it would cost more bits than eyes can follow. Then it gets coarser by what the
//! last pictures cost. x264's own rate factor weighs every picture beforehand for that, which takes as long as coding it.
//!
//! Footage has a wave of its own: every fourth picture is fine, and those between have it among the pictures that they look at.

/// Follows what predicted pictures cost.
#[derive(Debug)]
pub(super) struct Pace {
    qp_i: u8,
    qp_p: u8,
    /// Bytes per predicted picture from which on the quantiser gets coarser.
    calm: u64,
    /// What the last of them cost, in sixteenths of a byte; older ones fade.
    average: u64,
    wave: [i8; 8],
}

impl Pace {
    /// The quantiser grows by as many steps at most; each takes about a ninth of the bits.
    const COARSER: u8 = 10;
    /// From picture to picture, beside the usual quantiser.
    const WAVE: [i8; 8] = [2, -1, 0, 1, 1, 2, 2, 2];
    const WAVE_OF_FOOTAGE: [i8; 8] = [-2, 3, 2, 3, 0, 3, 2, 3];

    pub(super) fn new(qp_i: i32, qp_p: i32, pixels: u64) -> Self {
        // 0.08 bits per pixel: 5 Mbit/s at 1080p30.
        Self { qp_i: qp_i as u8, qp_p: qp_p as u8, calm: pixels / 100, average: 0, wave: Self::WAVE }
    }

    /// Of stretches in which nearly all of every picture changes: 2.2 Mbit/s at 1080p30 are calm, which is where the likeness is
    /// that of libx264's `veryfast` at a rate factor of 21.
    pub(super) fn of_footage(qp_i: i32, qp_p: i32, pixels: u64) -> Self {
        Self { calm: pixels * 44 / 10_000, wave: Self::WAVE_OF_FOOTAGE, ..Self::new(qp_i, qp_p, pixels) }
    }

    /// Of the picture so many after the key frame, which is 0.
    pub(super) fn qp(&self, since_key: u32) -> u8 {
        let mut steps = 0;
        let mut limit = self.calm * 16;
        while self.average > limit && steps < Self::COARSER {
            steps += 1;
            limit += limit / 4;
        }
        let wave = self.wave[since_key as usize % self.wave.len()];
        steps + if since_key == 0 { self.qp_i } else { self.qp_p.saturating_add_signed(wave) }
    }

    pub(super) fn spent(&mut self, bytes: usize) {
        self.average = (3 * self.average + 16 * bytes as u64) / 4;
    }
}
