//! Sound on disk: interleaved stereo at 48 kHz, 32-bit floats, little endian, no header.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::SoundSource;
use crate::MediaError;

/// Bytes of one sample of both channels.
pub(crate) const FRAME_BYTES: u64 = 8;

/// A finished file of sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundFile {
    path: PathBuf,
    len: u64,
}

impl SoundFile {
    /// Takes a file as it is.
    pub fn open(path: &Path) -> Result<Self, MediaError> {
        let bytes =
            std::fs::metadata(path).map_err(|error| MediaError::io("could not open a sound file", &error))?.len();
        Ok(Self { path: path.to_owned(), len: bytes / FRAME_BYTES })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Length in samples.
    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn reader(&self) -> Result<SoundFileReader, MediaError> {
        let file = File::open(&self.path).map_err(|error| MediaError::io("could not open a sound file", &error))?;
        Ok(SoundFileReader { file, bytes: vec![] })
    }
}

/// Reads a [`SoundFile`] in blocks.
#[derive(Debug)]
pub struct SoundFileReader {
    file: File,
    bytes: Vec<u8>,
}

impl SoundSource for SoundFileReader {
    fn read(&mut self, out: &mut [f32]) -> Result<usize, MediaError> {
        self.bytes.clear();
        let wanted = out.len() as u64 * 4;
        (&mut self.file)
            .take(wanted)
            .read_to_end(&mut self.bytes)
            .map_err(|error| MediaError::io("could not read a sound file", &error))?;
        Ok(floats_of(&self.bytes, out))
    }

    fn rewind(&mut self) -> Result<(), MediaError> {
        self.file.rewind().map_err(|error| MediaError::io("could not read a sound file", &error))
    }
}

/// Whole samples of `bytes` into `out`; says how many floats that were.
pub(super) fn floats_of(bytes: &[u8], out: &mut [f32]) -> usize {
    let whole = bytes.len() / FRAME_BYTES as usize * 2;
    for (to, from) in out.iter_mut().zip(bytes.as_chunks::<4>().0).take(whole) {
        *to = f32::from_le_bytes(*from);
    }
    whole.min(out.len())
}

/// Writes a [`SoundFile`] from front to back.
#[derive(Debug)]
pub struct SoundWriter {
    file: BufWriter<File>,
    path: PathBuf,
    floats: u64,
}

impl SoundWriter {
    #[expect(clippy::disallowed_methods, reason = "the film's sound before it is encoded, where the renderer names it")]
    pub fn create(path: &Path) -> Result<Self, MediaError> {
        let file = File::create(path).map_err(|error| MediaError::io("could not make a sound file", &error))?;
        Ok(Self { file: BufWriter::with_capacity(1 << 16, file), path: path.to_owned(), floats: 0 })
    }

    /// Interleaved stereo.
    pub fn write(&mut self, samples: &[f32]) -> Result<(), MediaError> {
        let mut bytes = vec![0; samples.len() * 4];
        for (to, sample) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(samples) {
            *to = sample.to_le_bytes();
        }
        self.file.write_all(&bytes).map_err(|error| full(&error))?;
        self.floats += samples.len() as u64;
        Ok(())
    }

    pub fn finish(mut self) -> Result<SoundFile, MediaError> {
        self.file.flush().map_err(|error| full(&error))?;
        Ok(SoundFile { path: self.path, len: self.floats / 2 })
    }
}

fn full(error: &std::io::Error) -> MediaError {
    MediaError::io("could not write a sound file", error)
}

/// Rewrites a file block by block: `change` is given the first sample's number and the samples.
#[expect(clippy::disallowed_methods, reason = "the film's sound before it is encoded, where the renderer names it")]
pub(super) fn rewrite(
    file: &SoundFile,
    block: usize,
    mut change: impl FnMut(u64, &mut [f32]) -> Result<(), MediaError>,
) -> Result<(), MediaError> {
    let mut open = File::options()
        .read(true)
        .write(true)
        .open(&file.path)
        .map_err(|error| MediaError::io("could not open a sound file", &error))?;
    let mut samples = vec![0.0; block * 2];
    let mut at = 0;
    while at < file.len {
        let frames = (file.len - at).min(block as u64) as usize;
        let mut bytes = vec![0; frames * FRAME_BYTES as usize];
        let place = SeekFrom::Start(at * FRAME_BYTES);
        open.seek(place).and_then(|_| open.read_exact(&mut bytes)).map_err(|error| full(&error))?;
        floats_of(&bytes, &mut samples);
        change(at, &mut samples[..frames * 2])?;
        for (to, sample) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(&samples) {
            *to = sample.to_le_bytes();
        }
        open.seek(place).and_then(|_| open.write_all(&bytes)).map_err(|error| full(&error))?;
        at += frames as u64;
    }
    Ok(())
}
