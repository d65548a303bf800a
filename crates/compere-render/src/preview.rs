//! What can be known and seen of a film before it is made.
//!
//! A still is drawn by the code that draws the film, only smaller. Speech that was spoken before is taken from the cache;
//! where there is none, times are guessed from the text and lips move by its letters. Nothing is ever spoken for a still.

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use compere_codec::probe;
use compere_media::{FRAME_RATE, Frame, Marks, PhonemeMark, SAMPLE_RATE, SampleSpan, Stress, WordMark};
use compere_scene::{ClipKind, Film, Measured, OnAssetError, Scene, ScriptPart, Source, SpeechLine};
use compere_speech::{Sentence, SpeechCache, SpeechError, Spoken, Utterance, Voice, VoiceInfo};

use crate::act::{Act, Waiting};
use crate::casting::casting;
use crate::footage::{self, Footage};
use crate::pictures::Pictures;
use crate::progress::Meter;
use crate::speech::{Heard, SceneSpeech, SpokenLine};
use crate::{Key, Progress, RenderError, Studio, Warning, Watcher, Workshop, label, plan, recording, shoot};

/// One frame of a film to come.
#[derive(Clone, Debug)]
pub struct Still {
    pub frame: Frame,
    /// Whether all its speech was spoken before; otherwise times are estimates.
    pub spoken: bool,
    /// Whether a presenter in it is only a likeness of what would be baked.
    pub sketched: bool,
    /// What its file has to say of it; nothing where nobody is of footage.
    pub comment: &'static str,
}

/// Which frame is wanted, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Glance {
    /// The scene's index.
    pub scene: usize,
    /// Seconds into it; its best moment where none are said.
    pub at: Option<f64>,
    /// A likeness of presenters who are not baked yet will do, for it is there sooner.
    pub soon: bool,
}

/// Scenes that were looked at before, ready to be looked at again.
#[derive(Debug, Default)]
pub struct Stills {
    warm: Mutex<VecDeque<Arc<Set>>>,
    pictures: Pictures,
    /// As [`Wish::unlabelled`](crate::Wish::unlabelled) of a film.
    unlabelled: bool,
}

/// A scene of a film on its own.
#[derive(Debug)]
struct Set {
    key: Key,
    film: Film,
    act: Act,
    footage: Footage,
    spoken: bool,
    since: Instant,
}

impl Stills {
    /// A set holds a stage and its decoded pictures: some ten megabytes at preview size.
    const WARM: usize = 16;
    /// A picture on the web may change under its link; until then an editor shows the old one.
    const FRESH: Duration = Duration::from_secs(120);

    pub fn new(unlabelled: bool) -> Self {
        Self { unlabelled, ..Self::default() }
    }

    /// A frame of a scene. Given up between two of its parts when the watcher says so.
    pub fn still(
        &self,
        film: &Film,
        glance: Glance,
        studio: &dyn Studio,
        watcher: &dyn Watcher,
    ) -> Result<Still, RenderError> {
        let shop = studio.workshop();
        let set = self.set(film, glance.scene, studio, watcher)?;
        let waiting = Waiting { left: watcher.left(), soon: glance.soon, ..Waiting::default() };
        let frame = match glance.at {
            Some(at) => FRAME_RATE.frames_of_seconds(at.max(0.0)).min(set.act.frames().saturating_sub(1)),
            None => set.act.moment(&set.film, shop, &waiting)?,
        };
        let mut stays = || watcher.see(Progress::Drawing { done: 0, of: 1 }, 0.0);
        let frame = shoot::still(&set.act, frame, &set.film, shop, &set.footage, &waiting, &mut stays)?;
        let comment = set.film.scenes.first().map_or("", |scene| label::comment_of(scene, &shop.cast));
        Ok(Still { frame, spoken: set.spoken, sketched: waiting.sketched.into_inner(), comment })
    }

