//! Two pictures of the base as one, while a film goes over from one stretch to another: both heads are brought to where they
//! meet, and what is around them stays where it is.

use super::base::Base;
use crate::error::OwnError;
use crate::track::pose::{SIZE, Similarity};

/// The part of the upright face that moves as a whole: half its width and height around its middle.
const WHOLE: [f64; 2] = [150.0, 235.0];
/// So many times that size nothing moves.
const NONE: f64 = 1.75;
/// Smaller moves are not worth it, in pixels.
const STILL: f64 = 0.2;

/// One of the two pictures and how its head lies.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) planes: &'a [u8],
    pub(crate) pose: &'a Similarity,
    pub(crate) part: f32,
}

/// Where two heads meet.
pub(crate) fn between(a: &Similarity, b: &Similarity, part: f64) -> Similarity {
    let mix = |a: f64, b: f64| a + (b - a) * part;
    Similarity { cos: mix(a.cos, b.cos), sin: mix(a.sin, b.sin), x: mix(a.x, b.x), y: mix(a.y, b.y) }
}

impl Base {
    /// Both pictures as one, in planes below each other, with their heads where `meet` has them.
    pub(crate) fn joined(&self, sides: [Side<'_>; 2], meet: &Similarity) -> Result<Vec<u8>, OwnError> {
        let (width, height) = (self.width as usize, self.height as usize);
        let mut out = vec![0u8; sides[0].planes.len()];
        if out.len() != sides[1].planes.len() {
            return Err(OwnError::Damaged("pictures of the base".to_owned()));
        }
        let luma = Plane { first: 0, stride: width, size: [width, height], step: 1 };
        let half = [width / 2, height / 2];
        let blue = Plane { first: width * height, stride: width, size: half, step: 2 };
        let red = Plane { first: blue.first + width / 2, ..blue };
        let alpha = Plane { first: width * height * 3 / 2, ..luma };
        let paths = sides.map(|side| Path::new(side.pose, meet));
        let alpha = (out.len() > alpha.first).then_some(alpha);
        for plane in [luma, blue, red] {
            plane.join(&Job { sides: &sides, paths: &paths, meet, alpha }, &mut out);
        }
        if let Some(plane) = alpha {
            plane.join(&Job { sides: &sides, paths: &paths, meet, alpha: None }, &mut out);
        }
        Ok(out)
    }
}

/// What is joined, and how.
struct Job<'a> {
    sides: &'a [Side<'a>; 2],
    paths: &'a [Path; 2],
    meet: &'a Similarity,
    /// Of whoever is cut out: how much of a colour counts. What is behind the person in one picture would be a light rim around them.
    alpha: Option<Plane>,
}

/// From a place where heads meet to where it lies in one of the pictures.
struct Path {
    to: Similarity,
    /// Whether that is elsewhere at all.
    moves: bool,
}

impl Path {
    fn new(pose: &Similarity, meet: &Similarity) -> Self {
        let back = pose.inverse();
        let to = meet.then(&back);
        let far = |corner: [f64; 2]| {
            let at = meet.inverse().apply(corner);
            let there = back.apply(corner);
            (at[0] - there[0]).abs().max((at[1] - there[1]).abs())
        };
        let [width, height] = SIZE.map(|side| side as f64);
        let moves = [[0.0, 0.0], [width, 0.0], [0.0, height], [width, height]].into_iter().any(|at| far(at) > STILL);
        Self { to, moves }
    }
}

/// Pixels between which what moves is looked up; in between it lies on a line.
const BLOCK: usize = 8;

/// One plane within planes that lie below each other.
#[derive(Clone, Copy)]
struct Plane {
    first: usize,
    stride: usize,
    size: [usize; 2],
    /// Picture pixels per pixel.
    step: usize,
}

