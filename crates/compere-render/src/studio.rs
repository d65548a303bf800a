//! The one window to the outside, and the things that stay warm between films.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use compere_avatar::{Cast, Pack, PackCache, Want};
use compere_codec::sandbox::{Left, Sandbox};
use compere_compose::draw::Fonts;
use compere_scene::Source;
use compere_speech::{SpeechCache, Utterance, Voices};

use crate::{Cache, Key, Shelf};

/// What a film may ask of the outside.
pub trait Studio: Sync {
    /// A linked file, on this machine. It must not change while the film is made. The error is a sentence for the author.
    /// A fetch breaks off when nobody waits for it any more.
    fn file(&self, source: &Source, left: &Left) -> Result<PathBuf, String>;

    fn workshop(&self) -> &Workshop;
}

/// Everything a film is made with. Cheap to share, expensive to open: one for the life of the process.
#[derive(Debug)]
pub struct Workshop {
    pub fonts: Fonts,
    pub voices: Voices,
    pub cast: Cast,
    pub sandbox: Sandbox,
    pub cache: Cache,
    /// Names the version of everything that draws and encodes. Cached pictures of another one are not used.
    pub engine: String,
    /// Cores to use.
    pub threads: usize,
    /// Bytes that may be spent on scenes drawn side by side.
    pub memory: u64,
    pub packs: Packs,
}

/// Whether it is final.
type WarmPack = (String, Want, Arc<dyn Pack>, bool);

/// Baked presenters of this process.
#[derive(Default)]
pub struct Packs {
    warm: Mutex<VecDeque<WarmPack>>,
    /// Baking uses all cores, so one is baked at a time; and so is one sketched, beside it.
    baking: Mutex<()>,
    sketching: Mutex<()>,
}

impl Packs {
    /// A pack is some tens of megabytes; a film rarely has more presenters than this.
    const WARM: usize = 6;

    /// The pack of a presenter, baked if need be.
    pub(crate) fn get(&self, avatar: &str, want: &Want, shop: &Workshop) -> Result<Arc<dyn Pack>, String> {
        self.find(avatar, want, shop, false).map(|(pack, _)| pack)
    }

    /// The same or a likeness, whatever is there sooner, and whether it is final.
    pub(crate) fn get_soon(&self, avatar: &str, want: &Want, shop: &Workshop) -> Result<(Arc<dyn Pack>, bool), String> {
        self.find(avatar, want, shop, true)
    }

    /// Sees to it that a presenter is baked and lies in the cache, without keeping it warm.
    pub(crate) fn shelve(&self, avatar: &str, want: &Want, shop: &Workshop) -> Result<(), String> {
        let known = known(avatar, shop);
        if self.warm(&known, want, false).is_some() {
            return Ok(());
        }
        let _turn = self.baking.lock().unwrap_or_else(PoisonError::into_inner);
        let shelf = PackShelf { cache: &shop.cache, engine: &shop.engine };
        let presenter = shop.cast.get(avatar).ok_or_else(|| format!("there is no presenter `{avatar}`"))?;
        presenter.bake(want, &shelf).map(drop).map_err(|error| error.to_string())
    }

    /// Whether a presenter takes baking, and others can have what came of it.
    pub(crate) fn is_for_others(&self, avatar: &str, want: &Want, shop: &Workshop) -> bool {
        let kept_as = shop.cast.get(avatar).and_then(|presenter| presenter.kept_as(want));
        let shelf = PackShelf { cache: &shop.cache, engine: &shop.engine };
        kept_as.is_some_and(|key| shop.cache.is_shared(&shelf.key(&key)))
    }

    fn find(&self, avatar: &str, want: &Want, shop: &Workshop, soon: bool) -> Result<(Arc<dyn Pack>, bool), String> {
        let known = known(avatar, shop);
        if let Some(found) = self.warm(&known, want, soon) {
            return Ok(found);
        }
        let turn = if soon { &self.sketching } else { &self.baking };
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = self.warm(&known, want, soon) {
            return Ok(found);
        }
        let shelf = PackShelf { cache: &shop.cache, engine: &shop.engine };
        let presenter = shop.cast.get(avatar).ok_or_else(|| format!("there is no presenter `{avatar}`"))?;
        let made = match soon {
            true => presenter.sketch(want, &shelf).map(|sketch| (sketch.pack, sketch.is_final)),
            false => presenter.bake(want, &shelf).map(|pack| (pack, true)),
        };
        let (pack, is_final) = made.map_err(|error| error.to_string())?;
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        warm.retain(|(id, size, _, fine)| *id != known || size != want || (*fine && !is_final));
        warm.push_back((known, want.clone(), Arc::clone(&pack), is_final));
        if warm.len() > Self::WARM {
            warm.pop_front();
        }
        Ok((pack, is_final))
    }

    fn warm(&self, avatar: &str, want: &Want, soon: bool) -> Option<(Arc<dyn Pack>, bool)> {
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |(id, size, _, fine): &WarmPack| id == avatar && size == want && (*fine || soon);
        // What is final goes before a likeness.
        let at = warm.iter().position(|pack| fits(pack) && pack.3).or_else(|| warm.iter().position(fits))?;
        let found = warm.remove(at)?;
        let (pack, fine) = (Arc::clone(&found.2), found.3);
        warm.push_back(found);
        Some((pack, fine))
    }
}

/// A presenter and what it is made of: one that was designed anew is another one.
fn known(avatar: &str, shop: &Workshop) -> String {
    let made = shop.cast.get(avatar).map(|presenter| presenter.info().made.clone());
    format!("{avatar} {}", made.unwrap_or_default())
}

impl std::fmt::Debug for Packs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Packs").finish_non_exhaustive()
    }
}

impl SpeechCache for Cache {
    fn get(&self, key: &str) -> Option<Utterance> {
        let key = Key::of(&[key.as_bytes()]);
        let bytes = Self::get(self, Shelf::Speech, &key)?;
        let utterance = Utterance::from_bytes(&bytes).ok();
        if utterance.is_none() {
            self.forget(Shelf::Speech, &key);
        }
        utterance
    }

    fn put(&self, key: &str, utterance: &Utterance) {
        // A full disk costs the next film time; this one has its sound.
        let _ = self.put_bytes(Shelf::Speech, &Key::of(&[key.as_bytes()]), &utterance.to_bytes());
    }
}

/// The packs of one version of the program.
#[derive(Debug, Clone, Copy)]
pub struct PackShelf<'a> {
    pub cache: &'a Cache,
    /// As [`Workshop::engine`].
    pub engine: &'a str,
}

impl PackShelf<'_> {
    fn key(&self, key: &str) -> Key {
        // `own ID …`: what goes when its person takes their consent back.
        let own = key.strip_prefix("own ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        Key::of(&[self.engine.as_bytes(), key.as_bytes()]).marked(own)
    }
}

impl PackCache for PackShelf<'_> {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.cache.get(Shelf::Pack, &self.key(key))
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        // As above: losing it costs time only.
        let _ = self.cache.put_bytes(Shelf::Pack, &self.key(key), bytes);
    }
}
