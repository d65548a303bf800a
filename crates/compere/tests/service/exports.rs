//! Exports: from request to film.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{Client, account, admin, agent, film, open};

const PROJECT: &str = "/api/odin/v3/editor/project";

#[test]
fn create_poll_and_download() {
    let client = admin();
    let mut body = film("Quarterly news");
    body["callbackId"] = json!("c-1");
    let id = client.create(body);
    let answer = client.wait(&id);
    assert_eq!(answer["success"], json!(true), "{answer}");
    let data = &answer["data"];
    assert_eq!((&data["state"], &data["progress"]), (&json!("exported"), &json!(100)));
    assert_eq!((&data["duration"], &data["callbackId"]), (&json!(1.0), &json!("c-1")));
    for key in ["startedAt", "thumbnailUrl", "captionsUrl", "sizeBytes", "backendTaskId"] {
        assert!(!data[key].is_null(), "{key}: {data}");
    }
    assert_eq!(data["warnings"], json!([]), "{data}");
    let url = data["downloadUrl"].as_str().expect("an address");
    assert!(url.ends_with("/Quarterly-news.mp4"), "{url}");
    let project = client.get(&format!("{PROJECT}/{id}")).data()["project"].clone();
    assert_eq!((&project["progress"], &project["creditSubstracted"]), (&json!(100), &json!(true)));
    assert_eq!(project["backendTaskId"], data["backendTaskId"]);
    assert!(project["download_url"].is_string());
    let listed = client.get(PROJECT).data();
    let item = listed.as_array().expect("a list").iter().find(|one| one["id"] == json!(id)).expect("it is listed");
    assert_eq!(item["state"], json!("exported"));
    assert!(item["download_url"].is_string() && item["name"] == json!("Quarterly news"));
}

#[test]
fn an_existing_project_is_exported_at_another_size() {
    let client = admin();
    let id = client.draft(film("later"));
    let before = client.get(&format!("/api/odin/v3/editor/progress/{id}")).data();
    assert_eq!((&before["state"], &before["progress"]), (&json!("draft"), &json!(0)));
    let data = client.post(&format!("{PROJECT}/export"), json!({ "projectId": id, "resolution": "720" })).data();
    assert_eq!(data["projectId"], json!(id));
    assert_eq!(client.wait(&id)["data"]["state"], json!("exported"));
    let project = client.get(&format!("{PROJECT}/{id}")).data()["project"].clone();
    assert_eq!(project["resolution"], json!("720"));
    client.post(&format!("{PROJECT}/export"), json!({ "projectId": 5 })).fails(400, 4001);
    client.post(&format!("{PROJECT}/export"), json!({ "projectId": "0123" })).fails(400, 4000);
    client.post(&format!("{PROJECT}/export"), json!({ "projectId": id, "resolution": "8k" })).fails(400, 4001);
}

#[test]
fn an_edit_is_exported_unless_it_says_otherwise() {
    let client = admin();
    let id = client.draft(film("edit and export"));
    let edit =
        json!({ "updates": [{ "sceneIdx": 0, "type": "textImage", "values": { "text": "Bye" } }], "resolution": 480 });
    client.post(&format!("{PROJECT}/{id}"), edit).data();
    assert_eq!(client.wait(&id)["data"]["state"], json!("exported"));
}

#[test]
fn a_failed_export_ends_polling_loops_with_its_reason() {
    let client = admin();
    let mut body = film("broken");
    body["scenes"][0]["background"] = json!({ "source_type": "image", "source_url": "http://127.0.0.1:9/missing.png" });
    let id = client.create(body);
    let answer = client.wait(&id);
    assert_eq!(answer["success"], json!(false));
    assert_eq!((&answer["error"]["code"], &answer["data"]["state"]), (&json!(5010), &json!("failed")), "{answer}");
    assert!(answer["error"]["msg"].as_str().is_some_and(|msg| msg.contains("scenes[0]")), "{answer}");
    let older = client.get(&format!("/api/odin/editor/progress/{id}")).json();
    assert_eq!(older["success"], json!(false));
    assert!(older["msg"].is_string());
}

#[test]
fn a_waiting_export_can_be_cancelled() {
    let (client, _) = account("canceller@example.com", "api");
    let mut body = film("long");
    body["scenes"][0]["duration"] = json!(600);
    let id = client.create(body);
    let data = client.post(&format!("{PROJECT}/{id}/cancel"), json!({})).data();
    assert_eq!(data["cancelled"], json!(true));
    let answer = client.wait(&id);
    assert_eq!((&answer["success"], &answer["data"]["state"]), (&json!(false), &json!("cancelled")), "{answer}");
    assert_eq!(client.post(&format!("{PROJECT}/{id}/cancel"), json!({})).data()["cancelled"], json!(false));
    client.post(&format!("{PROJECT}/000000000000000000000000/cancel"), json!({})).fails(404, 4040);
}

