//! What is finer than the points of a sleeve, on the sleeve laid flat: creases, the seam it is set in at, and threads.

use compere_media::kernel::Weave;

use super::WEAVE;
use super::bones::Bones;
use super::figure::{Figure, bones};
use crate::act::Idle;
use crate::rig::body::parts::{Piece, Stuff};
use crate::rig::cloth::creases::{self, Place};
use crate::rig::cloth::garment::armhole;
use crate::rig::ground::v3::{V3, exp, mix, noise, sin, ss};
use crate::rig::people::person::Cut;

/// How far from the bones cloth lies at the shoulder.
const RADIUS: f32 = 0.38;
/// Steps along the sleeve in which the seam is known, and the way from the first to the last.
const STEPS: usize = 24;
const SEAM: [f32; 2] = [-1.44, -0.55];

/// Rows of the weave from here on are of the bands that sleeves end in, so many to a unit.
const BAND: f32 = 462.0;
pub(super) const BANDED: f32 = 100.0;
/// Ribs around a knitted cuff.
const RIBS: f32 = 44.0;
/// Buttons of a sleeve, where around the arm they are, and how thick it is there.
const BUTTONS: usize = 3;
const BESIDE: f32 = -1.1;
const RADIUS_LOW: f32 = 0.24;
/// Where a sleeve ends along the arm.
const ENDS: f32 = 0.96;

/// Brightness with 128 as it is.
pub(super) fn weave(figure: &Figure<'_>) -> Vec<u8> {
    let cut = figure.shader.outfit.cut;
    let bent = !matches!(figure.person.stance.rest, Idle::Beside | Idle::Hip);
    let (seam, hem) = (seam(figure), hem(figure));
    let unit = figure.camera.unit * figure.person.stance.size;
    // Thin cloth is hardly gathered: its seam would be a worm. Wool is linked, not sewn.
    let set_in = match cut {
        Cut::Tee => 0.22,
        Cut::Knit => 0.40,
        _ => 1.0,
    };
    let texel = |at: usize| {
        let (column, row) = (at % WEAVE, at / WEAVE);
        let thread = thread(cut, column as f32, row as f32, unit);
        let crease = creases::shade(column, row, bent, cut == Cut::Tee);
        let sewn = 1.0 + set_in * (sewn(&seam, creases::place(column, row)) - 1.0);
        let hemmed = hem.as_ref().map_or(1.0, |hem| hemmed(hem, creases::place(column, row)));
        let ended = ended(cut, column, row);
        (128.0 * (1.0 + thread) * crease * sewn * hemmed * ended).round().clamp(0.0, 255.0) as u8
    };
    (0..WEAVE * WEAVE).map(texel).chain([128; Weave::BEHIND]).collect()
}

/// How threads lie, `unit` pixels being a unit: what is finer than a pixel or two would make waves with them.
fn thread(cut: Cut, u: f32, v: f32, unit: f32) -> f32 {
    let tau = std::f32::consts::TAU;
    if cut == Cut::Knit {
        // A whole number of columns around the arm.
        let stitch = u * 72.0 / WEAVE as f32;
        return 0.016 * sin(stitch * tau) + 0.008 * sin(v / 8.0 * tau + 2.0 * sin(stitch * tau * 0.5));
    }
    let [across, along] = creases::texels().map(|size| size * unit);
    // Cells of noise as large as two pixels and a half.
    let [f, g] = [across, along].map(|pixels| (pixels / 2.5).min(0.8));
    let strong = if matches!(cut, Cut::Blazer { .. }) { [0.040, 0.020] } else { [0.030, 0.008] };
    strong[0] * (noise([u * f, v * g, 0.5]) - 0.5) + strong[1] * (noise([u * f * 0.4, v * g * 0.4, 7.5]) - 0.5)
}

