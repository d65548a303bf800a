//! How often whom is let in: one limiter for every door.
//!
//! What strangers name costs nothing to remember. Names are hashed with a seed of this process into a table of a fixed
//! size, so neither their length nor their number takes memory, and what lies there fades by itself. (`governor` keeps
//! an entry for each name until it is told to sweep.) Two names that share a slot share its tokens: with a table of this
//! size that is rare, and nobody can choose whom to share with. Accounts have slots of their own: they exist, so they
//! can be counted.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Refusal;

/// Slots for strangers: 2 MB.
const SLOTS: usize = 1 << 17;
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
    fn take(&mut self, per_minute: u32, cost: f32, now: Duration) -> Result<f32, u64> {
        let (full, rate) = (per_minute.max(1) as f32, per_minute.max(1) as f32 / 60.0);
        let taken = (self.taken - now.saturating_sub(self.at).as_secs_f32() * rate).max(0.0);
        if taken > full - 1.0 {
            return Err(((taken - full + 1.0) / rate).ceil().max(1.0) as u64);
        }
        *self = Self { taken: taken + cost, at: now };
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
        }
    }

    /// A request of an account, of which its plan allows so many a minute.
    pub fn request(&self, account: &str, per_minute: u32) -> Result<Allowance, Refusal> {
        let now = self.began.elapsed();
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = accounts.entry(account.to_owned()).or_insert(EMPTY);
        let taken = slot.take(per_minute, 1.0, now);
        let taken = taken.map_err(|seconds| Refusal::TooOften { seconds, what: "of this account" })?;
        let limit = per_minute.max(1);
        Ok(Allowance {
            limit,
            left: (limit as f32 - taken).max(0.0) as u32,
            seconds: (taken * 60.0 / limit as f32).ceil() as u64,
        })
    }

    /// A try to come in from an address, right or wrong: judged before anything is looked up.
    pub fn knock(&self, address: Address, what: &'static str) -> Result<(), Refusal> {
        self.stranger(&["knock", what, &address.name()], self.per_minute, 1.0, what)
    }

    /// A token for the right pair, from an address that knocks too often.
    pub fn token(&self, account: &str) -> Result<(), Refusal> {
        self.request(&format!("tokens of {account}"), self.per_minute).map(drop)
    }

    /// A token that nobody knows. Each costs a look into the records; right ones are never slowed down by them.
    pub fn wrong_token(&self, address: Address) -> Result<(), Refusal> {
        self.stranger(&["token", &address.name()], self.per_minute.saturating_mul(10), 1.0, "with wrong tokens")
    }

    /// A wrong secret for a name. Only who guesses waits: the same name from elsewhere, and the right secret from
    /// anywhere, come in.
    pub fn wrong_secret(&self, address: Address, name: &str, what: &'static str) -> Result<(), Refusal> {
        self.stranger(&["secret", &address.name(), name], WRONG, 1.0, what)
    }

    /// The right secret: whoever has it did not guess.
    pub fn right_secret(&self, address: Address, name: &str) {
        let at = self.slot(&["secret", &address.name(), name]);
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)[at] = EMPTY;
    }

    fn stranger(&self, parts: &[&str], per_minute: u32, cost: f32, what: &'static str) -> Result<(), Refusal> {
        let (at, now) = (self.slot(parts), self.began.elapsed());
        let mut slots = self.strangers.lock().unwrap_or_else(PoisonError::into_inner);
        slots[at].take(per_minute, cost, now).map(drop).map_err(|seconds| Refusal::TooOften { seconds, what })
    }

    fn slot(&self, parts: &[&str]) -> usize {
        let mut hasher = blake3::Hasher::new_keyed(&self.seed);
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
        u32::from_le_bytes([a, b, c, d]) as usize % SLOTS
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
            assert!(slot.take(60, 1.0, now).is_ok());
        }
        assert_eq!(slot.take(60, 1.0, now), Err(1));
        assert!(slot.take(60, 1.0, now + Duration::from_secs(2)).is_ok());
    }

    #[test]
    fn strangers_with_names_of_any_length_take_no_memory() {
        let limits = Limits::new(60);
        let name = "x".repeat(2_000_000);
        for number in 0..200 {
            let _ = limits.wrong_secret(address(7), &format!("{number}{name}"), "for this name");
        }
        assert_eq!(limits.strangers.lock().expect("a lock").len(), SLOTS);
        assert_eq!(limits.strangers.lock().expect("a lock").capacity(), SLOTS);
        assert!(limits.accounts.lock().expect("a lock").is_empty());
    }

    #[test]
    fn guessing_locks_out_the_guesser_only() {
        let limits = Limits::new(1000);
        let guess = |from| limits.wrong_secret(from, "ada@example.com", "for this name");
        assert!((0..WRONG).all(|_| guess(address(1)).is_ok()));
        assert!(matches!(guess(address(1)), Err(Refusal::TooOften { .. })));
        assert_eq!(guess(address(2)), Ok(()), "from elsewhere");
        limits.right_secret(address(1), "ada@example.com");
        assert_eq!(guess(address(1)), Ok(()), "after the right one");
    }

    #[test]
    fn an_address_is_its_network() {
        let name = |text: &str| Address(text.parse().expect("an address")).name();
        assert_eq!(name("2001:db8:1:2::1"), name("2001:db8:1:2:ffff::9"));
        assert_eq!(name("::ffff:10.0.0.1"), "10.0.0.1");
    }
}
