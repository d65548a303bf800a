//! How often passwords may be tried, per address and per account.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Tries of each name within the running minute.
#[derive(Debug, Default)]
pub struct Throttle {
    tries: Mutex<HashMap<String, (i64, u32)>>,
}

const MINUTE: i64 = 60_000;
/// Then those whose minute is over are forgotten.
const MANY: usize = 10_000;

impl Throttle {
    /// Counts a try and says whether it may be made.
    pub fn admits(&self, name: &str, most: u32, now: i64) -> bool {
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        if tries.len() > MANY {
            tries.retain(|_, (since, _)| now - *since < MINUTE);
        }
        let (since, count) = tries.entry(name.to_owned()).or_insert((now, 0));
        if now - *since >= MINUTE {
            (*since, *count) = (now, 0);
        }
        *count += 1;
        *count <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_so_many_tries_one_waits_a_minute() {
        let throttle = Throttle::default();
        assert!((0..3).all(|_| throttle.admits("ada", 3, 0)));
        assert!(!throttle.admits("ada", 3, 59_999));
        assert!(throttle.admits("bob", 3, 0), "others are not concerned");
        assert!(throttle.admits("ada", 3, 60_000));
    }
}
