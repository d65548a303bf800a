//! Fonts that accounts send, from the form to the film.

use serde_json::{Value, json};

use crate::house::{Client, Reply, account, admin, scene, send};

const PATH: &str = "/api/odin/v3/fonts";
const CALADEA: &str = "/usr/share/fonts/truetype/crosextra/Caladea-Bold.ttf";

/// A bold serif of this machine under a name of as many letters, which nobody has.
fn renamed(name: &str) -> Vec<u8> {
    let mut bytes = std::fs::read(CALADEA).expect("fonts are installed");
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    for (from, to) in [(b"Caladea".to_vec(), name.as_bytes().to_vec()), (wide("Caladea"), wide(name))] {
        assert!(from.len() == to.len() && from != to);
        while let Some(at) = bytes.windows(from.len()).position(|window| window == from) {
            bytes[at..at + to.len()].copy_from_slice(&to);
        }
    }
    bytes
}

/// The same with a word about what may be done with it.
fn with_rights(mut font: Vec<u8>, rights: u8) -> Vec<u8> {
    let entry = (12..).step_by(16).find(|at| &font[*at..*at + 4] == b"OS/2").expect("it is told");
    let table = u32::from_be_bytes(font[entry + 8..entry + 12].try_into().expect("four bytes")) as usize;
    font[table + 9] = rights;
    font
}

fn sent(client: &Client, file: &[u8], licence: Option<&str>) -> Reply {
    let field =
        licence.map(|said| format!("--Bo\r\nContent-Disposition: form-data; name=\"licence\"\r\n\r\n{said}\r\n"));
    let head = "--Bo\r\nContent-Disposition: form-data; name=\"file\"; filename=\"brand.ttf\"\r\n\r\n";
    let form = [field.unwrap_or_default().as_bytes(), head.as_bytes(), file, b"\r\n--Bo--\r\n"].concat();
    let headers = [("authorization", client.token.as_str()), ("content-type", "multipart/form-data; boundary=Bo")];
    send("POST", &format!("{}{PATH}", client.base), &headers, Some(form))
}

/// A second of nothing but a text.
fn film(family: &str) -> Value {
    let mut scene = scene();
    scene["scripts"] = json!([{"org": "", "isTTS": false, "tts": null, "modelId": "nora", "clothId": "nora/blazer"}]);
    scene["clips"][0]["fontFamily"] = json!(family);
    scene["clips"][0]["fontWeight"] = json!(700);
    scene["clips"][0]["text"] = json!("Hamburg");
    json!({ "name": "In letters", "resolution": 480, "scenes": [scene] })
}

fn preview(client: &Client, family: &str) -> Vec<u8> {
    let id = client.draft(film(family));
    let reply = client.get(&format!("/api/odin/v3/editor/project/{id}/preview?scene=0&t=0.5&width=480"));
    assert_eq!(reply.status, 200);
    reply.bytes
}

fn poster(client: &Client, id: &str) -> Vec<u8> {
    let done = client.wait(id);
    assert_eq!(done["data"]["state"], json!("exported"), "{done}");
    send("GET", done["data"]["thumbnailUrl"].as_str().expect("an address"), &[], None).bytes
}

fn families(client: &Client) -> Vec<Value> {
    let list = client.get(PATH).data();
    list.as_array().expect("a list").iter().map(|font| font["family"].clone()).collect()
}

#[test]
fn a_font_is_in_the_films_of_its_account_and_of_nobody_else() {
    let (ada, bob) = (account("fonts-ada@example.com", "api").0, account("fonts-bob@example.com", "api").0);
    let faces = sent(&ada, &renamed("Quarzit"), Some("true")).data();
    let face = &faces[0];
    assert_eq!((&face["family"], &face["style"], &face["weight"]), (&json!("Quarzit"), &json!("Bold"), &json!(700)));
    assert_eq!(sent(&ada, &renamed("Quarzit"), Some("true")).data()[0]["id"], face["id"], "it is kept once");
    assert_eq!((&families(&ada)[0], families(&bob).contains(&json!("Quarzit"))), (&json!("Quarzit"), false));

    let caladea = preview(&bob, "Caladea");
    let nothing = preview(&bob, "Nobody Has It");
    assert!(preview(&ada, "Quarzit-Bold") == caladea && caladea != nothing);
    assert!(preview(&bob, "Quarzit-Bold") == nothing, "it is somebody else's");

    let [plain, theirs] = ["Caladea", "Quarzit"].map(|family| poster(&bob, &bob.create(film(family))));
    let id = ada.create(film("Quarzit"));
    let gone = format!("{PATH}/{}", face["id"].as_str().expect("an id"));
    bob.with("DELETE", &gone, &[], None).fails(404, 4040);
    ada.with("DELETE", &gone, &[], None).data();
    assert!(poster(&ada, &id) == plain, "it was asked for while the font was there");
    assert!(plain != theirs);
    ada.with("DELETE", &gone, &[], None).fails(404, 4040);
    assert!(!families(&ada).contains(&json!("Quarzit")));
    assert!(preview(&ada, "Quarzit-Bold") == nothing);
}

#[test]
fn what_is_no_font_for_films_is_refused_with_its_reason() {
    let client = admin();
    let told = |reply: Reply, status, code| reply.fails(status, code)["msg"].as_str().unwrap_or_default().to_owned();
    let good = renamed("Brandol");
    for licence in [None, Some("no")] {
        assert!(told(sent(&client, &good, licence), 400, 4001).contains("I may use this font"));
    }
    assert!(
        told(sent(&client, &with_rights(good.clone(), 2), Some("true")), 415, 4150).contains("its maker forbids it")
    );
    assert!(told(sent(&client, b"wOF2\0\x01\0\0", Some("true")), 415, 4150).contains("web font"));
    assert!(told(sent(&client, b"\x89PNG\r\n\x1a\n", Some("true")), 415, 4150).contains("not a font"));
    assert!(told(sent(&client, &good[..good.len() / 2], Some("true")), 422, 4220).contains("damaged"));
    assert!(told(sent(&client, &vec![0; 10_000_001], Some("true")), 413, 4130).contains("10 MB"));
    assert!(
        told(sent(&client, &std::fs::read(CALADEA).expect("reads"), Some("true")), 409, 4090).contains("here already")
    );
    assert!(!families(&client).contains(&json!("Brandol")), "nothing was kept");
}

/// What the service writes down for those who make films, others may write as well: nothing comes of it.
#[test]
fn nobody_else_names_files_of_fonts() {
    let client = admin();
    let mut body = film("Caladea");
    let plain = poster(&client, &client.create(body.clone()));
    for listed in [json!("x"), json!([{"family": "Caladea", "source_url": "/media/f/abc/00ff/font.ttf"}, 7])] {
        body["typecase"] = listed;
        assert!(poster(&client, &client.create(body.clone())) == plain);
    }
}
