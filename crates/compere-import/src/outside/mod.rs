//! Outside the sandbox: from a file to a deck, by children that are believed as little as the file.

mod apart;
mod builds;
mod cairo;
mod carried;
mod document;
mod fonts;
mod media;
mod office;
mod pages;
mod pdf;
mod scribe;
mod typecase;
mod words;
mod work;

pub use document::{Document, DocumentBlock, read_document};

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use compere_codec::Sandbox;
use compere_codec::sandbox::{Errand, Limits as ErrandLimits};

use apart::Parts;
use builds::{Builds, States};
use office::{Conversion, Task, To};
use pages::{Drawn, Target};
use typecase::Fonts;
use work::Work;

use crate::inside::media::Media;
use crate::inside::outline::{Outline, SlideWords};
use crate::inside::pdf_words::{PageWords, PdfWords};
use crate::inside::weight::Weight;
use crate::inside::{Answer, READ_DECK, READ_PDF};
use crate::page::{Aside, Page, Word};
use crate::{
    ClipWhat, Deck, DeckKind, Ground, ImportError, ImportErrorKind, Layout, Numbers, Progress, Quiet, Slide, Stand,
    Want, Warning, Watch, Wish, again, layout, names, spoken, steps,
};
use compere_media::Orientation;
use compere_scene::Transition;

/// Characters of one script that the scene language takes.
const LONGEST_NOTES: usize = 19_000;

/// What is known of a slide before it is drawn.
#[derive(Clone, Debug, Default)]
struct Words {
    number: usize,
    id: Option<u32>,
    title: Option<String>,
    notes: String,
    language: Option<String>,
    /// Where it is in the PDF that is drawn.
    page: usize,
    /// Whether what is pinned to the page is said and not shown.
    unpinned: bool,
    /// Whether only the slower painter draws all of it.
    patient: bool,
    /// What its steps bring.
    steps: Vec<String>,
    /// What it says beside its title.
    points: Vec<String>,
    links: Vec<(String, String)>,
    media: Vec<Media>,
    transition: Option<Transition>,
}

/// A document on its way: a PDF to draw, and words for its pages.
struct Draft {
    kind: DeckKind,
    pdf: PathBuf,
    sizes: Vec<(f64, f64)>,
    title: Option<String>,
    words: Vec<Words>,
    /// The words on each page, where poppler could say.
    read: Option<Vec<Vec<Word>>>,
    warnings: Vec<Warning>,
    /// The slides without their texts and pictures.
    parts: Option<Parts>,
    /// Those whose parts come by a click, step by step.
    states: Option<States>,
    /// The presentation that holds what its slides play.
    package: Option<PathBuf>,
}

/// Reads a document. Pictures go into the folder `out`, which is made if need be; an import that fails leaves nothing
/// in it.
pub fn import(file: &Path, want: &Want, out: &Path, sandbox: &Sandbox, watch: &Watch<'_>) -> Result<Deck, ImportError> {
    let work = Work::new(sandbox, want.limits, watch);
    work.tell(Progress::Looking)?;
    let kind = kind_of_bytes(file, want)?;
    let new = !out.exists();
    let making = |error: std::io::Error| ImportError::io("make the folder for the pictures", &error);
    std::fs::create_dir_all(out).map_err(making)?;
    let result = tempfile::Builder::new().prefix(".import-").tempdir_in(out).map_err(making).and_then(|scratch| {
        let deck = read(&work, file, kind, want, scratch.path())?;
        settled(deck, scratch.path(), out)
    });
    if result.is_err() && new {
        // Only ever an empty folder; one that somebody else has filled meanwhile stays.
        let _ = std::fs::remove_dir(out);
    }
    result
}

/// What the first bytes promise.
#[derive(Clone, Copy, PartialEq)]
enum Looks {
    Pdf,
    Office,
}

