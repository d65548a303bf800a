//! Languages other than English, Chinese and Japanese.
//!
//! espeak-ng reads numbers by the rules of each language, so digits stay digits here. What it gets wrong or reads sign by
//! sign is written for it: grouped thousands, money, dates, times, ranges, telephone numbers, percent signs, units,
//! abbreviations, addresses, and where its own reading is wrong (German and French ordinals, German years) the words.
//! Languages without a [`Lexicon`] are left to espeak-ng almost entirely. Emoji are left out.

mod lexicon;
mod ordinals;

use super::flat::Flat;
use super::token::Token;
use crate::Word;
use lexicon::Lexicon;

pub fn words(tokens: &[Token], flat: &Flat, language: &str) -> Vec<Word> {
    let lexicon = Lexicon::of(language);
    let mut words = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let reader = Reader { lexicon, tokens, at };
        let core = tokens[at].core.as_str();
        let (said, taken, shortened) =
            if core.chars().any(|c| flat.kept(c).is_some()) { (flat.said(core), 1, false) } else { reader.read() };
        let used = &tokens[at..at + taken];
        let written: Vec<String> = used.iter().map(|token| flat.written(&token.written)).collect();
        // The full stop of an abbreviation is none, but for the last of a sentence.
        let last = at + taken == tokens.len();
        let stop = used[taken - 1].stop.filter(|stop| !(shortened && *stop == '.' && !last));
        words.push(Word { written: written.join(" "), said, stop });
        at += taken;
    }
    words
}

/// Whether the full stop behind `before` ends no sentence: that of an abbreviation, or of a German ordinal or letter
/// (`am 3. Mai`, `z. B.`), behind which nouns begin with a capital.
pub fn is_short(language: &str, before: &str, after: &str) -> bool {
    let lexicon = Lexicon::of(language);
    let word = before.rsplit(|c: char| c.is_whitespace() || "(„\"«¿¡".contains(c)).next().unwrap_or_default();
    let Some(next) =
        after.strip_prefix([' ', '\u{A0}', '\u{202F}']).and_then(|after| after.trim_start().chars().next())
    else {
        return false;
    };
    let letters = word.chars().count();
    if language.starts_with("de") && next.is_alphabetic() {
        let stem = before.trim_end_matches(word).trim_end();
        let noun = stem.rsplit(char::is_whitespace).next().unwrap_or_default();
        // `Kapitel 7. Danach`: behind a noun a number ends the sentence, unless a month follows.
        let first = after.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let numbered = noun.starts_with(char::is_uppercase) && noun.len() < stem.len() && !lexicon.is_month(first);
        let ordinal = letters <= 2 && letters > 0 && word.bytes().all(|b| b.is_ascii_digit()) && !numbered;
        let regnal = letters > 0 && ordinals::roman(word).is_some() && next.is_lowercase();
        let behind_letter = stem.ends_with('.');
        if ordinal || regnal || letters == 1 && (word.starts_with(char::is_lowercase) || behind_letter) {
            return true;
        }
    }
    if language.starts_with("ru") {
        return ["ул", "г", "д", "др", "Др", "проф", "им", "стр", "руб", "тыс", "кв"].contains(&word);
    }
    // `usw.` may well end a sentence.
    let lasting = matches!(word, "etc" | "ecc" | "usw" | "EUA" | "UU" | "EE.UU") && next.is_uppercase();
    let known = lexicon.abbreviations.iter().any(|(short, _)| *short == word) && !lasting;
    known && (letters > 1 || next.is_numeric() || word == "M")
}

struct Reader<'a> {
    lexicon: &'static Lexicon,
    tokens: &'a [Token],
    at: usize,
}

