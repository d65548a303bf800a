//! Addresses.

use super::{Reader, Reading, numbers, words};

/// Endings that make `name.ending` an address rather than a typing mistake.
const ENDINGS: [&str; 36] = [
    "com", "org", "net", "edu", "gov", "io", "ai", "dev", "app", "co", "info", "biz", "me", "tv", "uk", "us", "de",
    "fr", "es", "it", "eu", "jp", "kr", "cn", "in", "br", "ca", "au", "nl", "se", "ch", "at", "pl", "pt", "ru", "xyz",
];

pub fn read(reader: Reader<'_>) -> Option<Reading> {
    let core = reader.core();
    let bare = core.split_once("://").map_or(core, |(_, rest)| rest);
    let scheme = bare.len() < core.len();
    let host = bare.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let domain = host.rsplit_once('@').map_or(host, |(_, domain)| domain);
    let labels: Vec<&str> = domain.split('.').collect();
    let ending = labels.last()?.to_lowercase();
    let is_address = labels.len() > 1
        && labels.iter().all(|label| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-'))
        && (scheme || labels[0].eq_ignore_ascii_case("www") || ENDINGS.contains(&ending.as_str()))
        && ending.chars().all(char::is_alphabetic)
        && (scheme || host.contains('@') || domain.to_lowercase() == domain || labels[0].eq_ignore_ascii_case("www"));
    // `@name` is a handle.
    if !is_address {
        let handle = core.strip_prefix('@').filter(|name| !name.is_empty());
        return handle.map(|name| Reading::one(format!("at {}", spoken(name))));
    }
    let shown = bare.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    Some(Reading::one(spoken(shown)))
}

fn spoken(address: &str) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut run = String::new();
    let flush = |run: &mut String, said: &mut Vec<String>| {
        if !run.is_empty() {
            said.push(part(&std::mem::take(run)));
        }
    };
    for letter in address.chars() {
        let name = match letter {
            '.' => "dot",
            '/' => "slash",
            '@' => "at",
            '-' => "dash",
            '_' => "underscore",
            ':' => "colon",
            '+' => "plus",
            '~' => "tilde",
            '=' => "equals",
            '&' => "and",
            '%' => "percent",
            _ => {
                run.push(letter);
                continue;
            }
        };
        flush(&mut run, &mut said);
        said.push(name.to_owned());
    }
    flush(&mut run, &mut said);
    said.join(" ")
}

/// Between the dots: words are words, the rest is spelled.
fn part(text: &str) -> String {
    let lower = text.to_lowercase();
    match lower.as_str() {
        "www" => "w w w".to_owned(),
        "com" | "org" | "net" | "dev" | "app" | "info" => lower,
        _ if lower.bytes().all(|b| b.is_ascii_digit()) => numbers::digits(&lower),
        _ if lower.chars().any(|c| c.is_ascii_digit()) => words::letters_and_digits(text),
        _ if lower.len() <= 3 && !lower.contains(['a', 'e', 'i', 'o', 'u', 'y']) => words::spelled(&lower),
        "io" | "ai" | "tv" | "uk" | "us" | "eu" => words::spelled(&lower),
        _ => lower,
    }
}
