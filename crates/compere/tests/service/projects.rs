//! Projects: what goes in comes out, edits, lists, deletes.

use serde_json::{Value, json};

use crate::house::{Client, account, admin, command, film, house, scene, send};

const PROJECT: &str = "/api/odin/v3/editor/project";

fn stored(id: &str) -> Value {
    admin().get(&format!("{PROJECT}/{id}")).data()["project"].clone()
}

#[test]
fn scenes_come_back_as_they_were_sent_and_can_be_posted_again() {
    let mut body = film("There and back");
    body["scenes"][0]["x-unknown"] = json!({ "deep": [1, 2.5, null, "é"], "zz": 1, "aa": 2 });
    body["scenes"][0]["clips"][0]["lockMovementX"] = json!(true);
    body["scenes"][0]["clips"][0]["left"] = json!(0.1);
    body["dictionary"] = json!({ "SQL": "sequel" });
    let project = stored(&admin().draft(body.clone()));
    assert_eq!(project["scenes"].to_string(), body["scenes"].to_string(), "order of keys included");
    assert_eq!(project["dictionary"], body["dictionary"]);
    for key in [
        "_id",
        "name",
        "orientation",
        "scenes",
        "userId",
        "templateId",
        "state",
        "thumbnailUrl",
        "baseInfoId",
        "dictionary",
        "backendTaskId",
        "exportType",
        "progress",
        "creditSubstracted",
        "createdAt",
        "updatedAt",
        "download_url",
    ] {
        assert!(project.get(key).is_some(), "{key} is missing");
    }
    assert_eq!((&project["state"], &project["progress"]), (&json!("draft"), &json!(0)));
    let mut again = project.clone();
    again["isExport"] = json!(false);
    let copy = stored(&admin().create(again));
    assert_eq!(copy["scenes"].to_string(), body["scenes"].to_string());
    assert_ne!(copy["_id"], project["_id"]);
    let only_scenes = json!({ "scenes": project["scenes"], "isExport": false });
    assert_eq!(stored(&admin().create(only_scenes))["name"], json!("Default Template"));
}

#[test]
fn ids_are_object_ids() {
    let id = admin().draft(film("id"));
    assert!(id.len() == 24 && id.chars().all(|c| c.is_ascii_hexdigit()), "{id}");
}

#[test]
fn resolutions_come_as_texts_or_numbers_in_any_case() {
    for resolution in [json!("4K"), json!("4k"), json!(1080), json!("720"), json!(480), Value::Null] {
        let mut body = film("r");
        body["resolution"] = resolution;
        admin().draft(body);
    }
}

#[test]
fn the_older_place_of_the_script_is_understood() {
    let mut body = film("older");
    body["scenes"][0].as_object_mut().expect("a scene").remove("scripts");
    body["scenes"][0]["clips"] = json!([{
        "id": "p", "type": "aiModel", "layer": 1, "left": 0, "top": 0, "width": 800, "height": 960,
        "model": { "ai_name": "nora", "emotion": "nora/blazer" }, "script": { "org": "Hello.", "tts": null },
    }]);
    admin().draft(body);
}

#[test]
fn reads_are_tagged_so_that_unchanged_ones_cost_nothing() {
    let client = admin();
    let id = client.draft(film("tag"));
    let first = client.get(&format!("{PROJECT}/{id}"));
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with("W/\""), "{tag}");
    let again = client.with("GET", &format!("{PROJECT}/{id}"), &[("if-none-match", &tag)], None);
    assert_eq!((again.status, again.bytes.len()), (304, 0));
    let edit =
        json!({ "updates": [{ "sceneIdx": 0, "type": "textImage", "values": { "text": "New" } }], "isExport": false });
    client.post(&format!("{PROJECT}/{id}"), edit).data();
    assert_eq!(client.with("GET", &format!("{PROJECT}/{id}"), &[("if-none-match", &tag)], None).status, 200);
}

