//! The ends of long sleeves.

use std::collections::HashMap;

use super::garment::Garment;
use crate::rig::body::parts::ClothTraits;
use crate::rig::ground::v3::{V3, add, dot, exp, mul, norm, ss, sub};

/// How far beyond its cuff a sleeve reaches before it is cut, and over what length it is drawn out to that.
const BEYOND: f32 = 0.10;
const DRAWN: f32 = 0.7;

/// Cloth that is evened out draws its edge up the arm, on one side more than on the other: a sleeve would have a bay
/// where its cuff should be. What lies near the edge is drawn out until all of it reaches the cuff.
pub(super) fn lengthen(shape: &mut [V3], triangles: &[[u32; 3]], traits: &[ClothTraits], garment: &Garment) {
    let ends = edge(triangles, |v| traits[v].arm > 0.6);
    for side in [1.0, -1.0] {
        let [cuff, along] = garment.cuff(side);
        // Which way a point lies from the middle of the arm, and how far before the cuff.
        let place = |p: V3| {
            let off = sub(p, cuff);
            let before = -dot(off, along);
            (norm(add(off, mul(along, before))), before)
        };
        let own: Vec<(V3, f32)> = ends
            .iter()
            .map(|&v| shape[v as usize])
            .filter(|p| p[0] * side > 0.0)
            .map(place)
            .filter(|(_, before)| before.abs() < 1.2)
            .collect();
        if own.len() < 8 {
            continue;
        }
        for (p, _) in shape.iter_mut().zip(traits).filter(|(p, traits)| p[0] * side > 0.0 && traits.arm > 0.6) {
            let (way, before) = place(*p);
            if before > 2.0 {
                continue;
            }
            let [sum, total] = own.iter().fold([0.0, 1e-9], |[sum, total], (other, end)| {
                let near = exp((dot(*other, way) - 1.0) * 60.0);
                [sum + end * near, total + near]
            });
            let end = sum / total;
            let short = (end + BEYOND).max(0.0);
            *p = add(*p, mul(along, short * ss(end + DRAWN, end, before)));
        }
    }
}

/// Points on edges that one triangle alone has, of those that are wanted.
fn edge(triangles: &[[u32; 3]], wanted: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut seen: HashMap<[u32; 2], u32> = HashMap::new();
    for &[a, b, c] in triangles {
        for [v, w] in [[a, b], [b, c], [c, a]] {
            *seen.entry([v.min(w), v.max(w)]).or_default() += 1;
        }
    }
    let single = seen.into_iter().filter(|(_, times)| *times == 1).flat_map(|(edge, _)| edge);
    let mut all: Vec<u32> = single.filter(|&v| wanted(v as usize)).collect();
    // In an order of their own: sums depend on it.
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::body::parts::{Piece, Stuff};
    use crate::rig::body::sculpt::sculpt;
    use crate::rig::cloth::sew;
    use crate::rig::ground::data::Library;
    use crate::rig::people::CAST;

    #[test]
    fn sleeves_reach_their_cuffs_all_the_way_round() {
        let library = Library::open(&crate::tests::assets().join("avatars")).expect("the data");
        for alias in ["james", "nora", "priya"] {
            let member = CAST.iter().find(|member| member.alias == alias).expect("one of the cast");
            let person = &member.person;
            let body = sculpt(&library, person).expect("a body");
            let garment = Garment::new(&body, person, &person.wardrobe[0]);
            let all = sew(&library, &body, person, &garment, 2.0);
            let jacket = all.iter().find(|mesh| mesh.stuff == Stuff::Cloth(Piece::Jacket)).expect("a jacket");
            let ends = edge(&jacket.triangles, |v| jacket.cloth()[v].arm > 0.6);
            let short = ends
                .iter()
                .map(|&v| garment.sleeve(jacket.points[v as usize], 1.0))
                .filter(|before| before.abs() < 1.0)
                .fold(f32::MIN, f32::max);
            assert!(ends.len() > 16 && short < 0.0, "{alias}: {short} before its cuff, of {} points", ends.len());
        }
    }
}
