//! Clips: what is seen, and what is heard.

use std::process::Command;

use serde_json::{Value, json};

use super::{Book, KEPT, Section, WORKS, admin, broken, frame, given_back, pointer, with};
use crate::house::{Client, send};

const CLIP: &str = "/scenes/0/clips/0";
/// While a movement of a second is under way.
const AT: f64 = 0.5;

/// A scene with one clip, and what its frame is like when one field is other.
struct Stage {
    client: Client,
    book: Book,
    body: Value,
    first: Vec<u8>,
}

impl Stage {
    fn of(heading: &'static str, clip: Value) -> Self {
        let (client, clips) = (admin(), vec![clip]);
        let background = json!({ "source_type": "color", "source_color": "rgb(90,130,180)" });
        let silence = json!([{ "org": "", "isTTS": false, "tts": null, "modelId": "figure", "clothId": "plain" }]);
        let scene =
            json!({ "sceneIdx": 0, "duration": 4, "scripts": silence, "background": background, "clips": clips });
        let body = json!({ "name": "fields", "resolution": 480, "isExport": false, "scenes": [scene] });
        let first = frame(&client, &body, AT);
        Self { client, book: Book::of(heading), body, first }
    }

    /// What a link leads to is found out when it is fetched.
    #[track_caller]
    fn fetches(&self, field: &str, link: &str) {
        let found = broken(&self.client, &self.set(field, &json!(link)));
        assert!(found.iter().any(|path| path.starts_with("scenes[0].clips[0]")), "{field}: {found:?}");
    }

    fn set(&self, field: &str, value: &Value) -> Value {
        with(&self.body, &format!("{CLIP}{}", pointer(field)), value.clone())
    }

    /// The picture becomes another.
    #[track_caller]
    fn shows(&mut self, fields: &[(&str, Value)]) {
        for (field, value) in fields {
            let now = frame(&self.client, &self.set(field, value), AT);
            assert!(now != self.first, "{field} changes nothing");
            self.book.note(WORKS, &[field]);
        }
    }

    /// The picture stays, and so does the field.
    #[track_caller]
    fn keeps(&mut self, fields: &[(&str, Value)]) {
        for (field, value) in fields {
            let changed = self.set(field, value);
            assert!(frame(&self.client, &changed, AT) == self.first, "{field} changes the picture");
            let back = given_back(&self.client, &self.client.draft(changed));
            assert_eq!(back.pointer(&format!("{CLIP}{}", pointer(field))), Some(value), "{field}");
            self.book.note(KEPT, &[field]);
        }
    }

    #[track_caller]
    fn refuses(&self, field: &str, value: &Value, code: i64) {
        self.client.post("/api/odin/v3/editor/project", self.set(field, value)).fails(400, code);
    }
}

fn placed(kind: &str, more: Value) -> Value {
    let mut clip =
        json!({ "id": "one", "type": kind, "layer": 1, "left": 500, "top": 300, "width": 600, "height": 400 });
    let Value::Object(more) = more else { panic!("no fields: {more}") };
    clip.as_object_mut().expect("a clip").extend(more);
    clip
}

pub fn books() -> Vec<Section> {
    vec![
        || vec![of_all()],
        || vec![of_shapes()],
        || vec![of_shadows()],
        || vec![of_animations()],
        || vec![of_images()],
        || vec![of_texts()],
        || vec![of_videos()],
        || vec![of_presenters()],
        || vec![of_models()],
        || vec![of_sounds()],
    ]
}

fn of_all() -> Book {
    let shape = json!({ "shapeName": "Square", "fill": "rgb(16,42,67)" });
    let mut stage = Stage::of("Every clip", placed("shape", shape));
    stage.shows(&[
        ("left", json!(100)),
        ("top", json!(20)),
        ("width", json!(300)),
        ("height", json!(700)),
        ("scaleX", json!(1.5)),
        ("scaleY", json!(0.5)),
    ]);
    stage.refuses("type", &json!("hologram"), 4001);
    stage.refuses("id", &json!(""), 4001);
    // Two that lie upon each other: the higher one is seen.
    let other = json!({ "shapeName": "Circle", "fill": "rgb(250,80,80)" });
    let mut two = stage.body.clone();
    two["scenes"][0]["clips"].as_array_mut().expect("clips").push(with(&placed("shape", other), "/layer", json!(2)));
    let below = with(&two, "/scenes/0/clips/1/layer", json!(0));
    assert!(frame(&stage.client, &two, AT) != frame(&stage.client, &below, AT));
    let id = stage.client.draft(stage.set("tag", &json!("box")));
    let edit = json!({ "updates": { "value": [{ "sceneIdx": 0, "type": "shape", "tag": "box", "values": { "left": 7 } }] }, "isExport": false });
    stage.client.post(&format!("/api/odin/v3/editor/project/{id}"), edit).data();
    assert_eq!(given_back(&stage.client, &id).pointer("/scenes/0/clips/0/left"), Some(&json!(7)));
    stage.book.note(WORKS, &["type", "id", "layer", "tag"]);
    stage.book
}

