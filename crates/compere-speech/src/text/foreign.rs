//! Languages other than English.
//!
//! espeak-ng reads numbers by the rules of each language, so digits stay digits here. What it gets wrong or reads sign by
//! sign is written for it: grouped thousands, percent and currency signs, common units and titles, addresses. Emoji are
//! left out.

use super::flat::Flat;
use super::token::Token;
use crate::Word;

pub fn words(tokens: &[Token], flat: &Flat, language: &str) -> Vec<Word> {
    let lexicon = Lexicon::of(language);
    tokens.iter().map(|token| word(token, flat, lexicon)).collect()
}

fn word(token: &Token, flat: &Flat, lexicon: &Lexicon) -> Word {
    let core = token.core.as_str();
    let said = if core.chars().any(|c| flat.kept(c).is_some()) { flat.said(core) } else { lexicon.say(core) };
    let is_title = lexicon.titles.iter().any(|(short, _)| short.eq_ignore_ascii_case(core));
    let stop = token.stop.filter(|stop| !(is_title && *stop == '.'));
    Word { written: flat.written(&token.written), said, stop }
}

struct Lexicon {
    language: &'static str,
    percent: &'static str,
    and: &'static str,
    at: &'static str,
    dot: &'static str,
    slash: &'static str,
    euro: &'static str,
    dollar: &'static str,
    pound: &'static str,
    degrees: &'static str,
    /// What parts whole and fraction.
    decimal: char,
    titles: &'static [(&'static str, &'static str)],
}

const METRIC: [(&str, [&str; 6]); 10] = [
    (
        "km/h",
        [
            "kilómetros por hora",
            "kilomètres heure",
            "chilometri orari",
            "quilômetros por hora",
            "Kilometer pro Stunde",
            "किलोमीटर प्रति घंटा",
        ],
    ),
    ("km", ["kilómetros", "kilomètres", "chilometri", "quilômetros", "Kilometer", "किलोमीटर"]),
    ("cm", ["centímetros", "centimètres", "centimetri", "centímetros", "Zentimeter", "सेंटीमीटर"]),
    ("mm", ["milímetros", "millimètres", "millimetri", "milímetros", "Millimeter", "मिलीमीटर"]),
    ("kg", ["kilogramos", "kilogrammes", "chilogrammi", "quilogramas", "Kilogramm", "किलोग्राम"]),
    ("m", ["metros", "mètres", "metri", "metros", "Meter", "मीटर"]),
    ("g", ["gramos", "grammes", "grammi", "gramas", "Gramm", "ग्राम"]),
    ("GB", ["gigabytes", "gigaoctets", "gigabyte", "gigabytes", "Gigabyte", "गीगाबाइट"]),
    ("MB", ["megabytes", "mégaoctets", "megabyte", "megabytes", "Megabyte", "मेगाबाइट"]),
    ("GHz", ["gigahercios", "gigahertz", "gigahertz", "gigahertz", "Gigahertz", "गीगाहर्ट्ज़"]),
];
/// The order of the columns above.
const WITH_UNITS: [&str; 6] = ["es", "fr", "it", "pt", "de", "hi"];

const LEXICONS: [Lexicon; 7] = [
    Lexicon {
        language: "es",
        percent: "por ciento",
        and: "y",
        at: "arroba",
        dot: "punto",
        slash: "barra",
        euro: "euros",
        dollar: "dólares",
        pound: "libras",
        degrees: "grados",
        decimal: ',',
        titles: &[
            ("Sr", "señor"),
            ("Sra", "señora"),
            ("Srta", "señorita"),
            ("Dr", "doctor"),
            ("Dra", "doctora"),
            ("Ud", "usted"),
            ("Uds", "ustedes"),
            ("etc", "etcétera"),
            ("núm", "número"),
        ],
    },
    Lexicon {
        language: "fr",
        percent: "pour cent",
        and: "et",
        at: "arobase",
        dot: "point",
        slash: "barre",
        euro: "euros",
        dollar: "dollars",
        pound: "livres",
        degrees: "degrés",
        decimal: ',',
        titles: &[
            ("M", "monsieur"),
            ("Mme", "madame"),
            ("Mlle", "mademoiselle"),
            ("Dr", "docteur"),
            ("Pr", "professeur"),
            ("etc", "et cetera"),
            ("n°", "numéro"),
        ],
    },
    Lexicon {
        language: "it",
        percent: "per cento",
        and: "e",
        at: "chiocciola",
        dot: "punto",
        slash: "barra",
        euro: "euro",
        dollar: "dollari",
        pound: "sterline",
        degrees: "gradi",
        decimal: ',',
        titles: &[
            ("Sig", "signor"),
            ("Sig.ra", "signora"),
            ("Dott", "dottor"),
            ("Dott.ssa", "dottoressa"),
            ("Prof", "professor"),
            ("ecc", "eccetera"),
        ],
    },
    Lexicon {
        language: "pt",
        percent: "por cento",
        and: "e",
        at: "arroba",
        dot: "ponto",
        slash: "barra",
        euro: "euros",
        dollar: "dólares",
        pound: "libras",
        degrees: "graus",
        decimal: ',',
        titles: &[
            ("Sr", "senhor"),
            ("Sra", "senhora"),
            ("Dr", "doutor"),
            ("Dra", "doutora"),
            ("Prof", "professor"),
            ("etc", "etcétera"),
        ],
    },
    Lexicon {
        language: "de",
        percent: "Prozent",
        and: "und",
        at: "ät",
        dot: "Punkt",
        slash: "Schrägstrich",
        euro: "Euro",
        dollar: "Dollar",
        pound: "Pfund",
        degrees: "Grad",
        decimal: ',',
        titles: &[
            ("Hr", "Herr"),
            ("Fr", "Frau"),
            ("Dr", "Doktor"),
            ("Prof", "Professor"),
            ("usw", "und so weiter"),
            ("bzw", "beziehungsweise"),
            ("z.B", "zum Beispiel"),
            ("Nr", "Nummer"),
            ("ca", "circa"),
        ],
    },
    Lexicon {
        language: "hi",
        percent: "प्रतिशत",
        and: "और",
        at: "ऐट",
        dot: "डॉट",
        slash: "स्लैश",
        euro: "यूरो",
        dollar: "डॉलर",
        pound: "पाउंड",
        degrees: "डिग्री",
        decimal: '.',
        titles: &[("डॉ", "डॉक्टर"), ("श्री", "श्री")],
    },
    // Languages without a list: signs are left to espeak-ng.
    Lexicon {
        language: "",
        percent: "%",
        and: "&",
        at: "@",
        dot: ".",
        slash: "/",
        euro: "€",
        dollar: "$",
        pound: "£",
        degrees: "°",
        decimal: '.',
        titles: &[],
    },
];

