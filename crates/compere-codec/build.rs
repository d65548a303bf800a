//! Builds the C shim around libx264 and links the library.

#![allow(clippy::disallowed_methods, reason = "builds are not films")]

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=src/h264/x264_shim.c");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let mut build = cc::Build::new();
    build.file("src/h264/x264_shim.c").std("c11").opt_level(2).warnings(true);
    let (includes, folders) = found_by_pkg_config();
    build.includes(&includes);
    let default_places = ["/usr/include/x264.h", "/usr/local/include/x264.h"];
    let header = includes.iter().any(|folder| Path::new(folder).join("x264.h").exists())
        || default_places.iter().any(|place| Path::new(place).exists());
    assert!(
        header || env::var_os("CFLAGS").is_some(),
        "x264.h was not found: install libx264 with its headers (Debian and Ubuntu: apt-get install libx264-dev)"
    );
    build.compile("compere_x264");
    for folder in folders {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=x264");
}

/// Include and library folders that pkg-config adds to the compiler's own. None when it is not installed.
fn found_by_pkg_config() -> (Vec<String>, Vec<String>) {
    let asked = Command::new("pkg-config").args(["--cflags-only-I", "--libs-only-L", "x264"]).output();
    let Ok(output) = asked else { return (Vec::new(), Vec::new()) };
    let text = String::from_utf8_lossy(&output.stdout);
    let with =
        |flag: &str| text.split_whitespace().filter_map(|word| word.strip_prefix(flag).map(str::to_owned)).collect();
    (with("-I"), with("-L"))
}
