//! Documents that become projects.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::{Client, Reply, admin, open_with, send};

const PATH: &str = "/api/odin/v3/editor/project/pptpdf";

/// Two pages with nothing but their size, which is all that a reader needs.
fn pdf() -> Vec<u8> {
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] >>";
    let head = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>"];
    written(&[head[0], head[1], page, page].map(str::to_owned))
}

/// Objects from number 1 as a file.
fn written(objects: &[String]) -> Vec<u8> {
    let (mut text, mut places) = ("%PDF-1.4\n".to_owned(), Vec::new());
    for (at, object) in objects.iter().enumerate() {
        places.push(text.len());
        text.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let start = text.len();
    text.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for place in places {
        text.push_str(&format!("{place:010} 00000 n \n"));
    }
    text.push_str(&format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1));
    text.into_bytes()
}

/// A deck of the corpus of the crate that reads them.
fn deck(name: &str) -> Vec<u8> {
    let path = format!("{}/../compere-import/tests/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn field(name: &str, value: &str) -> Vec<u8> {
    format!("--Bo\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").into_bytes()
}

/// The project of a document, when it is read.
fn project_of(form: Vec<u8>) -> (String, Value) {
    let client = admin();
    let data = import("multipart/form-data; boundary=Bo", form).data();
    let id = data["projectId"].as_str().expect("an id");
    for _ in 0..600 {
        let progress = client.get(&format!("/api/odin/v3/editor/progress/{id}")).json();
        assert_ne!(progress["success"], json!(false), "{progress}");
        if progress["data"]["state"] != json!("importing") {
            return (id.to_owned(), client.get(&format!("/api/odin/v3/editor/project/{id}")).data()["project"].clone());
        }
        std::thread::sleep(Duration::from_millis(300));
    }
    panic!("the import did not end")
}

fn fetched(link: &str) -> Reply {
    let base = &admin().base;
    send("GET", &format!("{base}{}", link.trim_start_matches(base.as_str())), &[], None)
}

fn form(name: Option<&str>, file_name: &str, file: &[u8]) -> Vec<u8> {
    let mut form = Vec::new();
    if let Some(name) = name {
        form.extend_from_slice(
            format!("--Bo\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n{name}\r\n").as_bytes(),
        );
    }
    let head = format!("--Bo\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\n\r\n");
    form.extend_from_slice(head.as_bytes());
    form.extend_from_slice(file);
    form.extend_from_slice(b"\r\n--Bo--\r\n");
    form
}

fn import(kind: &str, form: Vec<u8>) -> Reply {
    let client = admin();
    let headers = [("authorization", client.token.as_str()), ("content-type", kind)];
    send("POST", &format!("{}{PATH}", client.base), &headers, Some(form))
}

#[test]
fn a_document_becomes_a_scene_for_each_page() {
    let client = admin();
    // As half of the samples send it: JSON by its header, and no boundary.
    let data = import("application/json", form(Some("Two pages"), "slides.pdf", &pdf())).data();
    let id = data["projectId"].as_str().expect("an id");
    for _ in 0..200 {
        if client.get(&format!("/api/odin/v3/editor/progress/{id}")).json()["data"]["state"] != json!("importing") {
            break;
        }
        std::thread::sleep(Duration::from_millis(300));
    }
    let project = client.get(&format!("/api/odin/v3/editor/project/{id}")).data()["project"].clone();
    assert_eq!((&project["name"], &project["state"]), (&json!("Two pages"), &json!("draft")), "nothing is synthesized");
    let scenes = project["scenes"].as_array().expect("scenes");
    assert_eq!(scenes.len(), 2);
    let picture = scenes[0]["background"]["source_url"].as_str().expect("a picture");
    let reply = send("GET", &format!("{}{}", client.base, picture.trim_start_matches(&client.base)), &[], None);
    assert_eq!(reply.status, 200, "{picture}");
    let again = json!({ "scenes": project["scenes"], "isExport": false });
    client.post("/api/odin/v3/editor/project", again).data();
}

/// A copy shows the slides that were imported with the original, also when that is gone; they go with the last copy.
#[test]
fn a_copy_of_a_deck_keeps_its_slides() {
    let client = admin();
    let (id, project) = project_of(form(Some("Original"), "slides.pdf", &pdf()));
    let copied = client.post(&format!("/api/odin/editor/project/duplicate/{id}"), json!({})).json();
    let copy = copied["key"].as_str().expect("a copy").to_owned();
    let pictures = [&project["scenes"][0]["background"]["source_url"], &project["originalUrl"]];
    let delete = |id: &str| {
        let reply = client.with("DELETE", "/api/odin/v3/editor/project", &[], Some(json!({ "ids": [id] })));
        assert_eq!(reply.json()["deletedCount"], json!(1));
    };
    let answers = || pictures.map(|picture| fetched(picture.as_str().expect("a link")).status);
    delete(&id);
    assert_eq!(answers(), [200, 200], "the copy shows them");
    delete(&copy);
    assert_eq!(answers(), [404, 404], "nobody does");
}

#[test]
fn what_is_no_document_is_refused() {
    import("multipart/form-data; boundary=Bo", form(None, "a.pdf", b"<html>not a document</html>")).fails(415, 4150);
    let photo = import("multipart/form-data; boundary=Bo", form(None, "a.pdf", b"\xff\xd8\xff\xe0\0\x10JFIF\0"))
        .fails(415, 4150);
    assert!(photo["msg"].as_str().is_some_and(|msg| msg.contains("a JPEG picture")), "{photo}");
    let mut broken = pdf();
    broken.truncate(60);
    import("multipart/form-data; boundary=Bo", form(None, "a.pdf", &broken)).fails(422, 4220);
    import("multipart/form-data; boundary=Bo", b"--Bo--\r\n".to_vec()).fails(400, 4001);
    import("multipart/form-data; boundary=Bo", form(None, "a.pdf", &vec![b'%'; 3 << 20])).fails(413, 4130);
}

/// Slides of PowerPoint need LibreOffice; without it that is what is said, and PDFs are read all the same.
#[test]
fn e5030_without_libreoffice() {
    // Hidden from this one service, in a world of its own.
    let hide = "mount -t tmpfs none /usr/lib/libreoffice && exec \"$@\"";
    let behind = [["unshare", "--mount"].as_slice(), &["unshare", "--user", "--map-root-user", "--mount"]]
        .map(|alone| [alone, &["sh", "-c", hide, "sh"]].concat());
    let works = |behind: &&Vec<&str>| {
        let done = std::process::Command::new(behind[0]).args(&behind[1..]).arg("true").output();
        done.is_ok_and(|done| done.status.success())
    };
    let behind =
        behind.iter().find(works).expect("a place of its own to hide LibreOffice in, which the set-up installs");
    let (house, mut child) = open_with("welcome = false\nworkers = 1\n", "bare", behind, |_| Vec::new());
    let client = Client::new(&house, &house.app_id, &house.user_key);
    let headers = [("authorization", client.token.as_str()), ("content-type", "multipart/form-data; boundary=Bo")];
    let import = |name: &str, file: &[u8]| {
        send("POST", &format!("{}{PATH}", house.base), &headers, Some(form(None, name, file)))
    };
    let error = import("deck.pptx", &deck("portrait.pptx")).fails(503, 5030);
    assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("LibreOffice")), "{error}");
    import("slides.pdf", &pdf()).data();
    child.kill().expect("it ends");
    let _ = child.wait();
}

