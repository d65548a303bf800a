//! Outfits: the same person, filmed in other clothes. Each has takes, consent and approval of its own, since it is footage of
//! its own; scenes name it as an outfit of whoever wears it.

use compere_store::{NewPresenter, OwnPresenter, PresenterKind, PresenterState};
use serde_json::Value;

use super::form_of;
use crate::{Member, Office, Refusal};

/// What an outfit has from its wearer; a request need not repeat it, and may not say otherwise.
const WORN: [&str; 3] = ["kind", "gender", "language"];

impl Office {
    /// What is begun, with all that an outfit has from its wearer.
    pub(super) async fn dressed_as(
        &self,
        member: &Member,
        request: &Value,
        new: NewPresenter,
    ) -> Result<NewPresenter, Refusal> {
        let Some(id) = &new.outfit_of else { return Ok(new) };
        let wrong = |why: &str| Refusal::field("outfitOf", why.to_owned());
        let wearer = self.store.presenter(&member.account.id, id).await?;
        let wearer = wearer.filter(|one| one.state != PresenterState::Withdrawn);
        let wearer = wearer.ok_or_else(|| wrong("must be the id of a presenter of the account"))?;
        if !matches!(wearer.kind, PresenterKind::Footage | PresenterKind::Photo) {
            return Err(wrong(
                "must be a presenter of footage or of a photo: others are modelled or designed in their clothes",
            ));
        }
        if wearer.outfit_of.is_some() {
            return Err(wrong("must be a presenter, and this is an outfit of one"));
        }
        for (key, has) in WORN.into_iter().zip([wearer.kind.as_str(), &wearer.gender, &wearer.language]) {
            if request[key]
                .as_str()
                .is_some_and(|said| !said.trim().is_empty() && !said.trim().eq_ignore_ascii_case(has))
            {
                return Err(Refusal::field(key, format!("must be `{has}`, as of the presenter, or be left out")));
            }
        }
        let OwnPresenter { kind, gender, language, .. } = wearer;
        Ok(NewPresenter { kind, gender, language, ..new })
    }

    /// Whether whoever agrees to an outfit is who agreed to its wearer.
    pub(super) async fn is_same_person(&self, outfit: &OwnPresenter, person: &str) -> Result<(), Refusal> {
        let Some(id) = &outfit.outfit_of else { return Ok(()) };
        let wearer = self.store.any_presenter(id).await?.as_ref().and_then(form_of);
        match wearer {
            Some(form) if form.person.trim().to_lowercase() != person.trim().to_lowercase() => {
                let why = format!("must be {}, whom the presenter shows: an outfit is of the same person", form.person);
                Err(Refusal::field("person", why))
            }
            _ => Ok(()),
        }
    }

    /// Whoever wears it, of an outfit.
    pub(super) async fn wearer_of(&self, outfit: &OwnPresenter) -> Result<Option<OwnPresenter>, Refusal> {
        let Some(id) = &outfit.outfit_of else { return Ok(None) };
        Ok(self.store.any_presenter(id).await?)
    }
}
