//! A model before the viewer, in one size.
//!
//! What stands still is painted once, with its depth; a picture is that and whatever goes with head and face.

use std::ops::Range;

use compere_avatar::{Acted, Channel as Ch};
use compere_media::Rect;

use super::light::{Rgb, dot, lit};
use super::mesh::{Alpha, Material, Shape, V3};
use super::raster::{Canvas, Cell, Even, LOOKS, Slope, Snapped, Walk, look, snapped};
use super::texture::Texture;

/// How far the camera stands away, in heights of a face: a portrait lens.
const AWAY: f32 = 9.0;
/// Between the viewer and the large lamp.
const SHINE: V3 = [-0.257, 0.246, 0.935];
/// How far a jaw is open when the mouth is as bright inside as it gets.
const OPEN: f32 = 0.40;
/// Light that says how bright a film of it is.
const EXPOSURE: f32 = 0.80;

/// So much of 255 hides what is behind.
const DENSE: f32 = 240.0;

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

/// A corner in the picture: place, how near, how bright, where in the texture.
#[derive(Clone, Copy, Default)]
pub(super) struct Corner {
    at: [f32; 2],
    snapped: Snapped,
    near: f32,
    tint: Rgb,
    uv: [f32; 2],
    normal: V3,
}

/// What a model is lit by at its vertices, whatever size it is painted in.
struct Lit {
    shut: Vec<Rgb>,
    open: Vec<Rgb>,
}

impl Lit {
    fn of(shape: &Shape, face: f32) -> Self {
        let rest: Vec<V3> = shape.vertices.iter().map(|vertex| vertex.at).collect();
        let mut agape = rest.clone();
        shape.bend(&mut agape, |cue| if cue.ch == Ch::Jaw { 0.6 } else { 0.0 });
        Self { shut: shown(lit(shape, &rest, face)), open: shown(lit(shape, &agape, face)) }
    }

    /// Between the two.
    fn tint(&self, n: usize, open: f32) -> Rgb {
        let (shut, wide) = (self.shut[n], self.open[n]);
        std::array::from_fn(|k| shut[k] + open * (wide[k] - shut[k]))
    }
}

/// Light as it is shown: pictures are made for eyes, which see about the root of it.
fn shown(light: Vec<Rgb>) -> Vec<Rgb> {
    light.into_iter().map(|light| light.map(|v| (EXPOSURE * v).max(0.0).sqrt())).collect()
}

pub(super) struct Painter {
    shape: Shape,
    textures: Vec<Texture>,
    lit: Lit,
    view: View,
    /// All vertices and corners at rest.
    places: Vec<V3>,
    corners: Vec<Corner>,
    /// Vertices of triangles that move.
    movers: Vec<u32>,
    /// Triangles that move, from the front; the size of picture that each looks at.
    moving: Vec<u32>,
    levels: Vec<u8>,
    still: Canvas,
}

/// What pictures are painted on, and what is worked out anew for each.
pub(super) struct Easel {
    pub(super) canvas: Canvas,
    places: Vec<V3>,
    corners: Vec<Corner>,
    /// Triangles that are seen through somewhere, as [`behind_first`] orders them, and where their `veils` are.
    thin: Vec<(u64, Range<usize>)>,
    veils: Vec<Veil>,
}

/// What is seen through in a pixel: laid on when all that is solid is there.
struct Veil {
    cell: usize,
    looks: u8,
    near: [f32; LOOKS],
    colour: [f32; 4],
}

impl Painter {
    pub(super) fn new(shape: Shape, textures: Vec<Texture>, view: View, (wide, high): (usize, usize)) -> Self {
        let lit = Lit::of(&shape, view.face);
        let all: Vec<u32> = (0..shape.vertices.len() as u32).collect();
        let mut painter = Self {
            places: shape.vertices.iter().map(|vertex| vertex.at).collect(),
            corners: vec![Corner::default(); all.len()],
            shape,
            textures,
            lit,
            view,
            movers: Vec::new(),
            moving: Vec::new(),
            levels: Vec::new(),
            still: Canvas::new(wide, high),
        };
        let mut easel = painter.easel();
        painter.place(&Acted::default(), &all, &mut easel);
        painter.corners.clone_from(&easel.corners);
        painter.levels = painter.shape.triangles.iter().map(|of| painter.level(of)).collect();
        painter.part(&mut easel);
        painter.still = easel.canvas;
        painter
    }