#[test]
fn edits_change_what_they_name_in_both_forms() {
    let client = admin();
    let mut body = film("edit");
    body["scenes"].as_array_mut().expect("scenes").push({
        let mut second = scene();
        second["sceneIdx"] = json!(1);
        second
    });
    let id = client.draft(body);
    let entries = json!([
        { "sceneIdx": 1, "type": "aiModel", "values": { "script": "Another text." } },
        { "sceneIdx": 0, "type": "textImage", "tag": "title", "values": { "text": "Bye", "fontSize": 40 } },
        { "sceneIdx": 0, "type": "background", "values": { "source_color": "rgb(1,2,3)" } },
    ]);
    for updates in [json!({ "value": entries }), entries.clone()] {
        let data = client.post(&format!("{PROJECT}/{id}"), json!({ "updates": updates, "isExport": false })).data();
        assert_eq!(data["projectId"], json!(id));
    }
    let scenes = stored(&id)["scenes"].clone();
    assert_eq!(scenes[1]["scripts"][0]["org"], json!("Another text."));
    assert_eq!((&scenes[0]["clips"][0]["text"], &scenes[0]["clips"][0]["fontSize"]), (&json!("Bye"), &json!(40)));
    assert_eq!(scenes[0]["background"]["source_color"], json!("rgb(1,2,3)"));
    assert_eq!(scenes[0]["scripts"][0]["org"], json!("Hello there."), "the other scene's stays");
}

#[test]
fn an_edit_that_matches_nothing_changes_nothing() {
    let client = admin();
    let id = client.draft(film("all or nothing"));
    let before = stored(&id);
    let updates = json!([
        { "sceneIdx": 0, "type": "textImage", "values": { "text": "Bye" } },
        { "sceneIdx": 7, "type": "textImage", "values": { "text": "Nowhere" } },
    ]);
    let error =
        client.post(&format!("{PROJECT}/{id}"), json!({ "updates": updates, "isExport": false })).fails(400, 4001);
    assert!(error["details"][0]["path"].as_str().is_some_and(|path| path.contains("[1]")), "{error}");
    assert_eq!(stored(&id)["scenes"], before["scenes"]);
    client.post(&format!("{PROJECT}/{id}"), json!({ "isExport": false })).fails(400, 4001);
}

#[test]
fn music_can_be_set_under_the_whole_film() {
    let client = admin();
    let id = client.draft(film("music"));
    let updates = json!({ "backgroundAudio": { "source_url": "https://example.com/a.mp3", "volume": 30 } });
    client.post(&format!("{PROJECT}/{id}"), json!({ "updates": updates, "isExport": false })).data();
    assert_eq!(stored(&id)["backgroundAudio"]["volume"], json!(30));
}

#[test]
fn a_copy_leaves_the_original_alone() {
    let client = admin();
    let id = client.draft(film("template"));
    let edit = json!({
        "updates": [{ "sceneIdx": 0, "type": "textImage", "values": { "text": "Dear Kim" } }], "copy": true, "isExport": false,
    });
    let copy = client.post(&format!("{PROJECT}/{id}"), edit).data()["projectId"].as_str().expect("an id").to_owned();
    assert_ne!(copy, id);
    assert_eq!(stored(&copy)["scenes"][0]["clips"][0]["text"], json!("Dear Kim"));
    assert_eq!(stored(&id)["scenes"][0]["clips"][0]["text"], json!("Hello"));
}

#[test]
fn edits_at_the_same_time_all_arrive() {
    let mut body = film("crowd");
    body["scenes"][0]["clips"] = (0..8)
        .map(|n| {
            json!({ "id": format!("t{n}"), "type": "textImage", "layer": n, "left": 0, "top": 0, "width": 100, "height": 100,
                    "text": "old", "fill": "rgb(0,0,0)", "fontSize": 20 })
        })
        .collect();
    let id = admin().draft(body);
    std::thread::scope(|scope| {
        for n in 0..4 {
            let id = &id;
            scope.spawn(move || {
                let edit = json!({ "updates": [{ "sceneIdx": 0, "type": "textImage", "id": format!("t{n}"), "values": { "text": "new" } }], "isExport": false });
                admin().post(&format!("{PROJECT}/{id}"), edit).data();
            });
        }
    });
    let clips = stored(&id)["scenes"][0]["clips"].clone();
    assert_eq!(clips.as_array().expect("clips").iter().filter(|clip| clip["text"] == json!("new")).count(), 4);
}

#[test]
fn lists_have_pages_states_and_a_count() {
    let (client, _) = account("lister@example.com", "api");
    for n in 0..5 {
        client.draft(film(&format!("film {n}")));
    }
    assert_eq!(client.get(PROJECT).data(), json!([]), "none is exported");
    let page = client.get(&format!("{PROJECT}?state=all&page=2&limit=2"));
    assert_eq!(page.header("x-total-count"), "5");
    let names: Vec<Value> = page.data().as_array().expect("a list").iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["film 2", "film 1"], "newest first");
    assert_eq!(client.get("/api/odin/v3/editor/projects?state=draft").data().as_array().map(Vec::len), Some(5));
    client.get(&format!("{PROJECT}?state=dreaming&limit=1000")).fails(400, 4001);
}

