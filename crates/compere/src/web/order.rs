//! Ordering a film from a page: the same checks, price and queue as an order by the API.

use compere_scene::{Problem, Resolved, estimate, resolve, timeline};
use compere_store::{Before, NewExport, Project, Refused};
use serde_json::Value;

use super::fault::Fault;
use crate::api::accept::check;
use crate::serve::app::App;

pub const RESOLUTIONS: [(&str, &str); 4] = [
    ("4k", "4K, 3840 × 2160"),
    ("1080", "Full HD, 1920 × 1080"),
    ("720", "HD, 1280 × 720"),
    ("480", "Small, 854 × 480"),
];

pub const FORMATS: [(&str, &str); 4] = [
    ("mp4", "Film (MP4)"),
    ("wav", "Sound only (WAV)"),
    ("webm", "Transparent background (WebM)"),
    ("mov", "Transparent background (ProRes)"),
];

/// What a body becomes, or all that is wrong with it.
pub fn read(app: &App, body: &Value) -> Result<Resolved, Vec<Problem>> {
    resolve(body, &app.settings.limits.of_scenes(), &app.house)
}

/// Seconds that a film will last, guessed from its texts.
pub fn length(resolved: &Resolved) -> f64 {
    timeline(&resolved.film, &estimate(&resolved.film)).frames() as f64 / 30.0
}

/// Puts a project as it is now into the queue.
pub async fn export(app: &App, project: &Project, resolution: &str, format: &str) -> Result<(), Fault> {
    if !RESOLUTIONS.iter().any(|(known, _)| *known == resolution) {
        return Err(Fault::bad("There is no such resolution."));
    }
    if !FORMATS.iter().any(|(known, _)| *known == format) {
        return Err(Fault::bad("There is no such format."));
    }
    let body = project.body()?;
    let account = app.store.account(&project.account).await?.ok_or_else(|| Fault::missing("account"))?;
    let checked = check(app, &app.store.plan(&account.plan), &body).map_err(|problems| refused(&problems))?;
    let export = NewExport {
        project: project.id.clone(),
        account: project.account.clone(),
        name: project.name.clone(),
        resolution: resolution.to_owned(),
        format: format.to_owned(),
        snapshot: body,
        priority: 1,
        webhook: None,
        webhook_method: "POST".to_owned(),
        callback_id: project.callback_id.clone(),
        reserve: checked.credits(),
        warnings: checked.warnings(),
    };
    match app.store.start_export(Before::Nothing, export).await? {
        Ok(_) => {
            app.engine.ring();
            Ok(())
        }
        Err(refused) => Err(Fault::bad(words(refused))),
    }
}

fn words(refused: Refused) -> String {
    match refused {
        Refused::Credits { balance, needed } => {
            format!("This film needs about {needed} credits and {balance} are left. Ask your administrator for more.")
        }
        Refused::QueueFull { limit } => format!("{limit} films are waiting already. Let some of them finish first."),
        Refused::Conflict => "The project was changed somewhere else meanwhile. Reload the page.".to_owned(),
    }
}

fn refused(problems: &[Problem]) -> Fault {
    let first = problems.first().map_or_else(String::new, |problem| place(&problem.path) + &problem.advice());
    let more = match problems.len() {
        0 | 1 => String::new(),
        n => format!(" And {} more; the editor shows them all.", n - 1),
    };
    Fault::bad(format!("This cannot be made yet. {first}.{more}"))
}

/// `scenes[2].clips[0].width` as people say it: `Scene 3, clip 1, width: `.
pub fn place(path: &str) -> String {
    let part = |part: &str| match part.trim_end_matches(']').split_once('[') {
        Some((name, number)) => {
            let number = number.parse::<usize>().map_or_else(|_| number.to_owned(), |n| (n + 1).to_string());
            format!("{} {number}", name.trim_end_matches('s'))
        }
        None => part.to_owned(),
    };
    let text = path.split('.').filter(|part| !part.is_empty()).map(part).collect::<Vec<_>>().join(", ");
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}: ", first.to_uppercase(), letters.as_str()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn places_are_said_as_people_count() {
        assert_eq!(super::place("scenes[2].clips[0].width"), "Scene 3, clip 1, width: ");
        assert_eq!(super::place(""), "");
    }
}
