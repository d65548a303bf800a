//! A sheet of light at one depth of a set: drawn sharp, thrown out of focus, laid over what stands behind.

use super::light::Light;
use super::math::smooth;
use super::shape::Shape;

/// The part of a set's world that the picture shows.
///
/// Landscape pictures are one unit tall, from 0 at the top to 1, with x = 0 in the middle. Upright pictures step back
/// a little and see more above and below, so that every set needs a ceiling and a floor beyond 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) width: f32,
    pub(super) height: f32,
    /// Pixels.
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl View {
    /// What a picture of `width` x `height` shows, drawn with at most `short` pixels along its shorter side.
    pub(super) fn of(width: u32, height: u32, short: u32) -> Self {
        let aspect = width as f32 / height as f32;
        let tall = 1.0 + (1.0 - aspect).max(0.0) * (0.6 / 0.4375);
        let shrink = (short as f32 / width.min(height) as f32).min(1.0);
        let across = |side: u32| ((side as f32 * shrink).round() as usize).max(2);
        Self {
            left: -tall * aspect / 2.0,
            top: (1.0 - tall) * 0.75,
            width: tall * aspect,
            height: tall,
            columns: across(width),
            rows: across(height),
        }
    }

    pub(super) fn right(&self) -> f32 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f32 {
        self.top + self.height
    }

    /// World units per pixel.
    pub(super) fn grain(&self) -> f32 {
        self.height / self.rows as f32
    }

    fn x(&self, column: usize) -> f32 {
        self.left + (column as f32 + 0.5) * self.width / self.columns as f32
    }

    fn y(&self, row: usize) -> f32 {
        self.top + (row as f32 + 0.5) * self.height / self.rows as f32
    }
}

/// Premultiplied light and coverage.
#[derive(Clone)]
pub(super) struct Plate {
    pub(super) view: View,
    pub(super) data: Vec<[f32; 4]>,
}

impl Plate {
    /// Nothing there yet.
    pub(super) fn clear(view: View) -> Self {
        Self { view, data: vec![[0.0; 4]; view.columns * view.rows] }
    }

    /// A wall of light.
    pub(super) fn wall(view: View, light: impl Fn(f32, f32) -> Light) -> Self {
        let mut plate = Self::clear(view);
        plate.change(|_, x, y| {
            let [r, g, b] = light(x, y);
            [r, g, b, 1.0]
        });
        plate
    }

    /// Replaces every point.
    pub(super) fn change(&mut self, to: impl Fn([f32; 4], f32, f32) -> [f32; 4]) {
        let view = self.view;
        for (row, line) in self.data.chunks_exact_mut(view.columns).enumerate() {
            let y = view.y(row);
            for (column, point) in line.iter_mut().enumerate() {
                *point = to(*point, view.x(column), y);
            }
        }
    }

    /// Multiplies the light, leaving coverage alone.
    pub(super) fn shade(&mut self, by: impl Fn(f32, f32) -> Light) {
        self.change(|[r, g, b, a], x, y| {
            let k = by(x, y);
            [r * k[0], g * k[1], b * k[2], a]
        });
    }

    /// Adds light where something is.
    pub(super) fn shine(&mut self, more: impl Fn(f32, f32) -> Light) {
        self.change(|[r, g, b, a], x, y| {
            let k = more(x, y);
            [r + k[0] * a, g + k[1] * a, b + k[2] * a, a]
        });
    }

    pub(super) fn draw(&mut self, shape: &Shape, light: Light) {
        self.paint(shape, 0.0, 1.0, |_, _| light);
    }

    /// Covers the inside of `shape`; `soft` is the width of the edge, `opacity` how much is hidden.
    pub(super) fn paint(&mut self, shape: &Shape, soft: f32, opacity: f32, light: impl Fn(f32, f32) -> Light) {
        self.each_inside(shape, soft, |point, cover, x, y| {
            let [r, g, b] = light(x, y);
            let a = cover * opacity;
            let keep = 1.0 - a;
            *point = [point[0] * keep + r * a, point[1] * keep + g * a, point[2] * keep + b * a, point[3] * keep + a];
        });
    }

    /// Adds light without hiding anything, as a lamp in the dark does.
    pub(super) fn glow(&mut self, shape: &Shape, soft: f32, light: Light) {
        self.each_inside(shape, soft, |point, cover, _, _| {
            for (value, more) in point.iter_mut().zip(light) {
                *value += more * cover;
            }
        });
    }

    fn each_inside(&mut self, shape: &Shape, soft: f32, mut act: impl FnMut(&mut [f32; 4], f32, f32, f32)) {
        let view = self.view;
        let half = soft.max(view.grain()) / 2.0;
        let [left, top, right, bottom] = shape.bounds();
        let per_x = view.columns as f32 / view.width;
        let per_y = view.rows as f32 / view.height;
        let span = |from: f32, to: f32, scale: f32, origin: f32, most: usize| {
            let first = ((from - half - origin) * scale).floor().clamp(0.0, most as f32) as usize;
            let end = ((to + half - origin) * scale).ceil().clamp(0.0, most as f32) as usize;
            first..end.max(first)
        };
        let columns = span(left, right, per_x, view.left, view.columns);
        for row in span(top, bottom, per_y, view.top, view.rows) {
            let y = view.y(row);
            for column in columns.clone() {
                let x = view.x(column);
                let cover = smooth(half, -half, shape.distance(x, y));
                if cover > 0.0 {
                    act(&mut self.data[row * view.columns + column], cover, x, y);
                }
            }
        }
    }

