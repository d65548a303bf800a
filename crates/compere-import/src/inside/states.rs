//! A deck of states: a slide for each step of an animated slide, as it is seen then. Runs inside the sandbox.
//!
//! What is not there yet is taken out; paragraphs of which others are there stay, and cannot be seen, so that every
//! other line stays where it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::ops::Range;
use std::path::Path;

use super::bare::inherit;
use super::cut::prefix;
use super::outline::{self, Archive};
use super::package::{Found, Package, Relation, Trouble, beside, copy};
use super::shape::placeholder;
use super::steps::{self, Target};
use super::style::{Ancestors, Lineage};
use crate::xml::{Node, decoded};

pub(crate) const STATES: &str = "states.pptx";

const SLIDE_TYPE: &str = "application/vnd.openxmlformats-officedocument.presentationml.slide+xml";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

type Edits = Vec<(Range<usize>, String)>;

/// Writes the deck into `folder`; says how many pages it has for each of the numbered slides, in this order.
pub(crate) fn write(file: &Path, folder: &Path, numbers: &BTreeSet<usize>) -> Found<Vec<(usize, usize)>> {
    let opened = || File::open(file).map_err(|error| Trouble::Damaged(error.to_string()));
    let mut package = Package::open(opened()?)?;
    let Archive::Presentation { main } = outline::archive_kind(&mut package)? else {
        return Err(Trouble::Damaged("it is no presentation".to_owned()));
    };
    let outline = outline::read(&mut package, &main)?;
    let mut deck = States { main: main.clone(), ..States::default() };
    let mut ancestors = Ancestors { presentation: package.tree(&main)?, ..Ancestors::default() };
    let mut counts = Vec::new();
    for (at, slide) in outline.slides.iter().enumerate().filter(|(at, _)| numbers.contains(&(at + 1))) {
        let relations = package.relations(&slide.part)?;
        inherit(&mut package, &relations, &mut ancestors)?;
        let Some(bytes) = package.bytes(&slide.part)? else { continue };
        let text = decoded(&bytes).map_err(Trouble::Damaged)?;
        let tree = crate::xml::parse(&bytes).map_err(Trouble::Damaged)?;
        let Some(found) = steps::of(&tree) else { continue };
        let links = own_links(&mut package, &slide.part, &relations)?;
        for hidden in &found.hidden {
            deck.add(without(&text, &tree, hidden, &ancestors), links.clone());
        }
        counts.push((at + 1, found.hidden.len()));
    }
    if !deck.slides.is_empty() {
        let (changed, added) = deck.parts(&mut package)?;
        copy(opened()?, &folder.join(STATES), &changed, &added)?;
    }
    Ok(counts)
}

/// The relations of a slide without its notes, which belong to one slide only.
fn own_links(package: &mut Package<File>, part: &str, relations: &BTreeMap<String, Relation>) -> Found<Option<String>> {
    let Some(bytes) = package.bytes(&beside(part))? else { return Ok(None) };
    let text = decoded(&bytes).map_err(Trouble::Damaged)?;
    let tree = crate::xml::parse(&bytes).map_err(Trouble::Damaged)?;
    let is_notes = |node: &&Node| {
        let id = node.attr("Id").and_then(|id| relations.get(id));
        id.is_some_and(|relation| relation.kind == "notesSlide")
    };
    let cuts = tree.nodes().filter(is_notes).map(|node| (node.span.clone(), String::new())).collect();
    Ok(Some(edited(&text, cuts)))
}

#[derive(Default)]
struct States {
    main: String,
    /// Text and relations of each.
    slides: Vec<(String, Option<String>)>,
}

type Parts = (BTreeMap<String, String>, Vec<(String, String)>);

impl States {
    fn add(&mut self, text: String, links: Option<String>) {
        self.slides.push((text, links));
    }

