//! Money, percentages, units, telephone numbers and plain numbers.

use super::numbers::{cardinal, decimal, digits, integer, ordinal, ungrouped};
use super::{Reader, Reading};

struct Currency {
    sign: &'static str,
    one: &'static str,
    many: &'static str,
    cent: &'static str,
    cents: &'static str,
}

const CURRENCIES: [Currency; 13] = [
    Currency { sign: "¢", one: "cent", many: "cents", cent: "", cents: "" },
    Currency { sign: "US$", one: "US dollar", many: "US dollars", cent: "cent", cents: "cents" },
    Currency { sign: "$", one: "dollar", many: "dollars", cent: "cent", cents: "cents" },
    Currency { sign: "€", one: "euro", many: "euros", cent: "cent", cents: "cents" },
    Currency { sign: "£", one: "pound", many: "pounds", cent: "penny", cents: "pence" },
    Currency { sign: "¥", one: "yen", many: "yen", cent: "sen", cents: "sen" },
    Currency { sign: "₹", one: "rupee", many: "rupees", cent: "paisa", cents: "paise" },
    Currency { sign: "₩", one: "won", many: "won", cent: "jeon", cents: "jeon" },
    Currency { sign: "USD", one: "US dollar", many: "US dollars", cent: "cent", cents: "cents" },
    Currency { sign: "EUR", one: "euro", many: "euros", cent: "cent", cents: "cents" },
    Currency { sign: "GBP", one: "pound", many: "pounds", cent: "penny", cents: "pence" },
    Currency { sign: "CHF", one: "Swiss franc", many: "Swiss francs", cent: "centime", cents: "centimes" },
    Currency { sign: "JPY", one: "yen", many: "yen", cent: "sen", cents: "sen" },
];

/// Written sizes: `$3.5 million`, `€2bn`.
fn size_word(text: &str) -> Option<&'static str> {
    match text {
        "hundred" => Some("hundred"),
        "thousand" | "k" | "K" => Some("thousand"),
        "million" | "m" | "M" | "mn" | "MM" | "mio" => Some("million"),
        "billion" | "bn" | "B" | "b" | "mrd" => Some("billion"),
        "trillion" | "tn" | "T" => Some("trillion"),
        _ => None,
    }
}

pub fn money(reader: Reader<'_>) -> Option<Reading> {
    let (minus, core) = signed(reader.core());
    for currency in &CURRENCIES {
        let (amount, code_behind) = match core.strip_prefix(currency.sign) {
            Some("") => match spaced_code(reader, currency) {
                Some(reading) => return Some(reading),
                None => continue,
            },
            Some(amount) => (amount, false),
            None => match core.strip_suffix(currency.sign) {
                Some(amount) => (amount, false),
                None if reader.next(1) == Some(currency.sign) => (core, true),
                None => continue,
            },
        };
        let (minus, amount) = if minus { (true, amount) } else { signed(amount) };
        let digits_end = amount.rfind(|c: char| c.is_ascii_digit()).map_or(0, |at| at + 1);
        let (number, glued) = amount.split_at(digits_end);
        let range = number.split_once(['-', '–']);
        let behind = if code_behind { None } else { reader.next(1).filter(|word| word.len() > 2).and_then(size_word) };
        let (glued, per) = glued.split_once('/').map_or((glued, None), |(glued, per)| (glued, Some(per)));
        let size = if glued.is_empty() { behind } else { Some(size_word(glued)?) };
        let said = match range {
            Some((low, high)) => {
                format!("{} to {}", decimal(low)?, amount_of(currency, high.trim_start_matches(currency.sign), size)?)
            }
            None => amount_of(currency, number, size)?,
        };
        let said = match per {
            Some(per) => format!("{said} per {}", unit(per, true).map_or_else(|| per.to_owned(), |(name, _)| name)),
            None => said,
        };
        let tokens = 1 + usize::from(code_behind || (glued.is_empty() && behind.is_some()));
        return Some(Reading::of(tokens, if minus { format!("minus {said}") } else { said }));
    }
    None
}

/// `USD 50`.
fn spaced_code(reader: Reader<'_>, currency: &Currency) -> Option<Reading> {
    let amount = reader.next(1).filter(|next| next.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(Reading::of(2, amount_of(currency, amount, None)?))
}

fn amount_of(currency: &Currency, number: &str, size: Option<&str>) -> Option<String> {
    if let Some(size) = size {
        return Some(format!("{} {size} {}", decimal(number)?, currency.many));
    }
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = if whole.is_empty() { "0".to_owned() } else { ungrouped(whole)? };
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if fraction.len() > 2 {
        return Some(format!("{} {}", decimal(number)?, currency.many));
    }
    let cents: u128 = format!("{fraction:0<2}").parse().unwrap_or(0);
    let units = format!("{} {}", integer(&whole), if whole == "1" { currency.one } else { currency.many });
    let small = format!("{} {}", cardinal(cents), if cents == 1 { currency.cent } else { currency.cents });
    Some(match (whole.trim_start_matches('0').is_empty(), cents) {
        (_, 0) => units,
        (true, _) => small,
        (false, _) => format!("{units} and {small}"),
    })
}

fn signed(core: &str) -> (bool, &str) {
    match core.strip_prefix(['-', '−']) {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit() || "$€£¥₹₩.".contains(c)) => (true, rest),
        _ => (false, core),
    }
}

