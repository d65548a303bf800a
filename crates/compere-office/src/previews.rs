//! Pictures and sounds for people who wait: made by the desk when they are first asked for, then kept under
//! `data/cache/web`.
//!
//! Their names are hashes of everything that they depend on, the program included, so a kept one is never stale. The
//! folder is emptied from its oldest end when it grows too large.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use compere_avatar::{Framing, Presenter, PresenterInfo, Want};
use compere_backdrop as backdrop;
use compere_house::desk::{Desk, Picture, View, Who};
use compere_store::Project;
use serde_json::{Value, json};

use crate::turns::{EVERYBODY, Work};
use crate::{Office, Refusal};

/// Bytes that the folder may hold.
const CAP: u64 = 512 << 20;
/// Looked after once in so many new files.
const EVERY: u32 = 64;

/// What a kept file's name is made of.
#[derive(Debug)]
struct Name {
    hasher: blake3::Hasher,
    /// Presenters of footage who are seen: what was drawn of them goes when they take their consent back.
    people: Vec<String>,
}

impl Name {
    fn and(mut self, part: impl AsRef<[u8]>) -> Self {
        let part = part.as_ref();
        self.hasher.update(&(part.len() as u64).to_le_bytes());
        self.hasher.update(part);
        self
    }
}

impl Office {
    fn name(&self, kind: &str) -> Name {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.program.as_bytes());
        Name { hasher, people: Vec::new() }.and(kind)
    }

    /// Who may not show a presenter finds no picture of it either.
    fn name_of(&self, account: &str, project: &Value, view: &View) -> Name {
        let text = project.to_string();
        let people = self.named_in(account, &text);
        let made: String = people.iter().filter_map(|id| Some(self.own_info(account, id)?.made)).collect();
        let name = self.name("still").and(&text).and(format!("{:?} {}", view.at, view.width)).and(people.join("."));
        let name = if made.is_empty() { name } else { name.and(made) };
        let bare = !people.is_empty() && !self.settings.ai_label;
        let name = if bare { name.and("unlabelled") } else { name };
        Name { people, ..name }
    }

    fn kept_at(&self, name: &Name) -> PathBuf {
        let marks: String = name.people.iter().map(|id| format!(".{id}")).collect();
        self.home.cache().join("web").join(format!("{}{marks}", name.hasher.finalize().to_hex()))
    }

    async fn kept(&self, name: &Name) -> Option<Bytes> {
        tokio::fs::read(self.kept_at(name)).await.ok().map(Bytes::from)
    }

    /// Keeps a file. That it could not be kept is no reason not to show it.
    async fn keep_picture(&self, name: &Name, bytes: &Bytes) {
        let (file, bytes) = (self.kept_at(name), bytes.clone());
        let tidy = self.kept.fetch_add(1, Ordering::Relaxed) % EVERY == EVERY - 1;
        let kept = tokio::task::spawn_blocking(move || -> std::io::Result<()> {
            let dir = file.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(dir)?;
            let mut beside = tempfile::NamedTempFile::new_in(dir)?;
            std::io::Write::write_all(&mut beside, &bytes)?;
            beside.persist(&file)?;
            if tidy { trim(dir, CAP) } else { Ok(()) }
        });
        if let Ok(Err(error)) = kept.await {
            tracing::warn!(%error, "a picture could not be kept");
        }
    }

    /// A picture for a list, at the scene's best moment: one at a time for an account, so that whoever edits need not wait
    /// for all of a page's pictures. Those whose page was left meanwhile are not drawn at all.
    pub async fn thumbnail(&self, account: &str, project: &Value, scene: usize, width: u32) -> Result<Bytes, Refusal> {
        self.listed(account, project, View { scene, ..View::of_width(width) }).await
    }

    /// The same of any frame.
    pub async fn listed(&self, account: &str, project: &Value, view: View) -> Result<Bytes, Refusal> {
        Ok(self.drawn_still(account, Work::Picture, project, view).await?.0)
    }

    /// A frame for somebody who waits for it, and whether it is a sketch: that of a project whose other scenes do not matter,
    /// as JPEG.
    pub async fn still(&self, account: &str, project: &Value, view: View) -> Result<(Bytes, bool), Refusal> {
        self.drawn_still(account, Work::Frame, project, view).await
    }

    async fn drawn_still(
        &self,
        account: &str,
        work: Work,
        project: &Value,
        view: View,
    ) -> Result<(Bytes, bool), Refusal> {
        let project = self.lettered(account, alone(project, view.scene)).await?;
        let name = self.name_of(account, &project, &view);
        if let Some(bytes) = self.kept(&name).await {
            return Ok((bytes, false));
        }
        let view = View { scene: 0, ..view };
        let (text, seen) = (project.clone(), view);
        let draw = |desk: Arc<dyn Desk>| async move { desk.still(text, seen).await };
        let picture = self.ask(account, work, draw).await?;
        let bytes = Bytes::from(picture.bytes);
        if !picture.sketched {
            self.keep_picture(&name, &bytes).await;
            self.unless_gone(&name, &self.name_of(account, &project, &view)).await;
        }
        Ok((bytes, picture.sketched))
    }

    /// A consent may be taken back while somebody is drawn. What was kept of them is cleared then, and this picture comes after it.
    async fn unless_gone(&self, kept: &Name, now: &Name) {
        let file = self.kept_at(kept);
        if file != self.kept_at(now) {
            let _ = tokio::fs::remove_file(file).await;
        }
    }

    /// One frame of a project as it is stored.
    pub async fn frame(
        &self,
        project: &Project,
        scene: usize,
        at: f64,
        width: u32,
        jpeg: bool,
    ) -> Result<Picture, Refusal> {
        let body = self.lettered(&project.account, project.body()?).await?;
        let view = View { scene, jpeg, ..View::of_width(width).at(at) };
        let draw = |desk: Arc<dyn Desk>| async move { desk.still(body, view).await };
        self.ask(&project.account, Work::Frame, draw).await
    }

    /// A text spoken, as WAV.
    pub async fn say(&self, account: &str, text: &str, who: Who) -> Result<Bytes, Refusal> {
        let name = self.name("say").and(text).and(format!("{who:?}"));
        if let Some(bytes) = self.kept(&name).await {
            return Ok(bytes);
        }
        let text = text.to_owned();
        let say = |desk: Arc<dyn Desk>| async move { desk.say(text, who).await };
        let bytes = Bytes::from(self.ask(account, Work::Sample, say).await?.wav);
        self.keep_picture(&name, &bytes).await;
        Ok(bytes)
    }

    /// Somebody of the cast in one of their outfits, each by one of its ids. Strangers may ask: only who is there gets
    /// further, and each picture is drawn once.
    pub fn dressed(&self, presenter: &str, outfit: &str) -> Result<(PresenterInfo, String), Refusal> {
        let cast = self.cast.get(presenter).ok_or_else(|| Refusal::missing("presenter"))?;
        let info = cast.info().clone();
        let at = info.outfit(outfit).map_err(|_| Refusal::missing("outfit"))?;
        let outfit = info.outfits.get(at).ok_or_else(|| Refusal::missing("outfit"))?.id.clone();
        Ok((info, outfit))
    }

    /// A presenter in an outfit, for programs.
    pub async fn portrait(&self, presenter: &str, outfit: &str) -> Result<Bytes, Refusal> {
        let (info, outfit) = self.dressed(presenter, outfit)?;
        self.thumbnail(EVERYBODY, &portrait(&info.id, &outfit), 0, 360).await
    }

    /// The portrait that the program brings along, as WebP: nobody waits for it.
    pub fn kept_portrait(&self, presenter: &str, outfit: &str) -> Result<Bytes, Refusal> {
        let (info, outfit) = self.dressed(presenter, outfit)?;
        let kept = compere_avatar::portrait(&info.id, &outfit).ok_or_else(|| Refusal::missing("portrait"))?;
        Ok(Bytes::from_static(kept))
    }

    /// A presenter before a plain wall, for people, and what kind of picture it is: of the built-in cast the portrait
    /// that is kept, of everybody else one drawn when it is first asked for.
    pub async fn bust(&self, account: &str, presenter: &str, outfit: &str) -> Result<(Bytes, &'static str), Refusal> {
        if self.cast.get(presenter).is_none()
            && let Some(own) = self.presenter_for(account, presenter)
        {
            // Of footage there is one, whatever it is called by.
            let worn = own.outfit(outfit).ok().and_then(|at| own.outfits.get(at)).or(own.outfits.first());
            let worn = worn.map_or("", |outfit| outfit.id.as_str());
            return match self.thumbnail(account, &bust(&own.id, worn), 0, 360).await {
                Ok(picture) => Ok((picture, "image/jpeg")),
                // Taken away while they were drawn.
                Err(_) if self.own_info(account, &own.id).is_none() => Err(Refusal::missing("presenter")),
                Err(error) => Err(error),
            };
        }
        let (info, outfit) = self.dressed(presenter, outfit)?;
        if let Some(kept) = compere_avatar::portrait(&info.id, &outfit) {
            return Ok((Bytes::from_static(kept), "image/webp"));
        }
        Ok((self.thumbnail(EVERYBODY, &bust(&info.id, &outfit), 0, 360).await?, "image/jpeg"))
    }

    /// Every shape of the mouth, and what the eyes can do, as PNG.
    pub async fn contact_sheet(&self, presenter: &str, outfit: &str) -> Result<Bytes, Refusal> {
        let (info, outfit) = self.dressed(presenter, outfit)?;
        let presenter = self.cast.get(&info.id).ok_or_else(|| Refusal::missing("presenter"))?;
        let name = self.name("sheet").and(&info.id).and(&outfit);
        self.drawn(&name, move || contact_sheet(&*presenter, outfit)).await
    }

    /// `office` or `office-portrait`, small, as PNG.
    pub async fn backdrop(&self, name: &str) -> Result<Bytes, Refusal> {
        let (bare, width, height) = match name.strip_suffix("-portrait") {
            Some(bare) => (bare.to_owned(), 270, 480),
            None => (name.to_owned(), 480, 270),
        };
        if !backdrop::catalogue().iter().any(|entry| entry.name == bare) {
            return Err(Refusal::missing("background"));
        }
        let paint = move || {
            let picture = backdrop::paint(&bare, width, height).ok_or("there is no such background")?;
            compere_codec::image::pixmap_to_png(&picture).map_err(|error| error.to_string())
        };
        self.drawn(&self.name("background").and(name), paint).await
    }

    async fn drawn(
        &self,
        name: &Name,
        draw: impl FnOnce() -> Result<Vec<u8>, String> + Send + 'static,
    ) -> Result<Bytes, Refusal> {
        if let Some(bytes) = self.kept(name).await {
            return Ok(bytes);
        }
        let _turn = self.drawing.acquire().await.map_err(Refusal::inside)?;
        if let Some(bytes) = self.kept(name).await {
            return Ok(bytes);
        }
        let drawn = tokio::task::spawn_blocking(draw).await.map_err(Refusal::inside)?;
        let bytes = Bytes::from(drawn.map_err(Refusal::Unreadable)?);
        self.keep_picture(name, &bytes).await;
        Ok(bytes)
    }
}

