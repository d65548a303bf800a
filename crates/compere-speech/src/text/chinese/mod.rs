//! Chinese as it is said: words found by dictionary, numbers, dates and signs written out in characters.

pub mod numbers;

use super::flat::Flat;
use super::narrow;
use super::token::Token;
use crate::Word;
use crate::phonemes::is_han;
use jieba_rs::Jieba;
use numbers::{cardinal, decimal, digits, telephone};
use std::sync::OnceLock;

/// Its dictionary takes a quarter of a second and some ten megabytes, and is the same for everyone.
fn segmenter() -> &'static Jieba {
    static SEGMENTER: OnceLock<Jieba> = OnceLock::new();
    SEGMENTER.get_or_init(Jieba::new)
}

pub fn words(tokens: &[Token], flat: &Flat) -> Vec<Word> {
    let mut tokens = tokens.to_vec();
    let mut words: Vec<Word> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        size_before_money(&mut tokens, at);
        let token = &tokens[at];
        let core = token.core.as_str();
        if let Some((said, taken)) = telephone_of_groups(&tokens[at..]) {
            let written: Vec<String> =
                tokens[at..at + taken].iter().map(|token| flat.written(&token.written)).collect();
            words.push(Word { written: written.join(" "), said, stop: tokens[at + taken - 1].stop });
            at += taken - 1;
        } else if core.chars().any(|c| flat.kept(c).is_some()) {
            words.push(Word { written: flat.written(&token.written), said: flat.said(core), stop: token.stop });
        } else if core.chars().any(|c| c.is_numeric() && !is_han(c)) {
            let around = Around { before: words.last(), after: following(token, tokens.get(at + 1)) };
            let said = number(&narrow(core), around);
            words.push(Word { written: flat.written(&token.written), said, stop: token.stop });
        } else if core.starts_with(is_han) {
            cut(token, flat, &mut words);
        } else if core.is_empty() && token.written.is_empty() {
            // Its text went to the token before.
        } else {
            let said = latin(&narrow(core));
            words.push(Word { written: flat.written(&token.written), said, stop: token.stop });
        }
        at += 1;
    }
    words
}

/// `¥4700万` is said as so many ten thousands of money: takes the size over from the next token.
fn size_before_money(tokens: &mut [Token], at: usize) {
    let [token, next, ..] = &mut tokens[at..] else { return };
    let money = CURRENCIES.iter().any(|(sign, _)| narrow(&token.core).starts_with(sign));
    let size =
        ["万亿", "万", "亿"].into_iter().find(|size| next.core.starts_with(size) && next.written.starts_with(size));
    if let Some(size) = size.filter(|_| money && token.stop.is_none()) {
        token.core.push_str(size);
        token.written.push_str(size);
        next.core = next.core[size.len()..].to_owned();
        next.written = next.written[size.len()..].to_owned();
        if next.core.is_empty() {
            token.stop = next.stop.take();
            token.written.push_str(&std::mem::take(&mut next.written));
        }
    }
}

/// `+86 10 1234 5678`
fn telephone_of_groups(tokens: &[Token]) -> Option<(String, usize)> {
    let first = narrow(&tokens[0].core);
    let country = first.strip_prefix('+')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if !digits(country) || tokens[0].stop.is_some() {
        return None;
    }
    let mut groups = vec![telephone(country)];
    for (before, token) in tokens.iter().zip(&tokens[1..]) {
        if before.stop.is_some() || !digits(&token.core) {
            break;
        }
        groups.push(telephone(&token.core));
    }
    (groups.len() > 1).then(|| (format!("加{}", groups.join(" ")), groups.len()))
}

/// What stands around a number.
#[derive(Clone, Copy)]
struct Around<'a> {
    before: Option<&'a Word>,
    after: &'a str,
}

