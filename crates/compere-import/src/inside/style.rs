//! How the words of a shape look: what a run leaves out, its paragraph, shape, layout, master and presentation say, in
//! this order. Runs inside the sandbox.

use super::shape::placeholder;
use crate::xml::Node;

/// Where a slide's shapes inherit from.
#[derive(Debug, Default)]
pub(crate) struct Ancestors {
    pub(crate) layout: Option<Node>,
    pub(crate) master: Option<Node>,
    pub(crate) theme: Option<Node>,
    pub(crate) presentation: Option<Node>,
}

/// A shape with those it inherits from.
pub(crate) struct Lineage<'a> {
    ancestors: &'a Ancestors,
    /// Itself, then the placeholder of the layout, then that of the master.
    shapes: Vec<&'a Node>,
    /// The master's general style for such texts.
    general: Option<&'a Node>,
}

impl<'a> Lineage<'a> {
    pub(crate) fn of(shape: &'a Node, ph: Option<&'a Node>, ancestors: &'a Ancestors) -> Self {
        let mut shapes = vec![shape];
        let mut kind = "otherStyle";
        if let Some(ph) = ph {
            let of_layout = ancestors.layout.as_ref().and_then(|layout| fitting(layout, ph));
            let of_type = of_layout.and_then(placeholder).unwrap_or(ph).attr("type").unwrap_or("body");
            let of_master = ancestors.master.as_ref().and_then(|master| typed(master, general_type(of_type)));
            shapes.extend(of_layout);
            shapes.extend(of_master);
            kind = match general_type(of_type) {
                "title" => "titleStyle",
                "body" => "bodyStyle",
                _ => "otherStyle",
            };
        }
        let general = ancestors.master.as_ref().and_then(|master| master.path(&["txStyles", kind]));
        Self { ancestors, shapes, general }
    }

    /// Its own place, or that of the placeholder that it fills.
    pub(crate) fn place(&self) -> Option<&'a Node> {
        self.shapes.iter().find_map(|shape| shape.path(&["spPr", "xfrm"]))
    }

    /// A property of the body of the text: `wrap`, `lIns`, `anchor`.
    pub(crate) fn body(&self, name: &str) -> Option<&'a str> {
        self.shapes.iter().find_map(|shape| shape.path(&["txBody", "bodyPr"])?.attr(name))
    }

    pub(crate) fn body_has(&self, name: &str) -> bool {
        let bodies = self.shapes.iter().filter_map(|shape| shape.path(&["txBody", "bodyPr"]));
        bodies.into_iter().any(|body| body.child(name).is_some())
    }

    /// The shape that letters are bent into.
    pub(crate) fn body_warp(&self) -> Option<&'a str> {
        self.shapes.iter().find_map(|shape| shape.path(&["txBody", "bodyPr", "prstTxWarp"])?.attr("prst"))
    }

    /// What may say how a paragraph looks, the nearest first.
    pub(crate) fn paragraph(&self, paragraph: &'a Node) -> Looks<'a> {
        let own = paragraph.child("pPr");
        let level =
            own.and_then(|own| own.attr("lvl")).and_then(|level| level.parse::<usize>().ok()).unwrap_or(0).min(8);
        let name = format!("lvl{}pPr", level + 1);
        let mut chain: Vec<&Node> = own.into_iter().collect();
        let lists = self.shapes.iter().filter_map(|shape| shape.path(&["txBody", "lstStyle"]));
        let general = self.general.into_iter();
        let presentation = self.ancestors.presentation.as_ref().and_then(|tree| tree.child("defaultTextStyle"));
        chain.extend(lists.chain(general).chain(presentation).filter_map(|list| list.child(&name)));
        Looks { chain, own: own.is_some(), shape: self.shapes[0], theme: self.ancestors.theme.as_ref() }
    }
}

fn is_bullet(node: &Node) -> bool {
    matches!(&*node.name, "buNone" | "buChar" | "buAutoNum" | "buBlip")
}

