//! How a picture is cut when only parts of it move.

use compere_media::{Damage, Rect};

/// Pixels around what moves that never do. Vectors reach 32 of them and interpolation 3 more: less than these three
/// macroblocks, so no prediction ever looks out of its region.
const MARGIN: i32 = 48;

/// How far a vector may reach inside a region; the least that x264 knows.
pub(super) const REACH: i32 = 32;

/// Beyond this share of the picture the seams cost too many bits: every row of a region is a slice, which neither its
/// vectors nor its contexts outlive. For a presenter that doubles the film, and coding the whole picture with what stands
/// still marked takes two milliseconds more.
pub(super) const WORTHWHILE: f64 = 0.03;

/// A picture's size in macroblocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub columns: u32,
    pub rows: u32,
}

impl Grid {
    pub(super) fn of(width: u32, height: u32) -> Self {
        Self { columns: width.div_ceil(16), rows: height.div_ceil(16) }
    }

    pub(super) fn macroblocks(self) -> u32 {
        self.columns * self.rows
    }

    /// The coded picture in pixels, which may be a little larger than the shown one.
    pub(super) fn pixels(self) -> Rect {
        Rect::of_size(16 * self.columns, 16 * self.rows)
    }
}

/// Disjoint rectangles that cover the picture, in pixels on macroblock borders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Where something moves, margins included, left to right.
    pub regions: Vec<Rect>,
    /// The rest.
    pub still: Vec<Rect>,
    picture: Rect,
}

impl Layout {
    /// None when the picture is better coded whole: more of it than the share `worthwhile` moves, or too scattered for
    /// `max_slices`.
    pub(super) fn of(upcoming: &Damage, grid: Grid, max_slices: u32, worthwhile: f64) -> Option<Self> {
        let picture = grid.pixels();
        let mut grown = Damage::none();
        for rect in upcoming.aligned(16).clipped(picture).rects() {
            grown.add(rect.grown(MARGIN).intersect(picture));
        }
        let mut regions = grown.rects().to_vec();
        regions.sort_by_key(|rect| (rect.x0, rect.y0));
        if grown.area() as f64 > worthwhile * picture.area() as f64 {
            return None;
        }
        let still = uncovered(&regions, picture);
        let layout = Self { regions, still, picture };
        (layout.most_slices() <= max_slices).then_some(layout)
    }

    /// Whether a predicted frame with this damage can be coded in the regions.
    pub(super) fn covers(&self, damage: &Damage) -> bool {
        let damage = damage.aligned(16).clipped(self.picture);
        damage.rects().iter().all(|&rect| self.regions.iter().any(|&region| self.core(region).contains(rect)))
    }

    /// The part of a region that may move. Where the region ends with the picture there is no margin: there both
    /// pad the same pixels.
    fn core(&self, region: Rect) -> Rect {
        let margin = |inside: bool| if inside { MARGIN } else { 0 };
        Rect {
            x0: region.x0 + margin(region.x0 > 0),
            y0: region.y0 + margin(region.y0 > 0),
            x1: region.x1 - margin(region.x1 < self.picture.x1),
            y1: region.y1 - margin(region.y1 < self.picture.y1),
        }
    }

    /// Slices of a key frame and of a predicted frame, whichever has more.
    fn most_slices(&self) -> u32 {
        let rows = |rect: &Rect| rect.height() / 16;
        let moving: u32 = self.regions.iter().map(rows).sum();
        let still: u32 = self.still.iter().map(|rect| if spans(*rect, self.picture) { 1 } else { rows(rect) }).sum();
        (moving + still).max(2 * moving + 1)
    }
}

/// Whether `rect` is as wide as the picture, so that its rows follow each other in coding order.
pub(super) fn spans(rect: Rect, picture: Rect) -> bool {
    rect.width() == picture.width()
}

/// Cuts what `regions` leave of the picture into bands, and bands into the gaps between regions.
fn uncovered(regions: &[Rect], picture: Rect) -> Vec<Rect> {
    let mut edges: Vec<i32> = regions.iter().flat_map(|rect| [rect.y0, rect.y1]).collect();
    edges.extend([picture.y0, picture.y1]);
    edges.sort_unstable();
    edges.dedup();
    let mut gaps = Vec::new();
    for band in edges.windows(2) {
        let mut x = picture.x0;
        for region in regions.iter().filter(|rect| rect.y0 <= band[0] && band[1] <= rect.y1) {
            gaps.push(Rect::new(x, band[0], region.x0, band[1]));
            x = region.x1;
        }
        gaps.push(Rect::new(x, band[0], picture.x1, band[1]));
    }
    gaps.retain(|gap| !gap.is_empty());
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST: f64 = 0.6;

    fn any_damage() -> impl Strategy<Value = Damage> {
        let rect = (-20..700i32, -20..500i32, 1..200i32, 1..200i32);
        prop::collection::vec(rect, 0..4).prop_map(|rects| {
            let mut damage = Damage::none();
            for (x, y, w, h) in rects {
                damage.add(Rect::new(x, y, x + w, y + h));
            }
            damage
        })
    }

    proptest! {
        #[test]
        fn pieces_cover_the_picture_once_and_the_plan_with_room(damage in any_damage()) {
            let grid = Grid::of(640, 470);
            let Some(layout) = Layout::of(&damage, grid, u32::MAX, MOST) else { return Ok(()) };
            let pieces: Vec<Rect> = layout.regions.iter().chain(&layout.still).copied().collect();
            let area: u64 = pieces.iter().map(|piece| piece.area()).sum();
            prop_assert_eq!(area, grid.pixels().area());
            for (n, a) in pieces.iter().enumerate() {
                prop_assert!(pieces[n + 1..].iter().all(|b| a.intersect(*b).is_empty()));
            }
            prop_assert!(layout.covers(&damage));
        }
    }

    #[test]
    fn a_plan_is_not_stretched() {
        let grid = Grid::of(1920, 1080);
        let layout = Layout::of(&Damage::rect(Rect::new(640, 320, 800, 480)), grid, 341, MOST).unwrap();
        assert_eq!(layout.regions, [Rect::new(592, 272, 848, 528)]);
        assert!(layout.covers(&Damage::rect(Rect::new(641, 321, 799, 479))));
        assert!(!layout.covers(&Damage::rect(Rect::new(639, 321, 799, 479))));
        let low = Layout::of(&Damage::rect(Rect::new(0, 700, 300, 1080)), grid, 341, MOST).unwrap();
        assert!(low.covers(&Damage::rect(Rect::new(0, 700, 300, 1080))));
        assert_eq!(Layout::of(&Damage::rect(Rect::new(0, 0, 1600, 1080)), grid, 341, MOST), None);
        assert_eq!(Layout::of(&Damage::none(), grid, 341, MOST).unwrap().still, [grid.pixels()]);
    }
}
