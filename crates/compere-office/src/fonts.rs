//! Fonts of accounts: looked at in the sandbox when they come, kept face by face, written down with every film whose texts
//! ask for them.
//!
//! Nobody is given a font back: links to them are made for those who make films.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use compere_codec::font::{self, Face};
use compere_codec::{MediaError, MediaErrorKind};
use compere_compose::draw::{Fonts, OwnFont, asks_for, same_family};
use compere_house::Kind;
use compere_house::home::{font_dirs, sandbox};
use compere_house::settings::Megabytes;
use compere_scene::schema::TYPECASE;
use compere_store::{Font, Key, new_id};
use serde_json::{Value, json};

use crate::turns::Work;
use crate::{Member, Office, Refusal, Upload};

/// What somebody says who sends a font.
pub const MAY_USE: &str = "I may use this font in films, and may give those films to others.";
pub const LARGEST_FONT: Megabytes = Megabytes(10);
/// Faces of an account.
const MOST: usize = 100;

impl Office {
    /// Families that are on this machine, for everybody. They are read once: there are hundreds of files.
    pub async fn families(&self) -> Result<&'static [String], Refusal> {
        static FAMILIES: OnceLock<Vec<String>> = OnceLock::new();
        let read = || FAMILIES.get_or_init(|| everybodys().map(|fonts| fonts.families()).unwrap_or_default());
        let families: &[String] = tokio::task::spawn_blocking(read).await.map_err(Refusal::inside)?;
        Ok(families)
    }

    /// Fonts of the account, family by family.
    pub async fn fonts(&self, member: &Member) -> Result<Vec<Font>, Refusal> {
        Ok(self.store.fonts(&member.account.id).await?)
    }

    /// Keeps every face of a font that somebody says they may use. Faces that the account has are kept once; one that has
    /// another's names takes its place.
    pub async fn keep_font(&self, member: &Member, upload: Upload, may_use: bool) -> Result<Vec<Font>, Refusal> {
        if !may_use {
            return Err(Refusal::field("licence", format!("must be `true`, which says: {MAY_USE}")));
        }
        if upload.size > LARGEST_FONT.bytes() {
            return Err(Refusal::TooLarge { what: "fonts", most: LARGEST_FONT });
        }
        let _held = self.hold_room(&member.account, upload.size as i64).await?;
        let faces = self.faces(member, upload).await?;
        self.be_new(&faces).await?;
        let mut known = self.fonts(member).await?;
        let (mut kept, mut new) = (Vec::new(), Vec::new());
        for face in faces {
            let font = self.row(member, &face);
            match known.iter().find(|known| known.hash == font.hash && known.family == font.family) {
                Some(same) => kept.push(same.clone()),
                None => new.push((font, face)),
            }
        }
        known.retain(|known| !new.iter().any(|(font, _)| font.family == known.family && font.style == known.style));
        if known.len() + new.len() > MOST {
            let what = format!("is one too many: an account has at most {MOST} faces; delete some first");
            return Err(Refusal::Font { kind: Kind::Conflict, what });
        }
        for (font, face) in &mut new {
            // The object first: a row promises that there is one.
            self.objects.put(&Key::Font(font.id.clone()), std::mem::take(&mut face.bytes).into()).await?;
        }
        let new: Vec<Font> = new.into_iter().map(|(font, _)| font).collect();
        self.store.add_fonts(&new).await?;
        kept.extend(new);
        Ok(kept)
    }

    /// Takes a font from the account. Films that were asked for before are made with it.
    pub async fn delete_font(&self, member: &Member, id: &str) -> Result<(), Refusal> {
        let deleted = self.store.delete_font(&member.account.id, id).await?;
        if deleted { Ok(()) } else { Err(Refusal::missing("font")) }
    }

    async fn faces(&self, member: &Member, upload: Upload) -> Result<Vec<Face>, Refusal> {
        let _turn = self.turns.wait(&member.account.id, Work::Measure).await?;
        let read = move || -> Result<Vec<Face>, Refusal> {
            let sandbox = sandbox().map_err(Refusal::Inside)?;
            Ok(font::read(&sandbox, upload.file.path())?)
        };
        tokio::task::spawn_blocking(read).await.map_err(Refusal::inside)?
    }

    /// What is here for everybody stays what it is, so another of that name would never be seen.
    async fn be_new(&self, faces: &[Face]) -> Result<(), Refusal> {
        let families = self.families().await?;
        match faces.iter().find(|face| families.iter().any(|known| same_family(&face.family, known))) {
            Some(face) => {
                let what = format!("is “{}”, which is here already: texts may name it without it", face.family);
                Err(Refusal::Font { kind: Kind::Conflict, what })
            }
            None => Ok(()),
        }
    }

    fn row(&self, member: &Member, face: &Face) -> Font {
        Font {
            id: new_id(self.now()),
            account: member.account.id.clone(),
            family: face.family.clone(),
            style: face.style.clone(),
            weight: i64::from(face.weight),
            italic: face.italic,
            hash: blake3::hash(&face.bytes).to_hex().to_string(),
            size: face.bytes.len() as i64,
            licence: MAY_USE.to_owned(),
            created_at: self.now(),
        }
    }

    /// The film with the account's fonts that its texts ask for, in place of what anybody wrote there.
    pub(crate) async fn lettered(&self, account: &str, mut film: Value) -> Result<Value, Refusal> {
        let own = self.store.fonts(account).await?;
        let wishes = families(&film);
        let asked = own.iter().filter(|font| wishes.iter().any(|wish| asks_for(wish, &font.family)));
        let entry =
            |font: &Font| json!({ "family": font.family, "source_url": self.links.font(&font.id), "hash": font.hash });
        let asked: Vec<Value> = asked.map(entry).collect();
        if let Some(body) = film.as_object_mut() {
            body.remove(TYPECASE);
            if !asked.is_empty() {
                body.insert(TYPECASE.to_owned(), Value::Array(asked));
            }
        }
        Ok(film)
    }

    /// Files of the account's fonts, for whoever draws slides with them; those of a remote store are fetched into `folder`.
    pub(crate) async fn font_files(&self, account: &str, folder: &std::path::Path) -> Result<Vec<FontFile>, Refusal> {
        let mut files = Vec::new();
        for font in self.store.fonts(account).await? {
            let key = Key::Font(font.id.clone());
            let file = match self.objects.local(&key) {
                Some(file) => file,
                None => {
                    let file = folder.join(format!("{}.ttf", font.id));
                    let mut to = std::fs::File::create(&file).map_err(Refusal::inside)?;
                    self.objects.fetch(&key, |piece| std::io::Write::write_all(&mut to, piece)).await?;
                    file
                }
            };
            files.push(FontFile { family: font.family, file });
        }
        Ok(files)
    }
}

