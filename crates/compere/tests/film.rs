//! Films through the real binary: scene file in, files out, looked at with `ffprobe`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a cache, scene files and films.
struct Set {
    dir: TempDir,
}

impl Set {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, body: &Value) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, body.to_string()).expect("writes");
        path
    }

    fn command(&self, data: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_compere"));
        command.arg("--data").arg(self.path(data)).arg("--assets").arg(self.path("assets")).stdin(Stdio::null());
        command
    }

    fn run(&self, scene: &Path, film: &str, data: &str, more: &[&str]) -> Output {
        let mut command = self.command(data);
        command.arg("render").arg(scene).arg("-o").arg(self.path(film)).arg("--json").args(more);
        command.output().expect("the binary runs")
    }

    /// Renders and answers the report.
    fn film(&self, body: &Value, film: &str, data: &str, more: &[&str]) -> Value {
        let scene = self.write("scene.json", body);
        let output = self.run(&scene, film, data, more);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("a JSON report")
    }

    fn bytes(&self, film: &str) -> Vec<u8> {
        std::fs::read(self.path(film)).expect("a film")
    }
}

fn probe(film: &Path) -> Value {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json"])
        .arg(film)
        .output()
        .expect("ffprobe runs");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Decodes all of it; not a word of complaint is allowed.
fn play(film: &Path) {
    let output = Command::new("ffmpeg")
        .args(["-v", "warning", "-err_detect", "explode", "-i"])
        .arg(film)
        .args(["-f", "null", "-"])
        .output()
        .expect("ffmpeg runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn scene(n: usize, text: &str) -> Value {
    json!({
        "sceneIdx": n,
        "scripts": [{"org": text, "isTTS": true, "tts": {"voice": "tone"}, "modelId": "figure", "clothId": "figure/plain"}],
        "background": {"id": "background", "type": "background", "source_color": format!("rgb({},120,200)", 40 * (n % 6))},
        "clips": [
            {"id": "presenter", "type": "aiModel", "layer": 3, "left": 1200, "top": 180, "width": 600, "height": 900,
             "model": {"ai_name": "figure", "emotion": "figure/plain"}},
            {"id": "title", "type": "textImage", "layer": 2, "left": 100, "top": 100, "width": 900, "height": 160,
             "text": format!("Scene {n}"), "fill": "rgb(255,255,255)", "fontSize": 60,
             "animation": {"type": "in-left", "duration": 1, "delay": 0}},
        ],
    })
}

fn project(scenes: &[Value]) -> Value {
    json!({"name": "A test", "resolution": "480", "scenes": scenes})
}

fn three() -> Vec<Value> {
    vec![
        scene(0, "Good morning everybody."),
        scene(1, "This is the second scene."),
        scene(2, "Goodbye, and thank you."),
    ]
}

#[test]
fn a_film_is_what_was_planned() {
    let set = Set::new();
    let report = set.film(&project(&three()), "film.mp4", "data", &[]);
    let film = set.path("film.mp4");
    play(&film);
    let seen = probe(&film);
    let (video, audio) = (&seen["streams"][0], &seen["streams"][1]);
    assert_eq!(video["codec_name"], "h264");
    assert_eq!(video["profile"], "High");
    assert_eq!((&video["width"], &video["height"]), (&json!(854), &json!(480)));
    assert_eq!(video["r_frame_rate"], "30/1");
    assert_eq!(video["nb_read_frames"], report["frames"].to_string());
    for (key, value) in
        [("color_space", "bt709"), ("color_primaries", "bt709"), ("color_transfer", "bt709"), ("color_range", "tv")]
    {
        assert_eq!(video[key], value, "{key}");
    }
    assert_eq!(
        (&audio["codec_name"], &audio["sample_rate"], &audio["channels"]),
        (&json!("aac"), &json!("48000"), &json!(2))
    );
    let length =
        |stream: &Value| stream["duration"].as_str().and_then(|text| text.parse::<f64>().ok()).expect("a duration");
    assert!((length(video) - length(audio)).abs() <= 1.0 / 30.0, "{} against {}", length(video), length(audio));
    assert!((length(video) - report["seconds"].as_f64().expect("seconds")).abs() < 0.001);
    for beside in ["film.jpg", "film.vtt", "film.srt"] {
        assert!(set.path(beside).metadata().is_ok_and(|meta| meta.len() > 0), "{beside}");
    }
    let captions = std::fs::read_to_string(set.path("film.srt")).expect("captions");
    assert!(captions.contains("Good morning everybody."), "{captions}");
    let loudness = report["loudness"].as_f64().expect("a loudness");
    assert!((loudness + 16.0).abs() < 1.0, "{loudness} LUFS");
}

/// Kept pieces of films, and notes that hold nothing.
fn kept(set: &Set, notes: bool) -> Vec<PathBuf> {
    let files =
        std::fs::read_dir(set.path("data/cache/segment")).expect("a cache").map(|entry| entry.expect("an entry"));
    let piece = |path: &PathBuf| std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"cmpseg"));
    let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    paths.retain(|path| if notes { path.metadata().is_ok_and(|meta| meta.len() == 0) } else { piece(path) });
    paths
}

