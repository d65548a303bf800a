//! What a presenter is told to do at a moment of a speech.

/// Arms and hands. Left and right are those of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gesture {
    /// Arms hang.
    Relaxed,
    /// One hand in the other, in front of the body.
    Together,
    /// Arms crossed.
    Folded,
    /// Forearms on a desk.
    Desk,
    /// A tablet in one hand, the other over it.
    Tablet,
    /// Both palms opened to the viewer.
    Open,
    /// One hand raised.
    Raise,
    /// A hand on the chest.
    Heart,
    PointLeft,
    PointRight,
    One,
    Two,
    Three,
}

impl Gesture {
    pub const ALL: [(&'static str, Self); 13] = [
        ("relaxed", Self::Relaxed),
        ("together", Self::Together),
        ("folded", Self::Folded),
        ("desk", Self::Desk),
        ("tablet", Self::Tablet),
        ("open", Self::Open),
        ("raise", Self::Raise),
        ("heart", Self::Heart),
        ("point-left", Self::PointLeft),
        ("point-right", Self::PointRight),
        ("one", Self::One),
        ("two", Self::Two),
        ("three", Self::Three),
    ];

    /// Whether it is held until the next one, instead of ending by itself.
    pub fn stays(self) -> bool {
        matches!(self, Self::Relaxed | Self::Together | Self::Folded | Self::Desk | Self::Tablet)
    }
}

/// A look on the face that lasts for a sentence or so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mood {
    Smile,
    Serious,
    Surprise,
}

/// Where the eyes go; left and right are those of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    Left,
    Right,
    Up,
    Down,
    Camera,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cue {
    Gesture(Gesture),
    Mood(Mood),
    Look(Look),
    Nod,
}

impl Cue {
    /// What may stand in brackets by itself.
    const WORDS: [(&'static str, Self); 4] = [
        ("smile", Self::Mood(Mood::Smile)),
        ("serious", Self::Mood(Mood::Serious)),
        ("surprise", Self::Mood(Mood::Surprise)),
        ("nod", Self::Nod),
    ];
    const LOOKS: [(&'static str, Look); 5] = [
        ("left", Look::Left),
        ("right", Look::Right),
        ("up", Look::Up),
        ("down", Look::Down),
        ("camera", Look::Camera),
    ];

    /// Every cue as it is written, without the brackets.
    pub fn all() -> Vec<(String, Self)> {
        let words = Self::WORDS.into_iter().map(|(name, cue)| (name.to_owned(), cue));
        let gestures = Gesture::ALL.into_iter().map(|(name, cue)| (format!("gesture:{name}"), Self::Gesture(cue)));
        let looks = Self::LOOKS.into_iter().map(|(name, cue)| (format!("look:{name}"), Self::Look(cue)));
        words.chain(gestures).chain(looks).collect()
    }

    /// The cue written so, in any case, without the brackets.
    pub fn parse(text: &str) -> Option<Self> {
        let find = |list: &[(&'static str, Self)], name: &str| {
            list.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, cue)| cue)
        };
        match text.split_once(':') {
            None => find(&Self::WORDS, text),
            Some((kind, name)) if kind.eq_ignore_ascii_case("gesture") => {
                find(&Gesture::ALL.map(|(known, gesture)| (known, Self::Gesture(gesture))), name)
            }
            Some((kind, name)) if kind.eq_ignore_ascii_case("look") => {
                find(&Self::LOOKS.map(|(known, look)| (known, Self::Look(look))), name)
            }
            Some(_) => None,
        }
    }
}

/// A cue and its moment, in samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CueMark {
    pub at: u64,
    pub cue: Cue,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cue_is_read_as_it_is_written() {
        for (name, cue) in Cue::all() {
            assert_eq!(Cue::parse(&name), Some(cue), "{name}");
            assert_eq!(Cue::parse(&name.to_uppercase()), Some(cue), "{name}");
        }
        for wrong in ["", "gesture", "gesture:", "look:smile", "gesture:left", "point-left", "smile:left"] {
            assert_eq!(Cue::parse(wrong), None, "{wrong}");
        }
    }
}
