//! Presenters of a person's own footage.

use compere_office::{Coverage, ModelLicence, Original, OwnView, Withdrawn, portrait_link};
use compere_own::{Finding, Form, Level, Tongue};
use compere_scene::Problem;
use compere_store::{Export, OwnPresenter, PresenterState, Take, WithdrawnBy};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{Warned, date, number};

/// A presenter of footage in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvatarItem {
    /// Also for `ai_name`, `modelId` and `model`, once the state is `ready`
    pub id: String,
    pub name: String,
    /// What it is made of: `footage`, `photo`, `model` or `design`
    pub kind: &'static str,
    /// `female`, `male` or `neutral`
    pub gender: String,
    pub language: String,
    /// `collecting`, `queued`, `building`, `waiting` (for an operator's approval), `ready`, `refused` or `withdrawn`
    pub state: &'static str,
    /// Percent, while the state is `building`
    #[serde(serialize_with = "number")]
    pub progress: f64,
    /// Path of a picture, once the state is `ready`
    #[schema(required)]
    pub portrait: Option<String>,
    /// Id of the presenter whom it shows in other clothes
    #[schema(required)]
    pub outfit_of: Option<String>,
    pub created_at: String,
}

impl From<&OwnPresenter> for AvatarItem {
    fn from(record: &OwnPresenter) -> Self {
        Self {
            id: record.id.clone(),
            name: record.name.clone(),
            kind: record.kind.as_str(),
            gender: record.gender.clone(),
            language: record.language.clone(),
            state: record.state.as_str(),
            progress: if record.state == PresenterState::Building { record.progress } else { 0.0 },
            portrait: (record.state == PresenterState::Ready).then(|| portrait_link(&record.id)),
            outfit_of: record.outfit_of.clone(),
            created_at: date(record.created_at),
        }
    }
}

/// A design, as a file has it: what `POST /avatars/designs` takes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object)]
pub struct DesignFile(pub Value);

/// All that is known of a presenter of footage.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvatarRecord {
    #[serde(flatten)]
    pub item: AvatarItem,
    /// Language of the lines and the consent that are given out: that of the takes, or `en` where there are none in it
    pub prompt_language: &'static str,
    /// Seconds before it is made, while the state is `queued`, as things go
    #[serde(serialize_with = "number")]
    pub wait_seconds: f64,
    /// Of speech in it, once it is made
    #[serde(serialize_with = "number")]
    pub seconds: f64,
    /// What becomes of what is behind the person: `auto`, `cut` or `keep`
    pub background: &'static str,
    #[schema(required)]
    pub consent: Option<ConsentItem>,
    /// Of a model: who answers for it, and what its file says
    #[schema(required)]
    pub licence: Option<LicenceItem>,
    pub takes: Vec<TakeItem>,
    pub coverage: CoverageItem,
    /// About the footage as a whole; those of one take stand with it
    pub findings: Vec<FindingItem>,
    /// What has to come before it can be built, and how
    pub missing: Vec<Warned>,
    /// Who saw consent and takes
    #[schema(required)]
    pub approved_by: Option<String>,
    /// Who took it away: `account`, `person` (whoever is shown, with their link) or `operator`; null of those that went before that
    /// was noted
    #[schema(required)]
    pub withdrawn_by: Option<&'static str>,
    #[schema(required)]
    pub withdrawn_at: Option<String>,
    /// Exports that show it or let it speak
    pub films: Vec<AvatarFilm>,
    /// The same person in other clothes, the first one first
    pub outfits: Vec<AvatarItem>,
}

/// What the person reads to agree.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentItem {
    pub person: String,
    pub date: String,
    pub purpose: String,
    /// Read it before the camera, exactly
    pub text: String,
    /// Whether a recording is there
    pub recorded: bool,
    /// Where the person takes the presenter away without an account; hand it to them. It is in the answer that gives out the text
    /// and in no other, and the one of before is void
    #[schema(required)]
    pub withdrawal_link: Option<String>,
}

/// Whether a model may be shown.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LicenceItem {
    /// Who states that it may
    pub licensed_by: String,
    pub date: String,
    /// What was stated
    pub text: String,
    /// Name, authors, licence and terms of use as they stand in the file, once it is made; `refused` says what forbids it
    #[schema(required)]
    pub told: Option<String>,
}

impl From<ModelLicence> for LicenceItem {
    fn from(licence: ModelLicence) -> Self {
        let ModelLicence { statement, told } = licence;
        Self { text: statement.text(), licensed_by: statement.licensed_by, date: statement.date, told }
    }
}

/// A file of footage.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakeItem {
    /// `01` to `40`, `all`, `idle`, `talk`, `photo`, `model`, `consent`, or one of its own
    pub name: String,
    /// Of the prompt that is read in it
    #[schema(required)]
    pub prompt: Option<usize>,
    /// What is said
    pub text: String,
    /// Bytes
    pub size: i64,
    pub created_at: String,
    /// What was found in it when it was last looked at
    pub findings: Vec<FindingItem>,
}

/// Something about footage that its maker should know.
#[derive(Debug, Serialize, ToSchema)]
pub struct FindingItem {
    /// Whether it stands in the way
    pub refused: bool,
    /// The take it is about, or what else
    pub about: String,
    /// With what was measured
    pub what: String,
    /// What would be right
    pub advice: String,
}

/// How much of what a presenter needs was read.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoverageItem {
    /// Prompts that were read
    pub prompts: usize,
    /// Percent of the neighbouring sounds of all prompts
    #[serde(serialize_with = "number")]
    pub sounds: f64,
    /// Of speech, guessed from the texts
    #[serde(serialize_with = "number")]
    pub seconds: f64,
    /// Less is refused
    pub enough: bool,
    /// More makes it hardly better
    pub plenty: bool,
}

