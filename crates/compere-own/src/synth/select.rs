//! Which pictures of the bank a speech is made of: the cheapest way through them, picture by picture.
//!
//! A picture costs by how far it is from what is asked of the mouth and from what the person's model expects; a join
//! costs by how unlike its two sides are. Staying in a run of footage is free.

use crate::bank::{Bank, moment};
use crate::linear::{Matrix, squared_distance};
use crate::lips::{AXES, Asking, CONTEXT, Context, Lips, Sounding, TAPS, lips_at};
use crate::model::{Expected, LOOK, Model};
use crate::track::points::MOUTH_POINTS;
use crate::track::pose::{LipShape, MouthPoints};
use compere_media::math;

const CANDIDATES: usize = 32;
const OF_LIPS: f32 = 6.0;
const OF_LOOK: f32 = 6.0;
const OF_TURN: f32 = 0.12;
/// Opening counts most.
const OF_SHAPE: [f32; 6] = [2.0 / 7.0, 1.5 / 7.0, 1.5 / 7.0, 0.1, 1.0 / 7.0, 0.3 / 7.0];
/// A regression shrinks what it expects towards the middle: pictures are chosen for an opening, outer height, width and drop of
/// the chin so many times as far from it. Points are then drawn back towards what is expected, and lips open as far as the person's do.
const STRETCH: [f32; 6] = [1.45, 1.45, 1.45, 1.0, 1.45, 1.0];
const OF_JOIN: f32 = 0.5;
const JUMP: f32 = 1.0;
/// What it costs when lips that must close, or touch the teeth, do not.
const UNCLOSED: f32 = 1.5;
const OFF_TEETH: f32 = 0.8;

/// Joins compare these numbers.
const JOINED: usize = LOOK + 4 + 2 * MOUTH_POINTS + 3;

/// A bank made ready for choosing from it.
pub(crate) struct Choice {
    /// Contexts, nearer moments weighing more.
    contexts: Matrix,
    joins: Matrix,
    /// The person's lips in the mean, in their own spreads.
    middle: LipShape,
}

/// What a speech is made of, picture by picture of the film.
pub(crate) struct Chosen {
    /// Pictures of the bank.
    pub(crate) pictures: Vec<usize>,
    /// Where lips, chin and jaw are expected.
    pub(crate) mouths: Vec<MouthPoints>,
}

/// Whether a picture of the bank is followed by the next one.
pub(crate) fn goes_on(bank: &Bank, picture: usize) -> bool {
    picture + 1 < bank.takes.len() && bank.takes[picture] == bank.takes[picture + 1]
}

/// What each moment weighs in a context.
fn near() -> [f32; CONTEXT] {
    let weights = TAPS.map(|tap| math::exp(-0.5 * (tap / 0.08) * (tap / 0.08)));
    let sum: f64 = weights.iter().sum();
    std::array::from_fn(|n| (weights[n / AXES] / sum).sqrt() as f32)
}

fn weighted(context: &[f32]) -> Context {
    let near = near();
    std::array::from_fn(|n| context[n] * near[n])
}

impl Choice {
    pub(crate) fn new(bank: &Bank, model: &Model) -> Self {
        let count = bank.lips.len();
        let mut contexts = Matrix::zero(count, CONTEXT);
        let mut joins = Matrix::zero(count, JOINED);
        for n in 0..count {
            contexts.row_mut(n).copy_from_slice(&weighted(bank.contexts.row(n)));
            let row = joins.row_mut(n);
            let (look, rest) = row.split_at_mut(LOOK);
            look.iter_mut().zip(bank.looks.row(n)).for_each(|(to, look)| *to = 1.3 * look);
            let (lips, rest) = rest.split_at_mut(4);
            lips.iter_mut().enumerate().for_each(|(k, to)| *to = 0.5 * bank.lips[n][k] / model.lip_scale()[k]);
            let (points, rest) = rest.split_at_mut(2 * MOUTH_POINTS);
            // As if the head were held as it mostly is.
            let usual = model.seen_from(&bank.mouths[n], bank.turns[n], model.turn_mean());
            points.iter_mut().zip(usual.as_flattened()).for_each(|(to, at)| *to = at / 40.0);
            rest.copy_from_slice(&[0.02 * bank.turns[n][0], 0.02 * bank.turns[n][1], 2.0 * bank.light[n] / 255.0]);
        }
        Self { contexts, joins, middle: middle(bank, model) }
    }

    /// The way of a speech through the bank. `turns` are those of the base's head, a film picture each.
    pub(crate) fn choose(&self, bank: &Bank, model: &Model, soundings: &[Sounding], turns: &[[f32; 2]]) -> Chosen {
        let asking = Asking::of(soundings);
        let (mut way, mut mouths) = (Way::default(), Vec::with_capacity(turns.len()));
        let mut costs = vec![0.0f32; bank.lips.len()];
        for (n, &turn) in turns.iter().enumerate() {
            let seconds = moment(n as u64);
            let context = asking.around(seconds);
            let mut expect = model.expect(&context, turn);
            expect.lips = stretched(&expect.lips, &self.middle);
            let asked = Asked { context: weighted(&context), turn, lips: lips_at(soundings, seconds) };
            self.costs(bank, model, &asked, &expect, &mut costs);
            way.step(&costs, bank, &self.joins);
            mouths.push(expect.mouth);
        }
        Chosen { pictures: way.back(), mouths }
    }

