//! Files for whoever holds a signed link.

use std::ops::Range;
use std::time::{Duration, Instant};

use bytes::Bytes;
use compere_media::Format;
use compere_store::{Export, ExportState, Key, Product, Stored, Streamed};
use futures_util::Stream;

use crate::{Office, Refusal};

/// Milliseconds since an export was asked for, after which it is no longer to be had as a stream: its file is.
pub(crate) const STREAMED: i64 = 24 * 3_600_000;
/// How long whoever wants to watch waits for the first picture before being told to come again.
const BEGINNING: Duration = Duration::from_secs(8);
/// How often it is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// A file as it is sent.
#[derive(Clone, Debug)]
pub struct Offer {
    key: Key,
    pub media_type: String,
    pub name: String,
    /// To be kept rather than looked at.
    pub attached: bool,
}

impl Offer {
    fn new(key: Key, media_type: &str, name: &str, attached: bool) -> Self {
        Self { key, media_type: media_type.to_owned(), name: name.to_owned(), attached }
    }

    /// It is a playlist, which is longer the next time.
    pub fn grows(&self) -> bool {
        matches!(self.key, Key::Stream(_, file) if file.is_list())
    }

    /// Names the file among all.
    pub fn path(&self) -> String {
        self.key.path()
    }
}

impl Office {
    /// What an export made. `name` is what the link calls it.
    pub async fn film_file(
        &self,
        (export, part, name): (&str, Product, &str),
        expires: i64,
        signature: &str,
    ) -> Result<Option<Offer>, Refusal> {
        if !self.links.admits(export, part, expires, signature, self.now()) {
            return Ok(None);
        }
        let id = export.to_owned();
        Ok(Some(match part {
            Product::Film => {
                let Some(found) = self.store.export(export).await? else { return Ok(None) };
                let name = found.made.map_or_else(|| name.to_owned(), |made| made.file_name);
                let media_type = film_type(found.order.format);
                Offer::new(Key::Film(id, found.order.format), media_type, &name, true)
            }
            Product::Poster => Offer::new(Key::Poster(id), "image/jpeg", part.called(), false),
            Product::Vtt => Offer::new(Key::Vtt(id), "text/vtt; charset=utf-8", part.called(), false),
            Product::Chapters => Offer::new(Key::Chapters(id), "text/vtt; charset=utf-8", part.called(), false),
            Product::Srt => Offer::new(Key::Srt(id), "application/x-subrip; charset=utf-8", part.called(), true),
        }))
    }

