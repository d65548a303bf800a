//! What drawing promises beyond its looks: windows, scales, threads, warnings.

use crate::support::fonts;
use compere_compose::draw::{self, Drawn, FontError, Fonts, OwnFont};
use compere_media::{Pixmap, Rect, Rgb};
use compere_scene::{Align, Place, Shadow, Shape, ShapeName, Stroke, Text};
use std::sync::Arc;

const SHADOW: Shadow = Shadow { color: Rgb { a: 120, ..Rgb::BLACK }, blur: 9.0, dx: 6.0, dy: -4.0 };

fn words(text: &str) -> Text {
    Text {
        text: text.to_owned(),
        color: Rgb::opaque(20, 24, 40),
        size: 40.0,
        family: "Noto Sans CJK".to_owned(),
        align: Align::Left,
        weight: 400,
        italic: false,
        underline: true,
        stroke: Some(Stroke { color: Rgb::WHITE, width: 3.0 }),
        background: None,
        shadow: Some(SHADOW),
        line_height: 1.2,
        runs: Vec::new(),
    }
}

fn star() -> Shape {
    let stroke = Stroke { color: Rgb::WHITE, width: 5.0 };
    Shape { name: ShapeName::Star, fill: Rgb::BLACK, stroke: Some(stroke), radius: 8.0, shadow: Some(SHADOW) }
}

fn noise(width: u32, height: u32) -> Pixmap {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let pixels = (0..width * height).map(|_| [next(), next(), next(), next()]).collect();
    Pixmap::from_straight(width, height, pixels)
}

fn on_sheet(size: Rect, drawn: Option<Drawn>) -> Pixmap {
    let mut sheet = Pixmap::new(size.width(), size.height());
    if let Some(drawn) = drawn {
        sheet.draw(&drawn.pixmap, drawn.x, drawn.y);
    }
    sheet
}

/// Drawing through windows and laying the pieces side by side gives the picture drawn at once.
fn assert_windows_agree(tolerance: u8, draw: impl Fn(Rect) -> Option<Drawn>) {
    let all = Rect::of_size(400, 300);
    let whole = on_sheet(all, draw(all));
    let mut pieces = Pixmap::new(400, 300);
    for (y, x) in (0..300).step_by(75).flat_map(|y| (0..400).step_by(80).map(move |x| (y, x))) {
        let window = Rect::new(x, y, x + 80, y + 75);
        if let Some(piece) = draw(window) {
            assert!(window.contains(piece.rect()), "{:?} leaves {window:?}", piece.rect());
            pieces.draw(&piece.pixmap, piece.x, piece.y);
        }
    }
    let channels = whole.data().as_flattened().iter().zip(pieces.data().as_flattened());
    let worst = channels.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(worst <= tolerance, "differs by {worst}");
    assert!(whole.data().iter().any(|pixel| pixel[3] > 0), "something was drawn");
}

#[test]
fn windows_agree() {
    let place = Place { left: 120.0, top: 30.0, width: 320.0, height: 240.0, angle: 17.0 };
    assert_windows_agree(2, |window| draw::shape(&star(), &place, 0.8, window));
    assert_windows_agree(2, |window| draw::text(fonts(), &words("Windows 한글 🙂 and lines"), &place, 0.8, window).0);
    let picture = noise(90, 60);
    assert_windows_agree(2, |window| draw::image(&picture, &place, 0.8, window));
}

#[test]
fn a_huge_clip_costs_the_window_only() {
    let place = Place { left: -50_000.0, top: -50_000.0, width: 100_000.0, height: 100_000.0, angle: 3.0 };
    let window = Rect::of_size(64, 48);
    let fits = |drawn: Option<Drawn>| window.contains(drawn.expect("covers the window").rect());
    for angle in [0.0, 3.0] {
        let place = Place { angle, ..place };
        for (name, _) in ShapeName::ALL {
            if let Some(drawn) = draw::shape(&Shape { name, ..star() }, &place, 2.0, window) {
                assert!(fits(Some(drawn)));
            }
        }
        assert!(fits(draw::image(&noise(4, 4), &place, 2.0, window)));
    }
    let huge = Text { size: 90_000.0, ..words("■■■■") };
    let drawn = draw::text(fonts(), &huge, &place, 2.0, window).0;
    assert!(drawn.is_none_or(|drawn| window.contains(drawn.rect())));
}

