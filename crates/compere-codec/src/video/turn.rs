//! A picture turned about its left top corner.

use compere_media::{Pixmap, Rect, math};

/// The even rectangle around a picture at (0, 0) that was turned clockwise by `angle` degrees about that point.
pub fn turned_bounds(width: u32, height: u32, angle: f64) -> Rect {
    let (sin, cos) = turn_of(angle);
    let (w, h) = (f64::from(width), f64::from(height));
    let corners = [(0.0, 0.0), (w * cos, w * sin), (w * cos - h * sin, w * sin + h * cos), (-h * sin, h * cos)];
    let low = |pick: fn(&(f64, f64)) -> f64| corners.iter().map(pick).fold(f64::INFINITY, f64::min);
    let high = |pick: fn(&(f64, f64)) -> f64| corners.iter().map(pick).fold(f64::NEG_INFINITY, f64::max);
    // Rounding errors of a sine must not add a row.
    let (floor, ceil) = (|v: f64| (v + 1e-6).floor() as i32, |v: f64| (v - 1e-6).ceil() as i32);
    Rect::new(floor(low(|c| c.0)), floor(low(|c| c.1)), ceil(high(|c| c.0)), ceil(high(|c| c.1))).aligned(2)
}

/// Sine and cosine, exact for quarter turns.
fn turn_of(angle: f64) -> (f64, f64) {
    match angle.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => math::sin_cos(other.to_radians()),
    }
}

/// The turned picture inside `bounds`, sampled between pixels; edges are as soft as one pixel.
pub(super) fn turned(picture: &Pixmap, angle: f64, bounds: Rect) -> Pixmap {
    let (sin, cos) = turn_of(angle);
    let mut out = Pixmap::new(bounds.width(), bounds.height());
    for row in 0..bounds.height() {
        let y = f64::from(bounds.y0) + f64::from(row) + 0.5;
        for (column, pixel) in out.row_mut(row).iter_mut().enumerate() {
            let x = f64::from(bounds.x0) + column as f64 + 0.5;
            *pixel = sample(picture, x * cos + y * sin - 0.5, y * cos - x * sin - 0.5);
        }
    }
    out
}

fn sample(picture: &Pixmap, x: f64, y: f64) -> [u8; 4] {
    let (left, top) = (x.floor(), y.floor());
    let (w, h) = (f64::from(picture.width()), f64::from(picture.height()));
    if left < -1.0 || top < -1.0 || left >= w || top >= h {
        return [0; 4];
    }
    let (fx, fy) = (((x - left) * 256.0) as u32, ((y - top) * 256.0) as u32);
    let (left, top) = (left as i64, top as i64);
    let at = |x: i64, y: i64| {
        let inside = x >= 0 && y >= 0 && x < i64::from(picture.width()) && y < i64::from(picture.height());
        if inside { picture.pixel(x as u32, y as u32) } else { [0; 4] }
    };
    let corners = [at(left, top), at(left + 1, top), at(left, top + 1), at(left + 1, top + 1)];
    let weights = [(256 - fx) * (256 - fy), fx * (256 - fy), (256 - fx) * fy, fx * fy];
    std::array::from_fn(|c| {
        let sum: u32 = corners.iter().zip(weights).map(|(corner, weight)| u32::from(corner[c]) * weight).sum();
        ((sum + (1 << 15)) >> 16) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_move_whole_pixels() {
        let mut picture = Pixmap::new(4, 2);
        for (at, pixel) in picture.data_mut().iter_mut().enumerate() {
            *pixel = [at as u8, 0, 0, 255];
        }
        let bounds = turned_bounds(4, 2, 90.0);
        assert_eq!(bounds, Rect::new(-2, 0, 0, 4));
        let turned = turned(&picture, 90.0, bounds);
        // The left top corner goes to the right top.
        assert_eq!(turned.pixel(1, 0), [0, 0, 0, 255]);
        assert_eq!(turned.pixel(1, 3), [3, 0, 0, 255]);
        assert_eq!(turned.pixel(0, 0), [4, 0, 0, 255]);
    }

    #[test]
    fn bounds_hold_the_corners() {
        assert_eq!(turned_bounds(100, 50, 0.0), Rect::new(0, 0, 100, 50));
        let bounds = turned_bounds(100, 50, 30.0);
        assert_eq!(bounds, Rect::new(-26, 0, 88, 94));
    }
}
