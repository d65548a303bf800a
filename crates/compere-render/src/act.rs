//! One scene with its speech: all that any of its frames needs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use compere_avatar::{Other, Pack, PresenterInfo, Role, Style};
use compere_codec::MediaError;
use compere_codec::sandbox::{Left, Sandbox};
use compere_codec::video::{VideoReader, VideoWant};
use compere_compose::draw::{self, Fonts};
use compere_compose::{BACKGROUND, Compositor, Entrance, Lost, Mover, Props, Stage};
use compere_media::{CueMark, FRAME_RATE, Marks, Moving, Pixmap, Rect, Rgb, SampleSpan, Sound};
use compere_scene::{Avatar, Clip, ClipKind, Film, Place, Scene, SceneTime, Source};

use crate::ambience::{Lit, ambience};
use crate::footage::Footage;
use crate::round::Round;
use crate::speech::SceneSpeech;
use crate::stand::Standing;
use crate::{Key, RenderError, Warning, Workshop, plan, stand};

#[derive(Debug)]
pub(crate) struct Act {
    number: usize,
    pub(crate) scene: Scene,
    pub(crate) time: SceneTime,
    pub(crate) speech: SceneSpeech,
    /// What its texts are written with, where they ask for more than the machine has.
    fonts: Option<Arc<Fonts>>,
    /// The hash of everything its pictures are made from, but for how it begins.
    key: Key,
    /// Belongs to what it shows, whoever draws it.
    seed: u64,
    /// What its transition takes the picture from.
    before: Option<Arc<Act>>,
    /// Set up by the first artist who draws a piece of it, gone with the last.
    stage: Mutex<Option<Arc<Stage>>>,
    /// What each presenter says, by clip.
    monologues: Mutex<BTreeMap<usize, Arc<Monologue>>>,
}

/// The lines of one presenter, in scene time.
#[derive(Debug)]
struct Monologue {
    marks: Marks,
    /// None when some of it was not spoken yet.
    sound: Option<Arc<Sound>>,
    cues: Vec<CueMark>,
    others: Vec<Other>,
}

/// How somebody wants a still who waits for it.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    pub(crate) left: Left,
    /// A likeness of presenters who are not baked yet will do.
    pub(crate) soon: bool,
    /// Whether it did.
    pub(crate) sketched: AtomicBool,
}

/// A presenter as it stands, baked, and what it has to act.
struct Part {
    standing: Standing,
    pack: Arc<dyn Pack>,
    role: Role,
}

impl Act {
    pub(crate) fn new(
        number: usize,
        scene: &Scene,
        time: SceneTime,
        speech: SceneSpeech,
        film: &Film,
        shop: &Workshop,
        footage: &Footage,
    ) -> Self {
        let mut scene = scene.clone();
        scene.steps = steps(&scene, &time, &speech);
        let content = content(&scene, &time, &speech, film, footage);
        let own = own_presenters(&scene, shop);
        let made: String = own.iter().map(|info| info.made.as_str()).collect();
        let mut of = vec![shop.engine.as_bytes(), content.as_str().as_bytes()];
        of.extend((!made.is_empty()).then_some(made.as_bytes()));
        let ids: Vec<&str> = own.iter().map(|info| info.id.as_str()).collect();
        let key = Key::of(&of).marked(&ids.join("."));
        let (stage, monologues) = (Mutex::default(), Mutex::default());
        let fonts = footage.typecase.of(&scene, shop);
        Self { number, scene, time, speech, fonts, key, seed: content.seed(), before: None, stage, monologues }
    }

    /// The same as what follows another scene of its film.
    pub(crate) fn after(mut self, before: Option<&Arc<Self>>) -> Self {
        self.before = before.filter(|_| self.scene.transition.is_some()).cloned();
        self
    }

