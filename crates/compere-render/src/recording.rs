//! Lines that somebody recorded: decoded, aligned to their text, kept.

use std::ops::ControlFlow;
use std::sync::Arc;

use compere_codec::sound::decode_sound;
use compere_media::Sound;
use compere_own::align::Reference;
use compere_own::{comparable_to, recorded, recorded_without_text};
use compere_scene::{Film, SpeechLine};
use compere_speech::voices::same_language;
use compere_speech::{SpeechCache, Utterance, Voice, VoiceKind};

use crate::casting::{casting, spoken_wrong};
use crate::footage::{Footage, Linked, audio_path};
use crate::{RenderError, Warning, Workshop};

/// A recording of one line is no longer than this, in seconds.
const LONGEST: f64 = 1200.0;
/// Goes up when the same recording gets other marks.
const METHOD: u32 = 1;

/// What is heard of a recorded line, with its marks.
pub(crate) fn heard(
    film: &Film,
    line: &SpeechLine,
    shop: &Workshop,
    footage: &Footage,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<(Utterance, Vec<Warning>), RenderError> {
    let path = audio_path(line);
    let linked = linked(line, footage).ok_or_else(|| RenderError::asset(&path, "the recording was not fetched"))?;
    let seconds =
        linked.info.as_ref().and_then(|info| info.audio.as_ref()).map_or(0.0, |audio| audio.samples as f64 / 48_000.0);
    if seconds > LONGEST {
        let what = format!("the recording lasts {seconds:.0} s; one line may be recorded in {LONGEST:.0} s at most");
        return Err(RenderError::asset(&path, what));
    }
    let (key, voices) = shelf(film, line, shop, linked)?;
    if let Some(utterance) = SpeechCache::get(&shop.cache, &key) {
        return Ok((utterance, Vec::new()));
    }
    let sound = decode_sound(&shop.sandbox, &linked.path, LONGEST).map_err(|error| RenderError::asset(&path, error))?;
    let samples = mono(&sound);
    let found = if line.says_words() {
        recorded(samples, &references(film, line, shop, &voices, watch)?)
    } else {
        recorded_without_text(samples)
    };
    let found = found.map_err(|error| RenderError::asset(&path, error))?;
    let mut utterance = found.utterance;
    utterance.settle();
    let warnings: Vec<Warning> =
        found.warnings.into_iter().map(|message| Warning { path: path.clone(), message }).collect();
    // What a film warns of is found again when it is made again.
    if warnings.is_empty() {
        SpeechCache::put(&shop.cache, &key, &utterance);
    }
    Ok((utterance, warnings))
}

/// What was heard of a recorded line when it was last listened to. Nothing is decoded, and nobody speaks for it.
pub(crate) fn remembered(
    film: &Film,
    line: &SpeechLine,
    shop: &Workshop,
    footage: &Footage,
) -> Result<Option<Utterance>, RenderError> {
    let Some(linked) = linked(line, footage) else { return Ok(None) };
    let (key, _) = shelf(film, line, shop, linked)?;
    Ok(SpeechCache::get(&shop.cache, &key))
}

fn linked<'a>(line: &SpeechLine, footage: &'a Footage) -> Option<&'a Linked> {
    footage.files.get(line.audio.as_ref()?)
}

/// Where it is kept, and the voices that it is compared with.
fn shelf(
    film: &Film,
    line: &SpeechLine,
    shop: &Workshop,
    linked: &Linked,
) -> Result<(String, Vec<Arc<dyn Voice>>), RenderError> {
    let voices = if line.says_words() { comparable(film, line, shop)? } else { Vec::new() };
    let names: Vec<String> =
        voices.iter().map(|voice| format!("{} {}", voice.info().id, voice.info().version)).collect();
    let key = format!("recording {METHOD} {} {names:?} {:?} {:?}", linked.id.as_str(), line.parts, film.dictionary);
    Ok((key, voices))
}

fn mono(sound: &Sound) -> Vec<f32> {
    sound.samples().as_chunks::<2>().0.iter().map(|[left, right]| (left + right) / 2.0).collect()
}

/// The voice that would speak the line, and those that takes in its language are compared with.
fn comparable(film: &Film, line: &SpeechLine, shop: &Workshop) -> Result<Vec<Arc<dyn Voice>>, RenderError> {
    let (own, script) = casting(&film.dictionary, film.language.as_deref(), line, shop)?;
    let language = script.language.unwrap_or_else(|| own.info().language.clone());
    let own = if same_language(&own.info().language, &language) && own.info().kind != VoiceKind::Tone {
        Some(own)
    } else {
        shop.voices.for_language(&language, None).ok()
    };
    Ok(own.map_or_else(Vec::new, |own| comparable_to(own, &language, &shop.voices)))
}

fn references(
    film: &Film,
    line: &SpeechLine,
    shop: &Workshop,
    voices: &[Arc<dyn Voice>],
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Vec<Reference>, RenderError> {
    let (own, mut script) = casting(&film.dictionary, film.language.as_deref(), line, shop)?;
    script.speed = 1.0;
    let mut references = Vec::new();
    for voice in voices {
        if script.language.is_none() && !same_language(&voice.info().language, &own.info().language) {
            script.language = Some(own.info().language.clone());
        }
        let spoken = compere_speech::speak(&script, voice.as_ref(), &shop.cache, &mut |_| watch(), shop.threads);
        references.push(Reference::new(&spoken.map_err(|error| spoken_wrong(line, error))?.utterance));
    }
    Ok(references)
}