/// How far around the arm the seam is, step by step along it, where it is known.
fn seam(figure: &Figure<'_>) -> Vec<Option<f32>> {
    let mut found = vec![[0.0_f32; 2]; STEPS];
    let of = if figure.garment.is_jacket() { Piece::Jacket } else { Piece::Top };
    let Some(mesh) = figure.meshes.iter().find(|mesh| mesh.stuff == Stuff::Cloth(of)) else { return vec![None; STEPS] };
    let Bones { shoulder, elbow, wrist, .. } = bones(figure, 0);
    let off = |p: V3| armhole(p, figure.garment);
    for t in &mesh.triangles {
        for k in 0..3 {
            let [a, b] = [t[k], t[(k + 1) % 3]].map(|v| mesh.sewn[v as usize]);
            let (fa, fb) = (off(a), off(b));
            if a[0] < 0.3 || a[1] < 3.9 || (fa < 0.0) == (fb < 0.0) {
                continue;
            }
            let [around, along] = creases::laid([shoulder, elbow, wrist], mix(a, b, fa / (fa - fb)));
            let step = (along - SEAM[0]) / (SEAM[1] - SEAM[0]) * STEPS as f32;
            if around > 0.2 && (0.0..STEPS as f32).contains(&step) {
                let cell = &mut found[step as usize];
                *cell = [cell[0] + around, cell[1] + 1.0];
            }
        }
    }
    let known: Vec<_> = found.into_iter().map(|[sum, count]| (count > 0.0).then(|| sum / count)).collect();
    // Over the shoulder it goes on as it began.
    let first = known.iter().position(Option::is_some).unwrap_or(0);
    even((0..STEPS).map(|at| known[at.max(first)]).collect())
}

/// A sewn line runs without a wobble, however coarse the cloth that it was found on.
fn even(mut line: Vec<Option<f32>>) -> Vec<Option<f32>> {
    for _ in 0..30 {
        let old = line.clone();
        for (at, three) in old.windows(3).enumerate() {
            if let [Some(a), Some(b), Some(c)] = three {
                line[at + 1] = Some(0.5 * b + 0.25 * (a + c));
            }
        }
    }
    line
}

/// Where a short sleeve ends, step by step around it.
fn hem(figure: &Figure<'_>) -> Option<Vec<f32>> {
    const AROUND: usize = 36;
    let garment = figure.garment;
    let mesh = figure.meshes.iter().find(|mesh| garment.is_bare() && mesh.stuff == Stuff::Cloth(Piece::Top))?;
    let Bones { shoulder, elbow, wrist, .. } = bones(figure, 0);
    let mut found = vec![[0.0_f32; 2]; AROUND];
    for t in &mesh.triangles {
        for k in 0..3 {
            let [a, b] = [t[k], t[(k + 1) % 3]].map(|v| v as usize);
            let [p, q] = [a, b].map(|v| mesh.sewn[v]);
            let [fa, fb] = [a, b].map(|v| garment.bare(mesh.sewn[v], mesh.arm(v)));
            if p[0] < 0.3 || mesh.arm(a).min(mesh.arm(b)) < 0.5 || (fa < 0.0) == (fb < 0.0) {
                continue;
            }
            let [around, along] = creases::laid([shoulder, elbow, wrist], mix(p, q, fa / (fa - fb)));
            let turn = (around / std::f32::consts::TAU + 1.0) * AROUND as f32;
            let cell = &mut found[turn as usize % AROUND];
            *cell = [cell[0] + along, cell[1] + 1.0];
        }
    }
    let all = found.iter().fold([0.0, 1e-6], |all, cell| [all[0] + cell[0], all[1] + cell[1]]);
    let mean = |cell: &[f32; 2]| if cell[1] > 0.0 { cell[0] / cell[1] } else { all[0] / all[1] };
    (all[1] > 1.0).then(|| found.iter().map(mean).collect())
}

