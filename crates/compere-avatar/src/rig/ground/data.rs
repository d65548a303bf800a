//! Reading the fetched data: the base mesh, its targets, the rig's weights and the masks.
//!
//! Units are decimetres, y up, +z out of the face, +x the character's left, which is the picture's right.

use std::collections::HashMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::v3::V3;
use crate::AvatarError;

/// All people look at the camera from this height.
pub(crate) const EYE_Y: f32 = 6.8;

/// Moves of single vertices.
pub(crate) type Deltas = Vec<(u32, V3)>;

pub(crate) struct Quad {
    pub(crate) corners: [u32; 4],
    pub(crate) group: usize,
}

/// What is shared by all presenters.
pub(crate) struct Library {
    root: PathBuf,
    pub(crate) vertices: Vec<V3>,
    pub(crate) quads: Vec<Quad>,
    groups: Vec<String>,
    weights: HashMap<String, Vec<(u32, f32)>>,
    /// Lips, lids, ears and inside of the mouth, per vertex, 0 to 1.
    pub(crate) masks: Vec<[f32; 4]>,
}

/// Places spread evenly over a quad of these corners: its points are sparse, and what is measured between them would have
/// holes.
pub(crate) fn samples([a, b, c, d]: [V3; 4]) -> impl Iterator<Item = V3> {
    const SIDE: usize = 6;
    (0..SIDE * SIDE).map(move |at| {
        let [u, v] = [at % SIDE, at / SIDE].map(|k| (k as f32 + 0.5) / SIDE as f32);
        std::array::from_fn(|k| (a[k] * (1.0 - u) + b[k] * u) * (1.0 - v) + (d[k] * (1.0 - u) + c[k] * u) * v)
    })
}

impl Library {
    pub(crate) fn open(root: &Path) -> Result<Self, AvatarError> {
        let mut library = Self {
            root: root.to_owned(),
            vertices: Vec::new(),
            quads: Vec::new(),
            groups: Vec::new(),
            weights: HashMap::new(),
            masks: Vec::new(),
        };
        let uvs = library.read_mesh()?;
        library.read_weights()?;
        library.read_masks(&uvs)?;
        Ok(library)
    }

    fn bytes(&self, file: &str) -> Result<Vec<u8>, AvatarError> {
        let path = self.root.join(file);
        fs::read(&path).map_err(|error| {
            let file = path.display().to_string();
            if error.kind() == std::io::ErrorKind::NotFound {
                let root = self.root.parent().unwrap_or(&self.root).display().to_string();
                AvatarError::MissingData { file, root }
            } else {
                AvatarError::DamagedData { file, why: error.to_string() }
            }
        })
    }

    fn damaged(&self, file: &str, why: impl std::fmt::Display) -> AvatarError {
        AvatarError::DamagedData { file: self.root.join(file).display().to_string(), why: why.to_string() }
    }

