//! Where poppler finds the words of a page.

use std::path::Path;

use compere_codec::sandbox::Errand;

use super::pdf::{glance, poppler};
use super::work::{Stopped, Work};
use crate::page::Word;
use crate::xml::Node;
use crate::{ImportError, Progress, xml};

/// Asks for the words of a PDF.
pub(crate) fn errand(pdf: &Path, pages: usize) -> Errand {
    poppler("pdftotext", glance(pages)).words("-q -bbox").input(pdf).arg("-")
}

/// The words of each page; nothing when poppler cannot say.
pub(crate) fn of_pages(work: &Work<'_>, pdf: &Path, pages: usize) -> Result<Option<Vec<Vec<Word>>>, ImportError> {
    match work.run(&errand(pdf, pages), Progress::Converting) {
        Ok(output) => Ok(read(&output.stdout)),
        Err(Stopped::Import(error)) => Err(error),
        Err(Stopped::Child(_)) => Ok(None),
    }
}

/// Of what poppler answered.
pub(crate) fn read(answer: &[u8]) -> Option<Vec<Vec<Word>>> {
    // The head holds the document's title as it is, and a type that no part of a package has.
    let start = answer.windows(5).position(|window| window == b"<doc>")?;
    let end = answer.windows(6).rposition(|window| window == b"</doc>")? + 6;
    let text = String::from_utf8_lossy(answer.get(start..end)?);
    let text: String = text.chars().filter(|c| !c.is_control() || c.is_whitespace()).collect();
    let tree = xml::parse(text.as_bytes()).ok()?;
    let page = |page: &Node| page.nodes().filter(|node| node.name == "word").filter_map(word).collect();
    Some(tree.nodes().filter(|node| node.name == "page").map(page).collect())
}

fn word(node: &Node) -> Option<Word> {
    let number = |name: &str| node.attr(name)?.parse::<f64>().ok().filter(|value| value.is_finite());
    let (x, y) = ((number("xMin")?, number("xMax")?), (number("yMin")?, number("yMax")?));
    Some(Word { text: node.text(), x, y })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_page_by_page() {
        let answer = b"<!DOCTYPE html><html><head><title>A & B</title></head><body>\n<doc>\n<page width=\"9\" height=\"9\">\n\
            <word xMin=\"1.5\" yMin=\"2\" xMax=\"3\" yMax=\"4\">R&amp;D</word>\n</page><page width=\"9\" height=\"9\">\n</page>\n</doc>\n</body>\n</html>\n";
        let pages = read(answer).unwrap();
        assert_eq!(pages, [vec![Word { text: "R&D".into(), x: (1.5, 3.0), y: (2.0, 4.0) }], vec![]]);
    }
}
