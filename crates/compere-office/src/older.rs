//! The older generation (1.4.x), translated at the door.
//!
//! What was sent is kept beside its translation, so that it can be read, edited and translated again.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use compere_house::desk::Desk;
use compere_scene::{Problem, Warning};
use compere_store::{Project, ProjectKind};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::accept::Draft;
use crate::options::{self, Options};
use crate::projects::be_current;
use crate::turns::Work;
use crate::{Accepted, Checked, Member, Office, Refusal};

/// Pictures of one request that are looked at; later ones count as unknown, which is a size too.
const PICTURES: usize = 100;
/// For all pictures of a request together.
const PATIENCE: Duration = Duration::from_secs(30);

impl Office {
    /// Makes a project of an older body and exports it unless it says otherwise. Says what the export will cost.
    pub async fn create_older(&self, member: &Member, request: &Value) -> Result<(Accepted, i64), Refusal> {
        let (film, options, checked) = self.translate(member, request).await?;
        let export = options.is_export.unwrap_or(true);
        let draft = Draft { request: Some(request.clone()), ..Draft::new(ProjectKind::Legacy, film) };
        let project = self.found(member, draft, &options, &checked, export).await?;
        let credits = if export { checked.credits() } else { 0 };
        let placed =
            |warning: Warning| Warning { path: in_body(request, &warning.path).unwrap_or(warning.path), ..warning };
        let warnings = checked.resolved.warnings.into_iter().map(placed).collect();
        Ok((Accepted { project, warnings }, credits))
    }

    /// Exports a changed copy; the original stays as it is.
    pub async fn edit_older(&self, member: &Member, key: &str, body: &Value) -> Result<(Accepted, i64), Refusal> {
        let (project, mut request) = self.older(member, key).await?;
        let updates = body.get("updates").unwrap_or(&Value::Null);
        let edited = compere_scene::edit_legacy(&mut request, updates)?;
        request["projectName"] = json!(project.name);
        if let (Value::Object(request), Value::Object(sent)) = (&mut request, body) {
            let others = sent.iter().filter(|(key, _)| *key != "updates" && *key != "scenes");
            request.extend(others.map(|(key, value)| (key.clone(), value.clone())));
        }
        // What is wrong with the changed body is wrong with the request.
        let made = self.create_older(member, &request).await.map_err(|refusal| match refusal {
            Refusal::Problems(problems) => Refusal::Problems(edited.in_request(problems)),
            other => other,
        });
        let (mut accepted, credits) = made?;
        for warning in &mut accepted.warnings {
            warning.path = edited.path(&warning.path);
        }
        Ok((accepted, credits))
    }

    /// Changes the scenes of a project in place, and keeps the old ones as a revision. All or nothing.
    pub async fn change_older(
        &self,
        member: &Member,
        key: &str,
        wanted: Option<i64>,
        mut act: impl FnMut(&mut Vec<Value>) -> Result<(), Refusal>,
    ) -> Result<Project, Refusal> {
        for _ in 0..4 {
            let (project, mut request) = self.older(member, key).await?;
            be_current(&project, wanted)?;
            let Some(scenes) = request["scenes"].as_array_mut() else {
                return Err(Refusal::inside("a stored body without scenes"));
            };
            act(scenes)?;
            let (film, _, _) = self.translate(member, &request).await?;
            let film = options::kept(&film);
            if self.store.edit_request(&project, &film, &request, "api").await? {
                return Ok(project);
            }
        }
        Err(Refusal::Changed)
    }

    async fn older(&self, member: &Member, key: &str) -> Result<(Project, Value), Refusal> {
        let project = self.project(member, key).await?;
        let request = request_of(&project)?.ok_or_else(|| {
            let path = format!("/api/odin/v3/editor/project/{}", project.id);
            let message =
                format!("names a project that is none of the 1.4.x generation, or no longer; edit it with POST {path}");
            Refusal::field("key", message)
        })?;
        Ok((project, request))
    }

    async fn translate(&self, member: &Member, request: &Value) -> Result<(Value, Options, Checked), Refusal> {
        let film = self.of_older(member, request).await.map_err(|problems| with_options(request, problems))?;
        let read = self.read(member, ProjectKind::Legacy, request, &film).await;
        let (options, checked) = read.map_err(|refusal| match refusal {
            Refusal::Problems(problems) => Refusal::Problems(in_older_words(request, problems)),
            other => other,
        })?;
        Ok((film, options, checked))
    }

    /// An older body in its latest form.
    pub(crate) async fn of_older(&self, member: &Member, request: &Value) -> Result<Value, Vec<Problem>> {
        let sizes = self.sizes(member, request).await;
        let limits = self.settings.limits.of_scenes();
        let house = self.house_of(&member.account.id);
        compere_scene::legacy_to_project(request, &limits, &*house, &|link| sizes.get(link).copied())
    }