    fn text(&self, file: &str) -> Result<String, AvatarError> {
        let bytes = self.bytes(file)?;
        let bytes = if file.ends_with(".gz") {
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut plain).map_err(|e| self.damaged(file, e))?;
            plain
        } else {
            bytes
        };
        String::from_utf8(bytes).map_err(|e| self.damaged(file, e))
    }

    /// Fills vertices, quads and groups; returns a texture coordinate per vertex.
    fn read_mesh(&mut self) -> Result<Vec<[f32; 2]>, AvatarError> {
        const FILE: &str = "mpfb2/3dobjs/base.obj";
        let text = self.text(FILE)?;
        let mut uv_table: Vec<[f32; 2]> = Vec::new();
        let mut uv_of: HashMap<u32, usize> = HashMap::new();
        let mut group = 0;
        for line in text.lines() {
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("v") => self.vertices.push(floats(words).ok_or_else(|| self.damaged(FILE, line))?),
                Some("vt") => uv_table.push(floats(words).ok_or_else(|| self.damaged(FILE, line))?),
                Some("g") => {
                    let name = words.next().unwrap_or("");
                    group = self.groups.iter().position(|g| g == name).unwrap_or_else(|| {
                        self.groups.push(name.to_owned());
                        self.groups.len() - 1
                    });
                }
                Some("f") => {
                    let corners: Option<Vec<(u32, usize)>> = words.map(corner).collect();
                    let corners = corners.filter(|c| c.len() == 4).ok_or_else(|| self.damaged(FILE, line))?;
                    for &(vertex, uv) in &corners {
                        uv_of.insert(vertex, uv);
                    }
                    self.quads.push(Quad { corners: std::array::from_fn(|k| corners[k].0), group });
                }
                _ => {}
            }
        }
        let vertices = self.vertices.len();
        let sane = vertices == 19_158 && self.quads.iter().all(|q| q.corners.iter().all(|&c| (c as usize) < vertices));
        if !sane {
            return Err(self.damaged(FILE, format!("{vertices} vertices where 19158 belong")));
        }
        let uv = |vertex: usize| uv_of.get(&(vertex as u32)).and_then(|&at| uv_table.get(at)).copied();
        Ok((0..vertices).map(|vertex| uv(vertex).unwrap_or([0.0, 0.0])).collect())
    }

    fn read_weights(&mut self) -> Result<(), AvatarError> {
        const FILE: &str = "mpfb2/rigs/standard/weights.default.json";
        let text = self.text(FILE)?;
        let mut json: serde_json::Value = serde_json::from_str(&text).map_err(|e| self.damaged(FILE, e))?;
        self.weights = serde_json::from_value(json["weights"].take()).map_err(|e| self.damaged(FILE, e))?;
        Ok(())
    }

    fn read_masks(&mut self, uvs: &[[f32; 2]]) -> Result<(), AvatarError> {
        self.masks = vec![[0.0; 4]; self.vertices.len()];
        for (at, name) in ["lips", "eyelids", "ears", "inside-mouth"].into_iter().enumerate() {
            let file = format!("mpfb2/textures/mpfb_{name}.jpg");
            let bytes = self.bytes(&file)?;
            let options = zune_jpeg::zune_core::options::DecoderOptions::default()
                .jpeg_set_out_colorspace(zune_jpeg::zune_core::colorspace::ColorSpace::Luma);
            let cursor = zune_jpeg::zune_core::bytestream::ZCursor::new(&bytes);
            let mut decoder = zune_jpeg::JpegDecoder::new_with_options(cursor, options);
            let pixels = decoder.decode().map_err(|e| self.damaged(&file, format!("{e:?}")))?;
            let (width, height) = decoder.dimensions().unwrap_or((0, 0));
            if width < 2 || height < 2 || pixels.len() != width * height {
                return Err(self.damaged(&file, "not a grey picture"));
            }
            for (mask, uv) in self.masks.iter_mut().zip(uvs) {
                let x = (uv[0] * (width - 1) as f32).clamp(0.0, (width - 1) as f32) as usize;
                let y = ((1.0 - uv[1]) * (height - 1) as f32).clamp(0.0, (height - 1) as f32) as usize;
                mask[at] = f32::from(pixels[y * width + x]) / 255.0;
            }
        }
        // The masks speak of the body only.
        let body = self.members(&["body"]);
        let inside: std::collections::HashSet<u32> = body.into_iter().collect();
        for (vertex, mask) in self.masks.iter_mut().enumerate() {
            if !inside.contains(&(vertex as u32)) {
                *mask = [0.0; 4];
            }
        }
        Ok(())
    }

    fn parse_target(&self, file: &str) -> Result<Deltas, AvatarError> {
        let text = self.text(file)?;
        let mut out = Vec::new();
        for line in text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
            let mut words = line.split_ascii_whitespace();
            let index = words.next().and_then(|w| w.parse::<u32>().ok());
            let index = index.filter(|&i| (i as usize) < self.vertices.len());
            let delta = floats(words);
            out.push(index.zip(delta).ok_or_else(|| self.damaged(file, line))?);
        }
        Ok(out)
    }

    /// A shape of the body, such as `head/head-oval`.
    pub(crate) fn target(&self, name: &str) -> Result<Deltas, AvatarError> {
        self.parse_target(&format!("mpfb2/targets/{name}.target.gz"))
    }

    /// An expression by its ARKit name.
    pub(crate) fn expression(&self, name: &str) -> Result<Deltas, AvatarError> {
        self.parse_target(&format!("faceunits01/targets/faceunits/{name}.target"))
    }

    pub(crate) fn group(&self, name: &str) -> Option<usize> {
        self.groups.iter().position(|g| g == name)
    }

    /// All vertices of these groups, in order.
    pub(crate) fn members(&self, groups: &[&str]) -> Vec<u32> {
        let ids: Vec<usize> = groups.iter().filter_map(|g| self.group(g)).collect();
        let quads = self.quads.iter().filter(|q| ids.contains(&q.group));
        let mut all: Vec<u32> = quads.flat_map(|q| q.corners).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Weights of the bones for which `chosen` holds, summed per vertex.
    pub(crate) fn bone_weights(&self, chosen: impl Fn(&str) -> bool) -> Vec<f32> {
        let mut out = vec![0.0; self.vertices.len()];
        // In the order of names: sums of floats must not depend on a hash.
        let mut names: Vec<&String> = self.weights.keys().filter(|name| chosen(name)).collect();
        names.sort_unstable();
        for name in names {
            for &(vertex, weight) in &self.weights[name] {
                if let Some(sum) = out.get_mut(vertex as usize) {
                    *sum += weight;
                }
            }
        }
        out
    }
}

fn floats<'a, const N: usize>(words: impl Iterator<Item = &'a str>) -> Option<[f32; N]> {
    let parsed: Vec<f32> = words.take(N).map_while(|w| w.parse().ok()).collect();
    parsed.try_into().ok()
}

/// `vertex/uv`, counted from one.
fn corner(word: &str) -> Option<(u32, usize)> {
    let (vertex, rest) = word.split_once('/')?;
    let uv = rest.split('/').next()?;
    Some((vertex.parse::<u32>().ok()?.checked_sub(1)?, uv.parse::<usize>().ok()?.checked_sub(1)?))
}
