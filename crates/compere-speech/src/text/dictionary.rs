//! The author's own pronunciations: whole words and phrases that are said otherwise.

/// Matching ignores case unless the entry has a capital inside a word, so that `US` does not catch `us`.
#[derive(Debug)]
pub struct Dictionary<'a>(&'a [(String, String)]);

impl<'a> Dictionary<'a> {
    pub fn new(entries: &'a [(String, String)]) -> Self {
        Self(entries)
    }

    /// The text cut where entries apply.
    pub fn cut<'t>(&self, text: &'t str) -> Vec<Cut<'t, 'a>> {
        let mut cuts = Vec::new();
        let (mut plain_from, mut at) = (0, 0);
        while let Some(letter) = text[at..].chars().next() {
            let Some((len, said)) = self.entry_at(text, at) else {
                at += letter.len_utf8();
                continue;
            };
            if plain_from < at {
                cuts.push(Cut::Plain(&text[plain_from..at]));
            }
            cuts.push(Cut::Entry { written: &text[at..at + len], said });
            at += len;
            plain_from = at;
        }
        if plain_from < text.len() {
            cuts.push(Cut::Plain(&text[plain_from..]));
        }
        cuts
    }

    fn entry_at(&self, text: &str, at: usize) -> Option<(usize, &'a str)> {
        let before = text[..at].chars().next_back();
        self.0.iter().find_map(|(word, said)| {
            let len = prefix_len(&text[at..], word)?;
            let after = text[at + len..].chars().next();
            let whole = !glued(before, word.chars().next()?) && !glued(after, word.chars().next_back()?);
            whole.then_some((len, said.as_str()))
        })
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum Cut<'t, 'a> {
    Plain(&'t str),
    Entry { written: &'t str, said: &'a str },
}

/// Letters of scripts without spaces stick to nothing.
fn glued(neighbour: Option<char>, edge: char) -> bool {
    let binds = |c: char| c.is_alphanumeric() && !super::is_spaceless(c);
    neighbour.is_some_and(binds) && binds(edge)
}

/// How many bytes of `text` the word takes, if it begins with it.
fn prefix_len(text: &str, word: &str) -> Option<usize> {
    let exact = word.chars().zip(word.chars().skip(1)).any(|(a, b)| a.is_alphanumeric() && b.is_uppercase());
    let mut letters = text.char_indices();
    for wanted in word.chars() {
        let (_, found) = letters.next()?;
        if found != wanted && (exact || !found.to_lowercase().eq(wanted.to_lowercase())) {
            return None;
        }
    }
    (!word.is_empty()).then(|| letters.next().map_or(text.len(), |(at, _)| at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(entries: &[(&str, &str)], text: &str, expected: &str) {
        let entries: Vec<_> = entries.iter().map(|(word, said)| ((*word).to_owned(), (*said).to_owned())).collect();
        let said: String = Dictionary::new(&entries)
            .cut(text)
            .iter()
            .map(|cut| match cut {
                Cut::Plain(text) => (*text).to_owned(),
                Cut::Entry { said, .. } => format!("<{said}>"),
            })
            .collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn whole_words_only() {
        check(&[("cat", "kitty")], "Cat, concat cats (cat) cat's", "<kitty>, concat cats (<kitty>) <kitty>'s");
        check(&[("C++", "see plus plus")], "C++ and C++.", "<see plus plus> and <see plus plus>.");
        check(&[("New York", "Nuyork")], "in new york now", "in <Nuyork> now");
    }

    #[test]
    fn capitals_inside_a_word_must_match() {
        check(&[("US", "you ess")], "US gave us US$", "<you ess> gave us <you ess>$");
    }

    #[test]
    fn the_first_entry_that_fits_wins() {
        check(&[("a b", "1"), ("a", "2")], "a b a", "<1> <2>");
        check(&[("", "never")], "a", "a");
    }

    #[test]
    fn scripts_without_spaces_have_no_word_edges() {
        check(&[("北京", "běijīng")], "我在北京工作", "我在<běijīng>工作");
    }
}
