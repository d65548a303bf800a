//! Somebody takes their consent back: the presenter goes with everything that was kept of its person.

use std::path::Path;

use compere_store::{Asset, Export, ExportState, Key, Objects, OwnPresenter, PresenterState, Store, WithdrawnBy};

use super::{form_of, tongue_of};
use crate::{Address, Member, Office, Refusal};

/// A presenter that is gone, as it was.
#[derive(Clone, Debug)]
pub struct Withdrawn {
    pub record: OwnPresenter,
    /// Exports that show it or let it speak; their films stay until somebody deletes them.
    pub films: Vec<Export>,
    /// The account's files that its takes were begun from.
    pub originals: Vec<Original>,
}

/// A file that takes were copies of.
#[derive(Clone, Debug)]
pub struct Original {
    pub asset: Asset,
    pub is_deleted: bool,
    /// What else was made with it, by name: for that it stays.
    pub used_by: Vec<String>,
}

impl Office {
    /// Takes one away: bank, takes, consent, and what was drawn of its person. Exports that are under way end. Files of the library
    /// that takes were begun from go too, unless they are to be kept or something else is made with them.
    pub async fn withdraw_presenter(
        &self,
        member: &Member,
        id: &str,
        keeps_originals: bool,
    ) -> Result<Withdrawn, Refusal> {
        let record = self.own_presenter(member, id).await?;
        if record.state == PresenterState::Withdrawn {
            return Err(Refusal::Missing { what: "presenter", named: Some(record.id) });
        }
        self.take_back(record, keeps_originals, WithdrawnBy::Account).await
    }

    async fn take_back(
        &self,
        record: OwnPresenter,
        keeps_originals: bool,
        by: WithdrawnBy,
    ) -> Result<Withdrawn, Refusal> {
        self.prompter.forget(&record.id);
        // Before what they are made of goes, or they would fail for it; and those that began meanwhile.
        self.end_films(&record.id).await?;
        let files = self.store.originals(&record.id).await?;
        clear(&self.store, &self.objects, &self.own, &self.home.cache(), &record.id, by).await?;
        self.end_films(&record.id).await?;
        let originals = without_originals(&self.store, &self.objects, files, keeps_originals).await?;
        Ok(Withdrawn { films: self.store.films_with(&record.id).await?, record, originals })
    }

    /// Ends the exports under way that show somebody.
    async fn end_films(&self, id: &str) -> Result<(), Refusal> {
        for export in self.store.films_with(id).await?.iter().filter(|export| !export.state.is_over()) {
            self.store.cancel_export(&export.id).await?;
            self.bell.cancel(&export.id);
        }
        Ok(())
    }

    /// Once more for one that was taken away, of which something was left.
    pub(crate) async fn clear_presenter(&self, id: &str) -> Result<(), Refusal> {
        // Who took it away is on record, and stays.
        clear(&self.store, &self.objects, &self.own, &self.home.cache(), id, WithdrawnBy::Account).await
    }
}

/// What a person is told of the presenter that shows them. No titles, files or addresses of the account: somebody may have found
/// the link.
#[derive(Clone, Debug)]
pub struct Shown {
    pub record: OwnPresenter,
    /// Whom it shows in other clothes: the code takes those away and nothing else.
    pub worn_by: Option<OwnPresenter>,
    /// What was filmed besides, and goes along.
    pub outfits: Vec<OwnPresenter>,
    /// What its person was given to read.
    pub consent: Option<compere_own::Form>,
    /// In which language.
    pub tongue: &'static str,
    /// What the account is called: whom to ask for films.
    pub account: String,
    pub films: Made,
}

/// Films that show somebody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    pub count: usize,
    /// When the first and the last of them were asked for.
    pub between: Option<(i64, i64)>,
    /// Those that are being made, and end with the presenter.
    pub under_way: usize,
}

impl Made {
    fn of(exports: &[Export]) -> Self {
        let made: Vec<i64> =
            exports.iter().filter(|one| one.state == ExportState::Exported).map(|one| one.created_at).collect();
        let between = made.iter().min().zip(made.iter().max()).map(|(first, last)| (*first, *last));
        let under_way = exports.iter().filter(|one| !one.state.is_over()).count();
        Self { count: made.len(), between, under_way }
    }
}

/// The person who is shown, who needs no account.
impl Office {
    /// Whom a code is about. One that nobody was given, that another one took the place of, or that was used is none.
    pub async fn shown_by(&self, address: Address, code: &str) -> Result<Shown, Refusal> {
        let record = self.of_code(address, code).await?;
        let account = self.store.account(&record.account).await?.map(|account| account.name).unwrap_or_default();
        Ok(Shown {
            worn_by: self.wearer_of(&record).await?,
            outfits: self.store.outfits_of(&record.id).await?,
            consent: form_of(&record),
            tongue: tongue_of(&record).tag,
            films: Made::of(&self.store.films_with(&record.id).await?),
            account,
            record,
        })
    }

    /// Takes a presenter away because whoever is shown says so. The code is used up; where others were first it is not, and the
    /// answer says who they were.
    pub async fn withdraw_by_code(&self, address: Address, code: &str) -> Result<Shown, Refusal> {
        let shown = self.shown_by(address, code).await?;
        // What somebody began to take away and could not end is ended.
        let is_theirs = |one: &OwnPresenter| one.withdrawn_by == Some(WithdrawnBy::Person);
        if shown.record.state != PresenterState::Withdrawn || is_theirs(&shown.record) {
            self.take_back(shown.record.clone(), false, WithdrawnBy::Person).await?;
            self.store.spend_code(&shown.record.id).await?;
            tracing::info!(presenter = shown.record.id, "whoever is shown took the presenter away");
        }
        let films = Made::of(&self.store.films_with(&shown.record.id).await?);
        let record = self.store.any_presenter(&shown.record.id).await?.unwrap_or(shown.record);
        Ok(Shown { record, films, ..shown })
    }

