//! The person's footage, and what is done with it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use compere_codec::{Sandbox, SandboxWish};
use compere_own::{Added, Background, Bench, Finding, Folder, Form, Keeping, Manifest, Refused, Store, Wish, add};
use compere_render::Cache;
use compere_speech::Voices;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::kept;

pub(super) const VOICE: &str = "am_fenrir";

/// Prompts 1, 2 and 4; the film says something else.
pub(super) const READ: [&str; 3] = ["01", "02", "04"];

/// In place of a data folder of one's own: for what is not looked at.
pub(super) const KEPT: &str = "";

/// Where the person is on the canvas: left, top, side.
pub(super) const PLACE: [i32; 3] = [594, 348, 732];

/// Data and footage, made once for all tests.
pub(super) struct Set(TempDir);

pub(super) fn set() -> &'static Set {
    static SET: OnceLock<Set> = OnceLock::new();
    SET.get_or_init(|| {
        let set = Set(tempfile::tempdir().expect("a temporary folder"));
        for folder in ["takes", "broken", "films"] {
            std::fs::create_dir(set.path(folder)).expect("a folder");
        }
        for take in READ {
            set.take(&format!("takes/{take}"), prompt(take));
        }
        set.take("takes/idle", "");
        set.consent("takes/consent.mp4", &form().text());
        set
    })
}

pub(super) fn assets() -> PathBuf {
    std::env::var_os("COMPERE_ASSETS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from)
}

pub(super) fn prompt(take: &str) -> &'static str {
    let number: usize = take.parse().expect("a number");
    compere_own::Tongue::english().lines().nth(number - 1).expect("a prompt")
}

pub(super) fn form() -> Form {
    Form::new(compere_own::Tongue::english(), "David Example", "1 May 2026", "a test of this program", 7)
        .expect("a form")
}

pub(super) fn ffmpeg(arguments: &[&str]) {
    let run = Command::new("ffmpeg").args(["-v", "error", "-nostdin", "-y"]).args(arguments).status();
    assert!(run.expect("ffmpeg runs").success(), "{arguments:?}");
}

