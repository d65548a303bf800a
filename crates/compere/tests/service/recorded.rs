//! Speech that was recorded and sent, in place of a voice: what is heard, what lips and captions follow, and what becomes of it.

use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::house::{Client, Reply, account, admin, command, send};
use crate::measured::{ffmpeg, lag, loudness, mouth};

/// What stands before and behind a long silence, in a language that a simple voice speaks.
const PARTS: [&str; 2] = ["Guten Morgen, meine Damen und Herren.", "Heute sprechen wir über das neue Jahr."];
/// Seconds of that silence, which no voice would make.
const SILENCE: f64 = 2.0;

/// Somebody who says both parts, with the silence between them.
fn spoken(dir: &Path) -> Vec<u8> {
    for (part, name) in PARTS.iter().zip(["before.wav", "behind.wav"]) {
        let file = dir.join(name);
        command(&["say", part, "--voice", "espeak-de", "-o", file.to_str().expect("a path")]);
    }
    let filter = format!("[0]apad=pad_dur={SILENCE}[a];[a][1]concat=n=2:v=0:a=1");
    ffmpeg(dir, &["-i", "before.wav", "-i", "behind.wav", "-filter_complex", &filter, "-b:a", "64k", "spoken.m4a"]);
    std::fs::read(dir.join("spoken.m4a")).expect("a recording")
}

fn upload(client: &Client, bytes: Vec<u8>) -> Value {
    let headers = [("authorization", client.token.as_str())];
    send("POST", &format!("{}/api/odin/v3/assets?name=spoken.m4a", client.base), &headers, Some(bytes)).data()
}

/// A film of the figure, whose script is the scene's, or the clip's own.
fn showing(audio: &Value, of_clip: bool) -> Value {
    let script = json!({ "org": PARTS.join(" "), "isTTS": false, "tts": null, "audio": audio });
    let mut clip = json!({
        "id": "presenter", "type": "aiModel", "layer": 3, "left": 600, "top": 100, "width": 700, "height": 980,
        "model": { "ai_name": "figure", "emotion": "figure/plain" },
    });
    let mut scene = json!({
        "sceneIdx": 0, "background": { "id": "background", "type": "background", "source_color": "rgb(40,120,200)" },
    });
    if of_clip {
        clip["script"] = script;
    } else {
        scene["scripts"] = json!([script]);
        (scene["scripts"][0]["modelId"], scene["scripts"][0]["clothId"]) = (json!("figure"), json!("figure/plain"));
    }
    scene["clips"] = json!([clip]);
    json!({ "name": "recorded", "resolution": 720, "scenes": [scene] })
}

fn fetched(data: &Value, key: &str) -> Reply {
    send("GET", data[key].as_str().unwrap_or_else(|| panic!("no {key} in {data}")), &[], None)
}

/// Where captions begin, in seconds.
fn begins(captions: &str) -> Vec<f64> {
    let seconds =
        |time: &str| time.split(':').fold(0.0, |sum, part| sum * 60.0 + part.parse::<f64>().expect("a number"));
    captions.lines().filter_map(|line| Some(seconds(line.split_once(" --> ")?.0))).collect()
}

/// The longest stretch of what is below a level: its first picture and its length.
fn longest(levels: &[f64], below: f64) -> (usize, usize) {
    let (mut best, mut from) = ((0, 0), 0);
    for (at, level) in levels.iter().enumerate() {
        if *level >= below {
            from = at + 1;
        } else if at + 1 - from > best.1 {
            best = (from, at + 1 - from);
        }
    }
    best
}

