//! The sound of the whole film: lines where they are spoken, clips where they are shown, music under all of it.

use std::path::Path;
use std::sync::Arc;

use compere_codec::aac;
use compere_codec::sound::{self, SoundFile};
use compere_scene::{Film, Timeline};

use crate::act::Act;
use crate::footage::Footage;
use crate::heard::{self, Placed};
use crate::{Key, RenderError, Workshop};

/// All that is heard in a film, before any of it is read.
#[derive(Debug)]
pub(crate) struct Score<'a> {
    placed: Vec<Placed<'a>>,
    samples: u64,
    /// Bits a second that it is worth when it is packed.
    pub(crate) rate: u32,
}

/// The finished sound, exactly as long as the pictures.
#[derive(Debug)]
pub(crate) struct Mixed {
    pub(crate) file: SoundFile,
    /// Integrated, in LUFS; nothing for silence.
    pub(crate) loudness: Option<f64>,
}

impl<'a> Score<'a> {
    pub(crate) fn of(film: &Film, timeline: &Timeline, acts: &'a [Arc<Act>], footage: &'a Footage) -> Self {
        let samples = timeline.samples();
        let scenes = acts.iter().flat_map(|act| heard::of_scene(act, footage));
        let placed = scenes.chain(heard::music(film, samples, footage)).collect();
        // Where neither clips nor music are heard both sides are the same.
        let rate = if heard::only_speech(film, footage) { aac::SPEECH } else { aac::MUSIC };
        Self { placed, samples, rate }
    }

    /// Everything that the finished sound is made of.
    pub(crate) fn key(&self, shop: &Workshop) -> Key {
        let (samples, rate) = (self.samples.to_le_bytes(), self.rate.to_le_bytes());
        let placed: Vec<Key> = self.placed.iter().map(Placed::key).collect();
        let head: [&[u8]; 4] = [b"film's sound", shop.engine.as_bytes(), &samples, &rate];
        let parts: Vec<&[u8]> = head.into_iter().chain(placed.iter().map(|key| key.as_str().as_bytes())).collect();
        Key::of(&parts)
    }

    /// Mixes and masters into files in `dir`.
    pub(crate) fn mix(&self, shop: &Workshop, dir: &Path) -> Result<Mixed, RenderError> {
        let tracks = self.placed.iter().map(|placed| placed.track(shop)).collect::<Result<_, _>>()?;
        let mixed = sound::mixdown(tracks, self.samples, &dir.join("mixed.f32")).map_err(RenderError::machine)?;
        let (file, loudness) = sound::master(&mixed, &dir.join("mastered.f32")).map_err(RenderError::machine)?;
        Ok(Mixed { file, loudness: Some(loudness).filter(|loudness| loudness.is_finite()) })
    }
}
