//! Words that stand in requests, records and answers. Each is spelled once, where its meaning is.

/// A text that is none of the words it should be one of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    /// What it should have been: the name of the type.
    pub what: &'static str,
    pub text: String,
    pub known: &'static [&'static str],
}

impl std::fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is no {}; there are {}", self.text, self.what, self.known.join(", "))
    }
}

impl std::error::Error for UnknownWord {}

/// An enum whose members are words: read, written, shown and stored by the same spelling.
///
/// ```
/// compere_media::words! {
///     /// How loud.
///     pub enum Volume { Low = "low", High = "high" }
/// }
/// assert_eq!("low".parse(), Ok(Volume::Low));
/// assert_eq!(serde_json::to_string(&Volume::High).unwrap(), r#""high""#);
/// ```
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$of:meta])* $variant:ident = $word:literal),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name { $($(#[$of])* $variant),+ }

        impl $name {
            /// In the order of their definition.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];
            const WORDS: &'static [&'static str] = &[$($word),+];

            pub fn as_str(self) -> &'static str {
                Self::WORDS[self as usize]
            }

            /// None for a word that is none of these. Letters count as they are.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.as_str() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                let unknown = || $crate::UnknownWord {
                    what: stringify!($name),
                    text: word.to_owned(),
                    known: Self::WORDS,
                };
                Self::parse(word).ok_or_else(unknown)
            }
        }

        impl $crate::__serde::Serialize for $name {
            fn serialize<S: $crate::__serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::__serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let word = <std::borrow::Cow<'de, str> as $crate::__serde::Deserialize>::deserialize(from)?;
                word.parse().map_err($crate::__serde::de::Error::custom)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::{Format, Resolution};

    #[test]
    fn a_word_is_read_as_it_is_written_everywhere() {
        for resolution in Resolution::ALL {
            assert_eq!(resolution.to_string().parse(), Ok(resolution));
            let json = serde_json::to_string(&resolution).expect("writes");
            assert_eq!(serde_json::from_str::<Resolution>(&json).expect("reads"), resolution);
        }
        let error = "avi".parse::<Format>().expect_err("is none").to_string();
        assert_eq!(error, "`avi` is no Format; there are mp4, wav, webm, mov");
        assert!(serde_json::from_str::<Format>(r#""AVI""#).is_err());
        assert_eq!(format!("{:>5}|", Format::Mp4), "  mp4|");
    }
}
