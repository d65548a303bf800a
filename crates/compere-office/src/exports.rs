//! Exports of projects that exist: ordered, cancelled, watched.

use compere_house::Kind;
use compere_media::{Format, Resolution};
use compere_store::{Before, Delivery, Export, ExportState, Page, Product, Project, ProjectState, Try};
use serde_json::{Value, json};

use crate::accept::Wanted;
use crate::decks::Importing;
use crate::files::watchable;
use crate::options::Options;
use crate::projects::at_resolution;
use crate::{Member, Office, Refusal, decks};

/// Days that a link to a film may work.
const LONGEST_SHARE: u32 = 366;

impl Office {
    /// Exports a project as it is now, as a request says.
    pub async fn export(&self, member: &Member, id: &str, request: &Value) -> Result<Project, Refusal> {
        let project = self.exportable(member, id).await?;
        let film = project.body()?;
        let (options, checked) = self.read(member, project.kind, request, &at_resolution(&film, request)).await?;
        let wanted = Wanted { project: project.id, film };
        self.start(member, Before::Nothing, wanted, &options, &checked).await
    }

    /// The same for a choice out of lists; the API knows `wav` only where it is what a request is about.
    pub async fn order(&self, member: &Member, id: &str, resolution: &str, format: &str) -> Result<Project, Refusal> {
        let Some(resolution) = Resolution::parse(resolution) else {
            return Err(Refusal::Form("There is no such resolution.".to_owned()));
        };
        let Some(format) = Format::parse(format) else {
            return Err(Refusal::Form("There is no such format.".to_owned()));
        };
        let project = self.exportable(member, id).await?;
        let film = project.body()?;
        let checked = self.check(member, &at_resolution(&film, &json!({ "resolution": resolution })))?;
        let options = Options { format, ..Options::plain() };
        let wanted = Wanted { project: project.id, film };
        self.start(member, Before::Nothing, wanted, &options, &checked).await
    }

    async fn exportable(&self, member: &Member, id: &str) -> Result<Project, Refusal> {
        let project = self.project(member, id).await?;
        if project.importing.is_some() { Err(Refusal::Importing) } else { Ok(project) }
    }

    /// Ends a project's running export; says which, if there was one to stop. Nothing is charged.
    pub async fn cancel(&self, member: &Member, id: &str) -> Result<Option<String>, Refusal> {
        let project = self.project(member, id).await?;
        let Some(export) = project.export.filter(|export| !export.state.is_over()) else { return Ok(None) };
        let cancelled = self.store.cancel_export(&export.id).await?;
        self.bell.cancel(&export.id);
        Ok(cancelled.then_some(export.id))
    }

    /// The body that an export shows, whatever became of its project since.
    pub async fn shown(&self, export: &Export) -> Result<Value, Refusal> {
        Ok(self.store.snapshot(&export.account, &export.id).await?.unwrap_or_default())
    }

    /// Whether a project would make another film now than the one it has. Listed projects come without their bodies, and
    /// most were not touched since.
    pub async fn has_outgrown(&self, member: &Member, project: &Project) -> Result<bool, Refusal> {
        let film = project.export.as_ref().filter(|export| export.state == ExportState::Exported);
        let Some(film) = film.filter(|film| film.finished_at.is_some_and(|ended| project.updated_at > ended)) else {
            return Ok(false);
        };
        let now = self.project(member, &project.id).await?;
        let now = self.lettered(&now.account, now.body()?).await?;
        Ok(differ(&self.shown(film).await?, &now))
    }

    /// A link to a project's film that works for so many days for whoever has it, and until when.
    pub async fn share(&self, member: &Member, id: &str, days: u32) -> Result<(String, i64), Refusal> {
        if !(1..=LONGEST_SHARE).contains(&days) {
            return Err(Refusal::Form(format!("A link works for 1 to {LONGEST_SHARE} days.")));
        }
        let project = self.project(member, id).await?;
        let export = project.export.filter(|export| export.swept_at.is_none());
        let film = export.and_then(|export| Some((export.id, export.made?.file_name)));
        let (export, name) = film.ok_or_else(|| Refusal::missing("film"))?;
        let end = self.now() + i64::from(days) * 86_400_000;
        Ok((self.links.until(&export, Product::Film, &name, end), end))
    }

    /// The newest exports of a project, and the webhooks that told of each.
    pub async fn history(
        &self,
        member: &Member,
        project: &str,
        page: &Page,
    ) -> Result<(Vec<Export>, Vec<(Delivery, Vec<Try>)>), Refusal> {
        let project = self.project(member, project).await?;
        let exports = self.store.exports_of(&project.account, &project.id, page).await?;
        let mut mail = Vec::new();
        for export in &exports {
            mail.extend(self.store.deliveries_of(&export.id).await?);
        }
        Ok((exports, mail))
    }

