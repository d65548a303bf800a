//! The whole film, from a resolved document to files on disk.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use compere_scene::Film;

use crate::progress::Meter;
use crate::{Progress, RenderError, Studio, Warning, Watcher, cache, finish, footage, mix, shoot};

/// A finished film.
#[derive(Debug, Clone)]
pub struct Made {
    pub film: PathBuf,
    pub poster: PathBuf,
    pub vtt: PathBuf,
    pub srt: PathBuf,
    pub width: u32,
    pub height: u32,
    pub frames: u64,
    pub seconds: f64,
    /// Integrated, in LUFS; nothing for a silent film.
    pub loudness: Option<f64>,
    /// How many of the frames had not been drawn before.
    pub drawn_frames: u64,
    pub warnings: Vec<Warning>,
    /// Seconds that each stage took.
    pub took: Vec<(&'static str, f64)>,
}

/// Writes down how long each stage takes.
struct Stopwatch {
    last: Instant,
    took: Vec<(&'static str, f64)>,
}

impl Stopwatch {
    fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.took.push((stage, (now - self.last).as_secs_f64()));
        self.last = now;
    }
}

/// Makes a film and its poster and captions beside it, all of them or none.
///
/// Each line is a stage; each name is a module you can open.
pub fn film(film: &Film, studio: &dyn Studio, watcher: &dyn Watcher, out: &Path) -> Result<Made, RenderError> {
    let (shop, meter, started) = (studio.workshop(), Meter::new(watcher), cache::now());
    let mut film = film.clone();
    let mut warnings = BTreeSet::new();
    let mut watch = Stopwatch { last: Instant::now(), took: Vec::new() };
    let scratch = finish::Scratch::beside(out)?;

    // What is linked becomes files that were looked at; pictures are decoded.
    let footage = footage::fetch(&mut film, studio, &meter, &mut warnings)?;
    watch.lap("fetch");
    // Every line becomes sound and marks, every scene encoded frames: side by side.
    let reel = shoot::shoot(&film, studio, &footage, scratch.dir(), &meter, &mut warnings)?;
    watch.lap("shoot");
    // Lengths become spans of frames and samples. Nothing can fail here.
    let timeline = compere_scene::timeline(&film, &reel.measured);
    // Speech, clips and music become one sound of the film's length.
    step(&meter, Progress::Mixing)?;
    let sound = mix::mix(&film, &timeline, &reel, &footage, shop, scratch.dir())?;
    watch.lap("mix");
    // Segments and sound become a file, looked at as a player would before anybody else may see it.
    step(&meter, Progress::Packing)?;
    let files = finish::pack(&film, &timeline, &reel, &sound, &footage, shop, scratch)?;
    watch.lap("pack");
    step(&meter, Progress::Checking)?;
    files.check(&film, &timeline)?;
    watch.lap("check");
    let made = files.publish(out)?;

    // A cache that could not be tidied is too large, not wrong.
    let _ = shop.cache.sweep(started);
    let (width, height) = film.output();
    let frames = timeline.frames();
    Ok(Made {
        film: made.film,
        poster: made.poster,
        vtt: made.vtt,
        srt: made.srt,
        width,
        height,
        frames,
        seconds: compere_media::FRAME_RATE.seconds(frames),
        loudness: sound.loudness,
        drawn_frames: reel.drawn,
        warnings: warnings.into_iter().collect(),
        took: watch.took,
    })
}

fn step(meter: &Meter<'_>, progress: Progress) -> Result<(), RenderError> {
    if meter.see(progress).is_break() { Err(RenderError::Cancelled) } else { Ok(()) }
}
