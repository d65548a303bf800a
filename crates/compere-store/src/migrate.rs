//! A whole installation in other stores, proved to be the same: SQLite and a folder become PostgreSQL and S3, and back.
//!
//! The target says whose copy it becomes before anything else is written there, so a copy that was cut off is told from
//! somebody's data, and goes on. Files come first: nobody finds them until records name them, and records appear at once.
//! Both sides are held meanwhile. The source is read only, but for the name of who holds it.

use std::path::Path;

use futures_util::{StreamExt, TryStreamExt};
use object_store::path::Path as ObjectPath;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, WriteMultipart};
use ring::digest::{Context, SHA256};
use sqlx::query;

use crate::backup::{COPY_OF, differing};
use crate::db::Tx;
use crate::error::StoreError;
use crate::objects::is_kept;
use crate::secrets::hex;
use crate::{Objects, Store};

/// Before the origin, where nothing is missing any more.
const WHOLE: &str = "whole ";
/// Files under way at once.
const LANES: usize = 8;
/// What is larger goes in parts, so that it is never in memory.
const LARGE: u64 = 8 << 20;

type Digest = [u8; 32];

/// What a copy took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    pub records: u64,
    pub files: u64,
    pub bytes: u64,
    /// Of the files, those that a copy which was cut off had brought.
    pub there: u64,
}

/// Records and files of one installation.
#[derive(Clone, Copy, Debug)]
pub struct Household<'a> {
    pub records: &'a Store,
    pub files: &'a Objects,
}

/// Copies everything into an empty target, or goes on with what was cut off there. `room` is a folder for the records on
/// their way.
pub async fn migrate(from: Household<'_>, to: Household<'_>, room: &Path) -> Result<Copied, StoreError> {
    let _ours = from.records.hold("compere migrate, from here").await?;
    let _theirs = to.records.hold("compere migrate, to here").await?;
    let origin = origin(from.records).await?;
    claim(to, &origin).await?;
    let copied = copy_files(from.files, to.files).await?;
    let records = copy_records(from.records, to.records, room, &origin).await?;
    Ok(Copied { records, ..copied })
}

/// What tells an installation from all others: its first account.
async fn origin(of: &Store) -> Result<String, StoreError> {
    let accounts = of.accounts().await?;
    let first = accounts.iter().min_by_key(|account| (account.created_at, account.id.as_str()));
    let nothing = || StoreError::Unavailable("there are no accounts, so there is nothing to copy".to_owned());
    first.map(|account| account.id.clone()).ok_or_else(nothing)
}

/// Makes sure that nobody's data is in the way.
async fn claim(to: Household<'_>, origin: &str) -> Result<(), StoreError> {
    let mark = to.records.setting(COPY_OF).await?;
    if !to.records.accounts().await?.is_empty() {
        let whole = mark.is_some_and(|mark| mark.strip_prefix(WHOLE) == Some(origin));
        return Err(StoreError::Taken(if whole { "a whole copy of this" } else { "a database with accounts" }));
    }
    match mark {
        Some(mark) if mark == origin => Ok(()),
        Some(_) => Err(StoreError::Taken("a copy of something else")),
        None if to.files.store.list(None).next().await.is_some() => {
            Err(StoreError::Taken("an object store with files"))
        }
        None => to.records.set_setting(COPY_OF, origin).await,
    }
}

/// Records of both sides are compared before anybody can see them.
async fn copy_records(from: &Store, to: &Store, room: &Path, origin: &str) -> Result<u64, StoreError> {
    let (sent, arrived) = (room.join("sent"), room.join("arrived"));
    let count = from.dump(&sent).await?;
    let mut tx = to.begin().await?;
    to.fill(&mut tx, &sent).await?;
    Store::write_out(&mut tx, &arrived).await?;
    if let Some(table) = differing(&sent, &arrived)? {
        return Err(StoreError::Damaged(format!("`{table}` is not the same in the target; nothing was kept there")));
    }
    mark_whole(&mut tx, origin).await?;
    tx.commit().await?;
    Ok(count)
}