#[test]
fn a_deck_with_notes_becomes_a_film_that_says_them() {
    let client = admin();
    let sent = deck("portrait.pptx");
    let (id, project) = project_of(form(None, "upright.pptx", &sent));
    assert_eq!(project["name"], json!("Upright"), "the document's title");
    let notes = [
        "This is slide 1 of the upright deck and it is short.",
        "This is slide 2 of the upright deck and it is short.",
    ];
    let scenes = project["scenes"].as_array().expect("scenes");
    let scripts: Vec<&str> = scenes.iter().filter_map(|scene| scene["scripts"][0]["org"].as_str()).collect();
    assert_eq!(scripts, notes);
    assert!(scenes.iter().all(|scene| fetched(scene["thumbnailUrl"].as_str().expect("a thumbnail")).status == 200));

    let original = project["originalUrl"].as_str().expect("the document is kept");
    assert!(original.starts_with("http"), "{original}");
    let original = fetched(original);
    assert_eq!((original.status, original.bytes == sent), (200, true));
    assert!(original.header("content-disposition").contains("attachment; filename=\"Upright.pptx\""));

    client.post("/api/odin/v3/editor/project/export", json!({ "projectId": id, "resolution": "480" })).data();
    let done = client.wait(&id);
    assert_eq!(done["data"]["state"], json!("exported"), "{done}");
    let captions = fetched(done["data"]["captionsUrl"].as_str().expect("captions"));
    let text = String::from_utf8(captions.bytes).expect("text");
    let lines = text.lines().skip(1).filter(|line| !line.contains("-->") && line.parse::<u32>().is_err());
    let mut said = String::new();
    for line in lines {
        // Marks of time stand between the words.
        let words =
            line.split('<').map(|part| part.split_once('>').map_or(part, |(_, words)| words)).collect::<String>();
        said.push_str(&words);
        said.push(' ');
    }
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(said, notes.join(" "), "{text}");

    let starts = chapter_starts(&done["data"]);
    assert_eq!((starts.len(), starts[0]), (2, 0.0), "a chapter for each slide: {done}");
    let chapters = fetched(done["data"]["chaptersUrl"].as_str().expect("chapters"));
    assert_eq!((chapters.status, chapters.header("content-type")), (200, "text/vtt; charset=utf-8"));
    let text = String::from_utf8(chapters.bytes).expect("text");
    assert!(text.starts_with("WEBVTT\n\n1\n00:00:00.000 --> ") && text.matches("-->").count() == 2, "{text}");
}

