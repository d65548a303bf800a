//! Word marks against the sound they belong to, in voices that tell times and in one that does not.
//!
//! What is checked needs no recogniser: that nothing sounds in a marked pause, that sound begins where a word behind a
//! pause is marked, that words lie within the sound, in order, without overlap, and that within running speech a word that
//! begins with a hiss (s, sh) begins where the hiss rises out of the vowel before it. The weights of the neural voices are
//! fetched by the set-up.

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

use compere_speech::{NoCache, Script, Utterance, Voices, speak};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Samples of a hundredth and of a thousandth of a second at 48 kHz.
const WINDOW: usize = 240;
const MILLISECOND: usize = 48;

fn spoken(id: &str, text: &str) -> Utterance {
    let assets = std::env::var_os("COMPERE_ASSETS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from);
    let voices = Voices::open(&assets, 2);
    let info = voices.list().into_iter().find(|info| info.id == id);
    let missing = info.map_or(Some(format!("there is no voice {id}")), |info| info.missing);
    assert_eq!(missing, None, "voice {id}");
    let voice = voices.get(id).unwrap();
    speak(&Script::plain(text), &*voice, &NoCache, &mut |_| ControlFlow::Continue(()), 2).unwrap().utterance
}

struct Heard {
    levels: Vec<f32>,
    loudest: f32,
}

impl Heard {
    /// Levels every millisecond over windows of five.
    fn of(samples: &[f32]) -> Self {
        let level = |at: usize| {
            let window = &samples[at..(at + WINDOW).min(samples.len())];
            (window.iter().map(|sample| sample * sample).sum::<f32>() / window.len().max(1) as f32).sqrt()
        };
        let levels: Vec<f32> = (0..samples.len()).step_by(MILLISECOND).map(level).collect();
        let loudest = levels.iter().copied().fold(0.0, f32::max);
        Self { levels, loudest }
    }

    fn sounds(&self, millisecond: usize) -> bool {
        self.levels.get(millisecond).is_some_and(|level| *level > self.loudest * 0.015)
    }
}

/// By how many milliseconds the sound begins away from the mark of each word behind a pause; positive: later.
fn onsets(id: &str, utterance: &Utterance, shortest_pause: usize) -> Vec<i64> {
    let heard = Heard::of(utterance.sound.samples());
    let words = &utterance.marks.words;
    let milliseconds = |samples: u64| samples as usize / MILLISECOND;
    let mut errors = Vec::new();
    let mut before = 0;
    for (at, word) in words.iter().enumerate() {
        assert!(word.span.start < word.span.end, "{id}: `{}` lasts no time", word.text);
        assert!(word.span.end <= utterance.sound.len(), "{id}: `{}` ends behind the sound", word.text);
        let (from, to) = (milliseconds(before), milliseconds(word.span.start));
        assert!(from <= to, "{id}: `{}` overlaps the word before it", word.text);
        if at > 0 && to - from >= shortest_pause {
            // The middle of a pause is silent.
            let (early, late) = (from + (to - from) / 3, to - (to - from) / 3);
            assert!(
                (early..late).all(|at| !heard.sounds(at)),
                "{id}: something sounds in the pause before `{}`",
                word.text
            );
            let onset = (late..to + 200).find(|at| heard.sounds(*at)).unwrap_or(to + 200);
            errors.push(onset as i64 - to as i64);
        }
        before = word.span.end;
    }
    errors
}

/// Where treble rises beside each word that follows a vowel with a hiss, away from its mark in milliseconds; positive:
/// later.
fn hisses(utterance: &Utterance) -> Vec<i64> {
    // Differences of differences: what is above some kilohertz, which vowels have little of.
    let treble: Vec<f32> =
        utterance.sound.samples().windows(3).map(|three| three[0] - 2.0 * three[1] + three[2]).collect();
    let levels = Heard::of(&treble).levels;
    let decibels = |from: usize, to: usize| {
        let window = &levels[from.min(levels.len())..to.min(levels.len())];
        20.0 * (window.iter().sum::<f32>() / window.len().max(1) as f32 + 1e-7).log10()
    };
    let mut errors = Vec::new();
    for pair in utterance.marks.phonemes.windows(2) {
        let (vowel, hiss) = (&pair[0], &pair[1]);
        let begins = utterance.marks.words.iter().any(|word| word.span.start == hiss.span.start);
        let open = vowel.ipa.chars().next().is_some_and(|first| "aeiouæɑɐɒɔəɚɛɜɝɪʊʌAIOWYQ".contains(first));
        if !begins || !open || !matches!(&*hiss.ipa, "s" | "ʃ") || vowel.span.end != hiss.span.start {
            continue;
        }
        let mark = hiss.span.start as usize / MILLISECOND;
        let end = hiss.span.end as usize / MILLISECOND;
        let within = (mark + end) / 2;
        let (quiet, loud) = (decibels(mark.saturating_sub(90), mark.saturating_sub(50)), decibels(within, within + 20));
        let half = (quiet + loud) / 2.0;
        let from = mark.saturating_sub(150);
        let rise = (from..mark + 150)
            .rev()
            .find(|at| decibels(*at, at + 5) < half && decibels(at + 5, at + 10) >= half && *at < within);
        errors.push(rise.map_or(150, |at| at as i64 + 5 - mark as i64));
    }
    errors
}

/// The value that all but `percent` of the sizes stay below.
fn percentile(errors: &[i64], percent: usize) -> i64 {
    let mut sizes: Vec<i64> = errors.iter().map(|error| error.abs()).collect();
    sizes.sort_unstable();
    sizes[(sizes.len() * percent).div_ceil(100) - 1]
}

#[track_caller]
fn check(voices: &[(&str, &str)], shortest_pause: usize, worst: i64) {
    let mut errors = Vec::new();
    for (id, text) in voices {
        let utterance = spoken(id, text);
        errors.extend(onsets(id, &utterance, shortest_pause));
    }
    assert!(errors.len() >= 6, "only {} pauses", errors.len());
    let p95 = percentile(&errors, 95);
    assert!(p95 <= worst, "words behind pauses are off by {p95} ms: {errors:?}");
}

const ENGLISH: &str =
    "Pack my box, please. Then take it to them, if you can; she waits! Who knows? Nobody does, I fear.";

#[test]
fn neural_voices_begin_words_where_they_are_marked() {
    check(
        &[
            ("af_bella", ENGLISH),
            ("bm_george", ENGLISH),
            ("ff_siwis", "Bonjour, tout va bien. Voici la suite, enfin; merci!"),
            ("ef_dora", "Hola, todo bien. Aquí está, por fin; gracias."),
        ],
        60,
        40,
    );
}

/// Words within speech, where nothing is silent.
#[test]
fn words_that_hiss_begin_where_the_hiss_does() {
    let english = "You see the sea so soon. We say the same to Sue. I saw a ship by the shore, so show me a sailor. \
        They sell a sofa, two shoes, a salad, the soup. Go silently, you should stay so. He sent three seats to Sarah.";
    let mut errors = Vec::new();
    for voice in ["af_heart", "am_michael", "bf_emma"] {
        let utterance = spoken(voice, english);
        errors.extend(hisses(&utterance));
    }
    assert!(errors.len() >= 36, "only {} hisses", errors.len());
    let p95 = percentile(&errors, 95);
    assert!(p95 <= 40, "words that hiss are off by {p95} ms: {errors:?}");
}

#[test]
fn voices_of_languages_without_spaces_do_too() {
    check(
        &[
            ("zf_xiaobei", "大家好，今天天气很好。我们去公园，然后回家；再见！明天，如果下雨，就不去。"),
            ("jf_alpha", "こんにちは、今日は良い天気です。公園に行って、帰ります。明日、雨なら、行きません。"),
        ],
        60,
        40,
    );
}

/// espeak-ng tells no times: its marks are found in its pauses, so at least those hold.
#[test]
fn espeak_begins_words_behind_pauses_where_they_are_marked() {
    let german = "Guten Tag, wir beginnen. Danach, wenn alle da sind, geht es weiter. Gut!";
    check(&[("espeak-en-us", ENGLISH), ("espeak-de-female", german)], 120, 60);
}
