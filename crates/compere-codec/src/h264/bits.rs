//! Bits of a NAL unit: Exp-Golomb numbers and emulation prevention.

/// Takes the emulation prevention bytes out of a NAL unit.
pub(super) fn unescaped(nal: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut zeros = 0;
    for &byte in nal {
        if zeros >= 2 && byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if byte == 0 { zeros + 1 } else { 0 };
        out.push(byte);
    }
}

/// Appends a NAL unit behind its length, with emulation prevention bytes where three bytes would look like a start code.
pub(super) fn append_nal(rbsp: &[&[u8]], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    let mut zeros = 0;
    for part in rbsp {
        for &byte in *part {
            if zeros >= 2 && byte <= 3 {
                out.push(3);
                zeros = 0;
            }
            zeros = if byte == 0 { zeros + 1 } else { 0 };
            out.push(byte);
        }
    }
    if zeros >= 2 {
        out.push(3);
    }
    let length = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
}

/// The NAL units behind their lengths in `bytes`.
pub(super) fn nals(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let (nal, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        bytes = rest;
        Some(nal)
    })
}

/// Reads from the first bit on. Behind the end lie zeros.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bits read so far.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Copies bits up to that position.
    pub(super) fn copy_to(&mut self, position: usize, to: &mut Writer) {
        while self.at < position {
            to.bit(self.bit());
        }
    }

    pub(super) fn bit(&mut self) -> bool {
        let byte = self.bytes.get(self.at / 8).copied().unwrap_or(0);
        let bit = byte >> (7 - self.at % 8) & 1;
        self.at += 1;
        bit == 1
    }

    pub(super) fn bits(&mut self, count: u32) -> u32 {
        (0..count).fold(0, |value, _| value << 1 | u32::from(self.bit()))
    }

    pub(super) fn ue(&mut self) -> u32 {
        let mut zeros = 0;
        while zeros < 31 && !self.bit() {
            zeros += 1;
        }
        (1 << zeros) - 1 + self.bits(zeros)
    }

    pub(super) fn se(&mut self) -> i32 {
        let code = self.ue() as i32;
        if code % 2 == 1 { code / 2 + 1 } else { -(code / 2) }
    }
}

#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    /// Bits used of the last byte, 0 when it is full.
    used: u32,
}

impl Writer {
    pub(super) fn bit(&mut self, bit: bool) {
        if self.used == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (7 - self.used);
        }
        self.used = (self.used + 1) % 8;
    }

    pub(super) fn bits(&mut self, value: u32, count: u32) {
        for shift in (0..count).rev() {
            self.bit(value >> shift & 1 == 1);
        }
    }

    pub(super) fn ue(&mut self, value: u32) {
        let length = 32 - (value + 1).leading_zeros();
        self.bits(0, length - 1);
        self.bits(value + 1, length);
    }

    pub(super) fn se(&mut self, value: i32) {
        self.ue(if value > 0 { 2 * value as u32 - 1 } else { 2 * value.unsigned_abs() });
    }

    /// What is left of the last byte is zeros, as behind the stop bit.
    pub(super) fn done(self) -> Vec<u8> {
        self.bytes
    }

    /// Fills the last byte with ones, as CABAC data wants it.
    pub(super) fn aligned_with_ones(mut self) -> Vec<u8> {
        while self.used != 0 {
            self.bit(true);
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(values in prop::collection::vec((0..1_000_000u32, -5000..5000i32), 1..20)) {
            let mut writer = Writer::default();
            for &(unsigned, signed) in &values {
                writer.ue(unsigned);
                writer.se(signed);
            }
            let bytes = writer.aligned_with_ones();
            let mut reader = Reader::new(&bytes);
            for (unsigned, signed) in values {
                prop_assert_eq!((reader.ue(), reader.se()), (unsigned, signed));
            }
        }

        #[test]
        fn escaping_hides_start_codes_and_comes_back(raw in prop::collection::vec(0..5u8, 1..200)) {
            let mut out = Vec::new();
            append_nal(&[&raw[..raw.len() / 2], &raw[raw.len() / 2..]], &mut out);
            let nal = nals(&out).next().unwrap();
            prop_assert_eq!(nal.len() + 4, out.len());
            prop_assert!(nal.windows(3).all(|three| three[0] != 0 || three[1] != 0 || three[2] > 2));
            let mut back = Vec::new();
            unescaped(nal, &mut back);
            prop_assert_eq!(back, raw);
        }
    }
}