/// What is turned in and stitched is twice as thick.
fn hemmed(hem: &[f32], [around, along]: Place) -> f32 {
    let turn = (around / std::f32::consts::TAU + 1.0) * hem.len() as f32 - 0.5;
    let (at, part) = (turn as usize, turn - (turn as usize) as f32);
    let [a, b] = [at, at + 1].map(|at| hem[at % hem.len()]);
    // From the end upwards.
    let d = (a + (b - a) * part - along) * creases::LONG[0];
    // No finer than a texel, or it would be dashes with pale ones under them.
    let stitches = 0.10 * ss(0.024, 0.004, (d - 0.105).abs());
    1.0 - stitches - 0.04 * ss(0.105, 0.112, d) * ss(0.16, 0.12, d) + 0.02 * ss(0.09, 0.06, d) * ss(0.015, 0.03, d)
        - 0.10 * ss(0.018, 0.0, d)
}

/// What a long sleeve ends in: buttons on a jacket's, and the band around it, stitched or ribbed.
fn ended(cut: Cut, column: usize, row: usize) -> f32 {
    if row as f32 >= BAND {
        let before = (row as f32 - creases::PLAIN) / BANDED;
        return match cut {
            Cut::Blazer { .. } | Cut::Shirt => 1.0 - 0.22 * ss(0.018, 0.006, (before - 0.105).abs()),
            Cut::Knit => 1.0 + 0.10 * sin(column as f32 * RIBS / WEAVE as f32 * std::f32::consts::TAU),
            Cut::Tee => 1.0,
        };
    }
    let Cut::Blazer { .. } = cut else { return 1.0 };
    let [around, along] = creases::place(column, row);
    let buttons = (0..BUTTONS).map(|at| {
        let across = (around - BESIDE) * RADIUS_LOW;
        let up = (ENDS - along) * creases::LONG[1] - 0.06 - 0.085 * at as f32;
        let far = (across * across + up * up).sqrt();
        // A shade below it, and a light rim above.
        let (x, y) = (across, up + 0.014);
        let shade = 0.30 * ss(0.050, 0.026, (x * x + y * y).sqrt());
        let disc = ss(0.034, 0.027, far);
        (1.0 - shade * (1.0 - disc)) * (1.0 - disc * (0.42 - 0.55 * ss(0.010, 0.030, up) * ss(0.018, 0.028, far)))
    });
    buttons.product()
}

/// The sewn line: what is set in is gathered, and stands up beside it.
fn sewn(seam: &[Option<f32>], [around, along]: Place) -> f32 {
    let step = (along - SEAM[0]) / (SEAM[1] - SEAM[0]) * STEPS as f32 - 0.5;
    if step < 0.0 || step >= (STEPS - 1) as f32 {
        return 1.0;
    }
    let (at, part) = (step as usize, step - (step as usize) as f32);
    let (Some(a), Some(b)) = (seam[at], seam[at + 1]) else { return 1.0 };
    // Towards the sleeve.
    let d = (a + (b - a) * part - around) * RADIUS;
    let here = ss(SEAM[1], SEAM[1] - 0.22, along);
    let line = 0.20 * ss(0.020, 0.006, d.abs());
    let off = (d - 0.055) / 0.035;
    let gathered = 0.10 * ss(0.0, 0.02, d) * exp(-(d / 0.10) * (d / 0.10));
    1.0 - here * (line + gathered - 0.05 * exp(-off * off))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jackets_have_buttons_before_their_sleeves_end() {
        let darkest = |cut: Cut, rows: std::ops::Range<usize>| {
            let all = rows.flat_map(|row| (0..WEAVE).map(move |column| ended(cut, column, row)));
            all.fold(f32::MAX, f32::min)
        };
        let jacket = Cut::Blazer { tie: false, shirt: false };
        assert!(darkest(jacket, 380..440) < 0.7 && darkest(jacket, 0..370) > 0.999);
        assert!(darkest(Cut::Knit, 380..440) > 0.999 && darkest(Cut::Knit, 470..495) < 0.95, "ribs, and no buttons");
        assert!(darkest(Cut::Tee, 0..WEAVE) > 0.999, "bare arms");
    }
}
