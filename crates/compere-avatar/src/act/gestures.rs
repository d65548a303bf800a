//! When arms move, and where to.
//!
//! Gestures are sparse and never quite the same twice: they fall on stressed words near the start of a sentence, begin
//! with a small move the other way, arrive with the word and settle. What the script asks for comes first, and keeps
//! everything else at a distance.

use compere_media::{Cue, CueMark, Gesture, SAMPLE_RATE};

use super::arms::{self, Arm, Arms, Idle, Reach, between};
use super::habits::{Habits, Manner};
use crate::maths::{Dice, ease, smooth};

/// Seconds from the first stir of an arm to its arrival.
const STROKE: f32 = 0.62;
/// Seconds it takes to come to rest again.
const RETURN: f32 = 0.85;
/// Seconds around a gesture of the script without any other.
const APART: f32 = 2.6;

/// What speech offers to gestures, in seconds.
#[derive(Clone, Debug, Default)]
pub(super) struct Rhythm {
    pub(super) stressed: Vec<f32>,
    /// Where sentences and phrases begin.
    pub(super) starts: Vec<f32>,
    /// The last sound.
    pub(super) end: f32,
}

/// An arm on its way.
#[derive(Clone, Copy, Debug)]
struct Carry {
    start: f32,
    length: f32,
    from: Reach,
    to: Reach,
}

impl Carry {
    fn at(&self, t: f32) -> Reach {
        between(&self.from, &self.to, swing((t - self.start) / self.length))
    }
}

/// From 0 to 1 with a little of the other way first and a little too far at last.
fn swing(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    let bump = |a: f32, b: f32| {
        let x = ((t - a) / (b - a)).clamp(0.0, 1.0);
        16.0 * x * x * (1.0 - x) * (1.0 - x)
    };
    let body = ease(((t - 0.10) / 0.74).clamp(0.0, 1.0));
    body - 0.035 * bump(0.0, 0.30) + 0.030 * bump(0.66, 1.0)
}

/// The part of a stroke after which it has arrived.
const ARRIVED: f32 = 0.84;

#[derive(Clone, Debug)]
pub(super) struct Gestures {
    sides: [Vec<Carry>; 2],
    rest: [Reach; 2],
    tablet: bool,
}

/// One gesture to be made.
#[derive(Clone, Copy, Debug)]
struct Plan {
    gesture: Gesture,
    at: f32,
    hold: f32,
    hand: usize,
    /// Of the script, exact and in full.
    told: bool,
}

impl Gestures {
    pub(super) fn new(rhythm: &Rhythm, cues: &[CueMark], seconds: f32, habits: &Habits, dice: &mut Dice) -> Self {
        let mut told: Vec<(f32, Gesture)> = cues
            .iter()
            .filter_map(|mark| match mark.cue {
                Cue::Gesture(gesture) => Some((seconds_of(mark.at), gesture)),
                _ => None,
            })
            .collect();
        told.sort_by(|a, b| a.0.total_cmp(&b.0));
        let tablet = has_tablet(told.iter().map(|(_, gesture)| *gesture), habits);
        let mut plans: Vec<Plan> = told
            .iter()
            .enumerate()
            .map(|(n, &(at, gesture))| {
                let next = told.get(n + 1).map_or(f32::MAX, |next| next.0 - STROKE);
                let hold = if gesture.stays() { f32::MAX } else { (next - at).clamp(0.3, 1.9) };
                let hand = if gesture == Gesture::Open && !tablet { arms::BOTH } else { free(habits.hand, tablet) };
                Plan { gesture, at, hold, hand, told: true }
            })
            .collect();
        plans.extend(own(rhythm, &told, seconds, tablet, habits, dice));
        plans.sort_by(|a, b| a.at.total_cmp(&b.at));
        let opening = told.first().filter(|(at, gesture)| gesture.stays() && *at < 0.45).map(|first| first.1);
        let rest = opening.map_or_else(|| home(habits, tablet), |gesture| resting(gesture, habits, tablet));
        let mut gestures = Self { sides: [Vec::new(), Vec::new()], rest, tablet };
        let mut posture = rest;
        for (n, plan) in plans.iter().enumerate() {
            let next = plans.get(n + 1).map_or(f32::MAX, |next| next.at);
            gestures.perform(plan, next, &mut posture, habits, dice);
        }
        gestures
    }

