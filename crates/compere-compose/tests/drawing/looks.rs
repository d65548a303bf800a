//! What drawn clips look like, one idea in each picture.

use crate::pictures;
use crate::support::fonts;
use compere_compose::draw::{self, Drawn};
use compere_media::{Pixmap, Rect, Rgb};
use compere_scene::{Align, Place, Shadow, Shape, ShapeName, Stroke, Text, TextRun};

const BLUE: Rgb = Rgb::opaque(47, 107, 255);
const CORAL: Rgb = Rgb::opaque(255, 107, 74);
const INK: Rgb = Rgb::opaque(20, 24, 40);
const SOFT: Shadow = Shadow { color: Rgb { r: 0, g: 0, b: 0, a: 130 }, blur: 10.0, dx: 8.0, dy: 8.0 };

/// Output pixels per canvas unit: a 720p film.
const SCALE: f64 = 2.0 / 3.0;

fn place(left: f64, top: f64, width: f64, height: f64) -> Place {
    Place { left, top, width, height, angle: 0.0 }
}

fn turned(place: Place, angle: f64) -> Place {
    Place { angle, ..place }
}

/// On a light sheet.
fn sheet(width: u32, height: u32, parts: impl IntoIterator<Item = Option<Drawn>>) -> Pixmap {
    on([246, 247, 250, 255], width, height, parts)
}

fn on(color: [u8; 4], width: u32, height: u32, parts: impl IntoIterator<Item = Option<Drawn>>) -> Pixmap {
    let mut sheet = Pixmap::new(width, height);
    sheet.fill(color);
    for part in parts.into_iter().flatten() {
        sheet.draw(&part.pixmap, part.x, part.y);
    }
    sheet
}

fn plain(name: ShapeName) -> Shape {
    Shape { name, fill: BLUE, stroke: None, radius: 0.0, shadow: None }
}

fn shape(shape: &Shape, place: Place) -> Option<Drawn> {
    draw::shape(shape, &place, SCALE, Rect::of_size(320, 240))
}

/// A shape in a wide and in a high box.
fn twice(name: ShapeName) -> Pixmap {
    let shape_ = plain(name);
    sheet(160, 88, [shape(&shape_, place(12.0, 24.0, 120.0, 84.0)), shape(&shape_, place(150.0, 12.0, 72.0, 108.0))])
}

fn dressed(name: ShapeName) -> Shape {
    let stroke = Stroke { color: INK, width: 8.0 };
    Shape { fill: CORAL, stroke: Some(stroke), radius: 24.0, shadow: Some(SOFT), ..plain(name) }
}

fn words(text: &str) -> Text {
    Text {
        text: text.to_owned(),
        color: INK,
        size: 40.0,
        family: "Noto Sans CJK".to_owned(),
        align: Align::Left,
        weight: 400,
        italic: false,
        underline: false,
        stroke: None,
        background: None,
        shadow: None,
        line_height: 1.3,
        runs: Vec::new(),
    }
}

fn latin(text: &str) -> Text {
    Text { family: "Noto Sans".to_owned(), ..words(text) }
}

/// Coloured and underlined; bold and slanted; raised; lowered; what stands between is plain.
fn composed(align: Align, parts: &[&str]) -> Text {
    let mut text = Text { align, ..latin(&parts.concat()) };
    let plain = TextRun {
        range: 0..0,
        color: INK,
        family: text.family.clone(),
        weight: 400,
        italic: false,
        underline: false,
        scale: 1.0,
        raise: 0.0,
    };
    let looks = [
        TextRun { color: CORAL, underline: true, ..plain.clone() },
        TextRun { weight: 700, italic: true, family: "Noto Serif".to_owned(), color: BLUE, ..plain.clone() },
        TextRun { scale: 0.6, raise: 0.33, color: CORAL, ..plain.clone() },
        TextRun { scale: 0.6, raise: -0.14, underline: true, ..plain },
    ];
    let mut end = 0;
    for (at, part) in parts.iter().enumerate() {
        let start = end;
        end += part.len();
        if let Some(look) = (at % 2 == 1).then(|| looks[at / 2].clone()) {
            text.runs.push(TextRun { range: start..end, ..look });
        }
    }
    text
}

