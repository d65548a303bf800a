//! What may stand in a design, and what is said of what may not.

use serde_json::{Map, Value};

use super::words::{Beard, Clothes, HairStyle, Hands, LogoPlace, Paint, Rims, Temper};
use super::{Design, FACES, OUTFITS};
use crate::rig::people::CAST;

/// Longest texts, and the longest picture of a logo in base64.
const NAME: usize = 80;
const PICTURE: usize = 400_000;

/// What is wrong with a design, and where: `face.jaw`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    pub path: String,
    pub message: String,
}

/// A number of a design that somebody slides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// `face.jaw`
    pub path: &'static str,
    /// What it is called, and what its ends look like.
    pub title: &'static str,
    pub low: f64,
    pub high: f64,
}

const fn slider(path: &'static str, title: &'static str, low: f64, high: f64) -> Slider {
    Slider { path, title, low, high }
}

/// In the order that pages show them.
pub const SLIDERS: [Slider; 25] = [
    slider("age", "Age", 20.0, 75.0),
    slider("face.width", "Face: narrow – broad", -1.0, 1.0),
    slider("face.length", "Face: short – long", -1.0, 1.0),
    slider("face.jaw", "Jaw: slim – strong", -1.0, 1.0),
    slider("face.chin", "Chin: small – long", -1.0, 1.0),
    slider("face.cheeks", "Cheeks: flat – full", -1.0, 1.0),
    slider("face.eyes", "Eyes: small – large", -1.0, 1.0),
    slider("face.open", "Eyes: narrow – wide open", -1.0, 1.0),
    slider("face.slant", "Outer corners of the eyes: down – up", -1.0, 1.0),
    slider("face.brows", "Brows: fine – strong", -1.0, 1.0),
    slider("face.nose", "Nose: small – large", -1.0, 1.0),
    slider("face.noseWidth", "Nose: slim – broad", -1.0, 1.0),
    slider("face.bridge", "Bridge of the nose: flat – high", -1.0, 1.0),
    slider("face.mouth", "Mouth: small – wide", -1.0, 1.0),
    slider("face.lips", "Lips: thin – full", -1.0, 1.0),
    slider("face.asymmetry", "Halves of the face: left – right", -1.0, 1.0),
    slider("body.weight", "Build: slim – heavy", -1.0, 1.0),
    slider("body.shoulders", "Shoulders: narrow – broad", -1.0, 1.0),
    slider("body.neck", "Neck: slim – strong", -1.0, 1.0),
    slider("skin.freckles", "Freckles", 0.0, 1.0),
    slider("skin.lines", "Lines of the face", 0.0, 1.0),
    slider("skin.makeup", "Make-up", 0.0, 1.0),
    slider("hair.length", "Hair: shorter – longer", -1.0, 1.0),
    slider("hair.volume", "Hair: flat – full", -1.0, 1.0),
    slider("logo.size", "Logo: small – large", -1.0, 1.0),
];

/// What a field takes.
#[derive(Clone, Copy)]
enum Takes {
    Slide,
    Flag,
    Text,
    Color,
    /// A word, and what is said of another one.
    Word(fn(&str) -> Option<String>),
    Object(Fields),
    Outfits,
    Faces,
    Voices,
    Picture,
}

type Fields = &'static [(&'static str, Takes)];

fn unknown<T: std::str::FromStr<Err = compere_media::UnknownWord>>(word: &str) -> Option<String> {
    word.parse::<T>().err().map(|error| format!("must be one of {}", error.known.join(", ")))
}

const DESIGN: Fields = &[
    ("name", Takes::Text),
    ("faces", Takes::Faces),
    ("age", Takes::Slide),
    ("face", Takes::Object(FACE)),
    ("body", Takes::Object(&[("weight", Takes::Slide), ("shoulders", Takes::Slide), ("neck", Takes::Slide)])),
    ("skin", Takes::Object(SKIN)),
    ("eyes", Takes::Object(&[("color", Takes::Color)])),
    ("hair", Takes::Object(HAIR)),
    ("beard", Takes::Word(unknown::<Beard>)),
    ("glasses", Takes::Object(&[("rims", Takes::Word(unknown::<Rims>)), ("color", Takes::Color)])),
    ("outfits", Takes::Outfits),
    ("logo", Takes::Object(LOGO)),
    ("manner", Takes::Word(unknown::<Temper>)),
    ("hands", Takes::Word(unknown::<Hands>)),
    ("voices", Takes::Voices),
];

