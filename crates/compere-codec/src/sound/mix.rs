//! Many sounds put into one.

use std::path::Path;

use super::duck::Activity;
use super::file::rewrite;
use super::{SoundFile, SoundSource, SoundWriter};
use crate::MediaError;

/// Samples worked on at a time: one second.
const BLOCK: usize = 48_000;
/// Sound that is cut in its middle fades over 5 ms, too short to hear and long enough not to click.
const EDGE: u64 = 240;
/// Music fades in over 0.4 s and out over 2 s.
const MUSIC_IN: u64 = 19_200;
const MUSIC_OUT: u64 = 96_000;

/// What a sound is for, which decides how it is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Placed as it is. Music sinks under it.
    Speech,
    /// The sound of a clip: softened where it is cut off.
    Clip,
    /// Under the film: repeated to its end, faded at both, lower under speech.
    Music,
}

/// A sound and where it lies.
pub struct Track<'a> {
    source: Box<dyn SoundSource + 'a>,
    role: Role,
    start: u64,
    end: u64,
    gain: f32,
}

impl<'a> Track<'a> {
    /// Sounds from sample `start` on and no longer than to `end`.
    pub fn new(source: impl SoundSource + 'a, role: Role, start: u64, end: u64, gain: f32) -> Self {
        Self { source: Box::new(source), role, start, end, gain }
    }

    /// Adds the part of this track that lies in the block at `at`, each sample times `shape`. False once it is over.
    fn add(&mut self, at: u64, block: &mut [f32], shape: impl Fn(u64) -> f32) -> Result<bool, MediaError> {
        let end = (at + block.len() as u64 / 2).min(self.end);
        if self.start >= end {
            return Ok(at < self.end);
        }
        let from = self.start.max(at);
        let mut read = vec![0.0; (end - from) as usize * 2];
        let floats = self.fill(&mut read)?;
        let target = &mut block[(from - at) as usize * 2..];
        for (index, (to, frame)) in target.chunks_exact_mut(2).zip(read[..floats].chunks_exact(2)).enumerate() {
            let gain = self.gain * shape(from + index as u64);
            to[0] += frame[0] * gain;
            to[1] += frame[1] * gain;
        }
        Ok(floats == read.len() && end < self.end)
    }

    fn fill(&mut self, out: &mut [f32]) -> Result<usize, MediaError> {
        let mut filled = 0;
        let mut rewound = false;
        while filled < out.len() {
            match self.source.read(&mut out[filled..])? {
                // Twice nothing: an empty file, which no repetition fills.
                0 if self.role != Role::Music || rewound => break,
                0 => {
                    self.source.rewind()?;
                    rewound = true;
                }
                n => {
                    filled += n;
                    rewound = false;
                }
            }
        }
        Ok(filled)
    }

    /// The fade at the ends, 0 to 1.
    fn fade(&self) -> impl Fn(u64) -> f32 + use<> {
        let (start, end) = (self.start, self.end);
        let (fade_in, fade_out) = match self.role {
            Role::Speech => (0, 0),
            Role::Clip => (EDGE, EDGE),
            Role::Music => (MUSIC_IN, MUSIC_OUT),
        };
        let ramp = |into: u64, length: u64| if into >= length { 1.0 } else { into as f32 / length as f32 };
        move |at| ramp(at - start, fade_in) * ramp(end - at, fade_out)
    }
}

impl std::fmt::Debug for Track<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Track({:?} {}..{} at {})", self.role, self.start, self.end, self.gain)
    }
}

/// Mixes all tracks into the file `to`, `samples` long. Only tracks that sound at the same time are open together.
///
/// The result may go beyond full scale; [`super::master`] brings it into range.
pub fn mixdown(tracks: Vec<Track<'_>>, samples: u64, to: &Path) -> Result<SoundFile, MediaError> {
    let (mut music, mut voices): (Vec<_>, Vec<_>) = tracks.into_iter().partition(|track| track.role == Role::Music);
    for track in music.iter_mut().chain(&mut voices) {
        track.end = track.end.min(samples);
    }
    voices.sort_by_key(|track| track.start);
    let (file, activity) = mix_voices(voices, samples, to)?;
    if music.is_empty() {
        return Ok(file);
    }
    let curve = activity.curve();
    rewrite(&file, BLOCK, |at, block| {
        add_all(&mut music, at, block, |track| {
            let fade = track.fade();
            let curve = &curve;
            move |sample| fade(sample) * curve.at(sample)
        })
    })?;
    Ok(file)
}

/// Everything but music, and when there is speech.
fn mix_voices(voices: Vec<Track<'_>>, samples: u64, to: &Path) -> Result<(SoundFile, Activity), MediaError> {
    let mut writer = SoundWriter::create(to)?;
    let mut activity = Activity::default();
    let mut waiting = voices.into_iter().peekable();
    let (mut speech, mut clips) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < samples {
        let length = (samples - at).min(BLOCK as u64);
        while let Some(track) = waiting.next_if(|track| track.start < at + length) {
            if track.role == Role::Speech { speech.push(track) } else { clips.push(track) }
        }
        let mut block = vec![0.0; length as usize * 2];
        add_all(&mut speech, at, &mut block, Track::fade)?;
        activity.listen(&block);
        add_all(&mut clips, at, &mut block, Track::fade)?;
        writer.write(&block)?;
        at += length;
    }
    Ok((writer.finish()?, activity))
}

fn add_all<'t, S: Fn(u64) -> f32>(
    tracks: &mut Vec<Track<'t>>,
    at: u64,
    block: &mut [f32],
    shape: impl Fn(&Track<'t>) -> S,
) -> Result<(), MediaError> {
    let mut kept = Vec::with_capacity(tracks.len());
    for mut track in tracks.drain(..) {
        let shape = shape(&track);
        if track.add(at, block, shape)? {
            kept.push(track);
        }
    }
    *tracks = kept;
    Ok(())
}
