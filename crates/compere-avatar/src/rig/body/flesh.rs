//! How flesh follows what moves it.

use super::mimic::Expression;
use super::parts::Mesh;
use crate::act::Ch;
use crate::rig::ground::data::Deltas;
use crate::rig::ground::mesh::relax;
use crate::rig::ground::v3::{V3, add, length, mix, ss, sub};

/// Which channels the data folds point by point, and how often their moves are evened out.
const FOLDED: [(Ch, u32); 6] =
    [(Ch::Smile, 12), (Ch::Cheek, 14), (Ch::Dimple, 10), (Ch::Stretch, 8), (Ch::UpperUp, 4), (Ch::Squint, 3)];

/// Cheeks of the data fold in ridges beside a smile. What lies beyond lips and lids moves as its neighbourhood does, so
/// that a cheek rises as one soft mass.
pub(super) fn soften(mesh: &mut Mesh, expressions: &[Expression], eyes: &[V3; 2]) {
    let loose: Vec<f32> = mesh.skin().iter().map(|t| share(t.rest, t.lips.max(t.inside), eyes)).collect();
    for (at, deltas) in &mut mesh.moves {
        let Some((_, times)) = FOLDED.iter().find(|(channel, _)| *channel == expressions[*at].channel) else {
            continue;
        };
        let mut full = vec![[0.0; 3]; loose.len()];
        deltas.iter().for_each(|&(v, d)| full[v as usize] = add(full[v as usize], d));
        for _ in 0..*times {
            let mut even = full.clone();
            relax(&mut even, &mesh.triangles, 1, 0.7);
            for ((own, even), loose) in full.iter_mut().zip(even).zip(&loose) {
                *own = mix(*own, even, *loose);
            }
        }
        *deltas = (0..).zip(full).filter(|(_, d)| d.iter().any(|c| c.abs() > 1e-4)).collect::<Deltas>();
    }
}

/// How much a point goes with its neighbourhood: lips, what is behind them, and lids have moves of their own.
fn share(p: V3, lips: f32, eyes: &[V3; 2]) -> f32 {
    let lid = eyes.iter().map(|eye| length(sub(p, *eye))).fold(f32::MAX, f32::min);
    ss(0.25, 0.02, lips) * ss(0.145, 0.26, lid)
}