const FACE: Fields = &[
    ("width", Takes::Slide),
    ("length", Takes::Slide),
    ("jaw", Takes::Slide),
    ("chin", Takes::Slide),
    ("cheeks", Takes::Slide),
    ("eyes", Takes::Slide),
    ("open", Takes::Slide),
    ("slant", Takes::Slide),
    ("brows", Takes::Slide),
    ("nose", Takes::Slide),
    ("noseWidth", Takes::Slide),
    ("bridge", Takes::Slide),
    ("mouth", Takes::Slide),
    ("lips", Takes::Slide),
    ("asymmetry", Takes::Slide),
];

const SKIN: Fields = &[
    ("color", Takes::Color),
    ("lips", Takes::Color),
    ("freckles", Takes::Slide),
    ("lines", Takes::Slide),
    ("makeup", Takes::Slide),
];

const HAIR: Fields = &[
    ("style", Takes::Word(unknown::<HairStyle>)),
    ("color", Takes::Color),
    ("length", Takes::Slide),
    ("volume", Takes::Slide),
    ("otherSide", Takes::Flag),
];

const OUTFIT: Fields = &[
    ("clothes", Takes::Word(unknown::<Clothes>)),
    ("color", Takes::Color),
    ("under", Takes::Color),
    ("accent", Takes::Color),
    ("name", Takes::Text),
];

const LOGO: Fields =
    &[("picture", Takes::Picture), ("place", Takes::Word(unknown::<LogoPlace>)), ("size", Takes::Slide)];

pub(super) fn read(value: &Value) -> Result<Design, Vec<Slip>> {
    let mut slips = Slips(Vec::new());
    let bare = match value {
        Value::Object(fields) => slips.object(fields, DESIGN, ""),
        _ => return Err(vec![Slip { path: String::new(), message: "a design must be an object".to_owned() }]),
    };
    for (key, why) in [
        ("name", "must be what the presenter is called"),
        ("faces", "must name whose face it is, such as {\"nora\": 1}"),
    ] {
        if bare.get(key).is_none() {
            slips.tell(key, why);
        }
    }
    for (at, outfit) in bare.get("outfits").and_then(Value::as_array).into_iter().flatten().enumerate() {
        for (key, why) in [("clothes", "must say what is worn"), ("color", "must be a colour such as `#1e6b7a`")] {
            if outfit.get(key).is_none() && outfit.is_object() {
                slips.tell(&format!("outfits[{at}].{key}"), why);
            }
        }
    }
    if bare.get("logo").is_some_and(|logo| logo.is_object() && logo.get("picture").is_none()) {
        slips.tell("logo.picture", "must be a picture as `data:image/png;base64,…`");
    }
    if !slips.0.is_empty() {
        return Err(slips.0);
    }
    serde_json::from_value(Value::Object(bare))
        .map_err(|error| vec![Slip { path: String::new(), message: error.to_string() }])
}

struct Slips(Vec<Slip>);

impl Slips {
    fn tell(&mut self, path: &str, message: impl Into<String>) {
        let known = self.0.iter().any(|slip| slip.path == path);
        if !known && self.0.len() < 40 {
            self.0.push(Slip { path: path.to_owned(), message: message.into() });
        }
    }

