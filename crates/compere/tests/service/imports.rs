//! Documents that become projects.

use serde_json::json;

use crate::house::{Client, Reply, admin, open_with, send};

const PATH: &str = "/api/odin/v3/editor/project/pptpdf";

/// Two pages with nothing but their size, which is all that a reader needs.
fn pdf() -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] >>",
    ];
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
        std::thread::sleep(std::time::Duration::from_millis(300));
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

#[test]
fn what_is_no_document_is_refused() {
    import("multipart/form-data; boundary=Bo", form(None, "a.pdf", b"<html>not a document</html>")).fails(415, 4150);
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
    let behind = ["unshare", "--mount", "sh", "-c", hide, "sh"];
    let allowed = std::process::Command::new(behind[0]).args(&behind[1..]).arg("true").output();
    if !allowed.is_ok_and(|done| done.status.success()) {
        println!("skipped: mounting is not allowed here, or there is no LibreOffice to hide");
        return;
    }
    let (house, mut child) = open_with("welcome = false\nworkers = 1\n", "bare", &behind, |_| Vec::new());
    let client = Client::new(&house, &house.app_id, &house.user_key);
    let headers = [("authorization", client.token.as_str()), ("content-type", "multipart/form-data; boundary=Bo")];
    let import = |name: &str, file: &[u8]| {
        send("POST", &format!("{}{PATH}", house.base), &headers, Some(form(None, name, file)))
    };
    let error =
        import("deck.pptx", include_bytes!("../../../compere-import/tests/corpus/portrait.pptx")).fails(503, 5030);
    assert!(error["msg"].as_str().is_some_and(|msg| msg.contains("LibreOffice")), "{error}");
    import("slides.pdf", &pdf()).data();
    child.kill().expect("it ends");
    let _ = child.wait();
}
