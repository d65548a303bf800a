//! What is stressed in speech that nobody knows the text of: syllables that are louder, higher and longer than those around.

use compere_media::{Marks, SAMPLE_RATE, SampleSpan, Stress};

use crate::maths::percentile;
use crate::recorded::{cleaned, syllables};

/// Seconds around a syllable in which others are compared with it.
const AROUND: f64 = 1.5;
/// What makes one step of stress: decibels, semitones, and how much longer, as a part.
const LOUDER: f32 = 6.0;
const HIGHER: f32 = 5.0;
const LONGER: f32 = 0.6;
/// Steps above those around from which on a syllable is stressed a little, and wholly: most are, in the texts that it was measured by.
const STRESSED: [f32; 2] = [-1.0, -0.4];
/// Samples over whose mean, taken twice, hissing goes and voice stays.
const HISS: usize = 12;
/// Pitch is looked for in every so many samples, in windows of so many of those, for these in hertz.
const COARSE: usize = 6;
const WINDOW: usize = 400;
const PITCHES: [f64; 2] = [70.0, 400.0];
/// Less of a window that is like itself a period later has no pitch.
const VOICED: f32 = 0.5;

/// The syllables of a recording (mono, 48 kHz) as marks, with what stress is heard of them.
pub(crate) fn heard(samples: &[f32]) -> Marks {
    let samples = voiced(&cleaned(samples.to_vec()));
    let mut marks = syllables(&samples);
    let at: Vec<usize> = (0..marks.phonemes.len()).filter(|&n| marks.phonemes[n].ipa != "t").collect();
    let cores: Vec<Core> = at.iter().map(|&n| Core::of(&samples, marks.phonemes[n].span)).collect();
    for (core, n) in cores.iter().zip(at) {
        let steps = core.above(&cores);
        marks.phonemes[n].stress = match () {
            () if steps > STRESSED[1] => Stress::Primary,
            () if steps > STRESSED[0] => Stress::Secondary,
            () => Stress::None,
        };
    }
    marks
}

/// Without hissing, which is loud and no syllable.
fn voiced(samples: &[f32]) -> Vec<f32> {
    let calmer = |samples: &[f32]| -> Vec<f32> {
        samples.windows(HISS).map(|some| some.iter().sum::<f32>() / HISS as f32).collect()
    };
    calmer(&calmer(samples))
}

/// What is heard of one syllable.
struct Core {
    middle: f64,
    seconds: f32,
    decibels: f32,
    /// In semitones; of what has no pitch none.
    pitch: Option<f32>,
}

impl Core {
    fn of(samples: &[f32], span: SampleSpan) -> Self {
        let (start, end) = (span.start as usize, (span.end as usize).min(samples.len()));
        let some = &samples[start.min(end)..end];
        let power = some.iter().map(|sample| sample * sample).sum::<f32>() / some.len().max(1) as f32;
        let middle = (start + end) as f64 / 2.0;
        Self {
            middle: middle / f64::from(SAMPLE_RATE),
            seconds: some.len() as f32 / SAMPLE_RATE as f32,
            decibels: 10.0 * compere_media::math::log10f(power + 1e-10),
            pitch: pitch(samples, middle as usize),
        }
    }

    /// How many steps of stress it is above those around it.
    fn above(&self, all: &[Self]) -> f32 {
        let near: Vec<&Self> = all.iter().filter(|other| (other.middle - self.middle).abs() < AROUND).collect();
        let usual = |of: &dyn Fn(&Self) -> Option<f32>| {
            percentile(&near.iter().filter_map(|core| of(core)).collect::<Vec<_>>(), 0.5)
        };
        let louder = (self.decibels - usual(&|core| Some(core.decibels))) / LOUDER;
        let longer = (self.seconds / usual(&|core| Some(core.seconds)).max(0.01) - 1.0) / LONGER;
        let higher = self.pitch.map_or(0.0, |pitch| (pitch - usual(&|core| core.pitch)) / HIGHER);
        louder.clamp(-1.5, 1.5) + longer.clamp(-1.0, 1.0) + higher.clamp(-1.5, 1.5)
    }
}