    /// Parts that change, and those that are new.
    fn parts(self, package: &mut Package<File>) -> Found<Parts> {
        let mut added = Vec::new();
        let (mut types, mut links, mut list) = (String::new(), String::new(), String::new());
        for (at, (text, own)) in self.slides.into_iter().enumerate() {
            let part = format!("ppt/states/state{at}.xml");
            types += &format!("<@Override PartName=\"/{part}\" ContentType=\"{SLIDE_TYPE}\"/>");
            links += &format!("<@Relationship Id=\"state{at}\" Type=\"{RELATIONS}/slide\" Target=\"/{part}\"/>");
            list += &format!("<@sldId id=\"{}\" q:id=\"state{at}\"/>", 100_000 + at);
            added.extend(own.map(|own| (beside(&part), own)));
            added.push((part, text));
        }
        let mut changed = BTreeMap::new();
        let mut change = |package: &mut Package<File>, part: &str, edit: &dyn Fn(&Node, &str) -> Edits| -> Found<()> {
            let bytes = package.bytes(part)?.ok_or_else(|| Trouble::Damaged(format!("`{part}` is missing")))?;
            let text = decoded(&bytes).map_err(Trouble::Damaged)?;
            let tree = crate::xml::parse(&bytes).map_err(Trouble::Damaged)?;
            let edits = edit(&tree, &text);
            changed.insert(part.to_owned(), edited(&text, edits));
            Ok(())
        };
        let append = |more: &str| {
            let more = more.to_owned();
            move |tree: &Node, text: &str| {
                let end = tree.nodes().last().map_or(tree.span.end, |node| node.span.end);
                vec![(end..end, more.replace('@', prefix(&text[tree.span.start..])))]
            }
        };
        change(package, "[Content_Types].xml", &append(&types))?;
        change(package, &beside(&self.main), &append(&links))?;
        change(package, &self.main, &|tree, text| {
            let Some(old) = tree.child("sldIdLst") else { return vec![] };
            let new = format!("<@sldIdLst xmlns:q=\"{RELATIONS}\">{list}</@sldIdLst>");
            vec![(old.span.clone(), new.replace('@', prefix(&text[old.span.start..])))]
        })?;
        Ok((changed, added))
    }
}

/// A text with parts of it exchanged; what lies inside another that is exchanged goes with it.
fn edited(text: &str, mut edits: Edits) -> String {
    edits.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (span, instead) in edits {
        if span.start < at {
            continue;
        }
        out.push_str(&text[at..span.start]);
        out.push_str(&instead);
        at = span.end;
    }
    out + &text[at..]
}

/// The slide as it is when all of `hidden` are not there.
fn without(text: &str, slide: &Node, hidden: &BTreeSet<Target>, ancestors: &Ancestors) -> String {
    let shapes = steps::shapes(slide);
    let mut edits: Edits = ["timing", "transition"]
        .iter()
        .filter_map(|name| slide.child(name))
        .map(|node| (node.span.clone(), String::new()))
        .collect();
    for target in hidden {
        let Some(shape) = shapes.get(&target.shape) else { continue };
        match target.paragraph {
            None => edits.push((shape.span.clone(), String::new())),
            Some(at) => {
                let body = shape.child("txBody");
                let paragraph = body.and_then(|body| body.nodes().filter(|node| node.name == "p").nth(at));
                if let Some(paragraph) = paragraph {
                    let lineage = Lineage::of(shape, placeholder(shape), ancestors);
                    unseen(text, paragraph, lineage.paragraph(paragraph).has_bullet(), &mut edits);
                }
            }
        }
    }
    edited(text, edits)
}

