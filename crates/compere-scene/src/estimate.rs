//! How long a film will be, before anything is spoken.
//!
//! Good for prices, progress bars and answers at once. Pauses are exact, speeds are honoured;
//! linked videos and sounds are not looked at, so a scene that lasts as long as one counts as a still.

use compere_media::SAMPLE_RATE;

use compere_media::ScriptPart;

use crate::film::{Film, Scene, Speaker, SpeechLine};
use crate::timeline::Measured;

/// What [`timeline`](crate::timeline()) would be told, guessed from the texts.
pub fn estimate(film: &Film) -> Vec<Measured> {
    let lines = |scene: &Scene| scene.lines.iter().map(samples).collect();
    film.scenes.iter().map(|scene| Measured { lines: lines(scene), media: None }).collect()
}

/// Seconds that the film cannot be shorter than, however fast its voices are.
pub(crate) fn at_least(film: &Film) -> f64 {
    let text = |part: &ScriptPart| match part {
        ScriptPart::Pause(seconds) => *seconds,
        _ => 0.0,
    };
    let line = |line: &SpeechLine| {
        if line.audio.is_some() {
            // As long as the recording, which nobody has looked at.
            return 0.0;
        }
        let pauses: f64 = line.parts.iter().map(text).sum();
        let speech = samples(line) as f64 / f64::from(SAMPLE_RATE) - pauses;
        pauses + speech / 2.0
    };
    let scene = |scene: &Scene| scene.duration.unwrap_or_else(|| scene.lines.iter().map(line).sum());
    film.scenes.iter().map(scene).sum()
}

fn samples(line: &SpeechLine) -> u64 {
    let speed = if let Speaker::Voice { speed, .. } = &line.speaker { *speed } else { 1.0 };
    let seconds = |part: &ScriptPart| match part {
        ScriptPart::Text(text) => spoken(text) / speed,
        ScriptPart::Say { said, .. } => spoken(said) / speed,
        ScriptPart::Pause(seconds) => *seconds,
    };
    (line.parts.iter().map(seconds).sum::<f64>() * f64::from(SAMPLE_RATE)) as u64
}

/// Seconds that a text takes at an even pace.
fn spoken(text: &str) -> f64 {
    text.chars().map(weight).sum()
}

/// A syllable takes about a fifth of a second; most alphabets need three letters for one, others write it as one.
fn weight(character: char) -> f64 {
    match character {
        '.' | '!' | '?' | '。' | '！' | '？' => 0.35,
        ',' | ';' | ':' | '、' | '，' => 0.2,
        // A digit is said as a word, or as part of one.
        '0'..='9' => 0.25,
        '\u{3040}'..='\u{30ff}' => 0.13,
        '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{20000}'..='\u{3ffff}' => 0.21,
        c if c.is_alphabetic() => 0.07,
        c if c.is_whitespace() => 0.03,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_as_long_as_people_take() {
        // 150 words a minute are the pace of a presenter: these are 20.
        let english =
            "Welcome to our short course, in which we look at how a small team makes a film every single day.";
        assert!((6.0..9.0).contains(&spoken(english)), "{}", spoken(english));
        // 280 characters a minute: these are 23.
        let chinese = "欢迎来到我们的短期课程，今天我们来看看电影的制作。";
        assert!((4.0..6.5).contains(&spoken(chinese)), "{}", spoken(chinese));
        assert_eq!(spoken(""), 0.0);
    }

    #[test]
    fn pauses_are_exact_and_speed_is_not_theirs() {
        let line = |speed| SpeechLine {
            parts: vec![ScriptPart::Text("aaaa".to_owned()), ScriptPart::Pause(1.0)],
            marks: Vec::new(),
            steps: Vec::new(),
            speaker: Speaker::Voice { voice: "tone".to_owned(), speed, language: None },
            clip: None,
            audio: None,
            path: String::new(),
        };
        assert!(samples(&line(1.0)).abs_diff(61_440) <= 1);
        assert!(samples(&line(2.0)).abs_diff(54_720) <= 1);
    }
}
