//! "Did you mean …?"

/// The candidates most like `word`, best first; only those a slip of the hand away.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = word.to_lowercase();
    let far = (word.chars().count() / 3).clamp(1, 4);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        // Each step changes the length by one character, which is four bytes at most.
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= 4 * far)
        .map(|candidate| (distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|&(distance, _)| distance <= far)
        .collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.dedup_by_key(|&mut (_, candidate)| candidate);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Longer words are not compared letter by letter: nobody misspells a novel.
const LONGEST: usize = 48;

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(LONGEST + 1).collect();
    let b: Vec<char> = b.chars().take(LONGEST + 1).collect();
    if a.len() > LONGEST || b.len() > LONGEST {
        return usize::MAX;
    }
    let first: [usize; LONGEST + 1] = std::array::from_fn(|column| column);
    let (mut before, mut above) = (first, first);
    for i in 1..=a.len() {
        let mut row = first;
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best;
        }
        (before, above) = (above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let types = ["aiModel", "shape", "image", "textImage", "videoImage", "audio"];
        assert_eq!(nearest("textimge", types), ["textImage"]);
        assert_eq!(nearest("AIMODEL", types), ["aiModel"]);
        assert_eq!(nearest("iamge", types), ["image"]);
        assert_eq!(nearest("hologram", types), [""; 0]);
        assert_eq!(nearest(&"x".repeat(10_000), types), [""; 0]);
    }
}
