//! Who presents in a film, baked. Of several who make it one bakes; the others take it from the cache that they share.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use compere_avatar::Want;
use compere_scene::{Clip, ClipKind, Film};

use crate::act::Act;
use crate::together::{Company, Part, wait_for};
use crate::{RenderError, Workshop, stand};

/// A presenter as it will be asked for.
pub(crate) type Wanted = (String, Want);

/// Who is seen in some clips, each once.
pub(crate) fn seen<'c>(clips: impl IntoIterator<Item = &'c Clip>, film: &Film, shop: &Workshop) -> Vec<Wanted> {
    let mut all = Vec::new();
    for clip in clips.into_iter().filter(|clip| clip.opacity > 0.0) {
        let ClipKind::Avatar(avatar) = &clip.kind else { continue };
        let Some(measures) = shop.cast.get(&avatar.avatar).map(|presenter| presenter.measures_in(&avatar.outfit))
        else {
            continue;
        };
        let Some(standing) = stand::stand(&clip.place, avatar, measures, film) else { continue };
        let wanted = (avatar.avatar.clone(), standing.want);
        if !all.contains(&wanted) {
            all.push(wanted);
        }
    }
    all
}

/// Those whom several who make a film need, and one of them bakes.
pub(crate) struct Presenters<'a> {
    film: &'a Film,
    shop: &'a Workshop,
    company: Option<&'a dyn Company>,
    all: Vec<Wanted>,
    /// Numbers of those who are here. Held while one of us waits for others or bakes: it takes all cores anyway.
    here: Mutex<BTreeSet<usize>>,
}

impl<'a> Presenters<'a> {
    pub(crate) fn of(film: &'a Film, shop: &'a Workshop, company: Option<&'a dyn Company>) -> Self {
        let mut all = Vec::new();
        if company.is_some() {
            all = seen(film.scenes.iter().flat_map(|scene| &scene.clips), film, shop);
            all.retain(|(avatar, want)| shop.packs.is_for_others(avatar, want, shop));
        }
        Self { film, shop, company, all, here: Mutex::default() }
    }

    /// What there is to bake, as others know it.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Part> {
        (0..self.all.len()).map(Part::baked)
    }

    /// Sees to it that those are here whom a scene shows from frame `from` on: waits while somebody else bakes one, and
    /// bakes the others.
    pub(crate) fn bring(
        &self,
        act: &Act,
        from: u64,
        stay: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), RenderError> {
        let Some(company) = self.company.filter(|_| !self.all.is_empty()) else { return Ok(()) };
        for wanted in seen(act.clips_from(from), self.film, self.shop) {
            let Some(number) = self.all.iter().position(|one| *one == wanted) else { continue };
            let mut here = self.lock();
            if here.contains(&number) {
                continue;
            }
            if stay().is_break() {
                return Err(RenderError::Cancelled);
            }
            wait_for(company, Part::baked(number), stay)?;
            self.bake(company, number, &mut here);
        }
        Ok(())
    }

    /// Bakes one, for somebody who was told which.
    pub(crate) fn bake_one(&self, company: &dyn Company, presenter: u32) {
        self.bake(company, presenter as usize, &mut self.lock());
    }

    /// Whatever goes wrong is met again, and told, by whoever draws.
    fn bake(&self, company: &dyn Company, number: usize, here: &mut BTreeSet<usize>) {
        let Some((avatar, want)) = self.all.get(number) else { return };
        if self.shop.packs.get(avatar, want, self.shop).is_ok() {
            company.made(Part::baked(number));
        }
        here.insert(number);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<usize>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Presenters<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Presenters").field("all", &self.all).finish_non_exhaustive()
    }
}
