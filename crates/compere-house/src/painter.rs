//! Models that make pictures and short films, where the operator names them.
//!
//! Pictures come by `POST /images/generations`, films by `POST /videos`, `GET /videos/{id}` and
//! `GET /videos/{id}/content`, as most servers of such models have it.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::Server;
use crate::settings::{PainterSettings, Shape};

/// Of a picture, and of a film.
const PICTURE: u64 = 40_000_000;
const FILM: u64 = 500_000_000;
const WORDS: u64 = 1_000_000;
/// Before a film that is being made is asked after again.
const LOOK: Duration = Duration::from_millis(500);

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    Bytes(Vec<u8>),
    /// It lies somewhere else, which is judged as every link.
    At(String),
}

#[derive(Clone, Debug)]
pub struct ImageModel(Model);

#[derive(Clone, Debug)]
pub struct VideoModel(Model);

#[derive(Clone, Debug)]
struct Model {
    server: Server,
    settings: PainterSettings,
    patience: u64,
}

impl Model {
    fn of(who: &'static str, settings: &PainterSettings, usual: u64) -> Option<Self> {
        let patience = settings.patience.unwrap_or(usual);
        let server = Server::at(who, settings.url.as_deref()?, settings.key.as_ref(), patience);
        Some(Self { server, settings: settings.clone(), patience })
    }

    fn name(&self) -> &str {
        self.settings.model.as_deref().unwrap_or("default")
    }

    /// As it was said, else as `usual` has it for what lies, stands and is square.
    fn size<'a>(&'a self, shape: Shape, usual: [&'a str; 3]) -> &'a str {
        self.settings.size(shape).unwrap_or(usual[shape as usize])
    }
}

#[derive(Deserialize)]
struct Pictures {
    #[serde(default)]
    data: Vec<Picture>,
}

#[derive(Deserialize)]
struct Picture {
    b64_json: Option<String>,
    url: Option<String>,
}

#[derive(Deserialize)]
struct Job {
    id: String,
    #[serde(default)]
    status: String,
}

impl ImageModel {
    /// None where the operator names none.
    pub fn of(settings: &PainterSettings) -> Option<Self> {
        Some(Self(Model::of("the image model", settings, 120)?))
    }

    /// Errors are sentences for the author of the request, and say nothing of where it lives.
    pub fn paint(&self, prompt: &str, shape: Shape) -> Result<Made, String> {
        let (server, size) = (&self.0.server, self.0.size(shape, ["1536x1024", "1024x1536", "1024x1024"]));
        let mut body = json!({
            "model": self.0.name(), "prompt": prompt, "n": 1, "size": size,
            "response_format": "b64_json",
        });
        let mut answer = server.post("/images/generations", &body, 2 * PICTURE)?;
        if answer.0 == 400 {
            // Some send pictures in this form only, and know no word for it.
            body.as_object_mut().and_then(|fields| fields.remove("response_format"));
            answer = server.post("/images/generations", &body, 2 * PICTURE)?;
        }
        let answer = server.good(answer)?;
        let answer: Pictures =
            serde_json::from_slice(&answer).map_err(|_| server.strange("is not one of the protocol for pictures"))?;
        match answer.data.into_iter().next() {
            Some(Picture { b64_json: Some(text), .. }) => {
                STANDARD.decode(text.trim()).map(Made::Bytes).map_err(|_| server.strange("is not base64"))
            }
            Some(Picture { url: Some(link), .. }) if server.is_at(&link) => {
                server.good(server.get(&link, PICTURE)?).map(Made::Bytes)
            }
            Some(Picture { url: Some(link), .. }) => Ok(Made::At(link)),
            _ => Err(server.strange("has no picture")),
        }
    }
}

impl VideoModel {
    /// None where the operator names none.
    pub fn of(settings: &PainterSettings) -> Option<Self> {
        Some(Self(Model::of("the video model", settings, 600)?))
    }

