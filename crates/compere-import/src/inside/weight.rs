//! What keeps an office program busy for long, counted before it begins. Runs inside the sandbox.
//!
//! Measured with LibreOffice 7.4, seconds of a processor for one slide: 2,500 cells of a table 16 (their square counts), 3,000
//! shapes with words and shadows 11, 300 that glow 20, 10,000 plain shapes 3. A hundred large shadows with seams of 100 points take
//! it four and poppler more than fourteen. Nobody reads a slide of so many.

use serde::{Deserialize, Serialize};

use crate::xml::Node;

/// What one slide has of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Weight {
    /// Of all its tables.
    pub(crate) cells: u64,
    pub(crate) shapes: u64,
    pub(crate) shadows: u64,
    /// Of them, those with a wide seam.
    pub(crate) wide: u64,
    /// What glows, and what has soft edges.
    pub(crate) glows: u64,
}

/// The most that a slide may have of each.
const MOST: Weight = Weight { cells: 1500, shapes: 10_000, shadows: 1000, wide: 50, glows: 100 };
/// From here on a shadow's seam is wide: 20 points, in the unit of PPTX.
const WIDE: u64 = 254_000;
/// The most that all of it together may cost, in milliseconds: more than any of them alone.
const MOST_TOGETHER: u64 = 8000;

impl Weight {
    /// Of a slide of a PPTX.
    pub(crate) fn of(slide: &Node) -> Self {
        let mut weight = Self::default();
        slide.walk(&mut |node| match node.name.as_str() {
            "tc" => weight.cells += 1,
            "sp" | "pic" | "cxnSp" | "graphicFrame" => weight.shapes += 1,
            "outerShdw" | "innerShdw" | "prstShdw" => {
                weight.shadows += 1;
                let seam = node.attr("blurRad").and_then(|seam| seam.parse().ok()).unwrap_or(0u64);
                weight.wide += u64::from(seam >= WIDE);
            }
            "glow" | "softEdge" | "blur" => weight.glows += 1,
            _ => (),
        });
        weight
    }

    /// Of all slides of an ODP, in which styles say what has a shadow.
    pub(crate) fn of_open(content: &Node) -> Vec<Self> {
        let pages = content.path(&["body", "presentation"]).into_iter().flat_map(Node::nodes);
        pages.filter(|node| node.name == "page").map(Self::of_open_page).collect()
    }

    fn of_open_page(page: &Node) -> Self {
        const SHAPES: [&str; 12] = [
            "custom-shape",
            "frame",
            "rect",
            "line",
            "polyline",
            "polygon",
            "path",
            "circle",
            "ellipse",
            "connector",
            "caption",
            "measure",
        ];
        let mut weight = Self::default();
        page.walk(&mut |node| match node.name.as_str() {
            "table-row" => {
                let cells =
                    node.nodes().filter(|cell| matches!(cell.name.as_str(), "table-cell" | "covered-table-cell"));
                let across = cells.map(|cell| repeated(cell, "number-columns-repeated")).fold(0, u64::saturating_add);
                let rows = repeated(node, "number-rows-repeated");
                weight.cells = weight.cells.saturating_add(across.saturating_mul(rows));
            }
            name if SHAPES.contains(&name) => weight.shapes += 1,
            _ => (),
        });
        weight
    }

    /// What it has too much of, and how much would be taken.
    pub(crate) fn too_much(&self) -> Option<String> {
        let parts = self.parts().into_iter().zip(MOST.parts());
        let mut over = parts.filter(|((count, ..), (most, ..))| count > most);
        if let Some(((count, what, _), (most, ..))) = over.next() {
            return Some(format!("has {count} {what}; at most {most} are taken"));
        }
        if self.cost() <= MOST_TOGETHER {
            return None;
        }
        let mut parts = self.parts();
        parts.sort_by_key(|(.., cost)| std::cmp::Reverse(*cost));
        let [(most, what, _), (more, other, _), ..] = parts;
        Some(format!("has {most} {what} and {more} {other}, which together are more than is taken"))
    }

