//! How often whom is let in: one limiter for every door.
//!
//! What strangers name costs nothing to remember. Names are hashed with a seed of this process into a table of a fixed
//! size, so neither their length nor their number takes memory, and what lies there fades by itself. (`governor` keeps
//! an entry for each name until it is told to sweep.) Two names that share a slot share its tokens: with a table of this
//! size that is rare, and nobody can choose whom to share with. Accounts have slots of their own: they exist, so they
//! can be counted.
//!
//! Where several services stand before one database, what each lets in is drawn from a row that all of them share
//! ([`crate::shares`]).

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use compere_store::Store;

use crate::Refusal;
use crate::shares::{Draw, SLOTS, Shares, slot};

/// Wrong secrets a minute for one name from one address.
const WRONG: u32 = 10;

/// The address that counts for limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address(pub IpAddr);

impl Address {
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

/// What an account may still ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Requests a minute.
    pub limit: u32,
    /// Requests that are left now.
    pub left: u32,
    /// Until all of them are there again, if nothing more is asked for.
    pub seconds: u64,
}

/// Tokens that were taken, fading since a moment.
#[derive(Clone, Copy, Debug)]
struct Slot {
    taken: f32,
    /// Since the table was made.
    at: Duration,
}

const EMPTY: Slot = Slot { taken: 0.0, at: Duration::ZERO };

impl Slot {
    /// Takes tokens and says how many are taken now, or after how many seconds there will be one.
    fn take(&mut self, per_minute: u32, now: Duration) -> Result<f32, u64> {
        let (full, rate) = (per_minute.max(1) as f32, per_minute.max(1) as f32 / 60.0);
        let taken = (self.taken - now.saturating_sub(self.at).as_secs_f32() * rate).max(0.0);
        if taken > full - 1.0 {
            return Err(((taken - full + 1.0) / rate).ceil().max(1.0) as u64);
        }
        *self = Self { taken: taken + 1.0, at: now };
        Ok(self.taken)
    }
}

/// Limits of requests, each kind on its own.
pub struct Limits {
    began: Instant,
    seed: [u8; 32],
    strangers: Mutex<Vec<Slot>>,
    accounts: Mutex<HashMap<String, Slot>>,
    /// Token requests and sign-ins a minute for one address.
    per_minute: u32,
    /// None where this service is alone.
    shares: Option<Shares>,
}

impl std::fmt::Debug for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits").field("per_minute", &self.per_minute).finish_non_exhaustive()
    }
}

impl Limits {
    pub fn new(per_minute: u32) -> Self {
        Self {
            began: Instant::now(),
            seed: compere_store::random_bytes(),
            strangers: Mutex::new(vec![EMPTY; SLOTS]),
            accounts: Mutex::default(),
            per_minute,
            shares: None,
        }
    }

    /// The same for one of several services.
    pub fn of_many(per_minute: u32, store: Store) -> Self {
        Self { shares: Some(Shares::new(store)), ..Self::new(per_minute) }
    }

    /// A request of an account, of which its plan allows so many a minute.
    pub async fn request(&self, account: &str, per_minute: u32) -> Result<Allowance, Refusal> {
        let drawn = match &self.shares {
            Some(shares) => shares.account(account, per_minute).await,
            None => None,
        };
        match drawn {
            Some(Draw::In { left }) => {
                let (limit, taken) = (per_minute.max(1), per_minute.max(1).saturating_sub(left));
                Ok(Allowance { limit, left, seconds: (u64::from(taken) * 60).div_ceil(u64::from(limit)) })
            }
            Some(Draw::Out { seconds }) => Err(Refusal::TooOften { seconds, what: "of this account" }),
            None => self.request_here(account, per_minute),
        }
    }

