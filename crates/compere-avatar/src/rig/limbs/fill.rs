//! Triangles of arms to a layer over the body.

use std::ops::Range;

use compere_media::kernel::{Level, Samples, Weave};
use compere_media::{Pixmap, Rect};

use super::paint::{FINE, Posed, Shadows};
use super::shadow::CELL;
use super::{CLOTH, Sleeves, WEAVE};
use crate::rig::ground::v3::{V3, mul};
use crate::rig::raster::canvas::{SLIVER, scan, set_up, twice_area};
use crate::rig::raster::flat::{DEPTH, Spot};

/// Rows of pixels painted at a time: few enough to stay near the processor.
const BAND: i32 = 16;
/// How much darker the inside of a sleeve is.
const LINING: f32 = 0.48;
/// Units of a spot along a pixel's side.
const UNIT: i32 = (16 * FINE) as i32;
/// Samples of a pixel.
const ALL: u32 = (FINE * FINE) as u32;
/// Steps between the middles of two cells of the ground, two to a pixel.
const FULL: usize = 2 * CELL;

/// Columns of pixels that are painted together where a triangle touches one of them: between two arms nothing need be.
const STRIP: usize = 16;

/// The triangles of some rows, and the strips of columns they touch.
#[derive(Clone)]
struct Bin {
    triangles: Vec<(u8, u32)>,
    touched: Vec<bool>,
}

impl Sleeves {
    /// Both arms in a pose, painted on a transparent `picture` of `rect`.
    pub(super) fn fill(&self, posed: &[Posed<'_>; 2], shadows: &Shadows, rect: Rect, picture: &mut Pixmap) {
        let bins = bins(posed, rect);
        let wide = rect.width() as usize * FINE;
        let brush = Brush { level: Level::best(), weave: Weave::new(&self.weave) };
        let mut samples = Samples::new(wide, BAND as usize * FINE);
        for (band, bin) in (0..).zip(&bins) {
            let top = band * BAND;
            let rows = (rect.height() as i32 - top).min(BAND) as usize;
            let spans = bin.spans(rect.width() as usize);
            spans.iter().for_each(|span| samples.clear(span.start * FINE, span.end * FINE, rows * FINE));
            let size = [wide as i32, (rows * FINE) as i32];
            let origin = [rect.x0 * UNIT, (rect.y0 + top) * UNIT];
            for &(which, at) in &bin.triangles {
                brush.paint(&posed[usize::from(which)], at as usize, origin, size, &mut samples);
            }
            for row in 0..rows {
                let y = rect.y0 as usize + top as usize + row;
                let line = Line::new(self, y, rect, shadows.row(y));
                let out = picture.row_mut((top as usize + row) as u32);
                let samples = std::array::from_fn(|k| samples.row(row * FINE + k));
                line.paint(samples, out, &spans);
            }
        }
    }
}

impl Bin {
    /// From where to where triangles touch columns.
    fn spans(&self, wide: usize) -> Vec<Range<usize>> {
        let mut spans: Vec<Range<usize>> = Vec::new();
        for strip in self.touched.iter().enumerate().filter(|(_, touched)| **touched).map(|(at, _)| at * STRIP) {
            let end = (strip + STRIP).min(wide);
            match spans.last_mut() {
                Some(last) if last.end == strip => last.end = end,
                _ => spans.push(strip..end),
            }
        }
        spans
    }
}

/// What is to be painted in which rows.
fn bins(posed: &[Posed<'_>; 2], rect: Rect) -> Vec<Bin> {
    let bands = (rect.height() as i32 + BAND - 1) / BAND;
    let strips = (rect.width() as usize).div_ceil(STRIP);
    let mut bins = vec![Bin { triangles: Vec::new(), touched: vec![false; strips] }; bands as usize];
    for (which, posed) in (0..).zip(posed) {
        for &at in &posed.shown {
            let [a, b, c] = posed.triangles[at as usize].map(|v| posed.spots[v as usize]);
            let low = |k: usize| a[k].min(b[k]).min(c[k]) / UNIT;
            let high = |k: usize| a[k].max(b[k]).max(c[k]) / UNIT;
            let first = (low(1) - rect.y0).max(0) / BAND;
            let last = ((high(1) - rect.y0) / BAND).min(bands - 1);
            let column = |x: i32| (x - rect.x0).clamp(0, rect.width() as i32) as usize;
            let touched = column(low(0) - 1) / STRIP..column(high(0) + 2).div_ceil(STRIP);
            for band in first..=last {
                let bin = &mut bins[band as usize];
                bin.triangles.push((which, at));
                bin.touched[touched.clone()].fill(true);
            }
        }
    }
    bins
}

/// What triangles are painted with.
struct Brush<'a> {
    level: Level,
    weave: Weave<'a>,
}

impl Brush<'_> {
    fn paint(&self, posed: &Posed<'_>, at: usize, origin: [i32; 2], size: [i32; 2], samples: &mut Samples) {
        let mut t = posed.triangles[at].map(|v| v as usize);
        // Places in sixteenths of a sample.
        let mut corners = t.map(|v| {
            let [x, y, z, l] = posed.spots[v];
            [x - origin[0], y - origin[1], z, l]
        });
        let area = twice_area(corners);
        let inside = area > 0;
        if !inside {
            t.swap(1, 2);
            corners.swap(1, 2);
        }
        let points = t.map(|v| &posed.side.points[v]);
        let dim = if inside && points[0].stuff == CLOTH { LINING } else { 1.0 };
        let shades = t.map(|v| mul(posed.colors[v], dim));
        if area.abs() < SLIVER {
            sliver(corners, shades, size, samples);
            return;
        }
        let value = |k: usize| shades.map(|shade| shade[k]);
        // Around the arm the weave begins anew.
        let first = points[0].weave[0];
        let across = points.map(|point| {
            let turns = (first - point.weave[0]) / WEAVE as f32;
            point.weave[0] + turns.round() * WEAVE as f32
        });
        let values = [value(0), value(1), value(2), across, points.map(|point| point.weave[1])];
        if let Some(triangle) = set_up(corners, size, values) {
            let cloth = points.iter().all(|point| point.stuff == CLOTH);
            self.level.triangle(&triangle, Some(&self.weave).filter(|_| cloth), samples);
        }
    }
}

