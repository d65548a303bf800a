//! A script in one voice, sentence by sentence.

use crate::{Script, Sentence, SpeechError, Utterance, Voice, Warning, Word, text, unread};
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

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

/// Like [`speak`], but hands every sentence and every pause on as soon as all before it are there. Never more than
/// [`AHEAD`] sentences a thread are begun and not yet handed on, so memory does not grow with the text.
pub fn speak_each(
    script: &Script,
    voice: &dyn Voice,
    cache: &dyn SpeechCache,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    threads: usize,
    hand_on: &mut dyn FnMut(Utterance),
) -> Result<Vec<Warning>, SpeechError> {
    let (reading, mut warnings) = read(script, voice);
    let sentences: Vec<&Sentence> = reading.sentences().collect();
    let job = Speaking { voice, cache, sentences: &sentences };
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
    job.run(threads, watch, &mut |said| {
        in_order(Some(said.utterance));
        for text in said.unspoken {
            let reason = format!("voice `{}` has no sounds for it", voice.info().id);
            add_once(&mut warnings, Warning::Unspoken { text, reason });
        }
    })?;
    Ok(warnings)
}

/// As the voice will say it, and what it cannot.
fn read(script: &Script, voice: &dyn Voice) -> (text::Reading, Vec<Warning>) {
    let mut reading = text::read(script, &voice.info().language);
    let mut warnings: Vec<Warning> = stand_in(voice).into_iter().collect();
    warnings.append(&mut reading.warnings);
    for piece in &mut reading.pieces {
        let text::Piece::Sentence(sentence) = piece else { continue };
        for warning in unread::silence(sentence, voice.info()) {
            add_once(&mut warnings, warning);
        }
    }
    (reading, warnings)
}

/// How many sentences a script has in some voice.
pub fn sentences(script: &Script, voice: &dyn Voice) -> usize {
    text::read(script, &voice.info().language).sentences().count()
}

/// Speaks some sentences of a script, by their numbers, so that they are in the cache when it is spoken.
pub fn speak_ahead(
    script: &Script,
    voice: &dyn Voice,
    cache: &dyn SpeechCache,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    threads: usize,
    numbers: Range<usize>,
) -> Result<(), SpeechError> {
    let (reading, _) = read(script, voice);
    let all: Vec<&Sentence> = reading.sentences().collect();
    let wanted = &all[numbers.start.min(all.len())..numbers.end.min(all.len())];
    Speaking { voice, cache, sentences: wanted }.run(threads, watch, &mut |_| {})
}

fn add_once(warnings: &mut Vec<Warning>, warning: Warning) {
    if !warnings.contains(&warning) {
        warnings.push(warning);
    }
}

/// How many sentences each thread may be ahead of the one that is waited for.
pub const AHEAD: usize = 2;

fn stand_in(voice: &dyn Voice) -> Option<Warning> {
    let info = voice.info();
    let (wanted, reason) = info.stands_in_for.clone()?;
    Some(Warning::StandIn { wanted, used: info.id.clone(), reason })
}

struct Speaking<'a> {
    voice: &'a dyn Voice,
    cache: &'a dyn SpeechCache,
    sentences: &'a [&'a Sentence],
}

/// A spoken sentence, and the words in it that the voice could not say.
struct Said {
    utterance: Utterance,
    unspoken: Vec<String>,
}