    /// Sends a webhook once more.
    pub async fn replay(&self, member: &Member, delivery: &str) -> Result<bool, Refusal> {
        Ok(self.store.replay_delivery(&member.account.id, delivery).await?)
    }

    /// One export, for whoever counts what was made.
    pub async fn ended(&self, export: &str) -> Result<Option<Export>, Refusal> {
        Ok(self.store.export(export).await?)
    }

    /// How far a project is, and where its files can be had.
    pub fn progress<'a>(&self, project: &'a Project) -> Progress<'a> {
        let (export, now) = (project.export.as_ref(), self.now());
        let made = export.filter(|export| export.state == ExportState::Exported && export.swept_at.is_none());
        let link = |part| {
            let (export, made) = made.and_then(|export| Some((export, export.made.as_ref()?)))?;
            Some(self.links.download(&export.id, part, made.name_of(part)?, now))
        };
        Progress {
            state: State::of(project),
            percent: percent(project),
            film: link(Product::Film),
            poster: link(Product::Poster),
            captions: link(Product::Vtt),
            chapters: link(Product::Chapters),
            stream: export.filter(|export| watchable(export, now)).map(|export| self.links.stream(&export.id, now)),
            made: made.and_then(|export| export.made.as_ref()),
            seconds_left: export.and_then(|export| seconds_left(export, now)),
        }
    }
}

/// How far a project is, and where its files can be had.
#[derive(Debug)]
pub struct Progress<'a> {
    pub state: State,
    /// 0 to 100; 100 only when the film can be had.
    pub percent: f64,
    pub film: Option<String>,
    pub poster: Option<String>,
    pub captions: Option<String>,
    pub chapters: Option<String>,
    /// Where it can be watched while it is made, and for a day.
    pub stream: Option<String>,
    /// What was made, while its files are there.
    pub made: Option<&'a compere_store::Made>,
    pub seconds_left: Option<f64>,
}

/// The state of a project, and why there will be no film.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    Draft,
    Importing { percent: f64 },
    ImportFailed { kind: Kind, reason: String },
    Export(ExportState),
}

impl State {
    pub fn of(project: &Project) -> Self {
        match (decks::state(project), &project.export) {
            (Some(Importing::Failed { error, kind }), _) => Self::ImportFailed { kind, reason: error },
            (_, Some(export)) => Self::Export(export.state),
            (Some(Importing::Importing { progress, .. }), None) => Self::Importing { percent: progress },
            (None, None) => Self::Draft,
        }
    }

    /// In a word: what [`Project::state`] says.
    pub fn word(&self) -> &'static str {
        let state = match self {
            Self::Draft => ProjectState::Draft,
            Self::Importing { .. } => ProjectState::Importing,
            Self::ImportFailed { .. } => ProjectState::Failed,
            Self::Export(state) => ProjectState::from(*state),
        };
        state.as_str()
    }
}

fn percent(project: &Project) -> f64 {
    match decks::state(project) {
        Some(Importing::Importing { progress, .. }) => return progress.clamp(0.0, 99.0),
        Some(Importing::Failed { .. }) => return 0.0,
        None => {}
    }
    match &project.export {
        Some(export) if export.state == ExportState::Exported => 100.0,
        Some(export) => export.progress.clamp(0.0, 99.0),
        None => 0.0,
    }
}

/// What is left, judged by what went. Nothing is said of the first steps: they tell nothing.
pub fn seconds_left(export: &Export, now: i64) -> Option<f64> {
    let started = export.started_at.filter(|_| export.state.is_running())?;
    let went = (now - started).max(0) as f64 / 1000.0;
    (export.progress >= 5.0).then(|| went * (100.0 - export.progress) / export.progress)
}

/// What an export's author should know: what was found when it was asked for, and what when it was made; each once.
pub fn warned(export: &Export, made: Option<&compere_store::Made>) -> Vec<Value> {
    let asked: Vec<Value> = serde_json::from_str(&export.warnings).unwrap_or_default();
    let met = made.map(|made| made.warnings.clone()).unwrap_or_default();
    let mut all: Vec<Value> = Vec::new();
    for warning in asked.into_iter().chain(met) {
        if !all.contains(&warning) {
            all.push(warning);
        }
    }
    all
}

/// Whether two bodies make different films. What they are called and how large they were ordered does not count.
fn differ(one: &Value, other: &Value) -> bool {
    let film = |body: &Value| {
        let mut body = body.clone();
        if let Some(body) = body.as_object_mut() {
            body.retain(|key, _| !matches!(key.as_str(), "name" | "resolution"));
        }
        body
    };
    film(one) != film(other)
}
