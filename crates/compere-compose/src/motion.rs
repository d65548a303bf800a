//! When and how a clip comes and goes.
//!
//! `in-left` comes in from the left edge, `out-up` leaves over the top edge: the word names the side. Coming starts
//! `delay` seconds into the scene; leaving ends `delay` seconds before the scene does. Outside its time a clip is hidden.

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

/// An animation fitted into its scene: frames instead of seconds, pixels instead of sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    kind: AnimationKind,
    /// The first frame of the movement and the first after it.
    start: u64,
    end: u64,
    /// From its place to just outside the picture.
    away: (f64, f64),
}

impl Motion {
    /// `drawn` is where the clip lies at rest.
    pub(crate) fn new(animation: Animation, frames: u64, drawn: Rect, output: Rect) -> Self {
        let delay = FRAME_RATE.frames_of_seconds(animation.delay.max(0.0)) * u64::from(animation.delay > 0.0);
        let length = FRAME_RATE.frames_of_seconds(animation.duration).min(frames);
        let (start, end) = if animation.kind.leaves() {
            let end = frames.saturating_sub(delay).max(length);
            (end - length, end)
        } else {
            let start = delay.min(frames - length);
            (start, start + length)
        };
        Self { kind: animation.kind, start, end, away: away(animation.kind, drawn, output) }
    }

    pub(crate) fn look(&self, frame: u64) -> Look {
        let leaves = self.kind.leaves();
        if frame < self.start {
            return if leaves { Look::Plain } else { Look::Hidden };
        }
        if frame >= self.end {
            return if leaves { Look::Hidden } else { Look::Plain };
        }
        let time = (frame - self.start) as f64 / (self.end - self.start) as f64;
        let eased = ease_out_cubic(time);
        let presence = if leaves { 1.0 - eased } else { eased };
        self.look_at(presence)
    }

    /// The frames of `from..to` in which the look may change from the frame before.
    pub(crate) fn stirs(&self, from: u64, to: u64) -> bool {
        from <= self.end && self.start < to
    }

    fn look_at(&self, presence: f64) -> Look {
        use AnimationKind::{FadeIn, FadeOut, ZoomIn, ZoomOut};
        if presence <= 0.0 {
            return Look::Hidden;
        }
        if presence >= 1.0 {
            return Look::Plain;
        }
        match self.kind {
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
        Motion::new(Animation { kind, duration, delay }, 150, Rect::new(100, 100, 300, 200), OUTPUT)
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
