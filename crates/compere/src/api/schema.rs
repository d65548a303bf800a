//! The words of the OpenAPI document.
//!
//! What a request may say is written down where it is read, as a [`Schema`]; here it becomes a part of the document. A
//! test posts every example.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use compere_house::TABLE;
use compere_office::schema as asked;
use compere_scene::schema::{self as scene, Field, Schema, Takes};
use serde_json::{Value, json};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ComponentsBuilder, Content, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, ResponseBuilder,
    SecurityRequirement, Server,
};
use utoipa::{IntoResponses, PartialSchema, ToSchema};

use super::answers::{
    AnimationWord, FormatWord, HookEventWord, HookMethodWord, OrientationWord, ResolutionWord, ShapeWord,
    TransitionWord,
};
use super::error::{Detail, ErrorBody, Failure};
use super::news::{ExportNews, FilmNews, ImportNews, NewsError, PingNews};

const TAGS: [(&str, &str); 13] = [
    ("auth", "Tokens for key pairs"),
    ("projects", "What films are made of: create, read, edit, delete"),
    ("exports", "Films: start, follow, cancel"),
    ("simple", "One text, one presenter: a film on chroma green, or the voice alone"),
    ("stories", "Projects of less than scenes: of a text, of another project, by tags"),
    ("catalogue", "Presenters, voices, fonts and backgrounds there are"),
    ("avatars", "Presenters of a person's own footage (beta)"),
    ("assets", "Files of users, to be linked in scenes"),
    ("account", "Credits, key pairs, webhook endpoints and secrets"),
    ("webhooks", "What receivers are told"),
    ("1.4.x", "The older generation of the API"),
    ("files", "Downloads by links that carry their own permission"),
    ("operation", "Health and numbers, for those who run the service"),
];

/// The document's head; routes add themselves.
pub fn document() -> OpenApi {
    let token = ApiKey::Header(ApiKeyValue::with_description(
        "Authorization",
        "The token from /api/odin/v3/auth/token, bare or after `Bearer `.",
    ));
    let components = ComponentsBuilder::new()
        .security_scheme("token", SecurityScheme::ApiKey(token))
        .schema_from::<Failure>()
        .schema_from::<ErrorBody>()
        .schema_from::<Detail>()
        .schema_from::<ExportNews>()
        .schema_from::<FilmNews>()
        .schema_from::<ImportNews>()
        .schema_from::<NewsError>()
        .schema_from::<PingNews>()
        .schema_from::<AnimationWord>()
        .schema_from::<TransitionWord>()
        .schema_from::<FormatWord>()
        .schema_from::<HookEventWord>()
        .schema_from::<HookMethodWord>()
        .schema_from::<OrientationWord>()
        .schema_from::<ResolutionWord>()
        .schema_from::<ShapeWord>()
        .responses_from_iter(failing().map(|status| (failure_name(status), failure(status))));
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("Compere")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(
                    "Films with a presenter, from JSON. Every answer is `{\"success\": true, \"data\": …}` or \
                     `{\"success\": false, \"error\": {\"code\", \"msg\", \"name\", \"details\", \"docUrl\", \"requestId\"}}`.",
                ))
                .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").build()))
                .build(),
        )
        .servers(Some([Server::new("/")]))
        .tags(Some(TAGS.map(|(name, says)| TagBuilder::new().name(name).description(Some(says)).build())))
        .components(Some(components.build()))
        .security(Some([SecurityRequirement::new("token", Vec::<String>::new())]))
        .build()
}

/// How a request may fail: in every way of the table, each described once, in the document's components.
pub struct Failures;

impl IntoResponses for Failures {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let reference = |status: u16| Ref::new(format!("#/components/responses/{}", failure_name(status)));
        failing().map(|status| (status.to_string(), RefOr::Ref(reference(status)))).collect()
    }
}

/// The statuses of failures, each once.
fn failing() -> impl Iterator<Item = u16> {
    TABLE.iter().map(|entry| entry.status).collect::<BTreeSet<_>>().into_iter()
}

/// `NotFound`, as HTTP calls it.
fn failure_name(status: u16) -> String {
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    reason.unwrap_or("Failure").split([' ', '-']).collect()
}

fn failure(status: u16) -> utoipa::openapi::Response {
    let rows = TABLE.iter().filter(|entry| entry.status == status);
    let says: Vec<String> = rows.map(|row| format!("{} `{}`: {}", row.code, row.name, row.means)).collect();
    let body = Content::new(Some(Ref::from_schema_name("Failure")));
    ResponseBuilder::new().description(says.join(". ")).content("application/json", body).build()
}

