//! How one person moves: from what is asked of the mouth (and how the head is turned) to the shape of the lips, their look
//! and the points around them.
//!
//! What is expected is the mean of what was filmed, every picture weighing as much as it was asked the like of (kernel ridge
//! regression, around the mean): pictures are few, and a regression on features of all of them knows less of each. How points
//! move as the head turns is the person's own parallax, which spares a model in three dimensions.

mod beyond;

pub(crate) use beyond::Opened;

use crate::linear::{Matrix, dot, solve, squared_distance, transposed_product};
use crate::lips::{AXES, CONTEXT, Context, TAPS};
use crate::track::points::MOUTH_POINTS;
use crate::track::pose::{LipShape, MouthPoints};
use compere_media::math;

/// What is asked so many seconds away weighs less.
const NEAR: f64 = 0.06;
/// Pictures are alike by what is asked of them; and by that and by how the head is turned.
const ALIKE: f32 = 9.0;
const ALIKE_TURNED: f32 = 4.0;
/// How little a picture is trusted.
const RIDGE: f64 = 3.0;
/// Pictures that are learned from at most, evenly chosen: what it costs grows with their cube.
const MOST: usize = 2400;
/// What a pixel of turn weighs beside what is asked.
const TURN: f32 = 0.2;
/// A head that is turned twice as far shows more than twice as much, so squares count as well. They grow slower beyond so many pixels: a
/// single take with a wide turn teaches little about others.
const FAR: f32 = 6.0;
const TURNS: usize = 5;
/// What is asked and how the head is turned, rounded up to lanes.
const ASKED: usize = (CONTEXT + TURNS).next_multiple_of(8);
/// Numbers that the look of a mouth is told by.
pub(crate) const LOOK: usize = 24;
const LIPS: usize = 6;
const POINTS: usize = 2 * MOUTH_POINTS;
pub(crate) const ANSWERS: usize = LIPS + LOOK + POINTS;
/// Canonical pixels that count as one in the regression.
const PIXELS: f32 = 10.0;

/// What the model expects of a mouth.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    /// In the person's own spreads.
    pub(crate) lips: LipShape,
    pub(crate) look: [f32; LOOK],
    pub(crate) mouth: MouthPoints,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    /// What was asked, and how the head was turned, in the pictures that were learned from.
    asked: Matrix,
    pub(crate) learned: Learned,
}

/// What is kept of a model beside the bank.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Learned {
    /// A row per picture that was learned from, what it adds to every answer.
    pub(crate) weights: Matrix,
    pub(crate) means: Vec<f32>,
    /// Of every point's two places what a turn adds, a row per part of a turn.
    pub(crate) parallax: Matrix,
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

impl Learned {
    fn is_of(&self, pictures: usize) -> bool {
        let taught = pictures.div_ceil(step(pictures));
        self.weights.columns == ANSWERS
            && self.weights.rows() == taught
            && self.means.len() == ANSWERS
            && self.parallax.columns == POINTS
            && self.parallax.rows() == TURNS
    }
}

/// Of so many pictures every how manieth is learned from.
fn step(pictures: usize) -> usize {
    pictures.div_ceil(MOST).max(1)
}

