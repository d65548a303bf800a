#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::path::PathBuf;

use compere_codec::SandboxWish;
use compere_codec::image::pixmap_to_png;

use super::*;

/// For whoever wants to look: portraits in a folder become sheets beside them.
#[test]
#[ignore = "for looking: COMPERE_PHOTOS names a folder of portraits"]
fn look() {
    let folder = PathBuf::from(std::env::var_os("COMPERE_PHOTOS").expect("a folder"));
    let assets = PathBuf::from(std::env::var_os("COMPERE_ASSETS").expect("assets"));
    let networks = networks(&assets.join("faces")).expect("networks");
    let side: u32 = std::env::var("COMPERE_SIDE").ok().and_then(|side| side.parse().ok()).unwrap_or(480);
    for entry in std::fs::read_dir(&folder).expect("reads") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        if name.starts_with("sheet") || path.extension().is_none_or(|end| end != "png") {
            continue;
        }
        let exe = PathBuf::from(std::env::var_os("COMPERE_EXE").expect("the program"));
        let sandbox = Sandbox::wished(SandboxWish::default(), exe);
        let frame = read(&path, &sandbox).expect("a picture");
        let mut tracker = Tracker::new(&networks);
        let mut mesh = None;
        for _ in 0..LOOKS {
            mesh = tracker.next(&frame).expect("runs");
        }
        let Some(mesh) = mesh else {
            println!("{name}: no face");
            continue;
        };
        let at = |n: usize| mesh[n].map(f64::from);
        println!(
            "{name}: pitch {:.3} yaw {:.3} open {:.3}",
            (at(152)[2] - at(10)[2]) / (at(152)[1] - at(10)[1]),
            (at(234)[2] - at(454)[2]) / (at(454)[0] - at(234)[0]),
            (at(14)[1] - at(13)[1]) / eyes(&mesh)
        );
        for finding in gates::of_photo(&frame, &mesh) {
            println!("{name}: {:?} {finding}", finding.level);
        }
        let (width, height) = (frame.width(), frame.height());
        let picture = planes_to_jpeg(&grey(&frame, frame.bounds()), width as usize, height as usize * 3 / 2, QUALITY)
            .expect("a jpeg");
        let photo = Photo { width, height, mesh };
        let scale = f64::from(side) / eyes(&photo.mesh);
        let even = |length: f64| (length / 2.0) as u32 * 2;
        let whole = (even(f64::from(width) * scale), even(f64::from(height) * scale));
        let face = face(&photo.mesh);
        let (x, y) = ((face.x * scale / 2.0) as i32 * 2, (face.y * scale / 2.0) as i32 * 2);
        let reach = side as i32 / 2 * 2;
        let part = Rect::new(x - reach, y - reach * 3 / 2, x + reach, y + reach * 3 / 2).aligned(2);
        let part = part.intersect(Rect::of_size(whole.0, whole.1));
        let rect = Rect::of_size(part.width(), part.height());
        let pack = PhotoPack::new("own-test", &photo, &picture, whole, part, rect).expect("a pack");
        let size = (rect.width(), rect.height());
        let started = std::time::Instant::now();
        let wanted: Vec<usize> = std::env::var("COMPERE_CELLS").unwrap_or_default().split(',').filter_map(|n| n.parse().ok()).collect();
        let sheet = pack.sheet();
        println!("{name}: {:.1} ms a picture", started.elapsed().as_secs_f64() * 1000.0 / sheet.len() as f64);
        let columns = 6;
        let sheet: Vec<_> = sheet.into_iter().enumerate().filter(|(n, _)| wanted.is_empty() || wanted.contains(n)).map(|(_, one)| one).collect();
        let rows = (sheet.len() as u32).div_ceil(columns);
        let mut all = Pixmap::new(size.0 * columns, size.1 * rows);
        for (n, (_, picture)) in sheet.iter().enumerate() {
            all.draw(picture, (n as u32 % columns * size.0) as i32, (n as u32 / columns * size.1) as i32);
        }
        std::fs::write(folder.join(format!("sheet-{name}.png")), pixmap_to_png(&all).expect("png")).expect("writes");
    }
}
