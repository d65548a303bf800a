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
    /// In the order in which they were written.
    pub blocks: Vec<Block>,
}

/// What a part is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    Paragraph(String),
    /// Points that follow each other.
    List(Vec<String>),
    Picture(Picture),
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
        self.heading.is_none() && self.blocks.is_empty()
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

    /// What the text begins with, where nothing is its title.
    pub fn first_words(&self) -> Option<&str> {
        let part = self.parts.first()?;
        part.heading.as_deref().or_else(|| {
            part.blocks.iter().find_map(|block| match block {
                Block::Paragraph(words) => Some(words.as_str()),
                Block::List(points) => points.first().map(String::as_str),
                Block::Picture(_) => None,
            })
        })
    }

    /// Whether nothing is said.
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
                match self.part.blocks.last_mut() {
                    Some(Block::List(points)) => points.push(point),
                    _ => self.part.blocks.push(Block::List(vec![point])),
                }
            }
            Line::Picture(picture) => {
                self.end_paragraph();
                self.part.blocks.push(Block::Picture(picture));
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
            self.part.blocks.push(Block::Paragraph(std::mem::take(&mut self.paragraph).join(" ")));
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
    if let Some(quoted) = line.strip_prefix('>') {
        return Line::Words(plain(quoted.trim_start_matches(['>', ' '])));
    }
    if let Some(cells) = row(line) {
        return cells.map_or(Line::Blank, |cells| Line::Point(cells.join(", ")));
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

/// The cells of a table's row; none of the line that only divides.
fn row(line: &str) -> Option<Option<Vec<String>>> {
    let inside = line.strip_prefix('|')?.strip_suffix('|')?;
    let divides = inside.chars().all(|mark| matches!(mark, '-' | ':' | '|' | ' '));
    let cells = || inside.split('|').map(plain).filter(|cell| !cell.is_empty()).collect();
    Some((!divides).then(cells))
}

/// Addresses of pictures that come without a size, as Markdown usually has them.
pub fn unmeasured(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| bare_picture(line.trim()).map(|(_, url)| url)).collect()
}

/// The text with the sizes that are known; pictures of which none is become what they show.
pub fn measured(text: &str, size: impl Fn(&str) -> Option<(u32, u32)>) -> String {
    let line = |line: &str| match bare_picture(line.trim()) {
        None => line.to_owned(),
        Some((says, url)) => match size(url) {
            Some((width, height)) => format!("![{says}]({url} ={width}x{height})"),
            None => String::new(),
        },
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// `![what it shows](address)` alone on its line, or with a title behind the address.
fn bare_picture(line: &str) -> Option<(&str, &str)> {
    let (says, rest) = line.strip_prefix("![")?.split_once("](")?;
    let inside = rest.strip_suffix(')')?;
    let url = inside.split_whitespace().next()?;
    picture(line).is_none().then_some((says, url))
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

    fn paragraphs(part: &Part) -> Vec<&str> {
        let words = part.blocks.iter().filter_map(|block| match block {
            Block::Paragraph(words) => Some(words.as_str()),
            _ => None,
        });
        words.collect()
    }

    fn points(part: &Part) -> Vec<&str> {
        let lists = part.blocks.iter().filter_map(|block| match block {
            Block::List(points) => Some(points),
            _ => None,
        });
        lists.flatten().map(String::as_str).collect()
    }

    #[test]
    fn quotes_tables_and_pictures_without_a_size_are_no_titles() {
        let text = "> Bees fly.\n\n| tool | use |\n|---|:-:|\n| veil | face |\n\n![pic](/one.png)\n";
        let outline = Outline::read(&measured(text, |_| None));
        let part = &outline.parts[0];
        assert_eq!((part.heading.as_deref(), paragraphs(part)), (None, vec!["Bees fly."]));
        assert_eq!(points(part), ["tool, use", "veil, face"]);
        assert_eq!((unmeasured(text), outline.first_words()), (vec!["/one.png"], Some("Bees fly.")));
        assert!(measured(text, |_| Some((4, 3))).contains("![pic](/one.png =4x3)"));
    }

    #[test]
    fn markdown_and_plain_text_are_read_alike() {
        let text = "# Safety at work\n\nWelcome to this course. It takes\nfive minutes.\n\n## Before you start\n\n- Wear **gloves**\n\
                    - Check the [manual](https://example.com)\n\nNever work alone.\n\nWhat to remember\n\n1. Gloves\n2) Manual\n";
        let outline = Outline::read(text);
        assert_eq!(outline.title.as_deref(), Some("Safety at work"));
        let told: Vec<(Option<&str>, usize, usize)> = outline
            .parts
            .iter()
            .map(|part| (part.heading.as_deref(), paragraphs(part).len(), points(part).len()))
            .collect();
        assert_eq!(told, [(None, 1, 0), (Some("Before you start"), 1, 2), (Some("What to remember"), 0, 2)]);
        assert_eq!(paragraphs(&outline.parts[0])[0], "Welcome to this course. It takes five minutes.");
        assert_eq!(points(&outline.parts[1]), ["Wear gloves", "Check the manual"]);
    }

    #[test]
    fn pictures_stand_where_they_were_put() {
        let outline =
            Outline::read("# One\n\nA bee.\n\n![A  bee](/media/a/1/bee.png =800x600)\n\n![no size](/x.png)\n");
        let bee = Picture { url: "/media/a/1/bee.png".into(), says: "A bee".into(), size: (800, 600) };
        assert!(outline.parts[0].blocks.contains(&Block::Picture(bee)));
        assert!(picture("![a](b =0x9)").is_none() && picture("![a](b c =9x9)").is_none());
    }

    #[test]
    fn sentences_are_no_headings_and_names_keep_their_lines() {
        let outline = Outline::read("Hello, world.\n\nThis is file_name_2 at 3 * 4.\n");
        assert_eq!(outline.title, None);
        assert_eq!(paragraphs(&outline.parts[0]), ["Hello, world.", "This is file_name_2 at 3  4."]);
        assert!(Outline::read(" \n---\n").is_empty());
    }
}
