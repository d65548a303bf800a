//! Old Office files: what is in the directory of a compound file. Runs inside the sandbox.
//!
//! Only names are read. Every chain of sectors is followed a bounded number of steps.

use std::io::{Read, Seek, SeekFrom};

pub(crate) const MAGIC: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// What a compound file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compound {
    PowerPoint,
    /// A newer file, or an older presentation, behind a password.
    Encrypted,
    Other(&'static str),
    Damaged,
}

const MOST_SECTORS: usize = 2000;

pub(crate) fn kind<R: Read + Seek>(file: &mut R) -> Compound {
    let Some(names) = names(file) else { return Compound::Damaged };
    let has = |name: &str| names.iter().any(|known| known == name);
    if has("EncryptedPackage") || has("EncryptedSummary") {
        return Compound::Encrypted;
    }
    if has("PowerPoint Document") {
        return if is_locked(file).unwrap_or(false) { Compound::Encrypted } else { Compound::PowerPoint };
    }
    let known = [
        ("PP40", "a presentation of PowerPoint 4 or 95 (which is not read; those of 97 and newer are)"),
        ("WordDocument", "an old Word document"),
        ("Workbook", "an old Excel workbook"),
        ("Book", "an old Excel workbook"),
        ("VisioDocument", "a Visio drawing"),
        ("__properties_version1.0", "an Outlook message"),
    ];
    let other = known.iter().find(|(name, _)| has(name)).map(|(_, what)| *what);
    Compound::Other(other.unwrap_or("a compound file that holds no presentation"))
}

/// The names in the directory.
fn names<R: Read + Seek>(file: &mut R) -> Option<Vec<String>> {
    let mut header = [0; 512];
    file.seek(SeekFrom::Start(0)).ok()?;
    file.read_exact(&mut header).ok()?;
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let shift = u16::from_le_bytes([header[30], header[31]]);
    if header[..8] != MAGIC || !matches!(shift, 9 | 12) {
        return None;
    }
    let size = 1u64 << shift;
    let table = table(file, &header, size);
    let mut names = Vec::new();
    let mut sector = word(48);
    for _ in 0..MOST_SECTORS {
        let bytes = read_sector(file, sector, size)?;
        names.extend(bytes.chunks_exact(128).filter_map(entry_name));
        let per = size / 4;
        let Some(&holder) = table.get(usize::try_from(u64::from(sector) / per).ok()?) else { break };
        let next = read_sector(file, holder, size)?;
        let at = (u64::from(sector) % per * 4) as usize;
        sector = u32::from_le_bytes(next.get(at..at + 4)?.try_into().ok()?);
        if sector >= 0xffff_fffa {
            break;
        }
    }
    Some(names)
}

/// The sectors that hold the table of sectors: 109 stand in the header, the rest in a chain of their own.
fn table<R: Read + Seek>(file: &mut R, header: &[u8; 512], size: u64) -> Vec<u32> {
    let words =
        |bytes: &[u8]| -> Vec<u32> { bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect() };
    let mut table = words(&header[76..]);
    let mut next = words(&header[68..72])[0];
    for _ in 0..MOST_SECTORS {
        if next >= 0xffff_fffa {
            break;
        }
        let Some(bytes) = read_sector(file, next, size) else { break };
        let mut more = words(&bytes);
        next = more.pop().unwrap_or(u32::MAX);
        table.extend(more);
    }
    table
}

