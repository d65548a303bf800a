//! What goes when nobody needs it: files of replaced or deleted exports, speech of past days, orphans, old news.

use std::time::Duration;

use compere_store::{KEPT_SWEEP, Key, Objects, PresenterState, Store, StoreError};

use crate::Office;
use crate::files::STREAMED;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// Webhooks are kept as long as somebody may ask what became of one.
const NEWS: i64 = 60 * DAY;
/// The setting that says when somebody last looked at what nodes of a farm keep for each other.
const SWEPT: &str = "kept_swept_at";

impl Office {
    /// Tidies a minute after the start and then every hour, until the service stops.
    pub async fn keep_house(&self) {
        let (mut wait, mut stopping) = (Duration::from_secs(60), self.stopping.clone());
        loop {
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = stopping.wait_for(|stop| *stop) => return,
            }
            wait = Duration::from_secs(3600);
            match self.tidy().await {
                Ok(0) => {}
                Ok(removed) => tracing::info!(removed, "tidied up"),
                Err(error) => tracing::warn!(%error, "tidying up was not finished"),
            }
        }
    }

    /// One round. Says how many things are gone.
    pub async fn tidy(&self) -> Result<u64, StoreError> {
        let removed = tidy(&self.store, &self.objects, self.settings.keep_exports).await?;
        if !self.settings.shares() {
            return Ok(removed);
        }
        Ok(removed + old_work(&self.store, &self.objects, self.settings.shared_cache.bytes()).await?)
    }
}

/// One round. Says how many things are gone.
pub async fn tidy(store: &Store, objects: &Objects, keep_days: u32) -> Result<u64, StoreError> {
    let now = store.now();
    let mut removed = store.prune_deliveries(now - NEWS).await?;
    // Limits of the last minute are no news.
    store.forget_buckets().await?;
    store.forget_splits().await?;
    loop {
        let batch = store.sweepable_exports(now - i64::from(keep_days) * DAY, 100).await?;
        if batch.is_empty() {
            break;
        }
        for export in batch {
            objects.delete_owner("exports", &export).await?;
            store.mark_swept(&export).await?;
            removed += 1;
        }
    }
    removed += passing_assets(store, objects).await?;
    removed += needless_fonts(store, objects, now).await?;
    removed += old_streams(store, objects, now).await?;
    Ok(removed + orphans(store, objects, now).await?)
}

/// What nodes keep for each other, once an hour whoever does it.
async fn old_work(store: &Store, objects: &Objects, room: u64) -> Result<u64, StoreError> {
    let now = store.now();
    let swept: Option<i64> = store.setting(SWEPT).await?.and_then(|at| at.parse().ok());
    if swept.is_some_and(|swept| now - swept < KEPT_SWEEP.as_millis() as i64) {
        return Ok(0);
    }
    store.set_setting(SWEPT, &now.to_string()).await?;
    objects.sweep_kept(now, room).await
}

/// Files that were kept for a while only.
async fn passing_assets(store: &Store, objects: &Objects) -> Result<u64, StoreError> {
    let mut removed = 0;
    loop {
        let batch = store.expired_assets(100).await?;
        if batch.is_empty() {
            return Ok(removed);
        }
        for asset in batch {
            // The file first: without its row nobody would look for it before the orphans are.
            objects.delete(&Key::Asset(asset.id.clone())).await?;
            store.delete_asset(&asset.account, &asset.id).await?;
            removed += 1;
        }
    }
}

/// Fonts that were deleted, when all films are made that were to be written with them. What is drawn in passing, previews
/// and slides, is done within the hour.
async fn needless_fonts(store: &Store, objects: &Objects, now: i64) -> Result<u64, StoreError> {
    let mut removed = 0;
    loop {
        let batch = store.needless_fonts(now - HOUR, 100).await?;
        if batch.is_empty() {
            return Ok(removed);
        }
        for id in batch {
            objects.delete(&Key::Font(id.clone())).await?;
            store.forget_font(&id).await?;
            removed += 1;
        }
    }
}

/// What was watched while films were made that have long been there.
async fn old_streams(store: &Store, objects: &Objects, now: i64) -> Result<u64, StoreError> {
    let mut removed = 0;
    for id in objects.owners("exports").await? {
        // Those a day and more over time are gone, unless nobody tidied up for a week.
        let old = born(&id).is_some_and(|born| (now - 7 * DAY..now - STREAMED).contains(&born));
        if old && store.export(&id).await?.is_some_and(|export| export.state.is_over()) {
            removed += u64::from(objects.delete_stream(&id).await?);
        }
    }
    Ok(removed)
}

/// Files that no record names: an upload or import that was interrupted, an export whose end was never written down.
async fn orphans(store: &Store, objects: &Objects, now: i64) -> Result<u64, StoreError> {
    let mut removed = 0;
    for folder in ["exports", "projects", "presenters", "fonts", "assets"] {
        for id in objects.owners(folder).await? {
            // What is being written right now has no record yet. Ids carry their time.
            if born(&id).is_none_or(|born| born > now - DAY) {
                continue;
            }
            let known = match folder {
                "exports" => store.export(&id).await?.is_some_and(|export| export.swept_at.is_none()),
                "projects" => store.media_is_shown(&id).await?,
                "presenters" => {
                    store.any_presenter(&id).await?.is_some_and(|one| one.state != PresenterState::Withdrawn)
                }
                "fonts" => store.font_is_kept(&id).await?,
                _ => store.asset(&id).await?.is_some(),
            };
            if !known {
                objects.delete_owner(folder, &id).await?;
                removed += 1;
            }
        }
    }
    Ok(removed)
}

/// When an id of ours was made.
fn born(id: &str) -> Option<i64> {
    let seconds = i64::from_str_radix(id.get(..8)?, 16).ok()?;
    Some(seconds * 1000)
}
