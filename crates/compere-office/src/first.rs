//! The first start: an administrator and a key pair, told once, and a film to watch.

use compere_store::{Account, ExportState, NewAccount, Product, Role, Store, hex, random_bytes};
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;

use crate::register::hashed;
use crate::{Member, Office, Refusal};

/// What a new installation shows of itself.
const WELCOME: &str = include_str!("../../../examples/welcome.json");

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
pub(crate) async fn first_run(store: &Store) -> Result<Option<First>, Refusal> {
    if !store.accounts().await?.is_empty() {
        return Ok(None);
    }
    let password = hex(&random_bytes::<10>());
    let admin = NewAccount {
        email: "admin@compere.local".to_owned(),
        name: "Administrator".to_owned(),
        password: Some(hashed(password.clone()).await?),
        role: Role::Admin,
        plan: "unlimited".to_owned(),
    };
    let admin = store.create_account(admin).await?;
    let key = store.issue_key(&admin, "first", None, false).await?;
    Ok(Some(First { email: admin.email.clone(), account: admin, password, app_id: key.app_id, user_key: key.user_key }))
}

impl Office {
    /// What has to be done once before anybody comes in, and by nobody while others serve the same records.
    pub async fn first_run(&self) -> Result<Option<First>, Refusal> {
        let first = first_run(&self.store).await?;
        self.store.forget_unanswered().await?;
        // Before a start something was read that nobody reads any more.
        if let Err(error) = self.store.forget_renewals().await {
            tracing::warn!(%error, "projects that wait for a new version of their document go on waiting");
        }
        Ok(first)
    }

    /// Asks for the welcome film and waits for it. The answer is where it can be watched, or why it cannot.
    pub async fn welcome(&self, account: Account) -> Result<String, String> {
        let body: Value = serde_json::from_str(WELCOME).map_err(|error| error.to_string())?;
        let mut changes = self.changes();
        let made = self.create(&Member::of(account), &body).await.map_err(|refusal| refusal.to_string())?;
        let export = made.project.export.ok_or("the welcome film was not accepted")?;
        loop {
            match changes.recv().await {
                Ok(change) if change.export == export.id && change.state.is_over() => break,
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        let export = self.store.export(&export.id).await.map_err(|error| error.to_string())?;
        let export = export.ok_or("it was deleted")?;
        match (export.state, &export.made) {
            (ExportState::Exported, Some(made)) => {
                Ok(self.links.download(&export.id, Product::Film, &made.file_name, self.now()))
            }
            (state, _) => Err(export.error.clone().unwrap_or_else(|| state.to_string())),
        }
    }
}
