//! LZCOMP, by which fonts in presentations are packed (the submission of MicroType Express to the W3C). Runs inside the
//! sandbox.
//!
//! What comes again is a distance and a length; both, and all other bytes, are written with Huffman trees that learn from
//! every symbol. What is unpacked never becomes larger than whoever asks allows, and what breaks off is nothing.

/// The version whose streams do not say whether they hold runs.
const WITHOUT_RUNS: u8 = 1;
/// From this distance on nobody copies two bytes.
const FAR: usize = 512;
const SHORTEST: usize = 2;
/// Symbols of lengths and of distances: three bits each.
const DIGITS: usize = 8;
/// Of a length's symbol: that more follow.
const MORE: usize = 4;
/// Symbols for a byte that stood two, four or six bytes before.
const AGAIN: [usize; 3] = [2, 4, 6];

/// What was packed.
pub(crate) fn unpacked(packed: &[u8], version: u8, most: usize) -> Option<Vec<u8>> {
    let mut bits = Bits { bytes: packed, at: 0 };
    let runs = version != WITHOUT_RUNS && bits.next()?;
    let length = (0..24).try_fold(0usize, |number, _| Some(number << 1 | usize::from(bits.next()?)))?;
    if length > most {
        return None;
    }
    let bytes = repeated(&mut bits, length)?;
    if runs { with_runs(&bytes, most) } else { Some(bytes) }
}

struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn next(&mut self) -> Option<bool> {
        let byte = *self.bytes.get(self.at / 8)?;
        let bit = byte >> (7 - self.at % 8) & 1;
        self.at += 1;
        Some(bit == 1)
    }
}

/// What lies before the first byte, so that there is something to repeat.
fn primer() -> Vec<u8> {
    let pairs = (0..32).flat_map(|first| (0..96).flat_map(move |second| [first, second]));
    pairs.chain((0..=255).flat_map(|byte| [byte; 4])).collect()
}

fn repeated(bits: &mut Bits<'_>, length: usize) -> Option<Vec<u8>> {
    let mut digits = 1;
    while 1 << (3 * digits) < length {
        digits += 1;
    }
    let copies = DIGITS * digits;
    let mut symbols = Tree::new(256 + copies + AGAIN.len());
    let (mut lengths, mut distances) = (Tree::new(DIGITS), Tree::new(DIGITS));
    let mut out = primer();
    let start = out.len();
    let end = start + length;
    while out.len() < end {
        let symbol = symbols.read(bits)?;
        if let Ok(byte) = u8::try_from(symbol) {
            out.push(byte);
            continue;
        }
        let copy = symbol - 256;
        if let Some(back) = copy.checked_sub(copies) {
            out.push(out[out.len() - AGAIN[back]]);
            continue;
        }
        let mut length = copy % DIGITS % MORE;
        let mut digit = copy % DIGITS;
        while digit & MORE != 0 {
            digit = lengths.read(bits)?;
            length = (length << 2) | (digit % MORE);
            if length > end {
                return None;
            }
        }
        let mut distance = 0;
        for _ in 0..=copy / DIGITS {
            distance = distance << 3 | distances.read(bits)?;
        }
        distance += 1;
        length += if distance < FAR { SHORTEST } else { SHORTEST + 1 };
        let last = out.len().checked_sub(distance)?;
        let first = (last + 1).checked_sub(length)?;
        if out.len() + length > end {
            return None;
        }
        out.extend_from_within(first..=last);
    }
    out.drain(..start);
    Some(out)
}

/// The first byte announces runs: behind it, wherever it stands, are a count and the byte that comes so often; a count of
/// nothing is the byte itself.
fn with_runs(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    let Some((mark, rest)) = bytes.split_first() else { return Some(vec![]) };
    let mut out = Vec::new();
    let mut rest = rest.iter();
    while let Some(byte) = rest.next() {
        let (byte, count) = match byte {
            byte if byte != mark => (byte, 1),
            _ => match *rest.next()? {
                0 => (mark, 1),
                count => (rest.next()?, usize::from(count)),
            },
        };
        if out.len() + count > most {
            return None;
        }
        out.resize(out.len() + count, *byte);
    }
    Some(out)
}

const ROOT: usize = 1;

#[derive(Clone, Copy)]
struct Node {
    above: usize,
    /// Where the bits lead, or the symbol of a leaf.
    below: Result<[usize; 2], usize>,
    weight: u32,
}

