//! The sound of a film whose later scenes nobody has spoken yet.
//!
//! A finished film is as loud as [`super::master`] says, which is known of the whole of it only. Here every scene is as
//! loud as the film would be if it ended with it: what was heard so far, this scene included, is measured, and from the
//! scene before to this one the gain moves over [`GLIDE`], evenly in dB, so that nobody hears it turn. A film of one scene
//! has its final sound from the beginning; of a longer one the gain comes nearer to the final one with every scene. The
//! limiter is the same. Music makes room as it does in the film, except for speech of a scene not yet spoken: it begins
//! to sink with that scene, 50 ms late at most, as scenes open with 200 ms of silence.

use std::path::PathBuf;

use compere_media::math;
use ebur128::{EbuR128, Mode};

use super::duck::{Activity, Curve};
use super::limiter::Limiter;
use super::master::{failed, gain_by, limiter, meter};
use super::mix::{add_all, mix_voices};
use super::{SoundFile, SoundFileReader, SoundSource, Track};
use crate::MediaError;

/// Samples over which one gain becomes another: three seconds.
const GLIDE: u64 = 144_000;
const BLOCK: u64 = 48_000;

/// Mixes and levels scene after scene.
pub struct LiveMix<'a> {
    music: Vec<Track<'a>>,
    activity: Activity,
    heard: EbuR128,
    limiter: Limiter,
    /// In dB; nothing while all was silent.
    gain: Option<f64>,
    /// Samples that were mixed, and of these, that were given.
    mixed: u64,
    /// Samples that the limiter still owes.
    late: usize,
    to: PathBuf,
    scene: Option<Scene>,
}

/// A scene that was mixed and is not yet given.
struct Scene {
    reader: SoundFileReader,
    start: u64,
    end: u64,
    at: u64,
    gains: (f64, f64),
}

impl std::fmt::Debug for LiveMix<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LiveMix({} samples)", self.mixed)
    }
}

impl<'a> LiveMix<'a> {
    /// `music` lies under the whole film, `to` is a file that it may use.
    pub fn new(music: Vec<Track<'a>>, to: PathBuf) -> Result<Self, MediaError> {
        Ok(Self {
            music,
            activity: Activity::default(),
            heard: meter(Mode::I)?,
            limiter: limiter(),
            gain: None,
            mixed: 0,
            late: Limiter::DELAY,
            to,
            scene: None,
        })
    }

    /// The next scene: what sounds in it, at film time, and where it ends. `last`: the film ends with it.
    pub fn scene(&mut self, tracks: Vec<Track<'_>>, end: u64, last: bool) -> Result<(), MediaError> {
        let start = self.mixed;
        let mut tracks = tracks;
        tracks.sort_by_key(Track::start);
        tracks.iter_mut().for_each(|track| track.ends(end.min(track.end())));
        let file = mix_voices(tracks, start..end, &self.to, &mut self.activity)?;
        let curve = (!self.music.is_empty()).then(|| self.activity.clone().curve());
        if last {
            self.music.iter_mut().for_each(|track| track.ends(end));
        }
        self.measure(&file, start, end, curve.as_ref())?;
        let before = self.gain;
        self.gain = gain_by(&self.heard)?;
        let now = self.gain.unwrap_or(0.0);
        let reader = file.reader()?;
        self.scene = Some(Scene { reader, start, end, at: start, gains: (before.unwrap_or(now), now) });
        self.mixed = end;
        Ok(())
    }

    /// Lays music under a mixed scene, and hears all of it.
    fn measure(&mut self, file: &SoundFile, start: u64, end: u64, curve: Option<&Curve>) -> Result<(), MediaError> {
        let Self { music, heard, .. } = self;
        super::file::rewrite(file, BLOCK as usize, |at, block| {
            if let Some(curve) = curve {
                add_all(music, start + at, block, |track| {
                    let fade = track.fade();
                    move |sample| fade(sample) * curve.at(sample)
                })?;
            }
            heard.add_frames_f32(block).map_err(|error| failed(&error))
        })?;
        debug_assert_eq!(file.len(), end - start);
        Ok(())
    }

    /// Some more of the scene, interleaved stereo, a little later than it was mixed; nothing at its end.
    pub fn read(&mut self) -> Result<Option<Vec<f32>>, MediaError> {
        let Some(scene) = &mut self.scene else { return Ok(None) };
        let samples = (scene.end - scene.at).min(BLOCK);
        if samples == 0 {
            self.scene = None;
            return Ok(None);
        }
        let mut block = vec![0.0; samples as usize * 2];
        scene.reader.read(&mut block)?;
        for (into, frame) in (scene.at - scene.start..).zip(block.chunks_exact_mut(2)) {
            let gain = scene.gain(into);
            frame.copy_from_slice(&self.limiter.push([frame[0] * gain, frame[1] * gain]));
        }
        scene.at += samples;
        Ok(Some(self.due(block)))
    }

