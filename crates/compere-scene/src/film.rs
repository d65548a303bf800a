//! What is true: the author's words with nothing left to decide.
//!
//! A [`Film`] has no optional field that means "default", no unit to convert, no name to look up in a table of aliases.
//! Lengths and positions are canvas units (1920x1080, or 1080x1920 in portrait) whatever the export's resolution;
//! colours are [`Rgb`]; clips are in painting order.

use std::ops::Range;

use compere_media::{Cue, CueMark, FRAME_RATE, Rgb, ScriptPart, WordMark};
pub use compere_media::{Orientation, Resolution};

/// A project, ready to be spoken and drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    pub name: String,
    pub orientation: Orientation,
    pub resolution: Resolution,
    pub scenes: Vec<Scene>,
    /// Whole words and how to say them instead, in the author's order.
    pub dictionary: Vec<(String, String)>,
    /// Music under the whole film.
    pub music: Option<Music>,
    pub on_asset_error: OnAssetError,
    /// What the film is in: as its author says, else as most of its letters plainly look. None where nobody can tell.
    pub language: Option<String>,
    /// Fonts of somebody's own that its texts may ask for.
    pub fonts: Vec<Font>,
}

impl Film {
    /// The size that positions are given in.
    pub fn canvas(&self) -> (u32, u32) {
        self.orientation.turned((1920, 1080))
    }

    /// The size of the exported picture.
    pub fn output(&self) -> (u32, u32) {
        self.orientation.turned(self.resolution.landscape())
    }
}

/// What happens when a linked picture, video or sound cannot be had at export time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnAssetError {
    /// The export fails and names scene and clip.
    #[default]
    Fail,
    /// The clip is left out and a warning recorded.
    Skip,
}

/// A font of somebody's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Font {
    pub family: String,
    pub source: Source,
    /// Where it stands in the document.
    pub path: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Music {
    pub source: Source,
    /// 0 to 1.
    pub volume: f32,
    /// Where it stands in the document.
    pub path: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Where it stands in the document, counted from zero.
    pub index: usize,
    /// What it is called; films of named scenes have chapters.
    pub name: Option<String>,
    pub background: Background,
    /// In painting order, the furthest back first.
    pub clips: Vec<Clip>,
    /// What is spoken, in turn.
    pub lines: Vec<SpeechLine>,
    pub watermark: bool,
    /// Seconds the author asked for; the timeline decides without it.
    pub duration: Option<f64>,
    /// How it takes the picture from the scene before it; at once without one.
    pub transition: Option<Transition>,
    /// The frames at which its steps happen, as far as what is said has them; [`Self::step`] knows the rest.
    pub steps: Vec<u64>,
}

impl Scene {
    /// The fonts that its texts ask for, as their authors write them.
    pub fn families(&self) -> impl Iterator<Item = &str> {
        let texts = self.clips.iter().filter_map(|clip| match &clip.kind {
            ClipKind::Text(text) => Some(text),
            _ => None,
        });
        texts.flat_map(|text| text.runs.iter().map(|run| &run.family).chain([&text.family])).map(String::as_str)
    }

    /// The frames of `len` in which everything has come in and nothing has left yet; the middle one, where some leave
    /// before others have come.
    pub fn settled(&self, len: u64) -> Range<u64> {
        let (mut from, mut to) = (0, len);
        for clip in &self.clips {
            let shown = self.shown(clip, len);
            let moving =
                |animation: &Animation| FRAME_RATE.frames_of_seconds(animation.duration + animation.delay.max(0.0)) + 1;
            let comes = clip.animation.filter(|animation| !animation.kind.leaves()).map(|animation| moving(&animation));
            let goes = clip.animation.filter(|animation| animation.kind.leaves()).map(|animation| moving(&animation));
            if shown.start > 0 || comes.is_some() {
                from = from.max(shown.start + comes.unwrap_or(0));
            }
            // What goes by a step makes room for what comes with it.
            if shown.end >= len {
                to = to.min(len.saturating_sub(goes.unwrap_or(0)));
            }
        }
        if from < to { from..to } else { len / 2..len / 2 + 1 }
    }

    /// The frames of a scene of `len` in which a clip is shown, by its steps.
    pub fn shown(&self, clip: &Clip, len: u64) -> Range<u64> {
        let start = clip.from.map_or(0, |step| self.step(step.into(), len));
        let end = clip.until.map_or(len, |step| self.step(step.into(), len));
        start..end.max(start)
    }