impl Plane {
    fn join(&self, job: &Job<'_>, out: &mut [u8]) {
        let [width, height] = self.size;
        let moves = job.paths.iter().any(|path| path.moves);
        for y in 0..height {
            let row = self.first + y * self.stride..self.first + y * self.stride + width;
            let out = &mut out[row.clone()];
            let [one, other] = job.sides.each_ref().map(|side| (side.part, &side.planes[row.clone()]));
            if job.alpha.is_some() {
                let at = |x: usize| [x as f32, y as f32];
                out.iter_mut().enumerate().for_each(|(x, out)| *out = self.mixed(job, [at(x); 2]));
            } else {
                for ((out, &a), &b) in out.iter_mut().zip(one.1).zip(other.1) {
                    *out = (one.0 * f32::from(a) + other.0 * f32::from(b) + 0.5) as u8;
                }
            }
            if moves {
                self.join_heads(job, y, out);
            }
        }
    }

    /// Anew, where heads are brought to where they meet.
    fn join_heads(&self, job: &Job<'_>, y: usize, out: &mut [u8]) {
        let moved = |x: usize| {
            let at = self.place(x, y);
            let part = moving(job.meet.apply(at));
            job.paths.each_ref().map(|path| self.moved(path, at, part))
        };
        let mut here = moved(0);
        for (block, out) in out.chunks_mut(BLOCK).enumerate() {
            let first = block * BLOCK;
            let next = moved(first + BLOCK);
            let still = [here, next].as_flattened().iter().all(|by| *by == [0.0; 2]);
            if !still {
                for (k, out) in out.iter_mut().enumerate() {
                    let t = k as f32 / BLOCK as f32;
                    let at = [0, 1].map(|n: usize| {
                        let [dx, dy] = [0, 1].map(|axis: usize| here[n][axis] + (next[n][axis] - here[n][axis]) * t);
                        [(first + k) as f32 + dx, y as f32 + dy]
                    });
                    *out = self.mixed(job, at);
                }
            }
            here = next;
        }
    }

    /// Of both pictures what lies at a place of each.
    fn mixed(&self, job: &Job<'_>, at: [[f32; 2]; 2]) -> u8 {
        let (mut plain, mut person, mut whole) = (0.0, 0.0, 0.0);
        for (side, at) in job.sides.iter().zip(at) {
            let value = side.part * self.seen(side.planes, at);
            plain += value;
            if let Some(alpha) = job.alpha {
                let shift = (self.step - 1) as f32 / 2.0;
                let share = alpha.seen(side.planes, at.map(|at| at * self.step as f32 + shift));
                person += share * value;
                whole += share * side.part;
            }
        }
        // Where neither shows the person nobody sees it.
        let value = if whole > 0.0 { person / whole } else { plain };
        (value + 0.5) as u8
    }

    /// In pixels of the picture.
    fn place(&self, x: usize, y: usize) -> [f64; 2] {
        let shift = (self.step - 1) as f64 / 2.0;
        [x, y].map(|at| (at * self.step) as f64 + shift)
    }

    /// By how much a place is elsewhere, in pixels of the plane.
    fn moved(&self, path: &Path, at: [f64; 2], part: f64) -> [f32; 2] {
        if part == 0.0 {
            return [0.0; 2];
        }
        let there = path.to.apply(at);
        [0, 1].map(|axis| (part * (there[axis] - at[axis]) / self.step as f64) as f32)
    }

    /// Between four pixels; the border goes on for ever.
    fn seen(&self, planes: &[u8], [x, y]: [f32; 2]) -> f32 {
        let [width, height] = self.size;
        let (x, y) = (x.clamp(0.0, (width - 1) as f32), y.clamp(0.0, (height - 1) as f32));
        let (left, top) = (x as usize, y as usize);
        let (right, below) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
        let (fx, fy) = (x - left as f32, y - top as f32);
        let row = |y: usize| {
            let row = &planes[self.first + y * self.stride..][..width];
            let (a, b) = (f32::from(row[left]), f32::from(row[right]));
            a + (b - a) * fx
        };
        let (upper, lower) = (row(top), row(below));
        upper + (lower - upper) * fy
    }
}

