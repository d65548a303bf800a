//! Named points at which a process can be made to die, so that tests can prove that nothing is lost there.
//!
//! `COMPERE_CRASH_AT=publish.put:2` aborts the process the second time it comes to `publish.put`: no destructor runs and
//! no buffer is written, as with `kill -9`. `COMPERE_CRASH_ONCE=FILE` lets it die only if it can make that file, so that
//! a worker that is started again goes on.
//!
//! `COMPERE_HOLD_AT=worker.drawing` with `COMPERE_HOLD_FILE=FILE` makes a process stand still at a point instead, the
//! first time it comes there: it makes the file, and goes on when somebody has removed it.
//!
//! Without these variables a point costs two comparisons.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

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

struct Hold {
    name: String,
    file: std::path::PathBuf,
    held: AtomicBool,
}

fn hold() -> Option<&'static Hold> {
    static HOLD: OnceLock<Option<Hold>> = OnceLock::new();
    let read = || {
        let file = std::env::var_os("COMPERE_HOLD_FILE")?.into();
        Some(Hold { name: std::env::var("COMPERE_HOLD_AT").ok()?, file, held: AtomicBool::new(false) })
    };
    HOLD.get_or_init(read).as_ref()
}

/// Stands still here, if this is the point that was asked for. Others of the same process pass meanwhile.
fn stand_still(name: &str) {
    let Some(hold) = hold().filter(|hold| hold.name == name) else { return };
    if hold.held.swap(true, Ordering::SeqCst) || std::fs::write(&hold.file, name).is_err() {
        return;
    }
    while hold.file.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Ends the process here, or holds it, if this is the point that was asked for.
pub fn point(name: &str) {
    stand_still(name);
    let Some(plan) = plan() else { return };
    if plan.name != name || plan.seen.fetch_add(1, Ordering::SeqCst) + 1 != plan.passes {
        return;
    }
    let first = |file| std::fs::File::options().write(true).create_new(true).open(file).is_ok();
    if plan.once.as_ref().is_none_or(first) {
        std::process::abort();
    }
}
