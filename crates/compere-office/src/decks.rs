//! Documents that become projects: by the API and by the dashboard alike.
//!
//! A document is read beside everything else. Whoever sent it waits for a while; a document that takes longer leaves a
//! project behind that is importing and fills in, or fails with its reason. One that fails at once leaves nothing.
//!
//! A deck's new version is read into a project of its own, which nobody works with; when it is whole, its scenes are taken
//! over by the project that has the old version, and it is gone. Until then, and if it fails, nothing has changed there.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use compere_codec::sandbox::Left;
use compere_house::Kind;
use compere_house::assets::Fetcher;
use compere_house::home::sandbox;
use compere_house::writer::LanguageModel;
use compere_import::{
    Deck, Fetch, ImportError, ImportErrorKind, Presenter, Progress, Quiet, Scribe, Want, Wish, deck_to_project, renewed,
};
use compere_scene::Problem;
use compere_store::{Account, Key, NewProject, Occasion, Project, ProjectKind, new_id};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::accept::Draft;
use crate::behind::behind;
use crate::fonts::with_own;
use crate::turns::Work;
use crate::{Member, Office, Refusal, options, refusal};

/// So long one file may take that a slide plays or shows from elsewhere.
const PATIENCE: Duration = Duration::from_secs(30);

/// A document as it was sent.
#[derive(Debug)]
pub struct Sent {
    pub file: tempfile::TempPath,
    /// What its project shall be called, rather than as the document says.
    pub name: Option<String>,
    /// As the sender's machine calls it.
    pub file_name: String,
    pub workspace: Option<String>,
    pub wish: Wish,
    /// Who speaks the notes, rather than the account's own.
    pub presenter: Option<Presenter>,
    /// The project whose document this is a new version of.
    pub into: Option<String>,
}