    /// When a step happens, counted from one: at its mark, else as far from the last that has one as all of those that
    /// have none are from each other and from the end.
    fn step(&self, step: usize, len: u64) -> u64 {
        if let Some(&at) = step.checked_sub(1).and_then(|at| self.steps.get(at)) {
            return at.min(len);
        }
        let asked = self.clips.iter().flat_map(|clip| [clip.from, clip.until]).flatten().max().unwrap_or(0);
        let (known, all) = (self.steps.len(), usize::from(asked).max(step));
        let last = self.steps.last().copied().unwrap_or(0).min(len);
        last + (len - last) * (step - known.min(step)) as u64 / (all - known + 1) as u64
    }
}

/// How a scene takes the picture from the one before it, whose last frame stands still meanwhile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    pub kind: TransitionKind,
    /// Seconds, from the scene's first frame on.
    pub duration: f64,
}

impl Transition {
    /// Seconds that it may take.
    pub const RANGE: (f64, f64) = (0.1, 2.0);
    /// Where nobody says how long.
    pub const SECONDS: f64 = 0.5;

    /// The one of that word, if there is one, for as long as it may take.
    pub fn told(word: &str, seconds: f64) -> Option<Self> {
        let (kind, _) = TransitionKind::ALL.into_iter().find(|(_, known)| *known == word)?;
        let duration = if seconds.is_nan() { Self::SECONDS } else { seconds.clamp(Self::RANGE.0, Self::RANGE.1) };
        Some(Self { kind, duration })
    }

    /// Frames of a scene of `len` in which the other one is still seen: never the last, which the next scene may need.
    pub fn frames(&self, len: u64) -> u64 {
        FRAME_RATE.frames_of_seconds(self.duration).min(len.saturating_sub(1))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransitionKind {
    Fade,
    /// The new scene comes in from that side and pushes the other one out.
    PushRight,
    PushLeft,
    PushUp,
    PushDown,
}

impl TransitionKind {
    /// Each with its name in the interface. As with clips, the word names the side that the new one comes from.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Fade, "fade"),
        (Self::PushRight, "push-right"),
        (Self::PushLeft, "push-left"),
        (Self::PushUp, "push-up"),
        (Self::PushDown, "push-down"),
    ];

    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Background {
    pub color: Rgb,
    /// Covers the canvas, cut where it is too wide or too tall.
    pub picture: Option<Source>,
    /// A moving background; `picture` is then not used.
    pub video: Option<Source>,
    /// `scenes[2].background`
    pub path: String,
}

/// Where a linked file is: `http(s)://…`, or a path below the assets root that begins with `/`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Source(pub String);

/// A line of speech.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeechLine {
    /// Text in the order it is spoken, pauses between.
    pub parts: Vec<ScriptPart>,
    /// What the presenter is told to do while it speaks.
    pub marks: Vec<Mark>,
    /// How many letters and digits are written before each of its steps.
    pub steps: Vec<usize>,
    pub speaker: Speaker,
    /// Index into [`Scene::clips`] of the presenter who moves the lips, if one is seen.
    pub clip: Option<usize>,
    /// Somebody speaks the text in this recording; no voice does.
    pub audio: Option<Source>,
    /// `scenes[2].scripts[0]`
    pub path: String,
}

impl SpeechLine {
    /// What is written, without the words that are said another way.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            ScriptPart::Text(text) => Some(text.as_str()),
            ScriptPart::Say { .. } | ScriptPart::Pause(_) => None,
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    /// The cues at their moments: each at the word that follows it, or at the end of the last word.
    pub fn cues(&self, words: &[WordMark]) -> Vec<CueMark> {
        let moment = moments(words);
        self.marks.iter().map(|mark| CueMark { at: moment(mark.letters), cue: mark.cue }).collect()
    }

    /// The steps at their moments.
    pub fn step_moments(&self, words: &[WordMark]) -> Vec<u64> {
        let moment = moments(words);
        self.steps.iter().map(|letters| moment(*letters)).collect()
    }

    /// Whether anything will be heard.
    pub fn is_silent(&self) -> bool {
        self.audio.is_none() && !self.says_words()
    }

