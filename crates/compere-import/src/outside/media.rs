//! Films and sounds of slides as files that scenes can play, and pictures that slides only link to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use compere_codec::image;
use compere_codec::probe::probe;
use compere_codec::sandbox::{Errand, Limits as ErrandLimits};
use compere_media::FRAME_RATE;

use super::work::{Stopped, Work};
use crate::inside::MEDIA_OF_DECK;
use crate::inside::media::{Kind, Media, Source};
use crate::{Clip, ClipWhat, Fetch, ImportError, Progress, Warning, picture};

const LARGEST_FILE: u64 = 512 << 20;
/// Files that are fetched for one document.
const MOST_FETCHED: usize = 40;
/// Bytes after which no more are.
const MOST_BYTES: u64 = 1_000_000_000;
/// Endings that are kept; others are named as what they hold.
const FILMS: [&str; 8] = ["mp4", "m4v", "mov", "webm", "wmv", "avi", "mpg", "mkv"];
const SOUNDS: [&str; 6] = ["mp3", "m4a", "wav", "ogg", "wma", "aac"];

/// Of one slide.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) clips: Vec<Clip>,
    /// Until the last has ended.
    pub(crate) seconds: f64,
}

/// Where clips go.
pub(crate) struct Place<'a> {
    /// Where an area of a numbered slide lies on the canvas.
    pub(crate) on_canvas: &'a dyn Fn(usize, [f64; 4]) -> Option<[f64; 4]>,
    /// In which their files lie.
    pub(crate) folder: &'a Path,
}

/// What slides play, by their numbers.
pub(crate) fn take(
    work: &Work<'_>,
    file: &Path,
    fetch: Option<&Fetch>,
    media: &BTreeMap<usize, Vec<Media>>,
    place: &Place<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<BTreeMap<usize, Played>, ImportError> {
    let parts = media.values().flatten().filter_map(|one| match &one.source {
        Source::Part(part) => Some(part.as_str()),
        Source::Address(_) | Source::Nowhere => None,
    });
    let parts: Vec<&str> = parts.collect();
    let there = parts.is_empty() || poured(work, file, &parts, place.folder)?;
    let mut taker = Taker { work, fetch, place, there, poured: 0, fetched: 0, bytes: 0, written: 0 };
    let mut found = BTreeMap::new();
    for (number, all) in media {
        let mut played = Played::default();
        for one in all {
            match taker.clip(*number, one)? {
                Ok((clip, seconds)) => {
                    played.seconds = played.seconds.max(seconds);
                    played.clips.push(clip);
                }
                Err(why) => {
                    let warning = Warning::of_slide(*number, format!("{} {why}", what_of(one.kind)));
                    if !warnings.contains(&warning) {
                        warnings.push(warning);
                    }
                }
            }
        }
        if !played.clips.is_empty() {
            found.insert(*number, played);
        }
    }
    Ok(found)
}

fn what_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Film => "holds a film",
        Kind::Sound => "holds a sound",
        Kind::Picture => "shows a picture",
    }
}

/// A clip and its seconds, or why there is none.
type Lot = Result<(Clip, f64), String>;

struct Taker<'a> {
    work: &'a Work<'a>,
    fetch: Option<&'a Fetch>,
    place: &'a Place<'a>,
    /// Whether what the package holds could be had.
    there: bool,
    poured: usize,
    fetched: usize,
    bytes: u64,
    written: usize,
}