    fn due(&mut self, mut block: Vec<f32>) -> Vec<f32> {
        let skip = self.late.min(block.len() / 2);
        self.late -= skip;
        block.drain(..skip * 2);
        block
    }
}

impl Scene {
    fn gain(&self, into: u64) -> f32 {
        let (from, to) = self.gains;
        let part = (into as f64 / GLIDE as f64).min(1.0);
        math::amplitude(from + (to - from) * part) as f32
    }
}

#[cfg(test)]
mod tests {
    use compere_media::Sound;

    use super::*;
    use crate::sound::{Held, Role, master, mixdown};

    const SECOND: u64 = 48_000;

    fn tone(level: f32, seconds: u64) -> Sound {
        // Whole waves in a second: where it ends there is no step.
        let wave = |n: u64| level * math::sin(n as f64 * std::f64::consts::TAU * 380.0 / SECOND as f64) as f32;
        Sound::new(1, (0..seconds * SECOND).map(wave).collect())
    }

    fn voice(sound: &Sound, start: u64) -> Track<'_> {
        Track::new(Held::new(sound), Role::Speech, start, start + sound.len(), 1.0)
    }

    fn music(sound: &Sound, end: u64) -> Vec<Track<'_>> {
        vec![Track::new(Held::new(sound), Role::Music, 0, end, 0.4)]
    }

    fn all(file: &SoundFile) -> Vec<f32> {
        let mut all = vec![0.0; file.len() as usize * 2];
        file.reader().and_then(|mut reader| reader.read(&mut all)).expect("reads");
        all
    }

    fn given(live: &mut LiveMix<'_>) -> Vec<f32> {
        let mut all = Vec::new();
        while let Some(block) = live.read().expect("reads") {
            all.extend(block);
        }
        all
    }

    #[test]
    fn a_film_of_one_scene_sounds_as_it_will_with_music_and_all() {
        let dir = tempfile::tempdir().expect("a folder");
        let (said, tune) = (tone(0.2, 3), tone(0.5, 2));
        let film = 8 * SECOND + 700;
        let mut tracks = vec![voice(&said, SECOND)];
        tracks.extend(music(&tune, film));
        let mixed = mixdown(tracks, film, &dir.path().join("mixed")).expect("mixes");
        let (mastered, _) = master(&mixed, &dir.path().join("mastered")).expect("masters");

        let mut live = LiveMix::new(music(&tune, u64::MAX), dir.path().join("live")).expect("opens");
        live.scene(vec![voice(&said, SECOND)], film, true).expect("mixes");
        let heard = given(&mut live);
        assert_eq!(heard.len(), (film as usize - Limiter::DELAY) * 2);
        assert!(heard == all(&mastered)[..heard.len()], "the same samples");
    }

    #[test]
    fn the_gain_glides_to_that_of_the_film() {
        let dir = tempfile::tempdir().expect("a folder");
        let scenes = [tone(0.3, 10), tone(0.1, 10), tone(0.1, 10)];
        let voices = |n: usize| vec![voice(&scenes[n], n as u64 * 10 * SECOND)];
        let mixed = mixdown((0..3).flat_map(voices).collect(), 30 * SECOND, &dir.path().join("mixed")).expect("mixes");
        let (mastered, _) = master(&mixed, &dir.path().join("mastered")).expect("masters");

        let mut live = LiveMix::new(Vec::new(), dir.path().join("live")).expect("opens");
        let mut heard = Vec::new();
        for n in 0..3 {
            live.scene(voices(n), (n as u64 + 1) * 10 * SECOND, n == 2).expect("mixes");
            heard.extend(given(&mut live));
        }
        let film = all(&mastered);
        let from = 24 * SECOND as usize * 2;
        let apart = heard[from..].iter().zip(&film[from..]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart < 1e-6, "the last scene is as loud as in the film: {apart}");
        let step = heard.chunks(2).zip(heard.chunks(2).skip(1)).map(|(a, b)| (a[0] - b[0]).abs()).fold(0.0, f32::max);
        assert!(step < 0.06, "no click: {step}");
    }

    #[test]
    fn silence_before_the_first_word_is_not_made_loud() {
        let dir = tempfile::tempdir().expect("a folder");
        let said = tone(0.01, 5);
        let mut live = LiveMix::new(Vec::new(), dir.path().join("live")).expect("opens");
        live.scene(Vec::new(), 5 * SECOND, false).expect("mixes");
        assert!(given(&mut live).iter().all(|&sample| sample == 0.0));
        live.scene(vec![voice(&said, 5 * SECOND)], 10 * SECOND, true).expect("mixes");
        let peak = given(&mut live).iter().fold(0.0, |peak: f32, sample| peak.max(sample.abs()));
        assert!(peak > 0.05, "loud from its first word on: {peak}");
    }
}
