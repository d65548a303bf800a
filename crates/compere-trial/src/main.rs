//! `compere`, with somebody at its named points: the same program, dying, standing still or misreading the clock on
//! demand. It is built for tests only; the product has none of it.
//!
//! `COMPERE_CRASH_AT=publish.film:2` aborts the process the second time it comes to `publish.film`: no destructor runs
//! and no buffer is written, as with `kill -9`. `COMPERE_CRASH_ONCE=FILE` lets it die only if it can make that file, so
//! that a worker that is started again goes on. `COMPERE_PANIC_AT` panics instead, every time.
//!
//! `COMPERE_HOLD_AT=worker.drawing` with `COMPERE_HOLD_FILE=FILE` makes a process stand still at a point, the first time
//! it comes there: it makes the file, and goes on when somebody has removed it.
//!
//! `COMPERE_CLOCK_AHEAD=FILE` sets the clock ahead by the milliseconds that the file holds at the moment, or back by a
//! negative number.

use std::env::{var, var_os};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use compere_store::trial::{self, Trial};

fn main() -> ExitCode {
    trial::begin(Box::new(Demands::read()));
    compere::cli::run()
}

struct Demands {
    crash: Option<Crash>,
    /// Where to panic.
    panic: Option<String>,
    hold: Option<Hold>,
    /// Says how far ahead the clock is.
    clock: Option<PathBuf>,
}

struct Crash {
    point: String,
    /// Which time it is deadly.
    passes: u32,
    seen: AtomicU32,
    once: Option<OsString>,
}

struct Hold {
    point: String,
    file: PathBuf,
    held: AtomicBool,
}

impl Demands {
    fn read() -> Self {
        let crash = var("COMPERE_CRASH_AT").ok().map(|text| {
            let (point, passes) = text.split_once(':').unwrap_or((&text, "1"));
            let (point, passes) = (point.to_owned(), passes.parse().unwrap_or(1));
            Crash { point, passes, seen: AtomicU32::new(0), once: var_os("COMPERE_CRASH_ONCE") }
        });
        let hold = var("COMPERE_HOLD_AT").ok().zip(var_os("COMPERE_HOLD_FILE"));
        let hold = hold.map(|(point, file)| Hold { point, file: file.into(), held: AtomicBool::new(false) });
        let clock = var_os("COMPERE_CLOCK_AHEAD").map(PathBuf::from);
        Self { crash, panic: var("COMPERE_PANIC_AT").ok(), hold, clock }
    }
}

impl Trial for Demands {
    fn comes_to(&self, point: &str) {
        if let Some(hold) = self.hold.as_ref().filter(|hold| hold.point == point) {
            hold.stand_still();
        }
        if let Some(crash) = self.crash.as_ref().filter(|crash| crash.point == point) {
            crash.come_by();
        }
        assert!(self.panic.as_deref() != Some(point), "told to panic at {point}");
    }

    fn ahead(&self) -> i64 {
        let text = self.clock.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        text.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
    }

    fn variables(&self) -> &'static [&'static str] {
        &[
            "COMPERE_CRASH_AT",
            "COMPERE_CRASH_ONCE",
            "COMPERE_PANIC_AT",
            "COMPERE_HOLD_AT",
            "COMPERE_HOLD_FILE",
            "COMPERE_CLOCK_AHEAD",
        ]
    }
}

impl Crash {
    fn come_by(&self) {
        let first = |file| std::fs::File::options().write(true).create_new(true).open(file).is_ok();
        if self.seen.fetch_add(1, Ordering::SeqCst) + 1 == self.passes && self.once.as_ref().is_none_or(first) {
            std::process::abort();
        }
    }
}

impl Hold {
    /// Others of the same process pass meanwhile.
    fn stand_still(&self) {
        if self.held.swap(true, Ordering::SeqCst) || std::fs::write(&self.file, &self.point).is_err() {
            return;
        }
        while self.file.exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
