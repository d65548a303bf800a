//! What may be asked for when a document is imported, in the words of all doors.

use std::collections::BTreeMap;

use compere_media::words;
use compere_scene::colour;

words! {
    /// How a presenter shares the picture with a slide. Whatever is chosen, no content is covered: where the place is
    /// taken, the slide is shown smaller beside it.
    #[derive(Default)]
    pub enum Layout {
        /// What suits most slides of the deck.
        #[default]
        Auto = "auto",
        /// Standing beside the slide.
        Beside = "beside",
        /// Head and shoulders in a lower corner.
        Corner = "corner",
        /// In a disc in a corner.
        Circle = "circle",
        /// Heard and not seen.
        Voice = "voice",
    }
}

words! {
    /// Where the presenter is.
    #[derive(Default)]
    pub enum Side {
        #[default]
        Right = "right",
        Left = "left",
    }
}

words! {
    /// What becomes of slides without notes.
    #[derive(Default)]
    pub enum Quiet {
        /// The presenter stays and listens while the slide is read.
        #[default]
        Listen = "listen",
        /// The slide alone, as long as it is read.
        Empty = "empty",
        /// What they say themselves is spoken: a draft to go on from.
        Draft = "draft",
        /// A language model writes what is said of them, where there is one.
        Written = "written",
        /// They are left out.
        Skip = "skip",
    }
}

impl Quiet {
    /// Whether somebody is there on slides on which nothing is said.
    pub(crate) fn listens(self) -> bool {
        matches!(self, Self::Listen | Self::Draft | Self::Written)
    }
}

/// What is behind slides that do not fill the picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// The colour that most slides have at their edges, a shade off.
    #[default]
    Own,
    Colour([u8; 3]),
    /// The link of a picture, as scenes have it.
    Picture(String),
}

impl std::str::FromStr for Ground {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const LONGEST: usize = 2000;
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::Own);
        }
        if let Some(colour) = colour(text).filter(|colour| colour.a == 255) {
            return Ok(Self::Colour([colour.r, colour.g, colour.b]));
        }
        let is_link = ["http://", "https://", "/"].iter().any(|start| text.starts_with(start));
        if is_link && text.len() <= LONGEST {
            return Ok(Self::Picture(text.to_owned()));
        }
        let shown: String = text.chars().take(40).collect();
        Err(format!("must be a colour such as `#0a2540` or the link of a picture, was `{shown}`"))
    }
}

/// Slides by number, `1-5,8,12-`. Empty means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers(Vec<(usize, usize)>);

impl Numbers {
    pub fn holds(&self, number: usize) -> bool {
        self.0.is_empty() || self.0.iter().any(|(first, last)| (*first..=*last).contains(&number))
    }

    /// As they were written.
    pub(crate) fn text(&self) -> String {
        let text = |(first, last): &(usize, usize)| match (first, last) {
            (first, &usize::MAX) => format!("{first}-"),
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        };
        self.0.iter().map(text).collect::<Vec<_>>().join(",")
    }
}

impl std::str::FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("must be numbers of slides such as `1-5,8,12-`, was `{}`", text.trim());
        let number = |word: &str| word.trim().parse::<usize>().ok().filter(|number| *number > 0);
        let span = |part: &str| match part.split_once(['-', '–']) {
            None => number(part).map(|one| (one, one)),
            Some((first, "")) => Some((number(first)?, usize::MAX)),
            Some((first, last)) if first.trim().is_empty() => Some((1, number(last)?)),
            Some((first, last)) => Some((number(first)?, number(last)?)).filter(|(first, last)| first <= last),
        };
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let spans: Option<Vec<_>> = text.split([',', ';']).map(|part| span(part.trim())).collect();
        spans.filter(|spans| spans.len() <= 100).map(Self).ok_or_else(wrong)
    }
}

/// What somebody wants of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    pub layout: Layout,
    pub side: Side,
    pub quiet: Quiet,
    pub background: Ground,
    /// As the document counts, hidden ones too.
    pub slides: Numbers,
    /// Hidden slides are shown.
    pub hidden: bool,
    /// Notes are spoken.
    pub notes: bool,
    /// What authors tell themselves in their notes, such as `(10 min)`, is spoken like the rest.
    pub cues: bool,
    /// Texts and pictures of a PPTX become clips.
    pub editable: bool,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            layout: Layout::default(),
            side: Side::default(),
            quiet: Quiet::default(),
            background: Ground::default(),
            slides: Numbers::default(),
            hidden: false,
            notes: true,
            cues: true,
            editable: false,
        }
    }
}

