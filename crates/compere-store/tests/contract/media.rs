//! Slides stay as long as somebody shows them.

use std::collections::BTreeSet;

use compere_store::{
    Account, Asset, Before, Movement, NewExport, NewProject, Order, Plan, Project, ProjectKind, Remembered, Store,
    Taken,
};
use serde_json::json;

use crate::{Fresh, export_of, project_of};

/// As an import leaves it: its scenes link pictures that lie under its own id.
async fn deck(fresh: &Fresh, account: &Account) -> Project {
    let new = NewProject { kind: ProjectKind::Slides, ..project_of(account, "Deck") };
    let deck = fresh.store.create_project(new).await.expect("creates");
    let body = showing(&deck.id);
    fresh.store.edit_project(&account.id, &deck.id, 1, &body, "imported").await.expect("edits").expect("is current");
    deck
}

fn showing(media: &str) -> serde_json::Value {
    json!({"name": "Deck", "scenes": [{"background": {"source_url": format!("/media/s/{media}/sig/slide-1.png")}}]})
}

async fn delete(fresh: &Fresh, account: &Account, project: &Project) -> Vec<String> {
    let ids = std::slice::from_ref(&project.id);
    let mut media = fresh.store.delete_projects(&account.id, ids).await.expect("deletes").media;
    // Whatever lies under the id of one that is no deck is nobody else's.
    media.retain(|media| *media != project.id || project.kind == ProjectKind::Slides);
    media
}

pub async fn what_an_account_takes_is_counted(fresh: Fresh) {
    let (ada, bob) = (fresh.account("ada@example.com", "tiny").await, fresh.account("bob@example.com", "api").await);
    assert_eq!(fresh.store.taken(&ada.id).await.expect("counts"), Taken::default());
    let asset = Asset {
        id: "0123".to_owned(),
        account: ada.id.clone(),
        name: "a.png".to_owned(),
        media_type: "image/png".to_owned(),
        size: 700,
        created_at: 1,
        expires_at: None,
    };
    fresh.store.add_asset(&asset).await.expect("stores");
    let deck = deck(&fresh, &ada).await;
    fresh.store.weigh_deck(&deck.id, 5_000).await.expect("stores");
    // A new version weighs on top, and is no longer waited for after a start.
    fresh.store.weigh_deck(&deck.id, 0).await.expect("stores");
    fresh.store.set_importing(&deck.id, Some(r#"{"state":"importing","progress":5.0}"#)).await.expect("stores");
    let forgotten = fresh.store.forget_renewals().await.expect("forgets");
    let read = fresh.store.project(&ada.id, &deck.id).await.expect("reads").expect("is there");
    assert_eq!((forgotten, read.importing), (1, None));
    let taken = fresh.store.taken(&ada.id).await.expect("counts");
    assert_eq!((taken, taken.all()), (Taken { uploads: 700, decks: 5_000, films: 0, presenters: 0 }, 5_700));
    assert_eq!(fresh.store.taken(&bob.id).await.expect("counts").all(), 0);
    fresh.store.add_fonts(&[crate::fonts::font(&bob, "f", "Brand", "Bold")]).await.expect("stores");
    assert_eq!(fresh.store.taken(&bob.id).await.expect("counts").uploads, 30);
    delete(&fresh, &ada, &deck).await;
    assert_eq!(fresh.store.taken(&ada.id).await.expect("counts").all(), 700);
    // Speech is paid for at once, as far as there is something to pay with.
    let charge = async |amount| fresh.store.charge(&ada.id, Movement::Speech, amount, "").await.expect("charges");
    assert_eq!((charge(4).await, charge(7).await, charge(6).await), (Ok(()), Err(6), Ok(())));
}

pub async fn a_copy_keeps_the_slides_of_a_deleted_original(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "api").await;
    let original = deck(&fresh, &ada).await;
    let copy = NewProject { body: showing(&original.id), ..project_of(&ada, "Copy") };
    let copy = fresh.store.create_project(copy).await.expect("creates");
    // Another comes to show them by an edit, and one that is exported along with it.
    let edited = fresh.store.create_project(project_of(&ada, "Edited")).await.expect("creates");
    let before = Before::Edit { revision: 1, body: Box::new(showing(&original.id)), note: String::new() };
    let export = export_of(&ada, &edited.id, 1);
    fresh.store.start_export(before, export).await.expect("stores").expect("accepted");

    assert!(delete(&fresh, &ada, &original).await.is_empty(), "two others show them");
    assert!(fresh.store.media_is_shown(&original.id).await.expect("asks"), "and nobody sweeps them");
    assert!(delete(&fresh, &ada, &copy).await.is_empty());
    assert_eq!(
        delete(&fresh, &ada, &edited).await,
        std::slice::from_ref(&original.id),
        "the last one takes them along"
    );
    assert!(!fresh.store.media_is_shown(&original.id).await.expect("asks"));

    let alone = deck(&fresh, &ada).await;
    assert_eq!(delete(&fresh, &ada, &alone).await, [alone.id]);
}

pub async fn links_in_other_hands_keep_nothing(fresh: Fresh) {
    let (ada, eve) = (fresh.account("ada@example.com", "api").await, fresh.account("eve@example.com", "api").await);
    let original = deck(&fresh, &ada).await;
    let hers = NewProject { body: showing(&original.id), ..project_of(&eve, "Hers") };
    let hers = fresh.store.create_project(hers).await.expect("creates");
    assert_eq!(delete(&fresh, &ada, &original).await, [original.id], "what ada deletes is gone");
    assert!(delete(&fresh, &eve, &hers).await.is_empty());
    let imagined = NewProject { body: showing("feedfeedfeedfeedfeedfeed"), ..project_of(&ada, "Odd") };
    let imagined = fresh.store.create_project(imagined).await.expect("creates");
    assert!(delete(&fresh, &ada, &imagined).await.is_empty(), "nobody owns what was never imported");
}

/// A restored backup, and with it a database of a version that did not count, knows all the same.
pub async fn older_records_are_counted(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "api").await;
    let original = deck(&fresh, &ada).await;
    let copy = NewProject { body: showing(&original.id), ..project_of(&ada, "Copy") };
    let copy = fresh.store.create_project(copy).await.expect("creates");
    let dir = tempfile::tempdir().expect("a folder");
    fresh.store.dump(dir.path()).await.expect("dumps");
    let url = format!("sqlite:{}/other.db", dir.path().display());
    let store = Store::open(&url, Plan::built_in(), fresh.clock.clone()).await.expect("opens");
    store.restore(dir.path()).await.expect("restores");
    let other = Fresh { store, clock: fresh.clock.clone(), url };
    assert!(delete(&other, &ada, &original).await.is_empty());
    assert_eq!(delete(&other, &ada, &copy).await, [original.id]);
}