fn chapter_starts(data: &Value) -> Vec<f64> {
    let chapters = data["chapters"].as_array().expect("chapters");
    assert!(chapters.iter().all(|chapter| chapter["title"].as_str().is_some_and(|title| !title.is_empty())));
    chapters.iter().filter_map(|chapter| chapter["start"].as_f64()).collect()
}

fn chosen(fields: &[(&str, &str)], file_name: &str, file: &[u8]) -> Vec<u8> {
    let mut sent: Vec<u8> = fields.iter().flat_map(|(name, value)| field(name, value)).collect();
    sent.extend(form(None, file_name, file));
    sent
}

#[test]
fn a_form_chooses_the_slides_and_who_presents_them_where() {
    let wish = [("layout", "corner"), ("side", "left"), ("presenter", "figure"), ("slides", "4-5"), ("hidden", "true")];
    let (_, project) = project_of(chosen(&wish, "business.pptx", &deck("business.pptx")));
    let scenes = project["scenes"].as_array().expect("scenes");
    assert_eq!(scenes.iter().map(|scene| &scene["name"]).collect::<Vec<_>>(), ["Never shown", "Numbers"]);
    for scene in scenes {
        let clips = scene["clips"].as_array().expect("clips");
        let who = clips.iter().find(|clip| clip["id"] == json!("presenter")).expect("a presenter");
        assert_eq!((&who["left"], &who["headOnly"]), (&json!(0.0), &json!(true)));
        assert_eq!(scene["scripts"][0]["modelId"], who["model"]["ai_name"]);
    }
    assert_eq!(
        (&scenes[0]["scripts"][0]["org"], &scenes[1]["scripts"][0]["org"]),
        (&json!("Nobody hears this."), &json!(""))
    );
    assert!(scenes[1]["duration"].as_f64().is_some_and(|seconds| seconds > 4.0), "as long as it is read");
    // What came out is a body like any other.
    admin().post("/api/odin/v3/editor/project", json!({ "scenes": scenes, "isExport": false })).data();

    let wrong = [
        ("layout", "middle"),
        ("background", "blueish"),
        ("slides", "0"),
        ("notes", "maybe"),
        ("presenter", "nobody-known"),
        ("voice", "x"),
    ];
    let error = import("multipart/form-data; boundary=Bo", chosen(&wrong, "a.pdf", &pdf())).fails(400, 4001);
    let told: Vec<&str> =
        error["details"].as_array().expect("details").iter().filter_map(|d| d["path"].as_str()).collect();
    assert_eq!(told, ["layout", "background", "slides", "notes", "presenter", "voice"], "{error}");
}

