//! Dates, years and times of day.

use super::numbers::{cardinal, ordinal, year};
use super::{Reader, Reading};

const MONTHS: [(&str, &str); 12] = [
    ("January", "jan"),
    ("February", "feb"),
    ("March", "mar"),
    ("April", "apr"),
    ("May", "may"),
    ("June", "jun"),
    ("July", "jul"),
    ("August", "aug"),
    ("September", "sep"),
    ("October", "oct"),
    ("November", "nov"),
    ("December", "dec"),
];

pub fn read(reader: Reader<'_>) -> Option<Reading> {
    time(reader)
        .or_else(|| written_date(reader))
        .or_else(|| short_date(reader))
        .or_else(|| month_name(reader))
        .or_else(|| day(reader))
        .or_else(|| decade(reader.core()).map(Reading::one))
        .or_else(|| years(reader))
}

fn month(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let found = MONTHS
        .iter()
        .find(|(name, short)| lower == *short || lower == name.to_lowercase() || (lower == "sept" && *short == "sep"));
    found.filter(|_| text.starts_with(char::is_uppercase)).map(|(name, _)| *name)
}

/// `Jan. 5`: a short month is one only beside a number; so is `March`, but that needs no writing out.
fn month_name(reader: Reader<'_>) -> Option<Reading> {
    let name = month(reader.core()).filter(|name| *name != reader.core())?;
    let number = |word: Option<&str>| word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let beside = number(reader.next_after_comma()) || number(reader.previous());
    beside.then(|| Reading::abbreviation(name))
}

/// The number beside a month: `March 5` and `5 March`.
fn day(reader: Reader<'_>) -> Option<Reading> {
    let core = reader.core();
    let bare = core.trim_end_matches(['s', 't', 'n', 'd', 'r', 'h']);
    let number: u128 = bare.parse().ok().filter(|day| (1..=31).contains(day))?;
    if bare.len() > 2 {
        return None;
    }
    if reader.previous().is_some_and(|word| month(word).is_some()) {
        return Some(Reading::one(ordinal(number)));
    }
    if reader.next(1).is_some_and(|word| month(word).is_some()) {
        let the = if reader.previous().is_some_and(|word| word.eq_ignore_ascii_case("the")) { "" } else { "the " };
        return Some(Reading::one(format!("{the}{} of", ordinal(number))));
    }
    None
}

/// `2024-03-05`, `3/5/2024`, `05.03.2024`.
fn written_date(reader: Reader<'_>) -> Option<Reading> {
    let core = reader.core();
    let separator = core.chars().find(|c| matches!(c, '-' | '/' | '.'))?;
    let parts: Vec<&str> = core.split(separator).collect();
    let [a, b, c] = parts[..] else { return None };
    let number = |text: &str| text.parse::<u128>().ok();
    let (y, m, d) = if a.len() == 4 && separator != '.' {
        (number(a)?, number(b)?, number(c)?)
    } else if c.len() == 4 || (c.len() == 2 && separator == '/') {
        let (first, second) = (number(a)?, number(b)?);
        let day_first = separator == '.' || reader.british() || first > 12;
        let (m, d) = if day_first { (second, first) } else { (first, second) };
        (if c.len() == 2 { 2000 + number(c)? } else { number(c)? }, m, d)
    } else {
        return None;
    };
    let (name, _) = MONTHS.get(usize::try_from(m).ok()?.checked_sub(1)?)?;
    if !(1..=31).contains(&d) {
        return None;
    }
    Some(Reading::one(if reader.british() {
        format!("the {} of {name} {}", ordinal(d), year(y))
    } else {
        format!("{name} {}, {}", ordinal(d), year(y))
    }))
}

/// `12/31`, where it cannot be a fraction or the word before says that it is a day.
fn short_date(reader: Reader<'_>) -> Option<Reading> {
    let (first, second) = reader.core().split_once('/')?;
    let (first, second): (u128, u128) = (first.parse().ok()?, second.parse().ok()?);
    let (month, day) = if reader.british() { (second, first) } else { (first, second) };
    let (name, _) = MONTHS.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    let pointed = reader.previous().is_some_and(|word| {
        matches!(word.to_lowercase().as_str(), "on" | "by" | "until" | "before" | "after" | "from" | "since" | "due")
    });
    let date = (1..=31).contains(&day) && (pointed || day > 16);
    let words =
        if reader.british() { format!("the {} of {name}", ordinal(day)) } else { format!("{name} {}", ordinal(day)) };
    date.then(|| Reading::one(words))
}

/// `1990s`, `'90s`, `80s`.
fn decade(core: &str) -> Option<String> {
    let bare = core.strip_suffix("'s").or_else(|| core.strip_suffix("’s")).or_else(|| core.strip_suffix('s'))?;
    let bare = bare.trim_start_matches(['\'', '’']);
    let number: u128 = bare.parse().ok()?;
    let plural = |words: String| match words.strip_suffix('y') {
        Some(head) => format!("{head}ies"),
        None => format!("{words}s"),
    };
    match bare.len() {
        4 if number.is_multiple_of(10) => Some(plural(year(number))),
        2 if number.is_multiple_of(10) && number > 10 => Some(plural(cardinal(number))),
        _ => None,
    }
}

