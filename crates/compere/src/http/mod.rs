//! What every door of the service needs of HTTP: where a request comes from, answers that clients may keep, files that
//! arrive. What they mean is the office's.

pub mod arrival;
pub mod body;
pub mod json;
pub mod tagged;
mod whence;

use std::sync::Arc;

use compere_office::Office;

pub use whence::{Whence, is_near};

/// How doors get at the office.
pub type Shared = Arc<Office>;
