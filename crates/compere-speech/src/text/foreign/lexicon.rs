//! What signs, units, months and abbreviations are called, language by language.

#[derive(Debug)]
pub struct Lexicon {
    pub language: &'static str,
    pub percent: &'static str,
    pub and: &'static str,
    pub at: &'static str,
    pub dot: &'static str,
    pub slash: &'static str,
    pub degrees: &'static str,
    pub minus: &'static str,
    pub plus: &'static str,
    pub equals: &'static str,
    pub times: &'static str,
    /// Between the ends of a range.
    pub to: &'static str,
    /// Between the sides of a ratio or a score.
    pub against: &'static str,
    /// Between whole money and cents.
    pub with: &'static str,
    /// What parts whole and fraction.
    pub decimal: char,
    /// One, as it stands before money.
    pub one: &'static str,
    /// Sign, one, many.
    pub money: &'static [(&'static str, &'static str, &'static str)],
    pub months: &'static str,
    /// Between the parts of a date.
    pub of: &'static str,
    /// Between hours and minutes, and behind full hours.
    pub hours: (&'static str, &'static str),
    /// Half, third, two thirds, quarter, three quarters.
    pub fractions: [&'static str; 5],
    pub abbreviations: &'static [(&'static str, &'static str)],
}

/// Sign, and the names in the order of [`WITH_UNITS`].
const UNITS: [(&str, [&str; 6]); 22] = [
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
    ("mg", ["miligramos", "milligrammes", "milligrammi", "miligramas", "Milligramm", "मिलीग्राम"]),
    ("m²", ["metros cuadrados", "mètres carrés", "metri quadrati", "metros quadrados", "Quadratmeter", "वर्ग मीटर"]),
    ("m", ["metros", "mètres", "metri", "metros", "Meter", "मीटर"]),
    ("g", ["gramos", "grammes", "grammi", "gramas", "Gramm", "ग्राम"]),
    ("l", ["litros", "litres", "litri", "litros", "Liter", "लीटर"]),
    ("ml", ["mililitros", "millilitres", "millilitri", "mililitros", "Milliliter", "मिलीलीटर"]),
    ("GB", ["gigabytes", "gigaoctets", "gigabyte", "gigabytes", "Gigabyte", "गीगाबाइट"]),
    ("Go", ["gigabytes", "gigaoctets", "gigabyte", "gigabytes", "Gigabyte", "गीगाबाइट"]),
    ("MB", ["megabytes", "mégaoctets", "megabyte", "megabytes", "Megabyte", "मेगाबाइट"]),
    ("GHz", ["gigahercios", "gigahertz", "gigahertz", "gigahertz", "Gigahertz", "गीगाहर्ट्ज़"]),
    ("kWh", ["kilovatios hora", "kilowattheures", "chilowattora", "quilowatts hora", "Kilowattstunden", "किलोवाट घंटे"]),
    ("kW", ["kilovatios", "kilowatts", "chilowatt", "quilowatts", "Kilowatt", "किलोवाट"]),
    ("W", ["vatios", "watts", "watt", "watts", "Watt", "वाट"]),
    ("min", ["minutos", "minutes", "minuti", "minutos", "Minuten", "मिनट"]),
    ("s", ["segundos", "secondes", "secondi", "segundos", "Sekunden", "सेकंड"]),
    ("h", ["horas", "heures", "ore", "horas", "Stunden", "घंटे"]),
    ("ha", ["hectáreas", "hectares", "ettari", "hectares", "Hektar", "हेक्टेयर"]),
];
const WITH_UNITS: [&str; 6] = ["es", "fr", "it", "pt", "de", "hi"];

