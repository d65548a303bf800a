//! Japanese as it is said: numbers with their counters, dates, times and signs written out in kana.
//!
//! Words are the runs that the kind of letter tells (`東京で`, `働いています`): roughly a noun or verb with what clings to it,
//! which is what captions are cut at. How characters are read is the matter of the phonemes, which have the dictionary.

mod numbers;

use super::flat::Flat;
use super::narrow;
use super::token::Token;
use crate::Word;
use numbers::{Joint, cardinal, counted, decimal, digits};

pub fn words(tokens: &[Token], flat: &Flat) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let core = token.core.as_str();
        let next = tokens.get(at + 1).filter(|_| token.stop.is_none()).map_or("", |next| next.core.as_str());
        let mut taken = 1;
        let said = if core.chars().any(|c| flat.kept(c).is_some()) {
            flat.said(core)
        } else if narrow(core).chars().any(|c| c.is_ascii_digit()) {
            let dated = words.last().is_some_and(|word: &Word| word.said.ends_with("ガツ"));
            match with_counter(&narrow(core), next, dated) {
                Some((said, rest)) => {
                    taken = 2;
                    said + rest
                }
                None => number(&narrow(core)),
            }
        } else {
            signs(&narrow(core))
        };
        let written: String = tokens[at..at + taken].iter().map(|token| flat.written(&token.written)).collect();
        words.push(Word { written, said, stop: tokens[at + taken - 1].stop });
        at += taken;
    }
    words
}

/// The commoner counters; a longer one stands before those it begins with.
const COUNTERS: [(&str, &str, Joint); 62] = [
    ("年間", "ネンカン", Joint::Plain),
    ("年", "ネン", Joint::Plain),
    ("月間", "ツキカン", Joint::Plain),
    ("月", "ガツ", Joint::Plain),
    ("日間", "ニチカン", Joint::Plain),
    ("日", "ニチ", Joint::Plain),
    ("時間", "ジカン", Joint::Plain),
    ("時半", "ジハン", Joint::Plain),
    ("時", "ジ", Joint::Plain),
    ("分間", "フンカン", Joint::P),
    ("分の", "ブンノ", Joint::Plain),
    ("分", "フン", Joint::P),
    ("秒", "ビョー", Joint::Plain),
    ("週間", "シューカン", Joint::S),
    ("ヶ月", "カゲツ", Joint::K),
    ("か月", "カゲツ", Joint::K),
    ("カ月", "カゲツ", Joint::K),
    ("ヵ月", "カゲツ", Joint::K),
    ("か国", "カコク", Joint::K),
    ("カ国", "カコク", Joint::K),
    ("世紀", "セイキ", Joint::S),
    ("歳", "サイ", Joint::S),
    ("才", "サイ", Joint::S),
    ("人", "ニン", Joint::Plain),
    ("名", "メー", Joint::Plain),
    ("円", "エン", Joint::Plain),
    ("万円", "マンエン", Joint::Plain),
    ("億円", "オクエン", Joint::Plain),
    ("兆円", "チョーエン", Joint::T),
    ("万人", "マンニン", Joint::Plain),
    ("万", "マン", Joint::Plain),
    ("億", "オク", Joint::Plain),
    ("兆", "チョー", Joint::T),
    ("本", "ホン", Joint::H),
    ("匹", "ヒキ", Joint::H),
    ("杯", "ハイ", Joint::H),
    ("泊", "ハク", Joint::P),
    ("発", "ハツ", Joint::P),
    ("回", "カイ", Joint::K),
    ("個", "コ", Joint::K),
    ("階", "カイ", Joint::K),
    ("軒", "ケン", Joint::K),
    ("件", "ケン", Joint::K),
    ("曲", "キョク", Joint::K),
    ("課", "カ", Joint::K),
    ("冊", "サツ", Joint::S),
    ("章", "ショー", Joint::S),
    ("種類", "シュルイ", Joint::S),
    ("足", "ソク", Joint::S),
    ("頭", "トー", Joint::T),
    ("点", "テン", Joint::T),
    ("等", "トー", Joint::T),
    ("丁目", "チョーメ", Joint::T),
    ("台", "ダイ", Joint::Plain),
    ("枚", "マイ", Joint::Plain),
    ("番", "バン", Joint::Plain),
    ("号", "ゴー", Joint::Plain),
    ("度", "ド", Joint::Plain),
    ("倍", "バイ", Joint::Plain),
    ("位", "イ", Joint::Plain),
    ("割", "ワリ", Joint::Plain),
    ("つ", "", Joint::Plain),
];

