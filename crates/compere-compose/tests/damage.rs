//! Damage is exact: what it leaves out is untouched, and a frame is the same however it was reached.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use compere_compose::draw::Fonts;
use compere_compose::{BACKGROUND, Compositor, Entrance, Mover, Props, Stage};
use compere_media::{Broken, Damage, Frame, Layer, Moving, Pixmap, Rect, Rgb};
use compere_scene::{
    Align, Animation, AnimationKind, Background, Clip, ClipKind, Place, Scene, Shadow, Shape, ShapeName, Source,
    Stroke, Text, Transition, TransitionKind, Video,
};
use proptest::prelude::*;

const OUTPUT: (u32, u32) = (192, 108);
const FRAMES: u64 = 40;

/// A square that wanders over its layer, resting now and then.
struct Wanderer {
    seed: u64,
    last: Option<Rect>,
}

impl Wanderer {
    fn at(&self, frame: u64, layer: &Layer) -> Rect {
        let step = (frame * 3 / 4 + self.seed) as i32; // every fourth frame rests
        let x = (step * 7) % (layer.width() as i32).max(1);
        let y = (step * 5) % (layer.height() as i32).max(1);
        Rect::new(x, y, x + 9, y + 7)
    }
}

impl Moving for Wanderer {
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        let at = self.at(frame, layer);
        if self.last == Some(at) {
            return Ok(Damage::none());
        }
        let mut picture = Pixmap::new(layer.width(), layer.height());
        let mut square = Pixmap::new(at.width(), at.height());
        square.fill(Rgb { r: 200, g: 30, b: 90, a: 180 }.premultiplied());
        picture.draw(&square, at.x0, at.y0);
        let mut damage = Damage::none();
        for part in self.last.iter().chain([&at]) {
            layer.put(&picture, 0, 0, *part);
            damage.add(part.aligned(2));
        }
        self.last = Some(at);
        Ok(damage.clipped(Rect::of_size(layer.width(), layer.height())))
    }
}

fn fonts() -> &'static Fonts {
    static FONTS: OnceLock<Fonts> = OnceLock::new();
    FONTS.get_or_init(|| {
        let dirs = [PathBuf::from("/usr/share/fonts/truetype/noto"), PathBuf::from("/usr/share/fonts/opentype/noto")];
        Fonts::open(&dirs).expect("the Noto fonts of the set-up script")
    })
}

fn any_color() -> impl Strategy<Value = Rgb> {
    any::<[u8; 4]>().prop_map(|[r, g, b, a]| Rgb { r, g, b, a })
}

fn any_place() -> impl Strategy<Value = Place> {
    (-600.0..1900.0f64, -300.0..1000.0f64, 1.0..900.0f64, 1.0..600.0f64, prop_oneof![Just(0.0), -180.0..180.0f64])
        .prop_map(|(left, top, width, height, angle)| Place { left, top, width, height, angle })
}

fn any_animation() -> impl Strategy<Value = Option<Animation>> {
    let kind = prop::sample::select(AnimationKind::ALL.to_vec());
    prop::option::of((kind, 0.1..2.0f64, 0.0..1.0f64).prop_map(|((kind, _), duration, delay)| Animation {
        kind,
        duration,
        delay,
    }))
}

fn any_shape() -> impl Strategy<Value = ClipKind> {
    let name = prop::sample::select(ShapeName::ALL.to_vec());
    (name, any_color(), 0.0..60.0f64, any::<bool>()).prop_map(|((name, _), fill, radius, adorned)| {
        let stroke = adorned.then_some(Stroke { color: Rgb::BLACK, width: 12.0 });
        let shadow = adorned.then_some(Shadow { color: Rgb::BLACK.faded(0.4), blur: 20.0, dx: 10.0, dy: 10.0 });
        ClipKind::Shape(Shape { name, fill, stroke, radius, shadow })
    })
}

fn any_text() -> impl Strategy<Value = ClipKind> {
    (any_color(), 20.0..120.0f64).prop_map(|(color, size)| {
        ClipKind::Text(Text {
            text: "Moving on".into(),
            color,
            size,
            family: "Noto Sans".into(),
            align: Align::Center,
            weight: 400,
            italic: false,
            underline: true,
            stroke: None,
            background: None,
            shadow: None,
            line_height: 1.16,
            runs: Vec::new(),
        })
    })
}

fn any_kind() -> impl Strategy<Value = ClipKind> {
    let video = Just(ClipKind::Video(Video { source: Source("/wanderer".into()), volume: 1.0 }));
    prop_oneof![5 => any_shape(), 2 => any_text(), 2 => video]
}

fn any_clip() -> impl Strategy<Value = Clip> {
    let steps = (prop::option::weighted(0.3, 1..4u8), prop::option::weighted(0.3, 1..4u8));
    let parts = (any_place(), 0.0..=1.0f64, any_animation(), any_kind(), steps);
    parts.prop_map(|(place, opacity, animation, kind, (from, until))| Clip {
        id: "clip".into(),
        path: "scenes[0].clips[0]".into(),
        place,
        opacity,
        animation,
        from,
        until,
        kind,
    })
}

fn any_scene() -> impl Strategy<Value = Scene> {
    (any_color(), prop::bool::weighted(0.2), prop::collection::vec(any_clip(), 0..6), any::<bool>()).prop_map(
        |(color, moving, clips, watermark)| Scene {
            name: None,
            index: 0,
            background: Background {
                color,
                picture: None,
                video: moving.then(|| Source("/wanderer".into())),
                path: "scenes[0].background".into(),
            },
            clips,
            lines: Vec::new(),
            watermark,
            duration: None,
            transition: None,
            steps: Vec::new(),
        },
    )
}

