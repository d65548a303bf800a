//! Caption files.

use std::fmt::Write as _;

use compere_media::{Chapter, SAMPLE_RATE, WordMark};

use super::Cue;
use super::width::gap;

/// WebVTT, every word but a cue's first with the time it begins.
pub fn webvtt(cues: &[Cue]) -> String {
    let mut file = "WEBVTT\n".to_owned();
    for (number, (cue, (start, end))) in cues.iter().zip(times(cues)).enumerate() {
        let _ = write!(file, "\n{}\n{} --> {}\n", number + 1, stamp(start, '.'), stamp(end, '.'));
        let mut now = start;
        for line in &cue.lines {
            timed(&mut file, line, &mut now, end);
            file.push('\n');
        }
    }
    file
}

/// A line whose words carry their times. A time that does not lie inside the cue, or does not move on, is left out.
fn timed(file: &mut String, line: &[WordMark], now: &mut u64, end: u64) {
    let mut before = "";
    for word in line {
        file.push_str(gap(before, &word.text));
        let start = milliseconds(word.span.start);
        if start > *now && start < end {
            let _ = write!(file, "<{}>", stamp(start, '.'));
            *now = start;
        }
        file.push_str(&escaped(&word.text));
        before = &word.text;
    }
}

/// WebVTT with a cue for each chapter, each until the next begins.
pub fn chapters(chapters: &[Chapter], end: f64) -> String {
    let mut file = "WEBVTT\n".to_owned();
    let milli = |seconds: f64| (seconds * 1000.0).round() as u64;
    let ends = chapters.iter().skip(1).map(|next| next.start).chain([end]);
    for (number, (chapter, end)) in chapters.iter().zip(ends).enumerate() {
        let title = escaped(&chapter.title.split_whitespace().collect::<Vec<_>>().join(" "));
        let (start, end) = (stamp(milli(chapter.start), '.'), stamp(milli(end), '.'));
        let _ = write!(file, "\n{}\n{start} --> {end}\n{title}\n", number + 1);
    }
    file
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// SubRip, which knows neither words nor escapes.
pub fn srt(cues: &[Cue]) -> String {
    let mut file = String::new();
    for (number, (cue, (start, end))) in cues.iter().zip(times(cues)).enumerate() {
        let blank = if number > 0 { "\n" } else { "" };
        let text = cue.text().replace("-->", "→");
        let _ = write!(file, "{blank}{}\n{} --> {}\n{text}\n", number + 1, stamp(start, ','), stamp(end, ','));
    }
    file
}

/// Start and end of each cue in milliseconds: never empty, never before the end of the cue before.
fn times(cues: &[Cue]) -> impl Iterator<Item = (u64, u64)> {
    cues.iter().scan(0, |before, cue| {
        let start = milliseconds(cue.span.start).max(*before);
        *before = milliseconds(cue.span.end).max(start + 1);
        Some((start, *before))
    })
}

fn milliseconds(samples: u64) -> u64 {
    samples / (u64::from(SAMPLE_RATE) / 1000)
}

fn stamp(milliseconds: u64, point: char) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    format!("{:02}:{:02}:{:02}{point}{rest:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
