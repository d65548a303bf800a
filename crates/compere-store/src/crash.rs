//! Named points at which a process can be made to die, so that tests can prove that nothing is lost there.
//!
//! `COMPERE_CRASH_AT=publish.put:2` aborts the process the second time it comes to `publish.put`: no destructor runs and
//! no buffer is written, as with `kill -9`. `COMPERE_CRASH_ONCE=FILE` lets it die only if it can make that file, so that
//! a worker that is started again goes on. Without the first variable a point costs one comparison.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

struct Plan {
    name: String,
    passes: u32,
    seen: AtomicU32,
    once: Option<std::ffi::OsString>,
}

fn plan() -> Option<&'static Plan> {
    static PLAN: OnceLock<Option<Plan>> = OnceLock::new();
    let read = || {
        let text = std::env::var("COMPERE_CRASH_AT").ok()?;
        let (name, passes) = match text.split_once(':') {
            Some((name, passes)) => (name.to_owned(), passes.parse().unwrap_or(1)),
            None => (text, 1),
        };
        Some(Plan { name, passes, seen: AtomicU32::new(0), once: std::env::var_os("COMPERE_CRASH_ONCE") })
    };
    PLAN.get_or_init(read).as_ref()
}

/// Ends the process here, if this is the point that was asked for.
pub fn point(name: &str) {
    let Some(plan) = plan() else { return };
    if plan.name != name || plan.seen.fetch_add(1, Ordering::SeqCst) + 1 != plan.passes {
        return;
    }
    let first = |file| std::fs::File::options().write(true).create_new(true).open(file).is_ok();
    if plan.once.as_ref().is_none_or(first) {
        std::process::abort();
    }
}
