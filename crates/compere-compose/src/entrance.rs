//! How a scene takes the picture from the one before it.
//!
//! What was there stands still: the last frame of the scene before. So a frame still depends on its number alone, and
//! what lies behind the transition does not know of it.

use std::sync::Arc;

use compere_media::{Damage, Frame};
use compere_scene::{Transition, TransitionKind};

/// A transition fitted into a scene.
#[derive(Clone, Debug)]
pub struct Entrance {
    before: Arc<Frame>,
    kind: TransitionKind,
    /// How many frames of the scene show something of `before`.
    frames: u64,
}

impl Entrance {
    /// `before` was shown last, `len` are the frames of the scene that comes.
    pub fn new(before: Arc<Frame>, transition: Transition, len: u64) -> Self {
        Self { before, kind: transition.kind, frames: transition.frames(len) }
    }

    fn shows(&self, frame: u64) -> bool {
        frame < self.frames
    }

    /// Frame `frame`, whose scene alone would look like `new`.
    fn draw(&self, frame: u64, new: &Frame, into: &mut Frame) {
        let (done, of) = (frame + 1, self.frames + 1);
        let before = &self.before;
        let planes = [(before.y(), new.y()), (before.u(), new.u()), (before.v(), new.v())];
        if self.kind == TransitionKind::Fade {
            let weight = ((done * 256 + of / 2) / of) as u32;
            let (y, u, v) = into.planes_mut();
            for (into, (old, new)) in [y, u, v].into_iter().zip(planes) {
                blend(old, new, weight, into);
            }
            return;
        }
        let away = away(done as f64 / of as f64);
        let (width, height) = (new.width() as usize, new.height() as usize);
        // On even coordinates: chroma has half the samples.
        let off = |side: usize| (away * side as f64 / 2.0).round() as usize * 2;
        let (off_x, off_y) = (off(width), off(height));
        let (y, u, v) = into.planes_mut();
        for ((into, (old, new)), half) in [y, u, v].into_iter().zip(planes).zip([1, 2, 2]) {
            let (width, height) = (width / half, height / half);
            let (first, second, start) = match self.kind {
                TransitionKind::PushRight => (old, new, width - off_x / half),
                TransitionKind::PushLeft => (new, old, off_x / half),
                TransitionKind::PushDown => (old, new, height - off_y / half),
                TransitionKind::PushUp | TransitionKind::Fade => (new, old, off_y / half),
            };
            if matches!(self.kind, TransitionKind::PushRight | TransitionKind::PushLeft) {
                let rows = first.chunks_exact(width).zip(second.chunks_exact(width));
                into.chunks_exact_mut(width).zip(rows).for_each(|(into, (first, second))| {
                    window(first, second, start, into);
                });
            } else {
                window(first, second, start * width, into);
            }
        }
    }
}

/// How far the new scene is from its place, of 1: slow at both ends.
fn away(time: f64) -> f64 {
    1.0 - time * time * (3.0 - 2.0 * time)
}

/// `weight` of 256 of the new, the rest of the old; what is alike stays as it is.
fn blend(old: &[u8], new: &[u8], weight: u32, into: &mut [u8]) {
    for ((into, &old), &new) in into.iter_mut().zip(old).zip(new) {
        *into = ((u32::from(old) * (256 - weight) + u32::from(new) * weight + 128) >> 8) as u8;
    }
}

/// Of two that lie one after the other, as much as one, from `start` on.
fn window(first: &[u8], second: &[u8], start: usize, into: &mut [u8]) {
    let (head, tail) = into.split_at_mut(first.len() - start);
    head.copy_from_slice(&first[start..]);
    tail.copy_from_slice(&second[..start]);
}

/// An entrance that is played.
#[derive(Debug)]
pub(crate) struct Entering {
    entrance: Entrance,
    shown: Frame,
    /// Whether the frame drawn last was part of it.
    within: bool,
}

impl Entering {
    pub(crate) fn new(entrance: Entrance) -> Self {
        let shown = (*entrance.before).clone();
        Self { entrance, shown, within: false }
    }

    /// What is seen of frame `frame`, which alone would be `new` and differ from the one before it in `damage`.
    pub(crate) fn over<'a>(&'a mut self, frame: u64, new: &'a Frame, damage: Damage) -> (&'a Frame, Damage) {
        let shows = self.entrance.shows(frame);
        let was = std::mem::replace(&mut self.within, shows);
        let damage = if was || shows { Damage::rect(new.bounds()) } else { damage };
        if !shows {
            return (new, damage);
        }
        self.entrance.draw(frame, new, &mut self.shown);
        (&self.shown, damage)
    }

    /// Whether anything may look otherwise in the frame after `frame`.
    pub(crate) fn stirs(&self, frame: u64) -> bool {
        self.entrance.shows(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame whose samples say where they lie.
    fn ramp(base: u8) -> Frame {
        let mut frame = Frame::new(16, 8);
        let (y, u, v) = frame.planes_mut();
        y.iter_mut().enumerate().for_each(|(at, y)| *y = base + (at % 16) as u8 + 16 * (at / 16) as u8 / 2);
        u.iter_mut().chain(v).enumerate().for_each(|(at, c)| *c = base / 2 + (at % 8) as u8);
        frame
    }

    fn drawn(kind: TransitionKind, frame: u64) -> (Frame, Frame, Frame) {
        let (old, new) = (ramp(20), ramp(120));
        let entrance = Entrance::new(Arc::new(old.clone()), Transition { kind, duration: 0.3 }, 100);
        assert_eq!(entrance.frames, 9);
        let mut into = Frame::new(16, 8);
        entrance.draw(frame, &new, &mut into);
        (old, new, into)
    }

    #[test]
    fn a_fade_is_half_of_each_in_its_middle() {
        let (old, new, seen) = drawn(TransitionKind::Fade, 4);
        for ((seen, old), new) in seen.y().iter().zip(old.y()).zip(new.y()) {
            assert_eq!(u16::from(*seen), (u16::from(*old) + u16::from(*new)).div_ceil(2));
        }
    }

    /// In the middle of a push each half of the picture is half of a scene, in luma and in chroma.
    #[test]
    fn a_push_moves_both() {
        let at = |plane: &[u8], width: usize, x: usize, y: usize| plane[y * width + x];
        for (kind, dx, dy) in [
            (TransitionKind::PushRight, 1, 0),
            (TransitionKind::PushLeft, -1, 0),
            (TransitionKind::PushDown, 0, 1),
            (TransitionKind::PushUp, 0, -1),
        ] {
            let (old, new, seen) = drawn(kind, 4);
            let planes = [(old.y(), new.y(), seen.y(), 16, 8), (old.u(), new.u(), seen.u(), 8, 4)];
            for (old, new, seen, width, height) in planes {
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    let from = (x as i32 - dx * width as i32 / 2, y as i32 - dy * height as i32 / 2);
                    let within = (0..width as i32).contains(&from.0) && (0..height as i32).contains(&from.1);
                    let wrapped = (from.0.rem_euclid(width as i32) as usize, from.1.rem_euclid(height as i32) as usize);
                    let expected = at(if within { new } else { old }, width, wrapped.0, wrapped.1);
                    assert_eq!(at(seen, width, x, y), expected, "{kind:?} at {x}, {y}");
                }
            }
        }
    }

    #[test]
    fn the_last_frame_of_a_scene_is_its_own() {
        let long = Transition { kind: TransitionKind::Fade, duration: 2.0 };
        assert_eq!([0, 1, 30, 500].map(|len| long.frames(len)), [0, 0, 29, 60]);
    }
}
