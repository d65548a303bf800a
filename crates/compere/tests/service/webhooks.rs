//! News of exports. How they are carried is tested where that is done; here is what receivers get.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::house::{admin, film};

struct News {
    method: String,
    target: String,
    headers: Vec<String>,
    body: String,
}

/// Takes one request and says yes.
fn receiver() -> (String, mpsc::Receiver<News>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let (told, hear) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
            let mut lines = Vec::new();
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
                    break;
                }
                lines.push(line.trim().to_owned());
            }
            let length =
                lines.iter().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            reader.read_exact(&mut body).expect("a body");
            let mut stream = stream;
            stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").expect("an answer");
            let mut first = lines.first().map_or("", String::as_str).split(' ');
            let word = |text: Option<&str>| text.unwrap_or_default().to_owned();
            let news = News {
                method: word(first.next()),
                target: word(first.next()),
                headers: lines.split_off(1),
                body: String::from_utf8_lossy(&body).into_owned(),
            };
            if told.send(news).is_err() {
                return;
            }
        }
    });
    (address, hear)
}

#[test]
fn a_finished_export_is_told_with_query_and_body() {
    let (address, news) = receiver();
    let mut body = film("told");
    body["webhookUrl"] = json!(format!("{address}/hook?key=mine"));
    body["callbackId"] = json!("c-9");
    let id = admin().create(body);
    let news = news.recv_timeout(Duration::from_secs(240)).expect("a delivery");
    assert_eq!(news.method, "POST");
    for part in ["/hook?key=mine&", "ai_progress_update_loc=", "videoUrl=http", "duration=1"] {
        assert!(news.target.contains(part), "{part} is not in {}", news.target);
    }
    let told: Value = serde_json::from_str(&news.body).expect("JSON");
    assert_eq!((&told["event"], &told["projectId"]), (&json!("export.completed"), &json!(id)));
    assert_eq!((&told["progress"], &told["credit"], &told["callbackId"]), (&json!(100), &json!(1), &json!("c-9")));
    for name in ["webhook-id:", "webhook-timestamp:", "webhook-signature:"] {
        assert!(news.headers.iter().any(|line| line.to_lowercase().starts_with(name)), "{name}: {:?}", news.headers);
    }
}

#[test]
fn get_can_be_asked_for() {
    let (address, news) = receiver();
    let mut body = film("by get");
    body["webhookUrl"] = json!(address);
    body["webhookMethod"] = json!("GET");
    admin().create(body);
    let news = news.recv_timeout(Duration::from_secs(240)).expect("a delivery");
    assert_eq!((news.method.as_str(), news.body.as_str()), ("GET", ""));
    assert!(news.target.contains("videoUrl="), "{}", news.target);
}

#[test]
fn a_failed_export_is_told_too() {
    let (address, news) = receiver();
    let mut body = film("broken and told");
    body["scenes"][0]["background"] = json!({ "source_type": "image", "source_url": "/images/background/none.png" });
    body["webhookUrl"] = json!(address);
    admin().create(body);
    let news = news.recv_timeout(Duration::from_secs(240)).expect("a delivery");
    assert!(news.target.contains("state=failed") && !news.target.contains("videoUrl"), "{}", news.target);
    let told: Value = serde_json::from_str(&news.body).expect("JSON");
    assert_eq!(told["event"], json!("export.failed"));
}