/// What types of ours do not say of answers: the events of streams, and headers (of all, of lists that go on, of what can be
/// asked for again, of refusals).
pub fn name_headers(document: &mut Value) {
    let number = |says: &str| json!({ "description": says, "schema": { "type": "integer" } });
    let text = |says: &str| json!({ "description": says, "schema": { "type": "string" } });
    document["components"]["headers"] = json!({
        "RateLimit-Limit": number("Requests a minute of the account"),
        "RateLimit-Remaining": number("Requests that are left now"),
        "RateLimit-Reset": number("Seconds until all of them are there again"),
        "X-Request-Id": text("Names the request in the service's log"),
        "Link": text("The next page, as `<address>; rel=\"next\"`, where there may be one"),
        "X-Total-Count": number("Of all pages together"),
        "ETag": text("For `If-None-Match`, and of projects for `If-Match`"),
        "Retry-After": number("Seconds after which to try again"),
    });
    const ALL: [&str; 4] = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"];
    let referred = |names: &[&str]| {
        let each =
            names.iter().map(|name| ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") })));
        Value::Object(each.collect())
    };
    let operations = document["paths"].as_object_mut().into_iter().flatten();
    for operation in operations.filter_map(|(_, path)| path.as_object_mut()).flat_map(|path| path.values_mut()) {
        let has =
            |key: &str| operation["parameters"].as_array().is_some_and(|all| all.iter().any(|one| one["name"] == key));
        let mut names = if operation["security"] == json!([{}]) { vec![ALL[3]] } else { ALL.to_vec() };
        names.extend(has("after").then_some("Link"));
        names.extend(has("page").then_some("X-Total-Count"));
        let tagged = operation["responses"].get("304").is_some();
        names.extend(tagged.then_some("ETag"));
        if let Some(done) = operation["responses"].get_mut("200").filter(|done| done["$ref"].is_null()) {
            done["headers"] = referred(&names);
            // A stream is what it is made of: events, as those who read streams hand them on.
            if let Some(schema) = done.pointer_mut("/content/text~1event-stream/schema") {
                let text = json!({ "type": "string" });
                *schema =
                    json!({ "type": "object", "required": ["data"], "properties": { "event": text, "data": text } });
            }
        }
    }
    document["components"]["responses"]["TooManyRequests"]["headers"] =
        referred(&[ALL[1], ALL[2], ALL[3], "Retry-After"]);
}

/// Bodies of requests, each with what it may say.
macro_rules! bodies {
    ($($name:ident: $schema:path;)+) => {$(
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<utoipa::openapi::Schema> {
                described(&$schema)
            }
        }

        impl ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                $schema.name.into()
            }

            fn schemas(parts: &mut Vec<(String, RefOr<utoipa::openapi::Schema>)>) {
                let mut named = BTreeMap::new();
                name_parts(&$schema, &mut named);
                parts.extend(named.into_iter().map(|(name, part)| (name.to_owned(), described(part))));
            }
        }
    )+};
}

bodies! {
    TokenRequest: asked::TOKEN;
    CreateProject: scene::PROJECT;
    EditProject: scene::EDIT;
    ExportProject: scene::EXPORT;
    DeleteProjects: asked::DELETE;
    SimpleVideo: scene::OLDER_VIDEO;
    SimpleVideo3: scene::VIDEO;
    SimpleAudio: scene::OLDER_AUDIO;
    SimpleAudio3: scene::AUDIO;
    SimpleCustom: asked::CUSTOM;
    VoiceGenerator: asked::VOICE;
    LegacyProject: scene::OLDER_PROJECT;
    LegacyEdit: scene::OLDER_CHANGES;
    LegacyScene: scene::OLDER_SCENE;
    LegacySceneIndex: scene::OLDER_INDEX;
    AssetUpload: asked::UPLOAD;
    FontUpload: asked::FONT;
    NewAvatar: asked::NEW_AVATAR;
    AvatarDesign: asked::DESIGN;
    TakeUpload: asked::TAKE;
    ConsentAsk: asked::CONSENT;
    CustomAvatar: asked::CUSTOM_AVATAR;
    DreamAvatar: asked::DREAM_AVATAR;
    PptPdf: asked::DECK;
    ScriptsToVideo: asked::SCRIPTS;
    TopicToVideo: asked::TOPIC;
    UrlToVideo: asked::PAGE;
    DocumentUpload: asked::PAPERS;
    DocsToVideo: asked::FILM_OF_PAPERS;
    TextGenerator: asked::TEXT;
    ImageGenerator: asked::PICTURE;
    VideoGenerator: asked::SCENERY;
    FromTemplate: asked::FROM_TEMPLATE;
    ModifyProject: asked::MODIFY;
    NewTemplate: asked::TEMPLATE;
    IssueKey: asked::KEY;
    NewHook: asked::NEW_HOOK;
    ChangeHook: asked::CHANGED_HOOK;
}

