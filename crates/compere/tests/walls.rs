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
    ("bench", &["tell", "crew", "worker"]),
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
    for door in ["api", "web", "cli", "http", "bench", "serve"] {
        for (at, _) in modules[door].match_indices("compere_store::") {
            let text = modules[door][at..].split([';', '(', ' ']).next().unwrap_or_default();
            let list = modules[door][at..].split(';').next().unwrap_or_default();
            let named = if text.contains('{') { list } else { text };
            let names: BTreeSet<&str> = named.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
            let wrong: Vec<&&str> = CHANGES_RECORDS.iter().filter(|name| names.contains(**name)).collect();
            // The wiring opens what it hands to the office and the engine; the bench an empty folder for the desk it times.
            let excused = (door == "serve" && wrong == [&"Store"]) || (door == "bench" && wrong == [&"Objects"]);
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

/// A module's way down from the root of its crate.
type Way = Vec<String>;

/// Of every folder of a crate (the root is the empty way): its modules and folders, each with those beside it that it uses.
fn rooms(src: &Path) -> BTreeMap<Way, BTreeMap<String, BTreeSet<String>>> {
    let modules: BTreeMap<Way, String> = sources(src)
        .iter()
        .map(|file| (way(src, file), std::fs::read_to_string(file).expect("a text")))
        .filter(|(way, _)| !way.iter().any(|part| part.ends_with("tests")))
        .collect();
    let handed: BTreeMap<&Way, BTreeMap<String, String>> =
        modules.iter().map(|(way, text)| (way, handed_out(text))).collect();
    let mut floors: BTreeMap<Way, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for way in modules.keys() {
        for depth in 0..way.len() {
            floors.entry(way[..depth].to_vec()).or_default().entry(way[depth].clone()).or_default();
        }
    }
    for (way, text) in &modules {
        let used = used_by(text, way);
        for depth in 0..way.len() {
            let (above, own) = (way[..depth].to_vec(), &way[depth]);
            let Some(floor) = floors.get_mut(&above) else { continue };
            for named in used.iter().filter(|named| named.len() > depth && named[..depth] == above) {
                let word = &named[depth];
                // What a folder hands out belongs to the room it comes from.
                let from = handed.get(&above).and_then(|handed| handed.get(word));
                let room = if floor.contains_key(word) { Some(word) } else { from };
                if let Some(room) = room.filter(|room| *room != own && floor.contains_key(*room)).cloned() {
                    floor.entry(own.clone()).or_default().insert(room);
                }
            }
        }
    }
    floors
}

fn way(src: &Path, file: &Path) -> Way {
    let inside = file.strip_prefix(src).expect("below the root").with_extension("");
    let mut way: Way = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    way.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
    way
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The names that a folder's own file hands on, each with the room it is from.
fn handed_out(text: &str) -> BTreeMap<String, String> {
    let mut from = BTreeMap::new();
    for list in text.split("pub use ").chain(text.split("pub(crate) use ")).skip(1) {
        let list = list.split(';').next().unwrap_or_default().trim_start_matches("self::");
        let Some((room, handed)) = list.split_once("::") else { continue };
        from.extend(words(handed).map(|word| (word.to_owned(), room.to_owned())));
    }
    from
}

/// The ways from the root that a module names: after `crate::`, or after one or more `super::`.
fn used_by(text: &str, own: &[String]) -> BTreeSet<Way> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code: String =
        code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut used = BTreeSet::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            // `compere_crate::` is another's, and a second `super::` was read with the first.
            if code[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let mut rest = &code[at..];
            let mut above = if start == "crate::" { 0 } else { own.len() };
            rest = rest.strip_prefix("crate::").unwrap_or(rest);
            while let Some(higher) = rest.strip_prefix("super::") {
                (rest, above) = (higher, above.saturating_sub(1));
            }
            named(rest, &own[..above], &mut used);
        }
    }
    used
}

/// Follows one name, or each of a list of them; gives back what comes after.
fn named<'a>(text: &'a str, above: &[String], out: &mut BTreeSet<Way>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = named(rest, above, out).trim_start();
            match rest.strip_prefix(',') {
                Some(next) => rest = next,
                None => return rest.strip_prefix('}').unwrap_or(rest),
            }
        }
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let mut way = above.to_vec();
    if end > 0 {
        way.push(text[..end].to_owned());
        out.insert(way.clone());
    }
    let rest = &text[end..];
    let renamed =
        rest.strip_prefix(" as ").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_'));
    match rest.strip_prefix("::") {
        Some(below) if end > 0 => named(below, &way, out),
        _ => renamed.unwrap_or(rest),
    }
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
fn no_folder_has_a_circle_of_rooms() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut seen, mut circles) = (0, Vec::new());
    for entry in std::fs::read_dir(crates).expect("the crates") {
        let src = entry.expect("an entry").path().join("src");
        if !src.join("lib.rs").exists() {
            continue;
        }
        for (above, floor) in rooms(&src) {
            let circle = in_circles(floor);
            if !circle.is_empty() {
                circles.push((src.display().to_string(), above.join("::"), circle));
            }
            seen += 1;
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
    assert!(seen > 60, "only {seen} folders were looked at");
}

/// The check itself can fail.
#[test]
fn circles_are_found() {
    let uses = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    let bent = "use crate::{act, cast::{Cast, fame::Fame as F}, own};\nuse super::super::rig::Rig;\nuse super::{Son, b::C};\n// use crate::gone;\n#[cfg(test)]\nuse crate::later;";
    let own = ["a", "b", "c"].map(str::to_owned);
    let used: Vec<String> = used_by(bent, &own).iter().map(|way| way.join("::")).collect();
    let expected = [
        "a::b::Son",
        "a::b::b",
        "a::b::b::C",
        "a::rig",
        "a::rig::Rig",
        "act",
        "cast",
        "cast::Cast",
        "cast::fame",
        "cast::fame::Fame",
        "own",
    ];
    assert_eq!(used, expected, "what is above is no neighbour");
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

/// What operators are shown and woken by asks only for numbers that are told.
#[test]
fn what_is_watched_is_told() {
    let root = root().join("../../..");
    let read = |path: &Path| std::fs::read_to_string(path).expect("a text");
    let told: String = sources(&self::root()).iter().map(|path| read(path)).collect();
    for file in ["deploy/grafana.json", "deploy/alerts.yml"] {
        let text = read(&root.join(file));
        let asked: Vec<&str> = words(&text).filter(|word| word.starts_with("compere_")).collect();
        assert!(asked.len() > 5, "{file} asks for {asked:?}");
        for name in asked {
            let name = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
            assert!(told.contains(&format!("!(\"{name}\"")), "{file} asks for {name}, which nobody tells");
        }
    }
}
