//! The takes that films are made on, in the size of the film: pictures for any moment, and which parts never move.

use compere_media::{Frame, Rect};

use super::planes::{fill, grey};
use super::tripod::{BLOCK, Scenery, Sight};
use crate::error::OwnError;
use crate::footage::Footage;
use crate::jpeg::{planes_from_jpeg, planes_to_jpeg};
use crate::matte::{Matte, without_traces};

const QUALITY: u8 = 93;
/// Rectangles of what moves, at most.
const MOST: usize = 6;
/// A block stands still when its pixels stay as near as this to their first value, in grey levels on average.
const STILL: f32 = 3.0;

/// A take of which pictures are kept.
pub(crate) struct Reel<'a> {
    pub(crate) footage: &'a Footage,
    /// How many pictures it has.
    pub(crate) pictures: usize,
    /// Of somebody who is cut out: the mattes of its stretches.
    pub(crate) mattes: &'a [Matte],
}

impl Reel<'_> {
    fn alpha(&self, mut picture: usize, size: (u32, u32), part: Rect) -> Result<Option<(&Matte, Vec<u8>)>, OwnError> {
        let mut mattes = self.mattes.iter().peekable();
        while let Some(matte) = mattes.next() {
            if picture < matte.pictures() || mattes.peek().is_none() {
                return Ok(Some((matte, matte.alpha(picture, size, part)?)));
            }
            picture -= matte.pictures();
        }
        Ok(None)
    }
}

/// All pictures of some takes in one size.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pictures: Vec<Vec<u8>>,
    /// What changes from picture to picture; all else is as in `ground`.
    pub(crate) moving: Vec<Rect>,
    ground: Vec<u8>,
    /// Whether every picture has its matte below its colours.
    is_cut: bool,
}

