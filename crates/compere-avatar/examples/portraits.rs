//! Paints the portraits of the cast, for `scripts/portraits.sh`: `portraits ASSETS FOLDER [PRESENTER…]`.

#![allow(clippy::disallowed_methods, reason = "a tool for developers")]
#![allow(clippy::unwrap_used, reason = "a tool for makers, not part of the product")]

use std::path::Path;

use compere_avatar::{Cast, NoCache, PORTRAIT, Style, paint_portrait};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (cast, folder) = (Cast::open(Path::new(&args[1])), Path::new(&args[2]));
    let wanted = |alias: &str| args.len() == 3 || args[3..].iter().any(|name| name == alias);
    let members = cast.list().iter().filter(|info| info.style != Style::Figure && wanted(&info.aliases[0]));
    for info in members {
        let member = cast.get(&info.id).unwrap();
        for outfit in &info.outfits {
            let picture = paint_portrait(member.as_ref(), &outfit.id, PORTRAIT, &NoCache).unwrap();
            let mut out = format!("P6\n{} {}\n255\n", picture.width(), picture.height()).into_bytes();
            picture.data().iter().for_each(|p| out.extend_from_slice(&p[..3]));
            std::fs::write(folder.join(format!("{}-{}.ppm", info.id, outfit.id)), out).unwrap();
        }
    }
}
