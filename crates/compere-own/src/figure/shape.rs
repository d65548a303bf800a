//! A model as it stands: all meshes in one, skinned, turned to the viewer, arms lowered.

use compere_avatar::Channel as Ch;
use compere_media::math;
use serde_json::Value;

use super::acts;
use super::bones::{Bones, M4, STILL, bones, minus, moved, numbers, times, turned, unit};
use super::glb::{Glb, Result, item, number};
use super::mesh::{Alpha, Cue, Material, Moves, Shape, V3, Vertex};

const VERTICES: usize = 400_000;
const TRIANGLES: usize = 800_000;
/// How much of a drawn material is as bright as its picture says.
const DRAWN: f32 = 0.6;
/// Moved places of all expressions together.
const MOVED: usize = 12_000_000;

/// What goes with one joint.
#[derive(Clone, Copy, Default)]
struct Goes {
    head: bool,
    /// The left or the right one.
    eye: Option<usize>,
}

/// Vertices of an eye that a bone turns, and how much of each.
type Eyes = [Vec<(u32, f32)>; 2];

/// The whole file.
pub(super) fn shape(glb: &Glb<'_>) -> Result<Shape> {
    let nodes = glb.list("nodes");
    let mut skeleton = Bones::of(nodes)?;
    let names = bones(glb);
    for side in ["left", "right"] {
        let bone = |part: &str| names.get(&format!("{side}{part}")).copied();
        if let (Some(upper), Some(lower)) = (bone("UpperArm"), bone("LowerArm")) {
            skeleton.lower(upper, lower);
        }
    }
    let head = names.get("head").map(|&head| skeleton.below(head));
    let sockets = ["leftEye", "rightEye"].map(|name| names.get(name).copied());
    let eyes = sockets.map(|eye| eye.map(|eye| skeleton.below(eye)));
    let with = |node: usize| Goes {
        head: head.as_ref().is_none_or(|head| head[node]),
        eye: (0..2).find(|&side| eyes[side].as_ref().is_some_and(|below| below[node])),
    };
    let mut balls = Eyes::default();
    let mut shape = Shape { materials: materials(glb)?, ..Shape::default() };
    if let Some(&head) = names.get("head") {
        shape.neck = skeleton.at(head);
    }
    let mut acts = acts::Acts::of(glb);
    for (n, node) in nodes.iter().enumerate() {
        if node["mesh"].is_null() {
            continue;
        }
        let mesh = item(glb.list("meshes"), &node["mesh"]).ok_or("a mesh is missing")?;
        let joints = joints(glb, node, &skeleton)?;
        let own = [skeleton.world[n]];
        for part in mesh["primitives"].as_array().into_iter().flatten() {
            let placed = joints.as_ref().map_or(&own[..], |joints| joints.0.as_slice());
            let goes = |joint: usize| joints.as_ref().map_or(with(n), |all| with(all.1[joint]));
            primitive(glb, part, placed, &goes, joints.is_some(), (&mut shape, &mut balls), |target| {
                acts.weights(n, number(&node["mesh"]), mesh, target)
            })?;
        }
    }
    // The first VRM looks the other way.
    if glb.json["extensions"]["VRM"].is_object() {
        shape.about_face();
    }
    for (eye, ball) in sockets.into_iter().zip(&balls) {
        if let Some(eye) = eye.filter(|_| !acts.has_gaze()) {
            let at = skeleton.at(eye);
            let is_old = glb.json["extensions"]["VRM"].is_object();
            shape.gaze(if is_old { [-at[0], at[1], -at[2]] } else { at }, ball);
        }
    }
    shape.found()
}

/// Where each joint leads, and which node it is.
type Joints = (Vec<M4>, Vec<usize>);