    pub(crate) fn number(&self) -> usize {
        self.number
    }

    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    /// The key of some of its frames: those of its transition are made of another scene, too, and of whom it shows.
    pub(crate) fn piece_key(&self, piece: &Range<u64>) -> Key {
        match (&self.before, self.scene.transition) {
            (Some(before), Some(transition)) if self.enters(piece.start) => {
                let how = format!("{transition:?}");
                let after = Key::of(&[self.key.as_str().as_bytes(), before.key.as_str().as_bytes(), how.as_bytes()]);
                let people: BTreeSet<&str> = [&self.key, &before.key].iter().flat_map(|key| key.people()).collect();
                plan::piece_key(&after.marked(&people.into_iter().collect::<Vec<_>>().join(".")), piece)
            }
            _ => plan::piece_key(&self.key, piece),
        }
    }

    /// What is in the pictures from frame `from` on, and in the one that its transition begins with.
    pub(crate) fn clips_from(&self, from: u64) -> impl Iterator<Item = &Clip> {
        let before = self.before.as_ref().filter(|_| self.enters(from));
        self.scene.clips.iter().chain(before.into_iter().flat_map(|before| &before.scene.clips))
    }

    /// Whether frame `frame` is part of a transition.
    fn enters(&self, frame: u64) -> bool {
        let transition = self.scene.transition.filter(|_| self.before.is_some());
        transition.is_some_and(|transition| frame < transition.frames(self.frames()))
    }

    pub(crate) fn frames(&self) -> u64 {
        self.time.frames.len
    }

    /// What is told of footage that broke while it played.
    pub(crate) fn lost(&self, lost: &Lost) -> RenderError {
        let what = |source: &Source| format!("{} {lost}", source.0);
        match self.scene.clips.get(lost.clip) {
            Some(Clip { path, kind: ClipKind::Video(video), .. }) => RenderError::asset(path, what(&video.source)),
            Some(clip) => RenderError::scene(&clip.path, lost),
            None => {
                let background = &self.scene.background;
                let name = background.video.as_ref().map_or_else(|| lost.to_string(), what);
                RenderError::asset(&background.path, name)
            }
        }
    }

    /// Whether any of its pictures come from a video.
    pub(crate) fn plays_footage(&self) -> bool {
        let plays = |clip: &Clip| matches!(clip.kind, ClipKind::Video(_)) && clip.opacity > 0.0;
        self.scene.background.video.is_some() || self.scene.clips.iter().any(plays)
    }

    /// A compositor that draws the scene's frames from `from` on, its transition with them.
    pub(crate) fn compositor(
        &self,
        from: u64,
        film: &Film,
        shop: &Workshop,
        footage: &Footage,
    ) -> Result<Compositor, RenderError> {
        let alone = |act: &Self| {
            act.compositor_while(film, shop, footage, &Waiting::default(), &mut || ControlFlow::Continue(()))
        };
        self.entering(from, alone)
    }

    /// What `alone` sets up, with the transition where frame `from` is part of it.
    fn entering(
        &self,
        from: u64,
        alone: impl Fn(&Self) -> Result<Compositor, RenderError>,
    ) -> Result<Compositor, RenderError> {
        let (Some(before), Some(transition)) =
            (self.before.as_ref().filter(|_| self.enters(from)), self.scene.transition)
        else {
            return alone(self);
        };
        let mut ending = alone(before)?;
        let (last, _) = ending.advance(before.frames().saturating_sub(1)).map_err(|lost| before.lost(&lost))?;
        let entrance = Entrance::new(Arc::new(last.clone()), transition, self.frames());
        drop(ending);
        // Its artists may be done with it; one who is not sets it up again.
        before.strike();
        Ok(alone(self)?.entering(entrance))
    }

