//! What a Word document says, from its beginning to its end: headings, paragraphs, points and pictures. Runs inside the
//! sandbox.
//!
//! What was deleted under review is not read, what was inserted is. Notes, headers, comments and shapes with text in them
//! are left out; of a picture that is no plain picture file nothing is kept but its place in the text.

use std::collections::BTreeMap;
use std::io::{Read, Seek};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::package::{Found, Package, Relation, Trouble};
use crate::xml::{Child, Node};

/// Pictures of one document that are kept.
const MOST_PICTURES: usize = 60;
/// Steps from a style to those it is based on.
const MOST_STEPS: usize = 20;

/// A document, read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Writing {
    pub(crate) title: Option<String>,
    pub(crate) blocks: Vec<Block>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Block {
    /// 0 is the title in the text.
    Heading(u8, String),
    Paragraph(String),
    Point(String),
    /// The name of a file in the folder, and what is said of it.
    Picture(String, String),
}

/// Whether a package is a document, and its main part.
pub(crate) fn main_part<R: Read + Seek>(package: &mut Package<R>) -> Found<Option<String>> {
    let Some(types) = package.tree("[Content_Types].xml")? else { return Ok(None) };
    let root = package.relations("")?;
    let main = root.values().find(|relation| relation.kind == "officeDocument").map(|relation| relation.part.clone());
    Ok(main.filter(|main| {
        types.nodes().any(|node| {
            let kind = node.attr("ContentType").unwrap_or_default();
            let is_main = node.attr("PartName").is_some_and(|name| name.trim_start_matches('/') == main);
            is_main && (kind.contains("wordprocessingml") || kind.contains("ms-word"))
        })
    }))
}

/// Reads it; pictures go into the folder.
pub(crate) fn read<R: Read + Seek>(package: &mut Package<R>, main: &str, folder: &Path) -> Found<Writing> {
    let tree = package.tree(main)?.ok_or_else(|| Trouble::Damaged(format!("`{main}` is missing")))?;
    let relations = package.relations(main)?;
    let styles = relations.values().find(|relation| relation.kind == "styles").map(|relation| relation.part.clone());
    let styles = styles.map(|part| package.tree(&part)).transpose()?.flatten();
    let styles = styles.map(|tree| Styles::of(&tree)).unwrap_or_default();
    let properties = package.tree("docProps/core.xml")?;
    let title = properties.and_then(|tree| tree.child("title").map(Node::text));
    let mut reader = Reader { styles, relations, pictures: Vec::new(), blocks: Vec::new() };
    if let Some(body) = tree.child("body") {
        reader.body(body);
    }
    let Reader { pictures, mut blocks, .. } = reader;
    let kept = kept(package, &pictures, folder)?;
    blocks.retain_mut(|block| match block {
        Block::Picture(part, _) => kept.get(part).map(|name| name.clone_into(part)).is_some(),
        _ => true,
    });
    Ok(Writing { title: title.filter(|title| !title.trim().is_empty()), blocks })
}

/// The names under which pictures lie in the folder now, by their parts.
fn kept<R: Read + Seek>(package: &mut Package<R>, parts: &[String], folder: &Path) -> Found<BTreeMap<String, String>> {
    let mut kept = BTreeMap::new();
    for part in parts.iter().take(MOST_PICTURES) {
        if kept.contains_key(part) {
            continue;
        }
        let Some(bytes) = package.bytes(part)? else { continue };
        let ending = match bytes.as_slice() {
            [0x89, b'P', b'N', b'G', ..] => "png",
            [0xff, 0xd8, 0xff, ..] => "jpg",
            [b'G', b'I', b'F', b'8', ..] => "gif",
            _ => continue,
        };
        let name = format!("picture-{}.{ending}", kept.len() + 1);
        let written = std::fs::write(folder.join(&name), bytes);
        written.map_err(|error| Trouble::Damaged(format!("`{part}` cannot be kept ({error})")))?;
        kept.insert(part.clone(), name);
    }
    Ok(kept)
}

/// What styles make of a paragraph.
#[derive(Debug, Default)]
struct Styles(BTreeMap<String, Style>);

#[derive(Debug, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    level: Option<u8>,
    listed: bool,
}

