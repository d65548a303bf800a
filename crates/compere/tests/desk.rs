//! Questions that somebody waits for, put to a real worker.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use compere::crew::desk::{Question, Who};
use compere::crew::{Desk, Supply};
use compere::worker::protocol::Hello;
use compere_house::Kind;
use compere_house::desk::{Desk as _, View, Wanted};
use compere_house::links::Links;
use compere_house::settings::Settings;
use compere_scene::Code;
use compere_store::{Key, Objects};
use serde_json::{Value, json};
use tokio::sync::RwLock;

const UNREACHABLE: Kind = Kind::Invalid(Code::AssetUnreachable);

/// One of these tests kills every worker of this process: it is alone while it does.
static ALONE: RwLock<()> = RwLock::const_new(());

struct Place {
    dir: tempfile::TempDir,
    desk: Desk,
    links: Links,
    objects: Objects,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let assets = std::env::var("COMPERE_ASSETS")
            .map_or_else(|_| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from);
        let hello = Hello {
            assets,
            data: dir.path().to_owned(),
            settings: Settings::default(),
            base_url: "http://box:7300".into(),
            films: false,
            yields: false,
            shares: false,
        };
        let links = Links::new("secret", hello.base_url.clone(), 7);
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        let supply = Supply::new(links.clone(), objects.clone());
        let desk = Desk::of_binary(PathBuf::from(env!("CARGO_BIN_EXE_compere")), hello, supply);
        Self { dir, desk, links, objects }
    }
}

fn view(at: Option<f64>, width: u32, jpeg: bool) -> View {
    View { at, jpeg, ..View::of_width(width) }
}

fn project(picture: &str) -> Value {
    json!({"name": "Desk", "orientation": "landscape", "scenes": [{
        "sceneIdx": 0,
        "scripts": [{"org": "Good morning everybody, and welcome.", "isTTS": true, "tts": {"voice": "tone"},
                     "modelId": "figure", "clothId": "figure/plain"}],
        "background": {"id": "background", "type": "background", "source_color": "rgb(240,240,235)"},
        "clips": [
            {"id": "logo", "type": "image", "layer": 1, "left": 100, "top": 100, "width": 400, "height": 300,
             "source_url": picture},
            {"id": "presenter", "type": "aiModel", "layer": 3, "left": 1200, "top": 180, "width": 600, "height": 900,
             "model": {"ai_name": "figure", "emotion": "figure/plain"}},
        ],
    }]})
}

