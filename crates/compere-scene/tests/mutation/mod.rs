//! Damage, drawn from a seed.

use serde_json::{Map, Value, json};

/// Splitmix64.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.roll() % end.max(1) as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Every name that the scene language knows.
const KEYS: [&str; 75] = [
    "name",
    "orientation",
    "resolution",
    "scenes",
    "dictionary",
    "backgroundAudio",
    "onAssetError",
    "sceneIdx",
    "scripts",
    "background",
    "clips",
    "watermark",
    "duration",
    "org",
    "isTTS",
    "tts",
    "voice",
    "model",
    "speed",
    "language",
    "modelId",
    "clothId",
    "source_type",
    "source_url",
    "source_color",
    "video_url",
    "id",
    "type",
    "layer",
    "left",
    "top",
    "width",
    "height",
    "scaleX",
    "scaleY",
    "angle",
    "opacity",
    "fill",
    "stroke",
    "strokeWidth",
    "strokeRadius",
    "shadow",
    "enabled",
    "animation",
    "delay",
    "shapeName",
    "text",
    "fontSize",
    "fontFamily",
    "fontWeight",
    "lineHeight",
    "runs",
    "position",
    "rise",
    "align",
    "volume",
    "script",
    "voiceOnly",
    "headOnly",
    "isDelete",
    "effects",
    "ai_name",
    "emotion",
    "editor",
    "AIModel",
    "clothes",
    "detail",
    "locationX",
    "textSource",
    "url",
    "value",
    "values",
    "clipIdx",
    "property",
    "transition",
];

/// Texts that mean something to some field.
const WORDS: [&str; 58] = [
    "",
    " ",
    "aiModel",
    "shape",
    "image",
    "textImage",
    "videoImage",
    "audio",
    "background",
    "color",
    "video",
    "ada",
    "ben",
    "navy",
    "red",
    "suit",
    "heart",
    "tone",
    "en",
    "ko-KR",
    "4K",
    "1080",
    "portrait",
    "skip",
    "fade-in",
    "zoom-out",
    "none",
    "Line_v2",
    "Star",
    "rgb(1,2,3)",
    "#ff000080",
    "transparent",
    "rgb(",
    "bold",
    "italic",
    "justify",
    "true",
    "false",
    "NaN",
    "inf",
    "-1",
    "1e9",
    "0.5",
    "https://example.com/a.png",
    "/a/../b",
    "//",
    "<p>",
    "<span data-say=\"x\">",
    "</span>",
    "[pause 2s]",
    "&#x10ffff;",
    "&amp",
    "<!--",
    "clips",
    "AIModel",
    "userVideo",
    "head-only",
    "\u{202e}👩‍🚀\0é",
];

const NUMBERS: [f64; 14] =
    [0.0, -0.0, 1.0, -1.0, 0.5, 100.0, 101.0, 1e-300, 1e9, -1e9, 1e10, 1e308, 9_007_199_254_740_993.0, 0.1];

/// One change to a tree.
#[derive(Debug)]
pub struct Mutation {
    pub place: u64,
    pub change: u64,
}

impl Mutation {
    pub fn random(dice: &mut Dice) -> Self {
        Self { place: dice.roll(), change: dice.roll() }
    }

    pub fn apply(&self, tree: &mut Value) {
        let mut dice = Dice(self.change);
        let count = count(tree);
        let donor = node(&mut tree.clone(), dice.below(count)).clone();
        let target = node(tree, (self.place % count as u64) as usize);
        match (dice.below(8), &mut *target) {
            (0, Value::Object(map)) => rename(map, &mut dice),
            (1, Value::Object(map)) => {
                map.insert(dice.pick(&KEYS).to_owned(), leaf(&mut dice));
            }
            (2 | 3, Value::Object(map)) => {
                let key = map.keys().nth(dice.below(map.len())).cloned();
                key.map(|key| map.shift_remove(&key));
            }
            (0 | 1, Value::Array(items)) if items.len() < 400 => {
                let copies = vec![items.first().cloned().unwrap_or(donor); dice.below(4)];
                items.extend(copies);
            }
            (2 | 3, Value::Array(items)) => items.truncate(dice.below(items.len())),
            (4, target) => *target = donor,
            (0 | 5, Value::String(text)) => text.push_str(dice.pick(&WORDS)),
            (_, target) => *target = leaf(&mut dice),
        }
    }
}

fn rename(map: &mut Map<String, Value>, dice: &mut Dice) {
    let key = map.keys().nth(dice.below(map.len())).cloned();
    if let Some(value) = key.and_then(|key| map.shift_remove(&key)) {
        map.insert(dice.pick(&KEYS).to_owned(), value);
    }
}

fn leaf(dice: &mut Dice) -> Value {
    match dice.below(10) {
        0 => Value::Null,
        1 => json!(dice.below(2) == 1),
        2 => json!([]),
        3 => json!({}),
        4..=6 => json!(dice.pick(&NUMBERS)),
        _ => json!(dice.pick(&WORDS)),
    }
}

fn count(tree: &Value) -> usize {
    1 + match tree {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

/// The node with that number, in the order they are written.
fn node(tree: &mut Value, number: usize) -> &mut Value {
    if number == 0 {
        return tree;
    }
    let mut rest = number - 1;
    let children: Box<dyn Iterator<Item = &mut Value>> = match tree {
        Value::Array(items) => Box::new(items.iter_mut()),
        Value::Object(map) => Box::new(map.values_mut()),
        _ => unreachable!("a leaf has no children"),
    };
    for child in children {
        let size = count(child);
        if rest < size {
            return node(child, rest);
        }
        rest -= size;
    }
    unreachable!("numbers stay below the count")
}

/// Changes a few bytes of a text.
pub fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(bytes.len());
    let behind = (at + 1 + dice.below(40)).min(bytes.len());
    match dice.below(6) {
        0 => {
            bytes.drain(at..behind);
        }
        1 => {
            let copy = bytes[at.min(behind)..behind].to_vec();
            let target = dice.below(bytes.len());
            bytes.splice(target..target, copy);
        }
        2 => {
            bytes.splice(at..at, dice.pick(&WORDS).bytes());
        }
        3 => {
            bytes.splice(
                at..at,
                dice.pick(&["{", "}", "[", "]", ",", ":", "\"", "null", "-", "9", "e9", "\\u0000"]).bytes(),
            );
        }
        4 if at < bytes.len() => bytes[at] = dice.roll() as u8,
        // Numbers change most often without breaking the JSON.
        _ => {
            if let Some(digit) = bytes[at..].iter_mut().find(|byte| byte.is_ascii_digit()) {
                *digit = dice.pick(b"0123456789-e.\"");
            }
        }
    }
}
