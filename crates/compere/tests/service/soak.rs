//! An hour among bad neighbours: `./test soak [SECONDS]`.
//!
//! Four tenants do whatever once hurt the service, all of it mixed and each from an address of its own, while a fifth
//! works as people do. What is looked at: no request of the fifth fails, the slowest hundredth of them stays quick, the
//! health always answers, and memory has an end. It is no part of `./test`, because it takes as long as it is told to.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::attacks::body_of;
use crate::house::{Client, House, film, key_beside, open};

/// The plan `api` with room for little: what strangers upload fills no disk, and its end is met, too.
const SETTINGS: &str = "welcome = false\nworkers = 1\n[limits]\nauth_per_minute = 600\n\
    [[plans]]\nname = \"api\"\nmonthly_credits = 6000\nstorage = 300\n";
const ABUSERS: u8 = 4;
/// Hands of each.
const HANDS: u8 = 4;
/// Megabytes that the service itself may take. Four accounts have room for four bodies of 10 MB each, and reading one
/// takes up to four times as much; beside them there are buffers, records and what the allocator keeps.
const MEMORY: u64 = 1000;
/// For the slowest hundredth of each kind of request of the one who behaves, on two cores that do nothing else. Where
/// others keep the machine busy it takes longer alone, too: then so many times what it takes alone.
const LATE: Duration = Duration::from_secs(3);
const TIMES: u32 = 10;
/// Part of the time in which the one who behaves is alone, before the others come.
const ALONE: f64 = 0.05;

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// Somebody with a token and an address.
struct Tenant {
    from: Ipv4Addr,
    to: SocketAddr,
    token: String,
    /// A project that is much to draw.
    heavy: String,
}

impl Tenant {
    fn new(house: &House, name: &str, last: u8) -> Self {
        let key = key_beside(house, &format!("{name}@example.com"), "api");
        let client = Client::new(house, &key.0, &key.1);
        let mut heavy = film("heavy");
        let clip = |n: usize| {
            json!({"id": format!("t{n}"), "type": "textImage", "layer": n, "left": 20 * n, "top": 10 * n,
                   "width": 1500, "height": 400, "text": "All of it at once", "fontSize": 90, "fill": "rgb(9,90,200)"})
        };
        heavy["scenes"][0]["clips"] = (0..40).map(clip).collect();
        let to = house.base.trim_start_matches("http://").parse().expect("an address");
        let heavy = client.draft(heavy);
        Self { from: Ipv4Addr::new(127, 0, 0, last), to, token: client.token, heavy }
    }

    /// A connection from the tenant's own address. Refused ones are none.
    fn connected(&self, runtime: &tokio::runtime::Runtime) -> Option<TcpStream> {
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            socket.bind(SocketAddr::from((self.from, 0)))?;
            socket.connect(self.to).await?.into_std()
        });
        let stream = stream.ok()?;
        stream.set_nonblocking(false).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(150))).ok()?;
        Some(stream)
    }

    fn head(&self, method: &str, path: &str, more: &str, length: usize) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {}\r\nContent-Length: {length}\r\nConnection: close\r\n{more}\r\n",
            self.token
        )
    }

    /// Sends a request on a connection of its own: the status and the body of the answer, if there is one.
    fn ask(&self, runtime: &tokio::runtime::Runtime, head: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
        let mut stream = self.connected(runtime)?;
        stream.write_all(head.as_bytes()).ok()?;
        // One that is refused early is answered before it was read.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let status = String::from_utf8_lossy(answer.get(9..12)?).parse().ok()?;
        let ends = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
        Some((status, answer.split_off(ends + 4)))
    }

    fn json(&self, runtime: &tokio::runtime::Runtime, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head = self.head(method, path, "Content-Type: application/json\r\n", body.len());
        let (status, answer) = self.ask(runtime, &head, body.as_bytes())?;
        Some((status, serde_json::from_slice(&answer).unwrap_or(Value::Null)))
    }
}

