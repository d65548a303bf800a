//! What an account may know of itself and change by the API.

use serde_json::{Value, json};

use crate::house::{Client, account, film, house, send};

#[test]
fn an_account_knows_its_plan_and_what_its_credits_went_to() {
    let (client, _) = account("thrifty@example.com", "purse");
    let record = client.get("/api/odin/v3/account").data();
    assert_eq!((&record["email"], &record["plan"]["name"]), (&json!("thrifty@example.com"), &json!("purse")));
    assert_eq!((&record["credits"], &record["plan"]["monthlyCredits"]), (&json!(3), &json!(3)), "{record}");
    let id = client.create(film("paid for"));
    client.wait(&id);
    let moved = client.get("/api/odin/v3/account/credits").data();
    let sum: i64 = moved.as_array().expect("movements").iter().filter_map(|one| one["amount"].as_i64()).sum();
    assert_eq!(client.get("/api/odin/v3/account").data()["credits"], json!(sum), "{moved}");
    assert!(sum < 3, "{moved}");
    let exports = client.get(&format!("/api/odin/v3/editor/project/{id}/exports")).data();
    assert_eq!((exports[0]["state"].clone(), exports[0]["credits"].clone()), (json!("exported"), json!(3 - sum)));
}

#[test]
fn key_pairs_are_issued_bound_and_revoked() {
    let (client, _) = account("keeper@example.com", "api");
    let workspace = house().records(async |store| {
        let owner = store.account_by_email("keeper@example.com").await.expect("reads").expect("it is there");
        store.create_workspace(&owner.id, "One room").await.expect("creates").id
    });
    let issue = |body: Value| client.post("/api/odin/v3/account/keys", body).data();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let sign_in = |pair: &Value| Client::new(house(), &text(&pair["appId"]), &text(&pair["userKey"]));
    let (whole, bound) =
        (issue(json!({ "name": "whole" })), issue(json!({ "name": "bound", "workspaceId": workspace })));
    assert_eq!(sign_in(&whole).get("/api/odin/v3/account/keys").data().as_array().map(Vec::len), Some(3));
    // Who sees one workspace must not make itself a key for all.
    let narrow = sign_in(&bound);
    narrow.get("/api/odin/v3/account").data();
    narrow.post("/api/odin/v3/account/keys", json!({ "name": "more" })).fails(403, 4030);
    narrow.get("/api/odin/v3/account/keys").fails(403, 4030);
    narrow.get("/api/odin/v3/account/webhook-secret").fails(403, 4030);
    let path = format!("/api/odin/v3/account/keys/{}", text(&bound["id"]));
    client.with("DELETE", &path, &[], None).data();
    narrow.get("/api/odin/v3/auth").fails(401, 4010);
    let (stranger, _) = account("locksmith@example.com", "api");
    let path = format!("/api/odin/v3/account/keys/{}", text(&whole["id"]));
    stranger.with("DELETE", &path, &[], None).fails(404, 4040);
    client.post("/api/odin/v3/account/keys", json!({ "name": "no", "workspaceId": "nowhere" })).fails(404, 4040);
}

#[test]
fn the_secret_of_webhooks_is_told_and_replaced() {
    let (client, _) = account("signer@example.com", "api");
    let path = "/api/odin/v3/account/webhook-secret";
    let before = client.get(path).data()["secret"].clone();
    let after = client.post(path, json!({})).data()["secret"].clone();
    assert!(before.as_str().is_some_and(|secret| secret.starts_with("whsec_")) && before != after, "{before} {after}");
    assert_eq!(client.get(path).data()["secret"], after);
    send("GET", &format!("{}{path}", client.base), &[], None).fails(401, 4010);
}
