//! Who is known here: accounts, invitations, sessions, key pairs and their tokens, workspaces.

use std::sync::Arc;

use compere_house::home::Home;
use compere_house::settings::Settings;
use compere_store::{
    Account, Entry, IssuedKey, KeyPair, NewAccount, Page, Plan, Role, Session, Store, Workspace, hash_password,
    verify_password,
};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::ask::Ask;
use crate::limits::{Address, Allowance, Limits};
use crate::{Member, Refusal, schema};

/// Shortest password that is accepted.
pub const SHORTEST_PASSWORD: usize = 10;
/// Bytes of the longest.
const LONGEST_PASSWORD: usize = 1000;
/// Longest name of a key, a workspace, a person.
const NAME: usize = 80;
const EMAIL: usize = 200;
/// Each check of a password takes a core and 19 MB for a moment.
const CHECKS: usize = 2;

/// An account, and the link by which somebody chooses its password. Shown once.
#[derive(Clone, Debug)]
pub struct Invitation {
    pub account: Account,
    pub link: String,
}

/// Somebody new.
#[derive(Clone, Debug)]
pub struct Newcomer<'a> {
    pub email: &'a str,
    pub name: &'a str,
    pub plan: &'a str,
    pub role: Role,
    /// Without one they are invited to choose it.
    pub password: Option<String>,
}

#[derive(Debug)]
pub struct Register {
    store: Store,
    limits: Limits,
    base: String,
    checks: Arc<Semaphore>,
}

impl Register {
    pub(crate) fn of(store: Store, settings: &Settings) -> Self {
        let per_minute = settings.limits.auth_per_minute;
        let limits = match settings.engine {
            Some(_) => Limits::of_many(per_minute, store.clone()),
            None => Limits::new(per_minute),
        };
        Self { store, limits, base: settings.base_url(), checks: Arc::new(Semaphore::new(CHECKS)) }
    }

    /// For commands beside the service.
    pub async fn open(home: &Home, settings: &Settings) -> Result<Self, String> {
        Ok(Self::of(settings.open_store(&home.data).await?, settings))
    }

    pub async fn close(&self) {
        self.store.close().await;
    }
}

/// Tokens and sessions: how one comes in.
impl Register {
    /// A token for a key pair. The right pair is let in, whoever guesses at it, and however often somebody knocks at the
    /// same address: only tokens of its own account count.
    pub async fn issue_token(&self, address: Address, app_id: &str, user_key: &str) -> Result<String, Refusal> {
        let (name, knocked) = (app_id.to_lowercase(), self.limits.knock(address, "for tokens").await);
        let Some(paired) = self.store.pair(app_id, user_key).await? else {
            knocked?;
            self.limits.wrong_secret(address, &name, "for tokens of this appId").await?;
            return Err(Refusal::Credentials("appId and userKey do not belong together, or were revoked"));
        };
        self.limits.right_secret(address, &name).await;
        if paired.account.suspended_at.is_some() {
            return Err(Refusal::Suspended);
        }
        self.with_api(&paired.account)?;
        if knocked.is_err() {
            self.limits.token(&paired.account.id).await?;
        }
        Ok(self.store.issue_token(&paired).await?)
    }

    fn with_api(&self, account: &Account) -> Result<Plan, Refusal> {
        let plan = self.store.plan(&account.plan);
        if plan.api { Ok(plan) } else { Err(Refusal::NoApi { plan: account.plan.clone() }) }
    }

    /// Whose token it is, if they may use the API and have a request left this minute.
    pub async fn bearer(&self, address: Address, token: Option<&str>) -> Result<(Member, Allowance), Refusal> {
        let Some(token) = token else {
            let what = "the header `Authorization` is missing; get a token from POST /api/odin/v3/auth/token";
            return Err(Refusal::Unauthorized(what));
        };
        let caller = match self.store.caller(token).await? {
            Some(caller) if caller.expired => return Err(Refusal::TokenExpired),
            Some(caller) => caller,
            None => {
                self.limits.wrong_token(address).await?;
                let what = "the token is not known; get one from POST /api/odin/v3/auth/token";
                return Err(Refusal::Unauthorized(what));
            }
        };
        let plan = self.with_api(&caller.account)?;
        let allowance = self.limits.request(&caller.account.id, plan.requests_per_minute).await?;
        Ok((Member { account: caller.account, workspace: caller.workspace, test: caller.test }, allowance))
    }

