//! What a request says beside the film: who is told, under which name, in which form.

use compere_house::assets::guard::Link;
use compere_house::assets::{AddressRules, Refusal};
use compere_media::Format;
use compere_scene::Problem;
use compere_scene::schema::OPTIONS;
use compere_store::HookMethod;
use serde_json::{Map, Value};

use crate::ask::Ask;
use crate::refusal::problem;

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

impl Options {
    /// Of a request that says nothing beside the film.
    pub(crate) fn plain() -> Self {
        Self::default()
    }
}

/// Reads them, and says everything that is wrong with them.
pub(crate) fn read(body: &Value) -> (Options, Vec<Problem>) {
    Ask::noted(body, &OPTIONS, |ask| Options {
        is_export: ask.flag("isExport"),
        webhook: webhook(ask),
        webhook_method: ask.choice("webhookMethod", &HookMethod::ALL),
        callback_id: ask.text_of_at_most("callbackId", 256),
        workspace: ask.text_of_at_most("workspaceId", 64),
        copy: ask.flag("copy").unwrap_or(false),
        format: ask.choice("format", &[Format::Mp4, Format::Webm, Format::Mov]),
    })
}

/// The address, or under its older name.
fn webhook(ask: &Ask<'_>) -> Option<String> {
    let key = key_of_webhook(|key| ask.given(key).is_some());
    let url = ask.text_of_at_most(key, 4096)?;
    let wrong = Link::parse(&url).err();
    wrong.iter().for_each(|error| ask.blame(key, error.to_string()));
    wrong.is_none().then_some(url)
}

fn key_of_webhook(is_given: impl Fn(&str) -> bool) -> &'static str {
    if is_given("webhookUrl") { "webhookUrl" } else { "webhook" }
}

/// What is wrong with a receiver that is named by its address: the installation's rules forbid to call it. One that is
/// named by name is judged whenever it is called.
pub(crate) fn unreachable(options: &Options, body: &Value, rules: &AddressRules) -> Option<Problem> {
    let key = key_of_webhook(|key| body.get(key).is_some_and(|value| !value.is_null()));
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