impl Around<'_> {
    fn ends_before(self, ends: &[&str]) -> bool {
        self.before.is_some_and(|word| {
            matches!(word.stop, None | Some(':')) && ends.iter().any(|end| word.said.ends_with(end))
        })
    }

    fn begins_after(self, starts: &[&str]) -> bool {
        starts.iter().any(|start| self.after.starts_with(start))
    }
}

fn following<'a>(token: &Token, next: Option<&'a Token>) -> &'a str {
    next.filter(|_| token.stop.is_none()).map_or("", |next| next.core.as_str())
}

/// The words of a run of characters, with the punctuation around the run at the first and the last.
fn cut(token: &Token, flat: &Flat, words: &mut Vec<Word>) {
    let core = token.core.as_str();
    let parts: Vec<&str> = segmenter().cut(core, true).into_iter().map(|part| part.word).collect();
    let (lead, trail) = token.written.split_once(core).unwrap_or(("", ""));
    let last = parts.len().saturating_sub(1);
    for (at, part) in parts.into_iter().enumerate() {
        let said: String = part.chars().filter(|c| c.is_alphanumeric()).collect();
        let written = format!("{}{part}{}", if at == 0 { lead } else { "" }, if at == last { trail } else { "" });
        let stop = token.stop.filter(|_| at == last);
        match words.last_mut() {
            _ if part.is_empty() => {}
            Some(before) if said.is_empty() => {
                before.written.push_str(&flat.written(&written));
                before.stop = before.stop.or(stop);
            }
            _ => words.push(Word { written: flat.written(&written), said, stop }),
        }
    }
}

const CURRENCIES: [(&str, &str); 9] = [
    ("US$", "美元"),
    ("HK$", "港元"),
    ("¥", "元"),
    ("$", "美元"),
    ("€", "欧元"),
    ("£", "英镑"),
    ("₩", "韩元"),
    ("₹", "卢比"),
    ("₽", "卢布"),
];

const UNITS: [(&str, &str); 27] = [
    ("km/h", "公里每小时"),
    ("m/s", "米每秒"),
    ("km²", "平方公里"),
    ("m²", "平方米"),
    ("㎡", "平方米"),
    ("km", "公里"),
    ("cm", "厘米"),
    ("mm", "毫米"),
    ("kg", "公斤"),
    ("mg", "毫克"),
    ("ml", "毫升"),
    ("mL", "毫升"),
    ("GHz", "吉赫兹"),
    ("MHz", "兆赫兹"),
    ("kWh", "千瓦时"),
    ("kW", "千瓦"),
    ("℃", "摄氏度"),
    ("°C", "摄氏度"),
    ("℉", "华氏度"),
    ("°F", "华氏度"),
    ("°", "度"),
    ("m", "米"),
    ("g", "克"),
    ("L", "升"),
    ("t", "吨"),
    ("W", "瓦"),
    ("V", "伏"),
];

/// What is counted with `两`: measure words.
const MEASURES: [&str; 30] = [
    "个", "只", "位", "本", "张", "件", "条", "次", "天", "年", "周", "种", "家", "台", "辆", "杯", "块", "岁", "小时",
    "分钟", "秒", "倍", "名", "层", "套", "场", "部", "万", "千", "亿",
];

fn number(core: &str, around: Around<'_>) -> String {
    let said = measured(core, around)
        .or_else(|| clock(core))
        .or_else(|| date(core))
        .or_else(|| range(core, around))
        .or_else(|| dotted(core));
    said.unwrap_or_else(|| pieces(core))
}