    /// A compositor that can draw any of the scene's frames as they are without a transition. Given up between two
    /// clips when `watch` says so; footage ends when nobody waits for it.
    pub(crate) fn compositor_while(
        &self,
        film: &Film,
        shop: &Workshop,
        footage: &Footage,
        waiting: &Waiting,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Compositor, RenderError> {
        let stage = self.stage(film, shop, footage, watch).ok_or(RenderError::Cancelled)?;
        self.compositor_on(stage, film, shop, footage, waiting)
    }

    /// One of the whole scene on a ground of another colour, where it has a plain one.
    pub(crate) fn compositor_over(
        &self,
        ground: Rgb,
        film: &Film,
        shop: &Workshop,
        footage: &Footage,
    ) -> Result<Compositor, RenderError> {
        self.entering(0, |act| {
            let mut scene = act.scene.clone();
            scene.background.color = ground;
            let (stage, _) = Stage::set(&scene, act.props(film, shop, footage));
            act.compositor_on(Arc::new(stage), film, shop, footage, &Waiting::default())
        })
    }

    fn compositor_on(
        &self,
        stage: Arc<Stage>,
        film: &Film,
        shop: &Workshop,
        footage: &Footage,
        waiting: &Waiting,
    ) -> Result<Compositor, RenderError> {
        let sandbox = shop.sandbox.clone().until(waiting.left.clone());
        let mut movers = BTreeMap::new();
        let (width, height) = film.output();
        if let Some(video) = &self.scene.background.video {
            let place = covering(film.canvas(), video, footage);
            let path = &self.scene.background.path;
            if let Some(mover) = self.reel(video, &place, film, &sandbox, footage, path)? {
                movers.insert(BACKGROUND, mover);
            }
        }
        for (index, clip) in self.scene.clips.iter().enumerate().filter(|(_, clip)| clip.opacity > 0.0) {
            let mover = match &clip.kind {
                ClipKind::Video(video) => self.reel(&video.source, &clip.place, film, &sandbox, footage, &clip.path)?,
                ClipKind::Avatar(avatar) => self.presenter(index, avatar, film, shop, footage, waiting)?,
                _ => None,
            };
            // A clip wholly outside the picture is not worth decoding or baking.
            let seen = |mover: &Mover| !mover.rect.intersect(Rect::of_size(width, height)).is_empty();
            if let Some(mover) = mover.filter(seen) {
                movers.insert(index, mover);
            }
        }
        Ok(Compositor::new(stage, movers))
    }

    /// Set up under the lock: a second artist of the scene waits for the first.
    fn stage(
        &self,
        film: &Film,
        shop: &Workshop,
        footage: &Footage,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Option<Arc<Stage>> {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if stage.is_none() {
            *stage = Some(Arc::new(Stage::set_while(&self.scene, self.props(film, shop, footage), watch)?.0));
        }
        stage.clone()
    }

    /// Lets go of everything that only drawing needs. Memory follows the scenes being drawn, not the film.
    pub(crate) fn strike(&self) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.monologues.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Letters for which no font has a picture. Asked separately from drawing, which a cached scene skips.
    pub(crate) fn missing_text(&self, film: &Film, shop: &Workshop) -> Vec<Warning> {
        let scale = f64::from(film.output().0) / f64::from(film.canvas().0);
        let mut warnings = Vec::new();
        for clip in &self.scene.clips {
            if let ClipKind::Text(text) = &clip.kind {
                let (_, missing) = draw::text(self.fonts(shop), text, &clip.place, scale, Rect::default());
                let warning =
                    |glyph: draw::MissingGlyph| Warning { path: clip.path.clone(), message: glyph.to_string() };
                warnings.extend(missing.into_iter().map(warning));
            }
        }
        warnings
    }

    fn fonts<'a>(&'a self, shop: &'a Workshop) -> &'a Fonts {
        self.fonts.as_deref().unwrap_or(&shop.fonts)
    }

    fn props<'a>(&'a self, film: &Film, shop: &'a Workshop, footage: &'a Footage) -> Props<'a> {
        Props {
            fonts: self.fonts(shop),
            pictures: &footage.pictures,
            canvas: film.canvas(),
            output: film.output(),
            frames: self.frames(),
        }
    }

