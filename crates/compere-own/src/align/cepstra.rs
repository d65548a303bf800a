//! What a sound is like, every five milliseconds, whoever speaks: mel cepstra with their slopes, freed of the speaker's
//! mean and spread.

use compere_media::math;
use compere_speech::sound::resample::resample;

use super::fft::Fft;
use crate::maths::percentile;

/// Rows a second.
pub(super) const ROWS: f64 = 200.0;
const RATE: u32 = 16_000;
/// 25 ms windows every 5 ms.
const WINDOW: usize = 400;
const HOP: usize = 80;
const POINTS: usize = 512;
const MELS: usize = 40;
const CEPSTRA: usize = 13;
/// Numbers in a row: cepstra, slopes and zeros up to a whole number of vectors.
pub(super) const WIDTH: usize = 32;
/// What slopes weigh beside cepstra.
const SLOPES: f32 = 0.7;

pub(super) type Row = [f32; WIDTH];

/// A recording as the aligner hears it.
#[derive(Clone, Debug)]
pub(super) struct Cepstra {
    pub(super) rows: Vec<Row>,
    /// Decibels.
    pub(super) levels: Vec<f32>,
}

impl Cepstra {
    /// Of mono samples at 48 kHz.
    pub(super) fn of(samples: &[f32]) -> Self {
        let power = spectra(&emphasised(&resample(samples, compere_media::SAMPLE_RATE, RATE)));
        let mean = |row: &Vec<f32>| row.iter().sum::<f32>() / row.len() as f32;
        let levels: Vec<f32> = power.iter().map(|row| 10.0 * math::log10f(mean(row) + 1e-10)).collect();
        let loud = loud(&levels);
        let mut cepstra = cepstra(&power);
        normalise(&mut cepstra, &loud, true);
        let mut slopes = slopes(&cepstra);
        normalise(&mut slopes, &loud, false);
        let rows = cepstra.iter().zip(&slopes).map(|(cepstra, slopes)| {
            let mut row = [0.0; WIDTH];
            row[..CEPSTRA].copy_from_slice(cepstra);
            for (to, slope) in row[CEPSTRA..].iter_mut().zip(slopes) {
                *to = SLOPES * slope;
            }
            row
        });
        Self { rows: rows.collect(), levels }
    }

    /// Decibels between the quiet and the loud.
    pub(super) fn span(&self) -> f32 {
        percentile(&self.levels, 0.95) - percentile(&self.levels, 0.05)
    }
}

type Coefficients = [f32; CEPSTRA];

/// Treble raised, so that it counts.
fn emphasised(samples: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; WINDOW / 2];
    let mut before = 0.0;
    for (at, &sample) in samples.iter().enumerate() {
        out.push(if at == 0 { sample } else { sample - 0.97 * before });
        before = sample;
    }
    out.resize(out.len() + WINDOW / 2, 0.0);
    out.resize(out.len().max(WINDOW), 0.0);
    out
}

/// Power at each frequency, a row per hop.
fn spectra(samples: &[f32]) -> Vec<Vec<f32>> {
    let fft = Fft::new(POINTS);
    let turn = std::f64::consts::TAU / (WINDOW - 1) as f64;
    let window: Vec<f32> = (0..WINDOW).map(|n| (0.54 - 0.46 * math::cos(turn * n as f64)) as f32).collect();
    let starts = (0..=samples.len() - WINDOW).step_by(HOP);
    starts
        .map(|start| {
            let mut re = vec![0.0; POINTS];
            for ((to, sample), weight) in re.iter_mut().zip(&samples[start..]).zip(&window) {
                *to = sample * weight;
            }
            fft.power(re)
        })
        .collect()
}

/// Rows that are speech rather than room.
fn loud(levels: &[f32]) -> Vec<bool> {
    let loudest = levels.iter().copied().fold(f32::MIN, f32::max);
    let limit = (percentile(levels, 0.05) + 6.0).max(loudest - 40.0).min(loudest - 0.1);
    levels.iter().map(|level| *level > limit).collect()
}

