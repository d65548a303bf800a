//! A model as it stands: all meshes in one, skinned, turned to the viewer, arms lowered.

use std::collections::BTreeMap;

use compere_avatar::Channel as Ch;
use serde_json::Value;

use super::acts;
use super::glb::{Glb, Result, item, number};

const VERTICES: usize = 400_000;
const NODES: usize = 8192;
/// Moved places of all expressions together.
const MOVED: usize = 12_000_000;

pub(super) type V3 = [f32; 3];

#[derive(Clone, Debug, Default)]
pub(super) struct Vertex {
    pub(super) at: V3,
    pub(super) normal: V3,
    pub(super) uv: [f32; 2],
    /// How far it goes with the head.
    pub(super) head: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Alpha {
    Opaque,
    Cut(f32),
    Blend,
}

#[derive(Clone, Debug)]
pub(super) struct Material {
    pub(super) colour: [f32; 4],
    pub(super) image: Option<usize>,
    pub(super) alpha: Alpha,
    pub(super) is_double: bool,
    pub(super) is_flat: bool,
}

/// Where an expression moves which vertices.
pub(super) type Moves = Vec<(u32, V3)>;

#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub(super) vertices: Vec<Vertex>,
    /// Corners and material.
    pub(super) triangles: Vec<([u32; 3], usize)>,
    pub(super) materials: Vec<Material>,
    pub(super) acts: Vec<(Ch, Moves)>,
    /// About which the head turns.
    pub(super) neck: V3,
    /// Between the eyes, and the middle of the mouth.
    pub(super) eyes: V3,
    pub(super) mouth: V3,
}

/// Columns, as glTF has them.
type M4 = [f32; 16];

const STILL: M4 = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

fn times(a: &M4, b: &M4) -> M4 {
    std::array::from_fn(|n| (0..4).map(|k| a[n % 4 + 4 * k] * b[n / 4 * 4 + k]).sum())
}

fn turned(m: &M4, v: V3) -> V3 {
    std::array::from_fn(|n| m[n] * v[0] + m[n + 4] * v[1] + m[n + 8] * v[2])
}

fn moved(m: &M4, v: V3) -> V3 {
    let t = turned(m, v);
    std::array::from_fn(|n| t[n] + m[n + 12])
}

fn unit(v: V3) -> V3 {
    let length = v.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-12);
    v.map(|x| x / length)
}

fn minus(a: V3, b: V3) -> V3 {
    std::array::from_fn(|n| a[n] - b[n])
}

fn numbers<const N: usize>(value: &Value, other: [f32; N]) -> [f32; N] {
    std::array::from_fn(|n| value[n].as_f64().map_or(other[n], |v| v as f32))
}

fn of_turn([x, y, z, w]: [f32; 4]) -> M4 {
    [
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y + z * w),
        2.0 * (x * z - y * w),
        0.0,
        2.0 * (x * y - z * w),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z + x * w),
        0.0,
        2.0 * (x * z + y * w),
        2.0 * (y * z - x * w),
        1.0 - 2.0 * (x * x + y * y),
        0.0,
        0.0,
        0.0,
        0.0,
        1.0,
    ]
}

fn local(node: &Value) -> M4 {
    if node["matrix"].is_array() {
        return numbers(&node["matrix"], STILL);
    }
    let mut m = of_turn(numbers(&node["rotation"], [0.0, 0.0, 0.0, 1.0]));
    let (scale, at) = (numbers(&node["scale"], [1.0; 3]), numbers(&node["translation"], [0.0; 3]));
    for n in 0..12 {
        m[n] *= scale[n / 4];
    }
    m[12..15].copy_from_slice(&at);
    m
}

/// The turn that leads one direction to another the short way, about a point.
fn swing(from: V3, to: V3, about: V3) -> M4 {
    let (a, b) = (unit(from), unit(to));
    let half = unit(std::array::from_fn(|n| a[n] + b[n]));
    let turn = of_turn([
        a[1] * half[2] - a[2] * half[1],
        a[2] * half[0] - a[0] * half[2],
        a[0] * half[1] - a[1] * half[0],
        a[0] * half[0] + a[1] * half[1] + a[2] * half[2],
    ]);
    let mut m = turn;
    m[12..15].copy_from_slice(&minus(about, turned(&turn, about)));
    m
}

