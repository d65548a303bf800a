//! Signals as rows: one row for each moment, all its channels side by side.

use rayon::prelude::*;

/// Rows that a thread takes at a time. Sums are made per tile and then in order, so they do not depend on the threads.
pub const TILE: usize = 512;

/// Of the variance, so that a silent channel stays silent.
const EPSILON: f64 = 1e-5;

/// Sum and sum of squares of each channel.
#[derive(Clone)]
pub struct Spread {
    rows: usize,
    sums: Vec<f32>,
    squares: Vec<f32>,
    total: Vec<(f64, f64)>,
}

impl Spread {
    pub fn new(channels: usize) -> Self {
        Self { rows: 0, sums: vec![0.0; channels], squares: vec![0.0; channels], total: Vec::new() }
    }

    pub fn take(&mut self, row: &[f32]) {
        self.rows += 1;
        for ((value, sum), square) in row.iter().zip(&mut self.sums).zip(&mut self.squares) {
            *sum += value;
            *square += value * value;
        }
    }

    pub fn total(channels: usize, tiles: &[Self]) -> Self {
        let mut total = vec![(0.0, 0.0); channels];
        for tile in tiles {
            for ((sum, square), (more, squares)) in total.iter_mut().zip(tile.sums.iter().zip(&tile.squares)) {
                *sum += f64::from(*more);
                *square += f64::from(*squares);
            }
        }
        let rows = tiles.iter().map(|tile| tile.rows).sum();
        Self { rows, sums: Vec::new(), squares: Vec::new(), total }
    }

    /// Mean and standard deviation.
    pub fn of(&self, channel: usize) -> (f64, f64) {
        let (sum, squares) = self.total[channel];
        let mean = sum / self.rows as f64;
        let variance = (squares / self.rows as f64 - mean * mean).max(0.0);
        (mean, (variance + EPSILON).sqrt())
    }
}

/// From channel after channel to moment after moment.
pub fn to_rows(signal: &[f32], channels: usize) -> Vec<f32> {
    let len = signal.len() / channels;
    let mut rows = vec![0.0; signal.len()];
    rows.par_chunks_mut(16 * channels).enumerate().for_each(|(tile, rows)| {
        let from = tile * 16;
        for (channel, signal) in signal.chunks_exact(len).enumerate() {
            for (at, value) in signal[from..].iter().take(rows.len() / channels).enumerate() {
                rows[at * channels + channel] = *value;
            }
        }
    });
    rows
}

/// And back.
pub fn to_channels(rows: &[f32], channels: usize) -> Vec<f32> {
    let len = rows.len() / channels;
    let mut signal = vec![0.0; rows.len()];
    // Sixteen channels are a cache line of every row.
    signal.par_chunks_mut(16 * len).enumerate().for_each(|(tile, signal)| {
        for (at, row) in rows.chunks_exact(channels).enumerate() {
            for (channel, value) in row[tile * 16..].iter().take(16).enumerate() {
                signal[channel * len + at] = *value;
            }
        }
    });
    signal
}

pub fn add(to: &mut [f32], other: &[f32]) {
    to.par_chunks_mut(1 << 16).zip(other.par_chunks(1 << 16)).for_each(|(to, other)| {
        for (to, other) in to.iter_mut().zip(other) {
            *to += other;
        }
    });
}

pub fn spread(rows: &[f32], channels: usize) -> Spread {
    let tiles: Vec<Spread> = rows
        .par_chunks(TILE * channels)
        .map(|tile| {
            let mut spread = Spread::new(channels);
            for row in tile.chunks_exact(channels) {
                spread.take(row);
            }
            spread
        })
        .collect();
    Spread::total(channels, &tiles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_twice_changes_nothing() {
        let signal: Vec<f32> = (0..32 * 1025).map(|at| at as f32).collect();
        let rows = to_rows(&signal, 32);
        assert_eq!((rows[0], rows[1], rows[32]), (0.0, 1025.0, 1.0));
        assert_eq!(to_channels(&rows, 32), signal);
    }
}
