//! Contact sheets: what a presenter looks like in every shape of the mouth.

use compere_media::{Pixmap, Rgb};

use crate::{AvatarError, PackCache, Presenter, Want};

/// Neutral, every viseme, blink, smile, brows, gaze and turns of one presenter and outfit, `columns` to a row, each
/// cell of `want`'s size.
pub fn preview(
    presenter: &dyn Presenter,
    want: &Want,
    columns: u32,
    cache: &dyn PackCache,
) -> Result<Pixmap, AvatarError> {
    let pack = presenter.bake(want, cache)?;
    let stills = pack.sheet();
    let columns = columns.max(1);
    let rows = (stills.len() as u32).div_ceil(columns);
    let mut sheet = Pixmap::new(columns * want.width, rows * want.height);
    sheet.fill(Rgb::opaque(226, 231, 238).premultiplied());
    for (at, (_, still)) in stills.iter().enumerate() {
        let (column, row) = (at as u32 % columns, at as u32 / columns);
        let rect = pack.rect().shifted((column * want.width) as i32, (row * want.height) as i32);
        sheet.draw(still, rect.x0, rect.y0);
    }
    Ok(sheet)
}