#[test]
fn a_damaged_piece_is_drawn_anew() {
    let set = Set::new();
    let body = project(&three());
    set.film(&body, "one.mp4", "data", &[]);
    for path in kept(&set, false) {
        let mut bytes = std::fs::read(&path).expect("a piece");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, bytes).expect("writes");
    }
    let again = set.film(&body, "two.mp4", "data", &[]);
    assert_eq!(again["drawnFrames"], again["frames"], "none of them is taken");
    assert!(set.bytes("one.mp4") == set.bytes("two.mp4"));
}

#[test]
fn pieces_that_no_decoder_takes_are_refused_and_drawn_anew() {
    let set = Set::new();
    let body = project(&three());
    set.film(&body, "one.mp4", "data", &[]);
    let (pieces, notes) = (kept(&set, false), kept(&set, true));
    assert!(pieces.len() >= 3 && notes.len() >= 2, "{} and {}", pieces.len(), notes.len());
    notes.iter().for_each(|note| std::fs::remove_file(note).expect("removes"));
    for path in pieces {
        // Broken before its checksum was made, as by a faulty encoder.
        let mut bytes = std::fs::read(&path).expect("a piece");
        bytes.truncate(bytes.len() - 32);
        let from = bytes.len() - bytes.len() / 4;
        bytes[from..from + 64].iter_mut().for_each(|byte| *byte ^= 0x5a);
        let hash = blake3::hash(&bytes);
        bytes.extend_from_slice(hash.as_bytes());
        std::fs::write(&path, bytes).expect("writes");
    }
    let scene = set.path("scene.json");
    let refused = set.run(&scene, "two.mp4", "data", &[]);
    assert!(!refused.status.success() && !set.path("two.mp4").exists());
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(why.contains("the finished film"), "{why}");
    assert!(kept(&set, false).len() < 3, "what could not be decoded is not kept");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let set = Set::new();
    let body = project(&three());
    let cold = set.film(&body, "one.mp4", "data", &["--threads", "1"]);
    let warm = set.film(&body, "two.mp4", "data", &["--threads", "2"]);
    set.film(&body, "three.mp4", "elsewhere", &["--threads", "2", "--no-cache"]);
    assert_eq!(cold["drawnFrames"], cold["frames"]);
    assert_eq!(warm["drawnFrames"], 0);
    assert!(set.bytes("one.mp4") == set.bytes("two.mp4"), "a cache hit differs from a miss");
    assert!(set.bytes("one.mp4") == set.bytes("three.mp4"), "two threads differ from one");
}

