//! The rows go the way that the pure machine says, in whatever order things happen.

use compere_media::{Activity, Cut};
use compere_store::{Account, Command, Event, ExportState, Life, Made, News, Page, step};

use crate::Fresh;

/// Everything that can happen to an export; `late` things are said under the fence of a former holder.
const THINGS: usize = 12;

fn thing(life: &Life, number: usize) -> Event {
    let told = |news| Event::Told { fence: life.fence, news };
    let late = |news| Event::Told { fence: life.fence - 1, news };
    match number {
        0 => Event::Claimed,
        1 => Event::CancelAsked,
        2 => Event::Orphaned { fence: life.fence },
        3 => told(News::Alive { activity: Activity::Drawing, percent: 40.0 }),
        4 => told(News::Made),
        5 => told(News::Kept(Box::new(Made { cut: Cut { duration: 25.0, ..Cut::default() }, ..Made::default() }))),
        6 => told(News::Failed { message: "no".to_owned() }),
        7 => told(News::Hiccup { message: "the disk is full".to_owned() }),
        8 => told(News::Bug { message: "scenes[0]: a bug".to_owned() }),
        9 => told(News::Died { how: "killed".to_owned() }),
        10 => told(News::LetGo),
        _ => late(News::Kept(Box::default())),
    }
}

/// Lets it happen to the row. Events that a machine ignores need not be sayable: nobody claims what does not wait.
async fn happen(fresh: &Fresh, id: &str, event: Event) {
    let store = &fresh.store;
    match event {
        Event::Claimed => drop(fresh.claim().await),
        Event::CancelAsked => drop(store.cancel_export(id).await.expect("cancels")),
        Event::Orphaned { fence } => drop(store.orphan_export((id, fence)).await.expect("lets go")),
        Event::Told { fence, news } => {
            store.tell_export((id, fence), news, 30_000, &crate::silence).await.expect("tells");
        }
    }
    // Whatever waits may be taken up again at once.
    fresh.clock.advance(600_000);
}

/// The next number of a sequence that is the same on every run.
fn dice(seed: &mut u64, sides: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % sides
}

async fn kinds(fresh: &Fresh, account: &Account, export: &str) -> Vec<&'static str> {
    let entries = fresh.store.ledger(&account.id, &Page::newest(1_000)).await.expect("lists");
    let own = entries.into_iter().filter(|entry| entry.export.as_deref() == Some(export));
    own.map(|entry| entry.kind.as_str()).collect()
}

/// Every pair of things at every point of a life, and long random lives.
pub async fn any_order_of_events_leaves_what_the_machine_says(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "unlimited").await;
    let mut orders: Vec<Vec<usize>> = Vec::new();
    for first in 0..THINGS {
        for second in 0..THINGS {
            orders.push(vec![0, first, second]);
        }
    }
    let mut seed = 7;
    for _ in 0..40 {
        // Taken up often enough that most of them come to something.
        orders.push((0..24).map(|_| dice(&mut seed, THINGS + 6).saturating_sub(6)).collect());
    }
    for order in orders {
        let id = fresh.ask(&ada, "News", 5).await.expect("accepted").export.expect("there").id;
        let mut life = Life::accepted();
        for number in &order {
            let event = thing(&life, *number);
            let before = life.clone();
            life = step(&life, event.clone()).0;
            happen(&fresh, &id, event).await;
            let row = fresh.store.export(&id).await.expect("asks").expect("known");
            assert_eq!(row.life, life, "{order:?}: after {number} on {before:?}");
            assert_eq!(row.lease_until.is_some(), life.state.is_running(), "{order:?}");
            assert_eq!(row.finished_at.is_some(), life.state.is_over(), "{order:?}");
        }
        let entries = kinds(&fresh, &ada, &id).await;
        match life.state {
            ExportState::Exported => assert_eq!(entries, ["settle", "reserve"], "{order:?}"),
            state if state.is_over() => assert_eq!(entries, ["release", "reserve"], "{order:?}"),
            _ => {
                assert_eq!(entries, ["reserve"], "{order:?}");
                // The next order begins with nobody else in the queue.
                fresh.store.recover_exports().await.expect("recovers");
                fresh.store.cancel_export(&id).await.expect("cancels");
            }
        }
    }
}

pub async fn two_who_end_an_export_at_once_end_it_once(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "unlimited").await;
    for round in 0..10 {
        let id = fresh.ask(&ada, "News", 5).await.expect("accepted").export.expect("there").id;
        let export = fresh.claim().await.expect("waits");
        let ends = (0..4).map(|n| {
            let (store, export) = (fresh.store.clone(), export.clone());
            let news = match n {
                0 => News::Failed { message: "no".to_owned() },
                _ => News::Kept(Box::default()),
            };
            tokio::spawn(async move {
                let holder = (export.id.as_str(), export.fence);
                let told = store.tell_export(holder, news, 1_000, &crate::silence).await.expect("tells");
                told.commands.iter().any(|command| matches!(command, Command::End(_)))
            })
        });
        let ends: Vec<_> = ends.collect();
        let mut count = 0;
        for end in ends {
            count += usize::from(end.await.expect("no panic"));
        }
        assert_eq!((count, kinds(&fresh, &ada, &id).await.len()), (1, 2), "round {round}");
    }
}

pub async fn an_export_is_cancelled_in_every_state(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "unlimited").await;
    let at = |activity| News::Alive { activity, percent: 10.0 };
    for activity in Activity::ALL {
        let id = fresh.ask(&ada, "News", 5).await.expect("accepted").export.expect("there").id;
        let state = async || fresh.store.export(&id).await.expect("asks").expect("known").state;
        if activity == Activity::Waiting {
            assert!(fresh.store.cancel_export(&id).await.expect("cancels"));
            assert_eq!(state().await, ExportState::Cancelled, "what waits is over at once");
            continue;
        }
        let export = fresh.claim().await.expect("waits");
        fresh.tell(&export, at(activity)).await;
        assert!(fresh.store.cancel_export(&id).await.expect("cancels"));
        assert!(!fresh.store.cancel_export(&id).await.expect("cancels"), "once is enough");
        assert_eq!(fresh.tell(&export, at(activity)).await, [Command::Stop], "{activity}");
        // However it goes on, nobody gets it.
        let told = match activity {
            Activity::Storing => News::Kept(Box::default()),
            Activity::Drawing => News::Died { how: "killed".to_owned() },
            Activity::Mixing => News::Made,
            _ => News::LetGo,
        };
        assert!(fresh.ends(&export, told).await);
        assert_eq!(
            (state().await, kinds(&fresh, &ada, &id).await),
            (ExportState::Cancelled, vec!["release", "reserve"])
        );
    }
    let id = fresh.ask(&ada, "News", 5).await.expect("accepted").export.expect("there").id;
    fresh.claim().await.expect("waits");
    fresh.store.cancel_export(&id).await.expect("cancels");
    assert_eq!(fresh.store.recover_exports().await.expect("recovers"), 1);
    let export = fresh.store.export(&id).await.expect("asks").expect("known");
    assert_eq!(export.state, ExportState::Cancelled, "whoever should have stopped it is gone, and nobody wants it");
    assert!(!fresh.store.cancel_export("unknown").await.expect("asks"));
}
