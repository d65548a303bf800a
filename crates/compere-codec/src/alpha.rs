//! Films with a transparent ground: VP9 in WebM, ProRes 4444 in QuickTime.
//!
//! What is encoded here was drawn by us, so FFmpeg runs outside the sandbox, fed through a pipe. It ends with the pipe,
//! and thereby with us. Pictures travel as straight (not premultiplied) 4:2:0 with a full-size alpha plane, which is what
//! both formats hold; ProRes's doubled chroma is made from that.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use compere_media::Frame;

use crate::MediaError;
use crate::sound::SoundFile;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlphaFormat {
    /// VP9 and Opus.
    Webm,
    /// ProRes 4444 and PCM.
    Mov,
}

/// Straight 4:2:0 in BT.709 limited range, with alpha.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matte {
    pub y: Vec<u8>,
    pub u: Vec<u8>,
    pub v: Vec<u8>,
    pub a: Vec<u8>,
}

/// Luma of white above that of black.
const SPAN: i32 = 219;

impl Matte {
    /// What was drawn, from the same picture on black and on white ground: where both agree it is solid, and where one
    /// shows black and the other white there is nothing.
    pub fn between(black: &Frame, white: &Frame) -> Self {
        let width = black.width() as usize;
        let alpha = |(b, w): (&u8, &u8)| {
            let through = (i32::from(*w) - i32::from(*b)).clamp(0, SPAN);
            // Blending rounds each picture by itself; one step off is still solid, or still nothing.
            match SPAN - through {
                0 | 1 => 0,
                218 | 219 => 255,
                solid => ((solid * 255 + SPAN / 2) / SPAN) as u8,
            }
        };
        let a: Vec<u8> = black.y().iter().zip(white.y()).map(alpha).collect();
        let y = black.y().iter().zip(&a).map(|(&y, &a)| straight(y, 16, a)).collect();
        let rows: Vec<&[u8]> = a.chunks_exact(width).collect();
        let mut quarter = Vec::with_capacity(a.len() / 4);
        for pair in rows.chunks_exact(2) {
            for x in (0..width).step_by(2) {
                let sum: u32 =
                    [pair[0][x], pair[0][x + 1], pair[1][x], pair[1][x + 1]].into_iter().map(u32::from).sum();
                quarter.push(((sum + 2) / 4) as u8);
            }
        }
        let chroma = |plane: &[u8]| plane.iter().zip(&quarter).map(|(&c, &a)| straight(c, 128, a)).collect();
        Self { y, u: chroma(black.u()), v: chroma(black.v()), a }
    }
}

/// What was mixed with `ground` at strength `a`.
fn straight(mixed: u8, ground: i32, a: u8) -> u8 {
    match i32::from(a) {
        0 => ground as u8,
        255 => mixed,
        a => (ground + (i32::from(mixed) - ground) * 255 / a).clamp(16, 240) as u8,
    }
}

/// An encoder under way. Dropping it ends it.
#[derive(Debug)]
pub struct AlphaEncoder {
    child: Child,
    pipe: Option<ChildStdin>,
}

