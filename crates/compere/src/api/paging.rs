//! Lists that go on: `limit`, `after`, and the header `Link` with the address of the next page.

use axum::http::{HeaderValue, Uri, header};
use axum::response::Response;
use compere_office::Office;
use compere_scene::Problem;
use compere_store::Page;
use serde::Deserialize;

use super::error::ApiError;
use super::extract::checked;
use super::problem;

/// Entries on a page where nothing is said, and at most.
const USUAL: i64 = 50;
const MOST: i64 = 100;

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Entries on a page
    #[param(value_type = Option<i64>, minimum = 1, maximum = 100)]
    limit: Option<String>,
    /// Where the page before ended; the header `Link` has the address of the next page with it
    after: Option<String>,
}

impl PageQuery {
    pub fn page(self) -> Result<Page, ApiError> {
        let mut problems = Vec::new();
        let limit = limit(self.limit.as_deref(), &mut problems);
        if !problems.is_empty() {
            return Err(ApiError::problems(&problems));
        }
        Ok(Page { after: after(self.after)?, limit })
    }
}

pub fn limit(text: Option<&str>, problems: &mut Vec<Problem>) -> i64 {
    count("limit", text, USUAL, MOST, problems)
}

pub fn count(key: &str, text: Option<&str>, usual: i64, most: i64, problems: &mut Vec<Problem>) -> i64 {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return usual };
    text.parse().ok().filter(|n| (1..=most).contains(n)).unwrap_or_else(|| {
        problems.push(problem(key, format!("must be a number from 1 to {most}")));
        usual
    })
}

/// When the entry was made that a page begins after, and its id: it may be gone when the page is asked for.
pub fn after(cursor: Option<String>) -> Result<Option<(i64, String)>, ApiError> {
    let Some(cursor) = cursor.filter(|cursor| !cursor.is_empty()) else { return Ok(None) };
    // Ids of webhooks begin with a word.
    let is_id = |id: &str| checked(id.strip_prefix("msg_").unwrap_or(id)).is_ok();
    let parts = cursor.split_once('-').and_then(|(made, id)| Some((made.parse().ok()?, is_id(id).then_some(id)?)));
    let wrong = || ApiError::bad_request("`after` is no cursor; take the address from the header `Link`");
    parts.map(|(made, id)| Some((made, id.to_owned()))).ok_or_else(wrong)
}

/// Says in `Link` where a list goes on behind `last`, if the page was full; such a page may be the last all the same.
pub fn linked(mut response: Response, office: &Office, uri: &Uri, last: Option<(i64, &str)>) -> Response {
    let Some((made, id)) = last else { return response };
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    let asked = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let kept = asked.filter(|(key, _)| key != "after" && key != "page");
    query.extend_pairs(kept).append_pair("after", &format!("{made}-{id}"));
    let next = format!("<{}{}?{}>; rel=\"next\"", office.links.base(), uri.path(), query.finish());
    if let Ok(next) = HeaderValue::from_str(&next) {
        response.headers_mut().insert(header::LINK, next);
    }
    response
}

/// The last entry of a page that is full.
pub fn last<T>(entries: &[T], limit: i64) -> Option<&T> {
    entries.last().filter(|_| entries.len() as i64 >= limit)
}