    /// The frame that a picture of the scene shows: everything has come in and nothing has left, and whoever presents
    /// looks well, the worst of them at best. Of frames that are as good it is the one nearest to the middle.
    pub(crate) fn moment(&self, film: &Film, shop: &Workshop, waiting: &Waiting) -> Result<u64, RenderError> {
        let settled = self.scene.settled(self.frames());
        let mut looks = vec![1.0_f32; self.frames() as usize];
        for (index, clip) in self.scene.clips.iter().enumerate().filter(|(_, clip)| clip.opacity > 0.0) {
            let ClipKind::Avatar(avatar) = &clip.kind else { continue };
            let Some(Part { pack, role, .. }) = self.cast(index, clip, avatar, film, shop, waiting)? else { continue };
            looks.iter_mut().zip(pack.looks(&role)).for_each(|(worst, own)| *worst = worst.min(own));
        }
        let middle = u64::midpoint(settled.start, settled.end);
        let best = settled.clone().max_by(|&a, &b| {
            let worth = |frame: u64| {
                let away = frame.abs_diff(middle) as f32 / (settled.end - settled.start) as f32;
                looks.get(frame as usize).copied().unwrap_or(0.0) - 0.05 * away
            };
            worth(a).total_cmp(&worth(b))
        });
        Ok(best.unwrap_or(middle))
    }

    fn presenter(
        &self,
        index: usize,
        avatar: &Avatar,
        film: &Film,
        shop: &Workshop,
        footage: &Footage,
        waiting: &Waiting,
    ) -> Result<Option<Mover>, RenderError> {
        let clip = &self.scene.clips[index];
        let Some(Part { standing, pack, role }) = self.cast(index, clip, avatar, film, shop, waiting)? else {
            return Ok(None);
        };
        let (rect, moving) = (standing.lies(&*pack), pack.perform(role));
        let is_lit = shop.cast.get(&avatar.avatar).is_some_and(|presenter| presenter.info().style == Style::Rig);
        let moving: Box<dyn Moving> = match self.behind(index, film, footage).filter(|_| is_lit) {
            Some(picture) => Box::new(Lit::new(moving, rect, ambience(picture))),
            None => moving,
        };
        let moving = match avatar.round {
            true => Box::new(Round::new(moving, rect, upright(&clip.place, film))),
            false => moving,
        };
        Ok(Some(Mover { rect, moving }))
    }

