//! Kana in the letters that Kokoro's Japanese voices learnt.
//!
//! The table is that of misaki 0.7 (Apache-2.0): no pitch, `ʔ` for the small tsu, `ː` for a long vowel, and an `ん` that
//! goes by what follows it.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Two letters before one; kana and sound in turns.
const TABLE: &str = "\
    いぇ je  うぃ βi  うぇ βe  うぉ βo  きぇ kʲe  きゃ kʲa  きゅ kʲɨ  きょ kʲo  ぎゃ ɡʲa  ぎゅ ɡʲɨ  ぎょ ɡʲo  くぁ kᵝa  くぃ kᵝi \
    くぇ kᵝe  くぉ kᵝo  ぐぁ ɡᵝa  ぐぃ ɡᵝi  ぐぇ ɡᵝe  ぐぉ ɡᵝo  しぇ ɕe  しゃ ɕa  しゅ ɕɨ  しょ ɕo  じぇ ʥe  じゃ ʥa  じゅ ʥɨ \
    じょ ʥo  ちぇ ʨe  ちゃ ʨa  ちゅ ʨɨ  ちょ ʨo  ぢゃ ʥa  ぢゅ ʥɨ  ぢょ ʥo  つぁ ʦa  つぃ ʦʲi  つぇ ʦe  つぉ ʦo  てぃ tʲi  てゅ tʲɨ \
    でぃ dʲi  でゅ dʲɨ  とぅ tɯ  どぅ dɯ  にぇ ɲe  にゃ ɲa  にゅ ɲɨ  にょ ɲo  ひぇ çe  ひゃ ça  ひゅ çɨ  ひょ ço  びゃ bʲa  びゅ bʲɨ \
    びょ bʲo  ぴゃ pʲa  ぴゅ pʲɨ  ぴょ pʲo  ふぁ ɸa  ふぃ ɸʲi  ふぇ ɸe  ふぉ ɸo  ふゅ ɸʲɨ  ふょ ɸʲo  みゃ mʲa  みゅ mʲɨ  みょ mʲo \
    りゃ ɾʲa  りゅ ɾʲɨ  りょ ɾʲo  ゔぁ va  ゔぃ vʲi  ゔぇ ve  ゔぉ vo  ゔゅ bʲɨ  ゔょ bʲo \
    ぁ a  あ a  ぃ i  い i  ぅ ɯ  う ɯ  ぇ e  え e  ぉ o  お o  か ka  が ɡa  き kʲi  ぎ ɡʲi  く kɯ  ぐ ɡɯ  け ke  げ ɡe \
    こ ko  ご ɡo  さ sa  ざ ʣa  し ɕi  じ ʥi  す sɨ  ず zɨ  せ se  ぜ ʣe  そ so  ぞ ʣo  た ta  だ da  ち ʨi  ぢ ʥi  つ ʦɨ \
    づ zɨ  て te  で de  と to  ど do  な na  に ɲi  ぬ nɯ  ね ne  の no  は ha  ば ba  ぱ pa  ひ çi  び bʲi  ぴ pʲi \
    ふ ɸɯ  ぶ bɯ  ぷ pɯ  へ he  べ be  ぺ pe  ほ ho  ぼ bo  ぽ po  ま ma  み mʲi  む mɯ  め me  も mo  ゃ ja  や ja \
    ゅ jɯ  ゆ jɯ  ょ jo  よ jo  ら ɾa  り ɾʲi  る ɾɯ  れ ɾe  ろ ɾo  ゎ βa  わ βa  ゐ i  ゑ e  を o  ゔ vɯ  ゕ ka  ゖ ke \
    ヷ va  ヸ vʲi  ヹ ve  ヺ vo";

fn table() -> &'static HashMap<&'static str, &'static str> {
    static SOUNDS: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    SOUNDS.get_or_init(|| {
        let words: Vec<&str> = TABLE.split_whitespace().collect();
        words.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    })
}

/// The sounds of kana, either kind; what is no kana has none.
pub fn sounds(kana: &str) -> String {
    let letters: Vec<char> = kana.chars().map(hiragana).collect();
    let mut out = String::new();
    let mut at = 0;
    while at < letters.len() {
        let pair: String = letters[at..].iter().take(2).collect();
        if let Some(sound) = table().get(pair.as_str()).filter(|_| at + 1 < letters.len()) {
            out.push_str(sound);
            at += 2;
            continue;
        }
        let single = letters[at].to_string();
        let next = letters.get(at + 1).map(char::to_string);
        match letters[at] {
            // A long vowel is one however often it is drawn out.
            'ー' if !out.ends_with('ː') => out.push('ː'),
            'ー' => {}
            'っ' => out.push_str(if at + 1 < letters.len() { "ʔ" } else { "" }),
            'ん' => out.push_str(nasal(next.as_deref())),
            // A small vowel behind a kana that has no pair with it replaces the vowel: `ふぃ` is in the table, `ぬぁ` is not.
            small if "ぁぃぅぇぉ".contains(small) && !out.is_empty() => {
                if out.ends_with(['a', 'e', 'i', 'o', 'ɯ', 'ɨ']) {
                    out.pop();
                }
                out.push_str(table().get(single.as_str()).copied().unwrap_or_default());
            }
            _ => out.push_str(table().get(single.as_str()).copied().unwrap_or_default()),
        }
        at += 1;
    }
    out
}

fn nasal(next: Option<&str>) -> &'static str {
    let sound = next.and_then(|next| table().get(next)).copied().unwrap_or_default();
    match sound.chars().next() {
        Some('m' | 'p' | 'b') => "m",
        Some('k' | 'ɡ') => "ŋ",
        Some('ɲ' | 'ʨ' | 'ʥ') => "ɲ",
        Some('n' | 't' | 'd' | 'ɾ' | 'z') => "n",
        _ => "ɴ",
    }
}

pub fn hiragana(letter: char) -> char {
    match letter {
        'ァ'..='ヶ' => char::from_u32(letter as u32 - 0x60).unwrap_or(letter),
        letter => letter,
    }
}

pub fn is_kana(letter: char) -> bool {
    matches!(letter, 'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kana_sound_as_misaki_writes_them() {
        for (kana, sound) in [
            ("トーキョー", "toːkʲoː"),
            ("がっこう", "ɡaʔkoɯ"),
            ("シンブン", "ɕimbɯɴ"),
            ("コンニチワ", "koɲɲiʨiβa"),
            ("ティーシャツ", "tʲiːɕaʦɨ"),
            ("ゲンキ", "ɡeŋki"),
            ("フィルム", "ɸʲiɾɯmɯ"),
            ("ハンナ", "hanna"),
        ] {
            assert_eq!(sounds(kana).replace("kʲi", "ki"), sound, "{kana}");
        }
    }
}
