//! The whole film, from a resolved document to files on disk.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use compere_codec::alpha::AlphaFormat;
use compere_codec::h264::Plan;
use compere_codec::sandbox::Left;
use compere_media::{Cut, Damage, FRAME_RATE, Format, Frame, Marks};
use compere_scene::{Film, Measured};

use crate::act::Act;
use crate::finish::Beside;
use crate::mix::Score;
use crate::presenters::Presenters;
use crate::progress::Meter;
use crate::shoot::Terms;
use crate::stream::{Projector, Shot};
use crate::{Progress, RenderError, Studio, Warning, Watcher, alpha, cache, finish, footage, label, shoot};

/// How frames that keep their transparency are encoded.
fn alpha_of(format: Format) -> Option<AlphaFormat> {
    match format {
        Format::Webm => Some(AlphaFormat::Webm),
        Format::Mov => Some(AlphaFormat::Mov),
        Format::Mp4 | Format::Wav => None,
    }
}

/// How a film is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wish {
    pub format: Format,
    /// Seconds. A film that turns out longer is given up as soon as that is known.
    pub longest: Option<f64>,
    /// Scenes with presenters of footage do not show that they were made with AI; the file says it all the same.
    pub unlabelled: bool,
}

/// A finished film.
#[derive(Debug, Clone)]
pub struct Made {
    pub film: PathBuf,
    /// None for what is only heard.
    pub poster: Option<PathBuf>,
    pub vtt: PathBuf,
    pub srt: PathBuf,
    /// None for a film without them.
    pub chapters: Option<PathBuf>,
    pub cut: Cut,
    pub warnings: Vec<Warning>,
    /// What is said when, in film time.
    pub marks: Marks,
}

/// Writes down how long each stage takes.
struct Stopwatch {
    last: Instant,
    took: Vec<(String, f64)>,
}

impl Stopwatch {
    fn lap(&mut self, stage: &str) {
        let now = Instant::now();
        self.took.push((stage.to_owned(), (now - self.last).as_secs_f64()));
        self.last = now;
    }
}

