//! Presenters of footage: whose they are, where they are, and which films show them.

use compere_store::{
    Asset, Before, Forged, NewExport, NewPresenter, NewProject, PresenterBackground, PresenterKind, PresenterState,
    Take, WithdrawnBy,
};
use serde_json::json;

use crate::{Fresh, export_of, project_of};

fn new(account: &str) -> NewPresenter {
    NewPresenter {
        kind: PresenterKind::Footage,
        account: account.to_owned(),
        name: "Ada".to_owned(),
        gender: "female".to_owned(),
        language: "en-US".to_owned(),
        prompts: Some("en".to_owned()),
        background: PresenterBackground::Auto,
        outfit_of: None,
    }
}

fn take(presenter: &str, name: &str, size: i64) -> Take {
    let (presenter, name) = (presenter.to_owned(), name.to_owned());
    let media_type = "video/mp4".to_owned();
    Take { presenter, said: format!("{name}!"), name, media_type, size, created_at: 7, asset: None }
}

pub async fn a_presenter_belongs_to_its_account_and_goes_its_way(fresh: Fresh) {
    let (ada, bob) = (fresh.account("ada@example.com", "api").await, fresh.account("bob@example.com", "api").await);
    let store = &fresh.store;
    let made = store.create_presenter(new(&ada.id)).await.expect("creates");
    assert!(store.presenter(&bob.id, &made.id).await.expect("asks").is_none());
    assert!(store.presenters(&bob.id).await.expect("asks").is_empty());
    assert_eq!(store.presenters(&ada.id).await.expect("asks").len(), 1);

    // Takes come while it is open; one of the same name takes the place of the other.
    for (name, size) in [("01", 100), ("idle", 30), ("01", 70), ("consent", 5)] {
        assert!(store.put_take(&take(&made.id, name, size), Some(&json!([]))).await.expect("puts"), "{name}");
    }
    assert_eq!(store.taken(&ada.id).await.expect("counts").presenters, 105);
    assert!(store.ask_person(&made.id, &json!({"person": "Ada"})).await.expect("asks").is_some());
    let names: Vec<String> = store.takes(&made.id).await.expect("reads").into_iter().map(|take| take.name).collect();
    assert_eq!(names, ["01", "idle"], "a recording of another text is none");

    assert!(store.choose_background(&made.id, PresenterBackground::Cut).await.expect("chooses"));
    let found = store.any_presenter(&made.id).await.expect("asks").expect("is there");
    assert_eq!((made.background, found.background), (PresenterBackground::Auto, PresenterBackground::Cut));
    assert_eq!(found.prompts.as_deref(), Some("en"));
    // Of those that were begun before there were lines in several languages nothing is on record.
    let older = store.create_presenter(NewPresenter { prompts: None, ..new(&bob.id) }).await.expect("creates");
    assert_eq!(store.any_presenter(&older.id).await.expect("asks").expect("is there").prompts, None);

    // It is made, once by somebody who dies.
    use PresenterState::{Building, Collecting, Queued, Ready, Refused, Waiting, Withdrawn};
    assert!(store.move_presenter(&made.id, Collecting, Queued).await.expect("moves"));
    assert!(!store.move_presenter(&made.id, Collecting, Queued).await.expect("moves"), "it is not there any more");
    assert!(!store.put_take(&take(&made.id, "02", 1), None).await.expect("puts"), "too late");
    assert!(!store.delete_take(&made.id, "01").await.expect("deletes"), "too late");
    assert!(store.ask_person(&made.id, &json!({})).await.expect("asks").is_none(), "too late");
    assert!(!store.choose_background(&made.id, PresenterBackground::Keep).await.expect("asks"), "too late");
    assert!(!store.tell_presenter(&made.id, 5.0).await.expect("tells"), "nobody makes it yet");
    assert!(store.move_presenter(&made.id, Queued, Building).await.expect("moves"));
    assert!(store.tell_presenter(&made.id, 40.0).await.expect("tells"));
    let found = store.any_presenter(&made.id).await.expect("asks").expect("is there");
    assert_eq!((found.state, found.progress, found.consent), (Building, 40.0, Some(json!({"person": "Ada"}))));
    assert_eq!(store.strike_presenter(&made.id).await.expect("strikes"), Some(1));
    assert_eq!(store.strike_presenter(&made.id).await.expect("strikes"), None, "it waits");
    assert_eq!(store.presenters_in(Queued).await.expect("asks").len(), 1);
    assert!(store.move_presenter(&made.id, Queued, Building).await.expect("moves"));

    // The footage is no use, then it is.
    let refused = Forged { state: Refused, findings: json!([{"what": "dark"}]), seconds: 0.0, size: 0 };
    assert!(store.forged_presenter(&made.id, &refused).await.expect("keeps"));
    assert!(!store.forged_presenter(&made.id, &refused).await.expect("keeps"), "nobody makes it");
    assert!(store.put_take(&take(&made.id, "01", 90), None).await.expect("puts"));
    assert!(store.delete_take(&made.id, "01").await.expect("deletes"));
    assert!(store.move_presenter(&made.id, Collecting, Building).await.expect("moves"));
    let forged = Forged { state: Waiting, findings: json!([]), seconds: 63.5, size: 5_000 };
    assert!(store.forged_presenter(&made.id, &forged).await.expect("keeps"));
    assert_eq!(store.taken(&ada.id).await.expect("counts").presenters, 5_030);

    // Somebody looks at it.
    assert!(store.decline_presenter(&made.id, &json!([{"what": "another person"}])).await.expect("declines"));
    assert!(!store.approve_presenter(&made.id, "Op").await.expect("approves"), "it does not wait");
    assert!(store.move_presenter(&made.id, Refused, Building).await.expect("moves"));
    assert!(store.forged_presenter(&made.id, &forged).await.expect("keeps"));
    assert!(store.approve_presenter(&made.id, "Op").await.expect("approves"));
    let found = store.presenter(&ada.id, &made.id).await.expect("asks").expect("is there");
    assert_eq!((found.state, found.approved_by.as_deref(), found.seconds), (Ready, Some("Op"), 63.5));

    // A film shows it; it is known when it is gone.
    let before = Before::Create(Box::new(project_of(&ada, "Film")));
    let export = NewExport { presenters: vec![made.id.clone()], ..export_of(&ada, "", 1) };
    let project = store.start_export(before, export).await.expect("stores").expect("is accepted");
    assert!(store.withdraw_presenter(&made.id, WithdrawnBy::Account).await.expect("withdraws"));
    assert!(!store.withdraw_presenter(&made.id, WithdrawnBy::Account).await.expect("withdraws"), "once");
    let films = store.films_with(&made.id).await.expect("asks");
    assert_eq!(films.iter().map(|film| film.project.as_str()).collect::<Vec<_>>(), [project.id.as_str()]);
    let gone = store.presenter(&ada.id, &made.id).await.expect("asks").expect("is on record");
    assert_eq!((gone.state, gone.consent, gone.findings), (Withdrawn, None, None));
    assert!(store.takes(&made.id).await.expect("reads").is_empty());
    assert!(store.presenters(&ada.id).await.expect("asks").is_empty());
    assert_eq!(store.taken(&ada.id).await.expect("counts").presenters, 0);
}

