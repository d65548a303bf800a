//! HTML entities.

/// The character that `text` begins with when written as an entity, and how much of the text that takes.
pub(super) fn decode(text: &str) -> Option<(char, usize)> {
    let inner = text.strip_prefix('&')?;
    let end = inner.char_indices().take(12).find(|&(_, c)| c == ';')?.0;
    let name = &inner[..end];
    let character = match name.strip_prefix('#') {
        Some(number) => numbered(number)?,
        None => NAMES.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((character, end + 2))
}

fn numbered(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
}

/// Those that editors put into speech.
const NAMES: [(&str, char); 40] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", '\u{a0}'),
    ("ensp", '\u{2002}'),
    ("emsp", '\u{2003}'),
    ("thinsp", '\u{2009}'),
    ("zwj", '\u{200d}'),
    ("zwnj", '\u{200c}'),
    ("shy", '\u{ad}'),
    ("hellip", '…'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("sbquo", '‚'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("bull", '•'),
    ("middot", '·'),
    ("copy", '©'),
    ("reg", '®'),
    ("trade", '™'),
    ("deg", '°'),
    ("plusmn", '±'),
    ("times", '×'),
    ("divide", '÷'),
    ("frac12", '½'),
    ("frac14", '¼'),
    ("euro", '€'),
    ("pound", '£'),
    ("yen", '¥'),
    ("cent", '¢'),
    ("sect", '§'),
    ("para", '¶'),
];
