//! From the font an author names to fonts that are installed.
//!
//! Authors write "Noto Sans CJK" (the interface's default, which no font calls itself), "Arial", "SourceSerifPro-Bold"
//! or a family that only their own machine has. The nearest is taken: the family itself, a known relative, or a Noto
//! family of the same kind.

use super::fonts::{Fonts, normal};
use super::script::{Region, Scripts};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenericFamily {
    Sans,
    Serif,
    Mono,
}

/// What an author's font name asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Here under this name.
    pub family: Option<String>,
    pub kind: GenericFamily,
    /// An East Asian font: its Latin letters are wanted too.
    pub is_cjk: bool,
    pub region: Option<Region>,
    /// Said by the name itself, as in "Roboto-Bold".
    pub weight: Option<u16>,
    pub is_italic: bool,
}

impl Wish {
    pub fn of(name: &str, fonts: &Fonts) -> Self {
        // Authors may give a list as in CSS; the first that is here wins, else the first decides the kind.
        let names: Vec<&str> = name.split(',').map(|name| name.trim().trim_matches(['"', '\''])).collect();
        let known = names.iter().find(|name| Self::single(name, fonts).family.is_some());
        Self::single(known.or(names.first()).copied().unwrap_or_default(), fonts)
    }

    fn single(name: &str, fonts: &Fonts) -> Self {
        let whole = normal(name);
        let (base, weight, is_italic) =
            if fonts.asked_for(&whole).is_some() { (whole, None, false) } else { without_style(&whole) };
        let kind = kind(&base);
        let (is_cjk, region) = cjk(&base);
        let relative = || METRIC_TWINS.iter().find(|(known, _)| base == *known).map(|(_, twin)| *twin);
        let family = fonts.asked_for(&base).or_else(|| fonts.installed(relative()?)).map(str::to_owned);
        Self { family, kind, is_cjk, region, weight, is_italic }
    }

    /// Families to look for each character in, the most wanted first.
    pub fn stack(&self, scripts: &Scripts, region: Region, fonts: &Fonts) -> Vec<String> {
        let mut names: Vec<String> = self.family.iter().cloned().collect();
        let mut add = |name: &str| {
            if let Some(name) = fonts.installed(name)
                && !names.iter().any(|known| known == name)
            {
                names.push(name.to_owned());
            }
        };
        let asian = self.asian(self.region.unwrap_or(region));
        if self.family.is_none() && self.is_cjk {
            asian.iter().for_each(|family| add(family));
        }
        match self.kind {
            GenericFamily::Sans => add("Noto Sans"),
            GenericFamily::Serif => add("Noto Serif"),
            GenericFamily::Mono => ["Noto Sans Mono", &asian[0]].into_iter().for_each(&mut add),
        }
        for script in scripts.names() {
            match script {
                "Arabic" if self.kind == GenericFamily::Serif => add("Noto Naskh Arabic"),
                _ if self.kind == GenericFamily::Serif => add(&format!("Noto Serif {script}")),
                _ => {}
            }
            add(&format!("Noto Sans {script}"));
            add(&format!("Noto Serif {script}"));
        }
        if scripts.has_cjk() {
            asian.iter().for_each(|family| add(family));
        }
        for last in LAST {
            add(last);
        }
        if names.is_empty() {
            // A machine without Noto: whatever it has.
            names.extend(fonts.families());
        }
        names
    }

    fn asian(&self, region: Region) -> [String; 2] {
        let sans = format!("Noto Sans CJK {}", region.suffix());
        match self.kind {
            GenericFamily::Serif => [format!("Noto Serif CJK {}", region.suffix()), sans],
            GenericFamily::Mono => [format!("Noto Sans Mono CJK {}", region.suffix()), sans],
            GenericFamily::Sans => [sans.clone(), sans],
        }
    }
}

/// Whether an author who writes `wish` may mean this family: by its name, alone or in a list, with a style or without.
pub fn asks_for(wish: &str, family: &str) -> bool {
    let family = normal(family);
    let means = |name: &str| {
        let whole = normal(name);
        whole == family || without_style(&whole).0 == family
    };
    !family.is_empty() && wish.split(',').any(means)
}

