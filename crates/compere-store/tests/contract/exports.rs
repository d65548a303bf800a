use std::time::Instant;

use compere_media::{Activity, Cut};
use compere_store::{Account, Before, Command, ExportState, Made, Movement, NewExport, News, Page, Priority, Refused};
use serde_json::json;

use crate::{Fresh, export_of, project_of};

/// Of a film that costs so many credits.
fn kept(credits: i64) -> News {
    let duration = credits as f64 * 10.0 - 2.5;
    let file_name = "News.mp4".to_owned();
    News::Kept(Box::new(Made {
        cut: Cut { duration, ..Cut::default() },
        size: 3,
        file_name,
        poster: true,
        ..Made::default()
    }))
}

fn drawing(percent: f64) -> News {
    News::Alive { activity: Activity::Drawing, percent }
}

async fn balance(fresh: &Fresh, account: &Account) -> i64 {
    fresh.store.balance(&account.id).await.expect("sums")
}

pub async fn an_export_is_accepted_whole_or_not_at_all(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    let project = fresh.store.create_project(project_of(&ada, "News")).await.expect("creates");
    let edit = |revision| Before::Edit {
        revision,
        body: Box::new(json!({"name": "Edited", "scenes": []})),
        note: "api".into(),
    };
    let start = |before, reserve| fresh.store.start_export(before, export_of(&ada, &project.id, reserve));
    assert_eq!(start(edit(9), 1).await.expect("stores").err(), Some(Refused::Conflict));
    assert_eq!(start(edit(1), 11).await.expect("stores").err(), Some(Refused::Credits { balance: 10, needed: 11 }));
    let same = fresh.store.project(&ada.id, &project.id).await.expect("asks").expect("known");
    assert_eq!((same.name.as_str(), same.revision, same.export.is_none()), ("News", 1, true), "nothing happened");
    let project = start(edit(1), 4).await.expect("stores").expect("accepted");
    let export = project.export.as_ref().expect("there");
    assert_eq!((project.name.as_str(), project.revision, project.state().as_str()), ("Edited", 2, "queued"));
    assert_eq!((export.reserved, export.progress, export.callback_id.as_deref()), (4, 0.0, None));
    let gone = fresh.store.start_export(Before::Nothing, export_of(&ada, "no such project", 1)).await.expect("stores");
    assert_eq!(gone.err(), Some(Refused::Conflict));
    assert_eq!(balance(&fresh, &ada).await, 6);
    let again = start(Before::Nothing, 1).await.expect("stores").expect("accepted");
    assert_ne!(again.export.expect("there").id, export.id, "progress speaks of the newer one");
    assert_eq!(fresh.store.exports_of(&ada.id, &again.id, &Page::newest(10)).await.expect("lists").len(), 2);
    assert_eq!(fresh.store.recent_exports(Some(ExportState::Queued), 10).await.expect("lists").len(), 2);
    let (counts, oldest) = fresh.store.queue().await.expect("counts");
    assert_eq!((counts, oldest), (vec![(ExportState::Queued, 2)], Some(crate::NOON)));
}