pub async fn a_new_secret_renews_every_text_with_links(fresh: Fresh) {
    let (ada, eve) = (fresh.account("ada@example.com", "api").await, fresh.account("eve@example.com", "api").await);
    let deck = deck(&fresh, &ada).await;
    let new = NewProject { request: Some(showing(&deck.id)), body: showing(&deck.id), ..project_of(&ada, "Copy") };
    let order = Order { snapshot: showing(&deck.id), ..export_of(&ada, "", 0).order };
    let export = NewExport { order, ..export_of(&ada, "", 0) };
    let copy =
        fresh.store.start_export(Before::Create(Box::new(new)), export).await.expect("stores").expect("accepted");
    let stolen = NewProject { body: showing(&deck.id), ..project_of(&eve, "Stolen") };
    let stolen = fresh.store.create_project(stolen).await.expect("creates");
    fresh.store.recall(&ada.id, "key", "hash").await.expect("asks");
    fresh.store.remember(&ada.id, "key", 200, &showing(&deck.id).to_string()).await.expect("stores");
    fresh.store.set_setting("link_secret", "old").await.expect("stores");

    let renewed = |text: &str, owned: &BTreeSet<String>| {
        if owned.contains(&deck.id) { text.replace("/sig/", "/new/") } else { text.to_owned() }
    };
    // The deck, the copy's body and request, the export's snapshot, an answer.
    assert_eq!(fresh.store.renew_links("new", renewed).await.expect("renews"), 5);
    assert_eq!(fresh.store.setting("link_secret").await.expect("asks").as_deref(), Some("new"));
    let project = async |account: &Account, id: &str| {
        fresh.store.project(&account.id, id).await.expect("asks").expect("is there")
    };
    assert!(project(&ada, &deck.id).await.body.contains("/new/"));
    let copy = project(&ada, &copy.id).await;
    assert!(copy.body.contains("/new/") && copy.request.is_some_and(|request| request.contains("/new/")));
    assert!(project(&eve, &stolen.id).await.body.contains("/sig/"), "she owns nothing of it");
    let claimed = fresh.claim().await.expect("waits");
    assert!(claimed.order.snapshot.to_string().contains("/new/"));
    match fresh.store.recall(&ada.id, "key", "hash").await.expect("asks") {
        Remembered::Answered { answer, .. } => assert!(answer.contains("/new/")),
        other => panic!("{other:?}"),
    }
    // What a project was before is kept as well.
    let edited = fresh.store.edit_project(&ada.id, &deck.id, 2, &showing("x"), "edited").await.expect("edits");
    assert!(edited.is_some());
    let again = |text: &str, _: &BTreeSet<String>| text.replace("/new/", "/sig/");
    assert_eq!(fresh.store.renew_links("newer", again).await.expect("renews"), 5);
}
