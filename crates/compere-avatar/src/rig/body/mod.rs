//! Bodies: sculpted from the data, with hands, skull and stance, as meshes.

pub(crate) mod bite;
pub(crate) mod blink;
mod dome;
mod flesh;
mod glad;
pub(crate) mod lashes;
mod middle;
pub(crate) mod mimic;
mod outline;
pub(crate) mod parts;
pub(crate) mod sculpt;
pub(crate) mod skin;
pub(crate) mod skull;
pub(crate) mod stance;
pub(crate) mod strands;
mod temples;