/// A number with the counter that the next token begins with, and the rest of that token.
fn with_counter<'a>(core: &str, next: &'a str, dated: bool) -> Option<(String, &'a str)> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if let Some((low, high)) = core.split_once(['~', '-']).filter(|(low, high)| digits(low) && digits(high)) {
        let (said, rest) = with_counter(high, next, dated)?;
        return Some((format!("{}カラ{said}", cardinal(low)), rest));
    }
    let amount = core.strip_prefix(['+', '-']).unwrap_or(core);
    let plain = amount.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    let fitting = COUNTERS.iter().filter(|(written, ..)| next.starts_with(written));
    let (written, counter, joint) = fitting.max_by_key(|(written, ..)| written.len())?;
    if !plain {
        return None;
    }
    let rest = &next[written.len()..];
    let sign = if core.starts_with('-') { "マイナス" } else { "" };
    let said = match special(amount, written, dated) {
        Some(said) => said.to_owned(),
        None if *written == "つ" => return None,
        None if *written == "日" => counted(&cardinal(amount), "ニチ", Joint::Plain),
        None => counted(&irregular(&decimal(amount)?, written), counter, *joint),
    };
    let said = if *written == "日" { days_in_tens(amount, said) } else { said };
    Some((format!("{sign}{said}"), rest))
}

/// Four, seven and nine have other forms before some counters.
fn irregular(number: &str, counter: &str) -> String {
    let forms: &[(&str, &str)] = match counter {
        "月" => &[("ヨン", "シ"), ("ナナ", "シチ"), ("キュー", "ク")],
        "時" | "時間" | "時半" => &[("ヨン", "ヨ"), ("ナナ", "シチ"), ("キュー", "ク")],
        "年" | "年間" | "円" => &[("ヨン", "ヨ")],
        "人" => &[("ヨン", "ヨ")],
        _ => &[],
    };
    // Ninety and a hundred are not nine: only a last digit changes.
    let form = forms.iter().find_map(|(plain, form)| Some(format!("{}{form}", number.strip_suffix(plain)?)));
    form.unwrap_or_else(|| number.to_owned())
}

fn special(amount: &str, counter: &str, dated: bool) -> Option<&'static str> {
    Some(match (amount, counter) {
        ("1", "日") if dated => "ツイタチ",
        ("1", "日") => "イチニチ",
        ("2", "日") => "フツカ",
        ("3", "日") => "ミッカ",
        ("4", "日") => "ヨッカ",
        ("5", "日") => "イツカ",
        ("6", "日") => "ムイカ",
        ("7", "日") => "ナノカ",
        ("8", "日") => "ヨーカ",
        ("9", "日") => "ココノカ",
        ("10", "日") => "トーカ",
        ("20", "日") => "ハツカ",
        ("1", "人") => "ヒトリ",
        ("2", "人") => "フタリ",
        ("20", "歳" | "才") => "ハタチ",
        ("3", "階") => "サンガイ",
        ("1", "つ") => "ヒトツ",
        ("2", "つ") => "フタツ",
        ("3", "つ") => "ミッツ",
        ("4", "つ") => "ヨッツ",
        ("5", "つ") => "イツツ",
        ("6", "つ") => "ムッツ",
        ("7", "つ") => "ナナツ",
        ("8", "つ") => "ヤッツ",
        ("9", "つ") => "ココノツ",
        _ => return None,
    })
}

/// The 14th and the 24th end like the 4th.
fn days_in_tens(amount: &str, said: String) -> String {
    match amount {
        "14" => "ジューヨッカ".into(),
        "24" => "ニジューヨッカ".into(),
        _ => said,
    }
}

const UNITS: [(&str, &str); 22] = [
    ("%", "パーセント"),
    ("km/h", "キロメートル毎時"),
    ("km", "キロメートル"),
    ("cm", "センチメートル"),
    ("mm", "ミリメートル"),
    ("kg", "キログラム"),
    ("mg", "ミリグラム"),
    ("ml", "ミリリットル"),
    ("mL", "ミリリットル"),
    ("GB", "ギガバイト"),
    ("MB", "メガバイト"),
    ("TB", "テラバイト"),
    ("GHz", "ギガヘルツ"),
    ("kWh", "キロワット時"),
    ("℃", "ド"),
    ("°C", "ド"),
    ("°", "ド"),
    ("m²", "ヘーホーメートル"),
    ("m", "メートル"),
    ("g", "グラム"),
    ("L", "リットル"),
    ("W", "ワット"),
];
const CURRENCIES: [(&str, &str); 5] = [("US$", "ドル"), ("¥", "エン"), ("$", "ドル"), ("€", "ユーロ"), ("£", "ポンド")];

fn number(core: &str) -> String {
    let said = measured(core).or_else(|| clock(core)).or_else(|| date(core)).or_else(|| joined(core));
    said.unwrap_or_else(|| pieces(core))
}

