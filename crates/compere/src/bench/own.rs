//! A presenter of footage against the true film.
//!
//! The person is simulated: one of our own lit presenters reads the prompts before a camera that is held by hand, drifts in
//! its exposure and has noise (`ffmpeg`). A presenter is made of that footage and says texts that are not in it; so does the
//! lit one, and both films are compared. A simulated mouth is a function of its phonemes; people vary.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use compere_avatar::{Cast, Framing, Want};
use compere_house::home::Home;
use compere_own::{
    Added, Background, Bench, Finding, Folder, Form, Keeping, Level, Likeness, Refused, Store, Tongue, Wish, add,
    blinking, compare, dubbed, seams,
};
use compere_render::{Studio, Unwatched};
use compere_scene::Limits;
use rustix::time::ClockId;
use serde_json::{Value, json};

use super::Row;
use super::avatar::presenter_at;
use super::machine::worked;
use crate::worker::studio::LocalStudio;

/// How many prompts are read: about a minute, the least that a person should give.
const READ: usize = 14;
/// What is said in the end, none of it a prompt.
const SAID: [&str; 2] = [
    "Hello, and welcome to our spring update. Today I would like to show you what is new.",
    "Simply open the app, choose a presenter, type your message, and share the film with everybody.",
];
/// What is said where blinks are counted, which no film of the above is long enough for; and in how many films.
const TOLD: &str = "Good morning, everyone. My name is Robin, and I look after the people who travel for us. In the next minute \
    I will tell you what changes in April, why it changes, and what you have to do about it. First, trips are booked on one \
    page. You say where you want to go, and when; the rest is found for you. Second, nobody keeps paper any more. Take a \
    picture of each bill with your phone, send it, and throw the paper away. Third, and this is what most of you asked for, \
    your money comes back within a week. If something goes wrong on the way, call us. Somebody answers, day and night. \
    That is all for now. Thank you for listening, and have a safe trip.";
const TOLD_FILMS: u64 = 12;
/// The person on the canvas: left, top, side.
const PERSON: [i32; 3] = [594, 348, 732];
const IDLE: f64 = 8.0;
/// Of the footage, which is square, in pixels: eyes are 110 apart then.
const HEAD_AND_CHEST: u32 = 446;
/// Films are so many pixels high, and the canvas; less would be too small a face.
const HEIGHT: i32 = 720;
const CANVAS: i32 = 1080;

/// Makes footage of `person`, a presenter of it, and films to compare.
pub fn own(home: &Home, person: &str, keep: Option<&Path>, say: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let dir = keep.unwrap_or(scratch.path()).to_owned();
    for part in ["raw", "footage", "refused", "films", "data"] {
        std::fs::create_dir_all(dir.join(part)).map_err(|error| format!("{}: {error}", dir.display()))?;
    }
    let home = Home { assets: home.assets.clone(), data: dir.join("data") };
    let gender = Cast::open(&home.assets).get(person).map(|one| one.info().gender.clone());
    let gender = gender.ok_or_else(|| format!("there is no presenter `{person}`"))?;
    let set = Set { dir, home, person: person.to_owned(), gender, keeping: Keeping::Full, wall: "rgb(200,205,210)" };
    let mut rows = Vec::new();
    let mut tell = |row: Row| {
        say(&row);
        rows.push(row);
    };
    let started = Instant::now();
    let form = set.footage()?;
    tell(Row::new("time to film the simulated person", started.elapsed().as_secs_f64(), "s"));
    let made = set.made(&form)?;
    tell(Row::new("takes that the gates refused, read anew from other prompts", set.refused() as f64, ""));
    let id = made.id.clone();
    made.rows(&set, "").into_iter().for_each(&mut tell);
    let likenesses = set.likenesses(&id)?;
    mean(&likenesses).into_iter().chain(causes(&likenesses)).for_each(&mut tell);
    let dubbed = set.dubbed(&id)?;
    let wanted = ["opening: correlation", "width: correlation", "mouth against the true one"];
    for row in mean(&dubbed).into_iter().filter(|row| wanted.iter().any(|name| row.name.starts_with(name))) {
        tell(Row { name: format!("the true film's own head: {}", row.name), ..row });
    }
    set.blinks(&id)?.into_iter().for_each(&mut tell);
    let again = set.again()?;
    for row in mean(&again).into_iter().filter(|row| row.name.contains("PSNR")) {
        tell(Row { name: format!("the person again: {}", row.name), target: None, ..row });
    }
    set.seams(&id)?.into_iter().for_each(&mut tell);
    set.performed(&id, "720x720", 720)?.into_iter().for_each(&mut tell);
    // In a film of 1080 lines: head and chest as far away as people stand, and as high as the picture.
    let large =
        [("1080p, head and chest", HEAD_AND_CHEST, Some("<= 6")), ("1080p, as high as the picture", 1080, None)];
    for (label, side, most) in large {
        let frame = |row: &Row| row.name.ends_with("perform a frame");
        for row in set.performed(&id, label, side)?.into_iter().filter(frame) {
            tell(Row { target: most.map(str::to_owned), ..row });
        }
    }
    // The same footage with a bank of the other kind.
    let compact = Home { assets: set.home.assets.clone(), data: set.dir.join("compact") };
    let compact = Set { home: compact, keeping: Keeping::Compact, ..set };
    let made = compact.made(&form)?;
    made.rows(&compact, "compact: ").into_iter().for_each(&mut tell);
    let wanted = ["opening: correlation", "width: correlation", "m, b, p with closed", "mouth"];
    let measured = mean(&compact.likenesses(&made.id)?).into_iter();
    for row in measured.filter(|row| wanted.iter().any(|name| row.name.starts_with(name))) {
        tell(Row { name: format!("compact: {}", row.name), ..row });
    }
    compact.performed(&made.id, "compact: 720x720", 720)?.into_iter().for_each(&mut tell);
    Ok(rows)
}

