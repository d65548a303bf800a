//! Where linked files are.
//!
//! A path of this site that leads nowhere is a problem at once, not a failed export hours later. The one exception are
//! backgrounds: projects that were made elsewhere name pictures of that place's stock, and the nearest of ours will do.

use super::Given;
use super::stock;
use crate::document::reader::{Object, shortened};
use crate::film::Source;
use crate::nearest::{did_you_mean, nearest};
use crate::problem::Code;

/// Longer addresses are not addresses.
const LONGEST: usize = 4096;

/// What an address is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Something that has to be the very file that is named.
    File,
    /// A picture behind everything.
    Background,
}

/// The address in a field that has to be there.
pub(super) fn need(object: &Object<'_>, key: &str, given: Given<'_>) -> Option<Source> {
    let address = object.need_word(key)?;
    checked(object, key, &address, Use::File, given)
}

/// The address in a field; an empty one counts as absent.
pub(super) fn find(object: &Object<'_>, key: &str, used: Use, given: Given<'_>) -> Option<Source> {
    let address = object.word(key)?;
    checked(object, key, &address, used, given)
}

fn checked(object: &Object<'_>, key: &str, address: &str, used: Use, given: Given<'_>) -> Option<Source> {
    let address = given.catalogue.alias(address).unwrap_or(address);
    if let Some(wrong) = wrong(address) {
        object.blame(key, format!("{wrong}, was \"{}\"", shortened(address)));
        return None;
    }
    let leads_nowhere = is_of_this_site(address) && given.catalogue.has_file(address) == Some(false);
    if !leads_nowhere {
        return Some(Source(address.to_owned()));
    }
    // Uploads are of nobody's stock.
    let is_stock = (used == Use::Background && !address.starts_with("/media/")) || address.starts_with(stock::FOLDER);
    if is_stock && let Some(ours) = stock::nearest_background(address, given.catalogue.backgrounds()) {
        object.warn(key, format!("there is no picture `{}` here; `{ours}` is shown instead", shortened(address)));
        return Some(Source(ours.to_owned()));
    }
    if given.skips_missing {
        return Some(Source(address.to_owned()));
    }
    let message = format!("there is no file `{}` here", shortened(address));
    object.blame_as(Code::AssetUnreachable, key, message, suggestion(address, given));
    None
}

fn suggestion(address: &str, given: Given<'_>) -> Option<String> {
    let backgrounds = given.catalogue.backgrounds().iter().map(|entry| entry.path.clone());
    let known: Vec<String> = backgrounds.chain(given.catalogue.files()).collect();
    let whole = nearest(address, known.iter().map(String::as_str)).first().copied();
    let named = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let same_name = || known.iter().find(|path| named(path).eq_ignore_ascii_case(&named(address))).map(String::as_str);
    let near = whole.or_else(same_name).map(did_you_mean);
    near.or_else(|| Some("upload the file and use its address, or give a full http(s) address".to_owned()))
}

fn is_of_this_site(address: &str) -> bool {
    address.starts_with('/')
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
        None if is_of_this_site(address) && !address.starts_with("//") => {
            let climbs = address.split(['/', '\\']).any(|step| step == "..");
            climbs.then_some("must not climb out of its folder with `..`")
        }
        _ => Some("must be an http(s) address, or a path that begins with `/`"),
    }
}