impl Office {
    /// Reads a document. After `patience` the project is given back as it is then: importing.
    pub async fn import(self: &Arc<Self>, member: &Member, sent: Sent, patience: Duration) -> Result<Project, Refusal> {
        if let Some(old) = &sent.into {
            self.renewable(member, old).await?;
        }
        let size = std::fs::metadata(&sent.file).map_or(0, |meta| meta.len());
        self.make_room(&member.account, i64::try_from(size).unwrap_or(i64::MAX)).await?;
        let (id, account) = (new_id(self.now()), member.account.clone());
        let bare = Path::new(&sent.file_name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = sent.name.clone().or(bare.clone()).unwrap_or_else(|| "Slides".to_owned());
        let name: String = name.chars().take(200).collect();
        let film = json!({ "name": name, "orientation": "landscape", "scenes": [] });
        let draft = Draft { workspace: sent.workspace.clone(), ..Draft::new(ProjectKind::Slides, film) };
        let new = NewProject {
            id: Some(id.clone()),
            importing: Some(Importing::at(0.0, None).to_string()),
            ..draft.stored(&account.id)
        };
        self.store.create_project(new).await?;
        let shown = sent.into.clone().unwrap_or_else(|| id.clone());
        let is_new = sent.into.is_none();
        if !is_new {
            self.store.set_importing(&shown, Some(&Importing::at(0.0, None).to_string())).await?;
        }
        let (office, reading) = (Arc::clone(self), id.clone());
        let work = tokio::spawn(async move { office.read_deck(&reading, &account, sent, bare).await });
        if let Ok(done) = tokio::time::timeout(patience, work).await
            && let Err(refusal) = done.map_err(Refusal::inside).flatten()
        {
            if is_new {
                self.store.delete_projects(&member.account.id, std::slice::from_ref(&id)).await?;
            }
            return Err(refusal);
        }
        self.project(member, &shown).await
    }

    /// Reads it and fills the project in, or writes down why not.
    async fn read_deck(
        self: &Arc<Self>,
        id: &str,
        account: &Account,
        sent: Sent,
        bare: Option<String>,
    ) -> Result<(), Refusal> {
        let old = sent.into.clone();
        let done = self.fill(id, account, sent, bare).await;
        let done = match &old {
            Some(old) => self.renew(account, old, id, done).await,
            None => done,
        };
        let told = done.as_ref().err().map(|refusal| {
            tracing::warn!(project = id, ?refusal, "an import failed");
            Importing::Failed { error: refusal.to_string(), kind: refusal.kind() }.to_string()
        });
        // A project that has an old version goes on having it.
        let told = told.filter(|_| old.is_none());
        let shown = old.as_deref().unwrap_or(id);
        self.store.set_importing(shown, told.as_deref()).await?;
        let event = if done.is_ok() { Occasion::Imported } else { Occasion::ImportFailed };
        self.tell_of_import(&account.id, shown, event, done.as_ref().err()).await;
        done
    }

    /// A project made of a document, which is not being read at the moment.
    async fn renewable(&self, member: &Member, id: &str) -> Result<(), Refusal> {
        let project = self.project(member, id).await?;
        if project.importing.is_some() {
            return Err(Refusal::Importing);
        }
        if project.kind != ProjectKind::Slides {
            let message = "must be a project that was made of a document; without it a new one is made";
            return Err(Refusal::field("projectId", message));
        }
        Ok(())
    }

    /// The scenes of a new version take their places in the project that has the old one; the new one's own project goes.
    async fn renew(&self, account: &Account, old: &str, new: &str, read: Result<(), Refusal>) -> Result<(), Refusal> {
        let done = match read {
            Ok(()) => self.take_over(account, old, new).await,
            Err(refusal) => {
                self.note_of_failure(account, old, &refusal).await;
                Err(refusal)
            }
        };
        let deleted = self.store.delete_projects(&account.id, &[new.to_owned()]).await?;
        self.forget(&deleted).await;
        done
    }

    async fn take_over(&self, account: &Account, old: &str, new: &str) -> Result<(), Refusal> {
        const TRIES: usize = 5;
        let found = async |id: &str| -> Result<Project, Refusal> {
            self.store.project(&account.id, id).await?.ok_or_else(|| Refusal::no_project(id))
        };
        let new = found(new).await?.body()?;
        for _ in 0..TRIES {
            let project = found(old).await?;
            let body = renewed(&project.body()?, &new);
            let edited = self.store.edit_project(&account.id, old, project.revision, &body, "imported anew").await?;
            if edited.is_some() {
                return Ok(());
            }
        }
        Err(Refusal::Changed)
    }

    /// Whoever no longer waits finds it among the warnings.
    async fn note_of_failure(&self, account: &Account, id: &str, refusal: &Refusal) {
        let noted = async {
            let Some(project) = self.store.project(&account.id, id).await? else { return Ok(()) };
            let mut body = project.body()?;
            let mut all = warnings(&body);
            all.retain(|warning| !warning.starts_with(NOT_READ));
            all.insert(0, format!("{NOT_READ}: {refusal}"));
            body["importWarnings"] = json!(all);
            self.store.edit_project(&account.id, id, project.revision, &body, "imported anew").await?;
            Ok::<(), Refusal>(())
        };
        if let Err(error) = noted.await {
            tracing::warn!(project = id, ?error, "nobody was told of a new version that could not be read");
        }
    }

    async fn fill(
        self: &Arc<Self>,
        id: &str,
        account: &Account,
        sent: Sent,
        bare: Option<String>,
    ) -> Result<(), Refusal> {
        let wait = self.turns.estimate(&account.id, Work::Import).ceil();
        if wait > 0.0 {
            let told = Importing::at(0.0, Some(wait)).to_string();
            self.store.set_importing(sent.into.as_deref().unwrap_or(id), Some(&told)).await?;
        }
        let _turn = self.turns.wait(&account.id, Work::Import).await?;
        if self.store.project(&account.id, id).await?.is_none() {
            return Err(Refusal::no_project(id));
        }
        let out = self.home.data.join("imports").join(id);
        let _cleared = Cleared(out.clone());
        let (told, progress) = tokio::sync::watch::channel(0.0);
        let shown = sent.into.clone().unwrap_or_else(|| id.to_owned());
        let (office, telling, gone) = (Arc::clone(self), shown.clone(), Arc::new(AtomicBool::new(false)));
        let thrown_away = Arc::clone(&gone);
        let telling = tokio::spawn(async move { office.tell(&telling, progress, &thrown_away).await });
        let mut want = Want::new(compere_speech::language_of);
        want.limits.bytes = self.settings.limits.document.bytes();
        want.limits.slides = self.settings.limits.slides as usize;
        want.wish = sent.wish;
        want.scribe = self.scribe();
        want.fetch = self.fetch(&gone);
        let beside = tempfile::tempdir().map_err(Refusal::inside)?;
        let fonts = self.font_files(&account.id, beside.path()).await?;
        let (file, folder, stopping) = (sent.file, out.clone(), self.stopping.clone());
        let reading = behind(move || {
            want.fonts = fonts.iter().map(|font| font.file.clone()).collect();
            if want.wish.editable {
                // A service without fonts makes no films; its slides are pictures like all others.
                want.editable = with_own(&fonts);
            }
            let sandbox = sandbox().map_err(|sentence| ImportError { kind: ImportErrorKind::Internal, sentence })?;
            let watch = |progress: Progress| {
                told.send_replace(progress.percent());
                if *stopping.borrow() || gone.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            compere_import::import(&file, &want, &folder, &sandbox, &watch).map(|deck| (deck, file))
        });
        let read = reading.await;
        drop(beside);
        // The last word is ours, of a failure too: who was told of progress after it would wait for ever.
        let _ = telling.await;
        let (deck, file) = read??;
        let bytes = bytes_of(&deck, &file);
        let _held = self.hold_room(account, bytes).await?;
        self.objects.put_file(&Key::Source(id.to_owned()), &file).await?;
        self.store.weigh_deck(&shown, bytes).await?;
        let presenter = sent.presenter.unwrap_or_else(|| self.presenter_of(Some(account)));
        let name = sent.name.or(if deck.title.is_some() { None } else { bare });
        self.keep_deck(id, account, name, deck, &presenter).await
    }

    /// Writes progress down, not more often than anybody looks. A project that was deleted meanwhile is `gone`.
    async fn tell(&self, id: &str, mut progress: tokio::sync::watch::Receiver<f64>, gone: &AtomicBool) {
        while progress.changed().await.is_ok() {
            let percent = progress.borrow_and_update().floor();
            let told = Importing::at(percent, None).to_string();
            match self.store.set_importing(id, Some(&told)).await {
                Ok(there) => gone.store(!there, Ordering::Relaxed),
                Err(error) => tracing::warn!(%error, "progress of an import was not written"),
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// The deck's pictures into the object store, and the project's body in one go.
    async fn keep_deck(
        &self,
        id: &str,
        account: &Account,
        name: Option<String>,
        deck: Deck,
        presenter: &Presenter,
    ) -> Result<(), Refusal> {
        let mut names: HashMap<PathBuf, String> = HashMap::new();
        for (at, slide) in deck.slides.iter().enumerate() {
            let (number, ending) = (at as u32 + 1, extension(&slide.picture));
            names.insert(slide.picture.clone(), format!("slide-{number}.{ending}"));
            names.insert(slide.thumbnail.clone(), format!("thumb-{number}.jpg"));
            self.objects.put_file(&Key::Slide(id.to_owned(), number, ending), &slide.picture).await?;
            self.objects.put_file(&Key::Thumbnail(id.to_owned(), number), &slide.thumbnail).await?;
        }
        let images = deck.slides.iter().flat_map(|slide| &slide.clips).filter_map(|clip| clip.what.file());
        // What stood on slides is counted on after the slides.
        for (number, path) in (deck.slides.len() as u32 + 1..).zip(images) {
            let ending = extension(path);
            names.insert(path.to_owned(), format!("slide-{number}.{ending}"));
            self.objects.put_file(&Key::Slide(id.to_owned(), number, ending), path).await?;
        }
        let link = |path: &Path| names.get(path).map(|name| self.links.slide(id, name)).unwrap_or_default();
        let mut body = deck_to_project(&deck, &link, name.as_deref(), presenter);
        body["originalUrl"] = json!(self.links.slide(id, &format!("original.{}", deck.kind.name())));
        if !deck.warnings.is_empty() {
            let warnings: Vec<String> = deck.warnings.iter().map(ToString::to_string).collect();
            body["importWarnings"] = json!(warnings);
        }
        let project = self.store.project(&account.id, id).await?;
        let project = project.ok_or_else(|| Refusal::inside("the project was deleted meanwhile"))?;
        let edited = self.store.edit_project(&account.id, id, project.revision, &body, "imported").await?;
        self.ahead.note(&account.id, id);
        edited.map(|_| ()).ok_or_else(|| Refusal::inside("the project was changed while it was imported"))
    }

    /// What a form's fields want of a document, who shall present it, and everything that is wrong with them.
    pub fn wish_of(
        &self,
        member: &Member,
        fields: &BTreeMap<String, String>,
    ) -> (Wish, Option<Presenter>, Vec<Problem>) {
        let (wish, mut wrong) = Wish::read(fields);
        let (presenter, more) =
            Presenter::chosen(self.presenter_of(Some(&member.account)), fields, &*self.house_of(&member.account.id));
        wrong.extend(more);
        if wish.quiet == Quiet::Written && self.scribe().is_none() {
            let message = "needs a language model, and the operator has named none; `draft` does without";
            wrong.push(("quiet", message.to_owned()));
        }
        let problems = wrong.into_iter().map(|(field, message)| refusal::problem(field, message)).collect();
        (wish, Some(presenter), problems)
    }

    /// The operator's language model, if there is one, for slides without notes.
    fn scribe(&self) -> Option<Scribe> {
        let model = LanguageModel::of(&self.settings.writer)?;
        Some(Scribe(Arc::new(move |instructions: &str, request: &str| model.answer(instructions, request))))
    }

    /// Fetches what slides play and show from elsewhere, by the rules for every link. Nobody where the disk has no place for it.
    fn fetch(&self, gone: &Arc<AtomicBool>) -> Option<Fetch> {
        let fetching = self.fetching("linked/decks", self.settings.limits.asset, PATIENCE);
        let fetcher =
            Fetcher::new(fetching).map_err(|error| tracing::warn!(%error, "decks bring nothing from elsewhere"));
        let fetcher = fetcher.ok()?;
        let left = Left::when(Arc::clone(gone));
        Some(Fetch(Arc::new(move |link: &str| fetcher.fetch_until(link, &left).map_err(|error| error.to_string()))))
    }

    /// The workspace that a form's fields name, and everything that is wrong with what they say beside the file.
    pub async fn workspace_of(
        &self,
        member: &Member,
        fields: &Value,
    ) -> Result<(Option<String>, Vec<Problem>), Refusal> {
        let (options, mut problems) = options::read(fields);
        let options = self.in_workspace(member, options, &mut problems).await?;
        Ok((options.workspace, problems))
    }

    /// An upload's own choice of workspace; an unknown one is none.
    pub async fn workspace_or_none(&self, member: &Member, id: &str) -> Result<Option<String>, Refusal> {
        self.own_workspace(member, id).await
    }

    /// The account's own, else the first of the cast.
    pub(crate) fn presenter_of(&self, account: Option<&Account>) -> Presenter {
        let chosen = account.and_then(|account| account.presenter.as_deref());
        let own = account.zip(chosen).and_then(|(account, id)| self.presenter_for(&account.id, id));
        let Some(info) = own.or_else(|| self.cast.list().first().cloned()) else {
            return Presenter::default();
        };
        let outfit = account.and_then(|account| account.outfit.as_deref()).unwrap_or_default();
        let outfit = info.outfits.get(info.outfit(outfit).unwrap_or(0));
        Presenter { cloth: outfit.map(|outfit| outfit.id.clone()).unwrap_or_default(), model: info.id, voice: None }
    }
}

const NOT_READ: &str = "the new version could not be read, and nothing was changed";

/// Of the document and of all pictures that were made of it.
fn bytes_of(deck: &Deck, file: &Path) -> i64 {
    let slides = deck.slides.iter().flat_map(|slide| [slide.picture.as_path(), slide.thumbnail.as_path()]);
    let clips = deck.slides.iter().flat_map(|slide| &slide.clips).filter_map(|clip| clip.what.file());
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |meta| meta.len() as i64);
    slides.chain(clips).chain([file]).map(size).sum()
}

fn extension(picture: &Path) -> String {
    match picture.extension().and_then(|ending| ending.to_str()) {
        Some("jpeg") => "jpg",
        Some(ending) => ending,
        None => "png",
    }
    .to_owned()
}

/// A folder that is gone when the work in it is over.
struct Cleared(PathBuf);

impl Drop for Cleared {
    fn drop(&mut self) {
        // What cannot be removed now is removed with the data folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Where the import of a project's document is, as its record says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub(crate) enum Importing {
    #[serde(rename_all = "camelCase")]
    Importing {
        progress: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wait_seconds: Option<f64>,
    },
    Failed {
        error: String,
        #[serde(rename = "code")]
        kind: Kind,
    },
}

impl Importing {
    fn at(progress: f64, wait_seconds: Option<f64>) -> Self {
        Self::Importing { progress, wait_seconds }
    }
}

impl std::fmt::Display for Importing {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&serde_json::to_string(self).map_err(|_| std::fmt::Error)?)
    }
}

pub(crate) fn state(project: &Project) -> Option<Importing> {
    project.importing.as_deref().and_then(|text| serde_json::from_str(text).ok())
}

/// What the author should know about an imported project.
pub fn warnings(body: &Value) -> Vec<String> {
    let list = body["importWarnings"].as_array().map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// What a new version of a deck changed, a sentence for each slide that is not as it was, and how many are.
pub fn changes(body: &Value) -> Vec<String> {
    let list = body["importChanges"].as_array().map_or(&[][..], Vec::as_slice);
    let mut kept = 0;
    let mut told = Vec::new();
    for change in list {
        let name = change["name"].as_str().unwrap_or_default();
        let number = change["slide"].as_u64().unwrap_or_default();
        match change["change"].as_str().unwrap_or_default() {
            "kept" => kept += 1,
            word => told.push(format!("Slide {number}, “{name}”, {}", fate(word))),
        }
    }
    match kept {
        0 => (),
        1 => told.push("One slide is as it was; its scene keeps its edits".to_owned()),
        many => told.push(format!("{many} slides are as they were; their scenes keep their edits")),
    }
    told
}

/// What became of a slide's scene, as `importChanges` has it, in plain words.
fn fate(word: &str) -> &'static str {
    match word {
        "notes" => "says its new notes",
        "notes-kept" => "has new notes, but keeps the script that was rewritten here",
        "changed" => "looks otherwise; its scene was made anew",
        "new" => "is new",
        "removed" => "is gone",
        _ => "was changed",
    }
}

/// Where the document lies that a project was made of, and what it is.
pub fn original(body: &Value) -> Option<(String, String)> {
    let link = body["originalUrl"].as_str()?;
    let (_, ending) = link.rsplit_once('.')?;
    Some((link.to_owned(), ending.to_uppercase()))
}
