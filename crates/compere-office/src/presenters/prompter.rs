//! What takes are compared with, spoken while their person is still before the camera.
//!
//! A take is aligned by what some of our voices make of the same text. On a processor without vector units for bytes they
//! take longer over a line than the person did, and whoever presses *Make* would wait for all of them at once. So what a take
//! says is spoken when it came, line by line, behind everything else; making the presenter finds it in the cache. Whatever
//! fails here is done then.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use compere_house::desk::{Wanted, Who};
use tokio::sync::Notify;

use crate::Office;

/// Lines that wait: those of a few people.
const WAITING: usize = 400;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    presenter: String,
    language: String,
    text: String,
}

#[derive(Debug, Default)]
pub(crate) struct Prompter {
    waiting: Mutex<VecDeque<Line>>,
    bell: Notify,
}

impl Prompter {
    /// What is said in a take that came, or in the consent that is about to.
    pub(crate) fn note(&self, presenter: &str, language: &str, said: &str) {
        let mut waiting = self.lock();
        for text in said.lines().map(str::trim).filter(|text| !text.is_empty()) {
            let [presenter, language, text] = [presenter, language, text].map(str::to_owned);
            let line = Line { presenter, language, text };
            if waiting.len() < WAITING && !waiting.contains(&line) {
                waiting.push_back(line);
            }
        }
        drop(waiting);
        self.bell.notify_one();
    }

    /// The presenter is being made, and whoever makes it speaks what is left; or nobody will make it.
    pub(crate) fn forget(&self, presenter: &str) {
        self.lock().retain(|line| line.presenter != presenter);
    }

    async fn next(&self) -> Line {
        loop {
            if let Some(line) = self.lock().pop_front() {
                return line;
            }
            self.bell.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Line>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Office {
    /// Speaks what takes are compared with until the service stops.
    pub async fn keep_prompting(&self) {
        self.until_stopped(self.prompt_on()).await;
    }

    async fn prompt_on(&self) {
        loop {
            let line = self.prompter.next().await;
            if !self.is_idle().await {
                continue;
            }
            for voice in compere_own::comparable(&line.language, &self.voices) {
                let id = voice.info().id.clone();
                let who = Who::Voice { id, speed: 1.0, language: Some(line.language.clone()) };
                if let Err(error) = self.back_office.wanted("", Wanted::by_all()).say(line.text.clone(), who).await {
                    tracing::debug!(presenter = line.presenter, ?error, "a line was not spoken ahead");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_spoken_once_in_their_order_and_not_for_whom_is_being_made() {
        let prompter = Prompter::default();
        prompter.note("a", "en-US", "One.\n\n  Two. \nOne.");
        prompter.note("b", "en-US", "One.");
        prompter.note("a", "en-US", "Three.");
        assert_eq!(prompter.next().await.text, "One.");
        assert_eq!(prompter.next().await.text, "Two.");
        prompter.forget("b");
        assert_eq!(prompter.next().await.text, "Three.");
        assert!(prompter.lock().is_empty());
    }
}
