//! The dashboard: pages made on the server, small scripts of our own, everything inside the binary.
//!
//! # Promises
//!
//! - Nothing is asked of any other host, and no page carries a script or style of its own: the content security policy
//!   says so to the browser, and pages are written so that it costs nothing.
//! - Every request behind the sign-in passes [`session::admit`]: it knows who asks, and a request that changes anything
//!   must carry the session's token. A handler cannot forget it.
//! - Outside it are the doors, and the page on which whoever is shown takes their presenter away with a link.
//! - What users wrote reaches a page only through askama's escaping or, in scripts, as text.
//! - Somebody else's project and one that never was are the same "not found".

mod browser;
mod chart;
mod dress;
mod events;
mod fault;
mod member;
mod pages;
mod sent;
mod session;
mod shell;
mod statics;
mod tongues;
mod uploads;
mod view;
mod words;

#[cfg(test)]
mod hostile_tests;

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use tower_http::compression::CompressionLayer;

use compere_office::Office;

pub use dress::nowhere;
pub use pages::projects::STARTS;

/// The dashboard's routes. It needs the application for the question who is signed in.
pub fn router(office: &Arc<Office>) -> Router<Arc<Office>> {
    let inside = Router::new()
        .merge(events::routes())
        .merge(pages::projects::routes())
        .merge(pages::project::routes())
        .merge(pages::act::routes())
        .merge(pages::editor::routes())
        .merge(pages::media::routes())
        .merge(pages::library::routes())
        .merge(pages::fonts::routes())
        .merge(pages::own::routes())
        .merge(pages::design::routes())
        .merge(pages::admin::routes())
        .merge(pages::import::routes())
        .merge(pages::hooks::routes())
        .merge(pages::profile::routes())
        .route_layer(from_fn_with_state(Arc::clone(office), session::admit));
    let outside = Router::new().merge(pages::door::routes()).route_layer(from_fn(session::same_site));
    Router::new()
        .merge(inside)
        .merge(outside)
        .layer(from_fn(dress::dress))
        .merge(pages::withdrawal::routes())
        // Pages hold the session's token beside what strangers may have written, so they are not packed: how well they
        // pack would tell of it. Styles and scripts are the same for everybody.
        .route("/app/s/{version}/{*file}", get(statics::file).layer(CompressionLayer::new()))
}