fn joints(glb: &Glb<'_>, node: &Value, skeleton: &Bones) -> Result<Option<Joints>> {
    let Some(skin) = item(glb.list("skins"), &node["skin"]) else { return Ok(None) };
    let list: Vec<usize> = skin["joints"].as_array().into_iter().flatten().map(number).collect();
    let back = if skin["inverseBindMatrices"].is_null() {
        STILL.repeat(list.len())
    } else {
        glb.numbers(&skin["inverseBindMatrices"], 16)?
    };
    if list.is_empty() || back.len() < 16 * list.len() {
        return Err("a skin has no joints".to_owned());
    }
    let mut all = Vec::new();
    for (joint, back) in list.iter().zip(back.as_chunks::<16>().0) {
        all.push(times(skeleton.world.get(*joint).ok_or("a joint is missing")?, back));
    }
    Ok(Some((all, list)))
}

fn primitive(
    glb: &Glb<'_>,
    part: &Value,
    placed: &[M4],
    goes: &dyn Fn(usize) -> Goes,
    is_skinned: bool,
    (shape, balls): (&mut Shape, &mut Eyes),
    mut weights: impl FnMut(usize) -> Vec<(Cue, f32)>,
) -> Result<()> {
    if part["mode"].as_u64().unwrap_or(4) != 4 {
        return Ok(());
    }
    let held = &part["attributes"];
    let at = glb.numbers(&held["POSITION"], 3)?;
    let count = at.len() / 3;
    if shape.vertices.len() + count > VERTICES {
        return Err(format!("it has more than {VERTICES} vertices"));
    }
    let other = |name: &str, width: usize, value: f32| -> Result<Vec<f32>> {
        let found = if held[name].is_null() { vec![value; count * width] } else { glb.numbers(&held[name], width)? };
        if found.len() == count * width { Ok(found) } else { Err(format!("{name} is of another length")) }
    };
    let corners = match part["indices"].is_null() {
        true => (0..count as u32).collect(),
        false => glb.numbers(&part["indices"], 1)?.iter().map(|&n| n as u32).collect::<Vec<_>>(),
    };
    if corners.iter().any(|&corner| corner as usize >= count) {
        return Err("a triangle has a corner that is missing".to_owned());
    }
    if shape.triangles.len() + corners.len() / 3 > TRIANGLES {
        return Err(format!("it has more than {TRIANGLES} triangles"));
    }
    let normals = if held["NORMAL"].is_null() { bulging(&at, &corners) } else { other("NORMAL", 3, 0.0)? };
    let material = if part["material"].is_null() { shape.materials.len() - 1 } else { number(&part["material"]) };
    if material >= shape.materials.len() {
        return Err("a material is missing".to_owned());
    }
    let (uv, laid) = (other("TEXCOORD_0", 2, 0.0)?, Laid::of(glb, &part["material"]));
    let (bones, shares) = (other("JOINTS_0", 4, 0.0)?, other("WEIGHTS_0", 4, 0.0)?);
    let first = shape.vertices.len() as u32;
    let mut blends = Vec::with_capacity(count);
    for n in 0..count {
        let mut blend = placed[0];
        let goes_alone = if is_skinned { Goes::default() } else { goes(0) };
        let mut head = f32::from(u8::from(goes_alone.head));
        if let Some(side) = goes_alone.eye {
            balls[side].push((first + n as u32, 1.0));
        }
        let sum: f32 = shares[4 * n..4 * n + 4].iter().sum();
        if is_skinned && sum > 0.0 {
            (blend, head) = ([0.0; 16], 0.0);
            for k in 4 * n..4 * n + 4 {
                let (joint, share) = (bones[k] as usize, shares[k] / sum);
                let matrix = placed.get(joint).ok_or("a joint is missing")?;
                blend.iter_mut().zip(matrix).for_each(|(to, from)| *to += share * from);
                let goes = goes(joint);
                head += if goes.head { share } else { 0.0 };
                if let Some(side) = goes.eye.filter(|_| share > 0.0) {
                    balls[side].push((first + n as u32, share));
                }
            }
        }
        shape.vertices.push(Vertex {
            at: moved(&blend, [at[3 * n], at[3 * n + 1], at[3 * n + 2]]),
            normal: unit(turned(&blend, [normals[3 * n], normals[3 * n + 1], normals[3 * n + 2]])),
            uv: laid.at([uv[2 * n], uv[2 * n + 1]]),
            head,
        });
        blends.push(blend);
    }
    shape.triangles.extend(corners.as_chunks::<3>().0.iter().map(|c| (c.map(|n| n + first), material)));
    for (n, target) in part["targets"].as_array().into_iter().flatten().enumerate() {
        let wanted = weights(n);
        if wanted.is_empty() || target["POSITION"].is_null() {
            continue;
        }
        let by = glb.numbers(&target["POSITION"], 3)?;
        if by.len() != at.len() {
            return Err("an expression is of another length".to_owned());
        }
        let moves = by.as_chunks::<3>().0.iter().enumerate().filter(|(_, by)| by.iter().any(|v| v.abs() > 1e-7));
        let moves: Moves = moves.map(|(n, by)| (first + n as u32, turned(&blends[n], *by))).collect();
        for (cue, weight) in wanted {
            shape.act(cue, weight, &moves);
        }
        if shape.acts.iter().map(|(_, moves)| moves.len()).sum::<usize>() > MOVED {
            return Err("its expressions move too many places".to_owned());
        }
    }
    Ok(())
}