/// A number with what may cling to it.
fn measured(core: &str, around: Around<'_>) -> Option<String> {
    let (minus, core) = core.strip_prefix('-').map_or((false, core), |rest| (true, rest));
    let (plus, core) = core.strip_prefix('+').map_or((false, core), |rest| (true, rest));
    let (currency, core) = CURRENCIES
        .iter()
        .find_map(|(sign, name)| Some((Some(*name), core.strip_prefix(sign)?)))
        .unwrap_or((None, core));
    let end = core.find(|c: char| !c.is_ascii_digit() && !".,".contains(c)).unwrap_or(core.len());
    let (amount, behind) = core.split_at(end);
    let plain = currency.is_none() && behind.is_empty() && !minus;
    if plain && amount.bytes().all(|b| b.is_ascii_digit()) {
        let phone = amount.len() == 11 && amount.starts_with('1') || amount.len() >= 7 && amount.starts_with('0');
        let year = amount.len() == 4 && (around.begins_after(&["年"]) || around.ends_before(&["年份"]));
        let code = amount.len() > 1 && amount.starts_with('0') || around.ends_before(CODES) && amount.len() > 2;
        let hotline = amount.len() >= 5 && (amount.starts_with("400") || amount.starts_with("95"));
        if phone || plus || hotline && around.ends_before(CODES) {
            return Some(format!("{}{}", if plus { "加" } else { "" }, telephone(amount)));
        }
        if year || code || around.begins_after(&["年"]) && amount.len() == 2 && around.before.is_none() {
            return Some(digits(amount));
        }
        let counted = around.begins_after(&MEASURES) && !around.ends_before(&["第"]);
        if amount == "2" && (counted || around.begins_after(&["点"])) {
            return Some("两".into());
        }
    }
    let value = decimal(amount)?;
    let sign = match (minus, plus) {
        (true, _) if matches!(behind, "°" | "℃" | "°C") || around.begins_after(&["度", "摄氏", "℃"]) => "零下",
        (true, _) => "负",
        (_, true) => "正",
        _ => "",
    };
    let (behind, currency) = match CURRENCIES.iter().find(|(mark, _)| *mark == behind) {
        Some((_, name)) => ("", Some(*name)),
        None => (behind, currency),
    };
    match behind {
        "" => Some(format!("{sign}{value}{}", currency.unwrap_or_default())),
        "%" => Some(format!("{sign}百分之{value}")),
        "‰" => Some(format!("{sign}千分之{value}")),
        "+" => Some(format!("{value}多")),
        "x" | "X" | "×" => Some(format!("{value}倍")),
        "万" | "亿" | "万亿" => Some(format!("{sign}{value}{behind}{}", currency.unwrap_or_default())),
        _ if behind.starts_with('/') => {
            let below = behind[1..].bytes().all(|b| b.is_ascii_digit()) && !amount.contains(['.', ',']);
            below.then(|| format!("{}分之{value}", cardinal(&behind[1..])))
        }
        unit => {
            let (_, name) = UNITS.iter().find(|(mark, _)| *mark == unit)?;
            let value = if value == "二" && name.chars().count() > 1 { "两".to_owned() } else { value };
            Some(format!("{sign}{value}{name}"))
        }
    }
}

/// Behind these, digits name something.
const CODES: &[&str] = &["电话", "热线", "拨打", "密码", "编号", "号码", "代码", "房间", "航班", "邮编", "致电"];

/// `10:30`, `14:05:09`; other pairs are ratios.
fn clock(core: &str) -> Option<String> {
    let parts: Vec<&str> = core.split(':').collect();
    let numeric = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    if !numeric || !(2..=3).contains(&parts.len()) {
        return None;
    }
    let value = |part: &str| part.parse::<u32>().unwrap_or(u32::MAX);
    let time = parts[0].len() <= 2 && parts[1..].iter().all(|part| part.len() == 2 && value(part) < 60);
    if !time || value(parts[0]) > 24 {
        return Some(parts.iter().map(|part| cardinal(part)).collect::<Vec<_>>().join("比"));
    }
    let hour = if value(parts[0]) == 2 { "两".to_owned() } else { cardinal(parts[0]) };
    let below_hour = |part: &str| match value(part) {
        1..=9 => format!("零{}", cardinal(part)),
        _ => cardinal(part),
    };
    Some(match parts[..] {
        [_, "00"] => format!("{hour}点"),
        [_, "30"] => format!("{hour}点半"),
        [_, minutes] => format!("{hour}点{}分", below_hour(minutes)),
        [_, minutes, seconds] => format!("{hour}点{}分{}秒", below_hour(minutes), below_hour(seconds)),
        _ => return None,
    })
}

