//! Speaks the scenes one after another and draws those already spoken on all cores meanwhile.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use compere_codec::sandbox::Left;
use compere_codec::{MediaInfo, h264};
use compere_compose::Compositor;
use compere_media::{Damage, FRAME_RATE, Frame};
use compere_scene::{Film, Measured, Scene};

use crate::act::{Act, Waiting};
use crate::footage::Footage;
use crate::handover::side_by_side;
use crate::plan::{self, PART};
use crate::presenters::Presenters;
use crate::progress::Meter;
use crate::speech::{self, SceneSpeech};
use crate::stream::{Projector, Shot};
use crate::together::{Claim, Company, Part, wait_for};
use crate::{Key, Progress, RenderError, Shelf, Studio, Warning, Workshop};

/// Seconds of film. Less is made before somebody who could help has understood what it is about.
const WORTH_HELP: f64 = 15.0;

/// What a panic leaves behind.
type Panic = Box<dyn std::any::Any + Send>;

/// All scenes, spoken and drawn.
#[derive(Debug)]
pub(crate) struct Reel {
    pub(crate) measured: Vec<Measured>,
    pub(crate) acts: Vec<Arc<Act>>,
    /// Files of encoded frames, in order, scene by scene.
    pub(crate) segments: Vec<PathBuf>,
    /// Frames that had not been drawn before.
    pub(crate) drawn: u64,
}

/// What needs all of the speech and none of the pictures is done while these are drawn.
pub(crate) type Meanwhile<'m> = &'m mut dyn FnMut(&[Measured], &[Arc<Act>], &Left) -> Result<(), RenderError>;

/// For whom, and how long at most.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) meter: &'a Meter<'a>,
    /// Seconds that the film may last.
    pub(crate) longest: Option<f64>,
    pub(crate) projector: Option<&'a Projector<'a>>,
    /// Others who make parts of the film.
    pub(crate) company: Option<&'a dyn Company>,
    pub(crate) presenters: &'a Presenters<'a>,
}

/// Speaks and draws the whole film. Line sounds go into `dir`.
pub(crate) fn shoot(
    film: &Film,
    studio: &dyn Studio,
    footage: &Footage,
    dir: &Path,
    terms: Terms<'_>,
    warnings: &mut BTreeSet<Warning>,
    meanwhile: Meanwhile<'_>,
) -> Result<Reel, RenderError> {
    let shop = studio.workshop();
    let floor = Floor::new(film, shop, footage, terms);
    let spoken = std::thread::scope(|scope| {
        for _ in 0..floor.artists() {
            scope.spawn(|| floor.work());
        }
        let spoken = floor.speak(dir);
        floor.close(spoken.as_ref().err());
        let left = terms.meter.left().or(Arc::clone(&floor.stop));
        let done = spoken.and_then(|spoken| meanwhile(&spoken.0, &spoken.1, &left).map(|()| spoken));
        floor.close(done.as_ref().err());
        done
    });
    let Floor { state, drawn, .. } = floor;
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Whoever fails stops the others, who say no more than that they were stopped.
    let (measured, acts, told) = match (spoken, state.failed) {
        (Err(RenderError::Cancelled) | Ok(_), Some(error)) | (Err(error), _) => return Err(error),
        (Ok(spoken), None) => spoken,
    };
    warnings.extend(told);
    warnings.extend(acts.iter().flat_map(|act| act.missing_text(film, shop)));
    let segments = state.done.into_values().flatten().collect::<Option<Vec<_>>>();
    let segments = segments.ok_or_else(|| RenderError::machine("a part of the film was lost while it was drawn"))?;
    Ok(Reel { measured, acts, segments, drawn: drawn.into_inner() })
}

/// Speaks the whole film and draws nothing: for what is only heard, or drawn in another way.
pub(crate) fn speak_only(
    film: &Film,
    studio: &dyn Studio,
    footage: &Footage,
    dir: &Path,
    terms: Terms<'_>,
    warnings: &mut BTreeSet<Warning>,
    meanwhile: Meanwhile<'_>,
) -> Result<Reel, RenderError> {
    let floor = Floor::new(film, studio.workshop(), footage, terms);
    let (measured, acts, told) = floor.speak(dir)?;
    meanwhile(&measured, &acts, &terms.meter.left())?;
    warnings.extend(told);
    Ok(Reel { measured, acts, segments: Vec::new(), drawn: 0 })
}

