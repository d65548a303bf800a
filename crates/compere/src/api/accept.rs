//! From a body to an accepted project and export, or to everything that is wrong with it.
//!
//! The order is fixed: the body, the language of its lines, the account's queue and credits, then one transaction.
//! A request that is refused has changed nothing.

use std::sync::Arc;

use compere_jobs::credits_for;
use compere_media::SAMPLE_RATE;
use compere_scene::{Problem, Resolved};
use compere_store::{Before, NewExport, NewProject, Plan, Project, ProjectKind};
use serde_json::{Value, json};

use super::error::ApiError;
use super::gate::Auth;
use super::options::{self, Options};
use crate::serve::app::App;

/// A body that makes a film.
#[derive(Debug)]
pub struct Checked {
    pub resolved: Resolved,
    /// Estimated.
    pub seconds: f64,
}

impl Checked {
    pub fn credits(&self) -> i64 {
        credits_for(self.seconds)
    }

    pub fn warnings(&self) -> Vec<Value> {
        let all = self.resolved.warnings.iter();
        all.map(|warning| json!({ "path": warning.path, "message": warning.message })).collect()
    }
}

/// Everything that is wrong with a project, or what it will be.
pub fn check(app: &App, plan: &Plan, body: &Value) -> Result<Checked, Vec<Problem>> {
    let mut limits = app.settings.limits.of_scenes();
    limits.film_seconds = limits.film_seconds.min(plan.longest_film);
    let resolved = compere_scene::resolve(body, &limits, &app.house)?;
    let mut problems = crate::studio::mismatched(&app.voices, &resolved.film);
    let measured = compere_scene::estimate(&resolved.film);
    let samples = compere_scene::timeline(&resolved.film, &measured).samples();
    let seconds = samples as f64 / f64::from(SAMPLE_RATE);
    // Estimates err by a third; only what is plainly too long is refused before it is spoken.
    if seconds > limits.film_seconds * 1.5 {
        let most = limits.film_seconds;
        problems
            .push(options::problem("scenes", format!("must last at most {most} s, would last about {seconds:.0} s")));
    }
    if problems.is_empty() { Ok(Checked { resolved, seconds }) } else { Err(problems) }
}

/// The options of a body together with what is wrong with its film: all of it in one answer.
pub async fn read(app: &App, auth: &Auth, body: &Value, film: &Value) -> Result<(Options, Checked), ApiError> {
    let (options, mut problems) = options::read(body);
    problems.extend(options::unreachable(&options, body, &app.rules));
    let plan = app.store.plan(&auth.account.plan);
    let checked = check(app, &plan, film);
    let options = workspace(app, auth, options, &mut problems).await?;
    match checked {
        Ok(checked) if problems.is_empty() => Ok((options, checked)),
        Ok(_) => Err(ApiError::problems(&problems)),
        Err(mut all) => {
            all.append(&mut problems);
            Err(ApiError::problems(&all))
        }
    }
}

/// The workspace has to be the account's; a key pair that is bound to one works in no other.
pub async fn workspace(
    app: &App,
    auth: &Auth,
    mut options: Options,
    problems: &mut Vec<Problem>,
) -> Result<Options, ApiError> {
    match (&options.workspace, &auth.workspace) {
        (None, bound) => options.workspace.clone_from(bound),
        (Some(wanted), Some(bound)) if wanted != bound => {
            problems.push(options::problem("workspaceId", format!("must be `{bound}`: the key pair is bound to it")));
        }
        (Some(wanted), None) => {
            let known = app.store.workspaces(&auth.account.id).await?;
            if !known.iter().any(|workspace| workspace.id == *wanted) {
                let ids: Vec<&str> = known.iter().map(|workspace| workspace.id.as_str()).collect();
                let hint =
                    if ids.is_empty() { "leave it out".to_owned() } else { format!("it may be {}", ids.join(", ")) };
                problems.push(options::problem("workspaceId", format!("is not a workspace of this account; {hint}")));
            }
        }
        _ => {}
    }
    Ok(options)
}

/// A project as it will be stored.
#[derive(Debug)]
pub struct Draft {
    pub kind: ProjectKind,
    /// In its latest form.
    pub film: Value,
    /// As it was sent, where that is another form.
    pub request: Option<Value>,
}

/// Stores a project, and exports it if asked to.
pub async fn create(
    app: &Arc<App>,
    auth: &Auth,
    draft: Draft,
    options: &Options,
    checked: &Checked,
    export: bool,
) -> Result<Project, ApiError> {
    let kept = options::kept(&draft.film);
    let new = NewProject {
        id: None,
        account: auth.account.id.clone(),
        workspace: options.workspace.clone(),
        name: checked.resolved.film.name.clone(),
        orientation: orientation(checked).to_owned(),
        kind: draft.kind,
        body: kept.clone(),
        request: draft.request,
        callback_id: options.callback_id.clone(),
        importing: None,
    };
    if !export {
        return Ok(app.store.create_project(new).await?);
    }
    let before = Before::Create(Box::new(new));
    start(app, auth, before, Wanted { project: String::new(), film: kept, kind: draft.kind }, options, checked).await
}

/// What is to be exported.
#[derive(Debug)]
pub struct Wanted {
    /// Empty where it is created along with the export.
    pub project: String,
    pub film: Value,
    pub kind: ProjectKind,
}

/// Accepts an export, with whatever has to happen to the project in the same breath.
pub async fn start(
    app: &Arc<App>,
    auth: &Auth,
    before: Before,
    wanted: Wanted,
    options: &Options,
    checked: &Checked,
) -> Result<Project, ApiError> {
    let film = &checked.resolved.film;
    let new = NewExport {
        project: wanted.project,
        account: auth.account.id.clone(),
        name: film.name.clone(),
        resolution: film.resolution.name().to_owned(),
        format: if wanted.kind == ProjectKind::SimpleAudio { "wav" } else { options.format }.to_owned(),
        snapshot: wanted.film,
        priority: 0,
        webhook: options.webhook.clone(),
        webhook_method: options.webhook_method.to_owned(),
        callback_id: options.callback_id.clone(),
        reserve: checked.credits(),
        warnings: checked.warnings(),
    };
    let project = app.store.start_export(before, new).await??;
    app.engine.ring();
    Ok(project)
}

pub fn orientation(checked: &Checked) -> &'static str {
    match checked.resolved.film.orientation {
        compere_scene::Orientation::Landscape => "landscape",
        compere_scene::Orientation::Portrait => "portrait",
    }
}

/// A project of this account, in the workspace that the key pair is bound to.
pub async fn own_project(app: &App, auth: &Auth, id: &str) -> Result<Project, ApiError> {
    let found = app.store.project(&auth.account.id, id).await?;
    let visible = |project: &Project| auth.workspace.is_none() || auth.workspace == project.workspace;
    found.filter(visible).ok_or_else(|| ApiError::no_project(id))
}
