//! Arithmetic on pictures that texts are found with: what differs, how much of it is ink, where it lies.

use compere_compose::draw::Drawn;
use compere_media::{Pixmap, Rect};

use crate::picture::Picture;

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

/// How much of each pixel of a rectangle is ink, 0 to 1.
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

    /// How much of the ink of either is not the other's, 0 to 1.
    pub(crate) fn differs(&self, other: &Self) -> f32 {
        let (mut apart, mut all) = (0.0, 0.0);
        for (a, b) in self.share.iter().zip(&other.share) {
            apart += (a - b).abs();
            all += a.max(*b);
        }
        apart / f32::max(all, 1.0)
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
    fn a_patch_changes_its_rectangle_and_nothing_else() {
        let plain = |value| Picture { width: 6, height: 4, rgb: vec![[value; 3]; 24] };
        let (mut picture, other) = (plain(0), plain(9));
        picture.patch(&other, Rect::new(4, -3, 40, 2));
        let changed = picture.rgb.iter().filter(|pixel| pixel[0] == 9).count();
        assert_eq!((changed, picture.at(4, 0)[0], picture.at(3, 0)[0]), (4, 9, 0));
        assert_eq!(picture.halved().rgb[2], [9; 3]);
    }
}
