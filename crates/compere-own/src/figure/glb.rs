//! The container and its accessors: JSON, then bytes. Nothing is believed: every index, offset and count is checked.

use serde_json::Value;

const MAGIC: &[u8; 4] = b"glTF";
const JSON: &[u8; 4] = b"JSON";
const BIN: &[u8; 4] = b"BIN\0";
/// Bytes of the description: as a tree it is some twenty times as large.
const DESCRIPTION: usize = 16 << 20;
/// The format allows no wider one.
const STRIDE: usize = 252;
/// Values of one accessor.
const MOST: usize = 6_000_000;

pub(super) type Result<T> = std::result::Result<T, String>;

pub(super) struct Glb<'a> {
    pub(super) json: Value,
    bin: &'a [u8],
}

/// How an accessor's bytes lie.
struct Laid<'a> {
    bytes: &'a [u8],
    stride: usize,
    kind: u64,
    is_normal: bool,
}

impl<'a> Glb<'a> {
    pub(super) fn read(file: &'a [u8]) -> Result<Self> {
        let word = |at: usize| -> Option<usize> {
            Some(u32::from_le_bytes(file.get(at..at.checked_add(4)?)?.try_into().ok()?) as usize)
        };
        if file.get(..4) != Some(MAGIC) || word(4) != Some(2) {
            return Err("it is no binary glTF 2 (.glb or .vrm)".to_owned());
        }
        let (mut at, mut json, mut bin) = (12, None, &file[..0]);
        while let Some(length) = word(at) {
            let kind = file.get(at + 4..at + 8).ok_or("it ends too early")?;
            let body = at + 8..(at + 8).checked_add(length).ok_or("it ends too early")?;
            let part = file.get(body.clone()).ok_or("it ends too early")?;
            match kind {
                kind if kind == JSON && json.is_none() => json = Some(part),
                kind if kind == BIN && bin.is_empty() => bin = part,
                _ => {}
            }
            at = body.end.next_multiple_of(4);
        }
        let json = json.ok_or("it holds no description")?;
        if json.len() > DESCRIPTION {
            return Err(format!("its description is larger than {} MB", DESCRIPTION >> 20));
        }
        // The parser goes 128 levels deep and no further.
        let json = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let glb = Self { json, bin };
        glb.understood().map(|()| glb)
    }

    fn understood(&self) -> Result<()> {
        const KNOWN: [&str; 6] = [
            "VRM",
            "VRMC_vrm",
            "KHR_materials_unlit",
            "KHR_texture_transform",
            "KHR_mesh_quantization",
            "VRMC_materials_mtoon",
        ];
        let needed = self.list("extensionsRequired").iter().filter_map(Value::as_str);
        match needed.into_iter().find(|name| !KNOWN.contains(name)) {
            Some(name) => Err(format!("it needs the extension {name}; export it without compression")),
            None => Ok(()),
        }
    }

    pub(super) fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().map_or(&[], Vec::as_slice)
    }

    pub(super) fn view(&self, index: &Value) -> Result<(&'a [u8], usize)> {
        let view = item(self.list("bufferViews"), index).ok_or("a view is missing")?;
        if view["buffer"].as_u64() != Some(0)
            || self.list("buffers").first().is_none_or(|first| !first["uri"].is_null())
        {
            return Err("it leads to other files".to_owned());
        }
        let start = number(&view["byteOffset"]);
        let end = start.checked_add(number(&view["byteLength"])).ok_or("a view is outside of the file")?;
        let bytes = self.bin.get(start..end).ok_or("a view is outside of the file")?;
        let stride = number(&view["byteStride"]);
        if stride > STRIDE { Err("a view has the wrong shape".to_owned()) } else { Ok((bytes, stride)) }
    }

    fn laid(&self, view: &Value, offset: usize, kind: u64, width: usize, is_normal: bool) -> Result<Laid<'a>> {
        let (bytes, stride) = self.view(view)?;
        let bytes = bytes.get(offset..).ok_or("an accessor is outside of its view")?;
        Ok(Laid { bytes, stride: if stride == 0 { size(kind)? * width } else { stride }, kind, is_normal })
    }

    /// All numbers of an accessor that holds `width` of them in each element.
    pub(super) fn numbers(&self, index: &Value, width: usize) -> Result<Vec<f32>> {
        let accessor = item(self.list("accessors"), index).ok_or("an accessor is missing")?;
        let count = number(&accessor["count"]);
        let held = match accessor["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            Some("MAT4") => 16,
            _ => return Err("an accessor is of an unknown type".to_owned()),
        };
        if held != width || count.checked_mul(width).is_none_or(|all| all > MOST) {
            return Err("an accessor has the wrong shape".to_owned());
        }
        let kind = accessor["componentType"].as_u64().unwrap_or(0);
        let is_normal = accessor["normalized"].as_bool().unwrap_or(false);
        let mut all = vec![0.0; count * width];
        if !accessor["bufferView"].is_null() {
            let laid = self.laid(&accessor["bufferView"], number(&accessor["byteOffset"]), kind, width, is_normal)?;
            for (n, out) in all.chunks_exact_mut(width).enumerate() {
                laid.element(n, out)?;
            }
        }
        let sparse = &accessor["sparse"];
        if sparse.is_object() {
            let (places, values) = (&sparse["indices"], &sparse["values"]);
            let of = places["componentType"].as_u64().unwrap_or(0);
            let from = self.laid(&places["bufferView"], number(&places["byteOffset"]), of, 1, false)?;
            let to = self.laid(&values["bufferView"], number(&values["byteOffset"]), kind, width, is_normal)?;
            for n in 0..number(&sparse["count"]).min(count) {
                let mut place = [0.0];
                from.element(n, &mut place)?;
                let start = place[0] as usize * width;
                to.element(n, all.get_mut(start..start + width).ok_or("a sparse place is out of range")?)?;
            }
        }
        if all.iter().all(|number| number.is_finite()) { Ok(all) } else { Err("a number is not finite".to_owned()) }
    }
}

