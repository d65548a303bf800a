//! A project as pages show it.

use compere_store::{Export, ExportState, Project};
use serde_json::Value;

use super::words;
use crate::serve::app::App;
use crate::serve::links::Part;

/// One film in the grid.
#[derive(Clone, Debug)]
pub struct Card {
    pub id: String,
    pub name: String,
    pub state: String,
    pub word: &'static str,
    pub tone: &'static str,
    /// Being made.
    pub busy: bool,
    pub doing: String,
    /// Why there is no film.
    pub why: Option<String>,
    pub progress: f64,
    pub picture: Option<String>,
    /// The picture may have to be drawn first.
    pub drawn: bool,
    pub upright: bool,
    pub length: Option<String>,
    pub updated_at: i64,
}

impl Card {
    pub fn of(app: &App, project: &Project) -> Self {
        let export = project.export.as_ref();
        let state = shown_state(project);
        let (word, tone) = words::state(&state);
        let picture = picture(app, project);
        let seconds = export.and_then(|export| export.duration);
        Self {
            id: project.id.clone(),
            name: project.name.clone(),
            word,
            tone,
            busy: export.is_some_and(|export| !export.state.is_over()),
            doing: export.map_or_else(String::new, |export| words::on_the_way(export.state, export.progress)),
            why: why(project),
            progress: export.map_or(0.0, |export| export.progress),
            drawn: picture.as_ref().is_some_and(|picture| picture.starts_with("/app/")),
            picture,
            upright: project.orientation == "portrait",
            length: seconds.map(words::length),
            updated_at: project.updated_at,
            state,
        }
    }
}

fn why(project: &Project) -> Option<String> {
    match &project.export {
        Some(export) if export.state == ExportState::Failed => export.error.as_deref().map(said),
        Some(_) => None,
        None => importing(project)?["error"].as_str().map(str::to_owned),
    }
}

/// A failed import says so, rather than that it goes on.
pub fn shown_state(project: &Project) -> String {
    match importing(project) {
        Some(import) if project.export.is_none() && import["state"] == "failed" => "failed".to_owned(),
        _ => project.state().to_owned(),
    }
}

pub fn importing(project: &Project) -> Option<Value> {
    project.importing.as_deref().map(|text| serde_json::from_str(text).unwrap_or_default())
}

/// The film's poster, else its first scene.
fn picture(app: &App, project: &Project) -> Option<String> {
    let export = project.export.as_ref();
    let poster = export.and_then(|export| Some((export, export.made.as_ref()?)));
    if let Some((export, _)) = poster.filter(|(export, made)| made.poster && export.swept_at.is_none()) {
        return Some(file(app, &export.id, Part::Poster, "poster.jpg"));
    }
    (project.scene_count > 0).then(|| scene_picture(&project.id, project.revision, 0))
}

/// A frame of a scene of a project; the address changes with every edit.
pub fn scene_picture(project: &str, revision: i64, scene: usize) -> String {
    format!("/app/projects/{project}/scenes/{scene}.jpg?r={revision}")
}

/// Where one of an export's files is for a browser that is here already.
pub fn file(app: &App, export: &str, part: Part, name: &str) -> String {
    let link = app.links.download(export, part, name, app.store.now());
    link.strip_prefix(app.links.base()).unwrap_or(&link).to_owned()
}

/// One line of a project's history.
#[derive(Clone, Debug)]
pub struct Past {
    pub word: &'static str,
    pub tone: &'static str,
    pub resolution: &'static str,
    pub format: String,
    pub created_at: i64,
    pub length: Option<String>,
    pub size: Option<String>,
    pub took: Option<String>,
    pub credits: Option<i64>,
    pub error: Option<String>,
    /// The scene that the error is about, counted from 0.
    pub scene: Option<usize>,
    pub download: Option<(String, String)>,
}

impl Past {
    pub fn of(app: &App, export: &Export) -> Self {
        let (word, tone) = words::state(export.state.as_str());
        let made = export.made.as_ref().filter(|_| export.swept_at.is_none());
        let took = export.started_at.zip(export.finished_at).map(|(from, to)| (to - from) as f64 / 1000.0);
        let download = made.map(|made| (file(app, &export.id, Part::Film, &made.file_name), made.file_name.clone()));
        Self {
            word,
            tone,
            resolution: resolution(&export.resolution),
            format: export.format.clone(),
            created_at: export.created_at,
            length: export.duration.map(words::length),
            size: export.size.map(words::size),
            took: took.filter(|_| export.state == ExportState::Exported).map(words::length),
            credits: export.credits,
            error: export.error.as_deref().map(said),
            scene: export.error.as_deref().and_then(blamed_scene),
            download,
        }
    }
}

pub fn resolution(name: &str) -> &'static str {
    match name.to_ascii_lowercase().as_str() {
        "4k" | "2160" => "4K",
        "720" => "720p",
        "480" => "480p",
        _ => "1080p",
    }
}

/// Of a reason on a page, in letters. One may quote what somebody sent, which may be long.
const REASON: usize = 500;

/// A reason that begins with a path, as people count: `scenes[2].clips[0]: …`.
pub fn said(message: &str) -> String {
    let said = match message.split_once(": ") {
        Some((path, rest)) if path.starts_with("scenes[") => format!("{}{rest}", super::order::place(path)),
        _ => message.to_owned(),
    };
    match said.char_indices().nth(REASON) {
        Some((end, _)) => format!("{}…", &said[..end]),
        None => said,
    }
}

/// The scene that a message is about.
pub fn blamed_scene(message: &str) -> Option<usize> {
    let from = message.find("scenes[")? + "scenes[".len();
    message[from..].split(']').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_scenes_as_people_count_them() {
        assert_eq!(said("scenes[1].clips[0]: no such file"), "Scene 2, clip 1: no such file");
        assert_eq!(said("the disk is full: sorry"), "the disk is full: sorry");
        let long = said(&format!("scenes[0]: {}", "ö".repeat(9000)));
        assert!(long.starts_with("Scene 1: ö") && long.ends_with("ö…") && long.chars().count() == REASON + 1);
        assert_eq!(blamed_scene("in scenes[12].clips[0]: x"), Some(12));
        assert_eq!(blamed_scene("scenes[x]"), None);
    }
}
