//! What a mistyped id may have meant.

use crate::VoiceInfo;

/// Up to three ids, the most similar first.
pub fn to(id: &str, voices: Vec<VoiceInfo>) -> Vec<String> {
    let mut near: Vec<(usize, String)> = voices.into_iter().map(|info| (distance(id, &info.id), info.id)).collect();
    near.sort();
    near.into_iter().take(3).filter(|(distance, _)| *distance <= id.len().div_ceil(2)).map(|(_, id)| id).collect()
}

/// Letters to insert, delete or replace.
fn distance(one: &str, other: &str) -> usize {
    strsim::levenshtein(&one.to_lowercase(), &other.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("af_hart", "af_heart"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("Heart", "heart"), 0);
    }
}
