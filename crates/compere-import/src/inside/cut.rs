//! Parts that are written anew, cut by cut. Runs inside the sandbox.

use std::ops::Range;

/// Bytes of a part, and what takes their place.
pub(super) type Cut = (Range<usize>, String);

/// Why something stays as it is.
pub(super) type Why = &'static str;

/// The part with all its cuts, which do not overlap.
pub(super) fn applied(text: String, mut cuts: Vec<Cut>) -> String {
    cuts.sort_by_key(|cut| std::cmp::Reverse(cut.0.start));
    cuts.into_iter().fold(text, |mut text, (span, instead)| {
        text.replace_range(span, &instead);
        text
    })
}

/// `a:` of `<a:p>`.
pub(super) fn prefix(tag: &str) -> &str {
    let name = tag.trim_start_matches('<').split([' ', '>', '/']).next().unwrap_or_default();
    name.find(':').map_or("", |at| &name[..=at])
}

/// Where the tag ends that begins there.
pub(super) fn tag_end(text: &str, start: usize) -> Option<usize> {
    let mut quote = None;
    let end = text.get(start..)?.bytes().position(|byte| match quote {
        None if matches!(byte, b'"' | b'\'') => {
            quote = Some(byte);
            false
        }
        None => byte == b'>',
        Some(open) => {
            if open == byte {
                quote = None;
            }
            false
        }
    })?;
    Some(start + end + 1)
}
