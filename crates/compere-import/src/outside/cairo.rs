//! Pages drawn by poppler by way of cairo, which fills areas several times as fast as its own painter.
//!
//! It hands on no raw pictures but TIFF files without compression, which it has to seek in: each page is written into the
//! child's private folder and passed on from there, its length before it. What does not come as it should is drawn by
//! poppler's own painter instead.

use std::path::Path;

use compere_codec::sandbox::{Limits as ErrandLimits, Running, SandboxKind};
use compere_codec::{MediaError, Sandbox};

use super::office::installed;
use super::pdf::poppler;

/// `FILE FIRST LAST WIDTH HEIGHT SECONDS`
///
/// Each page has a process of its own, and so many seconds of a processor: by the clock, a busy machine would hand quick pages
/// to the other painter, and they would look otherwise than before.
///
/// A page's pixels are one large piece of memory, new for each page, which costs a tenth less in large pages of memory.
const SCRIPT: &str = r#"
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
page="$TMPDIR/page-$$"
at="$2"
while [ "$at" -le "$3" ]; do
    (ulimit -t "$6" && exec pdftocairo -q -tiff -tiffcompression none -singlefile -cropbox -f "$at" -l "$at" \
        -scale-to-x "$4" -scale-to-y "$5" "$1" "$page") || exit
    wc -c < "$page.tif" && cat "$page.tif" || exit
    at=$((at + 1))
done"#;

/// Where the C library finds out whether there are large pages.
const LARGE_PAGES: &str = "/sys/kernel/mm/transparent_hugepage";

/// What a file may have beside its pixels.
const TABLES: usize = 1 << 20;
/// Byte order, format and where the table is.
const HEAD: usize = 8;

pub(crate) fn is_there() -> bool {
    installed("pdftocairo")
}

/// A child that draws the pages from `first` to `last`, counted from one, at a size in pixels. `folder` is where it may write
/// when the sandbox gives it no folder of its own; each page has so many seconds of a processor.
pub(crate) fn start(
    sandbox: &Sandbox,
    file: &Path,
    (first, last): (usize, usize),
    (width, height): (u32, u32),
    (limits, seconds): (ErrandLimits, u64),
    folder: &Path,
) -> Result<Running, MediaError> {
    let errand = poppler("sh", limits).folder(LARGE_PAGES).arg("-c").arg(SCRIPT).arg("pages").input(file);
    let errand = errand.args([first, last, width as usize, height as usize].map(|number| number.to_string()));
    let errand = errand.arg(seconds.to_string());
    let errand = match sandbox.kind() {
        SandboxKind::Bubblewrap(_) => errand,
        _ => errand.scratch(folder, 64 << 20),
    };
    sandbox.start(&errand)
}

/// Reads the next page into `rgb`. False when what comes is no page of that size.
pub(crate) fn next(
    running: &mut Running,
    (width, height): (u32, u32),
    rgb: &mut Vec<[u8; 3]>,
) -> Result<bool, MediaError> {
    let pixels = width as usize * height as usize;
    let Some(length) = length(running)? else { return Ok(false) };
    let Some(rest) = length.checked_sub(HEAD + pixels * 3).filter(|rest| *rest <= TABLES) else { return Ok(false) };
    let mut head = [0; HEAD];
    rgb.resize(pixels, [0; 3]);
    let mut tables = vec![0; rest];
    for part in [&mut head, rgb.as_flattened_mut(), &mut tables] {
        if running.fill(part)? < part.len() {
            return Ok(false);
        }
    }
    Ok(is_plain(head, &tables, (width, height)))
}