#[test]
fn a_sent_recording_is_heard_and_moves_the_lips() {
    let (client, dir) = (admin(), TempDir::new().expect("a folder"));
    let asset = upload(&client, spoken(dir.path()));
    assert_eq!(asset["mediaType"], "audio/mp4");
    for of_clip in [false, true] {
        let id = client.create(showing(&asset["url"], of_clip));
        let data = client.wait(&id)["data"].clone();
        assert_eq!(data["state"], "exported", "{data:#}");
        let film = dir.path().join("film.mp4");
        std::fs::write(&film, fetched(&data, "downloadUrl").bytes).expect("writes");

        // The silence around the words is cut, the one between them is not.
        let (sent, heard) = (loudness(&dir.path().join("spoken.m4a")), loudness(&film));
        let first = |levels: &[f64]| levels.iter().position(|level| *level > 0.3).expect("a word");
        let (frames, alike) = lag(&sent[first(&sent)..], &heard[first(&heard)..]);
        println!("sound: correlation {alike:.3}; {} and {} pictures", sent.len(), heard.len());
        assert!(frames.abs() <= 1 && alike > 0.95, "what is heard is something else: {frames}, {alike:.3}");
        let (at, silent) = longest(&heard[10..], 0.1);
        assert!(silent as f64 > SILENCE * 30.0 - 6.0, "{silent} pictures of silence");

        let seen = mouth(&film, 720);
        let (frames, alike) = lag(&heard, &seen);
        println!("lips: {frames} frames late, correlation {alike:.3}");
        assert!(frames.abs() <= 3 && alike > 0.6, "{frames} frames late, correlation {alike:.3}");
        let (at, end) = (at + 10 + 6, at + 10 + silent - 6);
        let most = seen.iter().copied().fold(0.0, f64::max);
        assert!(
            seen[at..end].iter().all(|open| *open < most / 3.0),
            "the mouth is shut in the silence: {:?}",
            &seen[at..end]
        );

        let captions = String::from_utf8(fetched(&data, "captionsUrl").bytes).expect("text");
        let begin = begins(&captions);
        let second = begin.last().expect("two captions");
        assert_eq!(begin.len(), 2, "{captions}");
        assert!((second - end as f64 / 30.0).abs() < 0.5, "the second is shown when it is said: {captions}");
        let [shut, said] = previewed(&client, &id, dir.path(), &(at..end), seen.len());
        println!("frames ahead: open by {said:.3}, in the silence by {shut:.3}");
        assert!(shut < said * 0.6, "frames ahead know of the recording as well: {shut:.3} and {said:.3}");
    }
}

/// How far the mouth is open at most in frames ahead of a film of so many pictures: in its silence, and elsewhere.
fn previewed(client: &Client, id: &str, dir: &Path, silence: &Range<usize>, pictures: usize) -> [f64; 2] {
    let open = |at: usize| {
        let t = at as f64 / 30.0;
        let frame = client.get(&format!("/api/odin/v3/editor/project/{id}/preview?t={t}&width=1280"));
        assert_eq!(frame.status, 200);
        let file = dir.join("frame.png");
        std::fs::write(&file, frame.bytes).expect("writes");
        let [open] = mouth(&file, 720)[..] else { panic!("one picture") };
        open
    };
    let (shut, said): (Vec<usize>, Vec<usize>) = (5..pictures).step_by(7).partition(|at| silence.contains(at));
    let widest = |places: Vec<usize>| places.into_iter().map(open).fold(0.0, f64::max);
    [widest(shut), widest(said)]
}

#[test]
fn a_recording_that_was_deleted_is_missed_at_its_place() {
    let (client, dir) = (admin(), TempDir::new().expect("a folder"));
    let asset = upload(&client, spoken(dir.path()));
    client.with("DELETE", &format!("/api/odin/v3/assets/{}", asset["id"].as_str().expect("an id")), &[], None).data();
    let ended = client.wait(&client.create(showing(&asset["url"], false)));
    let told = ended["error"]["msg"].as_str().unwrap_or_default();
    assert!(ended["success"] == false && told.contains("scenes[0].scripts[0].audio"), "{ended:#}");
}

#[test]
fn what_the_editor_notes_of_a_recording_is_kept_and_no_slip() {
    let (client, _) = account("speaker@example.com", "api");
    let mut body = showing(&json!("https://example.com/spoken.m4a"), false);
    body["scenes"][0]["scripts"][0]["recordedText"] = json!("Guten Morgen.");
    let told = client.post("/api/odin/v3/editor/estimate", body.clone()).data();
    assert_eq!((&told["valid"], &told["warnings"]), (&json!(true), &json!([])), "{told:#}");
    let id = client.draft(body);
    let back = client.get(&format!("/api/odin/v3/editor/project/{id}")).data()["project"].clone();
    assert_eq!(back["scenes"][0]["scripts"][0]["recordedText"], "Guten Morgen.", "{back:#}");
}
