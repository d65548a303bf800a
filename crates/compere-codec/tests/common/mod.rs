//! What the tests of this crate share: the true sandbox, and media made by FFmpeg on the spot.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

use compere_codec::Sandbox;

/// The helper program, which cargo builds beside the tests.
pub fn helper() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let path = path.join("examples/codec-helper");
    assert!(path.exists(), "{} is missing; `cargo build --examples` makes it", path.display());
    path
}

pub fn sandbox() -> Sandbox {
    Sandbox::detect(helper())
}

/// Makes a file with FFmpeg.
pub fn ffmpeg(args: &str, to: &Path) {
    let status = Command::new("ffmpeg")
        .args("-hide_banner -v error -nostdin -y".split_whitespace())
        .args(args.split_whitespace())
        .arg(to)
        .status()
        .unwrap();
    assert!(status.success(), "ffmpeg {args}");
}
