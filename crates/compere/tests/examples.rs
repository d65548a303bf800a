//! The films of `examples/`: each is a body that the service takes, and together they show the whole cast.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use compere_avatar::{Cast, Design};
use compere_house::catalogue::House;
use compere_scene::{Limits, is_legacy, legacy_to_project, resolve};
use compere_speech::Voices;
use serde_json::Value;

fn examples() -> Vec<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = std::fs::read_dir(&folder).expect("the folder of examples");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("reads");
        let body = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, body)
    };
    files.into_iter().map(read).collect()
}

/// Everybody there is, whether or not their data and weights were fetched.
fn house(cast: &Cast) -> House {
    House::of(cast, &Voices::open(Path::new("no assets"), 1))
}

#[test]
fn every_example_resolves() {
    let cast = Cast::open(Path::new("no assets"));
    let house = house(&cast);
    let examples = examples();
    assert!(examples.len() >= 14, "only {} examples", examples.len());
    for (path, body) in examples {
        let project = if is_legacy(&body) {
            legacy_to_project(&body, &Limits::default(), &house, &|_| Some((1920, 1080)))
                .unwrap_or_else(|problems| panic!("{}: {problems:#?}", path.display()))
        } else {
            body
        };
        let resolved = resolve(&project, &Limits::default(), &house)
            .unwrap_or_else(|problems| panic!("{}: {problems:#?}", path.display()));
        assert!(!resolved.film.scenes.is_empty(), "{} has no scene", path.display());
    }
}

#[test]
fn the_examples_show_every_presenter() {
    let mut shown = BTreeSet::new();
    for (_, body) in examples() {
        for scene in body["scenes"].as_array().into_iter().flatten() {
            let clips = scene["clips"].as_array().into_iter().flatten();
            shown.extend(clips.filter_map(|clip| clip["model"]["ai_name"].as_str()).map(str::to_owned));
        }
    }
    for member in Cast::open(Path::new("no assets")).list() {
        let named = member.aliases.iter().any(|alias| shown.contains(alias)) || shown.contains(&member.id);
        assert!(named || member.style == compere_avatar::Style::Figure, "no example shows {}", member.name);
    }
}

/// Its film names somebody who is not there before `compere avatar design … --add`: here another stands in for her.
#[test]
fn the_designed_presenter_is_a_design_and_its_film_names_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/designed");
    let read = |name: &str| -> Value {
        let text = std::fs::read_to_string(folder.join(name)).expect("reads");
        serde_json::from_str(&text).expect("JSON")
    };
    let design = Design::read(&read("alma.json")).expect("a design");
    let film = read("film.json");
    let worn: Vec<String> = design.outfits.iter().map(|outfit| outfit.clothes.to_string()).collect();
    for scene in film["scenes"].as_array().expect("scenes") {
        let model = &scene["clips"][0]["model"];
        assert_eq!(model["ai_name"].as_str().map(str::to_lowercase), Some(design.name.to_lowercase()));
        assert!(worn.iter().any(|outfit| model["emotion"] == outfit.as_str()), "{model}");
    }
    let played = serde_json::from_str(&film.to_string().replace("\"alma\"", "\"nora\"")).expect("JSON");
    let house = house(&Cast::open(Path::new("no assets")));
    resolve(&played, &Limits::default(), &house).unwrap_or_else(|problems| panic!("{problems:#?}"));
}
