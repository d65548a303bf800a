//! One text, one presenter.

use std::sync::Arc;

use compere_house::settings::Settings;
use compere_office::tidy;
use compere_store::{Clock, Objects, SystemClock, TestClock};
use serde_json::{Value, json};

use crate::house::{Client, admin, open, send};

fn request(text: &str) -> Value {
    json!({ "language": "en", "text": text, "model": "nora", "clothes": "nora/blazer" })
}

#[test]
fn a_presenter_on_green() {
    let client = admin();
    let mut body = request("Hi.");
    body["resolution"] = json!(480);
    body["uppercut"] = json!(50);
    body["locale"] = json!("zh");
    let reply = client.post("/api/odin/simple/video", body);
    let key = reply.json()["key"].as_str().expect("a key at the top").to_owned();
    assert_eq!(reply.data()["key"], json!(key), "and inside");
    assert_eq!(client.wait(&key)["data"]["state"], json!("exported"));
    let older = client.get(&format!("/api/odin/editor/progress/{key}")).json();
    assert_eq!((&older["progress"], &older["data"]["progress"]), (&json!(100), &json!(100)));
    assert_eq!(
        (&older["videoUrl"], &older["data"]["url"]),
        (&older["data"]["downloadUrl"], &older["data"]["downloadUrl"])
    );
    let found = client.post(&format!("/api/odin/simple/find/{key}"), json!({})).json();
    assert_eq!((&found["key"], &found["videoUrl"]), (&json!(key), &older["videoUrl"]));
}

#[test]
fn a_voice_alone_is_a_wav() {
    let client = admin();
    let mut body = request("Good morning.");
    body.as_object_mut().expect("a body").remove("clothes");
    let key = client.post("/api/odin/simple/audio", body).json()["key"].as_str().expect("a key").to_owned();
    let data = client.wait(&key)["data"].clone();
    let url = data["downloadUrl"].as_str().expect("an address");
    assert!(url.ends_with(".wav"), "{url}");
    let sound = send("GET", url, &[], None);
    assert_eq!((sound.header("content-type"), &sound.bytes[..4]), ("audio/wav", &b"RIFF"[..]));
    assert_eq!(u32::from_le_bytes(sound.bytes[24..28].try_into().expect("four bytes")), 48_000);
}

#[test]
fn the_latest_form_is_exported_unless_it_says_otherwise() {
    let client = admin();
    let made = |body| {
        let data = client.post("/api/odin/v3/simple/video", body).data();
        let id = data["projectId"].as_str().expect("an id").to_owned();
        client.get(&format!("/api/odin/v3/editor/progress/{id}")).data()
    };
    // Published clients leave it out and poll until 100.
    assert_ne!(made(request("Hi."))["state"], json!("draft"));
    let mut stored = request("Hi.");
    stored["isExport"] = json!(false);
    let draft = made(stored);
    assert_eq!(draft["state"], json!("draft"));
    let note = draft["note"].as_str().expect("what would start it");
    assert!(note.contains("/editor/project/export"), "{note}");
}

#[test]
fn the_latest_audio_answers_at_once_with_the_times_of_words() {
    let client = admin();
    let data = client.post("/api/odin/v3/simple/audio", request("Good morning everybody.")).data();
    assert!(data["fileName"].as_str().is_some_and(|name| name.ends_with(".wav")), "{data}");
    assert!(data["metaList"].as_array().is_some_and(|words| words.len() == 3), "{data}");
    let sound = send("GET", data["downloadUrl"].as_str().expect("an address"), &[], None);
    assert_eq!(&sound.bytes[..4], b"RIFF");
}

#[test]
fn speech_of_past_days_is_cleared_away() {
    // A house of its own: speech that other tests have just asked for must not go.
    let (house, mut child) = open("welcome = false\nworkers = 1\n", "speech");
    let client = Client::new(&house, &house.app_id, &house.user_key);
    let data = client.post("/api/odin/v3/simple/audio", request("Only for today.")).data();
    let url = data["downloadUrl"].as_str().expect("an address").to_owned();
    let objects = Objects::folder(&house.data.join("objects")).expect("it opens");
    let now = SystemClock.now();
    let tidied = |days: i64| {
        let clock = Arc::new(TestClock::at(now + days * 86_400_000));
        let days = Settings::default().keep_exports;
        house.records_at(clock, async |store| tidy(&store, &objects, days).await.expect("tidies"))
    };
    assert_eq!(tidied(29), 0);
    assert_eq!(send("HEAD", &url, &[], None).status, 200);
    assert_eq!(tidied(31), 1);
    assert_eq!(send("HEAD", &url, &[], None).status, 404);
    assert_eq!(client.get("/api/odin/v3/assets").data(), json!([]));
    child.kill().expect("it ends");
    let _ = child.wait();
}

#[test]
fn what_is_wrong_is_said_in_the_words_of_the_request() {
    let client = admin();
    let error = client.post("/api/odin/simple/video", json!({ "uppercut": 200, "webhook": "x" })).fails(400, 4001);
    let paths: Vec<&str> =
        error["details"].as_array().expect("details").iter().filter_map(|one| one["path"].as_str()).collect();
    for path in ["language", "text", "model", "clothes", "uppercut", "webhook"] {
        assert!(paths.contains(&path), "{path} is not in {paths:?}");
    }
    let reply = client.post("/api/odin/simple/video", json!({}));
    assert!(reply.json()["msg"].is_string(), "the older generation reads it at the top");
    let mut body = request("Hello.");
    body["model"] = json!("nobody");
    client.post("/api/odin/simple/audio", body).fails(400, 4003);
    let mut body = request("Hello.");
    body["language"] = json!("tlh");
    let error = client.post("/api/odin/simple/video", body).fails(400, 4001);
    assert!(error["details"][0]["path"] == json!("language"), "{error}");
}
