//! What the figures were taken on.

use std::fs;
use std::process::Child;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A machine and how busy it is.
#[derive(Debug, Clone)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    /// Processes that wanted to run, averaged over a minute.
    pub load: f64,
}

impl Machine {
    pub fn now() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        Self {
            processor: model.map_or("an unknown processor", |(_, name)| name).to_owned(),
            cores: std::thread::available_parallelism().map_or(1, Into::into),
            load: load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(f64::NAN),
        }
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {} cores, load {:.2}", self.processor, self.cores, self.load)
    }
}

/// Seconds by one of this process's clocks of processor time.
pub(crate) fn worked(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The most memory a running process has held, in bytes.
pub(crate) fn peak_memory(pid: u32) -> Option<u64> {
    memory(pid, "VmHWM:")
}

/// The memory that a running process holds, in bytes.
pub(crate) fn memory_now(pid: u32) -> Option<u64> {
    memory(pid, "VmRSS:")
}

fn memory(pid: u32, which: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(which))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// The most memory a child has held until it ended well, in bytes.
pub(crate) fn peak_of(mut child: Child) -> Result<u64, String> {
    let mut peak = 0;
    loop {
        peak = peak_memory(child.id()).unwrap_or(0).max(peak);
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(peak),
            Ok(Some(status)) => return Err(format!("a measured process ended with {status}")),
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(error) => return Err(error.to_string()),
        }
    }
}
