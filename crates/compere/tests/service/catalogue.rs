//! Who and what there is.

use serde_json::json;

use crate::house::{admin, film, send};

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
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/webp"));
    let picture = send("GET", &format!("{}/media/p/figure/plain.jpg", client.base), &[], None);
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/jpeg"));
    send("GET", &format!("{}/media/p/figure/plain.webp", client.base), &[], None).fails(404, 4040);
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

/// What the vendor documents (method, path), and whether it works here. Everything else is a client that reads an outage.
const DOCUMENTED: [(&str, &str, bool); 39] = [
    ("POST", "/auth/token", true),
    ("GET", "/auth", true),
    ("POST", "/editor/project", true),
    ("GET", "/editor/project", true),
    ("DELETE", "/editor/project", true),
    ("GET", "/editor/project/{id}", true),
    ("POST", "/editor/project/{id}", true),
    ("POST", "/editor/project/export", true),
    ("POST", "/editor/project/pptpdf", true),
    ("POST", "/editor/project/modify", true),
    ("POST", "/project/modify", true),
    ("POST", "/editor/template/{id}", true),
    ("POST", "/editor/template/modify", true),
    ("POST", "/template/modify", true),
    ("GET", "/editor/progress/{id}", true),
    ("GET", "/editor/projects", true),
    ("GET", "/model", true),
    ("GET", "/dropdown/models", true),
    ("GET", "/dropdown/templates_business", true),
    ("POST", "/dropdown/templates_automation", true),
    ("GET", "/dropdown/workspaces", true),
    ("POST", "/simple/video", true),
    ("POST", "/simple/audio", true),
    ("POST", "/simple/custom", true),
    ("POST", "/automation/scripts_to_video", true),
    ("GET", "/automation/progress", true),
    ("POST", "/tools/voice-generator", true),
    ("POST", "/automation/translatevideos", false),
    ("POST", "/automation/docs-to-video/upload-files", true),
    ("POST", "/automation/docs-to-video", true),
    ("POST", "/automation/topic_to_video", true),
    ("POST", "/automation/url_to_video", true),
    ("POST", "/tools/text-generator", true),
    ("POST", "/tools/image-generator", true),
    ("POST", "/tools/video-generator", true),
    ("POST", "/avatars/customavatar", true),
    ("POST", "/avatars/dreamavatar", true),
    ("GET", "/automation/translatevideos", false),
    ("POST", "/avatars/voiceclone", false),
];

#[test]
fn every_path_that_the_vendor_documents_is_answered_as_the_table_says() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/compatibility.md");
    let table = std::fs::read_to_string(file).expect("the table");
    let client = admin();
    let id = client.draft(film("for the catalogue"));
    for (method, path, works) in DOCUMENTED {
        let bare = path.split("/{").next().unwrap_or(path);
        let row = table.lines().find(|line| line.starts_with('|') && line.contains(bare));
        let row = row.unwrap_or_else(|| panic!("docs/compatibility.md does not say what {path} does"));
        assert_eq!(row.contains("refused, 4031"), !works, "{method} {path}: {row}");
        let url = format!("/api/odin/v3{}", path.replace("{id}", &id));
        let body = (method != "GET").then(|| json!({}));
        let reply = client.with(method, &url, &[], body);
        if works {
            assert!(matches!(reply.status, 200 | 400 | 415), "{method} {path}: {}", reply.status);
        } else {
            reply.fails(403, 4031);
        }
    }
}

#[test]
fn a_voice_speaks_without_a_presenter() {
    let client = admin();
    let body = json!({ "script": "Hello there.", "model": "tone", "type": "deepbrainai", "language": "en" });
    let spoken = client.post("/api/odin/v3/tools/voice-generator", body).data();
    assert_eq!(spoken["voice"], json!("tone"), "{spoken}");
    let sound = send("GET", spoken["downloadUrl"].as_str().expect("an address"), &[], None);
    assert_eq!(&sound.bytes[..4], b"RIFF");
    let body = json!({ "script": "Hello there.", "model": "espeak-de", "language": "ko" });
    let warned = client.post("/api/odin/v3/tools/voice-generator", body).data()["warnings"].clone();
    assert!(warned[0].to_string().contains("`espeak-de` speaks de"), "{warned}");
    let error = client.post("/api/odin/v3/tools/voice-generator", json!({ "script": "Hello." })).fails(400, 4001);
    let paths: Vec<_> = error["details"].as_array().into_iter().flatten().map(|one| one["path"].clone()).collect();
    assert_eq!(paths, [json!("model"), json!("language")]);
    let body = json!({ "script": "Hello.", "model": "nobody", "language": "en" });
    let error = client.post("/api/odin/v3/tools/voice-generator", body).fails(400, 4005);
    assert_eq!(error["details"][0]["path"], json!("model"), "{error}");
}

#[test]
fn lists_refuse_what_nobody_can_ask_of_them() {
    let client = admin();
    for path in [
        "model",
        "dropdown/models",
        "dropdown/workspaces",
        "dropdown/templates_business",
        "fonts",
        "avatars",
        "templates",
        "account/keys",
        "account/webhooks",
    ] {
        let told = client.get(&format!("/api/odin/v3/{path}?page=2")).fails(400, 4000);
        assert!(told.to_string().contains("`page`"), "{path}: {told}");
        client.get(&format!("/api/odin/v3/{path}")).data();
    }
    // What clients of the vendor ask its templates for.
    let asked = "category=business&orientation=web&fileBackground=false";
    client.get(&format!("/api/odin/v3/dropdown/templates_automation?{asked}")).data();
}
