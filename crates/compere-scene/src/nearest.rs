//! "Did you mean …?", and other lists of names in sentences.

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
    let is_long = |word: &str| word.chars().nth(LONGEST).is_some();
    if is_long(a) || is_long(b) { usize::MAX } else { strsim::osa_distance(a, b) }
}

pub(crate) fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// `a`, `b` or `c`
pub(crate) fn any_of<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    listed(names, "or")
}

/// `a`, `b` and 100 others: more languages than these nobody reads in a sentence.
pub(crate) fn most_of<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    const READ: usize = 12;
    let names: Vec<&str> = names.into_iter().collect();
    if names.len() <= READ + 1 {
        return all_of(names);
    }
    let shown: Vec<String> = names[..READ].iter().map(|name| format!("`{name}`")).collect();
    format!("{} and {} others", shown.join(", "), names.len() - READ)
}

/// `a`, `b` and `c`
pub(crate) fn all_of<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    listed(names, "and")
}

fn listed<'n>(names: impl IntoIterator<Item = &'n str>, last: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::new(),
    }
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