impl Wish {
    /// Of the fields of a form; what is wrong with them comes with the field's name.
    pub fn read(fields: &BTreeMap<String, String>) -> (Self, Vec<(&'static str, String)>) {
        let mut wrong = Vec::new();
        let plain = Self::default();
        let wish = Self {
            layout: word(fields, "layout", &mut wrong),
            side: word(fields, "side", &mut wrong),
            quiet: word(fields, "quiet", &mut wrong),
            background: word(fields, "background", &mut wrong),
            slides: word(fields, "slides", &mut wrong),
            hidden: flag(fields, "hidden", plain.hidden, &mut wrong),
            notes: flag(fields, "notes", plain.notes, &mut wrong),
            cues: flag(fields, "cues", plain.cues, &mut wrong),
            editable: flag(fields, "editable", plain.editable, &mut wrong),
        };
        (wish, wrong)
    }
}

type Wrong = Vec<(&'static str, String)>;

fn given<'a>(fields: &'a BTreeMap<String, String>, key: &str) -> Option<&'a str> {
    fields.get(key).map(|text| text.trim()).filter(|text| !text.is_empty())
}

fn word<T: std::str::FromStr<Err: std::fmt::Display> + Default>(
    fields: &BTreeMap<String, String>,
    key: &'static str,
    wrong: &mut Wrong,
) -> T {
    let Some(text) = given(fields, key) else { return T::default() };
    text.parse().unwrap_or_else(|error: T::Err| {
        wrong.push((key, error.to_string()));
        T::default()
    })
}

fn flag(fields: &BTreeMap<String, String>, key: &'static str, plain: bool, wrong: &mut Wrong) -> bool {
    match given(fields, key) {
        None => plain,
        Some("true" | "1") => true,
        Some("false" | "0") => false,
        Some(_) => {
            wrong.push((key, "must be true or false".to_owned()));
            plain
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spans_of_slides() {
        let numbers: Numbers = " 1-3, 7,12-".parse().unwrap();
        let held: Vec<usize> = (1..15).filter(|number| numbers.holds(*number)).collect();
        assert_eq!(held, [1, 2, 3, 7, 12, 13, 14]);
        assert_eq!(numbers.text(), "1-3,7,12-");
        assert!("".parse::<Numbers>().unwrap().holds(99));
        for wrong in ["0", "5-2", "a", "1,,2", "-"] {
            assert!(wrong.parse::<Numbers>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_background_is_a_colour_or_a_link() {
        let read = |text: &str| text.parse::<Ground>();
        assert_eq!((read(" "), read("#0A2540")), (Ok(Ground::Own), Ok(Ground::Colour([10, 37, 64]))));
        assert_eq!(read("rgb(1, 2, 3)"), Ok(Ground::Colour([1, 2, 3])));
        assert_eq!(read("/images/background/office.png"), Ok(Ground::Picture("/images/background/office.png".into())));
        for wrong in ["#12", "office.png", "file:///etc/passwd", &format!("https://{}", "a".repeat(3000))] {
            assert!(read(wrong).is_err_and(|error| error.contains("must be a colour")), "{wrong}");
        }
    }

    #[test]
    fn everything_wrong_with_a_form_is_said_at_once() {
        let fields = [("layout", "middle"), ("quiet", "skip"), ("hidden", "yes"), ("slides", "x"), ("notes", "0")];
        let fields = fields.map(|(key, text)| (key.to_owned(), text.to_owned())).into();
        let (wish, wrong) = Wish::read(&fields);
        assert_eq!(wrong.iter().map(|(key, _)| *key).collect::<Vec<_>>(), ["layout", "slides", "hidden"]);
        assert!(wrong[0].1.contains("beside, corner"), "{wrong:?}");
        assert_eq!((wish.quiet, wish.notes, wish.cues), (Quiet::Skip, false, true));
    }
}
