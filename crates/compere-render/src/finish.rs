//! From segments and sound to files that a player can open.

use std::fs::{self, File};
use std::io::BufReader;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compere_codec::aac::AacTrack;
use compere_codec::h264::Segment;
use compere_codec::mp4::{self, Labels, VideoTrack};
use compere_codec::sandbox::Left;
use compere_codec::wav::{self, Depth};
use compere_codec::{Expect, check_joined, check_piece, image, probe};
use compere_media::{Chapter, FRAME_RATE, Format, Marks, SampleSpan};
use compere_scene::{Film, Timeline, captions};
use tempfile::TempDir;

use crate::act::{Act, Waiting};
use crate::footage::Footage;
use crate::label;
use crate::mix::{Mixed, Score};
use crate::presenters::Presenters;
use crate::shoot::{self, Reel};
use crate::soundtrack::{self, Soundtrack, still_wanted};
use crate::{Key, RenderError, Shelf, Workshop};

/// Good enough for a full-screen still, small enough for a list.
const POSTER_QUALITY: u8 = 88;

/// A folder beside the finished film: on the same disk, so that publishing is renaming. Gone with the value.
#[derive(Debug)]
pub(crate) struct Scratch(TempDir);

impl Scratch {
    pub(crate) fn beside(film: &Path) -> Result<Self, RenderError> {
        let parent = film.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(RenderError::file(parent))?;
        let dir = tempfile::Builder::new().prefix(".compere-").tempdir_in(parent).map_err(RenderError::file(parent))?;
        Ok(Self(dir))
    }

    pub(crate) fn dir(&self) -> &Path {
        self.0.path()
    }

    /// Where the film grows.
    pub(crate) fn film(&self, format: Format) -> PathBuf {
        self.0.path().join(format!("film.{format}"))
    }
}

/// Everything a film consists of, not yet in its place.
#[derive(Debug)]
pub(crate) struct Files<'a> {
    format: Format,
    scratch: Scratch,
    shop: &'a Workshop,
    marks: Marks,
    /// Whether the film has chapters.
    parted: bool,
}

/// Where everything went.
#[derive(Debug)]
pub(crate) struct Published {
    pub(crate) film: PathBuf,
    pub(crate) poster: Option<PathBuf>,
    pub(crate) vtt: PathBuf,
    pub(crate) srt: PathBuf,
    pub(crate) chapters: Option<PathBuf>,
    pub(crate) marks: Marks,
}

const POSTER: &str = "poster.jpg";
const VTT: &str = "captions.vtt";
const SRT: &str = "captions.srt";
const CHAPTERS: &str = "chapters.vtt";

/// The sound of a film, as it is needed further on.
#[derive(Debug)]
pub(crate) enum Beside {
    /// To be joined with the pictures.
    Packed(Soundtrack),
    /// To be encoded with them, or written already.
    Mixed(Mixed),
}

/// What is finished before the pictures are: the sound as it is packed, looked at as a player would, and the poster.
/// Given up as soon as nobody waits for it.
#[expect(clippy::too_many_arguments, reason = "all that a film is made of, but for its pictures")]
pub(crate) fn beside(
    format: Format,
    film: &Film,
    acts: &[Arc<Act>],
    score: &Score<'_>,
    footage: &Footage,
    presenters: &Presenters<'_>,
    shop: &Workshop,
    scratch: &Scratch,
    left: &Left,
) -> Result<Beside, RenderError> {
    still_wanted(left)?;
    // The poster is drawn while the sound is mixed and encoded.
    std::thread::scope(|scope| {
        let poster = scope.spawn(|| match format {
            Format::Wav => Ok(()),
            _ => put(&scratch.dir().join(POSTER), &poster(film, acts, shop, footage, presenters, left)?),
        });
        let sound = match format {
            Format::Mp4 => soundtrack::packed(score, shop, scratch.dir(), left).map(Beside::Packed),
            Format::Wav => score.mix(shop, scratch.dir()).and_then(|mixed| {
                wav::write(&mixed.file, &scratch.film(format), Depth::Bits16).map_err(RenderError::machine)?;
                Ok(Beside::Mixed(mixed))
            }),
            Format::Webm | Format::Mov => score.mix(shop, scratch.dir()).map(Beside::Mixed),
        };
        poster.join().unwrap_or_else(|panic| resume_unwind(panic)).and(sound)
    })
}

