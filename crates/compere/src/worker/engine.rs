//! What names the program that draws.

use std::fs::File;
use std::io::Seek;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Another build may draw otherwise, so pictures are kept under what names the program that drew them: what its linker
/// made of all its contents, with its length; or, where linkers say nothing, the hash of the whole. Reading a hundred
/// megabytes took longer than all else that a start does.
pub(crate) fn engine(exe: &Path) -> std::io::Result<String> {
    let mut file = File::open(exe)?;
    let mut hasher = blake3::Hasher::new();
    match build_id(&file) {
        Some(id) => hasher.update(&id).update(&file.metadata()?.len().to_le_bytes()),
        None => {
            file.rewind()?;
            hasher.update_reader(file)?
        }
    };
    Ok(hasher.finalize().to_hex().to_string())
}

/// Of programs for 64 bits with the low byte first: where segments are told of, what such a note is, and whose.
const PROGRAM: &[u8; 6] = b"\x7fELF\x02\x01";
const NOTE: u32 = 4;
const BUILD_ID: u32 = 3;
const OWNER: &[u8; 4] = b"GNU\0";
/// Notes are short; what says otherwise is none of ours.
const LONGEST: u64 = 1 << 16;

fn build_id(file: &File) -> Option<Vec<u8>> {
    let head = read(file, 0, 64)?;
    if !head.starts_with(PROGRAM) {
        return None;
    }
    let (at, each, count) = (u64_at(&head, 32)?, u16_at(&head, 54)?, u16_at(&head, 56)?);
    (0..count.into()).find_map(|n: u64| {
        let segment = read(file, at.checked_add(n * u64::from(each))?, 56)?;
        let (offset, bytes, aligned) = (u64_at(&segment, 8)?, u64_at(&segment, 32)?, u64_at(&segment, 48)?);
        let notes = (u32_at(&segment, 0)? == NOTE).then(|| read(file, offset, bytes))??;
        of_notes(&notes, if aligned == 8 { 8 } else { 4 })
    })
}

fn of_notes(mut notes: &[u8], aligned: usize) -> Option<Vec<u8>> {
    loop {
        let length = |at| u32_at(notes, at).map(|length| length as usize);
        let (owner, said, kind) = (length(0)?, length(4)?, u32_at(notes, 8)?);
        let from = 12usize.checked_add(owner)?.checked_next_multiple_of(aligned)?;
        let to = from.checked_add(said)?;
        if kind == BUILD_ID && notes.get(12..16)? == OWNER && said > 0 {
            return Some(notes.get(from..to)?.to_vec());
        }
        notes = notes.get(to.checked_next_multiple_of(aligned)?..)?;
    }
}

fn read(file: &File, at: u64, bytes: u64) -> Option<Vec<u8>> {
    let mut read = vec![0; (bytes <= LONGEST).then_some(bytes as usize)?];
    file.read_exact_at(&mut read, at).ok()?;
    Some(read)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(owner: &[u8], kind: u32, said: &[u8]) -> Vec<u8> {
        let mut note = [owner.len() as u32, said.len() as u32, kind].map(u32::to_le_bytes).concat();
        for part in [owner, said] {
            note.extend_from_slice(part);
            note.resize(note.len().next_multiple_of(4), 0);
        }
        note
    }

    /// A program of one segment of notes.
    fn program(notes: &[u8], rest: &[u8]) -> Vec<u8> {
        let mut bytes = [&PROGRAM[..], &[0; 58]].concat();
        bytes[32..40].copy_from_slice(&64u64.to_le_bytes());
        bytes[54..58].copy_from_slice(&[56, 0, 1, 0]);
        bytes.extend([&NOTE.to_le_bytes()[..], &[0; 52]].concat());
        bytes[72..80].copy_from_slice(&120u64.to_le_bytes());
        bytes[96..104].copy_from_slice(&(notes.len() as u64).to_le_bytes());
        [&bytes, notes, rest].concat()
    }

    #[test]
    fn what_the_linker_says_names_a_program_and_else_all_that_it_is() {
        let dir = tempfile::tempdir().expect("a folder");
        let named = |bytes: &[u8]| {
            let path = dir.path().join("program");
            std::fs::write(&path, bytes).expect("writes");
            engine(&path).expect("a name")
        };
        let id = |id: &[u8]| [note(b"GNU\0", 1, b"whatever"), note(b"GNU\0", BUILD_ID, id)].concat();
        let one = named(&program(&id(b"one"), b"code"));
        assert_eq!(one, named(&program(&id(b"one"), b"kode")), "nothing but the note is read");
        assert_ne!(one, named(&program(&id(b"two"), b"code")));
        assert_ne!(one, named(&program(&id(b"one"), b"code and more")));
        for none in [note(b"GNU\0", 1, b"whatever"), note(b"Go\0\0", BUILD_ID, b"one"), vec![0xff; 40], vec![]] {
            assert_ne!(named(&program(&none, b"code")), named(&program(&none, b"kode")), "{none:?}");
        }
        for cut in [0, 3, 60, 100, 130] {
            let bytes = program(&id(b"one"), b"code");
            assert_eq!(named(&bytes[..cut]), blake3::hash(&bytes[..cut]).to_hex().to_string());
        }
    }

    #[test]
    fn programs_are_named_by_linkers() {
        let exe = std::env::current_exe().expect("this program");
        assert!(build_id(&File::open(exe).expect("opens")).is_some(), "a start takes longer without");
    }
}
