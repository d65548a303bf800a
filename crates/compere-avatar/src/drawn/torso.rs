//! Neck, shoulders, clothes, and what stands below them.

use super::brush::{Brush, Outline, Rgb3, ellipse, mixed, shade};
use super::look::Look;

/// What trousers and shoes tend to.
const NIGHT: Rgb3 = [34, 38, 52];

pub(super) fn paint(brush: &mut Brush<'_>, look: &Look) {
    legs(brush, look);
    hands(brush, look);
    let neck = Outline::at(-0.52, 6.2)
        .curve([-0.5, 5.6], [-0.52, 5.35], [-0.95, 5.02])
        .line(0.95, 5.02)
        .curve([0.52, 5.35], [0.5, 5.6], [0.52, 6.2])
        .closed();
    brush.fill_linear(&neck, [0.0, 5.9], [0.0, 5.1], (shade(look.skin, 0.80), 1.0), (shade(look.skin, 0.95), 1.0));
    let body = Outline::at(-0.62, 5.32)
        .curve([-0.95, 5.14], [-1.6, 5.02], [-1.92, 4.72])
        .curve([-2.25, 4.38], [-2.3, 3.2], [-2.36, 1.4])
        .curve([-2.37, 0.9], [-2.34, 0.5], [-2.3, 0.1])
        .line(-1.74, 0.1)
        .curve([-1.7, 0.5], [-1.66, 1.0], [-1.62, 1.3])
        .curve([-1.6, 0.8], [-1.62, 0.2], [-1.66, -0.5])
        .line(1.66, -0.5)
        .curve([1.62, 0.2], [1.6, 0.8], [1.62, 1.3])
        .curve([1.66, 1.0], [1.7, 0.5], [1.74, 0.1])
        .line(2.3, 0.1)
        .curve([2.34, 0.5], [2.37, 0.9], [2.36, 1.4])
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

/// Down to the ground at -8.15: whoever is placed as a whole figure stands.
fn legs(brush: &mut Brush<'_>, look: &Look) {
    let cloth = mixed(look.top, NIGHT, 0.8);
    for side in [-1.0, 1.0] {
        let shoe = Outline::at(side * 0.3, -7.55)
            .curve([side * 0.28, -7.9], [side * 0.26, -8.1], [side * 0.34, -8.15])
            .line(side * 1.42, -8.15)
            .curve([side * 1.52, -7.86], [side * 1.2, -7.7], [side * 0.98, -7.5])
            .closed();
        brush.fill(&shoe, shade(NIGHT, 0.7), 1.0);
        let leg = Outline::at(0.0, -0.3)
            .line(side * 1.6, -0.3)
            .curve([side * 1.66, -2.6], [side * 1.3, -5.2], [side * 1.12, -7.7])
            .line(side * 0.24, -7.7)
            .curve([side * 0.22, -5.2], [side * 0.14, -3.0], [side * 0.03, -1.7])
            .line(0.0, -1.7)
            .closed();
        let (light, dark) = ((shade(cloth, 1.12), 1.0), (shade(cloth, 0.86), 1.0));
        brush.fill_linear(&leg, [0.0, -0.4], [0.0, -7.7], light, dark);
    }
    let seam = Outline::at(0.0, -0.5).line(0.0, -1.75).open();
    brush.stroke(&seam, 0.04, shade(cloth, 0.7), 0.8);
}

/// They come out of the sleeves, which are painted over them.
fn hands(brush: &mut Brush<'_>, look: &Look) {
    for side in [-1.0, 1.0] {
        brush.fill(&ellipse(side * 2.02, -0.3, 0.25, 0.62), shade(look.skin, 0.94), 1.0);
        brush.fill(&ellipse(side * 1.79, -0.1, 0.1, 0.34), shade(look.skin, 0.9), 1.0);
    }
}
