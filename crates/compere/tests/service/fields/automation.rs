//! Films of less than scenes, the tools, and what is not done here.

use serde_json::{Value, json};

use super::{Book, DIFFERS, REFUSED, Section, WORKS, admin, given_back, with};
use crate::house::send;
use crate::writer::{asked_about, base};

const ROOT: &str = "/api/odin/v3";

pub fn books() -> Vec<Section> {
    let mut books: Vec<Section> = vec![
        || vec![scripts()],
        || vec![topic()],
        || vec![page()],
        || vec![options()],
        || vec![uploads()],
        || vec![papers()],
        || vec![progress()],
        || vec![text()],
        || vec![image()],
        || vec![video()],
        || vec![voice()],
    ];
    books.push(|| vec![custom_avatar()]);
    books.push(|| vec![dream_avatar()]);
    books.push(elsewhere);
    books
}

fn made(path: &str, body: Value) -> Value {
    let client = admin();
    let answer = client.post(&format!("{ROOT}{path}"), body).data();
    given_back(&client, answer["projectId"].as_str().expect("an id"))
}

fn scripts() -> Book {
    let mut book = Book::of("POST /automation/scripts_to_video");
    let body = json!({ "scripts": "# Fields\n\nThis is said.", "options": { "language": "en" } });
    let told = made("/automation/scripts_to_video", body.clone());
    assert!(told["name"] == "Fields" && told["scenes"].to_string().contains("This is said."), "{told}");
    admin().post(&format!("{ROOT}/automation/scripts_to_video"), json!({ "scripts": "" })).fails(400, 4001);
    let answer = admin().post(&format!("{ROOT}/automation/scripts_to_video"), body).data();
    book.note(WORKS, &["scripts", "options"]);
    book.answers(&answer, &["projectId", "automationJobId"]);
    book
}

fn topic() -> Book {
    let mut book = Book::of("POST /automation/topic_to_video");
    made("/automation/topic_to_video", json!({ "topic": "a topic of fields", "options": { "tone": "dry" } }));
    assert!(asked_about("a topic of fields").is_some_and(|asked| asked.to_string().contains("dry")));
    let answer = admin().post(&format!("{ROOT}/automation/topic_to_video"), json!({ "topic": "another" })).data();
    book.note(WORKS, &["topic", "options"]);
    book.answers(&answer, &["projectId", "automationJobId"]);
    book
}

fn page() -> Book {
    let mut book = Book::of("POST /automation/url_to_video");
    let body = json!({ "url": format!("{}/news", base()), "options": { "audience": "keepers of fields" } });
    let answer = admin().post(&format!("{ROOT}/automation/url_to_video"), body).data();
    assert!(asked_about("four hundred kilograms").is_some());
    admin().post(&format!("{ROOT}/automation/url_to_video"), json!({ "url": "http://10.0.0.1/" })).fails(400, 4006);
    book.note(WORKS, &["url", "options"]);
    book.answers(&answer, &["projectId", "automationJobId"]);
    book
}

