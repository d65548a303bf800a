//! Presenters of a model file, through the API: a licence instead of a consent, files that are no models, a film, and nobody
//! else sees anything of it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::avatars::{Place, ROOT, delete, form, is_marked, is_withdrawn, models, path, showing, until};
use crate::house::Client;

#[path = "../../../compere-own/src/figure/made.rs"]
mod made;

/// A model that says of itself what it allows.
fn licensed() -> Vec<u8> {
    let (mut json, bytes) = made::described();
    json["extensions"] = json!({"VRMC_vrm": {"meta": {"name": "Egg", "authors": ["Ann"], "avatarPermission": "everyone",
                                                      "commercialUsage": "corporation"}}});
    made::packed(&json, &bytes)
}

fn written(dir: &Path, bytes: &[u8]) -> PathBuf {
    let file = dir.join("egg.glb");
    std::fs::write(&file, bytes).expect("writes");
    file
}

fn missing(told: &Value) -> Vec<&str> {
    told["missing"].as_array().expect("a list").iter().filter_map(|one| one["path"].as_str()).collect()
}

/// The path that a refusal blames.
fn blamed(ada: &Client, path: &str, file: &Path, prompt: &str) -> Value {
    form(ada, path, file, &[("prompt", prompt)]).fails(400, 4001)["details"][0]["path"].clone()
}

#[test]
fn a_model_becomes_a_presenter_once_somebody_answers_for_its_licence() {
    let place = Place::open("modelled");
    let (ada, dir) = (&place.ada, place.dir.path());
    let begun = ada.post(ROOT, json!({"name": "Egg Example", "kind": "model", "gender": "male"})).data();
    assert_eq!((&begun["kind"], missing(&begun)), (&json!("model"), vec!["consent", "takes.model"]), "{begun:#}");
    let id = begun["id"].as_str().expect("an id").to_owned();
    let (takes, consent) = (format!("{}/takes", path(&id)), format!("{}/consent", path(&id)));
    place.is_nothing_to_others(&id);
    ada.post(&format!("{}/build", path(&id)), json!({})).fails(400, 4001);

    // It is made of a model and of nothing else, nobody is filmed for it, and other presenters are made of no model.
    let (egg, text) = (written(dir, &licensed()), dir.join("text"));
    std::fs::write(&text, "a text").expect("writes");
    assert_eq!(blamed(ada, &takes, &egg, "photo"), "file");
    assert_eq!(blamed(ada, &takes, &text, "model"), "file");
    form(ada, &consent, &egg, &[]).fails(400, 4001);
    let footage = ada.post(ROOT, json!({"name": "Footage"})).data()["id"].clone();
    let footage = path(footage.as_str().expect("an id"));
    assert_eq!(blamed(ada, &format!("{footage}/takes"), &egg, "model"), "prompt");
    let wrong = ada.post(&format!("{footage}/consent"), json!({"person": "A", "purpose": "b", "licensedBy": "A"}));
    assert_eq!(wrong.fails(400, 4001)["details"][0]["path"], "licensedBy");

    let wrong = ada.post(&consent, json!({"person": "Ada", "purpose": "a test"})).fails(400, 4001);
    assert_eq!(wrong["details"][0]["path"], "licensedBy");
    let stated = ada.post(&consent, json!({"licensedBy": "Ada Example"})).data();
    let licence = &stated["licence"];
    assert_eq!((&licence["licensedBy"], &licence["told"]), (&json!("Ada Example"), &Value::Null), "{stated:#}");
    assert!(licence["text"].as_str().is_some_and(|text| text.contains("commercial")), "{stated:#}");
    assert_eq!((&stated["consent"], missing(&stated)), (&Value::Null, vec!["takes.model"]));

    is_refused_what_is_no_model(&place, &id);

    form(ada, &takes, &egg, &[("prompt", "model")]).data();
    let waiting = until(ada, &id, &["refused", "waiting"]);
    assert_eq!(waiting["state"], "waiting", "{waiting:#}");
    let told = "Egg, Ann, avatarPermission everyone, commercialUsage corporation";
    assert_eq!(waiting["licence"]["told"], told, "{waiting:#}");
    form(ada, &takes, &egg, &[("prompt", "model")]).fails(409, 4090);
    assert!(!models(ada).contains(&id), "an operator has to see it first");
    place.approve(&id);
    assert_eq!(ada.get(&path(&id)).data()["state"], "ready");
    assert!(models(ada).contains(&id));
    place.is_nothing_to_others(&id);

    let portrait = ada.get(&format!("{}/portrait", path(&id)));
    assert_eq!((portrait.status, portrait.header("content-type")), (200, "image/jpeg"));
    let body = showing(&id).to_string().replace("\"footage\"", "\"model\"");
    let project = ada.create(serde_json::from_str(&body).expect("JSON"));
    let ended = ada.wait(&project);
    assert_eq!(ended["data"]["progress"], 100, "{ended:#}");
    is_marked(&place, &project, true);
    is_withdrawn(&place, &id, None);
    assert_eq!(ada.get(&path(&id)).data()["licence"], Value::Null);
    assert_eq!(delete(ada, &footage).data()["films"], json!([]));
}

/// By a child in the sandbox; its owner reads what is wrong, and another file is all it takes to go on.
fn is_refused_what_is_no_model(place: &Place, id: &str) {
    let takes = format!("{}/takes", path(id));
    let all = made::hostile();
    let some = ["nested two hundred thousand deep", "a stride beyond all memory", "nodes in a circle"];
    let forbidden = "a VRM of somebody who forbids it";
    for name in some.into_iter().chain([forbidden]) {
        let (_, file, word) = all.iter().find(|(what, ..)| *what == name).expect("such a file");
        form(&place.ada, &takes, &written(place.dir.path(), file), &[("prompt", "model")]).data();
        let refused = until(&place.ada, id, &["refused", "waiting"]);
        let finding = &refused["takes"][0]["findings"][0];
        assert!(finding["what"].as_str().is_some_and(|what| what.contains(word)), "{name}: {refused:#}");
        assert_eq!((&refused["state"], &finding["refused"]), (&json!("refused"), &json!(true)), "{refused:#}");
    }
    written(place.dir.path(), &licensed());
}
