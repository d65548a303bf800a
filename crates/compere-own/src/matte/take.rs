//! The mattes of a take, picture by picture, each with a look at its neighbours.

use std::collections::VecDeque;

use compere_media::{Frame, Rect, math};

use super::calm::{AROUND, KEY, Moment, calmed};
use super::fine::{Fine, fine};
use super::half::Half;
use super::key::keyed;
use super::plane::means;
use super::screen::{Screen, Survey};
use super::{Cut, LARGEST, MORE, Matte, QUALITY, Seen, Trust, placed};
use crate::error::OwnError;
use crate::footage::Footage;
use crate::jpeg::planes_to_jpeg;
use crate::track::{CELLS, Segmenter};

/// Every so many pictures somebody is looked for, in pictures of this longer side.
const LOOKED: usize = 10;
const SMALL: u32 = 640;
/// Pictures before and behind over which the network's answers are steadied, and how much.
const NEAR: usize = 2;
const STEADY: f32 = 1.0;
/// A cell that the network is not sure of.
const UNSURE: [f32; 2] = [0.15, 0.85];

/// The mattes of a take, how well they could be told, and what of its pictures is the person. None where nobody is seen.
pub(crate) fn of_take(footage: &Footage, segmenter: &Segmenter) -> Result<(Option<(Matte, Cut)>, Trust), OwnError> {
    let size = footage.size_within(LARGEST);
    let bounds = Rect::of_size(size.0, size.1);
    let (mut looks, mut survey) = (Vec::new(), Survey::default());
    let mut count = 0;
    footage.play(footage.size_within(SMALL), &mut |frame| {
        if count % LOOKED == 0 {
            let cells = segmenter.look(frame, frame.bounds()).map_err(OwnError::machine)?;
            survey.add(frame, &cells);
            looks.push(cells);
        }
        count += 1;
        Ok(())
    })?;
    let Some(part) = placed(looks.iter(), bounds) else { return Ok((None, Trust::default())) };
    let screen = survey.screen();
    let mut going = Going::new(segmenter, part, screen);
    footage.play(size, &mut |frame| going.add(frame))?;
    let (done, tally) = going.ended()?;
    let by = f64::from(footage.width) / f64::from(size.0);
    let Cut { left, right, top } = tally.seen.cut([part.x0, part.y0]);
    let seen = Cut { left: left * by, right: right * by, top: top * by };
    let trust = tally.trust(part, bounds, screen);
    Ok((Some((Matte { size, rect: part, pictures: done, wall: screen.map(|screen| screen.colour) }, seen)), trust))
}

/// Things in a row, of which each is looked at with its neighbours.
struct Row<T> {
    items: VecDeque<T>,
    /// Which of them is next.
    next: usize,
}

impl<T> Default for Row<T> {
    fn default() -> Self {
        Self { items: VecDeque::new(), next: 0 }
    }
}

impl<T> Row<T> {
    /// The next with its neighbours, once they are there; at the end there are fewer.
    fn ready(&self, reach: usize, ended: bool) -> Option<(Vec<&T>, usize)> {
        let there = self.next < self.items.len() && (ended || self.next + reach < self.items.len());
        let first = self.next.saturating_sub(reach);
        there.then(|| (self.items.iter().skip(first).take(self.next + reach + 1 - first).collect(), self.next - first))
    }

    fn step(&mut self, reach: usize) {
        self.next += 1;
        if self.next > reach {
            self.items.pop_front();
            self.next -= 1;
        }
    }
}

/// A take that is being looked at: a part of its pictures.
pub(super) struct Going<'a> {
    segmenter: &'a Segmenter,
    part: Rect,
    /// What is keyed.
    screen: Option<Screen>,
    /// Pictures and what the network says of them.
    looks: Row<(Frame, Vec<f32>)>,
    moments: Row<Moment>,
    tally: Tally,
    done: Vec<Vec<u8>>,
}

impl<'a> Going<'a> {
    pub(super) fn new(segmenter: &'a Segmenter, part: Rect, screen: Option<Screen>) -> Self {
        let (looks, moments) = (Row::default(), Row::default());
        Self { segmenter, part, screen, looks, moments, tally: Tally::default(), done: Vec::new() }
    }

    /// The next picture.
    pub(super) fn add(&mut self, frame: &Frame) -> Result<(), OwnError> {
        let frame = cropped(frame, self.part);
        let cells = self.segmenter.look(&frame, frame.bounds()).map_err(OwnError::machine)?;
        self.looks.items.push_back((frame, cells));
        self.go_on(false)
    }

    /// The mattes of all pictures of the part, and what was seen.
    pub(super) fn ended(mut self) -> Result<(Vec<Vec<u8>>, Tally), OwnError> {
        self.go_on(true)?;
        Ok((self.done, self.tally))
    }

