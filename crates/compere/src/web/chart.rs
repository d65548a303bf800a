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
    /// What is said in place of bars when there are none.
    nothing: &'static str,
    empty: bool,
    width: f64,
    columns: Vec<Column>,
    /// Of the lines in the middle and at the top.
    guides: [String; 2],
    bars: Vec<Bar>,
}

struct Column {
    x: f64,
    y: f64,
    height: f64,
    bad_y: f64,
    bad_height: f64,
}

/// Of one bar with the room around it; the picture is stretched to the width of the page, letters are not.
const STEP: f64 = 10.0;
const TALL: f64 = 100.0;

/// The picture as markup.
pub fn bars(title: impl Into<String>, nothing: &'static str, bars: Vec<Bar>) -> Result<String, Fault> {
    let highest = bars.iter().map(|bar| bar.value + bar.bad).fold(0.0, f64::max);
    let most = nice(highest);
    let column = |(at, bar): (usize, &Bar)| {
        let (height, bad_height) = (bar.value / most * TALL, bar.bad / most * TALL);
        let y = TALL - height;
        Column { x: at as f64 * STEP, y, height, bad_y: y - bad_height, bad_height }
    };
    let columns: Vec<Column> = bars.iter().enumerate().map(column).collect();
    let guides = [label(most / 2.0), label(most)];
    let width = columns.len().max(1) as f64 * STEP;
    let chart = Chart { title: title.into(), nothing, empty: highest == 0.0, width, columns, guides, bars };
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
