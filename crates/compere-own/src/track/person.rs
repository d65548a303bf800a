//! Where a person is in a picture, coarsely: a network that knows people from what is behind them.

use compere_media::{Frame, Rect};

use super::net::{Net, NetError};
use super::see;

/// Cells of an answer along either side, whatever was looked at.
pub(crate) const CELLS: usize = 256;

#[derive(Debug)]
pub(crate) struct Segmenter {
    net: Net,
}

impl Segmenter {
    pub(super) fn load(file: &[u8]) -> Result<Self, NetError> {
        Ok(Self { net: Net::load(file, &[0])? })
    }

    /// How surely each cell of a part of the picture shows a person, from 0 to 1.
    pub(crate) fn look(&self, frame: &Frame, part: Rect) -> Result<Vec<f32>, NetError> {
        let corner = [part.x0 as f32, part.y0 as f32];
        let step = [part.width() as f32 / CELLS as f32, part.height() as f32 / CELLS as f32];
        let input = see::stretched(frame, corner, step, CELLS);
        Ok(self.net.run(input)?.swap_remove(0).numbers)
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests read files")]
mod tests {
    use super::*;
    use crate::testing::assets;
    use crate::track::face::tests::picture;

    /// Means over squares of twenty pixels, by the networks' own runtime (the PyPI package mediapipe 0.10.14) of the same
    /// picture, which enlarges its answer in its own way.
    #[test]
    fn a_person_is_where_the_networks_own_runtime_sees_one() {
        let segmenter = crate::track::segmenter(&assets().join("faces")).expect("the network");
        let frame = picture();
        let cells = segmenter.look(&frame, frame.bounds()).expect("it runs");
        let reference: Vec<f32> = include_str!("reference/person.txt")
            .split_ascii_whitespace()
            .map(|number| number.parse().expect("a number"))
            .collect();
        let (width, height) = (frame.width() as usize, frame.height() as usize);
        let at = |x: usize, y: usize| {
            let (fx, fy) = (x as f32 + 0.5, y as f32 + 0.5);
            let cell = |at: f32, side: usize| (at * CELLS as f32 / side as f32) as usize;
            cells[cell(fy, height) * CELLS + cell(fx, width)]
        };
        let mean = |n: usize| {
            let (left, top) = (n % (width / 20) * 20, n / (width / 20) * 20);
            (0..400).map(|k| at(left + k % 20, top + k / 20)).sum::<f32>() / 400.0
        };
        let off: Vec<f32> = reference.iter().enumerate().map(|(n, truth)| (mean(n) - truth).abs()).collect();
        let (most, all) = (off.iter().copied().fold(0.0, f32::max), off.iter().sum::<f32>() / off.len() as f32);
        println!("{all:.4} off in the mean, {most:.4} at most");
        assert_eq!(reference.len(), (width / 20) * (height / 20));
        assert!(all < 0.004 && most < 0.06, "{all} off in the mean, {most} at most");
    }
}
