//! Pictures of the cast that are there at once: made by `scripts/portraits.sh` and kept with the program, since nobody who
//! chooses a presenter wants to wait for twenty to be baked.

use compere_media::{Pixmap, Rect, Rgb};

use crate::{AvatarError, Framing, PackCache, Presenter, Want};

/// Four wide, five high.
pub const PORTRAIT: [u32; 2] = [256, 320];

/// What lies behind.
const WALL: Rgb = Rgb::opaque(214, 224, 232);

macro_rules! portraits {
    ($($presenter:literal: $($outfit:literal)+;)+) => {
        &[$($(($presenter, $outfit, include_bytes!(concat!("../portraits/", $presenter, "-", $outfit, ".webp"))),)+)+]
    };
}

type Kept = (&'static str, &'static str, &'static [u8]);

/// By the ids of presenter and outfit.
const KEPT: &[Kept] = portraits! {
    "M000000101": "BG00001011" "BG00001012" "BG00001013" "BG00001014";
    "M000000102": "BG00001021" "BG00001022" "BG00001023" "BG00001024";
    "M000000103": "BG00001031" "BG00001032" "BG00001033" "BG00001034";
    "M000000104": "BG00001041" "BG00001042" "BG00001043" "BG00001044";
    "M000000105": "BG00001051" "BG00001052" "BG00001053" "BG00001054";
    "M000000106": "BG00001061" "BG00001062" "BG00001063" "BG00001064";
    "M000000107": "BG00001071" "BG00001072" "BG00001073" "BG00001074";
    "M000000108": "BG00001081" "BG00001082" "BG00001083" "BG00001084";
    "M000000109": "BG00001091" "BG00001092" "BG00001093" "BG00001094";
    "M000000110": "BG00001101" "BG00001102" "BG00001103" "BG00001104";
    "M000000111": "BG00001111" "BG00001112" "BG00001113" "BG00001114";
    "M000000112": "BG00001121" "BG00001122" "BG00001123" "BG00001124";
    "M000000113": "BG00001131" "BG00001132" "BG00001133" "BG00001134";
    "M000000114": "BG00001141" "BG00001142" "BG00001143" "BG00001144";
    "M000000201": "BG00002011" "BG00002012" "BG00002013" "BG00002014";
    "M000000202": "BG00002021" "BG00002022" "BG00002023" "BG00002024";
    "M000000203": "BG00002031" "BG00002032" "BG00002033" "BG00002034";
    "M000000204": "BG00002041" "BG00002042" "BG00002043" "BG00002044";
    "M000000205": "BG00002051" "BG00002052" "BG00002053" "BG00002054";
    "M000000206": "BG00002061" "BG00002062" "BG00002063" "BG00002064";
};

/// The picture of a presenter of the built-in cast in an outfit, both by id, as WebP of the size [`PORTRAIT`].
pub fn portrait(presenter: &str, outfit: &str) -> Option<&'static [u8]> {
    KEPT.iter().find(|kept| (kept.0, kept.1) == (presenter, outfit)).map(|kept| kept.2)
}

/// The same painted anew, of any size: head and shoulders, smiling, before a plain wall.
pub fn paint_portrait(
    presenter: &dyn Presenter,
    outfit: &str,
    size: [u32; 2],
    cache: &dyn PackCache,
) -> Result<Pixmap, AvatarError> {
    framed(size, |want| {
        let pack = presenter.bake(&Want { outfit: outfit.to_owned(), ..want }, cache)?;
        let smiling = pack.still("smile");
        Ok((pack.rect(), smiling.unwrap_or_else(|| Pixmap::new(1, 1))))
    })
}

