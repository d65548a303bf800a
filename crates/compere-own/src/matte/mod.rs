//! Cutting a person out of what is behind, without a green screen.
//!
//! A network says coarsely where the person is. At its edge colours decide, at the picture's own size ([`fine`]); before an even
//! green or blue wall ([`screen`]) that wall's colour does, everywhere near the person ([`key`]). Over a take the matte is
//! steadied where nothing changes ([`calm`]). Baking takes the background's colour out of the edge ([`colour`]), and the light of
//! a green or blue wall ([`spill`]).
//!
//! # Promises
//!
//! - Inside and outside, away from the edge, a matte is all or nothing.
//! - How well the person could be told is measured and said; nothing is cut silently where it could not.

mod calm;
mod colour;
mod fine;
mod half;
mod key;
mod plane;
mod screen;
mod spill;
mod take;
#[cfg(test)]
mod tests;

use compere_codec::image::frame_to_pixmap;
use compere_media::{Frame, Layer, Pixmap, Rect, words};
use serde::{Deserialize, Serialize};

use crate::build::{Face, Finding, Gate, Level};
use crate::error::OwnError;
use crate::jpeg::{planes_from_jpeg, planes_to_jpeg};
use crate::track::{CELLS, Segmenter};
use colour::cleaned;
use half::Colour;
use screen::{Hue, Survey};
use spill::despilled;
pub(crate) use take::of_take;

/// The longer side of pictures that mattes are made of.
const LARGEST: u32 = 1920;
const QUALITY: u8 = 92;
/// What compression makes of nothing and of all.
const TRACES: u8 = 6;
/// Less of the person is a hair that flies.
const TRACE_OF_SOMEBODY: u8 = 24;
/// A cell that is the person rather than not.
const MORE: f32 = 0.5;
/// Room around the person that is looked at, as a part of its longer side.
const ROOM: f32 = 0.12;
pub(crate) const ABOUT: &str = "the background";

words! {
    /// What becomes of what is behind a person.
    #[derive(Default)]
    pub enum Background {
        /// It stays as it was filmed.
        Keep = "keep",
        /// The person is cut out of it.
        Cut = "cut",
        /// The person is cut out where that can be done well.
        #[default]
        Auto = "auto",
    }
}

/// What of the footage is the person, in its pixels; down to its lower edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    pub left: f64,
    pub right: f64,
    pub top: f64,
}

/// How well a person could be told from the background.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Trust {
    /// Part of the picture that is the person.
    pub(crate) share: f64,
    /// Cells of the network, across its edge, in which it is not sure.
    pub(crate) vague: f64,
    /// Part of the edge at which both have the same colours.
    pub(crate) alike: f64,
    /// Whether the person leaves the picture above or at the sides of the head.
    pub(crate) cropped: bool,
    /// The wall that the person is keyed from by its colour.
    pub(crate) screen: Option<Hue>,
}

/// Both judged, on simulated people.
const VAGUE: Gate = Gate::above(3.5, 1.8);
const ALIKE: Gate = Gate::above(0.45, 0.2);
/// A smaller person is none.
const SHARE: f64 = 0.04;

impl Trust {
    /// What is to be said of it, if the person is to be cut out.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        if self.share < SHARE {
            let what = "no person is found before it".to_owned();
            return vec![Finding::refused(ABOUT, what, "film one person, from the chest up, before a plain wall")];
        }
        let mut findings = Vec::new();
        if let Some(hue) = self.screen {
            let what = format!("it is an even {hue} wall, and the person is keyed from it by its colour");
            findings.push(Finding::note(ABOUT, what, "wear nothing of that colour, and stand some steps away from it"));
        } else {
            let what = format!("the person's outline is vague, over {:.1} cells of the network", self.vague);
            let advice = "film before a plain wall, some steps away from it, with nothing of the person's shape behind";
            findings.extend(VAGUE.finding(self.vague, ABOUT, what, advice));
        }
        let what = format!("it has the person's colours along {:.0} % of the outline", self.alike * 100.0);
        findings.extend(ALIKE.finding(self.alike, ABOUT, what, "wear other colours, or film before another wall"));
        if self.cropped {
            let what = "the head leaves the picture".to_owned();
            let advice = "leave room above the hair: a person who is cut out ends where the picture ends";
            findings.push(Finding { level: Level::Warning, ..Finding::refused(ABOUT, what, advice) });
        }
        findings
    }
}

impl Background {
    /// Whether a person who could be told so well is cut out, and what is said about it. Who must be cut out and cannot be is
    /// refused; who may be is kept where they were filmed.
    pub(crate) fn decided(self, trust: &Trust) -> (bool, Vec<Finding>) {
        let found = trust.findings();
        let refused = found.iter().any(|finding| finding.level == Level::Refused);
        match self {
            Self::Keep => (false, Vec::new()),
            Self::Auto if refused => {
                let stays = |finding: Finding| Finding {
                    level: Level::Warning,
                    what: format!("{}, and it stays", finding.what),
                    ..finding
                };
                (false, found.into_iter().filter(|one| one.level == Level::Refused).map(stays).collect())
            }
            Self::Cut | Self::Auto => (!refused, found),
        }
    }
}

