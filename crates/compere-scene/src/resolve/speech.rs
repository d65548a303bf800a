//! What is spoken in a scene, and by whom.

use std::borrow::Cow;

use compere_media::{Cue, ScriptPart};
use serde_json::Value;

use super::cast::{self, Cast};
use super::presenter::Presenter;
use super::source::Use;
use super::{Given, check_length, source};
use crate::catalogue::{speaks, suggestion};
use crate::document::reader::{Item, Object, shortened};
use crate::film::{Mark, Source, Speaker, SpeechLine};
use crate::nearest::{any_of, most_of, nearest};
use crate::problem::Code;
use crate::script;

/// The longest pause that a script may ask for.
const LONGEST_PAUSE: f64 = 30.0;

/// A line and the number of the presenter who speaks it, if the scene has one.
pub(super) struct Spoken {
    pub(super) line: SpeechLine,
    pub(super) presenter: Option<usize>,
}

/// The scene's script first, then those of the presenters who have their own.
///
/// `anyone` tells whether the scene had presenters at all: when every one is deleted, the scene's script is not heard.
pub(super) fn lines(scene: &Object<'_>, presenters: &[Presenter<'_>], anyone: bool, given: Given<'_>) -> Vec<Spoken> {
    let mut lines = Vec::new();
    let entry = only_entry(scene, presenters, given);
    let owner = entry.as_ref().and_then(|entry| owner(entry, presenters));
    if let Some(entry) = &entry {
        lines.extend(scene_script(entry, presenters, owner, anyone, given));
    }
    for (number, presenter) in presenters.iter().enumerate() {
        if Some(number) == owner {
            warn_of_second_script(presenter);
        } else if let Some(line) = own_script(presenter, given) {
            lines.push(Spoken { line, presenter: Some(number) });
        }
    }
    lines
}

/// `scripts[0]`; several, or none where somebody could speak, are problems.
fn only_entry<'a>(scene: &Object<'a>, presenters: &[Presenter<'_>], given: Given<'_>) -> Option<Object<'a>> {
    if scene.raw("scripts").is_none() {
        if !presenters.is_empty() && !presenters.iter().any(Presenter::has_script) {
            scene.blame_as(
                Code::InvalidBody,
                "scripts",
                "is missing",
                Some("a silent presenter has one entry with an empty `org`".to_owned()),
            );
        }
        return None;
    }
    let mut entries = scene.need("scripts", Object::list)?.into_iter();
    if entries.len() != 1 {
        scene.blame("scripts", format!("must have exactly one entry, has {}", entries.len()));
        // The others are read for their own problems.
        for entry in entries.clone().skip(1).filter_map(Item::object) {
            read(&entry, true, given);
        }
    }
    entries.next()?.object()
}

/// The presenter whom the scene's script belongs to: the one it names, else the first.
fn owner(entry: &Object<'_>, presenters: &[Presenter<'_>]) -> Option<usize> {
    let model = entry.word("modelId");
    let cloth = entry.word("clothId");
    let named =
        |p: &Presenter<'_>| p.ai_name.as_deref() == model.as_deref() && p.emotion.as_deref() == cloth.as_deref();
    presenters.iter().position(named).or_else(|| (!presenters.is_empty()).then_some(0))
}

