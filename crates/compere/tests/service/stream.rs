//! Films that are watched while they are made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{Client, admin, assets, house, open, scene, send};

/// Scenes that take a while to draw: somebody acts in each, and each is longer than one piece.
fn long_film(name: &str, scenes: usize) -> Value {
    let one = |number: usize| {
        let mut scene = scene();
        scene["sceneIdx"] = json!(number);
        scene["duration"] = json!(11);
        scene["clips"][0]["text"] = json!(format!("{name}, part {number}"));
        let presenter = json!({
            "id": "presenter", "type": "aiModel", "layer": 2, "left": 1100, "top": 180, "width": 600, "height": 900,
            "model": { "ai_name": "nora", "emotion": "nora/blazer" },
        });
        scene["clips"].as_array_mut().expect("clips").push(presenter);
        scene
    };
    json!({ "name": name, "resolution": 480, "scenes": (0..scenes).map(one).collect::<Vec<_>>() })
}

fn progress(client: &Client, id: &str) -> Value {
    client.get(&format!("/api/odin/v3/editor/progress/{id}")).json()["data"].clone()
}

/// The link, as soon as there is one.
fn stream_of(client: &Client, id: &str) -> String {
    let started = Instant::now();
    loop {
        if let Some(link) = progress(client, id)["streamUrl"].as_str() {
            return link.to_owned();
        }
        assert!(started.elapsed() < Duration::from_secs(60), "no stream: {}", progress(client, id));
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What lies beside the playlist that players are given.
fn beside(link: &str, name: &str) -> String {
    link.replace("film.m3u8", name)
}

/// Fetches what is there by now; none where it is not there yet.
fn fetch(url: &str) -> Option<Vec<u8>> {
    let reply = send("GET", url, &[], None);
    (reply.status == 200).then_some(reply.bytes)
}

fn text(url: &str) -> String {
    let started = Instant::now();
    loop {
        if let Some(bytes) = fetch(url) {
            return String::from_utf8(bytes).expect("text");
        }
        assert!(started.elapsed() < Duration::from_secs(120), "{url}");
    }
}

fn pieces(list: &str) -> Vec<&str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

fn parts(list: &str) -> Vec<&str> {
    let named = list.lines().filter(|line| line.starts_with("#EXT-X-PART:"));
    named.filter_map(|line| line.split("URI=\"").nth(1)?.split('"').next()).collect()
}

/// Joins a head and what follows it into a file.
fn joined(link: &str, head: &str, names: &[&str], to: &Path) {
    let files = std::iter::once(&head).chain(names);
    let bytes: Vec<u8> = files.flat_map(|name| fetch(&beside(link, name)).expect("what a list names")).collect();
    std::fs::write(to, bytes).expect("writes");
}

/// Checksums of all pictures, or of all sound, as decoded; not a word of complaint is allowed.
fn decoded(file: &Path, map: &str) -> Vec<String> {
    let output = Command::new("ffmpeg")
        .args(["-v", "warning", "-i"])
        .arg(file)
        .args(["-map", map, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        .output()
        .expect("ffmpeg runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8(output.stdout).expect("text");
    told.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.rsplit(',').next().unwrap_or_default().trim().to_owned())
        .collect()
}

fn seconds(file: &Path) -> f64 {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0"])
        .arg(file)
        .output()
        .expect("ffprobe runs");
    let told = String::from_utf8(output.stdout).expect("text");
    let last = told.lines().rfind(|line| !line.is_empty()).expect("packets");
    last.split(',').take(2).filter_map(|number| number.parse::<f64>().ok()).sum()
}

/// The same film made by hand, with the pieces that the service drew.
fn unwatched(dir: &Path) -> Vec<u8> {
    let (scene, film) = (dir.join("scene.json"), dir.join("unwatched.mp4"));
    std::fs::write(&scene, long_film("Watched", 4).to_string()).expect("writes");
    let done = Command::new(env!("CARGO_BIN_EXE_compere"))
        .args([Path::new("--data"), &house().data, Path::new("--assets"), &assets(), Path::new("render"), &scene])
        .args([Path::new("-o"), &film])
        .output()
        .expect("the program");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    std::fs::read(film).expect("a film")
}

fn folder(name: &str) -> PathBuf {
    let dir = house().data.join(name);
    std::fs::create_dir_all(&dir).expect("a folder");
    dir
}

#[test]
fn a_film_is_watched_while_it_is_drawn_and_is_the_same_film() {
    let (client, dir) = (admin(), folder("watched"));
    let id = client.create(long_film("Watched", 4));
    let link = stream_of(&client, &id);
    let film = text(&link);
    assert!(film.contains("CODECS=\"avc1.") && film.contains(",mp4a.40.2\",RESOLUTION=854x480"), "{film}");
    let list = text(&beside(&link, "video.m3u8"));
    let first = parts(&list).first().or(pieces(&list).first()).map(|name| (*name).to_owned()).expect("a first piece");
    joined(&link, "video.mp4", &[&first], &dir.join("first.mp4"));
    joined(&link, "sound.mp4", &[&first.replace("video", "sound")], &dir.join("first.m4a"));
    let (pictures, sounds) = (decoded(&dir.join("first.mp4"), "0:v"), decoded(&dir.join("first.m4a"), "0:a"));
    let state = progress(&client, &id);
    assert_eq!(state["downloadUrl"], Value::Null, "it was watched before it was made: {state}");
    assert!(pictures.len() >= 30 && sounds.len() >= 30, "{} and {}", pictures.len(), sounds.len());

    let made = client.wait(&id)["data"].clone();
    assert_eq!(made["streamUrl"].as_str(), Some(link.as_str()), "{made}");
    let list = text(&beside(&link, "video.m3u8"));
    assert!(list.contains("PLAYLIST-TYPE:VOD") && list.ends_with("#EXT-X-ENDLIST\n"), "{list}");
    joined(&link, "video.mp4", &pieces(&list), &dir.join("all.mp4"));
    let sound = text(&beside(&link, "sound.m3u8"));
    joined(&link, "sound.mp4", &pieces(&sound), &dir.join("all.m4a"));
    let whole = dir.join("film.mp4");
    std::fs::write(&whole, fetch(made["downloadUrl"].as_str().expect("a link")).expect("a film")).expect("writes");
    assert_eq!(decoded(&dir.join("all.mp4"), "0:v"), decoded(&whole, "0:v"), "the very pictures");
    assert_eq!(decoded(&whole, "0:v")[..pictures.len()], pictures[..], "from the first on");
    let lasts = made["duration"].as_f64().expect("seconds");
    let heard = seconds(&dir.join("all.m4a"));
    assert!((heard - lasts).abs() < 0.05, "{heard} s of sound for {lasts} s of pictures");
    assert_eq!(
        std::fs::read(&whole).expect("reads"),
        unwatched(&dir),
        "the same bytes as of a film that nobody watches"
    );
    // A player of the world takes the link as it is.
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i", &link, "-map", "0:v", "-map", "0:a", "-f", "null", "-"])
        .output()
        .expect("ffmpeg runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_link_to_a_stream_opens_that_stream_only() {
    let client = admin();
    let id = client.create(crate::house::film("Signed"));
    let made = client.wait(&id)["data"].clone();
    let link = made["streamUrl"].as_str().expect("a stream").to_owned();
    let reply = send("GET", &link, &[], None);
    assert_eq!((reply.status, reply.header("content-type")), (200, "application/vnd.apple.mpegurl"));
    assert_eq!(reply.header("cache-control"), "private, no-store");
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    let piece = send("GET", &beside(&link, "video-0.m4s"), &[], None);
    assert_eq!((piece.status, piece.header("content-type"), &piece.bytes[4..8]), (200, "video/mp4", &b"moof"[..]));
    for name in ["video-9.m4s", "video-00.m4s", "film.mp4", "..%2Ffilm.mp4", "stream-video-0.m4s"] {
        assert_eq!(send("GET", &beside(&link, name), &[], None).status, 404, "{name}");
    }
    let mut wrong: Vec<String> = link.split('/').map(str::to_owned).collect();
    let signature = wrong.len() - 2;
    wrong[signature] = wrong[signature].chars().rev().collect();
    assert_eq!(send("GET", &wrong.join("/"), &[], None).status, 404, "signed by somebody else");
    let download = made["downloadUrl"].as_str().expect("a link").replace("/film/", "/stream/");
    assert_eq!(send("GET", &download, &[], None).status, 404, "a download's signature opens no stream");
    let mut sound = crate::house::film("Heard");
    sound["format"] = json!("webm");
    let id = client.create(sound);
    assert_eq!(client.wait(&id)["data"]["streamUrl"], Value::Null, "other formats have none");
}

/// Processes of a service that work for it.
fn workers(service: u32) -> Vec<u32> {
    let numbers =
        std::fs::read_dir("/proc").expect("proc").filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_worker = |pid: &u32| {
        let read = |name: &str| std::fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap_or_default();
        read("status").lines().any(|line| line == format!("PPid:\t{service}")) && read("cmdline").contains("\0worker")
    };
    numbers.filter(is_worker).collect()
}

#[test]
fn who_watches_goes_on_when_the_worker_dies() {
    let (house, mut child) = open("welcome = false\nworkers = 1\nallow = \"127.0.0.1:*\"\n", "dying");
    let client = Client::new(&house, &house.app_id, &house.user_key);
    let id = client.create(long_film("Dying", 4));
    let link = stream_of(&client, &id);
    let mut length = 0;
    let mut seen: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut killed = false;
    let started = Instant::now();
    loop {
        let list = text(&beside(&link, "video.m3u8"));
        let named = pieces(&list);
        assert!(named.len() >= length, "what was listed stays: {list}");
        length = named.len();
        for name in named {
            let bytes = fetch(&beside(&link, name)).expect("what is listed is there");
            let before = seen.entry(name.to_owned()).or_insert_with(|| bytes.clone());
            assert_eq!(*before, bytes, "{name} is what it was");
        }
        if !killed && length > 0 && progress(&client, &id)["downloadUrl"].is_null() {
            for pid in workers(child.id()) {
                let sent = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
                killed |= sent.is_ok_and(|sent| sent.success());
            }
            assert!(killed, "somebody worked on it");
        }
        if list.ends_with("#EXT-X-ENDLIST\n") {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(240), "{list}");
        std::thread::sleep(Duration::from_millis(200));
    }
    let made = client.wait(&id);
    assert!(killed && made["data"]["progress"] == json!(100), "{made}");
    assert_eq!(seen.len(), length);
    child.kill().expect("it ends");
    let _ = child.wait();
}
