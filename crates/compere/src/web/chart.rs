//! Bars over days, as a picture that needs no script.

use askama::Template;

use super::fault::Fault;
use super::words;

#[derive(Clone, Debug)]
pub struct Bar {
    /// Shown when somebody points at it, and read aloud.
    pub text: String,
    pub value: f64,
    pub bad: f64,
    /// Below the axis, where it is not empty.
    pub label: String,
}

#[derive(Template)]
#[template(path = "chart.html")]
struct Chart {
    title: String,
    width: u32,
    height: u32,
    base: f64,
    columns: Vec<Column>,
    /// Height and text of the guide lines.
    guides: Vec<(f64, String)>,
    bars: Vec<Bar>,
}

struct Column {
    x: f64,
    width: f64,
    y: f64,
    height: f64,
    bad_y: f64,
    bad_height: f64,
    middle: f64,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 170.0;
const LEFT: f64 = 34.0;
const TOP: f64 = 8.0;
const BASE: f64 = 146.0;

/// The picture as markup.
pub fn bars(title: impl Into<String>, bars: Vec<Bar>) -> Result<String, Fault> {
    let most = nice(bars.iter().map(|bar| bar.value + bar.bad).fold(0.0, f64::max));
    let step = (WIDTH - LEFT) / bars.len().max(1) as f64;
    let tall = |value: f64| value / most * (BASE - TOP);
    let column = |(at, bar): (usize, &Bar)| {
        let x = LEFT + at as f64 * step + step * 0.15;
        let (height, bad_height) = (tall(bar.value), tall(bar.bad));
        Column {
            x,
            width: step * 0.7,
            y: BASE - height,
            height,
            bad_y: BASE - height - bad_height,
            bad_height,
            middle: x + step * 0.35,
        }
    };
    let columns = bars.iter().enumerate().map(column).collect();
    let guides = [0.5, 1.0].map(|part| (BASE - part * (BASE - TOP), label(most * part))).into();
    let chart =
        Chart { title: title.into(), width: WIDTH as u32, height: HEIGHT as u32, base: BASE, columns, guides, bars };
    chart.render().map_err(Fault::inside)
}

fn label(value: f64) -> String {
    if value.fract() == 0.0 { words::grouped(value as i64) } else { format!("{value:.1}") }
}

/// The next of 2, 4, 10, 20, 40…, so that half of it is a round number too.
fn nice(most: f64) -> f64 {
    let mut step = 2.0;
    loop {
        for factor in [1.0, 2.0] {
            if most <= step * factor {
                return step * factor;
            }
        }
        if most <= step * 5.0 {
            return step * 5.0;
        }
        step *= 10.0;
    }
}

/// One bar a day, the last one today. `of` gives a day's value, what of it is bad, and its words.
pub fn days(now: i64, count: i64, of: impl Fn(i64, i64) -> (f64, f64, String)) -> Vec<Bar> {
    const DAY: i64 = 86_400_000;
    let today = now.div_euclid(DAY) * DAY;
    let bar = |back: i64| {
        let from = today - back * DAY;
        let (value, bad, text) = of(from, from + DAY);
        let label = if back % 7 == 0 { words::short_day(from) } else { String::new() };
        Bar { text: format!("{}: {text}", words::short_day(from)), value, bad, label }
    };
    (0..count).rev().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_in_round_numbers() {
        assert_eq!([0.0, 2.0, 3.0, 7.0, 11.0, 41.0, 950.0].map(nice), [2.0, 2.0, 4.0, 10.0, 20.0, 100.0, 1000.0]);
    }
}
