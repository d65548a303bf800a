//! Projects: made, edited, named, copied, moved, deleted, read.

use std::sync::Arc;

use compere_house::desk::{Desk, Flaw};
use compere_scene::{Problem, Resolved, Warning};
use compere_store::{Before, Deleted, Project, ProjectKind, ProjectList, Revision};
use serde_json::{Value, json};

use crate::accept::{Draft, Wanted};
use crate::turns::Work;
use crate::{Checked, Member, Office, Refusal, Tongue, options};

/// Longest name of a project.
const NAME: usize = 200;

/// What became of a body that was to be saved.
#[derive(Debug)]
pub enum Saved {
    As(i64),
    /// Somebody else was quicker; this is the revision now.
    Overtaken(i64),
}

/// What a body would become, and what it would cost.
#[derive(Debug)]
pub struct Estimate {
    pub problems: Vec<Problem>,
    /// None where no film can be made of it.
    pub film: Option<(Value, Checked)>,
    /// The languages of its lines, also of a film that is refused for one of them.
    pub tongues: Vec<Tongue>,
    /// Credits of the account, where they are counted.
    pub balance: Option<i64>,
}

/// A project that was made or changed, and what its author may not have meant.
#[derive(Debug)]
pub struct Accepted {
    pub project: Project,
    pub warnings: Vec<Warning>,
}

impl Office {
    /// Makes a project of a body in its latest form, and exports it unless it says otherwise.
    pub async fn create(&self, member: &Member, body: &Value) -> Result<Accepted, Refusal> {
        let draft = Draft::new(ProjectKind::Scenes, body.clone());
        let (options, checked) = self.read(member, ProjectKind::Scenes, body, body).await?;
        let export = options.is_export.unwrap_or(true);
        let project = self.found(member, draft, &options, &checked, export).await?;
        Ok(Accepted { project, warnings: checked.resolved.warnings })
    }

    /// Begins a project that may still be anything. An unknown workspace is none.
    pub async fn begin(&self, member: &Member, body: Value, workspace: &str) -> Result<Project, Refusal> {
        let workspace = self.own_workspace(member, workspace).await?;
        let draft = Draft { workspace, ..Draft::new(ProjectKind::Scenes, body) };
        let project = self.store.create_project(draft.stored(&member.account.id)).await?;
        self.ahead.note(&project.account, &project.id);
        Ok(project)
    }

    pub(crate) async fn own_workspace(&self, member: &Member, id: &str) -> Result<Option<String>, Refusal> {
        let known = self.store.workspaces(&member.account.id).await?;
        Ok(known.into_iter().map(|known| known.id).find(|known| known == id))
    }

    /// What a body of either generation would become. Nothing is stored, spoken or drawn.
    pub async fn estimate(&self, member: &Member, body: &Value) -> Result<Estimate, Refusal> {
        let plan = self.plan(member);
        let (_, mut problems) = options::read(body);
        let film = match compere_scene::is_legacy(body) {
            true => self.of_older(member, body).await,
            false => Ok(body.clone()),
        };
        let weighed = film.and_then(|film| {
            let (checked, wrong) = self.weigh(member, &film)?;
            Ok((film, (checked.asked_by(member), wrong)))
        });
        let balance = match plan.monthly_credits {
            Some(_) => Some(self.store.balance(&member.account.id).await?),
            None => None,
        };
        let (mut all, film, tongues) = match weighed {
            Ok((film, (checked, wrong))) => {
                let tongues = self.tongues(&checked.resolved.film);
                let fits = wrong.is_empty();
                (wrong, fits.then_some((film, checked)), tongues)
            }
            Err(all) => (all, None, Vec::new()),
        };
        all.append(&mut problems);
        Ok(Estimate { problems: all, film, tongues, balance })
    }

    /// What is wrong with linked files: found by fetching them.
    pub async fn broken_links(&self, member: &Member, film: &Value) -> Result<Vec<Flaw>, Refusal> {
        let film = self.lettered(&member.account.id, film.clone()).await?;
        let check = |desk: Arc<dyn Desk>| async move { desk.check(film).await };
        Ok(self.ask(&member.account.id, Work::Check, check).await?.problems)
    }

    /// Projects of the account, in the workspace that the key pair is bound to, and how many there are in all.
    pub async fn projects(&self, member: &Member, list: ProjectList) -> Result<(Vec<Project>, i64), Refusal> {
        let workspace = member.workspace.clone().or(list.workspace);
        Ok(self.store.projects(&member.account.id, &ProjectList { workspace, ..list }).await?)
    }

    /// Changes a project, or a copy of it, and exports it unless the request says otherwise. Others may edit at the same
    /// time; each edit is made to whatever the project is by then, or to `wanted` alone.
    pub async fn edit(
        &self,
        member: &Member,
        id: &str,
        request: &Value,
        wanted: Option<i64>,
    ) -> Result<Accepted, Refusal> {
        let mut tries = 0;
        loop {
            let project = self.project(member, id).await?;
            be_current(&project, wanted)?;
            tries += 1;
            match self.edit_once(member, project, request).await {
                Err(Refusal::Changed) if tries < 4 => {}
                outcome => return outcome,
            }
        }
    }