#[test]
fn nothing_outside_the_window_is_drawn() {
    let place = Place { left: 5000.0, top: 10.0, width: 300.0, height: 100.0, angle: 0.0 };
    let window = Rect::of_size(320, 180);
    assert_eq!(draw::shape(&star(), &place, 1.0, window), None);
    assert_eq!(draw::text(fonts(), &words("far away"), &place, 1.0, window).0, None);
    assert_eq!(draw::image(&noise(4, 4), &place, 1.0, window), None);
}

/// Lines break at the same words whatever the resolution.
#[test]
fn lines_break_alike_at_480_and_4k() {
    let text =
        Text { stroke: None, shadow: None, underline: false, ..words(&"Breaks 줄바꿈 改行 alike. ".repeat(12)) };
    let place = Place { left: 0.0, top: 0.0, width: 700.0, height: 400.0, angle: 0.0 };
    let rows = |scale: f64| {
        let window = Rect::of_size((1920.0 * scale) as u32, (1080.0 * scale) as u32);
        let rect = draw::text(fonts(), &text, &place, scale, window).0.unwrap().rect();
        [rect.x1, rect.y1].map(|side| f64::from(side) / scale)
    };
    let (small, large) = (rows(480.0 / 1080.0), rows(2.0));
    for (small, large) in small.into_iter().zip(large) {
        assert!((small - large).abs() <= 3.0, "{small} against {large} canvas units");
    }
}

#[test]
fn missing_glyphs_are_told_once_and_not_drawn() {
    let place = Place { left: 0.0, top: 0.0, width: 700.0, height: 400.0, angle: 0.0 };
    let (drawn, missing) = draw::text(fonts(), &words("\u{12fff}\u{12fff}"), &place, 1.0, Rect::of_size(700, 400));
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0].cluster, "\u{12fff}");
    assert!(missing[0].to_string().contains("U+12FFF"), "{}", missing[0]);
    let plain = Text { underline: false, ..words("\u{12fff}") };
    assert_eq!(draw::text(fonts(), &plain, &place, 1.0, Rect::of_size(700, 400)).0, None);
    let (drawn_again, _) = draw::text(fonts(), &words("\u{12fff}\u{12fff}"), &place, 1.0, Rect::of_size(700, 400));
    assert_eq!(drawn, drawn_again);
    let invisible = words("a\u{200d}b\u{200f}c\u{ad}d\te\u{fe0f}");
    assert_eq!(draw::text(fonts(), &invisible, &place, 1.0, Rect::of_size(700, 400)).1, []);
}

#[test]
fn threads_draw_the_same_bytes() {
    let place = Place { left: 10.0, top: 10.0, width: 280.0, height: 100.0, angle: 0.0 };
    let texts = ["Hello 안녕 🙂", "日本語 العربية", "ไทย हिन्दी", "Hello 안녕 🙂"];
    let draw = |text: &str| draw::text(fonts(), &words(text), &place, 1.0, Rect::of_size(320, 180));
    let alone: Vec<_> = texts.iter().map(|text| draw(text)).collect();
    let together: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = texts.iter().map(|text| scope.spawn(|| draw(text))).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
    assert_eq!(alone[0], alone[3]);
}

#[test]
fn no_colour_exceeds_its_alpha() {
    let picture = noise(40, 30);
    for (width, height, angle) in [(400.0, 300.0, 0.0), (20.0, 15.0, 0.0), (300.0, 200.0, 20.0)] {
        let place = Place { left: 100.0, top: 0.0, width, height, angle };
        let drawn = draw::image(&picture, &place, 1.0, Rect::of_size(400, 300)).unwrap();
        assert!(drawn.pixmap.data().iter().all(|&[r, g, b, a]| r <= a && g <= a && b <= a));
    }
    let covered = draw::cover(&picture, 33, 77);
    assert_eq!((covered.width(), covered.height()), (33, 77));
}

