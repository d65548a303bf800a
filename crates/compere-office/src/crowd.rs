//! How many at once: streams that stay open, bodies that lie in memory, texts that are read.
//!
//! Each limit is held for an account as well as for everybody, so whoever takes all that is theirs leaves the others
//! what is theirs. Names are counted for as long as somebody holds something by them, and forgotten then.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use compere_house::settings::Megabytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Address, Refusal};

/// Streams of events open at once: of one session (browsers have six connections), one account, one address, everybody.
const OF_SESSION: usize = 8;
const OF_ACCOUNT: usize = 32;
const OF_ADDRESS: usize = 128;
const OF_ALL: usize = 1024;
/// Bodies of the largest size that an account may have in memory at once; of smaller ones accordingly more.
const BODIES: u64 = 4;
/// For room to become free.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many hold something by which name.
#[derive(Debug, Default)]
pub struct Seats(Mutex<HashMap<String, usize>>);

impl Seats {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A seat by each of the names, of which there are so many; or the first name that has none left.
    pub fn take<'n>(self: &Arc<Self>, names: &[(&'n str, usize)]) -> Result<Seat, &'n str> {
        let mut taken = self.lock();
        if let Some((name, _)) = names.iter().find(|(name, most)| taken.get(*name).is_some_and(|held| held >= most)) {
            return Err(name);
        }
        for (name, _) in names {
            *taken.entry((*name).to_owned()).or_default() += 1;
        }
        Ok(Seat { of: Arc::clone(self), names: names.iter().map(|(name, _)| (*name).to_owned()).collect() })
    }
}

/// Held until it is dropped.
#[derive(Debug)]
pub struct Seat {
    of: Arc<Seats>,
    names: Vec<String>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.of.lock();
        for name in &self.names {
            if let Some(held) = taken.get_mut(name) {
                *held -= 1;
                if *held == 0 {
                    taken.remove(name);
                }
            }
        }
    }
}

/// Room in memory. Held until it is dropped.
#[derive(Debug)]
pub struct Room(#[expect(dead_code, reason = "what counts is how long it lives")] OwnedSemaphorePermit);

/// Everybody who is here at once.
#[derive(Debug)]
pub struct Crowd {
    streams: Arc<Seats>,
    /// Of accounts, in kilobytes. Accounts exist, so they can be counted.
    rooms: Mutex<HashMap<String, Arc<Semaphore>>>,
    kilobytes: u32,
    readers: Arc<Semaphore>,
}

impl Crowd {
    pub(crate) fn new(body: Megabytes) -> Self {
        // Reading is work for processors; more at once would only take more memory.
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            streams: Arc::default(),
            rooms: Mutex::default(),
            kilobytes: u32::try_from(kilobytes(body.bytes()) * BODIES).unwrap_or(u32::MAX >> 4),
            readers: Arc::new(Semaphore::new(cores)),
        }
    }

    /// A place for a stream of events that stays open.
    pub fn stream(&self, address: Address, account: &str, session: Option<&str>) -> Result<Seat, Refusal> {
        let (account, address) = (format!("account {account}"), format!("address {}", address.name()));
        let session = session.map(|session| format!("session {session}"));
        let mut names = vec![("all", OF_ALL), (address.as_str(), OF_ADDRESS), (account.as_str(), OF_ACCOUNT)];
        names.extend(session.as_deref().map(|session| (session, OF_SESSION)));
        self.streams.take(&names).map_err(|full| {
            let (what, most) = match full.split(' ').next() {
                Some("all") => ("event streams of all accounts", OF_ALL),
                Some("address") => ("event streams of one address", OF_ADDRESS),
                Some("account") => ("event streams of one account", OF_ACCOUNT),
                _ => ("event streams of one session", OF_SESSION),
            };
            Refusal::Crowded { what, most, seconds: 30 }
        })
    }

    /// Room for a body of so many bytes. Waits for those of the same account that are there already.
    pub async fn room(&self, account: &str, bytes: u64) -> Result<Room, Refusal> {
        let rooms = {
            let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
            let fresh = || Arc::new(Semaphore::new(self.kilobytes as usize));
            Arc::clone(rooms.entry(account.to_owned()).or_insert_with(fresh))
        };
        let wanted = u32::try_from(kilobytes(bytes)).unwrap_or(u32::MAX).min(self.kilobytes);
        match tokio::time::timeout(PATIENCE, rooms.acquire_many_owned(wanted)).await {
            Ok(room) => room.map(Room).map_err(Refusal::inside),
            Err(_) => Err(Refusal::Crowded { what: "large bodies of one account", most: BODIES as usize, seconds: 5 }),
        }
    }

    /// A turn to read a text into memory, first come, first served: of each account only so many wait as have room.
    pub async fn reader(&self) -> Result<Room, Refusal> {
        Arc::clone(&self.readers).acquire_owned().await.map(Room).map_err(Refusal::inside)
    }
}

/// Begun ones; each request counts for one at least.
fn kilobytes(bytes: u64) -> u64 {
    bytes / 1000 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn address(last: u8) -> Address {
        Address(IpAddr::from([203, 0, 113, last]))
    }

    #[test]
    fn whoever_takes_all_of_theirs_leaves_the_others_what_is_theirs() {
        let crowd = Crowd::new(Megabytes(10));
        let session: Vec<_> =
            (0..OF_SESSION).map(|_| crowd.stream(address(1), "ada", Some("s1")).expect("a seat")).collect();
        let full = |told: Result<Seat, Refusal>, what| {
            assert!(matches!(told, Err(Refusal::Crowded { what: told, .. }) if told.contains(what)), "{what}");
        };
        full(crowd.stream(address(1), "ada", Some("s1")), "session");
        let more: Vec<_> =
            (OF_SESSION..OF_ACCOUNT).map(|_| crowd.stream(address(2), "ada", None).expect("a seat")).collect();
        full(crowd.stream(address(1), "ada", Some("s2")), "account");
        let bob = crowd.stream(address(1), "bob", Some("s3")).expect("somebody else has theirs");
        drop((session, more, bob));
        assert!(crowd.streams.lock().is_empty(), "nobody is remembered");
    }

    #[tokio::test]
    async fn large_bodies_of_one_account_wait_for_each_other() {
        let crowd = Crowd::new(Megabytes(10));
        let mut held = Vec::new();
        for _ in 0..BODIES {
            held.push(crowd.room("ada", 10_000_000).await.expect("room"));
        }
        let waits = tokio::time::timeout(Duration::from_millis(50), crowd.room("ada", 10_000_000)).await;
        assert!(waits.is_err(), "all the room is taken");
        assert!(crowd.room("bob", 10_000_000).await.is_ok(), "another account");
        held.pop();
        assert!(crowd.room("ada", 10_000_000).await.is_ok(), "one is done");
        for _ in 0..100 {
            held.push(crowd.room("cyd", 5_000).await.expect("small ones are many"));
        }
    }
}
