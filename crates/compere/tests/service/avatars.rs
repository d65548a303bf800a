//! Presenters of a person's own footage, through the API: from the takes to the film and away again, and nobody else sees
//! anything of it. The person is one of our lit presenters, filmed from close by.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{Client, House, Reply, admin, assets, film, key_beside, open, reopen, send, stop};

pub(super) const ROOT: &str = "/api/odin/v3/avatars";
const SETTINGS: &str = "welcome = false\nworkers = 1\nshort_footage = true\n";
const VOICE: &str = "am_fenrir";
/// Prompts that are read.
const READ: [usize; 3] = [1, 2, 4];
/// Where the person is on the canvas: left, top, side.
const PLACE: [i32; 3] = [594, 348, 732];

pub(super) fn path(id: &str) -> String {
    format!("{ROOT}/{id}")
}

fn compere(dir: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_compere"))
        .arg("--data")
        .arg(crate::kept::data())
        .arg("--assets")
        .arg(assets())
        .args(arguments)
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn ffmpeg(arguments: &[&str]) {
    let run = Command::new("ffmpeg").args(["-v", "error", "-nostdin", "-y"]).args(arguments).status();
    assert!(run.expect("ffmpeg runs").success(), "{arguments:?}");
}

/// A film of the person who says a text, from close by.
fn filmed(dir: &Path, name: &str, text: &str) -> PathBuf {
    let [left, top, side] = PLACE;
    let (spoken, tts) = (!text.is_empty(), json!({"voice": VOICE}));
    let mut scene = json!({
        "sceneIdx": 0,
        "scripts": [{"org": text, "isTTS": spoken, "tts": if spoken { tts } else { Value::Null },
                     "modelId": "david", "clothId": "david/knit"}],
        "background": {"id": "background", "type": "background", "source_color": "rgb(190,196,204)"},
        "clips": [{"id": "p", "type": "aiModel", "layer": 1, "left": left, "top": top, "width": side, "height": side,
                   "model": {"ai_name": "david", "emotion": "david/knit"}}],
    });
    if !spoken {
        scene["duration"] = json!(4);
    }
    let body = json!({"name": "take", "resolution": "720", "scenes": [scene]});
    std::fs::write(dir.join("scene.json"), body.to_string()).expect("writes");
    compere(dir, &["render", "scene.json", "-o", "raw.mp4", "--json"]);
    let [left, top, side] = PLACE.map(|length| length * 2 / 3);
    let filter = format!("crop={side}:{side}:{left}:{top},noise=alls=5:allf=t,format=yuv420p");
    let (raw, take) = (dir.join("raw.mp4"), dir.join(format!("{name}.mp4")));
    ffmpeg(&[
        "-i",
        &raw.to_string_lossy(),
        "-vf",
        &filter,
        "-preset",
        "veryfast",
        "-crf",
        "18",
        &take.to_string_lossy(),
    ]);
    take
}

/// Films one after the other.
fn joined(dir: &Path, films: &[&PathBuf]) -> PathBuf {
    let (list, all) = (dir.join("order.txt"), dir.join("all.mp4"));
    let lines: String = films.iter().map(|film| format!("file '{}'\n", film.display())).collect();
    std::fs::write(&list, lines).expect("writes");
    let (from, to) = (list.to_string_lossy(), all.to_string_lossy());
    ffmpeg(&["-f", "concat", "-safe", "0", "-i", &from, "-preset", "veryfast", "-crf", "18", &to]);
    all
}

/// Somebody who says a text, and holds still: nobody looks at lips there.
fn said(dir: &Path, text: &str) -> PathBuf {
    compere(dir, &["say", text, "--voice", VOICE, "-o", "said.wav"]);
    let (sound, take) = (dir.join("said.wav"), dir.join("consent.mp4"));
    let (portrait, sound) = (portrait(), sound.to_string_lossy());
    let picture = ["-loop", "1", "-framerate", "30", "-i", &portrait.to_string_lossy()];
    let how = ["-i", &sound, "-shortest", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
    ffmpeg(&[&picture[..], &how, &[&take.to_string_lossy()]].concat());
    take
}

/// A form with a file and fields.
pub(super) fn form(client: &Client, path: &str, file: &Path, fields: &[(&str, &str)]) -> Reply {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(
            format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").into_bytes(),
        );
    }
    let head = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"take.mp4\"\r\n\r\n";
    body.extend(head.as_bytes());
    body.extend(std::fs::read(file).expect("a file"));
    body.extend(b"\r\n--edge--\r\n");
    let headers = [("authorization", client.token.as_str()), ("content-type", "multipart/form-data; boundary=edge")];
    send("POST", &format!("{}{path}", client.base), &headers, Some(body))
}

pub(super) fn delete(client: &Client, path: &str) -> Reply {
    client.with("DELETE", path, &[], None)
}

/// Waits until a presenter is in one of these states.
pub(super) fn until(client: &Client, id: &str, states: &[&str]) -> Value {
    let began = Instant::now();
    loop {
        let told = client.get(&path(id)).data();
        if states.iter().any(|state| told["state"] == *state) {
            return told;
        }
        assert!(began.elapsed() < Duration::from_secs(400), "{told:#}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// A scene that shows somebody of footage.
pub(super) fn showing(who: &str) -> Value {
    let mut body = film("Quarterly secrets");
    let scene = &mut body["scenes"][0];
    scene["scripts"][0]["modelId"] = json!(who);
    scene["scripts"][0]["clothId"] = json!("footage");
    scene["clips"] = json!([{
        "id": "p", "type": "aiModel", "layer": 1, "left": 600, "top": 300, "width": 700, "height": 700,
        "model": {"ai_name": who, "emotion": "footage"},
    }]);
    body
}

pub(super) fn models(client: &Client) -> String {
    let all = [client.get("/api/odin/v3/model").data(), client.get("/api/odin/v3/dropdown/models").data()];
    all.iter().map(Value::to_string).collect()
}

/// A house of its own, in which somebody may be killed.
pub(super) struct Place {
    pub(super) house: House,
    child: Child,
    pub(super) dir: tempfile::TempDir,
    pub(super) ada: Client,
    pub(super) bob: Client,
}

impl Place {
    pub(super) fn open(name: &str) -> Self {
        Self::open_with(name, SETTINGS)
    }

    fn open_with(name: &str, settings: &str) -> Self {
        let (house, child) = open(settings, name);
        let client = |email: &str| {
            let (app_id, user_key) = key_beside(&house, email, "api");
            Client::new(&house, &app_id, &user_key)
        };
        let (ada, bob) = (client("ada@example.com"), client("bob@example.com"));
        // What is neither made nor watched costs credits all the same.
        house.records(async |store| {
            for email in ["ada@example.com", "bob@example.com"] {
                let account = store.account_by_email(email).await.expect("reads").expect("is there");
                store.grant(&account.id, 10_000, "test").await.expect("grants");
            }
        });
        Self { house, child, dir: tempfile::tempdir().expect("a folder"), ada, bob }
    }

    /// As the machine does that loses power.
    pub(super) fn dies_and_comes_back(&mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("it ends");
        self.child = reopen(&mut self.house);
        self.ada.base.clone_from(&self.house.base);
        self.bob.base.clone_from(&self.house.base);
    }

    pub(super) fn approve(&self, id: &str) {
        let output = Command::new(env!("CARGO_BIN_EXE_compere"))
            .args(["avatar", "approve", id, "--by", "An operator"])
            .env("COMPERE_DATA", &self.house.data)
            .env("COMPERE_ASSETS", assets())
            .output()
            .expect("the program");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// All footage that is needed, sent in each of the ways there are.
    fn send_footage(&self, id: &str) {
        let (ada, dir, takes) = (&self.ada, self.dir.path(), format!("{}/takes", path(id)));
        let prompts = ada.get(&format!("{ROOT}/prompts")).data();
        assert_eq!(prompts.as_array().map(Vec::len), Some(40));
        let idle = filmed(dir, "idle", "");
        for number in READ {
            let text = prompts[number - 1]["text"].as_str().expect("a line").to_owned();
            let take = filmed(dir, &format!("{number}"), &text);
            let kept = match number {
                // Within a long film, that was uploaded before, and is another one's to nobody else.
                4 => {
                    let film = joined(dir, &[&idle, &take, &idle]);
                    let asset = form(ada, "/api/odin/v3/assets", &film, &[]).data()["id"].clone();
                    let foreign = self.bob.post(ROOT, json!({"name": "Bob"})).data()["id"].clone();
                    let foreign = format!("{}/takes", path(foreign.as_str().expect("an id")));
                    let body = json!({"assetId": asset, "prompt": "all", "text": text});
                    let wrong = self.bob.post(&foreign, body.clone()).fails(400, 4001);
                    assert_eq!(wrong["details"][0]["path"], "assetId");
                    ada.post(&takes, body).data()
                }
                // Said in one's own words, which happen to be those.
                2 => form(ada, &takes, &take, &[("text", &text)]).data(),
                _ => form(ada, &takes, &take, &[("prompt", &number.to_string())]).data(),
            };
            assert_eq!(kept["text"], text.as_str());
            // Sent again, it takes the place of the one before.
            if number == 1 {
                form(ada, &takes, &take, &[("prompt", "1")]).data();
            }
        }
        form(ada, &takes, &idle, &[("prompt", "idle")]).data();
        let talk = joined(dir, &[&dir.join("1.mp4"), &dir.join("2.mp4")]);
        let talked = form(ada, &takes, &talk, &[("prompt", "talk")]).data();
        assert_eq!((&talked["name"], &talked["text"], &talked["prompt"]), (&json!("talk"), &json!(""), &Value::Null));
        form(ada, &takes, &idle, &[("prompt", "7")]).data();
        assert_eq!(delete(ada, &format!("{takes}/07")).data()["deletedCount"], 1);
        delete(ada, &format!("{takes}/07")).fails(404, 4040);
    }

    /// Answers with the link that its person was given.
    fn send_consent(&self, id: &str) -> String {
        let consent = format!("{}/consent", path(id));
        let asked = self.ada.post(&consent, json!({"person": "David Example", "purpose": "a test"})).data();
        let text = asked["consent"]["text"].as_str().expect("a text");
        assert!(text.contains("David Example") && text.contains("My words are"), "{text}");
        assert_eq!(asked["consent"]["recorded"], false);
        let recording = said(self.dir.path(), text);
        let told = form(&self.ada, &consent, &recording, &[]).data();
        assert_eq!((&told["consent"]["recorded"], &told["missing"]), (&json!(true), &json!([])), "{told:#}");
        asked["consent"]["withdrawalLink"].as_str().expect("a link").to_owned()
    }

    /// Whoever else asks finds nothing, whatever it is.
    pub(super) fn is_nothing_to_others(&self, id: &str) {
        let bob = &self.bob;
        bob.get(&path(id)).fails(404, 4040);
        delete(bob, &path(id)).fails(404, 4040);
        bob.post(&format!("{}/takes", path(id)), json!({"name": "video", "text": "x"})).fails(404, 4040);
        bob.post(&format!("{}/consent", path(id)), json!({"person": "B", "purpose": "b"})).fails(404, 4040);
        bob.post(&format!("{}/build", path(id)), json!({})).fails(404, 4040);
        delete(bob, &format!("{}/build", path(id))).fails(404, 4040);
        delete(bob, &format!("{}/takes/01", path(id))).fails(404, 4040);
        bob.get(&format!("{}/portrait", path(id))).fails(404, 4040);
        assert!(!bob.get(ROOT).data().to_string().contains(id));
        assert!(!models(bob).contains(id));
        send("GET", &format!("{}/media/p/{id}/footage.jpg", bob.base), &[], None).fails(404, 4040);
        for who in [id, "david-example"] {
            bob.post("/api/odin/v3/editor/project", showing(who)).fails(400, 4003);
            let told = bob.post("/api/odin/v3/editor/estimate", showing(who)).data();
            assert!(
                told["problems"].to_string().contains("4003") || told["problems"].to_string().contains(who),
                "{told}"
            );
            let simple = json!({"language": "en", "text": "Hello.", "model": who, "clothes": "footage"});
            bob.post("/api/odin/v3/simple/video", simple.clone()).fails(400, 4003);
            bob.post("/api/odin/simple/video", simple.clone()).fails(400, 4003);
            bob.post("/api/odin/v3/simple/custom", simple.clone()).fails(400, 4003);
            bob.post("/api/odin/v3/simple/audio", simple).fails(400, 4003);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = stop(&mut self.child);
    }
}

#[test]
fn footage_becomes_a_presenter_of_its_account_and_of_nobody_else() {
    let mut place = Place::open("avatars");
    let wrong =
        place.ada.post(ROOT, json!({"gender": "robot", "language": "tlh", "background": "gone"})).fails(400, 4001);
    let blamed: Vec<&str> =
        wrong["details"].as_array().expect("a list").iter().filter_map(|one| one["path"].as_str()).collect();
    assert_eq!(blamed, ["name", "language", "gender", "background"]);
    let made = place.ada.post(ROOT, json!({"name": "David Example", "gender": "male"})).data();
    let id = made["id"].as_str().expect("an id").to_owned();
    assert_eq!((&made["state"], &made["portrait"]), (&json!("collecting"), &Value::Null));
    let missing = place.ada.post(&format!("{}/build", path(&id)), json!({})).fails(400, 4001);
    assert_eq!(missing["details"].as_array().map(Vec::len), Some(3), "{missing}");
    place.is_nothing_to_others(&id);

    // What is no take is refused with what would be one.
    let takes = format!("{}/takes", path(&id));
    let text = place.dir.path().join("text");
    std::fs::write(&text, "a text").expect("writes");
    let wrong = form(&place.ada, &takes, &text, &[("prompt", "1")]).fails(400, 4001);
    assert!(wrong["details"][0]["msg"].to_string().contains("must be a video"), "{wrong}");
    for (field, value) in [("prompt", "41"), ("prompt", "first"), ("nothing", "x")] {
        assert_eq!(form(&place.ada, &takes, &text, &[(field, value)]).fails(400, 4001)["details"][0]["path"], "prompt");
    }
    place.ada.post(&takes, json!({"prompt": "1"})).fails(400, 4001);
    form(&place.ada, &format!("{}/consent", path(&id)), &text, &[]).fails(400, 4001);
    place.ada.post(&format!("{}/consent", path(&id)), json!({"person": " "})).fails(400, 4001);

    place.send_footage(&id);
    place.send_consent(&id);
    let told = place.ada.get(&path(&id)).data();
    assert_eq!(told["takes"].as_array().map(Vec::len), Some(6), "{told:#}");
    assert_eq!((&told["coverage"]["prompts"], &told["coverage"]["enough"]), (&json!(3), &json!(false)), "{told:#}");

    // It waits its turn, can be called back, and outlives a service that does not.
    let build = format!("{}/build", path(&id));
    assert_eq!(told["background"], "auto");
    let wrong = place.ada.post(&format!("{build}?background=away"), json!({})).fails(400, 4001);
    assert_eq!(wrong["details"][0]["path"], "background");
    let queued = place.ada.post(&format!("{build}?background=keep"), json!({})).data();
    assert_eq!(queued["background"], "keep");
    assert!(["queued", "building"].iter().any(|state| queued["state"] == *state), "{queued:#}");
    place.ada.post(&build, json!({})).fails(409, 4090);
    assert_eq!(delete(&place.ada, &build).data()["cancelled"], true);
    assert_eq!(delete(&place.ada, &build).data()["cancelled"], false);
    assert_eq!(place.ada.get(&path(&id)).data()["state"], "collecting");
    place.ada.post(&build, json!({})).data();
    until(&place.ada, &id, &["building"]);
    form(&place.ada, &takes, &text, &[("prompt", "1")]).fails(409, 4090);
    place.dies_and_comes_back();
    let waiting = until(&place.ada, &id, &["waiting", "refused"]);
    assert_eq!(waiting["state"], "waiting", "{waiting:#}");
    assert!(waiting["seconds"].as_f64().is_some_and(|seconds| seconds > 5.0), "{waiting:#}");

    // Nobody presents whom no operator has seen.
    assert!(!models(&place.ada).contains(&id));
    place.ada.post("/api/odin/v3/editor/project", showing(&id)).fails(400, 4003);
    place.approve(&id);
    let ready = place.ada.get(&path(&id)).data();
    assert_eq!((&ready["state"], &ready["approvedBy"]), (&json!("ready"), &json!("An operator")));
    assert!(models(&place.ada).contains(&id));
    place.is_nothing_to_others(&id);
    assert!(!models(&Client::new(&place.house, &place.house.app_id, &place.house.user_key)).contains(&id));

    presents(&place, &id);
    is_withdrawn(&place, &id, None);
}

/// A film, a picture, a portrait; and others get no picture that was drawn for its owner.
fn presents(place: &Place, id: &str) {
    let ada = &place.ada;
    let portrait = ada.get(&format!("{}/portrait", path(id)));
    assert_eq!((portrait.status, portrait.header("content-type")), (200, "image/jpeg"));
    // By its name as by its id.
    let project = ada.create(showing("david-example"));
    let ended = ada.wait(&project);
    assert_eq!(ended["data"]["progress"], 100, "{ended:#}");
    is_marked(place, &project, true);
    let preview = format!("/api/odin/v3/editor/project/{project}/preview?scene=0&width=320");
    place.bob.get(&preview).fails(404, 4040);
    let simple = json!({"language": "en", "text": "Hello.", "model": id, "isExport": false});
    ada.post("/api/odin/v3/simple/custom", simple).data();
    let told = ada.get(&path(id)).data();
    assert_eq!(told["films"].as_array().map(Vec::len), Some(1), "{told:#}");
    assert_eq!(told["films"][0]["projectId"], project.as_str());
    let room = ada.get("/api/odin/v3/storage").data();
    assert!(room["presenters"].as_i64().is_some_and(|bytes| bytes > 100_000), "{room}");
}

/// What is kept of somebody who was drawn.
fn drawn(place: &Place, id: &str) -> Vec<PathBuf> {
    let shelves = ["segment", "pack", "web"].map(|shelf| place.house.data.join("cache").join(shelf));
    let files = shelves.iter().flat_map(|shelf| std::fs::read_dir(shelf).into_iter().flatten().flatten());
    files.map(|file| file.path()).filter(|file| file.to_string_lossy().contains(id)).collect()
}

/// By its account, or by its person with a link.
pub(super) fn is_withdrawn(place: &Place, id: &str, link: Option<&str>) {
    let ada = &place.ada;
    assert!(!drawn(place, id).is_empty(), "pieces of it are kept");
    let lies = [place.house.data.join("presenters").join(id), place.house.data.join("objects/presenters").join(id)];
    assert!(lies.iter().all(|folder| folder.exists()));
    let project = ada.get(&path(id)).data()["films"][0]["projectId"].as_str().expect("an id").to_owned();
    let by = match link {
        None => {
            let gone = delete(ada, &path(id)).data();
            assert_eq!(gone["films"][0]["projectId"], project.as_str(), "{gone:#}");
            "account"
        }
        Some(link) => {
            let told = |method: &str, body| {
                let kind = ("content-type", "application/x-www-form-urlencoded");
                let reply = send(method, link, &[("accept", "text/html"), kind], body);
                String::from_utf8(reply.bytes).expect("a page")
            };
            let shown = told("GET", None);
            // How many films there are is the person's to know; what they are called is the account's.
            assert!(shown.contains("1 film, of") && !shown.contains("Quarterly"), "{shown}");
            let gone = told("POST", Some(b"sure=yes".to_vec()));
            assert!(gone.contains("1 film, of") && gone.contains("you took it away"), "{gone}");
            "person"
        }
    };
    assert!(lies.iter().all(|folder| !folder.exists()), "takes and bank are gone");
    assert_eq!(drawn(place, id), Vec::<PathBuf>::new(), "so is what was drawn");
    assert!(!models(ada).contains(id) && !ada.get(ROOT).data().to_string().contains(id));
    ada.post("/api/odin/v3/editor/project/export", json!({"projectId": project})).fails(400, 4003);
    ada.get(&format!("{}/portrait", path(id))).fails(404, 4040);
    delete(ada, &path(id)).fails(404, 4040);
    let told = ada.get(&path(id)).data();
    assert_eq!((&told["state"], &told["consent"], &told["takes"]), (&json!("withdrawn"), &Value::Null, &json!([])));
    assert_eq!(told["withdrawnBy"], by);
    assert_eq!(told["films"][0]["projectId"], project.as_str(), "whoever has to recall them finds them");
    assert_eq!(ada.get("/api/odin/v3/storage").data()["presenters"], 0);
}

fn short_video(dir: &Path) -> PathBuf {
    let file = dir.join("me.mp4");
    let (picture, sound) = ("testsrc=s=160x120:r=30:d=1", "sine=d=1");
    ffmpeg(&["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound, &file.to_string_lossy()]);
    file
}

/// But for those that something else is made with, and where somebody wants to keep them.
#[test]
fn files_that_takes_were_begun_from_go_with_the_presenter() {
    let client = admin();
    let dir = tempfile::tempdir().expect("a folder");
    let file = short_video(dir.path());
    let sent = || form(&client, "/api/odin/v3/assets", &file, &[]).data();
    let begun = |name: &str, takes: &[(&str, &Value)]| {
        let id = client.post(ROOT, json!({"name": name})).data()["id"].as_str().expect("an id").to_owned();
        for (prompt, asset) in takes {
            let body = json!({"assetId": asset["id"], "prompt": prompt});
            client.post(&format!("{}/takes", path(&id)), body).data();
        }
        id
    };
    let there =
        |asset: &Value| client.get("/api/odin/v3/assets").data().to_string().contains(asset["id"].as_str().unwrap());
    let [alone, shown, both, kept] = [sent(), sent(), sent(), sent()];
    let mut shows = film("shows a take");
    shows["scenes"][0]["clips"] = json!([{"id": "one", "type": "videoImage", "layer": 1, "top": 100, "left": 100, "width": 400,
                                          "height": 300, "video_url": shown["url"], "source_url": shown["url"]}]);
    let project = client.draft(shows);
    let other = begun("Another", &[("1", &both)]);
    let id = begun("Away", &[("1", &alone), ("2", &alone), ("idle", &shown), ("3", &both)]);

    let wrong = delete(&client, &format!("{}?originals=some", path(&id))).fails(400, 4001);
    assert_eq!(wrong["details"][0]["path"], "originals");
    let gone = delete(&client, &path(&id)).data();
    let told = |asset: &Value| {
        let all = gone["originals"].as_array().expect("a list");
        let one = all.iter().find(|one| one["assetId"] == asset["id"]).expect("it is told");
        (one["deleted"].clone(), one["usedBy"].clone())
    };
    assert_eq!(gone["originals"].as_array().map(Vec::len), Some(3), "{gone:#}");
    assert_eq!(told(&alone), (json!(true), json!([])));
    assert_eq!(told(&shown), (json!(false), json!(["shows a take"])));
    assert_eq!(told(&both), (json!(false), json!(["Another"])));
    assert_eq!([&alone, &shown, &both].map(there), [false, true, true]);

    let last = begun("Kept", &[("1", &kept)]);
    let gone = delete(&client, &format!("{}?originals=keep", path(&last))).data();
    assert_eq!((&gone["originals"][0]["deleted"], there(&kept)), (&json!(false), true), "{gone:#}");
    // Nobody else needs it any more.
    let gone = delete(&client, &path(&other)).data();
    assert_eq!((&gone["originals"][0]["deleted"], there(&both)), (&json!(true), false), "{gone:#}");
    client.get(&format!("/api/odin/v3/editor/project/{project}")).data();
}

/// As clients of AI Studios ask for it: one video, by its address.
#[test]
fn what_is_read_is_in_the_language_of_the_presenter() {
    let ada = &admin();
    let dir = tempfile::tempdir().expect("a folder");
    let lines = |query: &str| ada.get(&format!("{ROOT}/prompts{query}")).data();
    let (english, german) = (lines(""), lines("?language=de-AT"));
    assert_eq!((&english, english.as_array().map(Vec::len)), (&lines("?language=en"), german.as_array().map(Vec::len)));
    assert!(german[0]["text"] != english[0]["text"] && german[0]["number"] == 1, "{german}");
    let unknown = ada.get(&format!("{ROOT}/prompts?language=pl")).fails(400, 4001);
    let told = unknown["details"][0].to_string();
    assert!(told.contains("language") && told.contains("`de`") && told.contains("`pt`"), "{told}");

    let begin = |language: &str| {
        let made = ada.post(ROOT, json!({"name": format!("Ada {language}"), "language": language})).data();
        let path = path(made["id"].as_str().expect("an id"));
        let asked = ada.post(&format!("{path}/consent"), json!({"person": "Ada", "purpose": "Training"})).data();
        (made, path, asked["consent"]["text"].as_str().expect("a text").to_owned())
    };
    let (made, path, consent) = begin("de-CH");
    assert_eq!((&made["language"], &made["promptLanguage"]), (&json!("de-CH"), &json!("de")), "{made:#}");
    assert!(made["missing"].to_string().contains("prompts?language=de"), "{made:#}");
    assert!(consent.contains("Mein Name ist Ada") && consent.contains("Training"), "{consent}");
    // What is sent by its number says the line of that language.
    let film = dir.path().join("film.mp4");
    std::fs::write(&film, b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom").expect("writes");
    let take = form(ada, &format!("{path}/takes"), &film, &[("prompt", "3")]).data();
    assert_eq!(take["text"], german[2]["text"]);
    let all = form(ada, &format!("{path}/takes"), &film, &[("prompt", "all")]).data();
    assert_eq!(all["text"].as_str().map(|text| text.lines().count()), Some(40));
    assert_eq!(ada.get(&path).data()["coverage"]["sounds"], 100, "all sounds of its own lines");

    delete(ada, &path).data();

    // Who speaks what there are no lines in is given English ones, as before.
    let (made, path, consent) = begin("pl");
    assert_eq!((&made["language"], &made["promptLanguage"]), (&json!("pl"), &json!("en")));
    assert!(consent.contains("My name is Ada"), "{consent}");
    delete(ada, &path).data();
}

#[test]
fn the_command_line_gives_out_lines_and_consent_in_a_language() {
    let dir = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_compere"));
        command.args(["avatar"]).args(arguments).env("COMPERE_ASSETS", assets()).current_dir(dir.path());
        command.output().expect("the binary runs")
    };
    let lines = String::from_utf8(run(&["prompts", "--language", "fr-CA"]).stdout).expect("text");
    assert!(lines.lines().count() == 40 && lines.starts_with("01  ") && lines.contains('é'), "{lines}");
    let asked = ["consent", "--person", "Ada", "--purpose", "Formation", "--language"];
    let text = String::from_utf8(run(&[&asked[..], &["fr"]].concat()).stdout).expect("text");
    let form = std::fs::read_to_string(dir.path().join("consent.json")).expect("a form");
    assert!(text.contains("Je m'appelle Ada") && form.contains(r#""language": "fr""#), "{text}{form}");
    let wrong = run(&[&asked[..], &["pl"]].concat());
    let why = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(!wrong.status.success() && why.contains("`en`, `de`"), "{why}");
}

#[test]
fn a_linked_video_is_a_beginning_and_what_is_missing_is_said() {
    let client = admin();
    let body = json!({"url": "http://10.0.0.1/me.mp4", "name": "Me", "gender": "FEMALE"});
    client.post(&format!("{ROOT}/customavatar"), body).fails(400, 4006);
    client.post(&format!("{ROOT}/customavatar"), json!({"name": "Me", "gender": "x"})).fails(400, 4001);
    let dir = tempfile::tempdir().expect("a folder");
    let file = short_video(dir.path());
    let link = form(&client, "/api/odin/v3/assets", &file, &[]).data()["url"].clone();
    let body = json!({"url": link, "name": "Me", "gender": "FEMALE", "locale": "en"});
    let made = client.post(&format!("{ROOT}/customavatar"), body).data();
    assert_eq!((&made["state"], &made["voiceId"]), (&json!("collecting"), &Value::Null), "{made}");
    let missing = |told: &Value| -> Vec<String> {
        let list = told["missing"].as_array().expect("a list").iter();
        list.filter_map(|one| one["path"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(missing(&made), ["consent", "takes.idle", "takes.video"]);
    let id = made["avatarId"].as_str().expect("an id");
    let takes = format!("{}/takes", path(id));
    client.post(&takes, json!({"name": "01", "text": "Hello."})).fails(400, 4001);
    client.post(&takes, json!({"name": "video", "text": ""})).fails(400, 4001);
    assert_eq!(client.post(&takes, json!({"name": "video", "text": "Hello there."})).data()["text"], "Hello there.");
    assert_eq!(missing(&client.get(&path(id)).data()), ["consent", "takes.idle"]);
    assert_eq!(delete(&client, &path(id)).data()["films"], json!([]));
}

/// One of our lit presenters, who looks into the lens.
pub(super) fn portrait() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../compere-own/src/photo/portrait.jpg")
}

#[test]
fn a_photo_becomes_a_presenter_once_its_person_agrees() {
    let place = Place::open_with("photos", &format!("{SETTINGS}ai_label = false\n"));
    let ada = &place.ada;
    ada.post(&format!("{ROOT}/dreamavatar"), json!({"url": "http://10.0.0.1/me.jpg", "name": "Me"})).fails(400, 4006);
    let link = form(ada, "/api/odin/v3/assets", &portrait(), &[]).data()["url"].clone();
    let made =
        ada.post(&format!("{ROOT}/dreamavatar"), json!({"url": link, "name": "Photo Example", "gender": "MALE"}));
    let made = made.data();
    assert_eq!((&made["state"], &made["missing"][0]["path"]), (&json!("collecting"), &json!("consent")), "{made}");
    let id = made["avatarId"].as_str().expect("an id").to_owned();
    let told = ada.get(&path(&id)).data();
    assert_eq!((&told["kind"], &told["takes"][0]["name"]), (&json!("photo"), &json!("photo")), "{told:#}");
    place.is_nothing_to_others(&id);

    // It is made of a photo and of nothing else; and footage of no photo.
    let takes = format!("{}/takes", path(&id));
    let film = said(place.dir.path(), "Good morning.");
    assert_eq!(form(ada, &takes, &film, &[("prompt", "1")]).fails(400, 4001)["details"][0]["path"], "prompt");
    assert_eq!(form(ada, &takes, &film, &[("prompt", "photo")]).fails(400, 4001)["details"][0]["path"], "file");
    let footage = ada.post(ROOT, json!({"name": "Footage"})).data()["id"].clone();
    let footage = format!("{}/takes", path(footage.as_str().expect("an id")));
    assert_eq!(
        form(ada, &footage, &portrait(), &[("prompt", "photo")]).fails(400, 4001)["details"][0]["path"],
        "prompt"
    );

    // A drawing can carry a script, and operators look at it.
    let drawing = place.dir.path().join("me.svg");
    std::fs::write(&drawing, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").expect("writes");
    assert_eq!(form(ada, &takes, &drawing, &[("prompt", "photo")]).fails(400, 4001)["details"][0]["path"], "file");

    // A wall is no face, and its owner reads why; the consent is what it waited for.
    let wall = place.dir.path().join("wall.png");
    ffmpeg(&["-f", "lavfi", "-i", "color=gray:s=400x400", "-frames:v", "1", &wall.to_string_lossy()]);
    form(ada, &takes, &wall, &[("prompt", "photo")]).data();
    let link_of_person = place.send_consent(&id);
    let refused = until(ada, &id, &["refused", "waiting"]);
    let finding = &refused["takes"].as_array().expect("takes")[1]["findings"][0];
    assert_eq!(finding["what"], "no face is found in it", "{refused:#}");
    form(ada, &takes, &portrait(), &[("prompt", "photo")]).data();
    let waiting = until(ada, &id, &["refused", "waiting"]);
    assert_eq!(waiting["state"], "waiting", "{waiting:#}");
    assert!(!models(ada).contains(&id));
    crate::approvals::is_declined(&place, &id);
    let waiting = until(ada, &id, &["refused", "waiting"]);
    assert_eq!(waiting["state"], "waiting", "{waiting:#}");
    place.approve(&id);
    let ready = ada.get(&path(&id)).data();
    assert_eq!(ready["state"], "ready", "{ready:#}");
    place.is_nothing_to_others(&id);

    let portrait = ada.get(&format!("{}/portrait", path(&id)));
    let told = String::from_utf8_lossy(&portrait.bytes);
    assert_eq!((portrait.status, portrait.header("content-type")), (200, "image/jpeg"), "{told:.600}");
    let body = showing(&id).to_string().replace("\"footage\"", "\"photo\"");
    let project = ada.create(serde_json::from_str(&body).expect("JSON"));
    let ended = ada.wait(&project);
    assert_eq!(ended["data"]["progress"], 100, "{ended:#}");
    is_marked(&place, &project, false);
    is_withdrawn(&place, &id, Some(&link_of_person));
}

/// A photo presenter, made and approved.
fn of_photo(place: &Place, asked: Value, photo: &Path) -> String {
    let made = place.ada.post(ROOT, asked).data();
    let id = made["id"].as_str().expect("an id").to_owned();
    form(&place.ada, &format!("{}/takes", path(&id)), photo, &[("prompt", "photo")]).data();
    place.send_consent(&id);
    let waiting = until(&place.ada, &id, &["refused", "waiting"]);
    assert_eq!(waiting["state"], "waiting", "{waiting:#}");
    place.approve(&id);
    id
}

/// The same person in another light: what is seen of the clothes does not matter.
fn in_other_clothes(dir: &Path) -> PathBuf {
    let other = dir.join("other.png");
    ffmpeg(&["-i", &portrait().to_string_lossy(), "-vf", "hue=h=25", "-frames:v", "1", &other.to_string_lossy()]);
    other
}

#[test]
fn the_same_person_in_other_clothes_is_an_outfit() {
    let place = Place::open("outfits");
    let ada = &place.ada;
    let id = of_photo(&place, json!({"kind": "photo", "name": "Photo Example"}), &portrait());
    let single = ada.get("/api/odin/v3/model").data();

    // Of the account's own, of a person, not of another outfit, and of the same kind.
    let model = ada.post(ROOT, json!({"kind": "model", "name": "Egg"})).data()["id"].clone();
    for (of, who) in [(json!(id), &place.bob), (json!("nobody"), ada), (model, ada)] {
        let wrong = who.post(ROOT, json!({"name": "Suit", "outfitOf": of})).fails(400, 4001);
        assert_eq!(wrong["details"][0]["path"], "outfitOf", "{wrong}");
    }
    let wrong = ada.post(ROOT, json!({"name": "Suit", "outfitOf": id, "kind": "footage"})).fails(400, 4001);
    assert_eq!(wrong["details"][0]["path"], "kind", "{wrong}");
    let begun = ada.post(ROOT, json!({"name": "Blue Suit", "outfitOf": id})).data();
    assert_eq!((&begun["kind"], &begun["outfitOf"]), (&json!("photo"), &json!(id)), "{begun:#}");
    let begun = begun["id"].as_str().expect("an id").to_owned();
    let wrong = ada.post(ROOT, json!({"name": "Coat", "outfitOf": begun})).fails(400, 4001);
    assert_eq!(wrong["details"][0]["path"], "outfitOf", "{wrong}");

    // The same person agrees, again.
    let consent = format!("{}/consent", path(&begun));
    let wrong = ada.post(&consent, json!({"person": "Somebody Else", "purpose": "tests"})).fails(400, 4001);
    assert_eq!(wrong["details"][0]["path"], "person", "{wrong}");
    delete(ada, &path(&begun)).data();
    assert_eq!(ada.get("/api/odin/v3/model").data(), single, "nothing is worn before it is approved");

    let other = in_other_clothes(place.dir.path());
    let suit = of_photo(&place, json!({"name": "Blue Suit", "outfitOf": id}), &other);
    let told = ada.get(&path(&id)).data();
    assert_eq!((&told["outfits"][0]["id"], &told["outfits"][0]["state"]), (&json!(suit), &json!("ready")), "{told:#}");
    assert!(models(ada).contains("blue-suit"));
    place.is_nothing_to_others(&suit);
    for one in [&id, &suit] {
        let picture = ada.get(&format!("{}/portrait", path(one)));
        assert_eq!((picture.status, picture.header("content-type")), (200, "image/jpeg"), "{one}");
    }
    let pictures = [&id, &suit].map(|one| ada.get(&format!("{}/portrait", path(one))).bytes);
    assert_ne!(pictures[0], pictures[1], "each is seen in its clothes");

    // A film names the wearer, and the clothes by name; whoever takes the suit back finds that film, and no other.
    let dressed = |clothes: &str| -> Value {
        serde_json::from_str(&showing(&id).to_string().replace("\"footage\"", &format!("\"{clothes}\""))).expect("JSON")
    };
    let plain = ada.create(dressed("photo"));
    assert_eq!(ada.wait(&plain)["data"]["progress"], 100);
    is_marked(&place, &plain, true);
    let worn = ada.create(dressed("blue-suit"));
    assert_eq!(ada.wait(&worn)["data"]["progress"], 100);
    let films = |one: &str| -> Vec<String> {
        let all = ada.get(&path(one)).data()["films"].as_array().cloned().unwrap_or_default();
        all.iter().filter_map(|film| film["projectId"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!((films(&suit), films(&id)), (vec![worn.clone()], vec![worn, plain]));
    assert_eq!(delete(ada, &path(&suit)).data()["films"].as_array().map(Vec::len), Some(1));
    assert!(!models(ada).contains("blue-suit") && models(ada).contains(&id));
    ada.post("/api/odin/v3/editor/project", dressed("blue-suit")).fails(400, 4004);

    // Whoever is gone is gone in all clothes.
    let coat = of_photo(&place, json!({"name": "Coat", "outfitOf": id}), &other);
    let kept = |one: &str| place.house.data.join("presenters").join(one).exists();
    assert!(kept(&id) && kept(&coat) && !kept(&suit));
    // What was drawn went with the suit; now there is something again.
    assert_eq!(ada.get(&format!("{}/portrait", path(&coat))).status, 200);
    // A film of them that is being made ends, and nothing of it is kept.
    let mut long = dressed("photo");
    long["scenes"][0]["duration"] = json!(600);
    let running = ada.create(long);
    let progress = || ada.get(&format!("/api/odin/v3/editor/progress/{running}")).data()["progress"].as_f64();
    while progress().is_some_and(|done| done <= 0.0) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(progress().is_some_and(|done| done < 100.0), "it is being made");
    is_withdrawn(&place, &id, None);
    let ended = ada.wait(&running);
    assert_eq!((&ended["success"], &ended["data"]["state"]), (&json!(false), &json!("cancelled")), "{ended}");
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(drawn(&place, &id), Vec::<PathBuf>::new(), "nor what was drawn after");
    assert!(!kept(&coat) && ada.get(&path(&coat)).data()["state"] == "withdrawn");
}

/// A film with somebody's own presenter, its poster, and a picture of its project say that it was made with AI: in the lower
/// left corner, unless the settings leave that out, and in their files always. The scene's ground is of one colour.
pub(super) fn is_marked(place: &Place, project: &str, labelled: bool) {
    let get = |address: &str| send("GET", address, &[], None).bytes;
    let told = place.ada.wait(project)["data"].clone();
    let address = |key: &str| told[key].as_str().unwrap_or_else(|| panic!("{key}: {told:#}")).to_owned();
    let picture = |kind: &str| {
        let path = format!("/api/odin/v3/editor/project/{project}/preview?scene=0&width=960&format={kind}");
        let picture = place.ada.get(&path);
        assert_eq!(picture.status, 200, "{}", String::from_utf8_lossy(&picture.bytes));
        picture.bytes
    };
    let film = get(&address("downloadUrl"));
    let shown = [
        ("film.mp4", film),
        ("poster.jpg", get(&address("thumbnailUrl"))),
        ("picture.jpg", picture("jpg")),
        ("picture.png", picture("png")),
    ];
    for (name, bytes) in shown {
        assert!(bytes.windows(12).any(|words| words == b"Made with AI"), "{name} says nothing of it");
        let file = place.dir.path().join(name);
        std::fs::write(&file, bytes).expect("writes");
        let contrast = corner(&file);
        assert!(if labelled { contrast > 60 } else { contrast < 12 }, "{name}: {contrast} levels where the label is");
    }
}

/// How much the lower left corner of a picture differs in itself.
fn corner(file: &Path) -> u8 {
    let crop = ["-frames:v", "1", "-vf", "crop=iw/6:ih/14:8:ih-ih/12,format=gray", "-f", "rawvideo", "-"];
    let run = Command::new("ffmpeg").args(["-v", "error", "-i"]).arg(file).args(crop).output();
    let seen = run.expect("ffmpeg runs").stdout;
    let (low, high) = (seen.iter().min().copied(), seen.iter().max().copied());
    low.zip(high).map(|(low, high)| high - low).expect("pixels")
}