    /// A code of withdrawal that nobody was given, or that is good no more.
    pub(crate) async fn wrong_code(&self, address: Address) -> Result<(), Refusal> {
        self.limits.knock(address, "with wrong links").await
    }

    pub async fn revoke_token(&self, token: &str) -> Result<bool, Refusal> {
        Ok(self.store.revoke_token(token).await?)
    }

    /// Whose e-mail address and password these are. The right ones are let in, whoever guessed at them before.
    pub async fn sign_in(&self, address: Address, email: &str, password: String) -> Result<Account, Refusal> {
        const WHAT: &str = "to sign in";
        self.limits.knock(address, WHAT).await?;
        let wrong = || Refusal::Credentials("That e-mail address and password do not belong together.");
        let email = email.trim().to_lowercase();
        if email.len() > EMAIL || password.len() > LONGEST_PASSWORD {
            return Err(wrong());
        }
        let account = self.store.account_by_email(&email).await?;
        let stored = account.as_ref().and_then(|account| account.password.clone());
        let right = self.verified(password, stored).await?;
        match account.filter(|account| right && account.suspended_at.is_none()) {
            Some(account) => {
                self.limits.right_secret(address, &email).await;
                Ok(account)
            }
            None => {
                self.limits.wrong_secret(address, &email, WHAT).await?;
                Err(wrong())
            }
        }
    }

    async fn verified(&self, password: String, stored: Option<String>) -> Result<bool, Refusal> {
        let _turn = self.checks.acquire().await.map_err(Refusal::inside)?;
        let checked = tokio::task::spawn_blocking(move || verify_password(&password, stored.as_deref()));
        checked.await.map_err(Refusal::inside)
    }

    /// The secret of a new session.
    pub async fn open_session(&self, account: &str, agent: &str) -> Result<String, Refusal> {
        Ok(self.store.open_session(account, agent).await?)
    }

    pub async fn session(&self, secret: &str) -> Result<Option<Session>, Refusal> {
        Ok(self.store.session(secret).await?)
    }

    pub async fn sign_out(&self, secret: &str) -> Result<(), Refusal> {
        Ok(self.store.close_session(secret).await?)
    }

    pub async fn sign_out_everywhere(&self, member: &Member) -> Result<(), Refusal> {
        Ok(self.store.close_sessions(&member.account.id).await?)
    }

    /// On how many devices somebody is signed in.
    pub async fn devices(&self, member: &Member) -> Result<i64, Refusal> {
        Ok(self.store.session_count(&member.account.id).await?)
    }
}

/// Accounts, as those who run the installation see them.
impl Register {
    pub async fn accounts(&self) -> Result<Vec<Account>, Refusal> {
        Ok(self.store.accounts().await?)
    }

    pub async fn account(&self, id: &str) -> Result<Account, Refusal> {
        self.store.account(id).await?.ok_or_else(|| Refusal::missing("account"))
    }

    pub async fn account_by_email(&self, email: &str) -> Result<Option<Account>, Refusal> {
        Ok(self.store.account_by_email(&email.trim().to_lowercase()).await?)
    }

    pub fn plans(&self) -> &[Plan] {
        self.store.plans()
    }

    pub fn plan_of(&self, account: &Account) -> Plan {
        self.store.plan(&account.plan)
    }

    /// Credits of an account; none where they are not counted.
    pub async fn balance(&self, account: &Account) -> Result<Option<i64>, Refusal> {
        let balance = self.store.balance(&account.id).await?;
        Ok(self.plan_of(account).monthly_credits.map(|_| balance))
    }

    /// Credits of an account, whether anybody counts them or not.
    pub async fn credits(&self, account: &Account) -> Result<i64, Refusal> {
        Ok(self.store.balance(&account.id).await?)
    }

    /// Opens an account. Without a password, whoever has the link chooses one.
    pub async fn add(&self, new: Newcomer<'_>) -> Result<Invitation, Refusal> {
        let (email, name) = (new.email.trim().to_lowercase(), new.name.trim().to_owned());
        if !email.contains('@') || email.len() > EMAIL || email.contains(char::is_whitespace) {
            return Err(Refusal::Form("That is not an e-mail address.".to_owned()));
        }
        if name.is_empty() || name.chars().count() > NAME {
            return Err(Refusal::Form(format!("A name has 1 to {NAME} characters.")));
        }
        self.known_plan(new.plan)?;
        let password = match new.password {
            Some(password) => Some(hashed(password).await?),
            None => None,
        };
        let account = NewAccount { email, name, password, role: new.role, plan: new.plan.to_owned() };
        let account = self.store.create_account(account).await?;
        self.invite(account).await
    }

