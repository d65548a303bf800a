//! What an import asks for and what comes out of it.

use compere_media::Orientation;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compere_compose::draw::Fonts;

use crate::{Ground, Ink, Stand, Wish};
use compere_scene::Transition;

/// What is wanted of an import.
#[derive(Clone, Debug)]
pub struct Want {
    /// The canvas; without it the shape of most slides decides.
    pub orientation: Option<Orientation>,
    /// Tells the language of a text, if it is plain: `compere_speech::language_of`. A parameter, so that reading slides
    /// does not need the voices.
    pub language_of: fn(&str) -> Option<&'static str>,
    /// Texts and pictures of a PPTX become clips of their own where they then look as the slide did; the fonts are those
    /// that films are written with. Without them every slide is one picture.
    pub editable: Option<Arc<Fonts>>,
    /// Files of fonts that slides are drawn with beside those of the machine: of whoever sends the document, looked at
    /// when they came.
    pub fonts: Vec<PathBuf>,
    /// Who writes for [`Quiet::Written`](crate::Quiet); without one slides say what they say themselves.
    pub scribe: Option<Scribe>,
    /// Who fetches what slides play and show from elsewhere; without one it is left out.
    pub fetch: Option<Fetch>,
    pub wish: Wish,
    pub limits: Limits,
}

type Bring = dyn Fn(&str) -> Result<PathBuf, String> + Send + Sync;

/// Brings what lies at an address of the web, as a file that is only read. Errors are words for authors. By which rules it
/// calls anybody, is its own affair.
#[derive(Clone)]
pub struct Fetch(pub Arc<Bring>);

impl std::fmt::Debug for Fetch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Fetch")
    }
}

type Answer = dyn Fn(&str, &str) -> Result<String, String> + Send + Sync;

/// A language model: what it answers to instructions and a request. Errors are sentences for authors.
#[derive(Clone)]
pub struct Scribe(pub Arc<Answer>);

impl std::fmt::Debug for Scribe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scribe")
    }
}

impl Want {
    /// Pictures of whole slides, in the orientation that most of them have.
    pub fn new(language_of: fn(&str) -> Option<&'static str>) -> Self {
        let (wish, limits) = (Wish::default(), Limits::default());
        Self { orientation: None, language_of, editable: None, fonts: vec![], scribe: None, fetch: None, wish, limits }
    }
}

/// How much an import may use. What goes over is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub bytes: u64,
    pub slides: usize,
    /// Seconds from start to end.
    pub seconds: u64,
    /// Processor seconds of one conversion by LibreOffice, and the seconds it may take with other work beside it.
    pub convert_cpu: u64,
    pub convert_wall: u64,
    /// Processor seconds of one page. One of a map with a million lines takes ten; one that never ends is given up after
    /// these and the few for which it was waited before.
    pub page_cpu: u64,
    /// Pages drawn side by side.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(2, Into::into);
        Self {
            bytes: 200_000_000,
            slides: 300,
            seconds: 900,
            convert_cpu: 180,
            convert_wall: 300,
            page_cpu: 10,
            threads,
        }
    }
}

/// The size that positions are given in.
pub(crate) fn canvas(orientation: Orientation) -> (u32, u32) {
    orientation.turned((1920, 1080))
}

/// What a file is, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeckKind {
    Pdf,
    Ppt,
    Pptx,
    Odp,
}

impl DeckKind {
    /// The ending that a file of this kind should have.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Ppt => "ppt",
            Self::Pptx => "pptx",
            Self::Odp => "odp",
        }
    }
}

