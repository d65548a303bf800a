//! Who may use whom inside the crates, read from their sources. Between crates the compiler holds the walls.

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

/// Of every crate: its modules and folders in the root, each with those it uses.
fn rooms(src: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let files = sources(src);
    let path_of = |file: &Path| -> Vec<String> {
        let inside = file.strip_prefix(src).expect("below the root").with_extension("");
        let mut path: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        path.pop_if(|last| last == "mod");
        path
    };
    let is_root = |path: &[String]| matches!(path, [only] if only == "lib" || only == "main");
    let names: BTreeSet<String> =
        files.iter().map(|file| path_of(file)).filter(|path| !is_root(path)).map(|path| path[0].clone()).collect();
    // What the root hands out belongs to the room it comes from.
    let root = std::fs::read_to_string(src.join("lib.rs")).unwrap_or_default();
    let mut from: BTreeMap<String, String> = BTreeMap::new();
    for list in root.split("pub use ").chain(root.split("pub(crate) use ")).skip(1) {
        let list = list.split(';').next().unwrap_or_default();
        let Some((room, handed)) = list.split_once("::").filter(|(room, _)| names.contains(*room)) else { continue };
        from.extend(words(handed).map(|word| (word.to_owned(), room.to_owned())));
    }
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in &files {
        let path = path_of(file);
        if is_root(&path) || path.iter().any(|part| part.ends_with("tests")) {
            continue;
        }
        let used = rooms.entry(path[0].clone()).or_default();
        for word in used_of_the_root(&std::fs::read_to_string(file).expect("a text"), path.len()) {
            let room = if names.contains(&word) { Some(&word) } else { from.get(&word) };
            used.extend(room.filter(|room| **room != path[0]).cloned());
        }
    }
    rooms
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// What a file `depth` below the root names of it: after `crate::`, or after as many `super::` as lead there.
fn used_of_the_root(text: &str, depth: usize) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code: String =
        code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let up = "super::".repeat(depth);
    let mut used = BTreeSet::new();
    for start in ["crate::", &up] {
        for (at, _) in code.match_indices(start) {
            // `compere_crate::` is another's, and a `super::` before leads higher.
            if code[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let rest = &code[at + start.len()..];
            if let Some(list) = rest.strip_prefix('{') {
                let list = list.split(';').next().unwrap_or_default();
                used.extend(first_words(list.split('}').next().unwrap_or_default()));
            } else {
                used.extend(words(rest).next().map(str::to_owned));
            }
        }
    }
    used
}

/// The first word of each item of a list.
fn first_words(list: &str) -> impl Iterator<Item = String> + '_ {
    list.split(',').filter_map(|item| words(item).next()).map(str::to_owned)
}

/// Whoever is left when those who use nobody else are taken away again and again.
fn in_circles(mut rooms: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let free: Vec<String> = rooms
            .iter()
            .filter(|(_, uses)| !uses.iter().any(|used| rooms.contains_key(used)))
            .map(|(name, _)| name.clone())
            .collect();
        if free.is_empty() {
            return rooms;
        }
        free.iter().for_each(|name| {
            rooms.remove(name);
        });
    }
}

#[test]
fn no_crate_has_a_circle_of_rooms() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seen = 0;
    for entry in std::fs::read_dir(crates).expect("the crates") {
        let src = entry.expect("an entry").path().join("src");
        if !src.join("lib.rs").exists() {
            continue;
        }
        let circles = in_circles(rooms(&src));
        assert!(circles.is_empty(), "{}: {circles:#?}", src.display());
        seen += 1;
    }
    assert!(seen > 12, "only {seen} crates were looked at");
}

/// The check itself can fail.
#[test]
fn circles_are_found() {
    let uses = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    let bent =
        "use crate::{act, cast::Cast};\nuse super::super::rig;\n// use crate::gone;\n#[cfg(test)]\nuse crate::later;";
    assert_eq!(used_of_the_root(bent, 2), uses(&["act", "cast", "rig"]));
    let rooms = [("a", uses(&["b"])), ("b", uses(&["c"])), ("c", uses(&["b"])), ("d", uses(&["a"]))];
    let left = in_circles(rooms.map(|(name, used)| (name.to_owned(), used)).into());
    assert_eq!(left.keys().map(String::as_str).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    let straight = [("a", uses(&["b"])), ("b", uses(&[]))];
    assert!(in_circles(straight.map(|(name, used)| (name.to_owned(), used)).into()).is_empty());
}

/// The numbers of the interface's failures are spelled in one table.
#[test]
fn failures_have_their_numbers_from_the_table() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // Rounder ones are sizes and times elsewhere.
    let numbers = compere_house::TABLE.map(|entry| entry.code).into_iter().filter(|code| code % 1000 != 0);
    let numbers: Vec<String> = numbers.map(|code| code.to_string()).collect();
    for path in sources(&crates).into_iter().filter(|path| path.iter().any(|part| part == "src")) {
        let text = std::fs::read_to_string(&path).expect("a text");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default().lines().enumerate();
        for (at, line) in code.filter(|(_, line)| !line.trim_start().starts_with("//") && !line.contains("example =")) {
            let spelled = words(line).find(|word| numbers.iter().any(|number| number == word));
            let excused = path.ends_with("compere-house/src/kind.rs");
            assert!(spelled.is_none() || excused, "{}:{}: {line}", path.display(), at + 1);
        }
    }
}