pub async fn an_export_ends_once(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    let project = fresh.ask(&ada, "News", 5).await.expect("accepted");
    let export = fresh.claim().await.expect("one waits");
    assert_eq!((export.state, &export.order.snapshot), (ExportState::Synthesizing, &crate::body(2)));
    assert!(fresh.tell(&export, drawing(50.0)).await.is_empty());
    assert!(fresh.tell(&export, drawing(20.0)).await.is_empty());
    let now = fresh.store.export(&export.id).await.expect("asks").expect("known");
    assert_eq!(
        (now.progress, now.state, now.activity),
        (50.0, ExportState::Rendering, Activity::Drawing),
        "it never falls"
    );
    assert_eq!(now.order.snapshot, serde_json::Value::Null, "that is for whoever makes it");
    assert_eq!(
        fresh.store.snapshot(&ada.id, &export.id).await.expect("asks"),
        Some(crate::body(2)),
        "and for whoever asks for it"
    );
    assert_eq!(fresh.store.snapshot(&ada.id, "no such export").await.expect("asks"), None);
    assert_eq!(fresh.store.snapshot("somebody else", &export.id).await.expect("asks"), None);
    assert_eq!(fresh.tell(&export, News::Made).await, [Command::Keep]);
    assert!(fresh.ends(&export, kept(2)).await);
    for late in [kept(2), News::LetGo, News::Died { how: "killed".to_owned() }, drawing(60.0), News::Made] {
        assert_eq!(fresh.tell(&export, late).await, [Command::Dismiss]);
    }
    let project = fresh.store.project(&ada.id, &project.id).await.expect("asks").expect("known");
    let export = project.export.as_ref().expect("there");
    let made = export.made.as_ref().expect("is kept");
    assert_eq!((export.progress, export.credits, made.cut.duration, made.size), (100.0, Some(2), 17.5, 3));
    assert_eq!((project.state().as_str(), made.poster), ("exported", true));
    assert_eq!(balance(&fresh, &ada).await, 8);
    let kinds: Vec<Movement> =
        fresh.store.ledger(&ada.id, &Page::newest(10)).await.expect("lists").into_iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [Movement::Settle, Movement::Reserve, Movement::Renew]);
    // One by one they are the same, in the same order.
    let mut page = Page::newest(1);
    let mut turned = Vec::new();
    while let Some(entry) = fresh.store.ledger(&ada.id, &page).await.expect("lists").pop() {
        page.after = Some((entry.created_at, entry.id));
        turned.push(entry.kind);
    }
    assert_eq!(turned, kinds);
}

pub async fn a_fence_keeps_late_workers_out(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    fresh.ask(&ada, "News", 5).await.expect("accepted");
    let first = fresh.claim().await.expect("one waits");
    assert!(fresh.store.expired_exports().await.expect("asks").is_empty());
    fresh.clock.advance(30_001);
    assert_eq!(fresh.store.expired_exports().await.expect("asks").len(), 1);
    assert!(fresh.store.orphan_export((&first.id, first.fence)).await.expect("lets go"));
    assert!(!fresh.store.orphan_export((&first.id, first.fence)).await.expect("lets go"), "it is in nobody's hands");
    let second = fresh.claim().await.expect("it waits again");
    assert_eq!((second.id.as_str(), second.fence, second.strikes), (first.id.as_str(), first.fence + 1, 0));
    assert_eq!(fresh.tell(&first, drawing(99.0)).await, [Command::Dismiss]);
    assert_eq!(fresh.tell(&first, kept(5)).await, [Command::Dismiss]);
    assert!(!fresh.store.orphan_export((&first.id, first.fence)).await.expect("lets go"), "that fence is an old one");
    assert!(fresh.ends(&second, kept(5)).await);
    assert_eq!(balance(&fresh, &ada).await, 5);
}

pub async fn turns_are_fair(fresh: Fresh) {
    let (ada, ben, cy) = (
        fresh.account("ada@example.com", "tiny").await,
        fresh.account("ben@example.com", "tiny").await,
        fresh.account("cy@example.com", "tiny").await,
    );
    for number in 0..4 {
        fresh.ask(&ada, &format!("a{number}"), 1).await.expect("accepted");
        fresh.clock.advance(10);
    }
    fresh.ask(&ben, "b0", 1).await.expect("accepted");
    let urgent = Before::Create(Box::new(project_of(&cy, "c0")));
    let mut export = export_of(&cy, "", 1);
    export.priority = Priority::Watched;
    fresh.store.start_export(urgent, export).await.expect("stores").expect("accepted");
    let owner = |account: &str| {
        let names = [(&ada, "ada"), (&ben, "ben"), (&cy, "cy")];
        names.iter().find(|(a, _)| a.id == account).map(|(_, name)| *name).expect("one of them")
    };
    let mut order = Vec::new();
    while let Some(export) = fresh.claim().await {
        fresh.clock.advance(10);
        order.push(owner(&export.account));
    }
    assert_eq!(order, ["ada", "ben", "cy", "ada"], "in turns, and two at once for each at most");
    // Whoever waits before a page passes their own queue, and nobody else's.
    let dee = fresh.account("dee@example.com", "tiny").await;
    fresh.ask(&dee, "by program", 1).await.expect("accepted");
    fresh.clock.advance(10);
    let mut watched = export_of(&dee, "", 1);
    watched.order.name = "watched".to_owned();
    watched.priority = Priority::Watched;
    let before = Before::Create(Box::new(project_of(&dee, "watched")));
    fresh.store.start_export(before, watched).await.expect("stores").expect("accepted");
    assert_eq!(fresh.claim().await.expect("waits").order.name, "watched");
}

