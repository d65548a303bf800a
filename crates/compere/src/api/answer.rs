//! Success as clients see it.

use axum::response::{IntoResponse, Response};
use compere_store::Civil;
use serde_json::{Map, Value, json};

/// `{"success": true, "data": …}`
#[derive(Debug)]
pub struct Data(pub Value);

impl IntoResponse for Data {
    fn into_response(self) -> Response {
        axum::Json(json!({ "success": true, "data": self.0 })).into_response()
    }
}

/// Fields at the top level and in `data`: the older generation's documents show the one, its tutorials read the other.
#[derive(Debug)]
pub struct Flat(pub Value);

impl Flat {
    pub fn to_json(&self) -> Value {
        let mut body = Map::new();
        body.insert("success".to_owned(), json!(true));
        body.insert("data".to_owned(), self.0.clone());
        if let Value::Object(fields) = &self.0 {
            for (key, value) in fields {
                body.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        Value::Object(body)
    }
}

impl IntoResponse for Flat {
    fn into_response(self) -> Response {
        axum::Json(self.to_json()).into_response()
    }
}

/// A number without a fraction where it has none: `100`, not `100.0`.
pub fn number(value: f64) -> Value {
    let rounded = (value * 100.0).round() / 100.0;
    if rounded.fract() == 0.0 { json!(rounded as i64) } else { json!(rounded) }
}

/// `2026-09-30T12:34:56.789Z`
pub fn date(millis: i64) -> String {
    let civil = Civil::of(millis);
    format!("{}T{}:{:02}.{:03}Z", civil.date(), civil.time(), civil.second, civil.milli)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(date(1_709_210_096_789), "2024-02-29T12:34:56.789Z");
        assert_eq!(date(1_767_225_599_999), "2025-12-31T23:59:59.999Z");
        assert_eq!(date(1_767_225_600_000), "2026-01-01T00:00:00.000Z");
    }

    #[test]
    fn whole_numbers_have_no_fraction() {
        assert_eq!(number(100.0).to_string(), "100");
        assert_eq!(number(33.333_333).to_string(), "33.33");
    }
}
