//! The sound of the whole film: lines where they are spoken, clips where they are shown, music under all of it.

use std::path::Path;

use compere_codec::sound::{self, Role, SoundFile, SoundReader, Track};
use compere_media::SampleSpan;
use compere_scene::{ClipKind, Film, Source, Timeline};

use crate::footage::Footage;
use crate::shoot::Reel;
use crate::{RenderError, Workshop};

/// The finished sound, exactly as long as the pictures.
#[derive(Debug)]
pub(crate) struct Mixed {
    pub(crate) file: SoundFile,
    /// Integrated, in LUFS; nothing for silence.
    pub(crate) loudness: Option<f64>,
    /// Neither clips nor music are heard, so both sides are the same.
    pub(crate) only_speech: bool,
}

/// Mixes and masters into files in `dir`.
pub(crate) fn mix(
    film: &Film,
    timeline: &Timeline,
    reel: &Reel,
    footage: &Footage,
    shop: &Workshop,
    dir: &Path,
) -> Result<Mixed, RenderError> {
    let mut tracks = Vec::new();
    let mut others = Vec::new();
    for act in &reel.acts {
        for (line, span) in act.speech.lines.iter().zip(&act.time.lines).filter(|(_, span)| !span.is_empty()) {
            let source = line.sound.reader().map_err(RenderError::machine)?;
            tracks.push(Track::new(source, Role::Speech, span.start, span.end, 1.0));
        }
        for clip in &act.scene.clips {
            let (source, volume) = match &clip.kind {
                ClipKind::Video(video) => (&video.source, video.volume),
                ClipKind::Audio(audio) => (&audio.source, audio.volume),
                _ => continue,
            };
            others.extend(linked(source, Role::Clip, act.time.samples(), volume, footage, shop));
        }
    }
    if let Some(music) = &film.music {
        let whole = SampleSpan { start: 0, end: timeline.samples() };
        others.extend(linked(&music.source, Role::Music, whole, music.volume, footage, shop));
    }
    let only_speech = others.is_empty();
    tracks.extend(others);
    let mixed = sound::mixdown(tracks, timeline.samples(), &dir.join("mixed.f32")).map_err(RenderError::machine)?;
    let (file, loudness) = sound::master(&mixed, &dir.join("mastered.f32")).map_err(RenderError::machine)?;
    let heard = loudness.integrated_lufs.is_finite();
    Ok(Mixed { file, loudness: heard.then_some(loudness.integrated_lufs), only_speech })
}

/// The sound of a linked file, if it has any and was not left out.
fn linked(
    source: &Source,
    role: Role,
    span: SampleSpan,
    volume: f32,
    footage: &Footage,
    shop: &Workshop,
) -> Option<Track<'static>> {
    let file = footage.files.get(source)?;
    let audio = file.info.as_ref()?.audio.as_ref()?;
    if volume <= 0.0 || span.is_empty() {
        return None;
    }
    let end = if role == Role::Music { span.end } else { span.end.min(span.start + audio.samples) };
    let reader = SoundReader::new(&shop.sandbox, &file.path, span.len());
    Some(Track::new(reader, role, span.start, end, volume))
}
