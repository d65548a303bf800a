//! A presenter of a model file: nobody is filmed, so nobody agrees before a camera. Whoever sends it states with their name
//! that its licence allows such films; what the file itself says of that is read with it, and what it forbids nobody can
//! state away.

use std::path::Path;

use compere_own::{Making, Model};
use compere_store::{Civil, OwnPresenter, PresenterKind, PresenterState, Take};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::takes::MODEL;
use super::{NAME, closed};
use crate::ask::Ask;
use crate::{Member, Office, Refusal, schema};

/// What somebody stated of a model's licence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Statement {
    pub licensed_by: String,
    /// As spoken.
    pub date: String,
}

impl Statement {
    pub fn text(&self) -> String {
        format!(
            "{} stated on {}: the model is mine, or its author lets me light it, move it and show it in films, in commercial \
             ones too. It is no likeness of a person who did not agree to that.",
            self.licensed_by, self.date
        )
    }
}

/// Who answers for a model, and what its file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelLicence {
    pub statement: Statement,
    /// Read from the file when the presenter was made.
    pub told: Option<String>,
}

impl Office {
    /// Keeps what somebody states of a model, instead of what was stated before.
    pub(super) async fn state_licence(&self, found: &OwnPresenter, request: &Value) -> Result<(), Refusal> {
        let licensed_by = Ask::read(request, &schema::CONSENT, |ask| {
            let name = ask.need_text("licensedBy", "must be the name of whoever answers for the model's licence");
            if name.chars().count() > NAME {
                ask.blame("licensedBy", format!("must have at most {NAME} characters"));
            }
            name
        })?;
        let statement = Statement { licensed_by, date: Civil::of(self.now()).spoken() };
        let statement = serde_json::to_value(statement).map_err(Refusal::inside)?;
        if !self.store.put_statement(&found.id, &statement).await? {
            return Err(closed(PresenterState::Queued));
        }
        Ok(())
    }

    pub(super) fn licence_of(&self, record: &OwnPresenter) -> Option<ModelLicence> {
        let statement = statement_of(record)?;
        let told = self.own.find(&record.id).map(|made| made.consent.purpose);
        Some(ModelLicence { statement, told })
    }

    /// What its maker has to know; none when something is missing.
    pub(super) async fn making_of_model(
        &self,
        found: &OwnPresenter,
        takes: &[Take],
        scratch: &Path,
    ) -> Result<Option<Making>, Refusal> {
        let take = takes.iter().find(|take| take.name == MODEL);
        let (Some(take), Some(statement)) = (take, statement_of(found)) else { return Ok(None) };
        Ok(Some(Making::Model(Model {
            id: Some(found.id.clone()),
            name: found.name.clone(),
            gender: found.gender.clone(),
            language: found.language.clone(),
            account: Some(found.account.clone()),
            now: u64::try_from(self.now() / 1000).unwrap_or_default(),
            file: self.lies(take, scratch).await?,
            by: statement.licensed_by,
            approved_by: None,
        })))
    }

    /// What a model looks like, as JPEG, before anybody approved it: for its owner, or for an operator where `anybody` is true.
    pub async fn model_look(&self, member: &Member, id: &str, anybody: bool) -> Result<Vec<u8>, Refusal> {
        let found = match anybody {
            true => self.store.any_presenter(id).await?.ok_or_else(|| Refusal::missing("presenter"))?,
            false => self.own_presenter(member, id).await?,
        };
        self.own.look(&found.id).ok_or_else(|| Refusal::missing("picture"))
    }
}

pub(super) fn statement_of(record: &OwnPresenter) -> Option<Statement> {
    let stated = record.consent.clone().filter(|_| record.kind == PresenterKind::Model)?;
    serde_json::from_value(stated).ok()
}