/// Where artists draw pieces while the lines of later scenes are spoken.
pub(crate) struct Floor<'a> {
    pub(crate) film: &'a Film,
    shop: &'a Workshop,
    footage: &'a Footage,
    terms: Terms<'a>,
    company: Option<&'a dyn Company>,
    /// Whether others are told what there is to do.
    leads: bool,
    state: Mutex<State>,
    /// Rings when there is a piece to draw or nothing more will come.
    bell: Condvar,
    stop: Arc<AtomicBool>,
    frames_done: AtomicU64,
    frames_known: AtomicU64,
    drawn: AtomicU64,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Take>,
    /// What others were at when its turn came.
    elsewhere: VecDeque<Take>,
    /// Artists at work.
    busy: usize,
    closed: bool,
    failed: Option<RenderError>,
    /// Segment files by scene.
    done: BTreeMap<usize, Vec<Option<PathBuf>>>,
}

/// Pieces of one scene for one artist, in order.
///
/// One piece, as a rule. A scene with footage is one take: a decoder plays forward from the start of its file, and every
/// artist who began in the middle would decode all that comes before.
pub(crate) struct Take {
    pub(crate) act: Arc<Act>,
    pieces: Vec<Piece>,
}

impl Take {
    /// As others know it.
    pub(crate) fn part(&self) -> Part {
        Part::pictures(self.act.number(), self.pieces.first().map_or(0, |piece| piece.number))
    }
}

/// A few seconds of a scene.
#[derive(Clone)]
struct Piece {
    number: usize,
    frames: Range<u64>,
}

impl<'a> Floor<'a> {
    fn new(film: &'a Film, shop: &'a Workshop, footage: &'a Footage, terms: Terms<'a>) -> Self {
        Self { leads: true, ..Self::helping(film, shop, footage, terms) }
    }

    /// For parts of a film that others lead.
    pub(crate) fn helping(film: &'a Film, shop: &'a Workshop, footage: &'a Footage, terms: Terms<'a>) -> Self {
        Self {
            film,
            shop,
            footage,
            terms,
            company: terms.company,
            leads: false,
            state: Mutex::default(),
            bell: Condvar::new(),
            stop: Arc::default(),
            frames_done: AtomicU64::new(0),
            frames_known: AtomicU64::new(0),
            drawn: AtomicU64::new(0),
        }
    }