    /// The arms of a gesture in full; at rest for none.
    pub(super) fn still(gesture: Option<Gesture>, habits: &Habits) -> Arms {
        let tablet = has_tablet(gesture.into_iter(), habits);
        let held = gesture.filter(|gesture| gesture.stays());
        let mut sides = held.map_or_else(|| home(habits, tablet), |gesture| resting(gesture, habits, tablet));
        if let Some(gesture) = gesture.filter(|gesture| !gesture.stays()) {
            let hand = if gesture == Gesture::Open && !tablet { arms::BOTH } else { free(habits.hand, tablet) };
            let mut aims = aims(gesture, hand, habits);
            free_the_other(&mut aims, &sides, habits, tablet);
            for (side, aim) in sides.iter_mut().zip(aims) {
                *side = aim.unwrap_or(*side);
            }
        }
        Arms { sides: sides.map(|side| Arm::new(&side)), tablet }
    }

    fn perform(&mut self, plan: &Plan, next: f32, posture: &mut [Reach; 2], habits: &Habits, dice: &mut Dice) {
        if plan.gesture.stays() {
            *posture = resting(plan.gesture, habits, self.tablet);
            for (side, &rest) in posture.iter().enumerate() {
                self.carry(side, plan.at - ARRIVED - 0.06 * side as f32, 1.0, rest);
            }
            return;
        }
        let mut aims = aims(plan.gesture, plan.hand, habits);
        if self.tablet {
            aims[0] = None;
        }
        free_the_other(&mut aims, posture, habits, self.tablet);
        let leave = plan.at + plan.hold;
        for (side, &rest) in posture.iter().enumerate() {
            let Some(mut aim) = aims[side] else { continue };
            if !plan.told && !hangs(&aim) {
                vary(&mut aim, habits, dice);
            }
            // Hands never leave together to the frame.
            let lag = if aims[1 - side].is_some() && side != habits.hand { dice.between(0.03, 0.08) } else { 0.0 };
            self.carry(side, plan.at - STROKE * ARRIVED + lag, STROKE, aim);
            if !plan.told && plan.hold > 0.75 && !hangs(&aim) {
                // A beat while it is held.
                let mut beat = aim;
                beat.wrist[2] -= 0.035;
                beat.wrist[3] += 0.02;
                self.carry(side, plan.at + 0.34 + lag, 0.3, beat);
            }
            // From one gesture into the next, without a rest between.
            if next - STROKE > leave + RETURN * 0.6 {
                self.carry(side, leave + lag, RETURN, rest);
            }
        }
    }

    fn carry(&mut self, side: usize, start: f32, length: f32, to: Reach) {
        let from = self.reach(side, start);
        self.sides[side].push(Carry { start, length, from, to });
    }

    fn reach(&self, side: usize, t: f32) -> Reach {
        // In the order they were planned: a later one takes over where the arm is.
        let now = self.sides[side].iter().rev().find(|carry| carry.start <= t);
        now.map_or(self.rest[side], |carry| carry.at(t))
    }

    pub(super) fn at(&self, t: f32) -> Arms {
        Arms { sides: std::array::from_fn(|side| Arm::new(&self.reach(side, t))), tablet: self.tablet }
    }

    /// How far each arm is raised, 0 to 1: shoulders go with it.
    pub(super) fn raised(&self, t: f32) -> [f32; 2] {
        std::array::from_fn(|side| smooth(-0.75, 0.05, self.reach(side, t).wrist[2]))
    }
}

fn seconds_of(samples: u64) -> f32 {
    (samples as f64 / f64::from(SAMPLE_RATE)) as f32
}

