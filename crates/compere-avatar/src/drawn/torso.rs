//! Neck, shoulders and clothes.

use super::brush::{Brush, Outline, shade};
use super::look::Look;

pub(super) fn paint(brush: &mut Brush<'_>, look: &Look) {
    let neck = Outline::at(-0.52, 6.2)
        .curve([-0.5, 5.6], [-0.52, 5.35], [-0.95, 5.02])
        .line(0.95, 5.02)
        .curve([0.52, 5.35], [0.5, 5.6], [0.52, 6.2])
        .closed();
    brush.fill_linear(&neck, [0.0, 5.9], [0.0, 5.1], (shade(look.skin, 0.80), 1.0), (shade(look.skin, 0.95), 1.0));
    let body = Outline::at(-0.62, 5.32)
        .curve([-0.95, 5.14], [-1.6, 5.02], [-1.92, 4.72])
        .curve([-2.25, 4.38], [-2.3, 3.2], [-2.36, 1.4])
        .line(2.36, 1.4)
        .curve([2.3, 3.2], [2.25, 4.38], [1.92, 4.72])
        .curve([1.6, 5.02], [0.95, 5.14], [0.62, 5.32])
        .curve([0.45, 4.86], [-0.45, 4.86], [-0.62, 5.32])
        .closed();
    brush.fill_linear(&body, [-1.6, 5.2], [1.8, 1.6], (shade(look.top, 1.10), 1.0), (shade(look.top, 0.86), 1.0));
    let collar = Outline::at(-0.64, 5.33).curve([-0.47, 4.80], [0.47, 4.80], [0.64, 5.33]).open();
    brush.stroke(&collar, 0.085, shade(look.top, 0.8), 1.0);
    for side in [-1.0, 1.0] {
        let arm = Outline::at(side * 1.52, 3.9).curve([side * 1.62, 3.2], [side * 1.6, 2.6], [side * 1.64, 1.4]).open();
        brush.stroke(&arm, 0.035, shade(look.top, 0.62), 0.6);
    }
}