/// `+1 (555) 123-4567`, `555-123-4567`, `1-800-555-0199`.
pub fn phone(reader: Reader<'_>) -> Option<Reading> {
    let is_group = |text: &str| text.starts_with(['+', '(']) || text.chars().next().is_some_and(|c| c.is_ascii_digit());
    let mut groups: Vec<String> = Vec::new();
    let (mut tokens, mut dashes) = (0, false);
    for token in &reader.tokens[reader.at..] {
        let core = token.core.as_str();
        let numeric = core.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '+' | '(' | ')' | '–' | '/'));
        if core.is_empty() || !is_group(core) || !numeric || core.matches(['.', '/']).count() == 1 {
            break;
        }
        dashes |= core.contains(['-', '–']);
        let parts = core.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        groups.extend(parts.map(str::to_owned));
        tokens += 1;
        if token.stop.is_some() && !token.bracketed {
            break;
        }
    }
    let total: usize = groups.iter().map(String::len).sum();
    let plus = reader.core().starts_with('+');
    let bracketed = reader.token().bracketed && tokens > 1;
    let dashed = dashes && groups.len() >= 3 && groups.last().is_some_and(|last| last.len() == 4) && total >= 10;
    let local = dashes && groups.len() == 2 && groups[0].len() == 3 && groups[1].len() == 4;
    if !(dashed || (plus && total >= 8) || (bracketed && total >= 9) || local) {
        return None;
    }
    let spoken: Vec<String> = groups.iter().map(|group| digits(group)).collect();
    let said = format!("{}{}", if plus { "plus " } else { "" }, spoken.join(", "));
    Some(Reading::of(
        tokens,
        said.replace("eight, zero zero,", "eight hundred,").replace("eight zero zero,", "eight hundred,"),
    ))
}

/// Numbers with whatever stands behind them.
pub fn read(reader: Reader<'_>) -> Option<Reading> {
    let core = reader.core();
    if let Some(said) = power(core).or_else(|| emergency(reader)) {
        return Some(Reading::one(said));
    }
    let (prefix, rest) = prefix(core);
    let (minus, rest) = signed(rest);
    if let Some(fraction) = fraction(reader, rest) {
        return Some(Reading::one(format!("{prefix}{fraction}")));
    }
    let digits_end = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | '.')).unwrap_or(rest.len());
    let (number, behind) = rest.split_at(digits_end);
    if !number.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let sign = if minus { "minus " } else { "" };
    if let Some(words) = ordinal_of(number, behind) {
        return Some(Reading::one(format!("{prefix}{words}")));
    }
    // `3 000`: a space between thousands.
    if behind.is_empty() && number.len() <= 3 && reader.next(1) == Some("000") {
        return Some(Reading::of(2, integer(&format!("{number}000"))));
    }
    if let Some(second) = behind.strip_prefix(':') {
        return Some(Reading::one(format!("{} to {}", decimal(number)?, decimal(second)?)));
    }
    // `5–10 %`, and `5%–10%`, where the unit is said once.
    let twice = behind.split_once(['-', '–']).filter(|(own, high)| {
        unit(own, false).is_some() && high.starts_with(|c: char| c.is_ascii_digit()) && high.ends_with(own)
    });
    if let Some(high) = behind.strip_prefix(['-', '–']).or(twice.map(|(_, high)| high)) {
        return range(number, high).map(|words| Reading::one(format!("{prefix}{sign}{words}")));
    }
    let value = decimal(number).or_else(|| version(number))?;
    let one = number == "1";
    if behind.is_empty() {
        let next = reader.next(1);
        if let Some((unit, _)) = next.and_then(|next| unit(next, one)) {
            return Some(Reading::of(2, format!("{prefix}{sign}{value} {unit}")));
        }
        return Some(Reading::one(format!("{prefix}{sign}{value}")));
    }
    if let Some(bare) = behind.strip_suffix('+').filter(|bare| bare.is_empty()) {
        return Some(Reading::one(format!("{prefix}{sign}{value} plus{bare}")));
    }
    if let Some(words) = feet_and_inches(number, behind) {
        return Some(Reading::one(words));
    }
    let said = match unit(behind, one) {
        Some((unit, _)) => format!("{value} {unit}"),
        None => match behind {
            "½" => format!("{value} and a half"),
            "¼" => format!("{value} and a quarter"),
            "¾" => format!("{value} and three quarters"),
            "bn" | "mn" => format!("{value} {}", size_word(behind)?),
            // `5M views`, but `3M` and room `221B`.
            "M" | "B"
                if reader.next(1).is_some_and(|next| next.starts_with(char::is_lowercase) && next.ends_with('s')) =>
            {
                format!("{value} {}", size_word(behind)?)
            }
            _ => return None,
        },
    };
    Some(Reading::one(format!("{prefix}{sign}{said}")))
}

