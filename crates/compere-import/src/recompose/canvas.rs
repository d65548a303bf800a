//! Arithmetic on pictures that texts are found with: what differs, how much of it is ink, where it lies.

use compere_compose::draw::Drawn;
use compere_media::{Pixmap, Rect};

use crate::picture::Picture;

/// The share of ink where its ground has its colour.
pub(crate) const UNKNOWN: f32 = -1.0;

/// By how much two pixels of 255 may differ that look the same.
const SEEN: u8 = 8;

/// Side of a spot, in pixels.
pub(crate) const SPOT: usize = 3;

impl Picture {
    pub(crate) fn of_pixmap(pixmap: &Pixmap) -> Self {
        let rgb = pixmap.data().iter().map(|&[r, g, b, _]| [r, g, b]).collect();
        Self { width: pixmap.width(), height: pixmap.height(), rgb }
    }

    pub(crate) fn to_pixmap(&self) -> Pixmap {
        let pixels = self.rgb.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
        Pixmap::from_premultiplied(self.width, self.height, pixels)
    }

    pub(crate) fn bounds(&self) -> Rect {
        Rect::of_size(self.width, self.height)
    }

    /// Four pixels become one.
    pub(crate) fn halved(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let mut rgb = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| self.at(x * 2 + dx, y * 2 + dy));
                rgb.push([0, 1, 2].map(|c| (four.iter().map(|pixel| u16::from(pixel[c])).sum::<u16>() / 4) as u8));
            }
        }
        Self { width, height, rgb }
    }

    /// Takes over a part of another picture of the same size.
    pub(crate) fn patch(&mut self, from: &Self, rect: Rect) {
        let rect = rect.intersect(self.bounds());
        for y in rect.y0..rect.y1 {
            let row = y as usize * self.width as usize;
            let span = row + rect.x0 as usize..row + rect.x1.max(rect.x0) as usize;
            self.rgb[span.clone()].copy_from_slice(&from.rgb[span]);
        }
    }

    /// What differs inside a rectangle from a picture of the same size, and what lies between that, row by row and column by
    /// column; the rest is transparent. With where it lies; nothing when nothing differs.
    pub(crate) fn cut_out(&self, without: &Self, rect: Rect) -> Option<(Rect, Pixmap)> {
        let differs = |x: i32, y: i32| {
            let (a, b) = (self.at(x as u32, y as u32), without.at(x as u32, y as u32));
            a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > SEEN)
        };
        let (width, height) = (rect.width() as usize, rect.height() as usize);
        let (mut rows, mut columns) = (vec![None::<(i32, i32)>; height], vec![None::<(i32, i32)>; width]);
        let grow = |span: &mut Option<(i32, i32)>, at: i32| *span = Some(span.map_or((at, at), |(from, _)| (from, at)));
        for y in rect.y0..rect.y1 {
            for x in (rect.x0..rect.x1).filter(|&x| differs(x, y)) {
                grow(&mut rows[(y - rect.y0) as usize], x);
                grow(&mut columns[(x - rect.x0) as usize], y);
            }
        }
        let ends = |spans: &[Option<(i32, i32)>], start: i32| {
            let first = spans.iter().position(Option::is_some)?;
            let last = spans.iter().rposition(Option::is_some)?;
            Some((start + first as i32, start + last as i32 + 1))
        };
        let ((x0, x1), (y0, y1)) = (ends(&columns, rect.x0)?, ends(&rows, rect.y0)?);
        let within = |span: Option<(i32, i32)>, at: i32| span.is_some_and(|(from, to)| (from..=to).contains(&at));
        let pixel = |x: i32, y: i32| {
            let surrounded = within(rows[(y - rect.y0) as usize], x) && within(columns[(x - rect.x0) as usize], y);
            let [r, g, b] = self.at(x as u32, y as u32);
            if surrounded { [r, g, b, 255] } else { [0; 4] }
        };
        let pixels = (y0..y1).flat_map(|y| (x0..x1).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect();
        let pixmap = Pixmap::from_premultiplied((x1 - x0) as u32, (y1 - y0) as u32, pixels);
        Some((Rect::new(x0, y0, x1, y1), pixmap))
    }

    /// Squares of a rectangle in their mean colour.
    pub(crate) fn coarsen(&mut self, rect: Rect, side: usize) {
        let rect = rect.intersect(self.bounds());
        let side = side.max(1) as i32;
        for top in (rect.y0..rect.y1).step_by(side as usize) {
            for left in (rect.x0..rect.x1).step_by(side as usize) {
                let cell = Rect::new(left, top, left + side, top + side).intersect(rect);
                let places =
                    || (cell.y0..cell.y1).flat_map(move |y| (cell.x0..cell.x1).map(move |x| (x as usize, y as usize)));
                let mut sums = [0u64; 3];
                for (x, y) in places() {
                    let pixel = self.rgb[y * self.width as usize + x];
                    (0..3).for_each(|c| sums[c] += u64::from(pixel[c]));
                }
                let count = places().count().max(1) as u64;
                let mean = sums.map(|sum| (sum / count) as u8);
                places().for_each(|(x, y)| self.rgb[y * self.width as usize + x] = mean);
            }
        }
    }

    /// How far the colours of spots are from those of another picture, row by row. Pixels that are not wanted count as
    /// alike.
    pub(crate) fn apart(&self, other: &Self, rect: Rect, wanted: &dyn Fn(i32, i32) -> bool) -> Vec<f32> {
        let mut spots = Vec::new();
        for top in (rect.y0..rect.y1).step_by(SPOT) {
            for left in (rect.x0..rect.x1).step_by(SPOT) {
                let (mut sums, mut count) = ([0i32; 3], 0);
                for (x, y) in (0..SPOT as i32 * SPOT as i32).map(|at| (left + at % SPOT as i32, top + at / SPOT as i32))
                {
                    if x >= rect.x1 || y >= rect.y1 || !wanted(x, y) {
                        continue;
                    }
                    let (a, b) = (self.at(x as u32, y as u32), other.at(x as u32, y as u32));
                    (0..3).for_each(|c| sums[c] += i32::from(a[c]) - i32::from(b[c]));
                    count += 1;
                }
                spots.push(sums.iter().map(|sum| sum.abs()).sum::<i32>() as f32 / (3 * count.max(1)) as f32);
            }
        }
        spots
    }

    /// Lays pixels over it.
    pub(crate) fn draw(&mut self, drawn: &Drawn) {
        let rect = drawn.rect().intersect(self.bounds());
        for y in rect.y0..rect.y1 {
            for x in rect.x0..rect.x1 {
                let [r, g, b, a] = drawn.pixmap.pixel((x - drawn.x) as u32, (y - drawn.y) as u32);
                let at = y as usize * self.width as usize + x as usize;
                let under = self.rgb[at];
                let mix =
                    |over: u8, under: u8| over.saturating_add((u16::from(under) * u16::from(255 - a) / 255) as u8);
                self.rgb[at] = [mix(r, under[0]), mix(g, under[1]), mix(b, under[2])];
            }
        }
    }
}

