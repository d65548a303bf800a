//! What belongs to one request and is needed where its answer is written.

use std::future::Future;
use std::sync::{Arc, OnceLock};

use compere_office::Allowance;

tokio::task_local! {
    static CONTEXT: Context;
}

/// Travels with the request's task.
#[derive(Clone, Debug)]
pub struct Context {
    pub id: String,
    /// The older generation's answers carry their fields at the top level too.
    pub older: bool,
    /// Where the service is reached, for links to its documents.
    pub base: Arc<str>,
    /// Known when it is known who asks.
    pub allowance: Arc<OnceLock<Allowance>>,
}

impl Context {
    pub fn of(path: &str, base: &str) -> Self {
        let rest = path.strip_prefix("/api/odin/").unwrap_or_default();
        let older = rest.starts_with("editor/") || rest.starts_with("simple/");
        Self {
            id: format!("req_{}", compere_store::hex(&compere_store::random_bytes::<8>())),
            older,
            base: base.into(),
            allowance: Arc::default(),
        }
    }

    pub async fn scope<T>(self, future: impl Future<Output = T>) -> T {
        CONTEXT.scope(self, future).await
    }

    /// The context of the request that is being answered, for a task that goes on in its name.
    pub fn current() -> Self {
        CONTEXT.try_with(Clone::clone).unwrap_or(Self {
            id: String::new(),
            older: false,
            base: "".into(),
            allowance: Arc::default(),
        })
    }
}

/// Notes what whoever asks may still ask for.
pub fn allow(allowance: Allowance) {
    let _ = Context::current().allowance.set(allowance);
}

pub fn id() -> String {
    Context::current().id
}

pub fn is_older() -> bool {
    Context::current().older
}