    /// As many as there are cores, or as memory allows: frame, layers and encoder of one artist are about 24 frames.
    pub(crate) fn artists(&self) -> usize {
        let (width, height) = self.film.output();
        let each = u64::from(width) * u64::from(height) * 3 / 2 * 24;
        self.shop.threads.min((self.shop.memory / each) as usize).max(1)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[expect(clippy::type_complexity, reason = "three lists that belong together for one line of `shoot`")]
    pub(crate) fn speak(&self, dir: &Path) -> Result<(Vec<Measured>, Vec<Arc<Act>>, Vec<Warning>), RenderError> {
        let (mut measured, mut acts, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        self.offer_what_pictures_need();
        let mut done = 0;
        for (number, scene) in self.film.scenes.iter().enumerate() {
            let company = self.company.filter(|_| says_something(scene));
            let runs = company.map_or(1, |_| self.runs(scene));
            if let Some(company) = company {
                for run in 0..runs {
                    let part = Part::speech(number, run);
                    wait_for(company, part, &mut || self.see_speech(done))?;
                    if runs > 1 {
                        self.speak_run(scene, run, done)?;
                        company.made(part);
                    }
                }
            }
            let speech = self.speak_scene(scene, dir, done, &mut warnings)?;
            if let Some(company) = company.filter(|_| runs == 1) {
                company.made(Part::speech(number, 0));
            }
            done += scene.lines.len() as u32;
            measured.push(measure(scene, &speech, self.footage));
            let act = Arc::new(self.act(scene, speech, &measured).after(acts.last()));
            let seconds = FRAME_RATE.seconds(act.time.frames.end());
            if let Some(longest) = self.terms.longest.filter(|longest| seconds > *longest) {
                return Err(RenderError::TooLong { seconds, longest });
            }
            if let Some(projector) = self.terms.projector {
                projector.note(Shot::Spoken { act: Arc::clone(&act), last: measured.len() == self.film.scenes.len() });
            }
            self.hand_out(&act);
            acts.push(act);
        }
        if let Some(company) = self.company.filter(|_| self.leads) {
            company.offered();
        }
        // Nothing may stand still at the end of the speech, not even the display.
        let _ = self.see_speech(done);
        Ok((measured, acts, warnings))
    }

    /// In how many runs of sentences a scene is spoken: those of a long one are shared out.
    pub(crate) fn runs(&self, scene: &Scene) -> usize {
        speech::runs(self.film, scene, self.shop)
    }

    /// Speaks one run of a scene's sentences into the cache when so many lines of the film are spoken.
    pub(crate) fn speak_run(&self, scene: &Scene, run: usize, done: u32) -> Result<(), RenderError> {
        let mut watch = || self.see_speech(done);
        let spoken = catch_unwind(AssertUnwindSafe(|| speech::speak_run(self.film, scene, self.shop, run, &mut watch)));
        spoken.unwrap_or_else(|panic| Err(RenderError::bug(scene.index, "speaking", &*panic)))
    }

    /// Speaks one scene when so many lines of the film are spoken.
    pub(crate) fn speak_scene(
        &self,
        scene: &Scene,
        dir: &Path,
        done: u32,
        warnings: &mut Vec<Warning>,
    ) -> Result<SceneSpeech, RenderError> {
        let mut watch = || self.see_speech(done);
        if watch().is_break() {
            return Err(RenderError::Cancelled);
        }
        let spoken = catch_unwind(AssertUnwindSafe(|| {
            speech::speak(self.film, scene, self.shop, self.footage, dir, &mut watch, warnings)
        }));
        let panicked = |panic: Panic| Err(RenderError::bug(scene.index, "speaking", &*panic));
        spoken.unwrap_or_else(panicked)
    }

    fn see_speech(&self, done: u32) -> ControlFlow<()> {
        let of: u32 = self.film.scenes.iter().map(|scene| scene.lines.len() as u32).sum();
        let seen = self.terms.meter.see(Progress::Speaking { done, of });
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { seen }
    }

    fn offer_what_pictures_need(&self) {
        let Some(company) = self.company.filter(|_| self.leads) else { return };
        let scenes = self.film.scenes.iter().enumerate().filter(|(_, scene)| says_something(scene));
        let speech = scenes.flat_map(|(number, scene)| (0..self.runs(scene)).map(move |run| Part::speech(number, run)));
        company.offer(&self.terms.presenters.parts().chain(speech).collect::<Vec<_>>());
    }

    pub(crate) fn presenters(&self) -> &Presenters<'a> {
        self.terms.presenters
    }

    fn stay(&self) -> ControlFlow<()> {
        if self.tick(0).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn act(&self, scene: &Scene, speech: SceneSpeech, measured: &[Measured]) -> Act {
        let timeline = compere_scene::timeline(self.film, measured);
        let time = timeline.scenes[measured.len() - 1].clone();
        Act::new(measured.len() - 1, scene, time, speech, self.film, self.shop, self.footage)
    }

    fn hand_out(&self, act: &Arc<Act>) {
        let pieces = plan::pieces(act.frames());
        self.frames_known.fetch_add(act.frames(), Ordering::Relaxed);
        let mut state = self.lock();
        state.done.insert(act.number(), vec![None; pieces.len()]);
        let pieces: Vec<Piece> =
            pieces.into_iter().enumerate().map(|(number, frames)| Piece { number, frames }).collect();
        let at_once = if act.plays_footage() { pieces.len() } else { 1 };
        let takes = pieces.chunks(at_once).map(|pieces| Take { act: Arc::clone(act), pieces: pieces.to_vec() });
        let takes: Vec<Take> = takes.collect();
        if let Some(company) = self.company.filter(|_| self.leads) {
            // Before anybody here begins with one of them.
            let offered = takes.iter().filter(|take| self.is_for_others(take)).map(Take::part);
            company.offer(&offered.collect::<Vec<_>>());
        }
        state.waiting.extend(takes);
        drop(state);
        self.bell.notify_all();
    }

    /// Whether any of it is to be drawn, and may be had by others.
    fn is_for_others(&self, take: &Take) -> bool {
        let mut keys = take.pieces.iter().map(|piece| take.act.piece_key(&piece.frames));
        keys.any(|key| self.shop.cache.is_for_others(Shelf::Segment, &key))
    }

    /// What went wrong, if anything did.
    pub(crate) fn end(self) -> Result<(), RenderError> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).failed.map_or(Ok(()), Err)
    }