pub const LEXICONS: [Lexicon; 7] = [
    Lexicon {
        language: "es",
        percent: "por ciento",
        and: "y",
        at: "arroba",
        dot: "punto",
        slash: "barra",
        degrees: "grados",
        minus: "menos",
        plus: "más",
        equals: "igual a",
        times: "por",
        to: "a",
        against: "a",
        with: "con",
        decimal: ',',
        one: "un",
        money: &[
            ("€", "euro", "euros"),
            ("US$", "dólar", "dólares"),
            ("$", "dólar", "dólares"),
            ("£", "libra", "libras"),
        ],
        months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        of: "de",
        hours: ("y", "horas"),
        fractions: ["un medio", "un tercio", "dos tercios", "un cuarto", "tres cuartos"],
        abbreviations: &[
            ("Sr", "señor"),
            ("Sra", "señora"),
            ("Sres", "señores"),
            ("Srta", "señorita"),
            ("Dr", "doctor"),
            ("Dra", "doctora"),
            ("Ud", "usted"),
            ("Uds", "ustedes"),
            ("etc", "etcétera"),
            ("núm", "número"),
            ("n.º", "número"),
            ("nº", "número"),
            ("pág", "página"),
            ("tel", "teléfono"),
            ("aprox", "aproximadamente"),
            ("fig", "figura"),
            ("EE.UU", "Estados Unidos"),
            ("EE", "Estados"),
            ("UU", "Unidos"),
            ("p.ej", "por ejemplo"),
            ("Avda", "avenida"),
        ],
    },
    Lexicon {
        language: "fr",
        percent: "pour cent",
        and: "et",
        at: "arobase",
        dot: "point",
        slash: "barre",
        degrees: "degrés",
        minus: "moins",
        plus: "plus",
        equals: "égale",
        times: "fois",
        to: "à",
        against: "à",
        with: "",
        decimal: ',',
        one: "un",
        money: &[
            ("€", "euro", "euros"),
            ("US$", "dollar", "dollars"),
            ("$", "dollar", "dollars"),
            ("£", "livre", "livres"),
        ],
        months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        of: "",
        hours: ("heures", "heures"),
        fractions: ["un demi", "un tiers", "deux tiers", "un quart", "trois quarts"],
        abbreviations: &[
            ("M", "monsieur"),
            ("MM", "messieurs"),
            ("Mme", "madame"),
            ("Mlle", "mademoiselle"),
            ("Dr", "docteur"),
            ("Pr", "professeur"),
            ("etc", "et cetera"),
            ("n°", "numéro"),
            ("p", "page"),
            ("fig", "figure"),
            ("tél", "téléphone"),
            ("env", "environ"),
            ("av", "avant"),
            ("apr", "après"),
            ("J.-C", "Jésus-Christ"),
            ("c.-à-d", "c'est-à-dire"),
            ("bd", "boulevard"),
        ],
    },
    Lexicon {
        language: "it",
        percent: "per cento",
        and: "e",
        at: "chiocciola",
        dot: "punto",
        slash: "barra",
        degrees: "gradi",
        minus: "meno",
        plus: "più",
        equals: "uguale",
        times: "per",
        to: "a",
        against: "a",
        with: "e",
        decimal: ',',
        one: "un",
        money: &[
            ("€", "euro", "euro"),
            ("US$", "dollaro", "dollari"),
            ("$", "dollaro", "dollari"),
            ("£", "sterlina", "sterline"),
        ],
        months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        of: "",
        hours: ("e", "in punto"),
        fractions: ["un mezzo", "un terzo", "due terzi", "un quarto", "tre quarti"],
        abbreviations: &[
            ("Sig", "signor"),
            ("Sig.ra", "signora"),
            ("Sigg", "signori"),
            ("Dott", "dottor"),
            ("Dott.ssa", "dottoressa"),
            ("Prof", "professor"),
            ("Ing", "ingegner"),
            ("Avv", "avvocato"),
            ("ecc", "eccetera"),
            ("n", "numero"),
            ("pag", "pagina"),
            ("tel", "telefono"),
            ("ca", "circa"),
            ("a.C", "avanti Cristo"),
            ("d.C", "dopo Cristo"),
        ],
    },
    Lexicon {
        language: "pt",
        percent: "por cento",
        and: "e",
        at: "arroba",
        dot: "ponto",
        slash: "barra",
        degrees: "graus",
        minus: "menos",
        plus: "mais",
        equals: "igual a",
        times: "vezes",
        to: "a",
        against: "a",
        with: "e",
        decimal: ',',
        one: "um",
        money: &[
            ("R$", "real", "reais"),
            ("€", "euro", "euros"),
            ("US$", "dólar", "dólares"),
            ("$", "dólar", "dólares"),
            ("£", "libra", "libras"),
        ],
        months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        of: "de",
        hours: ("e", "horas"),
        fractions: ["meio", "um terço", "dois terços", "um quarto", "três quartos"],
        abbreviations: &[
            ("Sr", "senhor"),
            ("Sra", "senhora"),
            ("Dr", "doutor"),
            ("Dra", "doutora"),
            ("Prof", "professor"),
            ("Profa", "professora"),
            ("etc", "etcétera"),
            ("nº", "número"),
            ("pág", "página"),
            ("tel", "telefone"),
            ("Av", "avenida"),
            ("aprox", "aproximadamente"),
            ("p.ex", "por exemplo"),
            ("EUA", "Estados Unidos"),
        ],
    },
    Lexicon {
        language: "de",
        percent: "Prozent",
        and: "und",
        at: "ät",
        dot: "Punkt",
        slash: "Schrägstrich",
        degrees: "Grad",
        minus: "minus",
        plus: "plus",
        equals: "gleich",
        times: "mal",
        to: "bis",
        against: "zu",
        with: "",
        decimal: ',',
        one: "ein",
        money: &[
            ("€", "Euro", "Euro"),
            ("US$", "US-Dollar", "US-Dollar"),
            ("$", "Dollar", "Dollar"),
            ("£", "Pfund", "Pfund"),
        ],
        months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        of: "",
        hours: ("Uhr", "Uhr"),
        fractions: ["ein halb", "ein Drittel", "zwei Drittel", "ein Viertel", "drei Viertel"],
        abbreviations: &[
            ("Hr", "Herr"),
            ("Fr", "Frau"),
            ("Dr", "Doktor"),
            ("Prof", "Professor"),
            ("St", "Sankt"),
            ("usw", "und so weiter"),
            ("etc", "et cetera"),
            ("bzw", "beziehungsweise"),
            ("z.B", "zum Beispiel"),
            ("z B", "zum Beispiel"),
            ("d.h", "das heißt"),
            ("d h", "das heißt"),
            ("u.a", "unter anderem"),
            ("u a", "unter anderem"),
            ("Nr", "Nummer"),
            ("ca", "circa"),
            ("inkl", "inklusive"),
            ("zzgl", "zuzüglich"),
            ("evtl", "eventuell"),
            ("ggf", "gegebenenfalls"),
            ("Mio", "Millionen"),
            ("Mrd", "Milliarden"),
            ("Std", "Stunden"),
            ("Min", "Minuten"),
            ("Tel", "Telefon"),
            ("S", "Seite"),
            ("Abb", "Abbildung"),
            ("vgl", "vergleiche"),
        ],
    },
    Lexicon {
        language: "hi",
        percent: "प्रतिशत",
        and: "और",
        at: "ऐट",
        dot: "डॉट",
        slash: "स्लैश",
        degrees: "डिग्री",
        minus: "माइनस",
        plus: "प्लस",
        equals: "बराबर",
        times: "गुणा",
        to: "से",
        against: "अनुपात",
        with: "",
        decimal: '.',
        one: "एक",
        money: &[
            ("₹", "रुपया", "रुपये"),
            ("€", "यूरो", "यूरो"),
            ("US$", "डॉलर", "डॉलर"),
            ("$", "डॉलर", "डॉलर"),
            ("£", "पाउंड", "पाउंड"),
        ],
        months: "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
        of: "",
        hours: ("बजकर", "बजे"),
        fractions: ["आधा", "एक तिहाई", "दो तिहाई", "एक चौथाई", "तीन चौथाई"],
        abbreviations: &[("डॉ", "डॉक्टर"), ("प्रो", "प्रोफेसर"), ("रु", "रुपये"), ("कि.मी", "किलोमीटर"), ("श्री", "श्री")],
    },
    // Languages without a list: signs are left to espeak-ng.
    Lexicon {
        language: "",
        percent: "%",
        and: "&",
        at: "@",
        dot: ".",
        slash: "/",
        degrees: "°",
        minus: "-",
        plus: "+",
        equals: "=",
        times: "×",
        to: "-",
        against: ":",
        with: "",
        decimal: '.',
        one: "1",
        money: &[],
        months: "",
        of: "",
        hours: ("", ""),
        fractions: [""; 5],
        abbreviations: &[],
    },
];