#[test]
fn texts_and_pictures_become_clips_when_asked_for() {
    let client = admin();
    let mut sent = field("editable", "true");
    sent.extend(form(Some("Taken apart"), "parts.pptx", &deck("parts.pptx")));
    let (_, project) = project_of(sent);
    let scenes = project["scenes"].as_array().expect("scenes");
    let clips = |kind: &str| {
        let all = scenes.iter().flat_map(|scene| scene["clips"].as_array().expect("clips"));
        // A slide that is shown smaller is a picture, too.
        let own = all.filter(|clip| clip["type"] == json!(kind) && clip["id"] != json!("slide"));
        own.cloned().collect::<Vec<Value>>()
    };
    let texts: Vec<Value> = clips("textImage").iter().map(|clip| clip["text"].clone()).collect();
    assert!(texts.contains(&json!("Words over a photograph")), "{texts:?} {}", project["importWarnings"]);
    let images = clips("image");
    assert_eq!(images.len(), 3, "{}", project["importWarnings"]);
    assert_eq!(fetched(images[0]["source_url"].as_str().expect("a link")).status, 200);
    let all = clips("textImage");
    let mixed = all.iter().find(|clip| clip["text"] == json!("Some bold"));
    let mixed = mixed.unwrap_or_else(|| panic!("{}", project["importWarnings"]));
    assert_eq!(mixed["runs"], json!([{ "text": "Some " }, { "text": "bold", "fontWeight": "bold" }]));
    // What came out is a body like any other.
    client.post("/api/odin/v3/editor/project", json!({ "scenes": project["scenes"], "isExport": false })).data();
    let mut wrong = field("editable", "perhaps");
    wrong.extend(form(None, "a.pdf", &pdf()));
    import("multipart/form-data; boundary=Bo", wrong).fails(400, 4001);
}

#[test]
fn a_language_model_writes_for_slides_without_notes() {
    let mut sent = field("quiet", "written");
    sent.extend(field("slides", "5"));
    sent.extend(form(Some("Written"), "business.pptx", &deck("business.pptx")));
    let (_, project) = project_of(sent);
    let said = project["scenes"][0]["scripts"][0]["org"].as_str().expect("a script");
    assert!(said.contains("<p>Bees find what flowers hide.</p>"), "{said}");
    let asked = crate::writer::asked_about("Slide: Numbers").expect("the model was asked");
    assert!(asked["messages"][1]["content"].as_str().is_some_and(|text| text.contains("Quarterly review")), "{asked}");
}

