//! Films of a topic and of a page, with a small server that speaks the protocol of language models.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Mutex, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::house::{Client, admin, open, send, stop};

/// What was asked of the model, in order.
static ASKED: Mutex<Vec<Value>> = Mutex::new(Vec::new());

const NEWS: &str = "<html><head><title>News of the hive</title><script>steal()</script></head><body><nav>Home</nav>\
    <h2>Harvest</h2><p>The bees brought four hundred kilograms of honey this summer.</p></body></html>";

/// Where the server is; started by the first who asks.
pub fn base() -> &'static str {
    static BASE: OnceLock<String> = OnceLock::new();
    BASE.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("its address"));
        std::thread::spawn(move || listener.incoming().flatten().for_each(|stream| drop(serve(&stream))));
        base
    })
}

fn serve(mut stream: &TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut len, mut token) = (String::new(), 0, String::new());
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => len = value.parse().unwrap_or(0),
            "authorization" => token = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; len];
    reader.read_exact(&mut body)?;
    let (status, kind, answer) = match first.split(' ').nth(1) {
        Some("/news") => (200, "text/html", NEWS.to_owned()),
        Some("/v1/chat/completions") if token == "Bearer ink" => answered(&serde_json::from_slice(&body)?),
        Some("/v1/images/generations") if token == "Bearer paint" => painted(&serde_json::from_slice(&body)?),
        Some("/v1/videos") if token == "Bearer light" => {
            ASKED.lock().expect("the list").push(serde_json::from_slice(&body)?);
            (200, "application/json", json!({"id": "video_1", "object": "video", "status": "queued"}).to_string())
        }
        Some("/v1/videos/video_1") if token == "Bearer light" => {
            (200, "application/json", json!({"id": "video_1", "status": "completed", "progress": 100}).to_string())
        }
        Some("/v1/videos/video_1/content") if token == "Bearer light" => {
            return raw(stream, b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom");
        }
        Some("/files/red.png") => return raw(stream, &red()),
        _ => (404, "text/plain", String::new()),
    };
    write!(
        stream,
        "HTTP/1.1 {status} It\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}",
        answer.len()
    )
}

fn raw(mut stream: &TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 200 It\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", bytes.len())?;
    stream.write_all(bytes)
}

/// A picture of one pixel.
fn red() -> Vec<u8> {
    let text = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
    STANDARD.decode(text).expect("base64")
}

/// By what the topic says: as text, as an address, or only where no form is asked for.
fn painted(asked: &Value) -> (u16, &'static str, String) {
    ASKED.lock().expect("the list").push(asked.clone());
    let prompt = asked["prompt"].as_str().unwrap_or_default();
    if prompt.contains("particular") && asked.get("response_format").is_some() {
        return (400, "application/json", json!({"error": {"message": "unknown parameter"}}).to_string());
    }
    let picture = match prompt {
        prompt if prompt.contains("elsewhere") => json!({"url": format!("{}/files/red.png", base())}),
        prompt if prompt.contains("nonsense") => json!({"b64_json": STANDARD.encode("no picture")}),
        _ => json!({"b64_json": STANDARD.encode(red())}),
    };
    (200, "application/json", json!({"created": 1, "data": [picture]}).to_string())
}

fn answered(asked: &Value) -> (u16, &'static str, String) {
    let said = asked["messages"][1]["content"].as_str().unwrap_or_default().to_owned();
    ASKED.lock().expect("the list").push(asked.clone());
    if said.contains("overload") {
        return (503, "text/plain", "later".to_owned());
    }
    let text = "# Bees and gardens\n\n## Why they come\nBees find what flowers hide.\n\n- Pollen\n- Nectar\n\n## What to plant\nPlant \
        clover and thyme.";
    let answer =
        json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]});
    (200, "application/json", answer.to_string())
}

pub fn asked_about(words: &str) -> Option<Value> {
    let asked = ASKED.lock().expect("the list");
    asked.iter().find(|one| one["messages"][1]["content"].as_str().is_some_and(|said| said.contains(words))).cloned()
}

#[test]
fn a_topic_becomes_a_film() {
    let client = admin();
    let options = json!({"language": "en", "audience": "gardeners", "duration": 30, "model": "lena"});
    let told =
        client.post("/api/odin/v3/automation/topic_to_video", json!({"topic": "Why bees come", "options": options}));
    let told = told.data();
    let done = client.get(&format!(
        "/api/odin/v3/automation/progress?projectId={}",
        told["automationJobId"].as_str().expect("an id")
    ));
    assert_eq!(done.data()["state"], "finish");
    let id = told["projectId"].as_str().expect("an id");
    let project = client.get(&format!("/api/odin/v3/editor/project/{id}")).data()["project"].clone();
    assert_eq!(project["name"], "Bees and gardens");
    let said = project["scenes"].to_string();
    assert!(
        said.contains("Bees find what flowers hide.") && said.contains("Nectar") && said.contains("M000000201"),
        "{said}"
    );
    let asked = asked_about("Why bees come").expect("the model was asked");
    assert_eq!(asked["model"], "quill");
    let instructions = asked["messages"][0]["content"].as_str().expect("instructions");
    assert!(instructions.contains("Audience: gardeners.") && instructions.contains("30 seconds"), "{instructions}");
}

