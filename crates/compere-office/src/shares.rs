//! Limits that several services share: each draws a twentieth of a minute's requests at a time from a row in the database
//! and lets them in by itself. So together they let in no more than the limit, and few requests ask the database.
//!
//! What was drawn and not asked for is forgotten after some seconds; the row fills again by itself. While the database is
//! away, each service counts for itself.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use compere_store::{Drawn, Store, hex, random_bytes};
use tokio::sync::OnceCell;

/// Slots for strangers: 2 MB of memory, or as many rows.
pub(crate) const SLOTS: usize = 1 << 17;
/// The part of a minute's requests that is drawn at once.
const PART: u32 = 20;
/// Of these at most.
const MOST: u32 = 50;
/// How long what was drawn may be let in.
const GOOD: Duration = Duration::from_secs(10);
/// How long nobody asks again after there was nothing.
const EMPTY: Duration = Duration::from_millis(500);
/// Drawn ones in memory, above which those that are over are forgotten.
const KEPT: usize = 4096;
/// The setting that all services hash strangers with.
const SEED: &str = "limits_seed";

/// What a service may do with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Draw {
    In { left: u32 },
    Out { seconds: u64 },
}

/// Requests that may be let in here.
#[derive(Clone, Copy, Debug)]
struct Hand {
    here: u32,
    /// In the row, when it was last seen.
    there: u32,
    until: Instant,
    /// Nothing was there: when to ask again, and when there will be one.
    empty: Option<(Instant, Instant)>,
}

#[derive(Debug)]
pub(crate) struct Shares {
    store: Store,
    hands: Mutex<HashMap<String, Hand>>,
    seed: OnceCell<[u8; 32]>,
}

impl Shares {
    pub(crate) fn new(store: Store) -> Self {
        Self { store, hands: Mutex::default(), seed: OnceCell::new() }
    }

    /// Nothing where the database is away.
    pub(crate) async fn account(&self, account: &str, per_minute: u32) -> Option<Draw> {
        self.take(format!("account {account}"), per_minute).await
    }

    pub(crate) async fn stranger(&self, parts: &[&str], per_minute: u32) -> Option<Draw> {
        self.take(self.row_of(parts).await?, per_minute).await
    }

    /// Nothing was taken.
    pub(crate) async fn forget(&self, parts: &[&str]) {
        let Some(row) = self.row_of(parts).await else { return };
        self.lock().remove(&row);
        // Where it cannot be done, it fades.
        let _ = self.store.refill(&row).await;
    }

    /// Strangers cannot choose whom to share a row with, nor fill the table.
    async fn row_of(&self, parts: &[&str]) -> Option<String> {
        let seed = self.seed.get_or_try_init(|| async {
            let chosen = self.store.setting_or(SEED, &hex(&random_bytes::<32>())).await?;
            Ok::<_, compere_store::StoreError>(*blake3::hash(chosen.as_bytes()).as_bytes())
        });
        Some(format!("stranger {}", slot(seed.await.ok()?, parts)))
    }

    async fn take(&self, row: String, per_minute: u32) -> Option<Draw> {
        if let Some(draw) = self.take_here(&row) {
            return Some(draw);
        }
        let drawn = self.store.draw(&row, per_minute, (per_minute / PART).clamp(1, MOST)).await;
        let drawn = drawn.inspect_err(|error| tracing::warn!(%error, "limits count for this service alone"));
        Some(self.drawn(row, drawn.ok()?))
    }

    fn take_here(&self, row: &str) -> Option<Draw> {
        let (now, mut hands) = (Instant::now(), self.lock());
        let hand = hands.get_mut(row)?;
        if let Some((_, filled)) = hand.empty.filter(|(again, _)| *again > now) {
            return Some(Draw::Out { seconds: seconds(filled.saturating_duration_since(now)) });
        }
        if hand.here == 0 || hand.until < now {
            return None;
        }
        hand.here -= 1;
        Some(Draw::In { left: hand.here + hand.there })
    }

    fn drawn(&self, row: String, drawn: Drawn) -> Draw {
        let (now, mut hands) = (Instant::now(), self.lock());
        if hands.len() > KEPT {
            hands.retain(|_, hand| hand.until > now);
        }
        let hand = hands.entry(row).or_insert(Hand { here: 0, there: 0, until: now, empty: None });
        if hand.until < now {
            hand.here = 0;
        }
        (hand.there, hand.until) = (drawn.left, now + GOOD);
        if drawn.granted == 0 && hand.here == 0 {
            let wait = Duration::from_millis(drawn.wait);
            hand.empty = Some((now + wait.min(EMPTY), now + wait));
            return Draw::Out { seconds: seconds(wait) };
        }
        hand.here += drawn.granted;
        hand.here -= 1;
        Draw::In { left: hand.here + hand.there }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Hand>> {
        self.hands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn seconds(wait: Duration) -> u64 {
    wait.as_secs_f64().ceil().max(1.0) as u64
}

/// Where what strangers are called is counted.
pub(crate) fn slot(seed: &[u8; 32], parts: &[&str]) -> usize {
    let mut hasher = blake3::Hasher::new_keyed(seed);
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
    u32::from_le_bytes([a, b, c, d]) as usize % SLOTS
}
