use compere_store::{Ended, NewDelivery, Try};

use crate::Fresh;

async fn failed_export_with_hook(fresh: &Fresh) -> String {
    let ada = fresh.account("ada@example.com", "api").await;
    fresh.ask(&ada, "News", 1).await.expect("accepted");
    let export = fresh.claim().await.expect("one waits");
    let news = NewDelivery {
        account: ada.id.clone(),
        export: export.id.clone(),
        event: "export.failed".to_owned(),
        url: "https://example.com/hook?state=failed".to_owned(),
        method: "POST".to_owned(),
        body: "{}".to_owned(),
    };
    let ended = Ended::Failed { code: 5010, message: "no".to_owned() };
    let holder = (export.id.as_str(), export.fence);
    assert!(fresh.store.end_export(holder, &ended, Some(news.clone())).await.expect("ends"));
    assert!(!fresh.store.end_export(holder, &ended, Some(news)).await.expect("ends"), "one end, one delivery");
    export.id
}

fn tried(status: Option<i64>) -> Try {
    Try {
        number: 0,
        at: 1,
        millis: 5,
        method: "POST".to_owned(),
        status,
        error: status.is_none().then(|| "refused".to_owned()),
    }
}

pub async fn a_webhook_is_stored_with_the_end_and_tried_until_it_is_over(fresh: Fresh) {
    let export = failed_export_with_hook(&fresh).await;
    let store = &fresh.store;
    let due = store.due_deliveries(10, 1000).await.expect("asks");
    assert_eq!(due.len(), 1);
    let id = &due[0].id;
    store.record_try(id, &tried(None), "pending", store.now() + 5000).await.expect("records");
    assert!(store.due_deliveries(10, 1000).await.expect("asks").is_empty(), "not yet");
    fresh.clock.advance(5000);
    let again = store.due_deliveries(10, 1000).await.expect("asks");
    assert_eq!((again[0].id.as_str(), again[0].tries), (id.as_str(), 1), "the same id on every try");
    store.record_try(id, &tried(Some(200)), "delivered", 0).await.expect("records");
    fresh.clock.advance(3_600_000);
    assert!(store.due_deliveries(10, 1000).await.expect("asks").is_empty());
    let (delivery, tries) = &store.deliveries_of(&export).await.expect("lists")[0];
    assert_eq!((delivery.state.as_str(), delivery.tries, delivery.finished_at.is_some()), ("delivered", 2, true));
    assert_eq!(tries.iter().map(|t| (t.number, t.status)).collect::<Vec<_>>(), [(1, None), (2, Some(200))]);
    assert_eq!(tries[0].error.as_deref(), Some("refused"));
    assert_eq!(store.prune_deliveries(1).await.expect("prunes"), 0);
    assert!(!store.replay_delivery("eve", id).await.expect("stores"));
    assert!(store.replay_delivery(&delivery.account, id).await.expect("stores"));
    assert_eq!(store.due_deliveries(10, 1000).await.expect("asks").len(), 1);
    assert_eq!(store.delivery_counts().await.expect("counts"), [("pending".to_owned(), 1)]);
    store.record_try(id, &tried(Some(200)), "delivered", 0).await.expect("records");
    assert_eq!(store.prune_deliveries(store.now() + 1).await.expect("prunes"), 1);
    assert!(store.deliveries_of(&export).await.expect("lists").is_empty());
}

pub async fn leases_keep_two_carriers_apart(fresh: Fresh) {
    failed_export_with_hook(&fresh).await;
    let store = &fresh.store;
    let mine = store.due_deliveries(10, 1000).await.expect("asks");
    assert!(store.due_deliveries(10, 1000).await.expect("asks").is_empty());
    fresh.clock.advance(1000);
    assert_eq!(store.due_deliveries(10, 1000).await.expect("asks").len(), 1, "the first carrier is dead");
    store.return_delivery(&mine[0].id, store.now() + 10).await.expect("returns");
    assert!(store.due_deliveries(10, 1000).await.expect("asks").is_empty());
    fresh.clock.advance(10);
    assert_eq!(store.due_deliveries(10, 1000).await.expect("asks").len(), 1);
}
