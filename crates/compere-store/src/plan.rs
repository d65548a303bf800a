//! What an account may do.

use compere_media::Megabytes;
use serde::{Deserialize, Serialize};

/// Seconds that a film of a test key may last.
const TEST_FILM: f64 = 60.0;
/// Exports of an account that may wait where a test key orders another.
const TEST_QUEUE: u32 = 10;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plan {
    pub name: String,
    /// Whether key pairs of the account are let in.
    pub api: bool,
    /// Credits per calendar month (UTC); none means unmetered.
    pub monthly_credits: Option<i64>,
    pub requests_per_minute: u32,
    /// Exports that run at once.
    pub parallel_exports: u32,
    /// Exports that wait.
    pub queued_exports: u32,
    /// Longest film, in seconds.
    pub longest_film: f64,
    /// For uploads, decks and films; none means that nobody counts.
    pub storage: Option<Megabytes>,
}

impl Default for Plan {
    fn default() -> Self {
        Self::unlimited()
    }
}

impl Plan {
    pub fn free() -> Self {
        Self {
            name: "free".to_owned(),
            api: false,
            monthly_credits: Some(60),
            requests_per_minute: 120,
            parallel_exports: 1,
            queued_exports: 20,
            longest_film: 600.0,
            storage: Some(Megabytes(2_000)),
        }
    }

    pub fn api() -> Self {
        Self {
            name: "api".to_owned(),
            api: true,
            monthly_credits: Some(6_000),
            requests_per_minute: 600,
            parallel_exports: 4,
            queued_exports: 1_000,
            longest_film: 3_600.0,
            storage: Some(Megabytes(50_000)),
        }
    }

    pub fn unlimited() -> Self {
        Self { name: "unlimited".to_owned(), monthly_credits: None, storage: None, ..Self::api() }
    }

    /// The longest film of a test key, in seconds, where others may have `longest`.
    pub fn testing(longest: f64) -> f64 {
        longest.min(TEST_FILM)
    }

    /// The same plan for a test key: nothing is counted, and little may be had.
    #[must_use]
    pub fn for_tests(self) -> Self {
        Self {
            monthly_credits: None,
            longest_film: Self::testing(self.longest_film),
            queued_exports: self.queued_exports.min(TEST_QUEUE),
            ..self
        }
    }

    pub fn built_in() -> Vec<Self> {
        vec![Self::free(), Self::api(), Self::unlimited()]
    }
}
