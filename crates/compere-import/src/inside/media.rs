//! Films and sounds inside slides, and pictures that slides only link to. Runs inside the sandbox.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::frame::Frame;
use super::package::{Found, Package, Trouble};
use super::shape::number;
use crate::xml::Node;

/// More than a slide plays.
const MOST: usize = 4;

/// Something on a slide that is played, or lies elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Media {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) source: Source,
    /// Left, top, width and height as fractions of the slide, where it is said.
    pub(crate) area: Option<[f64; 4]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Film,
    Sound,
    /// One that is not in the package.
    Picture,
}

/// Where it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Source {
    Part(String),
    /// An address on the web.
    Address(String),
    /// On somebody's disk, or nowhere.
    Nowhere,
}

/// What a slide plays and which pictures it links to, the furthest back first.
pub(crate) fn of<R: Read + Seek>(
    package: &mut Package<R>,
    part: &str,
    slide: &Node,
    size: Option<(f64, f64)>,
) -> Found<Vec<Media>> {
    let mut pictures = Vec::new();
    if let Some(tree) = slide.path(&["cSld", "spTree"]) {
        collect(tree, Some(Frame::WHOLE), &mut pictures);
    }
    if pictures.is_empty() {
        return Ok(vec![]);
    }
    let (relations, outside) = (package.relations(part)?, package.outside(part)?);
    let elsewhere = |id: Option<&str>| {
        let address = id.and_then(|id| outside.get(id)).filter(|address| is_of_the_web(address));
        address.map_or(Source::Nowhere, |address| Source::Address(address.clone()))
    };
    let mut played = 0;
    let found = pictures.into_iter().filter_map(|(picture, frame)| {
        let name = picture.path(&["nvPicPr", "cNvPr"]).and_then(|node| node.attr("name")).unwrap_or("Film");
        let name: String = name.chars().take(80).collect();
        let area = size.and_then(|size| area(picture, frame?, size));
        let properties = picture.path(&["nvPicPr", "nvPr"])?;
        let Some((kind, link)) = properties.nodes().find_map(|child| Some((kind(child)?, child.relation("link"))))
        else {
            let source = elsewhere(linked(picture));
            return Some(Media { name, kind: Kind::Picture, source, area });
        };
        played += 1;
        if played > MOST {
            return None;
        }
        // What newer programs embed stands in an extension; older ones link into the package.
        let mut embedded = None;
        properties.walk(&mut |node| {
            if node.name == "media" {
                embedded = embedded.take().or_else(|| node.relation("embed").map(str::to_owned));
            }
        });
        let held = |id: &str| relations.get(id).map(|relation| relation.part.clone());
        let part = embedded.as_deref().and_then(held).or_else(|| link.and_then(held));
        let source = part.map_or_else(|| elsewhere(link), Source::Part);
        Some(Media { name, kind, source, area })
    });
    Ok(found.collect())
}

fn kind(node: &Node) -> Option<Kind> {
    match node.name.as_str() {
        "videoFile" | "quickTimeFile" => Some(Kind::Film),
        "audioFile" | "wavAudioFile" => Some(Kind::Sound),
        _ => None,
    }
}

/// The relation by which a picture is linked to that is not in the package, too, and is shown whole.
pub(crate) fn linked(picture: &Node) -> Option<&str> {
    let fill = picture.child("blipFill").filter(|fill| picture.name == "pic" && fill.child("srcRect").is_none())?;
    let blip = fill.child("blip").filter(|blip| blip.relation("embed").is_none())?;
    blip.relation("link")
}

fn is_of_the_web(address: &str) -> bool {
    let lower = address.to_lowercase();
    address.len() <= 2000 && ["http://", "https://"].iter().any(|scheme| lower.starts_with(scheme))
}

/// Pictures that are of use here, those in groups too, with how their groups lie on the slide where that can be told.
fn collect<'a>(parent: &'a Node, frame: Option<Frame>, into: &mut Vec<(&'a Node, Option<Frame>)>) {
    for node in parent.nodes() {
        let is_played =
            || node.path(&["nvPicPr", "nvPr"]).is_some_and(|held| held.nodes().any(|one| kind(one).is_some()));
        match node.name.as_str() {
            "grpSp" => collect(node, frame.and_then(|frame| frame.of_group(node)), into),
            "pic" if is_played() || linked(node).is_some() => into.push((node, frame)),
            _ => (),
        }
    }
}

/// Nothing for what is turned.
fn area(picture: &Node, frame: Frame, (width, height): (f64, f64)) -> Option<[f64; 4]> {
    let place = picture.path(&["spPr", "xfrm"])?;
    let side = |child: &str, name: &str| number(place.child(child)?, name);
    let size = frame.scaled((side("ext", "cx")?, side("ext", "cy")?));
    let angle = number(place, "rot").unwrap_or(0.0) / 60_000.0;
    let (left, top, angle) = frame.placed((side("off", "x")?, side("off", "y")?), size, angle);
    let area = [left / width, top / height, size.0 / width, size.1 / height];
    let sane = area.iter().all(|side| side.is_finite() && side.abs() < 5.0) && area[2] > 0.0 && area[3] > 0.0;
    (sane && angle == 0.0).then_some(area)
}

/// Writes parts into `folder`, `media-1` and so on, each of at most so many bytes.
pub(crate) fn write(file: &Path, folder: &Path, parts: &[String], most: u64) -> Found<()> {
    let broken = |error: std::io::Error| Trouble::Damaged(error.to_string());
    let mut package = Package::open(File::open(file).map_err(broken)?)?;
    for (at, part) in (1..).zip(parts) {
        let mut to = File::create(folder.join(format!("media-{at}"))).map_err(broken)?;
        package.pour(part, &mut to, most)?;
    }
    Ok(())
}
