//! Projects and exports: what requests say beside scenes, and what is answered.

use serde_json::{Value, json};

use super::{
    Book, DIFFERS, Section, WORKS, admin, broken, drop_export, frame, given_back, is_in, ordered, with, workspace,
};
use crate::house::{Client, film, scene, send};

const PROJECT: &str = "/api/odin/v3/editor/project";

pub fn books() -> Vec<Section> {
    vec![
        || vec![create()],
        || vec![read()],
        || vec![list()],
        || vec![delete()],
        || vec![edit()],
        || vec![modify()],
        || vec![export()],
        || vec![template()],
        || vec![template_modify()],
        || vec![deck()],
        || vec![progress()],
        || vec![simple_video()],
        || vec![simple_audio()],
        || vec![simple_custom()],
        || vec![webhook()],
    ]
}

/// `isExport`, `workspaceId`, `resolution` and `webhookUrl` of a request that may export.
fn orders(book: &mut Book, body: &Value, by_default: bool, ask: &dyn Fn(Value) -> String, may_stay: bool) {
    let client = admin();
    let said = |key: &str, value: Value| with(body, &format!("/{key}"), value);
    let state = |id: &str| given_back(&client, id)["state"].as_str().unwrap_or_default().to_owned();
    let id = ask(body.clone());
    assert_eq!(state(&id) != "draft", by_default, "{}", state(&id));
    drop_export(&id);
    if may_stay {
        let id = ask(said("isExport", json!(!by_default)));
        assert_eq!(state(&id) != "draft", !by_default);
        drop_export(&id);
        book.note(WORKS, &["isExport"]);
    }
    let exporting = with(&said("isExport", json!(true)), "/resolution", json!("480"));
    let id = ask(exporting.clone());
    assert_eq!(ordered(&client, &id)["resolution"], json!("480"));
    drop_export(&id);
    book.note(WORKS, &["resolution"]);
    let wrong = ask_raw(&book_path(book), said("webhookUrl", json!("http://10.0.0.7/")));
    assert_eq!(wrong, (400, json!("webhookUrl")));
    book.note(WORKS, &["webhookUrl"]);
}

/// Status of a refusal and the path of its first detail.
fn ask_raw(path: &str, body: Value) -> (u16, Value) {
    let reply = admin().post(path, body);
    (reply.status, reply.json()["error"]["details"][0]["path"].clone())
}

fn book_path(book: &Book) -> String {
    let (_, path) = book.heading.split_once(' ').expect("a method and a path");
    let id = admin().draft(film("for a path"));
    format!("/api/odin/v3{}", path.replace("{id}", &id))
}

fn asked(path: &'static str) -> impl Fn(Value) -> String {
    move |body| admin().post(path, body).data()["projectId"].as_str().expect("an id").to_owned()
}

fn create() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /editor/project"));
    let mut plain = film("fields");
    plain.as_object_mut().expect("a body").remove("resolution");
    orders(&mut book, &plain, true, &asked(PROJECT), true);
    let draft = with(&plain, "/isExport", json!(false));
    let id = client.draft(with(&draft, "/name", json!("Its own name")));
    assert_eq!(given_back(&client, &id)["name"], "Its own name");
    let upright = with(&draft, "/orientation", json!("portrait"));
    assert_ne!(frame(&client, &upright, 0.5), frame(&client, &draft, 0.5));
    client.post(PROJECT, with(&draft, "/scenes", json!([]))).fails(400, 4001);
    let room = workspace();
    assert!(is_in(&client, &client.draft(with(&draft, "/workspaceId", json!(room))), &room));
    client.post(PROJECT, with(&draft, "/workspaceId", json!("nowhere"))).fails(400, 4001);
    book.note(WORKS, &["name", "orientation", "scenes", "workspaceId"]);
    // Words that are said otherwise take another time.
    let mut said = film("said");
    said["scenes"][0].as_object_mut().expect("a scene").remove("duration");
    let lasts = |body: Value| client.wait(&client.create(body))["data"]["duration"].as_f64().expect("a length");
    let longer = with(&said, "/dictionary", json!({ "Hello": "a very good morning indeed to everybody" }));
    assert!(lasts(longer) > lasts(said) + 0.5);
    book.note(WORKS, &["dictionary"]);
    book.answers(&client.post(PROJECT, draft).data(), &["projectId"]);
    book
}

/// A film that was made for all that follows.
fn made(client: &Client) -> String {
    let id = client.create(film("made for fields"));
    client.wait(&id);
    id
}

