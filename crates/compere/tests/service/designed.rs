//! Designed presenters, through the API: what is wrong is told by its place, they present at once, another design shows at
//! once, and nobody else sees anything of them.

use serde_json::{Value, json};

use crate::avatars::{Place, ROOT, delete, models, path, showing};
use crate::house::{Client, send};

/// A red square of four pixels.
const LOGO: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==";

fn designs(rest: &str) -> String {
    format!("{ROOT}/designs{rest}")
}

fn design(color: &str) -> Value {
    json!({
        "name": "Alma Example", "faces": {"nora": 0.7, "mei": 0.3}, "age": 34, "face": {"jaw": 0.2},
        "hair": {"style": "bob", "color": "#54382a"}, "outfits": [{"clothes": "tee", "color": color}],
        "logo": {"picture": LOGO}, "voices": {"en-US": "af_heart"},
    })
}

fn blamed(ada: &Client, wrong: &Value) -> Vec<String> {
    let told = ada.post(&designs(""), wrong.clone()).fails(400, 4001);
    let details = told["details"].as_array().expect("a list").iter();
    details.filter_map(|one| one["path"].as_str().map(str::to_owned)).collect()
}

/// A frame of a project, as its bytes.
fn frame(ada: &Client, project: &str) -> Vec<u8> {
    let reply = ada.get(&format!("/api/odin/v3/editor/project/{project}/preview?scene=0&width=160"));
    assert_eq!(reply.status, 200);
    reply.bytes
}

#[test]
fn a_design_presents_at_once_and_another_one_shows_at_once() {
    let mut place = Place::open("designed");
    let ada = &place.ada;
    let begun = |query: &str| ada.get(&designs(&format!("/begin?{query}")));
    assert_eq!(begun("from=nora").data()["faces"], json!({"nora": 1.0}));
    assert_eq!(begun("seed=7").data(), begun("seed=7").data());
    assert_eq!(begun("from=zeus").fails(400, 4001)["details"][0]["path"], "from");
    assert_eq!(begun("seed=many").fails(400, 4001)["details"][0]["path"], "seed");

    let wrong = json!({"faces": {"nora": 1, "tom": 1}, "age": 7, "hair": {"style": "mullet"}, "faec": {}});
    assert_eq!(blamed(ada, &wrong), ["faces", "age", "hair.style", "faec", "name"]);
    let mut other = design("#1d4f5b");
    other["voices"]["en-US"] = json!("nobody");
    assert_eq!(blamed(ada, &other), ["voices.en-US"]);
    for broken in ["data:image/png;base64,AAAA", "data:image/png;base64,???", "data:image/png,x"] {
        let mut other = design("#1d4f5b");
        other["logo"]["picture"] = json!(broken);
        assert_eq!(blamed(ada, &other), ["logo.picture"], "{broken}");
    }
    assert_eq!(ada.get(ROOT).data(), json!([]), "nothing of what was wrong is kept");

    let seen = ada.post(&designs("/look?width=96"), design("#1d4f5b"));
    assert_eq!((seen.status, seen.header("content-type")), (200, "image/jpeg"));
    assert_ne!(seen.bytes, ada.post(&designs("/look?width=96"), design("#c03030")).bytes);
    ada.post(&designs("/look?width=9000"), design("#1d4f5b")).fails(400, 4001);

    let made = ada.post(&designs(""), design("#1d4f5b")).data();
    let id = made["id"].as_str().expect("an id").to_owned();
    assert_eq!((&made["state"], &made["kind"], &made["missing"]), (&json!("ready"), &json!("design"), &json!([])));
    assert!(models(ada).contains(&id));
    place.is_nothing_to_others(&id);
    place.bob.get(&format!("{}/design", path(&id))).fails(404, 4040);
    place.bob.with("PUT", &format!("{}/design", path(&id)), &[], Some(design("#1d4f5b"))).fails(404, 4040);
    place.bob.post("/api/odin/v3/editor/project", showing(&id)).fails(400, 4003);
    let kept = ada.get(&format!("{}/design", path(&id))).data();
    assert_eq!((&kept["face"]["jaw"], &kept["logo"]["picture"]), (&json!(0.2), &json!(LOGO)));

    let mut body = showing(&id);
    body["scenes"][0]["scripts"][0]["clothId"] = json!("tee");
    body["scenes"][0]["clips"][0]["model"]["emotion"] = json!("tee");
    let project = ada.create(body);
    let before = frame(ada, &project);
    let changed = ada.with("PUT", &format!("{}/design", path(&id)), &[], Some(design("#c03030"))).data();
    assert_eq!(changed["id"], id.as_str());
    assert_ne!(before, frame(ada, &project), "another colour of the same presenter");
    assert_eq!(ada.wait(&project)["data"]["progress"], 100);

    // Files are written anew from what is on record.
    let folder = place.house.data.join("presenters").join(&id);
    std::fs::remove_dir_all(&folder).expect("was there");
    place.dies_and_comes_back();
    assert!(folder.join("presenter.json").exists());
    let ada = &place.ada;
    assert!(models(ada).contains(&id));

    let gone = delete(ada, &path(&id)).data();
    assert_eq!(gone["films"][0]["projectId"], project.as_str(), "{gone:#}");
    assert!(!folder.exists() && !models(ada).contains(&id));
    ada.get(&format!("{}/design", path(&id))).fails(404, 4040);
    send("GET", &format!("{}{}/portrait", ada.base, path(&id)), &[("authorization", &ada.token)], None)
        .fails(404, 4040);
}
