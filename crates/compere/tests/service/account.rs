//! What an account may know of itself and change by the API.

use serde_json::{Value, json};

use crate::house::{Client, account, command, film, house, send};

#[test]
fn an_account_knows_its_plan_and_what_its_credits_went_to() {
    let (client, _) = account("thrifty@example.com", "purse");
    let record = client.get("/api/odin/v3/account").data();
    assert_eq!((&record["email"], &record["plan"]["name"]), (&json!("thrifty@example.com"), &json!("purse")));
    assert_eq!((&record["credits"], &record["plan"]["monthlyCredits"]), (&json!(3), &json!(3)), "{record}");
    let id = client.create(film("paid for"));
    client.wait(&id);
    let moved = client.get("/api/odin/v3/account/credits").data();
    let sum: i64 = moved.as_array().expect("movements").iter().filter_map(|one| one["amount"].as_i64()).sum();
    assert_eq!(client.get("/api/odin/v3/account").data()["credits"], json!(sum), "{moved}");
    assert!(sum < 3, "{moved}");
    let first = client.get("/api/odin/v3/account/credits?limit=1");
    let next = first.header("link").strip_prefix('<').and_then(|link| link.split_once('>')).expect("goes on").0;
    let next = next.split_once("/api").map(|(_, path)| format!("/api{path}")).expect("an address of the service");
    assert_eq!((&first.data()[0], &client.get(&next).data()[0]), (&moved[0], &moved[1]));
    assert_eq!(client.get("/api/odin/v3/account/credits?offset=1").status, 400, "nothing is passed over in silence");
    let exports = client.get(&format!("/api/odin/v3/editor/project/{id}/exports")).data();
    assert_eq!((exports[0]["state"].clone(), exports[0]["credits"].clone()), (json!("exported"), json!(3 - sum)));
}

#[test]
fn key_pairs_are_issued_bound_and_revoked() {
    let (client, _) = account("keeper@example.com", "api");
    let workspace = house().records(async |store| {
        let owner = store.account_by_email("keeper@example.com").await.expect("reads").expect("it is there");
        store.create_workspace(&owner.id, "One room").await.expect("creates").id
    });
    let issue = |body: Value| client.post("/api/odin/v3/account/keys", body).data();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let sign_in = |pair: &Value| Client::new(house(), &text(&pair["appId"]), &text(&pair["userKey"]));
    let (whole, bound) =
        (issue(json!({ "name": "whole" })), issue(json!({ "name": "bound", "workspaceId": workspace })));
    assert_eq!(sign_in(&whole).get("/api/odin/v3/account/keys").data().as_array().map(Vec::len), Some(3));
    // A slip must not make a key that pays.
    let slip = client.post("/api/odin/v3/account/keys", json!({ "name": "try", "tset": true })).fails(400, 4001);
    assert!(slip.to_string().contains("did you mean `test`?"), "{slip}");
    // Who sees one workspace must not make itself a key for all.
    let narrow = sign_in(&bound);
    narrow.get("/api/odin/v3/account").data();
    narrow.post("/api/odin/v3/account/keys", json!({ "name": "more" })).fails(403, 4030);
    narrow.get("/api/odin/v3/account/keys").fails(403, 4030);
    narrow.get("/api/odin/v3/account/webhook-secret").fails(403, 4030);
    let path = format!("/api/odin/v3/account/keys/{}", text(&bound["id"]));
    client.with("DELETE", &path, &[], None).data();
    narrow.get("/api/odin/v3/auth").fails(401, 4010);
    let (stranger, _) = account("locksmith@example.com", "api");
    let path = format!("/api/odin/v3/account/keys/{}", text(&whole["id"]));
    stranger.with("DELETE", &path, &[], None).fails(404, 4040);
    client.post("/api/odin/v3/account/keys", json!({ "name": "no", "workspaceId": "nowhere" })).fails(404, 4040);
}

#[test]
fn the_secret_of_webhooks_is_told_and_replaced() {
    let (client, _) = account("signer@example.com", "api");
    let path = "/api/odin/v3/account/webhook-secret";
    let before = client.get(path).data()["secret"].clone();
    let after = client.post(path, json!({})).data()["secret"].clone();
    assert!(before.as_str().is_some_and(|secret| secret.starts_with("whsec_")) && before != after, "{before} {after}");
    assert_eq!(client.get(path).data()["secret"], after);
    // Whoever did not hear the answer and asks again replaces nothing twice.
    let ask = || client.with("POST", path, &[("idempotency-key", "once")], Some(json!({})));
    let third = ask().data()["secret"].clone();
    assert_eq!(ask().data()["secret"], third);
    assert_eq!(client.get(path).data()["secret"], third);
    send("GET", &format!("{}{path}", client.base), &[], None).fails(401, 4010);
}

