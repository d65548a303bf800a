//! Numbers, sizes and times as people write them. Exact times go beside them, for scripts to show in the reader's zone.
//!
//! They borrow because templates hand over references to fields and values alike.

use std::borrow::Borrow;

use compere_media::{Activity, Format, Resolution};
use compere_scene::Problem;
use compere_store::{Civil, ExportState, ProjectState};

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `21 Nov 2026`
pub fn day(at: impl Borrow<i64>) -> String {
    let civil = Civil::of(*at.borrow());
    format!("{} {} {}", civil.day, MONTHS[civil.month - 1], civil.year)
}

/// `21 Nov`
pub fn short_day(at: impl Borrow<i64>) -> String {
    let civil = Civil::of(*at.borrow());
    format!("{} {}", civil.day, MONTHS[civil.month - 1])
}

/// `2026-11-21T07:06:42Z`
pub fn exact(at: impl Borrow<i64>) -> String {
    let civil = Civil::of(*at.borrow());
    format!("{}T{}:{:02}Z", civil.date(), civil.time(), civil.second)
}

/// `just now`, `4 minutes ago`, `yesterday`, `21 Nov 2026`.
pub fn ago(at: impl Borrow<i64>, now: impl Borrow<i64>) -> String {
    let (at, now) = (*at.borrow(), *now.borrow());
    let seconds = (now - at) / 1000;
    match seconds {
        ..45 => "just now".to_owned(),
        45..5400 => plural((seconds + 30) / 60, "minute") + " ago",
        5400..79_200 => plural((seconds + 1800) / 3600, "hour") + " ago",
        79_200..129_600 => "yesterday".to_owned(),
        129_600..604_800 => plural((seconds + 43_200) / 86_400, "day") + " ago",
        _ => day(at),
    }
}

/// `1 film`, `2 films`
pub fn plural(count: impl Borrow<i64>, what: &str) -> String {
    let count = *count.borrow();
    let s = if count == 1 { "" } else { "s" };
    format!("{} {what}{s}", grouped(count))
}

/// `1 try`, `2 tries`
pub fn tries(count: impl Borrow<i64>) -> String {
    match *count.borrow() {
        1 => "1 try".to_owned(),
        count => format!("{} tries", grouped(count)),
    }
}

/// Never `100` before it is.
pub fn percent(percent: impl Borrow<f64>) -> String {
    format!("{:.0}", percent.borrow().floor())
}

