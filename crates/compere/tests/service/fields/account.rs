//! Tokens, and the lists of who and what there is.

use serde_json::json;

use super::{Book, DIFFERS, Section, WORKS, admin, workspace};
use crate::house::{house, send};

pub fn books() -> Vec<Section> {
    vec![
        || vec![token()],
        || vec![check()],
        || vec![models()],
        || vec![flat_models()],
        || vec![business()],
        || vec![automation()],
        || vec![workspaces()],
    ]
}

fn token() -> Book {
    let mut book = Book::of("POST /auth/token");
    let house = house();
    let ask = |app_id: &str, user_key: &str| {
        let body = json!({ "appId": app_id, "userKey": user_key }).to_string();
        send("POST", &format!("{}/api/odin/v3/auth/token", house.base), &[], Some(body.into()))
    };
    ask("compere.somebody", &house.user_key).fails(401, 4012);
    ask(&house.app_id, "wrong").fails(401, 4012);
    book.note(WORKS, &["appId", "userKey"]);
    book.answers(&ask(&house.app_id, &house.user_key).data(), &["token"]);
    book
}

fn check() -> Book {
    let mut book = Book::of("GET /auth");
    send("GET", &format!("{}/api/odin/v3/auth", house().base), &[], None).fails(401, 4010);
    book.note(WORKS, &["Authorization"]);
    book.answers(&admin().get("/api/odin/v3/auth").data(), &["isAuthenticated"]);
    book
}

fn models() -> Book {
    let mut book = Book::of("GET /model");
    let answer = admin().get("/api/odin/v3/model").data();
    let fields =
        ["models", "models[].id", "models[].label.ko", "models[].label.en", "models[].thumbnail", "models[].clothes"];
    book.answers(&answer, &fields);
    let clothes = [
        "models[].clothes[].id",
        "models[].clothes[].label.ko",
        "models[].clothes[].label.en",
        "models[].clothes[].thumbnail",
    ];
    book.answers(&answer, &clothes);
    book
}

fn flat_models() -> Book {
    let mut book = Book::of("GET /dropdown/models");
    book.answers(&admin().get("/api/odin/v3/dropdown/models").data()[0], &["id", "label", "avatarType"]);
    book
}

fn business() -> Book {
    let mut book = Book::of("GET /dropdown/templates_business");
    let looks = admin().get("/api/odin/v3/dropdown/templates_business").data();
    assert_eq!(looks.as_array().map(Vec::len), Some(3));
    assert!(looks[0]["id"].is_string() && looks[0]["name"].is_string(), "{looks}");
    book.note(DIFFERS, &["id", "name"]);
    book
}

fn automation() -> Book {
    let mut book = Book::of("POST /dropdown/templates_automation");
    let ask = |body| admin().post("/api/odin/v3/dropdown/templates_automation", body).data();
    let all = ask(json!({}));
    for (field, value) in
        [("category", json!("social")), ("orientation", json!("mobile")), ("fileBackground", json!(true))]
    {
        assert_eq!(ask(json!({ field: value })), all, "{field} changes nothing");
        book.note(DIFFERS, &[field]);
    }
    assert!(all[0]["id"].is_string() && all[0]["name"].is_string() && all[0]["thumbnailUrl"].is_null(), "{all}");
    book.note(DIFFERS, &["id", "name", "thumbnailUrl"]);
    book
}

fn workspaces() -> Book {
    let mut book = Book::of("GET /dropdown/workspaces");
    let made = workspace();
    let all = admin().get("/api/odin/v3/dropdown/workspaces").data();
    let own = all.as_array().and_then(|all| all.iter().find(|one| one["workspaceId"] == json!(made))).cloned();
    book.answers(&own.unwrap_or_else(|| panic!("{all}")), &["workspaceId", "workspaceName"]);
    book
}
