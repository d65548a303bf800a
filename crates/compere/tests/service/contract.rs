//! Every answer that a test receives is held to the OpenAPI document: a field too many fails, and one too few.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use serde_json::{Map, Value, json};

use crate::house::Reply;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    serde_json::from_slice(&std::fs::read(file).expect("the document")).expect("JSON")
});

/// Operations that have been answered with success, as `get /path`.
pub static MET: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Panics when an answer is not what the document says of its path, method and status.
#[track_caller]
pub fn check(method: &str, url: &str, reply: &Reply) {
    let Some(operation) = operation(method, url) else { return };
    if reply.status == 200 {
        MET.lock().expect("nobody died").insert(operation.name.clone());
    }
    // 405 belongs to no operation, and what has no body says nothing.
    if reply.bytes.is_empty() || !reply.header("content-type").starts_with("application/json") {
        return;
    }
    let schema = operation.schema(reply.status);
    let answer = reply.json();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let wrong: Vec<String> =
        validator.iter_errors(&answer).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(
        wrong.is_empty(),
        "{} {} is not as documented:\n{}\n{answer:#}",
        operation.name,
        reply.status,
        wrong.join("\n")
    );
}

struct Operation {
    name: String,
    described: &'static Value,
}

/// The documented operation that a request means; none for pages and for what is not there.
fn operation(method: &str, url: &str) -> Option<Operation> {
    let path = url.splitn(4, '/').nth(3)?.split('?').next()?.trim_end_matches('/');
    let asked: Vec<&str> = path.split('/').collect();
    let fits = |pattern: &str| {
        let wanted: Vec<&str> = pattern.trim_start_matches('/').split('/').collect();
        let same = |(wanted, asked): (&&str, &&str)| wanted.starts_with('{') || wanted == asked;
        wanted.len() == asked.len() && wanted.iter().zip(&asked).all(same)
    };
    let paths = DOCUMENT["paths"].as_object().expect("paths");
    // `project/export` is a path of its own, `project/{id}` takes the rest.
    let pattern = paths.keys().filter(|pattern| fits(pattern)).min_by_key(|pattern| pattern.matches('{').count())?;
    let method = method.to_lowercase();
    let described = paths[pattern].get(&method)?;
    Some(Operation { name: format!("{method} {pattern}"), described })
}

impl Operation {
    /// What an answer of this status has to be.
    #[track_caller]
    fn schema(&self, status: u16) -> Value {
        let mut response = &self.described["responses"][status.to_string()];
        if let Some(reference) = response["$ref"].as_str() {
            response = DOCUMENT.pointer(reference.trim_start_matches('#')).expect("what is referred to");
        }
        let schema = &response["content"]["application/json"]["schema"];
        assert!(schema.is_object(), "{} answers {status}, which is not documented", self.name);
        closed(schema, false)
    }
}

/// A schema with its references put in, that admits nothing it does not name. A part of a whole stays open: its whole
/// closes it.
fn closed(schema: &Value, part: bool) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.strip_prefix('#').expect("a reference inside the document");
        return closed(DOCUMENT.pointer(pointer).expect("what is referred to"), part);
    }
    let Value::Object(schema) = schema else { return schema.clone() };
    let mut made = Map::new();
    for (key, value) in schema {
        let list = |part| value.as_array().into_iter().flatten().map(|one| closed(one, part)).collect();
        let value = match key.as_str() {
            "properties" => {
                let each = value.as_object().into_iter().flatten();
                each.map(|(name, of)| (name.clone(), closed(of, false))).collect::<Map<_, _>>().into()
            }
            "items" => closed(value, false),
            "allOf" => Value::Array(list(true)),
            "oneOf" | "anyOf" => Value::Array(list(part)),
            _ => value.clone(),
        };
        made.insert(key.clone(), value);
    }
    let names_its_fields = made.contains_key("properties") || made.contains_key("allOf");
    if names_its_fields && !part && !made.contains_key("additionalProperties") {
        made.insert("unevaluatedProperties".to_owned(), json!(false));
    }
    Value::Object(made)
}

/// The check itself can fail.
#[test]
fn a_field_too_many_and_one_too_few_are_found() {
    let operation = operation("GET", "http://127.0.0.1:1/api/odin/v3/auth").expect("it is documented");
    let validator = jsonschema::validator_for(&operation.schema(200)).expect("a schema");
    let mut answer = json!({ "success": true, "data": { "isAuthenticated": true, "email": "a@b", "plan": "free" } });
    assert!(validator.is_valid(&answer));
    answer["data"]["more"] = json!(1);
    assert!(!validator.is_valid(&answer));
    answer["data"] = json!({ "isAuthenticated": true, "email": "a@b" });
    assert!(!validator.is_valid(&answer));
}

#[test]
fn operations_are_named_once() {
    let mut names = BTreeSet::new();
    for (path, operations) in DOCUMENT["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let name = operation["operationId"].as_str().unwrap_or_else(|| panic!("{method} {path} has no name"));
            assert!(names.insert(name), "{name} is there twice");
            let tag = &operation["tags"][0];
            let known = DOCUMENT["tags"].as_array().expect("tags").iter().any(|one| one["name"] == *tag);
            assert!(known, "{tag} of {method} {path} is not described");
        }
    }
}
