//! Which words of a page are whose cell's: rows of tables are as high as their words need, so the words tell.

use std::collections::BTreeMap;

use super::place::{self, Map, Row};
use crate::inside::bare::{Piece, What};
use crate::page::Word;

/// The words of cells, by the number of their piece; none for the cells of a table whose words were not all found again.
pub(crate) type Cells = BTreeMap<usize, Option<Vec<Vec<Row>>>>;

pub(crate) fn found(pieces: &[Piece], words: &[Word], map: Map) -> Cells {
    let mut cells = Cells::new();
    let mut at = 0;
    while at < pieces.len() {
        let table = pieces[at].table;
        let end = (at..pieces.len()).find(|next| pieces[*next].table != table).unwrap_or(pieces.len());
        if table.is_some() {
            let mut left: Vec<Row> = words.iter().map(|word| map.word(word)).collect();
            let all: Option<Vec<_>> = pieces[at..end].iter().map(|piece| taken(piece, &mut left, map)).collect();
            let mut all = all.map(Vec::into_iter);
            cells.extend((at..end).map(|at| (at, all.as_mut().and_then(Iterator::next))));
        }
        at = end;
    }
    cells
}

/// The words that a cell says, the uppermost that are left in its column.
fn taken(piece: &Piece, left: &mut Vec<Row>, map: Map) -> Option<Vec<Vec<Row>>> {
    let What::Text(paragraphs) = &piece.what else { return None };
    let [from, top, width, _] = map.area(&piece.area);
    let slack = paragraphs.first().map_or(0.0, |paragraph| paragraph.style.size * map.scale * 0.3);
    let column = [from, top - slack, width, f64::MAX / 4.0];
    let rows = place::rows(left.iter().cloned(), column, 0.0);
    let (rows, blocks) = (0..rows.len()).find_map(|start| {
        let rows = rows[start..].to_vec();
        Some((rows.clone(), place::found(paragraphs, rows)?.iter().map(place::Block::bounds).collect::<Vec<_>>()))
    })?;
    let lower = blocks.iter().map(|block| block[3]).fold(f64::MIN, f64::max);
    let own: Vec<Vec<Row>> =
        rows.into_iter().take_while(|row| row.iter().any(|word| word.middle().1 < lower)).collect();
    left.retain(|word| !own.iter().flatten().any(|own| own == word));
    Some(own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::bare::{Area, Paragraph};
    use crate::page::Page;

    fn cell(text: &str, (left, top): (f64, f64), width: f64) -> Piece {
        let paragraph = Paragraph { maybe_bold: true, ..Paragraph::plain(text, (left, left + width)) };
        let table = Some(Area { left: 0.1, top: 0.1, width: 0.5, height: 0.2 });
        let area = Area { left, top, width, height: 0.1 };
        Piece { name: text.into(), area, angle: 0.0, table, from: 0, what: What::Text(vec![paragraph]) }
    }

    fn word(text: &str, x: f64, y: f64) -> Word {
        Word { text: text.into(), x: (x, x + 10.0 * text.len() as f64), y: (y, y + 24.0) }
    }

    #[test]
    fn words_go_to_their_cells_though_rows_grew() {
        let page = Page {
            at: 0,
            size: (960.0, 540.0),
            number: 1,
            unpinned: false,
            patient: false,
            aside: None,
            rest: None,
            group: 0,
        };
        let map = Map::of(&page, (1920, 1080));
        // The second row is said to begin at 108 points, and begins at 150.
        let words = [
            word("two", 110.0, 60.0),
            word("lines", 110.0, 90.0),
            word("5", 350.0, 60.0),
            word("5", 110.0, 160.0),
            word("below", 350.0, 160.0),
            word("elsewhere", 700.0, 60.0),
        ];
        let mut pieces = vec![
            cell("two lines", (0.1, 0.1), 0.25),
            cell("5", (0.35, 0.1), 0.25),
            cell("5", (0.1, 0.2), 0.25),
            cell("below", (0.35, 0.2), 0.25),
        ];
        let cells = found(&pieces, &words, map);
        let said = |at: usize| -> Vec<&str> {
            let rows = cells[&at].as_ref().expect("found");
            rows.iter().flatten().map(|word| word.text.as_str()).collect()
        };
        assert_eq!([said(0), said(1), said(2), said(3)], [vec!["two", "lines"], vec!["5"], vec!["5"], vec!["below"]]);
        assert!(cells[&2].as_ref().expect("found")[0][0].y.0 > 300.0);
        pieces.push(cell("never", (0.1, 0.3), 0.25));
        assert!(found(&pieces, &words, map).values().all(Option::is_none), "then nobody knows where the others are");
    }
}
