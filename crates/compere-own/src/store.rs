//! Where presenters are kept: a folder each, written beside its place and moved there whole.
#![expect(clippy::disallowed_methods, reason = "the folder of own presenters is written here, whole, and nowhere else")]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use compere_avatar::Design;
use compere_codec::h264::Segment;
use compere_codec::mp4::VideoTrack;
use compere_media::Pixmap;
use serde::{Deserialize, Serialize};

use crate::build::{Built, Face, Finding, Level, Talk};
use crate::error::OwnError;
use crate::matte::{Cut, Matte};
use crate::photo::{Photo, Taken};
use crate::synth::Patches;

const MANIFEST: &str = "presenter.json";
const BANK: &str = "bank.bin";
const PATCHES: &str = "patches.bin";
const BASE: &str = "base.video";
const TALK: &str = "talk.video";
const PHOTO: &str = "photo.json";
const PICTURE: &str = "photo.planes";
const MODEL: &str = "model.glb";
const LOOK: &str = "look.jpg";
const MATTE: &str = "matte.bin";
const TALK_MATTES: &str = "talk-mattes.bin";
const MAGIC: &[u8; 8] = b"cownpat1";

/// What a presenter is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Footage,
    Photo,
    Model,
    /// Nobody's likeness: parameters.
    Design,
}

/// What is known of a presenter without opening its bank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub id: String,
    #[serde(default)]
    pub kind: Kind,
    pub name: String,
    /// `female`, `male` or `neutral`.
    pub gender: String,
    /// BCP 47.
    pub language: String,
    /// The account it belongs to; none for one that was made on the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// Whom it shows in other clothes; then `name` is what those are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outfit_of: Option<String>,
    /// Seconds since 1970.
    pub created: u64,
    pub width: u32,
    pub height: u32,
    /// Where the face is in the base.
    pub face: Face,
    /// Pixels between the outer corners of the eyes.
    pub eyes: f64,
    /// What of the base or the photo is the person, of one who is cut out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
    /// Seconds of footage in the bank.
    pub seconds: f64,
    pub warnings: Vec<String>,
    pub consent: Consent,
    /// Of a designed one; its logo lies beside it, under the hash that stands for its picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<Design>,
}

impl Manifest {
    /// Whether it may be shown: somebody saw consent and takes, or nobody is shown by it.
    pub fn is_approved(&self) -> bool {
        self.kind == Kind::Design || self.consent.approved_by.is_some()
    }
}

/// What shows that the person agreed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// As spoken.
    pub person: String,
    pub date: String,
    pub purpose: String,
    /// The random words that had to be spoken.
    pub words: Vec<String>,
    /// Which wording of the consent was read.
    pub text_version: u32,
    /// In which language; not kept of older presenters, whose text was English.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The hash of that text. Not kept of older presenters.
    #[serde(default)]
    pub text_hash: String,
    /// The hash of the video.
    pub hash: String,
    /// Who saw the consent beside the takes and approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_by: Option<String>,
}

/// All presenters of an installation.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    seen: Arc<Mutex<Seen>>,
}

/// What was read the last time, and of which files: every request asks who is there.
#[derive(Debug, Default)]
struct Seen {
    marks: Vec<Mark>,
    all: Vec<Manifest>,
}

/// A manifest's file: where, when it was written, and how long it is.
type Mark = (PathBuf, SystemTime, u64);

impl Store {
    /// Below the data folder; nothing is created yet.
    pub fn new(data: &Path) -> Self {
        Self { folder: data.join("presenters"), seen: Arc::default() }
    }

    pub(crate) fn folder(&self, id: &str) -> PathBuf {
        self.folder.join(id)
    }

