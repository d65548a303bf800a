use std::sync::Arc;

use compere_store::{
    Before, Ended, Made, NewAccount, NewExport, NewProject, Plan, ProjectKind, ProjectList, Role, Store, TestClock,
};
use serde_json::json;

#[tokio::test]
async fn an_export_ends_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let clock = Arc::new(TestClock::at(1_700_000_000_000));
    let url =
        std::env::var("COMPERE_TEST_DB").unwrap_or_else(|_| format!("sqlite:{}/compere.db", dir.path().display()));
    let store = Store::open(&url, Plan::built_in(), clock.clone()).await.expect("opens");
    let account = store
        .create_account(NewAccount {
            email: "Ada@Example.com".into(),
            name: "Ada".into(),
            password: None,
            role: Role::Admin,
            plan: "api".into(),
        })
        .await
        .expect("creates");
    let key = store.issue_key(&account, "first", None).await.expect("issues");
    let (token, _) = store.issue_token(&key.app_id, &key.user_key).await.expect("asks").expect("is right");
    let caller = store.caller(&token).await.expect("asks").expect("known");
    assert_eq!(caller.account.id, account.id);
    let body = json!({"name": "News", "orientation": "landscape", "scenes": [{}, {}]});
    let project = NewProject {
        id: None,
        account: account.id.clone(),
        workspace: None,
        name: "News".into(),
        orientation: "landscape".into(),
        kind: ProjectKind::Scenes,
        body: body.clone(),
        request: None,
        callback_id: None,
        importing: None,
    };
    let export = NewExport {
        project: String::new(),
        account: account.id.clone(),
        name: "News".into(),
        resolution: "1080".into(),
        format: "mp4".into(),
        snapshot: body.clone(),
        priority: 0,
        webhook: None,
        webhook_method: "POST".into(),
        callback_id: None,
        reserve: 5,
        warnings: vec![],
    };
    let project =
        store.start_export(Before::Create(Box::new(project)), export).await.expect("stores").expect("accepts");
    assert_eq!(project.state(), "queued");
    assert_eq!(store.balance(&account.id).await.expect("sums"), 5_995);
    let claimed = store.claim_export("w1", 1000).await.expect("asks").expect("one waits");
    assert!(store.claim_export("w2", 1000).await.expect("asks").is_none());
    let made = Made { duration: 12.0, size: 3, file_name: "News.mp4".into(), ..Made::default() };
    let ended = Ended::Exported { made: Box::new(made), credits: 2 };
    assert!(store.end_export((&claimed.id, claimed.fence), &ended, None).await.expect("stores"));
    assert!(!store.end_export((&claimed.id, claimed.fence), &ended, None).await.expect("stores"));
    assert_eq!(store.balance(&account.id).await.expect("sums"), 5_998);
    let (list, count) = store
        .projects(&account.id, &ProjectList { limit: 10, state: Some("exported".into()), ..ProjectList::default() })
        .await
        .expect("lists");
    assert_eq!((list.len(), count), (1, 1));
    let edited = store.edit_project(&account.id, &project.id, 1, &json!({"scenes": []}), "edit").await.expect("edits");
    assert_eq!(edited, Some(2));
}
