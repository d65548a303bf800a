//! Everything a face does besides speaking: it blinks, looks, breathes, sways, nods and smiles.
//!
//! The head moves in bursts and rests between them, as heads do; between bursts nothing is repainted.

use compere_media::{Cue, CueMark, Look, Marks, Mood, SAMPLE_RATE};

use super::gestures::{Gestures, Rhythm};
use super::lips::{self, Mouth, Speech, moment};
use super::{Body, Ch, Face, Habits, Head, Pose, visemes};
use crate::Role;
use crate::maths::{Dice, ease, lerp, smooth};

const FRAMES: f32 = 30.0;

/// A value that eases to a new one from time to time.
#[derive(Clone, Copy, Debug)]
struct Move<const N: usize> {
    start: f32,
    length: f32,
    to: [f32; N],
}

#[derive(Clone, Debug)]
pub(super) struct Life {
    blinks: Vec<f32>,
    gaze: Vec<Move<2>>,
    /// Yaw, pitch, roll.
    sway: Vec<Move<3>>,
    /// Where the weight is.
    weight: Vec<Move<1>>,
    /// The head's part in looking aside: yaw and pitch.
    turns: Vec<Move<2>>,
    nods: Vec<(f32, f32)>,
    brows: Vec<(f32, f32)>,
    breath: Vec<(f32, f32)>,
    moods: Vec<Feeling>,
    gestures: Gestures,
    home: [f32; 3],
    speaks: Option<(f32, f32)>,
    seconds: f32,
}

/// A mood of the script, while it lasts.
#[derive(Clone, Copy, Debug)]
struct Feeling {
    from: f32,
    to: f32,
    mood: Mood,
}

impl Feeling {
    fn at(&self, t: f32) -> f32 {
        let rise = if self.mood == Mood::Surprise { 0.22 } else { 0.45 };
        smooth(self.from - 0.15, self.from - 0.15 + rise, t) * (1.0 - smooth(self.to, self.to + 0.5, t))
    }
}

/// Where eyes look, in a head that is turned so, to look into the lens.
pub(super) fn into_lens(yaw: f32, pitch: f32) -> [f32; 2] {
    [-1.6 * yaw, 1.4 * pitch]
}

impl Life {
    pub(super) fn new(speech: &Speech, role: &Role, frames: usize, habits: &Habits) -> Self {
        let seconds = frames as f32 / FRAMES;
        // What is decided is decided by dice of its own: one more blink moves no gesture.
        let dice = |purpose: u64| Dice::new(role.seed, purpose);
        let marks = &role.marks;
        let pauses = speech.pauses(seconds);
        let stressed = stressed_words(marks);
        let others: Vec<(f32, f32, f32)> = role
            .others
            .iter()
            .map(|other| (at_second(other.span.start), at_second(other.span.end), other.side))
            .collect();
        let glances = glances(speech, &others, &role.cues, seconds, &pauses, habits, &mut dice(11));
        let turns = turns(&glances);
        let gaze = gaze(seconds, &glances, &mut dice(12));
        let blinks = blinks(seconds, &pauses, &gaze, habits, &mut dice(13));
        let sway = sway(seconds, &pauses, &stressed, habits, &mut dice(14));
        let weight = weight(seconds, &pauses, habits, &mut dice(15));
        let mut nods = accents(&stressed, 1.9, habits.nods, &mut dice(16));
        nods.iter_mut().for_each(|nod| nod.1 *= 0.058 * habits.lively);
        nods.extend(agreeing(speech, &others, &mut dice(17)));
        nods.extend(moments(&role.cues, |cue| cue == Cue::Nod).map(|at| (at, 0.075)));
        let brows = accents(&stressed, 2.4, habits.brows, &mut dice(18));
        let breath = breath(seconds, &pauses, &mut dice(19));
        let starts = pauses.iter().filter(|pause| pause.1 - pause.0 > 0.22).map(|pause| pause.1).collect();
        let rhythm = Rhythm { stressed, starts, end: speech.last().unwrap_or(0.0) };
        let gestures = Gestures::new(&rhythm, &role.cues, seconds, habits, &mut dice(20));
        let moods = moods(&role.cues, &pauses, seconds);
        let speaks = speech.first().zip(speech.last());
        let home = habits.home;
        Self { blinks, gaze, sway, weight, turns, nods, brows, breath, moods, gestures, home, speaks, seconds }
    }

