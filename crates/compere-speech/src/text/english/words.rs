//! Abbreviations, initialisms, Roman numerals, signs and mixed words.

use super::numbers::{cardinal, digits, integer, ordinal};
use super::{Reader, Reading};

pub fn read(reader: Reader<'_>) -> Option<Reading> {
    let core = reader.core();
    if let Some(sign) = sign(core) {
        return Some(Reading::one(sign));
    }
    abbreviation(reader)
        .or_else(|| roman(reader).map(Reading::one))
        .or_else(|| version(core).map(Reading::one))
        .or_else(|| {
            core.strip_prefix('#')
                .filter(|tag| !tag.is_empty())
                .map(|tag| Reading::one(format!("hashtag {}", plain(&camel(tag), false))))
        })
        .or_else(|| {
            core.strip_suffix('+')
                .filter(|word| word.chars().all(char::is_alphabetic) && !word.is_empty())
                .map(|word| Reading::one(format!("{word} plus")))
        })
        .or_else(|| core.contains(|c: char| c.is_ascii_digit()).then(|| Reading::one(letters_and_digits(core))))
}

pub fn word(core: &str, shouting: bool) -> Reading {
    let said = plain(core, shouting);
    if core.contains('.') && !said.contains(' ') { Reading::abbreviation(said) } else { Reading::one(said) }
}

/// A word that needs no list. Capitals that shout are taken back; dots inside initialisms go.
pub fn plain(core: &str, shouting: bool) -> String {
    let core = core.replace(['‘', '’'], "'");
    if shouting {
        return core.to_lowercase();
    }
    let dotted = core.contains('.') && core.split('.').all(|part| part.chars().count() <= 1);
    if dotted {
        return core.replace('.', "");
    }
    let mut said = String::with_capacity(core.len());
    for letter in core.chars() {
        match letter {
            '/' | '_' | '|' | '\\' | ' ' => said.push(' '),
            '&' => said.push_str(" and "),
            '@' => said.push_str(" at "),
            '=' => said.push_str(" equals "),
            '.' => said.push_str(" dot "),
            letter if letter.is_alphanumeric() || "'-".contains(letter) || is_combining(letter) => said.push(letter),
            _ => {}
        }
    }
    said.split_whitespace().map(initialism).collect::<Vec<_>>().join(" ")
}

fn is_combining(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{97F}' | '\u{64B}'..='\u{655}')
}

/// `PDFs` is spelled, with its ending; capitals that are read as a word become one.
fn initialism(word: &str) -> String {
    const READ_AS_WORDS: [&str; 40] = [
        "NASA", "NATO", "UNESCO", "UNICEF", "OPEC", "FIFA", "UEFA", "IKEA", "COVID", "GIF", "JPEG", "RAM", "ROM",
        "SIM", "PIN", "SCUBA", "RADAR", "LASER", "SONAR", "CAPTCHA", "SWAT", "NAFTA", "ASEAN", "LEGO", "ASAP", "AIDS",
        "BASIC", "REST", "SOAP", "YAML", "BIOS", "LAN", "WAN", "DOS", "NOT", "AND", "NEVER", "ALWAYS", "VERY", "ALL",
    ];
    let bare = word.strip_suffix("'s").unwrap_or(word);
    if READ_AS_WORDS.contains(&bare) {
        return word.to_lowercase();
    }
    let plural = word.strip_suffix('s').filter(|bare| bare.len() > 1 && bare.chars().all(char::is_uppercase));
    match plural {
        Some(bare) => format!("{}'s", spelled(bare)),
        None => word.to_owned(),
    }
}

/// Letters one by one.
pub fn spelled(word: &str) -> String {
    let letters: Vec<String> = word.chars().map(|c| c.to_uppercase().to_string()).collect();
    letters.join(" ")
}

/// `B2B`, `COVID-19`, `iPhone15`, `H.264`.
pub fn letters_and_digits(core: &str) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut run = String::new();
    let mut numeric = false;
    let push = |run: &mut String, numeric: bool, said: &mut Vec<String>| {
        let run = std::mem::take(run);
        match (run.is_empty(), numeric) {
            (true, _) => {}
            (_, true) if run.len() > 4 => said.push(digits(&run)),
            (_, true) if run.len() == 3 && !run.ends_with('0') => {
                said.push(format!(
                    "{} {}",
                    integer(&run[..1]),
                    if run[1..].starts_with('0') { format!("oh {}", integer(&run[2..])) } else { integer(&run[1..]) }
                ));
            }
            (_, true) => said.push(integer(&run)),
            (_, false) => said.push(initialism(&run)),
        }
    };
    for letter in core.chars() {
        if !letter.is_alphanumeric() {
            let inside_number = letter == '.' && numeric && !run.is_empty();
            push(&mut run, numeric, &mut said);
            said.extend(inside_number.then(|| "point".to_owned()));
            said.extend(sign(&letter.to_string()).map(str::to_owned));
            continue;
        }
        if letter.is_ascii_digit() != numeric {
            push(&mut run, numeric, &mut said);
            numeric = letter.is_ascii_digit();
        }
        run.push(letter);
    }
    push(&mut run, numeric, &mut said);
    said.join(" ")
}

