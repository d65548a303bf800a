//! Links that carry their own permission.
//!
//! Downloads: `/files/{export}/{kind}/{expires}/{signature}/{name}`, for as long as the settings say. Media that scenes
//! link (uploads, slides): `/media/…/{signature}/{name}`, for ever, because scenes are.

use compere_store::{Key, Product, Streamed};
use ring::hmac;

/// How paths of media that scenes link begin.
const MEDIA: &str = "/media/";

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

    /// A link to a film that is watched while it is made. Its playlists name what lies beside them, so it opens all files of
    /// that stream.
    pub fn stream(&self, export: &str, now: i64) -> String {
        let expires = (now + self.valid).div_euclid(3_600_000) * 3600;
        let signature = self.sign(&streaming(export, expires));
        format!("{}/files/{export}/stream/{expires}/{signature}/{}", self.base, Streamed::FilmList.called())
    }

    /// Whether a link to a stream is ours and still works.
    pub fn admits_stream(&self, export: &str, expires: i64, signature: &str, now: i64) -> bool {
        compere_store::same(&self.sign(&streaming(export, expires)), signature) && now < expires.saturating_mul(1000)
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

    /// The path of a font, for those who make films: nobody else is given one.
    pub fn font(&self, id: &str) -> String {
        format!("/media/f/{id}/{}/font.ttf", self.sign(&format!("font {id}")))
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

    /// The path of a link that claims to lead to media of ours, without query and fragment; none for other links.
    pub fn own<'l>(&self, link: &'l str) -> Option<&'l str> {
        let path = link.strip_prefix(&self.base).unwrap_or(link);
        path.starts_with(MEDIA).then(|| path.split(['?', '#']).next().unwrap_or_default())
    }

    /// What such a path leads to, if its signature is right.
    pub fn leads_to(&self, path: &str) -> Option<Key> {
        let parts: Vec<&str> = path.split('/').collect();
        let is_id = |id: &str| !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        match parts.as_slice() {
            ["", "media", "a", id, signature, _name] if is_id(id) => {
                self.admits_asset(id, signature).then(|| Key::Asset((*id).to_owned()))
            }
            ["", "media", "f", id, signature, _name] if is_id(id) => {
                compere_store::same(&self.sign(&format!("font {id}")), signature).then(|| Key::Font((*id).to_owned()))
            }
            ["", "media", "s", project, signature, file] if is_id(project) => {
                let key = slide(project, file)?;
                self.admits_slides(project, signature).then_some(key)
            }
            _ => None,
        }
    }

    /// The same text with links of `old` to media that somebody owns signed anew. Links to others' media, which only
    /// somebody who knew the old secret can have made, stay as they are and lead nowhere.
    pub fn renewed(&self, old: &Self, text: &str, owns: impl Fn(&str) -> bool) -> String {
        let (mut told, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(at) = rest.find(MEDIA) {
            let (before, link) = rest.split_at(at);
            told.push_str(before);
            let mut parts = link.split('/');
            let [kind, id, signature] = [2, 0, 0].map(|skip| parts.nth(skip).unwrap_or_default());
            let signed = match kind {
                "a" => Some(format!("asset {id}")),
                "f" => Some(format!("font {id}")),
                "s" => Some(format!("slides {id}")),
                _ => None,
            };
            let old_one = signed.filter(|what| compere_store::same(&old.sign(what), signature) && owns(id));
            rest = match old_one {
                Some(what) => {
                    told.push_str(&format!("{MEDIA}{kind}/{id}/{}", self.sign(&what)));
                    &link[MEDIA.len() + kind.len() + id.len() + signature.len() + 2..]
                }
                None => {
                    told.push_str(MEDIA);
                    &link[MEDIA.len()..]
                }
            };
        }
        told + rest
    }

    fn sign(&self, what: &str) -> String {
        compere_store::hex(&hmac::sign(&self.key, what.as_bytes()).as_ref()[..16])
    }
}

/// What is signed of a stream.
fn streaming(export: &str, expires: i64) -> String {
    format!("stream {export} {expires}")
}