    /// The picture that a presenter stands before: a slide that fills the canvas, or the background. Plain grounds are
    /// none, which may be cut away later.
    fn behind<'a>(&self, index: usize, film: &Film, footage: &'a Footage) -> Option<&'a Pixmap> {
        let (width, height) = (f64::from(film.canvas().0), f64::from(film.canvas().1));
        let fills = |clip: &Clip| {
            let Place { left, top, width: wide, height: tall, angle } = clip.place;
            let covers = left <= 1.0 && top <= 1.0 && left + wide >= width - 1.0 && top + tall >= height - 1.0;
            covers && angle == 0.0 && clip.opacity >= 1.0
        };
        let slide = self.scene.clips[..index].iter().rev().find_map(|clip| match &clip.kind {
            ClipKind::Image(image) if fills(clip) => Some(&image.source),
            _ => None,
        });
        let background = &self.scene.background;
        let picture = slide.or(background.picture.as_ref().filter(|_| background.video.is_none()))?;
        footage.pictures.get(picture).map(|picture| &**picture)
    }

    /// None of somebody who is not to be seen.
    fn cast(
        &self,
        index: usize,
        clip: &Clip,
        avatar: &Avatar,
        film: &Film,
        shop: &Workshop,
        waiting: &Waiting,
    ) -> Result<Option<Part>, RenderError> {
        let lost = |error: String| RenderError::scene(&clip.path, error);
        let measures = shop.cast.get(&avatar.avatar).map(|presenter| presenter.measures_in(&avatar.outfit));
        let measures = measures.ok_or_else(|| lost(format!("there is no presenter `{}`", avatar.avatar)))?;
        // One who is wholly outside the picture is not worth baking.
        let Some(standing) = stand::stand(&clip.place, avatar, measures, film) else { return Ok(None) };
        let pack = match waiting.soon {
            true => {
                let (pack, is_final) = shop.packs.get_soon(&avatar.avatar, &standing.want, shop).map_err(lost)?;
                waiting.sketched.fetch_or(!is_final, Ordering::Relaxed);
                pack
            }
            false => shop.packs.get(&avatar.avatar, &standing.want, shop).map_err(lost)?,
        };
        let said = self.monologue(index).map_err(RenderError::machine)?;
        let role = Role {
            marks: said.marks.clone(),
            sound: said.sound.clone(),
            cues: said.cues.clone(),
            others: said.others.clone(),
            frames: self.frames(),
            seed: self.seed ^ index as u64,
        };
        Ok(Some(Part { standing, pack, role }))
    }

    fn reel(
        &self,
        source: &Source,
        place: &Place,
        film: &Film,
        sandbox: &Sandbox,
        footage: &Footage,
        path: &str,
    ) -> Result<Option<Mover>, RenderError> {
        let Some(file) = footage.files.get(source) else { return Ok(None) };
        let Some(info) = &file.info else { return Ok(None) };
        let rect = upright(place, film);
        // The first picture belongs to the first frame of the scene, wherever in it the artist begins.
        let (width, height) = (rect.width(), rect.height());
        let want = VideoWant { width, height, angle: place.angle, start: 0, from: 0, frames: self.frames() };
        let reader = VideoReader::of_probed(sandbox, &file.path, info, want)
            .map_err(|error| RenderError::asset(path, format!("{} {error}", source.0)))?;
        let rect = reader.bounds().shifted(rect.x0, rect.y0);
        Ok(Some(Mover { rect, moving: Box::new(reader) }))
    }

    /// What the presenter in clip `index` says.
    fn monologue(&self, index: usize) -> Result<Arc<Monologue>, MediaError> {
        let mut monologues = self.monologues.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(monologue) = monologues.get(&index) {
            return Ok(Arc::clone(monologue));
        }
        let start = self.time.samples().start;
        let mut sound = Some(Sound::silence(1, self.time.samples().len()));
        let (mut marks, mut cues, mut others) = (Marks::default(), Vec::new(), Vec::new());
        let lines = self.scene.lines.iter().zip(&self.speech.lines).zip(&self.time.lines);
        for ((line, spoken), span) in lines {
            if line.clip == Some(index) && !span.is_empty() {
                sound = sound.zip(spoken.whole()?).map(|(mut all, line)| {
                    all.mix(&line, span.start - start, 1.0);
                    all
                });
                marks.append(&spoken.marks, span.start - start);
            }
            if line.clip == Some(index) {
                let told = line.cues(&spoken.marks.words).into_iter();
                cues.extend(told.map(|cue| CueMark { at: cue.at + span.start - start, ..cue }));
            } else if let Some(side) = line.clip.and_then(|other| self.side(index, other))
                && !span.is_empty()
            {
                others.push(Other { span: SampleSpan { start: span.start - start, end: span.end - start }, side });
            }
        }
        let monologue = Arc::new(Monologue { marks, sound: sound.map(Arc::new), cues, others });
        monologues.insert(index, Arc::clone(&monologue));
        Ok(monologue)
    }

    /// How far to the side of a presenter another one stands, -1 to 1, if it is seen.
    fn side(&self, of: usize, other: usize) -> Option<f32> {
        /// Canvas units beyond which one looks no further.
        const FAR: f64 = 1200.0;
        let middle = |clip: &Clip| clip.place.left + clip.place.width / 2.0;
        let (me, other) = (&self.scene.clips[of], &self.scene.clips[other]);
        (other.opacity > 0.0).then(|| ((middle(other) - middle(me)) / FAR).clamp(-1.0, 1.0) as f32)
    }
}

/// A clip's rectangle in output pixels, on even coordinates.
fn upright(place: &Place, film: &Film) -> Rect {
    let scale = f64::from(film.output().0) / f64::from(film.canvas().0);
    let even = |at: f64| (at * scale / 2.0).round() as i32 * 2;
    let (x0, y0) = (even(place.left), even(place.top));
    Rect::new(x0, y0, even(place.left + place.width).max(x0 + 2), even(place.top + place.height).max(y0 + 2))
}