/// Options that all of them share: those that the text's own way knows, and those that are for the language model.
fn options() -> Book {
    let (client, mut book) = (admin(), Book::of("options"));
    let path = "/automation/scripts_to_video";
    let asked = |key: &str, value: Value| {
        let body = json!({ "scripts": "# Fields\n\nThis is said.\n\n- And this", "options": { "language": "en", key: value } });
        made(path, body)
    };
    let plain = asked("nothing", Value::Null);
    let scenes = |project: &Value| project["scenes"].to_string();
    for (key, value) in [("templateId", json!("social")), ("model", json!("lena")), ("voiceOnly", json!(true))] {
        assert_ne!(scenes(&asked(key, value)), scenes(&plain), "{key} changes nothing");
        book.note(WORKS, &[key]);
    }
    assert_eq!(asked("orientation", json!("mobile"))["orientation"], "portrait");
    assert_ne!(scenes(&asked("goal", json!("education"))), scenes(&plain));
    assert_ne!(scenes(&asked("language", json!("de"))), scenes(&plain));
    book.note(WORKS, &["orientation", "goal", "language"]);
    for (key, value) in [
        ("speed", json!(1.5)),
        ("media", json!("premium")),
        ("useGenerativeHighQuality", json!(true)),
        ("style", json!("anime")),
        ("fileBackground", json!(true)),
    ] {
        assert_eq!(scenes(&asked(key, value)), scenes(&plain), "{key}");
        book.note(DIFFERS, &[key]);
    }
    // Without it a text stays as it is, where the vendor's is said better.
    assert!(scenes(&plain).contains("This is said."));
    let better = json!({ "scripts": "Words of fields, clumsy.", "options": { "scriptOption": "ai", "objective": "to sell fields",
        "audience": "buyers of fields", "tone": "warm as fields", "duration": 90 } });
    client.post(&format!("{ROOT}{path}"), better).data();
    let asked = asked_about("Words of fields, clumsy.").expect("the model was asked").to_string();
    for part in ["to sell fields", "buyers of fields", "warm as fields", "90 seconds"] {
        assert!(asked.contains(part), "{asked}");
    }
    book.note(WORKS, &["objective", "audience", "tone", "duration"]);
    book.note(DIFFERS, &["scriptOption"]);
    book
}

fn upload(name: &str, bytes: &[u8]) -> crate::house::Reply {
    let client = admin();
    let mut form =
        format!("--Bo\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\r\n").into_bytes();
    form.extend_from_slice(bytes);
    form.extend_from_slice(b"\r\n--Bo--\r\n");
    let url = format!("{}{ROOT}/automation/docs-to-video/upload-files", client.base);
    send("POST", &url, &[("authorization", client.token.as_str())], Some(form))
}

fn uploads() -> Book {
    let mut book = Book::of("POST /automation/docs-to-video/upload-files");
    let kept = upload("fields.txt", b"Words of a file.").data();
    assert_eq!(kept["uploadResults"][0]["fileName"], "fields.txt");
    book.note(WORKS, &["files"]);
    book.answers(&kept, &["uploadResults[].uri", "uploadResults[].fileName"]);
    book
}

fn papers() -> Book {
    let mut book = Book::of("POST /automation/docs-to-video");
    let kept = upload("fields.txt", b"# A paper\n\nWords of a file.").data()["uploadResults"].clone();
    let told = made("/automation/docs-to-video", json!({ "files": kept, "options": { "model": "lena" } }));
    assert!(
        told["scenes"].to_string().contains("Words of a file.") && told["scenes"].to_string().contains("M000000201"),
        "{told}"
    );
    admin()
        .post(&format!("{ROOT}/automation/docs-to-video"), json!({ "files": [{ "uri": "x.pdf" }] }))
        .fails(400, 4001);
    let renamed = with(&json!({ "files": kept }), "/files/0/fileName", json!("other.txt"));
    assert_eq!(made("/automation/docs-to-video", renamed)["name"], told["name"], "the upload has the name");
    book.note(WORKS, &["files", "files[].uri", "options"]);
    book.note(DIFFERS, &["files[].fileName"]);
    book.answers(
        &admin().post(&format!("{ROOT}/automation/docs-to-video"), json!({ "files": kept })).data(),
        &["projectId"],
    );
    book
}

fn progress() -> Book {
    let mut book = Book::of("GET /automation/progress");
    let client = admin();
    let told = client.post(&format!("{ROOT}/automation/scripts_to_video"), json!({ "scripts": "Some words." })).data();
    let id = told["projectId"].as_str().expect("an id");
    let all = [format!("?projectId={id}"), format!("/?projectId={id}"), format!("/{id}")]
        .map(|end| client.get(&format!("{ROOT}/automation/progress{end}")).data());
    assert!(all.iter().all(|one| *one == all[0]) && all[0]["state"] == "finish", "{all:?}");
    book.note(WORKS, &["projectId"]);
    book.answers(&all[0], &["state", "progress"]);
    book
}