/// `x²`, `10³`; units are squared elsewhere.
fn power(core: &str) -> Option<String> {
    let (stem, word) =
        core.strip_suffix('²').map(|stem| (stem, "squared")).or_else(|| Some((core.strip_suffix('³')?, "cubed")))?;
    let letter = stem.chars().count() == 1 && stem.chars().all(char::is_alphabetic);
    let stem = if letter { stem.to_owned() } else { decimal(stem)? };
    Some(format!("{stem} {word}"))
}

/// `Call 911`.
fn emergency(reader: Reader<'_>) -> Option<String> {
    let before = reader.previous()?.to_lowercase();
    let number = reader.core();
    let short = number.len() == 3 && number.bytes().all(|b| b.is_ascii_digit());
    (short && matches!(before.as_str(), "call" | "dial" | "called" | "dialed" | "ring")).then(|| digits(number))
}

fn prefix(core: &str) -> (&'static str, &str) {
    for (sign, word) in [
        ("#", "number "),
        ("~", "about "),
        ("≈", "about "),
        ("<", "less than "),
        (">", "more than "),
        ("≤", "at most "),
        ("≥", "at least "),
        ("±", "plus or minus "),
        ("+", "plus "),
        ("×", "times "),
        ("√", "the square root of "),
    ] {
        if let Some(rest) = core.strip_prefix(sign)
            && rest.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        {
            return (word, rest);
        }
    }
    ("", core)
}

fn ordinal_of(number: &str, behind: &str) -> Option<String> {
    let number = ungrouped(number)?;
    let (suffix, noun) = behind.split_once('-').unwrap_or((behind, ""));
    let words = matches!(suffix, "st" | "nd" | "rd" | "th").then(|| number.parse().ok().map(ordinal)).flatten()?;
    Some(format!("{words} {noun}").trim_end().to_owned())
}

fn range(low: &str, high: &str) -> Option<String> {
    let end = high.find(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | '.')).unwrap_or(high.len());
    let (high, behind) = high.split_at(end);
    let behind = match behind {
        "" => String::new(),
        _ => format!(" {}", unit(behind, false)?.0),
    };
    Some(format!("{} to {}{behind}", decimal(low)?, decimal(high)?))
}

/// `1.2.3` and addresses of machines.
fn version(number: &str) -> Option<String> {
    let parts: Vec<&str> = number.split('.').collect();
    let whole = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    let joint = if parts.len() == 4 { " dot " } else { " point " };
    (whole && parts.len() > 2).then(|| parts.iter().map(|part| integer(part)).collect::<Vec<_>>().join(joint))
}

fn fraction(reader: Reader<'_>, core: &str) -> Option<String> {
    match core {
        "½" => return Some("one half".into()),
        "¼" => return Some("one quarter".into()),
        "¾" => return Some("three quarters".into()),
        "24/7" => return Some("twenty-four seven".into()),
        "9/11" => return Some("nine eleven".into()),
        "50/50" => return Some("fifty-fifty".into()),
        _ => {}
    }
    let (top, bottom) = core.split_once('/')?;
    if matches!(bottom, "10" | "100") || top.contains('.') {
        return Some(format!("{} out of {}", decimal(top)?, decimal(bottom)?));
    }
    let (top, bottom): (u128, u128) = (top.parse().ok()?, bottom.parse().ok()?);
    if bottom == 0 || bottom > 100 {
        return Some(format!("{} over {}", cardinal(top), cardinal(bottom)));
    }
    let name = match bottom {
        2 => "half".to_owned(),
        4 => "quarter".to_owned(),
        _ => ordinal(bottom),
    };
    let many = match (top, bottom) {
        (1, _) => name,
        (_, 2) => "halves".to_owned(),
        _ => format!("{name}s"),
    };
    let mixed = reader.previous().is_some_and(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()));
    Some(format!("{}{} {many}", if mixed { "and " } else { "" }, cardinal(top)))
}

fn feet_and_inches(number: &str, behind: &str) -> Option<String> {
    let (feet, inches) = behind.split_once(['\'', '′'])?;
    let inches = inches.trim_end_matches(['"', '″', '”']);
    (feet.is_empty() && !inches.is_empty())
        .then(|| Some(format!("{} foot {}", decimal(number)?, decimal(inches)?)))
        .flatten()
}