    pub(super) fn pose(&self, frame: usize, mouth: Mouth) -> Pose {
        let t = moment(frame);
        let mut face = super::rest();
        self.smile(&mut face, t);
        self.feel(&mut face, t);
        lips::apply(&mut face, &mouth);
        let [x, y] = settle(&self.gaze, [0.0; 2], t);
        let [yaw, pitch, roll] = settle(&self.sway, self.home, t);
        let [turn, tip] = settle(&self.turns, [0.0; 2], t);
        let nod: f32 = self.nods.iter().map(|&(at, size)| size * dip(t - at)).sum();
        let pitch_all = pitch + nod + tip;
        // Eyes hold the camera, or what they look at, while the head turns.
        let [lens_x, lens_y] = into_lens(yaw, pitch + nod * 0.6);
        face.set(Ch::LookX, quantised(x + lens_x, 64.0));
        let look_y = quantised(y + lens_y, 64.0);
        face.set(Ch::LookY, look_y);
        let blink = self.blinks.iter().map(|&at| lid((t - at) * FRAMES)).fold(0.0, f32::max);
        // Lids go down with the eyes.
        face.set(Ch::Blink, blink.max(quantised((-look_y - 0.06).max(0.0) * 0.75, 32.0)));
        let brow: f32 = self.brows.iter().map(|&(at, size)| size * raise(t - at)).fold(0.0, f32::max);
        face.set(Ch::BrowInner, quantised(face.get(Ch::BrowInner) + 0.55 * brow, 48.0));
        face.set(Ch::BrowOuter, quantised(face.get(Ch::BrowOuter) + 0.5 * brow, 48.0));
        let breath = self.breath_at(t);
        let [weight] = settle(&self.weight, [0.0], t);
        let turned = yaw + turn;
        let head = Head::new(turned, pitch_all, roll, turned * 0.18, -pitch_all * 0.12, breath);
        // Shoulders follow arms, breath and weight. They do not follow the head: a chest that is painted with every nod
        // costs more than it shows.
        let raised = self.gestures.raised(t);
        let shoulders = std::array::from_fn(|side| {
            let away = if side == 0 { 1.0 } else { -1.0 };
            0.11 * raised[side] + 0.35 * breath + 0.22 * weight * away
        });
        Pose { face, head, body: Body::new(weight, shoulders), arms: self.gestures.at(t) }
    }

    /// What the script asks for.
    fn feel(&self, face: &mut Face, t: f32) {
        for feeling in &self.moods {
            let amount = quantised(feeling.at(t), 32.0);
            if amount == 0.0 {
                continue;
            }
            let weights: &[(Ch, f32)] = match feeling.mood {
                Mood::Smile => &visemes::GLAD,
                Mood::Serious => &visemes::SERIOUS,
                Mood::Surprise => &visemes::SURPRISE,
            };
            for &(channel, weight) in weights {
                face.set(channel, lerp(face.get(channel), weight, amount));
            }
        }
    }

    /// A smile before the first word and after the last.
    fn smile(&self, face: &mut Face, t: f32) {
        let (first, last) = self.speaks.unwrap_or((self.seconds * 0.4, self.seconds * 0.6));
        let greeting = 1.0 - smooth(first.max(0.25) - 0.25, first.max(0.25) + 0.9, t);
        let farewell = smooth(last - 0.05, last + 0.4, t);
        let amount = quantised(greeting.max(farewell) * 0.8, 40.0);
        for (channel, weight) in visemes::SMILE {
            // A closed smile: showing teeth while silent looks like speech.
            if matches!(channel, Ch::Smile | Ch::Cheek | Ch::Squint | Ch::Dimple | Ch::BrowInner) {
                face.set(channel, lerp(face.get(channel), weight * 0.9, amount));
            }
        }
    }

    fn breath_at(&self, t: f32) -> f32 {
        let at = self.breath.partition_point(|&(start, _)| start <= t);
        let Some(&(start, length)) = self.breath[..at].last() else { return 0.0 };
        let phase = (t - start) / length;
        let lift = if phase < 0.4 { ease(phase / 0.4) } else { 1.0 - ease((phase - 0.4) / 0.6) };
        lift * 0.022
    }
}

fn quantised(value: f32, steps: f32) -> f32 {
    (value * steps).round() / steps
}

