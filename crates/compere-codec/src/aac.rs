//! The film's sound as AAC-LC, one stream from end to end, so that no scene join can be heard.
//!
//! FFmpeg's own encoder does it, in the same sandbox as everything else. It knows one thread only, and the sound is the
//! last thing a film waits for; so the stream is made in stretches of half a minute, side by side. A stretch begins with
//! [`WARMING`] frames of what lies before it, which are thrown away: by then window shapes and transforms overlap as if
//! one encoder had gone on, and nothing but the choice of quantisers remembers the cut. Where the cuts lie depends on the
//! sound alone, so any number of threads gives the same bytes. They come out as ADTS, whose headers are taken off: MP4
//! keeps the sizes in tables.

mod live;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::MediaError;
use crate::sandbox::{Limits, Running, Sandbox};
use crate::sound::{FRAME_BYTES, SoundFile};

pub use live::LiveEncoder;

/// Samples of one AAC frame.
pub const FRAME_SAMPLES: u64 = 1024;
/// Samples of nothing that the encoder puts before the first one. Players skip what the file's edit list says.
pub const PRIMING: u64 = 1024;
/// Bits a second for anything with music in it.
pub const MUSIC: u32 = 192_000;
/// Bits a second for speech, which is the same on both sides: the encoder codes what both have in common, and that the
/// sides do not differ costs nothing.
pub const SPEECH: u32 = 96_000;
/// AAC-LC, 48 kHz, stereo.
pub const CONFIG: [u8; 2] = [0x11, 0x90];

/// Encoded sound: frames back to back in a file, their sizes in memory (11 kB a minute).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AacTrack {
    pub path: PathBuf,
    pub sizes: Vec<u32>,
    /// The `AudioSpecificConfig`: AAC-LC, 48 kHz, stereo.
    pub config: [u8; 2],
    /// Samples that sound, without priming and padding.
    pub samples: u64,
    /// Bits a second that were asked for.
    pub rate: u32,
}

/// AAC frames of one stretch: 30 seconds.
const STRETCH: u64 = 1406;
/// AAC frames that an encoder hears before the first one that counts.
const WARMING: u64 = 32;
/// AAC frames that an encoder hears behind the last one that counts.
const BEYOND: u64 = 4;

/// Stretches that were encoded before, under the hash of the sound that they were made of.
pub trait Kept: Sync {
    fn get(&self, of: &[u8; 32]) -> Option<Vec<u8>>;

    fn put(&self, of: &[u8; 32], stretch: &[u8]);
}

/// Nothing is kept.
#[derive(Clone, Copy, Debug)]
pub struct NothingKept;

impl Kept for NothingKept {
    fn get(&self, _: &[u8; 32]) -> Option<Vec<u8>> {
        None
    }

    fn put(&self, _: &[u8; 32], _: &[u8]) {}
}