fn of_shapes() -> Book {
    let shape = json!({ "shapeName": "Square", "fill": "rgb(16,42,67)", "stroke": "rgb(255,0,0)", "strokeWidth": 20 });
    let mut stage = Stage::of("Clip shape", placed("shape", shape));
    stage.shows(&[
        ("shapeName", json!("Star")),
        ("fill", json!("rgb(0,200,0)")),
        ("angle", json!(30)),
        ("opacity", json!(40)),
        ("stroke", json!("rgb(0,0,255)")),
        ("strokeWidth", json!(60)),
        ("strokeRadius", json!(90)),
        ("shadow", json!({ "color": "#000000ff", "blur": 5, "offsetX": 10, "offsetY": 10, "enabled": true })),
        ("animation", json!({ "type": "in-left", "duration": 2, "delay": 0 })),
    ]);
    stage.refuses("shapeName", &json!("Rectangle"), 4001);
    for name in [
        "Line_v2",
        "Arrow_1_v2",
        "Arrow_2_v2",
        "Circle",
        "Triangle",
        "Square",
        "Parallelogram",
        "Drop_1",
        "Polygon",
        "Pentagon",
        "Oval_1",
        "Oval_2",
        "Hexagon_1",
        "Hexagon_2",
        "Diamond",
        "Star",
        "Rectangle_corner0",
    ] {
        stage.client.draft(stage.set("shapeName", &json!(name)));
    }
    stage.book
}

fn of_shadows() -> Book {
    let shadow = json!({ "color": "#000000ff", "blur": 5, "offsetX": 10, "offsetY": 10, "enabled": true });
    let shape = json!({ "shapeName": "Square", "fill": "rgb(255,255,255)", "shadow": shadow });
    let mut stage = Stage::of("shadow", placed("shape", shape));
    for (field, value) in [
        ("color", json!("#ff0000ff")),
        ("blur", json!(10)),
        ("offsetX", json!(0.1)),
        ("offsetY", json!(0.1)),
        ("enabled", json!(false)),
    ] {
        let now = frame(&stage.client, &stage.set(&format!("shadow.{field}"), &value), AT);
        assert!(now != stage.first, "{field} changes nothing");
        stage.book.note(WORKS, &[field]);
    }
    stage.book
}

fn of_animations() -> Book {
    let animation = json!({ "type": "fade-in", "duration": 1, "delay": 0 });
    let shape = json!({ "shapeName": "Square", "fill": "rgb(255,255,255)", "animation": animation });
    let mut stage = Stage::of("animation", placed("shape", shape));
    for (field, value) in [("type", json!("zoom-in")), ("duration", json!(3)), ("delay", json!(2))] {
        let now = frame(&stage.client, &stage.set(&format!("animation.{field}"), &value), AT);
        assert!(now != stage.first, "{field} changes nothing");
        stage.book.note(WORKS, &[field]);
    }
    for kind in [
        "fade-in",
        "fade-out",
        "in-right",
        "in-down",
        "in-left",
        "in-up",
        "out-right",
        "out-down",
        "out-left",
        "out-up",
        "zoom-in",
        "zoom-out",
    ] {
        stage.client.draft(stage.set("animation.type", &json!(kind)));
    }
    stage.refuses("animation.type", &json!("explode"), 4001);
    stage.book
}

fn of_images() -> Book {
    let mut stage = Stage::of("Clip image", placed("image", json!({ "source_url": "/images/background/paper.png" })));
    stage.shows(&[
        ("source_url", json!("/images/background/gradient-plum.png")),
        ("angle", json!(20)),
        ("opacity", json!(30)),
        ("animation", json!({ "type": "in-up", "duration": 2, "delay": 0 })),
    ]);
    stage.fetches("source_url", "http://10.0.0.1/x.png");
    stage.book
}

