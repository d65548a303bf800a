//! Triangles into pixels: four looks a pixel for edges and depth, one for colour.

/// Looks at a pixel.
pub(super) const LOOKS: usize = 4;
/// Steps of a corner within a pixel. Whole numbers, so that triangles that share an edge leave no gap and meet nowhere.
const STEPS: i32 = 64;
const SHIFT: u32 = STEPS.trailing_zeros();
/// Where the looks are, in steps from the pixel's corner: no two in a row or a column.
const AT: [[i32; 2]; LOOKS] = [[24, 8], [56, 24], [8, 40], [40, 56]];
/// Corners farther out than this many pixels are not drawn.
const FAR: f32 = 16_000.0;

/// What is known of a pixel's looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) near: [f32; LOOKS],
    /// Premultiplied.
    pub(super) colour: [[u8; 4]; LOOKS],
}

pub(super) const EMPTY: Cell = Cell { near: [f32::MIN; LOOKS], colour: [[0; 4]; LOOKS] };

#[derive(Clone)]
pub(super) struct Canvas {
    pub(super) wide: usize,
    pub(super) high: usize,
    pub(super) cells: Vec<Cell>,
}

impl Canvas {
    pub(super) fn new(wide: usize, high: usize) -> Self {
        Self { wide, high, cells: vec![EMPTY; wide * high] }
    }
}

impl Cell {
    /// The mean of all looks.
    pub(super) fn pixel(&self) -> [u8; 4] {
        std::array::from_fn(|k| {
            let sum: u32 = self.colour.iter().map(|look| u32::from(look[k])).sum();
            ((sum + 2) / LOOKS as u32) as u8
        })
    }

    /// Which of those looks nothing nearer hides.
    pub(super) fn unhidden(&self, looks: u8, near: [f32; LOOKS]) -> u8 {
        looks & !(0..LOOKS).fold(0, |all, n| all | u8::from(near[n] <= self.near[n]) << n)
    }

    /// Lays a premultiplied colour on those looks that a triangle covers.
    pub(super) fn lay(&mut self, looks: u8, near: [f32; LOOKS], colour: [f32; 4], keeps_depth: bool) {
        let alpha = colour[3];
        let whole = colour.map(|c| (c.clamp(0.0, 255.0) + 0.5) as u8);
        for (look, ((to, depth), near)) in self.colour.iter_mut().zip(&mut self.near).zip(near).enumerate() {
            if looks >> look & 1 == 0 {
                continue;
            }
            if alpha >= 254.5 {
                *to = whole;
            } else {
                let left = 1.0 - alpha / 255.0;
                *to = std::array::from_fn(|k| (colour[k] + left * f32::from(to[k]) + 0.5).clamp(0.0, 255.0) as u8);
            }
            if keeps_depth {
                *depth = near;
            }
        }
    }
}

/// A value that changes evenly over a triangle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slope {
    at: f32,
    x: f32,
    y: f32,
}

impl Slope {
    pub(super) fn at(&self, x: f32, y: f32) -> f32 {
        self.at + x * self.x + y * self.y
    }
}

/// A place in steps; none so far out that nothing of it is to be seen.
pub(super) type Snapped = Option<[i32; 2]>;

pub(super) fn snapped(at: [f32; 2]) -> Snapped {
    // Not by `round`, which poorer processors do not have.
    let whole = |v: f32| ((v + FAR) * STEPS as f32 + 0.5) as i32 - FAR as i32 * STEPS;
    at.iter().all(|v| v.abs() < FAR).then(|| at.map(whole))
}

/// What changes evenly over a triangle, from the values at its corners.
pub(super) struct Even {
    origin: [f32; 2],
    x: [f32; 2],
    y: [f32; 2],
}

impl Even {
    pub(super) fn over([a, b, c]: [[f32; 2]; 3]) -> Self {
        let (bx, by, cx, cy) = (b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]);
        let whole = bx * cy - by * cx;
        let by_whole = if whole.abs() < 1e-9 { 0.0 } else { 1.0 / whole };
        Self { origin: a, x: [cy * by_whole, -by * by_whole], y: [-cx * by_whole, bx * by_whole] }
    }

    pub(super) fn slope(&self, values: [f32; 3]) -> Slope {
        let (b, c) = (values[1] - values[0], values[2] - values[0]);
        let (x, y) = (b * self.x[0] + c * self.x[1], b * self.y[0] + c * self.y[1]);
        Slope { at: values[0] - x * self.origin[0] - y * self.origin[1], x, y }
    }
}

/// A triangle that faces the viewer, ready to be walked through.
pub(super) struct Walk {
    corners: [[i64; 2]; 3],
    /// Of the pixels that it may touch.
    from: [usize; 2],
    to: [usize; 2],
}

