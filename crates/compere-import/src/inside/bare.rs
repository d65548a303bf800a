//! A deck without the texts and pictures that can be clips of their own, and where they stood. Runs inside the sandbox.
//!
//! What is taken out here is only a proposal: whether a clip looks as the slide did is found out when both are drawn
//! (`recompose`). So whatever is hard to say in the scene language is left in: letters on top of each other, columns,
//! charts and SmartArt. Pictures with borders and effects are cut out of the slide as it was drawn.
//!
//! Letters of a table are made clear rather than taken out (`table`): its rows are as high as their words need.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use super::cut::{self, Cut, Why, prefix};
use super::frame::{Frame, angle_of, flipped};
use super::outline::{self, Archive};
use super::package::{Found, Package, Relation, Trouble, copy};
use super::shape::{number, placeholder, slide_size, words};
use super::steps::{self, Target};
use super::style::{Ancestors, Lineage, Looks};
use super::table;
use crate::xml::{Node, decoded};
use serde::{Deserialize, Serialize};

/// The copy, and the start of the names of pictures taken out of it.
pub(crate) const COPY: &str = "bare.pptx";
const PICTURE: &str = "picture";
/// More clips than a scene is edited with; the rest stays in the picture.
const MOST_PIECES: usize = 60;

/// What was taken out of a slide, the furthest back first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BareSlide {
    pub(crate) pieces: Vec<Piece>,
    /// Why something was left in, and how often.
    pub(crate) left_in: BTreeMap<String, usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Piece {
    pub(crate) name: String,
    pub(crate) area: Area,
    /// Degrees clockwise about the middle.
    pub(crate) angle: f64,
    /// That of the table whose cell it is. Rows grow with their words: only left and right are what the deck says.
    pub(crate) table: Option<Area>,
    /// The step with which it comes; 0 for what is there from the start. Paragraphs may come later.
    pub(crate) from: u8,
    pub(crate) what: What,
}

/// Fractions of the slide.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum What {
    Text(Vec<Paragraph>),
    Picture {
        file: String,
        /// Left, top, right and bottom fractions that are cut off.
        crop: Option<[f64; 4]>,
    },
    /// A picture that is more than its file, as it was drawn. `margin` is how far it reaches beyond its place, a fraction
    /// of the slide's width.
    Cutout {
        margin: f64,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Paragraph {
    pub(crate) text: String,
    /// That of most of its letters.
    pub(crate) style: Style,
    /// Joined, they are the text.
    pub(crate) runs: Vec<Run>,
    /// The step with which it comes.
    pub(crate) from: u8,
    pub(crate) bullet: bool,
    /// Whether somebody that is not asked may make it bold: the style of a table.
    pub(crate) maybe_bold: bool,
    /// Where its lines begin and end, as fractions of the slide's width.
    pub(crate) column: (f64, f64),
}

/// Letters that look alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) style: Style,
}

