//! What must not be lost.
//!
//! [`Store`] keeps accounts, projects, exports, credits and webhooks in SQL: SQLite beside the program, or PostgreSQL.
//! [`Objects`] keeps films and files: in a folder, or in S3. Nothing outside this crate knows SQL.
//!
//! # Promises
//!
//! - One SQL text serves both databases; every statement runs on both in the tests.
//! - What belongs together happens in one transaction: an export is accepted with its reservation, and ends with its
//!   settlement and its webhook, or nothing of it happens.
//! - Who owns a row is asked in the statement that reads it: a foreign id and an unknown one are the same `None`.
//! - Secrets are stored as hashes, except those that sign ([`Account::hook_secret`]), which cannot be.
//!
//! # Deliberately absent
//!
//! Compile-time checked queries (they know one database), an object mapper, and the decision what happens next to an
//! export: `compere-jobs` decides, this crate carries it out.

mod accounts;
mod assets;
mod backup;
mod calendar;
mod clock;
pub mod crash;
mod db;
mod deliveries;
mod error;
mod exports;
mod idempotency;
mod ids;
mod keys;
mod ledger;
mod objects;
mod plan;
mod projects;
mod secrets;
mod stats;

pub use accounts::{Account, NewAccount, Role, Session, Workspace};
pub use assets::Asset;
pub use calendar::Civil;
pub use clock::{Clock, SystemClock, TestClock};
pub use db::Store;
pub use deliveries::{Delivery, NewDelivery, Try};
pub use error::StoreError;
pub use exports::{Beat, Before, Ended, Export, ExportState, Made, NewExport, Refused};
pub use idempotency::Remembered;
pub use ids::new_id;
pub use keys::{Caller, IssuedKey, KeyPair};
pub use ledger::Entry;
pub use objects::{Key, Objects, Stored};
pub use plan::Plan;
pub use projects::{NewProject, Project, ProjectKind, ProjectList, Revision};
pub use secrets::{hash_password, hash_secret, hex, random_bytes, same, verify_password};
pub use stats::{Holdings, Past};
