//! The fonts that a film brings along, and which of its scenes are written with them.
//!
//! A scene has only those that its texts ask for: what others are written with changes nothing in it, and its pieces in the
//! cache stay.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use compere_compose::draw::{Fonts, OwnFont, asks_for};
use compere_scene::{Film, Scene};

use crate::{Key, RenderError, Workshop};

#[derive(Debug, Default)]
pub(crate) struct Typecase {
    /// In the order of the document, each with the hash of its file.
    own: Vec<(OwnFont, Key)>,
    /// The fonts of scenes that ask for the same.
    sets: Mutex<BTreeMap<Vec<usize>, Arc<Fonts>>>,
}

impl Typecase {
    /// Those of a film whose files were fetched: where each lies, and the hash of it.
    pub(crate) fn open<'l>(
        film: &Film,
        fetched: impl Fn(usize) -> Option<(&'l Path, &'l Key)>,
    ) -> Result<Self, RenderError> {
        let mut own = Vec::new();
        for (at, font) in film.fonts.iter().enumerate() {
            let Some((path, id)) = fetched(at) else { continue };
            let bytes = std::fs::read(path);
            let bytes = bytes.map_err(|error| RenderError::machine(format!("{}: {error}", path.display())))?;
            own.push((OwnFont { family: font.family.clone(), bytes: Arc::new(bytes) }, id.clone()));
        }
        Ok(Self { own, sets: Mutex::default() })
    }

    fn asked_for_by(&self, scene: &Scene) -> Vec<usize> {
        let asked = |font: &OwnFont| scene.families().any(|wish| asks_for(wish, &font.family));
        (0..self.own.len()).filter(|at| asked(&self.own[*at].0)).collect()
    }

    /// What a scene is written with; none where the machine's fonts are all that it asks for.
    pub(crate) fn of(&self, scene: &Scene, shop: &Workshop) -> Option<Arc<Fonts>> {
        let asked = self.asked_for_by(scene);
        if asked.is_empty() {
            return None;
        }
        let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        let set = sets.entry(asked).or_insert_with_key(|asked| {
            let own: Vec<OwnFont> = asked.iter().map(|at| self.own[*at].0.clone()).collect();
            Arc::new(shop.fonts.with(&own))
        });
        Some(Arc::clone(set))
    }

    /// Which they are, as far as its pictures depend on it.
    pub(crate) fn marks(&self, scene: &Scene) -> Vec<String> {
        let mark = |at: usize| format!("{} {}", self.own[at].0.family, self.own[at].1.as_str());
        self.asked_for_by(scene).into_iter().map(mark).collect()
    }
}
