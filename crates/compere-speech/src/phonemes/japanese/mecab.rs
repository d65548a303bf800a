//! Morphemes of Japanese by a dictionary that MeCab compiled.
//!
//! Reads the files `sys.dic`, `unk.dic`, `matrix.bin` and `char.bin` and finds the cheapest path through the words they
//! know, as MeCab does. Nothing in them is trusted: what points outside is an error at opening or simply not found.

use std::path::Path;

/// A morpheme: where it ends in the text (it begins where the one before ends) and its dictionary line, comma-separated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Morpheme<'a> {
    pub surface: &'a str,
    pub feature: &'a str,
    /// Not in the dictionary.
    pub unknown: bool,
}

pub struct Dictionary {
    system: Lexicon,
    unknown: Lexicon,
    costs: Vec<i16>,
    left_size: usize,
    kinds: Kinds,
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary").field("bytes", &self.system.bytes.len()).finish_non_exhaustive()
    }
}

#[derive(Clone, Copy)]
struct Token {
    left: u16,
    right: u16,
    cost: i16,
    feature: u32,
}

struct Lexicon {
    bytes: Vec<u8>,
    array: std::ops::Range<usize>,
    tokens: std::ops::Range<usize>,
    features: std::ops::Range<usize>,
}

const HEADER: usize = 72;

impl Lexicon {
    fn open(path: &Path) -> Result<Self, String> {
        let bytes = read(path)?;
        let size = |at: usize| u32_at(&bytes, 4 * at).map(|size| size as usize);
        let sizes = (size(6), size(7), size(8));
        let (Some(array), Some(tokens), Some(features)) = sizes else { return Err(damaged(path)) };
        let (array, tokens, features) = (
            HEADER..HEADER + array,
            HEADER + array..HEADER + array + tokens,
            HEADER + array + tokens..HEADER + array + tokens + features,
        );
        let utf8 = bytes.get(40..45).is_some_and(|name| name.eq_ignore_ascii_case(b"utf-8"));
        if features.end != bytes.len() || !utf8 {
            return Err(damaged(path));
        }
        Ok(Self { bytes, array, tokens, features })
    }

    /// Base and check of a unit of the double array.
    fn unit(&self, at: usize) -> Option<(i32, u32)> {
        let unit = self.bytes[self.array.clone()].get(8 * at..8 * at + 8)?;
        let half = |at: usize| u32::from_le_bytes([unit[at], unit[at + 1], unit[at + 2], unit[at + 3]]);
        Some((half(0) as i32, half(4)))
    }

    /// Every word that the text begins with: its length in bytes and its number.
    fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, u32)) {
        let Some((mut base, _)) = self.unit(0) else { return };
        for at in 0..=text.len() {
            let Ok(here) = usize::try_from(base) else { return };
            if let Some((value, check)) = self.unit(here)
                && check == base as u32
                && value < 0
            {
                found(at, (-(value + 1)) as u32);
            }
            let Some(letter) = text.get(at) else { return };
            match self.unit(here + usize::from(*letter) + 1) {
                Some((next, check)) if check == base as u32 => base = next,
                _ => return,
            }
        }
    }

    fn exact(&self, word: &str) -> Option<u32> {
        let mut number = None;
        self.prefixes(word.as_bytes(), |len, value| number = (len == word.len()).then_some(value).or(number));
        number
    }

    /// The entries of a word: their count is the low byte of its number.
    fn tokens(&self, number: u32) -> impl Iterator<Item = Token> + '_ {
        let (first, count) = ((number >> 8) as usize, (number & 0xFF) as usize);
        let bytes = self.bytes[self.tokens.clone()].get(16 * first..16 * (first + count)).unwrap_or_default();
        bytes.chunks_exact(16).map(|token| {
            let short = |at: usize| u16::from_le_bytes([token[at], token[at + 1]]);
            Token {
                left: short(0),
                right: short(2),
                cost: short(6) as i16,
                feature: u32::from_le_bytes([token[8], token[9], token[10], token[11]]),
            }
        })
    }

    fn feature(&self, token: Token) -> &str {
        let bytes = self.bytes[self.features.clone()].get(token.feature as usize..).unwrap_or_default();
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        std::str::from_utf8(&bytes[..end]).unwrap_or_default()
    }
}

/// What kinds of letters there are, and how words that no dictionary has are made of each.
struct Kinds {
    names: Vec<String>,
    letters: Vec<u32>,
}

#[derive(Clone, Copy)]
struct LetterKind(u32);

impl LetterKind {
    fn default_name(self) -> usize {
        (self.0 >> 18 & 0xFF) as usize
    }

    /// Up to how many letters an unknown word may have.
    fn length(self) -> usize {
        (self.0 >> 26 & 0xF) as usize
    }

    /// Whether letters of a kind make one word.
    fn groups(self) -> bool {
        self.0 >> 30 & 1 == 1
    }

    /// Whether unknown words are tried even where the dictionary knows one.
    fn always(self) -> bool {
        self.0 >> 31 == 1
    }

    fn same(self, other: Self) -> bool {
        self.0 & other.0 & 0x3_FFFF != 0
    }
}

impl Kinds {
    fn open(path: &Path) -> Result<Self, String> {
        let bytes = read(path)?;
        let count = u32_at(&bytes, 0).ok_or_else(|| damaged(path))? as usize;
        let table = 4 + 32 * count;
        if count > 32 || bytes.len() != table + 4 * 0xFFFF {
            return Err(damaged(path));
        }
        let name = |name: &[u8]| String::from_utf8_lossy(name).trim_end_matches('\0').to_owned();
        let letters = (0..0xFFFF).filter_map(|letter| u32_at(&bytes, table + 4 * letter)).collect();
        Ok(Self { names: bytes[4..table].chunks(32).map(name).collect(), letters })
    }

