//! What is done to the sound of every voice.

pub mod loudness;
pub mod resample;
pub mod trim;

use crate::Utterance;

/// A sentence as it goes out: without the silence around it, as loud as every other, no peak above the ceiling.
///
/// `gain` brings the voice to the common loudness and leaves what it does within; a sentence that strays all the same is
/// brought back to the edge of what is allowed.
pub fn finished(utterance: Utterance, gain: f32) -> Utterance {
    let mut utterance = trim::trimmed(utterance);
    let samples = utterance.sound.samples_mut();
    loudness::level(samples, gain);
    loudness::limit(samples);
    utterance
}
