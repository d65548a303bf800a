//! What goes through the pipe from the child that reads a model: a head in JSON, then numbers, then pictures as they lie in
//! the file. The child is believed as little as the file: every length and index is checked again.

use compere_avatar::Channel as Ch;
use serde::{Deserialize, Serialize};

use super::glb::{Glb, Result};
use super::licence::{Licence, licence};
use super::mesh::{Alpha, Cue, Material, Shape, V3, Vertex};
use super::shape::shape;

const IMAGES: usize = 64;
/// Bytes of all pictures, which may lie in the same place of the file.
const PICTURED: usize = 128 << 20;
const VERTEX: usize = 9;

/// The order in which channels are counted.
const CHANNELS: [Ch; 21] = [
    Ch::Jaw,
    Ch::Funnel,
    Ch::Pucker,
    Ch::Press,
    Ch::RollLower,
    Ch::RollUpper,
    Ch::Smile,
    Ch::Stretch,
    Ch::UpperUp,
    Ch::LowerDown,
    Ch::Tongue,
    Ch::Dimple,
    Ch::Cheek,
    Ch::Blink,
    Ch::Squint,
    Ch::Wide,
    Ch::BrowInner,
    Ch::BrowOuter,
    Ch::BrowDown,
    Ch::LookX,
    Ch::LookY,
];

/// A material as it goes through the pipe: colour, picture, where alpha cuts, blended, seen from both sides, light and gloss.
type Coat = ([f32; 4], Option<usize>, Option<f32>, bool, bool, [f32; 2]);

#[derive(Default, Serialize, Deserialize)]
struct Head {
    /// Why it cannot be used; then nothing follows.
    refused: Option<String>,
    licence: String,
    vertices: usize,
    triangles: usize,
    /// Channel, whether it is its way back, and moved places of each.
    acts: Vec<(usize, bool, usize)>,
    materials: Vec<Coat>,
    images: Vec<usize>,
    neck: V3,
    eyes: V3,
    mouth: V3,
}

pub(super) struct Flat {
    pub(super) shape: Shape,
    pub(super) images: Vec<Vec<u8>>,
    pub(super) licence: String,
}

pub(super) fn refusal(what: &str) -> Vec<u8> {
    framed(&Head { refused: Some(what.to_owned()), ..Head::default() })
}

fn framed(head: &Head) -> Vec<u8> {
    let text = serde_json::to_vec(head).unwrap_or_default();
    [&(text.len() as u32).to_le_bytes()[..], &text].concat()
}

pub(super) fn of_file(file: &[u8]) -> Result<Flat> {
    let glb = Glb::read(file)?;
    let Licence { told, forbidden } = licence(&glb.json);
    if !forbidden.is_empty() {
        let whose = if told.is_empty() { String::new() } else { format!(" ({told})") };
        return Err(format!("its licence{whose} forbids to show it here: {}", forbidden.join(", ")));
    }
    if glb.list("images").len() > IMAGES {
        return Err(format!("it has more than {IMAGES} pictures"));
    }
    let images = glb.list("images").iter().map(|image| glb.view(&image["bufferView"]).map(|(bytes, _)| bytes.to_vec()));
    let images: Vec<Vec<u8>> = images.collect::<Result<_>>()?;
    if images.iter().map(Vec::len).sum::<usize>() > PICTURED {
        return Err(format!("its pictures are larger than {} MB", PICTURED >> 20));
    }
    Ok(Flat { shape: shape(&glb)?, images, licence: told })
}

