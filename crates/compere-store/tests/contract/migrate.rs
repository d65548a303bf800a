//! A whole installation in other stores.

use std::path::Path;

use bytes::Bytes;
use compere_store::{Copied, Household, Key, Objects, StoreError};

use crate::{Fresh, backup};

/// A folder and what lies in it, to be compared.
fn files(of: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut all, mut folders) = (Vec::new(), vec![of.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                all.push((
                    path.strip_prefix(of).expect("below").display().to_string(),
                    std::fs::read(path).expect("reads"),
                ));
            }
        }
    }
    all.sort();
    all
}

/// A film that goes in parts, a poster, and a picture with nothing in it.
async fn filled(objects: &Objects) {
    let film: Vec<u8> = (0..9_000_000u32).map(|n| (n % 251) as u8).collect();
    objects.put(&Key::Film("e1".to_owned(), compere_media::Format::Mp4), film.into()).await.expect("stores");
    objects.put(&Key::Poster("e1".to_owned()), Bytes::from_static(b"jpeg")).await.expect("stores");
    objects.put(&Key::Asset("a1".to_owned()), Bytes::new()).await.expect("stores");
}

async fn migrated(from: (&Fresh, &Objects), to: (&Fresh, &Objects)) -> Result<Copied, StoreError> {
    let room = tempfile::tempdir().expect("a folder");
    let (from, to) =
        (Household { records: &from.0.store, files: from.1 }, Household { records: &to.0.store, files: to.1 });
    compere_store::migrate(from, to, room.path()).await
}

/// `there` is of the kind that is tested, `here` and `back` are files of this machine.
pub async fn an_installation_moves_and_moves_back(here: Fresh, there: Fresh, back: Fresh) {
    let dir = tempfile::tempdir().expect("a folder");
    let at = |name: &str| Objects::folder(&dir.path().join(name)).expect("opens");
    moves_and_moves_back((here, at("here")), (there, at("there")), (back, at("back")), dir.path()).await;
}

pub async fn moves_and_moves_back(
    (here, mine): (Fresh, Objects),
    (there, theirs): (Fresh, Objects),
    (back, again): (Fresh, Objects),
    dir: &Path,
) {
    let nothing = migrated((&here, &mine), (&there, &theirs)).await;
    assert!(matches!(&nothing, Err(StoreError::Unavailable(why)) if why.contains("nothing to copy")), "{nothing:?}");
    backup::furnish(&here).await;
    filled(&mine).await;
    let before = (files(&dir.join("here")), backup::dumped(&here, &dir.join("before")).await);

    // Cut off after the poster came, and after a file that the source has deleted since.
    let service = here.store.hold("a service that runs").await.expect("nobody has it");
    let refused = migrated((&here, &mine), (&there, &theirs)).await;
    assert!(matches!(refused, Err(StoreError::Held(_))), "{refused:?}");
    drop(service);
    there.store.set_setting("copy_of", &first_account(&here).await).await.expect("stores");
    theirs.put(&Key::Poster("e1".to_owned()), Bytes::from_static(b"jpeg")).await.expect("stores");
    theirs.put(&Key::Vtt("e1".to_owned()), Bytes::from_static(b"gone since")).await.expect("stores");
    theirs.put(&Key::Asset("a1".to_owned()), Bytes::from_static(b"of that size, not")).await.expect("stores");

    let copied = migrated((&here, &mine), (&there, &theirs)).await.expect("copies");
    assert_eq!((copied.files, copied.there, copied.bytes), (3, 1, 9_000_004));
    assert_eq!(backup::dumped(&there, &dir.join("after")).await, before.1);
    let twice = migrated((&here, &mine), (&there, &theirs)).await;
    assert!(matches!(twice, Err(StoreError::Taken("a whole copy of this"))), "{twice:?}");

    let copied = migrated((&there, &theirs), (&back, &again)).await.expect("copies back");
    assert_eq!((copied.files, copied.there), (3, 0));
    assert_eq!(backup::dumped(&back, &dir.join("came-back")).await, before.1);
    assert_eq!(files(&dir.join("back")), before.0);
    assert_eq!(files(&dir.join("here")), before.0, "the source is as it was");
    assert_eq!(backup::dumped(&here, &dir.join("at-last")).await, before.1);
}

/// Somebody else's records or files are never written over.
pub async fn a_target_that_is_not_empty_is_refused(here: Fresh, there: Fresh) {
    let dir = tempfile::tempdir().expect("a folder");
    let at = |name: &str| Objects::folder(&dir.path().join(name)).expect("opens");
    let (mine, theirs) = (at("here"), at("there"));
    here.account("ada@example.com", "tiny").await;
    theirs.put(&Key::Asset("x".to_owned()), Bytes::from_static(b"theirs")).await.expect("stores");
    let refused = migrated((&here, &mine), (&there, &theirs)).await;
    assert!(matches!(refused, Err(StoreError::Taken("an object store with files"))), "{refused:?}");
    there.store.set_setting("copy_of", "somebody else").await.expect("stores");
    let refused = migrated((&here, &mine), (&there, &theirs)).await;
    assert!(matches!(refused, Err(StoreError::Taken("a copy of something else"))), "{refused:?}");
    there.account("bob@example.com", "tiny").await;
    let refused = migrated((&here, &mine), (&there, &theirs)).await;
    assert!(matches!(refused, Err(StoreError::Taken("a database with accounts"))), "{refused:?}");
    assert_eq!(files(&dir.path().join("there")), [("assets/x".to_owned(), b"theirs".to_vec())]);
}

async fn first_account(of: &Fresh) -> String {
    of.store.accounts().await.expect("reads")[0].id.clone()
}