fn movers(scene: &Scene) -> BTreeMap<usize, Mover> {
    let mut movers = BTreeMap::new();
    let mut add = |index, seed, rect: Rect| {
        movers.insert(index, Mover { rect, moving: Box::new(Wanderer { seed, last: None }) });
    };
    if scene.background.video.is_some() {
        add(BACKGROUND, 3, Rect::of_size(OUTPUT.0, OUTPUT.1));
    }
    for (index, clip) in scene.clips.iter().enumerate() {
        if matches!(clip.kind, ClipKind::Video(_)) {
            let (x, y) = ((clip.place.left / 10.0) as i32, (clip.place.top / 10.0) as i32);
            add(index, index as u64, Rect::new(x, y, x + 50, y + 40));
        }
    }
    movers
}

fn any_transition() -> impl Strategy<Value = Option<Transition>> {
    let kind = prop::sample::select(TransitionKind::ALL.to_vec());
    prop::option::of((kind, 0.1..2.0f64).prop_map(|((kind, _), duration)| Transition { kind, duration }))
}

/// What plays the scene, coming over a frame that is like none of its own.
fn played(stage: &Arc<Stage>, scene: &Scene, coming: Option<Transition>) -> Compositor {
    let alone = Compositor::new(Arc::clone(stage), movers(scene));
    let Some(transition) = coming else { return alone };
    let mut before = Frame::new(OUTPUT.0, OUTPUT.1);
    before.planes_mut().0.iter_mut().enumerate().for_each(|(at, y)| *y = 16 + (at % 211) as u8);
    alone.entering(Entrance::new(Arc::new(before), transition, FRAMES))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_frame_depends_on_its_number_only(scene in any_scene(), coming in any_transition(), mut numbers in prop::collection::btree_set(0..FRAMES, 2..14)) {
        let pictures = BTreeMap::new();
        let props = Props { fonts: fonts(), pictures: &pictures, canvas: (1920, 1080), output: OUTPUT, frames: FRAMES };
        let stage = Arc::new(Stage::set(&scene, props).0);
        let mut compositor = played(&stage, &scene, coming);
        let first = numbers.pop_first().expect("two or more");
        let (mut before, damage) = compositor.advance(first).map(|(frame, damage)| (frame.clone(), damage)).expect("draws");
        prop_assert_eq!(damage, Damage::rect(Rect::of_size(OUTPUT.0, OUTPUT.1)));
        let mut at = first;
        for number in numbers {
            let reach = compositor.reach(at, number + 1);
            let (frame, damage) = compositor.advance(number).expect("draws");
            prop_assert!(before.same_outside(frame, &damage), "frame {} differs outside {:?}", number, damage);
            for rect in damage.rects() {
                let covered: u64 = reach.rects().iter().map(|r| r.intersect(*rect)).filter(|r| !r.is_empty()).map(Rect::area).sum();
                prop_assert_eq!(covered, rect.area(), "frame {}: {:?} was not announced by {:?}", number, rect, reach);
            }
            let mut fresh = played(&stage, &scene, coming);
            let (straight, _) = fresh.advance(number).expect("draws");
            prop_assert!(straight == frame, "frame {} depends on how it was reached", number);
            before = frame.clone();
            at = number;
        }
    }
}

/// Footage as far as its length is asked for.
struct Reel(u64);

impl Moving for Reel {
    fn advance(&mut self, _: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        Ok(Damage::rect(Rect::of_size(layer.width(), layer.height())))
    }

    fn plays_until(&self) -> u64 {
        self.0
    }
}

#[test]
fn footage_is_told_of_where_it_fills_most_pictures() {
    let video = || ClipKind::Video(Video { source: Source("/reel".into()), volume: 1.0 });
    let clip = |animation| Clip {
        id: "clip".into(),
        path: "scenes[0].clips[0]".into(),
        place: Place { left: 0.0, top: 0.0, width: 1920.0, height: 1080.0, angle: 0.0 },
        opacity: 1.0,
        animation,
        from: None,
        until: None,
        kind: video(),
    };
    let plays = |length: u64, share: f64, animation| {
        let scene = Scene {
            name: None,
            index: 0,
            background: Background { color: Rgb::BLACK, picture: None, video: None, path: String::new() },
            clips: vec![clip(animation)],
            lines: Vec::new(),
            watermark: true,
            duration: None,
            transition: None,
            steps: Vec::new(),
        };
        let pictures = BTreeMap::new();
        let props = Props { fonts: fonts(), pictures: &pictures, canvas: (1920, 1080), output: OUTPUT, frames: FRAMES };
        let stage = Arc::new(Stage::set(&scene, props).0);
        let rect = Rect::of_size(OUTPUT.0, (f64::from(OUTPUT.1) * share) as u32);
        let movers = BTreeMap::from([(0, Mover { rect, moving: Box::new(Reel(length)) as Box<dyn Moving> })]);
        Compositor::new(stage, movers).plays_footage(0, FRAMES)
    };
    assert!(plays(FRAMES, 1.0, None) && plays(FRAMES, 0.93, None) && plays(25, 1.0, None));
    assert!(!plays(15, 1.0, None), "it stands still for longer than it plays");
    assert!(!plays(FRAMES, 0.8, None), "a fifth of the picture is something else");
    assert!(!plays(0, 1.0, None), "a presenter");
    let late = Animation { kind: AnimationKind::FadeIn, duration: 0.1, delay: 0.8 };
    assert!(!plays(FRAMES, 1.0, Some(late)), "it is seen for a third of the time");
}
