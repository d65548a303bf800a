//! A deck without the texts and pictures that can be clips of their own, and where they stood. Runs inside the sandbox.
//!
//! What is taken out here is only a proposal: whether a clip looks as the slide did is found out when both are drawn
//! (`recompose`). So whatever is hard to say in the scene language is left in: turned or upright letters, columns,
//! charts, tables and SmartArt. Pictures with borders and effects are cut out of the slide as
//! it was drawn.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use super::outline::{self, Archive};
use super::package::{Found, Package, Relation, Trouble, copy};
use super::shape::{number, placeholder, slide_size, words};
use super::steps::{self, Target};
use super::style::{Ancestors, Lineage, Looks};
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
    /// Where its lines begin and end, as fractions of the slide's width.
    pub(crate) column: (f64, f64),
}

/// Letters that look alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) style: Style,
}

/// Where letters stand beside the others of their line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum Position {
    #[default]
    Normal,
    Raised,
    Lowered,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Style {
    pub(crate) family: String,
    /// Points of the slide.
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) underline: bool,
    pub(crate) position: Position,
    /// As the deck says it: the same where the colour is the same. Which colour that is, the drawn slide tells.
    pub(crate) colour: String,
    /// As the scene language has it.
    pub(crate) align: String,
}

type Why = &'static str;

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
        let coming = match steps::of(&tree) {
            None => Some(BTreeMap::new()),
            Some(steps) => steps.coming(),
        };
        let (found, cuts) = (BareSlide::default(), vec![]);
        let still = coming.is_some();
        let coming = coming.unwrap_or_default();
        let mut taker = Taker { ancestors: &ancestors, relations: &relations, size, coming, from: 0, found, cuts };
        if !still {
            taker.leave("slides on which something goes by a click");
        } else if let Some(shapes) = tree.path(&["cSld", "spTree"]) {
            taker.shapes(shapes, Frame::WHOLE);
        }
        let Taker { mut found, mut cuts, .. } = taker;
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
            let text = decoded(&bytes).map_err(Trouble::Damaged)?;
            cuts.sort_by_key(|cut| std::cmp::Reverse(cut.0.start));
            let text = cuts.into_iter().fold(text, |mut text, (span, instead)| {
                let instead = instead.replace('@', prefix(&text[span.start..]));
                text.replace_range(span, &instead);
                text
            });
            changed.insert(slide.part.clone(), text);
        }
        slides.push(found);
    }
    if !changed.is_empty() {
        copy(opened()?, &folder.join(COPY), &changed, &[])?;
    }
    Ok(slides)
}

/// `a:` of `<a:p>`.
pub(crate) fn prefix(tag: &str) -> &str {
    let name = tag.trim_start_matches('<').split([' ', '>', '/']).next().unwrap_or_default();
    name.find(':').map_or("", |at| &name[..=at])
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

/// How coordinates inside a group lie on the slide.
#[derive(Clone, Copy)]
struct Frame {
    offset: (f64, f64),
    scale: (f64, f64),
}

impl Frame {
    const WHOLE: Self = Self { offset: (0.0, 0.0), scale: (1.0, 1.0) };

    fn of_group(self, group: &Node) -> Option<Self> {
        let xfrm = group.path(&["grpSpPr", "xfrm"])?;
        if number(xfrm, "rot").unwrap_or(0.0) != 0.0 || flipped(xfrm) {
            return None;
        }
        let point = |name: &str, x: &str, y: &str| Some((number(xfrm.child(name)?, x)?, number(xfrm.child(name)?, y)?));
        let (off, ext) = (point("off", "x", "y")?, point("ext", "cx", "cy")?);
        let (inner, size) = (point("chOff", "x", "y")?, point("chExt", "cx", "cy")?);
        if size.0 <= 0.0 || size.1 <= 0.0 {
            return None;
        }
        let (sx, sy) = (self.scale.0 * ext.0 / size.0, self.scale.1 * ext.1 / size.1);
        let x = self.offset.0 + self.scale.0 * off.0 - sx * inner.0;
        let y = self.offset.1 + self.scale.1 * off.1 - sy * inner.1;
        Some(Self { offset: (x, y), scale: (sx, sy) })
    }
}

struct Taker<'a> {
    ancestors: &'a Ancestors,
    relations: &'a BTreeMap<String, Relation>,
    size: (f64, f64),
    /// What comes with which step.
    coming: BTreeMap<Target, u8>,
    /// With which the group comes that is looked into.
    from: u8,
    found: BareSlide,
    /// What takes the place of which bytes.
    cuts: Vec<(std::ops::Range<usize>, String)>,
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
                    None => Err("turned or mirrored groups"),
                },
                "graphicFrame" => Err("charts, tables and SmartArt"),
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
        if angle != 0.0 || lineage.body("rot").is_some_and(|rot| rot != "0") {
            return Err("turned texts");
        }
        if lineage.body("vert").is_some_and(|vert| vert != "horz") || lineage.body("numCol").is_some_and(|n| n != "1") {
            return Err("upright letters and columns");
        }
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
        self.take(shape, Piece { name: name_of(shape, "nvSpPr"), area, angle, from, what }, span, BLANK.to_owned())
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
        Ok(Some(Paragraph { text, style, runs, from: 0, bullet, column: (inner.0 + margin / self.size.0, inner.1) }))
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
        let piece = Piece { name: name_of(node, "nvPicPr"), area, angle, from, what };
        self.take(node, piece, node.span.clone(), String::new())
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
        let (width, height) = (value(ext, "cx")? * frame.scale.0, value(ext, "cy")? * frame.scale.1);
        let area = Area {
            left: (frame.offset.0 + frame.scale.0 * x) / self.size.0,
            top: (frame.offset.1 + frame.scale.1 * y) / self.size.1,
            width: width / self.size.0,
            height: height / self.size.1,
        };
        let fits = [area.left, area.top, area.width, area.height].iter().all(|side| side.abs() < 20.0);
        if !(fits && area.width > 0.0 && area.height > 0.0) {
            return Err(NOWHERE);
        }
        Ok((area, number(xfrm, "rot").unwrap_or(0.0) / 60_000.0))
    }

    fn take(&mut self, node: &Node, piece: Piece, span: std::ops::Range<usize>, instead: String) -> Result<(), Why> {
        if self.found.pieces.len() >= MOST_PIECES {
            return Err("more texts and pictures than a scene is edited with");
        }
        if node.span.is_empty() || span.is_empty() {
            return Err("shapes without a place");
        }
        self.cuts.push((span, instead));
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
    for run in runs.iter().filter(|run| run.style.position == Position::Normal) {
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
    let position = match looks.of_run(run, "baseline").and_then(|value| value.trim_end_matches('%').parse::<f64>().ok())
    {
        Some(raised) if raised > 0.0 => Position::Raised,
        Some(lowered) if lowered < 0.0 => Position::Lowered,
        _ => Position::Normal,
    };
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
        position,
        colour: if link { "link".to_owned() } else { looks.colour(run) },
        align: align.to_owned(),
    })
}

fn flipped(xfrm: &Node) -> bool {
    ["flipH", "flipV"].iter().any(|name| xfrm.flag(name) == Some(true))
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
