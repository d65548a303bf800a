//! Those who do the work outside the service's own process.

mod builds;
mod child;
mod company;
mod depot;
pub mod desk;
mod films;
mod helping;
mod machine;
mod postman;
mod screening;
mod supply;

pub use builds::LocalWorkbench;
pub use depot::{Depot, Traffic};
pub use desk::Desk;
pub use films::LocalCrew;
pub use postman::Postman;
pub use supply::Supply;