#[derive(Default)]
struct Soak {
    stop: AtomicBool,
    abuses: AtomicU64,
    refused: AtomicU64,
    took: Mutex<Vec<(&'static str, Duration)>>,
    failed: Mutex<Vec<String>>,
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

impl Soak {
    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    fn abuse(&self, tenant: &Tenant, seed: u64) {
        let (mut dice, mut held, runtime) = (Dice(seed * 7919 + 1), Vec::new(), runtime());
        while self.goes_on() {
            let kind = dice.roll(13);
            let told = match kind {
                5 => {
                    let path = format!("/api/odin/v3/editor/progress/{}/events", tenant.heavy);
                    held.extend(self.hold(tenant, &runtime, &tenant.head("GET", &path, "", 0), 20));
                    None
                }
                6 => {
                    held.extend(self.hold(tenant, &runtime, "GET / HTTP/1.1\r\nX-Slow: ", 40));
                    None
                }
                7 => {
                    // Asks for much and leaves.
                    let path = format!("/api/odin/v3/editor/project/{}/preview?width=1920", tenant.heavy);
                    drop(self.hold(tenant, &runtime, &tenant.head("GET", &path, "", 0), 4));
                    None
                }
                _ => tenant_asks(tenant, &runtime, kind, &mut dice),
            };
            self.abuses.fetch_add(1, Ordering::Relaxed);
            if told.is_some_and(|status| matches!(status, 400..)) {
                self.refused.fetch_add(1, Ordering::Relaxed);
            }
            if held.len() > 150 {
                held.drain(..100);
            }
        }
    }

    fn hold(&self, tenant: &Tenant, runtime: &tokio::runtime::Runtime, sent: &str, times: usize) -> Vec<TcpStream> {
        let one = |_| {
            let mut stream = tenant.connected(runtime)?;
            stream.write_all(sent.as_bytes()).ok()?;
            Some(stream)
        };
        (0..times).filter_map(one).collect()
    }

    /// A request of the one who behaves: it has to be answered, and well.
    fn noted(&self, what: &'static str, ask: impl FnOnce() -> Option<(u16, Value)>) -> Value {
        let started = Instant::now();
        let answer = ask();
        self.took.lock().expect("a lock").push((what, started.elapsed()));
        match answer {
            Some((200, json)) => json["data"].clone(),
            other => {
                self.failed.lock().expect("a lock").push(format!("{what}: {other:?}"));
                Value::Null
            }
        }
    }

    /// Writes a film, looks at it, asks what it costs and how far it is, throws it away.
    fn work(&self, tenant: &Tenant) {
        let (mut number, runtime) = (0, runtime());
        let ask = |method: &str, path: &str, body: Value| tenant.json(&runtime, method, path, &body);
        while self.goes_on() {
            number += 1;
            let mut draft = film("the day's work");
            draft["isExport"] = json!(false);
            let created = self.noted("create", || ask("POST", "/api/odin/v3/editor/project", draft));
            let id = created["projectId"].as_str().unwrap_or_default().to_owned();
            self.noted("read", || ask("GET", &format!("/api/odin/v3/editor/project/{id}"), Value::Null));
            let at = f64::from(number % 100) * 0.01;
            let frame = format!("/api/odin/v3/editor/project/{id}/preview?t={at}&width=320&format=jpg");
            self.noted("preview", || ask("GET", &frame, Value::Null));
            self.noted("estimate", || ask("POST", "/api/odin/v3/editor/estimate", film("the day's work")));
            self.noted("progress", || ask("GET", &format!("/api/odin/v3/editor/progress/{id}"), Value::Null));
            self.noted("delete", || ask("DELETE", "/api/odin/v3/editor/project", json!({ "ids": [id] })));
            self.noted("health", || ask("GET", "/health", Value::Null));
            std::thread::sleep(Duration::from_millis(500));
        }
    }
}

/// One abuse by a request, and how it was answered.
fn tenant_asks(tenant: &Tenant, runtime: &tokio::runtime::Runtime, kind: u64, dice: &mut Dice) -> Option<u16> {
    let ask = |method: &str, path: &str, body: Value| Some(tenant.json(runtime, method, path, &body)?.0);
    match kind {
        0 => {
            let piece = ["0,", "[],", "{\"a\":0},", "\"\","][dice.roll(4) as usize];
            let body = body_of(piece, 9_800_000);
            Some(tenant.ask(runtime, &tenant.head("POST", "/api/odin/v3/editor/project", "", body.len()), &body)?.0)
        }
        1 | 2 => {
            let (at, width) = (dice.roll(100_000) as f64 / 100.0, 640 + dice.roll(1281));
            let path = format!("/api/odin/v3/editor/project/{}/preview?t={at}&width={width}", tenant.heavy);
            ask("GET", &path, Value::Null)
        }
        3 => {
            let mut body = film("links");
            let url = format!("http://localhost:{}/a", dice.roll(60_000));
            body["checkAssets"] = json!(true);
            body["scenes"][0]["background"] = json!({ "source_type": "image", "source_url": url });
            ask("POST", "/api/odin/v3/editor/estimate", body)
        }
        4 => {
            let text = format!("Number {}. {}", dice.roll(1 << 40), "All of it at once. ".repeat(20));
            let body = json!({"text": text, "model": "nora", "tts": {"voice": "tone"}, "language": "en"});
            ask("POST", "/api/odin/v3/simple/audio", body)
        }
        8 => {
            let wrong = json!({"appId": "x".repeat(50_000), "userKey": dice.roll(1 << 50).to_string()});
            ask("POST", "/api/odin/v3/auth/token", wrong)
        }
        9 => {
            let mut form = b"--e\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n".to_vec();
            form.extend_from_slice(b"\x89PNG\r\n\x1a\n");
            form.extend((0..500_000).map(|n| (n ^ dice.0) as u8));
            form.extend_from_slice(b"\r\n--e--\r\n");
            let more = "Content-Type: multipart/form-data; boundary=e\r\n";
            Some(tenant.ask(runtime, &tenant.head("POST", "/api/odin/v3/assets", more, form.len()), &form)?.0)
        }
        10 => ask("POST", "/api/odin/v3/editor/project", film("one of many")),
        11 => {
            let mut form = b"--e\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n".to_vec();
            form.extend_from_slice(b"%PDF-1.4\n");
            form.extend((0..300_000).map(|n| (n ^ dice.0) as u8));
            form.extend_from_slice(b"\r\n--e--\r\n");
            let more = "Content-Type: multipart/form-data; boundary=e\r\n";
            Some(
                tenant
                    .ask(runtime, &tenant.head("POST", "/api/odin/v3/editor/project/pptpdf", more, form.len()), &form)?
                    .0,
            )
        }
        _ => {
            let list = tenant.json(runtime, "GET", "/api/odin/v3/editor/project?state=all&limit=100", &Value::Null)?.1;
            let ids = list["data"].as_array().into_iter().flatten().map(|one| one["id"].clone());
            let ids: Vec<Value> = ids.filter(|id| *id != tenant.heavy.as_str()).collect();
            ask("DELETE", "/api/odin/v3/editor/project", json!({ "ids": ids }))
        }
    }
}

/// Megabytes that a process has in memory.
fn memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("its status");
    let line = status.lines().find(|line| line.starts_with("VmRSS")).expect("its memory");
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).expect("a number") / 1024
}