    async fn edit_once(&self, member: &Member, project: Project, request: &Value) -> Result<Accepted, Refusal> {
        let mut film = project.body()?;
        let updates = request.get("updates").filter(|updates| !updates.is_null());
        let Some(updates) = updates else {
            return Err(Refusal::field("updates", "is missing: an object with a list `value`, or the list itself"));
        };
        let edited = compere_scene::edit(&mut film, updates)?;
        for key in ["name", "onAssetError"] {
            if let Some(value) = request.get(key).filter(|value| !value.is_null()) {
                film[key] = value.clone();
            }
        }
        let read = self.read(member, project.kind, request, &at_resolution(&film, request)).await;
        let (options, checked) = read.map_err(|refusal| match refusal {
            // What is wrong with the changed project is wrong with the request.
            Refusal::Problems(problems) => Refusal::Problems(edited.in_request(problems)),
            other => other,
        })?;
        let export = options.is_export.unwrap_or(true);
        let placed = |warning: &Warning| Warning { path: edited.path(&warning.path), message: warning.message.clone() };
        let warnings: Vec<Warning> = checked.resolved.warnings.iter().map(placed).collect();
        let accepted = |project| Accepted { project, warnings: warnings.clone() };
        if options.copy {
            let copy = self.found(member, Draft::new(project.kind, film), &options, &checked, export).await?;
            return Ok(accepted(copy));
        }
        if !export {
            self.replace(&project, &film, "api").await?;
            return Ok(accepted(project));
        }
        let before = Before::Edit { revision: project.revision, body: Box::new(film.clone()), note: "api".to_owned() };
        let wanted = Wanted { project: project.id, film };
        Ok(accepted(self.start(member, before, wanted, &options, &checked).await?))
    }

    async fn replace(&self, project: &Project, body: &Value, note: &str) -> Result<i64, Refusal> {
        let kept = self.store.edit_project(&project.account, &project.id, project.revision, body, note).await?;
        self.ahead.note(&project.account, &project.id);
        kept.ok_or(Refusal::Changed)
    }

    /// Keeps what was written, also when no film can be made of it yet.
    pub async fn save(
        &self,
        member: &Member,
        id: &str,
        revision: i64,
        body: &Value,
        note: &str,
    ) -> Result<Saved, Refusal> {
        let most = self.settings.limits.scenes;
        let scenes = body.get("scenes").and_then(Value::as_array);
        if scenes.is_none_or(|scenes| scenes.len() > most) {
            return Err(Refusal::Form(format!("A project has a list of at most {most} scenes.")));
        }
        self.project(member, id).await?;
        let note: String = if note.is_empty() { "edited".to_owned() } else { note.chars().take(120).collect() };
        match self.store.edit_project(&member.account.id, id, revision, body, &note).await? {
            Some(revision) => {
                self.ahead.note(&member.account.id, id);
                Ok(Saved::As(revision))
            }
            None => Ok(Saved::Overtaken(self.project(member, id).await?.revision)),
        }
    }

    pub async fn revisions(&self, member: &Member, id: &str) -> Result<Vec<Revision>, Refusal> {
        let project = self.project(member, id).await?;
        Ok(self.store.revisions(&project.account, &project.id).await?)
    }

    /// Makes an older revision the newest one.
    pub async fn restore(&self, member: &Member, id: &str, number: i64) -> Result<(i64, Value), Refusal> {
        let project = self.project(member, id).await?;
        let body = self.store.revision_body(&project.account, id, number).await?;
        let body = body.ok_or_else(|| Refusal::missing("version"))?;
        let revision = self.replace(&project, &body, &format!("back to version {number}")).await?;
        Ok((revision, body))
    }

