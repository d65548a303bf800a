//! Reading the two binary forms that network files are made of: FlatBuffers, and FlexBuffers in their custom operators.
//!
//! Every access is checked: a damaged file is an error, never a panic.

/// A table of a FlatBuffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn int(bytes: &[u8], at: usize) -> Option<i32> {
    array(bytes, at).map(i32::from_le_bytes)
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    array(bytes, at).map(|two| usize::from(u16::from_le_bytes(two)))
}

/// Where an offset leads.
fn follow(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(usize::try_from(int(bytes, at)?).ok()?)
}

impl<'a> Table<'a> {
    pub(super) fn root(bytes: &'a [u8]) -> Option<Self> {
        Some(Self { bytes, at: follow(bytes, 0)? })
    }

    fn slot(self, field: usize) -> Option<usize> {
        let layout = usize::try_from(self.at as i64 - i64::from(int(self.bytes, self.at)?)).ok()?;
        let entry = 4 + 2 * field;
        if entry >= short(self.bytes, layout)? {
            return None;
        }
        Some(short(self.bytes, layout + entry)?).filter(|&offset| offset > 0).map(|offset| self.at + offset)
    }

    pub(super) fn int(self, field: usize) -> i32 {
        self.slot(field).and_then(|at| int(self.bytes, at)).unwrap_or(0)
    }

    pub(super) fn byte(self, field: usize) -> u8 {
        self.slot(field).and_then(|at| self.bytes.get(at).copied()).unwrap_or(0)
    }

    pub(super) fn table(self, field: usize) -> Option<Self> {
        let at = follow(self.bytes, self.slot(field)?)?;
        Some(Self { bytes: self.bytes, at })
    }

    /// Where a vector's items begin, and how many there are.
    fn vector(self, field: usize) -> Option<(usize, usize)> {
        let at = follow(self.bytes, self.slot(field)?)?;
        let len = usize::try_from(int(self.bytes, at)?).ok()?;
        // No item is shorter than a byte.
        (len <= self.bytes.len()).then_some((at + 4, len))
    }

    pub(super) fn ints(self, field: usize) -> Vec<i32> {
        let (start, len) = self.vector(field).unwrap_or((0, 0));
        (0..len).map_while(|n| int(self.bytes, start + 4 * n)).collect()
    }

    pub(super) fn tables(self, field: usize) -> Vec<Self> {
        let (start, len) = self.vector(field).unwrap_or((0, 0));
        let table = |n: usize| Some(Self { bytes: self.bytes, at: follow(self.bytes, start + 4 * n)? });
        (0..len).map_while(table).collect()
    }

    pub(super) fn bytes(self, field: usize) -> &'a [u8] {
        let (start, len) = self.vector(field).unwrap_or((0, 0));
        self.bytes.get(start..start + len).unwrap_or_default()
    }

    pub(super) fn text(self, field: usize) -> &'a str {
        std::str::from_utf8(self.bytes(field)).unwrap_or_default()
    }
}

/// A map of a FlexBuffer with numbers and lists of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map<'a> {
    bytes: &'a [u8],
    at: usize,
    width: usize,
}

impl<'a> Map<'a> {
    pub(super) fn root(bytes: &'a [u8]) -> Option<Self> {
        let width = usize::from(*bytes.last()?);
        let kind = *bytes.get(bytes.len().checked_sub(2)?)?;
        let at = bytes.len().checked_sub(2 + width)?;
        const MAP: u8 = 9;
        let start = at.checked_sub(unsigned(bytes, at, width)?)?;
        (kind >> 2 == MAP).then_some(Self { bytes, at: start, width: 1 << (kind & 3) })
    }

    /// Where the value of a key stands, and its type.
    fn value(self, key: &str) -> Option<(usize, u8)> {
        let (bytes, width) = (self.bytes, self.width);
        let len = unsigned(bytes, self.at.checked_sub(width)?, width)?;
        let list = self.at.checked_sub(3 * width)?;
        let keys = list.checked_sub(unsigned(bytes, list, width)?)?;
        let key_width = unsigned(bytes, self.at.checked_sub(2 * width)?, width)?;
        let named = |n: &usize| {
            let place = keys + n * key_width;
            let start = unsigned(bytes, place, key_width).and_then(|back| place.checked_sub(back));
            let rest = start.and_then(|start| bytes.get(start..)).unwrap_or_default();
            rest.split(|&byte| byte == 0).next() == Some(key.as_bytes())
        };
        let n = (0..len.min(bytes.len())).find(named)?;
        Some((self.at + n * width, *bytes.get(self.at + len * width + n)?))
    }

    pub(super) fn number(self, key: &str) -> Option<f64> {
        let (at, kind) = self.value(key)?;
        match kind >> 2 {
            1 => signed(self.bytes, at, self.width).map(|n| n as f64),
            2 => unsigned(self.bytes, at, self.width).map(|n| n as f64),
            3 => float(self.bytes, at, self.width),
            _ => None,
        }
    }

    pub(super) fn list(self, key: &str) -> Option<Vec<usize>> {
        let (at, kind) = self.value(key)?;
        let start = at.checked_sub(unsigned(self.bytes, at, self.width)?)?;
        let width = 1usize << (kind & 3);
        let len = unsigned(self.bytes, start.checked_sub(width)?, width)?.min(self.bytes.len());
        matches!(kind >> 2, 11 | 12).then_some(())?;
        (0..len).map(|n| unsigned(self.bytes, start + n * width, width)).collect()
    }
}

fn unsigned(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let some = bytes.get(at..at.checked_add(width)?)?;
    let value = some.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
    (width <= 8).then_some(value).and_then(|value| usize::try_from(value).ok())
}

fn signed(bytes: &[u8], at: usize, width: usize) -> Option<i64> {
    let shift = 64 - 8 * u32::try_from(width).ok().filter(|width| (1..=8).contains(width))?;
    Some(((unsigned(bytes, at, width)? as u64) << shift) as i64 >> shift)
}

fn float(bytes: &[u8], at: usize, width: usize) -> Option<f64> {
    match width {
        4 => array(bytes, at).map(|four| f64::from(f32::from_le_bytes(four))),
        8 => array(bytes, at).map(f64::from_le_bytes),
        _ => None,
    }
}
