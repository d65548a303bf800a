//! Numbers as English words.

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: [(u128, &str); 6] = [
    (1_000_000_000_000_000_000, "quintillion"),
    (1_000_000_000_000_000, "quadrillion"),
    (1_000_000_000_000, "trillion"),
    (1_000_000_000, "billion"),
    (1_000_000, "million"),
    (1_000, "thousand"),
];
/// Longer ones are read digit by digit.
const MOST_DIGITS: usize = 18;

/// `1024` is `one thousand twenty-four`.
pub fn cardinal(number: u128) -> String {
    if number < 100 {
        return below_hundred(number as usize);
    }
    if number < 1000 {
        let (hundreds, rest) = (number / 100, number % 100);
        return joined(format!("{} hundred", ONES[hundreds as usize]), rest);
    }
    let (size, name) = SCALES.iter().find(|(size, _)| *size <= number).copied().unwrap_or((1_000, "thousand"));
    joined(format!("{} {name}", cardinal(number / size)), number % size)
}

fn joined(head: String, rest: u128) -> String {
    if rest == 0 { head } else { format!("{head} {}", cardinal(rest)) }
}

fn below_hundred(number: usize) -> String {
    match (number / 10, number % 10) {
        (0 | 1, _) => ONES[number].to_owned(),
        (tens, 0) => TENS[tens].to_owned(),
        (tens, ones) => format!("{}-{}", TENS[tens], ONES[ones]),
    }
}

/// `21` is `twenty-first`.
pub fn ordinal(number: u128) -> String {
    let words = cardinal(number);
    let cut = words.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (head, last) = words.split_at(cut);
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        tens if tens.ends_with('y') => format!("{}ieth", &tens[..tens.len() - 1]),
        other => format!("{other}th"),
    };
    format!("{head}{last}")
}

/// `1984` is `nineteen eighty-four`, `2005` is `two thousand five`.
pub fn year(number: u128) -> String {
    let (century, rest) = (number / 100, number % 100);
    match (century, rest) {
        (10..=99, 0) if century % 10 != 0 => format!("{} hundred", cardinal(century)),
        (10..=99, 0) | (20, 1..=9) => cardinal(number),
        (10..=99, 1..=9) => format!("{} oh {}", cardinal(century), cardinal(rest)),
        (10..=99, _) => format!("{} {}", cardinal(century), cardinal(rest)),
        _ => cardinal(number),
    }
}

/// `007` is `zero zero seven`.
pub fn digits(text: &str) -> String {
    let words: Vec<&str> = text.chars().filter_map(|c| c.to_digit(10)).map(|digit| ONES[digit as usize]).collect();
    words.join(" ")
}

/// Digits with thousands commas and a decimal point, signs not included.
pub fn decimal(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let whole = ungrouped(whole)?;
    let spoken = match (whole.as_str(), fraction) {
        ("", Some(_)) => String::new(),
        ("", None) => return None,
        (number, _) => integer(number),
    };
    match fraction {
        None => Some(spoken),
        Some(fraction) if !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit()) => {
            let spoken = if spoken.is_empty() { "zero".to_owned() } else { spoken };
            Some(format!("{spoken} point {}", digits(fraction)))
        }
        Some(_) => None,
    }
}

/// Leading zeros and very long numbers are read digit by digit.
pub fn integer(number: &str) -> String {
    let reads_as_digits = number.len() > MOST_DIGITS || (number.len() > 1 && number.starts_with('0'));
    match number.parse::<u128>() {
        Ok(value) if !reads_as_digits => cardinal(value),
        _ => digits(number),
    }
}

/// The digits of `1,234,567`; none if the commas stand in other places.
pub fn ungrouped(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let grouped = rest.is_empty() || (1..=3).contains(&first.len());
    let whole = grouped
        && rest.iter().all(|group| group.len() == 3)
        && first.bytes().chain(rest.iter().flat_map(|group| group.bytes())).all(|byte| byte.is_ascii_digit());
    whole.then(|| text.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cardinals() {
        for (number, words) in [
            (0, "zero"),
            (13, "thirteen"),
            (21, "twenty-one"),
            (100, "one hundred"),
            (1_001, "one thousand one"),
            (1_234_567, "one million two hundred thirty-four thousand five hundred sixty-seven"),
        ] {
            assert_eq!(cardinal(number), words);
        }
    }

    #[test]
    fn ordinals() {
        for (number, words) in
            [(1, "first"), (12, "twelfth"), (20, "twentieth"), (43, "forty-third"), (100, "one hundredth")]
        {
            assert_eq!(ordinal(number), words);
        }
    }

    #[test]
    fn years() {
        for (number, words) in [
            (1984, "nineteen eighty-four"),
            (1900, "nineteen hundred"),
            (1905, "nineteen oh five"),
            (2000, "two thousand"),
            (2005, "two thousand five"),
            (2024, "twenty twenty-four"),
            (1066, "ten sixty-six"),
        ] {
            assert_eq!(year(number), words);
        }
    }

    #[test]
    fn decimals_and_groups() {
        assert_eq!(decimal("3.05").as_deref(), Some("three point zero five"));
        assert_eq!(decimal("1,250.5").as_deref(), Some("one thousand two hundred fifty point five"));
        assert_eq!(decimal(".5").as_deref(), Some("zero point five"));
        assert_eq!(decimal("007").as_deref(), Some("zero zero seven"));
        assert_eq!(decimal("12,34"), None);
        assert_eq!(decimal("1.2.3"), None);
    }
}