    /// For somebody who lost the link, or the password.
    pub async fn invite_again(&self, id: &str) -> Result<Invitation, Refusal> {
        self.invite(self.account(id).await?).await
    }

    async fn invite(&self, account: Account) -> Result<Invitation, Refusal> {
        let secret = self.store.invite(&account.id).await?;
        Ok(Invitation { account, link: format!("{}/welcome/{secret}", self.base) })
    }

    fn known_plan(&self, plan: &str) -> Result<(), Refusal> {
        let names: Vec<&str> = self.plans().iter().map(|plan| plan.name.as_str()).collect();
        if names.contains(&plan) {
            return Ok(());
        }
        Err(Refusal::Form(format!("There is no plan `{plan}`; there are {}.", names.join(", "))))
    }

    pub async fn set_plan(&self, id: &str, plan: &str) -> Result<Account, Refusal> {
        self.known_plan(plan)?;
        let account = self.account(id).await?;
        self.store.set_plan(id, plan).await?;
        Ok(account)
    }

    /// Administrators do not lock themselves out.
    async fn other(&self, admin: Option<&Member>, id: &str) -> Result<Account, Refusal> {
        if admin.is_some_and(|admin| admin.account.id == id) {
            let what = "That would lock you out. Another administrator can do it.";
            return Err(Refusal::Form(what.to_owned()));
        }
        self.account(id).await
    }

    pub async fn set_role(&self, admin: &Member, id: &str, role: Role) -> Result<Account, Refusal> {
        let account = self.other(Some(admin), id).await?;
        self.store.set_role(id, role).await?;
        Ok(account)
    }

    /// Ends all sessions and tokens of an account, or lets it come in again. The command line is nobody's account.
    pub async fn suspend(&self, admin: Option<&Member>, id: &str, suspended: bool) -> Result<Account, Refusal> {
        let account = self.other(admin, id).await?;
        self.store.suspend(id, suspended).await?;
        Ok(account)
    }

    pub async fn grant(&self, id: &str, amount: i64, note: &str) -> Result<Account, Refusal> {
        if amount == 0 || amount.abs() > 100_000_000 {
            return Err(Refusal::Form("Write a number of credits other than 0, up to 100 million.".to_owned()));
        }
        let account = self.account(id).await?;
        self.store.grant(id, amount, note).await?;
        Ok(account)
    }
}

/// What members say of themselves.
impl Register {
    /// Whose invitation it is.
    pub async fn invited(&self, secret: &str) -> Result<Account, Refusal> {
        self.store.invited(secret).await?.ok_or_else(|| Refusal::missing("invitation"))
    }

    /// Takes an invitation up, with a password.
    pub async fn accept(&self, secret: &str, password: String) -> Result<Account, Refusal> {
        let account = self.invited(secret).await?;
        strong(&password, &account.email)?;
        self.store.set_password(&account.id, &hashed(password).await?).await?;
        Ok(account)
    }

    /// Ends all sessions of the account.
    pub async fn change_password(&self, member: &Member, current: String, new: String) -> Result<(), Refusal> {
        let right =
            current.len() <= LONGEST_PASSWORD && self.verified(current, member.account.password.clone()).await?;
        if !right {
            return Err(Refusal::Form("That is not your current password.".to_owned()));
        }
        strong(&new, &member.account.email)?;
        Ok(self.store.set_password(&member.account.id, &hashed(new).await?).await?)
    }

    pub async fn set_name(&self, member: &Member, name: &str) -> Result<(), Refusal> {
        Ok(self.store.set_name(&member.account.id, named(name)?).await?)
    }

    pub(crate) async fn set_presenter(&self, member: &Member, who: &str, outfit: &str) -> Result<(), Refusal> {
        Ok(self.store.set_presenter(&member.account.id, who, outfit).await?)
    }

    /// A new secret for webhooks. The old one signs beside it for a day.
    pub async fn rotate_hook_secret(&self, member: &Member) -> Result<(), Refusal> {
        Ok(self.store.rotate_hook_secret(&member.account.id).await?)
    }

    pub async fn keys(&self, member: &Member) -> Result<Vec<KeyPair>, Refusal> {
        Ok(self.store.keys(&member.account.id).await?)
    }

    /// Movements of the account's credits, newest first.
    pub async fn ledger(&self, member: &Member, page: &Page) -> Result<Vec<Entry>, Refusal> {
        Ok(self.store.ledger(&member.account.id, page).await?)
    }

