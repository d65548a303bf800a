//! Recorded speech in place of a voice: cleaned, as loud as our voices, with marks.
//!
//! With its text a recording is aligned. Without, the mouth follows its loudness: it opens on what sounds like a
//! syllable and closes in pauses, and knows no lips.

use compere_media::math;
use compere_media::{Marks, PhonemeMark, SAMPLE_RATE, SampleSpan, Sound, Stress};
use compere_speech::Utterance;
use compere_speech::sound::{finished, loudness};

use crate::align::{AlignError, Aligned, Reference, align, hearable};
use crate::maths::percentile;

/// What is below this is rumble, in hertz.
const RUMBLE: f64 = 70.0;
/// Decibels by which a recording is turned up or down at most.
const MOST: f64 = 30.0;
/// The voices' times differ by more than this where the recording says something else than the text, in seconds.
pub const DOUBTFUL: f32 = 0.12;
/// Rows of the envelope, in samples.
const STEP: usize = SAMPLE_RATE as usize / 100;
/// What stays of the room before and behind the speech, and how long it comes and goes, in samples.
const LEAD: u64 = SAMPLE_RATE as u64 / 20;
const TAIL: u64 = SAMPLE_RATE as u64 / 8;
const FADE: usize = SAMPLE_RATE as usize / 50;
/// Two syllables are at least this far apart, in steps.
const SYLLABLE: usize = 11;

/// Speech that somebody recorded.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub utterance: Utterance,
    /// What the author should know.
    pub warnings: Vec<String>,
}

/// A recording (mono, 48 kHz) of the text that the references speak.
pub fn recorded(samples: Vec<f32>, references: &[Reference]) -> Result<Recorded, AlignError> {
    let samples = cleaned(samples);
    let Aligned { marks, spread, .. } = align(&samples, references)?;
    let mut warnings = Vec::new();
    if spread > DOUBTFUL {
        let ms = (spread * 1000.0) as u32;
        warnings.push(format!(
            "the recording does not follow the text closely (times are uncertain by {ms} ms): lips and captions may be off"
        ));
    }
    Ok(Recorded { utterance: levelled(samples, marks), warnings })
}

/// A recording of nobody knows what.
pub fn recorded_without_text(samples: Vec<f32>) -> Result<Recorded, AlignError> {
    hearable(&samples)?;
    let samples = cleaned(samples);
    let marks = syllables(&samples);
    let warning = "there is no text to this recording: the mouth follows its loudness only, and there are no captions";
    Ok(Recorded { utterance: levelled(samples, marks), warnings: vec![warning.to_owned()] })
}

/// Without rumble and without an offset.
pub(crate) fn cleaned(mut samples: Vec<f32>) -> Vec<f32> {
    let turn = std::f64::consts::TAU * RUMBLE / f64::from(SAMPLE_RATE);
    let (cos, alpha) = (math::cos(turn), math::sin(turn) / std::f64::consts::SQRT_2);
    let scale = 1.0 + alpha;
    let (b0, b1) = ((1.0 + cos) / 2.0 / scale, -(1.0 + cos) / scale);
    let (a1, a2) = (-2.0 * cos / scale, (1.0 - alpha) / scale);
    let (mut x1, mut x2, mut y1, mut y2) = (0.0, 0.0, 0.0, 0.0);
    for sample in &mut samples {
        let x = f64::from(*sample);
        let y = b0 * x + b1 * x1 + b0 * x2 - a1 * y1 - a2 * y2;
        (x2, x1, y2, y1) = (x1, x, y1, y);
        *sample = y as f32;
    }
    samples
}

/// As loud as our voices, without the silence around it.
fn levelled(samples: Vec<f32>, marks: Marks) -> Utterance {
    let gain = loudness::loudness(&samples).map_or(1.0, |measured| {
        let wanted = (loudness::TARGET - measured).clamp(-MOST, MOST);
        math::pow(10.0, wanted / 20.0) as f32
    });
    finished(spoken_part(samples, marks), gain)
}

/// From just before the speech to just behind it. What is quiet there is a room, which no voice of ours has; what is loud
/// stays, even when no sound of the text was found in it.
fn spoken_part(mut samples: Vec<f32>, mut marks: Marks) -> Utterance {
    let levels = smoothed(&samples);
    let (floor, top) = (percentile(&levels, 0.05), percentile(&levels, 0.95));
    let limit = floor + 0.3 * (top - floor);
    let loud = |at: &usize| levels[*at] > limit;
    let marked = marks.phonemes.iter().map(|mark| mark.span);
    let first = marked.clone().map(|span| span.start).min().unwrap_or(u64::MAX);
    let last = marked.map(|span| span.end).max().unwrap_or(0);
    let first = first.min((0..levels.len()).find(loud).map_or(0, |at| (at * STEP) as u64));
    let last = last.max((0..levels.len()).rfind(loud).map_or(u64::MAX, |at| ((at + 1) * STEP) as u64));
    let start = first.saturating_sub(LEAD);
    let end = last.saturating_add(TAIL).clamp(start, samples.len() as u64);
    samples.truncate(end as usize);
    samples.drain(..start as usize);
    let words = marks.words.iter_mut().map(|mark| &mut mark.span);
    for span in marks.phonemes.iter_mut().map(|mark| &mut mark.span).chain(words) {
        span.start = span.start.clamp(start, end) - start;
        span.end = span.end.clamp(start, end) - start;
    }
    faded(&mut samples);
    Utterance { sound: Sound::new(1, samples), marks }
}

