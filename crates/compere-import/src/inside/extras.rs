//! What a slide holds beside what is drawn of it: where it leads, what of it is lost in a picture, what it says itself.
//! Runs inside the sandbox.

use std::collections::BTreeSet;
use std::io::{Read, Seek};

use super::diagram;
use super::media;
use super::package::{Found, Package};
use super::shape::{placeholder, words};
use crate::xml::Node;
use compere_scene::{Transition, TransitionKind};

/// More links than a page of a film's notes lists.
const MOST_LINKS: usize = 40;
const LONGEST_ADDRESS: usize = 2000;
/// Paragraphs of a slide that are read aloud.
const MOST_POINTS: usize = 24;

/// Links of a slide: the words that hold each, and its address.
pub(crate) fn links<R: Read + Seek>(
    package: &mut Package<R>,
    part: &str,
    slide: &Node,
) -> Found<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut ids: Vec<(String, String)> = Vec::new();
    slide.walk(&mut |node| {
        let link = |holder: &Node| holder.child("hlinkClick").and_then(|link| link.relation("id")).map(str::to_owned);
        match node.name.as_str() {
            "r" => {
                let words = node.child("t").map(Node::text).unwrap_or_default();
                ids.extend(node.child("rPr").and_then(link).map(|id| (words, id)));
            }
            "cNvPr" => {
                let name = node.attr("descr").or(node.attr("name")).unwrap_or_default().to_owned();
                ids.extend(link(node).map(|id| (name, id)));
            }
            _ => (),
        }
    });
    if ids.is_empty() {
        return Ok(found);
    }
    let outside = package.outside(part)?;
    for (words, id) in ids {
        let Some(address) = outside.get(&id).filter(|address| is_address(address)) else { continue };
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect();
        let room = found.len() < MOST_LINKS;
        match found.last_mut() {
            // PowerPoint cuts the words of a link into runs.
            Some((before, last)) if last == address => *before = format!("{before} {words}"),
            _ if room => found.push((words, address.clone())),
            _ => break,
        }
    }
    Ok(found)
}

fn is_address(text: &str) -> bool {
    let lower = text.to_lowercase();
    let plain = !text.chars().any(|c| c.is_control() || c.is_whitespace()) && text.len() <= LONGEST_ADDRESS;
    plain && ["http://", "https://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme))
}

/// What the picture of a slide does not have, or cannot be trusted to have.
pub(crate) fn losses<R: Read + Seek>(package: &mut Package<R>, part: &str, slide: &Node) -> Found<Vec<String>> {
    let (mut linked, mut frames) = (BTreeSet::new(), Vec::new());
    // Those that are pictures of their own are told of by whoever fetches them.
    let mut own = BTreeSet::new();
    slide.walk(&mut |node| match node.name.as_str() {
        "blip" if node.relation("embed").is_none() => linked.extend(node.relation("link").map(str::to_owned)),
        "pic" => own.extend(media::linked(node).map(str::to_owned)),
        "graphicData" => frames.push(node.clone()),
        _ => (),
    });
    linked.retain(|id| !own.contains(id));
    let mut told = Vec::new();
    if !linked.is_empty() {
        told.push("shows a picture that lies elsewhere and is not fetched".to_owned());
    }
    if frames.is_empty() {
        return Ok(told);
    }
    let relations = package.relations(part)?;
    let parts: BTreeSet<String> = package.names().into_iter().collect();
    for frame in &frames {
        let uri = frame.attr("uri").unwrap_or_default();
        if uri.ends_with("/chart") || uri.ends_with("/chartex") {
            let mut id = None;
            frame.walk(&mut |node| {
                if node.name == "chart" {
                    id = node.relation("id").map(str::to_owned);
                }
            });
            let known = id.and_then(|id| relations.get(&id)).is_some_and(|relation| parts.contains(&relation.part));
            if !known {
                told.push("has a chart whose parts are missing".to_owned());
            }
        }
        if uri.ends_with("/diagram") {
            told.extend(diagram::doubt(package, &relations, frame)?);
        }
    }
    told.dedup();
    Ok(told)
}

/// What a slide says beside its title, paragraph by paragraph.
pub(crate) fn points(slide: &Node) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(tree) = slide.path(&["cSld", "spTree"]) {
        collect(tree, &mut found);
    }
    found.truncate(MOST_POINTS);
    found
}

