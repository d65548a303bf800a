//! Numbers in kana, as they sound.

const DIGITS: [&str; 10] = ["ゼロ", "イチ", "ニ", "サン", "ヨン", "ゴ", "ロク", "ナナ", "ハチ", "キュー"];

/// Digit by digit: telephone numbers, codes.
pub fn digits(text: &str) -> String {
    text.chars().filter_map(|c| Some(DIGITS[c.to_digit(10)? as usize])).collect()
}

/// A whole number as it is counted.
pub fn cardinal(text: &str) -> String {
    let text = text.trim_start_matches('0');
    if text.is_empty() {
        return "ゼロ".into();
    }
    if text.len() > 16 {
        return digits(text);
    }
    let bytes = text.as_bytes();
    let groups = bytes.len().div_ceil(4);
    let mut said = String::new();
    for group in 0..groups {
        let end = bytes.len() - 4 * (groups - 1 - group);
        let value = text[end.saturating_sub(4)..end].parse::<u32>().unwrap_or(0);
        let value = if end < 4 { text[..end].parse().unwrap_or(0) } else { value };
        if value == 0 {
            continue;
        }
        let name = ["", "マン", "オク", "チョー"][groups - 1 - group];
        let spoken = below_ten_thousand(value);
        said.push_str(&if name == "チョー" { doubled(&spoken) } else { spoken });
        said.push_str(name);
    }
    said
}

fn below_ten_thousand(value: u32) -> String {
    let mut said = String::new();
    let [thousands, hundreds, tens, ones] = [value / 1000, value / 100 % 10, value / 10 % 10, value % 10];
    for (digit, name, irregular) in [
        (thousands, "セン", [(1, "セン"), (3, "サンゼン"), (8, "ハッセン"), (0, "")]),
        (hundreds, "ヒャク", [(1, "ヒャク"), (3, "サンビャク"), (6, "ロッピャク"), (8, "ハッピャク")]),
    ] {
        match irregular.iter().find(|(known, _)| *known == digit) {
            _ if digit == 0 => {}
            Some((_, whole)) => said.push_str(whole),
            None => {
                said.push_str(DIGITS[digit as usize]);
                said.push_str(name);
            }
        }
    }
    if tens > 0 {
        said.push_str(if tens > 1 { DIGITS[tens as usize] } else { "" });
        said.push_str("ジュー");
    }
    if ones > 0 {
        said.push_str(DIGITS[ones as usize]);
    }
    said
}

/// With a fraction: `3.14` is `サンテンイチヨン`. Marks between thousands are allowed; none for anything else.
pub fn decimal(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let groups: Vec<&str> = whole.split(',').collect();
    let numeric = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !groups.iter().all(|group| numeric(group)) || groups[1..].iter().any(|group| group.len() != 3) {
        return None;
    }
    let said = cardinal(&groups.concat());
    match fraction {
        None => Some(said),
        Some(fraction) if numeric(fraction) => {
            let whole = if said == "ゼロ" { "レー".to_owned() } else { doubled(&said) };
            Some(format!("{whole}テン{}", digits(fraction)))
        }
        Some(_) => None,
    }
}

/// The form before a hard sound: `イチ` becomes `イッ`, `ジュー` `ジュッ`.
pub fn doubled(number: &str) -> String {
    for (plain, hard) in [("イチ", "イッ"), ("ハチ", "ハッ"), ("ジュー", "ジュッ")] {
        if let Some(start) = number.strip_suffix(plain) {
            return format!("{start}{hard}");
        }
    }
    number.to_owned()
}

/// How the last sound of a number and the first of a counter change each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// Not at all.
    Plain,
    /// `イッカイ`, `ロッカイ`.
    K,
    /// `イッサイ`.
    S,
    /// `イッテン`.
    T,
    /// `イッポン`, `サンボン`, `ロッポン`.
    H,
    /// `イップン`, `サンプン`, `ヨンプン`.
    P,
}

pub fn counted(number: &str, counter: &str, joint: Joint) -> String {
    let hardens = match joint {
        Joint::Plain => return format!("{number}{counter}"),
        Joint::K | Joint::H | Joint::P => ["イチ", "ロク", "ハチ", "ジュー", "ヒャク", "ビャク", "ピャク"].as_slice(),
        Joint::S | Joint::T => ["イチ", "ハチ", "ジュー"].as_slice(),
    };
    let hard = hardens.iter().find(|ending| number.ends_with(**ending));
    let number_said = match hard {
        Some(&"ジュー") => format!("{}ジュッ", number.trim_end_matches("ジュー")),
        Some(ending) => {
            let stem = &number[..number.len() - ending.len()];
            let mut kept: Vec<char> = ending.chars().collect();
            kept.pop();
            format!("{stem}{}ッ", kept.into_iter().collect::<String>())
        }
        None => number.to_owned(),
    };
    let soft = number.ends_with("サン") || number.ends_with("セン") || number.ends_with("マン");
    let said = match joint {
        Joint::H if hard.is_some() => voiced(counter, 'パ'),
        Joint::H if soft => voiced(counter, 'バ'),
        Joint::P if hard.is_some() || soft || number.ends_with("ヨン") => voiced(counter, 'パ'),
        _ => counter.to_owned(),
    };
    format!("{number_said}{said}")
}

/// Turns the h of a counter into p or b.
fn voiced(counter: &str, row: char) -> String {
    let change = |c: char| {
        let at = "ハヒフヘホ".chars().position(|h| h == c)?;
        (if row == 'パ' { "パピプペポ" } else { "バビブベボ" }).chars().nth(at)
    };
    let mut letters = counter.chars();
    let first = letters.next().map(|c| change(c).unwrap_or(c));
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_counters_change_each_other() {
        for (written, said) in [
            ("0", "ゼロ"),
            ("10", "ジュー"),
            ("365", "サンビャクロクジューゴ"),
            ("2024", "ニセンニジューヨン"),
            ("8600", "ハッセンロッピャク"),
            ("12345", "イチマンニセンサンビャクヨンジューゴ"),
            ("100000000", "イチオク"),
        ] {
            assert_eq!(cardinal(written), said, "{written}");
        }
        assert_eq!(decimal("3.14").as_deref(), Some("サンテンイチヨン"));
        assert_eq!(decimal("0.5").as_deref(), Some("レーテンゴ"));
        let count = |number: &str, counter, joint| counted(&cardinal(number), counter, joint);
        assert_eq!(count("1", "ホン", Joint::H), "イッポン");
        assert_eq!(count("3", "ホン", Joint::H), "サンボン");
        assert_eq!(count("600", "カイ", Joint::K), "ロッピャッカイ");
        assert_eq!(count("14", "フン", Joint::P), "ジューヨンプン");
        assert_eq!(count("8", "サイ", Joint::S), "ハッサイ");
        assert_eq!(count("6", "サイ", Joint::S), "ロクサイ");
        assert_eq!(count("20", "カイ", Joint::K), "ニジュッカイ");
    }
}