/// How often each kind of request was made, its middle and its slowest hundredth.
fn told(took: &[(&'static str, Duration)]) -> Vec<(&'static str, usize, Duration, Duration)> {
    let kinds: std::collections::BTreeSet<&str> = took.iter().map(|(what, _)| *what).collect();
    let one = |kind: &'static str| {
        let mut times: Vec<Duration> = took.iter().filter(|(what, _)| *what == kind).map(|(_, took)| *took).collect();
        times.sort();
        (kind, times.len(), times[(times.len() - 1) / 2], times[(times.len() - 1) * 99 / 100])
    };
    kinds.into_iter().map(one).collect()
}

/// How the one who behaves fares without neighbours.
fn quiet(good: &Tenant, length: Duration) -> Vec<(&'static str, usize, Duration, Duration)> {
    let soak = Soak::default();
    std::thread::scope(|scope| {
        scope.spawn(|| soak.work(good));
        std::thread::sleep(length);
        soak.stop.store(true, Ordering::Relaxed);
    });
    told(&soak.took.into_inner().expect("a lock"))
}

#[test]
#[ignore = "takes an hour: ./test soak"]
fn soak() {
    let seconds: f64 = std::env::var("COMPERE_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(3600.0);
    let (house, mut child) = open(SETTINGS, "soak");
    let good = Tenant::new(&house, "good", 10);
    let bad: Vec<Tenant> = (0..ABUSERS).map(|n| Tenant::new(&house, &format!("bad{n}"), 11 + n)).collect();
    let soak = Soak::default();
    let alone = quiet(&good, Duration::from_secs_f64((seconds * ALONE).clamp(10.0, 120.0)));
    let mut seen: Vec<u64> = Vec::new();
    std::thread::scope(|scope| {
        let (soak, good) = (&soak, &good);
        for (n, tenant) in bad.iter().enumerate() {
            for hand in 0..HANDS {
                scope.spawn(move || soak.abuse(tenant, n as u64 * u64::from(HANDS) + u64::from(hand) + 1));
            }
        }
        scope.spawn(move || soak.work(good));
        let started = Instant::now();
        while started.elapsed().as_secs_f64() < seconds {
            std::thread::sleep(Duration::from_secs(5));
            seen.push(memory(child.id()));
            if seen.len().is_multiple_of(12) {
                let abuses = soak.abuses.load(Ordering::Relaxed);
                println!("{:>5.0} s: {} MB, {abuses} abuses", started.elapsed().as_secs_f64(), seen[seen.len() - 1]);
            }
        }
        soak.stop.store(true, Ordering::Relaxed);
    });
    let (took, failed) = (soak.took.into_inner().expect("a lock"), soak.failed.into_inner().expect("a lock"));
    let table = told(&took);
    println!("{:<10} {:>7} {:>10} {:>10} {:>16}", "request", "times", "median", "p99", "median alone");
    for ((what, times, middle, late), (_, _, before, _)) in table.iter().zip(&alone) {
        println!("{what:<10} {times:>7} {middle:>10.1?} {late:>10.1?} {before:>16.1?}");
    }
    let (first, last) = seen.split_at(seen.len() / 2);
    let peak = |seen: &[u64]| seen.iter().copied().max().unwrap_or_default();
    println!("{} abuses, {} of them refused", soak.abuses.into_inner(), soak.refused.into_inner());
    println!("memory of the service: at most {} MB in the first half, {} MB in the second", peak(first), peak(last));
    child.kill().expect("it ends");
    let _ = child.wait();
    assert!(
        failed.is_empty(),
        "{} requests of the one who behaves failed: {:?}",
        failed.len(),
        &failed[..failed.len().min(5)]
    );
    assert!(peak(&seen) < MEMORY, "{seen:?}");
    assert!(peak(last) <= peak(first) * 5 / 4 + 100, "memory grows: {seen:?}");
    for ((what, times, _, late), (_, _, _, before)) in table.into_iter().zip(alone) {
        assert!(times > 3, "{what} was asked for {times} times");
        assert!(late < LATE.max(before * TIMES), "{what}: {late:?}, alone {before:?}");
    }
}
