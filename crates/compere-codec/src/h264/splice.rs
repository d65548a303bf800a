//! Pictures put together from pieces: regions that move, each with an encoder of its own, and the still rest.
//!
//! A key frame is the regions' and the rest's intra slices in raster order. A predicted frame is the regions' slices
//! where they were damaged and skip runs everywhere else. No slice is predicted across its border, no vector
//! leaves its region (see [`super::layout`]), so a decoder of the whole picture arrives at the same pixels as the
//! region's encoder.
//!
//! What holds the proof together on x264's side: a macroblock marked constant is coded as a skip with zero vector
//! only while its quantiser is not finer than it was in the key frame, and while deblocking has not touched it.
//! Otherwise x264 searches it like any other, and its vector may leave the region. Regions therefore use fixed
//! quantisers and no deblocking, and nothing is marked in a key frame.

use compere_media::{Damage, Frame, Rect};

use super::bits::nals;
use super::ffi::{Plane, X264};
use super::layout::{Layout, spans};
use super::picture::Picture;
use super::{EncodeError, Settings, mark_constant};

/// One way of cutting the picture, and the encoders for it.
#[derive(Debug)]
pub(super) struct Splice {
    settings: Settings,
    layout: Layout,
    regions: Vec<Region>,
    still: Vec<Still>,
}

#[derive(Debug)]
struct Region {
    rect: Rect,
    x264: X264,
    /// Quantisers of key frames and predicted frames.
    qp: (u8, u8),
}

/// A piece that does not move. Its intra slices are kept: the next key frame shows them again.
#[derive(Debug)]
struct Still {
    rect: Rect,
    slices: Vec<Vec<u8>>,
}

impl Splice {
    /// Takes over from `old` the encoders and still pieces of rectangles that both have.
    pub(super) fn new(settings: Settings, layout: Layout, old: Option<Self>) -> Result<Self, EncodeError> {
        let (mut regions, mut still) = old.map_or_else(Default::default, |old| (old.regions, old.still));
        let regions = layout
            .regions
            .iter()
            .map(|&rect| match regions.iter().position(|region| region.rect == rect) {
                Some(at) => Ok(regions.swap_remove(at)),
                None => Region::open(&settings, rect),
            })
            .collect::<Result<_, _>>()?;
        let still = layout
            .still
            .iter()
            .map(|&rect| match still.iter().position(|piece| piece.rect == rect) {
                Some(at) => still.swap_remove(at),
                None => Still { rect, slices: Vec::new() },
            })
            .collect();
        Ok(Self { settings, layout, regions, still })
    }

    pub(super) fn covers(&self, damage: &Damage) -> bool {
        self.layout.covers(damage)
    }

    /// Codes a key frame. `damage` says which still pieces have to be coded anew.
    pub(super) fn key(&mut self, frame: &Frame, damage: &Damage, picture: &mut Picture<'_>) -> Result<(), EncodeError> {
        for piece in &mut self.still {
            let touched = damage.rects().iter().any(|rect| !rect.intersect(piece.rect).is_empty());
            if touched || piece.slices.is_empty() {
                piece.encode(&self.settings, frame)?;
            }
        }
        let mut placed = Vec::new();
        for piece in &self.still {
            place(piece.rect, piece.slices.iter().map(Vec::as_slice), picture, &mut placed);
        }
        for region in &mut self.regions {
            let rect = region.rect;
            let slices = region.encode(frame, None)?;
            place(rect, slices.into_iter(), picture, &mut placed);
        }
        write(placed, picture);
        Ok(())
    }