/// A room does not begin and end with a click.
fn faded(samples: &mut [f32]) {
    let len = FADE.min(samples.len() / 2);
    for n in 0..len {
        let part = (n as f32 + 0.5) / len as f32;
        samples[n] *= part;
        let behind = samples.len() - 1 - n;
        samples[behind] *= part;
    }
}

/// Decibels between what is loud and what is quiet.
pub(crate) fn loudness_over_floor(samples: &[f32]) -> f32 {
    let levels = smoothed(samples);
    percentile(&levels, 0.95) - percentile(&levels, 0.05)
}

/// Sounds of a mouth that only knows how loud it is.
pub(crate) fn syllables(samples: &[f32]) -> Marks {
    let smooth = smoothed(samples);
    let (floor, top) = (percentile(&smooth, 0.05), percentile(&smooth, 0.97));
    let limit = (floor + 8.0).max(top - 32.0).min(top - 3.0);
    let mut marks = Marks::default();
    let mut at = 0;
    while at < smooth.len() {
        if smooth[at] <= limit {
            at += 1;
            continue;
        }
        let end = (at..smooth.len()).find(|&next| smooth[next] <= limit).unwrap_or(smooth.len());
        if end - at >= 3 {
            sounds(&smooth, at, end, top, samples.len() as u64, &mut marks);
        }
        at = end;
    }
    marks
}

/// Decibels every ten milliseconds, over fifty.
fn smoothed(samples: &[f32]) -> Vec<f32> {
    let levels: Vec<f32> = samples.chunks(STEP).map(decibels).collect();
    let near = |at: usize| &levels[at.saturating_sub(2)..(at + 3).min(levels.len())];
    (0..levels.len()).map(|at| near(at).iter().sum::<f32>() / near(at).len() as f32).collect()
}

fn decibels(some: &[f32]) -> f32 {
    let power = some.iter().map(|sample| sample * sample).sum::<f32>() / some.len() as f32;
    10.0 * math::log10f(power + 1e-10)
}

/// Cuts one stretch of speech at its quietest places between syllables.
fn sounds(levels: &[f32], first: usize, end: usize, top: f32, len: u64, marks: &mut Marks) {
    let peaks = peaks(levels, first, end);
    let mut start = first;
    for (n, &peak) in peaks.iter().enumerate() {
        let stop = peaks.get(n + 1).map_or(end, |&next| quietest(levels, peak, next));
        let span = |a: usize, b: usize| SampleSpan { start: (a * STEP) as u64, end: ((b * STEP) as u64).min(len) };
        let ipa = match top - levels[peak] {
            d if d < 4.0 => "a",
            d if d < 9.0 => "ɛ",
            _ => "ə",
        };
        let onset = (start + 4).min(peak);
        for (part, ipa) in [(span(start, onset), "t"), (span(onset, stop), ipa)] {
            if !part.is_empty() {
                marks.phonemes.push(PhonemeMark { span: part, ipa: ipa.to_owned(), stress: Stress::None });
            }
        }
        start = stop;
    }
}

fn peaks(levels: &[f32], first: usize, end: usize) -> Vec<usize> {
    let highest = |at: usize| {
        let near = at.saturating_sub(SYLLABLE / 2).max(first)..(at + SYLLABLE / 2 + 1).min(end);
        near.clone().all(|other| levels[other] < levels[at] || (levels[other] == levels[at] && other >= at))
    };
    (first..end).filter(|&at| highest(at)).collect()
}

fn quietest(levels: &[f32], from: usize, to: usize) -> usize {
    (from..to).fold(from, |best, at| if levels[at] < levels[best] { at } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bursts of a hum on a quiet ground.
    fn bursts(at: &[(f64, f64)], gain: f32) -> Vec<f32> {
        let rate = f64::from(SAMPLE_RATE);
        let sample = |n: usize| {
            let t = n as f64 / rate;
            let on = at.iter().any(|&(from, to)| (from..to).contains(&t));
            let hum = math::sin(t * 180.0 * std::f64::consts::TAU) as f32;
            gain * hum * if on { 1.0 } else { 0.001 }
        };
        (0..(2.0 * rate) as usize).map(sample).collect()
    }

    #[test]
    fn a_mouth_without_a_text_opens_where_it_is_loud_and_closes_in_pauses() {
        let heard = recorded_without_text(bursts(&[(0.3, 0.5), (1.0, 1.4)], 0.2)).expect("it is heard");
        let marks = &heard.utterance.marks.phonemes;
        let seconds = |samples: u64| samples as f64 / f64::from(SAMPLE_RATE);
        // The silence before the first burst is cut but for a moment.
        let first = seconds(marks[0].span.start);
        assert!(first < 0.06, "{first}");
        let open = |t: f64| marks.iter().any(|m| (seconds(m.span.start)..seconds(m.span.end)).contains(&t));
        assert!(open(first + 0.1) && open(first + 0.9) && !open(first + 0.45), "{marks:?}");
        assert_eq!(heard.warnings.len(), 1);
    }

    #[test]
    fn quiet_and_loud_recordings_come_out_as_loud_as_a_voice() {
        for gain in [0.01, 0.9] {
            let heard = recorded_without_text(bursts(&[(0.2, 1.8)], gain)).expect("it is heard");
            let measured = loudness::loudness(heard.utterance.sound.samples()).expect("it is not silent");
            assert!((measured - loudness::TARGET).abs() < 0.6, "{gain}: {measured}");
        }
    }
}
