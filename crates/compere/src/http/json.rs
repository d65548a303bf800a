//! JSON of strangers: weighed before it is read, and read where nobody waits for it.
//!
//! Two bytes of text (`0,`) become 72 bytes of a tree, and eight (`{"a":0},`) become six hundred. So the bytes are gone
//! through first, which takes a millisecond a megabyte and no memory, and the size of the tree is counted as it would be
//! built; text that would grow too far, or nests too deep, is refused with nothing built. Whether it is JSON at all is
//! the parser's business.
//!
//! # Promises
//!
//! - A body and its tree together take at most four times what a body may have ([`Bounds::of`]).
//! - What is longer than [`INLINE`] is weighed and parsed off the threads that serve connections, so many at once as the
//!   office lets.

use bytes::Bytes;
use compere_house::settings::Megabytes;
use compere_office::{Office, Refusal};
use serde::de::DeserializeOwned;

/// What is shorter is read at once: handing it over would take longer.
const INLINE: usize = 16 << 10;
/// Lists and objects inside each other. Projects need eight.
const DEEPEST: usize = 64;

/// How far a text may grow.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    deepest: usize,
    memory: u64,
}

impl Bounds {
    /// For bodies of at most so many bytes: the tree may take three times that.
    pub fn of(body: Megabytes) -> Self {
        Self { deepest: DEEPEST, memory: body.bytes().saturating_mul(3) }
    }
}

/// Why a text is not read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unread {
    #[error("the body nests lists and objects more than {DEEPEST} deep")]
    Deep,
    #[error(
        "the body holds more lists, objects, texts and numbers than {} MB of memory have room for, counted up to byte \
         {at}; no film needs so many, so look what repeats there",
        most / 1_000_000
    )]
    Heavy { most: u64, at: usize },
    #[error("the body is not JSON: {0}")]
    Wrong(String),
    #[error("{0}")]
    Refused(Refusal),
}

/// Weighs a text and reads it.
pub async fn parsed<T: DeserializeOwned + Send + 'static>(office: &Office, bytes: &Bytes) -> Result<T, Unread> {
    let bounds = Bounds::of(office.settings.limits.body);
    if bytes.len() <= INLINE {
        return read(bytes, bounds);
    }
    let turn = office.crowd.reader().await.map_err(Unread::Refused)?;
    let bytes = bytes.clone();
    let reading = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        read(&bytes, bounds)
    });
    reading.await.unwrap_or_else(|error| Err(Unread::Refused(Refusal::inside(error))))
}

fn read<T: DeserializeOwned>(bytes: &[u8], bounds: Bounds) -> Result<T, Unread> {
    // A byte order mark is what some editors leave in front.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    weigh(text, bounds)?;
    serde_json::from_slice(text).map_err(|error| Unread::Wrong(error.to_string()))
}

/// Bytes of a value where it stands in a list.
const VALUE: u64 = size_of::<serde_json::Value>() as u64;
/// Of a member of an object: hash, key and value side by side.
const MEMBER: u64 = VALUE + 8 + size_of::<String>() as u64;
/// Of its place in the object's table.
const SLOT: u64 = 10;

/// A list or an object that is not closed yet.
#[derive(Clone, Copy)]
struct Open {
    item: u64,
    items: u64,
}

impl Open {
    /// Bytes of what lies in it, as vectors grow: four, then twice as many each time.
    fn bytes(self) -> u64 {
        if self.items == 0 { 0 } else { alloc(self.items.next_power_of_two().max(4) * self.item) }
    }
}

/// Bytes that the allocator takes for so many.
fn alloc(bytes: u64) -> u64 {
    ((bytes + 8).next_multiple_of(16)).max(32)
}

/// The bytes of the tree that a text becomes, if they are not too many.
pub fn weigh(text: &[u8], bounds: Bounds) -> Result<u64, Unread> {
    let mut open: Vec<Open> = Vec::new();
    // Of closed lists and objects and of texts; what is open is counted when it grows.
    let (mut weight, mut growing, mut at) = (VALUE, 0, 0);
    let mut in_scalar = false;
    while let Some(&byte) = text.get(at) {
        let starts = match byte {
            b'"' => {
                let length = string(&text[at + 1..]);
                weight += alloc(length as u64);
                at += length + 1;
                true
            }
            b'{' | b'[' => true,
            b'}' | b']' => {
                if let Some(closed) = open.pop() {
                    growing -= closed.bytes();
                    weight += closed.bytes();
                }
                false
            }
            b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' => false,
            // A number, `true`, `false`, `null`, or nothing that JSON knows.
            _ => !in_scalar,
        };
        in_scalar = !matches!(byte, b'"' | b'{' | b'[' | b'}' | b']' | b',' | b':' | b' ' | b'\n' | b'\r' | b'\t');
        // Keys are counted as the members they begin: the value after them is no further one.
        if let Some(last) = open.last_mut().filter(|last| starts && counts(text, at, last.item)) {
            let before = last.bytes();
            last.items += 1;
            growing += last.bytes() - before;
        }
        if matches!(byte, b'{' | b'[') {
            if open.len() == bounds.deepest {
                return Err(Unread::Deep);
            }
            open.push(Open { item: if byte == b'{' { MEMBER + SLOT } else { VALUE }, items: 0 });
        }
        at += 1;
        if weight + growing > bounds.memory {
            return Err(Unread::Heavy { most: bounds.memory, at });
        }
    }
    Ok(weight + growing)
}

