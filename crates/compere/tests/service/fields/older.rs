//! The generation before (1.4.x), and its simple requests.

use serde_json::{Value, json};

use super::{Book, DIFFERS, KEPT, Section, WORKS, admin, drop_export, frame, given_back, with};
use crate::house::{Client, send};

const PROJECT: &str = "/api/odin/editor/project";

pub fn books() -> Vec<Section> {
    vec![
        || vec![create()],
        || vec![models()],
        || vec![clips()],
        || vec![read()],
        || vec![edit()],
        || vec![duplicate()],
        || vec![scenes()],
        || vec![progress()],
        || vec![simple_video()],
        || vec![simple_audio()],
        || vec![find()],
    ]
}

fn scene() -> Value {
    json!({
        "AIModel": { "model": "figure", "clothes": "plain", "language": "en", "script": "Hi.", "locationX": 0.2, "locationY": 0 },
        "clips": [
            { "type": "text", "detail": { "textSource": "Hello", "locationX": -0.2, "locationY": -0.3, "font": "Noto Sans" } },
            { "type": "image", "detail": { "url": "/images/background/paper.png", "locationX": -0.3, "locationY": 0.2, "scale": 0.4 } },
            { "type": "background", "detail": { "url": "/images/background/studio-daylight.png" } },
        ],
    })
}

fn body() -> Value {
    json!({ "projectName": "older fields", "scenes": [scene()], "isExport": false, "resolution": "480" })
}

fn made(client: &Client, body: &Value) -> String {
    client.post(PROJECT, body.clone()).json()["key"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned()
}

/// The first scene as it looks.
fn seen(client: &Client, body: &Value) -> Vec<u8> {
    let key = made(client, body);
    let film = given_back(client, &key);
    frame(
        client,
        &json!({ "name": "older", "orientation": film["orientation"], "scenes": film["scenes"], "resolution": 480 }),
        0.5,
    )
}

fn create() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /api/odin/editor/project"));
    let named = client.get(&format!("{PROJECT}/{}", made(&client, &body()))).json();
    assert_eq!(named["response"]["projectName"], "older fields");
    client.post(PROJECT, with(&body(), "/scenes", json!([]))).fails(400, 4001);
    client.post(PROJECT, with(&body(), "/webhook", json!("http://10.0.0.7/"))).fails(400, 4001);
    client.post(PROJECT, with(&body(), "/resolution", json!("9000"))).fails(400, 4001);
    book.note(WORKS, &["projectName", "scenes", "webhook", "resolution"]);
    let exported = client.post(PROJECT, with(&body(), "/isExport", json!(true))).json();
    assert_eq!((&exported["cube_used"], &exported["data"]["cube_used"]), (&json!(1), &json!(1)));
    drop_export(exported["key"].as_str().expect("a key"));
    book.answers(&exported, &["success", "cube_used", "key"]);
    book
}

fn models() -> Book {
    let (client, mut book) = (admin(), Book::of("AIModel"));
    let at = |key: &str, value: Value| with(&body(), &format!("/scenes/0/AIModel/{key}"), value);
    let first = seen(&client, &body());
    for (key, value) in
        [("scale", json!(0.5)), ("locationX", json!(-0.3)), ("locationY", json!(0.3)), ("layer", json!(600))]
    {
        let changed = match key {
            // In front of a text that would hide it.
            "layer" => {
                let over = with(&body(), "/scenes/0/clips/0/detail/locationX", json!(0.2));
                let over = with(
                    &with(&over, "/scenes/0/clips/0/detail/locationY", json!(0.1)),
                    "/scenes/0/clips/0/detail/textSource",
                    json!("HELLO HELLO"),
                );
                assert_ne!(seen(&client, &with(&over, "/scenes/0/AIModel/layer", value)), seen(&client, &over));
                book.note(WORKS, &[key]);
                continue;
            }
            _ => at(key, value),
        };
        assert_ne!(seen(&client, &changed), first, "{key} changes nothing");
        book.note(WORKS, &[key]);
    }
    for (key, value, code) in [("model", "nobody", 4003), ("clothes", "armour", 4004)] {
        client.post(PROJECT, at(key, json!(value))).fails(400, code);
        book.note(WORKS, &[key]);
    }
    let said = given_back(&client, &made(&client, &at("script", json!("Another."))))["scenes"][0]["scripts"][0].clone();
    assert_eq!(said["org"], "Another.");
    client.post(PROJECT, at("script", Value::Null)).fails(400, 4001);
    client.post(PROJECT, at("language", json!("tlh"))).fails(400, 4001);
    book.note(WORKS, &["script", "language"]);
    book
}

