//! What nobody would send, and what happens then: nothing.
//!
//! Two targets. `the_document_reader` damages the text of a body; `the_resolver` damages its tree, which stays JSON and
//! therefore gets much further in: fields vanish, are swapped, doubled, renamed to other fields of the vocabulary, or
//! take values that some field somewhere gives a meaning to. That is why these are loops of our own and no
//! coverage-guided fuzzer: the code branches on names and on kinds of values, and a list of both reaches those
//! branches within seconds, where a coverage-guided search has to find `"textImage"` byte by byte; and stable Rust runs
//! it as a test. `the_resolver_is_reached` holds the list to that.
//!
//! A test run takes a fixed number of steps from a fixed seed. `COMPERE_FUZZ_SECONDS=600 cargo test --release -p
//! compere-scene --test fuzz` goes on for so long from a new seed, prints it, and on failure the body.

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

mod common;
mod mutation;

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use common::{BODIES, body};
use compere_scene::{
    ClipKind, Film, Limits, Measured, Problem, TestCatalogue, edit, edit_legacy, legacy_to_project, parts, resolve,
    simple_audio_to_project, simple_video_to_project, timeline, written,
};
use mutation::{Dice, Mutation};
use proptest::prelude::*;
use serde_json::Value;

const STEPS: u32 = 3000;

#[expect(clippy::print_stdout, reason = "the seed and the number of steps are what a long run is read for")]
/// Runs `step` over seeds: a fixed number of them, or for as long as the environment says.
fn fuzz(step: impl Fn(&mut Dice)) {
    let seconds = std::env::var("COMPERE_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let Some(seconds) = seconds else {
        (0..STEPS).for_each(|seed| step(&mut Dice(u64::from(seed))));
        return;
    };
    // A hash map's keys are random, which spares the crate a generator.
    let first = RandomState::new().hash_one(0);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut steps = 0u64;
    while Instant::now() < end {
        step(&mut Dice(first.wrapping_add(steps)));
        steps += 1;
    }
    println!("{steps} steps from seed {first}");
}

/// Runs a check and shows what it choked on.
fn survives(text: &str, check: impl FnOnce()) {
    let survived = catch_unwind(AssertUnwindSafe(check)).is_ok();
    assert!(survived, "this body is the end of it:\n{text}");
}

#[test]
fn the_document_reader() {
    fuzz(|dice| {
        let (_, text) = dice.pick(&BODIES);
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=dice.below(6) {
            mutation::damage(&mut bytes, dice);
        }
        let text = String::from_utf8_lossy(&bytes);
        survives(&text, || {
            let _ = parts(&text);
            if let Ok(value) = serde_json::from_str(&text) {
                check_all(&value);
            }
        });
    });
}

