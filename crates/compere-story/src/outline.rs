//! What an author's text is made of: headings, paragraphs and lists, in plain text or Markdown.

/// A text, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub title: Option<String>,
    pub parts: Vec<Part>,
}

/// What stands under one heading; the first part may have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub heading: Option<String>,
    pub paragraphs: Vec<String>,
    pub points: Vec<String>,
    pub pictures: Vec<Picture>,
}

/// A picture in the text: `![what it shows](address =800x600)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    pub url: String,
    pub says: String,
    /// In pixels; neither is zero.
    pub size: (u32, u32),
}

impl Part {
    fn is_empty(&self) -> bool {
        self.heading.is_none() && self.paragraphs.is_empty() && self.points.is_empty() && self.pictures.is_empty()
    }
}

enum Line {
    Heading(usize, String),
    Point(String),
    Picture(Picture),
    Words(String),
    Blank,
}

impl Outline {
    /// Reads a text. A blank line ends a paragraph; `#` or an underlining of `===` makes a heading, so does a short line
    /// that stands by itself and does not end like a sentence.
    pub fn read(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let mut reader = Reader::default();
        for (at, line) in lines.iter().enumerate() {
            let before = at.checked_sub(1).map_or("", |before| lines[before]);
            let after = lines.get(at + 1).copied().unwrap_or_default();
            reader.take(kind(line, before, after));
        }
        reader.finish()
    }

    /// All that is said, for those who only want the words.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(Part::is_empty)
    }
}

#[derive(Default)]
struct Reader {
    outline: Outline,
    part: Part,
    paragraph: Vec<String>,
}

impl Reader {
    fn take(&mut self, line: Line) {
        match line {
            Line::Blank => self.end_paragraph(),
            Line::Words(words) => self.paragraph.push(words),
            Line::Point(point) => {
                self.end_paragraph();
                self.part.points.push(point);
            }
            Line::Picture(picture) => {
                self.end_paragraph();
                self.part.pictures.push(picture);
            }
            Line::Heading(level, heading) => {
                self.end_part();
                let is_first = self.outline.parts.is_empty() && self.outline.title.is_none();
                if level == 1 && is_first {
                    self.outline.title = Some(heading);
                } else {
                    self.part.heading = Some(heading);
                }
            }
        }
    }

    fn end_paragraph(&mut self) {
        if !self.paragraph.is_empty() {
            self.part.paragraphs.push(std::mem::take(&mut self.paragraph).join(" "));
        }
    }

    fn end_part(&mut self) {
        self.end_paragraph();
        let part = std::mem::take(&mut self.part);
        if !part.is_empty() {
            self.outline.parts.push(part);
        }
    }

    fn finish(mut self) -> Outline {
        self.end_part();
        self.outline
    }
}

fn kind(line: &str, before: &str, after: &str) -> Line {
    if line.is_empty() || is_rule(line) {
        return Line::Blank;
    }
    if let Some(picture) = picture(line) {
        return Line::Picture(picture);
    }
    let marks = line.chars().take_while(|&mark| mark == '#').count();
    if (1..=6).contains(&marks) && line[marks..].starts_with(' ') {
        return Line::Heading(marks, plain(line[marks..].trim_end_matches('#')));
    }
    if after.len() > 2 && after.chars().all(|mark| mark == '=') {
        return Line::Heading(1, plain(line));
    }
    if let Some(point) = point(line) {
        return Line::Point(plain(point));
    }
    let bold = line.strip_prefix("**").and_then(|line| line.strip_suffix("**"));
    if let Some(heading) = bold.filter(|heading| !heading.contains("**")) {
        return Line::Heading(2, plain(heading));
    }
    let alone = before.is_empty() && after.is_empty();
    let ends_like_a_sentence = line.ends_with(['.', '!', '?', ',', ';', '。', '！', '？', '"', '”', '…']);
    if alone && !ends_like_a_sentence && line.chars().count() <= 60 {
        return Line::Heading(2, plain(line.trim_end_matches(':')));
    }
    Line::Words(plain(line))
}

