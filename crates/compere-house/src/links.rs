//! Links that carry their own permission.
//!
//! Downloads: `/files/{export}/{kind}/{expires}/{signature}/{name}`, for as long as the settings say. Media that scenes
//! link (uploads, slides): `/media/…/{signature}/{name}`, for ever, because scenes are.

use compere_store::Product;
use ring::hmac;

#[derive(Debug, Clone)]
pub struct Links {
    key: hmac::Key,
    base: String,
    /// Milliseconds that a download link works.
    valid: i64,
}

impl Links {
    pub fn new(secret: &str, base: String, days: u32) -> Self {
        Self { key: hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), base, valid: i64::from(days) * 86_400_000 }
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    /// A download link that works from now on for some days. `name` is the file name that it ends in.
    pub fn download(&self, export: &str, part: Product, name: &str, now: i64) -> String {
        // Whole hours: the same link while a page is looked at, so that browsers keep what they have.
        let expires = (now + self.valid).div_euclid(3_600_000) * 3600;
        let signature = self.sign(&format!("file {export} {} {expires}", part.as_str()));
        format!("{}/files/{export}/{}/{expires}/{signature}/{}", self.base, part.as_str(), encoded(name))
    }

    /// Whether a download link is ours and still works.
    pub fn admits(&self, export: &str, part: Product, expires: i64, signature: &str, now: i64) -> bool {
        let right = self.sign(&format!("file {export} {} {expires}", part.as_str()));
        compere_store::same(&right, signature) && now < expires.saturating_mul(1000)
    }

    /// The path of an uploaded file, for scenes.
    pub fn asset(&self, id: &str, name: &str) -> String {
        format!("/media/a/{id}/{}/{}", self.sign(&format!("asset {id}")), encoded(name))
    }

    /// The path of a slide's picture or thumbnail, for scenes and pages.
    pub fn slide(&self, project: &str, file: &str) -> String {
        format!("/media/s/{project}/{}/{file}", self.sign(&format!("slides {project}")))
    }

    /// The path of a presenter's picture: of the built-in cast one that is there already.
    pub fn portrait(&self, presenter: &str, outfit: &str) -> String {
        let kind = if compere_avatar::portrait(presenter, outfit).is_some() { "webp" } else { "jpg" };
        format!("/media/p/{}/{}.{kind}", encoded(presenter), encoded(outfit))
    }

    pub fn admits_asset(&self, id: &str, signature: &str) -> bool {
        compere_store::same(&self.sign(&format!("asset {id}")), signature)
    }

    pub fn admits_slides(&self, project: &str, signature: &str) -> bool {
        compere_store::same(&self.sign(&format!("slides {project}")), signature)
    }

    fn sign(&self, what: &str) -> String {
        compere_store::hex(&hmac::sign(&self.key, what.as_bytes()).as_ref()[..16])
    }
}

/// A file name as a path segment: letters of all scripts become percent codes, and nothing can leave the segment.
pub fn encoded(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => text.push(char::from(byte)),
            _ => {
                use std::fmt::Write;
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    if text.chars().all(|c| c == '.') { format!("file{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_opens_what_it_was_made_for_and_nothing_else() {
        let links = Links::new("secret", "http://box".to_owned(), 7);
        let url = links.download("abc", Product::Film, "Täglich/../x.mp4", 0);
        let parts: Vec<&str> = url.split('/').collect();
        assert_eq!(parts.len(), 9, "{url}");
        let (expires, signature): (i64, &str) = (parts[6].parse().expect("a number"), parts[7]);
        assert!(links.admits("abc", Product::Film, expires, signature, 0));
        assert!(!links.admits("abc", Product::Film, expires, signature, expires * 1000), "expired");
        assert!(!links.admits("abc", Product::Film, expires + 1, signature, 0), "prolonged");
        assert!(!links.admits("abd", Product::Film, expires, signature, 0), "another export");
        assert!(!links.admits("abc", Product::Poster, expires, signature, 0), "another part");
        assert!(!Links::new("other", String::new(), 7).admits("abc", Product::Film, expires, signature, 0));
    }
}