/// Whether there is a tablet where these gestures are asked for. Who holds one at rest has none where a script wants
/// another posture, the hand that carries it, or one that would be behind it.
fn has_tablet(mut told: impl Iterator<Item = Gesture> + Clone, habits: &Habits) -> bool {
    let in_the_way = |gesture: Gesture| gesture.stays() || matches!(gesture, Gesture::PointLeft | Gesture::Heart);
    let mut all = told.clone();
    told.any(|gesture| gesture == Gesture::Tablet) || (habits.rest == Idle::Tablet && !all.any(in_the_way))
}

/// The hand that is free to gesture.
fn free(hand: usize, tablet: bool) -> usize {
    if tablet { 1 } else { hand }
}

/// Both arms of somebody who was not asked for anything.
fn home(habits: &Habits, tablet: bool) -> [Reach; 2] {
    let rest = if habits.rest == Idle::Tablet && !tablet { Idle::Together } else { habits.rest };
    let arms = arms::idle(rest, habits.hand, habits.build);
    apart(arms, rest == Idle::Beside, rest == Idle::Tablet, habits, tablet)
}

/// Both arms of a posture.
fn resting(gesture: Gesture, habits: &Habits, tablet: bool) -> [Reach; 2] {
    let arms = arms::arms(gesture, habits.hand, habits.build);
    let hanging = arms::idle(Idle::Beside, 0, habits.build);
    let arms = std::array::from_fn(|side| arms[side].unwrap_or(hanging[side]));
    apart(arms, gesture == Gesture::Relaxed, gesture == Gesture::Tablet, habits, tablet)
}

/// How both arms stand in a gesture, those before the body before the lens.
fn aims(gesture: Gesture, hand: usize, habits: &Habits) -> [Option<Reach>; 2] {
    let mut aims = arms::arms(gesture, hand, habits.build);
    if gesture == Gesture::Open {
        for (side, aim) in aims.iter_mut().enumerate() {
            aim.iter_mut().for_each(|reach| reach.wrist[1] += habits.shift(side));
        }
    }
    aims
}

/// A hand that lay in the other one would be left before the body, on nothing: it goes to the side.
fn free_the_other(aims: &mut [Option<Reach>; 2], posture: &[Reach; 2], habits: &Habits, tablet: bool) {
    if !habits.build.is_solid() || tablet {
        return;
    }
    let mut beside = resting(Gesture::Relaxed, habits, tablet);
    // Bent a little: an arm that hangs straight beside one that acts is asleep.
    for reach in &mut beside {
        reach.wrist[1] += 0.035;
        reach.wrist[2] += 0.075;
        reach.wrist[3] += 0.10;
        reach.swivel += 0.12;
    }
    for side in 0..2 {
        if aims[1 - side].is_some() && arms::is_met(&posture[side]) {
            aims[side] = aims[side].or(Some(beside[side]));
        }
    }
}

fn hangs(reach: &Reach) -> bool {
    reach.wrist[2] < -0.8
}

/// Each of two that hang a little another way; one that has a tablet carries it where it does not hold it.
fn apart(arms: [Reach; 2], hang: bool, holds: bool, habits: &Habits, tablet: bool) -> [Reach; 2] {
    std::array::from_fn(|side| {
        let mut reach = arms[side];
        if hang {
            let mine = if side == habits.hand { 1.0 } else { -1.0 };
            reach.wrist[1] += 0.022 * mine + 0.01;
            reach.wrist[2] += if side == habits.hand { 0.012 } else { -0.004 };
            reach.wrist[3] += 0.03 * mine;
        }
        if arms::touches(&reach) {
            reach.wrist[1] += habits.shift(side);
            // Nobody holds them as high as the next one does.
            reach.wrist[2] += if holds { 0.0 } else { 0.035 * habits.aside };
        }
        if tablet && side == 0 && !holds {
            reach = arms::carrying();
        }
        reach
    })
}