impl Reader<'_> {
    /// What is said, for how many tokens, and whether their full stop belongs to them.
    fn read(&self) -> (String, usize, bool) {
        let core = self.core();
        if let Some(said) = self.pair().and_then(|pair| self.lexicon.abbreviation(&pair)) {
            return (said.to_owned(), 2, true);
        }
        if let Some(said) = self.abbreviation() {
            return (said, 1, true);
        }
        if core.contains('@') && !core.starts_with('@') || core.contains("://") || core.starts_with("www.") {
            return (self.address(core), 1, false);
        }
        if let Some((said, taken)) = self.telephone() {
            return (said, taken, false);
        }
        if let Some((said, shortened)) = self.ordinal() {
            return (said, 1, shortened);
        }
        if let Some((said, taken)) = self.numeric() {
            return (said, taken, false);
        }
        (self.plain(core), 1, false)
    }

    fn core(&self) -> &str {
        &self.tokens[self.at].core
    }

    fn language(&self) -> &'static str {
        self.lexicon.language
    }

    fn previous(&self) -> &str {
        self.at.checked_sub(1).map_or("", |at| self.tokens[at].core.as_str())
    }

    /// The next core if nothing parts it from this one.
    fn next(&self) -> Option<&str> {
        let next = self.tokens.get(self.at + 1)?;
        self.tokens[self.at].stop.is_none().then_some(next.core.as_str())
    }

    /// `z. B.`
    fn pair(&self) -> Option<String> {
        let next = self.tokens.get(self.at + 1)?;
        let dotted = |token: &Token| token.stop == Some('.') && token.core.chars().count() == 1;
        (dotted(&self.tokens[self.at]) && next.core.chars().count() == 1)
            .then(|| format!("{} {}", self.core(), next.core))
    }

    fn abbreviation(&self) -> Option<String> {
        // `Mio €`: the sign of the money clings to the size.
        if let Some((size, sign)) = self.core().rsplit_once(' ')
            && let Some((_, _, many)) = self.lexicon.money.iter().find(|(known, ..)| *known == sign)
        {
            let size = self.lexicon.abbreviation(size).unwrap_or(size);
            let of = match self.language() {
                _ if matches!(size, "de" | "di") => " ",
                "es" | "pt" => " de ",
                "it" => " di ",
                "fr" if many.starts_with('e') => " d'",
                "fr" => " de ",
                _ => " ",
            };
            return Some(format!("{size}{of}{many}"));
        }
        let said = self.lexicon.abbreviation(self.core())?;
        let marked = self.tokens[self.at].stop == Some('.') || self.core().contains(['.', '°', 'º']);
        // Short words that are words: only a full stop makes them abbreviations.
        let needs_mark = self.core().chars().count() <= 2 || matches!(self.core(), "Min" | "av" | "env" | "inkl");
        let always = matches!(self.core(), "Mme" | "EUA" | "nº" | "ca" | "Dr" | "Pr") || self.core().contains('.');
        (marked || always || !needs_mark).then(|| said.to_owned())
    }

    fn address(&self, core: &str) -> String {
        let lexicon = self.lexicon;
        let bare = core.split_once("://").map_or(core, |(_, rest)| rest).trim_end_matches('/');
        let named = bare
            .replace('@', &format!(" {} ", lexicon.at))
            .replace('.', &format!(" {} ", lexicon.dot))
            .replace('/', &format!(" {} ", lexicon.slash));
        named.replace(['-', '_'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// `+49 30 123456`, `01 23 45 67 89`, `600-123-456`: digit by digit, in French by twos as written.
    fn telephone(&self) -> Option<(String, usize)> {
        let mut groups: Vec<String> = Vec::new();
        let mut taken = 0;
        for token in &self.tokens[self.at..] {
            let core = token.core.as_str();
            let fits = core.chars().all(|c| c.is_ascii_digit() || "+-./()".contains(c));
            let grouped = core.matches(['.', '/']).count() != 1;
            if core.is_empty() || !fits || !grouped || !core.contains(|c: char| c.is_ascii_digit()) {
                break;
            }
            groups
                .extend(core.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).map(str::to_owned));
            taken += 1;
            if token.stop.is_some() && !token.bracketed {
                break;
            }
        }
        let total: usize = groups.iter().map(String::len).sum();
        let plus = self.core().starts_with('+');
        let bracketed = self.tokens[self.at].bracketed;
        let leading = groups.first().is_some_and(|group| group.starts_with('0'));
        let hyphens = self.core().matches('-').count() >= 2 && taken == 1;
        let date = groups.len() == 3 && total <= 8;
        let long = total >= 8 && groups.len() >= 2 || total >= 10 && leading;
        if self.lexicon.language.is_empty() || !long || date || !(plus || bracketed || leading || hyphens) {
            return None;
        }
        let spell = |group: &String| {
            if self.language() == "fr" && group.len() == 2 && !group.starts_with('0') {
                group.clone()
            } else {
                group.chars().map(String::from).collect::<Vec<_>>().join(" ")
            }
        };
        let said = groups.iter().map(spell).collect::<Vec<_>>().join(", ");
        Some((if plus { format!("{} {said}", self.lexicon.plus) } else { said }, taken))
    }

    /// `3.` in German, `2e` and `XIVe` in French; Roman numbers behind names.
    fn ordinal(&self) -> Option<(String, bool)> {
        let core = self.core();
        match self.language() {
            "de" => {
                let dotted = self.tokens[self.at].stop == Some('.') && self.at + 1 < self.tokens.len();
                if let Ok(number) = core.parse::<u32>()
                    && dotted
                    && core.len() <= 2
                {
                    return Some((self.german_ordinal(number)?, true));
                }
                let number = ordinals::roman(core).filter(|_| dotted || core.len() > 1)?;
                let named = self.previous().starts_with(char::is_uppercase) && self.at > 0;
                let said = format!("der {}", ordinals::german(number)?);
                (named && self.tokens[self.at].stop == Some('.')).then_some((said, true))
            }
            "fr" => {
                let end = ["ème", "er", "ère", "re", "nde", "nd", "e"].iter().find_map(|end| core.strip_suffix(end));
                if let Some(number) = end.and_then(|number| number.parse().ok().or_else(|| century(number))) {
                    let said = match (number, core) {
                        (1, _) if core.ends_with("re") => "première".into(),
                        (2, _) if core.ends_with("nd") => "second".into(),
                        (2, _) if core.ends_with("nde") => "seconde".into(),
                        _ => ordinals::french(number)?,
                    };
                    return Some((said, false));
                }
                let number = ordinals::roman(core).filter(|_| core.len() > 1)?;
                Some((number.to_string(), false))
            }
            "es" | "it" | "pt" => {
                let number = ordinals::roman(core).filter(|_| core.len() > 1)?;
                // espeak-ng reads Italian ones as the ordinals they are.
                (self.language() != "it").then(|| (number.to_string(), false))
            }
            _ => None,
        }
    }

    /// With the ending that the word before asks for.
    fn german_ordinal(&self, number: u32) -> Option<String> {
        const DATIVE: [&str; 22] = [
            "am", "vom", "zum", "im", "dem", "den", "des", "beim", "ab", "bis", "seit", "nach", "vor", "zur",
            "unserem", "seinem", "ihrem", "diesem", "jedem", "einem", "und", "einen",
        ];
        let before = self.previous().to_lowercase();
        let ending = match before.as_str() {
            "der" | "die" | "das" | "jede" | "eine" => "",
            _ if DATIVE.contains(&before.as_str()) => "n",
            _ => "r",
        };
        Some(format!("{}{ending}", ordinals::german(number)?))
    }

    fn numeric(&self) -> Option<(String, usize)> {
        let core = self.core();
        // `R$ 50`
        if self.lexicon.money.iter().any(|(sign, ..)| *sign == core) {
            return self.sized();
        }
        if self.lexicon.language.is_empty() || !core.contains(|c: char| c.is_ascii_digit()) {
            return self.spaced().or_else(|| self.measured(core).map(|said| (said, 1)));
        }
        if let Some(said) = self.date(core) {
            return Some((said, 1));
        }
        if let Some((said, taken)) = self.clock(core) {
            return Some((said, taken));
        }
        if let Some(ordinal) = core.strip_suffix(['º', 'ª']).and_then(|number| number.strip_suffix('.')) {
            return Some((format!("{ordinal}{}", if core.ends_with('º') { "º" } else { "ª" }), 1));
        }
        if let Some((said, taken)) = self.sized().or_else(|| self.spaced()) {
            return Some((said, taken));
        }
        if let Some(said) = self.fraction(core).or_else(|| self.version(core)) {
            return Some((said, 1));
        }
        if let Some((said, taken)) = self.range(core) {
            return Some((said, taken));
        }
        if let Some(said) = self.german_year(core) {
            return Some((said, 1));
        }
        let said = self.measured(core)?;
        // `90 km/h`, apart.
        let apart = self.next().filter(|_| core.ends_with(|c: char| c.is_ascii_digit()));
        let unit = apart.and_then(|next| self.lexicon.unit(next));
        Some(unit.map_or((said.clone(), 1), |unit| (self.lexicon.counted(&said, unit), 2)))
    }

    /// `R$ 3 milhões`, `₹3 लाख`, `R$ 50`: the name of the money goes behind the size.
    fn sized(&self) -> Option<(String, usize)> {
        let core = self.core();
        let (_, one, many) = self.lexicon.money.iter().find(|(sign, ..)| core.starts_with(sign))?;
        let sign = self.lexicon.money.iter().find(|(sign, ..)| core.starts_with(sign))?.0;
        let attached = &core[sign.len()..];
        let loose = |at: usize| self.tokens.get(at).filter(|_| self.tokens[at - 1].stop.is_none());
        let (amount, taken) = match attached {
            "" => (loose(self.at + 1)?.core.as_str(), 2),
            _ => (attached, 1),
        };
        if !amount.starts_with(|c: char| c.is_ascii_digit()) || !amount.ends_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let number = self.number(amount);
        if let Some(size) =
            loose(self.at + taken).map(|token| token.core.as_str()).filter(|word| super::token::sized(word))
        {
            let of = match self.language() {
                "es" | "pt" => " de",
                "it" => " di",
                _ => "",
            };
            return Some((format!("{number} {size}{of} {many}"), taken + 1));
        }
        (taken == 2).then(|| (self.money(&number, one, many), 2))
    }

    /// `1 234,50 €`, with spaces between thousands.
    fn spaced(&self) -> Option<(String, usize)> {
        let core = self.core();
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !matches!(self.language(), "fr" | "de" | "") || !digits(core) || core.len() > 3 || core.starts_with('0') {
            return None;
        }
        let mut whole = core.to_owned();
        let mut taken = 1;
        while let Some(token) = self.tokens.get(self.at + taken)
            && self.tokens[self.at + taken - 1].stop.is_none()
        {
            let end = token.core.find(|c: char| !c.is_ascii_digit()).unwrap_or(token.core.len());
            if end != 3 {
                break;
            }
            whole.push_str(&token.core);
            taken += 1;
            if token.core.len() > 3 {
                break;
            }
        }
        if taken == 1 {
            return None;
        }
        let said = if self.language().is_empty() { Some(whole) } else { self.measured(&whole) };
        said.map(|said| (said, taken))
    }

    fn german_year(&self, core: &str) -> Option<String> {
        const BEFORE: [&str; 12] =
            ["Jahr", "Jahre", "Jahres", "seit", "von", "bis", "in", "ab", "nach", "vor", "um", "anno"];
        if self.language() != "de" {
            return None;
        }
        if let Some(decade) = core.strip_suffix("er").filter(|decade| decade.len() == 4) {
            return Some(format!("{}er", ordinals::german_year(decade.parse().ok()?)?));
        }
        let before = self.previous();
        let dated = BEFORE.iter().any(|word| word.eq_ignore_ascii_case(before)) || self.lexicon.is_month(before);
        // `1984 Menschen` are counted; `1984 gegründet` is not.
        let counts = self.next().is_some_and(|next| next.starts_with(char::is_uppercase));
        let bracketed = self.tokens[self.at].bracketed;
        let fits = core.len() == 4 && (bracketed || !counts || dated && before.to_lowercase() != "von");
        fits.then(|| ordinals::german_year(core.parse().ok()?)).flatten()
    }

    /// `3.5.2024`, `03/05/2024`, `2024-05-03`.
    fn date(&self, core: &str) -> Option<String> {
        let separator = ['.', '/', '-'].into_iter().find(|separator| core.matches(*separator).count() == 2)?;
        let parts: Vec<&str> = core.split(separator).collect();
        let (day, month, year) = match parts[..] {
            [year, month, day] if year.len() == 4 => (day, month, year),
            [day, month, year] if matches!(year.len(), 2 | 4) => (day, month, year),
            _ => return None,
        };
        let numeric = parts.iter().all(|part| part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit()));
        let (day, month): (u32, usize) = (day.parse().ok()?, month.parse().ok()?);
        if !numeric || !(1..=31).contains(&day) {
            return None;
        }
        let month = self.lexicon.month(month)?;
        let year = if year.len() == 2 { format!("20{year}") } else { year.to_owned() };
        let year = Some(year.clone())
            .filter(|_| self.language() == "de")
            .and_then(|year| ordinals::german_year(year.parse().ok()?))
            .unwrap_or(year);
        let first = match (day, self.language()) {
            (1, "fr") => "premier".into(),
            (1, "it") => "primo".into(),
            (1, "pt") => "primeiro".into(),
            (_, "de") => self.german_ordinal(day)?,
            _ => day.to_string(),
        };
        let of = if self.lexicon.of.is_empty() { " ".into() } else { format!(" {} ", self.lexicon.of) };
        Some(format!("{first}{of}{month}{of}{year}"))
    }

    /// `14:30`, `14h30`, `14 h 30`; other pairs are ratios.
    fn clock(&self, core: &str) -> Option<(String, usize)> {
        let lexicon = self.lexicon;
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if let Some(hour) = core.strip_suffix('h').filter(|hour| digits(hour) && hour.len() <= 2) {
            let unit = lexicon.unit("h")?;
            let said =
                if hour == "1" && self.language() == "fr" { "une heure".into() } else { format!("{hour} {unit}") };
            return Some((said, 1));
        }
        let (hour, minute) = core.split_once([':', 'h'])?;
        if !digits(hour) || !digits(minute) {
            return None;
        }
        let valid = hour.len() <= 2
            && minute.len() == 2
            && hour.parse::<u32>().is_ok_and(|hour| hour <= 24)
            && minute.parse::<u32>().is_ok_and(|minute| minute < 60);
        if !valid {
            return (core.contains(':')).then(|| (format!("{hour} {} {minute}", lexicon.against), 1));
        }
        let hour = hour.strip_prefix('0').filter(|rest| !rest.is_empty()).unwrap_or(hour);
        let hour = match (hour, self.language()) {
            ("1", "fr") => "une",
            ("1", "de") => "ein",
            (hour, _) => hour,
        };
        let named = self.next().is_some_and(|next| matches!(next, "Uhr" | "uhr" | "horas" | "heures" | "h" | "बजे"));
        let taken = 1 + usize::from(named);
        let between = lexicon.hours.0;
        let said = match (minute, self.language()) {
            ("00", "de" | "hi") => format!("{hour} {}", lexicon.hours.1),
            ("00", "fr") => format!("{hour} {}", if hour == "une" { "heure" } else { "heures" }),
            ("00", _) if named => format!("{hour} {}", lexicon.hours.1),
            ("00", _) => hour.to_owned(),
            (_, "fr") if hour == "une" => format!("une heure {minute}"),
            (_, "hi") => format!("{hour} {between} {} मिनट", minute.trim_start_matches('0')),
            _ => format!("{hour} {between} {}", minute.trim_start_matches('0')),
        };
        Some((said, taken))
    }

    fn fraction(&self, core: &str) -> Option<String> {
        let names = &self.lexicon.fractions;
        let (whole, sign) = core.split_at(core.find(|c: char| !c.is_ascii_digit()).unwrap_or(core.len()));
        let at = match (whole, sign) {
            (_, "½") | ("1", "/2") => 0,
            (_, "⅓") | ("1", "/3") => 1,
            (_, "⅔") | ("2", "/3") => 2,
            (_, "¼") | ("1", "/4") => 3,
            (_, "¾") | ("3", "/4") => 4,
            _ => return None,
        };
        Some(match (whole, sign.starts_with('/')) {
            (_, true) | ("", _) => names[at].to_owned(),
            (whole, false) => format!("{whole} {} {}", self.lexicon.and, names[at]),
        })
    }

    /// `2.1.3`, `v1.2`, `192.168.0.1`.
    fn version(&self, core: &str) -> Option<String> {
        let bare = core.strip_prefix(['v', 'V']);
        let parts: Vec<&str> = bare.unwrap_or(core).split('.').collect();
        let numeric = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        let grouped = parts[1..].iter().all(|part| part.len() == 3);
        let is_one = numeric && (bare.is_some() && parts.len() > 1 || parts.len() > 2 && !grouped);
        is_one.then(|| parts.join(&format!(" {} ", self.lexicon.dot)))
    }

    fn range(&self, core: &str) -> Option<(String, usize)> {
        let (low, high) = core.split_once(['-', '–'])?;
        if let (Some((low, _)), Some((high, taken))) = (self.clock(low), self.clock(high))
            && low.len() > 2
        {
            return Some((format!("{low} {} {high}", self.lexicon.to), taken));
        }
        if !low.bytes().all(|b| b.is_ascii_digit() || b",.".contains(&b)) || low.is_empty() {
            return None;
        }
        let ends = |part: &str| {
            let year = part.parse().ok().and_then(ordinals::german_year);
            let plain = || self.measured(part);
            if self.language() == "de" && part.len() == 4 { year.or_else(plain) } else { plain() }
        };
        let (low, high) = (ends(low)?, ends(high)?);
        let unit = self.next().and_then(|next| self.lexicon.unit(next));
        let said = format!("{low} {} {high}", self.lexicon.to);
        Some(unit.map_or((said.clone(), 1), |unit| (format!("{said} {unit}"), 2)))
    }

    /// A number with a sign or unit that clings to it.
    fn measured(&self, core: &str) -> Option<String> {
        let lexicon = self.lexicon;
        let start = core.find(|c: char| c.is_ascii_digit())?;
        let end = core.rfind(|c: char| c.is_ascii_digit()).map_or(start, |at| at + 1);
        let (before, number, behind) = (&core[..start], &core[start..end], &core[end..]);
        if !number.chars().all(|c| c.is_ascii_digit() || ".,".contains(c)) {
            return None;
        }
        let sign = match before.chars().next() {
            Some('-' | '−') => format!("{} ", lexicon.minus),
            Some('+') => format!("{} ", lexicon.plus),
            _ => String::new(),
        };
        let before = before.trim_start_matches(['-', '−', '+', '~', '≈']);
        let money = lexicon
            .money
            .iter()
            .find(|(sign, ..)| (before == *sign && behind.is_empty()) || (before.is_empty() && behind == *sign));
        let number = self.number(number);
        if let Some((_, one, many)) = money {
            return Some(sign + &self.money(&number, one, many));
        }
        let unit = match (before, behind) {
            ("", "") => String::new(),
            ("", "%") => format!(" {}", lexicon.percent),
            ("", "°" | "°C" | "℃") => format!(" {}", lexicon.degrees),
            ("", "º" | "ª" | "er") => return Some(core.to_owned()),
            ("", "+") => format!(" {}", lexicon.plus),
            ("", unit) => return Some(sign + &lexicon.counted(&number, lexicon.unit(unit)?)),
            ("#", "") => {
                return Some(format!(
                    "{} {number}",
                    lexicon.abbreviation("nº").or(lexicon.abbreviation("Nr")).unwrap_or("")
                ));
            }
            _ => return None,
        };
        Some(format!("{sign}{number}{unit}"))
    }

    fn money(&self, number: &str, one: &str, many: &str) -> String {
        let lexicon = self.lexicon;
        let (whole, cents) = number.split_once(lexicon.decimal).map_or((number, ""), |(whole, cents)| (whole, cents));
        let name = if whole == "1" { one } else { many };
        let whole = match (whole, one) {
            ("1", "libra" | "sterlina") if lexicon.language != "pt" => "una",
            ("1", "libra") => "uma",
            ("1", "livre") => "une",
            ("1", _) => lexicon.one,
            _ => whole,
        };
        match cents {
            "" | "00" | "-" => format!("{whole} {name}"),
            cents if cents.len() != 2 => format!("{number} {many}"),
            cents if whole == "0" => format!("{} {}", cents.trim_start_matches('0'), lexicon.cents(one)),
            cents => {
                let cents = cents.trim_start_matches('0');
                let with = if lexicon.with.is_empty() { String::new() } else { format!(" {}", lexicon.with) };
                let paise = if one == "रुपया" { " पैसे" } else { "" };
                format!("{whole} {name}{with} {cents}{paise}")
            }
        }
    }

    /// Without the marks between thousands: `1.234,5` becomes `1234,5`.
    fn number(&self, text: &str) -> String {
        let decimal = self.lexicon.decimal;
        let group = if decimal == ',' { '.' } else { ',' };
        let (whole, fraction) = text.split_once(decimal).map_or((text, None), |(whole, rest)| (whole, Some(rest)));
        let groups: Vec<&str> = whole.split(group).collect();
        // Indian groups are of two digits but for the last.
        let sized = |group: &&str| group.len() == 3 || self.language() == "hi" && group.len() == 2;
        let grouped = groups.len() > 1 && groups[1..].iter().all(sized);
        let whole = if grouped { groups.concat() } else { whole.to_owned() };
        match fraction {
            Some(fraction) => format!("{whole}{decimal}{fraction}"),
            None => whole,
        }
    }

    fn plain(&self, core: &str) -> String {
        let lexicon = self.lexicon;
        let named = match core {
            "+" => lexicon.plus,
            "=" => lexicon.equals,
            "×" => lexicon.times,
            _ => "",
        };
        if !named.is_empty() && !lexicon.language.is_empty() {
            return named.to_owned();
        }
        let core = match core.strip_prefix('#') {
            Some(tag) if !lexicon.language.is_empty() => format!("hashtag {}", split_camel(tag)),
            _ => core.to_owned(),
        };
        let core = match core.strip_prefix('@') {
            Some(name) if !lexicon.language.is_empty() => format!("{} {name}", lexicon.at),
            _ => core,
        };
        let replaced = core.replace('&', &format!(" {} ", lexicon.and)).replace(['_', '/', '|'], " ");
        let spoken = |c: &char| c.is_alphanumeric() || " '’-.,%+=°:ºª".contains(*c) || is_mark(*c);
        replaced.chars().filter(spoken).collect::<String>().trim().to_owned()
    }
}

