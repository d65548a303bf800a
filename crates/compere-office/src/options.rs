//! What a request says beside the film: who is told, under which name, in which form.

use compere_house::assets::guard::Link;
use compere_house::assets::{AddressRules, Refusal};
use compere_media::Format;
use compere_scene::{Code, Problem};
use compere_store::HookMethod;
use serde_json::{Map, Value};

/// The film is the project's, these are the request's. They are not kept with the project.
pub(crate) const NOT_KEPT: [&str; 8] =
    ["isExport", "webhookUrl", "webhook", "webhookMethod", "callbackId", "workspaceId", "copy", "format"];

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Options {
    pub(crate) is_export: Option<bool>,
    pub(crate) webhook: Option<String>,
    pub(crate) webhook_method: HookMethod,
    pub(crate) callback_id: Option<String>,
    pub(crate) workspace: Option<String>,
    pub(crate) copy: bool,
    pub(crate) format: Format,
}

pub(crate) fn problem(path: &str, message: impl Into<String>) -> Problem {
    Problem { path: path.to_owned(), message: message.into(), hint: None, code: Code::InvalidBody }
}

impl Options {
    /// Of a request that says nothing beside the film.
    pub(crate) fn plain() -> Self {
        Self::default()
    }
}

/// Reads them, and says everything that is wrong with them.
pub(crate) fn read(body: &Value) -> (Options, Vec<Problem>) {
    let mut problems = Vec::new();
    let options = Options {
        is_export: flag(body, "isExport", &mut problems),
        webhook: webhook(body, &mut problems),
        webhook_method: choice(body, "webhookMethod", &HookMethod::ALL, &mut problems),
        callback_id: text(body, "callbackId", 256, &mut problems),
        workspace: text(body, "workspaceId", 64, &mut problems),
        copy: flag(body, "copy", &mut problems).unwrap_or(false),
        format: choice(body, "format", &[Format::Mp4, Format::Webm, Format::Mov], &mut problems),
    };
    (options, problems)
}

fn present<'a>(body: &'a Value, key: &str) -> Option<&'a Value> {
    body.get(key).filter(|value| !value.is_null())
}

fn flag(body: &Value, key: &str, problems: &mut Vec<Problem>) -> Option<bool> {
    match present(body, key)? {
        Value::Bool(flag) => Some(*flag),
        // Form-minded clients.
        Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
        _ => {
            problems.push(problem(key, "must be true or false"));
            None
        }
    }
}

fn text(body: &Value, key: &str, most: usize, problems: &mut Vec<Problem>) -> Option<String> {
    let text = match present(body, key)? {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => {
            problems.push(problem(key, "must be a text"));
            return None;
        }
    };
    if text.chars().count() > most {
        problems.push(problem(key, format!("must have at most {most} characters")));
        return None;
    }
    (!text.is_empty()).then_some(text)
}

fn choice<T: Copy + ToString>(body: &Value, key: &str, known: &[T], problems: &mut Vec<Problem>) -> T {
    let Some(value) = present(body, key) else { return known[0] };
    let is = |word: &T, text: &str| word.to_string().eq_ignore_ascii_case(text.trim());
    let found = value.as_str().and_then(|text| known.iter().find(|word| is(word, text)));
    found.copied().unwrap_or_else(|| {
        let words: Vec<String> = known.iter().map(ToString::to_string).collect();
        problems.push(problem(key, format!("must be {}", words.join(" or "))));
        known[0]
    })
}

/// The address, or under its older name.
fn webhook(body: &Value, problems: &mut Vec<Problem>) -> Option<String> {
    let key = if present(body, "webhookUrl").is_some() { "webhookUrl" } else { "webhook" };
    let url = text(body, key, 4096, problems)?;
    match Link::parse(&url) {
        Ok(_) => Some(url),
        Err(error) => {
            problems.push(problem(key, error.to_string()));
            None
        }
    }
}

/// What is wrong with a receiver that is named by its address: the installation's rules forbid to call it. One that is
/// named by name is judged whenever it is called.
pub(crate) fn unreachable(options: &Options, body: &Value, rules: &AddressRules) -> Option<Problem> {
    let key = if present(body, "webhookUrl").is_some() { "webhookUrl" } else { "webhook" };
    uncallable(options.webhook.as_deref()?, key, rules)
}

/// The same of any address.
pub(crate) fn uncallable(url: &str, key: &str, rules: &AddressRules) -> Option<Problem> {
    let link = Link::parse(url).ok()?;
    let refusal = rules.judge(link.host(), &[link.literal()?]).err()?;
    let hint =
        "give an address that can be reached from the internet, or let the operator allow it (`allow` in the settings)";
    let message = match refusal {
        Refusal::Inward { host, why, .. } => format!("`{host}` is {why}, which is not called"),
        Refusal::Port { host, port } => format!("port {port} of `{host}` is not called, only 80 and 443 are"),
        allowed @ Refusal::AllowedElsewhere { .. } => allowed.to_string(),
    };
    Some(Problem { hint: Some(hint.to_owned()), ..problem(key, message) })
}

/// What is kept of a body as the project.
pub(crate) fn kept(body: &Value) -> Value {
    let Value::Object(fields) = body else { return body.clone() };
    let kept: Map<String, Value> = fields
        .iter()
        .filter(|(key, _)| !NOT_KEPT.contains(&key.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    Value::Object(kept)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn all_that_is_wrong_is_said() {
        let body = json!({
            "isExport": 1, "webhookUrl": "ftp://x/", "webhookMethod": "PUT", "callbackId": "x".repeat(257),
            "workspaceId": {}, "copy": "maybe", "format": "avi",
        });
        let (_, problems) = read(&body);
        let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, ["isExport", "webhookUrl", "webhookMethod", "callbackId", "workspaceId", "copy", "format"]);
    }

    #[test]
    fn nothing_said_is_the_usual() {
        let (options, problems) = read(&json!({"isExport": null, "webhookUrl": ""}));
        assert!(problems.is_empty());
        assert_eq!(options, Options::default());
    }

    #[test]
    fn secrets_of_a_request_are_not_kept_with_the_project() {
        let body = json!({"name": "x", "scenes": [], "webhookUrl": "https://h/?key=1", "strange": 1});
        assert_eq!(kept(&body), json!({"name": "x", "scenes": [], "strange": 1}));
    }
}