    /// Everyone, by name. What cannot be read is left out.
    pub fn list(&self) -> Vec<Manifest> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        // What comes and what goes has a dot before its name.
        let whole = |entry: &fs::DirEntry| !entry.file_name().as_encoded_bytes().starts_with(b".");
        let mark = |entry: fs::DirEntry| {
            let found = fs::metadata(entry.path().join(MANIFEST)).ok()?;
            Some((entry.path(), found.modified().ok()?, found.len()))
        };
        let mut marks: Vec<Mark> = entries.filter(whole).filter_map(mark).collect();
        marks.sort();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.marks != marks {
            let mut all: Vec<Manifest> = marks.iter().filter_map(|(folder, ..)| manifest(folder).ok()).collect();
            all.sort_by(|a, b| a.name.cmp(&b.name).then(a.id.cmp(&b.id)));
            *seen = Seen { marks, all };
        }
        seen.all.clone()
    }

    pub fn find(&self, id: &str) -> Option<Manifest> {
        is_id(id).then(|| manifest(&self.folder(id)).ok()).flatten()
    }

    /// Those whom an account may show: its own, and those that belong to nobody. Whom nobody approved is not among them, and
    /// outfits are found with whoever wears them.
    pub fn shown_to(&self, account: &str) -> Vec<Manifest> {
        let mut all = self.list();
        all.retain(|one| one.is_approved() && one.account.as_deref().is_none_or(|owner| owner == account));
        all.retain(|one| one.outfit_of.is_none());
        all
    }

    /// What somebody was filmed in as well, and may be shown in, the first one first.
    pub fn outfits_of(&self, id: &str) -> Vec<Manifest> {
        let mut all = self.wardrobe(id);
        all.retain(Manifest::is_approved);
        all
    }

    /// The same with what nobody approved yet.
    fn wardrobe(&self, id: &str) -> Vec<Manifest> {
        let mut all = self.list();
        all.retain(|one| one.outfit_of.as_deref() == Some(id));
        all.sort_by(|a, b| a.created.cmp(&b.created).then(a.id.cmp(&b.id)));
        all
    }

    /// Writes down who saw consent and takes. Whether there is such a presenter.
    pub fn approve(&self, id: &str, by: &str) -> Result<bool, OwnError> {
        let Some(mut manifest) = self.find(id) else { return Ok(false) };
        manifest.consent.approved_by = Some(by.trim().to_owned());
        let text = serde_json::to_string_pretty(&manifest).map_err(OwnError::machine)?;
        let (beside, place) = (self.folder(id).join(".presenter.json"), self.folder(id).join(MANIFEST));
        let failed = |error: std::io::Error| OwnError::machine(format!("{id}: {error}"));
        fs::write(&beside, text).and_then(|()| fs::rename(&beside, &place)).map_err(failed)?;
        Ok(true)
    }

    /// Bytes that a presenter takes.
    pub fn weight(&self, id: &str) -> u64 {
        fn below(folder: &Path) -> u64 {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let weigh = |entry: fs::DirEntry| match entry.metadata() {
                Ok(meta) if meta.is_dir() => below(&entry.path()),
                Ok(meta) => meta.len(),
                Err(_) => 0,
            };
            entries.map(weigh).sum()
        }
        if self.find(id).is_some() { below(&self.folder(id)) } else { 0 }
    }

    /// Takes a presenter away with bank, base and consent. Whether there was one.
    pub fn remove(&self, id: &str) -> Result<bool, OwnError> {
        let gone = self.folder.join(format!(".gone-{id}"));
        if is_id(id) {
            // What somebody left who died over it.
            let _ = fs::remove_dir_all(&gone);
            let _ = fs::remove_dir_all(self.folder.join(format!(".new-{id}")));
        }
        if self.find(id).is_none() {
            return Ok(false);
        }
        // The folder leaves its place at once and whole, whatever happens to its files after that.
        let failed = |error: std::io::Error| OwnError::machine(format!("{id}: {error}"));
        fs::rename(self.folder(id), &gone).map_err(failed)?;
        fs::remove_dir_all(&gone).map_err(failed)?;
        Ok(true)
    }

    /// Takes a presenter away with everything it was filmed in. Whether there was one.
    pub fn remove_all(&self, id: &str) -> Result<bool, OwnError> {
        for outfit in self.wardrobe(id) {
            self.remove(&outfit.id)?;
        }
        self.remove(id)
    }

    /// Writes a presenter down: `made` writes what it is made of. `files` are kept beside it under their names: consent,
    /// takes.
    fn put(
        &self,
        manifest: &Manifest,
        files: &[(String, PathBuf)],
        made: impl Fn(&Path) -> std::io::Result<()>,
    ) -> Result<(), OwnError> {
        let failed = |error: std::io::Error| OwnError::machine(format!("{}: {error}", self.folder.display()));
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let new = self.folder.join(format!(".new-{}", manifest.id));
        let _ = fs::remove_dir_all(&new);
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(new.join("takes"))?;
            for (name, path) in files {
                fs::copy(path, new.join("takes").join(name))?;
            }
            made(&new)?;
            let text = serde_json::to_string_pretty(manifest).map_err(std::io::Error::other)?;
            fs::write(new.join(MANIFEST), text)?;
            fs::rename(&new, self.folder(&manifest.id))
        };
        write().map_err(|error| {
            let _ = fs::remove_dir_all(&new);
            failed(error)
        })
    }
}

