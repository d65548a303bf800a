//! The mouth: visemes that overlap, lead the sound and close where lips must close.
//!
//! Every viseme has a window around its sound; the windows overlap, and at each moment a channel takes the weighted
//! mean of the visemes in force, rest included. Closures are laid over the mean, because a mean never quite closes.

use compere_media::{FRAME_RATE, Marks, SAMPLE_RATE, Sound, Stress};

use super::visemes::{self, Viseme};
use super::{Ch, Face};
use crate::maths::smooth;

/// Silence longer than this is a pause: the mouth goes to rest in it.
const PAUSE: f32 = 0.18;
/// A closure is full for at least this long, so that a frame always falls into it.
const HOLD: f32 = 0.036;

/// One mouth shape in time, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gesture {
    pub(super) viseme: Viseme,
    pub(super) start: f32,
    pub(super) end: f32,
    stress: f32,
}

/// The gestures of a scene's speech and where it is silent.
#[derive(Clone, Debug, Default)]
pub(super) struct Speech {
    pub(super) gestures: Vec<Gesture>,
}

impl Speech {
    pub(super) fn new(marks: &Marks) -> Self {
        let mut gestures = Vec::with_capacity(marks.phonemes.len());
        for mark in &marks.phonemes {
            let shapes = visemes::of(&mark.ipa);
            let (start, end) = mark.span.seconds();
            let part = (end - start) / shapes.len().max(1) as f64;
            for (at, viseme) in shapes.into_iter().enumerate() {
                let start = start + part * at as f64;
                let stress = match mark.stress {
                    Stress::Primary => 1.12,
                    Stress::Secondary => 1.0,
                    Stress::None => 0.88,
                };
                gestures.push(Gesture { viseme, start: start as f32, end: (start + part) as f32, stress });
            }
        }
        Self { gestures }
    }

    /// Silences between, before and after the gestures, long enough to rest in.
    pub(super) fn pauses(&self, seconds: f32) -> Vec<(f32, f32)> {
        let mut pauses = Vec::new();
        let mut from = 0.0;
        for gesture in &self.gestures {
            if gesture.start - from > PAUSE {
                pauses.push((from, gesture.start));
            }
            from = gesture.end;
        }
        if seconds - from > PAUSE {
            pauses.push((from, seconds));
        }
        pauses
    }

    pub(super) fn first(&self) -> Option<f32> {
        self.gestures.first().map(|g| g.start)
    }

    pub(super) fn last(&self) -> Option<f32> {
        self.gestures.last().map(|g| g.end)
    }
}

/// The moment a frame shows.
pub(super) fn moment(frame: usize) -> f32 {
    (frame as f64 * f64::from(FRAME_RATE.den) / f64::from(FRAME_RATE.num) + 0.5 / 30.0) as f32
}

/// What the mouth adds to the resting face at each frame: weights, and how much of the rest they replace.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mouth {
    pub(super) weights: [f32; Ch::MOUTH],
    /// 0 at rest, 1 in full speech.
    pub(super) force: f32,
}

pub(super) fn mouths(speech: &Speech, sound: Option<&Sound>, frames: usize) -> Vec<Mouth> {
    let shapes: Vec<[f32; Ch::MOUTH]> = speech.gestures.iter().map(|g| shape(g.viseme)).collect();
    let strength = sound.map(|sound| Strength::new(sound, speech));
    let mut first = 0;
    let mut out = Vec::with_capacity(frames);
    for frame in 0..frames {
        let t = moment(frame);
        while first < speech.gestures.len() && speech.gestures[first].end + 0.4 < t {
            first += 1;
        }
        let near = speech.gestures[first..].iter().zip(&shapes[first..]).take_while(|(g, _)| g.start - 0.4 < t);
        let loud = strength.as_ref().map_or(1.0, |s| s.at(t));
        let near: Vec<_> = near.collect();
        out.push(blend(&near, &speech.gestures[first..], t, loud));
    }
    out
}

fn shape(viseme: Viseme) -> [f32; Ch::MOUTH] {
    let mut out = [0.0; Ch::MOUTH];
    for (channel, weight) in viseme.weights() {
        out[channel as usize] = weight;
    }
    out
}

fn blend(near: &[(&Gesture, &[f32; Ch::MOUTH])], ahead: &[Gesture], t: f32, loud: f32) -> Mouth {
    let mut sum = [0.0; Ch::MOUTH];
    let mut total = [0.0_f32; Ch::MOUTH];
    let mut force = 0.0_f32;
    let mut closed = 0.0_f32;
    for (at, (gesture, shape)) in near.iter().enumerate() {
        let until = ahead.get(at + 1).map_or(gesture.end, |next| next.start);
        let window = window(gesture, until, t);
        force = force.max(window);
        if gesture.viseme == Viseme::Closed {
            closed = closed.max(closure(gesture, t));
        }
        let firm = window * gesture.viseme.firmness();
        for channel in 0..Ch::MOUTH {
            let rounding = channel == Ch::Funnel as usize || channel == Ch::Pucker as usize;
            let share = if rounding && gesture.viseme.borrows_rounding() { firm * 0.25 } else { firm };
            let jaw = channel == Ch::Jaw as usize && gesture.viseme.is_vowel();
            let weight = if jaw { shape[channel] * gesture.stress * loud } else { shape[channel] };
            sum[channel] += share * weight;
            total[channel] += share;
        }
    }
    let mut weights = [0.0; Ch::MOUTH];
    for channel in 0..Ch::MOUTH {
        weights[channel] = sum[channel] / total[channel].max(1e-6) * force;
    }
    press(&mut weights, closed);
    Mouth { weights, force }
}

