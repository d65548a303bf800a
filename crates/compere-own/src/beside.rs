//! Work for several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The same for each item, on several threads, answers in order.
#[expect(
    clippy::disallowed_methods,
    reason = "on as many threads as the caller says; they change how long it takes, never what comes out"
)]
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], threads: usize, each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(n) else { return };
                    let result = each(item);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((n, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, result)| result).collect()
}