    /// Gives a project another name. Returns its revision.
    pub async fn rename(&self, member: &Member, id: &str, name: &str) -> Result<i64, Refusal> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > NAME {
            return Err(Refusal::Form(format!("A name has 1 to {NAME} characters.")));
        }
        let project = self.project(member, id).await?;
        let (body, request) = renamed(&project, name)?;
        match request {
            // A name changes nothing of what the request says, so it stays readable in its own form.
            Some(request) => {
                let kept = self.store.edit_request(&project, &body, &request, "renamed").await?;
                if kept { Ok(project.revision + 1) } else { Err(Refusal::Changed) }
            }
            None => self.replace(&project, &body, "renamed").await,
        }
    }

    /// A copy with everything that the original is, the request it was made of included.
    pub async fn duplicate(&self, member: &Member, id: &str, same_name: bool) -> Result<Project, Refusal> {
        let project = self.project(member, id).await?;
        let name = if same_name { project.name.clone() } else { format!("Copy of {}", project.name) };
        let name: String = name.chars().take(NAME).collect();
        let (film, request) = renamed(&project, &name)?;
        let draft = Draft { request, workspace: project.workspace.clone(), ..Draft::new(project.kind, film) };
        let copy = draft.stored(&member.account.id);
        let copy = compere_store::NewProject { name, orientation: project.orientation, ..copy };
        Ok(self.store.create_project(copy).await?)
    }

    /// Moves projects to a workspace, or out of all. Returns how many.
    pub async fn relocate(&self, member: &Member, ids: &[String], workspace: &str) -> Result<i64, Refusal> {
        let to = self.own_workspace(member, workspace).await?;
        if !workspace.is_empty() && to.is_none() {
            return Err(Refusal::missing("workspace"));
        }
        let mut moved = 0;
        for id in ids {
            moved += i64::from(self.store.move_project(&member.account.id, id, to.as_deref()).await?);
        }
        Ok(moved)
    }

    /// Deletes projects. Unknown and foreign ids are passed over. Running exports are cancelled, files go.
    pub async fn delete(&self, member: &Member, ids: &[String]) -> Result<u64, Refusal> {
        let mut known = Vec::new();
        for id in ids {
            match self.project(member, id).await {
                Ok(project) => known.push(project.id),
                Err(Refusal::Missing { .. }) => {}
                Err(refusal) => return Err(refusal),
            }
        }
        let deleted = self.store.delete_projects(&member.account.id, &known).await?;
        self.forget(&deleted).await;
        Ok(deleted.projects)
    }

    /// Running exports stop, and what they and the projects left goes. What stays is found by its row.
    pub(crate) async fn forget(&self, deleted: &Deleted) {
        for export in &deleted.exports {
            self.bell.cancel(export);
        }
        let exports = deleted.exports.iter().map(|id| ("exports", id));
        for (folder, id) in exports.chain(deleted.media.iter().map(|id| ("projects", id))) {
            if let Err(error) = self.objects.delete_owner(folder, id).await {
                tracing::warn!(folder, id, %error, "files of a deleted project stay for the sweeper");
            }
        }
    }

    /// The member's presenter before a calm background, with a line to change.
    pub fn blank(&self, member: Option<&Member>, upright: bool) -> Value {
        let account = member.map(|member| &member.account);
        let presenter = self.presenter_of(account);
        blank_film(&presenter.model, &presenter.cloth, upright)
    }
}

/// Whether a project is still the revision that somebody read who wants to change it.
pub(crate) fn be_current(project: &Project, wanted: Option<i64>) -> Result<(), Refusal> {
    match wanted.filter(|wanted| *wanted != project.revision) {
        Some(wanted) => Err(Refusal::Outdated { wanted, found: project.revision }),
        None => Ok(()),
    }
}

/// The film as an export request wants it: 1080 lines where it does not say, whatever the project was made with.
pub(crate) fn at_resolution(film: &Value, request: &Value) -> Value {
    let mut film = film.clone();
    let wanted = request.get("resolution").filter(|resolution| !resolution.is_null());
    film["resolution"] = wanted.cloned().unwrap_or_else(|| json!("1080"));
    film
}

/// Seconds that a film will last, guessed from its texts.
pub fn length(resolved: &Resolved) -> f64 {
    compere_scene::timeline(&resolved.film, &compere_scene::estimate(&resolved.film)).frames() as f64 / 30.0
}

/// The body under another name, and the request that it was made of.
fn renamed(project: &Project, name: &str) -> Result<(Value, Option<Value>), Refusal> {
    let mut body = project.body()?;
    if let Some(body) = body.as_object_mut() {
        body.insert("name".to_owned(), json!(name));
    }
    let request = project.request.as_deref().map(serde_json::from_str::<Value>).transpose();
    let mut request = request.map_err(Refusal::inside)?;
    if let (Some(request), ProjectKind::Legacy) = (request.as_mut(), project.kind) {
        request["projectName"] = json!(name);
    }
    Ok((body, request))
}

pub fn blank_film(who: &str, outfit: &str, upright: bool) -> Value {
    let (suffix, place, title) = if upright {
        ("-portrait", json!({"left": 90, "top": 620, "width": 900, "height": 1300}), (90, 150, 900, 72))
    } else {
        ("", json!({"left": 1040, "top": 120, "width": 800, "height": 960}), (130, 360, 900, 80))
    };
    let mut presenter = json!({
        "id": "presenter", "type": "aiModel", "layer": 5, "model": {"ai_name": who, "emotion": outfit}
    });
    if let (Some(clip), Some(place)) = (presenter.as_object_mut(), place.as_object()) {
        clip.extend(place.clone());
    }
    json!({
        "name": "New film", "orientation": if upright { "portrait" } else { "landscape" },
        "scenes": [{
            "sceneIdx": 0,
            "scripts": [{"org": "Hello! Write here what I should say.", "isTTS": false, "tts": null, "modelId": who, "clothId": outfit}],
            "background": {"id": "background", "type": "background", "source_type": "image",
                "source_url": format!("/images/background/studio-daylight{suffix}.png"), "source_color": "rgb(255,255,255)"},
            "clips": [
                {"id": "title", "type": "textImage", "layer": 3, "left": title.0, "top": title.1, "width": title.2,
                 "height": 240, "text": "Your title\ngoes here", "fill": "rgb(16,24,40)", "fontSize": title.3,
                 "fontFamily": "Noto Sans", "fontWeight": 800},
                presenter
            ],
            "watermark": false, "thumbnailUrl": null
        }]
    })
}
