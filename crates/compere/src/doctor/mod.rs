//! Says what this installation can do.
