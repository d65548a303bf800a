//! A presenter of footage, from the takes to the film and away again. The person is one of our lit presenters, filmed from
//! close by; nobody real was filmed for this.
//!
//! Needs voices, presenters and face networks, which the set-up fetches.

mod kept;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use compere_avatar::{Designer, Framing, NoCache, Role, Want};
use compere_codec::{Sandbox, SandboxWish};
use compere_media::{Damage, Frame, Layer, Marks, PhonemeMark, Rgb, SAMPLE_RATE, SampleSpan, Stress};
use compere_own::{
    Added, Background, Bench, Finding, Folder, Form, Keeping, Level, Refused, Store, Wish, add, compare, presenters,
};
use compere_render::Cache;
use compere_speech::Voices;
use serde_json::{Value, json};
use tempfile::TempDir;

const VOICE: &str = "am_fenrir";
/// Prompts 1, 2 and 4; the film says something else.
const READ: [&str; 3] = ["01", "02", "04"];
/// In place of a data folder of one's own: for what is not looked at.
const KEPT: &str = "";
const SAID: &str = "Today people make films by putting a few words on a page.";
/// Where the person is on the canvas: left, top, side.
const PLACE: [i32; 3] = [594, 348, 732];

/// Data and footage, made once for all tests.
struct Set(TempDir);

fn set() -> &'static Set {
    static SET: OnceLock<Set> = OnceLock::new();
    SET.get_or_init(|| {
        let set = Set(tempfile::tempdir().expect("a temporary folder"));
        for folder in ["takes", "broken", "films"] {
            std::fs::create_dir(set.path(folder)).expect("a folder");
        }
        for take in READ {
            set.take(take, prompt(take));
        }
        set.take("idle", "");
        set.consent("takes/consent.mp4", &form().text());
        set
    })
}

fn assets() -> PathBuf {
    std::env::var_os("COMPERE_ASSETS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from)
}

fn prompt(take: &str) -> &'static str {
    let number: usize = take.parse().expect("a number");
    compere_own::PROMPTS.lines().nth(number - 1).expect("a prompt")
}

fn form() -> Form {
    Form::new("David Example", "1 May 2026", "a test of this program", 7).expect("a form")
}

fn ffmpeg(arguments: &[&str]) {
    let run = Command::new("ffmpeg").args(["-v", "error", "-nostdin", "-y"]).args(arguments).status();
    assert!(run.expect("ffmpeg runs").success(), "{arguments:?}");
}