#[test]
fn deleting_counts_own_projects_only() {
    let (stranger, _) = account("stranger@example.com", "api");
    let (own, foreign) = (admin().draft(film("mine")), stranger.draft(film("theirs")));
    let ids = json!({ "ids": [own, own, foreign, "000000000000000000000000"] });
    let reply = admin().with("DELETE", PROJECT, &[], Some(ids));
    assert_eq!(reply.data()["deletedCount"], json!(1));
    admin().get(&format!("{PROJECT}/{own}")).fails(404, 4040);
    stranger.get(&format!("{PROJECT}/{foreign}")).data();
    admin().with("DELETE", PROJECT, &[], Some(json!({ "ids": "all" }))).fails(400, 4001);
}

#[test]
fn workspaces_have_to_be_ones_own() {
    let mut body = film("w");
    body["workspaceId"] = json!("000000000000000000000000");
    body["isExport"] = json!(false);
    admin().post(PROJECT, body).fails(400, 4001);
    assert_eq!(admin().get("/api/odin/v3/dropdown/workspaces").data(), json!([]));
}

#[test]
fn a_key_bound_to_a_workspace_sees_and_makes_only_what_is_in_it() {
    let (free, _) = account("two-rooms@example.com", "api");
    let house = house();
    let (rooms, pair) = house.records(async |store| {
        let owner = store.account_by_email("two-rooms@example.com").await.expect("asks").expect("known");
        let mut rooms = Vec::new();
        for name in ["Sales", "Training"] {
            rooms.push(store.create_workspace(&owner.id, name).await.expect("creates").id);
        }
        let pair = store.issue_key(&owner, "sales only", Some(&rooms[0]), false).await.expect("issues");
        (rooms, pair)
    });
    let bound = Client::new(house, &pair.app_id, &pair.user_key);
    let into = |room: Option<&str>| {
        let mut body = film("room");
        body["isExport"] = json!(false);
        body["workspaceId"] = json!(room);
        body
    };
    let (outside, training) = (free.create(into(None)), free.create(into(Some(&rooms[1]))));
    let sales = free.create(into(Some(&rooms[0])));
    // What is made without saying where is made where the key belongs.
    let own = bound.create(into(None));
    let project = bound.get(&format!("{PROJECT}/{own}")).data()["project"].clone();
    assert_eq!(project["workspaceId"], json!(rooms[0]), "{project}");
    let error = bound.post(PROJECT, into(Some(&rooms[1]))).fails(400, 4001);
    assert_eq!(error["details"][0]["path"], json!("workspaceId"), "{error}");
    bound.get(&format!("{PROJECT}/{sales}")).data();
    let edit =
        json!({ "updates": [{ "sceneIdx": 0, "type": "textImage", "values": { "text": "x" } }], "isExport": false });
    for hidden in [&outside, &training] {
        bound.get(&format!("{PROJECT}/{hidden}")).fails(404, 4040);
        bound.get(&format!("/api/odin/v3/editor/progress/{hidden}")).fails(404, 4040);
        bound.post(&format!("{PROJECT}/{hidden}"), edit.clone()).fails(404, 4040);
        bound.post(&format!("{PROJECT}/export"), json!({ "projectId": hidden })).fails(404, 4040);
        let gone = bound.with("DELETE", PROJECT, &[], Some(json!({ "ids": [hidden] }))).data();
        assert_eq!(gone["deletedCount"], json!(0));
    }
    let ids = |client: &Client, query: &str| {
        let list = client.get(&format!("{PROJECT}?state=all{query}")).data();
        let mut ids: Vec<String> =
            list.as_array().expect("a list").iter().filter_map(|one| Some(one["id"].as_str()?.to_owned())).collect();
        ids.sort();
        ids
    };
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    assert_eq!(ids(&bound, ""), sorted(vec![sales.clone(), own.clone()]));
    assert_eq!(ids(&bound, &format!("&workspaceId={}", rooms[1])), sorted(vec![sales.clone(), own.clone()]));
    assert_eq!(ids(&free, ""), sorted(vec![outside, training.clone(), sales, own]));
    assert_eq!(ids(&free, &format!("&workspaceId={}", rooms[1])), [training]);
}

