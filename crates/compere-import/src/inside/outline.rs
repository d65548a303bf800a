//! What a presentation says in words: order, titles, notes, fonts. Runs inside the sandbox.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

use serde::{Deserialize, Serialize};

use super::extras;
use super::media::{self, Media};
use super::package::{Found, Package, Relation, Trouble};
use super::shape::{placeholder, slide_size, words};
use super::steps::{self, Step};
use super::weight::Weight;
use crate::xml::Node;

/// A presentation in words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outline {
    pub(crate) title: Option<String>,
    /// In playing order, hidden ones too.
    pub(crate) slides: Vec<SlideWords>,
    /// Families, and the numbers of the slides that name them.
    pub(crate) fonts: BTreeMap<String, BTreeSet<usize>>,
    /// Whether it brings fonts of its own.
    pub(crate) carries_fonts: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SlideWords {
    /// By which the presentation lists it.
    pub(crate) id: Option<u32>,
    pub(crate) title: Option<String>,
    pub(crate) notes: String,
    pub(crate) hidden: bool,
    /// As the author's program tags most of the notes.
    pub(crate) language: Option<String>,
    /// The part that holds it.
    pub(crate) part: String,
    /// What comes and goes on it by a click.
    pub(crate) steps: Vec<Step>,
    /// What it says beside its title.
    pub(crate) points: Vec<String>,
    /// Words that lead somewhere, and where.
    pub(crate) links: Vec<(String, String)>,
    /// What its picture does not have.
    pub(crate) losses: Vec<String>,
    /// Films and sounds.
    pub(crate) media: Vec<Media>,
    /// How it comes: the word of ours, and seconds.
    pub(crate) transition: Option<(String, f64)>,
    pub(crate) weight: Weight,
}

/// What an archive is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Archive {
    Presentation {
        main: String,
    },
    /// A presentation in the OpenDocument format.
    Open,
    Other(&'static str),
}

/// Longer titles are texts.
const LONGEST_TITLE: usize = 120;

pub(crate) fn archive_kind<R: Read + Seek>(package: &mut Package<R>) -> Found<Archive> {
    let Some(types) = package.tree("[Content_Types].xml")? else {
        let names = package.names();
        let has = |name: &str| names.iter().any(|known| known == name);
        let open_document = has("mimetype") && has("content.xml");
        if has("mimetype") && is_open_presentation(&package.bytes("mimetype")?.unwrap_or_default()) {
            return Ok(Archive::Open);
        }
        return Ok(Archive::Other(if open_document { "an OpenDocument file" } else { "a ZIP archive" }));
    };
    let root = package.relations("")?;
    let main = root.values().find(|relation| relation.kind == "officeDocument").map(|relation| relation.part.clone());
    let main = main.unwrap_or_else(|| "ppt/presentation.xml".to_owned());
    let content_type = types.nodes().find_map(|node| {
        let of_main = node.attr("PartName").is_some_and(|name| name.trim_start_matches('/') == main);
        of_main.then(|| node.attr("ContentType")).flatten()
    });
    Ok(match content_type.unwrap_or_default() {
        kind if is_presentation(kind) => Archive::Presentation { main },
        kind if kind.contains("wordprocessingml") || kind.contains("ms-word") => Archive::Other("a Word document"),
        kind if kind.contains("spreadsheetml") || kind.contains("ms-excel") => Archive::Other("an Excel workbook"),
        kind if kind.contains("visio") => Archive::Other("a Visio drawing"),
        _ => Archive::Other("an Office file of another kind"),
    })
}

fn is_open_presentation(mimetype: &[u8]) -> bool {
    mimetype.trim_ascii().starts_with(b"application/vnd.oasis.opendocument.presentation")
}

/// Presentations, shows and templates, with macros or without; macros are never run.
fn is_presentation(content_type: &str) -> bool {
    let ours = content_type.contains("presentationml") || content_type.contains("ms-powerpoint");
    ours && content_type.ends_with(".main+xml") && !content_type.contains("addin")
}

