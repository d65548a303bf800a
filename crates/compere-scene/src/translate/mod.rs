//! Other requests as documents: the older generation's and the simple ones.
//!
//! What they say is checked as it is where a document says it (see [`crate::resolve`]), and written down as an author of
//! today would have written it.

pub(crate) mod legacy;
pub(crate) mod simple;
mod write;
