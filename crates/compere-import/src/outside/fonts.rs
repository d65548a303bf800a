//! Which fonts a deck asks for and does not get.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::pdf::poppler;
use super::work::{Stopped, Work};
use crate::twin::{Installed, StandIn, stand_in};
use crate::{ImportError, Progress, Warning};
use compere_codec::sandbox::{Errand, Limits as ErrandLimits};

/// Families that are looked up one by one; a deck with more is told of these.
const MOST: usize = 30;
const LOOK: ErrandLimits = ErrandLimits { wall: 20, cpu: 10, ..ErrandLimits::SMALL };

/// The families of this machine; none when nobody can say.
pub(crate) fn installed(work: &Work<'_>) -> Result<Installed, ImportError> {
    Ok(listed(&answer(work, "fc-list", &["--format", "%{family}\n"])?.unwrap_or_default()))
}

/// The families of some files, as who draws with them will know them.
pub(crate) fn of_files(work: &Work<'_>, files: &[PathBuf]) -> Result<Installed, ImportError> {
    if files.is_empty() {
        return Ok(Installed::new());
    }
    let errand = poppler("fc-scan", LOOK).args(["--format", "%{family}\n"]);
    let errand = files.iter().fold(errand, Errand::input);
    Ok(listed(&told(work, &errand)?.unwrap_or_default()))
}

/// In small letters.
fn listed(answer: &str) -> Installed {
    let families = answer.lines().flat_map(|line| line.split(','));
    families.map(|family| family.trim().to_lowercase()).filter(|family| !family.is_empty()).collect()
}

/// A warning for each family that is not installed, with what was drawn instead and on which slides. `wanted` has the
/// numbers of those that name it, `shown` all that are shown.
pub(crate) fn replaced(
    work: &Work<'_>,
    wanted: &BTreeMap<String, BTreeSet<usize>>,
    shown: &BTreeSet<usize>,
    installed: &Installed,
) -> Result<Vec<Warning>, ImportError> {
    if installed.is_empty() {
        return Ok(vec![]);
    }
    let absent = wanted.iter().filter(|(family, _)| !installed.contains(&family.to_lowercase()));
    let mut warnings = Vec::new();
    for (family, slides) in absent.take(MOST) {
        let slides: BTreeSet<usize> = slides.intersection(shown).copied().collect();
        if slides.is_empty() {
            continue;
        }
        let instead = match stand_in(family, installed) {
            Some(StandIn { family, same_widths }) => Some((family.to_owned(), same_widths)),
            None => answer(work, "fc-match", &["--format", "%{family[0]}", &escaped(family)])?
                .map(|family| (family.trim().to_owned(), false))
                .filter(|(family, _)| !family.is_empty()),
        };
        let message = message(family, instead.as_ref());
        warnings.push(Warning::of_document(format!("{message} ({})", spans(&slides))));
    }
    Ok(warnings)
}

fn message(family: &str, instead: Option<&(String, bool)>) -> String {
    match instead {
        Some((instead, true)) => {
            format!("font “{family}” is not installed; {instead}, which has the same widths, stands in for it")
        }
        Some((instead, false)) => {
            format!("font “{family}” is not installed; {instead} stands in for it, and lines may break elsewhere")
        }
        None => format!("font “{family}” is not installed; another stands in for it"),
    }
}

/// `slides 2, 4–6`.
fn spans(slides: &BTreeSet<usize>) -> String {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for &slide in slides {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == slide => *last = slide,
            _ => spans.push((slide, slide)),
        }
    }
    let text = |(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}–{last}") }
    };
    let noun = if slides.len() == 1 { "slide" } else { "slides" };
    format!("{noun} {}", spans.iter().map(text).collect::<Vec<_>>().join(", "))
}

/// Nothing when the program is not there: only warnings hang on it.
fn answer(work: &Work<'_>, program: &'static str, args: &[&str]) -> Result<Option<String>, ImportError> {
    told(work, &poppler(program, LOOK).args(args))
}

fn told(work: &Work<'_>, errand: &Errand) -> Result<Option<String>, ImportError> {
    match work.run(errand, Progress::Looking) {
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
        assert!(message("Calibri", Some(&("Carlito".to_owned(), true))).contains("same widths"));
        assert!(message("Futura", Some(&("DejaVu Sans".to_owned(), false))).contains("elsewhere"));
        assert_eq!(escaped("-a:b"), ":family=\\-a\\:b");
        assert_eq!(spans(&[2, 4, 5, 6, 9].into()), "slides 2, 4–6, 9");
        assert_eq!(spans(&[3].into()), "slide 3");
    }
}
