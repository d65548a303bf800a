//! One scene, set up: everything that stands still is drawn once, everything that moves waits in its place.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use compere_media::{Broken, Damage, Frame, Layer, Moving, Pixmap, Rect};
use compere_scene::{Clip, ClipKind, Scene, Source};

use crate::cel::Cel;
use crate::draw::{self, Drawn, Fonts, MissingGlyph};
use crate::entrance::{Entering, Entrance};
use crate::motion::{Look, Motion};
use crate::place;

/// What a scene is set up from, besides itself.
#[derive(Debug, Clone, Copy)]
pub struct Props<'a> {
    pub fonts: &'a Fonts,
    /// Pictures that could be had. Clips whose picture is missing are left out: whoever fetched it has reported that.
    pub pictures: &'a BTreeMap<Source, Arc<Pixmap>>,
    /// The size that the scene's positions are given in.
    pub canvas: (u32, u32),
    /// The size of the picture.
    pub output: (u32, u32),
    /// The length of the scene.
    pub frames: u64,
}

/// A clip for which the fonts at hand have no picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingText {
    /// `scenes[2].clips[0]`
    pub path: String,
    pub glyph: MissingGlyph,
}

/// A scene ready to be played from any frame. Shared by all who play a part of it.
#[derive(Debug)]
pub struct Stage {
    /// Everything below the first clip that moves or changes, flattened.
    ground: Frame,
    items: Vec<Item>,
}

#[derive(Debug)]
enum Item {
    Still {
        layer: Layer,
        opacity: u8,
    },
    Animated {
        cel: Cel,
        motion: Motion,
        opacity: u8,
    },
    /// Painted by somebody else, who is found under the clip's index.
    Moving {
        clip: usize,
        motion: Option<Motion>,
        opacity: u8,
    },
}

impl Item {
    /// Only what moves can break, so only that has a clip to name.
    fn clip(&self) -> usize {
        match self {
            Self::Moving { clip, .. } => *clip,
            Self::Still { .. } | Self::Animated { .. } => BACKGROUND,
        }
    }
}

/// A presenter or a piece of footage in its place.
pub struct Mover {
    /// Where its layer lies, in output pixels.
    pub rect: Rect,
    pub moving: Box<dyn Moving>,
}

impl std::fmt::Debug for Mover {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mover({:?})", self.rect)
    }
}

/// A moving clip whose footage turned out to be damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Its index in the scene, or [`BACKGROUND`].
    pub clip: usize,
    pub broken: Broken,
}

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.broken.fmt(f)
    }
}

impl std::error::Error for Lost {}

/// The index under which a moving background is found among the movers.
pub const BACKGROUND: usize = usize::MAX;

impl Stage {
    pub fn set(scene: &Scene, props: Props<'_>) -> (Self, Vec<MissingText>) {
        let mut setter = Setter::new(props);
        setter.background(scene);
        for (index, clip) in scene.clips.iter().enumerate() {
            setter.clip(scene, index, clip);
        }
        setter.done(scene)
    }

    /// The same for somebody who may leave between two clips; none when they did.
    pub fn set_while(
        scene: &Scene,
        props: Props<'_>,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Option<(Self, Vec<MissingText>)> {
        let mut setter = Setter::new(props);
        setter.background(scene);
        for (index, clip) in scene.clips.iter().enumerate() {
            if watch().is_break() {
                return None;
            }
            setter.clip(scene, index, clip);
        }
        Some(setter.done(scene))
    }

    pub fn size(&self) -> (u32, u32) {
        (self.ground.width(), self.ground.height())
    }

    /// Whether nothing ever changes.
    pub fn is_still(&self) -> bool {
        !self.items.iter().any(|item| !matches!(item, Item::Still { .. }))
    }
}

/// Fills a stage from back to front.
struct Setter<'a> {
    props: Props<'a>,
    /// Taken by the first item that cannot be flattened.
    ground: Option<Frame>,
    stage: Option<Stage>,
    missing: Vec<MissingText>,
}

impl<'a> Setter<'a> {
    fn new(props: Props<'a>) -> Self {
        let ground = Some(Frame::new(props.output.0, props.output.1));
        Self { props, ground, stage: None, missing: Vec::new() }
    }

