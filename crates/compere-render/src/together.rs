//! A film that several workers make, as one of them sees the others.
//!
//! Whoever leads makes the whole film, from its beginning; others make parts of it, from its end, and leave them in the
//! cache that all share, where the leader looks before it makes anything. So nobody waits for anybody who is not about to
//! be done, and a film is the same whoever made which part.

/// A part of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    pub scene: u32,
    /// The number of its first piece; none for the speech of the scene.
    pub piece: Option<u32>,
}

impl Part {
    pub(crate) fn speech(scene: usize) -> Self {
        Self { scene: scene as u32, piece: None }
    }

    pub(crate) fn pictures(scene: usize, piece: usize) -> Self {
        Self { scene: scene as u32, piece: Some(piece as u32) }
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

    /// The last part that nobody has, of the speech or of the pictures.
    fn next(&self, speech: bool) -> Next;

    /// A part that was ours lies in the cache.
    fn made(&self, part: Part);
}

impl std::fmt::Debug for dyn Company + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Company")
    }
}
