//! A film made for the service.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use compere_codec::sandbox::Left;
use compere_jobs::{Commission, Headway, Outcome};
use compere_media::{Activity, Format, Marks};
use compere_render::{Company, Progress, RenderError, Screen, Studio, Watcher, Wish};
use compere_scene::{Film, Problem};
use compere_store::{Finished, Made, Order, Product, trial};
use serde_json::{Value, json};

use super::company::Others;
use super::front::Front;
use super::mouth::Mouth;
use super::protocol::FromWorker;
use crate::worker::studio::LocalStudio;
use compere_house::settings::Settings;

/// Numbers that change faster than this are not told.
const PACE: Duration = Duration::from_millis(200);

/// All that films are made with here.
#[derive(Clone, Copy)]
pub(super) struct Floor<'a> {
    pub(super) studio: &'a LocalStudio,
    pub(super) settings: &'a Settings,
    pub(super) mouth: &'a Mouth,
    pub(super) cancel: &'a Arc<AtomicBool>,
    /// Those who may make parts of a film that we lead.
    pub(super) company: Option<&'a Others>,
}

/// Makes it, or says why not.
pub(super) fn make(commission: &Commission, dir: &Path, floor: Floor<'_>) -> Outcome {
    let Floor { studio, settings, mouth, cancel, company } = floor;
    trial::point("worker.started");
    let film = match read(commission, studio, settings) {
        Ok(film) => film,
        Err(message) => return Outcome::Failed { message },
    };
    let format = commission.order.format;
    let out = dir.join("film").with_extension(format.as_str());
    let screen = Front::new(mouth, dir.join("stream"));
    let reporter = Reporter { mouth, cancel, said: Mutex::new((Instant::now(), None)), screen: Some(&screen), company };
    let wish = Wish { format, longest: Some(commission.longest), unlabelled: !settings.ai_label };
    let made = catch_unwind(AssertUnwindSafe(|| compere_render::film(&film, studio, &reporter, &out, wish)));
    let outcome = match made {
        Ok(Ok(made)) => Outcome::Made(Box::new(finished(made, &commission.order, screen.played()))),
        Ok(Err(error)) => failure(&error),
        // Whatever is known of the place was said where it happened.
        Err(_) => Outcome::Bug { message: "making the film ended in an error of ours".to_owned() },
    };
    trial::point("worker.made");
    outcome
}

/// Makes parts of a film that others lead. Whatever comes of it, the film is theirs.
pub(super) fn help(commission: &Commission, dir: &Path, floor: Floor<'_>, company: &Others) -> Outcome {
    let Floor { studio, settings, mouth, cancel, .. } = floor;
    trial::point("worker.helping");
    let film = match read(commission, studio, settings) {
        Ok(film) => film,
        Err(message) => return Outcome::Failed { message },
    };
    let reporter = Reporter { mouth, cancel, said: Mutex::new((Instant::now(), None)), screen: None, company: None };
    let help = || compere_render::assist(&film, studio, &reporter, company, dir, !settings.ai_label);
    match catch_unwind(AssertUnwindSafe(help)) {
        Ok(Ok(())) => Outcome::Cancelled,
        Ok(Err(error)) => failure(&error),
        Err(_) => Outcome::Bug { message: "helping with the film ended in an error of ours".to_owned() },
    }
}

/// Bakes who presents in a project, for whoever makes a film of it.
pub(super) fn bake(project: &Value, account: &str, floor: Floor<'_>) -> Outcome {
    let Floor { studio, settings, mouth, cancel, .. } = floor;
    let resolved = compere_scene::resolve(project, &settings.limits.of_scenes(), &*studio.catalogue_of(account));
    let film = match resolved {
        Ok(resolved) => resolved.film,
        Err(problems) => return Outcome::Failed { message: told(&problems) },
    };
    let reporter = Reporter { mouth, cancel, said: Mutex::new((Instant::now(), None)), screen: None, company: None };
    let bake = || compere_render::bake_ahead(&film, studio.workshop(), &reporter);
    match catch_unwind(AssertUnwindSafe(bake)) {
        Ok(Ok(_)) => Outcome::Cancelled,
        Ok(Err(error)) => failure(&error),
        Err(_) => Outcome::Bug { message: "baking ended in an error of ours".to_owned() },
    }
}

