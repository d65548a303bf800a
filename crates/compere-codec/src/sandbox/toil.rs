//! Whether an errand that says nothing works, or would if it were let.
//!
//! On a machine with too much to do a good file may take minutes of which it has a processor for seconds. What an errand is
//! held to is therefore what it works, as far as Linux tells (`/proc`).

use std::fs;

/// In a second, for whoever reads `/proc`.
const TICKS: f64 = 100.0;

/// What a process and all that it started have done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Toil {
    /// Of processors, in seconds.
    pub(super) seconds: f64,
    /// One of them has something to do at this moment, or waits for a disk.
    pub(super) wants: bool,
}

/// Nothing where Linux does not tell.
pub(super) fn of(process: u32) -> Option<Toil> {
    let (mut toil, mut found) = (Toil::default(), vec![process]);
    let mut at = 0;
    // Those that end meanwhile are left out; their time is their parent's then.
    while let Some(&process) = found.get(at) {
        let told = stat(&format!("/proc/{process}/stat"));
        if at == 0 {
            told.as_ref()?;
        }
        toil.seconds += told.map_or(0.0, |(_, spent)| spent / TICKS);
        for thread in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
            let path = thread.path();
            toil.wants |=
                stat(&path.join("stat").to_string_lossy()).is_some_and(|(state, _)| matches!(state, 'R' | 'D'));
            let children = fs::read_to_string(path.join("children")).unwrap_or_default();
            found.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
        at += 1;
    }
    Some(toil)
}

/// What somebody does, and the ticks that they and their ended children had.
fn stat(path: &str) -> Option<(char, f64)> {
    let text = fs::read_to_string(path).ok()?;
    // A program's name may hold anything, brackets too.
    let (_, told) = text.rsplit_once(')')?;
    let mut told = told.split_whitespace();
    let state = told.next()?.chars().next()?;
    let spent = told.skip(10).take(4).map(|ticks| ticks.parse::<f64>().unwrap_or(0.0)).sum();
    Some((state, spent))
}
