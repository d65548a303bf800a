//! The readable part of a web page, as a text with headings and lists.

/// What no reader reads.
const SKIPPED: [&str; 12] =
    ["script", "style", "noscript", "template", "svg", "nav", "header", "footer", "aside", "form", "iframe", "head"];

/// Elements that end a line.
const BLOCKS: [&str; 16] = [
    "p",
    "div",
    "br",
    "section",
    "article",
    "main",
    "table",
    "tr",
    "ul",
    "ol",
    "dl",
    "blockquote",
    "figure",
    "pre",
    "hr",
    "dt",
];

/// The text of a page. Broken markup gives broken text, never a failure.
pub fn page_text(html: &str) -> String {
    let mut page =
        Page { text: title(html).map_or(String::new(), |title| format!("# {title}\n\n")), ..Page::default() };
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        page.words(&rest[..at]);
        let (tag, after) = tag(&rest[at..]);
        page.tag(tag);
        rest = after;
    }
    page.words(rest);
    let lines: Vec<&str> = page.text.lines().map(str::trim).collect();
    let mut text = String::new();
    for line in lines {
        // One blank line is enough.
        if !line.is_empty() || !(text.ends_with("\n\n") || text.is_empty()) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

#[derive(Default)]
struct Page {
    text: String,
    /// The element being left out, and how deep in elements of its own name.
    skipped: Option<(&'static str, usize)>,
    heading: bool,
}

impl Page {
    fn words(&mut self, words: &str) {
        if self.skipped.is_some() || words.is_empty() {
            return;
        }
        let words = decoded(words);
        let spaced = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let starts = words.starts_with(char::is_whitespace) && !self.text.ends_with(['\n', ' ']);
        if starts {
            self.text.push(' ');
        }
        self.text.push_str(&spaced);
        if words.ends_with(char::is_whitespace) && !spaced.is_empty() {
            self.text.push(' ');
        }
    }

    /// `h2`, `/h2`
    fn tag(&mut self, tag: &str) {
        let (name, closes) = tag.strip_prefix('/').map_or((tag, false), |name| (name, true));
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        let name = name[..end].to_ascii_lowercase();
        if let Some((skipped, depth)) = &mut self.skipped {
            if name == *skipped {
                *depth = if closes { *depth - 1 } else { *depth + 1 };
                if *depth == 0 {
                    self.skipped = None;
                }
            }
            return;
        }
        if let Some(skipped) = SKIPPED.iter().find(|skipped| **skipped == name) {
            if !closes && !tag.ends_with('/') {
                self.skipped = Some((skipped, 1));
            }
        } else if matches!(name.as_str(), "h1" | "h2" | "h3" | "h4") {
            self.text.push_str("\n\n");
            if !closes && !self.heading {
                self.text.push_str("## ");
            }
            self.heading = !closes;
        } else if name == "li" && !closes {
            self.text.push_str("\n- ");
        } else if BLOCKS.contains(&name.as_str()) {
            self.text.push_str(if self.heading { " " } else { "\n\n" });
        }
    }
}

/// The inside of the tag that the text begins with, and what follows it. Comments are tags without a name.
fn tag(text: &str) -> (&str, &str) {
    if let Some(comment) = text.strip_prefix("<!--") {
        return comment.split_once("-->").map_or(("", ""), |(_, after)| ("", after));
    }
    text[1..].split_once('>').unwrap_or(("", ""))
}

fn title(html: &str) -> Option<String> {
    let lower = html.to_ascii_lowercase();
    let from = lower.find("<title")?;
    let start = from + lower[from..].find('>')? + 1;
    let end = start + lower[start..].find("</title")?;
    let title = decoded(html.get(start..end)?);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then_some(title)
}

fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = rest[1..].split_once(';').map(|(name, _)| name).filter(|name| name.len() <= 8);
        match entity.and_then(|name| Some((character(name)?, name.len() + 2))) {
            Some((character, length)) => {
                out.push(character);
                rest = &rest[length..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn character(entity: &str) -> Option<char> {
    if let Some(number) = entity.strip_prefix('#') {
        let hex = number.strip_prefix(['x', 'X']).map(|digits| u32::from_str_radix(digits, 16));
        return char::from_u32(hex.unwrap_or_else(|| number.parse()).ok()?);
    }
    Some(match entity {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "eacute" => 'é',
        "ouml" => 'ö',
        "uuml" => 'ü',
        "auml" => 'ä',
        "szlig" => 'ß',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_becomes_an_outline() {
        let html = "<!doctype html><html><head><title>Bees &amp; honey</title><style>p{}</style></head><body>\
                    <nav><ul><li>Home</li></ul></nav><h1>Bees</h1><p>They <b>fly</b>\n far&nbsp;away.</p><!-- <p>no</p> -->\
                    <h2>Why</h2><ul><li>Food</li><li>Fun</li></ul><script>if (a < b) {}</script></body></html>";
        assert_eq!(page_text(html), "# Bees & honey\n\n## Bees\n\nThey fly far away.\n\n## Why\n\n- Food\n- Fun\n\n");
        assert_eq!(page_text("<p>broken <b"), "broken\n");
        assert_eq!(page_text("&bogus; &#x41;&#66;"), "&bogus; AB\n");
    }
}