/// Too thin for anything but one colour.
fn sliver(corners: [Spot; 3], shades: [V3; 3], size: [i32; 2], samples: &mut Samples) {
    let mean = |k: usize| (shades[0][k] + shades[1][k] + shades[2][k]) / 3.0;
    let [r, g, b] = [0, 1, 2].map(|k| (mean(k) as i32).clamp(0, 255) as u32);
    let (z, color) = (corners[0][2] as f32, r | g << 8 | b << 16 | 0xff00_0000);
    scan::<4>(corners, size, |x, y, _| samples.put(x, y, z, color));
}

/// A row of pixels: the body in it, and how dark it is, by cells.
struct Line<'a> {
    x0: usize,
    body: &'a [[u8; 4]],
    deep: &'a [u16],
    shadow: Vec<u16>,
}

impl<'a> Line<'a> {
    #[inline]
    fn new(sleeves: &'a Sleeves, y: usize, rect: Rect, shadow: Vec<u16>) -> Self {
        let (x0, wide) = (rect.x0 as usize, sleeves.size[0] as usize);
        let ground = &sleeves.ground;
        Self { x0, body: &ground.body.row(y as u32)[x0..], deep: &ground.depth[y * wide + x0..(y + 1) * wide], shadow }
    }

    /// All of the row, arms being nowhere but in `spans` of it.
    #[inline]
    fn paint(&self, samples: [(&[f32], &[u32]); FINE], out: &mut [[u8; 4]], spans: &[Range<usize>]) {
        // Elsewhere nothing is to be seen.
        let [from, to] = self.dark(out.len());
        let mut shaded = from;
        for span in spans {
            (shaded..span.start.min(to)).for_each(|x| out[x] = self.shade(x));
            self.resolve(samples, &mut out[span.clone()], span.start);
            shaded = shaded.max(span.end);
        }
        (shaded..to).for_each(|x| out[x] = self.shade(x));
    }