/// The film first: it is the largest, and fails first where there is no room.
fn finished(made: compere_render::Made, order: &Order, streamed: bool) -> Finished {
    let warnings = made.warnings.iter().map(|warning| json!({"path": warning.path, "message": warning.message}));
    let record = Made {
        size: size_of(&made.film),
        file_name: format!("{}.{}", order.name, order.format),
        cut: made.cut,
        poster: made.poster.is_some(),
        captions: true,
        streamed: streamed && order.format == Format::Mp4,
        meta_list: if order.format == Format::Wav { words(&made.marks) } else { Value::Null },
        warnings: warnings.collect(),
    };
    let poster = made.poster.map(|poster| (Product::Poster, poster));
    let chapters = made.chapters.map(|chapters| (Product::Chapters, chapters));
    let (film, vtt, srt) = ((Product::Film, made.film), (Product::Vtt, made.vtt), (Product::Srt, made.srt));
    let files = [Some(film), poster, Some(vtt), Some(srt), chapters];
    Finished { made: record, files: files.into_iter().flatten().collect() }
}

/// The snapshot as a film. It was checked when it was accepted; presenters may have left since.
fn read(commission: &Commission, studio: &LocalStudio, settings: &Settings) -> Result<Film, String> {
    let mut project = commission.order.snapshot.clone();
    if let Some(body) = project.as_object_mut() {
        body.insert("resolution".to_owned(), json!(commission.order.resolution));
    }
    let mut limits = settings.limits.of_scenes();
    // The mark of a test film is a clip more than its author wrote.
    limits.clips_per_scene += 1;
    limits.film_seconds = limits.film_seconds.min(commission.longest);
    let resolved = compere_scene::resolve(&project, &limits, &*studio.catalogue_of(&commission.account))
        .map_err(|problems| told(&problems))?;
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

fn failure(error: &RenderError) -> Outcome {
    match error {
        RenderError::Cancelled => Outcome::Cancelled,
        // Ours: another try may find what is missing.
        RenderError::Machine { what } => Outcome::Hiccup { message: what.clone() },
        // Ours too, but another try will meet it again.
        RenderError::Bug { .. } => Outcome::Bug { message: error.to_string() },
        RenderError::Asset { .. } | RenderError::Scene { .. } | RenderError::TooLong { .. } => {
            Outcome::Failed { message: error.to_string() }
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
    cancel: &'a Arc<AtomicBool>,
    said: Mutex<(Instant, Option<Activity>)>,
    screen: Option<&'a Front<'a>>,
    company: Option<&'a Others>,
}

impl Watcher for Reporter<'_> {
    fn see(&self, progress: Progress, percent: f64) -> ControlFlow<()> {
        if self.cancel.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        at_named_point(progress);
        let activity = progress.activity();
        if let Ok(mut said) = self.said.lock()
            && (said.1 != Some(activity) || said.0.elapsed() >= PACE)
        {
            *said = (Instant::now(), Some(activity));
            self.mouth.tell(&FromWorker::Headway(Headway { activity, percent }));
        }
        ControlFlow::Continue(())
    }

    fn left(&self) -> Left {
        Left::when(Arc::clone(self.cancel))
    }

    fn screen(&self) -> Option<&dyn Screen> {
        self.screen.map(|screen| screen as &dyn Screen)
    }

    fn company(&self) -> Option<&dyn Company> {
        self.company.map(|company| company as &dyn Company)
    }
}

fn at_named_point(progress: Progress) {
    match progress {
        Progress::Fetching { .. } => trial::point("worker.fetching"),
        Progress::Speaking { .. } => trial::point("worker.speaking"),
        Progress::Drawing { .. } => trial::point("worker.drawing"),
        Progress::Mixing => trial::point("worker.mixing"),
        Progress::Packing => trial::point("worker.packing"),
        Progress::Checking => trial::point("worker.checking"),
    }
}
