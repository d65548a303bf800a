//! Links to our own media, read from the object store instead of over the network.
//!
//! A link is ours when its path and signature are, with or without our own address before it. One whose signature is
//! wrong is refused, not passed on: nothing that claims to be ours is asked of another machine.

use std::path::{Path, PathBuf};

use compere_store::{Key, Objects};

use compere_house::assets::{Cache, Note};
use compere_house::links::Links;

/// Ten gigabytes of uploads and slides.
const KEPT: u64 = 10_000_000_000;

#[derive(Debug)]
pub struct OwnMedia {
    links: Links,
    objects: Objects,
    /// Objects of a remote store, once fetched: what a key names never changes. What is used least goes.
    kept: Cache,
    /// Speaks with a remote store.
    runtime: tokio::runtime::Runtime,
}

impl OwnMedia {
    pub fn new(links: Links, objects: Objects, kept: &Path) -> std::io::Result<Self> {
        let kept = Cache::open(kept, KEPT)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Self { links, objects, kept, runtime })
    }

    /// The file behind a link of ours; none when the link is somebody else's.
    pub fn file(&self, link: &str) -> Option<Result<PathBuf, String>> {
        let path = link.strip_prefix(self.links.base()).unwrap_or(link);
        if !path.starts_with("/media/") {
            return None;
        }
        let bare = path.split(['?', '#']).next().unwrap_or_default();
        let key = self.key(bare);
        Some(
            key.ok_or_else(|| format!("`{bare}` is not a link of ours: its signature is wrong"))
                .and_then(|key| self.fetch(&key).map_err(|why| format!("`{bare}` cannot be had: {why}"))),
        )
    }

    fn key(&self, path: &str) -> Option<Key> {
        let parts: Vec<&str> = path.split('/').collect();
        let is_id = |id: &str| !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        match parts.as_slice() {
            ["", "media", "a", id, signature, _name] if is_id(id) => {
                self.links.admits_asset(id, signature).then(|| Key::Asset((*id).to_owned()))
            }
            ["", "media", "s", project, signature, file] if is_id(project) => {
                let key = slide(project, file)?;
                self.links.admits_slides(project, signature).then_some(key)
            }
            _ => None,
        }
    }

    fn fetch(&self, key: &Key) -> Result<PathBuf, String> {
        if let Some(file) = self.objects.local(key) {
            return if file.is_file() { Ok(file) } else { Err("it was deleted".to_owned()) };
        }
        let name = key.path();
        if let Some(file) = self.kept.entry(&name).and_then(|entry| self.kept.file(&entry)) {
            return Ok(file);
        }
        let failed = |error: std::io::Error| error.to_string();
        let mut partial = self.kept.begin().map_err(failed)?;
        let fetched = self.runtime.block_on(self.objects.fetch(key, |piece| partial.add(piece)));
        if !fetched.map_err(|error| error.to_string())? {
            return Err("it was deleted".to_owned());
        }
        self.kept.keep(&name, partial, Note::default()).map_err(failed)
    }
}

/// `slide-3.png`, `thumb-3.jpg`
fn slide(project: &str, file: &str) -> Option<Key> {
    let (name, extension) = file.split_once('.')?;
    let (kind, number) = name.split_once('-')?;
    let number = number.parse().ok()?;
    match (kind, extension) {
        ("slide", "png" | "jpg" | "svg" | "webp") => Some(Key::Slide(project.to_owned(), number, extension.to_owned())),
        ("thumb", "jpg") => Some(Key::Thumbnail(project.to_owned(), number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_signed_links_open_and_foreign_ones_are_left_alone() {
        let dir = tempfile::tempdir().expect("a folder");
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        let links = Links::new("secret", "http://box:7300".to_owned(), 7);
        let media = OwnMedia::new(links.clone(), objects.clone(), &dir.path().join("kept")).expect("opens");
        media.runtime.block_on(objects.put(&Key::Asset("abc123".into()), "x".into())).expect("stores");
        media.runtime.block_on(objects.put(&Key::Slide("p1".into(), 3, "png".into()), "y".into())).expect("stores");
        let good = links.asset("abc123", "Logo ä.png");
        for link in [good.clone(), format!("http://box:7300{good}"), format!("{good}?v=2")] {
            let file = media.file(&link).expect("is ours").expect("opens");
            assert_eq!(std::fs::read(file).expect("reads"), b"x");
        }
        assert!(media.file(&links.slide("p1", "slide-3.png")).expect("is ours").is_ok());
        for bad in [good.replace("abc123", "abc124"), "/media/a/abc123/0000/x.png".into(), "/media/a/../x/y/z".into()] {
            media.file(&bad).expect("claims to be ours").expect_err(&bad);
        }
        assert!(media.file("https://example.com/media/a/abc123/x/y.png").is_none());
        assert!(media.file("/images/background/x.png").is_none());
        let gone = links.asset("ffff", "x.png");
        assert!(media.file(&gone).expect("is ours").expect_err("was deleted").contains("deleted"));
    }
}