impl Styles {
    fn of(tree: &Node) -> Self {
        let style = |node: &Node| {
            let value = |name: &str| node.child(name).and_then(|one| one.attr_of("val")).map(str::to_owned);
            let properties = node.child("pPr");
            let style = Style {
                name: value("name").unwrap_or_default().to_lowercase(),
                based_on: value("basedOn"),
                level: properties.and_then(outline_level),
                listed: properties.is_some_and(is_listed),
            };
            Some((node.attr_of("styleId")?.to_owned(), style))
        };
        Self(tree.nodes().filter(|node| node.name == "style").filter_map(style).collect())
    }

    /// The style and those it is based on, the nearest first.
    fn line(&self, id: &str) -> impl Iterator<Item = &Style> {
        let first = self.0.get(id);
        std::iter::successors(first, |style| self.0.get(style.based_on.as_deref()?)).take(MOST_STEPS)
    }

    /// 0 for a title, 1 to 6 for headings.
    fn heading(&self, id: &str) -> Option<u8> {
        let named = |style: &Style| {
            let number = style.name.strip_prefix("heading ").and_then(|number| number.parse::<u8>().ok());
            if style.name == "title" { Some(0) } else { number.map(|number| number.clamp(1, 6)) }
        };
        self.line(id).find_map(|style| named(style).or(style.level))
    }
}

/// Of a heading that is one by itself: 1 to 6.
fn outline_level(properties: &Node) -> Option<u8> {
    let level = properties.child("outlineLvl")?.attr_of("val")?.parse::<u8>().ok()?;
    (level < 9).then(|| (level + 1).min(6))
}

/// `0` takes a paragraph out of the list that its style puts it in.
fn is_listed(properties: &Node) -> bool {
    let number = properties.path(&["numPr", "numId"]).and_then(|number| number.attr_of("val"));
    number.is_some_and(|number| number != "0")
}

struct Reader {
    styles: Styles,
    relations: BTreeMap<String, Relation>,
    /// Parts, in the order of the text.
    pictures: Vec<String>,
    blocks: Vec<Block>,
}

impl Reader {
    fn body(&mut self, body: &Node) {
        for node in body.nodes() {
            match node.name.as_str() {
                "p" => self.paragraph(node),
                "tbl" => node.nodes().filter(|row| row.name == "tr").for_each(|row| self.row(row)),
                "sdt" => node.nodes().filter(|one| one.name == "sdtContent").for_each(|content| self.body(content)),
                "ins" | "moveTo" | "customXml" => self.body(node),
                _ => {}
            }
        }
    }

    /// A row of a table is one point: what it is, and the rest of what is said of it.
    fn row(&mut self, row: &Node) {
        let mut cells = Vec::new();
        for cell in row.nodes().filter(|cell| cell.name == "tc") {
            let mut words = Words::default();
            cell.nodes().filter(|node| node.name == "p").for_each(|node| {
                words.text.push(' ');
                words.of(node);
            });
            self.keep_pictures(&words);
            cells.push(spaced(&words.text));
        }
        cells.retain(|cell| !cell.is_empty());
        let said = match cells.split_first() {
            Some((first, [])) => first.clone(),
            Some((first, rest)) => format!("{first}: {}", rest.join(", ")),
            None => return,
        };
        self.blocks.push(Block::Point(said));
    }

    fn paragraph(&mut self, node: &Node) {
        let mut words = Words::default();
        words.of(node);
        let text = spaced(&words.text);
        let properties = node.child("pPr");
        let style = properties.and_then(|of| of.child("pStyle")).and_then(|style| style.attr_of("val"));
        if !text.is_empty() {
            let heading = properties.and_then(outline_level).or(style.and_then(|id| self.styles.heading(id)));
            let listed = properties.map(is_listed).unwrap_or_default()
                || properties.is_none_or(|of| of.child("numPr").is_none())
                    && style.is_some_and(|id| self.styles.line(id).any(|style| style.listed));
            self.blocks.push(match (heading, listed) {
                // A numbered heading is a heading.
                (Some(level), _) => Block::Heading(level, text),
                (None, true) => Block::Point(text),
                (None, false) => Block::Paragraph(text),
            });
        }
        self.keep_pictures(&words);
    }

    fn keep_pictures(&mut self, words: &Words) {
        for (id, says) in &words.pictures {
            if let Some(relation) = self.relations.get(id).filter(|relation| relation.kind == "image") {
                self.pictures.push(relation.part.clone());
                self.blocks.push(Block::Picture(relation.part.clone(), spaced(says)));
            }
        }
    }
}

/// What stands in a paragraph.
#[derive(Default)]
struct Words {
    text: String,
    /// Relations of pictures, and what is said of each.
    pictures: Vec<(String, String)>,
}