/// Whether two names are those of one family, however their words are separated and whatever their case.
pub fn same_family(one: &str, other: &str) -> bool {
    normal(one) == normal(other)
}

/// Asked last, for signs that belong to no script.
const LAST: [&str; 6] =
    ["Noto Sans", "Noto Sans Symbols", "Noto Sans Symbols2", "Noto Sans Math", "Noto Music", "DejaVu Sans"];

/// Names and the free families drawn to the same widths.
const METRIC_TWINS: [(&str, &str); 9] = [
    ("arial", "Liberation Sans"),
    ("helvetica", "Liberation Sans"),
    ("helveticaneue", "Liberation Sans"),
    ("timesnewroman", "Liberation Serif"),
    ("times", "Liberation Serif"),
    ("couriernew", "Liberation Mono"),
    ("courier", "Liberation Mono"),
    ("calibri", "Carlito"),
    ("cambria", "Caladea"),
];

/// Endings of PostScript names and their weights, longer ones before those they end in.
const WEIGHTS: [(&str, u16); 18] = [
    ("extralight", 200),
    ("ultralight", 200),
    ("demilight", 350),
    ("semilight", 350),
    ("extrabold", 800),
    ("ultrabold", 800),
    ("semibold", 600),
    ("demibold", 600),
    ("hairline", 100),
    ("regular", 400),
    ("medium", 500),
    ("normal", 400),
    ("black", 900),
    ("heavy", 900),
    ("light", 300),
    ("thin", 100),
    ("book", 400),
    ("bold", 700),
];

fn without_style(name: &str) -> (String, Option<u16>, bool) {
    let (mut base, mut weight, mut is_italic) = (name, None, false);
    loop {
        let slanted = ["italic", "oblique"].iter().find_map(|ending| base.strip_suffix(ending));
        let weighted = WEIGHTS.iter().find_map(|(ending, weight)| Some((base.strip_suffix(ending)?, *weight)));
        match (slanted, weighted) {
            (Some(rest), _) if !rest.is_empty() => (base, is_italic) = (rest, true),
            (_, Some((rest, found))) if !rest.is_empty() => (base, weight) = (rest, weight.or(Some(found))),
            _ => return (base.to_owned(), weight, is_italic),
        }
    }
}

fn kind(base: &str) -> GenericFamily {
    const MONO: [&str; 8] = ["mono", "courier", "consol", "menlo", "code", "typewriter", "terminal", "fixed"];
    const SERIF: [&str; 26] = [
        "serif",
        "times",
        "georgia",
        "garamond",
        "baskerville",
        "palatino",
        "didot",
        "bodoni",
        "merriweather",
        "playfair",
        "cambria",
        "minion",
        "batang",
        "myungjo",
        "myeongjo",
        "mincho",
        "simsun",
        "songti",
        "fangsong",
        "mingliu",
        "바탕",
        "명조",
        "명조체",
        "roman",
        "century",
        "caslon",
    ];
    let has = |words: &[&str]| words.iter().any(|word| base.contains(word));
    if has(&MONO) {
        GenericFamily::Mono
    } else if has(&SERIF) && !base.contains("sans") && !base.contains("centurygothic") {
        GenericFamily::Serif
    } else {
        GenericFamily::Sans
    }
}

