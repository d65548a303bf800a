//! How somebody blinks who was made of footage: known of a film without drawing it.

use compere_media::Marks;

use crate::accents::Accents;
use crate::bank::RATE;
use crate::blinks::Welcome;
use crate::bytes::from_bytes;
use crate::error::OwnError;
use crate::store::{self, Store};
use crate::synth::heads::Heads;

/// The blinks of some films of one text.
#[derive(Clone, Copy, Debug)]
pub struct Blinking {
    pub per_minute: f64,
    /// Which part of them is in pauses, and which while lips are closed for a sound.
    pub in_pauses: f64,
    pub amid_closed: f64,
    /// Seconds that eyes stay open at the longest, in the mean of all films.
    pub longest: f64,
}

/// Of so many films in which `id` says what `marks` tell, `frames` pictures long.
pub fn blinking(store: &Store, id: &str, marks: &Marks, frames: usize, films: u64) -> Result<Blinking, OwnError> {
    let (_, ground) = from_bytes(&store::bank(&store.folder(id))?)?;
    let heads = Heads::new(&ground);
    let accents = Accents::of(marks);
    let welcome = Welcome::of(marks, &accents);
    let (mut all, mut paused, mut closed, mut longest) = (0usize, 0usize, 0usize, 0.0);
    let seconds = frames as f64 / RATE;
    for seed in 0..films {
        let blinks = heads.blinks_of(&ground, marks, seed * 77, frames);
        all += blinks.len();
        paused += blinks.iter().filter(|&&at| welcome.is_pause(at)).count();
        closed += blinks.iter().filter(|&&at| welcome.is_closed(at)).count();
        let mut last = 0.0;
        longest += blinks.iter().copied().chain([seconds]).fold(0.0, |longest, at| {
            let without = at - last;
            last = at;
            f64::max(longest, without)
        });
    }
    let part = |of: usize| of as f64 / all.max(1) as f64;
    let films = films.max(1) as f64;
    Ok(Blinking {
        per_minute: all as f64 / films / seconds * 60.0,
        in_pauses: part(paused),
        amid_closed: part(closed),
        longest: longest / films,
    })
}
