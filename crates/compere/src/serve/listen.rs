//! Connections: HTTP/1.1 with patience that has an end.
//!
//! Whoever sends a header slowly is let go after [`HEADER`], a body that stands still after [`STALL`], an answer that
//! nobody takes after [`UNREAD`]; idle connections are closed. When the service stops, requests that are being answered
//! get [`FAREWELL`] to finish.
//!
//! There are so many places for everybody and so many for one address. Who finds them taken comes into the reserve, where
//! only questions after the service's health are answered, at once: a monitor always hears the truth, and everybody else
//! that the service is full.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::response::{IntoResponse, Response};
use compere_office::{Address, Seat, Seats};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::Sleep;
use tokio_util::task::TaskTracker;
use tower::{Layer, ServiceExt};
use tower_http::normalize_path::{NormalizePath, NormalizePathLayer};

use super::heads::Heads;
use crate::api::error::{ApiError, Kind};
use crate::http::is_near;

/// For a request's head to arrive.
const HEADER: Duration = Duration::from_secs(20);
/// Between two pieces of a request's body.
pub const STALL: Duration = Duration::from_secs(30);
/// For the peer to take what it was sent.
const UNREAD: Duration = Duration::from_secs(60);
/// For requests that are being answered when the service stops.
const FAREWELL: Duration = Duration::from_secs(15);
/// At once, if the system lets us have so many files open.
const CONNECTIONS: usize = 4096;
/// One address has a part of them, unless it is the operator's proxy.
const PART: usize = 4;
/// Connections beyond those: the oldest ends when another comes.
const RESERVE: usize = 64;
/// For each of them to say what it wants.
const RESERVE_HEADER: Duration = Duration::from_secs(3);
/// Files that everything else needs: records, media, workers.
const OTHER_FILES: u64 = 512;
/// Of a request's head.
const HEAD_BYTES: usize = 64 << 10;

/// What a connection hears that does not end its lines as it should.
fn malformed() -> String {
    let body = ApiError::bad_request("each line of a head ends with CR and LF").to_text();
    let length = body.len();
    format!(
        "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

type Service = NormalizePath<Router>;

/// Serves until `stopping` turns true and everybody had a chance to finish.
pub async fn serve(listener: TcpListener, router: Router, mut stopping: watch::Receiver<bool>, behind_proxy: bool) {
    let service = NormalizePathLayer::trim_trailing_slash().layer(router);
    let (connections, doors) = (TaskTracker::new(), Doors::new(behind_proxy));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = asked(&mut stopping) => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let (service, stopping) = (service.clone(), stopping.clone());
                if let Some(seat) = doors.admit(peer) {
                    connections.spawn(async move {
                        converse(stream, peer, service, stopping).await;
                        drop(seat);
                    });
                } else {
                    doors.reserve(connections.spawn(tell_health(stream, peer, service)).abort_handle());
                }
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

/// Who is let in.
struct Doors {
    seats: Arc<Seats>,
    most: usize,
    behind_proxy: bool,
    reserve: Mutex<VecDeque<AbortHandle>>,
}

impl Doors {
    fn new(behind_proxy: bool) -> Self {
        Self { seats: Arc::default(), most: places(), behind_proxy, reserve: Mutex::default() }
    }

    fn admit(&self, peer: SocketAddr) -> Option<Seat> {
        let (address, part) = (Address(peer.ip()).name(), (self.most / PART).max(1));
        let all = ("all", self.most);
        if self.behind_proxy && is_near(peer.ip()) {
            return self.seats.take(&[all]).ok();
        }
        self.seats.take(&[all, (&address, part)]).ok()
    }

    /// Answers take a moment: who has been there for long has nothing to ask.
    fn reserve(&self, newest: AbortHandle) {
        let mut reserve = self.reserve.lock().unwrap_or_else(PoisonError::into_inner);
        reserve.retain(|one| !one.is_finished());
        reserve.push_back(newest);
        if reserve.len() > RESERVE
            && let Some(oldest) = reserve.pop_front()
        {
            oldest.abort();
        }
    }
}

/// How many connections the system's limit of open files leaves room for. The soft limit is raised as far as the hard
/// one allows.
fn places() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = CONNECTIONS as u64 * 2 + OTHER_FILES;
    let files = limit.maximum.unwrap_or(wanted).min(wanted).max(limit.current.unwrap_or(wanted));
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(files), maximum: limit.maximum });
    let files = if raised.is_ok() { files } else { limit.current.unwrap_or(wanted) };
    // Half as many again: answers read files.
    let places = files.saturating_sub(OTHER_FILES.min(files / 2)) * 2 / 3;
    usize::try_from(places).unwrap_or(CONNECTIONS).clamp(16, CONNECTIONS)
}

