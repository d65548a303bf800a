//! Scenes, scripts and backgrounds.

use serde_json::{Value, json};

use super::{Book, KEPT, Section, WORKS, admin, frame, given_back, with};
use crate::house::scene;

fn film() -> Value {
    json!({ "name": "fields", "resolution": 480, "isExport": false, "scenes": [scene()] })
}

pub fn books() -> Vec<Section> {
    vec![|| vec![of_scenes()], || vec![of_scripts()], || vec![of_voices()], || vec![of_backgrounds()]]
}

fn of_scenes() -> Book {
    let (client, mut book) = (admin(), Book::of("Scene"));
    let plain = film();
    let first = frame(&client, &plain, 0.5);
    let marked = with(&plain, "/scenes/0/watermark", json!(true));
    assert_ne!(frame(&client, &marked, 0.5), first);
    book.note(WORKS, &["watermark"]);
    let bare = with(&plain, "/scenes/0/clips", json!([]));
    assert_ne!(frame(&client, &bare, 0.5), first);
    book.note(WORKS, &["clips"]);
    let other = with(&plain, "/scenes/0/background/source_color", json!("rgb(200,0,0)"));
    assert_ne!(frame(&client, &other, 0.5), first);
    book.note(WORKS, &["background"]);
    let silent = with(&plain, "/scenes/0/scripts/0/org", json!(""));
    let lasts = |body: &Value| {
        let mut body = body.clone();
        body["scenes"][0].as_object_mut().expect("a scene").remove("duration");
        client.post("/api/odin/v3/editor/estimate", body).data()["duration"].clone()
    };
    assert_ne!(lasts(&silent), lasts(&plain));
    book.note(WORKS, &["scripts"]);
    let numbered = with(&plain, "/scenes/0/sceneIdx", json!(7));
    let id = client.draft(numbered);
    let edit = json!({ "updates": [{ "sceneIdx": 7, "type": "textImage", "values": { "text": "Seventh" } }], "isExport": false });
    client.post(&format!("/api/odin/v3/editor/project/{id}"), edit).data();
    assert_eq!(given_back(&client, &id)["scenes"][0]["clips"][0]["text"], "Seventh");
    book.note(WORKS, &["sceneIdx"]);
    let pictured = with(&plain, "/scenes/0/thumbnailUrl", json!("https://example.com/thumb.png"));
    let id = client.draft(pictured.clone());
    assert_eq!(given_back(&client, &id)["scenes"][0]["thumbnailUrl"], pictured["scenes"][0]["thumbnailUrl"]);
    assert_eq!(frame(&client, &pictured, 0.5), first);
    book.note(KEPT, &["thumbnailUrl"]);
    book
}

/// Seconds that it is said in.
fn length(body: Value) -> f64 {
    admin().post("/api/odin/v3/editor/estimate", body).data()["duration"].as_f64().expect("a length")
}

fn spoken() -> Value {
    let mut body = film();
    body["scenes"][0].as_object_mut().expect("a scene").remove("duration");
    body
}

