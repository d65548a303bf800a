//! What a PDF says beside its pages: outline, sticky notes, and who has to draw each. Runs inside the sandbox.

use std::collections::BTreeMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Rect, String as PdfString};
use serde::{Deserialize, Serialize};

use super::outline::short;
use super::pdf_painter::needs_patience;

/// The words of a PDF, page by page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PdfWords {
    pub(crate) pages: Vec<PageWords>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PageWords {
    /// The first entry of the outline that leads here.
    pub(crate) title: Option<String>,
    pub(crate) notes: String,
    /// Whether nothing else is pinned to the page, so that their icons can be left out with all the rest.
    pub(crate) only_notes: bool,
    /// Whether the quicker painter would leave something of it out.
    pub(crate) needs_patience: bool,
}

/// Entries of an outline that are followed.
const MOST_ENTRIES: usize = 5000;
const DEEPEST: usize = 32;

pub(crate) fn read(data: Vec<u8>, most_pages: usize) -> Option<PdfWords> {
    let pdf = Pdf::new(data).ok()?;
    let root: Option<Dict<'_>> = pdf.xref().get(pdf.xref().root_id());
    let titles = root.as_ref().map(titles).unwrap_or_default();
    let pages = pdf.pages().iter().take(most_pages).map(|page| {
        let title = page.raw().obj_id().and_then(|id| titles.get(&id).cloned());
        let needs_patience = needs_patience(page);
        PageWords { title, notes: notes(page.raw()), only_notes: only_notes(page.raw()), needs_patience }
    });
    Some(PdfWords { pages: pages.collect() })
}

/// Sticky notes, from the top of the page to its bottom; answers to notes are left out.
fn notes(page: &Dict<'_>) -> String {
    let Some(annotations) = page.get::<Array<'_>>("Annots") else { return String::new() };
    let mut notes: Vec<(f64, String)> = Vec::new();
    for annotation in annotations.iter::<Dict<'_>>().take(MOST_ENTRIES) {
        let is_note = annotation.get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_ref() == b"Text");
        if !is_note || annotation.contains_key("IRT") {
            continue;
        }
        let Some(contents) = annotation.get::<PdfString<'_>>("Contents") else { continue };
        let text = decoded(contents.as_bytes()).replace("\r\n", "\n").replace('\r', "\n");
        let top = annotation.get::<Rect>("Rect").map_or(0.0, |rect| rect.y1.max(rect.y0));
        if !text.trim().is_empty() {
            notes.push((top, text.trim().to_owned()));
        }
    }
    notes.sort_by(|a, b| b.0.total_cmp(&a.0));
    notes.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n")
}

/// Notes, and the windows that they open in.
fn only_notes(page: &Dict<'_>) -> bool {
    let Some(annotations) = page.get::<Array<'_>>("Annots") else { return false };
    let mut kinds =
        annotations.iter::<Dict<'_>>().take(MOST_ENTRIES).map(|annotation| annotation.get::<Name<'_>>("Subtype"));
    kinds.all(|kind| kind.is_some_and(|kind| matches!(kind.as_ref(), b"Text" | b"Popup")))
}

fn titles(root: &Dict<'_>) -> BTreeMap<ObjectIdentifier, String> {
    let mut titles = BTreeMap::new();
    let Some(outlines) = root.get::<Dict<'_>>("Outlines") else { return titles };
    let names = Names::of(root);
    let mut waiting = Vec::from_iter(outlines.get::<Dict<'_>>("First"));
    for _ in 0..MOST_ENTRIES {
        let Some(entry) = waiting.pop() else { break };
        let title = entry.get::<PdfString<'_>>("Title").and_then(|title| short(&decoded(title.as_bytes())));
        if let (Some(title), Some(page)) = (title, names.page_of(&entry)) {
            titles.entry(page).or_insert(title);
        }
        // Children come before the next sibling.
        waiting.extend(entry.get::<Dict<'_>>("Next"));
        waiting.extend(entry.get::<Dict<'_>>("First"));
    }
    titles
}

/// Places that have names.
struct Names<'a> {
    old: Option<Dict<'a>>,
    named: BTreeMap<Vec<u8>, Object<'a>>,
}

impl<'a> Names<'a> {
    fn of(root: &Dict<'a>) -> Self {
        let mut named = BTreeMap::new();
        if let Some(tree) = root.get::<Dict<'a>>("Names").and_then(|names| names.get::<Dict<'a>>("Dests")) {
            collect(&tree, &mut named, 0);
        }
        Self { old: root.get("Dests"), named }
    }

    fn page_of(&self, entry: &Dict<'a>) -> Option<ObjectIdentifier> {
        let action = || entry.get::<Dict<'a>>("A")?.get::<Object<'a>>("D");
        self.page_at(entry.get::<Object<'a>>("Dest").or_else(action)?, 0)
    }

    fn page_at(&self, place: Object<'a>, depth: usize) -> Option<ObjectIdentifier> {
        if depth > 4 {
            return None;
        }
        match place {
            Object::Array(array) => match array.raw_iter().next()? {
                MaybeRef::Ref(page) => Some(page.into()),
                MaybeRef::NotRef(_) => None,
            },
            Object::Dict(dict) => self.page_at(dict.get::<Object<'a>>("D")?, depth + 1),
            Object::String(name) => self.page_at(self.named.get(name.as_bytes())?.clone(), depth + 1),
            Object::Name(name) => self.page_at(self.old.as_ref()?.get::<Object<'a>>(name.as_ref())?, depth + 1),
            _ => None,
        }
    }
}

fn collect<'a>(tree: &Dict<'a>, into: &mut BTreeMap<Vec<u8>, Object<'a>>, depth: usize) {
    if depth > DEEPEST || into.len() > MOST_ENTRIES * 4 {
        return;
    }
    if let Some(kids) = tree.get::<Array<'a>>("Kids") {
        kids.iter::<Dict<'a>>().take(MOST_ENTRIES).for_each(|kid| collect(&kid, into, depth + 1));
    }
    if let Some(names) = tree.get::<Array<'a>>("Names") {
        let mut items = names.iter::<Object<'a>>().take(MOST_ENTRIES * 4);
        while let (Some(name), Some(place)) = (items.next(), items.next()) {
            if let Object::String(name) = name {
                into.insert(name.as_bytes().to_vec(), place);
            }
        }
    }
}

/// UTF-16 or UTF-8 with their marks, else the PDF's own letters, which are Latin-1's but for a few.
fn decoded(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] | [0xef, 0xbb, 0xbf, ..] => crate::xml::decoded(bytes).unwrap_or_default(),
        _ => bytes.iter().map(|&byte| own_letter(byte)).collect(),
    }
}

fn own_letter(byte: u8) -> char {
    const HIGH: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł',
        'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
    ];
    match byte {
        0x80..=0xa0 => HIGH[usize::from(byte - 0x80)],
        byte => char::from(byte),
    }
}
