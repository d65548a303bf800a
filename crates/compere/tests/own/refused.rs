//! Consents and footage that are no use, each with what is said of it.

use compere_own::{Finding, Form, Level, Refused};

use crate::set::{ffmpeg, form, prompt, refused, set};

/// The first prompt as somebody says it whose lips never meet.
const SLACK: &str = "Lease hut the gig glue gocks guy the hack door defore he hole degin to nove a gout.";

/// With other words.
fn another_form() -> Form {
    Form::new(
        compere_own::Tongue::english(),
        "David Example",
        "1 May 2026",
        "a test of this program",
        0xFEDC_BA98_7654_3210,
    )
    .expect("a form")
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
    // All of it is right but for the words: what was recorded for another day.
    let before = Form { words: another_form().words, ..form() };
    set.consent("unagreed/consent.mp4", &before.text());
    let told = refused(set.add(&folder, form(), "A tester"));
    assert!(told.contains("the words at its end are not") && told.contains(&form().words.join(", ")), "{told}");
    // All of it is said, and nobody is seen.
    set.consent_before("unagreed/consent.mp4", &form().text(), &["-f", "lavfi", "-i", "testsrc=s=320x240:r=30"]);
    let told = refused(set.add(&folder, form(), "A tester"));
    assert!(told.contains("a face is seen in only 0 % of its pictures"), "{told}");
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

fn is_refused(findings: &[Finding], about: &str, what: &str) {
    let fits = |finding: &&Finding| finding.about == about && finding.what.contains(what);
    let found = findings
        .iter()
        .find(fits)
        .unwrap_or_else(|| panic!("nobody says that {about} is wrong: {what}: {findings:#?}"));
    assert_eq!(found.level, Level::Refused, "{found}");
}

#[test]
fn what_only_all_takes_together_show_is_refused_as_well() {
    let set = set();
    // Sound that comes later than what is seen, and less of silence than a head can be taken from.
    let late = set.folder("late", &["consent.mp4"]);
    let good = set.name("takes/01.mp4");
    let later = ["-itsoffset", "0.25", "-i", &good, "-map", "0:v", "-map", "1:a", "-c", "copy"];
    set.broken_in("late", "late", &later);
    ffmpeg(&["-i", &set.name("takes/idle.mp4"), "-t", "2", "-preset", "veryfast", &set.name("late/idle.mp4")]);
    let findings = set.findings(&late);
    is_refused(&findings, "the sound", "pictures away from the lips");
    is_refused(&findings, "the base take", "it lasts 2.0 s");

    // Somebody whose lips do not meet: said without a single m, b or p, as if it were the first prompt.
    let slack = set.folder("slack", &["consent.mp4", "idle.mp4"]);
    set.take("slack/slack", SLACK);
    std::fs::write(slack.join("slack.txt"), prompt("01")).expect("writes");
    is_refused(&set.findings(&slack), "the lips", "of m, b and p");
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
    // Every fifth picture is missing in the second half, as where a recorder has too much to do.
    set.broken("uneven", &["-vf", "select='lt(t,1)+mod(n,5)'", "-fps_mode", "vfr"]);
    let mouth = "drawbox=x=iw*0.36:y=ih*0.565:w=iw*0.26:h=ih*0.12:color=0x30343a:t=fill";
    set.broken("covered", &["-vf", mouth]);
    set.broken("masked", &["-vf", "drawbox=x=iw*0.31:y=ih*0.53:w=iw*0.34:h=ih*0.21:color=0xa8c4d8:t=fill"]);
    // Half of the face nearer than the other.
    let turned = "[0:v]split[a][b];[a]crop=iw/2:ih:0:0,scale=170:ih[l];[b]crop=iw/2:ih:iw/2:0,scale=318:ih[r];\
                  [l][r]hstack[v]";
    set.broken("turned", &["-filter_complex", turned, "-map", "[v]", "-map", "0:a"]);
    let hand = set.hand();
    let held = "[0:v][1:v]overlay=x='W*0.28+2.5*sin(9*t)':y='H*0.52+4*sin(7*t)+2*sin(17*t)':format=auto[v]";
    set.broken(
        "hand",
        &["-loop", "1", "-i", &hand, "-filter_complex", held, "-map", "[v]", "-map", "0:a", "-shortest"],
    );
    set.broken("other", &[]);
    std::fs::write(set.path("broken/other.txt"), prompt("03")).expect("writes");
    std::fs::copy(set.path("takes/consent.mp4"), set.path("broken/consent.mp4")).expect("a copy");
    // What films are made on, of two people whose chins are cut off, while it gets dark.
    let wrong = "[0:v]select='lt(t,2)+mod(n,5)',eq=brightness='-.05*t':eval=frame,crop=iw:ih*0.70:0:0,split[a][b];\
                 [a][b]hstack[v]";
    let (idle, bad) = (set.name("takes/idle.mp4"), set.name("broken/idle.mp4"));
    ffmpeg(&["-i", &idle, "-filter_complex", wrong, "-map", "[v]", "-fps_mode", "vfr", "-preset", "veryfast", &bad]);
    // Free talk of somebody whose chin is cut off, for a moment.
    let short = ["-i", &set.name("takes/01.mp4"), "-t", "3", "-vf", "crop=iw:ih*0.70:0:0", "-preset", "veryfast"];
    ffmpeg(&[&short[..], &[&set.name("broken/talk.mp4")]].concat());
    let findings = set.findings(&set.path("broken"));
    let told = |about: &str, what: &str| is_refused(&findings, about, what);
    told("small", "pixels apart");
    told("slow", "15.0 pictures a second");
    told("uneven", "its pictures come unevenly");
    told("hidden", "the face is not found");
    told("two", "a second face");
    told("cut", "the chin is at the picture's lower edge");
    told("noisy", "dB above the room");
    told("light", "the light on the face changes");
    told("mute", "holds no sound");
    told("covered", "the lips open by");
    told("masked", "the lips open by");
    told("turned", "the head turns by");
    told("hand", "the lips");
    told("other", "does not fit the text");
    told("the base take", "a second face");
    told("the base take", "the chin is at the picture's lower edge");
    told("the base take", "the light on the face changes");
    told("the base take", "its pictures come unevenly");
    told("the free talk", "the chin is at the picture's lower edge");
    told("the free talk", "s in it");

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