fn trim(dir: &Path, cap: u64) -> std::io::Result<()> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        files.push((meta.modified()?, meta.len(), entry.path()));
    }
    files.sort();
    let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
    for (_, size, path) in files {
        if total <= cap {
            break;
        }
        std::fs::remove_file(path)?;
        total -= size;
    }
    Ok(())
}

/// The project with one scene only: what a frame of it depends on.
pub(crate) fn alone(project: &Value, scene: usize) -> Value {
    let mut body = serde_json::Map::new();
    for key in ["orientation", "dictionary", "onAssetError", "language"] {
        if let Some(value) = project.get(key) {
            body.insert(key.to_owned(), value.clone());
        }
    }
    let scene = project.pointer(&format!("/scenes/{scene}")).cloned().unwrap_or_default();
    body.insert("scenes".to_owned(), Value::Array(vec![scene]));
    Value::Object(body)
}

/// A presenter before a plain wall, in portrait.
fn portrait(model: &str, outfit: &str) -> Value {
    json!({
        "name": "portrait", "orientation": "portrait",
        "scenes": [{
            "sceneIdx": 0, "duration": 1,
            "scripts": [{ "org": "", "isTTS": false, "tts": null, "modelId": model, "clothId": outfit }],
            "background": { "source_type": "color", "source_color": "rgb(233,238,244)" },
            "clips": [{
                "id": "presenter", "type": "aiModel", "layer": 1, "left": 90, "top": 360, "width": 900, "height": 1560,
                "model": { "ai_name": model, "emotion": outfit },
            }],
        }],
    })
}

