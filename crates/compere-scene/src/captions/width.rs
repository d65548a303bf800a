//! How wide characters are, where words are joined and where they may be cut.

use compere_media::{SampleSpan, WordMark};

/// Columns of a text on a terminal or a subtitle: two for an East Asian character, none for a mark that combines.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

fn width(character: char) -> usize {
    match character {
        c if is_joined(c) => 0,
        c if is_wide(c) => 2,
        _ => 1,
    }
}

/// What goes between two words.
pub(super) fn gap(before: &str, after: &str) -> &'static str {
    match (before.chars().last(), after.chars().next()) {
        (Some(a), Some(b)) if is_solid(a) || is_solid(b) || (is_spaceless(a) && is_spaceless(b)) => "",
        (Some(_), Some(_)) => " ",
        _ => "",
    }
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}')
}

/// Chinese and Japanese: never a space on either side. (Korean has spaces, so Hangul is not here.)
fn is_solid(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{30ff}' | '\u{31f0}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3fffd}')
}

/// Thai, Lao, Burmese, Khmer: a space ends a phrase, not a word.
fn is_spaceless(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Belongs to the character before it.
fn is_joined(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}' | '\u{0591}'..='\u{05bd}' | '\u{064b}'..='\u{065f}' | '\u{0e31}'
        | '\u{0e34}'..='\u{0e3a}' | '\u{0e47}'..='\u{0e4e}' | '\u{200b}'..='\u{200f}' | '\u{3099}' | '\u{309a}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Must not begin a line.
fn hangs(c: char) -> bool {
    matches!(
        c,
        '、' | '。'
            | '，'
            | '．'
            | '！'
            | '？'
            | '：'
            | '；'
            | '）'
            | '」'
            | '』'
            | '】'
            | '》'
            | '〉'
            | 'ー'
            | '々'
            | '…'
            | ','
            | '.'
            | '!'
            | '?'
            | ':'
            | ';'
            | ')'
    )
}

/// The word in pieces of at most `limit` columns, each with its share of the time.
pub(super) fn pieces(text: &str, span: SampleSpan, limit: usize) -> Vec<WordMark> {
    let total = columns(text) as u64;
    let length = span.end.saturating_sub(span.start);
    let time = |columns: u64| {
        span.start
            + if total == 0 { length } else { (u128::from(length) * u128::from(columns) / u128::from(total)) as u64 }
    };
    let mut pieces = Vec::new();
    let mut done = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(cut(rest, limit));
        let end = done + columns(piece) as u64;
        let span = SampleSpan { start: time(done), end: if behind.is_empty() { span.end } else { time(end) } };
        pieces.push(WordMark { span, text: piece.to_owned() });
        (rest, done) = (behind, end);
    }
    pieces
}

/// Behind the first sentence of a text that goes on, in scripts that put no space there.
fn sentence_end(text: &str) -> Option<usize> {
    let end = text.find(['。', '！', '？'])?;
    let behind = text[end..].find(|c: char| !hangs(c) && !is_joined(c))?;
    Some(end + behind)
}

/// The bytes of the first piece: a sentence, else up to behind the last punctuation in the second half of the line, else as much as fits.
fn cut(text: &str, limit: usize) -> usize {
    if let Some(end) = sentence_end(text).filter(|&end| columns(&text[..end]) <= limit) {
        return end;
    }
    if columns(text) <= limit {
        return text.len();
    }
    let mut taken = 0;
    let (mut fits, mut kind) = (None, None);
    let mut before = None;
    for (at, character) in text.char_indices() {
        let breaks = at > 0 && !is_joined(character) && !hangs(character) && before != Some('\u{200d}');
        if breaks && taken <= limit {
            fits = Some(at);
            if taken * 2 >= limit && before.is_some_and(hangs) {
                kind = Some(at);
            }
        }
        taken += width(character);
        before = Some(character);
        // A row of marks that no rule wants at a line's beginning is cut all the same.
        if taken > limit {
            return kind.or(fits).unwrap_or(if at > 0 { at } else { character.len_utf8() });
        }
    }
    text.len()
}
