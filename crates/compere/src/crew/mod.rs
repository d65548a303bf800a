//! Those who do the work outside the service's own process.

mod films;
mod postman;

pub use films::LocalCrew;
pub use postman::Postman;