/// `v2.1`, `V3` and `v2.1.3-beta`.
fn version(core: &str) -> Option<String> {
    let number = core.strip_prefix(['v', 'V']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))?;
    let (number, stage) = number.split_once('-').unwrap_or((number, ""));
    let parts: Vec<&str> = number.split('.').collect();
    let whole = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
        && stage.bytes().all(|b| b.is_ascii_alphabetic());
    let said = parts.iter().map(|part| integer(part)).collect::<Vec<_>>().join(" point ");
    whole.then(|| format!("version {said} {stage}").trim_end().to_owned())
}

fn sign(core: &str) -> Option<&'static str> {
    Some(match core {
        "&" => "and",
        "+" => "plus",
        "=" => "equals",
        "@" => "at",
        "×" => "times",
        "÷" => "divided by",
        "±" => "plus or minus",
        "→" => "to",
        "<" => "less than",
        ">" => "greater than",
        "≠" => "is not equal to",
        "≈" => "is about",
        "≤" => "at most",
        "≥" => "at least",
        "©" => "copyright",
        "π" => "pi",
        "°" => "degrees",
        "%" => "percent",
        _ => return None,
    })
}

/// `#CompereLaunch` reads as two words.
fn camel(tag: &str) -> String {
    let mut said = String::new();
    let mut lower_before = false;
    for letter in tag.chars() {
        let number = letter.is_ascii_digit() && said.ends_with(char::is_alphabetic);
        if letter.is_uppercase() && lower_before || number {
            said.push(' ');
        }
        lower_before = letter.is_lowercase();
        said.push(letter);
    }
    said
}

fn abbreviation(reader: Reader<'_>) -> Option<Reading> {
    let core = reader.core();
    let stopped = reader.token().stop == Some('.');
    let next = reader.tokens.get(reader.at + 1).map(|token| token.core.as_str());
    let name_follows = next.is_some_and(|next| next.starts_with(char::is_uppercase));
    let number_follows = next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
    let lower = core.to_lowercase();
    let said = match lower.as_str() {
        "dr" if name_follows => "doctor",
        "dr" if stopped => "drive",
        "mr" => "mister",
        "mrs" => "missus",
        "ms" if core == "Ms" => "miss",
        "prof" if core == "Prof" => "professor",
        "st" if core == "St" && name_follows && !after_a_name(reader) => "saint",
        "st" if core == "St" => "street",
        "mt" if core == "Mt" && name_follows => "mount",
        "ft" if core == "Ft" && name_follows => "fort",
        "gen" if core == "Gen" && name_follows && stopped => "general",
        "sen" if core == "Sen" && name_follows && stopped => "senator",
        "rep" if core == "Rep" && name_follows && stopped => "representative",
        "gov" if core == "Gov" && name_follows && stopped => "governor",
        "capt" => "captain",
        "lt" if core == "Lt" => "lieutenant",
        "col" if core == "Col" && name_follows => "colonel",
        "sgt" => "sergeant",
        "rev" if core == "Rev" && name_follows => "reverend",
        "hon" if core == "Hon" && stopped => "honorable",
        "jr" => "junior",
        "sr" if core == "Sr" => "senior",
        "ave" if stopped || after_a_name(reader) => "avenue",
        "blvd" => "boulevard",
        "rd" if core == "Rd" => "road",
        "hwy" => "highway",
        "inc" if core == "Inc" => "incorporated",
        "ltd" => "limited",
        "corp" if core == "Corp" => "corporation",
        "co" if core == "Co" && stopped => "company",
        "dept" => "department",
        "govt" => "government",
        "approx" => "approximately",
        "est" if stopped && number_follows => "established",
        "no" if number_follows && stopped && core == "No" => "number",
        "nos" if number_follows => "numbers",
        "fig" if number_follows => "figure",
        "vol" if number_follows => "volume",
        "ch" if number_follows && stopped => "chapter",
        "p" if number_follows && stopped => "page",
        "pp" if number_follows => "pages",
        "ed" if stopped && number_follows => "edition",
        "vs" | "v" if lower == "vs" || stopped => "versus",
        "etc" => "et cetera",
        "e.g" | "eg" => "for example",
        "i.e" | "ie" => "that is",
        "cf" if stopped => "compare",
        "al" if stopped && reader.previous() == Some("et") => "al",
        "w/" => "with",
        "w/o" => "without",
        "b/c" => "because",
        "a.m" => "A M",
        "p.m" => "P M",
        "aka" | "a.k.a" => "also known as",
        "asap" => "as soon as possible",
        "fyi" => "for your information",
        "tba" => "to be announced",
        "dept." => "department",
        "incl" => "including",
        "excl" if stopped => "excluding",
        "misc" if stopped => "miscellaneous",
        "temp" if stopped && number_follows => "temperature",
        "tel" if stopped => "telephone",
        "max" if stopped && core.starts_with('m') => "maximum",
        "min" if stopped && core.starts_with('m') => "minimum",
        "and/or" => "and or",
        "c++" => "C plus plus",
        "c#" => "C sharp",
        "f#" => "F sharp",
        ".net" => "dot net",
        "wi-fi" => "wifi",
        "ph.d" | "phd" => "P H D",
        "mon" if stopped => "Monday",
        "tue" | "tues" if stopped => "Tuesday",
        "wed" if stopped => "Wednesday",
        "thu" | "thur" | "thurs" if stopped => "Thursday",
        "fri" if stopped => "Friday",
        "sat" if stopped && core == "Sat" => "Saturday",
        "sun" if stopped && core == "Sun" && !ends_here(reader) => "Sunday",
        _ => return None,
    };
    Some(Reading::abbreviation(said))
}