impl Flat {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let shape = &self.shape;
        let channel = |cue: &Cue| CHANNELS.iter().position(|known| *known == cue.ch).unwrap_or(0);
        let material = |m: &Material| {
            let cut = if let Alpha::Cut(least) = m.alpha { Some(least) } else { None };
            (m.colour, m.image, cut, m.alpha == Alpha::Blend, m.is_double, [m.flat, m.gloss])
        };
        let mut out = framed(&Head {
            refused: None,
            licence: self.licence.clone(),
            vertices: shape.vertices.len(),
            triangles: shape.triangles.len(),
            acts: shape.acts.iter().map(|(cue, moves)| (channel(cue), cue.is_back, moves.len())).collect(),
            materials: shape.materials.iter().map(material).collect(),
            images: self.images.iter().map(Vec::len).collect(),
            neck: shape.neck,
            eyes: shape.eyes,
            mouth: shape.mouth,
        });
        let mut put = |word: u32| out.extend(word.to_le_bytes());
        for Vertex { at, normal, uv, head } in &shape.vertices {
            at.iter().chain(normal).chain(uv).chain([head]).for_each(|v| put(v.to_bits()));
        }
        for (corners, material) in &shape.triangles {
            corners.iter().for_each(|&corner| put(corner));
            put(*material as u32);
        }
        for (n, by) in shape.acts.iter().flat_map(|(_, moves)| moves) {
            put(*n);
            by.iter().for_each(|v| put(v.to_bits()));
        }
        self.images.iter().for_each(|image| out.extend(image));
        out
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut rest = Rest(bytes);
        let length = rest.word()? as usize;
        let head: Head = serde_json::from_slice(rest.take(length)?).map_err(|error| error.to_string())?;
        if let Some(refused) = head.refused {
            return Err(refused);
        }
        // Nothing is set aside for more than there is.
        let most = bytes.len() / 4;
        if head.vertices > most / VERTEX || head.triangles > most / 4 || head.acts.iter().any(|act| act.2 > most / 4) {
            return Err("it ends too early".to_owned());
        }
        let places = [head.neck, head.eyes, head.mouth];
        if places.iter().flatten().any(|v| !v.is_finite()) || head.eyes[1] <= head.mouth[1] {
            return Err("its face is nowhere".to_owned());
        }
        let mut shape = Shape { neck: head.neck, eyes: head.eyes, mouth: head.mouth, ..Shape::default() };
        for _ in 0..head.vertices {
            let [a, b, c, d, e, f, g, h, head] = rest.floats::<VERTEX>()?;
            shape.vertices.push(Vertex { at: [a, b, c], normal: [d, e, f], uv: [g, h], head });
        }
        let corner = |rest: &mut Rest<'_>, of: usize| {
            rest.word().and_then(|n| if (n as usize) < of { Ok(n) } else { Err("a number is out of range".to_owned()) })
        };
        for _ in 0..head.triangles {
            let mut next = || corner(&mut rest, head.vertices);
            let corners = [next()?, next()?, next()?];
            shape.triangles.push((corners, corner(&mut rest, head.materials.len())? as usize));
        }
        for (channel, is_back, count) in head.acts {
            let ch = *CHANNELS.get(channel).ok_or("a number is out of range")?;
            let mut moves = Vec::with_capacity(count);
            for _ in 0..count {
                moves.push((corner(&mut rest, head.vertices)?, rest.floats::<3>()?));
            }
            shape.acts.push((Cue { ch, is_back }, moves));
        }
        for (colour, image, cut, is_blended, is_double, [flat, gloss]) in head.materials {
            let alpha = if is_blended { Alpha::Blend } else { cut.map_or(Alpha::Opaque, Alpha::Cut) };
            shape.materials.push(Material { colour, image, alpha, is_double, flat, gloss });
        }
        let images = head.images.iter().map(|&length| rest.take(length).map(<[u8]>::to_vec)).collect::<Result<_>>()?;
        Ok(Self { shape, images, licence: head.licence })
    }
}

struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (part, rest) = self.0.split_at_checked(length).ok_or("it ends too early")?;
        self.0 = rest;
        Ok(part)
    }

    fn word(&mut self) -> Result<u32> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn floats<const N: usize>(&mut self) -> Result<[f32; N]> {
        let mut out = [0.0; N];
        for out in &mut out {
            *out = f32::from_bits(self.word()?);
            if !out.is_finite() {
                return Err("a number is not finite".to_owned());
            }
        }
        Ok(out)
    }
}
