//! Attacks on availability, each as it was once carried out. docs/security.md names them.

use std::process::Child;
use std::time::{Duration, Instant};

use crate::house::{Client, open, send};

const QUIET: &str = "welcome = false\nworkers = 1\n[limits]\nauth_per_minute = 100000\n";

fn end(mut child: Child) {
    child.kill().expect("it ends");
    let _ = child.wait();
}

/// The most memory that a process had since it was asked to forget, in bytes.
fn peak(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("its status");
    let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("its peak");
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).expect("a number") * 1024
}

fn forget_peak(pid: u32) {
    std::fs::write(format!("/proc/{pid}/clear_refs"), "5").expect("forgets");
}

fn body_of(piece: &str, bytes: usize) -> Vec<u8> {
    format!("{{\"scenes\":[{}0]}}", piece.repeat(bytes / piece.len())).into_bytes()
}

#[test]
fn bodies_of_many_small_things_cost_neither_time_nor_memory() {
    let (house, child) = open(QUIET, "weighed");
    let client = Client::new(&house, &house.app_id, &house.user_key);
    let url = format!("{}/api/odin/v3/editor/project", house.base);
    let post = |body: Vec<u8>| send("POST", &url, &[("authorization", &client.token)], Some(body));
    post(b"{}".to_vec()).fails(400, 4001);
    forget_peak(child.id());
    let before = peak(child.id());
    let mut slowest = Duration::ZERO;
    for piece in ["0,", "[],", "{\"a\":0},", "\"\",", "[[0]],"] {
        let body = body_of(piece, 9_800_000);
        let started = Instant::now();
        let error = post(body).fails(413, 4130);
        slowest = slowest.max(started.elapsed());
        assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("memory")), "{error}");
    }
    post(body_of("[", 1_000_000)).fails(400, 4000);
    // As many as just go in are told what is wrong with them, and not with each of them.
    let started = Instant::now();
    let error = post(body_of("0,", 500_000)).fails(400, 4001);
    slowest = slowest.max(started.elapsed());
    assert!(error["details"].as_array().is_some_and(|details| details.len() <= 1000), "too many problems");
    let alone = peak(child.id()) - before;
    // A dozen at once: an account has room for four, the others wait.
    std::thread::scope(|scope| {
        for at in 0..12 {
            let post = &post;
            scope.spawn(move || post(body_of(["0,", "{\"a\":0},"][at % 2], 9_800_000)).fails(413, 4130));
        }
    });
    let together = peak(child.id()) - before;
    println!("slowest {slowest:?}; {} MB alone, {} MB for twelve at once", alone >> 20, together >> 20);
    // The limit of a body is 10 MB, and the process itself warms up beside it.
    assert!(alone <= 40_000_000 + 16_000_000, "{alone} bytes for one request");
    assert!(together <= 4 * 40_000_000, "{together} bytes for an account");
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    end(child);
}
