//! Operators before presenters that wait for them: what they are shown, and what comes of it when they decline.

use serde_json::json;

use crate::avatars::{Place, models, path};
use crate::house::{House, Reply, send};

const PAGE: &str = "/admin/presenters";

/// Whoever runs the house, signed in to the dashboard.
struct Operator {
    base: String,
    cookie: String,
}

impl Operator {
    fn of(house: &House) -> Self {
        let form = form(&[("email", house.email.as_str()), ("password", house.password.as_str())]);
        let kind = [("content-type", "application/x-www-form-urlencoded")];
        let session = send("POST", &format!("{}/sign-in", house.base), &kind, Some(form));
        let cookie = session.header("set-cookie").split(';').next().expect("a cookie").to_owned();
        Self { base: house.base.clone(), cookie }
    }

    fn page(&self) -> String {
        let shown = send("GET", &format!("{}{PAGE}", self.base), &[("cookie", &self.cookie)], None);
        assert_eq!(shown.status, 200);
        String::from_utf8(shown.bytes).expect("a page")
    }

    fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let page = self.page();
        let token = page.split("name=\"_csrf\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let fields = [&[("_csrf", token.expect("a token"))], fields].concat();
        let headers = [("cookie", self.cookie.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        send("POST", &format!("{}{PAGE}{path}", self.base), &headers, Some(form(&fields)))
    }
}

fn form(fields: &[(&str, &str)]) -> Vec<u8> {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish().into_bytes()
}

/// An operator sees what was said and by which hashes it is known, declines, and the owner reads why. Then it is open again.
pub(super) fn is_declined(place: &Place, id: &str) {
    const WHY: &str = "The one who agrees is not the one in the photo.";
    let told = place.ada.get(&path(id)).data();
    let text = told["consent"]["text"].as_str().expect("a text");
    let operator = Operator::of(&place.house);
    let page = operator.page();
    assert!(page.contains(text) && page.contains(&format!("{PAGE}/{id}/decline")), "{page}");
    let kept = place.house.data.join("presenters").join(id).join("presenter.json");
    let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(kept).expect("a manifest")).expect("JSON");
    let consent = &kept["consent"];
    let hashes =
        [blake3::hash(text.as_bytes()).to_hex().to_string(), consent["hash"].as_str().expect("a hash").to_owned()];
    assert_eq!((&consent["textHash"], &consent["textVersion"]), (&json!(hashes[0]), &json!(1)), "{consent:#}");
    assert!(hashes.iter().all(|hash| hash.len() == 64 && page.contains(hash)), "{page}");
    assert!(page.contains("1, given out on"), "{page}");

    // Nobody is declined without a word, and nobody but an operator declines.
    operator.post(&format!("/{id}/decline"), &[("why", " ")]);
    assert_eq!(place.ada.get(&path(id)).data()["state"], "waiting");
    let stranger = send("POST", &format!("{}{PAGE}/{id}/decline", place.house.base), &[], Some(form(&[("why", WHY)])));
    assert_ne!(stranger.status, 200);
    assert_eq!(place.ada.get(&path(id)).data()["state"], "waiting");

    let done = operator.post(&format!("/{id}/decline"), &[("why", WHY)]);
    assert_eq!(done.status, 303, "{}", String::from_utf8_lossy(&done.bytes));
    let declined = place.ada.get(&path(id)).data();
    let finding = &declined["findings"][0];
    assert_eq!((&declined["state"], &finding["what"]), (&json!("refused"), &json!(WHY)), "{declined:#}");
    assert!(!operator.page().contains(text), "nobody waits any more");
    assert!(!models(&place.ada).contains(id) && !place.house.data.join("presenters").join(id).exists());
    let again = place.ada.post(&format!("{}/build", path(id)), json!({})).data();
    assert!(["queued", "building"].iter().any(|state| again["state"] == *state), "{again:#}");
}