/// The mattes of a take, or of one picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matte {
    /// Of the pictures that they were made of.
    size: (u32, u32),
    /// The part of those that they cover; beyond there is nobody.
    rect: Rect,
    pictures: Vec<Vec<u8>>,
    /// The colour of the green or blue wall that they were keyed from.
    wall: Option<Colour>,
}

impl Matte {
    /// Of one picture, and of all of it.
    pub(crate) fn of_whole(alpha: &[u8], size: (u32, u32)) -> Result<Self, OwnError> {
        let picture = planes_to_jpeg(alpha, size.0 as usize, size.1 as usize, QUALITY)?;
        Ok(Self { size, rect: Rect::of_size(size.0, size.1), pictures: vec![picture], wall: None })
    }

    /// The same, keyed from a wall of that colour.
    fn before(self, wall: Option<Colour>) -> Self {
        Self { wall, ..self }
    }

    /// Takes what is behind out of the colours of a picture whose matte is `alpha`: of half-covered pixels all of it, and the light
    /// that a green or blue wall throws.
    pub(crate) fn clean(&self, frame: &mut Frame, alpha: &[u8]) {
        let Some(wall) = &self.wall else { return cleaned(frame, alpha, false) };
        despilled(frame, alpha, wall, false);
        cleaned(frame, alpha, true);
        despilled(frame, alpha, wall, true);
    }

    /// The matte of a moment, of `part` of a picture that is `to` large.
    pub(crate) fn alpha(&self, moment: usize, to: (u32, u32), part: Rect) -> Result<Vec<u8>, OwnError> {
        let picture = &self.pictures[moment.min(self.pictures.len() - 1)];
        let mut alpha = planes_from_jpeg(picture, self.rect.width() as usize, self.rect.height() as usize)?;
        alpha.iter_mut().for_each(|alpha| *alpha = without_traces(*alpha));
        Ok(plane::resized(&alpha, self.rect, self.size, to, part))
    }

    pub(crate) fn pictures(&self) -> usize {
        self.pictures.len()
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let sides = [self.rect.x0, self.rect.y0, self.rect.x1, self.rect.y1].map(|side| side as u32);
        for n in [self.size.0, self.size.1].into_iter().chain(sides).chain([self.pictures.len() as u32]) {
            out.extend(n.to_le_bytes());
        }
        for picture in &self.pictures {
            out.extend((picture.len() as u32).to_le_bytes());
            out.extend_from_slice(picture);
        }
        self.wall.iter().flatten().for_each(|level| out.extend(level.to_le_bytes()));
        out
    }

    pub(crate) fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut number = || Some(u32::from_le_bytes(bytes.split_off(..4)?.try_into().ok()?));
        let size = (number()?, number()?);
        let mut side = || number().and_then(|side| i32::try_from(side).ok());
        let rect = Rect::new(side()?, side()?, side()?, side()?);
        let count = number()?;
        let picture = |_| {
            let len = u32::from_le_bytes(bytes.split_off(..4)?.try_into().ok()?) as usize;
            Some(bytes.split_off(..len)?.to_vec())
        };
        let pictures: Vec<Vec<u8>> = (0..count).map(picture).collect::<Option<_>>()?;
        // Those that were written before walls were keyed end here.
        let mut level = || Some(f32::from_le_bytes(bytes.split_off(..4)?.try_into().ok()?));
        let wall = level().and_then(|y| Some([y, level()?, level()?]));
        let whole = !pictures.is_empty() && !rect.is_empty() && Rect::of_size(size.0, size.1).contains(rect);
        whole.then_some(Self { size, rect, pictures, wall })
    }
}

/// Somebody who is cut out: the mattes, and what of the pictures is the person.
pub(crate) type CutOut = (Matte, Cut);

pub(crate) fn without_traces(alpha: u8) -> u8 {
    match alpha {
        0..=TRACES => 0,
        alpha if alpha >= 255 - TRACES => 255,
        alpha => alpha,
    }
}

