//! The moment of a scene that a picture of it shows: everything has come in, and nothing has left yet.

use compere_scene::{Animation, Scene};
use serde_json::Value;

use crate::previews::alone;
use crate::{Office, length};

/// Of a scene that no film can be made of yet.
const ANY: f64 = 2.5;

impl Office {
    /// Seconds into a scene of a project.
    pub fn moment(&self, project: &Value, scene: usize) -> f64 {
        let Ok(resolved) = self.resolve(&alone(project, scene)) else { return ANY };
        resolved.film.scenes.first().map_or(ANY, |scene| settled(animations(scene), length(&resolved)))
    }
}

fn animations(scene: &Scene) -> impl Iterator<Item = Animation> {
    scene.clips.iter().filter_map(|clip| clip.animation)
}

/// The middle of the time in which all is there; the scene's, where some leave before others have come.
fn settled(animations: impl Iterator<Item = Animation>, seconds: f64) -> f64 {
    let (mut from, mut to) = (0.0_f64, seconds);
    for Animation { kind, duration, delay } in animations {
        let moving = duration + delay.max(0.0);
        if kind.leaves() { to = to.min(seconds - moving) } else { from = from.max(moving) }
    }
    if from < to { f64::midpoint(from, to) } else { seconds / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use compere_scene::AnimationKind::{FadeIn, InLeft, OutRight};

    #[test]
    fn what_comes_late_is_seen_and_what_leaves_early_too() {
        let moves = |kind, delay| Animation { kind, duration: 1.0, delay };
        assert_eq!(settled([].into_iter(), 8.0), 4.0);
        assert_eq!(settled([moves(FadeIn, 4.0), moves(InLeft, 5.0)].into_iter(), 8.0), 7.0);
        assert_eq!(settled([moves(FadeIn, 0.0), moves(OutRight, 3.0)].into_iter(), 8.0), 2.5);
        assert_eq!(settled([moves(FadeIn, 6.0), moves(OutRight, 5.0)].into_iter(), 8.0), 4.0, "never all at once");
    }
}
