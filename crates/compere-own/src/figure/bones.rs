//! The skeleton of a model: where its bones lead, and which is which.

use std::collections::BTreeMap;

use serde_json::Value;

use super::glb::{Glb, Result, number};
use super::mesh::V3;

const NODES: usize = 8192;

/// Columns, as glTF has them.
pub(super) type M4 = [f32; 16];

pub(super) const STILL: M4 = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

pub(super) fn times(a: &M4, b: &M4) -> M4 {
    std::array::from_fn(|n| (0..4).map(|k| a[n % 4 + 4 * k] * b[n / 4 * 4 + k]).sum())
}

pub(super) fn turned(m: &M4, v: V3) -> V3 {
    std::array::from_fn(|n| m[n] * v[0] + m[n + 4] * v[1] + m[n + 8] * v[2])
}

pub(super) fn moved(m: &M4, v: V3) -> V3 {
    let t = turned(m, v);
    std::array::from_fn(|n| t[n] + m[n + 12])
}

pub(super) fn unit(v: V3) -> V3 {
    let length = v.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-12);
    v.map(|x| x / length)
}

pub(super) fn minus(a: V3, b: V3) -> V3 {
    std::array::from_fn(|n| a[n] - b[n])
}

pub(super) fn numbers<const N: usize>(value: &Value, other: [f32; N]) -> [f32; N] {
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
pub(super) struct Bones {
    pub(super) world: Vec<M4>,
    /// In the order in which parents come first.
    parent: Vec<Option<usize>>,
    order: Vec<usize>,
}

impl Bones {
    pub(super) fn of(nodes: &[Value]) -> Result<Self> {
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

    pub(super) fn below(&self, root: usize) -> Vec<bool> {
        let mut inside = vec![false; self.world.len()];
        for &n in &self.order {
            inside[n] = n == root || self.parent[n].is_some_and(|above| inside[above]);
        }
        inside
    }

    pub(super) fn at(&self, n: usize) -> V3 {
        [self.world[n][12], self.world[n][13], self.world[n][14]]
    }

    /// Arms that stand off hang down.
    pub(super) fn lower(&mut self, upper: usize, lower: usize) {
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
pub(super) fn bones(glb: &Glb<'_>) -> BTreeMap<String, usize> {
    let nodes = glb.list("nodes");
    let mut found = BTreeMap::new();
    for (n, node) in nodes.iter().enumerate() {
        let name = node["name"].as_str().unwrap_or_default().to_lowercase();
        let name = name.rsplit(':').next().unwrap_or_default().trim_start_matches("mixamorig");
        let bone = match name {
            "head" => "head",
            "lefteye" | "eye_l" | "eye.l" => "leftEye",
            "righteye" | "eye_r" | "eye.r" => "rightEye",
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