fn general_type(kind: &str) -> &str {
    match kind {
        "title" | "ctrTitle" => "title",
        "body" | "subTitle" | "obj" => "body",
        other => other,
    }
}

fn shapes_of(tree: &Node) -> impl Iterator<Item = &Node> {
    tree.path(&["cSld", "spTree"]).into_iter().flat_map(Node::nodes).filter(|node| node.name == "sp")
}

fn fitting<'a>(layout: &'a Node, ph: &Node) -> Option<&'a Node> {
    let index = ph.attr("idx").unwrap_or("0");
    let kind = general_type(ph.attr("type").unwrap_or("body"));
    let by_index = shapes_of(layout).find(|shape| {
        placeholder(shape).is_some_and(|known| known.attr("idx").unwrap_or("0") == index && index != "0")
    });
    by_index.or_else(|| typed(layout, kind))
}

fn typed<'a>(tree: &'a Node, kind: &str) -> Option<&'a Node> {
    shapes_of(tree).find(|shape| {
        placeholder(shape).is_some_and(|known| general_type(known.attr("type").unwrap_or("body")) == kind)
    })
}

/// How a paragraph and its runs look.
pub(crate) struct Looks<'a> {
    chain: Vec<&'a Node>,
    /// Whether the first of the chain is the paragraph's own, whose `defRPr` nobody reads.
    own: bool,
    shape: &'a Node,
    theme: Option<&'a Node>,
}

impl<'a> Looks<'a> {
    pub(crate) fn of_paragraph(&self, name: &str) -> Option<&'a str> {
        self.chain.iter().find_map(|node| node.attr(name))
    }

    pub(crate) fn has_bullet(&self) -> bool {
        let said = self.chain.iter().find_map(|node| node.nodes().find(|child| is_bullet(child)));
        said.is_some_and(|found| found.name != "buNone")
    }

    fn of_runs(&self, run: Option<&'a Node>) -> impl Iterator<Item = &'a Node> {
        let general = self.chain.iter().skip(usize::from(self.own)).filter_map(|node| node.child("defRPr"));
        run.into_iter().chain(general.collect::<Vec<_>>())
    }

    pub(crate) fn of_run(&self, run: Option<&'a Node>, name: &str) -> Option<&'a str> {
        self.of_runs(run).find_map(|node| node.attr(name))
    }

    /// Points.
    pub(crate) fn size(&self, run: Option<&'a Node>) -> f64 {
        self.of_run(run, "sz").and_then(|size| size.parse::<f64>().ok()).map_or(18.0, |size| size / 100.0)
    }

    pub(crate) fn family(&self, run: Option<&'a Node>) -> String {
        let said = self.of_runs(run).find_map(|node| node.child("latin")?.attr("typeface"));
        let by_style = || match self.shape.path(&["style", "fontRef"])?.attr("idx")? {
            "major" => Some("+mj-lt"),
            _ => Some("+mn-lt"),
        };
        match said.or_else(by_style).unwrap_or("+mn-lt") {
            name if name.starts_with("+mj") => self.of_theme("majorFont"),
            name if name.starts_with('+') => self.of_theme("minorFont"),
            name => name.to_owned(),
        }
    }

    /// What says the colour, as it stands there; nothing where nobody does.
    pub(crate) fn colour(&self, run: Option<&'a Node>) -> String {
        let mut says = String::new();
        if let Some(fill) = self.of_runs(run).find_map(|node| node.child("solidFill")) {
            fill.walk(&mut |node| {
                let value = ["val", "lastClr"].iter().find_map(|name| node.attr(name)).unwrap_or_default();
                says += &format!("{}={value} ", node.name);
            });
        }
        says
    }

    fn of_theme(&self, kind: &str) -> String {
        let latin = self.theme.and_then(|theme| theme.path(&["themeElements", "fontScheme", kind, "latin"]));
        latin.and_then(|latin| latin.attr("typeface")).unwrap_or("Calibri").to_owned()
    }
}
