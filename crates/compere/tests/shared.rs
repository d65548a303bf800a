//! Two machines of a farm with one object store: each uses what the other made.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use compere::crew::{Depot, LocalCrew, Supply, Traffic};
use compere::worker::protocol::Hello;
use compere_house::home::Home;
use compere_house::links::Links;
use compere_house::settings::Settings;
use compere_jobs::{Commission, Crew, Outcome};
use compere_media::Format;
use compere_scene::Resolution;
use compere_store::{Objects, Order, Product};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

struct Machine {
    data: PathBuf,
    crew: LocalCrew,
    depot: Option<Depot>,
}

/// A film, and how much of it had to be drawn.
struct Film {
    bytes: Vec<u8>,
    frames: u64,
    drawn: u64,
}

impl Machine {
    fn new(data: PathBuf, objects: &Objects, shares: bool) -> Self {
        std::fs::create_dir_all(&data).expect("a folder");
        let assets = std::env::var("COMPERE_ASSETS")
            .map_or_else(|_| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from);
        let home = Home { assets, data: data.clone() };
        let hello = Hello {
            assets: home.assets.clone(),
            data: data.clone(),
            settings: Settings::default(),
            base_url: "http://box:7300".into(),
            films: true,
            yields: false,
            shares: false,
        };
        let depot = shares.then(|| Depot::open(&home, objects.clone()));
        let supply = Supply::new(Links::new("secret", hello.base_url.clone(), 7), objects.clone());
        let supply = match &depot {
            Some(depot) => supply.with(depot.clone()),
            None => supply,
        };
        let binary = PathBuf::from(env!("CARGO_BIN_EXE_compere"));
        let crew = LocalCrew::of_binary(binary, &home, 1, hello, supply).expect("a crew");
        Self { data, crew, depot }
    }

    async fn make(&self, export: &str, snapshot: Value) -> Film {
        let order = Order { name: "Shared".to_owned(), resolution: Resolution::P480, format: Format::Mp4, snapshot };
        let commission =
            Commission { export: export.to_owned(), account: "somebody".to_owned(), fence: 1, order, longest: 600.0 };
        let (headway, _heard) = mpsc::channel(8);
        let (_stop, stopping) = watch::channel(false);
        let made = match self.crew.make(commission, headway, stopping).await {
            Outcome::Made(made) => made,
            other => panic!("{export}: {other:?}"),
        };
        let film = made.files.iter().find(|(product, _)| *product == Product::Film).expect("a film");
        let cut = &made.made.cut;
        Film { bytes: std::fs::read(&film.1).expect("reads"), frames: cut.frames, drawn: cut.drawn_frames }
    }

    /// What lies in the cache and is no mere note, by shelf.
    fn cached(&self) -> BTreeSet<String> {
        let files = |shelf: &'static str| {
            let entries = std::fs::read_dir(self.data.join("cache").join(shelf)).expect("a shelf");
            let entries = entries.map(|entry| entry.expect("an entry"));
            let some = entries.filter(|entry| entry.metadata().is_ok_and(|meta| meta.len() > 0));
            some.map(move |entry| format!("{shelf}/{}", entry.file_name().display()))
        };
        ["speech", "segment", "pack", "sound"].into_iter().flat_map(files).collect()
    }

    fn traffic(&self) -> Traffic {
        self.depot.as_ref().map(Depot::traffic).unwrap_or_default()
    }

    /// Waits until all that was made here is where others find it.
    async fn sent(&self, made: usize) {
        for _ in 0..1000 {
            if self.traffic().kept >= made as u64 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{made} things were made, and {:?}", self.traffic());
    }
}

fn objects(dir: &Path) -> Objects {
    Objects::folder(&dir.join("objects")).expect("opens")
}

/// Three scenes with two sentences each, of which one is said otherwise.
fn project(middle: &str) -> Value {
    let scene = |number: usize, text: String| {
        json!({
            "sceneIdx": number,
            "scripts": [{"org": text, "isTTS": true, "tts": {"voice": "tone"}, "modelId": "figure",
                         "clothId": "figure/plain"}],
            "background": {"id": "background", "type": "background",
                           "source_color": format!("rgb({},60,80)", 40 + 20 * number)},
            "clips": [{"id": "who", "type": "aiModel", "layer": 2, "left": 1200, "top": 180, "width": 600,
                       "height": 900, "model": {"ai_name": "figure", "emotion": "figure/plain"}}],
        })
    };
    json!({"name": "Shared", "orientation": "landscape", "scenes": [
        scene(0, "Good morning everybody. Welcome to the first part.".to_owned()),
        scene(1, format!("This is the middle. {middle}")),
        scene(2, "And here it ends. Thank you all for listening.".to_owned()),
    ]})
}

fn count(files: &BTreeSet<String>, shelf: &str) -> usize {
    files.iter().filter(|file| file.starts_with(shelf)).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edited_film_costs_another_machine_what_was_edited() {
    let dir = tempfile::tempdir().expect("a folder");
    let objects = objects(dir.path());
    let first = Machine::new(dir.path().join("a"), &objects, true);
    let begun = first.make("a1", project("It has two sentences.")).await;
    assert_eq!(begun.drawn, begun.frames, "nobody made any of it before");
    let made = first.cached();
    assert_eq!((count(&made, "speech"), count(&made, "sound")), (6, 2), "a stretch and the whole: {made:?}");
    first.sent(made.len()).await;
    assert_eq!(first.traffic(), Traffic { fetched: 0, kept: made.len() as u64 }, "each once");

    let second = Machine::new(dir.path().join("b"), &objects, true);
    let edited = second.make("b1", project("Now it says something quite different.")).await;
    let there = second.cached();
    let new: BTreeSet<String> = there.difference(&made).cloned().collect();
    assert_eq!(count(&new, "speech"), 1, "{new:?}");
    assert_eq!(count(&new, "segment"), 1, "the one scene is one piece: {new:?}");
    assert!(edited.drawn > 0 && edited.drawn < edited.frames / 2, "{} of {}", edited.drawn, edited.frames);
    second.sent(new.len()).await;
    let fetched = (there.len() - new.len()) as u64;
    assert_eq!(second.traffic(), Traffic { fetched, kept: new.len() as u64 }, "it made only what is new");

    // The same film by a machine that knows nobody, and by one that finds all of it.
    let alone = Machine::new(dir.path().join("c"), &objects, false);
    let anew = alone.make("c1", project("Now it says something quite different.")).await;
    assert_eq!(anew.drawn, anew.frames);
    assert!(anew.bytes == edited.bytes, "the same bytes, whoever made which part");
    let third = Machine::new(dir.path().join("d"), &objects, true);
    let found = third.make("d1", project("Now it says something quite different.")).await;
    assert_eq!((found.drawn, third.traffic().kept), (0, 0));
    assert!(found.bytes == edited.bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_keeps_nothing_costs_no_film() {
    let dir = tempfile::tempdir().expect("a folder");
    let objects = objects(dir.path());
    // Where the folder would be.
    std::fs::write(dir.path().join("objects/cache"), "in the way").expect("writes");
    let machine = Machine::new(dir.path().join("a"), &objects, true);
    let film = machine.make("a1", project("It has two sentences.")).await;
    assert_eq!(film.drawn, film.frames);
    assert_eq!(machine.traffic(), Traffic::default());
    let again = machine.make("a2", project("It has two sentences.")).await;
    assert_eq!(again.drawn, 0, "its own cache is as before");
}
