//! Who presents, in what, and with which voice.

use crate::catalogue::{AvatarEntry, Match, suggestion};
use crate::document::reader::{Object, shortened};
use crate::nearest::most_of;
use crate::problem::Code;

use super::Given;

/// An avatar and an outfit that exist.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cast<'a> {
    pub(crate) avatar: &'a AvatarEntry,
    pub(crate) outfit: &'a str,
    pub(crate) by: Match,
}

/// Looks up the avatar and outfit named by two fields. An outfit that is not named is the avatar's first.
pub(crate) fn cast<'a>(
    object: &Object<'_>,
    (model_key, cloth_key): (&str, &str),
    (model, cloth): (&str, Option<&str>),
    given: Given<'a>,
) -> Option<Cast<'a>> {
    let Some(found) = given.catalogue.find_avatar(model) else {
        let avatars = given.catalogue.avatars();
        let known = avatars.iter().map(|entry| entry.id.as_str());
        let aliases = avatars.iter().flat_map(|entry| entry.aliases.iter().map(String::as_str));
        let others = aliases.chain(given.catalogue.foreign());
        let message = format!("there is no avatar `{}`", shortened(model));
        let near = suggestion(model, known, others);
        object.blame_as(Code::UnknownModel, model_key, message, near.map(|near| for_strangers(model, near)));
        return None;
    };
    let avatar = found.avatar;
    if found.by == Match::Fallback {
        object.warn(model_key, format!("`{}` presents instead of `{}`", avatar.id, shortened(model)));
    }
    let first = avatar.outfits.first().map(|outfit| outfit.id.as_str());
    let outfit = match cloth {
        None => first,
        Some(cloth) => match given.catalogue.find_outfit(avatar, cloth) {
            Some(outfit) => Some(outfit.id.as_str()),
            // Whoever stands in for somebody else cannot have their clothes.
            None if found.by != Match::Name => first,
            None => {
                let known = avatar.outfits.iter().map(|outfit| outfit.id.as_str());
                let others = avatar.outfits.iter().flat_map(|outfit| outfit.aliases.iter().map(String::as_str));
                let message = format!("`{}` has no outfit `{}`", avatar.id, shortened(cloth));
                object.blame_as(Code::UnknownCloth, cloth_key, message, suggestion(cloth, known, others));
                None
            }
        },
    };
    Some(Cast { avatar, outfit: outfit?, by: found.by })
}

/// Ids of another service resemble none of ours.
fn for_strangers(model: &str, near: String) -> String {
    let close = near.starts_with("did you mean") || near.starts_with("the nearest");
    // `M000004017`: other services number theirs, and one number is near every other.
    let numbered = model.len() > 5 && model.chars().filter(char::is_ascii_digit).count() * 2 > model.len();
    if close && !numbered {
        return near;
    }
    format!("{near}; `aliases` and `fallback_model` in the settings map the ids of another service")
}

/// A warning, no problem: the words may be in another language than the field says.
pub(crate) fn warn_of_language(object: &Object<'_>, key: &str, avatar: &AvatarEntry, language: &str) {
    if !avatar.languages.is_empty() && !avatar.speaks(language) {
        let own = most_of(avatar.languages.iter().map(String::as_str));
        object.warn(key, format!("`{}` does not speak `{}`, only {own}", avatar.id, shortened(language)));
    }
}
