//! Planes of a picture below each other, as one grey JPEG.

use crate::error::OwnError;

pub(crate) fn planes_to_jpeg(grey: &[u8], width: usize, height: usize, quality: u8) -> Result<Vec<u8>, OwnError> {
    compere_codec::image::grey_to_jpeg(grey, width as u32, height as u32, quality).map_err(OwnError::machine)
}

pub(crate) fn planes_from_jpeg(bytes: &[u8], width: usize, height: usize) -> Result<Vec<u8>, OwnError> {
    let grey = rows_from_jpeg(bytes, width)?;
    if grey.len() == width * height { Ok(grey) } else { Err(damaged("of another size")) }
}

/// As many rows as there are.
pub(crate) fn rows_from_jpeg(bytes: &[u8], width: usize) -> Result<Vec<u8>, OwnError> {
    use zune_jpeg::zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let grey = decoder.decode().map_err(|error| damaged(&format!("{error:?}")))?;
    let fits = decoder.dimensions().is_some_and(|(wide, _)| wide == width);
    if fits { Ok(grey) } else { Err(damaged("of another size")) }
}

pub(crate) fn damaged(what: &str) -> OwnError {
    OwnError::Damaged(format!("a picture of the bank: {what}"))
}
