//! Pictures of at most 256 colours: most slides without photographs and gradients.

/// A picture by its colours.
pub(crate) struct Palette {
    colours: Vec<[u8; 3]>,
    /// Open addressing: a colour with its index, or nothing.
    slots: Vec<Option<([u8; 3], u8)>>,
    /// The colour of each pixel.
    indices: Vec<u8>,
}

const SLOTS: usize = 2048;
/// Pixels that are looked at together: on most of a slide they are all alike.
const RUN: usize = 16;

fn slot([r, g, b]: [u8; 3]) -> usize {
    let key = u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b);
    (key.wrapping_mul(0x9e37_79b1) >> 21) as usize
}

impl Palette {
    /// Nothing when there are more than 256 colours.
    pub(crate) fn of(rgb: &[[u8; 3]]) -> Option<Self> {
        let indices = Vec::with_capacity(rgb.len());
        let mut palette = Self { colours: Vec::new(), slots: vec![None; SLOTS], indices };
        let first = *rgb.first()?;
        let mut last = ([first; RUN], palette.index(first)?);
        let (runs, rest) = rgb.as_chunks::<RUN>();
        for run in runs {
            if *run == last.0 {
                palette.indices.extend_from_slice(&[last.1; RUN]);
                continue;
            }
            for &pixel in run {
                if pixel != last.0[0] {
                    last = ([pixel; RUN], palette.index(pixel)?);
                }
                palette.indices.push(last.1);
            }
        }
        for &pixel in rest {
            let index = palette.index(pixel)?;
            palette.indices.push(index);
        }
        Some(palette)
    }

    /// That of a colour, which is noted when it is new.
    fn index(&mut self, colour: [u8; 3]) -> Option<u8> {
        let mut at = slot(colour);
        loop {
            match self.slots[at] {
                Some((known, index)) if known == colour => return Some(index),
                Some(_) => at = (at + 1) % SLOTS,
                None => break,
            }
        }
        let index = u8::try_from(self.colours.len()).ok()?;
        self.slots[at] = Some((colour, index));
        self.colours.push(colour);
        Some(index)
    }

    pub(crate) fn png(&self, (width, height): (u32, u32)) -> Result<Vec<u8>, png::EncodingError> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, width, height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(self.colours.concat());
        // Differences of indices mean nothing.
        encoder.set_filter(png::Filter::NoFilter);
        encoder.set_deflate_compression(png::DeflateCompression::Level(3));
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.indices)?;
        writer.finish()?;
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_keeps_its_colour() {
        // Runs of all lengths, which end anywhere in those that are looked at together.
        let rgb: Vec<[u8; 3]> =
            (0..60usize).flat_map(|run| vec![[(run % 7) as u8, 0, run as u8]; run % 41 + 1]).chain([[9; 3]]).collect();
        let palette = Palette::of(&rgb).unwrap();
        let shown: Vec<[u8; 3]> = palette.indices.iter().map(|at| palette.colours[usize::from(*at)]).collect();
        assert_eq!(shown, rgb);
        let many: Vec<[u8; 3]> = (0..=256u16).map(|at| [(at >> 8) as u8, at as u8, 0]).collect();
        assert!(Palette::of(&many).is_none());
        assert!(Palette::of(&many[1..]).is_some());
    }
}
