//! Measurements that others can repeat: medians of several runs, with what the machine was doing beside.

mod api;
mod avatar;
mod film;
mod import;
mod machine;
mod picture;
mod speech;

pub use api::{Load, api};
pub use avatar::avatars;
pub use film::film;
pub use import::imports;
pub use machine::Machine;
pub use picture::pictures;
pub use speech::voices;

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

    pub fn to_json(&self) -> Value {
        serde_json::json!({"name": self.name, "value": self.value, "unit": self.unit, "target": self.target})
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = if self.value.abs() >= 100.0 { 0 } else { 2 };
        write!(f, "{:<58} {:>10.digits$} {}", self.name, self.value, self.unit)?;
        match &self.target {
            Some(target) => write!(f, "   (target {target})"),
            None => Ok(()),
        }
    }
}

/// The middle one of an odd number of figures.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