#[test]
fn progress_is_told_as_it_happens() {
    let client = admin();
    let id = client.create(film("events"));
    let url = format!("{}/api/odin/v3/editor/progress/{id}/events", client.base);
    let answer = agent().get(&url).header("authorization", &client.token).call().expect("a stream");
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let lines = BufReader::new(answer.into_body().into_reader()).lines().map_while(Result::ok);
    let records: Vec<Value> =
        lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok()).collect();
    records.iter().for_each(|record| crate::contract::check_told(&url, record));
    let last = records.last().expect("records, and an end");
    assert_eq!((&last["data"]["state"], &last["data"]["progress"]), (&json!("exported"), &json!(100)), "{last}");
    assert!(last["data"]["downloadUrl"].is_string());
}

/// Whoever listens when the service stops hears the end of the stream, not a broken connection.
#[test]
fn a_stream_ends_cleanly_when_the_service_stops() {
    let (house, mut child) = open("welcome = false\nworkers = 1\n", "streams");
    let client = Client::new(&house, &house.app_id, &house.user_key);
    // Twenty minutes are not drawn before anybody has asked it to stop.
    let mut long = film("streamed");
    long["scenes"][0]["duration"] = json!(1200);
    let id = client.create(long);
    let url = format!("{}/api/odin/v3/editor/progress/{id}/events", client.base);
    let answer = agent().get(&url).header("authorization", &client.token).call().expect("a stream");
    let mut lines = BufReader::new(answer.into_body().into_reader()).lines();
    let first = lines.next().expect("an event").expect("a line");
    assert!(first.starts_with("event: progress") || first.starts_with("data: "), "{first}");
    let stopped = std::thread::scope(|scope| {
        let stopped = scope.spawn(|| crate::house::stop(&mut child));
        // An error would be a stream that was cut.
        let rest: Result<Vec<String>, _> = lines.collect();
        rest.expect("the stream ends as it should");
        stopped.join().expect("it stops")
    });
    assert!(stopped.success(), "{stopped}");
}

/// Whoever saves a project finds its presenter baked when they export it: at the size that the export will have.
#[test]
fn a_saved_project_has_its_presenter_baked_before_it_is_exported() {
    let (house, mut child) = open("welcome = false\nworkers = 1\n", "ahead");
    let client = Client::new(&house, &house.app_id, &house.user_key);
    let packs = || files(&house.data.join("cache/pack"));
    let mut draft = film("ahead");
    draft["isExport"] = json!(false);
    draft["scenes"][0]["clips"] = json!([{
        "id": "presenter", "type": "aiModel", "layer": 2, "left": 1400, "top": 600, "width": 320, "height": 480,
        "model": {"ai_name": "nora", "emotion": "nora/blazer"},
    }]);
    let id = client.create(draft);
    let begun = Instant::now();
    while packs().is_empty() && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(200));
    }
    let baked = packs();
    assert_eq!(baked.len(), 1, "one presenter, one size: {baked:?}");
    client.post(&format!("{PROJECT}/export"), json!({ "projectId": id, "resolution": "1080" })).data();
    assert_eq!(client.wait(&id)["data"]["state"], json!("exported"));
    assert_eq!(packs(), baked, "the export baked nobody");
    crate::house::stop(&mut child);
}

/// All files below a folder that are whole: what is being written is called otherwise.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let below = entries.flat_map(|entry| match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
        true => files(&entry.path()),
        false => BTreeSet::from([entry.path()]),
    });
    below.filter(|path| path.file_name().is_some_and(|name| name.len() == 64)).collect()
}

#[test]
fn credits_are_reserved_and_settled() {
    let (client, _) = account("saver@example.com", "purse");
    let id = client.create(film("cheap"));
    assert_eq!(client.wait(&id)["data"]["state"], json!("exported"));
    let project = client.get(&format!("{PROJECT}/{id}")).data()["project"].clone();
    assert_eq!(project["credit"], json!(1));
    let balance = client.post("/api/odin/v3/editor/estimate", film("x")).data()["balance"].clone();
    assert_eq!(balance, json!(2));
}

#[test]
fn a_deleted_project_takes_its_files_along() {
    let client = admin();
    let id = client.create(film("gone"));
    let answer = client.wait(&id);
    let url = answer["data"]["downloadUrl"].as_str().expect("an address").to_owned();
    client.with("DELETE", PROJECT, &[], Some(json!({ "ids": [id] }))).data();
    crate::house::send("GET", &url, &[], None).fails(404, 4040);
}