fn years(reader: Reader<'_>) -> Option<Reading> {
    let core = reader.core();
    if let Some((from, to)) = core.split_once(['-', '–']) {
        let from = year_number(from)?;
        let to_number: u128 = to.parse().ok()?;
        let words = match to.len() {
            4 => year(year_number(to)?),
            2 => cardinal(to_number),
            _ => return None,
        };
        return Some(Reading::one(format!("{} to {words}", year(from))));
    }
    if let Some(short) = core.strip_prefix(['\'', '’'])
        && short.len() == 2
        && let Ok(number) = short.parse::<u128>()
    {
        return Some(Reading::one(cardinal(number)));
    }
    let number = year_number(core)?;
    let counted = reader.next(1).is_some_and(is_counted) && !reader.previous().is_some_and(points_at_a_year);
    (!counted).then(|| Reading::one(year(number)))
}

fn year_number(text: &str) -> Option<u128> {
    let number: u128 = text.parse().ok()?;
    (text.len() == 4 && (1100..2100).contains(&number)).then_some(number)
}

fn points_at_a_year(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "in" | "since" | "until" | "year" | "by") || month(word).is_some()
}

/// `2000 people`, `1500 users`: things are counted, years are not.
fn is_counted(word: &str) -> bool {
    let plural = word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !matches!(word, "was" | "census" | "this" | "does" | "olympics");
    let unit = matches!(
        word,
        "people"
            | "km"
            | "m"
            | "kg"
            | "g"
            | "miles"
            | "men"
            | "women"
            | "children"
            | "percent"
            | "mm"
            | "ml"
            | "MB"
            | "GB"
            | "Hz"
            | "W"
            | "times"
            | "ft"
            | "lb"
            | "of"
    );
    word.starts_with(char::is_lowercase) && plural || unit
}

/// `10:30`, `9:05 am`, `10am`, `14:00`.
fn time(reader: Reader<'_>) -> Option<Reading> {
    let core = reader.core();
    let lower = core.to_lowercase();
    let (clock, glued) = match half(&lower) {
        Some((clock, half)) => (clock, Some(half)),
        None => (lower.as_str(), None),
    };
    let behind = reader.next(1).and_then(|word| half_word(&word.to_lowercase()));
    let half = glued.or(behind);
    let tokens = 1 + usize::from(glued.is_none() && behind.is_some());
    let said = match clock.split_once(':') {
        Some((hours, rest)) => clock_time(hours, rest, half)?,
        None => {
            let hour: u128 = clock.parse().ok().filter(|hour| (1..=12).contains(hour))?;
            format!("{} {}", cardinal(hour), half?)
        }
    };
    Some(Reading { said, tokens, eats_stop: half.is_some() })
}

fn clock_time(hours: &str, rest: &str, half: Option<&str>) -> Option<String> {
    let (minutes, seconds) = rest.split_once(':').map_or((rest, None), |(minutes, seconds)| (minutes, Some(seconds)));
    if hours.len() > 2 || minutes.len() != 2 {
        return None;
    }
    let (hour, minute): (u128, u128) = (hours.parse().ok()?, minutes.parse().ok()?);
    if hour > 24 || minute > 59 {
        return None;
    }
    if let Some(seconds) = seconds {
        let seconds: u128 = seconds.parse().ok()?;
        let count = |number, unit| format!("{} {unit}{}", cardinal(number), if number == 1 { "" } else { "s" });
        return Some(format!("{} {} and {}", count(hour, "hour"), count(minute, "minute"), count(seconds, "second")));
    }
    let words = match (minute, half) {
        (0, Some(_)) => cardinal(hour),
        (0, None) if (1..=12).contains(&hour) => format!("{} o'clock", cardinal(hour)),
        (0, None) => format!("{} hundred", cardinal(hour)),
        (1..=9, _) => format!("{} oh {}", cardinal(hour), cardinal(minute)),
        _ => format!("{} {}", cardinal(hour), cardinal(minute)),
    };
    Some(match half {
        Some(half) => format!("{words} {half}"),
        None => words,
    })
}

fn half(lower: &str) -> Option<(&str, &'static str)> {
    ["a.m", "p.m", "am", "pm"].iter().find_map(|ending| {
        let clock = lower.strip_suffix(ending)?;
        clock.ends_with(|c: char| c.is_ascii_digit()).then(|| (clock, half_word(ending).unwrap_or_default()))
    })
}

/// Apart, so that the letters are named.
fn half_word(lower: &str) -> Option<&'static str> {
    match lower {
        "am" | "a.m" => Some("A M"),
        "pm" | "p.m" => Some("P M"),
        _ => None,
    }
}