fn of_texts() -> Book {
    let text = json!({ "text": "Hello there", "fill": "rgb(255,255,255)", "fontSize": 50 });
    let mut stage = Stage::of("Clip textImage", placed("textImage", text));
    stage.shows(&[
        ("text", json!("Good bye")),
        ("fill", json!("rgb(0,0,0)")),
        ("fontSize", json!(80)),
        ("fontFamily", json!("Noto Serif")),
        ("align", json!("right")),
        ("angle", json!(20)),
        ("opacity", json!(30)),
        ("backgroundColor", json!("#ff0000ff")),
        ("fontWeight", json!(900)),
        ("fontStyle", json!("italic")),
        ("underline", json!(true)),
        ("shadow", json!({ "color": "#000000ff", "blur": 5, "offsetX": 10, "offsetY": 10, "enabled": true })),
        ("animation", json!({ "type": "in-up", "duration": 2, "delay": 0 })),
    ]);
    let stroked = with(&stage.set("stroke", &json!("rgb(255,0,0)")), &format!("{CLIP}/strokeWidth"), json!(6));
    assert!(frame(&stage.client, &stroked, AT) != stage.first);
    stage.book.note(WORKS, &["stroke", "strokeWidth"]);
    stage.book
}

/// Two seconds of a test picture with a tone.
fn footage(client: &Client) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("test.mp4");
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x90:r=25:d=2", "-f", "lavfi", "-i", "sine=f=1500:d=2"])
        .args(["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest"])
        .arg(&file)
        .output()
        .expect("ffmpeg");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    kept(client, "test.mp4", std::fs::read(file).expect("a film"))
}

fn tone(client: &Client) -> String {
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "lavfi", "-i", "sine=f=400:d=2", "-f", "wav", "-"])
        .output()
        .expect("ffmpeg");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    kept(client, "tone.wav", made.stdout)
}

fn kept(client: &Client, name: &str, bytes: Vec<u8>) -> String {
    let url = format!("{}/api/odin/v3/assets?name={name}", client.base);
    let asset = send("POST", &url, &[("authorization", client.token.as_str())], Some(bytes)).data();
    asset["path"].as_str().expect("a path").to_owned()
}

fn of_videos() -> Book {
    let client = admin();
    let video = footage(&client);
    let mut stage = Stage::of("Clip videoImage", placed("videoImage", json!({ "video_url": video })));
    stage.shows(&[("opacity", json!(20))]);
    stage.fetches("video_url", "http://10.0.0.1/x.mp4");
    stage.keeps(&[("source_url", json!("https://example.com/still.png"))]);
    stage.book.note(WORKS, &["video_url", "volume"]);
    stage.book
}

/// How loud what lies around a frequency is, in decibels.
fn level(film: &[u8], hertz: u32) -> f64 {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("film.mp4");
    std::fs::write(&file, film).expect("it is written");
    let told = Command::new("ffmpeg")
        .args(["-hide_banner", "-i"])
        .arg(&file)
        .args(["-af", &format!("bandpass=f={hertz}:width_type=h:w=100,volumedetect"), "-vn", "-f", "null", "-"])
        .output()
        .expect("ffmpeg");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    let (_, mean) = told.split_once("mean_volume: ").unwrap_or_else(|| panic!("{told}"));
    mean.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{told}"))
}

/// Sounds are brought to one loudness together, so each is heard against the other.
fn of_sounds() -> Book {
    let (client, mut book) = (admin(), Book::of("Clip audio"));
    let (video, sound) = (footage(&client), tone(&client));
    let balance = |of_video: i64, of_sound: i64| {
        let clips = json!([
            placed("videoImage", json!({ "video_url": video, "volume": of_video })),
            { "id": "two", "type": "audio", "source_url": sound, "volume": of_sound, "label": "tone.wav", "layer": 0,
              "left": 0, "top": 0, "width": 0, "height": 0 },
        ]);
        let scene = json!({ "sceneIdx": 0, "duration": 2, "background": { "source_type": "color", "source_color": "rgb(0,0,0)" }, "clips": clips });
        let id = client.create(json!({ "name": "heard", "resolution": 480, "scenes": [scene] }));
        let done = client.wait(&id);
        let film =
            send("GET", done["data"]["downloadUrl"].as_str().unwrap_or_else(|| panic!("{done}")), &[], None).bytes;
        assert_eq!(given_back(&client, &id).pointer("/scenes/0/clips/1/label"), Some(&json!("tone.wav")));
        level(&film, 400) - level(&film, 1500)
    };
    let even = balance(100, 100);
    assert!(balance(100, 10) < even - 10.0, "the sound is as loud");
    assert!(balance(10, 100) > even + 10.0, "the film is as loud");
    book.note(WORKS, &["source_url", "volume"]);
    book.note(KEPT, &["label"]);
    book
}

fn presenter(heading: &'static str) -> Stage {
    let model = json!({ "ai_name": "figure", "emotion": "plain" });
    Stage::of(heading, placed("aiModel", json!({ "model": model, "width": 700, "height": 900, "top": 100 })))
}

