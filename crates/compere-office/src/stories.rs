//! Films made of less than scenes: of a text, of a project that serves as a template, of its tags.

use compere_scene::{Catalogue, Code, Problem, modify};
use compere_store::{Before, Project, ProjectKind};
use compere_story::{Look, Orientation, Outline, Presenter, storyboard};
use serde_json::{Value, json};

use crate::accept::{Draft, Wanted};
use crate::options::problem;
use crate::projects::at_resolution;
use crate::{Accepted, Member, Office, Refusal};

impl Office {
    /// A project of a text: headings become titles, lists become points, paragraphs are said as they stand. Nothing is
    /// exported.
    /// Only where `options.scriptOption` is `ai`, a language model says it better first.
    pub async fn film_of_text(&self, member: &Member, request: &Value) -> Result<Accepted, Refusal> {
        match request["options"]["scriptOption"].as_str() {
            Some("ai") => self.film_rewritten(member, &text(request)?, request).await,
            _ => self.film_as_it_stands(member, request).await,
        }
    }

    pub(crate) async fn film_as_it_stands(&self, member: &Member, request: &Value) -> Result<Accepted, Refusal> {
        let text = text(request)?;
        let told = &request["options"];
        let presenter = self.teller(member, told)?;
        let orientation = match told["orientation"].as_str() {
            Some("mobile" | "portrait") => Orientation::Portrait,
            _ => Orientation::Landscape,
        };
        let outline = Outline::read(&text);
        let first = || text.split_whitespace().take(8).collect::<Vec<_>>().join(" ");
        let name = request["name"].as_str().map(str::to_owned).or(outline.title.clone()).unwrap_or_else(first);
        let look = Look::of(told["templateId"].as_str().or(told["goal"].as_str()).unwrap_or_default());
        let film = compere_story::project(&name, &storyboard(&outline), orientation, &presenter, &look);
        let (options, checked) = self.read(member, ProjectKind::Scenes, request, &film).await?;
        let project = self.found(member, Draft::new(ProjectKind::Scenes, film), &options, &checked, false).await?;
        Ok(Accepted { project, warnings: checked.resolved.warnings })
    }

    /// Who tells: the one that the options name, else the account's own.
    pub(crate) fn teller(&self, member: &Member, told: &Value) -> Result<Presenter, Refusal> {
        let own = self.presenter_of(Some(&member.account));
        let language = told["language"].as_str().map(str::to_owned);
        let unseen = told["voiceOnly"] == json!(true);
        let named = told["model"].as_str().filter(|model| !model.is_empty());
        let (model, cloth) = match named {
            None => (own.model, own.cloth),
            Some(named) => {
                let found = self.house.find_avatar(named).ok_or_else(|| {
                    let message = format!("there is no avatar `{named}`; GET /api/odin/v3/model lists them");
                    let unknown = Problem { code: Code::UnknownModel, ..problem("options.model", message) };
                    Refusal::Problems(vec![unknown])
                })?;
                let outfit = found.avatar.outfits.first().map(|outfit| outfit.id.clone());
                (found.avatar.id.clone(), outfit.unwrap_or_default())
            }
        };
        Ok(Presenter { model, cloth, language, voice: None, unseen })
    }

    /// A new project that is a copy of one of the account's, with another name or another presenter. Nothing is exported.
    pub async fn from_template(&self, member: &Member, id: &str, request: &Value) -> Result<Accepted, Refusal> {
        let template = self.project(member, id).await?;
        let mut film = template.body()?;
        let word = |keys: [&str; 2]| keys.iter().find_map(|key| request[*key].as_str()).filter(|word| !word.is_empty());
        if let Some(name) = word(["name", "projectName"]) {
            film["name"] = json!(name);
        }
        for (value, short, long) in
            [(word(["aiName", "model"]), "modelId", "ai_name"), (word(["clothId", "clothes"]), "clothId", "emotion")]
        {
            let Some(value) = value else { continue };
            present(&mut film, short, long, value);
        }
        let (options, checked) = self.read(member, template.kind, request, &film).await?;
        let project = self.found(member, Draft::new(template.kind, film), &options, &checked, false).await?;
        Ok(Accepted { project, warnings: checked.resolved.warnings })
    }

    /// Changes a project by its tags, or a copy of the one that `templateId` names. Exported only where the request says
    /// so.
    pub async fn modify(&self, member: &Member, request: &Value) -> Result<Accepted, Refusal> {
        let named = |key: &str| request[key].as_str().filter(|id| !id.is_empty());
        let Some(id) = named("projectId").or(named("templateId")) else {
            return Err(Refusal::field("projectId", "must be the id of a project"));
        };
        let copies = named("projectId").is_none();
        let project = self.project(member, id).await?;
        let mut film = project.body()?;
        if copies && let Some(name) = named("name") {
            film["name"] = json!(name);
        }
        let changed = modify(&mut film, &request["updates"])?;
        let read = self.read(member, project.kind, request, &at_resolution(&film, request)).await;
        let (options, checked) = read.map_err(|refusal| match refusal {
            Refusal::Problems(problems) => Refusal::Problems(changed.in_request(problems)),
            other => other,
        })?;
        let export = options.is_export.unwrap_or(false);
        let warnings = checked.resolved.warnings.clone();
        let project = match (copies, export) {
            (true, _) => self.found(member, Draft::new(project.kind, film), &options, &checked, export).await?,
            (false, false) => self.rewritten(project, &film).await?,
            (false, true) => {
                let (revision, body) = (project.revision, Box::new(film.clone()));
                let before = Before::Edit { revision, body, note: "api".to_owned() };
                self.start(member, before, Wanted { project: project.id, film }, &options, &checked).await?
            }
        };
        Ok(Accepted { project, warnings })
    }

    async fn rewritten(&self, project: Project, film: &Value) -> Result<Project, Refusal> {
        let kept = self.store.edit_project(&project.account, &project.id, project.revision, film, "api").await?;
        kept.map(|_| project).ok_or(Refusal::Changed)
    }

    /// The same outfit that whoever names none gets.
    pub fn first_outfit(&self, model: &str) -> Option<String> {
        let found = self.house.find_avatar(model)?;
        found.avatar.outfits.first().map(|outfit| outfit.id.clone())
    }
}

fn text(request: &Value) -> Result<String, Refusal> {
    let text = request["scripts"].as_str().filter(|text| !text.trim().is_empty());
    let wrong = || Refusal::field("scripts", "must be a text, with or without headings and lists");
    text.map(str::to_owned).ok_or_else(wrong)
}

/// Another presenter, or another outfit, wherever somebody presents.
fn present(film: &mut Value, short: &str, long: &str, value: &str) {
    for scene in film["scenes"].as_array_mut().into_iter().flatten() {
        for script in scene.get_mut("scripts").and_then(Value::as_array_mut).into_iter().flatten() {
            if script.is_object() {
                script[short] = json!(value);
            }
        }
        for clip in scene.get_mut("clips").and_then(Value::as_array_mut).into_iter().flatten() {
            if clip["type"] == "aiModel" && clip["model"].is_object() {
                clip["model"][long] = json!(value);
            }
        }
    }
}
