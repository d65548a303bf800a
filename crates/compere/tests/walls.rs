//! Who may use whom inside this crate, read from its sources. Between crates the compiler holds the walls.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each module and those it may use. Doors (`api`, `web`, `cli`) know the office and not each other; only the wiring
/// (`serve`) knows them, and only the command line starts the wiring.
const ARROWS: [(&str, &[&str]); 10] = [
    ("tell", &[]),
    ("http", &[]),
    ("doctor", &[]),
    ("worker", &[]),
    ("crew", &["worker"]),
    ("api", &["http"]),
    ("web", &["http", "doctor"]),
    ("bench", &["tell", "worker"]),
    ("serve", &["api", "http", "web", "crew", "worker"]),
    ("cli", &["tell", "serve", "worker", "doctor", "bench"]),
];

/// Of `compere_store`, doors name what is told of records, never what changes them.
const CHANGES_RECORDS: [&str; 10] = [
    "Store",
    "Objects",
    "Key",
    "NewProject",
    "NewExport",
    "NewAccount",
    "Before",
    "hash_password",
    "verify_password",
    "issue_key",
];

fn sources(of: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![of.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Modules by name, with the text of all their files.
fn modules() -> BTreeMap<String, String> {
    let mut modules: BTreeMap<String, String> = BTreeMap::new();
    for path in sources(&root()) {
        let inside = path.strip_prefix(root()).expect("below the root");
        let name = inside.iter().next().expect("a name").to_string_lossy().trim_end_matches(".rs").to_owned();
        modules.entry(name).or_default().push_str(&std::fs::read_to_string(&path).expect("a text"));
    }
    modules.retain(|name, _| name != "lib" && name != "main");
    modules
}

fn arrows(text: &str) -> BTreeSet<String> {
    let word = |rest: &str| rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect::<String>();
    text.match_indices("crate::").map(|(at, found)| word(&text[at + found.len()..])).collect()
}

#[test]
fn modules_use_only_whom_they_may() {
    let modules = modules();
    let known: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    assert_eq!(modules.keys().map(String::as_str).collect::<BTreeSet<_>>(), known, "every module is in the table");
    for (name, allowed) in ARROWS {
        let used = arrows(&modules[name]);
        let strange: Vec<&String> =
            used.iter().filter(|used| *used != name && !allowed.contains(&used.as_str())).collect();
        assert!(strange.is_empty(), "`{name}` uses {strange:?}");
        let unused = allowed.iter().find(|allowed| !used.contains(**allowed));
        assert_eq!(unused, None, "`{name}` does not use it any more: take it out of the table");
    }
}

#[test]
fn the_table_has_no_circles() {
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    while done.len() < allowed.len() {
        let next =
            allowed.iter().find(|(name, uses)| !done.contains(*name) && uses.iter().all(|used| done.contains(used)));
        done.insert(next.unwrap_or_else(|| panic!("a circle among those that are not {done:?}")).0);
    }
}

#[test]
fn doors_change_no_records() {
    let modules = modules();
    for door in ["api", "web", "cli", "http", "serve"] {
        for (at, _) in modules[door].match_indices("compere_store::") {
            let text = modules[door][at..].split([';', '(', ' ']).next().unwrap_or_default();
            let list = modules[door][at..].split(';').next().unwrap_or_default();
            let named = if text.contains('{') { list } else { text };
            let names: BTreeSet<&str> = named.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
            let wrong: Vec<&&str> = CHANGES_RECORDS.iter().filter(|name| names.contains(**name)).collect();
            // The wiring opens what it hands to the office and the engine.
            let excused = door == "serve" && wrong == [&"Store"];
            assert!(wrong.is_empty() || excused, "`{door}` names {wrong:?}: {named}");
        }
    }
}

/// The office knows neither HTTP nor pages.
#[test]
fn the_office_knows_no_http() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compere-office/Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).expect("a manifest");
    for name in ["axum", "hyper", "tower", "askama", "utoipa", "clap", "ureq"] {
        assert!(!manifest.lines().any(|line| line.starts_with(name)), "{name}");
    }
}