/// Starts of words with a stressed phoneme that are long enough to matter.
fn stressed_words(marks: &Marks) -> Vec<f32> {
    let mut out = Vec::new();
    for word in &marks.words {
        let inside = marks.phonemes.iter().skip_while(|p| p.span.end <= word.span.start);
        let mut inside = inside.take_while(|p| p.span.start < word.span.end);
        let Some(accent) = inside.find(|p| p.stress == compere_media::Stress::Primary) else { continue };
        if word.span.len() > 12_000 {
            out.push(accent.span.seconds().0 as f32);
        }
    }
    out
}

/// Some of the stressed words, never two within `gap` seconds.
fn accents(stressed: &[f32], gap: f32, chance: f32, dice: &mut Dice) -> Vec<(f32, f32)> {
    let mut last = -10.0;
    let mut out = Vec::new();
    for &at in stressed {
        if at - last >= gap && dice.unit() < chance {
            out.push((at, dice.between(0.6, 1.0)));
            last = at;
        }
    }
    out
}

fn breath(seconds: f32, pauses: &[(f32, f32)], dice: &mut Dice) -> Vec<(f32, f32)> {
    let mut out = Vec::new();
    let mut t = -dice.between(0.0, 2.0);
    while t < seconds {
        let mut length = dice.between(3.4, 4.4);
        // Speakers breathe in while they pause.
        if let Some(&(from, _)) = pauses.iter().find(|p| p.0 > t + 2.6 && p.0 < t + 5.2) {
            length = from - t;
        }
        out.push((t, length));
        t += length;
    }
    out
}

/// A look away from the camera: when, how long, and where to.
#[derive(Clone, Copy, Debug)]
struct Glance {
    start: f32,
    end: f32,
    to: [f32; 2],
    /// How much of it the head does: a thought moves the eyes alone.
    head: f32,
}

/// Two looks aside a minute, in pauses; at the other one while he speaks; where the script says.
fn glances(
    speech: &Speech,
    others: &[(f32, f32, f32)],
    cues: &[CueMark],
    seconds: f32,
    pauses: &[(f32, f32)],
    habits: &Habits,
    dice: &mut Dice,
) -> Vec<Glance> {
    let mut out: Vec<Glance> = Vec::new();
    for (n, &(start, end, side)) in others.iter().enumerate() {
        // On the way to him a little after he began, back before he ends when it is one's turn.
        let mine = speech.gestures.iter().any(|g| g.start > end - 0.2 && g.start < end + 1.2);
        let end = if mine { end - 0.25 } else { end + dice.between(0.1, 0.5) };
        let start = if n == 0 { (start - 0.1).max(0.15) } else { start + dice.between(-0.1, 0.2) };
        out.push(Glance { start, end, to: [0.34 * side.signum() + 0.14 * side, -0.02], head: 1.0 });
    }
    // Who hands over looks at whom it is handed to.
    for &(start, _, side) in others {
        if speech.last().is_some_and(|last| last < start && start - last < 1.5) {
            out.push(Glance { start: start - 0.7, end: start, to: [0.36 * side.signum(), 0.0], head: 0.8 });
        }
    }
    let told: Vec<(f32, Look)> = cues
        .iter()
        .filter_map(|mark| match mark.cue {
            Cue::Look(look) => Some((at_second(mark.at), look)),
            _ => None,
        })
        .collect();
    for (n, &(at, look)) in told.iter().enumerate() {
        let to = match look {
            Look::Left => [-0.46, 0.0],
            Look::Right => [0.46, 0.0],
            Look::Up => [0.06, 0.34],
            Look::Down => [0.0, -0.42],
            Look::Camera => continue,
        };
        let next = told.get(n + 1).map_or(f32::MAX, |next| next.0);
        // The eyes have arrived with the word.
        out.push(Glance { start: at - 0.16, end: (at + 1.5).min(next - 0.16), to, head: 0.9 });
    }
    let taken = out.clone();
    let mut t = dice.between(9.0, 24.0);
    while t + 1.5 < seconds {
        // In the next pause: one thinks before one speaks.
        let pause = pauses.iter().find(|p| p.0 > t && p.0 < t + 6.0 && p.1 + 0.8 < seconds).map_or(t, |p| p.0);
        let start = pause + dice.between(-0.12, 0.05);
        let end = start + dice.between(0.55, 1.05);
        if !taken.iter().any(|other| start < other.end + 0.8 && end > other.start - 0.8) {
            let side = if dice.between(-1.0, 1.0) < habits.aside { 1.0 } else { -1.0 };
            let to = [dice.between(0.22, 0.36) * side, dice.between(-0.20, 0.14)];
            out.push(Glance { start, end, to, head: 0.15 });
        }
        t = pause + dice.between(19.0, 38.0);
    }
    out.sort_by(|a, b| a.start.total_cmp(&b.start));
    out
}