/// A red square.
fn png() -> Vec<u8> {
    let mut pixmap = compere_media::Pixmap::new(40, 30);
    pixmap.fill([200, 20, 20, 255]);
    compere_codec::image::pixmap_to_png(&pixmap).expect("writes")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_warm_desk_answers_at_once() {
    let _among_others = ALONE.read().await;
    let place = Place::new();
    place.objects.put(&Key::Asset("abc".into()), png().into()).await.expect("stores");
    let link = place.links.asset("abc", "logo.png");
    let project = project(&link);
    let first = place.desk.still(project.clone(), view(Some(1.0), 640, false)).await.expect("answers");
    assert_eq!((first.width, first.height, first.media_type.as_str()), (640, 360, "image/png"));
    assert!(!first.spoken, "nobody has spoken it yet");
    let mut times: Vec<Duration> = Vec::new();
    for at in [0.2, 0.5, 1.2, 1.7, 2.0] {
        let started = Instant::now();
        place.desk.still(project.clone(), view(Some(at), 640, true)).await.expect("answers");
        times.push(started.elapsed());
    }
    times.sort();
    // The promise is 300 ms; a machine that builds and tests at the same time gets more.
    assert!(times[0] < Duration::from_millis(800), "{times:?}");
    println!("stills took {times:?}");

    let size = place.desk.size(&format!("http://box:7300{link}")).await.expect("answers");
    assert_eq!(size, (40, 30));
    let wrong = place.desk.size("/media/a/abc/0000/logo.png").await.expect_err("is not signed");
    assert_eq!(wrong.kind, UNREACHABLE);

    let checked = place.desk.check(project).await.expect("answers");
    assert_eq!(checked.problems, []);
    assert!(checked.seconds > 1.0 && checked.scenes.len() == 1 && !checked.exact);
    let broken = place.desk.check(self::project("/images/none.png")).await.expect("answers");
    assert_eq!((broken.problems.len(), broken.problems[0].kind), (1, Some(UNREACHABLE)));
    assert_eq!(broken.problems[0].path, "scenes[0].clips[0].source_url");

    let who = Who::Voice { id: "tone".into(), speed: 1.0, language: None };
    let speech = place.desk.say("Good morning.".into(), who).await.expect("answers");
    assert!(speech.wav.starts_with(b"RIFF") && speech.seconds > 0.3);
    let words: Vec<&str> =
        speech.meta_list.as_array().expect("a list").iter().filter_map(|word| word["word"].as_str()).collect();
    assert_eq!(words, ["Good", "morning."]);
    let nobody = Who::Voice { id: "tonne".into(), speed: 1.0, language: None };
    let error = place.desk.say("Hello.".into(), nobody).await.expect_err("nobody is called so");
    assert_eq!(error.kind, Kind::Invalid(Code::UnknownVoice));
    assert!(place.dir.path().is_dir());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_of_a_scene_shows_what_comes_late() {
    let _among_others = ALONE.read().await;
    let place = Place::new();
    let mut project = project("/images/background/studio-warm.png");
    // Nobody is seen: all that moves is what comes.
    project["scenes"][0]["clips"] = json!([{
        "id": "late", "type": "shape", "layer": 9, "left": 0, "top": 0, "width": 480, "height": 270, "fill": "rgb(255,0,0)",
        "shapeName": "Square", "animation": {"type": "fade-in", "duration": 0.5, "delay": 3},
    }]);
    project["scenes"][0]["duration"] = json!(4.5);
    let at = async |at| place.desk.still(project.clone(), view(at, 320, false)).await.expect("answers").bytes;
    let (early, late, best) = (at(Some(2.0)).await, at(Some(4.4)).await, at(None).await);
    assert!(best == late && best != early, "it comes late, and is seen all the same");
}

/// Takes long: many large texts at the largest size.
fn heavy(word: &str) -> Value {
    let mut project = project("/images/background/studio-warm.png");
    let clip = |n: usize| {
        json!({"id": format!("t{n}"), "type": "textImage", "layer": n, "left": 5 * n, "top": 4 * n, "width": 1800,
               "height": 600, "text": format!("{word} {n}"), "fontSize": 300, "fill": "rgb(9,90,200)", "angle": 7})
    };
    project["scenes"][0]["clips"] = (0..90).map(clip).collect();
    project
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_waits_for_is_given_up() {
    let _among_others = ALONE.read().await;
    let place = Place::new();
    place.desk.still(heavy("first"), view(Some(0.0), 320, true)).await.expect("answers");
    let started = Instant::now();
    place.desk.still(heavy("whole"), view(Some(0.0), 3840, true)).await.expect("answers");
    let whole = started.elapsed();
    let (waiter, wanted) = Wanted::by_somebody();
    let desk = place.desk.wanted("", wanted);
    let asked = tokio::spawn(async move { desk.still(heavy("left"), view(Some(0.0), 3840, true)).await });
    tokio::time::sleep(whole / 10).await;
    assert!(!asked.is_finished(), "it takes {whole:?}");
    let left = Instant::now();
    drop(waiter);
    asked.await.expect("runs").expect_err("nobody waits");
    let let_go = left.elapsed();
    println!("a still of {whole:?} was let go within {let_go:?}");
    assert!(let_go < whole / 2, "{let_go:?} of {whole:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_worker_is_replaced_and_the_question_asked_again() {
    let _alone = ALONE.write().await;
    let place = Place::new();
    let project = project("/images/background/studio-warm.png");
    place.desk.still(project.clone(), view(Some(1.0), 320, false)).await.expect("answers");
    let kill = || {
        for child in children() {
            let _ = Command::new("kill").args(["-9", &child.to_string()]).status();
        }
    };
    kill();
    let desk = place.desk.clone();
    let asked =
        tokio::spawn(
            async move { desk.ask(Question::Size { link: "/images/background/studio-warm.png".into() }).await },
        );
    asked.await.expect("runs").expect("answers all the same");
    kill();
    place.desk.still(project, view(Some(1.0), 320, true)).await.expect("answers");
}

fn children() -> Vec<u32> {
    let mut all = Vec::new();
    for thread in std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        all.extend(text.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
    }
    // Only workers: the sandbox of another test is none of our business.
    all.retain(|id| std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| line.ends_with(b"worker\0")));
    all
}
