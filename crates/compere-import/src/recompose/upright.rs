//! Texts that are turned, seen upright: what is known of texts is known of such.

use compere_media::{Rect, math};
use compere_scene::Place;

use super::place::{Row, around, bounds};
use crate::picture::Picture;

/// A window on the slide that is turned with a text. Its pixels are canvas units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Upright {
    /// Degrees clockwise.
    angle: f64,
    /// On the canvas.
    middle: (f64, f64),
    size: (u32, u32),
}

impl Upright {
    /// Around a place before it is turned about its middle, and so much of what surrounds it.
    pub(crate) fn around([left, top, width, height]: [f64; 4], angle: f64, margin: f64) -> Self {
        let side = |length: f64| (length + 2.0 * margin).ceil().clamp(1.0, 4000.0) as u32;
        Self { angle, middle: (left + width / 2.0, top + height / 2.0), size: (side(width), side(height)) }
    }

    fn centre(&self) -> (f64, f64) {
        (f64::from(self.size.0) / 2.0, f64::from(self.size.1) / 2.0)
    }

    /// From the canvas into the window.
    fn seen(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (sin, cos) = math::sin_cos(self.angle.to_radians());
        let (x, y, centre) = (x - self.middle.0, y - self.middle.1, self.centre());
        (centre.0 + x * cos + y * sin, centre.1 - x * sin + y * cos)
    }

    /// From the window onto the canvas.
    fn turned(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (sin, cos) = math::sin_cos(self.angle.to_radians());
        let centre = self.centre();
        let (x, y) = (x - centre.0, y - centre.1);
        (self.middle.0 + x * cos - y * sin, self.middle.1 + x * sin + y * cos)
    }

    /// Where something is in the window whose middle is that of the window.
    pub(crate) fn area(&self, width: f64, height: f64) -> [f64; 4] {
        let centre = self.centre();
        [centre.0 - width / 2.0, centre.1 - height / 2.0, width, height]
    }

    /// A word, or what poppler makes of one: of turned words it gives the boxes that surround them, and takes most apart.
    pub(crate) fn word(&self, word: &Row) -> Row {
        let quarters = (self.angle / 90.0).round();
        let (sin, cos) = math::sin_cos((self.angle - quarters * 90.0).to_radians());
        let (across, down) = (word.x.1 - word.x.0, word.y.1 - word.y.0);
        let (along, high) = if quarters as i64 % 2 == 0 { (across, down) } else { (down, across) };
        // What a line climbs within a box is none of its height.
        let (along, high) = (along / cos, (high - along * sin.abs()).max(high * 0.3));
        let (x, y) = self.seen(word.middle());
        Row { x: (x - along / 2.0, x + along / 2.0), y: (y - high / 2.0, y + high / 2.0), text: word.text.clone() }
    }

    /// What the window shows of a picture that has a pixel for a canvas unit.
    pub(crate) fn picture(&self, of: &Picture) -> Picture {
        let (width, height) = self.size;
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let rgb = pixels.map(|(x, y)| mixed(of, self.turned((f64::from(x) + 0.5, f64::from(y) + 0.5)))).collect();
        Picture { width, height, rgb }
    }

    /// A place in the window as scenes have it: turned about its left upper corner.
    pub(crate) fn place(&self, place: &Place) -> Place {
        let (left, top) = self.turned((place.left, place.top));
        Place { left, top, angle: self.angle, ..*place }
    }

    /// All that a rectangle of the window covers of the canvas.
    pub(crate) fn bounds(&self, rect: Rect) -> Rect {
        let place = Place {
            left: f64::from(rect.x0),
            top: f64::from(rect.y0),
            width: f64::from(rect.width()),
            height: f64::from(rect.height()),
            angle: 0.0,
        };
        around(bounds(&self.place(&place)), 1.0)
    }
}

/// The colour at a point between the middles of four pixels; beyond the edge there is nothing.
fn mixed(of: &Picture, (x, y): (f64, f64)) -> [u8; 3] {
    let (x, y) = (x - 0.5, y - 0.5);
    let (left, top) = (x.floor(), y.floor());
    let (right, low) = ((x - left) as f32, (y - top) as f32);
    let at = |x: f64, y: f64| {
        let inside = x >= 0.0 && y >= 0.0 && x < f64::from(of.width) && y < f64::from(of.height);
        if inside { of.at(x as u32, y as u32).map(f32::from) } else { [255.0; 3] }
    };
    let four = [at(left, top), at(left + 1.0, top), at(left, top + 1.0), at(left + 1.0, top + 1.0)];
    [0, 1, 2].map(|c| {
        let upper = four[0][c] + (four[1][c] - four[0][c]) * right;
        let lower = four[2][c] + (four[3][c] - four[2][c]) * right;
        (upper + (lower - upper) * low).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_turned_is_seen_upright_and_put_back() {
        let upright = Upright::around([100.0, 200.0, 80.0, 20.0], 90.0, 10.0);
        assert_eq!(upright.size, (100, 40));
        // Clockwise: what is left of the text is above it on the slide.
        let (x, y) = upright.turned((0.0, 20.0));
        assert!((x - 140.0).abs() < 1e-9 && (y - 160.0).abs() < 1e-9, "{x} {y}");
        let (x, y) = upright.seen((140.0, 160.0));
        assert!(x.abs() < 1e-9 && (y - 20.0).abs() < 1e-9, "{x} {y}");
        let word = upright.word(&Row { x: (130.0, 150.0), y: (180.0, 240.0), text: "a".into() });
        let near = |have: (f64, f64), want: (f64, f64)| (have.0 - want.0).abs() + (have.1 - want.1).abs() < 1e-9;
        assert!(near(word.x, (20.0, 80.0)) && near(word.y, (10.0, 30.0)), "{word:?}");
        let place = upright.place(&Place { left: 20.0, top: 10.0, width: 60.0, height: 20.0, angle: 0.0 });
        assert!(near((place.left, place.top), (150.0, 180.0)) && place.angle == 90.0, "{place:?}");
    }

    #[test]
    fn pixels_keep_their_colours_in_quarters() {
        let rgb = (0..64).map(|at| [at as u8 * 4; 3]).collect();
        let upright = Upright::around([2.0, 3.0, 4.0, 2.0], 270.0, 0.0);
        let seen = upright.picture(&Picture { width: 8, height: 8, rgb });
        assert_eq!((seen.width, seen.height), (4, 2));
        // The left upper corner of what reads upwards is the left lower one on the slide.
        assert_eq!((seen.at(0, 0), seen.at(3, 0)), ([(5 * 8 + 3) * 4; 3], [(2 * 8 + 3) * 4; 3]));
    }
}