fn read() -> Book {
    let (client, mut book) = (admin(), Book::of("GET /editor/project/{id}"));
    let project = given_back(&client, &made(&client));
    let fields = [
        "_id",
        "name",
        "orientation",
        "scenes",
        "userId",
        "state",
        "thumbnailUrl",
        "baseInfoId",
        "backendTaskId",
        "exportType",
        "progress",
        "creditSubstracted",
        "createdAt",
        "updatedAt",
        "download_url",
    ];
    book.answers(&project, &fields);
    assert_eq!((&project["state"], &project["progress"]), (&json!("exported"), &json!(100)));
    let scene = with(&scene(), "/strange", json!({ "kept": [1, null] }));
    let id = client.draft(json!({ "name": "given back", "scenes": [scene], "dictionary": { "a": "b" } }));
    let back = given_back(&client, &id);
    assert_eq!((&back["scenes"][0], &back["dictionary"]), (&scene, &json!({ "a": "b" })));
    book.note(WORKS, &["dictionary"]);
    assert_eq!(back["templateId"], Value::Null);
    book.note(DIFFERS, &["templateId"]);
    book
}

fn list() -> Book {
    let (client, mut book) = (admin(), Book::of("GET /editor/project"));
    made(&client);
    let all = client.get(PROJECT).data();
    assert!(all.as_array().is_some_and(|all| all.iter().all(|one| one["state"] == "exported")), "{all}");
    book.answers(&all[0], &["id", "name", "state", "download_url"]);
    assert_eq!(client.get("/api/odin/v3/editor/projects").data()[0]["id"], all[0]["id"]);
    book
}

fn delete() -> Book {
    let (client, mut book) = (admin(), Book::of("DELETE /editor/project"));
    let id = client.draft(film("to be deleted"));
    let gone = client.with("DELETE", PROJECT, &[], Some(json!({ "ids": [id, "0123456789abcdef01234567"] }))).data();
    assert_eq!(gone["deletedCount"], json!(1), "only what was there");
    client.get(&format!("{PROJECT}/{id}")).fails(404, 4040);
    book.note(WORKS, &["ids", "deletedCount"]);
    book
}

fn edit() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /editor/project/{id}"));
    let entry = json!({ "sceneIdx": 0, "type": "textImage", "values": { "text": "Edited" } });
    let wrapped = json!({ "updates": { "value": [entry] } });
    let fresh = |body: Value| {
        let id = client.draft(film("to be edited"));
        client.post(&format!("{PROJECT}/{id}"), body).data()["projectId"].as_str().expect("an id").to_owned()
    };
    orders(&mut book, &wrapped, true, &fresh, true);
    let quiet = |body: &Value| with(body, "/isExport", json!(false));
    let text = |id: &str| given_back(&client, id)["scenes"][0]["clips"][0]["text"].clone();
    for body in [&wrapped, &json!({ "updates": [entry] })] {
        assert_eq!(text(&fresh(quiet(body))), "Edited");
    }
    book.note(WORKS, &["updates", "updates.value"]);
    let refused = |field: &str, value: Value| {
        let id = client.draft(film("to be refused"));
        let body = with(&quiet(&wrapped), &format!("/updates/value/0/{field}"), value);
        let error = client.post(&format!("{PROJECT}/{id}"), body).json()["error"].clone();
        assert!(
            error["details"][0]["path"].as_str().is_some_and(|path| path.starts_with("updates.value[0]")),
            "{error}"
        );
    };
    refused("sceneIdx", json!(9));
    refused("type", json!("hologram"));
    refused("values", json!({ "fontSize": -1 }));
    book.note(WORKS, &["updates.value[].sceneIdx", "updates.value[].type", "updates.value[].values"]);
    let script = json!({ "sceneIdx": 0, "type": "aiModel", "values": { "script": "Said otherwise." } });
    let spoken = |script: Value| {
        let mut body = film("to be said");
        let model = json!({ "ai_name": "nora", "emotion": "nora/blazer" });
        let clip = json!({ "id": "p", "type": "aiModel", "layer": 2, "left": 0, "top": 0, "width": 400, "height": 500, "model": model });
        body["scenes"][0]["clips"].as_array_mut().expect("clips").push(clip);
        let id = client.draft(body);
        client.post(&format!("{PROJECT}/{id}"), json!({ "updates": { "value": [script] }, "isExport": false })).data();
        given_back(&client, &id)["scenes"][0]["scripts"][0]["org"].clone()
    };
    assert_eq!(spoken(script), "Said otherwise.");
    book.note(WORKS, &["updates.value[].values.script"]);
    let music = json!({ "source_url": "http://10.0.0.1/x.mp3", "volume": 30 });
    let id = client.draft(film("with music"));
    let body = json!({ "updates": { "value": [entry], "backgroundAudio": music }, "isExport": false });
    client.post(&format!("{PROJECT}/{id}"), body).data();
    let back = given_back(&client, &id);
    assert_eq!(back["backgroundAudio"], music);
    let heard = with(&film("with music"), "/backgroundAudio", music);
    assert!(broken(&client, &heard).iter().any(|path| path.starts_with("backgroundAudio")));
    book.note(WORKS, &["updates.backgroundAudio"]);
    let (room, id) = (workspace(), client.draft(film("to be moved")));
    let moved = with(&quiet(&wrapped), "/workspaceId", json!(room));
    client.post(&format!("{PROJECT}/{id}"), moved).data();
    assert!(!is_in(&client, &id, &room), "an edit moves nothing");
    client.post(&format!("{PROJECT}/{id}"), with(&quiet(&wrapped), "/workspaceId", json!("nowhere"))).fails(400, 4001);
    book.note(DIFFERS, &["workspaceId"]);
    let answer = client.post(&format!("{PROJECT}/{id}"), quiet(&wrapped)).data();
    assert_eq!(answer["projectId"], json!(id), "the project itself");
    book.note(DIFFERS, &["projectId"]);
    book
}

