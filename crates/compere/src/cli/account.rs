//! `compere account`

use clap::{Args, Subcommand};
use compere_store::{NewAccount, Role, hash_password};
use serde_json::json;

use super::records::{Installation, account_of, when};
use super::{Failure, answer};
use crate::home::Home;

#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// List the accounts
    List(List),
    /// Add an account; prints the address where its owner chooses a password
    Add(Add),
    /// A new way in: prints the address where the owner chooses a new password
    Reset(One),
    /// Change an account's plan
    Plan(SetPlan),
    /// Give or take credits
    Grant(Grant),
    /// Shut an account out at once
    Suspend(One),
    /// Let a suspended account in again
    Resume(One),
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    installation: Installation,
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    #[command(flatten)]
    installation: Installation,
    email: String,
    #[arg(long, default_value = "")]
    name: String,
    /// free, api, unlimited, or one of the settings
    #[arg(long, default_value = "api")]
    plan: String,
    /// May administer the installation
    #[arg(long)]
    admin: bool,
    /// Set this password instead of inviting (read from the variable, so that it is in no list of processes)
    #[arg(long, env = "COMPERE_PASSWORD", hide_env_values = true)]
    password: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct One {
    #[command(flatten)]
    installation: Installation,
    email: String,
}

#[derive(Debug, Args)]
pub(crate) struct SetPlan {
    #[command(flatten)]
    installation: Installation,
    email: String,
    plan: String,
}

#[derive(Debug, Args)]
pub(crate) struct Grant {
    #[command(flatten)]
    installation: Installation,
    email: String,
    #[arg(allow_negative_numbers = true)]
    credits: i64,
    #[arg(long, default_value = "by hand")]
    note: String,
}

impl AccountCommand {
    pub(crate) fn run(&self, home: &Home) -> Result<(), Failure> {
        match self {
            Self::List(list) => list.run(home),
            Self::Add(add) => add.run(home),
            Self::Reset(one) => one.reset(home),
            Self::Plan(plan) => plan.run(home),
            Self::Grant(grant) => grant.run(home),
            Self::Suspend(one) => one.suspend(home, true),
            Self::Resume(one) => one.suspend(home, false),
        }
    }
}

impl List {
    fn run(&self, home: &Home) -> Result<(), Failure> {
        self.installation.with(home, async |store, _| {
            let mut rows = Vec::new();
            for account in store.accounts().await? {
                let balance = store.balance(&account.id).await?;
                if !self.json {
                    let state = account.suspended_at.map_or_else(String::new, |at| format!("  suspended {}", when(at)));
                    answer(&format!(
                        "{:<36} {:<7} {:<10} {balance:>9} credits{state}",
                        account.email,
                        account.role.as_str(),
                        account.plan
                    ));
                }
                rows.push(json!({"id": account.id, "email": account.email, "name": account.name, "role": account.role.as_str(),
                                 "plan": account.plan, "credits": balance, "suspendedAt": account.suspended_at}));
            }
            if self.json {
                answer(&json!(rows).to_string());
            }
            Ok(())
        })
    }
}

impl Add {
    fn run(&self, home: &Home) -> Result<(), Failure> {
        let base = self.installation.settings(home)?.base_url();
        if !self.email.contains('@') {
            return Err(Failure::BadInput(format!("`{}` is not an e-mail address", self.email)));
        }
        self.installation.with(home, async |store, _| {
            known_plan(&store, &self.plan)?;
            let new = NewAccount {
                email: self.email.clone(),
                name: if self.name.is_empty() { self.email.clone() } else { self.name.clone() },
                password: self.password.as_deref().map(hash_password),
                role: if self.admin { Role::Admin } else { Role::Member },
                plan: self.plan.clone(),
            };
            let account = store.create_account(new).await?;
            if self.password.is_some() {
                answer(&format!("{} can sign in at {base}", account.email));
            } else {
                let secret = store.invite(&account.id).await?;
                answer(&format!("{} chooses a password within a week at\n  {base}/invited/{secret}", account.email));
            }
            Ok(())
        })
    }
}

impl One {
    fn reset(&self, home: &Home) -> Result<(), Failure> {
        let base = self.installation.settings(home)?.base_url();
        self.installation.with(home, async |store, _| {
            let account = account_of(&store, Some(&self.email)).await?;
            let secret = store.invite(&account.id).await?;
            answer(&format!("{} chooses a new password within a week at\n  {base}/invited/{secret}", account.email));
            Ok(())
        })
    }

    fn suspend(&self, home: &Home, suspended: bool) -> Result<(), Failure> {
        self.installation.with(home, async |store, _| {
            let account = account_of(&store, Some(&self.email)).await?;
            store.suspend(&account.id, suspended).await?;
            answer(if suspended { "suspended; its tokens and sessions have ended" } else { "let in again" });
            Ok(())
        })
    }
}

impl SetPlan {
    fn run(&self, home: &Home) -> Result<(), Failure> {
        self.installation.with(home, async |store, _| {
            known_plan(&store, &self.plan)?;
            let account = account_of(&store, Some(&self.email)).await?;
            store.set_plan(&account.id, &self.plan).await?;
            answer(&format!("{} has the plan {} now", account.email, self.plan));
            Ok(())
        })
    }
}

impl Grant {
    fn run(&self, home: &Home) -> Result<(), Failure> {
        self.installation.with(home, async |store, _| {
            let account = account_of(&store, Some(&self.email)).await?;
            store.grant(&account.id, self.credits, &self.note).await?;
            answer(&format!("{} has {} credits now", account.email, store.balance(&account.id).await?));
            Ok(())
        })
    }
}

fn known_plan(store: &compere_store::Store, plan: &str) -> Result<(), Failure> {
    let names: Vec<&str> = store.plans().iter().map(|plan| plan.name.as_str()).collect();
    if names.contains(&plan) {
        return Ok(());
    }
    Err(Failure::BadInput(format!("there is no plan `{plan}`; there are {}", names.join(", "))))
}
