//! Strands of hair as ribbons, lighter and darker than the mass.

use tiny_skia::Path;

use super::knots::ribbon;
use super::person::Person;
use crate::drawn::brush::Brush;

fn ribbons(spines: &[&[[f32; 3]]]) -> Vec<Path> {
    spines.iter().map(|spine| ribbon(spine)).collect()
}

pub(super) fn lights(brush: &mut Brush<'_>, person: &Person, spines: &[&[[f32; 3]]]) {
    for path in ribbons(spines) {
        brush.fill(&path, person.hair.light, 0.9);
    }
}

pub(super) fn strands(brush: &mut Brush<'_>, person: &Person, spines: &[&[[f32; 3]]]) {
    for path in ribbons(spines) {
        brush.fill(&path, person.hair.shade, 0.85);
    }
}
