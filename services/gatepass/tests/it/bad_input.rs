//! Bad input gets a clear sentence that names the field, and changes nothing.

use serde_json::{Value, json};

use crate::site::{Answer, Kind, Site, on_both};

fn fields(answer: &Answer) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let details = answer.details();
    details["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (text(&f["field"]), text(&f["rule"])))
        .collect()
}

fn pair(field: &str, rule: &str) -> (String, String) {
    (field.to_owned(), rule.to_owned())
}

// design: 003 GatePass.person_name
#[tokio::test]
async fn every_violation_of_a_new_pass_is_named() {
    on_both(|site| async move {
        let good = json!({"person_name": "Ali", "description": "Bank", "is_returnable": true});
        let bad: Vec<(&str, Value, &str)> = vec![
            ("person_name", json!("x".repeat(10_000)), "max_length"),
            ("person_name", json!("x".repeat(201)), "max_length"),
            ("person_name", json!("a\u{0}b"), "no_control_characters"),
            ("person_name", json!("a\u{1b}[2Jb"), "no_control_characters"),
            ("person_name", json!("a\nb"), "no_control_characters"),
            (
                "person_name",
                json!("a\u{202e}b"),
                "no_invisible_characters",
            ),
            ("person_name", json!(""), "required"),
            ("person_name", json!("   "), "required"),
            ("person_name", json!("\u{200d}"), "required"),
            ("person_name", json!(null), "required"),
            ("person_name", json!(7), "text"),
            ("person_name", json!(["Ali"]), "text"),
            ("description", json!("x".repeat(2_001)), "max_length"),
            ("description", json!({"$ne": null}), "text"),
            ("is_returnable", json!("true"), "boolean"),
            ("is_returnable", json!(1), "boolean"),
            ("is_returnable", json!(null), "required"),
            ("id", json!("mine"), "unknown_field"),
            ("status", json!("approved"), "unknown_field"),
            ("created_at", json!("1970-01-01T00:00:00Z"), "unknown_field"),
            ("pass_number", json!("GP-2026-0001"), "unknown_field"),
        ];
        for (field, value, rule) in bad {
            let mut body = good.clone();
            body[field] = value;
            let answer = site.hr().post("/hr/gatepass/create", &body).await;
            let (code, message) = answer.refused(422);
            assert_eq!(code, "VALIDATION_ERROR");
            assert_eq!(fields(&answer), [pair(field, rule)], "{message}");
            assert!(message.contains(field) && message.len() < 300, "{message}");
        }
        let all = site.hr().post("/hr/gatepass/create", &json!({})).await;
        all.refused(422);
        assert_eq!(
            fields(&all).len(),
            3,
            "all missing fields are named at once"
        );
        assert_eq!(site.count("gatepass_passes").await, 0);
    })
    .await;
}

#[tokio::test]
async fn hostile_but_valid_text_is_stored_as_it_is() {
    on_both(|site| async move {
        for text in ["Robert'); DROP TABLE gatepass_passes;--", "<script>alert(1)</script>", "${jndi:ldap://x}", "100% \\ _ \" ' ` $1", "🙂 علی 王"] {
            let body = json!({"person_name": text, "description": text, "is_returnable": true});
            let pass = site.hr().post("/hr/gatepass/create", &body).await.of_schema("GatePassDetail");
            let id = pass["id"].as_str().unwrap();
            let read = site.hr().get(&format!("/hr/gatepass/{id}")).await;
            assert_eq!(read.header("content-type"), "application/json");
            assert_eq!((&read.json()["person_name"], &read.json()["description"]), (&json!(text), &json!(text)));
            let number = pass["pass_number"].as_str().unwrap();
            site.admin().post(&format!("/admin/gatepass/{number}/approve"), &json!({"name": text})).await;
            assert_eq!(site.hr().get(&format!("/hr/gatepass/{number}/print")).await.status, 200, "{text}");
        }
        let edge = json!({"person_name": "é".repeat(200), "description": "é".repeat(2_000), "is_returnable": false});
        assert_eq!(site.hr().post("/hr/gatepass/create", &edge).await.status, 201);
    })
    .await;
}