    /// Tells what moves from what stands still, and paints that.
    fn part(&mut self, easel: &mut Easel) {
        let shape = &self.shape;
        let mut moves: Vec<bool> = shape.vertices.iter().map(|vertex| vertex.head > 0.0).collect();
        shape.acts.iter().flat_map(|(_, by)| by).for_each(|(n, _)| moves[*n as usize] = true);
        let mut is_mover = vec![false; moves.len()];
        let (mut moving, mut still) = (Vec::new(), Vec::new());
        for (n, (corners, _)) in shape.triangles.iter().enumerate() {
            let is_moving = corners.iter().any(|&corner| moves[corner as usize]);
            if is_moving {
                corners.iter().for_each(|&corner| is_mover[corner as usize] = true);
            }
            if is_moving { &mut moving } else { &mut still }.push(n as u32);
        }
        self.movers = (0..moves.len() as u32).filter(|&n| is_mover[n as usize]).collect();
        // The foremost comes first and hides the rest, as nearly as one order for all pictures can.
        for list in [&mut moving, &mut still] {
            list.sort_by(|&a, &b| self.near(&self.corners, b).total_cmp(&self.near(&self.corners, a)));
        }
        self.draw(easel, &still);
        self.moving = moving;
    }

    /// The size of picture that a triangle looks at: the same in every frame, so that nothing flickers.
    fn level(&self, (corners, material): &([u32; 3], usize)) -> u8 {
        let Some(texture) = self.texture(&self.shape.materials[*material]) else { return 0 };
        let [a, b, c] = corners.map(|n| &self.corners[n as usize]);
        let area = |of: fn(&Corner) -> [f32; 2]| {
            let (a, b, c) = (of(a), of(b), of(c));
            ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs()
        };
        let [wide, high] = texture.sides();
        texture.level(area(|c| c.uv) * wide * high / area(|c| c.at).max(0.05)) as u8
    }

    fn texture(&self, material: &Material) -> Option<&Texture> {
        self.textures.get(material.image?)
    }

    /// Puts vertices where an expression and a turn of the head bring them.
    fn place(&self, acted: &Acted, which: &[u32], Easel { places, corners, .. }: &mut Easel) {
        let shape = &self.shape;
        places.copy_from_slice(&self.places);
        shape.bend(places, |cue| cue.weight(acted));
        let open = opened(acted);
        let turn = turn(acted);
        for &n in which {
            let n = n as usize;
            let vertex = &shape.vertices[n];
            let from: V3 = std::array::from_fn(|k| places[n][k] - shape.neck[k]);
            let mix = |v: V3, to: V3| -> V3 { std::array::from_fn(|k| v[k] + vertex.head * (to[k] - v[k])) };
            let moved = mix(from, turn(from));
            let at: V3 = std::array::from_fn(|k| moved[k] + shape.neck[k]);
            corners[n] = Corner {
                normal: mix(vertex.normal, turn(vertex.normal)),
                tint: self.lit.tint(n, open),
                uv: vertex.uv,
                ..self.seen(at)
            };
        }
    }

    fn seen(&self, at: V3) -> Corner {
        let View { middle, face, at: place, height } = self.view;
        let [x, y, near]: V3 = std::array::from_fn(|k| (at[k] - middle[k]) / face);
        let scale = height * AWAY / (AWAY - near).max(1.0);
        let at = [place[0] + x * scale, place[1] - y * scale];
        Corner { at, snapped: snapped(at), near, ..Corner::default() }
    }

