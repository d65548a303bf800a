//! What a film needs and can be made before it is asked for: its presenters, baked.

use compere_scene::Film;

use crate::{Progress, RenderError, Watcher, Workshop, presenters};

/// Nobody's film has more that would be missed; each takes seconds of all cores.
const MOST: usize = 6;

/// Bakes whoever presents in the film at its size, unless they were baked before. Given up between two of them when the
/// watcher says so. Returns how many the film shows.
pub fn bake_ahead(film: &Film, shop: &Workshop, watcher: &dyn Watcher) -> Result<usize, RenderError> {
    let mut wanted = presenters::seen(film.scenes.iter().flat_map(|scene| &scene.clips), film, shop);
    wanted.truncate(MOST);
    for (done, (avatar, want)) in wanted.iter().enumerate() {
        let far = Progress::Drawing { done: done as u64, of: wanted.len() as u64 };
        if watcher.see(far, 0.0).is_break() {
            return Err(RenderError::Cancelled);
        }
        shop.packs.shelve(avatar, want, shop).map_err(RenderError::machine)?;
    }
    Ok(wanted.len())
}
