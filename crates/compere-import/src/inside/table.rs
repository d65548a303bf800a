//! Tables: where their cells are, and how their words become clear. Runs inside the sandbox.
//!
//! Words that were taken out would leave rows that are lower than they were. So they stay, in a colour of which nothing is
//! seen.

use super::cut::{Cut, Why, prefix, tag_end};
use super::shape::number;
use crate::xml::Node;

pub(super) struct Table<'a> {
    /// Those that say something, row by row.
    pub(super) cells: Vec<Cell<'a>>,
}

pub(super) struct Cell<'a> {
    pub(super) node: &'a Node,
    /// Row and column, counted from one.
    pub(super) at: (usize, usize),
    /// From the table's left edge, and how wide; in the table's units.
    pub(super) across: (f64, f64),
    /// From its upper edge, and how high, as the deck says. Rows may be higher when they are drawn.
    pub(super) down: (f64, f64),
}

/// The table that a frame holds, if it is one that runs from left to right.
pub(super) fn of(frame: &Node) -> Option<Table<'_>> {
    let table = frame.path(&["graphic", "graphicData", "tbl"])?;
    if table.child("tblPr").and_then(|props| props.flag("rtl")) == Some(true) {
        return None;
    }
    let columns = table.child("tblGrid")?.nodes().filter(|node| node.name == "gridCol");
    let widths: Vec<f64> = columns.map(|column| number(column, "w").unwrap_or(0.0)).collect();
    let mut cells = Vec::new();
    let mut top = 0.0;
    for (row, node) in table.nodes().filter(|node| node.name == "tr").enumerate() {
        let height = number(node, "h").unwrap_or(0.0);
        for (column, cell) in node.nodes().filter(|node| node.name == "tc").enumerate() {
            let merged = ["hMerge", "vMerge"].iter().any(|name| cell.flag(name) == Some(true));
            if merged || !says_something(cell) || column >= widths.len() {
                continue;
            }
            let span = number(cell, "gridSpan").unwrap_or(1.0).clamp(1.0, 1000.0) as usize;
            let left: f64 = widths[..column].iter().sum();
            let width = widths[column..].iter().take(span).sum();
            cells.push(Cell { node: cell, at: (row + 1, column + 1), across: (left, width), down: (top, height) });
        }
        top += height;
    }
    Some(Table { cells })
}

fn says_something(cell: &Node) -> bool {
    let mut says = false;
    cell.walk(&mut |node| says |= node.name == "t" && !node.text().trim().is_empty());
    says
}

/// A colour that is there and not seen. The mark stands for the prefix that the file has for these names.
const CLEAR: &str = "<@solidFill><@srgbClr val=\"000000\"><@alpha val=\"0\"/></@srgbClr></@solidFill>";

/// What makes a cell's letters clear.
pub(super) fn cleared(cell: &Node, text: &str) -> Result<Vec<Cut>, Why> {
    let paragraphs = cell.path(&["txBody"]).into_iter().flat_map(Node::nodes).filter(|node| node.name == "p");
    let runs = paragraphs.flat_map(Node::nodes).filter(|node| node.name == "r");
    runs.map(|run| clear(run, text).ok_or("links in tables")).collect()
}

/// Nothing for a link, which has the theme's colour whatever its run says.
fn clear(run: &Node, text: &str) -> Option<Cut> {
    let prefix = prefix(text.get(run.span.clone())?);
    let (props, fill) = (run.child("rPr"), run.path(&["rPr", "solidFill"]));
    if props.is_some_and(|props| props.child("hlinkClick").is_some()) {
        return None;
    }
    let (span, instead) = match (props, fill) {
        (_, Some(fill)) => (fill.span.clone(), CLEAR.to_owned()),
        (Some(props), None) => {
            let end = tag_end(text, props.span.start)?;
            match text[..end].strip_suffix("/>") {
                Some(open) => (open.len()..end, format!(">{CLEAR}</@rPr>")),
                None => (end..end, CLEAR.to_owned()),
            }
        }
        (None, None) => {
            let end = tag_end(text, run.span.start)?;
            (end..end, format!("<@rPr>{CLEAR}</@rPr>"))
        }
    };
    Some((span, instead.replace('@', prefix)))
}

#[cfg(test)]
mod tests {
    use super::super::cut;
    use super::*;
    use crate::xml;

    const FRAME: &str = r#"<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblGrid><a:gridCol w="30"/><a:gridCol w="20"/><a:gridCol w="10"/></a:tblGrid>
        <a:tr h="8"><a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>A</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge="1"/><a:tc><a:txBody><a:p><a:r><a:rPr lang="a>b"/><a:t>B</a:t></a:r></a:p></a:txBody></a:tc></a:tr>
        <a:tr h="9"><a:tc><a:txBody><a:p/></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:rPr b="1"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:rPr><a:t>C</a:t></a:r></a:p></a:txBody></a:tc></a:tr>
        </a:tbl></a:graphicData></a:graphic></p:graphicFrame>"#;

    #[test]
    fn cells_are_where_their_columns_and_rows_are() {
        let tree = xml::parse(FRAME.as_bytes()).expect("a table");
        let found = of(&tree).expect("a table").cells;
        let places: Vec<_> = found.iter().map(|cell| (cell.at, cell.across, cell.down)).collect();
        let wanted =
            [((1, 1), (0.0, 50.0), (0.0, 8.0)), ((1, 3), (50.0, 10.0), (0.0, 8.0)), ((2, 2), (30.0, 20.0), (8.0, 9.0))];
        assert_eq!(places, wanted);
    }

    #[test]
    fn letters_become_clear_whatever_was_said_of_them() {
        let tree = xml::parse(FRAME.as_bytes()).expect("a table");
        let mut cuts: Vec<Cut> = Vec::new();
        of(&tree)
            .expect("a table")
            .cells
            .iter()
            .for_each(|cell| cuts.extend(cleared(cell.node, FRAME).expect("no link")));
        let text = cut::applied(FRAME.to_owned(), cuts);
        let clear = CLEAR.replace('@', "a:");
        assert_eq!(text.matches(&clear).count(), 3);
        assert!(text.contains(&format!("<a:r><a:rPr>{clear}</a:rPr><a:t>A")), "{text}");
        assert!(text.contains(&format!("<a:rPr lang=\"a>b\">{clear}</a:rPr><a:t>B")), "{text}");
        assert!(text.contains(&format!("<a:rPr b=\"1\">{clear}</a:rPr><a:t>C")), "{text}");
        xml::parse(text.as_bytes()).expect("still well-formed");
    }
}