/// Sixteen and more digits, as drawing programs write them: the nearest number is not near enough.
#[test]
fn numbers_come_back_as_they_were_sent() {
    let client = admin();
    let numbers =
        ["31.245270191439438", "0.30000000000000004", "123.45678901234567", "1e-7", "960.0", "9007199254740991"];
    for number in numbers {
        let body = film("numbers").to_string().replacen("\"left\":100", &format!("\"left\":100,\"own\":{number}"), 1);
        assert!(body.contains(number), "{body}");
        let headers = [("authorization", client.token.as_str()), ("content-type", "application/json")];
        let body = body.replacen('{', "{\"isExport\":false,", 1);
        let id =
            send("POST", &format!("{}{PROJECT}", client.base), &headers, Some(body.into())).data()["projectId"].clone();
        let read = client.get(&format!("{PROJECT}/{}", id.as_str().expect("an id")));
        let text = String::from_utf8(read.bytes).expect("text");
        assert!(text.contains(&format!("\"own\":{number}")), "{number} came back otherwise: {text}");
    }
}

#[test]
fn callback_ids_come_back() {
    let mut body = film("callback");
    body["callbackId"] = json!("order-17");
    let id = admin().draft(body);
    assert_eq!(stored(&id)["callbackId"], json!("order-17"));
    assert_eq!(admin().get(&format!("/api/odin/v3/editor/progress/{id}")).data()["callbackId"], json!("order-17"));
}

#[test]
fn an_estimate_says_length_and_price_and_stores_nothing() {
    let (client, _) = account("estimator@example.com", "api");
    let mut body = film("estimate");
    body["scenes"][0]["duration"] = json!(25);
    let data = client.post("/api/odin/v3/editor/estimate", body).data();
    assert_eq!((&data["valid"], &data["duration"], &data["credits"]), (&json!(true), &json!(25), &json!(3)), "{data}");
    let data = client.post("/api/odin/v3/editor/estimate", json!({ "scenes": [{}] })).data();
    assert_eq!(data["valid"], json!(false));
    assert!(data["problems"].as_array().is_some_and(|all| all.len() > 2), "{data}");
    assert_eq!(client.get(&format!("{PROJECT}?state=all")).header("x-total-count"), "0");
}

#[test]
fn an_estimate_says_which_language_each_line_is_taken_to_be_in() {
    let client = admin();
    let body = |texts: &[&str], language: Value| {
        let scene = |text: &&str| {
            let script =
                json!({ "org": text, "isTTS": false, "tts": null, "modelId": "nora", "clothId": "nora/blazer" });
            let mut scene = scene();
            scene["scripts"] = json!([script]);
            scene
        };
        let mut body = film("languages");
        body["scenes"] = texts.iter().map(scene).collect();
        body["language"] = language;
        body
    };
    let asked = |body: Value| client.post("/api/odin/v3/editor/estimate", body).data();
    let told = |data: &Value| -> Vec<(Value, Value)> {
        let lines = data["languages"].as_array().unwrap_or_else(|| panic!("{data}"));
        lines.iter().map(|line| (line["spoken"].clone(), line["toldBy"].clone())).collect()
    };
    let german = "Guten Tag, wir sprechen heute über die Ergebnisse und das Jahr.";
    let other = "Das ist nicht alles, und wir zeigen auch die Zahlen für den Sommer.";
    // A doubtful sentence in between follows the rest of the film.
    let data = asked(body(&[german, other, "Compere 3000"], Value::Null));
    assert_eq!(told(&data)[0], (json!("de"), json!("text")), "{data}");
    assert_eq!(told(&data)[2], (json!("de"), json!("film")), "{data}");
    assert_eq!(data["languages"][2]["heard"], Value::Null);
    assert_eq!(
        (&data["languages"][2]["scene"], &data["languages"][2]["path"]),
        (&json!(2), &json!("scenes[2].scripts[0]"))
    );
    // Alone it follows the presenter; and what the author says of the film goes before that.
    assert_eq!(told(&asked(body(&["Compere 3000"], Value::Null)))[0].1, json!("presenter"));
    assert_eq!(told(&asked(body(&["Compere 3000"], json!("fr-FR"))))[0], (json!("fr-FR"), json!("film")));
    assert_eq!(told(&asked(body(&[german], json!("fr-FR"))))[0].1, json!("text"), "beyond doubt");
    let warnings = asked(body(&[german], json!("tlh")))["warnings"].clone();
    assert!(warnings[0]["msg"].as_str().is_some_and(|told| told.contains("no voice here speaks `tlh`")), "{warnings}");
    // A film that is refused for its language says so with it.
    let mut clash = body(&["안녕하세요, 여러분"], Value::Null);
    clash["scenes"][0]["scripts"][0]["isTTS"] = json!(true);
    clash["scenes"][0]["scripts"][0]["tts"] = json!({ "voice": "espeak-en-us" });
    let data = asked(clash);
    assert_eq!((&data["valid"], &data["languages"][0]["fits"]), (&json!(false), &json!(false)), "{data}");
    assert_eq!(data["languages"][0]["heard"], json!("ko"));
}