/// Letters without colour, behind a bullet without ink.
fn unseen(text: &str, paragraph: &Node, bullet: bool, edits: &mut Edits) {
    let a = prefix(&text[paragraph.span.start..]).to_owned();
    let clear = format!("<{a}solidFill><{a}srgbClr val=\"000000\"><{a}alpha val=\"0\"/></{a}srgbClr></{a}solidFill>");
    if bullet {
        let none = format!("<{a}buChar char=\"\u{a0}\"/>");
        match paragraph.child("pPr") {
            Some(own) => {
                let is_bullet = |node: &&Node| matches!(&*node.name, "buNone" | "buChar" | "buAutoNum" | "buBlip");
                let after = |node: &&Node| matches!(&*node.name, "tabLst" | "defRPr" | "extLst");
                let span = match (own.nodes().find(is_bullet), own.nodes().find(after)) {
                    (Some(old), _) => Some(old.span.clone()),
                    (None, Some(next)) => Some(next.span.start..next.span.start),
                    (None, None) => own.nodes().last().map(|last| last.span.end..last.span.end),
                };
                match span {
                    Some(span) => edits.push((span, none)),
                    None => edits.push((own.span.clone(), filled(&text[own.span.clone()], &none, &a, "pPr"))),
                }
            }
            None => {
                let at = paragraph.span.start + tag_length(&text[paragraph.span.start..]);
                if !text[paragraph.span.start..at].ends_with("/>") {
                    edits.push((at..at, format!("<{a}pPr>{none}</{a}pPr>")));
                }
            }
        }
    }
    for run in paragraph.nodes().filter(|node| matches!(&*node.name, "r" | "fld")) {
        match run.child("rPr") {
            Some(own) => {
                let fonts = own.nodes().filter(|node| matches!(&*node.name, "latin" | "ea" | "cs" | "sym"));
                let fonts: String = fonts.map(|node| &text[node.span.clone()]).collect();
                let tag = &text[own.span.start..own.span.start + tag_length(&text[own.span.start..])];
                let tag = ["u", "strike"].iter().fold(tag.to_owned(), |tag, name| dropped(&tag, name));
                edits.push((own.span.clone(), filled(&tag, &(clear.clone() + &fonts), &a, "rPr")));
            }
            None => {
                let at = run.span.start + tag_length(&text[run.span.start..]);
                edits.push((at..at, format!("<{a}rPr>{clear}</{a}rPr>")));
            }
        }
    }
}

fn tag_length(text: &str) -> usize {
    text.find('>').map_or(text.len(), |end| end + 1)
}

/// An element with this start, whatever it held, holding this.
fn filled(element: &str, content: &str, a: &str, name: &str) -> String {
    let tag = element[..tag_length(element)].trim_end_matches('>').trim_end_matches('/');
    format!("{tag}>{content}</{a}{name}>")
}

/// A tag without one of its attributes.
fn dropped(tag: &str, name: &str) -> String {
    let Some(start) = tag.find(&format!(" {name}=")) else { return tag.to_owned() };
    let value = start + name.len() + 2;
    let Some(quote) = tag[value..].chars().next().filter(|quote| matches!(quote, '"' | '\'')) else {
        return tag.to_owned();
    };
    let Some(end) = tag[value + 1..].find(quote) else { return tag.to_owned() };
    format!("{}{}", &tag[..start], &tag[value + 1 + end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    #[test]
    fn hidden_paragraphs_keep_their_lines() {
        let text = "<p:sld><p:cSld><p:spTree><p:sp><p:nvSpPr><p:cNvPr id=\"3\"/></p:nvSpPr><p:txBody>\
            <a:p><a:r><a:t>One</a:t></a:r></a:p><a:p><a:pPr lvl=\"1\"/><a:r><a:rPr b=\"1\" u=\"sng\"><a:hlinkClick/><a:latin typeface=\"X\"/></a:rPr><a:t>Two</a:t></a:r></a:p>\
            </p:txBody></p:sp><p:pic><p:nvPicPr><p:cNvPr id=\"5\"/></p:nvPicPr></p:pic></p:spTree></p:cSld><p:timing/></p:sld>";
        let tree = parse(text.as_bytes()).expect("XML");
        let hidden = [Target { shape: 3, paragraph: Some(1) }, Target { shape: 5, paragraph: None }].into();
        let found = without(text, &tree, &hidden, &Ancestors::default());
        assert!(!found.contains("p:pic") && !found.contains("timing"), "{found}");
        assert!(found.contains("<a:p><a:r><a:t>One"), "{found}");
        assert!(found.contains("<a:rPr b=\"1\"><a:solidFill>") && found.contains("val=\"0\""), "{found}");
        assert!(found.contains("</a:solidFill><a:latin typeface=\"X\"/></a:rPr>"), "{found}");
        parse(found.as_bytes()).expect("still XML");
        let mut edits = Edits::new();
        let paragraph = tree.path(&["cSld", "spTree", "sp", "txBody"]).expect("a body").nodes().nth(1).expect("two");
        unseen(text, paragraph, true, &mut edits);
        assert!(edited(text, edits).contains("<a:pPr lvl=\"1\"><a:buChar char=\"\u{a0}\"/></a:pPr>"));
    }
}
