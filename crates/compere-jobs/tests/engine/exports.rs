use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use compere_store::ExportState;

use crate::stage::{Play, World, account};

#[tokio::test]
async fn every_way_to_end_ends_once_and_the_credits_add_up() {
    let world = World::new(2).await;
    let engine = world.engine().await;
    let good = world.accept("good", Play::Make).await;
    let bad = world.accept("bad", Play::Fail).await;
    let deadly = world.accept("deadly", Play::Die).await;
    let patient = world.accept("patient", Play::MakeAfter(3)).await;
    let hopeless = world.accept("hopeless", Play::Hiccup).await;
    engine.ring();
    assert_eq!(world.until(&good, ExportState::Exported, true).await.progress, 100.0);
    let bad = world.until(&bad, ExportState::Failed, true).await;
    assert!(bad.error.as_deref().is_some_and(|why| why.starts_with("scenes[0].clips[0]")));
    let deadly = world.until(&deadly, ExportState::Failed, true).await;
    assert_eq!(deadly.error_code, Some(5010));
    assert!(deadly.error.as_deref().is_some_and(|why| why.contains("3 times") && why.contains("killed")));
    world.until(&patient, ExportState::Exported, true).await;
    let hopeless = world.until(&hopeless, ExportState::Failed, true).await;
    assert!(hopeless.error.as_deref().is_some_and(|why| why.contains("disk is full") && why.contains("8 times")));
    engine.stop().await;
    let count = |name: &str| world.taken().iter().filter(|taken| *taken == name).count();
    assert_eq!([count("good"), count("bad"), count("deadly"), count("patient"), count("hopeless")], [1, 1, 3, 4, 8]);
    // Two films of 12 seconds are two credits each.
    assert_eq!(world.store.balance(&world.account.id).await.expect("sums"), 6_000 - 4);
    assert_eq!(world.crew.tidied.load(Ordering::SeqCst), 17, "after every try");
}

#[tokio::test]
async fn a_cancelled_export_stops_soon_and_costs_nothing() {
    let world = World::new(1).await;
    let engine = world.engine().await;
    let running = world.accept("running", Play::Hang).await;
    let waiting = world.accept("waiting", Play::Make).await;
    world.until(&running, ExportState::Rendering, false).await;
    assert!(world.store.cancel_export(&waiting).await.expect("cancels"));
    world.until(&waiting, ExportState::Cancelled, false).await;
    let started = Instant::now();
    assert!(world.store.cancel_export(&running).await.expect("cancels"));
    engine.cancel(&running);
    world.until(&running, ExportState::Cancelled, false).await;
    assert!(started.elapsed() < Duration::from_secs(2));
    // Without being told, the engine learns it at the next sign of life.
    let late = world.accept("late", Play::Hang).await;
    world.until(&late, ExportState::Rendering, false).await;
    world.store.cancel_export(&late).await.expect("cancels");
    world.until(&late, ExportState::Cancelled, false).await;
    let close =
        world.accept_for(&world.account, "close", Play::CancelledAtTheEnd, 0, Some(("http://good/", "POST"))).await;
    world.until(&close, ExportState::Cancelled, false).await;
    engine.stop().await;
    assert_eq!(world.store.balance(&world.account.id).await.expect("sums"), 6_000);
    assert!(world.receivers.got.lock().expect("got").is_empty(), "nobody hears of what was cancelled");
}

#[tokio::test]
async fn a_deleted_project_ends_without_a_word() {
    let world = World::new(1).await;
    let engine = world.engine().await;
    let id = world
        .accept_for(&world.account, "gone", Play::Slow(Duration::from_millis(900)), 0, Some(("http://good/", "POST")))
        .await;
    let export = world.until(&id, ExportState::Rendering, false).await;
    world.store.delete_projects(&world.account.id, &[export.project]).await.expect("deletes");
    world.until(&id, ExportState::Cancelled, false).await;
    engine.stop().await;
    assert!(world.receivers.got.lock().expect("got").is_empty());
    assert_eq!(world.store.balance(&world.account.id).await.expect("sums"), 6_000);
}

