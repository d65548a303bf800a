//! What is told of a presenter of footage.

use std::collections::BTreeSet;

use bytes::Bytes;
use compere_avatar::PresenterInfo;
use compere_own::{Finding, Tongue};
use compere_scene::Problem;
use compere_store::{Asset, Export, OwnPresenter, PresenterKind, PresenterState, Take};

use super::models::{ModelLicence, statement_of};
use super::takes::{ALL, CONSENT, IDLE, MODEL, PHOTO, TALK, VIDEO, findings};
use super::{form_of, tongue_of};
use crate::refusal::problem;
use crate::turns::Work;
use crate::{Member, Office, Refusal};

/// Words that a person reads in a second.
const PACE: f64 = 2.6;

/// How much of what a presenter needs was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// Prompts that were read.
    pub prompts: usize,
    /// Part of the neighbouring sounds of all prompts.
    pub sounds: f64,
    /// Of speech, guessed from the texts.
    pub seconds: f64,
    /// Less is refused.
    pub is_enough: bool,
    /// More makes it hardly better.
    pub is_plenty: bool,
}

/// All that its owner is told.
#[derive(Clone, Debug)]
pub struct OwnView {
    pub record: OwnPresenter,
    /// In which its person is given what to read.
    pub tongue: &'static Tongue,
    pub takes: Vec<Take>,
    /// What its person reads.
    pub consent: Option<compere_own::Form>,
    /// What shows that they did, once it was looked at: kept with what was made of the takes.
    pub evidence: Option<compere_own::Consent>,
    /// Of a model: who answers for it.
    pub licence: Option<ModelLicence>,
    pub findings: Vec<Finding>,
    /// What has to come before it can be made, and how.
    pub missing: Vec<Problem>,
    pub coverage: Coverage,
    /// Exports that show it or let it speak.
    pub films: Vec<Export>,
    /// Whom it shows in other clothes.
    pub worn_by: Option<OwnPresenter>,
    /// What its person was filmed in as well.
    pub outfits: Vec<OwnPresenter>,
    /// The account's files that its takes are copies of.
    pub originals: Vec<Asset>,
    /// Seconds before it is made, as things go.
    pub wait: f64,
}

impl Office {
    pub async fn view_presenter(&self, member: &Member, id: &str) -> Result<OwnView, Refusal> {
        let record = self.own_presenter(member, id).await?;
        self.view_of(record).await
    }

    /// The same of anybody's, for operators.
    pub(crate) async fn view_of(&self, record: OwnPresenter) -> Result<OwnView, Refusal> {
        let takes = self.store.takes(&record.id).await?;
        let spoken: BTreeSet<String> = takes.iter().filter(|take| is_spoken(take)).flat_map(lines).collect();
        let tongue = tongue_of(&record);
        let measured = tokio::task::spawn_blocking(move || coverage(tongue, &spoken)).await.map_err(Refusal::inside)?;
        let wait = match record.state {
            PresenterState::Queued => self.turns.estimate(&record.account, Work::Presenter),
            _ => 0.0,
        };
        Ok(OwnView {
            missing: if record.state.is_open() { missing(&record, &takes) } else { Vec::new() },
            consent: form_of(&record),
            evidence: self.own.find(&record.id).map(|made| made.consent),
            licence: self.licence_of(&record),
            findings: findings(&record),
            coverage: measured,
            films: self.store.films_with(&record.id).await?,
            worn_by: self.wearer_of(&record).await?,
            outfits: self.store.outfits_of(&record.id).await?,
            originals: self.store.originals(&record.id).await?,
            takes,
            wait,
            tongue,
            record,
        })
    }
}

impl Office {
    /// A presenter of footage that the account may show, before a plain wall.
    pub async fn own_portrait(&self, member: &Member, id: &str) -> Result<(Bytes, &'static str), Refusal> {
        let nobody = || Refusal::Missing { what: "presenter", named: Some(id.chars().take(40).collect()) };
        let account = &member.account.id;
        let wears = |info: &PresenterInfo| info.outfits.iter().any(|outfit| outfit.id == id);
        let info = self.presenter_for(account, id).filter(PresenterInfo::is_own);
        let info = info.or_else(|| compere_own::shown_to(&self.own, account).into_iter().find(wears));
        self.bust(account, &info.ok_or_else(nobody)?.id, id).await
    }
}