/// How much a gesture is in force.
fn window(gesture: &Gesture, until: f32, t: f32) -> f32 {
    let lead = gesture.viseme.lead();
    let rise = smooth(gesture.start - lead, gesture.start + 0.02, t);
    // Into silence the mouth closes at once; into the next sound it lets go slowly.
    let lag = if until - gesture.end > PAUSE { 0.06 } else { 0.10 };
    let fall = 1.0 - smooth(gesture.end - 0.03, gesture.end + lag, t);
    rise * fall
}

/// 1 while the lips touch: from just before the sound through most of it.
fn closure(gesture: &Gesture, t: f32) -> f32 {
    let length = gesture.end - gesture.start;
    let from = gesture.start - 0.012;
    let to = (gesture.start + length * 0.7).max(from + HOLD);
    smooth(from - 0.05, from, t) * (1.0 - smooth(to, to + 0.05, t))
}

/// Closes the lips by `closed`.
fn press(weights: &mut [f32; Ch::MOUTH], closed: f32) {
    for channel in [Ch::Jaw, Ch::LowerDown, Ch::UpperUp, Ch::Funnel, Ch::Stretch, Ch::Tongue] {
        weights[channel as usize] *= 1.0 - closed;
    }
    for (channel, weight) in Viseme::Closed.weights() {
        let value = &mut weights[channel as usize];
        *value += (weight - *value) * closed;
    }
}

/// Puts a mouth on a face: speech takes most of the resting smile away, never all.
pub(super) fn apply(face: &mut Face, mouth: &Mouth) {
    for (channel, name) in CHANNELS.into_iter().enumerate() {
        let resting = face.get(name);
        let keep = match name {
            Ch::Smile | Ch::Cheek | Ch::Dimple => 1.0 - 0.45 * mouth.force,
            _ => 1.0,
        };
        let rounded = mouth.weights[Ch::Funnel as usize] + mouth.weights[Ch::Pucker as usize];
        let keep = if name == Ch::Smile || name == Ch::Dimple { keep * (1.0 - 0.6 * rounded.min(1.0)) } else { keep };
        face.set(name, resting * keep + mouth.weights[channel]);
    }
}

/// Puts one viseme on a resting face, in full.
pub(super) fn wear(face: &mut Face, weights: &[(Ch, f32)]) {
    let mut mouth = Mouth { force: 1.0, ..Mouth::default() };
    for &(channel, weight) in weights {
        mouth.weights[channel as usize] = weight;
    }
    apply(face, &mouth);
}

const CHANNELS: [Ch; Ch::MOUTH] = [
    Ch::Jaw,
    Ch::Funnel,
    Ch::Pucker,
    Ch::Press,
    Ch::RollLower,
    Ch::RollUpper,
    Ch::Smile,
    Ch::Stretch,
    Ch::UpperUp,
    Ch::LowerDown,
    Ch::Tongue,
    Ch::Dimple,
    Ch::Cheek,
];

/// The voice's strength around a moment, 1 being usual for this speech.
struct Strength {
    /// One per 10 ms.
    levels: Vec<f32>,
}

impl Strength {
    const HOP: usize = SAMPLE_RATE as usize / 100;

    fn new(sound: &Sound, speech: &Speech) -> Self {
        let channels = usize::from(sound.channels());
        let rms = |chunk: &[f32]| (chunk.iter().map(|s| s * s).sum::<f32>() / chunk.len() as f32).sqrt();
        let raw: Vec<f32> = sound.samples().chunks(Self::HOP * channels).map(rms).collect();
        let levels: Vec<f32> = (0..raw.len())
            .map(|at| {
                let span = &raw[at.saturating_sub(2)..(at + 3).min(raw.len())];
                span.iter().sum::<f32>() / span.len() as f32
            })
            .collect();
        let at = |t: f32| levels.get((t * 100.0) as usize).copied().unwrap_or(0.0);
        let vowels = speech.gestures.iter().filter(|g| g.viseme.is_vowel());
        let heard: Vec<f32> = vowels.map(|g| at((g.start + g.end) * 0.5)).collect();
        let usual = heard.iter().sum::<f32>() / heard.len().max(1) as f32;
        let levels = levels.iter().map(|l| if usual > 1e-5 { l / usual } else { 1.0 }).collect();
        Self { levels }
    }

    fn at(&self, t: f32) -> f32 {
        let level = self.levels.get((t.max(0.0) * 100.0) as usize).copied().unwrap_or(1.0);
        (0.72 + 0.3 * level).clamp(0.72, 1.3)
    }
}
