//! What of a picture changed.

/// A half-open rectangle of pixels: `x0..x1` by `y0..y1`. Empty when `x0 >= x1` or `y0 >= y1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    pub x0: i32,
    pub y0: i32,
    pub x1: i32,
    pub y1: i32,
}

impl Rect {
    #[inline]
    pub const fn new(x0: i32, y0: i32, x1: i32, y1: i32) -> Self {
        Self { x0, y0, x1, y1 }
    }

    /// A picture of this size at the origin.
    #[inline]
    pub const fn of_size(width: u32, height: u32) -> Self {
        Self { x0: 0, y0: 0, x1: width as i32, y1: height as i32 }
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    #[inline]
    pub fn width(self) -> u32 {
        (self.x1 - self.x0).max(0) as u32
    }

    #[inline]
    pub fn height(self) -> u32 {
        (self.y1 - self.y0).max(0) as u32
    }

    #[inline]
    pub fn area(self) -> u64 {
        u64::from(self.width()) * u64::from(self.height())
    }

    #[inline]
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// The smallest rectangle around both. An empty one adds nothing.
    #[inline]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    #[inline]
    pub fn contains(self, other: Self) -> bool {
        other.is_empty() || self.intersect(other) == other
    }

    #[inline]
    #[must_use]
    pub const fn shifted(self, dx: i32, dy: i32) -> Self {
        Self { x0: self.x0 + dx, y0: self.y0 + dy, x1: self.x1 + dx, y1: self.y1 + dy }
    }

    #[inline]
    #[must_use]
    pub const fn grown(self, by: i32) -> Self {
        Self { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    /// Grown outwards until every side lies on a multiple of `step`. Chroma needs 2, macroblocks 16.
    #[inline]
    #[must_use]
    pub fn aligned(self, step: i32) -> Self {
        if self.is_empty() {
            return Self::default();
        }
        Self {
            x0: self.x0.div_euclid(step) * step,
            y0: self.y0.div_euclid(step) * step,
            x1: -((-self.x1).div_euclid(step) * step),
            y1: -((-self.y1).div_euclid(step) * step),
        }
    }
}

/// The parts of a picture that may differ from the picture before. Everything outside is equal, byte for byte.
///
/// A handful of disjoint rectangles, never a bitmap: encoders and compositors both work on rectangles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    rects: Vec<Rect>,
}

impl Damage {
    /// More pieces than this cost more to walk than the pixels they save.
    const MAX_RECTS: usize = 8;

    pub fn none() -> Self {
        Self::default()
    }

    pub fn rect(rect: Rect) -> Self {
        let mut damage = Self::none();
        damage.add(rect);
        damage
    }

    pub fn is_empty(&self) -> bool {
        self.rects.is_empty()
    }

    pub fn rects(&self) -> &[Rect] {
        &self.rects
    }

    pub fn bounds(&self) -> Rect {
        self.rects.iter().fold(Rect::default(), |all, &rect| all.union(rect))
    }

    pub fn area(&self) -> u64 {
        self.rects.iter().map(|rect| rect.area()).sum()
    }

    /// Adds a rectangle, melting it into those it overlaps.
    pub fn add(&mut self, rect: Rect) {
        if rect.is_empty() {
            return;
        }
        let mut rect = rect;
        while let Some(at) = self.rects.iter().position(|&old| !old.intersect(rect).is_empty()) {
            rect = rect.union(self.rects.swap_remove(at));
        }
        self.rects.push(rect);
        if self.rects.len() > Self::MAX_RECTS {
            self.merge_cheapest();
        }
    }

    pub fn extend(&mut self, other: &Self) {
        for &rect in &other.rects {
            self.add(rect);
        }
    }

    #[must_use]
    pub fn shifted(&self, dx: i32, dy: i32) -> Self {
        Self { rects: self.rects.iter().map(|rect| rect.shifted(dx, dy)).collect() }
    }

    #[must_use]
    pub fn clipped(&self, to: Rect) -> Self {
        let clipped = self.rects.iter().map(|rect| rect.intersect(to)).filter(|rect| !rect.is_empty());
        Self { rects: clipped.collect() }
    }

    #[must_use]
    pub fn aligned(&self, step: i32) -> Self {
        let mut aligned = Self::none();
        for rect in &self.rects {
            aligned.add(rect.aligned(step));
        }
        aligned
    }

    /// Melts the two rectangles whose union wastes the fewest pixels.
    fn merge_cheapest(&mut self) {
        let mut best = (u64::MAX, 0, 1);
        for i in 0..self.rects.len() {
            for j in i + 1..self.rects.len() {
                let (a, b) = (self.rects[i], self.rects[j]);
                let waste = a.union(b).area() - a.area() - b.area();
                if waste < best.0 {
                    best = (waste, i, j);
                }
            }
        }
        let (_, i, j) = best;
        let b = self.rects.swap_remove(j);
        let a = self.rects.swap_remove(i);
        self.add(a.union(b));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_rect() -> impl Strategy<Value = Rect> {
        (-50..200i32, -50..200i32, 0..60i32, 0..60i32).prop_map(|(x, y, w, h)| Rect::new(x, y, x + w, y + h))
    }

    proptest! {
        #[test]
        fn damage_covers_what_was_added_and_stays_disjoint(rects in prop::collection::vec(any_rect(), 0..40)) {
            let mut damage = Damage::none();
            for &rect in &rects {
                damage.add(rect);
            }
            prop_assert!(damage.rects().len() <= Damage::MAX_RECTS);
            for (i, a) in damage.rects().iter().enumerate() {
                for b in &damage.rects()[i + 1..] {
                    prop_assert!(a.intersect(*b).is_empty());
                }
            }
            for rect in rects {
                let covered: u64 = damage.rects().iter().map(|d| d.intersect(rect)).filter(|r| !r.is_empty()).map(Rect::area).sum();
                prop_assert_eq!(covered, rect.area());
            }
        }

        #[test]
        fn aligned_contains_and_lies_on_the_grid(rect in any_rect(), step in prop::sample::select(vec![2, 16])) {
            let aligned = rect.aligned(step);
            prop_assert!(aligned.contains(rect));
            prop_assert!([aligned.x0, aligned.y0, aligned.x1, aligned.y1].iter().all(|v| v % step == 0));
        }
    }
}