#[cfg(test)]
impl Paragraph {
    /// Of one plain style, between two fractions of the slide's width.
    pub(crate) fn plain(text: &str, column: (f64, f64)) -> Self {
        let style = Style {
            family: "Carlito".into(),
            size: 20.0,
            bold: false,
            italic: false,
            underline: false,
            raise: 0.0,
            colour: String::new(),
            align: "left".into(),
        };
        let runs = vec![Run { text: text.into(), style: style.clone() }];
        Self { text: text.into(), style, runs, from: 0, bullet: false, maybe_bold: false, column }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Style {
    pub(crate) family: String,
    /// Points of the slide.
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) underline: bool,
    /// How far above the baseline of its line, in sizes of the text.
    pub(crate) raise: f64,
    /// As the deck says it: the same where the colour is the same. Which colour that is, the drawn slide tells.
    pub(crate) colour: String,
    /// As the scene language has it.
    pub(crate) align: String,
}

/// Takes the place of paragraphs: drawn as nothing, so that the shape stays one with a text and keeps its fill. The
/// mark stands for the prefix that the file has for these names.
const BLANK: &str = "<@p><@pPr><@buNone/></@pPr><@r><@rPr u=\"none\" strike=\"noStrike\"/><@t>\u{a0}</@t></@r></@p>";

/// Writes the copy and the pictures into `folder`; says what was taken out of each slide, in playing order.
pub(crate) fn write(file: &Path, folder: &Path) -> Found<Vec<BareSlide>> {
    let opened = || File::open(file).map_err(|error| Trouble::Damaged(error.to_string()));
    let mut package = Package::open(opened()?)?;
    let Archive::Presentation { main } = outline::archive_kind(&mut package)? else {
        return Err(Trouble::Damaged("it is no presentation".to_owned()));
    };
    let outline = outline::read(&mut package, &main)?;
    let presentation = package.tree(&main)?;
    let size = presentation.as_ref().and_then(slide_size).unwrap_or((9_144_000.0, 6_858_000.0));
    let mut ancestors = Ancestors { presentation, ..Ancestors::default() };
    let (mut slides, mut changed, mut pictures) = (Vec::new(), BTreeMap::new(), 0);
    for slide in &outline.slides {
        if slide.hidden {
            slides.push(BareSlide::default());
            continue;
        }
        let relations = package.relations(&slide.part)?;
        inherit(&mut package, &relations, &mut ancestors)?;
        let (Some(tree), Some(bytes)) = (package.tree(&slide.part)?, package.bytes(&slide.part)?) else {
            return Err(Trouble::Damaged(format!("`{}` is missing", slide.part)));
        };
        let text = decoded(&bytes).map_err(Trouble::Damaged)?;
        let coming = match steps::of(&tree) {
            None => Some(BTreeMap::new()),
            Some(steps) => steps.coming(),
        };
        let (found, cuts) = (BareSlide::default(), vec![]);
        let still = coming.is_some();
        let coming = coming.unwrap_or_default();
        let mut taker =
            Taker { ancestors: &ancestors, relations: &relations, text: &text, size, coming, from: 0, found, cuts };
        if !still {
            taker.leave("slides on which something goes by a click");
        } else if let Some(shapes) = tree.path(&["cSld", "spTree"]) {
            taker.shapes(shapes, Frame::WHOLE);
        }
        let Taker { mut found, cuts, .. } = taker;
        for piece in &mut found.pieces {
            let What::Picture { file, .. } = &mut piece.what else { continue };
            let Some(bytes) = package.bytes(file)? else {
                return Err(Trouble::Damaged(format!("`{file}` is missing")));
            };
            pictures += 1;
            let name = format!("{PICTURE}-{pictures}");
            std::fs::write(folder.join(&name), bytes).map_err(|error| Trouble::Damaged(error.to_string()))?;
            *file = name;
        }
        if !cuts.is_empty() {
            changed.insert(slide.part.clone(), cut::applied(text, cuts));
        }
        slides.push(found);
    }
    if !changed.is_empty() {
        copy(opened()?, &folder.join(COPY), &changed, &[])?;
    }
    Ok(slides)
}

pub(crate) fn inherit<R: Read + Seek>(
    package: &mut Package<R>,
    relations: &BTreeMap<String, Relation>,
    into: &mut Ancestors,
) -> Found<()> {
    let mut next =
        |relations: &BTreeMap<String, Relation>, kind: &str| -> Found<(Option<Node>, BTreeMap<String, Relation>)> {
            match relations.values().find(|relation| relation.kind == kind) {
                Some(relation) => Ok((package.tree(&relation.part)?, package.relations(&relation.part)?)),
                None => Ok((None, BTreeMap::new())),
            }
        };
    let (layout, of_layout) = next(relations, "slideLayout")?;
    let (master, of_master) = next(&of_layout, "slideMaster")?;
    let (theme, _) = next(&of_master, "theme")?;
    (into.layout, into.master, into.theme) = (layout, master, theme);
    Ok(())
}

struct Taker<'a> {
    ancestors: &'a Ancestors,
    relations: &'a BTreeMap<String, Relation>,
    /// The slide as it is written.
    text: &'a str,
    size: (f64, f64),
    /// What comes with which step.
    coming: BTreeMap<Target, u8>,
    /// With which the group comes that is looked into.
    from: u8,
    found: BareSlide,
    /// What takes the place of which bytes.
    cuts: Vec<Cut>,
}