pub async fn outfits_are_found_with_whoever_wears_them(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "api").await;
    let store = &fresh.store;
    let wearer = store.create_presenter(new(&ada.id)).await.expect("creates");
    let outfit =
        |name: &str| NewPresenter { name: name.to_owned(), outfit_of: Some(wearer.id.clone()), ..new(&ada.id) };
    let suit = store.create_presenter(outfit("Suit")).await.expect("creates");
    let coat = store.create_presenter(outfit("Coat")).await.expect("creates");
    let names = async || -> Vec<String> {
        store.outfits_of(&wearer.id).await.expect("asks").into_iter().map(|one| one.name).collect()
    };
    assert_eq!(names().await, ["Suit", "Coat"]);
    let found = store.any_presenter(&suit.id).await.expect("asks").expect("is there");
    assert_eq!((found.outfit_of.as_ref(), wearer.outfit_of.as_ref()), (Some(&wearer.id), None));
    assert!(store.outfits_of(&coat.id).await.expect("asks").is_empty());
    assert!(store.withdraw_presenter(&suit.id, WithdrawnBy::Account).await.expect("withdraws"));
    assert_eq!(names().await, ["Coat"]);
}

pub async fn files_that_takes_are_copies_of_are_found_with_what_else_uses_them(fresh: Fresh) {
    let (ada, bob) = (fresh.account("ada@example.com", "api").await, fresh.account("bob@example.com", "api").await);
    let store = &fresh.store;
    let file = async |account: &str, id: &str| {
        let (id, account, name) = (id.to_owned(), account.to_owned(), format!("{id}.mp4"));
        let asset =
            Asset { id, account, name, media_type: "video/mp4".to_owned(), size: 9, created_at: 1, expires_at: None };
        store.add_asset(&asset).await.expect("adds");
    };
    for id in ["shared", "alone", "gone"] {
        file(&ada.id, id).await;
    }
    file(&bob.id, "of-bob").await;
    let made = store.create_presenter(new(&ada.id)).await.expect("creates");
    let suit = NewPresenter { name: "Suit".to_owned(), outfit_of: Some(made.id.clone()), ..new(&ada.id) };
    let suit = store.create_presenter(suit).await.expect("creates");
    let other = NewPresenter { name: "Other".to_owned(), ..new(&ada.id) };
    let other = store.create_presenter(other).await.expect("creates");
    let takes = [(&made, "01", "shared"), (&made, "02", "gone"), (&made, "03", "of-bob"), (&suit, "01", "alone")];
    for (of, name, asset) in takes.into_iter().chain([(&other, "01", "shared")]) {
        let take = Take { asset: Some(asset.to_owned()), ..take(&of.id, name, 5) };
        assert!(store.put_take(&take, None).await.expect("puts"));
    }
    assert!(store.delete_asset(&ada.id, "gone").await.expect("deletes"));
    let found = store.originals(&made.id).await.expect("asks");
    assert_eq!(found.iter().map(|asset| asset.id.as_str()).collect::<Vec<_>>(), ["alone", "shared"], "in all clothes");
    let project =
        NewProject { body: json!({"scenes": [{"source": "/media/alone/a.mp4?x"}]}), ..project_of(&ada, "Film") };
    store.create_project(project).await.expect("creates");
    assert_eq!(store.uses_of_asset(&ada.id, "alone").await.expect("asks"), ["Ada", "Film", "Suit"][1..]);
    assert!(store.withdraw_presenter(&made.id, WithdrawnBy::Account).await.expect("withdraws"));
    assert_eq!(store.uses_of_asset(&ada.id, "shared").await.expect("asks"), ["Other"]);
    assert!(store.withdraw_presenter(&other.id, WithdrawnBy::Account).await.expect("withdraws"));
    assert!(store.uses_of_asset(&ada.id, "shared").await.expect("asks").is_empty());
    assert!(store.uses_of_asset(&bob.id, "alone").await.expect("asks").is_empty(), "another account's projects");
}

