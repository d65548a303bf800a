//! What must not work. The threats are listed in docs/security.md.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::house::{account, admin, film, house, open, send};

/// What tests need to hurt the service with is in a program of its own (`compere-trial`).
#[test]
fn the_product_can_neither_be_told_to_die_nor_misled() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_compere")).expect("reads");
    let holds = |word: &str| program.windows(word.len()).any(|window| window == word.as_bytes());
    assert!(holds("COMPERE_DATA"), "words can be found");
    let unwanted = ["COMPERE_CRASH_AT", "COMPERE_HOLD_AT", "COMPERE_PANIC_AT", "COMPERE_CLOCK_AHEAD", "TestCatalogue"];
    for word in unwanted {
        assert!(!holds(word), "{word}");
    }
}

#[test]
fn foreign_and_unknown_projects_are_answered_alike() {
    let (stranger, _) = account("curious@example.com", "api");
    let (own, unknown) = (admin().draft(film("secret")), "000000000000000000000000");
    let same = |method: &str, path: &dyn Fn(&str) -> String, body: Option<serde_json::Value>| {
        let answers = [own.as_str(), unknown].map(|id| {
            let error = stranger.with(method, &path(id), &[], body.clone()).fails(404, 4040);
            error["msg"].as_str().unwrap_or_default().replace(id, "ID")
        });
        assert_eq!(answers[0], answers[1]);
    };
    same("GET", &|id| format!("/api/odin/v3/editor/project/{id}"), None);
    same("GET", &|id| format!("/api/odin/v3/editor/progress/{id}"), None);
    same("GET", &|id| format!("/api/odin/v3/editor/progress/{id}/events"), None);
    same("GET", &|id| format!("/api/odin/v3/editor/project/{id}/preview"), None);
    same("GET", &|id| format!("/api/odin/editor/project/{id}"), None);
    same("GET", &|id| format!("/api/odin/editor/progress/{id}"), None);
    same("POST", &|id| format!("/api/odin/simple/find/{id}"), Some(json!({})));
    same("POST", &|id| format!("/api/odin/v3/editor/project/{id}/cancel"), Some(json!({})));
    same("POST", &|id| format!("/api/odin/editor/project/duplicate/{id}"), Some(json!({})));
    let edit = json!({ "updates": [{ "sceneIdx": 0, "type": "textImage", "values": {} }] });
    same("POST", &|id| format!("/api/odin/v3/editor/project/{id}"), Some(edit));
    let error = stranger.post("/api/odin/v3/editor/project/export", json!({ "projectId": own })).fails(404, 4040);
    assert!(!error["msg"].as_str().unwrap_or_default().contains("secret"));
}

#[test]
fn links_cannot_be_altered_and_end() {
    let client = admin();
    let id = client.create(film("signed"));
    let url = client.wait(&id)["data"]["downloadUrl"].as_str().expect("an address").to_owned();
    assert_eq!(send("HEAD", &url, &[], None).status, 200);
    let parts: Vec<&str> = url.split('/').collect();
    let with = |at: usize, value: &str| {
        let mut parts = parts.clone();
        parts[at] = value;
        parts.join("/")
    };
    let far = (parts[6].parse::<i64>().expect("a time") + 3600).to_string();
    let turned = parts[7].chars().rev().collect::<String>();
    let cases = [
        with(4, "000000000000000000000000"),
        with(5, "poster"),
        with(6, &far),
        with(6, "1"),
        with(7, &turned),
        with(7, ""),
    ];
    for altered in cases {
        assert_eq!(send("GET", &altered, &[], None).status, 404, "{altered}");
    }
    // The name is for people and not part of what is signed.
    assert_eq!(send("HEAD", &with(8, "other.mp4"), &[], None).status, 200);
}

#[test]
fn an_expired_link_is_no_link() {
    let (house, mut child) = open("welcome = false\nlink_days = 0\nworkers = 1\n", "expired");
    let client = crate::house::Client::new(&house, &house.app_id, &house.user_key);
    let id = client.create(film("short"));
    let url = client.wait(&id)["data"]["downloadUrl"].as_str().expect("an address").to_owned();
    send("GET", &url, &[], None).fails(404, 4040);
    child.kill().expect("it ends");
    let _ = child.wait();
}