    /// Paints a picture over what the easel holds from the last one, whose moving part was `before`. Returns what has to be
    /// looked at anew, and the part of this one.
    pub(super) fn paint(&self, acted: &Acted, easel: &mut Easel, before: Rect) -> (Rect, Rect) {
        self.place(acted, &self.movers, easel);
        let now = self.bounds(&easel.corners);
        let stale = before.union(now);
        for y in stale.y0..stale.y1 {
            let row = y as usize * self.still.wide;
            let row = row + stale.x0 as usize..row + stale.x1 as usize;
            easel.canvas.cells[row.clone()].copy_from_slice(&self.still.cells[row]);
        }
        self.draw(easel, &self.moving);
        (stale, now)
    }

    fn near(&self, corners: &[Corner], triangle: u32) -> f32 {
        self.shape.triangles[triangle as usize].0.iter().map(|&corner| corners[corner as usize].near).sum()
    }

    pub(super) fn easel(&self) -> Easel {
        Easel {
            canvas: self.still.clone(),
            places: self.places.clone(),
            corners: self.corners.clone(),
            thin: Vec::new(),
            veils: Vec::new(),
        }
    }

    fn bounds(&self, corners: &[Corner]) -> Rect {
        let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
        for corner in self.movers.iter().map(|&n| &corners[n as usize]) {
            for k in 0..2 {
                low[k] = low[k].min(corner.at[k]);
                high[k] = high[k].max(corner.at[k]);
            }
        }
        let whole = Rect::of_size(self.still.wide as u32, self.still.high as u32);
        let side = |v: f32| v.clamp(-8.0, 32_000.0) as i32;
        let found = Rect::new(side(low[0]) - 1, side(low[1]) - 1, side(high[0]) + 2, side(high[1]) + 2);
        found.intersect(whole).aligned(2).intersect(whole)
    }

    /// What can be seen through comes last, from behind. Where it is dense it hides what is behind it like anything solid and
    /// goes with that, so that most of many layers of hair is never painted.
    fn draw(&self, Easel { canvas, corners, thin, veils, .. }: &mut Easel, triangles: &[u32]) {
        thin.clear();
        veils.clear();
        for &n in triangles {
            let before = veils.len();
            self.fill(canvas, corners, n, veils);
            if veils.len() > before {
                thin.push((behind_first(self.near(corners, n), n), before..veils.len()));
            }
        }
        thin.sort_unstable_by_key(|(key, _)| *key);
        for Veil { cell, looks, near, colour } in thin.iter().flat_map(|(_, of)| &veils[of.clone()]) {
            let cell = &mut canvas.cells[*cell];
            cell.lay(cell.unhidden(*looks, *near), *near, *colour, false);
        }
    }

    /// Paints what is solid of a triangle, and keeps the rest.
    fn fill(&self, canvas: &mut Canvas, corners: &[Corner], n: u32, veils: &mut Vec<Veil>) {
        let (three, material) = &self.shape.triangles[n as usize];
        let (three, material) = (three.map(|n| &corners[n as usize]), &self.shape.materials[*material]);
        let Some(walk) = Walk::new(three.map(|corner| corner.snapped), material.is_double, [canvas.wide, canvas.high])
        else {
            return;
        };
        let even = Even::over(three.map(|corner| corner.at));
        let near = even.slope(three.map(|corner| corner.near));
        // Most triangles are small or hidden: what they are painted with is told when the first pixel asks.
        let mut ink = None;
        let wide = canvas.wide;
        walk.pixels(|x, y, looks| {
            let at = y * wide + x;
            let cell = &mut canvas.cells[at];
            let (x, y) = (x as f32, y as f32);
            let near: [f32; LOOKS] = std::array::from_fn(|n| {
                let [dx, dy] = look(n);
                near.at(x + dx, y + dy)
            });
            let looks = cell.unhidden(looks, near);
            if looks != 0 {
                let level = usize::from(self.levels[n as usize]);
                let ink = ink.get_or_insert_with(|| self.ink(&even, three, material, level));
                if let Some(colour) = ink.lay(cell, [x, y], looks, near) {
                    veils.push(Veil { cell: at, looks, near, colour });
                }
            }
        });
    }

