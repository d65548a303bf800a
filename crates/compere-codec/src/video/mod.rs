//! Footage that someone sent, as pictures of a film.
//!
//! A sandboxed FFmpeg decodes, scales, converts to BT.709 and resamples to 30 fps; it works ahead only as far as a pipe
//! holds. Opaque, upright footage stays in 4:2:0 all the way; transparent or turned footage travels as RGBA and is turned
//! here, because FFmpeg turns about the middle of whole pixels.

mod turn;

use std::path::{Path, PathBuf};

use compere_media::{Broken, Damage, Layer, Moving, Pixmap, Rect};

pub use turn::turned_bounds;

use crate::probe::{MediaInfo, VideoInfo, probe};
use crate::sandbox::{Errand, Limits, Running, Sandbox};
use crate::{MediaError, ffmpeg};

/// How footage is to be shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VideoWant {
    /// Pixels before turning; even.
    pub width: u32,
    pub height: u32,
    /// Degrees clockwise about the left top corner.
    pub angle: f64,
    /// For how many frames. Longer footage is cut, shorter footage holds its last picture.
    pub frames: u64,
    /// The frame of the scene that shows the first picture.
    pub start: u64,
    /// Pictures of the file, at 30 a second, that are left out before the first.
    pub from: u64,
}

/// Footage playing in one scene. The decoder starts with the first picture that is asked for and ends with the reader.
#[derive(Debug)]
pub struct VideoReader {
    sandbox: Sandbox,
    path: PathBuf,
    want: VideoWant,
    info: VideoInfo,
    bounds: Rect,
    running: Option<Running>,
    /// Pictures taken from the decoder so far.
    decoded: u64,
    ended: bool,
    current: Vec<u8>,
    painted: Option<Vec<u8>>,
    scratch: Vec<u8>,
}

impl VideoReader {
    /// Looks into the file; decodes nothing yet.
    ///
    /// # Panics
    ///
    /// When a side of `want` is odd or zero, or it wants no frame.
    pub fn open(sandbox: &Sandbox, path: &Path, want: VideoWant) -> Result<Self, MediaError> {
        let info = probe(sandbox, path)?;
        Self::of_probed(sandbox, path, &info, want)
    }

    /// As [`VideoReader::open`], for a file that was looked into before.
    pub fn of_probed(sandbox: &Sandbox, path: &Path, info: &MediaInfo, want: VideoWant) -> Result<Self, MediaError> {
        let VideoWant { width, height, angle, frames, .. } = want;
        assert!(width > 0 && height > 0 && width % 2 == 0 && height % 2 == 0, "{width}x{height} has an odd side");
        assert!(frames > 0, "footage is wanted for at least one frame");
        let Some(info) = info.video.clone() else {
            return Err(MediaError::wrong_type("holds sound but no pictures"));
        };
        let size = width as usize * height as usize;
        let bytes = if info.alpha || angle != 0.0 { size * 4 } else { size * 3 / 2 };
        Ok(Self {
            sandbox: sandbox.clone(),
            path: path.to_owned(),
            want,
            info,
            bounds: turned_bounds(width, height, angle),
            running: None,
            decoded: 0,
            ended: false,
            current: vec![0; bytes],
            painted: None,
            scratch: vec![0; bytes],
        })
    }

    /// What the layer has to cover when the clip's left top corner is at (0, 0).
    pub fn bounds(&self) -> Rect {
        self.bounds
    }

    pub fn info(&self) -> &VideoInfo {
        &self.info
    }

    /// The next picture of opaque, upright footage as the planes of 4:2:0, one behind the other without padding; none
    /// behind the last.
    pub fn next_picture(&mut self) -> Result<Option<&[u8]>, MediaError> {
        let next = self.decoded;
        if !self.ended {
            self.seek(next)?;
        }
        Ok((self.decoded > next).then_some(&self.current))
    }

    fn is_flat(&self) -> bool {
        !self.info.alpha && self.want.angle == 0.0
    }

    /// Makes `current` the picture number `index`, or the last one there is.
    fn seek(&mut self, index: u64) -> Result<(), MediaError> {
        if index + 1 < self.decoded {
            (self.running, self.decoded, self.ended) = (None, 0, false);
        }
        while self.decoded <= index && !self.ended {
            let mut running = match self.running.take() {
                Some(running) => running,
                None => self.sandbox.start(&self.errand())?,
            };
            if running.fill(&mut self.scratch)? == self.scratch.len() {
                std::mem::swap(&mut self.current, &mut self.scratch);
                self.decoded += 1;
                self.running = Some(running);
            } else {
                self.ended = true;
                running.finish().map_err(ffmpeg::told)?;
                self.check_end()?;
            }
        }
        Ok(())
    }