    /// What lies over everything, and the whole.
    fn done(mut self, scene: &Scene) -> (Stage, Vec<MissingText>) {
        if scene.watermark {
            let drawn = draw::watermark(self.props.fonts, self.props.output);
            self.still(&drawn, 255);
        }
        (self.stage(), self.missing)
    }

    fn scale(&self) -> f64 {
        f64::from(self.props.output.0) / f64::from(self.props.canvas.0)
    }

    fn output(&self) -> Rect {
        Rect::of_size(self.props.output.0, self.props.output.1)
    }

    fn background(&mut self, scene: &Scene) {
        let background = &scene.background;
        if let Some(ground) = &mut self.ground {
            ground.fill(background.color);
        }
        if background.video.is_some() {
            self.push(Item::Moving { clip: BACKGROUND, motion: None, opacity: 255 });
        } else if let Some(picture) = background.picture.as_ref().and_then(|source| self.props.pictures.get(source)) {
            let covering = draw::cover(picture, self.props.output.0, self.props.output.1);
            self.still(&Drawn { pixmap: covering, x: 0, y: 0 }, 255);
        }
    }

    fn clip(&mut self, scene: &Scene, index: usize, clip: &Clip) {
        let opacity = (clip.opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
        if opacity == 0 || matches!(clip.kind, ClipKind::Audio(_)) {
            return;
        }
        if matches!(clip.kind, ClipKind::Video(_) | ClipKind::Avatar(_)) {
            let place = place::bounds(&clip.place, self.scale());
            let motion = self.motion(scene, clip, place);
            self.push(Item::Moving { clip: index, motion, opacity });
            return;
        }
        let Some(drawn) = self.draw(clip) else { return };
        match self.motion(scene, clip, drawn.pixmap.bounds().shifted(drawn.x, drawn.y)) {
            None => self.still(&drawn, opacity),
            Some(motion) => {
                let scale = self.scale();
                let centre = place::centre(&clip.place);
                let zooms = clip.animation.is_some_and(|animation| {
                    use compere_scene::AnimationKind::{ZoomIn, ZoomOut};
                    matches!(animation.kind, ZoomIn | ZoomOut)
                });
                let cel = Cel::new(drawn, (centre.0 * scale, centre.1 * scale), zooms);
                self.push(Item::Animated { cel, motion, opacity });
            }
        }
    }

    /// None of what is there from the first frame to the last.
    fn motion(&self, scene: &Scene, clip: &Clip, drawn: Rect) -> Option<Motion> {
        let frames = self.props.frames;
        let shown = scene.shown(clip, frames);
        let moves = clip.animation.is_some() || shown != (0..frames);
        moves.then(|| Motion::new(clip.animation, shown, drawn, self.output()))
    }

    /// The clip's picture at rest. A clip that travels is drawn beyond the edges too: they come into view on its way.
    fn draw(&mut self, clip: &Clip) -> Option<Drawn> {
        let (width, height) = (self.props.output.0 as i32, self.props.output.1 as i32);
        let window = match clip.animation {
            None => self.output(),
            Some(_) => Rect::new(-width, -height, 2 * width, 2 * height),
        };
        let scale = self.scale();
        match &clip.kind {
            ClipKind::Shape(shape) => draw::shape(shape, &clip.place, scale, window),
            ClipKind::Image(image) => {
                let picture = self.props.pictures.get(&image.source)?;
                draw::image(picture, &clip.place, scale, window)
            }
            ClipKind::Text(text) => {
                let (drawn, missing) = draw::text(self.props.fonts, text, &clip.place, scale, window);
                let path = |glyph| MissingText { path: clip.path.clone(), glyph };
                self.missing.extend(missing.into_iter().map(path));
                drawn
            }
            ClipKind::Video(_) | ClipKind::Audio(_) | ClipKind::Avatar(_) => None,
        }
    }

    fn still(&mut self, drawn: &Drawn, opacity: u8) {
        let layer = Layer::from_pixmap(&drawn.pixmap, drawn.x, drawn.y);
        match &mut self.ground {
            Some(ground) => {
                let all = ground.bounds();
                layer.lay_on(ground, all, opacity);
            }
            None => self.push(Item::Still { layer, opacity }),
        }
    }

    fn push(&mut self, item: Item) {
        if let Some(ground) = self.ground.take() {
            self.stage = Some(Stage { ground, items: Vec::new() });
        }
        if let Some(stage) = &mut self.stage {
            stage.items.push(item);
        }
    }

    fn stage(&mut self) -> Stage {
        match (self.stage.take(), self.ground.take()) {
            (Some(stage), _) => stage,
            (None, Some(ground)) => Stage { ground, items: Vec::new() },
            (None, None) => unreachable!("the ground is either taken by a stage or still here"),
        }
    }
}

/// Plays a stage: keeps the frame it drew last and changes only what must change.
#[derive(Debug)]
pub struct Compositor {
    stage: Arc<Stage>,
    frame: Frame,
    players: Vec<Player>,
    started: bool,
    entering: Option<Entering>,
}

/// What an item shows now.
#[derive(Debug)]
struct Player {
    layer: Option<Layer>,
    opacity: u8,
    look: Look,
    mover: Option<Box<Mover>>,
}

impl Compositor {
    /// `movers` by the index of their clip in the scene, [`BACKGROUND`] for a moving background. A moving clip that has
    /// none is not shown.
    pub fn new(stage: Arc<Stage>, mut movers: BTreeMap<usize, Mover>) -> Self {
        let players = stage.items.iter().map(|item| Player::new(item, &mut movers)).collect();
        Self { frame: stage.ground.clone(), players, stage, started: false, entering: None }
    }

