//! Signals as rows: one row for each moment, all its channels side by side.

use super::layer::Spread;
use rayon::prelude::*;

/// Rows that a thread takes at a time. Sums are made per tile and then in order, so they do not depend on the threads.
pub const TILE: usize = 512;

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
