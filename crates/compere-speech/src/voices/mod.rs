//! The voices there are.

mod espeak;
mod kokoro;
mod nearest;
mod piper;
mod tone;

use crate::{Gender, SpeechError, Voice, VoiceInfo, VoiceKind};
pub(crate) use espeak::program_voice;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
pub use tone::Tone;

/// Keeps what is made from a voice's published files and takes long to make.
pub trait Derived: Send + Sync {
    /// What was kept under `name` for `source`, unless that has changed since.
    fn get(&self, source: &Path, name: &str) -> Option<Vec<u8>>;
    /// Keeps it, in place of what other names starting with `family` hold. What cannot be kept is made anew next time.
    fn put(&self, source: &Path, family: &str, name: &str, bytes: &[u8]);
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct NotKept;

impl Derived for NotKept {
    fn get(&self, _: &Path, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn put(&self, _: &Path, _: &str, _: &str, _: &[u8]) {}
}

/// Every voice that can be asked for. Models are loaded when first asked for and stay warm.
pub struct Voices {
    tone: Arc<Tone>,
    kokoro: Arc<kokoro::Engine>,
    piper: PathBuf,
    threads: usize,
    /// Asked of the program once.
    espeak: OnceLock<Vec<VoiceInfo>>,
    /// Those that were asked for before.
    warm: Mutex<HashMap<String, Arc<dyn Voice>>>,
}

impl std::fmt::Debug for Voices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Voices").field("kokoro", &self.kokoro).finish_non_exhaustive()
    }
}

/// The voice that speaks a language when nobody chose one: female, male.
const PREFERRED: [(&str, &str, &str); 9] = [
    ("en-US", "af_heart", "am_michael"),
    ("en-GB", "bf_emma", "bm_george"),
    ("es", "ef_dora", "em_alex"),
    ("fr", "ff_siwis", "ff_siwis"),
    ("hi", "hf_alpha", "hm_omega"),
    ("it", "if_sara", "im_nicola"),
    ("pt-BR", "pf_dora", "pm_alex"),
    ("ja", "jf_alpha", "jm_kumo"),
    ("zh", "zf_xiaobei", "zm_yunxi"),
];

impl Voices {
    /// Looks into `assets/voices`. Nothing is loaded yet.
    pub fn open(assets: &Path, threads: usize) -> Self {
        Self::keeping(assets, threads, Arc::new(NotKept))
    }

    /// The same; what is made from the voices' files is kept by `derived`.
    pub fn keeping(assets: &Path, threads: usize, derived: Arc<dyn Derived>) -> Self {
        Self {
            tone: Arc::new(Tone::new()),
            kokoro: Arc::new(kokoro::Engine::new(assets, threads, derived)),
            piper: assets.join("voices/piper"),
            threads,
            espeak: OnceLock::new(),
            warm: Mutex::default(),
        }
    }

    /// All of them, those that lack something included; their `missing` tells what.
    pub fn list(&self) -> Vec<VoiceInfo> {
        let mut list: Vec<VoiceInfo> = kokoro::catalogue().map(|entry| self.checked(entry.info)).collect();
        list.extend(piper::catalogue(&self.piper));
        list.extend(self.espeak().iter().cloned());
        list.push(self.tone.info().clone());
        list
    }

    /// A voice by id, with its weights loaded. One that lacks something, or whose files are damaged, is stood in for by
    /// espeak-ng; [`crate::speak`] warns of that.
    pub fn get(&self, id: &str) -> Result<Arc<dyn Voice>, SpeechError> {
        if let Some(voice) = self.warm().get(id) {
            return Ok(voice.clone());
        }
        let voice = self.found(id)?;
        // What stands in is asked for anew each time: the voice itself may have been installed meanwhile.
        if voice.info().stands_in_for.is_none() {
            self.warm().insert(id.to_owned(), voice.clone());
        }
        Ok(voice)
    }