impl Store {
    pub(crate) fn put_footage(
        &self,
        manifest: &Manifest,
        files: &[(String, PathBuf)],
        built: &Built,
        base: &Path,
    ) -> Result<(), OwnError> {
        self.put(manifest, files, |new| {
            fs::copy(base, new.join(BASE))?;
            fs::write(new.join(BANK), crate::bytes::to_bytes(&built.bank, &built.base))?;
            write_matte(new, built.cut.as_ref())?;
            built.talk.as_ref().map_or(Ok(()), |talk| write_talk(new, talk))?;
            write_patches(&new.join(PATCHES), &built.patches)
        })
    }

    pub(crate) fn put_photo(
        &self,
        manifest: &Manifest,
        files: &[(String, PathBuf)],
        taken: &Taken,
    ) -> Result<(), OwnError> {
        self.put(manifest, files, |new| {
            fs::write(new.join(PICTURE), &taken.picture)?;
            write_matte(new, taken.cut.as_ref())?;
            fs::write(new.join(PHOTO), serde_json::to_string(&taken.photo).map_err(std::io::Error::other)?)
        })
    }
}

impl Store {
    /// The file is kept as it came.
    pub(crate) fn put_model(&self, manifest: &Manifest, file: &Path) -> Result<(), OwnError> {
        self.put(manifest, &[], |new| fs::copy(file, new.join(MODEL)).map(|_| ()))
    }

    pub(crate) fn put_look(&self, id: &str, jpeg: &[u8]) -> Result<(), OwnError> {
        fs::write(self.folder(id).join(LOOK), jpeg).map_err(|error| OwnError::machine(format!("{id}: {error}")))
    }

    /// Keeps a design, in place of the one before: at every moment one of them is there whole.
    pub(crate) fn put_design(&self, manifest: &Manifest, logo: Option<(&str, &Pixmap)>) -> Result<(), OwnError> {
        let folder = self.folder(&manifest.id);
        let failed = |error: std::io::Error| OwnError::machine(format!("{}: {error}", folder.display()));
        let text = serde_json::to_string_pretty(manifest).map_err(OwnError::machine)?;
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(&folder)?;
            if let Some((name, picture)) = logo {
                let mut bytes = [picture.width().to_le_bytes(), picture.height().to_le_bytes()].concat();
                bytes.extend_from_slice(picture.data().as_flattened());
                fs::write(folder.join(name), bytes)?;
            }
            fs::write(folder.join(".presenter.json"), text)?;
            fs::rename(folder.join(".presenter.json"), folder.join(MANIFEST))?;
            for entry in fs::read_dir(&folder)?.flatten() {
                let name = entry.file_name();
                if name != MANIFEST && logo.is_none_or(|(kept, _)| name != kept) {
                    fs::remove_file(entry.path())?;
                }
            }
            Ok(())
        };
        write().map_err(failed)
    }

    /// The logo of a design, by the name that stands for it.
    pub(crate) fn logo(&self, id: &str, name: &str) -> Option<Pixmap> {
        let bytes = is_id(name).then(|| fs::read(self.folder(id).join(name)).ok()).flatten()?;
        let (head, pixels) = bytes.split_at_checked(8)?;
        let side = |at: usize| head[at..at + 4].try_into().map(u32::from_le_bytes).ok();
        let (width, height) = (side(0)?, side(4)?);
        let pixels = pixels.as_chunks::<4>().0.to_vec();
        (pixels.len() == width as usize * height as usize).then(|| Pixmap::from_premultiplied(width, height, pixels))
    }

    /// What a model looks like, as JPEG.
    pub fn look(&self, id: &str) -> Option<Vec<u8>> {
        is_id(id).then(|| fs::read(self.folder(id).join(LOOK)).ok()).flatten()
    }
}

/// Nothing of it can climb out of the folder.
fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