fn tagged() -> Value {
    let clip = |tag: &str, at: i64| {
        json!({ "id": format!("{tag}-{at}"), "type": "textImage", "tag": tag, "layer": 1, "left": 10, "top": 10 + at * 100, "width": 800,
            "height": 90, "text": tag, "fill": "rgb(255,255,255)", "fontSize": 30 })
    };
    let mut one = scene();
    one["clips"] = json!([clip("title", 0), clip("title", 1), clip("subtitles", 2)]);
    json!({ "name": "tagged", "scenes": [one, with(&one, "/sceneIdx", json!(1))], "isExport": false, "resolution": 480 })
}

fn modify() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /editor/project/modify"));
    let updates = json!({ "title": "First", "title_1": "Second", "subtitles": "Below", "scripts": "Said first.", "scripts_1": "Said next." });
    let fresh = |more: Value| {
        let id = client.draft(tagged());
        let mut body = json!({ "projectId": id, "updates": updates });
        body.as_object_mut().expect("a body").extend(more.as_object().expect("fields").clone());
        let answer = client.post("/api/odin/v3/editor/project/modify", body);
        (id, answer)
    };
    let (id, answer) = fresh(json!({}));
    assert_eq!(answer.data()["projectId"], json!(id));
    let back = given_back(&client, &id);
    let text = |scene: usize, clip: usize| back["scenes"][scene]["clips"][clip]["text"].clone();
    assert_eq!((text(0, 0), text(0, 1), text(0, 2)), (json!("First"), json!("Second"), json!("Below")));
    let said = |scene: usize| back["scenes"][scene]["scripts"][0]["org"].clone();
    assert_eq!((said(0), said(1)), (json!("Said first."), json!("Said next.")));
    assert_eq!(back["state"], "draft");
    book.note(
        WORKS,
        &[
            "projectId",
            "updates",
            "updates.title",
            "updates.subtitles",
            "updates.scripts",
            "updates.title_1",
            "updates.scripts_1",
        ],
    );
    let (id, answer) = fresh(json!({ "isExport": true }));
    answer.data();
    assert_ne!(given_back(&client, &id)["state"], "draft");
    drop_export(&id);
    let (_, answer) = fresh(json!({ "webhookUrl": "http://10.0.0.7/" }));
    answer.fails(400, 4001);
    book.note(WORKS, &["isExport", "webhookUrl"]);
    book
}

fn template_modify() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /editor/template/modify"));
    let id = client.draft(tagged());
    let body = json!({ "templateId": id, "name": "A copy", "updates": { "title": "Other" } });
    let copy = client.post("/api/odin/v3/editor/template/modify", body).data()["projectId"]
        .as_str()
        .expect("an id")
        .to_owned();
    assert_ne!(copy, id);
    let back = given_back(&client, &copy);
    assert_eq!((&back["name"], &back["scenes"][0]["clips"][0]["text"]), (&json!("A copy"), &json!("Other")));
    assert_eq!(given_back(&client, &id)["name"], "tagged");
    book.note(DIFFERS, &["templateId"]);
    book.note(WORKS, &["name", "updates"]);
    book
}

