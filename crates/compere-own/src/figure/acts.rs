//! Which expression of a file does what of our acting.

use std::collections::BTreeMap;

use compere_avatar::Channel as Ch;
use serde_json::Value;

use super::glb::{Glb, number};

/// ARKit's names without sides, in lower case.
const ARKIT: [(&str, Ch); 20] = [
    ("jawopen", Ch::Jaw),
    ("mouthfunnel", Ch::Funnel),
    ("mouthpucker", Ch::Pucker),
    ("mouthpress", Ch::Press),
    ("mouthrolllower", Ch::RollLower),
    ("mouthrollupper", Ch::RollUpper),
    ("mouthsmile", Ch::Smile),
    ("mouthstretch", Ch::Stretch),
    ("mouthupperup", Ch::UpperUp),
    ("mouthlowerdown", Ch::LowerDown),
    ("tongueout", Ch::Tongue),
    ("mouthdimple", Ch::Dimple),
    ("cheeksquint", Ch::Cheek),
    ("eyeblink", Ch::Blink),
    ("eyesquint", Ch::Squint),
    ("eyewide", Ch::Wide),
    ("browinnerup", Ch::BrowInner),
    ("browouterup", Ch::BrowOuter),
    ("browdown", Ch::BrowDown),
    ("eyeblinkboth", Ch::Blink),
];

/// What stands for a channel where ARKit's names are missing: visemes of Oculus and expressions of VRM. They are whole
/// shapes of the mouth; ours come to 0.36 of a jaw at "ah", and 0.62 of a pucker at "oo".
const WHOLE: [(&[&str], Ch, f32); 9] = [
    (&["viseme_aa", "aa", "a", "fcl_mth_a"], Ch::Jaw, 2.4),
    (&["viseme_u", "ou", "u", "fcl_mth_u"], Ch::Pucker, 1.5),
    (&["viseme_o", "oh", "o", "fcl_mth_o"], Ch::Funnel, 1.3),
    (&["viseme_i", "ih", "i", "fcl_mth_i"], Ch::Stretch, 1.8),
    (&["viseme_pp"], Ch::Press, 2.0),
    (&["viseme_ff"], Ch::RollLower, 1.3),
    (&["viseme_th"], Ch::Tongue, 1.5),
    (&["blink"], Ch::Blink, 1.0),
    (&["joy", "happy"], Ch::Smile, 0.6),
];

/// Binds of VRM's expressions, by the node or mesh and the target that they move.
pub(super) struct Acts {
    binds: BTreeMap<(bool, usize, usize), Vec<(Ch, f32)>>,
    has_arkit: bool,
}

fn whole(name: &str) -> Option<(Ch, f32)> {
    let name = name.to_lowercase();
    WHOLE.iter().find(|(names, ..)| names.contains(&name.as_str())).map(|(_, ch, weight)| (*ch, *weight))
}

fn arkit(name: &str) -> Option<Ch> {
    let name = name.to_lowercase().replace('_', "");
    let bare = ["left", "right", "l", "r"]
        .iter()
        .find_map(|side| name.strip_suffix(side).filter(|bare| known(bare).is_some()));
    known(&name).or_else(|| known(bare?))
}

fn known(name: &str) -> Option<Ch> {
    ARKIT.iter().find(|(known, _)| *known == name).map(|(_, ch)| *ch)
}

fn names(mesh: &Value) -> &[Value] {
    mesh["extras"]["targetNames"].as_array().map_or(&[], Vec::as_slice)
}

impl Acts {
    pub(super) fn of(glb: &Glb<'_>) -> Self {
        let all = glb.list("meshes").iter().flat_map(names).filter_map(Value::as_str);
        let has_arkit = all.filter_map(arkit).any(|ch| ch == Ch::Jaw);
        let mut binds: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let groups = glb.json["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"].as_array();
        for group in groups.into_iter().flatten() {
            let Some((ch, weight)) = whole(group["presetName"].as_str().unwrap_or_default()) else { continue };
            for bind in group["binds"].as_array().into_iter().flatten() {
                let share = bind["weight"].as_f64().unwrap_or(0.0) as f32 / 100.0;
                let place = (false, number(&bind["mesh"]), number(&bind["index"]));
                binds.entry(place).or_default().push((ch, share * weight));
            }
        }
        let presets = glb.json["extensions"]["VRMC_vrm"]["expressions"]["preset"].as_object();
        for (name, expression) in presets.into_iter().flatten() {
            let Some((ch, weight)) = whole(name) else { continue };
            for bind in expression["morphTargetBinds"].as_array().into_iter().flatten() {
                let share = bind["weight"].as_f64().unwrap_or(0.0) as f32;
                binds
                    .entry((true, number(&bind["node"]), number(&bind["index"])))
                    .or_default()
                    .push((ch, share * weight));
            }
        }
        Self { binds, has_arkit }
    }

    /// What one target of a mesh does.
    pub(super) fn weights(&mut self, node: usize, mesh: usize, described: &Value, target: usize) -> Vec<(Ch, f32)> {
        let name = names(described).get(target).and_then(Value::as_str).unwrap_or_default();
        if self.has_arkit {
            return arkit(name).map(|ch| (ch, 1.0)).into_iter().collect();
        }
        if self.binds.is_empty() {
            return whole(name).or_else(|| arkit(name).map(|ch| (ch, 1.0))).into_iter().collect();
        }
        let of = |place| self.binds.get(&place).cloned().unwrap_or_default();
        [of((true, node, target)), of((false, mesh, target))].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_however_they_are_spelled() {
        for name in ["eyeBlinkLeft", "eyeBlink_L", "EYEBLINK_R", "eyeBlinkRight"] {
            assert_eq!(arkit(name), Some(Ch::Blink), "{name}");
        }
        assert_eq!([arkit("jawOpen"), arkit("jawLeft"), arkit("mouthPucker")], [Some(Ch::Jaw), None, Some(Ch::Pucker)]);
        assert_eq!(whole("viseme_PP").map(|(ch, _)| ch), Some(Ch::Press));
    }
}
