use compere_store::{DeliveryState, Ended, Export, HookMethod, NewDelivery, News, Occasion, Try};

use crate::Fresh;

async fn failed_export_with_hook(fresh: &Fresh) -> String {
    let ada = fresh.account("ada@example.com", "api").await;
    fresh.ask(&ada, "News", 1).await.expect("accepted");
    let export = fresh.claim().await.expect("one waits");
    let wording = |export: &Export, ended: &Ended| {
        assert!(matches!(ended, Ended::Failed { .. }));
        Some(NewDelivery {
            account: export.account.clone(),
            export: export.id.clone(),
            event: Occasion::Failed,
            url: "https://example.com/hook?state=failed".to_owned(),
            method: HookMethod::Post,
            body: "{}".to_owned(),
        })
    };
    let holder = (export.id.as_str(), export.fence);
    for _ in 0..2 {
        let failed = News::Failed { message: "no".to_owned() };
        // One end, one delivery.
        fresh.store.tell_export(holder, failed, 1000, &wording).await.expect("tells");
    }
    export.id
}

fn tried(status: Option<i64>) -> Try {
    Try {
        number: 0,
        at: 1,
        millis: 5,
        method: HookMethod::Post,
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
    store.record_try(id, &tried(None), DeliveryState::Pending, store.now() + 5000).await.expect("records");
    assert!(store.due_deliveries(10, 1000).await.expect("asks").is_empty(), "not yet");
    fresh.clock.advance(5000);
    let again = store.due_deliveries(10, 1000).await.expect("asks");
    assert_eq!((again[0].id.as_str(), again[0].tries), (id.as_str(), 1), "the same id on every try");
    store.record_try(id, &tried(Some(200)), DeliveryState::Delivered, 0).await.expect("records");
    fresh.clock.advance(3_600_000);
    assert!(store.due_deliveries(10, 1000).await.expect("asks").is_empty());
    let (delivery, tries) = &store.deliveries_of(&export).await.expect("lists")[0];
    assert_eq!((delivery.state, delivery.tries, delivery.finished_at.is_some()), (DeliveryState::Delivered, 2, true));
    assert_eq!(tries.iter().map(|t| (t.number, t.status)).collect::<Vec<_>>(), [(1, None), (2, Some(200))]);
    assert_eq!(tries[0].error.as_deref(), Some("refused"));
    assert_eq!(store.prune_deliveries(1).await.expect("prunes"), 0);
    assert!(!store.replay_delivery("eve", id).await.expect("stores"));
    assert!(store.replay_delivery(&delivery.account, id).await.expect("stores"));
    assert_eq!(store.due_deliveries(10, 1000).await.expect("asks").len(), 1);
    assert_eq!(store.delivery_counts().await.expect("counts"), [(DeliveryState::Pending, 1)]);
    store.record_try(id, &tried(Some(200)), DeliveryState::Delivered, 0).await.expect("records");
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