#[test]
fn a_sound_is_found_whole_and_made_anew_where_it_is_damaged() {
    let set = Set::new();
    let mut scenes = three();
    let cold = set.film(&project(&scenes), "one.mp4", "data", &[]);
    let shelf = set.path("data/cache/sound");
    let kept = || -> Vec<PathBuf> {
        let files = std::fs::read_dir(&shelf).expect("a shelf").map(|entry| entry.expect("an entry").path());
        files.collect()
    };
    // The one stretch, and the whole, which says beside it how loud it is.
    let mut files = kept();
    files.sort_by_key(|path| std::fs::metadata(path).expect("a file").len());
    let [stretch, whole] = files.try_into().expect("two files");
    std::fs::remove_file(&stretch).expect("removes");
    let found = set.film(&project(&scenes), "two.mp4", "data", &[]);
    assert_eq!(found["loudness"], cold["loudness"]);
    assert!(set.bytes("one.mp4") == set.bytes("two.mp4"));
    assert!(!stretch.exists(), "nothing was mixed or encoded");

    let mut bytes = std::fs::read(&whole).expect("a sound");
    let from = bytes.len() * 3 / 4;
    bytes[from..from + 64].iter_mut().for_each(|byte| *byte ^= 0x5a);
    std::fs::write(&whole, bytes).expect("writes");
    set.film(&project(&scenes), "three.mp4", "data", &[]);
    assert!(set.bytes("one.mp4") == set.bytes("three.mp4"));
    assert!(stretch.exists(), "it was made anew");

    scenes.swap(0, 2);
    set.film(&project(&scenes), "swapped.mp4", "data", &[]);
    set.film(&project(&scenes), "alone.mp4", "elsewhere", &["--no-cache"]);
    assert!(set.bytes("swapped.mp4") == set.bytes("alone.mp4"), "the same lines elsewhere are another sound");
}

#[test]
fn an_edit_draws_one_scene() {
    let set = Set::new();
    let mut scenes = three();
    set.film(&project(&scenes), "film.mp4", "data", &[]);
    scenes[1] = scene(1, "This is the second scene, and it was changed.");
    let after = set.film(&project(&scenes), "film.mp4", "data", &[]);
    let drawn = after["drawnFrames"].as_u64().expect("a number");
    let all = after["frames"].as_u64().expect("a number");
    assert!(0 < drawn && drawn < all * 6 / 10, "{drawn} of {all} frames were drawn again");
    scenes.rotate_left(1);
    let moved = set.film(&project(&scenes), "film.mp4", "data", &[]);
    assert_eq!(moved["drawnFrames"], 0, "moving a scene draws nothing");
}

/// What a presenter does of itself is seeded by what the film shows. A program with other bytes is another engine to the
/// cache, as one is whose dashboard was changed.
#[test]
fn another_build_of_the_same_code_makes_the_same_film() {
    let set = Set::new();
    let body = project(&three()[..1]);
    set.film(&body, "one.mp4", "data", &[]);
    let other = set.path("compere");
    std::fs::copy(env!("CARGO_BIN_EXE_compere"), &other).expect("copies");
    let mut file = std::fs::File::options().append(true).open(&other).expect("opens");
    std::io::Write::write_all(&mut file, b"other").expect("writes");
    drop(file);
    let mut command = Command::new(&other);
    command.arg("--data").arg(set.path("data")).arg("--assets").arg(set.path("assets")).stdin(Stdio::null());
    let scene = set.path("scene.json");
    let output =
        command.arg("render").arg(scene).arg("-o").arg(set.path("two.mp4")).arg("--json").output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a JSON report");
    assert_eq!(report["drawnFrames"], report["frames"], "the pieces of another engine are not taken");
    assert!(set.bytes("one.mp4") == set.bytes("two.mp4"));
}

