//! What is to be heard when: lines, sounds of clips, and music, each where it lies in the film.

use std::path::Path;

use compere_codec::AudioInfo;
use compere_codec::sound::{Role, SoundReader, Track};
use compere_media::{SAMPLE_RATE, SampleSpan};
use compere_scene::{ClipKind, Film, Scene, Source};

use crate::act::Act;
use crate::footage::Footage;
use crate::{RenderError, Workshop};

/// Longer than any film: a day.
pub(crate) const LONGEST: u64 = 24 * 3600 * SAMPLE_RATE as u64;

/// What is said and played in one scene, in film time.
pub(crate) fn of_scene(act: &Act, footage: &Footage, shop: &Workshop) -> Result<Vec<Track<'static>>, RenderError> {
    let mut tracks = Vec::new();
    for (line, span) in act.speech.lines.iter().zip(&act.time.lines).filter(|(_, span)| !span.is_empty()) {
        let source = line.sound.reader().map_err(RenderError::machine)?;
        tracks.push(Track::new(source, Role::Speech, span.start, span.end, 1.0));
    }
    for (source, volume) in played(&act.scene) {
        tracks.extend(linked(source, Role::Clip, act.time.samples(), volume, footage, shop));
    }
    Ok(tracks)
}

/// What lies under a film that ends at a sample.
pub(crate) fn music(film: &Film, end: u64, footage: &Footage, shop: &Workshop) -> Option<Track<'static>> {
    let music = film.music.as_ref()?;
    linked(&music.source, Role::Music, SampleSpan { start: 0, end }, music.volume, footage, shop)
}

/// Whether neither clips nor music are heard in a film.
pub(crate) fn only_speech(film: &Film, footage: &Footage) -> bool {
    let music = film.music.iter().map(|music| (&music.source, music.volume));
    let mut others = film.scenes.iter().flat_map(played).chain(music);
    !others.any(|(source, volume)| audible(source, volume, footage).is_some())
}

/// What a scene plays that may have a sound, and how loud.
fn played(scene: &Scene) -> impl Iterator<Item = (&Source, f32)> {
    scene.clips.iter().filter_map(|clip| match &clip.kind {
        ClipKind::Video(video) => Some((&video.source, video.volume)),
        ClipKind::Audio(audio) => Some((&audio.source, audio.volume)),
        _ => None,
    })
}

/// A linked file that is heard, and what it sounds like.
fn audible<'f>(source: &Source, volume: f32, footage: &'f Footage) -> Option<(&'f Path, &'f AudioInfo)> {
    let file = footage.files.get(source).filter(|_| volume > 0.0)?;
    Some((&file.path, file.info.as_ref()?.audio.as_ref()?))
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
    let (path, audio) = audible(source, volume, footage).filter(|_| !span.is_empty())?;
    let end = if role == Role::Music { span.end } else { span.end.min(span.start + audio.samples) };
    let reader = SoundReader::new(&shop.sandbox, path, span.len());
    Some(Track::new(reader, role, span.start, end, volume))
}
