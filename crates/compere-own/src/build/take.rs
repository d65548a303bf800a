//! One take: where its sounds and its face are.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use compere_media::{Frame, Marks, SAMPLE_RATE};
use compere_speech::{Script, Voice, VoiceKind, Voices};

use super::{Bench, Clip, TRACKED, pace};
use crate::align::{Aligned, Found, Reference, align};
use crate::error::OwnError;
use crate::footage::Footage;
use crate::maths::percentile;
use crate::tongue::Tongue;
use crate::track::{Mesh, Networks, Tracker, sample};

/// How many of our voices of one accent speak for comparison.
const VOICES: usize = 3;
/// How many do with foreign ones, and who. With three of these one in twelve right German readings, by voices that were
/// not compared with, passed for doubtful (up to 192 ms; with two of the synthesizer nearly all); with five none did (97 ms).
const MANY: usize = 5;
const FOREIGN: [&str; MANY] = ["ff_siwis", "ef_dora", "pm_alex", "bm_george", "bf_emma"];
/// Seconds before the first and behind the last sound that stay in the bank: lips opening and closing.
const AROUND: f64 = 0.3;
/// Every so many pictures other faces are looked for.
const OTHERS: usize = 45;
/// Samples that sound while one picture is shown.
const PICTURE: usize = SAMPLE_RATE as usize / crate::bank::RATE as usize;

/// A take that is to be studied.
pub(crate) struct Shot {
    pub(crate) clip: Clip,
    /// As our voices say it.
    pub(crate) references: Vec<Reference>,
    /// What of the file it is, where that is not all.
    pub(crate) part: Option<Part>,
}

/// A line within a long film.
pub(crate) struct Part {
    pub(crate) pictures: Range<u64>,
    pub(crate) sound: Vec<f32>,
    /// Part of its time in which a picture stands too long.
    pub(crate) held: f64,
}

impl Part {
    /// From the beginning of a picture to the end of one, so that both are equally long.
    pub(crate) fn of(found: Found, sound: &[f32], times: &[f64]) -> Self {
        let pictures = (found.start / PICTURE)..found.end.div_ceil(PICTURE);
        let samples = pictures.start * PICTURE..(pictures.end * PICTURE).min(sound.len());
        let pictures = pictures.start as u64..pictures.end as u64;
        let held = pace::held(&pace::within(times, &pictures));
        Self { pictures, sound: sound[samples].to_vec(), held }
    }
}

/// A face through a take.
#[derive(Debug)]
pub(crate) struct Tracked {
    pub(crate) meshes: Vec<Mesh>,
    /// Pictures in which no face was found.
    pub(crate) lost: Vec<usize>,
    /// Pictures that show a second one.
    pub(crate) crowded: usize,
    /// Brightness of the cheeks.
    pub(crate) light: Vec<f32>,
    /// Part of its time in which a picture stands too long.
    pub(crate) held: f64,
}

/// A take with everything that is measured of it.
#[derive(Debug)]
pub(crate) struct Studied {
    pub(crate) name: String,
    pub(crate) footage: Footage,
    /// In which the face was tracked.
    pub(crate) size: (u32, u32),
    pub(crate) aligned: Aligned,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) lost: Vec<usize>,
    pub(crate) crowded: usize,
    /// Brightness of the cheeks, picture by picture.
    pub(crate) light: Vec<f32>,
    /// Part of its time in which a picture stands too long.
    pub(crate) held: f64,
}

impl Studied {
    pub(crate) fn of(shot: &Shot, networks: &Networks, bench: &Bench<'_>) -> Result<Self, OwnError> {
        let clip = &shot.clip;
        let mut footage = Footage::open(bench.sandbox, &clip.path, &clip.name)?;
        let aligned = match &shot.part {
            Some(part) => {
                footage = footage.only(part.pictures.clone());
                align(&part.sound, &shot.references)
            }
            None => align(&footage.sound(&clip.name)?, &shot.references),
        };
        let aligned = aligned.map_err(OwnError::footage)?;
        let held = shot.part.as_ref().map(|part| part.held);
        let Tracked { meshes, lost, crowded, light, held } = tracked(&footage, held, networks)?;
        let size = footage.size_within(TRACKED);
        Ok(Self { name: clip.name.clone(), footage, size, aligned, meshes, lost, crowded, light, held })
    }

