//! The older generation of the API (1.4.x).

use super::options::{IS_EXPORT, OLDER_WEBHOOK, RESOLVED};
use super::{ANYTHING, Field, Schema, Takes, may, need};

pub static OLDER_PROJECT: Schema = Schema {
    fields: &[
        may("projectName", Takes::Text),
        need("scenes", Takes::List(&Takes::Object(&SCENE))),
        OLDER_WEBHOOK,
        RESOLVED,
        IS_EXPORT,
    ],
    example: r#"{"scenes": [{
        "AIModel": {"model": "nora", "clothes": "nora/blazer", "language": "en", "script": "Hello there.",
            "locationX": 0.2, "locationY": 0},
        "clips": [{"type": "text", "detail": {"textSource": "Hello", "locationX": -0.25, "locationY": -0.3}}]
    }], "resolution": "480", "isExport": false}"#,
    ..Schema::of("LegacyProject", "a project")
};

/// The same under names that the translator takes as well.
pub(crate) static OLDER_READ: Schema =
    Schema { base: Some(&OLDER_PROJECT), besides: &["name"], ..Schema::of("", "a project") };

static SCENE: Schema = Schema {
    fields: &[may("AIModel", Takes::Object(&AI_MODEL)), may("clips", Takes::List(&Takes::Object(&CLIP)))],
    ..Schema::of("LegacySceneBody", "a scene")
};

/// Shares of the canvas, from its middle.
const LOCATION_X: Field = may("locationX", Takes::Number).from(-50.0, 50.0);
const LOCATION_Y: Field = may("locationY", Takes::Number).from(-50.0, 50.0);
const SCALE: Field = may("scale", Takes::Number).or("1");
const LAYER: Field = may("layer", Takes::Number);

static AI_MODEL: Schema = Schema {
    says: "Who speaks, placed by the middle: 0 is the middle of the canvas, 0.5 its right or bottom edge.",
    fields: &[
        need("model", Takes::Text),
        need("clothes", Takes::Text),
        may("language", Takes::Text),
        need("script", Takes::Text),
        need("locationX", Takes::Number).from(-50.0, 50.0),
        need("locationY", Takes::Number).from(-50.0, 50.0),
        SCALE,
        LAYER,
    ],
    ..Schema::of("LegacyModel", "an AIModel")
};

static CLIP: Schema = Schema {
    fields: &[
        need("type", Takes::Text).says("`image`, `background`, `text` or `userVideo`"),
        need("detail", Takes::Object(&DETAIL)),
    ],
    ..Schema::of("LegacyClip", "a clip")
};

static DETAIL: Schema = Schema {
    fields: &[
        may("url", Takes::Text).says("Of a picture, a background or a video"),
        may("textSource", Takes::Text).says("Of a text"),
        may("color", Takes::Text).says("Of a text"),
        may("font", Takes::Text).says("Of a text"),
        LOCATION_X,
        LOCATION_Y,
        SCALE,
        may("scaleX", Takes::Number).or("1").says("Of a video"),
        may("scaleY", Takes::Number).or("1").says("Of a video"),
        LAYER,
    ],
    ..Schema::of("LegacyDetail", "a clip")
};

pub static OLDER_CHANGES: Schema = Schema {
    fields: &[need("updates", Takes::List(&Takes::Object(&CHANGE))), OLDER_WEBHOOK],
    example: r#"{"updates": [{"sceneIdx": 0, "property": "AIModel", "values": {"script": "Another text."}}]}"#,
    ..Schema::of("LegacyEdit", "an edit")
};

static CHANGE: Schema = Schema {
    fields: &[
        need("sceneIdx", Takes::Whole),
        need("property", Takes::Text).says("`AIModel` or `clips`"),
        may("clipType", Takes::Text),
        may("clipIdx", Takes::Whole),
        need("values", Takes::Object(&ANYTHING)),
    ],
    ..Schema::of("LegacyChange", "a change")
};

pub static OLDER_SCENE: Schema = Schema {
    fields: &[need("sceneIdx", Takes::Whole), need("scene", Takes::Object(&SCENE))],
    example: r#"{"sceneIdx": 0, "scene": {"AIModel": {"model": "nora", "clothes": "nora/blazer",
        "language": "en", "script": "First of all.", "locationX": 0, "locationY": 0}}}"#,
    ..Schema::of("LegacyScene", "a scene")
};

pub static OLDER_INDEX: Schema = Schema {
    fields: &[need("sceneIdx", Takes::Whole)],
    example: r#"{"sceneIdx": 0}"#,
    ..Schema::of("LegacySceneIndex", "a scene")
};
