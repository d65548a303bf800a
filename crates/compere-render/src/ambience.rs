//! Presenters in the light of where they stand.
//!
//! They are baked in a studio, whatever is behind them later. Before a night street they would be too bright, before a
//! sunset too cold: like a sticker. What is behind them is measured, and tells how bright they are and what colour their
//! shadows take.

use compere_media::{Ambience, Broken, Damage, Layer, Moving, Pixmap, Rect};

/// Somebody who moves, in the light of a place.
pub(crate) struct Lit {
    inner: Box<dyn Moving>,
    /// What it looks like in the studio. Made with the first frame.
    studio: Layer,
    light: Ambience,
}

impl Lit {
    pub(crate) fn new(inner: Box<dyn Moving>, rect: Rect, light: Ambience) -> Self {
        Self { inner, studio: Layer::new(Rect::of_size(rect.width(), rect.height())), light }
    }
}

impl Moving for Lit {
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        let damage = self.inner.advance(frame, &mut self.studio)?.aligned(2);
        for part in damage.rects() {
            layer.copy_lit(&self.studio, *part, self.light);
        }
        Ok(damage)
    }
}

/// Places are looked at this closely to each side.
const GRID: u32 = 48;

/// What a picture behind somebody does to them.
pub(crate) fn ambience(behind: &Pixmap) -> Ambience {
    let mut sum = [0.0_f32; 4];
    for at in 0..GRID * GRID {
        let (x, y) = ((at % GRID * 2 + 1) * behind.width(), (at / GRID * 2 + 1) * behind.height());
        let pixel = behind.pixel(x / (2 * GRID), y / (2 * GRID));
        sum.iter_mut().zip(pixel).for_each(|(sum, c)| *sum += f32::from(c));
    }
    let [r, g, b] = [sum[0], sum[1], sum[2]].map(|c| c / sum[3].max(1.0));
    let bright = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    // Half of 8 bits, as chroma planes have it.
    let (blue, red) = ((b - bright) / 1.8556 * 255.0, (r - bright) / 1.5748 * 255.0);
    let shift = |c: f32| (c * 0.16).clamp(-7.0, 7.0).round() as i8;
    let gain = 1.0 + ((bright - 0.48) * 0.15).clamp(-0.05, 0.04);
    Ambience { gain: (gain * 256.0).round() as u16, u: shift(blue), v: shift(red) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::{Frame, Rgb};

    fn of(color: Rgb) -> Ambience {
        let mut picture = Pixmap::new(100, 60);
        picture.fill(color.premultiplied());
        ambience(&picture)
    }

    #[test]
    fn a_place_tells_how_bright_and_how_warm_it_is() {
        let (noon, night) = (of(Rgb::opaque(245, 245, 245)), of(Rgb::opaque(10, 14, 40)));
        assert!(noon.gain > 256 && noon.u == 0 && noon.v == 0, "{noon:?}");
        assert!(night.gain < 246 && night.u > 0 && night.v < 0, "{night:?}");
        let sunset = of(Rgb::opaque(230, 140, 60));
        assert!(sunset.u < 0 && sunset.v > 0, "{sunset:?}");
        // Nothing that is behind somebody paints them.
        let lime = of(Rgb::opaque(0, 255, 0));
        assert!(lime.u >= -7 && lime.v >= -7, "{lime:?}");
    }

    #[test]
    fn shadows_take_its_colour_and_skin_hardly_does() {
        let rect = Rect::of_size(8, 8);
        let shown = |color: Rgb, light: Ambience| {
            let mut pixmap = Pixmap::new(8, 8);
            pixmap.fill(color.premultiplied());
            let (studio, mut lit) = (Layer::from_pixmap(&pixmap, 0, 0), Layer::new(rect));
            lit.copy_lit(&studio, rect, light);
            let mut frame = Frame::new(8, 8);
            lit.lay_on(&mut frame, rect, 255);
            frame.to_rgb()[0]
        };
        let dusk = Ambience { gain: 256, u: 9, v: -4 };
        let (dark, skin) = (Rgb::opaque(40, 40, 40), Rgb::opaque(230, 190, 170));
        let blue = |color: Rgb| i32::from(shown(color, dusk)[2]) - i32::from(color.b);
        assert!(blue(dark) >= 8, "{}", blue(dark));
        assert!((-2..=4).contains(&blue(skin)), "{}", blue(skin));
        let as_it_is = Ambience { gain: 256, u: 0, v: 0 };
        assert!(shown(skin, as_it_is).iter().zip([230, 190, 170]).all(|(a, b)| a.abs_diff(b) <= 2));
        let dim = shown(skin, Ambience { gain: 240, u: 0, v: 0 });
        assert!(dim[0] < 220 && dim[0] > 205, "{dim:?}");
    }
}