/// An export of a film that shows a presenter.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvatarFilm {
    pub export_id: String,
    pub project_id: String,
    pub name: String,
    pub state: &'static str,
    pub created_at: String,
}

impl From<&Export> for AvatarFilm {
    fn from(export: &Export) -> Self {
        Self {
            export_id: export.id.clone(),
            project_id: export.project.clone(),
            name: export.order.name.clone(),
            state: export.state.as_str(),
            created_at: date(export.created_at),
        }
    }
}

/// What is gone, and the films that are left.
#[derive(Debug, Serialize, ToSchema)]
pub struct AvatarWithdrawn {
    pub id: String,
    /// Made with it: they stay until their projects are deleted
    pub films: Vec<AvatarFilm>,
    /// Uploaded files that its takes were begun from
    pub originals: Vec<AvatarOriginal>,
}

/// An uploaded file that takes were begun from.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvatarOriginal {
    pub asset_id: String,
    pub name: String,
    pub deleted: bool,
    /// Projects and other presenters for whose sake it stays
    pub used_by: Vec<String>,
}

impl From<Withdrawn> for AvatarWithdrawn {
    fn from(gone: Withdrawn) -> Self {
        let original = |one: Original| AvatarOriginal {
            asset_id: one.asset.id,
            name: one.asset.name,
            deleted: one.is_deleted,
            used_by: one.used_by,
        };
        Self {
            films: gone.films.iter().map(AvatarFilm::from).collect(),
            originals: gone.originals.into_iter().map(original).collect(),
            id: gone.record.id,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BuildEnded {
    /// Whether there was something to end
    pub cancelled: bool,
}

/// A line to be read.
#[derive(Debug, Serialize, ToSchema)]
pub struct PromptItem {
    /// For `prompt`
    pub number: usize,
    pub text: &'static str,
}

impl PromptItem {
    pub fn all(tongue: &Tongue) -> Vec<Self> {
        tongue.lines().enumerate().map(|(at, text)| Self { number: at + 1, text }).collect()
    }
}

/// A presenter that a linked video is the beginning of.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomAvatarMade {
    pub avatar_id: String,
    /// Always null: no voice is cloned
    #[schema(required)]
    pub voice_id: Option<String>,
    pub state: &'static str,
    /// What has to come before it can be built, and how
    pub missing: Vec<Warned>,
}

impl From<OwnView> for CustomAvatarMade {
    fn from(view: OwnView) -> Self {
        Self {
            avatar_id: view.record.id.clone(),
            voice_id: None,
            state: view.record.state.as_str(),
            missing: view.missing.iter().map(told).collect(),
        }
    }
}

fn told(problem: &Problem) -> Warned {
    Warned { path: problem.path.clone(), msg: problem.message.clone(), message: problem.message.clone() }
}

impl From<&Finding> for FindingItem {
    fn from(finding: &Finding) -> Self {
        Self {
            refused: finding.level == Level::Refused,
            about: finding.about.clone(),
            what: finding.what.clone(),
            advice: finding.advice.clone(),
        }
    }
}

impl From<Coverage> for CoverageItem {
    fn from(found: Coverage) -> Self {
        Self {
            prompts: found.prompts,
            sounds: found.sounds * 100.0,
            seconds: found.seconds,
            enough: found.is_enough,
            plenty: found.is_plenty,
        }
    }
}

impl TakeItem {
    pub fn of(take: &Take, findings: &[Finding]) -> Self {
        let called = match take.name.as_str() {
            "idle" => "the base take",
            "talk" => "the free talk",
            "all" => "the long film",
            "consent" => "the consent",
            "photo" => "the photo",
            "model" => "the model",
            name => name,
        };
        let own = findings.iter().filter(|finding| finding.about == called);
        Self {
            name: take.name.clone(),
            prompt: take.name.parse().ok(),
            text: take.said.clone(),
            size: take.size,
            created_at: date(take.created_at),
            findings: own.map(FindingItem::from).collect(),
        }
    }
}

impl AvatarRecord {
    /// The same in the one answer that has the link of the person.
    pub fn with_link(mut self, link: Option<String>) -> Self {
        if let Some(consent) = &mut self.consent {
            consent.withdrawal_link = link;
        }
        self
    }
}

impl From<OwnView> for AvatarRecord {
    fn from(view: OwnView) -> Self {
        let takes: Vec<TakeItem> = view.takes.iter().map(|take| TakeItem::of(take, &view.findings)).collect();
        let told: Vec<&str> = takes.iter().flat_map(|take| &take.findings).map(|one| one.about.as_str()).collect();
        let rest = view.findings.iter().filter(|finding| !told.contains(&finding.about.as_str()));
        let recorded = view.takes.iter().any(|take| take.name == "consent");
        let consent = |form: Form| ConsentItem {
            text: form.text(),
            person: form.person,
            date: form.date,
            purpose: form.purpose,
            recorded,
            withdrawal_link: None,
        };
        Self {
            item: AvatarItem::from(&view.record),
            prompt_language: view.tongue.tag,
            wait_seconds: view.wait,
            seconds: view.record.seconds,
            background: view.record.background.as_str(),
            findings: rest.map(FindingItem::from).collect(),
            missing: view.missing.iter().map(self::told).collect(),
            consent: view.consent.map(consent),
            licence: view.licence.map(LicenceItem::from),
            coverage: view.coverage.into(),
            withdrawn_by: view.record.withdrawn_by.map(WithdrawnBy::as_str),
            withdrawn_at: view.record.withdrawn_at.map(date),
            approved_by: view.record.approved_by,
            films: view.films.iter().map(AvatarFilm::from).collect(),
            outfits: view.outfits.iter().map(AvatarItem::from).collect(),
            takes,
        }
    }
}
