//! From a body to an accepted project and export, or to everything that is wrong with it.
//!
//! The order is fixed: the body, the language of its lines, the account's queue and credits, then one transaction.
//! A request that is refused has changed nothing. A [`NewProject`] and a [`NewExport`] are written here and nowhere else.

use compere_house::catalogue::mismatched;
use compere_jobs::credits_for;
use compere_media::{Format, Orientation, SAMPLE_RATE};
use compere_scene::{Problem, Resolved, SceneTime};
use compere_store::{Before, NewExport, NewProject, Order, Plan, Priority, Project, ProjectKind, Webhook};
use serde_json::{Value, json};

use crate::options::{self, Options};
use crate::refusal;
use crate::{Member, Office, Refusal, rehearsal};

/// A body that makes a film.
#[derive(Debug)]
pub struct Checked {
    pub resolved: Resolved,
    /// Estimated.
    pub seconds: f64,
    /// For a test key.
    pub test: bool,
}

impl Checked {
    pub fn credits(&self) -> i64 {
        if self.test { 0 } else { credits_for(self.seconds) }
    }

    /// The same as the member may have it.
    pub(crate) fn asked_by(mut self, member: &Member) -> Self {
        self.test = member.test;
        if self.test {
            rehearsal::at_most(&mut self.resolved);
        }
        self
    }

    /// As they are kept with an export.
    fn kept_warnings(&self) -> Vec<Value> {
        let all = self.resolved.warnings.iter();
        all.map(|warning| json!({ "path": warning.path, "message": warning.message })).collect()
    }

    /// When each scene begins and how long it lasts, in seconds, guessed from the texts.
    pub fn scenes(&self) -> Vec<(f64, f64)> {
        let film = &self.resolved.film;
        let seconds = |samples: u64| samples as f64 / f64::from(SAMPLE_RATE);
        let one = |time: &SceneTime| {
            let span = time.samples();
            (seconds(span.start), seconds(span.end - span.start))
        };
        compere_scene::timeline(film, &compere_scene::estimate(film)).scenes.iter().map(one).collect()
    }

    pub fn orientation(&self) -> Orientation {
        self.resolved.film.orientation
    }
}

/// A project as it will be stored.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) kind: ProjectKind,
    /// In its latest form.
    pub(crate) film: Value,
    /// As it was sent, where that is another form.
    pub(crate) request: Option<Value>,
    pub(crate) workspace: Option<String>,
    pub(crate) callback_id: Option<String>,
}

impl Draft {
    pub(crate) fn new(kind: ProjectKind, film: Value) -> Self {
        Self { kind, film, request: None, workspace: None, callback_id: None }
    }

    /// With the name and orientation that the body says.
    pub(crate) fn stored(self, account: &str) -> NewProject {
        let text = |key: &str| self.film[key].as_str();
        NewProject {
            id: None,
            account: account.to_owned(),
            name: text("name").unwrap_or("Untitled").to_owned(),
            orientation: text("orientation").and_then(Orientation::parse).unwrap_or_default(),
            workspace: self.workspace,
            kind: self.kind,
            body: self.film,
            request: self.request,
            callback_id: self.callback_id,
            importing: None,
        }
    }
}

/// What is to be exported.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// Empty where it is created along with the export.
    pub(crate) project: String,
    pub(crate) film: Value,
}

impl Office {
    /// What a body becomes, or all that is wrong with it.
    pub fn resolve(&self, account: &str, body: &Value) -> Result<Resolved, Vec<Problem>> {
        compere_scene::resolve(body, &self.settings.limits.of_scenes(), &*self.house_of(account))
    }

    /// What a member may do: with a test key little, at no price.
    pub(crate) fn plan(&self, member: &Member) -> Plan {
        let plan = self.store.plan(&member.account.plan);
        if member.test { plan.for_tests() } else { plan }
    }

    /// Everything that is wrong with a project, or what it will be.
    pub fn check(&self, member: &Member, body: &Value) -> Result<Checked, Vec<Problem>> {
        let (checked, problems) = self.weigh(member, body)?;
        if problems.is_empty() { Ok(checked) } else { Err(problems) }
    }

    /// What a body will be, and what else stands in the way of its film; or why it is none at all.
    pub fn judge(&self, member: &Member, body: &Value) -> Result<(Checked, Vec<Problem>), Vec<Problem>> {
        self.weigh(member, body)
    }

    pub(crate) fn weigh(&self, member: &Member, body: &Value) -> Result<(Checked, Vec<Problem>), Vec<Problem>> {
        let mut limits = self.settings.limits.of_scenes();
        limits.film_seconds = limits.film_seconds.min(self.plan(member).longest_film);
        let resolved = compere_scene::resolve(body, &limits, &*self.house_of(&member.account.id))?;
        let mut problems = mismatched(&self.voices, &resolved.film);
        let measured = compere_scene::estimate(&resolved.film);
        let samples = compere_scene::timeline(&resolved.film, &measured).samples();
        let seconds = samples as f64 / f64::from(SAMPLE_RATE);
        // Estimates err by a third; only what is plainly too long is refused before it is spoken.
        if seconds > limits.film_seconds * 1.5 {
            let most = limits.film_seconds;
            let message = format!("must last at most {most} s, would last about {seconds:.0} s");
            problems.push(refusal::problem("scenes", message));
        }
        Ok((Checked { resolved, seconds, test: false }, problems))
    }

