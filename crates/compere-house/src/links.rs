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
        self.until(export, part, name, now + self.valid)
    }

    /// The same until a moment that somebody chose.
    pub fn until(&self, export: &str, part: Product, name: &str, end: i64) -> String {
        // Whole hours: the same link while a page is looked at, so that browsers keep what they have.
        let expires = end.div_euclid(3_600_000) * 3600;
        let signature = self.sign(&format!("file {export} {} {expires}", part.as_str()));
        format!("{}/files/{export}/{}/{expires}/{signature}/{}", self.base, part.as_str(), slug(name))
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

    /// The path of a presenter's picture.
    pub fn portrait(&self, presenter: &str, outfit: &str) -> String {
        format!("/media/p/{}/{}.jpg", encoded(presenter), encoded(outfit))
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

/// A file name as links end in it: plain letters and digits with dashes between, which no program mangles. Accents go;
/// a name in another script is `film`. The download itself is called by the whole name.
fn slug(name: &str) -> String {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "bin"));
    let mut text = String::new();
    for letter in stem.chars().take(120) {
        let plain = unaccented(letter);
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !plain.is_empty() && plain.chars().all(fits) {
            text.push_str(plain.as_str());
        } else if !text.is_empty() && !text.ends_with('-') {
            text.push('-');
        }
    }
    let text = text.trim_end_matches('-');
    format!("{}.{}", if text.is_empty() { "film" } else { text }, encoded(ending))
}

/// Latin letters as they are written where there are no others.
fn unaccented(letter: char) -> String {
    const LIKE: [(&str, &str); 24] = [
        ("Ä", "Ae"),
        ("Ö", "Oe"),
        ("Ü", "Ue"),
        ("ä", "ae"),
        ("ö", "oe"),
        ("ü", "ue"),
        ("ß", "ss"),
        ("ÀÁÂÃÅĀ", "A"),
        ("àáâãåā", "a"),
        ("Çç", "c"),
        ("ÈÉÊËĒ", "E"),
        ("èéêëē", "e"),
        ("ÌÍÎÏĪ", "I"),
        ("ìíîïī", "i"),
        ("Ññ", "n"),
        ("ÒÓÔÕŌ", "O"),
        ("òóôõō", "o"),
        ("ÙÚÛŪ", "U"),
        ("ùúûū", "u"),
        ("Ææ", "ae"),
        ("Øø", "o"),
        ("Œœ", "oe"),
        ("Łł", "l"),
        ("Žž", "z"),
    ];
    let like = LIKE.iter().find(|(letters, _)| letters.contains(letter));
    like.map_or_else(|| letter.to_string(), |(_, plain)| (*plain).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_end_in_plain_names() {
        assert_eq!(slug("Quarterly news.mp4"), "Quarterly-news.mp4");
        assert_eq!(slug("Ärger & Co: ein/Film?.mp4"), "Aerger-Co-ein-Film.mp4");
        assert_eq!(slug("四半期.mp4"), "film.mp4");
        assert_eq!(slug("../../x.v2.mp4"), "x-v2.mp4");
    }

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