impl Model {
    pub(crate) fn learn(lessons: &[Lesson<'_>]) -> Self {
        let count = lessons.len().max(1) as f64;
        let mean = |of: &dyn Fn(&Lesson<'_>) -> f64| lessons.iter().map(of).sum::<f64>() / count;
        let lip_scale = std::array::from_fn(|k| {
            let middle = mean(&|one| f64::from(one.lips[k]));
            let square = mean(&|one| (f64::from(one.lips[k]) - middle) * (f64::from(one.lips[k]) - middle));
            square.sqrt() as f32 + 1e-6
        });
        let turn_mean = std::array::from_fn(|k| mean(&|one| f64::from(one.turn[k])) as f32);
        let every = step(lessons.len());
        let taught = || lessons.iter().step_by(every);
        let asked = rows(taught().map(|one| asked(one.context, one.turn, turn_mean)));
        let mut answers = rows(taught().map(|one| answers(one, &lip_scale)));
        let means = centred(&mut answers);
        let parallax = parallax(&asked, &answers);
        let system = (0..asked.rows()).map(|n| {
            let mut alike = alike(&asked, asked.row(n));
            alike[n] += RIDGE as f32;
            alike.into_iter().map(f64::from).collect()
        });
        let sides = (0..answers.rows()).map(|n| answers.row(n).iter().copied().map(f64::from).collect());
        let solution = solve(system.collect(), sides.collect());
        let numbers = solution.into_iter().flatten().map(|weight| weight as f32).collect();
        let weights = Matrix { columns: ANSWERS, numbers };
        Self { asked, learned: Learned { weights, means, parallax, lip_scale, turn_mean } }
    }

    /// As it was learned before, from the contexts and turns of a bank.
    pub(crate) fn of(learned: Learned, contexts: &Matrix, turns: &[[f32; 2]]) -> Option<Self> {
        if contexts.columns != CONTEXT || !learned.is_of(turns.len()) || contexts.rows() != turns.len() {
            return None;
        }
        let taught = contexts.numbers.as_chunks::<CONTEXT>().0.iter().zip(turns).step_by(step(turns.len()));
        let asked = rows(taught.map(|(context, &turn)| asked(context, turn, learned.turn_mean)));
        Some(Self { asked, learned })
    }

    pub(crate) fn expect(&self, context: &Context, turn: [f32; 2]) -> Expected {
        let alike = alike(&self.asked, &asked(context, turn, self.learned.turn_mean));
        let mut sums = self.learned.means.clone();
        for (row, alike) in self.learned.weights.numbers.chunks_exact(ANSWERS).zip(alike) {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += alike * weight);
        }
        let (lips, rest) = sums.split_at(LIPS);
        let (look, points) = rest.split_at(LOOK);
        Expected {
            lips: std::array::from_fn(|k| lips[k]),
            look: std::array::from_fn(|k| look[k]),
            mouth: std::array::from_fn(|point| std::array::from_fn(|axis| PIXELS * points[2 * point + axis])),
        }
    }

    /// A mouth that was seen with the head turned as at `from`, as it is seen at `to`.
    pub(crate) fn seen_from(&self, mouth: &MouthPoints, from: [f32; 2], to: [f32; 2]) -> MouthPoints {
        let [from, to] = [from, to].map(|turn| turned(turn, self.learned.turn_mean));
        let mut out = *mouth;
        for (k, row) in self.learned.parallax.numbers.chunks_exact(POINTS).enumerate() {
            let by = PIXELS * (to[k] - from[k]);
            out.as_flattened_mut().iter_mut().zip(row).for_each(|(at, parallax)| *at += by * parallax);
        }
        out
    }

    /// Where lips, chin and jaw mostly are with the head turned like that.
    pub(crate) fn usual(&self, turn: [f32; 2]) -> MouthPoints {
        let points = &self.learned.means[LIPS + LOOK..];
        let mean = std::array::from_fn(|point| std::array::from_fn(|axis| PIXELS * points[2 * point + axis]));
        self.seen_from(&mean, self.learned.turn_mean, turn)
    }

    pub(crate) fn lip_scale(&self) -> &LipShape {
        &self.learned.lip_scale
    }

    pub(crate) fn turn_mean(&self) -> [f32; 2] {
        self.learned.turn_mean
    }
}

fn rows<const N: usize>(of: impl Iterator<Item = [f32; N]>) -> Matrix {
    Matrix { columns: N, numbers: of.flatten().collect() }
}

/// What a turn adds to what is asked: itself and its squares.
fn turned(turn: [f32; 2], mean: [f32; 2]) -> [f32; TURNS] {
    let by: [f32; 2] = std::array::from_fn(|k| turn[k] - mean[k]);
    let [x, y] = by.map(|by| TURN * by / (1.0 + by * by / (FAR * FAR)).sqrt());
    [TURN * by[0], TURN * by[1], x * x, y * y, x * y]
}

/// What is asked, nearer moments weighing more, and the turn.
fn asked(context: &Context, turn: [f32; 2], mean: [f32; 2]) -> [f32; ASKED] {
    let near = TAPS.map(|tap| math::exp(-0.25 * (tap / NEAR) * (tap / NEAR)) as f32);
    let turned = turned(turn, mean);
    std::array::from_fn(|n| match context.get(n) {
        Some(asked) => near[n / AXES] * asked,
        None => turned.get(n - CONTEXT).copied().unwrap_or(0.0),
    })
}

fn answers(lesson: &Lesson<'_>, lip_scale: &LipShape) -> [f32; ANSWERS] {
    let points = lesson.mouth.as_flattened();
    std::array::from_fn(|n| match n {
        n if n < LIPS => lesson.lips[n] / lip_scale[n],
        n if n < LIPS + LOOK => lesson.look[n - LIPS],
        n => points[n - LIPS - LOOK] / PIXELS,
    })
}

/// How alike one picture is to every one that was learned from.
fn alike(all: &Matrix, one: &[f32]) -> Vec<f32> {
    let (context, turn) = one.split_at(CONTEXT);
    let like = |other: &[f32]| {
        let (other_context, other_turn) = other.split_at(CONTEXT);
        let (away, turned) = (squared_distance(context, other_context), squared_distance(turn, other_turn));
        // One of half as much where they are the root of two apart, and never naught.
        let near = |away: f32| 1.0 / (1.0 + 0.5 * away);
        ALIKE * near(away) + ALIKE_TURNED * near(away + turned) + dot(one, other)
    };
    all.numbers.chunks_exact(ASKED).map(like).collect()
}

/// What a turn does to points, when what is asked is accounted for in the plainest way.
fn parallax(asked: &Matrix, answers: &Matrix) -> Matrix {
    let mut asked = asked.clone();
    centred(&mut asked);
    let points: Vec<f32> = answers.numbers.chunks_exact(ANSWERS).flat_map(|row| &row[LIPS + LOOK..]).copied().collect();
    let points = Matrix { columns: POINTS, numbers: points };
    let mut system = transposed_product(&asked, &asked);
    for (n, row) in system.iter_mut().enumerate() {
        row[n] += RIDGE;
    }
    let solution = solve(system, transposed_product(&asked, &points));
    let turns = solution[CONTEXT..CONTEXT + TURNS].iter().flatten();
    Matrix { columns: POINTS, numbers: turns.map(|&weight| weight as f32).collect() }
}

/// Takes its mean from every column, and tells it. A ridge draws answers to naught, and a chin lies far from it.
fn centred(rows: &mut Matrix) -> Vec<f32> {
    let count = rows.rows().max(1) as f64;
    let mut means = vec![0.0f64; rows.columns];
    for row in rows.numbers.chunks_exact(rows.columns) {
        means.iter_mut().zip(row).for_each(|(mean, &number)| *mean += f64::from(number) / count);
    }
    let means: Vec<f32> = means.into_iter().map(|mean| mean as f32).collect();
    for row in rows.numbers.chunks_exact_mut(rows.columns) {
        row.iter_mut().zip(&means).for_each(|(number, mean)| *number -= mean);
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maths::Dice;

    /// A person whose chin drops with what is asked, lower where the head is turned, far from the canonical corner.
    fn dropped(asked: f32, turn: [f32; 2]) -> MouthPoints {
        [[180.0 + 0.5 * turn[0], 400.0 + 30.0 * asked + 0.08 * turn[0] * turn[0]]; MOUTH_POINTS]
    }

    fn told(count: usize) -> Vec<(Context, [f32; 2], MouthPoints)> {
        let mut dice = Dice(4);
        let mut one = |_| {
            let (asked, turn) = (dice.unit() as f32, [4.0 * dice.normal() as f32, 3.0 * dice.normal() as f32]);
            ([asked; CONTEXT], turn, dropped(asked, turn))
        };
        (0..count).map(&mut one).collect()
    }

    fn learned(told: &[(Context, [f32; 2], MouthPoints)]) -> Model {
        let look = [0.0; LOOK];
        let lessons: Vec<Lesson<'_>> = told
            .iter()
            .map(|(context, turn, mouth)| Lesson { context, turn: *turn, lips: [context[0]; 6], look: &look, mouth })
            .collect();
        Model::learn(&lessons)
    }

    #[test]
    fn what_was_not_filmed_is_expected_where_it_would_be() {
        let model = learned(&told(300));
        for (asked, turn) in [(0.2, [1.0, 0.0]), (0.5, [-4.0, 2.0]), (0.8, [3.0, -1.0])] {
            let (found, wanted) = (model.expect(&[asked; CONTEXT], turn), dropped(asked, turn));
            let [dx, dy] = [found.mouth[3][0] - wanted[3][0], found.mouth[3][1] - wanted[3][1]];
            assert!(dx.abs() < 0.5 && dy.abs() < 1.0, "{asked} {turn:?}: {dx} {dy}");
        }
    }

    #[test]
    fn a_turned_head_shows_its_mouth_elsewhere() {
        let model = learned(&told(300));
        let (from, to) = ([-4.0, 0.0], [5.0, 0.0]);
        let (seen, wanted) = (model.seen_from(&dropped(0.5, from), from, to), dropped(0.5, to));
        let [dx, dy] = [seen[0][0] - wanted[0][0], seen[0][1] - wanted[0][1]];
        assert!(dx.abs() < 0.5 && dy.abs() < 0.5, "{dx} {dy}");
        let same = model.seen_from(&dropped(0.5, from), from, from);
        assert_eq!(same, dropped(0.5, from));
    }

    #[test]
    fn of_many_pictures_some_are_learned_from_and_read_again() {
        let told = told(MOST + 10);
        let model = learned(&told);
        assert_eq!(model.learned.weights.rows(), (MOST + 10) / 2);
        let contexts = Matrix { columns: CONTEXT, numbers: told.iter().flat_map(|one| one.0).collect() };
        let turns: Vec<[f32; 2]> = told.iter().map(|one| one.1).collect();
        assert_eq!(Model::of(model.learned.clone(), &contexts, &turns).as_ref(), Some(&model));
        assert!(Model::of(model.learned, &contexts, &turns[1..]).is_none(), "of another bank");
    }
}
