//! Words in a picture's file that no picture shows: what programs tell as its comment.

/// The most that one segment of a JPEG holds.
const MOST: usize = 65_533;
const JPEG: [u8; 2] = [0xff, 0xd8];
const PNG: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
/// Where a PNG's header ends: behind its name and a chunk of thirteen bytes.
const HEADER: usize = PNG.len() + 12 + 13;

/// The same picture, a JPEG or PNG of ours, with a comment of plain letters. Without a comment it stays as it is.
pub fn commented(picture: Vec<u8>, comment: &str) -> Vec<u8> {
    let words = &comment.as_bytes()[..comment.len().min(MOST)];
    if words.is_empty() {
        return picture;
    }
    if picture.starts_with(&JPEG) {
        let at = JPEG.len() + first(&picture);
        return put(&picture, at, &segment(words));
    }
    if picture.starts_with(&PNG) && picture.len() > HEADER {
        return put(&picture, HEADER, &chunk(words));
    }
    picture
}

fn put(picture: &[u8], at: usize, what: &[u8]) -> Vec<u8> {
    let (before, behind) = picture.split_at(at);
    [before, what, behind].concat()
}

/// How long the segment is that JFIF wants before all others.
fn first(jpeg: &[u8]) -> usize {
    match jpeg.get(JPEG.len()..JPEG.len() + 4) {
        Some(&[0xff, 0xe0, high, low]) => {
            (2 + usize::from(u16::from_be_bytes([high, low]))).min(jpeg.len() - JPEG.len())
        }
        _ => 0,
    }
}

/// Of a JPEG: COM, its length and the words.
fn segment(words: &[u8]) -> Vec<u8> {
    let length = (words.len() + 2) as u16;
    [&[0xff, 0xfe][..], &length.to_be_bytes(), words].concat()
}

/// Of a PNG: length, name, key and words, and a sum over those.
fn chunk(words: &[u8]) -> Vec<u8> {
    let named = [&b"tEXtComment\0"[..], words].concat();
    let length = (named.len() - 4) as u32;
    [&length.to_be_bytes()[..], &named, &checked(&named).to_be_bytes()].concat()
}

/// The sum that every chunk of a PNG ends with (CRC-32).
fn checked(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    use compere_media::Pixmap;

    use super::super::{pixmap_to_jpeg, pixmap_to_png};
    use super::*;

    #[test]
    fn a_picture_with_a_comment_shows_the_same() {
        let picture = Pixmap::from_straight(16, 16, vec![[200, 90, 40, 255]; 256]);
        for bytes in [pixmap_to_jpeg(&picture, 90).expect("a JPEG"), pixmap_to_png(&picture).expect("a PNG")] {
            assert_eq!(commented(bytes.clone(), ""), bytes);
            let told = commented(bytes.clone(), "Made with AI");
            assert!(told.windows(12).any(|words| words == b"Made with AI"));
            let [plain, told] =
                [bytes, told].map(|bytes| image::load_from_memory(&bytes).expect("it is read").to_rgb8());
            assert_eq!(plain, told);
        }
        assert_eq!(commented(b"no picture".to_vec(), "Made with AI"), b"no picture");
    }

    #[test]
    fn the_sum_is_the_one_that_the_standard_gives() {
        assert_eq!(checked(b"123456789"), 0xcbf4_3926);
        assert_eq!(checked(b"IEND"), 0xae42_6082);
    }
}
