//! The product's mark, for scenes that ask for one.

use super::raster::mul;
use super::{Drawn, Fonts, shape, text};
use compere_media::{Pixmap, Rect, Rgb};
use compere_scene::{Align, Place, Shadow, Shape, ShapeName, Stroke, Text};

/// A ring with a play sign and "Compere" in the right bottom corner, 60 % opaque, legible on light and dark.
pub fn watermark(fonts: &Fonts, output: (u32, u32)) -> Drawn {
    let window = Rect::of_size(output.0, output.1);
    let scale = f64::from(output.0.min(output.1)) / 1080.0;
    let (right, bottom) = (f64::from(output.0) / scale - MARGIN, f64::from(output.1) / scale - MARGIN);
    let box_ = Place { left: 0.0, top: bottom - SIZE, width: right, height: SIZE, angle: 0.0 };
    let (word, _) = text(fonts, &word(), &box_, scale, window);
    let left = word.as_ref().map_or(right, |word| f64::from(word.x) / scale);
    let ring =
        Place { left: left - SIZE, top: bottom - SIZE * 0.93, width: SIZE * 0.82, height: SIZE * 0.82, angle: 0.0 };
    let sign = Place {
        left: ring.left + ring.width * 0.71,
        top: ring.top + ring.height * 0.28,
        width: ring.height * 0.44,
        height: ring.width * 0.35,
        angle: 90.0,
    };
    let parts = [word, shape(&outlined(), &ring, scale, window), shape(&filled(), &sign, scale, window)];
    faded(&parts.into_iter().flatten().collect::<Vec<_>>(), OPACITY)
}

/// Canvas units.
const SIZE: f64 = 30.0;
const MARGIN: f64 = 40.0;
/// 60 % of 255.
const OPACITY: u8 = 153;
const SHADOW: Shadow = Shadow { color: Rgb { a: 190, ..Rgb::BLACK }, blur: 6.0, dx: 0.0, dy: 1.0 };

fn word() -> Text {
    Text {
        text: "Compere".to_owned(),
        color: Rgb::WHITE,
        size: SIZE,
        family: "Noto Sans".to_owned(),
        align: Align::Right,
        weight: 700,
        italic: false,
        underline: false,
        stroke: None,
        background: None,
        shadow: Some(SHADOW),
        line_height: 1.0,
        runs: Vec::new(),
    }
}

fn outlined() -> Shape {
    let stroke = Stroke { color: Rgb::WHITE, width: 3.2 };
    Shape { name: ShapeName::Circle, fill: Rgb::TRANSPARENT, stroke: Some(stroke), radius: 0.0, shadow: Some(SHADOW) }
}

fn filled() -> Shape {
    Shape { name: ShapeName::Triangle, fill: Rgb::WHITE, stroke: None, radius: 2.0, shadow: Some(SHADOW) }
}

/// The parts on one picture, which then fades as a whole: shadows stay behind the letters they belong to.
fn faded(parts: &[Drawn], opacity: u8) -> Drawn {
    let rect = parts.iter().map(Drawn::rect).fold(Rect::default(), Rect::union);
    let mut all = Pixmap::new(rect.width(), rect.height());
    for part in parts {
        all.draw(&part.pixmap, part.x - rect.x0, part.y - rect.y0);
    }
    for pixel in all.data_mut() {
        *pixel = pixel.map(|channel| mul(channel, opacity));
    }
    Drawn { pixmap: all, x: rect.x0, y: rect.y0 }
}