/// Somebody on the wall, drawn as wanted: who says where, too.
pub(crate) fn framed(
    [width, height]: [u32; 2],
    draw: impl FnOnce(Want) -> Result<(Rect, Pixmap), AvatarError>,
) -> Result<Pixmap, AvatarError> {
    // Closer than heads are framed otherwise: shoulders and the air over the hair may be cut.
    let [wide, high] = [width, height].map(|side| side * 23 / 20);
    let want = Want { outfit: String::new(), width: wide, height: high, framing: Framing::Head };
    let (rect, smiling) = draw(want)?;
    let rect = rect.shifted((width as i32 - wide as i32) / 2, height as i32 - high as i32);
    let mut picture = Pixmap::new(width, height);
    picture.fill(WALL.premultiplied());
    // High hair goes down into the picture.
    let air = (0..smiling.height()).take_while(|&y| smiling.row(y).iter().all(|pixel| pixel[3] == 0)).count();
    picture.draw(&smiling, rect.x0, rect.y0.max(height as i32 / 20 - air as i32));
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cast, NoCache, Style};

    /// A picture at half its size: what compression changes evens out.
    fn halved(pixel: impl Fn(u32, u32) -> [u8; 3]) -> Vec<[f32; 3]> {
        let mean = |x: u32, y: u32| {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| pixel(2 * x + dx, 2 * y + dy));
            [0, 1, 2].map(|k| four.iter().map(|pixel| f32::from(pixel[k])).sum::<f32>() / 4.0)
        };
        (0..PORTRAIT[1] / 2).flat_map(|y| (0..PORTRAIT[0] / 2).map(move |x| (x, y))).map(|(x, y)| mean(x, y)).collect()
    }

    fn kept(presenter: &str, outfit: &str) -> Vec<[f32; 3]> {
        let bytes = portrait(presenter, outfit).expect("scripts/portraits.sh makes those that are missing");
        let picture = image::load_from_memory(bytes).expect("a WebP").into_rgb8();
        assert_eq!([picture.width(), picture.height()], PORTRAIT, "{presenter} {outfit}");
        halved(|x, y| picture.get_pixel(x, y).0)
    }

    /// How far a kept picture is from one painted now, in levels: the mean over all pixels. It is painted at its own size:
    /// strands and lashes look otherwise at another.
    fn apart(cast: &Cast, presenter: &str, outfit: &str) -> f32 {
        let member = cast.get(presenter).expect("a member of the cast");
        let now = paint_portrait(member.as_ref(), outfit, PORTRAIT, &NoCache).expect("bakes");
        let now = halved(|x, y| [0, 1, 2].map(|k| now.pixel(x, y)[k]));
        let kept = kept(&member.info().id, &member.info().outfits[member.info().outfit(outfit).expect("worn")].id);
        let off = |(now, kept): (&[f32; 3], &[f32; 3])| (0..3).map(|k| (now[k] - kept[k]).abs()).sum::<f32>();
        now.iter().zip(&kept).map(off).sum::<f32>() / (3 * kept.len()) as f32
    }

    #[test]
    fn everyone_has_a_small_portrait_in_every_outfit() {
        let cast = Cast::open(std::path::Path::new("no data"));
        let all: Vec<_> = cast.list().iter().filter(|info| info.style != Style::Figure).collect();
        for info in &all {
            for outfit in &info.outfits {
                let bytes = portrait(&info.id, &outfit.id);
                let bytes = bytes.unwrap_or_else(|| panic!("{} has none in {}", info.name, outfit.name));
                assert!((1000..=15_000).contains(&bytes.len()), "{} in {}: {}", info.name, outfit.name, bytes.len());
                assert_eq!((&bytes[..4], &bytes[8..12]), (&b"RIFF"[..], &b"WEBP"[..]));
            }
        }
        assert_eq!(KEPT.len(), all.iter().map(|info| info.outfits.len()).sum::<usize>(), "nobody else has");
    }

    #[test]
    fn drawn_portraits_show_who_is_drawn() {
        let cast = Cast::open(std::path::Path::new("no data"));
        for info in cast.list().iter().filter(|info| info.style == Style::Illustrated) {
            for outfit in &info.outfits {
                let apart = apart(&cast, &info.id, &outfit.id);
                assert!(apart < 4.0, "{} in {} differs by {apart:.1}: scripts/portraits.sh", info.name, outfit.name);
            }
        }
        // The measure tells people and outfits apart.
        assert!(
            apart(&cast, "lena", "blazer") + 8.0 < {
                let other = kept("M000000202", "BG00002021");
                let lena = kept("M000000201", "BG00002011");
                let sum = lena.iter().zip(&other).map(|(a, b)| (0..3).map(|k| (a[k] - b[k]).abs()).sum::<f32>());
                sum.sum::<f32>() / (3 * lena.len()) as f32
            }
        );
    }

    #[test]
    fn lit_portraits_show_who_is_baked() {
        let cast = Cast::open(&crate::tests::assets());
        for (presenter, outfit) in [("nora", "blazer"), ("kenji", "shirt")] {
            let apart = apart(&cast, presenter, outfit);
            assert!(apart < 4.0, "{presenter} in {outfit} differs by {apart:.1}: scripts/portraits.sh");
        }
    }
}