    fn ink<'a>(&'a self, even: &Even, three: [&Corner; 3], material: &'a Material, level: usize) -> Ink<'a> {
        let of = |value: &dyn Fn(&Corner) -> f32| even.slope(three.map(value));
        Ink {
            tint: std::array::from_fn(|k| of(&|corner| corner.tint[k] + material.flat * (1.0 - corner.tint[k]))),
            uv: std::array::from_fn(|k| of(&|corner| corner.uv[k])),
            shine: (material.gloss > 0.0).then(|| std::array::from_fn(|k| of(&|corner| corner.normal[k]))),
            texture: self.texture(material).map(|texture| (texture, level)),
            material,
        }
    }
}

/// Orders triangles from behind by how near they are, and those that are as near by their number, which is the lower half.
fn behind_first(near: f32, n: u32) -> u64 {
    let bits = near.to_bits();
    let rising = if near.is_sign_negative() { !bits } else { bits | 1 << 31 };
    u64::from(rising) << 32 | u64::from(n)
}

/// What a triangle is painted with.
struct Ink<'a> {
    tint: [Slope; 3],
    uv: [Slope; 2],
    shine: Option<[Slope; 3]>,
    texture: Option<(&'a Texture, usize)>,
    material: &'a Material,
}

impl Ink<'_> {
    /// What can be seen through is not laid on, but told.
    fn lay(&self, cell: &mut Cell, [x, y]: [f32; 2], mut looks: u8, near: [f32; LOOKS]) -> Option<[f32; 4]> {
        let mut colour = self.colour(x + 0.5, y + 0.5);
        match self.material.alpha {
            Alpha::Opaque => whole(&mut colour),
            Alpha::Cut(least) => {
                // The edge of what is cut out is as soft as a pixel is.
                let share = (colour[3] / 255.0 - least) * 4.0 + 0.5;
                for n in 0..LOOKS {
                    if share < (n as f32 + 0.5) / LOOKS as f32 {
                        looks &= !(1 << n);
                    }
                }
                whole(&mut colour);
            }
            Alpha::Blend if colour[3] < 0.5 => return None,
            Alpha::Blend if colour[3] <= DENSE => return Some(colour),
            Alpha::Blend => {}
        }
        cell.lay(looks, near, colour, true);
        None
    }

    /// Premultiplied, to 255.
    fn colour(&self, x: f32, y: f32) -> [f32; 4] {
        let material = self.material;
        let mut colour = [255.0; 4];
        if let Some((texture, level)) = self.texture {
            colour = texture.look(level, [self.uv[0].at(x, y), self.uv[1].at(x, y)]);
        }
        let alpha = material.colour[3];
        for ((colour, tint), coat) in colour.iter_mut().zip(&self.tint).zip(&material.colour[..3]) {
            *colour *= tint.at(x, y) * coat * alpha;
        }
        colour[3] *= alpha;
        if let Some(normal) = &self.shine {
            let normal: V3 = std::array::from_fn(|k| normal[k].at(x, y));
            let facing = dot(normal, SHINE).max(0.0);
            let mut share = facing * facing / dot(normal, normal).max(1e-9);
            // The smoother, the smaller: from a sheen to the lamp's own reflection.
            for _ in 0..2 + (material.gloss * 5.0) as u32 {
                share *= share;
            }
            let add = share * material.gloss * material.gloss * 0.9 * 255.0 * colour[3];
            (0..3).for_each(|k| colour[k] = (colour[k] * colour[k] + add).sqrt());
        }
        (0..3).for_each(|k| colour[k] = colour[k].min(colour[3]));
        colour
    }
}

/// How bright it is between the lips, from shut to wide open.
fn opened(acted: &Acted) -> f32 {
    let lips = acted.get(Ch::UpperUp) + acted.get(Ch::LowerDown) + acted.get(Ch::Smile);
    ((acted.get(Ch::Jaw) + 0.35 * lips.max(0.0)) / OPEN).clamp(0.0, 1.0)
}

fn whole(colour: &mut [f32; 4]) {
    let by = 255.0 / colour[3].max(1.0);
    colour.iter_mut().for_each(|c| *c *= by);
    colour[3] = 255.0;
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