    /// The same, beginning with a transition.
    #[must_use]
    pub fn entering(self, entrance: Entrance) -> Self {
        Self { entering: Some(Entering::new(entrance)), ..self }
    }

    /// Draws frame `frame` of the scene. The first may be any, later ones rise. What the damage leaves out is, byte for
    /// byte, what it was in the frame drawn before; the first frame is all damage.
    pub fn advance(&mut self, frame: u64) -> Result<(&Frame, Damage), Lost> {
        let damage = self.compose(frame)?;
        Ok(match &mut self.entering {
            Some(entering) => entering.over(frame, &self.frame, damage),
            None => (&self.frame, damage),
        })
    }

    /// The scene alone.
    fn compose(&mut self, frame: u64) -> Result<Damage, Lost> {
        let bounds = self.frame.bounds();
        let mut damage = Damage::none();
        for (player, item) in self.players.iter_mut().zip(&self.stage.items) {
            // Cut one by one: rectangles that only meet outside of the picture must not melt into one inside.
            let changed = player.advance(item, frame).map_err(|broken| Lost { clip: item.clip(), broken })?;
            damage.extend(&changed.clipped(bounds));
        }
        let damage = if self.started { damage.aligned(2) } else { Damage::rect(bounds) };
        self.started = true;
        for &rect in damage.rects() {
            self.frame.copy_rect(&self.stage.ground, rect);
            for (player, item) in self.players.iter().zip(&self.stage.items) {
                player.lay_on(item, &mut self.frame, rect);
            }
        }
        Ok(damage)
    }

    /// Everything that may change while frames `from + 1..to` are drawn, frame `from` having been drawn.
    pub fn reach(&self, from: u64, to: u64) -> Damage {
        let bounds = self.frame.bounds();
        if self.entering.as_ref().is_some_and(|entering| entering.stirs(from)) {
            return Damage::rect(bounds);
        }
        let mut reach = Damage::none();
        for (player, item) in self.players.iter().zip(&self.stage.items) {
            reach.add(player.reach(item, from + 1, to).intersect(bounds));
        }
        reach.aligned(2)
    }

    /// Whether footage changes nearly all of the picture in most of frames `from + 1..to`.
    pub fn plays_footage(&self, from: u64, to: u64) -> bool {
        let bounds = self.frame.bounds();
        let items = || self.players.iter().zip(&self.stage.items);
        let changes = |frame: &u64| {
            let parts = items().map(|(player, item)| player.footage(item, *frame).intersect(bounds).area());
            10 * parts.sum::<u64>() >= 9 * bounds.area()
        };
        let frames = from + 1..to;
        let playing = frames.clone().filter(changes).count() as u64;
        2 * playing > frames.end.saturating_sub(frames.start)
    }
}

impl Player {
    fn new(item: &Item, movers: &mut BTreeMap<usize, Mover>) -> Self {
        let mut player = Self { layer: None, opacity: 255, look: Look::Hidden, mover: None };
        if let Item::Moving { clip, .. } = item {
            player.mover = movers.remove(clip).map(Box::new);
            player.layer = player.mover.as_ref().map(|mover| Layer::new(mover.rect));
        }
        player
    }

