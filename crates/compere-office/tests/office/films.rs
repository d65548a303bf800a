//! Projects and exports.

use compere_office::{Refusal, Saved, State, request_of};
use compere_store::{ExportState, Key, ProjectKind};
use serde_json::json;

use super::stage::{Stage, draft, film};

#[tokio::test]
async fn whoever_orders_by_a_page_overtakes_nobody() {
    let stage = Stage::open().await;
    let (ada, bob) = (stage.member("ada").await, stage.member("bob").await);
    stage.office.create(&ada, &film("first")).await.expect("is accepted");
    stage.store.claim_export("worker", 1000).await.expect("answers").expect("there is one");
    let project = stage.office.create(&ada, &draft("second")).await.expect("is stored").project;
    stage.office.order(&ada, &project.id, "1080", "mp4").await.expect("is accepted");
    stage.clock.advance(1000);
    stage.office.create(&bob, &film("bob's")).await.expect("is accepted");
    // One of ada's runs already, so it is bob's turn, by whichever door she ordered another.
    let next = stage.store.claim_export("worker", 1000).await.expect("answers").expect("there is one");
    assert_eq!(next.export.account, bob.account.id);
    assert_eq!(*stage.bell.rung.lock().expect("a lock"), 3);
}

#[tokio::test]
async fn both_doors_order_the_same_film() {
    let stage = Stage::open().await;
    let ada = stage.member("ada").await;
    let project = stage.office.create(&ada, &draft("a film")).await.expect("is stored").project;
    let paged = stage.office.order(&ada, &project.id, "720", "mp4").await.expect("is accepted");
    let asked = stage.office.export(&ada, &project.id, &json!({"resolution": "720"})).await.expect("is accepted");
    let (paged, asked) = (paged.export.expect("an export"), asked.export.expect("an export"));
    assert_eq!((&paged.order, paged.reserved), (&asked.order, asked.reserved));
    let snapshot = async || {
        let claimed = stage.store.claim_export("worker", 1000).await.expect("answers").expect("there is one");
        claimed.export.order.snapshot
    };
    assert_eq!(snapshot().await, snapshot().await);
}

#[tokio::test]
async fn a_copy_keeps_the_request_that_it_was_made_of() {
    let stage = Stage::open().await;
    let ada = stage.member("ada").await;
    let older = json!({"projectName": "older", "orientation": "landscape", "isExport": false, "scenes": [{
        "AIModel": {"script": "Good morning.", "model": "figure", "clothes": "plain", "locationX": 0, "locationY": 0,
                    "scale": 1},
    }]});
    let original = stage.office.create_older(&ada, &older).await.expect("is stored").0.project;
    assert_eq!(original.kind, ProjectKind::Legacy);
    for same_name in [true, false] {
        let copy = stage.office.duplicate(&ada, &original.id, same_name).await.expect("is copied");
        assert_eq!(copy.kind, ProjectKind::Legacy);
        let request = request_of(&copy).expect("reads").expect("the copy can be read and edited as it was sent");
        assert_eq!(request["scenes"], older["scenes"]);
        assert_eq!(request["projectName"], json!(copy.name));
        assert_eq!(copy.name, if same_name { "older" } else { "Copy of older" });
    }
}

#[tokio::test]
async fn what_is_deleted_takes_its_files_along() {
    let stage = Stage::open().await;
    let (ada, bob) = (stage.member("ada").await, stage.member("bob").await);
    let project = stage.office.create(&ada, &film("a film")).await.expect("is accepted").project;
    let export = project.export.clone().expect("an export").id;
    let slide = Key::Slide(project.id.clone(), 1, "png".to_owned());
    stage.objects.put(&slide, "x".into()).await.expect("is kept");
    let id = [project.id.clone()];
    assert_eq!(stage.office.delete(&bob, &id).await.expect("answers"), 0, "somebody else's");
    assert!(stage.objects.head(&slide).await.expect("answers").is_some());
    let twice = [project.id.clone(), project.id, "unknown".to_owned()];
    assert_eq!(stage.office.delete(&ada, &twice).await.expect("answers"), 1);
    assert!(stage.objects.head(&slide).await.expect("answers").is_none(), "its slides are gone");
    assert_eq!(*stage.bell.cancelled.lock().expect("a lock"), [export], "its export ends");
}

#[tokio::test]
async fn a_refused_order_changes_nothing() {
    let stage = Stage::open().await;
    let ada = stage.member("ada").await;
    let mut body = film("wrong");
    body["scenes"][0]["clips"][0]["width"] = json!("wide");
    body["webhookUrl"] = json!("ftp://x/");
    let Err(Refusal::Problems(problems)) = stage.office.create(&ada, &body).await else { panic!("is refused") };
    let places: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(places, ["scenes[0].clips[0].width", "webhookUrl"]);
    let none = stage
        .office
        .projects(&ada, compere_store::ProjectList { page: compere_store::Page::newest(10), ..Default::default() })
        .await;
    assert_eq!(none.expect("answers").1, 0);
    let project = stage.office.create(&ada, &draft("fine")).await.expect("is stored").project;
    let wrong = stage.office.order(&ada, &project.id, "8k", "mp4").await.expect_err("there is no such resolution");
    assert!(matches!(wrong, Refusal::Form(_)));
    assert_eq!(State::of(&stage.office.project(&ada, &project.id).await.expect("is there")), State::Draft);
}

#[tokio::test]
async fn somebody_elses_and_unknown_are_the_same_answer() {
    let stage = Stage::open().await;
    let (ada, bob) = (stage.member("ada").await, stage.member("bob").await);
    let project = stage.office.create(&ada, &draft("mine")).await.expect("is stored").project;
    let foreign = stage.office.project(&bob, &project.id).await.expect_err("is foreign");
    assert_eq!(foreign, Refusal::no_project(&project.id));
    assert!(stage.office.rename(&bob, &project.id, "theirs").await.is_err());
    assert!(stage.office.order(&bob, &project.id, "720", "mp4").await.is_err());
    assert!(stage.office.revisions(&bob, &project.id).await.is_err());
    // A key pair that is bound to a workspace sees no other.
    let bound = compere_office::Member { workspace: Some("elsewhere".to_owned()), ..ada.clone() };
    assert!(stage.office.project(&bound, &project.id).await.is_err());
    assert_eq!(stage.office.delete(&bound, &[project.id]).await.expect("answers"), 0);
}

#[tokio::test]
async fn edits_count_and_come_back() {
    let stage = Stage::open().await;
    let ada = stage.member("ada").await;
    let project = stage.office.create(&ada, &draft("one")).await.expect("is stored").project;
    let saved = stage.office.save(&ada, &project.id, 1, &draft("two"), "").await.expect("is kept");
    assert!(matches!(saved, Saved::As(2)));
    let late = stage.office.save(&ada, &project.id, 1, &draft("three"), "").await.expect("answers");
    assert!(matches!(late, Saved::Overtaken(2)));
    assert_eq!(stage.office.rename(&ada, &project.id, " four ").await.expect("is renamed"), 3);
    let (revision, body) = stage.office.restore(&ada, &project.id, 1).await.expect("is there");
    assert_eq!((revision, &body["name"]), (4, &json!("one")));
    let cancelled = stage.office.cancel(&ada, &project.id).await.expect("answers");
    assert_eq!(cancelled, None, "nothing runs");
    let project = stage.office.order(&ada, &project.id, "480", "wav").await.expect("is accepted");
    assert_eq!(State::of(&project), State::Export(ExportState::Queued));
    assert!(stage.office.cancel(&ada, &project.id).await.expect("answers").is_some());
}
