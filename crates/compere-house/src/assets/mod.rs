//! Where linked pictures, films and sounds come from.
//!
//! [`Fetcher::fetch`] turns what a scene's author wrote, a web link or a site path like `/images/background/x.png`,
//! into a file on this machine. It promises:
//!
//! - only addresses that the operator's rules permit are called, redirects included ([`address`], [`guard`]);
//! - the file is whole, at most as large and at most as long in coming as the settings say;
//! - its name is the hash of its content, so equal names mean equal bytes for ever ([`cache`]);
//! - however many scenes ask for one link at once, it is fetched once.
//!
//! What the bytes are is not looked at here: decoders do that, in a sandbox. A failed fetch is not tried again here
//! either; [`FetchError::is_transient`] says whether trying later makes sense.

pub mod address;
mod cache;
mod error;
mod fetch;
pub mod guard;
pub mod site;

pub use address::{AddressRules, Allow, Refusal};
pub use cache::{Cache, Note};
pub use error::FetchError;
pub use fetch::{FetchSettings, Fetcher};
