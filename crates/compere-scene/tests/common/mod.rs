//! Bodies that are right, from which the tests start.

use serde_json::Value;

/// Every file in `tests/bodies`, by name.
pub const BODIES: [(&str, &str); 7] = [
    ("every_field", include_str!("../bodies/every_field.json")),
    ("older_form", include_str!("../bodies/older_form.json")),
    ("voices", include_str!("../bodies/voices.json")),
    ("legacy", include_str!("../bodies/legacy.json")),
    ("simple_video", include_str!("../bodies/simple_video.json")),
    ("simple_audio", include_str!("../bodies/simple_audio.json")),
    ("updates", include_str!("../bodies/updates.json")),
];

pub fn body(name: &str) -> Value {
    let (_, text) = BODIES.iter().find(|(known, _)| *known == name).expect("a body of that name");
    serde_json::from_str(text).expect("bodies are JSON")
}