#[test]
fn hostile_documents_leave_others_alone() {
    let client = admin();
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] >>";
    let kids: String = (0..10_000).map(|at| format!("{} 0 R ", at + 3)).collect();
    let mut long = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned()];
    long.push(format!("<< /Type /Pages /Kids [{kids}] /Count 10000 >>"));
    long.extend(std::iter::repeat_n(page.to_owned(), 10_000));
    let circle = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"].map(str::to_owned);
    let whole = deck("business.pptx");
    let noise: Vec<u8> =
        whole.iter().enumerate().map(|(at, byte)| if at > 400 { byte ^ at as u8 } else { *byte }).collect();
    let hostile = [
        ("long.pdf", written(&long), 4130),
        ("circle.pdf", written(&circle), 4220),
        ("cut.pptx", whole[..whole.len() / 2].to_vec(), 4220),
        ("noise.pptx", noise, 4220),
        ("empty.ppt", Vec::new(), 4220),
        ("page.pptx", b"PK\x03\x04 and nothing more".to_vec(), 4220),
    ];
    let (done, answered) = std::thread::scope(|scope| {
        let hurting = scope.spawn(|| {
            let sent = hostile.iter().map(|(name, bytes, code)| {
                let reply = import("multipart/form-data; boundary=Bo", form(None, name, bytes)).json();
                assert_eq!(reply["error"]["code"], json!(code), "{name}: {reply}");
                assert!(reply["error"]["msg"].as_str().is_some_and(|text| text.len() > 20), "{name}: {reply}");
            });
            sent.count()
        });
        let mut answered = 0;
        while !hurting.is_finished() || answered < 3 {
            let asked = Instant::now();
            client.get("/api/odin/v3/editor/project").data();
            assert!(asked.elapsed() < Duration::from_secs(20), "a list took {:?}", asked.elapsed());
            answered += 1;
            std::thread::sleep(Duration::from_millis(100));
        }
        (hurting.join().expect("all are refused"), answered)
    });
    assert_eq!(done, hostile.len());
    assert!(answered >= 3);
    // And nobody's turn is lost.
    import("multipart/form-data; boundary=Bo", form(None, "after.pdf", &pdf())).data();
}

const UPLOAD: &str = "/api/odin/v3/automation/docs-to-video/upload-files";
const STORY: &str = "/api/odin/v3/automation/docs-to-video";

/// A form with `files`, sent as the samples do.
fn uploaded(files: &[(&str, &[u8])]) -> Reply {
    let client = admin();
    let mut form = Vec::new();
    for (name, bytes) in files {
        let head = format!("--Bo\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\r\n");
        form.extend_from_slice(head.as_bytes());
        form.extend_from_slice(bytes);
        form.extend_from_slice(b"\r\n");
    }
    form.extend_from_slice(b"--Bo--\r\n");
    let headers = [("authorization", client.token.as_str()), ("content-type", "application/json")];
    send("POST", &format!("{}{UPLOAD}", client.base), &headers, Some(form))
}

/// The project of uploaded documents, when it is there.
fn told(files: &Value) -> Value {
    let client = admin();
    let body = json!({"files": files, "options": {"language": "en", "model": "lena"}});
    let made = client.post(STORY, body).data();
    let id = made["automationJobId"].as_str().expect("an id").to_owned();
    for _ in 0..600 {
        let progress = client.get(&format!("/api/odin/v3/automation/progress?projectId={id}")).data();
        if progress["state"] == "finish" {
            assert_eq!(progress["progress"], 100);
            return client.get(&format!("/api/odin/v3/editor/project/{id}")).data()["project"].clone();
        }
        assert_eq!(progress["state"], "processing", "{progress}");
        std::thread::sleep(Duration::from_millis(200));
    }
    panic!("the document was not read")
}

#[test]
fn documents_are_uploaded_first_and_become_films() {
    let kept = uploaded(&[("deck.pptx", &deck("training.pptx"))]).data()["uploadResults"].clone();
    assert_eq!(kept[0]["fileName"], "deck.pptx");
    assert!(kept[0]["uri"].as_str().is_some_and(|uri| uri.ends_with(".pptx")), "{kept}");
    let project = told(&kept);
    assert!(project["scenes"].as_array().is_some_and(|scenes| scenes.len() > 1), "{project}");
    assert!(project["scenes"].to_string().contains("M000000201"), "{project}");

    let texts: [(&str, &[u8]); 2] =
        [("a.txt", b"# One\n\nThe first text."), ("b.md", b"## Two\n\n- A point of the second")];
    let kept = uploaded(&texts).data()["uploadResults"].clone();
    let project = told(&kept);
    assert_eq!(project["name"], "One");
    let said = project["scenes"].to_string();
    assert!(said.contains("The first text.") && said.contains("A point of the second"), "{said}");
}

