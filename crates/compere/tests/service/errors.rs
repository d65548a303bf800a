//! One test for each row of the table of failures.

use compere_store::{Clock, SystemClock, TestClock};
use serde_json::{Value, json};

use crate::house::{Client, account, admin, film, house, key_of, open, scene, send};

const PROJECT: &str = "/api/odin/v3/editor/project";

#[test]
fn e4000_what_is_not_json() {
    let client = admin();
    for body in ["", "{", "[]", "\"text\"", "scenes=1", "{\"scenes\":[}"] {
        let headers = [("authorization", client.token.as_str()), ("content-type", "application/json")];
        send("POST", &format!("{}{PROJECT}", client.base), &headers, Some(body.into())).fails(400, 4000);
    }
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let headers = [("authorization", client.token.as_str())];
    send("POST", &format!("{}{PROJECT}", client.base), &headers, Some(deep.into())).fails(400, 4000);
    client.get(&format!("{PROJECT}/%ff%fe")).fails(400, 4000);
}

#[test]
fn e4001_all_problems_are_reported_together() {
    let body = json!({
        "orientation": "round", "resolution": "8k", "isExport": "perhaps", "webhookUrl": "not an address",
        "scenes": [{ "sceneIdx": 0, "scripts": [], "background": {}, "clips": [{ "type": "hologram" }] }],
    });
    let error = admin().post(PROJECT, body).fails(400, 4001);
    let paths: Vec<&str> =
        error["details"].as_array().expect("details").iter().filter_map(|one| one["path"].as_str()).collect();
    for path in ["orientation", "resolution", "isExport", "webhookUrl", "scenes[0].scripts", "scenes[0].clips[0].type"]
    {
        assert!(paths.contains(&path), "{path} is not in {paths:?}");
    }
}

#[test]
fn e4001_lengths_are_limited() {
    let mut body = film("x");
    body["name"] = json!("x".repeat(201));
    admin().post(PROJECT, body).fails(400, 4001);
    let mut body = film("x");
    body["callbackId"] = json!("x".repeat(257));
    admin().post(PROJECT, body).fails(400, 4001);
    let mut body = film("x");
    body["scenes"] = Value::Array(vec![scene(); 301]);
    admin().post(PROJECT, body).fails(400, 4001);
    admin().post(PROJECT, json!({ "scenes": [] })).fails(400, 4001);
}

#[test]
fn e4001_a_text_in_another_language_than_its_voice() {
    let mut body = film("x");
    body["scenes"][0]["scripts"][0]["org"] =
        json!("Guten Tag, meine Damen und Herren, wir freuen uns sehr, dass Sie da sind.");
    body["scenes"][0]["scripts"][0]["tts"] = json!({ "voice": "espeak-en-us" });
    let error = admin().post(PROJECT, body).fails(400, 4001);
    assert_eq!(error["details"][0]["path"], json!("scenes[0].scripts[0]"), "{error}");
}

fn with_presenter(model: &str, cloth: &str, ai_name: &str, emotion: &str) -> Value {
    let mut body = film("x");
    body["isExport"] = json!(false);
    let script = &mut body["scenes"][0]["scripts"][0];
    *script = json!({ "org": "Hello.", "isTTS": false, "tts": null, "modelId": model, "clothId": cloth });
    body["scenes"][0]["clips"] = json!([{
        "id": "p", "type": "aiModel", "layer": 1, "left": 0, "top": 0, "width": 800, "height": 960,
        "model": { "ai_name": ai_name, "emotion": emotion },
    }]);
    body
}

#[test]
fn e4002_script_and_presenter_have_to_agree() {
    admin().post(PROJECT, with_presenter("nora", "nora/blazer", "nora", "nora/blazer")).data();
    let other =
        admin().get("/api/odin/v3/model").data()["models"][1]["id"].as_str().expect("a second model").to_owned();
    admin().post(PROJECT, with_presenter(&other, "", "nora", "nora/blazer")).fails(400, 4002);
    admin().post(PROJECT, with_presenter("nora", "", "nora", "nora/blazer")).fails(400, 4002);
}

