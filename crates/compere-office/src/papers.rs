//! Documents that are uploaded first and become films by a later request.

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use compere_house::home::sandbox;
use compere_import::{
    Document, DocumentBlock, ImportError, ImportErrorKind, Layout, Limits, Presenter, Wish, read_document,
};
use compere_scene::Warning;
use compere_store::{Asset, Key, new_id};
use serde_json::Value;
use tempfile::{NamedTempFile, TempDir};

use crate::ask::Ask;
use crate::behind::behind;
use crate::stories::Asked;
use crate::turns::Work;
use crate::{Accepted, Member, Office, Refusal, Sent, Upload, schema};

/// What nobody makes a film of by then is thrown away.
const KEPT: i64 = 24 * 3_600_000;
/// Texts in one request.
const MOST: usize = 10;
const PRESENTATION: &str = "application/x-presentation";
const TEXT: &str = "text/plain";

/// A document that a storyboard is made of.
enum Reading {
    Text(NamedTempFile),
    /// And where its pictures lie.
    Word(Document, TempDir),
}

impl Office {
    /// Keeps a document for a day. What exactly it is is found out when a film is made of it.
    pub async fn keep_paper(&self, member: &Member, upload: Upload) -> Result<Asset, Refusal> {
        let head = crate::uploads::head(upload.file.path()).map_err(Refusal::inside)?;
        let media_type = kind_of(&head).ok_or(Refusal::WrongPaper { found: NO_PAPER })?;
        if let Some(found) = no_paper(&head, upload.file.path()).map_err(Refusal::inside)? {
            return Err(Refusal::WrongPaper { found });
        }
        let _held = self.hold_room(&member.account, upload.size as i64).await?;
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

    /// A project of uploaded documents: a presentation slide by slide, texts and Word documents as one storyboard.
    pub async fn film_of_papers(self: &Arc<Self>, member: &Member, request: &Value) -> Result<Accepted, Refusal> {
        let mut asked = Ask::read(request, &schema::FILM_OF_PAPERS, Asked::of)?;
        let papers = self.papers(member, request).await?;
        let mut readings = Vec::new();
        for paper in &papers {
            let file = self.fetched(paper).await?;
            let reading = match paper.media_type == TEXT {
                true => Some(Reading::Text(file)),
                false => self.word_of(member, file).await?.map(|(document, folder)| Reading::Word(document, folder)),
            };
            match reading {
                Some(reading) => readings.push(reading),
                None if papers.len() == 1 => return self.film_of_deck(member, paper, asked).await,
                None => {
                    let what = "must be one presentation (pdf, ppt, pptx), or texts and Word documents (docx) alone";
                    return Err(Refusal::field("files", what));
                }
            }
        }
        let (mut all, mut warnings) = (String::new(), Vec::new());
        for reading in readings {
            let text = match reading {
                Reading::Text(file) => {
                    let text = std::fs::read(file.path()).map_err(Refusal::inside)?;
                    String::from_utf8_lossy(&text).trim().to_owned()
                }
                Reading::Word(document, _folder) => {
                    let title = document.title.as_ref().map(|title| title.chars().take(200).collect());
                    asked.name = asked.name.or(title);
                    self.in_words(member, &document, &mut warnings).await?
                }
            };
            all.push_str(&text);
            all.push_str("\n\n");
        }
        if all.trim().is_empty() {
            return Err(Refusal::field("files", "have no text that could be told"));
        }
        let mut made = self.film_said(member, all, &asked, request).await?;
        made.warnings.append(&mut warnings);
        Ok(made)
    }

    /// What a Word document says, and the folder of its pictures; none where the file is something else.
    async fn word_of(&self, member: &Member, file: NamedTempFile) -> Result<Option<(Document, TempDir)>, Refusal> {
        let folder = tempfile::tempdir_in(self.arrivals()).map_err(Refusal::inside)?;
        let limits = Limits { bytes: self.settings.limits.document.bytes(), ..Limits::default() };
        let turn = self.turns.wait(&member.account.id, Work::Import).await?;
        let stopping = self.stopping.clone();
        let reading = behind(move || {
            let sandbox = sandbox().map_err(|sentence| ImportError { kind: ImportErrorKind::Internal, sentence })?;
            let watch = |_| if *stopping.borrow() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            let read = read_document(file.path(), folder.path(), limits, &sandbox, &watch);
            drop(turn);
            read.map(|read| read.map(|document| (document, folder)))
        });
        Ok(reading.await??)
    }

    /// The document as the text that a storyboard is made of. Its pictures become files of the account.
    async fn in_words(
        &self,
        member: &Member,
        document: &Document,
        warnings: &mut Vec<Warning>,
    ) -> Result<String, Refusal> {
        let mut text = String::new();
        for block in &document.blocks {
            let line = match block {
                DocumentBlock::Heading(0, words) => format!("# {words}"),
                DocumentBlock::Heading(_, words) => format!("## {words}"),
                DocumentBlock::Point(words) => format!("- {words}"),
                DocumentBlock::Paragraph(words) => words.clone(),
                DocumentBlock::Picture(path, says) => match self.picture_of(member, path).await {
                    Ok((link, (width, height))) => {
                        let says: String = says.chars().filter(|c| !matches!(c, '[' | ']' | '(' | ')')).collect();
                        format!("![{says}]({link} ={width}x{height})")
                    }
                    Err(refusal @ (Refusal::Unreadable(_) | Refusal::WrongFile)) => {
                        let message = format!("a picture of the document is left out: {refusal}");
                        warnings.push(Warning { path: "files".to_owned(), message });
                        continue;
                    }
                    Err(refusal) => return Err(refusal),
                },
            };
            text.push_str(&line);
            // Points of one list stay together.
            text.push_str(if matches!(block, DocumentBlock::Point(_)) { "\n" } else { "\n\n" });
        }
        Ok(text)
    }

    async fn picture_of(&self, member: &Member, path: &Path) -> Result<(String, (u32, u32)), Refusal> {
        let mut file = NamedTempFile::new_in(self.arrivals()).map_err(Refusal::inside)?;
        let mut picture = std::fs::File::open(path).map_err(Refusal::inside)?;
        let size = std::io::copy(&mut picture, file.as_file_mut()).map_err(Refusal::inside)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let kept = self.keep(member, Upload { file, name, size }).await?;
        let size = kept.size.filter(|(width, height)| *width > 0 && *height > 0).ok_or(Refusal::WrongFile)?;
        Ok((self.links.asset(&kept.asset.id, &kept.asset.name), size))
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
            into: None,
        };
        // Whoever asks looks how far it is.
        let project = self.import(member, sent, Duration::ZERO).await?;
        Ok(Accepted { project, warnings: Vec::new() })
    }

