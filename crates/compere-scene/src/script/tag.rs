//! Tags, read as browsers read them, as far as scripts have any.

/// `<span data-pause="0.5">`
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tag {
    /// In lower case; `!` for comments and declarations.
    pub(super) name: String,
    /// `</p>`
    pub(super) closes: bool,
    /// `<br/>`
    pub(super) is_empty: bool,
    attributes: Vec<(String, String)>,
}

impl Tag {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// The tag that `text` begins with and its length in bytes; `None` if the `<` opens none.
pub(super) fn read(text: &str) -> Option<(Tag, usize)> {
    if let Some(comment) = text.strip_prefix("<!--") {
        let len = comment.find("-->")? + "<!---->".len();
        return Some((Tag { name: "!".to_owned(), ..Tag::default() }, len));
    }
    let inner = text.strip_prefix('<')?;
    let (closes, inner) = match inner.strip_prefix('/') {
        Some(inner) => (true, inner),
        None => (false, inner),
    };
    if !inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!') {
        return None;
    }
    let end = end(inner)?;
    let len = text.len() - inner.len() + end + 1;
    let content = &inner[..end];
    let (content, is_empty) = match content.strip_suffix('/') {
        Some(content) => (content, true),
        None => (content, false),
    };
    let name_end = content.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(content.len());
    let (name, rest) = content.split_at(name_end);
    Some((Tag { name: name.to_ascii_lowercase(), closes, is_empty, attributes: attributes(rest) }, len))
}

/// Where the tag's `>` is; one inside quotes does not count. A tag longer than this is none.
fn end(inner: &str) -> Option<usize> {
    const LONGEST: usize = 4000;
    let mut quote = None;
    for (at, character) in inner.char_indices().take(LONGEST) {
        match (quote, character) {
            (None, '>') => return Some(at),
            (None, '<') => return None,
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), character) if open == character => quote = None,
            _ => {}
        }
    }
    None
}

fn attributes(mut rest: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() {
            return found;
        }
        let name_end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
        let name = rest[..name_end].to_ascii_lowercase();
        rest = rest[name_end..].trim_start();
        let Some(after) = rest.strip_prefix('=') else {
            found.push((name, String::new()));
            continue;
        };
        let (value, behind) = value(after.trim_start());
        found.push((name, unescaped(value)));
        rest = behind;
    }
}

/// An attribute's value, quoted or not, and what stands behind it.
fn value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.split_once(quote).unwrap_or((inner, ""));
        }
    }
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

fn unescaped(mut text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    while let Some(next) = text.chars().next() {
        let (character, len) = super::entity::decode(text).unwrap_or((next, next.len_utf8()));
        plain.push(character);
        text = &text[len..];
    }
    plain
}