/// What became of the footage.
struct Made {
    id: String,
    /// Of footage in the bank.
    seconds: f64,
    /// Unless an earlier run made it.
    fresh: Option<Fresh>,
}

struct Fresh {
    /// Seconds that the last, successful making took.
    took: f64,
    /// And those of processors, but for the decoders, which are other processes.
    busy: f64,
}

impl Made {
    fn rows(&self, set: &Set, which: &str) -> Vec<Row> {
        let seconds = self.seconds;
        let mut rows = vec![Row::new(format!("{which}{}: footage in the bank", set.person), seconds, "s")];
        if let Some(Fresh { took, busy }) = self.fresh {
            let named = format!("{which}time to make the presenter, per second of it");
            rows.push(Row::new(named.clone(), took / seconds, "s").target("<= 1"));
            rows.push(Row::new(format!("{named}, of processors"), busy / seconds, "s"));
        }
        let patches = set.home.data.join("presenters").join(&self.id).join("patches.bin");
        let bytes = std::fs::metadata(patches).map_or(0, |file| file.len());
        let most = if set.keeping == Keeping::Compact { "<= 8" } else { "<= 35" };
        rows.push(Row::new(format!("{which}bank"), bytes as f64 / 1e6 / (seconds / 60.0), "MB/min").target(most));
        rows
    }
}

/// One simulated person with all files.
#[derive(Clone)]
struct Set {
    dir: PathBuf,
    home: Home,
    person: String,
    gender: String,
    keeping: Keeping,
    /// A colour that nobody sees, behind a picture. Another one makes other dice fall.
    wall: &'static str,
}