/// The pitch around a sample, in semitones above one hertz.
fn pitch(samples: &[f32], middle: usize) -> Option<f32> {
    let rate = f64::from(SAMPLE_RATE) / COARSE as f64;
    let lags = (rate / PITCHES[1]) as usize..=(rate / PITCHES[0]) as usize;
    let first = middle.saturating_sub((WINDOW + lags.end()) / 2 * COARSE);
    let coarse: Vec<f32> = samples[first.min(samples.len())..]
        .chunks_exact(COARSE)
        .take(WINDOW + lags.end())
        .map(|some| some.iter().sum::<f32>() / COARSE as f32)
        .collect();
    if coarse.len() < WINDOW + lags.end() {
        return None;
    }
    let product = |lag: usize| coarse[..WINDOW].iter().zip(&coarse[lag..]).map(|(a, b)| a * b).sum::<f32>();
    let power = |from: usize| coarse[from..from + WINDOW].iter().map(|a| a * a).sum::<f32>();
    let own = power(0);
    let alike = |lag: usize| product(lag) / (own * power(lag)).sqrt().max(1e-9);
    let likes: Vec<(usize, f32)> = lags.map(|lag| (lag, alike(lag))).collect();
    let most = likes.iter().map(|one| one.1).fold(0.0, f32::max);
    // Two periods are as like as one.
    let lag = likes.iter().find(|one| most > VOICED && one.1 > 0.9 * most)?.0;
    Some(12.0 * compere_media::math::log2f((rate / lag as f64) as f32))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use compere_speech::{NoCache, Script, Voices, speak};

    use super::*;
    use crate::accents::Accents;
    use crate::bank::moment;
    use crate::maths::correlation;
    use crate::testing::assets;
    use crate::tongue::Tongue;

    /// How the weight of a speech goes with what its text says, and the part of the time in which both agree on whether
    /// something is said.
    fn like(known: &Marks, other: &Marks, frames: u64) -> [f64; 2] {
        let [known, other] = [known, other].map(Accents::of);
        let weight = |of: &Accents| (0..frames).map(|n| f64::from(of.around(moment(n))[7])).collect::<Vec<_>>();
        let agree = (0..frames).filter(|&n| known.is_spoken(moment(n)) == other.is_spoken(moment(n))).count();
        [correlation(&weight(&known), &weight(&other)), agree as f64 / frames as f64]
    }

    #[test]
    fn stress_is_heard_where_the_text_has_it() {
        let voices = Voices::open(&assets(), 2);
        let (mut sums, mut count) = ([0.0; 3], 0.0);
        for id in ["am_fenrir", "bf_emma", "bm_george"] {
            let voice = voices.get(id).expect("a voice");
            for line in [3, 11, 17, 24] {
                let text = Tongue::english().lines().nth(line).expect("a line");
                let mut on = |_| ControlFlow::Continue(());
                let spoken = speak(&Script::plain(text), &*voice, &NoCache, &mut on, 2).expect("spoken").utterance;
                let samples = spoken.sound.samples();
                let frames = samples.len() as u64 * 30 / u64::from(SAMPLE_RATE);
                let ear = heard(samples);
                let mut flat = syllables(&cleaned(samples.to_vec()));
                flat.phonemes.iter_mut().for_each(|mark| mark.stress = Stress::Primary);
                let [weight, agree] = like(&spoken.marks, &ear, frames);
                let [plain, _] = like(&spoken.marks, &flat, frames);
                sums.iter_mut().zip([weight, agree, plain]).for_each(|(sum, one)| *sum += one);
                count += 1.0;
            }
        }
        let [weight, agree, plain] = sums.map(|sum| sum / count);
        println!("stress by ear and by text: {weight:.2}; of loudness alone {plain:.2}; both speak or not: {agree:.3}");
        assert!(weight > 0.35 && weight > 1.1 * plain && agree > 0.88, "{weight} {plain} {agree}");
    }

    #[test]
    fn a_pitch_is_found_in_a_hum_and_none_in_noise() {
        let hum = |hertz: f64| -> Vec<f32> {
            let at = |n: usize| compere_media::math::sin(n as f64 * hertz / 48_000.0 * std::f64::consts::TAU) as f32;
            (0..9600).map(at).collect()
        };
        let apart = pitch(&hum(240.0), 4800).expect("a pitch") - pitch(&hum(120.0), 4800).expect("a pitch");
        assert!((apart - 12.0).abs() < 0.3, "{apart} semitones");
        let mut dice = crate::maths::Dice(2);
        let noise: Vec<f32> = (0..9600).map(|_| dice.normal() as f32).collect();
        assert_eq!(pitch(&noise, 4800), None);
    }
}
