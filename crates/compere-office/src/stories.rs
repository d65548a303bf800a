//! Films made of less than scenes: of a text, of a project that serves as a template, of its tags.

use compere_media::Orientation;
use compere_scene::{Catalogue, Code, Problem, Warning, modify};
use compere_store::{Before, Project, ProjectKind};
use compere_story::{Brief, Look, Outline, Presenter, Task, measured, storyboard, unmeasured};
use serde_json::{Value, json};

use crate::accept::{Draft, Wanted, sees};
use crate::ask::Ask;
use crate::projects::{at_resolution, be_current};
use crate::refusal::problem;
use crate::{Accepted, Member, Office, Refusal, schema};

/// Pictures of one text that are looked at.
const PICTURES: usize = 40;

impl Office {
    /// A project of a text: headings become titles, lists become points, paragraphs are said as they stand. Nothing is
    /// exported.
    /// Only where `options.scriptOption` is `ai`, a language model says it better first.
    pub async fn film_of_text(&self, member: &Member, request: &Value) -> Result<Accepted, Refusal> {
        let meant = "must be a text, with or without headings and lists";
        let (text, asked) =
            Ask::read(request, &schema::SCRIPTS, |ask| (ask.need_text("scripts", meant), Asked::of(ask)))?;
        self.film_said(member, text, &asked, request).await
    }

    /// A film of a text, better said where that is asked for.
    pub(crate) async fn film_said(
        &self,
        member: &Member,
        text: String,
        asked: &Asked,
        request: &Value,
    ) -> Result<Accepted, Refusal> {
        if asked.rewritten {
            return self.film_written(member, Task::Rewrite(text), asked, request).await;
        }
        self.film_as_it_stands(member, &text, asked, request).await
    }

    pub(crate) async fn film_as_it_stands(
        &self,
        member: &Member,
        text: &str,
        asked: &Asked,
        request: &Value,
    ) -> Result<Accepted, Refusal> {
        let presenter = self.teller(member, asked)?;
        let mut links: Vec<String> = unmeasured(text).into_iter().map(str::to_owned).collect();
        links.truncate(PICTURES);
        let sizes = self.sizes_of(member, links.clone()).await;
        let unseen = links.iter().filter(|link| !sizes.contains_key(*link)).map(|link| Warning {
            path: "scripts".to_owned(),
            message: format!("the picture `{link}` cannot be fetched and is left out"),
        });
        let outline = Outline::read(&measured(text, |link| sizes.get(link).copied()));
        let first =
            || outline.first_words().unwrap_or_default().split_whitespace().take(8).collect::<Vec<_>>().join(" ");
        let name = asked.name.clone().or(outline.title.clone()).unwrap_or_else(first);
        let look = Look::of(asked.look.as_deref().unwrap_or_default());
        let film = compere_story::project(&name, &storyboard(&outline), asked.orientation, &presenter, &look);
        let (options, checked) = self.read(member, ProjectKind::Scenes, request, &film).await?;
        let project = self.found(member, Draft::new(ProjectKind::Scenes, film), &options, &checked, false).await?;
        let idle = asked
            .idle
            .iter()
            .map(|key| Warning { path: format!("options.{key}"), message: "has no effect here".to_owned() });
        let strange = asked.strange.iter().map(|(key, word, instead)| Warning {
            path: format!("options.{key}"),
            message: format!("`{word}` is not known here; `{instead}` is taken"),
        });
        let warnings = checked.resolved.warnings.into_iter().chain(unseen).chain(idle).chain(strange).collect();
        Ok(Accepted { project, warnings })
    }

    /// Who tells: the one that the options name, else the account's own.
    pub(crate) fn teller(&self, member: &Member, asked: &Asked) -> Result<Presenter, Refusal> {
        let own = self.presenter_of(Some(&member.account));
        let (model, cloth) = match &asked.model {
            None => (own.model, own.cloth),
            Some(named) => {
                let house = self.house_of(&member.account.id);
                let found = house.find_avatar(named).ok_or_else(|| {
                    let message = format!("there is no avatar `{named}`; GET /api/odin/v3/model lists them");
                    let unknown = Problem { code: Code::UnknownModel, ..problem("options.model", message) };
                    Refusal::Problems(vec![unknown])
                })?;
                let outfit = found.avatar.outfits.first().map(|outfit| outfit.id.clone());
                (found.avatar.id.clone(), outfit.unwrap_or_default())
            }
        };
        Ok(Presenter { model, cloth, language: asked.brief.language.clone(), voice: None, unseen: asked.unseen })
    }

    /// A new project that is a copy of one of the account's, with another name or another presenter. Nothing is exported.
    pub async fn from_template(&self, member: &Member, id: &str, request: &Value) -> Result<Accepted, Refusal> {
        let template = self.project(member, id).await?;
        let mut film = template.body()?;
        let word = |ask: &Ask<'_>, keys: [&str; 2]| keys.iter().find_map(|key| ask.word(key));
        let names = [["name", "projectName"], ["aiName", "model"], ["clothId", "clothes"]];
        let [name, model, outfit] =
            Ask::read(request, &schema::FROM_TEMPLATE, |ask| names.map(|keys| word(ask, keys)))?;
        // What somebody else wore does not fit.
        let outfit = outfit.or_else(|| self.first_outfit(member, model.as_deref()?));
        if let Some(name) = name {
            film["name"] = json!(name);
        }
        for (value, short, long) in [(model, "modelId", "ai_name"), (outfit, "clothId", "emotion")] {
            if let Some(value) = value {
                present(&mut film, short, long, &value);
            }
        }
        let (options, checked) = self.read(member, template.kind, request, &film).await?;
        let project = self.found(member, Draft::new(template.kind, film), &options, &checked, false).await?;
        Ok(Accepted { project, warnings: checked.resolved.warnings })
    }