pub async fn a_full_queue_and_an_empty_purse_say_so(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    assert_eq!(fresh.ask(&ada, "News", 11).await.err(), Some(Refused::Credits { balance: 10, needed: 11 }));
    for _ in 0..5 {
        fresh.ask(&ada, "News", 1).await.expect("accepted");
    }
    assert_eq!(fresh.ask(&ada, "News", 1).await.err(), Some(Refused::QueueFull { limit: 5 }));
    fresh.store.grant(&ada.id, 100, "a gift").await.expect("stores");
    assert_eq!(balance(&fresh, &ada).await, 105);
    let rich = fresh.account("rich@example.com", "unlimited").await;
    fresh.ask(&rich, "News", 1_000_000).await.expect("unmetered");
    assert_eq!(balance(&fresh, &rich).await, -1_000_000);
}

pub async fn tests_cost_nothing_and_are_short(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    let ask = async |test: bool| {
        let before = Before::Create(Box::new(project_of(&ada, "Test")));
        let new = NewExport { test, ..export_of(&ada, "", 1_000) };
        fresh.store.start_export(before, new).await.expect("stores")
    };
    assert!(matches!(ask(false).await, Err(Refused::Credits { .. })));
    let asked = ask(true).await.expect("costs nothing").export.expect("there");
    let claimed = fresh.store.claim_export("w", 30_000).await.expect("asks").expect("one waits");
    assert_eq!((claimed.export.id.as_str(), claimed.longest, claimed.export.test), (asked.id.as_str(), 60.0, true));
    assert!(fresh.ends(&claimed.export, kept(100)).await);
    let ended = fresh.store.export(&asked.id).await.expect("reads").expect("is there");
    assert_eq!((ended.reserved, ended.credits), (0, Some(0)));
    assert_eq!(
        fresh.store.ledger(&ada.id, &Page::newest(10)).await.expect("reads"),
        [],
        "nothing was taken, nothing came back"
    );
}

pub async fn cancelling_gives_the_credits_back(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    let waiting = fresh.ask(&ada, "News", 4).await.expect("accepted").export.expect("there");
    assert!(fresh.store.cancel_export(&waiting.id).await.expect("cancels"));
    assert!(!fresh.store.cancel_export(&waiting.id).await.expect("cancels"));
    assert_eq!(balance(&fresh, &ada).await, 10);
    fresh.ask(&ada, "News", 4).await.expect("accepted");
    let running = fresh.claim().await.expect("one waits");
    assert!(fresh.store.cancel_export(&running.id).await.expect("cancels"));
    assert_eq!(fresh.tell(&running, drawing(1.0)).await, [Command::Stop]);
    assert_eq!(balance(&fresh, &ada).await, 6);
    assert!(fresh.ends(&running, News::LetGo).await);
    assert_eq!(balance(&fresh, &ada).await, 10);
    let failed = fresh.ask(&ada, "News", 3).await.expect("accepted").export.expect("there");
    let running = fresh.claim().await.expect("one waits");
    let failure = News::Failed { message: "the picture is gone".to_owned() };
    assert!(fresh.ends(&running, failure).await);
    let failed = fresh.store.export(&failed.id).await.expect("asks").expect("known");
    assert_eq!(failed.error.as_deref(), Some("the picture is gone"));
    assert_eq!(balance(&fresh, &ada).await, 10);
}

