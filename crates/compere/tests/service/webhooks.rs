//! News of exports. How they are carried is tested where that is done; here is what receivers get.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};

use crate::house::{account, admin, film, house, send};

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
    let secret = admin().get("/api/odin/v3/account/webhook-secret").data()["secret"].clone();
    let secret = secret.as_str().expect("a secret");
    assert!(news.is_signed_with(secret), "{:?}", news.headers);
    assert!(news.target.contains("videoUrl="), "{}", news.target);
    // What libraries verify, which want JSON.
    let payload = news.header("webhook-payload").to_owned();
    let told: Value = serde_json::from_str(&payload).expect("JSON");
    assert_eq!(told["event"], json!("export.completed"), "{told}");
    assert!(News { body: payload, ..news }.is_signed_with(secret));
}

#[test]
fn a_failed_export_is_told_too() {
    let (address, news) = receiver();
    let mut body = film("broken and told");
    body["scenes"][0]["background"] = json!({ "source_type": "image", "source_url": "http://127.0.0.1:9/missing.png" });
    body["webhookUrl"] = json!(address);
    admin().create(body);
    let news = news.recv_timeout(Duration::from_secs(240)).expect("a delivery");
    assert!(news.target.contains("state=failed") && !news.target.contains("videoUrl"), "{}", news.target);
    let told: Value = serde_json::from_str(&news.body).expect("JSON");
    assert_eq!(told["event"], json!("export.failed"));
}

/// A receiver named by an address that is never called is refused when it is named; names are judged when they are called.
#[test]
fn receivers_inside_the_network_are_refused_at_once() {
    let client = admin();
    let ask = |url: &str| {
        let mut body = film("inward");
        body["isExport"] = json!(false);
        body["webhookUrl"] = json!(url);
        client.post("/api/odin/v3/editor/project", body)
    };
    for url in [
        "http://10.0.0.7/hook",
        "http://169.254.169.254/latest",
        "http://[fd00::1]/hook",
        "http://[::ffff:192.168.1.1]/hook",
        "https://2130706434/hook",
        "http://1.1.1.1:25/hook",
    ] {
        let error = ask(url).fails(400, 4001);
        assert_eq!(error["details"][0]["path"], json!("webhookUrl"), "{url}: {error}");
        assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("allow")), "{url}: {error}");
    }
    let mut body = json!({ "language": "en", "text": "Hi.", "model": "nora", "clothes": "nora/blazer" });
    body["webhook"] = json!("http://192.168.0.1/");
    let error = client.post("/api/odin/simple/video", body).fails(400, 4001);
    assert_eq!(error["details"][0]["path"], json!("webhook"), "{error}");
    // Allowed by the settings of this house, public, or a name that nobody has asked for yet.
    for url in ["http://127.0.0.1:9/hook", "https://1.1.1.1/hook", "http://inside.example/hook"] {
        ask(url).data();
    }
}

