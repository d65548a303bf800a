//! What espeak-ng does not read in the right form: ordinals of German and French, German years, Roman numbers.

/// `dritte`, `einundzwanzigste`: without its ending (`n`, `r`, …). 1 to 99.
pub fn german(number: u32) -> Option<String> {
    Some(match number {
        1 => "erste".into(),
        3 => "dritte".into(),
        7 => "siebte".into(),
        8 => "achte".into(),
        2..=19 => format!("{}te", german_cardinal(number)),
        20..=99 => format!("{}ste", german_cardinal(number)),
        _ => return None,
    })
}

/// 1100 to 1999 as years are told: `neunzehnhundertvierundachtzig`.
pub fn german_year(year: u32) -> Option<String> {
    (1100..2000).contains(&year).then(|| {
        let rest = if year.is_multiple_of(100) { String::new() } else { german_cardinal(year % 100) };
        format!("{}hundert{rest}", german_cardinal(year / 100))
    })
}

fn german_cardinal(number: u32) -> String {
    const ONES: [&str; 20] = [
        "null",
        "ein",
        "zwei",
        "drei",
        "vier",
        "fünf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "elf",
        "zwölf",
        "dreizehn",
        "vierzehn",
        "fünfzehn",
        "sechzehn",
        "siebzehn",
        "achtzehn",
        "neunzehn",
    ];
    const TENS: [&str; 10] =
        ["", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"];
    match number {
        1 => "eins".into(),
        0..=19 => ONES[number as usize].into(),
        _ if number.is_multiple_of(10) => TENS[number as usize / 10].into(),
        _ => format!("{}und{}", ONES[number as usize % 10], TENS[number as usize / 10 % 10]),
    }
}

/// `deuxième`, `vingt et unième`. 1 to 69.
pub fn french(number: u32) -> Option<String> {
    const ONES: [&str; 17] = [
        "", "uni", "deuxi", "troisi", "quatri", "cinqui", "sixi", "septi", "huiti", "neuvi", "dixi", "onzi", "douzi",
        "treizi", "quatorzi", "quinzi", "seizi",
    ];
    const TENS: [&str; 7] = ["", "dix", "vingt", "trente", "quarante", "cinquante", "soixante"];
    let (tens, ones) = ((number / 10) as usize, (number % 10) as usize);
    let stem = match number {
        1 => return Some("premier".into()),
        2..=16 => ONES[number as usize].to_owned(),
        17..=19 => format!("dix-{}", ONES[ones]),
        20..=69 if ones == 0 => format!("{}i", TENS[tens].trim_end_matches('e')),
        20..=69 if ones == 1 => format!("{} et {}", TENS[tens], ONES[1]),
        20..=69 => format!("{}-{}", TENS[tens], ONES[ones]),
        _ => return None,
    };
    Some(format!("{stem}ème"))
}

/// 1 to 89, and only as it is properly written: `IIII` is none.
pub fn roman(text: &str) -> Option<u32> {
    const PARTS: [(&str, u32); 7] = [("L", 50), ("XL", 40), ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)];
    let mut rest = text;
    let mut value = 0;
    for (sign, worth) in PARTS {
        let most = if matches!(sign, "X" | "I") { 3 } else { 1 };
        for _ in 0..most {
            if let Some(behind) = rest.strip_prefix(sign) {
                (rest, value) = (behind, value + worth);
            }
        }
    }
    (rest.is_empty() && value > 0).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_and_years() {
        assert_eq!(german(21).as_deref(), Some("einundzwanzigste"));
        assert_eq!(german(30).as_deref(), Some("dreißigste"));
        assert_eq!(german(11).as_deref(), Some("elfte"));
        assert_eq!(german_year(1984).as_deref(), Some("neunzehnhundertvierundachtzig"));
        assert_eq!(german_year(1800).as_deref(), Some("achtzehnhundert"));
        assert_eq!(french(2).as_deref(), Some("deuxième"));
        assert_eq!(french(21).as_deref(), Some("vingt et unième"));
        assert_eq!(french(30).as_deref(), Some("trentième"));
        assert_eq!((roman("XIV"), roman("XXI"), roman("IIII"), roman("MIX")), (Some(14), Some(21), None, None));
    }
}
