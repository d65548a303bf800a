//! Backgrounds made from nothing: small sets, lit in linear light and thrown out of focus.
//!
//! [`paint`] gives the same bytes for the same name and size on every machine and draws any size, landscape or upright.
//! A picture costs a second or three at 4k on one core and depends on nothing but its arguments, so several can be
//! painted side by side.
//!
//! The sets leave room for a presenter and for text: nothing sharp, nothing bright in the middle. Deliberately
//! absent: words, maps, flags, people, and any dependency; the polynomials in `math` stand in for the platform's sines
//! and powers, which differ between machines.

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
    set: fn(Stage) -> plate::Plate,
    print: fn() -> Print,
}

/// What a set is built for.
#[derive(Clone, Copy, Debug)]
struct Stage {
    width: u32,
    height: u32,
}

impl Stage {
    /// The visible world at `short` pixels along the shorter side, fewer when the picture itself has fewer.
    fn view(self, short: u32) -> View {
        View::of(self.width, self.height, short)
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
    let plate = (backdrop.set)(Stage { width, height });
    Some((backdrop.print)().of(&plate, width, height))
}
