//! A film made for the service.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use compere_media::Marks;
use compere_render::{Format, Progress, RenderError, Watcher, Wish};
use compere_scene::{Film, Problem};
use compere_store::{Made, crash};
use serde_json::{Value, json};

use super::protocol::{FromWorker, Order, Report};
use super::run::Mouth;
use crate::settings::Settings;
use crate::studio::LocalStudio;

/// Numbers that change faster than this are not told.
const PACE: Duration = Duration::from_millis(200);

/// Makes it, or says why not.
pub(super) fn make(
    order: &Order,
    studio: &LocalStudio,
    settings: &Settings,
    mouth: &Mouth,
    cancel: &AtomicBool,
) -> FromWorker {
    crash::point("worker.started");
    let Some(format) = Format::parse(&order.format) else {
        let message = format!("films are not made as `{}`; mp4, webm, mov and wav are", order.format);
        return FromWorker::Failed { code: 5010, message };
    };
    let film = match read(order, studio, settings) {
        Ok(film) => film,
        Err(message) => return FromWorker::Failed { code: 5010, message },
    };
    let out = order.dir.join("film").with_extension(format.name());
    let reporter = Reporter { mouth, cancel, said: Mutex::new((Instant::now(), "")) };
    let wish = Wish { format, longest: Some(order.longest) };
    let made = match compere_render::film(&film, studio, &reporter, &out, wish) {
        Ok(made) => made,
        Err(error) => return failure(&error),
    };
    crash::point("worker.made");
    let warnings = made.warnings.iter().map(|warning| json!({"path": warning.path, "message": warning.message}));
    let report = Report {
        made: Made {
            duration: made.seconds,
            size: size_of(&made.film),
            file_name: format!("{}.{}", order.name, format.name()),
            width: made.width,
            height: made.height,
            frames: made.frames,
            starts: made.starts,
            loudness: made.loudness,
            drawn_frames: made.drawn_frames,
            poster: made.poster.is_some(),
            captions: true,
            meta_list: if format == Format::Wav { words(&made.marks) } else { Value::Null },
            took: made.took.iter().map(|(stage, seconds)| ((*stage).to_owned(), *seconds)).collect(),
            warnings: warnings.collect(),
        },
        film: made.film,
        poster: made.poster,
        vtt: Some(made.vtt),
        srt: Some(made.srt),
    };
    FromWorker::Made(Box::new(report))
}

/// The snapshot as a film. It was checked when it was accepted; presenters may have left since.
fn read(order: &Order, studio: &LocalStudio, settings: &Settings) -> Result<Film, String> {
    let mut project = order.snapshot.clone();
    if let Some(body) = project.as_object_mut() {
        body.insert("resolution".to_owned(), json!(order.resolution));
    }
    let mut limits = settings.limits.of_scenes();
    limits.film_seconds = limits.film_seconds.min(order.longest);
    let resolved = compere_scene::resolve(&project, &limits, studio.catalogue()).map_err(|problems| told(&problems))?;
    Ok(resolved.film)
}

/// The first problem as a sentence, and how many there are besides.
pub(super) fn told(problems: &[Problem]) -> String {
    let first = problems.first().map(ToString::to_string).unwrap_or_default();
    match problems.len() {
        0 | 1 => first,
        more => format!("{first} (and {} more)", more - 1),
    }
}

fn failure(error: &RenderError) -> FromWorker {
    match error {
        RenderError::Cancelled => FromWorker::Cancelled,
        // Ours: another try may find what is missing.
        RenderError::Machine { what } => FromWorker::Hiccup { message: what.clone() },
        RenderError::Asset { .. } | RenderError::Scene { .. } | RenderError::TooLong { .. } => {
            FromWorker::Failed { code: 5010, message: error.to_string() }
        }
    }
}

fn size_of(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |meta| meta.len())
}

/// `[{"word": "Hello,", "start": 0.2, "end": 0.61}, …]`
pub(super) fn words(marks: &Marks) -> Value {
    let round = |seconds: f64| (seconds * 1000.0).round() / 1000.0;
    let word = |mark: &compere_media::WordMark| {
        let (start, end) = mark.span.seconds();
        json!({"word": mark.text, "start": round(start), "end": round(end)})
    };
    marks.words.iter().map(word).collect()
}

/// Tells the service how far the film is.
struct Reporter<'a> {
    mouth: &'a Mouth,
    cancel: &'a AtomicBool,
    said: Mutex<(Instant, &'static str)>,
}

impl Watcher for Reporter<'_> {
    fn see(&self, progress: Progress, percent: f64) -> ControlFlow<()> {
        if self.cancel.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        at_named_point(progress);
        let step = progress.step();
        if let Ok(mut said) = self.said.lock()
            && (said.1 != step || said.0.elapsed() >= PACE)
        {
            *said = (Instant::now(), step);
            self.mouth.tell(&FromWorker::Step { step: step.to_owned(), percent });
        }
        ControlFlow::Continue(())
    }
}

fn at_named_point(progress: Progress) {
    match progress {
        Progress::Fetching { .. } => crash::point("worker.fetching"),
        Progress::Speaking { .. } => crash::point("worker.speaking"),
        Progress::Drawing { .. } => crash::point("worker.drawing"),
        Progress::Mixing => crash::point("worker.mixing"),
        Progress::Packing => crash::point("worker.packing"),
        Progress::Checking => crash::point("worker.checking"),
    }
}
