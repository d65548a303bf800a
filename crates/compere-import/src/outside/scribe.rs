//! What is said of slides without notes, written by the operator's language model.
//!
//! It is told what stands on a slide and nothing else. What it answers is notes like any other: text, which nobody obeys.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::work::{LOOK, Work};
use crate::{ImportError, Progress, Scribe, Warning, spoken};

const INSTRUCTIONS: &str = "You write what a presenter says beside a slide of a presentation. Say in one to four plain \
    spoken sentences what the slide tells, in the language of the slide. Use only what stands on it: add no facts, no \
    greeting and no headline. Answer with the sentences alone, without marks, lists or quotes.";

/// So long it is asked; what is left then says what it says itself.
const PATIENCE: Duration = Duration::from_secs(300);
/// Letters of a slide that it is told, and of an answer that are taken.
const TOLD: usize = 4000;
const TAKEN: usize = 2000;

/// A slide without notes.
pub(crate) struct Leaf<'a> {
    pub(crate) number: usize,
    pub(crate) title: Option<&'a str>,
    pub(crate) points: &'a [String],
    pub(crate) notes: &'a mut String,
}

/// Fills in the notes of slides that say something. Where nobody answers, by rule.
pub(crate) fn write(
    work: &Work<'_>,
    scribe: Option<&Scribe>,
    deck: Option<&str>,
    leaves: Vec<Leaf<'_>>,
    warnings: &mut Vec<Warning>,
) -> Result<(), ImportError> {
    let (of, started) = (leaves.len(), Instant::now());
    let mut scribe = scribe.ok_or_else(|| "there is none here".to_owned());
    let mut told = false;
    for (done, leaf) in leaves.into_iter().enumerate() {
        let plain = spoken::draft(leaf.title, leaf.points);
        if plain.is_empty() {
            continue;
        }
        if started.elapsed() > PATIENCE {
            scribe = Err(format!("it took more than {} seconds", PATIENCE.as_secs()));
        }
        let progress = Progress::Writing { done, of };
        let written = match scribe.clone() {
            Ok(scribe) => asked(work, scribe, &request(deck, &leaf), progress)?,
            Err(why) => Err(why),
        };
        let message = match written {
            Ok(text) => {
                *leaf.notes = text;
                "has no notes; a language model wrote what is spoken, as a draft"
            }
            Err(why) => {
                if !told {
                    let message = format!("the language model did not write for all slides without notes: {why}");
                    warnings.push(Warning::of_document(message));
                    told = true;
                }
                scribe = Err(why);
                *leaf.notes = plain;
                "has no notes; what it says itself is spoken as a draft"
            }
        };
        warnings.push(Warning::of_slide(leaf.number, message));
    }
    Ok(())
}

fn request(deck: Option<&str>, leaf: &Leaf<'_>) -> String {
    let mut text = String::new();
    for (what, words) in [("Presentation", deck), ("Slide", leaf.title)] {
        if let Some(words) = words {
            text += &format!("{what}: {words}\n");
        }
    }
    leaf.points.iter().for_each(|point| text += &format!("- {point}\n"));
    text.chars().take(TOLD).collect()
}

/// Its answer, or why there is none. The outer error is one of the import: nobody waits for a model when it is given up.
fn asked(
    work: &Work<'_>,
    scribe: &Scribe,
    request: &str,
    progress: Progress,
) -> Result<Result<String, String>, ImportError> {
    let (send, answer) = channel();
    let (scribe, request) = (Arc::clone(&scribe.0), request.to_owned());
    std::thread::spawn(move || {
        // Whoever asked may be gone.
        let _ = send.send(scribe(INSTRUCTIONS, &request));
    });
    loop {
        work.tell(progress)?;
        match answer.recv_timeout(Duration::from_millis(u64::from(LOOK))) {
            Ok(answer) => return Ok(answer.and_then(|text| plain(&text))),
            Err(RecvTimeoutError::Timeout) => (),
            Err(RecvTimeoutError::Disconnected) => return Ok(Err("it broke off".to_owned())),
        }
    }
}

/// The answer as plain paragraphs.
fn plain(answer: &str) -> Result<String, String> {
    let line = |line: &str| {
        let line = line.trim().trim_start_matches(['#', '-', '*', '•', '>', ' ']).replace("**", "");
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let lines: Vec<String> = answer.lines().map(line).filter(|line| !line.is_empty()).collect();
    let text: String = lines.join("\n").chars().take(TAKEN).collect();
    let text = text.trim_matches(['"', '“', '”', ' ']).to_owned();
    if text.chars().any(char::is_alphabetic) { Ok(text) } else { Err("its answer has no words".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_sentences_and_nothing_else() {
        let answer = "# Bees\n\n- They find **what**  flowers hide.\n\n";
        assert_eq!(plain(answer), Ok("Bees\nThey find what flowers hide.".to_owned()));
        assert_eq!(plain("“Two words.”"), Ok("Two words.".to_owned()));
        assert!(plain("  \n***\n").is_err());
        assert_eq!(plain(&"a".repeat(9000)).map(|text| text.len()), Ok(TAKEN));
    }
}