/// How a material's picture lies on its meshes (KHR_texture_transform).
struct Laid {
    offset: [f32; 2],
    scale: [f32; 2],
    /// Sine and cosine.
    turn: [f32; 2],
}

impl Laid {
    fn of(glb: &Glb<'_>, material: &Value) -> Self {
        let nothing = Value::Null;
        let material = item(glb.list("materials"), material).unwrap_or(&nothing);
        let by = &material["pbrMetallicRoughness"]["baseColorTexture"]["extensions"]["KHR_texture_transform"];
        let (sine, cosine) = math::sin_cos(by["rotation"].as_f64().unwrap_or(0.0));
        let (offset, scale) = (numbers(&by["offset"], [0.0; 2]), numbers(&by["scale"], [1.0; 2]));
        Self { offset, scale, turn: [sine as f32, cosine as f32] }
    }

    fn at(&self, uv: [f32; 2]) -> [f32; 2] {
        let ([u, v], [sine, cosine]) = ([uv[0] * self.scale[0], uv[1] * self.scale[1]], self.turn);
        [u * cosine + v * sine + self.offset[0], v * cosine - u * sine + self.offset[1]]
    }
}

/// Normals of a mesh that came without: the mean of what the triangles about a vertex say, the larger the louder.
fn bulging(at: &[f32], corners: &[u32]) -> Vec<f32> {
    let place = |n: u32| -> V3 { std::array::from_fn(|k| at[3 * n as usize + k]) };
    let mut all = vec![0.0; at.len()];
    for three in corners.as_chunks::<3>().0 {
        let [a, b, c] = three.map(place);
        let (u, v) = (minus(b, a), minus(c, a));
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        for &corner in three {
            (0..3).for_each(|k| all[3 * corner as usize + k] += normal[k]);
        }
    }
    all
}

fn materials(glb: &Glb<'_>) -> Result<Vec<Material>> {
    let plain = Value::Null;
    // The first VRM says "unlit" where it means its own way of drawing.
    let is_old = glb.json["extensions"]["VRM"].is_object();
    let of = |material: &Value| {
        let base = &material["pbrMetallicRoughness"];
        let texture = item(glb.list("textures"), &base["baseColorTexture"]["index"]);
        let image = texture.map(|texture| number(&texture["source"]));
        if image.is_some_and(|image| image >= glb.list("images").len()) {
            return Err("a picture is missing, or packed in a way that is not read".to_owned());
        }
        let extensions = &material["extensions"];
        Ok(Material {
            colour: shown(numbers(&base["baseColorFactor"], [1.0; 4])),
            image,
            alpha: match material["alphaMode"].as_str() {
                Some("MASK") => Alpha::Cut(material["alphaCutoff"].as_f64().unwrap_or(0.5) as f32),
                Some("BLEND") => Alpha::Blend,
                _ => Alpha::Opaque,
            },
            is_double: material["doubleSided"].as_bool().unwrap_or(false),
            flat: match () {
                () if extensions["VRMC_materials_mtoon"].is_object() => DRAWN,
                () if extensions["KHR_materials_unlit"].is_object() => {
                    if is_old {
                        DRAWN
                    } else {
                        1.0
                    }
                }
                () => 0.0,
            },
            gloss: (1.0 - base["roughnessFactor"].as_f64().unwrap_or(1.0) as f32).clamp(0.0, 1.0),
        })
    };
    glb.list("materials").iter().chain([&plain]).map(of).collect()
}