impl Taker<'_> {
    fn leave(&mut self, why: &str) {
        *self.found.left_in.entry(why.to_owned()).or_default() += 1;
    }

    fn shapes(&mut self, parent: &Node, frame: Frame) {
        for node in parent.nodes() {
            let taken = match node.name.as_str() {
                "sp" => self.text(node, frame),
                "pic" => self.picture(node, frame),
                "grpSp" => match frame.of_group(node) {
                    Some(inner) => {
                        let outer = self.from;
                        self.from = self.step_of(node, None);
                        self.shapes(node, inner);
                        self.from = outer;
                        continue;
                    }
                    None => Err("mirrored groups, and turned ones in turned ones"),
                },
                "graphicFrame" => match table::of(node) {
                    Some(found) => self.table(node, found, frame),
                    None => Err("charts and SmartArt"),
                },
                _ => continue,
            };
            if let Err(why) = taken {
                self.leave(why);
            }
        }
    }

    /// The step with which a shape comes, or one of its paragraphs.
    fn step_of(&self, shape: &Node, paragraph: Option<usize>) -> u8 {
        let properties = shape.nodes().find(|child| child.name.starts_with("nv"));
        let id = properties.and_then(|node| node.child("cNvPr")?.attr("id")?.parse().ok());
        let step = |paragraph| id.and_then(|shape| self.coming.get(&Target { shape, paragraph })).copied();
        self.from.max(step(None).unwrap_or(0)).max(paragraph.and_then(|at| step(Some(at))).unwrap_or(0))
    }

    fn text(&mut self, shape: &Node, frame: Frame) -> Result<(), Why> {
        let Some(body) = shape.child("txBody") else { return Ok(()) };
        if words(shape).is_empty() || is_furniture(shape) {
            return Ok(());
        }
        let lineage = Lineage::of(shape, placeholder(shape), self.ancestors);
        let xfrm = lineage.place().ok_or("shapes without a place")?;
        let (area, angle) = self.area(xfrm, frame)?;
        let stays = lineage.body("upright").is_some_and(|upright| matches!(upright, "1" | "true"));
        if lineage.body("rot").is_some_and(|rot| rot != "0") || (angle != 0.0 && stays) {
            return Err("texts that are not turned as their shapes are");
        }
        if lineage.body("numCol").is_some_and(|n| n != "1") {
            return Err("columns");
        }
        let quarter = match lineage.body("vert") {
            None | Some("horz") => 0.0,
            Some("vert") => 90.0,
            Some("vert270") => 270.0,
            Some(_) => return Err("letters on top of each other"),
        };
        let (area, angle) = (self.quartered(area, quarter), (angle + quarter).rem_euclid(360.0));
        if lineage.body_warp().is_some_and(|warp| warp != "textNoShape") || lineage.body_has("scene3d") {
            return Err("WordArt");
        }
        let inset = |name: &str| lineage.body(name).and_then(|emu| emu.parse().ok()).unwrap_or(91_440.0);
        let inner = (area.left + inset("lIns") / self.size.0, area.left + area.width - inset("rIns") / self.size.0);
        let mut paragraphs = Vec::new();
        for (at, node) in body.nodes().filter(|node| node.name == "p").enumerate() {
            let paragraph = self.paragraph(node, &lineage, inner)?;
            paragraphs
                .extend(paragraph.map(|paragraph| Paragraph { from: self.step_of(shape, Some(at)), ..paragraph }));
        }
        let spans: Vec<_> = body.nodes().filter(|node| node.name == "p").map(|node| node.span.clone()).collect();
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return Ok(()) };
        let span = first.start..last.end;
        let (what, from) = (What::Text(paragraphs), self.step_of(shape, None));
        let blank = BLANK.replace('@', prefix(&self.text[span.start..]));
        let piece = Piece { name: name_of(shape, "nvSpPr"), area, angle, table: None, from, what };
        self.take(shape, piece, vec![(span, blank)])
    }

    /// The same place for what is turned by a quarter in it.
    fn quartered(&self, area: Area, quarter: f64) -> Area {
        if quarter == 0.0 {
            return area;
        }
        let (across, down) = self.size;
        let (width, height) = (area.height * down / across, area.width * across / down);
        let (x, y) = (area.left + area.width / 2.0, area.top + area.height / 2.0);
        Area { left: x - width / 2.0, top: y - height / 2.0, width, height }
    }

    /// Each cell's words.
    fn table(&mut self, frame: &Node, table: table::Table<'_>, within: Frame) -> Result<(), Why> {
        let xfrm = frame.child("xfrm").ok_or("shapes without a place")?;
        if self.found.pieces.len() + table.cells.len() > MOST_PIECES {
            return Err("tables with more cells than a scene is edited with");
        }
        let (whole, angle) = self.area(xfrm, within)?;
        if angle != 0.0 {
            return Err("turned tables");
        }
        let (name, from) = (name_of(frame, "nvGraphicFramePr"), self.step_of(frame, None));
        for cell in table.cells {
            let (left, top) = within.scaled((cell.across.0, cell.down.0));
            let (width, height) = within.scaled((cell.across.1, cell.down.1));
            let area = Area {
                left: whole.left + left / self.size.0,
                top: whole.top + top / self.size.1,
                width: width / self.size.0,
                height: height / self.size.1,
            };
            let taken = self.cell(cell.node, area).and_then(|paragraphs| {
                let cuts = table::cleared(cell.node, self.text)?;
                let (what, table) = (What::Text(paragraphs), Some(whole));
                let name = format!("{name}, row {}, column {}", cell.at.0, cell.at.1);
                self.take(cell.node, Piece { name, area, angle: 0.0, table, from, what }, cuts)
            });
            if let Err(why) = taken {
                self.leave(why);
            }
        }
        Ok(())
    }

    fn cell(&self, cell: &Node, area: Area) -> Result<Vec<Paragraph>, Why> {
        let lineage = Lineage::of(cell, None, self.ancestors);
        let props = cell.child("tcPr");
        if props.and_then(|props| props.attr("vert")).is_some_and(|vert| vert != "horz") {
            return Err("turned letters in tables");
        }
        let margin = |name: &str| props.and_then(|props| number(props, name)).unwrap_or(91_440.0) / self.size.0;
        let inner = (area.left + margin("marL"), area.left + area.width - margin("marR"));
        let mut paragraphs = Vec::new();
        for node in cell.path(&["txBody"]).into_iter().flat_map(Node::nodes).filter(|node| node.name == "p") {
            paragraphs.extend(self.paragraph(node, &lineage, inner)?);
        }
        for paragraph in &mut paragraphs {
            if paragraph.bullet {
                return Err("lists in tables");
            }
            paragraph.maybe_bold = !paragraph.style.bold;
        }
        Ok(paragraphs)
    }

    fn paragraph(&self, node: &Node, lineage: &Lineage<'_>, inner: (f64, f64)) -> Result<Option<Paragraph>, Why> {
        let looks = lineage.paragraph(node);
        let mut runs: Vec<Run> = Vec::new();
        for part in node.nodes() {
            match part.name.as_str() {
                "r" => {
                    let mut run = part.child("t").map(Node::text).unwrap_or_default();
                    if looks.of_run(part.child("rPr"), "cap") == Some("all") {
                        run = run.to_uppercase();
                    }
                    let style = style_of(part.child("rPr"), &looks)?;
                    match runs.last_mut() {
                        Some(last) if last.style == style || run.trim().is_empty() => last.text.push_str(&run),
                        _ => runs.push(Run { text: run, style }),
                    }
                }
                "br" => match runs.last_mut() {
                    Some(last) => last.text.push('\n'),
                    None => return Err("texts that begin with empty lines"),
                },
                "fld" => return Err("texts with numbers or dates that PowerPoint fills in"),
                "pPr" | "endParaRPr" => (),
                _ => return Err("formulas"),
            }
        }
        let text: String = runs.iter().map(|run| run.text.as_str()).collect();
        if text.trim().is_empty() {
            return Ok(None);
        }
        let Some(style) = usual(&runs) else { return Err("texts of raised or lowered letters alone") };
        let margin = looks.of_paragraph("marL").and_then(|emu| emu.parse::<f64>().ok()).unwrap_or(0.0);
        let bullet = looks.has_bullet();
        let indent = looks.of_paragraph("indent").and_then(|emu| emu.parse::<f64>().ok()).unwrap_or(0.0);
        if !bullet && indent != 0.0 && text.len() > 1 && indent.abs() > 20_000.0 && margin + indent > 1.0 {
            return Err("first lines that are indented");
        }
        if text.contains(['\t', '\u{b}']) {
            return Err("tabulators");
        }
        let margin = if bullet { margin } else { margin + indent.min(0.0) };
        let column = (inner.0 + margin / self.size.0, inner.1);
        Ok(Some(Paragraph { text, style, runs, from: 0, bullet, maybe_bold: false, column }))
    }

    fn picture(&mut self, node: &Node, frame: Frame) -> Result<(), Why> {
        let blip = node.path(&["blipFill", "blip"]).ok_or("pictures of other kinds")?;
        if node.path(&["nvPicPr", "nvPr"]).is_some_and(|props| props.nodes().any(|child| child.name != "ph")) {
            return Err("films and sounds");
        }
        let part = blip.relation("embed").and_then(|id| self.relations.get(id)).ok_or("pictures that lie elsewhere")?;
        let lineage = Lineage::of(node, node.path(&["nvPicPr", "nvPr", "ph"]), self.ancestors);
        let xfrm = lineage.place().ok_or("shapes without a place")?;
        let (area, angle) = self.area_of(xfrm, frame)?;
        let what = match plain_picture(node, &part.part).filter(|_| !flipped(xfrm)) {
            Some(crop) => What::Picture { file: part.part.clone(), crop },
            None => What::Cutout { margin: margin(node) / self.size.0 },
        };
        let from = self.step_of(node, None);
        let piece = Piece { name: name_of(node, "nvPicPr"), area, angle, table: None, from, what };
        self.take(node, piece, vec![(node.span.clone(), String::new())])
    }

    fn area(&self, xfrm: &Node, frame: Frame) -> Result<(Area, f64), Why> {
        if flipped(xfrm) {
            return Err("mirrored shapes");
        }
        self.area_of(xfrm, frame)
    }

    fn area_of(&self, xfrm: &Node, frame: Frame) -> Result<(Area, f64), Why> {
        const NOWHERE: Why = "shapes without a place";
        let (off, ext) = (xfrm.child("off").ok_or(NOWHERE)?, xfrm.child("ext").ok_or(NOWHERE)?);
        let value = |node: &Node, name: &str| number(node, name).ok_or(NOWHERE);
        let (x, y) = (value(off, "x")?, value(off, "y")?);
        let (width, height) = frame.scaled((value(ext, "cx")?, value(ext, "cy")?));
        let (left, top, angle) = frame.placed((x, y), (width, height), angle_of(xfrm));
        let area = Area {
            left: left / self.size.0,
            top: top / self.size.1,
            width: width / self.size.0,
            height: height / self.size.1,
        };
        let fits = [area.left, area.top, area.width, area.height].iter().all(|side| side.abs() < 20.0);
        if !(fits && area.width > 0.0 && area.height > 0.0) {
            return Err(NOWHERE);
        }
        Ok((area, angle))
    }

    fn take(&mut self, node: &Node, piece: Piece, cuts: Vec<Cut>) -> Result<(), Why> {
        if self.found.pieces.len() >= MOST_PIECES {
            return Err("more texts and pictures than a scene is edited with");
        }
        if node.span.is_empty() || cuts.is_empty() {
            return Err("shapes without a place");
        }
        self.cuts.extend(cuts);
        self.found.pieces.push(piece);
        Ok(())
    }
}

