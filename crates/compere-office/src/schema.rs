//! What requests say that are no scenes: keys, endpoints, stories, documents.

use compere_scene::schema::{ANYTHING, Field, Schema, Takes, may, need};

pub static TOKEN: Schema = Schema {
    fields: &[need("appId", Takes::Text), need("userKey", Takes::Text)],
    example: r#"{"appId": "compere.5f0c1d9be27a4863", "userKey": "00000000-0000-4000-8000-000000000000"}"#,
    ..Schema::of("TokenRequest", "a request for a token")
};

pub static DELETE: Schema = Schema {
    fields: &[need("ids", Takes::List(&Takes::Text))],
    example: r#"{"ids": ["66f8f1a02b3c4d5e6f708192"]}"#,
    ..Schema::of("DeleteProjects", "a request to delete")
};

pub static UPLOAD: Schema = Schema {
    fields: &[need("file", Takes::File), may("name", Takes::Text).says("Instead of the file's own name")],
    ..Schema::of("AssetUpload", "an upload")
};

pub static FONT: Schema = Schema {
    fields: &[
        need("file", Takes::File),
        need("licence", Takes::OneOf(&["true"]))
            .says("That you may use the font in films, and may give those films to others"),
    ],
    ..Schema::of("FontUpload", "a font")
};

pub static NEW_AVATAR: Schema = Schema {
    fields: &[
        need("name", Takes::Text).says("Scenes may name it by this too, as `ada-miller`"),
        may("kind", Takes::Text).says("`footage` (default) of a person who speaks, one `photo`, or a `model` file"),
        may("gender", Takes::Text).says("`female`, `male` or `neutral` (default): which voice speaks for it"),
        may("language", Takes::Text).says("Spoken in the takes, and in the consent; default `en-US`. Lines and consent are given out in it where there are some (`GET /avatars/prompts`), else in English, which `promptLanguage` of the answer tells"),
        may("background", Takes::OneOf(&["auto", "cut", "keep"])).or(r#""auto""#).says(
            "Of footage or a photo: whether the person is cut out of what is behind. `auto` does that where the person can be told well enough; `cut` refuses the footage otherwise",
        ),
        may("outfitOf", Takes::Text).says(
            "Id of a presenter of footage or of a photo: the same person in other clothes. `name` is then what those are called, and kind, gender and language are the presenter's. Scenes name it as an outfit (`clothId`, `emotion`) by `id` or name",
        ),
    ],
    example: r#"{"name": "Ada Miller", "gender": "female", "language": "en-US"}"#,
    ..Schema::of("NewAvatar", "a presenter")
};

static DESIGN_FACE: Schema = Schema {
    fields: &[
        may("width", Takes::Number).from(-1.0, 1.0).or("0").says("Narrow to broad"),
        may("length", Takes::Number).from(-1.0, 1.0).or("0").says("Short to long"),
        may("jaw", Takes::Number).from(-1.0, 1.0).or("0").says("Slim to strong"),
        may("chin", Takes::Number).from(-1.0, 1.0).or("0").says("Small to long"),
        may("cheeks", Takes::Number).from(-1.0, 1.0).or("0").says("Flat to full"),
        may("eyes", Takes::Number).from(-1.0, 1.0).or("0").says("Small to large"),
        may("open", Takes::Number).from(-1.0, 1.0).or("0").says("Narrow eyes to wide open ones"),
        may("slant", Takes::Number).from(-1.0, 1.0).or("0").says("Outer corners of the eyes down to up"),
        may("brows", Takes::Number).from(-1.0, 1.0).or("0").says("Fine to strong"),
        may("nose", Takes::Number).from(-1.0, 1.0).or("0").says("Small to large"),
        may("noseWidth", Takes::Number).from(-1.0, 1.0).or("0").says("Slim to broad"),
        may("bridge", Takes::Number).from(-1.0, 1.0).or("0").says("Flat to high"),
        may("mouth", Takes::Number).from(-1.0, 1.0).or("0").says("Small to wide"),
        may("lips", Takes::Number).from(-1.0, 1.0).or("0").says("Thin to full"),
        may("asymmetry", Takes::Number).from(-1.0, 1.0).or("0").says("How the halves differ"),
    ],
    ..Schema::of("DesignFace", "a face")
};

