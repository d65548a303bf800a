//! Where shapes are that lie in groups. Runs inside the sandbox.

use compere_media::math;

use super::shape::number;
use crate::xml::Node;

/// How coordinates inside a group lie on the slide.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    offset: (f64, f64),
    scale: (f64, f64),
    turn: Option<Turn>,
}

/// By how many degrees a group is turned, and about which point of the slide.
#[derive(Clone, Copy)]
struct Turn {
    angle: f64,
    about: (f64, f64),
}

impl Frame {
    pub(super) const WHOLE: Self = Self { offset: (0.0, 0.0), scale: (1.0, 1.0), turn: None };

    /// Nothing for a group that is mirrored, or turned in one that is turned.
    pub(super) fn of_group(self, group: &Node) -> Option<Self> {
        let xfrm = group.path(&["grpSpPr", "xfrm"])?;
        if flipped(xfrm) {
            return None;
        }
        let point = |name: &str, x: &str, y: &str| Some((number(xfrm.child(name)?, x)?, number(xfrm.child(name)?, y)?));
        let (off, ext) = (point("off", "x", "y")?, point("ext", "cx", "cy")?);
        let (inner, size) = (point("chOff", "x", "y")?, point("chExt", "cx", "cy")?);
        if size.0 <= 0.0 || size.1 <= 0.0 {
            return None;
        }
        let (sx, sy) = (self.scale.0 * ext.0 / size.0, self.scale.1 * ext.1 / size.1);
        let (left, top) = (self.offset.0 + self.scale.0 * off.0, self.offset.1 + self.scale.1 * off.1);
        let (width, height) = self.scaled(ext);
        let turn = match (self.turn, angle_of(xfrm)) {
            (turn, 0.0) => turn,
            (None, angle) => Some(Turn { angle, about: (left + width / 2.0, top + height / 2.0) }),
            (Some(_), _) => return None,
        };
        Some(Self { offset: (left - sx * inner.0, top - sy * inner.1), scale: (sx, sy), turn })
    }

    pub(super) fn scaled(&self, (width, height): (f64, f64)) -> (f64, f64) {
        (width * self.scale.0, height * self.scale.1)
    }

    /// Left, top and angle of a shape of the group on the slide, before it is turned about its middle. `size` is scaled.
    pub(super) fn placed(&self, (x, y): (f64, f64), size: (f64, f64), angle: f64) -> (f64, f64, f64) {
        let (left, top) = (self.offset.0 + self.scale.0 * x, self.offset.1 + self.scale.1 * y);
        let Some(turn) = self.turn else { return (left, top, angle) };
        let (sin, cos) = math::sin_cos(turn.angle.to_radians());
        let (x, y) = (left + size.0 / 2.0 - turn.about.0, top + size.1 / 2.0 - turn.about.1);
        let middle = (turn.about.0 + x * cos - y * sin, turn.about.1 + x * sin + y * cos);
        (middle.0 - size.0 / 2.0, middle.1 - size.1 / 2.0, (turn.angle + angle).rem_euclid(360.0))
    }
}

/// Degrees clockwise.
pub(super) fn angle_of(xfrm: &Node) -> f64 {
    number(xfrm, "rot").unwrap_or(0.0) / 60_000.0
}

pub(super) fn flipped(xfrm: &Node) -> bool {
    ["flipH", "flipV"].iter().any(|name| xfrm.flag(name) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml;

    #[test]
    fn shapes_of_a_turned_group_go_around_its_middle() {
        let group = r#"<p:grpSp><p:grpSpPr><a:xfrm rot="5400000"><a:off x="100" y="100"/><a:ext cx="200" cy="100"/>
            <a:chOff x="0" y="0"/><a:chExt cx="400" cy="200"/></a:xfrm></p:grpSpPr></p:grpSp>"#;
        let frame = Frame::WHOLE.of_group(&xml::parse(group.as_bytes()).expect("a group")).expect("a frame");
        // The middle of the group is at 200, 150; the shape's was 80 to its left.
        let size = frame.scaled((80.0, 40.0));
        let (left, top, angle) = frame.placed((0.0, 80.0), size, 15.0);
        let near = |value: f64, wanted: f64| assert!((value - wanted).abs() < 1e-6, "{value} {wanted}");
        near(size.0, 40.0);
        near(left + 20.0, 200.0);
        near(top + 10.0, 150.0 - 80.0);
        near(angle, 105.0);
        assert!(frame.of_group(&xml::parse(group.as_bytes()).expect("a group")).is_none());
    }
}