/// The head goes part of the way, a moment after the eyes.
fn turns(glances: &[Glance]) -> Vec<Move<2>> {
    let mut out: Vec<Move<2>> = Vec::new();
    for glance in glances {
        let to = [glance.to[0] * 0.24 * glance.head, -glance.to[1] * 0.16 * glance.head];
        out.push(Move { start: glance.start + 0.05, length: 0.55, to });
        out.push(Move { start: glance.end + 0.04, length: 0.6, to: [0.0; 2] });
    }
    out.sort_by(|a, b| a.start.total_cmp(&b.start));
    out
}

/// Eyes flick about the camera, and leave it for glances.
fn gaze(seconds: f32, glances: &[Glance], dice: &mut Dice) -> Vec<Move<2>> {
    let mut out = Vec::new();
    let mut t = dice.between(0.8, 2.0);
    while t < seconds {
        let to = if dice.unit() < 0.45 { [0.0, 0.0] } else { [dice.normal() * 0.022, dice.normal() * 0.014] };
        let away = glances.iter().find(|glance| t > glance.start - 0.3 && t < glance.end);
        let to = away.map_or(to, |glance| [glance.to[0] + 0.5 * to[0], glance.to[1] + 0.5 * to[1]]);
        if away.is_none_or(|glance| t > glance.start + 0.4) {
            out.push(Move { start: t, length: 0.07, to });
        }
        t += dice.between(0.9, 2.8);
    }
    for glance in glances {
        out.push(Move { start: glance.start, length: 0.09, to: glance.to });
        out.push(Move { start: glance.end, length: 0.09, to: [0.0; 2] });
    }
    out.sort_by(|a, b| a.start.total_cmp(&b.start));
    out
}

/// Nods of somebody who listens.
fn agreeing(speech: &Speech, others: &[(f32, f32, f32)], dice: &mut Dice) -> Vec<(f32, f32)> {
    let mut out = Vec::new();
    for &(start, end, _) in others {
        let mut t = start + dice.between(1.6, 3.5);
        while t < end - 0.4 {
            if !speech.gestures.iter().any(|g| (g.start - t).abs() < 0.5) {
                out.push((t, dice.between(0.030, 0.052)));
                if dice.unit() < 0.4 {
                    out.push((t + 0.55, dice.between(0.018, 0.030)));
                }
            }
            t += dice.between(2.8, 6.0);
        }
    }
    out
}

/// When the script asks for something.
fn moments(cues: &[CueMark], wanted: impl Fn(Cue) -> bool) -> impl Iterator<Item = f32> {
    cues.iter().filter(move |mark| wanted(mark.cue)).map(|mark| at_second(mark.at))
}

/// Each mood lasts to the next one or to the end of its sentence, a second and a half at least; a surprise is short.
fn moods(cues: &[CueMark], pauses: &[(f32, f32)], seconds: f32) -> Vec<Feeling> {
    let mut told: Vec<(f32, Mood)> = cues
        .iter()
        .filter_map(|mark| match mark.cue {
            Cue::Mood(mood) => Some((at_second(mark.at), mood)),
            _ => None,
        })
        .collect();
    told.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out = Vec::with_capacity(told.len());
    for (n, &(from, mood)) in told.iter().enumerate() {
        let pause = pauses.iter().find(|p| p.0 > from + 0.2 && p.1 - p.0 > 0.28).map_or(seconds, |p| p.0 + 0.2);
        let most = if mood == Mood::Surprise { from + 1.1 } else { f32::MAX };
        let next = told.get(n + 1).map_or(f32::MAX, |next| next.0 - 0.2);
        out.push(Feeling { from, to: pause.max(from + 1.5).min(most).min(next), mood });
    }
    out
}

fn at_second(samples: u64) -> f32 {
    (samples as f64 / f64::from(SAMPLE_RATE)) as f32
}