/// What is cut off a picture that is nothing but its file, stretched; nothing for one with borders, effects, other
/// colours or in other forms than PNG and JPEG.
#[expect(clippy::option_option, reason = "a picture that is not cut, and one that is not plain, are two things")]
fn plain_picture(node: &Node, file: &str) -> Option<Option<[f64; 4]>> {
    let fill = node.child("blipFill")?;
    let (blip, props) = (fill.child("blip")?, node.child("spPr")?);
    let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let recoloured = blip.nodes().any(|effect| effect.name != "extLst");
    let drawn = blip.child("extLst").is_some_and(|more| holds(more, "svgBlip"));
    if recoloured || drawn || !matches!(ending.as_str(), "png" | "jpg" | "jpeg") {
        return None;
    }
    let rectangle = props.child("prstGeom").is_none_or(|geometry| geometry.attr("prst") == Some("rect"));
    if !rectangle || props.child("custGeom").is_some() || has_line(props) || has_effects(props) {
        return None;
    }
    // PowerPoint writes no `fillRect` for pictures that are cut.
    let moved = |rect: &Node| ["l", "t", "r", "b"].iter().any(|side| rect.attr(side).is_some_and(|cut| cut != "0"));
    if fill.child("stretch")?.child("fillRect").is_some_and(moved) {
        return None;
    }
    let cuts = fill.child("srcRect").map(|rect| ["l", "t", "r", "b"].map(|side| number(rect, side).unwrap_or(0.0)));
    let Some(cuts) = cuts.map(|cuts| cuts.map(|cut| cut / 100_000.0)) else { return Some(None) };
    let odd = cuts.iter().any(|cut| *cut < 0.0) || cuts[0] + cuts[2] >= 0.99 || cuts[1] + cuts[3] >= 0.99;
    (!odd).then(|| Some(cuts).filter(|cuts| cuts.iter().any(|cut| *cut > 0.0)))
}