/// Makes a film and its poster and captions beside it, all of them or none.
///
/// Each line is a stage; each name is a module you can open.
pub fn film(
    film: &Film,
    studio: &dyn Studio,
    watcher: &dyn Watcher,
    out: &Path,
    wish: Wish,
) -> Result<Made, RenderError> {
    let (shop, meter, started) = (studio.workshop(), Meter::new(watcher), cache::now());
    let mut film = film.clone();
    let mut warnings = BTreeSet::new();
    let mut watch = Stopwatch { last: Instant::now(), took: Vec::new() };
    let scratch = finish::Scratch::beside(out)?;

    if !wish.unlabelled {
        label::show(&mut film, &shop.cast);
    }
    // What is linked becomes files that were looked at; pictures are decoded.
    let footage = footage::fetch(&mut film, studio, None, &meter, &mut warnings)?;
    watch.lap("fetch");
    // Every line becomes sound and marks, every scene encoded frames: side by side.
    let shoot = if wish.format == Format::Mp4 { shoot::shoot } else { shoot::speak_only };
    let screen = meter.screen().filter(|_| wish.format == Format::Mp4);
    let projector = screen.map(|screen| Projector::new(screen, &film, shop, &footage, scratch.dir().to_owned()));
    // Only pieces of this format are kept by themselves.
    let company = meter.company().filter(|_| wish.format == Format::Mp4 && shoot::is_worth_help(&film));
    let presenters = Presenters::of(&film, shop, company);
    let (longest, projector) = (wish.longest, projector.as_ref());
    let terms = Terms { meter: &meter, longest, projector, company, presenters: &presenters };
    // What is heard is finished while the rest is drawn.
    let mut heard = None;
    let mut meanwhile = |measured: &[Measured], acts: &[Arc<Act>], left: &Left| {
        let timeline = compere_scene::timeline(&film, measured);
        let score = Score::of(&film, &timeline, acts, &footage);
        let sound = finish::beside(wish.format, &film, acts, &score, &footage, &presenters, shop, &scratch, left)?;
        if let (Some(projector), Beside::Packed(sound)) = (projector, &sound) {
            projector.tell(Shot::Heard(sound.track.clone()));
        }
        heard = Some(sound);
        Ok(())
    };
    let reel = shoot(&film, studio, &footage, scratch.dir(), terms, &mut warnings, &mut meanwhile)?;
    let sound = heard.ok_or_else(|| RenderError::machine("the film was not heard"))?;
    let loudness = sound.loudness();
    watch.lap("shoot");
    // Lengths become spans of frames and samples. Nothing can fail here.
    let timeline = compere_scene::timeline(&film, &reel.measured);
    step(&meter, Progress::Mixing)?;
    watch.lap("mix");
    // Frames that keep their transparency go to another encoder, which takes the sound along.
    if let (Some(format), Beside::Mixed(sound)) = (alpha_of(wish.format), &sound) {
        alpha::shoot(format, &film, &reel, &sound.file, &footage, shop, &meter, &scratch.film(wish.format))?;
        watch.lap("draw");
    }
    // Segments and sound become a file, looked at as a player would before anybody else may see it.
    step(&meter, Progress::Packing)?;
    let files = finish::pack(wish.format, &film, &timeline, &reel, sound, shop, scratch)?;
    watch.lap("pack");
    // Whoever watched so far sees the rest.
    if let Some(projector) = projector {
        projector.finish(&reel.segments);
        watch.lap("show");
    }
    step(&meter, Progress::Checking)?;
    files.check(&film, &timeline, &reel)?;
    watch.lap("check");
    let made = files.publish(out)?;

    // A cache that could not be tidied is too large, not wrong.
    let _ = shop.cache.sweep(started);
    let (width, height) = film.output();
    let frames = timeline.frames();
    let cut = Cut {
        duration: FRAME_RATE.seconds(frames),
        width,
        height,
        frames,
        loudness,
        drawn_frames: reel.drawn,
        starts: timeline.scenes.iter().map(|scene| FRAME_RATE.seconds(scene.frames.start)).collect(),
        chapters: finish::chapters(&film, &timeline),
        took: watch.took,
    };
    let finish::Published { film, poster, vtt, srt, chapters, marks } = made;
    let warnings = warnings.into_iter().collect();
    Ok(Made { film, poster, vtt, srt, chapters, cut, warnings, marks })
}

/// Who looks at the frames of a film that is played: a frame, what of it changed, and with the first frame of every
/// piece what the encoder is told of its others. The error is a sentence.
pub type Audience<'a> = dyn FnMut(&Frame, &Damage, Option<&Plan>) -> Result<(), String> + 'a;

/// Plays a film without encoding it, on one core: for measurements. Lines are spoken into `dir`.
pub fn play(film: &Film, studio: &dyn Studio, dir: &Path, audience: &mut Audience<'_>) -> Result<(), RenderError> {
    let (shop, meter) = (studio.workshop(), Meter::new(&crate::Unwatched));
    let mut film = film.clone();
    let mut warnings = BTreeSet::new();
    let footage = footage::fetch(&mut film, studio, None, &meter, &mut warnings)?;
    let presenters = Presenters::of(&film, shop, None);
    let terms = Terms { meter: &meter, longest: None, projector: None, company: None, presenters: &presenters };
    let reel = shoot::speak_only(&film, studio, &footage, dir, terms, &mut warnings, &mut |_, _, _| Ok(()))?;
    for act in &reel.acts {
        let mut compositor = act.compositor(0, &film, shop, &footage)?;
        for piece in crate::plan::pieces(act.frames()) {
            let plan = crate::plan::plan(&compositor, &piece);
            for number in piece.clone() {
                let (frame, damage) = compositor.advance(number).map_err(|lost| act.lost(&lost))?;
                let plan = (number == piece.start).then_some(&plan);
                audience(frame, &damage, plan).map_err(RenderError::machine)?;
            }
        }
        act.strike();
    }
    Ok(())
}

fn step(meter: &Meter<'_>, progress: Progress) -> Result<(), RenderError> {
    if meter.see(progress).is_break() { Err(RenderError::Cancelled) } else { Ok(()) }
}
