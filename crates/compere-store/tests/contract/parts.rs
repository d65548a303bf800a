//! Films that several workers make.

use std::collections::BTreeSet;

use compere_store::{Export, FilmPart, News, NextPart, PartClaim, Split};

use crate::Fresh;

const LEASE: i64 = 10_000;
const LEAD: &str = "lead";

fn split(export: &Export) -> Split<'_> {
    Split { export: &export.id, fence: export.fence }
}

fn speech(scene: u32) -> FilmPart {
    FilmPart::Speech { scene, run: 0 }
}

fn piece(scene: u32, piece: u32) -> FilmPart {
    FilmPart::Pictures { scene, piece }
}

/// A film of two scenes in somebody's hands, with nobody else waiting.
async fn led(fresh: &Fresh) -> Export {
    let ada = fresh.account("ada@example.com", "tiny").await;
    fresh.ask(&ada, "long", 1).await.expect("accepted");
    let export = fresh.claim().await.expect("waits");
    assert!(fresh.store.open_split(split(&export), "alike").await.expect("opens"));
    fresh.store.offer_parts(split(&export), &[speech(0), speech(1)], false).await.expect("offers");
    export
}

async fn next(fresh: &Fresh, export: &Export, pictures: bool, holder: &str) -> NextPart {
    fresh.store.next_part(split(export), pictures, holder, LEASE).await.expect("asks")
}

async fn claim(fresh: &Fresh, export: &Export, part: FilmPart, holder: &str) -> PartClaim {
    fresh.store.claim_part(split(export), part, holder, LEASE).await.expect("asks")
}

pub async fn a_film_is_shared_out_from_both_ends(fresh: Fresh) {
    let export = led(&fresh).await;
    let found = fresh.store.film_to_help("alike", &|_| false).await.expect("asks").expect("may be helped");
    assert_eq!((&found.export.id, found.export.fence), (&export.id, export.fence));
    assert_eq!(found.export.order, export.order, "with all that it takes to make it");
    assert!(fresh.store.film_to_help("another machine", &|_| false).await.expect("asks").is_none());
    let shunned = fresh.store.film_to_help("alike", &|id| id == export.id).await.expect("asks");
    assert!(shunned.is_none(), "nobody has to");
    assert_eq!(claim(&fresh, &export, speech(0), LEAD).await, PartClaim::Ours);
    assert_eq!(next(&fresh, &export, false, "h1").await, NextPart::Part(speech(1)));
    assert!(fresh.store.film_to_help("alike", &|_| false).await.expect("asks").is_none(), "somebody has each");
    assert_eq!(claim(&fresh, &export, speech(1), LEAD).await, PartClaim::Theirs);
    assert_eq!(claim(&fresh, &export, speech(1), "h1").await, PartClaim::Ours, "it has it");
    assert_eq!(next(&fresh, &export, false, "h2").await, NextPart::Later);
    fresh.store.part_is_made(split(&export), speech(1), "h2").await.expect("tells");
    assert_eq!(claim(&fresh, &export, speech(1), LEAD).await, PartClaim::Theirs, "who does not have it made nothing");
    fresh.store.part_is_made(split(&export), speech(1), "h1").await.expect("tells");
    assert_eq!(claim(&fresh, &export, speech(1), LEAD).await, PartClaim::Made);
    let pictures = [piece(0, 0), piece(0, 1), piece(1, 0)];
    fresh.store.offer_parts(split(&export), &pictures, true).await.expect("offers");
    assert_eq!(next(&fresh, &export, true, "h2").await, NextPart::Part(piece(1, 0)));
    assert_eq!(claim(&fresh, &export, piece(0, 0), LEAD).await, PartClaim::Ours);
    assert_eq!(next(&fresh, &export, true, "h1").await, NextPart::Part(piece(0, 1)));
    assert_eq!(next(&fresh, &export, true, "h1").await, NextPart::Over);
    assert_eq!(claim(&fresh, &export, piece(7, 0), LEAD).await, PartClaim::Ours, "nobody was told of it");
    let who = fresh.store.close_split(split(&export)).await.expect("closes");
    assert_eq!(who, [("h1".to_owned(), 2), ("h2".to_owned(), 1), (LEAD.to_owned(), 2)]);
    assert_eq!(next(&fresh, &export, true, "h1").await, NextPart::Over);
}