    /// The sizes of pictures that an older body links: its positions depend on them. What cannot be had is left out here
    /// and said when the film is made.
    async fn sizes(&self, member: &Member, body: &Value) -> HashMap<String, (u32, u32)> {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut links: Vec<String> = Vec::new();
        for clip in list(&body["scenes"]).iter().flat_map(|scene| list(&scene["clips"])) {
            if links.len() == PICTURES {
                break;
            }
            if let Some(link) = clip["detail"]["url"].as_str().filter(|_| clip["type"] == "image")
                && !links.iter().any(|known| known == link)
            {
                links.push(link.to_owned());
            }
        }
        self.sizes_of(member, links).await
    }

    /// One turn for all of them.
    pub(crate) async fn sizes_of(&self, member: &Member, links: Vec<String>) -> HashMap<String, (u32, u32)> {
        if links.is_empty() {
            return HashMap::new();
        }
        let measure = |desk: Arc<dyn Desk>| async move {
            let ask = |link: String| async {
                let size = tokio::time::timeout(PATIENCE, desk.size(&link)).await;
                Some((link, size.ok()?.ok()?))
            };
            Ok(join_all(links.into_iter().map(ask)).await)
        };
        let sizes = self.ask(&member.account.id, Work::Measure, measure).await;
        sizes.unwrap_or_default().into_iter().flatten().collect()
    }
}

/// The body that a project was made of, if it is of this generation.
pub fn request_of(project: &Project) -> Result<Option<Value>, Refusal> {
    match (&project.kind, &project.request) {
        (ProjectKind::Legacy, Some(request)) => serde_json::from_str(request).map(Some).map_err(Refusal::inside),
        _ => Ok(None),
    }
}

/// What a field of a translated clip was in the older body.
const DETAILS: [(&str, &str); 6] = [
    ("source_url", "url"),
    ("video_url", "url"),
    ("text", "textSource"),
    ("fill", "color"),
    ("fontFamily", "font"),
    ("fontSize", "scale"),
];

/// Problems of the film that a body was translated to, by their places in the body.
fn in_older_words(request: &Value, problems: Vec<Problem>) -> Vec<Problem> {
    let told = |problem: Problem| Problem { path: in_body(request, &problem.path).unwrap_or(problem.path), ..problem };
    problems.into_iter().map(told).collect()
}

/// `scenes[1].clips[0].video_url` is `scenes[1].clips[2].detail.url`, where two backgrounds stand before it.
fn in_body(request: &Value, path: &str) -> Option<String> {
    let (number, rest) = path.strip_prefix("scenes[")?.split_once("].")?;
    let clips = request["scenes"][number.parse::<usize>().ok()?]["clips"].as_array();
    let of_type = |backgrounds: bool| {
        let all = clips.into_iter().flatten().enumerate();
        all.filter(move |(_, clip)| (clip["type"] == "background") == backgrounds).map(|(at, _)| at)
    };
    if rest.starts_with("scripts[0]") {
        return Some(format!("scenes[{number}].AIModel.script"));
    }
    if rest.starts_with("background") {
        return Some(format!("scenes[{number}].clips[{}].detail.url", of_type(true).last()?));
    }
    let (clip, field) = rest.strip_prefix("clips[")?.split_once(']')?;
    let field = field.trim_start_matches('.');
    // The presenter is the last of all.
    let Some(at) = of_type(false).nth(clip.parse().ok()?) else { return Some(format!("scenes[{number}].AIModel")) };
    let detail = DETAILS.iter().find(|(ours, _)| *ours == field).map_or("", |(_, theirs)| theirs);
    let dot = if detail.is_empty() { "" } else { "." };
    Some(format!("scenes[{number}].clips[{at}].detail{dot}{detail}"))
}

/// What is wrong with the options too: all of it in one answer.
pub(crate) fn with_options(body: &Value, mut problems: Vec<Problem>) -> Refusal {
    problems.append(&mut options::read(body).1);
    Refusal::Problems(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_by_its_place_in_the_older_body() {
        let body = json!({ "scenes": [{ "AIModel": {}, "clips": [
            { "type": "background" }, { "type": "text" }, { "type": "userVideo" },
        ] }] });
        for (ours, theirs) in [
            ("scenes[0].clips[1].video_url", "scenes[0].clips[2].detail.url"),
            ("scenes[0].clips[0].text", "scenes[0].clips[1].detail.textSource"),
            ("scenes[0].clips[0].width", "scenes[0].clips[1].detail"),
            ("scenes[0].clips[2].model.ai_name", "scenes[0].AIModel"),
            ("scenes[0].scripts[0].org", "scenes[0].AIModel.script"),
            ("scenes[0].background.source_url", "scenes[0].clips[0].detail.url"),
        ] {
            assert_eq!(in_body(&body, ours).as_deref(), Some(theirs));
        }
        assert_eq!(in_body(&body, "resolution"), None);
    }
}