fn bust(model: &str, outfit: &str) -> Value {
    json!({
        "orientation": "portrait",
        "scenes": [{
            "sceneIdx": 0, "duration": 1,
            "scripts": [{ "org": "", "isTTS": false, "tts": null, "modelId": model, "clothId": outfit }],
            "background": {
                "id": "background", "type": "background", "source_type": "color", "source_color": "rgb(214,224,232)",
            },
            "clips": [{
                "id": "presenter", "type": "aiModel", "layer": 1, "left": 0, "top": 90, "width": 1080, "height": 1290,
                "model": { "ai_name": model, "emotion": outfit },
            }],
        }],
    })
}

fn contact_sheet(presenter: &dyn Presenter, outfit: String) -> Result<Vec<u8>, String> {
    let want = Want { outfit, width: 220, height: 220, framing: Framing::Head };
    let sheet = compere_avatar::preview(presenter, &want, 5, &compere_avatar::NoCache);
    let sheet = sheet.map_err(|error| error.to_string())?;
    compere_codec::image::pixmap_to_png(&sheet).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_still_depends_on_its_own_scene() {
        let project = json!({"name": "a", "orientation": "portrait", "scenes": [{"sceneIdx": 0}, {"sceneIdx": 1}]});
        assert_eq!(alone(&project, 1), json!({"orientation": "portrait", "scenes": [{"sceneIdx": 1}]}));
        assert_eq!(alone(&project, 7)["scenes"][0], Value::Null);
    }

    #[test]
    fn the_oldest_go_first() {
        let dir = tempfile::tempdir().expect("a folder");
        for name in ["a", "b", "c"] {
            std::fs::write(dir.path().join(name), [0; 10]).expect("writes");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        trim(dir.path(), 20).expect("trims");
        assert!(!dir.path().join("a").exists());
        assert!(dir.path().join("b").exists() && dir.path().join("c").exists());
    }
}