impl AlphaEncoder {
    /// Makes the file `to` out of the sound and of pictures yet to come. What `comment` says of the film stands in it.
    pub fn start(
        format: AlphaFormat,
        (width, height): (u32, u32),
        sound: &SoundFile,
        comment: &str,
        threads: usize,
        to: &Path,
    ) -> Result<Self, MediaError> {
        #[expect(
            clippy::disallowed_methods,
            reason = "an encoder of our own pictures, fed as they are drawn; it reads nothing foreign"
        )]
        let mut command = Command::new("ffmpeg");
        command.env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C.UTF-8");
        let mut words = |text: &str| {
            command.args(text.split_whitespace());
        };
        words("-hide_banner -nostdin -v error -y -fflags +bitexact -f rawvideo -pix_fmt yuva420p -framerate 30");
        words("-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709");
        words(&format!("-video_size {width}x{height} -i pipe:0 -f f32le -ar 48000 -ac 2"));
        command.arg("-i").arg(sound.path());
        let mut words = |text: &str| {
            command.args(text.split_whitespace());
        };
        words("-map 0:v -map 1:a -map_metadata -1 -flags:v +bitexact -flags:a +bitexact");
        words(&format!("-threads {}", threads.clamp(1, 8)));
        if !comment.is_empty() {
            command.args(["-metadata", &format!("comment={comment}")]);
        }
        let mut words = |text: &str| {
            command.args(text.split_whitespace());
        };
        match format {
            AlphaFormat::Webm => {
                // Frames that are never shown would carry no alpha.
                words("-c:v libvpx-vp9 -pix_fmt yuva420p -crf 24 -b:v 0 -deadline good -cpu-used 5 -row-mt 1 -g 150");
                words("-auto-alt-ref 0 -c:a libopus -b:a 160k -f webm");
            }
            AlphaFormat::Mov => {
                words("-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le -alpha_bits 16 -vendor apl0");
                words("-c:a pcm_s16le -f mov");
            }
        }
        command.arg(to).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let failed = |error| MediaError::io("could not start ffmpeg", &error);
        let mut child = command.spawn().map_err(failed)?;
        let pipe = child.stdin.take();
        Ok(Self { child, pipe })
    }

    pub fn push(&mut self, picture: &Matte) -> Result<(), MediaError> {
        let Some(pipe) = &mut self.pipe else { return Ok(()) };
        let planes = [&picture.y, &picture.u, &picture.v, &picture.a];
        if planes.into_iter().try_for_each(|plane| pipe.write_all(plane)).is_err() {
            // It has ended; its own words say more than a broken pipe.
            self.pipe = None;
            return Err(self.ended());
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<(), MediaError> {
        self.pipe = None;
        let complaints = self.complaints();
        let status = self.child.wait().map_err(|error| MediaError::io("could not wait for ffmpeg", &error))?;
        if status.success() { Ok(()) } else { Err(told(&complaints)) }
    }

    fn ended(&mut self) -> MediaError {
        told(&self.complaints())
    }

    fn complaints(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            // Half a complaint is better than none.
            let _ = stderr.read_to_string(&mut text);
        }
        text
    }
}

fn told(complaints: &str) -> MediaError {
    let last = complaints.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it gave no reason");
    MediaError::machine(format!("ffmpeg could not write the film: {}", last.trim()))
}

impl Drop for AlphaEncoder {
    fn drop(&mut self) {
        // Both fail only when it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_media::{Layer, Pixmap, Rect, Rgb};

    #[test]
    fn what_was_laid_on_two_grounds_is_found_again() {
        for color in
            [Rgb::opaque(200, 60, 30), Rgb { r: 20, g: 90, b: 220, a: 128 }, Rgb { r: 250, g: 250, b: 250, a: 40 }]
        {
            let mut pixmap = Pixmap::new(4, 4);
            pixmap.fill(color.premultiplied());
            let layer = Layer::from_pixmap(&pixmap, 2, 2);
            let on = |ground| {
                let mut frame = Frame::new(8, 8);
                frame.fill(ground);
                layer.lay_on(&mut frame, Rect::of_size(8, 8), 255);
                frame
            };
            let matte = Matte::between(&on(Rgb::opaque(0, 0, 0)), &on(Rgb::opaque(255, 255, 255)));
            assert_eq!(matte.a[0], 0, "nothing was laid here");
            assert!(matte.a[3 * 8 + 3].abs_diff(color.a) <= 2, "{} for {color:?}", matte.a[3 * 8 + 3]);
            let mut solid = Frame::new(8, 8);
            solid.fill(Rgb { a: 255, ..color });
            let off = matte.y[3 * 8 + 3].abs_diff(solid.y()[0]);
            assert!(off <= 6, "{color:?} is off by {off}");
        }
    }
}
