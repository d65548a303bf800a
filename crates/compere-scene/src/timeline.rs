//! When everything happens, in frames and samples.
//!
//! A scene with speech opens with 0.2 s of silence, then its lines follow each other 0.3 s apart, and 0.2 s of silence
//! ends it: the "speech plus 0.4 s" of the contract is that margin, half before and half after. What remains of the last
//! frame is silence too. A scene without speech lasts as long as its longest video or sound, else five seconds; a
//! duration that the author gave beats all of it, and speech that does not fit in it is cut at the join.
//!
//! Every span is counted from the start of the film in integers, so nothing adds up to a drift.

use compere_media::{FRAME_RATE, FrameSpan, SAMPLE_RATE, SampleSpan};

use crate::film::{Film, Scene};

/// Silence before the first word and after the last.
const MARGIN: u64 = SAMPLE_RATE as u64 / 5;

/// The breath between two lines.
const GAP: u64 = SAMPLE_RATE as u64 * 3 / 10;

/// A scene in which nothing is said or played.
const STILL_SECONDS: f64 = 5.0;

/// How long the sounds and pictures of one scene turned out to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// Samples of each line of speech, in the order of [`Scene::lines`]; none for a silent one.
    pub lines: Vec<u64>,
    /// Samples that the longest video or audio clip lasts.
    pub media: Option<u64>,
}

/// Scene follows scene without a gap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    pub scenes: Vec<SceneTime>,
}

impl Timeline {
    /// Of the whole film.
    pub fn frames(&self) -> u64 {
        self.scenes.last().map_or(0, |scene| scene.frames.end())
    }

    /// Of the whole film.
    pub fn samples(&self) -> u64 {
        FRAME_RATE.first_sample(self.frames())
    }

    /// The scene that shows `frame` of the film.
    pub fn scene_at(&self, frame: u64) -> Option<usize> {
        let scene = self.scenes.partition_point(|scene| scene.frames.end() <= frame);
        (scene < self.scenes.len()).then_some(scene)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneTime {
    /// In the film.
    pub frames: FrameSpan,
    /// Where in the film each line sounds; empty for a silent one.
    pub lines: Vec<SampleSpan>,
}

impl SceneTime {
    /// The samples that sound while the scene is shown.
    pub fn samples(&self) -> SampleSpan {
        self.frames.samples(FRAME_RATE)
    }
}

/// Lays the scenes out. Lines that were not measured count as silent.
pub fn timeline(film: &Film, measured: &[Measured]) -> Timeline {
    let unknown = Measured::default();
    let mut scenes: Vec<SceneTime> = Vec::with_capacity(film.scenes.len());
    for (n, scene) in film.scenes.iter().enumerate() {
        let measured = measured.get(n).unwrap_or(&unknown);
        let start = scenes.last().map_or(0, |before| before.frames.end());
        let frames = FrameSpan { start, len: length(scene, measured) };
        scenes.push(SceneTime { frames, lines: lines(scene, measured, frames.samples(FRAME_RATE)) });
    }
    Timeline { scenes }
}

fn length(scene: &Scene, measured: &Measured) -> u64 {
    if let Some(seconds) = scene.duration {
        return FRAME_RATE.frames_of_seconds(seconds);
    }
    let speech = speech(scene, measured);
    if speech > 0 {
        return FRAME_RATE.frames_covering(speech + 2 * MARGIN);
    }
    match measured.media {
        Some(samples) if samples > 0 => FRAME_RATE.frames_covering(samples),
        _ => FRAME_RATE.frames_of_seconds(STILL_SECONDS),
    }
}

/// Samples from the first line's start to the last one's end.
fn speech(scene: &Scene, measured: &Measured) -> u64 {
    offsets(scene, measured).map(|(start, len)| start + len).last().unwrap_or(0)
}

/// Where each line starts behind the margin, and how long it is.
fn offsets(scene: &Scene, measured: &Measured) -> impl Iterator<Item = (u64, u64)> {
    let sounding = measured.lines.iter().copied().chain(std::iter::repeat(0)).take(scene.lines.len());
    sounding.scan(0, |end: &mut u64, len| {
        let gap = if *end > 0 && len > 0 { GAP } else { 0 };
        let start = *end + gap;
        *end = start + len;
        Some((start, len))
    })
}

fn lines(scene: &Scene, measured: &Measured, scene_samples: SampleSpan) -> Vec<SampleSpan> {
    let first = scene_samples.start + MARGIN;
    let within = |sample: u64| sample.min(scene_samples.end);
    offsets(scene, measured)
        .map(|(start, len)| SampleSpan { start: within(first + start), end: within(first + start + len) })
        .collect()
}
