//! The way of a deck whose texts and pictures become clips: two decks, two conversions side by side, and every slide
//! drawn a second time without what was taken out of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use compere_codec::sandbox::{Errand, Limits as ErrandLimits};
use compere_compose::draw::Fonts;

use super::office::{Conversion, Task, To};
use super::pages::{self, Drawn, Target};
use super::pdf;
use super::work::{Stopped, Work};
use crate::inside::BARE_DECK;
use crate::inside::bare::{BareSlide, COPY};
use crate::page::{Page, Word};
use crate::recompose::{Covered, Recomposer, Sheet};
use crate::{Clip, ImportError, Progress, Warning};
use compere_media::Orientation;

/// The deck without what was taken out of it.
pub(crate) struct Parts {
    /// As LibreOffice draws it.
    pdf: PathBuf,
    /// Where its pictures lie.
    folder: PathBuf,
    /// In playing order, hidden ones too.
    slides: Vec<BareSlide>,
}

const LARGEST_FILE: u64 = 512 << 20;

/// The deck as LibreOffice draws it, and so without its texts and pictures; no second one when it cannot be had.
pub(crate) fn convert(
    work: &Work<'_>,
    task: Task<'_>,
    to: To,
    scratch: &Path,
) -> Result<(PathBuf, Option<Parts>), ImportError> {
    let making = |error: std::io::Error| ImportError::io("make a working folder", &error);
    let folder = tempfile::tempdir_in(scratch).map_err(making)?.keep();
    let whole = Conversion::start(work, task, to, scratch)?;
    let slides = taken_out(work, task.file, &folder)?;
    let copy = folder.join(COPY);
    let bare = match copy.exists() {
        true => Some(Conversion::start(work, Task { file: &copy, ..task }, to, scratch)?),
        false => None,
    };
    let whole = whole.finish(work)?;
    // What can go wrong here went well a moment ago with the deck itself.
    let bare = bare.map(|bare| bare.finish(work)).transpose()?;
    let parts = slides.map(|slides| Parts { pdf: bare.unwrap_or_else(|| whole.clone()), folder, slides });
    Ok((whole, parts))
}

fn taken_out(work: &Work<'_>, file: &Path, folder: &Path) -> Result<Option<Vec<BareSlide>>, ImportError> {
    let limits = ErrandLimits { wall: 60, cpu: 40, output: 64 << 20, ..ErrandLimits::SMALL };
    let errand = Errand::helper(BARE_DECK, limits).input(file).arg(folder).scratch(folder, LARGEST_FILE);
    match work.run(&errand, Progress::Looking) {
        Ok(output) => {
            let answer: Option<Result<Vec<BareSlide>, String>> = serde_json::from_slice(&output.stdout).ok();
            Ok(answer.and_then(Result::ok))
        }
        Err(Stopped::Import(error)) => Err(error),
        Err(Stopped::Child(_)) => Ok(None),
    }
}

/// The slides as they were drawn whole.
pub(crate) struct Slides<'a> {
    pub(crate) fonts: &'a Fonts,
    pub(crate) orientation: Orientation,
    pub(crate) pages: &'a [Page],
    pub(crate) folder: &'a Path,
    pub(crate) pdf: &'a Path,
    /// Those of each page, where poppler could say.
    pub(crate) words: Option<&'a [Vec<Word>]>,
}

/// A slide that was taken apart.
pub(crate) struct Taken {
    pub(crate) clips: Vec<Clip>,
    pub(crate) cover: Cover,
}

/// What clips cover of a slide: its picture without them, that with them, and where they lie.
pub(crate) struct Cover {
    pub(crate) ground: PathBuf,
    pub(crate) whole: PathBuf,
    pub(crate) covered: Vec<Covered>,
}

/// Takes slides apart: clips by the number of their slide. `drawn` shows then what is left of each.
pub(crate) fn take(
    work: &Work<'_>,
    parts: &Parts,
    slides: &Slides<'_>,
    drawn: &mut [Drawn],
    warnings: &mut Vec<Warning>,
) -> Result<BTreeMap<usize, Taken>, ImportError> {
    let info = pdf::info(work, &parts.pdf, "The presentation without its texts")?;
    let mut sheets = BTreeMap::new();
    let mut pages = Vec::new();
    for (page, drawn) in slides.pages.iter().zip(drawn.iter()) {
        let Some(bare) = parts.slides.get(page.number - 1) else { continue };
        if bare.pieces.is_empty() {
            warnings.extend(told(page.number, &bare.left_in));
            continue;
        }
        let words = slides.words.and_then(|pages| pages.get(page.at)).cloned();
        if let (Some(words), Some(_)) = (words, info.pages.get(page.at)) {
            pages.push(*page);
            sheets.insert(page.number, Sheet { bare: bare.clone(), words, whole: drawn.picture.clone() });
        }
    }
    if pages.is_empty() {
        return Ok(BTreeMap::new());
    }
    let recomposer = Recomposer {
        sandbox: work.sandbox,
        fonts: slides.fonts,
        orientation: slides.orientation,
        folder: slides.folder,
        parts: &parts.folder,
        sheets,
        families: pdf::families(work, slides.pdf, slides.pages.len())?,
        done: Mutex::default(),
    };
    let canvas = crate::deck::canvas(slides.orientation);
    let target = Target {
        folder: slides.folder,
        canvas: (canvas.0 * 2, canvas.1 * 2),
        stem: "bare",
        taker: Some(&|picture, page| recomposer.take(picture, page)),
        progress: |done, of| Progress::TakingApart { done, of },
    };
    pages::draw(work, &parts.pdf, &pages, &target)?;
    let mut clips = BTreeMap::new();
    for (number, apart) in recomposer.done.into_inner().unwrap_or_default() {
        warnings.extend(told(number, &apart.left_in));
        let at = slides.pages.iter().position(|page| page.number == number);
        if let (Some(at), Some(picture)) = (at, apart.picture) {
            let whole = std::mem::replace(&mut drawn[at].picture, picture.clone());
            let cover = Cover { ground: picture, whole, covered: apart.covered };
            clips.insert(number, Taken { clips: apart.clips, cover });
        }
    }
    Ok(clips)
}

/// `slide 3: stays a picture in part: charts, tables and SmartArt (2)`.
fn told(number: usize, left_in: &BTreeMap<String, usize>) -> Option<Warning> {
    let reasons: Vec<String> =
        left_in.iter().map(|(why, count)| if *count > 1 { format!("{why} ({count})") } else { why.clone() }).collect();
    (!reasons.is_empty()).then(|| Warning::of_slide(number, format!("not editable: {}", reasons.join("; "))))
}
