use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use compere_media::Activity;
use compere_store::{ExportState, HookMethod, Priority};

use crate::stage::{Begin, Play, World, account, on_plan};

pub async fn every_way_to_end_ends_once_and_the_credits_add_up(begin: Begin) {
    let world = World::new(begin, 2).await;
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

pub async fn a_cancelled_export_stops_soon_and_costs_nothing(begin: Begin) {
    let world = World::new(begin, 1).await;
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
    let close = world
        .accept_for(
            &world.account,
            "close",
            Play::CancelledAtTheEnd,
            Priority::Usual,
            Some(("http://good/", HookMethod::Post)),
        )
        .await;
    world.until(&close, ExportState::Cancelled, false).await;
    engine.stop().await;
    assert_eq!(world.store.balance(&world.account.id).await.expect("sums"), 6_000);
    assert!(world.receivers.got.lock().expect("got").is_empty(), "nobody hears of what was cancelled");
}

pub async fn a_deleted_project_ends_without_a_word(begin: Begin) {
    let world = World::new(begin, 1).await;
    let engine = world.engine().await;
    let id = world
        .accept_for(
            &world.account,
            "gone",
            Play::Slow(Duration::from_millis(900)),
            Priority::Usual,
            Some(("http://good/", HookMethod::Post)),
        )
        .await;
    let export = world.until(&id, ExportState::Rendering, false).await;
    world.store.delete_projects(&world.account.id, &[export.project]).await.expect("deletes");
    world.until(&id, ExportState::Cancelled, false).await;
    engine.stop().await;
    assert!(world.receivers.got.lock().expect("got").is_empty());
    assert_eq!(world.store.balance(&world.account.id).await.expect("sums"), 6_000);
}

pub async fn a_stopped_service_hands_its_exports_back_and_the_next_goes_on(begin: Begin) {
    let world = World::new(begin, 2).await;
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

pub async fn hours_forward_neither_take_away_nor_double(begin: Begin) {
    let world = World::new(begin, 2).await;
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

pub async fn hours_back_hold_nothing_up(begin: Begin) {
    let world = World::new(begin, 2).await;
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

pub async fn an_export_in_nobodys_hands_is_taken_up_again(begin: Begin) {
    let world = World::new(begin, 1).await;
    let engine = world.engine().await;
    // Slow enough that a worker of the past can claim another one beside it.
    let first = world.accept("first", Play::Slow(Duration::from_millis(700))).await;
    world.until(&first, ExportState::Rendering, false).await;
    let lost = world.accept("lost", Play::Make).await;
    let claimed = world.store.claim_export("a ghost", 200).await.expect("asks").expect("one waits").export;
    assert_eq!(claimed.id, lost);
    let export = world.until(&lost, ExportState::Exported, false).await;
    assert_eq!(export.fence, 2);
    assert!(!world.store.orphan_export((&lost, claimed.fence)).await.expect("asks"), "the ghost has no say");
    engine.stop().await;
}

/// An account's own order may be changed by who waits before a page; that of accounts may not.
pub async fn accounts_take_turns_and_only_own_exports_are_passed(begin: Begin) {
    let world = World::new(begin, 1).await;
    let ben = account(&world.store, "ben@example.com").await;
    let carl = account(&world.store, "carl@example.com").await;
    // Keeps the only slot until all others wait: an engine that hears of them one by one would take what it knows of.
    let slow = Play::Slow(Duration::from_millis(1500));
    let busy = world.accept_for(&carl, "carl", slow, Priority::Usual, None).await;
    let engine = world.engine().await;
    world.until(&busy, ExportState::Rendering, false).await;
    for number in 0..4 {
        world.accept(&format!("ada {number}"), Play::Make).await;
    }
    world.accept_for(&ben, "ben 0", Play::Make, Priority::Usual, None).await;
    world.accept_for(&world.account, "ada watched", Play::Make, Priority::Watched, None).await;
    world.accept_for(&world.account, "ada watched too", Play::Make, Priority::Watched, None).await;
    let last = world.accept_for(&ben, "ben 1", Play::Make, Priority::Usual, None).await;
    let ada = world.accept("ada 4", Play::Make).await;
    world.until(&last, ExportState::Exported, false).await;
    world.until(&ada, ExportState::Exported, false).await;
    engine.stop().await;
    let taken: Vec<String> = world.taken().into_iter().filter(|name| name != "carl").collect();
    let place = |name: &str| taken.iter().position(|taken| taken == name).expect("was taken");
    assert!(place("ada watched") < place("ada watched too") && place("ada watched too") < place("ada 0"), "{taken:?}");
    assert!(place("ben 0") <= 1 && place("ben 1") <= 3, "ben waits for none but one of ada's at a time: {taken:?}");
    let adas: Vec<&String> = taken.iter().filter(|name| name.starts_with("ada ") && name.len() == 5).collect();
    assert!(adas.windows(2).all(|pair| pair[0] < pair[1]), "first come, first served: {adas:?}");
}

/// The same film meets the same error of ours: one more try, and a failure that says where. Others may be chance.
pub async fn the_same_error_of_ours_is_met_twice_and_no_more(begin: Begin) {
    let world = World::new(begin, 2).await;
    let engine = world.engine().await;
    let same = world.accept("same", Play::Bug).await;
    let others = world.accept("others", Play::Bugs).await;
    let same = world.until(&same, ExportState::Failed, true).await;
    assert_eq!(same.error.as_deref(), Some("scenes[3]: drawing it ended in an error of ours; it was tried twice"));
    let others = world.until(&others, ExportState::Failed, true).await;
    assert!(others.error.as_deref().is_some_and(|why| why.contains("tried 8 times")), "{:?}", others.error);
    engine.stop().await;
    let count = |name: &str| world.taken().iter().filter(|taken| *taken == name).count();
    assert_eq!((count("same"), count("others")), (2, 8));
}

/// What a film may last is known when it is taken up, or it is not taken up: nothing that fails makes it longer.
pub async fn an_account_that_cannot_be_read_has_no_larger_plan(begin: Begin) {
    use sqlx::{ConnectOptions, Connection};
    let world = World::new(begin, 1).await;
    let small = on_plan(&world.store, "small@example.com", "free").await;
    let id = world.accept_for(&small, "small", Play::Make, Priority::Usual, None).await;
    let file = world.dir().join("compere.db");
    let mut raw = sqlx::sqlite::SqliteConnectOptions::new().filename(&file).connect().await.expect("opens");
    sqlx::query("UPDATE account SET role = 'nonsense' WHERE plan = 'free'").execute(&mut raw).await.expect("damages");
    raw.close().await.expect("closes");
    let engine = world.engine().await;
    world.until(&id, ExportState::Exported, false).await;
    engine.stop().await;
    assert_eq!(*world.crew.longest.lock().expect("longest"), [600.0], "what the plan `free` allows");
}

/// Whatever is being done when it is cancelled: it stops, costs nothing, and leaves no file.
pub async fn an_export_is_cancelled_in_every_state(begin: Begin) {
    let world = World::new(begin, 2).await;
    let engine = world.engine().await;
    for activity in Activity::ALL {
        let id = world.accept(activity.as_str(), Play::At(activity)).await;
        engine.ring();
        let started = Instant::now();
        while world.export(&id).await.activity != activity && activity != Activity::Waiting {
            assert!(started.elapsed() < Duration::from_secs(10), "{activity}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(world.store.cancel_export(&id).await.expect("cancels"), "{activity}");
        engine.cancel(&id);
        world.until(&id, ExportState::Cancelled, false).await;
        assert!(!world.kept(&id));
    }
    let close = world.accept("close", Play::CancelledAtTheEnd).await;
    world.until(&close, ExportState::Cancelled, false).await;
    engine.stop().await;
    assert!(!world.kept(&close), "nothing is left of a film that was cancelled when it was finished");
    assert_eq!(world.store.balance(&world.account.id).await.expect("sums"), 6_000);
}

/// Films of every kind, engines that end in the middle, a clock that jumps both ways: each export ends once.
pub async fn engines_come_and_go_and_nothing_is_lost_or_doubled(begin: Begin) {
    let world = World::new(begin, 3).await;
    let plays = [
        Play::Make,
        Play::Die,
        Play::MakeAfter(2),
        Play::Slow(Duration::from_millis(120)),
        Play::Fail,
        Play::Bug,
        Play::CancelledAtTheEnd,
        Play::Hiccup,
    ];
    let mut ids = Vec::new();
    for round in 0..5 {
        let engine = world.engine().await;
        for (number, play) in plays.iter().enumerate() {
            let hook = Some(("http://good/hook", HookMethod::Post));
            let name = format!("{round} {number}");
            ids.push(world.accept_for(&world.account, &name, play.clone(), Priority::Usual, hook).await);
        }
        engine.ring();
        tokio::time::sleep(Duration::from_millis(150)).await;
        world.clock.jump(if round % 2 == 0 { 3_600_000 } else { -3_600_000 });
        tokio::time::sleep(Duration::from_millis(50)).await;
        engine.stop().await;
    }
    let engine = world.engine().await;
    let mut spent = 0;
    for id in &ids {
        let started = Instant::now();
        let export = loop {
            let export = world.export(id).await;
            if export.state.is_over() {
                break export;
            }
            assert!(started.elapsed() < Duration::from_secs(15), "{} stays {:?}", export.order.name, export.state);
            world.clock.jump(30_000);
            engine.ring();
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        spent += export.credits.unwrap_or(0);
        assert_eq!(world.kept(id), export.state == ExportState::Exported, "{}", export.order.name);
        let told = world.store.deliveries_of(id).await.expect("lists").len();
        assert_eq!(told, usize::from(export.state != ExportState::Cancelled), "{}", export.order.name);
    }
    engine.stop().await;
    assert_eq!(world.store.balance(&world.account.id).await.expect("sums"), 6_000 - spent, "the ledger is exact");
    assert_eq!(spent, 3 * 5 * 2, "three films of each round were made");
}
