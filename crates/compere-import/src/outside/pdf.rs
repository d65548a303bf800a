//! What poppler says about a PDF: pages, boxes, password, fonts.

use std::path::Path;

use compere_codec::sandbox::{Errand, Limits as ErrandLimits, Output};
use compere_codec::{MediaError, MediaErrorKind};

use super::work::{BUSY, Stopped, Work};
use crate::{ImportError, ImportErrorKind, Progress};

/// Where fontconfig finds out which fonts there are.
const FONT_FOLDERS: [&str; 2] = ["/etc/fonts", "/var/cache/fontconfig"];

pub(crate) fn poppler(program: &'static str, limits: ErrandLimits) -> Errand {
    FONT_FOLDERS.iter().fold(Errand::new(program, limits), |errand, folder| errand.folder(*folder))
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Info {
    pub(crate) title: Option<String>,
    /// Width and height as they are seen, turned pages turned.
    pub(crate) pages: Vec<(f64, f64)>,
}

/// What may be used to look through so many pages. Pages made to hurt use all of it, and are drawn after; honest ones use a
/// tenth.
pub(crate) fn glance(pages: usize) -> ErrandLimits {
    let cpu = 3 + pages as u64 / 8;
    ErrandLimits { wall: cpu * BUSY, cpu, ..ErrandLimits::SMALL }
}

/// Pages and title. `name` is what the file is called in sentences.
pub(crate) fn info(work: &Work<'_>, file: &Path, name: &str) -> Result<Info, ImportError> {
    let most = work.limits.slides;
    let errand = poppler("pdfinfo", glance(16)).words("-enc UTF-8 -f 1 -l").arg((most + 1).to_string()).input(file);
    let output = work.run(&errand, Progress::Looking).map_err(|stopped| explain(stopped, name))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let field = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let count: usize = field("Pages:").and_then(|count| count.parse().ok()).unwrap_or(0);
    if count == 0 {
        return Err(ImportError::unreadable(format!("{name} has no pages.")));
    }
    if count > most {
        return Err(too_many(count, most));
    }
    let pages = (1..=count).map(|page| page_size(&text, page)).collect::<Option<Vec<_>>>();
    let pages =
        pages.ok_or_else(|| ImportError::unreadable(format!("{name} is damaged: it has pages without a size.")))?;
    let title = field("Title:").map(str::to_owned).filter(|title| !title.is_empty());
    Ok(Info { title, pages })
}

pub(crate) fn too_many(count: usize, most: usize) -> ImportError {
    ImportError::too_large(format!("The document has {count} slides; at most {most} are taken. Split it."))
}

fn explain(stopped: Stopped, name: &str) -> ImportError {
    let Stopped::Child(error) = &stopped else { return stopped.about(name) };
    if error.what.contains("Incorrect password") {
        return ImportError::unreadable(format!("{name} is protected by a password; save it without one."));
    }
    if is_absent(error) {
        let sentence = "PDF files cannot be read here: poppler is missing (apt-get install poppler-utils).";
        return ImportError::new(ImportErrorKind::Unavailable, sentence);
    }
    match error.kind {
        MediaErrorKind::Damaged => ImportError::unreadable(format!(
            "{name} is damaged or cut off ({}); export or upload it again.",
            error.what.trim_start_matches("Syntax Error: ").trim_end_matches('.')
        )),
        _ => stopped.about(name),
    }
}

/// Whether a program is not there at all.
pub(crate) fn is_absent(error: &MediaError) -> bool {
    error.kind == MediaErrorKind::Machine
        && (error.what.contains("No such file") || error.what.contains("failed to execute"))
}

/// `Page    1 size: 841.89 x 595.276 pts (A4)` and `Page    1 rot:  90`.
fn page_size(text: &str, page: usize) -> Option<(f64, f64)> {
    let of_page = |what: &str| {
        text.lines().find_map(|line| {
            let rest = line.strip_prefix("Page")?.trim_start().strip_prefix(&page.to_string())?;
            rest.trim_start().strip_prefix(what)
        })
    };
    let size = of_page("size:")?;
    let mut words = size.split_whitespace();
    let width: f64 = words.next()?.parse().ok()?;
    let height: f64 = words.nth(1)?.parse().ok()?;
    if !(width.is_finite() && height.is_finite() && width > 0.0 && height > 0.0) {
        return None;
    }
    let turned = of_page("rot:").and_then(|angle| angle.trim().parse::<i32>().ok()).unwrap_or(0) % 180 != 0;
    Some(if turned { (height, width) } else { (width, height) })
}

/// Asks for the fonts of a PDF.
pub(crate) fn fonts(file: &Path, pages: usize) -> Errand {
    poppler("pdffonts", glance(pages)).input(file)
}

/// Those that it names and does not carry, which poppler replaces.
pub(crate) fn absent_fonts(answer: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&answer.stdout);
    let mut fonts: Vec<String> = text.lines().skip(2).filter_map(unembedded).collect();
    fonts.sort();
    fonts.dedup();
    fonts
}

/// Families of the fonts that a PDF carries, without weights: `Liberation Sans` is there as `LiberationSans`.
pub(crate) fn families(work: &Work<'_>, file: &Path, pages: usize) -> Result<Vec<String>, ImportError> {
    let output = match work.run(&fonts(file, pages), Progress::Converting) {
        Ok(output) => output,
        Err(Stopped::Import(error)) => return Err(error),
        Err(Stopped::Child(_)) => return Ok(vec![]),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let mut families: Vec<String> = text.lines().skip(2).filter_map(family).collect();
    families.sort();
    families.dedup();
    Ok(families)
}

/// `BAAAAA+LiberationSans-Bold` at the beginning of a line.
fn family(line: &str) -> Option<String> {
    let name = line.split_whitespace().next()?;
    let name = name.split_once('+').map_or(name, |(_, name)| name);
    let name = name.split(['-', ',']).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// `Helvetica   Type 1   WinAnsi   no  no  no   8  0`: name, type, encoding, embedded, subset, unicode, object.
fn unembedded(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, .., embedded, _subset, _unicode, _object, _generation] = words.as_slice() else { return None };
    (*embedded == "no" && *name != "[none]" && !line.contains("Type 3")).then(|| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_that_are_seen() {
        let text = "Page    1 size: 841.89 x 595.276 pts (A4)\nPage    1 rot:  0\nPage   12 size: 300 x 400 pts\nPage   12 rot:  270\n";
        assert_eq!(page_size(text, 1), Some((841.89, 595.276)));
        assert_eq!(page_size(text, 12), Some((400.0, 300.0)));
        assert_eq!(page_size(text, 2), None);
    }

    #[test]
    fn fonts_left_out_are_found() {
        let line = "Helvetica-Bold                       Type 1            WinAnsi          no  no  no       8  0";
        assert_eq!(unembedded(line).as_deref(), Some("Helvetica-Bold"));
        let line = "BAAAAA+Carlito                       TrueType          WinAnsi          yes yes yes      9  0";
        assert_eq!(unembedded(line), None);
    }
}