/// A font of an account, on this machine.
#[derive(Clone, Debug)]
pub(crate) struct FontFile {
    pub(crate) family: String,
    pub(crate) file: PathBuf,
}

fn everybodys() -> Option<Fonts> {
    Fonts::open(&font_dirs()).ok()
}

/// What texts of the account may be written with; none on a machine without fonts.
pub(crate) fn with_own(own: &[FontFile]) -> Option<Arc<Fonts>> {
    let read = |font: &FontFile| {
        let bytes = Arc::new(std::fs::read(&font.file).ok()?);
        Some(OwnFont { family: font.family.clone(), bytes })
    };
    let own: Vec<OwnFont> = own.iter().filter_map(read).collect();
    everybodys().map(|fonts| Arc::new(fonts.with(&own)))
}

/// Fonts that texts anywhere in a body ask for, as their authors wrote them.
fn families(film: &Value) -> BTreeSet<&str> {
    let (mut wishes, mut todo) = (BTreeSet::new(), vec![film]);
    while let Some(value) = todo.pop() {
        match value {
            Value::Array(list) => todo.extend(list),
            Value::Object(map) => {
                wishes.extend(map.get("fontFamily").and_then(Value::as_str));
                todo.extend(map.values());
            }
            _ => {}
        }
    }
    wishes
}

impl From<MediaError> for Refusal {
    fn from(error: MediaError) -> Self {
        let kind = match error.kind {
            MediaErrorKind::WrongType | MediaErrorKind::Missing => Kind::UnsupportedFile,
            MediaErrorKind::Damaged | MediaErrorKind::TooSlow => Kind::UnreadableFile,
            MediaErrorKind::TooLarge => Kind::TooLarge,
            MediaErrorKind::Machine => return Self::Inside(error.what),
        };
        Self::Font { kind, what: error.what }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_found_wherever_texts_name_them() {
        let film = json!({"scenes": [{"clips": [
            {"fontFamily": "Brand", "runs": [{"fontFamily": "Brand Sans-Bold"}]}, {"text": "Noto Sans"}, {"fontFamily": 7},
        ]}]});
        assert_eq!(families(&film), BTreeSet::from(["Brand", "Brand Sans-Bold"]));
    }
}
