//! Exports over many machines.
//!
//! Where one machine is not enough, a Temporal cluster says which machine has room for the next export of which account,
//! notices machines that are gone, and keeps the times to wait. What happens to an export is decided where it always is:
//! in its row, by [`compere_store::step`]. So the two kinds of nodes are the same engine as on one machine
//! ([`compere_jobs::Engine`]), driven from outside, and pass the same suite:
//!
//! - whoever serves requests starts a workflow for every export that may run ([`relay`]), named by the export, and carries
//!   webhooks;
//! - whoever makes films takes turns ([`tasks`]). A turn belongs to an account; which of its exports it is for, the rows
//!   say when it begins, so that an account's own order is exact however late somebody jumps its queue.
//!
//! The workflow ([`workflow`]) is the loop of every engine once more: a turn, what came of it, a pause or the end. When the
//! machine that had a turn is gone, what it had goes back into the queue under a new fence; nothing that it may still say
//! counts. Between us travel ids and times only.

#![cfg(feature = "temporal")]

mod address;
mod engine;
mod error;
mod relay;
mod replay;
mod tasks;
mod turn;
mod workflow;

pub use address::{Address, Secured};
pub use engine::{Farm, Queue, start};
pub use error::FarmError;
pub use replay::replay;
