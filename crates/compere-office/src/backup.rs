//! All records and files in a folder, and back; or in other stores.

use std::path::Path;

use compere_house::home::Home;
use compere_house::settings::Settings;
use compere_store::{Copied, Household, Objects};

use crate::Refusal;

/// Writes records, then files, into a folder: a file that a record names is there, unless it was deleted meanwhile. Says
/// how many of each.
pub async fn back_up(home: &Home, settings: &Settings, to: &Path) -> Result<(u64, u64), Refusal> {
    let (store, objects) = opened(home, settings).await?;
    let records = store.dump(&to.join("records")).await?;
    let files = objects.copy_to(&to.join("objects")).await?;
    store.close().await;
    Ok((records, files))
}

/// Reads what [`back_up`] wrote into an installation that is empty.
pub async fn restore(home: &Home, settings: &Settings, from: &Path) -> Result<(u64, u64), Refusal> {
    let (store, objects) = opened(home, settings).await?;
    // Files first: they are found by nobody until the records name them.
    let files = put_all(&objects, &from.join("objects")).await?;
    let records = store.restore(&from.join("records")).await?;
    store.close().await;
    Ok((records, files))
}

/// Copies everything into the stores that other settings name, and proves it. What was cut off there goes on.
pub async fn migrate(home: &Home, settings: &Settings, to: &Settings) -> Result<Copied, Refusal> {
    let room = home.data.join(format!("migrate-{}", std::process::id()));
    let (records, files) = opened(home, settings).await?;
    let (new_records, new_files) = opened(home, to).await?;
    let (from, into) =
        (Household { records: &records, files: &files }, Household { records: &new_records, files: &new_files });
    let copied = compere_store::migrate(from, into, &room).await;
    // Records on their way are nobody's business afterwards; a folder that was never made is gone as well.
    let _ = std::fs::remove_dir_all(&room);
    records.close().await;
    new_records.close().await;
    Ok(copied?)
}

async fn opened(home: &Home, settings: &Settings) -> Result<(compere_store::Store, Objects), Refusal> {
    let store = settings.open_store(&home.data).await.map_err(Refusal::Inside)?;
    Ok((store, settings.open_objects(&home.data).map_err(Refusal::Inside)?))
}

async fn put_all(objects: &Objects, from: &Path) -> Result<u64, Refusal> {
    let (mut count, mut folders) = (0, vec![from.to_owned()]);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.map_err(Refusal::inside)?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(from).map_err(Refusal::inside)?.to_string_lossy().into_owned();
            objects.put_back(&name, &path).await?;
            count += 1;
        }
    }
    Ok(count)
}