async fn converse(stream: TcpStream, peer: SocketAddr, service: Service, mut stopping: watch::Receiver<bool>) {
    // Small answers must not wait for more to send.
    let _ = stream.set_nodelay(true);
    let answer = service_fn(move |request: Request<Incoming>| service.clone().oneshot(from(peer, request)));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(Patient::of(stream)), answer);
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

fn from(peer: SocketAddr, request: Request<Incoming>) -> Request<Body> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    request
}

/// A connection of the reserve: one question.
async fn tell_health(stream: TcpStream, peer: SocketAddr, service: Service) {
    let answer = service_fn(move |request: Request<Incoming>| {
        let service = service.clone();
        async move {
            if request.uri().path().starts_with("/health") {
                return service.oneshot(from(peer, request)).await;
            }
            Ok(full())
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(RESERVE_HEADER)
        .keep_alive(false)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(Patient::of(stream)), answer);
    // Whoever does not take the answer loses the place to the next one.
    let _ = connection.await;
}

fn full() -> Response {
    let mut full = ApiError::new(Kind::Unavailable, "the service has no connection left for you; try again in 5 s");
    full.retry_after = Some(5);
    full.into_response()
}

/// A connection whose peer has to take what it is sent, and to end its lines as everybody does.
struct Patient {
    stream: TcpStream,
    /// Since when it does not.
    late: Option<Pin<Box<Sleep>>>,
    heads: Heads,
}

impl Patient {
    fn of(stream: TcpStream) -> Self {
        Self { stream, late: None, heads: Heads::default() }
    }

    fn judged<T>(&mut self, wrote: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if wrote.is_ready() {
            self.late = None;
            return wrote;
        }
        let late = self.late.get_or_insert_with(|| Box::pin(tokio::time::sleep(UNREAD)));
        late.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = into.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, into);
        if !this.heads.pass(&into.filled()[before..]) {
            // Nobody below has seen it, so nobody answers it.
            let _ = this.stream.try_write(malformed().as_bytes());
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        read
    }
}

impl AsyncWrite for Patient {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let wrote = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.judged(wrote, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let wrote = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.judged(wrote, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_takes_its_part_and_no_more() {
        let doors = Doors { most: 40, ..Doors::new(false) };
        let at = |last: u8| SocketAddr::from(([203, 0, 113, last], 9));
        let held: Vec<_> = (0..10).map(|_| doors.admit(at(1)).expect("a place")).collect();
        assert!(doors.admit(at(1)).is_none());
        let others: Vec<_> =
            (2..5).flat_map(|last| (0..10).map(move |_| last)).filter_map(|last| doors.admit(at(last))).collect();
        assert_eq!(others.len(), 30);
        assert!(doors.admit(at(9)).is_none(), "all are taken");
        drop(held);
        assert!(doors.admit(at(9)).is_some());
        // A proxy brings everybody.
        let doors = Doors { most: 40, ..Doors::new(true) };
        let near = SocketAddr::from(([127, 0, 0, 1], 9));
        assert_eq!((0..50).map_while(|_| doors.admit(near)).collect::<Vec<_>>().len(), 40);
    }
}