    fn set(
        &self,
        film: &Film,
        scene: usize,
        studio: &dyn Studio,
        watcher: &dyn Watcher,
    ) -> Result<Arc<Set>, RenderError> {
        let alone = film.scenes.get(scene).cloned().ok_or_else(|| {
            RenderError::scene(&format!("scenes[{scene}]"), format!("there are {} scenes", film.scenes.len()))
        })?;
        let shop = studio.workshop();
        let mut film = Film { scenes: vec![alone], music: None, on_asset_error: OnAssetError::Skip, ..film.clone() };
        if !self.unlabelled {
            label::show(&mut film, &shop.cast);
        }
        // First, because what was spoken a moment ago makes another set.
        let (speech, _) = rehearse(&film, &film.scenes[0], shop, None)?;
        let key = key(&film, &speech, shop);
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        warm.retain(|set| set.since.elapsed() < Self::FRESH);
        if let Some(set) = warm.iter().find(|set| set.key == key) {
            return Ok(Arc::clone(set));
        }
        drop(warm);
        let mut warnings = BTreeSet::new();
        let footage = footage::fetch(&mut film, studio, Some(&self.pictures), &Meter::new(watcher), &mut warnings)?;
        // Once more: how long a recording is, and what was heard in it, is told by the file.
        let (speech, spoken) = rehearse(&film, &film.scenes[0], shop, Some(&footage))?;
        let measured = [shoot::measure(&film.scenes[0], &speech, &footage)];
        let time = compere_scene::timeline(&film, &measured).scenes.remove(0);
        let act = Act::new(0, &film.scenes[0], time, speech, &film, shop, &footage);
        let set = Arc::new(Set { key, act, footage, spoken, since: Instant::now(), film });
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        warm.push_back(Arc::clone(&set));
        while warm.len() > Self::WARM {
            warm.pop_front();
        }
        Ok(set)
    }
}

fn key(film: &Film, speech: &SceneSpeech, shop: &Workshop) -> Key {
    let (width, height) = film.output();
    let scene = &film.scenes[0];
    let said: Vec<&str> = speech.lines.iter().map(|line| line.id.as_str()).collect();
    // A font that is another one lies elsewhere.
    let rest = format!("{said:?} {:?} {width}x{height} {:?}", scene.duration, film.fonts);
    Key::of(&[shop.engine.as_bytes(), &plan::looks(scene), rest.as_bytes()])
}

/// The lines of a scene as they were spoken before, or as they may be spoken; and whether all of them were.
///
/// A recording is as long as it is, as soon as somebody has looked at it.
fn rehearse(
    film: &Film,
    scene: &Scene,
    shop: &Workshop,
    footage: Option<&Footage>,
) -> Result<(SceneSpeech, bool), RenderError> {
    let (mut speech, mut all) = (SceneSpeech::default(), true);
    for line in &scene.lines {
        let mut guess = guessed(line);
        if let Some(source) = &line.audio {
            let info = footage.and_then(|footage| footage.files.get(source)?.info.as_ref()?.audio.as_ref());
            guess.stretch(info.map_or(guess.len, |audio| audio.samples));
        }
        let known = match (&line.audio, footage) {
            (Some(_), Some(footage)) => recording::remembered(film, line, shop, footage)?,
            (None, _) if guess.len > 0 => recall(film, line, shop)?,
            _ => None,
        };
        let (marks, len) = known.map_or_else(
            || {
                all &= guess.len == 0;
                (guess.marks, guess.len)
            },
            |known| (known.marks, known.sound.len()),
        );
        let id = Key::of(&[format!("{line:?} {:?}", film.dictionary).as_bytes(), &len.to_le_bytes()]);
        speech.lines.push(SpokenLine { sound: Heard::Guess(len), marks, id });
    }
    Ok((speech, all))
}

/// A line out of the cache, if every sentence of it is there.
fn recall(film: &Film, line: &SpeechLine, shop: &Workshop) -> Result<Option<Utterance>, RenderError> {
    let (voice, script) = casting(&film.dictionary, film.language.as_deref(), line, shop)?;
    let mut on = |_| ControlFlow::Continue(());
    match compere_speech::speak(&script, &Mute(voice), &shop.cache, &mut on, 1) {
        Ok(spoken) => Ok(Some(spoken.utterance)),
        Err(SpeechError::Cancelled) => Ok(None),
        Err(error) => Err(RenderError::scene(&line.path, error)),
    }
}

