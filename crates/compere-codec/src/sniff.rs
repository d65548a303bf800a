//! What a file is, told from its first bytes and never from its name.

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
    let known: [(&[u8], ImageType); 6] = [
        (b"\x89PNG\r\n\x1a\n", ImageType::Png),
        (b"\xff\xd8\xff", ImageType::Jpeg),
        (b"GIF87a", ImageType::Gif),
        (b"GIF89a", ImageType::Gif),
        (b"BM", ImageType::Bmp),
        (b"\x1f\x8b", ImageType::Svg),
    ];
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return Ok(ImageType::WebP);
    }
    if head.get(4..12) == Some(b"ftypavif") {
        return Ok(ImageType::Avif);
    }
    if let Some((_, found)) = known.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Ok(*found);
    }
    if is_svg(head) {
        return Ok(ImageType::Svg);
    }
    Err(format!("is {}, not a picture; {PICTURES}", other(head)))
}

fn is_svg(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let start = text.trim_start_matches('\u{feff}').trim_start();
    start.starts_with("<svg")
        || (start.starts_with('<') && text.contains("<svg"))
        || (start.starts_with("<?xml") && text.contains("SVG"))
}

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
    }
}
