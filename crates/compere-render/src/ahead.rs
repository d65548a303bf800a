//! What a film needs and can be made before it is asked for: its presenters, baked.

use compere_avatar::Want;
use compere_scene::{ClipKind, Film};

use crate::{Progress, RenderError, Watcher, Workshop, stand};

/// Nobody's film has more that would be missed; each takes seconds of all cores.
const MOST: usize = 6;

/// Bakes whoever presents in the film at its size, unless they were baked before. Given up between two of them when the
/// watcher says so. Returns how many the film shows.
pub fn bake_ahead(film: &Film, shop: &Workshop, watcher: &dyn Watcher) -> Result<usize, RenderError> {
    let wanted = presenters(film, shop);
    for (done, (avatar, want)) in wanted.iter().enumerate() {
        let far = Progress::Drawing { done: done as u64, of: wanted.len() as u64 };
        if watcher.see(far, 0.0).is_break() {
            return Err(RenderError::Cancelled);
        }
        shop.packs.shelve(avatar, want, shop).map_err(RenderError::machine)?;
    }
    Ok(wanted.len())
}

/// Who presents, as they will be asked for.
fn presenters(film: &Film, shop: &Workshop) -> Vec<(String, Want)> {
    let clips = film.scenes.iter().flat_map(|scene| &scene.clips);
    let mut all = Vec::new();
    for clip in clips {
        let ClipKind::Avatar(avatar) = &clip.kind else { continue };
        let Some(measures) = shop.cast.get(&avatar.avatar).map(|presenter| presenter.measures()) else { continue };
        let Some(standing) = stand::stand(&clip.place, avatar, measures, film) else { continue };
        let wanted = (avatar.avatar.clone(), standing.want);
        if all.len() < MOST && !all.contains(&wanted) {
            all.push(wanted);
        }
    }
    all
}
