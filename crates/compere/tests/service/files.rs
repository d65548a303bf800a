//! Downloads and uploads.

use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::house::{account, admin, film, send};

/// A film that is made once for all of these tests.
fn made() -> &'static Value {
    static MADE: OnceLock<Value> = OnceLock::new();
    MADE.get_or_init(|| {
        let client = admin();
        let id = client.create(film("Tägliche\r\nSet-Cookie: a=1; \"News\" ../x"));
        client.wait(&id)["data"].clone()
    })
}

fn link() -> &'static str {
    made()["downloadUrl"].as_str().expect("an address")
}

#[test]
fn a_download_needs_no_token_and_is_what_it_says() {
    let reply = send("GET", link(), &[], None);
    assert_eq!((reply.status, reply.header("content-type")), (200, "video/mp4"));
    assert_eq!(reply.bytes.len() as u64, made()["sizeBytes"].as_u64().expect("a size"));
    assert_eq!(&reply.bytes[4..8], b"ftyp");
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
}

#[test]
fn names_cannot_break_out_of_their_header() {
    let reply = send("GET", link(), &[], None);
    let name = reply.header("content-disposition");
    assert!(name.starts_with("attachment; filename=\"") && name.contains("filename*=UTF-8''T%C3%A4gliche"), "{name}");
    assert!(reply.headers.get("set-cookie").is_none());
    assert_eq!(name.matches('"').count(), 2, "{name}");
}

#[test]
fn heads_have_no_body() {
    let reply = send("HEAD", link(), &[], None);
    assert_eq!((reply.status, reply.bytes.len()), (200, 0));
    assert_eq!(reply.header("content-length"), made()["sizeBytes"].to_string());
}

#[test]
fn ranges_are_answered() {
    let whole = send("GET", link(), &[], None).bytes;
    let part = send("GET", link(), &[("range", "bytes=100-199")], None);
    assert_eq!((part.status, &part.bytes[..]), (206, &whole[100..200]));
    assert_eq!(part.header("content-range"), format!("bytes 100-199/{}", whole.len()));
    let tail = send("GET", link(), &[("range", "bytes=-10")], None);
    assert_eq!(&tail.bytes[..], &whole[whole.len() - 10..]);
    let outside = send("GET", link(), &[("range", "bytes=99999999-")], None);
    assert_eq!((outside.status, outside.header("content-range")), (416, format!("bytes */{}", whole.len()).as_str()));
    let tag = send("HEAD", link(), &[], None).header("etag").to_owned();
    assert_eq!(send("GET", link(), &[("if-none-match", &tag)], None).status, 304);
    assert_eq!(send("GET", link(), &[("range", "bytes=0-9"), ("if-range", "\"old\"")], None).status, 200);
}

#[test]
fn posters_and_captions_have_links_of_their_own() {
    let poster = send("GET", made()["thumbnailUrl"].as_str().expect("an address"), &[], None);
    assert_eq!((poster.header("content-type"), &poster.bytes[..2]), ("image/jpeg", &b"\xff\xd8"[..]));
    let captions = send("GET", made()["captionsUrl"].as_str().expect("an address"), &[], None);
    assert!(captions.bytes.starts_with(b"WEBVTT"));
}

#[test]
fn an_upload_can_be_used_in_a_scene() {
    let client = admin();
    let png = send("GET", &format!("{}/media/p/nora/nora%2Fblazer.jpg", client.base), &[], None);
    assert_eq!((png.status, png.header("content-type")), (200, "image/jpeg"));
    let headers = [("authorization", client.token.as_str())];
    let url = format!("{}/api/odin/v3/assets?name=portrait.jpg", client.base);
    let asset = send("POST", &url, &headers, Some(png.bytes.clone())).data();
    assert_eq!((&asset["mediaType"], &asset["width"]), (&json!("image/jpeg"), &json!(360)), "{asset}");
    let back = send("GET", asset["url"].as_str().expect("an address"), &[], None);
    assert_eq!(back.bytes, png.bytes);
    assert!(back.header("content-security-policy").contains("sandbox"));
    let mut body = film("with upload");
    body["scenes"][0]["background"] = json!({ "source_type": "image", "source_url": asset["url"] });
    let id = client.create(body);
    assert_eq!(client.wait(&id)["data"]["state"], json!("exported"));
    assert!(client.get("/api/odin/v3/assets").data().as_array().is_some_and(|all| !all.is_empty()));
    let (stranger, _) = account("thief@example.com", "api");
    let path = format!("/api/odin/v3/assets/{}", asset["id"].as_str().expect("an id"));
    stranger.with("DELETE", &path, &[], None).fails(404, 4040);
    client.with("DELETE", &path, &[], None).data();
    send("GET", asset["url"].as_str().expect("an address"), &[], None).fails(404, 4040);
}

#[test]
fn uploads_come_as_forms_even_without_a_boundary_in_the_header() {
    let client = admin();
    let svg =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\"><rect width=\"40\" height=\"20\"/></svg>";
    let form = format!(
        "--XyZ\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nbox.svg\r\n\
         --XyZ\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../../a.svg\"\r\n\r\n{svg}\r\n--XyZ--\r\n"
    );
    for kind in ["multipart/form-data; boundary=XyZ", "application/json", "multipart/form-data"] {
        let headers = [("authorization", client.token.as_str()), ("content-type", kind)];
        let asset =
            send("POST", &format!("{}/api/odin/v3/assets", client.base), &headers, Some(form.clone().into())).data();
        assert_eq!((&asset["name"], &asset["mediaType"]), (&json!("box.svg"), &json!("image/svg+xml")), "{kind}");
    }
}

#[test]
fn uploads_have_a_limit() {
    let client = admin();
    let headers = [("authorization", client.token.as_str())];
    let mut large = b"\x89PNG\r\n\x1a\n".to_vec();
    // Between two million bytes and two binary megabytes: both readers of the limit mean the first.
    large.resize(2_050_000, 0);
    send("POST", &format!("{}/api/odin/v3/assets?name=a.png", client.base), &headers, Some(large)).fails(413, 4130);
}

#[test]
fn an_upload_that_is_sent_twice_is_kept_once() {
    let client = admin();
    let send_as = |boundary: &str, content: &[u8]| {
        let mut body =
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n")
                .into_bytes();
        body.extend_from_slice(content);
        body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        let kind = format!("multipart/form-data; boundary={boundary}");
        let headers = [
            ("authorization", client.token.as_str()),
            ("content-type", kind.as_str()),
            ("idempotency-key", "one-picture"),
        ];
        send("POST", &format!("{}/api/odin/v3/assets", client.base), &headers, Some(body))
    };
    let picture = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures/frame.jpg"));
    let picture = picture.expect("a picture");
    let first = send_as("first", &picture).data();
    // Clients choose another boundary every time.
    let again = send_as("second", &picture);
    assert_eq!((again.data(), again.header("idempotent-replayed")), (first, "true"));
    send_as("third", &picture[..1000]).fails(409, 4090);
}
