//! How fast voices are: what `compere bench speech` prints.

use crate::{NoCache, Script, SpeechCache, SpeechError, Utterance, Voice, speak};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Four sentences of ordinary length, a quarter of a minute.
pub const PAGE: &str = "The quick brown fox jumps over the lazy dog, and then it runs away into the forest. \
    We are very happy to welcome you today, and we hope that you will find the plan as exciting as we do. \
    In the second quarter, sales rose by 23%, reaching $4.7 million. \
    Please remember to fill out the form before Friday, and call us if you have any questions.";

#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Seconds of speech.
    pub speech: f64,
    /// With whatever had to be loaded.
    pub cold: Duration,
    pub warm: Duration,
    /// Every sentence from a cache.
    pub cached: Duration,
}

impl Measured {
    /// Seconds of work per second of speech.
    pub fn real_time_factor(&self) -> f64 {
        self.warm.as_secs_f64() / self.speech.max(1e-9)
    }
}

/// Speaks [`PAGE`] three times: as it comes, warm, and from a cache.
pub fn measure(voice: &dyn Voice, threads: usize) -> Result<Measured, SpeechError> {
    let memory = Memory::default();
    let take = |cache: &dyn SpeechCache| {
        let started = Instant::now();
        let spoken = speak(&Script::plain(PAGE), voice, cache, &mut |_| ControlFlow::Continue(()), threads)?;
        Ok::<_, SpeechError>((started.elapsed(), spoken.utterance.sound.seconds()))
    };
    let (cold, _) = take(&NoCache)?;
    let (warm, speech) = take(&memory)?;
    let (cached, _) = take(&memory)?;
    Ok(Measured { speech, cold, warm, cached })
}

#[derive(Default)]
struct Memory(Mutex<HashMap<String, Utterance>>);

impl SpeechCache for Memory {
    fn get(&self, key: &str) -> Option<Utterance> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn put(&self, key: &str, utterance: &Utterance) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), utterance.clone());
    }
}