pub(crate) fn read<R: Read + Seek>(package: &mut Package<R>, main: &str) -> Found<Outline> {
    let missing = |part: &str| Trouble::Damaged(format!("`{part}` is missing"));
    let presentation = package.tree(main)?.ok_or_else(|| missing(main))?;
    let relations = package.relations(main)?;
    let number = |id: &Node| id.attr("id").and_then(|id| id.parse().ok());
    let listed = presentation.child("sldIdLst").into_iter().flat_map(Node::nodes);
    let ids: Vec<(String, Option<u32>)> =
        listed.filter_map(|id| Some((id.relation("id")?.to_owned(), number(id)))).collect();
    let size = slide_size(&presentation);
    let mut fonts: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut slides = Vec::new();
    for (id, number) in ids {
        let part = relations.get(&id).map(|relation| relation.part.clone()).ok_or_else(|| missing(&id))?;
        let tree = package.tree(&part)?.ok_or_else(|| missing(&part))?;
        let words = SlideWords { id: number, ..slide(package, part, &tree, size)? };
        let mut named = BTreeSet::new();
        collect_fonts(&tree, &mut named);
        named.into_iter().for_each(|family| {
            fonts.entry(family).or_default().insert(slides.len() + 1);
        });
        slides.push(words);
    }
    without_furniture(&mut slides);
    if !slides.is_empty() {
        let mut named = BTreeSet::new();
        theme_fonts(package, &relations, &mut named)?;
        // Whatever names none is written in these.
        named.into_iter().for_each(|family| fonts.entry(family).or_default().extend(1..=slides.len()));
    }
    let carries_fonts = presentation.child("embeddedFontLst").is_some();
    Ok(Outline { title: title_of(package)?, slides, fonts, carries_fonts })
}

/// Leaves out of what slides say what stands on most of them, such as the name of the course in a text box at the foot.
fn without_furniture(slides: &mut [SlideWords]) {
    const FEW: usize = 3;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for slide in slides.iter() {
        let said: BTreeSet<&String> = slide.points.iter().collect();
        said.into_iter().for_each(|point| *counts.entry(point.clone()).or_default() += 1);
    }
    let most = FEW.max(slides.len() / 2);
    let is_furniture = |point: &String| counts.get(point).is_some_and(|count| *count >= most);
    slides.iter_mut().for_each(|slide| slide.points.retain(|point| !is_furniture(point)));
}

/// What the slides of an ODP weigh; nothing where it is larger than parts of a PPTX are.
pub(crate) fn weights<R: Read + Seek>(package: &mut Package<R>) -> Vec<Weight> {
    let content = package.tree("content.xml").ok().flatten();
    content.as_ref().map(Weight::of_open).unwrap_or_default()
}

fn title_of<R: Read + Seek>(package: &mut Package<R>) -> Found<Option<String>> {
    let root = package.relations("")?;
    let Some(core) = root.values().find(|relation| relation.kind == "core-properties") else { return Ok(None) };
    // A deck without properties is as good as one with.
    let tree = package.tree(&core.part).ok().flatten();
    Ok(tree.and_then(|tree| short(&tree.child("title")?.text())))
}

fn slide<R: Read + Seek>(
    package: &mut Package<R>,
    part: String,
    tree: &Node,
    size: Option<(f64, f64)>,
) -> Found<SlideWords> {
    let hidden = tree.flag("show") == Some(false);
    let notes = package.relations(&part)?.into_values().find(|relation| relation.kind == "notesSlide");
    let notes = match notes {
        Some(relation) => package.tree(&relation.part)?,
        None => None,
    };
    let (notes, language) = notes.as_ref().map(notes_of).unwrap_or_default();
    let title = title_shape(tree).and_then(|shape| short(&words(shape)));
    let (links, losses) = (extras::links(package, &part, tree)?, extras::losses(package, &part, tree)?);
    let media = media::of(package, &part, tree, size)?;
    let (steps, points) = (steps::told(tree), extras::points(tree));
    let transition = extras::transition(tree).map(|how| (how.kind.word().to_owned(), how.duration));
    let (id, weight) = (None, Weight::of(tree));
    Ok(SlideWords { id, title, notes, hidden, language, part, steps, points, links, losses, media, transition, weight })
}

/// All shapes of a slide, those in groups too.
fn shapes(tree: &Node) -> Vec<&Node> {
    fn collect<'a>(node: &'a Node, into: &mut Vec<&'a Node>) {
        for child in node.nodes() {
            match child.name.as_str() {
                "sp" => into.push(child),
                "grpSp" => collect(child, into),
                _ => (),
            }
        }
    }
    let mut all = Vec::new();
    if let Some(tree) = tree.path(&["cSld", "spTree"]) {
        collect(tree, &mut all);
    }
    all
}

fn title_shape(tree: &Node) -> Option<&Node> {
    let is_title =
        |shape: &&Node| placeholder(shape).is_some_and(|ph| matches!(ph.attr("type"), Some("title" | "ctrTitle")));
    shapes(tree).into_iter().find(is_title)
}