    fn request_here(&self, account: &str, per_minute: u32) -> Result<Allowance, Refusal> {
        let now = self.began.elapsed();
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = accounts.entry(account.to_owned()).or_insert(EMPTY);
        let taken = slot.take(per_minute, now);
        let taken = taken.map_err(|seconds| Refusal::TooOften { seconds, what: "of this account" })?;
        let limit = per_minute.max(1);
        Ok(Allowance {
            limit,
            left: (limit as f32 - taken).max(0.0) as u32,
            seconds: (taken * 60.0 / limit as f32).ceil() as u64,
        })
    }

    /// A try to come in from an address, right or wrong: judged before anything is looked up.
    pub async fn knock(&self, address: Address, what: &'static str) -> Result<(), Refusal> {
        self.stranger(&["knock", what, &address.name()], self.per_minute, what).await
    }

    /// A token for the right pair, from an address that knocks too often.
    pub async fn token(&self, account: &str) -> Result<(), Refusal> {
        self.request(&format!("tokens of {account}"), self.per_minute).await.map(drop)
    }

    /// A token that nobody knows. Each costs a look into the records; right ones are never slowed down by them.
    pub async fn wrong_token(&self, address: Address) -> Result<(), Refusal> {
        self.stranger(&["token", &address.name()], self.per_minute.saturating_mul(10), "with wrong tokens").await
    }

    /// A wrong secret for a name. Only who guesses waits: the same name from elsewhere, and the right secret from
    /// anywhere, come in.
    pub async fn wrong_secret(&self, address: Address, name: &str, what: &'static str) -> Result<(), Refusal> {
        self.stranger(&["secret", &address.name(), name], WRONG, what).await
    }