fn clips() -> Book {
    let (client, mut book) = (admin(), Book::of("Clips of 1.4.x"));
    let first = seen(&client, &body());
    let at =
        |clip: usize, key: &str, value: Value| with(&body(), &format!("/scenes/0/clips/{clip}/detail/{key}"), value);
    for (clip, key, value) in [
        (1, "url", json!("/images/background/gradient-plum.png")),
        (1, "scale", json!(0.8)),
        (1, "locationX", json!(0.1)),
        (1, "locationY", json!(-0.1)),
        (0, "textSource", json!("Other")),
        (0, "font", json!("Noto Serif")),
    ] {
        assert_ne!(seen(&client, &at(clip, key, value)), first, "{key} changes nothing");
        book.note(WORKS, &[&format!("detail.{key}")]);
    }
    // The picture before the presenter, and behind it.
    let over = with(&at(1, "locationX", json!(0.2)), "/scenes/0/clips/1/detail/locationY", json!(0.0));
    assert_ne!(seen(&client, &with(&over, "/scenes/0/clips/1/detail/layer", json!(100))), seen(&client, &over));
    client.post(PROJECT, with(&body(), "/scenes/0/clips/0/type", json!("hologram"))).fails(400, 4001);
    book.note(WORKS, &["type", "detail.layer"]);
    let video = json!({ "type": "userVideo", "detail": { "url": "http://127.0.0.1:9/x.mp4", "scaleX": 1, "scaleY": 1, "locationX": 0, "locationY": 0, "layer": 1 } });
    let film = given_back(&client, &made(&client, &with(&body(), "/scenes/0/clips/0", video)));
    assert!(film["scenes"][0]["clips"].to_string().contains("videoImage"), "{film}");
    book.note(WORKS, &["userVideo"]);
    book
}

fn read() -> Book {
    let (client, mut book) = (admin(), Book::of("GET /api/odin/editor/project/{key}"));
    let key = made(&client, &body());
    let answer = client.get(&format!("{PROJECT}/{key}")).json();
    book.answers(&answer, &["success", "response.projectName", "response.scenes", "msg"]);
    let by_name = client.get(&format!("{PROJECT}/name/older%20fields")).json();
    assert_eq!(by_name["response"]["projectName"], "older fields");
    book
}

fn edit() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /api/odin/editor/project/{key}"));
    let key = made(&client, &body());
    let change =
        |entry: Value| client.post(&format!("{PROJECT}/{key}"), json!({ "updates": [entry], "isExport": false }));
    let scenes = |reply: crate::house::Reply| {
        let copy = reply.json()["key"].as_str().expect("a key").to_owned();
        assert_ne!(copy, key, "a copy");
        client.get(&format!("{PROJECT}/{copy}")).json()["response"]["scenes"][0].clone()
    };
    let said = scenes(change(json!({ "sceneIdx": 0, "property": "AIModel", "values": { "script": "Three." } })));
    assert_eq!(said["AIModel"]["script"], "Three.");
    let entry = json!({ "sceneIdx": 0, "property": "clips", "clipType": "text", "clipIdx": 0, "values": { "detail": { "textSource": "Bye" } } });
    assert_eq!(scenes(change(entry.clone()))["clips"][0]["detail"]["textSource"], "Bye");
    for (key, value) in [
        ("sceneIdx", json!(9)),
        ("property", json!("curtain")),
        ("clipType", json!("hologram")),
        ("clipIdx", json!(7)),
        ("values", json!(3)),
    ] {
        change(with(&entry, &format!("/{key}"), value)).fails(400, 4001);
        book.note(WORKS, &[&format!("updates[].{key}")]);
    }
    book.answers(&change(entry).json(), &["success", "key"]);
    book
}