fn has_line(props: &Node) -> bool {
    props.child("ln").is_some_and(|line| line.child("noFill").is_none() && line.nodes().count() > 0)
}

fn has_effects(props: &Node) -> bool {
    let effects = ["effectLst", "effectDag", "sp3d"].iter().filter_map(|name| props.child(name));
    effects.flat_map(Node::nodes).count() > 0
}

/// How far a picture's border and effects may reach beyond its place, in its units.
fn margin(node: &Node) -> f64 {
    let Some(props) = node.child("spPr") else { return 0.0 };
    let line = props.child("ln").filter(|_| has_line(props));
    let border = line.map_or(0.0, |line| number(line, "w").unwrap_or(9525.0));
    // Shadows and glows: what is usual. What reaches further fades out there.
    border.clamp(0.0, 500_000.0) + if has_effects(props) { 200_000.0 } else { 0.0 }
}

/// What programs fill in on every slide.
fn is_furniture(shape: &Node) -> bool {
    placeholder(shape).is_some_and(|ph| matches!(ph.attr("type"), Some("sldNum" | "dt" | "ftr" | "hdr")))
}

/// The style of most letters that are neither raised nor lowered.
fn usual(runs: &[Run]) -> Option<Style> {
    let mut counted: Vec<(&Style, usize)> = Vec::new();
    for run in runs.iter().filter(|run| run.style.raise == 0.0) {
        let letters = run.text.chars().filter(|c| !c.is_whitespace()).count();
        match counted.iter_mut().find(|(style, _)| **style == run.style) {
            Some((_, count)) => *count += letters,
            None => counted.push((&run.style, letters)),
        }
    }
    // The first of those that have as many.
    let most = counted.iter().map(|(_, count)| *count).filter(|count| *count > 0).max()?;
    counted.into_iter().find(|(_, count)| *count == most).map(|(style, _)| style.clone())
}

