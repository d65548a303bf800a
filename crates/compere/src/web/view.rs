//! A project as pages show it.

use compere_media::{Format, Orientation, Resolution};
use compere_office::{Office, State};
use compere_store::{Export, ExportState, Product, Project};

use super::words;

/// One film in the grid.
#[derive(Clone, Debug)]
pub struct Card {
    pub id: String,
    pub name: String,
    pub state: &'static str,
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
    /// The film shows the project as it was before.
    pub changed: bool,
    pub updated_at: i64,
}

impl Card {
    pub fn of(office: &Office, project: &Project) -> Self {
        let export = project.export.as_ref();
        let state = project.state().as_str();
        let (word, tone) = words::state(project.state());
        let picture = picture(office, project);
        let seconds = export.and_then(|export| export.made.as_ref()).map(|made| made.cut.duration);
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
            upright: project.orientation == Orientation::Portrait,
            length: seconds.map(words::length),
            changed: false,
            updated_at: project.updated_at,
            state,
        }
    }
}

fn why(project: &Project) -> Option<String> {
    match State::of(project) {
        State::Export(ExportState::Failed) => project.export.as_ref()?.error.as_deref().map(said),
        State::ImportFailed { reason, .. } => Some(reason),
        _ => None,
    }
}

/// The film's poster, else its first scene.
fn picture(office: &Office, project: &Project) -> Option<String> {
    let export = project.export.as_ref();
    let poster = export.and_then(|export| Some((export, export.made.as_ref()?)));
    if let Some((export, _)) = poster.filter(|(export, made)| made.poster && export.swept_at.is_none()) {
        return Some(file(office, &export.id, Product::Poster, Product::Poster.called()));
    }
    (project.scene_count > 0).then(|| scene_picture(&project.id, project.revision, 0))
}

/// A frame of a scene of a project; the address changes with every edit.
pub fn scene_picture(project: &str, revision: i64, scene: usize) -> String {
    format!("/app/projects/{project}/scenes/{scene}.jpg?r={revision}")
}

/// Where one of an export's files is for a browser that is here already.
pub fn file(office: &Office, export: &str, part: Product, name: &str) -> String {
    here(office, office.links.download(export, part, name, office.now()))
}

/// A link of ours as pages of ours have it, which may be looked at by another address.
pub fn here(office: &Office, link: String) -> String {
    link.strip_prefix(office.links.base()).map(str::to_owned).unwrap_or(link)
}

/// One line of a project's history.
#[derive(Clone, Debug)]
pub struct Past {
    pub word: &'static str,
    pub tone: &'static str,
    pub resolution: &'static str,
    pub format: Format,
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
    pub fn of(office: &Office, export: &Export) -> Self {
        let (word, tone) = words::state(export.state);
        let made = export.made.as_ref().filter(|_| export.swept_at.is_none());
        let took = export.started_at.zip(export.finished_at).map(|(from, to)| (to - from) as f64 / 1000.0);
        let download =
            made.map(|made| (file(office, &export.id, Product::Film, &made.file_name), made.file_name.clone()));
        Self {
            word,
            tone,
            resolution: resolution(export.order.resolution),
            format: export.order.format,
            created_at: export.created_at,
            length: export.made.as_ref().map(|made| words::length(made.cut.duration)),
            size: export.made.as_ref().map(|made| words::size(made.size as i64)),
            took: took.filter(|_| export.state == ExportState::Exported).map(words::length),
            credits: export.credits,
            error: export.error.as_deref().map(said),
            scene: export.error.as_deref().and_then(blamed_scene),
            download,
        }
    }
}

pub fn resolution(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::P4k => "4K",
        Resolution::P1080 => "1080p",
        Resolution::P720 => "720p",
        Resolution::P480 => "480p",
    }
}

/// Of a reason on a page, in letters. One may quote what somebody sent, which may be long.
const REASON: usize = 500;

/// A reason that begins with a path, as people count: `scenes[2].clips[0]: …`.
pub fn said(message: &str) -> String {
    let said = match message.split_once(": ") {
        Some((path, rest)) if path.starts_with("scenes[") => format!("{}{rest}", words::place(path)),
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