    fn costs(&self, bank: &Bank, model: &Model, asked: &Asked, expected: &Expected, out: &mut [f32]) {
        for (n, cost) in out.iter_mut().enumerate() {
            let context = squared_distance(&asked.context, self.contexts.row(n)).sqrt();
            let look = squared_distance(&expected.look, bank.looks.row(n)).sqrt();
            let [dx, dy] = [asked.turn[0] - bank.turns[n][0], asked.turn[1] - bank.turns[n][1]];
            let turn = (dx * dx + dy * dy).sqrt();
            let mut shape = 0.0;
            for (k, weight) in OF_SHAPE.iter().enumerate() {
                shape += weight * (expected.lips[k] - bank.lips[n][k] / model.lip_scale()[k]).abs();
            }
            let missed = match asked.lips {
                Lips::Closed if bank.asked[n] != Lips::Closed => UNCLOSED,
                Lips::OnTeeth if bank.asked[n] != Lips::OnTeeth => OFF_TEETH,
                _ => 0.0,
            };
            *cost = context + OF_LOOK * look + OF_TURN * turn + OF_LIPS * shape + missed;
        }
    }
}

fn middle(bank: &Bank, model: &Model) -> LipShape {
    let count = bank.lips.len().max(1) as f64;
    let mean = |k: usize| bank.lips.iter().map(|lips| f64::from(lips[k])).sum::<f64>() / count;
    std::array::from_fn(|k| mean(k) as f32 / model.lip_scale()[k])
}

/// Lips as far from the middle as the person's go.
fn stretched(lips: &LipShape, middle: &LipShape) -> LipShape {
    std::array::from_fn(|k| middle[k] + STRETCH[k] * (lips[k] - middle[k]))
}

struct Asked {
    context: Context,
    turn: [f32; 2],
    lips: Lips,
}

/// The cheapest ways to the candidates of each picture.
#[derive(Default)]
struct Way {
    steps: Vec<Step>,
}

struct Step {
    pictures: Vec<usize>,
    sums: Vec<f32>,
    /// Places in the step before.
    before: Vec<usize>,
}

impl Way {
    fn step(&mut self, costs: &[f32], bank: &Bank, joins: &Matrix) {
        let mut pictures = cheapest((0..costs.len()).collect(), costs, CANDIDATES);
        let Some(last) = self.steps.last() else {
            let sums = pictures.iter().map(|&picture| costs[picture]).collect();
            self.steps.push(Step { before: vec![0; pictures.len()], pictures, sums });
            return;
        };
        // What follows on candidates keeps runs alive.
        pictures.extend(last.pictures.iter().filter(|&&picture| goes_on(bank, picture)).map(|picture| picture + 1));
        pictures.sort_unstable();
        pictures.dedup();
        let pictures = cheapest(pictures, costs, 2 * CANDIDATES);
        let (mut sums, mut before) = (Vec::new(), Vec::new());
        for &picture in &pictures {
            let (mut least, mut from) = (f32::MAX, 0);
            for (place, (&old, sum)) in last.pictures.iter().zip(&last.sums).enumerate() {
                let runs = picture == old + 1 && goes_on(bank, old);
                // Already more expensive than the best, whatever the join costs.
                if !runs && sum + JUMP >= least {
                    continue;
                }
                let join = || OF_JOIN * squared_distance(joins.row(old), joins.row(picture)).sqrt() + JUMP;
                let whole = sum + if runs { 0.0 } else { join() };
                if whole < least {
                    (least, from) = (whole, place);
                }
            }
            sums.push(least + costs[picture]);
            before.push(from);
        }
        self.steps.push(Step { pictures, sums, before });
    }

    fn back(&self) -> Vec<usize> {
        let Some(last) = self.steps.last() else { return Vec::new() };
        let best = (1..last.sums.len()).fold(0, |best, n| if last.sums[n] < last.sums[best] { n } else { best });
        let mut place = best;
        let mut way: Vec<usize> = self
            .steps
            .iter()
            .rev()
            .map(|step| {
                let picture = step.pictures[place];
                place = step.before[place];
                picture
            })
            .collect();
        way.reverse();
        way
    }
}

/// The cheapest of some pictures, in order of their numbers.
fn cheapest(mut pictures: Vec<usize>, costs: &[f32], most: usize) -> Vec<usize> {
    if pictures.len() > most {
        pictures.select_nth_unstable_by(most, |&a, &b| costs[a].total_cmp(&costs[b]).then(a.cmp(&b)));
        pictures.truncate(most);
    }
    pictures.sort_unstable();
    pictures
}

/// At a join both runs overlap by a picture on either side: pictures with their parts.
pub(crate) fn mixture(bank: &Bank, pictures: &[usize]) -> Vec<Vec<(usize, f32)>> {
    let mut out: Vec<Vec<(usize, f32)>> = pictures.iter().map(|&picture| vec![(picture, 1.0)]).collect();
    for n in 1..pictures.len() {
        let (old, new) = (pictures[n - 1], pictures[n]);
        if new == old + 1 {
            continue;
        }
        if new > 0 && goes_on(bank, new - 1) {
            out[n - 1].iter_mut().for_each(|(_, part)| *part *= 2.0 / 3.0);
            out[n - 1].push((new - 1, 1.0 / 3.0));
        }
        if goes_on(bank, old) {
            out[n] = vec![(new, 2.0 / 3.0), (old + 1, 1.0 / 3.0)];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_lips_are_wanted_further_open_and_closed_ones_further_closed() {
        let middle = [2.0; 6];
        let [open, .., gap, drop, depth] = stretched(&[3.0; 6], &middle);
        assert!(open > 3.2 && drop > 3.2, "{open} {drop}");
        assert_eq!((gap, depth), (3.0, 3.0), "what says little about opening is left as it is expected");
        assert!(stretched(&[1.0; 6], &middle)[0] < 0.8);
        assert_eq!(stretched(&middle, &middle), middle);
    }
}
