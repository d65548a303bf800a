//! WAV at 48 kHz, with 16 or 24 bits.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use compere_media::{SAMPLE_RATE, Sound};

use crate::MediaError;
use crate::sound::{SoundFile, SoundSource};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    Bits16,
    Bits24,
}

impl Depth {
    fn bytes(self) -> u16 {
        match self {
            Self::Bits16 => 2,
            Self::Bits24 => 3,
        }
    }
}

/// A sound in memory as a WAV file in memory, mono or stereo as it is.
pub fn to_bytes(sound: &Sound, depth: Depth) -> Result<Vec<u8>, MediaError> {
    let mut out = header(sound.len(), sound.channels(), depth)?.to_vec();
    put(sound.samples(), depth, &mut out);
    Ok(out)
}

/// A film's sound as a WAV file, stereo.
#[expect(clippy::disallowed_methods, reason = "where the caller names it")]
pub fn write(sound: &SoundFile, to: &Path, depth: Depth) -> Result<(), MediaError> {
    let failed = |error| MediaError::io("could not write a WAV file", &error);
    let mut out = BufWriter::new(File::create(to).map_err(failed)?);
    out.write_all(&header(sound.len(), 2, depth)?).map_err(failed)?;
    let mut reader = sound.reader()?;
    let mut block = vec![0.0; 1 << 15];
    loop {
        let n = reader.read(&mut block)?;
        if n == 0 {
            return out.flush().map_err(failed);
        }
        let mut bytes = Vec::with_capacity(n * 3);
        put(&block[..n], depth, &mut bytes);
        out.write_all(&bytes).map_err(failed)?;
    }
}

/// A WAV file that is written as its sound comes, so that memory does not grow with it.
#[derive(Debug)]
pub struct Writer {
    out: BufWriter<File>,
    channels: u16,
    depth: Depth,
    samples: u64,
}

impl Writer {
    #[expect(clippy::disallowed_methods, reason = "where the caller names it")]
    pub fn create(path: &Path, channels: u16, depth: Depth) -> Result<Self, MediaError> {
        let mut out = BufWriter::new(File::create(path).map_err(|error| failed(&error))?);
        out.write_all(&header(0, channels, depth)?).map_err(|error| failed(&error))?;
        Ok(Self { out, channels, depth, samples: 0 })
    }

    /// Interleaved samples, behind what is there.
    pub fn write(&mut self, samples: &[f32]) -> Result<(), MediaError> {
        let mut bytes = Vec::with_capacity(samples.len() * 3);
        put(samples, self.depth, &mut bytes);
        self.samples += samples.len() as u64 / u64::from(self.channels.max(1));
        self.out.write_all(&bytes).map_err(|error| failed(&error))
    }

    /// Writes the length into the head.
    pub fn finish(mut self) -> Result<(), MediaError> {
        let head = header(self.samples, self.channels, self.depth)?;
        self.out.seek(SeekFrom::Start(0)).map_err(|error| failed(&error))?;
        self.out.write_all(&head).map_err(|error| failed(&error))?;
        self.out.flush().map_err(|error| failed(&error))
    }
}

fn failed(error: &std::io::Error) -> MediaError {
    MediaError::io("could not write a WAV file", error)
}

fn put(samples: &[f32], depth: Depth, out: &mut Vec<u8>) {
    for sample in samples {
        let sample = sample.clamp(-1.0, 1.0);
        match depth {
            Depth::Bits16 => out.extend_from_slice(&((sample * 32_767.0).round() as i16).to_le_bytes()),
            Depth::Bits24 => out.extend_from_slice(&((sample * 8_388_607.0).round() as i32).to_le_bytes()[..3]),
        }
    }
}

fn header(samples: u64, channels: u16, depth: Depth) -> Result<[u8; 44], MediaError> {
    let frame = channels * depth.bytes();
    let data = u32::try_from(samples * u64::from(frame)).ok().filter(|data| *data < u32::MAX - 64);
    let data = data.ok_or_else(|| MediaError::too_large("is longer than a WAV file can be (4 GB)"))?;
    let mut head = [0; 44];
    let fields: [(usize, &[u8]); 13] = [
        (0, b"RIFF"),
        (4, &(data + 36).to_le_bytes()),
        (8, b"WAVEfmt "),
        (16, &16u32.to_le_bytes()),
        (20, &1u16.to_le_bytes()),
        (22, &channels.to_le_bytes()),
        (24, &SAMPLE_RATE.to_le_bytes()),
        (28, &(SAMPLE_RATE * u32::from(frame)).to_le_bytes()),
        (32, &frame.to_le_bytes()),
        (34, &(depth.bytes() * 8).to_le_bytes()),
        (36, b"data"),
        (40, &data.to_le_bytes()),
        (44, b""),
    ];
    for (at, bytes) in fields {
        head[at..at + bytes.len()].copy_from_slice(bytes);
    }
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test makes its own file")]
    fn what_is_written_piece_by_piece_is_what_is_written_at_once() {
        let path = std::env::temp_dir().join(format!("compere-wav-{}.wav", std::process::id()));
        let mut writer = Writer::create(&path, 1, Depth::Bits16).unwrap();
        writer.write(&[0.1, 0.2]).unwrap();
        writer.write(&[-0.3]).unwrap();
        writer.finish().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(bytes, to_bytes(&Sound::new(1, vec![0.1, 0.2, -0.3]), Depth::Bits16).unwrap());
    }

    #[test]
    fn sixteen_bits_reach_full_scale_and_no_further() {
        let sound = Sound::new(1, vec![0.0, 1.0, -1.0, 2.0]);
        let bytes = to_bytes(&sound, Depth::Bits16).unwrap();
        assert_eq!(&bytes[..4], b"RIFF");
        assert_eq!(&bytes[40..44], &8u32.to_le_bytes());
        let samples: Vec<i16> = bytes[44..].chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect();
        assert_eq!(samples, [0, 32_767, -32_767, 32_767]);
    }
}
