//! The sound of the whole film: lines where they are spoken, clips where they are shown, music under all of it.

use std::path::Path;
use std::sync::Arc;

use compere_codec::sound::{self, SoundFile};
use compere_scene::{Film, Timeline};

use crate::act::Act;
use crate::footage::Footage;
use crate::{RenderError, Workshop, heard};

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
    acts: &[Arc<Act>],
    footage: &Footage,
    shop: &Workshop,
    dir: &Path,
) -> Result<Mixed, RenderError> {
    let mut tracks = Vec::new();
    for act in acts {
        tracks.extend(heard::of_scene(act, footage, shop)?);
    }
    tracks.extend(heard::music(film, timeline.samples(), footage, shop));
    let mixed = sound::mixdown(tracks, timeline.samples(), &dir.join("mixed.f32")).map_err(RenderError::machine)?;
    let (file, loudness) = sound::master(&mixed, &dir.join("mastered.f32")).map_err(RenderError::machine)?;
    let audible = loudness.integrated_lufs.is_finite();
    Ok(Mixed {
        file,
        loudness: audible.then_some(loudness.integrated_lufs),
        only_speech: heard::only_speech(film, footage),
    })
}
