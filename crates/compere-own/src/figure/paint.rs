//! One picture of a model that moves.

use compere_avatar::Acted;
use compere_media::{Pixmap, Rect};

use super::shape::{Alpha, Material, Shape, V3};

/// Looks at a pixel, to each side.
const FINE: usize = 2;
/// How far the camera stands away, in heights of a face: a portrait lens.
const AWAY: f32 = 9.0;
const KEY: V3 = [-0.40, 0.50, 0.768];

/// From a model to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// What lies in the middle of the face, and how high a face is, in the model.
    pub(super) middle: V3,
    pub(super) face: f32,
    /// Where that is in the picture, in pixels, and how high.
    pub(super) at: [f32; 2],
    pub(super) height: f32,
}

pub(super) struct Painter<'a> {
    pub(super) shape: &'a Shape,
    pub(super) pictures: &'a [Pixmap],
    pub(super) view: View,
    pub(super) size: [usize; 2],
}

struct Canvas {
    size: [usize; 2],
    depth: Vec<f32>,
    colour: Vec<[f32; 4]>,
}

/// A corner in the picture: place, how near, how bright, where in the texture.
#[derive(Clone, Copy, Default)]
struct Corner {
    at: [f32; 2],
    near: f32,
    light: f32,
    uv: [f32; 2],
}

fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Painter<'_> {
    pub(super) fn paint(&self, acted: &Acted) -> Pixmap {
        let corners = self.corners(acted);
        let size = self.size.map(|side| side * FINE);
        let mut canvas =
            Canvas { size, depth: vec![f32::MIN; size[0] * size[1]], colour: vec![[0.0; 4]; size[0] * size[1]] };
        let mut later = Vec::new();
        for (triangle, material) in &self.shape.triangles {
            let three = triangle.map(|n| corners[n as usize]);
            let material = &self.shape.materials[*material];
            if material.alpha == Alpha::Blend {
                later.push((three, material));
            } else {
                self.fill(&mut canvas, three, material);
            }
        }
        // What can be seen through is laid on from behind.
        let near = |three: &[Corner; 3]| three.iter().map(|corner| corner.near).sum::<f32>();
        later.sort_by(|a, b| near(&a.0).total_cmp(&near(&b.0)));
        for (three, material) in later {
            self.fill(&mut canvas, three, material);
        }
        canvas.shrunk(self.size)
    }

    fn corners(&self, acted: &Acted) -> Vec<Corner> {
        let shape = self.shape;
        let mut places: Vec<V3> = shape.vertices.iter().map(|vertex| vertex.at).collect();
        for (channel, moves) in &shape.acts {
            let weight = acted.get(*channel).clamp(-0.3, 1.0);
            if weight != 0.0 {
                for (n, by) in moves {
                    (0..3).for_each(|k| places[*n as usize][k] += weight * by[k]);
                }
            }
        }
        let turn = turn(acted);
        places
            .iter()
            .zip(&shape.vertices)
            .map(|(&at, vertex)| {
                let from: V3 = std::array::from_fn(|k| at[k] - shape.neck[k]);
                let mix = |v: V3, to: V3| -> V3 { std::array::from_fn(|k| v[k] + vertex.head * (to[k] - v[k])) };
                let from = mix(from, turn(from));
                let normal = mix(vertex.normal, turn(vertex.normal));
                let at: V3 = std::array::from_fn(|k| from[k] + shape.neck[k]);
                self.corner(at, normal, vertex.uv)
            })
            .collect()
    }

    fn corner(&self, at: V3, normal: V3, uv: [f32; 2]) -> Corner {
        let View { middle, face, at: place, height } = self.view;
        let [x, y, near]: V3 = std::array::from_fn(|k| (at[k] - middle[k]) / face);
        let scale = height * FINE as f32 * AWAY / (AWAY - near).max(1.0);
        let light = 0.50 + 0.42 * dot(normal, KEY).max(-0.2) + 0.12 * normal[1];
        Corner { at: [place[0] * FINE as f32 + x * scale, place[1] * FINE as f32 - y * scale], near, light, uv }
    }

    fn fill(&self, canvas: &mut Canvas, three: [Corner; 3], material: &Material) {
        let [a, b, c] = three.map(|corner| corner.at);
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        // The picture's y goes down: what faces the viewer has a negative area.
        if area.abs() < 1e-6 || !area.is_finite() || (area > 0.0 && !material.is_double) {
            return;
        }
        let first = |k: usize| a[k].min(b[k]).min(c[k]).max(0.0) as usize;
        let last = |k: usize| (a[k].max(b[k]).max(c[k]).ceil().max(0.0) as usize).min(canvas.size[k]);
        for y in first(1)..last(1) {
            for x in first(0)..last(0) {
                let at = [x as f32 + 0.5, y as f32 + 0.5];
                let part = |p: [f32; 2], q: [f32; 2]| (q[0] - p[0]) * (at[1] - p[1]) - (q[1] - p[1]) * (at[0] - p[0]);
                let share = [part(b, c) / area, part(c, a) / area, part(a, b) / area];
                if share.iter().any(|&share| share < 0.0) {
                    continue;
                }
                let mixed = |of: &dyn Fn(&Corner) -> f32| {
                    three.iter().zip(share).map(|(corner, s)| s * of(corner)).sum::<f32>()
                };
                let near = mixed(&|corner| corner.near);
                let cell = y * canvas.size[0] + x;
                if near <= canvas.depth[cell] {
                    continue;
                }
                let [r, g, b, alpha] =
                    self.texel(material, [mixed(&|corner| corner.uv[0]), mixed(&|corner| corner.uv[1])]);
                let alpha = match material.alpha {
                    Alpha::Opaque => 1.0,
                    Alpha::Cut(least) if alpha < least => continue,
                    Alpha::Cut(_) => 1.0,
                    Alpha::Blend => alpha,
                };
                let light = if material.is_flat { 1.0 } else { mixed(&|corner| corner.light) };
                let to = &mut canvas.colour[cell];
                for (to, from) in to.iter_mut().zip([r * light, g * light, b * light, 1.0]) {
                    *to += alpha * (from - *to);
                }
                if alpha > 0.98 {
                    canvas.depth[cell] = near;
                }
            }
        }
    }

    fn texel(&self, material: &Material, uv: [f32; 2]) -> [f32; 4] {
        let mut colour = material.colour;
        // The factor is of light, pictures are of what eyes see.
        colour[..3].iter_mut().for_each(|c| *c = c.max(0.0).sqrt());
        if let Some(picture) = material.image.and_then(|image| self.pictures.get(image)) {
            let (width, height) = (picture.width() as f32, picture.height() as f32);
            let place = |at: f32, side: f32| (((at - at.floor()) * side) as u32).min(side as u32 - 1);
            let [r, g, b, a] = picture.pixel(place(uv[0], width), place(uv[1], height)).map(|v| f32::from(v) / 255.0);
            let whole = a.max(1.0 / 255.0);
            for (to, from) in colour.iter_mut().zip([r / whole, g / whole, b / whole, a]) {
                *to *= from;
            }
        }
        colour
    }
}

