//! One voice, timed.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use compere_render::BesideSource;
use compere_speech::{NoCache, Script, SpeechCache, SpeechError, Utterance, Voices, speak};

/// Four sentences of ordinary length, a quarter of a minute.
pub const PAGE: &str = "The quick brown fox jumps over the lazy dog, and then it runs away into the forest. \
    We are very happy to welcome you today, and we hope that you will find the plan as exciting as we do. \
    In the second quarter, sales rose by 23%, reaching $4.7 million. \
    Please remember to fill out the form before Friday, and call us if you have any questions.";

#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Seconds of speech.
    pub speech: f64,
    /// Until the voice can be asked: whatever had to be loaded.
    pub opened: Duration,
    /// With that.
    pub cold: Duration,
    pub warm: Duration,
    /// What all threads worked during that, where the system tells: it says more than time on a busy machine.
    pub worked: Option<Duration>,
    /// Every sentence from a cache.
    pub cached: Duration,
}

impl Measured {
    /// Seconds of work per second of speech.
    pub fn real_time_factor(&self) -> f64 {
        self.warm.as_secs_f64() / self.speech.max(1e-9)
    }
}

/// Speaks [`PAGE`] three times with a voice that is opened anew: as it comes, warm, and from a cache. None if another
/// would stand in for it.
pub fn measure(assets: &Path, id: &str, threads: usize) -> Result<Option<Measured>, SpeechError> {
    let memory = Memory::default();
    let opened = Instant::now();
    let voice = Voices::keeping(assets, threads, Arc::new(BesideSource)).get(id)?;
    if voice.info().stands_in_for.is_some() {
        return Ok(None);
    }
    let ready = opened.elapsed();
    let take = |cache: &dyn SpeechCache, started: Instant| {
        let spoken = speak(&Script::plain(PAGE), &*voice, cache, &mut |_| ControlFlow::Continue(()), threads)?;
        Ok::<_, SpeechError>((started.elapsed(), spoken.utterance.sound.seconds()))
    };
    let (cold, _) = take(&NoCache, opened)?;
    let before = processor_time();
    let (warm, speech) = take(&memory, Instant::now())?;
    let worked = processor_time().zip(before).map(|(after, before)| after.saturating_sub(before));
    let (cached, _) = take(&memory, Instant::now())?;
    Ok(Some(Measured { speech, opened: ready, cold, warm, worked, cached }))
}

/// What this process has used of all processors so far.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in brackets, may hold anything; times are in hundredths of a second.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11);
    let hundredths: u64 = times.next()?.parse::<u64>().ok()? + times.next()?.parse::<u64>().ok()?;
    Some(Duration::from_millis(hundredths * 10))
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