    fn of(&self, letter: char) -> LetterKind {
        LetterKind(self.letters.get(letter as usize).or(self.letters.first()).copied().unwrap_or_default())
    }
}

/// The best way to a word that ends somewhere.
#[derive(Clone, Copy)]
struct Node {
    start: usize,
    token: Token,
    unknown: bool,
    cost: i64,
    before: usize,
}

/// Letters in one unknown word.
const LONGEST_UNKNOWN: usize = 24;

impl Dictionary {
    pub fn open(folder: &Path) -> Result<Self, String> {
        let path = folder.join("matrix.bin");
        let bytes = read(&path)?;
        let sizes = u32_at(&bytes, 0).ok_or_else(|| damaged(&path))?;
        let (left_size, right_size) = ((sizes & 0xFFFF) as usize, (sizes >> 16) as usize);
        if bytes.len() != 4 + 2 * left_size * right_size {
            return Err(damaged(&path));
        }
        Ok(Self {
            system: Lexicon::open(&folder.join("sys.dic"))?,
            unknown: Lexicon::open(&folder.join("unk.dic"))?,
            costs: bytes[4..].chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect(),
            left_size,
            kinds: Kinds::open(&folder.join("char.bin"))?,
        })
    }

    /// The dictionary line of a word by itself.
    #[cfg(test)]
    pub fn knows(&self, word: &str) -> bool {
        self.system.exact(word).is_some()
    }

    pub fn morphemes<'a>(&'a self, text: &'a str) -> Vec<Morpheme<'a>> {
        const EDGE: Token = Token { left: 0, right: 0, cost: 0, feature: u32::MAX };
        let start = Node { start: 0, token: EDGE, unknown: false, cost: 0, before: usize::MAX };
        let mut nodes = vec![start];
        let mut ending: Vec<Vec<usize>> = vec![Vec::new(); text.len() + 1];
        ending[0].push(0);
        for (at, _) in text.char_indices() {
            if ending[at].is_empty() {
                continue;
            }
            for (len, token, unknown) in self.words_at(&text[at..]) {
                let best = self.cheapest(&nodes, &ending[at], token);
                if let Some((before, cost)) = best {
                    ending[at + len].push(nodes.len());
                    nodes.push(Node { start: at, token, unknown, cost, before });
                }
            }
        }
        let mut path = Vec::new();
        let mut next = self.cheapest(&nodes, &ending[text.len()], EDGE).map_or(0, |(before, _)| before);
        let mut end = text.len();
        while next != 0 {
            let node = nodes[next];
            let lexicon = if node.unknown { &self.unknown } else { &self.system };
            path.push(Morpheme {
                surface: &text[node.start..end],
                feature: lexicon.feature(node.token),
                unknown: node.unknown,
            });
            (end, next) = (node.start, node.before);
        }
        path.reverse();
        path
    }

    /// From which of the nodes that end here a token is reached at the least cost; the first among equals.
    fn cheapest(&self, nodes: &[Node], ending: &[usize], token: Token) -> Option<(usize, i64)> {
        let cost = |before: usize| {
            let joint = nodes[before].token.right as usize + self.left_size * token.left as usize;
            let joint = self.costs.get(joint).copied().unwrap_or(i16::MAX);
            nodes[before].cost + i64::from(joint) + i64::from(token.cost)
        };
        ending.iter().map(|before| (*before, cost(*before))).min_by_key(|(_, cost)| *cost)
    }

    /// Words that may stand at the beginning of the text: length, token, whether they are unknown. Never none.
    fn words_at(&self, text: &str) -> Vec<(usize, Token, bool)> {
        let mut words = Vec::new();
        self.system.prefixes(text.as_bytes(), |len, number| {
            if len > 0 && text.is_char_boundary(len) {
                words.extend(self.system.tokens(number).map(|token| (len, token, false)));
            }
        });
        let Some(first) = text.chars().next() else { return words };
        let kind = self.kinds.of(first);
        if words.is_empty() || kind.always() {
            let name = self.kinds.names.get(kind.default_name()).map_or("DEFAULT", String::as_str);
            let number = self.unknown.exact(name).or_else(|| self.unknown.exact("DEFAULT"));
            let tokens: Vec<Token> = number.into_iter().flat_map(|number| self.unknown.tokens(number)).collect();
            for len in self.unknown_lengths(text, kind) {
                words.extend(tokens.iter().map(|token| (len, *token, true)));
            }
        }
        if words.is_empty() {
            words.push((first.len_utf8(), Token { left: 0, right: 0, cost: 0, feature: u32::MAX }, true));
        }
        words
    }

    fn unknown_lengths(&self, text: &str, kind: LetterKind) -> Vec<usize> {
        let ends: Vec<usize> = text
            .char_indices()
            .take_while(|(_, letter)| self.kinds.of(*letter).same(kind))
            .map(|(at, letter)| at + letter.len_utf8())
            .take(LONGEST_UNKNOWN)
            .collect();
        let mut lengths: Vec<usize> = ends.iter().copied().take(kind.length()).collect();
        lengths.extend(ends.last().filter(|_| kind.groups()));
        if lengths.is_empty() {
            lengths.extend(ends.first().copied().or_else(|| text.chars().next().map(char::len_utf8)));
        }
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn damaged(path: &Path) -> String {
    format!("{} is not a MeCab dictionary of UTF-8; scripts/fetch-voices.sh fetches it anew", path.display())
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
