//! One picture of the base with another mouth: patches bent, lit like the base, and blended in.
//!
//! Outside the mask's reach no byte changes.

use compere_media::math;
use compere_media::{Frame, Rect};

use super::bend::Field;
use super::mask::Mask;
use super::pyramid::{Plane, blended};
use crate::bank::patch::{CORNER, Patch, SIDE, cubic};
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
    let mut rect = Rect::default();
    // The mask's own extent, by rows and columns of eight.
    for n in (0..SIDE * SIDE).filter(|&n| mask.reach[n] > 0.0) {
        let (x, y) = (n % SIDE, n / SIDE);
        let border = x % 8 == 0 || y % 8 == 0 || x == SIDE - 1 || y == SIDE - 1;
        if border {
            let [px, py] = back.apply([(CORNER[0] + x) as f64, (CORNER[1] + y) as f64]);
            rect = rect.union(Rect::new(px as i32 - 2, py as i32 - 2, px as i32 + 4, py as i32 + 4));
        }
    }
    let wide = (8.0 / pose.scale()).ceil() as i32;
    rect.grown(wide).aligned(2).intersect(limit)
}

/// Puts the mouth on `frame`, whose pixels `pose` leads into the canonical face.
pub(crate) fn stitch(frame: &mut Frame, pose: &Similarity, mask: &Mask, patches: &[Bent<'_>], rect: Rect) {
    if rect.is_empty() {
        return;
    }
    let width = frame.width() as usize;
    let (y, u, v) = frame.planes_mut();
    let planes = [(Which::Luma, y), (Which::Blue, u), (Which::Red, v)];
    for (which, plane) in planes {
        let job = Job::new(which, pose, mask, rect);
        job.run(plane, width / which.step(), patches);
    }
}

struct Job<'a> {
    which: Which,
    pose: &'a Similarity,
    mask: &'a Mask,
    /// In pixels of the plane.
    rect: Rect,
}

impl<'a> Job<'a> {
    fn new(which: Which, pose: &'a Similarity, mask: &'a Mask, rect: Rect) -> Self {
        let step = which.step() as i32;
        let rect = Rect::new(rect.x0 / step, rect.y0 / step, rect.x1 / step, rect.y1 / step);
        Self { which, pose, mask, rect }
    }

    fn run(&self, plane: &mut [u8], stride: usize, patches: &[Bent<'_>]) {
        let (width, height) = (self.rect.width() as usize, self.rect.height() as usize);
        let places = self.places();
        let look = |of: &[f32]| places.iter().map(|&[x, y]| between(of, x, y)).collect::<Vec<f32>>();
        let inside = look(&self.mask.inside);
        let row = |y: usize| (self.rect.y0 as usize + y) * stride + self.rect.x0 as usize;
        let base: Vec<f32> =
            (0..height).flat_map(|y| &plane[row(y)..row(y) + width]).map(|&value| f32::from(value)).collect();
        let mut mixed = vec![0.0f32; width * height];
        for bent in patches {
            let mut seen = self.seen(bent, &places, &base);
            self.lit(&mut seen, &base, &inside);
            mixed.iter_mut().zip(&seen).for_each(|(mixed, seen)| *mixed += bent.part * seen);
        }
        let difference = mixed.iter().zip(&base).map(|(mixed, base)| mixed - base).collect();
        let levels = self.levels();
        let added = blended(Plane::new(width, difference), Plane::new(width, inside), levels);
        let reach = look(&self.mask.reach);
        for y in 0..height {
            let out = &mut plane[row(y)..row(y) + width];
            for (x, out) in out.iter_mut().enumerate() {
                let n = y * width + x;
                if reach[n] > 0.0 {
                    *out = (base[n] + added.numbers[n] * reach[n] + 0.5).clamp(0.0, 255.0) as u8;
                }
            }
        }
    }

    fn levels(&self) -> usize {
        // From pixels of the plane to canonical ones.
        let eyes = EYES / (self.pose.scale() * self.which.step() as f64);
        (LEVELS + math::log2(eyes / EYES) + 0.5).clamp(1.0, 6.0) as usize
    }

    /// Where each pixel lies in the patch.
    fn places(&self) -> Vec<[f32; 2]> {
        let mut places = Vec::with_capacity(self.rect.area() as usize);
        for y in self.rect.y0 as usize..self.rect.y1 as usize {
            for x in self.rect.x0 as usize..self.rect.x1 as usize {
                let [x, y] = self.pose.apply([self.which.place(x), self.which.place(y)]);
                places.push([(x - CORNER[0] as f64) as f32, (y - CORNER[1] as f64) as f32]);
            }
        }
        places
    }

    /// The bent patch; the base itself where the mask does not reach.
    fn seen(&self, bent: &Bent<'_>, places: &[[f32; 2]], base: &[f32]) -> Vec<f32> {
        let half = SIDE / 2;
        let side = (SIDE - 1) as f32;
        let value = |(&[x, y], &base): (&[f32; 2], &f32)| {
            if !(0.0..=side).contains(&x) || !(0.0..=side).contains(&y) {
                return base;
            }
            let [dx, dy] = bent.field.as_ref().map_or([0.0; 2], |field| field.at(x, y));
            let (x, y) = (x - dx, y - dy);
            match self.which {
                Which::Luma => f32::from(cubic(&bent.patch.y, SIDE, SIDE, x, y)),
                Which::Blue => crate::track::sample(&bent.patch.u, half, half, x / 2.0 - 0.25, y / 2.0 - 0.25),
                Which::Red => crate::track::sample(&bent.patch.v, half, half, x / 2.0 - 0.25, y / 2.0 - 0.25),
            }
        };
        places.iter().zip(base).map(value).collect()
    }

    /// As bright as the base on the rim, and of its tint.
    fn lit(&self, seen: &mut [f32], base: &[f32], inside: &[f32]) {
        let rim = || (0..inside.len()).filter(|&n| RIM.contains(&inside[n]));
        let count = rim().count();
        if count == 0 {
            return;
        }
        let mean = |of: &[f32]| (rim().map(|n| f64::from(of[n])).sum::<f64>() / count as f64) as f32;
        let (own, wanted) = (mean(seen), mean(base));
        if self.which == Which::Luma {
            let gain = ((wanted - 16.0) / (own - 16.0).max(1.0)).clamp(1.0 / MOST_GAIN, MOST_GAIN);
            seen.iter_mut().for_each(|value| *value = (*value - 16.0) * gain + 16.0);
        } else {
            let tint = (wanted - own).clamp(-MOST_TINT, MOST_TINT);
            seen.iter_mut().for_each(|value| *value += tint);
        }
    }
}

/// Between four numbers of a patch; nothing beyond it.
#[inline]
fn between(of: &[f32], x: f32, y: f32) -> f32 {
    let most = (SIDE - 1) as f32;
    if !(0.0..most).contains(&x) || !(0.0..most).contains(&y) {
        return 0.0;
    }
    let (left, top) = (x as usize, y as usize);
    let (fx, fy) = (x - left as f32, y - top as f32);
    let n = top * SIDE + left;
    let upper = of[n] + (of[n + 1] - of[n]) * fx;
    let lower = of[n + SIDE] + (of[n + SIDE + 1] - of[n + SIDE]) * fx;
    upper + (lower - upper) * fy
}
