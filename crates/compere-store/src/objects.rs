//! Films and files, in a folder or in S3.
//!
//! Keys are an enum: nothing that a user wrote becomes part of a path. An object appears whole or not at all.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use compere_media::Format;
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::signer::Signer;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt, WriteMultipart};
use tokio::io::AsyncReadExt;

use crate::ended::Product;
use crate::error::StoreError;
use crate::streamed::Streamed;

/// How names of files begin that are watched while a film is made.
const STREAM: &str = "stream-";
/// The folder of what machines made for each other.
pub(crate) const KEPT: &str = "cache";

/// What an object is. Ids and names are ours: letters, digits, `_` and `-` only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// The file that an export made: `exports/{id}/film.mp4`.
    Film(String, Format),
    Poster(String),
    Vtt(String),
    Srt(String),
    Chapters(String),
    /// A file of the film while it is made: `exports/{id}/stream-video-3.m4s`.
    Stream(String, Streamed),
    /// An uploaded file.
    Asset(String),
    /// A font, as it was found clean.
    Font(String),
    /// The document that a project was imported from.
    Source(String),
    /// A slide's picture: project, number, extension.
    Slide(String, u32, String),
    /// A slide's thumbnail.
    Thumbnail(String, u32),
    /// A take of a presenter's footage: presenter, name.
    Take(String, String),
    /// What a machine made and others may need, by a hash of what it was made from.
    Kept(String),
}

impl Key {
    /// Where it lies.
    pub fn path(&self) -> String {
        match self {
            Self::Film(export, format) => format!("exports/{export}/{}.{format}", Product::Film.called()),
            Self::Poster(export) => format!("exports/{export}/{}", Product::Poster.called()),
            Self::Vtt(export) => format!("exports/{export}/{}", Product::Vtt.called()),
            Self::Srt(export) => format!("exports/{export}/{}", Product::Srt.called()),
            Self::Chapters(export) => format!("exports/{export}/{}", Product::Chapters.called()),
            Self::Stream(export, file) => format!("exports/{export}/{STREAM}{}", file.called()),
            Self::Asset(id) => format!("assets/{id}"),
            Self::Font(id) => format!("fonts/{id}"),
            Self::Source(project) => format!("projects/{project}/source"),
            Self::Slide(project, number, extension) => format!("projects/{project}/slide-{number}.{extension}"),
            Self::Thumbnail(project, number) => format!("projects/{project}/thumb-{number}.jpg"),
            Self::Take(presenter, name) => format!("presenters/{presenter}/{name}"),
            Self::Kept(name) => format!("{KEPT}/{name}"),
        }
    }

    pub(crate) fn at(&self) -> ObjectPath {
        ObjectPath::from(self.path())
    }

    /// A file of an export.
    pub fn of(product: Product, export: &str, format: Format) -> Self {
        let export = export.to_owned();
        match product {
            Product::Film => Self::Film(export, format),
            Product::Poster => Self::Poster(export),
            Product::Vtt => Self::Vtt(export),
            Product::Srt => Self::Srt(export),
            Product::Chapters => Self::Chapters(export),
        }
    }
}

/// An object that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    pub size: u64,
    /// Milliseconds since 1970.
    pub modified: i64,
}

impl Stored {
    fn of(meta: &ObjectMeta) -> Self {
        Self { size: meta.size, modified: meta.last_modified.timestamp_millis() }
    }
}

#[derive(Debug, Clone)]
pub struct Objects {
    pub(crate) store: Arc<dyn ObjectStore>,
    /// Signs links, where the store can.
    signer: Option<Arc<dyn Signer>>,
    folder: Option<PathBuf>,
}

impl Objects {
    /// A folder, made if missing.
    pub fn folder(dir: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(dir)?;
        let store = LocalFileSystem::new_with_prefix(dir)?.with_fsync(true);
        Ok(Self { store: Arc::new(store), signer: None, folder: Some(dir.canonicalize()?) })
    }