fn of_presenters() -> Book {
    let mut stage = presenter("Clip aiModel");
    stage.shows(&[
        ("opacity", json!(0.4)),
        ("headOnly", json!(true)),
        ("voiceOnly", json!(true)),
        ("isDelete", json!(true)),
        ("effects", json!([{ "type": "head-only" }])),
    ]);
    stage.refuses("effects", &json!([{ "type": "sparkle" }]), 4001);
    stage.keeps(&[
        ("name", json!("Somebody")),
        ("fill", json!("rgb(0,0,0)")),
        ("lockScalingFlip", json!(true)),
        ("lockMovementX", json!(true)),
        ("lockMovementY", json!(true)),
        ("lockRotation", json!(true)),
        ("lockScalingX", json!(true)),
        ("lockScalingY", json!(true)),
        ("lockSkewingX", json!(true)),
        ("lockSkewingY", json!(true)),
        ("lockUniScaling", json!(true)),
    ]);
    // Where a scene has no `scripts`, the clip's own is said.
    let mut body = stage.body.clone();
    let scene = body["scenes"][0].as_object_mut().expect("a scene");
    scene.remove("duration");
    scene.remove("scripts");
    let length = |script: Value| {
        let body = with(&body, &format!("{CLIP}/script"), script);
        stage.client.post("/api/odin/v3/editor/estimate", body).data()["duration"].as_f64().expect("a length")
    };
    let short = length(json!({ "org": "Hello.", "tts": { "voice": "tone" } }));
    assert!(
        length(json!({ "org": "Hello, this takes a good deal longer.", "tts": { "voice": "tone" } })) > short + 0.5
    );
    let tts = with(&body, &format!("{CLIP}/script"), json!({ "org": "Hello.", "tts": { "voice": "nobody" } }));
    stage.client.post("/api/odin/v3/editor/project", tts).fails(400, 4005);
    stage.book.note(WORKS, &["script.org", "script.tts"]);
    stage.book
}

/// What an editor knows of its picture, with the face high on the right.
fn editor() -> Value {
    json!({ "modelOriginW": 1374, "modelOriginH": 2444, "modelTightX": 347, "modelTightY": 150, "modelTightW": 679, "modelTightH": 2229,
        "headCenterX": 690, "headCenterY": 330, "headWidth": 210, "headHeight": 260, "scale": 1, "spaceT": 0, "spaceB": 0,
        "spaceL": 0, "spaceR": 0, "adjustX": 0, "adjustY": 0 })
}

fn of_models() -> Book {
    // As wide to high as the editor's figure.
    let tight =
        json!({ "model": { "ai_name": "figure", "emotion": "plain" }, "width": 340, "height": 1116, "top": 60 });
    let mut stage = Stage::of("model", placed("aiModel", tight));
    // Unknown, and another than the script's.
    stage.refuses("model.ai_name", &json!("nobody"), 4002);
    stage.refuses("model.emotion", &json!("armour"), 4002);
    stage.book.note(WORKS, &["ai_name", "emotion"]);
    let now = frame(&stage.client, &stage.set("model.editor", &editor()), AT);
    assert!(now != stage.first, "the editor's picture changes nothing");
    stage.book.note(WORKS, &["editor"]);
    let plain = |number: i64| json!({ "org_width": number, "org_height": number });
    for (field, value) in [
        ("source_url", json!("https://example.com/M000000001_BG00000001H.png")),
        ("maskFile", json!("M000000001_BG00000001H_alpha_INV.mp4")),
        ("deployImage", json!({ "org_src": "https://example.com/x.png", "org_width": 1374 })),
        ("deploySize", plain(100)),
        ("origin", json!({ "width": 1374, "height": 2444 })),
    ] {
        let at = format!("model.{field}");
        let changed = stage.set(&at, &value);
        assert!(frame(&stage.client, &changed, AT) == stage.first, "{field} changes the picture");
        let back = given_back(&stage.client, &stage.client.draft(changed));
        assert_eq!(back.pointer(&format!("{CLIP}{}", pointer(&at))), Some(&value), "{field}");
        stage.book.note(KEPT, &[field]);
    }
    let spoken = with(&stage.set("model.language", &json!("en")), "/scenes/0/scripts/0/org", json!("Taxi."));
    let told = stage.client.post("/api/odin/v3/editor/estimate", spoken).data()["languages"][0].clone();
    assert_eq!((&told["spoken"], &told["toldBy"]), (&json!("en"), &json!("author")), "{told}");
    stage.book.note(WORKS, &["language"]);
    // Where there is no `editor`, what it was made of says the same.
    let now = frame(&stage.client, &stage.set("model.editorValue", &editor()), AT);
    assert!(now != stage.first, "the editor's picture changes nothing");
    stage.book.note(WORKS, &["editorValue"]);
    stage.book
}
