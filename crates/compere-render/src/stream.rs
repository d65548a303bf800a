//! A film for those who watch it while it is made: HLS, whose fragments hold the very pieces of the film.
//!
//! Pieces are shown in their order as soon as they are drawn, each with its sound; of the first one every second is, so that
//! nobody waits for the whole. A piece begins with a key frame, so players may begin with any. Until all is spoken and its
//! sound finished, this is mixed and levelled as far as it is known ([`LiveMix`]) by one encoder that goes on; what had not
//! been shown by then takes its sound from the finished film. The last piece waits for the pictures of all others.
//!
//! Nothing waits for the stream, and what goes wrong with it does not touch the film: the stream ends, and says why.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use compere_codec::aac::{self, AacTrack, LiveEncoder};
use compere_codec::h264::Segment;
use compere_codec::mp4::fragments;
use compere_codec::sound::LiveMix;
use compere_media::FRAME_RATE;
use compere_scene::Film;

use crate::act::Act;
use crate::footage::Footage;
use crate::playlist::Playlists;
use crate::progress::Screen;
use crate::{RenderError, Workshop, heard, plan};

/// Fragments are numbered upwards: parts first, pieces after them, and always the same ones alike.
const PIECE_NUMBERS: u32 = 100;

/// What happened to the film.
pub(crate) enum Shot {
    /// A scene is spoken; `last`: there is none after it.
    Spoken { act: Arc<Act>, last: bool },
    /// The next frames of the film's first piece.
    Begun(Segment),
    /// A piece of a scene lies in a file.
    Drawn { scene: usize, piece: usize, path: PathBuf },
    /// The sound of the whole film is finished.
    Heard(AacTrack),
}

/// Shows a film on a screen. Whoever has something new brings it, and shows what is due if nobody else is at it.
pub(crate) struct Projector<'a> {
    screen: &'a dyn Screen,
    film: &'a Film,
    shop: &'a Workshop,
    footage: &'a Footage,
    dir: PathBuf,
    waiting: Mutex<VecDeque<Shot>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    acts: BTreeMap<usize, (Arc<Act>, bool)>,
    drawn: BTreeMap<(usize, usize), PathBuf>,
    /// The piece that is due: scene, and piece of it.
    due: (usize, usize),
    /// Frames that were shown in whole pieces, and of the piece that is due in parts.
    frames: u64,
    begun: u64,
    lists: Option<Playlists>,
    sound: Option<Sound>,
    /// Frames of sound of the piece that is due, and which is the first.
    heard: Vec<Vec<u8>>,
    /// Of these, shown in parts.
    heard_begun: usize,
    over: bool,
}

/// Where the sound of the stream comes from.
enum Sound {
    Live(Box<Live>),
    /// The finished film's.
    Film {
        from: BufReader<File>,
        sizes: Vec<u32>,
        next: usize,
    },
}

struct Live {
    mix: LiveMix<'static>,
    encoder: LiveEncoder,
    /// Scenes that were mixed; the last of them may not be read to its end.
    scenes: usize,
    reads: bool,
    /// Samples that the encoder has.
    given: u64,
    /// Frames that it gave.
    taken: u64,
}

impl std::fmt::Debug for Projector<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Projector").finish_non_exhaustive()
    }
}

impl<'a> Projector<'a> {
    /// `dir` takes what is needed on the way.
    pub(crate) fn new(
        screen: &'a dyn Screen,
        film: &'a Film,
        shop: &'a Workshop,
        footage: &'a Footage,
        dir: PathBuf,
    ) -> Self {
        Self { screen, film, shop, footage, dir, waiting: Mutex::default(), state: Mutex::default() }
    }

    /// Whether this piece is shown while it is drawn.
    pub(crate) fn shows_parts_of(&self, scene: usize, piece: usize) -> bool {
        (scene, piece) == (0, 0)
    }

    /// Takes what happened, for whoever has no time to show anything.
    pub(crate) fn note(&self, shot: Shot) {
        lock(&self.waiting).push_back(shot);
    }

    /// Takes what happened and shows what is due. Never waits for somebody else who does.
    pub(crate) fn tell(&self, shot: Shot) {
        self.note(shot);
        loop {
            let mut state = match self.state.try_lock() {
                Ok(state) => state,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                // They look again before they go.
                Err(TryLockError::WouldBlock) => return,
            };
            self.catch_up(&mut state);
            drop(state);
            if lock(&self.waiting).is_empty() {
                return;
            }
        }
    }

    /// Shows all that is left of a film that was heard, and the end.
    pub(crate) fn finish(&self, segments: &[PathBuf]) {
        let mut state = lock(&self.state);
        self.catch_up(&mut state);
        if state.over {
            return;
        }
        let shown = self.show_rest(&mut state, segments);
        self.judge(&mut state, shown);
        state.over = true;
    }

    fn catch_up(&self, state: &mut State) {
        loop {
            let Some(shot) = lock(&self.waiting).pop_front() else { return };
            if state.over {
                continue;
            }
            let shown = self.take(state, shot);
            self.judge(state, shown);
        }
    }