/// `---`, `***` and the underlining of a heading.
fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.chars().all(|mark| matches!(mark, '-' | '=' | '*' | '_'))
}

/// A line that is a picture whose size is known: without it nobody can say how it is to stand.
fn picture(line: &str) -> Option<Picture> {
    let (says, rest) = line.strip_prefix("![")?.split_once("](")?;
    let (url, size) = rest.strip_suffix(')')?.rsplit_once(" =")?;
    let (width, height) = size.split_once('x')?;
    let size = (width.parse().ok()?, height.parse().ok()?);
    let plain = !url.is_empty() && !url.contains(char::is_whitespace) && size.0 > 0 && size.1 > 0;
    plain.then(|| Picture { url: url.to_owned(), says: plain_words(says), size })
}

fn plain_words(says: &str) -> String {
    says.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What follows `-`, `•` or `3.`
fn point(line: &str) -> Option<&str> {
    let bullet = line.strip_prefix(['-', '*', '•', '–', '·', '‣', '▪']);
    let number = line.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let digits = line.len() - number.len();
    let numbered = (1..=2).contains(&digits).then(|| number.strip_prefix(['.', ')'])).flatten();
    let rest = bullet.or(numbered)?;
    rest.starts_with(' ').then(|| rest.trim()).filter(|rest| !rest.is_empty())
}

/// Without the marks of Markdown.
fn plain(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(at) = rest.find(['[', '*', '`', '_']) {
        words.push_str(&rest[..at]);
        let mark = rest[at..].chars().next().unwrap_or('*');
        rest = &rest[at + 1..];
        if mark == '['
            && let Some((label, after)) = rest.split_once("](")
            && let Some((_, after)) = after.split_once(')')
        {
            words.push_str(label);
            rest = after;
        } else if mark == '[' || (mark == '_' && is_inside_a_word(&words, rest)) {
            words.push(mark);
        }
    }
    words.push_str(rest);
    words.trim().to_owned()
}

fn is_inside_a_word(before: &str, after: &str) -> bool {
    before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_and_plain_text_are_read_alike() {
        let text = "# Safety at work\n\nWelcome to this course. It takes\nfive minutes.\n\n## Before you start\n\n- Wear **gloves**\n\
                    - Check the [manual](https://example.com)\n\nNever work alone.\n\nWhat to remember\n\n1. Gloves\n2) Manual\n";
        let outline = Outline::read(text);
        assert_eq!(outline.title.as_deref(), Some("Safety at work"));
        let told: Vec<(Option<&str>, usize, usize)> = outline
            .parts
            .iter()
            .map(|part| (part.heading.as_deref(), part.paragraphs.len(), part.points.len()))
            .collect();
        assert_eq!(told, [(None, 1, 0), (Some("Before you start"), 1, 2), (Some("What to remember"), 0, 2)]);
        assert_eq!(outline.parts[0].paragraphs[0], "Welcome to this course. It takes five minutes.");
        assert_eq!(outline.parts[1].points, ["Wear gloves", "Check the manual"]);
    }

    #[test]
    fn pictures_stand_where_they_were_put() {
        let outline =
            Outline::read("# One\n\nA bee.\n\n![A  bee](/media/a/1/bee.png =800x600)\n\n![no size](/x.png)\n");
        let bee = Picture { url: "/media/a/1/bee.png".into(), says: "A bee".into(), size: (800, 600) };
        assert_eq!(outline.parts[0].pictures, [bee]);
        assert!(picture("![a](b =0x9)").is_none() && picture("![a](b c =9x9)").is_none());
    }

    #[test]
    fn sentences_are_no_headings_and_names_keep_their_lines() {
        let outline = Outline::read("Hello, world.\n\nThis is file_name_2 at 3 * 4.\n");
        assert_eq!(outline.title, None);
        assert_eq!(outline.parts[0].paragraphs, ["Hello, world.", "This is file_name_2 at 3  4."]);
        assert!(Outline::read(" \n---\n").is_empty());
    }
}