/// Whoever asks how far it is learns that it failed, and does not ask for ever.
#[test]
fn a_damaged_document_ends_the_asking() {
    let client = admin();
    let damaged = deck("training.pptx");
    for (name, bytes) in [("report.pdf", &b"%PDF-1.7\nnothing more"[..]), ("deck.pptx", &damaged[..damaged.len() / 2])]
    {
        let kept = uploaded(&[(name, bytes)]).data()["uploadResults"].clone();
        let made = client.post(STORY, json!({ "files": kept })).data();
        let id = made["automationJobId"].as_str().expect("an id").to_owned();
        let path = format!("/api/odin/v3/automation/progress?projectId={id}");
        let told = (0..300).find_map(|_| {
            std::thread::sleep(Duration::from_millis(200));
            let reply = client.get(&path);
            (reply.json()["data"]["state"] != "processing").then_some(reply)
        });
        let told = told.unwrap_or_else(|| panic!("{name} is processed for ever"));
        assert_eq!(told.json()["error"]["code"], 4220, "{name}: {}", told.json());
        // Nothing that was under way says otherwise afterwards.
        std::thread::sleep(Duration::from_millis(800));
        assert_eq!(client.get(&path).json()["error"]["code"], 4220, "{name}");
    }
}

/// What an office writes: a text (`word`), with whatever is in it, or a table (`xl`).
fn paper(of: &str, body: &str) -> Vec<u8> {
    let script = r#"
import base64, io, sys, zipfile
of, body = sys.argv[1:]
kind = {"word": "wordprocessingml.document", "xl": "spreadsheetml.sheet"}[of]
dot = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAE0lEQVR4nGP4z8AARGDiPwMyBwBnsgf5Q2OaZwAAAABJRU5ErkJggg==")
out = io.BytesIO()
with zipfile.ZipFile(out, "w") as archive:
    kind = f"application/vnd.openxmlformats-officedocument.{kind}.main+xml"
    archive.writestr("[Content_Types].xml", f'<Types><Override PartName="/{of}/document.xml" ContentType="{kind}"/></Types>')
    archive.writestr("_rels/.rels", f'<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="{of}/document.xml"/></Relationships>')
    archive.writestr(f"{of}/_rels/document.xml.rels", '<Relationships><Relationship Id="p1" Type="x/image" Target="media/dot.png"/>'
        '<Relationship Id="s1" Type="x/styles" Target="styles.xml"/><Relationship Id="p2" Type="x/image" Target="media/no.png"/></Relationships>')
    archive.writestr(f"{of}/styles.xml", '<w:styles xmlns:w="w"><w:style w:styleId="H"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>')
    archive.writestr(f"{of}/document.xml", f'<w:document xmlns:w="w" xmlns:r="r"><w:body>{body}</w:body></w:document>')
    archive.writestr(f"{of}/media/dot.png", dot)
    archive.writestr(f"{of}/media/no.png", dot[:30])
sys.stdout.buffer.write(out.getvalue())
"#;
    let output = std::process::Command::new("python3").args(["-c", script, of, body]).output().expect("python3");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn a_word_document_becomes_a_storyboard_with_its_pictures() {
    let said = |style: &str, text: &str| {
        let style = if style.is_empty() { String::new() } else { format!("<w:pStyle w:val=\"{style}\"/>") };
        format!("<w:p><w:pPr>{style}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let point = |text: &str| {
        format!("<w:p><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let picture = |id: &str| {
        format!("<w:p><w:r><w:drawing><w:docPr descr=\"Two dots\"/><w:blip r:embed=\"{id}\"/></w:drawing></w:r></w:p>")
    };
    let body = [
        said("T", "The hive"),
        said("", "Bees live in hives. This is what we know of them."),
        said("H", "Work"),
        said("", "Every bee has work to do."),
        picture("p1"),
        point("Collecting"),
        point("Cleaning"),
        picture("p2"),
    ];
    let kept = uploaded(&[("hive.docx", &paper("word", &body.concat()))]).data()["uploadResults"].clone();
    assert!(kept[0]["uri"].as_str().is_some_and(|uri| uri.ends_with(".docx")), "{kept}");
    let project = told(&kept);
    assert_eq!(project["name"], "The hive");
    let scenes = project["scenes"].as_array().expect("scenes");
    assert_eq!(scenes.len(), 2, "{project}");
    let clips = |scene: usize, kind: &str| -> Vec<&Value> {
        let clips = scenes[scene]["clips"].as_array().expect("clips").iter();
        clips.filter(|clip| clip["type"] == kind).collect()
    };
    assert_eq!(clips(1, "textImage").len(), 3, "a title and two points: {}", scenes[1]);
    assert!(scenes[0]["scripts"][0]["org"].as_str().is_some_and(|org| org.contains("what we know")), "{}", scenes[0]);
    let shown = clips(1, "image");
    assert_eq!(shown.len(), 1, "the picture that can be read: {}", scenes[1]);
    let (wide, high) = (shown[0]["width"].as_f64().expect("a width"), shown[0]["height"].as_f64().expect("a height"));
    assert!((wide / high - 2.0).abs() < 0.02 && wide > 300.0, "{}", shown[0]);
    let client = admin();
    let url = format!("{}{}", client.base, shown[0]["source_url"].as_str().expect("a link"));
    assert_eq!(&send("GET", &url, &[], None).bytes[1..4], b"PNG");
    let frame = client.get(&format!(
        "/api/odin/v3/editor/project/{}/preview?scene=1&t=2&width=320",
        project["_id"].as_str().expect("an id")
    ));
    assert_eq!(frame.status, 200, "{}", String::from_utf8_lossy(&frame.bytes));
}

#[test]
fn documents_that_make_no_film_are_told_so() {
    let client = admin();
    uploaded(&[("song.flac", b"fLaC\0\0\0")]).fails(415, 4150);
    uploaded(&[]).fails(400, 4000);
    let url = format!("{}{UPLOAD}", client.base);
    let headers = [("authorization", client.token.as_str()), ("content-type", "application/json")];
    let told = send("POST", &url, &headers, Some(br#"{"files": []}"#.to_vec())).fails(400, 4000);
    assert!(told.to_string().contains("this is JSON"), "{told}");
    let kept = uploaded(&[("a.txt", b"Some words."), ("b.pdf", &pdf())]).data()["uploadResults"].clone();
    let error = client.post(STORY, json!({"files": kept})).fails(400, 4001);
    assert_eq!(error["details"][0]["path"], "files", "{error}");
    let error = client.post(STORY, json!({"files": [{"uri": "0123456789abcdef01234567.pdf"}]})).fails(400, 4001);
    assert_eq!(error["details"][0]["path"], "files[0].uri", "{error}");
    // What somebody else uploaded is not there.
    let (stranger, _) = crate::house::account("papers@example.com", "api");
    stranger.post(STORY, json!({"files": kept})).fails(400, 4001);
    let empty = uploaded(&[("empty.docx", &paper("word", ""))]).data()["uploadResults"].clone();
    let error = client.post(STORY, json!({"files": empty})).fails(400, 4001);
    assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("no text")), "{error}");
    // A table of an office is told by what its list of files says, or seen to be one when it is read.
    let mut book = paper("xl", "");
    let names: Vec<usize> = (0..book.len()).filter(|&at| book[at..].starts_with(b"xl/document.xml")).collect();
    names.iter().for_each(|&at| book[at..at + 15].copy_from_slice(b"xl/workbook.xml"));
    let told = uploaded(&[("book.xlsx", &book)]).fails(415, 4150);
    assert!(told.to_string().contains("an Excel workbook; take PDF, PPT, PPTX, ODP, DOCX"), "{told}");
    // So are those of twenty years ago, by their directory.
    let mut old = vec![0_u8; 512 * 3];
    old[..8].copy_from_slice(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    (old[30], old[48]) = (9, 1);
    for (name, words) in [("Workbook", "an old Excel workbook"), ("WordDocument", "an old Word document")] {
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        old[1152..1152 + wide.len()].copy_from_slice(&wide);
        let told = uploaded(&[("old.bin", &old)]).fails(415, 4150);
        assert!(told.to_string().contains(words), "{told}");
        old[1152..1280].fill(0);
    }
    let table = uploaded(&[("table.xlsx", &paper("xl", ""))]);
    let made = client.post(STORY, json!({"files": table.data()["uploadResults"]})).data();
    let id = made["projectId"].as_str().expect("an id");
    for _ in 0..200 {
        let reply = client.get(&format!("/api/odin/v3/automation/progress/{id}"));
        if reply.status != 200 {
            let error = reply.fails(415, 4150);
            assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("PDF")), "{error}");
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("a table became slides");
}

/// Slides that stay keep what people made of them; the rest is the new version's, and what became of each is told.
#[test]
fn a_new_version_keeps_the_edits_of_slides_that_stay() {
    let client = admin();
    let deck = deck("business.pptx");
    let (id, project) = project_of(chosen(&[("slides", "1-3")], "business.pptx", &deck));
    let edit = json!({ "updates": [{ "sceneIdx": 1, "type": "aiModel", "values": { "script": "Said by hand." } }], "isExport": false });
    client.post(&format!("/api/odin/v3/editor/project/{id}"), edit).data();
    // Behind all, or a clip where it makes room for the presenter.
    let picture = |scene: &Value| {
        let clips = scene["clips"].as_array().into_iter().flatten();
        let shown = clips.filter(|clip| clip["id"] == "slide").chain([&scene["background"]]).next().cloned();
        shown.expect("a background")["source_url"].clone()
    };
    let before = picture(&project["scenes"][2]);

    let (same, project) = project_of(chosen(&[("slides", "2-5"), ("projectId", &id)], "business.pptx", &deck));
    assert_eq!((&same, &project["state"]), (&id, &json!("draft")), "the project stays");
    let changes = project["importChanges"].as_array().expect("what became of each");
    let told: Vec<(u64, &str)> =
        changes.iter().map(|c| (c["slide"].as_u64().unwrap_or(0), c["change"].as_str().unwrap_or_default())).collect();
    assert_eq!(told, [(2, "kept"), (3, "kept"), (5, "new"), (1, "removed")]);
    let scenes = project["scenes"].as_array().expect("scenes");
    assert_eq!(scenes[0]["scripts"][0]["org"], "Said by hand.");
    assert_eq!(picture(&scenes[1]), before);
    for scene in scenes {
        assert_eq!(fetched(picture(scene).as_str().expect("a picture")).status, 200, "{scene}");
    }
    let all = client.get("/api/odin/v3/editor/project?limit=100").json();
    assert!(!all.to_string().contains("business (new"), "nothing else is left");

    // What cannot be read changes nothing, and the project can be worked with.
    let broken = chosen(&[("projectId", &id)], "a.pdf", b"%PDF-1.4 broken");
    import("multipart/form-data; boundary=Bo", broken).fails(422, 4220);
    let after = client.get(&format!("/api/odin/v3/editor/project/{id}")).data()["project"].clone();
    assert_eq!((&after["scenes"], &after["state"]), (&project["scenes"], &json!("draft")));
    assert!(after["importWarnings"][0].as_str().is_some_and(|told| told.contains("nothing was changed")), "{after}");

    let foreign = chosen(&[("projectId", "000000000000000000000000")], "business.pptx", &deck);
    import("multipart/form-data; boundary=Bo", foreign).fails(404, 4040);
    let film =
        client.draft(json!({ "name": "No deck", "orientation": "landscape", "scenes": [crate::house::scene()] }));
    let wrong = chosen(&[("projectId", &film)], "business.pptx", &deck);
    import("multipart/form-data; boundary=Bo", wrong).fails(400, 4001);
}
