//! Gate pass views beside the conversation, each role with its own rights.

use frontdesk_testkit::model_server::{call, say};
use reqwest::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::{Backing, TODAY, TestApp};
use crate::server::{Person, TestServer};

const FIRST: &str = "/gatepass/passes";

/// The demo passes, by status.
async fn passes(server: &TestServer, who: &Person, query: &str) -> Vec<Value> {
    let page = server.get(who, &format!("{FIRST}{query}")).await;
    assert_eq!(page.status, StatusCode::OK, "{page:?}");
    page.body["items"].as_array().unwrap().clone()
}

async fn file(server: &TestServer, who: &Person, path: &str) -> (String, String, Vec<u8>) {
    let request = server.request(Method::GET, path, Some(who));
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    assert_eq!(answer.headers()[CACHE_CONTROL], "no-store");
    assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
    let header = |name| answer.headers()[name].to_str().unwrap().to_owned();
    let (kind, name) = (header(CONTENT_TYPE), header(CONTENT_DISPOSITION));
    (kind, name, answer.bytes().await.unwrap().to_vec())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_role_sees_details_and_pictures_and_the_office_lists_and_counts() {
    for server in TestServer::on_both().await {
        let hr = server.sign_in("hr");
        let back = passes(&server, &hr, "?status=returned").await;
        let number = back[0]["pass_number"].as_str().unwrap().to_owned();
        for role in ["hr", "admin"] {
            let who = server.sign_in(role);
            assert_eq!(passes(&server, &who, "").await.len(), 12);
            let pending = passes(&server, &who, "?status=pending&limit=1").await;
            assert_eq!(pending[0]["status"], "pending");
            let found = passes(&server, &who, "?q=maria").await;
            assert_eq!(found[0]["person_name"], "Maria Gonzalez");
            let counts = server.get(&who, "/gatepass/counts").await.body;
            assert_eq!(
                (&counts["total"], &counts["pending"]),
                (&json!(12), &json!(2))
            );
        }
        // The design has no list for guards.
        let guard = server.sign_in("gate");
        for path in [FIRST, "/gatepass/counts"] {
            let answer = server.get(&guard, path).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        }
        for role in ["hr", "admin", "gate"] {
            let who = server.sign_in(role);
            let pass = server.get(&who, &format!("{FIRST}/{number}")).await.body;
            let steps: Vec<&str> = pass["status_history"]
                .as_array()
                .unwrap()
                .iter()
                .map(|step| step["status"].as_str().unwrap())
                .collect();
            assert_eq!(steps, ["pending", "approved", "exited", "returned"]);

            // Links in responses lead to our own routes.
            let photo = pass["photos"][0]["file_url"].as_str().unwrap();
            let photo = photo.strip_prefix("/api/v1").unwrap();
            let (kind, _, bytes) = file(&server, &who, photo).await;
            assert_eq!(kind, "image/jpeg");
            assert!(bytes.starts_with(&[0xFF, 0xD8, 0xFF]));
            let qr = pass["qr_code_url"].as_str().unwrap();
            let qr = qr.strip_prefix("/api/v1").unwrap();
            let (kind, name, bytes) = file(&server, &who, qr).await;
            assert_eq!(kind, "image/png");
            assert_eq!(name, format!("inline; filename=\"{number}-qr.png\""));
            assert!(bytes.starts_with(b"\x89PNG"));
        }
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn print_and_notifications_are_for_the_office() {
    let server = TestServer::start(Backing::Sqlite).await;
    let (hr, admin, gate) = (
        server.sign_in("hr"),
        server.sign_in("admin"),
        server.sign_in("gate"),
    );
    let approved = passes(&server, &hr, "?status=approved").await;
    let number = approved[0]["pass_number"].as_str().unwrap().to_owned();
    let print = format!("{FIRST}/{number}/print");
    for who in [&hr, &admin] {
        let (kind, name, bytes) = file(&server, who, &print).await;
        assert_eq!(kind, "application/pdf");
        assert_eq!(name, format!("inline; filename=\"{number}.pdf\""));
        assert!(bytes.starts_with(b"%PDF-"));
    }
    let refused = server.get(&gate, &print).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(refused.body["error"]["code"], "FORBIDDEN");
    assert_eq!(
        refused.body["error"]["message"],
        "This needs the role Admin_User or HR_User"
    );

    for (who, inbox, other) in [(&hr, "hr", "admin"), (&admin, "admin", "hr")] {
        let path = format!("/gatepass/notifications/{inbox}");
        let page = server.get(who, &format!("{path}?limit=1")).await;
        assert_eq!(page.status, StatusCode::OK, "{page:?}");
        let unread = page.body["unread"].as_u64().unwrap();
        let id = page.body["items"][0]["id"].as_str().unwrap();
        let read = format!("/gatepass/notifications/{id}/read");
        // A GET changes nothing: a link followed by accident marks nothing as read.
        assert_eq!(
            server.get(who, &read).await.status,
            StatusCode::METHOD_NOT_ALLOWED
        );
        let marked = server.post(who, &read, json!({})).await;
        assert_eq!(marked.body["is_read"], true, "{marked:?}");
        let after = server.get(who, &path).await.body["unread"].as_u64();
        assert_eq!(after, Some(unread - 1));
        let foreign = format!("/gatepass/notifications/{other}");
        assert_eq!(
            server.get(who, &foreign).await.status,
            StatusCode::FORBIDDEN
        );
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_requests_are_refused_with_a_reason() {
    let server = TestServer::start(Backing::Sqlite).await;
    let admin = server.sign_in("admin");
    for (path, status, code) in [
        ("/gatepass/passes/GP-2026-9999", 404, "NOT_FOUND"),
        ("/gatepass/passes/undefined", 422, "VALIDATION_ERROR"),
        ("/gatepass/passes/%2e%2e%2fhr", 422, "VALIDATION_ERROR"),
        ("/gatepass/passes/%00", 422, "VALIDATION_ERROR"),
        ("/gatepass/passes?status=lost", 422, "VALIDATION_ERROR"),
        ("/gatepass/passes?state=pending", 422, "VALIDATION_ERROR"),
        ("/gatepass/passes?cursor=x", 400, "BAD_REQUEST"),
        ("/gatepass/photos/nothing", 422, "VALIDATION_ERROR"),
        ("/gatepass/everything", 404, "NOT_FOUND"),
    ] {
        let answer = server.get(&admin, path).await;
        assert_eq!(answer.status.as_u16(), status, "{path}: {answer:?}");
        assert_eq!(answer.body["error"]["code"], code, "{path}: {answer:?}");
        assert!(answer.body["error"]["request_id"].is_string(), "{path}");
    }
    // Without a sign-in, or with another role, nothing is visible.
    let nobody = server.send(Method::GET, FIRST, None, None).await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
    let reader = server.sign_in("reader");
    for path in [FIRST, "/gatepass/counts", "/gatepass/notifications/hr"] {
        assert_eq!(
            server.get(&reader, path).await.status,
            StatusCode::FORBIDDEN
        );
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_system_is_reported() {
    use frontdesk_testkit::model_server::ModelServer;
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let model = ModelServer::start().await;
    let more = [("gatepass.api_base_url", closed.as_str())];
    let test = TestApp::start_on(TODAY, Backing::Sqlite, &model.url(), &more).await;
    let answer = ask(&test, "hr", "/gatepass/counts").await;
    assert_eq!(answer.0, StatusCode::BAD_GATEWAY);
    assert_eq!(answer.1["error"]["code"], "GATEPASS_UNAVAILABLE");
    let message = answer.1["error"]["message"].as_str().unwrap();
    assert!(message.contains("is not running"), "{message}");
}

/// Calls the assistants' routes as a person, without a server.
async fn ask(test: &TestApp, persona: &str, path: &str) -> (StatusCode, Value) {
    use tower::ServiceExt;
    let mut request = axum::http::Request::get(path)
        .body(axum::body::Body::empty())
        .unwrap();
    request.extensions_mut().insert(test.person(persona).await);
    let own = test.app.routes.iter();
    let router = own.fold(axum::Router::new(), |router, route| {
        router.route(&route.path, route.handler.clone())
    });
    let response = router.oneshot(request).await.unwrap();
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await;
    (status, serde_json::from_slice(&body.unwrap()).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sites_time_zone_reaches_the_bundled_system() {
    use frontdesk_testkit::model_server::ModelServer;
    // The new year has already begun in Karachi, as it had for the newest demo pass.
    let model = ModelServer::start().await;
    let new = json!({ "person_name": "Ali", "description": "errand", "is_returnable": true });
    model.script([call("create_gate_pass", new), say("Done.")]);
    let evening = "2026-12-31T20:00:00Z";
    let more = [("gatepass.time_zone", "Asia/Karachi")];
    let test = TestApp::start_on(evening, Backing::Sqlite, &model.url(), &more).await;
    let summary = crate::golden::say_once(&test, "hr", "gatepass", "A pass for Ali, errand").await;
    assert!(summary.contains("GP-2027-0002"), "{summary}");
    assert!(summary.contains("1 Jan 2027, 01:0"), "{summary}");
    model.finish();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_files_of_an_answer_are_named_in_its_metadata() {
    let server = TestServer::start(Backing::Sqlite).await;
    let who = server.sign_in("hr");
    let number = passes(&server, &who, "?limit=1").await[0]["pass_number"].clone();
    let pass = json!({ "pass_number": number });
    server
        .model
        .script([call("get_qr_code", pass), say("Here it is.")]);
    let new = json!({ "assistant": "gatepass" });
    let id = server.post(&who, "/conversations", new).await.body["id"].clone();
    let path = format!("/conversations/{}/messages", id.as_str().unwrap());
    let sent = server
        .post(&who, &path, json!({ "content": "The QR code" }))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
    let files = &sent.body["agent_message"]["metadata"]["files"];
    let name = format!("{}-qr.png", number.as_str().unwrap());
    assert_eq!(
        (&files[0]["name"], &files[0]["media_type"]),
        (&json!(name), &json!("image/png"))
    );
    let url = files[0]["url"]
        .as_str()
        .unwrap()
        .strip_prefix("/api/v1")
        .unwrap();
    let request = server.request(Method::GET, url, Some(&who));
    let bytes = request.send().await.unwrap().bytes().await.unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
    let turn = &sent.body["turn"]["id"];
    let turn = format!(
        "/conversations/{}/turns/{}",
        id.as_str().unwrap(),
        turn.as_str().unwrap()
    );
    assert_eq!(&server.get(&who, &turn).await.body["files"], files);
    let listed = server.get(&who, &path).await.body["items"].clone();
    let listed = listed.as_array().unwrap().iter();
    let mut answers = listed.filter(|message| message["role"] == "assistant");
    assert_eq!(&answers.next().unwrap()["metadata"]["files"], files);
    server.stop().await;
}
