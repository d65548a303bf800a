//! Who there is.

use std::path::Path;
use std::sync::Arc;

use crate::{Designer, Presenter, PresenterInfo, drawn, rig};

/// Somebody who knows presenters that come and go.
pub trait Guests: Send + Sync {
    /// By id alone: what they are called is their owner's business.
    fn find(&self, id: &str) -> Option<Arc<dyn Presenter>>;
}

/// All presenters.
pub struct Cast {
    infos: Vec<PresenterInfo>,
    members: Vec<Arc<dyn Presenter>>,
    guests: Option<Arc<dyn Guests>>,
    designer: Designer,
}

impl Cast {
    /// Presenters that need data look for it under `assets/avatars` when they are baked, not before: opening is
    /// instant and cannot fail.
    pub fn open(assets: &Path) -> Self {
        let designer = Designer::open(assets);
        let mut members: Vec<Arc<dyn Presenter>> = rig::presenters(&designer.shelf);
        members.extend(drawn::presenters());
        let infos = members.iter().map(|member| member.info().clone()).collect();
        Self { infos, members, guests: None, designer }
    }

    /// The same with others behind. Built-in presenters keep their names.
    #[must_use]
    pub fn with(mut self, others: Vec<Arc<dyn Presenter>>) -> Self {
        self.infos.extend(others.iter().map(|member| member.info().clone()));
        self.members.extend(others);
        self
    }

    /// The same where others are found who are in no list. Nobody of the cast is hidden by them.
    #[must_use]
    pub fn welcoming(self, guests: Arc<dyn Guests>) -> Self {
        Self { guests: Some(guests), ..self }
    }

    /// Who makes presenters of designs, with the data that the cast has read already.
    pub fn designer(&self) -> &Designer {
        &self.designer
    }

    pub fn list(&self) -> &[PresenterInfo] {
        &self.infos
    }

    /// By id, or by alias in any case.
    pub fn get(&self, id_or_alias: &str) -> Option<Arc<dyn Presenter>> {
        let member = self.members.iter().find(|member| member.info().answers_to(id_or_alias)).cloned();
        member.or_else(|| self.guests.as_ref()?.find(id_or_alias))
    }
}

impl std::fmt::Debug for Cast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.infos.iter().map(|info| &info.aliases)).finish()
    }
}