    /// As [`Self::issue_key`], of a request `{name, workspaceId, test}`; says whether it is for tests.
    pub async fn issue_key_asked(&self, member: &Member, request: &Value) -> Result<(IssuedKey, bool), Refusal> {
        let (name, workspace, test) = Ask::read(request, &schema::KEY, |ask| {
            ask.nothing_else();
            let name = ask.need_text("name", "must be a name for people");
            (name, ask.word("workspaceId"), ask.flag("test").unwrap_or(false))
        })?;
        let issued = self.issue_key(member, &name, workspace.as_deref().unwrap_or_default(), test).await?;
        Ok((issued, test))
    }

    /// The one answer that has the key in it. An empty workspace means all of them.
    /// A pair for tests makes marked films that cost nothing; it issues no other pairs than such.
    pub async fn issue_key(
        &self,
        member: &Member,
        name: &str,
        workspace: &str,
        test: bool,
    ) -> Result<IssuedKey, Refusal> {
        if member.test && !test {
            return Err(Refusal::Forbidden("a test key issues test keys only; say `test: true`"));
        }
        let known = self.store.workspaces(&member.account.id).await?;
        let bound = known.iter().map(|known| known.id.as_str()).find(|known| *known == workspace);
        if !workspace.is_empty() && bound.is_none() {
            return Err(Refusal::missing("workspace"));
        }
        Ok(self.store.issue_key(&member.account, named(name)?, bound, test).await?)
    }

    /// Its tokens end with it.
    pub async fn revoke_key(&self, member: &Member, id: &str) -> Result<(), Refusal> {
        let revoked = self.store.revoke_key(&member.account.id, id).await?;
        if revoked { Ok(()) } else { Err(Refusal::missing("key")) }
    }

    /// Those that the member may see.
    pub async fn workspaces(&self, member: &Member) -> Result<Vec<Workspace>, Refusal> {
        let mut all = self.store.workspaces(&member.account.id).await?;
        all.retain(|workspace| member.workspace.as_ref().is_none_or(|bound| *bound == workspace.id));
        Ok(all)
    }

    pub async fn add_workspace(&self, member: &Member, name: &str) -> Result<Workspace, Refusal> {
        Ok(self.store.create_workspace(&member.account.id, named(name)?).await?)
    }

    pub async fn rename_workspace(&self, member: &Member, id: &str, name: &str) -> Result<(), Refusal> {
        let renamed = self.store.rename_workspace(&member.account.id, id, named(name)?).await?;
        if renamed { Ok(()) } else { Err(Refusal::missing("workspace")) }
    }

    /// Its projects stay.
    pub async fn delete_workspace(&self, member: &Member, id: &str) -> Result<(), Refusal> {
        let deleted = self.store.delete_workspace(&member.account.id, id).await?;
        if deleted { Ok(()) } else { Err(Refusal::missing("workspace")) }
    }
}

fn named(name: &str) -> Result<&str, Refusal> {
    let name = name.trim();
    match name.chars().count() {
        0 => Err(Refusal::Form("Give it a name.".to_owned())),
        1..=NAME => Ok(name),
        _ => Err(Refusal::Form(format!("Give it a name of at most {NAME} characters."))),
    }
}

/// Says what is wrong with a password that somebody chose.
fn strong(password: &str, email: &str) -> Result<(), Refusal> {
    let wrong = |what: String| Err(Refusal::Form(what));
    if password.chars().count() < SHORTEST_PASSWORD {
        return wrong(format!("Choose a password of {SHORTEST_PASSWORD} characters or more."));
    }
    if password.len() > LONGEST_PASSWORD {
        return wrong("Choose a password of less than 1,000 characters.".to_owned());
    }
    let first = password.chars().next();
    if password.chars().all(|c| Some(c) == first) || password.eq_ignore_ascii_case(email) {
        return wrong("That password is easy to guess. Choose another one.".to_owned());
    }
    Ok(())
}

pub(crate) async fn hashed(password: String) -> Result<String, Refusal> {
    tokio::task::spawn_blocking(move || hash_password(&password)).await.map_err(Refusal::inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_that_are_easy_to_guess_are_refused() {
        assert!(strong("short", "a@b.c").is_err());
        assert!(strong("aaaaaaaaaaaa", "a@b.c").is_err());
        assert!(strong("ADA@example.com", "ada@example.com").is_err());
        assert!(strong("correct horse", "a@b.c").is_ok());
    }
}