impl Lexicon {
    pub fn of(language: &str) -> &'static Self {
        let language = language.split('-').next().unwrap_or_default();
        LEXICONS.iter().find(|lexicon| lexicon.language == language).unwrap_or(&LEXICONS[LEXICONS.len() - 1])
    }

    pub fn unit(&self, sign: &str) -> Option<&'static str> {
        let column = WITH_UNITS.iter().position(|language| *language == self.language)?;
        UNITS.iter().find(|(known, _)| *known == sign).map(|(_, names)| names[column])
    }

    /// A number and a unit; of one there is one.
    pub fn counted(&self, number: &str, unit: &str) -> String {
        if number != "1" {
            return format!("{number} {unit}");
        }
        let (first, rest) = unit.split_once(' ').map_or((unit, ""), |(first, rest)| (first, rest));
        let singular = match (self.language, first) {
            ("es" | "pt", "horas") => "hora",
            ("fr", "heures") => "heure",
            ("it", "ore") => "ora",
            ("it", "gigabyte" | "megabyte" | "gigahertz" | "watt" | "chilowatt" | "chilowattora") => first,
            ("es" | "pt" | "fr", first) => first.strip_suffix('s').unwrap_or(first),
            ("de", first) if first.ends_with("den") || first.ends_with("ten") => {
                first.strip_suffix('n').unwrap_or(first)
            }
            _ => first,
        };
        let singular = match self.language {
            "it" if singular.ends_with('i') => format!("{}o", singular.trim_end_matches('i')),
            _ => singular.to_owned(),
        };
        let one = match (self.language, singular.as_str()) {
            ("es", "hora") => "una",
            ("pt", "hora") => "uma",
            ("fr", "heure" | "minute" | "seconde") => "une",
            ("it", "ora") => "una",
            ("de", "Stunde" | "Minute" | "Sekunde" | "Kilowattstunde") => "eine",
            _ => self.one,
        };
        let gap = if rest.is_empty() { "" } else { " " };
        format!("{one} {singular}{gap}{rest}")
    }

    /// What a hundredth of a currency is called; `one` names the currency.
    pub fn cents(&self, one: &str) -> &'static str {
        match (self.language, one) {
            ("es", _) => "céntimos",
            ("fr", "livre") => "pence",
            ("fr", _) => "centimes",
            ("it", _) => "centesimi",
            ("pt", "euro") => "cêntimos",
            ("pt", _) => "centavos",
            ("de", "Pfund") => "Pence",
            ("hi", "रुपया") => "पैसे",
            ("hi", _) => "सेंट",
            _ => "Cent",
        }
    }

    pub fn month(&self, number: usize) -> Option<&'static str> {
        self.months.split(' ').nth(number.checked_sub(1)?).filter(|month| !month.is_empty())
    }

    pub fn is_month(&self, word: &str) -> bool {
        !word.is_empty() && self.months.split(' ').any(|month| month.eq_ignore_ascii_case(word))
    }

    pub fn abbreviation(&self, core: &str) -> Option<&'static str> {
        // Capitals tell `S.` (page) from an s, and `M.` (monsieur) from the unit.
        let exact = self.abbreviations.iter().find(|(short, _)| *short == core);
        let loose = || self.abbreviations.iter().find(|(short, _)| short.len() > 1 && short.eq_ignore_ascii_case(core));
        exact.or_else(loose).map(|(_, said)| *said)
    }
}
