//! Word marks become captions.
//!
//! A cue is at most two lines of 42 columns (East Asian characters take two), ends where a sentence or a long pause ends
//! if it can, is long enough to be read where the next one leaves room for that, and never overlaps it. Words keep their
//! own times, for players that can show them.
//!
//! Scripts that put no spaces between words are joined without, and a stretch that is longer than a line is cut where
//! its typography allows, its time shared out by length.

mod files;
mod width;

use compere_media::{Marks, SAMPLE_RATE, SampleSpan, WordMark};

pub use files::{chapters, srt, webvtt};
pub(crate) use width::columns;
use width::{gap, pieces};

/// Columns of a line.
const LINE: usize = 42;

const SECOND: u64 = SAMPLE_RATE as u64;

/// A silence after which the text before it has been read: a little less than that between two paragraphs of a script,
/// so that no cue runs from one into the next, punctuation or none.
const PAUSE: u64 = SECOND * 12 / 25;

/// Nobody reads in less.
const SHORTEST: u64 = SECOND;

/// What stands longer than this is no longer looked at.
const LONGEST: u64 = 7 * SECOND;

/// How long a cue may stay on after its last word.
const LINGER: u64 = SECOND * 8 / 10;

/// The same for the last cue of a film, which ends this long after its last word.
const LAST_LINGER: u64 = SECOND / 5;

/// What is shown at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Cue {
    pub span: SampleSpan,
    /// One or two lines of words.
    pub lines: Vec<Vec<WordMark>>,
}

impl Cue {
    /// The lines with `\n` between them.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| joined(line)).collect::<Vec<_>>().join("\n")
    }
}

fn joined(words: &[WordMark]) -> String {
    let mut text = String::new();
    for word in words {
        text.push_str(gap(&text, &word.text));
        text.push_str(&word.text);
    }
    text
}

/// The captions of a part of a film, in the marks' own time.
pub fn cues(marks: &Marks) -> Vec<Cue> {
    cues_of_scenes(std::slice::from_ref(marks))
}

/// The captions of a film, in its time. None runs from one scene into the next.
pub fn cues_of_scenes(scenes: &[Marks]) -> Vec<Cue> {
    let mut end = 0;
    let words: Vec<Vec<WordMark>> = scenes.iter().map(|marks| words(marks, &mut end)).collect();
    let groups: Vec<&[WordMark]> = words.iter().flat_map(|words| groups(words)).collect();
    let next_starts = groups.iter().skip(1).map(|group| Some(group[0].span.start)).chain([None]);
    groups.iter().zip(next_starts).map(|(group, next)| cue(group, next)).collect()
}

fn groups(words: &[WordMark]) -> Vec<&[WordMark]> {
    let mut groups = Vec::new();
    for sentence in sentences(words) {
        divide(sentence, &mut groups);
    }
    merge_hasty(words, groups)
}

/// The words of the marks: none empty, none longer than a line, none before the `end` of the one before.
fn words(marks: &Marks, end: &mut u64) -> Vec<WordMark> {
    let mut words: Vec<WordMark> = Vec::with_capacity(marks.words.len());
    for mark in &marks.words {
        let text = mark.text.split_whitespace().collect::<Vec<_>>().join(" ");
        for mut piece in pieces(&text, mark.span, LINE) {
            piece.span.start = piece.span.start.max(*end);
            piece.span.end = piece.span.end.max(piece.span.start);
            *end = piece.span.end;
            words.push(piece);
        }
    }
    words
}