    /// How long it keeps LibreOffice busy, in milliseconds, about.
    pub(crate) fn cost(&self) -> u64 {
        self.parts().iter().map(|(_, _, cost)| *cost).fold(0, u64::saturating_add)
    }

    /// What most of that comes from.
    pub(crate) fn told(&self) -> String {
        let (count, what, _) = self.parts().into_iter().max_by_key(|(_, _, cost)| *cost).unwrap_or_default();
        format!("{count} {what}")
    }

    /// Counts, with their names and what they cost.
    fn parts(&self) -> [(u64, &'static str, u64); 5] {
        let Self { cells, shapes, shadows, wide, glows } = *self;
        [
            (cells, "cells of tables", cells.saturating_mul(cells).saturating_mul(27) / 10_000),
            (shapes, "shapes", shapes / 2),
            (shadows, "shadows", shadows.saturating_mul(4)),
            (wide, "wide shadows", wide.saturating_mul(100)),
            (glows, "glows and soft edges", glows.saturating_mul(60)),
        ]
    }
}

/// How often something is there that an ODP writes once.
fn repeated(node: &Node, name: &str) -> u64 {
    node.relation(name).and_then(|count| count.parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    #[test]
    fn a_slide_weighs_what_is_on_it() {
        let slide = r#"<p:sld><p:cSld><p:spTree><p:sp><p:spPr><a:effectLst><a:outerShdw blurRad="254000"/><a:innerShdw blurRad="50800"/><a:glow/></a:effectLst></p:spPr></p:sp>
            <p:grpSp><p:pic/><p:cxnSp/></p:grpSp><p:graphicFrame><a:tbl><a:tr><a:tc/><a:tc/></a:tr></a:tbl></p:graphicFrame>
            </p:spTree></p:cSld></p:sld>"#;
        let weight = Weight::of(&parse(slide.as_bytes()).expect("a slide"));
        assert_eq!(weight, Weight { cells: 2, shapes: 4, shadows: 2, wide: 1, glows: 1 });
        assert_eq!((weight.too_much(), weight.told()), (None, "1 wide shadows".to_owned()));
        let table = Weight { cells: 2500, shapes: 3, ..Weight::default() };
        assert_eq!(table.too_much().as_deref(), Some("has 2500 cells of tables; at most 1500 are taken"));
        assert!((16_000..18_000).contains(&table.cost()), "{}", table.cost());
        assert_eq!(Weight { cells: u64::MAX, ..table }.too_much().map(|told| told.len() > 20), Some(true));
    }

    #[test]
    fn of_each_as_much_as_may_be_is_too_much_together() {
        let alone = |weight: Weight| assert_eq!(weight.too_much(), None, "{weight:?}");
        alone(Weight { cells: MOST.cells, shapes: 1, ..Weight::default() });
        alone(Weight { shapes: MOST.shapes, ..Weight::default() });
        alone(Weight { shadows: MOST.shadows, shapes: MOST.shadows, ..Weight::default() });
        alone(Weight { shadows: MOST.wide, wide: MOST.wide, shapes: MOST.wide, ..Weight::default() });
        alone(Weight { glows: MOST.glows, shapes: MOST.glows, ..Weight::default() });
        let both = Weight { cells: MOST.cells, glows: MOST.glows, shapes: 101, ..Weight::default() };
        let told = "has 1500 cells of tables and 100 glows and soft edges, which together are more than is taken";
        assert_eq!(both.too_much().as_deref(), Some(told));
    }

    #[test]
    fn what_an_odp_writes_once_is_counted_as_often_as_it_is_there() {
        let content = r#"<office:document-content><office:body><office:presentation><draw:page><draw:frame><table:table>
            <table:table-row table:number-rows-repeated="200"><table:table-cell table:number-columns-repeated="199"/>
            <table:table-cell/></table:table-row></table:table></draw:frame><draw:g><draw:line/></draw:g></draw:page><draw:page/>
            </office:presentation></office:body></office:document-content>"#;
        let slides = Weight::of_open(&parse(content.as_bytes()).expect("a presentation"));
        assert_eq!(slides, [Weight { cells: 40_000, shapes: 2, ..Weight::default() }, Weight::default()]);
    }
}