fn kind_of_bytes(file: &Path, want: &Want) -> Result<Looks, ImportError> {
    let opening = |error: std::io::Error| ImportError::io("open the document", &error);
    let length = std::fs::metadata(file).map_err(opening)?.len();
    if length == 0 {
        return Err(ImportError::unreadable("The file is empty; upload it again."));
    }
    if length > want.limits.bytes {
        let (is, most) = (length as f64 / 1e6, want.limits.bytes / 1_000_000);
        return Err(ImportError::too_large(format!("The file has {is:.1} MB; at most {most} MB are taken.")));
    }
    let mut head = Vec::new();
    let mut opened = std::io::Read::take(std::fs::File::open(file).map_err(opening)?, 1024);
    std::io::Read::read_to_end(&mut opened, &mut head).map_err(opening)?;
    if head.windows(5).any(|window| window == b"%PDF-") {
        return Ok(Looks::Pdf);
    }
    match head.as_slice() {
        [b'P', b'K', 3 | 5, 4 | 6, ..] | [0xd0, 0xcf, 0x11, 0xe0, ..] => Ok(Looks::Office),
        _ => Err(ImportError::wrong_type(compere_codec::image::file_type(&head))),
    }
}

fn read(work: &Work<'_>, file: &Path, looks: Looks, want: &Want, scratch: &Path) -> Result<Deck, ImportError> {
    need_poppler()?;
    let mut draft = match looks {
        Looks::Pdf => of_pdf(work, file, want)?,
        Looks::Office => of_office(work, file, want, scratch)?,
    };
    if want.wish.quiet == Quiet::Written && want.wish.notes {
        write(work, want, &mut draft)?;
    }
    draw(work, draft, want, scratch)
}

/// Has somebody write for slides without notes.
fn write(work: &Work<'_>, want: &Want, draft: &mut Draft) -> Result<(), ImportError> {
    let mut leaves: Vec<scribe::Leaf<'_>> = Vec::new();
    for words in draft.words.iter_mut().filter(|words| words.notes.is_empty()) {
        let Words { number, title, points, notes, .. } = words;
        leaves.push(scribe::Leaf { number: *number, title: title.as_deref(), points, notes });
    }
    scribe::write(work, want.scribe.as_ref(), draft.title.as_deref(), leaves, &mut draft.warnings)
}

fn need_poppler() -> Result<(), ImportError> {
    if ["pdftoppm", "pdfinfo"].into_iter().all(office::installed) {
        return Ok(());
    }
    let sentence = "Slides cannot be drawn here: poppler is missing (apt-get install poppler-utils).";
    Err(ImportError::new(ImportErrorKind::Unavailable, sentence))
}

fn of_pdf(work: &Work<'_>, file: &Path, want: &Want) -> Result<Draft, ImportError> {
    let info = pdf::info(work, file, "The PDF")?;
    let mut warnings = Vec::new();
    let count = info.pages.len();
    let notes = Errand::helper(READ_PDF, pdf::glance(count)).input(file).arg(work.limits.slides.to_string());
    let errands = [notes, pdf::fonts(file, count), words::errand(file, count)];
    let [words, fonts, read] = work.run_beside(errands, Progress::Looking)?;
    let words: Option<PdfWords> = words.and_then(|output| serde_json::from_slice(&output.stdout).ok().flatten());
    let read = read.and_then(|output| words::read(&output.stdout));
    if words.is_none() {
        warnings.push(Warning::of_document("outline and notes of the PDF could not be read; its pages could"));
    }
    let mut words = words.unwrap_or_default().pages;
    words.resize(info.pages.len(), PageWords::default());
    let fonts = fonts.as_ref().map(pdf::absent_fonts).unwrap_or_default();
    let stands_in = |font| Warning::of_document(format!("font “{font}” is not in the PDF; another stands in for it"));
    warnings.extend(fonts.into_iter().map(|font: String| stands_in(font)));
    let words = words.into_iter().enumerate().map(|(page, words)| Words {
        number: page + 1,
        id: None,
        title: words.title,
        notes: words.notes,
        language: None,
        page,
        unpinned: words.only_notes,
        patient: words.needs_patience,
        steps: vec![],
        points: vec![],
        links: vec![],
        media: vec![],
        transition: None,
    });
    let words = words.collect();
    let title = info.title.as_deref().and_then(names::of_document);
    let (kind, pdf) = (DeckKind::Pdf, file.to_owned());
    let (sizes, parts, states, package) = (info.pages, None, None, None);
    chosen(Draft { kind, pdf, sizes, title, words, read, warnings, parts, states, package }, &want.wish)
}

