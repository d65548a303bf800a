//! What a portrait must be like, and what is said when it is not. Limits are judged, on simulated people.

use compere_media::{Frame, math};

use super::shape::Spot;
use crate::build::Finding;
use crate::build::gates::{EYES, Gate};
use crate::track::Mesh;
use crate::track::points::EYE_OUTER;
use crate::track::sample;

pub(super) const ABOUT: &str = "the photo";
/// Degrees by which the head is turned aside, up or down, and tilted.
const TURNED: Gate = Gate::above(14.0, 8.0);
const NODDED: Gate = Gate::above(18.0, 12.0);
const TILTED: Gate = Gate::above(20.0, 10.0);
/// How far the lips are apart, and how far the lids, as parts of the distance of the eyes and of the eye's width.
const OPEN: Gate = Gate::above(0.045, 0.025);
const LIDS: Gate = Gate::below(0.14, 0.18);
/// By how much the colour of the chin differs from that of the cheeks, in steps of both colours.
const COVERED: Gate = Gate::above(20.0, 15.0);
/// The darker half of the face against the brighter one.
const UNEVEN: Gate = Gate::below(0.35, 0.6);
/// How bright the cheeks are, from black to white.
const DARK: Gate = Gate::below(0.10, 0.18);
/// Below the chin and above the brows, in distances of the eyes.
const BELOW: Gate = Gate::below(0.12, 0.5);
const ABOVE: Gate = Gate::below(0.25, 0.5);
/// A face that looks straight ahead is tilted so by the mesh, in degrees.
const LEVEL: f64 = 10.0;

pub(super) fn of_photo(frame: &Frame, mesh: &Mesh) -> Vec<Finding> {
    let p = |n: usize| mesh[n].map(f64::from);
    let [right, left] = EYE_OUTER.map(p);
    let (dx, dy) = (left[0] - right[0], left[1] - right[1]);
    let eyes = (dx * dx + dy * dy).sqrt().max(1.0);
    let mut findings = Vec::new();
    let mut say = |gate: &Gate, value: f64, what: String, advice: &'static str| {
        findings.extend(gate.finding(value, ABOUT, what, advice));
    };
    let straight = "look straight into the lens, with the head upright";
    say(
        &EYES,
        eyes,
        format!("the eyes are {eyes:.0} pixels apart"),
        "take a larger photo, so that they are at least 130 apart",
    );
    let ends = [p(234), p(454)];
    let yaw = degrees(ends[0][2] - ends[1][2], ends[1][0] - ends[0][0]);
    say(&TURNED, yaw.abs(), format!("the head is turned aside by {:.0} degrees", yaw.abs()), straight);
    let pitch = degrees(p(152)[2] - p(10)[2], p(152)[1] - p(10)[1]) - LEVEL;
    say(&NODDED, pitch.abs(), format!("the head is tilted up or down by {:.0} degrees", pitch.abs()), straight);
    let roll = degrees(dy, dx);
    say(&TILTED, roll.abs(), format!("the head leans aside by {:.0} degrees", roll.abs()), straight);
    let apart = (p(14)[1] - p(13)[1]).abs() / eyes;
    say(
        &OPEN,
        apart,
        format!("the lips are open by {:.0} % of the eyes' distance", apart * 100.0),
        "close the lips, relaxed: nobody can tell what is between them",
    );
    let lid =
        |top: usize, bottom: usize, a: usize, b: usize| (p(bottom)[1] - p(top)[1]) / (p(b)[0] - p(a)[0]).abs().max(1.0);
    let lids = lid(159, 145, 33, 133).min(lid(386, 374, 362, 263));
    say(
        &LIDS,
        lids,
        format!("an eye is open by {:.0} % of its width", lids * 100.0),
        "open the eyes, and look into the lens",
    );
    let colour = colours(frame, mesh, eyes as f32);
    say(
        &COVERED,
        colour.covered,
        format!("around the mouth the colour differs from the cheeks' by {:.0} steps", colour.covered),
        "nothing may cover the mouth: no mask, hand, scarf or microphone",
    );
    say(
        &UNEVEN,
        colour.even,
        format!("one cheek is {:.0} % as bright as the other", colour.even * 100.0),
        "use soft light from the front",
    );
    say(
        &DARK,
        colour.bright,
        format!("the face is {:.0} % as bright as white", colour.bright * 100.0),
        "use more light",
    );
    let height = f64::from(frame.height());
    let below = (height - p(152)[1]) / eyes;
    say(
        &BELOW,
        below,
        "the chin is at the picture's lower edge".to_owned(),
        "leave room below the chin, best down to the chest",
    );
    let above = p(105)[1].min(p(334)[1]) / eyes;
    say(&ABOVE, above, "the forehead is at the picture's upper edge".to_owned(), "leave room above the hair");
    findings
}

fn degrees(across: f64, along: f64) -> f64 {
    math::atan(across / along.abs().max(1.0)).to_degrees()
}

struct Colours {
    covered: f64,
    even: f64,
    bright: f64,
}

fn colours(frame: &Frame, mesh: &Mesh, eyes: f32) -> Colours {
    let (width, height) = (frame.width() as usize, frame.height() as usize);
    let mean = |points: &[usize]| -> [f64; 3] {
        let mut sum = [0.0; 3];
        let mut count = 0.0;
        for &point in points {
            for (dx, dy) in (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dx as f32, dy as f32))) {
                let [x, y]: Spot = [mesh[point][0] + dx * eyes / 60.0, mesh[point][1] + dy * eyes / 60.0];
                let tint =
                    |plane: &[u8]| f64::from(sample(plane, width / 2, height / 2, x / 2.0 - 0.25, y / 2.0 - 0.25));
                let look = [f64::from(sample(frame.y(), width, height, x, y)), tint(frame.u()), tint(frame.v())];
                sum.iter_mut().zip(look).for_each(|(sum, look)| *sum += look);
                count += 1.0;
            }
        }
        sum.map(|sum| sum / count)
    };
    let (cheeks, chin) = (mean(&[50, 280]), mean(&[18, 200, 199, 164, 214, 434]));
    let (right, left) = (mean(&[50])[0] - 16.0, mean(&[280])[0] - 16.0);
    let (u, v) = (chin[1] - cheeks[1], chin[2] - cheeks[2]);
    Colours {
        covered: (u * u + v * v).sqrt(),
        even: right.min(left) / right.max(left).max(1.0),
        bright: (cheeks[0] - 16.0) / 219.0,
    }
}