/// How much of each pixel of a rectangle is ink, 0 to 1; [`UNKNOWN`] where it cannot be told.
#[derive(Clone, Debug)]
pub(crate) struct Ink {
    pub(crate) rect: Rect,
    pub(crate) share: Vec<f32>,
}

impl Ink {
    pub(crate) fn of(rect: Rect, share: impl Fn(i32, i32) -> f32) -> Self {
        let rows = (rect.y0..rect.y1).flat_map(|y| (rect.x0..rect.x1).map(move |x| (x, y)));
        Self { rect, share: rows.map(|(x, y)| share(x, y)).collect() }
    }

    /// What a picture of text covers.
    pub(crate) fn of_drawn(rect: Rect, drawn: &Drawn) -> Self {
        let seen = drawn.rect();
        Self::of(rect, |x, y| {
            let inside = x >= seen.x0 && x < seen.x1 && y >= seen.y0 && y < seen.y1;
            if !inside {
                return 0.0;
            }
            f32::from(drawn.pixmap.pixel((x - seen.x0) as u32, (y - seen.y0) as u32)[3]) / 255.0
        })
    }

    pub(crate) fn rows(&self) -> Vec<f32> {
        let width = (self.rect.width() as usize).max(1);
        self.share.chunks(width).map(|row| row.iter().sum()).collect()
    }

