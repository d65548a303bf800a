//! What a film's author would not see: clips outside the canvas, cut faces, words that run out of the picture.
//!
//! None of it is wrong, and all of it is hardly ever meant. What is drawn exactly is known only when it is drawn; here
//! a text is as long as its letters are on average, and a presenter has the proportions of our cast.

use compere_media::math;

use crate::captions::columns;
use crate::film::{Align, Avatar, Clip, ClipKind, Face, Film, Framing, Place, Text};
use crate::problem::Notes;

pub(super) fn look(film: &Film, notes: &Notes) {
    let (width, height) = film.canvas();
    let canvas = Area { x0: 0.0, y0: 0.0, x1: f64::from(width), y1: f64::from(height) };
    for clip in film.scenes.iter().flat_map(|scene| &scene.clips) {
        if let Some(message) = unseen(clip, canvas) {
            notes.warning(clip.path.clone(), message);
        }
    }
}

fn unseen(clip: &Clip, canvas: Area) -> Option<String> {
    if clip.opacity == 0.0 {
        return None;
    }
    let size = || format!("the canvas of {} x {}", canvas.x1, canvas.y1);
    let drawn = match &clip.kind {
        ClipKind::Audio(_) => return None,
        ClipKind::Avatar(avatar) => figure(avatar, clip.place, canvas),
        ClipKind::Text(text) => words(text, clip.place),
        ClipKind::Shape(shape) => Area::around(clip.place).grown(shape.stroke.map_or(0.0, |stroke| stroke.width / 2.0)),
        ClipKind::Image(_) | ClipKind::Video(_) => Area::around(clip.place),
    };
    if drawn.meet(canvas).is_empty() {
        let side = drawn.side_of(canvas);
        return Some(format!("cannot be seen: all of it lies {side} {}", size()));
    }
    match &clip.kind {
        ClipKind::Avatar(avatar) => {
            let face = face(avatar, clip.place, canvas);
            let seen = |part: Area| part.meet(canvas).size() / part.size();
            let told = |part: &str, rest: &str, area: Area| {
                Some(format!("the presenter's {part} {rest}: it runs {} {}", area.side_of(canvas), size()))
            };
            match (seen(face), head_of(face)) {
                (0.0, _) => told("face", "cannot be seen", face),
                (share, _) if share < 0.98 => told("face", "is cut off", face),
                // Framing close takes some hair; a forehead less is a mistake.
                (_, head)
                    if matches!(avatar.framing, Framing::Face(_) | Framing::HeadAt(_) | Framing::Body)
                        && seen(head) < 0.98 =>
                {
                    told("head", "is cut off", head)
                }
                _ => None,
            }
        }
        ClipKind::Text(text) => {
            // Averages are not worth more than this. Where the letters begin is no average.
            let slack = 0.02 * canvas.x1 + text.size / 2.0;
            let mut room = canvas.grown(slack);
            if clip.place.angle == 0.0 {
                room.y0 = -0.25 * text.size;
                if matches!(text.align, Align::Left | Align::Justify) {
                    room.x0 = -0.15 * text.size;
                }
            }
            let leaves = !room.holds(drawn);
            leaves.then(|| format!("the text probably runs {} {}", drawn.side_of(canvas), size()))
        }
        _ => None,
    }
}

/// Upright, in canvas units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    x0: f64,
    y0: f64,
    x1: f64,
    y1: f64,
}

impl Area {
    fn around(place: Place) -> Self {
        Self { x0: 0.0, y0: 0.0, x1: place.width, y1: place.height }.in_place(place)
    }

    /// Of an area given from the place's corner, turned with it.
    fn in_place(self, place: Place) -> Self {
        let (sin, cos) = math::sin_cos(place.angle.to_radians());
        let corners = [(self.x0, self.y0), (self.x1, self.y0), (self.x0, self.y1), (self.x1, self.y1)];
        let turned = corners.map(|(x, y)| (place.left + x * cos - y * sin, place.top + x * sin + y * cos));
        let start = Self { x0: f64::MAX, y0: f64::MAX, x1: f64::MIN, y1: f64::MIN };
        turned.iter().fold(start, |all, &(x, y)| Self {
            x0: all.x0.min(x),
            y0: all.y0.min(y),
            x1: all.x1.max(x),
            y1: all.y1.max(y),
        })
    }

