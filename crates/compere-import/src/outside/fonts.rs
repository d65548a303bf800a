//! Which fonts a deck asks for and does not get.

use std::collections::BTreeSet;

use super::pdf::poppler;
use super::work::{Stopped, Work};
use crate::twin::same_widths;
use crate::{ImportError, Progress, Warning};
use compere_codec::sandbox::Limits as ErrandLimits;

/// Families that are looked up one by one; a deck with more is told of these.
const MOST: usize = 30;
const LOOK: ErrandLimits = ErrandLimits { wall: 20, cpu: 10, ..ErrandLimits::SMALL };

/// A warning for each family that is not installed, with what was drawn instead.
pub(crate) fn replaced(work: &Work<'_>, families: &[String]) -> Result<Vec<Warning>, ImportError> {
    let Some(listed) = answer(work, "fc-list", &["--format", "%{family}\n"])? else { return Ok(vec![]) };
    let installed: BTreeSet<String> =
        listed.lines().flat_map(|line| line.split(',')).map(|family| family.trim().to_lowercase()).collect();
    let absent = families.iter().filter(|family| !installed.contains(&family.to_lowercase()));
    let mut warnings = Vec::new();
    for family in absent.take(MOST) {
        let instead = answer(work, "fc-match", &["--format", "%{family[0]}", &escaped(family)])?;
        let instead = instead.map(|family| family.trim().to_owned()).filter(|family| !family.is_empty());
        warnings.push(Warning::of_document(message(family, instead.as_deref())));
    }
    Ok(warnings)
}

fn message(family: &str, instead: Option<&str>) -> String {
    let same = |instead: &str| same_widths(family) == Some(instead);
    match instead {
        Some(instead) if same(instead) => {
            format!("font “{family}” is not installed; {instead}, which has the same widths, stands in for it")
        }
        Some(instead) => {
            format!("font “{family}” is not installed; {instead} stands in for it, and lines may break elsewhere")
        }
        None => format!("font “{family}” is not installed; another stands in for it"),
    }
}

/// Nothing when the program is not there: only warnings hang on it.
fn answer(work: &Work<'_>, program: &'static str, args: &[&str]) -> Result<Option<String>, ImportError> {
    match work.run(&poppler(program, LOOK).args(args), Progress::Looking) {
        Ok(output) => Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned())),
        Err(Stopped::Import(error)) => Err(error),
        Err(Stopped::Child(_)) => Ok(None),
    }
}

/// As a pattern of fontconfig. A name never begins an option: it is asked for with a leading `:family=`.
fn escaped(family: &str) -> String {
    let mut pattern = ":family=".to_owned();
    for char in family.chars() {
        if matches!(char, '\\' | '-' | ':' | ',' | '=' | '_') {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_says_whether_lines_may_break_elsewhere() {
        assert!(message("Calibri", Some("Carlito")).contains("same widths"));
        assert!(message("Futura", Some("DejaVu Sans")).contains("elsewhere"));
        assert_eq!(escaped("-a:b"), ":family=\\-a\\:b");
    }
}