static DESIGN_BODY: Schema = Schema {
    fields: &[
        may("weight", Takes::Number).from(-1.0, 1.0).or("0").says("Slim to heavy"),
        may("shoulders", Takes::Number).from(-1.0, 1.0).or("0").says("Narrow to broad"),
        may("neck", Takes::Number).from(-1.0, 1.0).or("0").says("Slim to strong"),
    ],
    ..Schema::of("DesignBody", "a body")
};

static DESIGN_SKIN: Schema = Schema {
    fields: &[
        may("color", Takes::Text).such_as(r##""#1e6b7a""##).says("As seen in a film"),
        may("lips", Takes::Text).such_as(r##""#1e6b7a""##).says("As seen in a film"),
        may("freckles", Takes::Number).from(0.0, 1.0).says("None to many"),
        may("lines", Takes::Number).from(0.0, 1.0).says("Smooth to lined"),
        may("makeup", Takes::Number).from(0.0, 1.0).says("None to much"),
    ],
    ..Schema::of("DesignSkin", "a skin")
};

static DESIGN_EYES: Schema = Schema {
    fields: &[may("color", Takes::Text).says("Of the iris, as `#46606c`")],
    ..Schema::of("DesignEyes", "eyes")
};

static DESIGN_HAIR: Schema = Schema {
    fields: &[
        may(
            "style",
            Takes::OneOf(&[
                "long",
                "waves",
                "shoulder",
                "bob",
                "bun",
                "tied-back",
                "curls",
                "afro",
                "pixie",
                "side-part",
                "quiff",
                "short",
                "crop",
                "receding",
                "bald",
                "headscarf",
            ]),
        ),
        may("color", Takes::Text)
            .such_as(r##""#1e6b7a""##)
            .says("As seen in a film; a headscarf's is the outfit's `accent`"),
        may("length", Takes::Number).from(-1.0, 1.0).or("0").says("Shorter to longer"),
        may("volume", Takes::Number).from(-1.0, 1.0).or("0").says("Flat to full"),
        may("otherSide", Takes::Flag).or("false").says("Parted or combed to the other side"),
    ],
    ..Schema::of("DesignHair", "hair")
};

static DESIGN_GLASSES: Schema = Schema {
    fields: &[
        may("rims", Takes::OneOf(&["none", "round", "oval", "square"])),
        may("color", Takes::Text).such_as(r##""#1e6b7a""##).says("Of the frame"),
    ],
    ..Schema::of("DesignGlasses", "glasses")
};

static DESIGN_OUTFIT: Schema = Schema {
    fields: &[
        need("clothes", Takes::OneOf(&["suit", "open-suit", "blazer", "shirt", "knit", "tee"])),
        need("color", Takes::Text)
            .such_as(r##""#1d4f5b""##)
            .says("As seen in a film: a brand's colour stays that colour"),
        may("under", Takes::Text).such_as(r##""#1e6b7a""##).says("Of what is under a jacket"),
        may("accent", Takes::Text).such_as(r##""#1e6b7a""##).says("Of tie or headscarf"),
        may("name", Takes::Text).says("For people"),
    ],
    ..Schema::of("DesignOutfit", "an outfit")
};

static DESIGN_LOGO: Schema = Schema {
    fields: &[
        need("picture", Takes::Text).says("A PNG, JPEG, WebP or SVG as `data:image/png;base64,…`"),
        may("place", Takes::OneOf(&["chest", "lapel"])).or(r#""chest""#),
        may("size", Takes::Number).from(-1.0, 1.0).or("0").says("Small to large"),
    ],
    ..Schema::of("DesignLogo", "a logo")
};

pub static DESIGN: Schema = Schema {
    fields: &[
        need("name", Takes::Text).at_most(80.0).says("Scenes may name it by this too, as `ada-miller`"),
        need("faces", Takes::Object(&ANYTHING))
            .says("Whose face it is: up to four women or men of the cast by alias, with shares"),
        may("age", Takes::Number).from(20.0, 75.0).says("Default: that of the faces, as with all that is left out"),
        may("face", Takes::Object(&DESIGN_FACE)),
        may("body", Takes::Object(&DESIGN_BODY)),
        may("skin", Takes::Object(&DESIGN_SKIN)),
        may("eyes", Takes::Object(&DESIGN_EYES)),
        may("hair", Takes::Object(&DESIGN_HAIR)),
        may("beard", Takes::OneOf(&["none", "stubble", "short", "full"])),
        may("glasses", Takes::Object(&DESIGN_GLASSES)),
        may("outfits", Takes::List(&Takes::Object(&DESIGN_OUTFIT))).at_most(4.0),
        may("logo", Takes::Object(&DESIGN_LOGO)).says("On every outfit"),
        may("manner", Takes::OneOf(&["calm", "lively", "formal"])).says("How much it moves"),
        may("hands", Takes::OneOf(&["together", "crossed", "beside", "folded", "hip", "steepled", "wrist", "tablet"]))
            .says("Where they rest"),
        may("voices", Takes::Object(&ANYTHING)).says("A voice for each language"),
    ],
    example: r##"{"name": "Alma", "faces": {"nora": 0.7, "mei": 0.3}, "age": 34, "hair": {"style": "bob", "color": "#54382a"}, "outfits": [{"clothes": "blazer", "color": "#1d4f5b"}]}"##,
    ..Schema::of("AvatarDesign", "a design")
};

pub static TAKE: Schema = Schema {
    fields: &[
        may("file", Takes::File)
            .says("A video with sound: MP4, MOV, WebM or MKV; of a photo, the picture: JPEG, PNG, WebP or AVIF; of a model, the GLB or VRM"),
        may("assetId", Takes::Text).says("Of an uploaded file, instead"),
        may("prompt", Takes::Text).says("Number of the line that is read, `all`, `idle`, `talk`, `photo` or `model`"),
        may("text", Takes::Text).says("What is said, where it is no prompt; with `all`, lines of your own, one below the other"),
        may("name", Takes::Text).says("With `text`, of a take that came without its text"),
    ],
    ..Schema::of("TakeUpload", "a take")
};

pub static CONSENT: Schema = Schema {
    fields: &[
        may("person", Takes::Text).says("The person's name, as they say it: gives out a text"),
        may("purpose", Takes::Text).says("What the films are for"),
        may("assetId", Takes::Text).says("Of an uploaded file, which is the recording of that text"),
        may("licensedBy", Takes::Text).says(
            "Of a model, instead: the name of whoever states that it may be shown in films, in commercial ones too",
        ),
    ],
    ..Schema::of("ConsentAsk", "a consent")
};

pub static CUSTOM_AVATAR: Schema = Schema {
    fields: &[
        need("url", Takes::Text).says("Of a video in which one person speaks"),
        need("name", Takes::Text),
        may("gender", Takes::Text).says("`FEMALE`, `MALE` or `NEUTRAL` (default)"),
        may("locale", Takes::Text).says("`en` (default), `ko` or `zh`"),
        may("text", Takes::Text).says("What is said in the video: nobody here recognises speech"),
        may("perFrame", Takes::Flag).says("Accepted; every picture is looked at"),
        may("isWebcam", Takes::Flag).says("Accepted; footage is footage"),
    ],
    example: r#"{"url": "https://example.com/me.mp4", "name": "Ada Miller", "gender": "FEMALE"}"#,
    ..Schema::of("CustomAvatar", "a presenter")
};

pub static DREAM_AVATAR: Schema = Schema {
    fields: &[
        need("url", Takes::Text).says("Of a photo in which one person looks into the lens, with closed lips"),
        need("name", Takes::Text),
        may("gender", Takes::Text).says("`FEMALE`, `MALE` or `NEUTRAL` (default)"),
        may("tts", Takes::Object(&ANYTHING)).says("Accepted; scenes say who speaks"),
    ],
    example: r#"{"url": "https://example.com/me.jpg", "name": "Ada Miller", "gender": "FEMALE", "tts": null}"#,
    ..Schema::of("DreamAvatar", "a presenter")
};

pub static DECK: Schema = Schema {
    fields: &[
        need("file", Takes::File).says("pdf, ppt, pptx or odp"),
        may("name", Takes::Text).says("Default: the document's title, else the file's name"),
        may("workspaceId", Takes::Text),
        may("projectId", Takes::Text).says(
            "Ours: the project of an older version of the document; slides that are as they were keep its edits, and `importChanges` of the project says what became of each",
        ),
        may("editable", Takes::Flag)
            .says("Ours: texts and pictures of a PPTX become clips where they then look as the slide does"),
        may("layout", Takes::OneOf(&["auto", "beside", "corner", "circle", "voice"]))
            .or(r#""auto""#)
            .says("Ours: how the presenter shares the picture with the slide"),
        may("side", Takes::OneOf(&["right", "left"])).or(r#""right""#).says("Ours: where the presenter is"),
        may("quiet", Takes::OneOf(&["listen", "draft", "written", "empty", "skip"]))
            .or(r#""listen""#)
            .says("Ours: what becomes of slides without notes; `written` needs the operator's language model"),
        may("background", Takes::Text).such_as(r##""#0a2540""##).says(
            "Ours: what is behind slides that do not fill the picture: a colour, or the link of a picture; default: a shade of their own edges",
        ),
        may("slides", Takes::Text).says("Ours: slides by number, as the document counts, such as `1-5,8,12-`"),
        may("hidden", Takes::Flag).says("Ours: hidden slides are shown"),
        may("notes", Takes::Flag).or("true").says("Ours: notes are spoken; without it they are"),
        may("cues", Takes::Flag)
            .or("true")
            .says("Ours: what notes say to the speaker, such as `(10 min)`, is spoken like the rest; without it it is"),
        may("presenter", Takes::Text).says("Ours: who speaks, as `model.ai_name`, instead of the account's own"),
        may("outfit", Takes::Text).says("Ours: what the presenter wears, as `model.emotion`"),
        may("voice", Takes::Text).says("Ours: another voice than the presenter's"),
    ],
    ..Schema::of("PptPdf", "a document")
};

const OPTIONS: Field = may("options", Takes::Object(&STORY));
const NAMED: Field = may("name", Takes::Text).says("Default: what is written calls itself");

const WITHOUT_EFFECT: &str = "Accepted; never changes the result, and is warned of";

static STORY: Schema = Schema {
    fields: &[
        may("language", Takes::Text).says("Of the text; default: heard from it"),
        may("model", Takes::Text).says("Who presents; default: the account's own presenter"),
        may("voiceOnly", Takes::Flag),
        may("orientation", Takes::Text).says("`mobile` means `portrait`, everything else `landscape`"),
        may("templateId", Takes::Text).says("Id of a look"),
        may("scriptOption", Takes::Text).says(
            "Of a text: `ai` has a language model say it better first; `original`, the default here, leaves it as it is",
        ),
        may("duration", Takes::Whole)
            .at_least(0.0)
            .says("What follows is for the language model. Seconds that the film shall last; default 60"),
        may("objective", Takes::Text),
        may("audience", Takes::Text),
        may("tone", Takes::Text),
        may("speed", Takes::Number).says(WITHOUT_EFFECT),
        may("media", Takes::Text).says(WITHOUT_EFFECT),
        may("style", Takes::Text).says(WITHOUT_EFFECT),
        may("useGenerativeHighQuality", Takes::Flag).says(WITHOUT_EFFECT),
    ],
    // As vendors' clients call the objective.
    besides: &["goal"],
    ..Schema::of("StoryOptions", "the options")
};

pub static SCRIPTS: Schema = Schema {
    fields: &[
        need("scripts", Takes::Text).says("What is said, with headings and lists as in Markdown or without any"),
        may("name", Takes::Text).says("Default: the first heading, else the first words"),
        OPTIONS,
    ],
    example: r##"{"scripts": "# Hello\n\nWelcome to the team.\n\n- Coffee is on the left\n- Tea is on the right",
        "options": {"language": "en", "model": "lena", "orientation": "portrait"}}"##,
    ..Schema::of("ScriptsToVideo", "a story")
};

pub static TOPIC: Schema = Schema {
    fields: &[need("topic", Takes::Text), NAMED, OPTIONS],
    example: r#"{"topic": "Why bees matter to a garden", "options": {"language": "en", "duration": 30}}"#,
    ..Schema::of("TopicToVideo", "a story")
};

pub static PAGE: Schema = Schema {
    fields: &[need("url", Takes::Text).says("Of a page that can be read without signing in"), NAMED, OPTIONS],
    example: r#"{"url": "https://example.com/news", "options": {"language": "en", "audience": "customers"}}"#,
    ..Schema::of("UrlToVideo", "a story")
};

pub static PAPERS: Schema = Schema {
    fields: &[need("files", Takes::List(&Takes::File)).says("pdf, ppt, pptx, docx or plain text, up to ten")],
    ..Schema::of("DocumentUpload", "an upload")
};

pub static FILM_OF_PAPERS: Schema = Schema {
    says: "One presentation, or texts and Word documents.",
    fields: &[
        need("files", Takes::List(&Takes::Object(&PAPER))),
        may("name", Takes::Text).says("Default: as the document calls itself"),
        OPTIONS,
    ],
    ..Schema::of("DocsToVideo", "a story")
};

static PAPER: Schema = Schema {
    fields: &[need("uri", Takes::Text).says("As `upload-files` gave it"), may("fileName", Takes::Text)],
    ..Schema::of("UploadedDocument", "a document")
};

pub static TEXT: Schema = Schema {
    fields: &[need("topic", Takes::Text), OPTIONS],
    // The same reader as for a film.
    besides: &["name"],
    example: r#"{"topic": "Why bees matter to a garden"}"#,
    ..Schema::of("TextGenerator", "a wish")
};

pub static PICTURE: Schema = Schema {
    fields: &[
        need("topic", Takes::Text).at_most(2000.0).says("What is to be seen"),
        may("style", Takes::Text).says("`PHOTOGRAPHIC` (default), `VECTOR_IMAGE`, `ILLUSTRATION` or `3D`"),
        may("size", Takes::Text).says("`LANDSCAPE` (default), `PORTRAIT` or `SQUARE`"),
    ],
    example: r#"{"topic": "A bee on a thistle", "style": "ILLUSTRATION", "size": "SQUARE"}"#,
    ..Schema::of("ImageGenerator", "a wish")
};

pub static SCENERY: Schema = Schema {
    fields: &[
        need("topic", Takes::Text).at_most(2000.0).says("What is to be seen"),
        may("size", Takes::Text).says("*Ours*: `LANDSCAPE` (default), `PORTRAIT` or `SQUARE`"),
    ],
    example: r#"{"topic": "A bee on a thistle"}"#,
    ..Schema::of("VideoGenerator", "a wish")
};

pub static FROM_TEMPLATE: Schema = Schema {
    fields: &[
        may("name", Takes::Text),
        may("aiName", Takes::Text).says("Another presenter wherever somebody presents"),
        may("clothId", Takes::Text).says("Another outfit"),
    ],
    // As other parts of the API call them.
    besides: &["projectName", "model", "clothes"],
    ..Schema::of("FromTemplate", "a copy")
};

pub static TEMPLATE: Schema = Schema {
    fields: &[need("projectId", Takes::Text).says("Others are made of it from then on")],
    example: r#"{"projectId": "66f8f1a02b3c4d5e6f708192"}"#,
    ..Schema::of("NewTemplate", "a template")
};

pub static MODIFY: Schema = Schema {
    fields: &[
        may("projectId", Takes::Text).says("Changed itself"),
        may("templateId", Takes::Text).says("A copy of it is changed"),
        may("name", Takes::Text).says("Of the copy"),
        need("updates", Takes::Object(&ANYTHING)).says("What each tag becomes"),
        may("isExport", Takes::Flag).or("false").says("Export at once"),
    ],
    example: r#"{"projectId": "66f8f1a02b3c4d5e6f708192", "updates": {"title": "Good evening"}}"#,
    ..Schema::of("ModifyProject", "a change")
};

pub static CUSTOM: Schema = Schema {
    fields: &[
        need("language", Takes::Text),
        need("text", Takes::Text),
        need("model", Takes::Text),
        may("clothes", Takes::Text).says("Default: the presenter's first outfit"),
    ],
    example: r#"{"language": "en", "text": "Hello there.", "model": "nora"}"#,
    ..Schema::of("SimpleCustom", "a simple video")
};

pub static VOICE: Schema = Schema {
    fields: &[
        need("script", Takes::Text).says("What is spoken"),
        need("model", Takes::Text).says("Id of a voice"),
        may("type", Takes::Text).says("Accepted; the id says it all"),
        need("language", Takes::Text),
    ],
    example: r#"{"script": "Hello there.", "model": "af_heart", "language": "en"}"#,
    ..Schema::of("VoiceGenerator", "a text to be spoken")
};

pub static KEY: Schema = Schema {
    fields: &[
        need("name", Takes::Text).says("For people"),
        may("workspaceId", Takes::Text).says("Binds the pair to a workspace"),
        may("test", Takes::Flag)
            .or("false")
            .says("Its films are marked, short, of at most 720 lines, and cost nothing"),
    ],
    example: r#"{"name": "newsletter"}"#,
    ..Schema::of("IssueKey", "a key pair")
};

const EVENTS: Field = may("events", Takes::List(&Takes::Word("WebhookEventChoice"))).at_least(1.0);
const CALLED: Field = may("name", Takes::Text).at_most(80.0);

pub static NEW_HOOK: Schema = Schema {
    fields: &[
        need("url", Takes::Text).says("Called by POST"),
        CALLED.says("For people"),
        EVENTS.says("Default: all"),
        may("enabled", Takes::Flag).or("true").says("Told of nothing while it is not"),
    ],
    example: r#"{"url": "https://example.com/news", "name": "newsroom", "events": ["export.completed", "export.failed"]}"#,
    ..Schema::of("NewHook", "an endpoint")
};

pub static CHANGED_HOOK: Schema = Schema {
    fields: &[may("url", Takes::Text), CALLED, EVENTS, may("enabled", Takes::Flag)],
    ..Schema::of("ChangeHook", "an endpoint")
};

#[cfg(test)]
mod tests {
    use compere_avatar::Design;

    use super::*;

    /// Where `hair.style` or `outfits[].clothes` leads.
    fn words(schema: &'static Schema, path: &str) -> &'static [&'static str] {
        let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
        let field = schema.fields.iter().find(|field| field.key == key.trim_end_matches("[]"));
        let mut takes = field.unwrap_or_else(|| panic!("{path}: no such field")).takes;
        if let Takes::List(each) = takes {
            takes = *each;
        }
        match (takes, rest) {
            (Takes::Object(within), Some(rest)) => words(within, rest),
            (Takes::OneOf(words), None) => words,
            _ => panic!("{path}: {takes:?}"),
        }
    }

    #[test]
    fn designs_may_say_what_the_painter_knows() {
        for (path, known) in Design::WORDS {
            assert_eq!(words(&DESIGN, path), known(), "{path}");
        }
    }
}
