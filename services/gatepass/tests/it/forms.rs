//! Scans with a wrong form: a missing field, an extra field, or no form at all.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::json;

use crate::site::{Answer, JPEG, Kind, Site, scan_form};

#[tokio::test]
async fn invalid_scan_forms_are_refused() {
    let site = Site::start(Kind::Sqlite).await;
    let number = site.approved_pass(true).await;
    let photo = || Part::bytes(JPEG.to_vec());
    let forms: Vec<(Form, &str, &str)> = vec![
        (
            Form::new().text("pass_number", number.clone()),
            "photo",
            "required",
        ),
        (
            Form::new().part("photo", photo()),
            "pass_number",
            "required",
        ),
        (
            Form::new()
                .text("pass_number", "GP-1")
                .part("photo", photo()),
            "pass_number",
            "pattern",
        ),
        (
            Form::new()
                .text("pass_number", format!("{number}\0"))
                .part("photo", photo()),
            "pass_number",
            "pattern",
        ),
        (
            Form::new()
                .text("pass_number", number.clone())
                .part("file", photo()),
            "file",
            "unknown_field",
        ),
        (
            scan_form(&number, JPEG).part("photo", photo()),
            "photo",
            "once",
        ),
        (
            scan_form(&number, JPEG).text("status", "returned"),
            "status",
            "unknown_field",
        ),
    ];
    for (form, field, rule) in forms {
        let answer = Answer::of(
            site.guard()
                .request(Method::POST, "/gate/scan-exit")
                .multipart(form),
        )
        .await;
        answer.refused(422);
        let told = &answer.details()["fields"][0];
        assert_eq!(
            (&told["field"], &told["rule"]),
            (&json!(field), &json!(rule))
        );
    }
    let unknown = site.guard().scan("exit", "GP-2020-0001", JPEG).await;
    assert_eq!(unknown.refused(404).0, "NOT_FOUND");
    assert_eq!(site.stored_photos(), 0);
}

#[tokio::test]
async fn other_bodies_are_refused() {
    let site = Site::start(Kind::Sqlite).await;
    let number = site.approved_pass(true).await;
    let part = |name: &str, value: &str| {
        format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let header_bomb = format!(
        "--b\r\nx-big: {}\r\ncontent-disposition: form-data; name=\"photo\"\r\n\r\nx\r\n--b--\r\n",
        "h".repeat(1_000_000)
    );
    let many = format!("{}--b--\r\n", part("", "x").repeat(10_000));
    let long_boundary = format!("multipart/form-data; boundary={}", "b".repeat(20_000));
    let cases: Vec<(&str, &str, String, &[u16])> = vec![
        (
            "JSON",
            "application/json",
            r#"{"files":{"f":{"filepath":"/etc/passwd"}}}"#.to_owned(),
            &[415],
        ),
        ("text", "text/plain", "x".to_owned(), &[415]),
        ("no boundary", "multipart/form-data", "x".to_owned(), &[400]),
        ("long boundary", &long_boundary, "x".to_owned(), &[400, 431]),
        (
            "10,000 parts",
            "multipart/form-data; boundary=b",
            many,
            &[400, 413, 422],
        ),
        (
            "1 MB part header",
            "multipart/form-data; boundary=b",
            header_bomb,
            &[400, 413],
        ),
        (
            "cut off",
            "multipart/form-data; boundary=b",
            part("pass_number", &number),
            &[400],
        ),
        (
            "empty",
            "multipart/form-data; boundary=b",
            String::new(),
            &[400],
        ),
    ];
    for (what, content_type, body, expected) in cases {
        let request = site
            .guard()
            .request(Method::POST, "/gate/scan-exit")
            .header("content-type", content_type)
            .body(body);
        let answer = Answer::of(request).await;
        assert!(
            expected.contains(&answer.status.as_u16()),
            "{what}: {} {}",
            answer.status,
            String::from_utf8_lossy(&answer.bytes)
        );
    }
    assert_eq!(site.stored_photos(), 0);
}
