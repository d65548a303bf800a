//! What may be said in a request, field by field, written down once.
//!
//! A reader sees what its schema names and nothing else (`document::reader`), slips are told by it, and the API's document
//! is made of it: what is read and what is described cannot drift apart.

mod edits;
mod older;
mod options;
mod project;
mod simple;

pub use edits::{EDIT, EXPORT};
pub use older::{OLDER_CHANGES, OLDER_INDEX, OLDER_PROJECT, OLDER_SCENE};
pub use options::OPTIONS;
pub use project::{PROJECT, TYPECASE};
pub use simple::{AUDIO, OLDER_AUDIO, OLDER_VIDEO, VIDEO};

pub(crate) use older::OLDER_READ;
pub(crate) use simple::SIMPLE_READ;

/// An object of a request.
#[derive(Debug)]
pub struct Schema {
    /// In the API's document; empty for one that is described where it stands.
    pub name: &'static str,
    /// In messages: "a scene".
    pub of: &'static str,
    pub says: &'static str,
    /// Another object whose fields it has as well.
    pub base: Option<&'static Schema>,
    pub fields: &'static [Field],
    /// What it may be, by its field `type`.
    pub variants: &'static [(&'static str, &'static Schema)],
    /// What is not read, and comes with what other editors write, or is read and better not written: no slips.
    pub besides: &'static [&'static str],
    /// Whether every key has a meaning here.
    pub open: bool,
    /// As JSON; empty for none.
    pub example: &'static str,
}

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub key: &'static str,
    pub takes: Takes,
    pub needed: bool,
    pub says: &'static str,
    /// As JSON; empty for none.
    pub default: &'static str,
    pub example: &'static str,
    pub least: Option<f64>,
    /// Of a text its longest, in characters.
    pub most: Option<f64>,
}

/// What a field takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    Text,
    Number,
    Whole,
    Flag,
    /// One of the words that the API's document lists under this name.
    Word(&'static str),
    /// One of these words.
    OneOf(&'static [&'static str]),
    Object(&'static Schema),
    List(&'static Takes),
    Either(&'static [Takes]),
    File,
}

/// Any object.
pub static ANYTHING: Schema = Schema { open: true, ..Schema::of("", "an object") };

impl Schema {
    pub const fn of(name: &'static str, of: &'static str) -> Self {
        Self { name, of, says: "", base: None, fields: &[], variants: &[], besides: &[], open: false, example: "" }
    }

    /// The field of that name, of this object or of any that it may be.
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        let own = || self.fields.iter().find(|field| field.key == key);
        let based = || self.base.and_then(|base| base.field(key));
        let variant = || self.variants.iter().find_map(|(_, schema)| schema.field(key));
        own().or_else(based).or_else(variant)
    }

    /// Whether a reader may see the field.
    pub fn has(&self, key: &str) -> bool {
        self.open || self.field(key).is_some() || self.is_besides(key)
    }

    fn is_besides(&self, key: &str) -> bool {
        self.besides.contains(&key) || self.base.is_some_and(|base| base.is_besides(key))
    }

    /// Every key that is no slip.
    pub fn keys(&self) -> Vec<&'static str> {
        let mut keys: Vec<&'static str> =
            self.fields.iter().map(|field| field.key).chain(self.besides.iter().copied()).collect();
        let others = self.base.into_iter().chain(self.variants.iter().map(|(_, schema)| *schema));
        keys.extend(others.flat_map(Schema::keys));
        keys
    }

    /// What lies in a field.
    pub fn inside(&self, key: &str) -> &'static Schema {
        self.field(key).and_then(|field| field.takes.object()).unwrap_or(&ANYTHING)
    }

    /// What lies in the items of a list.
    pub fn items(&self, key: &str) -> &'static Schema {
        self.field(key).and_then(|field| field.takes.item()).unwrap_or(&ANYTHING)
    }

    /// Those of this type.
    pub fn variant(&'static self, kind: &str) -> &'static Schema {
        self.variants.iter().find(|(word, _)| *word == kind).map_or(self, |(_, schema)| schema)
    }
}

impl Takes {
    fn object(self) -> Option<&'static Schema> {
        match self {
            Self::Object(schema) => Some(schema),
            Self::Either(choices) => choices.iter().find_map(|one| one.object()),
            _ => None,
        }
    }

    fn item(self) -> Option<&'static Schema> {
        match self {
            Self::List(item) => item.object(),
            Self::Either(choices) => choices.iter().find_map(|one| one.item()),
            _ => None,
        }
    }
}

impl Field {
    const fn new(key: &'static str, takes: Takes, needed: bool) -> Self {
        Self { key, takes, needed, says: "", default: "", example: "", least: None, most: None }
    }

    #[must_use]
    pub const fn says(self, says: &'static str) -> Self {
        Self { says, ..self }
    }

    /// What is taken where it is not said, as JSON.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// As JSON.
    #[must_use]
    pub const fn such_as(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    #[must_use]
    pub const fn from(self, least: f64, most: f64) -> Self {
        Self { least: Some(least), most: Some(most), ..self }
    }

    #[must_use]
    pub const fn at_most(self, most: f64) -> Self {
        Self { most: Some(most), ..self }
    }

    #[must_use]
    pub const fn at_least(self, least: f64) -> Self {
        Self { least: Some(least), ..self }
    }
}

/// A field that has to be there.
pub const fn need(key: &'static str, takes: Takes) -> Field {
    Field::new(key, takes, true)
}

/// A field that may be there.
pub const fn may(key: &'static str, takes: Takes) -> Field {
    Field::new(key, takes, false)
}

/// Lines of the landscape form, as people write them.
pub static RESOLUTION: Takes = Takes::Either(&[Takes::Word("Resolution"), Takes::Whole]);
