//! A small model that is written here, to be looked at, played and broken: an egg of a head with lids and a jaw on a neck.

use serde_json::{Value, json};

/// Rows and columns of the head.
const ROWS: usize = 24;
const COLUMNS: usize = 32;

#[derive(Default)]
struct Bytes {
    all: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Bytes {
    fn floats(&mut self, values: &[f32], width: usize) -> usize {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][width - 1];
        self.put(values.iter().flat_map(|v| v.to_le_bytes()).collect(), 5126, values.len() / width, kind)
    }

    fn put(&mut self, bytes: Vec<u8>, component: u32, count: usize, kind: &str) -> usize {
        self.views.push(json!({"buffer": 0, "byteOffset": self.all.len(), "byteLength": bytes.len()}));
        self.all.extend(bytes);
        let view = self.views.len() - 1;
        self.accessors.push(json!({"bufferView": view, "componentType": component, "count": count, "type": kind}));
        self.accessors.len() - 1
    }
}

/// What stands in a file before its numbers.
pub(crate) fn described() -> (Value, Vec<u8>) {
    let mut bytes = Bytes::default();
    let (mut at, mut uv, mut joints, mut shares) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut jaw, mut blink) = (Vec::new(), Vec::new());
    for row in 0..=ROWS {
        for column in 0..=COLUMNS {
            let (v, u) = (row as f32 / ROWS as f32, column as f32 / COLUMNS as f32);
            let angle = (u - 0.5) * std::f32::consts::TAU;
            let wide = if v > 0.8 { 0.05 } else { 0.10 * (v * std::f32::consts::PI / 0.86).sin().max(0.4) };
            let place = [wide * angle.sin(), 1.70 - 0.32 * v, wide * angle.cos()];
            at.extend(place);
            uv.extend([u, v]);
            joints.extend([0.0_f32, 1.0, 0.0, 0.0]);
            let head = ((0.9 - v) / 0.2).clamp(0.0, 1.0);
            shares.extend([1.0 - head, head, 0.0, 0.0]);
            let before = angle.abs() < 0.9;
            jaw.extend([0.0, if before && (0.58..0.75).contains(&v) { -0.03 } else { 0.0 }, 0.0]);
            blink.extend([0.0, if before && (0.28..0.36).contains(&v) { -0.012 } else { 0.0 }, 0.0]);
        }
    }
    let mut corners = Vec::new();
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let a = (row * (COLUMNS + 1) + column) as u32;
            let below = a + COLUMNS as u32 + 1;
            corners.extend([a, below, a + 1, a + 1, below, below + 1]);
        }
    }
    let (place, texture) = (bytes.floats(&at, 3), bytes.floats(&uv, 2));
    let (joint, share) = (bytes.floats(&joints, 4), bytes.floats(&shares, 4));
    let targets = [bytes.floats(&jaw, 3), bytes.floats(&blink, 3)].map(|by| json!({"POSITION": by}));
    let count = corners.len();
    let index = bytes.put(corners.iter().flat_map(|n| n.to_le_bytes()).collect(), 5125, count, "SCALAR");
    let json = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": bytes.all.len()}],
        "bufferViews": bytes.views,
        "accessors": bytes.accessors,
        "nodes": [{"name": "chest", "children": [1]}, {"name": "Head", "translation": [0.0, 1.45, 0.0]}, {"mesh": 0, "skin": 0}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": null}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.6, 0.3, 0.2, 1.0], "roughnessFactor": 0.5}}],
        "meshes": [{
            "primitives": [{"attributes": {"POSITION": place, "TEXCOORD_0": texture, "JOINTS_0": joint, "WEIGHTS_0": share},
                            "indices": index, "material": 0, "targets": targets}],
            "extras": {"targetNames": ["jawOpen", "eyeBlinkLeft"]},
        }],
    });
    (json, bytes.all)
}