/// A document, read. All files lie in the folder that was given to the import.
#[derive(Clone, Debug, PartialEq)]
pub struct Deck {
    pub kind: DeckKind,
    pub title: Option<String>,
    pub orientation: Orientation,
    pub slides: Vec<Slide>,
    /// What is behind those that do not fill the picture.
    pub background: Ground,
    /// What the author should know: fonts that were replaced, notes that were cut.
    pub warnings: Vec<Warning>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Slide {
    /// Its title, else its largest words, else `Slide 3`.
    pub name: String,
    /// Counted from one, as the document counts, hidden slides too.
    pub number: usize,
    /// As the program calls it that made the document; it stays when others come before it.
    pub id: Option<u32>,
    /// The same as long as it looks the same.
    pub print: String,
    /// At twice the canvas, fitted, the rest filled with the slide's edge colour. A page that leaves enough room for a
    /// presenter is at the edge, else in the middle. PNG or JPEG.
    pub picture: PathBuf,
    /// JPEG, 480 by 270 or 270 by 480.
    pub thumbnail: PathBuf,
    /// Plain text, paragraphs on lines of their own; empty when there are none.
    pub notes: String,
    /// Language of the notes, if it is plain.
    pub language: Option<String>,
    pub edge_colour: [u8; 3],
    /// Where its content is.
    pub ink: Ink,
    /// Seconds in which it is read.
    pub reading: f64,
    pub stand: Stand,
    /// What the steps bring in words, where it has steps; its notes then hold the marks.
    pub steps: Vec<String>,
    /// Words that lead somewhere, and where.
    pub links: Vec<(String, String)>,
    /// How it takes the place of the slide before it; at once without one.
    pub transition: Option<Transition>,
    /// What is not part of the picture, the furthest back first.
    pub clips: Vec<Clip>,
}

/// A text or picture of a slide that can be edited. Positions are canvas units, turned about the left top corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// As the deck calls it.
    pub name: String,
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    pub angle: f64,
    /// The step with which it comes; there from the start without one.
    pub from: Option<u8>,
    /// The step with which it goes.
    pub until: Option<u8>,
    pub what: ClipWhat,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ClipWhat {
    Text(TextClip),
    /// PNG or JPEG, stretched into its place.
    Picture(PathBuf),
    /// Played in its place.
    Film(PathBuf),
    /// Heard; its place says nothing.
    Sound(PathBuf),
}

impl ClipWhat {
    /// The file that it shows or plays.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Text(_) => None,
            Self::Picture(path) | Self::Film(path) | Self::Sound(path) => Some(path),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TextClip {
    pub text: String,
    pub points: f64,
    /// A family that films are written with.
    pub family: String,
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
    /// `left`, `center`, `right` or `justify`.
    pub align: &'static str,
    pub colour: [u8; 3],
    /// A multiple of the size.
    pub line_height: f64,
    /// Where some of it looks otherwise: joined, they are the text.
    pub runs: Vec<TextStretch>,
}

/// A stretch of a text with its own looks.
#[derive(Clone, Debug, PartialEq)]
pub struct TextStretch {
    pub text: String,
    pub family: String,
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
    pub colour: [u8; 3],
    /// How far above the baseline of its line, in sizes of the text.
    pub raise: f64,
    /// A multiple of the text's size.
    pub scale: f64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The slide it is about, counted from one; none when it is about the document.
    pub slide: Option<usize>,
    pub message: String,
}

impl Warning {
    pub(crate) fn of_document(message: impl Into<String>) -> Self {
        Self { slide: None, message: message.into() }
    }

    pub(crate) fn of_slide(slide: usize, message: impl Into<String>) -> Self {
        Self { slide: Some(slide), message: message.into() }
    }
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.slide {
            Some(slide) => write!(f, "slide {slide}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Finding out what the file is.
    Looking,
    /// LibreOffice is at work; how far it is, nobody knows.
    Converting,
    /// Somebody writes for slides without notes.
    Writing {
        done: usize,
        of: usize,
    },
    Drawing {
        done: usize,
        of: usize,
    },
    /// Slides that come in steps, step by step.
    Stepping {
        done: usize,
        of: usize,
    },
    /// Texts and pictures become clips.
    TakingApart {
        done: usize,
        of: usize,
    },
}

impl Progress {
    /// 0 to 100; never falls within one import.
    pub fn percent(self) -> f64 {
        match self {
            Self::Looking => 1.0,
            Self::Converting => 5.0,
            Self::Writing { done, of } => 5.0 + 25.0 * done as f64 / of.max(1) as f64,
            Self::Drawing { done, of } => 30.0 + 40.0 * done as f64 / of.max(1) as f64,
            Self::TakingApart { done, of } => 70.0 + 20.0 * done as f64 / of.max(1) as f64,
            Self::Stepping { done, of } => 90.0 + 10.0 * done as f64 / of.max(1) as f64,
        }
    }
}

/// Told now and then how far it is; says whether to go on. Also asked while nothing moves, several times a second.
pub type Watch<'a> = dyn Fn(Progress) -> ControlFlow<()> + 'a;
