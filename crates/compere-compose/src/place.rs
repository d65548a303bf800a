//! Where turned rectangles lie.

use compere_media::{Rect, math};
use compere_scene::Place;

/// The smallest rectangle of output pixels around a place, turned as it is.
pub fn bounds(place: &Place, scale: f64) -> Rect {
    let corners = [(0.0, 0.0), (place.width, 0.0), (0.0, place.height), (place.width, place.height)];
    let (mut x0, mut y0, mut x1, mut y1) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
    for corner in corners {
        let (x, y) = turned(place, corner);
        (x0, y0, x1, y1) = (x0.min(x * scale), y0.min(y * scale), x1.max(x * scale), y1.max(y * scale));
    }
    // A hair of rounding must not add a whole pixel.
    let (down, up) = (|at: f64| (at + 1e-6).floor() as i32, |at: f64| (at - 1e-6).ceil() as i32);
    Rect::new(down(x0), down(y0), up(x1), up(y1))
}

/// The middle of a place, in canvas units.
pub fn centre(place: &Place) -> (f64, f64) {
    turned(place, (place.width / 2.0, place.height / 2.0))
}

/// A point of the unturned rectangle, turned clockwise about its left top corner.
fn turned(place: &Place, (x, y): (f64, f64)) -> (f64, f64) {
    let (sin, cos) = math::sin_cos(place.angle.to_radians());
    (place.left + x * cos - y * sin, place.top + x * sin + y * cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_hangs_left_of_the_corner() {
        let place = Place { left: 100.0, top: 50.0, width: 40.0, height: 20.0, angle: 90.0 };
        assert_eq!(bounds(&place, 1.0), Rect::new(80, 50, 100, 90));
        assert_eq!(centre(&place), (90.0, 70.0));
    }
}