fn of_office(work: &Work<'_>, file: &Path, want: &Want, scratch: &Path) -> Result<Draft, ImportError> {
    let mut installed = fonts::installed(work)?;
    installed.extend(fonts::of_files(work, &want.fonts)?);
    let mut own = want.fonts.clone();
    let to = To::Pdf { hidden: want.wish.hidden };
    let mut warnings = Vec::new();
    let (kind, outline, pdf, parts, builds, package) = match look(work, file)? {
        Answer::Pptx(outline) => {
            check_count(work, &outline, &want.wish)?;
            let weights: Vec<Weight> = outline.slides.iter().map(|slide| slide.weight).collect();
            let heaviest = weighed(&weights)?;
            let task = Task { file, kind: DeckKind::Pptx, slides: weights.len(), heaviest: heaviest.as_deref() };
            office::need()?;
            if outline.carries_fonts {
                own.extend(carried::take(work, file, scratch, &mut installed, &mut warnings)?);
            }
            work.fonts.get_or_init(|| Fonts::new(&installed, own));
            let builds = Builds::start(work, task, &stepped(&outline, &want.wish), to, scratch)?;
            let (pdf, parts) = match want.editable {
                Some(_) => apart::convert(work, task, to, scratch)?,
                None => (office::convert(work, task, to, scratch)?, None),
            };
            (DeckKind::Pptx, outline, pdf, parts, builds, file.to_owned())
        }
        old @ (Answer::Ppt(_) | Answer::Odp(_)) => {
            office::need()?;
            work.fonts.get_or_init(|| Fonts::new(&installed, own));
            let (kind, slides, heaviest) = match &old {
                Answer::Ppt(slides) => (DeckKind::Ppt, *slides, None),
                Answer::Odp(weights) if !weights.is_empty() => (DeckKind::Odp, weights.len(), weighed(weights)?),
                _ => (DeckKind::Odp, work.limits.slides, None),
            };
            let task = Task { file, kind, slides, heaviest: heaviest.as_deref() };
            let (outline, pdf, pptx) = of_old_office(work, task, &want.wish, scratch)?;
            let builds =
                Builds::start(work, Task { file: &pptx, ..task }, &stepped(&outline, &want.wish), to, scratch)?;
            (kind, outline, pdf, None, builds, pptx)
        }
        other => return Err(refusal(other)),
    };
    let states = match builds {
        Some(builds) => builds.finish(work, &mut warnings)?,
        None => None,
    };
    let info = pdf::info(work, &pdf, "The presentation, as LibreOffice shows it,")?;
    let words = placed(&outline.slides, info.pages.len(), want.wish.hidden, &mut warnings)?;
    warnings.extend(losses(&outline, &want.wish));
    let title = outline.title.as_deref().and_then(names::of_document);
    let (sizes, package) = (info.pages, Some(package));
    let read = words::of_pages(work, &pdf, sizes.len())?;
    let draft = Draft { kind, pdf, sizes, title, words, read, warnings, parts, states, package };
    let mut draft = chosen(draft, &want.wish)?;
    let shown = draft.words.iter().map(|words| words.number).collect();
    draft.warnings.extend(fonts::replaced(work, &outline.fonts, &shown, &installed)?);
    Ok(draft)
}

/// What the author should know of slides that are wanted, and which of them are hidden.
fn losses(outline: &Outline, wish: &Wish) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut hidden = Vec::new();
    for (number, slide) in (1..).zip(&outline.slides).filter(|(number, _)| wish.slides.holds(*number)) {
        if slide.hidden && !wish.hidden {
            hidden.push(number.to_string());
            continue;
        }
        warnings.extend(slide.losses.iter().map(|loss| Warning::of_slide(number, loss)));
    }
    if let Some(last) = hidden.pop() {
        let message = match hidden.as_slice() {
            [] => format!("slide {last} is hidden and left out"),
            others => format!("slides {} and {last} are hidden and left out", others.join(", ")),
        };
        warnings.push(Warning::of_document(message));
    }
    warnings
}

/// The numbers of the slides that have steps and are wanted.
fn stepped(outline: &Outline, wish: &Wish) -> BTreeSet<usize> {
    let wanted = |number: &usize, slide: &SlideWords| {
        !slide.steps.is_empty() && (wish.hidden || !slide.hidden) && wish.slides.holds(*number)
    };
    let numbered = (1..).zip(&outline.slides);
    numbered.filter(|(number, slide)| wanted(number, slide)).map(|(number, _)| number).collect()
}