fn ends_here(reader: Reader<'_>) -> bool {
    reader.at + 1 == reader.tokens.len()
}

fn after_a_name(reader: Reader<'_>) -> bool {
    reader.at > 1 && reader.previous().is_some_and(|word| word.starts_with(char::is_uppercase))
}

/// `Henry VIII` is the eighth, `World War II` is two. A lone `I`, `V`, `X` or `C` counts only behind a word that counts.
fn roman(reader: Reader<'_>) -> Option<String> {
    const COUNTED: [&str; 18] = [
        "chapter", "part", "war", "volume", "book", "act", "scene", "section", "phase", "type", "class", "level",
        "stage", "title", "article", "appendix", "bowl", "mark",
    ];
    const RULERS: [&str; 24] = [
        "Henry",
        "Louis",
        "Charles",
        "George",
        "Edward",
        "James",
        "William",
        "Richard",
        "Elizabeth",
        "Philip",
        "Pope",
        "Pius",
        "Benedict",
        "Napoleon",
        "Nicholas",
        "Alexander",
        "Catherine",
        "Frederick",
        "Paul",
        "John",
        "Mary",
        "Leo",
        "Francis",
        "Ramses",
    ];
    let value = roman_value(reader.core())?;
    let before = reader.previous()?;
    if RULERS.contains(&before) {
        return Some(format!("the {}", ordinal(value)));
    }
    let counted = COUNTED.contains(&before.to_lowercase().as_str());
    let long = reader.core().len() > 1
        && before.starts_with(char::is_uppercase)
        && !matches!(reader.core(), "CD" | "MD" | "DC" | "MC" | "CV" | "DI" | "MI" | "LI" | "DM" | "CM" | "MM" | "CC");
    let counted = counted && (reader.core().len() > 1 || matches!(reader.core(), "I" | "V" | "X"));
    (counted || long).then(|| cardinal(value))
}

fn roman_value(text: &str) -> Option<u128> {
    let digit = |c: char| {
        Some(match c {
            'I' => 1,
            'V' => 5,
            'X' => 10,
            'L' => 50,
            'C' => 100,
            'D' => 500,
            'M' => 1000,
            _ => return None,
        })
    };
    let digits: Vec<i64> = text.chars().map(digit).collect::<Option<_>>()?;
    let mut value: i64 = 0;
    for (at, digit) in digits.iter().enumerate() {
        let smaller = digits.get(at + 1).is_some_and(|next| digit < next);
        value += if smaller { -digit } else { *digit };
    }
    let value = u128::try_from(value).ok()?;
    (written_roman(value) == text).then_some(value)
}

fn written_roman(mut value: u128) -> String {
    const STEPS: [(u128, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut text = String::new();
    for (size, sign) in STEPS {
        while value >= size {
            text.push_str(sign);
            value -= size;
        }
    }
    text
}
