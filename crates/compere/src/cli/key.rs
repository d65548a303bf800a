//! `compere key`

use clap::{Args, Subcommand};
use serde_json::json;

use super::records::{Installation, account_of, when};
use super::{Failure, answer};
use compere_house::home::Home;

#[derive(Debug, Subcommand)]
pub(crate) enum Key {
    /// Issue a key pair; it is shown once
    Issue(Issue),
    /// List an account's key pairs
    List(List),
    /// End a key pair and its tokens at once
    Revoke(Revoke),
}

#[derive(Debug, Args)]
pub(crate) struct Issue {
    #[command(flatten)]
    installation: Installation,
    /// E-mail of the account; may be left out when there is only one
    #[arg(long, value_name = "E-MAIL")]
    account: Option<String>,
    /// What the pair is for
    #[arg(long, default_value = "command line")]
    name: String,
    /// Bind it to a workspace
    #[arg(long, value_name = "ID")]
    workspace: Option<String>,
    /// A pair for tests: its films are marked, short, and cost nothing
    #[arg(long)]
    test: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    installation: Installation,
    #[arg(long, value_name = "E-MAIL")]
    account: Option<String>,
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Revoke {
    #[command(flatten)]
    installation: Installation,
    /// The pair's id, as `compere key list` shows it
    id: String,
    #[arg(long, value_name = "E-MAIL")]
    account: Option<String>,
}

impl Key {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        match self {
            Self::Issue(issue) => issue.run(home),
            Self::List(list) => list.run(home),
            Self::Revoke(revoke) => revoke.run(home),
        }
    }
}

impl Issue {
    fn run(&self, home: &Home) -> Result<(), Failure> {
        self.installation.with(home, async |register| {
            let member = account_of(&register, self.account.as_deref()).await?;
            let workspace = self.workspace.as_deref().unwrap_or_default();
            let issued = register.issue_key(&member, &self.name, workspace, self.test).await?;
            if self.json {
                answer(&json!({"id": issued.id, "appId": issued.app_id, "userKey": issued.user_key}).to_string());
            } else {
                answer(&format!(
                    "appId    {}\nuserKey  {}\n\nThe key is shown this once.",
                    issued.app_id, issued.user_key
                ));
            }
            Ok(())
        })
    }
}

impl List {
    fn run(&self, home: &Home) -> Result<(), Failure> {
        self.installation.with(home, async |register| {
            let member = account_of(&register, self.account.as_deref()).await?;
            let keys = register.keys(&member).await?;
            if self.json {
                let keys: Vec<_> = keys
                    .iter()
                    .map(|key| {
                        json!({"id": key.id, "name": key.name, "appId": key.app_id, "hint": key.hint,
                               "workspaceId": key.workspace, "test": key.test, "createdAt": key.created_at, "lastUsedAt": key.last_used_at,
                               "revokedAt": key.revoked_at})
                    })
                    .collect();
                answer(&json!(keys).to_string());
                return Ok(());
            }
            for key in keys {
                let used = key.last_used_at.map_or_else(|| "never used".to_owned(), |at| format!("last used {}", when(at)));
                let state = key.revoked_at.map_or(used, |at| format!("revoked {}", when(at)));
                let test = if key.test { "  for tests" } else { "" };
                answer(&format!("{}  …{}  {:<24} {state}{test}", key.id, key.hint, key.name));
            }
            Ok(())
        })
    }
}

impl Revoke {
    fn run(&self, home: &Home) -> Result<(), Failure> {
        self.installation.with(home, async |register| {
            let member = account_of(&register, self.account.as_deref()).await?;
            register.revoke_key(&member, &self.id).await?;
            answer("revoked; its tokens work no more");
            Ok(())
        })
    }
}