pub(crate) fn manifest(folder: &Path) -> Result<Manifest, OwnError> {
    let damaged = |_| OwnError::Damaged(format!("{}/{MANIFEST}", folder.display()));
    let text = fs::read_to_string(folder.join(MANIFEST)).map_err(OwnError::machine)?;
    serde_json::from_str(&text).map_err(damaged)
}

pub(crate) fn base(folder: &Path) -> PathBuf {
    folder.join(BASE)
}

pub(crate) fn model(folder: &Path) -> PathBuf {
    folder.join(MODEL)
}

pub(crate) fn bank(folder: &Path) -> Result<Vec<u8>, OwnError> {
    fs::read(folder.join(BANK)).map_err(|error| OwnError::machine(format!("{}/{BANK}: {error}", folder.display())))
}

/// A photo with its face, and its picture.
pub(crate) fn photo(folder: &Path) -> Result<(Photo, Vec<u8>), OwnError> {
    let read = |name: &str| {
        fs::read(folder.join(name)).map_err(|error| OwnError::machine(format!("{}/{name}: {error}", folder.display())))
    };
    let photo: Photo = serde_json::from_slice(&read(PHOTO)?)
        .ok()
        .filter(Photo::is_whole)
        .ok_or_else(|| OwnError::Damaged(format!("{}/{PHOTO}", folder.display())))?;
    Ok((photo, read(PICTURE)?))
}

fn write_matte(folder: &Path, cut: Option<&(Matte, Cut)>) -> std::io::Result<()> {
    cut.map_or(Ok(()), |(matte, _)| fs::write(folder.join(MATTE), matte.to_bytes()))
}

/// The mattes of one who is cut out.
pub(crate) fn matte(folder: &Path, manifest: &Manifest) -> Result<Option<Matte>, OwnError> {
    if manifest.cut.is_none() {
        return Ok(None);
    }
    let named = format!("{}/{MATTE}", folder.display());
    let bytes = fs::read(folder.join(MATTE)).map_err(|error| OwnError::machine(format!("{named}: {error}")))?;
    Matte::from_bytes(&bytes).map(Some).ok_or(OwnError::Damaged(named))
}

/// Films may be made on what is spoken there.
fn write_talk(folder: &Path, talk: &Talk) -> std::io::Result<()> {
    let Segment { parameter_sets, frames, data } = &talk.film;
    let (width, height) = talk.size;
    let track = VideoTrack {
        parameter_sets: parameter_sets.clone(),
        width,
        height,
        frames: frames.clone(),
        data: Box::new(data.as_slice()),
    };
    compere_codec::mp4::write(&folder.join(TALK), track, None, "").map_err(std::io::Error::other)?;
    if talk.mattes.is_empty() {
        return Ok(());
    }
    let mut bytes = Vec::new();
    for matte in talk.mattes.iter().map(Matte::to_bytes) {
        bytes.extend((matte.len() as u64).to_le_bytes());
        bytes.extend(matte);
    }
    fs::write(folder.join(TALK_MATTES), bytes)
}

pub(crate) fn talk(folder: &Path) -> PathBuf {
    folder.join(TALK)
}

/// The mattes of what is spoken in the base, of each stretch.
pub(crate) fn talk_mattes(folder: &Path, manifest: &Manifest) -> Result<Vec<Matte>, OwnError> {
    if manifest.cut.is_none() {
        return Ok(Vec::new());
    }
    let named = format!("{}/{TALK_MATTES}", folder.display());
    let all = fs::read(folder.join(TALK_MATTES)).map_err(|error| OwnError::machine(format!("{named}: {error}")))?;
    let mut left = all.as_slice();
    let mut mattes = Vec::new();
    while !left.is_empty() {
        let mut next = || {
            let len = u64::from_le_bytes(left.split_off(..8)?.try_into().ok()?);
            Matte::from_bytes(left.split_off(..usize::try_from(len).ok()?)?)
        };
        mattes.push(next().ok_or_else(|| OwnError::Damaged(named.clone()))?);
    }
    Ok(mattes)
}

fn write_patches(path: &Path, patches: &[Vec<u8>]) -> std::io::Result<()> {
    let mut file = std::io::BufWriter::new(File::create(path)?);
    file.write_all(MAGIC)?;
    file.write_all(&(patches.len() as u64).to_le_bytes())?;
    let mut start = (MAGIC.len() + 8 + 8 * (patches.len() + 1)) as u64;
    file.write_all(&start.to_le_bytes())?;
    for patch in patches {
        start += patch.len() as u64;
        file.write_all(&start.to_le_bytes())?;
    }
    patches.iter().try_for_each(|patch| file.write_all(patch))?;
    file.flush()
}

