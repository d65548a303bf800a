//! Those who do the work outside the service's own process.

mod builds;
mod child;
pub mod desk;
mod films;
mod postman;
mod screening;
mod supply;

pub use builds::LocalWorkbench;
pub use desk::Desk;
pub use films::LocalCrew;
pub use postman::Postman;
pub use supply::Supply;
