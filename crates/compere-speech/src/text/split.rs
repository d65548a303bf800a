//! Sentences: where a reader breathes.
//!
//! A full stop ends a sentence unless it belongs to a number, a title or an initial. Sentences that are too long for one
//! breath (and for a voice's memory) are cut at their own punctuation.

use super::flat::{Flat, Kept};
use super::is_spaceless;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stretch<'a> {
    Sentence { text: &'a str, before: Join },
    Pause(f64),
}

/// How a stretch follows the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// Within a sentence that was cut.
    Clause,
    Sentence,
    Paragraph,
}

/// Letters in one breath; those of scripts without spaces count threefold.
const LONGEST: usize = 220;
/// Never followed by the end of a sentence.
const TITLES: [&str; 43] = [
    "dr", "mr", "mrs", "ms", "prof", "st", "gen", "sen", "rep", "gov", "capt", "lt", "col", "sgt", "rev", "hon", "mt",
    "no", "nr", "fig", "figs", "vol", "ch", "sec", "pp", "vs", "sr", "incl", "nos", "e.g", "i.e", "cf", "approx", "ca",
    "sra", "srta", "dra", "sig", "mme", "mlle", "dott", "bzw", "z.b",
];
/// Followed by the end of a sentence only if a capital comes next.
const MAYBE: [&str; 7] = ["etc", "inc", "ltd", "co", "corp", "jr", "al"];
/// Short before a number only.
const BEFORE_NUMBERS: [&str; 7] = ["p", "no", "nos", "ch", "ed", "tel", "art"];
/// Behind `U.S.` or `5 p.m.`, these begin a sentence; other capitals go on with it.
const STARTERS: [&str; 24] = [
    "The", "It", "He", "She", "We", "They", "I", "You", "In", "This", "That", "These", "But", "And", "A", "An",
    "However", "If", "When", "Then", "There", "Our", "His", "Her",
];

pub fn parts<'a>(flat: &'a Flat, language: &str) -> Vec<Stretch<'a>> {
    let text = flat.text.as_str();
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, letter) in text.char_indices() {
        if let Some(Kept::Pause(seconds)) = flat.kept(letter) {
            paragraphs(&text[from..at], language, &mut parts);
            parts.push(Stretch::Pause(*seconds));
            from = at + letter.len_utf8();
        }
    }
    paragraphs(&text[from..], language, &mut parts);
    parts
}

fn paragraphs<'a>(text: &'a str, language: &str, parts: &mut Vec<Stretch<'a>>) {
    let mut join = Join::Sentence;
    let mut from = 0;
    for at in text.match_indices('\n').map(|(at, _)| at).chain([text.len()]) {
        let rest = text.get(at + 1..).unwrap_or_default();
        let blank = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        if at < text.len() && !blank && !starts_anew(&text[from..at], rest) {
            continue;
        }
        sentences(&text[from..at], join, language, parts);
        if !text[from..at].trim().is_empty() {
            join = Join::Sentence;
        }
        if blank {
            join = Join::Paragraph;
        }
        from = (at + 1).min(text.len());
    }
}

/// Whether a line break ends a sentence: after a short line (a heading, an item) or before something that begins one.
fn starts_anew(line: &str, rest: &str) -> bool {
    let first = rest.trim_start().chars().next();
    let capital = first.is_none_or(|c| c.is_uppercase() || c.is_numeric() || !c.is_alphabetic() || is_spaceless(c));
    capital && (line.trim().chars().count() < 60 || line.trim_end().ends_with(['.', '!', '?', ':', '…']))
}