    /// Nothing more will come.
    fn close(&self, failed: Option<&RenderError>) {
        if failed.is_some() {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.lock().closed = true;
        self.bell.notify_all();
    }

    fn work(&self) {
        while let Some((take, waits)) = self.take() {
            let drawn = self.guard(&take, || {
                let elsewhere = self.is_elsewhere(&take, waits)?;
                if elsewhere { Ok(false) } else { self.draw(&take).map(|()| true) }
            });
            let mut state = self.lock();
            state.busy -= 1;
            if drawn == Some(false) {
                state.elsewhere.push_back(take);
            }
        }
    }

    /// What goes wrong with a take stops everybody.
    pub(crate) fn guard<T>(&self, take: &Take, work: impl FnOnce() -> Result<T, RenderError>) -> Option<T> {
        let panicked = |panic: Panic| Err(RenderError::bug(take.act.number(), "drawing", &*panic));
        match catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked) {
            Ok(done) => Some(done),
            Err(error) => {
                self.lock().failed.get_or_insert(error);
                self.stop.store(true, Ordering::Relaxed);
                self.bell.notify_all();
                None
            }
        }
    }

    /// Whether somebody else is drawing a take. Whoever `waits` has nothing else to do, and goes on when it is drawn.
    fn is_elsewhere(&self, take: &Take, waits: bool) -> Result<bool, RenderError> {
        let Some(company) = self.company.filter(|_| self.is_for_others(take)) else { return Ok(false) };
        if !waits {
            return Ok(company.claim(take.part()) == Claim::Theirs);
        }
        wait_for(company, take.part(), &mut || self.stay())?;
        Ok(false)
    }

