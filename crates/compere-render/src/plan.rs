//! How a scene is cut into pieces that are drawn and kept by themselves.

use std::ops::Range;

use compere_codec::h264::{self, KEY_INTERVAL};
use compere_compose::Compositor;
use compere_media::FRAME_RATE;
use compere_scene::{ClipKind, Scene};

use crate::Key;

/// Frames of a piece at most: no key frame is further from the next.
pub(crate) const LONGEST: u64 = KEY_INTERVAL as u64;

/// Frames of a part of a film's first piece, for whoever watches it being made.
pub(crate) const PART: u64 = FRAME_RATE.num as u64 / FRAME_RATE.den as u64;

/// The frames of a scene as pieces of one key frame interval at most, as equal as can be.
///
/// Pieces are drawn side by side on the cores and kept in the cache one by one; a key frame would stand at their start
/// anyway.
pub(crate) fn pieces(frames: u64) -> Vec<Range<u64>> {
    let count = frames.div_ceil(LONGEST).max(1);
    (0..count).map(|n| frames * n / count..frames * (n + 1) / count).collect()
}

/// What the encoder is told of a piece beforehand.
pub(crate) fn plan(compositor: &Compositor, piece: &Range<u64>) -> h264::Plan {
    let reach = compositor.reach(piece.start, piece.end);
    h264::Plan { reach, footage: compositor.plays_footage(piece.start, piece.end) }
}

/// Everything a scene's pictures depend on, apart from files and speech, as bytes.
///
/// Names, places in the document and what is only heard are left out, so that moving a scene or turning down a sound
/// draws nothing anew.
pub(crate) fn looks(scene: &Scene) -> Vec<u8> {
    let mut scene = scene.clone();
    scene.index = 0;
    scene.duration = None;
    scene.name = None;
    // Only the frames that it covers know of it.
    scene.transition = None;
    scene.background.path.clear();
    // Which presenter says which line is part of the marks; the words themselves are only heard.
    scene.lines.clear();
    scene.clips.retain(|clip| !matches!(clip.kind, ClipKind::Audio(_)));
    for clip in &mut scene.clips {
        clip.id.clear();
        clip.path.clear();
        if let ClipKind::Video(video) = &mut clip.kind {
            video.volume = 1.0;
        }
    }
    // `Debug` prints floats so that they read back exactly, and the key need not outlive this version.
    format!("{scene:?}").into_bytes()
}

/// The key of one piece of a scene known by `scene`, with the scene's mark.
pub(crate) fn piece_key(scene: &Key, piece: &Range<u64>) -> Key {
    let key = Key::of(&[scene.as_str().as_bytes(), &piece.start.to_le_bytes(), &piece.end.to_le_bytes()]);
    key.marked(scene.mark())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_a_scene_without_gap_or_runt() {
        for frames in [1, 29, 250, 251, 499, 500, 501, 4500, 108_000] {
            let pieces = pieces(frames);
            assert_eq!(pieces[0].start, 0);
            assert_eq!(pieces.last().map(|piece| piece.end), Some(frames));
            assert!(pieces.windows(2).all(|pair| pair[0].end == pair[1].start));
            let lengths: Vec<u64> = pieces.iter().map(|piece| piece.end - piece.start).collect();
            let (shortest, longest) = (lengths.iter().min().expect("one"), lengths.iter().max().expect("one"));
            assert!(longest - shortest <= 1 && *longest <= 250, "{frames}: {lengths:?}");
        }
    }
}
