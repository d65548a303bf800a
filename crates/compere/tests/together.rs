//! One film, made by the workers of several machines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use compere::crew::{Depot, LocalCrew, Supply};
use compere::worker::protocol::Hello;
use compere_house::home::Home;
use compere_house::links::Links;
use compere_house::settings::Settings;
use compere_jobs::{Commission, Crew, Outcome};
use compere_media::{Format, Orientation};
use compere_scene::Resolution;
use compere_store::{
    Before, FilmPart, NewAccount, NewExport, NewProject, News, NextPart, Objects, Order, PartClaim, Plan, Priority,
    Product, ProjectKind, Role, Split, Store, SystemClock,
};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

/// The records and the objects that all machines share.
struct Farm {
    dir: tempfile::TempDir,
    store: Store,
    objects: Objects,
    account: String,
}

/// A film, and how much of it whoever led had to draw.
struct Film {
    bytes: Vec<u8>,
    frames: u64,
    drawn: u64,
    took: Duration,
}

impl Farm {
    async fn new() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let objects = Objects::folder(&dir.path().join("objects")).expect("opens");
        Self::with(dir, objects).await
    }

    /// Another one that uses the same objects.
    async fn beside(&self) -> Self {
        Self::with(tempfile::tempdir().expect("a folder"), self.objects.clone()).await
    }

    async fn with(dir: tempfile::TempDir, objects: Objects) -> Self {
        let database = dir.path().join("compere.db").display().to_string();
        let store = Store::open(&database, Plan::built_in(), Arc::new(SystemClock)).await.expect("opens");
        let new = NewAccount {
            email: "ada@example.com".to_owned(),
            name: "Ada".to_owned(),
            password: None,
            role: Role::Member,
            plan: "unlimited".to_owned(),
        };
        let account = store.create_account(new).await.expect("creates").id;
        Self { dir, store, objects, account }
    }

    /// A machine with a place for one film. Its worker is `binary`.
    fn machine(&self, name: &str, binary: &Path) -> Arc<LocalCrew> {
        self.machine_and_depot(name, binary).0
    }

    fn machine_and_depot(&self, name: &str, binary: &Path) -> (Arc<LocalCrew>, Depot) {
        let data = self.dir.path().join(name);
        std::fs::create_dir_all(&data).expect("a folder");
        let assets = std::env::var("COMPERE_ASSETS")
            .map_or_else(|_| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")), PathBuf::from);
        let home = Home { assets, data };
        let hello = Hello {
            assets: home.assets.clone(),
            data: home.data.clone(),
            settings: Settings { worker_threads: Some(1), ..Settings::default() },
            base_url: "http://box:7300".into(),
            films: true,
            yields: false,
            shares: false,
        };
        let depot = Depot::open(&home, self.objects.clone());
        let supply = Supply::new(Links::new("secret", hello.base_url.clone(), 7), self.objects.clone());
        let supply = supply.with(depot.clone());
        let crew = LocalCrew::of_binary(binary.to_owned(), &home, 1, hello, supply).expect("a crew");
        (Arc::new(crew.together(self.store.clone())), depot)
    }

    fn project(&self, body: &Value) -> NewProject {
        NewProject {
            id: None,
            account: self.account.clone(),
            workspace: None,
            name: "Together".to_owned(),
            orientation: Orientation::Landscape,
            kind: ProjectKind::Scenes,
            body: body.clone(),
            request: None,
            callback_id: None,
            importing: None,
        }
    }

    async fn saved(&self, body: &Value) -> String {
        self.store.create_project(self.project(body)).await.expect("stores").id
    }

    /// An order for a film, in somebody's hands.
    async fn ordered(&self, snapshot: &Value) -> Commission {
        let (name, account) = ("Together".to_owned(), self.account.clone());
        let project = self.project(snapshot);
        let order = Order { name, resolution: Resolution::P480, format: Format::Mp4, snapshot: snapshot.clone() };
        let export = NewExport {
            project: String::new(),
            account,
            order,
            priority: Priority::Usual,
            webhook: None,
            callback_id: None,
            reserve: 0,
            test: false,
            warnings: Vec::new(),
            presenters: Vec::new(),
        };
        let started = self.store.start_export(Before::Create(Box::new(project)), export).await.expect("stores");
        started.expect("accepted");
        self.claimed().await
    }

    async fn claimed(&self) -> Commission {
        let claimed = self.store.claim_export("somebody", 3_600_000).await.expect("asks").expect("waits");
        let export = claimed.export;
        let fence = export.fence;
        Commission { export: export.id, account: export.account, fence, order: export.order, longest: 6000.0 }
    }

    async fn takes_something(&self, film: &Commission, holder: &str) -> bool {
        taken(&self.store, film, holder).await
    }

    /// Waits until nobody could help any more, because somebody does.
    async fn until_somebody_helps(&self, film: &Commission) {
        let split = Split { export: &film.export, fence: film.fence };
        let last = FilmPart::Speech { scene: 11, run: 0 };
        for _ in 0..2000 {
            // A part that is not there yet is ours, and is not taken by that.
            let claim = self.store.claim_part(split, last, "a ghost", -1).await.expect("asks");
            if claim != PartClaim::Ours {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("nobody helps");
    }

    /// The first part that there is to be had, taken for a long time.
    async fn until_there_is_a_part(&self, split: Split<'_>, pictures: bool, holder: &str) -> FilmPart {
        for _ in 0..4000 {
            let next = self.store.next_part(split, pictures, holder, 600_000).await.expect("asks");
            if let NextPart::Part(part) = next {
                return part;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("nothing is shared out");
    }

    /// The film, led by a machine.
    async fn made(&self, lead: &LocalCrew, commission: &Commission) -> Film {
        let (headway, _heard) = mpsc::channel(8);
        let (_stop, stopping) = watch::channel(false);
        let begun = Instant::now();
        let made = match lead.make(commission.clone(), headway, stopping).await {
            Outcome::Made(made) => made,
            other => panic!("{other:?}"),
        };
        let took = begun.elapsed();
        let film = made.files.iter().find(|(product, _)| *product == Product::Film).expect("a film");
        let cut = &made.made.cut;
        Film { bytes: std::fs::read(&film.1).expect("reads"), frames: cut.frames, drawn: cut.drawn_frames, took }
    }
}

/// As long as a ghost has what it took.
const GHOSTLY: Duration = Duration::from_secs(3);

/// Takes the last part of a film as soon as there is one, for somebody who never does anything with it.
async fn taken(store: &Store, film: &Commission, holder: &str) -> bool {
    let split = Split { export: &film.export, fence: film.fence };
    for _ in 0..2000 {
        let next = store.next_part(split, false, holder, GHOSTLY.as_millis() as i64).await.expect("asks");
        if matches!(next, NextPart::Part(_)) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    false
}

fn compere() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_compere"))
}

/// Scenes with some sentences each, of which nobody has spoken any.
fn project(scenes: usize, word: &str) -> Value {
    let scene = |number: usize| {
        let text = format!(
            "This is part {number} of {word}. It says something that nobody has said before. Then it goes on for a \
             while, so that there is enough to draw. At last it comes to its end."
        );
        json!({
            "sceneIdx": number,
            "scripts": [{"org": text, "isTTS": true, "tts": {"voice": "tone"}, "modelId": "figure",
                         "clothId": "figure/plain"}],
            "background": {"id": "background", "type": "background",
                           "source_color": format!("rgb({},60,80)", 40 + 15 * number)},
            "clips": [{"id": "who", "type": "aiModel", "layer": 2, "left": 1200, "top": 180, "width": 600,
                       "height": 900, "model": {"ai_name": "figure", "emotion": "figure/plain"}}],
        })
    };
    json!({"name": "Together", "orientation": "landscape", "scenes": (0..scenes).map(scene).collect::<Vec<_>>()})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_machines_make_one_film_with_the_bytes_of_one() {
    let farm = Farm::new().await;
    let body = project(6, "the first");
    let (lead, helper) = (farm.machine("a", &compere()), farm.machine("b", &compere()));
    helper.lend_hands();
    let commission = farm.ordered(&body).await;
    let film = farm.made(&lead, &commission).await;
    assert!(film.drawn < film.frames, "{} of {} frames were drawn by the lead", film.drawn, film.frames);
    assert!(film.drawn > 0, "it draws as well");

    let alone = Farm::new().await;
    let (machine, commission) = (alone.machine("c", &compere()), alone.ordered(&body).await);
    let anew = alone.made(&machine, &commission).await;
    assert_eq!(anew.drawn, anew.frames);
    assert!(anew.bytes == film.bytes, "the same bytes, whoever made which part");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_helper_costs_time_and_a_dead_lead_no_film() {
    let farm = Farm::new().await;
    let body = project(4, "the second");
    let (first, second) = (farm.machine("a", &compere()), farm.machine("b", &compere()));
    let commission = farm.ordered(&body).await;
    let leading = {
        let (commission, lead) = (commission.clone(), Arc::clone(&first));
        tokio::spawn(async move {
            let (headway, _heard) = mpsc::channel(8);
            let (_stop, stopping) = watch::channel(false);
            lead.make(commission, headway, stopping).await
        })
    };
    // Somebody takes the last scene, and is never heard of again. Then whoever leads dies as well.
    assert!(farm.takes_something(&commission, "a ghost").await, "it is shared out");
    leading.abort();
    assert!(farm.store.orphan_export((&commission.export, commission.fence)).await.expect("lets go"));
    let again = farm.claimed().await;
    assert_eq!((&again.export, again.fence), (&commission.export, commission.fence + 1));
    let ghosts = {
        let (store, again) = (farm.store.clone(), again.clone());
        tokio::spawn(async move { taken(&store, &again, "another ghost").await })
    };
    let film = farm.made(&second, &again).await;
    assert!(ghosts.await.expect("ends"), "it is shared out once more");
    assert!(film.took >= GHOSTLY, "it waited for the ghost: {:?}", film.took);

    let alone = Farm::new().await;
    let (machine, commission) = (alone.machine("c", &compere()), alone.ordered(&body).await);
    assert!(alone.made(&machine, &commission).await.bytes == film.bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_helps_gets_up_for_a_film_of_their_own() {
    let farm = Farm::new().await;
    let (lead, helper) = (farm.machine("a", &compere()), farm.machine("b", &compere()));
    helper.lend_hands();
    let long = farm.ordered(&project(12, "the third")).await;
    let leading = {
        let (long, lead) = (long.clone(), Arc::clone(&lead));
        tokio::spawn(async move {
            let (headway, _heard) = mpsc::channel(8);
            let (_stop, stopping) = watch::channel(false);
            lead.make(long, headway, stopping).await
        })
    };
    farm.until_somebody_helps(&long).await;
    let short = farm.ordered(&project(1, "the fourth")).await;
    let film = farm.made(&helper, &short).await;
    assert_eq!(film.drawn, film.frames);
    assert!(!leading.is_finished(), "the short one passed the long one");
    let made = match leading.await.expect("ends") {
        Outcome::Made(made) => made,
        other => panic!("{other:?}"),
    };
    assert!(made.made.cut.drawn_frames < made.made.cut.frames, "there was help");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leads_waits_for_a_presenter_that_somebody_else_bakes() {
    let farm = Farm::new().await;
    let (lead, depot) = farm.machine_and_depot("a", &compere());
    let commission = farm.ordered(&with_nora(project(2, "the fifth"))).await;
    let leading = {
        let (lead, commission) = (Arc::clone(&lead), commission.clone());
        tokio::spawn(async move {
            let (headway, _heard) = mpsc::channel(8);
            let (_stop, stopping) = watch::channel(false);
            lead.make(commission, headway, stopping).await
        })
    };
    let split = Split { export: &commission.export, fence: commission.fence };
    let (ghost, presenter) = ("a ghost", FilmPart::Baked { presenter: 0 });
    assert_eq!(farm.until_there_is_a_part(split, false, ghost).await, presenter);
    // Everything is spoken, and whoever leads would have to bake now.
    farm.until_there_is_a_part(split, true, "another ghost").await;
    farm.store.let_parts_go(split, "another ghost").await.expect("lets go");
    // Somewhere else she is baked, and lies where everybody finds her.
    let elsewhere = farm.beside().await;
    let baker = elsewhere.machine("b", &compere());
    let other = elsewhere.ordered(&with_nora(project(1, "another film"))).await;
    elsewhere.made(&baker, &other).await;
    assert_eq!(depot.traffic().fetched, 0, "nobody made anything of this film");
    assert!(!leading.is_finished());
    farm.store.part_is_made(split, presenter, ghost).await.expect("tells");
    assert!(matches!(leading.await.expect("ends"), Outcome::Made(_)));
    assert_eq!(depot.traffic().fetched, 1, "the presenter, whom it did not bake");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_nothing_to_do_bakes_for_a_project_that_was_saved() {
    let farm = Farm::new().await;
    let (idle, depot) = farm.machine_and_depot("a", &compere());
    let project = farm.saved(&with_nora(project(1, "the sixth"))).await;
    farm.store.note_ahead(&farm.account, &project, 0).await.expect("notes");
    idle.lend_hands();
    for _ in 0..1200 {
        if depot.traffic().kept > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(depot.traffic().kept, 1, "she lies where everybody finds her");
    let packs = farm.dir.path().join("a/cache/pack");
    assert_eq!(std::fs::read_dir(packs).expect("reads").count(), 1);
}

/// One scene that says so much that its sentences are shared out.
fn long_scene(word: &str, sentences: usize) -> Value {
    let mut body = project(1, word);
    let said: Vec<String> =
        (0..sentences).map(|number| format!("Sentence {number} of {word} is about something.")).collect();
    // A voice that takes its time.
    body["scenes"][0]["scripts"][0]["org"] = json!(said.join(" "));
    body["scenes"][0]["scripts"][0]["tts"]["voice"] = json!("af_heart");
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sentences_of_a_long_scene_are_shared_out() {
    let farm = Farm::new().await;
    let body = long_scene("the seventh", 30);
    let (lead, helper) = (farm.machine("a", &compere()), farm.machine("b", &compere()));
    helper.lend_hands();
    let commission = farm.ordered(&body).await;
    let split = Split { export: &commission.export, fence: commission.fence };
    let run = |run| FilmPart::Speech { scene: 0, run };
    let (film, (last, middle)) = tokio::join!(farm.made(&lead, &commission), async {
        // Nobody is kept from it by a ghost that takes it for no time.
        let ghost = async |part| farm.store.claim_part(split, part, "a ghost", -1).await.expect("asks");
        loop {
            let last = ghost(run(4)).await;
            if last != PartClaim::Ours {
                return (last, ghost(run(2)).await);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    assert_eq!((last, middle), (PartClaim::Theirs, PartClaim::Ours), "somebody began at the end of it");

    let alone = Farm::new().await;
    let (machine, commission) = (alone.machine("c", &compere()), alone.ordered(&body).await);
    assert!(
        alone.made(&machine, &commission).await.bytes == film.bytes,
        "the same bytes, whoever spoke which sentence"
    );
}

/// What 1, 2 and 4 machines with a core each, or half of one, take for a film of ten scenes, spoken and drawn anew, of a
/// presenter who is baked and of one whom nobody has baked: `scripts/together.sh`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes of measuring, for a machine with nothing else to do"]
async fn more_machines_need_less_time() {
    let mut bytes: Option<Vec<u8>> = None;
    for is_baked in [true, false] {
        println!("{}", if is_baked { "a presenter who is baked" } else { "a presenter whom nobody has baked" });
        let mut single = None;
        for machines in [1_usize, 2, 4] {
            let cores = machines.min(std::thread::available_parallelism().map_or(2, usize::from));
            let film = measured(machines, cores, is_baked).await;
            let seconds = film.took.as_secs_f64();
            let one = *single.get_or_insert(seconds);
            println!(
                "{machines} machines on {cores} cores: {seconds:.1} s for a film of {:.0} s, of which the lead drew \
                 {:.0} %; {:.2} times as fast as one, efficiency per core {:.2}",
                film.frames as f64 / 30.0,
                100.0 * film.drawn as f64 / film.frames as f64,
                one / seconds,
                one / seconds / cores as f64
            );
            assert!(*bytes.get_or_insert_with(|| film.bytes.clone()) == film.bytes, "the same bytes");
        }
    }
}

/// A film by so many machines with warm workers, as a farm has them.
async fn measured(machines: usize, cores: usize, is_baked: bool) -> Film {
    let farm = Farm::new().await;
    let pin = |number| farm.machine(&format!("m{number}"), &pinned(&farm, number, number % cores));
    let crews: Vec<Arc<LocalCrew>> = (0..machines).map(pin).collect();
    for crew in &crews {
        let mut body = long_film(1);
        if !is_baked {
            // Her voice is warm, and she is baked for another size.
            body["scenes"][0]["clips"][0]["height"] = json!(700);
        }
        let warm = farm.ordered(&body).await;
        farm.made(crew, &warm).await;
        // An account may not have more of them at once.
        let news = News::Failed { message: "it was only to warm up".to_owned() };
        let told = farm.store.tell_export((&warm.export, warm.fence), news, 1000, &|_, _| None).await;
        told.expect("tells");
    }
    crews.iter().skip(1).for_each(LocalCrew::lend_hands);
    let commission = farm.ordered(&long_film(10)).await;
    farm.made(&crews[0], &commission).await
}

/// A program that runs on one core, which it knows by its name: those with other bytes would be another program, and not
/// help.
fn pinned(farm: &Farm, number: usize, core: usize) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let script = farm.dir.path().join(format!("worker-{number}-{core}"));
    let text = format!("#!/bin/sh\nexec taskset -c \"${{0##*-}}\" '{}' \"$@\"\n", compere().display());
    std::fs::write(&script, text).expect("writes");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("may be run");
    script
}

/// The same with a presenter who has to be baked.
fn with_nora(mut body: Value) -> Value {
    for scene in body["scenes"].as_array_mut().expect("scenes") {
        scene["scripts"][0]["modelId"] = json!("nora");
        scene["scripts"][0]["clothId"] = json!("nora/blazer");
        scene["clips"][0]["model"] = json!({"ai_name": "nora", "emotion": "nora/blazer"});
    }
    body
}

/// Scenes of a lit presenter with a neural voice.
fn long_film(count: usize) -> Value {
    let mut body = with_nora(project(count, &format!("a film of {count}")));
    for scene in body["scenes"].as_array_mut().expect("scenes") {
        scene["scripts"][0]["isTTS"] = json!(false);
        scene["scripts"][0]["tts"] = Value::Null;
    }
    body
}