    /// Whether there is a text.
    pub fn says_words(&self) -> bool {
        !self.parts.iter().all(|part| match part {
            ScriptPart::Text(text) => text.trim().is_empty(),
            ScriptPart::Say { .. } => false,
            ScriptPart::Pause(_) => true,
        })
    }
}

/// Finds the word that follows so many letters, or the end of the last.
fn moments(words: &[WordMark]) -> impl Fn(usize) -> u64 {
    let mut ends = Vec::with_capacity(words.len());
    let mut passed = 0;
    for word in words {
        passed += letters(&word.text);
        ends.push(passed);
    }
    move |letters| {
        let next = ends.partition_point(|&end| end <= letters);
        let at = words.get(next).map(|word| word.span.start);
        at.or(words.last().map(|word| word.span.end)).unwrap_or(0)
    }
}

/// A cue in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// How many letters and digits of the line are written before it.
    pub letters: usize,
    pub cue: Cue,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Speaker {
    /// The avatar's own voice, in the language given or else that of the text.
    Avatar { avatar: String, outfit: String, language: Option<String> },
    /// A voice by id.
    Voice { voice: String, speed: f64, language: Option<String> },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// As the author named it.
    pub id: String,
    /// `scenes[2].clips[0]`
    pub path: String,
    pub place: Place,
    /// 0 to 1.
    pub opacity: f64,
    pub animation: Option<Animation>,
    /// The step with which it comes; from the start without one.
    pub from: Option<u8>,
    /// The step with which it goes.
    pub until: Option<u8>,
    pub kind: ClipKind,
}

/// Where a clip is drawn: its size after scaling, turned clockwise about its left top corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    /// Degrees.
    pub angle: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ClipKind {
    Shape(Shape),
    Image(Image),
    Text(Text),
    Video(Video),
    /// Heard, not seen.
    Audio(Audio),
    Avatar(Avatar),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub name: ShapeName,
    pub fill: Rgb,
    pub stroke: Option<Stroke>,
    /// Corner radius in canvas units.
    pub radius: f64,
    pub shadow: Option<Shadow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeName {
    Line,
    Arrow1,
    Arrow2,
    Circle,
    Triangle,
    Square,
    Parallelogram,
    Drop,
    Polygon,
    Pentagon,
    Oval1,
    Oval2,
    Hexagon1,
    Hexagon2,
    Diamond,
    Star,
    RoundedRectangle,
}

impl ShapeName {
    /// Each with its name in the interface.
    pub const ALL: [(Self, &'static str); 17] = [
        (Self::Line, "Line_v2"),
        (Self::Arrow1, "Arrow_1_v2"),
        (Self::Arrow2, "Arrow_2_v2"),
        (Self::Circle, "Circle"),
        (Self::Triangle, "Triangle"),
        (Self::Square, "Square"),
        (Self::Parallelogram, "Parallelogram"),
        (Self::Drop, "Drop_1"),
        (Self::Polygon, "Polygon"),
        (Self::Pentagon, "Pentagon"),
        (Self::Oval1, "Oval_1"),
        (Self::Oval2, "Oval_2"),
        (Self::Hexagon1, "Hexagon_1"),
        (Self::Hexagon2, "Hexagon_2"),
        (Self::Diamond, "Diamond"),
        (Self::Star, "Star"),
        (Self::RoundedRectangle, "Rectangle_corner0"),
    ];
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub color: Rgb,
    /// Canvas units; always more than zero.
    pub width: f64,
}

/// A blurred copy behind, offset in canvas units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    pub color: Rgb,
    pub blur: f64,
    pub dx: f64,
    pub dy: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    pub source: Source,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Lines are separated by `\n`.
    pub text: String,
    pub color: Rgb,
    /// Canvas units, which are pixels at 1080.
    pub size: f64,
    pub family: String,
    pub align: Align,
    /// 1 to 1000; 400 is regular.
    pub weight: u16,
    pub italic: bool,
    pub underline: bool,
    /// Around the glyphs.
    pub stroke: Option<Stroke>,
    /// Behind the lines.
    pub background: Option<Rgb>,
    pub shadow: Option<Shadow>,
    /// A multiple of the font size.
    pub line_height: f64,
    /// Stretches that look otherwise, in the order of the text; what lies between them looks as all of it.
    pub runs: Vec<TextRun>,
}

/// A stretch of a text with looks of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct TextRun {
    /// Bytes of the text.
    pub range: Range<usize>,
    pub color: Rgb,
    pub family: String,
    pub weight: u16,
    pub italic: bool,
    pub underline: bool,
    /// A multiple of the text's size.
    pub scale: f64,
    /// How far above the line's baseline its own is, in sizes of the text.
    pub raise: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    #[default]
    Left,
    Center,
    Right,
    Justify,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Video {
    pub source: Source,
    /// 0 to 1.
    pub volume: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Audio {
    pub source: Source,
    /// 0 to 1.
    pub volume: f32,
}

/// A presenter who is seen. (Voice-only and deleted ones leave no clip behind, only perhaps a [`SpeechLine`].)
#[derive(Clone, Debug, PartialEq)]
pub struct Avatar {
    pub avatar: String,
    pub outfit: String,
    pub framing: Framing,
    /// Cut to the ellipse that fills the clip's rectangle.
    pub round: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Framing {
    /// As much of the figure as suits the clip's rectangle, standing on its bottom edge.
    Body,
    /// Head and shoulders, fitted into the rectangle.
    Head,
    /// The face where an editor had it; the body goes on at that size to the rectangle's bottom edge.
    Face(Face),
    /// The same face with nothing but head and shoulders.
    HeadAt(Face),
    /// As wide as the rectangle, with this share of its height empty above the hair; the body goes on to its bottom edge.
    Headroom(f64),
}

/// A face on the canvas as face detectors find one: a square from the brows to the chin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// The centre.
    pub x: f64,
    pub y: f64,
    pub size: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Animation {
    pub kind: AnimationKind,
    /// Seconds.
    pub duration: f64,
    /// Seconds.
    pub delay: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnimationKind {
    FadeIn,
    FadeOut,
    InRight,
    InDown,
    InLeft,
    InUp,
    OutRight,
    OutDown,
    OutLeft,
    OutUp,
    ZoomIn,
    ZoomOut,
}

impl AnimationKind {
    /// Each with its name in the interface.
    pub const ALL: [(Self, &'static str); 12] = [
        (Self::FadeIn, "fade-in"),
        (Self::FadeOut, "fade-out"),
        (Self::InRight, "in-right"),
        (Self::InDown, "in-down"),
        (Self::InLeft, "in-left"),
        (Self::InUp, "in-up"),
        (Self::OutRight, "out-right"),
        (Self::OutDown, "out-down"),
        (Self::OutLeft, "out-left"),
        (Self::OutUp, "out-up"),
        (Self::ZoomIn, "zoom-in"),
        (Self::ZoomOut, "zoom-out"),
    ];

    /// Played towards the end of the scene.
    pub fn leaves(self) -> bool {
        use AnimationKind::{FadeOut, OutDown, OutLeft, OutRight, OutUp, ZoomOut};
        matches!(self, FadeOut | OutDown | OutLeft | OutRight | OutUp | ZoomOut)
    }
}

/// How many letters and digits a text has: what a place in it is counted by, since spaces and signs come and go.
pub(crate) fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use AnimationKind::{FadeIn, InLeft, OutRight};

    fn scene(animations: &[(AnimationKind, f64)]) -> Scene {
        let clip = |&(kind, delay)| Clip {
            id: String::new(),
            path: String::new(),
            place: Place { left: 0.0, top: 0.0, width: 10.0, height: 10.0, angle: 0.0 },
            opacity: 1.0,
            animation: Some(Animation { kind, duration: 1.0, delay }),
            from: None,
            until: None,
            kind: ClipKind::Shape(Shape {
                name: ShapeName::Square,
                fill: Rgb::opaque(0, 0, 0),
                stroke: None,
                radius: 0.0,
                shadow: None,
            }),
        };
        let color = Rgb::opaque(0, 0, 0);
        Scene {
            index: 0,
            name: None,
            background: Background { color, picture: None, video: None, path: String::new() },
            clips: animations.iter().map(clip).collect(),
            lines: Vec::new(),
            watermark: false,
            duration: None,
            transition: None,
            steps: Vec::new(),
        }
    }

    #[test]
    fn a_scene_is_settled_when_all_have_come_and_none_has_left() {
        assert_eq!(scene(&[]).settled(240), 0..240);
        assert_eq!(scene(&[(FadeIn, 4.0), (InLeft, 5.0)]).settled(240), 181..240);
        assert_eq!(scene(&[(FadeIn, 0.0), (OutRight, 3.0)]).settled(240), 31..119);
        assert_eq!(scene(&[(FadeIn, 6.0), (OutRight, 5.0)]).settled(240), 120..121, "never all at once");
        assert!(scene(&[(FadeIn, 0.0)]).settled(1).contains(&0));
    }

    #[test]
    fn steps_without_a_mark_are_spread_over_what_is_left() {
        let mut scene = scene(&[(FadeIn, 0.0), (FadeIn, 0.0), (FadeIn, 0.0)]);
        for (clip, step) in scene.clips.iter_mut().zip(1..) {
            (clip.from, clip.until) = (Some(step), Some(step + 1).filter(|next| *next < 4));
        }
        let shown = |scene: &Scene| scene.clips.iter().map(|clip| scene.shown(clip, 400)).collect::<Vec<_>>();
        assert_eq!(shown(&scene), [100..200, 200..300, 300..400]);
        scene.steps = vec![40];
        assert_eq!(shown(&scene), [40..160, 160..280, 280..400]);
        scene.steps = vec![40, 50, 60, 70];
        assert_eq!(shown(&scene), [40..50, 50..60, 60..400]);
        assert_eq!(scene.settled(400), 91..400, "the last has come, and what it replaced is gone");
    }
}
