//! A film that several workers make, as one of them sees the others.
//!
//! Whoever leads makes the whole film, from its beginning; others make parts of it, from its end, and leave them in the
//! cache that all share, where the leader looks before it makes anything. So nobody waits for anybody who is not about to
//! be done, and a film is the same whoever made which part.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::RenderError;

/// Between two looks at what somebody else is making, and how many of them. It was theirs because they live and are at it.
pub(crate) const PAUSE: Duration = Duration::from_millis(100);
const PATIENCE: u32 = 1800;

/// A part of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A presenter, baked, by its number among those whom the film shows.
    Baked { presenter: u32 },
    /// Some of what is said in a scene, or all of it: a run of sentences, by its number.
    Speech { scene: u32, run: u32 },
    /// Some of a scene's pictures, by the number of their first piece.
    Pictures { scene: u32, piece: u32 },
}

impl Part {
    pub(crate) fn baked(presenter: usize) -> Self {
        Self::Baked { presenter: presenter as u32 }
    }

    pub(crate) fn speech(scene: usize, run: usize) -> Self {
        Self::Speech { scene: scene as u32, run: run as u32 }
    }

    pub(crate) fn pictures(scene: usize, piece: usize) -> Self {
        Self::Pictures { scene: scene as u32, piece: piece as u32 }
    }
}

/// What became of a wish to make a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    Ours,
    /// Somebody is at it.
    Theirs,
    /// Whoever looks into the cache finds it.
    Made,
}

/// What there is to help with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Part(Part),
    /// Nothing yet.
    Later,
    Over,
}

/// The others.
pub trait Company: Sync {
    /// They may make these.
    fn offer(&self, parts: &[Part]);

    /// That was all.
    fn offered(&self);

    /// Before a part is made. Whoever cannot be asked leaves it to us.
    fn claim(&self, part: Part) -> Claim;

    /// The last part that nobody has: of what pictures need, presenters before speech, or of the pictures.
    fn next(&self, pictures: bool) -> Next;

    /// A part that was ours lies in the cache.
    fn made(&self, part: Part);
}

impl std::fmt::Debug for dyn Company + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Company")
    }
}

/// Waits while somebody else makes a part, though not for ever. It is in the cache then, or ours.
pub(crate) fn wait_for(
    company: &dyn Company,
    part: Part,
    stay: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<(), RenderError> {
    for _ in 0..PATIENCE {
        if company.claim(part) != Claim::Theirs {
            break;
        }
        if stay().is_break() {
            return Err(RenderError::Cancelled);
        }
        std::thread::sleep(PAUSE);
    }
    Ok(())
}
