//! Decoded pictures that are looked at again and again while a scene is edited.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use compere_codec::image::Want;
use compere_media::Pixmap;

use crate::Key;

/// By content and size: a picture that changed under its link is another one.
#[derive(Debug, Default)]
pub(crate) struct Pictures {
    warm: Mutex<VecDeque<(Key, Want, Arc<Pixmap>)>>,
}

impl Pictures {
    /// Bytes of pixels; the longest unused go first.
    const MOST: usize = 96 << 20;

    pub(crate) fn get(&self, content: &Key, want: Want) -> Option<Arc<Pixmap>> {
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        let at = warm.iter().position(|(id, size, _)| id == content && *size == want)?;
        let found = warm.remove(at)?;
        let picture = Arc::clone(&found.2);
        warm.push_back(found);
        Some(picture)
    }

    pub(crate) fn keep(&self, content: &Key, want: Want, picture: &Arc<Pixmap>) {
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        warm.push_back((content.clone(), want, Arc::clone(picture)));
        let size = |picture: &Pixmap| picture.data().len() * 4;
        let mut all: usize = warm.iter().map(|(.., picture)| size(picture)).sum();
        while all > Self::MOST {
            let Some((.., gone)) = warm.pop_front() else { break };
            all -= size(&gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_looked_at_for_longest_goes_first() {
        let pictures = Pictures::default();
        let want = Want { max_width: 2000, max_height: 2000 };
        let key = |name: &str| Key::of(&[name.as_bytes()]);
        let large = Arc::new(Pixmap::new(2600, 2600));
        for name in ["a", "b", "c"] {
            pictures.keep(&key(name), want, &large);
        }
        assert!(pictures.get(&key("a"), want).is_some());
        assert!(pictures.get(&key("a"), Want { max_width: 10, ..want }).is_none(), "another size is another picture");
        pictures.keep(&key("d"), want, &large);
        let there = ["a", "b", "c", "d"].map(|name| pictures.get(&key(name), want).is_some());
        assert_eq!(there, [true, false, true, true]);
    }
}