    /// Changes a project by its tags, or a copy of the one that `templateId` names. Exported only where the request says
    /// so.
    pub async fn modify(&self, member: &Member, request: &Value, wanted: Option<i64>) -> Result<Accepted, Refusal> {
        let [own, template, name] =
            Ask::read(request, &schema::MODIFY, |ask| ["projectId", "templateId", "name"].map(|key| ask.word(key)))?;
        let copies = own.is_none();
        let Some(id) = own.or(template) else {
            return Err(Refusal::field("projectId", "must be the id of a project, or `templateId` that of a template"));
        };
        if request["updates"].is_null() {
            return Err(Refusal::field("updates", "is missing: an object of tags and what they shall be"));
        }
        let project = self.project(member, &id).await?;
        be_current(&project, wanted)?;
        let mut film = project.body()?;
        if copies && let Some(name) = name {
            film["name"] = json!(name);
        }
        let changed = modify(&mut film, &request["updates"])?;
        let read = self.read(member, project.kind, request, &at_resolution(&film, request)).await;
        let (options, checked) = read.map_err(|refusal| match refusal {
            Refusal::Problems(problems) => Refusal::Problems(changed.in_request(problems)),
            other => other,
        })?;
        let export = options.is_export.unwrap_or(false);
        let placed =
            |warning: &Warning| Warning { path: changed.path(&warning.path), message: warning.message.clone() };
        let warnings = checked.resolved.warnings.iter().map(placed).collect();
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

    /// Projects that the member's account makes others of.
    pub async fn templates(&self, member: &Member) -> Result<Vec<Project>, Refusal> {
        let mut all = self.store.templates(&member.account.id).await?;
        all.retain(|project| sees(member, project));
        Ok(all)
    }

    /// Calls a project a template, or no longer.
    pub async fn mark_template(&self, member: &Member, id: &str, serves: bool) -> Result<Project, Refusal> {
        let project = self.project(member, id).await?;
        self.store.mark_template(&member.account.id, id, serves).await?;
        Ok(project)
    }

    async fn rewritten(&self, project: Project, film: &Value) -> Result<Project, Refusal> {
        let kept = self.store.edit_project(&project.account, &project.id, project.revision, film, "api").await?;
        kept.map(|_| project).ok_or(Refusal::Changed)
    }

    /// The same outfit that whoever names none gets.
    pub fn first_outfit(&self, member: &Member, model: &str) -> Option<String> {
        let house = self.house_of(&member.account.id);
        let found = house.find_avatar(model)?;
        found.avatar.outfits.first().map(|outfit| outfit.id.clone())
    }
}

/// What a request for a story says beside its text.
pub(crate) struct Asked {
    pub(crate) name: Option<String>,
    model: Option<String>,
    /// Heard and not seen.
    pub(crate) unseen: bool,
    orientation: Orientation,
    /// Word of a template.
    look: Option<String>,
    /// A language model is to say it better.
    rewritten: bool,
    pub(crate) brief: Brief,
    /// Given, and of no use here.
    idle: Vec<&'static str>,
    /// Words that are none of those that are known, each with what is taken instead.
    strange: Vec<(&'static str, String, &'static str)>,
}

/// Options of vendors for pictures that are searched or made, and for another pace.
const IDLE: [&str; 4] = ["speed", "media", "style", "useGenerativeHighQuality"];

/// Words that options may be, of this generation and the one before; what else is said counts as the first.
const KNOWN: [(&str, &[&str]); 3] = [
    ("orientation", &["web", "mobile", "landscape", "portrait"]),
    ("scriptOption", &["original", "ai"]),
    ("templateId", &["business", "education", "social", "youtube", "auto"]),
];

fn unknown(word: String, known: &[&str]) -> Option<String> {
    (!known.iter().any(|one| word.eq_ignore_ascii_case(one))).then_some(word)
}

impl Asked {
    pub(crate) fn of(ask: &Ask<'_>) -> Self {
        let options = ask.inside("options");
        let word = |key: &str| options.as_ref().and_then(|options| options.word(key));
        let flag = |key: &str| options.as_ref().and_then(|options| options.flag(key));
        let number = |key: &str| options.as_ref().and_then(|options| options.number(key));
        // Vendors' clients say the goal where others say what it is for.
        let goal = word("goal");
        let is_given = |key: &&str| options.as_ref().is_some_and(|options| options.given(key).is_some());
        Self {
            idle: IDLE.into_iter().filter(is_given).collect(),
            strange: KNOWN
                .iter()
                .filter_map(|(key, words)| Some((*key, unknown(word(key)?, words)?, words[0])))
                .collect(),
            name: ask.word("name"),
            model: word("model"),
            unseen: flag("voiceOnly").unwrap_or(false),
            orientation: match word("orientation").as_deref() {
                Some("mobile" | "portrait") => Orientation::Portrait,
                _ => Orientation::Landscape,
            },
            look: word("templateId").or(goal.clone()),
            rewritten: word("scriptOption").as_deref() == Some("ai"),
            brief: Brief {
                language: word("language"),
                objective: word("objective").or(goal),
                audience: word("audience"),
                tone: word("tone"),
                seconds: number("duration").map(|seconds| seconds.clamp(10.0, 600.0) as u32),
            },
        }
    }
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