pub async fn a_designed_presenter_needs_nobodys_consent(fresh: Fresh) {
    let (ada, bob) = (fresh.account("ada@example.com", "api").await, fresh.account("bob@example.com", "api").await);
    let store = &fresh.store;
    let design = json!({"name": "Alma", "faces": {"nora": 0.7, "mei": 0.3}});
    let made = NewPresenter { kind: PresenterKind::Design, ..new(&ada.id) };
    let made = store.create_designed(made, design.clone()).await.expect("creates");
    assert_eq!((made.state, made.design.as_ref()), (PresenterState::Ready, Some(&design)));
    assert!(store.presenter(&bob.id, &made.id).await.expect("asks").is_none());
    assert!(!store.put_take(&take(&made.id, "01", 9), None).await.expect("puts"), "it is made of no takes");

    // Another design takes the place of the first, as long as it presents; of footage there is none.
    let other = json!({"name": "Aldo", "faces": {"tom": 1.0}});
    assert!(store.redesign_presenter(&made.id, "Aldo", "male", &other).await.expect("changes"));
    let found = store.presenter(&ada.id, &made.id).await.expect("asks").expect("is there");
    assert_eq!((found.name.as_str(), found.gender.as_str(), found.design), ("Aldo", "male", Some(other.clone())));
    let filmed = store.create_presenter(new(&ada.id)).await.expect("creates");
    assert!(!store.redesign_presenter(&filmed.id, "Ada", "female", &design).await.expect("changes"));
    assert!(store.move_presenter(&made.id, PresenterState::Ready, PresenterState::Withdrawn).await.expect("moves"));
    assert!(!store.redesign_presenter(&made.id, "Alma", "female", &design).await.expect("changes"), "it is gone");
    let found = store.any_presenter(&made.id).await.expect("asks").expect("is there");
    assert_eq!(found.design, Some(other));
}

