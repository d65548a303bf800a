//! Presenters of a person's own footage or photo, or of a model file: they belong to an account, and nobody else sees them.
//!
//! What is on record (`compere_store::OwnPresenter`) says where one is; takes are objects; what was made of them lies in
//! `data/presenters`, and whoever may be shown is told from there. Nobody is shown before an operator has seen consent and
//! takes. Consent that is taken back takes everything along.

mod approve;
mod build;
mod designs;
mod models;
mod outfits;
mod prompter;
mod takes;
mod view;
mod withdraw;

use std::borrow::Cow;
use std::collections::BTreeSet;

use compere_avatar::PresenterInfo;
use compere_house::catalogue::House;
use compere_own::{Form, Tongue};
use compere_scene::{ClipKind, Film, Speaker};
use compere_store::{
    Civil, NewPresenter, OwnPresenter, PresenterBackground, PresenterKind, PresenterState, random_bytes,
};
use serde_json::Value;

use crate::ask::Ask;
use crate::{Member, Office, Refusal, schema};

pub use approve::Approvals;
pub use build::Workbench;
pub use models::{ModelLicence, Statement};
pub(crate) use prompter::Prompter;
pub use takes::TakeOf;
pub use view::{Coverage, OwnView, portrait_link};
pub use withdraw::{Made, Original, Shown, Withdrawn};

/// Presenters that an account may have, the withdrawn not counted.
const MOST: usize = 20;
/// Longest name of a presenter or a person.
const NAME: usize = 80;
const SHARED: &str =
    "presenters of one's own are made by a service that has its database alone, and this one shares it with others";
const PURPOSE: usize = 200;
const KINDS: [&str; 3] = ["footage", "photo", "model"];
const GENDERS: [&str; 3] = ["neutral", "female", "male"];

/// Who may be shown.
impl Office {
    /// Who an account may show: the cast, its own, and those that operators made for everybody.
    pub fn people(&self, account: &str) -> Vec<PresenterInfo> {
        let own = compere_own::shown_to(&self.own, account);
        self.cast.list().iter().cloned().chain(own).collect()
    }

    /// Somebody an account may show, by id or alias.
    pub fn presenter_for(&self, account: &str, id: &str) -> Option<PresenterInfo> {
        let member = self.cast.get(id).map(|presenter| presenter.info().clone());
        member.or_else(|| compere_own::shown_to(&self.own, account).into_iter().find(|info| info.answers_to(id)))
    }

    /// One of an account's own, by id.
    pub(crate) fn own_info(&self, account: &str, id: &str) -> Option<PresenterInfo> {
        compere_own::shown_to(&self.own, account).into_iter().find(|info| info.id == id)
    }

    /// Somebody of a film that was let through: by id.
    pub(crate) fn anybody(&self, id: &str) -> Option<PresenterInfo> {
        let member = self.cast.get(id).map(|presenter| presenter.info().clone());
        member.or_else(|| {
            let owner = self.own.find(id)?.account.unwrap_or_default();
            compere_own::shown_to(&self.own, &owner).into_iter().find(|info| info.id == id)
        })
    }

    /// Who can present and speak, as the scene language asks for it: for one account.
    pub(crate) fn house_of(&self, account: &str) -> Cow<'_, House> {
        let own = compere_own::shown_to(&self.own, account);
        if own.is_empty() { Cow::Borrowed(&self.house) } else { Cow::Owned(self.house.clone().beside(&own)) }
    }

    /// Presenters of footage that a text names of those whom an account may show, by id.
    pub(crate) fn named_in(&self, account: &str, text: &str) -> Vec<String> {
        let own = compere_own::shown_to(&self.own, account);
        let text = if own.is_empty() { String::new() } else { text.to_lowercase() };
        let named = |info: &PresenterInfo| {
            std::iter::once(&info.id).chain(&info.aliases).any(|name| text.contains(&name.to_lowercase()))
        };
        own.into_iter().filter(named).map(|info| info.id).collect()
    }

    /// Presenters of footage that a film shows or lets speak.
    pub(crate) fn of_footage(&self, film: &Film) -> Vec<String> {
        let clips = film.scenes.iter().flat_map(|scene| &scene.clips);
        // Whoever is seen, and what they were filmed in.
        let seen = clips.flat_map(|clip| match &clip.kind {
            ClipKind::Avatar(avatar) => vec![&avatar.avatar, &avatar.outfit],
            _ => Vec::new(),
        });
        let lines = film.scenes.iter().flat_map(|scene| &scene.lines);
        let heard = lines.filter_map(|line| match &line.speaker {
            Speaker::Avatar { avatar, .. } => Some(avatar),
            Speaker::Voice { .. } => None,
        });
        let all: BTreeSet<&String> = seen.chain(heard).filter(|id| self.own.find(id).is_some()).collect();
        all.into_iter().cloned().collect()
    }
}

