//! What `speak` promises, told with the tone voice.

use compere_speech::{
    NoCache, Progress, Script, ScriptPart, SpeechCache, SpeechError, Spoken, Utterance, Voice, speak,
};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

fn tone() -> Arc<dyn Voice> {
    Arc::new(compere_speech::voices::Tone::new())
}

fn say(script: &Script) -> Spoken {
    speak(script, &*tone(), &NoCache, &mut |_| ControlFlow::Continue(()), 2).unwrap()
}

fn loud(utterance: &Utterance, from: u64, to: u64) -> bool {
    utterance.sound.samples()[from as usize..to as usize].iter().any(|sample| *sample != 0.0)
}

#[derive(Default)]
struct Memory {
    kept: Mutex<HashMap<String, Vec<u8>>>,
    hits: Mutex<usize>,
}

impl SpeechCache for Memory {
    fn get(&self, key: &str) -> Option<Utterance> {
        let found = self.kept.lock().unwrap().get(key).map(|bytes| Utterance::from_bytes(bytes).unwrap());
        *self.hits.lock().unwrap() += usize::from(found.is_some());
        found
    }

    fn put(&self, key: &str, utterance: &Utterance) {
        self.kept.lock().unwrap().insert(key.to_owned(), utterance.to_bytes());
    }
}

#[test]
fn every_written_word_is_marked_and_pauses_are_silent() {
    let script = Script {
        parts: vec![
            ScriptPart::Text("Hello there, friend.".into()),
            ScriptPart::Pause(0.5),
            ScriptPart::Say { written: "GIF".into(), said: "jif".into() },
        ],
        ..Script::plain("")
    };
    let spoken = say(&script).utterance;
    let words: Vec<&str> = spoken.marks.words.iter().map(|mark| &*mark.text).collect();
    assert_eq!(words, ["Hello", "there,", "friend.", "GIF"]);
    let mut quiet_from = 0;
    for mark in &spoken.marks.words {
        assert!(quiet_from <= mark.span.start, "words never overlap");
        assert!(!loud(&spoken, quiet_from, mark.span.start), "silence before {}", mark.text);
        assert!(loud(&spoken, mark.span.start, mark.span.start + 48), "{} begins with its mark", mark.text);
        quiet_from = mark.span.end;
    }
    assert_eq!(quiet_from, spoken.sound.len(), "no silence sticks out behind");
    let gap = spoken.marks.words[3].span.start - spoken.marks.words[2].span.end;
    assert_eq!(gap, 24_000, "the pause is as long as the author asked");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let text = "One. Two two two two two. Three! Four? Five five five. Six. Seven seven seven seven. Eight.";
    let on = |threads| speak(&Script::plain(text), &*tone(), &NoCache, &mut |_| ControlFlow::Continue(()), threads);
    let one = on(1).unwrap();
    for threads in [2, 3, 8, 100] {
        assert!(on(threads).unwrap() == one, "{threads} threads");
    }
}

#[test]
fn a_cached_sentence_is_the_same_as_a_spoken_one_and_depends_on_all_it_must() {
    let memory = Memory::default();
    let with_cache = |script: &Script| speak(script, &*tone(), &memory, &mut |_| ControlFlow::Continue(()), 2).unwrap();
    let script = Script::plain("A first sentence. A second one.");
    let fresh = with_cache(&script);
    assert_eq!(*memory.hits.lock().unwrap(), 0);
    assert!(with_cache(&script) == fresh);
    assert_eq!(*memory.hits.lock().unwrap(), 2);
    with_cache(&Script { speed: 1.5, ..script.clone() });
    with_cache(&Script { language: Some("en-GB".into()), ..script.clone() });
    with_cache(&Script { dictionary: vec![("sentence".into(), "line".into())], ..script.clone() });
    assert_eq!(*memory.hits.lock().unwrap(), 3, "only `A second one.` is the same with the dictionary");
    assert!(say(&script) == fresh, "and without a cache nothing is different");
}

#[test]
fn cancelling_stops_and_says_so() {
    let text = "Again. ".repeat(200);
    let mut seen = Vec::new();
    let mut watch = |progress: Progress| {
        seen.push(progress.sentence);
        if progress.sentence >= 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = speak(&Script::plain(text), &*tone(), &NoCache, &mut watch, 4);
    assert!(matches!(result, Err(SpeechError::Cancelled)));
    assert!(seen.len() < 200);
}

#[test]
fn nothing_to_say_is_not_an_error() {
    for text in ["", "   \n ", "…", "?!"] {
        assert!(say(&Script::plain(text)).utterance.sound.is_empty(), "{text:?}");
    }
}

#[test]
fn twice_as_fast_is_half_as_long() {
    let script = Script::plain("A sentence that takes its time, and then another word or two.");
    let length = |speed| say(&Script { speed, ..script.clone() }).utterance.sound.seconds();
    assert!((length(2.0) - length(1.0) / 2.0).abs() < 0.01);
    assert!((length(0.5) - length(1.0) * 2.0).abs() < 0.01);
    assert_eq!(length(7.0), length(2.0), "what is out of range is clamped");
}
