//! Runs of skipped macroblocks, coded without an encoder.
//!
//! In such a slice every decision is the most probable one, so the arithmetic coder never leaves two of its paths:
//! `mb_skip_flag` = 1 in context 11 (neighbours are absent or skipped), and `end_of_slice_flag`.

use super::slice::Syntax;

/// `rangeTabLPS` of the states a run passes through, from the first to 62.
const RANGE_LPS: [[u32; 4]; 21] = [
    [16, 20, 23, 27],
    [15, 19, 22, 25],
    [14, 18, 21, 24],
    [14, 17, 20, 23],
    [13, 16, 19, 22],
    [12, 15, 18, 21],
    [12, 14, 17, 20],
    [11, 14, 16, 19],
    [11, 13, 15, 18],
    [10, 12, 15, 17],
    [10, 12, 14, 16],
    [9, 11, 13, 15],
    [9, 11, 12, 14],
    [8, 10, 12, 14],
    [8, 9, 11, 13],
    [7, 9, 11, 12],
    [7, 9, 10, 12],
    [7, 8, 10, 11],
    [6, 8, 9, 11],
    [6, 7, 9, 10],
    [6, 7, 8, 9],
];

/// The state that context 11 starts in at [`Syntax::SKIP_QP`] with `cabac_init_idc` 0: m = 23, n = 33.
const FIRST_STATE: i32 = ((23 * Syntax::SKIP_QP) >> 4) + 33 - 64;
const _: () = assert!(FIRST_STATE + RANGE_LPS.len() as i32 == 63, "the table starts at the first state");

/// The CABAC bytes of `count` skipped macroblocks that make up a whole slice, `rbsp_trailing_bits` included.
pub(super) fn skip_run(count: u32) -> Vec<u8> {
    assert!(count > 0, "a slice has at least one macroblock");
    let mut coder = Coder::new();
    let mut state = 0;
    for left in (0..count).rev() {
        coder.most_probable(RANGE_LPS[state]);
        state = (state + 1).min(RANGE_LPS.len() - 1);
        coder.range -= 2;
        if left > 0 {
            coder.renormalise();
        }
    }
    coder.finish()
}

/// The arithmetic encoder of H.264 9.3.4.2, without the paths that a run never takes.
struct Coder {
    low: u32,
    range: u32,
    first: bool,
    outstanding: u32,
    bytes: Vec<u8>,
    filled: u32,
}

impl Coder {
    fn new() -> Self {
        Self { low: 0, range: 510, first: true, outstanding: 0, bytes: Vec::new(), filled: 0 }
    }

    fn most_probable(&mut self, lps: [u32; 4]) {
        self.range -= lps[(self.range >> 6 & 3) as usize];
        self.renormalise();
    }

    fn renormalise(&mut self) {
        while self.range < 256 {
            if self.low < 256 {
                self.put(false);
            } else if self.low >= 512 {
                self.low -= 512;
                self.put(true);
            } else {
                self.low -= 256;
                self.outstanding += 1;
            }
            self.range <<= 1;
            self.low <<= 1;
        }
    }

    /// Codes the end of the slice; its last bit is the stop bit of the slice.
    fn finish(mut self) -> Vec<u8> {
        self.low += self.range;
        self.range = 2;
        self.renormalise();
        self.put(self.low >> 9 & 1 == 1);
        self.write(self.low >> 8 & 1 == 1);
        self.write(true);
        self.bytes
    }

    fn put(&mut self, bit: bool) {
        if self.first {
            self.first = false;
        } else {
            self.write(bit);
        }
        for _ in 0..std::mem::take(&mut self.outstanding) {
            self.write(!bit);
        }
    }

    fn write(&mut self, bit: bool) {
        if self.filled.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (7 - self.filled % 8);
        }
        self.filled += 1;
    }
}
