//! Which expression of a file does what of our acting.

use std::collections::BTreeMap;

use compere_avatar::Channel as Ch;
use serde_json::Value;

use super::glb::{Glb, number};
use super::mesh::Cue;

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

/// The same of eyes; ours go to the picture's sides, ARKit's in and out.
const GAZE: [(&[&str], Ch, bool); 4] = [
    (&["eyelookoutleft", "eyelookinright", "eyelookoutl", "eyelookinr"], Ch::LookX, false),
    (&["eyelookinleft", "eyelookoutright", "eyelookinl", "eyelookoutr"], Ch::LookX, true),
    (&["eyelookupleft", "eyelookupright", "eyelookupl", "eyelookupr"], Ch::LookY, false),
    (&["eyelookdownleft", "eyelookdownright", "eyelookdownl", "eyelookdownr"], Ch::LookY, true),
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
    binds: BTreeMap<(bool, usize, usize), Vec<(Cue, f32)>>,
    has_arkit: bool,
    has_gaze: bool,
}

fn whole(name: &str) -> Option<(Cue, f32)> {
    let name = name.to_lowercase();
    WHOLE.iter().find(|(names, ..)| names.contains(&name.as_str())).map(|(_, ch, weight)| (Cue::on(*ch), *weight))
}

fn arkit(name: &str) -> Option<Cue> {
    let name = name.to_lowercase().replace('_', "");
    if let Some((_, ch, is_back)) = GAZE.iter().find(|(known, ..)| known.contains(&name.as_str())) {
        return Some(Cue { ch: *ch, is_back: *is_back });
    }
    let bare = ["left", "right", "l", "r"]
        .iter()
        .find_map(|side| name.strip_suffix(side).filter(|bare| known(bare).is_some()));
    known(&name).or_else(|| known(bare?)).map(Cue::on)
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
        let cues: Vec<Cue> = all.filter_map(arkit).collect();
        let has = |ch| cues.iter().any(|cue| cue.ch == ch);
        let (has_arkit, has_gaze) = (has(Ch::Jaw), has(Ch::LookX));
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
        Self { binds, has_arkit, has_gaze: has_arkit && has_gaze }
    }

    /// Whether expressions turn the eyes.
    pub(super) fn has_gaze(&self) -> bool {
        self.has_gaze
    }

    /// What one target of a mesh does.
    pub(super) fn weights(&mut self, node: usize, mesh: usize, described: &Value, target: usize) -> Vec<(Cue, f32)> {
        let name = names(described).get(target).and_then(Value::as_str).unwrap_or_default();
        if self.has_arkit {
            return arkit(name).map(|cue| (cue, 1.0)).into_iter().collect();
        }
        if self.binds.is_empty() {
            return whole(name).or_else(|| arkit(name).map(|cue| (cue, 1.0))).into_iter().collect();
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
            assert_eq!(arkit(name), Some(Cue::on(Ch::Blink)), "{name}");
        }
        assert_eq!(
            [arkit("jawOpen"), arkit("jawLeft"), arkit("mouthPucker")],
            [Some(Cue::on(Ch::Jaw)), None, Some(Cue::on(Ch::Pucker))]
        );
        assert_eq!(arkit("eyeLookOutRight"), Some(Cue { ch: Ch::LookX, is_back: true }));
        assert_eq!(whole("viseme_PP").map(|(cue, _)| cue.ch), Some(Ch::Press));
    }
}