/// `12,345`
pub fn grouped(number: impl Borrow<i64>) -> String {
    let number = *number.borrow();
    let digits = number.unsigned_abs().to_string();
    let mut text = if number < 0 { "−".to_owned() } else { String::new() };
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `0:08`, `12:40`, `1:02:03`
pub fn length(seconds: impl Borrow<f64>) -> String {
    let seconds = *seconds.borrow();
    let whole = seconds.max(0.0).round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// `0.4 s`, `12 s`
pub fn seconds(seconds: impl Borrow<f64>) -> String {
    let seconds = *seconds.borrow();
    if seconds < 10.0 { format!("{seconds:.1} s") } else { format!("{seconds:.0} s") }
}

/// `820 kB`, `12.4 MB`
pub fn size(bytes: impl Borrow<i64>) -> String {
    let bytes = *bytes.borrow();
    let bytes = bytes.max(0) as f64;
    match bytes {
        ..1000.0 => format!("{bytes} B"),
        ..1e6 => format!("{:.0} kB", bytes / 1e3),
        ..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

/// What is being done to a film, as people say it.
pub fn step(state: ExportState, activity: Activity) -> &'static str {
    match (state, activity) {
        (ExportState::Queued, _) => "Waiting for its turn",
        (ExportState::Exported, _) => "Ready",
        (ExportState::Failed, _) => "Failed",
        (ExportState::Cancelled, _) => "Cancelled",
        (_, Activity::Fetching) => "Fetching pictures and films",
        (_, Activity::Speaking) => "Speaking the script",
        (_, Activity::Drawing) => "Drawing frames",
        (_, Activity::Mixing) => "Mixing the sound",
        (_, Activity::Packing | Activity::Checking) => "Checking the film",
        (_, Activity::Storing) => "Putting it away",
        (ExportState::Rendering, _) => "Drawing frames",
        (ExportState::Finishing, _) => "Finishing",
        (ExportState::Synthesizing, _) => "Getting ready",
    }
}

/// How far a film is, beside the word for its state: `47 %`, or that it waits.
pub fn on_the_way(state: ExportState, progress: f64) -> String {
    match state {
        ExportState::Queued => "for its turn".to_owned(),
        _ => format!("{} %", percent(progress)),
    }
}

/// A stage of making a film, for the chart of where the time goes.
pub fn stage(name: &str) -> &str {
    match name {
        "fetch" => "Fetching",
        "shoot" => "Speech, frames",
        "mix" => "Mixing sound",
        "draw" => "Transparency",
        "pack" => "Packing",
        "check" => "Checking",
        other => other,
    }
}

/// A state's word and the colour of its pill.
pub fn state(state: impl Into<ProjectState>) -> (&'static str, &'static str) {
    match state.into() {
        ProjectState::Draft => ("Draft", ""),
        ProjectState::Importing => ("Importing", "busy"),
        ProjectState::Queued => ("Waiting", "busy"),
        ProjectState::Synthesizing => ("Speaking", "busy"),
        ProjectState::Rendering => ("Drawing", "busy"),
        ProjectState::Finishing => ("Finishing", "busy"),
        ProjectState::Exported => ("Ready", "good"),
        ProjectState::Failed => ("Failed", "bad"),
        ProjectState::Cancelled => ("Cancelled", "warn"),
    }
}

/// All states by their words, as one chooses among them.
pub fn states() -> [(&'static str, &'static str); ProjectState::ALL.len()] {
    ProjectState::ALL.map(|one| (one.as_str(), state(one).0))
}

/// What can be ordered: names for forms, and titles.
pub const RESOLUTIONS: [(Resolution, &str); 4] = [
    (Resolution::P4k, "4K, 3840 × 2160"),
    (Resolution::P1080, "Full HD, 1920 × 1080"),
    (Resolution::P720, "HD, 1280 × 720"),
    (Resolution::P480, "Small, 854 × 480"),
];

pub const FORMATS: [(Format, &str); 4] = [
    (Format::Mp4, "Film (MP4)"),
    (Format::Wav, "Sound only (WAV)"),
    (Format::Webm, "Transparent background (WebM)"),
    (Format::Mov, "Transparent background (ProRes)"),
];

/// Why a film cannot be made of a project: the first reason, and how many more there are.
pub fn problems(problems: &[Problem]) -> String {
    let first = problems.first().map_or_else(String::new, |problem| place(&problem.path) + &problem.advice());
    let more = match problems.len() {
        0 | 1 => String::new(),
        n => format!(" And {} more; the editor shows them all.", n - 1),
    };
    format!("This cannot be made yet. {first}.{more}")
}

/// One thing to change, for scripts: where it is, and what it is.
pub fn problem(problem: &Problem) -> serde_json::Value {
    serde_json::json!({"path": problem.path, "place": place(&problem.path), "text": problem.advice()})
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
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(exact(1_767_225_599_999), "2025-12-31T23:59:59Z");
        assert_eq!(day(1_767_225_600_000), "1 Jan 2026");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(-1_234_567), "−1,234,567");
        assert_eq!(grouped(999), "999");
        assert_eq!(plural(1, "film"), "1 film");
        assert_eq!(length(3723.4), "1:02:03");
        assert_eq!(length(7.6), "0:08");
        assert_eq!(size(12_400_000), "12.4 MB");
        assert_eq!(ago(0, 3 * 60_000), "3 minutes ago");
        assert_eq!(ago(0, 26 * 3_600_000), "yesterday");
    }

    #[test]
    fn places_are_said_as_people_count() {
        assert_eq!(place("scenes[2].clips[0].width"), "Scene 3, clip 1, width: ");
        assert_eq!(place(""), "");
    }
}
