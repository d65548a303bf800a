//! Projects that are prepared before a film is asked for.

use compere_store::Clock;

use crate::Fresh;

pub async fn what_was_saved_last_is_prepared_once_and_when_nothing_waits(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    fresh.ask(&ada, "first", 1).await.expect("accepted");
    let waiting = fresh.claim().await.expect("waits");
    let project = waiting.project.clone();
    let take = async || fresh.store.take_ahead().await.expect("asks").map(|project| project.id);
    let now = fresh.clock.now();
    fresh.store.note_ahead(&ada.id, "one that was deleted", now).await.expect("notes");
    fresh.store.note_ahead(&ada.id, &project, now + 4000).await.expect("notes");
    assert_eq!(take().await, None, "its author may go on writing");
    fresh.clock.advance(4000);
    let ben = fresh.account("ben@example.com", "tiny").await;
    fresh.ask(&ben, "second", 1).await.expect("accepted");
    assert_eq!(take().await, None, "a film waits");
    fresh.claim().await.expect("waits");
    assert_eq!(take().await, Some(project));
    assert_eq!(take().await, None, "it was taken");
    fresh.store.note_ahead(&ben.id, "one that was deleted", now).await.expect("notes");
    assert_eq!(take().await, None);
}
