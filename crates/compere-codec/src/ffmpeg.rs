//! What every call of FFmpeg has in common.

use std::process::Command;

use crate::file::head_of;
use crate::sandbox::{Errand, Limits};
use crate::sniff;
use crate::{MediaError, MediaErrorKind};

/// Demuxers that read one file and follow nothing in it. Playlists, manifests, picture sequences, scripts and devices are
/// absent on purpose.
const FORMATS: &str = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,asf,flv,mpegts,mpeg,mpegvideo,ogg,wav,w64,mp3,aac,flac,\
    aiff,au,amr,caf,ac3,eac3,gif,apng,ivf,mxf,dv,h264,hevc,m4v,obu,rm,wv,tta,dts";

/// The version of `ffmpeg`, or of another program that answers to `-version`; none when it is missing.
pub fn version(program: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "asks a program for its version, with nothing to read")]
    let output = Command::new(program).arg("-version").output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace().skip_while(|word| *word != "version").nth(1).map(str::to_owned)
}

/// `ffmpeg`, quiet, deterministic, on two threads. The input is still to be named.
pub(crate) fn ffmpeg(limits: Limits) -> Errand {
    Errand::new("ffmpeg", limits).words("-hide_banner -nostdin -v error -threads 2 -filter_threads 1 -fflags +bitexact")
}

pub(crate) fn ffprobe(limits: Limits) -> Errand {
    Errand::new("ffprobe", limits).words("-hide_banner -v error")
}

/// A file that someone sent, as the next input.
pub(crate) fn foreign_input(errand: Errand, path: &std::path::Path) -> Errand {
    errand.words("-protocol_whitelist file -format_whitelist").arg(FORMATS).arg("-i").prefixed_input("file:", path)
}

/// Refuses what is plainly neither video nor sound, with better words than FFmpeg has.
pub(crate) fn check_head(path: &std::path::Path) -> Result<(), MediaError> {
    const WOULD_BE_RIGHT: &str = "MP4, MOV, WebM, MP3, WAV or OGG would be right";
    let head = head_of(path)?;
    if head.is_empty() {
        return Err(MediaError::wrong_type(format!("is empty; {WOULD_BE_RIGHT}")));
    }
    let found = sniff::other(&head);
    let foreign = ["text", "playlist", "web page", "PDF", "ZIP"].iter().any(|word| found.contains(word));
    let picture = head.starts_with(b"\x89PNG") || head.starts_with(b"\xff\xd8\xff");
    if foreign || picture {
        let found = if picture { "a picture" } else { found };
        return Err(MediaError::wrong_type(format!("is {found}, neither video nor sound; {WOULD_BE_RIGHT}")));
    }
    Ok(())
}

/// FFmpeg's words for the commonest failures, in ours.
pub(crate) fn told(error: MediaError) -> MediaError {
    if error.kind != MediaErrorKind::Damaged {
        return error;
    }
    if error.what.contains("whitelist") || error.what.contains("Invalid data found") {
        return MediaError::wrong_type(
            "is damaged or of a type that is not read; MP4, MOV, WebM, MP3, WAV or OGG would be right",
        );
    }
    MediaError::damaged(format!("is damaged: {}", error.what))
}
