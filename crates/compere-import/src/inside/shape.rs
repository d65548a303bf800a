//! Shapes of a slide and what is written in them. Runs inside the sandbox.

use crate::xml::Node;

pub(crate) fn placeholder(shape: &Node) -> Option<&Node> {
    shape.path(&["nvSpPr", "nvPr", "ph"])
}

/// Width and height of the slides of a presentation.
pub(crate) fn slide_size(presentation: &Node) -> Option<(f64, f64)> {
    let size = presentation.child("sldSz")?;
    Some((number(size, "cx")?, number(size, "cy")?)).filter(|(width, height)| *width > 0.0 && *height > 0.0)
}

/// A finite number.
pub(crate) fn number(node: &Node, name: &str) -> Option<f64> {
    node.attr(name)?.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// The text of a shape: paragraphs on lines of their own, empty ones at either end left out.
pub(crate) fn words(shape: &Node) -> String {
    let Some(body) = shape.child("txBody") else { return String::new() };
    let paragraphs: Vec<String> = body.nodes().filter(|node| node.name == "p").map(paragraph).collect();
    paragraphs.join("\n").trim_matches(['\n', ' ', '\t', '\u{a0}']).to_owned()
}

pub(crate) fn paragraph(node: &Node) -> String {
    let mut text = String::new();
    for part in node.nodes() {
        match part.name.as_str() {
            "r" => text.push_str(&run(part)),
            // Numbers and dates that the program fills in are no words of the author's.
            "fld" if !is_furniture(part) => text.push_str(&run(part)),
            "br" => text.push('\n'),
            _ => (),
        }
    }
    text.trim_end().to_owned()
}

fn run(node: &Node) -> String {
    // The vertical tab is a line break in older files, and so is its escape.
    node.child("t").map(Node::text).unwrap_or_default().replace(['\u{b}', '\u{2028}'], "\n").replace("_x000B_", "\n")
}

fn is_furniture(field: &Node) -> bool {
    let kind = field.attr("type").unwrap_or_default();
    kind == "slidenum" || kind.starts_with("datetime") || kind == "footer" || kind == "header"
}