fn collect(parent: &Node, into: &mut Vec<String>) {
    for node in parent.nodes() {
        match node.name.as_str() {
            "sp" => {
                let kind = placeholder(node).and_then(|ph| ph.attr("type"));
                if !matches!(kind, Some("title" | "ctrTitle" | "sldNum" | "dt" | "ftr" | "hdr")) {
                    let said = words(node);
                    into.extend(said.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned));
                }
            }
            "grpSp" => collect(node, into),
            _ => (),
        }
    }
}

/// How a slide takes the place of the one before it: ours that is nearest.
pub(crate) fn transition(slide: &Node) -> Option<Transition> {
    let node = slide.child("transition")?;
    // What has no element of its own says only when the next slide comes.
    let how = node.nodes().find(|how| !matches!(how.name.as_str(), "sndAc" | "extLst"))?;
    let kind = match how.name.as_str() {
        "cut" => return None,
        // They name the way that things go, ours the side that they come from. Sides of a cube (`prism`) push each other, too;
        // of `cover` and `pull` one of both stands still.
        "push" | "pan" | "conveyor" | "gallery" | "ferris" | "prism" | "cover" | "pull" => {
            match how.attr("dir").unwrap_or("l") {
                "l" => TransitionKind::PushRight,
                "r" => TransitionKind::PushLeft,
                "u" => TransitionKind::PushDown,
                "d" => TransitionKind::PushUp,
                // Across a corner.
                _ => TransitionKind::Fade,
            }
        }
        _ => TransitionKind::Fade,
    };
    let told = node.relation("dur").and_then(|dur| dur.parse::<f64>().ok()).map(|milliseconds| milliseconds / 1000.0);
    let seconds = told.filter(|seconds| seconds.is_finite()).unwrap_or(match node.attr("spd") {
        Some("slow") => 1.0,
        Some("med") => 0.75,
        _ => Transition::SECONDS,
    });
    Some(Transition { kind, duration: seconds.clamp(Transition::RANGE.0, Transition::RANGE.1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_become_ours_that_are_nearest() {
        let of = |inside: &str| {
            let slide = format!("<p:sld><p:cSld/>{inside}</p:sld>");
            transition(&crate::xml::parse(slide.as_bytes()).expect("well-formed"))
        };
        let is = |kind, duration| Some(Transition { kind, duration });
        assert_eq!(of(""), None);
        assert_eq!(of(r#"<p:transition spd="slow" advTm="3000"/>"#), None, "only when the next slide comes");
        assert_eq!(of("<p:transition><p:cut/></p:transition>"), None);
        assert_eq!(of(r#"<p:transition spd="slow"><p:fade/></p:transition>"#), is(TransitionKind::Fade, 1.0));
        assert_eq!(of(r#"<p:transition><p:push dir="u"/></p:transition>"#), is(TransitionKind::PushDown, 0.5));
        assert_eq!(of(r#"<p:transition spd="med"><p:push/></p:transition>"#), is(TransitionKind::PushRight, 0.75));
        let new = r#"<mc:AlternateContent><mc:Choice><p:transition spd="slow" p14:dur="1250"><p14:flip dir="r"/>
            </p:transition></mc:Choice><mc:Fallback><p:transition spd="slow"><p:fade/></p:transition></mc:Fallback>
            </mc:AlternateContent>"#;
        assert_eq!(of(new), is(TransitionKind::Fade, 1.25));
        let cube = r#"<p:transition p14:dur="1200"><p14:prism dir="r" isInverted="1"/></p:transition>"#;
        assert_eq!(of(cube), is(TransitionKind::PushLeft, 1.2));
        assert_eq!(of("<p:transition><p:cover/></p:transition>"), is(TransitionKind::PushRight, 0.5));
        assert_eq!(of(r#"<p:transition><p:pull dir="ru"/></p:transition>"#), is(TransitionKind::Fade, 0.5));
        let long = r#"<p:transition p14:dur="90000"><p:wipe dir="d"/></p:transition>"#;
        assert_eq!(of(long), is(TransitionKind::Fade, 2.0));
    }

    #[test]
    fn only_addresses_are_links() {
        assert!(is_address("https://example.com/a?b=c") && is_address("mailto:a@b.c"));
        for wrong in ["file:///etc/passwd", "javascript:alert(1)", "slide2.xml", "https://a b"] {
            assert!(!is_address(wrong), "{wrong}");
        }
    }
}
