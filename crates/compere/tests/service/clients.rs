//! Clients as users write them, in their own languages.

use std::path::Path;
use std::process::Command;

use crate::house::{admin, film, house};

fn run(program: &str, file: &str) {
    let project = admin().draft(film(&format!("for {program}")));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/service/clients").join(file);
    let output = Command::new(program)
        .arg(path)
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
