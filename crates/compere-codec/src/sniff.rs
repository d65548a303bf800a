//! What a file is, told from its first bytes and never from its name. Whoever asks, asks here.

/// The formats of pictures that are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageType {
    Png,
    Jpeg,
    WebP,
    Gif,
    Bmp,
    Svg,
    Avif,
}

const PICTURES: &str = "PNG, JPEG, WebP, GIF or SVG would be right";

/// The type of a picture, or what the file is instead, as a sentence.
pub fn image_type(head: &[u8]) -> Result<ImageType, String> {
    if head.is_empty() {
        return Err(format!("is empty; {PICTURES}"));
    }
    match media_type(head) {
        Some("image/png") => Ok(ImageType::Png),
        Some("image/jpeg") => Ok(ImageType::Jpeg),
        Some("image/gif") => Ok(ImageType::Gif),
        Some("image/webp") => Ok(ImageType::WebP),
        Some("image/svg+xml") => Ok(ImageType::Svg),
        Some("image/avif") if head.get(8..12) != Some(b"avis") => Ok(ImageType::Avif),
        // Those two are read where somebody links them, and not taken as uploads.
        None if head.starts_with(b"BM") => Ok(ImageType::Bmp),
        None if head.starts_with(b"\x1f\x8b") => Ok(ImageType::Svg),
        _ => Err(format!("is {}, not a picture; {PICTURES}", other(head))),
    }
}

/// Bytes that suffice to tell.
pub const HEAD: usize = 1024;

/// The media type of a file that scenes can show or play; none for all others.
pub fn media_type(head: &[u8]) -> Option<&'static str> {
    let at = |offset: usize, magic: &[u8]| head.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    Some(match () {
        () if at(0, b"\x89PNG\r\n\x1a\n") => "image/png",
        () if at(0, b"\xff\xd8\xff") => "image/jpeg",
        () if at(0, b"GIF87a") || at(0, b"GIF89a") => "image/gif",
        () if at(0, b"RIFF") && at(8, b"WEBP") => "image/webp",
        () if at(0, b"RIFF") && at(8, b"WAVE") => "audio/wav",
        () if at(0, b"RIFF") && at(8, b"AVI ") => "video/x-msvideo",
        () if at(0, b"\x1a\x45\xdf\xa3") && head.windows(4).any(|four| four == b"webm") => of_tracks(head),
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

/// What a browser's microphone records comes as WebM as well: its tracks are said at the beginning, by their codecs.
fn of_tracks(head: &[u8]) -> &'static str {
    let has = |start: &[u8]| head.windows(start.len()).any(|part| part == start);
    let sounds = has(b"A_OPUS") || has(b"A_VORBIS");
    if sounds && !has(b"V_") { "audio/webm" } else { "video/webm" }
}

/// Files of one family that differ in what they call themselves: the major brand, then all they are compatible with.
/// HEIC says neither that it is a film nor a picture that anything here can read.
fn of_brands(head: &[u8]) -> Option<&'static str> {
    let length = u32::from_be_bytes(head.get(..4)?.try_into().ok()?) as usize;
    let major = head.get(8..12)?;
    let others = head.get(16..length.min(head.len()).max(16)).unwrap_or_default();
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
            // It says so itself, and its list of entities may be longer than what was read.
            _ if rest.starts_with("<!DOCTYPE svg") => return true,
            _ => break,
        };
        let Some((_, after)) = rest.split_once(end) else { return false };
        rest = after.trim_start();
    }
    let root = rest.strip_prefix('<').unwrap_or_default();
    let name = root.split([' ', '\t', '\r', '\n', '>', '/']).next().unwrap_or_default();
    name == "svg" || name.ends_with(":svg")
}

/// A presentation that neither the office program nor anything here reads.
pub const OLD_POWERPOINT: &str =
    "a presentation of PowerPoint 4 or older (which is not read; those of 97 and newer are)";

