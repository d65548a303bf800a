//! An even green or blue wall behind somebody: whether there is one, and what colour it has at every place.

use compere_media::{Frame, words};

use super::half::{Colour, Half, TINT, colour};
use super::plane::{enlarged, means, sums};
use crate::maths::percentile;
use crate::track::CELLS;

/// Cells around somebody that are surely behind, from the network's edge on, and how far out they are looked at.
const RING: [usize; 2] = [5, 26];
/// Every so many of them are looked at.
const EVERY: usize = 3;
/// Fewer tell nothing.
const LEAST: usize = 60;
/// How far from grey a wall has to be (judged): painted rooms are at 10 to 15, screens at 40 and more, in steps of chroma.
const SATURATED: f32 = 26.0 * TINT;
/// Part of the ring that has to be of one hue.
const EVEN: f32 = 0.85;
/// Where both hues are, between the axes of blue and red, and by how much they may be off: the cosine of some 35 degrees.
const GREEN: [f32; 2] = [-0.574, -0.819];
const BLUE: [f32; 2] = [0.94, -0.342];
const NEAR: f32 = 0.82;
/// Squares along either side whose colour is told, and between them.
const SQUARES: usize = 48;
/// Squares around one that help out, and how much less each step further counts.
const AROUND: [usize; 6] = [0, 1, 3, 8, 20, SQUARES];
const FURTHER: f32 = 0.02;

words! {
    /// Walls that people are keyed from.
    pub(crate) enum Hue {
        Green = "green",
        Blue = "blue",
    }
}

/// The wall as it mostly looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Screen {
    pub(super) hue: Hue,
    pub(super) colour: Colour,
}

/// What is right around somebody in some pictures.
#[derive(Debug, Default)]
pub(super) struct Survey {
    ring: Vec<Colour>,
}

impl Survey {
    /// `cells` is what the network says of the whole frame.
    pub(super) fn add(&mut self, frame: &Frame, cells: &[f32]) {
        let lone: Vec<[f32; 1]> = cells.iter().map(|&value| [value]).collect();
        let [near, far] = RING.map(|reach| means(&lone, [CELLS, CELLS], reach));
        let [width, height] = [frame.width() as usize / 2, frame.height() as usize / 2];
        let place = |n: usize| (n / CELLS * height / CELLS) * width + n % CELLS * width / CELLS;
        let in_ring = |n: &usize| near[*n][0] < 0.02 && far[*n][0] > 0.04;
        self.ring.extend((0..cells.len()).step_by(EVERY).filter(in_ring).map(|n| colour(frame, place(n))));
    }

    /// The wall, where there is an even one.
    pub(super) fn screen(&self) -> Option<Screen> {
        let middle = |axis: usize| percentile(&self.ring.iter().map(|colour| colour[axis]).collect::<Vec<_>>(), 0.5);
        let colour = [0, 1, 2].map(middle);
        let (strength, toward) = aim(&colour);
        let is = |hue: [f32; 2]| toward[0] * hue[0] + toward[1] * hue[1] > NEAR;
        let hue = [(Hue::Green, GREEN), (Hue::Blue, BLUE)].into_iter().find(|(_, axis)| is(*axis))?.0;
        let screen = Screen { hue, colour };
        let alike = self.ring.iter().filter(|colour| screen.is_like(colour)).count() as f32;
        let even = alike >= EVEN * self.ring.len() as f32;
        (self.ring.len() >= LEAST && strength > SATURATED && even).then_some(screen)
    }
}

impl Screen {
    /// Whether a colour is the wall's in some light.
    pub(super) fn is_like(&self, colour: &Colour) -> bool {
        let (strength, toward) = aim(&self.colour);
        let [along, across] = split(colour, toward);
        along > 0.4 * strength && across < 0.3 * along + 6.0
    }
}

/// How far from grey a colour is, and into which direction.
pub(super) fn aim(colour: &Colour) -> (f32, [f32; 2]) {
    let strength = (colour[1] * colour[1] + colour[2] * colour[2]).sqrt().max(1.0);
    (strength, [colour[1] / strength, colour[2] / strength])
}

/// How far from grey a colour is in a direction, and beside it.
pub(super) fn split(colour: &Colour, toward: [f32; 2]) -> [f32; 2] {
    let along = colour[1] * toward[0] + colour[2] * toward[1];
    [along, (colour[1] * toward[1] - colour[2] * toward[0]).abs()]
}

/// The wall's colour at every place of a picture, told from those where nothing is before it.
pub(super) fn wall(half: &Half, is_bare: impl Fn(usize) -> bool) -> Vec<Colour> {
    let [width, height] = half.size;
    let mut squares = vec![[0.0f32; 4]; SQUARES * SQUARES];
    for n in (0..width * height).filter(|&n| is_bare(n)) {
        let square = &mut squares[n / width * SQUARES / height * SQUARES + n % width * SQUARES / width];
        let [y, u, v] = half.colours[n];
        square.iter_mut().zip([y, u, v, 1.0]).for_each(|(sum, value)| *sum += value);
    }
    let mut all = vec![[0.0f32; 4]; squares.len()];
    let mut weight = 1.0;
    for reach in AROUND {
        for (sum, more) in all.iter_mut().zip(sums(&squares, [SQUARES, SQUARES], reach)) {
            // Sums that slide have a little left where there is nothing.
            if more[3] > 0.5 {
                sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += weight * more);
            }
        }
        weight *= FURTHER;
    }
    let planes: [Vec<f32>; 3] = std::array::from_fn(|axis| {
        let told: Vec<f32> = all.iter().map(|sum| sum[axis] / sum[3].max(1e-12)).collect();
        enlarged(&told, SQUARES, half.size)
    });
    let [y, u, v] = &planes;
    y.iter().zip(u).zip(v).map(|((&y, &u), &v)| [y, u, v]).collect()
}
