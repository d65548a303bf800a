//! The service as its users meet it: the real program, over HTTP.

#[path = "../kept/mod.rs"]
mod kept;
#[path = "../measured/mod.rs"]
mod measured;

mod account;
mod approvals;
mod attacks;
mod avatars;
mod catalogue;
mod clients;
mod contract;
mod designed;
mod errors;
mod exports;
mod fields;
mod files;
mod fonts;
mod frame;
mod house;
mod imports;
mod legacy;
mod modelled;
mod papers;
mod projects;
mod recorded;
mod security;
mod simple;
mod soak;
mod stream;
mod webhooks;
mod withdrawals;
mod writer;
