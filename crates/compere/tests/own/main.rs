//! A presenter of footage, from the takes to the film and away again. The person is one of our lit presenters, filmed from
//! close by; nobody real was filmed for this.
//!
//! Needs voices, presenters and face networks, which the set-up fetches.

#[path = "../kept/mod.rs"]
mod kept;
mod refused;
mod set;

use std::path::{Path, PathBuf};
use std::process::Command;

use compere_avatar::{Designer, Framing, NoCache, Role, Want};
use compere_codec::{Sandbox, SandboxWish};
use compere_media::{Damage, Frame, Layer, Marks, PhonemeMark, Rgb, SAMPLE_RATE, SampleSpan, Stress};
use compere_own::{Finding, Form, Store, Wish, compare, presenters};
use set::{KEPT, PLACE, READ, Set, assets, ffmpeg, form, prompt, refused, set, wish};

/// What somebody says who was not given a text.
const TALKED: &str = "Well, last weekend we went to the sea. It rained most of the time, but nobody minded. My sister had brought a big \
                      box of cakes, and so we sat in the car, looked at the waves, and ate.";
const SAID: &str = "Today people make films by putting a few words on a page.";

fn bytes_at(film: &Path, crop: &str) -> Vec<u8> {
    let run = Command::new("ffmpeg")
        .args(["-v", "error", "-ss", "1", "-i"])
        .arg(film)
        .args(["-frames:v", "1", "-vf", &format!("crop={crop},format=gray"), "-f", "rawvideo", "-"])
        .output();
    run.expect("ffmpeg runs").stdout
}

fn pictures_of(film: &Path) -> usize {
    let run = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", "v:0", "-count_packets", "-show_entries", "stream=nb_read_packets"])
        .args(["-of", "csv=p=0"])
        .arg(film)
        .output();
    String::from_utf8_lossy(&run.expect("ffprobe runs").stdout).trim().trim_end_matches(',').parse().expect("a number")
}

fn comment(film: &Path) -> String {
    let run = Command::new("ffprobe")
        .args(["-v", "error", "-show_entries", "format_tags=comment", "-of", "csv=p=0"])
        .arg(film)
        .output();
    String::from_utf8_lossy(&run.expect("ffprobe runs").stdout).trim().to_owned()
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

/// Other footage of the same person is an outfit, of which films are made; its footage belongs to nobody else.
fn is_worn_too(set: &Set, id: &str) -> String {
    let folder = set.folder("suit", &["01.mp4", "idle.mp4", "consent.mp4"]);
    set.take("suit/talk", TALKED);
    let suit = Wish { name: "Blue suit".to_owned(), outfit_of: Some(id.to_owned()), ..wish(form(), "A tester") };
    let somebody = Form { person: "Somebody Else".to_owned(), ..form() };
    let told = refused(set.add_wished("data", &folder, &Wish { consent: somebody, ..suit.clone() }, false));
    assert!(told.contains("an outfit is of the same person"), "{told}");
    let suit = set.add_wished("data", &folder, &suit, false).unwrap_or_else(|refused| panic!("{refused}")).manifest;
    assert_eq!(suit.outfit_of.as_deref(), Some(id));
    assert!(suit.seconds < 6.0, "of its own take: {} s", suit.seconds);
    // Films are made on what was talked freely, and on the line; no mouth is taken from there.
    let kept = set.path("data/presenters").join(&suit.id);
    let pictures = pictures_of(&kept.join("talk.video"));
    let [line, talked] = [folder.join("01.mp4"), folder.join("talk.mp4")].map(|film| pictures_of(&film));
    assert!(pictures > line && pictures > talked / 2, "{pictures} of {line} and {talked}");
    assert!(kept.join("takes/talk.mp4").exists());
    set.good_film("data", "david-example/blue-suit", "Good morning.", "films/suit.mp4", &[]);
    assert!(comment(&set.path("films/suit.mp4")).contains("Made with AI"));
    let output = set.film("data", "david-example/red-suit", "Good morning.", "films/red.mp4", &[]);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("red-suit"));
    suit.id
}

#[test]
fn footage_becomes_a_presenter_who_speaks_and_can_be_withdrawn() {
    let set = set();
    let made_of = set.added_by_command("data", "takes", "short_footage = true\n");
    let consent = &made_of.consent;
    assert_eq!((consent.person.as_str(), consent.approved_by.as_deref()), ("David Example", Some("A tester")));
    assert_eq!((consent.hash.len(), &consent.text_hash, consent.text_version), (64, &form().hash(), 1));

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
    let cut = made_of.cut.expect("he is cut out");
    assert!(cut.left < made_of.face.x && made_of.face.x < cut.right && cut.top > 5.0, "{cut:?}");
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

    let id = made_of.id;
    let suit = is_worn_too(set, &id);
    let output = set.compere("data", &["avatar", "remove", &id]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!([&id, &suit].iter().all(|id| !set.path("data/presenters").join(id).exists()), "in all clothes");
    assert!(!set.path("data/cache").exists());
    let output = set.film("data", "david-example", SAID, "films/gone.mp4", &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("david-example"));
    assert!(!output.status.success() && !set.path("films/gone.mp4").exists());
    assert!(!set.compere("data", &["avatar", "remove", &id]).status.success());
}

/// As much as a person gives, with the rules of the product.
#[test]
#[ignore = "films and reads twenty-four lines, which is minutes: ./test own"]
fn one_command_makes_a_presenter_of_a_folder() {
    let set = set();
    set.folder("enough", &["01.mp4", "02.mp4", "04.mp4", "idle.mp4", "consent.mp4"]);
    for number in 1..=24 {
        let take = format!("{number:02}");
        if !READ.contains(&take.as_str()) {
            set.take(&format!("enough/{take}"), prompt(&take));
        }
    }
    let made_of = set.added_by_command("strictly", "enough", "");
    assert!(made_of.seconds > 60.0, "{} s", made_of.seconds);
    set.good_film("strictly", "david-example", SAID, "films/strictly.mp4", &[]);
    assert!(comment(&set.path("films/strictly.mp4")).contains("Made with AI"));
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