/// A Huffman tree that learns: its nodes stand in falling order of their weights.
struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    fn new(symbols: usize) -> Self {
        let node = |at: usize| Node {
            above: at / 2,
            below: if at < symbols { Ok([at * 2, at * 2 + 1]) } else { Err(at - symbols) },
            weight: 1,
        };
        // Nobody weighs as much as what stands before the root.
        let none = Node { above: 0, below: Err(0), weight: u32::MAX };
        let mut nodes: Vec<Node> = std::iter::once(none).chain((ROOT..symbols * 2).map(node)).collect();
        for at in (ROOT..symbols).rev() {
            nodes[at].weight = nodes[at * 2].weight + nodes[at * 2 + 1].weight;
        }
        let mut tree = Self { nodes };
        tree.expect(symbols);
        tree
    }

    /// Every tree begins with these as if they had been read.
    fn expect(&mut self, symbols: usize) {
        if symbols <= 256 {
            (0..symbols * 2).for_each(|at| self.meet(at % symbols));
            return;
        }
        [256, 257].into_iter().for_each(|symbol| self.meet(symbol));
        (0..12).for_each(|_| self.meet(symbols - 3));
        (0..6).for_each(|_| self.meet(symbols - 2));
    }

    fn meet(&mut self, symbol: usize) {
        let at = self.nodes.iter().skip(ROOT).position(|node| node.below == Err(symbol));
        self.learn(at.map_or(ROOT, |at| at + ROOT));
    }

    fn read(&mut self, bits: &mut Bits<'_>) -> Option<usize> {
        let mut at = ROOT;
        loop {
            match self.nodes[at].below {
                Ok(below) => at = below[usize::from(bits.next()?)],
                Err(symbol) => {
                    self.learn(at);
                    return Some(symbol);
                }
            }
        }
    }

    /// One more of this leaf: it and all above it move before those that weighed as much.
    fn learn(&mut self, mut at: usize) {
        while at != ROOT {
            let weight = self.nodes[at].weight;
            let mut first = at;
            while self.nodes[first - 1].weight == weight {
                first -= 1;
            }
            if first != at && first > ROOT {
                self.swap(at, first);
                at = first;
            }
            self.nodes[at].weight += 1;
            at = self.nodes[at].above;
        }
        self.nodes[ROOT].weight += 1;
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.nodes.swap(one, other);
        let above = self.nodes[one].above;
        self.nodes[one].above = self.nodes[other].above;
        self.nodes[other].above = above;
        for at in [one, other] {
            if let Ok(below) = self.nodes[at].below {
                below.into_iter().for_each(|child| self.nodes[child].above = at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::packing::lzcomp;

    const MOST: usize = 1 << 20;

    /// Numbers without a rule, the same each time.
    fn numbers(seed: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(seed), |last| Some(last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)))
            .map(|number| number >> 8)
    }

    fn samples() -> Vec<Vec<u8>> {
        let noise: Vec<u8> = numbers(1).map(|number| number as u8).take(5000).collect();
        let words = b"the quick brown fox and the lazy dog and the quick fox; ".repeat(300);
        let far = [&noise[..], &words[..40], &noise, &words[..40]].concat();
        let runs = [vec![7; 900], noise[..50].to_vec(), vec![0; 3], vec![255; 700]].concat();
        let hops: Vec<u8> = (0..3000u32).map(|at| (at % 6 * 40) as u8).collect();
        vec![vec![], vec![0], words, noise, far, runs, hops]
    }

    #[test]
    fn what_was_packed_comes_out_as_it_was() {
        for (at, sample) in samples().iter().enumerate() {
            for (copies, runs) in [(false, false), (true, false), (true, true)] {
                let packed = lzcomp(sample, copies, runs);
                assert_eq!(unpacked(&packed, 3, MOST).as_ref(), Some(sample), "sample {at}, {copies} {runs}");
            }
        }
        // The first version has no bit for runs: 24 bits of a length begin at once.
        assert_eq!(unpacked(&[0, 0, 0], 1, MOST), Some(vec![]));
    }

    #[test]
    fn no_more_comes_than_is_allowed() {
        let sample = vec![9; 100_000];
        for (copies, runs) in [(true, false), (true, true)] {
            let packed = lzcomp(&sample, copies, runs);
            assert!(packed.len() < 10_000, "{}", packed.len());
            assert_eq!(unpacked(&packed, 3, 99_999), None);
            assert!(unpacked(&packed, 3, 100_000).is_some());
        }
    }

    #[test]
    fn what_breaks_off_or_lies_is_nothing_or_short() {
        for sample in samples() {
            let packed = lzcomp(&sample, true, true);
            for end in (0..packed.len().saturating_sub(1)).step_by(7) {
                assert_eq!(unpacked(&packed[..end], 3, MOST), None, "cut off at {end}");
            }
            let mut wild = numbers(packed.len() as u32);
            for _ in 0..200 {
                let mut changed = packed.clone();
                for _ in 0..3 {
                    let (at, byte) = (wild.next().unwrap() as usize % changed.len(), wild.next().unwrap() as u8);
                    changed[at] = byte;
                }
                assert!(unpacked(&changed, 3, MOST).is_none_or(|bytes| bytes.len() <= MOST));
            }
        }
        for seed in 0..500 {
            // Small lengths, so that something is read.
            let noise = numbers(seed).map(|number| number as u8).take(300);
            let bytes: Vec<u8> = [0, 1].into_iter().chain(noise).collect();
            assert!(unpacked(&bytes, 3, MOST).is_none_or(|bytes| bytes.len() <= MOST));
        }
    }
}
