use compere_store::{NewAccount, Role, StoreError};

use crate::Fresh;

const HOUR: i64 = 3_600_000;

pub async fn an_account_has_one_address_in_any_case(fresh: Fresh) {
    let ada = fresh.account(" Ada@Example.com ", "api").await;
    assert_eq!(ada.email, "ada@example.com");
    let again = NewAccount {
        email: "ADA@example.com".into(),
        name: "Other".into(),
        password: None,
        role: Role::Admin,
        plan: "free".into(),
    };
    assert!(matches!(fresh.store.create_account(again).await, Err(StoreError::Taken(_))));
    let found = fresh.store.account_by_email("aDa@example.COM").await.expect("asks").expect("known");
    assert_eq!(found.id, ada.id);
    assert!(fresh.store.account("nobody").await.expect("asks").is_none());
    fresh.store.set_name(&ada.id, "Ada L.").await.expect("stores");
    fresh.store.set_role(&ada.id, Role::Admin).await.expect("stores");
    fresh.store.set_plan(&ada.id, "unlimited").await.expect("stores");
    fresh.store.set_presenter(&ada.id, "nora", "blazer").await.expect("stores");
    let ada = &fresh.store.accounts().await.expect("lists")[0];
    assert_eq!((ada.name.as_str(), ada.role, ada.plan.as_str()), ("Ada L.", Role::Admin, "unlimited"));
    assert_eq!((ada.presenter.as_deref(), ada.outfit.as_deref()), (Some("nora"), Some("blazer")));
    fresh.store.ping().await.expect("answers");
    fresh.store.close().await;
}

pub async fn sessions_end_with_the_password(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "api").await;
    let secret = fresh.store.open_session(&ada.id, "a browser").await.expect("opens");
    let session = fresh.store.session(&secret).await.expect("asks").expect("signed in");
    assert_eq!((session.account.id.as_str(), session.csrf.len()), (ada.id.as_str(), 32));
    assert!(fresh.store.session("guessed").await.expect("asks").is_none());
    fresh.store.set_password(&ada.id, "new hash").await.expect("stores");
    assert!(fresh.store.session(&secret).await.expect("asks").is_none());

    let (one, two) = (
        fresh.store.open_session(&ada.id, "").await.expect("opens"),
        fresh.store.open_session(&ada.id, "").await.expect("opens"),
    );
    fresh.store.close_session(&one).await.expect("closes");
    assert!(fresh.store.session(&one).await.expect("asks").is_none());
    assert!(fresh.store.session(&two).await.expect("asks").is_some());
    fresh.store.close_sessions(&ada.id).await.expect("closes");
    assert!(fresh.store.session(&two).await.expect("asks").is_none());

    let late = fresh.store.open_session(&ada.id, "").await.expect("opens");
    fresh.clock.advance(15 * 24 * HOUR);
    assert!(fresh.store.session(&late).await.expect("asks").is_none(), "two weeks are over");
}

pub async fn suspension_ends_tokens_and_sessions(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "api").await;
    let key = fresh.store.issue_key(&ada, "k", None, false).await.expect("issues");
    let token = fresh.token(&key).await;
    let session = fresh.store.open_session(&ada.id, "").await.expect("opens");
    fresh.store.suspend(&ada.id, true).await.expect("stores");
    assert!(fresh.store.caller(&token).await.expect("asks").is_none());
    assert!(fresh.store.session(&session).await.expect("asks").is_none());
    let suspended = fresh.store.pair(&key.app_id, &key.user_key).await.expect("asks").expect("right");
    assert!(suspended.account.suspended_at.is_some(), "the caller is told");
    fresh.store.suspend(&ada.id, false).await.expect("stores");
    assert!(fresh.store.caller(&token).await.expect("asks").is_none(), "what ended stays ended");
    let token = fresh.token(&key).await;
    assert!(fresh.store.caller(&token).await.expect("asks").is_some());
}