/// A text in a box that is shown, so that wrapping and alignment can be judged.
fn boxed(text: &Text, height: u32) -> Pixmap {
    let room = place(18.0, 12.0, 444.0, f64::from(height) / SCALE - 24.0);
    let shown = Shape { fill: Rgb::opaque(226, 231, 243), ..plain(ShapeName::Square) };
    let window = Rect::of_size(320, height);
    let (drawn, missing) = draw::text(fonts(), text, &room, SCALE, window);
    assert!(missing.is_empty(), "{missing:?}");
    sheet(320, height, [draw::shape(&shown, &room, SCALE, window), drawn])
}

fn aligned(align: Align) -> Pixmap {
    boxed(
        &Text { align, size: 30.0, ..latin("The quick brown fox jumps over the lazy dog and is not tired at all.") },
        96,
    )
}

/// A picture with rings that grow finer, a white frame, a hole, and a soft side.
fn card() -> Pixmap {
    let (width, height) = (240, 160);
    let pixel = |x: u32, y: u32| {
        let (dx, dy) = (f64::from(x) - 90.0, f64::from(y) - 80.0);
        let ring = (dx.hypot(dy).powi(2) / 900.0).cos() * 100.0 + 128.0;
        if x < 4 || y < 4 || x >= width - 4 || y >= height - 4 {
            [255; 4]
        } else if (f64::from(x) - 190.0).hypot(f64::from(y) - 50.0) < 26.0 {
            [0, 0, 0, 0]
        } else {
            let alpha = if y > 120 { 255 - (y - 120) * 5 } else { 255 };
            [ring as u8, x as u8, 200 - y as u8, alpha as u8]
        }
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| pixel(x, y))).collect();
    Pixmap::from_straight(width, height, pixels)
}

fn card_in(place: Place) -> Pixmap {
    on([60, 66, 88, 255], 200, 128, [draw::image(&card(), &place, SCALE, Rect::of_size(200, 128))])
}

fn covered(width: u32, height: u32) -> Pixmap {
    on([60, 66, 88, 255], width, height, [Some(Drawn { pixmap: draw::cover(&card(), width, height), x: 0, y: 0 })])
}

/// The corner that a watermark of a film this size stands in.
fn marked(color: [u8; 4], size: (u32, u32)) -> Pixmap {
    let mark = draw::watermark(fonts(), size);
    let corner = Drawn { x: mark.x - size.0 as i32 + 250, y: mark.y - size.1 as i32 + 90, ..mark };
    on(color, 250, 90, [Some(corner)])
}

