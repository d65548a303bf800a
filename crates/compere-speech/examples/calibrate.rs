//! Measures how loud each Kokoro voice is before its gain: the numbers in `voices/kokoro/catalogue.rs`.
#![allow(clippy::print_stdout, reason = "an example talks to its terminal")]

use compere_speech::{Kind, NoCache, Script, Voices, sound::loudness, speak};
use std::ops::ControlFlow;
use std::path::Path;

const PAGES: [(&str, &str); 6] = [
    (
        "en",
        "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background, and wait for an hour.",
    ),
    (
        "es",
        "El sol sale por el este cada mañana. Los niños juegan en el parque con sus amigos, y todos están contentos.",
    ),
    (
        "fr",
        "Le soleil se lève à l'est chaque matin. Les enfants jouent dans le parc avec leurs amis, et tout le monde est content.",
    ),
    ("it", "Il sole sorge a est ogni mattina. I bambini giocano nel parco con i loro amici, e tutti sono contenti."),
    (
        "pt",
        "O sol nasce no leste todas as manhãs. As crianças brincam no parque com os amigos, e todos estão contentes.",
    ),
    ("hi", "सूरज हर सुबह पूरब में निकलता है। बच्चे अपने दोस्तों के साथ पार्क में खेलते हैं।"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let assets = std::env::args().nth(1).unwrap_or_else(|| "assets".into());
    let voices = Voices::open(Path::new(&assets), 1);
    for info in voices.list().iter().filter(|info| info.kind == Kind::Kokoro) {
        let Some((_, page)) = PAGES.iter().find(|(language, _)| info.language.starts_with(language)) else { continue };
        let voice = voices.get(&info.id)?;
        let spoken = speak(&Script::plain(*page), &*voice, &NoCache, &mut |_| ControlFlow::Continue(()), 2)?;
        let sound = &spoken.utterance.sound;
        let heard = loudness::loudness(sound.samples()).unwrap_or(loudness::TARGET);
        println!("{} {heard:.1} {:.2}", info.id, sound.peak());
    }
    Ok(())
}
