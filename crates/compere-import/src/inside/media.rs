//! Films and sounds inside slides. Runs inside the sandbox.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::package::{Found, Package, Trouble};
use crate::xml::Node;

/// More than a slide plays.
const MOST: usize = 4;

/// Something on a slide that is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Media {
    pub(crate) name: String,
    /// The part that holds it; nothing when it lies elsewhere.
    pub(crate) part: Option<String>,
    pub(crate) sound: bool,
    /// Left, top, width and height as fractions of the slide, where it is said.
    pub(crate) area: Option<[f64; 4]>,
}

/// What a slide plays, the furthest back first.
pub(crate) fn of<R: Read + Seek>(
    package: &mut Package<R>,
    part: &str,
    slide: &Node,
    size: Option<(f64, f64)>,
) -> Found<Vec<Media>> {
    let mut pictures = Vec::new();
    if let Some(tree) = slide.path(&["cSld", "spTree"]) {
        tree.walk(&mut |node| {
            let played = node.path(&["nvPicPr", "nvPr"]);
            if node.name == "pic"
                && played.is_some_and(|properties| properties.nodes().any(|child| kind(child).is_some()))
            {
                pictures.push(node.clone());
            }
        });
    }
    if pictures.is_empty() {
        return Ok(vec![]);
    }
    let relations = package.relations(part)?;
    let found = pictures.iter().take(MOST).filter_map(|picture| {
        let properties = picture.path(&["nvPicPr", "nvPr"])?;
        let (sound, linked) = properties.nodes().find_map(|child| Some((kind(child)?, child.relation("link"))))?;
        // What newer programs embed stands in an extension; older ones link into the package.
        let mut embedded = None;
        properties.walk(&mut |node| {
            if node.name == "media" {
                embedded = embedded.take().or_else(|| node.relation("embed").map(str::to_owned));
            }
        });
        let held = |id: &str| relations.get(id).map(|relation| relation.part.clone());
        let part = embedded.as_deref().and_then(held).or_else(|| linked.and_then(held));
        let name = picture.path(&["nvPicPr", "cNvPr"]).and_then(|node| node.attr("name")).unwrap_or("Film");
        let area = size.and_then(|size| area(picture, size));
        Some(Media { name: name.chars().take(80).collect(), part, sound, area })
    });
    Ok(found.collect())
}

/// Whether it is a sound.
fn kind(node: &Node) -> Option<bool> {
    match node.name.as_str() {
        "videoFile" | "quickTimeFile" => Some(false),
        "audioFile" | "wavAudioFile" => Some(true),
        _ => None,
    }
}

fn area(picture: &Node, (width, height): (f64, f64)) -> Option<[f64; 4]> {
    let place = picture.path(&["spPr", "xfrm"])?;
    let number = |child: &str, name: &str| place.child(child)?.attr(name)?.parse::<f64>().ok();
    let turned = place.attr("rot").is_some_and(|rot| rot != "0");
    let area = [
        number("off", "x")? / width,
        number("off", "y")? / height,
        number("ext", "cx")? / width,
        number("ext", "cy")? / height,
    ];
    let sane = area.iter().all(|side| side.is_finite() && side.abs() < 5.0) && area[2] > 0.0 && area[3] > 0.0;
    (sane && !turned).then_some(area)
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
