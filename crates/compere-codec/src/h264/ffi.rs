//! The only unsafe code of the crate: libx264 behind `x264_shim.c`.
//!
//! An [`X264`] holds back no picture: what goes in comes out of the same call, as length-prefixed NAL units.

use std::ffi::{c_char, c_int};
use std::ptr::NonNull;

use super::EncodeError;

/// As `cx_settings` in the shim.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Config {
    pub width: c_int,
    pub height: c_int,
    pub level: c_int,
    pub threads: c_int,
    pub preset: c_int,
    pub qp_p: c_int,
    pub qp_i: c_int,
    pub finer_flats: c_int,
    pub row_slices: c_int,
    pub mv_range: c_int,
    pub deblocking: c_int,
    pub chroma_qp_offset: c_int,
    pub references: c_int,
    pub footage: c_int,
}

#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn cx_open(settings: *const Config, message: *mut c_char, room: usize) -> *mut Opaque;
    fn cx_headers(
        encoder: *mut Opaque,
        sps: *mut *const u8,
        sps_len: *mut c_int,
        pps: *mut *const u8,
        pps_len: *mut c_int,
    ) -> c_int;
    fn cx_search(encoder: *mut Opaque, preset: c_int) -> c_int;
    fn cx_refer(encoder: *mut Opaque, references: c_int) -> c_int;
    fn cx_encode(
        encoder: *mut Opaque,
        planes: *const *const u8,
        strides: *const c_int,
        key: c_int,
        qp: c_int,
        mb_info: *mut u8,
        out: *mut *const u8,
    ) -> c_int;
    fn cx_message(encoder: *const Opaque, message: *mut c_char, room: usize);
    fn cx_close(encoder: *mut Opaque);
}

/// One plane of a picture: its first byte is the first pixel.
#[derive(Clone, Copy)]
pub(super) struct Plane<'a> {
    pub bytes: &'a [u8],
    pub stride: usize,
}

impl Plane<'_> {
    fn covers(self, width: usize, height: usize) -> bool {
        height == 0 || (self.stride >= width && self.bytes.len() >= self.stride * (height - 1) + width)
    }
}

/// One libx264 encoder.
pub(super) struct X264 {
    handle: NonNull<Opaque>,
    config: Config,
    /// Pictures that the next one looks at.
    references: c_int,
    /// What x264 is told of each macroblock. Kept here because x264 keeps the pointer.
    mb_info: Vec<u8>,
}

// SAFETY: a handle is used by one thread at a time (every call takes `&mut self`), and x264 keeps no state that is
// tied to the thread that opened it.
unsafe impl Send for X264 {}

impl X264 {
    /// The picture did not change here: x264 may skip the macroblock without looking.
    pub(super) const CONSTANT: u8 = 1;

    pub(super) fn open(config: Config) -> Result<Self, EncodeError> {
        let mut message = [0u8; 256];
        // SAFETY: `config` lives through the call and has the layout of `cx_settings`; the message buffer is
        // writable for the length given.
        let handle = unsafe { cx_open(&raw const config, message.as_mut_ptr().cast(), message.len()) };
        let handle = NonNull::new(handle).ok_or_else(|| EncodeError::Library(text(&message)))?;
        let macroblocks = config.width.div_ceil16() * config.height.div_ceil16();
        Ok(Self { handle, config, references: config.references, mb_info: vec![0; macroblocks] })
    }

    /// SPS and PPS as NAL units without prefix.
    pub(super) fn headers(&mut self) -> Result<(Vec<u8>, Vec<u8>), EncodeError> {
        let (mut sps, mut pps) = (std::ptr::null(), std::ptr::null());
        let (mut sps_len, mut pps_len) = (0, 0);
        // SAFETY: the handle is open, and all four results are writable.
        let rc =
            unsafe { cx_headers(self.handle.as_ptr(), &raw mut sps, &raw mut sps_len, &raw mut pps, &raw mut pps_len) };
        if rc < 0 {
            return Err(EncodeError::Library(self.message()));
        }
        // SAFETY: on success both point into x264's own buffer with these lengths, valid until the next call on
        // this handle, which `&mut self` excludes while they are copied.
        let (sps, pps) = unsafe {
            (std::slice::from_raw_parts(sps, sps_len as usize), std::slice::from_raw_parts(pps, pps_len as usize))
        };
        Ok((sps.to_vec(), pps.to_vec()))
    }

