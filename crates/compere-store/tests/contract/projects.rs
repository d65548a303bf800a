use compere_media::Orientation;
use compere_store::{Asset, Deleted, ExportState, Page, ProjectList, ProjectState, Remembered, new_id};
use serde_json::json;

use crate::{Fresh, NOON, body, project_of};

pub async fn a_project_comes_back_as_it_was_stored(fresh: Fresh) {
    let (ada, eve) = (fresh.account("ada@example.com", "api").await, fresh.account("eve@example.com", "api").await);
    let id = new_id(NOON);
    let mut new = project_of(&ada, "Täglich 'Neues' 日本");
    new.id = Some(id.clone());
    new.request = Some(json!({"AIModel": 1}));
    new.importing = Some(r#"{"state":"importing"}"#.to_owned());
    let project = fresh.store.create_project(new).await.expect("creates");
    assert_eq!((project.id.as_str(), project.state().as_str(), project.scene_count), (id.as_str(), "importing", 2));
    assert_eq!(project.body().expect("JSON"), body(2), "unknown keys and their order included");
    assert_eq!(project.body, body(2).to_string());
    assert_eq!(project.request.as_deref(), Some(r#"{"AIModel":1}"#));
    let told = r#"{"state":"failed","error":"It has no pages.","code":4220}"#;
    fresh.store.set_importing(&id, Some(told)).await.expect("stores");
    for state in ProjectState::ALL {
        let list = ProjectList { state: Some(state), page: Page::newest(9), ..ProjectList::default() };
        let (found, count) = fresh.store.projects(&ada.id, &list).await.expect("lists");
        assert_eq!(count, i64::from(state == ProjectState::Failed), "{state}");
        assert!(found.iter().all(|project| project.state() == state), "{state}");
    }
    fresh.store.set_importing(&id, None).await.expect("stores");
    let project = fresh.store.project(&ada.id, &id).await.expect("asks").expect("known");
    assert_eq!((project.state().as_str(), project.callback_id.as_deref()), ("draft", Some("call me")));
    assert!(fresh.store.project(&eve.id, &id).await.expect("asks").is_none());
    assert_eq!(fresh.store.project_name(&id).await.expect("asks").as_deref(), Some("Täglich 'Neues' 日本"));
    let named = fresh.store.project_by_name(&ada.id, "Täglich 'Neues' 日本").await.expect("asks").expect("known");
    assert_eq!(named.id, id);
    assert!(fresh.store.project_by_name(&eve.id, "Täglich 'Neues' 日本").await.expect("asks").is_none());
}

pub async fn edits_keep_the_old_and_refuse_the_outdated(fresh: Fresh) {
    let (ada, eve) = (fresh.account("ada@example.com", "api").await, fresh.account("eve@example.com", "api").await);
    let project = fresh.store.create_project(project_of(&ada, "News")).await.expect("creates");
    let id = &project.id;
    let new = json!({"name": "Newer", "orientation": "portrait", "scenes": [{}]});
    assert_eq!(fresh.store.edit_project(&eve.id, id, 1, &new, "x").await.expect("stores"), None);
    assert_eq!(fresh.store.edit_project(&ada.id, id, 1, &new, "by API").await.expect("stores"), Some(2));
    assert_eq!(fresh.store.edit_project(&ada.id, id, 1, &new, "too late").await.expect("stores"), None);
    let now = fresh.store.project(&ada.id, id).await.expect("asks").expect("known");
    assert_eq!(
        (now.name.as_str(), now.orientation, now.revision, now.scene_count),
        ("Newer", Orientation::Portrait, 2, 1)
    );
    let revisions = fresh.store.revisions(&ada.id, id).await.expect("lists");
    assert_eq!((revisions.len(), revisions[0].revision, revisions[0].note.as_str()), (1, 1, "by API"));
    assert_eq!(fresh.store.revision_body(&ada.id, id, 1).await.expect("asks"), Some(body(2)));
    assert_eq!(fresh.store.revision_body(&eve.id, id, 1).await.expect("asks"), None, "not hers");
    assert!(fresh.store.revisions(&eve.id, id).await.expect("lists").is_empty());
    assert_eq!(fresh.store.revision_body(&ada.id, id, 7).await.expect("asks"), None);
    for revision in 2..60 {
        fresh.store.edit_project(&ada.id, id, revision, &body(1), "").await.expect("stores").expect("is current");
    }
    let kept = fresh.store.revisions(&ada.id, id).await.expect("lists");
    assert_eq!((kept.len(), kept[0].revision), (50, 59));
}

pub async fn lists_are_pages_of_what_was_asked_for(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "unlimited").await;
    let team = fresh.store.create_workspace(&ada.id, "Team").await.expect("creates");
    for number in 0..7 {
        fresh.clock.advance(1000);
        let mut new = project_of(&ada, &format!("Film {number} 100%_"));
        new.workspace = (number % 2 == 0).then(|| team.id.clone());
        fresh.store.create_project(new).await.expect("creates");
    }
    fresh.ask(&ada, "ÄRGER Queued", 1).await.expect("accepted");
    let list = |edit: fn(&mut ProjectList)| {
        let mut list = ProjectList { page: Page::newest(3), ..ProjectList::default() };
        edit(&mut list);
        list
    };
    let (page, count) = fresh.store.projects(&ada.id, &list(|l| l.offset = 2)).await.expect("lists");
    let names: Vec<&str> = page.iter().map(|project| project.name.as_str()).collect();
    assert_eq!((names, count), (vec!["Film 5 100%_", "Film 4 100%_", "Film 3 100%_"], 8));
    assert_eq!(page[0].body, "{}", "lists are light");
    let mut in_team = list(|_| {});
    in_team.workspace = Some(team.id.clone());
    assert_eq!(fresh.store.projects(&ada.id, &in_team).await.expect("lists").1, 4);
    let states = |state: &'static str| ProjectList {
        state: ProjectState::parse(state),
        page: Page::newest(9),
        ..ProjectList::default()
    };
    assert_eq!(fresh.store.projects(&ada.id, &states("draft")).await.expect("lists").1, 7);
    assert_eq!(fresh.store.projects(&ada.id, &states("queued")).await.expect("lists").1, 1);
    assert_eq!(fresh.store.projects(&ada.id, &states("exported")).await.expect("lists").1, 0);
    for (search, hits) in [("fILM 3", 1), ("film", 7), ("100%_", 7), ("x%", 0), ("ärger", 1)] {
        let found = ProjectList { search: Some(search.to_owned()), page: Page::newest(9), ..ProjectList::default() };
        assert_eq!(fresh.store.projects(&ada.id, &found).await.expect("lists").1, hits, "{search}");
    }
    // A page goes on behind a project, also one that is gone.
    let behind = ProjectList {
        page: Page { after: Some((page[0].created_at, page[0].id.clone())), limit: 2 },
        ..ProjectList::default()
    };
    fresh.store.delete_projects(&ada.id, std::slice::from_ref(&page[0].id)).await.expect("deletes");
    let (rest, _) = fresh.store.projects(&ada.id, &behind).await.expect("lists");
    assert_eq!(rest.iter().map(|project| &project.id).collect::<Vec<_>>(), [&page[1].id, &page[2].id]);
    let eve = fresh.account("eve@example.com", "api").await;
    assert_eq!(fresh.store.projects(&eve.id, &states("draft")).await.expect("lists").1, 0);

    // Some serve as templates, of their own account only.
    let templates = async || fresh.store.templates(&ada.id).await.expect("lists");
    for (account, serves, there) in [(&eve, true, false), (&ada, true, true), (&ada, true, true)] {
        let marked = fresh.store.mark_template(&account.id, &page[1].id, serves).await.expect("marks");
        assert_eq!(marked, there);
    }
    assert_eq!(templates().await.iter().map(|project| &project.id).collect::<Vec<_>>(), [&page[1].id]);
    assert!(fresh.store.templates(&eve.id).await.expect("lists").is_empty());
    fresh.store.mark_template(&ada.id, &page[1].id, false).await.expect("marks");
    assert!(templates().await.is_empty());
}

pub async fn deleting_takes_own_ones_only_and_stops_exports(fresh: Fresh) {
    let (ada, eve) = (fresh.account("ada@example.com", "tiny").await, fresh.account("eve@example.com", "api").await);
    let running = fresh.ask(&ada, "Running", 2).await.expect("accepted");
    let claimed = fresh.claim().await.expect("one waits");
    let queued = fresh.ask(&ada, "Queued", 3).await.expect("accepted");
    let ids = [running.id.clone(), queued.id.clone(), "unknown".to_owned()];
    assert_eq!(fresh.store.delete_projects(&eve.id, &ids).await.expect("deletes"), Deleted::default());
    let export = fresh.store.export(&claimed.id).await.expect("asks").expect("known");
    assert!(!export.cancel_asked && export.webhook.is_some(), "nothing of hers, nothing happened");
    let deleted = fresh.store.delete_projects(&ada.id, &ids).await.expect("deletes");
    assert_eq!((deleted.projects, deleted.exports.len(), deleted.media.len()), (2, 2, 2));
    assert!(fresh.store.project(&ada.id, &running.id).await.expect("asks").is_none());
    assert_eq!(fresh.store.balance(&ada.id).await.expect("sums"), 8, "the waiting one's credits are back");
    let export = fresh.store.export(&claimed.id).await.expect("asks").expect("known");
    assert!(export.cancel_asked && export.webhook.is_none() && export.state.is_running());
    let queued = fresh.store.exports_of(&ada.id, &queued.id, &Page::newest(9)).await.expect("lists");
    assert_eq!(queued[0].state, ExportState::Cancelled);
}

pub async fn uploads_and_settings_are_kept(fresh: Fresh) {
    let (ada, eve) = (fresh.account("ada@example.com", "api").await, fresh.account("eve@example.com", "api").await);
    let asset = Asset {
        id: "a1".into(),
        account: ada.id.clone(),
        name: "logo.png".into(),
        media_type: "image/png".into(),
        size: 12,
        created_at: NOON,
        expires_at: None,
    };
    fresh.store.add_asset(&asset).await.expect("stores");
    assert_eq!(fresh.store.asset("a1").await.expect("asks").expect("known").media_type, "image/png");
    assert_eq!(fresh.store.assets(&ada.id, &Page::newest(10), 0).await.expect("lists").0.len(), 1);
    assert!(!fresh.store.delete_asset(&eve.id, "a1").await.expect("deletes"));
    assert!(fresh.store.delete_asset(&ada.id, "a1").await.expect("deletes"));
    assert!(fresh.store.asset("a1").await.expect("asks").is_none());
    fresh.store.add_asset(&Asset { id: "a2".into(), ..asset.clone() }).await.expect("stores");
    fresh.store.add_asset(&Asset { id: "a3".into(), expires_at: Some(NOON + 5), ..asset }).await.expect("stores");
    assert!(fresh.store.expired_assets(9).await.expect("asks").is_empty());
    fresh.clock.advance(6);
    let over = fresh.store.expired_assets(9).await.expect("asks");
    assert_eq!(over.iter().map(|asset| asset.id.as_str()).collect::<Vec<_>>(), ["a3"]);

    assert_eq!(fresh.store.setting("secret").await.expect("asks"), None);
    assert_eq!(fresh.store.setting_or("secret", "one").await.expect("stores"), "one");
    assert_eq!(fresh.store.setting_or("secret", "two").await.expect("stores"), "one", "the first stays");
    fresh.store.set_setting("secret", "three").await.expect("stores");
    assert_eq!(fresh.store.setting("secret").await.expect("asks").as_deref(), Some("three"));
}

pub async fn a_request_is_answered_once(fresh: Fresh) {
    let store = &fresh.store;
    assert_eq!(store.recall("ada", "k", "h1").await.expect("asks"), Remembered::New);
    assert_eq!(store.recall("ada", "k", "h1").await.expect("asks"), Remembered::Conflict, "still being answered");
    assert_eq!(store.recall("eve", "k", "h1").await.expect("asks"), Remembered::New, "another account's key");
    store.remember("ada", "k", 200, "{}").await.expect("stores");
    let answered = Remembered::Answered { status: 200, answer: "{}".to_owned() };
    assert_eq!(store.recall("ada", "k", "h1").await.expect("asks"), answered);
    assert_eq!(store.recall("ada", "k", "h2").await.expect("asks"), Remembered::Conflict, "another body");
    store.forget("eve", "k").await.expect("forgets");
    assert_eq!(store.recall("eve", "k", "h9").await.expect("asks"), Remembered::New);
    store.forget_unanswered().await.expect("forgets");
    assert_eq!(store.recall("eve", "k", "h8").await.expect("asks"), Remembered::New);
    assert_eq!(store.recall("ada", "k", "h1").await.expect("asks"), answered);
    fresh.clock.advance(24 * 3_600_000 + 1);
    assert_eq!(store.recall("ada", "k", "h2").await.expect("asks"), Remembered::New, "a day is over");
}