    /// Lays `front` over this one.
    pub(super) fn under(&mut self, front: &Self) {
        for (back, front) in self.data.iter_mut().zip(&front.data) {
            let keep = 1.0 - front[3];
            for (back, front) in back.iter_mut().zip(front) {
                *back = *back * keep + front;
            }
        }
    }

    /// Adds the light of `front`.
    pub(super) fn add(&mut self, front: &Self, strength: f32) {
        for (back, front) in self.data.iter_mut().zip(&front.data) {
            for (back, front) in back.iter_mut().zip(&front[..3]) {
                *back += front * strength;
            }
        }
    }

    /// Switches off what touches the rim, so that [`Self::defocused`] finds darkness beyond it.
    pub(super) fn darken_rim(&mut self) {
        let View { columns, rows, .. } = self.view;
        self.data[..columns].fill([0.0; 4]);
        self.data[columns * (rows - 1)..].fill([0.0; 4]);
        for line in self.data.chunks_exact_mut(columns) {
            line[0] = [0.0; 4];
            line[columns - 1] = [0.0; 4];
        }
    }

    /// Out of focus: every point becomes a disc of `radius` world units, as behind a wide open lens.
    ///
    /// Points beyond the edge are taken to be like the edge.
    #[must_use]
    pub(super) fn defocused(&self, radius: f32) -> Self {
        let pixels = radius / self.view.grain();
        if pixels < 0.5 {
            return self.clone();
        }
        let lens = lens(pixels);
        let area: f32 = lens.iter().map(|chord| 2.0 * chord.half).sum();
        let (columns, rows) = (self.view.columns, self.view.rows);
        let sums: Vec<_> = self.data.chunks_exact(columns).flat_map(running_sums).collect();
        let mut out = Self::clear(self.view);
        for (row, line) in out.data.chunks_exact_mut(columns).enumerate() {
            for chord in &lens {
                let from = (row as isize + chord.dy).clamp(0, rows as isize - 1) as usize;
                let sums = &sums[from * (columns + 1)..(from + 1) * (columns + 1)];
                add_chord(line, sums, chord.half);
            }
            for point in line {
                *point = point.map(|v| v / area);
            }
        }
        out
    }

    /// Soft without an outline: a disc twice.
    #[must_use]
    pub(super) fn softened(&self, radius: f32) -> Self {
        self.defocused(radius).defocused(radius * 0.7)
    }
}

/// One row of the disc that a lens spreads a point over.
struct Chord {
    dy: isize,
    half: f32,
}

fn lens(radius: f32) -> Vec<Chord> {
    let reach = radius.ceil() as isize;
    (-reach..=reach)
        .filter_map(|dy| {
            let inside = radius * radius - (dy * dy) as f32;
            (inside > 0.0).then(|| Chord { dy, half: inside.sqrt() })
        })
        .collect()
}

fn running_sums(line: &[[f32; 4]]) -> Vec<[f32; 4]> {
    let mut sum = [0.0f32; 4];
    let mut out = Vec::with_capacity(line.len() + 1);
    out.push(sum);
    for point in line {
        for (sum, value) in sum.iter_mut().zip(point) {
            *sum += value;
        }
        out.push(sum);
    }
    out
}

/// Adds to every point the sum of `half` pixels to both sides of its middle.
fn add_chord(line: &mut [[f32; 4]], sums: &[[f32; 4]], half: f32) {
    let most = line.len() as isize;
    let whole = (half - 0.5).floor();
    let part = half - 0.5 - whole;
    let whole = whole as isize;
    let last = sums[line.len()];
    let (first_point, last_point) = (sums[1], std::array::from_fn::<f32, 4, _>(|c| last[c] - sums[line.len() - 1][c]));
    let sum_to = |at: isize| -> [f32; 4] {
        if at < 0 {
            first_point.map(|v| v * at as f32)
        } else if at > most {
            std::array::from_fn(|c| last[c] + last_point[c] * (at - most) as f32)
        } else {
            sums[at as usize]
        }
    };
    for (x, point) in line.iter_mut().enumerate() {
        let x = x as isize;
        let (right, righter) = (sum_to(x + whole + 1), sum_to(x + whole + 2));
        let (left, lefter) = (sum_to(x - whole), sum_to(x - whole - 1));
        for c in 0..4 {
            let to = right[c] + (righter[c] - right[c]) * part;
            let from = left[c] + (lefter[c] - left[c]) * part;
            point[c] += to - from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::disc;

    #[test]
    fn a_lens_keeps_the_light_and_spreads_it_evenly() {
        let view = View::of(320, 180, 180);
        let mut plate = Plate::wall(view, |_, _| [0.25; 3]);
        let flat = plate.defocused(0.05);
        assert!(flat.data.iter().all(|p| (p[0] - 0.25).abs() < 1e-3 && (p[3] - 1.0).abs() < 1e-3));

        plate = Plate::clear(view);
        plate.draw(&disc(0.0, 0.5, 0.02), [1.0; 3]);
        let before: f32 = plate.data.iter().map(|p| p[0]).sum();
        let after: f32 = plate.defocused(0.1).data.iter().map(|p| p[0]).sum();
        assert!((before / after - 1.0).abs() < 0.01, "{before} became {after}");
    }

    #[test]
    fn upright_pictures_see_above_and_below() {
        let view = View::of(2160, 3840, 540);
        assert_eq!((view.columns, view.rows), (540, 960));
        assert!(view.top < -0.4 && view.bottom() > 1.1 && view.right() < 0.46);
    }
}