impl Set {
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("a plain name").to_owned()
    }

    /// Data of this test, or what all tests share.
    pub(super) fn data(&self, name: &str) -> PathBuf {
        if name == KEPT { kept::data().to_owned() } else { self.path(name) }
    }

    pub(super) fn compere(&self, data: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_compere"));
        command.arg("--data").arg(self.data(data)).arg("--assets").arg(assets()).args(arguments);
        command.current_dir(self.0.path()).stdin(Stdio::null()).output().expect("the binary runs")
    }

    /// A film of somebody who says a text before a grey wall.
    pub(super) fn film(&self, data: &str, who: &str, text: &str, out: &str, more: &[&str]) -> Output {
        self.film_before("rgb(190,196,204)", data, who, text, out, more)
    }

    pub(super) fn film_before(
        &self,
        wall: &str,
        data: &str,
        who: &str,
        text: &str,
        out: &str,
        more: &[&str],
    ) -> Output {
        let [left, top, side] = PLACE;
        let (spoken, voice) = (!text.is_empty(), json!({"voice": VOICE}));
        let worn = if who == "david" { "david/knit" } else { "footage" };
        let (who, outfit) = who.split_once('/').unwrap_or((who, worn));
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
        // Several tests film at a time.
        let scene = format!("{out}.json");
        std::fs::write(self.path(&scene), body.to_string()).expect("writes");
        self.compere(data, &[&["render", &scene, "-o", out, "--json"][..], more].concat())
    }

    pub(super) fn good_film(&self, data: &str, who: &str, text: &str, out: &str, more: &[&str]) {
        let output = self.film(data, who, text, out, more);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// What a camera sees of it: the person, with noise.
    pub(super) fn take(&self, name: &str, text: &str) {
        let raw = format!("films/raw-{}.mp4", name.replace('/', "-"));
        self.good_film(KEPT, "david", text, &raw, &[]);
        let [left, top, side] = PLACE.map(|length| length * 2 / 3);
        let filter = format!("crop={side}:{side}:{left}:{top},noise=alls=5:allf=t,format=yuv420p");
        let (raw, take) = (self.name(&raw), self.name(&format!("{name}.mp4")));
        ffmpeg(&["-i", &raw, "-vf", &filter, "-preset", "veryfast", "-crf", "18", &take]);
    }

    /// The person who says a text, seen as in the silent take: nobody looks at lips there.
    pub(super) fn consent(&self, name: &str, text: &str) {
        self.consent_before(name, text, &["-stream_loop", "-1", "-i", &self.name("takes/idle.mp4")]);
    }

    /// The same with another picture.
    pub(super) fn consent_before(&self, name: &str, text: &str, picture: &[&str]) {
        let output = self.compere(KEPT, &["say", text, "--voice", VOICE, "-o", "said.wav"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (said, film) = (self.name("said.wav"), self.name(name));
        let how = ["-map", "0:v", "-map", "1:a", "-shortest", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
        ffmpeg(&[picture, &["-i", &said], &how, &[&film]].concat());
    }

    /// A copy of the first take with something wrong with it; it says the first prompt.
    pub(super) fn broken(&self, name: &str, arguments: &[&str]) {
        self.broken_in("broken", name, arguments);
    }

    pub(super) fn broken_in(&self, folder: &str, name: &str, arguments: &[&str]) {
        let (good, bad) = (self.name("takes/01.mp4"), self.name(&format!("{folder}/{name}.mp4")));
        ffmpeg(&[&["-i", &good][..], arguments, &["-preset", "veryfast", &bad]].concat());
        std::fs::write(self.path(&format!("{folder}/{name}.txt")), prompt("01")).expect("writes");
    }

    /// As large as one before a mouth: skin with the shadows of fingers, that may be seen through around it.
    pub(super) fn hand(&self) -> String {
        let hand = self.name("films/hand.png");
        let inside = "lt(hypot((X-W/2)/(W/2),(Y-H/2)/(H/2)),1)";
        let shade = "(1-0.16*pow(cos(PI*Y/26),16))";
        let skin = format!("geq=r='206*{shade}':g='158*{shade}':b='132*{shade}':a='255*{inside}'");
        let blank = ["-f", "lavfi", "-i", "color=gray:s=210x150,format=rgba", "-frames:v", "1", "-vf", &skin, &hand];
        ffmpeg(&blank);
        hand
    }

    /// A folder of its own with what every presenter needs beside its takes.
    pub(super) fn folder(&self, name: &str, beside: &[&str]) -> PathBuf {
        let folder = self.path(name);
        std::fs::create_dir(&folder).expect("a folder");
        for take in beside {
            std::fs::copy(self.path("takes").join(take), folder.join(take)).expect("a copy");
        }
        folder
    }

    /// What refuses and what is warned of in a folder that is no use.
    pub(super) fn findings(&self, folder: &Path) -> Vec<Finding> {
        let Err(Refused::Footage(findings)) = self.add(folder, form(), "A tester") else {
            panic!("it was taken, or it failed otherwise");
        };
        findings
    }

    pub(super) fn add(&self, folder: &Path, form: Form, approved_by: &str) -> Result<Added, Refused> {
        self.add_to("data", folder, form, approved_by)
    }

    pub(super) fn add_to(&self, data: &str, folder: &Path, form: Form, approved_by: &str) -> Result<Added, Refused> {
        self.add_if(data, folder, form, approved_by, false)
    }

    /// The one command of the product. What was spoken before is found there as well.
    pub(super) fn added_by_command(&self, data: &str, folder: &str, settings: &str) -> Manifest {
        std::fs::create_dir_all(self.path(data)).expect("a folder");
        std::fs::create_dir_all(kept::data().join("cache")).expect("a folder");
        std::os::unix::fs::symlink(kept::data().join("cache"), self.path(data).join("cache")).expect("a link");
        std::fs::write(self.path(data).join("compere.toml"), settings).expect("writes");
        std::fs::write(self.path("form.json"), serde_json::to_string(&form()).expect("JSON")).expect("writes");
        let who =
            ["--name", "David Example", "--gender", "male", "--consent", "form.json", "--approved-by", "A tester"];
        let _alone = alone();
        let output = self.compere(data, &[&["avatar", "add", "footage", folder, "--json"][..], &who].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        Store::new(&self.path(data)).find(told["id"].as_str().expect("an id")).expect("it is kept")
    }

    /// `strict` refuses less than a minute, as the product does.
    pub(super) fn add_if(
        &self,
        data: &str,
        folder: &Path,
        form: Form,
        approved_by: &str,
        strict: bool,
    ) -> Result<Added, Refused> {
        self.add_wished(data, folder, &wish(form, approved_by), strict)
    }

    pub(super) fn add_wished(&self, data: &str, folder: &Path, wish: &Wish, strict: bool) -> Result<Added, Refused> {
        let exe = PathBuf::from(env!("CARGO_BIN_EXE_compere"));
        let sandbox = Sandbox::wished(SandboxWish::default(), exe);
        let (voices, faces) = (Voices::open(&assets(), 2), assets().join("faces"));
        let cache = Cache::open(&kept::data().join("cache"), u64::MAX).expect("a cache");
        let bench = Bench { sandbox: &sandbox, voices: &voices, cache: &cache, faces: &faces, threads: 2, strict };
        let folder = Folder::read(folder, compere_own::Tongue::english())?;
        let _alone = alone();
        add(&Store::new(&self.path(data)), wish, &folder, &bench, &|_, _, _| {})
    }
}

pub(super) fn wish(consent: Form, approved_by: &str) -> Wish {
    Wish {
        id: None,
        name: "David Example".to_owned(),
        gender: "male".to_owned(),
        language: "en-US".to_owned(),
        account: None,
        outfit_of: None,
        now: 0,
        consent,
        approved_by: Some(approved_by.to_owned()),
        background: Background::Auto,
        keeping: Keeping::default(),
    }
}

/// Whoever comes second finds spoken what both compare with, rather than speak it beside the first.
pub(super) fn alone() -> MutexGuard<'static, ()> {
    static ONE_BY_ONE: Mutex<()> = Mutex::new(());
    ONE_BY_ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn refused(result: Result<Added, Refused>) -> String {
    result.err().map_or_else(|| "it was taken".to_owned(), |refused| refused.to_string())
}