    fn go_on(&mut self, ended: bool) -> Result<(), OwnError> {
        while let Some((near, middle)) = self.looks.ready(NEAR, ended) {
            let (frame, cells) = (&near[middle].0, steadied(&near, middle));
            let found = found(frame, &cells, self.screen.as_ref());
            self.tally.add(&cells, &found);
            let looks = looks(frame, self.screen.is_some().then_some(&found.alpha));
            self.moments.items.push_back(Moment { looks, alpha: found.alpha, width: frame.width() as usize });
            self.looks.step(NEAR);
            self.settle(false)?;
        }
        if ended { self.settle(true) } else { Ok(()) }
    }

    fn settle(&mut self, ended: bool) -> Result<(), OwnError> {
        while let Some((near, middle)) = self.moments.ready(AROUND, ended) {
            let (alpha, width) = (calmed(&near, middle), near[middle].width);
            self.done.push(planes_to_jpeg(&alpha, width, alpha.len() / width, QUALITY)?);
            self.moments.step(AROUND);
        }
        Ok(())
    }
}

/// What the network says of a picture and its neighbours.
fn steadied(near: &[&(Frame, Vec<f32>)], middle: usize) -> Vec<f32> {
    let weight = |n: usize| {
        let off = n.abs_diff(middle) as f32 / STEADY;
        math::expf(-0.5 * off * off)
    };
    let all: f32 = (0..near.len()).map(weight).sum();
    let mut out = vec![0.0; near[middle].1.len()];
    for (n, (_, cells)) in near.iter().enumerate() {
        let part = weight(n) / all;
        out.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += part * cell);
    }
    out
}

/// How much of every pixel is the person: by the colour of a screen where there is one.
pub(super) fn found(frame: &Frame, cells: &[f32], screen: Option<&Screen>) -> Fine {
    let half = Half::of(frame, cells);
    screen.map_or_else(|| fine(frame, &half), |screen| keyed(frame, &half, screen))
}

/// Brightness around every pixel, and what the key says where there is one: a screen may be as bright as who stands before it.
fn looks(frame: &Frame, key: Option<&Vec<u8>>) -> Vec<[f32; 2]> {
    let keyed = |n: usize| key.map_or(0.0, |key| KEY * f32::from(key[n]));
    let plane: Vec<[f32; 2]> = frame.y().iter().enumerate().map(|(n, &y)| [f32::from(y), keyed(n)]).collect();
    means(&plane, [frame.width() as usize, frame.height() as usize], 1)
}

/// A part of a frame, on even coordinates.
pub(super) fn cropped(frame: &Frame, part: Rect) -> Frame {
    let mut out = Frame::new(part.width(), part.height());
    let (y, u, v) = out.planes_mut();
    for (to, from, step) in [(y, frame.y(), 1), (u, frame.u(), 2), (v, frame.v(), 2)] {
        let (wide, left, top) = (frame.width() as usize / step, part.x0 as usize / step, part.y0 as usize / step);
        for (row, to) in to.chunks_exact_mut(part.width() as usize / step).enumerate() {
            let at = (top + row) * wide + left;
            to.copy_from_slice(&from[at..at + to.len()]);
        }
    }
    out
}

/// What was seen of a person over a take.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pictures: f64,
    person: f64,
    unsure: f64,
    edge: f64,
    apart: f64,
    /// Part of the first row, and of both outermost columns in the upper half, that is the person.
    above: f64,
    beside: f64,
    pub(super) seen: Seen,
}

impl Tally {
    pub(super) fn add(&mut self, cells: &[f32], found: &Fine) {
        let is_person = |n: usize| cells[n] > MORE;
        self.pictures += 1.0;
        self.apart += f64::from(found.apart);
        for n in 0..cells.len() {
            self.person += f64::from(u8::from(is_person(n)));
            self.unsure += f64::from(u8::from((UNSURE[0]..UNSURE[1]).contains(&cells[n])));
            let (right, below) = ((n + 1) % CELLS > 0, n + CELLS < cells.len());
            let edge = (right && is_person(n) != is_person(n + 1)) || (below && is_person(n) != is_person(n + CELLS));
            self.edge += f64::from(u8::from(edge));
        }
        let share = |of: &mut dyn Iterator<Item = usize>| of.filter(|&n| is_person(n)).count() as f64 / CELLS as f64;
        self.above += share(&mut (0..CELLS));
        self.beside += share(&mut (0..CELLS / 2).flat_map(|row| [row * CELLS, row * CELLS + CELLS - 1]));
        self.seen.add(&found.alpha, found.width);
    }

    /// Of pictures of which `part` was looked at.
    pub(super) fn trust(&self, part: Rect, whole: Rect, screen: Option<Screen>) -> Trust {
        let pictures = self.pictures.max(1.0);
        let shown =
            f64::from(part.width()) * f64::from(part.height()) / (f64::from(whole.width()) * f64::from(whole.height()));
        let above = part.y0 == whole.y0 && self.above / pictures > 0.04;
        let beside = (part.x0 == whole.x0 || part.x1 == whole.x1) && self.beside / pictures > 0.12;
        Trust {
            share: self.person / pictures / (CELLS * CELLS) as f64 * shown,
            vague: self.unsure / self.edge.max(1.0),
            alike: 1.0 - self.apart / pictures,
            cropped: above || beside,
            screen: screen.map(|screen| screen.hue),
        }
    }
}
