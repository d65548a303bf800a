//! The first start: an administrator and a key pair, told once.

use compere_jobs::{Engine, credits_for};
use compere_store::{
    Account, Before, ExportState, NewAccount, NewExport, NewProject, ProjectKind, Role, Store, hash_password, hex,
    random_bytes,
};
use serde_json::Value;

use super::links::{Links, Part};

/// What a new installation shows of itself.
const WELCOME: &str = include_str!("../../../../examples/welcome.json");

/// What is printed once and never again.
#[derive(Debug, Clone)]
pub struct First {
    pub account: Account,
    pub email: String,
    pub password: String,
    pub app_id: String,
    pub user_key: String,
}

/// Makes the administrator when there is no account yet.
pub async fn first_run(store: &Store) -> Result<Option<First>, String> {
    let say = |error: compere_store::StoreError| error.to_string();
    if !store.accounts().await.map_err(say)?.is_empty() {
        return Ok(None);
    }
    let password = hex(&random_bytes::<10>());
    let hash = {
        let password = password.clone();
        tokio::task::spawn_blocking(move || hash_password(&password)).await.map_err(|error| error.to_string())?
    };
    let admin = store
        .create_account(NewAccount {
            email: "admin@compere.local".to_owned(),
            name: "Administrator".to_owned(),
            password: Some(hash),
            role: Role::Admin,
            plan: "unlimited".to_owned(),
        })
        .await
        .map_err(say)?;
    let key = store.issue_key(&admin, "first", None).await.map_err(say)?;
    Ok(Some(First { email: admin.email.clone(), account: admin, password, app_id: key.app_id, user_key: key.user_key }))
}

/// Asks for the welcome film and waits for it. The answer is where it can be watched, or why it cannot.
pub async fn welcome(store: &Store, engine: &Engine, links: &Links, account: &Account) -> Result<String, String> {
    let body: Value = serde_json::from_str(WELCOME).map_err(|error| error.to_string())?;
    let text = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
    let project = NewProject {
        id: None,
        account: account.id.clone(),
        workspace: None,
        name: text("name"),
        orientation: text("orientation"),
        kind: ProjectKind::Scenes,
        body: body.clone(),
        request: None,
        callback_id: None,
        importing: None,
    };
    let export = NewExport {
        project: String::new(),
        account: account.id.clone(),
        name: text("name"),
        resolution: text("resolution"),
        format: "mp4".to_owned(),
        snapshot: body.clone(),
        priority: 0,
        webhook: None,
        webhook_method: "POST".to_owned(),
        callback_id: None,
        reserve: credits_for(30.0),
        warnings: Vec::new(),
    };
    let mut changes = engine.changes();
    let project =
        store.start_export(Before::Create(Box::new(project)), export).await.map_err(|error| error.to_string())?;
    let export = project.ok().and_then(|project| project.export).ok_or("the welcome film was not accepted")?;
    engine.ring();
    loop {
        match changes.recv().await {
            Ok(change) if change.export == export.id && change.state.is_over() => break,
            Ok(_) | Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    let export = store.export(&export.id).await.map_err(|error| error.to_string())?.ok_or("it was deleted")?;
    match (export.state, &export.made) {
        (ExportState::Exported, Some(made)) => Ok(links.download(&export.id, Part::Film, &made.file_name, store.now())),
        _ => Err(export.error.unwrap_or_else(|| export.state.as_str().to_owned())),
    }
}
