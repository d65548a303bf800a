//! A progress bar that can be stopped with Ctrl-C.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use compere_render::{Progress, Watcher};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how far a film is on standard error, if somebody is looking.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Bar {
    pub(crate) fn new(quiet: bool) -> Self {
        let target = if quiet || !std::io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(1000), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:32.cyan/blue} {percent:>3} %  {msg}  {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, stop: stop_flag() }
    }

    /// Shows how far something is; false after Ctrl-C.
    pub(crate) fn show(&self, percent: f64, message: String) -> bool {
        self.bar.set_position((percent * 10.0) as u64);
        self.bar.set_message(message);
        !self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watcher for Bar {
    fn see(&self, progress: Progress, percent: f64) -> ControlFlow<()> {
        let message = match progress {
            Progress::Drawing { done, of } => format!("drawing frame {done} of {of}"),
            Progress::Speaking { done, of } => format!("speaking line {done} of {of}"),
            other => other.activity().to_string(),
        };
        if self.show(percent, message) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Set by the first Ctrl-C; the second ends the process at once.
fn stop_flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&flag);
        let handler = move || {
            if seen.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        };
        // Without a handler Ctrl-C still ends the process, only less tidily.
        let _ = ctrlc::set_handler(handler);
        flag
    });
    Arc::clone(flag)
}
