//! A part of a package as a tree. Runs inside the sandbox.
//!
//! Names lose their prefixes: which letters a file uses for a namespace is its own affair, and no two elements that
//! matter here differ in nothing else. Entities that a file declares are not read: a part with a DTD is refused, as no
//! presentation program writes one.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Deeper trees are made to overflow a stack.
const DEEPEST: usize = 200;
/// Elements of one part. A slide with a table of a thousand cells has some twenty thousand.
const MOST: usize = 1_000_000;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Node {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Child>,
    /// Where it stands in the part's bytes, tags included.
    pub(crate) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Child {
    Node(Node),
    Text(String),
}

impl Node {
    /// An attribute without a prefix, or by its whole name.
    pub(crate) fn attr(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// An attribute by its name without the prefix, which Word writes and others leave out.
    pub(crate) fn attr_of(&self, name: &str) -> Option<&str> {
        self.attr(name).or_else(|| self.relation(name))
    }

    /// A relation: an attribute whose prefix is the file's own choice (`r:id`, `r:embed`).
    pub(crate) fn relation(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key.split_once(':').is_some_and(|(_, local)| local == name));
        found.map(|(_, value)| value.as_str())
    }

    /// `1`, `true` and `on`, which schemas of different age use.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.attr(name).map(|value| matches!(value, "1" | "true" | "on"))
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.children.iter().filter_map(|child| match child {
            Child::Node(node) => Some(node),
            Child::Text(_) => None,
        })
    }

    pub(crate) fn child(&self, name: &str) -> Option<&Node> {
        self.nodes().find(|node| node.name == name)
    }

    /// One child after another: `path(&["nvSpPr", "nvPr", "ph"])`.
    pub(crate) fn path(&self, names: &[&str]) -> Option<&Node> {
        names.iter().try_fold(self, |node, name| node.child(name))
    }

    pub(crate) fn text(&self) -> String {
        let texts = self.children.iter().filter_map(|child| match child {
            Child::Text(text) => Some(text.as_str()),
            Child::Node(_) => None,
        });
        texts.collect()
    }

    /// Itself and everything below, in the order of the part.
    pub(crate) fn walk(&self, visit: &mut dyn FnMut(&Node)) {
        visit(self);
        self.nodes().for_each(|node| node.walk(visit));
    }
}

/// The tree of a part, or what is wrong with it.
pub(crate) fn parse(bytes: &[u8]) -> Result<Node, String> {
    let text = decoded(bytes)?;
    let mut reader = Reader::from_str(&text);
    let mut stack: Vec<Node> = Vec::new();
    let mut count = 0;
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| format!("is not well-formed XML ({error})"))?;
        let end = reader.buffer_position() as usize;
        match event {
            Event::Start(tag) => {
                count += 1;
                if stack.len() >= DEEPEST || count > MOST {
                    return Err("has more elements within elements than any presentation".to_owned());
                }
                stack.push(node(&tag, start..end));
            }
            Event::Empty(tag) => {
                count += 1;
                let node = node(&tag, start..end);
                match stack.last_mut() {
                    Some(parent) => parent.children.push(Child::Node(node)),
                    None => return Ok(node),
                }
                if count > MOST {
                    return Err("has more elements than any presentation".to_owned());
                }
            }
            Event::End(_) => {
                let Some(mut node) = stack.pop() else { return Err("closes what it never opened".to_owned()) };
                node.span.end = end;
                let Some(parent) = stack.last_mut() else { return Ok(node) };
                close(parent, node);
            }
            Event::Text(text) => push_text(&mut stack, &text.xml10_content()),
            Event::CData(text) => push_text(&mut stack, &text.xml10_content()),
            Event::GeneralRef(name) => push_text(&mut stack, &referred(&name)),
            Event::DocType(_) => {
                return Err("declares entities of its own, which no presentation program does".to_owned());
            }
            Event::Eof => return Err("ends before its last element".to_owned()),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => (),
        }
    }
}

