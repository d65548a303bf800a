//! The film's sound as AAC-LC, encoded once, so that no scene join can be heard.
//!
//! FFmpeg's own encoder does it, in the same sandbox as everything else and on one thread. It comes out as ADTS, whose
//! headers are taken off: MP4 keeps the sizes in tables.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::MediaError;
use crate::sandbox::{Limits, Running, Sandbox};
use crate::sound::SoundFile;

/// Samples of one AAC frame.
pub const FRAME_SAMPLES: u64 = 1024;
/// Samples of nothing that the encoder puts before the first one. Players skip what the file's edit list says.
pub const PRIMING: u64 = 1024;
pub const BITRATE: u32 = 192_000;

/// Encoded sound: frames back to back in a file, their sizes in memory (11 kB a minute).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AacTrack {
    pub path: PathBuf,
    pub sizes: Vec<u32>,
    /// The `AudioSpecificConfig`: AAC-LC, 48 kHz, stereo.
    pub config: [u8; 2],
    /// Samples that sound, without priming and padding.
    pub samples: u64,
}

/// Encodes a film's sound into the file `to`.
pub fn encode(sandbox: &Sandbox, sound: &SoundFile, to: &Path) -> Result<AacTrack, MediaError> {
    let limits = Limits { wall: 3600, cpu: 3600, stall: 300, ..Limits::SMALL }.with_output(1 << 32);
    let job = crate::sandbox::Job::new("ffmpeg", limits)
        .words("-hide_banner -nostdin -v error -threads 1 -f f32le -ar 48000 -ac 2 -i")
        .prefixed_input("file:", sound.path())
        .words("-c:a aac -aac_coder twoloop -threads 1 -flags:a +bitexact -fflags +bitexact -b:a")
        .arg(BITRATE.to_string())
        .words("-f adts pipe:1");
    let ours = |error: MediaError| MediaError::machine(format!("the sound could not be encoded: {error}"));
    let file = File::create(to).map_err(|error| MediaError::io("could not make a sound file", &error))?;
    let mut out = BufWriter::new(file);
    let mut running = sandbox.start(&job).map_err(ours)?;
    let (sizes, config) = strip(&mut running, &mut out)?;
    running.finish().map_err(ours)?;
    out.flush().map_err(|error| MediaError::io("could not write a sound file", &error))?;
    let track = AacTrack { path: to.to_owned(), sizes, config, samples: sound.len() };
    let held = track.sizes.len() as u64 * FRAME_SAMPLES;
    if held < track.samples + PRIMING {
        return Err(MediaError::machine(format!("the encoder kept {held} of {} samples", track.samples + PRIMING)));
    }
    Ok(track)
}

/// Takes the frames out of an ADTS stream.
fn strip(adts: &mut Running, out: &mut impl Write) -> Result<(Vec<u32>, [u8; 2]), MediaError> {
    let (mut sizes, mut config) = (Vec::new(), [0x11, 0x90]);
    let mut frame = Vec::new();
    loop {
        let mut head = [0; 7];
        match adts.fill(&mut head)? {
            0 => return Ok((sizes, config)),
            7 => (),
            _ => return Err(broken()),
        }
        let size = frame_size(head).ok_or_else(broken)?;
        config = config_of(head);
        frame.resize(size, 0);
        if adts.fill(&mut frame)? != size {
            return Err(broken());
        }
        out.write_all(&frame).map_err(|error| MediaError::io("could not write a sound file", &error))?;
        sizes.push(size as u32);
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
        assert_eq!(config_of(head), [0x11, 0x90]);
        assert_eq!(frame_size([0; 7]), None);
    }
}
