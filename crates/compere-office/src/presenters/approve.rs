//! Whoever runs the installation sees consent and takes, and answers for them with a name: in the dashboard or beside the
//! service.

use std::path::PathBuf;

use compere_house::home::Home;
use compere_house::settings::Settings;
use compere_own::Finding;
use compere_store::{Objects, OwnPresenter, PresenterState, Store, WithdrawnBy};
use serde_json::json;

use super::view::OwnView;
use super::withdraw::{self, Withdrawn};
use crate::{Office, Refusal};

impl Office {
    /// Presenters that wait for somebody who looks at consent and takes.
    pub async fn presenters_to_approve(&self) -> Result<Vec<OwnView>, Refusal> {
        let mut all = Vec::new();
        for record in self.store.presenters_in(PresenterState::Waiting).await? {
            all.push(self.view_of(record).await?);
        }
        Ok(all)
    }

    pub async fn approve_presenter(&self, id: &str, by: &str) -> Result<OwnPresenter, Refusal> {
        approve(&self.store, &self.own, id, by).await
    }

    /// What is wrong with consent or takes; the owner reads it.
    pub async fn decline_presenter(&self, id: &str, why: &str) -> Result<OwnPresenter, Refusal> {
        let why = why.trim();
        if why.is_empty() {
            return Err(Refusal::field("why", "must say what is wrong: the owner reads it"));
        }
        let finding = Finding::refused("the operator", why.to_owned(), "mend that and build it again");
        let found = waiting(&self.store, id).await?;
        if !self.store.decline_presenter(&found.id, &json!([finding])).await? {
            return Err(Refusal::Changed);
        }
        self.own.remove(&found.id).map_err(Refusal::inside)?;
        Ok(found)
    }
}

/// The same for commands beside the service.
#[derive(Debug)]
pub struct Approvals {
    store: Store,
    objects: Objects,
    own: compere_own::Store,
    cache: PathBuf,
}

impl Approvals {
    pub async fn open(home: &Home, settings: &Settings) -> Result<Self, String> {
        Ok(Self {
            store: settings.open_store(&home.data).await?,
            objects: settings.open_objects(&home.data)?,
            own: compere_own::Store::new(&home.data),
            cache: home.cache(),
        })
    }

    pub async fn close(&self) {
        self.store.close().await;
    }

    /// Those that wait for somebody.
    pub async fn waiting(&self) -> Result<Vec<OwnPresenter>, Refusal> {
        Ok(self.store.presenters_in(PresenterState::Waiting).await?)
    }

    pub async fn approve(&self, id: &str, by: &str) -> Result<OwnPresenter, Refusal> {
        approve(&self.store, &self.own, id, by).await
    }

    /// Takes one away that is on record; none where it is not.
    pub async fn withdraw(&self, id: &str) -> Result<Option<Withdrawn>, Refusal> {
        let Some(found) = self.store.any_presenter(id).await? else { return Ok(None) };
        let files = self.store.originals(&found.id).await?;
        let by = WithdrawnBy::Operator;
        withdraw::clear(&self.store, &self.objects, &self.own, &self.cache, &found.id, by).await?;
        let originals = withdraw::without_originals(&self.store, &self.objects, files, false).await?;
        Ok(Some(Withdrawn { films: self.store.films_with(&found.id).await?, record: found, originals }))
    }
}

async fn waiting(store: &Store, id: &str) -> Result<OwnPresenter, Refusal> {
    let found = store.any_presenter(id).await?;
    let found = found.ok_or_else(|| Refusal::Missing { what: "presenter", named: Some(id.to_owned()) })?;
    match found.state {
        PresenterState::Waiting => Ok(found),
        PresenterState::Ready => Err(Refusal::Untimely("the presenter was approved already")),
        _ => Err(Refusal::Untimely("the presenter does not wait for approval: it has to be made first")),
    }
}

async fn approve(store: &Store, own: &compere_own::Store, id: &str, by: &str) -> Result<OwnPresenter, Refusal> {
    if by.trim().is_empty() {
        return Err(Refusal::field("by", "must be the name of whoever saw consent and takes"));
    }
    let found = waiting(store, id).await?;
    if !own.approve(&found.id, by).map_err(Refusal::inside)? {
        return Err(Refusal::Untimely("what was made of the presenter is not on this machine"));
    }
    if !store.approve_presenter(&found.id, by.trim()).await? {
        return Err(Refusal::Changed);
    }
    Ok(store.any_presenter(id).await?.unwrap_or(found))
}
