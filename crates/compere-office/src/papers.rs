//! Documents that are uploaded first and become films by a later request.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use compere_import::{Layout, Presenter, Wish};
use compere_store::{Asset, Key, new_id};
use serde_json::Value;

use crate::ask::Ask;
use crate::stories::Asked;
use crate::{Accepted, Member, Office, Refusal, Sent, Upload};

/// What nobody makes a film of by then is thrown away.
const KEPT: i64 = 24 * 3_600_000;
/// Texts in one request.
const MOST: usize = 10;
const PRESENTATION: &str = "application/x-presentation";
const TEXT: &str = "text/plain";

impl Office {
    /// Keeps a document for a day. What exactly it is is found out when a film is made of it.
    pub async fn keep_paper(&self, member: &Member, upload: Upload) -> Result<Asset, Refusal> {
        let head = crate::uploads::head(upload.file.path()).map_err(Refusal::inside)?;
        let media_type = kind_of(&head).ok_or(Refusal::WrongPaper)?;
        self.make_room(&member.account, upload.size as i64).await?;
        let asset = Asset {
            id: new_id(self.now()),
            account: member.account.id.clone(),
            name: upload.name,
            media_type: media_type.to_owned(),
            size: upload.size as i64,
            created_at: self.now(),
            expires_at: Some(self.now() + KEPT),
        };
        let (_, path) = upload.file.keep().map_err(Refusal::inside)?;
        self.objects.put_file(&Key::Asset(asset.id.clone()), &path).await?;
        self.store.add_asset(&asset).await?;
        Ok(asset)
    }

    /// A project of uploaded documents: a presentation slide by slide, texts as one storyboard.
    pub async fn film_of_papers(self: &Arc<Self>, member: &Member, request: &Value) -> Result<Accepted, Refusal> {
        let asked = Ask::read(request, Asked::of)?;
        let papers = self.papers(member, request).await?;
        match papers.as_slice() {
            [one] if one.media_type == PRESENTATION => self.film_of_deck(member, one, asked).await,
            texts if texts.iter().all(|one| one.media_type == TEXT) => {
                let mut all = String::new();
                for one in texts {
                    let file = self.fetched(one).await?;
                    let text = std::fs::read(file.path()).map_err(Refusal::inside)?;
                    all.push_str(String::from_utf8_lossy(&text).trim());
                    all.push_str("\n\n");
                }
                self.film_said(member, all, &asked, request).await
            }
            _ => Err(Refusal::field("files", "must be one presentation (pdf, ppt, pptx), or texts alone")),
        }
    }

    /// The documents that a request names, which are its account's own.
    async fn papers(&self, member: &Member, request: &Value) -> Result<Vec<Asset>, Refusal> {
        let files = request["files"].as_array().filter(|files| (1..=MOST).contains(&files.len()));
        let files =
            files.ok_or_else(|| Refusal::field("files", format!("must be a list of one to {MOST} documents")))?;
        let mut papers = Vec::new();
        for (at, file) in files.iter().enumerate() {
            let uri = file["uri"].as_str().or(file.as_str()).unwrap_or_default();
            let id = uri.split('.').next().unwrap_or_default();
            let found = self.store.asset(id).await?;
            let own = found.filter(|one| one.account == member.account.id);
            let own = own.filter(|one| [PRESENTATION, TEXT].contains(&one.media_type.as_str()));
            papers.push(own.ok_or_else(|| {
                let how =
                    "upload it with POST /api/odin/v3/automation/docs-to-video/upload-files; it is kept for a day";
                Refusal::field(&format!("files[{at}].uri"), format!("there is no such document; {how}"))
            })?);
        }
        Ok(papers)
    }

    async fn film_of_deck(self: &Arc<Self>, member: &Member, paper: &Asset, asked: Asked) -> Result<Accepted, Refusal> {
        let teller = self.teller(member, &asked)?;
        let layout = if teller.unseen { Layout::Voice } else { Layout::Auto };
        let sent = Sent {
            file: self.fetched(paper).await?.into_temp_path(),
            name: asked.name,
            file_name: paper.name.clone(),
            workspace: None,
            wish: Wish { layout, ..Wish::default() },
            presenter: Some(Presenter { model: teller.model, cloth: teller.cloth, voice: None }),
        };
        // Whoever asks looks how far it is.
        let project = self.import(member, sent, Duration::ZERO).await?;
        Ok(Accepted { project, warnings: Vec::new() })
    }

    async fn fetched(&self, paper: &Asset) -> Result<tempfile::NamedTempFile, Refusal> {
        let dir = self.arrivals();
        std::fs::create_dir_all(&dir).map_err(Refusal::inside)?;
        let mut file = tempfile::NamedTempFile::new_in(dir).map_err(Refusal::inside)?;
        if !self.objects.fetch(&Key::Asset(paper.id.clone()), |piece| file.write_all(piece)).await? {
            return Err(Refusal::missing("document"));
        }
        Ok(file)
    }
}

/// What a document looks like from its beginning.
fn kind_of(head: &[u8]) -> Option<&'static str> {
    let starts = |magic: &[u8]| head.starts_with(magic);
    if starts(b"%PDF-") || starts(b"PK\x03\x04") || starts(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        return Some(PRESENTATION);
    }
    // A letter of several bytes may be cut at the end of what was looked at.
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&head[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let plain = !text.trim().is_empty() && text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'));
    (plain && compere_codec::sniff::media_type(head).is_none()).then_some(TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_told_by_how_they_begin() {
        assert_eq!(kind_of(b"%PDF-1.7\n"), Some(PRESENTATION));
        assert_eq!(kind_of(b"PK\x03\x04word/document.xml"), Some(PRESENTATION));
        assert_eq!(kind_of("# Ein Gr\u{fc}n\n\nText.".as_bytes()), Some(TEXT));
        assert_eq!(kind_of(&"\u{fc}".as_bytes()[..1]), None);
        assert_eq!(kind_of(&[b"a", &"\u{fc}".as_bytes()[..1]].concat()), Some(TEXT));
        assert_eq!(kind_of(b"\x89PNG\r\n\x1a\n"), None);
        assert_eq!(kind_of(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), None);
        assert_eq!(kind_of(b"\0\0\0"), None);
        assert_eq!(kind_of(b""), None);
    }
}
