//! Planes of a picture below each other, as one grey JPEG.

use crate::error::OwnError;

pub(crate) fn planes_to_jpeg(grey: &[u8], width: usize, height: usize, quality: u8) -> Result<Vec<u8>, OwnError> {
    compere_codec::image::grey_to_jpeg(grey, width as u32, height as u32, quality).map_err(OwnError::machine)
}

pub(crate) fn planes_from_jpeg(bytes: &[u8], width: usize, height: usize) -> Result<Vec<u8>, OwnError> {
    use zune_jpeg::zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let damaged = |what: String| OwnError::Damaged(format!("a picture of the bank: {what}"));
    let grey = decoder.decode().map_err(|error| damaged(format!("{error:?}")))?;
    if grey.len() == width * height { Ok(grey) } else { Err(damaged("of another size".to_owned())) }
}
