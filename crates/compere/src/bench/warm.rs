//! Films by a service that is warm: how long a client waits for the first picture, and for the whole.
//!
//! The client is as real ones are: it posts a project and asks for its progress until there is a film. The presenter is
//! baked before, and the voice is open, as after the first film of a day.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use axum::http::Method;
use compere_house::home::Home;
use compere_house::settings::Settings;
use compere_office::{Member, Newcomer, Refusal, Register};
use compere_store::Role;
use serde_json::{Value, json};

use super::api::client::{Line, Pair};
use super::film::{Speaker, scene};
use super::service::Service;
use super::{Row, median};

/// Scenes of a film that is new.
const SCENES: u64 = 20;
/// Between two questions; half of it is added to every wait. Less would be more than a plan allows in a minute.
const GLANCE: Duration = Duration::from_millis(120);
/// For a film of three minutes, on a machine with other things to do.
const PATIENCE: Duration = Duration::from_secs(900);

/// Films by a service of `exe`, this program.
pub fn warm(exe: &Path, assets: &Path, runs: usize, say: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    // One thread: who waits should not take the processors from whom they wait for.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let home = Home { assets: assets.to_owned(), data: dir.path().to_owned() };
    let key = runtime.block_on(customer(&home))?;
    let mut service = Service::start(exe, assets, dir.path(), "welcome = false\nworkers = 1\n")?;
    let told = runtime.block_on(films(service.address(), &key, Speaker::at_hand(assets), runs))?;
    service.close()?;
    let rows = report(&told);
    rows.iter().for_each(say);
    Ok(rows)
}

async fn customer(home: &Home) -> Result<Pair, String> {
    let register = Register::open(home, &Settings::default()).await?;
    let key = admitted(&register).await.map_err(|refusal| refusal.to_string())?;
    register.close().await;
    Ok(key)
}

async fn admitted(register: &Register) -> Result<Pair, Refusal> {
    let new =
        Newcomer { email: "warm@example.com", name: "Warm", plan: "unlimited", role: Role::Member, password: None };
    let member = Member::of(register.add(new).await?.account);
    let key = register.issue_key(&member, "bench", "", false).await?;
    Ok((key.app_id, key.user_key))
}

/// What one film showed, in seconds.
struct Seen {
    first_picture: f64,
    took: f64,
    lasts: f64,
}

impl Seen {
    /// For each second of the film.
    fn share(&self) -> f64 {
        self.took / self.lasts
    }
}

/// The same film in each state of the caches.
struct Told {
    /// Nobody said its words before.
    new: Seen,
    /// Its words are known, its pictures are not.
    spoken: Seen,
    /// One script of it was changed.
    edited: Seen,
    /// All of it was made before.
    known: Seen,
}

async fn films(address: SocketAddr, key: &Pair, speaker: Speaker, runs: usize) -> Result<Vec<Told>, String> {
    let mut line = Line::signed_in(address, 0, key).await?;
    // Voice and presenter get ready with it.
    made(&mut line, vec![scene(0, speaker, Some("Good morning, everybody."), 0.0)]).await?;
    let mut told = Vec::new();
    for run in 0..runs as u64 {
        let words = |n: u64| {
            format!(
                "This is scene number {} of film {run}. It says two sentences, as such scenes do, and then it makes room.",
                n + 1
            )
        };
        let scenes = |title: &str| -> Vec<Value> {
            let titled = |n| {
                let mut scene = scene(n, speaker, Some(&words(n)), 0.0);
                scene["clips"][1]["text"] = json!(format!("{title} {}", n + 1));
                // The presenter stands elsewhere, so no picture is one that was drawn before.
                scene["clips"][0]["left"] = json!(1260 - 2 * (title.len() as u64 + run));
                scene
            };
            (0..SCENES).map(titled).collect()
        };
        let new = made(&mut line, scenes("Chapter")).await?;
        let mut edited = scenes("Chapter");
        edited[7] =
            scene(7, speaker, Some(&format!("Scene eight of film {run} was changed, and it alone is made.")), 0.0);
        let edited = made(&mut line, edited).await?;
        let known = made(&mut line, scenes("Chapter")).await?;
        let spoken = made(&mut line, scenes("Part")).await?;
        told.push(Told { new, spoken, edited, known });
    }
    Ok(told)
}

/// Orders a film and waits for it as a client does.
async fn made(line: &mut Line, scenes: Vec<Value>) -> Result<Seen, String> {
    let asked = Instant::now();
    let project = json!({"name": "Warm", "resolution": "1080", "scenes": scenes});
    let (status, answer) = line.ask(Method::POST, "/api/odin/v3/editor/project", Some(project)).await;
    let id = answer["data"]["projectId"].as_str().ok_or(format!("no project: {status} {answer}"))?.to_owned();
    let progress = format!("/api/odin/v3/editor/progress/{id}");
    let mut first_picture = None;
    while asked.elapsed() < PATIENCE {
        let (status, answer) = line.ask(Method::GET, &progress, None).await;
        let data = &answer["data"];
        if let (None, Some(stream)) = (first_picture, data["streamUrl"].as_str())
            && shown(line, stream).await
        {
            first_picture = Some(asked.elapsed().as_secs_f64());
        }
        match data["state"].as_str() {
            Some("exported" | "finished") => {
                let took = asked.elapsed().as_secs_f64();
                let lasts = data["duration"].as_f64().ok_or(format!("a film without a length: {answer}"))?;
                return Ok(Seen { first_picture: first_picture.unwrap_or(took), took, lasts });
            }
            Some("failed" | "cancelled") | None => return Err(format!("no film: {status} {answer}")),
            Some(_) => tokio::time::sleep(GLANCE).await,
        }
    }
    Err(format!("no film within {} s", PATIENCE.as_secs()))
}

/// Whether the first piece of a stream can be fetched.
async fn shown(line: &mut Line, stream: &str) -> bool {
    let Some(path) = stream.split_once("//").and_then(|(_, rest)| rest.split_once('/')) else { return false };
    let list = format!("/{}", path.1).replace("film.m3u8", "video.m3u8");
    let (status, told) = line.fetch(&list).await;
    let told = String::from_utf8_lossy(&told).into_owned();
    let part =
        told.lines().find_map(|line| line.strip_prefix("#EXT-X-PART:")?.split("URI=\"").nth(1)?.split('"').next());
    let piece = told.lines().find(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(first) = part.or(piece).filter(|_| status == 200) else { return false };
    line.fetch(&list.replace("video.m3u8", first)).await.0 == 200
}

fn report(told: &[Told]) -> Vec<Row> {
    let middle = |figure: &dyn Fn(&Told) -> f64| median(told.iter().map(figure).collect());
    let lasts = middle(&|told| told.new.lasts);
    vec![
        Row::new("length of the film", lasts, "s"),
        Row::new("first picture, words that nobody said before", middle(&|told| told.new.first_picture), "s")
            .target("<= 2.5"),
        Row::new("first picture, words that were said before", middle(&|told| told.spoken.first_picture), "s"),
        Row::new("a second of film, words that nobody said before", middle(&|told| told.new.share()), "s")
            .target("<= 0.10"),
        Row::new("a second of film, words that were said before", middle(&|told| told.spoken.share()), "s")
            .target("<= 0.05"),
        Row::new("a second of film, all of it made before", middle(&|told| told.known.share()), "s").target("<= 0.01"),
        Row::new("one script in twenty changed", middle(&|told| told.edited.took), "s"),
        Row::new("that against the whole", middle(&|told| told.edited.took / told.new.took), "").target("<= 0.083"),
    ]
}
