//! A script in one voice, sentence by sentence.

use crate::{Script, Sentence, SpeechError, Utterance, Voice, Warning, text};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Where finished sentences are kept. Losing one costs time, nothing else.
pub trait SpeechCache: Sync {
    fn get(&self, key: &str) -> Option<Utterance>;
    fn put(&self, key: &str, utterance: &Utterance);
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoCache;

impl SpeechCache for NoCache {
    fn get(&self, _key: &str) -> Option<Utterance> {
        None
    }

    fn put(&self, _key: &str, _utterance: &Utterance) {}
}

/// How far the speech is. Answering `Break` cancels it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub sentence: usize,
    pub of: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    pub utterance: Utterance,
    pub warnings: Vec<Warning>,
}

/// Speaks the whole script on up to `threads` threads.
pub fn speak(
    script: &Script,
    voice: &dyn Voice,
    cache: &dyn SpeechCache,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    threads: usize,
) -> Result<Spoken, SpeechError> {
    let mut whole = Utterance::silence(0);
    let warnings = speak_each(script, voice, cache, watch, threads, &mut |piece| whole.append(&piece))?;
    Ok(Spoken { utterance: whole, warnings })
}

/// Like [`speak`], but hands every sentence and every pause on as soon as all before it are there, so that memory does
/// not grow with the text.
pub fn speak_each(
    script: &Script,
    voice: &dyn Voice,
    cache: &dyn SpeechCache,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    threads: usize,
    hand_on: &mut dyn FnMut(Utterance),
) -> Result<Vec<Warning>, SpeechError> {
    let reading = text::read(script, &voice.info().language);
    let sentences: Vec<&Sentence> = reading.sentences().collect();
    let job = Job { voice, cache, sentences: &sentences };
    let mut pieces = reading.pieces.iter();
    let mut in_order = |utterance: Option<Utterance>| {
        let mut utterance = utterance;
        loop {
            match pieces.as_slice().first() {
                Some(text::Piece::Pause(samples)) => hand_on(Utterance::silence(*samples)),
                Some(text::Piece::Sentence(_)) => match utterance.take() {
                    Some(utterance) => hand_on(utterance),
                    None => return,
                },
                None => return,
            }
            pieces.next();
        }
    };
    in_order(None);
    job.run(threads, watch, &mut |utterance| in_order(Some(utterance)))?;
    let mut warnings: Vec<Warning> = stand_in(voice).into_iter().collect();
    warnings.extend(reading.warnings);
    Ok(warnings)
}

fn stand_in(voice: &dyn Voice) -> Option<Warning> {
    let info = voice.info();
    let (wanted, reason) = info.stands_in_for.clone()?;
    Some(Warning::StandIn { wanted, used: info.id.clone(), reason })
}

struct Job<'a> {
    voice: &'a dyn Voice,
    cache: &'a dyn SpeechCache,
    sentences: &'a [&'a Sentence],
}

impl Job<'_> {
    /// Sentences are taken in order by whichever thread is free and handed on in order. A thread that is too far ahead
    /// of the slowest waits, so that at most a few finished sentences are held.
    fn run(
        &self,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
        hand_on: &mut dyn FnMut(Utterance),
    ) -> Result<(), SpeechError> {
        let of = self.sentences.len();
        let threads = threads.clamp(1, of.max(1));
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            // One slot per thread and a rendezvous each: thread k speaks sentences k, k + threads, ... would idle on
            // uneven lengths, so sentences are claimed, and only the channel is bounded.
            let (sender, receiver) = mpsc::sync_channel(threads);
            for _ in 0..threads {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= of || stop.load(Ordering::Relaxed) {
                            return;
                        }
                        if sender.send((index, self.sentence(self.sentences[index]))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let result = in_order(&receiver, of, watch, hand_on);
            stop.store(true, Ordering::Relaxed);
            drop(receiver);
            result
        })
    }

    fn sentence(&self, sentence: &Sentence) -> Result<Utterance, SpeechError> {
        let key = cache_key(self.voice, sentence);
        if let Some(utterance) = self.cache.get(&key) {
            return Ok(utterance);
        }
        let mut utterance = self.voice.say(sentence)?;
        utterance.settle();
        self.cache.put(&key, &utterance);
        Ok(utterance)
    }
}

fn in_order(
    receiver: &mpsc::Receiver<(usize, Result<Utterance, SpeechError>)>,
    of: usize,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    hand_on: &mut dyn FnMut(Utterance),
) -> Result<(), SpeechError> {
    let mut early = std::collections::BTreeMap::new();
    let mut wanted = 0;
    while wanted < of {
        if watch(Progress { sentence: wanted, of }).is_break() {
            return Err(SpeechError::Cancelled);
        }
        let (index, utterance) = receiver.recv().map_err(|_| SpeechError::Cancelled)?;
        early.insert(index, utterance?);
        while let Some(utterance) = early.remove(&wanted) {
            hand_on(utterance);
            wanted += 1;
        }
    }
    Ok(())
}

/// Everything the sound and the marks of a sentence depend on.
fn cache_key(voice: &dyn Voice, sentence: &Sentence) -> String {
    let info = voice.info();
    let mut hasher = blake3::Hasher::new();
    let mut field = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    field("sentence 1");
    field(&info.id);
    field(&info.version);
    field(&sentence.language);
    field(&sentence.speed.to_bits().to_string());
    for word in &sentence.words {
        field(&word.written);
        field(&word.said);
        field(word.stop.map(String::from).as_deref().unwrap_or_default());
    }
    hasher.finalize().to_hex().to_string()
}