    /// Without what says nothing: null and empty texts.
    fn object(&mut self, object: &Map<String, Value>, fields: Fields, at: &str) -> Map<String, Value> {
        let mut kept = Map::new();
        for (key, value) in object {
            let shown: String = key.chars().take(40).collect();
            let path = if at.is_empty() { shown } else { format!("{at}.{shown}") };
            let Some((_, takes)) = fields.iter().find(|field| field.0 == key) else {
                let known: Vec<&str> = fields.iter().map(|field| field.0).collect();
                self.tell(&path, format!("is not known here; there are {}", known.join(", ")));
                continue;
            };
            if value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty()) {
                continue;
            }
            if let Some(value) = self.field(value, *takes, &path) {
                kept.insert(key.clone(), value);
            }
        }
        kept
    }

    fn field(&mut self, value: &Value, takes: Takes, path: &str) -> Option<Value> {
        let wrong = match takes {
            Takes::Object(fields) => match value {
                Value::Object(object) => return Some(Value::Object(self.object(object, fields, path))),
                _ => Some("must be an object".to_owned()),
            },
            Takes::Outfits => match value {
                Value::Array(list) if list.len() <= OUTFITS => {
                    let outfits = list
                        .iter()
                        .enumerate()
                        .filter_map(|(at, one)| self.field(one, Takes::Object(OUTFIT), &format!("{path}[{at}]")));
                    return Some(Value::Array(outfits.collect()));
                }
                Value::Array(_) => Some(format!("must be at most {OUTFITS}")),
                _ => Some("must be a list of outfits".to_owned()),
            },
            Takes::Slide => of_slider(value, path),
            Takes::Flag => (!value.is_boolean()).then(|| "must be true or false".to_owned()),
            Takes::Text => text(value, NAME).err(),
            Takes::Color => {
                let is_color = value.as_str().is_some_and(|text| Paint::parse(text.trim()).is_some());
                (!is_color).then(|| "must be a colour such as `#1e6b7a`".to_owned())
            }
            Takes::Word(unknown) => match value.as_str() {
                Some(word) => unknown(word),
                None => Some("must be a word".to_owned()),
            },
            Takes::Faces => of_faces(value),
            Takes::Voices => of_voices(value),
            Takes::Picture => text(value, PICTURE).err().or_else(|| {
                let is_data = value.as_str().is_some_and(|text| text.starts_with("data:image/"));
                (!is_data).then(|| "must be a picture as `data:image/png;base64,…`".to_owned())
            }),
        };
        match wrong {
            Some(message) => {
                self.tell(path, message);
                None
            }
            None => Some(value.clone()),
        }
    }
}

fn text(value: &Value, most: usize) -> Result<&str, String> {
    let text = value.as_str().ok_or("must be a text")?;
    match text.len() > most {
        true => Err(format!("must have at most {most} characters")),
        false => Ok(text),
    }
}

fn of_slider(value: &Value, path: &str) -> Option<String> {
    let known = SLIDERS.iter().find(|slider| slider.path == path)?;
    let fits = value.as_f64().is_some_and(|number| (known.low..=known.high).contains(&number));
    (!fits).then(|| format!("must be a number from {} to {}", known.low, known.high))
}

fn of_faces(value: &Value) -> Option<String> {
    let known = || CAST.iter().map(|member| member.alias).collect::<Vec<_>>().join(", ");
    let Some(faces) = value.as_object().filter(|faces| !faces.is_empty()) else {
        return Some(format!(
            "must name faces with their shares, such as {{\"nora\": 0.7, \"mei\": 0.3}}; there are {}",
            known()
        ));
    };
    if faces.len() > FACES {
        return Some(format!("must be at most {FACES}"));
    }
    let mut male = None;
    for (alias, share) in faces {
        let Some(member) = CAST.iter().find(|member| member.alias == alias) else {
            let shown: String = alias.chars().take(40).collect();
            return Some(format!("there is no face `{shown}`; there are {}", known()));
        };
        if !share.as_f64().is_some_and(|share| (0.01..=1000.0).contains(&share)) {
            return Some(format!("the share of `{alias}` must be a number from 0.01 to 1000"));
        }
        let is_male = member.person.male > 0.5;
        if male.replace(is_male).is_some_and(|before| before != is_male) {
            return Some("must be all women's or all men's: what lies between looks like neither".to_owned());
        }
    }
    None
}

fn of_voices(value: &Value) -> Option<String> {
    let fits = value.as_object().is_some_and(|voices| {
        voices.len() <= 200
            && voices.iter().all(|(language, voice)| {
                language.len() <= 40 && voice.as_str().is_some_and(|voice| !voice.is_empty() && voice.len() <= NAME)
            })
    });
    (!fits).then(|| "must name a voice for each language, such as {\"en-US\": \"af_heart\"}".to_owned())
}