/// With the slides and the notes that are wanted.
fn chosen(mut draft: Draft, wish: &Wish) -> Result<Draft, ImportError> {
    draft.words.retain(|words| wish.slides.holds(words.number));
    if draft.words.is_empty() {
        return Err(none_of(&wish.slides));
    }
    for words in &mut draft.words {
        if !wish.notes {
            words.notes.clear();
        }
        draft.warnings.extend(without_idle_clicks(words));
        if words.notes.is_empty() && wish.notes && wish.quiet == Quiet::Draft {
            words.notes = spoken::draft(words.title.as_deref(), &words.points);
            if !words.notes.is_empty() {
                let message = "has no notes; what it says itself is spoken as a draft";
                draft.warnings.push(Warning::of_slide(words.number, message));
            }
            continue;
        }
        let cues = spoken::cues(&words.notes);
        if cues.is_empty() {
            continue;
        }
        let said: Vec<String> = cues.iter().map(|cue| format!("“{cue}”")).collect();
        let what = if wish.cues {
            "the notes hold what may be meant for the speaker and will be said"
        } else {
            "left out of the notes"
        };
        draft.warnings.push(Warning::of_slide(words.number, format!("{what}: {}", said.join(", "))));
        if !wish.cues {
            words.notes = spoken::without_cues(&words.notes);
        }
    }
    if wish.quiet == Quiet::Skip {
        draft.words.retain(|words| !words.notes.is_empty());
        if draft.words.is_empty() {
            let sentence = "No slide has notes to speak; take slides without notes too.";
            return Err(ImportError::unreadable(sentence));
        }
    }
    Ok(draft)
}

/// Takes the author's clicks as marks, as many as there are steps: what brings nothing is not said either.
fn without_idle_clicks(words: &mut Words) -> Option<Warning> {
    let (notes, idle) = steps::kept(&steps::clicked(&words.notes), words.steps.len());
    words.notes = notes;
    let what = match words.steps.len() {
        _ if idle == 0 => return None,
        0 => "nothing comes or goes by a click here".to_owned(),
        1 => "one thing comes or goes by a click here".to_owned(),
        steps => format!("{steps} things come or go by a click here"),
    };
    let clicks = if idle == 1 { "a “[click]”".to_owned() } else { format!("{idle} “[click]”") };
    Some(Warning::of_slide(words.number, format!("left out of the notes: {clicks}, because {what}")))
}

fn none_of(slides: &Numbers) -> ImportError {
    ImportError::unreadable(format!("There is no slide among {} that can be shown.", slides.text()))
}

/// The words of an old file, or of one in another format, are read from a newer one that LibreOffice makes of it, beside
/// the PDF.
fn of_old_office(
    work: &Work<'_>,
    task: Task<'_>,
    wish: &Wish,
    scratch: &Path,
) -> Result<(Outline, PathBuf, PathBuf), ImportError> {
    let mut pdf = Conversion::start(work, task, To::Pdf { hidden: wish.hidden }, scratch)?;
    let pptx = Conversion::start(work, task, To::Pptx, scratch)?;
    while pdf.step(work).map_err(|stopped| stopped.about("LibreOffice"))? {}
    let (pdf, pptx) = (pdf.finish(work)?, pptx.finish(work)?);
    match look(work, &pptx)? {
        Answer::Pptx(outline) => {
            check_count(work, &outline, wish)?;
            Ok((outline, pdf, pptx))
        }
        _ => Err(ImportError::unreadable("LibreOffice made nothing of this presentation that can be read.")),
    }
}

fn look(work: &Work<'_>, file: &Path) -> Result<Answer, ImportError> {
    let limits = ErrandLimits { wall: 60, cpu: 10, ..ErrandLimits::SMALL };
    let answer = work.run(&Errand::helper(READ_DECK, limits).input(file), Progress::Looking);
    let output = answer.map_err(|stopped| stopped.about("The presentation"))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| ImportError::unreadable("The presentation is damaged: it cannot be read to its end."))
}