impl Taker<'_> {
    fn clip(&mut self, number: usize, one: &Media) -> Result<Lot, ImportError> {
        let source = match self.source(one)? {
            Ok(source) => source,
            Err(why) => return Ok(Err(why)),
        };
        let area = match one.kind {
            Kind::Sound => Some([0.0; 4]),
            Kind::Film | Kind::Picture => one.area.and_then(|area| (self.place.on_canvas)(number, area)),
        };
        let Some(area) = area else { return Ok(Err("whose place cannot be told, and it is left out".to_owned())) };
        self.written += 1;
        match one.kind {
            Kind::Picture => self.picture(number, one, &source, area),
            Kind::Film | Kind::Sound => self.played(number, one, &source, area),
        }
    }

    /// The file that holds it, ours to move.
    fn source(&mut self, one: &Media) -> Result<Result<PathBuf, String>, ImportError> {
        match (&one.source, self.fetch) {
            (Source::Part(_), _) => {
                self.poured += 1;
                let path = self.place.folder.join(format!("media-{}", self.poured));
                Ok(self.there.then_some(path).ok_or_else(cannot_be_played))
            }
            (Source::Address(address), Some(fetch)) if self.fetched < MOST_FETCHED && self.bytes < MOST_BYTES => {
                self.fetched += 1;
                self.work.tell(Progress::Looking)?;
                let path = self.place.folder.join(format!("fetched-{}", self.fetched));
                let brought = (fetch.0)(address).and_then(|found| {
                    self.bytes += std::fs::copy(found, &path).map_err(|_| "it could not be kept".to_owned())?;
                    Ok(path)
                });
                Ok(brought.map_err(|why| format!("that lies elsewhere and could not be fetched: {why}")))
            }
            (Source::Address(_) | Source::Nowhere, _) => {
                let lost = if one.kind == Kind::Picture { "is not fetched" } else { "is left out" };
                Ok(Err(format!("that lies elsewhere and {lost}")))
            }
        }
    }

    fn played(&self, number: usize, one: &Media, source: &Path, area: [f64; 4]) -> Result<Lot, ImportError> {
        let sound = one.kind == Kind::Sound;
        let info = probe(self.work.sandbox, source).ok().filter(|info| sound || info.video.is_some());
        let Some(info) = info else { return Ok(Err(cannot_be_played())) };
        let path = self.path("played", number, ending(&one.source, sound));
        std::fs::rename(source, &path).map_err(|error| ImportError::io("keep a film of a slide", &error))?;
        let what = if sound { ClipWhat::Sound(path) } else { ClipWhat::Film(path) };
        Ok(Ok((clip(one, area, what), FRAME_RATE.seconds(info.film_frames()))))
    }

    /// Drawn anew, so that nobody is handed what somebody else wrote.
    fn picture(&self, number: usize, one: &Media, source: &Path, area: [f64; 4]) -> Result<Lot, ImportError> {
        let side = |length: f64| (length * 2.0).ceil().clamp(1.0, 4000.0) as u32;
        let want = image::Want { max_width: side(area[2]), max_height: side(area[3]) };
        let drawn = image::decode(self.work.sandbox, source, want).and_then(|drawn| image::pixmap_to_png(&drawn));
        let Ok(png) = drawn else { return Ok(Err("that lies elsewhere and cannot be read".to_owned())) };
        let path = self.path("linked", number, "png");
        picture::write(&path, &png)?;
        Ok(Ok((clip(one, area, ClipWhat::Picture(path)), 0.0)))
    }

    fn path(&self, stem: &str, number: usize, ending: &str) -> PathBuf {
        self.place.folder.join(format!("{stem}-{number:03}-{:02}.{ending}", self.written))
    }
}

fn cannot_be_played() -> String {
    "that cannot be played and is left out".to_owned()
}

fn clip(one: &Media, [left, top, width, height]: [f64; 4], what: ClipWhat) -> Clip {
    Clip { name: one.name.clone(), left, top, width, height, angle: 0.0, from: None, until: None, what }
}

/// Whether all could be had.
fn poured(work: &Work<'_>, file: &Path, parts: &[&str], folder: &Path) -> Result<bool, ImportError> {
    let limits = ErrandLimits { wall: 120, cpu: 60, output: 1 << 20, ..ErrandLimits::SMALL };
    let list = serde_json::to_string(parts).unwrap_or_default();
    let errand = Errand::helper(MEDIA_OF_DECK, limits).input(file).arg(folder).arg(list);
    match work.run(&errand.scratch(folder, LARGEST_FILE), Progress::Looking) {
        Ok(output) => Ok(serde_json::from_slice::<Result<(), String>>(&output.stdout).is_ok_and(|done| done.is_ok())),
        Err(Stopped::Import(error)) => Err(error),
        Err(Stopped::Child(_)) => Ok(false),
    }
}

fn ending(source: &Source, sound: bool) -> &'static str {
    let name = match source {
        Source::Part(part) => part.as_str(),
        Source::Address(address) => address.split(['?', '#']).next().unwrap_or_default(),
        Source::Nowhere => "",
    };
    let own = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let (known, plain): (&[&'static str], _) = if sound { (&SOUNDS, "m4a") } else { (&FILMS, "mp4") };
    known.iter().find(|ending| **ending == own).copied().unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_those_of_files() {
        let of = |address: &str, sound| ending(&Source::Address(address.to_owned()), sound);
        assert_eq!(of("https://a.example/clip.WebM?token=x.mp4", false), "webm");
        assert_eq!((of("https://a.example/watch", false), of("https://a.example/a.exe", true)), ("mp4", "m4a"));
        assert_eq!(ending(&Source::Part("ppt/media/media1.mov".to_owned()), false), "mov");
    }
}
