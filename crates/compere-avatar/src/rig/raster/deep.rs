//! Pictures with depth.

/// A picture with depth, painted nearest first or last.
#[derive(Clone)]
pub(crate) struct Canvas {
    pub(crate) size: [i32; 2],
    pub(crate) depth: Vec<f32>,
    pub(crate) color: Vec<[u8; 4]>,
    /// What is seen: `SKIN`, an eye, teeth, or `NOTHING`.
    pub(crate) part: Vec<u8>,
}

pub(crate) const SKIN: u8 = 0;
/// Teeth and tongue from here to below `FOLD`.
pub(crate) const INNER: u8 = 3;
/// Insides of lips and lids.
pub(crate) const FOLD: u8 = 9;
pub(crate) const NOTHING: u8 = u8::MAX;

impl Canvas {
    pub(crate) fn new(size: [i32; 2]) -> Self {
        let n = (size[0] * size[1]) as usize;
        Self { size, depth: vec![f32::MAX; n], color: vec![[0; 4]; n], part: vec![NOTHING; n] }
    }

    /// Paints skin on a pixel unless something nearer is there.
    #[inline(always)]
    pub(crate) fn cover(&mut self, cell: usize, depth: f32, part: u8, color: impl FnOnce() -> [u8; 4]) {
        if depth < self.depth[cell] {
            self.depth[cell] = depth;
            self.part[cell] = part;
            self.color[cell] = color();
        }
    }
}