/// How much a place of the upright face moves along with the head.
fn moving([x, y]: [f64; 2]) -> f64 {
    let [dx, dy] = [(x - SIZE[0] as f64 / 2.0) / WHOLE[0], (y - SIZE[1] as f64 * 0.42) / WHOLE[1]];
    let far = (dx * dx + dy * dy).sqrt();
    let t = ((NONE - far) / (NONE - 1.0)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::{Frame, Rect};

    const STRAIGHT: Similarity = Similarity { cos: 1.0, sin: 0.0, x: 0.0, y: 0.0 };

    /// A picture with a soft spot, as planes.
    fn spot(side: usize, [x, y]: [f64; 2]) -> Vec<u8> {
        let mut frame = Frame::new(side as u32, side as u32);
        let (luma, ..) = frame.planes_mut();
        for (n, luma) in luma.iter_mut().enumerate() {
            let [dx, dy] = [(n % side) as f64 - x, (n / side) as f64 - y];
            *luma = (20.0 + 200.0 * compere_media::math::exp(-(dx * dx + dy * dy) / 60.0)) as u8;
        }
        super::super::planes::grey(&frame, Rect::of_size(side as u32, side as u32))
    }

    #[test]
    fn heads_meet_and_what_is_around_them_stays() {
        let side = 480;
        let base = Base::blank_of(side as u32, side as u32);
        // The same face, six pixels further right in the second picture.
        let moved = Similarity { x: -6.0, ..STRAIGHT };
        let (a, b) = (spot(side, [180.0, 200.0]), spot(side, [186.0, 200.0]));
        let meet = between(&STRAIGHT, &moved, 0.5);
        let sides = [Side { planes: &a, pose: &STRAIGHT, part: 0.5 }, Side { planes: &b, pose: &moved, part: 0.5 }];
        let out = base.joined(sides, &meet).expect("it joins");
        let brightest = (0..side * side).max_by_key(|&n| out[n]).expect("pixels");
        assert_eq!([brightest % side, brightest / side], [183, 200]);
        assert!(out[brightest] > 215, "two spots were laid over each other: {}", out[brightest]);
        // Far from the face the mean of both is all that happens.
        let (a, b) = (spot(side, [470.0, 470.0]), spot(side, [470.0, 470.0]));
        let sides = [Side { planes: &a, pose: &STRAIGHT, part: 0.4 }, Side { planes: &b, pose: &moved, part: 0.6 }];
        let out = base.joined(sides, &meet).expect("it joins");
        assert_eq!(out[470 * side + 470], a[470 * side + 470]);
    }

    #[test]
    fn what_is_behind_somebody_who_is_cut_out_is_no_rim_around_them() {
        const SIDE: usize = 480;
        let base = Base::blank_of(SIDE as u32, SIDE as u32);
        // A dark person before something light, further to the right in the second picture.
        let picture = |end: usize| {
            let luma = (0..SIDE * SIDE).map(|n| if n % SIDE < end { 50 } else { 220 });
            let alpha = (0..SIDE * SIDE).map(|n| if n % SIDE < end { 255 } else { 0 });
            luma.chain(std::iter::repeat_n(128, SIDE * SIDE / 2)).chain(alpha).collect::<Vec<u8>>()
        };
        let (a, b) = (picture(200), picture(230));
        let moved = Similarity { x: -1.0, ..STRAIGHT };
        let sides = [Side { planes: &a, pose: &STRAIGHT, part: 0.5 }, Side { planes: &b, pose: &moved, part: 0.5 }];
        let out = base.joined(sides, &between(&STRAIGHT, &moved, 0.5)).expect("it joins");
        let (colour, alpha) = (out[100 * SIDE + 215], out[SIDE * SIDE * 3 / 2 + 100 * SIDE + 215]);
        assert_eq!((colour, alpha), (50, 128), "half there, and as dark as the person");
        assert_eq!(out[100 * SIDE + 400], 220, "what nobody sees stays");
    }
}
