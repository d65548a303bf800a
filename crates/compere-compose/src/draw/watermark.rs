//! The product's mark, for scenes that ask for one.

use super::{Drawn, Fonts, text};
use compere_media::{Pixmap, Rect, Rgb};
use compere_scene::{Align, Place, Shadow, Text};

/// "Compere" in the right bottom corner, 60 % opaque, legible on light and dark.
pub fn watermark(fonts: &Fonts, output: (u32, u32)) -> Drawn {
    let window = Rect::of_size(output.0, output.1);
    let scale = f64::from(output.0.min(output.1)) / 1080.0;
    let (width, height) = (f64::from(output.0) / scale, f64::from(output.1) / scale);
    let mark = Text {
        text: "Compere".to_owned(),
        color: Rgb { a: 153, ..Rgb::WHITE },
        size: SIZE,
        family: "Noto Sans".to_owned(),
        align: Align::Right,
        weight: 700,
        italic: false,
        underline: false,
        stroke: None,
        background: None,
        shadow: Some(Shadow { color: Rgb { a: 110, ..Rgb::BLACK }, blur: 8.0, dx: 0.0, dy: 1.0 }),
        line_height: 1.0,
    };
    let place = Place { left: 0.0, top: height - MARGIN - SIZE, width: width - MARGIN, height: SIZE, angle: 0.0 };
    let (drawn, _) = text(fonts, &mark, &place, scale, window);
    drawn.unwrap_or(Drawn { pixmap: Pixmap::new(0, 0), x: 0, y: 0 })
}

/// Canvas units.
const SIZE: f64 = 34.0;
const MARGIN: f64 = 40.0;