    /// The options of a body together with what is wrong with its film: all of it in one answer.
    pub(crate) async fn read(
        &self,
        member: &Member,
        kind: ProjectKind,
        body: &Value,
        film: &Value,
    ) -> Result<(Options, Checked), Refusal> {
        let (mut options, mut problems) = options::read(body);
        if kind == ProjectKind::SimpleAudio {
            options.format = Format::Wav;
        }
        problems.extend(options::unreachable(&options, body, &self.rules));
        let checked = self.check(member, film).map(|checked| checked.asked_by(member));
        let options = self.in_workspace(member, options, &mut problems).await?;
        match checked {
            Ok(checked) if problems.is_empty() => Ok((options, checked)),
            Ok(_) => Err(Refusal::Problems(problems)),
            Err(mut all) => {
                all.append(&mut problems);
                Err(Refusal::Problems(all))
            }
        }
    }

    /// The workspace has to be the account's; a key pair that is bound to one works in no other.
    pub(crate) async fn in_workspace(
        &self,
        member: &Member,
        mut options: Options,
        problems: &mut Vec<Problem>,
    ) -> Result<Options, Refusal> {
        match (&options.workspace, &member.workspace) {
            (None, bound) => options.workspace.clone_from(bound),
            (Some(wanted), Some(bound)) if wanted != bound => {
                let message = format!("must be `{bound}`: the key pair is bound to it");
                problems.push(refusal::problem("workspaceId", message));
            }
            (Some(wanted), None) => {
                let known = self.store.workspaces(&member.account.id).await?;
                if !known.iter().any(|workspace| workspace.id == *wanted) {
                    let ids: Vec<&str> = known.iter().map(|workspace| workspace.id.as_str()).collect();
                    let hint = match ids.as_slice() {
                        [] => "leave it out".to_owned(),
                        ids => format!("it may be {}", ids.join(", ")),
                    };
                    let message = format!("is not a workspace of this account; {hint}");
                    problems.push(refusal::problem("workspaceId", message));
                }
            }
            _ => {}
        }
        Ok(options)
    }

    /// Stores a project, and exports it if asked to.
    pub(crate) async fn found(
        &self,
        member: &Member,
        mut draft: Draft,
        options: &Options,
        checked: &Checked,
        export: bool,
    ) -> Result<Project, Refusal> {
        draft.film = options::kept(&draft.film);
        draft.request = draft.request.as_ref().map(options::kept);
        draft.workspace.clone_from(&options.workspace);
        draft.callback_id.clone_from(&options.callback_id);
        let wanted = Wanted { project: String::new(), film: draft.film.clone() };
        let new = NewProject {
            name: checked.resolved.film.name.clone(),
            orientation: checked.orientation(),
            ..draft.stored(&member.account.id)
        };
        if !export {
            let project = self.store.create_project(new).await?;
            self.ahead.note(&project.account, &project.id);
            return Ok(project);
        }
        self.start(member, Before::Create(Box::new(new)), wanted, options, checked).await
    }

    /// Accepts an export, with whatever has to happen to the project in the same breath. Whoever orders, by whichever
    /// door, waits in the same line: no account overtakes another.
    pub(crate) async fn start(
        &self,
        member: &Member,
        before: Before,
        wanted: Wanted,
        options: &Options,
        checked: &Checked,
    ) -> Result<Project, Refusal> {
        // How large it will be nobody knows yet: whoever is full makes no more.
        self.make_room(&member.account, 0).await?;
        let film = &checked.resolved.film;
        let lettered = self.lettered(&member.account.id, wanted.film).await?;
        let snapshot = if member.test { rehearsal::marked(lettered) } else { lettered };
        let new = NewExport {
            project: wanted.project,
            account: member.account.id.clone(),
            order: Order { name: film.name.clone(), resolution: film.resolution, format: options.format, snapshot },
            priority: Priority::Usual,
            webhook: options.webhook.clone().map(|url| Webhook { url, method: options.webhook_method }),
            callback_id: options.callback_id.clone(),
            reserve: checked.credits(),
            test: member.test,
            warnings: checked.kept_warnings(),
            presenters: self.of_footage(film),
        };
        let project = self.store.start_export(before, new).await??;
        self.bell.ring();
        Ok(project)
    }

    /// A project of this account, in the workspace that the key pair is bound to.
    pub async fn project(&self, member: &Member, id: &str) -> Result<Project, Refusal> {
        let found = self.store.project(&member.account.id, id).await?;
        found.filter(|project| sees(member, project)).ok_or_else(|| Refusal::no_project(id))
    }

    /// The newest project of a name.
    pub async fn project_named(&self, member: &Member, name: &str) -> Result<Project, Refusal> {
        let found = self.store.project_by_name(&member.account.id, name).await?;
        found.filter(|project| sees(member, project)).ok_or_else(|| Refusal::no_project(name))
    }
}

pub(crate) fn sees(member: &Member, project: &Project) -> bool {
    member.workspace.is_none() || member.workspace == project.workspace
}
