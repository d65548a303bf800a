//! Where linked files are.

use crate::document::reader::{Object, shortened};
use crate::film::Source;

/// Longer addresses are not addresses.
const LONGEST: usize = 4096;

/// The address in a field that has to be there.
pub(super) fn need(object: &Object<'_>, key: &str) -> Option<Source> {
    let address = object.need_word(key)?;
    checked(object, key, &address)
}

/// The address in a field; an empty one counts as absent.
pub(super) fn find(object: &Object<'_>, key: &str) -> Option<Source> {
    let address = object.word(key)?;
    checked(object, key, &address)
}

fn checked(object: &Object<'_>, key: &str, address: &str) -> Option<Source> {
    match wrong(address) {
        None => Some(Source(address.to_owned())),
        Some(wrong) => {
            object.blame(key, format!("{wrong}, was \"{}\"", shortened(address)));
            None
        }
    }
}

fn wrong(address: &str) -> Option<&'static str> {
    let scheme = address.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    if address.len() > LONGEST {
        return Some("is too long for an address");
    }
    if address.chars().any(char::is_control) {
        return Some("must not contain control characters");
    }
    match scheme.as_deref() {
        Some("http" | "https") => None,
        None if address.starts_with('/') && !address.starts_with("//") => {
            let climbs = address.split(['/', '\\']).any(|step| step == "..");
            climbs.then_some("must not climb out of its folder with `..`")
        }
        _ => Some("must be an http(s) address, or a path that begins with `/`"),
    }
}
