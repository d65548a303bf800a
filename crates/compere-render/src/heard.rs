//! What is to be heard when: lines, sounds of clips, and music, each where it lies in the film.

use std::path::PathBuf;

use compere_codec::AudioInfo;
use compere_codec::sound::{Role, SoundReader, Track};
use compere_media::{SAMPLE_RATE, SampleSpan};
use compere_scene::{ClipKind, Film, Scene, Source};

use crate::act::Act;
use crate::footage::{Footage, Linked};
use crate::speech::Heard;
use crate::{Key, RenderError, Workshop};

/// Longer than any film: a day.
pub(crate) const LONGEST: u64 = 24 * 3600 * SAMPLE_RATE as u64;

/// A sound and where it lies in the film, before anybody reads it.
#[derive(Debug)]
pub(crate) struct Placed<'a> {
    sound: Sound<'a>,
    role: Role,
    span: SampleSpan,
    gain: f32,
}

#[derive(Debug)]
enum Sound<'a> {
    Line {
        heard: &'a Heard,
        id: Key,
    },
    /// A linked file, of which no more than `most` samples are wanted.
    File {
        path: PathBuf,
        id: Key,
        most: u64,
    },
}

impl Placed<'_> {
    /// The same, to be read.
    pub(crate) fn track(&self, shop: &Workshop) -> Result<Track<'static>, RenderError> {
        let SampleSpan { start, end } = self.span;
        Ok(match &self.sound {
            Sound::Line { heard, .. } => {
                let reader = heard.reader().map_err(RenderError::machine)?;
                Track::new(reader, self.role, start, end, self.gain)
            }
            Sound::File { path, most, .. } => {
                Track::new(SoundReader::new(&shop.sandbox, path, *most), self.role, start, end, self.gain)
            }
        })
    }

    /// All that a mix makes of it.
    pub(crate) fn key(&self) -> Key {
        let (id, most) = match &self.sound {
            Sound::Line { id, .. } => (id, u64::MAX),
            Sound::File { id, most, .. } => (id, *most),
        };
        let role = format!("{:?}", self.role);
        let place = [self.span.start, self.span.end, most].map(u64::to_le_bytes).concat();
        Key::of(&[id.as_str().as_bytes(), role.as_bytes(), &place, &self.gain.to_le_bytes()])
    }
}

/// What is said and played in one scene, in film time.
pub(crate) fn of_scene<'a>(act: &'a Act, footage: &'a Footage) -> impl Iterator<Item = Placed<'a>> {
    let spoken = act.speech.lines.iter().zip(&act.time.lines).filter(|(_, span)| !span.is_empty());
    let lines = spoken.map(|(line, &span)| {
        let sound = Sound::Line { heard: &line.sound, id: line.id.clone() };
        Placed { sound, role: Role::Speech, span, gain: 1.0 }
    });
    let span = act.time.samples();
    let clips = played(&act.scene);
    lines.chain(clips.filter_map(move |(source, volume)| linked(source, Role::Clip, span, volume, footage)))
}

/// What lies under a film that ends at a sample.
pub(crate) fn music(film: &Film, end: u64, footage: &Footage) -> Option<Placed<'static>> {
    let music = film.music.as_ref()?;
    linked(&music.source, Role::Music, SampleSpan { start: 0, end }, music.volume, footage)
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
fn audible<'f>(source: &Source, volume: f32, footage: &'f Footage) -> Option<(&'f Linked, &'f AudioInfo)> {
    let file = footage.files.get(source).filter(|_| volume > 0.0)?;
    Some((file, file.info.as_ref()?.audio.as_ref()?))
}

/// The sound of a linked file, if it has any and was not left out.
fn linked(source: &Source, role: Role, span: SampleSpan, volume: f32, footage: &Footage) -> Option<Placed<'static>> {
    let (file, audio) = audible(source, volume, footage).filter(|_| !span.is_empty())?;
    let end = if role == Role::Music { span.end } else { span.end.min(span.start + audio.samples) };
    let sound = Sound::File { path: file.path.clone(), id: file.id.clone(), most: span.len() };
    Some(Placed { sound, role, span: SampleSpan { start: span.start, end }, gain: volume })
}