fn cepstra(power: &[Vec<f32>]) -> Vec<Coefficients> {
    let bank = bank();
    let heard: Vec<Vec<f32>> = power.iter().map(|row| bank.iter().map(|filter| filter.of(row)).collect()).collect();
    // A floor 30 dB down hides noise and room.
    let sum: f64 = heard.iter().flatten().map(|&energy| f64::from(energy)).sum();
    let floor = (sum / (heard.len() * MELS).max(1) as f64 * 1e-3) as f32 + 1e-20;
    let cosines = cosines();
    let transformed = heard.iter().map(|row| {
        let logs: Vec<f32> = row.iter().map(|energy| math::logf(energy + floor)).collect();
        std::array::from_fn(|k| cosines[k].iter().zip(&logs).map(|(a, b)| a * b).sum())
    });
    transformed.collect()
}

/// One triangle over the frequencies.
struct Filter {
    first: usize,
    weights: Vec<f32>,
}

impl Filter {
    fn of(&self, power: &[f32]) -> f32 {
        self.weights.iter().zip(&power[self.first..]).map(|(weight, power)| weight * power).sum()
    }
}

fn bank() -> Vec<Filter> {
    let mel = |hertz: f64| 2595.0 * math::log10(1.0 + hertz / 700.0);
    let hertz = |mel: f64| 700.0 * (math::pow(10.0, mel / 2595.0) - 1.0);
    let (low, high) = (mel(80.0), mel(7600.0));
    let edge = |n: usize| hertz(low + (high - low) * n as f64 / (MELS + 1) as f64);
    let filter = |n: usize| {
        let (a, b, c) = (edge(n), edge(n + 1), edge(n + 2));
        let weight = |bin: usize| {
            let at = bin as f64 * f64::from(RATE) / POINTS as f64;
            ((at - a) / (b - a)).min((c - at) / (c - b)).max(0.0) as f32
        };
        let bins: Vec<usize> = (0..=POINTS / 2).filter(|&bin| weight(bin) > 0.0).collect();
        let first = bins.first().copied().unwrap_or(0);
        Filter { first, weights: bins.iter().map(|&bin| weight(bin)).collect() }
    };
    (0..MELS).map(filter).collect()
}

/// The orthonormal cosine transform.
fn cosines() -> Vec<Vec<f32>> {
    let n = MELS as f64;
    let row = |k: usize| {
        let scale = if k == 0 { (1.0 / n).sqrt() } else { (2.0 / n).sqrt() };
        let value = |i: usize| scale * math::cos(std::f64::consts::PI * k as f64 * (2.0 * i as f64 + 1.0) / (2.0 * n));
        (0..MELS).map(|i| value(i) as f32).collect()
    };
    (0..CEPSTRA).map(row).collect()
}

/// Change over twenty milliseconds to both sides.
fn slopes(rows: &[Coefficients]) -> Vec<Coefficients> {
    let last = rows.len().saturating_sub(1);
    let slope = |at: usize| {
        std::array::from_fn(|k| {
            let step = |n: usize| n as f32 * (rows[(at + n).min(last)][k] - rows[at.saturating_sub(n)][k]);
            (1..=4).map(step).sum()
        })
    };
    (0..rows.len()).map(slope).collect()
}

/// Mean 0 (if `centre`) and spread 1 over the rows that count.
fn normalise(rows: &mut [Coefficients], counts: &[bool], centre: bool) {
    let number = counts.iter().filter(|counts| **counts).count().max(1) as f64;
    for k in 0..CEPSTRA {
        let values = || rows.iter().zip(counts).filter(|(_, counts)| **counts).map(|(row, _)| f64::from(row[k]));
        let mean = values().sum::<f64>() / number;
        let spread = (values().map(|value| (value - mean) * (value - mean)).sum::<f64>() / number).sqrt();
        let (mean, spread) = (if centre { mean as f32 } else { 0.0 }, spread as f32 + 1e-6);
        for row in rows.iter_mut() {
            row[k] = (row[k] - mean) / spread;
        }
    }
}
