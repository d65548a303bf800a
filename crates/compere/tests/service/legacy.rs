//! The 1.4.x generation.

use serde_json::{Value, json};

use crate::house::admin;

const PROJECT: &str = "/api/odin/editor/project";

fn scene(script: &str) -> Value {
    json!({
        "AIModel": { "model": "nora", "clothes": "nora/blazer", "language": "en", "script": script, "locationX": 0.2, "locationY": 0 },
        "clips": [
            { "type": "text", "detail": { "textSource": "Hello", "locationX": -0.2, "locationY": -0.3, "font": "Noto Sans" } },
            { "type": "background", "detail": { "url": "/images/background/studio-daylight.png" } },
        ],
    })
}

fn draft(name: &str) -> String {
    let body =
        json!({ "projectName": name, "scenes": [scene("One."), scene("Two.")], "isExport": false, "resolution": 480 });
    admin().post(PROJECT, body).json()["key"].as_str().expect("a key").to_owned()
}

#[test]
fn a_body_of_the_older_generation_becomes_a_film() {
    let client = admin();
    let reply = client.post(PROJECT, json!({ "scenes": [scene("Hello.")], "resolution": 480 }));
    let json = reply.json();
    assert_eq!((&json["success"], &json["cube_used"]), (&json!(true), &json!(1)), "{json}");
    assert_eq!(json["key"], json["data"]["key"]);
    let key = json["key"].as_str().expect("a key");
    assert_eq!(client.wait(key)["data"]["state"], json!("exported"));
    let progress = client.get(&format!("/api/odin/editor/progress/{key}")).json();
    assert_eq!((&progress["progress"], &progress["data"]["progress"]), (&json!(100), &json!(100)));
    assert!(progress["videoUrl"].is_string() && progress["data"]["url"].is_string(), "{progress}");
}

#[test]
fn it_is_read_back_by_key_and_by_name() {
    let key = draft("Older one");
    for path in [format!("{PROJECT}/{key}"), format!("{PROJECT}/name/Older%20one")] {
        let json = admin().get(&path).json();
        assert_eq!(json["success"], json!(true), "{json}");
        assert_eq!(json["response"]["projectName"], json!("Older one"));
        assert_eq!(json["response"]["scenes"][0]["AIModel"]["script"], json!("One."));
        assert!(json["msg"].is_string());
    }
    admin().get(&format!("{PROJECT}/name/no%20such")).fails(404, 4040);
}

#[test]
fn an_edit_makes_a_new_project() {
    let key = draft("Template");
    let updates = json!([
        { "sceneIdx": 0, "property": "AIModel", "values": { "script": "Three." } },
        { "sceneIdx": 1, "property": "clips", "clipType": "text", "clipIdx": 0, "values": { "detail": { "textSource": "Bye" } } },
    ]);
    let json = admin().post(&format!("{PROJECT}/{key}"), json!({ "updates": updates, "isExport": false })).json();
    let copy = json["key"].as_str().expect("a key");
    assert_ne!(copy, key);
    let scenes = admin().get(&format!("{PROJECT}/{copy}")).json()["response"]["scenes"].clone();
    assert_eq!(scenes[0]["AIModel"]["script"], json!("Three."));
    assert_eq!(scenes[1]["clips"][0]["detail"]["textSource"], json!("Bye"));
    let wrong = json!({ "updates": [{ "sceneIdx": 9, "property": "AIModel", "values": {} }] });
    admin().post(&format!("{PROJECT}/{key}"), wrong).fails(400, 4001);
}

#[test]
fn a_project_can_be_duplicated() {
    let key = draft("Twin");
    let json = admin().post(&format!("{PROJECT}/duplicate/{key}"), json!({})).json();
    assert_eq!(json["projectData"]["projectName"], json!("Twin"), "{json}");
    assert_ne!(json["key"], json!(key));
}

#[test]
fn scenes_are_added_replaced_and_deleted() {
    let (client, key) = (admin(), draft("Scenes"));
    let path = format!("/api/odin/editor/scene/{key}");
    let scripts = || {
        let scenes = client.get(&format!("{PROJECT}/{key}")).json()["response"]["scenes"].clone();
        let all = scenes.as_array().expect("scenes").iter();
        all.map(|scene| scene["AIModel"]["script"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    client.post(&path, json!({ "sceneIdx": 1, "scene": scene("Between.") })).data();
    assert_eq!(scripts(), ["One.", "Between.", "Two."]);
    client.with("PUT", &path, &[], Some(json!({ "sceneIdx": 0, "scene": scene("First.") }))).data();
    assert_eq!(scripts(), ["First.", "Between.", "Two."]);
    client.with("DELETE", &path, &[], Some(json!({ "sceneIdx": 2 }))).data();
    assert_eq!(scripts(), ["First.", "Between."]);
    client.with("DELETE", &path, &[], Some(json!({ "sceneIdx": 2 }))).fails(400, 4001);
    client.post(&path, json!({ "sceneIdx": 0, "scene": { "AIModel": {} } })).fails(400, 4001);
    assert_eq!(scripts().len(), 2);
}

/// Both shapes tell of the same film, whoever changed it last.
#[test]
fn an_edit_in_the_latest_form_leaves_nothing_stale() {
    let (client, key) = (admin(), draft("Edited across"));
    let latest = format!("/api/odin/v3/editor/project/{key}");
    let updates = json!([{ "sceneIdx": 0, "type": "aiModel", "values": { "script": "Changed." } }]);
    client.post(&latest, json!({ "updates": updates, "isExport": false })).data();
    let new = client.get(&latest).data()["project"]["scenes"].clone();
    assert!(new.to_string().contains("Changed.") && !new.to_string().contains("One."), "{new}");
    let old = client.get(&format!("{PROJECT}/{key}")).json()["response"]["scenes"].clone();
    assert!(old.to_string().contains("Changed.") && !old.to_string().contains("One."), "{old}");
    // There is no older body any more that a scene could be put into.
    let path = format!("/api/odin/editor/scene/{key}");
    let error = client.post(&path, json!({ "sceneIdx": 0, "scene": scene("Zero.") })).fails(400, 4001);
    let told = error["msg"].as_str().unwrap_or_default();
    assert!(
        told.contains(&latest) && told.starts_with("key: names a project that is none of the 1.4.x generation"),
        "{error}"
    );
    let copy = client.post(&format!("{PROJECT}/duplicate/{key}"), json!({})).json();
    assert!(copy["projectData"]["scenes"].to_string().contains("Changed."), "{copy}");
}

#[test]
fn failures_carry_a_message_at_the_top() {
    let json = admin().post(PROJECT, json!({ "scenes": [] })).json();
    assert_eq!((&json["success"], &json["msg"]), (&json!(false), &json["error"]["msg"]), "{json}");
}