    fn grown(self, by: f64) -> Self {
        Self { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    fn meet(self, other: Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// Half a pixel is nothing.
    fn is_empty(self) -> bool {
        self.x1 - self.x0 < 0.5 || self.y1 - self.y0 < 0.5
    }

    fn size(self) -> f64 {
        (self.x1 - self.x0).max(0.0) * (self.y1 - self.y0).max(0.0)
    }

    fn holds(self, inner: Self) -> bool {
        inner.x0 >= self.x0 && inner.y0 >= self.y0 && inner.x1 <= self.x1 && inner.y1 <= self.y1
    }

    /// Where this leaves the canvas furthest.
    fn side_of(self, canvas: Self) -> &'static str {
        let over = [
            (self.x1 - canvas.x1, "to the right of"),
            (canvas.x0 - self.x0, "to the left of"),
            (self.y1 - canvas.y1, "below"),
            (canvas.y0 - self.y0, "above"),
        ];
        over.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or("outside", |(_, side)| side)
    }
}

/// A standing presenter in sides of its face: hair over the middle of the face, soles below it, and the width.
const CROWN: f64 = 1.4;
const SOLES: f64 = 9.5;
const WIDTH: f64 = 2.4;

/// The part of a presenter that is drawn.
fn figure(avatar: &Avatar, place: Place, canvas: Area) -> Area {
    let all = Area::around(place);
    match avatar.framing {
        Framing::Body | Framing::Head | Framing::Headroom(_) => all,
        Framing::Face(face) | Framing::HeadAt(face) => {
            let alone = matches!(avatar.framing, Framing::HeadAt(_));
            let low = if alone { face.y + 1.2 * face.size } else { all.y1.min(face.y + SOLES * face.size) };
            let side = face.size * WIDTH / 2.0;
            let (y0, y1) = (face.y - CROWN * face.size, low.min(canvas.y1.max(face.y)));
            Area { x0: face.x - side, y0, x1: face.x + side, y1 }
        }
    }
}

/// With the hair.
fn head_of(face: Area) -> Area {
    let (width, height) = (face.x1 - face.x0, face.y1 - face.y0);
    Area { x0: face.x0 - 0.2 * width, y0: face.y0 - 0.6 * height, x1: face.x1 + 0.2 * width, y1: face.y1 }
}

fn face(avatar: &Avatar, place: Place, canvas: Area) -> Area {
    let square = |Face { x, y, size }: Face| Area { x0: x, y0: y, x1: x, y1: y }.grown(size / 2.0);
    match avatar.framing {
        Framing::Face(face) | Framing::HeadAt(face) => square(face),
        // Fitted into the rectangle and standing on its lower edge; where the edge is cut, more of the body was wanted.
        Framing::Body | Framing::Head => {
            let tall = place.height / place.width;
            let low = match avatar.framing {
                Framing::Head => 1.0,
                _ if tall >= 2.4 => SOLES,
                _ if tall >= 1.6 => 4.7,
                _ if tall >= 1.15 => 2.0,
                _ => 1.0,
            };
            let size = (place.width / WIDTH).min(place.height / (CROWN + low));
            // Who is shown to the waist is shown farther down before there is air over the head.
            let low = if low == 2.0 { (place.height / size - CROWN).clamp(low, low + 0.8) } else { low };
            square(Face { x: place.left + place.width / 2.0, y: place.top + place.height - low * size, size })
        }
        Framing::Headroom(_) => canvas,
    }
}

/// Letters are about half as wide as they are tall, those of East Asia as wide; `columns` knows which are which.
const COLUMN: f64 = 0.5;

/// About where the lines of a text fall.
fn words(text: &Text, place: Place) -> Area {
    let column = text.size * COLUMN;
    let room = (place.width / column).max(1.0);
    // No word is broken, however narrow the box.
    let longest = |line: &str| line.split_whitespace().map(columns).max().unwrap_or(0) as f64;
    let mut lines = 0.0;
    let mut widest: f64 = 0.0;
    for line in text.text.lines() {
        let all = columns(line) as f64;
        lines += (all / room).ceil().max(1.0);
        let unbroken = if line.is_ascii() { longest(line) } else { 0.0 };
        widest = widest.max(all.min(room).max(unbroken));
    }
    let (width, height) = (widest * column, (lines * text.size * text.line_height).max(1.0));
    let left = match text.align {
        Align::Left | Align::Justify => 0.0,
        Align::Center => (place.width - width) / 2.0,
        Align::Right => place.width - width,
    };
    Area { x0: left, y0: 0.0, x1: left + width.max(1.0), y1: height }.in_place(place)
}