    pub(crate) fn columns(&self) -> Vec<f32> {
        let width = (self.rect.width() as usize).max(1);
        let mut columns = vec![0.0; width];
        for row in self.share.chunks(width) {
            columns.iter_mut().zip(row).for_each(|(sum, share)| *sum += share);
        }
        columns
    }

    /// From the first to the last column that holds ink.
    pub(crate) fn width(&self) -> f32 {
        let columns = self.columns();
        let inked = |column: &f32| *column > 0.6;
        match (columns.iter().position(inked), columns.iter().rposition(inked)) {
            (Some(first), Some(last)) => (last - first + 1) as f32,
            _ => 0.0,
        }
    }

    /// Each pixel in the mean of its known neighbours, so many to each side.
    pub(crate) fn soft(&self, reach: usize) -> Self {
        let width = (self.rect.width() as usize).max(1);
        let along = |share: &[f32], step: usize, at: usize, place: usize, length: usize| {
            let (from, to) = (place.saturating_sub(reach), (place + reach + 1).min(length));
            let start = at - place * step;
            let known = (from..to).map(|place| share[start + place * step]).filter(|share| *share != UNKNOWN);
            let (sum, count) = known.fold((0.0, 0), |(sum, count), share| (sum + share, count + 1));
            if share[at] == UNKNOWN { UNKNOWN } else { sum / count.max(1) as f32 }
        };
        let height = self.share.len() / width;
        let rows: Vec<f32> = (0..self.share.len()).map(|at| along(&self.share, 1, at, at % width, width)).collect();
        let share = (0..rows.len()).map(|at| along(&rows, width, at, at / width, height)).collect();
        Self { rect: self.rect, share }
    }

    /// How much of the ink of either is not the other's, 0 to 1, where it can be told of this one. All of it when most of
    /// the other lies where it cannot.
    pub(crate) fn differs(&self, other: &Self) -> f32 {
        let (mut apart, mut all, mut unseen) = (0.0, 0.0, 0.0);
        for (&a, &b) in self.share.iter().zip(&other.share) {
            if a == UNKNOWN {
                unseen += b;
                continue;
            }
            apart += (a - b).abs();
            all += a.max(b);
        }
        if unseen > all { 1.0 } else { apart / f32::max(all, 1.0) }
    }
}