/// `2024-03-05`, `2024/3/5`, `2024.3.5`.
fn date(core: &str) -> Option<String> {
    let separator = ['-', '/', '.'].into_iter().find(|separator| core.matches(*separator).count() == 2)?;
    let parts: Vec<&str> = core.split(separator).collect();
    let [year, month, day] = parts[..] else { return None };
    let numeric = parts.iter().all(|part| part.bytes().all(|b| b.is_ascii_digit()));
    let (month, day): (u32, u32) = (month.parse().ok()?, day.parse().ok()?);
    (numeric && year.len() == 4 && (1..=12).contains(&month) && (1..=31).contains(&day))
        .then(|| format!("{}年{}月{}日", digits(year), cardinal(&month.to_string()), cardinal(&day.to_string())))
}

/// `10-20`, `3～5`; several hyphens make a telephone number.
fn range(core: &str, around: Around<'_>) -> Option<String> {
    let parts: Vec<&str> = core.split(['-', '~']).collect();
    let numeric = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if parts.iter().all(numeric) && (parts.len() > 2 || parts.len() == 2 && parts[1].len() >= 7) {
        return Some(parts.iter().map(|part| telephone(part)).collect::<Vec<_>>().join(" "));
    }
    let [low, high] = parts[..] else { return None };
    let years = |part: &str| part.len() == 4 && around.begins_after(&["年"]);
    if years(low) || years(high) {
        return Some(format!("{}到{}", digits(low), digits(high)));
    }
    Some(format!("{}到{}", measured(low, Around { before: None, after: "" })?, measured(high, around)?))
}

/// Versions and addresses: `2.1.3`.
fn dotted(core: &str) -> Option<String> {
    let bare = core.strip_prefix(['v', 'V']).unwrap_or(core);
    let parts: Vec<&str> = bare.split('.').collect();
    let numeric = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    (numeric && parts.len() >= 2).then(|| {
        let said: Vec<String> = parts.iter().map(|part| cardinal(part)).collect();
        said.join("点")
    })
}

/// Letters and digits in one: `iPhone15`, `A4`, `5G`.
fn pieces(core: &str) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut rest = core;
    while let Some(first) = rest.chars().next() {
        let digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != digit).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        said.push(match digit {
            true if piece.len() > 4 || piece.starts_with('0') && piece.len() > 1 => digits(piece),
            true => cardinal(piece),
            false => latin(piece),
        });
        rest = behind;
    }
    said.retain(|piece| !piece.is_empty());
    said.join(" ")
}

/// Signs by name, capitals letter by letter.
fn latin(core: &str) -> String {
    let address = core.contains('@') || core.contains("://") || core.contains("www.") || core.contains(".c");
    let mut said = String::new();
    let bare = core.split_once("://").map_or(core, |(_, rest)| rest);
    for letter in bare.chars() {
        match letter {
            '@' => said.push_str(" 艾特 "),
            '.' if address => said.push_str(" 点 "),
            '/' if address => said.push_str(" 斜杠 "),
            '&' => said.push_str(" 和 "),
            '+' => said.push_str(" 加 "),
            '=' => said.push_str(" 等于 "),
            '×' => said.push_str(" 乘以 "),
            '÷' => said.push_str(" 除以 "),
            '%' => said.push_str(" 百分号 "),
            '#' | '_' | '-' | '/' | '\\' | ':' => said.push(' '),
            letter if letter.is_alphanumeric() || letter == '\'' => said.push(letter),
            _ => {}
        }
    }
    let spelled = said.split_whitespace().map(|word| {
        let initials = word.len() <= 4 && word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
        let letters = || word.chars().map(String::from).collect::<Vec<_>>().join(" ");
        if initials { letters() } else { word.to_owned() }
    });
    spelled.collect::<Vec<_>>().join(" ")
}
