//! Texts that become films.

use compere_media::Orientation;
use compere_scene::{Limits, TestCatalogue, resolve};
use compere_story::{Look, Outline, Presenter, project, storyboard};

const TEXT: &str = "# How we deal with customers' data\n\nWelcome. This takes two minutes.\n\n## Three rules\n\n\
                    These hold for everybody, wherever they work.\n\n- Ask before you collect\n- Keep it only as long as you need it\n\
                    - Say so when something went wrong\n\n## Questions\n\nWrite to Kim & Sons <kim@example.com>.\n";

#[test]
fn every_text_makes_a_film_that_shows_all_of_itself() {
    let presenter = Presenter { model: "ada".to_owned(), cloth: "navy".to_owned(), ..Presenter::default() };
    for orientation in [Orientation::Landscape, Orientation::Portrait] {
        for (category, unseen) in [("business", false), ("education", true), ("social", false)] {
            let presenter = Presenter { unseen, ..presenter.clone() };
            let board = storyboard(&Outline::read(TEXT));
            let body = project("Data", &board, orientation, &presenter, &Look::of(category));
            let resolved = resolve(&body, &Limits::default(), &TestCatalogue::default()).expect("a right body");
            assert_eq!(resolved.warnings, [], "everything is on the canvas");
            assert_eq!(resolved.film.scenes.len(), 3);
            assert_eq!(resolved.film.scenes[2].lines[0].text(), "Write to Kim & Sons <kim@example.com>.");
        }
    }
}

#[test]
fn points_come_when_they_are_said() {
    let presenter = Presenter { model: "ada".to_owned(), cloth: "navy".to_owned(), ..Presenter::default() };
    let board = storyboard(&Outline::read(TEXT));
    let body = project("Data", &board, Orientation::Landscape, &presenter, &Look::of(""));
    let clips = body["scenes"][1]["clips"].as_array().expect("clips");
    let delays: Vec<u64> = clips
        .iter()
        .filter(|clip| clip["tag"] == "point")
        .filter_map(|clip| clip["animation"]["delay"].as_u64())
        .collect();
    assert_eq!(delays.len(), 3);
    assert!(delays[0] >= 2 && delays.is_sorted() && delays[2] > delays[0], "{delays:?}");
}
