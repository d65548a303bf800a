//! The quantiser of whole pictures.
//!
//! It is fixed, as that of regions, so that both look the same, until footage is so restless that it would cost more
//! bits than eyes can follow. Then it gets coarser by what the last pictures cost. x264's own rate factor weighs every
//! picture beforehand for that, which takes as long as coding it.

/// Follows what predicted pictures cost.
#[derive(Debug)]
pub(super) struct Pace {
    qp_i: u8,
    qp_p: u8,
    /// Bytes per predicted picture from which on the quantiser gets coarser.
    calm: u64,
    /// What the last of them cost, in sixteenths of a byte; older ones fade.
    average: u64,
}

impl Pace {
    /// The quantiser grows by as many steps at most; each takes about a ninth of the bits.
    const COARSER: u8 = 10;

    pub(super) fn new(qp_i: i32, qp_p: i32, pixels: u64) -> Self {
        // 0.08 bits per pixel: 5 Mbit/s at 1080p30.
        Self { qp_i: qp_i as u8, qp_p: qp_p as u8, calm: pixels / 100, average: 0 }
    }

    pub(super) fn qp(&self, key: bool) -> u8 {
        let mut steps = 0;
        let mut limit = self.calm * 16;
        while self.average > limit && steps < Self::COARSER {
            steps += 1;
            limit += limit / 4;
        }
        steps + if key { self.qp_i } else { self.qp_p }
    }

    pub(super) fn spent(&mut self, bytes: usize) {
        self.average = (3 * self.average + 16 * bytes as u64) / 4;
    }
}
