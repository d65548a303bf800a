//! Whoever is shown takes their presenter away, with a link and no account.

use serde_json::{Value, json};

use crate::avatars::{ROOT, form, path};
use crate::house::{Client, Reply, account, admin, house, open, send, stop};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const HTML: (&str, &str) = ("accept", "text/html");

/// A presenter whose person was asked, with the link that they were given.
fn asked(client: &Client, name: &str) -> (String, String) {
    let made = client.post(ROOT, json!({"name": name, "language": "de"})).data();
    let id = made["id"].as_str().expect("an id").to_owned();
    let link = link(client, &id);
    (id, link)
}

fn link(client: &Client, id: &str) -> String {
    let body = json!({"person": "Ada Miller", "purpose": "Schulung <b>der</b> Beispiel GmbH"});
    let told = client.post(&format!("{}/consent", path(id)), body).data();
    told["consent"]["withdrawalLink"].as_str().expect("a link").to_owned()
}

fn look(link: &str) -> Reply {
    send("GET", link, &[HTML], None)
}

fn take_back(link: &str) -> Reply {
    send("POST", link, &[HTML, FORM], Some(b"sure=yes".to_vec()))
}

fn text(reply: &Reply) -> String {
    String::from_utf8(reply.bytes.clone()).expect("a page")
}

fn is_nothing(reply: &Reply) {
    assert_eq!(reply.status, 404);
    assert!(text(reply).contains("Nothing to take away here"), "{}", text(reply));
    is_unlisted(reply);
}

fn is_unlisted(reply: &Reply) {
    assert_eq!((reply.header("referrer-policy"), reply.header("x-robots-tag")), ("no-referrer", "noindex, nofollow"));
    assert_eq!((reply.header("cache-control"), reply.header("x-frame-options")), ("no-store", "DENY"));
    assert!(reply.header("content-security-policy").contains("script-src 'self'"));
    assert!(reply.header("set-cookie").is_empty());
}

#[test]
fn the_person_takes_the_presenter_away_without_an_account() {
    let client = admin();
    let photo = crate::avatars::portrait();
    let asset = form(&client, "/api/odin/v3/assets", &photo, &[]).data();
    let made = client.post(ROOT, json!({"name": "Ada", "kind": "photo", "language": "de"})).data();
    let id = made["id"].as_str().expect("an id").to_owned();
    let link = link(&client, &id);
    client.post(&format!("{}/takes", path(&id)), json!({"assetId": asset["id"], "prompt": "photo"})).data();
    let code = link.rsplit('/').next().expect("a code");
    assert!(code.len() >= 32 && link.starts_with(&format!("{}/withdraw/", house().base)), "{link}");
    let told = client.get(&path(&id)).data();
    assert_eq!((&told["consent"]["withdrawalLink"], &told["withdrawnBy"]), (&Value::Null, &Value::Null), "told once");

    // The page says what was agreed to, as text; to open it changes nothing, nor does a box that nobody ticked.
    let page = look(&link);
    assert_eq!(page.status, 200);
    is_unlisted(&page);
    let shown = text(&page);
    for part in ["Ada Miller", "Mein Name ist Ada Miller", "Schulung &#60;b&#62;der", "lang=\"de\"", "name=\"robots\""]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains(&house().email) && !shown.contains(code) && !shown.contains(&id), "{shown}");
    for method in ["GET", "HEAD"] {
        assert_eq!(send(method, &link, &[], None).status, 200, "{method}");
    }
    let unsure = send("POST", &link, &[HTML, FORM], Some(Vec::new()));
    assert_eq!((unsure.status, text(&unsure).contains("Tick the box")), (400, true));
    assert_eq!(client.get(&path(&id)).data()["state"], "collecting");

    // It is as when the account takes it away; who did and when is on record.
    let gone = take_back(&link);
    assert_eq!((gone.status, text(&gone).contains("you took it away")), (200, true), "{}", text(&gone));
    is_unlisted(&gone);
    let told = client.get(&path(&id)).data();
    assert_eq!((&told["state"], &told["withdrawnBy"]), (&json!("withdrawn"), &json!("person")), "{told:#}");
    assert!(told["withdrawnAt"].is_string() && told["consent"].is_null() && told["takes"] == json!([]), "{told:#}");
    assert!(!client.get("/api/odin/v3/assets").data().to_string().contains(asset["id"].as_str().expect("an id")));
    assert!(!house().data.join("objects/presenters").join(&id).exists());
    // The link is used up, and looks like one that never was.
    for reply in [look(&link), take_back(&link), look(&format!("{}/withdraw/{}", house().base, "0".repeat(64)))] {
        is_nothing(&reply);
    }
}