/// The notes and what language most of them are tagged with.
fn notes_of(tree: &Node) -> (String, Option<String>) {
    let shapes = shapes(tree);
    let body = |shape: &&&Node| placeholder(shape).is_some_and(|ph| ph.attr("type") == Some("body"));
    let free = |shape: &&&Node| placeholder(shape).is_none();
    let mut chosen: Vec<&&Node> = shapes.iter().filter(body).collect();
    if chosen.is_empty() {
        // Some programs write notes into plain text boxes.
        chosen = shapes.iter().filter(free).collect();
    }
    let texts: Vec<String> = chosen.iter().map(|shape| words(shape)).filter(|text| !text.is_empty()).collect();
    let mut languages = BTreeMap::<String, usize>::new();
    for shape in chosen {
        shape.walk(&mut |node| {
            if let (true, Some(run)) = (node.name == "r", node.child("t"))
                && let Some(language) = node.child("rPr").and_then(|properties| properties.attr("lang"))
            {
                *languages.entry(language.to_owned()).or_default() += run.text().chars().count();
            }
        });
    }
    let language = languages.into_iter().max_by_key(|(_, count)| *count).map(|(language, _)| language);
    (texts.join("\n"), language)
}

/// A title on one line, cut where it is no title any more.
pub(crate) fn short(text: &str) -> Option<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.chars().filter(|c| !c.is_control()).collect();
    if line.chars().count() <= LONGEST_TITLE {
        return (!line.is_empty()).then_some(line);
    }
    let cut: String = line.chars().take(LONGEST_TITLE - 1).collect();
    let cut = cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole);
    Some(format!("{cut}…"))
}

/// Families named by runs that have text. `+mj-lt` means a font of the theme, which is looked up apart.
fn collect_fonts(tree: &Node, fonts: &mut BTreeSet<String>) {
    tree.walk(&mut |node| {
        if !matches!(node.name.as_str(), "latin" | "ea" | "cs") {
            return;
        }
        let family = node.attr("typeface").unwrap_or_default().trim();
        if !family.is_empty() && !family.starts_with('+') && family.len() < 100 {
            fonts.insert(family.to_owned());
        }
    });
}

fn theme_fonts<R: Read + Seek>(
    package: &mut Package<R>,
    relations: &BTreeMap<String, Relation>,
    fonts: &mut BTreeSet<String>,
) -> Found<()> {
    let Some(theme) = relations.values().find(|relation| relation.kind == "theme") else { return Ok(()) };
    let Some(tree) = package.tree(&theme.part)? else { return Ok(()) };
    for kind in ["majorFont", "minorFont"] {
        if let Some(latin) = tree.path(&["themeElements", "fontScheme", kind, "latin"]) {
            fonts.extend(latin.attr("typeface").filter(|family| !family.is_empty()).map(str::to_owned));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    #[test]
    fn notes_are_words_and_nothing_else() {
        let tree = parse(
            r#"<p:notes><p:cSld><p:spTree>
            <p:sp><p:nvSpPr><p:nvPr><p:ph type="sldImg"/></p:nvPr></p:nvSpPr></p:sp>
            <p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:txBody>
              <a:p><a:r><a:rPr lang="de-DE"/><a:t>Guten </a:t></a:r><a:r><a:t>Tag &amp; willkommen</a:t></a:r></a:p>
              <a:p/>
              <a:p><a:r><a:t>Seite </a:t></a:r><a:fld type="slidenum"><a:t>7</a:t></a:fld><a:br/><a:r><a:t>Ende</a:t></a:r></a:p>
              <a:p><a:endParaRPr/></a:p>
            </p:txBody></p:sp>
            <p:sp><p:nvSpPr><p:nvPr><p:ph type="sldNum"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>7</a:t></a:r></a:p></p:txBody></p:sp>
            </p:spTree></p:cSld></p:notes>"#
                .as_bytes(),
        );
        let (notes, language) = notes_of(&tree.unwrap());
        assert_eq!(notes, "Guten Tag & willkommen\n\nSeite \nEnde");
        assert_eq!(language.as_deref(), Some("de-DE"));
    }

    #[test]
    fn what_stands_on_most_slides_is_not_what_they_say() {
        let slide = |points: &[&str]| SlideWords {
            points: points.iter().map(|point| (*point).to_owned()).collect(),
            ..SlideWords::default()
        };
        let mut slides = [&["Foot", "a"][..], &["b", "Foot"], &["Foot"], &["c"]].map(slide);
        without_furniture(&mut slides);
        let said: Vec<String> = slides.iter().flat_map(|slide| slide.points.clone()).collect();
        assert_eq!(said, ["a", "b", "c"]);
        let mut two = [slide(&["Agenda"]), slide(&["Agenda"])];
        without_furniture(&mut two);
        assert_eq!(two[1].points, ["Agenda"], "two are too few to tell");
    }

    #[test]
    fn titles_fit_on_a_line() {
        assert_eq!(short("  Two\n lines "), Some("Two lines".to_owned()));
        assert_eq!(short(" \n"), None);
        assert!(
            short(&"word ".repeat(100)).is_some_and(|title| title.ends_with("word…") && title.chars().count() <= 120)
        );
    }
}
