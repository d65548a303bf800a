//! Contact sheets, filmstrips and line-ups: what a presenter looks like in every shape of the mouth, while speaking, and
//! beside the others.

use std::ops::Range;

use compere_media::{Frame, Layer, Pixmap, Rect, Rgb};

use crate::{AvatarError, Cast, Framing, Pack, PackCache, Presenter, Role, Style, Want};

const PAPER: Rgb = Rgb::opaque(226, 231, 238);

/// Neutral, every viseme, blink, smile, brows, gaze and turns of one presenter and outfit, `columns` to a row, each
/// cell of `want`'s size. Of a head the cell is filled from the hair downwards, as broad as it goes.
pub fn preview(
    presenter: &dyn Presenter,
    want: &Want,
    columns: u32,
    cache: &dyn PackCache,
) -> Result<Pixmap, AvatarError> {
    let pack = presenter.bake(&close(want), cache)?;
    let stills: Vec<Pixmap> = pack.sheet().into_iter().map(|(_, still)| still).collect();
    Ok(laid_out(&stills, place(pack.rect(), stills.first(), want), want, columns))
}

/// Every gesture of a presenter with hands, `columns` to a row, each in the middle of a cell of `want`'s size; at rest
/// first.
pub fn gestures(
    presenter: &dyn Presenter,
    want: &Want,
    columns: u32,
    cache: &dyn PackCache,
) -> Result<Pixmap, AvatarError> {
    let pack = presenter.bake(want, cache)?;
    let rest = pack.sheet().into_iter().take(1).chain(pack.gestures());
    let stills: Vec<Pixmap> = rest.map(|(_, still)| still).collect();
    Ok(laid_out(&stills, pack.rect(), want, columns))
}

/// Frames of a performance, one after another, laid out as a [`preview`] is.
pub fn filmstrip(
    presenter: &dyn Presenter,
    want: &Want,
    role: Role,
    frames: Range<u64>,
    columns: u32,
    cache: &dyn PackCache,
) -> Result<Pixmap, AvatarError> {
    let pack = presenter.bake(&close(want), cache)?;
    let stills = perform(pack.as_ref(), role, frames);
    let neutral = pack.sheet().into_iter().next().map(|(_, still)| still);
    Ok(laid_out(&stills, place(pack.rect(), neutral.as_ref(), want), want, columns))
}

/// High enough that only its width limits a head.
fn close(want: &Want) -> Want {
    let height = if want.framing == Framing::Head { want.height.max(want.width * 3 / 2) } else { want.height };
    Want { height, ..want.clone() }
}

/// Where in its cell a presenter stands: of a head that is higher than the cell, the upper end shows.
fn place(rect: Rect, neutral: Option<&Pixmap>, want: &Want) -> Rect {
    let baked = close(want).height;
    let Some(neutral) = neutral.filter(|_| baked > want.height) else { return rect };
    let air = (0..neutral.height()).take_while(|&y| neutral.row(y).iter().all(|p| p[3] == 0)).count() as i32;
    let above = (want.height / 24) as i32;
    rect.shifted(0, (above - air - rect.y0).max(want.height as i32 - rect.y1))
}

/// Everyone of the cast but the plain stand-in, in every outfit, two to a row, each cell `width` by `height`; shorter rows
/// stand in the middle.
pub fn line_up(cast: &Cast, [width, height]: [u32; 2], cache: &dyn PackCache) -> Result<Pixmap, AvatarError> {
    let mut rows: Vec<Vec<(Rect, Pixmap)>> = Vec::new();
    for (at, info) in cast.list().iter().filter(|info| info.style != Style::Figure).enumerate() {
        if at % 2 == 0 {
            rows.push(Vec::new());
        }
        let Some((presenter, row)) = cast.get(&info.id).zip(rows.last_mut()) else { continue };
        for outfit in &info.outfits {
            let want = Want { outfit: outfit.id.clone(), width, height, framing: Framing::Body };
            let pack = presenter.bake(&want, cache)?;
            row.extend(pack.sheet().into_iter().take(1).map(|(_, still)| (pack.rect(), still)));
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0) as u32;
    let mut sheet = Pixmap::new(columns * width, rows.len() as u32 * height);
    sheet.fill(PAPER.premultiplied());
    for (y, row) in (0..).map(|row| row * height).zip(&rows) {
        let left = (columns - row.len() as u32) * width / 2;
        for (x, (place, still)) in (0..).map(|column| left + column * width).zip(row) {
            let rect = place.shifted(x as i32, y as i32);
            sheet.draw(still, rect.x0, rect.y0);
        }
    }
    Ok(sheet)
}

fn perform(pack: &dyn Pack, role: Role, frames: Range<u64>) -> Vec<Pixmap> {
    let mut layer = Layer::new(Rect::of_size(pack.rect().width(), pack.rect().height()));
    let mut acting = pack.perform(role);
    let shown = frames.map(|frame| {
        acting.advance(frame, &mut layer).expect("the layer has the size of the pack");
        let mut picture = Frame::new(layer.width(), layer.height());
        picture.fill(PAPER);
        layer.lay_on(&mut picture, layer.rect(), 255);
        let pixels = picture.to_rgb().into_iter().map(|[r, g, b]| [r, g, b, 255]).collect();
        Pixmap::from_premultiplied(layer.width(), layer.height(), pixels)
    });
    shown.collect()
}

fn laid_out(stills: &[Pixmap], place: Rect, want: &Want, columns: u32) -> Pixmap {
    let columns = columns.max(1);
    let rows = (stills.len() as u32).div_ceil(columns);
    let mut sheet = Pixmap::new(columns * want.width, rows * want.height);
    sheet.fill(PAPER.premultiplied());
    for (at, still) in (0..).zip(stills) {
        let (column, row) = (at % columns, at / columns);
        let mut cell = Pixmap::new(want.width, want.height);
        cell.draw(still, place.x0, place.y0);
        sheet.draw(&cell, (column * want.width) as i32, (row * want.height) as i32);
    }
    sheet
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::NoCache;

    #[test]
    fn a_head_fills_its_cell_from_the_hair_downwards() {
        let member = Cast::open(Path::new("no data")).get("lena").expect("a member of the cast");
        let want = Want { outfit: String::new(), width: 120, height: 120, framing: Framing::Head };
        let sheet = preview(member.as_ref(), &want, 7, &NoCache).expect("a sheet");
        assert_eq!((sheet.width(), sheet.height()), (7 * 120, 3 * 120));
        let paper = PAPER.premultiplied();
        for cell in 0..21 {
            let (x, y) = (cell % 7 * 120, cell / 7 * 120);
            let painted = |dy: u32| sheet.row(y + dy)[x as usize..][..120].iter().any(|pixel| *pixel != paper);
            let air = (0..120).take_while(|&dy| !painted(dy)).count();
            // A nod lowers the hair; nobody's is cut off.
            assert!((1..20).contains(&air), "{air} rows above the head of cell {cell}");
            assert!(painted(119), "cell {cell} ends above its edge");
        }
    }
}