impl Speaking<'_> {
    /// Sentences are taken in order by whichever thread is free and handed on in order. A thread that is too far ahead
    /// of the slowest waits.
    fn run(
        &self,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
        hand_on: &mut dyn FnMut(Said),
    ) -> Result<(), SpeechError> {
        let of = self.sentences.len();
        let threads = threads.clamp(1, of.max(1));
        let queue = Queue::new(of, threads * AHEAD);
        #[expect(clippy::disallowed_methods, reason = "as many threads as the caller allows")]
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            // Closed however this ends, so that nobody waits for a turn that never comes.
            let _closing = Closing(&queue);
            for _ in 0..threads {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move || {
                    while let Some(index) = queue.next() {
                        if sender.send((index, self.sentence(self.sentences[index]))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            in_order(&receiver, &queue, watch, hand_on)
        })
    }

    fn sentence(&self, sentence: &Sentence) -> Result<Said, SpeechError> {
        let key = cache_key(self.voice, sentence);
        let utterance = match self.cache.get(&key) {
            Some(utterance) => utterance,
            None => {
                let mut utterance = self.voice.say(sentence)?;
                utterance.settle();
                self.cache.put(&key, &utterance);
                utterance
            }
        };
        let unspoken = unspoken(self.voice, sentence, &utterance);
        Ok(Said { utterance, unspoken })
    }
}

/// Which sentence is next, and how far behind the slowest is.
struct Queue {
    of: usize,
    ahead: usize,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    begun: usize,
    handed_on: usize,
    closed: bool,
}

impl Queue {
    fn new(of: usize, ahead: usize) -> Self {
        Self { of, ahead, state: Mutex::default(), moved: Condvar::new() }
    }

    /// The next sentence to begin, as soon as there is room for it.
    fn next(&self) -> Option<usize> {
        let mut state = self.lock();
        while !state.closed && state.begun < self.of {
            if state.begun < state.handed_on + self.ahead {
                state.begun += 1;
                return Some(state.begun - 1);
            }
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn handed_on(&self) {
        self.lock().handed_on += 1;
        self.moved.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Closing<'a>(&'a Queue);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.moved.notify_all();
    }
}

fn in_order(
    receiver: &mpsc::Receiver<(usize, Result<Said, SpeechError>)>,
    queue: &Queue,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    hand_on: &mut dyn FnMut(Said),
) -> Result<(), SpeechError> {
    let mut early = std::collections::BTreeMap::new();
    let mut wanted = 0;
    while wanted < queue.of {
        if watch(Progress { sentence: wanted, of: queue.of }).is_break() {
            return Err(SpeechError::Cancelled);
        }
        let (index, said) = receiver.recv().map_err(|_| SpeechError::Cancelled)?;
        early.insert(index, said?);
        while let Some(said) = early.remove(&wanted) {
            hand_on(said);
            wanted += 1;
            queue.handed_on();
        }
    }
    Ok(())
}

/// The words that should have sounded and that the voice has no sounds for. A word without a mark of its own may just
/// have melted into its neighbour, so the voice is asked again about each.
fn unspoken(voice: &dyn Voice, sentence: &Sentence, utterance: &Utterance) -> Vec<String> {
    let has_letters = |word: &&Word| word.said.chars().any(char::is_alphanumeric);
    let mut doubtful: Vec<&Word> = Vec::new();
    let mut words = sentence.words.iter().filter(has_letters).peekable();
    for mark in &utterance.marks.words {
        let group: Vec<&Word> = sharing(&mut words, &mark.text);
        doubtful.extend(if group.len() > 1 { group } else { Vec::new() });
    }
    doubtful.extend(words);
    let alone = |word: &Word| Sentence { words: vec![word.clone()], ..sentence.clone() };
    doubtful.retain(|word| voice.lacks(&alone(word)));
    doubtful.into_iter().map(|word| word.written.clone()).collect()
}

/// The words whose writing makes up the text of one mark.
fn sharing<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a Word>>, text: &str) -> Vec<&'a Word> {
    let mut group = Vec::new();
    let mut rest = text;
    while let Some(word) = words.peek()
        && let Some(at) = rest.find(word.written.as_str())
    {
        rest = &rest[at + word.written.len()..];
        group.extend(words.next());
    }
    group
}

/// Everything the sound and the marks of a sentence depend on.
fn cache_key(voice: &dyn Voice, sentence: &Sentence) -> String {
    let info = voice.info();
    let mut hasher = blake3::Hasher::new();
    let mut field = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    field("sentence 2");
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