/// The named parts of a body, and theirs.
fn name_parts(schema: &'static Schema, parts: &mut BTreeMap<&'static str, &'static Schema>) {
    fn of_takes(takes: &Takes, parts: &mut BTreeMap<&'static str, &'static Schema>) {
        match takes {
            Takes::Object(schema) if !schema.name.is_empty() && parts.insert(schema.name, schema).is_none() => {
                name_parts(schema, parts);
            }
            Takes::List(item) => of_takes(item, parts),
            Takes::Either(choices) => choices.iter().for_each(|one| of_takes(one, parts)),
            _ => {}
        }
    }
    let others = schema.base.into_iter().chain(schema.variants.iter().map(|(_, variant)| *variant));
    for other in others {
        of_takes(&Takes::Object(other), parts);
    }
    for field in schema.fields {
        of_takes(&field.takes, parts);
    }
}

fn described(schema: &Schema) -> RefOr<utoipa::openapi::Schema> {
    serde_json::from_value(in_json(schema)).expect("a description")
}

fn in_json(schema: &Schema) -> Value {
    let mut said = match (schema.variants, schema.base) {
        ([], None) => fields(schema),
        ([], Some(base)) => json!({ "allOf": [reference(base.name), fields(schema)] }),
        (variants, _) => json!({ "oneOf": variants.iter().map(|(word, one)| variant(word, one)).collect::<Vec<_>>() }),
    };
    if !schema.says.is_empty() {
        said["description"] = json!(schema.says);
    }
    if !schema.example.is_empty() {
        said["example"] = parsed(schema.example);
    }
    said
}

fn variant(word: &str, schema: &Schema) -> Value {
    let tag = json!({ "type": "object", "required": ["type"], "properties": { "type": { "type": "string", "enum": [word] } } });
    json!({ "allOf": [reference(schema.name), tag] })
}

fn fields(schema: &Schema) -> Value {
    let mut said = json!({ "type": "object" });
    let needed: Vec<&str> = schema.fields.iter().filter(|field| field.needed).map(|field| field.key).collect();
    if !needed.is_empty() {
        said["required"] = json!(needed);
    }
    if !schema.fields.is_empty() {
        let each = schema.fields.iter().map(|field| (field.key.to_owned(), field_in_json(field)));
        said["properties"] = Value::Object(each.collect());
    }
    said
}

fn field_in_json(field: &Field) -> Value {
    let mut said = taken(&field.takes);
    let map = said.as_object_mut().expect("an object");
    let mut note = |key: &str, value: Value| drop(map.insert(key.to_owned(), value));
    if !field.says.is_empty() {
        note("description", json!(field.says));
    }
    if !field.default.is_empty() {
        note("default", parsed(field.default));
    }
    if !field.example.is_empty() {
        note("example", parsed(field.example));
    }
    let (least, most) = match field.takes {
        Takes::Text => ("minLength", "maxLength"),
        Takes::List(_) => ("minItems", "maxItems"),
        _ => ("minimum", "maximum"),
    };
    for (key, bound) in [(least, field.least), (most, field.most)] {
        if let Some(bound) = bound {
            note(key, whole(bound));
        }
    }
    if field.needed { said } else { or_null(said) }
}

/// Null is what is not said.
fn or_null(mut said: Value) -> Value {
    if let Some(kind @ Value::String(_)) = said.get("type").cloned() {
        said["type"] = json!([kind, "null"]);
        return said;
    }
    if let Some(choices) = said.get_mut("oneOf").and_then(Value::as_array_mut) {
        choices.push(json!({ "type": "null" }));
        return said;
    }
    let default = said.as_object_mut().and_then(|said| said.remove("default"));
    let mut said = json!({ "oneOf": [said, { "type": "null" }] });
    if let Some(default) = default {
        said["default"] = default;
    }
    said
}

fn taken(takes: &Takes) -> Value {
    match takes {
        Takes::Text => json!({ "type": "string" }),
        Takes::Number => json!({ "type": "number", "format": "double" }),
        Takes::Whole => json!({ "type": "integer", "format": "int64" }),
        Takes::Flag => json!({ "type": "boolean" }),
        Takes::File => {
            json!({ "type": "string", "format": "binary", "contentMediaType": "application/octet-stream" })
        }
        Takes::Word(name) => reference(name),
        Takes::OneOf(words) => json!({ "type": "string", "enum": words }),
        Takes::Object(schema) if schema.name.is_empty() => json!({ "type": "object" }),
        Takes::Object(schema) => reference(schema.name),
        Takes::List(item) => json!({ "type": "array", "items": taken(item) }),
        Takes::Either(choices) => json!({ "oneOf": choices.iter().map(taken).collect::<Vec<_>>() }),
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// 200, not 200.0.
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON, as written in the schemas")
}
