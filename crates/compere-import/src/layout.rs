//! Who stands where: the presenter never hides a slide's content.
//!
//! A deck has one place for its presenter, the one that fits most of its slides. Where the slide's own content lies
//! there, the presenter becomes somewhat smaller; where that does not help, the slide does, and the presenter keeps its
//! place. What fits is measured on the slides as they were drawn.

use crate::Slide;
use crate::ink::{Box, Ink};
use crate::stand::{Card, Figure, Shown, Stand};
use crate::wish::{Layout, Side, Wish};
use compere_media::Orientation;

/// Share of a slide's content that may be touched: the number of the page, a rule that goes through.
const TOUCHED: f64 = 0.005;
/// Share of the slides that a place has to fit to be the deck's.
const MOST: f64 = 0.6;
/// What the presenter has beside a slide that is shown smaller, along the longer side of the picture.
const COLUMN: f64 = 512.0;
/// A page that leaves less free is put into the middle.
const LEAST_COLUMN: f64 = 380.0;
/// And one that leaves more keeps the rest around itself.
const WIDEST_COLUMN: f64 = 560.0;
/// Between a smaller slide and the edge of the picture.
const MARGIN: f64 = 32.0;
/// Share of the column that the figure takes, its hands beside it.
const BODY: f64 = 0.75;
/// Height over width of somebody standing: down to the waist, so that the face is large.
const STANDING: f64 = 1.6;
/// Sides of heads and shoulders, and the least of them.
const BUSTS: [f64; 4] = [500.0, 440.0, 380.0, 320.0];
/// The smallest that a deck's own place may have.
const LEAST_BUST: f64 = 380.0;
const DISCS: [f64; 3] = [320.0, 270.0, 230.0];
const DISC_MARGIN: f64 = 40.0;

impl Figure {
    /// What it covers while it moves, drawn generously.
    pub(crate) fn boxes(&self) -> Vec<Box> {
        let Self { left, top, width, height, .. } = *self;
        let part = |x0: f64, y0: f64, x1: f64, y1: f64| {
            [left + x0 * width, top + y0 * height, left + x1 * width, top + y1 * height]
        };
        match self.shown {
            Shown::Unseen => vec![],
            Shown::Disc => vec![part(0.0, 0.15, 1.0, 0.85), part(0.15, 0.0, 0.85, 1.0)],
            Shown::Bust => vec![part(0.02, 0.58, 0.98, 1.0), part(0.16, 0.02, 0.84, 0.6)],
            // Hands go out to both sides.
            Shown::Standing => vec![part(-0.16, 0.45, 1.16, 1.0), part(0.1, 0.02, 0.9, 0.5)],
        }
    }
}

/// The room beside a page on the canvas, along the longer side; nothing when it is too little to stand in.
pub(crate) fn room((width, height): (f64, f64), orientation: Orientation) -> Option<f64> {
    let (across, down) = canvas(orientation);
    let scale = (across / width).min(down / height);
    let free = match orientation {
        Orientation::Landscape => across - width * scale,
        Orientation::Portrait => down - height * scale,
    };
    (free >= LEAST_COLUMN).then(|| free.min(WIDEST_COLUMN))
}

fn canvas(orientation: Orientation) -> (f64, f64) {
    let (width, height) = crate::deck::canvas(orientation);
    (f64::from(width), f64::from(height))
}

/// A slide as far as it matters here.
struct Sheet<'a> {
    ink: &'a Ink,
    /// What its page leaves free.
    room: Option<f64>,
}

struct Scenery {
    orientation: Orientation,
    size: (f64, f64),
    side: Side,
}

/// Finds the places for all slides of a deck.
pub(crate) fn arrange(slides: &mut [Slide], rooms: &[Option<f64>], orientation: Orientation, wish: &Wish) {
    let seen = |slide: &Slide| wish.quiet.listens() || !slide.notes.is_empty();
    let sheets = slides.iter().zip(rooms).filter(|(slide, _)| seen(slide));
    let sheets: Vec<Sheet<'_>> = sheets.map(|(slide, room)| Sheet { ink: &slide.ink, room: *room }).collect();
    let scenery = Scenery { orientation, size: canvas(orientation), side: wish.side };
    let mut stands = scenery.stands(&sheets, wish.layout).into_iter();
    drop(sheets);
    for slide in slides.iter_mut().filter(|slide| seen(slide)) {
        slide.stand = stands.next().unwrap_or_default();
    }
}

