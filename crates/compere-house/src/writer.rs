//! The language model that the operator names: any server that speaks the chat protocol most of them speak.
//!
//! Its address is the operator's word, so it is not judged as links of clients are. It is asked for texts only; nothing
//! of ours waits for it but the request that wants one.

use std::io::Read;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use crate::settings::WriterSettings;

/// No text that a film is made of is longer.
const LONGEST: u64 = 1_000_000;

/// Somebody who writes what is asked for.
#[derive(Clone, Debug)]
pub struct LanguageModel {
    agent: Agent,
    url: String,
    model: String,
    key: Option<String>,
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
        let url = settings.url.as_deref()?.trim_end_matches('/');
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let config = Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(settings.patience.max(1))))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .user_agent(concat!("compere/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls)
            .build();
        Some(Self {
            agent: config.new_agent(),
            url: format!("{url}/chat/completions"),
            model: settings.model.clone(),
            key: settings.key.clone(),
        })
    }

    /// What it writes. Errors are sentences for the author of the request, and say nothing of where it lives.
    pub fn answer(&self, instructions: &str, request: &str) -> Result<String, String> {
        let body = json!({
            "model": self.model, "temperature": 0.4, "stream": false,
            "messages": [{"role": "system", "content": instructions}, {"role": "user", "content": request}],
        });
        let mut call = self.agent.post(&self.url).header("content-type", "application/json");
        if let Some(key) = &self.key {
            call = call.header("authorization", format!("Bearer {key}"));
        }
        let reply = call.send(body.to_string()).map_err(|error| match error {
            ureq::Error::Timeout(_) => "the language model did not answer in time".to_owned(),
            _ => "the language model cannot be reached".to_owned(),
        })?;
        if reply.status() != 200 {
            return Err(format!("the language model answered with status {}", reply.status().as_u16()));
        }
        let mut text = String::new();
        let read = reply.into_body().into_reader().take(LONGEST).read_to_string(&mut text);
        read.map_err(|_| "the language model's answer broke off".to_owned())?;
        let answer: Answer = serde_json::from_str(&text)
            .map_err(|_| "the language model's answer is not one of the chat protocol".to_owned())?;
        let written = answer.choices.into_iter().next().and_then(|choice| choice.message.content);
        written.ok_or_else(|| "the language model answered without a text".to_owned())
    }
}
