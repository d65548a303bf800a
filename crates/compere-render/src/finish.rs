//! From segments and sound to files that a player can open.

use std::fs;
use std::path::{Path, PathBuf};

use compere_codec::mp4::{self, VideoTrack};
use compere_codec::{Expect, aac, check, image};
use compere_media::Marks;
use compere_scene::{Film, Timeline, captions};
use tempfile::TempDir;

use crate::footage::Footage;
use crate::mix::Mixed;
use crate::shoot::{self, Reel};
use crate::{RenderError, Workshop};

/// Good enough for a full-screen still, small enough for a list.
const POSTER_QUALITY: u8 = 88;

/// A folder beside the finished film: on the same disk, so that publishing is renaming. Gone with the value.
#[derive(Debug)]
pub(crate) struct Scratch(TempDir);

impl Scratch {
    pub(crate) fn beside(film: &Path) -> Result<Self, RenderError> {
        let parent = film.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(RenderError::file(parent))?;
        let dir = tempfile::Builder::new().prefix(".compere-").tempdir_in(parent).map_err(RenderError::file(parent))?;
        Ok(Self(dir))
    }

    pub(crate) fn dir(&self) -> &Path {
        self.0.path()
    }
}

/// Everything a film consists of, not yet in its place.
#[derive(Debug)]
pub(crate) struct Files<'a> {
    scratch: Scratch,
    shop: &'a Workshop,
}

/// Where everything went.
#[derive(Debug)]
pub(crate) struct Published {
    pub(crate) film: PathBuf,
    pub(crate) poster: PathBuf,
    pub(crate) vtt: PathBuf,
    pub(crate) srt: PathBuf,
}

const FILM: &str = "film.mp4";
const POSTER: &str = "poster.jpg";
const VTT: &str = "captions.vtt";
const SRT: &str = "captions.srt";

/// Joins the segments, encodes the sound once for the whole film, draws the poster, writes the captions.
pub(crate) fn pack<'a>(
    film: &Film,
    timeline: &Timeline,
    reel: &Reel,
    sound: &Mixed,
    footage: &Footage,
    shop: &'a Workshop,
    scratch: Scratch,
) -> Result<Files<'a>, RenderError> {
    let (width, height) = film.output();
    let at = |name: &str| scratch.dir().join(name);
    let track =
        aac::encode(&shop.sandbox, &sound.file, &at("sound.aac"), shop.threads).map_err(RenderError::machine)?;
    let video = VideoTrack::of_segment_files(reel.segments.clone(), width, height).map_err(RenderError::machine)?;
    mp4::write(&at(FILM), video, Some(&track), &film.name).map_err(RenderError::machine)?;
    put(&at(POSTER), &poster(film, reel, shop, footage)?)?;
    let cues = captions::cues(&marks(timeline, reel));
    put(&at(VTT), captions::webvtt(&cues).as_bytes())?;
    put(&at(SRT), captions::srt(&cues).as_bytes())?;
    Ok(Files { scratch, shop })
}

/// The middle of the first scene: what comes in has come, what leaves is still there.
fn poster(film: &Film, reel: &Reel, shop: &Workshop, footage: &Footage) -> Result<Vec<u8>, RenderError> {
    let act = reel.acts.first().ok_or_else(|| RenderError::machine("a film needs at least one scene"))?;
    let frame = shoot::still(act, act.frames() / 2, film, shop, footage)?;
    image::frame_to_jpeg(&frame, POSTER_QUALITY).map_err(RenderError::machine)
}

/// The marks of all lines in film time, cut where a line is cut.
fn marks(timeline: &Timeline, reel: &Reel) -> Marks {
    let mut all = Marks::default();
    for (act, time) in reel.acts.iter().zip(&timeline.scenes) {
        for (line, span) in act.speech.lines.iter().zip(&time.lines) {
            all.append(&line.marks, span.start);
            all.words.retain(|word| word.span.start < span.end || word.span.start < span.start);
        }
    }
    all
}

impl Files<'_> {
    /// Looks at the film as a player would, before anybody else may see it.
    pub(crate) fn check(&self, film: &Film, timeline: &Timeline) -> Result<(), RenderError> {
        let (width, height) = film.output();
        let expect =
            Expect { frames: timeline.frames(), samples: Some(timeline.samples()), width, height, every_frame: false };
        let path = self.scratch.dir().join(FILM);
        check(&self.shop.sandbox, &path, &expect).map(|_| ()).map_err(RenderError::machine)
    }

    /// Moves everything into its place, the film last: whoever sees it finds the rest.
    pub(crate) fn publish(self, out: &Path) -> Result<Published, RenderError> {
        let published = Published {
            film: out.to_owned(),
            poster: out.with_extension("jpg"),
            vtt: out.with_extension("vtt"),
            srt: out.with_extension("srt"),
        };
        let moves =
            [(POSTER, &published.poster), (VTT, &published.vtt), (SRT, &published.srt), (FILM, &published.film)];
        for (name, to) in moves {
            fs::rename(self.scratch.dir().join(name), to).map_err(RenderError::file(to))?;
        }
        Ok(published)
    }
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), RenderError> {
    fs::write(path, bytes).map_err(RenderError::file(path))
}