fn read_sector<R: Read + Seek>(file: &mut R, sector: u32, size: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; size as usize];
    file.seek(SeekFrom::Start((u64::from(sector) + 1) * size)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn entry_name(entry: &[u8]) -> Option<String> {
    let length = usize::from(u16::from_le_bytes([entry[64], entry[65]]));
    if !(2..=64).contains(&length) {
        return None;
    }
    let units: Vec<u16> =
        entry[..length - 2].chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    Some(String::from_utf16_lossy(&units))
}

/// Whether the atom that says who edits the file carries the mark of an encrypted one.
fn is_locked<R: Read + Seek>(file: &mut R) -> std::io::Result<bool> {
    const SIZE: [u8; 4] = [0x14, 0, 0, 0];
    const LOCKED: [u8; 4] = [0xdf, 0xc4, 0xd1, 0xf3];
    // The header of the atom: version and instance 0, type 0x0ff6, its length; then its size and the mark.
    let atom = |at: &[u8; 16]| at[..4] == [0, 0, 0xf6, 0x0f] && at[8..12] == SIZE && at[12..] == LOCKED;
    Ok(count(file, atom)? > 0)
}

/// Slides, masters, and what earlier savings left of them.
pub(crate) fn slides<R: Read + Seek>(file: &mut R) -> std::io::Result<usize> {
    // Version 2, instance 0, type 0x03ef, 24 bytes.
    count(file, |at: &[u8; 8]| *at == [2, 0, 0xef, 3, 0x18, 0, 0, 0])
}

/// At how many places so many bytes are what is looked for.
fn count<R: Read + Seek, const N: usize>(file: &mut R, is: impl Fn(&[u8; N]) -> bool) -> std::io::Result<usize> {
    file.seek(SeekFrom::Start(0))?;
    let (mut window, mut found) = (Vec::new(), 0);
    loop {
        let kept = window.len().min(N - 1);
        window.drain(..window.len() - kept);
        if file.take(1 << 20).read_to_end(&mut window)? == 0 {
            return Ok(found);
        }
        found += window.array_windows().filter(|at| is(at)).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn compound(names: &[&str]) -> Vec<u8> {
        let mut bytes = vec![0u8; 512 * 3];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[30] = 9;
        // The directory is sector 1, the table is sector 0.
        bytes[48] = 1;
        bytes[68..72].fill(0xff);
        bytes[76..76 + 109 * 4].fill(0xff);
        bytes[76..80].fill(0);
        bytes[512..1024].fill(0xff);
        for (i, name) in names.iter().enumerate() {
            let at = 1024 + i * 128;
            let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            bytes[at..at + units.len()].copy_from_slice(&units);
            bytes[at + 64] = (units.len() + 2) as u8;
        }
        bytes
    }

    #[test]
    fn a_compound_file_is_what_its_directory_says() {
        let of = |names: &[&str]| kind(&mut Cursor::new(compound(names)));
        assert_eq!(of(&["Root Entry", "PowerPoint Document"]), Compound::PowerPoint);
        assert_eq!(of(&["Root Entry", "EncryptedPackage"]), Compound::Encrypted);
        assert_eq!(of(&["Root Entry", "WordDocument"]), Compound::Other("an old Word document"));
        assert!(matches!(of(&["Root Entry", "PP40"]), Compound::Other(what) if what.contains("PowerPoint 4")));
        let both = of(&["Root Entry", "PP40", "PowerPoint Document"]);
        assert_eq!(both, Compound::PowerPoint, "what was saved for two versions is read as the newer");
        assert_eq!(kind(&mut Cursor::new(MAGIC)), Compound::Damaged);
        let mut locked = compound(&["Root Entry", "PowerPoint Document"]);
        locked.extend([0, 0, 0xf6, 0x0f, 0, 0, 0, 0, 0x14, 0, 0, 0, 0xdf, 0xc4, 0xd1, 0xf3]);
        assert_eq!(kind(&mut Cursor::new(locked)), Compound::Encrypted);
    }

    #[test]
    fn slides_are_counted_across_the_bounds_of_reads() {
        let slide = [2u8, 0, 0xef, 3, 0x18, 0, 0, 0];
        let mut bytes = vec![0u8; (1 << 20) - 3];
        bytes[600..608].copy_from_slice(&slide);
        bytes.extend(slide);
        assert_eq!(slides(&mut Cursor::new(bytes)).ok(), Some(2));
    }

    #[test]
    fn a_chain_that_bites_its_tail_ends() {
        let mut bytes = compound(&["Root Entry"]);
        bytes[512 + 4..512 + 8].copy_from_slice(&1u32.to_le_bytes());
        assert!(matches!(kind(&mut Cursor::new(bytes)), Compound::Other(_)));
    }
}