impl Set {
    fn voice(&self) -> &'static str {
        if self.gender == "female" { "bf_emma" } else { "am_fenrir" }
    }

    /// Jumpers show the throat as it is; people of footage have what they were filmed in.
    fn outfit(&self, studio: &LocalStudio, who: &str) -> String {
        let outfits = studio.workshop().cast.get(who).map(|one| one.info().outfits.clone()).unwrap_or_default();
        let jumper = outfits.iter().find(|outfit| outfit.aliases.iter().any(|alias| alias == "knit"));
        jumper.or(outfits.first()).map(|outfit| outfit.id.clone()).unwrap_or_default()
    }

    fn studio(&self) -> Result<LocalStudio, String> {
        Ok(LocalStudio::open(&self.home, None, false)?.with_own_presenters(&self.home))
    }

    /// A film of somebody who says a text, or nothing for a while.
    fn film(
        &self,
        studio: &LocalStudio,
        who: &str,
        text: &str,
        [left, top, side]: [i32; 3],
        out: &Path,
    ) -> Result<compere_render::Made, String> {
        let spoken = !text.is_empty();
        let outfit = self.outfit(studio, who);
        let voice = json!({"voice": self.voice()});
        let mut scene = json!({
            "sceneIdx": 0,
            "scripts": [{"org": text, "isTTS": spoken, "tts": if spoken { voice } else { Value::Null }, "modelId": who, "clothId": outfit}],
            "background": {"id": "b", "type": "background", "source_type": "image",
                           "source_url": "/images/background/studio-warm.png", "source_color": self.wall},
            "clips": [{"id": "p", "type": "aiModel", "layer": 1, "left": left, "top": top, "width": side, "height": side,
                       "model": {"ai_name": who, "emotion": outfit}}],
        });
        if !spoken {
            scene["duration"] = json!(IDLE);
        }
        let body = json!({"name": "own", "resolution": HEIGHT.to_string(), "scenes": [scene]});
        let resolved = compere_scene::resolve(&body, &Limits::default(), studio.catalogue());
        let film = resolved.map_err(|problems| format!("{problems:?}"))?.film;
        compere_render::film(&film, studio, &Unwatched, out, compere_render::Wish::default())
            .map_err(|error| error.to_string())
    }

    /// A take: the film before a camera. What is there stays.
    fn take(&self, studio: &LocalStudio, name: &str, text: &str, number: usize) -> Result<(), String> {
        let (raw, take) = (self.dir.join(format!("raw/{name}.mp4")), self.dir.join(format!("footage/{name}.mp4")));
        if take.exists() {
            return Ok(());
        }
        if !raw.exists() {
            self.film(studio, &self.person, text, PERSON, &raw)?;
        }
        camera(&raw, &take, 7.3 * number as f64)
    }

    /// All takes, and what the person read to agree.
    fn footage(&self) -> Result<Form, String> {
        let studio = self.studio()?;
        self.take(&studio, "idle", "", 0)?;
        self.read(&studio)?;
        let form =
            Form::new(Tongue::english(), &self.person, "the first of May", "measuring this machine", 0x5EED_0F7E_57ED)
                .map_err(|error| error.to_string())?;
        self.consent(&studio, &form)?;
        Ok(form)
    }

    /// As many prompts as are to be read, without those whose take was refused.
    fn read(&self, studio: &LocalStudio) -> Result<(), String> {
        let name = |n: usize| format!("{:02}", n + 1);
        let good = |(n, _): &(usize, &str)| !self.dir.join(format!("refused/{}.mp4", name(*n))).exists();
        for (n, text) in Tongue::english().lines().enumerate().filter(good).take(READ) {
            self.take(studio, &name(n), text, n + 1)?;
        }
        Ok(())
    }

    /// A person reads a refused take again. A simulated one would do the same again, and reads another prompt instead.
    fn read_anew(&self, studio: &LocalStudio, findings: &[Finding]) -> Result<(), String> {
        let told = || findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let refused = findings.iter().filter(|finding| finding.level == Level::Refused);
        for finding in refused {
            let take = format!("{}.mp4", finding.about);
            let is_prompt = finding.about.parse::<usize>().is_ok();
            let (from, to) = (self.dir.join("footage").join(&take), self.dir.join("refused").join(&take));
            if !is_prompt || !(to.exists() || std::fs::rename(&from, &to).is_ok()) {
                return Err(told());
            }
        }
        self.read(studio)
    }

    fn refused(&self) -> usize {
        std::fs::read_dir(self.dir.join("refused")).map_or(0, Iterator::count)
    }

    /// What is heard counts; of the picture it is enough that it shows the person.
    fn consent(&self, studio: &LocalStudio, form: &Form) -> Result<(), String> {
        let take = self.dir.join("footage/consent.mp4");
        if take.exists() {
            return Ok(());
        }
        let spoken = self.spoken(studio, &form.text())?;
        let sound = self.dir.join("raw/consent.wav");
        let bytes = compere_codec::wav::to_bytes(&spoken.sound, compere_codec::wav::Depth::Bits16);
        let written = std::fs::write(&sound, bytes.map_err(|error| error.to_string())?);
        written.map_err(|error| format!("{}: {error}", sound.display()))?;
        let idle = self.dir.join("footage/idle.mp4").into_os_string();
        let seen = ["-stream_loop".into(), "-1".into(), "-i".into(), idle, "-i".into(), sound.into_os_string()];
        let ending = ["-map", "0:v", "-map", "1:a", "-shortest", "-pix_fmt", "yuv420p"].map(Into::into);
        let arguments: Vec<OsString> = seen.into_iter().chain(ending).chain([take.into_os_string()]).collect();
        ffmpeg(&arguments)
    }

    fn spoken(&self, studio: &LocalStudio, text: &str) -> Result<compere_speech::Utterance, String> {
        let shop = studio.workshop();
        let voice = shop.voices.get(self.voice()).map_err(|error| error.to_string())?;
        let mut on = |_| std::ops::ControlFlow::Continue(());
        let script = compere_speech::Script::plain(text);
        let spoken = compere_speech::speak(&script, voice.as_ref(), &shop.cache, &mut on, shop.threads);
        Ok(spoken.map_err(|error| error.to_string())?.utterance)
    }

    /// How a presenter blinks in films that are longer than those that are compared.
    fn blinks(&self, id: &str) -> Result<Vec<Row>, String> {
        let spoken = self.spoken(&self.studio()?, TOLD)?;
        let frames = (spoken.sound.seconds() * 30.0) as usize;
        let store = Store::new(&self.home.data);
        let found = blinking(&store, id, &spoken.marks, frames, TOLD_FILMS).map_err(|error| error.to_string())?;
        Ok(vec![
            Row::new("blinks a minute", found.per_minute, "").target(">= 10"),
            Row::new("blinks in pauses", 100.0 * found.in_pauses, "%"),
            Row::new("blinks while lips are closed", 100.0 * found.amid_closed, "%"),
            Row::new("the longest without a blink", found.longest, "s").target("<= 8"),
        ])
    }

    /// The presenter of the footage. Takes that are refused are read anew until half as many were as are to be read.
    fn made(&self, form: &Form) -> Result<Made, String> {
        let store = Store::new(&self.home.data);
        if let Some(manifest) = store.list().first() {
            return Ok(Made { id: manifest.id.clone(), seconds: manifest.seconds, fresh: None });
        }
        let studio = self.studio()?;
        loop {
            let (started, before) = (Instant::now(), worked(ClockId::ProcessCPUTime));
            match self.tried(&studio, &store, form) {
                Ok(Added { manifest, .. }) => {
                    let fresh = Some(Fresh {
                        took: started.elapsed().as_secs_f64(),
                        busy: worked(ClockId::ProcessCPUTime) - before,
                    });
                    return Ok(Made { id: manifest.id, seconds: manifest.seconds, fresh });
                }
                Err(Refused::Footage(findings)) if self.refused() < READ / 2 => self.read_anew(&studio, &findings)?,
                Err(refused) => return Err(refused.to_string()),
            }
        }
    }

    fn tried(&self, studio: &LocalStudio, store: &Store, form: &Form) -> Result<Added, Refused> {
        let shop = studio.workshop();
        let faces = self.home.assets.join("faces");
        let bench = Bench {
            sandbox: &shop.sandbox,
            voices: &shop.voices,
            cache: &shop.cache,
            faces: &faces,
            threads: shop.threads,
            // A minute of speech, which is less than coverage asks of people.
            strict: false,
        };
        let wish = Wish {
            id: None,
            name: format!("Simulated {}", self.person),
            gender: self.gender.clone(),
            language: "en-US".to_owned(),
            account: None,
            outfit_of: None,
            now: 0,
            consent: form.clone(),
            approved_by: Some("nobody; the person is simulated".to_owned()),
            // The true film has the background as well.
            background: Background::Keep,
            keeping: self.keeping,
        };
        let folder = Folder::read(&self.dir.join("footage"), Tongue::english())?;
        add(store, &wish, &folder, &bench, &|_, _, _| {})
    }

    /// A presenter of the footage against the true film.
    fn likenesses(&self, id: &str) -> Result<Vec<Likeness>, String> {
        let [left, top, side] = PERSON;
        // The camera sees four pixels less on each side.
        let less = 4 * CANVAS / HEIGHT;
        let seen = [left + less, top + less, side - 2 * less];
        let kind = if self.keeping == Keeping::Compact { "compact" } else { "made" };
        self.against_true(kind, &|studio, text, path| self.film(studio, id, text, seen, path))
    }

    /// The person themselves against the true film, when they say the same a second time: nods, looks and smiles fall
    /// elsewhere, and more cannot be asked of anybody.
    fn again(&self) -> Result<Vec<Likeness>, String> {
        let again = Self { wall: "rgb(201,205,210)", ..self.clone() };
        self.against_true("again", &|studio, text, path| again.film(studio, &self.person, text, PERSON, path))
    }

    fn against_true(&self, kind: &str, film: &Filming<'_>) -> Result<Vec<Likeness>, String> {
        let studio = self.studio()?;
        let one = |(n, text): (usize, &&str)| {
            let path = |kind: &str, ending: &str| self.dir.join(format!("films/{kind}-{}.{ending}", n + 1));
            let truth = self.film(&studio, &self.person, text, PERSON, &path("true", "mp4"))?;
            let made = film(&studio, text, &path(kind, "mp4"))?;
            let (faces, apart) = (self.home.assets.join("faces"), path(&format!("apart-{kind}"), "jpg"));
            compare(&studio.workshop().sandbox, &faces, &made.film, &truth.film, &truth.marks, Some(&apart))
                .map_err(|error| error.to_string())
        };
        SAID.iter().enumerate().map(one).collect()
    }

    /// True films whose mouths are made anew: heads are turned as they truly were.
    fn dubbed(&self, id: &str) -> Result<Vec<Likeness>, String> {
        let studio = self.studio()?;
        let one = |(n, text): (usize, &&str)| {
            let path = self.dir.join(format!("films/true-{}.mp4", n + 1));
            let truth = self.film(&studio, &self.person, text, PERSON, &path)?;
            let (store, faces) = (Store::new(&self.home.data), self.home.assets.join("faces"));
            dubbed(&store, id, &studio.workshop().sandbox, &faces, &truth.film, &truth.marks)
                .map_err(|error| error.to_string())
        };
        SAID.iter().enumerate().map(one).collect()
    }

    /// What is seen around the mouth that was put on, in films of the first text.
    fn seams(&self, id: &str) -> Result<Vec<Row>, String> {
        let studio = self.studio()?;
        let spoken = self.spoken(&studio, SAID[0])?;
        let frames = (spoken.sound.seconds() * 30.0) as u64;
        let (store, sandbox) = (Store::new(&self.home.data), &studio.workshop().sandbox);
        let found = seams(&store, id, sandbox, (&spoken.marks, frames), 720).map_err(|error| error.to_string())?;
        Ok(vec![
            Row::new("jaw band against the base", found.jaw, "levels").target("<= 3"),
            Row::new("jaw band against the base, the worst of a hundred pictures", found.worst, "levels"),
            Row::new("pixels beyond the mask that differ from the base", found.outside as f64, "").target("<= 0"),
        ])
    }

    fn performed(&self, id: &str, label: &str, side: u32) -> Result<Vec<Row>, String> {
        let want = Want { outfit: String::new(), width: side, height: side, framing: Framing::Body };
        presenter_at(&self.studio()?.workshop().cast, id, &want, label, 1)
    }
}

