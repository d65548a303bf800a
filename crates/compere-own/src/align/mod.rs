//! Where each phoneme and word of a known text lies in a recording, without a recogniser.
//!
//! Our own voices speak the same text with known marks; dynamic time warping of mel cepstra carries their marks over to
//! the recording, and several voices vote. What somebody says who leaves the text shows in the price of the warping and
//! in how far the voices disagree.

mod cepstra;
mod fft;
mod lines;
mod path;
mod words;

use compere_media::{Marks, PhonemeMark, SAMPLE_RATE, SampleSpan, WordMark};
use compere_speech::Utterance;

use crate::maths::percentile;
use cepstra::{Cepstra, ROWS, Row};
pub(crate) use lines::{Found, lines};
pub(crate) use words::ordered;

/// How many of the references vote: those that fit best.
const VOTERS: usize = 3;
/// Pauses longer than `LEAST` seconds are cut down to `KEPT` before two speakers are compared; nobody pauses alike.
const LEAST: f64 = 0.16;
const KEPT: f64 = 0.08;
/// Pauses are cut only where they can be heard: in decibels between quiet and loud.
const AUDIBLE: f32 = 25.0;
/// Seconds of silence inside a sound that are a pause, not part of it.
const SILENT: f64 = 0.13;

/// A voice of ours speaking the text.
#[derive(Clone, Debug)]
pub struct Reference {
    cepstra: Cepstra,
    marks: Marks,
}

impl Reference {
    pub fn new(utterance: &Utterance) -> Self {
        Self { cepstra: Cepstra::of(utterance.sound.samples()), marks: utterance.marks.clone() }
    }
}

/// A recording with its marks.
#[derive(Clone, Debug)]
pub struct Aligned {
    /// In samples of the recording.
    pub marks: Marks,
    /// How unlike the best reference the recording is, per 5 ms. Other words than the text's cost more.
    pub cost: f32,
    /// Seconds by which the voters' times differ, for nine boundaries of ten at most. Nothing with a single voter.
    pub spread: f32,
    /// Decibels between speech and the silence around it.
    pub loudness_over_floor: f32,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AlignError {
    #[error("there is no voice that could speak the text for comparison")]
    NoReference,
    #[error("the recording is shorter than a tenth of a second")]
    TooShort,
    #[error("the recording is silent")]
    Silent,
    #[error(
        "the recording lasts {recording:.1} s, the text takes about {text:.1} s: it must hold the whole text and nothing else"
    )]
    OtherLength { recording: f64, text: f64 },
}

/// Aligns a recording (mono, 48 kHz) to the text that the references speak.
///
/// All references must have been given the same text.
pub fn align(samples: &[f32], references: &[Reference]) -> Result<Aligned, AlignError> {
    hearable(samples)?;
    let recording = Cepstra::of(samples);
    check_length(&recording, references)?;
    let mut found: Vec<Carried<'_>> = references.iter().map(|reference| carry(reference, &recording)).collect();
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let best = found.first().ok_or(AlignError::NoReference)?;
    // Voices of another accent have other phonemes; only those that agree on what is said can vote on when.
    let same = |other: &Carried<'_>| other.times.len() == best.times.len() && alike(other.marks, best.marks);
    let voters: Vec<&Carried<'_>> = found.iter().filter(|other| same(other)).take(VOTERS).collect();
    let times: Vec<f64> = (0..best.times.len()).map(|at| median(voters.iter().map(|v| v.times[at]))).collect();
    let spread = (0..times.len()).map(|at| range(voters.iter().map(|v| v.times[at])) as f32);
    let spread = percentile(&spread.collect::<Vec<_>>(), 0.9);
    let marks = settled(best.marks, &times, samples.len() as u64, &recording);
    Ok(Aligned { marks, cost: best.cost, spread, loudness_over_floor: recording.span() })
}

/// Whether there is anything to be heard.
pub(crate) fn hearable(samples: &[f32]) -> Result<(), AlignError> {
    if samples.len() < SAMPLE_RATE as usize / 10 {
        return Err(AlignError::TooShort);
    }
    if samples.iter().all(|sample| sample.abs() < 1e-4) { Err(AlignError::Silent) } else { Ok(()) }
}

/// Marks of one reference in the recording's seconds: starts and ends of phonemes, then of words.
struct Carried<'a> {
    marks: &'a Marks,
    times: Vec<f64>,
    cost: f32,
}

fn check_length(recording: &Cepstra, references: &[Reference]) -> Result<(), AlignError> {
    let Some(reference) = references.first() else { return Err(AlignError::NoReference) };
    let heard = |cepstra: &Cepstra| squeezed(cepstra, true).len() as f64 / ROWS;
    let (recording, text) = (heard(recording), heard(&reference.cepstra));
    let slack = 1.5;
    if recording > 2.2 * text + slack || text > 2.2 * recording + slack {
        return Err(AlignError::OtherLength { recording, text });
    }
    Ok(())
}

fn alike(a: &Marks, b: &Marks) -> bool {
    a.phonemes.len() == b.phonemes.len() && a.phonemes.iter().zip(&b.phonemes).all(|(a, b)| a.ipa == b.ipa)
}