impl Laid<'_> {
    fn element(&self, n: usize, out: &mut [f32]) -> Result<()> {
        let step = size(self.kind)?;
        let start = n.checked_mul(self.stride).ok_or("an accessor is out of range")?;
        let end = start.checked_add(step * out.len()).ok_or("an accessor is out of range")?;
        let bytes = self.bytes.get(start..end).ok_or("an accessor is out of range")?;
        for (out, part) in out.iter_mut().zip(bytes.chunks_exact(step)) {
            let (value, most) = match *part {
                [a] if self.kind == 5120 => (f32::from(a as i8), 127.0),
                [a] => (f32::from(a), 255.0),
                [a, b] if self.kind == 5122 => (f32::from(i16::from_le_bytes([a, b])), 32_767.0),
                [a, b] => (f32::from(u16::from_le_bytes([a, b])), 65_535.0),
                [a, b, c, d] if self.kind == 5126 => (f32::from_le_bytes([a, b, c, d]), 1.0),
                [a, b, c, d] => (u32::from_le_bytes([a, b, c, d]) as f32, 1.0),
                _ => return Err("an accessor is of an unknown type".to_owned()),
            };
            *out = if self.is_normal { (value / most).max(-1.0) } else { value };
        }
        Ok(())
    }
}

fn size(kind: u64) -> Result<usize> {
    match kind {
        5120 | 5121 => Ok(1),
        5122 | 5123 => Ok(2),
        5125 | 5126 => Ok(4),
        _ => Err("an accessor is of an unknown type".to_owned()),
    }
}

/// Absent is nought; what cannot be is far out of range.
pub(super) fn number(value: &Value) -> usize {
    if value.is_null() { 0 } else { value.as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX) }
}

pub(super) fn item<'v>(list: &'v [Value], index: &Value) -> Option<&'v Value> {
    list.get(usize::try_from(index.as_u64()?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn glb(json: &Value, bin: &[u8]) -> Vec<u8> {
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut out = Vec::new();
        out.extend(MAGIC);
        out.extend(2_u32.to_le_bytes());
        out.extend(((28 + text.len() + bin.len()) as u32).to_le_bytes());
        for (kind, body) in [(JSON, text.as_slice()), (BIN, bin)] {
            out.extend((body.len() as u32).to_le_bytes());
            out.extend(kind);
            out.extend(body);
        }
        out
    }

    fn described() -> Value {
        serde_json::json!({
            "buffers": [{"byteLength": 24}], "bufferViews": [{"buffer": 0, "byteLength": 24}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "VEC3"}],
        })
    }

    fn bytes() -> Vec<u8> {
        [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    #[test]
    fn numbers_are_read_where_they_lie() {
        let file = glb(&described(), &bytes());
        let glb = Glb::read(&file).expect("a file");
        assert_eq!(glb.numbers(&0.into(), 3), Ok(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    }

    #[test]
    fn what_lies_outside_or_is_too_much_is_refused() {
        let broken = [
            ("/accessors/0/count", serde_json::json!(3)),
            ("/accessors/0/count", serde_json::json!(u64::MAX)),
            ("/accessors/0/count", serde_json::json!(-1)),
            ("/accessors/0/type", serde_json::json!("VEC2")),
            ("/accessors/0/componentType", serde_json::json!(7)),
            ("/accessors/0/bufferView", serde_json::json!(9)),
            ("/bufferViews/0/byteLength", serde_json::json!(u64::MAX)),
            ("/bufferViews/0/buffer", serde_json::json!(1)),
            ("/buffers/0", serde_json::json!({"uri": "other.bin"})),
        ];
        for (place, value) in broken {
            let mut json = described();
            *json.pointer_mut(place).expect("a place") = value.clone();
            let file = glb(&json, &bytes());
            let found = Glb::read(&file).and_then(|glb| glb.numbers(&0.into(), 3));
            assert!(found.is_err(), "{place} {value}: {found:?}");
        }
        let whole = glb(&described(), &bytes());
        for end in 0..whole.len() {
            let found = Glb::read(&whole[..end]).and_then(|glb| glb.numbers(&0.into(), 3));
            assert!(found.is_err(), "cut at {end}");
        }
    }

    #[test]
    fn compressed_files_are_told_to_be_exported_otherwise() {
        let mut json = described();
        json["extensionsRequired"] = serde_json::json!(["KHR_draco_mesh_compression"]);
        let file = glb(&json, &bytes());
        let refused = Glb::read(&file).err().expect("refused");
        assert!(refused.contains("KHR_draco_mesh_compression"), "{refused}");
    }
}
