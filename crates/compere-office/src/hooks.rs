//! Addresses that an account wants to be told at, of what it chose.

use std::time::Duration;

use compere_house::assets::guard::Link;
use compere_scene::Problem;
use compere_store::{Delivery, Endpoint, EndpointChoice, Occasion, Page, Try};
use serde_json::{Value, json};

use crate::ask::Ask;
use crate::options::uncallable;
use crate::refusal::problem;
use crate::{Member, Office, Refusal, schema};

/// Endpoints of one account.
const MOST: i64 = 20;
const NAME: usize = 80;
/// How long somebody who pings waits for the receiver's answer.
const PATIENCE: Duration = Duration::from_secs(12);
const LOOK: Duration = Duration::from_millis(100);

/// What a request says of an endpoint: `{url, name, events, enabled}`.
#[derive(Clone, Copy, Debug)]
pub struct HookRequest<'a>(pub &'a Value);

impl HookRequest<'_> {
    /// What is chosen with it, where `before` is what holds for what it does not say.
    fn read(self, before: Option<&Endpoint>, problems: &mut Vec<Problem>) -> EndpointChoice {
        let said = |key: &str| self.0.get(key).filter(|value| !value.is_null());
        let mut wrong = |key: &str, what: &str| problems.push(problem(key, what));
        let mut chosen = EndpointChoice {
            url: before.map(|before| before.url.clone()).unwrap_or_default(),
            name: before.map(|before| before.name.clone()).unwrap_or_default(),
            events: before.map_or_else(|| Occasion::CHOICE.to_vec(), |before| before.events.clone()),
            enabled: before.is_none_or(|before| before.enabled),
        };
        match said("url").map(|url| url.as_str().map(str::trim)) {
            Some(Some(url)) => url.clone_into(&mut chosen.url),
            Some(None) => wrong("url", "must be a text"),
            None if before.is_none() => wrong("url", "must be the address that is to be called"),
            None => {}
        }
        match said("name").map(|name| name.as_str().map(str::trim)) {
            Some(Some(name)) if name.chars().count() <= NAME => name.clone_into(&mut chosen.name),
            Some(_) => wrong("name", "must be a text of at most 80 characters"),
            None => {}
        }
        match said("enabled").map(Value::as_bool) {
            Some(Some(enabled)) => chosen.enabled = enabled,
            Some(None) => wrong("enabled", "must be true or false"),
            None => {}
        }
        if let Some(events) = said("events") {
            chosen.events = events_of(events, problems);
        }
        chosen
    }
}

fn events_of(events: &Value, problems: &mut Vec<Problem>) -> Vec<Occasion> {
    let words: Vec<&str> = Occasion::CHOICE.iter().map(|event| event.as_str()).collect();
    let Some(list) = events.as_array().filter(|list| !list.is_empty()) else {
        problems.push(problem("events", format!("must be a list of some of {}", words.join(", "))));
        return Vec::new();
    };
    let mut chosen = Vec::new();
    for (at, word) in list.iter().enumerate() {
        match Occasion::CHOICE.iter().find(|event| word == event.as_str()) {
            Some(event) if chosen.contains(event) => {}
            Some(event) => chosen.push(*event),
            None => problems.push(problem(&format!("events[{at}]"), format!("must be one of {}", words.join(", ")))),
        }
    }
    chosen
}

impl Office {
    pub async fn hooks(&self, member: &Member) -> Result<Vec<Endpoint>, Refusal> {
        Ok(self.store.endpoints(&member.account.id).await?)
    }

    pub async fn hook(&self, member: &Member, id: &str) -> Result<Endpoint, Refusal> {
        let found = self.store.endpoint(id).await?;
        found.filter(|hook| hook.account == member.account.id).ok_or_else(|| Refusal::missing("webhook endpoint"))
    }

    pub async fn add_hook(&self, member: &Member, request: HookRequest<'_>) -> Result<Endpoint, Refusal> {
        let chosen = self.chosen(request, None)?;
        let added = self.store.create_endpoint(&member.account.id, &chosen, MOST).await?;
        added.ok_or_else(|| Refusal::Form(format!("An account has at most {MOST} webhook endpoints; delete one.")))
    }

