//! How large a document may be.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    pub scenes: usize,
    pub clips_per_scene: usize,
    /// Characters of one script, tags included; also of one text clip.
    pub script_chars: usize,
    /// Characters of a project's name.
    pub name_chars: usize,
    /// Here checked against what scenes and pauses ask for and the texts need at least; the exact length is known only
    /// when everything is spoken.
    pub film_seconds: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { scenes: 300, clips_per_scene: 100, script_chars: 20_000, name_chars: 200, film_seconds: 3600.0 }
    }
}
