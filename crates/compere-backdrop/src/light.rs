//! Amounts of light: linear RGB, 1 is paper white, lamps are far above it.

use super::math::{mix, pow};

pub(super) type Light = [f32; 3];

/// A colour as a designer writes it: `0xRRGGBB`.
pub(super) fn hex(rgb: u32) -> Light {
    [16, 8, 0].map(|shift| {
        let value = ((rgb >> shift) & 255) as f32 / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { pow((value + 0.055) / 1.055, 2.4) }
    })
}

pub(super) fn times(light: Light, k: f32) -> Light {
    light.map(|c| c * k)
}

/// Seen through a coloured glass, or lit by a coloured lamp.
pub(super) fn tinted(light: Light, by: Light) -> Light {
    [light[0] * by[0], light[1] * by[1], light[2] * by[2]]
}

pub(super) fn plus(a: Light, b: Light) -> Light {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn between(a: Light, b: Light, t: f32) -> Light {
    [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)]
}

/// Oklab: mixing in it keeps a gradient from turning grey half way.
pub(super) fn to_oklab(c: Light) -> [f32; 3] {
    let [r, g, b] = c;
    let l = pow(0.412_221_47 * r + 0.536_332_55 * g + 0.051_445_993 * b, 1.0 / 3.0);
    let m = pow(0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b, 1.0 / 3.0);
    let s = pow(0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b, 1.0 / 3.0);
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

pub(super) fn from_oklab([lightness, a, b]: [f32; 3]) -> Light {
    let cube = |v: f32| v * v * v;
    let l = cube(lightness + 0.396_337_78 * a + 0.215_803_76 * b);
    let m = cube(lightness - 0.105_561_346 * a - 0.063_854_17 * b);
    let s = cube(lightness - 0.089_484_18 * a - 1.291_485_5 * b);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(|v| v.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oklab_goes_there_and_back() {
        for color in [0x000000, 0xffffff, 0x1d4ed8, 0xb9a793, 0x00ff40] {
            let light = hex(color);
            let back = from_oklab(to_oklab(light));
            assert!(light.iter().zip(back).all(|(a, b)| (a - b).abs() < 1e-3), "{color:06x}: {light:?} {back:?}");
        }
    }
}