impl Beside {
    /// Integrated, in LUFS; nothing for silence.
    pub(crate) fn loudness(&self) -> Option<f64> {
        match self {
            Self::Packed(sound) => sound.loudness,
            Self::Mixed(sound) => sound.loudness,
        }
    }
}

/// Joins the segments, writes the captions.
pub(crate) fn pack<'a>(
    format: Format,
    film: &Film,
    timeline: &Timeline,
    reel: &Reel,
    sound: Beside,
    shop: &'a Workshop,
    scratch: Scratch,
) -> Result<Files<'a>, RenderError> {
    let at = |name: &str| scratch.dir().join(name);
    if let Beside::Packed(sound) = sound {
        join(film, timeline, reel, &sound.track, shop, &scratch)?;
    }
    let scenes = marks(timeline, reel);
    let cues = captions::cues_of_scenes(&scenes);
    let mut marks = Marks::default();
    scenes.iter().for_each(|scene| marks.append(scene, 0));
    put(&at(VTT), captions::webvtt(&cues).as_bytes())?;
    put(&at(SRT), captions::srt(&cues).as_bytes())?;
    let chapters = chapters(film, timeline);
    if !chapters.is_empty() {
        let text = captions::chapters(&chapters, FRAME_RATE.seconds(timeline.frames()));
        put(&at(CHAPTERS), text.as_bytes())?;
    }
    Ok(Files { format, scratch, shop, marks, parted: !chapters.is_empty() })
}

/// Segments one after another, with the sound.
fn join(
    film: &Film,
    timeline: &Timeline,
    reel: &Reel,
    sound: &AacTrack,
    shop: &Workshop,
    scratch: &Scratch,
) -> Result<(), RenderError> {
    let (width, height) = film.output();
    let video = VideoTrack::of_segment_files(reel.segments.clone(), width, height).map_err(RenderError::machine)?;
    let named = named(film, timeline);
    let chapters = named.iter().map(|(span, title)| mp4::Chapter { start: span.start, title }).collect();
    let labels = Labels { title: &film.name, comment: label::comment(film, &shop.cast), chapters };
    mp4::write(&scratch.film(Format::Mp4), video, Some(sound), labels).map_err(RenderError::machine)
}

/// A chapter for each scene that has a name, where there are several; scenes without one belong to that before them.
pub(crate) fn chapters(film: &Film, timeline: &Timeline) -> Vec<Chapter> {
    let named = named(film, timeline).into_iter();
    named.map(|(span, title)| Chapter { start: span.seconds().0, title: title.to_owned() }).collect()
}

/// The scenes that chapters begin with, and their titles.
fn named<'f>(film: &'f Film, timeline: &Timeline) -> Vec<(SampleSpan, &'f str)> {
    let scenes = film.scenes.iter().zip(&timeline.scenes);
    let named = scenes.filter_map(|(scene, time)| Some((time.samples(), scene.name.as_deref()?)));
    let chapters: Vec<(SampleSpan, &str)> = named.collect();
    if chapters.len() > 1 { chapters } else { Vec::new() }
}

/// The first scene at its best moment, drawn now or before.
fn poster(
    film: &Film,
    acts: &[Arc<Act>],
    shop: &Workshop,
    footage: &Footage,
    presenters: &Presenters<'_>,
    left: &Left,
) -> Result<Vec<u8>, RenderError> {
    let act = acts.first().ok_or_else(|| RenderError::machine("a film needs at least one scene"))?;
    let key = Key::of(&[b"poster", act.key().as_str().as_bytes()]).marked(act.key().mark());
    if let Some(poster) = shop.cache.get(Shelf::Segment, &key) {
        return Ok(poster);
    }
    let mut on = || if left.has() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let waiting = Waiting::default();
    presenters.bring(act, act.frames(), &mut on)?;
    let frame = act.moment(film, shop, &waiting)?;
    let frame = shoot::still(act, frame, film, shop, footage, &waiting, &mut on)?;
    let poster = image::frame_to_jpeg(&frame, POSTER_QUALITY).map_err(RenderError::machine)?;
    let comment = film.scenes.first().map_or("", |scene| label::comment_of(scene, &shop.cast));
    let poster = image::commented(poster, comment);
    // As above.
    let _ = shop.cache.put_bytes(Shelf::Segment, &key, &poster);
    Ok(poster)
}