fn sentences(words: &[WordMark]) -> impl Iterator<Item = &[WordMark]> {
    let mut rest = words;
    std::iter::from_fn(move || {
        let last = rest.windows(2).position(|pair| is_break(&pair[0], &pair[1]));
        let (sentence, behind) = rest.split_at(last.map_or(rest.len(), |last| last + 1));
        rest = behind;
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Whether a sentence, or what is heard as one, ends between two words.
fn is_break(word: &WordMark, next: &WordMark) -> bool {
    let silence = next.span.start - word.span.end;
    if silence >= PAUSE {
        return true;
    }
    let text = word.text.trim_end_matches(['"', '\'', '”', '’', '»', ')', '」', '』']);
    match text.chars().last() {
        Some('!' | '?' | '…' | '。' | '！' | '？' | '؟' | '।') => true,
        // "Dr." and "J." go on without a breath.
        Some('.') => silence >= SECOND / 10 || text.chars().count() > 4,
        _ => false,
    }
}

/// Cuts a sentence into as few cues as it takes, at the best place near the middle each time.
fn divide<'w>(words: &'w [WordMark], groups: &mut Vec<&'w [WordMark]>) {
    if words.len() < 2 || (line_break(words).is_some() && length(words) <= LONGEST) {
        groups.push(words);
        return;
    }
    let (left, right) = words.split_at(middle(words));
    divide(left, groups);
    divide(right, groups);
}

fn length(words: &[WordMark]) -> u64 {
    words[words.len() - 1].span.end - words[0].span.start
}

/// Where to cut: near the middle, rather behind a comma or before a breath.
fn middle(words: &[WordMark]) -> usize {
    let widths: Vec<usize> = words.iter().map(|word| columns(&word.text) + 1).collect();
    let total: usize = widths.iter().sum();
    let mut left = 0;
    let cost = |at: usize, left: usize| {
        let imbalance = left.abs_diff(total - left) * 100 / total;
        imbalance.saturating_sub(kindness(&words[at - 1], &words[at]))
    };
    let costs = (1..words.len()).map(|at| {
        left += widths[at - 1];
        (cost(at, left), at)
    });
    costs.min().map_or(1, |(_, at)| at)
}

/// How good a place for a cut the gap between two words is.
fn kindness(word: &WordMark, next: &WordMark) -> usize {
    let clause = word.text.ends_with([',', ';', ':', '–', '—', '、', '，', '；', '：', '،']);
    let breath = next.span.start - word.span.end >= SECOND / 5;
    usize::from(clause) * 40 + usize::from(breath) * 25
}

/// The number of words on the first line; all of them if one line is enough, nothing if two are not.
fn line_break(words: &[WordMark]) -> Option<usize> {
    // More words than columns cannot fit, and need not be joined to find out.
    if words.len() > 2 * LINE {
        return None;
    }
    if columns(&joined(words)) <= LINE {
        return Some(words.len());
    }
    let cost = |at: usize| {
        let (top, bottom) = (columns(&joined(&words[..at])), columns(&joined(&words[at..])));
        let fits = top <= LINE && bottom <= LINE;
        let imbalance = top.abs_diff(bottom).saturating_sub(kindness(&words[at - 1], &words[at]) / 2);
        fits.then_some((imbalance, at))
    };
    (1..words.len()).filter_map(cost).min().map(|(_, at)| at)
}

/// Joins what would be gone before it is read with what follows, where both fit.
fn merge_hasty<'w>(words: &'w [WordMark], groups: Vec<&'w [WordMark]>) -> Vec<&'w [WordMark]> {
    let mut merged: Vec<&[WordMark]> = Vec::with_capacity(groups.len());
    let mut start = 0;
    for group in groups {
        let end = start + group.len();
        if let Some(before) = merged.last() {
            let both = &words[start - before.len()..end];
            let silence = group[0].span.start - before[before.len() - 1].span.end;
            let hasty = length(before) < SHORTEST || length(group) < SHORTEST;
            if hasty && silence < PAUSE && length(both) <= LONGEST && line_break(both).is_some() {
                merged.pop();
                merged.push(both);
                start = end;
                continue;
            }
        }
        merged.push(group);
        start = end;
    }
    merged
}

fn cue(words: &[WordMark], next: Option<u64>) -> Cue {
    let (start, end) = (words[0].span.start, words[words.len() - 1].span.end);
    // Twenty columns a second is fast reading.
    let reading = (columns(&joined(words)) as u64 * SECOND / 20).clamp(SHORTEST, LONGEST);
    let linger = if next.is_some() { LINGER } else { LAST_LINGER };
    let wished = end.max((start + reading).min(end + linger));
    let span = SampleSpan { start, end: next.map_or(wished, |next| wished.min(next.max(end))) };
    let (top, bottom) = words.split_at(line_break(words).unwrap_or(words.len()));
    let lines = [top, bottom].into_iter().filter(|line| !line.is_empty());
    Cue { span, lines: lines.map(<[WordMark]>::to_vec).collect() }
}

#[cfg(test)]
mod tests;
