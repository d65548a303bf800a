//! The documents: the OpenAPI snapshot, its examples, the guide's walk-throughs, the list of conformance.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::house::{admin, film, house, open, send, stop};
use crate::writer;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What clients are generated from changes only when somebody means it: `COMPERE_ACCEPT=1` writes the new document.
#[test]
fn the_document_is_the_one_under_review() {
    let served = send("GET", &format!("{}/docs/openapi.json", house().base), &[], None).json();
    let file = root().join("docs/openapi.json");
    if std::env::var_os("COMPERE_ACCEPT").is_some() {
        let text = serde_json::to_string_pretty(&served).expect("JSON") + "\n";
        std::fs::write(&file, text).expect("it is written");
    }
    let known: Value = serde_json::from_slice(&std::fs::read(&file).expect("the document")).expect("JSON");
    assert!(
        known == served,
        "docs/openapi.json is not what the service says; if that is meant, run with COMPERE_ACCEPT=1"
    );
}

/// The five lines of the README, as they are printed but for the address.
#[test]
fn the_five_lines_make_a_film() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let (_, section) = text.split_once("## A film in five lines").expect("the section");
    let (_, block) = section.split_once("```python\n").expect("its lines");
    let (lines, _) = block.split_once("```").expect("their end");
    assert_eq!(lines.lines().count(), 5, "{lines}");
    let printed = "http://127.0.0.1:7300";
    assert!(lines.contains(printed), "{lines}");
    let dir = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(root().join("examples"), dir.path().join("examples")).expect("the examples");
    // A house of its own: in the shared one its film would keep others waiting.
    let (own, mut child) = open("", "five-lines");
    // The fourth line waits for a film that comes; here it must not wait for one that does not.
    let output = Command::new("timeout")
        .args(["900", "python3", "-c", &lines.replace(printed, &own.base)])
        .current_dir(dir.path())
        .env("PYTHONPATH", root().join("clients/python"))
        .env("APP_ID", &own.app_id)
        .env("USER_KEY", &own.user_key)
        .output()
        .expect("python3");
    stop(&mut child);
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}: {told}", output.status);
    let made = std::fs::read(dir.path().join("film.mp4")).unwrap_or_default();
    assert_eq!(made.get(4..8), Some(&b"ftyp"[..]), "no film was downloaded: {told}");
}

/// The guide's table is the one that answers are made from.
#[test]
fn the_guide_lists_every_error() {
    let guide = std::fs::read_to_string(root().join("docs/api.md")).expect("the guide");
    for entry in compere_house::TABLE {
        let row = format!("| {} | {} | {} | {} |", entry.status, entry.code, entry.name, entry.means);
        assert!(guide.contains(&row), "docs/api.md lacks: {row}");
    }
}

#[test]
fn every_example_in_the_document_works() {
    let client = admin();
    let document = send("GET", &format!("{}/docs/openapi.json", client.base), &[], None).json();
    let (draft, legacy) = (client.draft(film("for examples")), older_draft());
    let design = json!({ "name": "For examples", "faces": { "nora": 1 } });
    let designed = client.post("/api/odin/v3/avatars/designs", design).data();
    let designed = designed["id"].as_str().expect("an id");
    let mut ran = 0;
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let Some(example) = example(&document, operation) else { continue };
            // They want a video and a photo, which tests of their own send.
            if path.ends_with("/customavatar") || path.ends_with("/dreamavatar") {
                continue;
            }
            let mut body = example.clone();
            let older = path.starts_with("/api/odin/editor");
            let id = if path.ends_with("/design") {
                designed
            } else if older {
                &legacy
            } else {
                &draft
            };
            let url = path.replace("{id}", id).replace("{key}", id);
            if body["projectId"].is_string() {
                body["projectId"] = json!(draft);
            }
            if body["appId"].is_string() {
                body = json!({ "appId": house().app_id, "userKey": house().user_key });
            }
            if body["url"].is_string() {
                body["url"] = json!(format!("{}/news", writer::base()));
            }
            if path.ends_with("/account/webhooks") {
                // Others count what is sent.
                body["enabled"] = json!(false);
            }
            let reply = client.with(&method.to_uppercase(), &url, &[], Some(body));
            assert_eq!(reply.status, 200, "{method} {path}: {}", String::from_utf8_lossy(&reply.bytes));
            ran += 1;
        }
    }
    assert!(ran >= 12, "only {ran} examples");
}

fn older_draft() -> String {
    let scene = json!({ "AIModel": { "model": "nora", "clothes": "nora/blazer", "language": "en", "script": "Hi.", "locationX": 0, "locationY": 0 } });
    let body = json!({ "scenes": [scene, scene], "isExport": false, "resolution": 480 });
    admin().post("/api/odin/editor/project", body).json()["key"].as_str().expect("a key").to_owned()
}

fn example(document: &Value, operation: &Value) -> Option<Value> {
    let content = &operation["requestBody"]["content"]["application/json"];
    let reference = content["schema"]["$ref"].as_str()?;
    let schema = document.pointer(reference.strip_prefix('#')?)?;
    schema.get("example").or_else(|| schema["examples"].get(0)).cloned()
}

/// Code blocks of the guide, by language.
fn blocks(language: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("docs/api.md")).expect("the guide");
    let fence = format!("```{language}\n");
    let parts = text.split(&fence).skip(1);
    parts.map(|part| part.split("```").next().unwrap_or_default().to_owned()).collect()
}

fn runs(program: &str, language: &str, ending: &str) {
    let all = blocks(language).join("\n");
    assert!(all.len() > 200, "the guide has no {language}");
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join(format!("walk.{ending}"));
    std::fs::write(&file, all).expect("it is written");
    let output = Command::new(program)
        .arg(&file)
        .current_dir(dir.path())
        .env("BASE_URL", &house().base)
        .env("APP_ID", &house().app_id)
        .env("USER_KEY", &house().user_key)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}");
    let made = std::fs::read(dir.path().join("hello.mp4")).unwrap_or_default();
    assert_eq!(made.get(4..8), Some(&b"ftyp"[..]), "no film was downloaded: {told}");
}

#[test]
fn the_guide_works_with_curl() {
    runs("bash", "bash", "sh");
}

#[test]
fn the_guide_works_with_python() {
    runs("python3", "python", "py");
}

#[test]
fn the_guide_works_with_node() {
    runs("node", "js", "mjs");
}

/// Every row of the contract names tests that exist.
#[test]
fn the_list_of_conformance_names_real_tests() {
    let list = std::fs::read_to_string(root().join("docs/conformance.md")).expect("the list");
    let known = all_tests();
    let mut named = 0;
    for row in list.lines().filter(|line| line.starts_with('|') && !line.starts_with("|-")).skip(1) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let tests = cells.get(2).copied().unwrap_or_default();
        for name in tests.split('`').skip(1).step_by(2) {
            assert!(known.contains(name), "no test is called {name}: {row}");
            named += 1;
        }
    }
    assert!(named > 60, "only {named} tests are named");
}

fn all_tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut folders = vec![root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let test = |part: &str| Some(part.split("fn ").nth(1)?.split('(').next()?.to_owned());
                names.extend(text.split("#[test]").skip(1).filter_map(test));
                names.extend(text.split("#[tokio::test").skip(1).filter_map(test));
            }
        }
    }
    names
}