    /// The best voice for a language, and of that gender if there is one.
    pub fn for_language(&self, language: &str, gender: Option<Gender>) -> Result<Arc<dyn Voice>, SpeechError> {
        let language = language.replace('_', "-");
        let fits = |tag: &&(&str, &str, &str)| tag.0.eq_ignore_ascii_case(&language);
        let related = |tag: &&(&str, &str, &str)| same_language(tag.0, &language);
        let preferred = PREFERRED.iter().find(fits).or_else(|| PREFERRED.iter().find(related));
        if let Some((_, female, male)) = preferred {
            return self.get(if gender == Some(Gender::Male) { male } else { female });
        }
        let own = piper::catalogue(&self.piper).into_iter().find(|info| same_language(&info.language, &language));
        match own.or_else(|| self.espeak_for(&language, gender.unwrap_or(Gender::Female))) {
            Some(info) => self.get(&info.id),
            None => Err(SpeechError::UnknownLanguage { language }),
        }
    }

    fn found(&self, id: &str) -> Result<Arc<dyn Voice>, SpeechError> {
        if id == self.tone.info().id {
            return Ok(self.tone.clone());
        }
        if let Some(entry) = kokoro::find(id) {
            let info = self.checked(entry.info);
            let lacking = info.missing.clone().or_else(|| self.kokoro.check(id).err());
            return match lacking {
                Some(reason) => self.stand_in(&info, reason),
                None => Ok(Arc::new(kokoro::Kokoro::new(info, entry.gain, self.kokoro.clone()))),
            };
        }
        if let Some(info) = piper::find(&self.piper, id) {
            return match piper::Piper::open(&self.piper, info.clone(), self.threads) {
                Ok(voice) => Ok(Arc::new(voice)),
                Err(reason) => self.stand_in(&info, reason),
            };
        }
        if let Some(info) = self.espeak().iter().find(|info| info.id == id) {
            return Ok(Arc::new(espeak::Espeak::new(info.clone())));
        }
        Err(SpeechError::UnknownVoice { id: id.to_owned(), nearest: nearest::to(id, self.list()) })
    }

    /// How loud the model of a Kokoro voice speaks these sentences before any gain, in LUFS.
    pub fn natural_loudness(&self, id: &str, sentences: &str) -> Result<f64, SpeechError> {
        let failed = |reason: String| SpeechError::Voice { voice: id.to_owned(), reason };
        let entry = kokoro::find(id).ok_or_else(|| failed("it is none of Kokoro's".into()))?;
        let reading = crate::text::read(&crate::Script::plain(sentences), &entry.info.language);
        let sentences: Vec<_> = reading.sentences().cloned().collect();
        let voice = kokoro::Kokoro::new(entry.info, 1.0, self.kokoro.clone());
        let heard = voice.natural_loudness(&sentences).map_err(failed)?;
        heard.ok_or_else(|| failed("it says nothing".into()))
    }

    fn stand_in(&self, wanted: &VoiceInfo, reason: String) -> Result<Arc<dyn Voice>, SpeechError> {
        match self.espeak_for(&wanted.language, wanted.gender) {
            Some(mut info) => {
                info.stands_in_for = Some((wanted.id.clone(), reason));
                Ok(Arc::new(espeak::Espeak::new(info)))
            }
            None => Err(SpeechError::Voice {
                voice: wanted.id.clone(),
                reason: format!("{reason}; nor is espeak-ng installed, which could stand in"),
            }),
        }
    }

    fn espeak_for(&self, language: &str, gender: Gender) -> Option<VoiceInfo> {
        let program = format!("espeak-{}", program_voice(language));
        let suffix = if gender == Gender::Female { "-female" } else { "" };
        let exact = format!("{program}{suffix}");
        let found = self.espeak().iter().find(|info| info.id == exact);
        let related =
            || self.espeak().iter().find(|info| same_language(&info.language, language) && info.gender == gender);
        found.or_else(related).cloned()
    }

    fn espeak(&self) -> &[VoiceInfo] {
        self.espeak.get_or_init(espeak::catalogue)
    }

    fn checked(&self, mut info: VoiceInfo) -> VoiceInfo {
        info.missing = self.kokoro.missing(&info.id);
        info
    }

    fn warm(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<dyn Voice>>> {
        self.warm.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ready voices that speak a language, the neural ones first.
    pub fn speaking(&self, language: &str) -> Vec<VoiceInfo> {
        let mut list = self.list();
        list.retain(|info| {
            info.kind != VoiceKind::Tone && info.missing.is_none() && same_language(&info.language, language)
        });
        list
    }
}

/// Whether two tags name one language, whatever their regions.
pub fn same_language(one: &str, other: &str) -> bool {
    let primary = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    primary(one) == primary(other)
}