    /// From where to where there may be a shadow in `wide` pixels.
    #[inline]
    fn dark(&self, wide: usize) -> [usize; 2] {
        let Some(first) = self.shadow.iter().position(|&dark| dark != 0) else { return [0; 2] };
        let last = self.shadow.iter().rposition(|&dark| dark != 0).unwrap_or(first);
        // The first and the last cell go on to the edge.
        let from = if first == 0 { 0 } else { ((first - 1) * CELL).saturating_sub(self.x0) };
        let to =
            if last + 1 == self.shadow.len() { wide } else { ((last + 2) * CELL).saturating_sub(self.x0).min(wide) };
        [from.min(to), to]
    }

    /// The shadow on the body alone.
    #[inline]
    fn shade(&self, x: usize) -> [u8; 4] {
        // Between the middles of cells.
        let v = (2 * (self.x0 + x) + 1).saturating_sub(CELL);
        let cell = (v / FULL).min(self.shadow.len() - 1);
        let next = (cell + 1).min(self.shadow.len() - 1);
        let (a, b) = (usize::from(self.shadow[cell]), usize::from(self.shadow[next]));
        if a + b == 0 {
            return [0; 4];
        }
        let f = v % FULL;
        let alpha = (a * (FULL - f) + b * f) / (FULL * FULL);
        let solid = usize::from(self.body[x][3]);
        [0, 0, 0, (alpha * solid / 255) as u8]
    }

    /// Pixels from their samples, the first being number `from`: shadows on the body, arms before it, and those behind it
    /// where it ends.
    #[inline]
    fn resolve(&self, samples: [(&[f32], &[u32]); FINE], out: &mut [[u8; 4]], from: usize) {
        let depths = samples.map(|row| &row.0.as_chunks::<FINE>().0[from..]);
        let colors = samples.map(|row| &row.1.as_chunks::<FINE>().0[from..]);
        for (k, pixel) in out.iter_mut().enumerate() {
            let ([a, b], [c, d]) = (depths[0][k], depths[1][k]);
            let four = [a, b, c, d];
            let [near, far] = four.into_iter().fold([f32::MAX, f32::MIN], |[near, far], depth| {
                [if depth < near { depth } else { near }, if depth > far { depth } else { far }]
            });
            let x = from + k;
            if near == f32::MAX {
                *pixel = self.shade(x);
                continue;
            }
            let solid = self.body[x][3];
            let limit = if solid == 0 { f32::MAX } else { (f32::from(self.deep[x]) / 4096.0 + 10.005) * DEPTH };
            let ([a, b], [c, d]) = (colors[0][k], colors[1][k]);
            let colors = [a, b, c, d];
            *pixel = if far != f32::MAX && far <= limit { mean(colors) } else { self.edge(x, four, colors, limit) };
        }
    }

    /// A pixel that not only arms before the body are seen in.
    fn edge(&self, x: usize, depths: [f32; ALL as usize], colors: [u32; ALL as usize], limit: f32) -> [u8; 4] {
        let solid = self.body[x][3];
        let (mut before, mut behind) = ([0_u32; 4], [0_u32; 4]);
        for (color, depth) in colors.into_iter().zip(depths) {
            if depth == f32::MAX {
                continue;
            }
            let sum = if depth <= limit { &mut before } else { &mut behind };
            let color = color.to_le_bytes();
            (0..3).for_each(|k| sum[k] += u32::from(color[k]));
            sum[3] += 1;
        }
        let mut under = self.shade(x).map(u32::from);
        if behind[3] > 0 && solid < 255 {
            // What of the arm stands behind the body's edge shines through it.
            let keep = 255 - u32::from(solid);
            (0..3).for_each(|k| under[k] = u32::from(self.body[x][k]) + behind[k] / behind[3] * keep / 255);
            under[3] = 255;
            let share = behind[3] + before[3];
            under = under.map(|c| c * share.min(ALL) / ALL);
        }
        let left = ALL - before[3];
        std::array::from_fn(|k| {
            let own = if k < 3 { before[k] } else { before[3] * 255 };
            ((own + under[k] * left) / ALL).min(255) as u8
        })
    }
}

/// Of opaque colours, two channels at a time.
#[inline]
fn mean(colors: [u32; ALL as usize]) -> [u8; 4] {
    const EVEN: u32 = 0x00ff_00ff;
    let (mut even, mut odd) = (0, 0);
    for color in colors {
        even += color & EVEN;
        odd += (color >> 8) & EVEN;
    }
    ((even / ALL) & EVEN | ((odd / ALL) & EVEN) << 8).to_le_bytes()
}