#[test]
fn the_resolver() {
    fuzz(|dice| {
        let (name, _) = dice.pick(&BODIES);
        let mut value = body(name);
        for _ in 0..=dice.below(4) {
            Mutation::random(dice).apply(&mut value);
        }
        survives(&value.to_string(), || check_all(&value));
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The same once more, in a form that shrinks to the one change that matters.
    #[test]
    fn damaged_bodies_are_films_or_problems(
        name in prop::sample::select(BODIES.map(|(name, _)| name).to_vec()),
        mutations in prop::collection::vec((any::<u64>(), any::<u64>()).prop_map(|(place, change)| Mutation { place, change }), 0..5),
    ) {
        let mut value = body(name);
        for mutation in &mutations {
            mutation.apply(&mut value);
        }
        check_all(&value);
    }
}

/// The resolver's loop gets everywhere: it makes films as well as problems, and nearly every field's of them.
#[test]
fn the_resolver_is_reached() {
    let (limits, catalogue) = (Limits::default(), TestCatalogue::default());
    let (mut films, mut kinds) = (0, BTreeSet::new());
    for seed in 0..2 * STEPS {
        let mut dice = Dice(u64::from(seed));
        let mut value = body(dice.pick(&["every_field", "older_form", "voices"]));
        (0..=dice.below(4)).for_each(|_| Mutation::random(&mut dice).apply(&mut value));
        match resolve(&value, &limits, &catalogue) {
            Ok(_) => films += 1,
            Err(problems) => kinds.extend(problems.iter().map(kind)),
        }
    }
    assert!(films > STEPS / 4, "{films} films");
    let known = kinds.iter().map(|kind| kind.split(' ').next()).collect::<BTreeSet<_>>().len();
    assert!(known >= 60 && kinds.len() >= 150, "{known} fields, {} kinds: {kinds:#?}", kinds.len());
}

/// The field and how its message begins.
fn kind(problem: &Problem) -> String {
    let field = problem.path.rsplit('.').next().unwrap_or_default().split('[').next().unwrap_or_default();
    let message: Vec<&str> = problem.message.split(' ').take(3).collect();
    format!("{field} {}", message.join(" "))
}

/// The value in every role that a body can have.
fn check_all(value: &Value) {
    let (limits, catalogue) = (Limits::default(), TestCatalogue::default());
    check(value);
    let measure = |url: &str| Some((url.len() as u32, 100));
    for project in [
        legacy_to_project(value, &limits, &catalogue, &measure),
        simple_video_to_project(value, &limits, &catalogue),
        simple_audio_to_project(value, &limits, &catalogue),
    ] {
        match project {
            Ok(project) => check(&project),
            Err(problems) => check_problems(&problems),
        }
    }
    for name in ["every_field", "older_form", "voices"] {
        check_edit(body(name), value);
    }
    check_edit(value.clone(), &body("updates"));
    for (mut body, updates) in [(body("legacy"), value), (value.clone(), &value["updates"])] {
        let before = body.clone();
        if let Err(problems) = edit_legacy(&mut body, updates) {
            check_problems(&problems);
            assert_eq!(body, before);
        }
    }
}

fn check_edit(mut project: Value, updates: &Value) {
    let before = project.clone();
    match edit(&mut project, updates) {
        Ok(_) => check(&project),
        Err(problems) => {
            check_problems(&problems);
            assert_eq!(project, before, "all or nothing");
        }
    }
}

fn check(project: &Value) {
    let (limits, catalogue) = (Limits::default(), TestCatalogue::default());
    let resolved = resolve(project, &limits, &catalogue);
    assert_eq!(resolved, resolve(project, &limits, &catalogue), "the same twice");
    match resolved {
        Ok(resolved) => check_film(&resolved.film),
        Err(problems) => check_problems(&problems),
    }
}

/// What the stages behind rely on.
fn check_film(film: &Film) {
    assert!(!film.scenes.is_empty());
    for scene in &film.scenes {
        assert!(scene.duration.is_none_or(|seconds| seconds > 0.0 && seconds.is_finite()));
        for clip in &scene.clips {
            let place = clip.place;
            assert!([place.left, place.top].iter().all(|side| side.abs() <= 300_000.0), "{place:?}");
            let audio = matches!(clip.kind, ClipKind::Audio(_));
            assert!(
                audio || [place.width, place.height].iter().all(|&side| side > 0.0 && side <= 100_000.0),
                "{place:?}"
            );
            assert!((0.0..360.0).contains(&place.angle), "{place:?}");
            assert!((0.0..=1.0).contains(&clip.opacity));
            if let ClipKind::Text(text) = &clip.kind {
                assert!(text.size > 0.0 && text.size <= 4000.0 && (1..=1000).contains(&text.weight));
            }
        }
        for line in &scene.lines {
            assert!(line.clip.is_none_or(|seat| matches!(scene.clips[seat].kind, ClipKind::Avatar(_))));
            let _ = written(&line.parts);
        }
    }
    let measured = Measured { lines: vec![12_345; 3], media: Some(99_999) };
    let timeline = timeline(film, &vec![measured; film.scenes.len()]);
    assert!(timeline.scenes.iter().all(|scene| scene.frames.len > 0));
}

fn check_problems(problems: &[Problem]) {
    assert!(!problems.is_empty());
    for problem in problems {
        let text = problem.to_string();
        assert!(!problem.message.is_empty() && text.len() < 2000, "{text}");
    }
}
