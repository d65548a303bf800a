//! A project: scenes, what is said in them, what is seen.

use super::options::{CALLBACK, FORMAT, IS_EXPORT, RESOLVED, WEBHOOK, WEBHOOK_METHOD, WORKSPACE};
use super::{ANYTHING, Field, Schema, Takes, may, need};

/// Fonts of an account that a project's texts ask for.
pub const TYPECASE: &str = "typecase";

pub static PROJECT: Schema = Schema {
    fields: &[
        may("name", Takes::Text).or(r#""Default Template""#).at_most(200.0),
        may("orientation", Takes::Word("Orientation")).or(r#""landscape""#),
        need("scenes", Takes::List(&Takes::Object(&SCENE))),
        IS_EXPORT,
        WORKSPACE,
        RESOLVED,
        WEBHOOK,
        WEBHOOK_METHOD,
        CALLBACK,
        may("dictionary", Takes::Object(&ANYTHING)).says("Words and how to say them"),
        may("backgroundAudio", Takes::Object(&MUSIC)).says("Under the whole film"),
        may("onAssetError", Takes::OneOf(&["fail", "skip"])).or(r#""fail""#).says("What a broken link does"),
        may("language", Takes::Text).says(
            "What the film is in, such as `pt-BR`; a script that says nothing else is taken to be in it, unless it plainly is not",
        ),
        FORMAT,
    ],
    besides: &[
        "copy",
        // Written by the service, with an order.
        TYPECASE,
        // A fetched project posted back whole.
        "_id",
        "id",
        "userId",
        "templateId",
        "state",
        "thumbnailUrl",
        "baseInfoId",
        "backendTaskId",
        "exportType",
        "progress",
        "creditSubstracted",
        "createdAt",
        "updatedAt",
        "download_url",
        "projectId",
        "projectName",
        "version",
    ],
    example: r#"{
        "name": "Hello", "orientation": "landscape", "resolution": "480", "isExport": false,
        "scenes": [{
            "sceneIdx": 0,
            "scripts": [{"org": "Hello there.", "isTTS": false, "tts": null, "modelId": "nora", "clothId": "nora/blazer"}],
            "background": {"id": "background", "type": "background", "source_type": "color", "source_color": "rgb(240,244,248)"},
            "clips": [
                {"id": "presenter", "type": "aiModel", "layer": 1, "left": 560, "top": 120, "width": 800, "height": 960,
                 "model": {"ai_name": "nora", "emotion": "nora/blazer"}},
                {"id": "title", "type": "textImage", "layer": 2, "left": 100, "top": 80, "width": 700, "height": 120,
                 "text": "Hello", "fill": "rgb(16,24,40)", "fontSize": 60, "tag": "title"}
            ]
        }]
    }"#,
    ..Schema::of("CreateProject", "a project")
};

static SCENE: Schema = Schema {
    says: "A scene. `docs/scenes.md` has every field.",
    fields: &[
        need("sceneIdx", Takes::Whole).says("Names the scene in edits"),
        may("name", Takes::Text).says("Ours: what a chapter of the film is called; default: the scene's title"),
        may("scripts", Takes::List(&Takes::Object(&SCRIPT))).says("What is spoken: exactly one entry"),
        need("background", Takes::Object(&BACKGROUND)),
        need("clips", Takes::List(&Takes::Object(&CLIP))),
        may("watermark", Takes::Flag),
        may("duration", Takes::Number).says("Seconds; default: as long as the speech"),
        may("transition", Takes::Object(&TRANSITION))
            .says("Ours: how it takes the picture from the scene before it; default: at once"),
    ],
    // The last two are what an import writes down of the slide.
    besides: &["thumbnailUrl", "id", "slide", "links"],
    ..Schema::of("Scene", "a scene")
};

static TRANSITION: Schema = Schema {
    says: "How one scene follows another.",
    fields: &[
        need("type", Takes::Word("TransitionType")),
        may("duration", Takes::Number).from(0.1, 2.0).or("0.5").says("Seconds"),
    ],
    ..Schema::of("Transition", "a transition")
};

static SCRIPT: Schema = Schema {
    fields: &[
        need("org", Takes::Text).says("The spoken text"),
        need("isTTS", Takes::Flag),
        may("tts", Takes::Object(&VOICE)).says("Another voice than the presenter's, when `isTTS` is true, else null"),
        need("modelId", Takes::Text),
        need("clothId", Takes::Text),
        may("language", Takes::Text).says("Of a voice that is not seen; else the presenter's"),
        may("audio", Takes::Text).says("Ours: address of a recording of the text, heard in place of a voice"),
    ],
    // What the editor writes down of a recording: the text as it was then.
    besides: &["id", "recordedText"],
    ..Schema::of("Script", "a script")
};

/// `{type, model, language}` is how other parts of the API name one.
static VOICE: Schema = Schema {
    fields: &[
        may("voice", Takes::Text).says("Id of a voice"),
        may("speed", Takes::Number).from(0.5, 2.0).or("1"),
        may("language", Takes::Text),
    ],
    besides: &["type", "model"],
    ..Schema::of("VoiceWish", "a voice")
};

pub(super) static MUSIC: Schema = Schema {
    fields: &[need("source_url", Takes::Text), may("volume", Takes::Number).from(0.0, 100.0).or("100")],
    ..Schema::of("Music", "music")
};

static BACKGROUND: Schema = Schema {
    fields: &[
        may("id", Takes::Text),
        may("type", Takes::Text),
        may("source_type", Takes::OneOf(&["image", "color", "video"])),
        may("source_url", Takes::Text),
        may("source_color", Takes::Text).such_as(r#""rgb(255,255,255)""#),
        may("video_url", Takes::Text).says("Of a video whose `source_url` is its still picture"),
    ],
    ..Schema::of("Background", "a background")
};

static CLIP: Schema = Schema {
    says: "A clip, by its type.",
    variants: &[
        ("aiModel", &AVATAR_CLIP),
        ("shape", &SHAPE_CLIP),
        ("image", &IMAGE_CLIP),
        ("textImage", &TEXT_CLIP),
        ("videoImage", &VIDEO_CLIP),
        ("audio", &AUDIO_CLIP),
    ],
    // The editor's drawing library.
    besides: &[
        "type",
        "name",
        "label",
        "flipX",
        "flipY",
        "skewX",
        "skewY",
        "originX",
        "originY",
        "rx",
        "ry",
        "textAlign",
        "charSpacing",
        "linethrough",
        "overline",
        "visible",
        "strokeLineCap",
        "strokeDashArray",
        "paintFirst",
        "lockScalingFlip",
        "lockMovementX",
        "lockMovementY",
        "lockRotation",
        "lockScalingX",
        "lockScalingY",
        "lockSkewingX",
        "lockSkewingY",
        "lockUniScaling",
        "resource_url",
        "styles",
    ],
    ..Schema::of("Clip", "a clip")
};

static STOOD: Schema = Schema {
    says: "Where something stands on the canvas of 1920×1080 or 1080×1920 units.",
    fields: &[
        need("id", Takes::Text),
        need("layer", Takes::Number).says("Higher ones cover lower ones"),
        need("top", Takes::Number),
        need("left", Takes::Number),
        need("height", Takes::Number),
        need("width", Takes::Number),
        may("scaleX", Takes::Number).or("1"),
        may("scaleY", Takes::Number).or("1"),
        may("angle", Takes::Number).says("Degrees, clockwise about the upper left corner"),
        may("opacity", Takes::Number).says("1 to 100; of a presenter 0 to 1"),
        may("tag", Takes::Text).says("Finds the clip in edits"),
        may("isDelete", Takes::Flag).says("Neither seen nor heard"),
        may("animation", Takes::Object(&ANIMATION)),
        may("fromStep", Takes::Number)
            .from(1.0, 99.0)
            .says("Ours: comes with this step of the scene, which `[step]` marks in the script place; the first is 1"),
        may("untilStep", Takes::Number).from(1.0, 99.0).says("Ours: goes with this step"),
    ],
    ..Schema::of("Stood", "a clip")
};

static ANIMATION: Schema = Schema {
    says: "How something comes and goes.",
    fields: &[
        need("type", Takes::Word("AnimationType")),
        need("duration", Takes::Number).from(0.1, 30.0).says("Seconds"),
        may("delay", Takes::Number).from(0.0, 30.0).says("Seconds"),
    ],
    ..Schema::of("Animation", "an animation")
};

static AVATAR_CLIP: Schema = Schema {
    says: "Somebody who speaks.",
    base: Some(&STOOD),
    fields: &[
        need("model", Takes::Object(&MODEL)),
        may("script", Takes::Either(&[Takes::Object(&OWN_SCRIPT), Takes::Text]))
            .says("What this presenter says, where the scene's script is another's; a text is taken as its `org`"),
        may("headOnly", Takes::Flag).says("Head and shoulders alone"),
        may("effects", Takes::List(&Takes::Either(&[Takes::Object(&EFFECT), Takes::Text])))
            .says("`head-only`, as an object with that `type` or as a text"),
        may("mask", Takes::OneOf(&["none", "circle"])).says("Ours: `circle` shows the presenter in a circle"),
        may("headroom", Takes::Number)
            .from(0.0, 0.9)
            .says("Ours: the share of the height that stays empty above the hair"),
        may("voiceOnly", Takes::Flag).says("Heard and not seen"),
    ],
    ..Schema::of("AvatarClip", "a clip")
};

static EFFECT: Schema =
    Schema { fields: &[may("type", Takes::Text).says("`head-only`")], ..Schema::of("Effect", "an effect") };

/// What a presenter says whom the scene's script is not of: the clip names who that is.
static OWN_SCRIPT: Schema = Schema {
    fields: &[
        need("org", Takes::Text).says("The spoken text"),
        may("isTTS", Takes::Flag),
        may("tts", Takes::Object(&VOICE)).says("Another voice than the presenter's"),
        may("audio", Takes::Text).says("Ours: address of a recording of the text, heard in place of a voice"),
    ],
    besides: &["modelId", "clothId", "language", "id", "recordedText"],
    ..Schema::of("OwnScript", "a script")
};

static MODEL: Schema = Schema {
    fields: &[
        need("ai_name", Takes::Text).says("Id of the presenter"),
        need("emotion", Takes::Text).says("Id of the outfit"),
        may("language", Takes::Text),
        may("editor", Takes::Object(&ANYTHING)).says("What an editor knows of its picture: says where the face goes"),
    ],
    besides: &["editorValue", "origin"],
    ..Schema::of("ModelOfClip", "a presenter")
};

/// Fields that outline a shape or the letters of a text.
const STROKE: Field = may("stroke", Takes::Text).such_as(r#""rgb(16,42,67)""#);
const STROKE_WIDTH: Field = may("strokeWidth", Takes::Number).from(0.0, 1000.0);
const SHADOWED: Field = may("shadow", Takes::Object(&SHADOW));

static SHADOW: Schema = Schema {
    fields: &[
        may("enabled", Takes::Flag).or("true"),
        may("color", Takes::Text).such_as(r#""rgba(0,0,0,0.4)""#),
        may("blur", Takes::Number).from(0.0, 1000.0),
        may("offsetX", Takes::Number).from(-1000.0, 1000.0),
        may("offsetY", Takes::Number).from(-1000.0, 1000.0),
    ],
    ..Schema::of("Shadow", "a shadow")
};

static SHAPE_CLIP: Schema = Schema {
    base: Some(&STOOD),
    fields: &[
        need("shapeName", Takes::Word("ShapeName")),
        need("fill", Takes::Text).such_as(r#""rgb(16,42,67)""#),
        STROKE,
        STROKE_WIDTH,
        may("strokeRadius", Takes::Number).from(0.0, 10_000.0).says("Of rounded corners"),
        SHADOWED,
    ],
    ..Schema::of("ShapeClip", "a clip")
};

static IMAGE_CLIP: Schema =
    Schema { base: Some(&STOOD), fields: &[need("source_url", Takes::Text)], ..Schema::of("ImageClip", "a clip") };

static TEXT_CLIP: Schema = Schema {
    base: Some(&STOOD),
    fields: &[
        need("text", Takes::Text),
        need("fontSize", Takes::Number).says("Points: 4/3 of a canvas unit"),
        may("fontFamily", Takes::Text),
        need("fill", Takes::Text).such_as(r#""rgb(16,24,40)""#),
        may("align", Takes::OneOf(&["left", "center", "right", "justify"])),
        may("fontWeight", Takes::Either(&[Takes::Text, Takes::Number])).says("`normal`, `bold` or 1 to 1000"),
        may("fontStyle", Takes::OneOf(&["normal", "italic"])),
        may("underline", Takes::Flag),
        may("backgroundColor", Takes::Text),
        may("lineHeight", Takes::Number).from(0.5, 5.0).or("1.16"),
        may("runs", Takes::List(&Takes::Object(&TEXT_RUN)))
            .says("Ours: stretches of the text with looks of their own; they count while, joined, they are the `text`"),
        STROKE,
        STROKE_WIDTH,
        SHADOWED,
    ],
    ..Schema::of("TextClip", "a clip")
};

static TEXT_RUN: Schema = Schema {
    says: "A stretch of a text. What it does not say is as the clip has it.",
    fields: &[
        need("text", Takes::Text),
        may("fill", Takes::Text).such_as(r#""rgb(200,30,30)""#),
        may("fontFamily", Takes::Text),
        may("fontWeight", Takes::Either(&[Takes::Text, Takes::Number])).says("`normal`, `bold` or 1 to 1000"),
        may("fontStyle", Takes::OneOf(&["normal", "italic"])),
        may("underline", Takes::Flag),
        may("position", Takes::OneOf(&["normal", "super", "sub"]))
            .or(r#""normal""#)
            .says("Raised or lowered, and smaller"),
        may("rise", Takes::Number)
            .from(-1.0, 1.0)
            .says("How far above the line's baseline, a multiple of `fontSize`; default: as `position` has it"),
        may("scale", Takes::Number).from(0.1, 5.0).says("A multiple of `fontSize`; default: 1, raised or lowered 0.6"),
    ],
    ..Schema::of("TextRun", "a stretch of a text")
};

static VIDEO_CLIP: Schema = Schema {
    base: Some(&STOOD),
    fields: &[need("video_url", Takes::Text), may("volume", Takes::Number).from(0.0, 100.0).or("100")],
    besides: &["source_url"],
    ..Schema::of("VideoClip", "a clip")
};

static AUDIO_CLIP: Schema = Schema {
    says: "Only heard: needs no place.",
    fields: &[
        need("id", Takes::Text),
        need("source_url", Takes::Text),
        may("volume", Takes::Number).from(0.0, 100.0).or("100"),
        may("layer", Takes::Number),
        may("tag", Takes::Text),
        may("isDelete", Takes::Flag),
    ],
    besides: &["top", "left", "height", "width"],
    ..Schema::of("AudioClip", "a clip")
};
