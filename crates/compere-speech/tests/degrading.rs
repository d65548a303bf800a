//! What happens when something is missing, damaged or slow: less, but never nothing and never ever more memory.

#![allow(clippy::disallowed_methods, reason = "tests watch the clock, write files and start programs")]

use compere_media::{Marks, SampleSpan, Sound, WordMark};
use compere_speech::voices::Tone;
use compere_speech::{
    AHEAD, NoCache, Script, Sentence, SpeechError, Spoken, Utterance, Voice, VoiceInfo, VoiceKind, Voices, Warning,
    speak, speak_each,
};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn say(voice: &dyn Voice, text: &str) -> Spoken {
    speak(&Script::plain(text), voice, &NoCache, &mut |_| ControlFlow::Continue(()), 2).unwrap()
}

/// An empty folder of assets, gone when dropped.
struct Assets(PathBuf);

impl Assets {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("compere-degrading-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("voices/kokoro/voices")).unwrap();
        Self(path)
    }

    fn put(&self, file: &str, bytes: &[u8]) {
        std::fs::write(self.0.join("voices/kokoro").join(file), bytes).unwrap();
    }
}

impl Drop for Assets {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn stood_in(assets: &Path) -> String {
    let voices = Voices::open(assets, 1);
    let voice = voices.get("bm_george").unwrap();
    assert_eq!((voice.info().kind, voice.info().id.as_str()), (VoiceKind::Espeak, "espeak-en-gb"));
    let spoken = say(&*voice, "Good evening.");
    assert!(spoken.utterance.sound.seconds() > 0.4 && spoken.utterance.sound.peak() > 0.05, "it is really spoken");
    assert_eq!(spoken.utterance.marks.words.len(), 2);
    match &spoken.warnings[..] {
        [Warning::StandIn { wanted, used, reason }] => {
            assert_eq!((wanted.as_str(), used.as_str()), ("bm_george", "espeak-en-gb"));
            reason.clone()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn espeak_stands_in_for_missing_weights_and_says_so() {
    let assets = Assets::new("missing");
    let reason = stood_in(&assets.0);
    assert!(reason.contains("model.onnx is missing; scripts/fetch-voices.sh fetches it"), "{reason}");
}

#[test]
fn espeak_stands_in_for_damaged_weights_and_says_so() {
    let assets = Assets::new("damaged");
    assets.put("model.onnx", b"not a model");
    assets.put("vocab.json", b"{}");
    assets.put("voices/bm_george.bin", b"short");
    let reason = stood_in(&assets.0);
    assert!(reason.contains("model.onnx"), "{reason}");
}

/// Says each word as ten samples, and a word without Latin letters not at all.
struct Latin {
    info: VoiceInfo,
    live: AtomicUsize,
    most: AtomicUsize,
}

impl Latin {
    fn new() -> Self {
        let info = VoiceInfo { id: "latin".into(), ..Tone::new().info().clone() };
        Self { info, live: AtomicUsize::new(0), most: AtomicUsize::new(0) }
    }
}

impl Voice for Latin {
    fn info(&self) -> &VoiceInfo {
        &self.info
    }

    fn say(&self, sentence: &Sentence) -> Result<Utterance, SpeechError> {
        self.most.fetch_max(self.live.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        if sentence.said().contains("slow") {
            std::thread::sleep(Duration::from_millis(60));
        }
        let mut marks = Marks::default();
        for word in sentence.words.iter().filter(|word| word.said.is_ascii()) {
            let start = marks.words.len() as u64 * 10;
            marks.words.push(WordMark { span: SampleSpan { start, end: start + 10 }, text: word.written.clone() });
        }
        // As real voices do it: what is silent shares a mark.
        for word in sentence.words.iter().filter(|word| !word.said.is_ascii()) {
            if let Some(last) = marks.words.last_mut() {
                last.text = format!("{} {}", last.text, word.written);
            }
        }
        let sound = Sound::new(1, vec![0.1; marks.words.len() * 10]);
        Ok(Utterance { sound, marks })
    }

    fn lacks(&self, word: &Sentence) -> bool {
        !word.said().is_ascii()
    }
}

#[test]
fn words_without_sounds_are_told_once_each() {
    let voice = Latin::new();
    let spoken = say(&voice, "Say привет. And again привет. Привет. Nothing else, though!");
    let unspoken: Vec<&str> = spoken
        .warnings
        .iter()
        .map(|warning| match warning {
            Warning::Unspoken { text, reason } => {
                assert_eq!(reason, "voice `latin` has no sounds for it");
                text.as_str()
            }
            other @ Warning::StandIn { .. } => panic!("{other}"),
        })
        .collect();
    assert_eq!(unspoken, ["привет.", "Привет."]);
    assert!(say(&voice, "All of this, it can say!").warnings.is_empty());
}

/// Left to itself, espeak-ng says "Japanese letter" five times.
#[test]
fn writing_that_a_voice_does_not_read_is_left_out_and_told() {
    let voices = Voices::open(Path::new("/nowhere"), 1);
    let heard = |id: &str, text: &str| {
        let spoken = say(&*voices.get(id).unwrap(), text);
        let told: Vec<String> = spoken.warnings.iter().map(ToString::to_string).collect();
        (spoken.utterance, told)
    };
    let (with, told) = heard("espeak-en-us", "We say こんにちは to all of you.");
    let (without, silent) = heard("espeak-en-us", "We say to all of you.");
    assert_eq!(with.marks.phonemes.len(), without.marks.phonemes.len());
    assert_eq!(
        told,
        [
            "`こんにちは` is not spoken: voice `espeak-en-us` does not read this writing; a dictionary entry would tell it how"
        ]
    );
    assert!(silent.is_empty());
    let written: Vec<&str> = with.marks.words.iter().map(|mark| &*mark.text).collect();
    assert!(written.join(" ").contains("こんにちは"), "captions keep it: {written:?}");
    let (russian, told) = heard("espeak-ru", "Добрый день.");
    assert!(russian.sound.seconds() > 0.4 && told.is_empty());
    let (nothing, told) = heard("espeak-en-us", "你好。");
    assert!(nothing.sound.is_empty() && told.len() == 1, "{told:?}");
}

/// Sentences that are begun and not yet handed on are bounded, however slow the one that is waited for.
#[test]
fn memory_does_not_grow_with_the_text() {
    let text = format!("This one is slow. {}", "Quick. ".repeat(60)).repeat(5);
    for threads in [1, 2, 4] {
        let voice = Latin::new();
        let mut heard = 0;
        let mut hand_on = |piece: Utterance| {
            if !piece.marks.words.is_empty() {
                heard += 1;
                voice.live.fetch_sub(1, Ordering::SeqCst);
            }
        };
        let mut go = |_| ControlFlow::Continue(());
        speak_each(&Script::plain(&text), &voice, &NoCache, &mut go, threads, &mut hand_on).unwrap();
        assert_eq!(heard, 305);
        let most = voice.most.load(Ordering::SeqCst);
        assert!(most <= threads * AHEAD, "{most} sentences at once on {threads} threads");
        assert!(threads == 1 || most > threads, "the others do go ahead of the slow one");
    }
}

/// Waiting threads are told when the listener gives up.
#[test]
fn cancelling_wakes_those_who_wait() {
    let voice = Latin::new();
    let text = format!("This one is slow. {}", "Quick. ".repeat(100));
    let mut calls = 0;
    let mut watch = |_| {
        calls += 1;
        if calls > 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = speak_each(&Script::plain(text), &voice, &NoCache, &mut watch, 3, &mut |_| {});
    assert!(matches!(result, Err(SpeechError::Cancelled)));
}
