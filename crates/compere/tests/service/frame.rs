//! What holds for every request.

use serde_json::json;

use crate::house::{account, admin, film, house, send};

#[test]
fn bodies_are_json_whatever_their_header_says() {
    let client = admin();
    let body = film("any header").to_string().replace("\"resolution\"", "\"isExport\":false,\"resolution\"");
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "nonsense"] {
        let headers = [("authorization", client.token.as_str()), ("content-type", kind)];
        let url = format!("{}/api/odin/v3/editor/project", client.base);
        send("POST", &url, &headers, Some(body.clone().into())).data();
    }
    let with_mark = format!("\u{feff}{body}");
    let headers = [("authorization", client.token.as_str())];
    send("POST", &format!("{}/api/odin/v3/editor/project", client.base), &headers, Some(with_mark.into())).data();
}

#[test]
fn a_get_may_say_it_carries_json() {
    let client = admin();
    client.with("GET", "/api/odin/v3/auth", &[], None).data();
    client.with("GET", "/api/odin/v3/auth", &[], Some(json!({}))).data();
}

#[test]
fn slashes_at_the_end_do_not_matter() {
    let client = admin();
    client.get("/api/odin/v3/auth/").data();
    client.get("/api/odin/v3/editor/project/").data();
}

#[test]
fn tokens_come_bare_or_as_bearer() {
    let client = admin();
    let bearer = format!("Bearer {}", client.token);
    for value in [client.token.as_str(), bearer.as_str()] {
        let reply = send("GET", &format!("{}/api/odin/v3/auth", client.base), &[("authorization", value)], None);
        assert_eq!(reply.data()["isAuthenticated"], json!(true));
    }
}

#[test]
fn every_answer_names_its_request() {
    let reply = admin().get("/api/odin/v3/auth");
    assert!(reply.header("x-request-id").starts_with("req_"));
}

#[test]
fn answers_are_packed_when_the_client_can_unpack() {
    let client = admin();
    let headers = [("authorization", client.token.as_str()), ("accept-encoding", "gzip")];
    // The client unpacks by itself and hides the header; what came is shorter than what is read.
    let reply = send("GET", &format!("{}/api/odin/v3/voices", client.base), &headers, None);
    assert!(reply.header("vary").contains("accept-encoding"), "{:?}", reply.headers);
    assert!(reply.data().as_array().is_some_and(|voices| voices.len() > 5));
}

#[test]
fn browsers_of_known_origins_may_call() {
    let url = format!("{}/api/odin/v3/auth", house().base);
    let ask = |origin: &str| {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "GET"),
            ("access-control-request-headers", "authorization"),
        ];
        send("OPTIONS", &url, &headers, None)
    };
    assert_eq!(ask("https://editor.example").header("access-control-allow-origin"), "https://editor.example");
    assert_eq!(ask("https://evil.example").header("access-control-allow-origin"), "");
}

#[test]
fn health_and_numbers_are_open_to_monitors() {
    let base = &house().base;
    assert_eq!(send("GET", &format!("{base}/health/live"), &[], None).status, 200);
    let ready = send("GET", &format!("{base}/health/ready"), &[], None);
    assert_eq!((ready.status, ready.json()["status"].clone()), (200, json!("ready")), "{}", ready.json());
    admin().get("/api/odin/v3/auth").data();
    let numbers = String::from_utf8(send("GET", &format!("{base}/metrics"), &[], None).bytes).expect("text");
    for line in [
        "compere_http_requests_total{method=\"GET\",route=\"/api/odin/v3/auth\",status=\"200\"}",
        "compere_http_request_seconds_bucket",
        "compere_exports{state=\"queued\"}",
        "compere_queue_oldest_seconds",
        "compere_disk_free_bytes",
    ] {
        assert!(numbers.contains(line), "{line} is not in\n{numbers}");
    }
}

#[test]
fn the_document_and_its_pages_need_no_network() {
    let base = &house().base;
    let moved = send("GET", &format!("{base}/docs"), &[], None);
    assert_eq!((moved.status, moved.header("location")), (303, "/docs/index.html"));
    let page = String::from_utf8(send("GET", &format!("{base}/docs/index.html"), &[], None).bytes).expect("text");
    assert!(page.contains("swagger-ui") && !page.contains("src=\"http"), "{page}");
    assert_eq!(send("GET", &format!("{base}/docs/swagger-ui-bundle.js"), &[], None).status, 200);
    let document = send("GET", &format!("{base}/docs/openapi.json"), &[], None).json();
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")), "{}", document["openapi"]);
}

#[test]
fn an_error_says_where_it_is_described() {
    let error = admin().get("/api/odin/v3/editor/project/000000000000000000000000").fails(404, 4040);
    let address = error["docUrl"].as_str().expect("an address");
    assert_eq!(address, format!("{}/docs/errors/4040", house().base));
    let page = send("GET", address, &[], None);
    let text = String::from_utf8(page.bytes).expect("text");
    assert!(page.status == 200 && text.contains("not_found") && text.contains("What to do"), "{text}");
    let all = send("GET", &format!("{}/docs/errors", house().base), &[], None);
    let text = String::from_utf8(all.bytes).expect("text");
    assert!(text.contains("4130") && text.contains("<code>modelId</code>") && !text.contains("`"), "{text}");
    send("GET", &format!("{}/docs/errors/1", house().base), &[], None).fails(404, 4040);
}

#[test]
fn answers_say_how_many_requests_are_left() {
    let client = account("counted@example.com", "narrow").0;
    let left = |reply: &crate::house::Reply| reply.header("ratelimit-remaining").parse::<u32>().expect("a number");
    let first = client.get("/api/odin/v3/auth");
    assert_eq!(first.header("ratelimit-limit"), "20");
    let second = client.get("/api/odin/v3/auth");
    assert_eq!(left(&second) + 1, left(&first), "{:?}", second.headers);
    assert!(second.header("ratelimit-reset").parse::<u32>().is_ok_and(|seconds| seconds > 0));
}