/// A factor is of light, and pictures are of what eyes see.
fn shown(mut colour: [f32; 4]) -> [f32; 4] {
    colour.iter_mut().for_each(|c| *c = c.clamp(0.0, 1.0));
    colour[..3].iter_mut().for_each(|c| *c = c.sqrt());
    colour
}

impl Shape {
    /// Eyes that bones turn, by as much as expressions would. So small a turn is nearly straight.
    fn gaze(&mut self, about: V3, ball: &[(u32, f32)]) {
        for (cue, turn) in [(Ch::LookX, [0.50, 0.0]), (Ch::LookY, [0.0, 0.40])] {
            for is_back in [false, true] {
                let [x, y] = turn.map(|by| if is_back { -by } else { by });
                let by = |&(n, share): &(u32, f32)| {
                    let from = minus(self.vertices[n as usize].at, about);
                    (n, [x * from[2], y * from[2], -x * from[0] - y * from[1]].map(|v| v * share))
                };
                let moves: Moves = ball.iter().map(by).collect();
                self.act(Cue { ch: cue, is_back }, 1.0, &moves);
            }
        }
    }

    fn act(&mut self, cue: Cue, weight: f32, moves: &Moves) {
        let scaled = moves.iter().map(|&(n, by)| (n, by.map(|v| v * weight)));
        match self.acts.iter_mut().find(|(known, _)| *known == cue) {
            Some((_, all)) => all.extend(scaled),
            None => self.acts.push((cue, scaled.collect())),
        }
    }

    fn about_face(&mut self) {
        let turn = |v: &mut V3| *v = [-v[0], v[1], -v[2]];
        for vertex in &mut self.vertices {
            turn(&mut vertex.at);
            turn(&mut vertex.normal);
        }
        self.acts.iter_mut().flat_map(|(_, moves)| moves).for_each(|(_, by)| turn(by));
        turn(&mut self.neck);
    }

    /// Eyes are where lids move, the mouth is where the jaw opens it.
    fn found(mut self) -> Result<Self> {
        self.eyes = self.middle(Ch::Blink).ok_or("no expression shuts the eyes (eyeBlinkLeft, blink)")?;
        self.mouth = self.middle(Ch::Jaw).ok_or("no expression opens the mouth (jawOpen, viseme_aa, aa)")?;
        let apart = self.eyes[1] - self.mouth[1];
        if apart <= 1e-6 {
            return Err("its eyes are not above its mouth".to_owned());
        }
        if self.neck == [0.0; 3] {
            self.neck = [self.mouth[0], self.mouth[1] - apart, self.mouth[2] - 1.2 * apart];
        }
        Ok(self)
    }

    fn middle(&self, ch: Ch) -> Option<V3> {
        let (_, moves) = self.acts.iter().find(|(known, _)| *known == Cue::on(ch))?;
        let (mut sum, mut all) = ([0.0; 3], 0.0_f32);
        for (n, by) in moves {
            // Lips move most; the chin goes with them.
            let share = by.iter().map(|v| v * v).sum::<f32>();
            let at = self.vertices[*n as usize].at;
            (0..3).for_each(|k| sum[k] += share * at[k]);
            all += share;
        }
        (all > 0.0).then(|| sum.map(|v| v / all))
    }
}