impl Set {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("a plain name").to_owned()
    }

    /// Data of this test, or what all tests share.
    fn data(&self, name: &str) -> PathBuf {
        if name == KEPT { kept::data().to_owned() } else { self.path(name) }
    }

    fn compere(&self, data: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_compere"));
        command.arg("--data").arg(self.data(data)).arg("--assets").arg(assets()).args(arguments);
        command.current_dir(self.0.path()).stdin(Stdio::null()).output().expect("the binary runs")
    }

    /// A film of somebody who says a text before a grey wall.
    fn film(&self, data: &str, who: &str, text: &str, out: &str, more: &[&str]) -> Output {
        self.film_before("rgb(190,196,204)", data, who, text, out, more)
    }

    fn film_before(&self, wall: &str, data: &str, who: &str, text: &str, out: &str, more: &[&str]) -> Output {
        let [left, top, side] = PLACE;
        let (spoken, voice) = (!text.is_empty(), json!({"voice": VOICE}));
        let outfit = if who == "david" { "david/knit" } else { "footage" };
        let mut scene = json!({
            "sceneIdx": 0,
            "scripts": [{"org": text, "isTTS": spoken, "tts": if spoken { voice } else { Value::Null },
                         "modelId": who, "clothId": outfit}],
            "background": {"id": "background", "type": "background", "source_color": wall},
            "clips": [{"id": "p", "type": "aiModel", "layer": 1, "left": left, "top": top, "width": side,
                       "height": side, "model": {"ai_name": who, "emotion": outfit}}],
        });
        if !spoken {
            scene["duration"] = json!(4);
        }
        let body = json!({"name": "own", "resolution": "720", "scenes": [scene]});
        std::fs::write(self.path("scene.json"), body.to_string()).expect("writes");
        self.compere(data, &[&["render", "scene.json", "-o", out, "--json"][..], more].concat())
    }

    fn good_film(&self, data: &str, who: &str, text: &str, out: &str, more: &[&str]) {
        let output = self.film(data, who, text, out, more);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// What a camera sees of it: the person, with noise.
    fn take(&self, name: &str, text: &str) {
        self.good_film(KEPT, "david", text, "films/raw.mp4", &[]);
        let [left, top, side] = PLACE.map(|length| length * 2 / 3);
        let filter = format!("crop={side}:{side}:{left}:{top},noise=alls=5:allf=t,format=yuv420p");
        let (raw, take) = (self.name("films/raw.mp4"), self.name(&format!("takes/{name}.mp4")));
        ffmpeg(&["-i", &raw, "-vf", &filter, "-preset", "veryfast", "-crf", "18", &take]);
    }

    /// Somebody who says a text; what is seen does not matter.
    fn consent(&self, name: &str, text: &str) {
        let output = self.compere(KEPT, &["say", text, "--voice", VOICE, "-o", "said.wav"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        ffmpeg(&[
            "-f",
            "lavfi",
            "-i",
            "testsrc=s=320x240:r=30",
            "-i",
            &self.name("said.wav"),
            "-shortest",
            &self.name(name),
        ]);
    }

    /// A copy of the first take with something wrong with it; it says the first prompt.
    fn broken(&self, name: &str, arguments: &[&str]) {
        let (good, bad) = (self.name("takes/01.mp4"), self.name(&format!("broken/{name}.mp4")));
        ffmpeg(&[&["-i", &good][..], arguments, &["-preset", "veryfast", &bad]].concat());
        std::fs::write(self.path(&format!("broken/{name}.txt")), prompt("01")).expect("writes");
    }

    fn add(&self, folder: &Path, form: Form, approved_by: &str) -> Result<Added, Refused> {
        self.add_to("data", folder, form, approved_by)
    }

    fn add_to(&self, data: &str, folder: &Path, form: Form, approved_by: &str) -> Result<Added, Refused> {
        self.add_if(data, folder, form, approved_by, false)
    }

    /// `strict` refuses less than a minute, as the product does.
    fn add_if(&self, data: &str, folder: &Path, form: Form, approved_by: &str, strict: bool) -> Result<Added, Refused> {
        let exe = PathBuf::from(env!("CARGO_BIN_EXE_compere"));
        let sandbox = Sandbox::wished(SandboxWish::default(), exe);
        let (voices, faces) = (Voices::open(&assets(), 2), assets().join("faces"));
        let cache = Cache::open(&kept::data().join("cache"), u64::MAX).expect("a cache");
        let bench = Bench { sandbox: &sandbox, voices: &voices, cache: &cache, faces: &faces, threads: 2, strict };
        let wish = Wish {
            id: None,
            name: "David Example".to_owned(),
            gender: "male".to_owned(),
            language: "en-US".to_owned(),
            account: None,
            outfit_of: None,
            now: 0,
            consent: form,
            approved_by: Some(approved_by.to_owned()),
            background: Background::Auto,
            keeping: Keeping::default(),
        };
        let folder = Folder::read(folder)?;
        // Whoever comes second finds spoken what both compare with, rather than speak it beside the first.
        static ONE_BY_ONE: Mutex<()> = Mutex::new(());
        let _alone = ONE_BY_ONE.lock().unwrap_or_else(PoisonError::into_inner);
        add(&Store::new(&self.path(data)), &wish, &folder, &bench, &|_, _, _| {})
    }
}

fn bytes_at(film: &Path, crop: &str) -> Vec<u8> {
    let run = Command::new("ffmpeg")
        .args(["-v", "error", "-ss", "1", "-i"])
        .arg(film)
        .args(["-frames:v", "1", "-vf", &format!("crop={crop},format=gray"), "-f", "rawvideo", "-"])
        .output();
    run.expect("ffmpeg runs").stdout
}

fn comment(film: &Path) -> String {
    let run = Command::new("ffprobe")
        .args(["-v", "error", "-show_entries", "format_tags=comment", "-of", "csv=p=0"])
        .arg(film)
        .output();
    String::from_utf8_lossy(&run.expect("ffprobe runs").stdout).trim().to_owned()
}

fn refused(result: Result<Added, Refused>) -> String {
    result.err().map_or_else(|| "it was taken".to_owned(), |refused| refused.to_string())
}

/// Says "ah", "m", "oo".
fn role() -> Role {
    let sound = |ipa: &str, from: u64, to: u64| PhonemeMark {
        span: SampleSpan { start: from * u64::from(SAMPLE_RATE) / 30, end: to * u64::from(SAMPLE_RATE) / 30 },
        ipa: ipa.to_owned(),
        stress: Stress::Primary,
    };
    let marks = Marks { phonemes: vec![sound("ɑ", 6, 14), sound("m", 14, 18), sound("u", 18, 24)], words: Vec::new() };
    Role { marks, frames: 40, seed: 3, ..Role::default() }
}

/// As a layer shows on a wall.
fn shown(layer: &Layer) -> Frame {
    let mut frame = Frame::new(layer.width(), layer.height());
    frame.fill(Rgb::opaque(20, 60, 40));
    let all = frame.bounds();
    layer.lay_on(&mut frame, all, 255);
    frame
}

/// Any picture is the same whatever was painted before it, and what changes from one to the next is told.
fn any_picture_in_any_order_is_the_same(data: &Path) {
    let sandbox = Sandbox::wished(SandboxWish::default(), PathBuf::from(env!("CARGO_BIN_EXE_compere")));
    let everyone = presenters(&Store::new(data), &sandbox, &Designer::open(&assets()));
    let want = Want { outfit: String::new(), width: 240, height: 240, framing: Framing::Body };
    let pack = everyone[0].bake(&want, &NoCache).expect("bakes");
    let (mut moving, mut layer) = (pack.perform(role()), Layer::new(pack.rect()));
    let (mut before, mut moved) = (shown(&layer), 0);
    for frame in 0..40 {
        let damage = moving.advance(frame, &mut layer).expect("acts");
        let after = shown(&layer);
        assert!(before.same_outside(&after, &damage), "frame {frame} changes outside {damage:?}");
        moved += u64::from(!after.same_outside(&before, &Damage::default()));
        if [3, 11, 16, 33].contains(&frame) {
            let mut fresh = Layer::new(pack.rect());
            pack.perform(role()).advance(frame, &mut fresh).expect("acts");
            assert!(after.same_outside(&shown(&fresh), &Damage::default()), "frame {frame} hangs on those before it");
        }
        before = after;
    }
    assert!(moved > 20, "he moves in {moved} of 40 frames");
}

#[test]
fn footage_becomes_a_presenter_who_speaks_and_can_be_withdrawn() {
    let set = set();
    let added = set.add(&set.path("takes"), form(), "A tester").unwrap_or_else(|refused| panic!("{refused}"));
    for finding in &added.findings {
        println!("{finding}");
    }
    let consent = &added.manifest.consent;
    assert_eq!((consent.person.as_str(), consent.approved_by.as_deref()), ("David Example", Some("A tester")));
    assert_eq!(consent.hash.len(), 64);

    set.good_film("data", "david-example", SAID, "films/made.mp4", &[]);
    set.good_film("data", "david-example", SAID, "films/bare.mp4", &["--without-label"]);
    set.good_film(KEPT, "david", SAID, "films/true.mp4", &[]);
    let (made, bare, truth) = (set.path("films/made.mp4"), set.path("films/bare.mp4"), set.path("films/true.mp4"));

    // The label is in the picture unless it is left out, and in the file always.
    let label = "180:40:12:672";
    assert_ne!(bytes_at(&made, label), bytes_at(&bare, label));
    assert_eq!(bytes_at(&bare, label), bytes_at(&truth, label));
    assert!(comment(&made).contains("Made with AI") && comment(&bare).contains("Made with AI"));
    assert_eq!(comment(&truth), "");
    for format in ["webm", "mov"] {
        let film = format!("films/made.{format}");
        set.good_film("data", "david-example", "Good morning.", &film, &[]);
        assert!(comment(&set.path(&film)).contains("Made with AI"), "{format}");
    }

    // The wall that he was filmed before stays there.
    let cut = added.manifest.cut.expect("he is cut out");
    assert!(cut.left < added.manifest.face.x && added.manifest.face.x < cut.right && cut.top > 5.0, "{cut:?}");
    let filmed = set.film_before("rgb(20,60,40)", "data", "david-example", SAID, "films/elsewhere.mp4", &[]);
    assert!(filmed.status.success(), "{}", String::from_utf8_lossy(&filmed.stderr));
    let elsewhere = set.path("films/elsewhere.mp4");
    let [left, top, side] = PLACE.map(|length| length * 2 / 3);
    let corner = bytes_at(&elsewhere, &format!("24:24:{}:{}", left + 4, top + 4));
    let face = bytes_at(&elsewhere, &format!("24:24:{}:{}", left + side / 2 - 12, top + side / 2));
    let mean = |of: &[u8]| of.iter().map(|&grey| f64::from(grey)).sum::<f64>() / of.len() as f64;
    println!("the corner is {:.1} bright, the face {:.1}", mean(&corner), mean(&face));
    assert!(mean(&corner) < 60.0 && mean(&face) > 90.0);

    any_picture_in_any_order_is_the_same(&set.path("data"));

    // The truth has the same place and size, and the same voice.
    let exe = PathBuf::from(env!("CARGO_BIN_EXE_compere"));
    let sandbox = Sandbox::wished(SandboxWish::default(), exe);
    let marks = Marks::default();
    let like = compare(&sandbox, &assets().join("faces"), &made, &truth, &marks, None).expect("both show a face");
    println!("{like:#?}");
    // Twelve seconds of footage; `compere bench own` measures with as much as a person would give.
    assert!(like.opening.correlation > 0.55 && like.width.correlation > 0.6, "{like:?}");
    assert!(like.lag.abs() <= 34.0, "{like:?}");
    assert!(like.psnr > 22.0 && like.lip_jitter[0] < 1.5 * like.lip_jitter[1], "{like:?}");

    // Footage that is somebody already does not become a second one.
    assert!(refused(set.add(&set.path("takes"), form(), "A tester")).contains("already the presenter"));

    let id = added.manifest.id;
    let output = set.compere("data", &["avatar", "remove", &id]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!set.path("data/presenters").join(&id).exists() && !set.path("data/cache").exists());
    let output = set.film("data", "david-example", SAID, "films/gone.mp4", &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("david-example"));
    assert!(!output.status.success() && !set.path("films/gone.mp4").exists());
    assert!(!set.compere("data", &["avatar", "remove", &id]).status.success());
}

#[test]
#[ignore = "makes two presenters, which is minutes: ./test own"]
fn a_long_film_is_cut_where_its_lines_are() {
    let set = set();
    let folder = set.path("long");
    std::fs::create_dir(&folder).expect("a folder");
    for name in ["idle.mp4", "consent.mp4"] {
        std::fs::copy(set.path("takes").join(name), folder.join(name)).expect("a copy");
    }
    // Silence, two lines, silence, the third, and one that nobody reads.
    let order =
        ["idle", "01", "02", "idle", "04"].map(|take| format!("file '{}'\n", set.name(&format!("takes/{take}.mp4"))));
    std::fs::write(set.path("order.txt"), order.concat()).expect("writes");
    let film = set.name("long/all.mp4");
    ffmpeg(&["-f", "concat", "-safe", "0", "-i", &set.name("order.txt"), "-preset", "veryfast", "-crf", "18", &film]);
    let lines = ["01", "02", "03", "04"].map(prompt).join("\n");
    std::fs::write(folder.join("all.txt"), lines).expect("writes");
    let long = set.add_to("elsewhere", &folder, form(), "A tester").unwrap_or_else(|refused| panic!("{refused}"));
    for finding in &long.findings {
        println!("{finding}");
    }
    let about = |finding: &&Finding| finding.about == "the long film";
    let told: Vec<&str> = long.findings.iter().filter(about).map(|finding| finding.what.as_str()).collect();
    assert_eq!(told, ["line 03 was not found in it"]);

    // A line of which there is a take alone is not taken from the film.
    std::fs::copy(set.path("takes/02.mp4"), folder.join("02.mp4")).expect("a copy");
    std::fs::write(folder.join("all.txt"), prompt("02")).expect("writes");
    let alone = set.add_to("elsewhere", &folder, form(), "A tester").unwrap_or_else(|refused| panic!("{refused}"));
    assert!(alone.manifest.seconds < 0.6 * long.manifest.seconds, "{} s", alone.manifest.seconds);

    // Nothing of what is wanted is said in it.
    std::fs::remove_file(folder.join("02.mp4")).expect("a file less");
    std::fs::write(folder.join("all.txt"), prompt("07")).expect("writes");
    let told = refused(set.add_to("elsewhere", &folder, form(), "A tester"));
    assert!(told.contains("none of its lines was found"), "{told}");
}

#[test]
fn without_the_persons_words_there_is_no_presenter() {
    let set = set();
    let folder = set.path("unagreed");
    std::fs::create_dir(&folder).expect("a folder");
    for name in ["01.mp4", "idle.mp4"] {
        std::fs::copy(set.path("takes").join(name), folder.join(name)).expect("a copy");
    }
    let told = refused(set.add(&folder, form(), "A tester"));
    assert!(told.contains("there is no consent.mp4") && told.contains(&form().words.join(", ")), "{told}");
    std::fs::copy(set.path("takes/consent.mp4"), folder.join("consent.mp4")).expect("a copy");
    let told = refused(set.add(&folder, form(), " "));
    assert!(told.contains("nobody approved the consent"), "{told}");
    // Something else is said, about as long.
    let other = "Our office has a garden with apple trees. On Monday the people of the kitchen bake bread, and in the evening \
                 everybody who works late may take a loaf home. Nobody ever asked who had the idea, but most of us think of it \
                 on the way to the train. It is a good house.";
    set.consent("unagreed/consent.mp4", other);
    let told = refused(set.add(&folder, form(), "A tester"));
    assert!(told.contains("something else than its text is said"), "{told}");
}

#[test]
fn too_little_footage_is_refused_with_how_much_there_is() {
    let set = set();
    let Err(Refused::Footage(findings)) = set.add_if("strict", &set.path("takes"), form(), "A tester", true) else {
        panic!("it was taken, or it failed otherwise");
    };
    let told: Vec<String> =
        findings.iter().filter(|one| one.level == Level::Refused).map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told.iter().all(|one| one.starts_with("the footage: ")), "{told:#?}");
    assert!(told[0].contains("s of speech") && told[1].contains("of the neighbouring sounds"), "{told:#?}");
}

#[test]
fn footage_that_is_no_use_is_refused_with_reasons() {
    let set = set();
    set.broken("small", &["-vf", "scale=240:240"]);
    set.broken("slow", &["-r", "15"]);
    set.broken("hidden", &["-vf", "drawbox=x=0:y=0:w=iw:h=ih:t=fill:color=gray:enable='between(t,1,2)'"]);
    set.broken("two", &["-filter_complex", "[0:v]split[a][b];[a][b]hstack[v]", "-map", "[v]", "-map", "0:a"]);
    set.broken("cut", &["-vf", "crop=iw:ih*0.70:0:0"]);
    set.broken("noisy", &["-af", "aeval=val(0)*.1+.1*(random(0)-.5)|val(1)*.1+.10*(random(1)-.5):c=same"]);
    set.broken("light", &["-vf", "eq=brightness='-.09*t':eval=frame"]);
    set.broken("mute", &["-an"]);
    let mouth = "drawbox=x=iw*0.36:y=ih*0.565:w=iw*0.26:h=ih*0.12:color=0x30343a:t=fill";
    set.broken("covered", &["-vf", mouth]);
    set.broken("masked", &["-vf", "drawbox=x=iw*0.31:y=ih*0.53:w=iw*0.34:h=ih*0.21:color=0xa8c4d8:t=fill"]);
    set.broken("other", &[]);
    std::fs::write(set.path("broken/other.txt"), prompt("03")).expect("writes");
    std::fs::copy(set.path("takes/consent.mp4"), set.path("broken/consent.mp4")).expect("a copy");
    // What films are made on, of two people whose chins are cut off, while it gets dark.
    let wrong = "[0:v]eq=brightness='-.05*t':eval=frame,crop=iw:ih*0.70:0:0,split[a][b];[a][b]hstack[v]";
    let (idle, bad) = (set.name("takes/idle.mp4"), set.name("broken/idle.mp4"));
    ffmpeg(&["-i", &idle, "-filter_complex", wrong, "-map", "[v]", "-preset", "veryfast", &bad]);
    let Err(Refused::Footage(findings)) = set.add(&set.path("broken"), form(), "A tester") else {
        panic!("it was taken, or it failed otherwise");
    };
    for finding in &findings {
        println!("{:?} {finding}", finding.level);
    }
    let told = |about: &str, what: &str| {
        let fits = |finding: &&Finding| finding.about == about && finding.what.contains(what);
        let found = findings.iter().find(fits).unwrap_or_else(|| panic!("nobody says that {about} is wrong: {what}"));
        assert_eq!(found.level, Level::Refused, "{found}");
    };
    told("small", "pixels apart");
    told("slow", "15.0 pictures a second");
    told("hidden", "the face is not found");
    told("two", "a second face");
    told("cut", "the chin is at the picture's lower edge");
    told("noisy", "dB above the room");
    told("light", "the light on the face changes");
    told("mute", "holds no sound");
    told("covered", "the lips open by");
    told("masked", "the lips open by");
    told("other", "does not fit the text");
    told("the base take", "a second face");
    told("the base take", "the chin is at the picture's lower edge");
    told("the base take", "the light on the face changes");

    // A folder with too little in it is refused by the command, with what is missing.
    let form = serde_json::to_string(&form()).expect("JSON");
    std::fs::write(set.path("consent.json"), form).expect("writes");
    let arguments =
        ["avatar", "add", "footage", "takes", "--name", "D", "--consent", "consent.json", "--approved-by", "T"];
    let output = set.compere("other", &arguments);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("s of speech") && told.contains("two minutes are enough"), "{told}");
    assert!(!set.path("other/presenters").exists());
}
