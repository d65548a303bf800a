//! Tokens: what stands between spaces, with its punctuation taken apart.

use super::flat::Flat;
use super::is_spaceless;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// As the author wrote it (placeholders and all).
    pub written: String,
    /// Without the punctuation around it.
    pub core: String,
    /// Punctuation that shapes the melody.
    pub stop: Option<char>,
    /// Opens with a bracket.
    pub bracketed: bool,
}

pub fn tokens(text: &str, flat: &Flat) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for chunk in text.split_whitespace().flat_map(pieces) {
        let token = token(&chunk, flat);
        let lonely = token.core.is_empty();
        match tokens.last_mut() {
            // A dash or an emoji between words clings to the word before it.
            // `25 %` and `20 €`, as many languages write.
            Some(last)
                if lonely_sign(&chunk)
                    && (last.stop.is_none() && last.core.ends_with(|c: char| c.is_ascii_digit())
                        || sized(&last.core)) =>
            {
                last.core.push_str(if sized(&last.core) { " " } else { "" });
                last.core.push_str(chunk.trim_end_matches(TRAILING));
                last.written = format!("{} {}", last.written, token.written);
                last.stop = stop(&chunk);
            }
            Some(last) if lonely => {
                last.written = format!("{} {}", last.written, token.written);
                last.stop = last.stop.or(token.stop);
            }
            _ => tokens.push(token),
        }
    }
    tokens
}

const TRAILING: [char; 7] = ['.', ',', ';', ':', '!', '?', ')'];

fn lonely_sign(chunk: &str) -> bool {
    let bare = chunk.trim_end_matches(TRAILING);
    matches!(bare, "%" | "‰" | "€" | "$" | "£" | "¥" | "₹" | "₩" | "¢" | "°" | "°C" | "°F" | "℃" | "₽" | "％")
}

/// Words behind a number that the sign of a currency may follow: `3 Mio. €`.
pub fn sized(core: &str) -> bool {
    const SIZES: [&str; 21] = [
        "de",
        "di",
        "Mio",
        "Mrd",
        "Millionen",
        "Milliarden",
        "Tsd",
        "mil",
        "millones",
        "millón",
        "million",
        "millions",
        "milliard",
        "milliards",
        "milioni",
        "milione",
        "miliardi",
        "milhões",
        "bilhões",
        "लाख",
        "करोड़",
    ];
    SIZES.contains(&core)
}

/// Long dashes part words; scripts without spaces are cut into short runs.
fn pieces(chunk: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut letters = chunk.chars().peekable();
    while let Some(letter) = letters.next() {
        piece.push(letter);
        let next = letters.peek().copied();
        let dash = letter == '—' || (letter == '–' && next.is_some_and(char::is_alphabetic));
        let spaceless = is_spaceless(letter)
            && next.is_some_and(char::is_alphanumeric)
            && !next.is_some_and(|next| clings(letter, next))
            || !is_spaceless(letter)
                && (letter.is_alphanumeric() || is_symbol(letter))
                && next.is_some_and(is_spaceless)
            // A sign before a number belongs to the number.
            || is_spaceless(letter) && next.is_some_and(is_leading) && {
                let mut ahead = letters.clone().skip_while(|c| is_leading(*c));
                ahead.next().is_some_and(|c| c.is_ascii_digit())
            };
        // Commas and brackets of those scripts have no space around them either.
        let punctuated = next.is_some_and(|next| {
            ends_wide(letter) && (next.is_alphanumeric() || opens_wide(next) || is_leading(next) || "“‘".contains(next))
                || opens_wide(next) && (letter.is_alphanumeric() || ends_wide(letter))
        });
        if (dash || spaceless || punctuated) && next.is_some() {
            pieces.push(std::mem::take(&mut piece));
        }
    }
    pieces.push(piece);
    pieces
}

fn ends_wide(letter: char) -> bool {
    matches!(letter, '，' | '、' | '；' | '：' | '。' | '！' | '？' | '）' | '」' | '』' | '》' | '】' | '〉')
}

fn opens_wide(letter: char) -> bool {
    matches!(letter, '（' | '「' | '『' | '《' | '【' | '〈')
}