fn node(tag: &BytesStart<'_>, span: Range<usize>) -> Node {
    let mut attributes = Vec::new();
    for attribute in tag.attributes().with_checks(false).flatten() {
        let raw = &attribute.value;
        let value = quick_xml::escape::unescape(raw).map_or_else(|_| raw.to_string(), std::borrow::Cow::into_owned);
        attributes.push((attribute.key.as_ref().to_owned(), value));
    }
    Node { name: tag.local_name().as_ref().to_owned(), attributes, children: vec![], span }
}

/// Of content in several versions, the first counts: what the program that wrote it meant.
fn close(parent: &mut Node, node: Node) {
    if node.name != "AlternateContent" {
        parent.children.push(Child::Node(node));
        return;
    }
    let versions: Vec<Node> = node
        .children
        .into_iter()
        .filter_map(|child| match child {
            Child::Node(node) => Some(node),
            Child::Text(_) => None,
        })
        .collect();
    let at = versions.iter().position(|node| node.name == "Choice").unwrap_or(0);
    if let Some(version) = versions.into_iter().nth(at) {
        parent.children.extend(version.children);
    }
}

fn push_text(stack: &mut [Node], text: &str) {
    let Some(node) = stack.last_mut() else { return };
    match node.children.last_mut() {
        Some(Child::Text(last)) => last.push_str(text),
        _ => node.children.push(Child::Text(text.to_owned())),
    }
}

fn referred(name: &quick_xml::events::BytesRef<'_>) -> String {
    if let Ok(Some(char)) = name.resolve_char_ref() {
        return char.to_string();
    }
    let char = match &*name.xml10_content() {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => "",
    };
    char.to_owned()
}

/// UTF-8, or UTF-16 with its mark, as the package format allows.
pub(crate) fn decoded(bytes: &[u8]) -> Result<String, String> {
    let wide = |from: fn([u8; 2]) -> u16| {
        let units = bytes[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]]));
        char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes {
        [0xff, 0xfe, ..] => Ok(wide(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => Ok(wide(u16::from_be_bytes)),
        [0xef, 0xbb, 0xbf, rest @ ..] => text(rest),
        _ => text(bytes),
    }
}

fn text(bytes: &[u8]) -> Result<String, String> {
    str::from_utf8(bytes).map(str::to_owned).map_err(|_| "is not text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_becomes_a_tree() {
        let source = "<?xml version=\"1.0\"?><a:p xmlns:a=\"x\" r:id=\"r1\" id=\"7\"><a:t>1 &lt; 2 &amp;&#x41; \u{e9}</a:t><a:br/></a:p>";
        let tree = parse(source.as_bytes()).unwrap();
        assert_eq!((tree.name.as_str(), tree.attr("id"), tree.relation("id")), ("p", Some("7"), Some("r1")));
        assert_eq!(tree.child("t").unwrap().text(), "1 < 2 &A é");
        let br = tree.child("br").unwrap();
        assert_eq!(&source[br.span.clone()], "<a:br/>");
    }

    #[test]
    fn one_version_of_alternate_content_is_read() {
        let source = "<a><mc:AlternateContent><mc:Choice><b/></mc:Choice><mc:Fallback><c/></mc:Fallback></mc:AlternateContent></a>";
        let tree = parse(source.as_bytes()).unwrap();
        assert!(tree.child("b").is_some() && tree.child("c").is_none());
    }

    #[test]
    fn hostile_parts_are_refused() {
        let bomb = "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>";
        assert!(parse(bomb.as_bytes()).unwrap_err().contains("entities"));
        assert!(parse("<a>".repeat(100_000).as_bytes()).is_err());
        assert!(parse(b"<a><b></a>").is_err());
        assert!(parse(b"").is_err());
        assert!(parse(b"\xff\xff<a/>").is_err());
    }
}
