//! Files of members, to be linked in scenes: told by their content, put away whole.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use compere_codec::sniff::{HEAD, media_type};
use compere_house::Kind;
use compere_house::desk::{Desk, DeskError};
use compere_scene::Code;
use compere_store::{Asset, Key, Page, new_id};
use tempfile::NamedTempFile;

use crate::turns::Work;
use crate::{Member, Office, Refusal};

/// For a picture to be looked at, as a rule.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// What a picture is that cannot be looked at in time.
const LATE: Kind = Kind::Invalid(Code::AssetUnreachable);

/// A file that came, in a temporary place.
#[derive(Debug)]
pub struct Upload {
    pub file: NamedTempFile,
    /// As the client called it, without folders.
    pub name: String,
    pub size: u64,
}

/// A file that was kept.
#[derive(Debug)]
pub struct Uploaded {
    pub asset: Asset,
    /// Of a picture.
    pub size: Option<(u32, u32)>,
}

impl Office {
    /// Where uploads lie while they come.
    pub fn arrivals(&self) -> std::path::PathBuf {
        self.home.data.join("uploads")
    }

    /// Keeps an upload as the account's own file.
    pub async fn keep(&self, member: &Member, upload: Upload) -> Result<Uploaded, Refusal> {
        self.keep_until(member, upload, None).await
    }

    /// The same for a time only.
    pub(crate) async fn keep_until(
        &self,
        member: &Member,
        upload: Upload,
        expires_at: Option<i64>,
    ) -> Result<Uploaded, Refusal> {
        let media_type = media_type(&head(upload.file.path()).map_err(Refusal::inside)?).ok_or(Refusal::WrongFile)?;
        let _held = self.hold_room(&member.account, upload.size as i64).await?;
        let name = if upload.name.trim().is_empty() { "file".to_owned() } else { upload.name };
        let asset = Asset {
            id: new_id(self.now()),
            account: member.account.id.clone(),
            name,
            media_type: media_type.to_owned(),
            size: upload.size as i64,
            created_at: self.now(),
            expires_at,
        };
        let key = Key::Asset(asset.id.clone());
        // The object first: a row promises that there is one.
        let (_, path) = upload.file.keep().map_err(Refusal::inside)?;
        self.objects.put_file(&key, &path).await?;
        match self.measured(&asset).await {
            Ok(size) => {
                self.store.add_asset(&asset).await?;
                Ok(Uploaded { asset, size })
            }
            Err(refusal) => {
                self.objects.delete(&key).await?;
                Err(refusal)
            }
        }
    }

    /// A picture has to be one that can be drawn. Whether a film plays is found out when it is used.
    async fn measured(&self, asset: &Asset) -> Result<Option<(u32, u32)>, Refusal> {
        if !asset.media_type.starts_with("image/") {
            return Ok(None);
        }
        let link = self.links.asset(&asset.id, &asset.name);
        let patience = self.patience;
        let measure = move |desk: Arc<dyn Desk>| async move {
            let late = |_| Err(DeskError::new(LATE, "it could not be looked at in time"));
            tokio::time::timeout(patience, desk.size(&link)).await.unwrap_or_else(late)
        };
        match self.ask(&asset.account, Work::Measure, measure).await {
            Ok(size) => Ok(Some(size)),
            // A picture over which a decoder sits so long is none to have in films.
            Err(Refusal::Desk(error)) if error.kind.is_the_askers() => Err(Refusal::Unreadable(error.message)),
            Err(other) => Err(other),
        }
    }

    /// The account's files, newest first.
    pub async fn uploads(&self, member: &Member, page: &Page, offset: i64) -> Result<(Vec<Asset>, i64), Refusal> {
        Ok(self.store.assets(&member.account.id, page, offset).await?)
    }

    /// Deletes a file. Scenes that link it will miss it.
    pub async fn discard(&self, member: &Member, id: &str) -> Result<(), Refusal> {
        if !self.store.delete_asset(&member.account.id, id).await? {
            return Err(Refusal::missing("file"));
        }
        Ok(self.objects.delete(&Key::Asset(id.to_owned())).await?)
    }
}

pub(crate) fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    std::fs::File::open(path)?.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}