fn refusal(answer: Answer) -> ImportError {
    match answer {
        Answer::Encrypted => {
            ImportError::unreadable("The presentation is protected by a password; save it without one.")
        }
        Answer::Other(what) => ImportError::wrong_type(&what),
        Answer::Damaged(why) => {
            ImportError::unreadable(format!("The presentation is damaged or cut off: {why}. Save or upload it again."))
        }
        Answer::TooLarge(why) => ImportError::unreadable(format!("The presentation cannot be taken: it {why}.")),
        Answer::Pptx(_) | Answer::Ppt(_) | Answer::Odp(_) => {
            ImportError::unreadable("The presentation cannot be read.")
        }
    }
}

/// Where most of the work is, if any slide has much of it. An error when one has too much.
fn weighed(slides: &[Weight]) -> Result<Option<String>, ImportError> {
    /// Milliseconds.
    const MUCH: u64 = 1000;
    if let Some((number, why)) = (1..).zip(slides).find_map(|(number, slide)| Some((number, slide.too_much()?))) {
        return Err(ImportError::unreadable(format!(
            "Slide {number} {why}. Put a picture of it in its place, or divide it among several slides."
        )));
    }
    let heaviest = (1..).zip(slides).max_by_key(|(_, slide)| slide.cost());
    let heaviest = heaviest.filter(|(_, slide)| slide.cost() >= MUCH);
    Ok(heaviest.map(|(number, slide): (usize, _)| format!("on slide {number} ({})", slide.told())))
}

fn check_count(work: &Work<'_>, outline: &Outline, wish: &Wish) -> Result<(), ImportError> {
    let shown = outline.slides.iter().filter(|slide| wish.hidden || !slide.hidden).count();
    let wanted = |number: &usize| wish.slides.holds(*number) && (wish.hidden || !outline.slides[*number - 1].hidden);
    match (outline.slides.len(), shown) {
        (0, _) => Err(ImportError::unreadable("The presentation has no slides.")),
        (_, 0) => Err(ImportError::unreadable(
            "All slides of the presentation are hidden; show at least one, or ask for the hidden ones too.",
        )),
        (all, _) if !(1..=all).any(|number| wanted(&number)) => Err(none_of(&wish.slides)),
        (_, shown) if shown > work.limits.slides => Err(pdf::too_many(shown, work.limits.slides)),
        _ => Ok(()),
    }
}

