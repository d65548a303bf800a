//! Measurements that others can repeat: medians of several runs, with what the machine was doing beside.

mod api;
mod avatar;
mod film;
mod import;
mod machine;
mod own;
mod picture;
mod preview;
mod service;
mod size;
mod speech;
mod warm;

pub use api::{Load, api};
pub use avatar::avatars;
pub use film::film;
pub use import::imports;
pub use machine::Machine;
pub use own::own;
pub use picture::pictures;
pub use preview::previews;
pub use size::{Sizes, sizes};
pub use speech::voices;
pub use warm::warm;

use serde_json::Value;

/// One line of a report.
#[derive(Debug, Clone)]
pub struct Row {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    /// What the figure should be, where the design says so.
    pub target: Option<String>,
}

impl Row {
    pub fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { name: name.into(), value, unit, target: None }
    }

    #[must_use]
    pub fn target(mut self, target: impl Into<String>) -> Self {
        self.target = Some(target.into());
        self
    }

    /// What the target says: at least a number, or, behind `<` or `<=`, at most it. Words may follow.
    fn bound(&self) -> Option<Bound> {
        let target = self.target.as_ref()?;
        let number = target.trim_start_matches(['<', '>', '=', ' ']).split(' ').next()?.parse().ok()?;
        Some(if target.starts_with('<') { Bound::AtMost(number) } else { Bound::AtLeast(number) })
    }

    /// Whether the figure is worse than its target.
    pub fn misses(&self) -> bool {
        // A figure that could not be taken meets no target.
        self.bound().is_some_and(|bound| {
            let meets = match bound {
                Bound::AtMost(most) => self.value <= most,
                Bound::AtLeast(least) => self.value >= least,
            };
            !meets
        })
    }

    /// The figure as a multiple of its target.
    pub fn ratio(&self) -> Option<f64> {
        let (Bound::AtMost(target) | Bound::AtLeast(target)) = self.bound()?;
        (target > 0.0).then(|| self.value / target)
    }

    /// With as many digits as mean something.
    fn figure(&self) -> String {
        let digits = match self.value.abs() {
            large if large >= 100.0 => 0,
            // Likenesses are told apart behind the second nine.
            share if self.unit.is_empty() && share <= 1.0 => 4,
            _ => 2,
        };
        format!("{:.digits$}", self.value)
    }

    pub fn to_json(&self) -> Value {
        serde_json::json!({
            "name": self.name, "value": self.value, "unit": self.unit, "target": self.target, "ratio": self.ratio(),
        })
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:<58} {:>10} {}", self.name, self.figure(), self.unit)?;
        match (&self.target, self.ratio()) {
            (Some(target), Some(ratio)) => {
                let missed = if self.misses() { ", missed" } else { "" };
                write!(f, "   (target {target}; {ratio:.2} times it{missed})")
            }
            (Some(target), None) => write!(f, "   (target {target})"),
            (None, _) => Ok(()),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

/// What misses its target, with how far; none where everything is as it should be.
pub fn missed(rows: &[Row]) -> Option<String> {
    let told = |row: &Row| row.ratio().map_or(row.name.clone(), |ratio| format!("{} ({ratio:.2})", row.name));
    let missed: Vec<String> = rows.iter().filter(|row| row.misses()).map(told).collect();
    (!missed.is_empty()).then(|| missed.join("; "))
}

/// The middle one of an odd number of figures.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_as_they_are_written() {
        let row = |value, target: &str| Row::new("figure", value, "").target(target);
        assert!(row(1.2, "<= 1.15").misses() && !row(1.1, "<= 1.15").misses());
        assert!(row(0.1, "< 0.083").misses() && !row(0.08, "< 0.083").misses());
        assert!(row(1400.0, "1500").misses() && !row(1.5, "> 1").misses());
        assert!(row(f64::NAN, "> 1").misses());
        assert!(!Row::new("figure", 3.0, "").misses());
        assert!(row(60.0, "< 50 on 2 cores").misses() && !row(40.0, "< 50 on 2 cores").misses());
        assert!(row(1.0, "<= 0").misses() && !row(0.0, "<= 0").misses());
        let told = row(0.36, "<= 0.10").to_string();
        assert!(told.ends_with("(target <= 0.10; 3.60 times it, missed)"), "{told}");
        assert_eq!(row(3000.0, "1500").ratio(), Some(2.0));
        assert_eq!(missed(&[row(1.0, "<= 1.15"), Row::new("without a target", 9.0, "")]), None);
        assert_eq!(missed(&[row(1.0, "<= 1.15"), row(2.0, "<= 0.5")]).as_deref(), Some("figure (4.00)"));
    }
}
