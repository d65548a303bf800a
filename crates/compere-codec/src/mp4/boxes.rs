//! Boxes, the bricks of an MP4 file.

/// A box: its size, its name, its content.
pub(super) fn boxed(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len() + 8);
    out.extend_from_slice(&(content.len() as u32 + 8).to_be_bytes());
    out.extend_from_slice(name);
    out.extend_from_slice(content);
    out
}

/// A box with a version and flags.
pub(super) fn full(name: &[u8; 4], version: u8, flags: u32, content: &[u8]) -> Vec<u8> {
    let mut all = (u32::from(version) << 24 | flags).to_be_bytes().to_vec();
    all.extend_from_slice(content);
    boxed(name, &all)
}

/// A box of boxes.
pub(super) fn nested(name: &[u8; 4], parts: &[Vec<u8>]) -> Vec<u8> {
    boxed(name, &parts.concat())
}

/// Numbers of all widths, big endian, one after the other.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<u8>);

impl Fields {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    pub(super) fn u16(mut self, value: u16) -> Self {
        self.0.extend_from_slice(&value.to_be_bytes());
        self
    }

    pub(super) fn u32(mut self, value: u32) -> Self {
        self.0.extend_from_slice(&value.to_be_bytes());
        self
    }

    pub(super) fn u64(mut self, value: u64) -> Self {
        self.0.extend_from_slice(&value.to_be_bytes());
        self
    }

    pub(super) fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn zeros(mut self, count: usize) -> Self {
        self.0.resize(self.0.len() + count, 0);
        self
    }

    pub(super) fn done(self) -> Vec<u8> {
        self.0
    }
}

/// The identity matrix: shown as it is.
pub(super) const UPRIGHT: [u8; 36] = {
    let mut matrix = [0; 36];
    matrix[1] = 1;
    matrix[17] = 1;
    matrix[32] = 0x40;
    matrix
};
