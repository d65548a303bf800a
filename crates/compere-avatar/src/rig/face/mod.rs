//! The face that deforms: a textured mesh, two eyeballs, teeth, tongue and lashes, without any light of its own.
//!
//! Skin takes its colour from pictures of itself, shaded once: one in the neutral pose, exact where it shows, and one
//! with lids closed and lips parted for what the neutral pose hides. What neither shows has a colour per vertex. The first
//! is mixed with one of itself in the light of a smile, whose folds are finer than the mesh; other creases are lit by how
//! much a deformed normal turns from its baked one.
//!
//! A baked face has no third dimension left but depth: see [`crate::rig::raster::flat`]. `paint.rs` is what draws it.

mod cheeks;
pub(crate) mod coarse;
mod hollow;
mod lids;
pub(crate) mod paint;
mod seam;

use crate::rig::raster::deep::{Canvas, FOLD, SKIN};
use compere_media::{Pixmap, Rect};

use crate::keep::{Keep, keep};
use crate::rig::ground::v3::V3;
use crate::rig::raster::canvas::{SLIVER, depth, scan, sweep, twice_area};
use crate::rig::raster::flat::{Flat, Spot};
use std::sync::Arc;

/// Where a skin triangle takes its colour from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Neutral = 0,
    Unfolded = 1,
    Vertices = 2,
}

#[derive(Clone)]
pub(crate) struct Skin {
    pub(crate) flat: Flat,
    /// For each triangle.
    pub(crate) pages: Vec<Page>,
    /// Triangles without any transparency.
    pub(crate) solid: Vec<bool>,
    /// Where the vertices are on the two sheets, in 1/256 pixel.
    pub(crate) at: [Vec<[f32; 2]>; 2],
    pub(crate) colors: Vec<[u8; 3]>,
    pub(crate) alpha: Vec<f32>,
}

/// An eyeball never moves, only what is seen in it: one entry per pixel of `rect`.
#[derive(Clone)]
pub(crate) struct Eyeball {
    pub(crate) rect: Rect,
    pub(crate) pixels: Vec<EyePixel>,
    /// Linear colour by direction, `IRIS` squared, x to the right and y down.
    pub(crate) iris: Vec<V3>,
}

/// `depth` beyond everything where there is no eye.
#[derive(Clone, Copy)]
pub(crate) struct EyePixel {
    pub(crate) depth: f32,
    pub(crate) normal: V3,
    pub(crate) light: V3,
    pub(crate) glint: V3,
}

pub(crate) const IRIS: usize = 192;

/// Teeth or the tongue.
#[derive(Clone)]
pub(crate) struct Inner {
    pub(crate) flat: Flat,
    pub(crate) normals: Vec<V3>,
    pub(crate) rest: Vec<V3>,
    /// Lowest, highest, row; row 0 is the tongue.
    pub(crate) row: V3,
}

#[derive(Clone)]
pub(crate) struct Lashes {
    pub(crate) flat: Flat,
    pub(crate) color: [u8; 3],
}

/// What is painted anew when the face moves, in pixels of `rect`.
#[derive(Clone)]
pub(crate) struct FaceRig {
    /// On the plate; its corner lies on the corner of a tile.
    pub(crate) rect: Rect,
    pub(crate) skin: Skin,
    pub(crate) sheets: [Pixmap; 2],
    /// The first sheet in the light of a face that smiles as much as it can.
    pub(crate) smiling: Pixmap,
    /// Skin that no channel moves.
    pub(crate) still: Pixmap,
    pub(crate) still_depth: Vec<f32>,
    pub(crate) eyes: Vec<Eyeball>,
    pub(crate) inner: Vec<Inner>,
    pub(crate) lashes: Lashes,
    /// Hair in front of the face.
    pub(crate) hair: Pixmap,
    /// How far eyes are turned outwards, in radians: irises stand nearer to the middle of the opening than of the ball.
    pub(crate) apart: f32,
}

keep!(Skin { flat, pages, solid, at, colors, alpha });
keep!(Eyeball { rect, pixels, iris });
keep!(EyePixel { depth, normal, light, glint });
keep!(Inner { flat, normals, rest, row });
keep!(Lashes { flat, color });
keep!(FaceRig { rect, skin, sheets, smiling, still, still_depth, eyes, inner, lashes, hair, apart });