/// Which page shows which slide.
fn placed(
    slides: &[SlideWords],
    pages: usize,
    hidden: bool,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Words>, ImportError> {
    let words = |number: usize, slide: &SlideWords, page: usize| Words {
        number: number + 1,
        id: slide.id,
        title: slide.title.clone(),
        notes: slide.notes.clone(),
        language: slide.language.clone(),
        page,
        unpinned: false,
        patient: false,
        steps: slide.steps.iter().map(|step| step.says.clone()).collect(),
        points: slide.points.clone(),
        links: slide.links.clone(),
        media: slide.media.clone(),
        transition: slide.transition.as_ref().and_then(|(word, seconds)| Transition::told(word, *seconds)),
    };
    let shown: Vec<(usize, &SlideWords)> =
        slides.iter().enumerate().filter(|(_, slide)| hidden || !slide.hidden).collect();
    if pages == slides.len() {
        // Hidden or not, every slide has its page.
        return Ok(shown.into_iter().map(|(number, slide)| words(number, slide, number)).collect());
    }
    if pages != shown.len() {
        if pages == 0 {
            return Err(ImportError::unreadable("LibreOffice shows no slide of this presentation."));
        }
        let message = format!("{pages} of {} slides could be drawn; notes may stand with a neighbour", shown.len());
        warnings.push(Warning::of_document(message));
    }
    let placed = shown.into_iter().zip(0..pages);
    Ok(placed.map(|((number, slide), page)| words(number, slide, page)).collect())
}

fn draw(work: &Work<'_>, draft: Draft, want: &Want, scratch: &Path) -> Result<Deck, ImportError> {
    let Draft { kind, pdf, sizes, title, words, read, mut warnings, parts, states, package } = draft;
    let orientation = want.orientation.unwrap_or_else(|| majority(&sizes));
    if read.is_none() {
        let message =
            "the words of the pages could not be read: those without notes are short and have no names of their own";
        warnings.push(Warning::of_document(message));
    }
    let rooms = rooms(&words, &sizes, orientation, &want.wish);
    let rest = match want.wish.background {
        Ground::Colour(colour) => Some(colour),
        Ground::Own | Ground::Picture(_) => None,
    };
    let page = |(words, room): (&Words, &Option<f64>)| {
        let Words { page: at, number, unpinned, patient, .. } = *words;
        let aside = room.map(|room| Aside { side: want.wish.side, room });
        Page { at, size: sizes[at], number, unpinned, patient, aside, rest, group: 0 }
    };
    let pages: Vec<Page> = words.iter().zip(&rooms).map(page).collect();
    let canvas = crate::deck::canvas(orientation);
    let canvas = (canvas.0 * 2, canvas.1 * 2);
    let progress = |done, of| Progress::Drawing { done, of };
    let target = Target { folder: scratch, canvas, stem: "slide", taker: None, progress };
    let mut drawn = pages::draw(work, &pdf, &pages, &target)?;
    let prints = words.iter().zip(&drawn).map(|(words, drawn)| print(words, drawn)).collect::<Result<Vec<_>, _>>()?;
    let mut taken = match (&want.editable, parts) {
        (None, _) => BTreeMap::new(),
        (Some(fonts), Some(parts)) => {
            let slides =
                apart::Slides { fonts, orientation, pages: &pages, folder: scratch, pdf: &pdf, words: read.as_deref() };
            apart::take(work, &parts, &slides, &mut drawn, &mut warnings)?
        }
        (Some(_), None) => {
            let what = if kind == DeckKind::Pptx { "this presentation" } else { "any file but a PPTX" };
            warnings
                .push(Warning::of_document(format!("texts and pictures of {what} stay part of the slides' pictures")));
            BTreeMap::new()
        }
    };
    let mut built = match states {
        Some(states) => builds::take(work, &states, &pages, &drawn, &taken, (canvas, scratch))?,
        None => BTreeMap::new(),
    };
    let mut clips = BTreeMap::new();
    for (page, drawn) in pages.iter().zip(&mut drawn) {
        let number = page.number;
        let mut own = taken.remove(&number).map(|taken| taken.clips).unwrap_or_default();
        match built.remove(&number) {
            Some(built) => {
                if built.whole && !own.is_empty() {
                    let message = "not editable: slides whose texts lie under what comes by a click";
                    warnings.push(Warning::of_slide(number, message));
                    own.clear();
                }
                *drawn = built.drawn;
                own.splice(..0, built.clips);
            }
            // Nothing is drawn step by step: all of it is there from the start.
            None => own.iter_mut().for_each(|clip| clip.from = None),
        }
        clips.insert(number, own);
    }
    let mut played = match &package {
        Some(package) => {
            let media = words.iter().filter(|words| !words.media.is_empty());
            let media = media.map(|words| (words.number, words.media.clone())).collect();
            let place = |number: usize, area: [f64; 4]| {
                let page = pages.iter().find(|page| page.number == number)?;
                Some(page.area(area, crate::deck::canvas(orientation)))
            };
            let at = media::Place { on_canvas: &place, folder: scratch };
            media::take(work, package, want.fetch.as_ref(), &media, &at, &mut warnings)?
        }
        None => BTreeMap::new(),
    };
    // The language of all notes together, for those too short to tell alone.
    let all = words.iter().map(|words| words.notes.as_str()).collect::<Vec<_>>().join("\n");
    let whole = (want.language_of)(&all);
    let mut slides = Vec::with_capacity(words.len());
    for ((mut words, drawn), print) in words.into_iter().zip(drawn).zip(prints) {
        let read = read.as_ref().and_then(|pages| pages.get(words.page)).map_or(&[][..], Vec::as_slice);
        words.title = words.title.or_else(|| names::of_page(read));
        words.notes = held(words.notes, words.number, &mut warnings);
        let comes = clips.get(&words.number).is_some_and(|clips| clips.iter().any(|clip| clip.from.is_some()));
        if !comes {
            words.steps.clear();
            warnings.extend(without_idle_clicks(&mut words));
        } else if !words.notes.is_empty() {
            words.notes = steps::placed(&words.notes, &words.steps);
        }
        let plain = (want.language_of)(&words.notes).or(whole).map(str::to_owned);
        words.language = plain.or(words.language).filter(|_| !words.notes.is_empty());
        let mut clips = clips.remove(&words.number).unwrap_or_default();
        let played = played.remove(&words.number).unwrap_or_default();
        clips.extend(played.clips);
        // What is played is played to its end.
        let reading = spoken::reading_time(read).max(played.seconds);
        slides.push(Slide { clips, reading, print, ..slide(kind, words, drawn) });
    }
    layout::arrange(&mut slides, &rooms, orientation, &want.wish);
    let background = want.wish.background.clone();
    Ok(Deck { kind, title, orientation, slides, background, warnings })
}

/// What a slide looks like, and how it comes to.
fn print(words: &Words, drawn: &Drawn) -> Result<String, ImportError> {
    let picture = std::fs::read(&drawn.picture).map_err(|error| ImportError::io("read a picture again", &error))?;
    Ok(again::print_of([picture.as_slice(), words.steps.join("\n").as_bytes()]))
}

/// What each page leaves a presenter, where there is one at all.
fn rooms(words: &[Words], sizes: &[(f64, f64)], orientation: Orientation, wish: &Wish) -> Vec<Option<f64>> {
    let listens = wish.quiet.listens() || words.iter().any(|words| !words.notes.is_empty());
    let seen = wish.layout != Layout::Voice && listens;
    words.iter().map(|words| layout::room(sizes[words.page], orientation).filter(|_| seen)).collect()
}

fn majority(sizes: &[(f64, f64)]) -> Orientation {
    let upright = sizes.iter().filter(|(width, height)| height > width).count();
    if upright * 2 > sizes.len() { Orientation::Portrait } else { Orientation::Landscape }
}

fn slide(kind: DeckKind, words: Words, drawn: Drawn) -> Slide {
    let Words { number, id, title, notes, language, steps, links, transition, .. } = words;
    let noun = if kind == DeckKind::Pdf { "Page" } else { "Slide" };
    Slide {
        name: title.unwrap_or_else(|| format!("{noun} {number}")),
        number,
        id,
        print: String::new(),
        picture: drawn.picture,
        thumbnail: drawn.thumbnail,
        notes,
        language,
        edge_colour: drawn.edge,
        ink: drawn.ink,
        reading: 0.0,
        stand: Stand::default(),
        steps,
        links,
        transition,
        clips: vec![],
    }
}

/// Notes that are no longer than a script may be, cut after a sentence if need be.
fn held(notes: String, number: usize, warnings: &mut Vec<Warning>) -> String {
    let Some((end, _)) = notes.char_indices().nth(LONGEST_NOTES) else { return notes };
    let whole = notes[..end].rfind(['.', '!', '?', '\n', '。']).map_or(end, |at| at + 1);
    let whole = (whole..=end).find(|&at| notes.is_char_boundary(at)).unwrap_or(end);
    warnings.push(Warning::of_slide(number, format!("notes were cut after {LONGEST_NOTES} characters")));
    notes[..whole].trim_end().to_owned()
}

/// Moves what was made out of the working folder. The last step, and the only one that others see.
fn settled(mut deck: Deck, scratch: &Path, out: &Path) -> Result<Deck, ImportError> {
    let mut moved = Vec::new();
    let mut settle = |path: &mut PathBuf| -> Result<(), ImportError> {
        let name = path.strip_prefix(scratch).unwrap_or(path).to_owned();
        let to = out.join(name);
        std::fs::rename(&*path, &to).map_err(|error| ImportError::io("put a picture in its place", &error))?;
        moved.push(to.clone());
        *path = to;
        Ok(())
    };
    let result = deck.slides.iter_mut().try_for_each(|slide| {
        settle(&mut slide.picture)?;
        settle(&mut slide.thumbnail)?;
        slide.clips.iter_mut().try_for_each(|clip| match &mut clip.what {
            ClipWhat::Picture(path) | ClipWhat::Film(path) | ClipWhat::Sound(path) => settle(path),
            ClipWhat::Text(_) => Ok(()),
        })
    });
    if let Err(error) = result {
        moved.iter().for_each(|path| {
            // The first error is the one to tell.
            let _ = std::fs::remove_file(path);
        });
        return Err(error);
    }
    Ok(deck)
}
