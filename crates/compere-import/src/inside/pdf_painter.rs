//! Which pages of a PDF the quicker of poppler's two painters leaves something out of. Runs inside the sandbox.
//!
//! Found by drawing made pages of everything that the format has with both, and with a third renderer as judge
//! (docs/slides.md): by way of cairo shadings of a function and meshes are opaque whatever they should be, radial ones that shrink
//! beside their first circle are nearly nothing, and letters with colours of their own have one. Only pages that have such a thing
//! are drawn by the slower painter.
//!
//! That draws the pieces of half-clear meshes over each other by a pixel, a faint grid. Under a soft mask cairo has them right, so
//! pages with soft masks stay with cairo for meshes' sake.

use std::collections::BTreeSet;

use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::{Page, Resources};

/// Objects of a page that are looked at, and how deep forms lie in forms.
const MOST: usize = 300;
const DEEPEST: usize = 6;
/// Drawings of letters of one font that are looked at, and the bytes of one.
const MOST_LETTERS: usize = 8;
const LARGEST_LETTER: usize = 4096;

/// Whether the slower painter has to draw the page.
pub(crate) fn needs_patience(page: &Page<'_>) -> bool {
    let mut search = Search { seen: BTreeSet::new(), left: MOST, found: Found::default() };
    search.resources(page.resources(), 0);
    let Found { clear, masked, of_a_function, mesh, shrinks, coloured } = search.found;
    (clear && (of_a_function || (mesh && !masked))) || shrinks || coloured
}

/// What a page has of it.
#[derive(Default)]
struct Found {
    /// Something is drawn that what lies under it is seen through.
    clear: bool,
    /// How much of it is seen is drawn, too.
    masked: bool,
    of_a_function: bool,
    /// A shading of triangles or patches.
    mesh: bool,
    /// A radial shading whose first circle is the larger one, and not around the other.
    shrinks: bool,
    /// Letters that are drawn in colours of their own.
    coloured: bool,
}

struct Search {
    seen: BTreeSet<ObjectIdentifier>,
    left: usize,
    found: Found,
}

impl Search {
    fn resources(&mut self, resources: &Resources<'_>, depth: usize) {
        for state in self.entries(&resources.ext_g_states) {
            let Object::Dict(state) = state else { continue };
            let clear = |key: &str| state.get::<f32>(key).is_some_and(|opacity| opacity < 1.0);
            self.found.clear |= clear("ca") || clear("CA");
            self.found.masked |= state.get::<Dict<'_>>("SMask").is_some();
        }
        for shading in self.entries(&resources.shadings) {
            self.shading(&shading);
        }
        for pattern in self.entries(&resources.patterns) {
            match pattern {
                Object::Dict(pattern) => {
                    if let Some(shading) = pattern.get::<Object<'_>>("Shading") {
                        self.shading(&shading);
                    }
                }
                Object::Stream(pattern) => self.form(&pattern, depth),
                _ => (),
            }
        }
        for font in self.entries(&resources.fonts) {
            if let Object::Dict(font) = font {
                self.found.coloured |= is_coloured(&font);
            }
        }
        for form in self.entries(&resources.x_objects) {
            if let Object::Stream(form) = form {
                self.form(&form, depth);
            }
        }
    }

    fn form(&mut self, form: &Stream<'_>, depth: usize) {
        if depth < DEEPEST
            && let Some(resources) = form.dict().get::<Dict<'_>>("Resources")
        {
            self.resources(&Resources::new(resources), depth + 1);
        }
    }

    /// What was not looked at before.
    fn entries<'a>(&mut self, dict: &Dict<'a>) -> Vec<Object<'a>> {
        let mut entries = Vec::new();
        for key in dict.keys() {
            let known = dict.get_ref(key.as_ref()).is_some_and(|object| !self.seen.insert(object.into()));
            if self.left == 0 || known {
                continue;
            }
            self.left -= 1;
            entries.extend(dict.get::<Object<'a>>(key.as_ref()));
        }
        entries
    }

    fn shading(&mut self, shading: &Object<'_>) {
        let shading = match shading {
            Object::Dict(shading) => shading,
            Object::Stream(shading) => shading.dict(),
            _ => return,
        };
        match shading.get::<i32>("ShadingType") {
            Some(1) => self.found.of_a_function = true,
            Some(4..=7) => self.found.mesh = true,
            Some(3) => {
                self.found.shrinks |= shading.get::<Array<'_>>("Coords").is_some_and(|circles| shrinks(&circles));
            }
            _ => (),
        }
    }
}

fn shrinks(circles: &Array<'_>) -> bool {
    let circles: Vec<f32> = circles.iter::<f32>().take(7).collect();
    let [x0, y0, r0, x1, y1, r1] = circles[..] else { return false };
    let (across, down) = (x1 - x0, y1 - y0);
    // Squares, because what is measured is the platform's no business.
    let apart = across * across + down * down;
    r0 > r1 && apart > (r0 - r1) * (r0 - r1)
}

/// A letter's drawing says at its start whether it has colours: `1000 0 d0`.
fn is_coloured(font: &Dict<'_>) -> bool {
    let drawn = font.get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_ref() == b"Type3");
    let Some(letters) = font.get::<Dict<'_>>("CharProcs").filter(|_| drawn) else { return false };
    let coloured = |letter: Stream<'_>| {
        letter.raw_data().len() <= LARGEST_LETTER
            && letter.decoded().is_ok_and(|drawing| {
                drawing.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(2) == Some(b"d0")
            })
    };
    letters.keys().take(MOST_LETTERS).filter_map(|key| letters.get::<Stream<'_>>(key.as_ref())).any(coloured)
}