pub async fn tokens_live_a_day_and_die_with_their_key(fresh: Fresh) {
    // No name of hexadecimal digits, which chance would write into an id now and then.
    let zoe = fresh.account("zoe@example.com", "api").await;
    let workspace = fresh.store.create_workspace(&zoe.id, "Team").await.expect("creates");
    let key = fresh.store.issue_key(&zoe, "k", Some(&workspace.id), true).await.expect("issues");
    assert!(key.app_id.starts_with("compere.") && !key.app_id.contains("zoe"), "nobody can guess {}", key.app_id);
    assert_ne!(key.app_id, fresh.store.issue_key(&zoe, "another", None, false).await.expect("issues").app_id);
    assert_eq!(key.user_key.as_bytes()[14], b'4', "a UUID of version 4");
    for (app, user) in [(key.app_id.as_str(), "wrong"), ("compere.0123456789abcdef", key.user_key.as_str())] {
        assert!(fresh.store.pair(app, user).await.expect("asks").is_none());
    }
    let token = fresh.token(&key).await;
    let caller = fresh.store.caller(&token).await.expect("asks").expect("known");
    assert_eq!((caller.workspace.as_deref(), caller.expired), (Some(workspace.id.as_str()), false));
    fresh.clock.advance(24 * HOUR - 1);
    assert!(!fresh.store.caller(&token).await.expect("asks").expect("known").expired);
    fresh.clock.advance(1);
    assert!(fresh.store.caller(&token).await.expect("asks").expect("known").expired);

    let token = fresh.token(&key).await;
    assert!(fresh.store.revoke_token(&token).await.expect("stores"));
    assert!(!fresh.store.revoke_token(&token).await.expect("stores"));
    assert!(fresh.store.caller(&token).await.expect("asks").is_none());

    let token = fresh.token(&key).await;
    let eve = fresh.account("eve@example.com", "api").await;
    assert!(!fresh.store.revoke_key(&eve.id, &key.id).await.expect("stores"), "not hers");
    assert!(fresh.store.revoke_key(&zoe.id, &key.id).await.expect("stores"));
    assert!(fresh.store.caller(&token).await.expect("asks").is_none());
    assert!(fresh.store.pair(&key.app_id, &key.user_key).await.expect("asks").is_none());
    let all = fresh.store.keys(&zoe.id).await.expect("lists");
    let listed = all.iter().find(|one| one.id == key.id).expect("is listed");
    assert!(listed.revoked_at.is_some() && listed.last_used_at.is_some());
    assert!(key.user_key.ends_with(&listed.hint));
}

pub async fn an_invitation_works_once_and_for_a_week(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "api").await;
    let secret = fresh.store.invite(&ada.id).await.expect("invites");
    assert_eq!(fresh.store.invited(&secret).await.expect("asks").expect("known").id, ada.id);
    fresh.store.set_password(&ada.id, "hash").await.expect("stores");
    assert!(fresh.store.invited(&secret).await.expect("asks").is_none(), "it was used");
    let secret = fresh.store.invite(&ada.id).await.expect("invites");
    fresh.clock.advance(7 * 24 * HOUR);
    assert!(fresh.store.invited(&secret).await.expect("asks").is_none(), "it is too old");
}

pub async fn workspaces_are_their_owners(fresh: Fresh) {
    let (ada, eve) = (fresh.account("ada@example.com", "api").await, fresh.account("eve@example.com", "api").await);
    let team = fresh.store.create_workspace(&ada.id, "Team").await.expect("creates");
    let project = fresh.ask(&ada, "News", 1).await.expect("accepted");
    assert!(fresh.store.move_project(&ada.id, &project.id, Some(&team.id)).await.expect("stores"));
    assert!(!fresh.store.rename_workspace(&eve.id, &team.id, "Mine").await.expect("stores"));
    assert!(fresh.store.rename_workspace(&ada.id, &team.id, "Films").await.expect("stores"));
    assert_eq!(fresh.store.workspaces(&ada.id).await.expect("lists")[0].name, "Films");
    assert!(fresh.store.workspaces(&eve.id).await.expect("lists").is_empty());
    assert!(!fresh.store.delete_workspace(&eve.id, &team.id).await.expect("stores"));
    assert!(fresh.store.delete_workspace(&ada.id, &team.id).await.expect("stores"));
    let project = fresh.store.project(&ada.id, &project.id).await.expect("asks").expect("still there");
    assert_eq!(project.workspace, None);
}

pub async fn webhook_secrets_overlap(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "api").await;
    assert!(ada.hook_secret.starts_with("whsec_") && ada.hook_secret.len() == 38);
    fresh.store.rotate_hook_secret(&ada.id).await.expect("stores");
    let now = fresh.store.account(&ada.id).await.expect("asks").expect("known");
    assert_ne!(now.hook_secret, ada.hook_secret);
    assert_eq!(now.hook_secret_old, Some((ada.hook_secret, crate::NOON + 24 * HOUR)));
}

/// What identifies somebody is stored as a hash: whoever reads the database cannot use it.
pub async fn secrets_are_not_in_the_database(fresh: Fresh) {
    let ada = fresh.account("ada@example.com", "api").await;
    let key = fresh.store.issue_key(&ada, "k", None, false).await.expect("issues");
    let token = fresh.token(&key).await;
    let session = fresh.store.open_session(&ada.id, "").await.expect("opens");
    let invitation = fresh.store.invite(&ada.id).await.expect("invites");
    let Some(path) = fresh.url.strip_prefix("sqlite:") else { return };
    fresh.store.close().await;
    let mut bytes = std::fs::read(path).expect("the database");
    bytes.extend(std::fs::read(format!("{path}-wal")).unwrap_or_default());
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("ada@example.com"), "we look at the right file");
    for secret in [&key.user_key, &token, &session, &invitation] {
        assert!(!holds(secret));
    }
}
