//! Fonts that stand in for others without moving a line.

/// Fonts made to be as wide as those they stand for, so that lines break where they should.
const SAME_WIDTHS: [(&str, &str); 5] = [
    ("Calibri", "Carlito"),
    ("Cambria", "Caladea"),
    ("Arial", "Liberation Sans"),
    ("Times New Roman", "Liberation Serif"),
    ("Courier New", "Liberation Mono"),
];

/// The font that was drawn to the widths of another.
pub(crate) fn same_widths(family: &str) -> Option<&'static str> {
    SAME_WIDTHS.iter().find(|(name, _)| name.eq_ignore_ascii_case(family)).map(|(_, twin)| *twin)
}