fn duplicate() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /api/odin/editor/project/duplicate/{key}"));
    let key = made(&client, &body());
    book.answers(&client.post(&format!("{PROJECT}/duplicate/{key}"), json!({})).json(), &["success", "projectData"]);
    book
}

fn scenes() -> Book {
    let (client, mut book) = (admin(), Book::of("POST, PUT, DELETE /api/odin/editor/scene/{key}"));
    let key = made(&client, &body());
    let path = format!("/api/odin/editor/scene/{key}");
    let count = || client.get(&format!("{PROJECT}/{key}")).json()["response"]["scenes"].as_array().map(Vec::len);
    let added = client.post(&path, json!({ "sceneIdx": 1, "scene": scene() })).json();
    assert_eq!(count(), Some(2));
    client.with("PUT", &path, &[], Some(json!({ "sceneIdx": 9, "scene": scene() }))).fails(400, 4001);
    client.with("PUT", &path, &[], Some(json!({ "sceneIdx": 0 }))).fails(400, 4001);
    client.with("DELETE", &path, &[], Some(json!({ "sceneIdx": 0 }))).data();
    assert_eq!(count(), Some(1));
    book.note(WORKS, &["sceneIdx", "scene"]);
    book.answers(&added, &["success", "msg"]);
    book
}

fn progress() -> Book {
    let (client, mut book) = (admin(), Book::of("GET /api/odin/editor/progress/{key}"));
    let key = made(&client, &with(&body(), "/isExport", json!(true)));
    client.wait(&key);
    let answer = client.get(&format!("/api/odin/editor/progress/{key}")).json();
    book.answers(&answer, &["progress", "videoUrl", "data.progress", "data.url"]);
    book
}

fn text() -> Value {
    json!({ "language": "en", "text": "Hi.", "model": "figure", "clothes": "plain", "isExport": false })
}

fn simple_video() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /api/odin/simple/video"));
    let path = "/api/odin/simple/video";
    let key = |body: Value| client.post(path, body).json()["key"].as_str().expect("a key").to_owned();
    for (field, value, code) in [
        ("language", "", 4001),
        ("text", "", 4001),
        ("model", "nobody", 4003),
        ("clothes", "armour", 4004),
        ("webhook", "http://10.0.0.7/", 4001),
    ] {
        client.post(path, with(&text(), &format!("/{field}"), json!(value))).fails(400, code);
        book.note(WORKS, &[field]);
    }
    let clip = |body: Value| given_back(&client, &key(body))["scenes"][0]["clips"][0].clone();
    let plain = clip(text());
    assert_ne!(clip(with(&text(), "/uppercut", json!(100))), plain);
    book.note(DIFFERS, &["uppercut"]);
    assert_eq!(clip(with(&text(), "/locale", json!("zh"))), plain);
    book.note(KEPT, &["locale"]);
    book.answers(&client.post(path, text()).json(), &["success", "key"]);
    book
}

fn simple_audio() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /api/odin/simple/audio"));
    let path = "/api/odin/simple/audio";
    for (field, value, code) in
        [("language", "", 4001), ("text", "", 4001), ("model", "nobody", 4003), ("webhook", "http://10.0.0.7/", 4001)]
    {
        client.post(path, with(&text(), &format!("/{field}"), json!(value))).fails(400, code);
        book.note(WORKS, &[field]);
    }
    client.post(path, with(&text(), "/locale", json!("zh"))).data();
    let mut bare = text();
    bare.as_object_mut().expect("a body").remove("clothes");
    client.post(path, bare).data();
    book.note(KEPT, &["locale", "clothes"]);
    book.answers(&client.post(path, text()).json(), &["success", "key"]);
    book
}

fn find() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /api/odin/simple/find/{key}"));
    let key = client.post("/api/odin/simple/audio", text()).json()["key"].as_str().expect("a key").to_owned();
    book.answers(&client.post(&format!("/api/odin/simple/find/{key}"), json!({})).json(), &["success", "key"]);
    send("POST", &format!("{}/api/odin/simple/find/{key}", client.base), &[], None).fails(401, 4010);
    book
}