/// The marks of each scene's lines in film time, cut where a line is cut, and parted where a step happens.
fn marks(timeline: &Timeline, reel: &Reel) -> Vec<Marks> {
    let mut scenes = Vec::with_capacity(timeline.scenes.len());
    for (act, time) in reel.acts.iter().zip(&timeline.scenes) {
        let mut marks = Marks::default();
        for (line, span) in act.speech.lines.iter().zip(&time.lines) {
            marks.append(&line.marks, span.start);
            marks.words.retain(|word| word.span.start < span.end || word.span.start < span.start);
        }
        let steps = act.scene.steps.iter().map(|step| FRAME_RATE.first_sample(time.frames.start + step));
        scenes.extend(parted(marks, steps));
    }
    scenes
}

/// The same words in as many groups as steps part them.
fn parted(mut marks: Marks, steps: impl Iterator<Item = u64>) -> Vec<Marks> {
    let mut parts = Vec::new();
    for step in steps {
        let words = marks.words.partition_point(|word| word.span.start < step);
        let sounds = marks.phonemes.partition_point(|sound| sound.span.start < step);
        let (words, phonemes) = (marks.words.split_off(words), marks.phonemes.split_off(sounds));
        parts.push(std::mem::replace(&mut marks, Marks { words, phonemes }));
    }
    parts.push(marks);
    parts
}

impl Files<'_> {
    /// Looks at the film as a player would, before anybody else may see it: every sample in its place, and the pieces at
    /// both ends decoded, where nobody did before. The sound was decoded when it was encoded.
    pub(crate) fn check(&self, film: &Film, timeline: &Timeline, reel: &Reel) -> Result<(), RenderError> {
        let path = self.scratch.film(self.format);
        if self.format != Format::Mp4 {
            return self.check_length(&path, timeline);
        }
        let (width, height) = film.output();
        let expect = Expect { frames: timeline.frames(), samples: Some(timeline.samples()), width, height };
        std::thread::scope(|scope| {
            let ends = [reel.segments.first(), reel.segments.last().filter(|_| reel.segments.len() > 1)];
            let ends = ends
                .map(|end| scope.spawn(move || end.map_or(Ok(()), |piece| self.check_piece(piece, (width, height)))));
            let joined = check_joined(&path, &expect).map_err(RenderError::machine);
            let ends = ends.map(|end| end.join().unwrap_or_else(|panic| resume_unwind(panic)));
            ends.into_iter().fold(joined, Result::and)
        })
    }

    fn check_piece(&self, path: &Path, size: (u32, u32)) -> Result<(), RenderError> {
        let name = path.file_name().unwrap_or_default();
        // Under the name of the piece, which says what it was made of.
        let right = Key::of(&[b"piece is right", name.as_encoded_bytes()]);
        if self.shop.cache.is_noted(&right) {
            return Ok(());
        }
        let file = File::open(path).map_err(RenderError::file(path))?;
        let piece = Segment::read_from(BufReader::new(file)).map_err(RenderError::machine)?;
        let checked = check_piece(&self.shop.sandbox, &piece, size, self.scratch.dir());
        match checked {
            Ok(()) => self.shop.cache.note(&right),
            // Whoever tries again draws it anew.
            Err(_) => fs::remove_file(path).map_err(RenderError::file(path))?,
        }
        checked.map_err(RenderError::machine)
    }

    /// What is not ours to take apart is asked for its length.
    fn check_length(&self, path: &Path, timeline: &Timeline) -> Result<(), RenderError> {
        let info = probe(&self.shop.sandbox, path).map_err(RenderError::machine)?;
        let frames = info.video.as_ref().map(|video| video.film_frames);
        let samples = info.audio.as_ref().map_or(0, |audio| audio.samples);
        let right = frames.is_some() == (self.format != Format::Wav)
            && frames.is_none_or(|frames| frames.abs_diff(timeline.frames()) <= 1)
            // Opus adds what fills its last packet.
            && samples.abs_diff(timeline.samples()) <= 1920;
        let planned = (timeline.frames(), timeline.samples());
        let wrong =
            || RenderError::machine(format!("the film has {frames:?} frames and {samples} samples, not {planned:?}"));
        if right { Ok(()) } else { Err(wrong()) }
    }

    /// Moves everything into its place, the film last: whoever sees it finds the rest. When something cannot be moved,
    /// what was there before is there again.
    pub(crate) fn publish(self, out: &Path) -> Result<Published, RenderError> {
        let published = Published {
            film: out.to_owned(),
            poster: (self.format != Format::Wav).then(|| out.with_extension("jpg")),
            vtt: out.with_extension("vtt"),
            srt: out.with_extension("srt"),
            chapters: self.parted.then(|| out.with_extension("chapters.vtt")),
            marks: self.marks,
        };
        let at = |name: &str| self.scratch.dir().join(name);
        let mut moves: Vec<_> = published.poster.iter().map(|to| (at(POSTER), to)).collect();
        moves.extend([(at(VTT), &published.vtt), (at(SRT), &published.srt)]);
        moves.extend(published.chapters.iter().map(|to| (at(CHAPTERS), to)));
        moves.push((self.scratch.film(self.format), &published.film));
        move_all(&moves, self.scratch.dir())?;
        Ok(published)
    }
}