pub async fn who_is_shown_takes_it_away_with_a_code(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "api").await;
    let store = &fresh.store;
    let text = json!({"person": "Ada"});
    let made = store.create_presenter(new(&ada.id)).await.expect("creates");
    let asked = async || store.ask_person(&made.id, &text).await.expect("asks").expect("it is time");
    let of_code = async |code: &str| store.presenter_of_code(code).await.expect("asks").map(|one| one.id);
    assert_eq!(made.code, None);
    let (first, second) = (asked().await, asked().await);
    assert!(first.len() >= 32 && first != second, "{first}");
    assert_eq!(of_code(&first).await, None, "another one is given out");
    assert_eq!(of_code(&second).await.as_ref(), Some(&made.id));
    let found = store.any_presenter(&made.id).await.expect("asks").expect("is there");
    let hash = found.code.expect("one is given out");
    assert!(hash != second, "only a hash is kept");
    for wrong in ["", &hash, &second.to_uppercase()] {
        assert_eq!(of_code(wrong).await, None, "{wrong}");
    }

    // It is good until it is used, whatever becomes of the presenter meanwhile.
    use PresenterState::{Building, Collecting, Waiting, Withdrawn};
    assert!(store.move_presenter(&made.id, Collecting, Building).await.expect("moves"));
    let forged = Forged { state: Waiting, findings: json!([]), seconds: 1.0, size: 1 };
    assert!(store.forged_presenter(&made.id, &forged).await.expect("keeps"));
    assert!(store.ask_person(&made.id, &text).await.expect("asks").is_none(), "too late for another one");
    assert_eq!(of_code(&second).await.as_ref(), Some(&made.id));
    assert!(store.presenters_taken_back(&ada.id).await.expect("asks").is_empty());
    assert!(store.withdraw_presenter(&made.id, WithdrawnBy::Person).await.expect("withdraws"));
    assert!(
        !store.withdraw_presenter(&made.id, WithdrawnBy::Account).await.expect("withdraws"),
        "who was first counts"
    );
    let gone = store.presenter_of_code(&second).await.expect("asks").expect("is on record");
    assert_eq!(
        (gone.state, gone.withdrawn_by, gone.withdrawn_at),
        (Withdrawn, Some(WithdrawnBy::Person), Some(gone.updated_at))
    );
    let told = store.presenters_taken_back(&ada.id).await.expect("asks");
    assert_eq!(told.iter().map(|one| &one.id).collect::<Vec<_>>(), [&made.id]);
    store.spend_code(&made.id).await.expect("spends");
    assert_eq!(of_code(&second).await, None, "once");

    // Whoever goes by the account's will has nothing to tell the account; nor is there a code where nobody is shown.
    let other = store.create_presenter(new(&ada.id)).await.expect("creates");
    assert!(store.put_statement(&other.id, &json!({"licensedBy": "Ada"})).await.expect("states"));
    let found = store.any_presenter(&other.id).await.expect("asks").expect("is there");
    assert_eq!((found.code, found.withdrawn_by), (None, None));
    assert!(store.withdraw_presenter(&other.id, WithdrawnBy::Account).await.expect("withdraws"));
    assert_eq!(store.presenters_taken_back(&ada.id).await.expect("asks").len(), 1);
}