    /// The right secret: whoever has it did not guess.
    pub async fn right_secret(&self, address: Address, name: &str) {
        let parts = ["secret", &address.name(), name];
        if let Some(shares) = &self.shares {
            shares.forget(&parts).await;
        }
        let at = slot(&self.seed, &parts);
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)[at] = EMPTY;
    }

    async fn stranger(&self, parts: &[&str], per_minute: u32, what: &'static str) -> Result<(), Refusal> {
        let drawn = match &self.shares {
            Some(shares) => shares.stranger(parts, per_minute).await,
            None => None,
        };
        match drawn {
            Some(Draw::In { .. }) => Ok(()),
            Some(Draw::Out { seconds }) => Err(Refusal::TooOften { seconds, what }),
            None => self.stranger_here(parts, per_minute, what),
        }
    }

    fn stranger_here(&self, parts: &[&str], per_minute: u32, what: &'static str) -> Result<(), Refusal> {
        let (at, now) = (slot(&self.seed, parts), self.began.elapsed());
        let mut slots = self.strangers.lock().unwrap_or_else(PoisonError::into_inner);
        slots[at].take(per_minute, now).map(drop).map_err(|seconds| Refusal::TooOften { seconds, what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> Address {
        Address(IpAddr::from([203, 0, 113, last]))
    }

    #[test]
    fn a_slot_empties_and_fills_again() {
        let (mut slot, now) = (EMPTY, Duration::from_secs(5));
        for _ in 0..60 {
            assert!(slot.take(60, now).is_ok());
        }
        assert_eq!(slot.take(60, now), Err(1));
        assert!(slot.take(60, now + Duration::from_secs(2)).is_ok());
    }

    #[tokio::test]
    async fn strangers_with_names_of_any_length_take_no_memory() {
        let limits = Limits::new(60);
        let name = "x".repeat(2_000_000);
        for number in 0..200 {
            let _ = limits.wrong_secret(address(7), &format!("{number}{name}"), "for this name").await;
        }
        assert_eq!(limits.strangers.lock().expect("a lock").len(), SLOTS);
        assert_eq!(limits.strangers.lock().expect("a lock").capacity(), SLOTS);
        assert!(limits.accounts.lock().expect("a lock").is_empty());
    }

    #[tokio::test]
    async fn guessing_locks_out_the_guesser_only() {
        let limits = Limits::new(1000);
        let guess = async |from| limits.wrong_secret(from, "ada@example.com", "for this name").await;
        for _ in 0..WRONG {
            assert_eq!(guess(address(1)).await, Ok(()));
        }
        assert!(matches!(guess(address(1)).await, Err(Refusal::TooOften { .. })));
        assert_eq!(guess(address(2)).await, Ok(()), "from elsewhere");
        limits.right_secret(address(1), "ada@example.com").await;
        assert_eq!(guess(address(1)).await, Ok(()), "after the right one");
    }

    /// Two services on one database, as each opens it.
    async fn two_services(dir: &std::path::Path) -> [Limits; 2] {
        let url = format!("sqlite:{}", dir.join("compere.db").display());
        let mut opened = Vec::new();
        for _ in 0..2 {
            let clock = std::sync::Arc::new(compere_store::TestClock::at(1_767_268_800_000));
            let store = Store::open(&url, compere_store::Plan::built_in(), clock).await.expect("opens");
            opened.push(Limits::of_many(60, store));
        }
        opened.try_into().expect("two")
    }

    #[tokio::test]
    async fn two_services_let_in_together_what_one_would() {
        let dir = tempfile::tempdir().expect("a folder");
        let services = two_services(dir.path()).await;
        for limit in [1, 7, 120] {
            let (account, mut let_in) = (format!("ada with {limit}"), 0);
            for number in 0..3 * limit {
                let_in += u32::from(services[number as usize % 2].request(&account, limit).await.is_ok());
            }
            assert_eq!(let_in, limit, "turn about");
        }
        // Whoever keeps to one of them has all of it there.
        let mut left = Vec::new();
        for _ in 0..30 {
            left.push(services[0].request("ben", 30).await.expect("comes in").left);
        }
        assert_eq!(left, (0..30).rev().collect::<Vec<_>>(), "and is told what is left");
        for service in &services {
            assert!(matches!(service.request("ben", 30).await, Err(Refusal::TooOften { seconds: 1..=3, .. })));
        }
    }

    #[tokio::test]
    async fn guesses_count_wherever_they_are_made() {
        let dir = tempfile::tempdir().expect("a folder");
        let services = two_services(dir.path()).await;
        let mut wrong = 0;
        for number in 0..4 * WRONG {
            let service = &services[number as usize % 2];
            wrong += u32::from(service.wrong_secret(address(1), "ada@example.com", "for this name").await.is_ok());
        }
        assert_eq!(wrong, WRONG);
        services[0].right_secret(address(1), "ada@example.com").await;
        assert_eq!(services[0].wrong_secret(address(1), "ada@example.com", "for this name").await, Ok(()));
        for knock in 0..60 {
            assert_eq!(services[knock % 2].knock(address(1), "to sign in").await, Ok(()), "knock {knock}");
        }
        for service in &services {
            assert!(matches!(service.knock(address(1), "to sign in").await, Err(Refusal::TooOften { .. })));
            assert_eq!(service.knock(address(2), "to sign in").await, Ok(()));
        }
    }

    #[tokio::test]
    async fn without_records_each_counts_for_itself() {
        let dir = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite:{}", dir.path().join("compere.db").display());
        let clock = std::sync::Arc::new(compere_store::SystemClock);
        let store = Store::open(&url, compere_store::Plan::built_in(), clock).await.expect("opens");
        let limits = Limits::of_many(60, store.clone());
        store.close().await;
        for _ in 0..5 {
            assert!(limits.request("ada", 5).await.is_ok());
        }
        assert!(matches!(limits.request("ada", 5).await, Err(Refusal::TooOften { .. })));
        assert_eq!(limits.knock(address(1), "to sign in").await, Ok(()));
    }

    #[test]
    fn an_address_is_its_network() {
        let name = |text: &str| Address(text.parse().expect("an address")).name();
        assert_eq!(name("2001:db8:1:2::1"), name("2001:db8:1:2:ffff::9"));
        assert_eq!(name("::ffff:10.0.0.1"), "10.0.0.1");
    }
}