    /// A file of a film that is watched while it is made, or for some days after. The list that players begin with is
    /// waited for: whoever asks as soon as an export has begun sees its first picture as soon as there is one.
    pub async fn stream_file(
        &self,
        (export, name): (&str, &str),
        expires: i64,
        signature: &str,
    ) -> Result<Option<Offer>, Refusal> {
        let Some(file) = Streamed::parse(name) else { return Ok(None) };
        if !self.links.admits_stream(export, expires, signature, self.now()) {
            return Ok(None);
        }
        let offer = Offer::new(Key::Stream(export.to_owned(), file), file.media_type(), name, false);
        let end = Instant::now() + BEGINNING;
        loop {
            let Some(found) = self.store.export(export).await? else { return Ok(None) };
            if !watchable(&found, self.now()) {
                return Ok(None);
            }
            let waits = file == Streamed::FilmList && !found.state.is_over() && Instant::now() < end;
            if !waits || self.stored(&offer).await?.is_some() || *self.stopping.borrow() {
                return Ok(Some(offer));
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// An uploaded file.
    pub async fn asset_file(&self, id: &str, signature: &str) -> Result<Option<Offer>, Refusal> {
        if !self.links.admits_asset(id, signature) {
            return Ok(None);
        }
        let asset = self.store.asset(id).await?;
        Ok(asset.map(|asset| Offer::new(Key::Asset(asset.id), &asset.media_type, &asset.name, false)))
    }

    /// `slide-1.png`, `thumb-1.jpg`, or the document that a project was made of: `original.pptx`.
    pub async fn slide_file(&self, project: &str, signature: &str, file: &str) -> Result<Option<Offer>, Refusal> {
        let Some((stem, extension)) = file.split_once('.').filter(|_| self.links.admits_slides(project, signature))
        else {
            return Ok(None);
        };
        let id = project.to_owned();
        if let ("original", Some(media_type)) = (stem, document_type(extension)) {
            // The project may be deleted while its copies go on showing the slides.
            let name = self.store.project_name(project).await?.unwrap_or_else(|| "Slides".to_owned());
            return Ok(Some(Offer::new(Key::Source(id), media_type, &format!("{name}.{extension}"), true)));
        }
        let media_type = match extension {
            "png" => "image/png",
            "jpg" => "image/jpeg",
            other => match played_type(other) {
                Some(known) => known,
                None => return Ok(None),
            },
        };
        let number = |text: &str| text.parse::<u32>().ok();
        let key = match stem.split_once('-') {
            Some(("slide", n)) => number(n).map(|n| Key::Slide(id, n, extension.to_owned())),
            Some(("thumb", n)) => number(n).map(|n| Key::Thumbnail(id, n)),
            _ => None,
        };
        Ok(key.map(|key| Offer::new(key, media_type, file, false)))
    }

    /// A take of a presenter that is this account's, or that somebody has to approve.
    pub(crate) fn take_file(take: &compere_store::Take) -> Offer {
        let key = Key::Take(take.presenter.clone(), take.name.clone());
        Offer::new(key, &take.media_type, &take.name, false)
    }

    /// Its size and age, if it is there.
    pub async fn stored(&self, offer: &Offer) -> Result<Option<Stored>, Refusal> {
        Ok(self.objects.head(&offer.key).await?)
    }

    /// Where a remote store gives it itself. Playlists name what lies beside them, so they come from us.
    pub async fn elsewhere(&self, offer: &Offer, valid: Duration) -> Result<Option<String>, Refusal> {
        if offer.grows() {
            return Ok(None);
        }
        Ok(self.objects.presigned(&offer.key, valid).await?)
    }

    /// Some of its bytes. None when it is another by now than the one that was `seen`.
    pub async fn bytes_of(
        &self,
        offer: &Offer,
        seen: Stored,
        part: Range<u64>,
    ) -> Result<Option<impl Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static + use<>>, Refusal> {
        Ok(self.objects.stream(&offer.key, seen, part).await?)
    }
}

/// Whether the stream of an export may be watched.
pub(crate) fn watchable(export: &Export, now: i64) -> bool {
    let made = export.made.as_ref().is_some_and(|made| made.streamed);
    match export.state {
        ExportState::Exported => made && export.swept_at.is_none() && export.created_at > now - STREAMED,
        state => export.order.format == Format::Mp4 && !state.is_over(),
    }
}

fn film_type(format: Format) -> &'static str {
    match format {
        Format::Wav => "audio/wav",
        Format::Webm => "video/webm",
        Format::Mov => "video/quicktime",
        Format::Mp4 => "video/mp4",
    }
}

fn document_type(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "pdf" => "application/pdf",
        "ppt" => "application/vnd.ms-powerpoint",
        "odp" => "application/vnd.oasis.opendocument.presentation",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        _ => return None,
    })
}

/// What slides play, by the endings that an import keeps.
fn played_type(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "mp4" | "m4v" => "video/mp4",
        "mov" => "video/quicktime",
        "webm" => "video/webm",
        "wmv" => "video/x-ms-wmv",
        "avi" => "video/x-msvideo",
        "mpg" => "video/mpeg",
        "mkv" => "video/x-matroska",
        "mp3" => "audio/mpeg",
        "m4a" => "audio/mp4",
        "wav" => "audio/wav",
        "ogg" => "audio/ogg",
        "wma" => "audio/x-ms-wma",
        "aac" => "audio/aac",
        _ => return None,
    })
}