#[test]
fn a_link_is_void_once_another_one_is_given_out_and_says_when_others_were_first() {
    let client = admin();
    let (id, first) = asked(&client, "Twice");
    let second = link(&client, &id);
    is_nothing(&look(&first));
    is_nothing(&take_back(&first));
    assert_eq!(look(&second).status, 200);
    // The account takes it away: the person reads that, and nothing is withdrawn in their name.
    client.with("DELETE", &path(&id), &[], None).data();
    for reply in [look(&second), take_back(&second)] {
        assert_eq!((reply.status, text(&reply).contains("the account that had it took it away")), (200, true));
        assert!(!text(&reply).contains("<form"), "{}", text(&reply));
    }
    assert_eq!(client.get(&path(&id)).data()["withdrawnBy"], "account");
}

#[test]
fn a_repeated_request_does_not_repeat_the_link() {
    let client = admin();
    let (id, _) = asked(&client, "Again");
    let body = json!({"person": "Ada Miller", "purpose": "Training"});
    let ask =
        || client.with("POST", &format!("{}/consent", path(&id)), &[("idempotency-key", "link")], Some(body.clone()));
    let (first, second) = (ask().data(), ask().data());
    assert_eq!(first["consent"]["text"], second["consent"]["text"]);
    let link = first["consent"]["withdrawalLink"].as_str().expect("a link");
    assert!(second["consent"]["withdrawalLink"].is_null(), "{second:#}");
    assert_eq!(look(link).status, 200, "the one that was told is good");
    client.with("DELETE", &path(&id), &[], None).data();

    // Nobody is shown by a model, so nobody withdraws.
    let model = client.post(ROOT, json!({"name": "Model", "kind": "model"})).data();
    let model = path(model["id"].as_str().expect("an id"));
    let told = client.post(&format!("{model}/consent"), json!({"licensedBy": "A Tester"})).data();
    assert!(told["consent"].is_null() && told["licence"].is_object(), "{told:#}");
    client.with("DELETE", &model, &[], None).data();
}

#[test]
fn clothes_have_a_link_of_their_own() {
    let (client, _) = account("clothes@example.com", "api");
    let (wearer, of_all) = asked(&client, "Worn");
    let begin = |name: &str| {
        let made = client.post(ROOT, json!({"outfitOf": wearer, "name": name})).data();
        let id = made["id"].as_str().expect("an id").to_owned();
        (link(&client, &id), id)
    };
    let ((of_suit, suit), (of_coat, coat)) = (begin("Blue suit"), begin("Coat"));
    let state = |id: &str| {
        let told = client.get(&path(id)).data();
        (told["state"].clone(), told["withdrawnBy"].clone())
    };
    let shown = text(&look(&of_suit));
    assert!(shown.contains("Worn in “Blue suit”") && shown.contains("has links of its own"), "{shown}");
    assert!(!shown.contains("clothes@example.com"), "whoever is called by their address: {shown}");
    assert_eq!(take_back(&of_suit).status, 200);
    let (person, open) = ((json!("withdrawn"), json!("person")), (json!("collecting"), Value::Null));
    assert_eq!([state(&suit), state(&coat), state(&wearer)], [person.clone(), open.clone(), open]);
    // Whoever is gone is gone in all clothes, and the link of those says so.
    let shown = text(&look(&of_all));
    assert!(shown.contains("Coat") && !shown.contains("Blue suit"), "{shown}");
    assert_eq!(take_back(&of_all).status, 200);
    assert_eq!([state(&coat), state(&wearer)], [person.clone(), person]);
    assert!(text(&look(&of_coat)).contains("The presenter is gone"));
}

#[test]
fn whoever_guesses_waits_and_the_right_link_is_let_in() {
    let (house, mut child) = open("welcome = false\nworkers = 1\n[limits]\nauth_per_minute = 5\n", "withdrawals");
    let client = Client::new(&house, &house.app_id, &house.user_key);
    let (id, link) = asked(&client, "Guessed at");
    let guess = |n: usize| look(&format!("{}/withdraw/{n:064}", house.base)).status;
    let told: Vec<u16> = (0..8).map(guess).collect();
    assert_eq!((&told[..4], told[7]), (&[404; 4][..], 429), "{told:?}");
    let wait = take_back(&format!("{}/withdraw/guess", house.base));
    assert_eq!((wait.status, text(&wait).contains("then try again")), (429, true));
    is_unlisted(&wait);
    assert_eq!((look(&link).status, take_back(&link).status), (200, 200), "who has the link did not guess");
    assert_eq!(client.get(&path(&id)).data()["withdrawnBy"], "person");
    stop(&mut child);
}
