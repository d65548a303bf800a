//! What is to be said.

use compere_media::ScriptPart;

/// A stretch of speech in one voice.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    pub parts: Vec<ScriptPart>,
    /// Whole words (or phrases) and how to say them instead; the first that fits wins.
    pub dictionary: Vec<(String, String)>,
    /// 0.5 (half as fast) to 2 (twice as fast); what lies outside is clamped.
    pub speed: f64,
    /// BCP 47; the voice's own language when absent.
    pub language: Option<String>,
}

impl Script {
    /// A text with nothing special about it.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { parts: vec![ScriptPart::Text(text.into())], dictionary: Vec::new(), speed: 1.0, language: None }
    }
}