/// The spoken unit; whether it may stand apart from its number.
fn unit(text: &str, one: bool) -> Option<(String, bool)> {
    if let Some(bare) = text.strip_suffix('²') {
        return unit(bare, one).map(|(name, apart)| (format!("square {name}"), apart));
    }
    if let Some(bare) = text.strip_suffix('³') {
        return unit(bare, one).map(|(name, apart)| (format!("cubic {name}"), apart));
    }
    if let Some((top, bottom)) = text.split_once('/')
        && let (Some((top, _)), Some((bottom, _))) = (unit(top, one), unit(bottom, true))
    {
        return Some((format!("{top} per {bottom}"), true));
    }
    let (singular, plural) = UNITS.iter().find(|(sign, ..)| *sign == text).map(|(_, one, many)| (*one, *many))?;
    Some((if one { singular } else { plural }.to_owned(), true))
}

/// Sign, one, many. Signs that are also words (`in`, `a`, `as`, `at`) are left out.
const UNITS: [(&str, &str, &str); 72] = [
    ("%", "percent", "percent"),
    ("‰", "per mille", "per mille"),
    ("°", "degree", "degrees"),
    ("°C", "degree Celsius", "degrees Celsius"),
    ("°F", "degree Fahrenheit", "degrees Fahrenheit"),
    ("℃", "degree Celsius", "degrees Celsius"),
    ("km", "kilometer", "kilometers"),
    ("m", "meter", "meters"),
    ("cm", "centimeter", "centimeters"),
    ("mm", "millimeter", "millimeters"),
    ("µm", "micrometer", "micrometers"),
    ("nm", "nanometer", "nanometers"),
    ("mi", "mile", "miles"),
    ("ft", "foot", "feet"),
    ("yd", "yard", "yards"),
    ("yds", "yard", "yards"),
    ("\"", "inch", "inches"),
    ("″", "inch", "inches"),
    ("sqm", "square meter", "square meters"),
    ("ha", "hectare", "hectares"),
    ("kg", "kilogram", "kilograms"),
    ("g", "gram", "grams"),
    ("mg", "milligram", "milligrams"),
    ("µg", "microgram", "micrograms"),
    ("lb", "pound", "pounds"),
    ("lbs", "pound", "pounds"),
    ("oz", "ounce", "ounces"),
    ("l", "liter", "liters"),
    ("L", "liter", "liters"),
    ("ml", "milliliter", "milliliters"),
    ("tsp", "teaspoon", "teaspoons"),
    ("tbsp", "tablespoon", "tablespoons"),
    ("mL", "milliliter", "milliliters"),
    ("cl", "centiliter", "centiliters"),
    ("s", "second", "seconds"),
    ("sec", "second", "seconds"),
    ("secs", "second", "seconds"),
    ("ms", "millisecond", "milliseconds"),
    ("min", "minute", "minutes"),
    ("mins", "minute", "minutes"),
    ("h", "hour", "hours"),
    ("hr", "hour", "hours"),
    ("hrs", "hour", "hours"),
    ("kph", "kilometer per hour", "kilometers per hour"),
    ("km/h", "kilometer per hour", "kilometers per hour"),
    ("kmh", "kilometer per hour", "kilometers per hour"),
    ("mph", "mile per hour", "miles per hour"),
    ("rpm", "revolution per minute", "revolutions per minute"),
    ("fps", "frame per second", "frames per second"),
    ("Hz", "hertz", "hertz"),
    ("kHz", "kilohertz", "kilohertz"),
    ("MHz", "megahertz", "megahertz"),
    ("GHz", "gigahertz", "gigahertz"),
    ("W", "watt", "watts"),
    ("kW", "kilowatt", "kilowatts"),
    ("MW", "megawatt", "megawatts"),
    ("GW", "gigawatt", "gigawatts"),
    ("kWh", "kilowatt hour", "kilowatt hours"),
    ("MWh", "megawatt hour", "megawatt hours"),
    ("V", "volt", "volts"),
    ("mAh", "milliamp hour", "milliamp hours"),
    ("dB", "decibel", "decibels"),
    ("kB", "kilobyte", "kilobytes"),
    ("KB", "kilobyte", "kilobytes"),
    ("MB", "megabyte", "megabytes"),
    ("GB", "gigabyte", "gigabytes"),
    ("TB", "terabyte", "terabytes"),
    ("PB", "petabyte", "petabytes"),
    ("Mbps", "megabit per second", "megabits per second"),
    ("Gbps", "gigabit per second", "gigabits per second"),
    ("px", "pixel", "pixels"),
    ("kcal", "kilocalorie", "kilocalories"),
];
