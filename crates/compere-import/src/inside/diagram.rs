//! SmartArt and the drawing beside it. Runs inside the sandbox.
//!
//! A diagram is words and a rule how to draw them; whoever saved the deck last has put a drawing beside them, and that is
//! what the office program shows. A program that changes only the words leaves the drawing of yesterday.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

use super::package::{Found, Package, Relation, Trouble};
use super::shape::paragraph;
use crate::xml::Node;

/// Parts of a diagram, which name each other by id.
type Relations = BTreeMap<String, Relation>;

/// Why what is shown of a diagram cannot be trusted; nothing if it can. `frame` holds the diagram on its slide.
pub(crate) fn doubt<R: Read + Seek>(
    package: &mut Package<R>,
    relations: &Relations,
    frame: &Node,
) -> Found<Option<String>> {
    let mut named = (None, None);
    frame.walk(&mut |node| {
        if node.name == "relIds" {
            named = (node.relation("dm").map(str::to_owned), node.relation("lo").map(str::to_owned));
        }
    });
    let (data, layout) = (part(package, relations, named.0.as_deref())?, part(package, relations, named.1.as_deref())?);
    let drawing = drawing(package, relations, data.as_ref())?;
    let hierarchy = layout.as_ref().is_some_and(is_hierarchy);
    let Some(drawing) = drawing else {
        let what = if hierarchy { "a SmartArt hierarchy" } else { "SmartArt" };
        return Ok(Some(format!("has {what} without a drawing of its own, which may look otherwise")));
    };
    // Others may have more words than their rule shows; a hierarchy shows every box.
    let missing = data.filter(|_| hierarchy).and_then(|data| missing(&data, &drawing));
    Ok(missing
        .map(|words| format!("has a SmartArt hierarchy whose drawing lacks “{words}”, so it shows an older state")))
}

/// One that cannot be read is as one that is missing: only a warning hangs on it.
fn part<R: Read + Seek>(package: &mut Package<R>, relations: &Relations, id: Option<&str>) -> Found<Option<Node>> {
    let Some(relation) = id.and_then(|id| relations.get(id)) else { return Ok(None) };
    match package.tree(&relation.part) {
        Err(Trouble::Damaged(_)) => Ok(None),
        found => found,
    }
}

/// The drawing that the diagram names, else any of the slide: not all programs write the name.
fn drawing<R: Read + Seek>(
    package: &mut Package<R>,
    relations: &Relations,
    data: Option<&Node>,
) -> Found<Option<Node>> {
    let mut id = None;
    if let Some(data) = data {
        data.walk(&mut |node| {
            if node.name == "dataModelExt" {
                id = node.attr("relId").map(str::to_owned);
            }
        });
    }
    let named = id.filter(|id| relations.contains_key(id));
    let any = || relations.iter().find(|(_, relation)| relation.kind == "diagramDrawing").map(|(id, _)| id.clone());
    part(package, relations, named.or_else(any).as_deref())
}

/// Whether the rule calls itself one, by its name or by the shelf that it stands on.
fn is_hierarchy(layout: &Node) -> bool {
    let name = layout.attr("uniqueId").unwrap_or_default().to_lowercase();
    let shelves = layout.child("catLst");
    let shelved = shelves.is_some_and(|list| list.nodes().any(|shelf| shelf.attr("type") == Some("hierarchy")));
    shelved || name.contains("hierarchy") || name.contains("orgchart")
}

/// The words of the first box that no shape of the drawing says.
fn missing(data: &Node, drawing: &Node) -> Option<String> {
    let shown = said(drawing);
    let boxes = data.child("ptLst")?.nodes().filter(|point| matches!(point.attr("type"), None | Some("node" | "asst")));
    let mut words = boxes.flat_map(said);
    words.find(|words| !shown.contains(words)).map(|words| words.chars().take(60).collect())
}

/// Paragraphs, without regard to how their words are set apart.
fn said(node: &Node) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    node.walk(&mut |node| {
        if node.name == "p" {
            let words = paragraph(node).split_whitespace().collect::<Vec<_>>().join(" ");
            found.extend((!words.is_empty()).then_some(words));
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Node {
        crate::xml::parse(text.as_bytes()).expect("well-formed")
    }

    fn said_by(words: &[&str]) -> String {
        let paragraph = |words: &&str| format!("<a:p><a:r><a:t>{words}</a:t></a:r></a:p>");
        words.iter().map(paragraph).collect()
    }

    #[test]
    fn a_hierarchy_is_known_by_its_name_or_shelf() {
        for (layout, is) in [
            (r#"<l uniqueId="urn:microsoft.com/office/officeart/2005/8/layout/orgChart1"/>"#, true),
            (r#"<l uniqueId="urn:microsoft.com/office/officeart/2005/8/layout/hierarchy3"/>"#, true),
            (r#"<l uniqueId="own"><catLst><cat type="hierarchy" pri="1000"/></catLst></l>"#, true),
            (r#"<l uniqueId="urn:microsoft.com/office/officeart/2005/8/layout/process1"/>"#, false),
        ] {
            assert_eq!(is_hierarchy(&tree(layout)), is, "{layout}");
        }
    }

    #[test]
    fn a_drawing_of_yesterday_lacks_a_box() {
        let point = |kind: &str, words: &str| format!("<pt {kind}><t>{}</t></pt>", said_by(&[words]));
        let points =
            [point("", "Head"), point("type=\"asst\"", "Aide  of"), point("type=\"parTrans\"", "line")].concat();
        let data = tree(&format!("<dataModel><ptLst>{points}</ptLst></dataModel>"));
        let drawn = |words: &[&str]| tree(&format!("<drawing><sp>{}</sp></drawing>", said_by(words)));
        assert_eq!(missing(&data, &drawn(&["Aide of", "Head", "more"])), None);
        assert_eq!(missing(&data, &drawn(&["Head"])).as_deref(), Some("Aide of"));
    }
}