fn export() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /editor/project/export"));
    let path = "/api/odin/v3/editor/project/export";
    let fresh = |mut body: Value| {
        body["projectId"] = json!(client.draft(film("to be exported")));
        client.post(path, body).data()["projectId"].as_str().expect("an id").to_owned()
    };
    let id = fresh(json!({ "resolution": "720" }));
    assert_eq!(ordered(&client, &id)["resolution"], "720");
    drop_export(&id);
    client.post(path, json!({ "projectId": "0123456789abcdef01234567" })).fails(404, 4040);
    let id = client.draft(film("with a receiver"));
    client.post(path, json!({ "projectId": id, "webhookUrl": "http://10.0.0.7/" })).fails(400, 4001);
    client.post(path, json!({ "projectId": id, "workspaceId": "nowhere" })).fails(400, 4001);
    let room = workspace();
    client.post(path, json!({ "projectId": id, "workspaceId": room })).data();
    assert!(!is_in(&client, &id, &room), "an export moves nothing");
    drop_export(&id);
    book.note(WORKS, &["projectId", "resolution", "webhookUrl"]);
    book.note(DIFFERS, &["workspaceId"]);
    book
}

fn template() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /editor/template/{id}"));
    let id = client.draft(film("a template"));
    let path = format!("/api/odin/v3/editor/template/{id}");
    let copied = |body: Value| {
        let copy = client.post(&path, body).data()["projectId"].as_str().expect("an id").to_owned();
        given_back(&client, &copy)
    };
    let script = |body: Value| copied(body)["scenes"][0]["scripts"][0].clone();
    assert_eq!(copied(json!({ "name": "Named" }))["name"], "Named");
    for (model, clothes) in [("aiName", "clothId"), ("model", "clothes")] {
        let other = script(json!({ model: "david", clothes: "david/suit" }));
        assert_eq!((&other["modelId"], &other["clothId"]), (&json!("david"), &json!("david/suit")));
        book.note(WORKS, &[model, clothes]);
    }
    let room = workspace();
    assert_eq!(copied(json!({ "workspaceId": room }))["workspaceId"], json!(room));
    // The samples send the same in the query and as a form.
    let headers = [("authorization", client.token.as_str())];
    let form = send(
        "POST",
        &format!("{}{path}?name=Queried", client.base),
        &headers,
        Some(b"clothes=david/suit&model=david".to_vec()),
    )
    .data();
    let back = given_back(&client, form["projectId"].as_str().expect("an id"));
    assert_eq!((&back["name"], &back["scenes"][0]["scripts"][0]["modelId"]), (&json!("Queried"), &json!("david")));
    book.note(WORKS, &["name", "workspaceId"]);
    book.answers(&form, &["projectId"]);
    book
}