/// The file.
pub(crate) fn packed(json: &Value, bytes: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = b"glTF".to_vec();
    out.extend(2_u32.to_le_bytes());
    out.extend(((28 + text.len() + bytes.len()) as u32).to_le_bytes());
    for (kind, body) in [(b"JSON", text.as_slice()), (b"BIN\0", bytes)] {
        out.extend((body.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(body);
    }
    out
}

pub(crate) fn model() -> Vec<u8> {
    let (json, bytes) = described();
    packed(&json, &bytes)
}

/// Files that are no models, each with what it is and a word of the answer.
pub(crate) fn hostile() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let with = |place: &str, value: Value| {
        let (mut json, bytes) = described();
        *json.pointer_mut(place).expect("a place") = value;
        packed(&json, &bytes)
    };
    let whole = model();
    let (json, mut bytes) = described();
    bytes[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let nan = packed(&json, &bytes);
    let (json, mut bytes) = described();
    let last = bytes.len() - 4;
    bytes[last..].copy_from_slice(&u32::MAX.to_le_bytes());
    let corner = packed(&json, &bytes);
    let (mut json, bytes) = described();
    json["nodes"] = (0..9000).map(|_| json!({"mesh": 0})).collect();
    let nodes = packed(&json, &bytes);
    let (mut json, bytes) = described();
    json["nodes"] = (0..4000).map(|_| json!({"mesh": 0})).collect();
    let copies = packed(&json, &bytes);
    let (mut json, bytes) = described();
    json["images"] = (0..65).map(|_| json!({"bufferView": 0})).collect();
    let pictures = packed(&json, &bytes);
    let (_, bytes) = described();
    let deep = packed(&Value::String(String::new()), &bytes);
    let deep_text = "[".repeat(200_000);
    let mut nested = deep[..12].to_vec();
    nested.extend((deep_text.len() as u32).to_le_bytes());
    nested.extend(b"JSON");
    nested.extend(deep_text.bytes());
    let wide_text = format!("[{}0]", "0,".repeat(10 << 20));
    let mut wide = deep[..12].to_vec();
    wide.extend((wide_text.len() as u32).to_le_bytes());
    wide.extend(b"JSON");
    wide.extend(wide_text.bytes());
    wide.resize(wide.len().next_multiple_of(4), b' ');
    vec![
        ("nothing", Vec::new(), "no binary glTF"),
        ("a picture", b"\x89PNG\r\n\x1a\n and more of it".to_vec(), "no binary glTF"),
        ("cut in its numbers", whole[..whole.len() / 2].to_vec(), "ends too early"),
        ("cut in its description", whole[..400].to_vec(), "ends too early"),
        ("nested two hundred thousand deep", nested, "recursion"),
        ("a description of twenty megabytes", wide, "larger than"),
        ("a count beyond all memory", with("/accessors/0/count", json!(u64::MAX)), "wrong shape"),
        ("a count beyond its bytes", with("/accessors/0/count", json!(1_000_000)), "out of range"),
        ("a negative count", with("/accessors/0/count", json!(-1)), "wrong shape"),
        ("an offset beyond all memory", with("/bufferViews/0/byteOffset", json!(u64::MAX)), "outside"),
        (
            "a stride beyond all memory",
            with("/bufferViews/0", json!({"buffer": 0, "byteLength": 64, "byteStride": u64::MAX})),
            "wrong shape",
        ),
        ("numbers that are none", nan, "not finite"),
        ("a node that is its own parent", with("/nodes/1", json!({"name": "Head", "children": [1]})), "two parents"),
        ("nodes in a circle", with("/nodes/1", json!({"name": "Head", "children": [0]})), "circle"),
        ("a child that is missing", with("/nodes/0/children", json!([77])), "missing"),
        ("too many nodes", nodes, "nodes"),
        ("one mesh four thousand times", copies, "vertices"),
        ("too many pictures", pictures, "pictures"),
        ("a corner that is missing", corner, "corner"),
        ("a joint that is missing", with("/skins/0/joints", json!([0])), "joint"),
        ("a material that is missing", with("/meshes/0/primitives/0/material", json!(9)), "material"),
        ("an expression of another length", with("/meshes/0/primitives/0/targets/0/POSITION", json!(1)), "wrong shape"),
        ("no expression", with("/meshes/0/extras", json!({})), "no expression"),
        ("another file's numbers", with("/buffers/0", json!({"uri": "/etc/passwd"})), "other files"),
        (
            "compressed",
            {
                let (mut json, bytes) = described();
                json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
                packed(&json, &bytes)
            },
            "without compression",
        ),
        (
            "a VRM of somebody who forbids it",
            {
                let (mut json, bytes) = described();
                json["extensions"] = json!({"VRM": {"meta": {"allowedUserName": "OnlyAuthor"}}});
                packed(&json, &bytes)
            },
            "allowedUserName is OnlyAuthor",
        ),
    ]
}
