//! Which scripts a text is written in, and for whom its Han characters are drawn.

use icu_properties::props::Script;
use icu_properties::{CodePointMapData, PropertyNamesLong};

/// Whose form of the Han characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    Korea,
    Japan,
    Mainland,
    Taiwan,
    HongKong,
}

impl Region {
    /// As Noto's families are named.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Korea => "KR",
            Self::Japan => "JP",
            Self::Mainland => "SC",
            Self::Taiwan => "TC",
            Self::HongKong => "HK",
        }
    }

    /// Guessed from the whole text: kana are Japanese, hangul Korean, bopomofo Taiwanese; Han characters alone are
    /// counted by the simplified and traditional forms that differ most often.
    pub fn of(text: &str) -> Self {
        let scripts = Scripts::of(text);
        let has = |script| scripts.found.contains(&script);
        if has(Script::Hiragana) || has(Script::Katakana) {
            return Self::Japan;
        }
        if has(Script::Hangul) || !has(Script::Han) {
            return if has(Script::Bopomofo) { Self::Taiwan } else { Self::Korea };
        }
        let count = |forms: &str| text.chars().filter(|&c| forms.contains(c)).count();
        if has(Script::Bopomofo) || count(TRADITIONAL) > count(SIMPLIFIED) { Self::Taiwan } else { Self::Mainland }
    }
}

const TRADITIONAL: &str =
    "這個們來為國對時會說學開關東車馬魚鳥龍麗點電腦網頁體臺灣語請謝還過進發現實與業務認識無樣經產動機長門問間";
const SIMPLIFIED: &str =
    "这个们来为国对时会说学开关东车马鱼鸟龙丽点电脑网页体台湾语请谢还过进发现实与业务认识无样经产动机长门问间";

/// The scripts of a text in the order of their first characters.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    found: Vec<Script>,
}

impl Scripts {
    pub fn of(text: &str) -> Self {
        let map = CodePointMapData::<Script>::new();
        let mut found = Vec::new();
        for script in text.chars().map(|c| map.get(c)) {
            if script != Script::Common && script != Script::Inherited && !found.contains(&script) {
                found.push(script);
            }
        }
        Self { found }
    }

    pub fn has_cjk(&self) -> bool {
        const CJK: [Script; 5] = [Script::Han, Script::Hiragana, Script::Katakana, Script::Hangul, Script::Bopomofo];
        self.found.iter().any(|script| CJK.contains(script))
    }

    pub fn has_hangul(&self) -> bool {
        self.found.contains(&Script::Hangul)
    }

    /// English names, as "Old_Italic".
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.found.iter().map(|&script| name(script))
    }
}

fn name(script: Script) -> &'static str {
    PropertyNamesLong::<Script>::new().get(script).unwrap_or("unknown")
}

/// The script of a cluster's first character that has one.
pub fn script_of(cluster: &str) -> &'static str {
    Scripts::of(cluster).names().next().unwrap_or("Common")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_guessed() {
        for (text, expected) in [
            ("漢字かな交じり", Region::Japan),
            ("한국어 漢字", Region::Korea),
            ("欢迎来到我们的课程", Region::Mainland),
            ("歡迎來到我們的課程", Region::Taiwan),
            ("plain", Region::Korea),
        ] {
            assert_eq!(Region::of(text), expected, "{text}");
        }
    }

    #[test]
    fn scripts_have_the_names_fonts_use() {
        let names: Vec<_> = Scripts::of("aя ไทย हिन्दी עברית").names().collect();
        assert_eq!(names, ["Latin", "Cyrillic", "Thai", "Devanagari", "Hebrew"]);
        assert_eq!(script_of("🙂"), "Common");
    }
}
