//! When and how a clip comes and goes.
//!
//! `in-left` comes in from the left edge, `out-up` leaves over the top edge: the word names the side. Coming starts
//! `delay` seconds into the scene; leaving ends `delay` seconds before the scene does. Outside its time a clip is hidden.
//! A clip that comes or goes with a step counts from there instead.

use std::ops::Range;

use compere_media::{FRAME_RATE, Rect};
use compere_scene::{Animation, AnimationKind};

/// How a clip is shown at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Look {
    Hidden,
    /// At its place, as drawn.
    Plain,
    /// Fainter: 0 to 255.
    Faded(u8),
    /// Off its place by so many output pixels.
    Moved(f64, f64),
    /// Smaller, about its own centre.
    Zoomed(f64),
}

/// An animation fitted into the time of its clip: frames instead of seconds, pixels instead of sides.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    /// None of a clip that is there at once and gone at once.
    kind: Option<AnimationKind>,
    /// When the clip may be seen.
    shown: Range<u64>,
    /// The first frame of the movement and the first after it.
    start: u64,
    end: u64,
    /// From its place to just outside the picture.
    away: (f64, f64),
}

impl Motion {
    /// `shown` are the frames that the clip has, `drawn` is where it lies at rest.
    pub(crate) fn new(animation: Option<Animation>, shown: Range<u64>, drawn: Rect, output: Rect) -> Self {
        let Some(animation) = animation else {
            return Self { kind: None, start: shown.start, end: shown.start, shown, away: (0.0, 0.0) };
        };
        let frames = shown.end - shown.start;
        let delay = FRAME_RATE.frames_of_seconds(animation.delay.max(0.0)) * u64::from(animation.delay > 0.0);
        let length = FRAME_RATE.frames_of_seconds(animation.duration).min(frames);
        let (start, end) = if animation.kind.leaves() {
            let end = frames.saturating_sub(delay).max(length);
            (end - length, end)
        } else {
            let start = delay.min(frames - length);
            (start, start + length)
        };
        let (start, end) = (shown.start + start, shown.start + end);
        Self { kind: Some(animation.kind), shown, start, end, away: away(animation.kind, drawn, output) }
    }

    pub(crate) fn look(&self, frame: u64) -> Look {
        if !self.shown.contains(&frame) {
            return Look::Hidden;
        }
        let Some(kind) = self.kind else { return Look::Plain };
        let leaves = kind.leaves();
        if frame < self.start {
            return if leaves { Look::Plain } else { Look::Hidden };
        }
        if frame >= self.end {
            return if leaves { Look::Hidden } else { Look::Plain };
        }
        let time = (frame - self.start) as f64 / (self.end - self.start) as f64;
        let eased = ease_out_cubic(time);
        let presence = if leaves { 1.0 - eased } else { eased };
        self.look_at(kind, presence)
    }

    /// The frames of `from..to` in which the look may change from the frame before.
    pub(crate) fn stirs(&self, from: u64, to: u64) -> bool {
        let within = |at: u64| from <= at && at < to;
        (from <= self.end && self.start < to) || within(self.shown.start) || within(self.shown.end)
    }

    fn look_at(&self, kind: AnimationKind, presence: f64) -> Look {
        use AnimationKind::{FadeIn, FadeOut, ZoomIn, ZoomOut};
        if presence <= 0.0 {
            return Look::Hidden;
        }
        if presence >= 1.0 {
            return Look::Plain;
        }
        match kind {
            FadeIn | FadeOut => Look::Faded((presence * 255.0).round() as u8),
            ZoomIn | ZoomOut => Look::Zoomed(presence),
            _ => Look::Moved(self.away.0 * (1.0 - presence), self.away.1 * (1.0 - presence)),
        }
    }
}

fn away(kind: AnimationKind, drawn: Rect, output: Rect) -> (f64, f64) {
    use AnimationKind::{InDown, InLeft, InRight, InUp, OutDown, OutLeft, OutRight, OutUp};
    match kind {
        InLeft | OutLeft => (f64::from(output.x0 - drawn.x1), 0.0),
        InRight | OutRight => (f64::from(output.x1 - drawn.x0), 0.0),
        InUp | OutUp => (0.0, f64::from(output.y0 - drawn.y1)),
        InDown | OutDown => (0.0, f64::from(output.y1 - drawn.y0)),
        _ => (0.0, 0.0),
    }
}

fn ease_out_cubic(time: f64) -> f64 {
    let left = 1.0 - time;
    1.0 - left * left * left
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: Rect = Rect::of_size(1920, 1080);

    fn motion(kind: AnimationKind, duration: f64, delay: f64) -> Motion {
        Motion::new(Some(Animation { kind, duration, delay }), 0..150, Rect::new(100, 100, 300, 200), OUTPUT)
    }

    #[test]
    fn coming_waits_for_its_delay_and_then_stays() {
        let motion = motion(AnimationKind::InLeft, 1.0, 0.5);
        assert_eq!(motion.look(14), Look::Hidden);
        assert_eq!(motion.look(45), Look::Plain);
        let Look::Moved(dx, 0.0) = motion.look(16) else { panic!("moving sideways") };
        assert!((-300.0..-200.0).contains(&dx), "still mostly outside: {dx}");
    }

    #[test]
    fn leaving_ends_before_the_scene_by_its_delay() {
        let motion = motion(AnimationKind::FadeOut, 1.0, 1.0);
        assert_eq!(motion.look(90), Look::Plain);
        assert!(matches!(motion.look(100), Look::Faded(1..=254)));
        assert_eq!(motion.look(120), Look::Hidden);
    }

    #[test]
    fn a_clip_is_seen_in_its_steps_only() {
        let plain = Motion::new(None, 40..60, Rect::new(0, 0, 9, 9), OUTPUT);
        assert_eq!(
            [39, 40, 59, 60].map(|frame| plain.look(frame)),
            [Look::Hidden, Look::Plain, Look::Plain, Look::Hidden]
        );
        assert!(plain.stirs(30, 41) && plain.stirs(50, 61) && !plain.stirs(45, 55));
        let fade = Animation { kind: AnimationKind::FadeIn, duration: 0.5, delay: 0.0 };
        let fading = Motion::new(Some(fade), 40..100, Rect::new(0, 0, 9, 9), OUTPUT);
        assert!(matches!(fading.look(45), Look::Faded(1..=254)));
        assert_eq!([39, 60, 100].map(|frame| fading.look(frame)), [Look::Hidden, Look::Plain, Look::Hidden]);
    }

    #[test]
    fn an_animation_longer_than_its_scene_is_cut_to_it() {
        for (kind, _) in AnimationKind::ALL {
            let motion = motion(kind, 30.0, 30.0);
            let looks: Vec<_> = (0..150).map(|frame| motion.look(frame)).collect();
            assert!(
                looks.iter().any(|look| !matches!(look, Look::Hidden | Look::Plain)),
                "{kind:?} was never seen moving"
            );
        }
    }
}