impl Words {
    fn of(&mut self, node: &Node) {
        for child in &node.children {
            let Child::Node(node) = child else { continue };
            match node.name.as_str() {
                "t" => self.text.push_str(&node.text()),
                "tab" | "br" | "cr" => self.text.push(' '),
                "noBreakHyphen" => self.text.push('-'),
                "del" | "moveFrom" | "pPr" | "rPr" | "instrText" | "txbxContent" => {}
                "r" if node.path(&["rPr", "vanish"]).is_some() => {}
                "drawing" | "pict" => self.picture(node),
                _ => self.of(node),
            }
        }
    }

    fn picture(&mut self, drawing: &Node) {
        let (mut says, mut id) = (String::new(), None);
        drawing.walk(&mut |node| match node.name.as_str() {
            "docPr" if says.is_empty() => node.attr("descr").unwrap_or_default().clone_into(&mut says),
            "blip" => id = id.take().or_else(|| node.relation("embed").map(str::to_owned)),
            "imagedata" => id = id.take().or_else(|| node.relation("id").map(str::to_owned)),
            _ => {}
        });
        self.pictures.extend(id.map(|id| (id, says)));
    }
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml;

    fn blocks(body: &str) -> Vec<Block> {
        let styles = "<w:styles><w:style w:styleId=\"T\"><w:name w:val=\"Title\"/></w:style>\
            <w:style w:styleId=\"H2\"><w:name w:val=\"heading 2\"/></w:style>\
            <w:style w:styleId=\"Mine\"><w:name w:val=\"Mine\"/><w:basedOn w:val=\"H2\"/></w:style>\
            <w:style w:styleId=\"L\"><w:name w:val=\"List\"/><w:pPr><w:numPr><w:numId w:val=\"3\"/></w:numPr></w:pPr></w:style>\
            </w:styles>";
        let styles = Styles::of(&xml::parse(styles.as_bytes()).expect("XML"));
        let image = Relation { kind: "image".to_owned(), part: "word/media/a.png".to_owned() };
        let relations = [("r1".to_owned(), image)].into();
        let mut reader = Reader { styles, relations, pictures: Vec::new(), blocks: Vec::new() };
        reader.body(&xml::parse(format!("<w:body>{body}</w:body>").as_bytes()).expect("XML"));
        reader.blocks
    }

    fn styled(style: &str, text: &str) -> String {
        format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    }

    #[test]
    fn paragraphs_are_what_their_styles_make_of_them() {
        let body =
            [styled("T", "All of it"), styled("Mine", "Part"), styled("L", "one"), styled("None", "Said.")].concat();
        let outline = "<w:p><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:r><w:t>By itself</w:t></w:r></w:p>";
        let out = "<w:p><w:pPr><w:pStyle w:val=\"L\"/><w:numPr><w:numId w:val=\"0\"/></w:numPr></w:pPr><w:r><w:t>Not listed.</w:t></w:r></w:p>";
        let told = blocks(&(body + outline + out));
        let wanted = [
            Block::Heading(0, "All of it".into()),
            Block::Heading(2, "Part".into()),
            Block::Point("one".into()),
            Block::Paragraph("Said.".into()),
            Block::Heading(1, "By itself".into()),
            Block::Paragraph("Not listed.".into()),
        ];
        assert_eq!(told, wanted);
    }

    #[test]
    fn only_what_is_to_be_read_is_read() {
        let body = "<w:p><w:r><w:t xml:space=\"preserve\">Kept </w:t></w:r><w:ins><w:r><w:t>and</w:t></w:r></w:ins>\
            <w:del><w:r><w:delText>never</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>\
            <w:r><w:tab/><w:t>added</w:t></w:r><w:r><w:drawing><wp:inline><wp:docPr id=\"1\" descr=\"A bee\"/>\
            <a:blip r:embed=\"r1\"/></wp:inline></w:drawing></w:r></w:p>\
            <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Bees</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>40</w:t></w:r></w:p></w:tc>\
            <w:tc><w:p><w:r><w:t>kg</w:t></w:r></w:p></w:tc></w:tr></w:tbl>";
        let wanted = [
            Block::Paragraph("Kept and added".into()),
            Block::Picture("word/media/a.png".into(), "A bee".into()),
            Block::Point("Bees: 40, kg".into()),
        ];
        assert_eq!(blocks(body), wanted);
    }
}
