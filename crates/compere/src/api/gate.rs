//! Who may come in, and how often.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use compere_store::{Account, Caller};

use super::error::{ApiError, Kind};
use crate::serve::app::App;

/// Buckets of tokens, one for each name; a full one is forgotten.
#[derive(Debug, Default)]
pub struct Buckets {
    known: Mutex<HashMap<String, (f64, Instant)>>,
}

/// More names than this are swept before another is added.
const MANY: usize = 20_000;

impl Buckets {
    /// Takes one token, or says after how many seconds there will be one. `per_minute` is also how many may be taken at
    /// once.
    pub fn take(&self, name: &str, per_minute: u32) -> Result<(), u64> {
        self.at(name, per_minute, 1.0, Instant::now())
    }

    /// Whether there is a token, without taking it.
    pub fn look(&self, name: &str, per_minute: u32) -> Result<(), u64> {
        self.at(name, per_minute, 0.0, Instant::now())
    }

    fn at(&self, name: &str, per_minute: u32, cost: f64, now: Instant) -> Result<(), u64> {
        let (full, rate) = (f64::from(per_minute.max(1)), f64::from(per_minute.max(1)) / 60.0);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MANY {
            known.retain(|_, (_, since)| now.duration_since(*since).as_secs() < 120);
        }
        let (level, since) = known.get(name).copied().unwrap_or((full, now));
        let level = (level + now.duration_since(since).as_secs_f64() * rate).min(full);
        if level < 1.0 {
            return Err(((1.0 - level) / rate).ceil().max(1.0) as u64);
        }
        if cost > 0.0 {
            known.insert(name.to_owned(), (level - cost, now));
        }
        Ok(())
    }
}

/// Limits of requests, each kind on its own.
#[derive(Debug, Default)]
pub struct Gate {
    /// Requests with a token, by account.
    pub accounts: Buckets,
    /// Requests for a token, and wrong tokens, by address.
    pub addresses: Buckets,
    /// Refused requests for a token, by app id.
    pub refused: Buckets,
}

pub fn slow_down(seconds: u64, what: &str) -> ApiError {
    let msg = format!("too many requests {what}; try again in {seconds} s");
    ApiError { retry_after: Some(seconds), ..ApiError::new(Kind::RateLimited, msg) }
}

/// The address that counts for limits: the peer's, or behind a proxy of the operator's the one it names last.
#[derive(Clone, Copy, Debug)]
pub struct Address(pub IpAddr);

impl Address {
    pub fn of(headers: &HeaderMap, peer: Option<SocketAddr>, proxied: bool) -> Self {
        let named = headers.get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
        let named = named.and_then(|list| list.rsplit(',').next()?.trim().parse().ok());
        let peer = peer.map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip());
        Self(if proxied { named.unwrap_or(peer) } else { peer })
    }

    /// Whoever has one IPv6 address has a million: its network counts.
    pub fn name(self) -> String {
        match self.0.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        }
    }
}

impl FromRequestParts<Arc<App>> for Address {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Self::Rejection> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
        Ok(Self::of(&parts.headers, peer, app.settings.behind_proxy))
    }
}

/// The presented token, with or without `Bearer`.
pub fn token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?.trim();
    let bare = match value.split_once(' ') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("bearer") => rest.trim(),
        _ => value,
    };
    (!bare.is_empty()).then_some(bare)
}

/// A caller with a token that holds, an account that may use the API, and a request left this minute.
#[derive(Clone, Debug)]
pub struct Auth {
    pub account: Account,
    /// The workspace that the key pair is bound to.
    pub workspace: Option<String>,
}

impl FromRequestParts<Arc<App>> for Auth {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let Ok(address) = Address::from_request_parts(parts, app).await;
        let caller = caller(&parts.headers, address, app).await?;
        let plan = app.store.plan(&caller.account.plan);
        if !plan.api {
            let msg = format!("the plan `{}` has no API access; choose one that has", plan.name);
            return Err(ApiError::new(Kind::PlanRequired, msg));
        }
        let taken = app.gate.accounts.take(&caller.account.id, plan.requests_per_minute);
        taken.map_err(|seconds| slow_down(seconds, "of this account"))?;
        Ok(Self { account: caller.account, workspace: caller.workspace })
    }
}

async fn caller(headers: &HeaderMap, address: Address, app: &App) -> Result<Caller, ApiError> {
    let Some(token) = token(headers) else {
        let msg = "the header `Authorization` is missing; get a token from POST /api/odin/v3/auth/token";
        return Err(ApiError::new(Kind::Unauthorized, msg));
    };
    // Wrong tokens cost a look into the database each. Right ones are never slowed down by them.
    let strangers = app.settings.limits.auth_per_minute.saturating_mul(10);
    match app.store.caller(token).await? {
        Some(caller) if caller.expired => {
            let msg = "the token is older than a day; get a new one from POST /api/odin/v3/auth/token";
            Err(ApiError::new(Kind::TokenExpired, msg))
        }
        Some(caller) => Ok(caller),
        None => {
            let name = format!("token {}", address.name());
            app.gate.addresses.take(&name, strangers).map_err(|seconds| slow_down(seconds, "with wrong tokens"))?;
            let msg = "the token is not known; get one from POST /api/odin/v3/auth/token";
            Err(ApiError::new(Kind::Unauthorized, msg))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let (buckets, now) = (Buckets::default(), Instant::now());
        for _ in 0..60 {
            assert_eq!(buckets.at("a", 60, 1.0, now), Ok(()));
        }
        assert_eq!(buckets.at("a", 60, 1.0, now), Err(1));
        assert_eq!(buckets.at("b", 60, 1.0, now), Ok(()), "another's bucket");
        assert_eq!(buckets.at("a", 60, 1.0, now + Duration::from_secs(2)), Ok(()));
    }

    #[test]
    fn proxies_are_believed_only_when_they_are_ours() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "6.6.6.6, 203.0.113.9".parse().expect("a header"));
        let peer = Some(SocketAddr::from(([10, 0, 0, 1], 5)));
        assert_eq!(Address::of(&headers, peer, false).name(), "10.0.0.1");
        assert_eq!(Address::of(&headers, peer, true).name(), "203.0.113.9");
    }

    #[test]
    fn tokens_come_bare_or_as_bearer() {
        let mut headers = HeaderMap::new();
        for (value, wanted) in
            [("abc", Some("abc")), ("Bearer abc", Some("abc")), ("bearer  abc", Some("abc")), (" ", None)]
        {
            headers.insert(header::AUTHORIZATION, value.parse().expect("a header"));
            assert_eq!(token(&headers), wanted, "{value}");
        }
    }
}