/// A decimal number and the end of its line.
fn length(running: &mut Running) -> Result<Option<usize>, MediaError> {
    let mut number = 0usize;
    for _ in 0..10 {
        let mut byte = [0];
        if running.fill(&mut byte)? == 0 {
            return Ok(None);
        }
        match byte[0] {
            b'\n' => return Ok(Some(number)),
            digit @ b'0'..=b'9' => number = number * 10 + usize::from(digit - b'0'),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// Whether the table that follows the pixels says what was asked for: RGB of this size, not packed, row after row from the
/// end of the head.
fn is_plain(head: [u8; HEAD], tables: &[u8], (width, height): (u32, u32)) -> bool {
    const ORDER: &[u8; 4] = b"II*\0";
    let [o0, o1, o2, o3, table @ ..] = head;
    let behind = HEAD as u64 + u64::from(width) * u64::from(height) * 3;
    // As places in the file, of which only what lies behind the pixels is looked at.
    let bytes = |at: u64, count: u64| {
        let start = usize::try_from(at.checked_sub(behind)?).ok()?;
        tables.get(start..start.checked_add(usize::try_from(count).ok()?)?)
    };
    let short = |at: u64| Some(u64::from(u16::from_le_bytes(bytes(at, 2)?.try_into().ok()?)));
    let long = |at: u64| Some(u64::from(u32::from_le_bytes(bytes(at, 4)?.try_into().ok()?)));
    let table = u64::from(u32::from_le_bytes(table));
    // The values of a field, in its own place where they fit into four bytes.
    let values = |tag: u64| -> Option<Vec<u64>> {
        let entry = (0..short(table)?).map(|entry| table + 2 + entry * 12).find(|at| short(*at) == Some(tag))?;
        let (kind, count) = (short(entry + 2)?, long(entry + 4)?);
        let size = match kind {
            3 => 2,
            4 => 4,
            _ => return None,
        };
        let at = if count.checked_mul(size)? <= 4 { entry + 8 } else { long(entry + 8)? };
        bytes(at, count * size)?;
        (0..count).map(|value| if size == 2 { short(at + value * 2) } else { long(at + value * 4) }).collect()
    };
    let is = |tag: u64, wanted: &[u64]| values(tag).is_some_and(|found| found == wanted);
    let in_a_row = || {
        let (starts, lengths) = (values(273)?, values(279)?);
        let mut at = HEAD as u64;
        let follow = starts.len() == lengths.len()
            && starts.iter().zip(&lengths).all(|(start, length)| {
                let right = *start == at;
                at = at.saturating_add(*length);
                right
            });
        (follow && at == behind).then_some(())
    };
    [o0, o1, o2, o3] == *ORDER
        && is(256, &[width.into()])
        && is(257, &[height.into()])
        && is(258, &[8; 3])
        && is(259, &[1])
        && is(262, &[2])
        && values(284).is_none_or(|planes| planes == [1])
        && in_a_row().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pixels and their table.
    fn file(width: u32, start: u32) -> ([u8; HEAD], Vec<u8>) {
        let mut head = *b"II*\0\0\0\0\0";
        head[4..].copy_from_slice(&14u32.to_le_bytes());
        let field = |tag: u16, kind: u16, count: u32, value: u32| {
            [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
        };
        let fields = [
            field(256, 3, 1, width),
            field(257, 3, 1, 1),
            field(258, 3, 3, 14 + 2 + 7 * 12 + 4),
            field(259, 3, 1, 1),
            field(262, 3, 1, 2),
            field(273, 4, 1, start),
            field(279, 4, 1, 6),
        ];
        let bits = [8u8, 0, 8, 0, 8, 0];
        (head, [&7u16.to_le_bytes()[..], &fields.concat(), &[0; 4], &bits].concat())
    }

    #[test]
    fn only_what_was_asked_for_is_taken() {
        let (head, tables) = file(2, 8);
        assert!(is_plain(head, &tables, (2, 1)));
        assert!(!is_plain(head, &tables, (1, 2)), "sides exchanged");
        assert!(!is_plain(*b"MM\0*\0\0\0\x0e", &tables, (2, 1)));
        let (head, moved) = file(2, 9);
        assert!(!is_plain(head, &moved, (2, 1)), "rows elsewhere");
        for end in 0..tables.len() {
            assert!(!is_plain(head, &tables[..end], (2, 1)), "cut off at {end}");
        }
        let far = [&b"II*\0"[..], &u32::MAX.to_le_bytes()].concat().try_into().unwrap();
        assert!(!is_plain(far, &tables, (2, 1)));
    }
}
