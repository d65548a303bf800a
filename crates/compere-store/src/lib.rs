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
//! - What happens to an export is decided by a pure function ([`step`]), where its row is locked.
//! - Who owns a row is asked in the statement that reads it: a foreign id and an unknown one are the same `None`.
//! - Secrets are stored as hashes, except those that sign ([`Account::hook_secret`]), which cannot be.
//!
//! # Deliberately absent
//!
//! Compile-time checked queries (they know one database) and an object mapper. Engines are not here either: they carry
//! out what [`step`] commands, and tell what came of it (`compere-jobs`).

mod accounts;
mod ahead;
mod assets;
mod backup;
mod buckets;
mod calendar;
mod clock;
mod db;
mod deliveries;
mod ended;
mod endpoints;
mod error;
mod export;
mod exports;
mod fonts;
mod hold;
mod idempotency;
mod ids;
mod kept;
mod keys;
mod ledger;
mod life;
mod media;
mod migrate;
mod objects;
mod page;
mod plan;
mod presenters;
mod projects;
mod relink;
mod room;
mod row;
mod secrets;
mod stats;
mod streamed;
mod templates;
pub mod trial;

pub use accounts::{Account, NewAccount, Role, Session, Workspace};
pub use assets::Asset;
pub use buckets::Drawn;
pub use calendar::Civil;
pub use clock::{Clock, SystemClock, TestClock};
pub use db::Store;
pub use deliveries::{Announcement, Delivery, DeliveryState, HookMethod, Occasion, Try};
pub use ended::{Ended, Finished, Made, Product};
pub use endpoints::{Endpoint, EndpointChoice, news_of};
pub use error::StoreError;
pub use export::{Export, NewExport, Order, Priority, Webhook};
pub use exports::{Before, Claimed, Due, FilmPart, Happened, NextPart, PartClaim, Refused, Split, Turn, Wording};
pub use fonts::Font;
pub use hold::Hold;
pub use idempotency::Remembered;
pub use ids::new_id;
pub use kept::{KEPT_SWEEP, Kept};
pub use keys::{Caller, IssuedKey, KeyPair, Paired};
pub use ledger::{Entry, Movement};
pub use life::{Command, Event, ExportState, HICCUPS, Life, News, STRIKES, credits_for, step};
pub use migrate::{Copied, Household, migrate};
pub use objects::{Key, Objects, Stored};
pub use page::Page;
pub use plan::Plan;
pub use presenters::{
    Forged, NewPresenter, OwnPresenter, PresenterBackground, PresenterKind, PresenterState, Take, WithdrawnBy,
};
pub use projects::{Deleted, NewProject, Project, ProjectKind, ProjectList, ProjectState, Revision};
pub use room::Taken;
pub use secrets::{hash_password, hash_secret, hex, random_bytes, same, verify_password};
pub use stats::{Holdings, Past};
pub use streamed::Streamed;