#[test]
fn a_preview_is_one_frame() {
    let id = admin().draft(film("preview"));
    let reply = admin().get(&format!("{PROJECT}/{id}/preview?scene=0&t=0.5&width=320"));
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, "image/png"),
        "{}",
        String::from_utf8_lossy(&reply.bytes)
    );
    assert!(reply.bytes.starts_with(b"\x89PNG"));
    admin().get(&format!("{PROJECT}/{id}/preview?scene=5")).fails(400, 4001);
    admin().get(&format!("{PROJECT}/000000000000000000000000/preview")).fails(404, 4040);
}

#[test]
fn a_suspended_owner_keeps_the_projects() {
    let (client, _) = account("back@example.com", "api");
    let id = client.draft(film("kept"));
    command(&["account", "suspend", "back@example.com"]);
    client.get(&format!("{PROJECT}/{id}")).fails(401, 4010);
    command(&["account", "resume", "back@example.com"]);
    client.get(&format!("{PROJECT}/{id}")).fails(401, 4010);
}

#[test]
fn lists_are_searched_and_leafed_through() {
    let client = account("reader@example.com", "api").0;
    let ids: Vec<String> = (0..5).map(|number| client.draft(film(&format!("Leaf {number}")))).collect();
    client.draft(film("Another"));
    let found = client.get("/api/odin/v3/editor/project?state=all&name=lEAF&limit=2");
    let named = |reply: &crate::house::Reply| -> Vec<String> {
        let data = reply.data();
        let items = data.as_array().expect("a list").iter();
        items.map(|item| item["id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!((named(&found), found.header("x-total-count")), (vec![ids[4].clone(), ids[3].clone()], "5"));
    let (mut all, mut page) = (named(&found), found);
    while let Some(link) = page.header("link").strip_prefix('<').and_then(|link| link.split_once('>')) {
        assert_eq!(link.1, "; rel=\"next\"");
        page = client.get(link.0.strip_prefix(client.base.as_str()).expect("our address"));
        all.extend(named(&page));
        assert!(all.len() <= 5, "{all:?}");
    }
    assert_eq!(all, ids.iter().rev().cloned().collect::<Vec<_>>());
    // What a page ended with may be deleted before the next one is asked for.
    let page = client.get("/api/odin/v3/editor/project?state=all&name=leaf&limit=2");
    let next = page.header("link").trim_start_matches('<').split('>').next().expect("an address").to_owned();
    client.with("DELETE", "/api/odin/v3/editor/project", &[], Some(json!({ "ids": named(&page) })));
    let rest = client.get(next.strip_prefix(client.base.as_str()).expect("our address"));
    assert_eq!(named(&rest), [ids[2].clone(), ids[1].clone()]);
    client.get("/api/odin/v3/editor/project?state=all&after=garbage").fails(400, 4000);
    let error = client.get("/api/odin/v3/editor/project?stat=all").fails(400, 4000);
    assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("stat") && msg.contains("limit")), "{error}");
}

#[test]
fn an_edit_of_what_was_read_before_another_edit_is_refused() {
    let client = admin();
    let id = client.draft(film("for two"));
    let path = format!("/api/odin/v3/editor/project/{id}");
    let tag = client.get(&path).header("etag").to_owned();
    let edit = |text: &str| {
        let value = json!([{ "sceneIdx": 0, "type": "textImage", "values": { "text": text } }]);
        json!({ "isExport": false, "updates": { "value": value } })
    };
    client.with("POST", &path, &[("if-match", &tag)], Some(edit("mine"))).data();
    let late = client.with("POST", &path, &[("if-match", &tag)], Some(edit("theirs"))).fails(412, 4120);
    assert!(late["msg"].as_str().is_some_and(|msg| msg.contains("revision 2")), "{late}");
    let read = client.get(&path);
    assert_eq!(read.data()["project"]["scenes"][0]["clips"][0]["text"], json!("mine"));
    client.with("POST", &path, &[("if-match", read.header("etag"))], Some(edit("again"))).data();
    client.with("POST", &path, &[("if-match", "*")], Some(edit("whatever is there"))).data();
    client.with("POST", &path, &[("if-match", "yesterday's")], Some(edit("no"))).fails(400, 4000);
    let by_tag = json!({ "projectId": id, "updates": { "title": "by its tag" } });
    client.with("POST", &format!("{PROJECT}/modify"), &[("if-match", &tag)], Some(by_tag)).fails(412, 4120);
}

#[test]
fn what_cannot_be_an_id_is_told_so() {
    let (client, id) = (admin(), json!({ "projectId": "my-project" }));
    for (method, path, body) in [
        ("GET", "/api/odin/v3/editor/project/my-project", None),
        ("GET", "/api/odin/v3/editor/progress/my-project", None),
        ("GET", "/api/odin/editor/project/my-project", None),
        ("DELETE", "/api/odin/v3/assets/my-project", None),
        ("DELETE", "/api/odin/v3/account/keys/my-project", None),
        ("POST", "/api/odin/v3/editor/project/export", Some(id.clone())),
        ("POST", "/api/odin/v3/editor/project/modify", Some(id)),
    ] {
        let error = client.with(method, path, &[], body).fails(400, 4000);
        assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("24 hexadecimal")), "{error}");
    }
}

