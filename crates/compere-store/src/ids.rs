//! Ids that sort by time and cannot be guessed from each other's: 24 hexadecimal digits, as clients know them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::secrets::{hex, random_bytes};

/// Four bytes of time, five that belong to this process, three that count.
pub fn new_id(now: i64) -> String {
    static PROCESS: OnceLock<[u8; 5]> = OnceLock::new();
    static COUNT: OnceLock<AtomicU32> = OnceLock::new();
    let process = PROCESS.get_or_init(random_bytes);
    let count = COUNT.get_or_init(|| AtomicU32::new(u32::from_be_bytes(random_bytes())));
    let mut id = [0; 12];
    id[..4].copy_from_slice(&((now / 1000) as u32).to_be_bytes());
    id[4..9].copy_from_slice(process);
    id[9..].copy_from_slice(&count.fetch_add(1, Ordering::Relaxed).to_be_bytes()[1..]);
    hex(&id)
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_differ_and_sort_by_time() {
        let ids: Vec<String> = (0..1000).map(|_| super::new_id(1_700_000_000_000)).collect();
        assert!(ids.iter().all(|id| id.len() == 24 && id.starts_with("6553f100")));
        assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), 1000);
        assert!(super::new_id(1_700_000_001_000) > ids[0]);
    }
}