    /// A file that was cut off in the middle ends without an error, just too early.
    fn check_end(&self) -> Result<(), MediaError> {
        let planned = self.info.film_frames.saturating_sub(self.want.from).min(self.want.frames);
        if self.decoded == 0 {
            return Err(MediaError::damaged("holds no picture that can be decoded"));
        }
        if self.decoded + 15 + planned / 20 < planned {
            let end = (self.want.from + self.decoded) as f64 / 30.0;
            let length = self.info.film_frames as f64 / 30.0;
            return Err(MediaError::damaged(format!("breaks off after {end:.1} of {length:.1} seconds")));
        }
        Ok(())
    }

    fn errand(&self) -> Errand {
        let errand = ffmpeg::ffmpeg(Limits::FOOTAGE);
        // FFmpeg's own VP8 and VP9 decoders leave transparency out.
        let errand = match (self.info.alpha, self.info.codec.as_str()) {
            (true, "vp8") => errand.words("-c:v libvpx"),
            (true, "vp9") => errand.words("-c:v libvpx-vp9"),
            _ => errand,
        };
        let errand = match self.want.from {
            0 => errand,
            // Between two pictures: FFmpeg leaves out what is before it, and times are rounded.
            from => errand.words("-ss").arg(format!("{:.6}", from as f64 / 30.0 - 0.005)),
        };
        let format = if self.is_flat() { "yuv420p" } else { "rgba" };
        ffmpeg::foreign_input(errand, &self.path)
            .words("-map 0:V:0 -an -sn -dn -vf")
            .arg(self.filters())
            .words("-fps_mode passthrough -frames:v")
            .arg(self.want.frames.to_string())
            .words("-f rawvideo -pix_fmt")
            .arg(format)
            .arg("pipe:1")
    }

    fn filters(&self) -> String {
        let VideoWant { width, height, .. } = self.want;
        let color = &self.info.color;
        let (matrix, range) = (color.matrix, if color.full_range { "full" } else { "limited" });
        let read = format!("in_color_matrix={matrix}:in_range={range}");
        let fine = "flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact";
        let size = format!("{width}:{height}:{fine}");
        let film = "fps=30:start_time=0";
        let flat = "out_color_matrix=bt709:out_range=limited,format=yuv420p";
        if color.hdr {
            // Linear light around 203 nits of white; what is brighter, up to 1000 nits, is rolled off into what is left.
            let map = "zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius:param=0.5:peak=4.93:desat=0,\
                zscale=t=bt709:m=bt709:r=limited,format=yuv420p";
            let rgb =
                if self.is_flat() { String::new() } else { ",scale=in_color_matrix=bt709,format=rgba".to_owned() };
            return format!("{film},scale={size},{map}{rgb}");
        }
        if self.is_flat() {
            return format!("{film},scale={size}:{read}:{flat}");
        }
        if self.info.alpha {
            // Scaling straight colour would bleed what is invisible into the edges.
            return format!("{film},scale={read}:{fine},format=gbrap,premultiply=inplace=1,scale={size},format=rgba");
        }
        format!("{film},scale={size}:{read},format=rgba")
    }

    fn paint(&self, layer: &mut Layer) {
        let VideoWant { width, height, angle, .. } = self.want;
        if self.is_flat() {
            let (y, chroma) = self.current.split_at(width as usize * height as usize);
            let (u, v) = chroma.split_at(chroma.len() / 2);
            layer.put_planes(y, u, v);
            return;
        }
        let pixels = self.current.as_chunks::<4>().0.to_vec();
        let mut picture = Pixmap::from_premultiplied(width, height, pixels);
        if angle != 0.0 {
            picture = turn::turned(&picture, angle, self.bounds);
        }
        layer.put(&picture, 0, 0, Rect::of_size(layer.width(), layer.height()));
    }
}

impl Moving for VideoReader {
    fn advance(&mut self, frame: u64, layer: &mut Layer) -> Result<Damage, Broken> {
        let whole = Rect::of_size(self.bounds.width(), self.bounds.height());
        assert_eq!(Rect::of_size(layer.width(), layer.height()), whole, "the layer must be as large as the footage");
        let index = frame.saturating_sub(self.want.start).min(self.want.frames - 1);
        self.seek(index)?;
        if self.painted.as_ref() == Some(&self.current) {
            return Ok(Damage::none());
        }
        self.paint(layer);
        self.painted.get_or_insert_default().clone_from(&self.current);
        Ok(Damage::rect(whole))
    }

    fn plays_until(&self) -> u64 {
        self.want.start + self.info.film_frames.saturating_sub(self.want.from).min(self.want.frames)
    }
}
