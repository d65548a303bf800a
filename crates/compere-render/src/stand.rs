//! Where presenters stand: from a clip on the canvas to what the cast is asked to draw, in output pixels.
//!
//! Most stand in their clip's rectangle, and the cast fits them into it. Those that an editor placed by the face stand
//! in as much of the picture as they fill: only that is baked. Whoever says how far from the upper edge the hair shall be
//! learns where it is by looking, because no two hairdos are equally high.

use compere_avatar::{FaceBox, Framing, Measures, Pack, Role, Want};
use compere_media::{Frame, Layer, Rect, Rgb};
use compere_scene::{Avatar, Face, Film, Place};

/// What is asked of the cast, and where the answer lies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// In output pixels.
    pub(crate) rect: Rect,
    pub(crate) want: Want,
    /// The row of the picture that the hair touches, where that is what was asked for.
    crown: Option<i32>,
}

/// The cast draws nothing smaller.
const LEAST: u32 = 16;

/// Head and shoulders end so many sides of the face below its middle.
const SHOULDERS: f64 = 1.05;

/// Hair may be this much lower than a presenter's measures have room for, in sides of the face.
const AIR: f64 = 0.6;

/// How much of a figure is drawn beyond the picture, in sides of the face.
const BEYOND: f64 = 0.25;

/// Height over width of a rectangle that asks for a whole figure.
const WHOLE: f64 = 2.4;

/// From the middle of the face to the soles of an average figure, and to the top of the hair, in sides of the face.
const AVERAGE: (f64, f64) = (9.5, 1.4);

/// None when nothing of the presenter falls into the picture.
pub(crate) fn stand(place: &Place, avatar: &Avatar, measures: Measures, film: &Film) -> Option<Standing> {
    let stage = Stage::of(film);
    let want = |rect: Rect, framing| Want {
        outfit: avatar.outfit.clone(),
        width: rect.width(),
        height: rect.height(),
        framing,
    };
    let fitted = |framing| {
        let rect = stage.upright(place);
        let shows = !rect.intersect(stage.picture).is_empty();
        shows.then(|| Standing { rect, want: want(rect, framing), crown: None })
    };
    let by_face = |face: Face, reach: f64| {
        let bottom = (place.top + place.height).min(face.y + reach * face.size);
        let (rect, face) = stage.around(face, bottom, measures)?;
        Some(Standing { rect, want: want(rect, Framing::Placed(face)), crown: None })
    };
    match avatar.framing {
        compere_scene::Framing::Head => fitted(Framing::Head),
        compere_scene::Framing::Body => match whole_figure(place, measures, film) {
            Some(face) => by_face(face, f64::INFINITY),
            None => fitted(Framing::Body),
        },
        compere_scene::Framing::Face(face) => by_face(face, f64::INFINITY),
        compere_scene::Framing::HeadAt(face) => by_face(face, SHOULDERS),
        compere_scene::Framing::Headroom(share) => {
            let (rect, face, crown) = stage.below(place, share, measures);
            Some(Standing { rect, want: want(rect, Framing::Placed(face)), crown: Some(crown) })
        }
    }
}

/// A rectangle for a whole figure that runs out of the canvas below, and a presenter who has no legs: it is the head
/// that has to be where it is expected.
fn whole_figure(place: &Place, measures: Measures, film: &Film) -> Option<Face> {
    let (soles, crown) = AVERAGE;
    let has_legs = f64::from(measures.feet) > 0.7 * soles;
    let runs_out = place.top + place.height > f64::from(film.canvas().1) + 1.0;
    if has_legs || !runs_out || place.height < WHOLE * place.width {
        return None;
    }
    let size = place.height / (soles + crown);
    Some(Face { x: place.left + place.width / 2.0, y: place.top + crown * size, size })
}

/// The picture, and how canvas units become its pixels.
struct Stage {
    scale: f64,
    picture: Rect,
}

impl Stage {
    fn of(film: &Film) -> Self {
        let (width, height) = film.output();
        Self { scale: f64::from(width) / f64::from(film.canvas().0), picture: Rect::of_size(width, height) }
    }

    /// A clip's rectangle in output pixels, on even coordinates.
    fn upright(&self, place: &Place) -> Rect {
        let (x0, y0) = (self.even(place.left), self.even(place.top));
        let (x1, y1) = (self.even(place.left + place.width), self.even(place.top + place.height));
        Rect::new(x0, y0, x1.max(x0 + 2), y1.max(y0 + 2))
    }

    /// The even coordinate nearest to one of the canvas.
    fn even(&self, at: f64) -> i32 {
        (at * self.scale / 2.0).round() as i32 * 2
    }

    /// As much of the picture as a figure with that face fills down to `bottom`, and the face in it.
    ///
    /// Faces lie on even pixels and the figure's outline is measured from there, so that a figure that is moved about is
    /// baked once.
    fn around(&self, face: Face, bottom: f64, measures: Measures) -> Option<(Rect, FaceBox)> {
        let size = (face.size * self.scale).max(4.0);
        let (x, y) = (self.even(face.x), self.even(face.y));
        let reach = |sides: f32| ((f64::from(sides) * size / 2.0).ceil() * 2.0).min(1e6) as i32;
        let side = reach(measures.reach);
        let low = self.even(bottom).max(y + 2).min(y.saturating_add(reach(measures.feet.max(AVERAGE.0 as f32))));
        let figure = Rect::new(x - side, y - reach(measures.crown), x + side, low);
        // A head that tilts brings in what lay beyond the picture's edge.
        let beyond = ((BEYOND * size / 2.0).ceil() * 2.0) as i32;
        let mut rect = figure.intersect(self.picture.grown(beyond));
        if rect.intersect(self.picture).is_empty() {
            return None;
        }
        rect.x1 = rect.x1.max(rect.x0 + LEAST as i32);
        rect.y1 = rect.y1.max(rect.y0 + LEAST as i32);
        Some((rect, FaceBox { x: x - rect.x0, y: y - rect.y0, height: size.round() as u32 }))
    }