/// The mean colour of a corner of the frame that is shown at a time.
fn corner(film: &Path, seconds: f64, crop: &str) -> [i32; 3] {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-ss", &format!("{seconds:.3}"), "-i"])
        .arg(film)
        .args(["-frames:v", "1", "-vf", &format!("crop={crop},scale=1:1"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .output()
        .expect("ffmpeg runs");
    let [red, green, blue] = output.stdout[..] else { panic!("{}", String::from_utf8_lossy(&output.stderr)) };
    [red, green, blue].map(i32::from)
}

#[test]
fn scenes_fade_and_push_over_the_last_frame_before_them() {
    let set = Set::new();
    let mut scenes = three();
    scenes.iter_mut().for_each(|scene| scene["duration"] = json!(4));
    let plain = set.film(&project(&scenes), "plain.mp4", "data", &[]);
    scenes[1]["transition"] = json!({"type": "fade", "duration": 1});
    scenes[2]["transition"] = json!({"type": "push-right", "duration": 1});
    let report = set.film(&project(&scenes), "film.mp4", "data", &["--threads", "2"]);
    let film = set.path("film.mp4");
    play(&film);
    assert_eq!(report["frames"], plain["frames"], "a transition takes no time of its own");
    let (drawn, all) = (report["drawnFrames"].as_u64().expect("a number"), plain["frames"].as_u64().expect("a number"));
    assert!(0 < drawn && drawn < all * 4 / 5, "{drawn} of {all} frames: the first scene is as it was");
    let (second, third) = (4.0, 8.0);
    // Where no clip lies: the backgrounds are 0, 40 and 80 red.
    let (top_left, top_right) = ("40:40:4:4", "20:40:830:4");
    let near = |seen: [i32; 3], red: i32| assert!((seen[0] - red).abs() <= 4, "{seen:?} is not {red}");
    near(corner(&film, second - 0.1, top_left), 0);
    near(corner(&film, second + 0.5, top_left), 20);
    near(corner(&film, second + 1.1, top_left), 40);
    near(corner(&film, third + 0.5, top_left), 40);
    near(corner(&film, third + 0.5, top_right), 80);
    near(corner(&film, third + 1.1, top_left), 80);
    set.film(&project(&scenes), "again.mp4", "elsewhere", &["--threads", "1", "--no-cache"]);
    assert!(set.bytes("film.mp4") == set.bytes("again.mp4"), "one thread differs from two, or a miss from a hit");
    // What is seen of a scene in the next one is drawn anew with it.
    scenes[1]["background"]["source_color"] = json!("rgb(200,120,200)");
    set.film(&project(&scenes), "film.mp4", "data", &[]);
    near(corner(&film, third + 0.5, top_left), 200);
}

#[test]
fn problems_come_together_with_places_and_a_code() {
    let set = Set::new();
    let mut body = project(&three());
    body["scenes"][0]["clips"][1]["width"] = json!(-4);
    body["scenes"][2]["clips"][0]["type"] = json!("aiMode");
    let scene = set.write("scene.json", &body);
    let output = set.run(&scene, "film.mp4", "data", &[]);
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("scenes[0].clips[1].width: must be > 0, was -4"), "{told}");
    assert!(told.contains("scenes[2].clips[0].type") && told.contains("did you mean `aiModel`?"), "{told}");
    assert!(!set.path("film.mp4").exists());
}

#[test]
fn a_broken_link_names_its_clip_or_is_left_out() {
    let set = Set::new();
    let mut body = project(&three()[..1]);
    let clips = body["scenes"][0]["clips"].as_array_mut().expect("clips");
    clips.push(json!({"id": "logo", "type": "image", "layer": 9, "left": 0, "top": 0, "width": 100, "height": 100, "source_url": "/no/such.png"}));
    let scene = set.write("scene.json", &body);
    let output = set.run(&scene, "film.mp4", "data", &[]);
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("scenes[0].clips[2].source_url") && told.contains("/no/such.png"), "{told}");
    assert!(!set.path("film.mp4").exists());
    body["onAssetError"] = json!("skip");
    let report = set.film(&body, "film.mp4", "data", &[]);
    assert_eq!(report["warnings"][0]["path"], "scenes[0].clips[2]");
}

#[test]
fn ctrl_c_leaves_nothing_behind() {
    let set = Set::new();
    let long: Vec<Value> = (0..12)
        .map(|n| {
            let mut scene = scene(n, "");
            scene["duration"] = json!(20);
            scene
        })
        .collect();
    let mut body = project(&long);
    body["resolution"] = json!("4k");
    let scene = set.write("scene.json", &body);
    std::fs::create_dir(set.path("out")).expect("a folder");
    let mut command = set.command("data");
    command.arg("render").arg(&scene).arg("-o").arg(set.path("out/film.mp4")).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    std::thread::sleep(Duration::from_millis(1500));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().is_ok_and(|status| status.success()));
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
    let left: Vec<_> = std::fs::read_dir(set.path("out")).expect("a folder").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_older_generation_plays_too() {
    let set = Set::new();
    let body = json!({"scenes": [{
        "AIModel": {"model": "figure", "clothes": "figure/plain", "language": "en", "script": "Hello from an older client.",
                    "locationX": 0.2, "locationY": 0, "scale": 1},
        "clips": [{"type": "text", "detail": {"textSource": "Hello", "locationX": -0.2, "locationY": -0.3}}],
    }]});
    set.film(&body, "film.mp4", "data", &["--resolution", "480"]);
    play(&set.path("film.mp4"));
}

#[test]
fn a_voice_of_another_language_is_refused_with_those_that_fit() {
    let set = Set::new();
    let mut body = project(&three()[..1]);
    body["scenes"][0]["scripts"][0]["org"] = json!("안녕하세요, 만나서 반갑습니다.");
    body["scenes"][0]["scripts"][0]["tts"] = json!({"voice": "espeak-fr-fr"});
    let scene = set.write("scene.json", &body);
    let output = set.run(&scene, "film.mp4", "data", &["--check"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("scenes[0].scripts[0]: the text looks Korean, the voice speaks French"), "{told}");
    assert!(told.contains("espeak-ko"), "{told}");
    body["scenes"][0]["scripts"][0]["tts"]["language"] = json!("fr");
    set.write("scene.json", &body);
    assert!(set.run(&scene, "film.mp4", "data", &["--check"]).status.success(), "a language said on purpose is taken");
}

#[test]
fn a_video_that_breaks_off_names_its_clip() {
    let set = Set::new();
    std::fs::create_dir(set.path("assets")).expect("a folder");
    let whole = set.path("whole.ts");
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=8", "-c:v", "libx264"])
        .args(["-movflags", "+faststart", "-f", "mp4"])
        .arg(&whole)
        .status();
    assert!(made.is_ok_and(|status| status.success()));
    let bytes = std::fs::read(&whole).expect("a film");
    std::fs::write(set.path("assets/cut.mp4"), &bytes[..bytes.len() / 3]).expect("writes");
    let mut body = project(&three()[..1]);
    body["scenes"][0]["duration"] = json!(8);
    let clips = body["scenes"][0]["clips"].as_array_mut().expect("clips");
    clips.push(json!({"id": "video", "type": "videoImage", "layer": 1, "left": 0, "top": 0, "width": 640, "height": 360, "video_url": "/cut.mp4"}));
    let scene = set.write("scene.json", &body);
    let output = set.run(&scene, "film.mp4", "data", &[]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("error: scenes[0].clips[2]: /cut.mp4 "), "{told}");
    assert!(!set.path("film.mp4").exists());
}

#[test]
fn every_voice_of_a_presenter_exists() {
    let set = Set::new();
    let list = |what: &[&str]| -> Value {
        let output = set.command("data").args(what).arg("--json").output().expect("the binary runs");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let voices = list(&["voices"]);
    let known: Vec<&Value> = voices.as_array().expect("a list").iter().map(|voice| &voice["id"]).collect();
    for presenter in list(&["avatar", "list"]).as_array().expect("a list") {
        for voice in presenter["voices"].as_array().expect("a list") {
            assert!(known.contains(&&voice["voice"]), "{}: {voice}", presenter["id"]);
        }
    }
}

#[test]
fn the_poster_shows_what_comes_late() {
    let set = Set::new();
    let mut late = scene(0, "Good morning everybody.");
    late["duration"] = json!(4);
    late["clips"].as_array_mut().expect("clips").push(json!({
        "id": "late", "type": "shape", "shapeName": "Square", "layer": 9, "left": 0, "top": 0, "width": 400, "height": 300,
        "fill": "rgb(255,0,0)", "animation": {"type": "fade-in", "duration": 0.3, "delay": 3},
    }));
    set.film(&project(&[late]), "film.mp4", "data", &[]);
    let corner = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(set.path("film.jpg"))
        .args(["-vf", "crop=40:40:20:20,scale=1:1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .output()
        .expect("ffmpeg runs");
    let [red, green, blue] = corner.stdout[..] else { panic!("{}", String::from_utf8_lossy(&corner.stderr)) };
    assert!(red > 200 && green < 60 && blue < 60, "{red} {green} {blue}");
}
