//! How much of what the lips do in a language some lines hold: pairs of neighbouring sounds.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use compere_speech::{NoCache, Script, voices::Tone};

use super::{TONGUES, Tongue};
use crate::lips::{CLASSES, class_pairs, soundings};

/// Pairs of neighbouring sounds as the lips see them.
type Pairs = BTreeSet<usize>;

/// The part of the pairs of a language's lines that some texts hold. Nothing of it where nobody here can read the language aloud.
pub fn coverage<'a>(tongue: &Tongue, texts: impl Iterator<Item = &'a str>) -> f64 {
    let lines = of_lines(tongue);
    let all: Pairs = lines.iter().flat_map(|(_, pairs)| pairs).copied().collect();
    // Most of what is said is one of the lines, which were counted before.
    let known = |text: &str| lines.iter().find(|(line, _)| *line == text).map(|(_, pairs)| pairs.clone());
    let own: Pairs = texts.flat_map(|text| known(text).unwrap_or_else(|| pairs(tongue, text))).collect();
    all.intersection(&own).count() as f64 / all.len().max(1) as f64
}

/// Each line of a language with its pairs, counted once.
fn of_lines(tongue: &Tongue) -> &'static [(&'static str, Pairs)] {
    static LINES: [OnceLock<Vec<(&str, Pairs)>>; TONGUES.len()] = [const { OnceLock::new() }; TONGUES.len()];
    let at = TONGUES.iter().position(|one| one.tag == tongue.tag).unwrap_or(0);
    LINES[at].get_or_init(|| TONGUES[at].lines().map(|line| (line, pairs(TONGUES[at], line))).collect())
}

fn pairs(tongue: &Tongue, text: &str) -> Pairs {
    if tongue.tag == Tongue::english().tag { spelled(text) } else { heard(tongue, text) }
}

/// English ones by its letters, as they have been counted since there are presenters: what was enough stays enough.
fn spelled(text: &str) -> Pairs {
    let mut on = |_| ControlFlow::Continue(());
    let spoken = compere_speech::speak(&Script::plain(text), &Tone::new(), &NoCache, &mut on, 1);
    let sounds = spoken.map(|spoken| soundings(&spoken.utterance.marks)).unwrap_or_default();
    sounds.windows(2).map(|two| usize::from(two[0].class) * CLASSES + usize::from(two[1].class)).collect()
}

fn heard(tongue: &Tongue, text: &str) -> Pairs {
    let clauses = compere_speech::sounds(text, tongue.tag).unwrap_or_default();
    class_pairs(&clauses).into_iter().map(|[one, next]| one * CLASSES + next).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::lips::is_known;

    fn of_first(tongue: &Tongue, lines: usize) -> f64 {
        coverage(tongue, tongue.lines().take(lines))
    }

    #[test]
    fn two_dozen_lines_are_enough_in_every_language_and_half_a_dozen_are_not() {
        for tongue in Tongue::all() {
            let lines: BTreeSet<&str> = tongue.lines().collect();
            assert_eq!(lines.len(), 40, "{}: forty different lines", tongue.name);
            let told = [6, 12, 20, 24, 40].map(|count| of_first(tongue, count));
            println!("{}: {told:.3?}", tongue.name);
            let enough = if tongue.tag == "en" { 0.92 } else { 0.97 };
            assert!(told[0] < 0.90 && told[3] >= enough && told[4] >= 1.0, "{}: {told:?}", tongue.name);
        }
    }

    #[test]
    fn every_sound_of_every_line_is_known_to_the_lips() {
        for tongue in Tongue::all().filter(|tongue| tongue.tag != "en") {
            let said = tongue.lines().flat_map(|line| compere_speech::sounds(line, tongue.tag).expect("sounds"));
            let sounds: BTreeSet<String> = said.flatten().collect();
            println!("{}: {}", tongue.name, sounds.iter().map(String::as_str).collect::<Vec<_>>().join(" "));
            let strange: Vec<&String> = sounds.iter().filter(|sound| !is_known(sound)).collect();
            assert!(strange.is_empty() && sounds.len() > 25, "{}: {strange:?}", tongue.name);
        }
    }

    /// For whoever changes lines: an order in which each next line holds most of what is missing, then most of what was rare so far.
    #[test]
    #[ignore = "for whoever changes lines"]
    fn ordered() {
        for tongue in Tongue::all() {
            let mut left: Vec<&(&str, Pairs)> = of_lines(tongue).iter().collect();
            let mut held: BTreeMap<usize, i32> = BTreeMap::new();
            println!("== {}", tongue.tag);
            while !left.is_empty() {
                let worth = |pair: &usize| [1.0, 0.2, 0.05].get(*held.get(pair).unwrap_or(&0) as usize).unwrap_or(&0.0);
                let gain = |line: &(&str, Pairs)| line.1.iter().map(|pair| *worth(pair)).sum::<f64>();
                let gains: Vec<f64> = left.iter().map(|line| gain(line)).collect();
                let best = (0..left.len()).fold(0, |best, at| if gains[at] > gains[best] { at } else { best });
                let line = left.remove(best);
                line.1.iter().for_each(|pair| *held.entry(*pair).or_default() += 1);
                println!("{} {:.2}\t{}", held.len(), gains[best], line.0);
            }
        }
    }
}