fn sentences<'a>(text: &'a str, first: Join, language: &str, parts: &mut Vec<Stretch<'a>>) {
    let (mut from, mut join) = (0, first);
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if !is_terminal(letter) {
            continue;
        }
        let mut end = at + letter.len_utf8();
        while let Some((next, letter)) = letters.next_if(|(_, c)| is_terminal(*c) || is_closing(*c)) {
            end = next + letter.len_utf8();
        }
        // French puts a space before the closing quote.
        if language.starts_with("fr") && text[end..].trim_start().starts_with('»') {
            end += text[end..].find('»').map_or(0, |at| at + '»'.len_utf8());
        }
        let short = letter == '.' && super::foreign::is_short(language, &text[from..at], &text[end..]);
        if !short && ends(&text[from..at], letter, &text[end..]) {
            breaths(&text[from..end], &mut join, parts);
            from = end;
        }
    }
    breaths(&text[from..], &mut join, parts);
}

fn is_terminal(letter: char) -> bool {
    matches!(letter, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '।' | '؟' | '۔' | '։' | '።')
}

fn is_closing(letter: char) -> bool {
    matches!(letter, '"' | '\'' | ')' | ']' | '}' | '”' | '’' | '»' | '›' | '」' | '』' | '）')
}

fn ends(before: &str, terminal: char, after: &str) -> bool {
    if !matches!(terminal, '.' | '!' | '?' | '…') {
        return true;
    }
    if !after.is_empty() && !after.starts_with(char::is_whitespace) && !after.starts_with(is_spaceless) {
        return false;
    }
    let next = after.trim_start().trim_start_matches(['"', '\'', '(', '[', '“', '‘', '«']).chars().next();
    if next.is_some_and(char::is_lowercase) {
        return false;
    }
    terminal != '.' || !is_abbreviation(before, after, next)
}

fn is_abbreviation(before: &str, after: &str, next: Option<char>) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '"' | '“')).next().unwrap_or_default();
    let lower = word.to_lowercase();
    if next.is_none() {
        return false;
    }
    // `No.` is short for a number before one, and an answer before a sentence.
    if TITLES.contains(&lower.as_str()) && !BEFORE_NUMBERS.contains(&lower.as_str()) {
        return true;
    }
    if BEFORE_NUMBERS.contains(&lower.as_str()) {
        return next.is_some_and(char::is_numeric);
    }
    if word.contains('.') && word.split('.').all(|part| part.chars().count() == 1) {
        return !STARTERS.contains(&first_word(after));
    }
    if MAYBE.contains(&lower.as_str()) {
        return !next.is_some_and(char::is_uppercase);
    }
    if month(&lower) {
        return next.is_some_and(char::is_numeric);
    }
    let list_number = word.len() <= 2 && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    if list_number {
        return before.trim_start() == word;
    }
    let mut letters = word.chars();
    let initial = letters.next().is_some_and(|c| c.is_uppercase() && c != 'I') && letters.next().is_none();
    // `J. Smith`, but not `Plan B. Then`: an initial follows a name or nothing.
    initial && before[..before.len() - word.len()].split_whitespace().next_back().is_none_or(name_like)
}

fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

fn name_like(word: &str) -> bool {
    let initial = word.len() == 2 && word.ends_with('.');
    let title = TITLES.contains(&word.trim_end_matches('.').to_lowercase().as_str());
    initial
        || title
        || !matches!(word, "Plan" | "Option" | "Type" | "Vitamin" | "Grade" | "Section" | "Group" | "Part")
            && word.chars().next().is_some_and(char::is_uppercase)
}

fn month(lower: &str) -> bool {
    ["jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"].contains(&lower)
}

/// Cuts what is too long for one breath: at a semicolon, colon or dash, else at a comma, else between words.
fn breaths<'a>(text: &'a str, join: &mut Join, parts: &mut Vec<Stretch<'a>>) {
    let mut rest = text.trim();
    while length(rest) > LONGEST {
        let limit = byte_at(rest, LONGEST);
        let least = byte_at(rest, LONGEST / 4);
        let cut = [&[';', ':', '—', '–', '；', '：'][..], &[',', '、', '，', '،'][..], &[' '][..]]
            .iter()
            .find_map(|marks| last_break(rest, least, limit, marks))
            .unwrap_or(limit);
        let (head, tail) = rest.split_at(cut);
        parts.push(Stretch::Sentence { text: head.trim(), before: std::mem::replace(join, Join::Clause) });
        rest = tail.trim_start();
    }
    if !rest.is_empty() {
        parts.push(Stretch::Sentence { text: rest, before: std::mem::replace(join, Join::Sentence) });
    }
}

