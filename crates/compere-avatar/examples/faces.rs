//! Puts presenters side by side, for the eye of whoever changes many:
//! `faces ASSETS WIDTH HEIGHT COLUMNS SHAPES FRAMING OUT.ppm PRESENTER/OUTFIT…`.
//!
//! SHAPES are names of the contact sheet with commas between them, each a picture of its own; FRAMING is `head` or `body`.
//! With `SKETCH=1` they are baked as for somebody who waits.

#![allow(clippy::disallowed_methods, reason = "a tool for developers")]
#![allow(clippy::unwrap_used, reason = "a tool for makers, not part of the product")]

use std::path::Path;

use compere_avatar::{Cast, Framing, NoCache, Want};
use compere_media::{Pixmap, Rgb};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |at: usize| args[at].parse::<u32>().unwrap();
    let (width, height, columns) = (number(2), number(3), number(4));
    let framing = if args[6] == "head" { Framing::Head } else { Framing::Body };
    let cast = Cast::open(Path::new(&args[1]));
    let back = std::env::var("BACK").ok().and_then(|hex| u32::from_str_radix(&hex, 16).ok()).unwrap_or(0x00d6_dde6);
    let [_, r, g, b] = back.to_be_bytes();
    let mut cells = Vec::new();
    for name in &args[8..] {
        let (presenter, outfit) = name.split_once('/').unwrap_or((name, ""));
        let want = Want { outfit: outfit.to_owned(), width, height, framing };
        let presenter = cast.get(presenter).unwrap();
        let pack = if std::env::var("SKETCH").is_ok() {
            presenter.sketch(&want, &NoCache).unwrap().pack
        } else {
            presenter.bake(&want, &NoCache).unwrap()
        };
        let stills = pack.sheet();
        for shape in args[5].split(',') {
            let still = &stills.iter().find(|still| still.0 == shape).unwrap().1;
            let mut cell = Pixmap::new(width, height);
            cell.fill(Rgb::opaque(r, g, b).premultiplied());
            cell.draw(still, pack.rect().x0, pack.rect().y0);
            cells.push(cell);
        }
    }
    let rows = (cells.len() as u32).div_ceil(columns);
    let mut picture = Pixmap::new(width * columns, height * rows);
    for (at, cell) in (0..).zip(&cells) {
        picture.draw(cell, (at % columns * width) as i32, (at / columns * height) as i32);
    }
    let mut out = format!("P6\n{} {}\n255\n", picture.width(), picture.height()).into_bytes();
    picture.data().iter().for_each(|p| out.extend_from_slice(&p[..3]));
    std::fs::write(&args[7], out).unwrap();
}