fn scene_script(
    entry: &Object<'_>,
    presenters: &[Presenter<'_>],
    owner: Option<usize>,
    anyone: bool,
    given: Given<'_>,
) -> Option<Spoken> {
    let script = read(entry, true, given);
    let owner = owner.map(|number| (number, &presenters[number]));
    if let Some((_, presenter)) = owner {
        agree(entry, presenter);
    } else if anyone {
        // Only deleted presenters: neither seen nor heard.
        return None;
    }
    let script = script?;
    let line = match owner {
        Some((_, presenter)) => line(script, presenter.cast.clone(), presenter.language.clone()),
        None => voice_over(entry, script, given),
    };
    let presenter = owner.map(|(number, _)| number);
    Some(Spoken { line: line?, presenter })
}

/// The script's ids are the avatar clip's.
fn agree(entry: &Object<'_>, presenter: &Presenter<'_>) {
    let pairs = [("modelId", "model.ai_name", &presenter.ai_name), ("clothId", "model.emotion", &presenter.emotion)];
    for (key, theirs, expected) in pairs {
        let Some(word) = entry.word(key) else {
            entry.missing(Code::ScriptModelMismatch, key);
            continue;
        };
        let Some(expected) = expected else { continue };
        if *word != **expected {
            let theirs = format!("{}.{theirs}", presenter.clip.path);
            let message =
                format!("must equal {theirs}, which is `{}`, was `{}`", shortened(expected), shortened(&word));
            entry.blame_as(Code::ScriptModelMismatch, key, message, None);
        }
    }
}

/// Nobody is seen; the script's model names the voice. A script that says nothing needs none.
fn voice_over(entry: &Object<'_>, script: Script, given: Given<'_>) -> Option<SpeechLine> {
    let model = entry.word("modelId");
    let Some(model) = model else {
        let silent = script.audio.is_none() && script.parts.iter().all(|part| matches!(part, ScriptPart::Pause(_)));
        if script.voice.is_none() && !silent {
            entry.missing(Code::ScriptModelMismatch, "modelId");
        }
        return line(script, None, None);
    };
    let cloth = entry.word("clothId");
    let cast = cast::cast(entry, ("modelId", "clothId"), (&model, cloth.as_deref()), given);
    let language = entry.word("language").map(Cow::into_owned);
    line(script, cast, language)
}

fn own_script(presenter: &Presenter<'_>, given: Given<'_>) -> Option<SpeechLine> {
    let clip = &presenter.clip;
    let script = match clip.raw("script")? {
        Value::String(org) => script_of(clip, "script", org, given),
        _ => read(&clip.object("script")?, false, given)?,
    };
    line(script, presenter.cast.clone(), presenter.language.clone())
}

fn warn_of_second_script(presenter: &Presenter<'_>) {
    let org = match presenter.clip.raw("script") {
        Some(Value::String(org)) => org,
        Some(Value::Object(script)) => match script.get("org") {
            Some(Value::String(org)) => org,
            _ => return,
        },
        _ => return,
    };
    if !org.trim().is_empty() {
        presenter.clip.warn("script", "is not spoken, because the scene's `scripts[0]` belongs to this presenter");
    }
}

fn line(script: Script, cast: Option<Cast<'_>>, language: Option<String>) -> Option<SpeechLine> {
    let speaker = match (script.voice, cast) {
        (Some(voice), _) => voice,
        (None, Some(cast)) => {
            Speaker::Avatar { avatar: cast.avatar.id.clone(), outfit: cast.outfit.to_owned(), language }
        }
        (None, None) => return None,
    };
    Some(SpeechLine {
        parts: script.parts,
        marks: script.marks,
        steps: script.steps,
        speaker,
        clip: None,
        audio: script.audio,
        path: script.path,
    })
}

/// What one script says, and the voice it asks for.
struct Script {
    parts: Vec<ScriptPart>,
    marks: Vec<Mark>,
    steps: Vec<usize>,
    voice: Option<Speaker>,
    audio: Option<Source>,
    path: String,
}

/// Reads `org`, `isTTS` and `tts`. The older form knows no `isTTS`: there a voice is used when one is given.
fn read(entry: &Object<'_>, needs_is_tts: bool, given: Given<'_>) -> Option<Script> {
    entry.warn_of_slips();
    // Of use only where nobody is seen.
    entry.word("language");
    let org = entry.need("org", Object::text);
    let is_tts = if needs_is_tts { entry.need("isTTS", Object::flag) } else { entry.flag("isTTS") };
    let voice = match (is_tts, entry.raw("tts").is_some()) {
        (Some(false), true) => {
            let hint = Some("set `isTTS` to true to use this voice".to_owned());
            entry.blame_as(Code::InvalidBody, "tts", "must be null when `isTTS` is false", hint);
            None
        }
        (Some(true), false) => {
            let hint = Some(r#"such as {"voice": "…", "speed": 1.0}"#.to_owned());
            entry.blame_as(Code::InvalidBody, "tts", "must name a voice when `isTTS` is true", hint);
            None
        }
        (_, true) => voice(entry, given),
        (_, false) => None,
    };
    let audio = source::find(entry, "audio", Use::File, given);
    let mut script = script_of(entry, "org", &org?, given);
    script.path.clone_from(&entry.path);
    (script.voice, script.audio) = (voice, audio);
    Some(script)
}

fn script_of(object: &Object<'_>, key: &str, org: &str, given: Given<'_>) -> Script {
    check_length(object, key, org, given.limits.script_chars);
    let fits = org.chars().nth(given.limits.script_chars).is_none();
    let script = if fits { script::read(org) } else { script::Script::default() };
    judge_marks(object, key, &script);
    for part in &script.parts {
        if let ScriptPart::Pause(seconds) = part
            && *seconds > LONGEST_PAUSE
        {
            object.blame(key, format!("a pause must last at most {LONGEST_PAUSE} s, was {seconds}"));
        }
    }
    let script::Script { parts, marks, steps, .. } = script;
    Script { parts, marks, steps, voice: None, audio: None, path: object.path_of(key) }
}

/// Cues that nobody knows are refused with the list; what is nearly one is spoken, with a word about it.
fn judge_marks(object: &Object<'_>, key: &str, script: &script::Script) {
    for name in &script.unknown {
        let known: Vec<String> = Cue::all().into_iter().map(|(name, _)| name).collect();
        let near = nearest(name, known.iter().map(String::as_str));
        let list = || format!("one of {}", any_of(known.iter().map(String::as_str)));
        let hint = near.first().map_or_else(list, |near| format!("did you mean `[{near}]`? It is {}", list()));
        let message = format!("there is no mark `[{}]`", shortened(name));
        object.blame_as(Code::InvalidBody, key, message, Some(hint));
    }
    for name in &script.slips {
        object.warn(key, format!("`[{}]` is spoken: it is no mark, only nearly one", shortened(name)));
    }
}

/// `{voice, speed, language}`, or `{type, model, language}` as other parts of the API name a voice.
fn voice(entry: &Object<'_>, given: Given<'_>) -> Option<Speaker> {
    let tts = entry.object("tts")?;
    let speed = tts.number_in("speed", 0.5..=2.0).unwrap_or(1.0);
    let language = tts.word("language").map(Cow::into_owned);
    let key = if tts.raw("voice").is_none() && tts.raw("model").is_some() { "model" } else { "voice" };
    let id = tts.need_word(key)?;
    let Some(voice) = given.catalogue.find_voice(&id) else {
        let known = given.catalogue.voices().iter().map(|voice| voice.id.as_str());
        let message = format!("there is no voice `{}`", shortened(&id));
        tts.blame_as(Code::UnknownVoice, key, message, suggestion(&id, known, std::iter::empty()));
        return None;
    };
    if let Some(language) = &language
        && !voice.languages.is_empty()
        && !speaks(&voice.languages, language)
    {
        let own = most_of(voice.languages.iter().map(String::as_str));
        tts.warn("language", format!("`{}` is no voice for `{}`, only for {own}", voice.id, shortened(language)));
    }
    Some(Speaker::Voice { voice: voice.id.clone(), speed, language })
}