fn weight(letter: char) -> usize {
    if is_spaceless(letter) { 3 } else { 1 }
}

fn length(text: &str) -> usize {
    text.chars().map(weight).sum()
}

/// The byte before which the text weighs no more than `length`.
fn byte_at(text: &str, length: usize) -> usize {
    let mut sum = 0;
    for (at, letter) in text.char_indices() {
        sum += weight(letter);
        if sum > length {
            return at.max(1);
        }
    }
    text.len()
}

/// Behind the last mark between `least` and `limit` that a space (or a letter that needs none) follows.
fn last_break(text: &str, least: usize, limit: usize, marks: &[char]) -> Option<usize> {
    let mut found = text.char_indices().filter(|(at, letter)| {
        let end = at + letter.len_utf8();
        let after = text[end..].chars().next();
        let loose = *letter == ' ' || after.is_none_or(|c| c.is_whitespace() || is_spaceless(c));
        (least..limit).contains(&end) && marks.contains(letter) && loose
    });
    found.next_back().map(|(at, letter)| at + letter.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Script;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let flat = Flat::of(&Script::plain(text));
        let found: Vec<String> = parts(&flat, "en-US")
            .iter()
            .filter_map(|part| match part {
                Stretch::Sentence { text, .. } => Some((*text).to_owned()),
                Stretch::Pause(_) => None,
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn full_stops_that_end_nothing() {
        check("Dr. Lee paid 3.5 million. She left.", &["Dr. Lee paid 3.5 million.", "She left."]);
        check("J. R. Smith vs. the U.S. army. Yes.", &["J. R. Smith vs. the U.S. army.", "Yes."]);
        check("It was plan B. Then it rained.", &["It was plan B.", "Then it rained."]);
        check("See e.g. compere.example.com/a.b today.", &["See e.g. compere.example.com/a.b today."]);
        check("We met at 5 p.m. on Jan. 5. Fine.", &["We met at 5 p.m. on Jan. 5.", "Fine."]);
        check("No. 5 is alive. No. He is not.", &["No. 5 is alive.", "No.", "He is not."]);
        check("1. First thing. 2. Second.", &["1. First thing.", "2. Second."]);
    }

    #[test]
    fn quotes_stay_with_their_sentence() {
        check("“Really?” she asked. “Yes.” He left.", &["“Really?” she asked.", "“Yes.”", "He left."]);
        check("Wait... what?! Oh.", &["Wait... what?!", "Oh."]);
    }

    #[test]
    fn lines_and_other_scripts() {
        check("A heading\nThe text goes\non here.\n\nNext.", &["A heading", "The text goes\non here.", "Next."]);
        check("今日は。元気？はい", &["今日は。", "元気？", "はい"]);
        check("नमस्ते। आप कैसे हैं?", &["नमस्ते।", "आप कैसे हैं?"]);
    }

    #[test]
    fn long_sentences_are_cut_at_their_punctuation() {
        let long = format!(
            "{}, {}; {} end.",
            "word ".repeat(20).trim(),
            "thing ".repeat(16).trim(),
            "more ".repeat(40).trim()
        );
        let flat = Flat::of(&Script::plain(&long));
        let pieces = parts(&flat, "en-US");
        assert!(pieces.len() > 1);
        let mut joined = String::new();
        for piece in &pieces {
            let Stretch::Sentence { text, .. } = piece else { panic!("no pauses here") };
            assert!(text.len() <= LONGEST + 1, "{text}");
            joined = format!("{joined} {text}");
        }
        assert_eq!(joined.trim(), long);
        assert!(matches!(pieces[0], Stretch::Sentence { text, .. } if text.ends_with("thing;")));
        let endless = "x".repeat(5000);
        assert!(parts(&Flat::of(&Script::plain(&endless)), "en-US").len() > 20);
    }
}
