//! Clients as users write them, in their own languages.

use std::path::Path;
use std::process::Command;

use crate::house::{admin, film, house};

fn run(program: &str, file: &str) {
    let project = admin().draft(film(&format!("for {program}")));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/service/clients").join(file);
    let output = Command::new(program)
        .arg(path)
        .env("CLIENTS", Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients"))
        .env("BASE_URL", &house().base)
        .env("APP_ID", &house().app_id)
        .env("USER_KEY", &house().user_key)
        .env("PROJECT_ID", project)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && told.contains("downloaded"),
        "{told}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_python_client_exports_polls_and_downloads() {
    run("python3", "client.py");
}

#[test]
fn a_node_client_reads_changes_and_posts_again() {
    run("node", "client.mjs");
}

#[test]
fn the_generated_python_client_makes_a_film() {
    run("python3", "generated.py");
}

#[test]
fn the_generated_javascript_client_makes_a_film() {
    run("node", "generated.mjs");
}

/// The clients and the collection are those of the document.
#[test]
fn clients_are_generated_from_the_document() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/clients.py");
    let output = Command::new("python3").arg(script).arg("--check").output().expect("python3");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn published_python_clients_work_with_another_host_and_keys() {
    run("python3", "flows.py");
}

#[test]
fn published_node_clients_work_with_another_host_and_keys() {
    run("node", "flows.mjs");
}