impl Walk {
    /// None where nothing is to be seen of it. One that looks away is seen from behind if `is_double`.
    pub(super) fn new(at: [Snapped; 3], is_double: bool, size: [usize; 2]) -> Option<Self> {
        let mut corners = [at[0]?, at[1]?, at[2]?].map(|at| at.map(i64::from));
        let [a, b, c] = corners;
        // The picture's y goes down: what faces the viewer has a negative area.
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if area == 0 || (area > 0 && !is_double) {
            return None;
        }
        if area < 0 {
            corners.swap(1, 2);
        }
        let [a, b, c] = corners;
        let first = |k: usize| (a[k].min(b[k]).min(c[k]) >> SHIFT).max(0) as usize;
        let last = |k: usize| (((a[k].max(b[k]).max(c[k]) >> SHIFT) + 1).max(0) as usize).min(size[k]);
        let (from, to) = ([first(0), first(1)], [last(0), last(1)]);
        (from[0] < to[0] && from[1] < to[1]).then_some(Self { corners, from, to })
    }

    /// Calls `see` with every pixel that it touches, and which looks of it.
    pub(super) fn pixels(&self, mut see: impl FnMut(usize, usize, u8)) {
        // An edge's value grows to the inside; of two triangles that share an edge, one owns it.
        let edges: [[i64; 3]; 3] = std::array::from_fn(|n| {
            let (p, q) = (self.corners[n], self.corners[(n + 1) % 3]);
            let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
            let owns = dy < 0 || (dy == 0 && dx > 0);
            [-dy, dx, dy * p[0] - dx * p[1] - i64::from(!owns)]
        });
        let looks = edges.map(|[x, y, _]| AT.map(|at| x * i64::from(at[0]) + y * i64::from(at[1])));
        let least = looks.map(|looks| looks.into_iter().min().unwrap_or(0));
        let most = looks.map(|looks| looks.into_iter().max().unwrap_or(0));
        for y in self.from[1]..self.to[1] {
            let start = (self.from[0] as i64) << SHIFT;
            let mut value = edges.map(|[dx, dy, at]| dx * start + dy * ((y as i64) << SHIFT) + at);
            let mut was_inside = false;
            for x in self.from[0]..self.to[0] {
                if (0..3).all(|n| value[n] + most[n] >= 0) {
                    was_inside = true;
                    let covered = if (0..3).all(|n| value[n] + least[n] >= 0) {
                        0b1111
                    } else {
                        (0..LOOKS)
                            .fold(0, |all, look| all | u8::from((0..3).all(|n| value[n] + looks[n][look] >= 0)) << look)
                    };
                    if covered != 0 {
                        see(x, y, covered);
                    }
                } else if was_inside {
                    break;
                }
                (0..3).for_each(|n| value[n] += edges[n][0] << SHIFT);
            }
        }
    }
}

/// How far from the pixel's corner a look is, in pixels.
pub(super) fn look(n: usize) -> [f32; 2] {
    AT[n].map(|at| at as f32 / STEPS as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(triangles: &[[[f32; 2]; 3]]) -> Vec<u32> {
        let mut seen = vec![0; 20 * 20 * LOOKS];
        for &triangle in triangles {
            if let Some(walk) = Walk::new(triangle.map(snapped), true, [20, 20]) {
                walk.pixels(|x, y, covered| {
                    (0..LOOKS).for_each(|look| seen[(y * 20 + x) * LOOKS + look] += u32::from(covered >> look & 1));
                });
            }
        }
        seen
    }

    #[test]
    fn triangles_that_share_an_edge_cover_every_look_once() {
        let middle = [9.3, 11.7];
        let rim = [[-3.0, -2.0], [25.0, -4.0], [23.5, 26.0], [-2.0, 24.0]];
        let fan: Vec<_> = (0..4).map(|n| [rim[n], rim[(n + 1) % 4], middle]).collect();
        assert!(counted(&fan).iter().all(|&times| times == 1));
    }

    #[test]
    fn as_many_looks_are_covered_as_its_area_says() {
        let triangle = [[2.0, 3.0], [17.0, 5.0], [7.0, 18.0]];
        let seen: u32 = counted(&[triangle]).iter().sum();
        let area = (15.0 * 15.0 - 2.0 * 5.0) / 2.0;
        assert!((seen as f32 / LOOKS as f32 - area).abs() < 1.5, "{seen} {area}");
    }

    #[test]
    fn a_slope_has_its_values_at_the_corners() {
        let at = [[2.0, 3.0], [17.0, 5.0], [7.0, 18.0]];
        let slope = Even::over(at).slope([1.0, 5.0, -2.0]);
        for (at, value) in at.iter().zip([1.0, 5.0, -2.0]) {
            assert!((slope.at(at[0], at[1]) - value).abs() < 1e-4);
        }
    }

    #[test]
    fn what_looks_away_or_lies_far_out_is_not_drawn() {
        let triangle = [[2.0, 3.0], [17.0, 5.0], [7.0, 18.0]];
        assert!(Walk::new(triangle.map(snapped), false, [20, 20]).is_none());
        assert!(Walk::new([triangle[0], triangle[2], triangle[1]].map(snapped), false, [20, 20]).is_some());
        for far in [f32::NAN, f32::INFINITY, 1e20] {
            assert!(Walk::new([[far, 0.0], triangle[1], triangle[2]].map(snapped), true, [20, 20]).is_none());
        }
    }
}