    /// Searches the pictures from here on as hard as a preset does.
    pub(super) fn search(&mut self, preset: c_int) -> Result<(), EncodeError> {
        if preset == self.config.preset {
            return Ok(());
        }
        // SAFETY: the handle is open.
        if unsafe { cx_search(self.handle.as_ptr(), preset) } < 0 {
            return Err(EncodeError::Library(self.message()));
        }
        self.config.preset = preset;
        Ok(())
    }

    /// Pictures that the ones from here on look at, no more than the encoder was opened with.
    pub(super) fn refer(&mut self, references: u32) -> Result<(), EncodeError> {
        let references = (references as c_int).clamp(1, self.config.references);
        if references == self.references {
            return Ok(());
        }
        // SAFETY: the handle is open.
        if unsafe { cx_refer(self.handle.as_ptr(), references) } < 0 {
            return Err(EncodeError::Library(self.message()));
        }
        self.references = references;
        Ok(())
    }

    /// The flags of each macroblock in raster order, to be filled before [`Self::encode`].
    pub(super) fn mb_info(&mut self) -> &mut [u8] {
        &mut self.mb_info
    }

    /// Encodes one picture as a key frame or a predicted frame. `qp` is its quantiser.
    pub(super) fn encode(&mut self, planes: [Plane<'_>; 3], key: bool, qp: u8) -> Result<&[u8], EncodeError> {
        let (width, height) = (self.config.width as usize, self.config.height as usize);
        let [y, u, v] = planes;
        let chroma = (width / 2, height / 2);
        assert!(
            y.covers(width, height) && u.covers(chroma.0, chroma.1) && v.covers(chroma.0, chroma.1),
            "planes are smaller than {width}x{height}"
        );
        let pointers = planes.map(|plane| plane.bytes.as_ptr());
        let strides = planes.map(|plane| plane.stride as c_int);
        let mut out = std::ptr::null();
        // SAFETY: the handle is open; the planes hold every row of the picture at these strides (checked above);
        // `mb_info` has one byte per macroblock and lives as long as the handle; x264 copies the picture before it
        // returns and writes to none of these.
        let size = unsafe {
            cx_encode(
                self.handle.as_ptr(),
                pointers.as_ptr(),
                strides.as_ptr(),
                c_int::from(key),
                c_int::from(qp),
                self.mb_info.as_mut_ptr(),
                &raw mut out,
            )
        };
        if size <= 0 || out.is_null() {
            return Err(EncodeError::Library(self.message()));
        }
        // SAFETY: x264 lays the NAL units of a picture out one after another; `out` is the first and `size` the sum.
        // They stay valid until the next call on this handle, which the borrow excludes.
        Ok(unsafe { std::slice::from_raw_parts(out, size as usize) })
    }

    fn message(&self) -> String {
        let mut message = [0u8; 256];
        // SAFETY: the handle is open and the buffer is writable for the length given.
        unsafe { cx_message(self.handle.as_ptr(), message.as_mut_ptr().cast(), message.len()) };
        text(&message)
    }
}

impl Drop for X264 {
    fn drop(&mut self) {
        // SAFETY: the handle is open and is not used again.
        unsafe { cx_close(self.handle.as_ptr()) }
    }
}

impl std::fmt::Debug for X264 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("X264").field(&self.config).finish()
    }
}

fn text(message: &[u8]) -> String {
    let end = message.iter().position(|&byte| byte == 0).unwrap_or(message.len());
    let text = String::from_utf8_lossy(&message[..end]).trim().to_owned();
    if text.is_empty() { "libx264 gave no reason".to_owned() } else { text }
}

trait InMacroblocks {
    fn div_ceil16(self) -> usize;
}

impl InMacroblocks for c_int {
    fn div_ceil16(self) -> usize {
        (self as usize).div_ceil(16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_covers_what_it_has_bytes_for() {
        let covers = |bytes: usize, stride, width, height| {
            let bytes = vec![0; bytes];
            Plane { bytes: &bytes, stride }.covers(width, height)
        };
        assert!(covers(0, 0, 0, 0) && covers(0, 16, 16, 0) && covers(0, 0, 16, 0), "no rows need no bytes");
        assert!(covers(40, 16, 8, 3) && !covers(39, 16, 8, 3), "the last row has no margin");
        assert!(!covers(1000, 8, 16, 2), "rows that run into each other");
    }
}