/// `slide-3.png`, `thumb-3.jpg`
fn slide(project: &str, file: &str) -> Option<Key> {
    let (name, extension) = file.split_once('.')?;
    let (kind, number) = name.split_once('-')?;
    let number = number.parse().ok()?;
    match (kind, extension) {
        ("slide", extension) if is_kept(extension) => {
            Some(Key::Slide(project.to_owned(), number, extension.to_owned()))
        }
        ("thumb", "jpg") => Some(Key::Thumbnail(project.to_owned(), number)),
        _ => None,
    }
}

/// Pictures, and what slides play.
fn is_kept(extension: &str) -> bool {
    const KEPT: [&str; 18] = [
        "png", "jpg", "svg", "webp", "mp4", "m4v", "mov", "webm", "wmv", "avi", "mpg", "mkv", "mp3", "m4a", "wav",
        "ogg", "wma", "aac",
    ];
    KEPT.contains(&extension)
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
pub fn slug(name: &str) -> String {
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
    fn links_to_media_lead_to_what_was_signed() {
        let links = Links::new("secret", "http://box:7300".to_owned(), 7);
        let leads = |link: &str| links.own(link).map(|path| links.leads_to(path));
        let good = links.asset("abc123", "Logo ä.png");
        for link in [good.clone(), format!("http://box:7300{good}"), format!("{good}?v=2")] {
            assert_eq!(leads(&link), Some(Some(Key::Asset("abc123".to_owned()))), "{link}");
        }
        let slide = Key::Slide("p1".to_owned(), 3, "png".to_owned());
        assert_eq!(leads(&links.slide("p1", "slide-3.png")), Some(Some(slide)));
        assert_eq!(leads(&links.font("f1")), Some(Some(Key::Font("f1".to_owned()))));
        assert_eq!(leads(&good.replace("/a/", "/f/")), Some(None), "an upload is no font");
        for bad in [good.replace("abc123", "abc124"), "/media/a/abc123/0000/x.png".into(), "/media/a/../x/y/z".into()] {
            assert_eq!(leads(&bad), Some(None), "{bad}");
        }
        assert_eq!(leads("https://example.com/media/a/abc123/x/y.png"), None);
        assert_eq!(leads("/images/background/x.png"), None);
    }

    #[test]
    fn a_new_secret_signs_what_somebody_owns_and_nothing_else() {
        let [old, new] = ["old", "new"].map(|secret| Links::new(secret, "http://box".to_owned(), 7));
        let (own, slide, foreign) =
            (old.asset("mine", "a.png"), old.slide("deck", "slide-1.png"), old.asset("theirs", "b.png"));
        assert_eq!(new.renewed(&old, &old.font("brand"), |_| true), new.font("brand"));
        let text =
            format!(r#"{{"a":"{own}","b":"http://box{slide}","c":"{foreign}","d":"/media/","e":"/media/a/mine/"}}"#);
        let told = new.renewed(&old, &text, |id| id != "theirs");
        let (mine, deck) = (new.asset("mine", "a.png"), new.slide("deck", "slide-1.png"));
        let wanted =
            format!(r#"{{"a":"{mine}","b":"http://box{deck}","c":"{foreign}","d":"/media/","e":"/media/a/mine/"}}"#);
        assert_eq!(told, wanted);
        assert_eq!(new.renewed(&old, &told, |_| false), told);
        assert!(new.leads_to(&foreign).is_none());
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
        assert!(!links.admits_stream("abc", expires, signature, 0), "a film's link opens no stream");
    }

    #[test]
    fn a_link_to_a_stream_opens_that_stream_and_expires() {
        let links = Links::new("secret", "http://box".to_owned(), 7);
        let url = links.stream("abc", 0);
        assert!(url.starts_with("http://box/files/abc/stream/") && url.ends_with("/film.m3u8"), "{url}");
        let parts: Vec<&str> = url.split('/').collect();
        let (expires, signature): (i64, &str) = (parts[6].parse().expect("a number"), parts[7]);
        assert!(links.admits_stream("abc", expires, signature, expires * 1000 - 1));
        assert!(!links.admits_stream("abc", expires, signature, expires * 1000), "expired");
        assert!(!links.admits_stream("abc", expires + 3600, signature, 0), "prolonged");
        assert!(!links.admits_stream("abd", expires, signature, 0), "another export");
        assert!(!links.admits("abc", Product::Film, expires, signature, 0), "not the download");
    }
}
