//! What a file is, by how it begins: a name can say anything.

/// Bytes that suffice to tell.
pub(crate) const HEAD: usize = 1024;

/// The media type of a file that scenes can show or play; none for all others.
pub(crate) fn media_type(head: &[u8]) -> Option<&'static str> {
    let at = |offset: usize, magic: &[u8]| head.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    Some(match () {
        () if at(0, b"\x89PNG\r\n\x1a\n") => "image/png",
        () if at(0, b"\xff\xd8\xff") => "image/jpeg",
        () if at(0, b"GIF87a") || at(0, b"GIF89a") => "image/gif",
        () if at(0, b"RIFF") && at(8, b"WEBP") => "image/webp",
        () if at(0, b"RIFF") && at(8, b"WAVE") => "audio/wav",
        () if at(0, b"RIFF") && at(8, b"AVI ") => "video/x-msvideo",
        () if at(0, b"\x1a\x45\xdf\xa3") && head.windows(4).any(|four| four == b"webm") => "video/webm",
        () if at(0, b"\x1a\x45\xdf\xa3") => "video/x-matroska",
        () if at(4, b"ftyp") => return of_brands(head),
        () if at(0, b"OggS") => "audio/ogg",
        () if at(0, b"fLaC") => "audio/flac",
        () if at(0, b"ID3") => "audio/mpeg",
        () if at(0, b"\xff\xf1") || at(0, b"\xff\xf9") => "audio/aac",
        () if head.len() > 2 && head[0] == 0xff && head[1] & 0xe6 == 0xe2 => "audio/mpeg",
        () if is_svg(head) => "image/svg+xml",
        () => return None,
    })
}

/// Files of one family that differ in what they call themselves: the major brand, then all they are compatible with.
/// HEIC says neither that it is a film nor a picture that anything here can read.
fn of_brands(head: &[u8]) -> Option<&'static str> {
    let length = u32::from_be_bytes(head.get(..4)?.try_into().ok()?) as usize;
    let major = head.get(8..12)?;
    let others = head.get(16..length.clamp(16, head.len())).unwrap_or_default();
    let mut brands = std::iter::once(major).chain(others.chunks_exact(4));
    if brands.clone().any(|brand| matches!(brand, b"avif" | b"avis")) {
        return Some("image/avif");
    }
    match major {
        b"M4A " | b"M4B " => Some("audio/mp4"),
        b"qt  " => Some("video/quicktime"),
        // Pictures of a phone (`mif1` is what most of them begin with) and of a camera.
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1" | b"miaf" | b"crx " | b"jp2 "
        | b"jxl " => None,
        _ => brands.all(|brand| !brand.starts_with(b"hei")).then_some("video/mp4"),
    }
}

/// An SVG begins with its root, after what may stand before it. A page that has a drawing in it is a page.
fn is_svg(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<!DOCTYPE svg") => ">",
            _ => break,
        };
        let Some((_, after)) = rest.split_once(end) else { return false };
        rest = after.trim_start();
    }
    let root = rest.strip_prefix('<').unwrap_or_default();
    let name = root.split([' ', '\t', '\r', '\n', '>', '/']).next().unwrap_or_default();
    name == "svg" || name.ends_with(":svg")
}

#[cfg(test)]
mod tests {
    use super::media_type;

    #[test]
    fn files_are_what_they_begin_with() {
        let known: [(&[u8], &str); 9] = [
            (b"\x89PNG\r\n\x1a\n....", "image/png"),
            (b"\0\0\0\x20ftypisom....", "video/mp4"),
            (b"\0\0\0\x20ftypM4A ....", "audio/mp4"),
            (b"\0\0\0\x20ftypavif....", "image/avif"),
            (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", "image/avif"),
            (b"\x1a\x45\xdf\xa3....matroska", "video/x-matroska"),
            (b"<?xml version=\"1.0\"?>\n<!-- a drawing -->\n<svg xmlns=\"\">", "image/svg+xml"),
            (b"\xef\xbb\xbf<svg>", "image/svg+xml"),
            (b"\xff\xfb\x90\x64", "audio/mpeg"),
        ];
        for (head, wanted) in known {
            assert_eq!(media_type(head), Some(wanted), "{}", String::from_utf8_lossy(head));
        }
    }

    #[test]
    fn what_no_scene_can_show_is_nothing() {
        let heic: [&[u8]; 3] = [
            b"\0\0\0\x18ftypheic\0\0\0\0mif1heic",
            b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic",
            b"\0\0\0\x18ftypmsf1\0\0\0\0msf1hevc",
        ];
        let pages: [&[u8]; 4] = [
            b"<html><svg></svg>",
            b"<!DOCTYPE html><svg></svg>",
            b"<!-- <svg> --><html><svg>",
            b"<?xml version=\"1.0\"?><html><svg/></html>",
        ];
        let others: [&[u8]; 5] = [b"MZ\x90", b"%PDF-1.7", b"PK\x03\x04", b"#!/bin/sh", b""];
        for head in heic.iter().chain(&pages).chain(&others) {
            assert_eq!(media_type(head), None, "{}", String::from_utf8_lossy(head));
        }
    }
}