fn style_of(run: Option<&Node>, looks: &Looks<'_>) -> Result<Style, Why> {
    let is = |name: &str| looks.of_run(run, name).is_some_and(|value| matches!(value, "1" | "true" | "on"));
    let strays = |name: &str, plain: &str| looks.of_run(run, name).is_some_and(|value| value != plain);
    let small = looks.of_run(run, "cap") == Some("small");
    if strays("strike", "noStrike") || small {
        return Err("struck or small capital letters");
    }
    let baseline = looks.of_run(run, "baseline").and_then(|value| match value.strip_suffix('%') {
        Some(percent) => percent.parse().map(|percent: f64| percent / 100.0).ok(),
        None => value.parse().map(|value: f64| value / 100_000.0).ok(),
    });
    let raise = baseline.filter(|raise| raise.is_finite()).unwrap_or(0.0).clamp(-1.0, 1.0);
    // Links have the theme's colour and a line, whatever the run says.
    let link = run.is_some_and(|run| run.child("hlinkClick").is_some());
    if looks.of_run(run, "spc").and_then(|value| value.parse::<f64>().ok()).is_some_and(|value| value.abs() > 1.0) {
        return Err("letters that are spaced out");
    }
    let effects = ["effectLst", "gradFill", "blipFill", "pattFill", "highlight", "ln"];
    let has = |name: &str| {
        run.and_then(|run| run.child(name))
            .is_some_and(|node| node.nodes().count() > 0 && node.child("noFill").is_none())
    };
    if effects.iter().any(|name| has(name)) {
        return Err("letters with outlines or effects");
    }
    let align = match looks.of_paragraph("algn") {
        Some("ctr") => "center",
        Some("r") => "right",
        Some("just" | "dist" | "justLow" | "thaiDist") => "justify",
        _ => "left",
    };
    Ok(Style {
        family: looks.family(run),
        size: looks.size(run),
        bold: is("b"),
        italic: is("i"),
        underline: strays("u", "none") || link,
        raise,
        colour: if link { "link".to_owned() } else { looks.colour(run) },
        align: align.to_owned(),
    })
}

fn holds(node: &Node, name: &str) -> bool {
    let mut found = false;
    node.walk(&mut |node| found |= node.name == name);
    found
}

fn name_of(shape: &Node, properties: &str) -> String {
    let name = shape.path(&[properties, "cNvPr"]).and_then(|node| node.attr("name")).unwrap_or_default().trim();
    if name.is_empty() { "Text".to_owned() } else { name.chars().take(80).collect() }
}