/// What a file is called that is not what it should be.
pub fn other(head: &[u8]) -> &'static str {
    let boxed = head.get(4..8) == Some(b"ftyp");
    let brand = head.get(8..12).unwrap_or_default();
    match head {
        _ if boxed && brand == b"avis" => "an animated AVIF picture (which is not read)",
        _ if boxed && [b"heic", b"heix", b"mif1"].iter().any(|b| *b == brand) => "an HEIC picture (which is not read)",
        _ if boxed => "an MP4 or MOV video",
        [0x1a, 0x45, 0xdf, 0xa3, ..] => "a WebM or Matroska video",
        [b'I', b'D', b'3', ..] | [0xff, 0xfb | 0xf3 | 0xf2, ..] => "an MP3 sound",
        [b'O', b'g', b'g', b'S', ..] => "an Ogg file",
        [b'f', b'L', b'a', b'C', ..] => "a FLAC sound",
        [b'%', b'P', b'D', b'F', ..] => "a PDF document",
        [b'P', b'K', 3, 4, ..] => "a ZIP archive or an office document",
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => "a TIFF picture (which is not read)",
        [0xff, 0xd8, 0xff, ..] => "a JPEG picture",
        // The same number, as processors of either order wrote it.
        [0xed, 0xde, 0xad, 0x0b, ..] | [0x0b, 0xad, 0xde, 0xed, ..] => OLD_POWERPOINT,
        _ if head.starts_with(b"\x89PNG") => "a PNG picture",
        _ if head.starts_with(b"GIF8") => "a GIF picture",
        _ if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") => "a WebP picture",
        _ if head.starts_with(b"#EXTM3U") => "a playlist",
        _ if head.starts_with(b"RIFF") => "a WAV sound or an AVI video",
        _ if looks_like(head, "<!doctype html") || looks_like(head, "<html") => "a web page",
        _ if std::str::from_utf8(head).is_ok_and(|text| !text.contains('\0')) => "a text file",
        _ => "of an unknown type",
    }
}

fn looks_like(head: &[u8], start: &str) -> bool {
    let text = String::from_utf8_lossy(head);
    text.trim_start().to_ascii_lowercase().starts_with(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_from_content() {
        assert_eq!(image_type(b"\x89PNG\r\n\x1a\n...."), Ok(ImageType::Png));
        assert_eq!(image_type(b"RIFF\0\0\0\0WEBPVP8 "), Ok(ImageType::WebP));
        assert_eq!(image_type(b"\xef\xbb\xbf<?xml version='1.0'?><!-- a --><svg>"), Ok(ImageType::Svg));
        assert_eq!(
            image_type(b"hello").unwrap_err(),
            "is a text file, not a picture; PNG, JPEG, WebP, GIF or SVG would be right"
        );
        assert!(image_type(b"<!DOCTYPE html><html>").unwrap_err().contains("a web page"));
        assert!(image_type(b"\0\0\0\x18ftypisom").unwrap_err().contains("MP4"));
        assert!(image_type(b"").unwrap_err().contains("is empty"));
        for old in [b"\xed\xde\xad\x0b\x03\0\0\0", b"\x0b\xad\xde\xed\0\0\0\x03"] {
            assert!(image_type(old).unwrap_err().contains("PowerPoint 4 or older"));
        }
    }

    #[test]
    fn files_are_what_they_begin_with() {
        let known: [(&[u8], &str); 14] = [
            (b"\x89PNG\r\n\x1a\n....", "image/png"),
            (b"\0\0\0\x20ftypisom....", "video/mp4"),
            (b"\0\0\0\x18ftypisom", "video/mp4"),
            (b"\0\0\0\x20ftypM4A ....", "audio/mp4"),
            (b"\0\0\0\x20ftypavif....", "image/avif"),
            (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", "image/avif"),
            (b"\x1a\x45\xdf\xa3....matroska", "video/x-matroska"),
            (b"\x1a\x45\xdf\xa3....webm....A_OPUS", "audio/webm"),
            (b"\x1a\x45\xdf\xa3....webm....V_VP9....A_OPUS", "video/webm"),
            (b"\x1a\x45\xdf\xa3....webm", "video/webm"),
            (b"<?xml version=\"1.0\"?>\n<!-- a drawing -->\n<svg xmlns=\"\">", "image/svg+xml"),
            (b"\xef\xbb\xbf<svg>", "image/svg+xml"),
            (b"<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" [ <!ENTITY ns \"x\"> ", "image/svg+xml"),
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
            assert!(image_type(head).is_err(), "{}", String::from_utf8_lossy(head));
        }
    }
}