/// An account's own.
impl Office {
    /// Begins one.
    pub async fn new_presenter(&self, member: &Member, request: &Value) -> Result<OwnPresenter, Refusal> {
        // What is made of somebody lies on the machine that made it; other nodes would not know them.
        if self.settings.engine.is_some() {
            return Err(Refusal::Untimely(SHARED));
        }
        let known = |language: &str| !self.voices.speaking(language).is_empty();
        let new = Ask::read(request, &schema::NEW_AVATAR, |ask| {
            let name = ask.need_text("name", "must be what the presenter is called");
            if name.chars().count() > NAME {
                ask.blame("name", format!("must have at most {NAME} characters"));
            }
            let language = ask.word("language").unwrap_or_else(|| "en-US".to_owned());
            if !known(&language) {
                let why =
                    "must be a language that a voice here speaks, such as `en-US`: takes are aligned with its help";
                ask.blame("language", why);
            }
            let gender = ask.choice("gender", &GENDERS).to_owned();
            let kind = match ask.choice("kind", &KINDS) {
                "photo" => PresenterKind::Photo,
                "model" => PresenterKind::Model,
                _ => PresenterKind::Footage,
            };
            let background = ask.choice("background", &PresenterBackground::ALL);
            let account = member.account.id.clone();
            let outfit_of = ask.word("outfitOf");
            NewPresenter { account, kind, name, gender, language, prompts: None, background, outfit_of }
        })?;
        let new = self.dressed_as(member, request, new).await?;
        let prompts = Some(Tongue::of_or_english(&new.language).tag.to_owned());
        let new = NewPresenter { prompts, ..new };
        if self.store.presenters(&member.account.id).await?.len() >= MOST {
            return Err(Refusal::Untimely("the account has twenty presenters already; take one away first"));
        }
        Ok(self.store.create_presenter(new).await?)
    }

    /// The account's, newest first.
    pub async fn own_presenters(&self, member: &Member) -> Result<Vec<OwnPresenter>, Refusal> {
        Ok(self.store.presenters(&member.account.id).await?)
    }

    pub(crate) async fn own_presenter(&self, member: &Member, id: &str) -> Result<OwnPresenter, Refusal> {
        let found = self.store.presenter(&member.account.id, id).await?;
        found.ok_or_else(|| Refusal::Missing { what: "presenter", named: Some(id.chars().take(40).collect()) })
    }

    /// One that still takes footage.
    pub(crate) async fn open_presenter(&self, member: &Member, id: &str) -> Result<OwnPresenter, Refusal> {
        let found = self.own_presenter(member, id).await?;
        if found.state.is_open() { Ok(found) } else { Err(closed(found.state)) }
    }

    /// What becomes of what is behind the person, before it is made.
    pub async fn choose_background(&self, member: &Member, id: &str, word: &str) -> Result<(), Refusal> {
        let found = self.open_presenter(member, id).await?;
        let background: PresenterBackground = word.parse().map_err(|_| {
            let words = PresenterBackground::ALL.map(PresenterBackground::as_str).join(" or ");
            Refusal::field("background", format!("must be {words}"))
        })?;
        if self.store.choose_background(&found.id, background).await? {
            Ok(())
        } else {
            Err(closed(PresenterState::Queued))
        }
    }

    /// Gives out the text that its person has to read, with six words that nobody could know before. A recording of another
    /// text goes. Answers with the link by which that person may take the presenter away, which is told this once; the one of
    /// before is void. Of a model, keeps what is stated of its licence; nobody is shown, so there is no link.
    pub async fn ask_consent(&self, member: &Member, id: &str, request: &Value) -> Result<Option<String>, Refusal> {
        let found = self.open_presenter(member, id).await?;
        if found.kind == PresenterKind::Model {
            self.state_licence(&found, request).await?;
            return Ok(None);
        }
        let (person, purpose) = Ask::read(request, &schema::CONSENT, |ask| {
            let person = ask.need_text("person", "must be the person's name, as they say it");
            let purpose = ask.need_text("purpose", "must say what the films are for");
            for (key, text, most) in [("person", &person, NAME), ("purpose", &purpose, PURPOSE)] {
                if text.chars().count() > most {
                    ask.blame(key, format!("must have at most {most} characters"));
                }
            }
            if ask.given("licensedBy").is_some() {
                ask.blame("licensedBy", "must not be there: people agree to be shown; it is for presenters of a model");
            }
            (person, purpose)
        })?;
        self.is_same_person(&found, &person).await?;
        let chance = u64::from_le_bytes(random_bytes());
        let (tongue, today) = (tongue_of(&found), Civil::of(self.now()));
        let form = Form::new(tongue, &person, &tongue.date(today.year, today.month, today.day), &purpose, chance)
            .map_err(|error| Refusal::field("person", error.to_string()))?;
        let text = form.text();
        let kept = serde_json::to_value(&form).map_err(Refusal::inside)?;
        let Some(code) = self.store.ask_person(&found.id, &kept).await? else {
            return Err(closed(PresenterState::Queued));
        };
        self.prompter.note(&found.id, form.spoken_in(&found.language), &text);
        Ok(Some(self.withdrawal_link(&code)))
    }
}

/// Why footage cannot be changed now.
fn closed(state: PresenterState) -> Refusal {
    Refusal::Untimely(match state {
        PresenterState::Queued | PresenterState::Building => {
            "the presenter is being made; end that first with DELETE /api/odin/v3/avatars/{id}/build"
        }
        PresenterState::Withdrawn => "the presenter was taken away; make another one",
        _ => "the presenter is made already; for other footage make another one",
    })
}

/// What somebody is given to read. Whoever began when all of it was English goes on with that.
pub(crate) fn tongue_of(presenter: &OwnPresenter) -> &'static Tongue {
    presenter.prompts.as_deref().map_or_else(Tongue::english, Tongue::of_or_english)
}

fn form_of(presenter: &OwnPresenter) -> Option<Form> {
    presenter.consent.clone().and_then(|form| serde_json::from_value(form).ok())
}
