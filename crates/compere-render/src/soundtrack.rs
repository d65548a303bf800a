//! The sound of a film as it is packed. Where a film sounded the same before, it is found whole, under the key of all that
//! is heard in it; else it is mixed, mastered and encoded, stretch by stretch as far as stretches sounded the same.

use std::fs;
use std::path::Path;

use compere_codec::aac::{self, AacTrack};
use compere_codec::check_sound;
use compere_codec::sandbox::Left;

use crate::mix::Score;
use crate::{Key, RenderError, Shelf, Workshop};

#[derive(Debug)]
pub(crate) struct Soundtrack {
    pub(crate) track: AacTrack,
    /// Integrated, in LUFS; nothing for silence.
    pub(crate) loudness: Option<f64>,
}

/// Finds or makes it, in files in `dir`, and decodes it where nobody did before.
pub(crate) fn packed(score: &Score<'_>, shop: &Workshop, dir: &Path, left: &Left) -> Result<Soundtrack, RenderError> {
    let key = score.key(shop);
    if let Some(found) = shop.cache.get(Shelf::Sound, &key).and_then(|bytes| Soundtrack::from_bytes(&bytes, dir)) {
        match looked_at(&found.track, shop, dir, left) {
            Ok(_) => return Ok(found),
            Err(RenderError::Cancelled) => return Err(RenderError::Cancelled),
            // Damaged: it is made anew.
            Err(_) => shop.cache.forget(Shelf::Sound, &key),
        }
    }
    let mixed = score.mix(shop, dir)?;
    still_wanted(left)?;
    let sandbox = shop.sandbox.clone().until(left.clone());
    let track = aac::encode(&sandbox, &mixed.file, score.rate, &dir.join(FILE), shop.threads, &Stretches(shop));
    let track = track.map_err(|error| failed(error, left))?;
    let frames = looked_at(&track, shop, dir, left)?;
    let made = Soundtrack { track, loudness: mixed.loudness };
    // A full disk costs the next film time; this one has its sound.
    let _ = shop.cache.put_bytes(Shelf::Sound, &key, &made.to_bytes(&frames));
    Ok(made)
}

const FILE: &str = "sound.aac";

/// Decodes a track, unless somebody did before; gives its frames.
fn looked_at(track: &AacTrack, shop: &Workshop, dir: &Path, left: &Left) -> Result<Vec<u8>, RenderError> {
    let frames = fs::read(&track.path).map_err(RenderError::file(&track.path))?;
    let right = Key::of(&[b"sound is right", shop.engine.as_bytes(), &frames]);
    if !shop.cache.is_noted(&right) {
        let sandbox = shop.sandbox.clone().until(left.clone());
        check_sound(&sandbox, track, dir).map_err(|error| failed(error, left))?;
        shop.cache.note(&right);
    }
    Ok(frames)
}

/// A coder that was ended in the middle is not to blame.
fn failed(error: impl std::fmt::Display, left: &Left) -> RenderError {
    still_wanted(left).err().unwrap_or_else(|| RenderError::machine(error))
}

pub(crate) fn still_wanted(left: &Left) -> Result<(), RenderError> {
    if left.has() { Err(RenderError::Cancelled) } else { Ok(()) }
}

impl Soundtrack {
    /// Loudness, length, rate, how many frames, their sizes, then the frames.
    fn to_bytes(&self, frames: &[u8]) -> Vec<u8> {
        let AacTrack { sizes, samples, rate, .. } = &self.track;
        let mut bytes = self.loudness.unwrap_or(f64::NAN).to_le_bytes().to_vec();
        bytes.extend_from_slice(&samples.to_le_bytes());
        bytes.extend_from_slice(&rate.to_le_bytes());
        bytes.extend_from_slice(&(sizes.len() as u32).to_le_bytes());
        bytes.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
        bytes.extend_from_slice(frames);
        bytes
    }

    /// With the frames in a file in `dir`; none when they do not add up.
    fn from_bytes(bytes: &[u8], dir: &Path) -> Option<Self> {
        let (loudness, bytes) = bytes.split_first_chunk()?;
        let (samples, bytes) = bytes.split_first_chunk()?;
        let (rate, bytes) = bytes.split_first_chunk()?;
        let (count, bytes) = bytes.split_first_chunk()?;
        let (sizes, frames) = bytes.split_at_checked(u32::from_le_bytes(*count) as usize * 4)?;
        let sizes: Vec<u32> = sizes.as_chunks::<4>().0.iter().map(|size| u32::from_le_bytes(*size)).collect();
        let promised: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
        let path = dir.join(FILE);
        fs::write(&path, frames).ok().filter(|()| promised == frames.len() as u64)?;
        let (samples, rate) = (u64::from_le_bytes(*samples), u32::from_le_bytes(*rate));
        let loudness = Some(f64::from_le_bytes(*loudness)).filter(|loudness| loudness.is_finite());
        Some(Self { track: AacTrack { path, sizes, config: aac::CONFIG, samples, rate }, loudness })
    }
}

/// Encoded stretches of sound, in the cache.
struct Stretches<'a>(&'a Workshop);

impl Stretches<'_> {
    fn key(&self, of: &[u8; 32]) -> Key {
        Key::of(&[b"stretch", self.0.engine.as_bytes(), of])
    }
}

impl aac::Kept for Stretches<'_> {
    fn get(&self, of: &[u8; 32]) -> Option<Vec<u8>> {
        self.0.cache.get(Shelf::Sound, &self.key(of))
    }

    fn put(&self, of: &[u8; 32], stretch: &[u8]) {
        // As above.
        let _ = self.0.cache.put_bytes(Shelf::Sound, &self.key(of), stretch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_a_sound_comes_back_whole_or_not_at_all() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(FILE);
        for loudness in [Some(-16.25), None] {
            let track = AacTrack {
                path: path.clone(),
                sizes: vec![3, 1],
                config: aac::CONFIG,
                samples: 1500,
                rate: aac::MUSIC,
            };
            let bytes = Soundtrack { track: track.clone(), loudness }.to_bytes(b"abcd");
            let back = Soundtrack::from_bytes(&bytes, dir.path()).expect("is whole");
            assert_eq!((back.track, back.loudness), (track, loudness));
            assert_eq!(fs::read(&path).expect("is there"), b"abcd");
            for end in 0..bytes.len() {
                assert!(Soundtrack::from_bytes(&bytes[..end], dir.path()).is_none(), "{end} bytes of it");
            }
        }
    }
}
