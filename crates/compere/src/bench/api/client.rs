//! One client: a token, a connection, and questions with pauses between them.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, header};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

/// An id and a key.
pub(in crate::bench) type Pair = (String, String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Read,
    Write,
}

/// One request and its answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told {
    pub(super) deed: Deed,
    /// 0 where there was none.
    pub(super) status: u16,
    /// From the first byte sent to the last one received.
    pub(super) millis: f64,
}

/// Lives until `end` and tells what it saw. The token does not count: it is asked for once a day.
pub(super) async fn live(address: SocketAddr, key: Pair, seed: u64, end: Instant) -> Result<Vec<Told>, String> {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    // They did not all start in the same second.
    tokio::time::sleep(Duration::from_millis(dice.below(3000))).await;
    let mut line = Line::signed_in(address, seed, &key).await?;
    let (status, answer) = line.ask(Method::GET, "/api/odin/v3/editor/project?state=all", None).await;
    let mut project = answer["data"][0]["id"].as_str().ok_or(format!("no project: {status} {answer}"))?.to_owned();
    let (mut told, mut number) = (Vec::new(), 0);
    while Instant::now() < end {
        number += 1;
        let (deed, method, path, body) = wish(dice.below(100), &project, seed, number);
        let asked = Instant::now();
        let (status, answer) = line.ask(method, &path, body).await;
        told.push(Told { deed, status, millis: asked.elapsed().as_secs_f64() * 1e3 });
        if let Some(id) = answer["data"]["projectId"].as_str() {
            id.clone_into(&mut project);
        }
        tokio::time::sleep(Duration::from_millis(500 + dice.below(1000))).await;
    }
    Ok(told)
}

/// What a client wants, of a hundred: 60 progress, 16 a project, 14 the list, 5 whether the token holds, 1 a new film,
/// 2 a new draft, 2 an edit.
fn wish(of_hundred: u64, project: &str, client: u64, number: u64) -> (Deed, Method, String, Option<Value>) {
    let read = |path: String| (Deed::Read, Method::GET, path, None);
    match of_hundred {
        0..60 => read(format!("/api/odin/v3/editor/progress/{project}")),
        60..76 => read(format!("/api/odin/v3/editor/project/{project}")),
        76..90 => read("/api/odin/v3/editor/project?state=all&limit=20".to_owned()),
        90..95 => read("/api/odin/v3/auth".to_owned()),
        95..98 => {
            let mut body = film(&format!("Film {number}"), &format!("Film {number} of client {client}."), 3);
            body["isExport"] = json!(of_hundred == 95);
            (Deed::Write, Method::POST, "/api/odin/v3/editor/project".to_owned(), Some(body))
        }
        _ => {
            let values = json!({"text": format!("Edited {number}")});
            let updates = json!([{"sceneIdx": 0, "type": "textImage", "values": values}]);
            let body = json!({"updates": updates, "isExport": false});
            (Deed::Write, Method::POST, format!("/api/odin/v3/editor/project/{project}"), Some(body))
        }
    }
}

/// A connection that is kept, and opened again when the service closed it.
pub(in crate::bench) struct Line {
    address: SocketAddr,
    from: String,
    open: Option<SendRequest<Body>>,
    token: String,
}

impl Line {
    pub(in crate::bench) async fn signed_in(address: SocketAddr, number: u64, key: &Pair) -> Result<Self, String> {
        // As the proxy in front names them: each client calls from an address of its own.
        let from = std::net::Ipv4Addr::from(0x0A00_0000 + number as u32 + 1).to_string();
        let mut line = Self { address, from, open: None, token: String::new() };
        let credentials = json!({"appId": key.0, "userKey": key.1});
        let (status, answer) = line.ask(Method::POST, "/api/odin/v3/auth/token", Some(credentials)).await;
        line.token = answer["data"]["token"].as_str().ok_or(format!("no token: {status} {answer}"))?.to_owned();
        Ok(line)
    }

    pub(super) async fn create(&mut self, film: Value) -> Result<(), String> {
        let (status, answer) = self.ask(Method::POST, "/api/odin/v3/editor/project", Some(film)).await;
        if status == 200 { Ok(()) } else { Err(format!("no project: {status} {answer}")) }
    }

    /// Status and body; status 0 where the connection broke.
    pub(in crate::bench) async fn ask(&mut self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        match self.try_asking(method, path, body).await {
            Ok(answer) => answer,
            Err(why) => {
                self.open = None;
                (0, Value::String(why))
            }
        }
    }

    /// A file behind a link.
    pub(in crate::bench) async fn fetch(&mut self, path: &str) -> (u16, Vec<u8>) {
        self.send(Method::GET, path, None).await.unwrap_or_default()
    }

    async fn try_asking(&mut self, method: Method, path: &str, body: Option<Value>) -> Result<(u16, Value), String> {
        let (status, bytes) = self.send(method, path, body).await?;
        Ok((status, serde_json::from_slice(&bytes).unwrap_or(Value::Null)))
    }

    async fn send(&mut self, method: Method, path: &str, body: Option<Value>) -> Result<(u16, Vec<u8>), String> {
        fn said(error: impl std::fmt::Display) -> String {
            error.to_string()
        }
        let mut open = match self.open.take().filter(|open| !open.is_closed()) {
            Some(open) => open,
            None => connect(self.address).await?,
        };
        open.ready().await.map_err(said)?;
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, self.address.to_string())
            .header("x-forwarded-for", &self.from)
            .header(header::AUTHORIZATION, &self.token)
            .header(header::CONTENT_TYPE, "application/json")
            .body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())));
        let answer = open.send_request(request.map_err(said)?).await.map_err(said)?;
        let status = answer.status().as_u16();
        let bytes = to_bytes(Body::new(answer.into_body()), 64 << 20).await.map_err(said)?;
        self.open = Some(open);
        Ok((status, bytes.to_vec()))
    }
}

async fn connect(address: SocketAddr) -> Result<SendRequest<Body>, String> {
    let stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    let (open, connection) = handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    tokio::spawn(connection);
    Ok(open)
}

/// The same questions in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % limit
    }
}

/// Spoken by the voice and shown by the presenter that cost next to nothing: the service is measured, not the worker.
pub(super) fn film(name: &str, words: &str, scenes: usize) -> Value {
    let scene = |at: usize| {
        json!({
            "sceneIdx": at,
            "background": {"id": "background", "type": "background", "source_color": "rgb(32,64,96)"},
            "scripts": [{"org": format!("{words} Scene {at}."), "isTTS": true, "tts": {"voice": "tone"},
                         "modelId": "figure", "clothId": "figure/plain"}],
            "clips": [
                {"id": "presenter", "type": "aiModel", "layer": 2, "left": 1200, "top": 180, "width": 600, "height": 900,
                 "model": {"ai_name": "figure", "emotion": "figure/plain"}},
                {"id": "title", "type": "textImage", "layer": 1, "left": 100, "top": 100, "width": 900, "height": 200,
                 "text": format!("{name}, part {at}"), "fill": "rgb(255,255,255)", "fontSize": 60},
            ],
        })
    };
    json!({"name": name, "resolution": "480", "scenes": (0..scenes).map(scene).collect::<Vec<_>>()})
}
