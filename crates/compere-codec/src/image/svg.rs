//! SVG, drawn at the size it is wanted at.
//!
//! Nothing outside the file is read: external pictures are left out, scripts and animations are not run, and text is
//! set in the system's fonts, Noto mostly (see `fonts.rs`). Runs inside the sandbox only.

use std::sync::Arc;

use compere_media::Pixmap;
use resvg::tiny_skia;
use resvg::usvg::{self, ImageHrefResolver, Options, Transform, Tree};

use super::{Want, fonts};
use crate::MediaError;

pub(super) fn draw(data: &[u8], want: Want) -> Result<Pixmap, MediaError> {
    let tree = Tree::from_data(data, &options(has_text(data))).map_err(|error| told(&error))?;
    let size = tree.size();
    let (width, height) = want.fitted(size.width().into(), size.height().into(), true);
    let too_large = || MediaError::too_large("is too large to be drawn");
    let mut canvas = tiny_skia::Pixmap::new(width, height).ok_or_else(too_large)?;
    let scale = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    resvg::render(&tree, scale, &mut canvas.as_mut());
    let pixels = canvas.data().as_chunks::<4>().0.to_vec();
    Ok(Pixmap::from_premultiplied(width, height, pixels))
}

/// Reading several hundred fonts takes longer than drawing most files.
fn has_text(data: &[u8]) -> bool {
    let packed = data.starts_with(&[0x1f, 0x8b]);
    packed || data.windows(5).any(|part| part == b"<text" || part == b":text" || part == b"image")
}

fn options(text: bool) -> Options<'static> {
    let mut options = Options { font_family: "Noto Sans".to_owned(), ..Options::default() };
    options.image_href_resolver = ImageHrefResolver {
        resolve_data: ImageHrefResolver::default_data_resolver(),
        resolve_string: Box::new(|_, _| None),
    };
    if text {
        options.fontdb = Arc::new(fonts::database());
        options.font_resolver = fonts::resolver();
    }
    options
}

fn told(error: &usvg::Error) -> MediaError {
    match error {
        usvg::Error::ParsingFailed(why) => MediaError::damaged(format!("is not well-formed SVG: {why}")),
        usvg::Error::InvalidSize => MediaError::damaged("is an SVG without a size; give it a viewBox"),
        usvg::Error::ElementsLimitReached => MediaError::too_large("is an SVG of too many elements"),
        other => MediaError::damaged(format!("is an SVG that cannot be read: {other}")),
    }
}