impl Keep for Page {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u8).put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let number = u8::take(bytes)?;
        [Self::Neutral, Self::Unfolded, Self::Vertices].into_iter().find(|page| *page as u8 == number)
    }
}

impl Skin {
    /// Paints one triangle if it looks at the camera.
    #[inline(always)]
    pub(crate) fn draw(&self, canvas: &mut Canvas, sheets: &[Pixmap; 2], [a, b, c]: [Spot; 3], triangle: usize) {
        let t = self.flat.triangles[triangle].map(|v| v as usize);
        // The picture's y points down, so front faces run the other way round.
        let (t, corners) = ([t[0], t[2], t[1]], [a, c, b]);
        let page = self.pages[triangle];
        if !self.solid[triangle] || twice_area(corners) < SLIVER {
            self.draw_slowly(canvas, sheets, corners, t, triangle);
            return;
        }
        if page == Page::Vertices {
            self.draw_fold(canvas, corners, t);
            return;
        }
        let at = &self.at[page as usize];
        let (across, down) = (t.map(|v| at[v][0]), t.map(|v| at[v][1]));
        let (sheet, size) = (&sheets[page as usize], canvas.size);
        if corners.iter().all(|spot| spot[3] == 256) {
            sweep(corners, size, [across, down], |seen| {
                let [x, y] = seen.values;
                canvas.cover(seen.cell, seen.depth, SKIN, || crate::puppet::bilinear(sheet, x, y));
            });
        } else {
            let light = corners.map(|spot| spot[3] as f32);
            sweep(corners, size, [across, down, light], |seen| {
                let [x, y, light] = seen.values;
                canvas.cover(seen.cell, seen.depth, SKIN, || lit(crate::puppet::bilinear(sheet, x, y), light));
            });
        }
    }

    /// Colours by vertex.
    fn draw_fold(&self, canvas: &mut Canvas, corners: [Spot; 3], t: [usize; 3]) {
        let [r, g, b] = [0, 1, 2].map(|k| t.map(|v| f32::from(self.colors[v][k])));
        let light = corners.map(|spot| spot[3] as f32);
        sweep(corners, canvas.size, [r, g, b, light], |seen| {
            let [r, g, b, light] = seen.values;
            canvas.cover(seen.cell, seen.depth, FOLD, || lit([r as u8, g as u8, b as u8, 255], light));
        });
    }

    /// For what is seldom: slivers, and edges that fade.
    fn draw_slowly(
        &self,
        canvas: &mut Canvas,
        sheets: &[Pixmap; 2],
        corners: [Spot; 3],
        t: [usize; 3],
        triangle: usize,
    ) {
        let width = canvas.size[0] as usize;
        let page = self.pages[triangle];
        let (cells, colors, parts) = (&mut canvas.depth, &mut canvas.color, &mut canvas.part);
        let (light, alpha) = (Slope::new(corners.map(|spot| spot[3] as f32)), Slope::new(t.map(|v| self.alpha[v])));
        scan::<4>(corners, canvas.size, |x, y, w| {
            let cell = y * width + x;
            let z = depth(corners, w);
            if z >= cells[cell] {
                return;
            }
            cells[cell] = z;
            parts[cell] = if page == Page::Vertices { FOLD } else { SKIN };
            let color = if page == Page::Vertices {
                let c = |k: usize| (0..3).map(|i| f32::from(self.colors[t[i]][k]) * w[i]).sum::<f32>() as u8;
                [c(0), c(1), c(2), 255]
            } else {
                let at = t.map(|v| self.at[page as usize][v]);
                let [x, y] = [0, 1].map(|k| Slope::new(at.map(|at| at[k])).at(w) as i32);
                crate::puppet::bilinear(&sheets[page as usize], x, y)
            };
            let color = lit(color, light.at(w) as i32);
            colors[cell] = if self.solid[triangle] {
                color
            } else {
                let alpha = (alpha.at(w) * 256.0).clamp(0.0, 256.0) as i32;
                color.map(|c| ((i32::from(c) * alpha) >> 8) as u8)
            };
        });
    }

