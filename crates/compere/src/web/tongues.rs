//! The languages of a film's lines, as its pages tell them.

use compere_office::Tongue;
use compere_speech::language_name;
use serde_json::{Value, json};

/// For scripts, with names for people.
pub fn told(tongue: &Tongue) -> Value {
    let spoken = tongue.spoken.as_ref().map(|(language, _)| language.as_str());
    let name = |tag: Option<&str>| tag.map(language_name).map(str::to_owned);
    json!({
        "path": tongue.path, "scene": tongue.scene,
        "written": tongue.written, "writtenName": name(tongue.written),
        "spoken": spoken, "spokenName": name(spoken), "by": tongue.spoken.as_ref().map(|(_, by)| by.as_str()),
        "expected": tongue.expected, "expectedName": name(tongue.expected.as_deref()),
        "clash": tongue.clash.is_some(),
    })
}

/// The languages of a film's captions as tags, the one with most words first.
pub fn of_captions(tongues: &[Tongue]) -> Vec<String> {
    let mut shares: Vec<(String, usize)> = Vec::new();
    for tongue in tongues {
        let spoken = tongue.spoken.as_ref().map(|(language, _)| language.clone());
        let Some(language) = tongue.written.map(str::to_owned).or(spoken) else { continue };
        let primary = language.split('-').next().unwrap_or(&language).to_owned();
        match shares.iter_mut().find(|(known, _)| *known == primary) {
            Some((_, letters)) => *letters += tongue.letters,
            None => shares.push((primary, tongue.letters)),
        }
    }
    shares.sort_by_key(|(_, letters)| std::cmp::Reverse(*letters));
    if shares.is_empty() { vec!["en".to_owned()] } else { shares.into_iter().map(|(language, _)| language).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_office::ToldBy;

    fn tongue(written: Option<&'static str>, spoken: Option<&str>, letters: usize) -> Tongue {
        let spoken = spoken.map(|language| (language.to_owned(), ToldBy::Voice));
        Tongue { scene: 0, path: String::new(), written, spoken, expected: None, clash: None, letters }
    }

    #[test]
    fn captions_are_in_the_language_of_most_of_their_letters() {
        let film =
            [tongue(Some("en"), None, 20), tongue(Some("ko"), Some("ko-KR"), 90), tongue(None, Some("en-GB"), 30)];
        assert_eq!(of_captions(&film), ["ko", "en"]);
        assert_eq!(of_captions(&[tongue(None, None, 9)]), ["en"], "too short to tell, and nobody said");
    }
}
