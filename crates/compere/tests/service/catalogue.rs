//! Who and what there is.

use serde_json::json;

use crate::house::{admin, send};

#[test]
fn models_with_their_clothes() {
    let client = admin();
    let models = client.get("/api/odin/v3/model").data()["models"].clone();
    let nora = models.as_array().expect("a list").iter().find(|model| {
        model["aliases"].as_array().is_some_and(|all| all.contains(&json!("nora"))) || model["id"] == json!("nora")
    });
    let nora = nora.expect("nora");
    assert!(nora["label"]["en"].is_string() && nora["clothes"].as_array().is_some_and(|all| !all.is_empty()), "{nora}");
    let cloth = &nora["clothes"][0];
    assert!(cloth["id"].is_string() && cloth["label"]["en"].is_string(), "{cloth}");
    let picture = send("GET", cloth["thumbnail"].as_str().expect("an address"), &[], None);
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/jpeg"));
    send("GET", &format!("{}/media/p/nobody/x.jpg", client.base), &[], None).fails(404, 4040);
}

#[test]
fn flat_lists_for_menus() {
    let models = admin().get("/api/odin/v3/dropdown/models").data();
    assert!(
        models[0]["id"].is_string() && models[0]["label"].is_string() && models[0]["avatarType"].is_string(),
        "{models}"
    );
}

#[test]
fn voices_fonts_and_backgrounds() {
    let client = admin();
    let voices = client.get("/api/odin/v3/voices?language=de").data();
    let voices = voices.as_array().expect("a list");
    assert!(
        !voices.is_empty()
            && voices.iter().all(|voice| voice["language"].as_str().is_some_and(|l| l.starts_with("de")))
    );
    assert!(client.get("/api/odin/v3/fonts").data()[0]["family"].is_string());
    let backgrounds = client.get("/api/odin/v3/backgrounds").data();
    assert!(
        backgrounds[0]["source_url"].as_str().is_some_and(|path| path.starts_with("/images/background/")),
        "{backgrounds}"
    );
}