impl Lexicon {
    fn of(language: &str) -> &'static Self {
        let language = language.split('-').next().unwrap_or_default();
        LEXICONS.iter().find(|lexicon| lexicon.language == language).unwrap_or(&LEXICONS[LEXICONS.len() - 1])
    }

    fn say(&self, core: &str) -> String {
        if let Some((_, said)) = self.titles.iter().find(|(short, _)| short.eq_ignore_ascii_case(core)) {
            return (*said).to_owned();
        }
        if core.contains('@') || core.contains("://") || core.starts_with("www.") {
            return self.address(core);
        }
        if let Some(said) = self.measured(core) {
            return said;
        }
        let replaced = core.replace('&', &format!(" {} ", self.and)).replace(['_', '/', '|'], " ");
        let spoken = |c: &char| c.is_alphanumeric() || " '’-.,%+=°:".contains(*c) || is_mark(*c);
        replaced.chars().filter(spoken).collect::<String>().trim().to_owned()
    }

    /// A number with a sign or unit.
    fn measured(&self, core: &str) -> Option<String> {
        let start = core.find(|c: char| c.is_ascii_digit())?;
        let end = core.rfind(|c: char| c.is_ascii_digit()).map_or(start, |at| at + 1);
        let (before, number, behind) = (&core[..start], &core[start..end], &core[end..]);
        if !number.chars().all(|c| c.is_ascii_digit() || ".,".contains(c)) {
            return None;
        }
        let number = self.number(number);
        let unit = match (before.trim_start_matches(['-', '−', '+']), behind) {
            ("", "") => String::new(),
            ("", "%") => format!(" {}", self.percent),
            ("€", "") | ("", "€") => format!(" {}", self.euro),
            ("$" | "US$", "") | ("", "$") => format!(" {}", self.dollar),
            ("£", "") | ("", "£") => format!(" {}", self.pound),
            ("", "°" | "°C") => format!(" {}", self.degrees),
            ("", unit) => {
                let column = WITH_UNITS.iter().position(|language| *language == self.language)?;
                let (_, names) = METRIC.iter().find(|(sign, _)| *sign == unit)?;
                format!(" {}", names[column])
            }
            _ => return None,
        };
        let sign = if before.starts_with(['-', '−']) { "-" } else { "" };
        Some(format!("{sign}{number}{unit}"))
    }

    /// Without the marks between thousands: `1.234,5` becomes `1234,5`.
    fn number(&self, text: &str) -> String {
        let group = if self.decimal == ',' { '.' } else { ',' };
        let (whole, fraction) = text.split_once(self.decimal).map_or((text, None), |(whole, rest)| (whole, Some(rest)));
        let groups: Vec<&str> = whole.split(group).collect();
        let grouped = groups.len() > 1 && groups[1..].iter().all(|group| group.len() == 3);
        let whole = if grouped { groups.concat() } else { whole.to_owned() };
        match fraction {
            Some(fraction) => format!("{whole}{}{fraction}", self.decimal),
            None => whole,
        }
    }

    fn address(&self, core: &str) -> String {
        let bare = core.split_once("://").map_or(core, |(_, rest)| rest).trim_end_matches('/');
        let named = bare
            .replace('@', &format!(" {} ", self.at))
            .replace('.', &format!(" {} ", self.dot))
            .replace('/', &format!(" {} ", self.slash));
        named.replace(['-', '_'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
    }
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
        check("es", "El Sr. Gómez pagó 1.234,50 € (el 25%).", "El señor Gómez pagó 1234,50 euros el 25 por ciento.");
        check("es", "El Sr. Gómez pagó 1.234,50€ (el 25%).", "El señor Gómez pagó 1234,50 euros el 25 por ciento.");
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