#[test]
fn e4003_an_unknown_model_gets_the_nearest() {
    let error = admin().post(PROJECT, with_presenter("M00000010", "1", "M00000010", "1")).fails(400, 4003);
    assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("M000000101")), "{error}");
    admin().post(PROJECT, with_presenter("M900000001", "nora/blazer", "M900000001", "nora/blazer")).data();
    // Names that people answer to besides their ids, here and in the settings.
    let said =
        |model: &str| admin().post(PROJECT, with_presenter(model, "1", model, "1")).fails(400, 4003)["msg"].to_string();
    assert!(said("norra").contains("nora"), "{}", said("norra"));
    assert!(said("M90000001").contains("M900000001"), "{}", said("M90000001"));
}

#[test]
fn e4004_an_unknown_outfit() {
    admin().post(PROJECT, with_presenter("nora", "tuxedo", "nora", "tuxedo")).fails(400, 4004);
    let error = admin().post(PROJECT, with_presenter("nora", "blazr", "nora", "blazr")).fails(400, 4004);
    assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("blazer")), "{error}");
}

#[test]
fn e4005_an_unknown_voice() {
    let mut body = film("x");
    body["scenes"][0]["scripts"][0]["tts"] = json!({ "voice": "nobody" });
    admin().post(PROJECT, body).fails(400, 4005);
}

#[test]
fn e4006_a_broken_link_is_found_by_the_check() {
    let mut body = film("x");
    body["scenes"][0]["background"] = json!({ "source_type": "image", "source_url": "http://127.0.0.1:9/no-such.png" });
    body["checkAssets"] = json!(true);
    let data = admin().post("/api/odin/v3/editor/estimate", body).data();
    assert_eq!(data["valid"], json!(false), "{data}");
    assert!(data["problems"].as_array().is_some_and(|all| all.iter().any(|one| one["code"] == json!(4006))), "{data}");
}

#[test]
fn e4010_without_a_token_or_with_a_wrong_one() {
    let url = format!("{}{PROJECT}", house().base);
    send("GET", &url, &[], None).fails(401, 4010);
    send("GET", &url, &[("authorization", "wrong")], None).fails(401, 4010);
    send("GET", &url, &[("authorization", "Bearer ")], None).fails(401, 4010);
}

#[test]
fn e4011_a_token_older_than_a_day() {
    const DAY: i64 = 24 * 3_600_000;
    // What the service would have answered then.
    let token_of = |age: i64| {
        let clock = std::sync::Arc::new(TestClock::at(SystemClock.now() - age));
        house().records_at(clock, async |store| {
            let paired = store.pair(&house().app_id, &house().user_key).await.expect("answers");
            store.issue_token(&paired.expect("a right pair")).await.expect("issues")
        })
    };
    let client = |token| Client { base: house().base.clone(), token };
    client(token_of(DAY - 600_000)).get("/api/odin/v3/auth").data();
    let error = client(token_of(DAY + 1000)).get("/api/odin/v3/auth").fails(401, 4011);
    assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("auth/token")), "{error}");
}

#[test]
fn e4012_a_wrong_key_pair() {
    let url = format!("{}/api/odin/v3/auth/token", house().base);
    let ask = |body: Value| send("POST", &url, &[], Some(body.to_string().into()));
    let wrong =
        ask(json!({ "appId": house().app_id, "userKey": "00000000-0000-4000-8000-000000000000" })).fails(401, 4012);
    let unknown = ask(json!({ "appId": "compere.no@body", "userKey": house().user_key })).fails(401, 4012);
    assert_eq!(wrong["msg"], unknown["msg"], "the answer tells which of the two is known");
    ask(json!({ "appId": 5 })).fails(400, 4001);
}

#[test]
fn e4020_no_credits_and_nothing_half_made() {
    let (client, _) = account("poor@example.com", "narrow");
    let mut body = film("dear");
    body["scenes"][0]["duration"] = json!(45);
    client.post(PROJECT, body).fails(402, 4020);
    let all = client.get(&format!("{PROJECT}?state=all"));
    assert_eq!((all.data(), all.header("x-total-count")), (json!([]), "0"));
}

#[test]
fn e4030_a_suspended_account_is_out_at_once() {
    let (client, _) = account("suspended@example.com", "api");
    client.get("/api/odin/v3/auth").data();
    crate::house::command(&["account", "suspend", "suspended@example.com"]);
    client.get("/api/odin/v3/auth").fails(401, 4010);
}