/// The skeleton, posed.
struct Bones {
    world: Vec<M4>,
    /// In the order in which parents come first.
    parent: Vec<Option<usize>>,
    order: Vec<usize>,
}

impl Bones {
    fn of(nodes: &[Value]) -> Result<Self> {
        if nodes.len() > NODES {
            return Err(format!("it has {} nodes, and {NODES} is the most", nodes.len()));
        }
        let mut parent = vec![None; nodes.len()];
        for (n, node) in nodes.iter().enumerate() {
            for child in node["children"].as_array().into_iter().flatten() {
                let slot = parent.get_mut(number(child)).ok_or("a node is missing")?;
                if slot.replace(n).is_some() {
                    return Err("a node has two parents".to_owned());
                }
            }
        }
        let mut order: Vec<usize> = (0..nodes.len()).filter(|&n| parent[n].is_none()).collect();
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            order.extend(nodes[at]["children"].as_array().into_iter().flatten().map(number));
            next += 1;
        }
        if order.len() != nodes.len() {
            return Err("its nodes go round in a circle".to_owned());
        }
        let mut world = vec![STILL; nodes.len()];
        for &n in &order {
            let own = local(&nodes[n]);
            world[n] = parent[n].map_or(own, |above| times(&world[above], &own));
        }
        Ok(Self { world, parent, order })
    }

    fn below(&self, root: usize) -> Vec<bool> {
        let mut inside = vec![false; self.world.len()];
        for &n in &self.order {
            inside[n] = n == root || self.parent[n].is_some_and(|above| inside[above]);
        }
        inside
    }

    fn at(&self, n: usize) -> V3 {
        [self.world[n][12], self.world[n][13], self.world[n][14]]
    }

    /// Arms that stand off hang down.
    fn lower(&mut self, upper: usize, lower: usize) {
        let (from, elbow) = (self.at(upper), self.at(lower));
        let arm = unit(minus(elbow, from));
        if arm[1] < -0.85 {
            return;
        }
        let turn = swing(arm, [0.24 * arm[0].signum(), -0.97, 0.02], from);
        for (n, inside) in self.below(upper).into_iter().enumerate() {
            if inside {
                self.world[n] = times(&turn, &self.world[n]);
            }
        }
    }
}

