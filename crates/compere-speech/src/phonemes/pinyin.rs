//! Syllables of pinyin in the letters that Kokoro's Chinese voices learnt.
//!
//! The table is that of misaki (Apache-2.0), which took it from pinyin-to-ipa (MIT): one letter per sound, `ʰ` for
//! aspiration and an arrow for the tone right behind the vowel. The neutral tone has no arrow.

/// A syllable such as `zhōng` or `lü`; none if it is not one.
pub fn ipa(syllable: &str) -> Option<String> {
    let (plain, tone) = toneless(syllable);
    let arrow = ["", "→", "↗", "↓", "↘"][tone];
    let (initial, finals) = parts(&plain)?;
    Some(format!("{initial}{}", finals.replace('0', arrow)))
}

/// The letters with `ü` as `v`, and the tone: 1 to 4, 0 for the neutral one.
pub fn toneless(syllable: &str) -> (String, usize) {
    const VOWELS: [(&str, char); 8] = [
        ("āáǎà", 'a'),
        ("ēéěè", 'e'),
        ("īíǐì", 'i'),
        ("ōóǒò", 'o'),
        ("ūúǔù", 'u'),
        ("ǖǘǚǜ", 'v'),
        ("\u{0}ńňǹ", 'n'),
        ("\u{0}ḿ\u{0}\u{0}", 'm'),
    ];
    let mut tone = 0;
    let plain = |letter: char| {
        let marked = VOWELS.iter().find_map(|(marked, plain)| {
            let at = marked.chars().position(|c| c == letter)?;
            tone = at + 1;
            Some(*plain)
        });
        match letter {
            'ü' => 'v',
            'ế' | 'ê' | 'ề' => 'e',
            letter => marked.unwrap_or(letter),
        }
    };
    let letters = syllable.chars().map(plain).collect();
    (letters, tone)
}

/// Initial and final, with `0` where the tone goes.
fn parts(plain: &str) -> Option<(&'static str, &'static str)> {
    const ALONE: [(&str, &str); 7] =
        [("er", "ɚ0"), ("r", "ɚ0"), ("o", "ɔ0"), ("yo", "jɔ0"), ("n", "n0"), ("ng", "ŋ0"), ("m", "m0")];
    // Two letters before one, so that the first that fits is the longest.
    const INITIALS: [(&str, &str); 21] = [
        ("zh", "ꭧ"),
        ("ch", "ꭧʰ"),
        ("sh", "ʂ"),
        ("b", "p"),
        ("p", "pʰ"),
        ("m", "m"),
        ("f", "f"),
        ("d", "t"),
        ("t", "tʰ"),
        ("n", "n"),
        ("l", "l"),
        ("g", "k"),
        ("k", "kʰ"),
        ("h", "x"),
        ("j", "ʨ"),
        ("q", "ʨʰ"),
        ("x", "ɕ"),
        ("r", "ɻ"),
        ("z", "ʦ"),
        ("c", "ʦʰ"),
        ("s", "s"),
    ];
    if let Some((_, sound)) = ALONE.iter().find(|(syllable, _)| *syllable == plain) {
        return Some(("", sound));
    }
    let (initial, sound, rest) = INITIALS
        .iter()
        .find_map(|(initial, sound)| Some((*initial, *sound, plain.strip_prefix(initial)?)))
        .unwrap_or(("", "", plain));
    if rest == "i" && matches!(initial, "zh" | "ch" | "sh" | "r" | "z" | "c" | "s") {
        return Some((sound, "ɨ0"));
    }
    // Behind these, and in `yu`, a written u is ü.
    let front = matches!(initial, "j" | "q" | "x");
    Some((sound, final_of(rest, front)?))
}

fn final_of(written: &str, front: bool) -> Option<&'static str> {
    Some(match written {
        "a" => "a0",
        "ai" => "ai0",
        "an" => "a0n",
        "ang" => "a0ŋ",
        "ao" => "au0",
        "e" => "ɤ0",
        "ei" => "ei0",
        "en" => "ə0n",
        "eng" => "ə0ŋ",
        "i" | "yi" => "i0",
        "ia" | "ya" => "ja0",
        "ian" | "yan" => "jɛ0n",
        "iang" | "yang" => "ja0ŋ",
        "iao" | "yao" => "jau0",
        "ie" | "ye" => "je0",
        "in" | "yin" => "i0n",
        "iu" | "iou" | "you" => "jou0",
        "ing" | "ying" => "i0ŋ",
        "iong" | "yong" => "jʊ0ŋ",
        "ong" => "ʊ0ŋ",
        "ou" => "ou0",
        "u" if front => "y0",
        "ue" if front => "ɥe0",
        "uan" if front => "ɥɛ0n",
        "un" if front => "y0n",
        "u" | "wu" => "u0",
        "ui" | "uei" | "wei" => "wei0",
        "ua" | "wa" => "wa0",
        "uai" | "wai" => "wai0",
        "uan" | "wan" => "wa0n",
        "un" | "uen" | "wen" => "wə0n",
        "uang" | "wang" => "wa0ŋ",
        "ueng" | "weng" => "wə0ŋ",
        "uo" | "wo" | "o" => "wo0",
        "v" | "yu" => "y0",
        "ve" | "ue" | "yue" => "ɥe0",
        "van" | "yuan" => "ɥɛ0n",
        "vn" | "yun" => "y0n",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_sound_as_misaki_writes_them() {
        for (syllable, sound) in [
            ("zhōng", "ꭧʊ→ŋ"),
            ("guó", "kwo↗"),
            ("nǚ", "ny↓"),
            ("xué", "ɕɥe↗"),
            ("shì", "ʂɨ↘"),
            ("zì", "ʦɨ↘"),
            ("qù", "ʨʰy↘"),
            ("wǒ", "wo↓"),
            ("yuán", "ɥɛ↗n"),
            ("liú", "ljou↗"),
            ("ma", "ma"),
            ("ér", "ɚ↗"),
            ("duì", "twei↘"),
            ("hǎo", "xau↓"),
            ("lüè", "lɥe↘"),
            ("jūn", "ʨy→n"),
        ] {
            assert_eq!(ipa(syllable).as_deref(), Some(sound), "{syllable}");
        }
        assert_eq!(ipa("xyz"), None);
    }
}
