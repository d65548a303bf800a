//! Every field of the vendor's catalogue, sent, and what becomes of it here: `docs/compatibility.md` says of each exactly
//! what was seen.

mod account;
mod automation;
mod clips;
mod older;
mod projects;
mod scenes;

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::house::{Client, house};

/// What becomes of a field, as the second column of the table begins.
pub const WORKS: &str = "works";
pub const DIFFERS: &str = "differs";
pub const REFUSED: &str = "refused";
pub const KEPT: &str = "kept";

/// What was seen, by the heading of the table and the field.
pub type Seen = BTreeMap<(String, String), &'static str>;

/// Sends what belongs together.
pub type Section = fn() -> Vec<Book>;

/// Notes what was seen below one heading.
pub struct Book {
    heading: &'static str,
    seen: Seen,
}

impl Book {
    pub fn of(heading: &'static str) -> Self {
        Self { heading, seen: Seen::new() }
    }

    /// To be called when it was seen.
    pub fn note(&mut self, claim: &'static str, fields: &[&str]) {
        for field in fields {
            let before = self.seen.insert((self.heading.to_owned(), (*field).to_owned()), claim);
            assert!(before.is_none(), "{}: {field} is there twice", self.heading);
        }
    }

    /// The same of an answer that has these fields, none of them null.
    #[track_caller]
    pub fn answers(&mut self, answer: &Value, fields: &[&str]) {
        for field in fields {
            let found = answer.pointer(&pointer(field)).unwrap_or(&Value::Null);
            assert!(!found.is_null(), "{}: {field} is not in {answer}", self.heading);
        }
        self.note(WORKS, fields);
    }

    pub fn close(self) -> Seen {
        self.seen
    }
}

/// `a.b` as JSON's pointers have it.
pub fn pointer(field: &str) -> String {
    format!("/{}", field.replace("[].", ".0.").replace('.', "/"))
}

/// A copy in which one place is other.
#[track_caller]
pub fn with(body: &Value, at: &str, value: Value) -> Value {
    let mut body = body.clone();
    let (parent, key) = at.rsplit_once('/').expect("a pointer");
    let parent = body.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}"));
    match parent {
        Value::Array(list) => list[key.parse::<usize>().expect("a number")] = value,
        parent => parent[key] = value,
    }
    body
}

/// The first scene of a body as it looks then.
#[track_caller]
pub fn frame(client: &Client, body: &Value, at: f64) -> Vec<u8> {
    let id = client.draft(body.clone());
    let reply = client.get(&format!("/api/odin/v3/editor/project/{id}/preview?scene=0&t={at}&width=320"));
    assert_eq!(reply.status, 200, "{}: {body}", String::from_utf8_lossy(&reply.bytes));
    reply.bytes
}

/// Paths of links of a body that cannot be fetched.
#[track_caller]
pub fn broken(client: &Client, body: &Value) -> Vec<String> {
    let told = client.post("/api/odin/v3/editor/estimate", with(body, "/checkAssets", json!(true))).data();
    let problems = told["problems"].as_array().expect("a list").iter();
    problems.filter_map(|problem| problem["path"].as_str().map(str::to_owned)).collect()
}

/// The project as it is given back.
pub fn given_back(client: &Client, id: &str) -> Value {
    client.get(&format!("/api/odin/v3/editor/project/{id}")).data()["project"].clone()
}

/// The tables of the document: what is claimed of each field below each heading.
fn claimed() -> Seen {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/compatibility.md");
    let text = std::fs::read_to_string(file).expect("the tables");
    let (mut heading, mut claims) = (String::new(), Seen::new());
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("### ") {
            heading = title.replace('`', "");
        } else if let Some(row) = line.strip_prefix("| `").filter(|_| !heading.is_empty()) {
            let (fields, says) = row.split_once(" | ").expect("two columns");
            let claim = [WORKS, DIFFERS, REFUSED, KEPT].into_iter().find(|claim| says.starts_with(claim));
            let claim = claim.unwrap_or_else(|| panic!("{heading}: what is {line}"));
            for field in fields.split(',') {
                let field = field.trim().trim_matches('`').to_owned();
                let before = claims.insert((heading.clone(), field.clone()), claim);
                assert!(before.is_none(), "{heading}: {field} is there twice");
            }
        }
    }
    claims
}

#[test]
fn every_field_of_the_catalogue_does_what_the_table_says() {
    let all: [fn() -> Vec<Section>; 6] =
        [account::books, projects::books, scenes::books, clips::books, automation::books, older::books];
    let sections: Vec<Section> = all.iter().flat_map(|books| books()).collect();
    // A section that ends with a panic has said why; the others go on.
    let turn = AtomicUsize::new(0);
    let work = || {
        let (mut seen, mut lost) = (Seen::new(), 0);
        while let Some(section) = sections.get(turn.fetch_add(1, Ordering::Relaxed)) {
            match catch_unwind(section) {
                Ok(books) => seen.extend(books.into_iter().flat_map(Book::close)),
                Err(_) => lost += 1,
            }
        }
        (seen, lost)
    };
    let (seen, lost) = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let (mut seen, lost) = work();
        let (more, lost_too) = other.join().expect("it catches");
        seen.extend(more);
        (seen, lost + lost_too)
    });
    assert_eq!(lost, 0, "sections that did not come to their end");
    let claimed = claimed();
    let mut wrong: Vec<String> = Vec::new();
    for (key, claim) in &seen {
        match claimed.get(key) {
            Some(said) if said == claim => {}
            said => wrong.push(format!("{} {}: it {claim}, the table says {said:?}", key.0, key.1)),
        }
    }
    wrong.extend(claimed.keys().filter(|key| !seen.contains_key(*key)).map(|key| format!("{key:?}: nobody sent it")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen.len() > 300, "only {} fields", seen.len());
}

const WHO: &str = "fields@example.com";

/// Whose plan has requests for every field in a minute.
pub fn admin() -> Client {
    static TOKEN: OnceLock<String> = OnceLock::new();
    let token = TOKEN.get_or_init(|| crate::house::account(WHO, "tireless").0.token);
    Client { base: house().base.clone(), token: token.clone() }
}

/// A workspace of theirs.
pub fn workspace() -> String {
    house().records(async |store| {
        let owner = store.account_by_email(WHO).await.expect("reads").expect("it is there");
        store.create_workspace(&owner.id, "Fields").await.expect("creates").id
    })
}

/// Where a project went that a request named a workspace for.
pub fn is_in(client: &Client, id: &str, workspace: &str) -> bool {
    given_back(client, id)["workspaceId"] == json!(workspace)
}

/// What the first export of a project was ordered as.
pub fn ordered(client: &Client, id: &str) -> Value {
    client.get(&format!("/api/odin/v3/editor/project/{id}/exports")).data()[0].clone()
}

/// Ends what nobody wants to see.
pub fn drop_export(id: &str) {
    admin().post(&format!("/api/odin/v3/editor/project/{id}/cancel"), json!({}));
}
