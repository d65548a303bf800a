//! The simple requests: one text, one presenter.

use super::options::{CALLBACK, IS_EXPORT, OLDER_WEBHOOK, RESOLVED, WEBHOOK, WEBHOOK_METHOD, WORKSPACE};
use super::{ANYTHING, Field, Schema, Takes, may, need};

const LANGUAGE: Field = need("language", Takes::Text);
const TEXT: Field = need("text", Takes::Text);
const MODEL: Field = need("model", Takes::Text);
const CLOTHES: Field = need("clothes", Takes::Text);
const LOCALE: Field = may("locale", Takes::Text).says("Accepted; never changes the result");
const UPPERCUT: Field = may("uppercut", Takes::Number)
    .from(0.0, 100.0)
    .says("Percent of the empty space above the head that is cropped away: at 100 the head touches the top");
const FORMAT: Field =
    may("format", Takes::Word("Format")).says("`mp4` (default, chroma green), `webm` or `mov` (with transparency)");

const SAMPLE: &str = r#"{"language": "en", "text": "Hello there.", "model": "nora", "clothes": "nora/blazer"}"#;

/// All that one reader reads, whichever of them was sent.
pub(crate) static SIMPLE_READ: Schema =
    Schema { fields: &[LANGUAGE, TEXT, MODEL, CLOTHES, UPPERCUT], ..Schema::of("", "a simple request") };

pub static OLDER_VIDEO: Schema = Schema {
    fields: &[
        need("language", Takes::Text).says("Language of the text; the model has to speak it"),
        TEXT,
        MODEL,
        CLOTHES,
        LOCALE,
        UPPERCUT,
        OLDER_WEBHOOK,
        RESOLVED,
        FORMAT,
    ],
    example: r#"{"language": "en", "text": "Hello there.", "model": "nora", "clothes": "nora/blazer", "uppercut": 50}"#,
    ..Schema::of("SimpleVideo", "a simple video")
};

pub static VIDEO: Schema = Schema {
    fields: &[
        LANGUAGE,
        TEXT,
        MODEL,
        CLOTHES,
        UPPERCUT,
        IS_EXPORT,
        WORKSPACE,
        RESOLVED,
        WEBHOOK,
        WEBHOOK_METHOD,
        CALLBACK,
        FORMAT,
    ],
    example: SAMPLE,
    ..Schema::of("SimpleVideo3", "a simple video")
};

pub static OLDER_AUDIO: Schema = Schema {
    fields: &[LANGUAGE, TEXT, MODEL, may("clothes", Takes::Text), LOCALE, OLDER_WEBHOOK],
    example: r#"{"language": "en", "text": "Hello there.", "model": "nora"}"#,
    ..Schema::of("SimpleAudio", "a simple audio")
};

pub static AUDIO: Schema = Schema {
    fields: &[
        LANGUAGE,
        need("text", Takes::Text).at_most(3000.0),
        MODEL,
        may("tts", Takes::Object(&ANYTHING)).says("`{voice, speed, language}` for another voice than the model's"),
    ],
    example: r#"{"language": "en", "text": "Hello there.", "model": "nora"}"#,
    ..Schema::of("SimpleAudio3", "a simple audio")
};
