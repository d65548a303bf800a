//! One picture of the base with another mouth: patches bent, lit like the base, and blended in.
//!
//! Outside the mask's reach no byte changes.

use compere_media::math;
use compere_media::{Frame, Rect};

use super::bend::Field;
use super::mask::Mask;
use super::pyramid::{Masks, Plane, blended};
use super::warp::{BLOCK, Numbers, Way};
use crate::bank::patch::{Patch, SIDE};
use crate::track::pose::{EYES, Similarity};

/// Levels of blending where the eyes are [`EYES`] apart.
const LEVELS: f64 = 4.0;
/// The rim that light is compared on.
const RIM: std::ops::Range<f32> = 0.05..0.6;
/// Light is changed by no more than this.
const MOST_GAIN: f32 = 1.25;
const MOST_TINT: f32 = 12.0;

/// A patch with its part and how it is bent.
pub(crate) struct Bent<'a> {
    pub(crate) patch: &'a Patch,
    pub(crate) part: f32,
    pub(crate) field: Option<Field>,
}

/// One of the three planes of a picture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Luma,
    Blue,
    Red,
}

impl Which {
    /// Picture pixels per pixel of the plane.
    fn step(self) -> usize {
        if self == Self::Luma { 1 } else { 2 }
    }

    /// From a pixel of the plane to picture pixels.
    fn place(self, n: usize) -> f64 {
        if self == Self::Luma { n as f64 } else { 2.0 * n as f64 + 0.5 }
    }
}

/// The even rectangle of a picture that the mask reaches.
pub(crate) fn reached(mask: &Mask, pose: &Similarity, limit: Rect) -> Rect {
    let back = pose.inverse();
    let rect = mask.ends.iter().fold(Rect::default(), |rect, &end| {
        let [px, py] = back.apply(end);
        rect.union(Rect::new(px as i32 - 2, py as i32 - 2, px as i32 + 4, py as i32 + 4))
    });
    let wide = (8.0 / pose.scale()).ceil() as i32;
    rect.grown(wide).aligned(2).intersect(limit)
}

/// Puts the mouth on `frame`, whose pixels `pose` leads into the canonical face.
pub(crate) fn stitch(frame: &mut Frame, pose: &Similarity, mask: &Mask, patches: &[Bent<'_>], rect: Rect) {
    if rect.is_empty() {
        return;
    }
    let width = frame.width() as usize;
    let shade = Shade::of(mask, pose, rect);
    let half = shade.halved(pose);
    let (y, u, v) = frame.planes_mut();
    for (which, plane) in [(Which::Luma, y), (Which::Blue, u), (Which::Red, v)] {
        let (shade, step) = (if which == Which::Luma { &shade } else { &half }, which.step() as i32);
        let rect = Rect::new(rect.x0 / step, rect.y0 / step, rect.x1 / step, rect.y1 / step);
        Job { which, pose, rect, shade }.run(plane, width / which.step(), patches);
    }
}

/// The mask as a rectangle of the picture sees it.
struct Shade {
    width: usize,
    inside: Masks,
    reach: Vec<f32>,
    /// Pixels that light is compared on.
    rim: Vec<u32>,
    /// Of every row the blocks in which a patch is looked at.
    live: Vec<bool>,
}

impl Shade {
    fn of(mask: &Mask, pose: &Similarity, rect: Rect) -> Self {
        let (width, height) = (rect.width() as usize, rect.height() as usize);
        let way = Way::new(pose, [f64::from(rect.x0), f64::from(rect.y0)], 1.0);
        let blocks = width.div_ceil(BLOCK);
        let mut live = vec![false; blocks * height];
        for y in 0..height {
            let near = |x: usize| {
                let [x, y] = way.at(x, y).map(|at| at as usize);
                x < SIDE && y < SIDE && mask.near[y * SIDE + x]
            };
            for block in 0..blocks {
                live[y * blocks + block] = near(block * BLOCK) || near((block + 1) * BLOCK);
            }
        }
        let (mut inside, mut reach) = (vec![0.0f32; width * height], vec![0.0f32; width * height]);
        for (n, _) in live.iter().enumerate().filter(|(_, live)| **live) {
            let (first, y) = (n % blocks * BLOCK, n / blocks);
            for x in first..(first + BLOCK).min(width) {
                [inside[y * width + x], reach[y * width + x]] = between([&mask.inside, &mask.reach], way.at(x, y));
            }
        }
        Self::new(width, inside, reach, live, levels(pose, 1))
    }

    fn new(width: usize, inside: Vec<f32>, reach: Vec<f32>, live: Vec<bool>, levels: usize) -> Self {
        let rim = (0..inside.len()).filter(|&n| RIM.contains(&inside[n])).map(|n| n as u32).collect();
        Self { width, inside: Masks::of(Plane::new(width, inside), levels), reach, rim, live }
    }

    /// For planes of half the size, whose pixels are the middles of four.
    fn halved(&self, pose: &Similarity) -> Self {
        let (width, height) = (self.width / 2, self.reach.len() / self.width / 2);
        let half = |of: &[f32]| -> Vec<f32> {
            let rows = of.chunks_exact(2 * self.width).map(|rows| rows.split_at(self.width));
            let fours = rows.flat_map(|(upper, lower)| upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0));
            fours.map(|(upper, lower)| 0.25 * (upper[0] + upper[1] + lower[0] + lower[1])).collect()
        };
        let (blocks, wide) = (width.div_ceil(BLOCK), self.width.div_ceil(BLOCK));
        let is_live = |n: usize| {
            let (block, y) = (n % blocks, n / blocks);
            let row = |y: usize| &self.live[y * wide + 2 * block..y * wide + (2 * block + 2).min(wide)];
            row(2 * y).iter().chain(row(2 * y + 1)).any(|&live| live)
        };
        let live = (0..blocks * height).map(is_live).collect();
        Self::new(width, half(self.inside.finest()), half(&self.reach), live, levels(pose, 2))
    }
}