type Filming<'a> = dyn Fn(&LocalStudio, &str, &Path) -> Result<compere_render::Made, String> + 'a;

/// Hand-held, drifting in exposure, noisy, and encoded as a telephone would. `from` is camera time, so that takes go on.
fn camera(film: &Path, take: &Path, from: f64) -> Result<(), String> {
    let t = format!("(on/30+{from})");
    let wave = |hertz: f64, phase: f64| format!("sin(2*PI*{hertz}*{t}+{phase})");
    let wander = |size: f64, a: f64, b: f64, c: f64| {
        format!("{size}*({}+0.5*{}+0.18*{})", wave(0.23, a), wave(0.61, b), wave(1.7, c))
    };
    let (dx, dy) = (wander(2.5, 1.0, 2.0, 3.0), wander(2.5, 4.0, 5.0, 6.0));
    // A turn of a quarter of a degree and a zoom of four thousandths, at the picture's edges.
    let (turn, zoom) = (wander(1.6, 2.5, 0.7, 0.2), wander(1.4, 0.0, 1.1, 2.2));
    let corner = |n: usize, right: bool, low: bool| {
        let sign = |plus: bool| if plus { '+' } else { '-' };
        let x = format!("{}+({dx}){}({zoom}){}({turn})", if right { "W" } else { "0" }, sign(right), sign(!low));
        let y = format!("{}+({dy}){}({zoom}){}({turn})", if low { "H" } else { "0" }, sign(low), sign(right));
        format!("x{n}='{x}':y{n}='{y}'")
    };
    let corners =
        [corner(0, false, false), corner(1, true, false), corner(2, false, true), corner(3, true, true)].join(":");
    let [left, top, side] = PERSON.map(|length| length * HEIGHT / CANVAS / 2 * 2);
    let light =
        format!("eq=contrast='1+0.03*sin(2*PI*(t+{from})/47)':brightness='0.006*sin(2*PI*(t+{from})/1.3)':eval=frame");
    let filter = format!(
        "crop={side}:{side}:{left}:{top},perspective={corners}:interpolation=cubic:sense=source:eval=frame,crop={0}:{0},{light},\
         noise=alls=5:allf=t,format=yuv420p",
        side - 8
    );
    let how = ["-vf", &filter, "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-c:a", "aac", "-b:a", "128k"];
    let arguments: Vec<OsString> = ["-i".into(), film.into()]
        .into_iter()
        .chain(how.map(Into::into))
        .chain([take.as_os_str().to_owned()])
        .collect();
    ffmpeg(&arguments)
}