/// Whether what begins at a place is an item of what it stands in: in an object, keys are.
fn counts(text: &[u8], end: usize, item: u64) -> bool {
    if item == VALUE {
        return true;
    }
    let next = text.get(end + 1..).and_then(|rest| rest.iter().find(|byte| !byte.is_ascii_whitespace()));
    text.get(end) == Some(&b'"') && next == Some(&b':')
}

/// Bytes up to the quote that ends a text.
fn string(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const TEN: Bounds = Bounds { deepest: DEEPEST, memory: 30_000_000 };

    /// What a tree takes, counted in the tree.
    fn really(value: &Value) -> u64 {
        match value {
            Value::String(text) => alloc(text.capacity() as u64),
            Value::Array(items) => items.iter().map(really).sum::<u64>() + items.capacity() as u64 * VALUE,
            Value::Object(map) => {
                let held: u64 = map.iter().map(|(key, value)| alloc(key.capacity() as u64) + really(value)).sum();
                held + map.len() as u64 * (MEMBER + SLOT)
            }
            _ => 0,
        }
    }

    #[test]
    fn nothing_weighs_less_than_it_takes() {
        let clip = json!({ "id": "a", "type": "textImage", "layer": 1, "left": 10.5, "text": "Say \"hi\" {[,]}" });
        let shapes = [
            json!([0, 0, 0, 0, 0, 0, 0, 0, 0]),
            json!({ "scenes": vec![json!({ "clips": vec![clip; 20] }); 20] }),
            json!(vec![json!([]); 100]),
            json!(vec![json!({ "a": 0 }); 100]),
            json!(vec!["x"; 1000]),
            json!([true, null, -1.5e9, "", {}, [[[[0]]]]]),
        ];
        for shape in shapes {
            for text in [shape.to_string(), serde_json::to_string_pretty(&shape).expect("a text")] {
                let weight = weigh(text.as_bytes(), TEN).expect("is light");
                let taken = VALUE + really(&serde_json::from_str(&text).expect("JSON"));
                assert!(weight >= taken, "{weight} < {taken}: {text:.60}");
                assert!(weight < 4 * taken + 1000, "{weight} is no guess for {taken}: {text:.60}");
            }
        }
    }

    #[test]
    fn small_things_in_great_number_are_refused_soon() {
        for (piece, most) in [("0,", 500_000), ("[],", 700_000), ("{\"a\":0},", 200_000), ("\"\",", 800_000)] {
            let text = format!("{{\"scenes\":[{}0]}}", piece.repeat(9_800_000 / piece.len()));
            let Err(Unread::Heavy { at, .. }) = weigh(text.as_bytes(), TEN) else { panic!("{piece} was light") };
            assert!(at / piece.len() < most, "{piece}: seen at {at}");
        }
        let deep = "[".repeat(1_000_000);
        assert_eq!(weigh(deep.as_bytes(), TEN), Err(Unread::Deep));
        assert!(weigh("[".repeat(DEEPEST).as_bytes(), TEN).is_ok());
    }

    #[test]
    fn a_long_text_weighs_as_much_as_it_is_long() {
        let text = format!("{{\"a\":\"{}\\\"\"}}", "x,[{".repeat(2_000_000));
        let weight = weigh(text.as_bytes(), TEN).expect("is light");
        assert!((8_000_000..8_002_000).contains(&weight), "{weight}");
    }

    #[test]
    fn what_is_no_json_is_weighed_all_the_same() {
        for text in ["", "]]]]}}", "{\"a", "\\\"\\", "{:::,,,}", "tru fals 1-2", "\"\\"] {
            assert!(weigh(text.as_bytes(), TEN).is_ok(), "{text}");
            assert!(matches!(read::<Value>(text.as_bytes(), TEN), Err(Unread::Wrong(_))), "{text}");
        }
    }
}