pub(crate) fn patches(folder: &Path, count: usize) -> Result<Patches, OwnError> {
    let damaged = || OwnError::Damaged(format!("{}/{PATCHES}", folder.display()));
    let mut file = File::open(folder.join(PATCHES)).map_err(OwnError::machine)?;
    let mut head = [0; 16];
    file.read_exact(&mut head).map_err(|_| damaged())?;
    if &head[..8] != MAGIC || head[8..] != (count as u64).to_le_bytes() {
        return Err(damaged());
    }
    let mut starts = vec![0; 8 * (count + 1)];
    file.read_exact(&mut starts).map_err(|_| damaged())?;
    let starts: Vec<u64> = starts.as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
    let end = file.metadata().map_err(OwnError::machine)?.len();
    let whole = starts.windows(2).all(|two| two[0] <= two[1]) && starts.last() == Some(&end);
    if whole { Ok(Patches { file, starts }) } else { Err(damaged()) }
}

/// What the person should know, though it refuses nothing.
pub(crate) fn warnings(findings: &[Finding]) -> Vec<String> {
    findings.iter().filter(|finding| finding.level == Level::Warning).map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(data: &Path, id: &str, name: &str, account: Option<&str>) {
        let text = serde_json::json!({
            "id": id, "name": name, "gender": "female", "language": "en-US", "account": account, "created": 1,
            "width": 640, "height": 480, "face": {"x": 320.0, "y": 200.0, "height": 120.0}, "eyes": 100.0, "seconds": 60.0,
            "warnings": [], "consent": {"person": name, "date": "today", "purpose": "tests", "words": [], "textVersion": 1,
                                        "hash": "", "approvedBy": "A tester"},
        });
        let folder = data.join("presenters").join(id);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(MANIFEST), text.to_string()).expect("writes");
    }

    #[test]
    fn outfits_belong_to_whoever_wears_them_and_go_with_them() {
        let data = tempfile::tempdir().expect("a folder");
        let store = Store::new(data.path());
        kept(data.path(), "own-a", "Ada", Some("one"));
        for (id, created, approved) in [("own-c", 3, true), ("own-b", 2, true), ("own-d", 4, false)] {
            kept(data.path(), id, id, Some("one"));
            let path = data.path().join("presenters").join(id).join(MANIFEST);
            let mut manifest: Manifest = serde_json::from_slice(&fs::read(&path).expect("reads")).expect("JSON");
            manifest.outfit_of = Some("own-a".to_owned());
            manifest.created = created;
            manifest.consent.approved_by = approved.then(|| "A tester".to_owned());
            fs::write(&path, serde_json::to_string(&manifest).expect("JSON")).expect("writes");
        }
        let ids = |all: Vec<Manifest>| all.into_iter().map(|one| one.id).collect::<Vec<_>>();
        assert_eq!(ids(store.shown_to("one")), ["own-a"]);
        assert_eq!(ids(store.outfits_of("own-a")), ["own-b", "own-c"], "what nobody approved is not worn");
        assert!(store.remove_all("own-a").expect("removes"));
        assert!(store.list().is_empty(), "whoever is gone is gone in all clothes");
    }

    #[test]
    fn who_is_there_is_seen_at_once_though_it_is_not_read_again() {
        let data = tempfile::tempdir().expect("a folder");
        let store = Store::new(data.path());
        assert!(store.list().is_empty());
        kept(data.path(), "own-a", "Ada", Some("one"));
        kept(data.path(), "own-b", "Bob", None);
        let names = |account: &str| store.shown_to(account).into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!((names("one"), names("two")), (vec!["Ada".to_owned(), "Bob".to_owned()], vec!["Bob".to_owned()]));
        assert_eq!(store.list()[0].kind, Kind::Footage, "those from before photos are of footage");
        assert!(store.approve("own-b", "Somebody else").expect("writes"));
        assert_eq!(store.list()[1].consent.approved_by.as_deref(), Some("Somebody else"));
        // Somebody else's program may take one away.
        assert!(Store::new(data.path()).remove("own-a").expect("removes"));
        assert_eq!(names("one"), ["Bob"]);
    }
}
