//! Long work of the service's own process, behind whoever only looks.

use tokio::sync::oneshot;

use crate::Refusal;

/// How willingly documents let others go first: as films do.
const YIELDING: i32 = 5;

/// Does `work` on a thread that lets others go first. Threads and children that it starts do as well, so it is no thread
/// that is used again: who has stepped back once cannot step forward.
pub(crate) async fn behind<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    let (done, answer) = oneshot::channel();
    let thread = std::thread::Builder::new().name("document".to_owned());
    let started = thread.spawn(move || {
        // Of this thread alone, and never forward. Forbidden in some containers, and only a courtesy.
        let own = rustix::process::getpriority_process(None).unwrap_or_default();
        let _ = rustix::process::setpriority_process(None, own.max(YIELDING));
        // Nobody waits for it any more where this fails.
        let _ = done.send(work());
    });
    started.map_err(Refusal::inside)?;
    answer.await.map_err(|_| Refusal::inside("a thread that read a document panicked"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn niceness() -> i32 {
        rustix::process::getpriority_process(None).unwrap_or_default()
    }

    #[tokio::test]
    async fn work_and_its_threads_are_behind_and_nobody_else_is() {
        let before = niceness();
        let inside = behind(|| (niceness(), std::thread::spawn(niceness).join().unwrap_or_default())).await;
        let expected = before.max(YIELDING);
        assert_eq!(inside.ok(), Some((expected, expected)));
        let others = tokio::task::spawn_blocking(niceness).await;
        assert_eq!((niceness(), others.ok()), (before, Some(before)));
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error() {
        assert!(behind(|| assert!(niceness() > 100)).await.is_err());
    }
}