async fn mark_whole(tx: &mut Tx, origin: &str) -> Result<(), StoreError> {
    let insert = query("INSERT INTO setting (name, value) VALUES ($1, $2)");
    insert.bind(COPY_OF).bind(format!("{WHOLE}{origin}")).execute(&mut **tx).await?;
    Ok(())
}

async fn copy_files(from: &Objects, to: &Objects) -> Result<Copied, StoreError> {
    let needed = |meta: &ObjectMeta| std::future::ready(!is_kept(&meta.location));
    let all = from.store.list(None).try_filter(needed).map_err(StoreError::from);
    let copies = all.map_ok(|meta| copy_file(from, to, meta)).try_buffer_unordered(LANES);
    let sum = |mut sum: Copied, (bytes, there): (u64, bool)| async move {
        sum.files += 1;
        sum.bytes += bytes;
        sum.there += u64::from(there);
        Ok(sum)
    };
    let copied = copies.try_fold(Copied::default(), sum).await?;
    // What the source deleted since a copy was cut off.
    let mut brought = to.store.list(None);
    while let Some(meta) = brought.next().await {
        let at = meta?.location;
        if size_of(from, &at).await?.is_none() {
            to.store.delete(&at).await?;
        }
    }
    Ok(copied)
}

/// Says how large it is, and whether it was there.
async fn copy_file(from: &Objects, to: &Objects, meta: ObjectMeta) -> Result<(u64, bool), StoreError> {
    let at = &meta.location;
    if size_of(to, at).await? == Some(meta.size) && digest_of(from, at).await? == digest_of(to, at).await? {
        return Ok((meta.size, true));
    }
    let sent = if meta.size > LARGE { send_in_parts(from, to, at).await? } else { send(from, to, at).await? };
    if digest_of(to, at).await? != sent {
        return Err(StoreError::Damaged(format!("`{at}` is not the same in the target")));
    }
    Ok((meta.size, false))
}

async fn send(from: &Objects, to: &Objects, at: &ObjectPath) -> Result<Digest, StoreError> {
    let bytes = from.store.get(at).await?.bytes().await?;
    let mut hash = Context::new(&SHA256);
    hash.update(&bytes);
    to.store.put(at, bytes.into()).await?;
    finish(hash)
}

async fn send_in_parts(from: &Objects, to: &Objects, at: &ObjectPath) -> Result<Digest, StoreError> {
    let mut bytes = from.store.get(at).await?.into_stream();
    let mut hash = Context::new(&SHA256);
    let mut upload = WriteMultipart::new(to.store.put_multipart(at).await?);
    while let Some(piece) = bytes.next().await {
        let sent = match piece {
            Ok(piece) => upload.wait_for_capacity(4).await.map(|()| {
                hash.update(&piece);
                upload.put(piece);
            }),
            Err(error) => Err(error),
        };
        if let Err(error) = sent {
            // Parts of an upload that was given up cost room until somebody says so.
            let _ = upload.abort().await;
            return Err(error.into());
        }
    }
    upload.finish().await?;
    finish(hash)
}

async fn digest_of(objects: &Objects, at: &ObjectPath) -> Result<Digest, StoreError> {
    let mut bytes = objects.store.get(at).await?.into_stream();
    let mut hash = Context::new(&SHA256);
    while let Some(piece) = bytes.next().await {
        hash.update(&piece?);
    }
    finish(hash)
}

fn finish(hash: Context) -> Result<Digest, StoreError> {
    let digest = hash.finish();
    digest.as_ref().try_into().map_err(|_| StoreError::Damaged(hex(digest.as_ref())))
}

async fn size_of(objects: &Objects, at: &ObjectPath) -> Result<Option<u64>, StoreError> {
    match objects.store.head(at).await {
        Ok(meta) => Ok(Some(meta.size)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
