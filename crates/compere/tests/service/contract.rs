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

/// Operations that have been answered with success, as `get /path`. They are written down for `tests/contract.sh`, which
/// wants all of them: tests do not know which of them is the last.
static MET: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Panics when an answer is not what the document says of its path, method and status.
#[track_caller]
pub fn check(method: &str, url: &str, reply: &Reply) {
    let Some(operation) = operation(method, url) else { return };
    if reply.status == 200 {
        met(&operation);
    }
    // 405 belongs to no operation, and what has no body says nothing.
    if reply.bytes.is_empty() || !reply.header("content-type").starts_with("application/json") {
        return;
    }
    operation.holds(reply.status, &reply.json());
}

/// The same for what a stream of progress tells: each record is what a question would be answered with.
#[track_caller]
pub fn check_told(url: &str, record: &Value) {
    met(&operation("GET", url).expect("it is documented"));
    let asked = url.strip_suffix("/events").and_then(|url| operation("GET", url)).expect("a question for the same");
    asked.holds(200, record);
}

fn met(operation: &Operation) {
    let mut met = MET.lock().expect("nobody died");
    if met.insert(operation.name.clone()) {
        let list = met.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operations-met");
        std::fs::write(file, list + "\n").expect("the folder for tests' files");
    }
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
    #[track_caller]
    fn holds(&self, status: u16, answer: &Value) {
        let schema = self.schema(status);
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let wrong: Vec<String> =
            validator.iter_errors(answer).map(|error| format!("{}: {error}", error.instance_path())).collect();
        let name = &self.name;
        assert!(wrong.is_empty(), "{name} {status} is not as documented:\n{}\n{answer:#}", wrong.join("\n"));
    }

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

/// A field of a request as the document describes it.
struct Field {
    at: String,
    told: String,
    /// Something it must not be.
    wrong: Value,
    /// What has to stand in the example for it to have a meaning.
    beside: Option<(String, Value)>,
}

fn referred(schema: &Value) -> Value {
    let Some(reference) = schema["$ref"].as_str() else { return schema.clone() };
    let mut found = DOCUMENT.pointer(reference.trim_start_matches('#')).expect("what is referred to").clone();
    if let (Some(words), Some(found)) = (schema["description"].as_str(), found.as_object_mut()) {
        found.insert("description".to_owned(), json!(words));
    }
    found
}

/// What a value that is given has to be; of alternatives the first that is not null.
fn given(schema: &Value) -> Value {
    let schema = referred(schema);
    let chosen = schema["oneOf"].as_array().and_then(|choices| choices.iter().find(|one| one["type"] != "null"));
    chosen.filter(|_| tags(&schema).is_empty()).map_or(schema.clone(), given)
}

/// Of alternatives that say by `type` which they are: the words.
fn tags(schema: &Value) -> Vec<(String, Value)> {
    let tag = |one: &Value| Some(one.pointer("/allOf/1/properties/type/enum/0")?.as_str()?.to_owned());
    schema["oneOf"].as_array().into_iter().flatten().filter_map(|one| Some((tag(one)?, one.clone()))).collect()
}

/// The fields of an object and of what lies in it; of lists the first item.
fn fields(schema: &Value, at: &str, beside: Option<&(String, Value)>, out: &mut Vec<Field>) {
    let schema = given(schema);
    for (tag, one) in tags(&schema) {
        fields(&one, at, Some(&(at.to_owned(), clip(&tag))), out);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        fields(part, at, beside, out);
    }
    for (name, of) in schema["properties"].as_object().into_iter().flatten() {
        let (place, told) = (format!("{at}/{name}"), referred(of)["description"].as_str().unwrap_or("").to_owned());
        let of = given(of);
        let kind = match &of["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null").cloned().unwrap_or_default(),
            kind => kind.clone(),
        };
        let wrong = match kind.as_str() {
            Some("string") if of["enum"].is_array() => json!("no such word"),
            Some("string") => json!({ "not": "a text" }),
            Some("array") => json!("no list"),
            Some("object") => json!(["no object"]),
            _ => json!("neither a number nor a truth"),
        };
        out.push(Field { at: place.clone(), told, wrong, beside: beside.cloned() });
        let below = if kind == "array" { (&of["items"], format!("{place}/0")) } else { (&of, place) };
        fields(below.0, &below.1, beside, out);
    }
}

/// A clip of each type that is right.
fn clip(tag: &str) -> Value {
    let mut clip =
        json!({ "id": "one", "type": tag, "layer": 1, "top": 100, "left": 100, "width": 400, "height": 300 });
    let own = match tag {
        "aiModel" => json!({ "model": { "ai_name": "nora", "emotion": "nora/blazer" } }),
        "shape" => json!({ "shapeName": "Square", "fill": "rgb(1,2,3)" }),
        "image" => json!({ "source_url": "/images/background/studio-warm.png" }),
        "textImage" => json!({ "text": "Hello", "fill": "rgb(1,2,3)", "fontSize": 40 }),
        _ => json!({ "video_url": "/none.mp4", "source_url": "/none.mp3" }),
    };
    clip.as_object_mut().expect("an object").extend(own.as_object().cloned().expect("an object"));
    clip
}