#[test]
fn tries_are_counted() {
    let (address, news) = receiver();
    let mut body = film("counted");
    body["webhookUrl"] = json!(address);
    admin().create(body);
    news.recv_timeout(Duration::from_secs(240)).expect("a delivery");
    let counted = || {
        let numbers = send("GET", &format!("{}/metrics", house().base), &[], None);
        let text = String::from_utf8(numbers.bytes).expect("text");
        let line = text.lines().find(|line| line.starts_with("compere_webhook_tries_total{answer=\"2xx\"}"));
        line.and_then(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).is_some_and(|count| count >= 1.0)
    };
    // It is counted once the answer was read, which the receiver cannot see.
    for _ in 0..600 {
        if counted() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no try was counted");
}

#[test]
fn a_webhook_can_be_sent_once_more() {
    let (address, news) = receiver();
    let mut body = film("told twice");
    body["webhookUrl"] = json!(address);
    let client = admin();
    let id = client.create(body);
    client.wait(&id);
    let first = news.recv_timeout(Duration::from_secs(20)).expect("news");
    let path = format!("/api/odin/v3/editor/project/{id}/exports");
    let settled = || {
        for _ in 0..100 {
            let sent = client.get(&path).data()[0]["webhooks"][0].clone();
            if sent["state"] == json!("delivered") {
                return sent;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("{}", client.get(&path).data());
    };
    let sent = settled();
    assert_eq!(sent["tries"][0]["status"], json!(204), "{sent}");
    let replay = format!("/api/odin/v3/webhooks/{}/replay", sent["id"].as_str().expect("an id"));
    client.post(&replay, json!({})).data();
    let again = news.recv_timeout(Duration::from_secs(20)).expect("news once more");
    assert_eq!(again.body, first.body);
    client.post("/api/odin/v3/webhooks/unknown/replay", json!({})).fails(404, 4040);
}

impl News {
    fn header(&self, name: &str) -> &str {
        let line = self.headers.iter().find(|line| line.to_lowercase().starts_with(&format!("{name}:")));
        line.and_then(|line| line.split_once(": ")).map_or("", |(_, value)| value)
    }

    /// As the libraries of Standard Webhooks verify it.
    fn is_signed_with(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.trim_start_matches("whsec_")).expect("base64");
        let text = format!("{}.{}.{}", self.header("webhook-id"), self.header("webhook-timestamp"), self.body);
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        let signature = format!("v1,{}", STANDARD.encode(hmac::sign(&key, text.as_bytes())));
        self.header("webhook-signature").split(' ').any(|one| one == signature)
    }

    fn told(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

/// The document describes what arrives: event by event, and closed.
fn is_described(told: &Value) {
    let document = send("GET", &format!("{}/docs/openapi.json", house().base), &[], None).json();
    let event = told["event"].as_str().expect("an event");
    let content = &document["webhooks"][event]["post"]["requestBody"]["content"]["application/json"]["schema"];
    let name = content["$ref"].as_str().expect("a schema").trim_start_matches("#/components/schemas/");
    let mut schema = document["components"]["schemas"][name].clone();
    schema["additionalProperties"] = json!(false);
    schema["components"] = document["components"].clone();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let wrong: Vec<String> = validator.iter_errors(told).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{event}: {wrong:?}\n{told}");
}

#[test]
fn endpoints_are_told_of_what_they_chose() {
    let (everything, all) = receiver();
    let (failures, failed) = receiver();
    let (client, _) = account("newsroom@example.com", "api");
    let hooks = "/api/odin/v3/account/webhooks";
    let add = |body: Value| client.post(hooks, body).data();
    let first = add(json!({"url": format!("{everything}/all?of=it"), "name": "everything"}));
    let second = add(json!({"url": failures, "events": ["export.failed", "export.cancelled"]}));
    assert_eq!(first["events"].as_array().map(Vec::len), Some(6), "{first}");
    assert_eq!(client.get(hooks).data(), json!([first, second]));
    let one = |id: &Value| format!("{hooks}/{}", id.as_str().expect("an id"));
    assert_eq!(client.get(&one(&second["id"])).data(), second);

    let made = client.create(film("told to all"));
    let mut broken = film("told to both");
    broken["scenes"][0]["background"] = json!({"source_type": "image", "source_url": "http://127.0.0.1:9/no.png"});
    client.wait(&made);
    let lost = client.create(broken);
    client.wait(&lost);
    let mut heard = Vec::new();
    for _ in 0..4 {
        let news = all.recv_timeout(Duration::from_secs(60)).expect("news");
        let told = news.told();
        assert_eq!(news.target, "/all?of=it", "nothing is appended");
        assert!(news.is_signed_with(first["secret"].as_str().expect("a secret")), "{:?}", news.headers);
        is_described(&told);
        heard.push((told["event"].as_str().unwrap_or_default().to_owned(), told["projectId"].clone()));
    }
    heard.sort_by_key(|(event, _)| event.clone());
    let events: Vec<&str> = heard.iter().map(|(event, _)| event.as_str()).collect();
    assert_eq!(events, ["export.completed", "export.failed", "export.started", "export.started"]);
    assert_eq!((&heard[0].1, &heard[1].1), (&json!(made), &json!(lost)));
    let news = failed.recv_timeout(Duration::from_secs(60)).expect("news");
    assert!(news.is_signed_with(second["secret"].as_str().expect("a secret")));
    assert!(failed.recv_timeout(Duration::from_secs(2)).is_err(), "it chose failures alone");

    let sent = client.get(&format!("{}/deliveries", one(&first["id"]))).data();
    assert_eq!(sent.as_array().map(Vec::len), Some(4), "{sent}");
    // Page by page it is the same list; the header leads from each to the next.
    let mut next = format!("{}/deliveries?limit=3", one(&first["id"]));
    let mut pages = Vec::new();
    while let Some(path) = Some(std::mem::take(&mut next)).filter(|path| !path.is_empty()) {
        let page = client.get(&path);
        let link = page.header("link").to_owned();
        pages.extend(page.data().as_array().expect("a list").iter().cloned());
        if let Some((address, _)) = link.trim_start_matches('<').split_once('>') {
            next = address.strip_prefix(&client.base).expect("ours").to_owned();
        }
    }
    assert_eq!(json!(pages), sent);
    let replay = format!("/api/odin/v3/webhooks/{}/replay", sent[0]["id"].as_str().expect("an id"));
    client.post(&replay, json!({})).data();
    assert_eq!(all.recv_timeout(Duration::from_secs(20)).expect("once more").body, sent[0]["body"]);
    let history = client.get(&format!("/api/odin/v3/editor/project/{made}/exports")).data();
    assert_eq!(history[0]["webhooks"][0]["endpointId"], first["id"], "{history}");
}

#[test]
fn endpoints_are_called_on_demand_and_change() {
    let (address, news) = receiver();
    let (client, _) = account("caller@example.com", "api");
    let hooks = "/api/odin/v3/account/webhooks";
    let hook = client.post(hooks, json!({"url": address, "events": ["import.failed"]})).data();
    let path = format!("{hooks}/{}", hook["id"].as_str().expect("an id"));
    let ping = client.post(&format!("{path}/ping"), json!({})).data();
    assert_eq!((&ping["state"], &ping["tries"][0]["status"]), (&json!("delivered"), &json!(204)), "{ping}");
    let heard = news.recv_timeout(Duration::from_secs(5)).expect("a ping");
    assert!(heard.is_signed_with(hook["secret"].as_str().expect("a secret")));
    is_described(&heard.told());

    let changed = client.post(&format!("{path}/secret"), json!({})).data();
    assert!(changed["formerSecretUntil"].is_string() && changed["secret"] != hook["secret"], "{changed}");
    client.post(&format!("{path}/ping"), json!({})).data();
    let heard = news.recv_timeout(Duration::from_secs(5)).expect("a ping");
    for secret in [&hook["secret"], &changed["secret"]] {
        assert!(heard.is_signed_with(secret.as_str().expect("a secret")), "both sign for a day");
    }
    let deaf = json!({"url": "http://127.0.0.1:9/nobody", "name": "moved"});
    let moved = client.post(&path, deaf).data();
    assert_eq!((&moved["name"], &moved["events"]), (&json!("moved"), &hook["events"]), "the rest stays");
    let ping = client.post(&format!("{path}/ping"), json!({})).data();
    assert_eq!((&ping["state"], &ping["tries"][0]["status"]), (&json!("failed"), &Value::Null), "{ping}");

    let wrong =
        client.post(hooks, json!({"url": "http://10.0.0.7/", "events": ["ping"], "enabled": 1})).fails(400, 4001);
    let paths: Vec<&Value> = wrong["details"].as_array().expect("details").iter().map(|one| &one["path"]).collect();
    assert_eq!(paths, [&json!("enabled"), &json!("events[0]"), &json!("url")], "{wrong}");
    let (stranger, _) = account("eavesdropper@example.com", "api");
    stranger.get(&path).fails(404, 4040);
    stranger.post(&format!("{path}/ping"), json!({})).fails(404, 4040);
    stranger.with("DELETE", &path, &[], None).fails(404, 4040);
    client.get(&format!("{hooks}/nonsense")).fails(400, 4000);
    client.with("DELETE", &path, &[], None).data();
    assert_eq!(client.get(hooks).data(), json!([]));
}