#[test]
fn a_page_is_read_and_told() {
    let client = admin();
    let url = format!("{}/news", base());
    let told = client.post("/api/odin/v3/automation/url_to_video", json!({"url": url})).data();
    assert!(told["projectId"].is_string(), "{told}");
    let asked = asked_about("four hundred kilograms").expect("the model was asked");
    let page = asked["messages"][1]["content"].as_str().expect("a page");
    assert!(page.contains("# News of the hive") && !page.contains("steal") && !page.contains("Home"), "{page}");
    for (url, why) in [
        (format!("{}/gone", base()), "status 404"),
        ("http://169.254.169.254/latest".to_owned(), "169.254.169.254"),
        ("/images/background/studio.png".to_owned(), "the address of a page"),
    ] {
        let error = client.post("/api/odin/v3/automation/url_to_video", json!({"url": url})).fails(400, 4006);
        assert!(error["details"][0]["msg"].as_str().is_some_and(|msg| msg.contains(why)), "{error}");
    }
}

#[test]
fn a_text_is_written_or_said_better() {
    let client = admin();
    let text = client.post("/api/odin/v3/tools/text-generator", json!({"topic": "bees for children"})).data();
    assert_eq!(text["script"], "Bees find what flowers hide.\n\nPollen.\nNectar.\n\nPlant clover and thyme.");
    let body = json!({"scripts": "Our own clumsy words.", "options": {"scriptOption": "ai"}});
    client.post("/api/odin/v3/automation/scripts_to_video", body).data();
    assert!(asked_about("Our own clumsy words.").is_some());
    let body = json!({"scripts": "Left as they are.", "options": {"scriptOption": "original"}});
    client.post("/api/odin/v3/automation/scripts_to_video", body).data();
    assert!(asked_about("Left as they are.").is_none());
    client.post("/api/odin/v3/automation/topic_to_video", json!({"topic": " "})).fails(400, 4001);
}

#[test]
fn a_model_that_is_away_or_missing_is_told_of() {
    let client = admin();
    let error = client.post("/api/odin/v3/automation/topic_to_video", json!({"topic": "overload"})).fails(503, 5030);
    assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("answered with status 503")), "{error}");
    let (house, mut child) = open("welcome = false\nworkers = 1\n", "wordless");
    let client = Client::new(&house, &house.app_id, &house.user_key);
    for (path, body) in [
        ("automation/topic_to_video", json!({"topic": "bees"})),
        ("automation/url_to_video", json!({"url": "https://example.com"})),
        ("tools/text-generator", json!({"topic": "bees"})),
        ("tools/image-generator", json!({"topic": "bees"})),
        ("tools/video-generator", json!({"topic": "bees"})),
    ] {
        let error = client.post(&format!("/api/odin/v3/{path}"), body).fails(403, 4031);
        let setting = match path {
            "tools/image-generator" => "[painter]",
            "tools/video-generator" => "[camera]",
            _ => "[writer]",
        };
        assert!(error["msg"].as_str().is_some_and(|msg| msg.contains(setting)), "{error}");
    }
    stop(&mut child);
}

#[test]
fn pictures_are_painted() {
    let client = admin();
    let paint = |topic: &str| {
        client.post("/api/odin/v3/tools/image-generator", json!({"topic": topic, "style": "3D", "size": "PORTRAIT"}))
    };
    for topic in ["a red pixel", "a pixel elsewhere", "a particular pixel"] {
        let made = paint(topic).data();
        let url = made["downloadUrl"].as_str().expect("a link");
        assert_eq!(send("GET", url, &[], None).bytes, red(), "{topic}: {made}");
    }
    let asked =
        ASKED.lock().expect("the list").iter().find(|one| one["prompt"].to_string().contains("a red pixel")).cloned();
    let asked = asked.expect("the model was asked");
    assert_eq!((&asked["model"], &asked["size"]), (&json!("brush"), &json!("1024x1536")), "{asked}");
    assert!(asked["prompt"].as_str().is_some_and(|prompt| prompt.contains("3D")), "{asked}");
    paint("nonsense").fails(503, 5030);
    let wrong = client.post("/api/odin/v3/tools/image-generator", json!({"size": "HUGE"})).fails(400, 4001);
    assert_eq!(wrong["details"].as_array().map(Vec::len), Some(2), "{wrong}");
}

#[test]
fn short_films_are_made_up() {
    let made = admin().post("/api/odin/v3/tools/video-generator", json!({"topic": "a bee that flies"})).data();
    let url = made["downloadUrl"].as_str().expect("a link");
    assert_eq!(send("GET", url, &[], None).bytes[4..8], *b"ftyp");
    let asked = ASKED.lock().expect("the list").iter().find(|one| one["prompt"] == "a bee that flies").cloned();
    let asked = asked.expect("the model was asked");
    assert_eq!((&asked["model"], &asked["size"]), (&json!("lens"), &json!("1280x720")), "{asked}");
}

/// Every tool that makes something makes it once for an Idempotency-Key.
#[test]
fn tools_make_nothing_twice() {
    let client = admin();
    for (path, body) in [
        ("tools/text-generator", json!({"topic": "bees twice"})),
        ("tools/image-generator", json!({"topic": "a pixel twice"})),
        ("tools/video-generator", json!({"topic": "a film twice"})),
    ] {
        let key = format!("twice-{path}");
        let ask =
            || client.with("POST", &format!("/api/odin/v3/{path}"), &[("idempotency-key", &key)], Some(body.clone()));
        let (first, again) = (ask(), ask());
        assert_eq!(first.data(), again.data(), "{path}");
        assert_eq!(again.header("idempotent-replayed"), "true", "{path}");
    }
    let template = client.draft(crate::house::film("template twice"));
    let path = format!("/api/odin/v3/editor/template/{template}");
    let ask = || client.with("POST", &path, &[("idempotency-key", "template-twice")], Some(json!({"name": "copy"})));
    assert_eq!(ask().data()["projectId"], ask().data()["projectId"]);
}