/// Without the L: `Le` is a word.
fn century(number: &str) -> Option<u32> {
    ordinals::roman(number).filter(|_| !number.contains('L'))
}

/// `CompereLaunch` is two words.
fn split_camel(text: &str) -> String {
    let mut out = String::new();
    let mut small = false;
    for letter in text.chars() {
        if letter.is_uppercase() && small {
            out.push(' ');
        }
        small = letter.is_lowercase();
        out.push(letter);
    }
    out
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{DFF}' | '\u{64B}'..='\u{655}' | '\u{E31}' | '\u{E34}'..='\u{E4E}'
        | '\u{1000}'..='\u{109F}')
}

#[cfg(test)]
mod tests {
    use crate::{Script, text};

    #[track_caller]
    fn check(language: &str, text: &str, expected: &str) {
        let script = Script { language: Some(language.into()), ..Script::plain(text) };
        let reading = text::read(&script, "en-US");
        let said: Vec<String> = reading.sentences().map(crate::Sentence::said).collect();
        assert_eq!(said.join(" | "), expected);
    }

    #[test]
    fn signs_units_and_titles_are_written_out() {
        check(
            "es",
            "El Sr. Gómez pagó 1.234,50 € (el 25%).",
            "El señor Gómez pagó 1234 euros con 50 el 25 por ciento.",
        );
        check("es", "El Sr. Gómez pagó 1.234,50€ (el 25%).", "El señor Gómez pagó 1234 euros con 50 el 25 por ciento.");
        check(
            "fr",
            "M. Dupont roule à 90km/h, soit 12% de plus.",
            "monsieur Dupont roule à 90 kilomètres heure, soit 12 pour cent de plus.",
        );
        check("it", "Scrivi a info@compere.it!", "Scrivi a info chiocciola compere punto it!");
        check("pt-BR", "A Sra. Lima pesa 60kg 😀.", "A senhora Lima pesa 60 quilogramas.");
        check("de", "Das kostet ca. 5,5€ & mehr.", "Das kostet circa 5,5 Euro und mehr.");
        check("hi", "यह 25% है।", "यह 25 प्रतिशत है.");
    }

    #[test]
    fn scripts_without_spaces_are_cut_into_runs() {
        check("ja", "私は東京で働いています。", "私は 東京で 働いています.");
    }
}
