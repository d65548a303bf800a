use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use compere_store::{Delivery, DeliveryState, ExportState, HookMethod, Priority, Try};

use crate::stage::{Begin, Play, World};

async fn news(world: &World, export: &str) -> (Delivery, Vec<Try>) {
    let mut all = world.store.deliveries_of(export).await.expect("asks");
    assert!(all.len() <= 1, "one end, one webhook");
    let started = Instant::now();
    while all.is_empty() || all[0].1.is_empty() {
        assert!(started.elapsed() < Duration::from_secs(10), "no try was made");
        tokio::time::sleep(Duration::from_millis(10)).await;
        all = world.store.deliveries_of(export).await.expect("asks");
    }
    all.remove(0)
}

pub async fn every_answer_is_understood_and_written_down(begin: Begin) {
    let world = World::new(begin, 1).await;
    let engine = world.engine().await;
    let mut ids = Vec::new();
    for (host, method) in [
        ("good", HookMethod::Post),
        ("good", HookMethod::Get),
        ("s405", HookMethod::Post),
        ("s410", HookMethod::Post),
        ("s500", HookMethod::Post),
        ("s302", HookMethod::Post),
        ("refused", HookMethod::Post),
    ] {
        let url = format!("http://{host}/hook?mine=1");
        let name = format!("{host} {method}");
        ids.push(world.accept_for(&world.account, &name, Play::Make, Priority::Usual, Some((&url, method))).await);
    }
    engine.ring();
    for id in &ids {
        news(&world, id).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut told = Vec::new();
    for id in &ids {
        let (delivery, tries) = news(&world, id).await;
        let tries: Vec<String> =
            tries.iter().map(|tried| format!("{} {}", tried.method, tried.status.unwrap_or(0))).collect();
        told.push(format!("{} {}", delivery.state, tries.join(" ")));
    }
    assert_eq!(
        told,
        [
            "delivered POST 204",
            "delivered GET 204",
            "delivered POST 405 GET 204",
            "gone POST 410",
            "pending POST 500",
            "pending POST 302",
            "pending POST 0"
        ]
    );
    let (waits, tries) = news(&world, &ids[4]).await;
    let wait = waits.next_at - tries[0].at;
    assert!((3_900..7_000).contains(&wait), "about five seconds, not {wait}");
    let (_, refused) = news(&world, &ids[6]).await;
    assert!(refused[0].error.as_deref().is_some_and(|why| why.contains("private address")));
    // The second try carries the same id, and a signature of its own time.
    world.clock.jump(20_000);
    engine.ring();
    let started = Instant::now();
    while news(&world, &ids[4]).await.1.len() < 2 {
        assert!(started.elapsed() < Duration::from_secs(5));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    engine.stop().await;
    let got = world.receivers.got.lock().expect("got");
    let header = |name: &str| -> Vec<String> {
        let to_500 = got.iter().filter(|post| post.url.contains("s500"));
        to_500.map(|post| post.headers.iter().find(|(key, _)| key == name).expect("is there").1.clone()).collect()
    };
    let (ids, signatures) = (header("webhook-id"), header("webhook-signature"));
    assert!(ids[0] == ids[1] && ids[0].starts_with("msg_"));
    assert!(signatures[0] != signatures[1] && signatures[0].starts_with("v1,"));
    assert!(header("user-agent")[0].starts_with("Compere-Webhooks/"));
}

pub async fn a_dead_receiver_delays_nobody(begin: Begin) {
    let world = World::new(begin, 4).await;
    let engine = world.engine().await;
    for number in 0..30 {
        world
            .accept_for(
                &world.account,
                &format!("dead {number}"),
                Play::Make,
                Priority::Usual,
                Some(("http://dead/hook", HookMethod::Post)),
            )
            .await;
    }
    let good = world
        .accept_for(&world.account, "good", Play::Make, Priority::Usual, Some(("http://good/hook", HookMethod::Post)))
        .await;
    engine.ring();
    world.until(&good, ExportState::Exported, false).await;
    let started = Instant::now();
    let (delivery, _) = news(&world, &good).await;
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    assert_eq!(delivery.state, DeliveryState::Delivered);
    // The good one may be through before the second of the others has begun.
    while world.receivers.most_per_host.load(Ordering::SeqCst) < 2 && started.elapsed() < Duration::from_secs(5) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(world.receivers.most_per_host.load(Ordering::SeqCst), 2);
    let started = Instant::now();
    engine.stop().await;
    assert!(started.elapsed() < Duration::from_secs(2), "a hanging receiver does not hold the service up");
}

pub async fn three_days_of_silence_are_enough(begin: Begin) {
    let world = World::new(begin, 1).await;
    let engine = world.engine().await;
    let id = world
        .accept_for(
            &world.account,
            "unheard",
            Play::Make,
            Priority::Usual,
            Some(("http://s500/hook", HookMethod::Post)),
        )
        .await;
    engine.ring();
    let started = Instant::now();
    loop {
        let (delivery, tries) = news(&world, &id).await;
        if delivery.state == DeliveryState::Failed {
            assert!((13..30).contains(&tries.len()), "{} tries", tries.len());
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{:?} {}", delivery, tries.len());
        world.clock.jump(7 * 3_600_000);
        engine.ring();
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
    engine.stop().await;
}
