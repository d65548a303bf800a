//! How an export ends, and what it leaves behind.

use std::path::PathBuf;

use compere_media::{Cut, words};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an export left behind, as it is stored and shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    #[serde(flatten)]
    pub cut: Cut,
    /// Bytes of the main file.
    pub size: u64,
    /// Name of the main file, as it is offered for download: `Quarterly news.mp4`.
    pub file_name: String,
    /// Which of poster, captions (vtt, srt) there are besides the main file.
    pub poster: bool,
    pub captions: bool,
    /// It could be watched while it was made, and can be for some days.
    #[serde(default)]
    pub streamed: bool,
    /// Word timings of an audio export.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub meta_list: Value,
    /// `{path, message}` each.
    pub warnings: Vec<Value>,
}

words! {
    /// The files of an export.
    pub enum Product {
        Film = "film",
        Poster = "poster",
        Vtt = "vtt",
        Srt = "srt",
        Chapters = "chapters",
    }
}

impl Product {
    /// As it is stored, and offered for download; of a film, without the end that says its format.
    pub fn called(self) -> &'static str {
        match self {
            Self::Film => "film",
            Self::Poster => "poster.jpg",
            Self::Vtt => "captions.vtt",
            Self::Srt => "captions.srt",
            Self::Chapters => "chapters.vtt",
        }
    }
}

impl Made {
    /// What a file is called that there is.
    pub fn name_of(&self, product: Product) -> Option<&str> {
        match product {
            Product::Film => Some(&self.file_name),
            Product::Poster => self.poster.then(|| product.called()),
            Product::Vtt | Product::Srt => self.captions.then(|| product.called()),
            Product::Chapters => (!self.cut.chapters.is_empty()).then(|| product.called()),
        }
    }
}

/// A film as its maker hands it over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    pub made: Made,
    /// Where its files lie on this machine.
    pub files: Vec<(Product, PathBuf)>,
}

/// How an export ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ended {
    Exported { made: Box<Made>, credits: i64 },
    Failed { message: String },
    Cancelled,
}