    /// The next one, and whether there is no other.
    fn take(&self) -> Option<(Take, bool)> {
        let mut state = self.lock();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(take) = state.waiting.pop_front() {
                state.busy += 1;
                return Some((take, false));
            }
            if state.closed {
                let take = state.elsewhere.pop_front()?;
                state.busy += 1;
                return Some((take, true));
            }
            state = self.bell.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A certain one, for somebody who was told which.
    pub(crate) fn take_out(&self, part: Part) -> Option<Take> {
        let mut state = self.lock();
        let at = state.waiting.iter().position(|take| take.part() == part)?;
        state.busy += 1;
        state.waiting.remove(at)
    }

    /// It is out of somebody's hands.
    pub(crate) fn put_down(&self) {
        self.lock().busy -= 1;
    }

    /// Whether an artist has nothing to do, so that there is a core for another's pictures.
    fn has_hands_free(&self) -> bool {
        let state = self.lock();
        let nothing_to_do = !self.leads || state.waiting.is_empty();
        nothing_to_do && state.busy < self.artists()
    }

    /// Puts the files with the encoded frames of a take into their places, made now or before.
    pub(crate) fn draw(&self, take: &Take) -> Result<(), RenderError> {
        let mut compositor = None;
        for piece in &take.pieces {
            let key = take.act.piece_key(&piece.frames);
            let path = match self.drawn_before(&key) {
                Some(path) => {
                    self.tick(piece.frames.end - piece.frames.start)?;
                    path
                }
                None => self.draw_piece(&take.act, piece, &key, &mut compositor)?,
            };
            if let Some(projector) = self.terms.projector {
                let (scene, piece) = (take.act.number(), piece.number);
                projector.tell(Shot::Drawn { scene, piece, path: path.clone() });
            }
            if let Some(slots) = self.lock().done.get_mut(&take.act.number()) {
                slots[piece.number] = Some(path);
                if slots.iter().all(Option::is_some) {
                    take.act.strike();
                }
            }
        }
        Ok(())
    }

    /// A segment from the cache, if it is there and whole.
    fn drawn_before(&self, key: &Key) -> Option<PathBuf> {
        let path = self.shop.cache.find(Shelf::Segment, key)?;
        if File::open(&path).is_ok_and(|file| h264::Segment::read_from(file).is_ok()) {
            return Some(path);
        }
        self.shop.cache.forget(Shelf::Segment, key);
        None
    }

    fn draw_piece(
        &self,
        act: &Act,
        piece: &Piece,
        key: &Key,
        compositor: &mut Option<Compositor>,
    ) -> Result<PathBuf, RenderError> {
        let compositor = match compositor {
            Some(compositor) => compositor,
            None => {
                self.presenters().bring(act, piece.frames.start, &mut || self.stay())?;
                compositor.insert(act.compositor(piece.frames.start, self.film, self.shop, self.footage)?)
            }
        };
        let segment = self.encode(act, piece, compositor)?;
        self.drawn.fetch_add(piece.frames.end - piece.frames.start, Ordering::Relaxed);
        let put = self.shop.cache.put(Shelf::Segment, key, |file| segment.write_to(file));
        put.map_err(|error| RenderError::machine(format!("the cache: {error}")))
    }

    fn encode(&self, act: &Act, piece: &Piece, compositor: &mut Compositor) -> Result<h264::Segment, RenderError> {
        let encoding = |error: h264::EncodeError| RenderError::machine(error);
        let frames = &piece.frames;
        let parts = self.terms.projector.filter(|projector| projector.shows_parts_of(act.number(), piece.number));
        let mut encoder = h264::Encoder::new(&settings(self.film)).map_err(encoding)?;
        encoder.plan(plan::plan(compositor, frames));
        let mut done = 0;
        let code = |frame: &Frame, damage: &Damage| {
            encoder.push(frame, damage).map_err(encoding)?;
            done += 1;
            if let Some(projector) = parts.filter(|_| done % PART == 0) {
                projector.tell(Shot::Begun(encoder.so_far((done - PART) as usize)));
            }
            self.tick(1)
        };
        if self.has_hands_free() {
            side_by_side(|desk| play(act, compositor, frames, |frame, damage| desk.hand_over(frame, damage)), code)?;
        } else {
            play(act, compositor, frames, code)??;
        }
        let rest = done % PART;
        if let Some(projector) = parts.filter(|_| rest > 0) {
            projector.tell(Shot::Begun(encoder.so_far((done - rest) as usize)));
        }
        encoder.finish().map_err(encoding)
    }

    pub(crate) fn tick(&self, frames: u64) -> Result<(), RenderError> {
        let done = self.frames_done.fetch_add(frames, Ordering::Relaxed) + frames;
        let stopped = self.stop.load(Ordering::Relaxed);
        // The length of scenes not yet spoken is guessed from those that are.
        let spoken = self.lock().done.len() as u64;
        let known = self.frames_known.load(Ordering::Relaxed);
        let of = known * self.film.scenes.len() as u64 / spoken.max(1);
        if stopped || self.terms.meter.see(Progress::Drawing { done, of: of.max(known) }).is_break() {
            return Err(RenderError::Cancelled);
        }
        Ok(())
    }
}

/// Whether there is any speech to make.
fn says_something(scene: &Scene) -> bool {
    scene.lines.iter().any(|line| !line.is_silent())
}

/// Whether a film is long enough to be made by several.
pub(crate) fn is_worth_help(film: &Film) -> bool {
    let timeline = compere_scene::timeline(film, &compere_scene::estimate(film));
    FRAME_RATE.seconds(timeline.frames()) >= WORTH_HELP
}

/// Draws pictures one after another until somebody wants no more, and says why.
fn play<E>(
    act: &Act,
    compositor: &mut Compositor,
    frames: &Range<u64>,
    mut take: impl FnMut(&Frame, &Damage) -> Result<(), E>,
) -> Result<Result<(), E>, RenderError> {
    for number in frames.clone() {
        let (frame, damage) = compositor.advance(number).map_err(|lost| act.lost(&lost))?;
        if let Err(ended) = take(frame, &damage) {
            return Ok(Err(ended));
        }
    }
    Ok(Ok(()))
}

/// How every segment of a film is encoded.
pub(crate) fn settings(film: &Film) -> h264::Settings {
    let (width, height) = film.output();
    h264::Settings { width, height, quality: h264::Quality::default(), threads: 1 }
}

/// The lengths that decide how long a scene is.
pub(crate) fn measure(scene: &Scene, speech: &SceneSpeech, footage: &Footage) -> Measured {
    let sources = scene.clips.iter().filter_map(|clip| match &clip.kind {
        compere_scene::ClipKind::Video(video) => Some(&video.source),
        compere_scene::ClipKind::Audio(audio) => Some(&audio.source),
        _ => None,
    });
    let length = |info: &MediaInfo| FRAME_RATE.first_sample(info.film_frames());
    let lengths = sources.filter_map(|source| footage.files.get(source)?.info.as_ref().map(length));
    Measured { lines: speech.lines.iter().map(|line| line.sound.len()).collect(), media: lengths.max() }
}

/// One frame of a film, as it will be: for posters and previews. Given up between two clips when `watch` says so.
pub(crate) fn still(
    act: &Act,
    frame: u64,
    film: &Film,
    shop: &Workshop,
    footage: &Footage,
    waiting: &Waiting,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Frame, RenderError> {
    let mut compositor = act.compositor_while(film, shop, footage, waiting, watch)?;
    let (frame, _) = compositor.advance(frame).map_err(|lost| act.lost(&lost))?;
    Ok(frame.clone())
}