pub(super) fn is_spoken(take: &Take) -> bool {
    ![IDLE, TALK, CONSENT, PHOTO, MODEL].contains(&take.name.as_str())
}

/// What is read in a take; in a long film, a line each.
fn lines(take: &Take) -> Vec<String> {
    match take.name.as_str() {
        ALL => take.said.lines().map(|line| line.trim().to_owned()).collect(),
        _ => vec![take.said.clone()],
    }
}

fn coverage(tongue: &Tongue, spoken: &BTreeSet<String>) -> Coverage {
    let prompts = tongue.lines().filter(|line| spoken.contains(*line)).count();
    let sounds = compere_own::coverage(tongue, spoken.iter().map(String::as_str));
    let words: usize = spoken.iter().map(|said| said.split_whitespace().count()).sum();
    let seconds = words as f64 / PACE;
    let (is_enough, is_plenty) = (seconds >= 60.0 && sounds >= 0.90, seconds >= 120.0 && sounds >= 0.97);
    Coverage { prompts, sounds, seconds, is_enough, is_plenty }
}

/// What has to come before a presenter can be made.
pub(super) fn missing(record: &OwnPresenter, all: &[Take]) -> Vec<Problem> {
    let path = format!("/api/odin/v3/avatars/{}", record.id);
    let has = |name: &str| all.iter().any(|take| take.name == name);
    let mut missing = Vec::new();
    if record.kind == PresenterKind::Model {
        if statement_of(record).is_none() {
            let what = format!(
                "is not there: POST {path}/consent with `licensedBy`, the name of whoever states that the model may be shown in \
                 films"
            );
            missing.push(problem("consent", what));
        }
        if !has(MODEL) {
            let what = format!(
                "is not there: send a GLB or VRM with expressions to POST {path}/takes with `prompt` = `{MODEL}`"
            );
            missing.push(problem("takes.model", what));
        }
        return missing;
    }
    if record.consent.is_none() {
        let what =
            format!("is not there: POST {path}/consent with `person` and `purpose` gives out what the person reads");
        missing.push(problem("consent", what));
    } else if !has(CONSENT) {
        let what =
            format!("was not read yet: film the person who reads its text, and send that to POST {path}/consent");
        missing.push(problem("consent", what));
    }
    if record.kind == PresenterKind::Photo {
        if !has(PHOTO) {
            let what = format!(
                "is not there: send a photo of one person who looks into the lens, with closed lips, to POST {path}/takes \
                 with `prompt` = `{PHOTO}`"
            );
            missing.push(problem("takes.photo", what));
        }
        return missing;
    }
    if !has(IDLE) {
        let what = format!(
            "is not there: film twenty seconds of silence with relaxed, closed lips, and send them to POST {path}/takes with \
             `prompt` = `idle`"
        );
        missing.push(problem("takes.idle", what));
    }
    if all.iter().any(|take| take.name == VIDEO && take.said.is_empty()) {
        let what = format!(
            "came without what is said in it, and nobody here recognises speech: POST {path}/takes with `name` = `{VIDEO}` \
             and `text`"
        );
        missing.push(problem("takes.video", what));
    }
    if !all.iter().any(is_spoken) {
        let what = format!(
            "has nobody who speaks: read the lines of GET /api/odin/v3/avatars/prompts?language={}, and send each to POST \
             {path}/takes with its number as `prompt`, or all of them in one film with `prompt` = `{ALL}`",
            tongue_of(record).tag
        );
        missing.push(problem("takes", what));
    }
    missing
}

/// Where a presenter's portrait is, for programs that have a token.
pub fn portrait_link(id: &str) -> String {
    format!("/api/odin/v3/avatars/{id}/portrait")
}