    /// Pictures from just before the first to just behind the last sound.
    pub(crate) fn speaking(&self) -> Range<usize> {
        let marks = &self.aligned.marks.phonemes;
        let picture = |sample: u64, by: f64| {
            let seconds = sample as f64 / f64::from(SAMPLE_RATE) + by;
            ((seconds * crate::bank::RATE).max(0.0) as usize).min(self.meshes.len())
        };
        match (marks.first(), marks.last()) {
            (Some(first), Some(last)) => picture(first.span.start, -AROUND)..picture(last.span.end, AROUND),
            _ => 0..0,
        }
    }

    /// Its marks, so many pictures later.
    pub(crate) fn shifted(&self, pictures: i64) -> Marks {
        shifted(&self.aligned.marks, pictures)
    }
}

/// Marks, so many pictures later.
pub(crate) fn shifted(marks: &Marks, pictures: i64) -> Marks {
    let by = pictures * i64::from(SAMPLE_RATE) / crate::bank::RATE as i64;
    let mut marks = marks.clone();
    for span in marks.phonemes.iter_mut().map(|mark| &mut mark.span) {
        span.start = span.start.saturating_add_signed(by);
        span.end = span.end.saturating_add_signed(by);
    }
    marks
}

/// By how much the light on a face changes, as a part of it.
pub(crate) fn light_change(light: &[f32]) -> Option<f64> {
    let part = |p: f64| f64::from(percentile(light, p));
    let middle = part(0.5);
    (middle > 1.0).then(|| (part(0.95) - part(0.05)) / middle)
}

/// `held` is asked of the file where nobody knows it.
pub(crate) fn tracked(footage: &Footage, held: Option<f64>, networks: &Networks) -> Result<Tracked, OwnError> {
    let held = held.map_or_else(|| footage.times().map(|times| pace::held(&times)), Ok)?;
    let mut tracker = Tracker::new(networks);
    let mut found: Vec<Option<Mesh>> = Vec::new();
    let mut crowded = 0;
    let mut light = Vec::new();
    footage.play(footage.size_within(TRACKED), &mut |frame| {
        if found.len() % OTHERS == OTHERS / 2 {
            let faces = networks.detect(frame).map_err(OwnError::machine)?;
            crowded += usize::from(faces.get(1).is_some_and(|other| other.is_as_large_as(&faces[0])));
        }
        let mesh = tracker.next(frame).map_err(OwnError::machine)?;
        light.extend(mesh.as_ref().map(|mesh| cheeks(frame, mesh)));
        found.push(mesh);
        Ok(())
    })?;
    let lost: Vec<usize> = (0..found.len()).filter(|&n| found[n].is_none()).collect();
    // A gap shows the face before it; the first gap the face behind it.
    let first = found.iter().flatten().next().cloned();
    let mut last = first.ok_or_else(|| OwnError::Footage("no face is seen".to_owned()))?;
    let mut meshes = Vec::with_capacity(found.len());
    for mesh in found {
        last = mesh.unwrap_or(last);
        meshes.push(last.clone());
    }
    Ok(Tracked { meshes, lost, crowded, light, held })
}

/// Brightness over black around two points of the cheeks.
fn cheeks(frame: &Frame, mesh: &Mesh) -> f32 {
    const CHEEKS: [usize; 2] = [50, 280];
    let (width, height) = (frame.width() as usize, frame.height() as usize);
    let reach = (mesh[263][0] - mesh[33][0]).abs() / 16.0;
    let looks = CHEEKS.iter().flat_map(|&point| {
        let [x, y, _] = mesh[point];
        (-2..=2i8).flat_map(move |dy| {
            (-2..=2i8).map(move |dx| [x + f32::from(dx) * reach / 2.0, y + f32::from(dy) * reach / 2.0])
        })
    });
    let (mut sum, mut count) = (0.0, 0.0);
    for [x, y] in looks {
        sum += sample(frame.y(), width, height, x, y) - 16.0;
        count += 1.0;
    }
    sum / count
}