fn tool(path: &str, body: Value) -> crate::house::Reply {
    admin().post(&format!("{ROOT}/tools/{path}"), body)
}

fn text() -> Book {
    let mut book = Book::of("POST /tools/text-generator");
    let answer = tool("text-generator", json!({ "topic": "texts about fields" })).data();
    assert!(asked_about("texts about fields").is_some());
    book.note(WORKS, &["topic"]);
    book.answers(&answer, &["script"]);
    book
}

fn image() -> Book {
    let mut book = Book::of("POST /tools/image-generator");
    for style in ["PHOTOGRAPHIC", "VECTOR_IMAGE", "ILLUSTRATION", "3D"] {
        tool("image-generator", json!({ "topic": "a field", "style": style })).data();
    }
    for size in ["LANDSCAPE", "PORTRAIT", "SQUARE"] {
        tool("image-generator", json!({ "topic": "a field", "size": size })).data();
    }
    for (field, wrong) in [("topic", ""), ("style", "BAROQUE"), ("size", "HUGE")] {
        let body = with(&json!({ "topic": "a field" }), &format!("/{field}"), json!(wrong));
        assert_eq!(tool("image-generator", body).fails(400, 4001)["details"][0]["path"], field);
        book.note(WORKS, &[field]);
    }
    book.answers(&tool("image-generator", json!({ "topic": "a field" })).data(), &["downloadUrl"]);
    book
}

fn video() -> Book {
    let mut book = Book::of("POST /tools/video-generator");
    tool("video-generator", json!({ "topic": "" })).fails(400, 4001);
    book.note(WORKS, &["topic"]);
    book.answers(&tool("video-generator", json!({ "topic": "a field in the wind" })).data(), &["downloadUrl"]);
    book
}

fn voice() -> Book {
    let mut book = Book::of("POST /tools/voice-generator");
    let body = json!({ "script": "Fields.", "model": "tone", "type": "deepbrainai", "language": "en" });
    for field in ["script", "model", "language"] {
        let error = tool("voice-generator", with(&body, &format!("/{field}"), Value::Null)).fails(400, 4001);
        assert_eq!(error["details"][0]["path"], field);
        book.note(WORKS, &[field]);
    }
    tool("voice-generator", with(&body, "/type", json!("elevenlabs"))).data();
    book.note(DIFFERS, &["type"]);
    book.answers(&tool("voice-generator", body).data(), &["downloadUrl"]);
    book
}

/// One video, by its address: that of a file that was uploaded.
fn custom_avatar() -> Book {
    let mut book = Book::of("POST /avatars/customavatar");
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("me.mp4");
    let made = std::process::Command::new("ffmpeg")
        .args([
            "-v",
            "error",
            "-nostdin",
            "-f",
            "lavfi",
            "-i",
            "testsrc=s=160x120:r=30:d=1",
            "-f",
            "lavfi",
            "-i",
            "sine=d=1",
        ])
        .arg(&file)
        .status();
    assert!(made.expect("ffmpeg runs").success());
    let client = admin();
    let headers = [("authorization", client.token.as_str()), ("content-type", "video/mp4")];
    let bytes = std::fs::read(&file).expect("a file");
    let sent = send("POST", &format!("{}{ROOT}/assets?name=me.mp4", client.base), &headers, Some(bytes));
    let body = json!({
        "url": sent.data()["url"], "name": "Me", "gender": "FEMALE", "locale": "en", "perFrame": true, "isWebcam": false,
    });
    let ask = |body: Value| client.post(&format!("{ROOT}/avatars/customavatar"), body);
    let wrong = [("url", "http://10.0.0.1/me.mp4"), ("name", ""), ("gender", "x"), ("locale", "xx")];
    for (field, wrong) in wrong {
        let code = if field == "url" { 4006 } else { 4001 };
        let error = ask(with(&body, &format!("/{field}"), json!(wrong))).fails(400, code);
        assert_eq!(error["details"][0]["path"], field, "{error}");
        book.note(WORKS, &[field]);
    }
    let answer = ask(body).data();
    let told = client.get(&format!("{ROOT}/avatars/{}", answer["avatarId"].as_str().expect("an id"))).data();
    assert_eq!((&told["name"], &told["gender"], &told["language"]), (&json!("Me"), &json!("female"), &json!("en-US")));
    assert_eq!(answer["voiceId"], Value::Null);
    book.note(DIFFERS, &["perFrame", "isWebcam", "voiceId"]);
    book.answers(&answer, &["avatarId"]);
    book
}

