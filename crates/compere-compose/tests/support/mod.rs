//! Pictures that are compared with pictures that somebody has looked at.
//!
//! `COMPERE_BLESS=1 cargo test --release -p compere-compose` writes what is drawn now into `tests/pictures`; look at it
//! before it is committed. A mismatch leaves expected, difference and actual side by side in `target/pictures`.

use compere_compose::draw::Fonts;
use compere_media::Pixmap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// How far a channel may be from the expected value. Curves go through the platform's sine and cosine, whose last bit
/// differs between C libraries; nothing else may.
pub const TOLERANCE: u8 = 2;

/// How much brighter the difference is shown than it is.
const AMPLIFIED: u32 = 8;

static FONTS: LazyLock<Fonts> = LazyLock::new(|| {
    let fonts = Fonts::open(&Fonts::SYSTEM_DIRS.map(PathBuf::from)).unwrap_or_else(|error| panic!("{error}"));
    let lacking = fonts.lacking();
    assert!(lacking.is_empty(), "these pictures need Debian's fonts; not installed (family, package): {lacking:?}");
    fonts
});

/// The fonts that the expected pictures were drawn with.
pub fn fonts() -> &'static Fonts {
    &FONTS
}

/// One test for each picture, named as its file, and one that no file is left over.
///
/// ```ignore
/// pictures! {
///     layer_order => draw_two_layers(),
/// }
/// ```
#[macro_export]
macro_rules! pictures {
    ($($name:ident => $picture:expr),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                $crate::support::check(stringify!($name), &$picture);
            }
        )*

        #[test]
        fn no_picture_is_left_over() {
            $crate::support::no_picture_is_left_over(&[$(stringify!($name)),*]);
        }
    };
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures")
}

fn file_name(name: &str) -> String {
    format!("{}.png", name.replace('_', "-"))
}

/// Compares an opaque picture with the expected one of that name.
pub fn check(name: &str, actual: &Pixmap) {
    assert!(actual.is_opaque(), "{name}: draw on a background, expected pictures have no alpha");
    assert!(actual.width() <= 320, "{name} is {} wide; 320 is enough for one idea", actual.width());
    let path = folder().join(file_name(name));
    if std::env::var_os("COMPERE_BLESS").is_some() {
        write(&path, actual);
        return;
    }
    let expected = read(&path);
    let worst = worst(&expected, actual);
    if worst.is_none_or(|worst| worst > TOLERANCE) {
        let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("pictures").join(file_name(name));
        std::fs::create_dir_all(beside.parent().expect("a file has a folder")).expect("target is writable");
        write(&beside, &side_by_side(&expected, actual));
        let by = worst.map_or("in size".to_owned(), |worst| format!("by up to {worst}, allowed are {TOLERANCE}"));
        panic!("{name} differs {by}; look at {}", beside.display());
    }
}

/// Fails when the folder holds a picture of one of these topics that is not drawn any more.
pub fn no_picture_is_left_over(names: &[&str]) {
    let topic = |name: &str| name.split(['-', '_', '.']).next().unwrap_or_default().to_owned();
    let topics: BTreeSet<String> = names.iter().map(|name| topic(name)).collect();
    let drawn: BTreeSet<String> = names.iter().map(|name| file_name(name)).collect();
    let files = std::fs::read_dir(folder()).expect("the folder of pictures");
    let files = files.map(|file| file.expect("a readable folder").file_name().to_string_lossy().into_owned());
    let left: Vec<String> = files.filter(|file| topics.contains(&topic(file)) && !drawn.contains(file)).collect();
    assert!(left.is_empty(), "nothing draws {left:?} any more");
}

/// The largest difference of any channel; `None` when the sizes differ.
fn worst(a: &Pixmap, b: &Pixmap) -> Option<u8> {
    let channels = a.data().as_flattened().iter().zip(b.data().as_flattened());
    (a.bounds() == b.bounds()).then(|| channels.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0))
}

fn side_by_side(expected: &Pixmap, actual: &Pixmap) -> Pixmap {
    let (width, height) = (expected.width().max(actual.width()), expected.height().max(actual.height()));
    let mut out = Pixmap::new(width * 3 + 8, height);
    out.fill([128, 128, 128, 255]);
    let mut difference = Pixmap::new(width, height);
    for y in 0..height {
        for x in 0..width {
            let of = |picture: &Pixmap| {
                let is_inside = x < picture.width() && y < picture.height();
                if is_inside { picture.pixel(x, y) } else { [0; 4] }
            };
            let (a, b) = (of(expected), of(actual));
            let gap = |at: usize| (u32::from(a[at].abs_diff(b[at])) * AMPLIFIED).min(255) as u8;
            difference.row_mut(y)[x as usize] = [gap(0), gap(1), gap(2), 255];
        }
    }
    out.draw(expected, 0, 0);
    out.draw(&difference, width as i32 + 4, 0);
    out.draw(actual, width as i32 * 2 + 8, 0);
    out
}

fn read(path: &Path) -> Pixmap {
    let file = std::fs::File::open(path)
        .unwrap_or_else(|error| panic!("{}: {error}; bless it with COMPERE_BLESS=1", path.display()));
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a small picture")];
    let info = reader.next_frame(&mut bytes).expect("a whole PNG");
    let pixels = bytes.as_chunks::<3>().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
    Pixmap::from_premultiplied(info.width, info.height, pixels)
}

fn write(path: &Path, picture: &Pixmap) {
    // Flat drawings pack better without a filter, photographs with one.
    let packed = [png::Filter::NoFilter, png::Filter::Adaptive].map(|filter| packed(picture, filter));
    let smallest = packed.iter().min_by_key(|bytes| bytes.len()).expect("two ways to pack");
    std::fs::write(path, smallest).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

fn packed(picture: &Pixmap, filter: png::Filter) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(filter);
    let bytes: Vec<u8> = picture.data().iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&bytes)).expect("memory takes it");
    file
}