pub async fn what_somebody_dead_had_is_free_again(fresh: Fresh) {
    let export = led(&fresh).await;
    let renew = async || fresh.store.renew_parts(split(&export), "h1", LEASE, 30_000).await.expect("tells");
    assert_eq!(next(&fresh, &export, false, "h1").await, NextPart::Part(speech(1)));
    fresh.clock.advance(LEASE - 1);
    assert!(renew().await, "it lives");
    fresh.clock.advance(LEASE - 1);
    assert_eq!(claim(&fresh, &export, speech(1), LEAD).await, PartClaim::Theirs);
    fresh.clock.advance(2);
    assert!(fresh.store.film_to_help("alike", &|_| false).await.expect("asks").is_some());
    assert_eq!(claim(&fresh, &export, speech(1), LEAD).await, PartClaim::Ours, "it is silent");
    fresh.store.part_is_made(split(&export), speech(1), "h1").await.expect("tells");
    assert_eq!(claim(&fresh, &export, speech(1), LEAD).await, PartClaim::Ours, "what it still says counts for nothing");
    // Who lives and is stuck has it no longer than others would take for it.
    assert_eq!(next(&fresh, &export, false, "h1").await, NextPart::Part(speech(0)));
    for _ in 0..5 {
        fresh.clock.advance(LEASE - 1);
        assert!(renew().await);
    }
    assert_eq!(claim(&fresh, &export, speech(0), "h2").await, PartClaim::Ours);
    fresh.store.let_parts_go(split(&export), "h2").await.expect("lets go");
    assert_eq!(claim(&fresh, &export, speech(0), "h3").await, PartClaim::Ours);
    // Whoever leads is gone, and the next one begins anew.
    assert!(fresh.store.orphan_export((&export.id, export.fence)).await.expect("lets go"));
    assert!(!renew().await, "nobody wants it");
    assert_eq!(next(&fresh, &export, false, "h1").await, NextPart::Over);
    let second = fresh.claim().await.expect("waits again");
    assert!(!fresh.store.open_split(split(&export), "alike").await.expect("asks"), "the first is nobody any more");
    assert_eq!(fresh.store.forget_splits().await.expect("forgets"), 1, "what it left");
    assert!(fresh.store.open_split(split(&second), "alike").await.expect("opens"));
    fresh.store.offer_parts(split(&export), &[speech(0)], false).await.expect("tells");
    assert_eq!(next(&fresh, &second, false, "h1").await, NextPart::Later, "of the first nothing is taken");
    fresh.ends(&second, News::Failed { message: "no".to_owned() }).await;
    assert_eq!(fresh.store.forget_splits().await.expect("forgets"), 1);
}

pub async fn nobody_helps_while_there_is_something_to_lead(fresh: Fresh) {
    let _led = led(&fresh).await;
    let ben = fresh.account("ben@example.com", "tiny").await;
    let helps = async || fresh.store.film_to_help("alike", &|_| false).await.expect("asks").is_some();
    for name in ["one", "two", "three"] {
        fresh.ask(&ben, name, 1).await.expect("accepted");
        fresh.clock.advance(10);
    }
    assert!(!helps().await, "one waits");
    let one = fresh.claim().await.expect("waits");
    assert!(!helps().await, "another one");
    fresh.claim().await.expect("waits");
    assert!(helps().await, "the third may not run beside two of its account");
    fresh.ends(&one, News::Failed { message: "no".to_owned() }).await;
    assert!(!helps().await, "now it may");
}

pub async fn presenters_come_before_speech_and_with_it_before_pictures(fresh: Fresh) {
    let export = led(&fresh).await;
    let presenter = |presenter| FilmPart::Baked { presenter };
    fresh.store.offer_parts(split(&export), &[presenter(0), presenter(1), piece(0, 0)], true).await.expect("offers");
    assert_eq!(next(&fresh, &export, false, "h1").await, NextPart::Part(presenter(1)));
    assert_eq!(claim(&fresh, &export, presenter(0), LEAD).await, PartClaim::Ours);
    assert_eq!(claim(&fresh, &export, presenter(1), LEAD).await, PartClaim::Theirs);
    assert_eq!(claim(&fresh, &export, speech(0), LEAD).await, PartClaim::Ours, "is not the presenter of its number");
    assert_eq!(next(&fresh, &export, false, "h2").await, NextPart::Part(speech(1)));
    assert_eq!(next(&fresh, &export, true, "h2").await, NextPart::Part(piece(0, 0)));
    fresh.store.part_is_made(split(&export), presenter(1), "h1").await.expect("tells");
    assert_eq!(claim(&fresh, &export, presenter(1), LEAD).await, PartClaim::Made);
    fresh.clock.advance(LEASE + 1);
    assert_eq!(next(&fresh, &export, false, "h3").await, NextPart::Part(presenter(0)), "whoever has it is silent");
}

pub async fn whoever_asks_at_once_gets_another_part(fresh: Fresh) {
    let export = led(&fresh).await;
    let parts: Vec<FilmPart> = (0..20).map(|number| piece(0, number)).collect();
    fresh.store.offer_parts(split(&export), &parts, true).await.expect("offers");
    let mut asking = tokio::task::JoinSet::new();
    for number in 0..30 {
        let (store, id, fence) = (fresh.store.clone(), export.id.clone(), export.fence);
        asking.spawn(async move {
            let split = Split { export: &id, fence };
            store.next_part(split, true, &format!("h{number}"), LEASE).await.expect("asks")
        });
    }
    let got = asking.join_all().await;
    let parts: BTreeSet<FilmPart> =
        got.iter().filter_map(|next| if let NextPart::Part(part) = next { Some(*part) } else { None }).collect();
    assert_eq!((parts.len(), got.iter().filter(|next| **next == NextPart::Over).count()), (20, 10));
}