pub async fn recovery_puts_the_running_back(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    fresh.ask(&ada, "News", 1).await.expect("accepted");
    fresh.ask(&ada, "News", 1).await.expect("accepted");
    let old = fresh.claim().await.expect("one waits");
    assert_eq!(fresh.store.recover_exports().await.expect("recovers"), 1);
    assert_eq!(fresh.tell(&old, kept(1)).await, [Command::Dismiss], "the old holder is out");
    let (one, two) = (fresh.claim().await.expect("waits"), fresh.claim().await.expect("waits"));
    assert!(one.id == old.id || two.id == old.id);
    assert_eq!((one.strikes, two.strikes), (0, 0), "the service's end is no film's fault");
}

pub async fn credits_come_back_with_the_month(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    fresh.ask(&ada, "Made", 3).await.expect("accepted");
    let made = fresh.claim().await.expect("waits");
    assert!(fresh.ends(&made, kept(3)).await);
    fresh.ask(&ada, "Held", 4).await.expect("accepted");
    assert_eq!(balance(&fresh, &ada).await, 3);
    fresh.clock.advance(20 * 24 * 3_600_000);
    assert_eq!(balance(&fresh, &ada).await, 3, "still January");
    fresh.clock.advance(12 * 24 * 3_600_000);
    assert_eq!((balance(&fresh, &ada).await, balance(&fresh, &ada).await), (6, 6), "February, once");
    let held = fresh.claim().await.expect("waits");
    assert!(fresh.ends(&held, News::Failed { message: "no".to_owned() }).await);
    assert_eq!(balance(&fresh, &ada).await, 10, "what a film held over the turn of a month comes back once");
}

pub async fn files_go_when_nobody_needs_them(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    let project = fresh.ask(&ada, "News", 1).await.expect("accepted");
    let first = fresh.claim().await.expect("waits");
    assert!(fresh.ends(&first, kept(1)).await);
    let sweepable = async |before: i64| fresh.store.sweepable_exports(before, 10).await.expect("asks");
    fresh.clock.advance(1000);
    let later = crate::NOON + 999;
    assert!(sweepable(later).await.is_empty(), "it is the one that can be downloaded");
    fresh
        .store
        .start_export(Before::Nothing, export_of(&ada, &project.id, 1))
        .await
        .expect("stores")
        .expect("accepted");
    assert!(sweepable(crate::NOON).await.is_empty(), "a newer one replaced it, but not long enough ago");
    assert_eq!(sweepable(later).await, std::slice::from_ref(&first.id));
    fresh.store.mark_swept(&first.id).await.expect("stores");
    assert!(sweepable(later).await.is_empty());
    let second = fresh.claim().await.expect("waits");
    assert!(fresh.ends(&second, kept(1)).await);
    fresh.store.delete_projects(&ada.id, std::slice::from_ref(&project.id)).await.expect("deletes");
    assert_eq!(sweepable(crate::NOON).await, [second.id], "its project is gone");
}