/// One photo, by its address.
fn dream_avatar() -> Book {
    let mut book = Book::of("POST /avatars/dreamavatar");
    let client = admin();
    let headers = [("authorization", client.token.as_str()), ("content-type", "image/jpeg")];
    let photo = include_bytes!("../../../../compere-own/src/photo/portrait.jpg").to_vec();
    let sent = send("POST", &format!("{}{ROOT}/assets?name=me.jpg", client.base), &headers, Some(photo));
    let body = json!({ "url": sent.data()["url"], "name": "Me", "gender": "MALE", "tts": null });
    let ask = |body: Value| client.post(&format!("{ROOT}/avatars/dreamavatar"), body);
    for (field, wrong) in [("url", "http://10.0.0.1/me.png"), ("name", ""), ("gender", "x")] {
        let code = if field == "url" { 4006 } else { 4001 };
        let error = ask(with(&body, &format!("/{field}"), json!(wrong))).fails(400, code);
        assert_eq!(error["details"][0]["path"], field, "{error}");
        book.note(WORKS, &[field]);
    }
    let answer = ask(body).data();
    let told = client.get(&format!("{ROOT}/avatars/{}", answer["avatarId"].as_str().expect("an id"))).data();
    assert_eq!((&told["kind"], &told["name"], &told["gender"]), (&json!("photo"), &json!("Me"), &json!("male")));
    book.note(DIFFERS, &["tts"]);
    book.answers(&answer, &["avatarId"]);
    book
}

/// Requests as the vendor documents them, each answered by name.
fn elsewhere() -> Vec<Book> {
    let bodies = [
        (
            "POST /avatars/voiceclone",
            json!({ "url": "https://example.com/me.wav", "name": "Me", "gender": "MALE", "locale": "en" }),
        ),
        (
            "POST /automation/translatevideos",
            json!({ "file": "", "url": "https://example.com/v", "original": "auto", "originalSrt": "", "target_0": "de-DE", "targetSrt_0": "",
                "isDubbingOnly": false, "isRemoveBGM": false, "isCaptionFile": false, "numberOfSpeakers": 1 }),
        ),
        ("GET /automation/translatevideos", json!({ "folderId": "x" })),
    ];
    let mut books = Vec::new();
    for (heading, body) in bodies {
        let (method, path) = heading.split_once(' ').expect("a method");
        let error = admin().with(method, &format!("{ROOT}{path}"), &[], Some(body.clone())).fails(403, 4031);
        assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("this service does not do that: ")), "{error}");
        let mut book = Book::of(heading);
        for field in body.as_object().expect("fields").keys() {
            book.note(REFUSED, &[field]);
        }
        books.push(book);
    }
    let mut book = Book::of("/api/v2/sessions");
    for (method, path) in [
        ("POST", "/token"),
        ("POST", "/start"),
        ("POST", "/0123/talk"),
        ("POST", "/stop"),
        ("GET", ""),
        ("GET", "/0123"),
    ] {
        let body = (method == "POST")
            .then(|| json!({ "appId": "a", "userKey": "b", "session_id": "0123", "message": "Hello" }));
        let error = admin().with(method, &format!("/api/v2/sessions{path}"), &[], body).fails(403, 4031);
        assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("films")), "{error}");
    }
    book.note(REFUSED, &["token", "start", "talk", "stop", "sessions"]);
    books.push(book);
    books
}
