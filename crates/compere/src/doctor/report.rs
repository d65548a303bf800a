//! The findings, for people and for scripts.

use std::fmt::{self, Write};

use serde::Serialize;

use super::{Check, Need, State};

/// From good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Ready,
    Degraded,
    Unusable,
}

/// Everything the doctor found. `Display` is the table, `Serialize` the JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    pub version: &'static str,
    pub verdict: Verdict,
    pub checks: Vec<Check>,
}

impl Report {
    pub fn new(checks: Vec<Check>) -> Self {
        let worst = checks.iter().map(judged).max().unwrap_or(Verdict::Ready);
        Self { version: env!("CARGO_PKG_VERSION"), verdict: worst, checks }
    }

    pub fn exit_code(&self) -> u8 {
        match self.verdict {
            Verdict::Ready => 0,
            Verdict::Degraded => 1,
            Verdict::Unusable => 2,
        }
    }
}

fn judged(check: &Check) -> Verdict {
    match (check.need, check.state) {
        (_, State::Ok) | (Need::Optional, _) => Verdict::Ready,
        (Need::Vital, State::Missing) => Verdict::Unusable,
        (Need::Vital | Need::Expected, _) => Verdict::Degraded,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name_width = self.checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
        for check in &self.checks {
            let word = match (check.state, check.need) {
                (State::Ok, _) => "ok",
                (State::Weak, _) => "weak",
                (State::Missing, Need::Optional) => "absent",
                (State::Missing, _) => "MISSING",
            };
            let facts: Vec<_> = [&check.version, &check.found].into_iter().flatten().map(String::as_str).collect();
            let mut line = format!("{word:<8}{:<name_width$}  {}", check.name, facts.join("  "));
            if check.state != State::Ok {
                let indent = name_width + 10;
                if !facts.is_empty() {
                    write!(line, "\n{:indent$}", "")?;
                }
                write!(line, "{}\n{:indent$}→ {}", check.without, "", check.remedy)?;
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        let verdict = match self.verdict {
            Verdict::Ready => "Everything that films need is here.",
            Verdict::Degraded => "Films can be made, but not everything works as it should.",
            Verdict::Unusable => "No film can be made on this machine as it is.",
        };
        write!(f, "\n{verdict}")
    }
}
