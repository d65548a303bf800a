//! What happens to an account's films, told to its open pages as it happens.
//!
//! A stream is a connection that nobody else can have, so there are so many for a session, an account, an address and
//! everybody, and each ends after a while: a page that is still there opens another one and looks what it missed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use compere_jobs::Change;
use futures_util::{Stream, StreamExt, future};
use serde_json::json;
use tokio::sync::watch;
use tokio_stream::wrappers::{BroadcastStream, WatchStream};

use super::fault::Fault;
use super::member::Member;
use super::words;
use crate::http::Whence;
use compere_office::Office;

/// Of a stream.
const LIFE: Duration = Duration::from_secs(20 * 60);

pub fn routes() -> Router<Arc<Office>> {
    Router::new().route("/app/events", get(events))
}

/// Ends when the service does: an open page would hold it back.
async fn events(
    State(office): State<Arc<Office>>,
    member: Member,
    Whence(address): Whence,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let seat = office.crowd.stream(address, &member.who.account.id, Some(&member.secret))?;
    let account = member.who.account.id;
    let told = BroadcastStream::new(office.changes()).filter_map(move |change| {
        future::ready(match change {
            Ok(change) if change.account == account => Some(Ok(event(&change))),
            Ok(_) => None,
            // Some were missed: the page had better look again.
            Err(_) => Some(Ok(Event::default().event("again").data("{}"))),
        })
    });
    let hello = Event::default().event("hello").retry(Duration::from_secs(2)).data("{}");
    let events = futures_util::stream::once(future::ready(Ok(hello))).chain(told);
    let events = ending(events, office.stopping.clone(), LIFE);
    let seated = events.map(move |event| {
        let _held = &seat;
        event
    });
    Ok(Sse::new(seated).keep_alive(KeepAlive::new().interval(Duration::from_secs(20))))
}

/// Ends with the service, and after a while in any case.
fn ending<S: Stream>(events: S, stopping: watch::Receiver<bool>, life: Duration) -> impl Stream<Item = S::Item> {
    let stopped = WatchStream::new(stopping).filter(|stopping| future::ready(*stopping)).into_future();
    events.take_until(future::select(stopped, Box::pin(tokio::time::sleep(life))))
}

fn event(change: &Change) -> Event {
    let (pill, tone) = words::state(change.state);
    let said = json!({
        "pill": pill, "tone": tone,
        "project": change.project, "export": change.export, "state": change.state.as_str(),
        "over": change.state.is_over(), "progress": (change.progress * 10.0).round() / 10.0,
        "words": words::step(change.state, change.activity), "short": words::on_the_way(change.state, change.progress),
    });
    Event::default().event("change").data(said.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stream_that_has_nothing_to_tell_ends() {
        let silent = || futures_util::stream::pending::<()>();
        let (stop, stopping) = watch::channel(false);
        let ends = |life| ending(silent(), stopping.clone(), life).collect::<Vec<()>>();
        let soon = Duration::from_secs(20);
        tokio::time::timeout(soon, ends(Duration::from_millis(100))).await.expect("its life is over");
        let long = Duration::from_secs(3600);
        tokio::time::timeout(Duration::from_millis(100), ends(long)).await.expect_err("it goes on until then");
        stop.send(true).expect("somebody hears");
        tokio::time::timeout(soon, ends(long)).await.expect("the service stops");
    }
}
