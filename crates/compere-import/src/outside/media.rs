//! Films and sounds of slides as files that scenes can play.

use std::collections::BTreeMap;
use std::path::Path;

use compere_codec::probe::probe;
use compere_codec::sandbox::{Errand, Limits as ErrandLimits};
use compere_media::FRAME_RATE;

use super::work::{Stopped, Work};
use crate::inside::MEDIA_OF_DECK;
use crate::inside::media::Media;
use crate::{Clip, ClipWhat, ImportError, Progress, Warning};

const LARGEST_FILE: u64 = 512 << 20;
/// Endings that are kept; others are named as what they hold.
const FILMS: [&str; 8] = ["mp4", "m4v", "mov", "webm", "wmv", "avi", "mpg", "mkv"];
const SOUNDS: [&str; 6] = ["mp3", "m4a", "wav", "ogg", "wma", "aac"];

/// Of one slide.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) clips: Vec<Clip>,
    /// Those that are only heard, and their names.
    pub(crate) seconds: f64,
}

/// What slides play, by their numbers; `place` says where an area of a slide lies on the canvas.
pub(crate) fn take(
    work: &Work<'_>,
    file: &Path,
    media: &BTreeMap<usize, Vec<Media>>,
    place: &dyn Fn(usize, [f64; 4]) -> Option<[f64; 4]>,
    folder: &Path,
    warnings: &mut Vec<Warning>,
) -> Result<BTreeMap<usize, Played>, ImportError> {
    let parts: Vec<&str> = media.values().flatten().filter_map(|one| one.part.as_deref()).collect();
    let there = parts.is_empty() || poured(work, file, &parts, folder)?;
    let (mut found, mut at) = (BTreeMap::new(), 0);
    for (number, all) in media {
        let mut played = Played::default();
        for one in all {
            let what = if one.sound { "sound" } else { "film" };
            let lost = |why: &str| Warning::of_slide(*number, format!("holds a {what} {why}"));
            let Some(part) = &one.part else {
                warnings.push(lost("that lies elsewhere and is left out"));
                continue;
            };
            at += 1;
            let source = folder.join(format!("media-{at}"));
            let info = match there {
                true => probe(work.sandbox, &source).ok(),
                false => None,
            };
            let fits = info.as_ref().is_some_and(|info| one.sound || info.video.is_some());
            let area = if one.sound { Some([0.0; 4]) } else { one.area.and_then(|area| place(*number, area)) };
            let (Some(info), true, Some([left, top, width, height])) = (info, fits, area) else {
                warnings.push(lost("that cannot be played and is left out"));
                continue;
            };
            let path = folder.join(format!("played-{number:03}-{at:02}.{}", ending(part, one.sound)));
            std::fs::rename(&source, &path).map_err(|error| ImportError::io("keep a film of a slide", &error))?;
            played.seconds = played.seconds.max(FRAME_RATE.seconds(info.film_frames()));
            let what = if one.sound { ClipWhat::Sound(path) } else { ClipWhat::Film(path) };
            let (name, from, until) = (one.name.clone(), None, None);
            played.clips.push(Clip { name, left, top, width, height, angle: 0.0, from, until, what });
        }
        if !played.clips.is_empty() {
            found.insert(*number, played);
        }
    }
    Ok(found)
}

/// Whether all could be had.
fn poured(work: &Work<'_>, file: &Path, parts: &[&str], folder: &Path) -> Result<bool, ImportError> {
    let limits = ErrandLimits { wall: 120, cpu: 60, output: 1 << 20, ..ErrandLimits::SMALL };
    let list = serde_json::to_string(parts).unwrap_or_default();
    let errand = Errand::helper(MEDIA_OF_DECK, limits).input(file).arg(folder).arg(list);
    match work.run(&errand.scratch(folder, LARGEST_FILE), Progress::Looking) {
        Ok(output) => Ok(serde_json::from_slice::<Result<(), String>>(&output.stdout).is_ok_and(|done| done.is_ok())),
        Err(Stopped::Import(error)) => Err(error),
        Err(Stopped::Child(_)) => Ok(false),
    }
}

fn ending(part: &str, sound: bool) -> &'static str {
    let own = part.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let (known, plain): (&[&'static str], _) = if sound { (&SOUNDS, "m4a") } else { (&FILMS, "mp4") };
    known.iter().find(|ending| **ending == own).copied().unwrap_or(plain)
}