/// The head's turn. Angles are small: two terms of the series are exact to a thousandth of a degree.
fn turn(acted: &Acted) -> impl Fn(V3) -> V3 {
    let both = |angle: f32| (angle - angle * angle * angle / 6.0, 1.0 - angle * angle / 2.0);
    let ((sy, cy), (sp, cp), (sr, cr)) = (both(acted.yaw()), both(acted.pitch()), both(acted.roll()));
    move |[x, y, z]| {
        let (y, z) = (y * cp - z * sp, y * sp + z * cp);
        let (x, z) = (x * cy + z * sy, z * cy - x * sy);
        [x * cr + y * sr, y * cr - x * sr, z]
    }
}

impl Canvas {
    fn shrunk(&self, [width, height]: [usize; 2]) -> Pixmap {
        let looks = (FINE * FINE) as f32;
        let of = |n: usize| -> [u8; 4] {
            let (x, y) = (n % width * FINE, n / width * FINE);
            let mut sum = [0.0_f32; 4];
            for cell in (0..FINE * FINE).map(|k| (y + k / FINE) * self.size[0] + x + k % FINE) {
                sum.iter_mut().zip(self.colour[cell]).for_each(|(sum, c)| *sum += c.clamp(0.0, 1.0));
            }
            let alpha = sum[3];
            sum.map(|c| (c.min(alpha) / looks * 255.0 + 0.5) as u8)
        };
        Pixmap::from_premultiplied(width as u32, height as u32, (0..width * height).map(of).collect())
    }
}

/// The part of a picture that is asked for.
pub(super) fn sized(part: Rect) -> [usize; 2] {
    [part.width() as usize, part.height() as usize]
}
