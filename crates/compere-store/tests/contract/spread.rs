//! Exports that many machines make.

use compere_store::{Command, ExportState, News, Turn};

use crate::Fresh;

/// Somebody has a place for an account's export, and knows of none that rested elsewhere.
fn turn<'a>(account: &'a str, holder: &'a str) -> Turn<'a> {
    Turn { account, holder, rested: ("", 0) }
}

/// As many of each account as may run, those that run first.
pub async fn what_may_run_is_known_to_everybody(fresh: Fresh) {
    let (ada, ben) = (fresh.account("ada@example.com", "tiny").await, fresh.account("ben@example.com", "tiny").await);
    let mut ids = Vec::new();
    for name in ["one", "two", "three"] {
        ids.push(fresh.ask(&ada, name, 1).await.expect("accepted").export.expect("an export").id);
        fresh.clock.advance(10);
    }
    let bens = fresh.ask(&ben, "his", 1).await.expect("accepted").export.expect("an export").id;
    let due = async || {
        let due = fresh.store.due_exports().await.expect("asks");
        let mut ids: Vec<String> = due.into_iter().map(|due| due.export).collect();
        ids.sort();
        ids
    };
    let sorted = |list: &[&String]| {
        let mut list: Vec<String> = list.iter().map(|id| (*id).clone()).collect();
        list.sort();
        list
    };
    assert_eq!(due().await, sorted(&[&ids[0], &ids[1], &bens]), "two of ada's may run");
    let taken = fresh.store.claim_turn(turn(&ada.id, "h1"), 30_000).await.expect("asks").expect("one waits");
    assert_eq!((taken.export.id.as_str(), taken.export.fence), (ids[0].as_str(), 1));
    assert_eq!(due().await, sorted(&[&ids[0], &ids[1], &bens]));
    // What has to wait makes room for what need not.
    fresh.tell(&taken.export, News::Hiccup { message: "no room".to_owned() }).await;
    assert_eq!(due().await, sorted(&[&ids[1], &ids[2], &bens]));
    let one = fresh.store.due_export(&ids[0]).await.expect("asks").expect("is not over");
    assert_eq!((one.life.state, one.life.fence, one.life.hiccups), (ExportState::Queued, 1, 1));
    assert!(one.not_before > fresh.store.now());
    assert!(fresh.store.cancel_export(&ids[0]).await.expect("cancels"));
    assert!(fresh.store.due_export(&ids[0]).await.expect("asks").is_none(), "it is over");
}

pub async fn a_turn_is_for_the_next_of_its_account(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    for name in ["one", "two", "three"] {
        fresh.ask(&ada, name, 1).await.expect("accepted");
        fresh.clock.advance(10);
    }
    let take = async |holder: &str| fresh.store.claim_turn(turn(&ada.id, holder), 30_000).await.expect("asks");
    let (one, two) = (take("h1").await.expect("waits").export, take("h2").await.expect("waits").export);
    assert!(one.id != two.id && take("h3").await.is_none(), "two may run at once");
    assert!(fresh.store.claim_turn(turn("nobody", "h4"), 30_000).await.expect("asks").is_none());
    // One that has to wait by the rows' clock, and has waited by another one.
    fresh.tell(&one, News::Hiccup { message: "no room".to_owned() }).await;
    fresh.ends(&two, News::Failed { message: "no".to_owned() }).await;
    let three = take("h5").await.expect("waits").export;
    assert!(three.id != one.id && take("h6").await.is_none());
    let rested = |fence| Turn { account: &ada.id, holder: "h7", rested: (&one.id, fence) };
    assert!(fresh.store.claim_turn(rested(0), 30_000).await.expect("asks").is_none(), "that was before its last try");
    let again = fresh.store.claim_turn(rested(1), 30_000).await.expect("asks").expect("has rested").export;
    assert_eq!((again.id.as_str(), again.fence), (one.id.as_str(), 2));
}

pub async fn what_a_lost_holder_had_is_taken_up_by_others(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    fresh.ask(&ada, "one", 1).await.expect("accepted");
    let take = async |holder: &str| fresh.store.claim_turn(turn(&ada.id, holder), 30_000).await.expect("asks");
    let first = take("h1").await.expect("waits").export;
    assert!(!fresh.store.holder_is_lost("h2").await.expect("asks"), "it has nothing");
    assert!(fresh.store.holder_is_lost("h1").await.expect("asks"));
    assert!(!fresh.store.holder_is_lost("h1").await.expect("asks"), "once");
    let second = take("h2").await.expect("waits again").export;
    assert_eq!((second.id.as_str(), second.fence, second.strikes), (first.id.as_str(), 2, 0));
    assert_eq!(fresh.tell(&first, News::Made).await, [Command::Dismiss], "who was lost has no say");
    assert!(!fresh.store.holder_is_lost("h1").await.expect("asks"), "others have it");
    assert_eq!(fresh.tell(&second, News::Made).await, [Command::Keep]);
}

/// Who asks at the same time is answered one after another.
pub async fn turns_at_once_take_up_each_export_once(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "unlimited").await;
    for number in 0..12 {
        fresh.ask(&ada, &format!("film {number}"), 1).await.expect("accepted");
    }
    let mut asking = tokio::task::JoinSet::new();
    for number in 0..24 {
        let (store, account) = (fresh.store.clone(), ada.id.clone());
        asking.spawn(async move {
            let holder = format!("h{number}");
            store.claim_turn(turn(&account, &holder), 30_000).await.expect("asks").map(|taken| taken.export.id)
        });
    }
    let mut taken: Vec<String> = asking.join_all().await.into_iter().flatten().collect();
    let count = taken.len();
    taken.sort();
    taken.dedup();
    let most = fresh.store.plan("unlimited").parallel_exports as usize;
    assert!(most < 12, "some have to wait");
    assert_eq!((count, taken.len()), (most, most), "as many as may run, each once");
}