    pub(crate) async fn fetched(&self, paper: &Asset) -> Result<NamedTempFile, Refusal> {
        let dir = self.arrivals();
        std::fs::create_dir_all(&dir).map_err(Refusal::inside)?;
        let mut file = NamedTempFile::new_in(dir).map_err(Refusal::inside)?;
        if !self.objects.fetch(&Key::Asset(paper.id.clone()), |piece| file.write_all(piece)).await? {
            return Err(Refusal::missing("document"));
        }
        Ok(file)
    }
}

const NO_PAPER: &str = "the document is none that becomes a film";

/// Archives of which their list of files, at the end, or what stands first says that they are something else. Only a hint
/// for whoever sends the wrong file: whether a file is what it says is found out in the sandbox.
const OTHERS: [(&[u8], &str); 5] = [
    (b"xl/workbook.", "the file is an Excel workbook"),
    (b"visio/document.xml", "the file is a Visio drawing"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "the file is an OpenDocument spreadsheet"),
    (b"application/vnd.oasis.opendocument.graphics", "the file is an OpenDocument drawing"),
    (b"application/epub+zip", "the file is an e-book"),
];

fn no_paper(head: &[u8], path: &Path) -> std::io::Result<Option<&'static str>> {
    let mut file = std::fs::File::open(path)?;
    if head.starts_with(b"\xd0\xcf\x11\xe0") {
        return older(head, &mut file);
    }
    if !head.starts_with(b"PK") {
        return Ok(None);
    }
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(1 << 16)))?;
    let mut tail = Vec::new();
    file.take(1 << 16).read_to_end(&mut tail)?;
    let has = |mark: &[u8]| [head, &tail].iter().any(|part| part.windows(mark.len()).any(|window| window == mark));
    Ok(OTHERS.iter().find(|(mark, _)| has(mark)).map(|(_, found)| *found))
}

/// Names of what Word and Excel wrote before 2007, in the first sector of the directory of such a file.
fn older(head: &[u8], file: &mut std::fs::File) -> std::io::Result<Option<&'static str>> {
    let number = |at: usize| head.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_le_bytes);
    let shift = head.get(30).copied().unwrap_or(9).clamp(7, 16);
    file.seek(SeekFrom::Start((u64::from(number(48)) + 1) << shift))?;
    let mut directory = Vec::new();
    file.take(4096).read_to_end(&mut directory)?;
    let has = |name: &str| {
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        directory.windows(wide.len()).any(|window| window == wide)
    };
    Ok(match () {
        () if has("PowerPoint Document") => None,
        () if has("WordDocument") => Some("the file is an old Word document"),
        () if has("Workbook") || has("Book") => Some("the file is an old Excel workbook"),
        () if has("__properties_version1.0") => Some("the file is an e-mail"),
        () => None,
    })
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
