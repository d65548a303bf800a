//! Named points and a clock that trials of the whole program can reach.
//!
//! Nobody stands here in the product: a point is one look at an empty place. The crate `compere-trial` builds another
//! program around the same library, one that dies, stands still or misreads the clock on demand, so that its tests can
//! prove that nothing is lost there.

use std::sync::OnceLock;

/// Somebody who puts the program to the test.
pub trait Trial: Send + Sync {
    /// The program comes to a point where dying would hurt.
    fn comes_to(&self, point: &str);

    /// Milliseconds that the clock on the wall is to be ahead.
    fn ahead(&self) -> i64;

    /// Variables that workers are to inherit besides the usual ones.
    fn variables(&self) -> &'static [&'static str];
}

static TRIAL: OnceLock<Box<dyn Trial>> = OnceLock::new();

/// Lets somebody stand at the points, for as long as the process lives. The first stays.
pub fn begin(trial: Box<dyn Trial>) {
    // A second one in the same process is a mistake of the program that is built around the library.
    let _ = TRIAL.set(trial);
}

/// The program comes to a point where dying would hurt.
pub fn point(name: &str) {
    if let Some(trial) = TRIAL.get() {
        trial.comes_to(name);
    }
}

/// Variables that workers are to inherit besides the usual ones.
pub fn variables() -> &'static [&'static str] {
    TRIAL.get().map_or(&[], |trial| trial.variables())
}

pub(crate) fn ahead() -> i64 {
    TRIAL.get().map_or(0, |trial| trial.ahead())
}
