//! The sound of a film: decoded, mixed, mastered.
//!
//! Everything works in blocks over files of raw samples, so that an hour of film needs no more memory than a minute.
//! The order is [`mixdown`], then [`master`], then [`crate::aac::encode`].

mod decode;
mod duck;
mod file;
mod limiter;
mod live;
mod master;
mod mix;

pub use decode::{SoundReader, decode_sound};
pub(crate) use file::FRAME_BYTES;
pub use file::{SoundFile, SoundFileReader, SoundWriter};
pub use live::LiveMix;
pub use master::{CEILING_DBTP, TARGET_LUFS, master, master_sound};
pub use mix::{Role, Track, mixdown};

use compere_media::Sound;

use crate::MediaError;

/// Stereo samples in blocks, from the start, again and again if need be.
pub trait SoundSource: Send {
    /// Fills `out` (interleaved stereo, an even length) as far as there is sound and says how far that was.
    fn read(&mut self, out: &mut [f32]) -> Result<usize, MediaError>;

    /// Starts from the beginning.
    fn rewind(&mut self) -> Result<(), MediaError>;
}

/// A [`Sound`] in memory as a source.
#[derive(Debug)]
pub struct Held<'a> {
    sound: std::borrow::Cow<'a, Sound>,
    at: usize,
}

impl<'a> Held<'a> {
    pub fn new(sound: &'a Sound) -> Self {
        Self { sound: std::borrow::Cow::Borrowed(sound), at: 0 }
    }

    pub fn owned(sound: Sound) -> Held<'static> {
        Held { sound: std::borrow::Cow::Owned(sound), at: 0 }
    }
}

impl SoundSource for Held<'_> {
    fn read(&mut self, out: &mut [f32]) -> Result<usize, MediaError> {
        let channels = usize::from(self.sound.channels());
        let rest = &self.sound.samples()[self.at..];
        let frames = (rest.len() / channels).min(out.len() / 2);
        for (to, from) in out.chunks_exact_mut(2).zip(rest.chunks_exact(channels)).take(frames) {
            (to[0], to[1]) = (from[0], from[channels - 1]);
        }
        self.at += frames * channels;
        Ok(frames * 2)
    }

    fn rewind(&mut self) -> Result<(), MediaError> {
        self.at = 0;
        Ok(())
    }
}