    /// Only the triangles that are wanted.
    pub(crate) fn only(&self, wanted: impl Fn(usize) -> bool) -> Self {
        fn chosen<T: Copy>(all: &[T], wanted: impl Fn(usize) -> bool) -> Vec<T> {
            all.iter().enumerate().filter(|(at, _)| wanted(*at)).map(|(_, v)| *v).collect()
        }
        fn of<T: Copy>(all: &[T], kept: &[u32]) -> Vec<T> {
            kept.iter().map(|&v| all[v as usize]).collect()
        }
        let (pages, solid) = (chosen(&self.pages, &wanted), chosen(&self.solid, &wanted));
        let (flat, kept) = self.flat.only(wanted);
        Self {
            flat,
            pages,
            solid,
            at: [of(&self.at[0], &kept), of(&self.at[1], &kept)],
            colors: of(&self.colors, &kept),
            alpha: of(&self.alpha, &kept),
        }
    }

    /// Triangles that show something of a part of the first sheet.
    pub(crate) fn shows(&self, part: Rect) -> Vec<u32> {
        let shows = |at: usize| {
            let spots = self.flat.triangles[at].map(|v| self.at[0][v as usize].map(|c| c as i32 / 256));
            let around =
                spots.iter().fold(Rect::default(), |all, [x, y]| all.union(Rect::new(x - 1, y - 1, x + 2, y + 2)));
            self.pages[at] == Page::Neutral && !around.intersect(part).is_empty()
        };
        (0..self.pages.len() as u32).filter(|&at| shows(at as usize)).collect()
    }

    /// Cuts both sheets, and the first as it smiles, to what the triangles take from them.
    pub(crate) fn cut(&mut self, sheets: &[Pixmap; 2], smiling: &Pixmap) -> ([Pixmap; 2], Pixmap) {
        let wanted: [Rect; 2] = std::array::from_fn(|page| {
            let taken = self.flat.triangles.iter().zip(&self.pages).filter(|(_, p)| **p as usize == page);
            let rect = taken.flat_map(|(t, _)| t).fold(Rect::default(), |all, &v| {
                let [x, y] = self.at[page][v as usize].map(|c| c as i32 / 256);
                all.union(Rect::new(x - 2, y - 2, x + 4, y + 4))
            });
            rect.intersect(sheets[page].bounds())
        });
        for (at, rect) in self.at.iter_mut().zip(wanted) {
            at.iter_mut().for_each(|at| *at = [at[0] - (rect.x0 * 256) as f32, at[1] - (rect.y0 * 256) as f32]);
        }
        let cropped =
            |sheet: &Pixmap, rect: Rect| if rect.is_empty() { Pixmap::new(0, 0) } else { sheet.cropped(rect) };
        (std::array::from_fn(|page| cropped(&sheets[page], wanted[page])), cropped(smiling, wanted[0]))
    }
}

/// A value over a triangle, by its corners.
struct Slope {
    last: f32,
    first: f32,
    second: f32,
}

impl Slope {
    #[inline]
    fn new([a, b, c]: [f32; 3]) -> Self {
        Self { last: c, first: a - c, second: b - c }
    }

    #[inline]
    fn at(&self, w: [f32; 3]) -> f32 {
        self.last + self.first * w[0] + self.second * w[1]
    }
}

/// An opaque colour in other light, 256 being as it was. What skin keeps from skin is warm, not grey, and
/// so is a cheek that swells.
#[inline]
pub(crate) fn lit(color: [u8; 4], light: i32) -> [u8; 4] {
    let (shade, glow) = ((256 - light).max(0), (light - 256).max(0) >> 3);
    let scaled = |c: u8, light: i32| ((i32::from(c) * light) >> 8).min(255) as u8;
    [
        scaled(color[0], light + (shade >> 2) + glow),
        scaled(color[1], light - (shade >> 4)),
        scaled(color[2], light - (shade >> 3) - glow),
        color[3],
    ]
}

/// A face that performances share.
pub(crate) struct Shared(pub(crate) Arc<FaceRig>);

impl Keep for Shared {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        FaceRig::take(bytes).map(|rig| Self(Arc::new(rig)))
    }
}
