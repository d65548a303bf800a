//! One coded picture, written slice by slice in raster order.

use std::collections::BTreeMap;

use super::bits::nals;
use super::layout::Grid;
use super::skip::skip_run;
use super::slice::{Numbers, Syntax};

/// The coding of skip runs, kept by length: a stream uses few different ones.
#[derive(Debug, Default)]
pub(super) struct SkipRuns(BTreeMap<u32, Vec<u8>>);

impl SkipRuns {
    /// Kept lengths at most. A plan uses two or three per rectangle; wandering damage many.
    const KEPT: usize = 256;

    fn of(&mut self, count: u32) -> &[u8] {
        if self.0.len() >= Self::KEPT {
            self.0.clear();
        }
        self.0.entry(count).or_insert_with(|| skip_run(count))
    }
}

/// Writes the slices of one picture.
pub(super) struct Picture<'a> {
    pub grid: Grid,
    pub syntax: Syntax,
    pub numbers: Numbers,
    pub runs: &'a mut SkipRuns,
    pub out: &'a mut Vec<u8>,
    /// The macroblock after the last one written.
    pub next: u32,
}

impl Picture<'_> {
    /// All slices of a picture that x264 encoded whole.
    pub(super) fn whole(&mut self, bytes: &[u8]) {
        for nal in nals(bytes) {
            self.syntax.moved(nal, None, self.numbers, self.out);
        }
        self.next = self.grid.macroblocks();
    }

    /// A slice of `count` macroblocks at `first_mb`, and before it a run that skips what lies between.
    pub(super) fn slice(&mut self, nal: &[u8], first_mb: u32, count: u32) {
        self.skip_to(first_mb);
        self.syntax.moved(nal, Some(first_mb), self.numbers, self.out);
        self.next = first_mb + count;
    }

    /// Skips all that is left.
    pub(super) fn finish(&mut self) {
        self.skip_to(self.grid.macroblocks());
    }

    fn skip_to(&mut self, first_mb: u32) {
        if first_mb > self.next {
            let run = self.runs.of(first_mb - self.next);
            self.syntax.skipped(self.next, run, self.numbers, self.out);
            self.next = first_mb;
        }
    }
}