    /// A figure as wide as the place, its hair the share of the place's height below its upper edge, with room for hair
    /// that is lower than it might be.
    fn below(&self, place: &Place, share: f64, measures: Measures) -> (Rect, FaceBox, i32) {
        let all = self.upright(place);
        let size = f64::from(all.width()) / f64::from(measures.width);
        let crown = self.even(place.top + place.height * share);
        let air = ((AIR * size / 2.0).ceil() * 2.0) as i32;
        let rect = Rect::new(all.x0, crown, all.x1, (all.y1 + air).max(crown + LEAST as i32));
        let y = (f64::from(measures.crown) * size).round() as i32;
        (rect, FaceBox { x: all.width() as i32 / 2, y, height: size.round() as u32 }, crown)
    }
}

impl Standing {
    /// Where the baked presenter lies in the picture.
    pub(crate) fn lies(&self, pack: &dyn Pack) -> Rect {
        let rect = pack.rect().shifted(self.rect.x0, self.rect.y0);
        let Some(crown) = self.crown else { return rect };
        let hair = first_row(pack).map_or(rect.y0, |row| rect.y0 + row);
        rect.shifted(0, (crown - hair).div_euclid(2) * 2)
    }
}

/// The first row of a presenter's layer that is not empty.
fn first_row(pack: &dyn Pack) -> Option<i32> {
    let rect = Rect::of_size(pack.rect().width(), pack.rect().height());
    let mut layer = Layer::new(rect);
    pack.perform(Role::default()).advance(0, &mut layer).ok()?;
    // Nothing looks the same on black and on white, except what covers them.
    let on = |ground: Rgb| {
        let mut frame = Frame::new(rect.width(), rect.height());
        frame.fill(ground);
        layer.lay_on(&mut frame, rect, 255);
        frame
    };
    let (dark, light) = (on(Rgb::opaque(0, 0, 0)), on(Rgb::opaque(255, 255, 255)));
    let empty = i32::from(light.y()[0]) - i32::from(dark.y()[0]);
    let width = rect.width() as usize;
    let rows = dark.y().chunks_exact(width).zip(light.y().chunks_exact(width));
    let covers = |(dark, light): (&u8, &u8)| i32::from(*light) - i32::from(*dark) < empty / 2;
    rows.into_iter().position(|(dark, light)| dark.iter().zip(light).any(covers)).map(|row| row as i32)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use compere_avatar::{Cast, NoCache};

    use super::*;

    /// Arms hang farther out than elbows: where the face is placed, too, they must be in the picture.
    #[test]
    fn who_is_placed_by_the_face_is_not_cut_at_the_sides() {
        let stage = Stage { scale: 1.0, picture: Rect::of_size(1920, 1080) };
        let face = Face { x: 960.0, y: 285.0, size: 130.0 };
        for name in ["lena", "omar", "henrik", "zuri", "figure"] {
            let presenter = Cast::open(Path::new("nowhere")).get(name).expect("needs no data");
            let (rect, face) = stage.around(face, 2376.0, presenter.measures()).expect("is seen");
            let framing = Framing::Placed(face);
            let want = Want { outfit: String::new(), width: rect.width(), height: rect.height(), framing };
            let pack = presenter.bake(&want, &NoCache).expect("bakes");
            let (width, height) = (pack.rect().width(), pack.rect().height());
            let mut layer = Layer::new(Rect::of_size(width, height));
            pack.perform(Role { frames: 2, ..Role::default() }).advance(0, &mut layer).expect("acts");
            let mut frame = Frame::new(width, height);
            frame.fill(Rgb::opaque(0, 0, 0));
            let all = frame.bounds();
            layer.lay_on(&mut frame, all, 255);
            let ground = frame.y()[0];
            let column =
                |x: usize| (0..height as usize).filter(|y| frame.y()[y * width as usize + x] != ground).count();
            assert_eq!((column(0), column(width as usize - 1)), (0, 0), "{name} of {width} by {height} is cut");
        }
    }

    /// A head tilts: what the picture's edge hides comes in.
    #[test]
    fn who_is_partly_beyond_the_picture_is_drawn_a_little_beyond_it() {
        let stage = Stage { scale: 1.0, picture: Rect::of_size(1920, 1080) };
        let measures = Measures { crown: 1.4, feet: 9.5, width: 3.5, reach: 3.0 };
        let (rect, face) = stage.around(Face { x: 960.0, y: 200.0, size: 400.0 }, 2000.0, measures).expect("is seen");
        // A quarter of the face above and below; at the sides there is room for all of it.
        assert_eq!((rect, face.x, face.y), (Rect::new(-100, -100, 2020, 1180), 1060, 300));
        let whole = Face { x: 960.0, y: 500.0, size: 100.0 };
        let (rect, _) = stage.around(whole, 800.0, measures).expect("is seen");
        assert_eq!(rect, Rect::new(660, 360, 1260, 800));
        assert!(stage.around(Face { x: 960.0, y: -700.0, size: 400.0 }, -120.0, measures).is_none());
    }
}