    /// `s3://bucket/prefix`; credentials and endpoint from the usual `AWS_…` variables.
    pub fn s3(url: &str) -> Result<Self, StoreError> {
        let plain = std::env::var("AWS_ENDPOINT_URL").is_ok_and(|endpoint| endpoint.starts_with("http://"));
        let (bucket, prefix) =
            url.trim_start_matches("s3://").split_once('/').unwrap_or((url.trim_start_matches("s3://"), ""));
        // Whoever came first may have chosen one; they all speak TLS.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let store = AmazonS3Builder::from_env().with_bucket_name(bucket).with_allow_http(plain).build()?;
        let store = Arc::new(store);
        if !prefix.is_empty() {
            // Signed links would miss the prefix; a bucket of its own is the better advice anyway.
            return Err(StoreError::Damaged(format!("`{url}`: give the bucket alone, as s3://{bucket}")));
        }
        Ok(Self { store: store.clone(), signer: Some(store), folder: None })
    }

    /// Whether the store answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        match self.head(&Key::Asset("ping".to_owned())).await {
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The file itself, where there is one on this machine.
    pub fn local(&self, key: &Key) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(key.path()))
    }

    pub async fn put(&self, key: &Key, bytes: Bytes) -> Result<(), StoreError> {
        self.store.put(&key.at(), bytes.into()).await?;
        Ok(())
    }

    /// Moves a file of this machine into the store. It is gone from where it was.
    pub async fn put_file(&self, key: &Key, file: &Path) -> Result<(), StoreError> {
        if let Some(to) = self.local(key) {
            let from = file.to_owned();
            return tokio::task::spawn_blocking(move || adopt(&from, &to))
                .await
                .map_err(|error| StoreError::Unavailable(error.to_string()))?
                .map_err(StoreError::from);
        }
        self.upload(&key.at(), file).await?;
        tokio::fs::remove_file(file).await?;
        Ok(())
    }

    /// Puts a file back where [`Objects::copy_to`] found it. The file stays.
    pub async fn put_back(&self, name: &str, file: &Path) -> Result<(), StoreError> {
        let at = ObjectPath::parse(name).map_err(|error| StoreError::Damaged(error.to_string()))?;
        self.upload(&at, file).await
    }

    async fn upload(&self, at: &ObjectPath, file: &Path) -> Result<(), StoreError> {
        let mut source = tokio::fs::File::open(file).await?;
        let mut upload = WriteMultipart::new(self.store.put_multipart(at).await?);
        if let Err(error) = pour(&mut source, &mut upload).await {
            // Parts of an upload that was given up cost room until somebody says so.
            let _ = upload.abort().await;
            return Err(error);
        }
        upload.finish().await?;
        Ok(())
    }

    pub async fn head(&self, key: &Key) -> Result<Option<Stored>, StoreError> {
        match self.store.head(&key.at()).await {
            Ok(meta) => Ok(Some(Stored::of(&meta))),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// An object piece by piece as it comes: never more than one of them is in memory. False when there is none.
    pub async fn fetch(
        &self,
        key: &Key,
        take: impl FnMut(&[u8]) -> std::io::Result<()> + Send,
    ) -> Result<bool, StoreError> {
        self.fetch_from(&key.at(), take).await
    }

    async fn fetch_from(
        &self,
        at: &ObjectPath,
        mut take: impl FnMut(&[u8]) -> std::io::Result<()> + Send,
    ) -> Result<bool, StoreError> {
        let mut bytes = match self.store.get(at).await {
            Ok(found) => found.into_stream(),
            Err(object_store::Error::NotFound { .. }) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        while let Some(part) = bytes.next().await {
            take(&part?)?;
        }
        Ok(true)
    }

    /// A part of an object as it comes. None when it is no longer the one that was `seen`: who has told of its size would
    /// promise more or less than comes.
    pub async fn stream(
        &self,
        key: &Key,
        seen: Stored,
        range: Range<u64>,
    ) -> Result<
        Option<impl futures_util::Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static + use<>>,
        StoreError,
    > {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        match self.store.get_opts(&key.at(), options).await {
            Ok(found) if Stored::of(&found.meta) == seen => {
                Ok(Some(found.into_stream().map_err(std::io::Error::other)))
            }
            Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether it was there does not matter.
    pub async fn delete(&self, key: &Key) -> Result<(), StoreError> {
        match self.store.delete(&key.at()).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// A link that works without us, where the store gives such. The second names the file for the browser.
    pub async fn presigned(&self, key: &Key, valid: Duration) -> Result<Option<String>, StoreError> {
        let Some(signer) = &self.signer else { return Ok(None) };
        let url = signer
            .signed_url("GET".parse().map_err(|_| StoreError::Damaged("GET".to_owned()))?, &key.at(), valid)
            .await?;
        Ok(Some(url.to_string()))
    }

    /// Names of everything under `exports/`, `projects/`, `presenters/` or `assets/`: the id that each belongs to.
    pub async fn owners(&self, folder: &'static str) -> Result<Vec<String>, StoreError> {
        let prefix = ObjectPath::from(folder);
        let found = self.store.list_with_delimiter(Some(&prefix)).await?;
        let mut names: Vec<String> =
            found.common_prefixes.iter().filter_map(|path| path.filename().map(str::to_owned)).collect();
        names.extend(found.objects.iter().filter_map(|meta| meta.location.filename().map(str::to_owned)));
        Ok(names)
    }

    /// Removes everything under `exports/{id}` and the like, and an object of that very name.
    pub async fn delete_owner(&self, folder: &'static str, id: &str) -> Result<(), StoreError> {
        let owner = ObjectPath::from(format!("{folder}/{id}"));
        let mut keys: Vec<ObjectPath> =
            self.store.list(Some(&owner)).map_ok(|meta| meta.location).try_collect().await?;
        // What lies below a name does not include what has it: an upload is no folder.
        if !keys.contains(&owner) && self.folder.as_ref().is_none_or(|root| root.join(owner.as_ref()).is_file()) {
            keys.push(owner);
        }
        for key in keys {
            match self.store.delete(&key).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(folder_path) = &self.folder {
            // An empty folder is harmless; so is failing to remove it.
            let _ = std::fs::remove_dir(folder_path.join(folder).join(id));
        }
        Ok(())
    }

    /// Removes what was watched while a film was made. Says whether there was anything.
    pub async fn delete_stream(&self, export: &str) -> Result<bool, StoreError> {
        let owner = ObjectPath::from(format!("exports/{export}"));
        let all: Vec<ObjectPath> = self.store.list(Some(&owner)).map_ok(|meta| meta.location).try_collect().await?;
        let mut some = false;
        for key in all.iter().filter(|key| key.filename().is_some_and(|name| name.starts_with(STREAM))) {
            match self.store.delete(key).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => some = true,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(some)
    }

    /// Copies everything that cannot be made anew into a folder, for a backup.
    pub async fn copy_to(&self, dir: &Path) -> Result<u64, StoreError> {
        let mut copied = 0;
        let mut objects = self.store.list(None);
        while let Some(meta) = objects.next().await {
            let meta = meta?;
            if is_kept(&meta.location) {
                continue;
            }
            let to = dir.join(meta.location.as_ref());
            if let Some(parent) = to.parent() {
                std::fs::create_dir_all(parent)?;
            }
            // False when it was swept while we looked.
            let mut file = std::fs::File::create(&to)?;
            match self.fetch_from(&meta.location, |piece| file.write_all(piece)).await? {
                true => copied += 1,
                false => std::fs::remove_file(&to)?,
            }
        }
        Ok(copied)
    }
}

/// Whether it can be made anew: a copy of an installation does without.
pub(crate) fn is_kept(at: &ObjectPath) -> bool {
    at.parts().next().is_some_and(|folder| folder.as_ref() == KEPT)
}

/// A file into an upload, with a few parts under way at once.
pub(crate) async fn pour(source: &mut tokio::fs::File, upload: &mut WriteMultipart) -> Result<(), StoreError> {
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = source.read(&mut buffer).await?;
        if read == 0 {
            return Ok(());
        }
        upload.wait_for_capacity(4).await?;
        upload.write(&buffer[..read]);
    }
}

/// Renames, or copies beside and renames where the file lies on another disk.
fn adopt(from: &Path, to: &Path) -> std::io::Result<()> {
    if let Some(parent) = to.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::File::open(from)?.sync_all()?;
    if std::fs::rename(from, to).is_err() {
        let beside = to.with_extension(format!("part-{}", std::process::id()));
        let copied = std::fs::copy(from, &beside).and_then(|_| std::fs::File::open(&beside)?.sync_all());
        if let Err(error) = copied.and_then(|()| std::fs::rename(&beside, to)) {
            let _ = std::fs::remove_file(&beside);
            return Err(error);
        }
        std::fs::remove_file(from)?;
    }
    Ok(())
}