impl Scenery {
    fn stands(&self, sheets: &[Sheet<'_>], layout: Layout) -> Vec<Stand> {
        let most = |count: usize| count as f64 >= MOST * sheets.len() as f64;
        let beside = |sheet: &Sheet<'_>| self.beside(sheet);
        match layout {
            Layout::Voice => sheets.iter().map(|sheet| self.unseen(sheet)).collect(),
            Layout::Beside => sheets.iter().map(beside).collect(),
            Layout::Corner => self.corners(sheets, BUSTS[3], &most),
            Layout::Circle => self.discs(sheets, &most),
            Layout::Auto => {
                let stands: Vec<Stand> = sheets.iter().map(beside).collect();
                let corner = self.best_corner(sheets, LEAST_BUST, &most);
                if most(stands.iter().filter(|stand| stand.card.is_none()).count()) || corner.is_none() {
                    return stands;
                }
                self.corners(sheets, LEAST_BUST, &most)
            }
        }
    }

    fn fits(sheet: &Sheet<'_>, figure: &Figure) -> bool {
        sheet.ink.covered(&figure.boxes()) <= TOUCHED
    }

    /// Kept where it would stand, for those who want to see it after all.
    fn unseen(&self, sheet: &Sheet<'_>) -> Stand {
        let figure = self.standing(sheet.room.unwrap_or(COLUMN));
        Stand { card: None, presenter: Some(Figure { shown: Shown::Unseen, ..figure }) }
    }

    fn beside(&self, sheet: &Sheet<'_>) -> Stand {
        let figure = self.standing(sheet.room.unwrap_or(COLUMN));
        let free = sheet.room.is_some() || Self::fits(sheet, &figure);
        Stand { card: (!free).then(|| self.card()), presenter: Some(figure) }
    }

    /// In the middle of a column (upright: a row) of this width.
    fn standing(&self, column: f64) -> Figure {
        let (across, down) = self.size;
        match self.orientation {
            Orientation::Landscape => {
                let width = column * BODY;
                let height = width * STANDING;
                let left = (column - width) / 2.0;
                let left = if self.side == Side::Right { across - column + left } else { left };
                Figure { left: left.round(), top: down - height.round(), width, height, shown: Shown::Standing }
            }
            Orientation::Portrait => {
                let side = (column - 24.0).min(BUSTS[0]);
                let left = ((across - side) / 2.0).round();
                Figure { left, top: down - side, width: side, height: side, shown: Shown::Bust }
            }
        }
    }

    fn card(&self) -> Card {
        let (across, down) = self.size;
        match self.orientation {
            Orientation::Landscape => {
                let scale = (across - COLUMN - MARGIN) / across;
                let left = if self.side == Side::Right { MARGIN } else { COLUMN };
                Card { left, top: (down * (1.0 - scale) / 2.0).round(), scale }
            }
            Orientation::Portrait => {
                let scale = (down - COLUMN - MARGIN) / down;
                Card { left: (across * (1.0 - scale) / 2.0).round(), top: MARGIN, scale }
            }
        }
    }

    fn bust(&self, side: Side, size: f64) -> Figure {
        let (across, down) = self.size;
        let left = if side == Side::Right { across - size } else { 0.0 };
        Figure { left, top: down - size, width: size, height: size, shown: Shown::Bust }
    }

    /// The corner and size that fit most slides, the largest first, on the wished side if it can be.
    fn best_corner(&self, sheets: &[Sheet<'_>], least: f64, most: &dyn Fn(usize) -> bool) -> Option<(Side, f64)> {
        let sizes = || BUSTS.into_iter().filter(|size| *size >= least);
        let places = [self.side, self.other()].into_iter().flat_map(|side| sizes().map(move |size| (side, size)));
        let fit = |(side, size): &(Side, f64)| {
            let figure = self.bust(*side, *size);
            most(sheets.iter().filter(|sheet| Self::fits(sheet, &figure)).count())
        };
        places.into_iter().find(fit)
    }

    fn other(&self) -> Side {
        if self.side == Side::Right { Side::Left } else { Side::Right }
    }

    fn corners(&self, sheets: &[Sheet<'_>], least: f64, most: &dyn Fn(usize) -> bool) -> Vec<Stand> {
        let (side, size) = self.best_corner(sheets, least, most).unwrap_or((self.side, BUSTS[1]));
        let stand = |sheet: &Sheet<'_>| {
            let sizes = BUSTS.into_iter().filter(|smaller| *smaller <= size);
            let free = sizes.map(|size| self.bust(side, size)).find(|figure| Self::fits(sheet, figure));
            let card = Scenery { side, ..*self }.card();
            match free {
                Some(figure) => Stand { card: None, presenter: Some(figure) },
                None => Stand { card: Some(card), presenter: Some(self.bust(side, size)) },
            }
        };
        sheets.iter().map(stand).collect()
    }

    fn disc(&self, (side, low): (Side, bool), size: f64) -> Figure {
        let (across, down) = self.size;
        let left = if side == Side::Right { across - size - DISC_MARGIN } else { DISC_MARGIN };
        let top = if low { down - size - DISC_MARGIN } else { DISC_MARGIN };
        Figure { left, top, width: size, height: size, shown: Shown::Disc }
    }

    fn discs(&self, sheets: &[Sheet<'_>], most: &dyn Fn(usize) -> bool) -> Vec<Stand> {
        let corners = [(self.side, true), (self.other(), true), (self.side, false), (self.other(), false)];
        let places: Vec<Figure> =
            DISCS.into_iter().flat_map(|size| corners.map(|corner| self.disc(corner, size))).collect();
        let fit = |figure: &&Figure| most(sheets.iter().filter(|sheet| Self::fits(sheet, figure)).count());
        let own = places.iter().find(fit).copied().unwrap_or(places[0]);
        let stand = |sheet: &Sheet<'_>| {
            let alike = std::iter::once(&own).chain(places.iter().filter(|place| place.width <= own.width));
            match alike.copied().find(|figure| Self::fits(sheet, figure)) {
                Some(figure) => Stand { card: None, presenter: Some(figure) },
                None => self.beside_disc(own),
            }
        };
        sheets.iter().map(stand).collect()
    }

    /// A smaller slide; who is in the disc stays where the deck has it.
    fn beside_disc(&self, own: Figure) -> Stand {
        let side = if own.left > self.size.0 / 2.0 { Side::Right } else { Side::Left };
        let presenter = match self.orientation {
            Orientation::Landscape => own,
            // The room is below the slide.
            Orientation::Portrait => self.disc((side, true), own.width),
        };
        Stand { card: Some(Scenery { side, ..*self }.card()), presenter: Some(presenter) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: (u32, u32) = (1920, 1080);

    fn stands(pages: &[&[Box]], layout: Layout, side: Side) -> Vec<Stand> {
        let inks: Vec<Ink> = pages.iter().map(|boxes| Ink::of_boxes(WIDE, boxes)).collect();
        let sheets: Vec<Sheet<'_>> = inks.iter().map(|ink| Sheet { ink, room: None }).collect();
        let scenery = Scenery { orientation: Orientation::Landscape, size: (1920.0, 1080.0), side };
        let stands = scenery.stands(&sheets, layout);
        for (stand, sheet) in stands.iter().zip(&sheets) {
            if let (None, Some(figure)) = (stand.card, stand.presenter) {
                assert!(sheet.ink.covered(&figure.boxes()) <= TOUCHED, "{figure:?} hides content");
            }
            if let (Some(card), Some(figure)) = (stand.card, stand.presenter) {
                let (left, right) = (card.left, card.left + card.scale * 1920.0);
                let beside = figure.left >= right - 2.0 || figure.left + figure.width <= left + 2.0;
                assert!(beside, "{figure:?} stands on {card:?}");
            }
        }
        stands
    }

    /// Text at the left, a full slide, and a slide whose lower right corner alone is free.
    const LEFT: &[Box] = &[[100.0, 100.0, 1200.0, 900.0]];
    const FULL: &[Box] = &[[60.0, 60.0, 1860.0, 1020.0]];
    const ROOF: &[Box] = &[[100.0, 80.0, 1820.0, 520.0], [100.0, 520.0, 1200.0, 980.0]];

    #[test]
    fn a_deck_gets_the_place_that_fits_most_of_it() {
        let beside = stands(&[LEFT, LEFT, FULL], Layout::Auto, Side::Right);
        assert!(beside.iter().all(|stand| stand.presenter.unwrap().shown == Shown::Standing));
        assert_eq!(beside.iter().map(|stand| stand.card.is_some()).collect::<Vec<_>>(), [false, false, true]);
        // The presenter keeps its place when the slide becomes smaller.
        assert_eq!(beside[0].presenter, beside[2].presenter);

        let corner = stands(&[ROOF, ROOF, FULL], Layout::Auto, Side::Right);
        assert!(corner.iter().all(|stand| stand.presenter.unwrap().shown == Shown::Bust));
        assert_eq!(corner.iter().map(|stand| stand.card.is_some()).collect::<Vec<_>>(), [false, false, true]);

        let full = stands(&[FULL, FULL, LEFT], Layout::Auto, Side::Left);
        assert!(full.iter().all(|stand| stand.card.is_some()), "the text is at the left");
        assert_eq!(full[0].presenter.unwrap().left, 64.0);
    }

    #[test]
    fn a_wish_is_kept_and_nothing_is_covered() {
        for layout in [Layout::Beside, Layout::Corner, Layout::Circle] {
            for side in Side::ALL {
                stands(&[LEFT, FULL, ROOF, FULL, &[]], layout, side);
            }
        }
        let discs = stands(&[ROOF, ROOF], Layout::Circle, Side::Left);
        assert!(discs.iter().all(|stand| stand.card.is_none() && stand.presenter.unwrap().left > 1000.0));
        // Who is in the upper corner on most slides stays there beside one that becomes smaller.
        let low: &[Box] = &[[60.0, 700.0, 1860.0, 1020.0]];
        let high = stands(&[low, low, FULL], Layout::Circle, Side::Right);
        assert!(high[0].presenter.unwrap().top < 100.0 && high[2].card.is_some());
        assert_eq!(high[2].presenter, high[0].presenter);
        let voice = stands(&[FULL], Layout::Voice, Side::Right);
        assert_eq!(voice[0].presenter.map(|figure| figure.shown), Some(Shown::Unseen));
    }

    #[test]
    fn a_page_of_another_shape_leaves_room() {
        assert_eq!(room((4.0, 3.0), Orientation::Landscape), Some(480.0));
        assert_eq!(room((16.0, 9.0), Orientation::Landscape), None);
        assert_eq!(room((9.0, 16.0), Orientation::Landscape), Some(WIDEST_COLUMN));
        assert_eq!(room((3.0, 4.0), Orientation::Portrait), Some(480.0));
    }
}