fn measured(core: &str) -> Option<String> {
    let (sign, core) = match core.chars().next()? {
        '-' => ("マイナス", &core[1..]),
        '+' => ("プラス", &core[1..]),
        _ => ("", core),
    };
    let (currency, core) = CURRENCIES
        .iter()
        .find_map(|(mark, name)| Some((Some(*name), core.strip_prefix(mark)?)))
        .unwrap_or((None, core));
    let end = core.find(|c: char| !c.is_ascii_digit() && !".,".contains(c)).unwrap_or(core.len());
    let (amount, behind) = core.split_at(end);
    let code = amount.len() > 1 && amount.starts_with('0') && !amount.contains('.');
    let value = if code { digits(amount) } else { decimal(amount)? };
    let name = match behind {
        "" => currency.unwrap_or_default(),
        _ => UNITS.iter().chain(&CURRENCIES).find(|(mark, _)| *mark == behind)?.1,
    };
    let joint = match name.chars().next() {
        Some('パ') => Joint::P,
        Some('キ') => Joint::K,
        Some('セ') => Joint::S,
        Some('テ') => Joint::T,
        _ => Joint::Plain,
    };
    let value = if name == "エン" { irregular(&value, "円") } else { value };
    // Loan words harden only the number: `ジュッパーセント`.
    Some(format!("{sign}{}", counted(&value, name, joint)))
}

/// `10:30`; other pairs are ratios.
fn clock(core: &str) -> Option<String> {
    let (hour, minute) = core.split_once(':')?;
    let numeric = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !numeric(hour) || !numeric(minute) {
        return None;
    }
    let (hours, minutes): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    if minute.len() != 2 || hours > 24 || minutes > 59 {
        return Some(format!("{}タイ{}", cardinal(hour), cardinal(minute)));
    }
    let hour = format!("{}ジ", irregular(&cardinal(hour), "時"));
    Some(match minutes {
        0 => hour,
        _ => format!("{hour}{}", counted(&cardinal(minute), "フン", Joint::P)),
    })
}

/// `2024-03-05`, `2024/3/5`.
fn date(core: &str) -> Option<String> {
    let separator = ['-', '/', '.'].into_iter().find(|separator| core.matches(*separator).count() == 2)?;
    let parts: Vec<&str> = core.split(separator).collect();
    let [year, month, day] = parts[..] else { return None };
    let (month, day): (u32, u32) = (month.parse().ok()?, day.parse().ok()?);
    if year.len() != 4 || !year.bytes().all(|b| b.is_ascii_digit()) || !(1..=12).contains(&month) || day > 31 {
        return None;
    }
    let (month, day) = (month.to_string(), day.to_string());
    let (year, _) = with_counter(year, "年", false)?;
    let (month, _) = with_counter(&month, "月", false)?;
    let (day, _) = with_counter(&day, "日", true)?;
    Some(format!("{year}{month}{day}"))
}

/// Fractions, ranges, telephone numbers, versions.
fn joined(core: &str) -> Option<String> {
    let numeric = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if let Some((one, other)) = core.split_once('/') {
        return (numeric(&one) && numeric(&other)).then(|| format!("{}ブンノ{}", cardinal(other), cardinal(one)));
    }
    let parts: Vec<&str> = core.split('-').collect();
    if parts.len() > 2 && parts.iter().all(numeric) {
        return Some(parts.iter().map(|part| digits(part)).collect::<Vec<_>>().join("ノ"));
    }
    if let Some((low, high)) = core.split_once(['~', '-']) {
        return Some(format!("{}カラ{}", measured(low)?, measured(high)?));
    }
    let dotted: Vec<&str> = core.split('.').collect();
    (dotted.len() > 2 && dotted.iter().all(numeric))
        .then(|| dotted.iter().map(|part| cardinal(part)).collect::<Vec<_>>().join("テン"))
}

/// Letters and digits in one: `iPhone15`, `A4`.
fn pieces(core: &str) -> String {
    let mut said = String::new();
    let mut rest = core;
    while let Some(first) = rest.chars().next() {
        let digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != digit).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        match digit {
            true if piece.len() > 1 && piece.starts_with('0') => said.push_str(&digits(piece)),
            true => said.push_str(&cardinal(piece)),
            false => said.push_str(&signs(piece)),
        }
        rest = behind;
    }
    said
}

fn signs(core: &str) -> String {
    let address = core.contains('@') || core.contains("://") || core.contains("www.") || core.contains(".c");
    let bare = core.split_once("://").map_or(core, |(_, rest)| rest);
    let mut said = String::new();
    for letter in bare.chars() {
        match letter {
            '@' => said.push_str("アットマーク"),
            '.' if address => said.push_str("ドット"),
            '/' if address => said.push_str("スラッシュ"),
            '&' => said.push_str("アンド"),
            '+' => said.push_str("プラス"),
            '=' => said.push_str("イコール"),
            '×' => said.push_str("カケル"),
            '%' => said.push_str("パーセント"),
            '-' | '_' | '/' | ':' | '#' | ' ' => said.push(' '),
            letter if letter.is_alphanumeric() || letter == '\'' => said.push(letter),
            _ => {}
        }
    }
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}
