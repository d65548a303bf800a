//! Sound that someone sent, at 48 kHz in stereo.

use std::path::{Path, PathBuf};

use compere_media::{SAMPLE_RATE, Sound};

use super::SoundSource;
use super::file::floats_of;
use crate::ffmpeg;
use crate::probe::probe;
use crate::sandbox::{Errand, Limits, Running, Sandbox};
use crate::{MediaError, MediaErrorKind};

/// Decodes as it is read. The decoder starts with the first block.
///
/// Gaps at the start of the track become silence, so that sound stays with the pictures of the same file. Surround is
/// mixed down; mono goes to both sides.
#[derive(Debug)]
pub struct SoundReader {
    sandbox: Sandbox,
    path: PathBuf,
    max_samples: u64,
    running: Option<Running>,
    ended: bool,
    bytes: Vec<u8>,
}

impl SoundReader {
    /// Hands out at most `max_samples`. That the file is fit is seen with the first block.
    pub fn new(sandbox: &Sandbox, path: &Path, max_samples: u64) -> Self {
        let (sandbox, path) = (sandbox.clone(), path.to_owned());
        Self { sandbox, path, max_samples, running: None, ended: false, bytes: vec![] }
    }

    fn start(&self) -> Result<Running, MediaError> {
        let Some(audio) = probe(&self.sandbox, &self.path)?.audio else {
            return Err(MediaError::new(MediaErrorKind::WrongType, "holds no sound"));
        };
        // FFmpeg's own way to stereo makes mono 3 dB quieter.
        let stereo = if audio.channels == 1 { "pan=stereo|c0=c0|c1=c0" } else { "aformat=channel_layouts=stereo" };
        self.sandbox.start(&self.errand(stereo))
    }

    fn errand(&self, stereo: &str) -> Errand {
        let limits = Limits::FOOTAGE.with_output(self.max_samples.saturating_mul(8).saturating_add(1 << 20));
        let seconds = self.max_samples as f64 / f64::from(SAMPLE_RATE);
        ffmpeg::foreign_input(ffmpeg::ffmpeg(limits), &self.path)
            .words("-map 0:a:0 -vn -sn -dn -af")
            .arg(format!("{stereo},aresample=48000:async=1:first_pts=0"))
            .arg("-t")
            .arg(format!("{seconds:.6}"))
            .words("-f f32le pipe:1")
    }
}

impl SoundSource for SoundReader {
    fn read(&mut self, out: &mut [f32]) -> Result<usize, MediaError> {
        if self.ended {
            return Ok(0);
        }
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        self.bytes.resize(out.len() * 4, 0);
        let filled = running.fill(&mut self.bytes)?;
        if filled < self.bytes.len() {
            self.ended = true;
            running.finish().map_err(ffmpeg::told)?;
        } else {
            self.running = Some(running);
        }
        let floats = floats_of(&self.bytes[..filled], out);
        // A float file may hold anything; one that is no number would silence the rest of the film.
        for sample in &mut out[..floats] {
            *sample = if sample.is_finite() { sample.clamp(-4.0, 4.0) } else { 0.0 };
        }
        Ok(floats)
    }

    fn rewind(&mut self) -> Result<(), MediaError> {
        (self.running, self.ended) = (None, false);
        Ok(())
    }
}

/// The first `max_seconds` of a file's sound. For what may be long, [`SoundReader`] needs no memory.
pub fn decode_sound(sandbox: &Sandbox, path: &Path, max_seconds: f64) -> Result<Sound, MediaError> {
    let max_samples = (max_seconds.max(0.0) * f64::from(SAMPLE_RATE)).round() as u64;
    let mut reader = SoundReader::new(sandbox, path, max_samples);
    let mut samples = Vec::new();
    let mut block = vec![0.0; 1 << 15];
    loop {
        match reader.read(&mut block)? {
            0 => break,
            n => samples.extend_from_slice(&block[..n]),
        }
    }
    samples.truncate(max_samples as usize * 2);
    Ok(Sound::new(2, samples))
}