fn ffmpeg(arguments: &[OsString]) -> Result<(), String> {
    let run = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-y"])
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("ffmpeg: {error}"))?;
    if run.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&run.stderr).into_owned()) }
}

/// Means of several films; closures are counted over all.
fn mean(all: &[Likeness]) -> Vec<Row> {
    let of = |value: &dyn Fn(&Likeness) -> f64| all.iter().map(value).sum::<f64>() / all.len().max(1) as f64;
    let share = |count: &dyn Fn(&Likeness) -> (usize, usize)| {
        let (hit, of) = all.iter().map(count).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        100.0 * hit as f64 / of.max(1) as f64
    };
    vec![
        Row::new("opening: correlation with the true film", of(&|one| one.opening.correlation), "").target(">= 0.88"),
        Row::new("opening: error, of the eyes' distance", 100.0 * of(&|one| one.opening.rmse), "%"),
        Row::new("opening: how far, of the true film's", 100.0 * of(&|one| one.range), "%").target(">= 95"),
        Row::new("width: correlation", of(&|one| one.width.correlation), "").target(">= 0.88"),
        Row::new("width: error", 100.0 * of(&|one| one.width.rmse), "%"),
        Row::new("m, b, p with closed lips", share(&|one| one.closures), "%").target(">= 95"),
        Row::new("the same in the true film", share(&|one| one.true_closures), "%"),
        Row::new("lips after the true ones, away from zero", of(&|one| one.lag.abs()), "ms").target("<= 20"),
        Row::new("lip jitter, against the true film's", of(&|one| one.lip_jitter[0] / one.lip_jitter[1]), "")
            .target("<= 1.1"),
        Row::new("chin jitter, against the true film's", of(&|one| one.chin_jitter[0] / one.chin_jitter[1]), "")
            .target("<= 1.1"),
        Row::new("nods: correlation with the true film", of(&|one| one.nods), ""),
        Row::new("head: how much it moves, against the true film's", of(&|one| one.stir), ""),
        Row::new("mouth against the true one, PSNR", of(&|one| one.psnr), "dB").target(">= 28"),
        Row::new("mouth where heads are turned alike, PSNR", of(&|one| one.psnr_alike), "dB").target(">= 28"),
        Row::new("pictures in which they are", 100.0 * of(&|one| one.alike), "%"),
    ]
}

/// What the mouths' difference would be with one of its causes gone.
fn causes(all: &[Likeness]) -> Vec<Row> {
    type Of = fn(&compere_own::Apart) -> f64;
    let causes: [(&str, Of); 7] = [
        ("light were the true one's everywhere", |apart| apart.light),
        ("it were where it fits best", |apart| apart.place),
        ("lips and chin had the true shape", |apart| apart.shape),
        ("the best of three moments were shown", |apart| apart.time),
        ("edges were as sharp as true ones", |apart| apart.detail),
        ("all but the lips were true", |apart| apart.lips_only),
        ("the lips were true", |apart| apart.skin_only),
    ];
    let mean = |of: Of| all.iter().map(|one| of(&one.apart)).sum::<f64>() / all.len().max(1) as f64;
    causes.iter().map(|&(name, of)| Row::new(format!("  if {name}"), mean(of), "dB")).collect()
}