/// From one leg to the other, in pauses where there are some.
fn weight(seconds: f32, pauses: &[(f32, f32)], habits: &Habits, dice: &mut Dice) -> Vec<Move<1>> {
    let mut out = Vec::new();
    let mut side = if dice.unit() < 0.5 { 1.0 } else { -1.0 };
    let mut t = dice.between(2.0, 6.0);
    while t < seconds {
        let near = pauses.iter().map(|p| p.0).find(|at| *at > t && *at < t + 2.5);
        let start = near.unwrap_or(t);
        out.push(Move {
            start,
            length: dice.between(1.1, 1.7),
            to: [side * dice.between(0.028, 0.062) * habits.lively],
        });
        side = if dice.unit() < 0.8 { -side } else { 0.2 * side };
        t = start + dice.between(5.5, 12.0);
    }
    out
}

fn blinks(seconds: f32, pauses: &[(f32, f32)], gaze: &[Move<2>], habits: &Habits, dice: &mut Dice) -> Vec<f32> {
    let [least, most] = habits.blinks;
    let mut out: Vec<f32> = Vec::new();
    let mut t = dice.between(1.2, 3.0);
    while t < seconds {
        // On the nearest pause or shift of gaze, if one is near.
        let pause = pauses.iter().map(|p| p.0 + 0.05);
        let shift = gaze.iter().filter(|g| g.to[0].abs() > 0.05).map(|g| g.start);
        let near = pause.chain(shift).filter(|at| (at - t).abs() < 0.8 && *at > 0.4);
        let near = near.min_by(|a, b| (a - t).abs().total_cmp(&(b - t).abs()));
        let at = near.unwrap_or(t);
        if out.last().is_none_or(|last| at - last > 1.2) {
            out.push(at);
        }
        t = at.max(t) + dice.between(least, most);
    }
    out
}

fn sway(seconds: f32, pauses: &[(f32, f32)], stressed: &[f32], habits: &Habits, dice: &mut Dice) -> Vec<Move<3>> {
    let mut out = Vec::new();
    let [yaw, pitch, roll] = habits.home;
    let home = [yaw + dice.normal() * 0.010, pitch, roll + dice.normal() * 0.006];
    let mut t = dice.between(0.3, 0.9);
    while t < seconds {
        let silent = pauses.iter().any(|p| t > p.0 + 0.1 && t + 0.2 < p.1);
        let size = habits.lively * if silent { 0.55 } else { 1.0 };
        let to = [
            home[0] + dice.normal() * 0.048 * size,
            home[1] + dice.normal() * 0.022 * size,
            home[2] + dice.normal() * 0.026 * size,
        ];
        let length = dice.between(0.5, 0.85);
        out.push(Move { start: t, length, to });
        let earliest = t + length + dice.between(0.9, 2.2);
        // The next burst starts a little before a stressed word, if one comes soon.
        let word = stressed.iter().map(|w| w - 0.12).find(|w| *w > earliest && *w < earliest + 0.9);
        t = word.unwrap_or(earliest + dice.between(0.3, 1.4));
    }
    out
}

/// Where a chain of moves stands at `t`, from `home`.
fn settle<const N: usize>(moves: &[Move<N>], home: [f32; N], t: f32) -> [f32; N] {
    let at = moves.partition_point(|m| m.start <= t);
    let Some(now) = at.checked_sub(1).map(|i| moves[i]) else { return home };
    // A move that was cut short is left where it was.
    let from = at.checked_sub(2).map_or(home, |i| {
        let (before, cut) = (moves[i], ease((now.start - moves[i].start) / moves[i].length));
        let from = i.checked_sub(1).map_or(home, |i| moves[i].to);
        std::array::from_fn(|k| lerp(from[k], before.to[k], cut))
    });
    let done = ease((t - now.start) / now.length);
    std::array::from_fn(|k| lerp(from[k], now.to[k], done))
}

/// How far the lids are down, `since` frames after a blink began.
fn lid(since: f32) -> f32 {
    const SHAPE: [f32; 9] = [0.0, 0.55, 1.0, 1.0, 0.72, 0.42, 0.2, 0.07, 0.0];
    if since <= 0.0 || since >= (SHAPE.len() - 1) as f32 {
        return 0.0;
    }
    let at = since as usize;
    lerp(SHAPE[at], SHAPE[at + 1], since - at as f32)
}

/// A nod: quickly down, slowly back, 0..1.
fn dip(since: f32) -> f32 {
    if since < -0.10 {
        return 0.0;
    }
    ease((since + 0.10) / 0.24) * (1.0 - ease((since - 0.16) / 0.5))
}

/// A raise of the brows, 0..1.
fn raise(since: f32) -> f32 {
    ease((since + 0.12) / 0.2) * (1.0 - ease((since - 0.3) / 0.45))
}