/// Many at once: none is claimed twice, every one ends once, and the books agree.
pub async fn credits_add_up_under_concurrency(fresh: Fresh) {
    const FILMS: i64 = 40;
    let mut accounts = Vec::new();
    for name in ["ada", "ben", "cy"] {
        accounts.push(fresh.account(&format!("{name}@example.com"), "api").await);
    }
    let started = Instant::now();
    let asking = accounts.iter().cloned().map(|account| {
        let store = fresh.store.clone();
        tokio::spawn(async move {
            for _ in 0..FILMS {
                let before = Before::Create(Box::new(project_of(&account, "News")));
                store.start_export(before, export_of(&account, "", 3)).await.expect("stores").expect("accepted");
            }
        })
    });
    let asking: Vec<_> = asking.collect();
    let working = (0..4).map(|worker| {
        let store = fresh.store.clone();
        tokio::spawn(async move {
            let (mut done, mut idle) = (0, 0);
            while idle < 100 {
                let Some(claimed) = store.claim_export(&worker.to_string(), 30_000).await.expect("claims") else {
                    idle += 1;
                    tokio::time::sleep(std::time::Duration::from_millis(10)).await;
                    continue;
                };
                idle = 0;
                let news = match done % 5 {
                    0 => News::LetGo,
                    1 => News::Failed { message: "x".to_owned() },
                    _ => kept(2),
                };
                let holder = (claimed.export.id.as_str(), claimed.export.fence);
                let told = store.tell_export(holder, news.clone(), 30_000, &crate::silence).await.expect("tells");
                assert_ne!(told.commands, [Command::Dismiss]);
                assert_eq!(told.life.state.is_over(), news != News::LetGo);
                done += 1;
            }
        })
    });
    let working: Vec<_> = working.collect();
    for task in asking.into_iter().chain(working) {
        task.await.expect("no panic");
    }
    println!("  {} exports in {:?}", 3 * FILMS, started.elapsed());
    let mut ended = 0;
    for account in &accounts {
        let exports = fresh.store.recent_exports(None, 1000).await.expect("lists");
        let own: Vec<_> = exports.iter().filter(|export| export.account == account.id).collect();
        let spent: i64 = own.iter().filter_map(|export| export.credits).sum();
        ended += own.iter().filter(|export| export.state.is_over()).count();
        assert_eq!(balance(&fresh, account).await, 6_000 - spent, "the balance is what was given less what was made");
        let sum: i64 = fresh
            .store
            .ledger(&account.id, &Page::newest(1000))
            .await
            .expect("lists")
            .iter()
            .map(|entry| entry.amount)
            .sum();
        assert_eq!(sum, 6_000 - spent);
    }
    assert_eq!(ended as i64, 3 * FILMS);
}

/// What the dashboard counts, and a clock that somebody set right.
pub async fn books_can_be_read_and_the_clock_may_go_back(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "tiny").await;
    fresh.store.open_session(&ada.id, "").await.expect("opens");
    assert_eq!(fresh.store.session_count(&ada.id).await.expect("counts"), 1);
    let project = fresh.ask(&ada, "News", 4).await.expect("accepted");
    let export = fresh.claim().await.expect("waits");
    assert!(fresh.ends(&export, kept(3)).await);
    let past = fresh.store.past_exports(&ada.id, crate::NOON).await.expect("lists");
    assert_eq!((past.len(), past[0].state, past[0].credits), (1, ExportState::Exported, 3));
    assert!(fresh.store.past_exports("", crate::NOON + 1).await.expect("lists").is_empty());
    let holdings = fresh.store.holdings().await.expect("counts");
    assert_eq!((holdings.projects, holdings.films, holdings.film_bytes, holdings.assets), (1, 1, 3, 0));
    let sums = fresh.store.credit_sums().await.expect("sums");
    let sum = |kind: Movement| sums.iter().find(|(known, _)| *known == kind).map(|(_, amount)| *amount);
    assert_eq!((sum(Movement::Reserve), sum(Movement::Settle), sum(Movement::Renew)), (Some(-4), Some(1), Some(10)));

    let (body, request) = (json!({"name": "Older", "scenes": []}), json!({"scenes": [1]}));
    assert!(fresh.store.edit_request(&project, &body, &request, "1.4").await.expect("edits"));
    assert!(!fresh.store.edit_request(&project, &body, &request, "too late").await.expect("edits"));
    let now = fresh.store.project(&ada.id, &project.id).await.expect("asks").expect("known");
    assert_eq!((now.request.as_deref(), now.revision), (Some(r#"{"scenes":[1]}"#), 2));

    fresh.ask(&ada, "Later", 1).await.expect("accepted");
    fresh.clock.advance(-3_600_000);
    assert!(fresh.claim().await.is_none(), "by this clock it is not time yet");
    fresh.store.clock_was_set_back(3_600_000).await.expect("moves");
    assert!(fresh.claim().await.is_some());
}
