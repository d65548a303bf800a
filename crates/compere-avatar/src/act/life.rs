//! Everything a face does besides speaking: it blinks, looks, breathes, sways, nods and smiles.
//!
//! The head moves in bursts and rests between them, as heads do; between bursts nothing is repainted.

use compere_media::Marks;

use super::lips::{self, Mouth, Speech, moment};
use super::{Ch, Face, Habits, Head, Pose, visemes};
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
    nods: Vec<(f32, f32)>,
    brows: Vec<(f32, f32)>,
    breath: Vec<(f32, f32)>,
    home: [f32; 3],
    speaks: Option<(f32, f32)>,
    seconds: f32,
}

impl Life {
    pub(super) fn new(speech: &Speech, marks: &Marks, frames: usize, habits: &Habits, dice: &mut Dice) -> Self {
        let seconds = frames as f32 / FRAMES;
        let pauses = speech.pauses(seconds);
        let stressed = stressed_words(marks);
        let gaze = gaze(seconds, &pauses, habits, dice);
        let blinks = blinks(seconds, &pauses, &gaze, habits, dice);
        let sway = sway(seconds, &pauses, &stressed, habits, dice);
        let nods = accents(&stressed, 1.9, habits.nods, dice);
        let brows = accents(&stressed, 2.4, habits.brows, dice);
        let breath = breath(seconds, &pauses, dice);
        let speaks = speech.first().zip(speech.last());
        Self { blinks, gaze, sway, nods, brows, breath, home: habits.home, speaks, seconds }
    }

    pub(super) fn pose(&self, frame: usize, mouth: Mouth) -> Pose {
        let t = moment(frame);
        let mut face = super::rest();
        self.smile(&mut face, t);
        lips::apply(&mut face, &mouth);
        let blink = self.blinks.iter().map(|&at| lid((t - at) * FRAMES)).fold(0.0, f32::max);
        face.set(Ch::Blink, blink);
        let [x, y] = settle(&self.gaze, [0.0; 2], t);
        let [yaw, pitch, roll] = settle(&self.sway, self.home, t);
        let nod: f32 = self.nods.iter().map(|&(at, size)| size * dip(t - at)).sum();
        // Eyes hold the camera while the head turns.
        face.set(Ch::LookX, quantised(x - yaw * 1.6, 64.0));
        face.set(Ch::LookY, quantised(y + (pitch + nod * 0.6) * 1.4, 64.0));
        let brow: f32 = self.brows.iter().map(|&(at, size)| size * raise(t - at)).fold(0.0, f32::max);
        face.set(Ch::BrowInner, quantised(face.get(Ch::BrowInner) + 0.55 * brow, 48.0));
        face.set(Ch::BrowOuter, quantised(0.5 * brow, 48.0));
        let breath = self.breath_at(t);
        Pose { face, head: Head::new(yaw, pitch + nod, roll, yaw * 0.18, -(pitch + nod) * 0.12, breath) }
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
    // In radians for nods; brows only look at the proportion.
    if gap < 2.0 {
        for accent in &mut out {
            accent.1 *= 0.034;
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

fn gaze(seconds: f32, pauses: &[(f32, f32)], habits: &Habits, dice: &mut Dice) -> Vec<Move<2>> {
    let mut out = Vec::new();
    let mut t = dice.between(0.8, 2.0);
    while t < seconds {
        let pausing = pauses.iter().any(|p| t > p.0 && t < p.1);
        let away = pausing && dice.unit() < 0.25 && t > 1.0 && seconds - t > 1.5;
        let to = if away {
            [
                dice.between(0.1, 0.22) * if dice.between(-1.0, 1.0) < habits.aside { 1.0 } else { -1.0 },
                dice.between(-0.05, 0.12),
            ]
        } else if dice.unit() < 0.45 {
            [0.0, 0.0]
        } else {
            [dice.normal() * 0.022, dice.normal() * 0.014]
        };
        out.push(Move { start: t, length: 0.07, to });
        t += if away { dice.between(0.5, 0.9) } else { dice.between(0.9, 2.8) };
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
            home[0] + dice.normal() * 0.030 * size,
            home[1] + dice.normal() * 0.014 * size,
            home[2] + dice.normal() * 0.016 * size,
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
    let from = at.checked_sub(2).map_or(home, |i| moves[i].to);
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
