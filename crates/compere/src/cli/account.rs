//! `compere account`

use clap::{Args, Subcommand};
use compere_office::{Invitation, Newcomer};
use compere_store::Role;
use serde_json::json;

use super::records::{Installation, account_of, when};
use super::{Failure, answer};
use compere_house::home::Home;

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
        self.installation.with(home, async |register| {
            let mut rows = Vec::new();
            for account in register.accounts().await? {
                let balance = register.balance(&account).await?;
                if !self.json {
                    let credits = balance.map_or_else(|| "unlimited".to_owned(), |credits| credits.to_string());
                    let state = account.suspended_at.map_or_else(String::new, |at| format!("  suspended {}", when(at)));
                    answer(&format!(
                        "{:<36} {:<7} {:<10} {credits:>9} credits{state}",
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
        self.installation.with(home, async |register| {
            let name = if self.name.is_empty() { self.email.as_str() } else { self.name.as_str() };
            let role = if self.admin { Role::Admin } else { Role::Member };
            let password = self.password.clone();
            let new = Newcomer { email: &self.email, name, plan: &self.plan, role, password };
            let Invitation { account, link } = register.add(new).await?;
            if self.password.is_some() {
                answer(&format!("{} can sign in at {base}", account.email));
            } else {
                answer(&format!("{} chooses a password within a week at\n  {link}", account.email));
            }
            Ok(())
        })
    }
}

impl One {
    fn reset(&self, home: &Home) -> Result<(), Failure> {
        self.installation.with(home, async |register| {
            let member = account_of(&register, Some(&self.email)).await?;
            let Invitation { account, link } = register.invite_again(&member.account.id).await?;
            answer(&format!("{} chooses a new password within a week at\n  {link}", account.email));
            Ok(())
        })
    }

    fn suspend(&self, home: &Home, suspended: bool) -> Result<(), Failure> {
        self.installation.with(home, async |register| {
            let account = account_of(&register, Some(&self.email)).await?.account;
            register.suspend(None, &account.id, suspended).await?;
            answer(if suspended { "suspended; its tokens and sessions have ended" } else { "let in again" });
            Ok(())
        })
    }
}

impl SetPlan {
    fn run(&self, home: &Home) -> Result<(), Failure> {
        self.installation.with(home, async |register| {
            let account = account_of(&register, Some(&self.email)).await?.account;
            register.set_plan(&account.id, &self.plan).await?;
            answer(&format!("{} has the plan {} now", account.email, self.plan));
            Ok(())
        })
    }
}

impl Grant {
    fn run(&self, home: &Home) -> Result<(), Failure> {
        self.installation.with(home, async |register| {
            let account = account_of(&register, Some(&self.email)).await?.account;
            register.grant(&account.id, self.credits, &self.note).await?;
            answer(&format!("{} has {} credits now", account.email, register.credits(&account).await?));
            Ok(())
        })
    }
}