impl Base {
    /// Decodes takes in a size and keeps `part` of them. `face` is what of that is ever stitched, which counts as moving. With
    /// mattes, what is behind the person is left out; without, it stands still as far as the camera did.
    pub(crate) fn of(reels: &[Reel<'_>], size: (u32, u32), part: Rect, face: Rect) -> Result<Self, OwnError> {
        let is_cut = reels.iter().any(|reel| !reel.mattes.is_empty());
        let mut scenery = None;
        if !is_cut {
            let mut sight = Sight::new(part, reels.first().map_or(0, |reel| reel.pictures));
            played(reels, size, &mut |_, _, frame| {
                sight.add(frame);
                Ok(())
            })?;
            scenery = Some(sight.settled(face));
        }
        let mut filling = Filling::new(part, scenery);
        let mut ends = vec![0; reels.len()];
        played(reels, size, &mut |n, picture, frame| {
            // A take that ends early shows its last picture.
            filling.repeat(reels[..n].iter().map(|reel| reel.pictures).sum());
            ends[n] += 1;
            filling.add(frame, reels[n].alpha(picture, size, part)?)
        })?;
        if ends.contains(&0) {
            return Err(OwnError::Footage("the base take holds no picture".to_owned()));
        }
        filling.repeat(reels.iter().map(|reel| reel.pictures).sum());
        Ok(filling.done(face))
    }

    #[cfg(test)]
    pub(super) fn blank_of(width: u32, height: u32) -> Self {
        Self { width, height, pictures: Vec::new(), moving: Vec::new(), ground: Vec::new(), is_cut: false }
    }

    /// A matte that [`Self::show`] fills, where there is one.
    pub(crate) fn blank(&self) -> Option<Vec<u8>> {
        self.is_cut.then(|| vec![0; self.width as usize * self.height as usize])
    }

    /// A picture as planes below each other.
    pub(crate) fn planes(&self, picture: usize) -> Result<Vec<u8>, OwnError> {
        let width = self.width as usize;
        planes_from_jpeg(&self.pictures[picture], width, self.ground.len() / width)
    }

    /// Makes `frame` and its matte what these planes show. Everything, or only what moves.
    pub(crate) fn show(&self, frame: &mut Frame, mut alpha: Option<&mut Vec<u8>>, planes: &[u8], whole: bool) {
        let (width, pixels) = (self.width as usize, self.width as usize * self.height as usize);
        let colours = pixels * 3 / 2;
        if whole {
            fill(frame, &self.ground[..colours], frame.bounds());
            alpha.iter_mut().for_each(|alpha| alpha.copy_from_slice(&self.ground[colours..]));
        }
        for &part in &self.moving {
            fill(frame, &planes[..colours], part);
            let Some(alpha) = alpha.as_deref_mut() else { continue };
            for row in part.y0 as usize..part.y1 as usize {
                let span = row * width + part.x0 as usize..row * width + part.x1 as usize;
                let from = &planes[colours..][span.clone()];
                alpha[span].iter_mut().zip(from).for_each(|(to, from)| *to = without_traces(*from));
            }
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let number = |out: &mut Vec<u8>, n: usize| out.extend((n as u32).to_le_bytes());
        let is_cut = usize::from(self.is_cut);
        for n in [self.width as usize, self.height as usize, self.pictures.len(), self.moving.len(), is_cut] {
            number(&mut out, n);
        }
        for rect in &self.moving {
            for side in [rect.x0, rect.y0, rect.x1, rect.y1] {
                number(&mut out, side as usize);
            }
        }
        out.extend_from_slice(&self.ground);
        for picture in &self.pictures {
            number(&mut out, picture.len());
            out.extend_from_slice(picture);
        }
        [blake3::hash(&out).as_bytes().as_slice(), &out].concat()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (hash, mut body) = bytes.split_at_checked(blake3::OUT_LEN)?;
        if blake3::hash(body).as_bytes() != hash {
            return None;
        }
        let number = |body: &mut &[u8]| Some(u32::from_le_bytes(body.split_off(..4)?.try_into().ok()?));
        let (width, height) = (number(&mut body)?, number(&mut body)?);
        let (pictures, moving, is_cut) = (number(&mut body)?, number(&mut body)?, number(&mut body)? == 1);
        let rect = |body: &mut &[u8]| {
            let mut side = || Some(number(body)? as i32);
            Some(Rect::new(side()?, side()?, side()?, side()?))
        };
        let moving: Option<Vec<Rect>> = (0..moving).map(|_| rect(&mut body)).collect();
        let (pixels, halves) = (width as usize * height as usize, if is_cut { 5 } else { 3 });
        let ground = body.split_off(..pixels * halves / 2)?.to_vec();
        let picture = |body: &mut &[u8]| {
            let len = u32::from_le_bytes(body.split_off(..4)?.try_into().ok()?) as usize;
            Some(body.split_off(..len)?.to_vec())
        };
        let pictures: Option<Vec<Vec<u8>>> = (0..pictures).map(|_| picture(&mut body)).collect();
        Some(Self { width, height, pictures: pictures?, moving: moving?, ground, is_cut })
    }
}

/// Hands out those pictures of takes that are kept, with the take's number and their own in it.
fn played(
    reels: &[Reel<'_>],
    size: (u32, u32),
    each: &mut dyn FnMut(usize, usize, &Frame) -> Result<(), OwnError>,
) -> Result<(), OwnError> {
    for (n, reel) in reels.iter().enumerate() {
        let mut picture = 0;
        reel.footage.play(size, &mut |frame| {
            picture += 1;
            if picture <= reel.pictures { each(n, picture - 1, frame) } else { Ok(()) }
        })?;
    }
    Ok(())
}

/// A base while its takes are decoded.
struct Filling {
    part: Rect,
    pictures: Vec<Vec<u8>>,
    ground: Vec<u8>,
    /// What stands still, of somebody who is not cut out.
    scenery: Option<Scenery>,
    /// What is seen of the first picture, and which blocks have looked otherwise since.
    first: Vec<Vec<u8>>,
    moved: Vec<bool>,
    is_cut: bool,
}

impl Filling {
    fn new(part: Rect, scenery: Option<Scenery>) -> Self {
        let (columns, rows) = ((part.width() as usize).div_ceil(BLOCK), (part.height() as usize).div_ceil(BLOCK));
        let moved = scenery.as_ref().map_or(vec![false; columns * rows], |scenery| scenery.moved.clone());
        let ground = scenery.as_ref().map_or(Vec::new(), |scenery| scenery.ground.clone());
        Self { part, pictures: Vec::new(), ground, scenery, first: Vec::new(), moved, is_cut: false }
    }

    /// Goes on with the last picture until there are so many.
    fn repeat(&mut self, pictures: usize) {
        if let Some(last) = self.pictures.last().cloned() {
            self.pictures.resize(self.pictures.len().max(pictures), last);
        }
    }

    fn add(&mut self, frame: &Frame, alpha: Option<(&Matte, Vec<u8>)>) -> Result<(), OwnError> {
        let (width, height) = (self.part.width() as usize, self.part.height() as usize);
        let mut grey = grey(frame, self.part);
        if let Some((matte, alpha)) = alpha {
            cut(&mut grey, self.part, matte, &alpha);
            self.is_cut = true;
        }
        match &self.scenery {
            Some(scenery) => scenery.lay(&mut grey),
            None => self.compare(&grey, [width, height]),
        }
        self.pictures.push(planes_to_jpeg(&grey, width, grey.len() / width, QUALITY)?);
        Ok(())
    }

    /// Notes which blocks look otherwise than in the first picture.
    fn compare(&mut self, grey: &[u8], [width, height]: [usize; 2]) {
        let seen = seen(grey, width * height);
        if self.ground.is_empty() {
            self.ground = grey.to_vec();
            self.first = seen;
            return;
        }
        for (seen, first) in seen.iter().zip(&self.first) {
            mark_moved(seen, first, width, height, &mut self.moved);
        }
    }

    fn done(mut self, face: Rect) -> Base {
        let (width, height) = (self.part.width(), self.part.height());
        let columns = (width as usize).div_ceil(BLOCK);
        for (n, moved) in self.moved.iter_mut().enumerate() {
            let (x, y) = ((n % columns * BLOCK) as i32, (n / columns * BLOCK) as i32);
            *moved |= !Rect::new(x, y, x + BLOCK as i32, y + BLOCK as i32).intersect(face).is_empty();
        }
        let moving = rects(&self.moved, columns, Rect::of_size(width, height));
        let Self { pictures, ground, is_cut, .. } = self;
        Base { width, height, pictures, moving, ground, is_cut }
    }
}

/// Leaves out of a picture what is behind the person, and puts the matte below its colours.
fn cut(grey: &mut Vec<u8>, part: Rect, matte: &Matte, alpha: &[u8]) {
    let mut frame = Frame::new(part.width(), part.height());
    let bounds = frame.bounds();
    fill(&mut frame, grey, bounds);
    matte.clean(&mut frame, alpha);
    *grey = self::grey(&frame, bounds);
    grey.extend_from_slice(alpha);
}

/// What is seen of a picture of somebody who is cut out: brightness, as far as the person is there, and where that is.
fn seen(grey: &[u8], pixels: usize) -> Vec<Vec<u8>> {
    let (luma, alpha) = (&grey[..pixels], &grey[pixels * 3 / 2..]);
    let part = |(luma, alpha): (&u8, &u8)| (u16::from(*luma) * u16::from(*alpha) / 255) as u8;
    vec![luma.iter().zip(alpha).map(part).collect(), alpha.to_vec()]
}

/// Looks at luma only: what changes its colour changes its brightness.
fn mark_moved(grey: &[u8], ground: &[u8], width: usize, height: usize, moved: &mut [bool]) {
    let columns = width.div_ceil(BLOCK);
    for (n, moved) in moved.iter_mut().enumerate().filter(|(_, moved)| !**moved) {
        let (left, top) = (n % columns * BLOCK, n / columns * BLOCK);
        let (right, bottom) = ((left + BLOCK).min(width), (top + BLOCK).min(height));
        let mut sum = 0u32;
        for row in top..bottom {
            let span = row * width + left..row * width + right;
            sum += grey[span.clone()].iter().zip(&ground[span]).map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>();
        }
        *moved = sum as f32 > STILL * ((right - left) * (bottom - top)) as f32;
    }
}

/// Rectangles around marked blocks: bands of rows, each as wide as its marks.
fn rects(moved: &[bool], columns: usize, limit: Rect) -> Vec<Rect> {
    let mut out: Vec<Rect> = Vec::new();
    for (row, marks) in moved.chunks_exact(columns).enumerate() {
        let Some(first) = marks.iter().position(|&moved| moved) else { continue };
        let last = marks.iter().rposition(|&moved| moved).unwrap_or(first);
        let side = BLOCK as i32;
        let (left, right) = (first as i32 * side, (last as i32 + 1) * side);
        let rect = Rect::new(left, row as i32 * side, right, (row as i32 + 1) * side).intersect(limit);
        match out.last_mut() {
            // Bands of nearly the same width are one.
            Some(band) if band.y1 == rect.y0 && (band.x0 - rect.x0).abs() + (band.x1 - rect.x1).abs() <= 4 * side => {
                *band = band.union(rect);
            }
            _ => out.push(rect),
        }
    }
    while out.len() > MOST {
        let more = |n: &usize| {
            let area = |rect: Rect| i64::from(rect.width()) * i64::from(rect.height());
            area(out[*n].union(out[*n + 1])) - area(out[*n]) - area(out[*n + 1])
        };
        let Some(least) = (0..out.len() - 1).min_by_key(more) else { break };
        let next = out.remove(least + 1);
        out[least] = out[least].union(next);
    }
    out
}

#[cfg(test)]
mod tests;