/// By how many places `drawn` must be moved to lie on `wanted`, at most `reach` either way.
pub(crate) fn shift(wanted: &[f32], drawn: &[f32], reach: i32) -> i32 {
    let norm = |line: &[f32]| line.iter().sum::<f32>().max(1e-3);
    let (a, b) = (norm(wanted), norm(drawn));
    let value = |line: &[f32], at: i32| usize::try_from(at).ok().and_then(|at| line.get(at)).copied().unwrap_or(0.0);
    let apart = |by: i32| {
        let length = wanted.len() as i32;
        (-reach..length + reach).map(|at| (value(wanted, at) / a - value(drawn, at - by) / b).abs()).sum::<f32>()
    };
    let mut best = (0, apart(0));
    for by in (1..=reach).flat_map(|by| [by, -by]) {
        let found = apart(by);
        if found < best.1 {
            best = (by, found);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_laid_over_each_other() {
        let line = |at: usize| {
            let mut line = vec![0.0; 30];
            line[at..at + 4].copy_from_slice(&[1.0, 3.0, 2.0, 1.0]);
            line
        };
        assert_eq!(shift(&line(12), &line(7), 9), 5);
        assert_eq!(shift(&line(3), &line(7), 9), -4);
    }

    #[test]
    fn ink_on_ground_of_its_colour_says_nothing() {
        let ink = |share: [f32; 4]| Ink { rect: Rect::new(0, 0, 4, 1), share: share.to_vec() };
        let drawn = ink([1.0, 1.0, 0.0, 1.0]);
        assert_eq!(ink([1.0, 1.0, 0.0, UNKNOWN]).differs(&drawn), 0.0);
        assert_eq!(ink([1.0, 0.0, 0.0, UNKNOWN]).differs(&drawn), 0.5);
        assert_eq!(ink([1.0, UNKNOWN, 0.0, UNKNOWN]).differs(&drawn), 1.0, "too little is seen");
    }

    #[test]
    fn soft_ink_forgives_a_shift_and_nothing_else() {
        let stems = |at: &[usize]| Ink {
            rect: Rect::new(0, 0, 24, 8),
            share: (0..192).map(|pixel| f32::from(u8::from(at.contains(&(pixel % 24 / 2))))).collect(),
        };
        let drifted =
            Ink { share: stems(&[2, 8]).share.into_iter().cycle().skip(191).take(192).collect(), ..stems(&[]) };
        let (ink, other) = (stems(&[2, 8]), stems(&[3, 5, 8]));
        assert!(ink.differs(&drifted) > 0.6, "{}", ink.differs(&drifted));
        let soft = |other: &Ink| ink.soft(2).differs(&other.soft(2));
        assert!(soft(&drifted) < 0.35 && soft(&other) > 0.45, "{} {}", soft(&drifted), soft(&other));
    }

    #[test]
    fn what_is_cut_out_is_what_differs_and_what_it_surrounds() {
        let without = Picture { width: 8, height: 6, rgb: vec![[255; 3]; 48] };
        // A frame, white inside like the ground.
        let frame = |at: usize| {
            let (x, y) = (at % 8, at / 8);
            (2..6).contains(&x) && (1..5).contains(&y) && (x == 2 || x == 5 || y == 1 || y == 4)
        };
        let rgb = (0..48).map(|at| if frame(at) { [10; 3] } else { [255; 3] }).collect();
        let whole = Picture { width: 8, height: 6, rgb };
        let (rect, cut) = whole.cut_out(&without, whole.bounds()).expect("a frame");
        assert_eq!(rect, Rect::new(2, 1, 6, 5));
        assert_eq!((cut.pixel(0, 0), cut.pixel(1, 1)), ([10, 10, 10, 255], [255; 4]), "the inside comes along");
        assert!(whole.cut_out(&without, Rect::new(6, 0, 8, 6)).is_none(), "nothing differs there");
    }

    #[test]
    fn blocks_and_a_smooth_picture_of_the_same_are_alike_when_coarse() {
        let picture = |value: &dyn Fn(u32) -> u8| Picture {
            width: 24,
            height: 4,
            rgb: (0..96).map(|at| [value(at % 24); 3]).collect(),
        };
        let (mut blocks, mut smooth) =
            (picture(&|x| (x / 4 % 2 * 200) as u8), picture(&|x| if x < 24 { 100 } else { 0 }));
        let apart = |a: &Picture, b: &Picture| a.apart(b, a.bounds(), &|_, _| true).into_iter().fold(0.0, f32::max);
        assert!(apart(&blocks, &smooth) > 30.0);
        blocks.coarsen(Rect::new(0, 0, 24, 4), 8);
        smooth.coarsen(Rect::new(0, 0, 24, 4), 8);
        assert_eq!(apart(&blocks, &smooth), 0.0);
    }

    #[test]
    fn a_patch_changes_its_rectangle_and_nothing_else() {
        let plain = |value| Picture { width: 6, height: 4, rgb: vec![[value; 3]; 24] };
        let (mut picture, other) = (plain(0), plain(9));
        picture.patch(&other, Rect::new(4, -3, 40, 2));
        let changed = picture.rgb.iter().filter(|pixel| pixel[0] == 9).count();
        assert_eq!((changed, picture.at(4, 0)[0], picture.at(3, 0)[0]), (4, 9, 0));
        assert_eq!(picture.halved().rgb[2], [9; 3]);
    }
}
