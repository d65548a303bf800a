//! Linked files: fetched, looked at, decoded where they are pictures.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use compere_codec::image::{self, Want};
use compere_codec::sandbox::{Left, Sandbox};
use compere_codec::{MediaInfo, probe};
use compere_media::Pixmap;
use compere_scene::{ClipKind, Film, Font, OnAssetError, Source, SpeechLine};

use crate::pictures::Pictures;
use crate::progress::Meter;
use crate::typecase::Typecase;
use crate::{Key, Progress, RenderError, Studio, Warning};

/// Everything a film links to.
#[derive(Debug, Default)]
pub(crate) struct Footage {
    pub(crate) pictures: BTreeMap<Source, Arc<Pixmap>>,
    pub(crate) files: BTreeMap<Source, Linked>,
    pub(crate) typecase: Typecase,
}

/// A fetched file.
#[derive(Debug, Clone)]
pub(crate) struct Linked {
    pub(crate) path: PathBuf,
    /// The hash of its content.
    pub(crate) id: Key,
    /// What is in it, if it plays.
    pub(crate) info: Option<MediaInfo>,
}

/// What a file is used as. One file may be used as several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Picture,
    Video,
    Sound,
    Font,
}

/// One link in the document.
#[derive(Debug, Clone)]
struct Link {
    source: Source,
    used: Use,
    path: String,
    /// The largest size in output pixels at which the picture is seen.
    size: (u32, u32),
}

/// Fetches everything and leaves out of `film` what could not be had, if the author allows that. Pictures that are kept
/// somewhere are not decoded again.
pub(crate) fn fetch(
    film: &mut Film,
    studio: &dyn Studio,
    kept: Option<&Pictures>,
    meter: &Meter<'_>,
    warnings: &mut BTreeSet<Warning>,
) -> Result<Footage, RenderError> {
    let wanted = wanted(&links(film));
    let left = meter.left();
    let hands = Hands { studio, kept, sandbox: studio.workshop().sandbox.clone().until(left.clone()), left };
    let fetched = Mutex::new(Footage::default());
    let failed = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    let cancelled = std::thread::scope(|scope| {
        // Fetching waits for others most of the time, decoding runs in children: more threads than cores are right.
        let workers: Vec<_> = (0..wanted.len().min(4))
            .map(|_| scope.spawn(|| fetch_some(&wanted, &next, &hands, meter, &fetched, &failed)))
            .collect();
        workers.into_iter().any(|worker| worker.join().unwrap_or(true))
    });
    if cancelled {
        return Err(RenderError::Cancelled);
    }
    let failed = failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    settle(film, &failed, warnings)?;
    let mut footage = fetched.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let fetched = |at: usize| footage.files.get(&film.fonts[at].source).map(|file| (file.path.as_path(), &file.id));
    footage.typecase = Typecase::open(film, fetched)?;
    Ok(footage)
}

/// Answers whether somebody asked to stop.
fn fetch_some(
    wanted: &[Link],
    next: &AtomicUsize,
    hands: &Hands<'_>,
    meter: &Meter<'_>,
    fetched: &Mutex<Footage>,
    failed: &Mutex<BTreeMap<(Source, Use), String>>,
) -> bool {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(link) = wanted.get(index) else { return false };
        let progress = Progress::Fetching { done: index as u32, of: wanted.len() as u32 };
        if meter.see(progress).is_break() {
            return true;
        }
        let got = hands.fetch(link);
        // What broke off because nobody waits is not broken.
        if meter.see(progress).is_break() {
            return true;
        }
        match got {
            Ok((linked, picture)) => {
                let mut fetched = fetched.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if let Some(picture) = picture {
                    fetched.pictures.insert(link.source.clone(), picture);
                }
                let entry = fetched.files.entry(link.source.clone()).or_insert_with(|| linked.clone());
                entry.info = entry.info.take().or(linked.info);
            }
            Err(what) => {
                let mut failed = failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                failed.insert((link.source.clone(), link.used), what);
            }
        }
    }
}

/// Who fetches, and with what.
struct Hands<'a> {
    studio: &'a dyn Studio,
    kept: Option<&'a Pictures>,
    sandbox: Sandbox,
    left: Left,
}

impl Hands<'_> {
    fn fetch(&self, link: &Link) -> Result<(Linked, Option<Arc<Pixmap>>), String> {
        let path = self.studio.file(&link.source, &self.left)?;
        let name = &link.source.0;
        let about = |error: compere_codec::MediaError| format!("{name} {}", error.what);
        let id = content_id(&path).map_err(|error| format!("{name} cannot be read: {error}"))?;
        match link.used {
            Use::Picture => {
                let want = Want { max_width: link.size.0, max_height: link.size.1 };
                if let Some(picture) = self.kept.and_then(|kept| kept.get(&id, want)) {
                    return Ok((Linked { path, id, info: None }, Some(picture)));
                }
                let picture = Arc::new(image::decode(&self.sandbox, &path, want).map_err(about)?);
                self.kept.inspect(|kept| kept.keep(&id, want, &picture));
                Ok((Linked { path, id, info: None }, Some(picture)))
            }
            // Read when a text is written with it, by whoever draws letters.
            Use::Font => Ok((Linked { path, id, info: None }, None)),
            Use::Video | Use::Sound => {
                let info = probe(&self.sandbox, &path).map_err(about)?;
                let missing = match link.used {
                    Use::Video => info.video.is_none().then_some("holds no pictures"),
                    _ => info.audio.is_none().then_some("holds no sound"),
                };
                match missing {
                    Some(what) => Err(format!("{name} {what}")),
                    None => Ok((Linked { path, id, info: Some(info) }, None)),
                }
            }
        }
    }
}

