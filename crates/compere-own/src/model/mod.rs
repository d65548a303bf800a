//! How one person moves: from what is asked of the mouth (and how the head is turned) to the shape of the lips, their look
//! and the points around them.
//!
//! A ridge regression on random Fourier features. Its share for the turn is the person's own parallax, which spares a
//! model in three dimensions.

use crate::linear::{Matrix, dot, solve, transposed_product};
use crate::lips::{AXES, CONTEXT, Context, TAPS};
use crate::maths::Dice;
use crate::track::points::MOUTH_POINTS;
use crate::track::pose::{LipShape, MouthPoints};
use compere_media::math;

/// Random features beside the plain ones.
const WAVES: usize = 800;
const WIDTH: f64 = 0.4;
const RIDGE: f64 = 3.0;
/// What a turn weighs beside what is asked.
const TURN: f32 = 0.2;
const FEATURES: usize = CONTEXT + 1 + WAVES + 2;
/// Numbers that the look of a mouth is told by.
pub(crate) const LOOK: usize = 24;
const LIPS: usize = 6;
const POINTS: usize = 2 * MOUTH_POINTS;
const ANSWERS: usize = LIPS + LOOK + POINTS;
/// Canonical pixels that count as one in the regression.
const PIXELS: f32 = 10.0;

/// What the model expects of a mouth.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    /// In the person's own spreads.
    pub(crate) lips: LipShape,
    pub(crate) look: [f32; LOOK],
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    /// A row per answer.
    pub(crate) weights: Matrix,
    pub(crate) lip_scale: LipShape,
    pub(crate) turn_mean: [f32; 2],
}

/// What is known of one picture.
pub(crate) struct Lesson<'a> {
    pub(crate) context: &'a Context,
    pub(crate) turn: [f32; 2],
    pub(crate) lips: LipShape,
    pub(crate) look: &'a [f32],
    pub(crate) mouth: &'a MouthPoints,
}

impl Model {
    pub(crate) fn learn<'a>(lessons: impl Iterator<Item = Lesson<'a>> + Clone) -> Self {
        let count = lessons.clone().count().max(1) as f64;
        let lip_scale = std::array::from_fn(|k| {
            let mean = lessons.clone().map(|one| f64::from(one.lips[k])).sum::<f64>() / count;
            let square: f64 =
                lessons.clone().map(|one| (f64::from(one.lips[k]) - mean) * (f64::from(one.lips[k]) - mean)).sum();
            (square / count).sqrt() as f32 + 1e-6
        });
        let turn_mean =
            std::array::from_fn(|k| (lessons.clone().map(|one| f64::from(one.turn[k])).sum::<f64>() / count) as f32);
        let mut model = Self { weights: Matrix::default(), lip_scale, turn_mean };
        let waves = Waves::new();
        let rows = lessons.clone().count();
        let (mut asked, mut answers) = (Matrix::zero(rows, FEATURES), Matrix::zero(rows, ANSWERS));
        for (row, lesson) in lessons.enumerate() {
            asked.row_mut(row).copy_from_slice(&model.features(&waves, lesson.context, lesson.turn));
            let answer = answers.row_mut(row);
            for k in 0..LIPS {
                answer[k] = lesson.lips[k] / lip_scale[k];
            }
            answer[LIPS..LIPS + LOOK].copy_from_slice(lesson.look);
            let points = lesson.mouth.as_flattened();
            answer[LIPS + LOOK..].iter_mut().zip(points).for_each(|(to, from)| *to = from / PIXELS);
        }
        let mut system = transposed_product(&asked, &asked);
        for (n, row) in system.iter_mut().enumerate() {
            row[n] += RIDGE;
        }
        let solution = solve(system, transposed_product(&asked, &answers));
        let mut weights = Matrix::zero(ANSWERS, FEATURES);
        for (feature, row) in solution.iter().enumerate() {
            for (answer, &weight) in row.iter().enumerate() {
                weights.row_mut(answer)[feature] = weight as f32;
            }
        }
        model.weights = weights;
        model
    }

    fn features(&self, waves: &Waves, context: &Context, turn: [f32; 2]) -> Vec<f32> {
        let mut out = Vec::with_capacity(FEATURES);
        out.extend_from_slice(context);
        out.push(1.0);
        out.extend(waves.of(context));
        out.extend((0..2).map(|k| TURN * (turn[k] - self.turn_mean[k])));
        out
    }

    pub(crate) fn expect(&self, waves: &Waves, context: &Context, turn: [f32; 2]) -> Expected {
        let asked = self.features(waves, context, turn);
        let answer = |n: usize| dot(self.weights.row(n), &asked);
        Expected { lips: std::array::from_fn(answer), look: std::array::from_fn(|k| answer(LIPS + k)) }
    }

    /// By how many pixels each point moves for one pixel of turn along an axis.
    pub(crate) fn parallax(&self, point: usize, axis: usize) -> [f32; 2] {
        let of = |turn: usize| PIXELS * TURN * self.weights.row(LIPS + LOOK + 2 * point + axis)[FEATURES - 2 + turn];
        [of(0), of(1)]
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.weights.columns == FEATURES && self.weights.rows() == ANSWERS
    }
}

/// Cosines of random sums of what is asked; the same ones for everybody.
pub(crate) struct Waves {
    weights: Matrix,
    phases: Vec<f32>,
}

impl Waves {
    pub(crate) fn new() -> Self {
        let mut dice = Dice(0);
        let mut weights = Matrix::zero(WAVES, CONTEXT);
        for wave in 0..WAVES {
            for (n, weight) in weights.row_mut(wave).iter_mut().enumerate() {
                // What is asked further away counts less.
                let tap = TAPS[n / AXES] / 0.10;
                *weight = (WIDTH * dice.normal() * math::exp(-0.25 * tap * tap)) as f32;
            }
        }
        let phases = (0..WAVES).map(|_| (dice.unit() * std::f64::consts::TAU) as f32).collect();
        Self { weights, phases }
    }

    fn of(&self, context: &Context) -> impl Iterator<Item = f32> {
        let scale = 3.0 * (2.0 / WAVES as f32).sqrt();
        self.phases
            .iter()
            .enumerate()
            .map(move |(n, phase)| scale * math::cosf(dot(self.weights.row(n), context) + phase))
    }
}
