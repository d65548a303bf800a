//! What comes and goes on a slide, click by click: the main sequence of its animations. Runs inside the sandbox.
//!
//! A step is a click with everything that happens with it or after it. What happens before the first click has happened
//! when the slide is first seen. Ways, emphasis and speed are left out: what is there after which step is what counts.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::shape::paragraph;
use crate::xml::Node;

/// More than a slide is explained in; what comes later comes with the last.
const MOST_STEPS: usize = 16;

/// Something that comes or goes: a shape by its id, or one of its paragraphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Target {
    pub(crate) shape: u32,
    pub(crate) paragraph: Option<usize>,
}

/// A slide's steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Steps {
    /// What is not there at first, then after each step.
    pub(crate) hidden: Vec<BTreeSet<Target>>,
}

/// What a step brings, in words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) says: String,
}

impl Steps {
    /// The step with which a target comes, 0 for what is there from the start; nothing where anything goes again, so that
    /// the slide at its end is not all of it.
    pub(crate) fn coming(&self) -> Option<BTreeMap<Target, u8>> {
        let grows = self.hidden.windows(2).all(|pair| pair[1].is_subset(&pair[0]));
        if !grows || self.hidden.last().is_none_or(|last| !last.is_empty()) {
            return None;
        }
        let mut coming = BTreeMap::new();
        for (step, hidden) in (1u8..).zip(&self.hidden) {
            coming.extend(hidden.iter().map(|target| (*target, step)));
        }
        Some(coming)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Happens {
    Comes(Target),
    Goes(Target),
}

/// The steps of a slide; none where nothing comes or goes by a click.
pub(crate) fn of(slide: &Node) -> Option<Steps> {
    let mut clicks = clicks(slide)?;
    let mut hidden = BTreeSet::new();
    let mut met = BTreeSet::new();
    for happens in clicks.iter().flat_map(|(_, all)| all) {
        let (target, comes) = match happens {
            Happens::Comes(target) => (*target, true),
            Happens::Goes(target) => (*target, false),
        };
        if met.insert(target) && comes {
            hidden.insert(target);
        }
    }
    if clicks.first().is_some_and(|(by_itself, _)| *by_itself) {
        let (_, first) = clicks.remove(0);
        happen(&mut hidden, &first);
    }
    let mut states = vec![hidden.clone()];
    for (_, all) in clicks {
        happen(&mut hidden, &all);
        if states.last() == Some(&hidden) {
            continue;
        }
        if states.len() > MOST_STEPS {
            states.pop();
        }
        states.push(hidden.clone());
    }
    (states.len() > 1).then_some(Steps { hidden: states })
}

fn happen(hidden: &mut BTreeSet<Target>, all: &[Happens]) {
    for happens in all {
        match happens {
            Happens::Comes(target) => hidden.remove(target),
            Happens::Goes(target) => hidden.insert(*target),
        };
    }
}

/// Each with whether it happens without a click.
fn clicks(slide: &Node) -> Option<Vec<(bool, Vec<Happens>)>> {
    let mut main = None;
    slide.child("timing")?.walk(&mut |node| {
        if node.name == "cTn" && node.attr("nodeType") == Some("mainSeq") {
            main = Some(node.clone());
        }
    });
    let clicks = main?.child("childTnLst")?.nodes().map(click).collect::<Vec<_>>();
    Some(clicks.into_iter().filter(|(_, all)| !all.is_empty()).collect())
}

fn click(node: &Node) -> (bool, Vec<Happens>) {
    let (mut by_itself, mut all) = (true, Vec::new());
    node.walk(&mut |node| {
        let (true, Some(class)) = (node.name == "cTn", node.attr("presetClass")) else { return };
        by_itself &= node.attr("nodeType") != Some("clickEffect");
        let happens = match class {
            "entr" => Happens::Comes,
            "exit" => Happens::Goes,
            _ => return,
        };
        let targets = targets(node);
        all.extend(targets.into_iter().map(happens));
    });
    (by_itself, all)
}

/// What one effect is about. A chart or a drawing that comes in parts comes with the first of them.
fn targets(effect: &Node) -> BTreeSet<Target> {
    let mut found = BTreeSet::new();
    effect.walk(&mut |node| {
        let Some(shape) = node.attr("spid").filter(|_| node.name == "spTgt").and_then(|id| id.parse().ok()) else {
            return;
        };
        let range = node.path(&["txEl", "pRg"]).and_then(|range| {
            let number = |name: &str| range.attr(name)?.parse::<usize>().ok();
            Some((number("st")?, number("end")?))
        });
        match range {
            None => drop(found.insert(Target { shape, paragraph: None })),
            Some((first, last)) => {
                let all = first..=last.min(first + 200);
                found.extend(all.map(|paragraph| Target { shape, paragraph: Some(paragraph) }));
            }
        }
    });
    found
}

/// Shapes, pictures, groups and frames by their id, those in groups too.
pub(crate) fn shapes(slide: &Node) -> BTreeMap<u32, &Node> {
    fn collect<'a>(parent: &'a Node, into: &mut BTreeMap<u32, &'a Node>) {
        for node in parent.nodes() {
            let properties = node.nodes().find(|child| child.name.starts_with("nv"));
            let id = properties.and_then(|node| node.child("cNvPr")?.attr("id")?.parse().ok());
            if let Some(id) = id {
                into.entry(id).or_insert(node);
            }
            if node.name == "grpSp" {
                collect(node, into);
            }
        }
    }
    let mut all = BTreeMap::new();
    if let Some(tree) = slide.path(&["cSld", "spTree"]) {
        collect(tree, &mut all);
    }
    all
}

/// What each step brings, in words.
pub(crate) fn told(slide: &Node) -> Vec<Step> {
    let Some(steps) = of(slide) else { return vec![] };
    let shapes = shapes(slide);
    let says = |target: &Target| -> Option<String> {
        let shape = shapes.get(&target.shape)?;
        Some(match target.paragraph {
            None => all_words(shape),
            Some(at) => {
                let body = shape.child("txBody")?;
                paragraph(body.nodes().filter(|node| node.name == "p").nth(at)?)
            }
        })
    };
    let pairs = steps.hidden.windows(2);
    pairs
        .map(|pair| {
            let came = pair[0].difference(&pair[1]).filter_map(says).collect::<Vec<_>>();
            Step { says: came.join(" ").chars().take(400).collect() }
        })
        .collect()
}

/// The words of a shape, or what it is called and said to show.
fn all_words(shape: &Node) -> String {
    let mut words = Vec::new();
    shape.walk(&mut |node| {
        if node.name == "p" {
            words.push(paragraph(node));
        }
    });
    let said = words.join(" ");
    if !said.trim().is_empty() {
        return said;
    }
    let properties = shape.nodes().find(|child| child.name.starts_with("nv")).and_then(|node| node.child("cNvPr"));
    properties.and_then(|node| node.attr("descr").or(node.attr("title"))).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    /// A click with effects: class, kind of start, target.
    fn click(effects: &[(&str, &str, &str)]) -> String {
        let effect = |(class, kind, target): &(&str, &str, &str)| {
            format!(
                "<p:par><p:cTn presetClass=\"{class}\" nodeType=\"{kind}\"><p:childTnLst><p:set><p:cBhvr><p:tgtEl>{target}</p:tgtEl></p:cBhvr></p:set></p:childTnLst></p:cTn></p:par>"
            )
        };
        let all: String = effects.iter().map(effect).collect();
        format!("<p:par><p:cTn><p:childTnLst>{all}</p:childTnLst></p:cTn></p:par>")
    }

    fn slide(clicks: &[String]) -> Node {
        let clicks = clicks.concat();
        let timing = format!(
            "<p:sld><p:cSld><p:spTree>\
             <p:sp><p:nvSpPr><p:cNvPr id=\"3\"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>One</a:t></a:r></a:p><a:p><a:r><a:t>Two</a:t></a:r></a:p></p:txBody></p:sp>\
             <p:pic><p:nvPicPr><p:cNvPr id=\"5\" descr=\"A bee\"/></p:nvPicPr></p:pic></p:spTree></p:cSld>\
             <p:timing><p:tnLst><p:par><p:cTn nodeType=\"tmRoot\"><p:childTnLst><p:seq><p:cTn nodeType=\"mainSeq\"><p:childTnLst>{clicks}</p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing></p:sld>"
        );
        parse(timing.as_bytes()).expect("XML")
    }

    const PICTURE: &str = "<p:spTgt spid=\"5\"/>";

    fn paragraph(at: usize) -> String {
        format!("<p:spTgt spid=\"3\"><p:txEl><p:pRg st=\"{at}\" end=\"{at}\"/></p:txEl></p:spTgt>")
    }

    #[test]
    fn clicks_bring_paragraphs_and_pictures_and_take_them_away() {
        let (one, two) = (paragraph(0), paragraph(1));
        let found = slide(&[
            click(&[("entr", "clickEffect", &one)]),
            click(&[("emph", "clickEffect", &one)]),
            click(&[("entr", "clickEffect", &two), ("entr", "withEffect", PICTURE)]),
            click(&[("exit", "clickEffect", PICTURE)]),
        ]);
        let counts: Vec<usize> = of(&found).expect("steps").hidden.iter().map(BTreeSet::len).collect();
        assert_eq!(counts, [3, 2, 0, 1], "what is only emphasised is no step");
        let told: Vec<String> = told(&found).into_iter().map(|step| step.says).collect();
        assert_eq!(told, ["One", "Two A bee", ""]);
    }

    #[test]
    fn what_comes_by_itself_is_there_at_first() {
        let (one, two) = (paragraph(0), paragraph(1));
        let found = slide(&[click(&[("entr", "afterEffect", &one)]), click(&[("entr", "clickEffect", &two)])]);
        let counts: Vec<usize> = of(&found).expect("steps").hidden.iter().map(BTreeSet::len).collect();
        assert_eq!(counts, [1, 0]);
        assert_eq!(of(&slide(&[click(&[("entr", "withEffect", PICTURE)])])), None);
        assert_eq!(of(&slide(&[])), None);
    }
}