/// Encodes a film's sound with `rate` bits a second into the file `to`, on up to `threads` cores. What is kept is not
/// encoded again; the bytes are the same either way.
#[expect(clippy::disallowed_methods, reason = "written beside the film, where the renderer names it")]
pub fn encode(
    sandbox: &Sandbox,
    sound: &SoundFile,
    rate: u32,
    to: &Path,
    threads: usize,
    kept: &dyn Kept,
) -> Result<AacTrack, MediaError> {
    let failed = |error| MediaError::io("could not write a sound file", &error);
    let mut out = BufWriter::new(File::create(to).map_err(failed)?);
    let frames = (sound.len() + PRIMING).div_ceil(FRAME_SAMPLES);
    let stretches: Vec<Range<u64>> =
        (0..frames.div_ceil(STRETCH)).map(|n| n * STRETCH..((n + 1) * STRETCH).min(frames)).collect();
    let mut sizes = Vec::with_capacity(frames as usize);
    let next = AtomicUsize::new(0);
    #[expect(clippy::disallowed_methods, reason = "as many threads as the caller allows, each waiting for an encoder")]
    std::thread::scope(|scope| {
        // Bounded: a stretch that is done early waits for its turn, and only a few do.
        let (sender, receiver) = mpsc::sync_channel(1);
        for _ in 0..threads.clamp(1, stretches.len().max(1)) {
            let (sender, next, stretches) = (sender.clone(), &next, &stretches);
            scope.spawn(move || {
                while let Some((number, frames)) = claim(next, stretches) {
                    if sender.send((number, once(sandbox, sound, rate, frames, kept))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        for (number, stretch) in receiver {
            waiting.insert(number, stretch?);
            while let Some(due) = waiting.first_entry().filter(|next| sizes_due(*next.key(), &sizes)) {
                let stretch: Stretch = due.remove();
                out.write_all(&stretch.bytes).map_err(failed)?;
                sizes.extend(stretch.sizes);
            }
        }
        Ok(())
    })?;
    out.flush().map_err(failed)?;
    if sizes.len() as u64 != frames {
        return Err(MediaError::machine(format!("the encoder gave {} of {frames} frames", sizes.len())));
    }
    Ok(AacTrack { path: to.to_owned(), sizes, config: CONFIG, samples: sound.len(), rate })
}

/// A stretch as it is kept, or encoded now.
fn once(
    sandbox: &Sandbox,
    sound: &SoundFile,
    rate: u32,
    frames: &Range<u64>,
    kept: &dyn Kept,
) -> Result<Stretch, MediaError> {
    let key = key(sound, rate, frames)?;
    let count = (frames.end - frames.start) as usize;
    if let Some(stretch) = kept.get(&key).and_then(|bytes| Stretch::from_bytes(&bytes, count)) {
        return Ok(stretch);
    }
    let stretch = encode_stretch(sandbox, sound, rate, frames)?;
    kept.put(&key, &stretch.to_bytes());
    Ok(stretch)
}

/// The hash of all that an encoder of a stretch hears, and of what is wanted of it.
fn key(sound: &SoundFile, rate: u32, frames: &Range<u64>) -> Result<[u8; 32], MediaError> {
    let part = heard(sound, frames);
    let mut hasher = blake3::Hasher::new();
    for number in [u64::from(rate), frames.start.min(WARMING), frames.end - frames.start, part.end - part.start] {
        hasher.update(&number.to_le_bytes());
    }
    let unreadable = |error| MediaError::io("could not read a sound file", &error);
    let mut file = File::open(sound.path()).map_err(unreadable)?;
    file.seek(SeekFrom::Start(part.start)).map_err(unreadable)?;
    hasher.update_reader(file.take(part.end - part.start)).map_err(unreadable)?;
    Ok(*hasher.finalize().as_bytes())
}

/// Bytes of sound that an encoder hears for a stretch.
fn heard(sound: &SoundFile, frames: &Range<u64>) -> Range<u64> {
    let bytes = |frame: u64| (frame * FRAME_SAMPLES).min(sound.len()) * FRAME_BYTES;
    bytes(frames.start.saturating_sub(WARMING))..bytes(frames.end + BEYOND)
}

/// Encoded frames back to back.
struct Stretch {
    sizes: Vec<u32>,
    bytes: Vec<u8>,
}

impl Stretch {
    /// Sizes, then frames.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
        bytes.extend_from_slice(&self.bytes);
        bytes
    }

    /// Of so many frames; none when they do not add up.
    fn from_bytes(bytes: &[u8], count: usize) -> Option<Self> {
        let (sizes, bytes) = bytes.split_at_checked(count * 4)?;
        let sizes: Vec<u32> = sizes.as_chunks::<4>().0.iter().map(|size| u32::from_le_bytes(*size)).collect();
        let promised: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
        (promised == bytes.len() as u64).then(|| Self { sizes, bytes: bytes.to_vec() })
    }
}

fn claim<'a>(next: &AtomicUsize, stretches: &'a [Range<u64>]) -> Option<(usize, &'a Range<u64>)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    stretches.get(number).map(|frames| (number, frames))
}

/// Whether everything before stretch `number` is written.
fn sizes_due(number: usize, sizes: &[u32]) -> bool {
    sizes.len() as u64 == number as u64 * STRETCH
}

fn encode_stretch(sandbox: &Sandbox, sound: &SoundFile, rate: u32, frames: &Range<u64>) -> Result<Stretch, MediaError> {
    let first = frames.start.saturating_sub(WARMING);
    let part = heard(sound, frames);
    let part = format!("subfile,,start,{},end,{},,:", part.start, part.end);
    let limits = Limits { wall: 300, cpu: 300, stall: 100, ..Limits::SMALL }.with_output(1 << 26);
    let errand = crate::sandbox::Errand::new("ffmpeg", limits)
        .of_ours()
        .words("-hide_banner -nostdin -v error -threads 1 -f f32le -ar 48000 -ac 2 -i")
        .prefixed_input(part, sound.path())
        .words("-c:a aac -aac_coder fast -threads 1 -flags:a +bitexact -fflags +bitexact -b:a")
        .arg(rate.to_string())
        .words("-f adts pipe:1");
    let ours = |error: MediaError| MediaError::machine(format!("the sound could not be encoded: {error}"));
    let mut running = sandbox.start(&errand).map_err(ours)?;
    let all = strip(&mut running)?;
    running.finish().map_err(ours)?;
    // The first frame an encoder gives is the one that ends where its input begins.
    let wanted = (frames.start - first) as usize..(frames.end - first) as usize;
    let sizes = all.sizes.get(wanted.clone()).ok_or_else(broken)?.to_vec();
    let before: usize = all.sizes[..wanted.start].iter().map(|&size| size as usize).sum();
    let length: usize = sizes.iter().map(|&size| size as usize).sum();
    Ok(Stretch { sizes, bytes: all.bytes[before..before + length].to_vec() })
}

/// Takes the frames out of an ADTS stream.
fn strip(adts: &mut Running) -> Result<Stretch, MediaError> {
    let mut stretch = Stretch { sizes: Vec::new(), bytes: Vec::new() };
    let mut frame = Vec::new();
    loop {
        let mut head = [0; 7];
        match adts.fill(&mut head)? {
            0 => return Ok(stretch),
            7 => (),
            _ => return Err(broken()),
        }
        let size = frame_size(head).filter(|_| config_of(head) == CONFIG).ok_or_else(broken)?;
        frame.resize(size, 0);
        if adts.fill(&mut frame)? != size {
            return Err(broken());
        }
        stretch.bytes.extend_from_slice(&frame);
        stretch.sizes.push(size as u32);
    }
}

fn broken() -> MediaError {
    MediaError::machine("the sound encoder gave a broken stream")
}

/// The size of what follows a header without checksum.
fn frame_size([sync, flags, _, a, b, c, _]: [u8; 7]) -> Option<usize> {
    let whole = usize::from(a & 3) << 11 | usize::from(b) << 3 | usize::from(c >> 5);
    let right = sync == 0xff && flags & 0xf7 == 0xf1;
    whole.checked_sub(7).filter(|_| right)
}

/// Object type, rate and channels, out of the header into the form that MP4 wants.
fn config_of([_, _, profile, channels, ..]: [u8; 7]) -> [u8; 2] {
    let object = (profile >> 6) + 1;
    let rate = profile >> 2 & 15;
    let channels = (profile & 1) << 2 | channels >> 6;
    [object << 3 | rate >> 1, (rate & 1) << 7 | channels << 3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_the_standard_has_it() {
        // AAC-LC, 48 kHz, stereo, 371 bytes with its header.
        let head = [0xff, 0xf1, 0x4c, 0x80, 0x2e, 0x7f, 0xfc];
        assert_eq!(frame_size(head), Some(371 - 7));
        assert_eq!(config_of(head), CONFIG);
        assert_eq!(frame_size([0; 7]), None);
    }
}