fn content_id(path: &std::path::Path) -> std::io::Result<Key> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(std::fs::File::open(path)?)?;
    Ok(Key::of(&[hasher.finalize().as_bytes()]))
}

/// Every link of a film, in order.
fn links(film: &Film) -> Vec<Link> {
    let scale = f64::from(film.output().0) / f64::from(film.canvas().0);
    let whole = film.output();
    let mut links = Vec::new();
    for scene in &film.scenes {
        let background = &scene.background;
        let mut add = |source: &Source, used, path: &str, size| {
            links.push(Link { source: source.clone(), used, path: path.to_owned(), size });
        };
        match (&background.video, &background.picture) {
            (Some(video), _) => add(video, Use::Video, &background.path, whole),
            // Covering a wide canvas with a tall picture shows a part of it only: up to twice the size is of use.
            (None, Some(picture)) => add(picture, Use::Picture, &background.path, (whole.0 * 2, whole.1 * 2)),
            (None, None) => {}
        }
        for clip in &scene.clips {
            let side = |length: f64| (length * scale).ceil().clamp(1.0, 16_384.0) as u32;
            let size = (side(clip.place.width), side(clip.place.height));
            match &clip.kind {
                ClipKind::Image(image) => add(&image.source, Use::Picture, &clip.path, size),
                ClipKind::Video(video) => add(&video.source, Use::Video, &clip.path, size),
                ClipKind::Audio(audio) => add(&audio.source, Use::Sound, &clip.path, size),
                ClipKind::Shape(_) | ClipKind::Text(_) | ClipKind::Avatar(_) => {}
            }
        }
    }
    for line in film.scenes.iter().flat_map(|scene| &scene.lines) {
        if let Some(source) = &line.audio {
            links.push(Link { source: source.clone(), used: Use::Sound, path: audio_path(line), size: (0, 0) });
        }
    }
    if let Some(music) = &film.music {
        links.push(Link { source: music.source.clone(), used: Use::Sound, path: music.path.clone(), size: (0, 0) });
    }
    let font = |font: &Font| {
        let (source, path) = (font.source.clone(), font.path.clone());
        Link { source, used: Use::Font, path, size: (0, 0) }
    };
    links.extend(film.fonts.iter().map(font));
    links
}

/// Where the recording of a line stands in the document.
pub(crate) fn audio_path(line: &SpeechLine) -> String {
    format!("{}.audio", line.path)
}

/// Each file once per use, pictures at the largest size they are seen at.
fn wanted(links: &[Link]) -> Vec<Link> {
    let mut wanted: BTreeMap<(Source, Use), Link> = BTreeMap::new();
    for link in links {
        let entry = wanted.entry((link.source.clone(), link.used)).or_insert_with(|| link.clone());
        entry.size = (entry.size.0.max(link.size.0), entry.size.1.max(link.size.1));
    }
    wanted.into_values().collect()
}

/// Fails with the first link that could not be had, or takes all of them out of the film.
fn settle(
    film: &mut Film,
    failed: &BTreeMap<(Source, Use), String>,
    warnings: &mut BTreeSet<Warning>,
) -> Result<(), RenderError> {
    let mut broken = BTreeSet::new();
    for link in links(film) {
        let Some(what) = failed.get(&(link.source, link.used)) else { continue };
        if film.on_asset_error == OnAssetError::Fail {
            return Err(RenderError::asset(&link.path, what));
        }
        warnings.insert(Warning { path: link.path.clone(), message: format!("left out: {what}") });
        broken.insert(link.path);
    }
    if film.music.as_ref().is_some_and(|music| broken.contains(&music.path)) {
        film.music = None;
    }
    film.fonts.retain(|font| !broken.contains(&font.path));
    for scene in &mut film.scenes {
        if broken.contains(&scene.background.path) {
            (scene.background.picture, scene.background.video) = (None, None);
        }
        // Lines point at clips by index, so a broken clip stays in its place and only loses its picture.
        // Without its recording a line is spoken by its voice.
        for line in &mut scene.lines {
            if broken.contains(&audio_path(line)) {
                line.audio = None;
            }
        }
        for clip in &mut scene.clips {
            if broken.contains(&clip.path) {
                clip.opacity = 0.0;
            }
        }
    }
    Ok(())
}
