//! Changes to a project, and its exports.

use super::options::{CALLBACK, COPY, FORMAT, IS_EXPORT, RESOLVED, WEBHOOK, WEBHOOK_METHOD, WORKSPACE};
use super::project::MUSIC;
use super::{ANYTHING, Schema, Takes, may, need};

pub static EDIT: Schema = Schema {
    fields: &[
        need("updates", Takes::Either(&[Takes::Object(&UPDATES), Takes::List(&Takes::Object(&UPDATE))]))
            .says("The entries, or an object with them in `value`."),
        IS_EXPORT,
        WORKSPACE,
        RESOLVED,
        WEBHOOK,
        WEBHOOK_METHOD,
        CALLBACK,
        COPY,
        FORMAT,
    ],
    example: r#"{
        "updates": {"value": [
            {"sceneIdx": 0, "type": "aiModel", "values": {"script": "Another text."}},
            {"sceneIdx": 0, "type": "textImage", "tag": "title", "values": {"text": "Good evening", "fontSize": 48}}
        ]},
        "isExport": false
    }"#,
    ..Schema::of("EditProject", "an edit")
};

static UPDATES: Schema = Schema {
    fields: &[
        need("value", Takes::List(&Takes::Object(&UPDATE))),
        may("backgroundAudio", Takes::Object(&MUSIC)).says("Music under the whole film; null takes it away"),
    ],
    ..Schema::of("Updates", "the changes")
};

static UPDATE: Schema = Schema {
    fields: &[
        need("sceneIdx", Takes::Whole),
        need("type", Takes::OneOf(&["aiModel", "shape", "image", "textImage", "videoImage", "audio", "background"]))
            .says("A clip's type, or `background`"),
        may("id", Takes::Text),
        may("tag", Takes::Text),
        may("clipIdx", Takes::Whole),
        need("values", Takes::Object(&ANYTHING)).says("Fields of the clip; `script` is what a presenter says"),
    ],
    ..Schema::of("Update", "a change")
};

pub static EXPORT: Schema = Schema {
    fields: &[need("projectId", Takes::Text), WORKSPACE, RESOLVED, WEBHOOK, WEBHOOK_METHOD, CALLBACK, FORMAT],
    example: r#"{"projectId": "66f8f1a02b3c4d5e6f708192", "resolution": "480"}"#,
    ..Schema::of("ExportProject", "an export")
};