#[tokio::test]
async fn malformed_numbers_and_ids_are_named() {
    let site = Site::start(Kind::Sqlite).await;
    let long = "9".repeat(10_000);
    let malformed = [
        "GP-2026-1",
        "gp-2026-0001",
        "GP-2026-0001%2f..%2f..%2fadmin",
        "GP-2026-0001%3Fx=1",
        "GP-2026-0001%0a",
        "undefined",
        "null",
        "1%20OR%201=1",
        "GP-2026-0001;x",
        "%2e%2e",
        "GP-2026-1000000",
        &long,
    ];
    for number in malformed {
        for (answer, field) in [
            (
                site.admin().get(&format!("/admin/gatepass/{number}")).await,
                "pass_number",
            ),
            (
                site.admin()
                    .post(&format!("/admin/gatepass/{number}/approve"), &json!({}))
                    .await,
                "pass_number",
            ),
            (
                site.hr().get(&format!("/hr/gatepass/{number}")).await,
                "pass_id",
            ),
            (
                site.guard().get(&format!("/gate/photos/{number}")).await,
                "pass_number",
            ),
            (
                site.guard().get(&format!("/qr/{number}")).await,
                "pass_number",
            ),
        ] {
            if number == "%2e%2e" {
                // The client normalises it to the parent path, where there is nothing.
                assert!(matches!(answer.status.as_u16(), 404 | 405 | 422));
                continue;
            }
            answer.refused(422);
            assert_eq!(fields(&answer)[0].0, field, "{number}");
        }
    }
}

#[tokio::test]
async fn unknown_numbers_and_ids_are_not_found() {
    let site = Site::start(Kind::Sqlite).await;
    for unknown in ["GP-2026-0001", "GP-1999-999999", "GP-2026-00001"] {
        let (code, message) = site
            .admin()
            .get(&format!("/admin/gatepass/{unknown}"))
            .await
            .refused(404);
        assert_eq!(code, "NOT_FOUND");
        assert!(
            message.contains(unknown) && message.contains("list"),
            "{message}"
        );
        assert_eq!(
            site.admin()
                .post(&format!("/admin/gatepass/{unknown}/approve"), &json!({}))
                .await
                .status,
            404
        );
    }
    let id = uuid::Uuid::now_v7();
    assert_eq!(
        site.hr()
            .get(&format!("/hr/gatepass/{id}"))
            .await
            .refused(404)
            .0,
        "NOT_FOUND"
    );
    assert_eq!(
        site.guard()
            .get(&format!("/media/photo/{id}"))
            .await
            .refused(404)
            .0,
        "NOT_FOUND"
    );
    assert_eq!(
        site.guard()
            .get("/media/photo/..%2f..%2fetc%2fpasswd")
            .await
            .refused(422)
            .0,
        "VALIDATION_ERROR"
    );
}

#[tokio::test]
async fn queries_are_checked_field_by_field() {
    let site = Site::start(Kind::Sqlite).await;
    let bad = [
        ("limit=0", "limit", "range"),
        ("limit=101", "limit", "range"),
        ("limit=-1", "limit", "range"),
        ("limit=1e9", "limit", "range"),
        ("limit=x", "limit", "range"),
        ("limit=99999999999999999999", "limit", "range"),
        ("limit=", "limit", "required"),
        ("status=deleted", "status", "one_of"),
        ("status=Pending", "status", "one_of"),
        ("status=pending_return", "status", "one_of"),
        ("q=%00", "q", "no_control_characters"),
        (
            "metadata[x')%20OR%20'1'='1]=1",
            "metadata[x') OR '1'",
            "unknown_field",
        ),
        ("limit=5&limit=6", "limit", "once"),
        ("name=Omar", "name", "unknown_field"),
    ];
    for (query, field, rule) in bad {
        let answer = site.hr().get(&format!("/hr/gatepass/list?{query}")).await;
        answer.refused(422);
        assert_eq!(fields(&answer), [pair(field, rule)], "{query}");
    }
    for cursor in ["garbage", "cDEuMC54LjE", "cDEuMC4yMDI2LjEuMQ"] {
        assert_eq!(
            site.hr()
                .get(&format!("/hr/gatepass/list?cursor={cursor}"))
                .await
                .refused(400)
                .0,
            "BAD_REQUEST"
        );
        assert_eq!(
            site.hr()
                .get(&format!("/notifications/hr?cursor={cursor}"))
                .await
                .refused(400)
                .0,
            "BAD_REQUEST"
        );
    }
    assert_eq!(
        site.admin()
            .get("/admin/gatepass/pending?status=approved")
            .await
            .refused(422)
            .0,
        "VALIDATION_ERROR"
    );
}