#[test]
fn paths_cannot_climb() {
    let base = &house().base;
    for path in [
        "/media/a/..%2f..%2fcompere.db/x/y",
        "/media/s/..%2f../x/slide-1.png",
        "/files/..%2f..%2fcompere.db/film/1/x/y",
        "/docs/..%2f..%2fetc%2fpasswd",
        "/media/p/..%2f../x.jpg",
        "/..%2f..%2f..%2fetc/passwd",
        "/media/s/x/y/slide-1.png%2f..%2f..",
    ] {
        let reply = send("GET", &format!("{base}{path}"), &[], None);
        assert!(matches!(reply.status, 400 | 404), "{path}: {}", reply.status);
        assert!(!String::from_utf8_lossy(&reply.bytes).contains("root:"), "{path}");
    }
}

#[test]
fn guessing_keys_is_slowed_down() {
    let (house, mut child) = open("welcome = false\n[limits]\nauth_per_minute = 5\n", "guessed");
    let url = format!("{}/api/odin/v3/auth/token", house.base);
    let guess = || {
        let body = json!({ "appId": house.app_id, "userKey": "00000000-0000-4000-8000-000000000000" });
        send("POST", &url, &[], Some(body.to_string().into()))
    };
    for _ in 0..5 {
        guess().fails(401, 4012);
    }
    let refused = guess();
    refused.fails(429, 4290);
    assert!(!refused.header("retry-after").is_empty());
    child.kill().expect("it ends");
    let _ = child.wait();
}

fn raw(bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(house().base.trim_start_matches("http://")).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    stream.write_all(bytes).expect("it is taken");
    stream
}

#[test]
fn slow_heads_are_let_go() {
    let started = Instant::now();
    let mut stream = raw(b"GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
}

#[test]
fn endless_heads_are_refused() {
    let mut stream = raw(b"GET /health/live HTTP/1.1\r\nHost: x\r\n");
    let line = format!("X-Long: {}\r\n", "a".repeat(8000));
    let mut refused = false;
    for _ in 0..64 {
        if stream.write_all(line.as_bytes()).is_err() {
            refused = true;
            break;
        }
    }
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(refused || rest.starts_with(b"HTTP/1.1 431"), "{}", String::from_utf8_lossy(&rest));
}

#[test]
fn a_body_that_is_announced_too_large_is_not_read() {
    let head = format!(
        "POST /api/odin/v3/editor/project HTTP/1.1\r\nHost: x\r\nAuthorization: {}\r\nContent-Length: 9999999999\r\n\r\n",
        admin().token
    );
    let mut stream = raw(head.as_bytes());
    let mut start = [0; 12];
    stream.read_exact(&mut start).expect("an answer before the body");
    assert_eq!(&start, b"HTTP/1.1 413");
}

#[test]
fn links_of_scenes_and_webhooks_are_web_addresses_without_credentials() {
    let client = admin();
    for link in ["file:///etc/passwd", "http://user:secret@example.com/a.png", "gopher://x/", "/../../etc/passwd"] {
        let mut body = film("x");
        body["scenes"][0]["background"] = json!({ "source_type": "image", "source_url": link });
        let reply = client.post("/api/odin/v3/editor/estimate", body);
        let mut hook = film("x");
        hook["webhookUrl"] = json!(link);
        client.post("/api/odin/v3/editor/project", hook).fails(400, 4001);
        assert_eq!(reply.status, 200);
    }
}

#[test]
fn secrets_are_nowhere_in_clear() {
    let client = admin();
    let id = client.create(film("hidden"));
    let url = client.wait(&id)["data"]["downloadUrl"].as_str().expect("an address").to_owned();
    send("GET", &url, &[], None);
    let signature = url.split('/').nth(7).expect("a signature").to_owned();
    let log = std::fs::read_to_string(&house().log).expect("a log");
    for secret in [client.token.as_str(), house().user_key.as_str(), signature.as_str(), "Hello there."] {
        assert!(!log.contains(secret), "the log tells {secret}");
    }
    for name in ["compere.db", "compere.db-wal"] {
        let records = std::fs::read(house().data.join(name)).unwrap_or_default();
        for secret in [client.token.as_str(), house().user_key.as_str()] {
            let found = records.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{name} holds a secret in clear");
        }
    }
}

#[test]
fn a_revoked_pair_ends_its_tokens() {
    let (client, _) = account("revoked@example.com", "api");
    client.get("/api/odin/v3/auth").data();
    client.with("DELETE", "/api/odin/v3/auth/token", &[], None).data();
    client.get("/api/odin/v3/auth").fails(401, 4010);
}