/// A voice that only remembers.
struct Mute(Arc<dyn Voice>);

impl Voice for Mute {
    fn info(&self) -> &VoiceInfo {
        self.0.info()
    }

    fn say(&self, _: &Sentence) -> Result<Utterance, SpeechError> {
        Err(SpeechError::Cancelled)
    }

    fn lacks(&self, word: &Sentence) -> bool {
        self.0.lacks(word)
    }
}

struct Guess {
    marks: Marks,
    len: u64,
}

impl Guess {
    /// The same words over so many samples.
    fn stretch(&mut self, len: u64) {
        let old = std::mem::replace(&mut self.len, len).max(1);
        let moved = |at: u64| (u128::from(at) * u128::from(len) / u128::from(old)) as u64;
        let spans = self.marks.phonemes.iter_mut().map(|mark| &mut mark.span);
        for span in spans.chain(self.marks.words.iter_mut().map(|mark| &mut mark.span)) {
            *span = SampleSpan { start: moved(span.start), end: moved(span.end) };
        }
    }
}

/// A line at an even pace, every letter a sound. Good for a mouth that is seen for one frame.
fn guessed(line: &SpeechLine) -> Guess {
    let scene = Scene {
        index: 0,
        background: compere_scene::Background {
            color: compere_media::Rgb::opaque(0, 0, 0),
            picture: None,
            video: None,
            path: String::new(),
        },
        clips: Vec::new(),
        lines: vec![line.clone()],
        name: None,
        watermark: false,
        duration: None,
        transition: None,
        steps: Vec::new(),
    };
    let film = Film {
        name: String::new(),
        orientation: compere_scene::Orientation::default(),
        resolution: compere_scene::Resolution::default(),
        scenes: vec![scene],
        dictionary: Vec::new(),
        music: None,
        on_asset_error: OnAssetError::default(),
        language: None,
        fonts: Vec::new(),
    };
    let len = compere_scene::estimate(&film).first().and_then(|scene| scene.lines.first().copied()).unwrap_or(0);
    let pauses: f64 =
        line.parts.iter().map(|part| if let ScriptPart::Pause(seconds) = part { *seconds } else { 0.0 }).sum();
    let letters: usize = line.parts.iter().map(|part| said(part).chars().count()).sum();
    let each = (len as f64 - pauses * f64::from(SAMPLE_RATE)).max(0.0) / letters.max(1) as f64;
    let (mut marks, mut at) = (Marks::default(), 0.0);
    for part in &line.parts {
        if let ScriptPart::Pause(seconds) = part {
            at += seconds * f64::from(SAMPLE_RATE);
            continue;
        }
        for word in said(part).split_inclusive(char::is_whitespace) {
            let start = at as u64;
            for letter in word.chars() {
                let span = SampleSpan { start: at as u64, end: (at + each) as u64 };
                if let Some(ipa) = sound_of(letter).filter(|_| !span.is_empty()) {
                    marks.phonemes.push(PhonemeMark { span, ipa: ipa.to_owned(), stress: Stress::None });
                }
                at += each;
            }
            let text = word.trim().to_owned();
            if !text.is_empty() {
                marks.words.push(WordMark { span: SampleSpan { start, end: at as u64 }, text });
            }
        }
    }
    Guess { marks, len }
}

fn said(part: &ScriptPart) -> &str {
    match part {
        ScriptPart::Text(text) => text,
        ScriptPart::Say { said, .. } => said,
        ScriptPart::Pause(_) => "",
    }
}

