//! Pictures of at most 256 colours: most slides without photographs and gradients.

/// The colours of a picture and where each is found again.
pub(crate) struct Palette {
    colours: Vec<[u8; 3]>,
    /// Open addressing: a colour with its index, or nothing.
    slots: Vec<Option<([u8; 3], u8)>>,
}

const SLOTS: usize = 2048;

fn slot([r, g, b]: [u8; 3]) -> usize {
    let key = u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b);
    (key.wrapping_mul(0x9e37_79b1) >> 21) as usize
}

impl Palette {
    /// Nothing when there are more than 256 colours.
    pub(crate) fn of(rgb: &[[u8; 3]]) -> Option<Self> {
        let mut palette = Self { colours: Vec::new(), slots: vec![None; SLOTS] };
        let mut last = None;
        for &pixel in rgb {
            if last != Some(pixel) {
                palette.add(pixel)?;
                last = Some(pixel);
            }
        }
        Some(palette)
    }

    fn add(&mut self, colour: [u8; 3]) -> Option<()> {
        let mut at = slot(colour);
        loop {
            match self.slots[at] {
                Some((known, _)) if known == colour => return Some(()),
                Some(_) => at = (at + 1) % SLOTS,
                None => break,
            }
        }
        let index = u8::try_from(self.colours.len()).ok()?;
        self.slots[at] = Some((colour, index));
        self.colours.push(colour);
        Some(())
    }

    fn index(&self, colour: [u8; 3]) -> u8 {
        let mut at = slot(colour);
        while let Some((known, index)) = self.slots[at] {
            if known == colour {
                return index;
            }
            at = (at + 1) % SLOTS;
        }
        0
    }

    pub(crate) fn png(&self, rgb: &[[u8; 3]], (width, height): (u32, u32)) -> Result<Vec<u8>, png::EncodingError> {
        let mut last = ([0; 3], self.index([0; 3]));
        let indices = rgb.iter().map(|&pixel| {
            if pixel != last.0 {
                last = (pixel, self.index(pixel));
            }
            last.1
        });
        let indices: Vec<u8> = indices.collect();
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, width, height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(self.colours.concat());
        // Differences of indices mean nothing.
        encoder.set_filter(png::Filter::NoFilter);
        encoder.set_deflate_compression(png::DeflateCompression::Level(3));
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&indices)?;
        writer.finish()?;
        Ok(out)
    }
}