/// The place at which a video covers the canvas, cut on two sides where its shape is another.
fn covering(canvas: (u32, u32), video: &Source, footage: &Footage) -> Place {
    let (width, height) = (f64::from(canvas.0), f64::from(canvas.1));
    let info = footage.files.get(video).and_then(|file| file.info.as_ref()?.video.as_ref());
    let shape = info.map_or(width / height, |video| f64::from(video.width) / f64::from(video.height));
    let (wide, tall) = if shape > width / height { (height * shape, height) } else { (width, width / shape) };
    Place { left: (width - wide) / 2.0, top: (height - tall) / 2.0, width: wide, height: tall, angle: 0.0 }
}

/// The frames at which what is said has its steps: what comes there is about to be named.
fn steps(scene: &Scene, time: &SceneTime, speech: &SceneSpeech) -> Vec<u64> {
    const BEFORE: u64 = 3;
    let start = time.samples().start;
    let mut steps = Vec::new();
    for ((line, spoken), span) in scene.lines.iter().zip(&speech.lines).zip(&time.lines) {
        let moments = line.step_moments(&spoken.marks.words).into_iter();
        let frame = |at: u64| FRAME_RATE.frames_covering(at + span.start - start).saturating_sub(BEFORE);
        steps.extend(moments.map(frame));
    }
    steps
}

/// The hash of what a scene shows, whoever draws it.
fn content(scene: &Scene, time: &SceneTime, speech: &SceneSpeech, film: &Film, footage: &Footage) -> Key {
    let (width, height) = film.output();
    let size = [width.to_le_bytes(), height.to_le_bytes()].concat();
    let length = time.frames.len.to_le_bytes();
    let looks = plan::looks(scene);
    let mut parts: Vec<&[u8]> = vec![&size, &length, &looks];
    let sources = scene.clips.iter().filter_map(|clip| match &clip.kind {
        ClipKind::Image(image) => Some(&image.source),
        ClipKind::Video(video) => Some(&video.source),
        _ => None,
    });
    let background = scene.background.video.iter().chain(&scene.background.picture);
    for source in sources.chain(background) {
        parts.push(footage.files.get(source).map_or(b"none", |file| file.id.as_str().as_bytes()));
    }
    let fonts = footage.typecase.marks(scene);
    parts.extend(fonts.iter().map(String::as_bytes));
    // Speech is part of the picture only where lips are seen.
    let seen = |clip: Option<usize>| clip.is_some_and(|clip| scene.clips[clip].opacity > 0.0);
    let starts: Vec<[u8; 8]> =
        time.lines.iter().map(|span| (span.start - time.samples().start).to_le_bytes()).collect();
    for ((line, spoken), start) in scene.lines.iter().zip(&speech.lines).zip(&starts) {
        if seen(line.clip) {
            parts.extend([spoken.id.as_str().as_bytes(), start.as_slice()]);
        }
    }
    let cues: Vec<String> =
        scene.lines.iter().filter(|line| seen(line.clip)).map(|l| format!("{:?}", l.marks)).collect();
    parts.extend(cues.iter().map(String::as_bytes));
    Key::of(&parts)
}

/// Whose own presenters a scene shows, by id: what was drawn of them goes when they do.
fn own_presenters(scene: &Scene, shop: &Workshop) -> Vec<PresenterInfo> {
    let seen = scene.clips.iter().filter_map(|clip| match &clip.kind {
        ClipKind::Avatar(avatar) => shop.cast.get(&avatar.avatar),
        _ => None,
    });
    let own = seen.map(|one| one.info().clone()).filter(PresenterInfo::is_own);
    let by_id: BTreeMap<String, PresenterInfo> = own.map(|info| (info.id.clone(), info)).collect();
    by_id.into_values().collect()
}