    /// Codes a frame whose damage the layout covers.
    pub(super) fn predicted(
        &mut self,
        frame: &Frame,
        damage: &Damage,
        picture: &mut Picture<'_>,
    ) -> Result<(), EncodeError> {
        let mut placed = Vec::new();
        for region in &mut self.regions {
            let damage = damage.aligned(16).clipped(region.rect);
            if damage.is_empty() {
                continue;
            }
            let rect = region.rect;
            let mut rows = Vec::new();
            place(rect, region.encode(frame, Some(&damage))?.into_iter(), picture, &mut rows);
            let moves = |at: &usize| {
                let y = rect.y0 + 16 * *at as i32;
                damage.rects().iter().any(|rect| rect.y0 <= y && y < rect.y1)
            };
            placed.extend(rows.into_iter().enumerate().filter(|(at, _)| moves(at)).map(|(_, slice)| slice));
        }
        write(placed, picture);
        Ok(())
    }
}

impl Region {
    fn open(settings: &Settings, rect: Rect) -> Result<Self, EncodeError> {
        let shown = rect.intersect(Rect::of_size(settings.width, settings.height));
        let config = settings.region(shown.width(), shown.height())?;
        let qp = (config.qp_i as u8, config.qp_p as u8);
        Ok(Self { rect, x264: X264::open(config)?, qp })
    }

    /// Slices row by row: of a key frame without `damage`, of a predicted frame with it.
    fn encode(&mut self, frame: &Frame, damage: Option<&Damage>) -> Result<Vec<&[u8]>, EncodeError> {
        let (key_qp, qp) = self.qp;
        match damage {
            Some(damage) => {
                let inside = damage.shifted(-self.rect.x0, -self.rect.y0);
                mark_constant(self.x264.mb_info(), self.rect.width(), &inside);
            }
            None => self.x264.mb_info().fill(0),
        }
        let qp = if damage.is_some() { qp } else { key_qp };
        let bytes = self.x264.encode(planes(frame, self.rect), damage.is_none(), qp)?;
        let slices: Vec<_> = nals(bytes).collect();
        if slices.len() as u32 != self.rect.height() / 16 {
            return Err(EncodeError::Library("it did not code one slice per macroblock row".to_owned()));
        }
        Ok(slices)
    }
}

impl Still {
    fn encode(&mut self, settings: &Settings, frame: &Frame) -> Result<(), EncodeError> {
        let whole = frame.bounds();
        let shown = self.rect.intersect(whole);
        let config = settings.still(shown.width(), shown.height(), spans(shown, whole))?;
        let mut x264 = X264::open(config)?;
        let bytes = x264.encode(planes(frame, self.rect), true, config.qp_i as u8)?;
        self.slices = nals(bytes).map(<[u8]>::to_vec).collect();
        Ok(())
    }
}

/// A slice and where it goes: first macroblock and how many.
type Placed<'a> = (u32, u32, &'a [u8]);

/// Gives the slices of a piece, one per row or one in all, their places in the picture.
fn place<'a>(
    rect: Rect,
    slices: impl ExactSizeIterator<Item = &'a [u8]>,
    picture: &Picture<'_>,
    out: &mut Vec<Placed<'a>>,
) {
    let (x, y) = (rect.x0 as u32 / 16, rect.y0 as u32 / 16);
    let count = rect.width() / 16 * (rect.height() / 16) / slices.len().max(1) as u32;
    let columns = picture.grid.columns;
    out.extend(slices.zip(y..).map(|(slice, row)| (row * columns + x, count, slice)));
}

fn write(mut placed: Vec<Placed<'_>>, picture: &mut Picture<'_>) {
    placed.sort_unstable_by_key(|&(first_mb, ..)| first_mb);
    for (first_mb, count, nal) in placed {
        picture.slice(nal, first_mb, count);
    }
    picture.finish();
}

/// The part of a frame inside `rect`.
pub(super) fn planes(frame: &Frame, rect: Rect) -> [Plane<'_>; 3] {
    let stride = frame.width() as usize;
    let (x, y) = (rect.x0 as usize, rect.y0 as usize);
    let half = y / 2 * (stride / 2) + x / 2;
    [
        Plane { bytes: &frame.y()[y * stride + x..], stride },
        Plane { bytes: &frame.u()[half..], stride: stride / 2 },
        Plane { bytes: &frame.v()[half..], stride: stride / 2 },
    ]
}