/// Where in the films of test keys letters are, and elsewhere nothing is.
fn middle(film: &[u8]) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("film.mp4");
    std::fs::write(&file, film).expect("it is written");
    let output = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(&file)
        .args(["-frames:v", "1", "-vf", "crop=iw/3:ih/6", "-f", "rawvideo", "-pix_fmt", "gray", "-"])
        .output()
        .expect("ffmpeg");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn films_of_test_keys_are_marked_and_cost_nothing() {
    let (client, _) = account("rehearsal@example.com", "purse");
    let moved = client.get("/api/odin/v3/account/credits").data();
    let pair = client.post("/api/odin/v3/account/keys", json!({"name": "tests", "test": true})).data();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    assert!(text(&pair["appId"]).starts_with("compere.test."), "{pair}");
    let tests = Client::new(house(), &text(&pair["appId"]), &text(&pair["userKey"]));
    let listed = client.get("/api/odin/v3/account/keys").data();
    let flags: Vec<bool> = listed.as_array().expect("keys").iter().filter_map(|key| key["test"].as_bool()).collect();
    assert_eq!(flags, [true, false], "{listed}");
    // Who may make films that cost nothing does not make himself others.
    tests.post("/api/odin/v3/account/keys", json!({"name": "real"})).fails(403, 4030);

    let plain = json!({"name": "marked", "resolution": 480, "scenes": [{
        "sceneIdx": 0, "duration": 1, "clips": [],
        "background": {"source_type": "color", "source_color": "rgb(20,40,60)"}}]});
    let id = tests.create(plain);
    let shown = |client: &Client| {
        let done = client.wait(&id);
        let url = done["data"]["downloadUrl"].as_str().unwrap_or_else(|| panic!("no film: {done}")).to_owned();
        middle(&send("GET", &url, &[], None).bytes)
    };
    let marked = shown(&tests);
    let brightest = |picture: &[u8]| picture.iter().copied().max().unwrap_or_default();
    assert!(brightest(&marked) > 100, "no mark: {}", brightest(&marked));
    let bright = marked.iter().filter(|&&level| level > 100).count();
    assert!(bright * 20 > marked.len(), "the mark is small: {bright} of {}", marked.len());
    assert_eq!(client.get("/api/odin/v3/account/credits").data(), moved, "the ledger is as it was");
    let exports = client.get(&format!("/api/odin/v3/editor/project/{id}/exports")).data();
    assert_eq!((&exports[0]["test"], &exports[0]["credits"]), (&json!(true), &json!(0)), "{exports}");
    // The same order gives the same bytes of picture, and another key a film without the mark, which costs.
    let order = json!({"projectId": id, "resolution": "480"});
    tests.post("/api/odin/v3/editor/project/export", order.clone()).data();
    assert_eq!(shown(&tests), marked);
    client.post("/api/odin/v3/editor/project/export", order).data();
    let unmarked = shown(&client);
    assert!(brightest(&unmarked) < 60, "the mark stayed: {}", brightest(&unmarked));
    assert_ne!(client.get("/api/odin/v3/account/credits").data(), moved);
}

#[test]
fn test_keys_have_small_limits() {
    let (client, _) = account("sparing@example.com", "purse");
    let told = command(&["key", "issue", "--account", "sparing@example.com", "--test", "--json"]);
    let pair: Value = serde_json::from_str(&told).expect("JSON");
    let text = |key: &str| pair[key].as_str().expect("a text").to_owned();
    let tests = Client::new(house(), &text("appId"), &text("userKey"));
    let mut large = film("large");
    large["resolution"] = json!("4k");
    let told = tests.post("/api/odin/v3/editor/estimate", large.clone()).data();
    assert_eq!((&told["resolution"], &told["credits"], &told["balance"]), (&json!("720"), &json!(0), &Value::Null));
    assert!(told["warnings"].to_string().contains("test keys"), "{told}");
    assert_eq!(client.post("/api/odin/v3/editor/estimate", large).data()["credits"], json!(1));
    let long: Vec<Value> = (0..4)
        .map(|at| {
            let mut scene = crate::house::scene();
            (scene["sceneIdx"], scene["duration"]) = (json!(at), json!(30));
            scene
        })
        .collect();
    let long = json!({"name": "long", "scenes": long, "resolution": 480});
    let error = tests.post("/api/odin/v3/editor/project", long).fails(400, 4001);
    assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("at most 60 s")), "{error}");
    let speech = json!({"language": "en", "model": "nora", "text": "This is said. ".repeat(30)});
    tests.post("/api/odin/v3/simple/audio", speech).fails(400, 4001);
    let listed = command(&["key", "list", "--account", "sparing@example.com"]);
    assert!(listed.contains("for tests"), "{listed}");
}

/// Nobody gets two pairs for one request, and no secret is kept to tell it again.
#[test]
fn a_key_is_issued_once_for_an_idempotency_key() {
    let (client, _) = account("twice@example.com", "api");
    let ask = || {
        let body = Some(json!({"name": "once"}));
        client.with("POST", "/api/odin/v3/account/keys", &[("idempotency-key", "one")], body)
    };
    ask().data();
    ask().fails(409, 4090);
    assert_eq!(client.get("/api/odin/v3/account/keys").data().as_array().map(Vec::len), Some(2));
}