    fn advance(&mut self, item: &Item, frame: u64) -> Result<Damage, Broken> {
        match item {
            Item::Still { .. } => Ok(Damage::none()),
            Item::Animated { cel, motion, opacity } => Ok(self.animate(cel, motion.look(frame), *opacity)),
            Item::Moving { motion, opacity, .. } => {
                let look = motion.as_ref().map_or(Look::Plain, |motion| motion.look(frame));
                self.perform(look, *opacity, frame)
            }
        }
    }

    fn animate(&mut self, cel: &Cel, look: Look, opacity: u8) -> Damage {
        if look == self.look {
            return Damage::none();
        }
        let mut damage = self.layer.as_ref().map_or_else(Damage::none, |layer| Damage::rect(layer.rect()));
        let at_rest = |look| matches!(look, Look::Plain | Look::Faded(_));
        if self.layer.is_none() || !at_rest(look) || !at_rest(self.look) {
            self.layer = cel.layer(look);
        }
        damage.extend(&self.layer.as_ref().map_or_else(Damage::none, |layer| Damage::rect(layer.rect())));
        self.opacity = faded(look, opacity);
        self.look = look;
        damage
    }

    /// Footage and presenters fade as a whole; they are not moved or zoomed, their animations being fades only.
    fn perform(&mut self, look: Look, opacity: u8, frame: u64) -> Result<Damage, Broken> {
        let (Some(mover), Some(layer)) = (&mut self.mover, &mut self.layer) else { return Ok(Damage::none()) };
        let at = layer.rect();
        let mut damage = mover.moving.advance(frame, layer)?.shifted(at.x0, at.y0);
        let opacity = faded(look, opacity);
        if opacity != self.opacity || look != self.look {
            damage = Damage::rect(at);
        }
        (self.opacity, self.look) = (opacity, look);
        Ok(damage)
    }

    fn lay_on(&self, item: &Item, frame: &mut Frame, part: Rect) {
        match item {
            Item::Still { layer, opacity } => layer.lay_on(frame, part, *opacity),
            Item::Animated { .. } | Item::Moving { .. } => {
                if let Some(layer) = &self.layer {
                    layer.lay_on(frame, part, self.opacity);
                }
            }
        }
    }

    fn reach(&self, item: &Item, from: u64, to: u64) -> Rect {
        match item {
            Item::Still { .. } => Rect::default(),
            Item::Animated { cel, motion, .. } if motion.stirs(from, to) => {
                // Two pixels around: pictures between pixels and chroma samples reach that far over their edge.
                let rest = cel.bounds().grown(2);
                let seen = |frame| cel.reach(rest, motion.look(frame));
                (from.saturating_sub(1)..to).fold(rest, |all, frame| all.union(seen(frame))).grown(2)
            }
            Item::Animated { .. } => Rect::default(),
            Item::Moving { .. } => self.layer.as_ref().map_or_else(Rect::default, Layer::rect),
        }
    }

    /// Where footage shows another picture in this frame than before.
    fn footage(&self, item: &Item, frame: u64) -> Rect {
        let (Item::Moving { motion, .. }, Some(mover)) = (item, &self.mover) else { return Rect::default() };
        let hidden = motion.as_ref().is_some_and(|motion| motion.look(frame) == Look::Hidden);
        if hidden || frame >= mover.moving.plays_until() { Rect::default() } else { mover.rect }
    }
}

fn faded(look: Look, opacity: u8) -> u8 {
    match look {
        Look::Hidden => 0,
        Look::Faded(by) => ((u32::from(opacity) * u32::from(by) + 127) / 255) as u8,
        Look::Plain | Look::Moved(..) | Look::Zoomed(_) => opacity,
    }
}
