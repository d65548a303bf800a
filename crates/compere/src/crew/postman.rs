//! Webhooks over the network, called only at addresses the rules permit.

use std::sync::Arc;
use std::time::{Duration, Instant};

use compere_jobs::crew::Later;
use compere_jobs::{Post, Sender};
use compere_store::HookMethod;

use compere_house::assets::AddressRules;
use compere_house::assets::guard::{self, Link};

/// From the look-up of the name to the first line of the answer. The answer's body is not read at all.
const PATIENCE: Duration = Duration::from_secs(15);

#[derive(Debug)]
pub struct Postman {
    agent: ureq::Agent,
}

impl Postman {
    pub fn new(rules: Arc<AddressRules>) -> Self {
        let patience = guard::Patience { connect: Duration::from_secs(10), stall: PATIENCE };
        Self { agent: guard::client(rules, guard::system_names(), patience) }
    }
}

impl Sender for Postman {
    fn send<'a>(&'a self, post: Post) -> Later<'a, Result<u16, String>> {
        let agent = self.agent.clone();
        Box::pin(async move {
            let started = Instant::now();
            let sent = tokio::task::spawn_blocking(move || call(&agent, &post)).await;
            let answer = sent.map_err(|error| error.to_string())?;
            metrics::counter!("compere_webhook_tries_total", "answer" => family(&answer)).increment(1);
            metrics::histogram!("compere_webhook_try_seconds").record(started.elapsed().as_secs_f64());
            answer
        })
    }
}

/// What a try came to, in as few words as numbers need.
fn family(answer: &Result<u16, String>) -> &'static str {
    match answer {
        Ok(200..=299) => "2xx",
        Ok(300..=399) => "3xx",
        Ok(400..=499) => "4xx",
        Ok(_) => "5xx",
        Err(_) => "none",
    }
}

fn call(agent: &ureq::Agent, post: &Post) -> Result<u16, String> {
    let link = Link::parse(&post.url).map_err(|error| error.to_string())?;
    let mut request = ureq::http::Request::builder().method(post.method.as_str()).uri(link.as_str());
    for (name, value) in &post.headers {
        request = request.header(name, value);
    }
    let body = if post.method == HookMethod::Get { String::new() } else { post.body.clone() };
    let request = request.header("content-type", "application/json").body(body).map_err(|error| error.to_string())?;
    match agent.run(agent.configure_request(request).timeout_global(Some(PATIENCE)).build()) {
        Ok(answer) => Ok(answer.status().as_u16()),
        Err(error) => Err(guard::in_words(&error, &link)),
    }
}
