//! The nearest of our backgrounds to one of somebody else's stock, by the words of its name.

use crate::catalogue::BackgroundEntry;

/// Where editors keep the backgrounds of their stock.
pub(super) const FOLDER: &str = "/images/background";

/// Which of our words stand for those of other stocks. Ours themselves need no line.
const MEANT: [(&[&str], &[&str]); 16] = [
    (&["navy", "sky", "sea", "ocean", "cyan", "aqua", "cobalt", "teal"], &["blue"]),
    (&["purple", "violet", "lilac", "magenta", "lavender"], &["violet"]),
    (&["red", "orange", "yellow", "pink", "peach", "beige", "brown", "coral", "cream", "sunset", "sunrise"], &["warm"]),
    (&["gold", "golden", "party", "festive", "christmas", "birthday"], &["gold", "celebration"]),
    (&["black", "night", "midnight"], &["dark"]),
    (&["grey", "gray", "silver", "plain", "clean", "simple", "minimal", "bright"], &["white", "light"]),
    (&["meeting", "conference", "lobby", "workplace", "workspace", "corporate", "company"], &["office", "business"]),
    (&["school", "class", "classroom", "education", "lecture", "study", "book", "books"], &["library", "training"]),
    (&["house", "livingroom", "sofa", "interior", "bedroom", "kitchen", "cafe"], &["home", "room"]),
    (&["newsroom", "broadcast", "tv", "anchor", "breaking"], &["news"]),
    (&["building", "buildings", "skyline", "urban", "street", "downtown"], &["city"]),
    (
        &["tech", "technology", "digital", "network", "data", "cyber", "line", "lines", "shape", "shapes"],
        &["geometric"],
    ),
    (&["grad", "blur", "blurred", "mesh"], &["gradient"]),
    (&["window", "morning", "day", "sunny"], &["daylight"]),
    (&["wave", "wavy", "curve", "curves"], &["waves", "abstract"]),
    (&["texture", "wall", "wood", "concrete", "marble", "kraft"], &["texture", "paper"]),
];

/// Words that say what a picture is of.
const PLACES: [&str; 10] =
    ["office", "library", "home", "news", "city", "stage", "gradient", "geometric", "waves", "paper"];

/// What is shown for a name that says nothing: light, quiet, and no room that somebody would have to be in.
const PLAIN: [&str; 2] = ["gradient", "white"];

/// The one with the most words in common; the first of several.
pub(super) fn nearest_background<'c>(address: &str, ours: &'c [BackgroundEntry]) -> Option<&'c str> {
    let asked = words(address);
    let upright = asked.iter().any(|word| word == "portrait" || word == "vertical");
    let best = best_of(&asked, upright, ours).or_else(|| best_of(&PLAIN.map(str::to_owned), upright, ours));
    best.or(ours.first()).map(|entry| entry.path.as_str())
}

fn best_of<'c>(asked: &[String], upright: bool, ours: &'c [BackgroundEntry]) -> Option<&'c BackgroundEntry> {
    let score = |entry: &BackgroundEntry| {
        let shared = asked.iter().filter(|word| entry.words.contains(word)).count();
        let fits = usize::from(entry.words.iter().any(|word| word == "portrait") == upright);
        // What it is of weighs more than how it looks, and a colour alone is a plain colour.
        let of = asked.iter().filter(|word| PLACES.contains(&word.as_str()) && entry.words.contains(word)).count();
        let plain = usize::from(asked.len() == shared && entry.words.iter().any(|word| word == "gradient"));
        (shared > 0).then_some(4 * shared + 6 * of + 2 * plain + fits)
    };
    let scored = ours.iter().filter_map(|entry| Some((score(entry)?, entry)));
    // `max_by_key` would take the last.
    scored.rev().max_by_key(|(score, _)| *score).map(|(_, entry)| entry)
}

/// The words of a file's name, and what they stand for with us.
fn words(address: &str) -> Vec<String> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let name = path.strip_prefix(FOLDER).unwrap_or(path);
    let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
    let mut words: Vec<String> = Vec::new();
    for word in split(name) {
        let meant = MEANT.iter().filter(|(theirs, _)| theirs.contains(&word.as_str()));
        let meant: Vec<String> = meant.flat_map(|(_, ours)| ours.iter().map(|&word| word.to_owned())).collect();
        for word in std::iter::once(word).chain(meant) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}

/// `bg_BlueGradient02` is `bg`, `blue`, `gradient`.
fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        if !character.is_alphabetic() || (character.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = character.is_lowercase();
        if character.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| word.len() > 1);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours() -> Vec<BackgroundEntry> {
        let entry = |name: &str, words: &str| BackgroundEntry {
            path: format!("/images/background/{name}.png"),
            words: words.split(' ').map(str::to_owned).collect(),
        };
        vec![
            entry("office", "office room business daylight"),
            entry("office-portrait", "office room business daylight portrait"),
            entry("gradient-ocean", "gradient ocean blue dark"),
            entry("gradient-pearl", "gradient pearl white light"),
            entry("news-desk", "news desk dark blue"),
            entry("studio-warm", "studio warm light"),
        ]
    }

    #[test]
    fn names_are_read_word_by_word() {
        for (address, near) in [
            ("/images/background/bg_blue_gradient.png", "gradient-ocean"),
            ("/images/background/BlueGradient02.png", "gradient-ocean"),
            ("/images/background/meetingRoom.jpg?v=2", "office"),
            ("/images/background/office_portrait_3.png", "office-portrait"),
            ("/static/bg/newsroom-01.png", "news-desk"),
            ("/images/background/Orange.png", "studio-warm"),
            ("/images/background/news_studio_blue.png", "news-desk"),
            ("/images/background/Blue.png", "gradient-ocean"),
            ("/images/background/a81bc81b.png", "gradient-pearl"),
        ] {
            let ours = ours();
            let found = nearest_background(address, &ours).unwrap();
            assert_eq!(found, format!("/images/background/{near}.png"), "{address}: {:?}", words(address));
        }
        assert_eq!(nearest_background("/a.png", &[]), None);
    }
}