/// Every prompt as some of our voices speak it.
pub(crate) fn references(clips: &[Clip], language: &str, bench: &Bench<'_>) -> Result<Vec<Vec<Reference>>, OwnError> {
    let voices = comparable(language, bench.voices);
    let speak = |clip: &Clip| {
        let mut script = Script::plain(clip.text.clone());
        script.language = Some(language.to_owned());
        voices
            .iter()
            .map(|voice| {
                let mut on = |_| ControlFlow::Continue(());
                let spoken = compere_speech::speak(&script, voice.as_ref(), bench.cache, &mut on, bench.threads);
                Ok(Reference::new(&spoken.map_err(OwnError::machine)?.utterance))
            })
            .collect::<Result<Vec<_>, OwnError>>()
    };
    clips.iter().map(speak).collect()
}

/// Who speaks what takes are compared with: voices of one accent, men and women in turn, and others that read the language by its
/// sounds. Two alone cannot say which of them is wrong: of other lines than the text, in Spanish, some differ by 32 ms then, and
/// pass; with the others beside them by 86 at least. In English they are in the way: a Briton's right lines, compared with Americans
/// and them, differ by 220 to 275 ms, and by 108 to 159 without.
pub fn comparable(language: &str, voices: &Voices) -> Vec<Arc<dyn Voice>> {
    let Ok(first) = voices.for_language(language, None) else { return Vec::new() };
    let own = of_accent(first, language, voices);
    let is_helped = Tongue::of(language).is_some_and(|tongue| tongue.tag != Tongue::english().tag);
    if is_helped { with_foreign(own, voices) } else { own }
}

/// Who speaks what is spoken beside a voice that would speak it. Each recording is another text, which all of them have to speak
/// first: where the language has enough voices of its own, others are not asked.
pub fn comparable_to(first: Arc<dyn Voice>, language: &str, voices: &Voices) -> Vec<Arc<dyn Voice>> {
    let found = of_accent(first, language, voices);
    // Of the language itself, whatever their accent.
    let own = voices.speaking(language);
    let own = own.iter().filter(|info| ![VoiceKind::Tone, VoiceKind::Espeak].contains(&info.kind));
    if own.count() < VOICES && Tongue::of(language).is_some() { with_foreign(found, voices) } else { found }
}

/// Voices of one accent, men and women in turn.
fn of_accent(first: Arc<dyn Voice>, language: &str, voices: &Voices) -> Vec<Arc<dyn Voice>> {
    let (accent, kind) = (first.info().language.clone(), first.info().kind);
    let mut found = vec![first];
    for info in voices.speaking(language) {
        let last = found.last().map(|voice| voice.info().gender);
        let fits = info.language == accent && info.kind == kind && kind != VoiceKind::Tone;
        if fits && last != Some(info.gender) && found.iter().all(|v| v.info().id != info.id) && found.len() < VOICES {
            found.extend(voices.get(&info.id).ok());
        }
    }
    found
}

/// The same and neural voices that were trained on other languages, in place of a synthesizer that tells no times: what they say of
/// foreign sounds is when, which is all that is asked. Their accents differ, so there are more of them, and those that fit best vote.
fn with_foreign(own: Vec<Arc<dyn Voice>>, voices: &Voices) -> Vec<Arc<dyn Voice>> {
    let foreign: Vec<_> =
        FOREIGN.iter().filter_map(|id| voices.get(id).ok()).filter(|voice| is_itself(&**voice)).collect();
    if foreign.len() < VOICES {
        return own;
    }
    let mut found: Vec<_> = own.into_iter().filter(|voice| voice.info().kind != VoiceKind::Espeak).collect();
    for voice in foreign {
        if found.len() < MANY && found.iter().all(|other| other.info().id != voice.info().id) {
            found.push(voice);
        }
    }
    found
}

/// Whether its files are there, so that nothing stands in for it.
fn is_itself(voice: &dyn Voice) -> bool {
    voice.info().stands_in_for.is_none()
}
