//! Files of a film that is watched while it is made.

/// What a file of a stream is. Names are the renderer's; whatever else somebody asks for is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Streamed {
    /// The playlist that players are given, and those that it names.
    FilmList,
    VideoList,
    SoundList,
    VideoHead,
    SoundHead,
    /// A piece, or a part of the first one.
    Video(u32, Option<u32>),
    Sound(u32, Option<u32>),
}

impl Streamed {
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "film.m3u8" => Self::FilmList,
            "video.m3u8" => Self::VideoList,
            "sound.m3u8" => Self::SoundList,
            "video.mp4" => Self::VideoHead,
            "sound.mp4" => Self::SoundHead,
            _ => {
                let (track, numbers) = name.strip_suffix(".m4s")?.split_once('-')?;
                let (piece, part) = match numbers.split_once('.') {
                    Some((piece, part)) => (number(piece)?, Some(number(part)?)),
                    None => (number(numbers)?, None),
                };
                match track {
                    "video" => Self::Video(piece, part),
                    "sound" => Self::Sound(piece, part),
                    _ => return None,
                }
            }
        })
    }

    /// As it is stored and asked for.
    pub fn called(self) -> String {
        let piece = |track, piece: u32, part: Option<u32>| match part {
            Some(part) => format!("{track}-{piece}.{part}.m4s"),
            None => format!("{track}-{piece}.m4s"),
        };
        match self {
            Self::FilmList => "film.m3u8".to_owned(),
            Self::VideoList => "video.m3u8".to_owned(),
            Self::SoundList => "sound.m3u8".to_owned(),
            Self::VideoHead => "video.mp4".to_owned(),
            Self::SoundHead => "sound.mp4".to_owned(),
            Self::Video(number, part) => piece("video", number, part),
            Self::Sound(number, part) => piece("sound", number, part),
        }
    }

    /// A list grows; everything else stays what it is.
    pub fn is_list(self) -> bool {
        matches!(self, Self::FilmList | Self::VideoList | Self::SoundList)
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Self::FilmList | Self::VideoList | Self::SoundList => "application/vnd.apple.mpegurl",
            Self::VideoHead | Self::Video(..) => "video/mp4",
            Self::SoundHead | Self::Sound(..) => "audio/mp4",
        }
    }
}

/// A number as we write it: nothing before it, nothing behind.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written_and_no_others() {
        for name in ["film.m3u8", "video.m3u8", "sound.mp4", "video-0.m4s", "sound-12.m4s", "video-0.7.m4s"] {
            assert_eq!(Streamed::parse(name).map(Streamed::called).as_deref(), Some(name));
        }
        for name in
            ["", "film.mp4", "video-.m4s", "video-01.m4s", "video-+1.m4s", "x-1.m4s", "video-1.m4s/..", "-1.m4s"]
        {
            assert_eq!(Streamed::parse(name), None, "{name}");
        }
    }
}
