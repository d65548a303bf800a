//! AVIF, which FFmpeg reads as a video of one picture.

use std::path::Path;

use compere_media::Pixmap;

use super::Want;
use super::decode::{check_size, shrink};
use crate::probe::probe_still;
use crate::sandbox::{Limits, Sandbox};
use crate::{MediaError, ffmpeg};

pub(super) fn decode(sandbox: &Sandbox, path: &Path, want: Want) -> Result<Pixmap, MediaError> {
    let info = probe_still(sandbox, path)?;
    let (width, height) = (info.width, info.height);
    check_size((width, height))?;
    let range = if info.color.full_range { "full" } else { "limited" };
    let filters = format!("scale={width}:{height}:in_color_matrix={}:in_range={range},format=rgba", info.color.matrix);
    let errand = ffmpeg::foreign_input(ffmpeg::ffmpeg(Limits::PICTURE), path)
        .words("-map 0:v:0 -frames:v 1 -vf")
        .arg(filters)
        .words("-f rawvideo pipe:1");
    let output = sandbox.run(&errand).map_err(ffmpeg::told)?;
    let pixels = output.stdout.as_chunks::<4>().0.to_vec();
    if pixels.len() as u64 != u64::from(width) * u64::from(height) {
        return Err(MediaError::damaged("holds no whole picture"));
    }
    Ok(shrink(Pixmap::from_straight(width, height, pixels), want))
}
