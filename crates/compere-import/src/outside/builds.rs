//! Slides whose parts come and go click by click: drawn once for each step, and taken apart into what changes.
//!
//! The first state becomes the slide's picture. Each step is a picture of the rectangle in which the slide then looks
//! otherwise, laid over what was there before: whatever came, went or moved, the film shows what the deck showed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use compere_codec::sandbox::{Errand, Limits as ErrandLimits};
use compere_codec::{MediaError, Sandbox, image};
use compere_media::Rect;

use super::apart::{Cover, Taken};
use super::office::{Conversion, Task, To};
use super::pages::{self, Drawn, Target};
use super::pdf;
use super::work::{Stopped, Work};
use crate::inside::STATES_DECK;
use crate::inside::states::STATES;
use crate::page::Page;
use crate::picture::{self, Picture};
use crate::recompose::Covered;
use crate::{Clip, ClipWhat, DeckKind, ImportError, ImportErrorKind, Ink, Progress, Warning};

const LARGEST_FILE: u64 = 512 << 20;
/// More pages than this are not drawn for steps; slides that come later are shown as they end.
const MOST_STATES: usize = 400;
/// Colours that differ by no more are the same: LibreOffice places letters anew on every page.
const SAME: u8 = 6;
/// Those of letters that differ by more do not lie in the same place; photographs are kept with a loss.
const OTHER: u8 = 40;

/// A deck of states on its way.
pub(crate) struct Builds {
    conversion: Conversion,
    /// Numbers of the slides, and how many pages each has.
    counts: Vec<(usize, usize)>,
}

/// The deck of states, as LibreOffice draws it.
pub(crate) struct States {
    pdf: PathBuf,
    counts: Vec<(usize, usize)>,
}

impl Builds {
    /// Starts with the states of these slides; nothing when there are none or they cannot be had.
    pub(crate) fn start(
        work: &Work<'_>,
        task: Task<'_>,
        numbers: &BTreeSet<usize>,
        to: To,
        scratch: &Path,
    ) -> Result<Option<Self>, ImportError> {
        if numbers.is_empty() {
            return Ok(None);
        }
        let making = |error: std::io::Error| ImportError::io("make a working folder", &error);
        let folder = tempfile::tempdir_in(scratch).map_err(making)?.keep();
        let limits = ErrandLimits { wall: 60, cpu: 40, output: 1 << 20, ..ErrandLimits::SMALL };
        let list = numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let errand = Errand::helper(STATES_DECK, limits).input(task.file).arg(&folder).arg(list);
        let counts: Option<Result<Vec<(usize, usize)>, String>> =
            match work.run(&errand.scratch(&folder, LARGEST_FILE), Progress::Looking) {
                Ok(output) => serde_json::from_slice(&output.stdout).ok(),
                Err(Stopped::Import(error)) => return Err(error),
                Err(Stopped::Child(_)) => None,
            };
        let deck = folder.join(STATES);
        let Some(Ok(counts)) = counts.filter(|_| deck.exists()) else { return Ok(None) };
        let states = counts.iter().map(|(_, count)| count).sum();
        let task = Task { file: &deck, kind: DeckKind::Pptx, slides: states, ..task };
        let conversion = Conversion::start(work, task, to, scratch)?;
        Ok(Some(Self { conversion, counts }))
    }

    pub(crate) fn finish(self, work: &Work<'_>, warnings: &mut Vec<Warning>) -> Result<Option<States>, ImportError> {
        match self.conversion.finish(work) {
            Ok(pdf) => Ok(Some(States { pdf, counts: self.counts })),
            Err(error) if error.kind == ImportErrorKind::Cancelled => Err(error),
            Err(_) => {
                warnings
                    .push(Warning::of_document("what comes by a click is shown at once: its steps could not be drawn"));
                Ok(None)
            }
        }
    }
}

/// A slide in steps.
pub(crate) struct Built {
    /// Whether all of it is in pictures, texts too.
    pub(crate) whole: bool,
    pub(crate) clips: Vec<Clip>,
    pub(crate) drawn: Drawn,
}

