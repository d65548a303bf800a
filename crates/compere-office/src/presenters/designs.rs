//! Presenters that somebody designs: nobody is filmed, nothing waits, and they present at once.

use compere_avatar::{Design, Slip, sitters};
use compere_house::desk::{Desk, Dress, Picture};
use compere_house::home::sandbox;
use compere_own::OwnError;
use compere_scene::Problem;
use compere_store::{NewPresenter, OwnPresenter, PresenterBackground, PresenterKind, PresenterState, random_bytes};
use serde_json::Value;
use std::sync::Arc;

use super::{MOST, NAME, SHARED};
use crate::refusal::problem;
use crate::turns::Work;
use crate::{Member, Office, Refusal};

impl Office {
    /// Keeps a design; scenes may name it at once.
    pub async fn design_presenter(&self, member: &Member, request: &Value) -> Result<OwnPresenter, Refusal> {
        if self.settings.engine.is_some() {
            return Err(Refusal::Untimely(SHARED));
        }
        let design = self.read_design(request).await?;
        if self.store.presenters(&member.account.id).await?.len() >= MOST {
            return Err(Refusal::Untimely("the account has twenty presenters already; take one away first"));
        }
        let weight = i64::try_from(request.to_string().len()).unwrap_or(i64::MAX);
        self.make_room(&member.account, weight).await?;
        let new = NewPresenter {
            account: member.account.id.clone(),
            kind: PresenterKind::Design,
            name: design.name.clone(),
            gender: gender(&design).to_owned(),
            language: "en-US".to_owned(),
            prompts: None,
            background: PresenterBackground::Keep,
            outfit_of: None,
        };
        let text = serde_json::to_value(&design).map_err(Refusal::inside)?;
        let made = self.store.create_designed(new, text).await?;
        self.keep_design(&made, design).await?;
        Ok(made)
    }

    /// Another design for one that presents. Films that are made already stay as they are.
    pub async fn redesign_presenter(
        &self,
        member: &Member,
        id: &str,
        request: &Value,
    ) -> Result<OwnPresenter, Refusal> {
        let design = self.read_design(request).await?;
        let found = self.designed(member, id).await?;
        let text = serde_json::to_value(&design).map_err(Refusal::inside)?;
        if !self.store.redesign_presenter(&found.id, &design.name, gender(&design), &text).await? {
            return Err(Refusal::Untimely("the presenter was taken away; make another one"));
        }
        self.keep_design(&found, design).await?;
        self.own_presenter(member, id).await
    }

    /// The design of one, as a file has it.
    pub async fn design_of(&self, member: &Member, id: &str) -> Result<Value, Refusal> {
        let found = self.designed(member, id).await?;
        found.design.ok_or_else(|| Refusal::missing("design"))
    }

    /// Where somebody may begin: a member of the cast, spelled out, or somebody by chance.
    pub fn begun_design(&self, from: Option<&str>, seed: Option<u64>) -> Result<Design, Refusal> {
        let Some(from) = from else {
            // Whoever tells of it can have the same again.
            return Ok(Design::by_chance(seed.unwrap_or_else(|| u64::from_le_bytes(random_bytes()) >> 12)));
        };
        Design::of(from).ok_or_else(|| {
            let known: Vec<&str> = sitters().map(|(alias, ..)| alias).collect();
            Refusal::field("from", format!("must be one of {}", known.join(", ")))
        })
    }

    /// What a design looks like, soon.
    pub async fn design_look(&self, member: &Member, request: &Value, dress: Dress) -> Result<Picture, Refusal> {
        let design = Design::read(request).map_err(|slips| Refusal::Problems(problems(slips)))?;
        let design = serde_json::to_value(design).map_err(Refusal::inside)?;
        let draw = |desk: Arc<dyn Desk>| async move { desk.look(design, dress).await };
        self.ask(&member.account.id, Work::Frame, draw).await
    }

    async fn designed(&self, member: &Member, id: &str) -> Result<OwnPresenter, Refusal> {
        let found = self.own_presenter(member, id).await?;
        if found.kind != PresenterKind::Design {
            return Err(Refusal::Untimely("the presenter was filmed, photographed or modelled, not designed"));
        }
        match found.state {
            PresenterState::Withdrawn => Err(Refusal::Missing { what: "presenter", named: Some(found.id) }),
            _ => Ok(found),
        }
    }

    /// A design in which nothing is wrong, its logo included, and whose voices there are.
    async fn read_design(&self, request: &Value) -> Result<Design, Refusal> {
        let design = Design::read(request).map_err(|slips| Refusal::Problems(problems(slips)))?;
        let mut wrong = Vec::new();
        if design.name.chars().count() > NAME {
            wrong.push(problem("name", format!("must have at most {NAME} characters")));
        }
        for (language, voice) in &design.voices {
            if self.voices.get(voice).is_err() {
                let path = format!("voices.{language}");
                wrong.push(problem(&path, "is no voice of this service; GET /api/odin/v3/dropdown/get_tts lists them"));
            }
        }
        if !wrong.is_empty() {
            return Err(Refusal::Problems(wrong));
        }
        if design.logo.is_some() {
            let tried = design.clone();
            let decoded = tokio::task::spawn_blocking(move || {
                let sandbox = sandbox().map_err(OwnError::machine)?;
                compere_own::logo_of(&tried, &sandbox).map(drop)
            });
            decoded.await.map_err(Refusal::inside)?.map_err(of_logo)?;
        }
        Ok(design)
    }

    async fn keep_design(&self, record: &OwnPresenter, design: Design) -> Result<(), Refusal> {
        let (store, record) = (self.own.clone(), record.clone());
        let now = u64::try_from(self.now() / 1000).unwrap_or_default();
        let kept = tokio::task::spawn_blocking(move || {
            let sandbox = sandbox().map_err(OwnError::machine)?;
            let desk = compere_own::Desk { store: &store, sandbox: &sandbox, account: Some(&record.account), now };
            desk.keep(&record.id, &design).map(drop)
        });
        kept.await.map_err(Refusal::inside)?.map_err(of_logo)
    }

    /// Those whose files were lost, or never written, are written anew from what is on record.
    pub(super) async fn take_up_designs(&self) -> Result<(), Refusal> {
        for found in self.store.presenters_in(PresenterState::Ready).await? {
            let design = found.design.clone().filter(|_| self.own.find(&found.id).is_none());
            if let Some(design) = design.and_then(|text| Design::read(&text).ok()) {
                self.keep_design(&found, design).await?;
            }
        }
        Ok(())
    }
}

fn gender(design: &Design) -> &'static str {
    if design.is_male() { "male" } else { "female" }
}

fn problems(slips: Vec<Slip>) -> Vec<Problem> {
    slips.into_iter().map(|slip| problem(&slip.path, slip.message)).collect()
}

fn of_logo(error: OwnError) -> Refusal {
    match error {
        OwnError::Footage(what) => {
            let what = what.strip_prefix("logo.picture: ").unwrap_or(&what).to_owned();
            Refusal::field("logo.picture", what)
        }
        other => Refusal::inside(other),
    }
}