    /// The right code is let in, whoever guesses at others from the same address.
    async fn of_code(&self, address: Address, code: &str) -> Result<OwnPresenter, Refusal> {
        if let Some(found) = self.store.presenter_of_code(code).await? {
            return Ok(found);
        }
        self.register.wrong_code(address).await?;
        Err(Refusal::missing("withdrawal"))
    }

    /// Those of the account whose persons took them away themselves, the last one first.
    pub async fn presenters_taken_back(&self, member: &Member) -> Result<Vec<OwnPresenter>, Refusal> {
        Ok(self.store.presenters_taken_back(&member.account.id).await?)
    }

    /// Where somebody withdraws who was given a code.
    pub(super) fn withdrawal_link(&self, code: &str) -> String {
        format!("{}/withdraw/{code}", self.settings.base_url())
    }
}

/// The record first: from then on nobody is shown it, and what is left of the presenter itself is swept at the next start.
pub(super) async fn clear(
    store: &Store,
    objects: &Objects,
    own: &compere_own::Store,
    cache: &Path,
    id: &str,
    by: WithdrawnBy,
) -> Result<(), Refusal> {
    let found = store.any_presenter(id).await?;
    // Whoever is gone is gone in all clothes.
    let mut all: Vec<String> = store.outfits_of(id).await?.into_iter().map(|outfit| outfit.id).collect();
    all.push(id.to_owned());
    for one in &all {
        store.withdraw_presenter(one, by).await?;
    }
    // Pieces that show an outfit bear its wearer's name.
    let drawn = found.and_then(|one| one.outfit_of).unwrap_or_else(|| id.to_owned());
    let (own, cache, gone, noted) = (own.clone(), cache.to_owned(), id.to_owned(), all.clone());
    let cleared = tokio::task::spawn_blocking(move || {
        own.remove_all(&gone).map_err(|error| error.to_string())?;
        note_gone(&cache, &noted).and_then(|()| forget_pieces(&cache, &drawn)).map_err(|error| error.to_string())
    });
    cleared.await.map_err(Refusal::inside)?.map_err(Refusal::Inside)?;
    for one in &all {
        objects.delete_owner("presenters", one).await?;
    }
    Ok(())
}

/// Deletes files that takes of somebody who is gone were begun from, but for those that something else is made with.
pub(super) async fn without_originals(
    store: &Store,
    objects: &Objects,
    files: Vec<Asset>,
    keeps: bool,
) -> Result<Vec<Original>, Refusal> {
    let mut originals = Vec::new();
    for asset in files {
        let used_by = store.uses_of_asset(&asset.account, &asset.id).await?;
        let is_deleted = !keeps && used_by.is_empty();
        if is_deleted {
            // Somebody may have deleted it meanwhile.
            store.delete_asset(&asset.account, &asset.id).await?;
            objects.delete(&Key::Asset(asset.id.clone())).await?;
        }
        originals.push(Original { asset, is_deleted, used_by });
    }
    Ok(originals)
}

/// Where a cache looks before it keeps what shows somebody.
const GONE: &str = "gone";

/// Whoever is drawing them now finds the note, and keeps nothing. Who stays, and only takes off an outfit, is none of them:
/// what is drawn of that in this moment goes with the next thing that is taken back.
fn note_gone(cache: &Path, people: &[String]) -> std::io::Result<()> {
    std::fs::create_dir_all(cache.join(GONE))?;
    people.iter().try_for_each(|id| std::fs::write(cache.join(GONE).join(id), ""))
}

/// What was drawn of somebody says so in its name.
fn forget_pieces(cache: &Path, id: &str) -> std::io::Result<()> {
    for shelf in ["segment", "pack", "web"] {
        let Ok(entries) = std::fs::read_dir(cache.join(shelf)) else { continue };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            if name.to_string_lossy().split('.').skip(1).any(|mark| mark == id) {
                match std::fs::remove_file(entry.path()) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// When a service starts nobody draws any more what a former one began, and who was restored from a backup is kept again.
pub(super) fn forget_notes(cache: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(cache.join(GONE)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_drawn_of_somebody_goes_and_nothing_else() {
        let cache = tempfile::tempdir().expect("a folder");
        let files = ["segment/ab", "segment/cd.one", "segment/ef.one.two", "pack/gh.two", "web/ij.one"];
        for file in files {
            let file = cache.path().join(file);
            std::fs::create_dir_all(file.parent().expect("a shelf")).expect("a folder");
            std::fs::write(file, "x").expect("writes");
        }
        forget_pieces(cache.path(), "one").expect("forgets");
        let left: Vec<&str> = files.into_iter().filter(|file| cache.path().join(file).exists()).collect();
        assert_eq!(left, ["segment/ab", "pack/gh.two"]);
        let noted = || cache.path().join("gone/one").exists();
        assert!(!noted(), "who only takes off an outfit is drawn again");
        note_gone(cache.path(), &["one".to_owned()]).expect("notes");
        assert!(noted());
        forget_notes(cache.path()).expect("forgets");
        forget_notes(cache.path()).expect("nothing to forget");
        assert!(!noted());
    }
}