/// Whether the name is that of an East Asian font, and for which region.
fn cjk(base: &str) -> (bool, Option<Region>) {
    use Region::{HongKong, Japan, Korea, Mainland, Taiwan};
    const NAMES: [(&str, Region); 34] = [
        ("malgun", Korea),
        ("nanum", Korea),
        ("gulim", Korea),
        ("dotum", Korea),
        ("batang", Korea),
        ("myungjo", Korea),
        ("myeongjo", Korea),
        ("pretendard", Korea),
        ("spoqahan", Korea),
        ("applesdgothic", Korea),
        ("맑은", Korea),
        ("나눔", Korea),
        ("굴림", Korea),
        ("돋움", Korea),
        ("바탕", Korea),
        ("명조", Korea),
        ("고딕", Korea),
        ("meiryo", Japan),
        ("hiragino", Japan),
        ("yugothic", Japan),
        ("yumincho", Japan),
        ("msgothic", Japan),
        ("msmincho", Japan),
        ("mplus", Japan),
        ("ゴシック", Japan),
        ("明朝", Japan),
        ("simsun", Mainland),
        ("simhei", Mainland),
        ("microsoftyahei", Mainland),
        ("pingfang", Mainland),
        ("heiti", Mainland),
        ("songti", Mainland),
        ("microsoftjhenghei", Taiwan),
        ("mingliu", Taiwan),
    ];
    if let Some((_, region)) = NAMES.iter().find(|(name, _)| base.contains(name)) {
        return (true, Some(*region));
    }
    const PREFIXES: [&str; 6] =
        ["notosansmonocjk", "notosanscjk", "notoserifcjk", "sourcehansans", "sourcehanserif", "notosans"];
    const REGIONS: [(&str, Region); 10] = [
        ("kr", Korea),
        ("k", Korea),
        ("jp", Japan),
        ("j", Japan),
        ("sc", Mainland),
        ("cn", Mainland),
        ("tc", Taiwan),
        ("tw", Taiwan),
        ("hk", HongKong),
        ("hc", HongKong),
    ];
    let prefixes = PREFIXES.iter().chain(&["notoserif"]);
    for (prefix, rest) in prefixes.filter_map(|prefix| Some((*prefix, base.strip_prefix(prefix)?))) {
        let region = REGIONS.iter().find(|(suffix, _)| rest == *suffix).map(|(_, region)| *region);
        let is_asian_name = prefix.contains("cjk") || prefix.contains("han");
        if region.is_some() || (is_asian_name && rest.is_empty()) {
            return (true, region);
        }
    }
    (false, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postscript_names_fall_apart() {
        assert_eq!(without_style("sourceserifprobolditalic"), ("sourceserifpro".into(), Some(700), true));
        assert_eq!(without_style("robotoextralight"), ("roboto".into(), Some(200), false));
        assert_eq!(without_style("bold"), ("bold".into(), None, false));
    }

    #[test]
    fn a_family_is_asked_for_in_many_ways() {
        for wish in
            ["Brand Sans", "brandsans", "BrandSans-BoldItalic", "'Brand Sans', Arial", "Arial, Brand Sans Light"]
        {
            assert!(asks_for(wish, "Brand Sans"), "{wish}");
        }
        for wish in ["Brand", "Brand Sans Pro", "", "Noto Sans"] {
            assert!(!asks_for(wish, "Brand Sans"), "{wish}");
        }
        assert!(asks_for("Brand Sans Light", "Brand Sans Light") && !asks_for("", ""));
    }

    #[test]
    fn kinds_are_guessed_by_name() {
        for (name, expected) in [
            ("SourceSerifPro", GenericFamily::Serif),
            ("Noto Sans", GenericFamily::Sans),
            ("PT Sans Serif", GenericFamily::Sans),
            ("Century Gothic", GenericFamily::Sans),
            ("Times New Roman", GenericFamily::Serif),
            ("JetBrains Mono", GenericFamily::Mono),
            ("나눔명조", GenericFamily::Serif),
        ] {
            assert_eq!(kind(&normal(name)), expected, "{name}");
        }
    }

    #[test]
    fn asian_names_know_their_region() {
        for (name, expected) in [
            ("Noto Sans CJK", (true, None)),
            ("NotoSansKR", (true, Some(Region::Korea))),
            ("Noto Serif JP", (true, Some(Region::Japan))),
            ("Noto Sans CJK TC", (true, Some(Region::Taiwan))),
            ("Noto Sans", (false, None)),
            ("Noto Serif Khmer", (false, None)),
            ("나눔고딕", (true, Some(Region::Korea))),
            ("Roboto", (false, None)),
        ] {
            assert_eq!(cjk(&normal(name)), expected, "{name}");
        }
    }
}
