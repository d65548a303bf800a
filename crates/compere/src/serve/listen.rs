//! Connections: HTTP/1.1 with patience that has an end.
//!
//! Whoever sends a header slowly is let go after [`HEADER`], a body that stands still after [`STALL`]; idle connections
//! are closed. When the service stops, requests that are being answered get [`FAREWELL`] to finish.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio_util::task::TaskTracker;
use tower::{Layer, ServiceExt};
use tower_http::normalize_path::{NormalizePath, NormalizePathLayer};

/// For a request's head to arrive.
const HEADER: Duration = Duration::from_secs(20);
/// Between two pieces of a request's body.
pub const STALL: Duration = Duration::from_secs(30);
/// For requests that are being answered when the service stops.
const FAREWELL: Duration = Duration::from_secs(15);
/// At once; more wait to be accepted.
const CONNECTIONS: usize = 4096;
/// Of a request's head.
const HEAD_BYTES: usize = 64 << 10;

/// Serves until `stopping` turns true and everybody had a chance to finish.
pub async fn serve(listener: TcpListener, router: Router, mut stopping: watch::Receiver<bool>) {
    let service = NormalizePathLayer::trim_trailing_slash().layer(router);
    let (connections, slots) = (TaskTracker::new(), Arc::new(Semaphore::new(CONNECTIONS)));
    loop {
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = asked(&mut stopping) => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let (service, stopping) = (service.clone(), stopping.clone());
                connections.spawn(async move {
                    converse(stream, peer, service, stopping).await;
                    drop(slot);
                });
            }
            Err(error) => {
                // Out of file descriptors, most likely: some will be given back.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    connections.close();
    if tokio::time::timeout(FAREWELL, connections.wait()).await.is_err() {
        tracing::warn!(open = connections.len(), "connections were cut");
    }
}

async fn asked(stopping: &mut watch::Receiver<bool>) {
    // An error means that whoever could ask is gone, which is as good as asking.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    service: NormalizePath<Router>,
    mut stopping: watch::Receiver<bool>,
) {
    // Small answers must not wait for more to send.
    let _ = stream.set_nodelay(true);
    let answer = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        service.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), answer);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = asked(&mut stopping) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke off");
    }
}
