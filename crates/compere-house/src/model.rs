//! A server of models that the operator names, by the protocol most of them speak.
//!
//! Its address is the operator's word, so it is not judged as links of clients are.

use std::io::Read;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

/// What is said of a server that cannot be had, as whoever it is about is called: `the language model`.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    agent: Agent,
    who: &'static str,
    url: String,
    key: Option<String>,
}

impl Server {
    pub(crate) fn at(who: &'static str, url: &str, key: Option<&String>, patience: u64) -> Self {
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let config = Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(patience.max(1))))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .user_agent(concat!("compere/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls)
            .build();
        Self { agent: config.new_agent(), who, url: url.trim_end_matches('/').to_owned(), key: key.cloned() }
    }

    /// Whether an address is this server's.
    pub(crate) fn is_at(&self, link: &str) -> bool {
        let origin = self.url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
        link.strip_prefix(&origin).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Status and answer. Errors are sentences for the author of the request, and say nothing of where it lives.
    pub(crate) fn post(&self, path: &str, body: &Value, most: u64) -> Result<(u16, Vec<u8>), String> {
        let call = self.agent.post(format!("{}{path}", self.url)).header("content-type", "application/json");
        let call = match &self.key {
            Some(key) => call.header("authorization", format!("Bearer {key}")),
            None => call,
        };
        self.answer(call.send(body.to_string()), most)
    }

    /// Of a path below the server's, or of a whole address that is its own.
    pub(crate) fn get(&self, path: &str, most: u64) -> Result<(u16, Vec<u8>), String> {
        let url = if path.starts_with('/') { format!("{}{path}", self.url) } else { path.to_owned() };
        let call = self.agent.get(url);
        let call = match &self.key {
            Some(key) => call.header("authorization", format!("Bearer {key}")),
            None => call,
        };
        self.answer(call.call(), most)
    }

    fn answer(
        &self,
        reply: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
        most: u64,
    ) -> Result<(u16, Vec<u8>), String> {
        let who = self.who;
        let reply = reply.map_err(|error| match error {
            ureq::Error::Timeout(_) => format!("{who} did not answer in time"),
            _ => format!("{who} cannot be reached"),
        })?;
        let status = reply.status().as_u16();
        let mut bytes = Vec::new();
        let read = reply.into_body().into_reader().take(most + 1).read_to_end(&mut bytes);
        read.map_err(|_| format!("{who}'s answer broke off"))?;
        if bytes.len() as u64 > most {
            return Err(format!("{who} answered with more than anybody asked for"));
        }
        Ok((status, bytes))
    }

    /// The answer, where the status says that it is one.
    pub(crate) fn good(&self, (status, bytes): (u16, Vec<u8>)) -> Result<Vec<u8>, String> {
        if status == 200 { Ok(bytes) } else { Err(format!("{} answered with status {status}", self.who)) }
    }

    pub(crate) fn strange(&self, what: &str) -> String {
        format!("{}'s answer {what}", self.who)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_addresses_are_its_own() {
        let server = Server::at("it", "http://localhost:8188/v1/", None, 1);
        assert!(server.is_at("http://localhost:8188/files/1.png"));
        for other in ["http://localhost:81880/x", "http://localhost:8188.example/x", "https://localhost:8188/x", "/x"] {
            assert!(!server.is_at(other), "{other}");
        }
    }
}
