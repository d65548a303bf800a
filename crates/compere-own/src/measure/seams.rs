//! What a presenter's films show around the mouth that was put on them: nothing beyond its mask, and little where that ends on
//! the jaw.

use compere_avatar::{Framing, NoCache, Role, Want};
use compere_codec::Sandbox;
use compere_media::{Frame, Marks};

use crate::bank::patch::{CORNER, SIDE};
use crate::error::OwnError;
use crate::presenter::pack;
use crate::store::Store;
use crate::synth::{Mask, Seam};
use crate::track::pose::{Canon, Similarity};

/// The soft edge of the mask.
const RIM: std::ops::Range<f32> = 0.05..0.6;
/// Canonical pixels below the corners of the mouth at which the jaw begins, and above the chin at which it ends: there is throat.
const JAW: [f64; 2] = [16.0, 10.0];

/// Of all pictures of a performance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seams {
    pub pictures: usize,
    /// Grey levels between made picture and base in the jaw band, in the mean of all pictures, and of the worst of a hundred.
    pub jaw: f64,
    pub worst: f64,
    /// Pixels beyond the mask that differ from the base's.
    pub outside: usize,
}

/// Of a presenter of footage who says what `marks` tell, `frames` pictures long, as `side` pixels show it.
pub fn seams(
    store: &Store,
    id: &str,
    sandbox: &Sandbox,
    (marks, frames): (&Marks, u64),
    side: u32,
) -> Result<Seams, OwnError> {
    let want = Want { outfit: String::new(), width: side, height: side, framing: Framing::Body };
    let (pack, canon) = pack(store, sandbox, id, &want, &NoCache)?;
    let role = Role { marks: marks.clone(), frames, seed: 7, ..Role::default() };
    let (mut jaws, mut outside, mut band) = (Vec::new(), 0, None);
    pack.seams(&role, &mut |seam| {
        let band = band.get_or_insert_with(|| jaw_band(seam.mask, &canon));
        let told = differences(seam, band);
        jaws.push(told.jaw as f32);
        outside += told.outside;
    })?;
    let jaw = jaws.iter().map(|&one| f64::from(one)).sum::<f64>() / jaws.len().max(1) as f64;
    let worst = f64::from(crate::maths::percentile(&jaws, 0.99));
    Ok(Seams { pictures: jaws.len(), jaw, worst, outside })
}

/// Which pixels of a patch are where the mask ends on the jaw.
fn jaw_band(mask: &Mask, canon: &Canon) -> Vec<bool> {
    let rows = canon[61][1].max(canon[291][1]) + JAW[0]..canon[152][1] - JAW[1];
    let is_jaw = |n: usize| rows.contains(&((CORNER[1] + n / SIDE) as f64)) && RIM.contains(&mask.inside[n]);
    (0..SIDE * SIDE).map(is_jaw).collect()
}

struct Told {
    jaw: f64,
    outside: usize,
}

fn differences(seam: &Seam<'_>, band: &[bool]) -> Told {
    let (mut sum, mut count, mut outside) = (0.0, 0.0, 0);
    for (which, step) in [(Frame::y as fn(&Frame) -> &[u8], 1), (Frame::u, 2), (Frame::v, 2)] {
        let width = seam.before.width() as usize / step;
        for (n, (before, after)) in which(seam.before).iter().zip(which(seam.after)).enumerate() {
            let place = Place::of(seam.pose, n % width, n / width, step);
            if before != after && !place.is_within(&seam.mask.reach) {
                outside += 1;
            }
            if step == 1 && place.nearest().is_some_and(|at| band[at]) {
                sum += f64::from(before.abs_diff(*after));
                count += 1.0;
            }
        }
    }
    Told { jaw: sum / f64::max(count, 1.0), outside }
}

/// A pixel of a plane, in pixels of a patch.
struct Place([f64; 2], f64);

impl Place {
    fn of(pose: &Similarity, x: usize, y: usize, step: usize) -> Self {
        let middle = (step as f64 - 1.0) / 2.0;
        let [x, y] = pose.apply([(x * step) as f64 + middle, (y * step) as f64 + middle]);
        Self([x - CORNER[0] as f64, y - CORNER[1] as f64], pose.scale() * step as f64)
    }

    fn nearest(&self) -> Option<usize> {
        let [x, y] = self.0.map(f64::round);
        let most = SIDE as f64 - 1.0;
        ((0.0..=most).contains(&x) && (0.0..=most).contains(&y)).then(|| y as usize * SIDE + x as usize)
    }

    /// Whether the mask reaches the pixel or one beside it: it is as wide as so many of a patch.
    fn is_within(&self, reach: &[f32]) -> bool {
        let by = self.1.max(1.0).ceil() as isize;
        let [x, y] = self.0.map(|at| at.floor() as isize);
        let side = SIDE as isize;
        let rows = (y - by + 1).max(0)..(y + by + 1).min(side);
        rows.into_iter().any(|row| {
            let columns = (x - by + 1).max(0)..(x + by + 1).min(side);
            columns.into_iter().any(|column| reach[(row * side + column) as usize] > 0.0)
        })
    }
}