pictures! {
    shape_line => twice(ShapeName::Line),
    shape_arrow_1 => twice(ShapeName::Arrow1),
    shape_arrow_2 => twice(ShapeName::Arrow2),
    shape_circle => twice(ShapeName::Circle),
    shape_triangle => twice(ShapeName::Triangle),
    shape_square => twice(ShapeName::Square),
    shape_parallelogram => twice(ShapeName::Parallelogram),
    shape_drop => twice(ShapeName::Drop),
    shape_polygon => twice(ShapeName::Polygon),
    shape_pentagon => twice(ShapeName::Pentagon),
    shape_oval_1 => twice(ShapeName::Oval1),
    shape_oval_2 => twice(ShapeName::Oval2),
    shape_hexagon_1 => twice(ShapeName::Hexagon1),
    shape_hexagon_2 => twice(ShapeName::Hexagon2),
    shape_diamond => twice(ShapeName::Diamond),
    shape_star => twice(ShapeName::Star),
    shape_rectangle => twice(ShapeName::RoundedRectangle),
    shape_stroke_is_centred => {
        let stroke = Some(Stroke { color: Rgb { a: 160, ..CORAL }, width: 24.0 });
        let name = ShapeName::Triangle;
        sheet(160, 120, [shape(&Shape { stroke, ..plain(name) }, place(36.0, 36.0, 168.0, 108.0))])
    },
    shape_line_takes_its_stroke => {
        let stroke = Some(Stroke { color: CORAL, width: 12.0 });
        sheet(160, 40, [shape(&Shape { stroke, radius: 6.0, ..plain(ShapeName::Line) }, place(12.0, 12.0, 216.0, 36.0))])
    },
    shape_round_corners => {
        let round = |name| Shape { radius: 18.0, ..plain(name) };
        let room = |at: f64| place(12.0 + at * 114.0, 12.0, 102.0, 102.0);
        let names = [ShapeName::Arrow1, ShapeName::Star, ShapeName::Drop, ShapeName::Square];
        sheet(320, 84, names.iter().zip([0.0, 1.0, 2.0, 3.0]).map(|(&name, at)| shape(&round(name), room(at))))
    },
    shape_shadow => sheet(160, 120, [shape(&dressed(ShapeName::Hexagon1), place(36.0, 30.0, 160.0, 110.0))]),
    shape_shadow_does_not_turn => {
        sheet(160, 130, [shape(&dressed(ShapeName::Square), turned(place(140.0, 20.0, 110.0, 80.0), 60.0))])
    },
    shape_translucent => {
        let pale = |fill: Rgb, left| shape(&Shape { fill: Rgb { a: 128, ..fill }, ..plain(ShapeName::Circle) }, place(left, 15.0, 130.0, 130.0));
        sheet(160, 110, [pale(BLUE, 15.0), pale(CORAL, 95.0)])
    },
    shape_turns_about_its_corner => {
        let card = |angle| shape(&Shape { fill: Rgb { a: 120, ..BLUE }, ..plain(ShapeName::Square) }, turned(place(120.0, 60.0, 100.0, 40.0), angle));
        sheet(160, 120, [card(0.0), card(30.0), card(90.0), card(200.0)])
    },
    text_wraps => boxed(&latin("Words wrap where they end, and a text higher than its box goes on below."), 96),
    text_long_word => boxed(&latin("Donaudampfschifffahrtsgesellschaft"), 84),
    text_blank_lines => boxed(&latin("One\n\nthree\r\nfour"), 150),
    text_line_height => boxed(&Text { line_height: 1.0, ..latin("Set solid:\nno lead") }, 76),
    text_left => aligned(Align::Left),
    text_center => aligned(Align::Center),
    text_right => aligned(Align::Right),
    text_justify => aligned(Align::Justify),
    text_bold => boxed(&Text { weight: 700, ..latin("Bold 굵게 ตัวหนา") }, 50),
    text_italic => boxed(&Text { italic: true, ..latin("Italic has its own a") }, 50),
    text_italic_made_up => boxed(&Text { italic: true, ..words("기울임 斜體 oblique") }, 50),
    text_runs => boxed(&composed(Align::Left, &["Half ", "of this", " is ", "bold", ", a", "2", " + H", "2", "O wraps, and goes on."]), 120),
    text_runs_at_the_right => boxed(&composed(Align::Right, &["ends with ", "spaces ", "and\n", "goes ", "on, x", "n+1", " > y", "0", ""]), 84),
    text_runs_join_letters => boxed(&composed(Align::Right, &["مرح", "با ب", "", "العالم", " 🙂 "]), 60),
    text_underline => boxed(&Text { underline: true, ..latin("Underlined gyp\nand more") }, 84),
    text_stroke => {
        let stroke = Some(Stroke { color: CORAL, width: 8.0 });
        boxed(&Text { stroke, color: Rgb::WHITE, weight: 700, size: 56.0, ..latin("Stroke 한글") }, 66)
    },
    text_background => boxed(&Text { background: Some(BLUE), color: Rgb::WHITE, ..latin("Behind the lines,\ngyÅ") }, 90),
    text_shadow => boxed(&Text { shadow: Some(SOFT), weight: 700, size: 56.0, ..latin("Shadow 🙂") }, 70),
    text_translucent => boxed(&Text { color: Rgb { a: 110, ..INK }, ..latin("Pale 🙂 ink") }, 50),
    text_turned => {
        let window = Rect::of_size(200, 200);
        let (drawn, _) = draw::text(fonts(), &latin("Turned text\nüber Eck 🎉"), &turned(place(100.0, 10.0, 300.0, 90.0), 40.0), SCALE, window);
        sheet(200, 200, [drawn])
    },
    text_korean => boxed(&words("안녕하세요, 여러분의 발표자입니다. AI 123"), 84),
    text_japanese => boxed(&words("日本語の文は、句読点の前で改行しない。「直」"), 84),
    text_chinese_simplified => boxed(&words("欢迎来到我们的课程，今天我们学习直角。"), 84),
    text_chinese_traditional => boxed(&words("歡迎來到我們的課程，今天我們學習直角。"), 84),
    text_arabic => boxed(&Text { align: Align::Right, ..latin("مرحبا بالعالم! هذا نص عربي مع English داخله و123.") }, 84),
    text_hebrew => boxed(&Text { align: Align::Right, ..latin("שָׁלוֹם עולם! זה טקסט\nEnglish first, ואז עברית") }, 84),
    text_thai => boxed(&latin("ภาษาไทยไม่มีช่องว่างระหว่างคำแต่ต้องตัดบรรทัดให้ถูก"), 84),
    text_devanagari => boxed(&latin("नमस्ते दुनिया! क्षत्रिय हिन्दी वाक्य।"), 84),
    text_indic => boxed(&Text { size: 32.0, ..latin("தமிழ் తెలుగు ಕನ್ನಡ മലയാളം বাংলা ગુજરાતી ਪੰਜਾਬੀ සිංහල") }, 84),
    text_greek_cyrillic_vietnamese => boxed(&Text { size: 32.0, ..latin("Ελληνικά, Русский, Tiếng Việt, Čeština, Íslenska") }, 84),
    text_far => boxed(&Text { size: 32.0, ..latin("ქართული Հայերեն አማርኛ ខ្មែរ မြန်မာ ລາວ བོད་") }, 84),
    text_emoji => boxed(&latin("😀 ❤️ ✅ ⭐ 👍🏽 1️⃣ ©"), 50),
    text_emoji_joined => boxed(&latin("👩‍🚀 🧑‍💻 🏳️‍🌈 👩‍❤️‍👨"), 50),
    text_emoji_flags => boxed(&latin("🇰🇷🇩🇪🇫🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿"), 50),
    text_signs => boxed(&latin("→ ★ ∑ ☎ ½ € ₩ № ♫"), 50),
    text_serif => boxed(&Text { family: "SourceSerifPro-Bold".to_owned(), ..words("Serif 명조 हिन्दी") }, 50),
    text_mono => boxed(&Text { family: "JetBrains Mono".to_owned(), size: 32.0, ..words("let l1 = 0O; // 한글") }, 50),
    image_stretched => card_in(place(18.0, 15.0, 264.0, 150.0)),
    image_shrunk => card_in(place(30.0, 24.0, 90.0, 60.0)),
    image_enlarged_and_cut => card_in(place(-150.0, -300.0, 900.0, 600.0)),
    image_turned => card_in(turned(place(90.0, 15.0, 180.0, 120.0), 25.0)),
    image_turned_and_shrunk => card_in(turned(place(60.0, 110.0, 120.0, 80.0), -40.0)),
    image_turned_and_enlarged => card_in(turned(place(-300.0, -700.0, 1800.0, 1200.0), 10.0)),
    image_covers_wide => covered(200, 60),
    image_covers_high => covered(70, 128),
    watermark_on_white => marked([255; 4], (1920, 1080)),
    watermark_on_dark => marked([20, 24, 40, 255], (1080, 1920)),
    watermark_small => marked([90, 130, 180, 255], (854, 480)),
}
