//! Webhooks out of the outbox, each on its own.
//!
//! Signed as Standard Webhooks have it: `webhook-id` is the same on every try, so that a receiver can tell a second
//! delivery from a second export. A receiver has at most [`PER_HOST`] connections at a time; while those hang, what is
//! due for it goes back into the outbox and everybody else is served.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use compere_store::{Delivery, DeliveryState, HookMethod, Occasion, Store, StoreError, Try, random_bytes, trial};
use ring::hmac;
use tokio::task::JoinSet;

use crate::crew::Post;
use crate::engine::{Inner, lock};

/// Three days of trying.
const PATIENCE: i64 = 3 * 24 * 3_600_000;
/// A clock that jumps three days must not make a delivery old.
const AT_LEAST: i64 = 12;
/// At once to one receiver.
const PER_HOST: usize = 2;
/// Looked at in one go. More than can be sent, so that those of a receiver who hangs do not hide the others.
const BATCH: i64 = 256;
/// Before what was due for a busy receiver is looked at again.
const BUSY: i64 = 3_000;
/// Longer than any try takes.
const LEASE: i64 = 120_000;
const LOOK: Duration = Duration::from_secs(1);
const AGENT: &str = concat!("Compere-Webhooks/", env!("CARGO_PKG_VERSION"));

/// How many connections each receiver has.
type Hosts = Arc<Mutex<HashMap<String, usize>>>;

/// A connection to a receiver, given back when it is dropped.
struct Seat {
    hosts: Hosts,
    host: String,
}

impl Seat {
    fn take(hosts: &Hosts, url: &str) -> Option<Self> {
        let host = host_of(url);
        let mut taken = lock(hosts);
        let count = taken.entry(host.clone()).or_default();
        if *count >= PER_HOST {
            return None;
        }
        *count += 1;
        Some(Self { hosts: Arc::clone(hosts), host })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = lock(&self.hosts);
        if let Some(count) = taken.get_mut(&self.host) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.host);
            }
        }
    }
}

/// Host and port, as far as one must be told from another.
fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase()
}

impl Inner {
    pub(crate) async fn deliver(self: Arc<Self>) {
        let (mut carriers, hosts) = (JoinSet::new(), Hosts::default());
        loop {
            while carriers.try_join_next().is_some() {}
            let room = self.parts.settings.deliveries.saturating_sub(carriers.len());
            let sent = if room == 0 { Ok(0) } else { self.send_due(room, &hosts, &mut carriers).await };
            if let Err(error) = &sent {
                tracing::error!(%error, "the outbox cannot be read");
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = self.news.notified() => {}
                Some(_) = carriers.join_next() => {}
            }
        }
    }

    /// Sends what is due and fits; the rest goes back. Says how many were sent.
    async fn send_due(
        self: &Arc<Self>,
        room: usize,
        hosts: &Hosts,
        carriers: &mut JoinSet<()>,
    ) -> Result<usize, StoreError> {
        let store = &self.parts.store;
        let mut sent = 0;
        let mut due = store.due_deliveries(BATCH, LEASE).await?;
        due.sort_by(|one, other| (one.next_at, &one.id).cmp(&(other.next_at, &other.id)));
        for delivery in due {
            trial::point("deliver.leased");
            let seat = if sent < room { Seat::take(hosts, &delivery.url) } else { None };
            match seat {
                Some(seat) => {
                    sent += 1;
                    carriers.spawn(Arc::clone(self).carry(delivery, seat));
                }
                None => store.return_delivery(&delivery.id, store.now() + BUSY).await?,
            }
        }
        Ok(sent)
    }

    async fn carry(self: Arc<Self>, delivery: Delivery, seat: Seat) {
        let (status, state) = match self.attempt(&delivery, delivery.method).await {
            Ok(answer) => answer,
            Err(error) => {
                tracing::error!(delivery = delivery.id, %error, "a try could not be written down");
                return;
            }
        };
        // It does not know POST: the older generation of this interface called with GET.
        if matches!(status, Some(405 | 501))
            && delivery.method != HookMethod::Get
            && state == DeliveryState::Pending
            && let Err(error) = self.attempt(&delivery, HookMethod::Get).await
        {
            tracing::error!(delivery = delivery.id, %error, "a try could not be written down");
        }
        drop(seat);
    }

    /// One try, written down. Answers the status, and the state of the delivery now.
    async fn attempt(
        &self,
        delivery: &Delivery,
        method: HookMethod,
    ) -> Result<(Option<i64>, DeliveryState), StoreError> {
        let store = &self.parts.store;
        let secrets = secrets_of(store, delivery).await?;
        let (at, started) = (store.now(), Instant::now());
        let body = if method == HookMethod::Get { "" } else { &delivery.body };
        let mut headers = vec![
            ("user-agent".to_owned(), AGENT.to_owned()),
            ("webhook-id".to_owned(), delivery.id.clone()),
            ("webhook-timestamp".to_owned(), (at / 1000).to_string()),
        ];
        // Libraries that verify want JSON, and what is called with GET has no body: it finds it in a header.
        let mut bodies = vec![body.to_owned()];
        if method == HookMethod::Get {
            let payload = in_ascii(&delivery.body);
            headers.push(("webhook-payload".to_owned(), payload.clone()));
            bodies.push(payload);
        }
        let signed = secrets.as_ref().map(|secrets| {
            let each = bodies.iter().map(|body| signatures(secrets, &delivery.id, at, body));
            each.collect::<Vec<_>>().join(" ")
        });
        headers.extend(signed.map(|signed| ("webhook-signature".to_owned(), signed)));
        let post = Post { method, url: delivery.url.clone(), headers, body: body.to_owned() };
        trial::point("deliver.before_send");
        let answer = self.parts.sender.send(post).await;
        trial::point("deliver.after_send");
        let status = answer.as_ref().ok().map(|status| i64::from(*status));
        let tried = Try {
            number: 0,
            at,
            millis: started.elapsed().as_millis() as i64,
            method,
            status,
            error: complaint(&answer),
        };
        let state = judged(&answer, delivery, store.now());
        let next = store.now() + backoff(delivery.tries + 1);
        store.record_try(&delivery.id, &tried, state, next).await?;
        if let Some(endpoint) = delivery.endpoint.as_ref().filter(|_| state == DeliveryState::Gone) {
            store.disable_endpoint(endpoint).await?;
        }
        trial::point("deliver.recorded");
        if state != DeliveryState::Pending {
            tracing::info!(delivery = delivery.id, export = delivery.export, %state, "a webhook is done");
        }
        Ok((status, state))
    }
}