fn sound_of(letter: char) -> Option<&'static str> {
    Some(match letter.to_ascii_lowercase() {
        'a' => "a",
        'e' => "ɛ",
        'i' | 'y' => "i",
        'o' => "o",
        'u' => "u",
        'b' | 'm' | 'p' => "m",
        'f' | 'v' => "f",
        'w' => "w",
        'l' | 'r' => "l",
        's' | 'z' | 'c' | 'x' => "s",
        't' | 'd' | 'n' => "t",
        'k' | 'g' | 'h' | 'j' | 'q' => "k",
        other if other.is_alphabetic() => "ə",
        _ => return None,
    })
}

/// What was found out about a film without making it.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Linked files that cannot be used, each with its place.
    pub broken: Vec<Warning>,
    pub warnings: Vec<Warning>,
    pub measured: Vec<Measured>,
    /// Whether all speech was spoken before, so that lengths are exact.
    pub exact: bool,
    pub media: Vec<Seen>,
}

/// A linked video or sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub link: String,
    pub seconds: f64,
    pub size: Option<(u32, u32)>,
}

/// Fetches everything a film links to, measures it, and looks for letters without a picture.
pub fn look(film: &Film, studio: &dyn Studio, watcher: &dyn Watcher) -> Result<Look, RenderError> {
    let shop = studio.workshop();
    let mut kept = Film { on_asset_error: OnAssetError::Skip, ..film.clone() };
    let mut broken = BTreeSet::new();
    let meter = Meter::new(watcher);
    let footage = footage::fetch(&mut kept, studio, None, &meter, &mut broken)?;
    let mut look = Look { exact: true, ..Look::default() };
    let mut warnings = BTreeSet::new();
    for scene in &kept.scenes {
        if meter.see(Progress::Speaking { done: look.measured.len() as u32, of: kept.scenes.len() as u32 }).is_break() {
            return Err(RenderError::Cancelled);
        }
        let (speech, spoken) = rehearse(&kept, scene, shop, Some(&footage))?;
        look.exact &= spoken;
        look.measured.push(shoot::measure(scene, &speech, &footage));
        let number = look.measured.len() - 1;
        let Some(time) = compere_scene::timeline(&kept, &look.measured).scenes.get(number).cloned() else { continue };
        let act = Act::new(number, scene, time, speech, &kept, shop, &footage);
        warnings.extend(act.missing_text(&kept, shop));
    }
    look.media = media(&kept, &footage);
    let told = |warning: Warning| match warning.message.strip_prefix("left out: ") {
        Some(what) => Warning { message: what.to_owned(), path: warning.path },
        None => warning,
    };
    look.broken = broken.into_iter().map(told).collect();
    look.warnings = warnings.into_iter().collect();
    Ok(look)
}

fn media(film: &Film, footage: &Footage) -> Vec<Seen> {
    let mut sources: BTreeSet<&Source> = BTreeSet::new();
    for scene in &film.scenes {
        sources.extend(scene.background.video.iter());
        sources.extend(scene.clips.iter().filter_map(|clip| match &clip.kind {
            ClipKind::Video(video) => Some(&video.source),
            ClipKind::Audio(audio) => Some(&audio.source),
            _ => None,
        }));
    }
    sources.extend(film.music.iter().map(|music| &music.source));
    let seen = |source: &Source| {
        let info: &probe::MediaInfo = footage.files.get(source)?.info.as_ref()?;
        let size = info.video.as_ref().map(|video| (video.width, video.height));
        Some(Seen { link: source.0.clone(), seconds: FRAME_RATE.seconds(info.film_frames()), size })
    };
    sources.into_iter().filter_map(seen).collect()
}

/// One line spoken, with the id of the voice that spoke it.
pub fn say(
    line: &SpeechLine,
    dictionary: &[(String, String)],
    shop: &Workshop,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<(Spoken, String), RenderError> {
    let (voice, script) = casting(dictionary, None, line, shop)?;
    let cache: &dyn SpeechCache = &shop.cache;
    let spoken = compere_speech::speak(&script, voice.as_ref(), cache, &mut |_| watch(), shop.threads);
    let spoken = spoken.map_err(|error| match error {
        SpeechError::Cancelled => RenderError::Cancelled,
        other => RenderError::scene(&line.path, other),
    })?;
    Ok((spoken, voice.info().id.clone()))
}
