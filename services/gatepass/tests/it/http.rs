//! Requests that are invalid HTTP or JSON.

use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::site::{Answer, Kind, Site};

async fn create_raw(site: &Site, content_type: &str, body: impl Into<reqwest::Body>) -> Answer {
    let request = site
        .hr()
        .request(Method::POST, "/hr/gatepass/create")
        .header("content-type", content_type);
    Answer::of(request.body(body)).await
}

#[tokio::test]
async fn bodies_must_be_json_objects() {
    let site = Site::start(Kind::Sqlite).await;
    let good = r#"{"person_name":"A","description":"B","is_returnable":true}"#;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_field = format!(r#"{{"person_name":{deep},"description":"B","is_returnable":true}}"#);
    let bad: Vec<(Vec<u8>, u16)> = vec![
        (b"{\"person_name\":\"\xff\xfe\"}".to_vec(), 400),
        (
            br#"{"person_name":"\ud800","description":"B","is_returnable":true}"#.to_vec(),
            400,
        ),
        (
            br#"{"person_name":"A","person_name":"C","description":"B","is_returnable":true}"#
                .to_vec(),
            400,
        ),
        (deep.into_bytes(), 400),
        (deep_field.into_bytes(), 400),
        (b"null".to_vec(), 400),
        (b"[]".to_vec(), 400),
        (b"\"text\"".to_vec(), 400),
        (b"{".to_vec(), 400),
        (format!("{good}{good}").into_bytes(), 400),
        (b"".to_vec(), 422),
        (
            br#"{"person_name":"a\u0000b","description":"B","is_returnable":true}"#.to_vec(),
            422,
        ),
        (br#"{"person\u0000_name":"a"}"#.to_vec(), 422),
        (
            format!(r#"{{"person_name":"{}"}}"#, "x".repeat(70_000)).into_bytes(),
            413,
        ),
    ];
    for (body, status) in bad {
        let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        let answer = create_raw(&site, "application/json", body).await;
        assert_eq!(
            answer.status.as_u16(),
            status,
            "{shown}: {}",
            String::from_utf8_lossy(&answer.bytes)
        );
        answer.refused(status);
    }
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json-patch+json",
        "",
    ] {
        assert_eq!(
            create_raw(&site, content_type, good).await.refused(415).0,
            "UNSUPPORTED_MEDIA_TYPE",
            "{content_type}"
        );
    }
    let gzip = site
        .hr()
        .request(Method::POST, "/hr/gatepass/create")
        .header("content-encoding", "gzip");
    assert_eq!(
        Answer::of(gzip.header("content-type", "application/json").body(good))
            .await
            .refused(415)
            .0,
        "UNSUPPORTED_MEDIA_TYPE"
    );
    assert_eq!(
        create_raw(&site, "application/json; charset=utf-8", good)
            .await
            .status,
        201,
        "the good one works"
    );
    assert_eq!(site.count("gatepass_passes").await, 1);
}

#[tokio::test]
async fn a_decision_needs_no_body_and_takes_only_a_name() {
    let site = Site::start(Kind::Sqlite).await;
    let number = site.new_pass(true).await;
    let path = format!("/admin/gatepass/{number}/approve");
    for body in [
        json!({"name": 7}),
        json!({"name": "x".repeat(201)}),
        json!({"approved_by": "Mallory"}),
    ] {
        assert_eq!(
            site.admin().post(&path, &body).await.refused(422).0,
            "VALIDATION_ERROR"
        );
    }
    let bare = site.admin().request(Method::POST, &path);
    assert_eq!(
        Answer::of(bare).await.of_schema("GatePassDetail")["approved_by"],
        "Omar"
    );
}

#[tokio::test]
async fn other_methods_and_addresses_get_typed_answers() {
    let site = Site::start(Kind::Sqlite).await;
    let number = site.new_pass(true).await;
    let admin = site.admin();
    for (method, path) in [
        (Method::GET, format!("/admin/gatepass/{number}/approve")),
        (Method::GET, format!("/admin/gatepass/{number}/delete")),
        (Method::DELETE, format!("/admin/gatepass/{number}")),
        (Method::PUT, format!("/admin/gatepass/{number}/approve")),
        (Method::POST, "/admin/gatepass/pending".to_owned()),
    ] {
        assert_eq!(
            Answer::of(admin.request(method, &path))
                .await
                .refused(405)
                .0,
            "METHOD_NOT_ALLOWED",
            "{path}"
        );
    }
    for path in [
        "/",
        "/admin",
        "/admin/gatepass",
        "//admin/gatepass/list",
        "/ADMIN/gatepass/list",
        "/admin/gatepass/list/",
        "/v1/x",
    ] {
        assert_eq!(admin.get(path).await.refused(404).0, "NOT_FOUND", "{path}");
    }
    let pass = admin.get(&format!("/admin/gatepass/{number}")).await.json();
    assert_eq!(pass["status"], "pending", "none of it changed anything");
}

#[tokio::test]
async fn head_never_marks_a_notification_as_read() {
    let site = Site::start(Kind::Sqlite).await;
    site.new_pass(true).await;
    let inbox = site.admin().get("/notifications/admin").await.json();
    let path = format!(
        "/notifications/mark-read/{}",
        inbox["items"][0]["id"].as_str().unwrap()
    );
    assert_eq!(
        Answer::of(site.admin().request(Method::HEAD, &path))
            .await
            .status,
        405
    );
    assert_eq!(
        site.admin().get("/notifications/admin").await.json()["unread"],
        1
    );
}

#[tokio::test]
async fn every_response_is_inert_and_closed_to_other_sites() {
    let site = Site::start(Kind::Sqlite).await;
    let number = site.new_pass(true).await;
    for path in [
        "/hr/gatepass/list".to_owned(),
        format!("/qr/{number}"),
        "/nowhere".to_owned(),
        "/hr/gatepass/x".to_owned(),
    ] {
        let answer = Answer::of(
            site.hr()
                .request(Method::GET, &path)
                .header("origin", "https://evil.example"),
        )
        .await;
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert!(
            answer
                .header("content-security-policy")
                .contains("default-src 'none'; frame-ancestors 'none'")
        );
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
}

/// Sends raw bytes, optionally disconnects, and reads the first line of the response.
async fn raw(site: &Site, request: &[u8], hang_up: bool) -> String {
    let mut socket = tokio::net::TcpStream::connect(site.base.trim_start_matches("http://"))
        .await
        .unwrap();
    // The server may close before it has read everything; its response counts.
    let _ = socket.write_all(request).await;
    if hang_up {
        let _ = socket.shutdown().await;
    }
    let mut answer = Vec::new();
    let _ = socket.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer)
        .lines()
        .next()
        .unwrap_or("")
        .to_owned()
}

#[tokio::test]
async fn a_body_that_ends_early_changes_nothing() {
    let site = Site::start(Kind::Sqlite).await;
    let head = |length: usize| {
        format!(
            "POST /hr/gatepass/create HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n",
            site.hr().token
        )
    };
    let body = r#"{"person_name":"A","description":"B","is_returnable":true}"#;
    let cut = raw(
        &site,
        format!("{}{body}", head(body.len() + 10)).as_bytes(),
        true,
    )
    .await;
    assert!(cut.is_empty() || cut.contains(" 400 "), "{cut}");
    assert_eq!(site.count("gatepass_passes").await, 0);
    let whole = raw(
        &site,
        format!("{}{body}", head(body.len())).as_bytes(),
        false,
    )
    .await;
    assert!(whole.contains(" 201 "), "{whole}");
}