fn judged(answer: &Result<u16, String>, delivery: &Delivery, now: i64) -> DeliveryState {
    match answer {
        Ok(200..=299) => DeliveryState::Delivered,
        Ok(410) => DeliveryState::Gone,
        // Whoever asked looks now.
        _ if delivery.event == Occasion::Ping => DeliveryState::Failed,
        _ if now - delivery.created_at > PATIENCE && delivery.tries >= AT_LEAST => DeliveryState::Failed,
        _ => DeliveryState::Pending,
    }
}

fn complaint(answer: &Result<u16, String>) -> Option<String> {
    match answer {
        Ok(200..=299) => None,
        Ok(410) => Some("the receiver wants no more of these".to_owned()),
        Ok(300..=399) => {
            Some("the receiver points elsewhere; webhooks are not sent on, give the final address".to_owned())
        }
        Ok(405 | 501) => Some("the receiver does not know this method".to_owned()),
        Ok(status) => Some(format!("the receiver answered with status {status}")),
        Err(why) => Some(why.clone()),
    }
}

/// 5 s, doubled with every try up to 6 h, a fifth more or less so that many do not come back at once.
fn backoff(tries: i64) -> i64 {
    let plain = (5_000_i64 << tries.saturating_sub(1).clamp(0, 13)).min(6 * 3_600_000);
    let dice = i64::from(u16::from_be_bytes(random_bytes())) - 32_768;
    plain + plain / 5 * dice / 32_768
}

/// A secret, and the one that signs beside it until the time given.
struct Secrets {
    now: String,
    old: Option<(String, i64)>,
}

/// Those of the endpoint, else of the account. None when there is neither any more.
async fn secrets_of(store: &Store, delivery: &Delivery) -> Result<Option<Secrets>, StoreError> {
    if let Some(endpoint) = &delivery.endpoint {
        let endpoint = store.endpoint(endpoint).await?;
        return Ok(endpoint.map(|endpoint| Secrets { now: endpoint.secret, old: endpoint.secret_old }));
    }
    let account = store.account(&delivery.account).await?;
    Ok(account.map(|account| Secrets { now: account.hook_secret, old: account.hook_secret_old }))
}

/// The same JSON without a letter that a header may not have.
fn in_ascii(json: &str) -> String {
    let mut units = [0; 2];
    json.chars().fold(String::with_capacity(json.len()), |mut text, letter| {
        if letter.is_ascii() {
            text.push(letter);
        } else {
            text.extend(letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
        text
    })
}

/// One signature for each secret that is valid now.
fn signatures(secrets: &Secrets, id: &str, at: i64, body: &str) -> String {
    let text = format!("{id}.{}.{body}", at / 1000);
    let old = secrets.old.as_ref().filter(|(_, until)| at < *until).map(|(secret, _)| secret);
    let sign = |secret: &String| {
        let key = secret.strip_prefix("whsec_").unwrap_or(secret);
        let key = STANDARD.decode(key).unwrap_or_else(|_| key.as_bytes().to_vec());
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        format!("v1,{}", STANDARD.encode(hmac::sign(&key, text.as_bytes())))
    };
    std::iter::once(&secrets.now).chain(old).map(sign).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(secret: &str, old: Option<(&str, i64)>) -> Secrets {
        Secrets { now: secret.into(), old: old.map(|(secret, until)| (secret.to_owned(), until)) }
    }

    /// The example of the specification: the Standard Webhooks libraries verify exactly this.
    #[test]
    fn the_specifications_example_comes_out() {
        let secrets = secrets("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", None);
        let signed = signatures(&secrets, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330_000, r#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn the_old_secret_signs_beside_the_new_one_for_a_while() {
        let secrets = secrets("whsec_bmV3", Some(("whsec_b2xk", 5_000)));
        assert_eq!(signatures(&secrets, "msg_1", 4_999, "x").split(' ').count(), 2);
        assert_eq!(signatures(&secrets, "msg_1", 5_000, "x").split(' ').count(), 1);
    }

    #[test]
    fn what_stands_in_a_header_is_the_same_json() {
        let body = r#"{"name":"Grüße 🎬 \"x\""}"#;
        let sent = in_ascii(body);
        assert!(sent.is_ascii(), "{sent}");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
        assert_eq!(read(&sent), read(body));
    }

    #[test]
    fn waits_grow_from_seconds_to_hours() {
        let near = |tries, seconds: f64| {
            let off = backoff(tries) as f64 / 1000.0 / seconds;
            assert!((0.79..=1.21).contains(&off), "try {tries}: {off}");
        };
        near(1, 5.0);
        near(2, 10.0);
        near(5, 80.0);
        near(40, 21_600.0);
    }
}
