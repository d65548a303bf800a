//! Backgrounds made from nothing: small sets, lit in linear light and thrown out of focus.
//!
//! [`paint`] gives the same bytes for the same name and size on every machine and draws any size, landscape or upright.
//! A picture costs a second or three at 4k on one core and depends on nothing but its arguments, so several can be
//! painted side by side.
//!
//! The sets leave room for a presenter and for text: nothing sharp, nothing bright in the middle. Deliberately
//! absent: words, maps, flags and people.

mod light;
mod math;
mod plate;
mod print;
mod scenes;
mod shape;

use compere_media::Pixmap;

use plate::View;
use print::Print;

/// A background that can be painted.
#[derive(Clone, Copy, Debug)]
pub struct Backdrop {
    /// As files and addresses write it: `/images/background/<name>.png`.
    pub name: &'static str,
    /// As people read it.
    pub title: &'static str,
    pub tags: &'static [&'static str],
    set: fn(Canvas) -> plate::Plate,
    print: fn() -> Print,
}

/// What a set is built for.
#[derive(Clone, Copy, Debug)]
struct Canvas {
    width: u32,
    height: u32,
}

impl Canvas {
    /// The visible world at `short` pixels along the shorter side, fewer when the picture itself has fewer.
    fn view(self, short: u32) -> View {
        View::of(self.width, self.height, short)
    }

    /// The same, turned towards `x` as far as the picture is too narrow to show that anyway.
    fn view_towards(self, x: f32, short: u32) -> View {
        let view = self.view(short);
        let narrow = (1.0 - view.width / (16.0 / 9.0)).max(0.0) * 2.0;
        View { left: view.left + x * narrow.min(1.0), ..view }
    }
}

/// Every background there is, in the order a chooser shows them.
pub fn catalogue() -> &'static [Backdrop] {
    &scenes::ALL
}

/// Paints the background called `name`; `None` when there is none of that name or a side is zero.
pub fn paint(name: &str, width: u32, height: u32) -> Option<Pixmap> {
    let backdrop = catalogue().iter().find(|backdrop| backdrop.name == name)?;
    if width == 0 || height == 0 {
        return None;
    }
    let plate = (backdrop.set)(Canvas { width, height });
    Some((backdrop.print)().of(&plate, width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backdrop_fills_any_size_in_either_orientation() {
        for backdrop in catalogue() {
            for (width, height) in [(96, 54), (54, 96), (37, 41), (1, 1)] {
                let picture = paint(backdrop.name, width, height).expect(backdrop.name);
                assert_eq!((picture.width(), picture.height()), (width, height), "{}", backdrop.name);
                assert!(picture.is_opaque(), "{} lets something through", backdrop.name);
            }
        }
    }

    #[test]
    fn names_are_unique_and_fit_in_an_address() {
        let mut names: Vec<_> = catalogue().iter().map(|backdrop| backdrop.name).collect();
        assert!(names.iter().all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), catalogue().len());
        assert!(paint("studio-of-nobody", 16, 9).is_none());
        assert!(paint("paper", 0, 9).is_none());
    }

    /// Light backgrounds stay light and dark ones dark, so that a tag can choose the colour of the words.
    #[test]
    fn tags_tell_the_truth_about_brightness() {
        for backdrop in catalogue() {
            let picture = paint(backdrop.name, 96, 54).unwrap();
            let sum: u64 = picture.data().iter().map(|p| p[..3].iter().map(|&c| u64::from(c)).sum::<u64>()).sum();
            let mean = sum as f64 / (96.0 * 54.0 * 3.0);
            assert!(!backdrop.tags.contains(&"light") || mean > 125.0, "{} is {mean:.0}", backdrop.name);
            assert!(!backdrop.tags.contains(&"dark") || mean < 105.0, "{} is {mean:.0}", backdrop.name);
        }
    }

    #[test]
    fn a_slow_gradient_does_not_break_into_bands() {
        let picture = paint("gradient-pearl", 640, 360).unwrap();
        let mut longest = 0;
        for y in (0..360).step_by(30) {
            let runs = picture.row(y).chunk_by(|a, b| a == b);
            longest = longest.max(runs.map(<[_]>::len).max().unwrap());
        }
        assert!(longest < 24, "{longest} equal pixels in a row");
    }

    /// The platform's own sines or a fused multiply-add would change this.
    #[test]
    fn the_bytes_are_the_same_on_every_machine() {
        let picture = paint("office", 128, 72).unwrap();
        let digest = picture
            .data()
            .iter()
            .flatten()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        assert_eq!(digest, 0x2eca_cb89_d834_de69, "{digest:#018x}");
    }
}
