use compere_store::{
    Announcement, DeliveryState, Ended, EndpointChoice, Export, HookMethod, News, Occasion, Page, Try,
};

use crate::Fresh;

async fn failed_export_with_hook(fresh: &Fresh) -> String {
    let ada = fresh.account("ada@example.com", "api").await;
    fresh.ask(&ada, "News", 1).await.expect("accepted");
    let export = fresh.claim().await.expect("one waits");
    let wording = |export: &Export, ended: &Ended| {
        assert!(matches!(ended, Ended::Failed { .. }));
        assert!(export.webhook.is_some());
        let own = Some(("https://example.com/hook?state=failed".to_owned(), HookMethod::Post));
        Some(Announcement { event: Occasion::Failed, own, body: "{}".to_owned() })
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

fn choice(events: &[Occasion]) -> EndpointChoice {
    let url = "https://example.com/all".to_owned();
    EndpointChoice { url, name: "All of it".to_owned(), events: events.to_vec(), enabled: true }
}

pub async fn endpoints_hear_what_they_chose(fresh: Fresh) {
    let store = &fresh.store;
    let ada = fresh.account("ada@example.com", "api").await;
    let create = async |events: &[Occasion]| store.create_endpoint(&ada.id, &choice(events), 2).await.expect("creates");
    let all = create(&Occasion::CHOICE).await.expect("room");
    let failures = create(&[Occasion::Failed]).await.expect("room");
    assert_eq!(create(&[]).await, None, "two are enough");
    assert_eq!(store.endpoints(&ada.id).await.expect("lists"), [all.clone(), failures.clone()]);
    assert_ne!(all.secret, failures.secret);

    fresh.ask(&ada, "Heard of", 1).await.expect("accepted");
    let export = fresh.claim().await.expect("one waits");
    let worded =
        |_: &Export, _: &Ended| Some(Announcement { event: Occasion::Failed, own: None, body: "{}".to_owned() });
    let failed = News::Failed { message: "no".to_owned() };
    store.tell_export((&export.id, export.fence), failed, 1000, &worded).await.expect("tells");
    fresh.ask(&ada, "Not wanted", 1).await.expect("accepted");
    let waiting = store.projects(&ada.id, &Default::default()).await.expect("lists").0[0].export.clone().expect("one");
    assert!(store.cancel_export(&waiting.id).await.expect("cancels"));
    store.announce(&ada.id, Occasion::Imported, "{}").await.expect("tells");
    let heard = async |endpoint: &str| {
        let sent = store.deliveries_to(endpoint, &Page::newest(10)).await.expect("lists");
        let mut events: Vec<_> = sent.iter().map(|(delivery, _)| delivery.event.as_str()).collect();
        events.sort_unstable();
        events.join(" ")
    };
    assert_eq!(heard(&all.id).await, "export.cancelled export.failed export.started import.completed");
    assert_eq!(heard(&failures.id).await, "export.failed");
    let (started, _) = &store.deliveries_of(&export.id).await.expect("lists")[0];
    assert_eq!((started.endpoint.as_deref(), started.event), (Some(all.id.as_str()), Occasion::Started));
    assert!(started.body.contains(&export.project) && started.body.contains("synthesizing"), "{}", started.body);

    // Asked for by itself, whatever was chosen.
    let ping = store.ping_endpoint(&failures, "{}").await.expect("stores");
    let (delivery, tries) = store.delivery(&ada.id, &ping).await.expect("reads").expect("is there");
    assert_eq!((delivery.event, delivery.state, tries.len()), (Occasion::Ping, DeliveryState::Pending, 0));
    assert!(store.delivery("eve", &ping).await.expect("reads").is_none());

    // What it was told is known by then; what it is told now it is not.
    assert!(!store.change_endpoint("eve", &all.id, &choice(&[])).await.expect("changes"));
    assert!(store.change_endpoint(&ada.id, &all.id, &choice(&[Occasion::Imported])).await.expect("changes"));
    store.disable_endpoint(&all.id).await.expect("changes");
    store.announce(&ada.id, Occasion::Imported, "{}").await.expect("tells");
    assert_eq!(store.deliveries_to(&all.id, &Page::newest(10)).await.expect("lists").len(), 4);
    assert!(store.rotate_endpoint_secret(&ada.id, &all.id).await.expect("rotates"));
    let rotated = store.endpoint(&all.id).await.expect("reads").expect("is there");
    assert_eq!(rotated.secret_old.as_ref().map(|(secret, _)| secret), Some(&all.secret));
    assert!(rotated.secret != all.secret && !rotated.enabled);
    assert!(!store.delete_endpoint("eve", &failures.id).await.expect("deletes"));
    assert!(store.delete_endpoint(&ada.id, &failures.id).await.expect("deletes"));
    let (gone, _) = store.delivery(&ada.id, &ping).await.expect("reads").expect("is there");
    assert_eq!(gone.state, DeliveryState::Gone);
}