fn of_scripts() -> Book {
    let (client, mut book) = (admin(), Book::of("Script"));
    let plain = spoken();
    let longer = with(&plain, "/scenes/0/scripts/0/org", json!("Hello there, this takes a good deal longer to say."));
    assert!(length(longer) > length(plain.clone()) + 1.0);
    book.note(WORKS, &["org"]);
    let refused = |at: &str, value: Value| {
        let body = with(&plain, &format!("/scenes/0/scripts/0/{at}"), value);
        let reply = client.post("/api/odin/v3/editor/project", body);
        (reply.status, reply.json()["error"]["code"].as_i64())
    };
    assert_eq!(refused("isTTS", json!(false)), (400, Some(4001)), "its `tts` would have to be null");
    assert_eq!(refused("tts", json!({ "voice": "nobody" })), (400, Some(4005)));
    assert_eq!(refused("modelId", json!("nobody")), (400, Some(4003)));
    assert_eq!(refused("clothId", json!("nora/armour")), (400, Some(4004)));
    let own = with(&with(&plain, "/scenes/0/scripts/0/isTTS", json!(false)), "/scenes/0/scripts/0/tts", Value::Null);
    assert!(length(own) > 0.0);
    book.note(WORKS, &["isTTS", "tts", "modelId", "clothId"]);
    // Another presenter's clip is a contradiction.
    let mut wrong = plain.clone();
    let model = json!({ "ai_name": "david", "emotion": "david/suit" });
    let clip = json!({ "id": "p", "type": "aiModel", "layer": 2, "left": 0, "top": 0, "width": 400, "height": 500, "model": model });
    wrong["scenes"][0]["clips"].as_array_mut().expect("clips").push(clip);
    client.post("/api/odin/v3/editor/project", wrong).fails(400, 4002);
    book
}

fn of_voices() -> Book {
    let (client, mut book) = (admin(), Book::of("tts"));
    let saying = |tts: Value| with(&spoken(), "/scenes/0/scripts/0/tts", tts);
    let refused = |tts: Value| client.post("/api/odin/v3/editor/project", saying(tts)).fails(400, 4005);
    refused(json!({ "type": "deepbrainai", "model": "nobody", "language": "en" }));
    client.draft(saying(json!({ "type": "deepbrainai", "model": "tone", "language": "en" })));
    book.note(WORKS, &["model"]);
    let id = client.draft(saying(json!({ "type": "google", "model": "tone" })));
    assert_eq!(given_back(&client, &id)["scenes"][0]["scripts"][0]["tts"]["type"], "google");
    book.note(KEPT, &["type"]);
    // A language that is plainly another than the text's has to be meant.
    let german = |tts: Value| {
        let text =
            "Guten Morgen, meine Damen und Herren, heute ist ein schöner Tag und die Sonne scheint über dem Wald.";
        with(&saying(tts), "/scenes/0/scripts/0/org", json!(text))
    };
    client.post("/api/odin/v3/editor/project", german(json!({ "voice": "espeak-en-us" }))).fails(400, 4001);
    client.draft(german(json!({ "voice": "espeak-en-us", "language": "en-US" })));
    book.note(WORKS, &["language"]);
    book
}

fn of_backgrounds() -> Book {
    let (client, mut book) = (admin(), Book::of("Background"));
    let plain = film();
    let (at, first) = ("/scenes/0/background", frame(&client, &plain, 0.5));
    let set = |key: &str, value: Value| with(&plain, &format!("{at}/{key}"), value);
    assert_ne!(frame(&client, &set("source_color", json!("rgb(0,90,0)")), 0.5), first);
    let picture =
        with(&set("source_type", json!("image")), &format!("{at}/source_url"), json!("/images/background/paper.png"));
    let pictured = frame(&client, &picture, 0.5);
    assert_ne!(pictured, first);
    let foreign = with(&picture, &format!("{at}/source_url"), json!("/images/background/bg_blue_gradient.png"));
    assert_ne!(frame(&client, &foreign, 0.5), pictured);
    let told = client.post("/api/odin/v3/editor/project", foreign).data();
    assert!(told["warnings"].to_string().contains("source_url"), "{told}");
    assert_eq!(frame(&client, &with(&picture, &format!("{at}/source_type"), json!("color")), 0.5), first);
    book.note(WORKS, &["source_color", "source_type"]);
    book.note(super::DIFFERS, &["source_url"]);
    for (key, value) in [("id", json!("bg-7")), ("type", json!("background"))] {
        let changed = set(key, value.clone());
        assert_eq!(frame(&client, &changed, 0.5), first, "{key}");
        assert_eq!(given_back(&client, &client.draft(changed))["scenes"][0]["background"][key], value);
        book.note(KEPT, &[key]);
    }
    book
}