/// Draws the states of these pages; slides by number, those left out that look the same in all steps.
pub(crate) fn take(
    work: &Work<'_>,
    states: &States,
    pages: &[Page],
    drawn: &[Drawn],
    taken: &BTreeMap<usize, Taken>,
    (canvas, folder): ((u32, u32), &Path),
) -> Result<BTreeMap<usize, Built>, ImportError> {
    let info = pdf::info(work, &states.pdf, "The presentation in steps")?;
    let mut wanted: Vec<Page> = Vec::new();
    let mut at = 0;
    let mut places = BTreeMap::new();
    for (number, count) in &states.counts {
        if let Some(page) = pages.iter().find(|page| page.number == *number)
            && at + count <= info.pages.len().min(MOST_STATES)
        {
            wanted.extend((at..at + count).map(|at| Page { at, group: *number, unpinned: false, ..*page }));
            places.extend((at..at + count).enumerate().map(|(state, at)| (at, (state, state + 1 == *count))));
        }
        at += count;
    }
    if wanted.is_empty() {
        return Ok(BTreeMap::new());
    }
    let draw = |wanted: &[Page], covers: BTreeMap<usize, &Cover>| -> Result<BTreeMap<usize, Slide>, ImportError> {
        let (sandbox, slides) = (work.sandbox, Mutex::default());
        let builder = Builder { folder, sandbox, places: &places, covers, slides };
        let target = Target {
            folder,
            canvas,
            stem: "state",
            taker: Some(&|picture, page| builder.take(picture, page)),
            progress: |done, of| Progress::Stepping { done, of },
        };
        pages::draw(work, &states.pdf, wanted, &target)?;
        Ok(builder.slides.into_inner().unwrap_or_else(PoisonError::into_inner))
    };
    let mut slides = draw(&wanted, taken.iter().map(|(number, taken)| (*number, &taken.cover)).collect())?;
    // Where that does not come to the same, without clips of texts.
    wanted.retain(|page| slides.get(&page.number).is_some_and(|slide| slide.otherwise));
    if !wanted.is_empty() {
        slides.extend(draw(&wanted, BTreeMap::new())?);
    }
    let built = |(number, slide): (usize, Slide)| {
        let own = &drawn[pages.iter().position(|page| page.number == number)?];
        let (first, thumbnail) = (slide.first?, slide.thumbnail?);
        let drawn = Drawn { picture: first, thumbnail, edge: own.edge, ink: slide.ink };
        let whole = !slide.covered;
        (slide.covered || !slide.clips.is_empty()).then_some((number, Built { whole, clips: slide.clips, drawn }))
    };
    Ok(slides.into_iter().filter_map(built).collect())
}

#[derive(Default)]
struct Slide {
    first: Option<PathBuf>,
    thumbnail: Option<PathBuf>,
    /// The state before.
    last: Option<Picture>,
    ink: Ink,
    clips: Vec<Clip>,
    /// The slide at its end, without what clips cover and with it.
    ends: Option<(Picture, Picture)>,
    /// Whether clips cover some of it.
    covered: bool,
    /// Whether what they cover looks otherwise in a step than at the end.
    otherwise: bool,
}

/// Takes states in the order of their steps, those of one slide from one thread.
struct Builder<'a> {
    folder: &'a Path,
    sandbox: &'a Sandbox,
    /// Which state of its slide a page shows, and whether it is the last.
    places: &'a BTreeMap<usize, (usize, bool)>,
    covers: BTreeMap<usize, &'a Cover>,
    slides: Mutex<BTreeMap<usize, Slide>>,
}

impl Builder<'_> {
    fn take(&self, picture: &Picture, page: &Page) -> Result<(), ImportError> {
        let slides = || self.slides.lock().unwrap_or_else(PoisonError::into_inner);
        let mut slide = slides().remove(&page.number).unwrap_or_default();
        let (step, last) = self.places.get(&page.at).copied().unwrap_or((0, false));
        let ink = Ink::of(picture);
        slide.ink = if step == 0 { ink } else { slide.ink.with(&ink) };
        let small = self.folder.join(format!("state-small-{:03}.jpg", page.number));
        picture::write(&small, &picture::thumbnail(picture)?)?;
        slide.thumbnail = Some(small);
        let uncovered = self.uncovered(picture, page.number, step, &mut slide)?;
        let picture = uncovered.as_ref().unwrap_or(picture);
        match (&slide.last, step) {
            (Some(before), 1..) => {
                if let Some(clip) = self.change(before, picture, page.number, step)? {
                    slide.clips.push(clip);
                }
            }
            _ => slide.first = Some(self.written(picture, &format!("first-{:03}", page.number))?),
        }
        slide.last = (!last).then(|| picture.clone());
        // Pictures of all slides at once would fill the memory.
        slide.ends = slide.ends.filter(|_| !last);
        slides().insert(page.number, slide);
        Ok(())
    }

    /// A state without what clips show of it.
    fn uncovered(
        &self,
        picture: &Picture,
        number: usize,
        step: usize,
        slide: &mut Slide,
    ) -> Result<Option<Picture>, ImportError> {
        let Some(cover) = self.covers.get(&number) else { return Ok(None) };
        let (ground, whole) = match slide.ends.take() {
            Some(ends) => ends,
            None => (self.decoded(&cover.ground)?, self.decoded(&cover.whole)?),
        };
        slide.covered = true;
        let mut uncovered = picture.clone();
        let twice = |rect: Rect| Rect::new(rect.x0 * 2, rect.y0 * 2, rect.x1 * 2, rect.y1 * 2);
        let (there, later): (Vec<&Covered>, Vec<&Covered>) =
            cover.covered.iter().partition(|covered| usize::from(covered.from) <= step);
        let later: Vec<Rect> = later.iter().map(|covered| twice(covered.rect)).collect();
        for covered in there {
            let rect = twice(covered.rect).intersect(picture.bounds());
            slide.otherwise |= looks_otherwise(picture, &whole, rect, &later);
            uncovered.patch(&ground, rect);
        }
        slide.ends = Some((ground, whole));
        Ok(Some(uncovered))
    }

    fn decoded(&self, path: &Path) -> Result<Picture, ImportError> {
        let want = image::Want { max_width: 8000, max_height: 8000 };
        let decoded = image::decode(self.sandbox, path, want);
        let sentence = |error: MediaError| {
            ImportError::new(ImportErrorKind::Internal, format!("A picture could not be read again: {}.", error.what))
        };
        Ok(Picture::of_pixmap(&decoded.map_err(sentence)?))
    }

    fn written(&self, picture: &Picture, name: &str) -> Result<PathBuf, ImportError> {
        let (form, bytes) = picture::encode(picture)?;
        let path = self.folder.join(format!("{name}.{}", form.ending()));
        picture::write(&path, &bytes)?;
        Ok(path)
    }

    /// The rectangle in which a slide looks otherwise than a step before.
    fn change(&self, before: &Picture, now: &Picture, number: usize, step: usize) -> Result<Option<Clip>, ImportError> {
        let Some([x0, y0, x1, y1]) = differing(before, now) else { return Ok(None) };
        let part = now.part(x0, y0, x1, y1);
        let path = self.written(&part, &format!("step-{number:03}-{step:02}"))?;
        let units = |pixels: u32| f64::from(pixels) / 2.0;
        Ok(Some(Clip {
            name: format!("Step {step}"),
            left: units(x0),
            top: units(y0),
            width: units(x1 - x0),
            height: units(y1 - y0),
            angle: 0.0,
            from: u8::try_from(step).ok(),
            until: None,
            what: ClipWhat::Picture(path),
        }))
    }
}