    fn judge(&self, state: &mut State, shown: Result<(), RenderError>) {
        if let Err(error) = shown {
            self.screen.lost(&error.to_string());
            (state.over, state.sound) = (true, None);
        }
    }

    fn take(&self, state: &mut State, shot: Shot) -> Result<(), RenderError> {
        match shot {
            Shot::Spoken { act, last } => {
                state.acts.insert(act.number(), (act, last));
            }
            Shot::Begun(part) => self.show_part(state, &part)?,
            Shot::Drawn { scene, piece, path } => {
                state.drawn.insert((scene, piece), path);
            }
            Shot::Heard(sound) => state.take_over(&sound)?,
        }
        while let Some(path) = state.due_piece() {
            let piece = read(&path)?;
            self.show_piece(state, &piece, false)?;
        }
        Ok(())
    }

    fn show_part(&self, state: &mut State, part: &Segment) -> Result<(), RenderError> {
        let (first, frames) = (state.begun, part.frames.len() as u64);
        self.begin(state, part)?;
        self.listen(state, first + frames)?;
        let sizes = sizes(&state.heard[state.heard_begun..]);
        let at = state.lists()?.parts();
        let number = at as u32 + 1;
        self.screen.show(&Playlists::video_part(at), &fragments::pictures(number, first, &part.frames, &part.data));
        let from = state.heard_before() + state.heard_begun as u64;
        let sound = fragments::sound(number, from, &sizes, &state.heard[state.heard_begun..].concat());
        self.screen.show(&Playlists::sound_part(at), &sound);
        state.begun += frames;
        state.heard_begun = state.heard.len();
        let heard = sizes.len() as u64;
        self.list(state, |lists| lists.part(frames, heard))
    }

    /// `last`: the film ends with it.
    fn show_piece(&self, state: &mut State, piece: &Segment, last: bool) -> Result<(), RenderError> {
        self.begin(state, piece)?;
        let (first, frames) = (state.frames, piece.frames.len() as u64);
        let before = state.heard_before();
        if last {
            state.listen_to_the_end()?;
        } else {
            self.listen(state, first + frames)?;
        }
        let at = state.lists()?.pieces();
        let number = PIECE_NUMBERS * (at as u32 + 1);
        self.screen.show(&Playlists::video_piece(at), &fragments::pictures(number, first, &piece.frames, &piece.data));
        let sound = fragments::sound(number, before, &sizes(&state.heard), &state.heard.concat());
        self.screen.show(&Playlists::sound_piece(at), &sound);
        let heard = state.heard.len() as u64;
        state.frames += frames;
        (state.begun, state.heard_begun) = (0, 0);
        state.heard.clear();
        let (scene, piece) = state.due;
        let pieces = state.acts.get(&scene).map_or(0, |(act, _)| plan::pieces(act.frames()).len());
        state.due = if piece + 1 < pieces { (scene, piece + 1) } else { (scene + 1, 0) };
        self.list(state, |lists| lists.piece(frames, heard, last))
    }

    fn show_rest(&self, state: &mut State, segments: &[PathBuf]) -> Result<(), RenderError> {
        let shown = state.lists.get_or_insert_with(Playlists::default).pieces();
        for (at, path) in segments.iter().enumerate().skip(shown) {
            self.show_piece(state, &read(path)?, at + 1 == segments.len())?;
        }
        Ok(())
    }

    /// The heads of both tracks, before anything else.
    fn begin(&self, state: &mut State, first: &Segment) -> Result<(), RenderError> {
        if state.lists.as_ref().is_some_and(Playlists::has_begun) {
            return Ok(());
        }
        let (width, height) = self.film.output();
        let head = fragments::video_head(&first.parameter_sets, width, height).map_err(RenderError::machine)?;
        self.screen.show(Playlists::VIDEO_HEAD, &head);
        let rate = self.rate();
        self.screen.show(Playlists::SOUND_HEAD, &fragments::sound_head(rate));
        let codec = fragments::video_codec(&first.parameter_sets);
        state.lists.get_or_insert_with(Playlists::default).begin(&codec, (width, height), rate);
        Ok(())
    }

    fn rate(&self) -> u32 {
        if heard::only_speech(self.film, self.footage) { aac::SPEECH } else { aac::MUSIC }
    }

    /// Changes the playlists and shows them.
    fn list(&self, state: &mut State, change: impl FnOnce(&mut Playlists)) -> Result<(), RenderError> {
        let first = state.lists()?.parts() + state.lists()?.pieces() == 0;
        change(state.lists()?);
        self.screen.show(Playlists::SOUND, state.lists()?.sound().as_bytes());
        self.screen.show(Playlists::VIDEO, state.lists()?.video().as_bytes());
        if first {
            self.screen.show(Playlists::FILM, state.lists()?.film().as_bytes());
        }
        Ok(())
    }