fn deck() -> Book {
    let (client, mut book) = (admin(), Book::of("POST /editor/project/pptpdf"));
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../compere-import/tests/corpus/training.pptx");
    let room = workspace();
    let mut form = Vec::new();
    for (name, value) in [("name", "A deck"), ("workspaceId", room.as_str())] {
        form.extend_from_slice(
            format!("--Bo\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").as_bytes(),
        );
    }
    form.extend_from_slice(
        b"--Bo\r\nContent-Disposition: form-data; name=\"file\"; filename=\"training.pptx\"\r\n\r\n",
    );
    form.extend_from_slice(&std::fs::read(file).expect("the deck"));
    form.extend_from_slice(b"\r\n--Bo--\r\n");
    let headers = [("authorization", client.token.as_str()), ("content-type", "application/json")];
    let answer =
        send("POST", &format!("{}/api/odin/v3/editor/project/pptpdf", client.base), &headers, Some(form)).data();
    let id = answer["projectId"].as_str().expect("an id");
    for _ in 0..600 {
        if given_back(&client, id)["state"] == "draft" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    let back = given_back(&client, id);
    assert_eq!((&back["name"], &back["workspaceId"]), (&json!("A deck"), &json!(room)));
    assert!(back["scenes"].as_array().is_some_and(|scenes| scenes.len() > 1), "{back}");
    book.note(WORKS, &["file", "name", "workspaceId"]);
    book.answers(&answer, &["projectId"]);
    book
}

fn progress() -> Book {
    let (client, mut book) = (admin(), Book::of("GET /editor/progress/{id}"));
    let id = made(&client);
    let done = client.get(&format!("/api/odin/v3/editor/progress/{id}")).data();
    assert_eq!((&done["state"], &done["progress"]), (&json!("exported"), &json!(100)));
    book.answers(&done, &["state", "progress", "downloadUrl"]);
    book
}

fn text() -> Value {
    json!({ "language": "en", "text": "Hi.", "model": "figure", "clothes": "plain" })
}

/// What every simple request needs.
fn needs(book: &mut Book, path: &str, fields: &[(&'static str, i64)]) {
    for (field, code) in fields {
        let body = with(&with(&text(), &format!("/{field}"), json!("nobody")), "/isExport", json!(false));
        let body = if *field == "text" { with(&body, "/text", json!("")) } else { body };
        let reply = admin().post(path, body);
        assert_eq!(
            (reply.status, reply.json()["error"]["code"].as_i64()),
            (400, Some(*code)),
            "{field}: {}",
            reply.json()
        );
        book.note(WORKS, &[field]);
    }
}

fn simple_video() -> Book {
    let mut book = Book::of("POST /simple/video");
    let path = "/api/odin/v3/simple/video";
    orders(&mut book, &text(), true, &asked(path), true);
    needs(&mut book, path, &[("text", 4001), ("model", 4003), ("clothes", 4004)]);
    admin().post(path, with(&text(), "/language", Value::Null)).fails(400, 4001);
    let room = workspace();
    let quiet = with(&with(&text(), "/workspaceId", json!(room)), "/isExport", json!(false));
    assert!(is_in(&admin(), &asked(path)(quiet), &room));
    book.note(WORKS, &["language", "workspaceId", "projectId"]);
    book
}

fn simple_audio() -> Book {
    let mut book = Book::of("POST /simple/audio");
    let path = "/api/odin/v3/simple/audio";
    needs(&mut book, path, &[("text", 4001), ("model", 4003)]);
    admin().post(path, with(&text(), "/language", Value::Null)).fails(400, 4001);
    admin().post(path, with(&text(), "/tts", json!({ "voice": "nobody" }))).fails(400, 4005);
    book.note(WORKS, &["language", "tts"]);
    let said = admin().post(path, with(&text(), "/tts", json!({ "voice": "tone" }))).data();
    book.answers(&said, &["fileName", "downloadUrl", "metaList"]);
    book
}

fn simple_custom() -> Book {
    let mut book = Book::of("POST /simple/custom");
    let path = "/api/odin/v3/simple/custom";
    let mut body = text();
    body.as_object_mut().expect("a body").remove("clothes");
    orders(&mut book, &body, true, &asked(path), true);
    needs(&mut book, path, &[("text", 4001), ("model", 4003)]);
    admin().post(path, with(&body, "/language", Value::Null)).fails(400, 4001);
    let room = workspace();
    let quiet = with(&with(&body, "/workspaceId", json!(room)), "/isExport", json!(false));
    assert!(is_in(&admin(), &asked(path)(quiet), &room));
    book.note(WORKS, &["language", "workspaceId"]);
    let answer = admin().post(path, body).data();
    drop_export(answer["projectId"].as_str().expect("an id"));
    book.answers(&answer, &["projectId", "taskId"]);
    book
}

/// What is told when an export ends: looked at where it is listed.
fn webhook() -> Book {
    let (client, mut book) = (admin(), Book::of("webhookUrl is told"));
    let mut body = film("told of");
    body["webhookUrl"] = json!(format!("{}/v1/nobody", crate::writer::base()));
    let id = client.create(body);
    client.wait(&id);
    let sent = &ordered(&client, &id)["webhooks"][0];
    let url = sent["url"].as_str().expect("an address");
    for part in ["ai_progress_update_loc", "videoUrl", "duration"] {
        assert!(url.contains(&format!("{part}=")), "{url}");
        book.note(WORKS, &[part]);
    }
    let document = send("GET", &format!("{}/docs/openapi.json", client.base), &[], None).json();
    let told = &document["components"]["schemas"]["FilmNews"]["properties"];
    for part in ["credit", "backendTaskId", "download_url"] {
        assert!(told[part].is_object(), "{told}");
        book.note(WORKS, &[part]);
    }
    assert!(told["progress"].is_object());
    book.note(DIFFERS, &["progress"]);
    book
}
