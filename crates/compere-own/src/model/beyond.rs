//! How much further a person's lips open than a regression expects them to.
//!
//! Whatever is a mean lies nearer to the middle than what it is a mean of, for one person more than for another. How much is
//! seen where a part of the takes is left out, and expected from the others.

use super::{Model, RIDGE, alike, step};
use crate::linear::{Matrix, solve};
use crate::maths::percentile;

/// Takes are left out in so many parts.
const PARTS: u32 = 5;
/// Pictures that are tried at most, evenly chosen: what it costs, whenever a bank is opened, grows with their cube.
const MOST: usize = 800;
/// Of fewer pictures less is known of each other, so that rather too much is found than too little.
const FURTHEST: f32 = 1.3;

/// What was seen in one picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened {
    pub(crate) by: f32,
    pub(crate) take: u32,
}

/// Some of a model's pictures as they are tried.
struct Trial {
    opened: Vec<Opened>,
    /// How alike each is to every other.
    alike: Vec<Vec<f32>>,
    ridge: f64,
}

impl Model {
    /// By how much lips that are expected open are to be opened further, beyond what they mostly are: 1 for not at all. `all` is of
    /// the bank that was learned from.
    pub(crate) fn beyond(&self, all: &[Opened]) -> f32 {
        let trial = Trial::of(self, all);
        let (mut expected, mut seen) = (Vec::new(), Vec::new());
        for part in 0..PARTS {
            let (left, kept): (Vec<usize>, Vec<usize>) =
                (0..trial.opened.len()).partition(|&n| trial.opened[n].take % PARTS == part);
            if !left.is_empty() && !kept.is_empty() {
                expected.extend(trial.expected(&left, &kept));
                seen.extend(left.iter().map(|&n| trial.opened[n].by));
            }
        }
        let wide = |of: &[f32]| percentile(of, 0.95) - percentile(of, 0.5);
        let (expected, seen) = (wide(&expected), wide(&seen));
        if expected > 0.0 { (seen / expected).clamp(1.0, FURTHEST) } else { 1.0 }
    }
}

impl Trial {
    fn of(model: &Model, all: &[Opened]) -> Self {
        let taught: Vec<Opened> = all.iter().copied().step_by(step(all.len())).collect();
        let every = taught.len().div_ceil(MOST).max(1);
        let rows = (0..model.asked.rows()).step_by(every).flat_map(|n| model.asked.row(n)).copied();
        let asked = Matrix { columns: model.asked.columns, numbers: rows.collect() };
        let alike = (0..asked.rows()).map(|n| alike(&asked, asked.row(n))).collect();
        // Of neighbours that are left out, each would have said nearly the same.
        let ridge = RIDGE / every as f64;
        Self { opened: taught.into_iter().step_by(every).collect(), alike, ridge }
    }

    /// How far the lips are expected to open in pictures that are left out.
    fn expected(&self, left: &[usize], kept: &[usize]) -> Vec<f32> {
        let mean = kept.iter().map(|&n| f64::from(self.opened[n].by)).sum::<f64>() / kept.len() as f64;
        let row = |&n: &usize| {
            let alike = kept.iter().map(|&m| f64::from(self.alike[n][m]) + if n == m { self.ridge } else { 0.0 });
            alike.collect::<Vec<f64>>()
        };
        let sides = kept.iter().map(|&n| vec![f64::from(self.opened[n].by) - mean]);
        let weights = solve(kept.iter().map(row).collect(), sides.collect());
        let expect = |&n: &usize| {
            let sum: f64 = kept.iter().zip(&weights).map(|(&m, weight)| f64::from(self.alike[n][m]) * weight[0]).sum();
            (mean + sum) as f32
        };
        left.iter().map(expect).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lips::CONTEXT;
    use crate::maths::Dice;
    use crate::model::{LOOK, Lesson};
    use crate::track::points::MOUTH_POINTS;

    /// How far takes of fifty pictures say to open the lips beyond what is expected, where each take opens them so much further
    /// or less far than asked as `loud` says.
    fn beyond(takes: u32, loud: impl Fn(&mut Dice) -> f32) -> f32 {
        let mut dice = Dice(9);
        let mut told = Vec::new();
        for take in 0..takes {
            let loud = loud(&mut dice);
            for _ in 0..50 {
                let asked = dice.unit() as f32;
                told.push(([asked; CONTEXT], Opened { by: loud * asked * asked, take }));
            }
        }
        let (look, mouth) = ([0.0; LOOK], [[0.0; 2]; MOUTH_POINTS]);
        let lesson = |(context, opened): &(_, Opened)| (*context, [opened.by; 6]);
        let seen: Vec<([f32; CONTEXT], [f32; 6])> = told.iter().map(lesson).collect();
        let lessons: Vec<Lesson<'_>> = seen
            .iter()
            .map(|(context, lips)| Lesson { context, turn: [0.0; 2], lips: *lips, look: &look, mouth: &mouth })
            .collect();
        let opened: Vec<Opened> = told.iter().map(|(_, opened)| *opened).collect();
        Model::learn(&lessons).beyond(&opened)
    }

    #[test]
    fn who_does_what_is_expected_is_not_opened_further_and_who_varies_is() {
        let steady = beyond(20, |_| 20.0);
        assert!(steady < 1.03, "{steady}");
        let varied = beyond(20, |dice| 20.0 * (0.4 + 1.2 * dice.unit() as f32));
        assert!(varied > steady + 0.05 && varied <= FURTHEST, "{varied}");
    }

    #[test]
    fn one_take_tells_nothing() {
        assert!((beyond(1, |_| 20.0) - 1.0).abs() < 1e-6);
    }
}
