//! Phonemes as the lips see them.

use compere_media::math;
use compere_media::{Marks, SAMPLE_RATE};

/// What a sound asks of the mouth: open, spread, round, lips closed, lip on teeth, teeth close, tongue forward, silence.
pub(crate) const AXES: usize = 8;
/// Seconds around a picture at which it is asked.
pub(crate) const TAPS: [f64; 11] = [-0.24, -0.16, -0.10, -0.06, -0.03, 0.0, 0.03, 0.06, 0.10, 0.16, 0.24];
pub(crate) const CONTEXT: usize = AXES * TAPS.len();

type Asked = [f64; AXES];
pub(crate) type Context = [f32; CONTEXT];

const SILENCE: Asked = [0.0, 0.1, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0];

const SOUNDS: [(&str, Asked); 20] = [
    ("p b m", [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
    ("f v ɸ ʋ ɱ", [0.1, 0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0]),
    ("θ ð", [0.3, 0.1, 0.0, 0.0, 0.0, 0.3, 1.0, 0.0]),
    // A trill is one of the tongue: only the English r rounds the lips.
    ("t d n ɾ ɽ r ʈ ɖ ɳ ɲ", [0.25, 0.2, 0.0, 0.0, 0.0, 0.6, 0.5, 0.0]),
    ("l ʎ ɫ ɭ ɬ ɮ", [0.4, 0.1, 0.0, 0.0, 0.0, 0.3, 0.9, 0.0]),
    ("s z ts dz ɕ ʑ tɕ dʑ", [0.15, 0.4, 0.0, 0.0, 0.0, 1.0, 0.1, 0.0]),
    ("ʃ ʒ tʃ dʒ ʧ ʤ ʂ ʐ tʂ", [0.2, 0.0, 0.6, 0.0, 0.0, 1.0, 0.1, 0.0]),
    ("k ɡ g q ŋ ɴ h ɦ ħ ʔ c ɟ x ç χ ɣ ɰ ʁ ʀ", [0.35, 0.1, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0]),
    ("ɹ ɝ ɚ ɜ ɻ", [0.3, 0.0, 0.5, 0.0, 0.0, 0.3, 0.0, 0.0]),
    ("w ɥ", [0.1, 0.0, 1.0, 0.1, 0.0, 0.0, 0.0, 0.0]),
    ("j ʝ i ɪ ᵻ ɨ", [0.3, 1.0, 0.0, 0.0, 0.0, 0.4, 0.1, 0.0]),
    ("e ɛ", [0.6, 0.5, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0]),
    ("ə ɐ ɘ ɤ", [0.45, 0.2, 0.05, 0.0, 0.0, 0.1, 0.0, 0.0]),
    ("æ a", [0.9, 0.5, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0]),
    ("ʌ", [0.7, 0.2, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0]),
    ("ɑ ɒ", [1.0, 0.1, 0.05, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("ɔ o ɞ", [0.75, 0.0, 0.6, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("œ ø ɵ ɶ", [0.5, 0.1, 0.7, 0.0, 0.0, 0.1, 0.0, 0.0]),
    ("u ʊ y ʏ ʉ ɯ", [0.25, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    // The Spanish b between vowels: lips that come near each other and do not close.
    ("β", [0.1, 0.0, 0.1, 0.5, 0.0, 0.0, 0.0, 0.0]),
];

/// Sounds that begin as one and end as another.
const GLIDES: [(&str, [&str; 2]); 14] = [
    ("aɪ", ["a", "ɪ"]),
    ("eɪ", ["e", "ɪ"]),
    ("ɔɪ", ["ɔ", "ɪ"]),
    ("aʊ", ["a", "ʊ"]),
    ("oʊ", ["o", "ʊ"]),
    ("əʊ", ["ə", "ʊ"]),
    ("A", ["e", "ɪ"]),
    ("I", ["a", "ɪ"]),
    ("O", ["o", "ʊ"]),
    ("W", ["a", "ʊ"]),
    ("Y", ["ɔ", "ɪ"]),
    ("Q", ["ə", "ʊ"]),
    ("ai", ["a", "i"]),
    ("au", ["a", "u"]),
];
/// The part of a glide that belongs to its beginning.
const FIRST: f64 = 0.55;
/// Shorter gaps are no silence, in seconds.
const GAP: f64 = 0.03;

/// What lips must not miss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Lips {
    #[default]
    Free,
    /// m, b, p
    Closed,
    /// f, v
    OnTeeth,
}

impl Lips {
    pub(crate) fn of_byte(byte: u8) -> Self {
        match byte {
            1 => Self::Closed,
            2 => Self::OnTeeth,
            _ => Self::Free,
        }
    }
}

/// One sound in seconds.
#[derive(Clone, Debug)]
pub(crate) struct Sounding {
    pub(crate) start: f64,
    pub(crate) end: f64,
    asked: Asked,
    pub(crate) lips: Lips,
    #[expect(dead_code, reason = "silence is told by its lips so far; idle takes will ask for it")]
    pub(crate) silent: bool,
    /// The row of the table: the class that coverage is counted in.
    pub(crate) class: u8,
}

/// The class of silence.
pub(crate) const CLASSES: usize = SOUNDS.len() + 1;

fn class(ipa: &str) -> usize {
    // A sound that nobody listed opens the mouth a little.
    listed(ipa).unwrap_or(12)
}

fn listed(ipa: &str) -> Option<usize> {
    let listed = |name: &str| SOUNDS.iter().position(|(names, _)| names.split(' ').any(|one| one == name));
    let bare = ipa.trim_end_matches(['ː', '\u{303}', 'ʰ', 'ʲ', 'ʷ']);
    let first = || bare.char_indices().nth(1).map_or(bare, |(end, _)| &bare[..end]);
    listed(ipa).or_else(|| listed(bare)).or_else(|| listed(first()))
}

fn sounding(ipa: &str, start: f64, end: f64) -> Sounding {
    let class = class(ipa);
    let lips = match class {
        0 => Lips::Closed,
        1 => Lips::OnTeeth,
        _ => Lips::Free,
    };
    Sounding { start, end, asked: SOUNDS[class].1, lips, silent: false, class: class as u8 }
}

/// The sounds of a speech in order, with silence in the gaps.
pub(crate) fn soundings(marks: &Marks) -> Vec<Sounding> {
    let seconds = |sample: u64| sample as f64 / f64::from(SAMPLE_RATE);
    let mut out: Vec<Sounding> = Vec::new();
    for mark in &marks.phonemes {
        let (start, end) = (seconds(mark.span.start), seconds(mark.span.end));
        let before = out.last().map(|last| last.end);
        if let Some(before) = before.filter(|before| start - before > GAP) {
            let class = (CLASSES - 1) as u8;
            out.push(Sounding { start: before, end: start, asked: SILENCE, lips: Lips::Free, silent: true, class });
        }
        match glide(&mark.ipa) {
            Some([first, second]) => {
                let middle = start + FIRST * (end - start);
                out.extend([sounding(first, start, middle), sounding(second, middle, end)]);
            }
            None => out.push(sounding(&mark.ipa, start, end)),
        }
    }
    out
}

/// Neighbouring classes in what is said without pauses, stretch by stretch, with silence between two of those.
pub(crate) fn class_pairs(stretches: &[Vec<String>]) -> Vec<[usize; 2]> {
    let parts = |ipa: &String| match glide(ipa) {
        Some(two) => two.map(class).to_vec(),
        None => vec![class(ipa)],
    };
    let said: Vec<Vec<usize>> = stretches.iter().map(|sounds| sounds.iter().flat_map(parts).collect()).collect();
    said.join(&(CLASSES - 1)).windows(2).map(|two| [two[0], two[1]]).collect()
}

/// What a sound begins and ends as that is two.
fn glide(ipa: &str) -> Option<[&'static str; 2]> {
    GLIDES.iter().find(|(name, _)| *name == ipa.trim_end_matches('ː')).map(|(_, two)| *two)
}

/// Whether somebody listed a sound, or both that it is made of.
#[cfg(test)]
pub(crate) fn is_known(ipa: &str) -> bool {
    glide(ipa).is_some() || listed(ipa).is_some()
}

/// The fineness of the curve of what is asked, in seconds.
const STEP: f64 = 0.005;

/// What is asked of the mouth at every moment, eased over 40 ms.
pub(crate) struct Asking {
    curve: Vec<Asked>,
}

impl Asking {
    pub(crate) fn of(soundings: &[Sounding]) -> Self {
        let last = soundings.last().map_or(0.0, |last| last.end);
        let steps = (last / STEP) as usize + 1;
        let mut raw = vec![SILENCE; steps];
        for sound in soundings {
            let first = (sound.start / STEP).ceil() as usize;
            let end = ((sound.end / STEP).ceil() as usize).min(steps);
            if first < end {
                raw[first..end].fill(sound.asked);
            }
        }
        let window: Vec<f64> =
            (0..9).map(|n| 0.5 - 0.5 * math::cos(std::f64::consts::TAU * f64::from(n) / 8.0)).collect();
        let sum: f64 = window.iter().sum();
        let at = |n: isize| usize::try_from(n).ok().and_then(|n| raw.get(n)).unwrap_or(&SILENCE);
        let eased = (0..steps as isize).map(|middle| {
            let mut mean = [0.0; AXES];
            for (n, weight) in window.iter().enumerate() {
                let value = at(middle + n as isize - 4);
                mean.iter_mut().zip(value).for_each(|(mean, value)| *mean += weight / sum * value);
            }
            mean
        });
        Self { curve: eased.collect() }
    }

    /// How far the mouth should be open at a moment, from 0 to 1.
    pub(crate) fn opening(&self, seconds: f64) -> f64 {
        self.curve.get((seconds / STEP) as usize).map_or(0.0, |asked| asked[0])
    }

    /// Around one moment.
    pub(crate) fn around(&self, seconds: f64) -> Context {
        let mut out = [0.0; CONTEXT];
        for (tap, out) in TAPS.iter().zip(out.chunks_exact_mut(AXES)) {
            let at = ((seconds + tap) / STEP).floor();
            let asked = if at < 0.0 { &SILENCE } else { self.curve.get(at as usize).unwrap_or(&SILENCE) };
            out.iter_mut().zip(asked).for_each(|(out, asked)| *out = *asked as f32);
        }
        out
    }
}

/// What the lips must not miss at a moment.
pub(crate) fn lips_at(soundings: &[Sounding], seconds: f64) -> Lips {
    let next = soundings.partition_point(|sound| sound.end <= seconds);
    soundings.get(next).filter(|sound| sound.start <= seconds).map_or(Lips::Free, |sound| sound.lips)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(ipa: &str) -> Asked {
        sounding(ipa, 0.0, 1.0).asked
    }

    #[test]
    fn sounds_of_other_languages_shape_the_mouth_as_they_do() {
        const ROUND: usize = 2;
        const OPEN: usize = 0;
        // German and French ones that are said with round lips, and a trill, a German r and the end of `Mutter`, which are not.
        assert!(["y", "ʏ", "ø", "œ", "ɔ\u{303}", "ɥ"].iter().all(|ipa| asked(ipa)[ROUND] >= 0.6));
        assert!(["r", "ʁ", "ʀ", "ɾ", "ɐ", "x", "ç"].iter().all(|ipa| asked(ipa)[ROUND] < 0.1));
        // Nasal vowels open the mouth like their plain ones.
        for (nasal, plain) in [("ɑ\u{303}", "ɑ"), ("ɛ\u{303}", "ɛ"), ("œ\u{303}", "œ"), ("ɐ\u{303}", "ɐ")] {
            assert_eq!(asked(nasal), asked(plain), "{nasal}");
        }
        // A Spanish b between vowels nearly closes the lips, which is not asked of them as it is in m, b and p.
        assert!(asked("β")[OPEN] < 0.2 && sounding("β", 0.0, 1.0).lips == Lips::Free);
        assert_eq!(sounding("ɱ", 0.0, 1.0).lips, Lips::OnTeeth);
    }
}