fn carry<'a>(reference: &'a Reference, recording: &Cepstra) -> Carried<'a> {
    let audible = reference.cepstra.span().min(recording.span()) > AUDIBLE;
    let (from, to) = (squeezed(&reference.cepstra, audible), squeezed(recording, audible));
    let pick = |cepstra: &Cepstra, at: &[usize]| at.iter().map(|&at| cepstra.rows[at]).collect::<Vec<Row>>();
    let found = path::path(&pick(&reference.cepstra, &from), &pick(recording, &to));
    let pairs = found.pairs.iter().map(|&(a, b)| (from[a as usize] as f64, to[b as usize] as f64));
    let curve = curve(pairs);
    let marks = &reference.marks;
    let spans = marks.phonemes.iter().map(|mark| mark.span).chain(marks.words.iter().map(|mark| mark.span));
    let times = spans.flat_map(|span| [span.start, span.end]).map(|sample| {
        let row = sample as f64 / f64::from(SAMPLE_RATE) * ROWS;
        along(&curve, row) / ROWS
    });
    Carried { marks, times: times.collect(), cost: found.cost }
}

/// The rows that stay when long pauses are cut down.
fn squeezed(cepstra: &Cepstra, audible: bool) -> Vec<usize> {
    let levels = &cepstra.levels;
    let mut stays = vec![true; levels.len()];
    if audible {
        let (floor, top) = (percentile(levels, 0.05), percentile(levels, 0.95));
        let limit = floor + (0.25 * (top - floor)).max(6.0);
        let half = (KEPT * ROWS / 2.0) as usize;
        for (first, end) in runs(levels.len(), |at| levels[at] < limit) {
            if (end - first) as f64 / ROWS > LEAST {
                let first = if first == 0 { 0 } else { first + half };
                let end = if end == levels.len() { end } else { end - half };
                stays[first..end].fill(false);
            }
        }
    }
    let kept: Vec<usize> = (0..levels.len()).filter(|&at| stays[at]).collect();
    if kept.is_empty() { (0..levels.len()).collect() } else { kept }
}

/// Stretches in which something holds.
fn runs(len: usize, holds: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in (0..len).filter(|&at| holds(at)) {
        match runs.last_mut() {
            Some(run) if run.1 == at => run.1 = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}

/// Each row of the reference once, with the mean of the recording's rows that belong to it.
fn curve(pairs: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut curve: Vec<(f64, f64, f64)> = Vec::new();
    for (from, to) in pairs {
        match curve.last_mut() {
            Some((last, sum, count)) if *last == from => (*sum, *count) = (*sum + to, *count + 1.0),
            _ => curve.push((from, to, 1.0)),
        }
    }
    curve.into_iter().map(|(from, sum, count)| (from, sum / count)).collect()
}

fn along(curve: &[(f64, f64)], at: f64) -> f64 {
    let next = curve.partition_point(|point| point.0 <= at);
    match (next.checked_sub(1).map(|before| curve[before]), curve.get(next)) {
        (Some(a), Some(&b)) => a.1 + (b.1 - a.1) * (at - a.0) / (b.0 - a.0),
        (Some(a), None) => a.1,
        (None, Some(b)) => b.1,
        (None, None) => at,
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

fn range(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
}

/// Marks in order and inside the recording, phonemes without the pauses that the recording makes and the text does not.
fn settled(marks: &Marks, times: &[f64], len: u64, recording: &Cepstra) -> Marks {
    let mut last = 0;
    let mut spans = times.chunks_exact(2).map(|pair| {
        let sample = |seconds: f64| ((seconds.max(0.0) * f64::from(SAMPLE_RATE)).round() as u64).min(len);
        SampleSpan { start: sample(pair[0]), end: sample(pair[1]) }
    });
    let mut ordered = |span: SampleSpan| {
        let start = span.start.max(last);
        last = span.end.max(start);
        SampleSpan { start, end: last }
    };
    let mut out = Marks::default();
    let silences = silences(recording);
    for (mark, span) in marks.phonemes.iter().zip(spans.by_ref()) {
        let span = voiced(ordered(span), &silences);
        out.phonemes.push(PhonemeMark { span, ..mark.clone() });
    }
    let mut last = 0;
    for (mark, span) in marks.words.iter().zip(spans) {
        let span = voiced(span, &silences);
        let start = span.start.max(last);
        last = span.end.max(start);
        out.words.push(WordMark { span: SampleSpan { start, end: last }, ..mark.clone() });
    }
    out
}

/// The recording's pauses, in samples.
fn silences(recording: &Cepstra) -> Vec<SampleSpan> {
    if recording.span() < AUDIBLE {
        return Vec::new();
    }
    let levels = &recording.levels;
    let (floor, top) = (percentile(levels, 0.05), percentile(levels, 0.95));
    let limit = floor + (0.2 * (top - floor)).max(6.0);
    let sample = |row: usize| (row as f64 / ROWS * f64::from(SAMPLE_RATE)) as u64;
    let long = |run: &(usize, usize)| (run.1 - run.0) as f64 / ROWS > SILENT;
    let runs = runs(levels.len(), |at| levels[at] < limit).into_iter().filter(long);
    runs.map(|(first, end)| SampleSpan { start: sample(first), end: sample(end) }).collect()
}

/// What is heard of a span: the longer part beside a pause.
fn voiced(span: SampleSpan, silences: &[SampleSpan]) -> SampleSpan {
    let mut span = span;
    for silence in silences {
        if silence.start >= span.end || span.start >= silence.end {
            continue;
        }
        let before = silence.start.saturating_sub(span.start);
        let after = span.end.saturating_sub(silence.end);
        if before == 0 && after == 0 {
            continue;
        }
        if before >= after {
            span.end = silence.start;
        } else {
            span.start = silence.end;
        }
    }
    span
}