/// Bones by the names of VRM, or what exporters call them.
fn bones(glb: &Glb<'_>) -> BTreeMap<String, usize> {
    let nodes = glb.list("nodes");
    let mut found = BTreeMap::new();
    for (n, node) in nodes.iter().enumerate() {
        let name = node["name"].as_str().unwrap_or_default().to_lowercase();
        let name = name.rsplit(':').next().unwrap_or_default().trim_start_matches("mixamorig");
        let bone = match name {
            "head" => "head",
            "leftarm" | "upperarm_l" | "leftupperarm" => "leftUpperArm",
            "rightarm" | "upperarm_r" | "rightupperarm" => "rightUpperArm",
            "leftforearm" | "lowerarm_l" | "leftlowerarm" => "leftLowerArm",
            "rightforearm" | "lowerarm_r" | "rightlowerarm" => "rightLowerArm",
            _ => continue,
        };
        found.entry(bone.to_owned()).or_insert(n);
    }
    let extensions = &glb.json["extensions"];
    for bone in extensions["VRM"]["humanoid"]["humanBones"].as_array().into_iter().flatten() {
        found.insert(bone["bone"].as_str().unwrap_or_default().to_owned(), number(&bone["node"]));
    }
    for (name, bone) in extensions["VRMC_vrm"]["humanoid"]["humanBones"].as_object().into_iter().flatten() {
        found.insert(name.clone(), number(&bone["node"]));
    }
    found.retain(|_, node| *node < nodes.len());
    found
}

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
        let is_head = head.as_ref().is_none_or(|head| head[n]);
        for part in mesh["primitives"].as_array().into_iter().flatten() {
            let placed = joints.as_ref().map_or(&own[..], |joints| joints.0.as_slice());
            let goes = |joint: usize| {
                joints.as_ref().map_or(is_head, |all| head.as_ref().is_none_or(|head| head[all.1[joint]]))
            };
            primitive(glb, part, placed, &goes, joints.is_some(), &mut shape, |target| {
                acts.weights(n, number(&node["mesh"]), mesh, target)
            })?;
        }
    }
    // The first VRM looks the other way.
    if glb.json["extensions"]["VRM"].is_object() {
        shape.about_face();
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
    goes: &dyn Fn(usize) -> bool,
    is_skinned: bool,
    shape: &mut Shape,
    mut weights: impl FnMut(usize) -> Vec<(Ch, f32)>,
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
    let (normals, uv) = (other("NORMAL", 3, 0.0)?, other("TEXCOORD_0", 2, 0.0)?);
    let (bones, shares) = (other("JOINTS_0", 4, 0.0)?, other("WEIGHTS_0", 4, 0.0)?);
    let first = shape.vertices.len() as u32;
    let mut blends = Vec::with_capacity(count);
    for n in 0..count {
        let mut blend = placed[0];
        let mut head = f32::from(u8::from(goes(0)));
        let sum: f32 = shares[4 * n..4 * n + 4].iter().sum();
        if is_skinned && sum > 0.0 {
            (blend, head) = ([0.0; 16], 0.0);
            for k in 4 * n..4 * n + 4 {
                let (joint, share) = (bones[k] as usize, shares[k] / sum);
                let matrix = placed.get(joint).ok_or("a joint is missing")?;
                blend.iter_mut().zip(matrix).for_each(|(to, from)| *to += share * from);
                head += if goes(joint) { share } else { 0.0 };
            }
        }
        shape.vertices.push(Vertex {
            at: moved(&blend, [at[3 * n], at[3 * n + 1], at[3 * n + 2]]),
            normal: unit(turned(&blend, [normals[3 * n], normals[3 * n + 1], normals[3 * n + 2]])),
            uv: [uv[2 * n], uv[2 * n + 1]],
            head,
        });
        blends.push(blend);
    }
    let corners = match part["indices"].is_null() {
        true => (0..count as u32).collect(),
        false => glb.numbers(&part["indices"], 1)?.iter().map(|&n| n as u32).collect::<Vec<_>>(),
    };
    if corners.iter().any(|&corner| corner as usize >= count) {
        return Err("a triangle has a corner that is missing".to_owned());
    }
    let material = if part["material"].is_null() { shape.materials.len() - 1 } else { number(&part["material"]) };
    if material >= shape.materials.len() {
        return Err("a material is missing".to_owned());
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
        for (ch, weight) in wanted {
            shape.act(ch, weight, &moves);
        }
        if shape.acts.iter().map(|(_, moves)| moves.len()).sum::<usize>() > MOVED {
            return Err("its expressions move too many places".to_owned());
        }
    }
    Ok(())
}

fn materials(glb: &Glb<'_>) -> Result<Vec<Material>> {
    let plain = Value::Null;
    let of = |material: &Value| {
        let base = &material["pbrMetallicRoughness"];
        let texture = item(glb.list("textures"), &base["baseColorTexture"]["index"]);
        let image = texture.map(|texture| number(&texture["source"]));
        if image.is_some_and(|image| image >= glb.list("images").len()) {
            return Err("a picture is missing, or packed in a way that is not read".to_owned());
        }
        let extensions = &material["extensions"];
        Ok(Material {
            colour: numbers(&base["baseColorFactor"], [1.0; 4]),
            image,
            alpha: match material["alphaMode"].as_str() {
                Some("MASK") => Alpha::Cut(material["alphaCutoff"].as_f64().unwrap_or(0.5) as f32),
                Some("BLEND") => Alpha::Blend,
                _ => Alpha::Opaque,
            },
            is_double: material["doubleSided"].as_bool().unwrap_or(false),
            is_flat: extensions["KHR_materials_unlit"].is_object() || extensions["VRMC_materials_mtoon"].is_object(),
        })
    };
    glb.list("materials").iter().chain([&plain]).map(of).collect()
}

impl Shape {
    fn act(&mut self, ch: Ch, weight: f32, moves: &Moves) {
        let scaled = moves.iter().map(|&(n, by)| (n, by.map(|v| v * weight)));
        match self.acts.iter_mut().find(|(known, _)| *known == ch) {
            Some((_, all)) => all.extend(scaled),
            None => self.acts.push((ch, scaled.collect())),
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
        let (_, moves) = self.acts.iter().find(|(known, _)| *known == ch)?;
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