/// `/scenes/0/name` as failures write it: `scenes[0].name`.
fn path_of(pointer: &str) -> String {
    pointer.split('/').skip(1).fold(String::new(), |path, part| match part.parse::<usize>() {
        Ok(index) => format!("{path}[{index}]"),
        Err(_) if path.is_empty() => part.to_owned(),
        Err(_) => format!("{path}.{part}"),
    })
}

/// Puts a value into a place, and makes the objects on the way there.
fn put(into: &mut Value, pointer: &str, value: Value) {
    let mut here = into;
    for part in pointer.split('/').skip(1) {
        here = match part.parse::<usize>() {
            Ok(index) => {
                if !here.is_array() {
                    *here = json!([]);
                }
                let list = here.as_array_mut().expect("a list");
                list.resize(list.len().max(index + 1), json!({}));
                &mut list[index]
            }
            Err(_) => &mut here[part],
        };
    }
    *here = value;
}

/// What has to be said beside a field for it to be read.
fn company(at: &str) -> Vec<(String, Value)> {
    let beside = |from: &str, place: &str, value: Value| (at[..at.find(from).unwrap_or(0)].to_owned() + place, value);
    let named = |name: &str| at.ends_with(name);
    if at.contains("/background/") {
        let kind = if named("/video_url") { "video" } else { "image" };
        return vec![beside("/background/", "/background/source_type", json!(kind))];
    }
    if at.contains("/scripts/0/tts/") {
        return vec![beside("/tts/", "/isTTS", json!(true))];
    }
    // Else the scene's script is this presenter's.
    if let Some(scene) = at.find("/clips/0/script").map(|end| &at[..end]) {
        return vec![(format!("{scene}/scripts"), Value::Null)];
    }
    if let Some(clip) = at.find("/detail").map(|end| &at[..end]) {
        let of_video = ["/url", "/scaleX", "/scaleY"].iter().any(|name| named(name));
        let detail = if of_video { json!({ "url": "/none.mp4" }) } else { json!({ "textSource": "Hello" }) };
        let kind = if of_video { "userVideo" } else { "text" };
        return vec![(clip.to_owned(), json!({ "type": kind, "detail": detail }))];
    }
    if named("/clipIdx") || named("/clipType") {
        return vec![beside("/clip", "/property", json!("clips"))];
    }
    Vec::new()
}

/// However many there are a minute.
fn patiently(client: &crate::house::Client, method: &str, url: &str, body: &Value) -> Reply {
    loop {
        let reply = client.with(method, url, &[], Some(body.clone()));
        if reply.status != 429 {
            return reply;
        }
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}

/// Whatever the document says of a body is what is read: a value of another kind is refused, by its place.
#[test]
fn every_field_that_is_described_is_read() {
    // Of its own: so many requests would keep others waiting.
    let (client, _) = crate::house::account("described@example.com", "tireless");
    let project = client.draft(crate::house::film("described"));
    let older = json!({ "isExport": false, "scenes": [{ "AIModel": {
        "model": "nora", "clothes": "nora/blazer", "language": "en", "script": "Hello.", "locationX": 0, "locationY": 0 } }] });
    let older = client.post("/api/odin/editor/project", older).data()["key"].as_str().expect("a key").to_owned();
    let (mut seen, mut unread) = (0, Vec::new());
    for (path, operations) in DOCUMENT["paths"].as_object().expect("paths") {
        let id = if path.contains("/v3/") { &project } else { &older };
        let url: Vec<&str> = path.split('/').map(|part| if part.starts_with('{') { id } else { part }).collect();
        for (method, operation) in operations.as_object().expect("operations") {
            let schema = referred(&operation["requestBody"]["content"]["application/json"]["schema"]);
            if schema["example"].is_null() {
                continue;
            }
            // The example's project is nobody's.
            let example = schema["example"].to_string().replace("66f8f1a02b3c4d5e6f708192", &project);
            let mut all = Vec::new();
            fields(&schema, "", None, &mut all);
            for field in all.into_iter().filter(|field| !field.told.starts_with("Accepted")) {
                let mut body: Value = serde_json::from_str(&example).expect("JSON");
                if let Some((place, value)) = field.beside {
                    put(&mut body, &place, value);
                }
                for (place, value) in company(&field.at) {
                    put(&mut body, &place, value);
                }
                put(&mut body, &field.at, field.wrong);
                let reply = patiently(&client, &method.to_uppercase(), &url.join("/"), &body);
                let place = path_of(&field.at);
                let answer = reply.json();
                // An estimate tells what is wrong; it is no failure to it.
                let blames = [&answer["error"]["details"], &answer["data"]["problems"]];
                let blamed = blames.iter().any(|blames| blames.to_string().contains(&format!("\"{place}")));
                seen += 1;
                if !blamed {
                    unread.push(format!("{method} {path} {place} ({}): {} {answer}", field.told, reply.status));
                }
            }
        }
    }
    assert!(seen > 300, "only {seen} fields are described");
    assert!(unread.is_empty(), "{} of {seen}:\n{}", unread.len(), unread.join("\n"));
}