#[test]
fn e4031_a_plan_without_the_api() {
    let (app_id, user_key) = key_of("free@example.com", "free");
    let body = json!({ "appId": app_id, "userKey": user_key }).to_string();
    send("POST", &format!("{}/api/odin/v3/auth/token", house().base), &[], Some(body.into())).fails(403, 4031);
}

#[test]
fn e4040_unknown_paths_and_projects() {
    admin().get("/api/odin/v3/nothing").fails(404, 4040);
    admin().get(&format!("{PROJECT}/000000000000000000000000")).fails(404, 4040);
    admin().get("/api/odin/v3/editor/progress/0123456789abcdef01234567").fails(404, 4040);
}

#[test]
fn e4050_another_method() {
    admin().with("PATCH", PROJECT, &[], Some(json!({}))).fails(405, 4050);
    admin().with("PUT", "/api/odin/v3/auth/token", &[], Some(json!({}))).fails(405, 4050);
}

#[test]
fn e4090_one_key_for_two_requests() {
    let client = admin();
    let key = [("idempotency-key", "errors-4090")];
    let mut body = film("one");
    body["isExport"] = json!(false);
    let first = client.with("POST", PROJECT, &key, Some(body.clone())).data();
    let again = client.with("POST", PROJECT, &key, Some(body.clone()));
    assert_eq!((again.data(), again.header("idempotent-replayed")), (first, "true"));
    body["name"] = json!("two");
    client.with("POST", PROJECT, &key, Some(body)).fails(409, 4090);
}

#[test]
fn e4130_a_body_over_its_limit() {
    let mut body = film("x");
    body["ballast"] = json!("x".repeat(1 << 20));
    let error = admin().post(PROJECT, body).fails(413, 4130);
    assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("1 MB")), "{error}");
}

#[test]
fn e4150_an_upload_that_is_no_medium() {
    let client = admin();
    let headers = [("authorization", client.token.as_str())];
    let url = format!("{}/api/odin/v3/assets?name=page.png", client.base);
    send("POST", &url, &headers, Some("<html><script>alert(1)</script></html>".into())).fails(415, 4150);
}

#[test]
fn e4220_a_picture_that_cannot_be_read() {
    let client = admin();
    let headers = [("authorization", client.token.as_str())];
    let url = format!("{}/api/odin/v3/assets?name=broken.png", client.base);
    let broken = b"\x89PNG\r\n\x1a\nnot a picture at all".to_vec();
    send("POST", &url, &headers, Some(broken)).fails(422, 4220);
}

#[test]
fn e4290_too_many_requests_say_when_to_come_back() {
    let (client, _) = account("hasty@example.com", "narrow");
    let mut refused = None;
    for _ in 0..40 {
        let reply = client.get("/api/odin/v3/auth");
        if reply.status != 200 {
            refused = Some(reply);
            break;
        }
    }
    let refused = refused.expect("a limit of 20 a minute");
    refused.fails(429, 4290);
    assert!(refused.header("retry-after").parse::<u64>().is_ok_and(|seconds| (1..=60).contains(&seconds)));
    admin().get("/api/odin/v3/auth").data();
}

#[test]
fn e5030_the_object_store_is_away() {
    let (house, mut child) = open("welcome = false\nworkers = 1\n", "away");
    let client = Client::new(&house, &house.app_id, &house.user_key);
    let headers = [("authorization", client.token.as_str())];
    let url = format!("{}/api/odin/v3/assets?name=note.wav", house.base);
    let upload = || send("POST", &url, &headers, Some(b"RIFF\x24\0\0\0WAVEfmt ".to_vec()));
    let (objects, away) = (house.data.join("objects"), house.data.join("objects.away"));
    std::fs::rename(&objects, &away).expect("it goes");
    std::fs::write(&objects, "a file where the folder was").expect("it is written");
    let refused = upload();
    refused.fails(503, 5030);
    assert!(!refused.header("retry-after").is_empty());
    assert_eq!(client.get("/api/odin/v3/assets").data(), json!([]), "nothing half-made");
    std::fs::remove_file(&objects).expect("it is removed");
    std::fs::rename(&away, &objects).expect("it comes back");
    upload().data();
    child.kill().expect("it ends");
    let _ = child.wait();
}