/// A single picture: its matte, how well it could be told, and what of it is the person.
pub(crate) fn of_picture(frame: &Frame, segmenter: &Segmenter) -> Result<(CutOut, Trust), OwnError> {
    let bounds = frame.bounds();
    let cells = segmenter.look(frame, bounds).map_err(OwnError::machine)?;
    let mut survey = Survey::default();
    survey.add(frame, &cells);
    let screen = survey.screen();
    let part = placed([&cells].into_iter(), bounds).unwrap_or(bounds);
    let near = take::cropped(frame, part);
    let cells = segmenter.look(&near, near.bounds()).map_err(OwnError::machine)?;
    let mut tally = take::Tally::default();
    let found = take::found(&near, &cells, screen.as_ref());
    tally.add(&cells, &found);
    let width = frame.width() as usize;
    let mut alpha = vec![0; frame.y().len()];
    for (row, from) in found.alpha.chunks_exact(part.width() as usize).enumerate() {
        let at = (part.y0 as usize + row) * width + part.x0 as usize;
        alpha[at..at + from.len()].copy_from_slice(from);
    }
    let (trust, seen) = (tally.trust(part, bounds, screen), tally.seen.cut([part.x0, part.y0]));
    let matte = Matte::of_whole(&alpha, (frame.width(), frame.height()))?;
    Ok(((matte.before(screen.map(|screen| screen.colour)), seen), trust))
}

/// Where somebody is in pictures of a size, with room around; none where nobody is.
fn placed<'a>(looks: impl Iterator<Item = &'a Vec<f32>>, bounds: Rect) -> Option<Rect> {
    let (mut low, mut high) = ([CELLS; 2], [0; 2]);
    for cells in looks {
        for n in (0..cells.len()).filter(|&n| cells[n] > MORE) {
            for (axis, at) in [n % CELLS, n / CELLS].into_iter().enumerate() {
                low[axis] = low[axis].min(at);
                high[axis] = high[axis].max(at + 1);
            }
        }
    }
    (high[0] > low[0]).then_some(())?;
    let cell = [bounds.width() as f32 / CELLS as f32, bounds.height() as f32 / CELLS as f32];
    let side = |axis: usize, cells: usize| cells as f32 * cell[axis];
    let room = ROOM * side(0, high[0] - low[0]).max(side(1, high[1] - low[1]));
    let [x0, y0] = [0, 1].map(|axis| (side(axis, low[axis]) - room).floor() as i32);
    let [x1, y1] = [0, 1].map(|axis| (side(axis, high[axis]) + room).ceil() as i32);
    Some(Rect::new(x0, y0, x1, y1).aligned(2).intersect(bounds))
}

/// Lays a picture with its matte into a layer; without one it is opaque.
pub(crate) fn put(layer: &mut Layer, frame: &Frame, alpha: Option<&[u8]>) {
    match alpha {
        Some(alpha) => layer.put_planes_with_alpha(frame.y(), frame.u(), frame.v(), alpha),
        None => layer.put_planes(frame.y(), frame.u(), frame.v()),
    }
}

/// The same as a picture of its own.
pub(crate) fn pixmap(frame: &Frame, alpha: Option<&[u8]>) -> Pixmap {
    let whole = frame_to_pixmap(frame);
    let Some(alpha) = alpha else { return whole };
    let pixels = whole.data().iter().zip(alpha).map(|(&[r, g, b, _], &a)| [r, g, b, a]).collect();
    Pixmap::from_straight(frame.width(), frame.height(), pixels)
}

/// The first and the last column, and the first row, with something of the person.
#[derive(Debug)]
struct Seen {
    left: usize,
    right: usize,
    top: usize,
}

impl Default for Seen {
    fn default() -> Self {
        Self { left: usize::MAX, right: 0, top: usize::MAX }
    }
}

impl Seen {
    fn add(&mut self, alpha: &[u8], width: usize) {
        for n in (0..alpha.len()).filter(|&n| alpha[n] > TRACE_OF_SOMEBODY) {
            self.left = self.left.min(n % width);
            self.right = self.right.max(n % width + 1);
            self.top = self.top.min(n / width);
        }
    }

    /// In a picture of which the part from `corner` on was looked at.
    fn cut(&self, corner: [i32; 2]) -> Cut {
        let at = |corner: i32, place: usize| f64::from(corner) + place.min(1 << 16) as f64;
        Cut { left: at(corner[0], self.left), right: at(corner[0], self.right), top: at(corner[1], self.top) }
    }
}

impl Cut {
    /// What is of either.
    pub(crate) fn union(self, other: &Self) -> Self {
        Self { left: self.left.min(other.left), right: self.right.max(other.right), top: self.top.min(other.top) }
    }

    /// What of a matte is not nothing.
    pub(crate) fn around(alpha: &[u8], width: usize) -> Self {
        let mut seen = Seen::default();
        seen.add(alpha, width);
        seen.cut([0, 0])
    }

    /// Around the face at least, whatever was found.
    pub(crate) fn with(self, face: &Face, (width, height): (u32, u32)) -> Self {
        let reach = face.height * 0.6;
        Self {
            left: self.left.min(face.x - reach).max(0.0),
            right: self.right.max(face.x + reach).min(f64::from(width)),
            top: self.top.min(face.y - reach).clamp(0.0, f64::from(height)),
        }
    }
}