/// Whether more than a few pixels of a rectangle differ, those apart in which something comes later.
fn looks_otherwise(state: &Picture, end: &Picture, rect: Rect, later: &[Rect]) -> bool {
    let (mut apart, mut all) = (0usize, 0usize);
    for y in rect.y0..rect.y1 {
        for x in rect.x0..rect.x1 {
            if later.iter().any(|rect| (rect.x0..rect.x1).contains(&x) && (rect.y0..rect.y1).contains(&y)) {
                continue;
            }
            let (a, b) = (state.at(x as u32, y as u32), end.at(x as u32, y as u32));
            apart += usize::from(a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > OTHER));
            all += 1;
        }
    }
    apart * 500 > all
}

/// Left, top, right and bottom of what differs, on whole canvas units, a little around it; nothing when all is alike.
fn differing(a: &Picture, b: &Picture) -> Option<[u32; 4]> {
    const AROUND: u32 = 8;
    let (mut x0, mut y0, mut x1, mut y1) = (u32::MAX, u32::MAX, 0, 0);
    let width = a.width as usize;
    for (y, (one, other)) in a.rgb.chunks_exact(width).zip(b.rgb.chunks_exact(width)).enumerate() {
        if one == other {
            continue;
        }
        let apart = |x: &usize| one[*x].iter().zip(other[*x]).any(|(a, b)| a.abs_diff(b) > SAME);
        let Some(first) = (0..width).find(apart) else { continue };
        let last = (first..width).rev().find(apart).unwrap_or(first);
        (x0, x1) = (x0.min(first as u32), x1.max(last as u32 + 1));
        (y0, y1) = (y0.min(y as u32), y as u32 + 1);
    }
    let out = |low: u32| low.saturating_sub(AROUND) / 2 * 2;
    let up = |high: u32, most: u32| (high + AROUND).div_ceil(2).saturating_mul(2).min(most);
    (x0 < x1).then(|| [out(x0), out(y0), up(x1, a.width), up(y1, a.height)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_later_does_not_make_a_part_look_otherwise() {
        let end = Picture { width: 60, height: 40, rgb: vec![[250; 3]; 60 * 40] };
        let mut state = end.clone();
        (20..30).for_each(|y| state.rgb[y * 60..y * 60 + 60].fill([0; 3]));
        let (low, later) = (Rect::new(0, 10, 60, 40), Rect::new(0, 18, 60, 32));
        assert!(looks_otherwise(&state, &end, low, &[]));
        assert!(!looks_otherwise(&state, &end, low, &[later]));
    }

    #[test]
    fn what_differs_is_found_with_a_little_around_it() {
        let plain = Picture { width: 60, height: 40, rgb: vec![[250; 3]; 60 * 40] };
        let mut other = plain.clone();
        other.rgb[20 * 60 + 31] = [0; 3];
        other.rgb[22 * 60 + 33] = [245; 3];
        assert_eq!(differing(&plain, &other), Some([22, 12, 40, 30]));
        assert_eq!(differing(&plain, &plain), None);
        assert_eq!(other.part(30, 20, 34, 24).rgb[1], [0; 3]);
    }
}
