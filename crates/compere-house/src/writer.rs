//! The language model that the operator names: any server that speaks the chat protocol most of them speak.
//!
//! Its address is the operator's word, so it is not judged as links of clients are. It is asked for texts only; nothing
//! of ours waits for it but the request that wants one.

use serde::Deserialize;
use serde_json::json;

use crate::model::Server;
use crate::settings::WriterSettings;

/// No text that a film is made of is longer.
const LONGEST: u64 = 1_000_000;

/// Somebody who writes what is asked for.
#[derive(Clone, Debug)]
pub struct LanguageModel {
    server: Server,
    model: String,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
}

impl LanguageModel {
    /// None where the operator names none.
    pub fn of(settings: &WriterSettings) -> Option<Self> {
        let server =
            Server::at("the language model", settings.url.as_deref()?, settings.key.as_ref(), settings.patience);
        Some(Self { server, model: settings.model.clone() })
    }

    /// What it writes. Errors are sentences for the author of the request, and say nothing of where it lives.
    pub fn answer(&self, instructions: &str, request: &str) -> Result<String, String> {
        let body = json!({
            "model": self.model, "temperature": 0.4, "stream": false,
            "messages": [{"role": "system", "content": instructions}, {"role": "user", "content": request}],
        });
        let text = self.server.good(self.server.post("/chat/completions", &body, LONGEST)?)?;
        let answer: Answer =
            serde_json::from_slice(&text).map_err(|_| self.server.strange("is not one of the chat protocol"))?;
        let written = answer.choices.into_iter().next().and_then(|choice| choice.message.content);
        written.ok_or_else(|| self.server.strange("has no text"))
    }
}
