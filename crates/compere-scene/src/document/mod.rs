//! What authors write.
//!
//! The document is the JSON value as it was sent; nothing is copied into structs of ours, so unknown keys survive and a
//! fetched project can be posted again. [`reader`] walks it and notes every problem with its place. [`edit`] changes
//! parts of it.

pub(crate) mod color;
pub(crate) mod edit;
pub(crate) mod modify;
pub(crate) mod reader;
