//! A file of footage: looked into and decoded in the sandbox, picture by picture.

use std::ops::Range;
use std::path::{Path, PathBuf};

use compere_codec::probe::MediaInfo;
use compere_codec::sound::decode_sound;
use compere_codec::{MediaError, Sandbox, VideoReader, VideoWant, picture_times, probe};
use compere_media::{Frame, FrameRate};

use crate::error::OwnError;

/// Longer footage is not read in one piece, in seconds.
const LONGEST: f64 = 900.0;

#[derive(Clone, Debug)]
pub(crate) struct Footage {
    sandbox: Sandbox,
    path: PathBuf,
    info: MediaInfo,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rate: FrameRate,
    #[expect(dead_code, reason = "gates on the length of a take will ask for it")]
    pub(crate) seconds: f64,
    /// The pictures that are meant, at 30 a second; else all.
    part: Option<Range<u64>>,
}

impl Footage {
    /// Looks into a file. `name` is what the person knows it by.
    pub(crate) fn open(sandbox: &Sandbox, path: &Path, name: &str) -> Result<Self, OwnError> {
        let info = probe(sandbox, path).map_err(|error| named(name, &error))?;
        let Some(video) = info.video.clone() else {
            return Err(OwnError::Footage(format!("{name} holds no pictures")));
        };
        if video.alpha {
            return Err(OwnError::Footage(format!("{name} is transparent; film in front of a background")));
        }
        let seconds = compere_media::FRAME_RATE.seconds(video.film_frames);
        if seconds > LONGEST {
            return Err(OwnError::Footage(format!("{name} lasts {seconds:.0} s; a take lasts {LONGEST:.0} s at most")));
        }
        let (width, height, rate) = (video.width, video.height, video.rate);
        Ok(Self { sandbox: sandbox.clone(), path: path.to_owned(), info, width, height, rate, seconds, part: None })
    }

    /// So many of its pictures, at 30 a second, as if there were no others.
    pub(crate) fn only(self, pictures: Range<u64>) -> Self {
        Self { part: Some(pictures), ..self }
    }

    /// So many of those that are meant, counted from their first one.
    pub(crate) fn within(self, pictures: Range<u64>) -> Self {
        let first = self.part.as_ref().map_or(0, |part| part.start);
        self.only(first + pictures.start..first + pictures.end)
    }

    /// The size at which its longer side has so many pixels at most; even.
    pub(crate) fn size_within(&self, most: u32) -> (u32, u32) {
        let scale = (f64::from(most) / f64::from(self.width.max(self.height))).min(1.0);
        let even = |side: u32| ((f64::from(side) * scale / 2.0).round() as u32 * 2).max(2);
        (even(self.width), even(self.height))
    }

    /// Hands out all pictures, at 30 a second and in this size.
    pub(crate) fn play(
        &self,
        (width, height): (u32, u32),
        each: &mut dyn FnMut(&Frame) -> Result<(), OwnError>,
    ) -> Result<u64, OwnError> {
        let whole = 0..self.info.film_frames().max(1) + 30;
        let Range { start: from, end } = self.part.clone().unwrap_or(whole);
        let want = VideoWant { width, height, angle: 0.0, frames: (end - from).max(1), start: 0, from };
        let failed = |error: MediaError| OwnError::footage(error);
        let mut reader = VideoReader::of_probed(&self.sandbox, &self.path, &self.info, want).map_err(failed)?;
        let mut frame = Frame::new(width, height);
        let mut count = 0;
        while let Some(bytes) = reader.next_picture().map_err(failed)? {
            let (y, u, v) = frame.planes_mut();
            let (luma, chroma) = bytes.split_at(y.len());
            y.copy_from_slice(luma);
            let (blue, red) = chroma.split_at(u.len());
            u.copy_from_slice(blue);
            v.copy_from_slice(red);
            each(&frame)?;
            count += 1;
        }
        Ok(count)
    }

    /// When each picture of the whole file begins, in seconds.
    pub(crate) fn times(&self) -> Result<Vec<f64>, OwnError> {
        picture_times(&self.sandbox, &self.path).map_err(OwnError::footage)
    }

    /// The sound of the whole file, in mono.
    pub(crate) fn sound(&self, name: &str) -> Result<Vec<f32>, OwnError> {
        if self.info.audio.is_none() {
            return Err(OwnError::Footage(format!("{name} holds no sound")));
        }
        let sound = decode_sound(&self.sandbox, &self.path, LONGEST).map_err(|error| named(name, &error))?;
        Ok(sound.samples().as_chunks::<2>().0.iter().map(|[left, right]| (left + right) / 2.0).collect())
    }
}

fn named(name: &str, error: &MediaError) -> OwnError {
    OwnError::Footage(format!("{name} {error}"))
}
