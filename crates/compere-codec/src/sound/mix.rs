//! Many sounds put into one.

use std::ops::Range;
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
    name: Option<String>,
}

impl<'a> Track<'a> {
    /// Sounds from sample `start` on and no longer than to `end`.
    pub fn new(source: impl SoundSource + 'a, role: Role, start: u64, end: u64, gain: f32) -> Self {
        Self { source: Box::new(source), role, start, end, gain, name: None }
    }

    /// What to put before the sentence when this sound cannot be read.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Adds the part of this track that lies in the block at `at`, each sample times `shape`. False once it is over.
    fn add(&mut self, at: u64, block: &mut [f32], shape: impl Fn(u64) -> f32) -> Result<bool, MediaError> {
        let end = (at + block.len() as u64 / 2).min(self.end);
        if self.start >= end {
            return Ok(at < self.end);
        }
        let from = self.start.max(at);
        let mut read = vec![0.0; (end - from) as usize * 2];
        let floats = self.fill(&mut read).map_err(|error| self.blame(error))?;
        let target = &mut block[(from - at) as usize * 2..];
        for (index, (to, frame)) in target.chunks_exact_mut(2).zip(read[..floats].chunks_exact(2)).enumerate() {
            let gain = self.gain * shape(from + index as u64);
            to[0] += frame[0] * gain;
            to[1] += frame[1] * gain;
        }
        Ok(floats == read.len() && end < self.end)
    }

    pub(super) fn start(&self) -> u64 {
        self.start
    }

    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Where it ends, which whoever placed it may not have known.
    pub(super) fn ends(&mut self, end: u64) {
        self.end = end;
    }

    fn blame(&self, error: MediaError) -> MediaError {
        match &self.name {
            Some(name) => MediaError { what: format!("{name} {}", error.what), ..error },
            None => error,
        }
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
    pub(super) fn fade(&self) -> impl Fn(u64) -> f32 + use<> {
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
    let mut activity = Activity::default();
    let file = mix_voices(voices, 0..samples, to, &mut activity)?;
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

/// Everything but music in a span of the film, and when there is speech.
pub(super) fn mix_voices(
    voices: Vec<Track<'_>>,
    span: Range<u64>,
    to: &Path,
    activity: &mut Activity,
) -> Result<SoundFile, MediaError> {
    let mut writer = SoundWriter::create(to)?;
    let mut waiting = voices.into_iter().peekable();
    let (mut speech, mut clips) = (Vec::new(), Vec::new());
    let mut at = span.start;
    while at < span.end {
        let length = (span.end - at).min(BLOCK as u64);
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
    writer.finish()
}

pub(super) fn add_all<'t, S: Fn(u64) -> f32>(
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

#[cfg(test)]
mod tests {
    use compere_media::Sound;

    use super::*;
    use crate::sound::Held;

    fn mixed(tracks: Vec<Track<'_>>, samples: u64) -> Vec<f32> {
        let dir = tempfile::tempdir().unwrap();
        let file = mixdown(tracks, samples, &dir.path().join("mix")).unwrap();
        assert_eq!(file.len(), samples);
        let mut all = vec![0.0; samples as usize * 2];
        assert_eq!(file.reader().unwrap().read(&mut all).unwrap(), all.len());
        all.chunks(2).map(|frame| frame[0]).collect()
    }

    fn level(level: f32, samples: u64) -> Sound {
        Sound::new(1, vec![level; samples as usize])
    }

    #[test]
    fn sounds_lie_where_they_belong_across_blocks() {
        let (a, b) = (level(0.25, 100_000), level(0.5, 10));
        let tracks = vec![
            Track::new(Held::new(&b), Role::Speech, 47_995, 200_000, 0.5),
            Track::new(Held::new(&a), Role::Speech, 10, 150_000, 1.0),
        ];
        let mix = mixed(tracks, 120_000);
        assert_eq!(mix[9..11], [0.0, 0.25]);
        assert_eq!(mix[47_994..47_996], [0.25, 0.5]);
        assert_eq!(mix[48_004..48_006], [0.5, 0.25]);
        assert_eq!(mix[100_009..100_011], [0.25, 0.0]);
    }

    #[test]
    fn a_clip_that_is_cut_does_not_click() {
        let long = level(0.5, 100_000);
        let mix = mixed(vec![Track::new(Held::new(&long), Role::Clip, 100, 60_000, 1.0)], 70_000);
        let step = mix.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        assert!(step < 0.01, "{step}");
        assert_eq!((mix[30_000], mix[60_000]), (0.5, 0.0));
    }

    #[test]
    fn music_goes_on_to_the_end_and_sinks_under_speech() {
        let (music, speech) = (level(0.5, 30_000), level(0.1, 48_000));
        let film = 12 * 48_000;
        let tracks = vec![
            Track::new(Held::new(&music), Role::Music, 0, film, 1.0),
            Track::new(Held::new(&speech), Role::Speech, 4 * 48_000, film, 1.0),
        ];
        let mix = mixed(tracks, film);
        assert_eq!((mix[0], mix[2 * 48_000], mix[9 * 48_000]), (0.0, 0.5, 0.5));
        assert!((mix[4 * 48_000 + 24_000] - 0.1 - 0.1256).abs() < 0.001, "{}", mix[4 * 48_000 + 24_000]);
        assert!(mix[film as usize - 1] < 0.001);
    }

    #[test]
    fn music_of_nothing_ends() {
        let nothing = Sound::silence(2, 0);
        assert_eq!(mixed(vec![Track::new(Held::new(&nothing), Role::Music, 0, 9, 1.0)], 9), [0.0; 9]);
    }
}