    /// What the request does not say stays as it is.
    pub async fn change_hook(&self, member: &Member, id: &str, request: HookRequest<'_>) -> Result<Endpoint, Refusal> {
        let before = self.hook(member, id).await?;
        let chosen = self.chosen(request, Some(&before))?;
        self.store.change_endpoint(&member.account.id, id, &chosen).await?;
        self.hook(member, id).await
    }

    /// What is on its way there is not sent any more.
    pub async fn delete_hook(&self, member: &Member, id: &str) -> Result<(), Refusal> {
        let deleted = self.store.delete_endpoint(&member.account.id, id).await?;
        if deleted { Ok(()) } else { Err(Refusal::missing("webhook endpoint")) }
    }

    /// A new secret; the old one signs beside it for a day.
    pub async fn rotate_hook(&self, member: &Member, id: &str) -> Result<Endpoint, Refusal> {
        self.store.rotate_endpoint_secret(&member.account.id, id).await?;
        self.hook(member, id).await
    }

    /// What was sent there, newest first, and every try.
    pub async fn sent_to(&self, member: &Member, id: &str, page: &Page) -> Result<Vec<(Delivery, Vec<Try>)>, Refusal> {
        let hook = self.hook(member, id).await?;
        Ok(self.store.deliveries_to(&hook.id, page).await?)
    }

    /// Calls an endpoint now, tells how it went, and does not try again.
    pub async fn ping(&self, member: &Member, id: &str) -> Result<(Delivery, Vec<Try>), Refusal> {
        let hook = self.hook(member, id).await?;
        let body = json!({ "event": Occasion::Ping, "endpointId": hook.id, "at": self.now() });
        let ping = self.store.ping_endpoint(&hook, &body.to_string()).await?;
        self.bell.ring();
        let until = tokio::time::Instant::now() + PATIENCE;
        loop {
            let found = self.store.delivery(&member.account.id, &ping).await?;
            let (delivery, tries) = found.ok_or_else(|| Refusal::missing("webhook"))?;
            if !tries.is_empty() || tokio::time::Instant::now() > until {
                return Ok((delivery, tries));
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    fn chosen(&self, request: HookRequest<'_>, before: Option<&Endpoint>) -> Result<EndpointChoice, Refusal> {
        let (_, mut problems) = Ask::noted(request.0, &schema::NEW_HOOK, |ask| {
            ask.nothing_else();
        });
        let chosen = request.read(before, &mut problems);
        if problems.iter().all(|problem| problem.path != "url") {
            match Link::parse(&chosen.url) {
                Ok(_) => problems.extend(uncallable(&chosen.url, "url", &self.rules)),
                Err(error) => problems.push(problem("url", error.to_string())),
            }
        }
        if problems.is_empty() { Ok(chosen) } else { Err(Refusal::Problems(problems)) }
    }

    /// Whoever follows an import may have gone meanwhile; nothing depends on it.
    pub(crate) async fn tell_of_import(&self, account: &str, project: &str, event: Occasion, why: Option<&Refusal>) {
        let error = why.map(|refusal| json!({ "code": refusal.kind().number(), "msg": refusal.to_string() }));
        let mut news = json!({ "event": event, "projectId": project });
        if let Some(error) = error {
            news["error"] = error;
        }
        if let Err(error) = self.store.announce(account, event, &news.to_string()).await {
            tracing::warn!(%error, "news of an import were not written");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(request: &Value) -> (EndpointChoice, Vec<String>) {
        let mut problems = Vec::new();
        let chosen = HookRequest(request).read(None, &mut problems);
        (chosen, problems.into_iter().map(|problem| problem.path).collect())
    }

    #[test]
    fn who_chooses_nothing_hears_everything() {
        let (chosen, problems) = read(&json!({ "url": " https://example.com/ " }));
        assert!(problems.is_empty());
        assert_eq!((chosen.url.as_str(), chosen.events.as_slice()), ("https://example.com/", &Occasion::CHOICE[..]));
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let wrong = json!({ "name": 3, "enabled": "yes", "events": ["export.failed", "ping", "export.failed"] });
        let (chosen, problems) = read(&wrong);
        assert_eq!(problems, ["url", "name", "enabled", "events[1]"]);
        assert_eq!(chosen.events, [Occasion::Failed]);
        assert_eq!(read(&json!({ "url": "https://example.com", "events": [] })).1, ["events"]);
    }
}