/// The gestures nobody asked for.
fn own(
    rhythm: &Rhythm,
    told: &[(f32, Gesture)],
    seconds: f32,
    tablet: bool,
    habits: &Habits,
    dice: &mut Dice,
) -> Vec<Plan> {
    // Seconds from gesture to gesture.
    let [least, most] = match habits.manner {
        Manner::Calm => [19.0, 31.0],
        Manner::Formal => [24.0, 38.0],
        Manner::Lively => [6.2, 11.5],
    };
    let mut out: Vec<Plan> = Vec::new();
    let mut earliest = dice.between(0.12, 0.4) * least + 0.9;
    let mut last = None;
    while let Some(at) = moment(rhythm, earliest) {
        if at + 0.9 > rhythm.end.min(seconds) {
            break;
        }
        let busy = told.iter().any(|(told, gesture)| {
            (told - at).abs() < APART
                || (*told < at && matches!(gesture, Gesture::Folded | Gesture::Desk | Gesture::Tablet))
        });
        if busy {
            earliest = at + 0.4;
            continue;
        }
        let (gesture, hand) = choice(last, tablet, habits, dice);
        last = Some((gesture, hand));
        out.push(Plan { gesture, at, hold: dice.between(0.45, 1.15), hand, told: false });
        earliest = at + dice.between(least, most);
    }
    out
}

/// A stressed word from then on: the first of a sentence, if one begins soon.
fn moment(rhythm: &Rhythm, earliest: f32) -> Option<f32> {
    let word = |from: f32| rhythm.stressed.iter().copied().find(|&at| at >= from);
    let first = word(earliest)?;
    let start = rhythm.starts.iter().copied().find(|&start| start >= earliest - 0.2 && start < first + 2.2);
    start.and_then(word).filter(|&at| at < first + 3.0).or(Some(first))
}

fn choice(last: Option<(Gesture, usize)>, tablet: bool, habits: &Habits, dice: &mut Dice) -> (Gesture, usize) {
    let other = 1 - habits.hand;
    let mut all = vec![
        (Gesture::Open, arms::BOTH, 3.0),
        (Gesture::Open, habits.hand, 3.2),
        (Gesture::Open, other, 1.4),
        (Gesture::Heart, habits.hand, if habits.manner == Manner::Lively { 0.5 } else { 0.8 }),
    ];
    if tablet {
        all = vec![(Gesture::Open, 1, 1.0)];
    }
    all.retain(|&(gesture, hand, _)| all_but(last, gesture, hand) || tablet);
    let total: f32 = all.iter().map(|choice| choice.2).sum();
    let mut at = dice.unit() * total;
    for &(gesture, hand, weight) in &all {
        at -= weight;
        if at <= 0.0 {
            return (gesture, hand);
        }
    }
    (Gesture::Open, habits.hand)
}

fn all_but(last: Option<(Gesture, usize)>, gesture: Gesture, hand: usize) -> bool {
    last != Some((gesture, hand))
}

/// No two alike, and the size of one's manner.
fn vary(aim: &mut Reach, habits: &Habits, dice: &mut Dice) {
    let size = match habits.manner {
        Manner::Calm => 0.90,
        Manner::Formal => 0.80,
        Manner::Lively => 1.06,
    };
    let low = if habits.build.is_solid() { -0.46 } else { -0.60 };
    aim.wrist[1] = aim.wrist[1] * size + dice.normal() * 0.022;
    aim.wrist[2] = low + (aim.wrist[2] - low) * size + dice.normal() * 0.028;
    aim.wrist[3] += dice.normal() * 0.02;
    for k in 0..3 {
        aim.fingers[k] += dice.normal() * 0.08;
        aim.palm[k] += dice.normal() * 0.06;
    }
    aim.fingers = arms::unit(aim.fingers);
    aim.palm = arms::unit(aim.palm);
    for curl in &mut aim.curl {
        *curl = (*curl + dice.normal() * 0.03).max(0.0);
    }
}