#[tokio::test]
async fn a_stopped_service_hands_its_exports_back_and_the_next_goes_on() {
    let world = World::new(2).await;
    let engine = world.engine().await;
    let id = world.accept("long", Play::Hang).await;
    let before = world.until(&id, ExportState::Rendering, false).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    let started = Instant::now();
    engine.stop().await;
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(!engine.is_alive());
    let handed_back = world.export(&id).await;
    assert_eq!((handed_back.state, handed_back.strikes), (ExportState::Queued, 0));
    assert_eq!(handed_back.progress, 40.0, "clients see no step back");

    world.crew.plays.lock().expect("plays").insert("long".into(), Play::Slow(Duration::from_millis(1500)));
    let engine = world.engine().await;
    let mut changes = engine.changes();
    let after = world.until(&id, ExportState::Exported, false).await;
    assert_eq!(after.fence, before.fence + 1);
    engine.stop().await;
    let mut last = 40.0;
    while let Ok(change) = changes.try_recv() {
        assert!(change.progress >= last, "fell from {last} to {}", change.progress);
        last = change.progress;
    }
    assert_eq!(last, 100.0);
}

#[tokio::test]
async fn hours_forward_neither_take_away_nor_double() {
    let world = World::new(2).await;
    let engine = world.engine().await;
    let id = world.accept("slow", Play::Slow(Duration::from_millis(1600))).await;
    world.until(&id, ExportState::Rendering, false).await;
    for _ in 0..3 {
        world.clock.jump(5 * 3_600_000);
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
    let export = world.until(&id, ExportState::Exported, false).await;
    engine.stop().await;
    assert_eq!((export.fence, world.taken().len()), (1, 1));
    assert_eq!(world.crew.most_at_once.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn hours_back_hold_nothing_up() {
    let world = World::new(2).await;
    let engine = world.engine().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let running = world.accept("running", Play::Slow(Duration::from_millis(800))).await;
    let again = world.accept("again", Play::MakeAfter(1)).await;
    world.until(&running, ExportState::Rendering, false).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    world.clock.jump(-6 * 3_600_000);
    let started = Instant::now();
    let new = world.accept("new", Play::Make).await;
    world.until(&running, ExportState::Exported, false).await;
    world.until(&new, ExportState::Exported, false).await;
    // Its backoff of two seconds is still one of two seconds.
    world.until(&again, ExportState::Exported, false).await;
    assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());
    engine.stop().await;
}

#[tokio::test]
async fn an_export_in_nobodys_hands_is_taken_up_again() {
    let world = World::new(1).await;
    let engine = world.engine().await;
    // Slow enough that a worker of the past can claim another one beside it.
    let first = world.accept("first", Play::Slow(Duration::from_millis(700))).await;
    world.until(&first, ExportState::Rendering, false).await;
    let lost = world.accept("lost", Play::Make).await;
    let claimed = world.store.claim_export("a ghost", 200).await.expect("asks").expect("one waits");
    assert_eq!(claimed.id, lost);
    let export = world.until(&lost, ExportState::Exported, false).await;
    assert_eq!(export.fence, 2);
    assert!(!world.store.requeue_export((&lost, claimed.fence), true, 0).await.expect("asks"), "the ghost has no say");
    engine.stop().await;
}

#[tokio::test]
async fn accounts_take_turns_and_priorities_go_first() {
    let world = World::new(1).await;
    let ben = account(&world.store, "ben@example.com").await;
    for number in 0..4 {
        world.accept(&format!("ada {number}"), Play::Make).await;
    }
    world.accept_for(&ben, "ben 0", Play::Make, 0, None).await;
    world.accept_for(&world.account, "urgent", Play::Make, 5, None).await;
    let last = world.accept_for(&ben, "ben 1", Play::Make, 0, None).await;
    let engine = world.engine().await;
    let ada = world.accept("ada 4", Play::Make).await;
    world.until(&last, ExportState::Exported, false).await;
    world.until(&ada, ExportState::Exported, false).await;
    engine.stop().await;
    let taken = world.taken();
    assert_eq!(taken[0], "urgent");
    let place = |name: &str| taken.iter().position(|taken| taken == name).expect("was taken");
    assert!(place("ben 0") <= 2 && place("ben 1") <= 4, "ben does not wait for all of ada's: {taken:?}");
    let adas: Vec<&String> = taken.iter().filter(|name| name.starts_with("ada")).collect();
    assert!(adas.windows(2).all(|pair| pair[0] < pair[1]), "first come, first served: {adas:?}");
}
