//! Pictures from whoever draws them to whoever codes them, on a thread each: a film of one piece has two cores as well.
//!
//! What is coded is what would be without: the same pictures, in the same order, with the same damage.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use compere_media::{Damage, Frame};

/// Pictures that exist: one is filled, one waits, one is coded. They go round in this order.
const ROUND: usize = 3;

/// A picture to be coded, and what of it is new.
type Sheet = (Frame, Damage);

/// Where who draws hands pictures over.
pub(crate) struct Desk {
    to: SyncSender<Sheet>,
    back: Receiver<Frame>,
    /// What changed with each of the last pictures. One that comes back lacks all of them.
    changes: VecDeque<Damage>,
}

/// Nobody codes any more; why, whoever coded says.
#[derive(Debug)]
pub(crate) struct Closed;

impl Desk {
    pub(crate) fn hand_over(&mut self, frame: &Frame, damage: &Damage) -> Result<(), Closed> {
        let sheet = if self.changes.len() < ROUND {
            frame.clone()
        } else {
            self.changes.pop_front();
            let mut sheet = self.back.recv().map_err(|_| Closed)?;
            for rect in self.changes.iter().chain([damage]).flat_map(Damage::rects) {
                sheet.copy_rect(frame, *rect);
            }
            sheet
        };
        self.changes.push_back(damage.clone());
        self.to.send((sheet, damage.clone())).map_err(|_| Closed)
    }
}

/// Lets `draw` hand over pictures that `code` takes on a thread beside. Both ends when one fails.
pub(crate) fn side_by_side<E: Send>(
    draw: impl FnOnce(&mut Desk) -> Result<Result<(), Closed>, E>,
    mut code: impl FnMut(&Frame, &Damage) -> Result<(), E> + Send,
) -> Result<(), E> {
    std::thread::scope(|scope| {
        let (to, sheets) = sync_channel::<Sheet>(1);
        let (give_back, back): (Sender<Frame>, _) = channel();
        let coder = scope.spawn(move || {
            for (frame, damage) in sheets {
                code(&frame, &damage)?;
                // Whoever draws may have ended.
                let _ = give_back.send(frame);
            }
            Ok(())
        });
        let drawn = draw(&mut Desk { to, back, changes: VecDeque::new() });
        let coded = coder.join().unwrap_or_else(|panic| resume_unwind(panic));
        // Who codes fails first where who draws found nobody to hand over to.
        drawn.and(coded)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::Rect;

    fn rect_of(n: i32) -> Rect {
        Rect::new(2 * (n % 7), 2 * (n % 5), 2 * (n % 7) + 4, 2 * (n % 5) + 6)
    }

    /// Changes a few samples of a frame, and says where.
    fn change(frame: &mut Frame, n: i32) -> Damage {
        let mut other = Frame::new(frame.width(), frame.height());
        other.planes_mut().0.fill((40 + n) as u8);
        frame.copy_rect(&other, rect_of(n));
        Damage::rect(rect_of(n))
    }

    #[test]
    fn what_is_coded_is_what_was_drawn() {
        let mut seen = Vec::new();
        let mut drawn = Vec::new();
        side_by_side::<()>(
            |desk| {
                let mut frame = Frame::new(32, 32);
                for n in 0..40 {
                    let damage = change(&mut frame, n);
                    drawn.push((frame.clone(), damage.clone()));
                    desk.hand_over(&frame, &damage).expect("somebody codes");
                }
                Ok(Ok(()))
            },
            |frame, damage| {
                seen.push((frame.clone(), damage.clone()));
                Ok(())
            },
        )
        .unwrap();
        assert!(seen.iter().zip(&drawn).all(|(a, b)| a.0 == b.0 && a.1.rects() == b.1.rects()));
        assert_eq!(seen.len(), drawn.len());
    }

    #[test]
    fn who_codes_says_why_it_ended() {
        let ended = side_by_side(
            |desk| {
                let frame = Frame::new(16, 16);
                while desk.hand_over(&frame, &Damage::none()).is_ok() {}
                Ok(Err(Closed))
            },
            |_, _| Err("full"),
        );
        assert_eq!(ended, Err("full"));
    }

    #[test]
    fn who_draws_says_why_it_ended() {
        let ended = side_by_side(|_| Err("lost"), |_, _| Ok(()));
        assert_eq!(ended, Err("lost"));
    }
}