#[test]
fn pictures_of_no_size_are_nothing() {
    let place = Place { left: 0.0, top: 0.0, width: 10.0, height: 10.0, angle: 0.0 };
    assert_eq!(draw::image(&Pixmap::new(0, 0), &place, 1.0, Rect::of_size(9, 9)), None);
    let flat = Place { width: 0.0, ..place };
    assert_eq!(draw::image(&noise(3, 3), &flat, 1.0, Rect::of_size(9, 9)), None);
    assert_eq!(draw::shape(&star(), &flat, 1.0, Rect::of_size(9, 9)), None);
    assert_eq!(draw::cover(&Pixmap::new(0, 0), 4, 2), Pixmap::new(4, 2));
}

#[test]
fn a_folder_without_fonts_is_an_error_that_names_the_packages() {
    let error = Fonts::open(&["/nowhere".into()]).unwrap_err();
    assert_eq!(error, FontError::NoFonts(vec!["/nowhere".into()]));
    assert!(error.to_string().contains("fonts-noto-cjk"), "{error}");
}

/// A serif of this machine under another name of as many letters.
fn own() -> OwnFont {
    let mut bytes = std::fs::read("/usr/share/fonts/truetype/crosextra/Caladea-Bold.ttf").expect("fonts are installed");
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    for (from, to) in [(b"Caladea".to_vec(), b"Quarzit".to_vec()), (wide("Caladea"), wide("Quarzit"))] {
        while let Some(at) = bytes.windows(from.len()).position(|window| window == from) {
            bytes[at..at + to.len()].copy_from_slice(&to);
        }
    }
    OwnFont { family: "Quarzit".to_owned(), bytes: Arc::new(bytes) }
}

#[test]
fn own_fonts_are_drawn_where_they_are_asked_for_and_nowhere_else() {
    let with = fonts().with(&[own()]);
    assert!(with.has("quarzit") && with.families().contains(&"Quarzit".to_owned()) && !fonts().has("Quarzit"));
    let all = Rect::of_size(400, 300);
    let place = Place { left: 10.0, top: 10.0, width: 380.0, height: 280.0, angle: 0.0 };
    let drawn = |fonts: &Fonts, family: &str| {
        let text = Text { family: family.to_owned(), weight: 700, shadow: None, ..words("Hamburgefonstiv 123") };
        on_sheet(all, draw::text(fonts, &text, &place, 1.0, all).0)
    };
    let caladea = drawn(fonts(), "Caladea");
    for name in ["Quarzit", "Quarzit-Bold", "Nobody Has It, 'Quarzit'"] {
        assert!(drawn(&with, name) == caladea, "{name}");
        assert!(drawn(fonts(), name) == drawn(fonts(), "Noto Sans"), "{name} is somebody else's");
    }
    for name in ["Caladea", "Noto Sans", "Nobody Has It"] {
        assert!(drawn(&with, name) == drawn(fonts(), name), "{name}");
    }
}

#[test]
fn own_fonts_take_no_place_of_those_that_are_here() {
    let disguised = OwnFont { family: "Noto Sans".to_owned(), ..own() };
    let broken = OwnFont { family: "Broken".to_owned(), bytes: Arc::new(b"no font".to_vec()) };
    let with = fonts().with(&[disguised, broken]);
    assert_eq!(with.families(), fonts().families());
    let all = Rect::of_size(400, 300);
    let place = Place { left: 10.0, top: 10.0, width: 380.0, height: 280.0, angle: 0.0 };
    let drawn = |fonts: &Fonts| on_sheet(all, draw::text(fonts, &words("Hamburgefonstiv"), &place, 1.0, all).0);
    assert!(drawn(&with) == drawn(fonts()));
}