    /// Fetches the sound up to a frame of the film.
    fn listen(&self, state: &mut State, to: u64) -> Result<(), RenderError> {
        if state.sound.is_none() {
            let sound = Live::start(self.film, self.footage, self.shop, self.rate(), &self.dir)?;
            state.sound = Some(Sound::Live(Box::new(sound)));
        }
        let samples = FRAME_RATE.first_sample(to);
        let State { sound, acts, heard, .. } = state;
        match sound {
            Some(Sound::Live(live)) => live.listen(samples, self, acts, heard),
            Some(Sound::Film { from, sizes, next }) => {
                // One frame is priming.
                let until = (samples / aac::FRAME_SAMPLES + 1).min(sizes.len() as u64) as usize;
                fetch(from, sizes, next, until, heard)
            }
            None => Ok(()),
        }
    }
}

impl State {
    /// The file of the piece that is due, if it is drawn and not the last one.
    fn due_piece(&mut self) -> Option<PathBuf> {
        let (act, last) = self.acts.get(&self.due.0)?;
        let ends = *last && self.due.1 + 1 == plan::pieces(act.frames()).len();
        if ends { None } else { self.drawn.remove(&self.due) }
    }

    /// From here on the sound is that of the finished film.
    fn take_over(&mut self, sound: &AacTrack) -> Result<(), RenderError> {
        let taken = self.heard_before() as usize + self.heard.len();
        let before: u64 = sound.sizes.iter().take(taken).map(|&size| u64::from(size)).sum();
        let mut from = BufReader::new(File::open(&sound.path).map_err(RenderError::file(&sound.path))?);
        from.seek(SeekFrom::Start(before)).map_err(RenderError::file(&sound.path))?;
        self.sound = Some(Sound::Film { from, sizes: sound.sizes.clone(), next: taken });
        Ok(())
    }

    fn lists(&mut self) -> Result<&mut Playlists, RenderError> {
        self.lists.as_mut().ok_or_else(|| RenderError::machine("a stream without a head"))
    }

    /// Frames of sound before the piece that is due, priming included.
    fn heard_before(&self) -> u64 {
        1 + self.lists.as_ref().map_or(0, Playlists::sounded)
    }

    fn listen_to_the_end(&mut self) -> Result<(), RenderError> {
        match &mut self.sound {
            Some(Sound::Film { from, sizes, next }) => {
                let all = sizes.len();
                fetch(from, sizes, next, all, &mut self.heard)
            }
            _ => Err(RenderError::machine("the end of a stream before that of its film")),
        }
    }
}

impl Live {
    fn start(
        film: &Film,
        footage: &Footage,
        shop: &Workshop,
        rate: u32,
        dir: &std::path::Path,
    ) -> Result<Self, RenderError> {
        let music = heard::music(film, heard::LONGEST, footage).into_iter().map(|music| music.track(shop));
        let music = music.collect::<Result<_, _>>()?;
        let mix = LiveMix::new(music, dir.join("live.f32")).map_err(RenderError::machine)?;
        let encoder = LiveEncoder::start(rate).map_err(RenderError::machine)?;
        Ok(Self { mix, encoder, scenes: 0, reads: false, given: 0, taken: 0 })
    }

    fn listen(
        &mut self,
        samples: u64,
        projector: &Projector<'_>,
        acts: &BTreeMap<usize, (Arc<Act>, bool)>,
        heard: &mut Vec<Vec<u8>>,
    ) -> Result<(), RenderError> {
        while self.given < samples {
            if !self.reads {
                let Some((act, last)) = acts.get(&self.scenes) else { break };
                let tracks = heard::of_scene(act, projector.footage).map(|placed| placed.track(projector.shop));
                let tracks = tracks.collect::<Result<_, _>>()?;
                self.mix.scene(tracks, act.time.samples().end, *last).map_err(RenderError::machine)?;
                self.scenes += 1;
            }
            let block = self.mix.read().map_err(RenderError::machine)?;
            self.reads = block.is_some();
            let block = block.unwrap_or_default();
            self.encoder.write(&block).map_err(RenderError::machine)?;
            self.given += block.len() as u64 / 2;
        }
        // Some sound is still under way in the encoder.
        let until = samples.min(self.given).saturating_sub(LiveEncoder::BEHIND) / aac::FRAME_SAMPLES + 1;
        while self.taken < until {
            let frame = self.encoder.frame().map_err(RenderError::machine)?;
            // The first is priming.
            if self.taken > 0 {
                heard.push(frame);
            }
            self.taken += 1;
        }
        Ok(())
    }
}

/// Frames of the finished sound up to number `until`.
fn fetch(
    from: &mut BufReader<File>,
    sizes: &[u32],
    next: &mut usize,
    until: usize,
    heard: &mut Vec<Vec<u8>>,
) -> Result<(), RenderError> {
    for &size in sizes.get(*next..until).unwrap_or_default() {
        let mut frame = vec![0; size as usize];
        from.read_exact(&mut frame).map_err(RenderError::machine)?;
        heard.push(frame);
        *next += 1;
    }
    Ok(())
}

fn sizes(frames: &[Vec<u8>]) -> Vec<u32> {
    frames.iter().map(|frame| frame.len() as u32).collect()
}

fn read(path: &std::path::Path) -> Result<Segment, RenderError> {
    let file = File::open(path).map_err(RenderError::file(path))?;
    Segment::read_from(BufReader::new(file)).map_err(RenderError::machine)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
