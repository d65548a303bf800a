//! The lines of a scene, spoken. Sound goes to disk as it comes, marks stay.

use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

use compere_codec::sound::{SoundFile, SoundFileReader, SoundSource, SoundWriter};
use compere_codec::{MediaError, MediaErrorKind};
use compere_media::{Marks, Sound};
use compere_scene::{Film, Scene, ScriptPart, SpeechLine};
use compere_speech::{Script, Voice};

use crate::casting::{casting, spoken_wrong};
use crate::footage::Footage;
use crate::{Key, RenderError, Warning, Workshop, recording};

/// What is said in one scene.
#[derive(Debug, Default)]
pub(crate) struct SceneSpeech {
    pub(crate) lines: Vec<SpokenLine>,
}

/// One line, its sound in a file of its own, the same on both sides.
#[derive(Debug)]
pub(crate) struct SpokenLine {
    pub(crate) sound: Heard,
    pub(crate) marks: Marks,
    /// The hash of the sound.
    pub(crate) id: Key,
}

/// What there is to be heard of a line.
#[derive(Debug)]
pub(crate) enum Heard {
    File(SoundFile),
    /// Nobody has spoken it yet; so many samples are expected.
    Guess(u64),
}

impl Heard {
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::File(file) => file.len(),
            Self::Guess(samples) => *samples,
        }
    }

    pub(crate) fn reader(&self) -> Result<SoundFileReader, MediaError> {
        match self {
            Self::File(file) => file.reader(),
            Self::Guess(_) => {
                Err(MediaError::new(MediaErrorKind::Machine, "a line was to be heard before it was spoken"))
            }
        }
    }
}

impl SpokenLine {
    /// The whole line in memory, in mono; nothing of one that was not spoken.
    pub(crate) fn whole(&self) -> Result<Option<Sound>, MediaError> {
        let Heard::File(file) = &self.sound else { return Ok(None) };
        let mut both = vec![0.0; file.len() as usize * 2];
        let mut reader = file.reader()?;
        let mut filled = 0;
        while filled < both.len() {
            match reader.read(&mut both[filled..])? {
                0 => break,
                n => filled += n,
            }
        }
        Ok(Some(Sound::new(1, both.as_chunks::<2>().0.iter().map(|side| side[0]).collect())))
    }
}

/// Sentences that somebody speaks at a time, of a scene that says more.
const RUN: usize = 6;
/// Bytes of text below which nobody counts sentences.
const LONG: usize = 500;

/// What a scene says and voices have to say first: its lines, with the numbers of their sentences. Nothing of those that
/// cannot be cast; what is wrong with them is told when they are spoken.
fn sentences<'a>(
    film: &'a Film,
    scene: &'a Scene,
    shop: &'a Workshop,
) -> impl Iterator<Item = (&'a SpeechLine, Arc<dyn Voice>, Script, Range<usize>)> + 'a {
    let spoken = scene.lines.iter().filter(|line| line.audio.is_none() && !line.is_silent());
    spoken.scan(0, |before, line| {
        let Ok((voice, script)) = casting(&film.dictionary, film.language.as_deref(), line, shop) else { return None };
        let first = *before;
        *before += compere_speech::sentences(&script, voice.as_ref());
        Some((line, voice, script, first..*before))
    })
}

/// In how many runs a scene is spoken where several share it. Everybody who asks counts the same.
pub(crate) fn runs(film: &Film, scene: &Scene, shop: &Workshop) -> usize {
    if scene.lines.iter().map(|line| line.text().len()).sum::<usize>() < LONG {
        return 1;
    }
    let last = sentences(film, scene, shop).map(|(.., numbers)| numbers.end).last();
    last.unwrap_or(0).div_ceil(RUN).max(1)
}

/// Speaks one run of a scene's sentences, so that the cache has them when the scene is spoken.
pub(crate) fn speak_run(
    film: &Film,
    scene: &Scene,
    shop: &Workshop,
    run: usize,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<(), RenderError> {
    let wanted = run * RUN..(run + 1) * RUN;
    for (line, voice, script, has) in sentences(film, scene, shop) {
        let within = wanted.start.max(has.start)..wanted.end.min(has.end);
        if within.is_empty() {
            continue;
        }
        let numbers = within.start - has.start..within.end - has.start;
        let mut watch = |_| watch();
        compere_speech::speak_ahead(&script, voice.as_ref(), &shop.cache, &mut watch, shop.threads, numbers)
            .map_err(|error| spoken_wrong(line, error))?;
    }
    Ok(())
}

/// Speaks every line of a scene into files in `dir`.
pub(crate) fn speak(
    film: &Film,
    scene: &Scene,
    shop: &Workshop,
    footage: &Footage,
    dir: &Path,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
    warnings: &mut Vec<Warning>,
) -> Result<SceneSpeech, RenderError> {
    let mut speech = SceneSpeech::default();
    for (index, line) in scene.lines.iter().enumerate() {
        let file = dir.join(format!("line-{}-{index}.f32", scene.index));
        speech.lines.push(speak_line(film, line, shop, footage, &file, watch, warnings)?);
    }
    Ok(speech)
}

fn speak_line(
    film: &Film,
    line: &SpeechLine,
    shop: &Workshop,
    footage: &Footage,
    file: &Path,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
    warnings: &mut Vec<Warning>,
) -> Result<SpokenLine, RenderError> {
    let mut out = SoundWriter::create(file).map_err(RenderError::machine)?;
    let (mut marks, mut len, mut hasher) = (Marks::default(), 0, blake3::Hasher::new());
    let says_nothing = line.is_silent() && !line.parts.iter().any(|part| matches!(part, ScriptPart::Pause(_)));
    let mut disk = Ok(());
    let mut hand_on = |piece: compere_speech::Utterance| {
        marks.append(&piece.marks, len);
        len += piece.sound.len();
        let samples = piece.sound.samples();
        let (mut both, mut bytes) = (vec![0.0; samples.len() * 2], vec![0; samples.len() * 4]);
        let places = both.as_chunks_mut::<2>().0.iter_mut().zip(bytes.as_chunks_mut::<4>().0);
        for ((both, bytes), &sample) in places.zip(samples) {
            (*both, *bytes) = ([sample, sample], sample.to_le_bytes());
        }
        hasher.update(&bytes);
        disk = std::mem::replace(&mut disk, Ok(())).and_then(|()| out.write(&both));
    };
    if line.audio.is_some() {
        let (utterance, told) = recording::heard(film, line, shop, footage, watch)?;
        hand_on(utterance);
        warnings.extend(told);
    } else if !says_nothing {
        let (voice, script) = casting(&film.dictionary, film.language.as_deref(), line, shop)?;
        let (cache, threads) = (&shop.cache, shop.threads);
        let told = compere_speech::speak_each(&script, voice.as_ref(), cache, &mut |_| watch(), threads, &mut hand_on);
        let told = told.map_err(|error| spoken_wrong(line, error))?;
        warnings.extend(told.iter().map(|warning| Warning { path: line.path.clone(), message: warning.to_string() }));
    }
    disk.map_err(RenderError::machine)?;
    // The same sound with other marks is another performance.
    for mark in &marks.phonemes {
        hasher.update(mark.ipa.as_bytes()).update(&mark.span.start.to_le_bytes()).update(&mark.span.end.to_le_bytes());
    }
    let sound = Heard::File(out.finish().map_err(RenderError::machine)?);
    Ok(SpokenLine { sound, marks, id: Key::of(&[hasher.finalize().as_bytes()]) })
}
