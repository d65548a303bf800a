//! Numbers in Chinese characters.

const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Digit by digit: years, codes.
pub fn digits(text: &str) -> String {
    text.chars().filter_map(|c| Some(DIGITS[c.to_digit(10)? as usize])).collect()
}

/// Digit by digit with `幺` for one, as telephone numbers are told.
pub fn telephone(text: &str) -> String {
    digits(text).replace('一', "幺")
}

/// A whole number as it is counted: `12345` is `一万二千三百四十五`.
pub fn cardinal(text: &str) -> String {
    let text = text.trim_start_matches('0');
    if text.is_empty() {
        return "零".into();
    }
    if text.len() > 16 {
        return digits(text);
    }
    let mut said = String::new();
    let groups = text.len().div_ceil(4);
    let mut skipped = false;
    for group in 0..groups {
        let end = text.len() - 4 * (groups - 1 - group);
        let digits = &text[end.saturating_sub(4).min(if group == 0 { 0 } else { end - 4 })..end];
        let value: u32 = digits.parse().unwrap_or(0);
        if value == 0 {
            skipped = true;
            continue;
        }
        if !said.is_empty() && (skipped || value < 1000) {
            said.push('零');
        }
        said.push_str(&below_ten_thousand(value));
        said.push_str(["", "万", "亿", "万亿"][groups - 1 - group]);
        skipped = false;
    }
    // Ten to nineteen at the beginning: `十二`, not `一十二`.
    match said.strip_prefix("一十") {
        Some(rest) => format!("十{rest}"),
        None => said,
    }
}

fn below_ten_thousand(value: u32) -> String {
    let mut said = String::new();
    let mut gap = false;
    for (size, name) in [(1000, "千"), (100, "百"), (10, "十"), (1, "")] {
        let digit = value / size % 10;
        if digit == 0 {
            gap = !said.is_empty();
            continue;
        }
        if gap {
            said.push('零');
            gap = false;
        }
        said.push(DIGITS[digit as usize]);
        said.push_str(name);
    }
    said
}

/// With a fraction: `3.14` is `三点一四`. Marks between thousands are allowed; none for anything else.
pub fn decimal(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let groups: Vec<&str> = whole.split(',').collect();
    let numeric = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let grouped = groups.len() == 1 || groups[1..].iter().all(|group| group.len() == 3);
    if !grouped || !groups.iter().all(|group| numeric(group)) || whole.is_empty() {
        return None;
    }
    let said = cardinal(&groups.concat());
    match fraction {
        None => Some(said),
        Some(fraction) if !fraction.is_empty() && numeric(fraction) => Some(format!("{said}点{}", digits(fraction))),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_in_ten_thousands() {
        for (written, said) in [
            ("0", "零"),
            ("10", "十"),
            ("12", "十二"),
            ("20", "二十"),
            ("101", "一百零一"),
            ("110", "一百一十"),
            ("1001", "一千零一"),
            ("1010", "一千零一十"),
            ("12345", "一万二千三百四十五"),
            ("100000", "十万"),
            ("100005", "十万零五"),
            ("1234567", "一百二十三万四千五百六十七"),
            ("100000000", "一亿"),
            ("1020030004", "十亿二千零三万零四"),
        ] {
            assert_eq!(cardinal(written), said, "{written}");
        }
        assert_eq!(decimal("1,234.05").as_deref(), Some("一千二百三十四点零五"));
        assert_eq!(decimal("1.2.3"), None);
    }
}