/// How many sizes are blended in a plane that has a pixel for so many of the picture.
fn levels(pose: &Similarity, step: usize) -> usize {
    // From pixels of the plane to canonical ones.
    let eyes = EYES / (pose.scale() * step as f64);
    (LEVELS + math::log2(eyes / EYES) + 0.5).clamp(1.0, 6.0) as usize
}

struct Job<'a> {
    which: Which,
    pose: &'a Similarity,
    /// In pixels of the plane.
    rect: Rect,
    shade: &'a Shade,
}

impl Job<'_> {
    fn run(&self, plane: &mut [u8], stride: usize, patches: &[Bent<'_>]) {
        let (width, height) = (self.rect.width() as usize, self.rect.height() as usize);
        let row = |y: usize| (self.rect.y0 as usize + y) * stride + self.rect.x0 as usize;
        let base: Vec<f32> =
            (0..height).flat_map(|y| &plane[row(y)..row(y) + width]).map(|&value| f32::from(value)).collect();
        let mut difference = vec![0.0f32; width * height];
        for bent in patches {
            let mut seen = base.clone();
            self.see(bent, &mut seen);
            let light = self.light(&seen, &base);
            let both = difference.iter_mut().zip(&seen).zip(&base);
            both.for_each(|((sum, seen), base)| *sum += bent.part * (light.on(*seen) - base));
        }
        let added = blended(Plane::new(width, difference), &self.shade.inside);
        for y in 0..height {
            let span = y * width..(y + 1) * width;
            let (base, added, reach) = (&base[span.clone()], &added.numbers[span.clone()], &self.shade.reach[span]);
            let out = plane[row(y)..row(y) + width].iter_mut().zip(base).zip(added).zip(reach);
            for (((out, base), added), &reach) in out {
                if reach > 0.0 {
                    *out = (base + added * reach + 0.5).clamp(0.0, 255.0) as u8;
                }
            }
        }
    }

    /// The bent patch; what was there stays where nobody looks.
    fn see(&self, bent: &Bent<'_>, out: &mut [f32]) {
        let from = match self.which {
            Which::Luma => Numbers::of(&bent.patch.y, SIDE),
            Which::Blue => Numbers::of(&bent.patch.u, SIDE / 2),
            Which::Red => Numbers::of(&bent.patch.v, SIDE / 2),
        };
        let place = [self.rect.x0, self.rect.y0].map(|at| self.which.place(at as usize));
        let way = Way::new(self.pose, place, self.which.step() as f64);
        let (width, blocks) = (self.shade.width, self.shade.width.div_ceil(BLOCK));
        let rows = out.chunks_exact_mut(width).zip(self.shade.live.chunks_exact(blocks));
        for (y, (out, live)) in rows.enumerate() {
            way.row(y, bent.field.as_ref(), &from, live, out);
        }
    }

    /// What makes a patch as bright as the base on the rim, and of its tint.
    fn light(&self, seen: &[f32], base: &[f32]) -> Light {
        let rim = &self.shade.rim;
        let mean = |of: &[f32]| {
            let sum: f64 = rim.iter().map(|&n| f64::from(of[n as usize])).sum();
            (sum / rim.len().max(1) as f64) as f32
        };
        let (own, wanted) = (mean(seen), mean(base));
        if rim.is_empty() {
            Light { gain: 1.0, tint: 0.0 }
        } else if self.which == Which::Luma {
            let gain = ((wanted - 16.0) / (own - 16.0).max(1.0)).clamp(1.0 / MOST_GAIN, MOST_GAIN);
            Light { gain, tint: 16.0 - 16.0 * gain }
        } else {
            Light { gain: 1.0, tint: (wanted - own).clamp(-MOST_TINT, MOST_TINT) }
        }
    }
}

#[derive(Clone, Copy)]
struct Light {
    gain: f32,
    tint: f32,
}

impl Light {
    fn on(self, value: f32) -> f32 {
        value * self.gain + self.tint
    }
}

/// Between four numbers of patches; nothing beyond them.
#[inline]
fn between<const N: usize>(of: [&[f32]; N], [x, y]: [f32; 2]) -> [f32; N] {
    let most = (SIDE - 1) as f32;
    if !(0.0..most).contains(&x) || !(0.0..most).contains(&y) {
        return [0.0; N];
    }
    let (left, top) = (x as usize, y as usize);
    let (fx, fy) = (x - left as f32, y - top as f32);
    let n = top * SIDE + left;
    of.map(|of| {
        let upper = of[n] + (of[n + 1] - of[n]) * fx;
        let lower = of[n + SIDE] + (of[n + SIDE + 1] - of[n + SIDE]) * fx;
        upper + (lower - upper) * fy
    })
}