    /// Waits until it is made.
    pub fn film(&self, prompt: &str, shape: Shape) -> Result<Made, String> {
        let (server, size) = (&self.0.server, self.0.size(shape, ["1280x720", "720x1280", "720x720"]));
        let body = json!({ "model": self.0.name(), "prompt": prompt, "size": size });
        let started = Instant::now();
        let mut job = self.job(server.post("/videos", &body, WORDS)?)?;
        loop {
            match job.status.as_str() {
                "completed" => break,
                "failed" | "cancelled" | "expired" => return Err(server.strange("is that it could not be made")),
                _ if started.elapsed().as_secs() >= self.0.patience => {
                    return Err(server.strange("did not come in time"));
                }
                _ => std::thread::sleep(LOOK),
            }
            job = self.job(server.get(&format!("/videos/{}", job.id), WORDS)?)?;
        }
        server.good(server.get(&format!("/videos/{}/content", job.id), FILM)?).map(Made::Bytes)
    }

    fn job(&self, answer: (u16, Vec<u8>)) -> Result<Job, String> {
        let server = &self.0.server;
        let answer = server.good(answer)?;
        let job: Job =
            serde_json::from_slice(&answer).map_err(|_| server.strange("is not one of the protocol for videos"))?;
        let plain = !job.id.is_empty() && job.id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        if plain { Ok(job) } else { Err(server.strange("has no usable id")) }
    }
}

/// `{topic, style, size}` as the vendor's tool has them, in words for a model. Says what is wrong with them by field.
pub fn wish(request: &Value, most: usize) -> Result<(String, Shape), Vec<(&'static str, String)>> {
    const STYLES: [(&str, &str); 4] = [
        ("PHOTOGRAPHIC", "a photograph"),
        ("VECTOR_IMAGE", "a flat vector picture"),
        ("ILLUSTRATION", "an illustration"),
        ("3D", "a 3D rendering"),
    ];
    const SIZES: [(&str, Shape); 3] =
        [("LANDSCAPE", Shape::Landscape), ("PORTRAIT", Shape::Portrait), ("SQUARE", Shape::Square)];
    fn chosen<T: Copy>(request: &Value, key: &str, known: &[(&'static str, T)]) -> Result<T, String> {
        let names = || known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        match request.get(key).filter(|value| !value.is_null()) {
            None => Ok(known[0].1),
            Some(value) => {
                let found =
                    known.iter().find(|(name, _)| value.as_str().is_some_and(|text| text.eq_ignore_ascii_case(name)));
                found.map(|(_, what)| *what).ok_or_else(|| format!("must be one of {}", names()))
            }
        }
    }
    let mut wrong = Vec::new();
    let topic = request["topic"].as_str().map(str::trim).unwrap_or_default();
    if topic.is_empty() {
        wrong.push(("topic", "must say what is to be seen".to_owned()));
    } else if topic.chars().count() > most {
        wrong.push(("topic", format!("may have at most {most} characters")));
    }
    let style = chosen(request, "style", &STYLES).map_err(|why| wrong.push(("style", why)));
    let shape = chosen(request, "size", &SIZES).map_err(|why| wrong.push(("size", why)));
    match (style, shape) {
        (Ok(style), Ok(shape)) if wrong.is_empty() => {
            Ok((format!("{topic}\n\nAs {style}, without letters in it."), shape))
        }
        _ => Err(wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_words_are_read() {
        let (prompt, shape) = wish(&json!({"topic": "bees", "style": "3d", "size": "SQUARE"}), 100).expect("right");
        assert!(prompt.contains("bees") && prompt.contains("3D rendering"), "{prompt}");
        assert_eq!(shape, Shape::Square);
        let wrong = wish(&json!({"topic": "", "style": "OIL", "size": 3}), 100).expect_err("wrong");
        assert_eq!(wrong.iter().map(|(key, _)| *key).collect::<Vec<_>>(), ["topic", "style", "size"]);
    }
}
