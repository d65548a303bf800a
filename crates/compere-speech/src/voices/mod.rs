//! The voices there are.

mod kokoro;
mod tone;

use crate::{Gender, SpeechError, Voice, VoiceInfo};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
pub use tone::Tone;

/// Every voice that can be asked for. Models are loaded when first needed and stay warm.
pub struct Voices {
    tone: Arc<Tone>,
    kokoro: Arc<kokoro::Engine>,
    /// Those that were asked for before.
    warm: Mutex<HashMap<String, Arc<dyn Voice>>>,
}

impl std::fmt::Debug for Voices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Voices").field("kokoro", &self.kokoro).finish_non_exhaustive()
    }
}

impl Voices {
    /// Looks into `assets/voices`. Nothing is loaded yet.
    pub fn open(assets: &Path, threads: usize) -> Self {
        Self {
            tone: Arc::new(Tone::new()),
            kokoro: Arc::new(kokoro::Engine::new(assets, threads)),
            warm: Mutex::default(),
        }
    }

    /// All of them, those that lack something included; their `missing` tells what.
    pub fn list(&self) -> Vec<VoiceInfo> {
        let kokoro = kokoro::catalogue().map(|entry| self.checked(entry.info));
        kokoro.chain([self.tone.info().clone()]).collect()
    }

    pub fn get(&self, id: &str) -> Result<Arc<dyn Voice>, SpeechError> {
        if let Some(voice) = self.warm().get(id) {
            return Ok(voice.clone());
        }
        let voice = self.found(id)?;
        self.warm().insert(id.to_owned(), voice.clone());
        Ok(voice)
    }

    /// The best voice for a language, and of that gender if there is one.
    pub fn for_language(&self, _language: &str, _gender: Option<Gender>) -> Result<Arc<dyn Voice>, SpeechError> {
        self.get("af_heart")
    }

    fn found(&self, id: &str) -> Result<Arc<dyn Voice>, SpeechError> {
        if id == self.tone.info().id {
            return Ok(self.tone.clone());
        }
        if let Some(entry) = kokoro::find(id) {
            let info = self.checked(entry.info);
            if let Some(reason) = info.missing {
                return Err(SpeechError::Voice { voice: info.id, reason });
            }
            return Ok(Arc::new(kokoro::Kokoro::new(info, entry.gain, self.kokoro.clone())));
        }
        Err(SpeechError::UnknownVoice { id: id.to_owned(), nearest: Vec::new() })
    }

    fn checked(&self, mut info: VoiceInfo) -> VoiceInfo {
        info.missing = self.kokoro.missing(&info.id);
        info
    }

    fn warm(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<dyn Voice>>> {
        self.warm.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