/// What nobody will see is said by whatever takes it in.
#[test]
fn what_is_not_seen_is_a_warning_everywhere() {
    let client = admin();
    let mut body = film("unseen");
    body["scenes"][0]["clips"][0]["left"] = json!(5000);
    let warned_at = |place: &str, told: &Value| {
        let path = told["warnings"][0]["path"].as_str().unwrap_or_else(|| panic!("no warning: {told}"));
        assert!(path.ends_with(place), "{told}");
    };
    let warned = |told: &Value| warned_at("clips[0]", told);
    warned(&client.post("/api/odin/v3/editor/estimate", body.clone()).data());
    body["isExport"] = json!(false);
    let made = client.post(PROJECT, body).data();
    warned(&made);
    let id = made["projectId"].as_str().expect("an id");
    let edit =
        json!({ "updates": [{ "sceneIdx": 0, "type": "textImage", "values": { "text": "Out" } }], "isExport": false });
    // Of the element that the entry changed.
    warned_at("updates[0]", &client.post(&format!("{PROJECT}/{id}"), edit).data());
    warned(&client.post(&format!("{PROJECT}/export"), json!({ "projectId": id, "resolution": 480 })).data());
    client.post(&format!("{PROJECT}/{id}/cancel"), json!({})).data();
}

#[test]
fn any_project_may_become_a_template() {
    const TEMPLATES: &str = "/api/odin/v3/templates";
    let (client, _) = account("templates@example.com", "api");
    let id = client.draft(film("monthly news"));
    assert_eq!(client.get(TEMPLATES).data(), json!([]));
    for _ in 0..2 {
        let made = client.post(TEMPLATES, json!({ "projectId": id })).data();
        assert_eq!((&made["id"], &made["name"], &made["sceneCount"]), (&json!(id), &json!("monthly news"), &json!(1)));
    }
    assert_eq!(client.get(TEMPLATES).data().as_array().map(Vec::len), Some(1));
    let path = format!("/api/odin/v3/editor/template/{id}");
    let copy = client.post(&path, json!({ "name": "May", "model": "david" })).data()["projectId"].clone();
    let scenes =
        client.get(&format!("{PROJECT}/{}", copy.as_str().expect("an id"))).data()["project"]["scenes"].clone();
    assert!(scenes.to_string().contains("david"), "somebody else, in what they wear: {scenes}");

    // Nobody else's, and gone with its project.
    let (stranger, _) = account("no-templates@example.com", "api");
    stranger.post(TEMPLATES, json!({ "projectId": id })).fails(404, 4040);
    client.with("DELETE", &format!("{TEMPLATES}/{id}"), &[], None).data();
    assert_eq!(client.get(TEMPLATES).data(), json!([]));
    client.post(TEMPLATES, json!({ "projectId": id })).data();
    client.with("DELETE", PROJECT, &[], Some(json!({ "ids": [id] })));
    assert_eq!(client.get(TEMPLATES).data(), json!([]));
}