/// Moves all files or none. What stood in a place waits in `aside` until all have arrived.
fn move_all(moves: &[(PathBuf, &PathBuf)], aside: &Path) -> Result<(), RenderError> {
    for (done, (from, to)) in moves.iter().enumerate() {
        let old = |number: usize| aside.join(format!("old-{number}"));
        let put = || {
            if to.is_file() {
                fs::rename(to, old(done))?;
            }
            fs::rename(from, to)
        };
        let Err(error) = put() else { continue };
        for (number, (_, to)) in moves[..=done].iter().enumerate().rev() {
            // As far as it goes: the disk has just refused something.
            let _ = if number < done { fs::remove_file(to) } else { Ok(()) };
            let _ = fs::rename(old(number), to);
        }
        return Err(RenderError::file(to)(error));
    }
    Ok(())
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), RenderError> {
    fs::write(path, bytes).map_err(RenderError::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_appear_all_or_none() {
        let dir = tempfile::tempdir().expect("a folder");
        let at = |name: &str| dir.path().join(name);
        let write = |name: &str, text: &str| fs::write(at(name), text).expect("writes");
        for name in ["new-vtt", "new-srt", "new-film"] {
            write(name, "new");
        }
        write("film.vtt", "old");
        // A folder with something in it cannot be replaced by a file.
        fs::create_dir_all(at("film.mp4/x")).expect("a folder");
        let places = [at("film.vtt"), at("film.srt"), at("film.mp4")];
        let from = ["new-vtt", "new-srt", "new-film"].map(at);
        let moves: Vec<_> = from.into_iter().zip(&places).collect();
        let aside = at("aside");
        fs::create_dir(&aside).expect("a folder");
        let why = move_all(&moves, &aside).expect_err("cannot").to_string();
        assert!(why.contains("film.mp4"), "{why}");
        assert_eq!(fs::read_to_string(&places[0]).expect("is there"), "old");
        assert!(!places[1].exists() && places[2].is_dir());

        fs::remove_dir_all(&places[2]).expect("removes");
        for name in ["new-vtt", "new-srt", "new-film"] {
            write(name, "new");
        }
        move_all(&moves, &aside).expect("moves");
        assert!(places.iter().all(|place| fs::read_to_string(place).is_ok_and(|text| text == "new")));
    }
}