/// Whether two letters of a script without spaces belong to one word, as far as their kind tells.
fn clings(letter: char, next: char) -> bool {
    let kind = |c: char| match c {
        '\u{3040}'..='\u{309F}' => 1,
        '\u{30A0}'..='\u{30FF}' => 2,
        '\u{3400}'..='\u{9FFF}' => 3,
        '\u{3005}'..='\u{3007}' => 3,
        other if is_spaceless(other) => 4,
        _ => 0,
    };
    // `1ヶ月`, `3か国`: counters of two kinds of letters.
    let counter = matches!(letter, 'ヶ' | 'ヵ') || matches!(letter, 'か' | 'カ') && matches!(next, '月' | '国' | '所');
    if counter && kind(next) == 3 {
        return true;
    }
    // A stem in Chinese characters takes its ending in hiragana along.
    kind(letter) == kind(next) && kind(letter) != 0 || (kind(letter), kind(next)) == (3, 1)
}

fn token(written: &str, flat: &Flat) -> Token {
    let speaks = |c: char| c.is_alphanumeric() || flat.kept(c).is_some() || is_symbol(c) || is_mark(c);
    let leads = |at: usize, c: char| {
        // An apostrophe leads only a short year: `'90s`.
        let digit_follows = written[at + c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
        is_leading(c) && (digit_follows || !matches!(c, '\'' | '’'))
    };
    let start = written.char_indices().find(|(at, c)| speaks(*c) || leads(*at, *c)).map_or(written.len(), |(at, _)| at);
    let end = written.rfind(speaks).map_or(start, |at| at + written[at..].chars().next().map_or(0, char::len_utf8));
    let mut core = written[start..end.max(start)].to_owned();
    // Signs before nothing are not signs.
    if !core.chars().any(|c| c.is_alphanumeric() || flat.kept(c).is_some() || is_word_symbol(c)) {
        core.clear();
    }
    let tail = &written[end.max(start)..];
    Token {
        stop: stop(if core.is_empty() { written } else { tail }),
        core,
        written: written.to_owned(),
        bracketed: written.starts_with('('),
    }
}

fn stop(tail: &str) -> Option<char> {
    if tail.starts_with("...") {
        return Some('…');
    }
    // The end of a sentence wins over the bracket before it, and a question over all.
    let kinds: [&[char]; 4] = [
        &['?', '!', '？', '！', '؟'],
        &['.', '…', '。', '।', '۔'],
        &[',', ';', ':', '—', '–', '、', '，', '،', '；', '：'],
        &[')', ']'],
    ];
    match kinds.iter().find_map(|kind| tail.chars().find(|c| kind.contains(c)))? {
        '–' => Some('—'),
        '、' | '，' | '،' | ')' | ']' => Some(','),
        '。' | '।' | '۔' => Some('.'),
        '！' => Some('!'),
        '？' | '؟' => Some('?'),
        '；' => Some(';'),
        '：' => Some(':'),
        plain => Some(plain),
    }
}

/// Marks that combine with the letter before them.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{903}' | '\u{93A}'..='\u{94F}' | '\u{962}' | '\u{963}'
        | '\u{64B}'..='\u{655}' | '\u{E31}' | '\u{E34}'..='\u{E3A}' | '\u{E47}'..='\u{E4E}')
}

/// What may stand before a number and is spoken.
fn is_leading(letter: char) -> bool {
    matches!(
        letter,
        '$' | '€'
            | '£'
            | '¥'
            | '￥'
            | '₹'
            | '₩'
            | '₽'
            | '+'
            | '-'
            | '−'
            | '#'
            | '@'
            | '~'
            | '≈'
            | '.'
            | '\''
            | '’'
            | '<'
            | '>'
    )
}

/// What may stand behind a word or number and is spoken.
fn is_symbol(letter: char) -> bool {
    matches!(
        letter,
        '%' | '‰'
            | '°'
            | '℃'
            | '℉'
            | '％'
            | '₽'
            | '€'
            | '£'
            | '¥'
            | '$'
            | '₹'
            | '₩'
            | '+'
            | '½'
            | '¼'
            | '¾'
            | '²'
            | '³'
            | '′'
            | '″'
            | '¢'
            | '#'
    ) || is_word_symbol(letter)
}

/// What is spoken on its own.
fn is_word_symbol(letter: char) -> bool {
    matches!(
        letter,
        '&' | '=' | '×' | '÷' | '±' | '©' | '→' | '≤' | '≥' | '≠' | '≈' | '√' | 'π' | '+' | '@' | '<' | '>'
    )
}
